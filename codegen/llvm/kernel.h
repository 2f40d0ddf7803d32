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
    unsigned lanes;     /* above 1: each lane of a vector loop has its own, beside each other */
    int64_t stack_bytes; /* of an allocation on the stack, else 0 */
};

struct cg_loop {
    LLVMBasicBlockRef next, end; /* continue, break */
    size_t taken_count;          /* allocations around the loop */
};

/* A variable that differs between the lanes of a vector loop. */
struct cg_varying {
    bool is_linear; /* lane i has first + i * stride */
    int64_t stride;
    LLVMValueRef first; /* of a linear one: a scalar, set where the variable is bound */
};

/* Iterations of a loop that run at once, one a lane.  What the plan (vector_plan.c) found, and: */
struct cg_vector {
    struct map varying;     /* struct ir_var -> struct cg_varying; others are uniform */
    struct map privates;    /* struct ir_buffer: allocated inside, one for each lane */
    unsigned private_bytes; /* of them, for one lane */
    unsigned widest;        /* bytes of the widest value that varies */
    unsigned narrowest;     /* bytes of the narrowest element that is loaded or stored */
    unsigned work;          /* values computed in an iteration, roughly */
    bool
        has_single_lanes; /* something is done lane by lane: calls, scattered accesses, divisions */
    bool has_skipped_calls; /* of the C library, behind a branch that runs if any lane wants them */
    unsigned lanes;
    LLVMValueRef mask; /* lanes that run what is emitted: <lanes x i1>; NULL: all */
    LLVMValueRef rest; /* lanes that are iterations at all; NULL: all */
    bool wants_first;  /* variables are emitted as the value in the first lane */
};

/* One kernel while its body is emitted. */
struct cg_body {
    struct cg *cg;
    struct cg_kernel *kernel;
    struct map buffers;        /* struct ir_buffer -> struct cg_buffer */
    struct ir_ranges ranges;   /* facts for proofs: of loop variables and block axes */
    struct map values;         /* struct ir_var -> struct ir_expr: axes and lets that no range is
                                  known of, put in for proofs */
    struct ir_bindings hidden; /* what `values` said before, of those that were set since */
    array(const struct ir_expr *)
        held; /* comparisons that hold where the lanes of the mask are emitted */
    array(struct cg_loop) loops;
    array(LLVMValueRef) taken; /* of the run's stack, to be given back, innermost last */
    struct map hoisted;        /* blocks whose init was emitted before their reduction loops */
    LLVMValueRef prefetched; /* where the address is that is asked for next (prefetch.c), or NULL */
    unsigned lane;           /* of vector expressions: which one is emitted */
    struct cg_vector *vector; /* NULL: one iteration after the other */
    /*
     * A parallel loop is a function of its own.  What it uses of the body around it is captured: noted
     * here where it is first used, put into an array by the caller, and loaded from there at the entry.
     */
    struct cg_body *outer;        /* NULL: the kernel itself */
    struct map outer_vars;        /* struct ir_var -> LLVMValueRef, of the outer function */
    LLVMValueRef captured;        /* the array, of places of 8 bytes */
    array(LLVMValueRef) captures; /* values of the outer function, in the order of the array */
};

/* Reports E0683 with @what and returns NULL. */
void *cg_kernel_refuse(struct cg_body *body, const char *what);
/* True if values of @dtype are computed with; else reports. */
bool cg_check_dtype(struct cg_body *body, struct ir_dtype dtype);

/* --- kernel.c --- */
/* Binds the parameters of the kernel to those of the function that is emitted. */
bool cg_bind_parameters(struct cg_body *body);
void cg_body_finish(struct cg_body *body);

/* --- expr.c --- */
LLVMValueRef cg_expr(struct cg_body *body, const struct ir_expr *e); /* NULL after a report */
/* As int64, sign- or zero-extended. */
LLVMValueRef cg_index(struct cg_body *body, const struct ir_expr *e);

/* --- proof.c --- */
/* Is 0 <= @index < @extent whenever control comes here? */
bool cg_index_is_proved(struct cg_body *body, const struct ir_expr *index,
                        const struct ir_expr *extent);
/* The same, for lanes of the mask: by conditions around what is emitted, too. */
bool cg_index_is_proved_here(struct cg_body *body, const struct ir_expr *index,
                             const struct ir_expr *extent);
/* Is @min <= @value < @min + @extent? */
bool cg_range_is_proved(struct cg_body *body, const struct ir_expr *value,
                        const struct ir_expr *min, const struct ir_expr *extent);
/* Can evaluating @e fail at run time (a load that is checked)? */
bool cg_can_fail(struct cg_body *body, const struct ir_expr *e);
/* Does the result of integer operation @e fit its dtype for certain? */
bool cg_does_not_wrap(struct cg_body *body, const struct ir_expr *e);
/* The facts so far, to go back to. */
struct cg_facts {
    size_t ranges, values, held;
};
struct cg_facts cg_facts_mark(const struct cg_body *body);
void cg_facts_reset(struct cg_body *body, struct cg_facts facts);
void cg_facts_add_range(struct cg_body *body, const struct ir_var *var, const struct ir_expr *min,
                        const struct ir_expr *extent);
void cg_facts_add_value(struct cg_body *body, const struct ir_var *var,
                        const struct ir_expr *value);
/* Behind a branch, or under a mask, that asks for @condition. */
void cg_facts_add_condition(struct cg_body *body, const struct ir_expr *condition);

/* --- buffer.c --- */
/* Emits the check of @index, the value of @e.  Returns where it holds; NULL: it is proved. */
LLVMValueRef cg_check_index(struct cg_body *body, struct cg_buffer *view, unsigned axis,
                            const struct ir_expr *e, LLVMValueRef index);
extern const char cg_out_of_range[]; /* index, axis, name, extent */
/* The offset in elements of what has index @indices[i] on axis i; NULL: a buffer without axes. */
LLVMValueRef cg_offset(struct cg *cg, const struct cg_buffer *view, LLVMValueRef *indices,
                       bool is_inside);
struct cg_buffer *cg_buffer_new(struct cg_body *body, const struct ir_buffer *buffer,
                                LLVMValueRef data);
struct cg_buffer *cg_buffer_find(struct cg_body *body, const struct ir_buffer *buffer);
bool cg_buffer_set_dims(struct cg_body *body, struct cg_buffer *view);
/* Address of an element, bounds checked where they are not proved. */
LLVMValueRef cg_address(struct cg_body *body, const struct ir_buffer *buffer,
                        const struct ir_expr *const *indices, unsigned count);
/* @is_written: nothing of it is read before all of it is written. */
bool cg_emit_alloc(struct cg_body *body, const struct ir_buffer *buffer, bool is_written);
/* Does what follows the allocation at @place of @seq write all of the buffer before anything else mentions it? */
bool cg_is_written_first(const struct tir_stmt *seq, unsigned place);
bool cg_emit_decl(struct cg_body *body, const struct ir_buffer *buffer);
bool cg_emit_match(struct cg_body *body, const struct tir_match *match);
/* Gives back what was taken of the run's stack above @count; @is_final: also forgets it. */
void cg_give_scratch(struct cg_body *body, size_t count, bool is_final);
LLVMValueRef cg_product_bytes(struct cg *cg, LLVMValueRef *dims, unsigned count, unsigned bytes);

/* --- stmt.c, block.c --- */
bool cg_stmt(struct cg_body *body, const struct tir_stmt *stmt);
bool cg_emit_block(struct cg_body *body, const struct tir_stmt *stmt);
/*
 * Emits the init of the reduction that loop @stmt is, if it can stand before the loop; then
 * @out_block is the block without init now, else NULL.
 */
bool cg_hoist_init(struct cg_body *body, const struct tir_stmt *stmt,
                   const struct tir_stmt **out_block);
/* @a and @b, where @b may be undefined if @a is false. */
LLVMValueRef cg_and_then(struct cg *cg, LLVMValueRef a, LLVMValueRef b);
/* What is emitted between the two runs only where @condition holds (for which lanes, in a vector). */
struct cg_guard {
    LLVMBasicBlockRef end;
    LLVMValueRef mask; /* as it was */
};
struct cg_guard cg_guard_begin(struct cg_body *body, LLVMValueRef condition);
void cg_guard_end(struct cg_body *body, struct cg_guard guard);

/* The variable counts in the dtype of the loop's variable, or in int64 where the text mixes dtypes. */
struct cg_loop_values {
    LLVMValueRef min, step, count; /* of one type; step NULL: 1 */
};

/* --- parallel.c --- */
/* Runs T.parallel loop @stmt on the threads of the host; @record gets the tasks, unless it is NULL.
 * False after a report. */
bool cg_parallel_loop(struct cg_body *body, const struct tir_stmt *stmt,
                      const struct cg_loop_values *values, struct remark_loop *record);
/* The value of @var, captured if it is of the function around; NULL: it has none. */
LLVMValueRef cg_var(struct cg_body *body, const struct ir_var *var);
/* The same for where a buffer is. */
struct cg_buffer *cg_captured_buffer(struct cg_body *body, const struct ir_buffer *buffer);
bool cg_is_hoisted(const struct cg_body *body, const struct tir_stmt *block);

/* --- loop.c --- */
bool cg_emit_for(struct cg_body *body, const struct tir_stmt *stmt);
/* The iterations from @from on, one after the other. */
bool cg_serial_loop(struct cg_body *body, const struct tir_stmt *stmt,
                    const struct cg_loop_values *values, LLVMValueRef from);
/* The body once, with the variable for @counter; in a vector loop, for the lanes from @counter on. */
bool cg_loop_iteration(struct cg_body *body, const struct tir_stmt *stmt,
                       const struct cg_loop_values *values, LLVMValueRef counter);
/* --- prefetch.c --- */
/* What the annotations "prefetch" and "prefetch_bytes" of @loop say, in front of its body. */
void cg_prefetch(struct cg_body *body, const struct tir_stmt *loop);

/* --- vector_plan.c: can iterations run as lanes? --- */
enum cg_variation_kind { CG_UNIFORM, CG_LINEAR, CG_VARYING };
struct cg_variation {
    enum cg_variation_kind kind;
    int64_t stride; /* between lanes, of a linear one */
};
/* How @e, an index or the value of a variable, differs between the lanes. */
struct cg_variation cg_variation_of(struct cg_body *body, const struct ir_expr *e);
/* The axes from @first on, of @total elements: which of these the indices say together. */
struct cg_row {
    unsigned first;
    int64_t total;
    const struct ir_expr *index;
};
/* Do lanes that differ in several indices of a compact buffer lie at a fixed distance all the same? */
bool cg_row_index(struct cg_body *body, const struct ir_buffer *buffer,
                  const struct ir_expr *const *indices, struct cg_row *out);
/* True if all in loop @stmt can be emitted in lanes; fills in @plan.  Else @why says what cannot. */
bool cg_vector_plan(struct cg_body *body, const struct tir_stmt *stmt, struct cg_vector *plan,
                    struct remark *why);
void cg_vector_finish(struct cg_vector *plan);
/* Does evaluating @e call the C library? */
bool cg_calls_library(const struct ir_expr *e);
/* Notes what @var is in the first lane, if lanes are emitted; @e is its value. */
bool cg_bind_first(struct cg_body *body, const struct ir_var *var, const struct ir_expr *e);

/* --- vector_loop.c --- */
/* Loop @stmt in lanes; its values are emitted.  @record gets how many, unless it is NULL. */
bool cg_vector_loop(struct cg_body *body, const struct tir_stmt *stmt,
                    const struct cg_loop_values *values, struct cg_vector *plan,
                    struct remark_loop *record);

/* --- vector_window.c: loads of lanes that lie near each other --- */
struct cg_window {
    LLVMBasicBlockRef near, end;
    LLVMValueRef near_value;
};
/*
 * The elements of @view at @offsets, which are inside of it in all lanes that run.  True: where they are near is done,
 * and what follows is emitted for where they are not, up to cg_window_end(), which has the value of either.
 */
bool cg_window_begin(struct cg_body *body, const struct cg_buffer *view, LLVMTypeRef element,
                     LLVMValueRef offsets, struct cg_window *out);
LLVMValueRef cg_window_end(struct cg *cg, const struct cg_window *window, LLVMValueRef far_value);

/* --- vector_memory.c: loads and stores of all lanes --- */
LLVMValueRef cg_vector_load(struct cg_body *body, const struct ir_expr *e);
bool cg_vector_store(struct cg_body *body, const struct tir_stmt *stmt, LLVMValueRef value);
