/* nonzero, dynamic_strided_slice, unique: what they are decides how large they are. */
#include "codegen/interp/ops/numbers.h"

#include <math.h>
#include <string.h>

/* ---- nonzero ---- */

static bool is_zero(struct interp_scalar x)
{
    return ir_dtype_is_float(x.dtype) ? x.real == 0 : x.integer == 0;
}

const struct interp_value *interp_op_nonzero(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    struct interp_index i;

    if (!x)
        return NULL;
    unsigned ndim = (unsigned)x->ndim, rows = ndim > 1 ? ndim : 1;
    int64_t shape[2] = {rows, 0}, column = 0;
    for (int64_t n = 0; n < inlay_tensor_elements(x); n++)
        shape[1] += !is_zero(num_load(x, n));
    struct interp_value *result = interp_tensor_new(o->run, IR_I64, shape, 2);
    if (!result)
        return NULL;
    for (interp_index_begin(&i, x->shape, ndim); !i.is_done; interp_index_next(&i)) {
        if (is_zero(num_load(x, i.position)))
            continue;
        for (unsigned d = 0; d < rows; d++)
            num_store(result->tensor, d * shape[1] + column, num_int(IR_I64, ndim ? i.at[d] : 0));
        column++;
    }
    return result;
}

/* ---- dynamic_strided_slice ---- */

/* Python's slice(begin, end, stride).indices(extent), and how many there are. */
static int64_t slice_of(int64_t *begin, int64_t end, int64_t stride, int64_t extent)
{
    int64_t low = stride < 0 ? -1 : 0, high = stride < 0 ? extent - 1 : extent, count = 0;
    int64_t bounds[2] = {*begin, end};

    for (unsigned i = 0; i < 2; i++) {
        if (bounds[i] < 0)
            bounds[i] += extent;
        if (bounds[i] < low)
            bounds[i] = low;
        if (bounds[i] > high)
            bounds[i] = high;
    }
    *begin = bounds[0];
    for (int64_t at = bounds[0]; stride < 0 ? at > bounds[1] : at < bounds[1]; at += stride)
        count++;
    return count;
}

const struct interp_value *interp_op_dynamic_strided_slice(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0), *bounds[3];
    int64_t begin[INTERP_RANK], stride[INTERP_RANK], shape[INTERP_RANK], at[INTERP_RANK];
    struct interp_index i;

    for (unsigned n = 0; n < 3; n++)
        if (!(bounds[n] = interp_operand(o, n + 1)))
            return NULL;
    if (!x)
        return NULL;
    unsigned ndim = (unsigned)x->ndim;
    for (unsigned n = 0; n < 3; n++)
        if (bounds[n]->ndim != 1 || bounds[n]->shape[0] != (int64_t)ndim) {
            interp_fail(o->run, INLAY_ERROR_SHAPE, "a slice has a bound for each axis");
            return NULL;
        }
    for (unsigned d = 0; d < ndim; d++) {
        begin[d] = num_index(bounds[0], d);
        stride[d] = num_index(bounds[2], d);
        if (stride[d] == 0) {
            interp_fail(o->run, INLAY_ERROR_ASSERT, "a stride is 0");
            return NULL;
        }
        shape[d] = slice_of(&begin[d], num_index(bounds[1], d), stride[d], x->shape[d]);
    }
    struct interp_value *result = interp_tensor_new(o->run, interp_tensor_dtype(x), shape, ndim);
    if (!result)
        return NULL;
    for (interp_index_begin(&i, shape, ndim); !i.is_done; interp_index_next(&i)) {
        for (unsigned d = 0; d < ndim; d++)
            at[d] = begin[d] + i.at[d] * stride[d];
        num_store(result->tensor, i.position, num_element(x, interp_offset(x->shape, ndim, at)));
    }
    return result;
}

/* ---- unique ---- */

struct slices {
    const struct inlay_tensor *x;
    int64_t count, length, inner; /* slices, elements of one, those behind the axis */
    bool is_flat;
};

static struct interp_scalar slice_element(const struct slices *s, int64_t slice, int64_t e)
{
    int64_t outer = s->is_flat ? 0 : e / s->inner, rest = s->is_flat ? 0 : e % s->inner;

    return num_load(s->x, (outer * s->count + slice) * s->inner + rest);
}

static int compare_elements(struct interp_scalar a, struct interp_scalar b)
{
    if (ir_dtype_is_float(a.dtype) && (isnan(a.real) || isnan(b.real)))
        return (isnan(a.real) != 0) - (isnan(b.real) != 0);
    return num_is(IR_EXPR_lt, b, a) - num_is(IR_EXPR_lt, a, b);
}

static int compare_slices(const struct slices *s, int64_t a, int64_t b)
{
    for (int64_t e = 0; e < s->length; e++) {
        int order = compare_elements(slice_element(s, a, e), slice_element(s, b, e));
        if (order)
            return order;
    }
    return 0;
}

static struct slices slices_of(struct interp_op *o, const struct inlay_tensor *x)
{
    struct slices s = {.x = x, .count = inlay_tensor_elements(x), .length = 1, .inner = 1};

    s.is_flat = o->operands[5]->kind == INTERP_NULL || x->ndim < 2;
    if (s.is_flat)
        return s;
    unsigned axis = interp_axis(interp_operand_int(o, 5, 0), (unsigned)x->ndim);
    s.count = x->shape[axis];
    for (unsigned d = 0; d < (unsigned)x->ndim; d++) {
        if (d != axis)
            s.length *= x->shape[d];
        if (d > axis)
            s.inner *= x->shape[d];
    }
    return s;
}

/* The first member of each group, in the order that is asked for; how many there are. */
static int64_t find_firsts(const struct slices *s, bool is_sorted, int64_t *out_firsts)
{
    int64_t count = 0;

    for (int64_t i = 0; i < s->count; i++) {
        bool is_new = true;
        int64_t place = count;
        for (int64_t g = 0; g < count; g++)
            is_new &= compare_slices(s, out_firsts[g], i) != 0;
        if (!is_new)
            continue;
        while (is_sorted && place > 0 && compare_slices(s, i, out_firsts[place - 1]) < 0) {
            out_firsts[place] = out_firsts[place - 1];
            place--;
        }
        out_firsts[place] = i;
        count++;
    }
    return count;
}

static struct interp_value *unique_values(struct interp_op *o, const struct slices *s,
                                          const int64_t *firsts, int64_t count)
{
    int64_t shape[INTERP_RANK] = {count};
    unsigned ndim = 1;

    if (!s->is_flat) {
        ndim = (unsigned)s->x->ndim;
        memcpy(shape, s->x->shape, ndim * sizeof(int64_t));
        shape[interp_axis(interp_operand_int(o, 5, 0), ndim)] = count;
    }
    struct interp_value *result = interp_tensor_new(o->run, interp_tensor_dtype(s->x), shape, ndim);
    for (int64_t g = 0; result && g < count; g++)
        for (int64_t e = 0; e < s->length; e++)
            num_store(result->tensor, (e / s->inner * count + g) * s->inner + e % s->inner,
                      slice_element(s, firsts[g], e));
    return result;
}

const struct interp_value *interp_op_unique(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    const struct interp_value *fields[4];
    unsigned field_count = 1;

    if (!x)
        return NULL;
    struct slices s = slices_of(o, x);
    int64_t *firsts = arena_array(&o->run->arena, int64_t, (size_t)s.count + 1);
    int64_t count = find_firsts(&s, interp_operand_int(o, 1, 1) != 0, firsts);
    fields[0] = unique_values(o, &s, firsts, count);
    for (unsigned i = 2; i <= 4; i++) {
        if (interp_operand_int(o, i, 0) == 0)
            continue;
        struct interp_value *field =
            interp_tensor_new(o->run, IR_I64, i == 3 ? &s.count : &count, 1);
        if (!field || !fields[0])
            return NULL;
        for (int64_t g = 0; g < count; g++) {
            int64_t members = 0;
            for (int64_t n = 0; n < s.count; n++)
                if (compare_slices(&s, firsts[g], n) == 0) {
                    members++;
                    if (i == 3)
                        num_store(field->tensor, n, num_int(IR_I64, g));
                }
            if (i != 3)
                num_store(field->tensor, g, num_int(IR_I64, i == 2 ? firsts[g] : members));
        }
        fields[field_count++] = field;
    }
    return field_count == 1 ? fields[0] : interp_tuple_value(o->run, fields, field_count);
}

/* ---- multinomial_from_uniform ---- */

const struct interp_value *interp_op_multinomial(struct interp_op *o)
{
    const struct inlay_tensor *prob = interp_operand(o, 0), *samples = interp_operand(o, 1);
    const struct inlay_tensor *rows = interp_operand(o, 2);

    if (!prob || !samples || !rows || !interp_check_domain(o, OP_REAL, interp_tensor_dtype(prob)))
        return NULL;
    if (prob->ndim != 2 || samples->ndim != 2 || rows->ndim != 2 || rows->shape[1] < 1)
        return num_refuse(o, "what are no rows");
    int64_t shape[] = {rows->shape[0], 1}, count = prob->shape[1];
    struct interp_value *result =
        interp_tensor_new(o->run, interp_attr_dtype(o, "dtype", IR_I64), shape, 2);
    for (int64_t n = 0; result && n < shape[0]; n++) {
        int64_t row = num_index(rows, n * rows->shape[1]), found = 0;
        struct interp_scalar sample = num_load(samples, n * samples->shape[1]);
        row += row < 0 ? prob->shape[0] : 0;
        if (row < 0 || row >= prob->shape[0]) {
            interp_fail(o->run, INLAY_ERROR_BOUNDS, "row %lld of %lld", (long long)row,
                        (long long)prob->shape[0]);
            return NULL;
        }
        struct interp_scalar sum = num(interp_compute_dtype(interp_tensor_dtype(prob)), 0);
        for (; found < count; found++) {
            sum = NUM_ADD(sum, num_load(prob, row * count + found));
            if (num_is(IR_EXPR_gt, sum, interp_cast(sample, sum.dtype)))
                break;
        }
        num_store(result->tensor, n, num_int(IR_I64, found < count ? found : count - 1));
    }
    return result;
}
