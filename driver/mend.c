/*
 * Edits in rounds.
 *
 * A message knows what stands at its place, and not what else is wrong: that the other of two things
 * that differ is the mistake, or that a line which ended a block was lost.  So an edit is only made if
 * what is then said of the text is less.  What an error of syntax hid may come to light with it; what
 * another error hid has to be mended by the edits that are proposed then, or it is taken back.
 */
#include "driver/mend.h"

#include "driver/driver.h"

#include <string.h>

enum { ATTEMPT_LIMIT = 500 };

/* A text, and what is said of it. */
struct attempt {
    struct driver *driver; /* NULL: none */
    const struct source *source;
    unsigned syntax, errors, warnings;
    enum diag_id first; /* of the errors of syntax, and where it is */
    unsigned first_line;
    unsigned edits; /* made until here */
};

struct mender {
    const struct driver_options *options;
    const char *name;
    unsigned attempts;
    struct attempt now;
};

/* Counts what is said of @attempt. */
static void judge(struct attempt *attempt)
{
    struct arena arena = {0};
    struct diag_view *views = diag_views(attempt->driver->diag, &arena);

    for (size_t i = diag_message_count(attempt->driver->diag); i-- > 0;) {
        if (views[i].severity != DIAG_ERROR || views[i].id >= DIAG_FILE_EMPTY)
            continue;
        attempt->syntax++;
        attempt->first = views[i].id;
        if (views[i].location.source == attempt->source)
            attempt->first_line =
                diag_place(attempt->source, views[i].location.begin, &(unsigned){0});
    }
    arena_finish(&arena);
    attempt->errors = diag_error_count(attempt->driver->diag);
    attempt->warnings = diag_warning_count(attempt->driver->diag);
}

static struct attempt attempt_text(struct mender *m, const struct text *text)
{
    struct attempt attempt = {.driver = driver_create(m->options)};

    m->attempts++;
    attempt.source = source_new(&attempt.driver->arena, m->name, text_string(text), text->length);
    driver_check(attempt.driver, attempt.source);
    judge(&attempt);
    return attempt;
}

static void drop(struct attempt *attempt)
{
    if (attempt->driver)
        driver_destroy(attempt->driver);
    attempt->driver = NULL;
}

static void take(struct attempt *now, struct attempt *next)
{
    next->edits += now->edits;
    drop(now);
    *now = *next;
}

/* Less is said of @new than of @old. */
static bool is_better(const struct attempt *old, const struct attempt *new)
{
    if (new->syntax != old->syntax)
        return new->syntax < old->syntax;
    /* Of several lines with tabs the first is told. */
    if (new->syntax &&new->first == old->first &&new->first_line != old->first_line)
        return new->first_line > old->first_line;
    if (new->errors != old->errors)
        return new->errors < old->errors;
    return new->warnings < old->warnings;
}

static bool is_equal(const struct attempt *old, const struct attempt *new)
{
    return !is_better(old, new) && !is_better(new, old);
}

/* The text of @now with all edits, or with the @index-th alone; false: there is none. */
static bool edited(struct mender *m, const struct attempt *now, int index, struct attempt *out)
{
    struct text text = {0};
    unsigned count = diag_apply_edits(now->driver->diag, now->source, index, &text);

    *out = (struct attempt){0};
    if (count) {
        *out = attempt_text(m, &text);
        out->edits = count;
    }
    text_finish(&text);
    return count;
}

/* One round; false: no edit of *@now makes it better. */
static bool step(struct mender *m, struct attempt *now)
{
    struct attempt next;

    if (m->attempts >= ATTEMPT_LIMIT || !edited(m, now, DIAG_ALL_EDITS, &next))
        return false;
    bool is_step = is_better(now, &next);
    for (int i = 0; !is_step && m->attempts < ATTEMPT_LIMIT; i++) {
        drop(&next);
        if (!edited(m, now, i, &next))
            break;
        is_step = is_better(now, &next);
    }
    if (is_step)
        take(now, &next);
    else
        drop(&next);
    return is_step;
}

/* One edit that makes nothing better, with another behind it that does; false: there is none such. */
static bool step_twice(struct mender *m)
{
    struct attempt next;

    for (int i = 0; m->attempts < ATTEMPT_LIMIT && edited(m, &m->now, i, &next); i++) {
        if (is_equal(&m->now, &next) && step(m, &next)) {
            take(&m->now, &next);
            return true;
        }
        drop(&next);
    }
    return false;
}

unsigned mend_text(const struct driver_options *options, const char *name, struct text *text)
{
    struct mender m = {.options = options, .name = name};

    m.now = attempt_text(&m, text);
    while (step(&m, &m.now) || step_twice(&m))
        continue;
    if (m.now.edits) {
        text_clear(text);
        text_append(text, m.now.source->text, m.now.source->length);
    }
    unsigned edits = m.now.edits;
    drop(&m.now);
    return edits;
}
