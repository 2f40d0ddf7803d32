/*
 * What changes: owners of bytes, and who holds storage.
 *
 * A call in place on a value that lies in one of several places would leave a diagram in each of
 * them, and the next call one more.  Its result gets a root of its own instead, into which the
 * storage is *moved*, whichever it is: all older names of it are stale on those paths, so nobody
 * else can come to it, but who kills it, or puts another tensor there, by an older name.
 */
#include "analysis/verify_storage/piece.h"

enum extent_relation vs_relation(struct vs_replay *r, const struct extent *a,
                                 const struct extent *b)
{
    if (!extent_is_number(a) || !extent_is_number(b))
        r->d.steps += 100; /* proofs are slower than numbers */
    return extent_relation(r->m->context, a, b);
}

/* The ends of @extent in the unit of all pieces of @state; false if they have no order. */
static bool is_ordered(const struct vs_state *state, const struct extent *extent, int64_t *out_low,
                       int64_t *out_high)
{
    struct extent_unit unit = state->unit;

    return !state->is_mixed && extent_in(&unit, extent, out_low, out_high);
}

unsigned vs_first_piece(const struct vs_state *state, const struct extent *extent)
{
    unsigned first = 0, last = state->pieces.count;
    int64_t low, high, from, to;

    if (!is_ordered(state, extent, &low, &high))
        return 0;
    while (first < last) {
        unsigned middle = first + (last - first) / 2;

        if (is_ordered(state, &vs_piece_at(&state->pieces, middle)->extent, &from, &to) &&
            to <= low)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

bool vs_is_near(const struct vs_state *state, unsigned i, const struct extent *extent)
{
    int64_t low, high, from, to;

    if (i >= state->pieces.count)
        return false;
    return !is_ordered(state, extent, &low, &high) ||
           !is_ordered(state, &vs_piece_at(&state->pieces, i)->extent, &from, &to) || from < high;
}

/* ---- pieces ---- */

static unsigned unsure(struct vs_replay *r)
{
    return diagram_leaf(&r->d, DIAGRAM_TAG, vs_tag_new(r, VS_UNSURE), 0);
}

/* The owner of a piece, where the value on each path may take it. */
static unsigned take_piece(void *state, unsigned leaf, unsigned owner)
{
    struct vs_look *look = state;
    struct vs_replay *r = look->r;
    const struct vs_spot *spot = vs_spot_at(r, leaf);

    if (spot->root != look->root)
        return owner;
    switch (vs_relation(r, look->piece, &spot->extent)) {
    case EXTENT_SAME:
    case EXTENT_WITHIN:
        return diagram_leaf(&r->d, DIAGRAM_TAG, look->tag, 0);
    case EXTENT_APART:
        return owner;
    default:
        return unsure(r);
    }
}

static bool is_empty(const struct extent *a)
{
    return extent_equal(&(struct extent){.low = a->low, .low_expr = a->low_expr},
                        &(struct extent){.low = a->high, .low_expr = a->high_expr});
}

/* Puts the part of piece @i in front of or behind @extent beside it; true if it did. */
static bool split_off(struct vs_replay *r, struct vs_state *state, unsigned i,
                      const struct extent *extent, bool is_front)
{
    struct vs_piece part = *vs_piece_at(&state->pieces, i);

    part.extent =
        is_front ? extent_before(&part.extent, extent) : extent_behind(&part.extent, extent);
    if (is_empty(&part.extent))
        return false;
    struct vs_piece *piece = vs_piece_to_change(r, &state->pieces, i);
    piece->extent = is_front ? (struct extent){.low = extent->low,
                                               .low_expr = extent->low_expr,
                                               .high = piece->extent.high,
                                               .high_expr = piece->extent.high_expr}
                             : (struct extent){.low = piece->extent.low,
                                               .low_expr = piece->extent.low_expr,
                                               .high = extent->high,
                                               .high_expr = extent->high_expr};
    vs_add_piece(r, state, is_front ? i : i + 1, part);
    return true;
}

/* Cuts pieces at the ends of @extent, as far as it is known how they lie. */
static void cut(struct vs_replay *r, struct vs_state *state, const struct extent *extent)
{
    for (unsigned i = vs_first_piece(state, extent); vs_is_near(state, i, extent); i++) {
        enum extent_relation how = vs_relation(r, extent, &vs_piece_at(&state->pieces, i)->extent);
        bool is_across = how == EXTENT_ACROSS;

        if (how != EXTENT_WITHIN && !is_across)
            continue;
        if (!is_across || vs_piece_at(&state->pieces, i)->extent.low < extent->low)
            i += split_off(r, state, i, extent, true);
        if (!is_across || vs_piece_at(&state->pieces, i)->extent.high > extent->high)
            i += split_off(r, state, i, extent, false);
    }
}

/* Whoever owned bytes that @taker takes: what was moved there is lost with them. */
static void note_lost(struct vs_replay *r, unsigned owner, unsigned taker)
{
    size_t count;

    if (!r->has_moved)
        return;
    const unsigned *owners = diagram_leaves(&r->d, owner, &count);
    for (size_t i = 0; i < count; i++) {
        const struct vs_tag *tag = &r->tags.items[diagram_number(&r->d, owners[i])];

        /* (the taker itself is there if it has taken a part of these bytes before) */
        if (tag->kind == VS_MOVED && owners[i] != taker)
            array_push(&r->lost, tag->to);
    }
}

/* Gives all of @extent to @owner, on every path. */
static void take_all(struct vs_replay *r, unsigned root, const struct extent *extent,
                     unsigned owner)
{
    struct vs_state *state = vs_change(r, root);

    if (extent_is_number(extent) && extent->low >= extent->high)
        return;
    cut(r, state, extent);
    /*
     * What is taken goes; what may be in part goes too, and then it is not known what its bytes
     * hold.
     */
    unsigned first = vs_first_piece(state, extent), last = first;
    while (vs_is_near(state, last, extent)) {
        const struct vs_piece *piece = vs_piece_at(&state->pieces, last);
        enum extent_relation how = vs_relation(r, &piece->extent, extent);

        last++;
        if (how == EXTENT_APART) { /* it stays: what goes is in front of it, and behind */
            vs_pieces_remove(r, &state->pieces, first, last - 1);
            last = ++first;
            continue;
        }
        state->has_gaps |= how != EXTENT_SAME && how != EXTENT_WITHIN;
        note_lost(r, piece->owner, owner);
    }
    vs_pieces_remove(r, &state->pieces, first, last);
    int64_t low, high;
    bool is_sorted = is_ordered(state, extent, &low, &high);

    vs_add_piece(r, state, is_sorted ? vs_first_piece(state, extent) : state->pieces.count,
                 (struct vs_piece){extent_exact(extent), owner});
}

static void cut_places(struct vs_replay *r, unsigned node)
{
    size_t count;
    const unsigned *leaves = diagram_leaves(&r->d, node, &count);

    for (size_t i = 0; i < count; i++) {
        struct vs_spot spot = *vs_spot_at(r, leaves[i]);

        if (spot.root)
            cut(r, vs_change(r, spot.root), &spot.extent);
    }
}

static void take_where(struct vs_replay *r, unsigned node, unsigned root, unsigned tag)
{
    struct vs_state *state = vs_change(r, root);

    for (unsigned i = 0; i < state->pieces.count; i++) {
        struct extent extent = vs_piece_at(&state->pieces, i)->extent;
        struct vs_look look = {.r = r, .root = root, .tag = tag, .piece = &extent};
        unsigned owner = vs_piece_at(&state->pieces, i)->owner;
        unsigned taken =
            diagram_apply(&r->d, diagram_new_op(&r->d), node, owner, take_piece, &look);

        if (taken == owner)
            continue;
        note_lost(r, owner, diagram_leaf(&r->d, DIAGRAM_TAG, tag, 0));
        vs_piece_to_change(r, &state->pieces, i)->owner = taken;
    }
}

/* What was moved into other roots goes with the storage that it was in. */
static void lose(struct vs_replay *r, unsigned owner)
{
    while (r->lost.count) {
        unsigned root = array_pop(&r->lost);

        if (r->roots.items[root].state->part_dead_by)
            continue;
        take_all(r, root, &extent_whole, owner);
        vs_change(r, root)->part_dead_by = r->op;
    }
}

void vs_take(struct vs_replay *r, unsigned node, unsigned tag)
{
    unsigned spot = r->d.nodes.items[node].spot;
    unsigned owner = diagram_leaf(&r->d, DIAGRAM_TAG, tag, 0);

    if (spot) {
        struct extent extent = r->spots.items[spot].extent;

        take_all(r, r->spots.items[spot].root, &extent, owner);
    } else {
        cut_places(r, node);
        size_t count = vs_roots_of(r, node);
        for (size_t i = 0; i < count; i++)
            if (r->scratch.items[i])
                take_where(r, node, r->scratch.items[i], tag);
    }
    lose(r, owner);
}

/* ---- values ---- */

static void note_written(struct vs_replay *r, unsigned node)
{
    size_t count = vs_roots_of(r, node);

    for (size_t i = 0; i < count; i++)
        r->roots.items[r->scratch.items[i]].is_written = true;
}

static unsigned retag_leaf(void *state, unsigned leaf, unsigned nothing)
{
    struct vs_look *look = state;
    struct vs_spot spot = *vs_spot_at(look->r, leaf);

    (void)nothing;
    return spot.root ? vs_place(look->r, spot.root, spot.extent, look->tag) : leaf;
}

unsigned vs_put(struct vs_replay *r, unsigned node)
{
    struct vs_look look = {.r = r, .tag = vs_tag_new(r, VS_VALUE)};
    unsigned spot = r->d.nodes.items[node].spot;

    note_written(r, node);
    vs_take(r, node, look.tag);
    if (spot)
        return vs_place(r, r->spots.items[spot].root, r->spots.items[spot].extent, look.tag);
    return diagram_apply(&r->d, diagram_new_op(&r->d), node, r->no, retag_leaf, &look);
}

static unsigned base_of_leaf(void *state, unsigned leaf, unsigned nothing)
{
    struct vs_replay *r = ((struct vs_look *)state)->r;
    unsigned base = vs_root_at(r, leaf)->base;

    (void)nothing;
    return base ? vs_part(r, base, vs_spot_at(r, leaf)->extent) : leaf;
}

unsigned vs_unmoved(struct vs_replay *r, unsigned node)
{
    struct vs_look look = {.r = r};

    /* what a root stands for was decided before it was made: smaller numbers */
    return r->has_moved
               ? diagram_apply(&r->d, diagram_new_op(&r->d), node, r->no, base_of_leaf, &look)
               : node;
}

static bool has_foreign(struct vs_replay *r, unsigned node)
{
    size_t count = vs_roots_of(r, node);

    for (size_t i = 0; i < count; i++) {
        const struct vs_root *root = &r->roots.items[r->scratch.items[i]];

        if ((root->kind != VS_OWN && root->kind != VS_NOWHERE) || root->is_foreign)
            return true;
    }
    return false;
}

unsigned vs_write(struct vs_replay *r, unsigned node)
{
    if (r->d.nodes.items[node].spot)
        return vs_put(r, node);
    unsigned base = vs_unmoved(r, node), moved = vs_tag_new(r, VS_MOVED);
    bool is_foreign = has_foreign(r, node);
    unsigned place = vs_fresh(r, VS_OWN);
    struct vs_root *root = vs_root_at(r, place);

    root->base = base;
    root->is_foreign = is_foreign;
    r->tags.items[moved].to = vs_spot_at(r, place)->root;
    note_written(r, node);
    vs_take(r, node, moved);
    r->has_moved = true;
    return place;
}

/* ---- what opaque code holds ---- */

static unsigned keep_here(void *state, unsigned leaf, unsigned flag)
{
    struct vs_look *look = state;

    return vs_spot_at(look->r, leaf)->root == look->root ? look->r->yes : flag;
}

/* What the root stands for is given away with it. */
static void keep_base(struct vs_replay *r, unsigned base)
{
    size_t count;
    const unsigned *leaves = diagram_leaves(&r->d, base, &count);

    for (size_t i = 0; i < count; i++) {
        struct vs_root *root = vs_root_at(r, leaves[i]);

        if (!root->is_kept)
            root->keep = r->op;
        root->is_kept = true;
    }
}

void vs_keep(struct vs_replay *r, unsigned node)
{
    size_t count = vs_roots_of(r, node);

    for (size_t i = 0; i < count; i++) {
        unsigned root = r->scratch.items[i];
        struct vs_look look = {.r = r, .root = root};

        if (!root)
            continue;
        unsigned kept = diagram_apply(&r->d, diagram_new_op(&r->d), node,
                                      r->roots.items[root].state->kept, keep_here, &look);

        if (kept != r->roots.items[root].state->kept)
            vs_change(r, root)->kept = kept;
        if (r->roots.items[root].is_kept)
            continue;
        r->roots.items[root].keep = r->op;
        r->roots.items[root].is_kept = true;
        if (r->roots.items[root].base)
            keep_base(r, r->roots.items[root].base);
    }
}

/* ---- parts ---- */

/* A part of what begins somewhere in @base is somewhere in it, too. */
static bool is_open(const struct extent *base, const struct extent *part)
{
    bool is_all = extent_is_number(part) && part->low == 0 && part->high == INT64_MAX;

    return base->is_around || (part->is_around && is_all) ||
           (extent_is_number(part) && part->high == INT64_MAX && part->low != 0);
}

/* Sums that become numbers where they are. */
static struct extent shift(struct ir_context *context, const struct extent *base,
                           const struct extent *part)
{
    int64_t low, high;

    if (extent_is_number(part) && !base->low_expr &&
        !__builtin_add_overflow(base->low, part->low, &low) && part->high != INT64_MAX &&
        !__builtin_add_overflow(base->low, part->high, &high))
        return extent_numbers(low, high);
    if (extent_is_number(part) && part->high == INT64_MAX)
        return *base; /* the rest of it, however much that is */
    const struct ir_expr *start = extent_low(context, part);
    const struct ir_expr *end =
        part->high_expr ? part->high_expr : ir_expr_int(context, IR_I64, part->high);
    return extent_of(context,
                     ir_expr_binary(context, IR_EXPR_add, extent_low(context, base), start),
                     ir_simplify(context, ir_expr_binary(context, IR_EXPR_sub, end, start)));
}

static unsigned part_of_leaf(void *state, unsigned leaf, unsigned nothing)
{
    struct vs_look *look = state;
    struct vs_place place = *vs_place_at(look->r, leaf);
    struct vs_spot spot = look->r->spots.items[place.spot];

    (void)nothing;
    if (!spot.root)
        return leaf;
    struct extent extent = is_open(&spot.extent, look->piece)
                               ? extent_around(&spot.extent)
                               : shift(look->r->m->context, &spot.extent, look->piece);
    extent.is_around |= look->piece->is_around;
    return vs_place(look->r, spot.root, extent, place.tag);
}

unsigned vs_part(struct vs_replay *r, unsigned node, struct extent part)
{
    struct vs_look look = {.r = r, .piece = &part};

    if (extent_equal(&part, &extent_whole))
        return node;
    return diagram_apply(&r->d, diagram_new_op(&r->d), node, r->no, part_of_leaf, &look);
}
