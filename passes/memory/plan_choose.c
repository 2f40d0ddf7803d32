/* Plans of the same tensors, of which the one that holds least is taken; see plan_choose.h. */
#include "passes/memory/plan_choose.h"

#include "passes/memory/plan_order.h"
#include "passes/memory/plan_place.h"

/* ---- results ---- */

static bool is_no_result(void *state, const struct plan_item *item)
{
    (void)state;
    return !item->is_result;
}

static struct plan_items copy_of(const struct plan_items *items)
{
    struct plan_items copy = {0};

    for (size_t i = 0; i < items->count; i++)
        array_push(&copy, items->items[i]);
    return copy;
}

/* Bytes of results if each gets storage of its own. */
static int64_t result_bytes(struct plan_chooser *p, const struct plan_items *items, unsigned sample)
{
    int64_t bytes = 0;

    for (size_t i = 0; i < items->count; i++)
        if (items->items[i].is_result && items->items[i].same == i)
            bytes = plan_sizes_sum(bytes, plan_sizes_item(p->sizes, &items->items[i], sample));
    return bytes;
}

/* Is it worth it, somewhere, to put results into the piece, too, and never the opposite? */
static bool keeps_results(struct plan_chooser *p, const struct plan_items *all,
                          const struct ir_expr *bytes, const struct ir_expr *together)
{
    bool is_worth_it = false;

    for (unsigned i = 0; i < PLAN_SAMPLES; i++) {
        int64_t with = plan_sizes_value(p->sizes, together, i);
        int64_t without =
            plan_sizes_sum(plan_sizes_value(p->sizes, bytes, i), result_bytes(p, all, i));

        if (without < with)
            return false;
        is_worth_it |= without - with > with / PLAN_WORTH;
    }
    return is_worth_it;
}

/* ---- ordered sizes ---- */

/* Places of sizes as they are. */
static const struct ir_expr *place_exact(struct plan_chooser *p, struct plan_items *items)
{
    const struct ir_expr *bytes = plan_place(p->run, items);
    const struct ir_expr *ordered =
        bytes && !p->is_plain ? plan_order(p->run, p->sizes, items, bytes) : bytes;

    p->is_rounded |= ordered != bytes;
    return ordered;
}

/* ---- upper bounds ---- */

/* @items as large as they ever are; false if that is not known of all, or no symbol is among their sizes. */
static bool at_bounds(struct plan_chooser *p, const struct plan_items *items,
                      struct plan_items *out)
{
    bool is_symbolic = false, is_known = p->sizes->bounds.count > 0;

    *out = copy_of(items);
    for (size_t i = 0; i < out->count && is_known; i++) {
        struct plan_item *item = &out->items[i];

        if (!item->unit)
            continue;
        is_symbolic = true;
        is_known =
            ir_bounds_most(p->run->module->context, &p->sizes->bounds, item->bytes, &item->count) &&
            item->count > 0;
        item->unit = NULL;
        item->bytes = ir_expr_int(p->run->module->context, IR_I64, item->count);
    }
    return is_known && is_symbolic;
}

/*
 * Places for @items.  Expressions take just what a run needs; but what is a multiple of one size shares no bytes
 * with what is one of another.  Where numbers for the upper bounds take less at these, there are numbers.
 */
static const struct ir_expr *place(struct plan_chooser *p, struct plan_items *items)
{
    const struct ir_expr *bytes = place_exact(p, items), *most = NULL;
    struct plan_items bounded = {0};

    if (at_bounds(p, items, &bounded))
        most = plan_place(p->run, &bounded);
    int64_t limit = bytes && most ? plan_sizes_value(p->sizes, bytes, 0) : 0;
    bool is_less = most && (!bytes || plan_sizes_value(p->sizes, most, 0) <
                                          limit - limit / PLAN_WORTH_SYMBOLIC);

    for (size_t i = 0; i < items->count && is_less; i++)
        items->items[i].offset = bounded.items[i].offset;
    array_finish(&bounded);
    return is_less ? most : bytes;
}

const struct ir_expr *plan_choose(struct plan_chooser *p, struct plan_items *items, bool may_keep)
{
    struct plan_items all = copy_of(items);
    const struct ir_expr *together = NULL;

    plan_items_keep(items, &p->run->scratch, is_no_result, NULL);
    const struct ir_expr *bytes = place(p, items);

    if (may_keep && bytes && items->count < all.count)
        together = place(p, &all);
    if (together && keeps_results(p, &all, bytes, together)) {
        array_finish(items);
        *items = all;
        return together;
    }
    array_finish(&all);
    return bytes;
}
