/*
 * CanonicalizeBindings: removes names that are only names.
 *
 *     y = x                      uses of y become uses of x
 *     t = (a, b); y = t[0]       uses of y become uses of a
 *     y = R.match_cast(x, T)     likewise, where x is known to be of type T, maybe under a name of less:
 *     o: R.Object = x; y = R.match_cast(o, T)
 *
 * The script's own names survive where the value that stays has none.
 */
#include "ir/edit/rewrite.h"
#include "passes/pass.h"

/* What @value names, if that is known to be of type @type; else @value. */
static struct ir_value *unhidden(struct ir_value *value, const struct ir_type *type)
{
    struct ir_value *inner = value;

    while (inner->type != type && inner->def && ir_op_is(inner->def, IR_CORE_bind))
        inner = inner->def->operands[0].value;
    return inner->type == type ? inner : value;
}

/* The tuple that @value is, where it is made; NULL: not known. */
static const struct ir_op *tuple_of(struct ir_value *value)
{
    const struct ir_type *type = value->type;

    while (value->def &&
           (ir_op_is(value->def, IR_CORE_bind) || ir_op_is(value->def, IR_CORE_match_cast))) {
        value = unhidden(value->def->operands[0].value, type);
        if (value->type != type)
            return NULL;
    }
    return value->def && ir_op_is(value->def, IR_CORE_tuple) ? value->def : NULL;
}

/* The value that @op only renames; NULL if it does more. */
static struct ir_value *renamed(const struct ir_op *op)
{
    if (op->operand_count == 0)
        return NULL;
    struct ir_value *value = op->operands[0].value;

    switch (op->info->core) {
    case IR_CORE_bind: /* one that hides what is known of a value is more than a name */
    case IR_CORE_match_cast:
        value = unhidden(value, op->result.type);
        if (value->type != op->result.type)
            return NULL;
        break;
    case IR_CORE_tuple_get: {
        const struct ir_op *tuple = tuple_of(value);

        if (!tuple)
            return NULL;
        value = tuple->operands[ir_op_attr(op, "index")->integer].value;
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
