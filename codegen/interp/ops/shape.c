/* Shapes as values, facts of tensors, and the two operators with effects. */
#include "codegen/interp/internal.h"

#include <string.h>

const struct interp_value *interp_op_shape_of(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    return x ? interp_shape_value(o->run, x->shape, (unsigned)x->ndim) : NULL;
}

/* @value in the form that the op's type asks for: a scalar, or a tensor of rank 0. */
static const struct interp_value *integer_result(struct interp_op *o, int64_t value)
{
    const struct ir_type *type = o->op->result.type;
    struct ir_dtype dtype = ir_dtype_is_void(type->dtype) ? IR_I64 : type->dtype;
    if (type->kind == IR_TYPE_PRIM)
        return interp_int_value(o->run, dtype, interp_wrap(dtype, value));
    struct interp_value *result = interp_tensor_new(o->run, dtype, NULL, 0);
    if (result)
        interp_store_element((struct interp_scalar){.dtype = dtype, .integer = value},
                             result->tensor->data, 0);
    return result;
}

const struct interp_value *interp_op_size(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    return x ? integer_result(o, inlay_tensor_elements(x)) : NULL;
}

const struct interp_value *interp_op_tensor_to_shape(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    if (!x)
        return NULL;
    int64_t count = inlay_tensor_elements(x);
    int ndim = o->op->result.type->ndim;
    if (x->ndim != 1 || count > INTERP_RANK || (ndim != IR_NDIM_UNKNOWN && count != ndim)) {
        interp_fail(o->run, INLAY_ERROR_SHAPE, "a vector of %lld elements is no shape of rank %lld",
                    (long long)count, (long long)ndim);
        return NULL;
    }
    int64_t dims[INTERP_RANK];
    for (int64_t i = 0; i < count; i++) {
        dims[i] = interp_load_element(interp_tensor_dtype(x), interp_data(x), i).integer;
        if (dims[i] < 0) {
            interp_fail(o->run, INLAY_ERROR_SHAPE, "a dimension is %lld", (long long)dims[i]);
            return NULL;
        }
    }
    return interp_shape_value(o->run, dims, (unsigned)count);
}

const struct interp_value *interp_op_shape_to_tensor(struct interp_op *o)
{
    const struct interp_value *shape = o->operands[0];
    int64_t count = shape->count;
    struct interp_value *result = interp_tensor_new(o->run, IR_I64, &count, 1);
    if (result && count)
        memcpy(result->tensor->data, shape->dims, (size_t)count * sizeof(int64_t));
    return result;
}

const struct interp_value *interp_op_dtype_code(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    return x ? integer_result(o, x->dtype.code) : NULL;
}

const struct interp_value *interp_op_dtype_bits(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    return x ? integer_result(o, x->dtype.bits) : NULL;
}

const struct interp_value *interp_op_dtype_lanes(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    return x ? integer_result(o, x->dtype.lanes) : NULL;
}

const struct interp_value *interp_op_ndim(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    return x ? integer_result(o, x->ndim) : NULL;
}

/* Operand 1 as an axis of @x; false after the error is set. */
static bool get_axis(struct interp_op *o, const struct inlay_tensor *x, unsigned *out)
{
    int64_t axis = interp_operand_int(o, 1, 0);
    if (axis < -x->ndim || axis >= x->ndim)
        return interp_fail(o->run, INLAY_ERROR_BOUNDS, "a tensor of rank %lld has no axis %lld",
                           (long long)x->ndim, (long long)axis);
    *out = interp_axis(axis, (unsigned)x->ndim);
    return true;
}

const struct interp_value *interp_op_shape_i(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    unsigned axis = 0;
    return x && get_axis(o, x, &axis) ? integer_result(o, x->shape[axis]) : NULL;
}

const struct interp_value *interp_op_stride_i(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    unsigned axis = 0;
    if (!x || !get_axis(o, x, &axis))
        return NULL;
    int64_t stride = 1;
    for (unsigned i = axis + 1; i < (unsigned)x->ndim; i++)
        stride *= x->shape[i];
    return integer_result(o, stride);
}

const struct interp_value *interp_op_zero_offset(struct interp_op *o)
{
    return integer_result(o, 0);
}

/* The operands from @first on as values of the ABI. */
static struct inlay_value *export_operands(struct interp_op *o, unsigned first)
{
    struct inlay_value *values = arena_array(&o->run->arena, struct inlay_value, o->count + 1);
    for (unsigned i = first; i < o->count; i++)
        if (!interp_export(o->run, o->operands[i], &values[i - first]))
            return NULL;
    return values;
}

const struct interp_value *interp_op_print(struct interp_op *o)
{
    struct inlay_value *values = export_operands(o, 0);
    const char *format = ir_op_attr(o->op, "format")->string;
    if (!values || inlay_print(o->run->frame, format, values, (int32_t)o->count) != 0)
        return NULL;
    return interp_tuple_value(o->run, NULL, 0);
}

const struct interp_value *interp_op_assert_op(struct interp_op *o)
{
    struct inlay_value *values = export_operands(o, 1);
    const char *format = ir_op_attr(o->op, "format")->string;
    bool is_true = interp_cast(interp_operand_scalar(o, 0), IR_B1).integer != 0;
    if (!values || inlay_assert(o->run->frame, is_true, format, values, (int32_t)o->count - 1,
                                location_line(o->op->loc)) != 0)
        return NULL;
    return interp_tuple_value(o->run, NULL, 0);
}
