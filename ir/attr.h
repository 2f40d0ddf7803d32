/* Attribute values: of ops, functions, blocks, loops and modules.  Immutable, in an arena. */
#pragma once

#include "ir/dtype.h"
#include "ir/expr.h"

struct ir_type;
struct ir_global;
struct ir_constant;
struct ir_function;

enum ir_attr_kind {
    IR_ATTR_NONE, /* Python's None */
    IR_ATTR_BOOL,
    IR_ATTR_INT,
    IR_ATTR_FLOAT,
    IR_ATTR_STRING,
    IR_ATTR_DTYPE,
    IR_ATTR_LIST,     /* items; also for tuples */
    IR_ATTR_DICT,     /* keys and items, in the order of the text */
    IR_ATTR_EXPR,     /* T.int64(1), T.float32(..), symbols */
    IR_ATTR_TYPE,     /* R.Tensor(..) where a type is an argument */
    IR_ATTR_GLOBAL,   /* callee */
    IR_ATTR_CONSTANT, /* tensor data */
    IR_ATTR_FUNCTION, /* nested function of a `function` op */
    IR_ATTR_LAMBDA,   /* T.index_map(lambda i, j: (..)): params and items */
    IR_ATTR_CALL, /* any other call kept for printing: name, items, keys (NULL for positional) */
};

struct ir_attr {
    enum ir_attr_kind kind;
    union {
        bool boolean;
        int64_t integer;
        double real;
        const char *string; /* atom */
        struct ir_dtype dtype;
        const struct ir_expr *expr;
        const struct ir_type *type;
        struct ir_global *global;
        const struct ir_constant *constant;
        struct ir_function *function;
    };
    /* of LIST, DICT, LAMBDA, CALL */
    unsigned count;
    const struct ir_attr *const *items;
    const char *const *keys; /* atoms */
    const char *name;        /* of CALL: "R.device", atom */
    unsigned param_count;    /* of LAMBDA */
    const struct ir_var *const *params;
};

const struct ir_attr *ir_attr_none(struct ir_context *context);
const struct ir_attr *ir_attr_bool(struct ir_context *context, bool value);
const struct ir_attr *ir_attr_int(struct ir_context *context, int64_t value);
const struct ir_attr *ir_attr_float(struct ir_context *context, double value);
const struct ir_attr *ir_attr_string(struct ir_context *context, const char *value);
const struct ir_attr *ir_attr_dtype(struct ir_context *context, struct ir_dtype dtype);
const struct ir_attr *ir_attr_expr(struct ir_context *context, const struct ir_expr *expr);
const struct ir_attr *ir_attr_type(struct ir_context *context, const struct ir_type *type);
const struct ir_attr *ir_attr_global(struct ir_context *context, struct ir_global *global);
const struct ir_attr *ir_attr_constant(struct ir_context *context,
                                       const struct ir_constant *constant);
const struct ir_attr *ir_attr_function(struct ir_context *context, struct ir_function *function);
const struct ir_attr *ir_attr_list(struct ir_context *context, const struct ir_attr *const *items,
                                   unsigned count);
const struct ir_attr *ir_attr_ints(struct ir_context *context, const int64_t *values,
                                   unsigned count);
const struct ir_attr *ir_attr_dict(struct ir_context *context, const char *const *keys,
                                   const struct ir_attr *const *items, unsigned count);
const struct ir_attr *ir_attr_lambda(struct ir_context *context, const struct ir_var *const *params,
                                     unsigned param_count, const struct ir_attr *const *items,
                                     unsigned count);
/* @keys: NULL where an item is positional. */
const struct ir_attr *ir_attr_call(struct ir_context *context, const char *name,
                                   const char *const *keys, const struct ir_attr *const *items,
                                   unsigned count);
/* NULL if @dict, which may be NULL, has no @key. */
const struct ir_attr *ir_attr_dict_get(const struct ir_attr *dict, const char *key);
/* @dict (NULL: empty) with @key set to @value. */
const struct ir_attr *ir_attr_dict_with(struct ir_context *context, const struct ir_attr *dict,
                                        const char *key, const struct ir_attr *value);
bool ir_attr_equal(const struct ir_attr *a, const struct ir_attr *b);
uint64_t ir_attr_hash(const struct ir_attr *a);
