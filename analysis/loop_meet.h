/* Within analysis/: may two accesses, in different iterations of a loop, be of one element? */
#pragma once

#include "analysis/loop_access.h"

/* Which iterations of the two sides run at times that are not those of the text. */
enum loop_order {
    LOOP_ORDER_ANY,   /* any two different ones */
    LOOP_ORDER_LATER, /* the first side's is later: v > v' */
    LOOP_ORDER_ALL,   /* all of them: there is no common loop */
};

struct loop_test {
    struct ir_context *context;
    struct arena *arena;
    struct loop_sharing sharing;
    struct ir_ranges ranges;     /* of both sides */
    const struct ir_var *v, *v2; /* the loop variable, on either side; NULL: none */
    int64_t step;                /* between two iterations */
    enum loop_order order;
    const struct ir_buffer *only; /* the one buffer that is asked about, or NULL */
    struct map twins;             /* variable of another dtype -> the same as int64 */
};

/* False only if there are no such iterations. */
bool loop_may_meet(struct loop_test *t, const struct loop_access *a, const struct loop_access *b);
