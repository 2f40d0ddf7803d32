/* Which plan of several is the best. */
#pragma once

#include "passes/memory/plan_worth.h"

struct plan_chooser {
    struct pass_run *run;
    const struct plan_sizes *sizes;
    bool is_plain;   /* sizes are not to be rounded up to others */
    bool is_rounded; /* out: some were */
};

/*
 * Offsets of @items, without their results or, where that is worth it and @may_keep, with them.  Returns the
 * bytes of all, or NULL.
 */
const struct ir_expr *plan_choose(struct plan_chooser *p, struct plan_items *items, bool may_keep);
