/*
 * Ordered sizes: plan_place() lets multiples of one expression share bytes, and sets one group of them behind
 * the other.  What has a size that is provably at most a multiple of another one (n of n + 1, n and m of
 * max(n, m), 4 * n of 64 * n) can be placed in that group, as that multiple: it has room there for all values
 * of the symbols.  What that loses depends on these, so it is tried, and done where it is never more.
 */
#include "passes/memory/plan_order.h"

#include "ir/arith.h"
#include "passes/memory/plan_place.h"

enum {
    SIZES = 12,   /* different ones */
    TRIES = 48,   /* plans that are made */
    ITEMS = 1000, /* ... of no more than this */
};

struct size {
    const struct ir_expr *unit; /* NULL: bytes */
    int64_t count;
};

struct ordering {
    struct pass_run *run;
    const struct plan_sizes *sizes;
    struct plan_items items; /* of the best plan: with the sizes that they have in it */
    const struct ir_expr *bytes;
    struct size found[SIZES];
    unsigned found_count, tries;
};

static bool is_size(const struct plan_item *item, const struct size *size)
{
    return item->count == size->count &&
           (item->unit == size->unit ||
            (item->unit && size->unit && ir_expr_equal(item->unit, size->unit)));
}

static void find_sizes(struct ordering *o)
{
    o->found_count = 0;
    for (size_t i = 0; i < o->items.count; i++) {
        const struct plan_item *item = &o->items.items[i];
        unsigned k = 0;

        while (k < o->found_count && !is_size(item, &o->found[k]))
            k++;
        if (k == o->found_count && k < SIZES)
            o->found[o->found_count++] = (struct size){item->unit, item->count};
    }
}

static const struct ir_expr *bytes_of(const struct ordering *o, const struct size *size)
{
    struct ir_context *context = o->run->module->context;
    const struct ir_expr *count = ir_expr_int(context, IR_I64, size->count);

    return size->unit
               ? ir_simplify(context, ir_expr_binary(context, IR_EXPR_mul, size->unit, count))
               : count;
}

/*
 * The multiple of the unit of @large that is to hold @small: as many as @large has or, where that is a multiple of
 * the alignment, the next one that is, too.  False if it is not provably enough, or both are in one group anyway.
 */
static bool find_multiple(const struct ordering *o, const struct size *small,
                          const struct size *large, struct size *out)
{
    bool is_exact = large->count % PLAN_ALIGNMENT == 0;

    *out = *large;
    if (is_exact)
        out->count = (small->count + PLAN_ALIGNMENT - 1) / PLAN_ALIGNMENT * PLAN_ALIGNMENT;
    if (!large->unit ||
        (small->unit && ir_expr_equal(small->unit, large->unit) && small->count == out->count))
        return false;
    return ir_prove_ge(o->run->module->context, NULL, bytes_of(o, out), bytes_of(o, small));
}

/* Is @bytes never more than it was, and less somewhere? */
static bool is_better(const struct ordering *o, const struct ir_expr *bytes)
{
    bool is_less = false;

    for (unsigned i = 0; i < PLAN_SAMPLES; i++) {
        int64_t now = plan_sizes_value(o->sizes, bytes, i);
        int64_t before = plan_sizes_value(o->sizes, o->bytes, i);

        if (now > before)
            return false;
        is_less |= now < before;
    }
    return is_less;
}

/* Places what is @small as @large.  True if that is better; it is the plan then. */
static bool try(struct ordering *o, const struct size *small, const struct size *large)
{
    struct plan_items items = {0};

    for (size_t i = 0; i < o->items.count; i++) {
        array_push(&items, o->items.items[i]);
        if (!is_size(&o->items.items[i], small))
            continue;
        array_last(&items).unit = large->unit;
        array_last(&items).count = large->count;
    }
    const struct ir_expr *bytes = plan_place(o->run, &items);
    bool is_fine = bytes && is_better(o, bytes);

    o->tries++;
    if (is_fine) {
        struct plan_items old = o->items;

        o->items = items;
        items = old;
        o->bytes = bytes;
    }
    array_finish(&items);
    return is_fine;
}

/* One step to something better; false: there is none. */
static bool improve(struct ordering *o)
{
    struct size large;

    find_sizes(o);
    for (unsigned i = 0; i < o->found_count; i++)
        for (unsigned k = 0; k < o->found_count; k++)
            if (i != k && o->tries < TRIES &&
                find_multiple(o, &o->found[i], &o->found[k], &large) &&
                try(o, &o->found[i], &large))
                return true;
    return false;
}

const struct ir_expr *plan_order(struct pass_run *run, const struct plan_sizes *sizes,
                                 struct plan_items *items, const struct ir_expr *bytes)
{
    struct ordering o = {.run = run, .sizes = sizes, .bytes = bytes};

    if (bytes->kind == IR_EXPR_int || items->count > ITEMS)
        return bytes;
    for (size_t i = 0; i < items->count; i++)
        array_push(&o.items, items->items[i]);
    while (improve(&o))
        ;
    for (size_t i = 0; i < items->count; i++)
        items->items[i].offset = o.items.items[i].offset;
    array_finish(&o.items);
    return o.bytes;
}
