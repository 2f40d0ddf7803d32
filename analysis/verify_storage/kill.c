/*
 * Ends of storage.
 *
 * A kill of a tensor that lies in an alloc_storage ends the tensor; all others end the whole root,
 * which is noted apart from what its bytes hold, since a second kill may come by a stale name.
 */
#include "analysis/verify_storage/piece.h"

/* Is the place the storage itself, or all of its root, and no tensor that lies in it? */
static bool is_all(const struct vs_replay *r, const struct vs_place *place)
{
    const struct vs_root *root = &r->roots.items[r->spots.items[place->spot].root];

    return !root->is_storage || place->tag == root->first_tag;
}

/* On the paths that lead to the root: what @b is; `no` elsewhere. */
static unsigned here(void *state, unsigned leaf, unsigned b)
{
    struct vs_look *look = state;

    return vs_spot_at(look->r, leaf)->root == look->root ? b : look->r->no;
}

/*
 * The first leaf below @node that is not `no`, and no tag of this very op; `no` if there is none.
 */
static unsigned find_other(struct vs_replay *r, unsigned node)
{
    size_t count;
    const unsigned *leaves = diagram_leaves(&r->d, node, &count);

    for (size_t i = 0; i < count; i++)
        if (leaves[i] != r->no && r->tags.items[diagram_number(&r->d, leaves[i])].op != r->op)
            return leaves[i];
    return r->no;
}

/* What killed all of @root on a path to it; `no` if nothing did. */
static unsigned dead_by(struct vs_replay *r, unsigned node, unsigned root)
{
    unsigned dead = r->roots.items[root].state->dead;
    struct vs_look look = {.r = r, .root = root};

    if (dead == r->no)
        return dead;
    return find_other(r, diagram_apply(&r->d, diagram_new_op(&r->d), node, dead, here, &look));
}

static bool refuse_dead(struct vs_replay *r, unsigned dead, enum verify_storage_fault fault,
                        const struct ir_value *value)
{
    if (dead == r->no || r->d.is_full)
        return false;
    vs_refuse(r, fault, value, r->tags.items[diagram_number(&r->d, dead)].op);
    return true;
}

bool vs_check_alive(struct vs_replay *r, unsigned node, const struct ir_value *value)
{
    size_t count = vs_roots_of(r, node);

    for (size_t i = 0; i < count; i++)
        if (refuse_dead(r, dead_by(r, node, r->scratch.items[i]), VERIFY_STORAGE_NO_STORAGE, value))
            return false;
    return true;
}

/* ---- may it be killed? ---- */

/*
 * Would a kill of @place meet what has this tag: an ended tensor, or what was moved away?  A piece of storage
 * may be killed when tensors in it have ended, by whatever name they did.
 */
static bool is_met(struct vs_replay *r, const struct vs_place *place, const struct vs_tag *tag)
{
    const struct vs_root *moved = &r->roots.items[tag->to];
    bool is_piece = r->roots.items[r->spots.items[place->spot].root].is_storage && is_all(r, place);

    if (tag->op == r->op)
        return false;
    if (tag->kind == VS_ENDED)
        return !is_all(r, place);
    return tag->kind == VS_MOVED &&
           (moved->is_kept || (!is_piece && find_other(r, moved->state->dead) != r->no));
}

/* Tags of bytes at the place that a kill would meet: an ended tensor, or what was moved away. */
static unsigned met_by(void *state, unsigned leaf, unsigned owner)
{
    struct vs_look *look = state;
    struct vs_replay *r = look->r;
    const struct vs_place *place = vs_place_at(r, leaf);
    const struct vs_spot *spot = &r->spots.items[place->spot];
    size_t count;

    if (spot->root != look->root ||
        (!is_all(r, place) && vs_relation(r, &spot->extent, look->piece) == EXTENT_APART))
        return r->no;
    const unsigned *owners = diagram_leaves(&r->d, owner, &count);
    array(unsigned) tags = {0};
    unsigned met = r->no;

    for (size_t i = 0; i < count; i++)
        array_push(&tags, owners[i]);
    for (size_t i = 0; i < tags.count && met == r->no; i++)
        if (is_met(r, place, &r->tags.items[diagram_number(&r->d, tags.items[i])]))
            met = tags.items[i];
    array_finish(&tags);
    return met;
}

static bool refuse_met(struct vs_replay *r, unsigned met, const struct ir_value *value)
{
    size_t count;
    const unsigned *leaves = diagram_leaves(&r->d, met, &count);

    for (size_t i = 0; i < count && !r->d.is_full; i++) {
        if (leaves[i] == r->no)
            continue;
        const struct vs_tag *tag = &r->tags.items[diagram_number(&r->d, leaves[i])];
        const struct vs_root *moved = &r->roots.items[tag->to];

        if (tag->kind == VS_MOVED && moved->is_kept)
            vs_refuse(r, VERIFY_STORAGE_KILLS_OPAQUE, value, moved->keep);
        else
            vs_refuse(r, VERIFY_STORAGE_KILLS_TWICE, value, tag->op);
        return true;
    }
    return false;
}

static bool check_pieces(struct vs_replay *r, unsigned node, unsigned root,
                         const struct ir_value *value)
{
    const struct vs_state *state = r->roots.items[root].state;
    unsigned spot = r->d.nodes.items[node].spot;
    struct extent extent = spot ? r->spots.items[spot].extent : extent_whole;

    for (unsigned i = vs_first_piece(state, &extent); vs_is_near(state, i, &extent); i++) {
        struct vs_look look = {
            .r = r, .root = root, .piece = &vs_piece_at(&state->pieces, i)->extent};
        unsigned met = diagram_apply(&r->d, diagram_new_op(&r->d), node,
                                     vs_piece_at(&state->pieces, i)->owner, met_by, &look);

        if (refuse_met(r, met, value))
            return false;
    }
    return true;
}

static bool check_root(struct vs_replay *r, unsigned node, unsigned root,
                       const struct ir_value *value)
{
    const struct vs_root *at = &r->roots.items[root];

    if (at->kind != VS_OWN || at->is_foreign)
        vs_refuse(r, VERIFY_STORAGE_KILLS_FOREIGN, value, NULL);
    else if (vs_is_kept(r, node, root))
        vs_refuse(r, VERIFY_STORAGE_KILLS_OPAQUE, value, at->keep);
    else if (at->base && at->state->part_dead_by && at->state->part_dead_by != r->op)
        vs_refuse(r, VERIFY_STORAGE_KILLS_TWICE, value, NULL);
    else if (!refuse_dead(r, dead_by(r, node, root), VERIFY_STORAGE_KILLS_TWICE, value))
        return check_pieces(r, node, root, value);
    return false;
}

/* ---- kills ---- */

struct end {
    struct vs_replay *r;
    bool is_root; /* ends of roots; else of tensors in storage */
};

static unsigned ended_leaf(void *state, unsigned leaf, unsigned nothing)
{
    struct end *end = state;
    struct vs_place place = *vs_place_at(end->r, leaf);

    (void)nothing;
    if (is_all(end->r, &place) != end->is_root)
        return end->r->nowhere;
    unsigned root = end->r->spots.items[place.spot].root;
    return end->is_root ? vs_place(end->r, root, extent_whole, place.tag) : leaf;
}

static unsigned die_here(void *state, unsigned leaf, unsigned dead)
{
    struct vs_look *look = state;

    return vs_spot_at(look->r, leaf)->root == look->root
               ? diagram_leaf(&look->r->d, DIAGRAM_TAG, look->tag, 0)
               : dead;
}

static void note_dead(struct vs_replay *r, unsigned node, unsigned tag)
{
    size_t count = vs_roots_of(r, node);

    for (size_t i = 0; i < count; i++) {
        struct vs_look look = {.r = r, .root = r->scratch.items[i], .tag = tag};

        if (!look.root)
            continue;
        struct vs_state *state = vs_change(r, look.root);
        state->dead =
            diagram_apply(&r->d, diagram_new_op(&r->d), node, state->dead, die_here, &look);
    }
}

void vs_kill(struct vs_replay *r, unsigned node, const struct ir_value *value)
{
    size_t count = vs_roots_of(r, node);

    for (size_t i = 0; i < count; i++)
        if (r->scratch.items[i] && !check_root(r, node, r->scratch.items[i], value))
            return;
    for (unsigned is_root = 0; is_root < 2; is_root++) {
        struct end end = {r, is_root};
        unsigned ended = diagram_apply(&r->d, diagram_new_op(&r->d), node, r->no, ended_leaf, &end);

        if (ended == r->nowhere)
            continue;
        unsigned tag = vs_tag_new(r, is_root ? VS_DEAD : VS_ENDED);
        vs_take(r, ended, tag);
        if (is_root)
            note_dead(r, ended, tag);
    }
}
