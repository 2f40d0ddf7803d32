/* Values as text for people: what R.print, run-time messages and `inlay run` show. */
#pragma once

#include "runtime/message.h"

#include <stdbool.h>

/* A growable text; zeroed is empty.  A failed allocation sets `failed` and drops what follows. */
struct inlay_text {
    char *data;
    size_t length, capacity;
    bool failed;
};

void inlay_text_append(struct inlay_text *text, const char *bytes, size_t length);
void inlay_text_puts(struct inlay_text *text, const char *string);
void inlay_text_printf(struct inlay_text *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
const char *inlay_text_string(const struct inlay_text *text); /* "" while empty */
void inlay_text_finish(struct inlay_text *text);

/* One value; a tensor as nested brackets, shortened where it has more than @limit elements. */
enum { INLAY_FORMAT_ELEMENTS = 1000 };
void inlay_format_value(struct inlay_text *text, const struct inlay_value *value, int64_t limit);
void inlay_format_tensor(struct inlay_text *text, const struct inlay_tensor *tensor, int64_t limit);

/* @format with each {} replaced by the next value; "" or NULL: all values with spaces between.
 * {{ and }} are braces; values that have no hole follow at the end. */
void inlay_format_values(struct inlay_text *text, const char *format,
                         const struct inlay_value *values, int32_t count);

/* "(2, 3)", "(4,)", "()" */
void inlay_format_shape(struct inlay_text *text, const int64_t *shape, int32_t ndim);
