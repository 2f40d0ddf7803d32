/* What the files that emit kernels share. */
#pragma once

#include "codegen/llvm/internal.h"

/* A buffer that can be accessed: a parameter, an allocation or another look at one. */
struct cg_buffer {
    const struct ir_buffer *buffer;
    LLVMValueRef data;     /* element 0 */
    LLVMValueRef *dims;    /* int64 */
    LLVMValueRef *strides; /* int64, in elements; NULL: compact */
    LLVMValueRef bytes; /* behind `data`: int64, or NULL where a view is never checked against it */
    int param;          /* the parameter whose storage it is, or -1 */
};

struct cg_loop {
    LLVMBasicBlockRef next, end; /* continue, break */
    size_t heap_count;           /* allocations around the loop */
};

/* One kernel while its body is emitted. */
struct cg_body {
    struct cg *cg;
    struct cg_kernel *kernel;
    struct map buffers;        /* struct ir_buffer -> struct cg_buffer */
    struct ir_ranges ranges;   /* facts for proofs: of loop variables and block axes */
    struct ir_bindings values; /* of axes and lets that no range is known of: put in for proofs */
    array(struct cg_loop) loops;
    array(LLVMValueRef) heap; /* allocations to be freed, innermost last */
    struct map hoisted;       /* blocks whose init was emitted before their reduction loops */
    unsigned lane;            /* of vector expressions: which one is emitted */
};

/* Reports E0683 with @what and returns NULL. */
void *cg_kernel_refuse(struct cg_body *body, const char *what);
/* True if values of @dtype are computed with; else reports. */
bool cg_check_dtype(struct cg_body *body, struct ir_dtype dtype);

/* --- expr.c --- */
LLVMValueRef cg_expr(struct cg_body *body, const struct ir_expr *e); /* NULL after a report */
/* As int64, sign- or zero-extended. */
LLVMValueRef cg_index(struct cg_body *body, const struct ir_expr *e);

/* --- proof.c --- */
/* Is 0 <= @index < @extent whenever control comes here? */
bool cg_index_is_proved(struct cg_body *body, const struct ir_expr *index,
                        const struct ir_expr *extent);
/* Is @min <= @value < @min + @extent? */
bool cg_range_is_proved(struct cg_body *body, const struct ir_expr *value,
                        const struct ir_expr *min, const struct ir_expr *extent);
/* Can evaluating @e fail at run time (a load that is checked)? */
bool cg_can_fail(struct cg_body *body, const struct ir_expr *e);
/* Does the result of integer operation @e fit its dtype for certain? */
bool cg_does_not_wrap(struct cg_body *body, const struct ir_expr *e);
/* The variables bound in facts so far, to go back to. */
struct cg_facts {
    size_t ranges, values;
};
struct cg_facts cg_facts_mark(const struct cg_body *body);
void cg_facts_reset(struct cg_body *body, struct cg_facts facts);
void cg_facts_add_range(struct cg_body *body, const struct ir_var *var, const struct ir_expr *min,
                        const struct ir_expr *extent);
void cg_facts_add_value(struct cg_body *body, const struct ir_var *var,
                        const struct ir_expr *value);

/* --- buffer.c --- */
struct cg_buffer *cg_buffer_new(struct cg_body *body, const struct ir_buffer *buffer,
                                LLVMValueRef data);
struct cg_buffer *cg_buffer_find(struct cg_body *body, const struct ir_buffer *buffer);
bool cg_buffer_set_dims(struct cg_body *body, struct cg_buffer *view);
/* Address of an element, bounds checked where they are not proved. */
LLVMValueRef cg_address(struct cg_body *body, const struct ir_buffer *buffer,
                        const struct ir_expr *const *indices, unsigned count);
bool cg_emit_alloc(struct cg_body *body, const struct ir_buffer *buffer);
bool cg_emit_decl(struct cg_body *body, const struct ir_buffer *buffer);
bool cg_emit_match(struct cg_body *body, const struct tir_match *match);
/* Frees the heap allocations above @count; @is_final: also forgets them. */
void cg_free_heap(struct cg_body *body, size_t count, bool is_final);
LLVMValueRef cg_product_bytes(struct cg *cg, LLVMValueRef *dims, unsigned count, unsigned bytes);

/* --- stmt.c, block.c --- */
bool cg_stmt(struct cg_body *body, const struct tir_stmt *stmt);
bool cg_emit_block(struct cg_body *body, const struct tir_stmt *stmt);
/* Emits the init of the reduction that loop @stmt is, if it can stand before the loop. */
bool cg_hoist_init(struct cg_body *body, const struct tir_stmt *stmt);
