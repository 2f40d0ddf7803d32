/* Ops whose result is a part of an operand: bytes of a tensor, or a tensor within a piece of storage. */
#include "analysis/storage/storage_internal.h"
#include "ir/bounds.h"
#include "ops/ids.h"

#include <string.h>

static const struct ir_op_param *find_param(const struct ir_op *op, const char *name)
{
    for (unsigned i = 0; i < op->info->param_count; i++)
        if (strcmp(op->info->params[i].name, name) == 0 &&
            op->info->params[i].kind <= IR_PARAM_PRIM)
            return &op->info->params[i];
    return NULL;
}

static const struct ir_value *operand(const struct ir_op *op, const struct ir_op_param *param)
{
    const struct ir_value *value = op->operands[param->operand_index].value;

    while (value->def && ir_op_is(value->def, IR_CORE_bind))
        value = value->def->operands[0].value;
    return value;
}

/* The integer that @value is; NULL if that is not known. */
static const struct ir_expr *scalar(struct ir_context *context, const struct ir_value *value)
{
    const struct ir_op *def = value->def;

    if (value->var)
        return ir_expr_var(context, value->var);
    if (!def || !ir_op_is(def, IR_CORE_prim))
        return NULL;
    const struct ir_attr *attr = ir_op_attr(def, "value");

    if (attr->kind == IR_ATTR_INT)
        return ir_expr_int(context, IR_I64, attr->integer);
    return attr->kind == IR_ATTR_EXPR && ir_dtype_is_int(attr->expr->dtype) ? attr->expr : NULL;
}

/* How far the result begins behind the operand: 0 where nothing is said; NULL: not known. */
static const struct ir_expr *offset_of(struct ir_context *context, const struct ir_op *op)
{
    const struct ir_op_param *param = find_param(op, "offset");

    if (!param)
        param = find_param(op, "relative_byte_offset");
    const struct ir_value *value = param ? operand(op, param) : NULL;

    if (!value || (value->def && ir_op_is(value->def, IR_CORE_null_value)) ||
        ir_type_is_void(value->type))
        return ir_expr_int(context, IR_I64, 0);
    return scalar(context, value);
}

bool storage_is_view(const struct ir_op *op)
{
    return op->info->core == IR_CORE_none && (op->info->traits & IR_ALIAS) &&
           !(op->info->traits & IR_ALLOCATES) && op->operand_count > 0;
}

/* Is @storage as large in every run? */
static bool has_number(const struct ir_value *storage)
{
    while (storage->def && ir_op_is(storage->def, IR_CORE_bind))
        storage = storage->def->operands[0].value;
    if (!storage->def || !op_is(storage->def, OP_memory_alloc_storage))
        return false;
    const struct ir_type *shape = storage->def->operands[0].value->type;

    return shape->dims && shape->ndim == 1 && shape->dims[0]->kind == IR_EXPR_int;
}

/*
 * What the tensor that @op puts at @offset may take, whatever its size is: where symbols have upper bounds, plans
 * leave room for that.
 */
static const struct ir_expr *room_of(struct storage *storage, const struct ir_op *op,
                                     const struct ir_expr *offset)
{
    struct ir_context *context = storage->module->module->context;
    const struct ir_expr *bytes = ir_type_bytes(context, op->result.type);
    struct ir_bounds bounds = {0};
    int64_t most;

    if (!offset || offset->kind != IR_EXPR_int || !bytes || bytes->kind == IR_EXPR_int ||
        !has_number(op->operands[0].value) ||
        !(op_is(op, OP_memory_alloc_tensor) || op_is(op, OP_vm_alloc_tensor)))
        return bytes;
    ir_bounds_find(storage->function, &storage->arena, &bounds);
    if (ir_bounds_most(context, &bounds, bytes, &most))
        bytes = ir_expr_int(context, IR_I64, most);
    array_finish(&bounds);
    return bytes;
}

struct storage_region storage_part_region(struct storage *storage, const struct ir_op *op,
                                          bool is_one, const struct storage_region *within)
{
    struct ir_context *context = storage->module->module->context;

    if (!is_one)
        return storage_region_within(within);
    const struct ir_expr *offset = offset_of(context, op);

    return storage_region_part(context, within, offset, room_of(storage, op, offset));
}
