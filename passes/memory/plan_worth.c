/* What is held with a piece of storage, and without it; see plan_worth.h. */
#include "passes/memory/plan_worth.h"

#include "analysis/pack/pack.h"

#include <stdlib.h>

/* Bytes that come to live, or (negative) end. */
struct change {
    unsigned position;
    int64_t bytes;
};

/* Ends first: lives are half-open. */
static int compare_changes(const void *a, const void *b)
{
    const struct change *x = a, *y = b;

    if (x->position != y->position)
        return x->position < y->position ? -1 : 1;
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* The most that lives at one step of @span, of those of @items that are not @left_out. */
static int64_t most_alive(const struct plan_worth *w, const struct plan_items *items,
                          const bool *left_out, const struct plan_item *span, unsigned sample)
{
    struct change *changes = arena_array(w->scratch, struct change, 2 * items->count + 1);
    size_t count = 0;
    int64_t alive = 0, most = 0;

    for (size_t i = 0; i < items->count; i++) {
        const struct plan_item *item = &items->items[i];

        if (item->lower >= span->upper || item->upper <= span->lower || (left_out && left_out[i]))
            continue;
        int64_t bytes = plan_sizes_item(w->sizes, item, sample),
                limit = PACK_LARGEST / (int64_t)items->count;

        bytes = bytes < limit ? bytes : limit;
        changes[count++] = (struct change){item->lower, bytes};
        changes[count++] = (struct change){item->upper, -bytes};
    }
    qsort(changes, count, sizeof(*changes), compare_changes);
    for (size_t i = 0; i < count; i++) {
        alive += changes[i].bytes;
        most = alive > most ? alive : most;
    }
    return most;
}

bool plan_is_worth(const struct plan_worth *w, const struct plan_items *near,
                   const struct plan_items *items, const struct ir_expr *bytes)
{
    bool *is_placed = arena_array(w->scratch, bool, near->count + 1);
    struct plan_item span = {.lower = items->items[0].lower};
    int64_t part = bytes->kind == IR_EXPR_int ? PLAN_WORTH : PLAN_WORTH_SYMBOLIC;
    size_t next = 0;

    for (size_t i = 0; i < items->count; i++) {
        if (span.upper < items->items[i].upper)
            span.upper = items->items[i].upper;
        if (items->items[i].same != i)
            continue;
        while (near->items[next].alloc != items->items[i].alloc)
            next++;
        is_placed[next] = true;
    }
    for (unsigned i = 0; i < PLAN_SAMPLES; i++) {
        int64_t apart = most_alive(w, near, NULL, &span, i);
        int64_t beside = most_alive(w, near, is_placed, &span, i);

        if (plan_sizes_sum(plan_sizes_value(w->sizes, bytes, i), beside) > apart + apart / part)
            return false;
    }
    return true;
}
