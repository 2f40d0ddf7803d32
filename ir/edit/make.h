/*
 * Making ops from a pass, as expressions: an operand that is NULL makes the result NULL, so that only the
 * end of a chain need be looked at.
 *
 *     sum = MAKE(b, OP_add, MAKE(b, OP_matmul, x, w), bias);
 *
 * Inline operands that are in use are copied, values of other dataflow blocks become outputs of theirs, and
 * trailing operands that are left out are missing ones.  Operators are named by their ids, see ops/ids.h.
 */
#pragma once

#include "ir/build.h"

struct make_attr {
    const char *name; /* NULL: none, for lists that end early */
    const struct ir_attr *value;
};

#define MAKE(b, id, ...) MAKE_WITH(b, id, ((struct make_attr){0}), __VA_ARGS__)
/* With one attribute: MAKE_WITH(b, OP_mean, ((struct make_attr){"axis", axes}), x). */
#define MAKE_WITH(b, id, attr, ...)                                                 \
    make_op(b, id, (struct ir_value *[]){__VA_ARGS__},                              \
            sizeof((struct ir_value *[]){__VA_ARGS__}) / sizeof(struct ir_value *), \
            (struct make_attr[]){attr}, 1)

struct ir_value *make_op(struct ir_builder *b, unsigned library_id,
                         struct ir_value *const *operands, unsigned operand_count,
                         const struct make_attr *attrs, unsigned attr_count);

/* A number beside a tensor of @dtype. */
struct ir_value *make_number(struct ir_builder *b, struct ir_dtype dtype, double value);
struct ir_value *make_shape(struct ir_builder *b, const struct ir_expr *const *dims,
                            unsigned count);
/* An inline tuple of @items. */
struct ir_value *make_tuple(struct ir_builder *b, struct ir_value *const *items, unsigned count);
struct ir_value *make_get(struct ir_builder *b, struct ir_value *tuple, unsigned index);

/* @value as an operand of an op at @b: copied if it is inline and in use, and visible there. */
struct ir_value *make_operand(struct ir_builder *b, struct ir_value *value);

/* Erases what was made at @b behind @last (NULL: since the start of the block): an attempt that failed. */
void make_take_back(struct ir_builder *b, const struct ir_op *last);
