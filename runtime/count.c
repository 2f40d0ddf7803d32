/*
 * What values need, for a run that counts it: storage for several tensors counts as what lives in it, so
 * that the most that was needed at one time is what no plan of the same order of operations can be below.
 */
#include "runtime/internal.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 }; /* tensors in one piece of storage begin at multiples of it */

void inlay_count(struct inlay_frame *owner, size_t bytes)
{
    struct inlay_stats *stats = &owner->stats;
    stats->value_bytes += bytes;
    stats->needed_bytes += bytes;
    if (stats->needed_bytes > stats->needed_peak_bytes)
        stats->needed_peak_bytes = stats->needed_bytes;
}

/* How many of the tensors that are counted begin at @data or below. */
static size_t count_up_to(const struct inlay_counted *counted, const char *data)
{
    size_t first = 0, last = counted->count;
    while (first < last) {
        size_t middle = first + (last - first) / 2;
        if ((uintptr_t)counted->items[middle].data <= (uintptr_t)data)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

/* False when memory is short: what is not counted is no reason to fail. */
static bool make_room(struct inlay_counted *counted)
{
    if (counted->count < counted->capacity)
        return true;
    size_t capacity = 2 * counted->capacity + 16;
    struct inlay_counted_tensor *items =
        realloc(counted->items, capacity * sizeof(*counted->items));
    if (!items)
        return false;
    counted->items = items;
    counted->capacity = capacity;
    return true;
}

static void remove_from(struct inlay_frame *frame, size_t first, size_t end)
{
    struct inlay_counted *counted = &frame->counted;
    for (size_t i = first; i < end; i++)
        frame->stats.needed_bytes -= counted->items[i].bytes;
    if (end < counted->count)
        memmove(&counted->items[first], &counted->items[end],
                (counted->count - end) * sizeof(*counted->items));
    counted->count -= end - first;
}

void inlay_count_tensor(struct inlay_frame *frame, const void *data, int64_t bytes)
{
    struct inlay_counted *counted = &frame->counted;
    if (bytes <= 0 || !make_room(counted))
        return;
    size_t at = count_up_to(counted, data);
    memmove(&counted->items[at + 1], &counted->items[at],
            (counted->count - at) * sizeof(*counted->items));
    counted->count++;
    counted->items[at].data = data;
    counted->items[at].bytes = ((size_t)bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    inlay_count(frame, counted->items[at].bytes);
    frame->stats.value_bytes -= counted->items[at].bytes - (size_t)bytes;
}

void inlay_count_end(struct inlay_frame *frame, const void *data)
{
    const struct inlay_counted *counted = &frame->counted;
    size_t at = count_up_to(counted, data);
    if (at > 0 && (uintptr_t)data - (uintptr_t)counted->items[at - 1].data <
                      (uintptr_t)counted->items[at - 1].bytes)
        remove_from(frame, at - 1, at);
}

void inlay_count_free(struct inlay_frame *owner, const char *data, size_t bytes)
{
    const struct inlay_counted *counted = &owner->counted;
    if (counted->count == 0 || bytes == 0)
        return;
    size_t end = count_up_to(counted, data + bytes - 1), first = end;
    while (first > 0 && (uintptr_t)counted->items[first - 1].data >= (uintptr_t)data)
        first--;
    remove_from(owner, first, end);
}
