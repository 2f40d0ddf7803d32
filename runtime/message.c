/* Messages of runs; see message.h. */
#include "runtime/message.h"

#include "include/inlay/tensor.h"

#include <stdbool.h>
#include <string.h>

struct inlay_line inlay_line_in(char *out, size_t size)
{
    out[0] = 0;
    return (struct inlay_line){.out = out, .size = size};
}

void inlay_line_append(struct inlay_line *line, const char *bytes, size_t length)
{
    size_t room = line->size - 1 - line->length;

    if (length > room)
        length = room;
    memcpy(line->out + line->length, bytes, length);
    line->length += length;
    line->out[line->length] = 0;
}

void inlay_line_puts(struct inlay_line *line, const char *string)
{
    size_t length = 0;

    while (string[length])
        length++;
    inlay_line_append(line, string, length);
}

void inlay_line_number(struct inlay_line *line, int64_t value)
{
    char digits[24];
    size_t first = sizeof(digits);
    uint64_t rest = value < 0 ? -(uint64_t)value : (uint64_t)value;

    do {
        digits[--first] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    if (value < 0)
        digits[--first] = '-';
    inlay_line_append(line, digits + first, sizeof(digits) - first);
}

/* The rest of a conversion that follows its %: without strncmp(), which artifacts would bring for it. */
static bool is_number(const char *format)
{
    return format[0] == 'l' && format[1] == 'l' && format[2] == 'd';
}

void inlay_format_message(char *out, size_t size, const char *format, va_list args)
{
    struct inlay_line line = inlay_line_in(out, size);

    for (; *format; format++) {
        size_t plain = 0;

        while (format[plain] && format[plain] != '%')
            plain++;
        inlay_line_append(&line, format, plain);
        format += plain;
        if (!*format)
            return;
        if (is_number(format + 1)) {
            inlay_line_number(&line, va_arg(args, long long));
            format += 3;
        } else if (format[1] == 's') {
            inlay_line_puts(&line, va_arg(args, const char *));
            format++;
        } else {
            inlay_line_append(&line, format, 1);
            format += format[1] == '%';
        }
    }
}

const char *inlay_dtype_text(struct inlay_dtype dtype, char buffer[static 32])
{
    static const char *const names[] = {"int", "uint", "float", "handle", "bfloat", "complex"};
    struct inlay_line line = inlay_line_in(buffer, 32);

    if (dtype.code == INLAY_CODE_BOOL) {
        inlay_line_puts(&line, "bool");
    } else {
        inlay_line_puts(&line, dtype.code < 6 ? names[dtype.code] : "dtype?");
        inlay_line_number(&line, dtype.bits);
    }
    if (dtype.lanes != 1) {
        inlay_line_puts(&line, "x");
        inlay_line_number(&line, dtype.lanes);
    }
    return buffer;
}
