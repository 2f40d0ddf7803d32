/*
 * What is in scope while the accesses of a kernel are collected: the innermost frame, values of
 * axes and lets, and which buffers are other names of storage.
 */
#include "analysis/access/internal.h"

/* ---- values ---- */

static bool is_arithmetic(void *state, const struct ir_expr *a)
{
    const struct collector *c = state;

    return a->kind != IR_EXPR_call && a->kind != IR_EXPR_let && a->kind != IR_EXPR_shuffle &&
           a->kind != IR_EXPR_ramp && a->kind != IR_EXPR_broadcast &&
           (a->kind != IR_EXPR_load || c->keeps_loads);
}

static bool is_value(struct collector *c, const struct ir_expr *a)
{
    return a->size < ACCESS_INDEX_LIMIT && a->dtype.lanes == 1 && ir_dtype_is_int(a->dtype) &&
           ir_expr_walk(a, is_arithmetic, c);
}

static bool is_no_load(void *state, const struct ir_expr *a)
{
    return a->kind != IR_EXPR_load;
}

bool access_has_load(const struct ir_expr *a)
{
    return !ir_expr_walk(a, is_no_load, NULL);
}

const struct ir_expr *access_resolve(struct collector *c, const struct ir_expr *a)
{
    if (!a || !is_value(c, a))
        return NULL;
    a = ir_expr_substitute(c->context, a, &c->values);
    return a->size < ACCESS_INDEX_LIMIT ? a : NULL;
}

void access_define(struct collector *c, const struct ir_var *var, const struct ir_expr *value)
{
    const struct ir_expr *resolved = ir_dtype_is_int(var->dtype) ? access_resolve(c, value) : NULL;

    if (resolved)
        array_push(&c->values,
                   (struct ir_binding){var, ir_expr_cast(c->context, var->dtype, resolved)});
    else
        access_push_frame(c, ACCESS_LET)->var = var;
}

/* ---- frames ---- */

struct access_frame *access_push_frame(struct collector *c, enum access_frame_kind kind)
{
    struct access_frame *frame = arena_new(c->arena, struct access_frame);

    *frame = (struct access_frame){
        .parent = c->frame,
        .kind = kind,
        .stmt = c->stmt,
        .depth = (c->frame ? c->frame->depth : 0) + (kind == ACCESS_LOOP),
    };
    c->frame = frame;
    return frame;
}

void access_push_guard(struct collector *c, const struct ir_expr *condition, bool is_negated)
{
    struct access_frame *frame = access_push_frame(c, ACCESS_GUARD);

    frame->spelled = condition;
    if (condition->size < ACCESS_INDEX_LIMIT && (c->keeps_loads || !access_has_load(condition)))
        condition = ir_expr_substitute(c->context, condition, &c->values);
    else
        condition = NULL;
    frame->condition = condition;
    frame->is_negated = is_negated;
}

static int64_t step_of(struct collector *c, const struct tir_stmt *loop)
{
    int64_t step = 1;

    if (loop->loop.step && (!ir_expr_constant(c->context, loop->loop.step, &step) || step < 1))
        return 0;
    return step;
}

static const struct ir_expr *resolve_as(struct collector *c, const struct ir_var *var,
                                        const struct ir_expr *a)
{
    const struct ir_expr *resolved = access_resolve(c, a);

    return resolved ? ir_expr_cast(c->context, var->dtype, resolved) : NULL;
}

void access_push_loop(struct collector *c, const struct tir_stmt *loop)
{
    const struct ir_var *var = loop->loop.var;
    const struct ir_expr *min = resolve_as(c, var, loop->loop.min);
    const struct ir_expr *extent = resolve_as(c, var, loop->loop.extent);
    struct access_frame *frame = access_push_frame(c, ACCESS_LOOP);

    frame->stmt = loop;
    frame->var = var;
    frame->min = extent ? min : NULL;
    frame->extent = min ? extent : NULL;
    frame->step = step_of(c, loop);
}

void access_push_while(struct collector *c, const struct tir_stmt *loop)
{
    struct access_frame *frame = access_push_frame(c, ACCESS_LOOP);

    frame->stmt = loop;
    frame->var = ir_var_new(c->context, "while", IR_I64);
    frame->step = 1;
}

/* Axes get their values all at once: none is seen by another. */
static void define_axes(struct collector *c, const struct tir_stmt *block)
{
    struct ir_bindings axes = {0};

    for (unsigned i = 0; i < block->block.axis_count; i++) {
        size_t mark = c->values.count;

        access_define(c, block->block.axes[i].var, block->block.axes[i].value);
        if (c->values.count > mark)
            array_push(&axes, array_pop(&c->values));
    }
    for (size_t i = 0; i < axes.count; i++)
        array_push(&c->values, axes.items[i]);
    array_finish(&axes);
}

static bool list_uses(const struct ir_expr *const *items, unsigned count, const struct ir_var *var)
{
    for (unsigned i = 0; items && i < count; i++)
        if (ir_expr_uses_var(items[i], var))
            return true;
    return false;
}

/* Has @var one value for as long as the kernel runs? */
static bool is_given(const struct tir_func *func, const struct ir_var *var)
{
    for (unsigned i = 0; i < func->param_count; i++) {
        const struct ir_buffer *buffer = func->params[i].buffer;

        if (func->params[i].var == var ||
            (buffer && (list_uses(buffer->shape, buffer->ndim, var) ||
                        list_uses(buffer->strides, buffer->ndim, var) ||
                        list_uses(&buffer->elem_offset, buffer->elem_offset != NULL, var))))
            return true;
    }
    return false;
}

/* Matches give variables of the rectangle their values: strides, the offset. */
static void bind_bare(struct collector *c, const struct ir_expr *const *items, unsigned count)
{
    for (unsigned i = 0; items && i < count; i++)
        if (items[i]->kind == IR_EXPR_var && !is_given(c->func, items[i]->var))
            access_push_frame(c, ACCESS_LET)->var = items[i]->var;
}

static void match(struct collector *c, const struct tir_match *match)
{
    struct access_view *view = arena_new(c->arena, struct access_view);
    const struct tir_region *source = &match->source;

    view->of = source->buffer;
    view->mins = arena_array(c->arena, const struct ir_expr *, source->buffer->ndim + 1);
    for (unsigned i = 0; i < source->buffer->ndim; i++)
        view->mins[i] = access_resolve(c, source->min[i]);
    map_set(&c->views, match->buffer, view);
    array_push(&c->buffers, match->buffer);
    bind_bare(c, match->buffer->shape, match->buffer->ndim);
    bind_bare(c, match->buffer->strides, match->buffer->ndim);
    bind_bare(c, &match->buffer->elem_offset, match->buffer->elem_offset != NULL);
}

void access_enter_block(struct collector *c, const struct tir_stmt *block)
{
    define_axes(c, block);
    if (block->block.predicate)
        access_push_guard(c, block->block.predicate, false);
    for (unsigned i = 0; i < block->block.alloc_count; i++)
        access_allocate(c, block->block.allocs[i]);
    for (unsigned i = 0; i < block->block.match_count; i++)
        match(c, &block->block.matches[i]);
}

/* ---- storage ---- */

void access_allocate(struct collector *c, const struct ir_buffer *buffer)
{
    struct access_home *home = arena_new(c->arena, struct access_home);

    home->frame = c->frame;
    map_set(&c->homes, buffer, home);
    array_push(&c->buffers, buffer);
}

void access_declare(struct collector *c, const struct ir_buffer *buffer)
{
    struct access_view *view = arena_new(c->arena, struct access_view);

    view->of = buffer->data_of;
    map_set(&c->views, buffer, view);
    array_push(&c->buffers, buffer);
}

const struct ir_buffer *access_root_of(struct collector *c, const struct ir_buffer *buffer)
{
    const struct ir_buffer *root = buffer;

    for (const struct access_view *view; (view = map_get(&c->views, root)) != NULL;)
        root = view->of;
    if (root != buffer)
        map_set(&c->list->owners, buffer, root);
    return root;
}

static const struct ir_expr *as_int64(struct collector *c, const struct ir_expr *a)
{
    return ir_expr_cast(c->context, IR_I64, a);
}

static const struct ir_expr *sum(struct collector *c, const struct ir_expr *a,
                                 const struct ir_expr *b)
{
    if (ir_expr_is_int(a, 0) || ir_expr_is_int(b, 0))
        return ir_expr_is_int(a, 0) ? b : a;
    return ir_expr_binary(c->context, IR_EXPR_add, as_int64(c, a), as_int64(c, b));
}

static const struct ir_expr *product(struct collector *c, const struct ir_expr *a,
                                     const struct ir_expr *b)
{
    if (ir_expr_is_int(a, 1) || ir_expr_is_int(b, 1))
        return ir_expr_is_int(a, 1) ? b : a;
    return ir_expr_binary(c->context, IR_EXPR_mul, as_int64(c, a), as_int64(c, b));
}

/* The number of the element, from the begin of the storage; NULL if it is not known. */
static const struct ir_expr *flatten(struct collector *c, const struct ir_buffer *buffer,
                                     const struct ir_expr *const *indices)
{
    const struct ir_expr *stride = ir_expr_int(c->context, IR_I64, 1);
    const struct ir_expr *total = buffer->elem_offset ? access_resolve(c, buffer->elem_offset)
                                                      : ir_expr_int(c->context, IR_I64, 0);

    for (unsigned i = buffer->ndim; i-- > 0;) {
        if (buffer->strides)
            stride = access_resolve(c, buffer->strides[i]);
        if (!total || !stride)
            return NULL;
        total = sum(c, product(c, indices[i], stride), total);
        const struct ir_expr *dim = access_resolve(c, buffer->shape[i]);
        stride = dim ? product(c, stride, dim) : NULL;
    }
    return total && total->size < ACCESS_INDEX_LIMIT ? as_int64(c, total) : NULL;
}

static bool is_compact(const struct ir_buffer *buffer)
{
    return !buffer->strides && !buffer->elem_offset;
}

static bool same_layout(struct collector *c, const struct ir_buffer *a, const struct ir_buffer *b)
{
    bool is_same = a->ndim == b->ndim && is_compact(a) && is_compact(b);

    for (unsigned i = 0; is_same && i < a->ndim; i++)
        is_same = ir_prove_equal(c->context, as_int64(c, a->shape[i]), as_int64(c, b->shape[i]));
    return is_same;
}

/* @indices of @buffer, a rectangle, as indices of what it is a rectangle of. */
static const struct ir_expr **shift(struct collector *c, const struct access_view *view,
                                    const struct ir_buffer *buffer, const struct ir_expr **indices)
{
    unsigned ndim = view->of->ndim, skipped = ndim - buffer->ndim;
    const struct ir_expr **shifted = arena_array(c->arena, const struct ir_expr *, ndim + 1);

    if (buffer->ndim > ndim)
        return NULL;
    for (unsigned i = 0; i < ndim; i++) {
        if (!view->mins[i])
            return NULL;
        shifted[i] = i < skipped ? view->mins[i] : sum(c, indices[i - skipped], view->mins[i]);
    }
    return shifted;
}

void access_locate(struct collector *c, struct access *access, const struct ir_expr **indices)
{
    const struct ir_buffer *buffer = access->buffer, *root = access->root;

    while (indices && buffer != root) {
        const struct access_view *view = map_get(&c->views, buffer);

        if (view->mins) {
            indices = shift(c, view, buffer, indices);
            buffer = view->of;
        } else if (!ir_dtype_equal(buffer->dtype, root->dtype)) {
            return;
        } else if (same_layout(c, buffer, root)) {
            break;
        } else {
            access->flat = flatten(c, buffer, indices);
            return;
        }
    }
    access->indices = indices;
}
