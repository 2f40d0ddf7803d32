/* Dims that belong together, for those who look at them later than the rules of types do. */
#pragma once

#include "base/diag.h"
#include "ir/module.h"

/* Dims that must be equal and are not proved to be. */
struct op_pairs {
    struct op_pair {
        const struct ir_expr *first, *second;
        const char *first_name, *second_name; /* "dimension 1 of `data`" */
        const char *operand;                  /* whose dim the second one is */
        const char *message; /* "dimension 0 of `gamma` is not dimension 1 of `data`" */
    } items[32];
    unsigned count;
};

/* Those of @op: the rows DIMS of fits.def, and the scales of a norm. */
void op_find_pairs(struct ir_module *module, struct diag *diag, const struct ir_op *op,
                   struct op_pairs *out);

/*
 * "1, 2": the axes of extent 1 that tensor @less wants, to stand beside @more of a higher rank; NULL: it wants none, or they
 * may stand at several places.  The dims of both are known.
 */
const char *op_missing_axes(struct ir_context *context, const struct ir_type *less,
                            const struct ir_type *more);
