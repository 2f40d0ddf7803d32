/* Values whose elements are followed one by one: looking into constants, and making tensors of expressions. */
#include "frontend/onnx/import.h"

#include <math.h>
#include <string.h>

/* How a value was before. */
struct onnx_undo {
    struct onnx_undo *next;
    struct onnx_value *value;
    struct onnx_value before;
};

void onnx_value_touch(struct onnx_import *m, struct onnx_value *value)
{
    if (m->branch_depth == 0)
        return;
    struct onnx_undo *undo = arena_new(m->arena, struct onnx_undo);
    *undo = (struct onnx_undo){m->undo, value, *value};
    m->undo = undo;
}

void onnx_value_restore(struct onnx_import *m, struct onnx_undo *mark)
{
    for (; m->undo != mark; m->undo = m->undo->next)
        *m->undo->value = m->undo->before;
}

void onnx_value_set_elements(struct onnx_import *m, struct onnx_value *value, struct ir_dtype dtype,
                             unsigned rank, const int64_t *dims,
                             const struct ir_expr *const *elements, size_t count)
{
    int64_t *own = arena_array(m->arena, int64_t, rank + 1);

    for (unsigned i = 0; i < rank; i++)
        own[i] = dims[i];
    value->dtype = dtype;
    value->rank = rank;
    value->dims = own;
    value->elements = elements;
    value->count = count;
}

static const struct ir_expr *element_of(struct onnx_import *m, const struct ir_constant *constant,
                                        size_t i)
{
    if (!ir_dtype_is_float(constant->dtype))
        return onnx_expr(m, onnx_constant_int(constant, i));
    double real = onnx_constant_real(constant, i);
    bool is_whole = real > -1e15 && real < 1e15 && real == (double)(int64_t)real &&
                    !(real == 0 && signbit(real));
    return is_whole ? onnx_expr(m, (int64_t)real) : ir_expr_float(m->context, IR_F64, real);
}

bool onnx_value_is_known(struct onnx_import *m, struct onnx_value *value)
{
    const struct ir_constant *constant = onnx_constant_of(value->tensor);
    int64_t count;

    if (value->elements)
        return true;
    if (!constant || !ir_shape_elements(constant->shape, constant->ndim, &count) ||
        count > ONNX_ELEMENT_LIMIT)
        return false;
    const struct ir_expr **elements = arena_array(m->arena, const struct ir_expr *, count + 1);
    for (int64_t i = 0; i < count; i++)
        elements[i] = element_of(m, constant, (size_t)i);
    onnx_value_set_elements(m, value, constant->dtype, constant->ndim, constant->shape, elements,
                            (size_t)count);
    return true;
}

/* ---- tensors of elements ---- */

static bool all_numbers(const struct onnx_value *value)
{
    for (size_t i = 0; i < value->count; i++)
        if (value->elements[i]->kind != IR_EXPR_int && value->elements[i]->kind != IR_EXPR_float)
            return false;
    return true;
}

static double number_of(const struct ir_expr *e)
{
    return e->kind == IR_EXPR_int ? (double)e->int_value : e->float_value;
}

static struct ir_value *make_numbers(struct onnx_import *m, const struct onnx_value *value)
{
    unsigned width = ir_dtype_bytes(value->dtype);
    char *bytes = arena_array(m->arena, char, value->count *width + 8);

    for (size_t i = 0; i < value->count; i++) {
        const struct ir_expr *e = value->elements[i];
        if (ir_dtype_is_float(value->dtype)) {
            struct ir_value *scalar = onnx_scalar(m, value->dtype, number_of(e));
            memcpy(bytes + i * width, onnx_constant_of(scalar)->data, width);
        } else {
            int64_t whole = e->kind == IR_EXPR_int ? e->int_value : (int64_t)e->float_value;
            memcpy(bytes + i * width, &whole, width);
        }
    }
    return onnx_constant(m, value->dtype, value->dims, value->rank, bytes);
}

/*
 * A vector of int64 of the elements.  What may be negative is no dim of a shape: it goes through the difference
 * of two that are not.
 */
static struct ir_value *make_vector(struct onnx_import *m, const struct onnx_value *value)
{
    const struct ir_expr **high = arena_array(m->arena, const struct ir_expr *, value->count + 1);
    const struct ir_expr **low = arena_array(m->arena, const struct ir_expr *, value->count + 1);
    const struct ir_expr *zero = onnx_expr(m, 0);
    bool is_plain = true;

    for (size_t i = 0; i < value->count; i++) {
        const struct ir_expr *e = value->elements[i];
        bool is_size = ir_prove_ge(m->context, NULL, e, zero);
        is_plain = is_plain && is_size;
        high[i] = is_size ? e : onnx_op(m, IR_EXPR_max, e, zero);
        low[i] = is_size ? zero : onnx_op(m, IR_EXPR_max, onnx_op(m, IR_EXPR_sub, zero, e), zero);
    }
    struct ir_value *positive =
        MAKE(&m->b, OP_shape_to_tensor, make_shape(&m->b, high, (unsigned)value->count));
    if (is_plain)
        return positive;
    return MAKE(&m->b, OP_subtract, positive,
                MAKE(&m->b, OP_shape_to_tensor, make_shape(&m->b, low, (unsigned)value->count)));
}

static struct ir_value *make_tensor(struct onnx_import *m, const struct onnx_value *value)
{
    const struct ir_expr **dims;
    struct ir_value *vector;

    if (all_numbers(value))
        return make_numbers(m, value);
    vector = make_vector(m, value);
    dims = arena_array(m->arena, const struct ir_expr *, value->rank + 1);
    for (unsigned i = 0; i < value->rank; i++)
        dims[i] = onnx_expr(m, value->dims[i]);
    if (value->rank != 1)
        vector = onnx_reshape(m, vector, dims, value->rank);
    return onnx_cast(m, vector, value->dtype);
}

struct ir_value *onnx_value_tensor(struct onnx_import *m, struct onnx_value *value)
{
    if (!value->tensor && value->elements) {
        onnx_value_touch(m, value);
        value->tensor = make_tensor(m, value);
    }
    return value->tensor;
}
