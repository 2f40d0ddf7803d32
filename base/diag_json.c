/* Diagnostics for programs: one line each, rustc's JSON (one object a line), SARIF 2.1.0. */
#include "base/diag_pages.h"
#include "base/internal.h"
#include "base/memory.h"

#include <string.h>

static void put_string(struct text *out, const char *string)
{
    text_put_json(out, string, strlen(string));
}

/* ,"key":"string" */
static void put_member(struct text *out, const char *key, const char *string)
{
    text_printf(out, ",\"%s\":", key);
    put_string(out, string);
}

void diag_print_short(const struct diag *diag, struct text *out)
{
    struct diag_message **sorted = diag_sorted(diag);

    for (size_t i = 0; i < diag->messages.count; i++) {
        const struct diag_message *message = sorted[i];
        unsigned column;
        if (message->location.source) {
            unsigned line = diag_place(message->location.source, message->location.begin, &column);
            const char *name = message->location.source->name;
            diag_put_safe(out, name, strlen(name));
            text_printf(out, ":%u:%u: ", line, column);
        }
        text_printf(out, "%s[E%04u]: ", diag_severity_name(message->severity),
                    (unsigned)message->id);
        diag_put_safe(out, message->text, strlen(message->text));
        text_putc(out, '\n');
    }
    memory_free(sorted);
    if (diag->dropped_errors)
        text_printf(out, "error: %u more error%s not shown\n", diag->dropped_errors,
                    diag->dropped_errors == 1 ? " is" : "s are");
}

struct place {
    unsigned line_begin, column_begin, line_end, column_end;
};

static struct place place_of(struct location location)
{
    struct place place;

    place.line_begin = diag_place(location.source, location.begin, &place.column_begin);
    place.line_end = diag_place(location.source, location.end, &place.column_end);
    return place;
}

struct span_text {
    const char *label;       /* or NULL */
    const char *replacement; /* or NULL */
    bool is_primary, is_sure;
};

static void put_optional(struct text *out, const char *key, const char *string)
{
    if (string)
        put_member(out, key, string);
    else
        text_printf(out, ",\"%s\":null", key);
}

static void put_span(struct text *out, struct location location, struct span_text span)
{
    struct place place = place_of(location);
    size_t length;
    const char *line = diag_line(location.source, place.line_begin, &length);
    unsigned line_width;
    uint32_t start = location.source->line_starts[place.line_begin - 1];

    diag_place(location.source, start + (uint32_t)length, &line_width);
    text_puts(out, "{\"file_name\":");
    put_string(out, location.source->name);
    text_printf(out,
                ",\"byte_start\":%u,\"byte_end\":%u,\"line_start\":%u,\"line_end\":%u"
                ",\"column_start\":%u,\"column_end\":%u,\"is_primary\":%s,\"text\":[{\"text\":",
                location.begin, location.end, place.line_begin, place.line_end, place.column_begin,
                place.column_end, span.is_primary ? "true" : "false");
    text_put_json(out, line, length);
    text_printf(out, ",\"highlight_start\":%u,\"highlight_end\":%u}]", place.column_begin,
                place.line_end == place.line_begin ? place.column_end : line_width);
    put_optional(out, "label", span.label && *span.label ? span.label : NULL);
    put_optional(out, "suggested_replacement", span.replacement);
    const char *trust = span.is_sure ? "MachineApplicable" : "MaybeIncorrect";
    put_optional(out, "suggestion_applicability", span.replacement ? trust : NULL);
    text_puts(out, ",\"expansion\":null}");
}

static void put_child(struct text *out, const struct diag_remark *remark, bool is_sure)
{
    text_puts(out, "{\"message\":");
    put_string(out, remark->text);
    text_puts(out, ",\"code\":null");
    put_member(out, "level", remark->level);
    text_puts(out, ",\"spans\":[");
    if (remark->edit_location.source)
        put_span(out, remark->edit_location,
                 (struct span_text){
                     .replacement = remark->edit_text, .is_primary = true, .is_sure = is_sure});
    text_puts(out, "],\"children\":[],\"rendered\":null}");
}

static void put_json(struct text *out, const struct diag_message *message)
{
    struct text rendered = {0};
    const struct diag_remark *sure = diag_sure_edit(message);

    text_puts(out, "{\"$message_type\":\"diagnostic\"");
    put_member(out, "message", message->text);
    text_printf(out, ",\"code\":{\"code\":\"E%04u\",\"explanation\":null}", (unsigned)message->id);
    put_member(out, "level", diag_severity_name(message->severity));
    text_puts(out, ",\"spans\":[");
    if (message->location.source)
        put_span(out, message->location,
                 (struct span_text){.label = message->primary, .is_primary = true});
    for (size_t i = 0; i < message->labels.count; i++) {
        if (i || message->location.source)
            text_putc(out, ',');
        put_span(out, message->labels.items[i].location,
                 (struct span_text){.label = message->labels.items[i].text});
    }
    text_puts(out, "],\"children\":[");
    for (size_t i = 0; i < message->remarks.count; i++) {
        if (i)
            text_putc(out, ',');
        put_child(out, &message->remarks.items[i], &message->remarks.items[i] == sure);
    }
    diag_print_message(message, (struct diag_look){0}, &rendered);
    text_puts(out, "],\"rendered\":");
    text_put_json(out, text_string(&rendered), rendered.length);
    text_puts(out, "}\n");
    text_finish(&rendered);
}

void diag_print_json(const struct diag *diag, struct text *out)
{
    struct diag_message **sorted = diag_sorted(diag);

    for (size_t i = 0; i < diag->messages.count; i++)
        put_json(out, sorted[i]);
    memory_free(sorted);
    if (diag->dropped_errors)
        text_printf(out,
                    "{\"$message_type\":\"diagnostic\",\"message\":\"%u more error%s not shown\""
                    ",\"code\":null,\"level\":\"failure-note\",\"spans\":[],\"children\":[]"
                    ",\"rendered\":null}\n",
                    diag->dropped_errors, diag->dropped_errors == 1 ? " is" : "s are");
}

/* As RFC 3986 wants it: what is no plain character of a path is escaped. */
static void put_uri(struct text *out, const char *path)
{
    text_putc(out, '"');
    for (; *path; path++) {
        unsigned char c = (unsigned char)*path;
        bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                        (c >= '0' && c <= '9') || strchr("-._~/", c);
        if (is_plain)
            text_putc(out, (char)c);
        else
            text_printf(out, "%%%02X", c);
    }
    text_putc(out, '"');
}

static void put_region(struct text *out, struct location location)
{
    struct place place = place_of(location);

    text_printf(out, "{\"startLine\":%u,\"startColumn\":%u,\"endLine\":%u,\"endColumn\":%u}",
                place.line_begin, place.column_begin, place.line_end, place.column_end);
}

static void put_sarif_location(struct text *out, struct location location, const char *text)
{
    text_puts(out, "{\"physicalLocation\":{\"artifactLocation\":{\"uri\":");
    put_uri(out, location.source->name);
    text_puts(out, "},\"region\":");
    put_region(out, location);
    text_putc(out, '}');
    if (text && *text) {
        text_puts(out, ",\"message\":{\"text\":");
        put_string(out, text);
        text_putc(out, '}');
    }
    text_putc(out, '}');
}

/* Notes and helps have no place of their own in a result: they follow the message, one a line. */
static void put_sarif_text(struct text *out, const struct diag_message *message)
{
    struct text text = {0};

    text_puts(&text, message->text);
    for (size_t i = 0; i < message->remarks.count; i++) {
        text_printf(&text, "\n%s: %s", message->remarks.items[i].level,
                    message->remarks.items[i].text);
    }
    text_put_json(out, text_string(&text), text.length);
    text_finish(&text);
}

static void put_sarif_fix(struct text *out, const struct diag_remark *remark, bool is_sure)
{
    text_puts(out, "{\"description\":{\"text\":");
    put_string(out, remark->text);
    text_puts(out, "},\"artifactChanges\":[{\"artifactLocation\":{\"uri\":");
    put_uri(out, remark->edit_location.source->name);
    text_puts(out, "},\"replacements\":[{\"deletedRegion\":");
    put_region(out, remark->edit_location);
    text_puts(out, ",\"insertedContent\":{\"text\":");
    put_string(out, remark->edit_text);
    text_printf(out, "}}]}],\"properties\":{\"applicability\":\"%s\"}}",
                is_sure ? "MachineApplicable" : "MaybeIncorrect");
}

static void put_sarif_fixes(struct text *out, const struct diag_message *message)
{
    const struct diag_remark *sure = diag_sure_edit(message);
    const char *between = ",\"fixes\":[";

    for (size_t i = 0; i < message->remarks.count; i++) {
        if (!message->remarks.items[i].edit_location.source)
            continue;
        text_puts(out, between);
        put_sarif_fix(out, &message->remarks.items[i], &message->remarks.items[i] == sure);
        between = ",";
    }
    if (between[1] == '\0')
        text_putc(out, ']');
}

static const char *sarif_level(enum diag_severity severity)
{
    return severity == DIAG_REMARK ? "note" : diag_severity_name(severity);
}

static void put_sarif_result(struct text *out, const struct diag_message *message)
{
    text_printf(out, "{\"ruleId\":\"E%04u\",\"level\":\"%s\",\"message\":{\"text\":",
                (unsigned)message->id, sarif_level(message->severity));
    put_sarif_text(out, message);
    text_puts(out, "},\"locations\":[");
    if (message->location.source)
        put_sarif_location(out, message->location, message->primary);
    text_puts(out, "],\"relatedLocations\":[");
    for (size_t i = 0; i < message->labels.count; i++) {
        if (i)
            text_putc(out, ',');
        put_sarif_location(out, message->labels.items[i].location, message->labels.items[i].text);
    }
    text_putc(out, ']');
    put_sarif_fixes(out, message);
    text_putc(out, '}');
}

/* What `inlay explain` says. */
static void put_page(struct text *out, enum diag_id id)
{
    const char *page = diag_page(id);

    if (!page)
        return;
    text_puts(out, ",\"help\":{\"text\":");
    put_string(out, page);
    text_puts(out, ",\"markdown\":");
    put_string(out, page);
    text_putc(out, '}');
}

/* The rules that the results name, in the order of the table. */
static void put_sarif_rules(struct text *out, const struct diag *diag)
{
    bool is_first = true;

    for (size_t i = 0; i < diag_table_count; i++) {
        bool is_used = false;
        for (size_t j = 0; j < diag->messages.count && !is_used; j++)
            is_used = diag->messages.items[j]->id == diag_table[i].id;
        if (!is_used)
            continue;
        text_printf(out, "%s{\"id\":\"E%04u\",\"shortDescription\":{\"text\":", is_first ? "" : ",",
                    (unsigned)diag_table[i].id);
        put_string(out, diag_table[i].title);
        text_printf(out, "},\"helpUri\":\"urn:inlay:explain:E%04u\"", (unsigned)diag_table[i].id);
        put_page(out, diag_table[i].id);
        text_printf(out, ",\"defaultConfiguration\":{\"level\":\"%s\"}}",
                    sarif_level(diag_table[i].severity));
        is_first = false;
    }
}

void diag_print_sarif(const struct diag *diag, struct text *out)
{
    struct diag_message **sorted = diag_sorted(diag);

    text_puts(out, "{\"$schema\":\"https://json.schemastore.org/sarif-2.1.0.json\","
                   "\"version\":\"2.1.0\",\"runs\":[{\"tool\":{\"driver\":{\"name\":\"inlay\","
                   "\"rules\":[");
    put_sarif_rules(out, diag);
    text_puts(out, "]}},\"columnKind\":\"unicodeCodePoints\",\"results\":[");
    for (size_t i = 0; i < diag->messages.count; i++) {
        if (i)
            text_putc(out, ',');
        put_sarif_result(out, sorted[i]);
    }
    text_puts(out, "]}]}\n");
    memory_free(sorted);
}
