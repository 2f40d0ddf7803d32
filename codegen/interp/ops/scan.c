/* Running sums and products, collapsing sums, buckets and quantisation. */
#include "codegen/interp/ops/numbers.h"

#include <string.h>

static const struct interp_value *running(struct interp_op *o, enum ir_expr_kind kind)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    bool is_flat = interp_attr_is_none(o, "axis"), is_exclusive = interp_attr_bool(o, "exclusive");
    int64_t stride = 1;
    if (!x)
        return NULL;
    struct ir_dtype dtype = interp_attr_dtype(o, "dtype", interp_tensor_dtype(x));
    int64_t elements = inlay_tensor_elements(x);
    unsigned axis = is_flat ? 0 : interp_axis(interp_attr_int(o, "axis", 0), (unsigned)x->ndim);
    int64_t extent = is_flat ? elements : x->shape[axis];
    for (unsigned d = axis + 1; !is_flat && d < (unsigned)x->ndim; d++)
        stride *= x->shape[d];
    struct interp_value *result = interp_tensor_new(o->run, dtype, is_flat ? &elements : x->shape,
                                                    is_flat ? 1 : (unsigned)x->ndim);
    struct ir_dtype wide = interp_compute_dtype(dtype);
    for (int64_t line = 0; result && extent > 0 && line < elements / extent; line++) {
        int64_t first = line / stride * stride * extent + line % stride;
        struct interp_scalar sum = num(wide, kind == IR_EXPR_mul);
        for (int64_t i = 0; i < extent; i++) {
            int64_t at = first + i * stride;
            if (is_exclusive)
                num_store(result->tensor, at, sum);
            sum = num_apply(kind, sum, interp_cast(num_load(x, at), wide));
            if (!is_exclusive)
                num_store(result->tensor, at, sum);
        }
    }
    return result;
}

const struct interp_value *interp_op_cumsum(struct interp_op *o)
{
    return running(o, IR_EXPR_add);
}

const struct interp_value *interp_op_cumprod(struct interp_op *o)
{
    return running(o, IR_EXPR_mul);
}

const struct interp_value *interp_op_collapse_sum(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    const struct interp_value *target = o->operands[1];
    bool is_shape = target->kind == INTERP_SHAPE;
    struct interp_index i;
    if (!x)
        return NULL;
    const int64_t *shape = is_shape ? target->dims : target->tensor->shape;
    unsigned ndim = is_shape ? target->count : (unsigned)target->tensor->ndim;
    struct ir_dtype wide = interp_compute_dtype(interp_tensor_dtype(x));
    struct interp_value *sums = interp_tensor_new(o->run, wide, shape, ndim);
    struct interp_value *result = interp_tensor_new(o->run, interp_tensor_dtype(x), shape, ndim);
    if (!sums || !result || ndim > (unsigned)x->ndim)
        return NULL;
    for (unsigned d = 0; d < ndim; d++)
        if (shape[d] != 1 && shape[d] != x->shape[(unsigned)x->ndim - ndim + d]) {
            interp_fail(o->run, INLAY_ERROR_SHAPE, "extent %lld does not collapse to %lld",
                        (long long)x->shape[(unsigned)x->ndim - ndim + d], (long long)shape[d]);
            return NULL;
        }
    for (interp_index_begin(&i, x->shape, (unsigned)x->ndim); !i.is_done; interp_index_next(&i)) {
        int64_t to = interp_broadcast_offset(shape, ndim, i.at, (unsigned)x->ndim);
        num_store(sums->tensor, to, NUM_ADD(num_load(sums->tensor, to), num_load(x, i.position)));
    }
    for (int64_t k = 0; k < inlay_tensor_elements(result->tensor); k++)
        num_store(result->tensor, k, num_load(sums->tensor, k));
    return result;
}

const struct interp_value *interp_op_bucketize(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0), *boundaries = interp_operand(o, 1);
    bool is_right = interp_attr_bool(o, "right");
    struct ir_dtype dtype = interp_attr_bool(o, "out_int32") ? IR_I32 : IR_I64;
    if (!x || !boundaries)
        return NULL;
    struct interp_value *result = interp_tensor_new(o->run, dtype, x->shape, (unsigned)x->ndim);
    for (int64_t i = 0; result && i < inlay_tensor_elements(x); i++) {
        struct interp_scalar value = num_load(x, i);
        int64_t count = 0;
        for (int64_t k = 0; k < inlay_tensor_elements(boundaries); k++) {
            struct interp_scalar edge = interp_cast(num_load(boundaries, k), value.dtype);
            count += is_right ? !num_is_less(value, edge) : num_is_less(edge, value);
        }
        num_store(result->tensor, i, num_int(dtype, count));
    }
    return result;
}

/* ---- quantisation ---- */

static struct interp_scalar parameter(struct interp_op *o, unsigned i, const int64_t *at)
{
    const struct inlay_tensor *x = interp_operand(o, 0), *p = interp_operand(o, i);
    unsigned axis = interp_axis(interp_attr_int(o, "axis", -1), (unsigned)x->ndim);
    return num_element(p, inlay_tensor_elements(p) == 1 ? 0 : at[axis]);
}

static struct interp_scalar saturated(struct ir_dtype dtype, struct interp_scalar value)
{
    double limit = dtype.code == IR_BFLOAT ? 3.3895313892515355e38 : 65504;
    if (ir_dtype_is_float(dtype) && dtype.bits == 16) {
        value = NUM_MAX(value, num(value.dtype, -limit));
        value = NUM_MIN(value, num(value.dtype, limit));
    }
    return interp_cast(value, dtype);
}

static const struct interp_value *quantization(struct interp_op *o, bool is_back)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    struct interp_index i;
    if (!x || !interp_operand(o, 1) || !interp_operand(o, 2))
        return NULL;
    struct ir_dtype dtype = interp_attr_dtype(o, "out_dtype", interp_tensor_dtype(x));
    struct ir_dtype inner = ir_dtype_is_float(interp_tensor_dtype(x)) ? IR_F32 : IR_I32;
    struct interp_value *result = interp_tensor_new(o->run, dtype, x->shape, (unsigned)x->ndim);
    if (!result)
        return NULL;
    for (interp_index_begin(&i, x->shape, (unsigned)x->ndim); !i.is_done; interp_index_next(&i)) {
        struct interp_scalar scale = interp_cast(parameter(o, 1, i.at), IR_F32);
        struct interp_scalar zero = parameter(o, 2, i.at), value = num_element(x, i.position);
        if (is_back) {
            value = NUM_SUB(interp_cast(value, inner), interp_cast(zero, inner));
            value = NUM_MUL(interp_cast(value, IR_F32), scale);
        } else {
            value = NUM_DIV(interp_cast(value, IR_F32), scale);
            if (!ir_dtype_is_float(dtype))
                value = num_call("round", value);
            value = NUM_ADD(value, interp_cast(zero, IR_F32));
        }
        num_store(result->tensor, i.position, saturated(dtype, value));
    }
    return result;
}

const struct interp_value *interp_op_quantize(struct interp_op *o)
{
    return quantization(o, false);
}

const struct interp_value *interp_op_dequantize(struct interp_op *o)
{
    return quantization(o, true);
}
