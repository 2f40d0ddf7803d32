/*
 * Well-formedness: all rules, all violations of a run (up to the limit of diag), not the first.
 *
 * Use lists both ways, definitions before uses, ANF, block rules, purity, types as inferred, symbols
 * in scope, call_tir against its kernel, in-place index maps, kernels themselves.  Codes 03xx-05xx.
 */
#pragma once

#include "base/diag.h"
#include "ir/module.h"

/* True if nothing is wrong. */
bool ir_verify(struct ir_module *module, struct diag *diag);
bool ir_verify_function(struct ir_function *function, struct diag *diag);
bool tir_verify(struct tir_func *func, struct diag *diag);

/* Is calling @op free of visible effects, given its traits and its callee's type? */
bool ir_op_is_pure(const struct ir_op *op);
