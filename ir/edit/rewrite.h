/* What passes share when they replace values: the rules of dataflow blocks are kept here, once. */
#pragma once

#include "ir/module.h"

/*
 * Makes all users of the result of @op use @value instead, and erases @op.  @value must be defined
 * in front of @op.  Outputs of dataflow blocks follow: a value that is used outside of its block is
 * listed in its `output`, one of another block is not.
 */
void rewrite_replace(struct ir_module *module, struct ir_op *op, struct ir_value *value);

/* Lists @value in the `output` of its dataflow block, if it has one and is not listed. */
void rewrite_make_visible(struct ir_module *module, struct ir_value *value);

/*
 * Gives each user of @value a copy of @leaf, an inline op (a constant, a shape), instead; outputs of
 * dataflow blocks lose the value.
 */
void rewrite_uses_by_leaf(struct ir_module *module, struct ir_value *value, struct ir_value *leaf);

/*
 * Splits the block of @op in front of @op; what the first half shows to the second becomes its
 * output.  Returns the second half, which begins with @op; either half may be a new block.
 */
struct ir_block *rewrite_split_block(struct ir_module *module, struct ir_op *op);

/* Makes a plain block, of pure ops without branches, a dataflow block that shows what is used outside. */
void rewrite_make_dataflow(struct ir_module *module, struct ir_block *block);

/*
 * Joins neighbouring blocks of one kind in @region and drops empty ones; values that were shown by
 * one dataflow block to the other only are shown no more.  True if something changed.
 */
bool rewrite_join_blocks(struct ir_region *region);

/*
 * Infers the types of @function again, which passes have made better known; where a script gave a
 * type, it stays.  If that would find an error (which the program meets when it runs), all types
 * stay as they were.  True if a type changed.
 */
bool rewrite_refine_types(struct ir_function *function);

/*
 * The same for @op alone, in front of which types became known: an annotation that knows less gives way.
 * Its type is left where the rule would find an error.
 */
void rewrite_refine_op(struct ir_module *module, struct ir_op *op);

/* Calls @visit for each graph function of @module, nested ones behind the function around them. */
typedef void rewrite_function_fn(void *state, struct ir_function *function);
void rewrite_walk_functions(struct ir_module *module, rewrite_function_fn *visit, void *state);

/* Do two ops compute the same: row, attributes, declared type, operands (inline ones by structure)? */
bool rewrite_same_op(const struct ir_op *a, const struct ir_op *b);
uint64_t rewrite_hash_op(const struct ir_op *op);
