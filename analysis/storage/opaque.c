/* Code that is not seen: what it may do to storage, by its contract or by the worst. */
#include "analysis/leaves.h"
#include "analysis/storage/storage_internal.h"
#include "ir/contract.h"

/* All that is given may be kept, written, and be what is returned. */
static void visit_unknown(struct storage *storage, struct ir_op *op)
{
    bool has_effect = storage_has_effect(op);

    for (unsigned i = 0; i < op->operand_count; i++) {
        storage_retain(storage, op->operands[i].value, op);
        if (has_effect)
            storage_mark(storage, op->operands[i].value, true);
    }
    for (unsigned i = 0; i < leaf_count(op->result.type); i++)
        storage_set_root(storage, storage_leaf(storage, &op->result, i)->items[0],
                         storage_is_in(leaf_type(op->result.type, i)) ? STORAGE_ROOT_OPAQUE
                                                                      : STORAGE_ROOT_NONE);
}

/* The operand that leaf @leaf of the result takes the place of; -1: none. */
static int64_t place_of_leaf(const struct ir_op *op, const struct ir_contract *contract,
                             unsigned leaf)
{
    const struct ir_attr *indices =
        ir_op_is(op, IR_CORE_call_inplace_packed) ? ir_op_attr(op, "inplace_indices") : NULL;
    int64_t operand = indices && leaf < indices->count && indices->items[leaf]->integer >= 0
                          ? indices->items[leaf]->integer + contract->first
                          : -1;

    /* (what is no tensor has no copy) */
    return operand >= 0 && operand < (int64_t)op->operand_count &&
                   ir_type_is_tensor(op->operands[operand].value->type)
               ? operand
               : -1;
}

/* Asks for each argument that the call updates. */
static void take_arguments(struct storage *storage, struct ir_op *op,
                           const struct ir_contract *contract)
{
    storage_begin_call(storage, op);
    for (unsigned i = 0; i < leaf_count(op->result.type); i++) {
        int64_t operand = place_of_leaf(op, contract, i);

        if (operand >= 0)
            (void)storage_take(storage, op, (unsigned)operand, (int)i);
    }
}

/* What the function may do to the storage of its arguments. */
static void visit_arguments(struct storage *storage, struct ir_op *op,
                            const struct ir_contract *contract)
{
    for (unsigned i = contract->first; i < op->operand_count; i++) {
        struct ir_value *value = op->operands[i].value;
        bool is_kept = ir_contract_retains(contract, i - contract->first);

        if (storage->call.is_copied[i])
            continue; /* that is done to the copy */
        if (is_kept)
            storage_retain(storage, value, op);
        if (!storage_has_effect(op))
            continue;
        if (is_kept || ir_contract_mutates(contract, i - contract->first))
            storage_mark(storage, value, true);
        if (ir_contract_mutates(contract, i - contract->first))
            storage_mark(storage, value, false);
    }
}

/* Somewhere in what operand @operand of the call is. */
static void push_within(struct storage *storage, unsigned operand, struct storage_places *out)
{
    size_t first = out->count;

    storage_push_places(storage, storage->call.operands[operand], out);
    for (; first < out->count; first++)
        out->items[first].region = storage_region_within(&out->items[first].region);
}

/* Leaf @leaf of the result, where entry @entry of the contract says what it may live in. */
static void set_returned(struct storage *storage, const struct ir_op *op, unsigned leaf,
                         const struct ir_contract *contract, unsigned entry)
{
    struct ir_contract_places said = ir_contract_result(contract, entry);
    struct storage_places places = {0};
    unsigned origin = storage_leaf(storage, &op->result, leaf)->items[0];

    if (!storage_is_in(leaf_type(op->result.type, leaf))) {
        storage_set_root(storage, origin, STORAGE_ROOT_NONE);
        return;
    }
    for (unsigned i = 0; i < said.count; i++) {
        int64_t operand = said.items[i]->integer + contract->first;

        if (said.items[i]->integer < 0 || operand >= (int64_t)op->operand_count)
            array_push(&places, storage_new_place(storage, op, leaf));
        else
            push_within(storage, (unsigned)operand, &places);
    }
    if (said.is_unknown)
        array_push(&places, (struct storage_place){.root = STORAGE_ROOT_OPAQUE});
    if (places.count == 0)
        array_push(&places, storage_new_place(storage, op, leaf));
    storage_set_places(storage, origin, places.items, places.count);
    array_finish(&places);
}

static void retain_leaf(struct storage *storage, const struct ir_op *op, unsigned leaf)
{
    struct storage_places places = {0};

    storage_push_places(storage, storage_leaf(storage, &op->result, leaf), &places);
    for (size_t i = 0; i < places.count; i++)
        storage_retain_root(storage, places.items[i].root, op);
    array_finish(&places);
}

static void visit_results(struct storage *storage, struct ir_op *op,
                          const struct ir_contract *contract)
{
    unsigned entry = 0, given = op->operand_count - contract->first;
    bool is_dps = ir_op_is(op, IR_CORE_call_dps_packed);

    for (unsigned i = 0; i < leaf_count(op->result.type); i++) {
        int64_t operand = place_of_leaf(op, contract, i);

        if (operand >= 0 && storage->call.is_taken[operand])
            storage_set_taken(storage, op, i, (unsigned)operand);
        else if (operand >= 0 || is_dps)
            storage_set_fresh(storage, op, i);
        else
            set_returned(storage, op, i, contract, entry++);
        if (is_dps ? ir_contract_retains(contract, given + i)
                   : operand >= 0 &&
                         ir_contract_retains(contract, (unsigned)operand - contract->first))
            retain_leaf(storage, op, i);
    }
}

/* A contract is obeyed; without one everything may be. */
void storage_visit_opaque(struct storage *storage, struct ir_op *op)
{
    struct ir_contract contract = ir_contract_of(op);

    if (contract.attr || ir_op_is(op, IR_CORE_call_inplace_packed))
        take_arguments(storage, op, &contract);
    if (!contract.attr) {
        visit_unknown(storage, op);
        return;
    }
    visit_arguments(storage, op, &contract);
    visit_results(storage, op, &contract);
}
