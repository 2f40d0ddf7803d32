/* Branch and bound: see search.h. */
#include "analysis/pack/search.h"

#include "analysis/pack/search_state.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CLOCK_EVERY = 1 << 20 };

/* Members that are connected in time, and of which none is placed when the frame begins: order[begin, end). */
struct frame {
    uint32_t begin, end;
    uint32_t chosen; /* was placed, and what follows is being searched; or PACK_NOBODY */
    uint32_t groups; /* then: in groups[], from here on to group_count, what is left of the rest */
    size_t mark, placed_mark; /* lengths of the trail */
};

struct group {
    uint32_t begin, end;
};

struct pack_search {
    struct state state;
    const struct pack_problem *problem;
    uint32_t *order, *sorted;
    struct frame *frames;
    struct group *groups;
    uint32_t frame_count, group_count;
    uint32_t *cuts;
};

double pack_clock(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

struct pack_search *pack_search_create(const struct pack_problem *problem, uint32_t begin,
                                       uint32_t end, struct arena *scratch)
{
    struct pack_search *search = arena_new(scratch, struct pack_search);

    if (!state_init(&search->state, problem, begin, end, scratch))
        return NULL;
    size_t count = search->state.count;

    search->problem = problem;
    search->order = arena_array(scratch, uint32_t, count + 1);
    search->sorted = arena_array(scratch, uint32_t, count + 1);
    search->frames = arena_array(scratch, struct frame, count + 1);
    search->groups = arena_array(scratch, struct group, 2 * count + 1);
    search->cuts = arena_array(scratch, uint32_t, search->state.sections + 1);
    return search;
}

void pack_search_destroy(struct pack_search *search)
{
    if (search)
        state_finish(&search->state);
}

/* ---- ranks ---- */

struct rank_key {
    double keys[3];
    uint32_t member;
};

static int compare_ranks(const void *a, const void *b)
{
    const struct rank_key *x = a, *y = b;

    for (unsigned i = 0; i < 3; i++)
        if (x->keys[i] != y->keys[i])
            return x->keys[i] > y->keys[i] ? -1 : 1; /* great ones first */
    return (x->member > y->member) - (x->member < y->member);
}

/* 1; with later ranks a number from 1 on, always the same. */
static double blur(unsigned rank, uint32_t member)
{
    unsigned level = (rank / PACK_BASIC_RANKS + 2) % 3 + 1;
    uint64_t hash = hash_again(hash_mix(hash_mix(rank, member), member));

    return rank < PACK_BASIC_RANKS ? 1 : 1 + level * 0.25 * (double)(hash >> 11) * 0x1p-53;
}

static void set_ranks(struct pack_search *search, unsigned rank, struct arena *scratch)
{
    struct state *state = &search->state;
    struct rank_key *keys = arena_array(scratch, struct rank_key, state->count + 1);

    for (uint32_t i = 0; i < state->count; i++) {
        const struct member *member = &state->members[i];
        const struct pack_part *part = &search->problem->parts[member->part];
        double width = (double)search->problem->times[part->last] -
                       (double)search->problem->times[part->first];
        double area = width * (double)part->size, most = (double)part->most;
        const double orders[PACK_BASIC_RANKS][3] = {
            {width, area, most},
            {most, width, area},
            {-(double)part->first, area, most},
            {most, area, width},
        };

        memcpy(keys[i].keys, orders[rank % PACK_BASIC_RANKS], sizeof(keys[i].keys));
        keys[i].keys[0] *= blur(rank, i);
        keys[i].member = i;
    }
    qsort(keys, state->count, sizeof(*keys), compare_ranks);
    for (uint32_t i = 0; i < state->count; i++)
        state->members[keys[i].member].rank = i;
}

/* ---- groups ---- */

/* Where nothing that is still to come lives on, within the life of the placed @member. */
static uint32_t find_cuts(const struct pack_search *search, const struct member *member)
{
    uint32_t count = 0;

    for (uint32_t s = member->first + 1; s < member->last; s++)
        if (search->state.crossing[s] == 0)
            search->cuts[count++] = s;
    return count;
}

/* How many of @count cuts lie at or in front of @first. */
static uint32_t group_of(const struct pack_search *search, uint32_t count, uint32_t first)
{
    uint32_t low = 0, high = count;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (search->cuts[middle] <= first)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int compare_groups(const void *a, const void *b)
{
    const struct group *x = a, *y = b;
    uint32_t left = x->end - x->begin, right = y->end - y->begin;

    if (left != right)
        return left > right ? -1 : 1; /* the smallest is taken from the end first */
    return (x->begin < y->begin) - (x->begin > y->begin);
}

/* Pushes the groups into which order[begin, end) falls with the @cuts. */
static void split(struct pack_search *search, uint32_t begin, uint32_t end, uint32_t cuts)
{
    struct group *groups = search->groups + search->group_count;
    uint32_t at = begin, count = 0;

    memcpy(search->sorted + begin, search->order + begin, (end - begin) * sizeof(uint32_t));
    for (uint32_t g = 0; g <= cuts; g++) {
        uint32_t from = at;

        for (uint32_t i = begin; i < end; i++)
            if (group_of(search, cuts, search->state.members[search->sorted[i]].first) == g)
                search->order[at++] = search->sorted[i];
        if (at > from)
            groups[count++] = (struct group){from, at};
    }
    search->state.work += (uint64_t)(end - begin) * (cuts + 1);
    qsort(groups, count, sizeof(*groups), compare_groups);
    search->group_count += count;
}

/* What is left of @frame when its chosen member, which stands first in it, is placed. */
static void find_groups(struct pack_search *search, struct frame *frame)
{
    uint32_t begin = frame->begin + 1;
    uint32_t cuts = find_cuts(search, &search->state.members[frame->chosen]);

    frame->groups = search->group_count;
    if (begin == frame->end)
        return;
    if (cuts)
        split(search, begin, frame->end, cuts);
    else
        search->groups[search->group_count++] = (struct group){begin, frame->end};
}

/* ---- frames ---- */

static void push(struct pack_search *search, struct group group)
{
    search->frames[search->frame_count++] = (struct frame){
        group.begin, group.end, PACK_NOBODY, search->group_count, search->state.trail.count, 0};
}

/* The member whose least offset is lowest; it comes to stand first. */
static uint32_t choose(struct pack_search *search, const struct frame *frame)
{
    const struct member *members = search->state.members;
    uint32_t *order = search->order;
    uint32_t best = frame->begin;

    for (uint32_t i = frame->begin + 1; i < frame->end; i++) {
        const struct member *a = &members[order[i]], *b = &members[order[best]];

        if (a->least < b->least || (a->least == b->least && a->rank < b->rank))
            best = i;
    }
    search->state.work += frame->end - frame->begin;
    uint32_t chosen = order[best];

    order[best] = order[frame->begin];
    order[frame->begin] = chosen;
    return chosen;
}

/* Places members until one starts a branch; false: the frame has no plan. */
static bool advance(struct pack_search *search, struct frame *frame)
{
    struct state *state = &search->state;

    for (;;) {
        uint32_t chosen = choose(search, frame);

        if (state->members[chosen].least == state->members[chosen].rest) {
            frame->placed_mark = state->trail.count;
            if (state_place(state, chosen)) {
                frame->chosen = chosen;
                find_groups(search, frame);
                return true;
            }
            state_undo(state, frame->placed_mark);
        }
        if (!state_raise(state, chosen))
            return false;
    }
}

/* The chosen member of @frame led to nothing. */
static bool retract(struct pack_search *search, struct frame *frame)
{
    uint32_t chosen = frame->chosen;

    state_undo(&search->state, frame->placed_mark);
    search->group_count = frame->groups;
    frame->chosen = PACK_NOBODY;
    return state_raise(&search->state, chosen) && advance(search, frame);
}

/* The search is at an end, and this is how. */
static enum pack_verdict unwind(struct pack_search *search, uint64_t most_work,
                                struct pack_budget *budget)
{
    struct state *state = &search->state;
    uint64_t next_look = CLOCK_EVERY;
    bool is_fine = true;

    while (search->frame_count) {
        struct frame *frame = &search->frames[search->frame_count - 1];

        if (frame->chosen == PACK_NOBODY)
            is_fine = advance(search, frame);
        else if (!is_fine)
            is_fine = retract(search, frame);
        if (!is_fine) {
            state_undo(state, frame->mark);
            search->frame_count--;
        } else if (search->group_count > frame->groups) {
            push(search, search->groups[--search->group_count]);
        } else {
            search->frame_count--;
        }
        if (state->work > most_work)
            return PACK_UNKNOWN;
        if (state->work > next_look) {
            next_look = state->work + CLOCK_EVERY;
            if ((budget->is_out_of_time = pack_clock() > budget->end))
                return PACK_UNKNOWN;
        }
    }
    return is_fine ? PACK_FOUND : PACK_NONE;
}

enum pack_verdict pack_search_run(struct pack_search *search, int64_t capacity, unsigned rank,
                                  uint64_t work, struct pack_budget *budget, int64_t *offsets)
{
    struct state *state = &search->state;
    struct arena scratch = {0};
    uint64_t left = budget->most_work - budget->work;

    set_ranks(search, rank, &scratch);
    arena_finish(&scratch);
    state->work = 0;
    search->frame_count = search->group_count = 0;
    for (uint32_t i = 0; i < state->count; i++)
        search->order[i] = i;
    if (!state_start(state, capacity))
        return PACK_NONE;
    if (state->count)
        push(search, (struct group){0, state->count});
    enum pack_verdict verdict = unwind(search, work < left ? work : left, budget);

    budget->work += state->work;
    if (verdict == PACK_FOUND)
        for (uint32_t i = 0; i < state->count; i++)
            offsets[state->members[i].part] = state->members[i].rest;
    return verdict;
}
