/* A judgement as a value: names, places and numbers. */
#include "analysis/inplace_internal.h"
#include "ir/contract.h"
#include "ir/print.h"

static const char *intern(struct ir_context *context, struct text *text)
{
    const char *atom = atom_intern_text(&context->atoms, text_string(text));

    text_finish(text);
    return atom;
}

/* @value as the script writes it: its name, a field of something named, or the leaf. */
static void put_name(const struct ir_value *value, struct text *out)
{
    const struct ir_op *def = value->def;

    if (!value->name && def && !ir_op_is_inline(def) && ir_op_is(def, IR_CORE_tuple_get)) {
        put_name(def->operands[0].value, out);
        text_printf(out, "[%lld]", (long long)ir_op_attr(def, "index")->integer);
    } else if (!value->name && def && !ir_op_is_inline(def) && ir_op_is(def, IR_CORE_bind)) {
        put_name(def->operands[0].value, out);
    } else {
        ir_value_print(value, out);
    }
}

static const char *name_of(struct ir_context *context, const struct ir_value *value)
{
    struct text text = {0};

    if (value->name)
        return value->name;
    put_name(value, &text);
    return intern(context, &text);
}

static enum inplace_sharing sharing_of(const struct ir_value *alias)
{
    if (!alias->def)
        return SHARING_PARAMETER;
    if ((alias->def->info->traits & IR_VIEW) ||
        (alias->def->info->core == IR_CORE_none && (alias->def->info->traits & IR_ALIAS)))
        return SHARING_VIEW;
    switch (alias->def->info->core) {
    case IR_CORE_tuple:
        return SHARING_TUPLE;
    case IR_CORE_tuple_get:
        return SHARING_FIELD;
    case IR_CORE_match_cast:
        return SHARING_CAST;
    case IR_CORE_bind:
        return SHARING_NAME;
    case IR_CORE_if:
        return SHARING_BRANCH;
    default:
        return SHARING_CALL;
    }
}

/* Who keeps or made the storage, and the contract that it has not: of a function that does what
 * the call shows and no more. */
static void note_opaque(struct ir_context *context, const struct ir_op *op,
                        struct inplace_decision *out)
{
    struct ir_contract contract = ir_contract_of(op);
    struct text text = {0};

    out->opaque = contract.symbol;
    if (!contract.symbol || contract.attr)
        return;
    text_puts(&text, "{\"reads\": [");
    for (unsigned i = contract.first; i < op->operand_count; i++)
        text_printf(&text, "%s%u", i > contract.first ? ", " : "", i - contract.first);
    text_puts(&text, "]");
    if (ir_op_is(op, IR_CORE_call_inplace_packed)) {
        const struct ir_attr *indices = ir_op_attr(op, "inplace_indices");
        const char *comma = ", \"mutates\": [";

        for (unsigned i = 0; i < indices->count; i++)
            if (indices->items[i]->integer >= 0) {
                text_printf(&text, "%s%lld", comma, (long long)indices->items[i]->integer);
                comma = ", ";
            }
        text_puts(&text, "]");
    }
    text_puts(&text, "}");
    out->contract = intern(context, &text);
}

struct inplace_decision inplace_decision_new(struct ir_context *context, const struct ir_op *call,
                                             unsigned argument, int output, enum inplace_code code,
                                             bool has_call)
{
    const struct ir_value *value = call->operands[argument].value;
    struct inplace_decision decision = {
        .function = ir_op_function(call)->name,
        .callee = ir_op_callee(call) ? ir_op_callee(call)->name : ir_contract_of(call).symbol,
        .value = name_of(context, value),
        .result = name_of(context, &call->result),
        .output = output,
        .argument = argument,
        .verdict = code == IP_PROVED ? INPLACE_DONE : INPLACE_COPY,
        .code = code,
        .bytes = ir_type_bytes(context, value->type),
        .is_destination = storage_is_room(value),
        .call_loc = call->loc,
        .places = call->places,
        .parameter = -1,
    };

    if (has_call) {
        struct text text = {0};

        ir_op_print(call, &text);
        decision.call = intern(context, &text);
    }
    return decision;
}

struct inplace_decision inplace_decision_of(struct storage *storage, const struct ir_op *call,
                                            unsigned argument, int output,
                                            const struct inplace_conflict *conflict, bool has_call)
{
    struct ir_context *context = storage->module->module->context;
    const struct ir_value *alias = conflict->alias;
    struct inplace_decision decision =
        inplace_decision_new(context, call, argument, output, conflict->code, has_call);

    if (conflict->opaque)
        note_opaque(context, conflict->opaque, &decision);

    decision.is_strict =
        ir_op_is(call, IR_CORE_call_tir_inplace) && ir_op_attr(call, "strict")->boolean;
    decision.evidence = conflict->evidence;
    decision.blocking_loc = conflict->evidence ? conflict->loc : (struct location){0};
    decision.written_loc = conflict->written_loc;
    decision.parameter = ir_op_function(call)->parent ? -1 : conflict->parameter;
    if (conflict->opaque)
        note_opaque(context, conflict->opaque, &decision);
    if (alias)
        decision.alias = name_of(context, alias);
    if (alias && !storage_overlap(storage, call->operands[argument].value, alias,
                                  &decision.shared_low, &decision.shared_high))
        decision.shared_low = decision.shared_high = NULL;
    if (alias && !ir_value_is_inline(alias)) {
        decision.alias_loc = alias->loc;
        decision.sharing = sharing_of(alias);
    }
    return decision;
}
