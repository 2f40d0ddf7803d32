/* What graph.c and calls.c share. */
#pragma once

#include "codegen/interp/internal.h"

/* The value of @value in @call; inline ones are worked out.  NULL after the error is set. */
const struct interp_value *interp_value_of(struct interp_call *call, const struct ir_value *value);

/* The same for an op that reads it: it must not have ended. */
const struct interp_value *interp_read(struct interp_call *call, const struct ir_value *value);

/* The result of a call op; NULL after the error is set. */
/* Is @call the last thing that @function does?  See last_call.c. */
bool interp_is_last_call(const struct ir_function *function, const struct ir_op *call);
const struct interp_value *interp_call_op(struct interp_call *call, const struct ir_op *op);
