/*
 * What ops do to storage: read, write, kill, give away.
 *
 * A value that may lie in several places is a diagram; so is the owner of bytes.  Most are one
 * leaf, and everything here has that as its short way.
 */
#include "analysis/verify_storage/internal.h"

#include <string.h>

/* A diagram of places is looked at for one root, and there for one piece. */
struct look {
    struct vs_replay *r;
    unsigned root, tag;
    const struct extent *piece;
    bool is_kill;
};

static enum extent_relation relation(struct vs_replay *r, const struct extent *a,
                                     const struct extent *b)
{
    if (!extent_is_number(a) || !extent_is_number(b))
        r->d.steps += 100; /* proofs are slower than numbers */
    return extent_relation(r->m->context, a, b);
}

/* The first piece of @state that may meet @extent: pieces of numbers are sorted. */
static unsigned first_piece(const struct vs_state *state, const struct extent *extent)
{
    unsigned low = 0, high = state->count;

    if (state->has_expression || !extent_is_number(extent))
        return 0;
    while (low < high) {
        unsigned middle = low + (high - low) / 2;

        if (state->pieces[middle].extent.high <= extent->low)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_behind(const struct vs_state *state, unsigned i, const struct extent *extent)
{
    return !state->has_expression && extent_is_number(extent) &&
           state->pieces[i].extent.low >= extent->high;
}

#define for_each_piece(i, state, extent)          \
    for (unsigned i = first_piece(state, extent); \
         i < (state)->count && !is_behind(state, i, extent); i++)

/* ---- reads ---- */

/* `yes`, or a tag other than that of @leaf that owns the bytes. */
static unsigned compare_tag(void *state, unsigned leaf, unsigned owner)
{
    struct vs_replay *r = ((struct look *)state)->r;
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
    struct look *look = state;
    const struct vs_spot *spot = vs_spot_at(look->r, leaf);

    if (spot->root != look->root || relation(look->r, &spot->extent, look->piece) == EXTENT_APART)
        return look->r->yes;
    return compare_tag(state, leaf, owner);
}

static void refuse_read(struct vs_replay *r, unsigned owners, const struct ir_value *value)
{
    static const enum verify_storage_fault faults[] = {
        [VS_VALUE] = VERIFY_STORAGE_OVERWRITTEN,
        [VS_DEAD] = VERIFY_STORAGE_KILLED,
        [VS_ENDED] = VERIFY_STORAGE_KILLED,
        [VS_UNSURE] = VERIFY_STORAGE_UNSURE,
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
    for (unsigned i = 0; i < state->count; i++)
        if (extent_is_within(r->m->context, extent, &state->pieces[i].extent))
            return true;
    return false;
}

static bool read_piece(struct vs_replay *r, unsigned op, unsigned node, struct look *look,
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
    struct look look = {.r = r};

    if (state->has_gaps && !is_covered(r, state, &extent)) {
        vs_refuse(r, VERIFY_STORAGE_UNSURE, value, NULL);
        return;
    }
    for_each_piece(i, state,
                   &extent) if (relation(r, &extent, &state->pieces[i].extent) != EXTENT_APART &&
                                !read_piece(r, r->check_op, node, &look, state->pieces[i].owner,
                                            compare_tag, value)) return;
}

static bool read_root(struct vs_replay *r, unsigned node, unsigned root,
                      const struct ir_value *value)
{
    const struct vs_state *state = r->roots.items[root].state;

    if (state->has_gaps) {
        vs_refuse(r, VERIFY_STORAGE_UNSURE, value, NULL);
        return false;
    }
    for (unsigned i = 0; i < state->count; i++) {
        struct look look = {.r = r, .root = root, .piece = &state->pieces[i].extent};

        if (!read_piece(r, diagram_new_op(&r->d), node, &look, state->pieces[i].owner, compare_here,
                        value))
            return false;
    }
    return true;
}

void vs_read(struct vs_replay *r, unsigned node, const struct ir_value *value)
{
    unsigned spot = r->d.nodes.items[node].spot;

    if (node == r->nowhere)
        return;
    if (spot) {
        read_spot(r, node, r->spots.items[spot].root, r->spots.items[spot].extent, value);
        return;
    }
    size_t count = vs_roots_of(r, node);
    for (size_t i = 0; i < count; i++)
        if (r->scratch.items[i] && !read_root(r, node, r->scratch.items[i], value))
            return;
}

/* ---- writes ---- */

static unsigned unsure(struct vs_replay *r)
{
    return diagram_leaf(&r->d, DIAGRAM_TAG, vs_tag_new(r, VS_UNSURE), 0);
}

/* The owner of a piece, where the value on each path may take it. */
static unsigned take_piece(void *state, unsigned leaf, unsigned owner)
{
    struct look *look = state;
    struct vs_replay *r = look->r;
    const struct vs_spot *spot = vs_spot_at(r, leaf);

    if (spot->root != look->root)
        return owner;
    switch (relation(r, look->piece, &spot->extent)) {
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
    struct vs_piece *piece = &state->pieces[i];
    struct vs_piece part = *piece;

    part.extent =
        is_front ? extent_before(&piece->extent, extent) : extent_behind(&piece->extent, extent);
    if (is_empty(&part.extent))
        return false;
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
    for_each_piece(i, state, extent)
    {
        enum extent_relation how = relation(r, extent, &state->pieces[i].extent);
        bool is_across = how == EXTENT_ACROSS;

        if (how != EXTENT_WITHIN && !is_across)
            continue;
        if (!is_across || state->pieces[i].extent.low < extent->low)
            i += split_off(r, state, i, extent, true);
        if (!is_across || state->pieces[i].extent.high > extent->high)
            i += split_off(r, state, i, extent, false);
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
    unsigned first = first_piece(state, extent), last = first, kept = first;
    /*
     * what is taken goes; what may be in part goes too, and then it is not known what its bytes
     * hold
     */
    for (; last < state->count && !is_behind(state, last, extent); last++) {
        enum extent_relation how = relation(r, &state->pieces[last].extent, extent);

        if (how == EXTENT_APART)
            state->pieces[kept++] = state->pieces[last];
        else
            state->has_gaps |= how != EXTENT_SAME && how != EXTENT_WITHIN;
    }
    memmove(&state->pieces[kept], &state->pieces[last],
            (state->count - last) * sizeof(*state->pieces));
    state->count -= last - kept;
    bool is_sorted = !state->has_expression && extent_is_number(extent);
    vs_add_piece(r, state, is_sorted ? first_piece(state, extent) : state->count,
                 (struct vs_piece){*extent, owner});
}

static void take_where(struct vs_replay *r, unsigned node, unsigned root, unsigned tag)
{
    struct vs_state *state = vs_change(r, root);
    struct look look = {.r = r, .root = root, .tag = tag};
    unsigned op = 0;
    size_t count;
    const unsigned *leaves = diagram_leaves(&r->d, node, &count);

    for (size_t i = 0; i < count; i++) {
        struct extent extent = vs_spot_at(r, leaves[i])->extent;

        if (vs_spot_at(r, leaves[i])->root == root)
            cut(r, state, &extent);
    }
    for (unsigned i = 0; i < state->count; i++) {
        struct extent extent = state->pieces[i].extent;

        look.piece = &extent;
        op = diagram_new_op(&r->d);
        state->pieces[i].owner =
            diagram_apply(&r->d, op, node, state->pieces[i].owner, take_piece, &look);
    }
}

static void take(struct vs_replay *r, unsigned node, unsigned tag)
{
    unsigned spot = r->d.nodes.items[node].spot;

    if (spot) {
        struct extent extent = r->spots.items[spot].extent;

        take_all(r, r->spots.items[spot].root, &extent, diagram_leaf(&r->d, DIAGRAM_TAG, tag, 0));
        return;
    }
    size_t count = vs_roots_of(r, node);
    for (size_t i = 0; i < count; i++)
        if (r->scratch.items[i])
            take_where(r, node, r->scratch.items[i], tag);
}

void vs_write(struct vs_replay *r, unsigned node, unsigned tag)
{
    take(r, node, tag);
    size_t count = vs_roots_of(r, node);
    for (size_t i = 0; i < count; i++)
        r->roots.items[r->scratch.items[i]].is_written = true;
}

/* ---- what opaque code holds ---- */

/* On the paths that lead to the root: what @b is; `no` elsewhere. */
static unsigned flag_here(void *state, unsigned leaf, unsigned flag)
{
    struct look *look = state;

    return vs_spot_at(look->r, leaf)->root == look->root ? flag : look->r->no;
}

static bool is_kept(struct vs_replay *r, unsigned node, unsigned root)
{
    unsigned kept = r->roots.items[root].state->kept;
    struct look look = {.r = r, .root = root};

    return kept != r->no &&
           diagram_apply(&r->d, diagram_new_op(&r->d), node, kept, flag_here, &look) != r->no;
}

static unsigned keep_here(void *state, unsigned leaf, unsigned flag)
{
    struct look *look = state;

    return vs_spot_at(look->r, leaf)->root == look->root ? look->r->yes : flag;
}

void vs_keep(struct vs_replay *r, unsigned node)
{
    size_t count = vs_roots_of(r, node);

    for (size_t i = 0; i < count; i++) {
        unsigned root = r->scratch.items[i];
        struct look look = {.r = r, .root = root};

        if (!root)
            continue;
        unsigned kept = diagram_apply(&r->d, diagram_new_op(&r->d), node,
                                      r->roots.items[root].state->kept, keep_here, &look);

        if (kept != r->roots.items[root].state->kept)
            vs_change(r, root)->kept = kept;
        if (!r->roots.items[root].is_kept)
            r->roots.items[root].keep = r->op;
        r->roots.items[root].is_kept = true;
    }
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
        else if (!is_effect && is_kept(r, node, r->scratch.items[i]))
            vs_refuse(r, VERIFY_STORAGE_WRITES_OPAQUE, value, root->keep);
        else
            continue;
        return false;
    }
    return true;
}

/* ---- ends ---- */

/*
 * Is the value the storage itself (or all that there is in its root), and no tensor that lies in
 * it?
 */
static bool is_all(const struct vs_replay *r, const struct vs_place *place)
{
    const struct vs_root *root = &r->roots.items[r->spots.items[place->spot].root];

    return !root->is_storage || place->tag == root->first_tag;
}

/* What killed bytes that the value leads to; NULL if they live. */
static unsigned find_dead(void *state, unsigned leaf, unsigned owner)
{
    struct look *look = state;
    struct vs_replay *r = look->r;
    const struct vs_place *place = vs_place_at(r, leaf);
    const struct vs_spot *spot = &r->spots.items[place->spot];
    size_t count;

    if (spot->root != look->root || (look->is_kill && !is_all(r, place) &&
                                     relation(r, &spot->extent, look->piece) == EXTENT_APART))
        return r->no;
    const unsigned *owners = diagram_leaves(&r->d, owner, &count);
    for (size_t i = 0; i < count; i++) {
        const struct vs_tag *tag = &r->tags.items[diagram_number(&r->d, owners[i])];
        bool is_end = tag->kind == VS_ENDED && look->is_kill && !is_all(r, place);

        if ((tag->kind == VS_DEAD || is_end) && tag->op != r->op)
            return owners[i];
    }
    return r->no;
}

/* Refuses if bytes of @root that @node leads to are dead; @is_kill: ended tensors count, too. */
static bool check_living(struct vs_replay *r, unsigned node, unsigned root, bool is_kill,
                         enum verify_storage_fault fault, const struct ir_value *value)
{
    const struct vs_state *state = r->roots.items[root].state;

    for (unsigned i = 0; i < state->count; i++) {
        struct look look = {
            .r = r, .root = root, .is_kill = is_kill, .piece = &state->pieces[i].extent};
        unsigned dead = diagram_apply(&r->d, diagram_new_op(&r->d), node, state->pieces[i].owner,
                                      find_dead, &look);
        size_t count;
        const unsigned *leaves = diagram_leaves(&r->d, dead, &count);

        for (size_t k = 0; k < count && !r->d.is_full; k++)
            if (leaves[k] != r->no) {
                vs_refuse(r, fault, value, r->tags.items[diagram_number(&r->d, leaves[k])].op);
                return false;
            }
    }
    return true;
}

bool vs_check_alive(struct vs_replay *r, unsigned node, const struct ir_value *value)
{
    size_t count = vs_roots_of(r, node);

    for (size_t i = 0; i < count; i++)
        if (!check_living(r, node, r->scratch.items[i], false, VERIFY_STORAGE_NO_STORAGE, value))
            return false;
    return true;
}

static bool check_kill(struct vs_replay *r, unsigned node, unsigned root,
                       const struct ir_value *value)
{
    if (r->roots.items[root].kind != VS_OWN)
        vs_refuse(r, VERIFY_STORAGE_KILLS_FOREIGN, value, NULL);
    else if (is_kept(r, node, root))
        vs_refuse(r, VERIFY_STORAGE_KILLS_OPAQUE, value, r->roots.items[root].keep);
    else
        return check_living(r, node, root, true, VERIFY_STORAGE_KILLS_TWICE, value);
    return false;
}

/* What a kill ends: @is_kill: roots, all of them; else tensors that lie in storage. */
static unsigned ended_leaf(void *state, unsigned leaf, unsigned nothing)
{
    struct look *look = state;
    struct vs_place place = *vs_place_at(look->r, leaf);

    (void)nothing;
    if (is_all(look->r, &place) != look->is_kill)
        return look->r->nowhere;
    unsigned root = look->r->spots.items[place.spot].root;
    return look->is_kill ? vs_place(look->r, root, extent_whole, place.tag) : leaf;
}

void vs_kill(struct vs_replay *r, unsigned node, const struct ir_value *value)
{
    size_t count = vs_roots_of(r, node);

    for (size_t i = 0; i < count; i++)
        if (r->scratch.items[i] && !check_kill(r, node, r->scratch.items[i], value))
            return;
    for (unsigned is_kill = 0; is_kill < 2; is_kill++) {
        struct look look = {.r = r, .is_kill = is_kill};
        unsigned ended =
            diagram_apply(&r->d, diagram_new_op(&r->d), node, r->no, ended_leaf, &look);

        if (ended != r->nowhere)
            take(r, ended, vs_tag_new(r, is_kill ? VS_DEAD : VS_ENDED));
    }
}

/* ---- other names ---- */

static unsigned retag_leaf(void *state, unsigned leaf, unsigned nothing)
{
    struct look *look = state;
    struct vs_spot spot = *vs_spot_at(look->r, leaf);

    (void)nothing;
    return spot.root ? vs_place(look->r, spot.root, spot.extent, look->tag) : leaf;
}

unsigned vs_retag(struct vs_replay *r, unsigned node, unsigned tag)
{
    struct look look = {.r = r, .tag = tag};

    return diagram_apply(&r->d, diagram_new_op(&r->d), node, r->no, retag_leaf, &look);
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
    struct look *look = state;
    struct vs_place place = *vs_place_at(look->r, leaf);
    struct vs_spot spot = look->r->spots.items[place.spot];

    (void)nothing;
    if (!spot.root)
        return leaf;
    struct extent extent = shift(look->r->m->context, &spot.extent, look->piece);
    return vs_place(look->r, spot.root, extent, place.tag);
}

unsigned vs_part(struct vs_replay *r, unsigned node, struct extent part)
{
    struct look look = {.r = r, .piece = &part};

    if (extent_equal(&part, &extent_whole))
        return node;
    return diagram_apply(&r->d, diagram_new_op(&r->d), node, r->no, part_of_leaf, &look);
}

static unsigned overlap(void *state, unsigned leaf, unsigned other)
{
    struct vs_replay *r = ((struct look *)state)->r;
    struct vs_spot spot = *vs_spot_at(r, leaf);
    size_t count;
    const unsigned *leaves = diagram_leaves(&r->d, other, &count);

    for (size_t i = 0; spot.root && i < count; i++)
        if (vs_spot_at(r, leaves[i])->root == spot.root &&
            relation(r, &spot.extent, &vs_spot_at(r, leaves[i])->extent) != EXTENT_APART)
            return r->yes;
    return r->no;
}

bool vs_may_overlap(struct vs_replay *r, unsigned a, unsigned b)
{
    struct look look = {.r = r};

    if (a == r->nowhere || b == r->nowhere)
        return false;
    return diagram_apply(&r->d, diagram_new_op(&r->d), a, b, overlap, &look) != r->no;
}
