/*
 * Elements at indices: gather, scatter, one_hot and others.  Negative indices count from the end; one that is
 * outside is an error.  Scatters are worked off in row-major order of the updates.
 */
#include "codegen/interp/ops/numbers.h"

#include <string.h>

/* @index, counted from the end if negative; false after the error is set. */
static bool resolve(struct interp_op *o, int64_t index, int64_t extent, int64_t *out)
{
    *out = index < 0 ? index + extent : index;
    if (*out >= 0 && *out < extent)
        return true;
    return interp_fail(o->run, INLAY_ERROR_BOUNDS, "index %lld is out of range for extent %lld",
                       (long long)index, (long long)extent);
}

static struct interp_value *like(struct interp_op *o, const struct inlay_tensor *x,
                                 const struct inlay_tensor *shape)
{
    return interp_tensor_new(o->run, interp_tensor_dtype(x), shape->shape, (unsigned)shape->ndim);
}

const struct interp_value *interp_op_gather_elements(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0), *indices = interp_operand(o, 1);
    struct interp_index i;
    if (!x || !indices)
        return NULL;
    unsigned ndim = (unsigned)x->ndim, axis = interp_axis(interp_attr_int(o, "axis", 0), ndim);
    struct interp_value *result = like(o, x, indices);
    if (!result)
        return NULL;
    for (interp_index_begin(&i, indices->shape, ndim); !i.is_done; interp_index_next(&i)) {
        int64_t at[INTERP_RANK];
        memcpy(at, i.at, sizeof(at));
        if (!resolve(o, num_index(indices, i.position), x->shape[axis], &at[axis]))
            return NULL;
        num_store(result->tensor, i.position, num_element(x, interp_offset(x->shape, ndim, at)));
    }
    return result;
}

/* Reads the index tuple number @tuple as places in the dims of @x from @first on. */
static bool read_tuple(struct interp_op *o, const struct inlay_tensor *indices, int64_t tuple,
                       const struct inlay_tensor *x, unsigned first, int64_t *out)
{
    int64_t depth = indices->shape[indices->ndim - 1];
    for (int64_t d = 0; d < depth; d++)
        if (!resolve(o, num_index(indices, tuple * depth + d), x->shape[first + d], &out[d]))
            return false;
    return true;
}

const struct interp_value *interp_op_gather_nd(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0), *indices = interp_operand(o, 1);
    unsigned batch = (unsigned)interp_attr_int(o, "batch_dims", 0), ndim = 0;
    int64_t shape[INTERP_RANK];
    struct interp_index i;
    if (!x || !indices || indices->ndim < 1)
        return NULL;
    unsigned outer = (unsigned)indices->ndim - 1;
    unsigned known = batch + (unsigned)indices->shape[outer];
    if (known > (unsigned)x->ndim)
        return num_refuse(o, "tuples longer than the rank");
    for (unsigned d = 0; d < outer; d++)
        shape[ndim++] = indices->shape[d];
    for (unsigned d = known; d < (unsigned)x->ndim; d++)
        shape[ndim++] = x->shape[d];
    struct interp_value *result = interp_tensor_new(o->run, interp_tensor_dtype(x), shape, ndim);
    if (!result)
        return NULL;
    for (interp_index_begin(&i, shape, ndim); !i.is_done; interp_index_next(&i)) {
        int64_t at[INTERP_RANK] = {0};
        memcpy(at, i.at, batch * sizeof(int64_t));
        if (!read_tuple(o, indices, interp_offset(shape, outer, i.at), x, batch, at + batch))
            return NULL;
        for (unsigned d = known; d < (unsigned)x->ndim; d++)
            at[d] = i.at[outer + d - known];
        num_store(result->tensor, i.position,
                  num_element(x, interp_offset(x->shape, (unsigned)x->ndim, at)));
    }
    return result;
}

/* result[at] = result[at] <reduction> update */
static bool put(struct interp_op *o, const struct inlay_tensor *result, int64_t at,
                struct interp_scalar update)
{
    const char *reduction = ir_op_attr(o->op, "reduction")->string;
    struct interp_scalar old = num_load(result, at);
    if (strcmp(reduction, "update") == 0) {
        num_store(result, at, update);
        return true;
    }
    update = interp_cast(update, old.dtype);
    if (strcmp(reduction, "add") == 0)
        num_store(result, at, NUM_ADD(old, update));
    else if (strcmp(reduction, "mul") == 0)
        num_store(result, at, NUM_MUL(old, update));
    else if (strcmp(reduction, "min") == 0)
        num_store(result, at, NUM_MIN(old, update));
    else if (strcmp(reduction, "max") == 0)
        num_store(result, at, NUM_MAX(old, update));
    else if (strcmp(reduction, "mean") == 0)
        num_store(result, at, NUM_DIV(NUM_ADD(old, update), num(old.dtype, 2)));
    else
        return num_refuse(o, "this reduction") != NULL;
    return true;
}

const struct interp_value *interp_op_scatter_elements(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0), *indices = interp_operand(o, 1);
    const struct inlay_tensor *updates = interp_operand(o, 2);
    struct interp_index i;
    if (!x || !indices || !updates)
        return NULL;
    unsigned ndim = (unsigned)x->ndim, axis = interp_axis(interp_attr_int(o, "axis", 0), ndim);
    struct interp_value *result = interp_tensor_copy(o->run, x);
    if (!result)
        return NULL;
    for (interp_index_begin(&i, indices->shape, ndim); !i.is_done; interp_index_next(&i)) {
        int64_t at[INTERP_RANK], from = interp_offset(updates->shape, ndim, i.at);
        memcpy(at, i.at, sizeof(at));
        if (!resolve(o, num_index(indices, i.position), x->shape[axis], &at[axis]) ||
            !put(o, result->tensor, interp_offset(x->shape, ndim, at), num_element(updates, from)))
            return NULL;
    }
    return result;
}

const struct interp_value *interp_op_scatter_nd(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0), *indices = interp_operand(o, 1);
    const struct inlay_tensor *updates = interp_operand(o, 2);
    struct interp_index i;
    if (!x || !indices || !updates || indices->ndim < 1)
        return NULL;
    unsigned outer = (unsigned)indices->ndim - 1, known = (unsigned)indices->shape[outer];
    struct interp_value *result = interp_tensor_copy(o->run, x);
    if (!result)
        return NULL;
    for (interp_index_begin(&i, updates->shape, (unsigned)updates->ndim); !i.is_done;
         interp_index_next(&i)) {
        int64_t at[INTERP_RANK] = {0};
        if (!read_tuple(o, indices, interp_offset(updates->shape, outer, i.at), x, 0, at))
            return NULL;
        for (unsigned d = known; d < (unsigned)x->ndim; d++)
            at[d] = i.at[outer + d - known];
        if (!put(o, result->tensor, interp_offset(x->shape, (unsigned)x->ndim, at),
                 num_element(updates, i.position)))
            return NULL;
    }
    return result;
}

/* Has the slice of an axis of @extent that length?  Its bounds are operands. */
static bool check_slice(struct interp_op *o, int64_t length, int64_t extent)
{
    int64_t start = interp_operand_int(o, 2, 0), end = interp_operand_int(o, 3, 0);
    int64_t step = interp_operand_int(o, 4, 1), count = 0;

    end = end < extent ? end : extent;
    step = step < 1 ? 1 : step;
    if (end > start)
        count = (end - 1 - start) / step + 1;
    return length == count ||
           interp_fail(o->run, INLAY_ERROR_SHAPE, "the slice has %lld places, and `src` has %lld",
                       (long long)count, (long long)length);
}

const struct interp_value *interp_op_slice_scatter(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0), *source = interp_operand(o, 1);
    int64_t start = interp_operand_int(o, 2, 0), step = interp_operand_int(o, 4, 1);
    struct interp_index i;
    if (!x || !source)
        return NULL;
    unsigned ndim = (unsigned)x->ndim, axis = interp_axis(interp_attr_int(o, "axis", 0), ndim);
    if (!check_slice(o, source->shape[axis], x->shape[axis]))
        return NULL;
    struct interp_value *result = interp_tensor_copy(o->run, x);
    if (!result)
        return NULL;
    for (interp_index_begin(&i, source->shape, ndim); !i.is_done; interp_index_next(&i)) {
        int64_t at[INTERP_RANK];
        memcpy(at, i.at, sizeof(at));
        at[axis] = start + i.at[axis] * step;
        if (at[axis] < 0 || at[axis] >= x->shape[axis]) {
            interp_fail(o->run, INLAY_ERROR_BOUNDS, "index %lld is out of range for extent %lld",
                        (long long)at[axis], (long long)x->shape[axis]);
            return NULL;
        }
        num_store(result->tensor, interp_offset(x->shape, ndim, at),
                  num_element(source, i.position));
    }
    return result;
}

const struct interp_value *interp_op_one_hot(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    struct interp_scalar on = interp_operand_scalar(o, 1), off = interp_operand_scalar(o, 2);
    int64_t shape[INTERP_RANK];
    struct interp_index i;
    if (!x)
        return NULL;
    unsigned ndim = (unsigned)x->ndim + 1, axis = interp_axis(interp_attr_int(o, "axis", -1), ndim);
    for (unsigned d = 0, from = 0; d < ndim; d++)
        shape[d] = d == axis ? interp_attr_int(o, "depth", 0) : x->shape[from++];
    struct interp_value *result = interp_tensor_new(o->run, on.dtype, shape, ndim);
    if (!result)
        return NULL;
    for (interp_index_begin(&i, shape, ndim); !i.is_done; interp_index_next(&i)) {
        int64_t at[INTERP_RANK];
        memcpy(at, i.at, axis * sizeof(int64_t));
        memcpy(at + axis, i.at + axis + 1, (ndim - 1 - axis) * sizeof(int64_t));
        bool is_on = num_index(x, interp_offset(x->shape, ndim - 1, at)) == i.at[axis];
        num_store(result->tensor, i.position, is_on ? on : off);
    }
    return result;
}

const struct interp_value *interp_op_reverse_sequence(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0), *lengths = interp_operand(o, 1);
    struct interp_index i;
    if (!x || !lengths)
        return NULL;
    unsigned ndim = (unsigned)x->ndim, axis = interp_axis(interp_attr_int(o, "seq_axis", 1), ndim);
    unsigned batch = interp_axis(interp_attr_int(o, "batch_axis", 0), ndim);
    struct interp_value *result = like(o, x, x);
    if (!result)
        return NULL;
    for (interp_index_begin(&i, x->shape, ndim); !i.is_done; interp_index_next(&i)) {
        int64_t at[INTERP_RANK], length = num_index(lengths, i.at[batch]);
        length = length < x->shape[axis] ? length : x->shape[axis];
        memcpy(at, i.at, sizeof(at));
        if (at[axis] < length)
            at[axis] = length - 1 - at[axis];
        num_store(result->tensor, i.position, num_element(x, interp_offset(x->shape, ndim, at)));
    }
    return result;
}

const struct interp_value *interp_op_masked_fill(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0), *mask = interp_operand(o, 1);
    const struct inlay_tensor *value = interp_operand(o, 2);
    struct interp_index i;
    struct interp_value *result = x && mask && value ? like(o, x, x) : NULL;
    if (!result)
        return NULL;
    for (interp_index_begin(&i, x->shape, (unsigned)x->ndim); !i.is_done; interp_index_next(&i)) {
        unsigned ndim = (unsigned)x->ndim;
        int64_t in_mask = interp_broadcast_offset(mask->shape, (unsigned)mask->ndim, i.at, ndim);
        int64_t in_value = interp_broadcast_offset(value->shape, (unsigned)value->ndim, i.at, ndim);
        bool is_filled = interp_cast(num_element(mask, in_mask), IR_B1).integer != 0;
        num_store(result->tensor, i.position,
                  is_filled ? num_element(value, in_value) : num_element(x, i.position));
    }
    return result;
}

const struct interp_value *interp_op_meshgrid(struct interp_op *o)
{
    const struct interp_value *list = o->operands[0];
    const struct ir_attr *indexing = ir_op_attr(o->op, "indexing");
    bool is_xy = indexing->kind == IR_ATTR_STRING && strcmp(indexing->string, "xy") == 0;
    unsigned count = list->kind == INTERP_TUPLE ? list->count : 0;
    int64_t shape[INTERP_RANK];
    unsigned axes[INTERP_RANK];
    if (count > INTERP_RANK)
        return num_refuse(o, "so many axes");
    const struct interp_value **results =
        arena_array(&o->run->arena, const struct interp_value *, count + 1);
    for (unsigned i = 0; i < count; i++) {
        axes[i] = is_xy && count > 1 && i < 2 ? 1 - i : i;
        shape[axes[i]] = inlay_tensor_elements(list->items[i]->tensor);
    }
    for (unsigned i = 0; i < count; i++) {
        const struct inlay_tensor *x = list->items[i]->tensor;
        struct interp_value *result =
            interp_tensor_new(o->run, interp_tensor_dtype(x), shape, count);
        struct interp_index at;
        if (!result)
            return NULL;
        for (interp_index_begin(&at, shape, count); !at.is_done; interp_index_next(&at))
            num_store(result->tensor, at.position, num_element(x, at.at[axes[i]]));
        results[i] = result;
    }
    return interp_tuple_value(o->run, results, count);
}

/* Slices before the axis (all: none), along it and behind it; index tuples in row-major order. */
const struct interp_value *interp_op_take_backward(struct interp_op *o)
{
    const struct inlay_tensor *gradient = interp_operand(o, 0), *x = interp_operand(o, 1);
    const struct inlay_tensor *indices = interp_operand(o, 2);
    bool is_flat = interp_attr_is_none(o, "axis");
    int64_t before = 1, inner = 1;
    if (!gradient || !x || !indices)
        return NULL;
    unsigned ndim = (unsigned)x->ndim;
    unsigned axis = is_flat ? 0 : interp_axis(interp_attr_int(o, "axis", 0), ndim);
    for (unsigned d = 0; !is_flat && d < ndim; d++)
        *(d < axis ? &before : &inner) *= d == axis ? 1 : x->shape[d];
    int64_t extent = is_flat ? inlay_tensor_elements(x) : x->shape[axis];
    int64_t picked = inlay_tensor_elements(indices);
    struct ir_dtype wide = interp_compute_dtype(interp_tensor_dtype(x));
    struct interp_value *sums = interp_tensor_new(o->run, wide, x->shape, ndim);
    struct interp_value *result = like(o, x, x);
    if (!sums || !result)
        return NULL;
    for (int64_t i = 0; i < before * picked * inner; i++) {
        int64_t index = num_index(indices, i / inner % picked);
        if (index < 0 || index >= extent) {
            interp_fail(o->run, INLAY_ERROR_BOUNDS, "index %lld is out of range for extent %lld",
                        (long long)index, (long long)extent);
            return NULL;
        }
        int64_t to = (i / inner / picked * extent + index) * inner + i % inner;
        num_store(sums->tensor, to, NUM_ADD(num_load(sums->tensor, to), num_load(gradient, i)));
    }
    for (int64_t i = 0; i < inlay_tensor_elements(x); i++)
        num_store(result->tensor, i, num_load(sums->tensor, i));
    return result;
}
