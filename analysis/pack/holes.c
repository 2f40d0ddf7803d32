/*
 * Parts one by one, each into the first or the tightest hole.
 *
 * Those that meet a part are found in one of two structures, whichever costs less: a crowd lists few of
 * many; and pieces of the list of all placed parts in order of offset are passed over where none of
 * their parts lives then.
 */
#include "analysis/pack/greedy.h"

#include <stdlib.h>
#include <string.h>

enum {
    PIECE = 256,     /* parts in a piece of the list */
    LOOK = 8,        /* of them are looked at together */
    SORT_COST = 100, /* of a part that is listed and sorted, in parts that are looked at */
};

struct placed {
    int64_t offset, top;
    uint32_t first, last;
};

struct piece {
    uint32_t count, first, last;          /* lives of its parts lie in [first, last) */
    uint32_t firsts[PIECE], lasts[PIECE]; /* behind the count: of nobody who lives */
    int64_t offsets[PIECE], tops[PIECE];
};

struct holes {
    const struct pack_problem *problem;
    struct crowd crowd;    /* the placed ones */
    struct piece **pieces; /* by rising offset */
    size_t piece_count, placed_count;
    struct piece *spare; /* as many as there can be */
    size_t spare_used;
    uint32_t *listed;
    struct placed *found;
    int64_t *offsets;
    uint64_t work;
};

struct holes *holes_create(const struct pack_problem *problem, struct arena *scratch)
{
    struct holes *g = arena_new(scratch, struct holes);
    size_t most_pieces = 2 * (size_t)problem->count / PIECE + 2;

    g->problem = problem;
    crowd_init(&g->crowd, problem, scratch);
    g->pieces = arena_array(scratch, struct piece *, most_pieces);
    g->spare = arena_array(scratch, struct piece, most_pieces);
    g->listed = arena_array(scratch, uint32_t, problem->count + 1);
    g->found = arena_array(scratch, struct placed, problem->count + 1);
    g->offsets = arena_array(scratch, int64_t, problem->count + 1);
    return g;
}

const int64_t *holes_offsets(const struct holes *holes)
{
    return holes->offsets;
}

uint64_t holes_work(const struct holes *holes)
{
    return holes->work + holes->crowd.work;
}

/* ---- the list of placed parts ---- */

static struct piece *new_piece(struct holes *g, size_t place)
{
    struct piece *piece = &g->spare[g->spare_used++];

    memmove(&g->pieces[place + 1], &g->pieces[place],
            (g->piece_count - place) * sizeof(struct piece *));
    g->pieces[place] = piece;
    g->piece_count++;
    piece->count = 0;
    memset(piece->lasts, 0, sizeof(piece->lasts));
    return piece;
}

static void move(struct piece *to, uint32_t to_at, const struct piece *from, uint32_t at,
                 uint32_t count)
{
    memmove(to->firsts + to_at, from->firsts + at, count * sizeof(*to->firsts));
    memmove(to->lasts + to_at, from->lasts + at, count * sizeof(*to->lasts));
    memmove(to->offsets + to_at, from->offsets + at, count * sizeof(*to->offsets));
    memmove(to->tops + to_at, from->tops + at, count * sizeof(*to->tops));
}

static void find_lives(struct piece *piece)
{
    piece->first = UINT32_MAX;
    piece->last = 0;
    for (uint32_t i = 0; i < piece->count; i++) {
        if (piece->first > piece->firsts[i])
            piece->first = piece->firsts[i];
        if (piece->last < piece->lasts[i])
            piece->last = piece->lasts[i];
    }
}

/* Two halves of the full piece at @place. */
static void split(struct holes *g, size_t place)
{
    struct piece *left = g->pieces[place], *right = new_piece(g, place + 1);

    right->count = left->count / 2;
    left->count -= right->count;
    move(right, 0, left, left->count, right->count);
    memset(left->lasts + left->count, 0, right->count * sizeof(*left->lasts));
    find_lives(left);
    find_lives(right);
}

/* The last piece that begins at or below @offset, or the first. */
static size_t piece_of(const struct holes *g, int64_t offset)
{
    size_t low = 0, high = g->piece_count;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (g->pieces[middle]->offsets[0] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void insert(struct holes *g, const struct placed *placed)
{
    size_t place = piece_of(g, placed->offset);

    if (g->piece_count == 0)
        new_piece(g, 0);
    if (g->pieces[place]->count == PIECE) {
        split(g, place);
        place += g->pieces[place + 1]->offsets[0] <= placed->offset;
    }
    struct piece *piece = g->pieces[place];
    uint32_t at = piece->count;

    while (at > 0 && piece->offsets[at - 1] > placed->offset)
        at--;
    move(piece, at + 1, piece, at, piece->count - at);
    piece->firsts[at] = placed->first;
    piece->lasts[at] = placed->last;
    piece->offsets[at] = placed->offset;
    piece->tops[at] = placed->top;
    piece->count++;
    find_lives(piece);
}

static void place(struct holes *g, uint32_t index, int64_t offset)
{
    const struct pack_part *part = &g->problem->parts[index];

    g->offsets[index] = offset;
    insert(g, &(struct placed){offset, offset + part->size, part->first, part->last});
    crowd_add(&g->crowd, index);
    g->placed_count++;
}

/* ---- holes ---- */

/* A search for a hole: those that live at the same time are passed by rising offset. */
struct hole {
    int64_t size, alignment;
    int64_t end;  /* of what was passed so far */
    int64_t best; /* where it goes; -1: not known yet */
    int64_t tightest;
    bool is_tight; /* the tightest hole, not the first */
};

/* Is what lies between the end and @offset better?  False: no need to go on. */
static bool consider(struct hole *hole, int64_t offset)
{
    int64_t begin = pack_align(hole->end, hole->alignment), room = offset - begin;

    if (room >= hole->size && room < hole->tightest) {
        hole->best = begin;
        hole->tightest = hole->is_tight ? room : 0;
    }
    return hole->tightest > hole->size;
}

/* One that @lives at the same time, or not; without branches but for holes, since it is asked most often. */
static inline bool pass(struct hole *hole, bool lives, int64_t offset, int64_t top)
{
    int64_t reached = lives && hole->end < top ? top : hole->end;

    if (__builtin_expect(lives & (offset - hole->end >= hole->size), false) &&
        !consider(hole, offset))
        return false;
    hole->end = reached;
    return true;
}

static int compare_offsets(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;

    return (x->offset > y->offset) - (x->offset < y->offset);
}

static void pass_listed(struct holes *g, const struct pack_part *part, struct hole *hole)
{
    size_t count = crowd_list(&g->crowd, part, g->listed);

    for (size_t i = 0; i < count; i++) {
        int64_t offset = g->offsets[g->listed[i]];

        g->found[i].offset = offset;
        g->found[i].top = offset + g->problem->parts[g->listed[i]].size;
    }
    if (count)
        qsort(g->found, count, sizeof(*g->found), compare_offsets);
    g->work += count * SORT_COST;
    for (size_t i = 0; i < count; i++)
        if (!pass(hole, true, g->found[i].offset, g->found[i].top))
            return;
}

/* Does one of the LOOK parts from @from on live at the time of @part? */
static bool any_meets(const struct piece *piece, uint32_t from, const struct pack_part *part)
{
    uint32_t any = 0;

    for (uint32_t i = from; i < from + LOOK; i++)
        any |= (piece->firsts[i] < part->last) & (piece->lasts[i] > part->first);
    return any;
}

static bool pass_piece(const struct piece *piece, const struct pack_part *part, struct hole *hole)
{
    for (uint32_t from = 0; from < piece->count; from += LOOK) {
        if (!any_meets(piece, from, part))
            continue;
        for (uint32_t i = from; i < from + LOOK; i++)
            if (!pass(hole, (piece->firsts[i] < part->last) & (piece->lasts[i] > part->first),
                      piece->offsets[i], piece->tops[i]))
                return false;
    }
    return true;
}

static void pass_pieces(struct holes *g, const struct pack_part *part, struct hole *hole)
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

static int64_t find_hole(struct holes *g, const struct pack_part *part, bool is_tight)
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
    return hole.best < 0 ? pack_align(hole.end, part->alignment) : hole.best;
}

/* ---- all ---- */

static void clear(struct holes *g)
{
    crowd_clear(&g->crowd);
    g->piece_count = g->spare_used = g->placed_count = 0;
    for (uint32_t i = 0; i < g->problem->count; i++)
        if (g->problem->parts[i].is_fixed)
            place(g, i, g->problem->parts[i].offset);
}

int64_t holes_fill(struct holes *g, const uint32_t *order, bool is_tight)
{
    int64_t height = 0;

    clear(g);
    for (uint32_t i = 0; i < g->problem->count; i++) {
        const struct pack_part *part = &g->problem->parts[order[i]];

        if (!part->is_fixed)
            place(g, order[i], find_hole(g, part, is_tight));
        if (g->offsets[order[i]] > PACK_LARGEST)
            return INT64_MAX;
        if (height < g->offsets[order[i]] + part->size)
            height = g->offsets[order[i]] + part->size;
    }
    return height;
}
