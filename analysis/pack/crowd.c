/* Who meets whom: a tree over the parts, which are sorted by begin, with the latest end below each node. */
#include "analysis/pack/greedy.h"

#include <string.h>

void crowd_init(struct crowd *crowd, const struct pack_problem *problem, struct arena *scratch)
{
    *crowd = (struct crowd){.problem = problem, .leaves = 1};
    while (crowd->leaves < problem->count)
        crowd->leaves *= 2;
    crowd->last = arena_array(scratch, uint32_t, 2 * crowd->leaves);
}

void crowd_clear(struct crowd *crowd)
{
    memset(crowd->last, 0, 2 * crowd->leaves * sizeof(*crowd->last));
}

void crowd_add(struct crowd *crowd, uint32_t part)
{
    uint32_t last = crowd->problem->parts[part].last;

    for (size_t k = crowd->leaves + part; k && crowd->last[k] < last; k /= 2)
        crowd->last[k] = last;
}

void crowd_remove(struct crowd *crowd, uint32_t part)
{
    size_t k = crowd->leaves + part;

    crowd->last[k] = 0;
    for (k /= 2; k; k /= 2) {
        uint32_t left = crowd->last[2 * k], right = crowd->last[2 * k + 1];
        uint32_t last = left > right ? left : right;

        if (crowd->last[k] == last)
            break;
        crowd->last[k] = last;
    }
}

/* How many parts begin in front of section @end. */
static size_t begun_before(const struct pack_problem *problem, uint32_t end)
{
    size_t low = 0, high = problem->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (problem->parts[middle].first < end)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Those that meet @part begin in front of its end, and end behind its begin. */
size_t crowd_list(struct crowd *crowd, const struct pack_part *part, uint32_t *out_parts)
{
    struct {
        size_t node, first, width; /* its leaves */
    } stack[2 * 64];
    size_t limit = begun_before(crowd->problem, part->last), depth = 0, count = 0;

    stack[depth].node = 1;
    stack[depth].first = 0;
    stack[depth++].width = crowd->leaves;
    while (depth) {
        size_t node = stack[--depth].node, first = stack[depth].first, width = stack[depth].width;

        crowd->work++;
        if (crowd->last[node] <= part->first || first >= limit)
            continue;
        if (width == 1) {
            out_parts[count++] = (uint32_t)first;
            continue;
        }
        stack[depth].node = 2 * node + 1;
        stack[depth].first = first + width / 2;
        stack[depth++].width = width / 2;
        stack[depth].node = 2 * node;
        stack[depth].first = first;
        stack[depth++].width = width / 2;
    }
    return count;
}
