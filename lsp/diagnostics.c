/* Messages of the compiler as the protocol has them, and what can be done about them. */
#include "driver/mend.h"
#include "lsp/answers.h"

#include <string.h>

/* --- messages --- */

/* What has no place in the text stands at its begin. */
static struct location place_in(const struct look *look, struct location loc)
{
    return loc.source == look->source ? loc : (struct location){look->source, 0, 0};
}

static void put_sentences(struct text *out, const struct diag_view *view)
{
    struct text text = {0};

    text_puts(&text, view->text);
    if (*view->primary)
        text_printf(&text, "\n%s", view->primary);
    for (size_t i = 0; i < view->note_count; i++)
        if (strcmp(view->notes[i].level, "label") != 0)
            text_printf(&text, "\n%s: %s", view->notes[i].level, view->notes[i].text);
    text_put_json(out, text_string(&text), text.length);
    text_finish(&text);
}

static void put_related(struct text *out, const struct document *document,
                        const struct diag_view *view)
{
    bool is_first = true;

    text_puts(out, ",\"relatedInformation\":[");
    for (size_t i = 0; i < view->note_count; i++) {
        const struct diag_note *note = &view->notes[i];
        if (strcmp(note->level, "label") != 0 || note->location.source != document->look->source)
            continue;
        text_puts(out, is_first ? "{\"location\":" : ",{\"location\":");
        put_location(out, document, note->location);
        text_puts(out, ",\"message\":");
        put_string(out, *note->text ? note->text : "here");
        text_putc(out, '}');
        is_first = false;
    }
    text_putc(out, ']');
}

void put_diagnostic(struct text *out, const struct document *document, const struct diag_view *view)
{
    static const int severities[] = {[DIAG_ERROR] = 1, [DIAG_WARNING] = 2, [DIAG_REMARK] = 3};

    text_puts(out, "{\"range\":");
    put_range(out, place_in(document->look, view->location));
    text_printf(out, ",\"severity\":%d,\"code\":\"E%04u\",\"source\":\"inlay\",\"message\":",
                severities[view->severity], (unsigned)view->id);
    put_sentences(out, view);
    if (view->id == DIAG_GRAPH_UNREAD)
        text_puts(out, ",\"tags\":[1]"); /* editors show it in grey */
    put_related(out, document, view);
    text_putc(out, '}');
}

/* The compiler has met a bug of its own, or memory is short. */
static void put_failure(const struct look *look, struct text *out)
{
    text_puts(out, "{\"range\":{\"start\":{\"line\":0,\"character\":0},"
                   "\"end\":{\"line\":0,\"character\":0}},\"severity\":1,\"source\":\"inlay\","
                   "\"message\":");
    put_string(out, look->guard.outcome == GUARD_MEMORY
                        ? "memory is short: the text was not looked at"
                        : "a bug of Inlay: the text was not looked at (`inlay check` shows more)");
    text_putc(out, '}');
}

void answer_diagnostics(const struct document *document, struct text *out)
{
    const struct look *look = document->look;

    text_puts(out, "{\"uri\":");
    put_string(out, document->uri);
    text_printf(out, ",\"version\":%ld,\"diagnostics\":[", document->version);
    if (!look_is_good(look))
        put_failure(look, out);
    for (size_t i = 0; look_is_good(look) && look->source && i < look->view_count; i++) {
        if (i)
            text_putc(out, ',');
        put_diagnostic(out, document, &look->views[i]);
    }
    text_puts(out, "]}");
}

/* --- what can be done --- */

struct actions {
    const struct question *question;
    struct text *out;
    uint32_t begin, end; /* where the user stands */
    bool is_first;
};

static void open_action(struct actions *actions, const char *title, const char *kind)
{
    text_puts(actions->out, actions->is_first ? "{\"title\":" : ",{\"title\":");
    actions->is_first = false;
    put_string(actions->out, title);
    text_printf(actions->out, ",\"kind\":\"%s\"", kind);
}

/* The one edit that it makes, in the text. */
static void close_action(struct actions *actions, struct location loc, const char *edit)
{
    struct text *out = actions->out;

    text_puts(out, ",\"edit\":{\"changes\":{");
    put_string(out, actions->question->document->uri);
    text_puts(out, ":[{\"range\":");
    put_range(out, loc);
    text_puts(out, ",\"newText\":");
    put_string(out, edit);
    text_puts(out, "}]}}}");
}

static void put_solved(struct actions *actions, const struct diag_view *view, bool is_preferred)
{
    text_puts(actions->out, ",\"diagnostics\":[");
    put_diagnostic(actions->out, actions->question->document, view);
    text_puts(actions->out, is_preferred ? "],\"isPreferred\":true" : "]");
}

static void put_fixes(struct actions *actions, const struct diag_view *view)
{
    const struct source *source = actions->question->look->source;

    for (size_t i = 0; i < view->note_count; i++) {
        const struct diag_note *note = &view->notes[i];
        if (!note->edit || note->location.source != source)
            continue;
        open_action(actions, note->text, "quickfix");
        put_solved(actions, view, note->is_sure);
        close_action(actions, note->location, note->edit);
    }
}

/* Where in the text of @line (or the comment line before) `# inlay: allow(` ends; nowhere if it does not stand there. */
static struct location allow_in(struct location line)
{
    static const char word[] = "# inlay: allow(";
    const char *text = line.source->text + line.begin;
    const char *found = strstr(text, word);

    if (!found || found >= line.source->text + line.end)
        return (struct location){0};
    line.begin = line.end = (uint32_t)(found - line.source->text + (long)sizeof(word) - 1);
    return line;
}

/* `# inlay: allow(E0574)` in front of the line, or its code in the one that stands there. */
static void put_allow(struct actions *actions, const struct diag_view *view)
{
    struct arena *arena = actions->question->arena;
    struct location line = location_whole_line(view->location), above = line;
    const char *code = arena_printf(arena, "E%04u", (unsigned)view->id);

    above.begin = above.end = line.begin;
    if (line.begin) {
        above.begin--;
        above = location_whole_line(above);
    }
    struct location place = allow_in(line);
    const char *begin = above.source->text + above.begin;
    if (!place.source && begin[strspn(begin, " \t")] == '#')
        place = allow_in(above);
    const char *edit = arena_printf(arena, "%s, ", code);
    if (!place.source) {
        const char *text = line.source->text + line.begin;
        place = location_before(line);
        edit =
            arena_printf(arena, "%.*s# inlay: allow(%s)\n", (int)strspn(text, " \t"), text, code);
    }
    open_action(actions, arena_printf(arena, "it is meant: `# inlay: allow(%s)`", code),
                "quickfix");
    put_solved(actions, view, false);
    close_action(actions, place, edit);
}

static bool has_edits(const struct look *look)
{
    for (size_t i = 0; i < look->view_count; i++)
        for (size_t k = 0; k < look->views[i].note_count; k++)
            if (look->views[i].notes[k].edit)
                return true;
    return false;
}

/* All edits that help, as `inlay check --fix` makes them. */
static void put_all_fixes(struct actions *actions)
{
    const struct look *look = actions->question->look;
    struct text text = {0};

    text_append(&text, look->source->text, look->source->length);
    if (has_edits(look) && mend_text(look->driver->options, look->source->name, &text)) {
        open_action(actions, "all edits that messages propose", "source.fixAll");
        close_action(actions, (struct location){look->source, 0, (uint32_t)look->source->length},
                     text_string(&text));
    }
    text_finish(&text);
}

/* Does the client ask for actions of @kind? */
static bool wants(const struct question *question, const char *kind)
{
    const cJSON *context = cJSON_GetObjectItemCaseSensitive(question->params, "context");
    const cJSON *only = cJSON_GetObjectItemCaseSensitive(context, "only"), *item;

    if (!cJSON_IsArray(only))
        return true;
    cJSON_ArrayForEach(item, only)
    {
        size_t length = cJSON_IsString(item) ? strlen(item->valuestring) : 0;
        if (length && strncmp(kind, item->valuestring, length) == 0 &&
            (kind[length] == '\0' || kind[length] == '.'))
            return true;
    }
    return false;
}

void answer_code_actions(const struct question *question, struct text *out)
{
    const struct look *look = question->look;
    const cJSON *range = cJSON_GetObjectItemCaseSensitive(question->params, "range");
    const struct text *text = &question->document->text;
    struct actions actions = {.question = question, .out = out, .is_first = true};
    const cJSON *start = cJSON_GetObjectItemCaseSensitive(range, "start");
    const cJSON *end = cJSON_GetObjectItemCaseSensitive(range, "end");

    actions.begin = (uint32_t)document_offset(text, json_place(start));
    actions.end = (uint32_t)document_offset(text, json_place(end));
    if (actions.begin >= actions.end) { /* a cursor: what its line has to say */
        struct location line =
            location_whole_line((struct location){look->source, actions.begin, actions.begin});
        actions.begin = line.begin;
        actions.end = line.end > line.begin ? line.end - 1 : line.end;
    }
    text_putc(out, '[');
    for (size_t i = 0; wants(question, "quickfix") && i < look->view_count; i++) {
        const struct diag_view *view = &look->views[i];
        if (view->location.source != look->source || view->location.begin > actions.end ||
            view->location.end < actions.begin)
            continue;
        put_fixes(&actions, view);
        if (view->severity == DIAG_WARNING)
            put_allow(&actions, view);
    }
    if (wants(question, "source.fixAll"))
        put_all_fixes(&actions);
    text_putc(out, ']');
}
