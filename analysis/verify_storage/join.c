/*
 * Branches: each starts from what held in front of the `if`; behind it both are put together.
 *
 * A branch writes what it changes into the trail, with what was there before, so that an `if` costs
 * what is changed inside of it and not what the function holds.
 */
#include "analysis/verify_storage/internal.h"

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

static bool is_same_cut(const struct vs_state *a, const struct vs_state *b)
{
    if (a->count != b->count)
        return false;
    for (unsigned i = 0; i < a->count; i++)
        if (!extent_equal(&a->pieces[i].extent, &b->pieces[i].extent))
            return false;
    return true;
}

static void join_pairs(struct vs_replay *r, unsigned decision, struct vs_state *out,
                       const struct vs_state *a, const struct vs_state *b)
{
    for (unsigned i = 0; i < a->count; i++) {
        unsigned owner = diagram_choose(&r->d, decision, a->pieces[i].owner, b->pieces[i].owner);

        vs_add_piece(r, out, i, (struct vs_piece){a->pieces[i].extent, owner});
    }
}

/* Both of numbers: pieces between all ends of both. */
static void join_numbers(struct vs_replay *r, unsigned decision, struct vs_state *out,
                         const struct vs_state *a, const struct vs_state *b)
{
    unsigned i = 0, k = 0;
    int64_t low = 0;

    while (i < a->count && k < b->count) {
        const struct vs_piece *first = &a->pieces[i], *second = &b->pieces[k];
        int64_t start =
            first->extent.low > second->extent.low ? first->extent.low : second->extent.low;
        int64_t end =
            first->extent.high < second->extent.high ? first->extent.high : second->extent.high;

        start = start > low ? start : low;
        out->has_gaps |= start > low;
        if (start < end) {
            unsigned owner = diagram_choose(&r->d, decision, first->owner, second->owner);

            vs_add_piece(r, out, out->count, (struct vs_piece){extent_numbers(start, end), owner});
            low = end;
        }
        i += first->extent.high == end;
        k += second->extent.high == end;
    }
    out->has_gaps |= low != INT64_MAX;
}

static bool is_in_one_piece(const struct vs_state *state)
{
    return state->count == 1 && extent_equal(&state->pieces[0].extent, &extent_whole);
}

/* One branch has cut what the other left in one piece: pieces as they are in @cut. */
static void join_cut(struct vs_replay *r, unsigned decision, struct vs_state *out,
                     const struct vs_state *cut, unsigned whole, bool is_then)
{
    for (unsigned i = 0; i < cut->count; i++) {
        unsigned owner = cut->pieces[i].owner;

        owner = is_then ? diagram_choose(&r->d, decision, owner, whole)
                        : diagram_choose(&r->d, decision, whole, owner);
        vs_add_piece(r, out, i, (struct vs_piece){cut->pieces[i].extent, owner});
    }
}

/* What has the same ends in both stays, of the rest nothing is known. */
static void join_equal(struct vs_replay *r, unsigned decision, struct vs_state *out,
                       const struct vs_state *a, const struct vs_state *b)
{
    out->has_gaps |= !is_same_cut(a, b);
    for (unsigned i = 0; i < a->count; i++)
        for (unsigned k = 0; k < b->count; k++) {
            r->d.steps++;
            if (!extent_equal(&a->pieces[i].extent, &b->pieces[k].extent))
                continue;
            unsigned owner =
                diagram_choose(&r->d, decision, a->pieces[i].owner, b->pieces[k].owner);

            vs_add_piece(r, out, out->count, (struct vs_piece){a->pieces[i].extent, owner});
        }
}

static void join_root(struct vs_replay *r, unsigned decision, unsigned root,
                      const struct vs_state *then, const struct vs_state *other)
{
    if (then == other)
        return;
    struct vs_state first = *then, second = *other; /* one of them may be what is changed now */
    struct vs_state *out = vs_change(r, root);

    out->pieces = NULL;
    out->count = out->capacity = 0;
    out->has_expression = out->is_mixed = false;
    out->unit = (struct extent_unit){0};
    out->has_gaps = first.has_gaps || second.has_gaps;
    out->part_dead_by = first.part_dead_by ? first.part_dead_by : second.part_dead_by;
    out->kept = diagram_choose(&r->d, decision, first.kept, second.kept);
    out->dead = diagram_choose(&r->d, decision, first.dead, second.dead);
    if (is_same_cut(&first, &second))
        join_pairs(r, decision, out, &first, &second);
    else if (is_in_one_piece(&second))
        join_cut(r, decision, out, &first, second.pieces[0].owner, true);
    else if (is_in_one_piece(&first))
        join_cut(r, decision, out, &second, first.pieces[0].owner, false);
    else if (first.has_expression || second.has_expression)
        join_equal(r, decision, out, &first, &second);
    else
        join_numbers(r, decision, out, &first, &second);
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
