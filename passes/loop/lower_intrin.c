/*
 * LowerIntrin: writes functions of float32 in kernels as arithmetic.
 *
 *     B[i] = T.exp(A[i])    =>    B[i] = T.Let(.. T.fma(..) .. T.reinterpret(..) .., where={x: A[i]})
 *
 * Then the loop around has no calls and runs on vectors, and the interpreter computes the bits of the
 * compiled code whatever C library is there.  float16 and bfloat16 are widened first and rounded after, as
 * all their arithmetic is.  float64, vectors and functions without a row stay calls.
 *
 * With fma="target", powers of two are multiplied by T.ldexp where that is one instruction (AVX-512), else in
 * nine: the bits are the same.
 *
 * What is used twice is bound with T.Let inside of the expression, not by a statement in front: so nothing is
 * evaluated that a T.if_then_else around would have skipped, and each load stays in its store, where the
 * in-place proof looks for it.
 */
#include "passes/loop/lower_intrin.h"

#include "passes/pass.h"

#include <string.h>

/* Text can be nested no deeper than IR_EXPR_DEPTH_LIMIT; what is above this limit stays a call. */
enum { DEPTH_LIMIT = IR_EXPR_DEPTH_LIMIT / 2 };

struct lowering {
    struct ir_module *module;
    bool has_fma, has_ldexp, is_changed;
    struct map far; /* calls for large arguments that an earlier run of this pass left */
};

static bool is_lowered(const struct ir_expr *e)
{
    struct ir_dtype dtype = e->dtype;

    return e->kind == IR_EXPR_call && e->operand_count > 0 && ir_dtype_is_float(dtype) &&
           dtype.bits <= 32 && dtype.lanes == 1 && ir_dtype_equal(e->operands[0]->dtype, dtype) &&
           intrin_is_known(e);
}

static bool note_far(void *state, const struct ir_expr *e)
{
    struct lowering *l = state;
    const struct ir_expr *far = intrin_far_call(e);

    if (far)
        map_set(&l->far, far, l);
    return true;
}

static bool note_far_below(void *state, const struct ir_expr *e)
{
    return ir_expr_walk(e, note_far, state);
}

static bool note_far_calls(void *state, struct tir_stmt *stmt)
{
    return tir_stmt_walk_exprs(stmt, note_far_below, state);
}

static const struct ir_expr *lower_call(void *state, const struct ir_expr *e)
{
    struct lowering *l = state;
    struct ir_context *ir = l->module->context;
    struct ir_dtype dtype = e->dtype;

    if (!is_lowered(e) || map_has(&l->far, e))
        return e;
    const struct ir_expr *x = ir_expr_cast(ir, IR_F32, e->operands[0]);
    const struct ir_expr *result = intrin_expand(ir, e, l->has_fma, l->has_ldexp, x);

    if (result->depth > DEPTH_LIMIT)
        return e;
    l->is_changed = true;
    return ir_expr_at(ir, e->loc, ir_expr_cast(ir, dtype, result));
}

static const struct ir_expr *lower_expr(struct lowering *l, const struct ir_expr *e)
{
    return e ? ir_expr_rewrite(l->module->context, e, lower_call, l) : NULL;
}

static void lower_list(struct lowering *l, const struct ir_expr *const **list, unsigned count)
{
    const struct ir_expr **copy = arena_array(&l->module->arena, const struct ir_expr *, count);

    for (unsigned i = 0; i < count; i++)
        copy[i] = lower_expr(l, (*list)[i]);
    *list = copy;
}

static struct tir_stmt *lower_stmt(struct lowering *l, const struct tir_stmt *stmt);

static void lower_child(struct lowering *l, struct tir_stmt **child)
{
    if (*child)
        *child = lower_stmt(l, *child);
}

/* Bounds of loops and axes of blocks are integers that no function of floats is near. */
static struct tir_stmt *lower_stmt(struct lowering *l, const struct tir_stmt *stmt)
{
    struct tir_stmt *copy = tir_stmt_new(l->module, stmt->kind, stmt->loc);

    *copy = *stmt;
    switch (stmt->kind) {
    case TIR_SEQ:
        copy->seq.items = arena_array(&l->module->arena, struct tir_stmt *, stmt->seq.count);
        for (unsigned i = 0; i < stmt->seq.count; i++)
            copy->seq.items[i] = lower_stmt(l, stmt->seq.items[i]);
        break;
    case TIR_FOR:
        lower_child(l, &copy->loop.body);
        break;
    case TIR_BLOCK:
        copy->block.predicate = lower_expr(l, stmt->block.predicate);
        lower_child(l, &copy->block.init);
        lower_child(l, &copy->block.body);
        break;
    case TIR_STORE:
        lower_list(l, &copy->store.indices, stmt->store.index_count);
        copy->store.value = lower_expr(l, stmt->store.value);
        copy->store.predicate = lower_expr(l, stmt->store.predicate);
        break;
    case TIR_LET:
        copy->let.value = lower_expr(l, stmt->let.value);
        break;
    case TIR_IF:
        copy->branch.condition = lower_expr(l, stmt->branch.condition);
        lower_child(l, &copy->branch.then_body);
        lower_child(l, &copy->branch.else_body);
        break;
    case TIR_WHILE:
        copy->while_loop.condition = lower_expr(l, stmt->while_loop.condition);
        lower_child(l, &copy->while_loop.body);
        break;
    case TIR_EVALUATE:
    case TIR_RETURN:
        copy->value = lower_expr(l, stmt->value);
        break;
    case TIR_ASSERT:
        copy->assertion.condition = lower_expr(l, stmt->assertion.condition);
        break;
    case TIR_ATTR:
        lower_child(l, &copy->attr.body);
        break;
    case TIR_LAUNCH_THREAD:
        lower_child(l, &copy->launch.body);
        break;
    case TIR_ALLOC:
    case TIR_DECL:
    case TIR_BREAK:
    case TIR_CONTINUE:
        break;
    }
    return copy;
}

/* ---- kernels that have nothing to lower, most of them, are not copied ---- */

static bool look_at(void *state, const struct ir_expr *e)
{
    const struct lowering *l = state;

    return !is_lowered(e) || map_has(&l->far, e);
}

static bool look_below(void *state, const struct ir_expr *e)
{
    return ir_expr_walk(e, look_at, state);
}

static bool look_at_stmt(void *state, struct tir_stmt *stmt)
{
    return tir_stmt_walk_exprs(stmt, look_below, state);
}

enum pass_result pass_lower_intrin(struct pass_run *run)
{
    struct lowering l = {.module = run->module};
    bool is_changed = false;

    if (!pass_option_fma(run, &l.has_fma))
        return PASS_FAILED;
    /* Who says whether there is fused multiply-add gets one text on all machines. */
    l.has_ldexp = strcmp(pass_option_string(run, "fma"), "target") == 0 &&
                  target_has(&run->target, TARGET_AVX512F) &&
                  target_has(&run->target, TARGET_AVX512VL);
    for (size_t i = 0; i < run->module->global_count; i++) {
        struct ir_global *global = run->module->globals[i];

        if (global->kind != IR_GLOBAL_KERNEL)
            continue;
        tir_stmt_walk(global->kernel->body, note_far_calls, &l);
        if (tir_stmt_walk(global->kernel->body, look_at_stmt, &l))
            continue;
        l.is_changed = false;
        struct tir_stmt *body = lower_stmt(&l, global->kernel->body);
        if (l.is_changed)
            global->kernel->body = body;
        is_changed |= l.is_changed;
    }
    map_finish(&l.far);
    return is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}
