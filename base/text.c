#include "base/text.h"

#include "base/memory.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* Makes room for @extra bytes and the NUL. */
static void reserve(struct text *text, size_t extra)
{
    size_t wanted;

    if (text->capacity && extra < text->capacity - text->length)
        return;
    if (__builtin_add_overflow(text->length, extra, &wanted) || wanted > SIZE_MAX / 2 - 64)
        memory_short();
    wanted = wanted + wanted / 2 + 64;
    text->data = memory_resize(text->data, wanted);
    text->capacity = wanted;
}

void text_append(struct text *text, const char *bytes, size_t length)
{
    reserve(text, length);
    if (length)
        memcpy(text->data + text->length, bytes, length);
    text->length += length;
    text->data[text->length] = '\0';
}

void text_puts(struct text *text, const char *string)
{
    text_append(text, string, strlen(string));
}

void text_putc(struct text *text, char c)
{
    text_append(text, &c, 1);
}

void text_printf(struct text *text, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    text_vprintf(text, format, args);
    va_end(args);
}

void text_vprintf(struct text *text, const char *format, va_list args)
{
    va_list again;

    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    if (length < 0)
        FATAL("a format could not be printed");
    reserve(text, (size_t)length);
    vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
    text->length += (size_t)length;
    va_end(again);
}

size_t text_utf8_length(const char *string, size_t length)
{
    const unsigned char *s = (const void *)string;
    size_t count = 0;
    unsigned char low = 0x80,
                  high = 0xbf; /* limits of the second byte: no overlong, no surrogate */

    if (!length)
        return 0;
    if (s[0] < 0x80)
        return 1;
    if (s[0] >= 0xc2 && s[0] <= 0xdf)
        count = 2;
    else if (s[0] >= 0xe0 && s[0] <= 0xef)
        count = 3;
    else if (s[0] >= 0xf0 && s[0] <= 0xf4)
        count = 4;
    if (s[0] == 0xe0)
        low = 0xa0;
    if (s[0] == 0xed)
        high = 0x9f;
    if (s[0] == 0xf0)
        low = 0x90;
    if (s[0] == 0xf4)
        high = 0x8f;
    if (!count || count > length || s[1] < low || s[1] > high)
        return 0;
    for (size_t i = 2; i < count; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    }
    return count;
}

void text_put_json(struct text *text, const char *string, size_t length)
{
    text_putc(text, '"');
    for (size_t i = 0; i < length;) {
        unsigned char c = (unsigned char)string[i];
        size_t bytes = text_utf8_length(string + i, length - i);

        if (c == '"' || c == '\\')
            text_printf(text, "\\%c", c);
        else if (c == '\n')
            text_puts(text, "\\n");
        else if (c == '\t')
            text_puts(text, "\\t");
        else if (c < 0x20 || c == 0x7f)
            text_printf(text, "\\u%04x", c);
        else if (bytes)
            text_append(text, string + i, bytes);
        else
            text_puts(text, "\xef\xbf\xbd");
        i += bytes ? bytes : 1;
    }
    text_putc(text, '"');
}

const char *text_string(const struct text *text)
{
    return text->data ? text->data : "";
}

void text_clear(struct text *text)
{
    text->length = 0;
    if (text->data)
        text->data[0] = '\0';
}

void text_finish(struct text *text)
{
    memory_free(text->data);
    *text = (struct text){0};
}

enum { DISTANCE_LIMIT = 64 };

unsigned text_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    unsigned rows[3][DISTANCE_LIMIT + 1];

    if (a_length > DISTANCE_LIMIT || b_length > DISTANCE_LIMIT)
        return TEXT_FAR;
    for (size_t j = 0; j <= b_length; j++)
        rows[0][j] = (unsigned)j;
    for (size_t i = 1; i <= a_length; i++) {
        unsigned *row = rows[i % 3];
        const unsigned *above = rows[(i - 1) % 3];

        row[0] = (unsigned)i;
        for (size_t j = 1; j <= b_length; j++) {
            unsigned best = above[j - 1] + (a[i - 1] != b[j - 1]);
            unsigned moved = 1 + (above[j] < row[j - 1] ? above[j] : row[j - 1]);
            bool is_swap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            unsigned swapped = is_swap ? rows[(i - 2) % 3][j - 2] + 1 : best;

            best = moved < best ? moved : best;
            row[j] = swapped < best ? swapped : best;
        }
    }
    return rows[a_length % 3][b_length];
}

struct text_nearest text_nearest_to(const char *typed)
{
    size_t length = strlen(typed), half = length ? (length - 1) / 2 : 0;
    size_t most = length < 8 ? 2 : 3;
    unsigned swap = length == 2; /* which has no half, and may be swapped */

    return (struct text_nearest){
        .typed = typed, .distance = 2 * ((unsigned)(half < most ? half : most) + 1) + swap};
}

/* The same letters in another order. */
static bool is_anagram(const char *a, const char *b)
{
    int counts[UCHAR_MAX + 1] = {0};
    bool is_same = strlen(a) == strlen(b);

    for (size_t i = 0; is_same && a[i]; i++) {
        counts[(unsigned char)a[i]]++;
        counts[(unsigned char)b[i]]--;
    }
    for (size_t i = 0; is_same && i < ARRAY_SIZE(counts); i++)
        is_same = counts[i] == 0;
    return is_same;
}

/* Half steps: a letter that is at another place is one change, and happens more than a change of letters. */
static unsigned half_steps(const char *typed, const char *name)
{
    unsigned steps = text_distance(typed, strlen(typed), name, strlen(name));

    if (strcasecmp(typed, name) == 0)
        return 1;
    if (is_anagram(typed, name))
        return steps == 2 ? 2 : 2 * steps; /* a letter taken out here and put in there */
    if (steps > 1 && tolower((unsigned char)*typed) != tolower((unsigned char)*name))
        steps++; /* who types a wrong first letter seldom makes another mistake */
    return 2 * steps + 1;
}

bool text_nearest_offer(struct text_nearest *nearest, const char *name)
{
    unsigned far = half_steps(nearest->typed, name);

    if (nearest->found && far == nearest->distance && strcmp(nearest->found, name) != 0)
        nearest->other = name;
    if (far >= nearest->distance)
        return false;
    *nearest = (struct text_nearest){.typed = nearest->typed, .found = name, .distance = far};
    return true;
}
