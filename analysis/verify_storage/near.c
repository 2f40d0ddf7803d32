/*
 * Which of many values may lie where one of them does: all against all would be slow for a kernel of
 * thousands of operands.  Those of one known range each are sorted; the others are near everything.
 */
#include "analysis/verify_storage/near.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const struct vs_range *x = a, *y = b;

    if (x->root != y->root)
        return x->root > y->root ? 1 : -1;
    if (x->low != y->low)
        return x->low > y->low ? 1 : -1;
    return (x->index > y->index) - (x->index < y->index);
}

/* The range of @node; false if there are several, or ends that are no numbers. */
static bool read_range(const struct vs_replay *r, unsigned node, struct vs_range *out)
{
    unsigned spot = r->d.nodes.items[node].spot;

    if (!spot || !extent_is_number(&r->spots.items[spot].extent))
        return false;
    *out = (struct vs_range){.root = r->spots.items[spot].root,
                             .low = r->spots.items[spot].extent.low,
                             .high = r->spots.items[spot].extent.high};
    return true;
}

void vs_near_add(const struct vs_replay *r, struct vs_near *near, size_t index, unsigned node)
{
    struct vs_range range;

    if (read_range(r, node, &range)) {
        range.index = index;
        array_push(&near->ranges, range);
    } else {
        array_push(&near->others, index);
    }
}

void vs_near_sort(struct vs_near *near)
{
    if (near->ranges.count > 1)
        qsort(near->ranges.items, near->ranges.count, sizeof(*near->ranges.items), compare);
    for (size_t i = 0; i < near->ranges.count; i++) {
        struct vs_range *range = &near->ranges.items[i];
        bool is_first = i == 0 || range[-1].root != range->root;

        range->most = is_first || range->high > range[-1].most ? range->high : range[-1].most;
    }
}

/* The first range that is not in front of @wanted. */
static size_t find(const struct vs_near *near, const struct vs_range *wanted)
{
    size_t low = 0, high = near->ranges.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (compare(&near->ranges.items[middle], wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void vs_near_each(const struct vs_replay *r, const struct vs_near *near, unsigned node,
                  vs_near_fn *visit, void *state)
{
    struct vs_range wanted;
    bool is_range = read_range(r, node, &wanted);
    const struct vs_range *ranges = near->ranges.items;

    for (size_t i = 0; i < near->others.count; i++)
        visit(state, near->others.items[i]);
    if (!is_range) {
        for (size_t i = 0; i < near->ranges.count; i++)
            visit(state, ranges[i].index);
        return;
    }
    size_t first = find(near, &wanted);

    for (size_t i = first;
         i < near->ranges.count && ranges[i].root == wanted.root && ranges[i].low <= wanted.high;
         i++)
        visit(state, ranges[i].index);
    while (first-- > 0 && ranges[first].root == wanted.root && ranges[first].most >= wanted.low)
        if (ranges[first].high >= wanted.low)
            visit(state, ranges[first].index);
}

void vs_near_finish(struct vs_near *near)
{
    array_finish(&near->ranges);
    array_finish(&near->others);
}
