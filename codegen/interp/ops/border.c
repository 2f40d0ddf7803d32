/* Padding, prelu, pixel_shuffle, dropout, layout_transform: results by index arithmetic. */
#include "codegen/interp/ops/numbers.h"

#include <string.h>

/* Where padding reads for place @at of an axis; -1: the constant. */
static int64_t border(const char *mode, int64_t at, int64_t extent)
{
    if (at >= 0 && at < extent)
        return at;
    if (strcmp(mode, "constant") == 0)
        return -1;
    if (strcmp(mode, "circular") == 0)
        return (at % extent + extent) % extent;
    if (strcmp(mode, "reflect") == 0) {
        while (extent > 1 && (at < 0 || at >= extent))
            at = at < 0 ? -at : 2 * (extent - 1) - at;
        return extent > 1 ? at : 0;
    }
    return at < 0 ? 0 : extent - 1;
}

const struct interp_value *interp_op_pad(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    const char *mode = ir_op_attr(o->op, "pad_mode")->string;
    int64_t shape[INTERP_RANK];
    unsigned count;
    const int64_t *width = interp_attr_ints(o, "pad_width", &count);
    struct interp_index i;
    if (!x)
        return NULL;
    unsigned ndim = (unsigned)x->ndim;
    for (unsigned d = 0; d < ndim; d++)
        shape[d] = x->shape[d] + width[2 * d] + width[2 * d + 1];
    struct ir_dtype dtype = interp_tensor_dtype(x);
    struct interp_value *result = interp_tensor_new(o->run, dtype, shape, ndim);
    if (!result)
        return NULL;
    for (interp_index_begin(&i, shape, ndim); !i.is_done; interp_index_next(&i)) {
        int64_t at[INTERP_RANK];
        bool is_constant = false;
        for (unsigned d = 0; d < ndim; d++) {
            at[d] = border(mode, i.at[d] - width[2 * d], x->shape[d]);
            is_constant |= at[d] < 0;
        }
        num_store(result->tensor, i.position,
                  is_constant ? num(dtype, interp_attr_float(o, "pad_value"))
                              : num_element(x, interp_offset(x->shape, ndim, at)));
    }
    return result;
}

const struct interp_value *interp_op_prelu(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0), *alpha = interp_operand(o, 1);
    struct interp_index i;
    if (!x || !alpha)
        return NULL;
    unsigned ndim = (unsigned)x->ndim;
    unsigned axis = ndim ? interp_axis(interp_attr_int(o, "axis", 1), ndim) : 0;
    bool is_one = inlay_tensor_elements(alpha) == 1;
    if (!is_one && alpha->shape[0] != x->shape[axis]) {
        interp_fail(o->run, INLAY_ERROR_SHAPE, "`alpha` has not a slope for each channel");
        return NULL;
    }
    struct interp_value *result = interp_tensor_new(o->run, interp_tensor_dtype(x), x->shape, ndim);
    if (!result)
        return NULL;
    for (interp_index_begin(&i, x->shape, ndim); !i.is_done; interp_index_next(&i)) {
        struct interp_scalar value = num_load(x, i.position);
        if (!num_is(IR_EXPR_gt, value, num(value.dtype, 0)))
            value = NUM_MUL(value, num_load(alpha, is_one ? 0 : i.at[axis]));
        num_store(result->tensor, i.position, value);
    }
    return result;
}

const struct interp_value *interp_op_pixel_shuffle(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    int64_t factor = interp_attr_int(o, "upscale_factor", 1), shape[INTERP_RANK];
    struct interp_index i;
    if (!x || x->ndim < 3)
        return NULL;
    unsigned ndim = (unsigned)x->ndim, c = ndim - 3;
    memcpy(shape, x->shape, ndim * sizeof(int64_t));
    shape[c] /= factor * factor;
    shape[c + 1] *= factor;
    shape[c + 2] *= factor;
    struct interp_value *result = interp_tensor_new(o->run, interp_tensor_dtype(x), shape, ndim);
    if (!result)
        return NULL;
    for (interp_index_begin(&i, shape, ndim); !i.is_done; interp_index_next(&i)) {
        int64_t at[INTERP_RANK];
        memcpy(at, i.at, sizeof(at));
        at[c] = (i.at[c] * factor + i.at[c + 1] % factor) * factor + i.at[c + 2] % factor;
        at[c + 1] /= factor;
        at[c + 2] /= factor;
        num_store(result->tensor, i.position, num_element(x, interp_offset(x->shape, ndim, at)));
    }
    return result;
}

const struct interp_value *interp_op_dropout(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    struct interp_value *kept = x ? interp_tensor_copy(o->run, x) : NULL;
    struct interp_value *mask =
        x ? interp_tensor_new(o->run, interp_tensor_dtype(x), x->shape, (unsigned)x->ndim) : NULL;
    if (!kept || !mask)
        return NULL;
    for (int64_t i = 0; i < inlay_tensor_elements(x); i++)
        num_store(mask->tensor, i, num(interp_tensor_dtype(x), 1));
    const struct interp_value *both[] = {kept, mask};
    return interp_tuple_value(o->run, both, 2);
}

/* The value that fills what the map leaves; 0 if none is given. */
static struct interp_scalar filling(struct interp_op *o, struct ir_dtype dtype)
{
    const struct ir_attr *pad = ir_op_attr(o->op, "pad_value");
    struct interp_scalar value = num(dtype, 0);
    if (pad->kind == IR_ATTR_EXPR && interp_prim(o->call, pad->expr, &value))
        return interp_cast(value, dtype);
    return pad->kind == IR_ATTR_NONE ? num(dtype, 0)
                                     : num(dtype, interp_attr_float(o, "pad_value"));
}

const struct interp_value *interp_op_layout_transform(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    const struct ir_attr *map = ir_op_attr(o->op, "index_map");
    const struct ir_type *type = o->op->result.type;
    const int64_t *shape;
    struct interp_index i;
    if (map->kind == IR_ATTR_CALL && map->count > 0)
        map = map->items[0];
    if (!x || map->kind != IR_ATTR_LAMBDA || type->kind != IR_TYPE_TENSOR || !type->dims)
        return x ? num_refuse(o, "this map") : NULL;
    unsigned ndim = (unsigned)type->ndim;
    if (!interp_dims(o->call, type->dims, type->ndim, &shape))
        return NULL;
    struct ir_dtype dtype = interp_tensor_dtype(x);
    struct interp_value *result = interp_tensor_new(o->run, dtype, shape, ndim);
    for (int64_t k = 0; result && k < inlay_tensor_elements(result->tensor); k++)
        num_store(result->tensor, k, filling(o, dtype));
    if (!result)
        return NULL;
    for (interp_index_begin(&i, x->shape, (unsigned)x->ndim); !i.is_done; interp_index_next(&i)) {
        int64_t to[INTERP_RANK];
        for (unsigned d = 0; d < map->param_count; d++)
            interp_symbol_set(o->call, map->params[d], i.at[d]);
        for (unsigned d = 0; d < ndim; d++)
            if (!interp_dim(o->call, map->items[d]->expr, &to[d]))
                return NULL;
        num_store(result->tensor, interp_offset(shape, ndim, to), num_element(x, i.position));
    }
    return result;
}

const struct interp_value *interp_op_hamming_window(struct interp_op *o)
{
    int64_t size = interp_operand_int(o, 0, 0);
    int64_t steps = size - 1 + (interp_operand_int(o, 1, 0) != 0);
    struct ir_dtype dtype = interp_attr_dtype(o, "dtype", IR_F32);
    struct ir_dtype wide = interp_compute_dtype(dtype);
    struct interp_scalar alpha = interp_cast(interp_operand_scalar(o, 2), wide);
    struct interp_scalar beta = interp_cast(interp_operand_scalar(o, 3), wide);
    struct interp_value *result = interp_tensor_new(o->run, dtype, &size, 1);
    for (int64_t i = 0; result && i < size; i++) {
        struct interp_scalar angle = NUM_MUL(num(wide, 6.283185307179586), num(wide, (double)i));
        angle = NUM_DIV(angle, num(wide, (double)(steps > 1 ? steps : 1)));
        struct interp_scalar value = NUM_SUB(alpha, NUM_MUL(beta, num_call("cos", angle)));
        num_store(result->tensor, i, size == 1 ? num(wide, 1) : value);
    }
    return result;
}

const struct interp_value *interp_op_affine_grid(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    const struct interp_value *size = o->operands[1];
    bool is_aligned = interp_attr_bool(o, "align_corners");
    struct interp_index i;
    int64_t shape[INTERP_RANK];
    if (!x || size->kind != INTERP_SHAPE || x->ndim != 3)
        return x ? num_refuse(o, "what are no matrices") : NULL;
    unsigned count = size->count;
    shape[0] = x->shape[0];
    shape[1] = x->shape[1];
    memcpy(shape + 2, size->dims, count * sizeof(int64_t));
    if (x->shape[2] != (int64_t)count + 1) {
        interp_fail(o->run, INLAY_ERROR_SHAPE,
                    "the matrices have not a column for each axis and one more");
        return NULL;
    }
    struct interp_value *result =
        interp_tensor_new(o->run, interp_tensor_dtype(x), shape, count + 2);
    if (!result)
        return NULL;
    for (interp_index_begin(&i, shape, count + 2); !i.is_done; interp_index_next(&i)) {
        int64_t row = (i.at[0] * shape[1] + i.at[1]) * (count + 1);
        double sum = interp_cast(num_element(x, row + count), IR_F64).real;
        for (unsigned k = 0; k < count; k++) {
            unsigned axis = count + 1 - k;
            double extent = (double)shape[axis], at = (double)i.at[axis];
            double place =
                is_aligned ? 2 * at / (extent > 1 ? extent - 1 : 1) - 1 : (2 * at + 1) / extent - 1;
            sum += place * interp_cast(num_element(x, row + k), IR_F64).real;
        }
        num_store(result->tensor, i.position, num(IR_F64, sum));
    }
    return result;
}
