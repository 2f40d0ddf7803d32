/* Sizes that are provably no more than others share bytes with those. */
#pragma once

#include "passes/memory/plan_sizes.h"

/*
 * Better places for @items, which plan_place() has given some in @bytes: where it makes less of all, tensors of
 * one size are placed as if they had a provably larger one, as n + 1 is for n.  Returns the bytes of all, which
 * are @bytes where nothing is better.
 */
const struct ir_expr *plan_order(struct pass_run *run, const struct plan_sizes *sizes,
                                 struct plan_items *items, const struct ir_expr *bytes);
