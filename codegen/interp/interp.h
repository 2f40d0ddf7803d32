/*
 * The reference interpreter: the meaning of a program.
 *
 * Runs any verified module, lowered or not: every op on fresh buffers, every index checked, no
 * optimisation; call_tir_inplace works on private copies.  Slow on purpose.
 */
#pragma once

#include "base/diag.h"
#include "ir/module.h"
#include "runtime/frame.h"

/*
 * Runs @function on flattened @args (see inlay_entry_fn): checks them against the parameter types,
 * never writes to them.  Results are owned by @frame.  False after the error is set in @frame, or, for
 * what is not supported, reported to @diag.
 */
bool interp_run(struct diag *diag, struct ir_function *function, struct inlay_frame *frame,
                const struct inlay_value *args, int32_t arg_count, struct inlay_value *results,
                int32_t result_count);

/*
 * The same, but fails after *@steps statements of kernels, for runs that nobody waits for.  (How long
 * an operator of the library runs, the sizes of its operands bound.)
 * What is left goes to *@steps.
 */
bool interp_run_steps(struct diag *diag, struct ir_function *function, struct inlay_frame *frame,
                      uint64_t *steps, const struct inlay_value *args, int32_t arg_count,
                      struct inlay_value *results, int32_t result_count);

/* How many flattened leaves a value of @type has; -1 if that is not known. */
int interp_leaf_count(const struct ir_type *type);
