/*
 * ToNonDataflow: dataflow blocks become plain ones.
 *
 * Their `output` ops go, and neighbouring plain blocks are joined.  What may stand only outside of dataflow
 * blocks (impure calls of lowered code) may be inserted anywhere afterwards.
 */
#include "passes/pass.h"

static void join_next(struct ir_block *block)
{
    struct ir_block *next = block->next;

    ir_for_each_op_safe (op, next) {
        ir_op_unlink(op);
        ir_op_append(block, op);
    }
    ir_block_erase(next);
}

static bool sweep_region(struct ir_region *region)
{
    bool is_changed = false;

    ir_for_each_block(block, region)
    {
        ir_for_each_op (op, block)
            for (unsigned i = 0; i < op->region_count; i++)
                is_changed |= sweep_region(op->regions[i]);
        if (!block->is_dataflow)
            continue;
        ir_op_erase(block->last);
        block->is_dataflow = false;
        is_changed = true;
    }
    for (struct ir_block *block = region->first; is_changed && block && block->next;)
        if (!block->is_dataflow && !block->next->is_dataflow)
            join_next(block);
        else
            block = block->next;
    return is_changed;
}

enum pass_result pass_to_non_dataflow(struct pass_run *run)
{
    bool is_changed = false;

    for (size_t i = 0; i < run->module->global_count; i++)
        if (run->module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            is_changed |= sweep_region(run->module->globals[i]->function->body);
    return is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}
