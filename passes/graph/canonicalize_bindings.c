/*
 * CanonicalizeBindings: removes names that are only names.
 *
 *     y = x                      uses of y become uses of x
 *     t = (a, b); y = t[0]       uses of y become uses of a
 *     y = R.match_cast(x, T)     likewise, where x is known to be of type T
 *
 * The script's own names survive where the value that stays has none.
 */
#include "ir/edit/rewrite.h"
#include "passes/pass.h"

/* The value that @op only renames; NULL if it does more. */
static struct ir_value *renamed(const struct ir_op *op)
{
    if (op->operand_count == 0)
        return NULL;
    struct ir_value *value = op->operands[0].value;

    switch (op->info->core) {
    case IR_CORE_bind: /* one that hides what is known of a value is more than a name */
    case IR_CORE_match_cast:
        if (value->type != op->result.type)
            return NULL;
        break;
    case IR_CORE_tuple_get: {
        int64_t index = ir_op_attr(op, "index")->integer;

        if (!value->def || !ir_op_is(value->def, IR_CORE_tuple))
            return NULL;
        value = value->def->operands[index].value;
        break;
    }
    default:
        return NULL;
    }
    return ir_value_is_inline(value) ? NULL : value;
}

static bool sweep_region(struct ir_module *module, struct ir_region *region)
{
    bool is_changed = false;

    ir_for_each_block(block, region)
    {
        ir_for_each_op_safe (op, block) {
            for (unsigned i = 0; i < op->region_count; i++)
                is_changed |= sweep_region(module, op->regions[i]);
            struct ir_value *value = renamed(op);

            if (!value)
                continue;
            if (!value->name)
                value->name = op->result.name;
            rewrite_replace(module, op, value);
            is_changed = true;
        }
    }
    return is_changed;
}

enum pass_result pass_canonicalize_bindings(struct pass_run *run)
{
    bool is_changed = false;

    for (size_t i = 0; i < run->module->global_count; i++)
        if (run->module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            is_changed |= sweep_region(run->module, run->module->globals[i]->function->body);
    return is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}
