/* Splitting and joining of blocks: where passes put ops that do not belong into the block they found. */
#include "base/assert.h"
#include "ir/edit/rewrite.h"

static bool is_used_outside(const struct ir_value *value, const struct ir_block *block)
{
    ir_for_each_use (use, value) {
        const struct ir_op *root = ir_use_root(use);

        if (root && root->block != block)
            return true;
    }
    return false;
}

/* Ends a dataflow block with an `output` of what is used outside of it. */
static void add_output(struct ir_module *module, struct ir_block *block)
{
    struct ir_op *output = ir_op_new(module, ir_core_op(module->context, IR_CORE_output), NULL, 0);

    output->loc = block->loc;
    output->result.type = ir_type_tuple(module->context, NULL, 0);
    ir_for_each_op (op, block)
        if (is_used_outside(&op->result, block))
            ir_op_add_operand(module, output, &op->result);
    ir_op_append(block, output);
}

void rewrite_make_dataflow(struct ir_module *module, struct ir_block *block)
{
    block->is_dataflow = true;
    add_output(module, block);
}

/* Is the way from @op to the begin of its block shorter than that to the end? */
static bool is_near_begin(const struct ir_op *op)
{
    const struct ir_op *before = op->prev, *behind = op;

    while (before && behind) {
        before = before->prev;
        behind = behind->next;
    }
    return !before;
}

/* Moves the ops from @op up to @end (not included; NULL: all) to the end of @block. */
static void move_ops(struct ir_op *op, const struct ir_op *end, struct ir_block *block)
{
    while (op != end) {
        struct ir_op *next = op->next;

        ir_op_unlink(op);
        ir_op_append(block, op);
        op = next;
    }
}

/* The shorter half is moved, so that many splits of one block take near-linear time in all. */
struct ir_block *rewrite_split_block(struct ir_module *module, struct ir_op *op)
{
    struct ir_block *block = op->block, *first = block, *added;

    if (is_near_begin(op)) {
        first = added = ir_block_insert_before(module, block, block->is_dataflow);
        move_ops(block->first, op, added);
    } else {
        added = block->next ? ir_block_insert_before(module, block->next, block->is_dataflow)
                            : ir_block_append(module, block->region, block->is_dataflow);
        move_ops(op, NULL, added);
    }
    added->loc = block->loc;
    if (!first->is_dataflow)
        return op->block;
    /* the old `output`, now of the second half, may list values of the first */
    struct ir_op *output = op->block->last;

    assert(ir_op_is(output, IR_CORE_output));
    for (unsigned i = output->operand_count; i-- > 0;)
        if (output->operands[i].value->def->block == first)
            ir_op_remove_operand(output, i);
    add_output(module, first);
    return op->block;
}

/* Values that only the `output` of their own block reads need not be shown. */
static void trim_output(struct ir_op *output)
{
    for (unsigned i = output->operand_count; i-- > 0;) {
        const struct ir_value *value = output->operands[i].value;

        if (value->uses == &output->operands[i] && !value->uses->next)
            continue; /* dead: not ours to judge */
        if (!is_used_outside(value, output->block))
            ir_op_remove_operand(output, i);
    }
}

static void join_next(struct ir_block *block)
{
    struct ir_block *next = block->next;
    struct ir_op *output = block->is_dataflow ? block->last : NULL;

    if (output)
        ir_op_unlink(output);
    ir_for_each_op_safe (op, next) {
        ir_op_unlink(op);
        ir_op_append(block, op);
    }
    ir_block_erase(next);
    if (!output)
        return;
    for (unsigned i = 0; i < output->operand_count; i++)
        ir_op_add_operand(block->region->function->module, block->last, output->operands[i].value);
    ir_op_erase(output);
    trim_output(block->last);
}

static bool is_empty(const struct ir_block *block)
{
    return !block->first || (block->first == block->last && ir_op_is(block->last, IR_CORE_output) &&
                             block->last->operand_count == 0);
}

bool rewrite_join_blocks(struct ir_region *region)
{
    bool is_changed = false;

    for (struct ir_block *block = region->first, *next; block; block = next) {
        next = block->next;
        if (is_empty(block) && region->first != region->last) {
            ir_block_erase(block);
            is_changed = true;
        }
    }
    for (struct ir_block *block = region->first; block;) {
        if (!block->next || block->is_dataflow != block->next->is_dataflow) {
            block = block->next;
            continue;
        }
        join_next(block);
        is_changed = true;
    }
    return is_changed;
}
