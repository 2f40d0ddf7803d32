/* inlay why: the in-place decisions, each with its reason and the places that stand against it. */
#include "cli/report.h"
#include "ir/arith.h"
#include "ir/print.h"

#include <inttypes.h>
#include <string.h>

/* @record->bytes as "1024" or "n * 4"; "?" if not known. */
static void put_bytes(const struct inplace_record *record, struct text *out)
{
    if (record->bytes)
        ir_expr_print(record->bytes, out);
    else
        text_putc(out, '?');
}

static struct diag_message *report_verdict(struct diag *diag, const struct inplace_record *record)
{
    const char *name = record->value_name;
    switch (record->verdict) {
    case INPLACE_DONE:
        return diag_report(diag, record->call_loc, WHY_INPLACE, name, record->reason);
    case INPLACE_COPY:
        return diag_report(diag, record->call_loc, WHY_COPY, name, record->reason);
    default:
        return diag_report(diag, record->call_loc, WHY_OTHER, name,
                           inplace_verdict_name(record->verdict), record->reason);
    }
}

static void explain_record(struct diag *diag, const struct inplace_record *record)
{
    struct text bytes = {0};
    put_bytes(record, &bytes);
    struct diag_message *m = report_verdict(diag, record);
    if (record->blocking_loc.source)
        diag_label(m, record->blocking_loc, "%s",
                   record->blocking_text ? record->blocking_text : "here");
    if (record->alias_loc.source)
        diag_label(m, record->alias_loc, "%s", record->alias_text ? record->alias_text : "alias");
    if (record->output >= 0)
        diag_note(m, "IP%03d in `%s`: output %d in argument %u, %s bytes", (int)record->code,
                  record->function->name, record->output, record->argument, text_string(&bytes));
    else
        diag_note(m, "IP%03d in `%s`: argument %u is given away, %s bytes", (int)record->code,
                  record->function->name, record->argument, text_string(&bytes));
    if (record->help)
        diag_help(m, "%s", record->help);
    text_finish(&bytes);
}

static void print_text(const struct inplace_record *const *records, size_t count)
{
    struct diag *diag = diag_create();
    struct text text = {0};
    unsigned counts[INPLACE_VERDICT_COUNT] = {0};
    for (size_t i = 0; i < count; i++) {
        explain_record(diag, records[i]);
        counts[records[i]->verdict]++;
    }
    diag_print(diag, DIAG_FORMAT_TEXT, report_is_colored(stdout), &text);
    fwrite(text_string(&text), 1, text.length, stdout);
    text_finish(&text);
    diag_destroy(diag);
    if (count == 0)
        puts("no call asks for in-place execution");
    for (unsigned i = 0, shown = 0; i < INPLACE_VERDICT_COUNT; i++)
        if (counts[i])
            printf("%s%s: %u", shown++ ? ", " : "", inplace_verdict_name((enum inplace_verdict)i),
                   counts[i]);
    if (count)
        putchar('\n');
}

static void put_json_text(struct text *out, const char *key, const char *value)
{
    text_printf(out, "\"%s\": ", key);
    if (value)
        text_put_json(out, value, strlen(value));
    else
        text_puts(out, "null");
    text_puts(out, ", ");
}

static void put_json_line(struct text *out, const char *key, struct location loc)
{
    if (loc.source)
        text_printf(out, "\"%s\": %u, ", key, location_line(loc));
    else
        text_printf(out, "\"%s\": null, ", key);
}

static void put_json_bytes(struct text *out, struct ir_context *context,
                           const struct inplace_record *record)
{
    int64_t bytes;
    struct text expr = {0};
    if (record->bytes && ir_expr_constant(context, record->bytes, &bytes)) {
        text_printf(out, "\"bytes\": %" PRId64 ", ", bytes);
        return;
    }
    put_bytes(record, &expr);
    put_json_text(out, "bytes", record->bytes ? text_string(&expr) : NULL);
    text_finish(&expr);
}

static void print_json(struct ir_context *context, const struct inplace_record *const *records,
                       size_t count)
{
    struct text out = {0};
    text_putc(&out, '[');
    for (size_t i = 0; i < count; i++) {
        const struct inplace_record *record = records[i];
        struct text call = {0};
        char code[16];
        ir_op_print(record->call, &call);
        snprintf(code, sizeof(code), "IP%03d", (int)record->code);
        text_puts(&out, i ? ",\n {" : "\n {");
        put_json_text(&out, "function", record->function->name);
        put_json_line(&out, "line", record->call_loc);
        put_json_text(&out, "call", text_string(&call));
        text_printf(&out, "\"output\": %d, \"argument\": %u, ", record->output, record->argument);
        put_json_text(&out, "value", record->value_name);
        put_json_text(&out, "verdict", inplace_verdict_name(record->verdict));
        put_json_text(&out, "code", code);
        put_json_text(&out, "reason", record->reason);
        put_json_bytes(&out, context, record);
        put_json_line(&out, "blocking_line", record->blocking_loc);
        put_json_line(&out, "alias_line", record->alias_loc);
        put_json_text(&out, "help", record->help);
        text_printf(&out, "\"strict\": %s}", record->is_strict ? "true" : "false");
        text_finish(&call);
    }
    text_puts(&out, count ? "\n]\n" : "]\n");
    fwrite(text_string(&out), 1, out.length, stdout);
    text_finish(&out);
}

/* Is @record about @value: read by the call or made by it? */
static bool is_about(const struct inplace_record *record, const char *value)
{
    const char *result = record->call->result.name;
    return !value || strcmp(record->value_name, value) == 0 ||
           (result && strcmp(result, value) == 0);
}

int command_why(const struct cli_options *options)
{
    struct driver *driver = driver_create(&options->driver);
    struct ir_module *module = report_load(options, driver);
    const char *value = options->arguments.count > 1 ? options->arguments.items[1] : NULL;
    struct inplace_records records = {0};
    if (module)
        inplace_analyze(module, options->driver.inplace, &records);
    const struct inplace_record **shown =
        arena_array(&driver->arena, const struct inplace_record *, records.count + 1);
    size_t count = 0;
    for (size_t i = 0; i < records.count; i++)
        if (is_about(&records.items[i], value))
            shown[count++] = &records.items[i];
    if (module && value && count == 0)
        diag_report(driver->diag, (struct location){0}, WHY_NO_VALUE, value);
    else if (module && options->format == CLI_FORMAT_JSON)
        print_json(driver->context, shown, count);
    else if (module)
        print_text(shown, count);
    inplace_records_finish(&records);
    return report_finish(options, driver, module);
}
