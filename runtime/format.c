/*
 * Values as text.
 *
 * Numbers are as short as they can be and still mean the same value, but no longer than 6 digits; the
 * elements of a tensor are padded to one width, in rows of brackets as NumPy's, long ones folded.
 */
#include "runtime/format.h"

#include "runtime/frame.h"
#include "runtime/tensor.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EDGE = 3, RANK_LIMIT = 64, NUMBER_SIZE = 40, DIGITS = 6, LINE_WIDTH = 96 };

void inlay_text_append(struct inlay_text *text, const char *bytes, size_t length)
{
    if (text->failed)
        return;
    if (text->capacity - text->length <= length) {
        size_t capacity = (text->length + length + 64) * 2;
        char *data = realloc(text->data, capacity);
        if (!data) {
            text->failed = true;
            return;
        }
        text->data = data;
        text->capacity = capacity;
    }
    memcpy(text->data + text->length, bytes, length);
    text->length += length;
    text->data[text->length] = 0;
}

void inlay_text_puts(struct inlay_text *text, const char *string)
{
    inlay_text_append(text, string, strlen(string));
}

void inlay_text_printf(struct inlay_text *text, const char *format, ...)
{
    char buffer[512];
    va_list args;
    va_start(args, format);
    int length = vsnprintf(buffer, sizeof(buffer), format, args);
    va_end(args);
    if (length > 0)
        inlay_text_append(text, buffer,
                          (size_t)length < sizeof(buffer) ? (size_t)length : sizeof(buffer) - 1);
}

const char *inlay_text_string(const struct inlay_text *text)
{
    return text->data ? text->data : "";
}

void inlay_text_finish(struct inlay_text *text)
{
    free(text->data);
    *text = (struct inlay_text){0};
}

void inlay_format_shape(struct inlay_text *text, const int64_t *shape, int32_t ndim)
{
    inlay_text_puts(text, "(");
    for (int32_t i = 0; i < ndim; i++)
        inlay_text_printf(text, i ? ", %" PRId64 : "%" PRId64, shape[i]);
    inlay_text_puts(text, ndim == 1 ? ",)" : ")");
}

/* @value as @dtype would store it. */
static double rounded(struct inlay_dtype dtype, double value)
{
    uint64_t slot = 0;
    inlay_element_set_real(dtype, &slot, 0, value);
    return inlay_element_real(dtype, &slot, 0);
}

static void format_real(char out[static NUMBER_SIZE], struct inlay_dtype dtype, double value)
{
    if (isnan(value)) {
        strcpy(out, "nan");
        return;
    }
    if (isinf(value)) {
        strcpy(out, value < 0 ? "-inf" : "inf");
        return;
    }
    for (int digits = 1; digits <= DIGITS; digits++) {
        snprintf(out, NUMBER_SIZE, "%.*g", digits, value);
        if (rounded(dtype, strtod(out, NULL)) == value)
            break;
    }
    if (strchr(out, 'e') && fabs(value) >= 1e-4 && fabs(value) < 1e6)
        snprintf(out, NUMBER_SIZE, "%.0f", value); /* 1e+02 is 100 */
    if (!strpbrk(out, ".e"))
        strcat(out, ".");
}

static void format_element(char out[static NUMBER_SIZE], struct inlay_dtype dtype, const void *data,
                           int64_t index)
{
    if (!inlay_dtype_is_supported(dtype)) {
        strcpy(out, "?");
        return;
    }
    if (inlay_dtype_is_float(dtype)) {
        format_real(out, dtype, inlay_element_real(dtype, data, index));
        return;
    }
    int64_t value = inlay_element_integer(dtype, data, index);
    if (dtype.code == INLAY_CODE_BOOL)
        strcpy(out, value ? "True" : "False");
    else if (dtype.code == INLAY_CODE_UINT)
        snprintf(out, NUMBER_SIZE, "%" PRIu64, (uint64_t)value);
    else
        snprintf(out, NUMBER_SIZE, "%" PRId64, value);
}

/* A walk over the elements that are shown: once to find the width, once to write. */
struct tensor_writer {
    const struct inlay_tensor *tensor;
    const char *data;
    bool is_short;          /* only the edges of each axis */
    struct inlay_text *out; /* NULL: only measure */
    int width;
};

static void write_text(struct tensor_writer *w, const char *text)
{
    if (w->out)
        inlay_text_puts(w->out, text);
}

static void write_element(struct tensor_writer *w, int64_t offset)
{
    char number[NUMBER_SIZE];
    format_element(number, w->tensor->dtype, w->data, offset);
    int width = (int)strlen(number);
    if (w->out)
        inlay_text_printf(w->out, "%*s", w->width, number);
    else if (width > w->width)
        w->width = width;
}

/* Between the items of @axis, of which @shown were written: a blank, or a new line under the bracket. */
static void write_gap(struct tensor_writer *w, int32_t axis, int64_t shown)
{
    int64_t fold = (LINE_WIDTH - axis - 1) / (w->width + 1);
    bool is_line = axis != w->tensor->ndim - 1 || shown % (fold < 1 ? 1 : fold) == 0;
    write_text(w, is_line ? "\n" : " ");
    for (int32_t k = 0; is_line && k <= axis; k++)
        write_text(w, " ");
}

static void write_axis(struct tensor_writer *w, int32_t axis, int64_t offset)
{
    const struct inlay_tensor *tensor = w->tensor;
    if (axis == tensor->ndim) {
        write_element(w, offset);
        return;
    }
    int64_t extent = tensor->shape[axis], shown = 0;
    int64_t stride = tensor->strides
                         ? tensor->strides[axis]
                         : inlay_tensor_bytes(tensor->shape + axis + 1, tensor->ndim - axis - 1, 1);
    write_text(w, "[");
    for (int64_t i = 0; i < extent; i++, shown++) {
        if (i > 0)
            write_gap(w, axis, shown);
        if (w->is_short && extent > 2 * EDGE && i == EDGE) {
            write_text(w, "...");
            i = extent - EDGE - 1;
        } else {
            write_axis(w, axis + 1, offset + i * stride);
        }
    }
    write_text(w, "]");
}

void inlay_format_tensor(struct inlay_text *text, const struct inlay_tensor *tensor, int64_t limit)
{
    int64_t count = inlay_tensor_elements(tensor);
    if (count == 0 || tensor->ndim > RANK_LIMIT) { /* [] would hide which dim is 0 */
        inlay_text_puts(text, count == 0 ? "[] of shape " : "tensor of shape ");
        inlay_format_shape(text, tensor->shape, tensor->ndim);
        return;
    }
    struct tensor_writer writer = {.tensor = tensor,
                                   .data = (const char *)tensor->data + tensor->byte_offset,
                                   .is_short = count > limit};
    write_axis(&writer, 0, 0);
    writer.out = text;
    write_axis(&writer, 0, 0);
}

static void format_tuple(struct inlay_text *text, const struct inlay_tuple *tuple, int64_t limit)
{
    inlay_text_puts(text, "(");
    for (size_t i = 0; i < tuple->count; i++) {
        if (i > 0)
            inlay_text_puts(text, ", ");
        inlay_format_value(text, &tuple->fields[i], limit);
    }
    inlay_text_puts(text, tuple->count == 1 ? ",)" : ")");
}

void inlay_format_value(struct inlay_text *text, const struct inlay_value *value, int64_t limit)
{
    char number[NUMBER_SIZE];
    switch (value->kind) {
    case INLAY_NONE:
        inlay_text_puts(text, "None");
        break;
    case INLAY_INT:
        inlay_text_printf(text, "%" PRId64, value->integer);
        break;
    case INLAY_BOOL:
        inlay_text_puts(text, value->integer ? "True" : "False");
        break;
    case INLAY_FLOAT:
        format_real(number, (struct inlay_dtype){INLAY_CODE_FLOAT, 64, 1}, value->real);
        inlay_text_puts(text, number);
        break;
    case INLAY_POINTER:
        inlay_text_puts(text, "handle"); /* no address: output must not change from run to run */
        break;
    case INLAY_TENSOR:
        inlay_format_tensor(text, value->tensor, limit);
        break;
    case INLAY_STRING:
        inlay_text_puts(text, value->string);
        break;
    case INLAY_SHAPE:
        inlay_format_shape(text, value->shape->dims, (int32_t)value->shape->count);
        break;
    case INLAY_TUPLE:
        format_tuple(text, value->tuple, limit);
        break;
    default:
        inlay_text_printf(text, "value of kind %d", value->kind);
        break;
    }
}

void inlay_format_values(struct inlay_text *text, const char *format,
                         const struct inlay_value *values, int32_t count)
{
    int32_t next = 0;
    const char *p = format ? format : "";
    while (*p) {
        if ((p[0] == '{' && p[1] == '{') || (p[0] == '}' && p[1] == '}')) {
            inlay_text_append(text, p, 1);
            p += 2;
        } else if (p[0] == '{' && p[1] == '}' && next < count) {
            inlay_format_value(text, &values[next++], INLAY_FORMAT_ELEMENTS);
            p += 2;
        } else {
            inlay_text_append(text, p++, 1);
        }
    }
    for (; next < count; next++) {
        if (text->length)
            inlay_text_puts(text, " ");
        inlay_format_value(text, &values[next], INLAY_FORMAT_ELEMENTS);
    }
}
