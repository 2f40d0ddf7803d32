/*
 * What ops may do with storage: is it read, written and given away as it may be?
 *
 * A value that may lie in several places is a diagram; so is the owner of bytes.  Most are one
 * leaf, and everything here has that as its short way.
 */
#include "analysis/verify_storage/piece.h"

/* ---- reads ---- */

/* `yes`, or a tag other than that of @leaf that owns the bytes. */
static unsigned compare_tag(void *state, unsigned leaf, unsigned owner)
{
    struct vs_replay *r = ((struct vs_look *)state)->r;
    unsigned tag = vs_place_at(r, leaf)->tag;
    size_t count;

    if (diagram_is_leaf(&r->d, owner))
        return diagram_number(&r->d, owner) == tag ? r->yes : owner;
    const unsigned *owners = diagram_leaves(&r->d, owner, &count);
    for (size_t i = 0; i < count; i++)
        if (diagram_number(&r->d, owners[i]) != tag)
            return owners[i];
    UNREACHABLE("a diagram of one leaf");
}

/* The same for one piece of one root, where the value may lead to others. */
static unsigned compare_here(void *state, unsigned leaf, unsigned owner)
{
    struct vs_look *look = state;
    const struct vs_spot *spot = vs_spot_at(look->r, leaf);

    if (spot->root != look->root ||
        vs_relation(look->r, &spot->extent, look->piece) == EXTENT_APART)
        return look->r->yes;
    return compare_tag(state, leaf, owner);
}

static void refuse_read(struct vs_replay *r, unsigned owners, const struct ir_value *value)
{
    static const enum verify_storage_fault faults[] = {
        [VS_VALUE] = VERIFY_STORAGE_OVERWRITTEN, [VS_DEAD] = VERIFY_STORAGE_KILLED,
        [VS_ENDED] = VERIFY_STORAGE_KILLED,      [VS_UNSURE] = VERIFY_STORAGE_UNSURE,
        [VS_MOVED] = VERIFY_STORAGE_OVERWRITTEN,
    };
    size_t count;
    const unsigned *leaves = diagram_leaves(&r->d, owners, &count);

    for (size_t i = 0; i < count; i++)
        if (leaves[i] != r->yes) {
            const struct vs_tag *tag = &r->tags.items[diagram_number(&r->d, leaves[i])];

            vs_refuse(r, faults[tag->kind], value, tag->op);
            return;
        }
}

/* Some piece holds all of @extent; only asked where bytes may be missing. */
static bool is_covered(struct vs_replay *r, const struct vs_state *state,
                       const struct extent *extent)
{
    for (unsigned i = 0; i < state->pieces.count; i++)
        if (extent_is_within(r->m->context, extent, &vs_piece_at(&state->pieces, i)->extent))
            return true;
    return false;
}

static bool read_piece(struct vs_replay *r, unsigned op, unsigned node, struct vs_look *look,
                       unsigned owner, diagram_leaf_fn *compare, const struct ir_value *value)
{
    unsigned result = diagram_apply(&r->d, op, node, owner, compare, look);

    if (result == r->yes || r->d.is_full)
        return true;
    refuse_read(r, result, value);
    return false;
}

/*
 * All places of @node are @extent of @root: only tags matter, and what was compared once need not
 * be again.
 */
static void read_spot(struct vs_replay *r, unsigned node, unsigned root, struct extent extent,
                      const struct ir_value *value)
{
    const struct vs_state *state = r->roots.items[root].state;
    struct vs_look look = {.r = r};

    if (state->has_gaps && !is_covered(r, state, &extent)) {
        vs_refuse(r, VERIFY_STORAGE_UNSURE, value, NULL);
        return;
    }
    for (unsigned i = vs_first_piece(state, &extent); vs_is_near(state, i, &extent); i++)
        if (vs_relation(r, &extent, &vs_piece_at(&state->pieces, i)->extent) != EXTENT_APART &&
            !read_piece(r, r->check_op, node, &look, vs_piece_at(&state->pieces, i)->owner,
                        compare_tag, value))
            return;
}

/* One of several places of a value; true if the owner is another one on other paths. */
static bool read_place(struct vs_replay *r, unsigned leaf, const struct ir_value *value)
{
    const struct vs_spot *spot = vs_spot_at(r, leaf);
    const struct vs_state *state = r->roots.items[spot->root].state;
    unsigned tag = vs_place_at(r, leaf)->tag;
    bool is_open = false;

    if (state->has_gaps && !is_covered(r, state, &spot->extent))
        vs_refuse(r, VERIFY_STORAGE_UNSURE, value, NULL);
    for (unsigned i = vs_first_piece(state, &spot->extent);
         !r->has_fault && vs_is_near(state, i, &spot->extent); i++) {
        unsigned owner = vs_piece_at(&state->pieces, i)->owner;

        if (vs_relation(r, &spot->extent, &vs_piece_at(&state->pieces, i)->extent) == EXTENT_APART)
            continue;
        if (!diagram_is_leaf(&r->d, owner))
            is_open = true;
        else if (diagram_number(&r->d, owner) != tag)
            refuse_read(r, owner, value);
    }
    return is_open;
}

static bool read_root(struct vs_replay *r, unsigned node, unsigned root,
                      const struct ir_value *value)
{
    const struct vs_state *state = r->roots.items[root].state;

    for (unsigned i = 0; i < state->pieces.count; i++) {
        struct vs_look look = {
            .r = r, .root = root, .piece = &vs_piece_at(&state->pieces, i)->extent};

        if (!read_piece(r, diagram_new_op(&r->d), node, &look,
                        vs_piece_at(&state->pieces, i)->owner, compare_here, value))
            return false;
    }
    return true;
}

/* Several places: only where owners differ by path do paths matter. */
static void read_places(struct vs_replay *r, unsigned node, const struct ir_value *value)
{
    size_t count, kept = 0;
    const unsigned *leaves = diagram_leaves(&r->d, node, &count);
    unsigned mark = ++r->last_mark;

    r->scratch.count = 0;
    for (size_t i = 0; i < count && !r->has_fault; i++) {
        unsigned root = vs_spot_at(r, leaves[i])->root;

        if (root && read_place(r, leaves[i], value) && r->roots.items[root].mark != mark) {
            r->roots.items[root].mark = mark;
            array_push(&r->scratch, root);
        }
    }
    for (kept = 0; kept < r->scratch.count && !r->has_fault; kept++)
        read_root(r, node, r->scratch.items[kept], value);
}

void vs_read(struct vs_replay *r, unsigned node, const struct ir_value *value)
{
    unsigned spot = r->d.nodes.items[node].spot;

    if (node == r->nowhere)
        return;
    if (spot)
        read_spot(r, node, r->spots.items[spot].root, r->spots.items[spot].extent, value);
    else
        read_places(r, node, value);
}

/* An allocation by its own name, which no effect has given a value: undefined, whoever's bytes it
 * has. */
static bool is_room(struct vs_replay *r, unsigned node)
{
    if (!diagram_is_leaf(&r->d, node))
        return false;
    const struct vs_tag *tag = &r->tags.items[vs_place_at(r, node)->tag];
    const struct vs_root *root = vs_root_at(r, node);

    return tag->kind == VS_VALUE && tag->op && (tag->op->info->traits & IR_ALLOCATES) &&
           root->kind == VS_OWN && !root->is_filled && !root->is_kept;
}

/* Do all bytes hold values, and no end of a tensor? */
static bool has_values(struct vs_replay *r, unsigned node)
{
    struct vs_spot spot = *vs_spot_at(r, node);
    const struct vs_state *state = r->roots.items[spot.root].state;
    size_t count;

    for (unsigned i = vs_first_piece(state, &spot.extent); vs_is_near(state, i, &spot.extent);
         i++) {
        const unsigned *leaves =
            diagram_leaves(&r->d, vs_piece_at(&state->pieces, i)->owner, &count);

        if (vs_relation(r, &spot.extent, &vs_piece_at(&state->pieces, i)->extent) == EXTENT_APART)
            continue;
        for (size_t k = 0; k < count; k++)
            if (r->tags.items[diagram_number(&r->d, leaves[k])].kind != VS_VALUE)
                return false;
    }
    return true;
}

void vs_read_target(struct vs_replay *r, unsigned node, const struct ir_value *value)
{
    if (is_room(r, node) && has_values(r, node))
        vs_check_alive(r, node, value);
    else
        vs_read(r, node, value);
}

/* ---- what opaque code holds ---- */

/* On the paths that lead to the root: what @b is; `no` elsewhere. */
static unsigned flag_here(void *state, unsigned leaf, unsigned flag)
{
    struct vs_look *look = state;

    return vs_spot_at(look->r, leaf)->root == look->root ? flag : look->r->no;
}

bool vs_is_kept(struct vs_replay *r, unsigned node, unsigned root)
{
    unsigned kept = r->roots.items[root].state->kept;
    struct vs_look look = {.r = r, .root = root};

    return kept != r->no &&
           diagram_apply(&r->d, diagram_new_op(&r->d), node, kept, flag_here, &look) != r->no;
}

bool vs_check_writable(struct vs_replay *r, unsigned node, const struct ir_value *value,
                       bool is_effect)
{
    size_t count = vs_roots_of(r, node);

    for (size_t i = 0; i < count; i++) {
        const struct vs_root *root = &r->roots.items[r->scratch.items[i]];

        if (root->kind == VS_BORROWED)
            vs_refuse(r, VERIFY_STORAGE_WRITES_BORROWED, value, NULL);
        else if (root->kind == VS_CONSTANT)
            vs_refuse(r, VERIFY_STORAGE_WRITES_CONSTANT, value, NULL);
        else if (root->kind == VS_OPAQUE)
            vs_refuse(r, VERIFY_STORAGE_WRITES_OPAQUE, value, root->maker);
        else if (!is_effect && vs_is_kept(r, node, r->scratch.items[i]))
            vs_refuse(r, VERIFY_STORAGE_WRITES_OPAQUE, value, root->keep);
        else
            continue;
        return false;
    }
    return true;
}

/* ---- two values ---- */

static unsigned overlap(void *state, unsigned leaf, unsigned other)
{
    struct vs_replay *r = ((struct vs_look *)state)->r;
    struct vs_spot spot = *vs_spot_at(r, leaf);
    size_t count;
    const unsigned *leaves = diagram_leaves(&r->d, other, &count);

    for (size_t i = 0; spot.root && i < count; i++)
        if (vs_spot_at(r, leaves[i])->root == spot.root &&
            vs_relation(r, &spot.extent, &vs_spot_at(r, leaves[i])->extent) != EXTENT_APART)
            return r->yes;
    return r->no;
}

bool vs_may_overlap(struct vs_replay *r, unsigned a, unsigned b)
{
    struct vs_look look = {.r = r};

    if (a == r->nowhere || b == r->nowhere)
        return false;
    return diagram_apply(&r->d, diagram_new_op(&r->d), a, b, overlap, &look) != r->no;
}
