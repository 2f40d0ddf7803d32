/*
 * How large an arena a call of an artifact needs: the stack of the run (analysis/stack_need.h), and all that
 * does not lie there, which nobody gives back before the end.
 */
#pragma once

#include "base/map.h"
#include "ir/module.h"

struct artifact_need {
    const struct ir_expr *bytes; /* int64, in the symbols of the function; NULL: not bounded: */
    const char *why;
    struct location where;
};

struct artifact_needs {
    unsigned threads; /* that share a parallel loop, each with scratch of its own; 0: one */
    struct map known; /* struct ir_function -> struct artifact_need, without the stack */
    struct arena arena;
};

/* The arena that a call of @function, from outside, takes. */
struct artifact_need artifact_need_of(struct artifact_needs *needs,
                                      const struct ir_function *function);
void artifact_needs_finish(struct artifact_needs *needs);
