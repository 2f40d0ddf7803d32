/*
 * Types of graph values, interned in the context: equal types are the same pointer.
 *
 * Shapes inside types are simplified when the type is made (ir_simplify), so `n + n` and `n * 2` are
 * one type.  The lattice and the four levels of checking are Relax's (struct-info checks).
 */
#pragma once

#include "base/text.h"
#include "ir/dtype.h"
#include "ir/expr.h"

enum ir_type_kind {
    IR_TYPE_ANY,    /* R.Any, the top */
    IR_TYPE_PRIM,   /* T.int64: a scalar */
    IR_TYPE_SHAPE,  /* R.Shape([2, n]) or R.Shape(ndim=2) or R.Shape */
    IR_TYPE_TENSOR, /* R.Tensor((2, n), dtype="float32") down to R.Tensor */
    IR_TYPE_TUPLE,  /* R.Tuple(..); no fields is the type of no value */
    IR_TYPE_FUNC,   /* R.Callable(..) */
    IR_TYPE_PACKED, /* R.PackedFunc */
};

enum { IR_NDIM_UNKNOWN = -1 };

struct ir_value;

/*
 * Types are trees to those who walk them, though equal parts are one object: (t, t) of a (t, t) doubles
 * each time.  A value whose type exceeds a limit is refused where it is made, so that no walk over the
 * parts of a type is long, and no recursion deep.
 */
enum {
    IR_TYPE_PART_LIMIT =
        16384, /* fields of tuples, parameters and results of functions, all in all */
    IR_TYPE_DEPTH_LIMIT = 256,
    IR_RANK_LIMIT = 64,       /* dimensions of a tensor, a shape or a buffer */
    IR_DIM_SIZE_LIMIT = 1024, /* nodes of the expression of a dimension, */
    IR_DIM_DEPTH_LIMIT = 240, /* and its depth: what is printed can be read again */
};

enum ir_type_excess {
    IR_TYPE_FITS,
    IR_TYPE_TOO_MANY_PARTS,
    IR_TYPE_TOO_DEEP,
    /* Its own, or those of a part: */
    IR_TYPE_MANY_DIMS,
    IR_TYPE_LARGE_DIM,
};

struct ir_type {
    enum ir_type_kind kind;
    unsigned id;         /* unique in the context */
    uint32_t part_count; /* fields, parameters and results, shared ones each time; saturates */
    uint32_t leaf_count; /* of the tree of tuples, what is no tuple: 1 of a tensor; saturates */
    uint32_t depth;      /* 1 without fields; saturates */
    enum ir_type_excess excess;
    bool is_known;         /* dtypes and dimensions of all tensors in it, and no object */
    struct ir_dtype dtype; /* PRIM; TENSOR: void when unknown */
    /* SHAPE, TENSOR */
    int ndim;                          /* IR_NDIM_UNKNOWN if so */
    const struct ir_expr *const *dims; /* ndim int64 expressions; NULL: not known */
    const struct ir_value *shape_var;  /* TENSOR: R.Tensor(s, ..) with s a shape value, or NULL */
    const char *vdevice;               /* TENSOR: "llvm:0:global", atom, or NULL */
    /* TUPLE: fields; FUNC: parameters */
    unsigned field_count;
    const struct ir_type *const *fields;
    const uint32_t *leaf_offsets; /* TUPLE: leaves in front of each field; NULL: one in each */
    /* FUNC */
    bool is_opaque; /* parameters not known */
    bool is_pure;
    const struct ir_type *result;
    const char *derive; /* derive_func name, atom or NULL */
};

const struct ir_type *ir_type_any(struct ir_context *context);
const struct ir_type *ir_type_prim(struct ir_context *context, struct ir_dtype dtype);
const struct ir_type *ir_type_packed(struct ir_context *context);
/* @dims NULL: not known; then @ndim may be IR_NDIM_UNKNOWN. */
const struct ir_type *ir_type_shape(struct ir_context *context, const struct ir_expr *const *dims,
                                    int ndim);
const struct ir_type *ir_type_tensor(struct ir_context *context, struct ir_dtype dtype,
                                     const struct ir_expr *const *dims, int ndim);
/* Any part may be missing; @vdevice and @shape_var too. */
const struct ir_type *ir_type_tensor_full(struct ir_context *context, struct ir_dtype dtype,
                                          const struct ir_expr *const *dims, int ndim,
                                          const struct ir_value *shape_var, const char *vdevice);
const struct ir_type *ir_type_tuple(struct ir_context *context, const struct ir_type *const *fields,
                                    unsigned count);
const struct ir_type *ir_type_func(struct ir_context *context, const struct ir_type *const *params,
                                   unsigned count, const struct ir_type *result, bool is_pure);
const struct ir_type *ir_type_func_opaque(struct ir_context *context, const struct ir_type *result,
                                          bool is_pure, const char *derive);

bool ir_type_is_void(const struct ir_type *type); /* the empty tuple */
bool ir_type_is_tensor(const struct ir_type *type);
/* Bytes of a tensor of @type, as an expression of its symbols; NULL if shape or dtype is not known. */
const struct ir_expr *ir_type_bytes(struct ir_context *context, const struct ir_type *type);

/* Relax's four levels, worst first; see reference: base is what is wanted, derived what is given. */
enum ir_check {
    IR_CHECK_FAIL_KIND,  /* L0: provably not of the type */
    IR_CHECK_FAIL_KNOWN, /* L1: not known statically: needs match_cast */
    IR_CHECK_FAIL_VALUE, /* L2: only a value (dimension) is not proved: checked at run time */
    IR_CHECK_PASS,
};
enum ir_check ir_type_check(struct ir_context *context, const struct ir_type *base,
                            const struct ir_type *derived);

/* The least type that both are of. */
const struct ir_type *ir_type_join(struct ir_context *context, const struct ir_type *a,
                                   const struct ir_type *b);

/* Substitutes symbols; dims that use a variable not in @bindings are kept. */
const struct ir_type *ir_type_substitute(struct ir_context *context, const struct ir_type *type,
                                         const struct ir_bindings *bindings);

/*
 * @type without the symbols for which @is_defined is false: tensors and shapes that use one keep
 * only their rank, and so do those that name their shape by a value (shape_var).
 */
typedef bool ir_var_test_fn(void *state, const struct ir_var *var);
const struct ir_type *ir_type_erase(struct ir_context *context, const struct ir_type *type,
                                    ir_var_test_fn *is_defined, void *state);

/*
 * Binds the bare symbols of @param by matching against @arg (both of one kind), adding to
 * @bindings; compound dims bind nothing.  Types that do not match bind nothing.
 */
void ir_type_match(struct ir_context *context, const struct ir_type *param,
                   const struct ir_type *arg, struct ir_bindings *bindings);

/* Result type of calling @callee (FUNC) with arguments of these types: symbols bound, rest erased. */
const struct ir_type *ir_type_call_result(struct ir_context *context, const struct ir_type *callee,
                                          const struct ir_type *const *args, unsigned count);

/* Calls @visit on each expression in @type until it returns false. */
bool ir_type_walk_exprs(const struct ir_type *type, ir_expr_visit_fn *visit, void *state);
/* Is a symbol of that name in a dimension of @type? */
bool ir_type_has_symbol(const struct ir_type *type, const char *name);

/* As TVMScript: R.Tensor((2, n), dtype="float32"). */
void ir_type_print(const struct ir_type *type, struct text *out);
/* The same for messages, in the arena of @context; what is very long is cut. */
const char *ir_type_text(struct ir_context *context, const struct ir_type *type);
