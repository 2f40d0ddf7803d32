/* Operators that make tensors: copies, constants, ranges, triangles, casts. */
#include "codegen/interp/ops/numbers.h"

#include <math.h>
#include <string.h>

const struct interp_value *interp_op_copy(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    return x ? interp_tensor_copy(o->run, x) : NULL;
}

/* What goes over the one worker and device that there are. */
const struct interp_value *interp_op_alone(struct interp_op *o)
{
    if (ir_attr_param(o->op->info, "num_workers") && interp_attr_int(o, "num_workers", 1) != 1)
        return num_refuse(o, "several workers");
    return interp_op_copy(o);
}

/* A tensor full of @value, which is of its dtype. */
static const struct interp_value *fill(struct interp_op *o, const int64_t *shape, unsigned ndim,
                                       struct interp_scalar value)
{
    struct interp_value *result = interp_tensor_new(o->run, value.dtype, shape, ndim);
    int64_t count = result ? inlay_tensor_elements(result->tensor) : 0;
    for (int64_t i = 0; i < count; i++)
        interp_store_element(value, result->tensor->data, i);
    return result;
}

static const struct interp_value *fill_integer(struct interp_op *o, const int64_t *shape,
                                               unsigned ndim, struct ir_dtype dtype, int64_t value)
{
    struct interp_scalar scalar = {.dtype = IR_I64, .integer = value};
    return fill(o, shape, ndim, interp_cast(scalar, dtype));
}

const struct interp_value *interp_op_full(struct interp_op *o)
{
    struct interp_scalar value = interp_operand_scalar(o, 1);
    return fill(o, o->operands[0]->dims, o->operands[0]->count,
                interp_cast(value, interp_attr_dtype(o, "dtype", value.dtype)));
}

const struct interp_value *interp_op_full_like(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    if (!x)
        return NULL;
    struct ir_dtype dtype = interp_attr_dtype(o, "dtype", interp_tensor_dtype(x));
    return fill(o, x->shape, (unsigned)x->ndim, interp_cast(interp_operand_scalar(o, 1), dtype));
}

static const struct interp_value *init(struct interp_op *o, int64_t value)
{
    return fill_integer(o, o->operands[0]->dims, o->operands[0]->count,
                        interp_attr_dtype(o, "dtype", IR_F32), value);
}

static const struct interp_value *init_like(struct interp_op *o, int64_t value)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    if (!x)
        return NULL;
    return fill_integer(o, x->shape, (unsigned)x->ndim,
                        interp_attr_dtype(o, "dtype", interp_tensor_dtype(x)), value);
}

const struct interp_value *interp_op_ones(struct interp_op *o)
{
    return init(o, 1);
}

const struct interp_value *interp_op_ones_like(struct interp_op *o)
{
    return init_like(o, 1);
}

const struct interp_value *interp_op_zeros(struct interp_op *o)
{
    return init(o, 0);
}

const struct interp_value *interp_op_zeros_like(struct interp_op *o)
{
    return init_like(o, 0);
}

static const struct interp_value *diagonal(struct interp_op *o, int64_t rows, int64_t columns,
                                           int64_t k, struct ir_dtype dtype)
{
    int64_t shape[] = {rows, columns};
    const struct interp_value *result = fill_integer(o, shape, 2, dtype, 0);
    struct interp_scalar one =
        interp_cast((struct interp_scalar){.dtype = IR_I64, .integer = 1}, dtype);
    for (int64_t i = 0; result && i < rows; i++)
        if (i + k >= 0 && i + k < columns)
            interp_store_element(one, result->tensor->data, i * columns + i + k);
    return result;
}

const struct interp_value *interp_op_eye(struct interp_op *o)
{
    int64_t rows = interp_operand_int(o, 0, 0);
    return diagonal(o, rows, interp_operand_int(o, 1, rows), interp_operand_int(o, 2, 0),
                    interp_attr_dtype(o, "dtype", IR_F32));
}

const struct interp_value *interp_op_eye_like(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    if (!x || x->ndim != 2)
        return NULL;
    return diagonal(o, x->shape[0], x->shape[1], interp_operand_int(o, 1, 0),
                    interp_attr_dtype(o, "dtype", interp_tensor_dtype(x)));
}

/* How many elements start, start + step, .. lie before end. */
static int64_t range_count(struct interp_scalar start, struct interp_scalar end,
                           struct interp_scalar step)
{
    if (ir_dtype_is_float(start.dtype) || ir_dtype_is_float(end.dtype) ||
        ir_dtype_is_float(step.dtype)) {
        double count = ceil((interp_cast(end, IR_F64).real - interp_cast(start, IR_F64).real) /
                            interp_cast(step, IR_F64).real);
        return count > 0 ? (int64_t)count : 0;
    }
    if (step.integer == 0)
        return 0;
    bool is_up = step.integer > 0;
    if (is_up ? end.integer <= start.integer : end.integer >= start.integer)
        return 0;
    uint64_t distance = is_up ? (uint64_t)end.integer - (uint64_t)start.integer
                              : (uint64_t)start.integer - (uint64_t)end.integer;
    uint64_t size = is_up ? (uint64_t)step.integer : 0 - (uint64_t)step.integer;
    return (int64_t)((distance - 1) / size + 1);
}

const struct interp_value *interp_op_arange(struct interp_op *o)
{
    struct interp_scalar start = interp_operand_scalar(o, 0);
    struct interp_scalar end = start, step = {.dtype = IR_I64, .integer = 1};
    if (o->operands[1]->kind == INTERP_NULL)
        start = (struct interp_scalar){.dtype = IR_I64};
    else
        end = interp_operand_scalar(o, 1);
    if (o->operands[2]->kind != INTERP_NULL)
        step = interp_operand_scalar(o, 2);
    struct ir_dtype dtype = o->op->result.type->dtype, wide = interp_compute_dtype(dtype);
    int64_t count = range_count(start, end, step);
    struct interp_value *result = interp_tensor_new(o->run, dtype, &count, 1);
    for (int64_t i = 0; result && i < count; i++) {
        struct interp_scalar index = {.dtype = IR_I64, .integer = i}, product, sum;
        if (!interp_binary(IR_EXPR_mul, interp_cast(index, wide), interp_cast(step, wide),
                           &product) ||
            !interp_binary(IR_EXPR_add, interp_cast(start, wide), product, &sum))
            UNREACHABLE("numbers have sums and products");
        interp_store_element(interp_cast(sum, dtype), result->tensor->data, i);
    }
    return result;
}

/* The elements where column - row - k has the sign of @side, or is 0; the others stay 0. */
static const struct interp_value *triangle(struct interp_op *o, int side)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    int64_t k = interp_operand_int(o, 1, 0);
    if (!x || x->ndim < 2)
        return NULL;
    unsigned bytes = (unsigned)inlay_dtype_bytes(x->dtype), ndim = (unsigned)x->ndim;
    struct interp_value *result = interp_tensor_new(o->run, interp_tensor_dtype(x), x->shape, ndim);
    struct interp_index i;
    if (!result)
        return NULL;
    for (interp_index_begin(&i, x->shape, ndim); !i.is_done; interp_index_next(&i)) {
        int64_t row = i.at[ndim - 2], column = i.at[ndim - 1];
        if (side < 0 ? column <= row + k : column >= row + k)
            interp_copy_element(result->tensor->data, i.position, interp_data(x), i.position,
                                bytes);
    }
    return result;
}

const struct interp_value *interp_op_tril(struct interp_op *o)
{
    return triangle(o, -1);
}

const struct interp_value *interp_op_triu(struct interp_op *o)
{
    return triangle(o, 1);
}

const struct interp_value *interp_op_astype(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    if (!x)
        return NULL;
    struct ir_dtype from = interp_tensor_dtype(x), to = interp_attr_dtype(o, "dtype", from);
    struct interp_value *result = interp_tensor_new(o->run, to, x->shape, (unsigned)x->ndim);
    int64_t count = result ? inlay_tensor_elements(x) : 0;
    for (int64_t i = 0; i < count; i++)
        interp_store_element(interp_cast(interp_load_element(from, interp_data(x), i), to),
                             result->tensor->data, i);
    return result;
}
