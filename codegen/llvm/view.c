/*
 * Ops that compute nothing or move bytes only: views, copies, shapes as values, match_cast.
 */
#include "analysis/leaves.h"
#include "codegen/llvm/graph.h"

#define BUILD(what, ...) LLVMBuild##what(cg->builder, __VA_ARGS__, "")

/* Equal numbers of elements, proved or checked. */
static void check_elements(struct cg_graph *g, const struct cg_value *from,
                           const struct cg_value *to)
{
    struct cg *cg = g->cg;
    LLVMValueRef before = cg_product_bytes(cg, from->dims, from->count, 1);
    LLVMValueRef after = cg_product_bytes(cg, to->dims, to->count, 1);
    LLVMValueRef args[] = {before, after};
    cg_check(cg, cg_compare(cg, LLVMIntEQ, before, after), INLAY_ERROR_SHAPE,
             "a tensor of %lld elements cannot be seen as one of %lld", args, 2);
}

bool cg_view_dims(struct cg_graph *g, const struct ir_op *op, const struct cg_value *from,
                  struct cg_value *to)
{
    if (op->result.type->dims)
        return cg_type_dims(g, op->result.type, to->dims);
    /* A shape that is only known when it runs. */
    const struct ir_value *given = op->operand_count > 1 ? op->operands[1].value : NULL;
    bool is_given = given && !ir_type_is_void(given->type) &&
                    !(given->def && ir_op_is(given->def, IR_CORE_null_value));
    struct cg_value *shape = is_given ? cg_operand(g, given) : NULL;
    bool fits = shape && shape->kind == CG_SHAPE && shape->count == to->count;
    if (!fits && (is_given || to->count != from->count))
        return cg_op_refuse(g, op, "the shape of its result is not known");
    for (unsigned i = 0; i < to->count; i++)
        to->dims[i] = fits ? shape->dims[i] : from->dims[i];
    return true;
}

bool cg_emit_view(struct cg_graph *g, const struct ir_op *op)
{
    struct cg_value *from = cg_tensor_operand(g, op->operands[0].value);
    if (!from)
        return false;
    const struct ir_type *type = op->result.type;
    bool is_known = type->kind == IR_TYPE_TENSOR && type->ndim >= 0;
    if (!is_known || !ir_dtype_equal(type->dtype, from->dtype))
        return cg_op_refuse(g, op, "the shape of its result is not known");
    struct cg_value *to =
        cg_tensor_new(g, from->dtype, (unsigned)type->ndim, from->data, from->root);
    to->is_aligned = from->is_aligned;
    to->storage = from->storage;
    if (!cg_view_dims(g, op, from, to))
        return false;
    check_elements(g, from, to);
    cg_set_result(g, op, to);
    return true;
}

bool cg_emit_copy(struct cg_graph *g, const struct ir_op *op)
{
    struct cg *cg = g->cg;
    struct cg_value *from = cg_tensor_operand(g, op->operands[0].value);
    if (!from)
        return false;
    struct cg_value *to = cg_tensor_take(g, op, from->dtype, from->dims, from->count);
    LLVMValueRef bytes = cg_product_bytes(cg, from->dims, from->count, ir_dtype_bytes(from->dtype));
    unsigned scalar = (from->dtype.bits + 7u) / 8u;
    LLVMBuildMemCpy(cg->builder, to->data, CG_ALIGNMENT, from->data, scalar ? scalar : 1, bytes);
    cg_set_result(g, op, to);
    return true;
}

bool cg_emit_shape_of(struct cg_graph *g, const struct ir_op *op)
{
    struct cg_value *tensor = cg_tensor_operand(g, op->operands[0].value);
    if (!tensor)
        return false;
    struct cg_value *shape = cg_value_new(g, CG_SHAPE, tensor->count);
    for (unsigned i = 0; i < tensor->count; i++)
        shape->dims[i] = tensor->dims[i];
    cg_set_result(g, op, shape);
    return true;
}

/* A fresh tensor of int64 with these elements. */
static struct cg_value *tensor_of(struct cg_graph *g, const struct ir_op *op,
                                  LLVMValueRef *elements, unsigned count, unsigned rank)
{
    struct cg *cg = g->cg;
    LLVMValueRef dim = cg_i64(cg, count);
    struct cg_value *value = cg_tensor_take(g, op, IR_I64, &dim, rank);
    for (unsigned i = 0; i < count; i++)
        cg_store(cg, elements[i], cg_element(cg, cg->i64, value->data, cg_i64(cg, i)));
    return value;
}

bool cg_emit_size(struct cg_graph *g, const struct ir_op *op)
{
    struct cg *cg = g->cg;
    struct cg_value *tensor = cg_tensor_operand(g, op->operands[0].value);
    if (!tensor)
        return false;
    LLVMValueRef count = cg_product_bytes(cg, tensor->dims, tensor->count, 1);
    cg_set_result(g, op, tensor_of(g, op, &count, 1, 0));
    return true;
}

bool cg_emit_shape_to_tensor(struct cg_graph *g, const struct ir_op *op)
{
    struct cg_value *shape = cg_operand(g, op->operands[0].value);
    if (!shape)
        return false;
    if (shape->kind != CG_SHAPE)
        return cg_op_refuse(g, op, "the rank of its operand is not known");
    cg_set_result(g, op, tensor_of(g, op, shape->dims, shape->count, 1));
    return true;
}

bool cg_emit_tensor_to_shape(struct cg_graph *g, const struct ir_op *op)
{
    struct cg *cg = g->cg;
    struct cg_value *tensor = cg_tensor_operand(g, op->operands[0].value);
    if (!tensor)
        return false;
    int rank = op->result.type->ndim;
    if (rank < 0 || tensor->count != 1 || !ir_dtype_is_int(tensor->dtype))
        return cg_op_refuse(g, op, "its operand must be a vector of integers of known length");
    LLVMValueRef args[] = {tensor->dims[0], cg_i64(cg, rank)};
    cg_check(cg, cg_compare(cg, LLVMIntEQ, args[0], args[1]), INLAY_ERROR_SHAPE,
             "a vector of %lld elements is no shape of rank %lld", args, 2);
    struct cg_value *shape = cg_value_new(g, CG_SHAPE, (unsigned)rank);
    LLVMTypeRef type = cg_memory_type(cg, tensor->dtype);
    for (unsigned i = 0; i < shape->count; i++) {
        LLVMValueRef element = cg_load(cg, type, cg_element(cg, type, tensor->data, cg_i64(cg, i)));
        shape->dims[i] = cg_cast(cg, element, tensor->dtype, IR_I64);
        cg_check(cg, cg_compare(cg, LLVMIntSGE, shape->dims[i], cg_i64(cg, 0)), INLAY_ERROR_SHAPE,
                 "a dimension is %lld", &shape->dims[i], 1);
    }
    cg_set_result(g, op, shape);
    return true;
}

/* Does @value have the form of values of @type, but for dims? */
static bool has_form(const struct cg_value *value, const struct ir_type *type)
{
    if (value->kind != cg_kind_of_type(type) || value->kind == CG_BOXED)
        return false;
    switch (value->kind) {
    case CG_TENSOR:
        return value->count == (unsigned)type->ndim && ir_dtype_equal(value->dtype, type->dtype);
    case CG_SHAPE:
        return value->count == (unsigned)type->ndim;
    case CG_TUPLE:
        return value->count == type->field_count;
    default:
        return ir_dtype_equal(value->dtype, type->dtype);
    }
}

/* @value as one of @type; what its form does not show is checked at run time. */
static struct cg_value *cast(struct cg_graph *g, struct cg_value *value, const struct ir_type *type,
                             const char *what)
{
    const struct ir_type *any = ir_type_any(g->cg->ir);
    if (type->kind == IR_TYPE_ANY)
        return cg_coerce(g, value, type);
    if (!has_form(value, type))
        return cg_unbox_checked(g, type, cg_coerce(g, value, any)->data, INLAY_ERROR_SHAPE, what);
    if (value->kind != CG_TUPLE)
        return value;
    struct cg_value *tuple = cg_value_new(g, CG_TUPLE, value->count);
    for (unsigned i = 0; i < value->count; i++)
        tuple->fields[i] = cast(g, value->fields[i], type->fields[i], what);
    return tuple;
}

bool cg_emit_match_cast(struct cg_graph *g, const struct ir_op *op)
{
    struct cg *cg = g->cg;
    const struct ir_type *type = op->declared ? op->declared : op->result.type;
    struct cg_value *value = cg_operand(g, op->operands[0].value);
    if (!value)
        return false;
    const char *what =
        arena_printf(&cg->arena, "`%s` in R.match_cast", cg_name_of(g, op->operands[0].value));
    value = cast(g, value, type, what);
    struct cg_leaves leaves = {0};
    cg_bind_symbols(g, value, type);
    cg_flatten(value, &leaves);
    bool is_fine = true;
    if (type->kind == IR_TYPE_TUPLE) {
        for (unsigned i = 0; is_fine && i < leaves.count; i++)
            is_fine =
                cg_check_dims(g, leaves.items[i], leaf_type(type, i), INLAY_ERROR_SHAPE, what);
    } else {
        is_fine = cg_check_dims(g, value, type, INLAY_ERROR_SHAPE, what);
    }
    array_finish(&leaves);
    if (is_fine)
        cg_set_result(g, op, value);
    return is_fine;
}

/* --- R.inspect --- */

/* The extent, or the stride, of the axis that operand 1 gives. */
static LLVMValueRef inspect_axis(struct cg_graph *g, const struct ir_op *op,
                                 const struct cg_value *tensor)
{
    struct cg *cg = g->cg;
    struct cg_value *axis = cg_operand(g, op->operands[1].value);
    if (!axis || axis->kind != CG_SCALAR || !LLVMIsAConstantInt(axis->data) ||
        LLVMConstIntGetZExtValue(axis->data) >= tensor->count) {
        cg_op_refuse(g, op, "its axis must be a literal below the rank");
        return NULL;
    }
    unsigned i = (unsigned)LLVMConstIntGetZExtValue(axis->data);
    if (op_is(op, OP_inspect_tensor_shape_i))
        return tensor->dims[i];
    LLVMValueRef stride = cg_i64(cg, 1);
    for (unsigned j = tensor->count; j-- > i + 1;)
        stride = BUILD(Mul, stride, tensor->dims[j]);
    return stride;
}

/* Known from the type, all but the shape. */
static LLVMValueRef inspect(struct cg_graph *g, const struct ir_op *op,
                            const struct cg_value *tensor)
{
    switch (op_id(op)) {
    case OP_inspect_tensor_dtype_code:
        return cg_i64(g->cg, tensor->dtype.code);
    case OP_inspect_tensor_dtype_bits:
        return cg_i64(g->cg, tensor->dtype.bits);
    case OP_inspect_tensor_dtype_lanes:
        return cg_i64(g->cg, tensor->dtype.lanes);
    case OP_inspect_tensor_ndim:
        return cg_i64(g->cg, tensor->count);
    case OP_inspect_tensor_byte_offset:
    case OP_inspect_tensor_elem_offset:
        return cg_i64(g->cg, 0);
    default:
        return inspect_axis(g, op, tensor);
    }
}

bool cg_emit_inspect(struct cg_graph *g, const struct ir_op *op)
{
    struct cg_value *tensor = cg_tensor_operand(g, op->operands[0].value);
    LLVMValueRef number = tensor ? inspect(g, op, tensor) : NULL;
    if (!number)
        return false;
    struct cg_value *value = cg_value_new(g, CG_SCALAR, 0);
    value->dtype = op->result.type->dtype;
    value->data = cg_cast(g->cg, number, IR_I64, value->dtype);
    cg_set_result(g, op, value);
    return true;
}
