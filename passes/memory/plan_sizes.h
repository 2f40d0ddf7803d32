/* Sizes with symbols, to be compared: at some numbers for each symbol, or at their upper bounds. */
#pragma once

#include "ir/bounds.h"
#include "passes/memory/plan_items.h"
#include "passes/pass.h"

enum { PLAN_SAMPLES = 5 };

/* What symbols are at each sample. */
struct plan_sizes {
    struct ir_context *context;
    struct ir_bindings samples[PLAN_SAMPLES]; /* arrays */
    struct ir_bounds bounds; /* of the function; none where they are not to be used */
};

/* Fills @sizes, which were used for another function before or are zeros, for @function. */
void plan_sizes_find(struct plan_sizes *sizes, struct pass_run *run,
                     const struct ir_function *function, bool has_bounds);
void plan_sizes_finish(struct plan_sizes *sizes);
/* INT64_MAX where it is no number. */
int64_t plan_sizes_value(const struct plan_sizes *sizes, const struct ir_expr *bytes,
                         unsigned sample);
/* Bytes of a place for @item. */
int64_t plan_sizes_item(const struct plan_sizes *sizes, const struct plan_item *item,
                        unsigned sample);
/* a + b, or the largest number that is packed. */
int64_t plan_sizes_sum(int64_t a, int64_t b);
