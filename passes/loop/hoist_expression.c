/*
 * HoistExpression: what is the same in all iterations of a loop moves in front of it.
 *
 *     for j in range(64):                            t: T.let = T.sqrt(v[i] + 1e-5)
 *         if n > 4:                                  if n > 4:
 *             B[i, j] = A[i, j] /          =>            for j in range(64):
 *                 T.sqrt(v[i] + 1e-5)                        B[i, j] = A[i, j] / t
 *
 * Expressions of floating point that compute something, and conditions of an `if` that is all of the
 * loop's body.  The value must be the same in each iteration: no variable of the loop, no buffer that it
 * writes.  In front of the loop it is also computed where the loop, or the branch that it was in,
 * does not run; so only what can do no harm there moves: no access that may be out of bounds.
 */
#include "analysis/access/index.h"
#include "passes/loop/loop.h"

enum { HOIST_LIMIT = 32, SIZE_LIMIT = 2000 }; /* expressions of one loop; nodes of one */

struct hoisting {
    struct ir_module *module;
    struct ir_context *context;
    struct ir_ranges ranges; /* of the loops around */
};

/* One loop, and what changes in it. */
struct varying {
    struct hoisting *h;
    struct map inside; /* variables and buffers that are defined or written in it */
    bool is_opaque;    /* it writes where this cannot see */
    struct {
        const struct ir_expr *value, *text; /* text: with the names of those before */
        const struct ir_var *name;
    } moved[HOIST_LIMIT];
    unsigned moved_count;
};

/* ---- what changes ---- */

static bool note_expr(void *state, const struct ir_expr *a)
{
    struct varying *v = state;

    if (a->kind == IR_EXPR_let)
        map_set(&v->inside, a->var, a->var);
    v->is_opaque |= (a->kind == IR_EXPR_call && !index_call_is_pure(a)) ||
                    (a->kind == IR_EXPR_var && a->dtype.code == IR_HANDLE);
    return true;
}

static bool note_exprs(void *state, const struct ir_expr *a)
{
    return ir_expr_walk(a, note_expr, state);
}

static bool note_stmt(void *state, struct tir_stmt *stmt)
{
    struct varying *v = state;

    tir_stmt_walk_exprs(stmt, note_exprs, v);
    if (stmt->kind == TIR_STORE) {
        map_set(&v->inside, stmt->store.buffer, stmt);
        v->is_opaque |= stmt->store.buffer->data_of != NULL; /* it may show any other */
    }
    if (stmt->kind == TIR_FOR)
        map_set(&v->inside, stmt->loop.var, stmt);
    if (stmt->kind == TIR_LET)
        map_set(&v->inside, stmt->let.var, stmt);
    if (stmt->kind == TIR_ALLOC || stmt->kind == TIR_DECL)
        map_set(&v->inside, stmt->alloc.buffer, stmt);
    v->is_opaque |= stmt->kind == TIR_LAUNCH_THREAD || stmt->kind == TIR_BLOCK;
    return true;
}

static bool is_same(void *state, const struct ir_expr *a)
{
    struct varying *v = state;

    if (a->kind == IR_EXPR_let)
        return false;
    if (a->kind == IR_EXPR_var)
        return !map_has(&v->inside, a->var);
    /* another look at storage may show what is written under its own name */
    return a->kind != IR_EXPR_load ||
           (!a->buffer->data_of && !map_has(&v->inside, a->buffer) && !v->is_opaque);
}

/* Has the value of @a the same bits in each iteration, and does computing it in front do no harm? */
static bool can_move(struct varying *v, const struct ir_expr *a)
{
    return a->size < SIZE_LIMIT && a->dtype.lanes == 1 && ir_expr_walk(a, is_same, v) &&
           index_cannot_fail(v->h->context, &v->h->ranges, a);
}

/* ---- expressions ---- */

static bool computes(const struct ir_expr *a)
{
    bool is_leaf = a->operand_count == 0 || a->kind == IR_EXPR_load ||
                   (a->kind == IR_EXPR_cast && a->operands[0]->operand_count == 0);

    return ir_dtype_is_float(a->dtype) && !is_leaf;
}

static const struct ir_expr *known_name(struct varying *v, const struct ir_expr *a)
{
    for (unsigned i = 0; i < v->moved_count; i++)
        if (ir_expr_equal(v->moved[i].value, a))
            return ir_expr_var(v->h->context, v->moved[i].name);
    return NULL;
}

/* @a over the names of what has moved before. */
static const struct ir_expr *with_names(struct varying *v, const struct ir_expr *a)
{
    const struct ir_expr *small[8], **operands = small;
    const struct ir_expr *name = computes(a) ? known_name(v, a) : NULL;
    bool is_changed = false;

    if (name || a->operand_count > ARRAY_SIZE(small))
        return name ? name : a;
    for (unsigned i = 0; i < a->operand_count; i++) {
        operands[i] = with_names(v, a->operands[i]);
        is_changed |= operands[i] != a->operands[i];
    }
    return is_changed ? ir_expr_with_operands(v->h->context, a, operands, a->operand_count) : a;
}

static const struct ir_expr *name_of(struct varying *v, const struct ir_expr *a)
{
    const struct ir_expr *known = known_name(v, a);

    if (known || v->moved_count == HOIST_LIMIT)
        return known;
    struct ir_var *name = ir_symbol_new(v->h->context, "t", a->dtype);
    name->is_symbol = false;
    name->loc = a->loc;
    v->moved[v->moved_count].text = with_names(v, a);
    v->moved[v->moved_count].value = a;
    v->moved[v->moved_count++].name = name;
    return ir_expr_var(v->h->context, name);
}

/* The largest expressions that can move, from the top. */
static const struct ir_expr *hoist_expr(struct varying *v, const struct ir_expr *a)
{
    const struct ir_expr *small[8], **operands = small;
    bool is_changed = false;

    if (computes(a) && can_move(v, a)) {
        const struct ir_expr *name = name_of(v, a);

        return name ? ir_expr_at(v->h->context, a->loc, name) : a;
    }
    if (a->operand_count > ARRAY_SIZE(small))
        operands = arena_array(&v->h->module->arena, const struct ir_expr *, a->operand_count);
    for (unsigned i = 0; i < a->operand_count; i++) {
        operands[i] = hoist_expr(v, a->operands[i]);
        is_changed |= operands[i] != a->operands[i];
    }
    return is_changed ? ir_expr_with_operands(v->h->context, a, operands, a->operand_count) : a;
}

static const struct ir_expr *map_expr(struct loop_map *map, const struct ir_expr *a)
{
    return hoist_expr(map->state, a);
}

/* ---- loops ---- */

static struct tir_stmt *hoist_stmt(struct loop_map *map, struct tir_stmt *stmt);

/* The `if` that is all of @loop's body, if its condition can move. */
static struct tir_stmt *movable_branch(struct varying *v, const struct tir_stmt *loop)
{
    struct tir_stmt *body = loop->loop.body;

    while (body->kind == TIR_SEQ && body->seq.count == 1)
        body = body->seq.items[0];
    return body->kind == TIR_IF && can_move(v, body->branch.condition) &&
                   !loop_has_jump(loop->loop.body)
               ? body
               : NULL;
}

static struct tir_stmt *hoist_branch(struct loop_map *map, struct tir_stmt *loop,
                                     struct tir_stmt *branch)
{
    struct ir_module *module = map->module;
    struct tir_stmt *result = tir_stmt_new(module, TIR_IF, branch->loc);

    *result = *branch;
    result->branch.then_body = loop_with_body(module, loop, branch->branch.then_body);
    if (branch->branch.else_body) {
        struct tir_stmt *other = loop_with_body(module, loop, branch->branch.else_body);

        result->branch.else_body = loop_copy_fresh(module, other);
    }
    return hoist_stmt(map, result);
}

static struct tir_stmt *hoist_loop(struct loop_map *map, struct tir_stmt *loop)
{
    struct hoisting *h = map->state;
    struct varying v = {.h = h};
    struct tir_stmt *lets = NULL;

    map_set(&v.inside, loop->loop.var, loop);
    tir_stmt_walk(loop->loop.body, note_stmt, &v);
    struct tir_stmt *branch = loop_has_fixed_bounds(loop) ? movable_branch(&v, loop) : NULL;
    if (branch) {
        map_finish(&v.inside);
        return hoist_branch(map, loop, branch);
    }
    struct loop_map parts = {
        .module = h->module, .state = &v, .stmt = loop_map_parts, .expr = map_expr};
    struct tir_stmt *body = loop_map_parts(&parts, loop->loop.body);
    map_finish(&v.inside);
    for (unsigned i = 0; i < v.moved_count; i++) {
        struct tir_stmt *let = tir_stmt_new(h->module, TIR_LET, v.moved[i].value->loc);

        let->let.var = v.moved[i].name;
        let->let.value = v.moved[i].text;
        lets = loop_both(h->module, lets, let);
    }
    if (body != loop->loop.body)
        loop = loop_with_body(h->module, loop, body);
    bool is_known = loop_has_fixed_bounds(loop);
    if (is_known)
        array_push(&h->ranges, loop_range(h->module, loop));
    loop = loop_map_parts(map, loop);
    h->ranges.count -= is_known;
    return loop_both(h->module, lets, loop);
}

static struct tir_stmt *hoist_stmt(struct loop_map *map, struct tir_stmt *stmt)
{
    if (stmt->kind == TIR_FOR && stmt->loop.kind != TIR_THREAD_BINDING)
        return hoist_loop(map, stmt);
    return loop_map_parts(map, stmt);
}

struct tir_stmt *loop_hoist(const struct tir_func *func)
{
    struct hoisting h = {.module = func->module, .context = func->module->context};
    struct loop_map map = {.module = func->module, .state = &h, .stmt = hoist_stmt};

    if (!loop_is_plain(func->body))
        return func->body;
    struct tir_stmt *body = hoist_stmt(&map, func->body);
    array_finish(&h.ranges);
    return body;
}

static struct tir_stmt *hoist_kernel(void *state, const struct tir_func *func)
{
    return loop_hoist(func);
}

enum pass_result pass_hoist_expression(struct pass_run *run)
{
    return loop_rewrite_kernels(run, hoist_kernel, NULL);
}
