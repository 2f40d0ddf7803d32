/* A growable text: what printers write to.  Always NUL-terminated once something was written. */
#pragma once

#include "base/util.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct text {
    char *data; /* NULL while empty; use text_string() to read */
    size_t length, capacity;
};

void text_append(struct text *text, const char *bytes, size_t length);
void text_puts(struct text *text, const char *string);
void text_putc(struct text *text, char c);
void text_printf(struct text *text, const char *format, ...) PRINTF(2, 3);
void text_vprintf(struct text *text, const char *format, va_list args) PRINTF(2, 0);

/* @string with JSON escapes, in double quotes.  Bytes that are no UTF-8 become U+FFFD. */
void text_put_json(struct text *text, const char *string, size_t length);

/* Bytes of the UTF-8 character at @string, of which @length are there; 0 if it is none. */
size_t text_utf8_length(const char *string, size_t length);

/* The text so far: "" while empty.  Valid until the next write. */
const char *text_string(const struct text *text);
void text_clear(struct text *text);
void text_finish(struct text *text);

/*
 * How many insertions, deletions, replacements and swaps of neighbours make @a of @b: for "there is
 * `x`".  Texts of more than 64 bytes are TEXT_FAR from all.
 */
enum { TEXT_FAR = 1000 };
unsigned text_distance(const char *a, size_t a_length, const char *b, size_t b_length);

/*
 * The nearest of the names that are offered: fewer changes than half of what was typed has letters,
 * so that a name of one or two letters is near to none but its swap.
 */
struct text_nearest {
    const char *typed;
    const char *found; /* NULL: none is near */
    const char *other; /* as near as @found, which is the first of them; NULL: there is none */
    unsigned distance; /* changes, doubled, and one more where it has other letters */
};
struct text_nearest text_nearest_to(const char *typed);
/* Is @name the nearest so far? */
bool text_nearest_offer(struct text_nearest *nearest, const char *name);
