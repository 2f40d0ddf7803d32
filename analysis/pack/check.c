/*
 * Whether items can be planned, and whether a plan is one.
 *
 * Shares nothing with the packing, which it is the judge of: parts of a plan are taken by rising offset,
 * and each must lie on or above all that was taken before at its steps.
 */
#include "analysis/pack/pack.h"
#include "base/memory.h"
#include "base/number.h"

#include <stdlib.h>

static bool is_real(const struct pack_item *item)
{
    return item->size > 0 && item->lower < item->upper;
}

/* ---- the highest so far, by step ---- */

/*
 * A tree over the distinct steps, in order: a leaf a step, node k with the children 2k and 2k + 1.
 * `all` is the highest item that covers a whole node, `any` the highest in it or below.
 */
struct skyline {
    const struct pack_item *items;
    int64_t *steps;
    size_t step_count, leaves;
    size_t *all, *any; /* item + 1; 0: none */
};

static int compare_steps(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

static void skyline_init(struct skyline *sky, const struct pack_item *items, size_t count)
{
    size_t kept = 0;

    *sky = (struct skyline){.items = items, .steps = memory_new(sizeof(int64_t), 2 * count + 1)};
    for (size_t i = 0; i < count; i++) {
        sky->steps[2 * i] = items[i].lower;
        sky->steps[2 * i + 1] = items[i].upper;
    }
    qsort(sky->steps, 2 * count, sizeof(int64_t), compare_steps);
    for (size_t i = 0; i < 2 * count; i++)
        if (i == 0 || sky->steps[i] != sky->steps[kept - 1])
            sky->steps[kept++] = sky->steps[i];
    sky->step_count = kept;
    for (sky->leaves = 1; sky->leaves < kept;)
        sky->leaves *= 2;
    sky->all = memory_new(sizeof(size_t), 2 * sky->leaves);
    sky->any = memory_new(sizeof(size_t), 2 * sky->leaves);
}

static void skyline_finish(struct skyline *sky)
{
    memory_free(sky->steps);
    memory_free(sky->all);
    memory_free(sky->any);
}

static size_t leaf_of(const struct skyline *sky, int64_t step)
{
    const int64_t *found = bsearch(&step, sky->steps, sky->step_count, sizeof(step), compare_steps);

    return sky->leaves + (size_t)(found - sky->steps);
}

static size_t higher(const struct skyline *sky, size_t a, size_t b)
{
    if (!a || !b)
        return a ? a : b;
    return sky->items[a - 1].offset + sky->items[a - 1].size >=
                   sky->items[b - 1].offset + sky->items[b - 1].size
               ? a
               : b;
}

/* The highest item that lives at a step of @item, + 1. */
static size_t skyline_highest(const struct skyline *sky, const struct pack_item *item)
{
    size_t a = leaf_of(sky, item->lower), b = leaf_of(sky, item->upper), found = 0;

    for (size_t k = a / 2; k; k /= 2)
        found = higher(sky, found, sky->all[k]);
    for (size_t k = (b - 1) / 2; k; k /= 2)
        found = higher(sky, found, sky->all[k]);
    for (; a < b; a /= 2, b /= 2) {
        if (a % 2)
            found = higher(sky, found, sky->any[a++]);
        if (b % 2)
            found = higher(sky, found, sky->any[--b]);
    }
    return found;
}

static void skyline_add(struct skyline *sky, size_t index)
{
    size_t a = leaf_of(sky, sky->items[index].lower), b = leaf_of(sky, sky->items[index].upper);
    size_t first = a, last = b - 1;

    for (; a < b; a /= 2, b /= 2) {
        if (a % 2) {
            sky->all[a] = higher(sky, sky->all[a], index + 1);
            sky->any[a] = higher(sky, sky->any[a], index + 1);
            a++;
        }
        if (b % 2) {
            b--;
            sky->all[b] = higher(sky, sky->all[b], index + 1);
            sky->any[b] = higher(sky, sky->any[b], index + 1);
        }
    }
    for (size_t k = first / 2; k; k /= 2)
        sky->any[k] = higher(sky, sky->any[k], index + 1);
    for (size_t k = last / 2; k; k /= 2)
        sky->any[k] = higher(sky, sky->any[k], index + 1);
}

/* ---- plans ---- */

struct placed {
    int64_t offset;
    size_t index;
};

static int compare_placed(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;

    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static void set(size_t *out, size_t value)
{
    if (out)
        *out = value;
}

/* Do two of @order, sorted by offset, meet? */
static bool is_apart(const struct pack_item *items, size_t count, const struct placed *order,
                     size_t order_count, size_t *out_item, size_t *out_other)
{
    struct skyline sky;
    bool is_fine = true;

    skyline_init(&sky, items, count);
    for (size_t i = 0; i < order_count && is_fine; i++) {
        const struct pack_item *item = &items[order[i].index];
        size_t below = skyline_highest(&sky, item);

        is_fine = !below || items[below - 1].offset + items[below - 1].size <= item->offset;
        if (!is_fine) {
            size_t a = order[i].index, b = below - 1;

            set(out_item, a > b ? a : b);
            set(out_other, a > b ? b : a);
        }
        skyline_add(&sky, order[i].index);
    }
    skyline_finish(&sky);
    return is_fine;
}

static bool is_aligned(const struct pack_item *item)
{
    return item->alignment <= 1 || item->offset % item->alignment == 0;
}

/* Those of @items with life and bytes, and only the fixed ones if @is_only_fixed. */
static bool are_apart(const struct pack_item *items, size_t count, bool is_only_fixed,
                      size_t *out_item, size_t *out_other)
{
    struct placed *order = memory_new(sizeof(*order), count + 1);
    size_t kept = 0;

    for (size_t i = 0; i < count; i++)
        if (is_real(&items[i]) && (items[i].is_fixed || !is_only_fixed))
            order[kept++] = (struct placed){items[i].offset, i};
    if (kept)
        qsort(order, kept, sizeof(*order), compare_placed);
    bool is_fine = is_apart(items, count, order, kept, out_item, out_other);
    memory_free(order);
    return is_fine;
}

bool pack_is_valid(const struct pack_item *items, size_t count, size_t *out_item, size_t *out_other)
{
    for (size_t i = 0; i < count; i++) {
        int64_t end;

        if (items[i].offset < 0 || !is_aligned(&items[i]) ||
            __builtin_add_overflow(items[i].offset, items[i].size, &end)) {
            set(out_item, i);
            set(out_other, i);
            return false;
        }
    }
    return are_apart(items, count, false, out_item, out_other);
}

int64_t pack_height(const struct pack_item *items, size_t count)
{
    int64_t height = 0;

    for (size_t i = 0; i < count; i++)
        if (is_real(&items[i]) && height < items[i].offset + items[i].size)
            height = items[i].offset + items[i].size;
    return height;
}

/* ---- items ---- */

static enum pack_fault check_alone(const struct pack_item *item)
{
    if (item->lower > item->upper)
        return PACK_LIFE;
    if (item->size < 0 || item->alignment < 0 || (item->is_fixed && item->offset < 0))
        return PACK_NEGATIVE;
    if (item->size > PACK_LARGEST || item->alignment > PACK_LARGEST ||
        (item->is_fixed && item->offset > PACK_LARGEST))
        return PACK_TOO_LARGE;
    return item->is_fixed && !is_aligned(item) ? PACK_ALIGNMENT : PACK_FINE;
}

/* Begins and ends of lives, in order; at one step ends first. */
struct event {
    int64_t step, change;
    size_t index;
};

static int compare_events(const void *a, const void *b)
{
    const struct event *x = a, *y = b;

    if (x->step != y->step)
        return x->step < y->step ? -1 : 1;
    if ((x->change < 0) != (y->change < 0))
        return x->change < 0 ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* What @item takes at most, padding included; two of these are a number. */
static int64_t padded(const struct pack_item *item)
{
    uint64_t alignment = item->alignment > 1 ? (uint64_t)item->alignment : 1;
    uint64_t over = (uint64_t)item->size % alignment;

    return (int64_t)((uint64_t)item->size + (over ? alignment - over : 0));
}

/* Does what lives at one step exceed PACK_LARGEST?  *out_item: who makes it so. */
static bool is_too_much(const struct pack_item *items, size_t count, size_t *out_item)
{
    struct event *events = memory_new(sizeof(*events), 2 * count + 1);
    size_t kept = 0;
    int64_t alive = 0;

    for (size_t i = 0; i < count; i++)
        if (is_real(&items[i])) {
            events[kept++] = (struct event){items[i].lower, padded(&items[i]), i};
            events[kept++] = (struct event){items[i].upper, -padded(&items[i]), i};
        }
    if (kept)
        qsort(events, kept, sizeof(*events), compare_events);
    for (size_t k = 0; k < kept && alive <= PACK_LARGEST; k++) {
        alive += events[k].change;
        *out_item = events[k].index;
    }
    memory_free(events);
    return alive > PACK_LARGEST;
}

enum pack_fault pack_check(const struct pack_item *items, size_t count, size_t *out_item,
                           size_t *out_other)
{
    for (size_t i = 0; i < count; i++) {
        enum pack_fault fault = check_alone(&items[i]);

        if (fault != PACK_FINE) {
            *out_item = *out_other = i;
            return fault;
        }
    }
    if (is_too_much(items, count, out_item)) {
        *out_other = *out_item;
        return PACK_TOO_LARGE;
    }
    return are_apart(items, count, true, out_item, out_other) ? PACK_FINE : PACK_COLLISION;
}
