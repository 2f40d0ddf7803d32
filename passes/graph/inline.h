/* One call of a graph function, replaced by the function's body. */
#pragma once

#include "passes/pass.h"

/*
 * Puts the body of the function that @call calls in place of it: parameters become arguments, symbols
 * what the arguments have there, other symbols fresh ones.  What the call would check when it runs (a
 * dimension that is not proved) is checked by match_cast.  Blocks are split as needed, not joined.
 * False, and nothing was changed, where that cannot be done.
 *
 * Where body and call know different things of a value, a new name of it holds what its users were made
 * for: these ops are added to @names, and may turn out to be no more than names when types are refined.
 */
struct inline_names {
    struct ir_op **items;
    size_t count, capacity; /* an array() */
};
/* Ops of the callee that become their copies; NULL for one that was not copied. */
struct inline_calls {
    struct ir_op **items;
    size_t count, capacity; /* an array() */
};
bool inline_call(struct ir_module *module, struct ir_op *call, struct inline_names *names,
                 struct inline_calls *calls);
