/*
 * The pieces of a root, in chunks.
 *
 * Each branch of an `if` starts from the state in front of it and changes a little: a copy takes the list
 * of chunks, and only those that are changed are copied, too.  Where both branches have the same chunk,
 * so has what is joined.
 */
#include "analysis/verify_storage/internal.h"

#include <string.h>

enum { CHUNK = 32 };

struct vs_chunk {
    unsigned made_in; /* number of the branch that may change it; VS_NONE: nobody may */
    unsigned count, capacity;
    struct vs_piece *items;
};

/* ---- the list of chunks ---- */

static struct vs_chunk *chunk_new(struct vs_replay *r, unsigned capacity)
{
    struct vs_chunk *chunk = arena_new(&r->arena, struct vs_chunk);

    chunk->made_in = r->branch;
    chunk->capacity = capacity;
    chunk->items = arena_array(&r->arena, struct vs_piece, capacity);
    return chunk;
}

static void set_capacity(struct vs_replay *r, struct vs_pieces *pieces, unsigned capacity)
{
    struct vs_chunk **chunks = arena_array(&r->arena, struct vs_chunk *, capacity);
    unsigned *ends = arena_array(&r->arena, unsigned, capacity);

    if (pieces->chunk_count) {
        memcpy(chunks, pieces->chunks, pieces->chunk_count * sizeof(chunks[0]));
        memcpy(ends, pieces->ends, pieces->chunk_count * sizeof(ends[0]));
    }
    pieces->chunks = chunks;
    pieces->ends = ends;
    pieces->capacity = capacity;
}

static unsigned start_of(const struct vs_pieces *pieces, unsigned chunk)
{
    return chunk ? pieces->ends[chunk - 1] : 0;
}

/* The chunk of piece @i; the last one for what is behind all of them. */
static unsigned chunk_of(const struct vs_pieces *pieces, unsigned i)
{
    unsigned first = 0, last = pieces->chunk_count - 1;

    while (first < last) {
        unsigned middle = first + (last - first) / 2;

        if (pieces->ends[middle] <= i)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

/* Counts again from chunk @first on. */
static void count_from(struct vs_pieces *pieces, unsigned first)
{
    unsigned count = start_of(pieces, first);

    for (unsigned i = first; i < pieces->chunk_count; i++)
        pieces->ends[i] = count += pieces->chunks[i]->count;
    pieces->count = pieces->chunk_count ? pieces->ends[pieces->chunk_count - 1] : 0;
}

static void insert_chunk(struct vs_replay *r, struct vs_pieces *pieces, unsigned at,
                         struct vs_chunk *chunk)
{
    if (pieces->chunk_count == pieces->capacity)
        set_capacity(r, pieces, 2 * pieces->capacity + 1);
    memmove(&pieces->chunks[at + 1], &pieces->chunks[at],
            (pieces->chunk_count - at) * sizeof(pieces->chunks[0]));
    pieces->chunks[at] = chunk;
    pieces->chunk_count++;
}

/* ---- one chunk ---- */

static struct vs_chunk *chunk_to_change(struct vs_replay *r, struct vs_pieces *pieces, unsigned at)
{
    const struct vs_chunk *old = pieces->chunks[at];

    if (old->made_in == r->branch)
        return pieces->chunks[at];
    struct vs_chunk *chunk = chunk_new(r, old->capacity);

    chunk->count = old->count;
    memcpy(chunk->items, old->items, old->count * sizeof(old->items[0]));
    return pieces->chunks[at] = chunk;
}

static void insert_here(struct vs_replay *r, struct vs_chunk *chunk, unsigned at,
                        const struct vs_piece *piece)
{
    if (chunk->count == chunk->capacity) {
        unsigned twice = 2 * chunk->capacity + 2, capacity = twice < CHUNK ? twice : CHUNK;
        struct vs_piece *items = arena_array(&r->arena, struct vs_piece, capacity);

        memcpy(items, chunk->items, chunk->count * sizeof(items[0]));
        chunk->items = items;
        chunk->capacity = capacity;
    }
    memmove(&chunk->items[at + 1], &chunk->items[at],
            (chunk->count - at) * sizeof(chunk->items[0]));
    chunk->items[at] = *piece;
    chunk->count++;
}

/* Makes two of chunk @at, which is full. */
static void split(struct vs_replay *r, struct vs_pieces *pieces, unsigned at)
{
    struct vs_chunk *chunk = chunk_to_change(r, pieces, at), *behind = chunk_new(r, CHUNK);

    behind->count = CHUNK / 2;
    chunk->count -= behind->count;
    memcpy(behind->items, &chunk->items[chunk->count], behind->count * sizeof(behind->items[0]));
    insert_chunk(r, pieces, at + 1, behind);
    count_from(pieces, at);
}

/* ---- pieces ---- */

void vs_pieces_copy(struct vs_replay *r, struct vs_pieces *pieces)
{
    set_capacity(r, pieces, pieces->chunk_count ? pieces->chunk_count : 1);
}

const struct vs_piece *vs_piece_at(const struct vs_pieces *pieces, unsigned i)
{
    unsigned at = chunk_of(pieces, i);

    return &pieces->chunks[at]->items[i - start_of(pieces, at)];
}

struct vs_piece *vs_piece_to_change(struct vs_replay *r, struct vs_pieces *pieces, unsigned i)
{
    unsigned at = chunk_of(pieces, i);

    return &chunk_to_change(r, pieces, at)->items[i - start_of(pieces, at)];
}

void vs_pieces_insert(struct vs_replay *r, struct vs_pieces *pieces, unsigned i,
                      const struct vs_piece *piece)
{
    if (i == pieces->count) {
        vs_pieces_append(r, pieces, piece);
        return;
    }
    unsigned at = chunk_of(pieces, i);

    if (pieces->chunks[at]->count == CHUNK) {
        split(r, pieces, at);
        at = chunk_of(pieces, i);
    }
    insert_here(r, chunk_to_change(r, pieces, at), i - start_of(pieces, at), piece);
    count_from(pieces, at);
}

void vs_pieces_append(struct vs_replay *r, struct vs_pieces *pieces, const struct vs_piece *piece)
{
    unsigned at = pieces->chunk_count;
    bool is_open =
        at && pieces->chunks[at - 1]->made_in == r->branch && pieces->chunks[at - 1]->count < CHUNK;

    if (is_open)
        at--;
    else
        insert_chunk(r, pieces, at, chunk_new(r, 1));
    insert_here(r, pieces->chunks[at], pieces->chunks[at]->count, piece);
    count_from(pieces, at);
}

void vs_pieces_remove(struct vs_replay *r, struct vs_pieces *pieces, unsigned first, unsigned last)
{
    unsigned kept, changed, at;

    if (first == last)
        return;
    changed = kept = at = chunk_of(pieces, first);
    for (; at < pieces->chunk_count && start_of(pieces, at) < last; at++) {
        unsigned start = start_of(pieces, at), end = pieces->ends[at];
        unsigned from = first > start ? first - start : 0;
        unsigned to = last < end ? last - start : end - start;

        if (from == 0 && to == end - start)
            continue;
        struct vs_chunk *chunk = chunk_to_change(r, pieces, at);
        memmove(&chunk->items[from], &chunk->items[to],
                (chunk->count - to) * sizeof(chunk->items[0]));
        chunk->count -= to - from;
        pieces->chunks[kept++] = chunk;
    }
    memmove(&pieces->chunks[kept], &pieces->chunks[at],
            (pieces->chunk_count - at) * sizeof(pieces->chunks[0]));
    pieces->chunk_count -= at - kept;
    count_from(pieces, changed);
}

/* ---- two lists ---- */

unsigned vs_pieces_shared(const struct vs_pieces *a, unsigned i, const struct vs_pieces *b,
                          unsigned k)
{
    if (i >= a->count || k >= b->count)
        return 0;
    unsigned in_a = chunk_of(a, i), in_b = chunk_of(b, k);

    return a->chunks[in_a] == b->chunks[in_b] && start_of(a, in_a) == i && start_of(b, in_b) == k
               ? a->chunks[in_a]->count
               : 0;
}

void vs_pieces_share(struct vs_replay *r, struct vs_pieces *to, const struct vs_pieces *from,
                     unsigned i)
{
    struct vs_chunk *chunk = from->chunks[chunk_of(from, i)];
    const struct vs_chunk *last = to->chunk_count ? to->chunks[to->chunk_count - 1] : NULL;

    if (last && last->made_in == r->branch && last->count + chunk->count <= CHUNK) {
        for (unsigned k = 0; k < chunk->count; k++)
            vs_pieces_append(r, to, &chunk->items[k]);
        return;
    }
    chunk->made_in = VS_NONE;
    insert_chunk(r, to, to->chunk_count, chunk);
    count_from(to, to->chunk_count - 1);
}
