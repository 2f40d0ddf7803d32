/*
 * Whoever can go lowest goes there: on what is placed already, without looking for holes below.  This is
 * how the search (search.h) goes if it never turns back.
 */
#include "analysis/pack/greedy.h"

#include <string.h>

enum { MEETINGS = 1 << 23 }; /* more would take too long */

/* Where a part could go. */
struct seat {
    int64_t offset;
    uint32_t rank, part;
};

struct layers {
    const struct pack_problem *problem;
    struct crowd crowd; /* those to come */
    struct seat
        *heap; /* the lowest on top; of a part that was raised, the seats below count no more */
    size_t heap_count;
    uint32_t *ranks, *listed;
    int64_t *offsets; /* of those to come: where they would rest */
    bool *is_placed;
    uint64_t work;
};

struct layers *layers_create(const struct pack_problem *problem, struct arena *scratch)
{
    struct layers *layers = arena_new(scratch, struct layers);
    size_t count = problem->count, meetings = 0;

    for (uint32_t i = 0; i < count; i++) {
        meetings += problem->parts[i].meetings;
        if (problem->parts[i].is_fixed || meetings > MEETINGS)
            return NULL;
    }
    layers->problem = problem;
    crowd_init(&layers->crowd, problem, scratch);
    layers->heap = arena_array(scratch, struct seat, count + meetings / 2 + 1);
    layers->ranks = arena_array(scratch, uint32_t, count + 1);
    layers->listed = arena_array(scratch, uint32_t, count + 1);
    layers->offsets = arena_array(scratch, int64_t, count + 1);
    layers->is_placed = arena_array(scratch, bool, count + 1);
    return layers;
}

const int64_t *layers_offsets(const struct layers *layers)
{
    return layers->offsets;
}

uint64_t layers_work(const struct layers *layers)
{
    return layers->work + layers->crowd.work;
}

static bool goes_first(const struct seat *a, const struct seat *b)
{
    return a->offset != b->offset ? a->offset < b->offset : a->rank < b->rank;
}

static void push(struct layers *layers, uint32_t part)
{
    struct seat seat = {layers->offsets[part], layers->ranks[part], part};
    struct seat *heap = layers->heap;
    size_t at = layers->heap_count++;

    for (; at && goes_first(&seat, &heap[(at - 1) / 2]); at = (at - 1) / 2)
        heap[at] = heap[(at - 1) / 2];
    heap[at] = seat;
}

static struct seat pop(struct layers *layers)
{
    struct seat *heap = layers->heap;
    struct seat top = heap[0], seat = heap[--layers->heap_count];
    size_t at = 0;

    for (size_t child; (child = 2 * at + 1) < layers->heap_count; at = child) {
        child += child + 1 < layers->heap_count && goes_first(&heap[child + 1], &heap[child]);
        if (!goes_first(&heap[child], &seat))
            break;
        heap[at] = heap[child];
    }
    heap[at] = seat;
    return top;
}

/* Those to come that meet @index rest on it. */
static void place(struct layers *layers, uint32_t index)
{
    const struct pack_part *part = &layers->problem->parts[index];
    int64_t top = layers->offsets[index] + part->size;

    layers->is_placed[index] = true;
    crowd_remove(&layers->crowd, index);
    size_t count = crowd_list(&layers->crowd, part, layers->listed);

    for (size_t i = 0; i < count; i++) {
        uint32_t other = layers->listed[i];
        int64_t offset = pack_align(top, layers->problem->parts[other].alignment);

        if (layers->offsets[other] < offset) {
            layers->offsets[other] = offset;
            push(layers, other);
        }
    }
    layers->work += 8 * (count + 1);
}

int64_t layers_fill(struct layers *layers, const uint32_t *order)
{
    const struct pack_problem *problem = layers->problem;
    int64_t height = 0;

    layers->heap_count = 0;
    crowd_clear(&layers->crowd);
    for (uint32_t i = 0; i < problem->count; i++) {
        layers->ranks[order[i]] = i;
        layers->offsets[order[i]] = 0;
        layers->is_placed[order[i]] = false;
        crowd_add(&layers->crowd, order[i]);
        push(layers, order[i]);
    }
    while (layers->heap_count) {
        struct seat seat = pop(layers);

        if (layers->is_placed[seat.part] || seat.offset != layers->offsets[seat.part])
            continue;
        if (seat.offset > PACK_LARGEST)
            return INT64_MAX;
        place(layers, seat.part);
        if (height < seat.offset + problem->parts[seat.part].size)
            height = seat.offset + problem->parts[seat.part].size;
    }
    return height;
}
