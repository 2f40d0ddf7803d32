#include "passes/fuse/fuse_storage.h"

#include "analysis/alias.h"
#include "ir/module.h"

unsigned fuse_storage_number(struct fuse_storage *storage, const struct ir_value *value)
{
    unsigned root = value->index, at = value->index;

    while (storage->parents[root] != root)
        root = storage->parents[root];
    while (storage->parents[at] != root) {
        unsigned up = storage->parents[at];

        storage->parents[at] = root;
        at = up;
    }
    return root;
}

static void unite(struct fuse_storage *storage, const struct ir_value *a, const struct ir_value *b)
{
    storage->parents[fuse_storage_number(storage, b)] = fuse_storage_number(storage, a);
}

/* @result may live in the storage of what @operand, an inline tuple or not, names. */
static void unite_operand(struct fuse_storage *storage, const struct ir_value *result,
                          const struct ir_value *operand)
{
    if (!operand->def || !ir_op_is_inline(operand->def)) {
        if (operand->index != result->index && alias_has_storage(operand->type))
            unite(storage, result, operand);
        return;
    }
    for (unsigned i = 0; i < operand->def->operand_count; i++)
        unite_operand(storage, result, operand->def->operands[i].value);
}

static bool visit(void *state, struct ir_op *op)
{
    struct fuse_storage *storage = state;

    if (ir_op_is(op, IR_CORE_call_tir_inplace)) {
        const struct ir_attr *indices = ir_op_attr(op, "inplace_indices");

        for (unsigned i = 0; i < indices->count; i++)
            if (indices->items[i]->integer >= 0 &&
                indices->items[i]->integer < (int64_t)op->operand_count)
                unite_operand(storage, &op->result, op->operands[indices->items[i]->integer].value);
        return true;
    }
    if (ir_op_is(op, IR_CORE_yield) && op->block->region->owner)
        unite_operand(storage, &op->block->region->owner->result, op->operands[0].value);
    const struct ir_global *callee = ir_op_is(op, IR_CORE_call) ? ir_op_callee(op) : NULL;

    if (callee && callee->kind == IR_GLOBAL_KERNEL)
        return true; /* for its effect */
    /* of a kernel, and of an operator that is neither view nor opaque, results are fresh */
    if (alias_is_name(op) || (op->info->traits & IR_OPAQUE) ||
        ir_op_is(op, IR_CORE_call_dps_packed))
        for (unsigned i = 0; i < op->operand_count; i++)
            unite_operand(storage, &op->result, op->operands[i].value);
    return true;
}

struct fuse_storage fuse_storage_of(struct arena *arena, struct ir_function *function)
{
    struct fuse_storage storage;

    ir_function_number(function);
    storage.parents = arena_array(arena, unsigned, function->value_count + 1);
    for (unsigned i = 0; i < function->value_count; i++)
        storage.parents[i] = i;
    ir_region_walk(function->body, visit, &storage);
    return storage;
}
