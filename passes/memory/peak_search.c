/*
 * The search through sets of nodes that can have run (down-sets of the order), level by level.
 *
 * What is held behind a set does not depend on the order in it, so of all orders of a set only the
 * least peak counts.  Narrow problems have few sets.  Three rules make them fewer and lose nothing:
 *
 *   limit  what reaches the peak that is to be beaten is dropped
 *   free   a node behind which no more is held, and which adds nothing to the peak, runs at once:
 *          whatever comes in front of it in a best order may as well come behind it
 *   lazy   a node that ends nothing runs in front of the first that wants it
 *
 * If a level has more sets than the tries that are left allow, the best of it go on, and the result
 * is no proof.
 */
#include "base/hash.h"
#include "passes/memory/peak.h"

#include <stdlib.h>
#include <string.h>

enum {
    WORD = 64,
    STATE_LIMIT = 1 << 14, /* of one level */
    NEXT_LIMIT = 1 << 16,  /* of one level, before the best are chosen */
    FREE = -1,
};

struct state {
    int64_t peak, held;
    uint64_t hash;
    unsigned parent, node; /* the last that ran, and behind which state of the level in front */
    unsigned sets;         /* where its sets are */
};

/* How a state of a level was reached. */
struct step {
    unsigned parent, node;
};

struct level {
    array(struct state) states;
    array(uint64_t) sets; /* of each: done, then ready */
};

struct search {
    const struct peak_problem *problem;
    struct arena arena;
    unsigned words;           /* of a set */
    uint64_t *readers;        /* by value: set */
    uint64_t *needs;          /* by node: set of those in front of it that are not lazy */
    struct peak_list *lazies; /* by node: in `lazy`, those that it wants, first what others want */
    array(unsigned) lazy;
    struct level now, next;
    unsigned *table; /* of the next level: index + 1, by hash */
    size_t table_size;
    array(struct step) steps; /* of all levels */
    array(size_t) levels;     /* where each begins */
    int64_t below, floor;
    uint64_t tries, tries_left;
    bool is_exact;
};

/* ---- sets ---- */

static bool has(const uint64_t *set, unsigned item)
{
    return set[item / WORD] >> item % WORD & 1;
}

static void include(uint64_t *set, unsigned item)
{
    set[item / WORD] |= (uint64_t)1 << item % WORD;
}

static bool is_within(const struct search *s, const uint64_t *set, const uint64_t *other)
{
    for (unsigned i = 0; i < s->words; i++)
        if (set[i] & ~other[i])
            return false;
    return true;
}

static uint64_t *done_of(struct level *level, const struct state *state)
{
    return &level->sets.items[state->sets];
}

/* ---- the problem, as sets ---- */

/* Appends what @node wants of lazy nodes, and what these want; @seen is a set. */
static void add_lazies(struct search *s, unsigned node, uint64_t *seen)
{
    const struct peak_node *nodes = s->problem->nodes.items;
    array(unsigned) stack = {0};
    size_t first = s->lazy.count;

    array_push(&stack, node);
    while (stack.count > 0) {
        const struct peak_node *at = &nodes[array_pop(&stack)];

        for (unsigned i = 0; i < at->before.count; i++) {
            unsigned other = s->problem->before[at->before.first + i];

            if (!nodes[other].is_lazy || has(seen, other))
                continue;
            include(seen, other);
            array_push(&s->lazy, other);
            array_push(&stack, other);
        }
    }
    array_finish(&stack);
    s->lazies[node] = (struct peak_list){(unsigned)first, (unsigned)(s->lazy.count - first)};
}

static int compare_numbers(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

    return (x > y) - (x < y);
}

static void find_lazies(struct search *s)
{
    size_t count = s->problem->nodes.count;

    s->lazies = arena_array(&s->arena, struct peak_list, count + 1);
    for (unsigned i = 0; i < count; i++) {
        if (s->problem->nodes.items[i].is_lazy)
            continue;
        add_lazies(s, i, arena_array(&s->arena, uint64_t, s->words));
        if (s->lazies[i].count > 1)
            qsort(&s->lazy.items[s->lazies[i].first], s->lazies[i].count, sizeof(unsigned),
                  compare_numbers);
    }
}

static void find_sets(struct search *s)
{
    const struct peak_problem *problem = s->problem;

    s->readers = arena_array(&s->arena, uint64_t, s->words * problem->values.count + 1);
    s->needs = arena_array(&s->arena, uint64_t, s->words * problem->nodes.count + 1);
    for (unsigned i = 0; i < problem->nodes.count; i++) {
        const struct peak_node *node = &problem->nodes.items[i];

        for (unsigned k = 0; k < node->reads.count; k++)
            include(&s->readers[s->words * problem->reads.items[node->reads.first + k]], i);
        for (unsigned k = 0; k < node->before.count; k++) {
            unsigned other = problem->before[node->before.first + k];

            if (!problem->nodes.items[other].is_lazy)
                include(&s->needs[s->words * i], other);
        }
    }
}

/* ---- running a node ---- */

/* A state in the making. */
struct trial {
    struct search *search;
    int64_t held, peak;
    unsigned node;
    uint64_t *done; /* with the node that runs */
};

static bool dies(const void *state, unsigned value)
{
    const struct trial *trial = state;
    const struct search *s = trial->search;

    return !s->problem->values.items[value].is_kept &&
           is_within(s, &s->readers[s->words * value], trial->done);
}

static void run_node(struct trial *trial, unsigned index)
{
    const struct peak_problem *problem = trial->search->problem;
    const struct peak_node *node = &problem->nodes.items[index];
    int64_t made = 0, ended = 0;

    include(trial->done, index);
    trial->node = index;
    for (unsigned i = 0; i < node->makes.count; i++) {
        const struct peak_value *value =
            &problem->values.items[problem->makes.items[node->makes.first + i].value];

        made += value->bytes;
        ended += !value->is_kept && value->readers.count == 0 ? value->bytes : 0;
    }
    int64_t step = trial->held + made + node->extra - peak_taken(problem, index, dies, trial);

    for (unsigned i = 0; i < node->reads.count; i++) {
        unsigned value = problem->reads.items[node->reads.first + i];

        ended += dies(trial, value) ? problem->values.items[value].bytes : 0;
    }
    trial->held += made - ended;
    trial->peak = step > trial->peak ? step : trial->peak;
}

/* @node behind @state, and the lazy ones that it wants in front of it. */
static void try_node(struct search *s, const struct state *state, unsigned node,
                     struct trial *trial)
{
    const struct peak_list *lazies = &s->lazies[node];

    trial->held = state->held;
    trial->peak = state->peak;
    memcpy(trial->done, done_of(&s->now, state), s->words * sizeof(uint64_t));
    for (unsigned i = 0; i < lazies->count; i++)
        if (!has(trial->done, s->lazy.items[lazies->first + i]))
            run_node(trial, s->lazy.items[lazies->first + i]);
    run_node(trial, node);
    s->tries++;
}

/* ---- levels ---- */

static void grow_table(struct search *s)
{
    size_t size = s->table_size * 2;
    struct state *states = s->next.states.items;

    s->table = arena_array(&s->arena, unsigned, size);
    s->table_size = size;
    for (unsigned i = 0; i < s->next.states.count; i++) {
        size_t at = states[i].hash & (size - 1);

        while (s->table[at])
            at = (at + 1) & (size - 1);
        s->table[at] = i + 1;
    }
}

/* The place of the state of @hash with the set @done in the table: a free one if there is none. */
static unsigned *find(struct search *s, uint64_t hash, const uint64_t *done)
{
    size_t at = hash & (s->table_size - 1);

    for (; s->table[at]; at = (at + 1) & (s->table_size - 1)) {
        const struct state *state = &s->next.states.items[s->table[at] - 1];

        if (state->hash == hash &&
            memcmp(done_of(&s->next, state), done, s->words * sizeof(uint64_t)) == 0)
            break;
    }
    return &s->table[at];
}

static void set_ready(struct search *s, const struct state *from, unsigned node, uint64_t *ready,
                      const uint64_t *done)
{
    const struct peak_node *at = &s->problem->nodes.items[node];

    memcpy(ready, done_of(&s->now, from) + s->words, s->words * sizeof(uint64_t));
    ready[node / WORD] &= ~((uint64_t)1 << node % WORD);
    for (unsigned i = 0; i < at->after.count; i++) {
        unsigned other = s->problem->after[at->after.first + i];

        if (!s->problem->nodes.items[other].is_lazy &&
            is_within(s, &s->needs[s->words * other], done))
            include(ready, other);
    }
}

static void add_state(struct search *s, unsigned parent, const struct trial *trial)
{
    const struct state *from = &s->now.states.items[parent];
    struct state state = {.peak = trial->peak,
                          .held = trial->held,
                          .hash = from->hash ^ hash_mix(1, trial->node),
                          .parent = parent,
                          .node = trial->node,
                          .sets = (unsigned)s->next.sets.count};

    if (2 * s->next.states.count >= s->table_size)
        grow_table(s);
    unsigned *place = find(s, state.hash, trial->done);

    if (*place) {
        struct state *known = &s->next.states.items[*place - 1];

        state.sets = known->sets;
        if (state.peak < known->peak)
            *known = state;
        return;
    }
    array_reserve(&s->next.sets, 2 * s->words);
    memcpy(&s->next.sets.items[state.sets], trial->done, s->words * sizeof(uint64_t));
    s->next.sets.count += 2 * s->words;
    set_ready(s, from, trial->node, &s->next.sets.items[state.sets + s->words], trial->done);
    array_push(&s->next.states, state);
    *place = (unsigned)s->next.states.count;
}

/* The node that may as well run now, or FREE if there is none. */
static int64_t find_free(struct search *s, const struct state *state, struct trial *trial)
{
    const uint64_t *ready = done_of(&s->now, state) + s->words;
    int64_t limit = state->peak > s->floor ? state->peak : s->floor;

    for (unsigned w = 0; w < s->words && s->problem->is_plain; w++)
        for (uint64_t left = ready[w]; left; left &= left - 1) {
            unsigned node = w * WORD + (unsigned)__builtin_ctzll(left);

            try_node(s, state, node, trial);
            if (trial->held <= state->held && trial->peak <= limit)
                return node;
        }
    return FREE;
}

static void expand(struct search *s, unsigned index, struct trial *trial)
{
    const struct state *state = &s->now.states.items[index];
    const uint64_t *ready = done_of(&s->now, state) + s->words;

    if (find_free(s, state, trial) != FREE) {
        if (trial->peak < s->below)
            add_state(s, index, trial);
        return;
    }
    for (unsigned w = 0; w < s->words; w++)
        for (uint64_t left = ready[w]; left; left &= left - 1) {
            try_node(s, state, w * WORD + (unsigned)__builtin_ctzll(left), trial);
            if (trial->peak < s->below)
                add_state(s, index, trial);
        }
}

static int compare_states(const void *a, const void *b)
{
    const struct state *x = a, *y = b;

    if (x->peak != y->peak)
        return x->peak < y->peak ? -1 : 1;
    if (x->held != y->held)
        return x->held < y->held ? -1 : 1;
    return (x->sets > y->sets) - (x->sets < y->sets);
}

static void begin_level(struct search *s)
{
    struct level swapped = s->now;

    s->now = s->next;
    s->next = swapped;
    s->next.states.count = s->next.sets.count = 0;
    memset(s->table, 0, s->table_size * sizeof(*s->table));
    if (s->now.states.count > 1)
        qsort(s->now.states.items, s->now.states.count, sizeof(struct state), compare_states);
    if (s->now.states.count > STATE_LIMIT) {
        s->now.states.count = STATE_LIMIT;
        s->is_exact = false;
    }
    array_push(&s->levels, s->steps.count);
    for (size_t i = 0; i < s->now.states.count; i++) {
        const struct state *state = &s->now.states.items[i];

        array_push(&s->steps, (struct step){state->parent, state->node});
    }
}

/* All states of the level, or the best of them. */
static void run_level(struct search *s, unsigned levels_left, struct trial *trial)
{
    uint64_t limit =
        s->tries + (s->tries_left > s->tries ? s->tries_left - s->tries : 0) / levels_left;

    for (unsigned i = 0; i < s->now.states.count; i++) {
        if (i > 0 && (s->tries >= limit || s->next.states.count >= NEXT_LIMIT)) {
            s->is_exact = false;
            break;
        }
        expand(s, i, trial);
    }
}

/* ---- all ---- */

static void add_first(struct search *s)
{
    const struct peak_problem *problem = s->problem;
    struct arena scratch = {0};
    struct peak_run run;
    struct state first = {.node = PEAK_NONE};

    peak_begin(&run, problem, &scratch);
    first.held = first.peak = run.held;
    arena_finish(&scratch);
    for (unsigned i = 0; i < 2 * s->words; i++)
        array_push(&s->next.sets, 0);
    for (unsigned i = 0; i < problem->nodes.count; i++) {
        bool is_ready = !problem->nodes.items[i].is_lazy;

        for (unsigned w = 0; w < s->words; w++)
            is_ready &= s->needs[s->words * i + w] == 0;
        if (is_ready)
            include(&s->next.sets.items[s->words], i);
    }
    array_push(&s->next.states, first);
}

/* From the last state back; lazy nodes in front of the first that wants them. */
static void write_order(struct search *s, unsigned levels, unsigned *order)
{
    unsigned *chosen = arena_array(&s->arena, unsigned, levels + 1);
    uint64_t *done = arena_array(&s->arena, uint64_t, s->words + 1);
    unsigned count = 0;

    for (unsigned level = levels, at = 0; level > 0; level--) {
        const struct step *step = &s->steps.items[s->levels.items[level] + at];

        chosen[level - 1] = step->node;
        at = step->parent;
    }
    for (unsigned i = 0; i < levels; i++) {
        const struct peak_list *lazies = &s->lazies[chosen[i]];

        for (unsigned k = 0; k < lazies->count; k++) {
            unsigned lazy = s->lazy.items[lazies->first + k];

            if (!has(done, lazy))
                order[count++] = lazy;
            include(done, lazy);
        }
        order[count++] = chosen[i];
    }
}

static void finish(struct search *s)
{
    array_finish(&s->lazy);
    array_finish(&s->now.states);
    array_finish(&s->now.sets);
    array_finish(&s->next.states);
    array_finish(&s->next.sets);
    array_finish(&s->steps);
    array_finish(&s->levels);
    arena_finish(&s->arena);
}

bool peak_search(const struct peak_problem *problem, int64_t below, int64_t floor, uint64_t tries,
                 unsigned *order, struct peak_found *out)
{
    struct search s = {.problem = problem, .below = below, .floor = floor, .tries_left = tries};
    struct trial trial = {.search = &s};
    unsigned levels = 0;

    s.words = (unsigned)((problem->nodes.count + WORD - 1) / WORD);
    s.is_exact = true;
    s.table_size = 1 << 8;
    s.table = arena_array(&s.arena, unsigned, s.table_size);
    trial.done = arena_array(&s.arena, uint64_t, s.words + 1);
    for (size_t i = 0; i < problem->nodes.count; i++)
        levels += !problem->nodes.items[i].is_lazy;
    find_lazies(&s);
    find_sets(&s);
    add_first(&s);
    begin_level(&s);
    for (unsigned level = 0; level < levels && s.now.states.count > 0; level++) {
        run_level(&s, levels - level, &trial);
        begin_level(&s);
    }
    bool is_found = s.now.states.count > 0 && levels > 0;

    *out = (struct peak_found){.peak = below, .is_exact = s.is_exact, .tries = s.tries};
    if (is_found) {
        out->peak = s.now.states.items[0].peak;
        out->is_exact |= out->peak <= floor;
        write_order(&s, levels, order);
    }
    finish(&s);
    return is_found;
}
