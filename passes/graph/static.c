#include "passes/graph/static.h"

#include "base/assert.h"
#include "base/diag.h"
#include "ir/arith.h"
#include "ir/build.h"
#include "ops/ids.h"

#include <string.h>

enum { NODE_LIMIT = 4096 }; /* of a tuple of tuples */

bool static_dims(struct ir_context *context, const struct ir_type *type, int64_t *out_dims)
{
    if ((type->kind != IR_TYPE_TENSOR && type->kind != IR_TYPE_SHAPE) || !type->dims ||
        type->ndim < 0 || type->ndim > STATIC_RANK)
        return false;
    for (int i = 0; i < type->ndim; i++)
        if (!ir_expr_constant(context, type->dims[i], &out_dims[i]) || out_dims[i] < 0)
            return false;
    return true;
}

static bool is_number(const struct ir_attr *attr)
{
    return attr->kind == IR_ATTR_INT || attr->kind == IR_ATTR_FLOAT || attr->kind == IR_ATTR_BOOL ||
           (attr->kind == IR_ATTR_EXPR &&
            (attr->expr->kind == IR_EXPR_int || attr->expr->kind == IR_EXPR_float));
}

static bool is_static_shape(const struct ir_op *op)
{
    const struct ir_attr *dims = ir_op_attr(op, "dims");

    for (unsigned i = 0; i < dims->count; i++)
        if (!is_number(dims->items[i]))
            return false;
    return true;
}

static bool is_leaf(const struct ir_value *value, unsigned *nodes)
{
    const struct ir_op *op = value->def;

    if (!op || ++*nodes > NODE_LIMIT)
        return false;
    switch (op->info->core) {
    case IR_CORE_constant:
    case IR_CORE_string:
    case IR_CORE_dtype:
    case IR_CORE_null_value:
        return true;
    case IR_CORE_shape:
        return is_static_shape(op);
    case IR_CORE_prim:
        return is_number(ir_op_attr(op, "value"));
    case IR_CORE_bind:
        return ir_value_is_inline(op->operands[0].value) &&
               op->operands[0].value->type == value->type && is_leaf(op->operands[0].value, nodes);
    case IR_CORE_tuple:
        for (unsigned i = 0; i < op->operand_count; i++)
            if (!is_leaf(op->operands[i].value, nodes))
                return false;
        return true;
    default:
        return false;
    }
}

bool static_is_leaf(const struct ir_value *value)
{
    unsigned nodes = 0;

    return is_leaf(value, &nodes);
}

struct ir_value *static_copy(struct ir_module *module, struct ir_value *value)
{
    assert(value->def);
    if (ir_op_is(value->def, IR_CORE_bind))
        value = value->def->operands[0].value;
    if (!ir_op_is(value->def, IR_CORE_tuple))
        return ir_inline_copy(module, value);
    struct ir_op *tuple = ir_op_new(module, value->def->info, NULL, 0);

    for (unsigned i = 0; i < value->def->operand_count; i++)
        ir_op_add_operand(module, tuple, static_copy(module, value->def->operands[i].value));
    tuple->result.type = value->type;
    return &tuple->result;
}

static const struct ir_constant *constant_of(const struct ir_value *value)
{
    const struct ir_op *op = value->def;

    if (op && ir_op_is(op, IR_CORE_bind))
        op = op->operands[0].value->def;
    return op && ir_op_is(op, IR_CORE_constant) ? ir_op_attr(op, "data")->constant : NULL;
}

bool static_condition(const struct ir_value *value, bool *out_is_true)
{
    const struct ir_constant *constant = constant_of(value);
    const struct ir_op *op = value->def;
    int64_t count;

    if (constant) {
        if (!ir_dtype_is_bool(constant->dtype) ||
            !ir_shape_elements(constant->shape, constant->ndim, &count) || count != 1)
            return false;
        *out_is_true = *(const unsigned char *)constant->data != 0;
        return true;
    }
    if (!op || !ir_op_is(op, IR_CORE_prim) || !ir_dtype_is_bool(value->type->dtype))
        return false;
    const struct ir_attr *attr = ir_op_attr(op, "value");

    if (attr->kind != IR_ATTR_EXPR || attr->expr->kind != IR_EXPR_int)
        return false;
    *out_is_true = attr->expr->int_value != 0;
    return true;
}

static struct ir_value *shape_of_elements(struct ir_module *module,
                                          const struct ir_constant *constant)
{
    const struct ir_expr *dims[STATIC_RANK];
    const int64_t *elements = constant->data;

    if (constant->ndim != 1 || constant->shape[0] > STATIC_RANK ||
        !ir_dtype_equal(constant->dtype, IR_I64))
        return NULL;
    for (int64_t i = 0; i < constant->shape[0]; i++) {
        if (elements[i] < 0)
            return NULL;
        dims[i] = ir_expr_int(module->context, IR_I64, elements[i]);
    }
    return ir_inline_shape(module, dims, (unsigned)constant->shape[0]);
}

struct ir_value *static_shape(struct ir_module *module, const struct ir_op *op)
{
    const struct ir_value *operand = op->operands[0].value;

    if (op_is(op, OP_tensor_to_shape)) {
        const struct ir_constant *constant = constant_of(operand);

        return constant ? shape_of_elements(module, constant) : NULL;
    }
    if (operand->type->kind != IR_TYPE_TENSOR || !operand->type->dims)
        return NULL;
    return ir_inline_shape(module, operand->type->dims, (unsigned)operand->type->ndim);
}

/* The op whose operand @use is, with @leaf in place of it: is its type still found, and as known? */
static bool is_accepted(struct ir_module *module, struct diag *diag, const struct ir_use *use,
                        struct ir_value *leaf)
{
    struct ir_op *user = use->user;

    if (user->info->traits & IR_TERMINATOR)
        return true;
    struct ir_op *trial = ir_op_new(module, user->info, NULL, 0);

    for (unsigned i = 0; i < user->operand_count; i++)
        ir_op_add_operand(
            module, trial,
            ir_inline_copy(module, &user->operands[i] == use ? leaf : user->operands[i].value));
    for (unsigned i = 0; i < user->info->attr_count; i++)
        trial->attrs[i] = user->attrs[i];
    trial->declared = user->declared;
    bool is_fine =
        user->region_count == 0 && ir_op_infer(module, diag, trial) &&
        ir_type_check(module->context, user->result.type, trial->result.type) == IR_CHECK_PASS;

    ir_op_erase(trial);
    return is_fine;
}

bool static_is_accepted(struct ir_module *module, struct ir_value *value, struct ir_value *leaf)
{
    struct diag *diag = diag_create();
    struct ir_use *use = value->uses;
    bool is_fine = true;

    /* trial ops come and go at the head of the list, behind which the uses stay as they are */
    for (; use && is_fine; use = use->next)
        is_fine = is_accepted(module, diag, use, leaf);
    diag_destroy(diag);
    return is_fine;
}
