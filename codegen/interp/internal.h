/*
 * What the files of the interpreter share.
 *
 * Values are immutable once they are made.  Small things live in the arena of the run, elements in
 * the frame.  Functions return false after the error is set in the frame or reported.
 */
#pragma once

#include "base/array.h"
#include "base/diag.h"
#include "base/map.h"
#include "codegen/interp/interp.h"
#include "ir/module.h"
#include "ops/domain.h"
#include "ops/ids.h"
#include "runtime/frame.h"
#include "runtime/tensor.h"

/* --- scalars --- */

/*
 * One number.  Integers and bools are in `integer`, sign- or zero-extended (uint64 keeps its bits);
 * floats in `real`, which holds a value that their dtype has.
 */
struct interp_scalar {
    struct ir_dtype dtype;
    union {
        int64_t integer;
        double real;
        const char *string; /* of an argument of a call; the dtype is a handle then */
    };
};

/* @value as a value of @dtype: wrapped, or rounded. */
int64_t interp_wrap(struct ir_dtype dtype, int64_t value);
double interp_round(struct ir_dtype dtype, double value);
struct interp_scalar interp_cast(struct interp_scalar a, struct ir_dtype dtype);
/* A binary kind but `and`, `or`; both operands of one dtype.  False: not defined for it. */
bool interp_binary(enum ir_expr_kind kind, struct interp_scalar a, struct interp_scalar b,
                   struct interp_scalar *out);
int64_t interp_shift(struct ir_dtype dtype, bool is_left, int64_t value, int64_t count);
/* Integers: a product that wraps; of a negative exponent, 1 / interp_power(base, -exponent). */
int64_t interp_power(struct ir_dtype dtype, int64_t base, int64_t exponent);
struct interp_scalar interp_load_element(struct ir_dtype dtype, const void *data, int64_t index);
void interp_store_element(struct interp_scalar value, void *data, int64_t index);

/* T.<name>(args) on evaluated arguments; false if there is no such function of these dtypes. */
bool interp_intrinsic(const char *name, struct ir_dtype result, const struct interp_scalar *args,
                      unsigned count, struct interp_scalar *out);

/* --- values --- */

enum interp_kind {
    INTERP_NULL, /* R.null_value() */
    INTERP_TENSOR,
    INTERP_STORAGE, /* a piece of it: the tensor of its bytes */
    INTERP_TUPLE,
    INTERP_SHAPE,
    INTERP_SCALAR,
    INTERP_STRING,
    INTERP_DTYPE,
    INTERP_FUNCTION,
};

struct interp_call;
struct interp_storage;

struct interp_value {
    enum interp_kind kind;
    struct ir_dtype dtype;          /* DTYPE */
    unsigned count;                 /* of TUPLE and SHAPE */
    struct inlay_tensor *tensor;    /* compact; its dtype is laid out as struct ir_dtype */
    struct interp_storage *storage; /* of TENSOR and STORAGE; NULL: it was there before the run */
    bool is_part;                   /* a TENSOR in a piece of storage */
    const struct interp_value *const *items;
    const int64_t *dims;
    struct interp_scalar scalar;
    const char *string;
    /* FUNCTION: of the module or nested (in the call that made it), a kernel, or a symbol */
    struct ir_global *global;
    struct ir_function *function;
    struct interp_call *outer;
    const char *symbol;
    const struct interp_value *bound; /* tuple of make_closure, or NULL */
};

/* The state of a run. */
struct interp {
    struct diag *diag;
    struct ir_module *module;
    struct ir_context *context;
    struct inlay_frame *frame;
    struct arena arena;
    uint64_t steps_left;                     /* statements and calls until the run is given up */
    struct location loc;                     /* of what is being run */
    array(struct interp_storage *) storages; /* alive, in the order of their making */
    bool keeps_all;                          /* a function was made of values: they must stay */
    array(struct interp_call *) calls;       /* all that there were */
};

/* One call of a graph function: its names. */
struct interp_call {
    struct interp *run;
    struct ir_function *function;
    struct interp_call *outer;            /* of a nested function */
    struct map values;                    /* struct ir_value -> struct interp_value */
    struct map symbols;                   /* struct ir_var -> int64_t in the arena */
    struct ir_function *next;             /* it has left: this is to be called in its place, */
    const struct interp_value *next_args; /* with this tuple */
};

/* Fails with the line of run->loc; always false. */
#define interp_fail(run, kind, ...) \
    interp_failed(inlay_fail((run)->frame, kind, location_line((run)->loc), __VA_ARGS__))
static inline bool interp_failed(int32_t status)
{
    (void)status;
    return false;
}

/* Reports that the interpreter has no meaning for what is described; always false. */
bool interp_unsupported(struct interp *run, struct location loc, const char *format, ...)
    PRINTF(3, 4);

struct interp_value *interp_value_new(struct interp *run, enum interp_kind kind);
/* A fresh tensor of zeros; NULL after the error is set. */
struct interp_value *interp_tensor_new(struct interp *run, struct ir_dtype dtype,
                                       const int64_t *shape, unsigned ndim);
/* The same, whose storage is taken when somebody looks at it. */
struct interp_value *interp_tensor_later(struct interp *run, struct ir_dtype dtype,
                                         const int64_t *shape, unsigned ndim);
struct interp_value *interp_tensor_copy(struct interp *run, const struct inlay_tensor *tensor);
/* The bytes of @whole from byte @offset on as another tensor. */
struct interp_value *interp_tensor_view(struct interp *run, const struct interp_value *whole,
                                        int64_t offset, struct ir_dtype dtype, const int64_t *shape,
                                        unsigned ndim);
struct interp_value *interp_scalar_value(struct interp *run, struct interp_scalar scalar);
struct interp_value *interp_int_value(struct interp *run, struct ir_dtype dtype, int64_t integer);
struct interp_value *interp_shape_value(struct interp *run, const int64_t *dims, unsigned count);
struct interp_value *interp_tuple_value(struct interp *run, const struct interp_value *const *items,
                                        unsigned count);
struct ir_dtype interp_tensor_dtype(const struct inlay_tensor *tensor);
struct inlay_dtype interp_dtype(struct ir_dtype dtype);
/* The elements, after the byte offset. */
void *interp_data(const struct inlay_tensor *tensor);
/* The ABI has no const: for memory that nobody writes. */
void *interp_unconst(const void *memory);

/* Conversion from and to the values of the ABI; a tuple has no form there.  NULL after the error is
 * set.  @is_copied: elements are copied. */
const struct interp_value *interp_import(struct interp *run, const struct inlay_value *value,
                                         bool is_copied);
bool interp_export(struct interp *run, const struct interp_value *value, struct inlay_value *out);

/* --- expr.c: scalar expressions --- */
struct interp_kernel;

/* Where an expression gets its variables from: of a graph function or of a kernel. */
struct interp_env {
    struct interp *run;
    const struct interp_call *call; /* symbols are looked up here, or */
    struct interp_kernel *kernel;   /* variables and buffers here */
    unsigned lane;                  /* of vector expressions: the one that is evaluated */
    bool is_checked;                /* integer overflow is an error: dims */
};
bool interp_eval(const struct interp_env *env, const struct ir_expr *e, struct interp_scalar *out);
/* An integer expression. */
bool interp_eval_integer(const struct interp_env *env, const struct ir_expr *e, int64_t *out);

/* Answered by kernel.c: the slot of a variable (NULL: none), the element that a load reads. */
struct interp_scalar *interp_kernel_var(const struct interp_kernel *kernel,
                                        const struct ir_var *var);
struct interp_scalar *interp_kernel_bind(struct interp_kernel *kernel, const struct ir_var *var);
bool interp_kernel_load(const struct interp_env *env, const struct ir_expr *load,
                        struct interp_scalar *out);

/* --- shape.c: dims and types --- */
/* An integer expression of the graph level: overflow is an error. */
bool interp_dim(struct interp_call *call, const struct ir_expr *e, int64_t *out);
/* The dims of a shape or tensor type, checked not to be negative; room is made in the arena. */
bool interp_dims(struct interp_call *call, const struct ir_expr *const *dims, int ndim,
                 const int64_t **out_dims);
bool interp_symbol(const struct interp_call *call, const struct ir_var *var, int64_t *out);
void interp_symbol_set(struct interp_call *call, const struct ir_var *var, int64_t value);
/* A scalar of the graph level: any expression without loads. */
bool interp_prim(struct interp_call *call, const struct ir_expr *e, struct interp_scalar *out);

/*
 * Checks @value against @type, binding the symbols that have no value yet; @name is what messages
 * call it.  False after the error (of @kind) is set.
 */
bool interp_match(struct interp_call *call, const struct ir_type *type,
                  const struct interp_value *value, int32_t kind, const char *name);
/* Only the binding: the bare symbols of @type get their values where @value has any. */
void interp_bind_symbols(struct interp_call *call, const struct ir_type *type,
                         const struct interp_value *value);

/* --- interp.c --- */
struct inlay_expected;
/* @type as the checks of the runtime know it: kind, dtype, rank, literal dims. */
struct inlay_expected interp_expected(struct interp *run, const struct ir_type *type,
                                      const char *name);

/* --- kernel.c --- */
/*
 * Runs @func on buffers and scalars, one argument a parameter; buffers that it writes are changed.
 * @out_result (may be NULL): what a value-returning kernel returns.
 */
bool interp_kernel(struct interp *run, const struct tir_func *func,
                   const struct interp_value *const *args, unsigned count,
                   struct interp_scalar *out_result);

/* --- graph.c --- */
bool interp_call_function(struct interp *run, struct ir_function *function,
                          struct interp_call *outer, const struct interp_value *const *args,
                          unsigned count, const struct interp_value **out);

void interp_finish_calls(struct interp *run);

/* --- ops: the library --- */
/* One op being evaluated: its operands, and access to its attributes. */
struct interp_op {
    struct interp *run;
    struct interp_call *call;
    const struct ir_op *op;
    const struct interp_value **operands;
    unsigned count;
};

/* NULL after the error is set or reported. */
typedef const struct interp_value *interp_op_fn(struct interp_op *o);

/* The meaning of the library operator of @op, or NULL if it has none here. */
interp_op_fn *interp_find_op(const struct ir_op *op);

/* Is an operator with this domain defined for @dtype?  Reports if not. */
bool interp_check_domain(const struct interp_op *o, enum op_domain domain, struct ir_dtype dtype);

/* Do operands whose types were open fit each other?  The error is set if not. */
bool interp_check_fits(const struct interp_op *o);

/* Operand @i, checked to be a tensor (true of verified modules); NULL if it was left out. */
const struct inlay_tensor *interp_operand(const struct interp_op *o, unsigned i);
/* The same as a value: the tensor and its storage. */
const struct interp_value *interp_operand_value(const struct interp_op *o, unsigned i);
/* An integer or real operand; @otherwise if it was left out. */
int64_t interp_operand_int(const struct interp_op *o, unsigned i, int64_t otherwise);
struct interp_scalar interp_operand_scalar(const struct interp_op *o, unsigned i);
bool interp_attr_is_none(const struct interp_op *o, const char *name);
int64_t interp_attr_int(const struct interp_op *o, const char *name, int64_t otherwise);
double interp_attr_float(const struct interp_op *o, const char *name);
bool interp_attr_bool(const struct interp_op *o, const char *name);
struct ir_dtype interp_attr_dtype(const struct interp_op *o, const char *name,
                                  struct ir_dtype otherwise);
/* The integers of a list attribute; NULL and count 0 for None. */
const int64_t *interp_attr_ints(const struct interp_op *o, const char *name, unsigned *out_count);

/* A walk over all indices of a shape in row-major order:
 *     struct interp_index i; for (interp_index_begin(&i, ..); !i.is_done; interp_index_next(&i)) */
enum { INTERP_RANK = 64 };
struct interp_index {
    const int64_t *shape;
    unsigned ndim;
    int64_t at[INTERP_RANK];
    int64_t position; /* counts up from 0 */
    bool is_done;
};
void interp_index_begin(struct interp_index *index, const int64_t *shape, unsigned ndim);
void interp_index_next(struct interp_index *index);
/* Row-major position of @at in @shape. */
int64_t interp_offset(const int64_t *shape, unsigned ndim, const int64_t *at);
unsigned interp_axis(int64_t axis, unsigned ndim);
/*
 * Broadcasts the shape @b into @shape (of *ndim dims, INTERP_RANK long), which becomes the result;
 * false after the error is set.
 */
bool interp_broadcast(struct interp *run, int64_t *shape, unsigned *ndim, const int64_t *b,
                      unsigned b_ndim);
/* Position in a tensor of @shape of the element that is broadcast to index @at of rank @at_ndim. */
int64_t interp_broadcast_offset(const int64_t *shape, unsigned ndim, const int64_t *at,
                                unsigned at_ndim);
/* Copies one element between buffers of one dtype. */
void interp_copy_element(void *to, int64_t to_index, const void *from, int64_t from_index,
                         unsigned bytes);
/* float32 for the 16-bit floats, else @dtype. */
struct ir_dtype interp_compute_dtype(struct ir_dtype dtype);

#define OP(id, name, signature, traits, doc, ...) __VA_ARGS__
#define INTERP(f)                                 interp_op_fn interp_op_##f;
#include "ops/ops.def"
