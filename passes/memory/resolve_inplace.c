/*
 * ResolveInplace: makes the decisions of the in-place analysis explicit.
 *
 * A call whose update is provably invisible is left alone; in front of one that is not stands a copy
 * afterwards, which the call may then overwrite:
 *
 *     y = R.call_tir_inplace(cls.f, (x,), .., inplace_indices=[0])      # x is read later
 *  =>
 *     x_copy = R.copy(x)
 *     y = R.call_tir_inplace(cls.f, (x_copy,), .., inplace_indices=[0])
 *
 * So the text says what runs, and code generation needs no side table.  In strict mode, or with
 * strict=True on the call, a copy is an error instead.  R.assert_inplace is checked and removed.
 */
#include "ir/build.h"
#include "ir/print.h"
#include "ops/ids.h"
#include "passes/pass.h"

/* ---- errors ---- */

static struct diag_message *report_code(struct diag *diag, const struct inplace_record *record)
{
#define AT(id) diag_report(diag, record->call_loc, id, record->value_name, record->reason)
    switch (record->code) {
    case IP_BORROWED:
        return AT(INPLACE_BORROWED);
    case IP_CONSTANT:
        return AT(INPLACE_CONSTANT);
    case IP_OPAQUE:
        return AT(INPLACE_OPAQUE);
    case IP_OPERAND:
    case IP_DUPLICATE:
        return AT(INPLACE_SAME_STORAGE);
    case IP_KERNEL:
        return AT(INPLACE_KERNEL);
    default:
        return AT(INPLACE_READ_LATER);
    }
#undef AT
}

static void report_strict(struct diag *diag, const struct inplace_record *record)
{
    struct diag_message *message = report_code(diag, record);

    if (record->output >= 0)
        diag_primary(message, "output %d is to take the storage of `%s`", record->output,
                     record->value_name);
    else
        diag_primary(message, "the function overwrites its donated parameter %u", record->argument);
    if (record->alias_loc.source)
        diag_label(message, record->alias_loc, "%s", record->alias_text);
    if (record->blocking_loc.source && record->blocking_text)
        diag_label(message, record->blocking_loc, "%s", record->blocking_text);
    diag_note(message, "%s [IP%03d]; %s", inplace_code_text(record->code), record->code,
              record->is_strict ? "the call is strict" : "--inplace=strict allows no copy");
    if (record->help)
        diag_help(message, "%s", record->help);
}

/* ---- copies ---- */

static bool insert_copy(struct pass_run *run, const struct inplace_record *record)
{
    struct ir_value *value = record->call->operands[record->argument].value;
    struct ir_builder b = {.module = run->module,
                           .diag = run->diag,
                           .block = record->call->block,
                           .before = record->call,
                           .loc = record->call->loc};
    struct ir_value *source = ir_inline_copy(run->module, value);
    struct ir_value *copy = ir_build_op(&b, OP_copy, &source, 1);

    if (!copy)
        return false;
    if (!ir_value_is_inline(value) && value->name)
        copy->name = atom_printf(&run->module->context->atoms, "%s_copy", value->name);
    copy->loc = record->call->loc;
    ir_op_set_operand(record->call, record->argument, copy);
    return true;
}

/* Does the call read a copy that stands there for it alone, from an earlier run with --inplace=off? */
static bool has_own_copy(const struct inplace_record *record)
{
    const struct ir_value *value = record->call->operands[record->argument].value;

    return value->def && op_is(value->def, OP_copy) && !value->uses->next &&
           ir_op_function(value->def) == ir_op_function(record->call);
}

/* ---- R.assert_inplace ---- */

/* The decision on the result that @value names; NULL if it is no result of an in-place call. */
static const struct inplace_record *record_of(const struct inplace_records *records,
                                              const struct ir_value *value)
{
    int output = 0;

    while (value->def && !ir_op_is(value->def, IR_CORE_call_tir_inplace)) {
        const struct ir_op *def = value->def;

        if (ir_op_is(def, IR_CORE_tuple_get))
            output = (int)ir_op_attr(def, "index")->integer;
        else if (!(def->info->traits & IR_VIEW) && !ir_op_is(def, IR_CORE_bind) &&
                 !ir_op_is(def, IR_CORE_match_cast))
            return NULL;
        value = def->operands[0].value;
    }
    for (size_t i = 0; value->def && i < records->count; i++)
        if (records->items[i].call == value->def && records->items[i].output == output)
            return &records->items[i];
    return NULL;
}

static bool check_assertion(struct pass_run *run, const struct inplace_records *records,
                            struct ir_op *op)
{
    struct ir_value *value = op->operands[0].value;
    const struct inplace_record *record = record_of(records, value);
    struct text name = {0};

    if (run->inplace == INPLACE_OFF || (record && record->verdict == INPLACE_DONE))
        return true;
    ir_value_print(value, &name);
    struct diag_message *message =
        diag_report(run->diag, op->loc, INPLACE_ASSERT, text_string(&name),
                    record ? record->reason : "it is not the result of an in-place call");
    text_finish(&name);
    if (record)
        diag_label(message, record->call_loc, "updated on a copy here");
    if (record && record->blocking_loc.source && record->blocking_text)
        diag_label(message, record->blocking_loc, "%s", record->blocking_text);
    if (record && record->help)
        diag_help(message, "%s", record->help);
    return false;
}

struct assert_walk {
    struct pass_run *run;
    const struct inplace_records *records;
    bool is_fine, is_changed;
};

static void check_region(struct assert_walk *walk, struct ir_region *region)
{
    ir_for_each_block(block, region)
    {
        ir_for_each_op_safe (op, block) {
            for (unsigned i = 0; i < op->region_count; i++)
                check_region(walk, op->regions[i]);
            if (ir_op_is(op, IR_CORE_function))
                check_region(walk, ir_op_attr(op, "function")->function->body);
            if (!op_is(op, OP_assert_inplace))
                continue;
            walk->is_fine &= check_assertion(walk->run, walk->records, op);
            ir_value_replace(&op->result, op->operands[0].value);
            ir_op_erase(op);
            walk->is_changed = true;
        }
    }
}

/* ---- the pass ---- */

static bool is_error(const struct pass_run *run, const struct inplace_record *record)
{
    return record->is_strict || run->inplace == INPLACE_STRICT || record->code == IP_SHAPE ||
           record->code == IP_DTYPE;
}

/* Where the pass ran before: of its decisions the copies that it made stay, all others are made anew. */
static void keep_copies(struct inplace_records *records)
{
    size_t kept = 0;

    for (size_t i = 0; i < records->count; i++)
        if (records->items[i].verdict == INPLACE_COPY)
            records->items[kept++] = records->items[i];
    records->count = kept;
}

enum pass_result pass_resolve_inplace(struct pass_run *run)
{
    struct inplace_records own = {0};
    struct inplace_records *records = run->records ? run->records : &own;
    bool is_changed = false, is_fine = true;

    keep_copies(records);
    size_t first = records->count, kept = first;
    inplace_analyze(run->module, run->inplace, records);
    struct assert_walk walk = {.run = run, .records = records, .is_fine = true};
    for (size_t i = 0; i < run->module->global_count; i++)
        if (run->module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            check_region(&walk, run->module->globals[i]->function->body);
    for (size_t i = first; i < records->count; i++) {
        const struct inplace_record *record = &records->items[i];

        if (run->inplace == INPLACE_OFF && has_own_copy(record))
            continue;
        records->items[kept++] = *record;
        if (record->verdict != INPLACE_COPY)
            continue;
        if (run->inplace != INPLACE_OFF && is_error(run, record)) {
            report_strict(run->diag, record);
            is_fine = false;
            continue;
        }
        is_fine &= insert_copy(run, record);
        is_changed = true;
    }
    records->count = kept;
    if (!run->records)
        inplace_records_finish(&own);
    if (!is_fine || !walk.is_fine)
        return PASS_FAILED;
    return is_changed || walk.is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}
