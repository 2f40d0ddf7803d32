/* Products of widened bytes as products of bytes: see narrow_products.c. */
#pragma once

#include "ir/build.h"
#include "passes/pass.h"

/* In the blocks of @region, not in regions within; false after a report. */
bool narrow_products(struct pass_run *run, struct ir_region *region, bool *out_changed);

/* astype(bytes, int32) - zero */
struct centred {
    struct ir_value *bytes;
    struct ir_value *zero; /* int32; NULL: none */
    bool is_constant;
};
bool narrow_read(struct ir_value *value, struct centred *out);

/* The bytes of a matrix summed along the axis that is @back from the end, 1 or 2, which stays. */
struct ir_value *narrow_sum(struct ir_builder *b, struct ir_value *bytes, int back);
/* What reads @op reads @op - @terms from now on; false after a report. */
bool narrow_less(struct pass_run *run, struct ir_op *op, struct ir_value *terms);

/* The same of a convolution (narrow_convs.c). */
bool narrow_conv(struct pass_run *run, struct ir_op *op, bool *out_changed);
