/* See document.h. */
#include "lsp/document.h"

#include "base/array.h"
#include "base/memory.h"

#include <string.h>

static char *copy_text(const char *text, size_t length)
{
    return memcpy(memory_new(length + 1, 1), text, length);
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The path of file:///path%20name; the URI itself where it is no file. */
static char *name_of(const char *uri)
{
    static const char scheme[] = "file://";

    if (strncmp(uri, scheme, sizeof(scheme) - 1) != 0)
        return copy_text(uri, strlen(uri));
    const char *path = strchr(uri + sizeof(scheme) - 1, '/');
    if (!path)
        return copy_text(uri, strlen(uri));
    char *name = copy_text(path, strlen(path)), *to = name;
    for (const char *p = name; *p; p++) {
        int high = *p == '%' ? hex_digit(p[1]) : -1;
        int low = high >= 0 ? hex_digit(p[2]) : -1;
        bool is_escape = low >= 0 && (high || low); /* no NUL in a path */
        *to++ = (char)(is_escape ? high * 16 + low : *p);
        p += is_escape ? 2 : 0;
    }
    *to = '\0';
    return name;
}

struct document *document_new(const char *uri)
{
    struct document *document = memory_new(sizeof(*document), 1);

    document->uri = copy_text(uri, strlen(uri));
    document->name = name_of(uri);
    return document;
}

void hints_clear(struct hints *hints)
{
    for (size_t i = 0; i < hints->count; i++) {
        memory_free(hints->items[i].label);
        memory_free(hints->items[i].tip);
    }
    array_finish(hints);
}

void document_free(struct document *document)
{
    if (!document)
        return;
    look_free(document->look);
    hints_clear(&document->hints);
    text_finish(&document->text);
    memory_free(document->uri);
    memory_free(document->name);
    memory_free(document);
}

/* --- places --- */

/* Where the line behind the one at @at begins, behind LF, CRLF or CR; the end of the text if there is none. */
static size_t next_line(const char *text, size_t length, size_t at)
{
    while (at < length && text[at] != '\n' && text[at] != '\r')
        at++;
    if (at + 1 < length && text[at] == '\r' && text[at + 1] == '\n')
        return at + 2;
    return at < length ? at + 1 : length;
}

static bool is_line_end(char c)
{
    return c == '\n' || c == '\r';
}

/* Units of UTF-16 that the character with the first byte @c has; 0: it is no first byte. */
static unsigned units_of(char c)
{
    unsigned char byte = (unsigned char)c;

    return (byte & 0xc0) == 0x80 ? 0 : byte >= 0xf0 ? 2 : 1;
}

size_t document_offset(const struct text *text, struct place place)
{
    const char *bytes = text_string(text);
    size_t at = 0;
    unsigned unit = 0;

    for (unsigned line = 0; line < place.line; line++) {
        size_t next = next_line(bytes, text->length, at);
        if (next == text->length && (next == at || !is_line_end(bytes[next - 1])))
            return next;
        at = next;
    }
    while (at < text->length && !is_line_end(bytes[at])) {
        unsigned units = units_of(bytes[at]);
        if (units && unit + units > place.unit) /* in the middle of one: in front of it */
            break;
        unit += units;
        at++;
    }
    return at;
}

struct place document_place(const struct source *source, uint32_t offset)
{
    unsigned column;

    if (offset > source->length)
        offset = (uint32_t)source->length;
    struct place place = {.line = source_line(source, offset, &column) - 1};
    for (uint32_t at = offset - (column - 1); at < offset; at++)
        place.unit += units_of(source->text[at]);
    return place;
}

/* --- edits --- */

/* Forgets what was known of the text. */
static void change(struct document *document)
{
    look_free(document->look);
    document->look = NULL;
    document->is_dirty = true;
    document->has_hints = false;
}

/* Hints behind an edit move with the text; those in it are gone. */
static void move_hints(struct hints *hints, size_t begin, size_t end, size_t length)
{
    for (size_t i = 0; i < hints->count; i++) {
        struct hint *hint = &hints->items[i];
        if (hint->at > begin && hint->at < end)
            hint->is_gone = true;
        else if (hint->at >= end && end > begin)
            hint->at = (uint32_t)(hint->at - (end - begin) + length);
        else if (hint->at > begin)
            hint->at = (uint32_t)(hint->at + length);
    }
}

void document_replace(struct document *document, struct place begin_place, struct place end_place,
                      const char *text, size_t length)
{
    size_t begin = document_offset(&document->text, begin_place);
    size_t end = document_offset(&document->text, end_place);
    struct text next = {0};

    if (end < begin)
        end = begin;
    text_append(&next, text_string(&document->text), begin);
    text_append(&next, text, length);
    text_append(&next, text_string(&document->text) + end, document->text.length - end);
    text_finish(&document->text);
    document->text = next;
    move_hints(&document->hints, begin, end, length);
    change(document);
}

void document_set(struct document *document, const char *text, size_t length)
{
    text_clear(&document->text);
    text_append(&document->text, text, length);
    hints_clear(&document->hints);
    change(document);
}
