/* Refusals as text. */
#include "analysis/verify_storage/internal.h"
#include "ir/print.h"

#include <string.h>

static const struct {
    const char *name, *text, *label, *help;
} faults[] = {
#define FAULT(id, text_, label_, help_) \
    [VERIFY_STORAGE_##id] = {.name = #id, .text = (text_), .label = (label_), .help = (help_)},
#include "analysis/verify_storage/faults.def"
};

const char *verify_storage_fault_name(enum verify_storage_fault fault)
{
    return faults[fault].name;
}

const char *vs_name_of(struct arena *arena, const struct ir_value *value,
                       const struct ir_function *function)
{
    struct text text = {0};

    if (!value)
        return function->name;
    if (ir_value_is_inline(value) && ir_op_is(value->def, IR_CORE_constant))
        return "a constant";
    ir_value_print(value, &text);
    const char *name = arena_copy_text(arena, text_string(&text), text.length);
    text_finish(&text);
    return name;
}

static void report(const struct verify_storage_refusal *refusal, struct diag *diag)
{
    struct text text = {0};
    const char *format = faults[refusal->fault].text;
    const char *hole = strstr(format, "%s");

    text_append(&text, format, (size_t)(hole - format));
    text_printf(&text, "%s%s", refusal->value, hole + 2);
    struct diag_message *message =
        diag_report(diag, refusal->op ? refusal->op->loc : refusal->function->loc, STORAGE,
                    refusal->function->name, text_string(&text));

    text_finish(&text);
    if (faults[refusal->fault].label && refusal->because && refusal->because->loc.source)
        diag_label(message, refusal->because->loc, "%s", faults[refusal->fault].label);
    if (faults[refusal->fault].help)
        diag_help(message, "%s", faults[refusal->fault].help);
}

void verify_storage_report(const struct verify_storage_refusals *refusals, struct diag *diag)
{
    for (size_t i = 0; i < refusals->count; i++)
        report(&refusals->items[i], diag);
}

bool verify_storage_check(struct ir_module *module, enum verify_storage_mode mode,
                          struct diag *diag)
{
    struct verify_storage_refusals refusals = {0};
    bool is_fine = verify_storage(module, mode, &refusals);

    verify_storage_report(&refusals, diag);
    verify_storage_finish(&refusals);
    return is_fine;
}
