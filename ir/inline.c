/* Inline ops: leaves, and tuples where they are arguments.  See graph.h. */
#include "base/assert.h"
#include "ir/build.h"
#include "ir/module.h"

static struct ir_value *leaf(struct ir_module *module, enum ir_core core, const char *attr,
                             const struct ir_attr *value)
{
    struct ir_op *op = ir_op_new(module, ir_core_op(module->context, core), NULL, 0);
    if (attr != NULL)
        ir_op_set_attr(op, attr, value);
    bool ok = ir_op_infer(module, NULL, op);
    assert(ok);
    (void)ok;
    return &op->result;
}

struct ir_value *ir_inline_constant(struct ir_module *module, const struct ir_constant *constant)
{
    struct ir_attr *attr = arena_new(&module->arena, struct ir_attr);
    attr->kind = IR_ATTR_CONSTANT;
    attr->constant = constant;
    return leaf(module, IR_CORE_constant, "data", attr);
}

struct ir_value *ir_inline_shape(struct ir_module *module, const struct ir_expr *const *dims,
                                 unsigned count)
{
    struct ir_context *context = module->context;
    const struct ir_attr **items = arena_array(&module->arena, const struct ir_attr *, count);
    for (unsigned i = 0; i < count; i++)
        items[i] = ir_attr_expr(context, dims[i]);
    return leaf(module, IR_CORE_shape, "dims", ir_attr_list(context, items, count));
}

struct ir_value *ir_inline_prim(struct ir_module *module, const struct ir_expr *expr)
{
    return leaf(module, IR_CORE_prim, "value", ir_attr_expr(module->context, expr));
}

struct ir_value *ir_inline_string(struct ir_module *module, const char *string)
{
    return leaf(module, IR_CORE_string, "value", ir_attr_string(module->context, string));
}

struct ir_value *ir_inline_dtype(struct ir_module *module, struct ir_dtype dtype)
{
    return leaf(module, IR_CORE_dtype, "value", ir_attr_dtype(module->context, dtype));
}

struct ir_value *ir_inline_global(struct ir_module *module, struct ir_global *global)
{
    return leaf(module, IR_CORE_global, "callee", ir_attr_global(module->context, global));
}

struct ir_value *ir_inline_tuple(struct ir_module *module, struct ir_value *const *items,
                                 unsigned count)
{
    const struct ir_op_info *info = ir_core_op(module->context, IR_CORE_tuple);
    struct ir_op *op = ir_op_new(module, info, items, count);
    bool ok = ir_op_infer(module, NULL, op);
    assert(ok);
    (void)ok;
    return &op->result;
}

struct ir_value *ir_inline_copy(struct ir_module *module, struct ir_value *value)
{
    if (!ir_value_is_inline(value))
        return value;
    const struct ir_op *op = value->def;
    struct ir_op *copy = ir_op_new(module, op->info, NULL, 0);
    for (unsigned i = 0; i < op->info->attr_count; i++)
        copy->attrs[i] = op->attrs[i];
    for (unsigned i = 0; i < op->operand_count; i++)
        ir_op_add_operand(module, copy, ir_inline_copy(module, op->operands[i].value));
    copy->declared = op->declared;
    copy->loc = op->loc;
    copy->result.type = value->type;
    copy->result.loc = value->loc;
    return &copy->result;
}
