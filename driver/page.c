/* See page.h. */
#include "driver/page.h"

#include "driver/config.h"
#include "driver/explain.h"
#include "driver/page_parts.h"
#include "driver/plan_report.h"
#include "ir/print.h"
#include "passes/text_diff.h"

#include <string.h>

enum { DIFFERENCE_LINES = 400, TEXT_LIMIT = 4 << 20 };

static void put_text(const char *text, struct text *out)
{
    text_put_json(out, text, strlen(text));
}

/* ---- what happens while passes run ---- */

static void print_module(const struct ir_module *module, struct text *out)
{
    struct ir_print_options options = ir_print_defaults;

    options.refers_above = 256;
    options.show_all_types = true;
    text_clear(out);
    ir_module_print(module, &options, out);
}

static void enter(void *observer, const char *done, const char *pass)
{
    struct page *page = observer;

    if (page->inner && page->inner->enter)
        page->inner->enter(page->inner->observer, done, pass);
    page->pass = pass ? arena_copy_text(&page->session->driver->arena, pass, strlen(pass)) : NULL;
    page->begin_ms = cost_now();
}

static size_t count_lines(const char *text)
{
    size_t count = 0;

    for (; *text; text++)
        count += *text == '\n';
    return count;
}

/* Bytes of the first lines of @text. */
static size_t first_lines(const char *text, size_t count)
{
    const char *p = text;

    while (*p && count > 0)
        count -= *p++ == '\n';
    return (size_t)(p - text);
}

static void note_difference(struct page *page, struct page_pass *run, const struct text *after)
{
    struct text difference = {0};

    if (page->text.length < TEXT_LIMIT && after->length < TEXT_LIMIT)
        text_diff(text_string(&page->text), text_string(after), false, &difference);
    size_t kept = first_lines(text_string(&difference), DIFFERENCE_LINES);

    run->difference =
        arena_copy_text(&page->session->driver->arena, text_string(&difference), kept);
    run->left_out = count_lines(text_string(&difference) + kept);
    text_finish(&difference);
}

static bool leave(void *observer, struct pass_run *pass_run)
{
    struct page *page = observer;
    struct page_pass run = {
        .text = page->pass, .pass = pass_run->pass, .ms = cost_now() - page->begin_ms};
    struct text after = {0};

    print_module(pass_run->module, &after);
    run.is_changed = after.length != page->text.length ||
                     strcmp(text_string(&after), text_string(&page->text)) != 0;
    if (run.is_changed)
        note_difference(page, &run, &after);
    text_finish(&page->text);
    page->text = after;
    array_push(&page->runs, run);
    if (pass_run->pass->folder == PASS_FOLDER_fuse) { /* the last of them has the last word */
        text_clear(&page->after.json);
        page_put_graph(pass_run->module, &page->after.json);
        text_clear(&page->dot);
        page_put_dot(pass_run->module, &page->dot);
        page->after.behind = pass_run->pass->name;
    }
    return !page->inner || !page->inner->leave ||
           page->inner->leave(page->inner->observer, pass_run);
}

struct pass_watch page_watch(struct page *page, struct session *session, const char *passes,
                             const struct pass_watch *inner)
{
    struct pass_watch watch = inner ? *inner : (struct pass_watch){0};

    *page = (struct page){.session = session, .passes = passes, .inner = inner};
    watch.observer = page;
    watch.enter = enter;
    watch.leave = leave;
    page_begin_remarks(page);
    page->before.behind = "the script";
    page_put_graph(session->script, &page->before.json);
    page_put_dot(session->script, &page->dot);
    print_module(session->script, &page->text);
    return watch;
}

void page_finish(struct page *page)
{
    page_end_remarks(page);
    text_finish(&page->before.json);
    text_finish(&page->after.json);
    text_finish(&page->text);
    text_finish(&page->dot);
    array_finish(&page->runs);
}

/* ---- the object ---- */

static void put_passes(const struct page *page, struct text *out)
{
    text_puts(out, ",\n\"passes\": [");
    for (size_t i = 0; i < page->runs.count; i++) {
        const struct page_pass *run = &page->runs.items[i];

        text_puts(out, i ? ",\n{\"name\": " : "{\"name\": ");
        put_text(run->text, out);
        text_puts(out, ", \"doc\": ");
        put_text(run->pass->doc, out);
        text_printf(out, ", \"ms\": %.3f, \"changed\": %s, \"left\": %zu", run->ms,
                    run->is_changed ? "true" : "false", run->left_out);
        if (run->difference) {
            text_puts(out, ", \"diff\": ");
            put_text(run->difference, out);
        }
        text_putc(out, '}');
    }
    text_putc(out, ']');
}

static void put_graph(const char *key, const struct page_graph *graph, struct text *out)
{
    text_printf(out, ",\n\"%s\": {\"behind\": ", key);
    put_text(graph->behind ? graph->behind : "", out);
    text_printf(out, ", \"functions\": %s}", graph->json.length ? text_string(&graph->json) : "[]");
}

static void put_decisions(const struct page *page, const struct runner *runner, struct text *out)
{
    struct totals totals;
    struct sizes sizes;

    sizes_init(&sizes, page->session->driver->context, page->session->options);
    text_puts(out, ",\n\"decisions\": ");
    explain_put_json(&sizes, &runner->decisions, NULL, out);
    totals_make(&totals, &sizes, &runner->decisions, NULL);
    text_puts(out, ",\n\"totals\": {");
    totals_put_json(&totals, &sizes, out);
    text_putc(out, '}');
    totals_finish(&totals);
    sizes_finish(&sizes);
}

static void put_plan(const struct page *page, const struct runner *runner, struct text *out)
{
    struct plan_report report;
    struct sizes sizes;

    sizes_init(&sizes, page->session->driver->context, page->session->options);
    plan_report_make(&report, runner->module, &sizes);
    text_puts(out, ",\n\"plan\": ");
    plan_view_put(report.functions.items, report.functions.count, PLAN_JSON, out);
    plan_report_finish(&report);
    sizes_finish(&sizes);
}

static void put_object(const struct page *page, const struct runner *runner, const char *members,
                       struct text *out)
{
    /* What places count lines of: the script, or the listing of a model. */
    const struct source *file = page->session->source, *listing = page->session->entry->loc.source,
                        *source = listing ? listing : file;
    bool is_text = source->length < TEXT_LIMIT && !memchr(source->text, '\0', source->length);

    text_puts(out, "{\"script\": ");
    put_text(file->name, out);
    text_printf(out, ", \"listed\": %s, \"pipeline\": ", source == file ? "false" : "true");
    put_text(page->passes, out);
    text_puts(out, ", \"inlay\": \"" INLAY_VERSION "\", \"entry\": ");
    put_text(page->session->entry->name, out);
    text_puts(out, ",\n\"source\": ");
    text_put_json(out, source->text, is_text ? source->length : 0);
    put_passes(page, out);
    put_graph("before", &page->before, out);
    put_graph("after", &page->after, out);
    put_decisions(page, runner, out);
    put_plan(page, runner, out);
    text_puts(out, members);
    text_putc(out, '}');
}

/* ---- the page ---- */

/* Inside of a script element no text may look like its end, or like a comment. */
static void put_safely(const struct text *json, struct text *out)
{
    const char *p = text_string(json), *end = p + json->length;

    for (const char *next; p < end; p = next) {
        const char *sign = memchr(p, '<', (size_t)(end - p));

        next = sign ? sign : end;
        text_append(out, p, (size_t)(next - p));
        if (sign) {
            text_puts(out, "\\u003c");
            next = sign + 1;
        }
    }
}

static void put_title(const struct page *page, struct text *out)
{
    for (const char *p = page->session->source->name; *p; p++)
        if (*p == '<' || *p == '&')
            text_printf(out, "&#%d;", *p);
        else
            text_putc(out, *p);
}

void page_put(const struct page *page, const struct runner *runner, const char *members,
              struct text *out)
{
    struct text object = {0};
    const char *p = page_html, *mark;

    put_object(page, runner, members, &object);
    while ((mark = strstr(p, "@@"))) { /* @@title, @@style, @@data, @@code */
        text_append(out, p, (size_t)(mark - p));
        if (strncmp(mark, "@@title", 7) == 0)
            put_title(page, out);
        else if (strncmp(mark, "@@style", 7) == 0)
            text_puts(out, page_css);
        else if (strncmp(mark, "@@data", 6) == 0)
            put_safely(&object, out);
        else
            text_puts(out, page_js);
        p = mark + 2 + strspn(mark + 2, "abcdefghijklmnopqrstuvwxyz");
    }
    text_puts(out, p);
    text_finish(&object);
}
