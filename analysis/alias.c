/* Origins, reads and positions; see alias.h. */
#include "analysis/alias.h"

#include "analysis/leaves.h"
#include "base/assert.h"
#include "ops/ids.h"

#include <stdlib.h>

bool alias_has_storage(const struct ir_type *type)
{
    return type->kind != IR_TYPE_PRIM && type->kind != IR_TYPE_SHAPE;
}

bool alias_is_name(const struct ir_op *op)
{
    return (op->info->traits & (IR_VIEW | IR_ALIAS)) != 0;
}

static unsigned origin_new(struct alias *alias, const struct ir_value *value, unsigned leaf)
{
    array_push(&alias->origins, (struct alias_origin){.value = value, .leaf = leaf});
    return (unsigned)alias->origins.count - 1;
}

unsigned alias_root_new(struct alias *alias, enum alias_root_kind kind, struct location loc)
{
    array_push(&alias->roots, (struct alias_root){.kind = kind, .loc = loc});
    return (unsigned)alias->roots.count - 1;
}

static int compare_unsigned(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

    return (x > y) - (x < y);
}

void alias_set_roots(struct alias *alias, unsigned origin, const unsigned *roots, unsigned count)
{
    unsigned *sorted = arena_array(&alias->arena, unsigned, count);
    unsigned kept = 0;

    for (unsigned i = 0; i < count; i++)
        sorted[i] = roots[i];
    qsort(sorted, count, sizeof(*sorted), compare_unsigned);
    for (unsigned i = 0; i < count; i++)
        if (i == 0 || sorted[i] != sorted[kept - 1])
            sorted[kept++] = sorted[i];
    alias->origins.items[origin].roots = sorted;
    alias->origins.items[origin].root_count = kept;
    for (unsigned i = 0; i < kept; i++)
        array_push(&alias->roots.items[sorted[i]].origins, origin);
}

unsigned alias_origin_of(const struct alias *alias, const struct ir_value *value, unsigned leaf)
{
    return alias->leaf_origins.items[alias->first_leaf[value->index] + leaf];
}

unsigned alias_position(const struct alias *alias, const struct ir_op *op)
{
    return alias->positions[op->result.index];
}

static unsigned constant_origin(struct alias *alias, const struct ir_op *op)
{
    const struct ir_constant *constant = ir_op_attr(op, "data")->constant;
    uintptr_t known = (uintptr_t)map_get(&alias->constants, constant);

    if (known)
        return (unsigned)known - 1;
    unsigned origin = origin_new(alias, NULL, 0);
    unsigned root = alias_root_new(alias, ROOT_CONSTANT, op->loc);

    alias_set_roots(alias, origin, &root, 1);
    map_set(&alias->constants, constant, (void *)(uintptr_t)(origin + 1)); // NOLINT
    return origin;
}

/* A value of an enclosing function, seen from a nested one. */
static bool is_captured(const struct alias *alias, const struct ir_value *value)
{
    const struct ir_function *home = value->def ? ir_op_function(value->def) : value->parameter_of;

    return home != alias->function;
}

static void push_new_origins(struct alias *alias, const struct ir_value *value,
                             enum alias_root_kind kind, struct alias_origins *out)
{
    for (unsigned i = 0; i < leaf_count(value->type); i++) {
        unsigned root = alias_root_new(alias, kind, value->loc);
        unsigned origin = origin_new(alias, value, i);

        alias_set_roots(alias, origin, &root, 1);
        array_push(out, origin);
    }
}

void alias_origins_of(struct alias *alias, const struct ir_value *value, struct alias_origins *out)
{
    const struct ir_op *def = value->def;

    if (def && ir_op_is_inline(def)) {
        if (ir_op_is(def, IR_CORE_tuple))
            for (unsigned i = 0; i < def->operand_count; i++)
                alias_origins_of(alias, def->operands[i].value, out);
        else if (ir_op_is(def, IR_CORE_constant))
            array_push(out, constant_origin(alias, def));
        else
            array_push(out, alias->nothing);
        return;
    }
    if (is_captured(alias, value)) {
        push_new_origins(alias, value, ROOT_CAPTURED, out);
        return;
    }
    for (unsigned i = 0; i < leaf_count(value->type); i++)
        array_push(out, alias_origin_of(alias, value, i));
}

/* Does the result of @op, a name, not begin where its operand begins, or hold other bytes of it? */
static bool is_part(const struct ir_op *op)
{
    return (op->info->traits & IR_ALLOCATES) || op_is(op, OP_memory_view);
}

/* Gives the leaves of the result of @op their origins. */
static void name_result(struct alias *alias, struct ir_op *op)
{
    struct alias_origins origins = {0};
    unsigned count = leaf_count(op->result.type);
    unsigned from = 0;

    alias->first_leaf[op->result.index] = (unsigned)alias->leaf_origins.count;
    if (alias_is_name(op)) {
        unsigned read = ir_op_is(op, IR_CORE_tuple) ? op->operand_count : 1;

        for (unsigned i = 0; i < read; i++)
            alias_origins_of(alias, op->operands[i].value, &origins);
        if (ir_op_is(op, IR_CORE_tuple_get) && op->operands[0].value->type->kind == IR_TYPE_TUPLE)
            from = leaf_offset(op->operands[0].value->type,
                               (unsigned)ir_op_attr(op, "index")->integer);
        for (size_t i = 0; is_part(op) && i < origins.count; i++)
            alias->origins.items[origins.items[i]].has_parts = true;
    }
    /* a name whose leaves do not correspond (a cast from R.Any to a tuple) may be any of them */
    for (unsigned i = 0; i < count; i++) {
        if (from + i < origins.count)
            array_push(&alias->leaf_origins, origins.items[from + i]);
        else if (origins.count > 0)
            array_push(&alias->leaf_origins, array_last(&origins));
        else
            array_push(&alias->leaf_origins, origin_new(alias, &op->result, i));
    }
    array_finish(&origins);
}

static void add_reads(struct alias *alias, struct ir_op *op, const struct ir_value *value)
{
    struct alias_origins origins = {0};
    const struct ir_op *def = value->def;

    if (def && ir_op_is_inline(def) && ir_op_is(def, IR_CORE_tuple)) {
        for (unsigned i = 0; i < def->operand_count; i++)
            add_reads(alias, op, def->operands[i].value);
        return;
    }
    alias_origins_of(alias, value, &origins);
    for (size_t i = 0; i < origins.count; i++)
        if (origins.items[i] != alias->nothing)
            array_push(&alias->origins.items[origins.items[i]].reads,
                       (struct alias_read){
                           .position = alias_position(alias, op), .op = op, .name = value});
    array_finish(&origins);
}

struct capture_walk {
    const struct alias *alias;
    struct ir_op *maker;
    alias_capture_fn *visit;
    void *state;
};

static void walk_captures(struct capture_walk *walk, const struct ir_op *op);

static bool visit_captures(void *state, struct ir_op *op)
{
    walk_captures(state, op);
    return true;
}

/* Operands of an op of a nested function, inline tuples and functions nested deeper included. */
static void walk_captures(struct capture_walk *walk, const struct ir_op *op)
{
    for (unsigned i = 0; i < op->operand_count; i++) {
        const struct ir_value *value = op->operands[i].value;

        if (ir_value_is_inline(value))
            walk_captures(walk, value->def);
        else if (!is_captured(walk->alias, value))
            walk->visit(walk->state, walk->maker, value);
    }
    if (ir_op_is(op, IR_CORE_function))
        ir_region_walk(ir_op_attr(op, "function")->function->body, visit_captures, walk);
}

void alias_walk_captures(const struct alias *alias, struct ir_op *maker, alias_capture_fn *visit,
                         void *state)
{
    struct capture_walk walk = {.alias = alias, .maker = maker, .visit = visit, .state = state};

    ir_region_walk(ir_op_attr(maker, "function")->function->body, visit_captures, &walk);
}

/* A nested function reads what it captures where it is made. */
static void add_captured_reads(void *state, struct ir_op *maker, const struct ir_value *value)
{
    add_reads(state, maker, value);
}

static void visit_region(struct alias *alias, struct ir_region *region);

static void visit_op(struct alias *alias, struct ir_op *op)
{
    /* operands are read here, in front of the branches */
    alias->positions[op->result.index] = alias->next_position++;
    if (!alias_is_name(op) && !ir_op_is(op, IR_CORE_output) && !(op->info->traits & IR_METADATA))
        for (unsigned i = 0; i < op->operand_count; i++)
            add_reads(alias, op, op->operands[i].value);
    for (unsigned i = 0; i < op->region_count; i++)
        visit_region(alias, op->regions[i]);
    if (op->region_count > 0)
        alias->positions[op->result.index] = alias->next_position++;
    if (ir_op_is(op, IR_CORE_function))
        alias_walk_captures(alias, op, add_captured_reads, alias);
    name_result(alias, op);
}

static void visit_region(struct alias *alias, struct ir_region *region)
{
    ir_for_each_block(block, region) ir_for_each_op (op, block) visit_op(alias, op);
}

void alias_init(struct alias *alias, struct ir_module *module, struct ir_function *function)
{
    *alias = (struct alias){.module = module, .function = function};
    ir_function_number(function);
    alias->first_leaf = arena_array(&alias->arena, unsigned, function->value_count);
    alias->positions = arena_array(&alias->arena, unsigned, function->value_count);
    alias->opaque_root = alias_root_new(alias, ROOT_OPAQUE, function->loc);
    alias->nothing = origin_new(alias, NULL, 0);
    for (unsigned i = 0; i < function->param_count; i++) {
        struct ir_value *param = function->params[i];

        alias->first_leaf[param->index] = (unsigned)alias->leaf_origins.count;
        for (unsigned leaf = 0; leaf < leaf_count(param->type); leaf++) {
            unsigned root = alias_root_new(alias, ROOT_PARAMETER, param->loc);
            unsigned origin = origin_new(alias, param, leaf);

            alias->roots.items[root].parameter = i;
            alias->roots.items[root].parameter_leaf = leaf;
            alias_set_roots(alias, origin, &root, 1);
            array_push(&alias->leaf_origins, origin);
        }
    }
    visit_region(alias, function->body);
}

void alias_finish(struct alias *alias)
{
    for (size_t i = 0; i < alias->origins.count; i++)
        array_finish(&alias->origins.items[i].reads);
    for (size_t i = 0; i < alias->roots.count; i++)
        array_finish(&alias->roots.items[i].origins);
    array_finish(&alias->origins);
    array_finish(&alias->roots);
    array_finish(&alias->leaf_origins);
    map_finish(&alias->constants);
    arena_finish(&alias->arena);
}

/* First index of @reads with a position of at least @position. */
static size_t lower_bound(const struct alias_origin *origin, unsigned position)
{
    size_t low = 0, high = origin->reads.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (origin->reads.items[middle].position < position)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct alias_read *alias_read_after(const struct alias *alias, unsigned origin,
                                          const struct ir_op *op)
{
    const struct alias_origin *of = &alias->origins.items[origin];
    size_t at = lower_bound(of, alias_position(alias, op) + 1);
    const struct ir_op *inner = op;

    /* the else branch of each `if` whose then branch holds @op is skipped, innermost first */
    while (at < of->reads.count && inner->block->region->owner) {
        const struct ir_op *owner = inner->block->region->owner;

        if (inner->block->region == owner->regions[0]) {
            struct ir_region *other = owner->regions[1];
            unsigned begin = ~0U, end = alias_position(alias, owner);

            /* the branch is the stretch of positions between the end of this one and the `if` */
            if (inner->block->region->last && inner->block->region->last->last)
                begin = alias_position(alias, inner->block->region->last->last) + 1;
            assert(other);
            if (of->reads.items[at].position >= begin && of->reads.items[at].position < end)
                at = lower_bound(of, end);
        }
        inner = owner;
    }
    return at < of->reads.count ? &of->reads.items[at] : NULL;
}
