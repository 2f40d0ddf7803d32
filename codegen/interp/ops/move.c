/*
 * Operators that move elements: each result element is one operand element, found by its index.
 *
 * All but the views are one loop over the result with another map from its index to the operand's.
 */
#include "codegen/interp/internal.h"

#include <string.h>

/* From the index of the result (in @at) to that of the operand, in @out. */
typedef void index_map_fn(const void *state, const int64_t *at, int64_t *out);

static const struct interp_value *gather(struct interp_op *o, const struct inlay_tensor *x,
                                         const int64_t *shape, unsigned ndim, index_map_fn *map,
                                         const void *state)
{
    struct interp_value *result = interp_tensor_new(o->run, interp_tensor_dtype(x), shape, ndim);
    unsigned bytes = (unsigned)inlay_dtype_bytes(x->dtype);
    struct interp_index i;
    if (!result)
        return NULL;
    for (interp_index_begin(&i, shape, ndim); !i.is_done; interp_index_next(&i)) {
        int64_t source[INTERP_RANK] = {0};
        map(state, i.at, source);
        interp_copy_element(result->tensor->data, i.position, interp_data(x),
                            interp_offset(x->shape, (unsigned)x->ndim, source), bytes);
    }
    return result;
}

/* The elements of @x in order, as another shape: a view, which sees what effects write later. */
static const struct interp_value *reshaped(struct interp_op *o, const int64_t *shape, unsigned ndim)
{
    const struct interp_value *whole = interp_operand_value(o, 0);
    const struct inlay_tensor *x = whole->tensor;
    struct inlay_tensor view = *x;
    view.shape = arena_array(&o->run->arena, int64_t, ndim + 1);
    view.ndim = (int32_t)ndim;
    if (ndim)
        memcpy(view.shape, shape, ndim * sizeof(int64_t));
    if (inlay_tensor_elements(&view) != inlay_tensor_elements(x)) {
        interp_fail(o->run, INLAY_ERROR_SHAPE,
                    "a tensor of %lld elements cannot be seen as one of %lld",
                    (long long)inlay_tensor_elements(x), (long long)inlay_tensor_elements(&view));
        return NULL;
    }
    return interp_tensor_view(o->run, whole, 0, interp_tensor_dtype(x), shape, ndim);
}

const struct interp_value *interp_op_reshape(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    const struct interp_value *wanted = o->operands[1];
    if (!x || wanted->count > INTERP_RANK)
        return NULL;
    /* In the text -1 is what is left and 0 keeps; in a shape that is a value both are sizes. */
    const struct ir_op *def = o->op->operands[1].value->def;
    bool is_literal = def && ir_op_is(def, IR_CORE_shape);
    int64_t shape[INTERP_RANK], known = 1;
    int open = -1;
    for (unsigned i = 0; i < wanted->count; i++) {
        const struct ir_attr *dim = is_literal ? ir_op_attr(def, "dims")->items[i] : NULL;
        bool is_zero =
            dim && (dim->kind == IR_ATTR_INT ? dim->integer == 0 : ir_expr_is_int(dim->expr, 0));
        shape[i] = wanted->dims[i];
        if (is_zero && inlay_tensor_elements(x) != 0 && i < (unsigned)x->ndim)
            shape[i] = x->shape[i];
        if (shape[i] == -1)
            open = (int)i;
        else
            known *= shape[i];
    }
    if (open >= 0)
        shape[open] = known ? inlay_tensor_elements(x) / known : 0;
    return reshaped(o, shape, wanted->count);
}

const struct interp_value *interp_op_itself(struct interp_op *o)
{
    return interp_operand_value(o, 0);
}

const struct interp_value *interp_op_flatten(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    int64_t count = x ? inlay_tensor_elements(x) : 0;
    return x ? reshaped(o, &count, 1) : NULL;
}

const struct interp_value *interp_op_batch_flatten(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    if (!x || x->ndim < 1)
        return NULL;
    int64_t shape[] = {x->shape[0], 1};
    for (int32_t i = 1; i < x->ndim; i++)
        shape[1] *= x->shape[i];
    return reshaped(o, shape, 2);
}

const struct interp_value *interp_op_expand_dims(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    unsigned count, from = 0;
    const int64_t *axes = interp_attr_ints(o, "axis", &count);
    if (!x || (unsigned)x->ndim + count > INTERP_RANK)
        return NULL;
    unsigned ndim = (unsigned)x->ndim + count;
    bool is_new[INTERP_RANK] = {false};
    int64_t shape[INTERP_RANK];
    for (unsigned i = 0; i < count; i++)
        is_new[interp_axis(axes[i], ndim)] = true;
    for (unsigned i = 0; i < ndim; i++)
        shape[i] = is_new[i] ? 1 : x->shape[from++];
    return reshaped(o, shape, ndim);
}

const struct interp_value *interp_op_squeeze(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    unsigned count, ndim = 0;
    const int64_t *axes = interp_attr_ints(o, "axis", &count);
    bool is_gone[INTERP_RANK] = {false};
    int64_t shape[INTERP_RANK];
    if (!x)
        return NULL;
    for (unsigned i = 0; i < count; i++)
        is_gone[interp_axis(axes[i], (unsigned)x->ndim)] = true;
    const struct ir_expr *const *dims = o->op->operands[0].value->type->dims;
    for (unsigned i = 0; !axes && i < (unsigned)x->ndim;
         i++) /* a symbol that is 1 in this run stays */
        is_gone[i] = dims && ir_expr_is_int(dims[i], 1);
    for (unsigned i = 0; i < (unsigned)x->ndim; i++)
        if (x->shape[i] != 1 || !is_gone[i]) /* another extent stays */
            shape[ndim++] = x->shape[i];
    return reshaped(o, shape, ndim);
}

struct operand_shape {
    const struct inlay_tensor *x;
    unsigned ndim; /* of the result */
    const int64_t *axes;
    unsigned axis;
    int64_t number;
};

static void map_broadcast(const void *state, const int64_t *at, int64_t *out)
{
    const struct operand_shape *s = state;
    unsigned ndim = (unsigned)s->x->ndim;
    for (unsigned i = 0; i < ndim; i++)
        out[i] = s->x->shape[i] == 1 ? 0 : at[s->ndim - ndim + i];
}

const struct interp_value *interp_op_broadcast_to(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    const struct interp_value *wanted = o->operands[1];
    int64_t shape[INTERP_RANK];
    unsigned ndim = x ? (unsigned)x->ndim : 0;
    if (!x || wanted->count > INTERP_RANK)
        return NULL;
    memcpy(shape, x->shape, ndim * sizeof(int64_t));
    if (!interp_broadcast(o->run, shape, &ndim, wanted->dims, wanted->count))
        return NULL;
    if (ndim != wanted->count ||
        (ndim && memcmp(shape, wanted->dims, ndim * sizeof(int64_t)) != 0)) {
        interp_fail(o->run, INLAY_ERROR_SHAPE, "the operand cannot be broadcast to this shape");
        return NULL;
    }
    struct operand_shape state = {.x = x, .ndim = ndim};
    return gather(o, x, shape, ndim, map_broadcast, &state);
}

static void map_permute(const void *state, const int64_t *at, int64_t *out)
{
    const struct operand_shape *s = state;
    for (unsigned i = 0; i < s->ndim; i++)
        out[s->axes ? interp_axis(s->axes[i], s->ndim) : s->ndim - 1 - i] = at[i];
}

const struct interp_value *interp_op_permute_dims(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    struct operand_shape state = {.x = x};
    int64_t shape[INTERP_RANK];
    unsigned count;
    if (!x)
        return NULL;
    state.ndim = (unsigned)x->ndim;
    state.axes = interp_attr_ints(o, "axes", &count);
    for (unsigned i = 0; i < state.ndim; i++)
        shape[i] =
            x->shape[state.axes ? interp_axis(state.axes[i], state.ndim) : state.ndim - 1 - i];
    return gather(o, x, shape, state.ndim, map_permute, &state);
}

static void map_repeat(const void *state, const int64_t *at, int64_t *out)
{
    const struct operand_shape *s = state;
    memcpy(out, at, s->ndim * sizeof(int64_t));
    out[s->axis] = at[s->axis] / s->number;
}

const struct interp_value *interp_op_repeat(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    struct operand_shape state = {.x = x, .number = interp_attr_int(o, "repeats", 1)};
    if (!x)
        return NULL;
    if (interp_attr_is_none(o, "axis")) {
        const struct interp_value *flat = interp_op_flatten(o);
        if (!flat)
            return NULL;
        state.x = x = flat->tensor;
    } else {
        state.axis = interp_axis(interp_attr_int(o, "axis", 0), (unsigned)x->ndim);
    }
    state.ndim = (unsigned)x->ndim;
    int64_t shape[INTERP_RANK];
    memcpy(shape, x->shape, state.ndim * sizeof(int64_t));
    if (__builtin_mul_overflow(shape[state.axis], state.number, &shape[state.axis]))
        shape[state.axis] = INT64_MAX; /* refused as too large */
    return gather(o, x, shape, state.ndim, map_repeat, &state);
}

static void map_tile(const void *state, const int64_t *at, int64_t *out)
{
    const struct operand_shape *s = state;
    unsigned ndim = (unsigned)s->x->ndim;
    for (unsigned i = 0; i < ndim; i++)
        out[i] = at[s->ndim - ndim + i] % s->x->shape[i];
}

const struct interp_value *interp_op_tile(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    unsigned count;
    const int64_t *repeats = interp_attr_ints(o, "repeats", &count);
    if (!x || count > INTERP_RANK)
        return NULL;
    unsigned ndim = (unsigned)x->ndim > count ? (unsigned)x->ndim : count;
    int64_t shape[INTERP_RANK];
    for (unsigned i = 0; i < ndim; i++) {
        int64_t extent = i + (unsigned)x->ndim >= ndim ? x->shape[i + (unsigned)x->ndim - ndim] : 1;
        int64_t times = i + count >= ndim ? repeats[i + count - ndim] : 1;
        if (__builtin_mul_overflow(extent, times, &shape[i]))
            shape[i] = INT64_MAX; /* refused as too large */
    }
    struct operand_shape state = {.x = x, .ndim = ndim};
    return gather(o, x, shape, ndim, map_tile, &state);
}

static void map_flip(const void *state, const int64_t *at, int64_t *out)
{
    const struct operand_shape *s = state;
    memcpy(out, at, s->ndim * sizeof(int64_t));
    out[s->axis] = s->x->shape[s->axis] - 1 - at[s->axis];
}

const struct interp_value *interp_op_flip(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    if (!x || x->ndim == 0)
        return NULL;
    struct operand_shape state = {.x = x, .ndim = (unsigned)x->ndim};
    state.axis = interp_axis(interp_attr_int(o, "axis", 0), state.ndim);
    return gather(o, x, x->shape, state.ndim, map_flip, &state);
}
