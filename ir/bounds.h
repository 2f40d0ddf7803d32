/*
 * Upper bounds of symbols:
 *
 *     R.func_attr({"tir_var_upper_bound": {"n": 4096}})
 *
 * says that no dimension `n` of a parameter is more.  Whoever runs the function sees to it when it begins.
 */
#pragma once

#include "base/arena.h"
#include "ir/arith.h"
#include "ir/module.h"

/* Of a run: the dimension, what it is, the symbol, what it may be at most. */
#define IR_BOUND_EXCEEDED "%s is %lld, but `%s` may be at most %lld (tir_var_upper_bound)"

struct ir_bound {
    const struct ir_var *var;
    int64_t limit;
    const char *
        what; /* "dimension 0 of argument 1 (`x`) of `main`": where the symbol stands alone first */
};

struct ir_bounds {
    struct ir_bound *items;
    size_t count, capacity; /* an array() */
};

/* The bounds of symbols that parameters of @function bind, in their order; texts in @arena. */
void ir_bounds_find(const struct ir_function *function, struct arena *arena, struct ir_bounds *out);
/* Adds to @out that the symbols of @bounds are between 0 and their bounds. */
void ir_bounds_ranges(struct ir_context *context, const struct ir_bounds *bounds,
                      struct ir_ranges *out);
/* The most that @a is, 0 or more, whatever its symbols are within @bounds; false: not known. */
bool ir_bounds_most(struct ir_context *context, const struct ir_bounds *bounds,
                    const struct ir_expr *a, int64_t *out);
