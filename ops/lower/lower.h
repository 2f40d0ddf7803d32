/*
 * Making kernels: the layer that turns an operator into a PrimFunc and a call_tir of it.
 *
 *     struct kernel k;
 *     if (!kernel_begin(&k, module, diag, op, 1u << 0))    operand 0 becomes an argument
 *         return NULL;
 *     struct nest nest = nest_begin(&k, "T_flip");
 *     const struct ir_expr *v = nest_axis(&nest, TIR_SPATIAL, kernel_output_dim(&k, 0, 0));
 *     nest_store(&nest, k.outputs[0], &v, kernel_load(&k, 0, &index));
 *     nest_end(&nest);
 *     return kernel_finish(&k);
 *
 * A kernel has symbols of its own for the symbols of the graph.  Those that are no bare dim of a
 * tensor argument are scalar parameters, before the tensors.  Scalar constants become literals.
 * Kernels that are equal to one of the module are shared.
 */
#pragma once

#include "base/array.h"
#include "ir/build.h"
#include "ir/tir.h"
#include "ops/internal.h"

/* An argument: a buffer of the kernel, or a scalar that stands in the code. */
struct kernel_operand {
    const struct ir_type *type;
    const struct ir_buffer *buffer;
    const struct ir_expr *scalar;
};

struct kernel {
    struct ir_module *module;
    struct ir_context *context;
    struct diag *diag;
    struct ir_op *op;
    struct tir_func *func;
    const char *name; /* "relu" for nn.relu */
    struct ir_builder builder;
    struct ir_bindings symbols;      /* symbol of the graph -> variable of the kernel */
    struct kernel_operand *operands; /* by operand; a tuple's fields: `fields` */
    struct kernel_operand *fields;   /* of the list of tensors, if one is an argument */
    unsigned field_count, list;      /* which operand that is */
    struct kernel_operand *more;     /* arguments that are no operands: kernel_begin_as() */
    unsigned more_count;
    array(struct ir_value *) args;
    array(struct tir_stmt *) stmts;
    array(struct ir_buffer *) allocs;
    const struct ir_type *result;
    const struct ir_type *const *results;
    struct ir_buffer **outputs;
    unsigned output_count;
};

/*
 * @inputs: the operands that are arguments, as bits.  False after a report: what the loops need to
 * know is not known, or a dtype has no arithmetic.
 */
bool kernel_begin(struct kernel *k, struct ir_module *module, struct diag *diag, struct ir_op *op,
                  unsigned inputs);
/* As kernel_begin(), for a kernel that gives @result, with @more_count arguments besides: k->more. */
bool kernel_begin_as(struct kernel *k, struct ir_module *module, struct diag *diag,
                     struct ir_op *op, unsigned inputs, const struct ir_type *result,
                     struct ir_value *const *more, unsigned more_count);
/*
 * Gives names to the elements of @sizes, an int64 vector of @count, that the program works out: symbols
 * for types of what comes behind.
 */
const struct ir_expr *const *kernel_bind_sizes(struct ir_module *module, struct diag *diag,
                                               struct ir_op *op, struct ir_value *sizes,
                                               unsigned count);
/* Adds the kernel to the module and the call before the op; its value. */
struct ir_value *kernel_finish(struct kernel *k);
/* Ends without a kernel; NULL, so that a lowering can end with it. */
struct ir_value *kernel_abandon(struct kernel *k);

/* ---- refuse.c: what has a type, and is refused as code ---- */
/* Domains that types do not enforce are enforced here; false after a report. */
bool kernel_check_domain(struct kernel *k, enum op_domain domain, struct ir_dtype dtype);
/* Says that @dtype is none of @domain; false. */
bool kernel_refuse_dtype(struct kernel *k, enum op_domain domain, struct ir_dtype dtype);
/* Says that the shape of @what, of @type, is not known, if that does not follow from what was said; false. */
bool kernel_refuse_shape(struct kernel *k, const struct ir_type *type, const char *what);

/*
 * T.assert of @condition with @message.  Of dims that belong together kernel_begin() writes them all, from what the rule of
 * types compares (ops/pairs.h).
 */
void kernel_require(struct kernel *k, const struct ir_expr *condition, const char *message);

/* The index of a dim that is spread over @extent where @at is that one's: 0 where it is 1, which only the run may know. */
const struct ir_expr *kernel_spread(struct kernel *k, const struct ir_expr *dim,
                                    const struct ir_expr *extent, const struct ir_expr *at);

/* An expression of the graph in the kernel's symbols. */
const struct ir_expr *kernel_expr(struct kernel *k, const struct ir_expr *expr);
const struct ir_expr *kernel_input_dim(struct kernel *k, unsigned operand, unsigned d);
const struct ir_expr *kernel_output_dim(struct kernel *k, unsigned output, unsigned d);
/* A local buffer; @dims in the kernel's symbols. */
struct ir_buffer *kernel_alloc(struct kernel *k, const char *name, struct ir_dtype dtype,
                               const struct ir_expr *const *dims, unsigned ndim);
/* Element of an operand (a scalar's: itself). */
const struct ir_expr *kernel_load(struct kernel *k, unsigned operand,
                                  const struct ir_expr *const *indices);
const struct ir_expr *kernel_operand_load(struct kernel *k, const struct kernel_operand *operand,
                                          const struct ir_expr *const *indices);
/* float32 for float16 and bfloat16. */
struct ir_dtype kernel_compute_dtype(struct ir_dtype dtype);
/* Room for @count expressions. */
const struct ir_expr **kernel_indices(struct kernel *k, unsigned count);
const struct ir_expr **kernel_copy_indices(struct kernel *k, const struct ir_expr *const *from,
                                           unsigned count);

/* Expressions; numbers in @dtype, dims and indices in int64. */
const struct ir_expr *k_int(struct kernel *k, int64_t value);
const struct ir_expr *k_number(struct kernel *k, struct ir_dtype dtype, double value);
const struct ir_expr *k_binary(struct kernel *k, enum ir_expr_kind kind, const struct ir_expr *a,
                               const struct ir_expr *b);
const struct ir_expr *k_call(struct kernel *k, const char *name, const struct ir_expr *a);
const struct ir_expr *k_cast(struct kernel *k, struct ir_dtype dtype, const struct ir_expr *a);
/* Number @sum divided by @count (int64), which the dtype of @sum need not be wide enough for. */
const struct ir_expr *k_share(struct kernel *k, const struct ir_expr *sum,
                              const struct ir_expr *count);
const struct ir_expr *k_lowest(struct kernel *k, struct ir_dtype dtype);
const struct ir_expr *k_highest(struct kernel *k, struct ir_dtype dtype);
/* Their minimum or maximum, which of bools is `and` or `or`. */
const struct ir_expr *k_extreme(struct kernel *k, enum ir_expr_kind kind, const struct ir_expr *a,
                                const struct ir_expr *b);
/* a + b, a - b, a * b of int64, without what is plain to see: + 0, * 1. */
const struct ir_expr *k_add(struct kernel *k, const struct ir_expr *a, const struct ir_expr *b);
const struct ir_expr *k_sub(struct kernel *k, const struct ir_expr *a, const struct ir_expr *b);
const struct ir_expr *k_mul(struct kernel *k, const struct ir_expr *a, const struct ir_expr *b);

/* Both conditions; @a NULL: only @b. */
const struct ir_expr *k_and(struct kernel *k, const struct ir_expr *a, const struct ir_expr *b);
/* As k_and() with 0 <= @at < @extent. */
const struct ir_expr *k_inside(struct kernel *k, const struct ir_expr *a, const struct ir_expr *at,
                               const struct ir_expr *extent);
/* @value, evaluated only if the condition (NULL: true) holds; else @otherwise. */
const struct ir_expr *k_if(struct kernel *k, const struct ir_expr *condition,
                           const struct ir_expr *value, const struct ir_expr *otherwise);
const struct ir_expr *k_select(struct kernel *k, const struct ir_expr *condition,
                               const struct ir_expr *a, const struct ir_expr *b);

/* An index as int64, counted from the end of @extent if it is negative. */
const struct ir_expr *kernel_from_end(struct kernel *k, const struct ir_expr *index,
                                      const struct ir_expr *extent);
/* @to starts as operand 0. */
void kernel_copy_data(struct kernel *k, struct ir_buffer *to);
/* @out is @from in its own dtype. */
void kernel_cast_result(struct kernel *k, struct ir_buffer *out, struct ir_buffer *from);

/*
 * One loop nest with one block.  Where the reduction may be over nothing, what T.init would store is
 * stored by a nest before it, so that it is stored at all.
 */
struct nest {
    struct kernel *k;
    const char *name;
    array(struct tir_axis) axes;
    array(const struct ir_var *) loops;
    array(struct tir_stmt *) init, body;
    unsigned spatial_count, reduce_count;
};

struct nest nest_begin(struct kernel *k, const char *name);
/* One more loop, inside the others; the axis that stands for it in the block. */
const struct ir_expr *nest_axis(struct nest *nest, enum tir_axis_kind kind,
                                const struct ir_expr *extent);
void nest_init(struct nest *nest, const struct ir_buffer *buffer,
               const struct ir_expr *const *indices, const struct ir_expr *value);
void nest_store(struct nest *nest, const struct ir_buffer *buffer,
                const struct ir_expr *const *indices, const struct ir_expr *value);
void nest_end(struct nest *nest);
/* A spatial axis for each dim of @buffer. */
const struct ir_expr **nest_axes_of(struct nest *nest, const struct ir_buffer *buffer);
/*
 * Axes for all dims of @operand, in @out: the kept ones outside, those in @reduced inside.  Where the
 * last dim is kept it goes innermost, so that memory is read in its order.
 */
void nest_reduction_axes(struct nest *nest, const struct kernel_operand *operand,
                         const bool *reduced, const struct ir_expr **out);
const struct ir_expr *nest_load(struct nest *nest, const struct ir_buffer *buffer,
                                const struct ir_expr *const *indices);

/* The indices of operand type @type where its broadcast has indices @outer of @outer_dims. */
const struct ir_expr **kernel_broadcast(struct kernel *k, const struct ir_type *type,
                                        const struct ir_expr *const *outer,
                                        const struct ir_expr *const *outer_dims,
                                        unsigned outer_ndim);

/* ---- attention.c: what both kinds of attention ask of their operands ---- */
/* Ranks and window; false after a report. */
bool attention_check(struct kernel *k);
/* The head of @operand that @head of the queries looks at: several of them may share one. */
const struct ir_expr *attention_head(struct kernel *k, unsigned operand,
                                     const struct ir_expr *head);
