/*
 * Lifetimes as the text says them: an allocation begins one, and the last kill that may mean it ends it, or
 * the return.
 *
 * Positions are those of program order, so that what one branch of an `if` takes and ends never meets what
 * the other does.  What leaves a branch lives until it is killed behind the `if`, and with it what the
 * other branch gives in its stead: only one of them is ever made, so that both do with one place.
 */
#include "passes/memory/plan_items.h"

#include "ir/arith.h"
#include "ops/ids.h"
#include "passes/memory/lives.h"

enum { SAME_LIMIT = 64 }; /* names of one end that are held against each other */

struct finder {
    struct storage *storage;
    struct plan_problem *problem;
    struct plan_items *out; /* of the problem */
    unsigned *item_of;      /* by root: index + 1 */
    struct map symbols;     /* of the parameters: known where the function begins */
    bool is_lost;           /* some end may be that of anything */
};

/* ---- regions ---- */

static const struct ir_region *outer(const struct ir_region *region)
{
    return region->owner ? region->owner->block->region : NULL;
}

static unsigned depth_of(const struct ir_region *region)
{
    unsigned depth = 0;

    while ((region = outer(region)))
        depth++;
    return depth;
}

/* Climbs from both until they are in one region, or (@is_owner) in two of one op. */
static void meet(const struct ir_region **a, const struct ir_region **b, bool is_owner)
{
    unsigned depth = depth_of(*a), other = depth_of(*b);

    while (*a != *b) {
        if (is_owner && depth == other && (*a)->owner == (*b)->owner)
            return;
        bool climbs = depth >= other, climbs_other = other >= depth;

        if (climbs) {
            *a = outer(*a);
            depth--;
        }
        if (climbs_other) {
            *b = outer(*b);
            other--;
        }
    }
}

const struct ir_region *plan_common_region(const struct ir_region *a, const struct ir_region *b)
{
    meet(&a, &b, false);
    return a;
}

struct ir_op *plan_climb(struct ir_op *op, const struct ir_region *region)
{
    while (op->block->region != region)
        op = op->block->region->owner;
    return op;
}

/* Do both stand in the two branches of one `if`? */
static bool is_exclusive(const struct ir_op *a, const struct ir_op *b)
{
    const struct ir_region *at = a->block->region, *other = b->block->region;

    meet(&at, &other, true);
    return at != other;
}

/* ---- allocations ---- */

/* The root that @op made for itself; NULL if its storage may be told from nothing else. */
static const struct storage_root *root_of(struct finder *f, const struct ir_op *op, unsigned *out)
{
    const struct storage_set *set = storage_leaf(f->storage, &op->result, 0);
    const struct storage_origin *origin = &f->storage->origins.items[set->items[0]];

    if (set->count != 1 || set->items[0] == STORAGE_ANYTHING || origin->place_count != 1)
        return NULL;
    *out = origin->places[0].root;
    return &f->storage->roots.items[*out];
}

static bool note_symbol(void *state, const struct ir_expr *a)
{
    if (a->kind == IR_EXPR_var)
        map_set(state, a->var, a);
    return true;
}

static bool is_known(void *state, const struct ir_expr *a)
{
    struct finder *f = state;

    return a->kind != IR_EXPR_var || map_has(&f->symbols, a->var);
}

static void find_symbols(struct finder *f)
{
    const struct ir_function *function = f->storage->function;

    for (unsigned i = 0; i < function->param_count; i++)
        (void)ir_type_walk_exprs(function->params[i]->type, note_symbol, &f->symbols);
}

/* False if the size is 0, or not known where the function begins. */
static bool set_size(struct finder *f, struct plan_item *item, const struct ir_expr *bytes)
{
    struct ir_context *context = f->storage->module->module->context;

    item->bytes = bytes = ir_simplify(context, bytes);
    if (ir_expr_constant(context, bytes, &item->count))
        return item->count > 0;
    bool is_multiple = bytes->kind == IR_EXPR_mul && bytes->operands[1]->kind == IR_EXPR_int;

    item->unit = is_multiple ? bytes->operands[0] : bytes;
    item->count = is_multiple ? bytes->operands[1]->int_value : 1;
    return item->count > 0 && ir_expr_walk(bytes, is_known, f);
}

/* Any op whose result is new storage of a known size; only allocations can be put elsewhere. */
static void note_maker(struct finder *f, struct ir_op *op)
{
    struct ir_context *context = f->storage->module->module->context;
    unsigned number;
    const struct storage_root *root = root_of(f, op, &number);
    const struct ir_expr *bytes = ir_type_bytes(context, op->result.type);
    struct plan_item item = {.alloc = op,
                             .lower = storage_position(f->storage, op),
                             .region = op->block->region,
                             .same = (unsigned)f->out->count,
                             .is_apart = !op_is(op, OP_builtin_alloc_tensor)};

    if (!root || f->item_of[number] || root->kind != STORAGE_ALLOCATED || root->retained_by ||
        root->home != f->storage->function || !bytes || !set_size(f, &item, bytes))
        return;
    f->item_of[number] = item.same + 1;
    array_push(f->out, item);
}

int64_t plan_item_bytes(struct ir_context *context, const struct plan_item *item,
                        const struct ir_bindings *sample)
{
    int64_t bytes = item->count;

    if (item->unit &&
        !ir_expr_constant(context, ir_expr_substitute(context, item->bytes, sample), &bytes))
        return INT64_MAX;
    if (bytes > INT64_MAX - PLAN_ALIGNMENT)
        return INT64_MAX;
    return (bytes + PLAN_ALIGNMENT - 1) / PLAN_ALIGNMENT * PLAN_ALIGNMENT;
}

/* ---- ends ---- */

/* Items that one leaf of what is killed may be. */
struct named {
    unsigned count, items[SAME_LIMIT];
    bool is_more; /* or something else */
};

/* @op ends it: a kill, or the return. */
static void note_end(struct finder *f, unsigned index, struct ir_op *op)
{
    struct plan_item *item = &f->out->items[index];

    item->region = plan_common_region(item->region, op->block->region);
    item->is_result |= ir_op_is(op, IR_CORE_return);
    struct ir_op *end = plan_climb(op, item->region);
    unsigned upper = storage_position(f->storage, end);

    if (!item->end || upper > item->upper) {
        item->end = end;
        item->upper = upper;
    }
}

static void note_name(struct finder *f, struct named *named, unsigned root, struct ir_op *end)
{
    unsigned index = f->item_of[root];

    if (index == 0 || named->count == SAME_LIMIT) {
        named->is_more = true;
    } else {
        named->items[named->count++] = index - 1;
    }
    if (index > 0)
        note_end(f, index - 1, end);
}

/* Numbers, or the same? */
static bool is_one_size(const struct plan_item *a, const struct plan_item *b)
{
    if (a->unit && b->unit)
        return a->count == b->count && ir_expr_equal(a->unit, b->unit);
    return a->unit == b->unit;
}

/* One place for all that @named is, if never two of it are made. */
static void share_place(struct finder *f, const struct named *named)
{
    struct plan_item *items = f->out->items;

    for (unsigned i = 0; i < named->count; i++) {
        if (items[named->items[i]].same != named->items[i] || items[named->items[i]].is_apart ||
            !is_one_size(&items[named->items[0]], &items[named->items[i]]))
            return;
        for (unsigned k = 0; k < i; k++)
            if (!is_exclusive(items[named->items[i]].alloc, items[named->items[k]].alloc))
                return;
    }
    for (unsigned i = 1; i < named->count; i++)
        items[named->items[i]].same = named->items[0];
}

static void note_leaf(struct finder *f, const struct storage_set *set, struct ir_op *end)
{
    struct named named = {0};

    for (unsigned i = 0; i < set->count; i++) {
        const struct storage_origin *origin = &f->storage->origins.items[set->items[i]];

        f->is_lost |= set->items[i] == STORAGE_ANYTHING;
        for (unsigned k = 0; k < origin->place_count; k++)
            note_name(f, &named, origin->places[k].root, end);
    }
    if (named.count > 1 && !named.is_more)
        share_place(f, &named);
}

static void note_ends(struct finder *f, struct ir_op *end)
{
    struct storage_sets sets = {0};

    storage_sets_of(f->storage, end->operands[0].value, &sets);
    for (size_t i = 0; i < sets.count; i++)
        note_leaf(f, sets.items[i], end);
    array_finish(&sets);
}

/* ---- calls ---- */

static bool is_cyclic(const struct finder *f, struct ir_function *callee)
{
    const struct storage_module *facts = f->storage->module;
    const struct storage_node *from = map_get(&facts->nodes, f->storage->function);
    const struct storage_node *to = map_get(&facts->nodes, callee);

    return from && to && from->is_recursive && from->component == to->component;
}

static void note_call(struct finder *f, const struct ir_op *call)
{
    const struct ir_global *callee = ir_op_callee(call);

    if (callee && callee->kind == IR_GLOBAL_FUNCTION)
        array_push(&f->problem->calls,
                   (struct plan_call){.position = storage_position(f->storage, call),
                                      .is_cyclic = is_cyclic(f, callee->function)});
}

static bool visit(void *state, struct ir_op *op)
{
    struct finder *f = state;

    if (lives_is_end(op) || ir_op_is(op, IR_CORE_return))
        note_ends(f, op);
    else if (ir_op_is(op, IR_CORE_call))
        note_call(f, op);
    if (op->result.type->kind == IR_TYPE_TENSOR && op->region_count == 0)
        note_maker(f, op);
    return !f->is_lost;
}

/* ---- all ---- */

void plan_items_keep(struct plan_items *items, struct arena *scratch, plan_keep_fn *keep,
                     void *state)
{
    unsigned *numbers = arena_array(scratch, unsigned, items->count + 1);
    size_t kept = 0;

    for (size_t i = 0; i < items->count; i++) {
        struct plan_item item = items->items[i];

        if (!keep(state, &item))
            continue;
        numbers[i] = (unsigned)kept;
        item.same = numbers[item.same]; /* in front of it; ends as it does */
        items->items[kept++] = item;
    }
    items->count = kept;
}

bool plan_has_end(void *state, const struct plan_item *item)
{
    (void)state;
    return item->end;
}

/* Who does with the place of another lives as long as that. */
static void widen(struct plan_items *items)
{
    for (size_t i = 0; i < items->count; i++) {
        struct plan_item *first = &items->items[items->items[i].same];

        if (first->upper < items->items[i].upper)
            first->upper = items->items[i].upper;
        first->is_result |= items->items[i].is_result;
    }
    for (size_t i = 0; i < items->count; i++) {
        items->items[i].upper = items->items[items->items[i].same].upper;
        items->items[i].is_result = items->items[items->items[i].same].is_result;
    }
}

void plan_items_find(struct storage *storage, struct arena *scratch, struct plan_problem *out)
{
    struct finder f = {.storage = storage, .problem = out, .out = &out->items};

    f.item_of = arena_array(scratch, unsigned, storage->roots.count + 1);
    find_symbols(&f);
    ir_region_walk(storage->function->body, visit, &f);
    map_finish(&f.symbols);
    if (f.is_lost)
        out->items.count = 0;
    widen(&out->items);
    plan_items_keep(&out->items, scratch, plan_has_end, NULL);
}
