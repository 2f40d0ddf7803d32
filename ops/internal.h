/* What the files of ops/ share: helpers of type rules, and the prototypes of rules and lowerings. */
#pragma once

#include "base/diag.h"
#include "ir/arith.h"
#include "ir/module.h"
#include "ops/domain.h"
#include "ops/ids.h"
#include "ops/pairs.h"

/* What a type rule works on. */
struct infer {
    struct ir_module *module;
    struct ir_context *context;
    struct diag *diag;
    const struct ir_op *op;
    struct op_pairs *pairs; /* NULL: what does not fit is reported */
};

/* The scales of a norm have the dims of the data along its axes; false after a report. */
bool op_check_norm(const struct infer *in);

/*
 * Two dims that belong together, the second one of an operand.  Every rule compares them by this, so that what only a run can
 * compare is noted, too (in->pairs), and each of the two is said in words once.
 */
bool op_pair_fits(const struct infer *in, const struct op_pair *pair); /* as far as is known */
/* The same; false after a report. */
bool op_check_pair(const struct infer *in, const struct op_pair *pair);
/* Is something in dimension @axis of operand @operand, @dim, from which elements of @result are read?  False after a report. */
bool op_check_some(const struct infer *in, const struct ir_type *result, const struct ir_expr *dim,
                   unsigned axis, const char *operand);
/* @second, of operand @operand, is @first; the names say what they are. */
bool op_check_same(const struct infer *in, const struct ir_expr *first, const char *first_name,
                   const struct ir_expr *second, const char *second_name, const char *operand);

enum op_result_dtype { OP_SAME, OP_BOOL };

struct infer op_infer_begin(struct ir_module *module, struct diag *diag, const struct ir_op *op);

/* The name of operand @i in the signature. */
const char *op_operand_name(const struct ir_op_info *info, unsigned i);
bool op_has_operand(const struct ir_op *op, unsigned i); /* false: left out, a null_value */

/* Says that operand @i is not what is @expected. */
/* Where the call in the text gives argument @name; the call itself if it does not. */
struct location op_argument_place(const struct infer *in, const char *name);
/* Where the text of @op has the argument @name; all of it if it has none. */
struct location op_said_place(const struct ir_op *op, const char *name);
/* Where operand @i stands in the text. */
struct location op_operand_place(const struct infer *in, unsigned i);
/* dtype_help.c: operands @i and @j are of @first and @second, and of one dtype they should be. */
void op_help_dtypes(const struct infer *in, struct diag_message *m, unsigned i, unsigned j,
                    struct ir_dtype first, struct ir_dtype second);
/* Labels where the dtype of operand @i is said: `dtype=..` of what makes it. */
void op_label_dtype(const struct infer *in, struct diag_message *m, unsigned i);
/* The edit that converts operand @i where the call has it. */
void op_help_astype(const struct infer *in, struct diag_message *m, unsigned i, const char *dtype);
/* Operand @i is a tuple of numbers, which R.const makes a tensor. */
void op_help_numbers(const struct infer *in, struct diag_message *m, unsigned i);
/* Operand @i is a number, and what is @expected a shape of one axis: `8` or `(8)` for `(8,)`. */
void op_help_shape(const struct infer *in, struct diag_message *m, unsigned i,
                   const char *expected);
/* One of the operands @i and @j, of the types @a and @b, broadcasts with one axis more, at one place only. */
bool op_help_other_axis(const struct infer *in, struct diag_message *m,
                        const struct ir_type *const *types, unsigned i, unsigned j);
void op_help_new_axis(const struct infer *in, struct diag_message *m, const struct ir_type *a,
                      const struct ir_type *b, unsigned i, unsigned j);
/* The edit that puts operand @i between @before and @behind, where it can be told from the call. */
void op_help_wrap(const struct infer *in, struct diag_message *m, unsigned i, const char *before,
                  const char *behind);
void op_report_kind(const struct infer *in, unsigned i, const char *expected);
/* Operand @i as a tensor; R.Any counts as a tensor of which nothing is known.  NULL after a report. */
const struct ir_type *op_tensor(const struct infer *in, unsigned i);
/* The tensors of the tuple operand @i; false after a report.  Count 0 if the tuple is R.Any. */
bool op_tensors(const struct infer *in, unsigned i, const struct ir_type *const **out_types,
                unsigned *out_count);
/* As above for a shape operand: its type, or a shape of unknown rank. */
const struct ir_type *op_shape(const struct infer *in, unsigned i);
/* The scalar that operand @i is; NULL if it is no literal or symbol. */
const struct ir_expr *op_operand_prim(const struct ir_op *op, unsigned i);
const struct ir_expr *op_value_prim(const struct ir_value *value);
/* The op that makes @value, looking through other names of it; NULL for a parameter. */
const struct ir_op *op_value_def(const struct ir_value *value);
/* The scalars of the tuple or shape operand @i; false if they cannot be seen. */
bool op_operand_prims(struct ir_module *module, const struct ir_op *op, unsigned i,
                      const struct ir_expr *const **out_items, unsigned *out_count);

/* A result: on the device of the first operand that has one.  @dims NULL: not known. */
const struct ir_type *op_result_type(const struct infer *in, struct ir_dtype dtype,
                                     const struct ir_expr *const *dims, int ndim);
/* Room for @count dims; never NULL. */
const struct ir_expr **op_dims(const struct infer *in, unsigned count);
const struct ir_expr *op_int(const struct infer *in, int64_t value);
/* Dims arithmetic; the results are simplified when the type is made. */
const struct ir_expr *dim_add(struct ir_context *context, const struct ir_expr *a,
                              const struct ir_expr *b);
const struct ir_expr *dim_sub(struct ir_context *context, const struct ir_expr *a,
                              const struct ir_expr *b);
const struct ir_expr *dim_mul(struct ir_context *context, const struct ir_expr *a,
                              const struct ir_expr *b);
const struct ir_expr *dim_ceildiv(struct ir_context *context, const struct ir_expr *a, int64_t b);
/* The bound itself where the analyser can tell, else a min or max. */
const struct ir_expr *dim_at_least(struct ir_context *context, const struct ir_expr *a,
                                   int64_t low);
const struct ir_expr *dim_at_most(struct ir_context *context, const struct ir_expr *a,
                                  const struct ir_expr *high);
const struct ir_expr *dim_product(struct ir_context *context, const struct ir_expr *const *dims,
                                  unsigned count);
/* "(2, n)" or "rank 3", for messages. */
const char *op_shape_text(const struct infer *in, const struct ir_type *type);
const char *op_dim_text(const struct infer *in, const struct ir_expr *dim);

/* Axis @axis of @ndim, negative ones from the end; false after a report. */
bool op_check_axis(const struct infer *in, int64_t axis, int ndim, unsigned *out_axis);
/* The same of the axis that attribute @name gives. */
bool op_check_axis_of(const struct infer *in, const char *name, int64_t axis, int ndim,
                      unsigned *out_axis);
/* axis_help.c: the axes that there are, and @meant in the place of @axis, if it is written there; -1: nobody knows */
void op_help_axis(const struct infer *in, struct diag_message *m, struct location place,
                  int64_t axis, int ndim, int meant);
/* R.nn.conv2d of tensors of rank 3 is R.nn.conv1d. */
void op_help_dimensions(const struct infer *in, struct diag_message *m, int rank);
/* The one axis of a permutation that was not named; -1: there are several. */
int op_axis_left(const bool *flags, int ndim);
/* The axis that entry @entry of a permutation has to be, as the others say; -1: they do not. */
int op_axis_of_entry(const struct infer *in, const struct ir_attr *axes, unsigned entry, int ndim);
/* A list of axes as flags, one for each of @ndim, each at most once; NULL after a report. */
const bool *op_check_axes(const struct infer *in, const struct ir_attr *axes, int ndim);
/* The same without reports, for types that were checked. */
unsigned op_axis(int64_t axis, unsigned ndim);

/* The dtype both are of, void if one is unknown; false after a report.  Operands @i and @j. */
bool op_check_same_dtype(const struct infer *in, unsigned i, unsigned j,
                         struct ir_dtype *inout_dtype);
bool op_check_domain(const struct infer *in, unsigned i, enum op_domain domain);
/*
 * The shape that @count types broadcast to.  @out_dims NULL when it is not known, @out_ndim maybe
 * IR_NDIM_UNKNOWN; false after a report.
 */
bool op_broadcast(const struct infer *in, const struct ir_type *const *types, unsigned count,
                  const struct ir_expr *const **out_dims, int *out_ndim);
/* Start, end and step of arange, with what is left out filled in; false if one cannot be seen. */
bool op_arange_bounds(struct ir_context *context, const struct ir_op *op,
                      const struct ir_expr *out_bounds[3]);
/* attribute dtype `dtype` or `out_dtype`, @otherwise if it is None */
struct ir_dtype op_attr_dtype(const struct ir_op *op, const char *name, struct ir_dtype otherwise);
/* None gives @otherwise. */
int64_t op_attr_int(const struct ir_op *op, const char *name, int64_t otherwise);
double op_attr_float(const struct ir_op *op, const char *name);
bool op_attr_is_none(const struct ir_op *op, const char *name);

/* Are all numbers of attribute @name at least so large?  False after a report. */
bool op_check_least(const struct infer *in, const char *name, int64_t least);
/* Has operand @i the rank and dims of @expected, as far as they are known?  @what says what that is. */
bool op_check_as(const struct infer *in, unsigned i, const struct ir_type *expected,
                 const char *what);
/* Is operand 1, of indices, no longer than operand 0 but along @axis?  False after a report. */
bool op_check_indices(const struct infer *in, unsigned axis);
/* Are the first @count dims of operands @i and @j, both known, the same?  False after a report. */
bool op_check_batch(const struct infer *in, unsigned i, unsigned j, unsigned count);
/* Has the list that attribute @name gives one of @count lengths (0 ends them)?  False after a report. */
bool op_check_length(const struct infer *in, const char *name, const unsigned *lengths,
                     unsigned count);

/* The letters of einsum's result: those behind the arrow, or those that stand once, in order. */
const char *op_einsum_result(struct ir_context *context, const char *subscripts);

/* Another name of operand 0, where an operator has nothing to do. */
struct ir_value *op_lower_to_operand(struct ir_module *module, struct diag *diag, struct ir_op *op);

/* One axis of strided_slice: the elements begin + i * stride for i from 0 to count - 1. */
struct slice {
    unsigned axis;
    const struct ir_expr *begin, *count;
    int64_t stride;
};
/* The slices of a strided_slice whose bounds can be seen; false if not, or after a report. */
bool op_slices(const struct infer *in, const struct ir_type *type, struct slice **out_slices,
               unsigned *out_count, bool *out_failed);
/* Begin of part @i of a split, @count on its own. */
struct split_part {
    const struct ir_expr *begin, *count;
};
/* NULL if the parts are not known; *out_count is 1 when the operand stays whole. */
struct split_part *op_split_parts(const struct infer *in, const struct ir_expr *extent,
                                  unsigned *out_count);

/* The rules of types and the lowerings that the rows name. */
#define OP(id, name, signature, traits, doc, ...) __VA_ARGS__
#define INFER(f)                                  ir_infer_fn infer_##f;
#define LOWER(f)                                  ir_lower_fn lower_##f;
#include "ops/ops.def"
