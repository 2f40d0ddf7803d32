/* In-place decisions as remarks and as JSON; see explain.h. */
#include "driver/explain.h"

#include "ir/arith.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Is @name @value, or a field of it: `t[0]` of `t`? */
static bool is_of(const char *name, const char *value)
{
    size_t length = strlen(value);
    return name && strncmp(name, value, length) == 0 && (name[length] == 0 || name[length] == '[');
}

/* Is @decision about @value: read by the call or made by it? */
static bool is_about(const struct inplace_decision *decision, const char *value)
{
    return !value || is_of(decision->value, value) || is_of(decision->result, value);
}

/* ---- remarks ---- */

static struct diag_message *
report_verdict(struct diag *diag, const struct inplace_decision *decision, const char *reason)
{
    struct location loc = decision->call_loc;
    if (decision->is_found && decision->verdict == INPLACE_DONE)
        return diag_report(diag, loc, WHY_FOUND, decision->result, decision->value, reason);
    if (decision->is_view && decision->verdict == INPLACE_VIEW)
        return diag_report(diag, loc, WHY_VIEW, decision->result, decision->value, reason);
    if (decision->is_found && decision->verdict == INPLACE_FRESH)
        return diag_report(diag, loc, WHY_MISSED, decision->result, reason);
    if (decision->verdict == INPLACE_FRESH)
        return diag_report(diag, loc, WHY_FRESH, decision->value, reason);
    switch (decision->verdict) {
    case INPLACE_DONE:
        return diag_report(diag, loc, WHY_INPLACE, decision->value, reason);
    case INPLACE_COPY:
        return diag_report(diag, loc, WHY_COPY, decision->value, reason);
    default:
        return diag_report(diag, loc, WHY_OTHER, decision->value,
                           inplace_verdict_name(decision->verdict), reason);
    }
}

static void explain(struct diag *diag, const struct inplace_decision *decision)
{
    struct arena arena = {0};
    struct inplace_explanation words = inplace_explain(&arena, decision);
    struct diag_message *m = report_verdict(diag, decision, words.reason);
    if (decision->blocking_loc.source && decision->blocking_loc.begin != decision->call_loc.begin)
        diag_label(m, decision->blocking_loc, "%s", words.blocking_text);
    if (decision->written_loc.source)
        diag_label(m, decision->written_loc, "written here");
    for (unsigned i = 0; i < decision->places.count; i++)
        if (decision->places.items[i].begin != decision->call_loc.begin)
            diag_label(m, decision->places.items[i], "part of the same kernel");
    if (decision->alias_loc.source)
        diag_label(m, decision->alias_loc, "%s", words.alias_text);
    if (decision->is_view)
        diag_note(m, "IP%03d in `%s`: output %d of argument %u, %s bytes", (int)decision->code,
                  decision->function, decision->output, decision->argument, words.bytes);
    else if (decision->output >= 0)
        diag_note(m, "IP%03d in `%s`: output %d in argument %u, %s bytes", (int)decision->code,
                  decision->function, decision->output, decision->argument, words.bytes);
    else
        diag_note(m, "IP%03d in `%s`: argument %u is given away, %s bytes", (int)decision->code,
                  decision->function, decision->argument, words.bytes);
    if (decision->others)
        diag_note(m, "also tried: %s", decision->others);
    if (words.help)
        diag_help(m, "%s", words.help);
    arena_finish(&arena);
}

size_t explain_decisions(struct diag *diag, const struct inplace_decisions *decisions,
                         const char *value, unsigned *counts)
{
    size_t count = 0;
    memset(counts, 0, INPLACE_VERDICT_COUNT * sizeof(*counts));
    for (size_t i = 0; i < decisions->count; i++) {
        if (!is_about(&decisions->items[i], value))
            continue;
        explain(diag, &decisions->items[i]);
        counts[decisions->items[i].verdict]++;
        count++;
    }
    return count;
}

void explain_put_counts(const unsigned *counts, struct text *out)
{
    bool is_any = false;
    for (unsigned i = 0; i < INPLACE_VERDICT_COUNT; i++) {
        if (counts[i])
            text_printf(out, "%s%s: %u", is_any ? ", " : "",
                        inplace_verdict_name((enum inplace_verdict)i), counts[i]);
        is_any |= counts[i] != 0;
    }
    text_puts(out,
              is_any
                  ? "\n"
                  : "no call could run in place: none has an operand of the type of its result\n");
}

/* ---- JSON ---- */

static void put_text(struct text *out, const char *key, const char *value)
{
    text_printf(out, "\"%s\": ", key);
    if (value)
        text_put_json(out, value, strlen(value));
    else
        text_puts(out, "null");
    text_puts(out, ", ");
}

static void put_line(struct text *out, const char *key, struct location loc)
{
    if (loc.source)
        text_printf(out, "\"%s\": %u, ", key, location_line(loc));
    else
        text_printf(out, "\"%s\": null, ", key);
}

/* The lines of the calls that one was made of. */
static void put_lines(struct text *out, struct ir_places places)
{
    text_puts(out, "\"lines\": [");
    for (unsigned i = 0; i < places.count; i++)
        text_printf(out, "%s%u", i ? ", " : "", location_line(places.items[i]));
    text_puts(out, "], ");
}

/* A number, a text with symbols, or null. */
static void put_bytes(struct text *out, struct ir_context *context,
                      const struct inplace_decision *decision, const char *text)
{
    int64_t bytes;
    if (decision->bytes && ir_expr_constant(context, decision->bytes, &bytes))
        text_printf(out, "\"bytes\": %" PRId64 ", ", bytes);
    else
        put_text(out, "bytes", decision->bytes ? text : NULL);
}

static void put_decision(struct text *out, struct ir_context *context,
                         const struct inplace_decision *decision)
{
    struct arena arena = {0};
    struct inplace_explanation words = inplace_explain(&arena, decision);
    put_text(out, "function", decision->function);
    put_line(out, "line", decision->call_loc);
    put_text(out, "call", decision->call);
    text_printf(out, "\"output\": %d, \"argument\": %u, ", decision->output, decision->argument);
    put_text(out, "value", decision->value);
    put_text(out, "verdict", inplace_verdict_name(decision->verdict));
    put_text(out, "code", arena_printf(&arena, "IP%03d", (int)decision->code));
    put_text(out, "reason", words.reason);
    put_bytes(out, context, decision, words.bytes);
    put_lines(out, decision->places);
    put_line(out, "blocking_line", decision->blocking_loc);
    put_line(out, "alias_line", decision->alias_loc);
    put_text(out, "help", words.help);
    put_text(out, "also_tried", decision->others);
    text_printf(out, "\"asked\": %s, \"strict\": %s}", decision->is_found ? "false" : "true",
                decision->is_strict ? "true" : "false");
    arena_finish(&arena);
}

size_t explain_put_json(struct ir_context *context, const struct inplace_decisions *decisions,
                        const char *value, struct text *out)
{
    size_t count = 0;
    text_putc(out, '[');
    for (size_t i = 0; i < decisions->count; i++) {
        if (!is_about(&decisions->items[i], value))
            continue;
        text_puts(out, count++ ? ",\n {" : "\n {");
        put_decision(out, context, &decisions->items[i]);
    }
    text_puts(out, count ? "\n]\n" : "]\n");
    return count;
}
