/*
 * Source lines with marks under them.
 *
 *     12 |     y = f(x, x)
 *        |           -  ^ read here
 *        |           |
 *        |           moved here
 *
 * All marks of a line share one row.  The text of the rightmost stands beside it if nothing reaches
 * further right; the other texts hang below, rightmost first, so that no text crosses another's
 * bar.  Columns are those of a terminal.  Of a long line only the part around its first mark is shown.
 */
#include "base/internal.h"

#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

enum {
    LINE_WIDTH = 160, /* longer lines are cut to a window, unless the terminal has another width */
    LEAST_WIDTH = 30, /* of a window */
    EDGE = 9,         /* columns of a line that are not text: " | ", "..." at both ends */
    TAB_WIDTH = 4,
};

struct span {
    unsigned begin, end; /* columns, 0-based */
    const char *text;
    bool is_primary;
};

/* What is shown of a line: columns [begin, end), with dots where it is cut. */
struct window {
    unsigned begin, end;
    bool cut_left, cut_right;
};

struct cell {
    char c;
    enum diag_style style;
};

struct row {
    array(struct cell) cells;
};

static unsigned decode(const char *text, size_t bytes)
{
    static const unsigned char masks[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    unsigned code = (unsigned char)text[0] & masks[bytes];

    for (size_t i = 1; i < bytes; i++)
        code = code << 6 | ((unsigned char)text[i] & 0x3f);
    return code;
}

static bool is_hidden(unsigned code)
{
    /* C0, DEL, C1; bidirectional controls, which make text read other than it is. */
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || (code >= 0x202a && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069);
}

/* Columns of a terminal; what nobody has given a meaning yet is shown as one. */
static unsigned code_width(unsigned code)
{
    utf8proc_int32_t point = (utf8proc_int32_t)code;
    int width = utf8proc_charwidth(point);

    return width < 0 || utf8proc_category(point) == UTF8PROC_CATEGORY_CN ? 1 : (unsigned)width;
}

/* Width of the character at @text; its bytes go to @out_bytes. */
static unsigned character_width(const char *text, size_t length, size_t *out_bytes)
{
    size_t bytes = text_utf8_length(text, length);

    *out_bytes = bytes ? bytes : 1;
    if (*text == '\t')
        return TAB_WIDTH;
    if (!bytes)
        return 1;
    unsigned code = decode(text, bytes);
    return is_hidden(code) ? 1 : code_width(code);
}

static void put_character(struct text *out, const char *text, size_t bytes)
{
    if (*text == '\t')
        text_printf(out, "%*s", TAB_WIDTH, "");
    else if (!text_utf8_length(text, bytes) || is_hidden(decode(text, bytes)))
        text_puts(out, "\xef\xbf\xbd");
    else
        text_append(out, text, bytes);
}

void diag_put_safe(struct text *out, const char *text, size_t length)
{
    for (size_t i = 0, bytes; i < length; i += bytes) {
        character_width(text + i, length - i, &bytes);
        put_character(out, text + i, bytes);
    }
}

/* The column of byte @offset of a line. */
static unsigned column_of(const char *line, size_t length, size_t offset)
{
    unsigned column = 0;

    for (size_t i = 0, bytes; i < length && i < offset; i += bytes)
        column += character_width(line + i, length - i, &bytes);
    return column;
}

static void put_columns(struct text *out, const char *line, size_t length, struct window window)
{
    unsigned column = 0;

    for (size_t i = 0, bytes; i < length && column < window.end; i += bytes) {
        unsigned width = character_width(line + i, length - i, &bytes);
        if (column >= window.begin)
            put_character(out, line + i, bytes);
        column += width;
    }
}

static unsigned window_width(const struct diag_painter *painter)
{
    unsigned edge = (unsigned)painter->gutter + EDGE;

    if (!painter->width)
        return LINE_WIDTH;
    return painter->width > edge + LEAST_WIDTH ? painter->width - edge : LEAST_WIDTH;
}

static struct window choose_window(const struct diag_painter *painter, unsigned width,
                                   const struct span *spans, size_t count)
{
    unsigned most = window_width(painter), before = most / 4;
    struct window window = {.end = width};
    unsigned first = count ? spans[0].begin : 0;

    if (width <= most)
        return window;
    for (size_t i = 0; i < count; i++)
        first = spans[i].is_primary ? spans[i].begin : first;
    if (first > before)
        window.begin = first - before;
    if (width - window.begin > most)
        window.end = window.begin + most;
    window.cut_left = window.begin > 0;
    window.cut_right = window.end < width;
    return window;
}

/* Columns of the line become columns of the window. */
static void move_spans(struct span *spans, size_t count, struct window window)
{
    unsigned dots = window.cut_left ? 3 : 0;

    for (size_t i = 0; i < count; i++) {
        struct span *span = &spans[i];
        span->begin = span->begin < window.begin ? window.begin : span->begin;
        span->begin = span->begin > window.end ? window.end : span->begin;
        span->end = span->end > window.end && window.cut_right ? window.end : span->end;
        span->end = span->end <= span->begin ? span->begin + 1 : span->end;
        span->begin += dots - window.begin;
        span->end += dots - window.begin;
    }
}

static void put_number(const struct diag_painter *painter, unsigned line)
{
    diag_set_style(painter, DIAG_GUTTER);
    if (line)
        text_printf(painter->out, "%*u |", painter->gutter, line);
    else
        text_printf(painter->out, "%*s |", painter->gutter, "");
    diag_set_style(painter, DIAG_PLAIN);
}

/* A source line, without blanks at its end. */
static void put_line(const struct diag_painter *painter, unsigned number, const char *line,
                     size_t length, struct window window)
{
    struct text *out = painter->out;

    put_number(painter, number);
    text_puts(out, window.cut_left ? " ..." : " ");
    put_columns(out, line, length, window);
    if (window.cut_right)
        text_puts(out, "...");
    while (out->data[out->length - 1] == ' ')
        out->data[--out->length] = '\0';
    text_putc(out, '\n');
}

static void row_put(struct row *row, unsigned column, char c, enum diag_style style)
{
    while (row->cells.count <= column)
        array_push(&row->cells, (struct cell){' ', DIAG_PLAIN});
    row->cells.items[column] = (struct cell){c, style};
}

/* Writes the row, then @text in @style, and empties the row. */
static void row_flush(const struct diag_painter *painter, struct row *row, const char *text,
                      enum diag_style style)
{
    enum diag_style current = DIAG_PLAIN;

    put_number(painter, 0);
    text_putc(painter->out, ' ');
    for (size_t i = 0; i < row->cells.count; i++) {
        if (row->cells.items[i].style != current)
            diag_set_style(painter, row->cells.items[i].style);
        current = row->cells.items[i].style;
        text_putc(painter->out, row->cells.items[i].c);
    }
    if (*text && style != current)
        diag_set_style(painter, style);
    for (size_t length; *text; text += length + (text[length] != '\0')) {
        length = strcspn(text, "\n");
        diag_put_safe(painter->out, text, length);
        if (text[length])
            text_putc(painter->out, ' ');
    }
    diag_set_style(painter, DIAG_PLAIN);
    text_putc(painter->out, '\n');
    row->cells.count = 0;
}

static enum diag_style style_of(const struct span *span)
{
    return span->is_primary ? DIAG_PRIMARY : DIAG_SECONDARY;
}

static int compare_spans(const void *left, const void *right)
{
    const struct span *a = left, *b = right;

    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    if (a->end != b->end)
        return a->end > b->end ? -1 : 1;
    return a->is_primary - b->is_primary;
}

/* Is the last span's text free to stand on the row of the marks? */
static bool is_last_inline(const struct span *spans, size_t count)
{
    for (size_t i = 0; i + 1 < count; i++) {
        if (spans[i].end > spans[count - 1].end)
            return false;
    }
    return true;
}

/* Bars for the hanging spans left of column @limit. */
static void put_bars(struct row *row, const struct span *spans, size_t count, unsigned limit)
{
    for (size_t i = 0; i < count; i++) {
        if (*spans[i].text && spans[i].begin < limit)
            row_put(row, spans[i].begin, '|', style_of(&spans[i]));
    }
}

/* The row of `^^^` and `---`; primary marks cover others. */
static void put_signs(struct row *row, const struct span *spans, size_t count)
{
    for (size_t i = 0; i < 2 * count; i++) {
        const struct span *span = &spans[i % count];
        if (span->is_primary != (i >= count))
            continue;
        for (unsigned column = span->begin; column < span->end; column++)
            row_put(row, column, span->is_primary ? '^' : '-', style_of(span));
    }
}

/* The texts that hang below the signs, rightmost first. */
static void put_hanging(const struct diag_painter *painter, struct row *row,
                        const struct span *spans, size_t count)
{
    bool has_bars = false;

    for (size_t i = count; i-- > 0;) {
        if (!*spans[i].text)
            continue;
        if (!has_bars) {
            put_bars(row, spans, count, ~0u);
            row_flush(painter, row, "", DIAG_PLAIN);
            has_bars = true;
        }
        put_bars(row, spans, i, spans[i].begin);
        while (row->cells.count < spans[i].begin)
            row_put(row, (unsigned)row->cells.count, ' ', DIAG_PLAIN);
        row_flush(painter, row, spans[i].text, style_of(&spans[i]));
    }
}

/* The rows under a line; @spans are sorted. */
static void put_marks(const struct diag_painter *painter, const struct span *spans, size_t count)
{
    struct row row = {0};
    const struct span *last = &spans[count - 1];
    bool has_inline = is_last_inline(spans, count);

    put_signs(&row, spans, count);
    if (has_inline && *last->text)
        row_put(&row, (unsigned)row.cells.count, ' ', DIAG_PLAIN);
    row_flush(painter, &row, has_inline ? last->text : "", style_of(last));
    put_hanging(painter, &row, spans, has_inline ? count - 1 : count);
    array_finish(&row.cells);
}

/* The line @number with those of @marks that begin in it. */
static void draw_line(const struct diag_painter *painter, unsigned number,
                      const struct diag_mark *marks, size_t mark_count)
{
    const struct source *source = marks[0].location.source;
    array(struct span) spans = {0};
    size_t length;
    const char *line = diag_line(source, number, &length);
    uint32_t start = source->line_starts[number - 1];

    for (size_t i = 0; i < mark_count; i++) {
        struct location place = marks[i].location;
        if (location_line(place) != number)
            continue;
        struct span span = {.text = marks[i].text, .is_primary = marks[i].is_primary};
        span.begin = column_of(line, length, place.begin - start);
        span.end = place.end > place.begin ? column_of(line, length, place.end - start) : 0;
        if (span.end <= span.begin)
            span.end = span.begin + 1;
        array_push(&spans, span);
    }
    unsigned width = column_of(line, length, length);
    struct window window = choose_window(painter, width, spans.items, spans.count);
    put_line(painter, number, line, length, window);
    if (spans.count) {
        move_spans(spans.items, spans.count, window);
        qsort(spans.items, spans.count, sizeof(spans.items[0]), compare_spans);
        put_marks(painter, spans.items, spans.count);
    }
    array_finish(&spans);
}

/* The first line after @line that a mark begins in; 0 if there is none. */
static unsigned next_line(const struct diag_mark *marks, size_t count, unsigned line)
{
    unsigned next = 0;

    for (size_t i = 0; i < count; i++) {
        unsigned other = location_line(marks[i].location);
        if (other > line && (!next || other < next))
            next = other;
    }
    return next;
}

void diag_draw_snippet(const struct diag_painter *painter, const struct diag_mark *marks,
                       size_t count)
{
    unsigned previous = 0;

    for (unsigned line = next_line(marks, count, 0); line; line = next_line(marks, count, line)) {
        if (previous && line == previous + 2) {
            draw_line(painter, line - 1, marks, count);
        } else if (previous && line > previous + 2) {
            diag_set_style(painter, DIAG_GUTTER);
            text_puts(painter->out, "...\n");
            diag_set_style(painter, DIAG_PLAIN);
        }
        draw_line(painter, line, marks, count);
        previous = line;
    }
}

/* What stays of the edge of what is replaced. */
struct kept {
    size_t front, back;
};

static struct kept kept_of(const char *old, size_t old_length, const char *new, size_t length)
{
    struct kept kept = {0};

    while (kept.front < length && kept.front < old_length && new[kept.front] == old[kept.front])
        kept.front++;
    while (kept.back < length - kept.front && kept.back < old_length - kept.front &&
           new[length - 1 - kept.back] == old[old_length - 1 - kept.back])
        kept.back++;
    return kept;
}

/* A line with bytes [begin, end) of it marked by @sign. */
static void draw_edited(const struct diag_painter *painter, unsigned number, const char *line,
                        size_t length, size_t begin, size_t end, char sign)
{
    struct row row = {0};
    struct span span = {column_of(line, length, begin), column_of(line, length, end), "", true};
    struct window window = choose_window(painter, column_of(line, length, length), &span, 1);

    put_line(painter, number, line, length, window);
    move_spans(&span, 1, window);
    for (unsigned column = span.begin; column < span.end && begin < end; column++)
        row_put(&row, column, sign, DIAG_ADDED);
    if (row.cells.count)
        row_flush(painter, &row, "", DIAG_PLAIN);
    array_finish(&row.cells);
}

/* The lines of @text, of which bytes [begin, end) are marked; those without a mark are left out. */
static void draw_edited_lines(const struct diag_painter *painter, unsigned number, const char *text,
                              size_t begin, size_t end, char sign)
{
    for (size_t at = 0;; number++) {
        size_t length = strcspn(text + at, "\r\n"), from = begin > at ? begin - at : 0;
        size_t to = end > at ? end - at : 0;

        if (at + length >= begin && (at <= begin || at < end))
            draw_edited(painter, number, text + at, length, from < length ? from : length,
                        to < length ? to : length, sign);
        at += length;
        if (!text[at])
            return;
        at += text[at] == '\r' && text[at + 1] == '\n' ? 2 : 1;
    }
}

void diag_draw_edit(const struct diag_painter *painter, const struct diag_remark *edit)
{
    const struct source *source = edit->edit_location.source;
    size_t begin = edit->edit_location.begin, end = edit->edit_location.end;
    size_t length = strlen(edit->edit_text), last_length;
    unsigned number = location_line(edit->edit_location), column;
    unsigned last = source_line(source, (uint32_t)end, &column);
    size_t start = source->line_starts[number - 1];
    const char *last_line = diag_line(source, last, &last_length);
    size_t stop = (size_t)(last_line - source->text) + last_length;
    struct kept kept = kept_of(source->text + begin, end - begin, edit->edit_text, length);
    struct text text = {0};

    if (length == kept.front + kept.back) { /* nothing is new: show what goes */
        text_append(&text, source->text + start, stop - start);
        draw_edited_lines(painter, number, text_string(&text), begin + kept.front - start,
                          end - kept.back - start, '-');
    } else {
        bool is_added = end - begin == kept.front + kept.back;
        text_append(&text, source->text + start, begin - start);
        text_puts(&text, edit->edit_text);
        text_append(&text, source->text + end, stop > end ? stop - end : 0);
        draw_edited_lines(painter, number, text_string(&text), begin + kept.front - start,
                          begin + length - kept.back - start, is_added ? '+' : '~');
    }
    text_finish(&text);
}
