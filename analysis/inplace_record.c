/* Decision records: the sentences, places and bytes of a decision. */
#include "analysis/internal.h"
#include "analysis/leaves.h"
#include "ir/arith.h"
#include "ir/print.h"

#include <string.h>

const char *inplace_verdict_name(enum inplace_verdict verdict)
{
    static const char *const names[] = {
#define VERDICT(name, text) [INPLACE_##name] = text,
#include "analysis/inplace.def"
    };

    return names[verdict];
}

const char *inplace_code_text(enum inplace_code code)
{
    switch (code) {
#define REASON(number, id, text) \
    case IP_##id:                \
        return text;
#include "analysis/inplace.def"
    }
    return "";
}

void inplace_records_finish(struct inplace_records *records)
{
    array_finish(records);
    arena_finish(&records->arena);
}

/* Bytes of a tensor of @type, as an expression of its symbols; NULL if the shape is not known. */
static const struct ir_expr *tensor_bytes(struct ir_context *context, const struct ir_type *type)
{
    if (!ir_type_is_tensor(type) || !type->dims || ir_dtype_is_void(type->dtype))
        return NULL;
    const struct ir_expr *bytes = ir_expr_int(context, IR_I64, ir_dtype_bytes(type->dtype));

    for (int i = 0; i < type->ndim; i++)
        bytes = ir_expr_binary(context, IR_EXPR_mul, bytes, type->dims[i]);
    return ir_simplify(context, bytes);
}

/* @value as the script writes it: its name, or the leaf. */
static const char *value_text(struct inplace_records *records, const struct ir_value *value)
{
    struct text text = {0};

    ir_value_print(value, &text);
    const char *copy = arena_copy_text(&records->arena, text_string(&text), text.length);
    text_finish(&text);
    return copy;
}

static const char *bytes_text(struct inplace_records *records, const struct ir_expr *bytes)
{
    struct text text = {0};

    if (!bytes)
        return "an unknown number of bytes";
    ir_expr_print(bytes, &text);
    const char *copy = arena_printf(&records->arena, "%s bytes", text_string(&text));
    text_finish(&text);
    return copy;
}

/* How @alias came to share the storage. */
static const char *how_it_shares(const struct ir_value *alias)
{
    if (!alias->def)
        return "is a parameter that shares its storage";
    if (alias->def->info->traits & IR_VIEW)
        return "is a view of the same storage";
    switch (alias->def->info->core) {
    case IR_CORE_tuple:
        return "holds it as a field";
    case IR_CORE_tuple_get:
        return "is a field in the same storage";
    case IR_CORE_match_cast:
        return "is the same value under another type";
    case IR_CORE_bind:
        return "is another name of it";
    case IR_CORE_if:
        return "may be the same storage, by a branch";
    default:
        return "may live in the same storage";
    }
}

static void describe_alias(struct inplace_records *records, struct inplace_record *record,
                           const struct conflict *conflict)
{
    const struct ir_value *alias = conflict->alias;

    if (!alias || ir_value_is_inline(alias))
        return;
    record->alias_loc = alias->loc;
    record->alias_text =
        arena_printf(&records->arena, "`%s` %s", value_text(records, alias), how_it_shares(alias));
}

/* What stands against it, as a label and a sentence, and the way out. */
static void describe_conflict(struct decide *decide, struct inplace_record *record,
                              const struct conflict *conflict)
{
    struct inplace_records *records = decide->records;
    struct arena *arena = &records->arena;
    const char *name = record->value_name;
    const char *bytes = bytes_text(records, record->bytes);
    const char *alias = conflict->alias ? value_text(records, conflict->alias) : name;
    unsigned line = location_line(conflict->loc);

    record->blocking_loc = conflict->loc;
    record->reason = inplace_code_text(conflict->code);
    switch (conflict->code) {
    case IP_READ_LATER:
        record->reason = arena_printf(arena, "`%s` is read after the call, on line %u", name, line);
        record->blocking_text = "read here, after the update";
        record->help = arena_printf(
            arena, "move the read in front of the update, or keep the copy (%s per run)", bytes);
        break;
    case IP_ALIAS_LIVE:
        record->reason = arena_printf(
            arena, "`%s` lives in the storage of `%s` and is read after the call, on line %u",
            alias, name, line);
        record->blocking_text = arena_printf(arena, "read here through `%s`", alias);
        record->help = arena_printf(arena, "give `%s` storage of its own: R.copy(..) (%s per run)",
                                    alias, bytes);
        break;
    case IP_ESCAPES:
        record->reason = arena_printf(
            arena, "`%s` is part of the function's result, so its old value must survive", alias);
        record->blocking_text = "returned here";
        record->help = arena_printf(
            arena, "return the updated value only, or keep the copy (%s per run)", bytes);
        break;
    case IP_BORROWED:
        record->reason = arena_printf(arena, "the storage of `%s` belongs to the %s", name,
                                      conflict->parameter < 0 ? "function around this one"
                                                              : "caller of the function");
        record->blocking_text = "a borrowed parameter";
        if (conflict->parameter >= 0 && ir_op_function(record->call)->parent == NULL)
            record->help = arena_printf(
                arena,
                "donate it: R.func_attr({\"relax.inplace_arg\": [%d]}); the caller's tensor is then overwritten",
                conflict->parameter);
        break;
    case IP_CONSTANT:
        record->blocking_text = "a constant: it must read the same in every run";
        break;
    case IP_OPAQUE:
        record->help =
            arena_printf(arena, "give it storage of its own: R.copy(%s) (%s per run)", name, bytes);
        break;
    case IP_SHAPE:
    case IP_DTYPE:
        record->blocking_text = "this argument";
        break;
    case IP_OPERAND:
        record->blocking_text = "the kernel accesses the storage here";
        record->reason = arena_printf(
            arena,
            "operand `%s` is the same storage, and the kernel reads it elsewhere than it writes",
            alias);
        break;
    case IP_DUPLICATE:
        record->reason = arena_printf(
            arena, "the storage of `%s` is already updated for another output of the call", name);
        record->blocking_text = "both are updated by this call";
        break;
    case IP_KERNEL:
        record->blocking_text = "the kernel calls out here";
        break;
    case IP_SWITCHED_OFF:
    case IP_PROVED:
        record->blocking_loc = (struct location){0};
        break;
    }
}

void inplace_record_add(struct decide *decide, struct ir_op *call, unsigned argument, int output,
                        const struct conflict *conflict)
{
    struct inplace_records *records = decide->records;
    const struct ir_value *value = call->operands[argument].value;
    struct inplace_record record = {
        .function = decide->alias.function,
        .call = call,
        .output = output,
        .argument = argument,
        .verdict = conflict->code == IP_PROVED ? INPLACE_DONE : INPLACE_COPY,
        .code = conflict->code,
        .value_name = value_text(records, value),
        .bytes = tensor_bytes(decide->alias.module->context, value->type),
        .call_loc = call->loc,
        .is_strict =
            ir_op_is(call, IR_CORE_call_tir_inplace) && ir_op_attr(call, "strict")->boolean,
    };

    describe_conflict(decide, &record, conflict);
    if (conflict->label)
        record.blocking_text = conflict->label;
    describe_alias(records, &record, conflict);
    array_push(records, record);
}
