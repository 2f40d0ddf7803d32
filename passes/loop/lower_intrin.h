/* The arithmetic that LowerIntrin puts in the place of functions of float32: lower_intrin.def. */
#pragma once

#include "ir/module.h"

/* Does the function that @call is of have a row, for its exponent if it is T.pow? */
bool intrin_is_known(const struct ir_expr *call);
/* Of an @e that intrin_expand made for sin or cos: the call for large arguments.  Else NULL. */
const struct ir_expr *intrin_far_call(const struct ir_expr *e);
/* That function of @x, a float32, with T.fma or without; with T.ldexp where that is an instruction: the same bits. */
const struct ir_expr *intrin_expand(struct ir_context *ir, const struct ir_expr *call, bool has_fma,
                                    bool has_ldexp, const struct ir_expr *x);
