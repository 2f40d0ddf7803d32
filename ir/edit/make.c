#include "ir/edit/make.h"

#include "base/assert.h"
#include "ir/edit/rewrite.h"

#include <string.h>

static void show(struct ir_builder *b, struct ir_value *value)
{
    if (ir_value_is_inline(value)) {
        for (unsigned i = 0; i < value->def->operand_count; i++)
            show(b, value->def->operands[i].value);
    } else if (value->def && value->def->block != b->block) {
        rewrite_make_visible(b->module, value);
    }
}

struct ir_value *make_operand(struct ir_builder *b, struct ir_value *value)
{
    show(b, value);
    return value->uses ? ir_inline_copy(b->module, value) : value;
}

/* Operand @i of @items among those in front of it: a constant that is there twice has two values. */
static struct ir_value *operand_of(struct ir_builder *b, struct ir_value *const *items,
                                   struct ir_value *const *made, unsigned i)
{
    struct ir_value *value = make_operand(b, items[i]);

    for (unsigned k = 0; k < i && ir_value_is_inline(value); k++)
        if (made[k] == value)
            return ir_inline_copy(b->module, value);
    return value;
}

static void set_attr(const struct ir_op_info *info, const struct ir_attr **values,
                     const struct make_attr *attr)
{
    const struct ir_op_param *param = ir_attr_param(info, attr->name);

    if (!param)
        UNREACHABLE("a pass makes an op with an attribute that it does not have");
    values[param->attr_index] = attr->value;
}

struct ir_value *make_op(struct ir_builder *b, unsigned library_id,
                         struct ir_value *const *operands, unsigned operand_count,
                         const struct make_attr *attrs, unsigned attr_count)
{
    struct ir_context *context = b->module->context;
    const struct ir_op_info *info = ir_library_op(context, library_id);
    struct ir_value *all[8];
    const struct ir_attr **values;

    assert(info->operand_count <= ARRAY_SIZE(all) && operand_count <= ARRAY_SIZE(all));
    for (unsigned i = 0; i < operand_count; i++)
        if (!operands[i])
            return NULL;
    for (unsigned i = 0; i < operand_count; i++)
        all[i] = operand_of(b, operands, all, i);
    for (; operand_count < info->operand_count; operand_count++)
        all[operand_count] =
            &ir_build(b, ir_core_op(context, IR_CORE_null_value), NULL, 0, NULL)->result;
    values = arena_array(&context->arena, const struct ir_attr *, info->attr_count + 1);
    for (unsigned i = 0; i < attr_count; i++)
        if (attrs[i].name)
            set_attr(info, values, &attrs[i]);
    struct ir_op *op = ir_build(b, info, all, operand_count, values);
    return op ? &op->result : NULL;
}

struct ir_value *make_number(struct ir_builder *b, struct ir_dtype dtype, double value)
{
    float narrow = (float)value;

    if (ir_dtype_equal(dtype, IR_F32))
        return ir_inline_constant(b->module,
                                  ir_module_add_constant(b->module, dtype, NULL, 0, &narrow));
    if (ir_dtype_equal(dtype, IR_F64))
        return ir_inline_constant(b->module,
                                  ir_module_add_constant(b->module, dtype, NULL, 0, &value));
    return ir_inline_prim(b->module, ir_expr_float(b->module->context, IR_F64, value));
}

struct ir_value *make_shape(struct ir_builder *b, const struct ir_expr *const *dims, unsigned count)
{
    return ir_inline_shape(b->module, dims, count);
}

struct ir_value *make_tuple(struct ir_builder *b, struct ir_value *const *items, unsigned count)
{
    struct ir_value **operands = arena_array(&b->module->arena, struct ir_value *, count + 1);

    for (unsigned i = 0; i < count; i++)
        if (!items[i])
            return NULL;
    for (unsigned i = 0; i < count; i++)
        operands[i] = operand_of(b, items, operands, i);
    return ir_inline_tuple(b->module, operands, count);
}

struct ir_value *make_get(struct ir_builder *b, struct ir_value *tuple, unsigned index)
{
    const struct ir_attr *attrs[] = {ir_attr_int(b->module->context, index)};

    if (!tuple)
        return NULL;
    struct ir_value *operand = make_operand(b, tuple);
    struct ir_op *op =
        ir_build(b, ir_core_op(b->module->context, IR_CORE_tuple_get), &operand, 1, attrs);
    return op ? &op->result : NULL;
}

void make_take_back(struct ir_builder *b, const struct ir_op *last)
{
    assert(b->before);
    while (b->before->prev != last)
        ir_op_erase(b->before->prev);
}
