/* Results that are parameters: where they lie is known to whoever calls. */
#pragma once

#include "base/arena.h"
#include "base/map.h"
#include "ir/module.h"

/* What was asked before; a zeroed one is ready. */
struct result_params {
    struct arena arena;
    struct map functions; /* ir_function -> by leaf of its result */
};

/*
 * The parameter, a tensor, that leaf @leaf of the result of @function is, shape and all, whichever way it
 * returns; -1 if there is none, or it cannot be seen.  Asked again it gives the same, in whatever order.
 */
int result_param(struct result_params *params, const struct ir_function *function, unsigned leaf);
void result_params_finish(struct result_params *params);

/*
 * One step from leaf *@leaf of *@value back to what it names or takes the storage of.  False: nothing that
 * is seen here; an `if` is for the caller.
 */
bool result_step(struct result_params *params, const struct ir_value **value, unsigned *leaf);
