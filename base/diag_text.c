/* Diagnostics as text, in the shape of rustc's. */
#include "base/internal.h"
#include "base/memory.h"

#include <string.h>

void diag_set_style(const struct diag_painter *painter, enum diag_style style)
{
    static const char *const levels[] = {"\033[1;31m", "\033[1;33m", "\033[1;36m"};
    static const char *const codes[] = {
        [DIAG_PLAIN] = "\033[0m",        [DIAG_BOLD] = "\033[1m",     [DIAG_GUTTER] = "\033[1;34m",
        [DIAG_SECONDARY] = "\033[1;34m", [DIAG_ADDED] = "\033[1;32m",
    };

    if (painter->color)
        text_puts(painter->out, style == DIAG_PRIMARY ? levels[painter->severity] : codes[style]);
}

static void put_gutter(const struct diag_painter *painter, const char *sign)
{
    diag_set_style(painter, DIAG_GUTTER);
    text_printf(painter->out, "%*s %s", painter->gutter, "", sign);
    diag_set_style(painter, DIAG_PLAIN);
}

/* "error[E0301]: text" */
static void put_head(const struct diag_painter *painter, const struct diag_message *message)
{
    struct text *out = painter->out;

    diag_set_style(painter, DIAG_PRIMARY);
    text_printf(out, "%s[E%04u]", diag_severity_name(message->severity), (unsigned)message->id);
    diag_set_style(painter, DIAG_BOLD);
    text_puts(out, ": ");
    diag_put_safe(out, message->text, strlen(message->text));
    diag_set_style(painter, DIAG_PLAIN);
    text_putc(out, '\n');
}

/* Text whose further lines stand under the first. */
static void put_indented(const struct diag_painter *painter, const char *text, int indent)
{
    for (;;) {
        size_t length = strcspn(text, "\n");
        diag_put_safe(painter->out, text, length);
        text_putc(painter->out, '\n');
        text += length;
        if (!*text++)
            return;
        text_printf(painter->out, "%*s", indent, "");
    }
}

static void put_remark(const struct diag_painter *painter, const struct diag_remark *remark)
{
    if (remark->edit_location.source) {
        diag_set_style(painter, DIAG_ADDED);
        text_puts(painter->out, remark->level);
        diag_set_style(painter, DIAG_PLAIN);
        text_puts(painter->out, ": ");
        put_indented(painter, remark->text, 6);
        put_gutter(painter, "|\n");
        diag_draw_edit(painter, remark);
        return;
    }
    put_gutter(painter, "= ");
    diag_set_style(painter, DIAG_BOLD);
    text_puts(painter->out, remark->level);
    diag_set_style(painter, DIAG_PLAIN);
    text_puts(painter->out, ": ");
    put_indented(painter, remark->text, painter->gutter + 9);
}

/* The marks of one source: "--> file:line:column" (":::" for further sources) and its lines. */
static void put_source(const struct diag_painter *painter, const struct diag_mark *marks,
                       size_t count, bool is_first)
{
    unsigned column;
    unsigned line = diag_place(marks[0].location.source, marks[0].location.begin, &column);

    diag_set_style(painter, DIAG_GUTTER);
    text_printf(painter->out, "%*s%s ", painter->gutter + !is_first, "", is_first ? "-->" : ":::");
    diag_set_style(painter, DIAG_PLAIN);
    diag_put_safe(painter->out, marks[0].location.source->name,
                  strlen(marks[0].location.source->name));
    text_printf(painter->out, ":%u:%u\n", line, column);
    put_gutter(painter, "|\n");
    diag_draw_snippet(painter, marks, count);
}

static int digits_of(unsigned number)
{
    int digits = 1;

    for (; number >= 10; number /= 10)
        digits++;
    return digits;
}

static int gutter_of(const struct diag_message *message)
{
    unsigned line = location_line(message->location);

    for (size_t i = 0; i < message->labels.count; i++) {
        unsigned other = location_line(message->labels.items[i].location);
        line = other > line ? other : line;
    }
    for (size_t i = 0; i < message->remarks.count; i++) {
        unsigned other = location_line(message->remarks.items[i].edit_location);
        line = other > line ? other : line;
    }
    return digits_of(line);
}

/* Moves the marks that stand in the source of the first to the front; returns how many. */
static size_t gather(struct diag_mark *marks, size_t count)
{
    size_t gathered = 0;

    for (size_t i = 0; i < count; i++) {
        struct diag_mark mark = marks[i];
        if (mark.location.source != marks[0].location.source)
            continue;
        memmove(marks + gathered + 1, marks + gathered, (i - gathered) * sizeof(mark));
        marks[gathered++] = mark;
    }
    return gathered;
}

void diag_print_message(const struct diag_message *message, struct diag_look look, struct text *out)
{
    struct diag_painter painter = {
        .out = out,
        .severity = message->severity,
        .color = look.color,
        .width = look.width,
        .gutter = gutter_of(message),
    };
    array(struct diag_mark) marks = {0};

    put_head(&painter, message);
    if (message->location.source)
        array_push(&marks, (struct diag_mark){message->location, message->primary, true});
    for (size_t i = 0; i < message->labels.count; i++)
        array_push(&marks, (struct diag_mark){message->labels.items[i].location,
                                              message->labels.items[i].text, false});
    for (size_t done = 0, count; done < marks.count; done += count) {
        count = gather(marks.items + done, marks.count - done);
        put_source(&painter, marks.items + done, count, !done);
    }
    if (marks.count && message->remarks.count)
        put_gutter(&painter, "|\n");
    for (size_t i = 0; i < message->remarks.count; i++)
        put_remark(&painter, &message->remarks.items[i]);
    array_finish(&marks);
}

/* Behind the first message of each code. */
static void put_pointer(struct diag_message *const *sorted, size_t at, struct text *out)
{
    for (size_t i = 0; i < at; i++)
        if (sorted[i]->id == sorted[at]->id)
            return;
    text_printf(out, "%*s = more: `inlay explain E%04u`\n", gutter_of(sorted[at]), "",
                (unsigned)sorted[at]->id);
}

void diag_print_text(const struct diag *diag, struct diag_look look, struct text *out)
{
    struct diag_message **sorted = diag_sorted(diag);

    for (size_t i = 0; i < diag->messages.count; i++) {
        diag_print_message(sorted[i], look, out);
        if (look.points_to_pages)
            put_pointer(sorted, i, out);
        text_putc(out, '\n');
    }
    memory_free(sorted);
    if (diag->dropped_errors)
        text_printf(out, "error: %u more error%s not shown\n", diag->dropped_errors,
                    diag->dropped_errors == 1 ? " is" : "s are");
}
