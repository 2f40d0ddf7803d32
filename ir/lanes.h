/* Lanes of vectors in expressions: what stands in a scalar place must be a scalar. */
#pragma once

#include "ir/expr.h"

/*
 * The operand of @e that has another number of lanes than its place, or NULL; *@out_wanted becomes the
 * dtype that would fit there.  Of a function that is no row of ir/intrinsics.def nothing is known.
 */
const struct ir_expr *ir_expr_lane_misfit(const struct ir_expr *e, struct ir_dtype *out_wanted);
