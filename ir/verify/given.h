/* What a kernel makes of what it is given, by a call that is written, or one that is thought of for a message. */
#pragma once

#include "ir/verify/internal.h"

struct given {
    struct ir_context *context;
    const struct tir_func *kernel;
    struct ir_value *const *values;
    unsigned count;
};

/* call_help.c */

struct given verify_given(struct verify *v, const struct ir_op *op);
/* The buffer that argument @i of @call is for; NULL: it is no tensor. */
const struct ir_buffer *verify_argument_buffer(const struct given *call, unsigned i);
/* The @at-th buffer that is a new result; they are the last ones. */
const struct ir_buffer *verify_fresh_buffer(const struct given *call, unsigned at);
/* What the kernel makes in @buffer; NULL: the arguments do not say it. */
const struct ir_type *verify_buffer_type(const struct given *call, const struct ir_buffer *buffer);
