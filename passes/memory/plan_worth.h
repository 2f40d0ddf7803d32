/* Is a piece of storage worth it? */
#pragma once

#include "passes/memory/plan_sizes.h"

/* What a result in the piece, or the piece, must save or may cost: this part; the second where groups
 * of sizes lie one behind the other. */
enum { PLAN_WORTH = 32, PLAN_WORTH_SYMBOLIC = 16 };

struct plan_worth {
    const struct plan_sizes *sizes;
    struct arena *scratch;
};

/*
 * A piece of @bytes for @items is held from its first tensor to its last, and beside it what has storage of
 * its own: results, and what operators make themselves.  If that came to more than without a piece, none is
 * better.  @near is all that lives then, one for each place.
 */
bool plan_is_worth(const struct plan_worth *w, const struct plan_items *near,
                   const struct plan_items *items, const struct ir_expr *bytes);
