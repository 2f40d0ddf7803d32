/* The layout of a text, as one edit of the part that changes. */
#include "frontend/python/format.h"
#include "lsp/answers.h"

#include <string.h>

static bool is_inside_character(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}

/* The edit that makes @text of the source. */
static void put_edit(struct text *out, const struct source *source, const struct text *text)
{
    const char *new = text_string(text);
    uint32_t begin = 0, end = (uint32_t)source->length;
    size_t stop = text->length;

    while (begin < end && begin < stop && source->text[begin] == new[begin])
        begin++;
    while (begin > 0 &&
           (is_inside_character(source->text[begin]) || source->text[begin - 1] == '\r'))
        begin--;
    while (end > begin && stop > begin && source->text[end - 1] == new[stop - 1]) {
        end--;
        stop--;
    }
    while (end < source->length &&
           (is_inside_character(source->text[end]) || source->text[end] == '\n')) {
        end++;
        stop++;
    }
    text_puts(out, "[{\"range\":");
    put_range(out, (struct location){source, begin, end});
    text_puts(out, ",\"newText\":");
    text_put_json(out, new + begin, stop - begin);
    text_puts(out, "}]");
}

void answer_formatting(const struct question *question, struct text *out)
{
    const struct source *source = question->look->source;
    struct text text = {0};
    bool is_good = frontend_is_script(source->text, source->length) && format_source(source, &text);
    bool is_same = text.length == source->length &&
                   memcmp(text_string(&text), source->text, source->length) == 0;

    if (!is_good || is_same)
        text_puts(out, "[]");
    else
        put_edit(out, source, &text);
    text_finish(&text);
}
