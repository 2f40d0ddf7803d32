/* Roots, tags and places; see verify_storage.h. */
#include "analysis/verify_storage/internal.h"

static struct vs_state *whole_state(struct vs_replay *r, unsigned tag)
{
    struct vs_state *state = arena_new(&r->arena, struct vs_state);

    struct vs_piece all = {extent_whole, diagram_leaf(&r->d, DIAGRAM_TAG, tag, 0)};

    vs_pieces_append(r, &state->pieces, &all);
    state->kept = state->dead = r->no;
    state->made_in = r->branch;
    return state;
}

unsigned vs_tag_new(struct vs_replay *r, enum vs_tag_kind kind)
{
    array_push(&r->tags, (struct vs_tag){.kind = kind, .op = r->op});
    return (unsigned)r->tags.count - 1;
}

unsigned vs_root_new(struct vs_replay *r, enum vs_root_kind kind)
{
    array_push(
        &r->roots,
        (struct vs_root){.kind = kind, .maker = r->op, .saved_in = r->branch, .leaf = VS_NONE});
    return (unsigned)r->roots.count - 1;
}

enum { SPOT_SEARCH = 16 };

/* A range that comes again is mostly one of the last; two numbers for one spot do no harm. */
static unsigned spot_of(struct vs_replay *r, unsigned root, const struct extent *extent)
{
    unsigned steps = 0, last = r->roots.items[root].last_spot;

    for (unsigned at = last; at && steps < SPOT_SEARCH; at = r->spots.items[at].previous, steps++)
        if (extent_equal(&r->spots.items[at].extent, extent))
            return at;
    array_push(&r->spots, (struct vs_spot){root, last, *extent});
    return r->roots.items[root].last_spot = (unsigned)r->spots.count - 1;
}

unsigned vs_place(struct vs_replay *r, unsigned root, struct extent extent, unsigned tag)
{
    unsigned spot = spot_of(r, root, &extent);
    uintptr_t key = ((uintptr_t)spot << 32 | tag) + 1;
    uintptr_t known =
        (uintptr_t)map_get(&r->place_of, (void *)key); /* NOLINT(performance-no-int-to-ptr) */

    if (!known) {
        array_push(&r->places, (struct vs_place){spot, tag});
        known = r->places.count;
        map_set(&r->place_of, (void *)key, (void *)known); /* NOLINT(performance-no-int-to-ptr) */
    }
    return diagram_leaf(&r->d, DIAGRAM_PLACE, (unsigned)known - 1, spot);
}

unsigned vs_fresh(struct vs_replay *r, enum vs_root_kind kind)
{
    unsigned root = vs_root_new(r, kind), tag = vs_tag_new(r, VS_VALUE);

    r->roots.items[root].state = whole_state(r, tag);
    r->roots.items[root].first_tag = tag;
    return vs_place(r, root, extent_whole, tag);
}

void vs_roots_init(struct vs_replay *r)
{
    r->no = diagram_leaf(&r->d, DIAGRAM_FLAG, 0, 0);
    r->yes = diagram_leaf(&r->d, DIAGRAM_FLAG, 1, 0);
    array_push(&r->spots, (struct vs_spot){0}); /* spot 0 means several */
    r->nowhere = vs_fresh(r, VS_NOWHERE);
}

const struct vs_place *vs_place_at(const struct vs_replay *r, unsigned leaf)
{
    return &r->places.items[diagram_number(&r->d, leaf)];
}

const struct vs_spot *vs_spot_at(const struct vs_replay *r, unsigned leaf)
{
    return &r->spots.items[vs_place_at(r, leaf)->spot];
}

struct vs_root *vs_root_at(struct vs_replay *r, unsigned leaf)
{
    return &r->roots.items[vs_spot_at(r, leaf)->root];
}

static struct vs_state *copy_state(struct vs_replay *r, const struct vs_state *from)
{
    struct vs_state *state = arena_new(&r->arena, struct vs_state);

    *state = *from;
    state->made_in = r->branch;
    vs_pieces_copy(r, &state->pieces);
    return state;
}

struct vs_state *vs_change(struct vs_replay *r, unsigned root)
{
    struct vs_root *at = &r->roots.items[root];

    if (at->saved_in != r->branch) {
        array_push(&r->trail, (struct vs_change){root, at->state, at->saved_in});
        at->saved_in = r->branch;
    }
    if (at->state->made_in != r->branch)
        at->state = copy_state(r, at->state);
    return at->state;
}

void vs_note_extent(struct vs_state *state, const struct extent *extent)
{
    int64_t low, high;

    state->has_expression |= !extent_is_number(extent);
    state->is_mixed |= !extent_in(&state->unit, extent, &low, &high);
}

void vs_add_piece(struct vs_replay *r, struct vs_state *state, unsigned at, struct vs_piece piece)
{
    vs_pieces_insert(r, &state->pieces, at, &piece);
    vs_note_extent(state, &piece.extent);
}

size_t vs_roots_of(struct vs_replay *r, unsigned node)
{
    unsigned spot = r->d.nodes.items[node].spot;
    size_t count;

    r->scratch.count = 0;
    if (spot) {
        array_push(&r->scratch, r->spots.items[spot].root);
        return 1;
    }
    const unsigned *leaves = diagram_leaves(&r->d, node, &count);
    unsigned mark = ++r->last_mark;

    for (size_t i = 0; i < count; i++) {
        unsigned root = vs_spot_at(r, leaves[i])->root;

        if (r->roots.items[root].mark != mark)
            array_push(&r->scratch, root);
        r->roots.items[root].mark = mark;
    }
    return r->scratch.count;
}

const struct ir_expr *vs_root_bytes(struct vs_replay *r, const struct vs_root *root)
{
    if (root->bytes || !root->bytes_of)
        return root->bytes;
    return extent_bytes(r->m->context, root->bytes_of);
}
