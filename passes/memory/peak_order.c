/*
 * Large problems in parts.
 *
 * A node that all others stand in front of or behind cuts a problem in two that have nothing to do
 * with each other.  Pieces between cuts are searched, those with the highest peak first, and no
 * further than down to one that cannot be lowered.  A piece that is too large for a search gets the
 * best order that a rule makes, and then windows of it are searched around its peak.
 */
#include "passes/memory/peak.h"

#include <stdlib.h>
#include <string.h>

enum {
    WINDOW = 384,     /* nodes of one search */
    ROUND_LIMIT = 64, /* windows of one piece that are searched */
    SHARE = 8, /* of the tries that are left one search has this part, if it is not the only one */
};

struct ordering {
    const struct peak_problem *problem;
    struct arena arena;
    unsigned *order;
    unsigned *place; /* by node */
    unsigned *last;  /* by value: place of its last reader + 1 */
    int64_t *held;   /* by place: in front of it */
    int64_t *steps;  /* by place: at it */
    int64_t floor;   /* no order is lower, or it would be of no use */
    uint64_t tries, limit;
    bool is_exact;
    /* of the part in work */
    unsigned *number; /* by value: its number there + 1, or 0 */
    array(unsigned) part_values;
};

/* Places from @first on. */
struct piece {
    unsigned first, count;
    int64_t peak;
};

/* ---- what is held ---- */

static void measure(const struct peak_problem *problem, const unsigned *order, int64_t *held,
                    int64_t *steps)
{
    struct arena arena = {0};
    struct peak_run run;

    peak_begin(&run, problem, &arena);
    for (size_t i = 0; i < problem->nodes.count; i++) {
        held[i] = run.held;
        steps[i] = peak_step(&run, order ? order[i] : (unsigned)i);
    }
    arena_finish(&arena);
}

static unsigned highest(const struct ordering *o, unsigned first, unsigned count)
{
    unsigned best = first;

    for (unsigned i = first; i < first + count; i++)
        if (o->steps[i] > o->steps[best])
            best = i;
    return best;
}

/* What the places say of nodes, and of values that they read, from @first on. */
static void note_places(struct ordering *o, unsigned first, unsigned count)
{
    const struct peak_problem *problem = o->problem;

    for (unsigned pass = 0; pass < 2; pass++)
        for (unsigned i = first; i < first + count; i++) {
            const struct peak_list *reads = &problem->nodes.items[o->order[i]].reads;

            o->place[o->order[i]] = i;
            for (unsigned k = 0; k < reads->count; k++) {
                unsigned *last = &o->last[problem->reads.items[reads->first + k]];

                if (pass == 0 && *last <= first + count)
                    *last = 0;
                else if (pass == 1 && *last <= i)
                    *last = i + 1;
            }
        }
}

/* ---- a part as a problem ---- */

static unsigned part_value(struct ordering *o, struct peak_problem *part, const struct piece *piece,
                           unsigned value)
{
    const struct peak_value *v = &o->problem->values.items[value];
    bool is_before = v->maker == PEAK_NONE || o->place[v->maker] < piece->first;

    if (o->number[value])
        return o->number[value] - 1;
    if (is_before)
        part->base -= v->bytes;
    array_push(&o->part_values, value);
    unsigned number =
        peak_add_value(part, v->bytes, v->is_kept || o->last[value] > piece->first + piece->count);
    o->number[value] = number + 1;
    return number;
}

static void part_node(struct ordering *o, struct peak_problem *part, const struct piece *piece,
                      const struct peak_node *node)
{
    const struct peak_problem *problem = o->problem;
    unsigned index = peak_add_node(part, node->extra);

    for (unsigned i = 0; i < node->reads.count; i++)
        peak_add_read(part,
                      part_value(o, part, piece, problem->reads.items[node->reads.first + i]));
    for (unsigned i = 0; i < node->makes.count; i++) {
        const struct peak_make *make = &problem->makes.items[node->makes.first + i];

        peak_add_make(part, part_value(o, part, piece, make->value));
        for (unsigned k = 0; k < make->takes.count; k++)
            peak_add_take(part,
                          part_value(o, part, piece, problem->takes.items[make->takes.first + k]));
    }
    for (unsigned i = 0; i < node->before.count; i++) {
        unsigned place = o->place[problem->before[node->before.first + i]];

        if (place >= piece->first)
            peak_add_edge(part, place - piece->first, index);
    }
}

static void make_part(struct ordering *o, const struct piece *piece, struct peak_problem *part)
{
    part->base = o->held[piece->first];
    for (unsigned i = 0; i < piece->count; i++)
        part_node(o, part, piece, &o->problem->nodes.items[o->order[piece->first + i]]);
    for (size_t i = 0; i < o->part_values.count; i++)
        o->number[o->part_values.items[i]] = 0;
    o->part_values.count = 0;
    peak_finish(part);
}

/* The part runs in @chosen from now on. */
static void take_over(struct ordering *o, const struct piece *piece,
                      const struct peak_problem *part, const unsigned *chosen)
{
    unsigned *order = o->order + piece->first;
    unsigned *before = arena_array(&o->arena, unsigned, piece->count);

    memcpy(before, order, piece->count * sizeof(unsigned));
    for (unsigned i = 0; i < piece->count; i++)
        order[i] = before[chosen[i]];
    measure(part, chosen, o->held + piece->first, o->steps + piece->first);
    note_places(o, piece->first, piece->count);
}

/* ---- one part ---- */

static uint64_t part_of(uint64_t tries, uint64_t share)
{
    return tries / (share < SHARE ? share : SHARE) + 1;
}

/* The best order that a rule makes, if its peak is below *@peak. */
static bool try_rules(const struct peak_problem *part, int64_t *peak, unsigned *order,
                      unsigned *scratch)
{
    bool is_found = false;

    for (unsigned kind = 0; kind < PEAK_LIST_COUNT; kind++) {
        peak_list_order(part, kind, scratch);
        int64_t found = peak_of(part, scratch, NULL);

        if (found >= *peak)
            continue;
        *peak = found;
        memcpy(order, scratch, part->nodes.count * sizeof(unsigned));
        is_found = true;
    }
    return is_found;
}

/* Searches again below what was found, until nothing is, or all was seen. */
static bool search(struct ordering *o, const struct peak_problem *part, uint64_t tries,
                   int64_t *peak, unsigned *order)
{
    int64_t least = peak_least(part), floor = least > o->floor ? least : o->floor;
    struct peak_found found = {.is_exact = *peak <= floor};
    bool is_found = false, is_better = true;

    while (is_better && *peak > floor && !found.is_exact && tries > 0) {
        is_better = peak_search(part, *peak, floor, tries, order, &found);
        tries -= found.tries < tries ? found.tries : tries;
        o->tries += found.tries;
        *peak = found.peak;
        is_found |= is_better;
    }
    o->is_exact &= found.is_exact || *peak <= floor;
    return is_found;
}

/* True if it is better than before. */
static bool improve(struct ordering *o, const struct piece *piece, uint64_t tries)
{
    struct peak_problem part = {0};
    unsigned *order = arena_array(&o->arena, unsigned, 2 * (size_t)piece->count);
    int64_t peak = o->steps[highest(o, piece->first, piece->count)];

    make_part(o, piece, &part);
    bool is_better = try_rules(&part, &peak, order, order + piece->count);

    if (piece->count <= WINDOW)
        is_better |= search(o, &part, tries, &peak, order);
    else
        o->is_exact = false;
    if (is_better)
        take_over(o, piece, &part, order);
    peak_release(&part);
    return is_better;
}

/* ---- windows ---- */

/* The window of @piece that begins @ahead places in front of @at, or as near to that as it can. */
static struct piece window_at(const struct piece *piece, unsigned at, unsigned ahead)
{
    struct piece window = {piece->first, WINDOW, 0};

    if (at - piece->first > ahead)
        window.first = at - ahead;
    if (window.first > piece->first + piece->count - WINDOW)
        window.first = piece->first + piece->count - WINDOW;
    return window;
}

static void improve_windows(struct ordering *o, const struct piece *piece)
{
    static const unsigned ahead[] = {WINDOW / 2, WINDOW - 1, 0};
    bool is_better = true;

    for (unsigned round = 0; round < ROUND_LIMIT && is_better; round++) {
        unsigned at = highest(o, piece->first, piece->count);

        is_better = false;
        for (unsigned i = 0; i < 3 && !is_better && o->steps[at] > o->floor; i++) {
            struct piece window = window_at(piece, at, ahead[i]);
            uint64_t left = o->limit > o->tries ? o->limit - o->tries : 0;

            is_better = left > 0 && improve(o, &window, part_of(left, SHARE));
        }
    }
}

/* ---- pieces ---- */

static bool is_lazy(const struct ordering *o, unsigned place)
{
    return o->problem->nodes.items[o->order[place]].is_lazy;
}

/* By place, as differences: edges that lead over it, with one to each source and from each sink. */
static void count_over(const struct ordering *o, int64_t *over)
{
    const struct peak_problem *problem = o->problem;
    unsigned count = (unsigned)problem->nodes.count;

    for (unsigned i = 0; i < count; i++) {
        const struct peak_node *node = &problem->nodes.items[o->order[i]];
        bool has_before = false;

        for (unsigned k = 0; k < node->before.count && !node->is_lazy; k++) {
            unsigned place = o->place[problem->before[node->before.first + k]];

            if (is_lazy(o, place))
                continue;
            has_before = true;
            over[place + 1]++;
            over[i]--;
        }
        if (!has_before && !node->is_lazy) {
            over[0]++;
            over[i]--;
        }
        if (node->after.count == 0)
            over[i + 1]++;
    }
}

static int compare_pieces(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;

    if (x->peak != y->peak)
        return x->peak > y->peak ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}

/* Highest first; returns how many. */
static unsigned find_pieces(struct ordering *o, struct piece *pieces)
{
    unsigned count = (unsigned)o->problem->nodes.count, found = 0, first = 0;
    int64_t *over = arena_array(&o->arena, int64_t, (size_t)count + 1), sum = 0;

    count_over(o, over);
    for (unsigned i = 0; i < count; i++) {
        sum += over[i];
        if (i + 1 < count && (sum > 0 || is_lazy(o, i)))
            continue;
        pieces[found] = (struct piece){first, i + 1 - first, 0};
        pieces[found].peak = o->steps[highest(o, first, i + 1 - first)];
        found++;
        first = i + 1;
    }
    if (found > 1)
        qsort(pieces, found, sizeof(*pieces), compare_pieces);
    return found;
}

static void improve_pieces(struct ordering *o)
{
    struct piece *pieces = arena_array(&o->arena, struct piece, o->problem->nodes.count + 1);
    unsigned count = find_pieces(o, pieces);

    for (unsigned i = 0; i < count && pieces[i].peak > o->floor; i++) {
        uint64_t left = o->limit > o->tries ? o->limit - o->tries : 0;

        (void)improve(o, &pieces[i], part_of(left, count - i));
        if (pieces[i].count > WINDOW)
            improve_windows(o, &pieces[i]);
        int64_t peak = o->steps[highest(o, pieces[i].first, pieces[i].count)];

        o->floor = peak > o->floor ? peak : o->floor;
    }
}

bool peak_order(const struct peak_problem *problem, uint64_t tries, unsigned *order,
                struct peak_found *out)
{
    size_t count = problem->nodes.count, values = problem->values.count;
    struct ordering o = {.problem = problem, .order = order, .limit = tries, .is_exact = true};

    for (unsigned i = 0; i < count; i++)
        order[i] = i;
    int64_t given = peak_of(problem, order, NULL), least = peak_least(problem);

    *out = (struct peak_found){.peak = given, .is_exact = given <= least || count < 2};
    if (out->is_exact)
        return false;
    o.floor = least;
    o.place = arena_array(&o.arena, unsigned, count + 1);
    o.last = arena_array(&o.arena, unsigned, values + 1);
    o.number = arena_array(&o.arena, unsigned, values + 1);
    o.held = arena_array(&o.arena, int64_t, count + 1);
    o.steps = arena_array(&o.arena, int64_t, count + 1);
    peak_list_order(problem, PEAK_LATE, order);
    measure(problem, order, o.held, o.steps);
    note_places(&o, 0, (unsigned)count);
    improve_pieces(&o);
    *out = (struct peak_found){peak_of(problem, order, NULL), o.is_exact, o.tries};
    out->is_exact |= out->peak <= least;
    array_finish(&o.part_values);
    arena_finish(&o.arena);
    if (out->peak < given)
        return true;
    out->peak = given;
    for (unsigned i = 0; i < count; i++)
        order[i] = i;
    return false;
}
