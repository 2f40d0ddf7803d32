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

/* Do two ops compute the same: row, attributes, declared type, operands (inline ones by structure)? */
bool rewrite_same_op(const struct ir_op *a, const struct ir_op *b);
uint64_t rewrite_hash_op(const struct ir_op *op);
