/* The edits of messages, made in the text. */
#include "base/internal.h"

#include <stdlib.h>
#include <string.h>

/* The one edit of @message; NULL: none, or several to choose from, or one for people to judge. */
static const struct diag_remark *edit_of(const struct diag_message *message)
{
    const struct diag_remark *found = NULL;

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

static int compare_edits(const void *left, const void *right)
{
    const struct diag_remark *a = *(const struct diag_remark *const *)left;
    const struct diag_remark *b = *(const struct diag_remark *const *)right;

    if (a->edit_location.begin != b->edit_location.begin)
        return a->edit_location.begin < b->edit_location.begin ? -1 : 1;
    if (a->edit_location.end != b->edit_location.end)
        return a->edit_location.end < b->edit_location.end ? -1 : 1;
    return strcmp(a->edit_text, b->edit_text);
}

unsigned diag_apply_edits(const struct diag *diag, const struct source *source, int index,
                          struct text *out)
{
    array(const struct diag_remark *) edits = {0};
    bool is_whole = !has_syntax_error(diag);
    unsigned count = 0;
    uint32_t at = 0;
    int next = 0;

    for (size_t i = 0; i < diag->messages.count; i++) {
        const struct diag_message *message = diag->messages.items[i];
        const struct diag_remark *edit = edit_of(message);
        if (edit && edit->edit_location.source == source && message->severity != DIAG_REMARK &&
            (is_whole || is_syntax_error(message)))
            array_push(&edits, edit);
    }
    if (edits.count)
        qsort(edits.items, edits.count, sizeof(edits.items[0]), compare_edits);
    for (size_t i = 0; i < edits.count; i++) {
        struct location place = edits.items[i]->edit_location;
        if ((i && !compare_edits(&edits.items[i - 1], &edits.items[i])) ||
            (index != DIAG_ALL_EDITS && next++ != index) || place.begin < at)
            continue;
        text_append(out, source->text + at, place.begin - at);
        text_puts(out, edits.items[i]->edit_text);
        at = place.end;
        count++;
    }
    text_append(out, source->text + at, source->length - at);
    array_finish(&edits);
    return count;
}
