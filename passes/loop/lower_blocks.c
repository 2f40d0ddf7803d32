/*
 * LowerBlocks: kernels without blocks, as plain loops and stores.
 *
 *     for i, k in T.grid(n, m):                      for i in range(n):
 *         with T.sblock("sum"):                          if m > 0:
 *             vi, vk = T.axis.remap("SR", [i, k])            B[i] = 0
 *             with T.init():                             for k in range(m):
 *                 B[vi] = 0                      =>          B[i] = B[i] + A[i, k]
 *             B[vi] = B[vi] + A[vi, vk]
 *
 * Axes give way to their values; a value that loads or calls becomes a let, since it must be taken once.
 * T.where becomes `if`, allocations of a block stay in front of its body, where each execution of the
 * block makes them new.  Rectangles (T.match_buffer) become accesses of the buffer that they show, if
 * these are provably inside; else the kernel stays as it is, so that the checks of the rectangle stay.
 *
 * Init goes in front of the reduction loops where that is the same (lower_init.c has the condition);
 * else it is guarded by `if k == 0`.
 */
#include "passes/loop/lower_blocks.h"

#include "analysis/access/index.h"

#include <string.h>

/* ---- names ---- */

static const struct ir_expr *resolve_load(void *state, const struct ir_expr *a)
{
    struct block_lowering *l = state;
    struct block_access access = {
        .buffer = a->buffer, .indices = a->operands, .count = a->operand_count};

    if (a->kind == IR_EXPR_var) {
        const struct ir_expr *value = map_get(&l->names.vars, a->var);

        if (map_has(&l->view_addresses, a->var))
            l->has_failed = true;
        return value ? value : a;
    }
    if (a->kind != IR_EXPR_load || !block_resolve_access(l, &access))
        return a;
    const struct ir_expr *load =
        ir_expr_load(l->module->context, access.buffer, access.indices, access.count);
    return ir_expr_at(l->module->context, a->loc, load);
}

const struct ir_expr *block_expr(struct block_lowering *l, const struct ir_expr *a)
{
    return a ? ir_expr_rewrite(l->module->context, a, resolve_load, l) : NULL;
}

static const struct ir_expr *map_expr(struct loop_map *map, const struct ir_expr *a)
{
    return block_expr(map->state, a);
}

static const struct ir_var *define_var(struct loop_map *map, const struct ir_var *var)
{
    struct block_lowering *l = map->state;

    map_set(&l->visible, var, var);
    return var;
}

/* The copy of @buffer whose layout is in terms of what is visible now. */
static struct ir_buffer *define_buffer(struct loop_map *map, struct ir_buffer *buffer)
{
    struct block_lowering *l = map->state;
    struct ir_buffer *copy = arena_new(&l->module->arena, struct ir_buffer);
    const struct ir_expr **shape =
        arena_array(&l->module->arena, const struct ir_expr *, buffer->ndim);
    const struct ir_expr **strides =
        arena_array(&l->module->arena, const struct ir_expr *, buffer->ndim);
    bool is_changed = false;

    for (unsigned i = 0; i < buffer->ndim; i++) {
        shape[i] = block_expr(l, buffer->shape[i]);
        strides[i] = buffer->strides ? block_expr(l, buffer->strides[i]) : NULL;
        is_changed |=
            shape[i] != buffer->shape[i] || (buffer->strides && strides[i] != buffer->strides[i]);
    }
    *copy = *buffer;
    copy->shape = shape;
    copy->strides = buffer->strides ? strides : NULL;
    copy->elem_offset = block_expr(l, buffer->elem_offset);
    copy->data = block_expr(l, buffer->data);
    if (buffer->data_of && map_has(&l->views, buffer->data_of))
        l->has_failed = true;
    if (buffer->data_of && map_has(&l->names.buffers, buffer->data_of))
        copy->data_of = map_get(&l->names.buffers, buffer->data_of);
    is_changed |= copy->elem_offset != buffer->elem_offset || copy->data != buffer->data ||
                  copy->data_of != buffer->data_of;
    if (!is_changed)
        return buffer;
    map_set(&l->names.buffers, buffer, copy);
    return copy;
}

/* ---- rectangles ---- */

static const struct ir_expr *as_i64(struct block_lowering *l, const struct ir_expr *a)
{
    return ir_expr_cast(l->module->context, IR_I64, a);
}

/* Is 0 <= min and min + extent <= limit for certain? */
static bool lies_inside(struct block_lowering *l, const struct ir_expr *min,
                        const struct ir_expr *extent, const struct ir_expr *limit)
{
    struct ir_context *context = l->module->context;
    const struct ir_expr *zero = ir_expr_int(context, IR_I64, 0);
    const struct ir_expr *end =
        ir_expr_binary(context, IR_EXPR_add, as_i64(l, min), as_i64(l, extent));

    return index_is_fixed(min) && index_is_fixed(extent) && index_is_fixed(limit) &&
           index_is_exact(context, &l->ranges, min) &&
           index_is_exact(context, &l->ranges, extent) &&
           ir_prove_ge(context, &l->ranges, as_i64(l, min), zero) &&
           ir_prove_ge(context, &l->ranges, as_i64(l, extent), zero) &&
           ir_prove_ge(context, &l->ranges, as_i64(l, limit), end);
}

bool block_resolve_access(struct block_lowering *l, struct block_access *access)
{
    struct ir_context *context = l->module->context;
    const struct block_view *view = map_get(&l->views, access->buffer);

    if (!view) {
        const struct ir_buffer *copy = map_get(&l->names.buffers, access->buffer);

        if (copy)
            access->buffer = copy;
        return copy != NULL;
    }
    const struct ir_expr *one = ir_expr_int(context, IR_I64, 1);
    unsigned skipped = view->buffer->ndim - access->count;
    const struct ir_expr **indices =
        arena_array(&l->module->arena, const struct ir_expr *, view->buffer->ndim);
    for (unsigned i = 0; i < view->buffer->ndim; i++) {
        indices[i] = view->min[i];
        if (i < skipped)
            continue;
        const struct ir_expr *index = access->indices[i - skipped];
        if (index->dtype.lanes != 1 || !lies_inside(l, index, one, view->extent[i])) {
            l->has_failed = true;
            return false;
        }
        if (!ir_dtype_equal(index->dtype, indices[i]->dtype)) {
            index = as_i64(l, index);
            indices[i] = as_i64(l, indices[i]);
        }
        indices[i] = ir_simplify(context, ir_expr_binary(context, IR_EXPR_add, indices[i], index));
    }
    access->buffer = view->buffer;
    access->indices = indices;
    access->count = view->buffer->ndim;
    return true;
}

/* A variable in the layout of a matched buffer gets its value here, if it has none. */
static bool bind_layout(struct block_lowering *l, const struct ir_expr *a,
                        const struct ir_expr *value)
{
    if (!a || a->kind != IR_EXPR_var || map_has(&l->visible, a->var))
        return false;
    value = ir_expr_cast(l->module->context, a->var->dtype, value);
    map_set(&l->names.vars, a->var, (void *)(uintptr_t)value);
    map_set(&l->visible, a->var, a->var);
    return true;
}

static void bind_strides(struct block_lowering *l, const struct ir_buffer *buffer,
                         const struct block_view *view)
{
    struct ir_context *context = l->module->context;
    const struct ir_buffer *owner = view->buffer;
    const struct ir_expr *size = ir_expr_int(context, IR_I64, 1);
    const struct ir_expr *offset = ir_expr_int(context, IR_I64, 0);

    for (unsigned i = owner->ndim; i-- > 0;) {
        const struct ir_expr *stride = owner->strides ? as_i64(l, owner->strides[i]) : size;

        if (buffer->strides && i >= owner->ndim - buffer->ndim)
            bind_layout(l, buffer->strides[i - (owner->ndim - buffer->ndim)], stride);
        offset =
            ir_expr_binary(context, IR_EXPR_add, offset,
                           ir_expr_binary(context, IR_EXPR_mul, as_i64(l, view->min[i]), stride));
        size = ir_expr_binary(context, IR_EXPR_mul, size, as_i64(l, owner->shape[i]));
    }
    if (owner->elem_offset)
        offset = ir_expr_binary(context, IR_EXPR_add, offset, as_i64(l, owner->elem_offset));
    bind_layout(l, buffer->elem_offset, ir_simplify(context, offset));
}

/* Makes @match known as a view; fails where its run-time checks might do so. */
static void add_view(struct block_lowering *l, const struct tir_match *match)
{
    const struct ir_buffer *buffer = match->buffer;
    unsigned ndim = match->source.buffer->ndim;
    struct block_view *view = arena_new(&l->module->arena, struct block_view);
    struct block_access source = {.buffer = match->source.buffer, .count = ndim};
    const struct ir_expr **min = arena_array(&l->module->arena, const struct ir_expr *, ndim);

    if (ndim < buffer->ndim) {
        l->has_failed = true;
        return;
    }
    for (unsigned i = 0; i < ndim; i++) {
        const struct ir_expr *extent = block_expr(l, match->source.extent[i]);
        bool is_dropped = i < ndim - buffer->ndim;

        min[i] = block_expr(l, match->source.min[i]);
        if (!lies_inside(l, min[i], extent, block_expr(l, match->source.buffer->shape[i])) ||
            (is_dropped && !ir_expr_is_int(extent, 1)))
            l->has_failed = true;
        if (is_dropped)
            continue;
        const struct ir_expr *shape = buffer->shape[i - (ndim - buffer->ndim)];
        if (!bind_layout(l, shape, extent) &&
            !ir_prove_equal(l->module->context, as_i64(l, block_expr(l, shape)), as_i64(l, extent)))
            l->has_failed = true;
    }
    source.indices = min;
    if (!l->has_failed)
        block_resolve_access(l, &source); /* a rectangle of a rectangle */
    if (l->has_failed)
        return;
    view->buffer = source.buffer;
    view->min = source.indices;
    const struct ir_expr **extents =
        arena_array(&l->module->arena, const struct ir_expr *, source.count);
    for (unsigned i = 0; i < buffer->ndim; i++)
        extents[source.count - buffer->ndim + i] = block_expr(l, buffer->shape[i]);
    view->extent = extents;
    bind_strides(l, buffer, view);
    if (buffer->data_var)
        map_set(&l->view_addresses, buffer->data_var, buffer->data_var);
    map_set(&l->views, buffer, view);
}

/* ---- blocks ---- */

static bool is_plain_value(void *state, const struct ir_expr *a)
{
    return a->kind != IR_EXPR_load && a->kind != IR_EXPR_call && a->kind != IR_EXPR_let;
}

/* Binds the axes of @block; lets for those whose value must be taken once.  NULL: none. */
static struct tir_stmt *bind_axes(struct block_lowering *l, const struct tir_stmt *block)
{
    struct tir_stmt *lets = NULL;

    for (unsigned i = 0; i < block->block.axis_count; i++) {
        const struct tir_axis *axis = &block->block.axes[i];
        const struct ir_expr *value =
            ir_expr_cast(l->module->context, axis->var->dtype, block_expr(l, axis->value));

        if (ir_expr_walk(axis->value, is_plain_value, NULL)) {
            map_set(&l->names.vars, axis->var, (void *)(uintptr_t)value);
            continue;
        }
        struct tir_stmt *let = tir_stmt_new(l->module, TIR_LET, axis->value->loc);
        let->let.var = axis->var;
        let->let.value = value;
        map_set(&l->visible, axis->var, axis->var);
        lets = loop_both(l->module, lets, let);
    }
    return lets;
}

/* True where the block runs init; NULL where it always does. */
static const struct ir_expr *is_first(struct block_lowering *l, const struct tir_stmt *block)
{
    struct ir_context *context = l->module->context;
    const struct ir_expr *all = NULL;

    for (unsigned i = 0; i < block->block.axis_count; i++) {
        const struct tir_axis *axis = &block->block.axes[i];

        if (axis->kind != TIR_REDUCE)
            continue;
        const struct ir_expr *min =
            ir_expr_cast(context, axis->var->dtype, block_expr(l, axis->min));
        const struct ir_expr *value = block_expr(l, ir_expr_var(context, axis->var));
        if (!ir_expr_equal(value, min))
            all = loop_and(l->module, all, ir_expr_binary(context, IR_EXPR_eq, value, min));
    }
    return all;
}

struct tir_stmt *block_lower(struct block_lowering *l, struct tir_stmt *stmt, enum block_part part)
{
    struct ir_module *module = l->module;
    struct tir_stmt *result = bind_axes(l, stmt);
    const struct ir_expr *predicate = block_expr(l, stmt->block.predicate);

    for (unsigned i = 0; i < stmt->block.alloc_count; i++) {
        struct tir_stmt *alloc = tir_stmt_new(module, TIR_ALLOC, stmt->block.allocs[i]->loc);

        alloc->alloc.buffer = define_buffer(&l->map, stmt->block.allocs[i]);
        result = loop_both(module, result, alloc);
    }
    for (unsigned i = 0; i < stmt->block.match_count && !l->has_failed; i++)
        add_view(l, &stmt->block.matches[i]);
    if (stmt->block.init && part != BLOCK_BODY) {
        const struct ir_expr *condition = part == BLOCK_ALL ? is_first(l, stmt) : NULL;
        struct tir_stmt *init = block_stmt(l, stmt->block.init);

        result = loop_both(module, result, condition ? loop_if(module, condition, init) : init);
    }
    if (part != BLOCK_INIT)
        result = loop_both(module, result, block_stmt(l, stmt->block.body));
    if (predicate && !ir_expr_is_int(predicate, 1))
        result = loop_if(module, predicate, result);
    return result;
}

static struct tir_stmt *lower_store(struct block_lowering *l, struct tir_stmt *stmt)
{
    struct tir_stmt *mapped = loop_map_parts(&l->map, stmt);
    struct block_access access = {mapped->store.buffer, mapped->store.indices,
                                  mapped->store.index_count};

    if (!block_resolve_access(l, &access))
        return mapped;
    struct tir_stmt *store = tir_stmt_new(l->module, TIR_STORE, stmt->loc);
    *store = *mapped;
    store->store.buffer = access.buffer;
    store->store.indices = access.indices;
    store->store.index_count = access.count;
    return store;
}

static struct tir_stmt *lower_loop(struct block_lowering *l, struct tir_stmt *stmt)
{
    struct tir_stmt *split = block_split_init(l, stmt);

    if (split)
        return split;
    size_t mark = l->ranges.count;
    struct ir_range range = loop_range(l->module, stmt);
    range.min = block_expr(l, range.min);
    range.extent = block_expr(l, range.extent);
    if (loop_has_fixed_bounds(stmt)) /* elements may change while the loop runs */
        array_push(&l->ranges, range);
    struct tir_stmt *result = loop_map_parts(&l->map, stmt);
    l->ranges.count = mark;
    return result;
}

struct tir_stmt *block_stmt(struct block_lowering *l, struct tir_stmt *stmt)
{
    switch (stmt->kind) {
    case TIR_FOR:
        return lower_loop(l, stmt);
    case TIR_BLOCK:
        return block_lower(l, stmt, BLOCK_ALL);
    case TIR_STORE:
        return lower_store(l, stmt);
    default:
        return loop_map_parts(&l->map, stmt);
    }
}

static struct tir_stmt *map_stmt(struct loop_map *map, struct tir_stmt *stmt)
{
    return block_stmt(map->state, stmt);
}

static bool see_var(void *state, const struct ir_expr *a)
{
    struct block_lowering *l = state;

    if (a->kind == IR_EXPR_var)
        map_set(&l->visible, a->var, a->var);
    return true;
}

/* What the parameters define. */
static void see_params(struct block_lowering *l, const struct tir_func *func)
{
    for (unsigned i = 0; i < func->param_count; i++) {
        const struct ir_buffer *buffer = func->params[i].buffer;

        if (func->params[i].var)
            map_set(&l->visible, func->params[i].var, func->params[i].var);
        for (unsigned k = 0; buffer && k < buffer->ndim; k++) {
            ir_expr_walk(buffer->shape[k], see_var, l);
            if (buffer->strides)
                ir_expr_walk(buffer->strides[k], see_var, l);
        }
        if (buffer && buffer->elem_offset)
            ir_expr_walk(buffer->elem_offset, see_var, l);
    }
}

struct tir_stmt *loop_lower_blocks(const struct tir_func *func)
{
    if (loop_is_plain(func->body))
        return func->body;
    struct block_lowering l = {.module = func->module, .func = func};
    l.map = (struct loop_map){
        .module = func->module,
        .state = &l,
        .stmt = map_stmt,
        .expr = map_expr,
        .define_var = define_var,
        .define_buffer = define_buffer,
    };
    see_params(&l, func);
    struct tir_stmt *body = block_stmt(&l, func->body);
    map_finish(&l.visible);
    map_finish(&l.views);
    map_finish(&l.view_addresses);
    array_finish(&l.ranges);
    loop_names_finish(&l.names);
    return l.has_failed || !body ? func->body : body;
}

static struct tir_stmt *lower_kernel(void *state, const struct tir_func *func)
{
    return loop_lower_blocks(func);
}

enum pass_result pass_lower_blocks(struct pass_run *run)
{
    return loop_rewrite_kernels(run, lower_kernel, NULL);
}
