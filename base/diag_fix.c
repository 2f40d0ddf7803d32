/* The edits of messages, made in the text. */
#include "base/internal.h"

#include <stdlib.h>
#include <string.h>

const struct diag_remark *diag_sure_edit(const struct diag_message *message)
{
    const struct diag_remark *found = NULL;

    if (message->severity == DIAG_REMARK)
        return NULL;

    for (size_t i = 0; i < message->remarks.count; i++) {
        const struct diag_remark *remark = &message->remarks.items[i];
        if (!remark->edit_location.source)
            continue;
        if (found || remark->is_unsure)
            return NULL;
        found = remark;
    }
    return found;
}

static bool is_syntax_error(const struct diag_message *message)
{
    return message->severity == DIAG_ERROR && message->id < DIAG_FILE_EMPTY;
}

/* Then lines are missing in what is said besides of the text. */
static bool has_syntax_error(const struct diag *diag)
{
    for (size_t i = 0; i < diag->messages.count; i++)
        if (is_syntax_error(diag->messages.items[i]))
            return true;
    return false;
}

/* A message, and its edit. */
struct sure {
    const struct diag_message *message;
    const struct diag_remark *edit;
};

typedef array(struct sure) sure_edits;

static int compare_edits(const void *left, const void *right)
{
    const struct diag_remark *a = ((const struct sure *)left)->edit;
    const struct diag_remark *b = ((const struct sure *)right)->edit;

    if (a->edit_location.begin != b->edit_location.begin)
        return a->edit_location.begin < b->edit_location.begin ? -1 : 1;
    if (a->edit_location.end != b->edit_location.end)
        return a->edit_location.end < b->edit_location.end ? -1 : 1;
    return strcmp(a->edit_text, b->edit_text);
}

/* Keeps of the sorted @edits those that are made: one of each place, or of these the @index-th. */
static void choose(sure_edits *edits, int index)
{
    size_t kept = 0;
    uint32_t at = 0;
    int next = 0;

    for (size_t i = 0; i < edits->count; i++) {
        struct location place = edits->items[i].edit->edit_location;
        if ((i && !compare_edits(&edits->items[i - 1], &edits->items[i])) ||
            (index != DIAG_ALL_EDITS && next++ != index) || place.begin < at)
            continue;
        at = place.end;
        edits->items[kept++] = edits->items[i];
    }
    edits->count = kept;
}

static sure_edits find_edits(const struct diag *diag, const struct source *source, int index)
{
    sure_edits edits = {0};
    bool is_whole = !has_syntax_error(diag);

    for (size_t i = 0; i < diag->messages.count; i++) {
        const struct diag_message *message = diag->messages.items[i];
        const struct diag_remark *edit = diag_sure_edit(message);
        if (edit && edit->edit_location.source == source && (is_whole || is_syntax_error(message)))
            array_push(&edits, ((struct sure){message, edit}));
    }
    if (edits.count)
        qsort(edits.items, edits.count, sizeof(edits.items[0]), compare_edits);
    choose(&edits, index);
    return edits;
}

unsigned diag_apply_edits(const struct diag *diag, const struct source *source, int index,
                          struct text *out)
{
    sure_edits edits = find_edits(diag, source, index);
    unsigned count = (unsigned)edits.count;
    uint32_t at = 0;

    for (size_t i = 0; i < edits.count; i++) {
        struct location place = edits.items[i].edit->edit_location;
        text_append(out, source->text + at, place.begin - at);
        text_puts(out, edits.items[i].edit->edit_text);
        at = place.end;
    }
    text_append(out, source->text + at, source->length - at);
    array_finish(&edits);
    return count;
}

struct diag_edit *diag_edits(const struct diag *diag, const struct source *source, int index,
                             struct arena *arena)
{
    sure_edits edits = find_edits(diag, source, index);
    struct diag_edit *result = arena_array(arena, struct diag_edit, edits.count + 1);

    for (size_t i = 0; i < edits.count; i++) {
        const struct diag_message *message = edits.items[i].message;
        result[i] = (struct diag_edit){
            .id = message->id,
            .message = message->location.source == source ? message->location.begin : 0,
            .place = edits.items[i].edit->edit_location,
            .text = arena_printf(arena, "%s", edits.items[i].edit->edit_text)};
    }
    array_finish(&edits);
    return result;
}
