/*
 * Edits in rounds.
 *
 * A message knows what stands at its place, and not what else is wrong: that the other of two things
 * that differ is the mistake, or that a line which ended a block was lost.  So an edit is only made if the
 * message is gone then, and no other has come: messages are compared by code and line, as the edits move
 * the lines.  What an error of syntax hid may come to light with it; what another error hid has to be mended
 * by the edits that are proposed then, or it is taken back.
 */
#include "driver/mend.h"

#include "base/array.h"
#include "driver/driver.h"

#include <stdlib.h>
#include <string.h>

enum { ATTEMPT_LIMIT = 500 };

/* What is said of a line. */
struct said {
    enum diag_id id;
    unsigned line; /* of the text that all attempts of a round began with */
};

typedef array(struct said) sayings;

/* A text, and what is said of it. */
struct attempt {
    struct driver *driver; /* NULL: none */
    const struct source *source;
    unsigned syntax;
    unsigned misplaced; /* statements that have no place in a module or a file */
    enum diag_id first; /* of the errors of syntax, and where it is */
    unsigned first_line;
    sayings errors, warnings; /* sorted */
    sayings mended;           /* what the edits were for */
    unsigned edits;           /* made until here */
    bool is_cut;              /* there are more errors than are kept */
    /* from what it was made, and how; NULL: the text of a round */
    const struct attempt *from;
    const struct diag_edit *changes;
    unsigned change_count;
};

struct mender {
    const struct driver_options *options;
    const char *name;
    unsigned attempts;
    struct attempt now;
    struct arena arena; /* edits */
};

/* ---- where a message stood ---- */

/* Byte @offset of the text of @attempt in the text that it was made from. */
static uint32_t offset_before(const struct attempt *attempt, uint32_t offset)
{
    int64_t moved = 0; /* what edits in front of it added */

    for (unsigned i = 0; i < attempt->change_count; i++) {
        const struct diag_edit *edit = &attempt->changes[i];
        int64_t begin = edit->place.begin + moved, added = (int64_t)strlen(edit->text);

        if (offset < begin + added)
            return offset <= begin ? (uint32_t)(offset - moved) : edit->place.begin;
        moved += added - (edit->place.end - edit->place.begin);
    }
    return (uint32_t)(offset - moved);
}

/* The line of @offset in the text of the round. */
static unsigned line_before(const struct attempt *attempt, uint32_t offset)
{
    for (; attempt->from; attempt = attempt->from)
        offset = offset_before(attempt, offset);
    return diag_place(attempt->source, offset, &(unsigned){0});
}

/* ---- what is said ---- */

static int compare_sayings(const void *left, const void *right)
{
    const struct said *a = left, *b = right;

    if (a->id != b->id)
        return a->id < b->id ? -1 : 1;
    return a->line < b->line ? -1 : a->line > b->line;
}

static void sort(sayings *list)
{
    if (list->count)
        qsort(list->items, list->count, sizeof(list->items[0]), compare_sayings);
}

static size_t count_of(const sayings *list, struct said said)
{
    size_t count = 0;

    for (size_t i = 0; i < list->count; i++)
        count += !compare_sayings(&list->items[i], &said);
    return count;
}

static unsigned line_of(const struct attempt *attempt, struct location location)
{
    return location.source == attempt->source ? line_before(attempt, location.begin) : 0;
}

static void note_syntax(struct attempt *attempt, const struct diag_view *view)
{
    attempt->syntax++;
    attempt->first = view->id;
    if (view->location.source == attempt->source)
        attempt->first_line = diag_place(attempt->source, view->location.begin, &(unsigned){0});
}

/* Notes what is said of @attempt. */
static void judge(struct attempt *attempt)
{
    struct arena arena = {0};
    struct diag_view *views = diag_views(attempt->driver->diag, &arena);

    for (size_t i = diag_message_count(attempt->driver->diag); i-- > 0;) {
        struct said said = {views[i].id, line_of(attempt, views[i].location)};
        if (views[i].severity == DIAG_ERROR && views[i].id < DIAG_FILE_EMPTY)
            note_syntax(attempt, &views[i]);
        attempt->misplaced += views[i].id == DIAG_FILE_STATEMENT;
        if (views[i].severity == DIAG_ERROR)
            array_push(&attempt->errors, said);
        else if (views[i].severity == DIAG_WARNING)
            array_push(&attempt->warnings, said);
    }
    sort(&attempt->errors);
    sort(&attempt->warnings);
    attempt->is_cut = diag_is_full(attempt->driver->diag);
    arena_finish(&arena);
}

/* All of @few is in @many, and not all of @many in it. */
static bool is_less(const sayings *few, const sayings *many)
{
    size_t i = 0;

    for (size_t k = 0; k < many->count && i < few->count; k++)
        i += !compare_sayings(&few->items[i], &many->items[k]);
    return i == few->count && few->count < many->count;
}

/* What the edits of @new were for is not said any more. */
static bool is_mended(const struct attempt *old, const struct attempt *new)
{
    for (size_t i = 0; i < new->mended.count; i++) {
        struct said said = new->mended.items[i];
        size_t before = count_of(&old->errors, said) + count_of(&old->warnings, said);
        size_t left = count_of(&new->errors, said) + count_of(&new->warnings, said);

        if (before && left + count_of(&new->mended, said) > before)
            return false;
    }
    return true;
}

/* ---- attempts ---- */

static void drop(struct attempt *attempt)
{
    if (attempt->driver)
        driver_destroy(attempt->driver);
    array_finish(&attempt->errors);
    array_finish(&attempt->warnings);
    array_finish(&attempt->mended);
    *attempt = (struct attempt){0};
}

static void attempt_text(struct mender *m, const struct text *text, struct attempt *attempt)
{
    attempt->driver = driver_create(m->options);
    m->attempts++;
    attempt->source = source_new(&attempt->driver->arena, m->name, text_string(text), text->length);
    driver_check(attempt->driver, attempt->source);
    judge(attempt);
}

/* @next is what the rounds go on with: its own text is the measure now. */
static void take(struct attempt *now, struct attempt *next)
{
    unsigned edits = now->edits + next->edits;

    drop(now);
    *now = *next;
    now->from = NULL;
    now->edits = edits;
    array_finish(&now->mended);
    array_finish(&now->errors);
    array_finish(&now->warnings);
    now->mended = now->errors = now->warnings = (sayings){0};
    now->syntax = now->misplaced = 0;
    judge(now);
}

/* Less is said of @new than of @old: nothing that is not said there, and not what was to be mended. */
static bool is_better(const struct attempt *old, const struct attempt *new)
{
    if ((new->syntax || old->syntax) && new->misplaced > old->misplaced)
        return false;
    if (new->syntax != old->syntax)
        return new->syntax < old->syntax;
    /* Of several lines with tabs the first is told. */
    if (new->syntax &&new->first == old->first &&new->first_line != old->first_line)
        return new->first_line > old->first_line;
    if (old->is_cut)
        return is_mended(old, new);
    if (new->errors.count || old->errors.count)
        return is_less(&new->errors, &old->errors) && is_mended(old, new);
    return is_less(&new->warnings, &old->warnings) && is_mended(old, new);
}

/* As much is said: what comes next may tell. */
static bool is_equal(const struct attempt *old, const struct attempt *new)
{
    return new->syntax == old->syntax &&new->errors.count == old->errors.count &&
           (new->errors.count || new->warnings.count == old->warnings.count);
}

static void note_mended(const struct attempt *now, struct attempt *out)
{
    for (unsigned i = 0; i < out->change_count; i++)
        array_push(&out->mended,
                   ((struct said){out->changes[i].id, line_before(now, out->changes[i].message)}));
    for (size_t i = 0; i < now->mended.count; i++)
        array_push(&out->mended, now->mended.items[i]);
}

/* The text of @now with all edits, or with the @index-th alone; false: there is none. */
static bool edited(struct mender *m, const struct attempt *now, int index, struct attempt *out)
{
    struct text text = {0};
    unsigned count = diag_apply_edits(now->driver->diag, now->source, index, &text);

    *out = (struct attempt){.from = now, .edits = count, .change_count = count};
    if (count) {
        out->changes = diag_edits(now->driver->diag, now->source, index, &m->arena);
        note_mended(now, out);
        attempt_text(m, &text, out);
    }
    text_finish(&text);
    return count;
}

/* One round from @now; false: no edit makes it better than *@old, or there is none. */
static bool step(struct mender *m, const struct attempt *old, const struct attempt *now,
                 struct attempt *next)
{
    if (m->attempts >= ATTEMPT_LIMIT || !edited(m, now, DIAG_ALL_EDITS, next))
        return false;
    bool is_step = is_better(old, next);
    for (int i = 0; !is_step && m->attempts < ATTEMPT_LIMIT; i++) {
        drop(next);
        if (!edited(m, now, i, next))
            break;
        is_step = is_better(old, next);
    }
    if (!is_step)
        drop(next);
    return is_step;
}

static bool step_once(struct mender *m)
{
    struct attempt next;
    bool is_step = step(m, &m->now, &m->now, &next);

    if (is_step)
        take(&m->now, &next);
    return is_step;
}

/* One edit that makes nothing better, with another behind it that does; false: there is none such. */
static bool step_twice(struct mender *m)
{
    struct attempt next, last;

    for (int i = 0; m->attempts < ATTEMPT_LIMIT && edited(m, &m->now, i, &next); i++) {
        bool is_step = is_equal(&m->now, &next) && step(m, &m->now, &next, &last);

        if (is_step) {
            last.edits += next.edits;
            take(&m->now, &last);
        }
        drop(&next);
        if (is_step)
            return true;
    }
    return false;
}

unsigned mend_text(const struct driver_options *options, const char *name, struct text *text)
{
    struct mender m = {.options = options, .name = name};

    attempt_text(&m, text, &m.now);
    while (step_once(&m) || step_twice(&m))
        continue;
    if (m.now.edits) {
        text_clear(text);
        text_append(text, m.now.source->text, m.now.source->length);
    }
    unsigned edits = m.now.edits;
    drop(&m.now);
    arena_finish(&m.arena);
    return edits;
}
