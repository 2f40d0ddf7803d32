/*
 * A product with weights of 4 or 8 bits that have a scale and a zero point for each block along the sum:
 *
 *     y[.., j] = sum of x[.., k] * (float32(q[k, j]) - zero[k / block, 0, j]) * scale[k / block, 0, j]
 *
 * in one kernel, so that the weights need not exist as floats in memory.
 */
#pragma once

#include "ir/build.h"

struct op_blocks {
    struct ir_value
        *bytes; /* uint8: (K / 2, 1, N), the even k in the low halves; or (K / block, block, N) */
    struct ir_value *zero;  /* float32: a scalar; or (K / block, 1, N), of uint8, too */
    struct ir_value *scale; /* float32: (K / block, 1, N) */
    bool has_halves;
    int64_t block;
};

/* What @value has the first rows of, all others being left out by a slice; itself, if it is no such slice. */
struct ir_value *op_rows_of(struct ir_module *module, struct diag *diag, struct ir_value *value);
/* For @op, a matmul whose second operand is those weights; NULL after a report. */
struct ir_value *op_lower_blocks(struct ir_module *module, struct diag *diag, struct ir_op *op,
                                 const struct op_blocks *blocks);
