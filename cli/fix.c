/* Edits in rounds: a mistake may hide another one, and edits that touch each other wait. */
#include "cli/fix.h"

#include "cli/report.h"

#include <stdio.h>
#include <string.h>

enum { ROUND_LIMIT = 200 };

/* A text, and what is said of it. */
struct attempt {
    struct driver *driver;
    const struct source *source;
};

void check_source(const struct cli_options *options, struct driver *driver,
                  const struct source *source)
{
    struct ir_module *module = driver_parse(driver, source);
    if (module)
        driver_lint(driver, &module);
    ir_module_destroy(module);
}

static struct attempt attempt_text(const struct cli_options *options, const char *path,
                                   const struct text *text)
{
    struct attempt attempt = {.driver = driver_create(&options->driver)};

    attempt.source = source_new(&attempt.driver->arena, path, text_string(text), text->length);
    check_source(options, attempt.driver, attempt.source);
    return attempt;
}

static bool is_syntax(const struct diag_view *view)
{
    return view->severity == DIAG_ERROR && view->id < DIAG_FILE_EMPTY;
}

static unsigned count_syntax(const struct diag_view *views, size_t count)
{
    unsigned found = 0;

    for (size_t i = 0; i < count; i++)
        found += is_syntax(&views[i]);
    return found;
}

static bool has_edit(const struct diag_view *view)
{
    for (size_t i = 0; i < view->note_count; i++)
        if (view->notes[i].edit)
            return true;
    return false;
}

static unsigned count_same(const struct diag_view *views, size_t count,
                           const struct diag_view *wanted)
{
    unsigned found = 0;

    for (size_t i = 0; i < count; i++)
        found += views[i].id == wanted->id && strcmp(views[i].text, wanted->text) == 0;
    return found;
}

/* Did what @old proposed help?  What it hid may come to light. */
static bool is_better(const struct attempt *old, const struct attempt *new)
{
    struct arena arena = {0};
    struct diag_view *before = diag_views(old->driver->diag, &arena);
    struct diag_view *after = diag_views(new->driver->diag, &arena);
    size_t before_count = diag_message_count(old->driver->diag);
    size_t after_count = diag_message_count(new->driver->diag);
    unsigned before_syntax = count_syntax(before, before_count);
    bool is_good = count_syntax(after, after_count) <= before_syntax, is_less = false;

    for (size_t i = 0; i < before_count; i++)
        if (has_edit(&before[i]))
            is_less = is_less || count_same(after, after_count, &before[i]) <
                                     count_same(before, before_count, &before[i]);
    arena_finish(&arena);
    /* One of several lines of tabs is mended: the next one has the same message. */
    return is_good && (is_less || diag_message_count(new->driver->diag) <= before_count);
}

static void write_file(const struct cli_options *options, const struct attempt *attempt,
                       unsigned edits)
{
    struct driver *driver = driver_create(&options->driver);
    struct text text = {0};

    text_append(&text, attempt->source->text, attempt->source->length);
    report_file(driver, attempt->source->name, &text);
    if (diag_error_count(driver->diag))
        report_diagnostics(options, driver->diag, stderr);
    else
        fprintf(stderr, "inlay: %u %s made in %s\n", edits, edits == 1 ? "edit" : "edits",
                attempt->source->name);
    text_finish(&text);
    driver_destroy(driver);
}

void fix_file(const struct cli_options *options, const char *path)
{
    struct driver *reader = driver_create(&options->driver);
    const struct source *source = driver_read(reader, path);
    struct text text = {0};
    unsigned edits = 0;

    if (source)
        text_append(&text, source->text, source->length);
    driver_destroy(reader);
    if (!source)
        return; /* `check` says why */
    struct attempt now = attempt_text(options, path, &text);
    for (unsigned round = 0; round < ROUND_LIMIT; round++) {
        text_clear(&text);
        unsigned count = diag_apply_edits(now.driver->diag, now.source, &text);
        if (!count)
            break;
        struct attempt next = attempt_text(options, path, &text);
        bool is_step = is_better(&now, &next);
        driver_destroy(is_step ? now.driver : next.driver);
        if (!is_step)
            break;
        now = next;
        edits += count;
    }
    if (edits)
        write_file(options, &now, edits);
    driver_destroy(now.driver);
    text_finish(&text);
}
