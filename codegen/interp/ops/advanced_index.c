/* index_tensor and index_put: for each place of what is indexed, its element of the data. */
#include "codegen/interp/ops/numbers.h"

#include <string.h>

struct indexed {
    struct interp_op *o;
    const struct inlay_tensor *data, **indices;
    unsigned count;
    int64_t shape[INTERP_RANK]; /* of what is indexed: the broadcast of the indices first */
    unsigned ndim, outer;
};

/* The tensors of operand 1; false after the error is set. */
static bool read_indices(struct indexed *x)
{
    const struct interp_value *list = x->o->operands[1];
    bool is_tuple = list->kind == INTERP_TUPLE;

    x->count = is_tuple ? list->count : 1;
    x->indices = arena_array(&x->o->run->arena, const struct inlay_tensor *, x->count + 1);
    for (unsigned i = 0; i < x->count; i++) {
        const struct interp_value *item = is_tuple ? list->items[i] : list;
        if (item->kind != INTERP_TENSOR)
            return interp_fail(x->o->run, INLAY_ERROR_SHAPE, "index %lld is no tensor",
                               (long long)i);
        x->indices[i] = item->tensor;
        if (!interp_broadcast(x->o->run, x->shape, &x->outer, item->tensor->shape,
                              (unsigned)item->tensor->ndim))
            return false;
    }
    return true;
}

static bool begin(struct indexed *x, struct interp_op *o)
{
    *x = (struct indexed){.o = o, .data = interp_operand(o, 0)};
    if (!x->data || !read_indices(x))
        return false;
    if (x->count > (unsigned)x->data->ndim)
        return interp_fail(o->run, INLAY_ERROR_SHAPE, "%lld index tensors for %lld axes",
                           (long long)x->count, (long long)x->data->ndim);
    x->ndim = x->outer;
    for (unsigned d = x->count; d < (unsigned)x->data->ndim; d++)
        x->shape[x->ndim++] = x->data->shape[d];
    return true;
}

/* The element of the data at place @at of what is indexed; -1 after the error is set. */
static int64_t element_at(const struct indexed *x, const int64_t *at)
{
    int64_t offset = 0;

    for (unsigned d = 0; d < (unsigned)x->data->ndim; d++) {
        int64_t extent = x->data->shape[d], place;
        if (d < x->count) {
            const struct inlay_tensor *index = x->indices[d];
            place = num_index(
                index, interp_broadcast_offset(index->shape, (unsigned)index->ndim, at, x->outer));
        } else {
            place = at[x->outer + d - x->count];
        }
        if (place < -extent || place >= extent) {
            interp_fail(x->o->run, INLAY_ERROR_BOUNDS, "index %lld is out of range for extent %lld",
                        (long long)place, (long long)extent);
            return -1;
        }
        offset = offset * extent + (place < 0 ? place + extent : place);
    }
    return offset;
}

const struct interp_value *interp_op_index_tensor(struct interp_op *o)
{
    struct indexed x;
    struct interp_index i;

    if (!begin(&x, o))
        return NULL;
    struct interp_value *result =
        interp_tensor_new(o->run, interp_tensor_dtype(x.data), x.shape, x.ndim);
    if (!result)
        return NULL;
    for (interp_index_begin(&i, x.shape, x.ndim); !i.is_done; interp_index_next(&i)) {
        int64_t from = element_at(&x, i.at);
        if (from < 0)
            return NULL;
        num_store(result->tensor, i.position, num_element(x.data, from));
    }
    return result;
}

/* False after the error is set. */
static bool check_values(const struct indexed *x, const struct inlay_tensor *values)
{
    int64_t shape[INTERP_RANK];
    unsigned ndim = x->ndim;

    memcpy(shape, x->shape, sizeof(shape));
    if (!interp_broadcast(x->o->run, shape, &ndim, values->shape, (unsigned)values->ndim))
        return false;
    if (ndim != x->ndim || memcmp(shape, x->shape, ndim * sizeof(int64_t)) != 0)
        return interp_fail(x->o->run, INLAY_ERROR_SHAPE, "`values` cannot be broadcast");
    return true;
}

const struct interp_value *interp_op_index_put(struct interp_op *o)
{
    const struct inlay_tensor *values = interp_operand(o, 2);
    bool is_added = interp_attr_bool(o, "accumulate");
    struct indexed x;
    struct interp_index i;

    if (!values || !begin(&x, o) || !check_values(&x, values))
        return NULL;
    struct ir_dtype dtype = interp_tensor_dtype(x.data);
    struct ir_dtype wide = is_added ? interp_compute_dtype(dtype) : dtype;
    struct interp_value *sums =
        interp_tensor_new(o->run, wide, x.data->shape, (unsigned)x.data->ndim);
    struct interp_value *result = interp_tensor_copy(o->run, x.data);
    if (!sums || !result)
        return NULL;
    for (int64_t n = 0; n < inlay_tensor_elements(x.data); n++)
        num_store(sums->tensor, n, num_element(x.data, n));
    for (interp_index_begin(&i, x.shape, x.ndim); !i.is_done; interp_index_next(&i)) {
        int64_t to = element_at(&x, i.at);
        if (to < 0)
            return NULL;
        struct interp_scalar value = interp_cast(
            num_element(values, interp_broadcast_offset(values->shape, (unsigned)values->ndim, i.at,
                                                        x.ndim)),
            wide);
        num_store(sums->tensor, to,
                  is_added ? NUM_ADD(num_element(sums->tensor, to), value) : value);
    }
    for (int64_t n = 0; n < inlay_tensor_elements(x.data); n++)
        num_store(result->tensor, n, num_element(sums->tensor, n));
    return result;
}
