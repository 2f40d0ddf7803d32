/*
 * Messages of runs, in buffers of fixed size: no memory is taken, and of libc only <string.h> is used,
 * so that artifacts have the same words as the tool.
 */
#pragma once

#include "include/inlay/abi.h"

#include <stdarg.h>

/* A text in @out, which has @size bytes (at least 1); what does not fit is cut. */
struct inlay_line {
    char *out;
    size_t size, length;
};

struct inlay_line inlay_line_in(char *out, size_t size); /* empty */
void inlay_line_append(struct inlay_line *line, const char *bytes, size_t length);
void inlay_line_puts(struct inlay_line *line, const char *string);
void inlay_line_number(struct inlay_line *line, int64_t value);

/* printf of %lld, %s and %% only, cut at @size: for formats that are no literals. */
void inlay_format_message(char *out, size_t size, const char *format, va_list args);

/* "float32", "bool", "int8x4"; @buffer has room for it. */
const char *inlay_dtype_text(struct inlay_dtype dtype, char buffer[static 32]);
