/* Reshapes to another number of elements, for all sizes but 0. */
#pragma once

#include "base/diag.h"
#include "ir/module.h"

/* "b` or `s" where R.reshape has as many elements in front and behind only if one of these is 0; else NULL. */
const char *op_only_empty(struct ir_context *context, const struct ir_op *op);
/* For such a reshape: the one number in its shape that another one can take the place of; false: there is none. */
bool op_help_elements(struct ir_context *context, struct diag_message *m, const struct ir_op *op);
/* E0608 of @op, where it is such a reshape and something follows from it; false: it is none. */
bool op_report_elements(struct ir_module *module, struct diag *diag, const struct ir_op *op);
