/* One run of a kernel: variables, views of buffers, control flow. */
#pragma once

#include "codegen/interp/internal.h"

enum interp_flow {
    INTERP_GO,
    INTERP_BREAK,
    INTERP_CONTINUE,
    INTERP_RETURN,
    INTERP_FAILED, /* the error is set or reported */
};

/* A buffer and where its elements are. */
struct interp_view {
    const struct ir_buffer *buffer;
    void *data;
    int64_t storage; /* elements from @data on */
    int64_t offset;  /* of element (0, 0, ..) */
    unsigned ndim;
    int64_t *shape, *strides;
};

struct interp_kernel {
    struct interp *run;
    const struct tir_func *func;
    struct arena arena;
    struct map vars;           /* struct ir_var -> struct interp_scalar */
    struct map views;          /* struct ir_buffer -> struct interp_view */
    array(void *) temporaries; /* storage of buffers that the kernel allocates */
    struct interp_scalar result;
};

enum interp_flow interp_run_stmt(struct interp_kernel *kernel, struct tir_stmt *stmt);

/* --- view.c --- */
/* Binds the parameters to @args and with them the symbols of their shapes. */
bool interp_kernel_enter(struct interp_kernel *kernel, const struct interp_value *const *args,
                         unsigned count);
/* T.alloc_buffer, T.decl_buffer: storage of its own, or another look at that of a buffer. */
bool interp_view_alloc(struct interp_kernel *kernel, const struct ir_buffer *buffer);
/* B = T.match_buffer(A[..]) of a block. */
bool interp_view_match(struct interp_kernel *kernel, const struct tir_match *match);
/* Frees what was allocated since there were @mark temporaries. */
void interp_views_release(struct interp_kernel *kernel, unsigned mark);
