/* Making one kernel of a function of kernel calls, for FuseTIR. */
#pragma once

#include "passes/pass.h"

struct fused_kernel {
    struct tir_func *kernel;
    unsigned tensor_count; /* arguments that are tensors: parameters of the function, by index */
    const unsigned *tensors;
    unsigned scalar_count; /* symbols of the function that are arguments, in front of the tensors */
    const struct ir_var *const *scalars;
    unsigned output_count;
    const int *inplace; /* by output: the index in @tensors whose storage it takes, or -1 */
    unsigned nest_count, call_count;
    enum remark_id why; /* there is none */
};

/*
 * The kernel that computes what @function, a straight run of kernel calls, does.  False where one of them
 * is not understood, or updates storage in a way that cannot be kept.
 */
bool fuse_kernel_make(struct pass_run *run, const struct ir_function *function,
                      struct fused_kernel *out);
