/* Operands and small chains of Relax operators; see import.h. */
#include "base/half.h"
#include "frontend/onnx/import.h"

#include <string.h>

const struct ir_expr *onnx_expr(struct onnx_import *m, int64_t value)
{
    return ir_expr_int(m->context, IR_I64, value);
}

const struct ir_expr *onnx_op(struct onnx_import *m, enum ir_expr_kind kind,
                              const struct ir_expr *a, const struct ir_expr *b)
{
    return ir_simplify(m->context, ir_expr_binary(m->context, kind, a, b));
}

const struct ir_attr *onnx_attr_ints(struct onnx_import *m, const int64_t *values, size_t count)
{
    return ir_attr_ints(m->context, values, (unsigned)count);
}

/* @value as an element of @dtype at @out, which has room for 8 bytes. */
static void put_element(struct ir_dtype dtype, double value, void *out)
{
    float narrow = (float)value;
    int64_t whole;
    uint16_t half;

    if (ir_dtype_equal(dtype, IR_F64)) {
        memcpy(out, &value, sizeof(value));
    } else if (ir_dtype_equal(dtype, IR_F32)) {
        memcpy(out, &narrow, sizeof(narrow));
    } else if (ir_dtype_equal(dtype, IR_BF16) || ir_dtype_equal(dtype, IR_F16)) {
        half = ir_dtype_equal(dtype, IR_F16) ? half_from_double(value) : bfloat_from_double(value);
        memcpy(out, &half, sizeof(half));
    } else {
        whole = (int64_t)value;             /* whose dtype has no infinity */
        memcpy(out, &whole, sizeof(whole)); /* little endian, as all machines of ours */
    }
}

struct ir_value *onnx_scalar(struct onnx_import *m, struct ir_dtype dtype, double value)
{
    char bytes[8] = {0};

    put_element(dtype, value, bytes);
    return onnx_constant(m, dtype, NULL, 0, bytes);
}

struct ir_value *onnx_cast(struct onnx_import *m, struct ir_value *value, struct ir_dtype dtype)
{
    const struct ir_constant *number = onnx_constant_of(value);

    if (!value || ir_dtype_equal(value->type->dtype, dtype))
        return value;
    if (number && number->ndim == 0 && ir_dtype_is_int(number->dtype) && number->dtype.bits <= 16 &&
        (ir_dtype_equal(dtype, IR_I32) || ir_dtype_equal(dtype, IR_F32))) /* which hold it */
        return onnx_scalar(m, dtype, (double)onnx_constant_int(number, 0));
    return MAKE_WITH(&m->b, OP_astype,
                     ((struct make_attr){"dtype", ir_attr_dtype(m->context, dtype)}), value);
}

struct ir_value *onnx_reshape(struct onnx_import *m, struct ir_value *value,
                              const struct ir_expr *const *dims, unsigned count)
{
    return MAKE(&m->b, OP_reshape, value, make_shape(&m->b, dims, count));
}

struct ir_value *onnx_only(struct onnx_import *m, struct ir_value *value)
{
    const struct ir_constant *constant = onnx_constant_of(value);

    if (constant && constant->bytes == ir_dtype_bytes(constant->dtype) && constant->data)
        return onnx_constant(m, constant->dtype, NULL, 0, constant->data);
    return onnx_reshape(m, value, NULL, 0);
}

struct ir_value *onnx_broadcast(struct onnx_import *m, struct ir_value *value,
                                const struct ir_expr *const *dims, unsigned count)
{
    return MAKE(&m->b, OP_broadcast_to, value, make_shape(&m->b, dims, count));
}

struct ir_value *onnx_permute(struct onnx_import *m, struct ir_value *value, const int64_t *axes,
                              unsigned count)
{
    return MAKE_WITH(&m->b, OP_permute_dims,
                     ((struct make_attr){"axes", onnx_attr_ints(m, axes, count)}), value);
}

struct ir_value *onnx_expand_dims(struct onnx_import *m, struct ir_value *value,
                                  const int64_t *axes, unsigned count)
{
    return MAKE_WITH(&m->b, OP_expand_dims,
                     ((struct make_attr){"axis", onnx_attr_ints(m, axes, count)}), value);
}

struct ir_value *onnx_reduce(struct onnx_import *m, unsigned op, struct ir_value *value,
                             const int64_t *axes, unsigned count, bool keeps)
{
    struct make_attr attrs[] = {{"axis", onnx_attr_ints(m, axes, count)},
                                {"keepdims", ir_attr_bool(m->context, keeps)}};
    return make_op(&m->b, op, &value, 1, attrs, 2);
}

struct ir_value *onnx_concat(struct onnx_import *m, struct ir_value *const *items, unsigned count,
                             int64_t axis)
{
    struct ir_value *tuple = make_tuple(&m->b, items, count);
    return MAKE_WITH(&m->b, OP_concat, ((struct make_attr){"axis", onnx_attr_int(m, axis)}), tuple);
}

struct ir_value *onnx_slice(struct onnx_import *m, struct ir_value *value, int64_t axis,
                            const struct ir_expr *begin, const struct ir_expr *end, int64_t step)
{
    struct ir_value *items[4];
    const struct ir_expr *parts[4] = {onnx_expr(m, axis), begin, end, onnx_expr(m, step)};

    for (unsigned i = 0; i < 4; i++) {
        struct ir_value *prim = ir_inline_prim(m->module, parts[i]);
        items[i] = ir_inline_tuple(m->module, &prim, 1);
    }
    return MAKE(&m->b, OP_strided_slice, value, items[0], items[1], items[2], items[3]);
}

struct ir_value *onnx_along(struct onnx_import *m, struct ir_value *vector, int64_t axis, int rank)
{
    const struct ir_expr **dims;

    if (!vector || onnx_rank(vector) == 0)
        return vector;
    dims = arena_array(m->arena, const struct ir_expr *, (size_t)rank);
    for (int i = 0; i < rank; i++)
        dims[i] = i == axis ? onnx_dims(vector)[0] : onnx_expr(m, 1);
    return onnx_reshape(m, vector, dims, (unsigned)rank);
}
