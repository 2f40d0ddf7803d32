/*
 * One walk in program order notes every use of every root: what uses it last, in the innermost region
 * that holds all uses and what made it.  A use in a branch counts for the `if` outside of it.
 *
 * A root that was made in that region ends by the name that it was made with, if that name is nothing
 * else.  One that leaves a branch, or may be what a called function was given, ends by the results that it
 * may be, which may be other storage, too: only if all of that is ours and ends in the same place.
 */
#include "passes/memory/lives.h"

#include "analysis/leaves.h"
#include "ops/ids.h"

struct life {
    struct ir_op *maker; /* whose result it is first; NULL: none was seen */
    unsigned leaf;
    struct ir_region *region;
    struct ir_op *last; /* in it */
    bool is_kept;       /* not ours, leaves, or is ended already */
    unsigned class;     /* parent in the forest of those that end together */
    unsigned names;     /* of the class: index + 1 of the last one */
};

/* A name that ends storage. */
struct name {
    struct ir_value *value;
    unsigned leaf, class;
    unsigned other; /* index + 1 of another one of the class */
};

struct walk {
    struct storage *storage;
    struct life *lives;    /* by root */
    array(unsigned) order; /* roots as they are made */
    unsigned leaf;         /* of the result in work */
    bool *has_end;         /* by origin */
    array(struct name) names;
    bool is_lost; /* some value may be anything */
};

bool lives_is_end(const struct ir_op *op)
{
    return op_is(op, OP_memory_kill_tensor) || op_is(op, OP_memory_kill_storage) ||
           op_is(op, OP_vm_kill_object);
}

/* ---- uses ---- */

/* The op of @region that @op is or stands in; NULL if it is outside. */
static struct ir_op *climb(struct ir_op *op, const struct ir_region *region)
{
    while (op && op->block->region != region)
        op = op->block->region->owner;
    return op;
}

/* Widens the life to hold @op. */
static void extend(const struct storage *storage, struct life *life, struct ir_op *op)
{
    if (life->is_kept)
        return;
    if (!life->region) {
        life->region = op->block->region;
        life->last = op;
    }
    struct ir_op *at = climb(op, life->region);

    while (!at && life->region->owner) {
        life->last = life->region->owner;
        life->region = life->last->block->region;
        at = climb(op, life->region);
    }
    if (!at)
        life->is_kept = true;
    else if (storage_position(storage, at) >= storage_position(storage, life->last))
        life->last = at;
}

typedef void place_fn(struct walk *walk, unsigned root, struct ir_op *op);

static void for_each_root(struct walk *walk, const struct storage_set *set, struct ir_op *op,
                          place_fn *visit)
{
    for (unsigned i = 0; i < set->count; i++) {
        const struct storage_origin *origin = &walk->storage->origins.items[set->items[i]];

        walk->is_lost |= set->items[i] == STORAGE_ANYTHING;
        for (unsigned k = 0; k < origin->place_count; k++)
            visit(walk, origin->places[k].root, op);
    }
}

static void for_each_value_root(struct walk *walk, const struct ir_value *value, struct ir_op *op,
                                place_fn *visit)
{
    struct storage_sets sets = {0};

    storage_sets_of(walk->storage, value, &sets);
    for (size_t i = 0; i < sets.count; i++)
        for_each_root(walk, sets.items[i], op, visit);
    array_finish(&sets);
}

static void note_use(struct walk *walk, unsigned root, struct ir_op *op)
{
    extend(walk->storage, &walk->lives[root], op);
}

static void note_kept(struct walk *walk, unsigned root, struct ir_op *op)
{
    (void)op;
    walk->lives[root].is_kept = true;
}

/* A tensor in a piece of storage ends apart from it. */
static void note_tensor_end(struct walk *walk, unsigned root, struct ir_op *op)
{
    const struct ir_op *maker = walk->lives[root].maker;

    if (!maker || (!op_is(maker, OP_memory_alloc_storage) && !op_is(maker, OP_vm_alloc_storage)))
        note_kept(walk, root, op);
}

static void note_maker(struct walk *walk, unsigned root, struct ir_op *op)
{
    struct life *life = &walk->lives[root];

    if (!life->maker && !life->is_kept) {
        life->maker = op;
        life->leaf = walk->leaf;
        array_push(&walk->order, root);
    }
    note_use(walk, root, op);
}

static void note_result(struct walk *walk, struct ir_op *op)
{
    for (walk->leaf = 0; walk->leaf < leaf_count(op->result.type); walk->leaf++) {
        enum ir_type_kind kind = leaf_type(op->result.type, walk->leaf)->kind;
        bool is_data = kind == IR_TYPE_TENSOR || kind == IR_TYPE_ANY;

        for_each_root(walk, storage_leaf(walk->storage, &op->result, walk->leaf), op,
                      is_data ? note_maker : note_kept);
    }
}

static void visit_region(struct walk *walk, struct ir_region *region);

static void visit_operands(struct walk *walk, struct ir_op *op)
{
    struct ir_op *user = op;
    place_fn *visit = note_use;

    if (ir_op_is(op, IR_CORE_output) || ir_op_is(op, IR_CORE_tuple_get))
        return; /* the one shows, the other uses what its result names */
    if (lives_is_end(op) && op->operands[0].value->type->kind == IR_TYPE_TENSOR)
        visit = note_tensor_end;
    else if (lives_is_end(op) || ir_op_is(op, IR_CORE_return))
        visit = note_kept;
    if (ir_op_is(op, IR_CORE_yield))
        user = op->block->region->owner;
    for (unsigned i = 0; i < op->operand_count; i++)
        for_each_value_root(walk, op->operands[i].value, user, visit);
}

static void visit_op(struct walk *walk, struct ir_op *op)
{
    visit_operands(walk, op);
    for (unsigned i = 0; i < op->region_count; i++)
        visit_region(walk, op->regions[i]);
    if (!(op->info->traits & IR_TERMINATOR))
        note_result(walk, op);
}

static void visit_region(struct walk *walk, struct ir_region *region)
{
    ir_for_each_block(block, region)
    {
        ir_for_each_op (op, block)
            visit_op(walk, op);
    }
}

/* ---- who ends together ---- */

static unsigned class_of(struct walk *walk, unsigned root)
{
    while (walk->lives[root].class != root) {
        walk->lives[root].class = walk->lives[walk->lives[root].class].class;
        root = walk->lives[root].class;
    }
    return root;
}

/* Of one region: the class ends with the last of both. */
static void unite(struct walk *walk, unsigned a, unsigned b)
{
    struct life *from = &walk->lives[class_of(walk, a)];
    unsigned to = class_of(walk, b);

    if (from == &walk->lives[to])
        return;
    from->class = to;
    extend(walk->storage, &walk->lives[to], from->last);
}

/* The only origin that leaf @leaf of @value names; NULL if there are several. */
static const struct storage_origin *only_origin(struct walk *walk, const struct ir_value *value,
                                                unsigned leaf)
{
    const struct storage_set *set = storage_leaf(walk->storage, value, leaf);

    return set->count == 1 ? &walk->storage->origins.items[set->items[0]] : NULL;
}

/* Is @root all that the leaf it was made with may be, where it ends? */
static bool has_own_name(struct walk *walk, unsigned root)
{
    const struct life *life = &walk->lives[root];
    const struct storage_origin *origin = only_origin(walk, &life->maker->result, life->leaf);

    return life->maker->block->region == life->region && origin && origin->place_count == 1;
}

/* The op whose results may be @root where it ends. */
static struct ir_op *cover_of(struct walk *walk, unsigned root)
{
    return climb(walk->lives[root].maker, walk->lives[root].region);
}

static bool may_be(const struct storage_origin *origin, unsigned root)
{
    for (unsigned i = 0; i < origin->place_count; i++)
        if (origin->places[i].root == root)
            return true;
    return false;
}

/* May what the leaf of @op that is @origin holds be given back, whatever it is? */
static bool can_end(struct walk *walk, const struct ir_op *op, const struct storage_origin *origin)
{
    for (unsigned i = 0; i < origin->place_count; i++) {
        const struct life *life = &walk->lives[origin->places[i].root];

        if (life->is_kept || life->region != op->block->region)
            return false;
    }
    return true;
}

/* Lets all that the results of the cover of @root may be end together. */
static void unite_cover(struct walk *walk, unsigned root)
{
    struct ir_op *cover = cover_of(walk, root);

    for (unsigned leaf = 0; leaf < leaf_count(cover->result.type); leaf++) {
        const struct storage_origin *origin = only_origin(walk, &cover->result, leaf);

        if (!origin || !may_be(origin, root) || !can_end(walk, cover, origin))
            continue;
        for (unsigned i = 0; i < origin->place_count; i++)
            unite(walk, origin->places[i].root, root);
    }
}

/* ---- ends ---- */

/* What @op gave as leaf @leaf, which names one origin, ends with the class of @root. */
static void push_name(struct walk *walk, unsigned root, struct ir_op *op, unsigned leaf)
{
    bool *has_end = &walk->has_end[storage_leaf(walk->storage, &op->result, leaf)->items[0]];
    unsigned class = class_of(walk, root);

    if (*has_end)
        return;
    *has_end = true;
    array_push(&walk->names, (struct name){.value = &op->result,
                                           .leaf = leaf,
                                           .class = class,
                                           .other = walk->lives[class].names});
    walk->lives[class].names = (unsigned)walk->names.count;
}

static void push_names(struct walk *walk, unsigned root)
{
    const struct life *life = &walk->lives[root];

    if (has_own_name(walk, root)) {
        push_name(walk, root, life->maker, life->leaf);
        return;
    }
    struct ir_op *cover = cover_of(walk, root);

    for (unsigned leaf = 0; leaf < leaf_count(cover->result.type); leaf++) {
        const struct storage_origin *origin = only_origin(walk, &cover->result, leaf);

        if (origin && may_be(origin, root) && can_end(walk, cover, origin))
            push_name(walk, root, cover, leaf);
    }
}

/* Class by class, in the order in which the first of each was taken. */
static void push_ends(struct walk *walk, struct life_ends *out)
{
    for (size_t i = 0; i < walk->names.count; i++) {
        struct life *life = &walk->lives[walk->names.items[i].class];
        bool is_joined = false;

        for (unsigned at = life->names; at; at = walk->names.items[at - 1].other) {
            const struct name *name = &walk->names.items[at - 1];

            array_push(out, (struct life_end){.after = life->last,
                                              .value = name->value,
                                              .leaf = name->leaf,
                                              .is_joined = is_joined});
            is_joined = true;
        }
        life->names = 0;
    }
}

static bool is_ours(const struct storage *storage, const struct storage_root *root)
{
    return root->kind == STORAGE_ALLOCATED && root->home == storage->function && !root->retained_by;
}

/* What stands in a call, as a constant, gets its root when it is asked for first. */
static void ask_operands(struct storage *storage, struct ir_region *region)
{
    ir_for_each_block(block, region)
    {
        ir_for_each_op (op, block) {
            for (unsigned i = 0; i < op->operand_count; i++) {
                struct storage_sets sets = {0};

                storage_sets_of(storage, op->operands[i].value, &sets);
                array_finish(&sets);
            }
            for (unsigned i = 0; i < op->region_count; i++)
                ask_operands(storage, op->regions[i]);
        }
    }
}

void lives_find(struct storage *storage, struct arena *scratch, struct life_ends *out)
{
    struct walk walk = {.storage = storage};

    ask_operands(storage, storage->function->body); /* from here on there are no more roots */
    walk.lives = arena_array(scratch, struct life, storage->roots.count);
    walk.has_end = arena_array(scratch, bool, storage->origins.count);
    for (unsigned i = 0; i < storage->roots.count; i++) {
        walk.lives[i].class = i;
        walk.lives[i].is_kept = !is_ours(storage, &storage->roots.items[i]);
    }
    visit_region(&walk, storage->function->body);
    for (size_t i = 0; i < walk.order.count && !walk.is_lost; i++)
        if (!walk.lives[walk.order.items[i]].is_kept && !has_own_name(&walk, walk.order.items[i]))
            unite_cover(&walk, walk.order.items[i]);
    for (size_t i = 0; i < walk.order.count && !walk.is_lost; i++)
        if (!walk.lives[walk.order.items[i]].is_kept)
            push_names(&walk, walk.order.items[i]);
    push_ends(&walk, out);
    array_finish(&walk.order);
    array_finish(&walk.names);
}
