/*
 * A checker of storage that also refuses every update in place, and every place that is no number, though they are
 * right: for tests of what is done about a refusal, by passes and behind them.
 */
#include "analysis/verify_storage/verify_storage.h"
#include "base/array.h"

#include <string.h>

/* The linker puts the first one in the place of what it is named after. */
bool __wrap_verify_storage(struct ir_module *module, enum verify_storage_mode mode,
                           struct verify_storage_refusals *refusals);
bool __real_verify_storage(struct ir_module *module, enum verify_storage_mode mode,
                           struct verify_storage_refusals *refusals);

struct walk {
    const struct ir_function *function;
    struct verify_storage_refusals *refusals;
};

/* Does the operand hold something that an update would be for? */
static bool is_update(const struct ir_value *operand)
{
    bool is_fresh =
        operand->def && (strcmp(operand->def->info->name, "builtin.alloc_tensor") == 0 ||
                         strcmp(operand->def->info->name, "memory.alloc_tensor") == 0 ||
                         strcmp(operand->def->info->name, "copy") == 0);
    return !is_fresh;
}

/* Is it a tensor at an offset with symbols, as plans have them? */
static bool is_place(const struct ir_op *op)
{
    const struct ir_op *offset =
        strcmp(op->info->name, "memory.alloc_tensor") == 0 ? op->operands[1].value->def : NULL;
    return offset && ir_op_is(offset, IR_CORE_prim) &&
           ir_op_attr(offset, "value")->expr->kind != IR_EXPR_int;
}

static bool refuse(void *state, struct ir_op *op)
{
    struct walk *walk = state;
    if (is_place(op))
        array_push(walk->refusals, (struct verify_storage_refusal){.function = walk->function,
                                                                   .op = op,
                                                                   .value = op->result.name});
    if (!ir_op_is(op, IR_CORE_call_tir_inplace))
        return true;
    const struct ir_attr *indices = ir_op_attr(op, "inplace_indices");
    for (unsigned i = 0; i < indices->count; i++) {
        int64_t index = indices->items[i]->integer;
        if (index >= 0 && is_update(op->operands[index].value))
            array_push(walk->refusals, (struct verify_storage_refusal){
                                           .function = walk->function, .op = op, .value = "x"});
    }
    return true;
}

bool __wrap_verify_storage(struct ir_module *module, enum verify_storage_mode mode,
                           struct verify_storage_refusals *refusals)
{
    bool is_fine = __real_verify_storage(module, mode, refusals);
    for (size_t i = 0; i < module->global_count; i++) {
        struct walk walk = {.function = module->globals[i]->function, .refusals = refusals};
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            ir_region_walk(walk.function->body, refuse, &walk);
    }
    return is_fine && refusals->count == 0;
}
