/* Sums of sizes with symbols, over the steps of a plan. */
#pragma once

#include "ir/expr.h"

#include <stddef.h>

struct plan_part {
    const struct ir_expr *bytes; /* int64 */
    int64_t lower, upper;        /* lives in [lower, upper) */
};

/*
 * The most that @parts take at one step, what is provably less left out.  Sorts them.  NULL: there are
 * too many to be said.
 */
const struct ir_expr *plan_most(struct ir_context *context, struct plan_part *parts, size_t count);
