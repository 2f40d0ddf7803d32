/*
 * What a function does to its caller: which arguments it may overwrite or give away, and where its
 * result may lie.
 *
 * Storage that functions make themselves is told apart only as far as leaves of the result may
 * share it: all that one leaf may be is one *group*, in which each leaf has the bytes that it has in
 * whichever storage of the group it is.  So the facts of functions that call each other grow to a
 * fixed point and not for ever.
 */
#include "analysis/verify_storage/internal.h"

#include <string.h>

enum { RESULT_LIMIT = 4096, PART_LIMIT = 8 };

bool vs_is_donated(const struct ir_function *function, unsigned param)
{
    const struct ir_attr *list =
        function->attrs ? ir_attr_dict_get(function->attrs, "relax.inplace_arg") : NULL;

    if (!list)
        return false;
    if (list->kind == IR_ATTR_INT)
        return list->integer == (int64_t)param;
    for (unsigned i = 0; list->kind == IR_ATTR_LIST && i < list->count; i++)
        if (list->items[i]->kind == IR_ATTR_INT && list->items[i]->integer == (int64_t)param)
            return true;
    return false;
}

static unsigned number_leaf(void *state, const struct ir_type *type)
{
    struct vs_summary *summary = state;

    (void)type;
    return summary->leaf_count++;
}

struct vs_summary *vs_summary_new(struct vs_module *m, struct ir_function *function)
{
    struct vs_summary *summary = arena_new(&m->arena, struct vs_summary);

    summary->function = function;
    summary->params = arena_array(&m->arena, struct vs_value *, function->param_count + 1);
    for (unsigned i = 0; i < function->param_count; i++)
        summary->params[i] =
            vs_value_of_type(&m->arena, function->params[i]->type, number_leaf, summary);
    summary->leaves = arena_array(&m->arena, struct vs_leaf_facts, summary->leaf_count + 1);
    return summary;
}

/* ---- the result as it is built ---- */

/* The outcome of one leaf before storage is put in groups. */
struct own {
    struct vs_outcome *outcome;
    unsigned root; /* one of those that it may be in; 0: none */
};

struct builder {
    struct vs_replay *r;
    struct arena *arena;
    unsigned *leader; /* by root: union-find */
    array(struct own) owns;
    struct map built; /* vs_value -> vs_result */
};

static unsigned find_leader(struct builder *b, unsigned root)
{
    while (b->leader[root] != root) {
        b->leader[root] = b->leader[b->leader[root]];
        root = b->leader[root];
    }
    return root;
}

/* Somewhere in all of @leaf: there is nothing left to add. */
static struct vs_part *find_anywhere(struct vs_part *list, unsigned leaf)
{
    for (; list; list = list->next)
        if (list->leaf == leaf && extent_equal(&list->extent, &extent_anywhere))
            break;
    return list;
}

/* @part, which is in the list, is all that it says of its leaf from now on. */
static void drop_others(struct vs_part **list, const struct vs_part *part)
{
    while (*list)
        if (*list != part && (*list)->leaf == part->leaf)
            *list = (*list)->next;
        else
            list = &(*list)->next;
}

/* One more part that @leaf may be; the same one once, too many are somewhere in it. */
static void add_part(struct builder *b, struct vs_part **list, unsigned leaf,
                     const struct extent *extent)
{
    unsigned count = 0;
    struct vs_part **end = list;

    if (find_anywhere(*list, leaf))
        return;
    for (; *end; end = &(*end)->next) {
        count += (*end)->leaf == leaf;
        if ((*end)->leaf == leaf && extent_equal(&(*end)->extent, extent))
            return;
    }
    *end = arena_new(b->arena, struct vs_part);
    (*end)->leaf = leaf;
    (*end)->extent = count < PART_LIMIT ? *extent : extent_anywhere;
    if (extent_equal(&(*end)->extent, &extent_anywhere))
        drop_others(list, *end);
}

static void add_own(struct builder *b, struct own *own, const struct vs_spot *spot)
{
    if (own->root)
        b->leader[find_leader(b, spot->root)] = find_leader(b, own->root);
    own->root = spot->root;
    add_part(b, &own->outcome->parts, 0, &spot->extent);
}

static void add_place(struct builder *b, struct own *own, unsigned leaf)
{
    struct vs_spot spot = *vs_spot_at(b->r, leaf);
    const struct vs_root *root = &b->r->roots.items[spot.root];

    switch (root->kind) {
    case VS_NOWHERE:
        break;
    case VS_OWN:
        if (root->is_kept)
            own->outcome->is_opaque = true;
        else
            add_own(b, own, &spot);
        break;
    case VS_DONATED:
    case VS_BORROWED:
        if (root->leaf == VS_NONE)
            own->outcome->is_opaque = true;
        else
            add_part(b, &own->outcome->params, root->leaf, &spot.extent);
        break;
    case VS_CONSTANT:
        own->outcome->is_constant = true;
        break;
    case VS_OPAQUE:
        own->outcome->is_opaque = true;
        break;
    }
}

static void add_node(void *state, unsigned node)
{
    struct builder *b = state;
    size_t count;
    const unsigned *leaves = diagram_leaves(&b->r->d, vs_unmoved(b->r, node), &count);

    for (size_t i = 0; i < count; i++)
        add_place(b, &array_last(&b->owns), leaves[i]);
}

static struct vs_result *leaf_result(struct builder *b, struct vs_value *value)
{
    struct vs_result *result = arena_new(b->arena, struct vs_result);

    result->outcome = arena_new(b->arena, struct vs_outcome);
    result->outcome->group = VS_NONE;
    result->is_some = value->is_some;
    array_push(&b->owns, (struct own){.outcome = result->outcome});
    vs_each_leaf(b->r, value, add_node, b);
    return result;
}

static struct vs_result *tuple_result(struct builder *b, unsigned count)
{
    struct vs_result *result = arena_new(b->arena, struct vs_result);

    result->count = count;
    result->fields = arena_array(b->arena, struct vs_result *, count + 1);
    return result;
}

/* ---- its shape ---- */

/* That of the value; shared parts stay shared. */
static struct vs_result *by_value(struct builder *b, struct vs_value *value)
{
    array(struct vs_value *) stack = {0};

    array_push(&stack, value);
    while (stack.count) {
        struct vs_value *top = array_last(&stack);
        size_t before = stack.count;
        struct vs_result *result = NULL;

        for (unsigned i = 0; top->fields && i < top->count; i++)
            if (!map_has(&b->built, top->fields[i]))
                array_push(&stack, top->fields[i]);
        if (stack.count > before)
            continue;
        if (!map_has(&b->built, top)) {
            result = top->fields ? tuple_result(b, top->count) : leaf_result(b, top);
            for (unsigned i = 0; i < result->count; i++)
                result->fields[i] = map_get(&b->built, top->fields[i]);
            map_set(&b->built, top, result);
        }
        stack.count--;
    }
    array_finish(&stack);
    return map_get(&b->built, value);
}

/*
 * That of a type, where the value could be a larger one each time: functions that call themselves.
 */
static struct vs_result *by_skeleton(struct builder *b, const struct vs_value *skeleton,
                                     struct vs_value *value)
{
    if (!skeleton->fields)
        return leaf_result(b, value);
    struct vs_result *result = tuple_result(b, skeleton->count);

    for (unsigned i = 0; i < skeleton->count; i++)
        result->fields[i] = by_skeleton(b, skeleton->fields[i], vs_field(b->r, value, i));
    return result;
}

static unsigned no_leaf(void *state, const struct ir_type *type)
{
    (void)state;
    (void)type;
    return 0;
}

static void count_leaf(void *state, unsigned node)
{
    (void)node;
    ++*(unsigned *)state;
}

static struct vs_result *shape_result(struct builder *b, struct vs_value *value)
{
    const struct vs_summary *summary = b->r->summary;
    unsigned count = 0;

    if (summary->is_cyclic)
        return by_skeleton(
            b, vs_value_of_type(&b->r->arena, summary->function->result, no_leaf, NULL), value);
    vs_each_leaf(b->r, value, count_leaf, &count);
    return count > RESULT_LIMIT ? leaf_result(b, value) : by_value(b, value);
}

/* ---- groups ---- */

static unsigned number_groups(struct builder *b)
{
    unsigned count = 0;
    unsigned *number = arena_array(&b->r->arena, unsigned, b->r->roots.count + 1);

    for (size_t i = 0; i < b->owns.count; i++) {
        const struct own *own = &b->owns.items[i];
        unsigned leader = own->root ? find_leader(b, own->root) : 0;

        if (!own->root)
            continue;
        if (!number[leader])
            number[leader] = ++count;
        own->outcome->group = number[leader] - 1;
    }
    return count;
}

/* ---- is there more than before? ---- */

static bool is_same_part(const struct vs_part *p, const struct vs_part *q)
{
    return p->leaf == q->leaf && extent_equal(&p->extent, &q->extent);
}

/* In any order, which is that in which a round met them; none is there twice. */
static bool are_same_parts(const struct vs_part *p, const struct vs_part *q)
{
    const struct vs_part *from, *other;
    size_t more = 0;

    for (; p && q && is_same_part(p, q); q = q->next)
        p = p->next;
    from = q;
    for (; q; q = q->next)
        more++;
    for (; p; p = p->next, more--) {
        for (other = from; other && !is_same_part(p, other); other = other->next)
            ;
        if (!other)
            return false;
    }
    return more == 0;
}

static bool is_same_outcome(const struct vs_outcome *a, const struct vs_outcome *b)
{
    return are_same_parts(a->params, b->params) && are_same_parts(a->parts, b->parts) &&
           a->group == b->group && a->is_constant == b->is_constant && a->is_opaque == b->is_opaque;
}

static bool is_same_result(const struct vs_result *a, const struct vs_result *b)
{
    if (!a || !b || a->count != b->count || !a->fields != !b->fields || a->is_some != b->is_some)
        return false;
    if (!a->fields)
        return is_same_outcome(a->outcome, b->outcome);
    for (unsigned i = 0; i < a->count; i++)
        if (!is_same_result(a->fields[i], b->fields[i]))
            return false;
    return true;
}

static bool note_leaves(struct vs_replay *r)
{
    bool is_more = false;

    for (size_t i = 0; i < r->roots.count; i++) {
        const struct vs_root *root = &r->roots.items[i];

        if (root->leaf == VS_NONE)
            continue;
        struct vs_leaf_facts *facts = &r->summary->leaves[root->leaf];

        is_more |= (root->is_written && !facts->is_written) || (root->is_kept && !facts->is_kept);
        facts->is_written |= root->is_written;
        facts->is_kept |= root->is_kept;
    }
    return is_more;
}

bool vs_summarize(struct vs_replay *r, struct vs_value *value)
{
    struct vs_summary *summary = r->summary;
    struct builder b = {.r = r, .arena = &r->m->arena};
    bool is_more = note_leaves(r);

    b.leader = arena_array(&r->arena, unsigned, r->roots.count + 1);
    for (unsigned i = 0; i < r->roots.count; i++)
        b.leader[i] = i;
    struct vs_result *result = shape_result(&b, value);
    unsigned groups = number_groups(&b);

    if (summary->is_cyclic)
        is_more |= !is_same_result(summary->result, result);
    summary->result = result;
    summary->group_count = groups;
    map_finish(&b.built);
    array_finish(&b.owns);
    return is_more;
}
