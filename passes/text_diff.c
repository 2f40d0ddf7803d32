/* Differences between two texts, line by line; see text_diff.h. */
#include "passes/text_diff.h"

#include "base/arena.h"
#include "base/array.h"

#include <string.h>

enum { CONTEXT = 3, DIFFERENCE_LIMIT = 2000 };

struct line {
    const char *start;
    size_t length;
};
typedef array(struct line) line_array;

/* What becomes of a line: kept (of both), removed (of before), added (of after). */
struct edit {
    char kind; /* ' ', '-', '+' */
    struct line line;
};
typedef array(struct edit) edit_array;

static void split_lines(const char *text, line_array *lines)
{
    while (*text) {
        size_t length = strcspn(text, "\n");

        array_push(lines, (struct line){text, length});
        text += length + (text[length] == '\n');
    }
}

static bool same_line(struct line a, struct line b)
{
    return a.length == b.length && memcmp(a.start, b.start, a.length) == 0;
}

/*
 * One row of furthest points per number of differences d: at[k] is how far into `before` d edits
 * reach on diagonal k (lines of before minus lines of after).  All rows are kept to walk back.
 */
struct search {
    const line_array *before, *after;
    array(long *) rows;
    long found; /* d of the last row, or -1: given up */
};

static long reach(const struct search *search, const long *last, long d, long k)
{
    /* down (an added line) from k + 1, or right (a removed one) from k - 1, whichever is further */
    long x = d == 0                                             ? 0
             : k == -d || (k != d && last[k - 1] < last[k + 1]) ? last[k + 1]
                                                                : last[k - 1] + 1;
    long y = x - k;

    while (x < (long)search->before->count && y < (long)search->after->count &&
           same_line(search->before->items[x], search->after->items[y])) {
        x++;
        y++;
    }
    return x;
}

static void find_edits(struct search *search, struct arena *scratch)
{
    long before = (long)search->before->count, after = (long)search->after->count;
    const long *last = NULL;

    search->found = -1;
    for (long d = 0; d <= before + after && d <= DIFFERENCE_LIMIT; d++) {
        long *row = arena_array(scratch, long, (size_t)(2 * d + 3));
        long *at = row + d + 1; /* at[-d] to at[d] */

        array_push(&search->rows, at);
        for (long k = -d; k <= d; k += 2) {
            at[k] = reach(search, last, d, k);
            if (at[k] >= before && at[k] - k >= after) {
                search->found = d;
                return;
            }
        }
        last = at;
    }
}

/* The edits, last first. */
static void walk_back(const struct search *search, edit_array *edits)
{
    long x = (long)search->before->count, y = (long)search->after->count;

    for (long d = search->found; d >= 0; d--) {
        const long *last = d > 0 ? search->rows.items[d - 1] : NULL;
        long k = x - y;
        bool is_added = d > 0 && (k == -d || (k != d && last[k - 1] < last[k + 1]));
        long from_x = d == 0 ? 0 : is_added ? last[k + 1] : last[k - 1];
        long from_y = d == 0 ? 0 : from_x - (is_added ? k + 1 : k - 1);

        while (x > from_x && y > from_y) {
            array_push(edits, (struct edit){' ', search->before->items[--x]});
            y--;
        }
        if (d > 0 && is_added)
            array_push(edits, (struct edit){'+', search->after->items[--y]});
        else if (d > 0)
            array_push(edits, (struct edit){'-', search->before->items[--x]});
    }
}

static void replace_all(const line_array *before, const line_array *after, edit_array *edits)
{
    for (size_t i = after->count; i-- > 0;)
        array_push(edits, (struct edit){'+', after->items[i]});
    for (size_t i = before->count; i-- > 0;)
        array_push(edits, (struct edit){'-', before->items[i]});
}

/* Is a changed line within CONTEXT lines of edit @i? */
static bool is_shown(const edit_array *edits, size_t i)
{
    size_t low = i > CONTEXT ? i - CONTEXT : 0;
    size_t high = i + CONTEXT < edits->count ? i + CONTEXT : edits->count - 1;

    for (size_t k = low; k <= high; k++)
        if (edits->items[k].kind != ' ')
            return true;
    return false;
}

static void print_edits(const edit_array *edits, bool use_color, struct text *out)
{
    bool is_open = false;

    for (size_t i = edits->count; i-- > 0;) {
        const struct edit *edit = &edits->items[i];

        if (!is_shown(edits, i)) {
            if (is_open)
                text_puts(out, "  ...\n");
            is_open = false;
            continue;
        }
        is_open = true;
        if (use_color && edit->kind != ' ')
            text_puts(out, edit->kind == '+' ? "\033[32m" : "\033[31m");
        text_putc(out, edit->kind);
        text_putc(out, ' ');
        text_append(out, edit->line.start, edit->line.length);
        if (use_color && edit->kind != ' ')
            text_puts(out, "\033[0m");
        text_putc(out, '\n');
    }
}

void text_diff(const char *before, const char *after, bool use_color, struct text *out)
{
    struct arena scratch = {0};
    line_array before_lines = {0}, after_lines = {0};
    edit_array edits = {0};
    struct search search = {.before = &before_lines, .after = &after_lines};

    if (strcmp(before, after) == 0)
        return;
    split_lines(before, &before_lines);
    split_lines(after, &after_lines);
    find_edits(&search, &scratch);
    if (search.found >= 0)
        walk_back(&search, &edits);
    else
        replace_all(&before_lines, &after_lines, &edits);
    print_edits(&edits, use_color, out);
    array_finish(&edits);
    array_finish(&search.rows);
    array_finish(&before_lines);
    array_finish(&after_lines);
    arena_finish(&scratch);
}
