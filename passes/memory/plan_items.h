/* What a function takes itself, and so can have a place in one piece of storage of the function. */
#pragma once

#include "analysis/storage/storage.h"

/* One allocation. */
struct plan_item {
    struct ir_op *alloc; /* R.builtin.alloc_tensor; or any op, if `is_apart` */
    struct ir_op
        *end; /* in `region`: behind it nothing of this function reads the tensor; or NULL */
    unsigned lower, upper;          /* from the allocation to the end, in program order */
    const struct ir_region *region; /* the innermost that holds both */
    unsigned
        same; /* the item with whose place it does: only one of both is ever made.  Or itself */
    bool is_result; /* ends with the return */
    bool is_apart;  /* has storage of its own: the op makes its result itself, or it was left out */
    /* bytes = count * unit; unit NULL: 1 */
    const struct ir_expr *bytes, *unit;
    int64_t count;
    const struct ir_expr *offset; /* for who packs */
};

struct plan_items {
    struct plan_item *items;
    size_t count, capacity; /* an array() */
};

/* A call of a function, during which what the caller holds is held beside what the callee takes. */
struct plan_call {
    unsigned position;
    bool is_cyclic; /* it may come back here: each turn of the recursion holds the same again */
};

/* What there is to be planned in a function. */
struct plan_problem {
    struct plan_items items;
    array(struct plan_call) calls; /* in program order */
};

/*
 * Appends what the function analysed by @storage allocates, and ends in the text or returns, in program
 * order.  Not among them: what is kept by code that is not seen, tensors without bytes, or whose size
 * says more than numbers and the symbols of the parameters.
 */
void plan_items_find(struct storage *storage, struct arena *scratch, struct plan_problem *out);
/*
 * The least multiple of the alignment of all places that has room for @item, symbols being what @sample
 * says; INT64_MAX where that is no number.
 */
enum { PLAN_ALIGNMENT = 64 };
int64_t plan_item_bytes(struct ir_context *context, const struct plan_item *item,
                        const struct ir_bindings *sample);

/* Keeps those that @keep, which may be asked for any of them, says; the others are none from then on. */
typedef bool plan_keep_fn(void *state, const struct plan_item *item);
void plan_items_keep(struct plan_items *items, struct arena *scratch, plan_keep_fn *keep,
                     void *state);
plan_keep_fn plan_has_end;

/* The innermost region that holds both. */
const struct ir_region *plan_common_region(const struct ir_region *a, const struct ir_region *b);
/* The op of @region that @op is or stands in. */
struct ir_op *plan_climb(struct ir_op *op, const struct ir_region *region);
