/* Values that are known without running anything: constants, shapes and tuples of them. */
#pragma once

#include "ir/module.h"

enum { STATIC_RANK = 64 };

/* The dims of @type (of a tensor or shape) if all are numbers and the rank is below STATIC_RANK. */
bool static_dims(struct ir_context *context, const struct ir_type *type, int64_t *out_dims);

/* Is @value a constant, a shape or scalar of numbers, or a tuple of such, maybe under a name? */
bool static_is_leaf(const struct ir_value *value);
/* An inline copy of such a value. */
struct ir_value *static_copy(struct ir_module *module, struct ir_value *value);

/* The value of a condition that is a constant of one element, or a scalar. */
bool static_condition(const struct ir_value *value, bool *out_is_true);

/* What shape_of or tensor_to_shape gives, as an inline shape; NULL if that is not known. */
struct ir_value *static_shape(struct ir_module *module, const struct ir_op *op);

/* Would all users of @value also take @leaf, an inline value without a use, in its place? */
bool static_is_accepted(struct ir_module *module, struct ir_value *value, struct ir_value *leaf);
