/* How a call of a kernel and the kernel fit together: what FuseOps asks and FuseTIR builds on. */
#pragma once

#include "ir/module.h"

enum { KERNEL_CALL_SCALAR = ~0U };

struct kernel_call {
    const struct ir_op *op;
    const struct tir_func *func;
    struct ir_bindings symbols;     /* variable of the kernel -> expression of the graph */
    const unsigned *operand_params; /* by operand: its buffer parameter, KERNEL_CALL_SCALAR */
    const int *param_operands;      /* by parameter: the operand that it is, or -1 */
    unsigned output_count;
    const unsigned *output_params; /* by output: the parameter that it is */
    const int *inplace;            /* by output: the operand whose storage it takes, or -1 */
};

/*
 * Reads call_tir or call_tir_inplace @op into @out (arrays in @arena; kernel_call_finish() frees the
 * rest).  False if not everything about it is known: a scalar that is worked out at run time, or a
 * dimension that is not proved to be what the kernel says.
 */
bool kernel_call_read(struct ir_module *module, struct arena *arena, const struct ir_op *op,
                      struct kernel_call *out);
void kernel_call_finish(struct kernel_call *call);

/* The type of output @i of @op. */
const struct ir_type *kernel_call_output(const struct ir_op *op, unsigned i);
