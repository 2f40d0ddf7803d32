/* Messages as values, for programs that show them themselves. */
#include "base/internal.h"
#include "base/memory.h"

static void view_message(struct arena *arena, const struct diag_message *message,
                         struct diag_view *out)
{
    size_t labels = message->labels.count, count = labels + message->remarks.count;
    const struct diag_remark *sure = diag_sure_edit(message);
    struct diag_note *notes = arena_array(arena, struct diag_note, count);

    for (size_t i = 0; i < labels; i++)
        notes[i] = (struct diag_note){.level = "label",
                                      .text = message->labels.items[i].text,
                                      .location = message->labels.items[i].location};
    for (size_t i = labels; i < count; i++) {
        const struct diag_remark *remark = &message->remarks.items[i - labels];

        notes[i] = (struct diag_note){.level = remark->level,
                                      .text = remark->text,
                                      .location = remark->edit_location,
                                      .edit = remark->edit_text,
                                      .is_sure = remark == sure};
    }
    *out = (struct diag_view){.id = message->id,
                              .severity = message->severity,
                              .location = message->location,
                              .text = message->text,
                              .primary = message->primary,
                              .note_count = count,
                              .notes = notes};
}

struct diag_view *diag_views(const struct diag *diag, struct arena *arena)
{
    struct diag_view *views = arena_array(arena, struct diag_view, diag->messages.count + 1);
    struct diag_message **sorted = diag_sorted(diag);

    for (size_t i = 0; i < diag->messages.count; i++)
        view_message(arena, sorted[i], &views[i]);
    memory_free(sorted);
    return views;
}
