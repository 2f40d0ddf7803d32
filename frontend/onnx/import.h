/*
 * What the files of the importer share: its state, the values of the graph, one node on its way to Relax.
 *
 * Convention: what returns NULL or false has reported why, at the line of the node in the listing (listing.c).
 * Makers of values accept NULL operands and give NULL, so that only the end of a chain need be looked at.
 */
#pragma once

#include "base/array.h"
#include "frontend/frontend.h"
#include "frontend/onnx/onnx.pb-c.h"
#include "ir/arith.h"
#include "ir/edit/make.h"
#include "ops/ids.h"

enum {
    ONNX_OPSET_FIRST = 6,
    ONNX_OPSET_LAST = 28,
    ONNX_ELEMENT_LIMIT = 4096,   /* that are followed one by one */
    ONNX_UNROLL_LIMIT = 1 << 16, /* nodes that loops are unrolled to */
    ONNX_LOOP_LIMIT = 1 << 18,   /* nodes that loops come to, with what is made in vain */
};

/*
 * A tensor of the model.  Integers and bools with few elements are followed as expressions of the symbols, so
 * that arithmetic on shapes leaves none of itself; `tensor` is made of them where a node reads it as data.
 * Floats are followed where they are numbers.
 */
struct onnx_value {
    const char *name;        /* as in the model */
    struct ir_value *tensor; /* or NULL: not made yet */
    struct ir_dtype dtype;
    const struct ir_expr *const *elements; /* row-major; or NULL: not known */
    unsigned rank;                         /* of the elements */
    const int64_t *dims;
    size_t count;
    struct onnx_value *const *items; /* of a sequence */
    size_t item_count;
    bool is_sequence;
    bool is_absent;                   /* an optional value that is not there */
    const struct onnx_scaled *scaled; /* that it is integers times a scale, see scaled.h; or NULL */
    int32_t stored; /* its data type in the model where Relax has none, see storage.h; 0: it has */
};

/* Names of one graph; those of the graphs around it are seen too, but not by functions. */
struct onnx_scope {
    struct onnx_scope *outer;
    struct map values; /* atom -> struct onnx_value */
    struct map later;  /* atom -> Onnx__Node that has it as output */
};

/* Which branch of an If is taken to be the one, as both together have no rank; a run checks it. */
struct onnx_choice {
    const Onnx__Node *node;
    bool is_then, is_second;
};

/* A symbol for a dim that inputs name. */
struct onnx_size {
    const struct ir_var *var;
    const struct ir_expr *is; /* what it was learned to be, of symbols that have none; or NULL */
    bool is_input;            /* an input has it as a dim */
};

struct onnx_import {
    struct ir_context *context;
    struct ir_module *module;
    struct diag *diag;
    struct arena *arena; /* goes when all is imported */
    const struct frontend_model *file;
    const Onnx__Model *model;
    struct ir_builder b;
    struct ir_function *function;
    struct ir_region *region;
    struct onnx_scope *scope;
    const struct source *listing;
    struct map lines;       /* message -> its line, from 1 */
    struct map names;       /* atom of a name in the module -> something: it is taken */
    struct map name_counts; /* atom of a name -> how often it got a number behind it */
    struct map sizes;       /* atom of a dim_param -> struct onnx_size */
    array(struct onnx_size *) size_list;
    struct map notes;   /* atom of a value's name -> Onnx__ValueInfo that the exporter left */
    struct map data;    /* Onnx__Tensor -> struct ir_data that was made of it */
    struct map choices; /* Onnx__Node, an If -> struct onnx_choice */
    const Onnx__Node
        *open;          /* the first If of which there is none and the branches differ in rank */
    bool has_learned;   /* something about sizes: the graph is to be read again */
    struct map kernels; /* atom of a kernel's text -> struct ir_global */
    struct map imports; /* atom of a domain -> OperatorSetId */
    struct map missing; /* atom of an operator -> struct onnx_missing */
    struct onnx_undo *undo; /* what branches found out of values outside of them */
    unsigned branch_depth;
    struct map
        *inner_symbols;    /* those made within the turn of a loop; NULL: there is no loop around */
    unsigned call_depth;   /* of model-local functions */
    unsigned random_count; /* nodes that draw random numbers */
    size_t node_count;     /* that were converted, those of unrolled loops each time */
};

struct onnx_row;

/* One node while it is converted. */
struct onnx_node {
    struct onnx_import *m;
    const Onnx__Node *proto;
    const struct onnx_row *row;              /* NULL: a function of the model is called */
    const char *name;                        /* of the operator */
    int64_t opset;                           /* of its domain */
    const Onnx__Attribute *const *arguments; /* of the function around it, ended by NULL; or NULL */
    unsigned input_count, output_count;
    struct onnx_value **inputs; /* NULL: left out */
    struct onnx_value *outputs; /* to be filled in */
};

typedef bool onnx_convert_fn(struct onnx_node *n);

/* A row of operators.def. */
struct onnx_row {
    const char *domain, *name; /* domain "": ai.onnx */
    int64_t since, until;      /* opsets; until 0: no end */
    onnx_convert_fn *convert;
    unsigned op; /* enum op_id, for converters of many operators */
    const char *note;
};
extern const struct onnx_row onnx_rows[];
extern const size_t onnx_row_count;

/* ---- graph.c ---- */
bool onnx_import_graph(struct onnx_import *m, const Onnx__Graph *graph,
                       const Onnx__Attribute *const *arguments);
bool onnx_import_initializers(struct onnx_import *m, const Onnx__Graph *graph);
bool onnx_import_nodes(struct onnx_import *m, Onnx__Node *const *nodes, size_t count,
                       const Onnx__Attribute *const *arguments);
struct onnx_value *onnx_find(struct onnx_import *m, const char *name);
struct onnx_value *onnx_define(struct onnx_import *m, const char *name);
/* A name for the text that nothing of the module has: @name with what is no letter made `_`. */
const char *onnx_name(struct onnx_import *m, const char *name);
/* What @info says of a tensor, be it an optional one; NULL: it is none. */
const Onnx__TensorType *onnx_tensor_type(const Onnx__ValueInfo *info);
/* The type of a graph's input or output; NULL after a report.  @is_open: dims without a name stay unknown. */
const struct ir_type *onnx_type(struct onnx_import *m, const Onnx__ValueInfo *info, bool is_open);
void onnx_open_block(struct onnx_import *m, bool is_dataflow);
bool onnx_push(struct onnx_import *m, struct onnx_scope *scope, struct onnx_scope *outer);
void onnx_pop(struct onnx_import *m, struct onnx_scope *scope);

/* ---- sizes.c ---- */
/* The symbol of the dim @key, called @name where it is new. */
struct onnx_size *onnx_named_size(struct onnx_import *m, const char *key, const char *name);
/* The size that the model calls @name; a new symbol if it has none. */
const struct ir_expr *onnx_symbol(struct onnx_import *m, const char *name);
/* `past + 1` of sizes that are known; or NULL. */
const struct ir_expr *onnx_parse_size(struct onnx_import *m, const char *text);
/* Each run must have @a equal to @b: is that known from now on? */
bool onnx_learn(struct onnx_import *m, const struct ir_expr *a, const struct ir_expr *b);
struct ir_value *onnx_with_dims(struct onnx_import *m, struct ir_value *value,
                                const struct ir_expr *const *dims);
/* NumPy's rule for one dim; one that may be 1 is the other's where it is not.  @a, @hint: may be NULL. */
const struct ir_expr *onnx_common_dim(struct onnx_import *m, const struct ir_expr *a,
                                      const struct ir_expr *b, const struct ir_expr *hint);
/* Makes @items, which broadcast but for their last @inner axes, fit as far as types tell. */
bool onnx_fit(struct onnx_node *n, struct ir_value **items, unsigned count, int inner);
/* The same of the operands of a product of matrices. */
bool onnx_fit_product(struct onnx_node *n, struct ir_value **a, struct ir_value **b);

/* ---- listing.c ---- */
const struct source *onnx_listing(struct onnx_import *m);
struct location onnx_line(const struct onnx_import *m, const void *message);

/* ---- tensor.c ---- */
bool onnx_dtype(int32_t type, struct ir_dtype *out);
unsigned onnx_narrow_bits(int32_t type); /* 0: it is no integer of less than a byte */
struct ir_value *onnx_tensor(struct onnx_import *m, const Onnx__Tensor *tensor);
struct ir_value *onnx_sparse_tensor(struct onnx_import *m, const Onnx__SparseTensor *sparse);
struct ir_value *onnx_constant(struct onnx_import *m, struct ir_dtype dtype, const int64_t *dims,
                               unsigned rank, const void *data);
/* Its constant if @value is one, or NULL. */
const struct ir_constant *onnx_constant_of(const struct ir_value *value);
/* Element @i of a constant of any dtype that is computed with. */
double onnx_constant_real(const struct ir_constant *constant, size_t i);
int64_t onnx_constant_int(const struct ir_constant *constant, size_t i);

/* ---- value.c ---- */
/* To be called before @value is changed: what is found out within a branch of If holds only there. */
void onnx_value_touch(struct onnx_import *m, struct onnx_value *value);
/* Takes back all that was touched since @mark was m->undo. */
void onnx_value_restore(struct onnx_import *m, struct onnx_undo *mark);

/* The tensor of @value, made now if it was not yet. */
struct ir_value *onnx_value_tensor(struct onnx_import *m, struct onnx_value *value);
/* Are its elements known?  Looks into small constants. */
bool onnx_value_is_known(struct onnx_import *m, struct onnx_value *value);
void onnx_value_set_elements(struct onnx_import *m, struct onnx_value *value, struct ir_dtype dtype,
                             unsigned rank, const int64_t *dims,
                             const struct ir_expr *const *elements, size_t count);

/* ---- node.c: what converters ask of their node ---- */
const struct onnx_row *onnx_find_row(const char *domain, const char *name, int64_t opset);
bool onnx_node_convert(struct onnx_import *m, const Onnx__Node *proto,
                       const Onnx__Attribute *const *arguments);
struct diag_message *onnx_refuse(struct onnx_node *n, const char *format, ...) PRINTF(2, 3);
const char *onnx_node_name(const Onnx__Node *proto);
const Onnx__Attribute *onnx_attribute(const struct onnx_node *n, const char *name);
int64_t onnx_int(const struct onnx_node *n, const char *name, int64_t missing);
double onnx_float(const struct onnx_node *n, const char *name, double missing);
const char *onnx_string(const struct onnx_node *n, const char *name, const char *missing);
/* NULL: the attribute is missing. */
const int64_t *onnx_ints(const struct onnx_node *n, const char *name, size_t *out_count);
bool onnx_has(const struct onnx_node *n, unsigned input);
bool onnx_wants(const struct onnx_node *n, unsigned output);
/* The input as a tensor of known rank and dtype; NULL after a report. */
struct ir_value *onnx_in(struct onnx_node *n, unsigned input);
/* @tensor with dims, where it has a known rank alone: those of @known, symbols where that or its entry is NULL. */
struct ir_value *onnx_measured(struct onnx_import *m, struct ir_value *tensor,
                               const struct ir_expr *const *known);
/* The @count elements of a vector as symbols that are read when it runs; false after a report. */
bool onnx_read_sizes(struct onnx_import *m, struct ir_value *tensor, unsigned count,
                     const struct ir_expr **out);
/* The elements of an input as int64 expressions: known, or read when it runs; NULL after a report. */
const struct ir_expr *const *onnx_in_ints(struct onnx_node *n, unsigned input, size_t *out_count);
/* ... that must be numbers. */
const int64_t *onnx_in_numbers(struct onnx_node *n, unsigned input, size_t *out_count);
bool onnx_in_number(struct onnx_node *n, unsigned input, double *out); /* one, of any dtype */
bool onnx_out(struct onnx_node *n, unsigned output, struct ir_value *tensor);
/* An axis counted from the front; false after a report. */
bool onnx_axis(struct onnx_node *n, int64_t axis, int rank, int64_t *out);

/* ---- make.c: operands of Relax ---- */
const struct ir_expr *onnx_expr(struct onnx_import *m, int64_t value);
const struct ir_expr *onnx_op(struct onnx_import *m, enum ir_expr_kind kind,
                              const struct ir_expr *a, const struct ir_expr *b);
#define onnx_dims(value) ((value)->type->dims)
#define onnx_rank(value) ((value)->type->ndim)
struct ir_value *onnx_scalar(struct onnx_import *m, struct ir_dtype dtype, double value);
struct ir_value *onnx_cast(struct onnx_import *m, struct ir_value *value, struct ir_dtype dtype);
struct ir_value *onnx_reshape(struct onnx_import *m, struct ir_value *value,
                              const struct ir_expr *const *dims, unsigned count);
/* The one element of @value as a scalar; a number stays one. */
struct ir_value *onnx_only(struct onnx_import *m, struct ir_value *value);
struct ir_value *onnx_broadcast(struct onnx_import *m, struct ir_value *value,
                                const struct ir_expr *const *dims, unsigned count);
struct ir_value *onnx_permute(struct onnx_import *m, struct ir_value *value, const int64_t *axes,
                              unsigned count);
struct ir_value *onnx_expand_dims(struct onnx_import *m, struct ir_value *value,
                                  const int64_t *axes, unsigned count);
struct ir_value *onnx_reduce(struct onnx_import *m, unsigned op, struct ir_value *value,
                             const int64_t *axes, unsigned count, bool keeps);
struct ir_value *onnx_concat(struct onnx_import *m, struct ir_value *const *items, unsigned count,
                             int64_t axis);
/* x[begin:end:step] along one axis. */
struct ir_value *onnx_slice(struct onnx_import *m, struct ir_value *value, int64_t axis,
                            const struct ir_expr *begin, const struct ir_expr *end, int64_t step);
const struct ir_attr *onnx_attr_ints(struct onnx_import *m, const int64_t *values, size_t count);
#define onnx_attr_int(m, value)    ir_attr_int((m)->context, (value))
#define onnx_attr_string(m, value) ir_attr_string((m)->context, (value))
/* A vector (count dims of 1 but for @axis) that broadcasts along @axis of @rank. */
struct ir_value *onnx_along(struct onnx_import *m, struct ir_value *vector, int64_t axis, int rank);

/* ---- op_control.c ---- */
/* The function of the model that @node calls, or NULL. */
const Onnx__Function *onnx_function(const struct onnx_import *m, const Onnx__Node *node);
bool onnx_call(struct onnx_node *n, const Onnx__Function *function);
extern const struct onnx_value onnx_absent; /* what a call leaves out */
/*
 * The nodes of @graph here, in a scope of its own: its inputs are @inputs, its outputs go to @out, which has room for
 * them.
 */
bool onnx_run_graph(struct onnx_node *n, const Onnx__Graph *graph, struct onnx_value *const *inputs,
                    size_t input_count, struct onnx_value **out);

/* ---- op_linear.c ---- */
/* The convolution of @n with these operands; NULL after a report. */
struct ir_value *onnx_conv_of(struct onnx_node *n, struct ir_value *x, struct ir_value *w);

/* ---- op_random.c ---- */
/* Dropout of training: outputs 0 and 1 of @n; false after a report. */
bool onnx_random_dropout(struct onnx_node *n, struct ir_value *x, double ratio);

/* ---- op_resize_open.c ---- */
/* The result of the Resize @n of @x, of which extents are not known. */
bool onnx_resize_open(struct onnx_node *n, struct ir_value *x);

/* ---- op_math.c ---- */
/* Is @e, an element that is followed, a number? */
bool onnx_is_number(const struct ir_expr *e, double *out);

/* ---- op_move.c ---- */
/* @items, of known shapes, one behind the other; all have the extents of the first one, but along @axis. */
struct ir_value *onnx_join(struct onnx_node *n, struct ir_value **items, unsigned count,
                           int64_t axis);
/* Indices below 0 count from the end of @extent; @value: the same, where it is followed. */
struct ir_value *onnx_wrap_indices(struct onnx_node *n, struct onnx_value *value,
                                   struct ir_value *indices, const struct ir_expr *extent);

/* ---- kernel.c ---- */
/*
 * call_tir of a kernel that is written in TVMScript: `def kernel(..)` with @T.prim_func around @format's text,
 * which names the arguments a0, a1, .. and the results r0, r1, ..; their types are those of the call.
 */
struct ir_value *onnx_kernel(struct onnx_import *m, const char *name,
                             struct ir_value *const *arguments, unsigned argument_count,
                             const struct ir_type *const *results, unsigned result_count,
                             const char *body);
