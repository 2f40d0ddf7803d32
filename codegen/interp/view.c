/* Views: how the buffers of a kernel get their storage, extents and strides. */
#include "codegen/interp/kernel.h"

#include <string.h>

static struct interp_view *view_new(struct interp_kernel *kernel, const struct ir_buffer *buffer)
{
    struct interp_view *view = map_get(&kernel->views, buffer);
    if (!view) {
        view = arena_new(&kernel->arena, struct interp_view);
        view->buffer = buffer;
        view->ndim = buffer->ndim;
        view->shape = arena_array(&kernel->arena, int64_t, buffer->ndim + 1);
        view->strides = arena_array(&kernel->arena, int64_t, buffer->ndim + 1);
        map_set(&kernel->views, buffer, view);
    }
    return view;
}

/* Gives @e, if it is a variable without a value, the value @value. */
static void bind_bare(struct interp_kernel *kernel, const struct ir_expr *e, int64_t value)
{
    if (!e || e->kind != IR_EXPR_var || interp_kernel_var(kernel, e->var))
        return;
    struct interp_scalar *slot = interp_kernel_bind(kernel, e->var);
    slot->integer = interp_wrap(slot->dtype, value);
}

/* Gives the variable that @e is a new value: matches in loops come again with other offsets. */
static void rebind(struct interp_kernel *kernel, const struct ir_expr *e, int64_t value)
{
    if (!e || e->kind != IR_EXPR_var)
        return;
    struct interp_scalar *slot = interp_kernel_bind(kernel, e->var);
    slot->integer = interp_wrap(slot->dtype, value);
}

static bool eval(struct interp_kernel *kernel, const struct ir_expr *e, int64_t *out)
{
    struct interp_env env = {.run = kernel->run, .kernel = kernel};
    return interp_eval_integer(&env, e, out);
}

static bool set_shape(struct interp_kernel *kernel, struct interp_view *view)
{
    for (unsigned i = 0; i < view->ndim; i++) {
        if (!eval(kernel, view->buffer->shape[i], &view->shape[i]))
            return false;
        if (view->shape[i] < 0)
            return interp_fail(kernel->run, INLAY_ERROR_SHAPE,
                               "axis %lld of `%s` would have the extent %lld", (long long)i,
                               view->buffer->name, (long long)view->shape[i]);
    }
    return true;
}

/* Strides and offset: as the buffer says, else compact over @shape and 0. */
static bool set_layout(struct interp_kernel *kernel, struct interp_view *view)
{
    const struct ir_buffer *buffer = view->buffer;
    int64_t stride = 1;
    for (unsigned i = view->ndim; i-- > 0;) {
        view->strides[i] = stride;
        if (buffer->strides) {
            bind_bare(kernel, buffer->strides[i], stride);
            if (!eval(kernel, buffer->strides[i], &view->strides[i]))
                return false;
        }
        if (__builtin_mul_overflow(stride, view->shape[i] ? view->shape[i] : 1, &stride))
            return interp_fail(kernel->run, INLAY_ERROR_MEMORY, "`%s` is larger than any memory",
                               buffer->name);
    }
    view->offset = 0;
    if (buffer->elem_offset) {
        bind_bare(kernel, buffer->elem_offset, 0);
        return eval(kernel, buffer->elem_offset, &view->offset);
    }
    return true;
}

/* Parameter @buffer is @tensor: the bare symbols of its shape get their values. */
static bool bind_tensor(struct interp_kernel *kernel, const struct ir_buffer *buffer,
                        const struct interp_value *arg)
{
    if (arg->kind != INTERP_TENSOR)
        return interp_unsupported(kernel->run, kernel->func->loc,
                                  "a value that is no tensor as buffer `%s`", buffer->name);
    const struct inlay_tensor *tensor = arg->tensor;
    struct ir_dtype dtype = interp_tensor_dtype(tensor);
    if (!ir_dtype_equal(dtype, buffer->dtype) || tensor->ndim != (int32_t)buffer->ndim) {
        char wanted[32], found[32];
        return interp_fail(
            kernel->run, INLAY_ERROR_SHAPE,
            "buffer `%s` of kernel `%s` is %s of rank %lld, but gets %s of rank %lld", buffer->name,
            kernel->func->name, ir_dtype_name(buffer->dtype, wanted), (long long)buffer->ndim,
            ir_dtype_name(dtype, found), (long long)tensor->ndim);
    }
    struct interp_view *view = view_new(kernel, buffer);
    view->data = interp_data(tensor);
    view->storage = inlay_tensor_elements(tensor);
    for (unsigned i = 0; i < buffer->ndim; i++)
        bind_bare(kernel, buffer->shape[i], tensor->shape[i]);
    return true;
}

static bool check_tensor(struct interp_kernel *kernel, const struct ir_buffer *buffer,
                         const struct inlay_tensor *tensor)
{
    struct interp_view *view = map_get(&kernel->views, buffer);
    if (!set_shape(kernel, view))
        return false;
    for (unsigned i = 0; i < view->ndim; i++)
        if (view->shape[i] != tensor->shape[i])
            return interp_fail(kernel->run, INLAY_ERROR_SHAPE,
                               "dimension %lld of `%s` of `%s` is %lld, but the kernel wants %lld",
                               (long long)i, buffer->name, kernel->func->name,
                               (long long)tensor->shape[i], (long long)view->shape[i]);
    return set_layout(kernel, view);
}

static bool bind_scalar(struct interp_kernel *kernel, const struct ir_var *var,
                        struct interp_scalar value)
{
    struct interp_scalar converted = interp_cast(value, var->dtype);
    bool is_whole = ir_dtype_is_int(var->dtype) && ir_dtype_is_int(value.dtype);
    if (is_whole && var->is_symbol && interp_cast(value, IR_I64).integer < 0)
        return interp_fail(kernel->run, INLAY_ERROR_SHAPE,
                           "`%s` is %lld, but what stands in a shape is not negative", var->name,
                           (long long)value.integer);
    if (is_whole && converted.integer != value.integer)
        return interp_fail(kernel->run, INLAY_ERROR_SHAPE,
                           "`%s` is %lld, which does not fit its dtype", var->name,
                           (long long)value.integer);
    *interp_kernel_bind(kernel, var) = converted;
    return true;
}

bool interp_kernel_enter(struct interp_kernel *kernel, const struct interp_value *const *args,
                         unsigned count)
{
    const struct tir_func *func = kernel->func;
    if (count != func->param_count)
        return interp_fail(kernel->run, INLAY_ERROR_SHAPE,
                           "kernel `%s` takes %lld arguments, but gets %lld", func->name,
                           (long long)func->param_count, (long long)count);
    /* tensors go to buffers and scalars to scalars, each in their order */
    unsigned tensor = 0, scalar = 0;
    const struct interp_value **given =
        arena_array(&kernel->run->arena, const struct interp_value *, count + 1);
    for (unsigned i = 0; i < count; i++) {
        const struct tir_param *param = &func->params[i];
        unsigned *next = param->buffer ? &tensor : &scalar;
        while (*next < count && (args[*next]->kind == INTERP_SCALAR) != (param->buffer == NULL))
            ++*next;
        if (*next == count)
            return interp_unsupported(kernel->run, func->loc, "too few %s for kernel `%s`",
                                      param->buffer ? "tensors" : "scalars", func->name);
        given[i] = args[(*next)++];
        if (param->buffer ? !bind_tensor(kernel, param->buffer, given[i])
                          : !bind_scalar(kernel, param->var, given[i]->scalar))
            return false;
    }
    for (unsigned i = 0; i < count; i++)
        if (func->params[i].buffer &&
            !check_tensor(kernel, func->params[i].buffer, given[i]->tensor))
            return false;
    return true;
}

/* Another look at storage must lie within it, used or not. */
static bool check_span(struct interp_kernel *kernel, const struct interp_view *view,
                       const struct interp_view *base, int64_t bytes)
{
    int64_t last = 0, room = base->storage * (int64_t)ir_dtype_bytes(base->buffer->dtype);
    int64_t start = view->offset * bytes;
    bool is_empty = false;
    for (unsigned i = 0; i < view->ndim; i++) {
        is_empty |= view->shape[i] == 0;
        last += (view->shape[i] - 1) * view->strides[i];
    }
    int64_t span = is_empty && !view->buffer->strides ? 0 : (last + 1) * bytes;
    if (view->offset >= 0 && span >= 0 && span <= room - start)
        return true;
    return interp_fail(kernel->run, INLAY_ERROR_BOUNDS,
                       "`%s` takes %lld bytes from byte %lld on of `%s`, which has %lld",
                       view->buffer->name, (long long)span, (long long)start, base->buffer->name,
                       (long long)room);
}

bool interp_view_alloc(struct interp_kernel *kernel, const struct ir_buffer *buffer)
{
    struct interp_view *view = view_new(kernel, buffer);
    if (!set_shape(kernel, view) || !set_layout(kernel, view))
        return false;
    unsigned bytes = ir_dtype_bytes(buffer->dtype);
    if (!ir_dtype_can_compute(buffer->dtype))
        return interp_unsupported(kernel->run, buffer->loc, "the dtype of buffer `%s`",
                                  buffer->name);
    if (buffer->data_of) {
        const struct interp_view *base = map_get(&kernel->views, buffer->data_of);
        if (!base)
            return interp_unsupported(kernel->run, buffer->loc,
                                      "buffer `%s`, which has no storage here", buffer->name);
        view->data = base->data;
        view->storage = base->storage * ir_dtype_bytes(base->buffer->dtype) / bytes;
        return check_span(kernel, view, base, (int64_t)bytes);
    }
    if (buffer->data)
        return interp_unsupported(kernel->run, buffer->loc, "storage from a bare handle");
    /* Room for all that the strides reach. */
    int64_t last = view->offset, size;
    bool is_empty = false;
    for (unsigned i = 0; i < view->ndim; i++) {
        is_empty |= view->shape[i] == 0;
        if (__builtin_mul_overflow(view->shape[i] - 1, view->strides[i], &size) ||
            __builtin_add_overflow(last, size, &last))
            return interp_fail(kernel->run, INLAY_ERROR_MEMORY, "`%s` is larger than any memory",
                               buffer->name);
    }
    view->storage = is_empty ? 0 : last + 1;
    size = inlay_tensor_bytes(&view->storage, 1, (int32_t)bytes);
    view->data = inlay_alloc(kernel->run->frame, size, location_line(kernel->run->loc));
    if (!view->data)
        return false;
    memset(view->data, 0, (size_t)size);
    array_push(&kernel->temporaries, view->data);
    return true;
}

bool interp_view_match(struct interp_kernel *kernel, const struct tir_match *match)
{
    const struct interp_view *source = map_get(&kernel->views, match->source.buffer);
    const struct ir_buffer *buffer = match->buffer;
    if (!source || buffer->ndim > source->ndim)
        return interp_unsupported(kernel->run, match->source.loc, "this T.match_buffer");
    struct interp_view *view = view_new(kernel, buffer);
    unsigned skipped = source->ndim - buffer->ndim; /* leading axes of one element */
    view->data = source->data;
    view->storage = source->storage;
    int64_t offset = source->offset;
    for (unsigned i = 0; i < source->ndim; i++) {
        int64_t min, extent;
        if (!eval(kernel, match->source.min[i], &min) ||
            !eval(kernel, match->source.extent[i], &extent))
            return false;
        if (min < 0 || extent < 0 || min > source->shape[i] - extent)
            return interp_fail(kernel->run, INLAY_ERROR_BOUNDS,
                               "the region from %lld with extent %lld is out of range for axis "
                               "%lld of `%s` (extent %lld)",
                               (long long)min, (long long)extent, (long long)i,
                               source->buffer->name, (long long)source->shape[i]);
        offset += min * source->strides[i];
        if (i < skipped && extent != 1)
            return interp_fail(kernel->run, INLAY_ERROR_SHAPE,
                               "a dropped axis of a matched region has extent %lld, not 1",
                               (long long)extent);
        if (i < skipped)
            continue;
        unsigned axis = i - skipped;
        bind_bare(kernel, buffer->shape[axis], extent);
        view->strides[axis] = source->strides[i];
        if (buffer->strides)
            rebind(kernel, buffer->strides[axis], source->strides[i]);
        if (!eval(kernel, buffer->shape[axis], &view->shape[axis]))
            return false;
        if (view->shape[axis] != extent)
            return interp_fail(kernel->run, INLAY_ERROR_SHAPE,
                               "a dimension of the matched region should be %lld, but is %lld",
                               (long long)view->shape[axis], (long long)extent);
    }
    rebind(kernel, buffer->elem_offset, offset);
    view->offset = offset;
    return true;
}

void interp_views_release(struct interp_kernel *kernel, unsigned mark)
{
    while (kernel->temporaries.count > mark)
        inlay_free(kernel->run->frame, array_pop(&kernel->temporaries));
}
