/* Results that are made in storage of their own, so that it may be memory of whoever calls. */
#pragma once

#include "analysis/result_params.h"
#include "base/array.h"
#include "base/map.h"
#include "ir/module.h"

/* Of one function. */
struct result_places {
    struct map leaves;     /* what takes storage -> leaf of the result that lies there, plus 1 */
    array(unsigned) found; /* the leaves */
};

/*
 * Finds the leaves of the result that lie, on each path, in all of the storage that one op takes.  None of
 * these ops is for two leaves; those that are for one never run both.
 */
void result_places_find(struct result_places *places, struct result_params *params,
                        const struct ir_function *function);
/* Says in @out of each leaf whether it was found. */
void result_places_leaves(const struct result_places *places, bool *out);
void result_places_finish(struct result_places *places);
/* The leaf of the result that lies in what @op takes; -1: none. */
int result_place(const struct result_places *places, const struct ir_op *op);
