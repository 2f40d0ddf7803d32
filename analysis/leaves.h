/*
 * Leaves: a value of tuple type is the list of its non-tuple fields, in order, nested ones flattened.
 * Facts about storage are facts about leaves, so that `t[0]` and `t[1]` are told apart.
 */
#pragma once

#include "ir/module.h"

/* How many leaves a value of @type has: 1 for all that is no tuple, 0 for the empty tuple. */
static inline unsigned leaf_count(const struct ir_type *type)
{
    return type->leaf_count;
}

/* The type of the @i-th leaf. */
const struct ir_type *leaf_type(const struct ir_type *type, unsigned i);

/* Number of leaves in front of field @field of the tuple type @type. */
unsigned leaf_offset(const struct ir_type *type, unsigned field);
