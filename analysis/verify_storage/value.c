/*
 * Values: tuples of values, and leaves.
 *
 * Names share them, so a tuple of a tuple with itself is a graph of two nodes, and each walk looks
 * at each node once.  What is built from such graphs is built with a stack of its own: they may be
 * deep.
 */
#include "analysis/verify_storage/internal.h"

enum { FIELD_LIMIT = 4096 }; /* parts of a value that are told apart where only its type is known */

struct vs_value *vs_leaf(struct arena *arena, unsigned node)
{
    struct vs_value *value = arena_new(arena, struct vs_value);

    value->node = node;
    return value;
}

struct vs_value *vs_tuple(struct arena *arena, struct vs_value **fields, unsigned count)
{
    struct vs_value *value = arena_new(arena, struct vs_value);

    value->fields = arena_array(arena, struct vs_value *, count + 1); /* never NULL */
    value->count = count;
    for (unsigned i = 0; i < count; i++)
        value->fields[i] = fields[i];
    return value;
}

static unsigned around(void *state, unsigned leaf, unsigned nothing)
{
    struct vs_replay *r = state;
    struct vs_place place = *vs_place_at(r, leaf);
    struct vs_spot spot = r->spots.items[place.spot];

    (void)nothing;
    return spot.root ? vs_place(r, spot.root, extent_around(&spot.extent), place.tag) : leaf;
}

/*
 * A leaf stands for all that it may be made of.  Two fields of it are one value here and may be two
 * tensors: where they lie to each other is not known.
 */
static struct vs_value *some_of(struct vs_replay *r, struct vs_value *leaf)
{
    if (leaf->is_some)
        return leaf;
    if (!leaf->some) {
        leaf->some = vs_leaf(
            &r->arena, diagram_apply(&r->d, diagram_new_op(&r->d), leaf->node, r->no, around, r));
        leaf->some->is_some = true;
    }
    return leaf->some;
}

struct vs_value *vs_field(struct vs_replay *r, struct vs_value *tuple, unsigned i)
{
    if (!tuple->fields)
        return some_of(r, tuple);
    return i < tuple->count ? tuple->fields[i] : tuple;
}

/* ---- walks ---- */

void vs_each_leaf(struct vs_replay *r, struct vs_value *value, vs_leaf_fn *visit, void *state)
{
    if (!value->fields) {
        visit(state, value->node);
        return;
    }
    array(struct vs_value *) stack = {0};
    unsigned mark = ++r->last_mark;

    array_push(&stack, value);
    while (stack.count) {
        struct vs_value *top = array_pop(&stack);

        if (top->mark == mark)
            continue;
        top->mark = mark;
        r->d.steps++;
        if (!top->fields)
            visit(state, top->node);
        for (unsigned i = top->count; top->fields && i-- > 0;)
            array_push(&stack, top->fields[i]);
    }
    array_finish(&stack);
}

struct collapse {
    struct vs_replay *r;
    unsigned node;
    bool has_node;
};

static void add_leaf(void *state, unsigned node)
{
    struct collapse *c = state;

    if (node == c->r->nowhere || (c->has_node && node == c->node))
        return;
    c->node = c->has_node ? diagram_choose(&c->r->d, vs_new_decision(c->r), node, c->node) : node;
    c->has_node = true;
}

unsigned vs_collapse(struct vs_replay *r, struct vs_value *value)
{
    struct collapse c = {.r = r, .node = r->nowhere};

    vs_each_leaf(r, value, add_leaf, &c);
    return c.node;
}

/* ---- both of two ---- */

struct pair {
    struct vs_value *then, *other;
    struct vs_value *result;
};

struct joiner {
    struct vs_replay *r;
    unsigned decision;
    struct map known; /* then -> struct known */
    array(struct pair) stack;
};

/* What @then makes with each of the values that it met. */
struct known {
    struct vs_value *other, *result;
    struct known *next;
};

static struct vs_value *find_known(struct joiner *j, struct vs_value *then, struct vs_value *other)
{
    for (struct known *k = map_get(&j->known, then); k; k = k->next)
        if (k->other == other)
            return k->result;
    return NULL;
}

static void set_known(struct joiner *j, const struct pair *pair, struct vs_value *result)
{
    struct known *k = arena_new(&j->r->arena, struct known);

    *k = (struct known){pair->other, result, map_get(&j->known, pair->then)};
    map_set(&j->known, pair->then, k);
}

/* Of values without fields, or that are one; NULL: their fields are to be joined. */
static struct vs_value *join_leaves(struct joiner *j, struct vs_value *then, struct vs_value *other)
{
    if (then == other)
        return then;
    if (then->fields || other->fields)
        return NULL;
    struct vs_value *leaf =
        vs_leaf(&j->r->arena, diagram_choose(&j->r->d, j->decision, then->node, other->node));

    leaf->is_some = then->is_some || other->is_some;
    return leaf;
}

static unsigned field_count(const struct pair *pair)
{
    return pair->then->count > pair->other->count ? pair->then->count : pair->other->count;
}

/* The fields of the pair on top that are not known yet go on the stack; true if there are none. */
static bool needs_nothing(struct joiner *j)
{
    struct pair top = array_last(&j->stack);
    size_t before = j->stack.count;

    for (unsigned i = 0; i < field_count(&top); i++) {
        struct vs_value *then = vs_field(j->r, top.then, i);
        struct vs_value *other = vs_field(j->r, top.other, i);

        if (!find_known(j, then, other))
            array_push(&j->stack, (struct pair){.then = then, .other = other});
    }
    return j->stack.count == before;
}

static void finish_pair(struct joiner *j)
{
    struct pair top = array_last(&j->stack);
    unsigned count = field_count(&top);
    struct vs_value *result = join_leaves(j, top.then, top.other);

    if (!result) {
        if (!needs_nothing(j))
            return; /* again when they are there */
        struct vs_value **fields = arena_array(&j->r->arena, struct vs_value *, count + 1);

        for (unsigned i = 0; i < count; i++)
            fields[i] = find_known(j, vs_field(j->r, top.then, i), vs_field(j->r, top.other, i));
        result = vs_tuple(&j->r->arena, fields, count);
    }
    if (!find_known(j, top.then, top.other))
        set_known(j, &top, result);
    j->stack.count--;
}

struct vs_value *vs_join_values(struct vs_replay *r, unsigned decision, struct vs_value *then,
                                struct vs_value *other)
{
    struct joiner j = {.r = r, .decision = decision};
    struct vs_value *result = join_leaves(&j, then, other);

    if (result)
        return result;
    array_push(&j.stack, (struct pair){.then = then, .other = other});
    while (j.stack.count && !r->d.is_full) {
        r->d.is_full |= ++r->d.steps > r->d.step_limit;
        finish_pair(&j);
    }
    result = find_known(&j, then, other);
    map_finish(&j.known);
    array_finish(&j.stack);
    return result ? result : vs_leaf(&r->arena, r->nowhere);
}

/* ---- by types ---- */

bool vs_has_storage(const struct ir_type *type)
{
    return type->kind == IR_TYPE_TENSOR || type->kind == IR_TYPE_ANY;
}

/* How many parts a value of @type has, up to the limit. */
static unsigned count_leaves(const struct ir_type *type, unsigned depth)
{
    unsigned count = 1; /* tuples count, too: there may be nothing but tuples */

    if (depth > FIELD_LIMIT / 16)
        return FIELD_LIMIT + 1;
    if (type->kind != IR_TYPE_TUPLE)
        return 1;
    for (unsigned i = 0; i < type->field_count && count <= FIELD_LIMIT; i++)
        count += count_leaves(type->fields[i], depth + 1);
    return count;
}

static struct vs_value *by_fields(struct arena *arena, const struct ir_type *type,
                                  vs_make_leaf_fn *make, void *state)
{
    if (type->kind != IR_TYPE_TUPLE)
        return vs_leaf(arena, make(state, type));
    struct vs_value *tuple = vs_tuple(arena, NULL, 0);

    tuple->fields = arena_array(arena, struct vs_value *, type->field_count + 1);
    tuple->count = type->field_count;
    for (unsigned i = 0; i < type->field_count; i++)
        tuple->fields[i] = by_fields(arena, type->fields[i], make, state);
    return tuple;
}

struct vs_value *vs_value_of_type(struct arena *arena, const struct ir_type *type,
                                  vs_make_leaf_fn *make, void *state)
{
    if (count_leaves(type, 0) > FIELD_LIMIT)
        return vs_leaf(arena, make(state, type));
    return by_fields(arena, type, make, state);
}
