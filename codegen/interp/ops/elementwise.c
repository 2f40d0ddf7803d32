/* Elementwise operators: broadcasting, and one row of elementwise.def on each element. */
#include "codegen/interp/ops/elementwise.h"

#include "base/assert.h"

#include <string.h>

enum result { SAME, BOOL };

static const struct {
    enum op_domain domain;
    enum result result;
} rows[OP_COUNT] = {
#define ELEMENTWISE(id, name, signature, domain, result, traits, sem, doc, ...) \
    [OP_##id] = {OP_##domain, result},
#define REDUCTION(id, name, domain, init, step, finish, doc, ...) [OP_##id] = {OP_##domain, SAME},
#include "ops/ops.def"
};

enum { OPERAND_LIMIT = 3 };

struct interp_scalar interp_elementwise(enum op_id id, const struct interp_row *row,
                                        struct ir_dtype dtype, const struct interp_scalar *x,
                                        unsigned count)
{
    struct interp_scalar result = {.dtype = dtype};
    if (ir_dtype_is_float(dtype)) {
        float narrow[OPERAND_LIMIT] = {0};
        double wide[OPERAND_LIMIT] = {0};
        for (unsigned i = 0; i < count; i++) {
            wide[i] = x[i].real;
            narrow[i] = (float)x[i].real;
        }
        result.real = dtype.bits == 64 ? interp_elementwise_double(id, row, wide)
                                       : (double)interp_elementwise_float(id, row, narrow);
        return result;
    }
    int64_t ints[OPERAND_LIMIT] = {0};
    uint64_t words[OPERAND_LIMIT] = {0};
    unsigned bools[OPERAND_LIMIT] = {0};
    for (unsigned i = 0; i < count; i++) {
        ints[i] = x[i].integer;
        words[i] = (uint64_t)x[i].integer;
        bools[i] = x[i].integer != 0;
    }
    if (ir_dtype_is_bool(dtype))
        result.integer = interp_elementwise_bool(id, row, bools);
    else if (dtype.code == IR_INT)
        result.integer = interp_elementwise_signed(id, row, ints);
    else
        result.integer = (int64_t)interp_elementwise_unsigned(id, row, words);
    return result;
}

struct interp_scalar interp_reduce_begin(enum op_id id, const struct interp_row *row,
                                         struct ir_dtype dtype)
{
    struct interp_scalar result = {.dtype = dtype};
    if (ir_dtype_is_float(dtype))
        result.real = dtype.bits == 64 ? interp_reduce_begin_double(id, row)
                                       : (double)interp_reduce_begin_float(id, row);
    else if (ir_dtype_is_bool(dtype))
        result.integer = interp_reduce_begin_bool(id, row);
    else if (dtype.code == IR_INT)
        result.integer = interp_reduce_begin_signed(id, row);
    else
        result.integer = (int64_t)interp_reduce_begin_unsigned(id, row);
    return result;
}

struct interp_scalar interp_reduce_step(enum op_id id, const struct interp_row *row,
                                        struct interp_scalar acc, struct interp_scalar element,
                                        struct interp_scalar mean)
{
    struct interp_scalar result = {.dtype = acc.dtype};
    if (ir_dtype_is_float(acc.dtype))
        result.real = acc.dtype.bits == 64
                          ? interp_reduce_step_double(id, row, acc.real, element.real, mean.real)
                          : (double)interp_reduce_step_float(id, row, (float)acc.real,
                                                             (float)element.real, (float)mean.real);
    else if (ir_dtype_is_bool(acc.dtype))
        result.integer =
            interp_reduce_step_bool(id, row, (unsigned)acc.integer, (unsigned)element.integer, 0);
    else if (acc.dtype.code == IR_INT)
        result.integer = interp_reduce_step_signed(id, row, acc.integer, element.integer, 0);
    else
        result.integer = (int64_t)interp_reduce_step_unsigned(id, row, (uint64_t)acc.integer,
                                                              (uint64_t)element.integer, 0);
    return result;
}

struct interp_scalar interp_reduce_end(enum op_id id, const struct interp_row *row,
                                       struct interp_scalar acc)
{
    struct interp_scalar result = {.dtype = acc.dtype};
    if (ir_dtype_is_float(acc.dtype))
        result.real = acc.dtype.bits == 64
                          ? interp_reduce_end_double(id, row, acc.real)
                          : (double)interp_reduce_end_float(id, row, (float)acc.real);
    else if (ir_dtype_is_bool(acc.dtype))
        result.integer = interp_reduce_end_bool(id, row, (unsigned)acc.integer);
    else if (acc.dtype.code == IR_INT)
        result.integer = interp_reduce_end_signed(id, row, acc.integer);
    else
        result.integer = (int64_t)interp_reduce_end_unsigned(id, row, (uint64_t)acc.integer);
    return result;
}

/* A scalar beside tensors: limited to the range of their dtype, where a cast would wrap. */
static struct interp_scalar scalar_beside(struct interp_scalar scalar, struct ir_dtype dtype)
{
    if (!ir_dtype_is_int(scalar.dtype) || !ir_dtype_is_int(dtype) || scalar.dtype.code == IR_UINT)
        return interp_cast(scalar, dtype);
    bool is_unsigned = dtype.code == IR_UINT;
    int64_t low = is_unsigned ? 0 : INT64_MIN >> (64 - dtype.bits);
    int64_t high = INT64_MAX >> (64 - dtype.bits);
    if (is_unsigned && dtype.bits < 64)
        high = high * 2 + 1;
    if (scalar.integer < low)
        scalar.integer = low;
    else if (scalar.integer > high)
        scalar.integer = high;
    return interp_cast(scalar, dtype);
}

/* The operands as tensors (scalars in the dtype of the first), and the shape that they broadcast to. */
static bool gather_operands(const struct interp_op *o, struct ir_dtype dtype,
                            const struct inlay_tensor **out, int64_t *out_shape, unsigned *out_ndim)
{
    *out_ndim = 0;
    for (unsigned i = 0; i < o->count; i++) {
        if (o->operands[i]->kind == INTERP_SCALAR) {
            struct interp_value *value = interp_tensor_new(o->run, dtype, NULL, 0);
            if (!value)
                return false;
            interp_store_element(scalar_beside(o->operands[i]->scalar, dtype), value->tensor->data,
                                 0);
            out[i] = value->tensor;
        } else if (!(out[i] = interp_operand(o, i))) {
            return false;
        }
        if (!interp_broadcast(o->run, out_shape, out_ndim, out[i]->shape, (unsigned)out[i]->ndim))
            return false;
    }
    return true;
}

const struct interp_value *interp_op_elementwise(struct interp_op *o)
{
    enum op_id id = op_id(o->op);
    unsigned main = id == OP_where ? 1 : 0; /* whose dtype is computed in */
    const struct inlay_tensor *x[OPERAND_LIMIT] = {0};
    int64_t shape[INTERP_RANK] = {0};
    unsigned ndim;
    const struct inlay_tensor *typed = interp_operand(o, main);
    if (!typed)
        return NULL;
    struct ir_dtype dtype = interp_tensor_dtype(typed);
    if (!interp_check_domain(o, rows[id].domain, dtype) ||
        !gather_operands(o, dtype, x, shape, &ndim))
        return NULL;
    for (unsigned i = main; i < o->count; i++)
        if (!ir_dtype_equal(interp_tensor_dtype(x[i]), dtype)) {
            interp_fail(o->run, INLAY_ERROR_SHAPE, "the operands have different dtypes");
            return NULL;
        }
    assert(x[main]);
    struct interp_value *result =
        interp_tensor_new(o->run, rows[id].result == BOOL ? IR_B1 : dtype, shape, ndim);
    if (!result)
        return NULL;
    struct ir_dtype wide = interp_compute_dtype(dtype), to = interp_tensor_dtype(result->tensor);
    struct interp_row row = {.bits = dtype.bits, .op = o};
    struct interp_index i;
    for (interp_index_begin(&i, shape, ndim); !i.is_done; interp_index_next(&i)) {
        struct interp_scalar elements[OPERAND_LIMIT] = {0};
        for (unsigned k = 0; k < o->count; k++) {
            int64_t offset = interp_broadcast_offset(x[k]->shape, (unsigned)x[k]->ndim, i.at, ndim);
            elements[k] = interp_cast(
                interp_load_element(interp_tensor_dtype(x[k]), interp_data(x[k]), offset), wide);
        }
        struct interp_scalar value = interp_elementwise(id, &row, wide, elements, o->count);
        interp_store_element(interp_cast(value, to), result->tensor->data, i.position);
    }
    return result;
}

/* Which axes are reduced, and the shape of the result. */
static unsigned reduced_shape(const struct interp_op *o, const struct inlay_tensor *x,
                              bool *is_reduced, int64_t *out_shape, int64_t *out_count)
{
    unsigned ndim = (unsigned)x->ndim, axis_count, result = 0;
    const int64_t *axes = interp_attr_ints(o, "axis", &axis_count);
    bool keeps = interp_attr_bool(o, "keepdims");
    for (unsigned i = 0; i < ndim; i++)
        is_reduced[i] = axes == NULL;
    for (unsigned i = 0; axes && i < axis_count; i++)
        is_reduced[interp_axis(axes[i], ndim)] = true;
    *out_count = 1;
    for (unsigned i = 0; i < ndim; i++) {
        if (is_reduced[i])
            *out_count *= x->shape[i];
        if (!is_reduced[i] || keeps)
            out_shape[result++] = is_reduced[i] ? 1 : x->shape[i];
    }
    return result;
}

/* Runs a reduction over all elements of @x into accumulators, one for each element of the result. */
static void reduce(enum op_id id, const struct interp_row *row, const struct inlay_tensor *x,
                   const bool *is_reduced, const struct interp_scalar *means,
                   struct interp_scalar *acc)
{
    struct ir_dtype dtype = interp_tensor_dtype(x), wide = interp_compute_dtype(dtype);
    struct interp_index i;
    for (interp_index_begin(&i, x->shape, (unsigned)x->ndim); !i.is_done; interp_index_next(&i)) {
        int64_t at = 0;
        for (unsigned k = 0; k < i.ndim; k++)
            if (!is_reduced[k])
                at = at * x->shape[k] + i.at[k];
        struct interp_scalar element =
            interp_cast(interp_load_element(dtype, interp_data(x), i.position), wide);
        struct interp_scalar mean = means ? means[at] : (struct interp_scalar){.dtype = wide};
        acc[at] = interp_reduce_step(id, row, acc[at], element, mean);
    }
}

/* The accumulators of a whole reduction, finished; NULL after the error is set. */
static struct interp_scalar *run_reduction(const struct interp_op *o, enum op_id id,
                                           const struct interp_row *row,
                                           const struct inlay_tensor *x, const bool *is_reduced,
                                           int64_t count)
{
    struct ir_dtype wide = interp_compute_dtype(interp_tensor_dtype(x));
    struct interp_scalar *means = NULL;
    if (rows[id].domain == OP_MOMENT) {
        means = run_reduction(o, OP_mean, row, x, is_reduced, count);
        if (!means)
            return NULL;
    }
    int64_t bytes = inlay_tensor_bytes(&count, 1, (int32_t)sizeof(struct interp_scalar));
    struct interp_scalar *acc = inlay_alloc(o->run->frame, bytes, location_line(o->run->loc));
    for (int64_t i = 0; acc && i < count; i++)
        acc[i] = interp_reduce_begin(id, row, wide);
    if (acc)
        reduce(id, row, x, is_reduced, means, acc);
    for (int64_t i = 0; acc && i < count; i++)
        acc[i] = interp_reduce_end(id, row, acc[i]);
    inlay_free(o->run->frame, means);
    return acc;
}

const struct interp_value *interp_op_reduction(struct interp_op *o)
{
    enum op_id id = op_id(o->op);
    const struct inlay_tensor *x = interp_operand(o, 0);
    bool is_reduced[INTERP_RANK] = {false};
    int64_t shape[INTERP_RANK], reduced;
    if (!x)
        return NULL;
    struct ir_dtype dtype = interp_tensor_dtype(x);
    if (!interp_check_domain(o, rows[id].domain, dtype))
        return NULL;
    unsigned ndim = reduced_shape(o, x, is_reduced, shape, &reduced);
    struct interp_value *result = interp_tensor_new(o->run, dtype, shape, ndim);
    if (!result)
        return NULL;
    int64_t count = inlay_tensor_elements(result->tensor);
    struct interp_row row = {.bits = dtype.bits, .op = o, .count = reduced};
    struct interp_scalar *acc = run_reduction(o, id, &row, x, is_reduced, count);
    if (!acc)
        return NULL;
    for (int64_t i = 0; i < count; i++)
        interp_store_element(interp_cast(acc[i], dtype), result->tensor->data, i);
    inlay_free(o->run->frame, acc);
    return result;
}
