/*
 * Which results of kernels are worth to be views of an operand.
 *
 * A view costs nothing when it is made, but keeps all of the storage that it lies in: where it is read
 * after everything else in that storage, views must show at least half of it, or the copy is cheaper.
 * What leaves the function is no view of what belongs to its caller: nothing said that it would be.
 */
#pragma once

#include "analysis/inplace.h"
#include "analysis/storage/storage.h"
#include "base/array.h"

struct diag;

/* An output of a call of a kernel that only moves elements of one operand. */
struct view_candidate {
    struct ir_op *call;
    unsigned output, argument;
    const struct ir_expr *offset; /* in bytes; NULL: its elements are no run of the operand's */
    enum inplace_code code;       /* what stands against it; IP_PROVED: nothing */
    unsigned root, base;          /* storage that it has now, and that it would lie in */
    unsigned last;                /* last read of it, and of the candidates that would lie in it */
};

struct view_plan {
    array(struct view_candidate) items; /* in program order; outputs of one call are neighbours */
};

/* Adds what the calls of @function, which is not nested, are candidates for. */
void view_plan_function(struct view_plan *plan, struct storage_module *facts,
                        struct ir_function *function);
void view_plan_finish(struct view_plan *plan);
