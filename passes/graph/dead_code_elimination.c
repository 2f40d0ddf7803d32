/*
 * DeadCodeElimination: removes pure ops whose result nobody reads, and names that no later code uses
 * from the outputs of dataflow blocks.
 *
 * Backwards, so that one sweep removes chains.  What has an effect stays, whoever uses it: print,
 * assertions, match_cast (it checks and binds symbols) and calls of impure functions.
 */
#include "ir/verify.h"
#include "passes/pass.h"

/* A value that only its dataflow block's `output` reads is not needed outside. */
static bool trim_outputs(struct ir_op *output)
{
    bool is_changed = false;

    for (unsigned i = output->operand_count; i-- > 0;) {
        const struct ir_value *value = output->operands[i].value;

        if (value->uses == &output->operands[i] && !value->uses->next) {
            ir_op_remove_operand(output, i);
            is_changed = true;
        }
    }
    return is_changed;
}

static bool can_remove(const struct ir_op *op)
{
    return !op->result.uses && !(op->info->traits & IR_TERMINATOR) &&
           !ir_op_is(op, IR_CORE_match_cast) && ir_op_is_pure(op);
}

static bool sweep_region(struct ir_region *region)
{
    bool is_changed = false;

    for (struct ir_block *block = region->last; block; block = block->prev) {
        ir_for_each_op_reverse_safe(op, block)
        {
            if (ir_op_is(op, IR_CORE_output))
                is_changed |= trim_outputs(op);
            for (unsigned i = 0; i < op->region_count; i++)
                is_changed |= sweep_region(op->regions[i]);
            if (can_remove(op)) {
                ir_op_erase(op);
                is_changed = true;
            }
        }
    }
    return is_changed;
}

enum pass_result pass_dead_code_elimination(struct pass_run *run)
{
    bool is_changed = false;

    for (size_t i = 0; i < run->module->global_count; i++)
        if (run->module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            is_changed |= sweep_region(run->module->globals[i]->function->body);
    return is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}
