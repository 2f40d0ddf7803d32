/*
 * Room of donated parameters: how much their storage holds beyond their elements.
 *
 *     R.func_attr({"relax.inplace_arg": [0], "relax.capacity": {"past": 4096}})
 *
 * says that the storage of donated parameter `past` has room for a `past` whose one symbolic dimension
 * is 4096; a list of numbers is the shape that there is room for.  An upper bound of a dimension
 * (tir_var_upper_bound) says the same of donated parameters.
 */
#pragma once

#include "ir/module.h"

/* Of a run: the parameter, its length and limit along the axis, bytes that are wanted and all. */
#define IR_CAPACITY_EXCEEDED                                                                      \
    "the storage of `%s`, which is %lld long, has room for %lld (relax.capacity): %lld bytes do " \
    "not fit into %lld"

struct ir_capacity {
    unsigned param;
    unsigned axis;               /* the first dimension that may grow */
    const struct ir_expr *limit; /* what there is room for along it */
    const struct ir_expr *bytes; /* all of the storage; of int64 */
};

/* False: parameter @param has room for its elements and no more, as far as is said. */
bool ir_capacity_of(const struct ir_function *function, unsigned param, struct ir_capacity *out);
/* The same of the parameter that @value is, if it is one. */
bool ir_capacity_of_value(const struct ir_value *value, struct ir_capacity *out);

/*
 * Does @op, an R.memory.view, show bytes behind the elements of a parameter that has room?  True, too, if
 * that cannot be seen.
 */
bool ir_view_grows(const struct ir_op *op, struct ir_capacity *out);

/* Forgets what is said of parameters that @function has not, or has not any more. */
void ir_capacity_prune(struct ir_function *function);
/* Says as a list what is said of dimensions that are about to become numbers. */
void ir_capacity_spell(struct ir_function *function);

/* Why entry @i of `relax.capacity`, a dict, means nothing; NULL if it does. */
const char *ir_capacity_mistake(const struct ir_function *function, const struct ir_attr *dict,
                                unsigned i);
