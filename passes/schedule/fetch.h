/*
 * Asking for the next panel of weights while one is multiplied: a panel comes from memory once, in front of some passes over it
 * that find it in the cache, and without asking all passes wait for that.  codegen/llvm/prefetch.c says what the annotations are.
 */
#pragma once

#include "passes/schedule/schedule.h"

struct fetch {
    int64_t panel; /* elements from one panel to the next; 0: the next one is not asked for */
    int64_t bytes; /* that each step asks for */
};

/* Of panels of @panel elements, over which @passes of @steps steps go; none where the passes are so many that waiting is little. */
struct fetch fetch_plan(int64_t panel, unsigned element_bytes, int64_t steps, int64_t passes);
/* @loop, each iteration of which reads one panel, .. */
struct tir_stmt *fetch_panels(struct schedule *s, const struct fetch *fetch, struct tir_stmt *loop);
/* .. and a loop of steps in it. */
struct tir_stmt *fetch_steps(struct schedule *s, const struct fetch *fetch, struct tir_stmt *loop);
