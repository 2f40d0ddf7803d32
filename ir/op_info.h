/*
 * What is known of an operator, whatever its family: one row of a table.
 *
 * The rows stand in ops/ (and, for the structural ops, in ir/core.def); ir/ sees only this struct, so
 * printing, verifying and walking need no list of operators.
 *
 * The signature of a row is written as in Python:
 *
 *     x: Expr, axis: ints? = None, keepdims: bool = False
 *     *args: Expr, callee: any, inplace_indices: ints
 *
 * Kinds: Expr, Exprs, shape, prim (operands); int, ints, float, floats, bool, str, text, dtype,
 * device, any (attributes).  `?` after a kind: None is allowed, and is the default unless another one is given.
 * `@2` after a kind: the attribute is the third one of the printed text (and of ir_op.attrs), where
 * that differs from the order of positional arguments.
 * `/`, as in Python: the parameters before it are written without their names.
 * `*name: Expr`: the rest of the positional arguments.  Defaults (of attributes): None, True, False,
 * integers, floats, "strings", [lists].
 *
 * Missing operands.  An op has all operands of its signature, always: operand_count fixed ones and
 * then the variadic ones.  An optional operand (`bias: Expr?`) that is missing is an inline
 * `null_value` op, so that operand_index is good for every op of the kind.  The text leaves trailing
 * missing operands out.
 */
#pragma once

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

/* The structural ops, which have a text form or meaning of their own. */
enum ir_core {
    IR_CORE_none, /* an operator of the library */
#define CORE(name, ...) IR_CORE_##name,
#include "ir/core.def"
    IR_CORE_COUNT
};

enum ir_trait {
    IR_PURE = 1 << 0,        /* no visible effect */
    IR_COMMUTATIVE = 1 << 1, /* first two operands may be swapped */
    IR_VIEW = 1 << 2,        /* the result shares the storage of operand 0, at no cost */
    IR_ALIAS = 1 << 3, /* the result is, or may be, (part of) its operands: tuple, copy of name */
    IR_TERMINATOR = 1 << 4,  /* last op of its region or dataflow block */
    IR_INLINE = 1 << 5,      /* a leaf: printed where it is used */
    IR_OPAQUE = 1 << 6,      /* may retain and return its arguments */
    IR_ELEMENTWISE = 1 << 7, /* one result element from one element of each operand, broadcast */
    IR_METADATA = 1 << 8,    /* looks at shapes and types of its operands only, as shape_of */
    IR_ALLOCATES = 1 << 9,   /* makes storage that others write: never merged with another */
    IR_READS_ONLY = 1 << 10, /* its effect is outside of the program: it only reads its operands */
    IR_MARK = 1 << 11,       /* there for a pass to find, which takes it out: never folded */
};

enum ir_param_kind {
    IR_PARAM_EXPR,  /* operand */
    IR_PARAM_EXPRS, /* one operand of tuple type; the text may give a tuple or list */
    IR_PARAM_SHAPE, /* one operand of shape type; the text may give a tuple or list of dims */
    IR_PARAM_PRIM,  /* one scalar operand: bare number, T.int64(1), symbol */
    IR_PARAM_INT,   /* attributes from here */
    IR_PARAM_INTS,  /* a lone int is a list of one */
    IR_PARAM_FLOAT,
    IR_PARAM_FLOATS,
    IR_PARAM_BOOL,
    IR_PARAM_STRING,
    IR_PARAM_TEXT, /* a string that is a value in the text: R.str("x") */
    IR_PARAM_DTYPE,
    IR_PARAM_DEVICE, /* any attribute; a string names a device of the module */
    IR_PARAM_ANY,
};

struct ir_op_param {
    const char *name; /* atom */
    enum ir_param_kind kind;
    bool is_optional; /* may be None, or left out when it has no default */
    bool is_nameless; /* an attribute that is written without its name */
    bool is_variadic; /* *values: the rest of the positional arguments are operands */
    bool has_default;
    const struct ir_attr *default_value; /* of an attribute, when has_default */
    unsigned attr_index;                 /* of an attribute: which of op->attrs */
    unsigned operand_index;              /* of an operand: which of op->operands */
};

struct ir_context;
struct ir_module;
struct ir_op;
struct ir_type;
struct diag;

/* Result type of @op, whose operands, attributes and declared type are set; NULL after a report. */
typedef const struct ir_type *ir_infer_fn(struct ir_module *module, struct diag *diag,
                                          const struct ir_op *op);

/*
 * Lowers @op to `call_tir` of a new kernel, put before @op; returns the value that replaces the
 * result, or NULL after a report.  Needs a fully known rank and dtype.
 */
typedef struct ir_value *ir_lower_fn(struct ir_module *module, struct diag *diag, struct ir_op *op);

struct ir_op_info {
    const char *name; /* atom: "add", "nn.relu", "call_tir": R.<name> */
    enum ir_core core;
    unsigned
        library_id;  /* enum op_id of ops/ids.h, which ir/ does not know; 0: not of the library */
    unsigned id;     /* dense; of the table in the context */
    uint32_t traits; /* enum ir_trait */
    const struct ir_op_param *params;                /* as in the Python signature */
    unsigned param_count, attr_count, operand_count; /* operand_count: without variadic ones */
    ir_infer_fn *infer; /* NULL: the type is given by the declared type or is R.Any */
    ir_lower_fn *lower; /* NULL: needs no lowering, or is absent */
    const char *absent; /* why it cannot be compiled ("not supported yet"); NULL: it can */
    const char *doc;
    const char *signature;
};
