/* Operators that put tensors together or take them apart: concat, stack, split, slices, take. */
#include "codegen/interp/ops/numbers.h"

#include <string.h>

/* Copies all of @x into @result, shifted by @begin along @axis. */
static void place(const struct inlay_tensor *result, const struct inlay_tensor *x, unsigned axis,
                  int64_t begin)
{
    unsigned bytes = (unsigned)inlay_dtype_bytes(x->dtype), ndim = (unsigned)x->ndim;
    struct interp_index i;
    for (interp_index_begin(&i, x->shape, ndim); !i.is_done; interp_index_next(&i)) {
        int64_t at[INTERP_RANK];
        memcpy(at, i.at, sizeof(at));
        at[axis] += begin;
        interp_copy_element(result->data, interp_offset(result->shape, ndim, at), interp_data(x),
                            i.position, bytes);
    }
}

static const struct inlay_tensor *field(const struct interp_op *o, unsigned i)
{
    const struct interp_value *tuple = o->operands[0];
    return tuple->items[i]->kind == INTERP_TENSOR ? tuple->items[i]->tensor : NULL;
}

/* @x with another shape, sharing its elements. */
static const struct inlay_tensor *viewed(const struct interp_op *o, const struct inlay_tensor *x,
                                         const int64_t *shape, unsigned ndim)
{
    struct inlay_tensor *view = arena_new(&o->run->arena, struct inlay_tensor);
    *view = *x;
    view->ndim = (int32_t)ndim;
    view->shape = arena_array(&o->run->arena, int64_t, ndim + 1);
    if (ndim)
        memcpy(view->shape, shape, ndim * sizeof(int64_t));
    return view;
}

static const struct interp_value *join(struct interp_op *o, const struct inlay_tensor **parts,
                                       unsigned count, unsigned axis)
{
    unsigned ndim = (unsigned)parts[0]->ndim;
    int64_t shape[INTERP_RANK], begin = 0;
    memcpy(shape, parts[0]->shape, ndim * sizeof(int64_t));
    shape[axis] = 0;
    for (unsigned i = 0; i < count; i++) {
        bool fits = (unsigned)parts[i]->ndim == ndim;
        for (unsigned k = 0; fits && k < ndim; k++)
            fits = k == axis || parts[i]->shape[k] == shape[k];
        if (!fits || memcmp(&parts[i]->dtype, &parts[0]->dtype, sizeof(parts[0]->dtype)) != 0) {
            interp_fail(o->run, INLAY_ERROR_SHAPE, "tensor %lld does not fit the first one",
                        (long long)i);
            return NULL;
        }
        if (__builtin_add_overflow(shape[axis], parts[i]->shape[axis], &shape[axis]))
            return NULL;
    }
    struct interp_value *result =
        interp_tensor_new(o->run, interp_tensor_dtype(parts[0]), shape, ndim);
    for (unsigned i = 0; result && i < count; i++) {
        place(result->tensor, parts[i], axis, begin);
        begin += parts[i]->shape[axis];
    }
    return result;
}

const struct interp_value *interp_op_concat(struct interp_op *o)
{
    unsigned count = o->operands[0]->count;
    const struct inlay_tensor **parts =
        arena_array(&o->run->arena, const struct inlay_tensor *, count + 1);
    bool is_flat = interp_attr_is_none(o, "axis");
    for (unsigned i = 0; i < count; i++) {
        parts[i] = field(o, i);
        if (!parts[i])
            return NULL;
        int64_t elements = inlay_tensor_elements(parts[i]);
        if (is_flat)
            parts[i] = viewed(o, parts[i], &elements, 1);
    }
    if (count == 0 || parts[0]->ndim == 0)
        return NULL;
    return join(o, parts, count,
                interp_axis(interp_attr_int(o, "axis", 0), (unsigned)parts[0]->ndim));
}

const struct interp_value *interp_op_stack(struct interp_op *o)
{
    unsigned count = o->operands[0]->count;
    const struct inlay_tensor **parts =
        arena_array(&o->run->arena, const struct inlay_tensor *, count + 1);
    unsigned axis = 0;
    for (unsigned i = 0; i < count; i++) {
        const struct inlay_tensor *x = field(o, i);
        int64_t shape[INTERP_RANK + 1];
        if (!x || x->ndim >= INTERP_RANK)
            return NULL;
        unsigned ndim = (unsigned)x->ndim + 1;
        axis = interp_axis(interp_attr_int(o, "axis", 0), ndim);
        for (unsigned k = 0, from = 0; k < ndim; k++)
            shape[k] = k == axis ? 1 : x->shape[from++];
        parts[i] = viewed(o, x, shape, ndim);
    }
    return count ? join(o, parts, count, axis) : NULL;
}

/* One axis of a slice: elements begin + i * stride. */
struct bounds {
    int64_t begin, count, stride;
};

static const struct interp_value *slice(struct interp_op *o, const struct inlay_tensor *x,
                                        const struct bounds *bounds)
{
    unsigned bytes = (unsigned)inlay_dtype_bytes(x->dtype), ndim = (unsigned)x->ndim;
    int64_t shape[INTERP_RANK];
    for (unsigned i = 0; i < ndim; i++)
        shape[i] = bounds[i].count;
    struct interp_value *result = interp_tensor_new(o->run, interp_tensor_dtype(x), shape, ndim);
    struct interp_index i;
    if (!result)
        return NULL;
    for (interp_index_begin(&i, shape, ndim); !i.is_done; interp_index_next(&i)) {
        int64_t at[INTERP_RANK];
        for (unsigned k = 0; k < ndim; k++)
            at[k] = bounds[k].begin + i.at[k] * bounds[k].stride;
        interp_copy_element(result->tensor->data, i.position, interp_data(x),
                            interp_offset(x->shape, ndim, at), bytes);
    }
    return result;
}

static void whole(const struct inlay_tensor *x, struct bounds *out)
{
    for (int32_t i = 0; i < x->ndim; i++)
        out[i] = (struct bounds){.count = x->shape[i], .stride = 1};
}

const struct interp_value *interp_op_split(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    const struct ir_attr *sections = ir_op_attr(o->op, "indices_or_sections");
    struct bounds bounds[INTERP_RANK] = {0};
    if (!x || x->ndim == 0)
        return NULL;
    unsigned axis = interp_axis(interp_attr_int(o, "axis", 0), (unsigned)x->ndim), count;
    int64_t extent = x->shape[axis], begin = 0;
    const int64_t *ints = interp_attr_ints(o, "indices_or_sections", &count);
    bool is_list = sections->kind == IR_ATTR_LIST;
    unsigned parts = is_list ? count + 1 : (unsigned)ints[0];
    int64_t size = is_list || parts == 0 ? 0 : (extent + parts - 1) / parts;
    const struct interp_value **items =
        arena_array(&o->run->arena, const struct interp_value *, parts + 1);
    whole(x, bounds);
    for (unsigned i = 0; i < parts; i++) {
        int64_t end = extent;
        if (is_list && i < count)
            end = ints[i] < 0 ? 0 : ints[i] > extent ? extent : ints[i];
        else if (!is_list)
            end = begin + size > extent ? extent : begin + size;
        /* Indices that go back leave an empty part, and the next one starts there. */
        int64_t length = end > begin ? end - begin : 0;
        bounds[axis] = (struct bounds){.begin = begin, .count = length, .stride = 1};
        items[i] = slice(o, x, bounds);
        if (!items[i])
            return NULL;
        begin = end;
    }
    bool is_whole = o->op->result.type->kind == IR_TYPE_TENSOR; /* one part is no tuple */
    return is_whole ? items[0] : interp_tuple_value(o->run, items, parts);
}

/* The integers of a tuple of scalars, or of a shape. */
static bool get_ints(const struct interp_value *value, unsigned count, int64_t *out)
{
    if (value->count != count)
        return false;
    for (unsigned i = 0; i < count; i++) {
        if (value->kind == INTERP_SHAPE)
            out[i] = value->dims[i];
        else if (value->kind == INTERP_TUPLE && value->items[i]->kind == INTERP_SCALAR)
            out[i] = interp_cast(value->items[i]->scalar, IR_I64).integer;
        else
            return false;
    }
    return true;
}

/* Python's slice: negative bounds count from the end, then all are limited. */
static struct bounds limit(int64_t begin, int64_t end, int64_t stride, int64_t extent)
{
    int64_t low = stride > 0 ? 0 : -1, high = stride > 0 ? extent : extent - 1;
    begin += begin < 0 ? extent : 0;
    end += end < 0 ? extent : 0;
    begin = begin < low ? low : begin > high ? high : begin;
    end = end < low ? low : end > high ? high : end;
    uint64_t size = stride > 0 ? (uint64_t)stride : 0 - (uint64_t)stride;
    int64_t distance = stride > 0 ? end - begin : begin - end;
    int64_t count = distance <= 0 ? 0 : (int64_t)(((uint64_t)distance - 1) / size + 1);
    return (struct bounds){.begin = begin, .count = count, .stride = stride};
}

const struct interp_value *interp_op_strided_slice(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    unsigned count = o->operands[1]->count;
    int64_t axes[INTERP_RANK], begin[INTERP_RANK], end[INTERP_RANK], strides[INTERP_RANK];
    struct bounds bounds[INTERP_RANK] = {0};
    if (!x || count > INTERP_RANK)
        return NULL;
    bool has_strides = o->operands[4]->kind != INTERP_NULL;
    for (unsigned i = 0; i < count; i++)
        strides[i] = 1;
    if (!get_ints(o->operands[1], count, axes) || !get_ints(o->operands[2], count, begin) ||
        !get_ints(o->operands[3], count, end) ||
        (has_strides && !get_ints(o->operands[4], count, strides))) {
        interp_unsupported(o->run, o->op->loc, "these bounds of `R.strided_slice`");
        return NULL;
    }
    whole(x, bounds);
    for (unsigned i = 0; i < count; i++) {
        unsigned axis = interp_axis(axes[i], (unsigned)x->ndim);
        if (strides[i] == 0) {
            interp_fail(o->run, INLAY_ERROR_SHAPE, "a stride is 0");
            return NULL;
        }
        bounds[axis] = limit(begin[i], end[i], strides[i], x->shape[axis]);
    }
    return slice(o, x, bounds);
}

/* Index @index by the rule of @mode; false after the error is set. */
static bool take_index(const struct interp_op *o, const char *mode, int64_t extent, unsigned axis,
                       int64_t *index)
{
    if (strcmp(mode, "clip") == 0 && extent > 0) {
        *index = *index < 0 ? 0 : *index >= extent ? extent - 1 : *index;
    } else if (strcmp(mode, "wrap") == 0 && extent > 0) {
        *index %= extent;
        *index += *index < 0 ? extent : 0;
    } else if (strcmp(mode, "fast") == 0 && *index < 0) {
        *index += extent;
    }
    if (*index >= 0 && *index < extent)
        return true;
    return interp_fail(o->run, INLAY_ERROR_BOUNDS,
                       "index %lld is out of range for axis %lld of the operand of take (extent "
                       "%lld)",
                       (long long)*index, (long long)axis, (long long)extent);
}

const struct interp_value *interp_op_take(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0), *indices = interp_operand(o, 1);
    const char *mode = ir_op_attr(o->op, "mode")->string;
    int64_t shape[2 * INTERP_RANK];
    unsigned axis = 0, ndim = 0;
    if (!x || !indices)
        return NULL;
    if (strcmp(mode, "nan") == 0 && !interp_check_domain(o, OP_REAL, interp_tensor_dtype(x)))
        return NULL;
    int64_t elements = inlay_tensor_elements(x);
    if (interp_attr_is_none(o, "axis"))
        x = viewed(o, x, &elements, 1);
    else
        axis = interp_axis(interp_attr_int(o, "axis", 0), (unsigned)x->ndim);
    for (unsigned i = 0; i < (unsigned)x->ndim; i++) {
        if (i != axis)
            shape[ndim++] = x->shape[i];
        for (int32_t k = 0; i == axis && k < indices->ndim; k++)
            shape[ndim++] = indices->shape[k];
    }
    struct interp_value *result = interp_tensor_new(o->run, interp_tensor_dtype(x), shape, ndim);
    unsigned bytes = (unsigned)inlay_dtype_bytes(x->dtype), inner = (unsigned)indices->ndim;
    struct interp_index i;
    if (!result)
        return NULL;
    for (interp_index_begin(&i, shape, ndim); !i.is_done; interp_index_next(&i)) {
        int64_t at[INTERP_RANK];
        int64_t place_of_index = interp_offset(indices->shape, inner, i.at + axis);
        for (unsigned k = 0; k < (unsigned)x->ndim; k++)
            at[k] = k < axis ? i.at[k] : k == axis ? 0 : i.at[k - 1 + inner];
        at[axis] = interp_cast(interp_load_element(interp_tensor_dtype(indices),
                                                   interp_data(indices), place_of_index),
                               IR_I64)
                       .integer;
        if (strcmp(mode, "nan") == 0 && (at[axis] < 0 || at[axis] >= x->shape[axis])) {
            num_store(result->tensor, i.position, num(IR_F32, (double)__builtin_nanf("")));
            continue;
        }
        if (!take_index(o, mode, x->shape[axis], axis, &at[axis]))
            return NULL;
        interp_copy_element(result->tensor->data, i.position, interp_data(x),
                            interp_offset(x->shape, (unsigned)x->ndim, at), bytes);
    }
    return result;
}
