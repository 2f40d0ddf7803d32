#include "base/source.h"

#include "base/util.h"

#include <string.h>

/* Bytes of the line end at @text, 0 if there is none. */
static size_t line_end_length(const char *text, size_t rest)
{
    if (!rest || (text[0] != '\n' && text[0] != '\r'))
        return 0;
    return rest > 1 && text[0] == '\r' && text[1] == '\n' ? 2 : 1;
}

static unsigned find_lines(const char *text, size_t length, uint32_t *out_starts)
{
    unsigned count = 1; /* the first line starts at 0 */

    for (size_t i = 0; i < length;) {
        if ((unsigned char)text[i] > '\r') { /* nearly all */
            i++;
            continue;
        }
        size_t end = line_end_length(text + i, length - i);
        i += end ? end : 1;
        if (end && out_starts)
            out_starts[count] = (uint32_t)i;
        count += end != 0;
    }
    return count;
}

struct source *source_new(struct arena *arena, const char *name, const char *text, size_t length)
{
    struct source *source = arena_new(arena, struct source);

    if (length > UINT32_MAX - 1)
        FATAL("a source text must be smaller than 4 GiB");
    source->name = arena_printf(arena, "%s", name);
    source->text = length ? arena_copy_text(arena, text, length) : "";
    source->length = length;
    source->line_count = find_lines(text, length, NULL);
    uint32_t *starts = arena_array(arena, uint32_t, source->line_count);
    find_lines(text, length, starts);
    source->line_starts = starts;
    return source;
}

unsigned source_line(const struct source *source, uint32_t offset, unsigned *out_column)
{
    unsigned low = 0, high = source->line_count; /* starts[low] <= offset < starts[high] */

    while (high - low > 1) {
        unsigned middle = low + (high - low) / 2;
        if (source->line_starts[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    if (out_column)
        *out_column = offset - source->line_starts[low] + 1;
    return low + 1;
}

unsigned location_line(struct location location)
{
    return location.source ? source_line(location.source, location.begin, NULL) : 0;
}

struct location location_join(struct location first, struct location last)
{
    if (!first.source || first.source != last.source)
        return first.source ? first : last;
    return (struct location){
        .source = first.source,
        .begin = first.begin < last.begin ? first.begin : last.begin,
        .end = first.end > last.end ? first.end : last.end,
    };
}

struct location location_before(struct location location)
{
    location.end = location.begin;
    return location;
}

struct location location_behind(struct location location)
{
    location.begin = location.end;
    return location;
}

struct location location_whole_line(struct location location)
{
    const struct source *source = location.source;

    if (source) {
        unsigned line = source_line(source, location.begin, NULL);
        location.begin = source->line_starts[line - 1];
        location.end =
            line < source->line_count ? source->line_starts[line] : (uint32_t)source->length;
    }
    return location;
}

static bool is_word_byte(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (unsigned char)c >= 0x80;
}

struct location location_word(struct location in, const char *name)
{
    struct location found = {0};
    uint32_t length = (uint32_t)strlen(name);

    if (!in.source || !length)
        return found;
    const char *text = in.source->text;
    for (uint32_t at = in.begin; at + length <= in.end; at++) {
        bool is_begin = at == 0 || (!is_word_byte(text[at - 1]) && text[at - 1] != '.');
        if (!is_begin || memcmp(text + at, name, length) != 0 || is_word_byte(text[at + length]))
            continue;
        if (found.source)
            return (struct location){0};
        found = (struct location){in.source, at, at + length};
    }
    return found;
}
