/* What a session has to say, as values and as text. */
#include "driver/api.h"

#include <string.h>

struct inlay_place api_place(struct location location)
{
    struct inlay_place place = {0};
    if (!location.source)
        return place;
    place.file = location.source->name;
    place.line = diag_place(location.source, location.begin, &place.column);
    place.end_line = diag_place(location.source, location.end, &place.end_column);
    return place;
}

static enum inlay_note_kind kind_of(const char *level)
{
    if (strcmp(level, "label") == 0)
        return INLAY_LABEL;
    return strcmp(level, "help") == 0 ? INLAY_HELP : INLAY_NOTE;
}

static const struct inlay_note *convert_notes(struct arena *arena, const struct diag_view *view)
{
    struct inlay_note *notes = arena_array(arena, struct inlay_note, view->note_count);
    for (size_t i = 0; i < view->note_count; i++) {
        const struct diag_note *note = &view->notes[i];
        notes[i] = (struct inlay_note){.kind = kind_of(note->level),
                                       .text = note->text,
                                       .place = api_place(note->location),
                                       .edit = note->edit};
    }
    return notes;
}

static struct inlay_diagnostic convert(struct arena *arena, const struct diag_view *view)
{
    static const enum inlay_severity severities[] = {
        [DIAG_ERROR] = INLAY_ERROR, [DIAG_WARNING] = INLAY_WARNING, [DIAG_REMARK] = INLAY_REMARK};
    return (struct inlay_diagnostic){.severity = severities[view->severity],
                                     .code = (unsigned)view->id,
                                     .message = view->text,
                                     .place = api_place(view->location),
                                     .label = view->primary,
                                     .note_count = view->note_count,
                                     .notes = convert_notes(arena, view)};
}

struct listing {
    struct inlay_session *session;
    enum inlay_format format;
    const struct inlay_diagnostic *items;
    size_t count;
};

static void list(void *state)
{
    struct listing *listing = state;
    struct inlay_session *session = listing->session;
    arena_finish(&session->listed);
    size_t count = diag_message_count(session->driver->diag);
    const struct diag_view *views = diag_views(session->driver->diag, &session->listed);
    struct inlay_diagnostic *items =
        arena_array(&session->listed, struct inlay_diagnostic, count + 1);
    for (size_t i = 0; i < count; i++)
        items[i] = convert(&session->listed, &views[i]);
    listing->items = items;
    listing->count = count;
}

size_t inlay_diagnostics(struct inlay_session *session, const struct inlay_diagnostic **out)
{
    struct listing listing = {.session = session};
    bool is_whole = api_enter(session, list, &listing);
    *out = is_whole ? listing.items : &session->end;
    return is_whole ? listing.count : 1;
}

static void clear(void *state)
{
    struct inlay_session *session = state;
    diag_truncate(session->driver->diag, 0);
}

void inlay_diagnostics_clear(struct inlay_session *session)
{
    api_enter(session, clear, session);
}

static void print(void *state)
{
    static const enum diag_format formats[] = {[INLAY_FORMAT_TEXT] = DIAG_FORMAT_TEXT,
                                               [INLAY_FORMAT_SHORT] = DIAG_FORMAT_SHORT,
                                               [INLAY_FORMAT_JSON] = DIAG_FORMAT_JSON,
                                               [INLAY_FORMAT_SARIF] = DIAG_FORMAT_SARIF};
    struct listing *listing = state;
    struct inlay_session *session = listing->session;
    text_clear(&session->text);
    diag_print(session->driver->diag, formats[listing->format], false, &session->text);
}

const char *inlay_diagnostics_text(struct inlay_session *session, enum inlay_format format)
{
    struct listing listing = {.session = session, .format = format};
    return api_enter(session, print, &listing) ? text_string(&session->text) : NULL;
}
