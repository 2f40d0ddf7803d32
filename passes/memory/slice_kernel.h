/*
 * Kernels whose parameters are parts of larger tensors: what each reads or writes at [i, j] is moved to
 * where the part lies in the whole, so that any axis will do and no strides are needed.
 */
#pragma once

#include "analysis/access/pieces.h"
#include "analysis/kernel_call.h"
#include "passes/pass.h"

/* A parameter as a box of one of the wholes. */
struct slice {
    unsigned param; /* of the kernel, a buffer */
    unsigned whole;
    const int
        *dims; /* by dimension of the parameter: that of the whole; -1: of extent 1, in none */
    const struct ir_expr *const *offsets; /* by dimension of the whole; of int64, of the graph */
};

struct slice_job {
    struct pass_run *run;
    const struct kernel_call *call;
    const struct slice *slices;
    unsigned slice_count;
    const struct ir_type *const *wholes; /* the new parameters, behind the others that are given */
    unsigned whole_count;
    const struct access_piece *const *dropped; /* of what the kernel copies: left out */
    unsigned dropped_count;
    const char *name; /* of the kernel */
};

struct slice_kernel {
    struct ir_global *global;             /* NULL: nothing is left to do */
    const struct ir_expr *const *scalars; /* of the graph: what it is given behind the wholes */
    unsigned scalar_count;
};

/* Adds the kernel to the module; arrays in the scratch arena. */
struct slice_kernel slice_kernel_make(const struct slice_job *job);
