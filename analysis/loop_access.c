/*
 * Collects the accesses of a statement.
 *
 * Axes of blocks and lets are replaced by their values, so that indices are in terms of loop variables.
 * A let of what is no arithmetic stays a variable, and is one that may differ in each iteration.
 */
#include "analysis/loop_access.h"

#include "analysis/access/index.h"

#include <string.h>

enum { INDEX_SIZE_LIMIT = 2000 };

/* ---- what is around ---- */

static bool is_arithmetic(void *state, const struct ir_expr *a)
{
    const bool *allows_loads = state;

    return a->kind != IR_EXPR_call && a->kind != IR_EXPR_let && a->kind != IR_EXPR_shuffle &&
           a->kind != IR_EXPR_ramp && a->kind != IR_EXPR_broadcast &&
           (a->kind != IR_EXPR_load || *allows_loads);
}

static bool is_value(const struct ir_expr *a, bool allows_loads)
{
    return a->size < INDEX_SIZE_LIMIT && ir_dtype_is_int(a->dtype) &&
           ir_expr_walk(a, is_arithmetic, &allows_loads);
}

/* @a with the values of what was bound, the innermost first: values may use what is around them. */
static const struct ir_expr *with_values(struct loop_scope *scope, const struct ir_expr *a)
{
    for (size_t i = scope->values.count; i-- > 0 && a->size < INDEX_SIZE_LIMIT;) {
        struct ir_bindings one = {&scope->values.items[i], 1, 1};

        if (ir_expr_uses_var(a, one.items->var))
            a = ir_expr_substitute(scope->context, a, &one);
    }
    return a;
}

static void bind(struct loop_scope *scope, const struct ir_var *var, const struct ir_expr *value)
{
    value = ir_expr_cast(scope->context, var->dtype, value);
    array_push(&scope->values, (struct ir_binding){.var = var, .value = value});
}

void loop_scope_add_range(struct loop_scope *scope, struct ir_ranges *ranges,
                          const struct tir_stmt *loop, bool allows_loads)
{
    const struct ir_var *var = loop->loop.var;
    struct ir_range range = {
        .var = var,
        .min = ir_expr_cast(scope->context, var->dtype, with_values(scope, loop->loop.min)),
        .extent = ir_expr_cast(scope->context, var->dtype, with_values(scope, loop->loop.extent)),
    };

    if (is_value(range.min, allows_loads) && is_value(range.extent, allows_loads))
        array_push(ranges, range);
}

static void learn_matches(struct loop_scope *scope, const struct tir_stmt *block)
{
    for (unsigned i = 0; i < block->block.match_count; i++)
        map_set(&scope->owners, block->block.matches[i].buffer,
                (void *)(uintptr_t)block->block.matches[i].source.buffer);
}

static void bind_axes(struct loop_scope *scope, const struct tir_stmt *block, bool allows_loads)
{
    for (unsigned i = 0; i < block->block.axis_count; i++)
        if (is_value(block->block.axes[i].value, allows_loads))
            bind(scope, block->block.axes[i].var, block->block.axes[i].value);
}

struct path {
    array(const struct tir_stmt *) items; /* the innermost first, without the wanted one */
};

/* The way from @stmt down to @wanted; false if there is none. */
static bool find(struct path *path, const struct tir_stmt *stmt, const struct tir_stmt *wanted)
{
    struct tir_stmt *child;

    if (stmt == wanted)
        return true;
    for (unsigned i = 0; (child = tir_stmt_child(stmt, i)) != NULL; i++)
        if (find(path, child, wanted)) {
            array_push(&path->items, stmt);
            return true;
        }
    return false;
}

/* Adds what @stmt says of what is inside of it, at its child @next. */
static void go_down(struct loop_scope *scope, const struct tir_stmt *stmt,
                    const struct tir_stmt *next)
{
    struct tir_stmt *child;

    if (stmt->kind == TIR_FOR) {
        /* elements in bounds may have been written since they were read */
        loop_scope_add_range(scope, &scope->ranges, stmt, false);
        array_push(&scope->loops, stmt);
    } else if (stmt->kind == TIR_BLOCK) {
        bind_axes(scope, stmt, false);
        learn_matches(scope, stmt);
    } else if (stmt->kind != TIR_SEQ && stmt->kind != TIR_IF) {
        scope->is_plain = false;
    }
    for (unsigned i = 0; (child = tir_stmt_child(stmt, i)) != NULL; i++) {
        /* what a let says was true when it was executed; a load may say another thing since */
        if (child->kind == TIR_LET && is_value(child->let.value, false))
            bind(scope, child->let.var, child->let.value);
        if (child == next)
            break;
    }
}

bool loop_scope_enter(struct loop_scope *scope, struct arena *arena, const struct tir_func *func,
                      const struct tir_stmt *stmt)
{
    *scope =
        (struct loop_scope){.context = func->module->context, .arena = arena, .is_plain = true};
    struct path path = {0};
    bool is_found = find(&path, func->body, stmt);
    for (size_t i = path.items.count; i-- > 0;)
        go_down(scope, path.items.items[i], i > 0 ? path.items.items[i - 1] : stmt);
    array_finish(&path.items);
    return is_found;
}

void loop_scope_finish(struct loop_scope *scope)
{
    array_finish(&scope->ranges);
    array_finish(&scope->values);
    array_finish(&scope->loops);
    map_finish(&scope->owners);
}

/* ---- accesses ---- */

struct collector {
    struct loop_accesses *accesses;
    struct loop_scope *scope;
    const struct tir_stmt *stmt;
    unsigned loop_depth; /* of loops inside of the statement */
};

static const struct ir_buffer *root_of(const struct loop_scope *scope,
                                       const struct ir_buffer *buffer)
{
    for (;;) {
        const struct ir_buffer *owner = map_get(&scope->owners, buffer);

        if (!owner)
            owner = buffer->data_of;
        if (!owner)
            return buffer;
        buffer = owner;
    }
}

/* A vector base + stride * lane, as the expression for a lane that is an inner variable. */
static const struct ir_expr *lane_of(struct collector *c, const struct ir_expr *ramp)
{
    struct ir_context *context = c->scope->context;
    const struct ir_expr *base = ramp->operands[0], *stride = ramp->operands[1];
    const struct ir_var *lane = ir_var_new(context, "lane", base->dtype);

    array_push(&c->accesses->inner, lane);
    array_push(&c->accesses->ranges,
               (struct ir_range){.var = lane,
                                 .min = ir_expr_int(context, lane->dtype, 0),
                                 .extent = ir_expr_int(context, lane->dtype, ramp->dtype.lanes)});
    return ir_expr_binary(context, IR_EXPR_add, base,
                          ir_expr_binary(context, IR_EXPR_mul, ir_expr_var(context, lane), stride));
}

static const struct ir_expr **resolve_indices(struct collector *c,
                                              const struct ir_expr *const *indices, unsigned count)
{
    const struct ir_expr **result =
        arena_array(c->accesses->arena, const struct ir_expr *, count + 1);

    for (unsigned i = 0; i < count; i++) {
        const struct ir_expr *index = indices[i];

        if (index->kind == IR_EXPR_ramp)
            index = lane_of(c, index);
        else if (index->kind == IR_EXPR_broadcast)
            index = index->operands[0];
        result[i] = with_values(c->scope, index);
        if (result[i]->dtype.lanes != 1 || !is_value(result[i], true))
            return NULL;
    }
    return result;
}

static void add_access(struct collector *c, const struct ir_buffer *buffer,
                       const struct ir_expr *const *indices, unsigned count, bool is_store)
{
    const struct ir_buffer *root = root_of(c->scope, buffer);

    if (map_has(&c->accesses->private_buffers, root))
        return;
    array_push(&c->accesses->items,
               (struct loop_access){
                   .buffer = buffer,
                   .root = root,
                   .indices = count == buffer->ndim ? resolve_indices(c, indices, count) : NULL,
                   .is_store = is_store,
                   .stmt = c->stmt,
               });
}

static void add_inner(struct collector *c, const struct ir_var *var)
{
    array_push(&c->accesses->inner, var);
}

static void look_at_expr(struct collector *c, const struct ir_expr *a)
{
    if (!a)
        return;
    if (a->kind == IR_EXPR_load)
        add_access(c, a->buffer, a->operands, a->operand_count, false);
    if ((a->kind == IR_EXPR_call && !index_call_is_pure(a)) ||
        (a->kind == IR_EXPR_var && a->dtype.code == IR_HANDLE))
        c->accesses->is_opaque = true;
    if (a->kind == IR_EXPR_let) {
        size_t mark = c->scope->values.count;

        look_at_expr(c, a->operands[0]);
        if (is_value(a->operands[0], true))
            bind(c->scope, a->var, a->operands[0]);
        else
            add_inner(c, a->var);
        look_at_expr(c, a->operands[1]);
        c->scope->values.count = mark;
        return;
    }
    for (unsigned i = 0; i < a->operand_count; i++)
        look_at_expr(c, a->operands[i]);
}

static void look_at_exprs(struct collector *c, const struct ir_expr *const *items, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        look_at_expr(c, items[i]);
}

static void look_at_stmt(struct collector *c, const struct tir_stmt *stmt);

static void look_at_loop(struct collector *c, const struct tir_stmt *stmt)
{
    look_at_expr(c, stmt->loop.min);
    look_at_expr(c, stmt->loop.extent);
    look_at_expr(c, stmt->loop.step);
    if (stmt->loop.kind == TIR_THREAD_BINDING)
        c->accesses->is_opaque = true;
    add_inner(c, stmt->loop.var);
    loop_scope_add_range(c->scope, &c->accesses->ranges, stmt, true);
    c->loop_depth++;
    look_at_stmt(c, stmt->loop.body);
    c->loop_depth--;
}

static void look_at_block(struct collector *c, const struct tir_stmt *stmt)
{
    for (unsigned i = 0; i < stmt->block.axis_count; i++) {
        look_at_expr(c, stmt->block.axes[i].value);
        if (!is_value(stmt->block.axes[i].value, true))
            add_inner(c, stmt->block.axes[i].var);
    }
    bind_axes(c->scope, stmt, true);
    look_at_expr(c, stmt->block.predicate);
    for (unsigned i = 0; i < stmt->block.alloc_count; i++)
        map_set(&c->accesses->private_buffers, stmt->block.allocs[i], stmt->block.allocs[i]);
    learn_matches(c->scope, stmt);
    for (unsigned i = 0; i < stmt->block.match_count; i++) {
        look_at_exprs(c, stmt->block.matches[i].source.min,
                      stmt->block.matches[i].source.buffer->ndim);
        look_at_exprs(c, stmt->block.matches[i].source.extent,
                      stmt->block.matches[i].source.buffer->ndim);
    }
    if (stmt->block.init)
        look_at_stmt(c, stmt->block.init);
    look_at_stmt(c, stmt->block.body);
}

static void look_at_alloc(struct collector *c, const struct tir_stmt *stmt)
{
    const struct ir_buffer *buffer = stmt->alloc.buffer;

    look_at_exprs(c, buffer->shape, buffer->ndim);
    if (buffer->strides)
        look_at_exprs(c, buffer->strides, buffer->ndim);
    look_at_expr(c, buffer->elem_offset);
    if (stmt->kind == TIR_ALLOC)
        map_set(&c->accesses->private_buffers, buffer, buffer);
    else if (!buffer->data_of)
        c->accesses->is_opaque = true; /* storage behind a bare handle */
}

static void look_at_let(struct collector *c, const struct tir_stmt *stmt)
{
    look_at_expr(c, stmt->let.value);
    if (is_value(stmt->let.value, true))
        bind(c->scope, stmt->let.var, stmt->let.value);
    else
        add_inner(c, stmt->let.var);
}

static void look_at_stmt(struct collector *c, const struct tir_stmt *stmt)
{
    size_t mark = c->scope->values.count;

    c->stmt = stmt;
    switch (stmt->kind) {
    case TIR_SEQ:
        for (unsigned i = 0; i < stmt->seq.count; i++)
            look_at_stmt(c, stmt->seq.items[i]);
        break;
    case TIR_FOR:
        look_at_loop(c, stmt);
        break;
    case TIR_BLOCK:
        look_at_block(c, stmt);
        break;
    case TIR_STORE:
        look_at_expr(c, stmt->store.value);
        look_at_expr(c, stmt->store.predicate);
        look_at_exprs(c, stmt->store.indices, stmt->store.index_count);
        add_access(c, stmt->store.buffer, stmt->store.indices, stmt->store.index_count, true);
        break;
    case TIR_LET:
        look_at_let(c, stmt);
        return; /* bound for what follows */
    case TIR_ALLOC:
    case TIR_DECL:
        look_at_alloc(c, stmt);
        break;
    case TIR_IF:
        look_at_expr(c, stmt->branch.condition);
        look_at_stmt(c, stmt->branch.then_body);
        if (stmt->branch.else_body)
            look_at_stmt(c, stmt->branch.else_body);
        break;
    case TIR_EVALUATE:
        look_at_expr(c, stmt->value);
        break;
    case TIR_ATTR:
        look_at_expr(c, stmt->attr.value);
        if (strncmp(stmt->attr.key, "pragma_", 7) != 0)
            c->accesses->is_opaque = true;
        look_at_stmt(c, stmt->attr.body);
        break;
    case TIR_BREAK:
    case TIR_CONTINUE:
        if (c->loop_depth == 0)
            c->accesses->is_opaque = true;
        break;
    case TIR_WHILE:
    case TIR_ASSERT:
    case TIR_RETURN:
    case TIR_LAUNCH_THREAD:
        c->accesses->is_opaque = true;
        break;
    }
    c->scope->values.count = mark;
}

void loop_accesses_add(struct loop_accesses *accesses, struct loop_scope *scope,
                       const struct tir_stmt *stmt)
{
    struct collector c = {.accesses = accesses, .scope = scope, .stmt = stmt};

    accesses->context = scope->context;
    accesses->arena = scope->arena;
    look_at_stmt(&c, stmt);
}

void loop_accesses_finish(struct loop_accesses *accesses)
{
    array_finish(&accesses->items);
    array_finish(&accesses->inner);
    array_finish(&accesses->ranges);
    map_finish(&accesses->private_buffers);
}

/* ---- elements in indices ---- */

static int param_of(const struct tir_func *func, const struct ir_buffer *buffer)
{
    for (unsigned i = 0; i < func->param_count; i++)
        if (func->params[i].buffer == buffer)
            return (int)i;
    return -1;
}

bool loop_may_share(const struct loop_sharing *sharing, const struct ir_buffer *a_root,
                    const struct ir_buffer *b_root)
{
    if (a_root == b_root || !sharing->may_overlap)
        return a_root == b_root;
    int a = param_of(sharing->func, a_root), b = param_of(sharing->func, b_root);
    return a >= 0 && b >= 0 &&
           sharing->may_overlap[(unsigned)a * sharing->func->param_count + (unsigned)b];
}

struct settle {
    const struct loop_accesses *accesses, *other;
    const struct loop_scope *scope;
    const struct loop_sharing *sharing;
};

static bool writes(const struct settle *settle, const struct loop_accesses *accesses,
                   const struct ir_buffer *root)
{
    if (map_has(&accesses->private_buffers, root))
        return true;
    for (size_t i = 0; i < accesses->items.count; i++)
        if (accesses->items.items[i].is_store &&
            loop_may_share(settle->sharing, accesses->items.items[i].root, root))
            return true;
    return false;
}

static bool is_constant(void *state, const struct ir_expr *a)
{
    const struct settle *settle = state;

    if (a->kind != IR_EXPR_load)
        return true;
    const struct ir_buffer *root = root_of(settle->scope, a->buffer);
    return !writes(settle, settle->accesses, root) &&
           (!settle->other || !writes(settle, settle->other, root));
}

void loop_accesses_settle(struct loop_accesses *accesses, const struct loop_accesses *other,
                          const struct loop_scope *scope, const struct loop_sharing *sharing)
{
    struct settle settle = {accesses, other, scope, sharing};

    for (size_t i = 0; i < accesses->items.count; i++) {
        struct loop_access *access = &accesses->items.items[i];

        for (unsigned k = 0; access->indices && k < access->buffer->ndim; k++)
            if (!ir_expr_walk(access->indices[k], is_constant, &settle))
                access->indices = NULL;
    }
    size_t kept = 0;
    for (size_t i = 0; i < accesses->ranges.count; i++) {
        struct ir_range range = accesses->ranges.items[i];

        if (ir_expr_walk(range.min, is_constant, &settle) &&
            ir_expr_walk(range.extent, is_constant, &settle))
            accesses->ranges.items[kept++] = range;
    }
    accesses->ranges.count = kept;
}
