#include "passes/graph/storage.h"

#include "analysis/alias.h"
#include "analysis/inplace.h"
#include "ir/verify.h"

static bool has_effect(const struct ir_op *op)
{
    return !(op->info->traits & (IR_TERMINATOR | IR_READS_ONLY)) && !ir_op_is(op, IR_CORE_if) &&
           !ir_op_is_pure(op);
}

static bool has_no_effect(void *state, struct ir_op *op)
{
    (void)state;
    if (ir_op_is(op, IR_CORE_function) &&
        !ir_region_walk(ir_op_attr(op, "function")->function->body, has_no_effect, NULL))
        return false;
    return !has_effect(op);
}

bool storage_has_effects(struct ir_module *module)
{
    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION &&
            !ir_region_walk(module->globals[i]->function->body, has_no_effect, NULL))
            return true;
    return false;
}

/* ---- sets ---- */

static unsigned find(const struct storage *storage, unsigned i)
{
    while (storage->parents[i] != i) {
        storage->parents[i] = storage->parents[storage->parents[i]];
        i = storage->parents[i];
    }
    return i;
}

static void join(struct storage *storage, const struct ir_value *a, const struct ir_value *b)
{
    unsigned from = find(storage, a->index), to = find(storage, b->index);

    storage->parents[from] = to;
    storage->written[to] |= storage->written[from];
}

static void write(struct storage *storage, const struct ir_value *value, enum storage_write how)
{
    storage->written[find(storage, value->index)] |= (unsigned char)how;
}

bool storage_is_written(const struct storage *storage, const struct ir_value *value)
{
    return storage->written[find(storage, value->index)] != 0;
}

bool storage_has_effect(const struct storage *storage, const struct ir_value *value)
{
    return storage->written[find(storage, value->index)] & STORAGE_WRITTEN;
}

bool storage_is_shared(const struct storage *storage, const struct ir_value *a,
                       const struct ir_value *b)
{
    return find(storage, a->index) == find(storage, b->index);
}

/* ---- the walk ---- */

struct walk {
    struct storage *storage;
    bool has_effects;
    const struct ir_value *joined; /* with each operand that is visited; or NULL */
    bool is_written;               /* mark each operand that is visited */
};

static void visit_operand(void *state, struct ir_use *use)
{
    struct walk *walk = state;

    if (!alias_has_storage(use->value->type))
        return;
    if (walk->joined)
        join(walk->storage, use->value, walk->joined);
    if (walk->is_written)
        write(walk->storage, use->value, STORAGE_WRITTEN);
}

static void visit_operands(struct walk *walk, struct ir_op *op, const struct ir_value *joined,
                           bool is_written)
{
    walk->joined = joined;
    walk->is_written = is_written;
    ir_op_walk_operands(op, visit_operand, walk);
}

static void visit_inplace(struct storage *storage, struct ir_op *op)
{
    const struct ir_attr *indices = ir_op_attr(op, "inplace_indices");

    for (unsigned i = 0; i < indices->count; i++) {
        int64_t index = indices->items[i]->integer;

        if (index < 0 || index >= op->operand_count)
            continue;
        write(storage, op->operands[index].value, STORAGE_UPDATED);
        join(storage, op->operands[index].value, &op->result);
    }
}

static void visit_donations(struct storage *storage, struct ir_op *op)
{
    const struct ir_global *callee = ir_op_callee(op);

    for (unsigned i = 0; callee && callee->function && i < op->operand_count; i++)
        if (inplace_is_donated(callee->function, i))
            write(storage, op->operands[i].value, STORAGE_UPDATED);
}

static void visit_function(struct walk *walk, struct ir_function *function);

static bool visit_op(void *state, struct ir_op *op)
{
    struct walk *walk = state;

    if (ir_op_is(op, IR_CORE_function))
        visit_function(walk, ir_op_attr(op, "function")->function);
    else if (alias_is_name(op) || (op->info->traits & IR_OPAQUE))
        visit_operands(walk, op, &op->result, has_effect(op));
    else if (ir_op_is(op, IR_CORE_yield))
        visit_operands(walk, op, &op->block->region->owner->result, false);
    else if (has_effect(op) || (walk->has_effects && ir_op_is(op, IR_CORE_return)))
        visit_operands(walk, op, NULL, true);
    if (ir_op_is(op, IR_CORE_call_tir_inplace))
        visit_inplace(walk->storage, op);
    else if (ir_op_is(op, IR_CORE_call))
        visit_donations(walk->storage, op);
    return true;
}

static void visit_function(struct walk *walk, struct ir_function *function)
{
    for (unsigned i = 0; walk->has_effects && i < function->param_count; i++)
        write(walk->storage, function->params[i], STORAGE_WRITTEN);
    ir_region_walk(function->body, visit_op, walk);
}

struct storage storage_of(struct ir_function *function, bool has_effects, struct arena *arena)
{
    ir_function_number(function);
    struct storage storage = {.parents = arena_array(arena, unsigned, function->value_count),
                              .written = arena_array(arena, unsigned char, function->value_count),
                              .count = function->value_count};
    struct walk walk = {.storage = &storage, .has_effects = has_effects};

    for (unsigned i = 0; i < storage.count; i++)
        storage.parents[i] = i;
    visit_function(&walk, function);
    return storage;
}
