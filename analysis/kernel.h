/*
 * What a kernel does with the storage of its parameters, from its loop nest.
 *
 * Every answer is on the safe side: what cannot be read off the loops counts as the worst.
 */
#pragma once

#include "ir/module.h"

struct kernel_param {
    bool reads, writes; /* may read, may write */
    bool is_stored;     /* a store to it, or to a buffer declared on its storage, is certain */
    /* Seen in another way than by plain indices: through another buffer on the same storage, a
     * matched region or its data pointer.  Then index maps say nothing. */
    bool is_indirect;
};

struct kernel_access {
    struct kernel_param *params; /* one per parameter of the kernel; scalars all false */
    /* Calls code that is not part of the module (T.call_extern, T.call_packed): storage whose address
     * it got may be kept. */
    bool calls_out;
    struct location indirect_loc; /* of the first indirect access or call, for messages */
};

/* The accesses of @func; arrays in @arena. */
struct kernel_access kernel_access(struct arena *arena, const struct tir_func *func);

/*
 * The parameter of @func that operand @operand of @call, a call of it, is given to: tensors go to buffers
 * in their order, wherever scalars stand.  NULL if the operand is no tensor.
 */
const struct tir_param *kernel_param_of(const struct tir_func *func, const struct ir_op *call,
                                        unsigned operand);

/* The parameter of @func that output @output of @call, a call of it, is written to; NULL: not known. */
const struct tir_param *kernel_output_of(const struct tir_func *func, const struct ir_op *call,
                                         unsigned output);
