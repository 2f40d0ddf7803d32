#include "ir/edit/rewrite.h"

#include "base/hash.h"

static struct ir_op *output_of(const struct ir_value *value)
{
    struct ir_block *block = value->def ? value->def->block : NULL;

    return block && block->is_dataflow ? block->last : NULL;
}

static bool is_listed(const struct ir_op *output, const struct ir_value *value)
{
    for (unsigned i = 0; i < output->operand_count; i++)
        if (output->operands[i].value == value)
            return true;
    return false;
}

void rewrite_make_visible(struct ir_module *module, struct ir_value *value)
{
    struct ir_op *output = output_of(value);

    if (output && !is_listed(output, value))
        ir_op_add_operand(module, output, value);
}

void rewrite_replace(struct ir_module *module, struct ir_op *op, struct ir_value *value)
{
    while (op->result.uses) {
        struct ir_use *use = op->result.uses;
        struct ir_op *user = use->user;
        unsigned index = (unsigned)(use - user->operands);

        if (ir_op_is(user, IR_CORE_output) &&
            (output_of(value) != user || is_listed(user, value))) {
            ir_op_remove_operand(user, index);
            continue;
        }
        if (ir_use_root(use)->block != (value->def ? value->def->block : NULL))
            rewrite_make_visible(module, value);
        ir_op_set_operand(user, index, value);
    }
    ir_op_erase(op);
}

void rewrite_uses_by_leaf(struct ir_module *module, struct ir_value *value, struct ir_value *leaf)
{
    while (value->uses) {
        struct ir_use *use = value->uses;
        unsigned index = (unsigned)(use - use->user->operands);

        if (ir_op_is(use->user, IR_CORE_output))
            ir_op_remove_operand(use->user, index);
        else
            ir_op_set_operand(use->user, index, ir_inline_copy(module, leaf));
    }
}

static bool same_value(const struct ir_value *a, const struct ir_value *b)
{
    return a == b ||
           (ir_value_is_inline(a) && ir_value_is_inline(b) && rewrite_same_op(a->def, b->def));
}

bool rewrite_same_op(const struct ir_op *a, const struct ir_op *b)
{
    if (a->info != b->info || a->operand_count != b->operand_count || a->declared != b->declared)
        return false;
    for (unsigned i = 0; i < a->info->attr_count; i++)
        if (!ir_attr_equal(a->attrs[i], b->attrs[i]))
            return false;
    for (unsigned i = 0; i < a->operand_count; i++)
        if (!same_value(a->operands[i].value, b->operands[i].value))
            return false;
    return true;
}

uint64_t rewrite_hash_op(const struct ir_op *op)
{
    uint64_t hash = hash_mix(op->info->id, op->operand_count);

    for (unsigned i = 0; i < op->info->attr_count; i++)
        hash = hash_mix(hash, ir_attr_hash(op->attrs[i]));
    for (unsigned i = 0; i < op->operand_count; i++) {
        const struct ir_value *value = op->operands[i].value;

        hash = hash_mix(hash, ir_value_is_inline(value) ? rewrite_hash_op(value->def)
                                                        : (uint64_t)(uintptr_t)value);
    }
    return hash;
}
