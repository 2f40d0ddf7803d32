/* Which globals functions name: callees, and whatever else stands in an attribute. */
#include "passes/memory/used_globals.h"

#include "ir/edit/rewrite.h"

static bool note_op(void *state, struct ir_op *op)
{
    struct map *used = state;

    for (unsigned i = 0; i < op->info->attr_count; i++)
        if (op->attrs[i]->kind == IR_ATTR_GLOBAL)
            map_set(used, op->attrs[i]->global, op);
    for (unsigned i = 0; i < op->operand_count; i++)
        if (ir_value_is_inline(op->operands[i].value))
            note_op(used, op->operands[i].value->def);
    if (ir_op_is(op, IR_CORE_function))
        ir_region_walk(ir_op_attr(op, "function")->function->body, note_op, used);
    return true;
}

void used_globals(const struct ir_module *module, struct map *out)
{
    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            ir_region_walk(module->globals[i]->function->body, note_op, out);
}
