/*
 * Blocks: axes bound to values, a predicate, and the init of reductions.
 *
 * Init runs where all reduction axes are at their first value.  Tested in the innermost loop, this
 * would keep LLVM from vectorizing and from holding the sum in a register.  So where a nest of loops
 * is nothing but the reduction of one block, init is emitted before the nest:
 *
 *     for k: if k == 0: C = 0; C += ..      ->      if extent > 0: C = 0; for k: C += ..
 */
#include "codegen/llvm/kernel.h"

#define BUILD(what, ...) LLVMBuild##what(cg->builder, __VA_ARGS__, "")

static void learn_axis(struct cg_body *body, const struct tir_axis *axis)
{
    if (cg_range_is_proved(body, axis->value, axis->min, axis->extent))
        cg_facts_add_range(body, axis->var, axis->min, axis->extent);
    else
        cg_facts_add_value(body, axis->var, axis->value);
}

static bool bind_axis(struct cg_body *body, const struct tir_axis *axis,
                      const struct ir_expr *value_expr)
{
    struct cg *cg = body->cg;
    if (!cg_check_dtype(body, axis->var->dtype))
        return false;
    LLVMValueRef value = cg_expr(body, value_expr);
    if (!value)
        return false;
    struct ir_dtype from = value_expr->dtype, to = axis->var->dtype;
    map_set(&cg->vars, axis->var, cg_cast(cg, value, from, to));
    return cg_bind_first(body, axis->var, value_expr);
}

/* True where all reduction axes that @is_inner says nothing of are at their first value. */
static LLVMValueRef first_condition(struct cg_body *body, const struct tir_stmt *stmt,
                                    const bool *is_inner)
{
    struct cg *cg = body->cg;
    LLVMValueRef all = LLVMConstInt(cg->i1, 1, false);
    for (unsigned i = 0; i < stmt->block.axis_count; i++) {
        const struct tir_axis *axis = &stmt->block.axes[i];
        if (axis->kind != TIR_REDUCE || (is_inner && is_inner[i]))
            continue;
        LLVMValueRef min = cg_expr(body, axis->min);
        if (!min)
            return NULL;
        LLVMValueRef values[] = {map_get(&cg->vars, axis->var),
                                 cg_cast(cg, min, axis->min->dtype, axis->var->dtype)};
        cg_match_lanes(cg, values, 2);
        LLVMValueRef tests[] = {all, cg_compare(cg, LLVMIntEQ, values[0], values[1])};
        cg_match_lanes(cg, tests, 2);
        all = BUILD(And, tests[0], tests[1]);
    }
    return all;
}

static bool emit_init(struct cg_body *body, const struct tir_stmt *stmt, LLVMValueRef condition)
{
    bool is_always = LLVMIsAConstantInt(condition) && LLVMConstIntGetZExtValue(condition);
    if (is_always)
        return cg_stmt(body, stmt->block.init);
    struct cg_guard guard = cg_guard_begin(body, condition);
    bool is_fine = cg_stmt(body, stmt->block.init);
    cg_guard_end(body, guard);
    return is_fine;
}

static bool emit_inside(struct cg_body *body, const struct tir_stmt *stmt)
{
    for (unsigned i = 0; i < stmt->block.alloc_count; i++)
        if (!cg_emit_alloc(body, stmt->block.allocs[i], false))
            return false;
    for (unsigned i = 0; i < stmt->block.match_count; i++)
        if (!cg_emit_match(body, &stmt->block.matches[i]))
            return false;
    if (stmt->block.init && !cg_is_hoisted(body, stmt)) {
        LLVMValueRef condition = first_condition(body, stmt, NULL);
        if (!condition || !emit_init(body, stmt, condition))
            return false;
    }
    cg_set_location(body->cg, stmt->loc);
    return cg_stmt(body, stmt->block.body);
}

bool cg_emit_block(struct cg_body *body, const struct tir_stmt *stmt)
{
    struct cg_facts facts = cg_facts_mark(body);
    size_t taken = body->taken.count;
    for (unsigned i = 0; i < stmt->block.axis_count; i++)
        if (!bind_axis(body, &stmt->block.axes[i], stmt->block.axes[i].value))
            return false;
    for (unsigned i = 0; i < stmt->block.axis_count; i++)
        learn_axis(body, &stmt->block.axes[i]);
    bool is_guarded = stmt->block.predicate && !ir_expr_is_int(stmt->block.predicate, 1);
    struct cg_guard guard = {0};
    if (is_guarded) {
        LLVMValueRef condition = cg_expr(body, stmt->block.predicate);
        if (!condition)
            return false;
        guard = cg_guard_begin(body, condition);
    }
    if (!emit_inside(body, stmt))
        return false;
    cg_give_scratch(body, taken, true);
    cg_facts_reset(body, facts);
    if (is_guarded)
        cg_guard_end(body, guard);
    return true;
}

/* --- init before the loops --- */

enum { NEST_LIMIT = 16 };

struct nest {
    const struct tir_stmt *block;
    const struct tir_stmt *loops[NEST_LIMIT];
    unsigned loop_count;
    bool *is_inner; /* by axis: a reduction axis that runs with one of the loops */
};

/* Fills in loops and block; false if @stmt is no perfect nest around a block with init. */
static bool find_nest(const struct tir_stmt *stmt, struct nest *nest)
{
    while (stmt->kind == TIR_FOR || (stmt->kind == TIR_SEQ && stmt->seq.count == 1)) {
        if (stmt->kind == TIR_FOR) {
            if (nest->loop_count == NEST_LIMIT || stmt->loop.step ||
                stmt->loop.kind == TIR_THREAD_BINDING)
                return false;
            nest->loops[nest->loop_count++] = stmt;
            stmt = stmt->loop.body;
        } else {
            stmt = stmt->seq.items[0];
        }
    }
    nest->block = stmt;
    return stmt->kind == TIR_BLOCK && stmt->block.init && !stmt->block.alloc_count &&
           !stmt->block.match_count &&
           (!stmt->block.predicate || ir_expr_is_int(stmt->block.predicate, 1));
}

/* The reduction axis that is just @loop's variable over the same range, or NULL. */
static const struct tir_axis *axis_of_loop(struct cg_body *body, const struct nest *nest,
                                           const struct tir_stmt *loop)
{
    for (unsigned i = 0; i < nest->block->block.axis_count; i++) {
        const struct tir_axis *axis = &nest->block->block.axes[i];
        if (axis->kind == TIR_REDUCE && axis->value->kind == IR_EXPR_var &&
            axis->value->var == loop->loop.var &&
            ir_prove_equal(body->cg->ir, axis->min, loop->loop.min))
            return axis;
    }
    return NULL;
}

static bool is_other_var(void *state, const struct ir_expr *e)
{
    return !ir_expr_uses_var(e, state);
}

static bool is_free_of(void *state, struct tir_stmt *stmt)
{
    return tir_stmt_walk_exprs(stmt, is_other_var, state);
}

/* Nothing else may depend on the loops: then init does not, and runs once. */
static bool is_reduction_only(struct cg_body *body, struct nest *nest)
{
    const struct tir_stmt *block = nest->block;
    for (unsigned i = 0; i < nest->loop_count; i++) {
        const struct tir_stmt *loop = nest->loops[i];
        const struct tir_axis *own = axis_of_loop(body, nest, loop);
        if (!own)
            return false;
        union {
            const struct ir_var *var;
            void *state;
        } used = {.var = loop->loop.var};
        if (!tir_stmt_walk(block->block.init, is_free_of, used.state))
            return false;
        nest->is_inner[own - block->block.axes] = true;
        for (unsigned j = 0; j < block->block.axis_count; j++)
            if (&block->block.axes[j] != own &&
                ir_expr_uses_var(block->block.axes[j].value, loop->loop.var))
                return false;
        for (unsigned j = i + 1; j < nest->loop_count; j++)
            if (ir_expr_uses_var(nest->loops[j]->loop.min, loop->loop.var) ||
                ir_expr_uses_var(nest->loops[j]->loop.extent, loop->loop.var))
                return false;
    }
    return true;
}

/* True where every loop of the nest runs at least once. */
static LLVMValueRef runs_condition(struct cg_body *body, const struct nest *nest)
{
    struct cg *cg = body->cg;
    LLVMValueRef all = LLVMConstInt(cg->i1, 1, false);
    for (unsigned i = 0; i < nest->loop_count; i++) {
        LLVMValueRef extent = cg_expr(body, nest->loops[i]->loop.extent);
        if (!extent)
            return NULL;
        LLVMIntPredicate above =
            nest->loops[i]->loop.extent->dtype.code == IR_INT ? LLVMIntSGT : LLVMIntUGT;
        LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(extent));
        all = BUILD(And, all, cg_compare(cg, above, extent, zero));
    }
    return all;
}

bool cg_hoist_init(struct cg_body *body, const struct tir_stmt *stmt,
                   const struct tir_stmt **out_block)
{
    struct cg *cg = body->cg;
    struct nest nest = {0};
    *out_block = NULL;
    if (!find_nest(stmt, &nest) || cg_is_hoisted(body, nest.block))
        return true;
    unsigned count = nest.block->block.axis_count;
    nest.is_inner = arena_array(&cg->arena, bool, count ? count : 1);
    if (!is_reduction_only(body, &nest))
        return true;
    struct cg_facts facts = cg_facts_mark(body);
    for (unsigned i = 0; i < count; i++) {
        const struct tir_axis *axis = &nest.block->block.axes[i];
        if (!bind_axis(body, axis, nest.is_inner[i] ? axis->min : axis->value))
            return false;
        if (!nest.is_inner[i])
            learn_axis(body, axis);
    }
    LLVMValueRef runs = runs_condition(body, &nest);
    LLVMValueRef first = runs ? first_condition(body, nest.block, nest.is_inner) : NULL;
    if (!first || !emit_init(body, nest.block, BUILD(And, runs, first)))
        return false;
    cg_facts_reset(body, facts);
    map_set(&body->hoisted, nest.block, nest.block);
    *out_block = nest.block;
    return true;
}
