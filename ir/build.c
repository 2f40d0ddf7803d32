/* The builder.  See build.h. */
#include "ir/build.h"

#include "base/assert.h"

struct ir_op *ir_build_declared(struct ir_builder *b, const struct ir_op_info *info,
                                struct ir_value *const *operands, unsigned operand_count,
                                const struct ir_attr *const *attrs, const struct ir_type *declared)
{
    unsigned attr_count = attrs != NULL ? info->attr_count : 0;
    struct ir_op *op = ir_op_new(b->module, info, operands, operand_count);
    for (unsigned i = 0; i < attr_count; i++)
        if (attrs[i] != NULL)
            op->attrs[i] = attrs[i];
    op->declared = declared;
    op->loc = b->loc;
    op->result.loc = b->loc;
    if ((info->traits & IR_INLINE) == 0) {
        if (b->before != NULL)
            ir_op_insert_before(b->before, op);
        else
            ir_op_append(b->block, op);
    }
    if (!ir_op_infer(b->module, b->diag, op)) {
        ir_op_erase(op);
        return NULL;
    }
    return op;
}

struct ir_op *ir_build(struct ir_builder *b, const struct ir_op_info *info,
                       struct ir_value *const *operands, unsigned operand_count,
                       const struct ir_attr *const *attrs)
{
    return ir_build_declared(b, info, operands, operand_count, attrs, NULL);
}

struct ir_value *ir_build_op(struct ir_builder *b, unsigned library_id,
                             struct ir_value *const *operands, unsigned operand_count)
{
    const struct ir_op_info *info = ir_library_op(b->module->context, library_id);
    struct ir_op *op = ir_build(b, info, operands, operand_count, NULL);
    return op != NULL ? &op->result : NULL;
}

struct ir_value *ir_build_call_tir(struct ir_builder *b, struct ir_global *kernel,
                                   struct ir_value *const *args, unsigned arg_count,
                                   const struct ir_type *declared)
{
    const struct ir_op_info *info = ir_core_op(b->module->context, IR_CORE_call_tir);
    const struct ir_attr *attrs[] = {ir_attr_global(b->module->context, kernel)};
    assert(info->attr_count == ARRAY_SIZE(attrs));
    struct ir_op *op = ir_build_declared(b, info, args, arg_count, attrs, declared);
    return op != NULL ? &op->result : NULL;
}

struct ir_value *ir_build_tuple_get(struct ir_builder *b, struct ir_value *tuple, unsigned index)
{
    if (tuple->def != NULL && ir_op_is(tuple->def, IR_CORE_tuple) &&
        index < tuple->def->operand_count) {
        struct ir_value *item = tuple->def->operands[index].value;
        struct ir_value *found = ir_inline_copy(b->module, item);
        /* An inline tuple that nobody took has served its purpose. */
        if (ir_value_is_inline(tuple) && tuple->uses == NULL)
            ir_op_erase(tuple->def);
        return found;
    }
    const struct ir_op_info *info = ir_core_op(b->module->context, IR_CORE_tuple_get);
    const struct ir_attr *attrs[] = {ir_attr_int(b->module->context, index)};
    assert(info->attr_count == ARRAY_SIZE(attrs));
    struct ir_op *op = ir_build(b, info, &tuple, 1, attrs);
    return op != NULL ? &op->result : NULL;
}
