/*
 * Where the init of a reduction goes: in front of the reduction loops.
 *
 *     for k, j: { if k == 0: C[j] = 0; C[j] += .. }    =>    for j: C[j] = 0
 *                                                            for k, j: C[j] += ..
 *
 * Needed for that: a perfect nest of loops around the block; each reduction axis is a sum of loop
 * variables with positive factors, so that it is at its start only if all of these loops are; nothing
 * else depends on these loops; and where other loops lie inside, init of one of their iterations
 * touches nothing that an earlier one's body does.  Where a reduction loop may run no iteration, init
 * must not run either: `if m > 0`.
 */
#include "analysis/access/index.h"
#include "analysis/access/loop.h"
#include "passes/loop/lower_blocks.h"

enum { NEST_LIMIT = 16 };

struct nest {
    struct tir_stmt *loops[NEST_LIMIT], *block;
    bool is_reduction[NEST_LIMIT];
    unsigned count;
};

static bool is_no_load(void *state, const struct ir_expr *a)
{
    return a->kind != IR_EXPR_load && a->kind != IR_EXPR_call && a->kind != IR_EXPR_let;
}

static bool find_nest(struct tir_stmt *stmt, struct nest *nest)
{
    while (stmt->kind == TIR_FOR) {
        if (nest->count == NEST_LIMIT || stmt->loop.step || stmt->loop.kind == TIR_THREAD_BINDING ||
            !ir_expr_walk(stmt->loop.min, is_no_load, NULL) ||
            !ir_expr_walk(stmt->loop.extent, is_no_load, NULL))
            return false;
        nest->loops[nest->count++] = stmt;
        stmt = stmt->loop.body;
        while (stmt->kind == TIR_SEQ && stmt->seq.count == 1)
            stmt = stmt->seq.items[0];
    }
    nest->block = stmt;
    return stmt->kind == TIR_BLOCK && stmt->block.init && !stmt->block.alloc_count &&
           !stmt->block.match_count;
}

/* The first loop from @from on whose variable @a uses; nest->count if none. */
static unsigned used_loop(const struct nest *nest, const struct ir_expr *a, unsigned from)
{
    while (from < nest->count && !ir_expr_uses_var(a, nest->loops[from]->loop.var))
        from++;
    return from;
}

static bool uses_reduction(const struct nest *nest, const struct ir_expr *a)
{
    unsigned i = a ? used_loop(nest, a, 0) : nest->count;

    while (i < nest->count && !nest->is_reduction[i])
        i = used_loop(nest, a, i + 1);
    return i < nest->count;
}

/* Is the value of @axis its minimum exactly where all loops that it uses are at theirs? */
static bool starts_with_loops(struct block_lowering *l, struct nest *nest,
                              const struct tir_axis *axis)
{
    struct ir_context *context = l->module->context;
    struct loop_names first = {0};
    struct ir_ranges ranges = {0};
    bool is_fine = ir_expr_walk(axis->value, is_no_load, NULL);

    for (unsigned i = 0; i < nest->count; i++)
        array_push(&ranges, loop_range(l->module, nest->loops[i]));
    is_fine = is_fine && index_is_exact(context, &ranges, axis->value);
    for (unsigned i = used_loop(nest, axis->value, 0); is_fine && i < nest->count;
         i = used_loop(nest, axis->value, i + 1)) {
        const struct ir_var *var = nest->loops[i]->loop.var;
        const struct ir_expr *min = ir_expr_cast(context, var->dtype, nest->loops[i]->loop.min),
                             *rest;
        int64_t factor;

        is_fine = ir_expr_linear(context, axis->value, var, &factor, &rest) && factor > 0;
        map_set(&first.vars, var, (void *)(uintptr_t)min);
        nest->is_reduction[i] = true;
    }
    if (is_fine && used_loop(nest, axis->value, 0) < nest->count) {
        const struct ir_expr *start = loop_copy_expr(l->module, &first, axis->value);
        const struct ir_expr *min = ir_expr_cast(context, start->dtype, axis->min);

        is_fine = ir_prove_equal(context, start, min);
    }
    loop_names_finish(&first);
    array_finish(&ranges);
    return is_fine;
}

/* Does nothing but reduction axes depend on the reduction loops, the first of which is the first? */
static bool is_separable(struct block_lowering *l, struct nest *nest)
{
    const struct tir_stmt *block = nest->block;

    for (unsigned i = 0; i < block->block.axis_count; i++)
        if (block->block.axes[i].kind == TIR_REDUCE &&
            !starts_with_loops(l, nest, &block->block.axes[i]))
            return false;
    if (nest->count == 0 || !nest->is_reduction[0])
        return false;
    for (unsigned i = 0; i < block->block.axis_count; i++)
        if (block->block.axes[i].kind != TIR_REDUCE &&
            (uses_reduction(nest, block->block.axes[i].value) ||
             !ir_expr_walk(block->block.axes[i].value, is_no_load, NULL)))
            return false;
    const struct ir_expr *predicate = block->block.predicate;
    if (predicate &&
        (uses_reduction(nest, predicate) || !ir_expr_walk(predicate, is_no_load, NULL)))
        return false;
    for (unsigned i = 0; i < nest->count; i++)
        if (used_loop(nest, nest->loops[i]->loop.min, 0) < nest->count ||
            used_loop(nest, nest->loops[i]->loop.extent, 0) < nest->count)
            return false;
    return true;
}

/* The loops of @nest from @from on around @body: all, or only those that are no reduction. */
static struct tir_stmt *wrap(struct block_lowering *l, const struct nest *nest, unsigned from,
                             bool with_reductions, struct tir_stmt *body)
{
    for (unsigned i = nest->count; i-- > from;) {
        if (nest->is_reduction[i] && !with_reductions)
            continue;
        struct tir_stmt *loop = loop_with_body(l->module, nest->loops[i], body);
        loop->loop.min = block_expr(l, loop->loop.min);
        loop->loop.extent = block_expr(l, loop->loop.extent);
        body = loop;
    }
    return body;
}

/* The reduction loops around @body, and around these the others from @from on. */
static struct tir_stmt *wrap_sorted(struct block_lowering *l, const struct nest *nest,
                                    unsigned from, struct tir_stmt *body)
{
    for (unsigned i = nest->count; i-- > 0;)
        if (nest->is_reduction[i])
            body = loop_with_body(l->module, nest->loops[i], body);
    return wrap(l, nest, from, false, body);
}

/* May all inits run before all bodies?  Asked of each loop that both are in, the outer ones fixed. */
static bool may_go_first(struct block_lowering *l, const struct nest *nest, struct tir_stmt *init,
                         struct tir_stmt *body)
{
    for (unsigned i = 0; i < nest->count; i++) {
        if (nest->is_reduction[i])
            continue;
        if (!loop_can_fuse(l->func, wrap(l, nest, i, false, init), wrap_sorted(l, nest, i, body)))
            return false;
    }
    return true;
}

/* True where all reduction loops run, and axes that they do not move are at their start. */
static const struct ir_expr *runs(struct block_lowering *l, const struct nest *nest)
{
    struct ir_context *context = l->module->context;
    const struct ir_expr *all = NULL;

    for (unsigned i = 0; i < nest->count; i++) {
        const struct ir_expr *extent = block_expr(l, nest->loops[i]->loop.extent);
        const struct ir_expr *zero = ir_expr_int(context, extent->dtype, 0);

        if (nest->is_reduction[i] && ir_interval_of(context, &l->ranges, extent).low < 1)
            all = loop_and(l->module, all, ir_expr_binary(context, IR_EXPR_gt, extent, zero));
    }
    for (unsigned i = 0; i < nest->block->block.axis_count; i++) {
        const struct tir_axis *axis = &nest->block->block.axes[i];

        if (axis->kind != TIR_REDUCE || used_loop(nest, axis->value, 0) < nest->count)
            continue;
        const struct ir_expr *value = block_expr(l, axis->value);
        const struct ir_expr *min = ir_expr_cast(context, value->dtype, block_expr(l, axis->min));
        if (!ir_prove_equal(context, value, min))
            all = loop_and(l->module, all, ir_expr_binary(context, IR_EXPR_eq, value, min));
    }
    return all;
}

/* The block's init alone, with the reduction axes at their start. */
static struct tir_stmt *init_of(struct block_lowering *l, const struct nest *nest)
{
    struct tir_stmt *copy = tir_stmt_new(l->module, TIR_BLOCK, nest->block->loc);

    *copy = *nest->block;
    copy->block.axes = arena_array(&l->module->arena, struct tir_axis, copy->block.axis_count);
    for (unsigned i = 0; i < copy->block.axis_count; i++) {
        copy->block.axes[i] = nest->block->block.axes[i];
        if (copy->block.axes[i].kind == TIR_REDUCE)
            copy->block.axes[i].value = copy->block.axes[i].min;
    }
    return block_lower(l, copy, BLOCK_INIT);
}

struct tir_stmt *block_split_init(struct block_lowering *l, struct tir_stmt *loop)
{
    struct nest nest = {0};
    size_t range_count = l->ranges.count;
    bool has_other = false;

    if (!find_nest(loop, &nest) || !is_separable(l, &nest))
        return NULL;
    for (unsigned i = 0; i < nest.count; i++) {
        struct ir_range range = loop_range(l->module, nest.loops[i]);

        range.min = block_expr(l, range.min);
        range.extent = block_expr(l, range.extent);
        array_push(&l->ranges, range);
        map_set(&l->visible, nest.loops[i]->loop.var, nest.loops[i]->loop.var);
        has_other |= !nest.is_reduction[i];
    }
    struct tir_stmt *init = init_of(l, &nest);
    struct tir_stmt *body = block_lower(l, nest.block, BLOCK_BODY);
    l->ranges.count = range_count;
    if (l->has_failed || (has_other && !may_go_first(l, &nest, init, body)))
        return NULL;
    const struct ir_expr *condition = runs(l, &nest);
    init = wrap(l, &nest, 0, false, init);
    if (has_other)
        init = loop_copy_fresh(l->module, init);
    if (condition)
        init = loop_if(l->module, condition, init);
    return loop_both(l->module, init, wrap(l, &nest, 0, true, body));
}
