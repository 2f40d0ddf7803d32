/*
 * sort, argsort, topk, median: stable insertion into a list of indices.  A NaN is larger than all numbers; upwards and
 * downwards, equal elements keep their order.
 */
#include "codegen/interp/ops/numbers.h"

#include <string.h>

/* One line of elements along an axis. */
struct line {
    const struct inlay_tensor *x;
    int64_t first, stride, count;
};

static struct interp_scalar at(const struct line *l, int64_t i)
{
    return num_element(l->x, l->first + i * l->stride);
}

/* The indices in their order, in the arena. */
static int64_t *ordered(struct interp_op *o, const struct line *l, bool is_descending)
{
    int64_t *order = arena_array(&o->run->arena, int64_t, (size_t)l->count + 1);
    for (int64_t i = 0; i < l->count; i++) {
        int64_t place = i;
        for (; place > 0; place--) {
            struct interp_scalar before = at(l, order[place - 1]), x = at(l, i);
            if (!(is_descending ? num_is_less(before, x) : num_is_less(x, before)))
                break;
            order[place] = order[place - 1];
        }
        order[place] = i;
    }
    return order;
}

static struct line line_of(const struct inlay_tensor *x, unsigned axis, int64_t number)
{
    struct line l = {.x = x, .stride = 1, .count = x->shape[axis]};
    for (unsigned d = axis + 1; d < (unsigned)x->ndim; d++)
        l.stride *= x->shape[d];
    l.first = number / l.stride * l.stride * l.count + number % l.stride;
    return l;
}

static int64_t line_count(const struct inlay_tensor *x, unsigned axis)
{
    return x->shape[axis] ? inlay_tensor_elements(x) / x->shape[axis] : 0;
}

/* The first @keep (of all: -1) elements, or their indices, of each line in order. */
static struct interp_value *sorted(struct interp_op *o, int64_t keep, bool is_descending,
                                   const struct ir_dtype *index_dtype)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    int64_t shape[INTERP_RANK];
    if (!x || x->ndim < 1)
        return NULL;
    unsigned axis = interp_axis(interp_attr_int(o, "axis", -1), (unsigned)x->ndim);
    memcpy(shape, x->shape, (unsigned)x->ndim * sizeof(int64_t));
    if (keep >= 0 && keep < shape[axis])
        shape[axis] = keep;
    struct interp_value *result = interp_tensor_new(
        o->run, index_dtype ? *index_dtype : interp_tensor_dtype(x), shape, (unsigned)x->ndim);
    for (int64_t n = 0; result && n < line_count(x, axis); n++) {
        struct line from = line_of(x, axis, n), to = line_of(result->tensor, axis, n);
        int64_t *order = ordered(o, &from, is_descending);
        for (int64_t i = 0; i < shape[axis]; i++)
            num_store(result->tensor, to.first + i * to.stride,
                      index_dtype ? num_int(*index_dtype, order[i]) : at(&from, order[i]));
    }
    return result;
}

const struct interp_value *interp_op_sort(struct interp_op *o)
{
    return sorted(o, -1, interp_attr_bool(o, "descending"), NULL);
}

/* None: that of the data, as in TVM. */
static struct ir_dtype index_dtype(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0);

    return interp_attr_dtype(o, "dtype", x ? interp_tensor_dtype(x) : IR_I32);
}

const struct interp_value *interp_op_argsort(struct interp_op *o)
{
    struct ir_dtype dtype = index_dtype(o);
    return sorted(o, -1, interp_attr_bool(o, "descending"), &dtype);
}

const struct interp_value *interp_op_topk(struct interp_op *o)
{
    struct ir_dtype dtype = index_dtype(o);
    const char *kind = ir_op_attr(o->op, "ret_type")->string;
    int64_t keep = interp_attr_int(o, "k", 1);
    bool is_largest = interp_attr_bool(o, "largest");
    if (keep <= 0)
        keep = -1;
    if (strcmp(kind, "values") == 0)
        return sorted(o, keep, is_largest, NULL);
    if (strcmp(kind, "indices") == 0)
        return sorted(o, keep, is_largest, &dtype);
    const struct interp_value *both[] = {sorted(o, keep, is_largest, NULL),
                                         sorted(o, keep, is_largest, &dtype)};
    return both[0] && both[1] ? interp_tuple_value(o->run, both, 2) : NULL;
}

/* One line of the axes that are reduced: their elements in row-major order, copied side by side. */
static struct line gathered(struct interp_op *o, const struct inlay_tensor *x,
                            const bool *is_reduced, const int64_t *shape, unsigned ndim,
                            int64_t number)
{
    struct line l = {.stride = 1};
    int64_t elements = inlay_tensor_elements(x);
    struct interp_value *copy = interp_tensor_new(o->run, interp_tensor_dtype(x), &elements, 1);
    struct interp_index i;

    if (!copy)
        return l;
    l.x = copy->tensor;
    for (interp_index_begin(&i, x->shape, (unsigned)x->ndim); !i.is_done; interp_index_next(&i)) {
        int64_t kept[INTERP_RANK];
        unsigned count = 0;
        for (unsigned d = 0; d < (unsigned)x->ndim; d++)
            if (!is_reduced[d])
                kept[count++] = i.at[d];
        if (interp_offset(shape, ndim, kept) == number)
            num_store(copy->tensor, l.count++, num_element(x, i.position));
    }
    return l;
}

const struct interp_value *interp_op_median(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    int64_t kept[INTERP_RANK], shape[INTERP_RANK];
    bool is_reduced[INTERP_RANK];
    unsigned count, kept_count = 0, ndim = 0;
    const int64_t *axes = interp_attr_ints(o, "axis", &count);
    if (!x)
        return NULL;
    for (unsigned d = 0; d < (unsigned)x->ndim; d++)
        is_reduced[d] = axes == NULL;
    for (unsigned i = 0; i < count; i++)
        is_reduced[interp_axis(axes[i], (unsigned)x->ndim)] = true;
    for (unsigned d = 0; d < (unsigned)x->ndim; d++) {
        if (!is_reduced[d])
            kept[kept_count++] = shape[ndim++] = x->shape[d];
        else if (interp_attr_bool(o, "keepdims"))
            shape[ndim++] = 1;
    }
    struct interp_value *values = interp_tensor_new(o->run, interp_tensor_dtype(x), shape, ndim);
    struct interp_value *indices = interp_tensor_new(o->run, IR_I64, shape, ndim);
    if (!values || !indices)
        return NULL;
    for (int64_t n = 0; n < inlay_tensor_elements(values->tensor); n++) {
        struct line from = gathered(o, x, is_reduced, kept, kept_count, n);
        if (from.count == 0)
            continue; /* zeros */
        int64_t middle = ordered(o, &from, false)[(from.count - 1) / 2];
        num_store(values->tensor, n, at(&from, middle));
        num_store(indices->tensor, n, num_int(IR_I64, middle));
    }
    const struct interp_value *both[] = {values, indices};
    return count == 1 ? interp_tuple_value(o->run, both, 2) : values;
}
