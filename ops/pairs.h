/* Dims that belong together, for those who look at them later than the rules of types do. */
#pragma once

#include "base/diag.h"
#include "ir/module.h"

/* What the second of two dims has to be. */
enum op_relation {
    OP_DIM_SAME,
    OP_DIM_SAME_OR_ONE, /* the first, or 1: it is spread then */
    OP_DIM_EITHER_ONE,  /* the first, unless one of them is 1 */
    OP_DIM_AT_MOST,     /* the first, or less */
    OP_DIM_DIVIDES,     /* the first is a multiple of it */
};

struct op_pair {
    enum op_relation relation;
    const struct ir_expr *first, *second;
    const char *first_name, *second_name; /* "dimension 1 of `data`" */
    const char *operand;                  /* whose dim the second one is */
    const char *message; /* "dimension 0 of `gamma` is not dimension 1 of `data`" */
};

/* Dims that belong together and are not proved to do so. */
struct op_pairs {
    struct op_pair *items;
    unsigned count, capacity;
};

/* Those of @op: what its rule of types compares. */
void op_find_pairs(struct ir_module *module, struct diag *diag, const struct ir_op *op,
                   struct op_pairs *out);

/*
 * "1, 2": the axes of extent 1 that tensor @less wants, to stand beside @more of a higher rank; NULL: it wants none, or they
 * may stand at several places.  The dims of both are known.
 */
const char *op_missing_axes(struct ir_context *context, const struct ir_type *less,
                            const struct ir_type *more);
