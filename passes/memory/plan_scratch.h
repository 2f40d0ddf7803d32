/*
 * Scratch of kernels behind what is held while they run.
 *
 * It begins behind the last byte of a piece that is held then (analysis/stack_held.c), so that a plan does well to have
 * its gaps at the end where a kernel takes much.
 */
#pragma once

#include "passes/memory/plan_items.h"
#include "passes/pass.h"

/* A call of a kernel that takes @bytes of the stack of a run with one thread. */
struct plan_scratch_call {
    unsigned position;
    int64_t bytes;
};

struct plan_scratch {
    struct plan_scratch_call *items; /* in program order */
    size_t count, capacity;          /* an array() */
};

/* Appends the calls of the function that @storage analysed. */
void plan_scratch_find(struct pass_run *run, const struct storage *storage,
                       struct plan_scratch *out);
/*
 * Other offsets for @items, which have places within @bytes, also a number, if less is on the stack at once with them.
 * No more than @bytes are taken in any case.
 */
void plan_scratch_lower(struct pass_run *run, const struct plan_scratch *scratch,
                        struct plan_items *items, int64_t bytes);
