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

/* Where entry @entry of the inplace_indices of @op stands. */
struct location ir_inplace_entry(const struct ir_op *op, unsigned entry);
/* What that entry, which is wrong, should be: help with an edit for @m, where the kernel says it. */
bool ir_inplace_help(struct diag_message *m, const struct ir_op *op, unsigned entry);

/* The rules of the call @op of a kernel alone: for a front end that reads on behind a mistake. */
bool ir_verify_kernel_call(struct ir_module *module, struct ir_op *op, struct diag *diag);
/*
 * What a call of @kernel on @values should say, as far as it is known (else NULL): its `inplace_indices`, of so many
 * entries, and the types of its results.
 */
const char *ir_kernel_map(struct ir_context *context, const struct tir_func *kernel,
                          struct ir_value *const *values, unsigned count, unsigned *out_count);
const char *ir_kernel_results(struct ir_context *context, const struct tir_func *kernel,
                              struct ir_value *const *values, unsigned count, bool is_inplace);

/* Warns of @op, a call of a kernel, if what it is given fits for one value of a symbol only: false then. */
bool ir_check_call_sizes(struct ir_module *module, struct ir_op *op, struct diag *diag);

/* Is calling @op free of visible effects, given its traits and its callee's type? */
bool ir_op_is_pure(const struct ir_op *op);
