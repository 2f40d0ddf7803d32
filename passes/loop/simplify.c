/*
 * Simplify: arithmetic of indices and conditions, and the statements that it decides.
 *
 *     for i in range(1):                             for j in range(8):
 *         for j in range(8):                             B[j] = A[j]
 *             if i * 8 + j < 8:            =>
 *                 B[i * 8 + j] = A[(i * 8 + j) % 8]
 *
 * What is known are the ranges of the loops around.  Rules of integers are used only on expressions that
 * the machine computes exactly under these (analysis/access/loop.h): i * 2 // 2 is i unless i * 2 wraps.
 * Floating point stays as it is, but for branches whose condition is decided.  What may fail at run
 * time, an access out of bounds, is dropped only where it provably does not.
 */
#include "analysis/access/index.h"
#include "passes/loop/loop.h"

#include <string.h>

enum { SIZE_LIMIT = 400 };

struct simplifier {
    struct loop_map map;
    struct ir_module *module;
    struct ir_context *context;
    struct ir_ranges ranges;
    struct loop_names names; /* variables of loops that run once -> their value */
    struct map dead;         /* buffers that nothing loads */
};

/* ---- expressions ---- */

static bool is_arithmetic(void *state, const struct ir_expr *a)
{
    return a->kind != IR_EXPR_load && a->kind != IR_EXPR_call && a->kind != IR_EXPR_let &&
           a->dtype.lanes == 1 && (ir_dtype_is_int(a->dtype) || ir_dtype_is_bool(a->dtype));
}

static const struct ir_expr *minus_one(struct simplifier *s, const struct ir_expr *a)
{
    return ir_expr_binary(s->context, IR_EXPR_sub, a, ir_expr_int(s->context, a->dtype, 1));
}

static bool ge(struct simplifier *s, const struct ir_expr *a, const struct ir_expr *b)
{
    return ir_prove_ge(s->context, &s->ranges, a, b);
}

static bool gt(struct simplifier *s, const struct ir_expr *a, const struct ir_expr *b)
{
    return ge(s, minus_one(s, a), b);
}

/* 1 if the comparison @a of exact operands holds for certain, 0 if it never does, else -1. */
static int decide(struct simplifier *s, const struct ir_expr *a)
{
    const struct ir_expr *x = a->operands[0], *y = a->operands[1];

    switch (a->kind) {
    case IR_EXPR_lt:
        return gt(s, y, x) ? 1 : ge(s, x, y) ? 0 : -1;
    case IR_EXPR_le:
        return ge(s, y, x) ? 1 : gt(s, x, y) ? 0 : -1;
    case IR_EXPR_gt:
        return gt(s, x, y) ? 1 : ge(s, y, x) ? 0 : -1;
    case IR_EXPR_ge:
        return ge(s, x, y) ? 1 : gt(s, y, x) ? 0 : -1;
    case IR_EXPR_eq:
    case IR_EXPR_ne:
        if (gt(s, x, y) || gt(s, y, x))
            return a->kind == IR_EXPR_ne;
        return ge(s, x, y) && ge(s, y, x) ? a->kind == IR_EXPR_eq : -1;
    default:
        return -1;
    }
}

static const struct ir_expr *truth(struct simplifier *s, const struct ir_expr *a, bool value)
{
    return ir_expr_at(s->context, a->loc, ir_expr_int(s->context, a->dtype, value));
}

static bool is_literal(const struct ir_expr *a, bool value)
{
    return a->kind == IR_EXPR_int && (a->int_value != 0) == value;
}

static bool is_branch(const struct ir_expr *a)
{
    return a->kind == IR_EXPR_select ||
           (a->kind == IR_EXPR_call && strcmp(a->name, "if_then_else") == 0 &&
            a->operand_count == 3);
}

static bool cannot_fail(struct simplifier *s, const struct ir_expr *a)
{
    return index_cannot_fail(s->context, &s->ranges, a);
}

/* @a whose operands are simple. */
static const struct ir_expr *fold(struct simplifier *s, const struct ir_expr *a)
{
    if (a->kind == IR_EXPR_not && a->operands[0]->kind == IR_EXPR_int)
        return truth(s, a, a->operands[0]->int_value == 0);
    if (a->kind == IR_EXPR_and || a->kind == IR_EXPR_or) {
        bool stops = a->kind == IR_EXPR_or; /* the value that settles it */

        if (is_literal(a->operands[0], !stops))
            return a->operands[1];
        if (is_literal(a->operands[0], stops))
            return a->operands[0];
        if (is_literal(a->operands[1], !stops))
            return a->operands[0];
        if (is_literal(a->operands[1], stops) && cannot_fail(s, a->operands[0]))
            return a->operands[1];
    }
    if (a->kind == IR_EXPR_call && strcmp(a->name, "likely") == 0 &&
        a->operands[0]->kind == IR_EXPR_int)
        return a->operands[0];
    if (is_branch(a) && a->operands[0]->kind == IR_EXPR_int) {
        unsigned taken = a->operands[0]->int_value ? 1 : 2;

        if (a->kind != IR_EXPR_select || cannot_fail(s, a->operands[3 - taken]))
            return a->operands[taken];
    }
    return a;
}

static const struct ir_expr *simplify(struct simplifier *s, const struct ir_expr *a);

static const struct ir_expr *over_simple_operands(struct simplifier *s, const struct ir_expr *a)
{
    const struct ir_expr *small[8], **operands = small;
    bool is_changed = false;

    if (a->operand_count > ARRAY_SIZE(small))
        operands = arena_array(&s->module->arena, const struct ir_expr *, a->operand_count);
    for (unsigned i = 0; i < a->operand_count; i++) {
        operands[i] = simplify(s, a->operands[i]);
        is_changed |= operands[i] != a->operands[i];
    }
    if (is_changed)
        a = ir_expr_with_operands(s->context, a, operands, a->operand_count);
    return fold(s, a);
}

static bool is_exact(struct simplifier *s, const struct ir_expr *a)
{
    return index_is_exact(s->context, &s->ranges, a);
}

/* An integer without elements: the shorter of what it is and its canonical form. */
static const struct ir_expr *simplify_integer(struct simplifier *s, const struct ir_expr *a)
{
    const struct ir_expr *simple = ir_simplify_in(s->context, &s->ranges, a);
    struct ir_interval interval = ir_interval_of(s->context, &s->ranges, a);

    if (interval.low == interval.high && interval.low > INT64_MIN && interval.high < INT64_MAX)
        return ir_expr_at(s->context, a->loc, ir_expr_int(s->context, a->dtype, interval.low));
    return simple->size < a->size ? simple : a;
}

static const struct ir_expr *simplify(struct simplifier *s, const struct ir_expr *a)
{
    if (a->kind == IR_EXPR_int || a->kind == IR_EXPR_float || a->kind == IR_EXPR_string ||
        a->kind == IR_EXPR_var)
        return a;
    if (a->size < SIZE_LIMIT && ir_expr_walk(a, is_arithmetic, NULL)) {
        if (ir_dtype_is_int(a->dtype) && is_exact(s, a))
            return simplify_integer(s, a);
        if (ir_expr_is_compare(a->kind) && ir_dtype_is_int(a->operands[0]->dtype) &&
            is_exact(s, a->operands[0]) && is_exact(s, a->operands[1])) {
            int holds = decide(s, a);

            if (holds >= 0)
                return truth(s, a, holds);
        }
    }
    return over_simple_operands(s, a);
}

static const struct ir_expr *simplify_expr(struct loop_map *map, const struct ir_expr *a)
{
    struct simplifier *s = map->state;

    return simplify(s, loop_copy_expr(s->module, &s->names, a));
}

/* ---- statements ---- */

static struct tir_stmt *simplify_stmt(struct loop_map *map, struct tir_stmt *stmt);

static bool is_nothing(const struct tir_stmt *stmt)
{
    return !stmt || (stmt->kind == TIR_SEQ && stmt->seq.count == 0);
}

/* The body for the only value of the variable. */
static struct tir_stmt *simplify_once(struct loop_map *map, struct tir_stmt *stmt)
{
    struct simplifier *s = map->state;
    const struct ir_expr *min = simplify_expr(map, stmt->loop.min);

    min = ir_expr_cast(s->context, stmt->loop.var->dtype, min);
    map_set(&s->names.vars, stmt->loop.var, (void *)(uintptr_t)min);
    return simplify_stmt(map, stmt->loop.body);
}

static struct tir_stmt *simplify_loop(struct loop_map *map, struct tir_stmt *stmt)
{
    struct simplifier *s = map->state;
    const struct ir_expr *extent = simplify_expr(map, stmt->loop.extent);
    bool is_known = loop_has_fixed_bounds(stmt) && is_exact(s, extent);
    bool is_plain = stmt->loop.kind != TIR_THREAD_BINDING && !stmt->loop.step;

    if (is_known && is_plain) {
        struct ir_interval count = ir_interval_of(s->context, &s->ranges, extent);

        if (count.high <= 0)
            return NULL;
        if (count.low == 1 && count.high == 1 && !loop_has_jump(stmt->loop.body))
            return simplify_once(map, stmt);
    }
    if (loop_has_fixed_bounds(stmt)) {
        struct ir_range range = loop_range(s->module, stmt);

        range.min = loop_copy_expr(s->module, &s->names, range.min);
        range.extent = loop_copy_expr(s->module, &s->names, range.extent);
        array_push(&s->ranges, range);
    }
    size_t mark = s->ranges.count - loop_has_fixed_bounds(stmt);
    struct tir_stmt *result = loop_map_parts(map, stmt);
    s->ranges.count = mark;
    if (is_nothing(result->loop.body) && loop_has_fixed_bounds(stmt) && is_plain)
        return NULL;
    return result;
}

static struct tir_stmt *simplify_branch(struct loop_map *map, struct tir_stmt *stmt)
{
    struct simplifier *s = map->state;
    const struct ir_expr *condition = simplify_expr(map, stmt->branch.condition);

    if (condition->kind == IR_EXPR_int) {
        struct tir_stmt *taken =
            condition->int_value ? stmt->branch.then_body : stmt->branch.else_body;

        return taken ? simplify_stmt(map, taken) : NULL;
    }
    stmt = loop_map_parts(map, stmt);
    if (is_nothing(stmt->branch.then_body) && is_nothing(stmt->branch.else_body) &&
        cannot_fail(s, stmt->branch.condition))
        return NULL;
    if (stmt->branch.else_body && is_nothing(stmt->branch.else_body)) {
        struct tir_stmt *copy = tir_stmt_new(s->module, TIR_IF, stmt->loc);

        *copy = *stmt;
        copy->branch.else_body = NULL;
        return copy;
    }
    return stmt;
}

/* B[i] = B[i], or a store to what nobody loads. */
static bool is_without_effect(struct simplifier *s, const struct tir_stmt *stmt)
{
    const struct ir_expr *value = stmt->store.value;
    bool is_same = value->kind == IR_EXPR_load && value->buffer == stmt->store.buffer &&
                   value->operand_count == stmt->store.index_count;

    for (unsigned i = 0; is_same && i < value->operand_count; i++)
        is_same = ir_expr_equal(value->operands[i], stmt->store.indices[i]);
    if (!is_same && !map_has(&s->dead, stmt->store.buffer))
        return false;
    bool is_safe =
        cannot_fail(s, value) && index_is_inside(s->context, &s->ranges, stmt->store.buffer,
                                                 stmt->store.indices, stmt->store.index_count);
    for (unsigned i = 0; is_safe && i < stmt->store.index_count; i++)
        is_safe = cannot_fail(s, stmt->store.indices[i]);
    return is_safe && (!stmt->store.predicate || cannot_fail(s, stmt->store.predicate));
}

static struct tir_stmt *simplify_stmt(struct loop_map *map, struct tir_stmt *stmt)
{
    struct simplifier *s = map->state;

    switch (stmt->kind) {
    case TIR_FOR:
        return simplify_loop(map, stmt);
    case TIR_IF:
        return simplify_branch(map, stmt);
    case TIR_STORE:
        stmt = loop_map_parts(map, stmt);
        return is_without_effect(s, stmt) ? NULL : stmt;
    case TIR_EVALUATE:
        stmt = loop_map_parts(map, stmt);
        return cannot_fail(s, stmt->value) && stmt->value->kind != IR_EXPR_call ? NULL : stmt;
    default:
        return loop_map_parts(map, stmt);
    }
}

/* A new layout where a variable of it has a value now; and its new name. */
static struct ir_buffer *simplify_buffer(struct loop_map *map, struct ir_buffer *buffer)
{
    struct simplifier *s = map->state;
    struct ir_buffer *copy = arena_new(&s->module->arena, struct ir_buffer);
    const struct ir_expr **dims =
        arena_array(&s->module->arena, const struct ir_expr *, 2 * buffer->ndim + 1);
    bool is_changed = false;

    *copy = *buffer;
    for (unsigned i = 0; i < buffer->ndim; i++) {
        dims[i] = simplify_expr(map, buffer->shape[i]);
        is_changed |= dims[i] != buffer->shape[i];
        if (!buffer->strides)
            continue;
        dims[buffer->ndim + i] = loop_copy_expr(s->module, &s->names, buffer->strides[i]);
        is_changed |= dims[buffer->ndim + i] != buffer->strides[i];
    }
    copy->shape = dims;
    copy->strides = buffer->strides ? dims + buffer->ndim : NULL;
    if (buffer->elem_offset)
        copy->elem_offset = loop_copy_expr(s->module, &s->names, buffer->elem_offset);
    if (buffer->data_of && map_has(&s->names.buffers, buffer->data_of))
        copy->data_of = map_get(&s->names.buffers, buffer->data_of);
    if (!is_changed && copy->elem_offset == buffer->elem_offset && copy->data_of == buffer->data_of)
        return buffer;
    map_set(&s->names.buffers, buffer, copy);
    return copy;
}

static const struct ir_buffer *renamed_buffer(struct loop_map *map, const struct ir_buffer *buffer)
{
    struct simplifier *s = map->state;
    const struct ir_buffer *other = map_get(&s->names.buffers, buffer);

    return other ? other : buffer;
}

struct tir_stmt *loop_simplify(const struct tir_func *func)
{
    struct simplifier s = {.module = func->module, .context = func->module->context};

    s.map = (struct loop_map){
        .module = func->module,
        .state = &s,
        .stmt = simplify_stmt,
        .expr = simplify_expr,
        .buffer = renamed_buffer,
        .define_buffer = simplify_buffer,
    };
    if (loop_is_plain(func->body)) /* blocks say what they write, used or not */
        loop_dead_buffers(func->body, &s.dead);
    struct tir_stmt *body = simplify_stmt(&s.map, func->body);
    array_finish(&s.ranges);
    map_finish(&s.dead);
    loop_names_finish(&s.names);
    body = body ? body : tir_stmt_new(func->module, TIR_SEQ, func->body->loc);
    return loop_is_plain(body) ? loop_drop_allocations(func->module, body) : body;
}

static struct tir_stmt *simplify_kernel(void *state, const struct tir_func *func)
{
    return loop_simplify(func);
}

enum pass_result pass_simplify(struct pass_run *run)
{
    return loop_rewrite_kernels(run, simplify_kernel, NULL);
}
