/* Remarks for programs: JSON, and LLVM's optimisation records. */
#include "driver/remarks.h"

#include <string.h>

static const char *verdict_of(const struct remark *remark)
{
    static const char *const names[] = {
        [REMARK_DONE] = "done", [REMARK_MISSED] = "missed", [REMARK_NOTE] = "note"};

    return names[remark_table[remark->id].verdict];
}

static void put_text(const char *key, const char *value, struct text *out)
{
    text_printf(out, "\"%s\": ", key);
    if (value)
        text_put_json(out, value, strlen(value));
    else
        text_puts(out, "null");
}

static void put_line(const char *key, struct location loc, struct text *out)
{
    if (loc.source)
        text_printf(out, "\"%s\": %u", key, location_line(loc));
    else
        text_printf(out, "\"%s\": null", key);
}

static void put_place(const struct remark_place *place, bool *is_next, struct text *out)
{
    if (!place->text || !place->loc.source)
        return;
    text_puts(out, *is_next ? ", {" : "{");
    *is_next = true;
    put_line("line", place->loc, out);
    text_puts(out, ", ");
    put_text("text", place->text, out);
    text_putc(out, '}');
}

static void put_part(struct ir_context *context, const struct remark_part *part, struct text *out)
{
    struct text text = {0};
    bool is_next = false;

    remark_put(&part->remark, &text);
    text_putc(out, '{');
    put_text("code", remark_code(context, part->remark.id), out);
    text_puts(out, ", ");
    put_text("pass", part->pass, out);
    text_puts(out, ", ");
    put_text("verdict", verdict_of(&part->remark), out);
    text_puts(out, ", ");
    put_text("without", part->role, out);
    text_puts(out, ", ");
    put_text("reason", text_string(&text), out);
    text_puts(out, ", \"places\": [");
    put_place(&part->remark.first, &is_next, out);
    put_place(&part->remark.second, &is_next, out);
    text_puts(out, "]}");
    text_finish(&text);
}

void remarks_put_json(struct ir_context *context, const struct remark_items *items,
                      struct text *out)
{
    static const char *const topics[] = {
        [REMARK_LP] = "loop", [REMARK_FU] = "fusion", [REMARK_ME] = "memory"};

    text_puts(out, "{\"schema\": 1, \"remarks\": [");
    for (size_t i = 0; i < items->count; i++) {
        const struct remark_item *item = &items->items[i];

        text_puts(out, i ? ",\n  {" : "\n  {");
        put_text("topic", topics[item->topic], out);
        text_puts(out, ", ");
        put_text("function", item->function, out);
        text_puts(out, ", ");
        put_text("subject", item->subject, out);
        text_puts(out, ", ");
        put_line("line", item->loc, out);
        text_printf(out, ", \"depth\": %u, \"parts\": [", item->depth);
        for (unsigned k = 0; k < item->part_count; k++) {
            text_puts(out, k ? ",\n    " : "\n    ");
            put_part(context, &item->parts[k], out);
        }
        text_puts(out, "]}");
    }
    text_puts(out, "\n]}\n");
}

/* ---- YAML ---- */

/* In single quotes, where only these have to be doubled; what is no printable line is JSON, which is YAML. */
static void put_scalar(const char *value, struct text *out)
{
    bool is_plain = true;

    for (const char *c = value; *c; c++)
        is_plain &= (unsigned char)*c >= ' ' && (unsigned char)*c < 0x7f;
    if (!is_plain) {
        text_put_json(out, value, strlen(value));
        return;
    }
    text_putc(out, '\'');
    for (const char *c = value; *c; c++) {
        if (*c == '\'')
            text_putc(out, '\'');
        text_putc(out, *c);
    }
    text_putc(out, '\'');
}

static void put_debug_loc(struct location loc, struct text *out)
{
    unsigned column, line = diag_place(loc.source, loc.begin, &column);

    text_puts(out, "{ File: ");
    put_scalar(loc.source->name, out);
    text_printf(out, ", Line: %u, Column: %u }", line, column);
}

/* An argument, and where it is in the script. */
static void put_argument(const char *key, const char *value, struct location loc, struct text *out)
{
    text_printf(out, "  - %-16s ", key);
    put_scalar(value, out);
    text_putc(out, '\n');
    if (!loc.source)
        return;
    text_puts(out, "    DebugLoc:        ");
    put_debug_loc(loc, out);
    text_putc(out, '\n');
}

static void put_place_argument(const struct remark_place *place, struct text *out)
{
    struct text text = {0};

    if (!place->text || !place->loc.source)
        return;
    text_printf(&text, "; %s", place->text);
    put_argument("Place:", text_string(&text), place->loc, out);
    text_finish(&text);
}

static void put_document(struct ir_context *context, const struct remark_item *item,
                         const struct remark_part *part, struct text *out)
{
    static const char *const tags[] = {
        [REMARK_DONE] = "Passed", [REMARK_MISSED] = "Missed", [REMARK_NOTE] = "Analysis"};
    static const char *const keys[] = {
        [REMARK_LP] = "Loop:", [REMARK_FU] = "Value:", [REMARK_ME] = "Value:"};
    struct location nowhere = {0};
    struct text text = {0};

    text_printf(out, "--- !%s\n", tags[remark_table[part->remark.id].verdict]);
    text_printf(out, "Pass:            %s\n", part->pass);
    text_printf(out, "Name:            %s\n", remark_code(context, part->remark.id));
    if (item->loc.source) {
        text_puts(out, "DebugLoc:        ");
        put_debug_loc(item->loc, out);
        text_putc(out, '\n');
    }
    text_puts(out, "Function:        ");
    put_scalar(item->function, out);
    text_puts(out, "\nArgs:\n");
    put_argument(keys[item->topic], item->subject, nowhere, out);
    text_puts(&text, part->role ? ": no " : " ");
    if (part->role)
        text_printf(&text, "%s: ", part->role);
    remark_put(&part->remark, &text);
    put_argument("String:", text_string(&text), nowhere, out);
    put_place_argument(&part->remark.first, out);
    put_place_argument(&part->remark.second, out);
    text_puts(out, "...\n");
    text_finish(&text);
}

void remarks_put_yaml(struct ir_context *context, const struct remark_items *items,
                      struct text *out)
{
    for (size_t i = 0; i < items->count; i++)
        for (unsigned k = 0; k < items->items[i].part_count; k++)
            put_document(context, &items->items[i], &items->items[i].parts[k], out);
}
