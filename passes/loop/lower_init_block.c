/*
 * LowerInitBlock: T.init() becomes an ordinary statement.
 *
 *     with T.sblock("sum"):                          with T.sblock("sum"):
 *         vi, vk = T.axis.remap("SR", [i, k])            vi, vk = T.axis.remap("SR", [i, k])
 *         with T.init():                       =>        if vk == 0:
 *             B[vi] = 0                                      B[vi] = 0
 *         B[vi] = B[vi] + A[vi, vk]                      B[vi] = B[vi] + A[vi, vk]
 *
 * Init runs where all reduction axes are at the start of their domain.  A store in front of the loops
 * would be wrong where they run no iteration: then init runs never.
 */
#include "passes/loop/loop.h"

/* True where @block runs init; NULL where it always does. */
static const struct ir_expr *is_first(struct ir_module *module, const struct tir_stmt *block)
{
    const struct ir_expr *all = NULL;

    for (unsigned i = 0; i < block->block.axis_count; i++) {
        const struct tir_axis *axis = &block->block.axes[i];

        if (axis->kind != TIR_REDUCE)
            continue;
        const struct ir_expr *min = ir_expr_cast(module->context, axis->var->dtype, axis->min);
        const struct ir_expr *var = ir_expr_var(module->context, axis->var);
        all = loop_and(module, all, ir_expr_binary(module->context, IR_EXPR_eq, var, min));
    }
    return all;
}

static struct tir_stmt *lower(struct loop_map *map, struct tir_stmt *stmt)
{
    stmt = loop_map_parts(map, stmt);
    if (stmt->kind != TIR_BLOCK || !stmt->block.init)
        return stmt;
    const struct ir_expr *condition = is_first(map->module, stmt);
    struct tir_stmt *init = stmt->block.init;
    struct tir_stmt *copy = tir_stmt_new(map->module, TIR_BLOCK, stmt->loc);

    if (condition)
        init = loop_if(map->module, condition, init);
    *copy = *stmt;
    copy->block.init = NULL;
    copy->block.body = loop_both(map->module, init, stmt->block.body);
    /* what init made may now be read by the body from elsewhere */
    copy->block.has_reads = false;
    copy->block.read_count = 0;
    tir_block_infer_regions(map->module, copy);
    copy->block.has_reads = stmt->block.has_reads;
    return copy;
}

struct tir_stmt *loop_lower_init(const struct tir_func *func)
{
    struct loop_map map = {.module = func->module, .stmt = lower};

    return lower(&map, func->body);
}

static struct tir_stmt *lower_kernel(void *state, const struct tir_func *func)
{
    return loop_lower_init(func);
}

enum pass_result pass_lower_init_block(struct pass_run *run)
{
    return loop_rewrite_kernels(run, lower_kernel, NULL);
}
