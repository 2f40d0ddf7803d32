/*
 * Is a call the last thing that its function does?  The interpreter then runs what is called in its place, and does not nest.
 *
 * It looks for itself, not by analysis/tail_calls.h: what judges compiled code shares nothing with it.  Values do
 * not change here, so the place in the text is all that matters, of whatever function.
 */
#include "codegen/interp/graph.h"

/* Does @op, behind the call, give on what @value is, which is then the result of @op? */
static bool gives_on(const struct ir_op *op, const struct ir_value *value)
{
    return ir_op_is(op, IR_CORE_bind) && op->operands[0].value == value;
}

/* Ends of storage come from the text alone: what the function made goes when it has left. */
static bool only_ends(const struct ir_op *op)
{
    return op_is(op, OP_memory_kill_tensor) || op_is(op, OP_memory_kill_storage) ||
           op_is(op, OP_vm_kill_object) || ir_op_is(op, IR_CORE_output);
}

/* The end of the region of @op, if it gives @value and nothing else is done before; else NULL. */
static const struct ir_op *end_behind(const struct ir_op *op, const struct ir_value *value)
{
    const struct ir_block *block = op->block;
    const struct ir_op *at = op->next;

    while (true) {
        for (; at; at = at->next) {
            if (ir_op_is(at, IR_CORE_yield) || ir_op_is(at, IR_CORE_return))
                return at->operands[0].value == value ? at : NULL;
            if (gives_on(at, value))
                value = &at->result;
            else if (!only_ends(at))
                return NULL;
        }
        block = block->next;
        if (!block)
            return NULL;
        at = block->first;
    }
}

bool interp_is_last_call(const struct ir_function *function, const struct ir_op *call)
{
    const struct ir_op *op = call;

    /* Entries nest, so that one that calls itself without end is an error. */
    if (!function->is_private)
        return false;
    if (call->result.type != function->result) /* the caller would have to look at the result */
        return false;
    while (true) {
        const struct ir_op *end = end_behind(op, &op->result);

        if (!end)
            return false;
        if (ir_op_is(end, IR_CORE_return))
            return true;
        op = end->block->region->owner;
    }
}
