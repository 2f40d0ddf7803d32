/* What operands and attributes have to be: the words of fits.def, and what its readers share. */
#pragma once

#include "ops/internal.h"

enum fit_word {
    FIT_RANK,
    FIT_DIMS,
    FIT_DTYPE,
    FIT_SAME_DTYPE,
    FIT_ALONG,
    FIT_AXIS,
    FIT_WITHIN,
    FIT_LENGTH,
    FIT_WHOLE,
    FIT_ANY_KIND,
    FIT_SCALAR_TOO,
    FIT_TENSOR_TOO,
};

#define FIT_NO_END 1e300

/* The operand that the signature calls @name. */
unsigned fit_operand(const struct ir_op_info *info, const char *name);
/* Operand @i if it is there and a tensor, else NULL. */
const struct ir_type *fit_tensor(const struct infer *in, unsigned i);

/*
 * Do the operands have the dims that @text says?  "data: batch? channels *; rois: regions coordinates=5": the same
 * word means the same dim, `?` may be missing, `*` is all that is left, the same in each, `..` is any dims, and `=` gives the number.
 * False after a report.
 */
bool fit_dims(const struct infer *in, const char *text);

/* What @rule says, if all rows of fits.def for the operator hold, and its result can be; NULL after a report. */
const struct ir_type *op_infer_fitting(const struct infer *in, ir_infer_fn *rule);
