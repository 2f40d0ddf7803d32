/*
 * Greedy plans: parts one by one in some order, each into the first or the tightest hole.
 *
 * Those that meet a part are found in one of two structures, whichever costs less: a tree over the
 * parts by begin of life, with the latest end below each node, lists few of many; and pieces of the
 * list of all placed parts in order of offset are passed over where none of their parts lives then.
 */
#include "analysis/pack/pack_internal.h"

#include <stdlib.h>
#include <string.h>

enum {
    PIECE = 256,     /* parts in a piece of the list */
    SORT_COST = 12,  /* of a part that is found in the tree and sorted, in parts that are passed */
    WORK = 60000000, /* parts looked at, after which no further order begins */
    WORK_ONCE = 64,  /* times the count of parts, at least */
};

/* ---- the list of placed parts ---- */

struct placed {
    int64_t offset, top;
    uint32_t first, last;
};

struct piece {
    struct placed parts[PIECE];
    uint32_t count, first, last; /* lives of its parts lie in [first, last) */
};

struct greedy {
    const struct pack_problem *problem;
    uint32_t *tree; /* the latest end of placed parts; node k has the children 2k and 2k + 1 */
    size_t leaves;
    struct piece **pieces; /* by rising offset */
    size_t piece_count, placed_count;
    struct piece *spare; /* as many as there can be */
    size_t spare_used;
    struct placed *found;
    int64_t *offsets;
    uint64_t work;
};

static void greedy_init(struct greedy *g, const struct pack_problem *problem, struct arena *scratch)
{
    size_t most_pieces = 2 * (size_t)problem->count / PIECE + 2;

    *g = (struct greedy){.problem = problem, .leaves = 1};
    while (g->leaves < problem->count)
        g->leaves *= 2;
    g->tree = arena_array(scratch, uint32_t, 2 * g->leaves);
    g->pieces = arena_array(scratch, struct piece *, most_pieces);
    g->spare = arena_array(scratch, struct piece, most_pieces);
    g->found = arena_array(scratch, struct placed, problem->count + 1);
    g->offsets = arena_array(scratch, int64_t, problem->count + 1);
}

static void greedy_clear(struct greedy *g)
{
    memset(g->tree, 0, 2 * g->leaves * sizeof(*g->tree));
    g->piece_count = g->spare_used = g->placed_count = 0;
}

static struct piece *new_piece(struct greedy *g, size_t place)
{
    struct piece *piece = &g->spare[g->spare_used++];

    memmove(&g->pieces[place + 1], &g->pieces[place],
            (g->piece_count - place) * sizeof(struct piece *));
    g->pieces[place] = piece;
    g->piece_count++;
    piece->count = piece->last = 0;
    piece->first = UINT32_MAX;
    return piece;
}

static void widen(struct piece *piece, const struct placed *placed)
{
    if (piece->first > placed->first)
        piece->first = placed->first;
    if (piece->last < placed->last)
        piece->last = placed->last;
}

/* Two halves of the full piece at @place. */
static void split(struct greedy *g, size_t place)
{
    struct piece *left = g->pieces[place], *right = new_piece(g, place + 1);

    right->count = left->count / 2;
    left->count -= right->count;
    memcpy(right->parts, left->parts + left->count, right->count * sizeof(*right->parts));
    left->first = UINT32_MAX;
    left->last = 0;
    for (uint32_t i = 0; i < left->count; i++)
        widen(left, &left->parts[i]);
    for (uint32_t i = 0; i < right->count; i++)
        widen(right, &right->parts[i]);
}

/* The last piece that begins at or below @offset, or the first. */
static size_t piece_of(const struct greedy *g, int64_t offset)
{
    size_t low = 0, high = g->piece_count;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (g->pieces[middle]->parts[0].offset <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void insert(struct greedy *g, const struct placed *placed)
{
    size_t place = piece_of(g, placed->offset);

    if (g->piece_count == 0)
        new_piece(g, 0);
    if (g->pieces[place]->count == PIECE) {
        split(g, place);
        place += g->pieces[place + 1]->parts[0].offset <= placed->offset;
    }
    struct piece *piece = g->pieces[place];
    uint32_t at = piece->count;

    while (at > 0 && piece->parts[at - 1].offset > placed->offset)
        at--;
    memmove(&piece->parts[at + 1], &piece->parts[at], (piece->count - at) * sizeof(*placed));
    piece->parts[at] = *placed;
    piece->count++;
    widen(piece, placed);
}

static void place(struct greedy *g, uint32_t index, int64_t offset)
{
    const struct pack_part *part = &g->problem->parts[index];

    g->offsets[index] = offset;
    insert(g, &(struct placed){offset, offset + part->size, part->first, part->last});
    g->placed_count++;
    for (size_t k = g->leaves + index; k && g->tree[k] < part->last; k /= 2)
        g->tree[k] = part->last;
}

/* ---- holes ---- */

/* A search for a hole: those that live at the same time are passed by rising offset. */
struct hole {
    int64_t size, alignment;
    int64_t end;  /* of what was passed so far, aligned */
    int64_t best; /* where it goes; -1: not known yet */
    int64_t tightest;
    bool is_tight; /* the tightest hole, not the first */
};

/* False: no need to go on. */
static bool pass(struct hole *hole, int64_t offset, int64_t top)
{
    int64_t room = offset - hole->end;

    if (room >= hole->size && room < hole->tightest) {
        hole->best = hole->end;
        hole->tightest = hole->is_tight ? room : 0;
    }
    if (hole->end < top)
        hole->end = pack_align(top, hole->alignment);
    return hole->tightest > hole->size;
}

static int compare_offsets(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;

    return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Lists the placed parts that meet @part: they begin in front of its end, and end behind its begin. */
static size_t list(struct greedy *g, const struct pack_part *part, size_t limit)
{
    size_t stack[64], depth = 0, count = 0;

    stack[depth++] = 1;
    while (depth) {
        size_t node = stack[--depth];

        g->work++;
        if (g->tree[node] <= part->first)
            continue;
        if (node < g->leaves) {
            size_t child = 2 * node + 1, first = child;

            while (first < g->leaves)
                first *= 2;
            first -= g->leaves;
            if (first < limit)
                stack[depth++] = child;
            stack[depth++] = child - 1;
        } else {
            const struct pack_part *other = &g->problem->parts[node - g->leaves];
            int64_t offset = g->offsets[node - g->leaves];

            g->found[count++] = (struct placed){offset, offset + other->size, 0, 0};
        }
    }
    return count;
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

static void pass_listed(struct greedy *g, const struct pack_part *part, struct hole *hole)
{
    size_t count = list(g, part, begun_before(g->problem, part->last));

    if (count)
        qsort(g->found, count, sizeof(*g->found), compare_offsets);
    g->work += count * SORT_COST;
    for (size_t i = 0; i < count; i++)
        if (!pass(hole, g->found[i].offset, g->found[i].top))
            return;
}

static bool pass_piece(const struct piece *piece, const struct pack_part *part, struct hole *hole)
{
    for (uint32_t i = 0; i < piece->count; i++) {
        const struct placed *placed = &piece->parts[i];

        if (placed->first < part->last && placed->last > part->first &&
            !pass(hole, placed->offset, placed->top))
            return false;
    }
    return true;
}

static void pass_pieces(struct greedy *g, const struct pack_part *part, struct hole *hole)
{
    for (size_t i = 0; i < g->piece_count; i++) {
        const struct piece *piece = g->pieces[i];

        g->work++;
        if (piece->first >= part->last || piece->last <= part->first)
            continue;
        g->work += piece->count;
        if (!pass_piece(piece, part, hole))
            return;
    }
}

static int64_t find_hole(struct greedy *g, const struct pack_part *part, bool is_tight)
{
    struct hole hole = {.size = part->size,
                        .alignment = part->alignment,
                        .best = -1,
                        .tightest = INT64_MAX,
                        .is_tight = is_tight};
    /* As many of those that it meets are placed already as of all. */
    uint64_t expected = (uint64_t)part->meetings * g->placed_count / g->problem->count;

    if (expected * SORT_COST < g->placed_count)
        pass_listed(g, part, &hole);
    else
        pass_pieces(g, part, &hole);
    return hole.best < 0 ? hole.end : hole.best;
}

/* ---- orders ---- */

struct key {
    double value;
    uint32_t part;
};

static int compare_keys(const void *a, const void *b)
{
    const struct key *x = a, *y = b;

    if (x->value != y->value)
        return x->value > y->value ? -1 : 1; /* great ones first */
    return (x->part > y->part) - (x->part < y->part);
}

static double by_size(const struct pack_problem *problem, const struct pack_part *part)
{
    return (double)part->size;
}

static double duration(const struct pack_problem *problem, const struct pack_part *part)
{
    return (double)problem->times[part->last] - (double)problem->times[part->first];
}

static double by_area(const struct pack_problem *problem, const struct pack_part *part)
{
    return (double)part->size * duration(problem, part);
}

static double by_load(const struct pack_problem *problem, const struct pack_part *part)
{
    return (double)part->size * (part->load + (double)part->size);
}

static double by_time(const struct pack_problem *problem, const struct pack_part *part)
{
    return -(double)part->first;
}

/* Those that live where most is alive first, the larger ones before. */
static double by_crowd(const struct pack_problem *problem, const struct pack_part *part)
{
    return (double)part->most * (double)part->size;
}

/* The order of trying: what is best most often, first. */
static const struct order {
    double (*key)(const struct pack_problem *problem, const struct pack_part *part);
    bool is_tight;
} order_table[] = {
    {by_size, false},  {by_load, false},  {by_area, false}, {by_time, true},
    {duration, false}, {by_crowd, false}, {by_size, true},  {by_load, true},
    {by_area, true},   {duration, true},  {by_time, false}, {by_crowd, true},
};

static int64_t run_order(struct greedy *g, const struct order *order, struct key *keys)
{
    const struct pack_problem *problem = g->problem;
    int64_t height = 0;

    for (uint32_t i = 0; i < problem->count; i++)
        keys[i] = (struct key){order->key(problem, &problem->parts[i]), i};
    qsort(keys, problem->count, sizeof(*keys), compare_keys);
    greedy_clear(g);
    for (uint32_t i = 0; i < problem->count; i++)
        if (problem->parts[i].is_fixed)
            place(g, i, problem->parts[i].offset);
    for (uint32_t i = 0; i < problem->count; i++) {
        uint32_t index = keys[i].part;
        const struct pack_part *part = &problem->parts[index];

        if (!part->is_fixed)
            place(g, index, find_hole(g, part, order->is_tight));
        if (g->offsets[index] > PACK_LARGEST)
            return INT64_MAX;
        if (height < g->offsets[index] + part->size)
            height = g->offsets[index] + part->size;
    }
    return height;
}

void pack_greedy(const struct pack_problem *problem, int64_t enough, struct pack_plan *best,
                 struct arena *scratch)
{
    struct key *keys = arena_array(scratch, struct key, problem->count + 1);
    struct greedy g;

    greedy_init(&g, problem, scratch);
    best->height = INT64_MAX;
    for (size_t i = 0; i < sizeof(order_table) / sizeof(order_table[0]); i++) {
        int64_t height = run_order(&g, &order_table[i], keys);

        if (height < best->height) {
            best->height = height;
            memcpy(best->offsets, g.offsets, problem->count * sizeof(*g.offsets));
        }
        if (best->height <= enough ||
            (g.work > WORK && g.work > (uint64_t)problem->count * WORK_ONCE))
            return;
    }
}
