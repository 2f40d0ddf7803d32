/*
 * Values instead of buffers: what one nest stores for another to load is computed where it is used.
 *
 *     for i: t[i] = exp(x[i])
 *     for i: out[i] = t[i] + y[i]      =>     for i: out[i] = exp(x[i]) + y[i]
 *
 * Legal where the producer writes all of the buffer, each element once, and nothing that it reads is
 * written before the use; by the user's own store only where that is to the very element that is read.
 * Done where it saves: each element is used once, or costs next to nothing.
 */
#pragma once

#include "analysis/remark.h"
#include "base/array.h"
#include "ir/module.h"

struct inline_kernel {
    struct ir_module *module;
    struct tir_stmt **stmts; /* perfect nests, in order */
    size_t stmt_count;
    struct ir_buffer **locals; /* allocated by the kernel */
    size_t local_count;
};

/*
 * Who hears which buffers went away, and why others did not; NULL @items: nobody.
 */
struct inline_notes {
    struct remark_items *items;
    const char *pass, *function; /* the kernel */
};

/* Changes the statements in place, and removes those and the buffers that are not needed any more. */
void inline_buffers(struct arena *scratch, struct inline_kernel *kernel, struct inline_notes notes);
