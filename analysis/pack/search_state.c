/* What is placed, what that says of the rest, and how to go back. */
#include "analysis/pack/search_state.h"

#include <stdlib.h>
#include <string.h>

enum { LISTS_LIMIT = 1 << 24 };

/* ---- setting up ---- */

static bool are_lists_small(const struct pack_problem *problem, uint32_t begin, uint32_t end)
{
    uint64_t length = 0, fixed = 0;

    for (uint32_t i = begin; i < end; i++) {
        length += problem->parts[i].meetings + problem->parts[i].last - problem->parts[i].first;
        fixed += problem->parts[i].is_fixed;
    }
    return length + fixed * (end - begin) <= LISTS_LIMIT;
}

static void make_members(struct state *state, const struct pack_problem *problem, uint32_t begin,
                         uint32_t end, struct arena *scratch)
{
    uint32_t origin = problem->parts[begin].first;

    state->members = arena_array(scratch, struct member, end - begin);
    for (uint32_t i = begin; i < end; i++) {
        const struct pack_part *part = &problem->parts[i];

        if (state->sections < part->last - origin)
            state->sections = part->last - origin;
        if (!part->is_fixed)
            state->members[state->count++] = (struct member){.first = part->first - origin,
                                                             .last = part->last - origin,
                                                             .part = i,
                                                             .size = part->size,
                                                             .padded = part->padded,
                                                             .alignment = part->alignment};
    }
}

/* Calls for each pair that meets.  Members are sorted by begin: whom one meets later stand behind it. */
static void for_each_pair(struct state *state, void (*visit)(struct state *, uint32_t, uint32_t))
{
    for (uint32_t i = 0; i < state->count; i++)
        for (uint32_t k = i + 1;
             k < state->count && state->members[k].first < state->members[i].last; k++)
            visit(state, i, k);
}

static void count_pair(struct state *state, uint32_t a, uint32_t b)
{
    state->neighbor_begin[a + 1]++;
    state->neighbor_begin[b + 1]++;
}

static void fill_pair(struct state *state, uint32_t a, uint32_t b)
{
    state->neighbors[state->neighbor_begin[a]++] = b;
    state->neighbors[state->neighbor_begin[b]++] = a;
}

static void make_neighbors(struct state *state, struct arena *scratch)
{
    uint32_t *begin = arena_array(scratch, uint32_t, state->count + 1);

    state->neighbor_begin = begin;
    for_each_pair(state, count_pair);
    for (uint32_t i = 0; i < state->count; i++)
        begin[i + 1] += begin[i];
    state->neighbors = arena_array(scratch, uint32_t, begin[state->count] + 1);
    for_each_pair(state, fill_pair);
    memmove(begin + 1, begin, state->count * sizeof(*begin)); /* each had moved to the next */
    begin[0] = 0;
}

static void make_alive(struct state *state, struct arena *scratch)
{
    uint32_t *next = arena_array(scratch, uint32_t, state->sections + 1);

    state->alive_begin = arena_array(scratch, uint32_t, state->sections + 1);
    for (uint32_t i = 0; i < state->count; i++)
        for (uint32_t s = state->members[i].first; s < state->members[i].last; s++)
            state->alive_begin[s + 1]++;
    for (uint32_t s = 0; s < state->sections; s++)
        next[s + 1] = state->alive_begin[s + 1] += state->alive_begin[s];
    state->alive = arena_array(scratch, uint32_t, state->alive_begin[state->sections] + 1);
    for (uint32_t i = 0; i < state->count; i++)
        for (uint32_t s = state->members[i].first; s < state->members[i].last; s++)
            state->alive[next[s]++] = i;
}

static int compare_extents(const void *a, const void *b)
{
    const struct extent *x = a, *y = b;

    return (x->offset > y->offset) - (x->offset < y->offset);
}

static void make_fixed(struct state *state, const struct pack_problem *problem, uint32_t begin,
                       uint32_t end, struct arena *scratch)
{
    array(struct pack_part) fixed = {0};
    array(struct extent) all = {0};

    for (uint32_t k = begin; k < end; k++)
        if (problem->parts[k].is_fixed)
            array_push(&fixed, problem->parts[k]);
    state->fixed_begin = arena_array(scratch, uint32_t, state->count + 1);
    for (uint32_t i = 0; i < state->count; i++) {
        const struct pack_part *own = &problem->parts[state->members[i].part];
        size_t from = all.count;

        for (size_t k = 0; k < fixed.count; k++) {
            const struct pack_part *part = &fixed.items[k];

            if (part->first < own->last && own->first < part->last)
                array_push(&all, (struct extent){part->offset, part->offset + part->size});
        }
        if (all.count > from)
            qsort(all.items + from, all.count - from, sizeof(*all.items), compare_extents);
        state->fixed_begin[i + 1] = (uint32_t)all.count;
    }
    state->fixed = arena_array(scratch, struct extent, all.count + 1);
    if (all.count)
        memcpy(state->fixed, all.items, all.count * sizeof(*all.items));
    array_finish(&all);
    array_finish(&fixed);
}

bool state_init(struct state *state, const struct pack_problem *problem, uint32_t begin,
                uint32_t end, struct arena *scratch)
{
    *state = (struct state){.grain = problem->grain};
    if (!are_lists_small(problem, begin, end))
        return false;
    make_members(state, problem, begin, end, scratch);
    make_neighbors(state, scratch);
    make_alive(state, scratch);
    make_fixed(state, problem, begin, end, scratch);
    state->floor = arena_array(scratch, int64_t, state->sections + 1);
    state->lowest = arena_array(scratch, uint32_t, state->sections + 1);
    state->remaining = arena_array(scratch, int64_t, state->sections + 1);
    state->crossing = arena_array(scratch, uint32_t, state->sections + 1);
    return true;
}

void state_finish(struct state *state)
{
    array_finish(&state->trail);
}

/* ---- what follows from what ---- */

/* The least offset from @offset on at which @index is aligned and meets nothing fixed. */
static int64_t settle(const struct state *state, uint32_t index, int64_t offset)
{
    const struct member *member = &state->members[index];

    offset = pack_align(offset, member->alignment);
    for (uint32_t k = state->fixed_begin[index]; k < state->fixed_begin[index + 1]; k++) {
        const struct extent *fixed = &state->fixed[k];

        if (fixed->offset >= offset + member->size)
            break;
        if (fixed->top > offset)
            offset = pack_align(fixed->top, member->alignment);
    }
    return offset;
}

static void find_lowest(struct state *state, uint32_t section)
{
    int64_t floor = INT64_MAX;
    uint32_t lowest = PACK_NOBODY;

    for (uint32_t k = state->alive_begin[section]; k < state->alive_begin[section + 1]; k++) {
        const struct member *member = &state->members[state->alive[k]];

        if (!member->is_placed && member->least < floor) {
            floor = member->least;
            lowest = state->alive[k];
        }
    }
    state->work += state->alive_begin[section + 1] - state->alive_begin[section];
    state->floor[section] = floor;
    state->lowest[section] = lowest;
}

static bool has_room(const struct state *state, uint32_t section)
{
    return state->lowest[section] == PACK_NOBODY ||
           state->remaining[section] <= state->height - state->floor[section];
}

/* The sections where @index was the lowest get another floor. */
static bool update_sections(struct state *state, uint32_t index)
{
    const struct member *member = &state->members[index];

    for (uint32_t s = member->first; s < member->last; s++) {
        if (state->lowest[s] != index)
            continue;
        array_push(&state->trail, (struct change){.kind = CHANGED_SECTION,
                                                  .index = s,
                                                  .lowest = index,
                                                  .value = state->floor[s]});
        find_lowest(state, s);
        if (!has_room(state, s))
            return false;
    }
    return true;
}

bool state_start(struct state *state, int64_t capacity)
{
    bool has_plan = true;

    state->capacity = capacity;
    state->height = pack_align(capacity, state->grain);
    state->trail.count = 0;
    memset(state->remaining, 0, state->sections * sizeof(*state->remaining));
    memset(state->crossing, 0, state->sections * sizeof(*state->crossing));
    for (uint32_t i = 0; i < state->count; i++) {
        struct member *member = &state->members[i];

        member->is_placed = false;
        member->least = member->rest = settle(state, i, 0);
        has_plan &= member->least <= capacity - member->size;
        for (uint32_t s = member->first; s < member->last; s++) {
            state->remaining[s] += member->padded;
            state->crossing[s] += s > member->first;
        }
    }
    for (uint32_t s = 0; s < state->sections; s++) {
        find_lowest(state, s);
        has_plan &= has_room(state, s);
    }
    return has_plan;
}

/* A neighbor rests at @top or above. */
static bool rest_on(struct state *state, uint32_t index, int64_t top)
{
    struct member *member = &state->members[index];

    if (member->rest >= top)
        return true;
    array_push(&state->trail, (struct change){.kind = CHANGED_LEAST,
                                              .index = index,
                                              .value = member->least,
                                              .rest = member->rest});
    member->rest = settle(state, index, top);
    if (member->least < member->rest)
        member->least = member->rest;
    return member->least <= state->capacity - member->size;
}

static void take(struct state *state, uint32_t index)
{
    struct member *member = &state->members[index];

    member->is_placed = true;
    array_push(&state->trail, (struct change){.kind = CHANGED_PLACE, .index = index});
    for (uint32_t s = member->first; s < member->last; s++) {
        state->remaining[s] -= member->padded;
        state->crossing[s] -= s > member->first;
    }
}

static void put_back(struct state *state, uint32_t index)
{
    struct member *member = &state->members[index];

    member->is_placed = false;
    for (uint32_t s = member->first; s < member->last; s++) {
        state->remaining[s] += member->padded;
        state->crossing[s] += s > member->first;
    }
}

bool state_place(struct state *state, uint32_t index)
{
    const struct member *member = &state->members[index];
    uint32_t begin = state->neighbor_begin[index], end = state->neighbor_begin[index + 1];
    size_t from = state->trail.count + 1;

    state->work += end - begin;
    take(state, index);
    for (uint32_t k = begin; k < end; k++)
        if (!state->members[state->neighbors[k]].is_placed &&
            !rest_on(state, state->neighbors[k], member->rest + member->size))
            return false;
    if (!update_sections(state, index))
        return false;
    for (size_t k = from, to = state->trail.count; k < to; k++)
        if (state->trail.items[k].kind == CHANGED_LEAST &&
            !update_sections(state, state->trail.items[k].index))
            return false;
    return true;
}

bool state_raise(struct state *state, uint32_t index)
{
    struct member *member = &state->members[index];
    int64_t top = member->rest + member->size, lowest = INT64_MAX;

    state->work += state->neighbor_begin[index + 1] - state->neighbor_begin[index];
    for (uint32_t k = state->neighbor_begin[index]; k < state->neighbor_begin[index + 1]; k++) {
        const struct member *other = &state->members[state->neighbors[k]];

        if (!other->is_placed && other->least < top && other->least + other->size < lowest)
            lowest = other->least + other->size;
    }
    if (lowest > state->capacity - member->size)
        return false;
    array_push(&state->trail, (struct change){.kind = CHANGED_LEAST,
                                              .index = index,
                                              .value = member->least,
                                              .rest = member->rest});
    member->least = settle(state, index, lowest);
    return member->least <= state->capacity - member->size && update_sections(state, index);
}

void state_undo(struct state *state, size_t length)
{
    while (state->trail.count > length) {
        const struct change *change = &array_pop(&state->trail);

        switch (change->kind) {
        case CHANGED_LEAST:
            state->members[change->index].least = change->value;
            state->members[change->index].rest = change->rest;
            break;
        case CHANGED_SECTION:
            state->floor[change->index] = change->value;
            state->lowest[change->index] = change->lowest;
            break;
        case CHANGED_PLACE:
            put_back(state, change->index);
        }
    }
}
