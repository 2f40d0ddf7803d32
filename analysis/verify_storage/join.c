/*
 * Branches: each starts from what held in front of the `if`; behind it both are put together.
 *
 * A branch writes what it changes into the trail, with what was there before, so that an `if` costs
 * what is changed inside of it and not what the function holds.
 */
#include "analysis/verify_storage/piece.h"

void vs_take_back(struct vs_replay *r, size_t mark, vs_changes *out)
{
    while (r->trail.count > mark) {
        struct vs_change before = array_pop(&r->trail);
        struct vs_root *root = &r->roots.items[before.root];
        struct vs_change after = {before.root, root->state, 0};

        array_push(out, after);
        root->state = before.state;
        root->saved_in = before.saved_in;
    }
}

static bool is_same_cut(const struct vs_pieces *a, const struct vs_pieces *b)
{
    if (a->count != b->count)
        return false;
    for (unsigned i = 0; i < a->count;) {
        unsigned shared = vs_pieces_shared(a, i, b, i);

        if (!shared && !extent_equal(&vs_piece_at(a, i)->extent, &vs_piece_at(b, i)->extent))
            return false;
        i += shared ? shared : 1;
    }
    return true;
}

static void add(struct vs_replay *r, struct vs_state *out, struct extent extent, unsigned owner)
{
    vs_add_piece(r, out, out->pieces.count, (struct vs_piece){extent, owner});
}

static void join_pairs(struct vs_replay *r, unsigned decision, struct vs_state *out,
                       const struct vs_pieces *a, const struct vs_pieces *b)
{
    for (unsigned i = 0; i < a->count;) {
        const struct vs_piece *first = vs_piece_at(a, i), *second = vs_piece_at(b, i);
        unsigned shared = vs_pieces_shared(a, i, b, i);

        if (shared)
            vs_pieces_share(r, &out->pieces, a, i);
        else
            add(r, out, first->extent,
                diagram_choose(&r->d, decision, first->owner, second->owner));
        i += shared ? shared : 1;
    }
}

/* Both of numbers: pieces between all ends of both. */
static void join_numbers(struct vs_replay *r, unsigned decision, struct vs_state *out,
                         const struct vs_pieces *a, const struct vs_pieces *b)
{
    unsigned i = 0, k = 0;
    int64_t low = 0;

    while (i < a->count && k < b->count) {
        const struct vs_piece *first = vs_piece_at(a, i), *second = vs_piece_at(b, k);
        unsigned shared = vs_pieces_shared(a, i, b, k);
        int64_t start =
            first->extent.low > second->extent.low ? first->extent.low : second->extent.low;
        int64_t end =
            first->extent.high < second->extent.high ? first->extent.high : second->extent.high;

        if (shared && start >= low) {
            out->has_gaps |= start > low;
            vs_pieces_share(r, &out->pieces, a, i);
            low = vs_piece_at(a, i + shared - 1)->extent.high;
            i += shared;
            k += shared;
            continue;
        }
        start = start > low ? start : low;
        out->has_gaps |= start > low;
        if (start < end) {
            add(r, out, extent_numbers(start, end),
                diagram_choose(&r->d, decision, first->owner, second->owner));
            low = end;
        }
        i += first->extent.high == end;
        k += second->extent.high == end;
    }
    out->has_gaps |= low != INT64_MAX;
}

static bool is_in_one_piece(const struct vs_pieces *pieces)
{
    return pieces->count == 1 && extent_equal(&vs_piece_at(pieces, 0)->extent, &extent_whole);
}

/* One branch has cut what the other left in one piece: pieces as they are in @cut. */
static void join_cut(struct vs_replay *r, unsigned decision, struct vs_state *out,
                     const struct vs_pieces *cut, const struct vs_pieces *whole, bool is_then)
{
    unsigned other = vs_piece_at(whole, 0)->owner;

    for (unsigned i = 0; i < cut->count; i++) {
        const struct vs_piece *piece = vs_piece_at(cut, i);

        add(r, out, piece->extent,
            is_then ? diagram_choose(&r->d, decision, piece->owner, other)
                    : diagram_choose(&r->d, decision, other, piece->owner));
    }
}

/* ---- ends that are no numbers ---- */

/* A branch: its pieces of a root, and which of them the other one has, too. */
struct side {
    unsigned root;
    const struct vs_pieces *pieces;
    bool *is_joined;
    bool is_then;
};

static struct side side_new(struct vs_replay *r, unsigned root, const struct vs_pieces *pieces,
                            bool is_then)
{
    return (struct side){root, pieces, arena_array(&r->arena, bool, pieces->count + 1), is_then};
}

static void join_equal(struct vs_replay *r, unsigned decision, struct vs_state *out,
                       struct side *then, struct side *other)
{
    for (unsigned i = 0; i < then->pieces->count; i++)
        for (unsigned k = 0; k < other->pieces->count; k++) {
            const struct vs_piece *first = vs_piece_at(then->pieces, i);
            const struct vs_piece *second = vs_piece_at(other->pieces, k);

            r->d.steps++;
            if (!extent_equal(&first->extent, &second->extent))
                continue;
            then->is_joined[i] = other->is_joined[k] = true;
            add(r, out, first->extent,
                diagram_choose(&r->d, decision, first->owner, second->owner));
        }
}

/* Some value is there, on some path: else nobody asks for these bytes again.  Storage alone, of tensors that come and go, is none. */
static bool is_alive(struct vs_replay *r, unsigned root, unsigned owner)
{
    const struct ir_op *room = r->roots.items[root].is_storage ? r->roots.items[root].maker : NULL;
    size_t count;
    const unsigned *leaves = diagram_leaves(&r->d, owner, &count);

    for (size_t i = 0; i < count; i++) {
        const struct vs_tag *tag = &r->tags.items[diagram_number(&r->d, leaves[i])];
        if (tag->kind == VS_VALUE && (!room || tag->op != room))
            return true;
    }
    return false;
}

static bool is_apart_from_all(struct vs_replay *r, const struct vs_pieces *pieces,
                              const struct extent *extent)
{
    for (unsigned i = 0; i < pieces->count; i++)
        if (vs_relation(r, extent, &vs_piece_at(pieces, i)->extent) != EXTENT_APART)
            return false;
    return true;
}

/* Who has all of @extent in the other branch, as far as that is known. */
static unsigned owner_beside(struct vs_replay *r, const struct side *other,
                             const struct extent *extent)
{
    for (unsigned i = 0; i < other->pieces->count; i++) {
        const struct vs_piece *piece = vs_piece_at(other->pieces, i);

        if (other->is_joined[i])
            continue;
        enum extent_relation how = vs_relation(r, extent, &piece->extent);
        if (how == EXTENT_SAME || how == EXTENT_WITHIN)
            return piece->owner;
    }
    return diagram_leaf(&r->d, DIAGRAM_TAG, vs_tag_new(r, VS_UNSURE), 0);
}

/*
 * A value that only one branch has put there: in the other one the bytes are whoever's they are, so that it
 * can be read where that branch was taken.  Of two whose bytes may be the same the first one stays.
 */
static void join_alone(struct vs_replay *r, unsigned decision, struct vs_state *out,
                       const struct side *side, const struct side *other)
{
    for (unsigned i = 0; i < side->pieces->count; i++) {
        const struct vs_piece *piece = vs_piece_at(side->pieces, i);

        if (side->is_joined[i] || !is_alive(r, side->root, piece->owner) ||
            !is_apart_from_all(r, &out->pieces, &piece->extent))
            continue;
        unsigned beside = owner_beside(r, other, &piece->extent);

        out->is_mixed = true; /* no more in order */
        add(r, out, piece->extent,
            side->is_then ? diagram_choose(&r->d, decision, piece->owner, beside)
                          : diagram_choose(&r->d, decision, beside, piece->owner));
    }
}

/* What has the same ends in both stays, and what is alive in one of them; of the rest nothing is known. */
static void join_expressions(struct vs_replay *r, unsigned decision, unsigned root,
                             struct vs_state *out, const struct vs_pieces *a,
                             const struct vs_pieces *b)
{
    struct side then = side_new(r, root, a, true), other = side_new(r, root, b, false);

    out->has_gaps |= !is_same_cut(a, b);
    join_equal(r, decision, out, &then, &other);
    join_alone(r, decision, out, &then, &other);
    join_alone(r, decision, out, &other, &then);
}

/* What is known of the ends of all pieces of both, for those that nobody looks at again. */
static void join_ends(struct vs_state *out, const struct vs_state *first, bool is_same)
{
    out->has_expression = is_same && first->has_expression;
    out->is_mixed = is_same && first->is_mixed;
    out->unit = is_same ? first->unit : (struct extent_unit){0};
}

static void join_root(struct vs_replay *r, unsigned decision, unsigned root,
                      const struct vs_state *then, const struct vs_state *other)
{
    if (then == other)
        return;
    struct vs_state first = *then, second = *other; /* one of them may be what is changed now */
    struct vs_state *out = vs_change(r, root);

    bool is_same = is_same_cut(&first.pieces, &second.pieces);

    out->pieces = (struct vs_pieces){0};
    join_ends(out, &first, is_same || !(first.has_expression || second.has_expression));
    out->has_gaps = first.has_gaps || second.has_gaps;
    out->part_dead_by = first.part_dead_by ? first.part_dead_by : second.part_dead_by;
    out->kept = diagram_choose(&r->d, decision, first.kept, second.kept);
    out->dead = diagram_choose(&r->d, decision, first.dead, second.dead);
    if (is_same)
        join_pairs(r, decision, out, &first.pieces, &second.pieces);
    else if (is_in_one_piece(&second.pieces))
        join_cut(r, decision, out, &first.pieces, &second.pieces, true);
    else if (is_in_one_piece(&first.pieces))
        join_cut(r, decision, out, &second.pieces, &first.pieces, false);
    else if (first.has_expression || second.has_expression)
        join_expressions(r, decision, root, out, &first.pieces, &second.pieces);
    else
        join_numbers(r, decision, out, &first.pieces, &second.pieces);
}

void vs_join(struct vs_replay *r, unsigned decision, const vs_changes *then,
             const vs_changes *other)
{
    struct map first = {0}, second = {0};

    for (size_t i = 0; i < other->count; i++)
        map_set(&second, &r->roots.items[other->items[i].root], other->items[i].state);
    for (size_t i = 0; i < then->count; i++) {
        const struct vs_root *root = &r->roots.items[then->items[i].root];
        struct vs_state *otherwise = map_get(&second, root);

        map_set(&first, root, root);
        join_root(r, decision, then->items[i].root, then->items[i].state,
                  otherwise ? otherwise : root->state);
    }
    for (size_t i = 0; i < other->count; i++) {
        const struct vs_root *root = &r->roots.items[other->items[i].root];

        if (!map_has(&first, root))
            join_root(r, decision, other->items[i].root, root->state, other->items[i].state);
    }
    map_finish(&first);
    map_finish(&second);
}
