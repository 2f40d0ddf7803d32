/*
 * The graph level (Relax): functions, blocks, ops and values.
 *
 * SSA in A-normal form.  A function owns a region, a region a list of blocks (plain or dataflow), a
 * block a list of ops.  An op has operands, attributes, regions (`if` has two) and one result, maybe
 * of the type of no value.  Calls, tuples, match_cast, `output`, `return` are ops like all others.
 *
 * Leaves.  What TVM writes inside an argument list (constants, shapes, scalars, strings, dtypes,
 * global and extern names, tuples of leaves) is an op too, but an *inline* one: it is in no block
 * (op->block is NULL), it has exactly one use, and it prints where it is used.  Analyses that ask
 * "what does this op read" use ir_for_each_leaf_operand(), which looks through inline tuples.
 *
 * Three functions write use lists: ir_op_set_operand(), ir_value_replace() and ir_op_erase().
 */
#pragma once

#include "base/arena.h"
#include "base/source.h"
#include "ir/attr.h"
#include "ir/op_info.h"
#include "ir/type.h"

struct ir_op;
struct ir_block;
struct ir_region;
struct ir_function;
struct ir_module;

/* What an op computes, or a parameter; its users hang off it. */
struct ir_value {
    const struct ir_type *type;
    struct ir_op *def;                /* NULL for a parameter */
    struct ir_function *parameter_of; /* of a parameter */
    struct ir_use *uses;
    const char *name;    /* atom, the name in the script; NULL: the printer makes lv, lv1, ... */
    unsigned index;      /* dense in the function, see ir_function_number(); params first */
    struct location loc; /* of the name */
    bool is_annotated;   /* the script gave its type */
    const struct ir_var *var; /* of a scalar parameter: what stands for it in shapes; or NULL */
};

/* One operand of one op, and a link in the use list of the value that it reads. */
struct ir_use {
    struct ir_value *value;
    struct ir_op *user;
    struct ir_use *next;
    struct ir_use **link; /* what points at this use */
};

/* The places of the ops that one op was made of; in the context's arena. */
struct ir_places {
    unsigned count;
    const struct location *items;
};

struct ir_op {
    const struct ir_op_info *info;
    struct ir_block *block; /* NULL: inline */
    struct ir_op *prev, *next;
    struct ir_value result;
    const struct ir_attr **attrs; /* info->attr_count, in the order of info; no item is NULL */
    struct ir_region **regions;
    unsigned region_count;
    unsigned operand_count;
    struct ir_use *operands;        /* written only by ir_op_set_operand() */
    const struct ir_type *declared; /* out_ty, ty_args (tuple if several), match_cast's type */
    struct location loc;            /* of the right-hand side */
    struct ir_places places;        /* where passes made it of several ops; else none */
};

struct ir_block {
    bool is_dataflow; /* its last op is then `output` */
    struct ir_region *region;
    struct ir_block *prev, *next;
    struct ir_op *first, *last;
    struct location loc;
};

/* Function body or branch.  Its last op is `return` (body) or `yield` (branch of `if`). */
struct ir_region {
    struct ir_block *first, *last;
    struct ir_function *function;
    struct ir_op *owner; /* the `if`; NULL for a body */
};

struct ir_function {
    const char *name; /* atom */
    struct ir_module *module;
    struct ir_value **params;
    unsigned param_count;
    const struct ir_type *result; /* declared or inferred; never NULL once built */
    bool is_result_annotated;
    bool is_pure;
    bool is_private;
    bool skip_well_formed;       /* check_well_formed=False */
    const struct ir_attr *attrs; /* dict or NULL, without global_symbol when that is the name */
    struct ir_region *body;
    struct ir_function *parent; /* of a nested function */
    unsigned value_count;       /* after ir_function_number() */
    struct location loc;        /* of the name */
    struct location result_loc; /* of the declared type of the result; nowhere: there is none */
};

#define ir_for_each_block(block_, region_) \
    for (struct ir_block *block_ = (region_)->first; block_; block_ = block_->next)
#define ir_for_each_op(op_, block_) for (struct ir_op *op_ = (block_)->first; op_; op_ = op_->next)
/* As above, but the body may erase the op. */
#define ir_for_each_op_safe(op_, block_)                                                 \
    for (struct ir_op *op_ = (block_)->first, *op_##_next = op_ ? op_->next : NULL; op_; \
         op_ = op_##_next, op_##_next = op_ ? op_->next : NULL)
#define ir_for_each_op_reverse_safe(op_, block_)                                        \
    for (struct ir_op *op_ = (block_)->last, *op_##_prev = op_ ? op_->prev : NULL; op_; \
         op_ = op_##_prev, op_##_prev = op_ ? op_->prev : NULL)
#define ir_for_each_use(use_, value_) \
    for (struct ir_use *use_ = (value_)->uses; use_; use_ = use_->next)

/* Construction; everything lives in the module's arena. */
struct ir_op *ir_op_new(struct ir_module *module, const struct ir_op_info *info,
                        struct ir_value *const *operands, unsigned operand_count);
struct ir_region *ir_region_new(struct ir_module *module, struct ir_function *function,
                                struct ir_op *owner);
struct ir_block *ir_block_append(struct ir_module *module, struct ir_region *region,
                                 bool is_dataflow);
struct ir_block *ir_block_insert_before(struct ir_module *module, struct ir_block *before,
                                        bool is_dataflow);
struct ir_function *ir_function_new(struct ir_module *module, const char *name);
/* The FUNC type of @function as it is now; an unknown result is ANY. */
const struct ir_type *ir_function_type(const struct ir_function *function);
/* @type as the signature of @function may have it: without symbols that only its body defines. */
const struct ir_type *ir_function_declared(const struct ir_function *function,
                                           const struct ir_type *type);
struct ir_value *ir_function_add_param(struct ir_function *function, const char *name,
                                       const struct ir_type *type);
/* Puts a parameter of @function that its list has lost at the end again. */
void ir_function_append_param(struct ir_function *function, struct ir_value *param);

/* Says that @op was made of @parts: the places of each that was itself made of several, else its own. */
void ir_op_set_places(struct ir_module *module, struct ir_op *op, struct ir_op *const *parts,
                      size_t count);

/* Puts @op at the end of @block, or before @before (same block). */
void ir_op_append(struct ir_block *block, struct ir_op *op);
void ir_op_insert_before(struct ir_op *before, struct ir_op *op);
/*
 * An inline op that loses its use here, in ir_op_remove_operand() or in ir_value_replace() is erased;
 * ir_inline_copy() it first to keep it.
 */
void ir_op_set_operand(struct ir_op *op, unsigned i, struct ir_value *value);
/* Makes room for one more operand at the end. */
void ir_op_add_operand(struct ir_module *module, struct ir_op *op, struct ir_value *value);
void ir_op_remove_operand(struct ir_op *op, unsigned i);
void ir_value_replace(struct ir_value *old, struct ir_value *replacement); /* all uses */
/* Unlinks @op, which must have no uses, its inline operands and all in its regions or in the nested
 * function that it makes; may be repeated. */
void ir_op_erase(struct ir_op *op);
/* Unlinks @op from its block and keeps its uses, to be put elsewhere. */
void ir_op_unlink(struct ir_op *op);
/* Unlinks @block and erases what is in it. */
void ir_block_erase(struct ir_block *block);

/* Inline ops, ready to be operands. */
struct ir_value *ir_inline_constant(struct ir_module *module, const struct ir_constant *constant);
struct ir_value *ir_inline_shape(struct ir_module *module, const struct ir_expr *const *dims,
                                 unsigned count);
struct ir_value *ir_inline_prim(struct ir_module *module, const struct ir_expr *expr);
struct ir_value *ir_inline_string(struct ir_module *module, const char *string);
struct ir_value *ir_inline_dtype(struct ir_module *module, struct ir_dtype dtype);
struct ir_value *ir_inline_global(struct ir_module *module, struct ir_global *global);
struct ir_value *ir_inline_tuple(struct ir_module *module, struct ir_value *const *items,
                                 unsigned count);
/* A fresh copy of @value if it is inline (inline ops have one use), else @value itself. */
struct ir_value *ir_inline_copy(struct ir_module *module, struct ir_value *value);

bool ir_op_is_inline(const struct ir_op *op);
bool ir_value_is_inline(const struct ir_value *value);
/* The op in a block that @use belongs to, looking up through inline ops. */
struct ir_op *ir_use_root(const struct ir_use *use);
/* The function that holds @op. */
struct ir_function *ir_op_function(const struct ir_op *op);
/* True for values of a dataflow block that its `output` does not list. */
bool ir_value_is_dataflow(const struct ir_value *value);

/* Calls @visit on each operand that is no inline tuple, looking through those. */
typedef void ir_operand_visit_fn(void *state, struct ir_use *use);
void ir_op_walk_operands(struct ir_op *op, ir_operand_visit_fn *visit, void *state);

/* Attributes by name; asserts that the op has it. */
const struct ir_attr *ir_op_attr(const struct ir_op *op, const char *name);
/* The attribute of the row with this name; NULL if it has none. */
const struct ir_op_param *ir_attr_param(const struct ir_op_info *info, const char *name);
void ir_op_set_attr(struct ir_op *op, const char *name, const struct ir_attr *value);
bool ir_op_is(const struct ir_op *op, enum ir_core core);
/* Callee of `call_tir`, `call_tir_inplace`, `call` of a global; NULL otherwise. */
struct ir_global *ir_op_callee(const struct ir_op *op);

/*
 * Numbers params, results and inline values densely, in order: regions before the result of their
 * owner, nested functions within the numbering of the outermost.  Sets function->value_count.
 */
void ir_function_number(struct ir_function *function);

/*
 * Calls @visit on each op of a block in the order of the text: an `if` before what is in its regions.
 * Inline ops and nested functions are not entered.  @visit may erase its op.  False once @visit is.
 */
typedef bool ir_op_visit_fn(void *state, struct ir_op *op);
bool ir_region_walk(struct ir_region *region, ir_op_visit_fn *visit, void *state);
