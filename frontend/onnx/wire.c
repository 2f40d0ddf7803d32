/*
 * See wire.h.  A message is a sequence of fields: a varint of number and kind, then a varint, 8, 4, or a length
 * and as many bytes.  The messages that are looked into stand in a table; all others are taken as bytes.
 */
#include "frontend/onnx/wire.h"

#include "base/assert.h"

#include <string.h>

enum message {
    M_MODEL,
    M_GRAPH,
    M_NODE,
    M_ATTRIBUTE,
    M_TENSOR,
    M_SPARSE,
    M_FUNCTION,
    M_VALUE_INFO,
    M_TYPE,
    M_ELEMENT,
    M_BYTES, /* of any content */
    M_TEXT,  /* no bytes that are 0 */
};

enum { FIELD_RAW_DATA = 9, FIELD_MAPPED_AT = 1000, FIELD_MAPPED_SIZE = 1001 };

/* The length-delimited fields that are kept; numbers and floats of any field are. */
static const struct {
    enum message message;
    unsigned field;
    enum message content;
} fields[] = {
    {M_MODEL, 2, M_TEXT},        {M_MODEL, 7, M_GRAPH},       {M_MODEL, 8, M_BYTES},
    {M_MODEL, 25, M_FUNCTION},   {M_GRAPH, 1, M_NODE},        {M_GRAPH, 2, M_TEXT},
    {M_GRAPH, 5, M_TENSOR},      {M_GRAPH, 11, M_VALUE_INFO}, {M_GRAPH, 12, M_VALUE_INFO},
    {M_GRAPH, 13, M_VALUE_INFO}, {M_GRAPH, 15, M_SPARSE},     {M_NODE, 1, M_TEXT},
    {M_NODE, 2, M_TEXT},         {M_NODE, 3, M_TEXT},         {M_NODE, 4, M_TEXT},
    {M_NODE, 5, M_ATTRIBUTE},    {M_NODE, 7, M_TEXT},         {M_NODE, 8, M_TEXT},
    {M_ATTRIBUTE, 1, M_TEXT},    {M_ATTRIBUTE, 4, M_BYTES},   {M_ATTRIBUTE, 5, M_TENSOR},
    {M_ATTRIBUTE, 6, M_GRAPH},   {M_ATTRIBUTE, 7, M_BYTES},   {M_ATTRIBUTE, 8, M_BYTES},
    {M_ATTRIBUTE, 9, M_BYTES},   {M_ATTRIBUTE, 21, M_TEXT},   {M_ATTRIBUTE, 22, M_SPARSE},
    {M_TENSOR, 1, M_BYTES},      {M_TENSOR, 4, M_BYTES},      {M_TENSOR, 5, M_BYTES},
    {M_TENSOR, 6, M_BYTES},      {M_TENSOR, 7, M_BYTES},      {M_TENSOR, 8, M_TEXT},
    {M_TENSOR, 9, M_BYTES},      {M_TENSOR, 10, M_BYTES},     {M_TENSOR, 11, M_BYTES},
    {M_TENSOR, 13, M_BYTES},     {M_SPARSE, 1, M_TENSOR},     {M_SPARSE, 2, M_TENSOR},
    {M_SPARSE, 3, M_BYTES},      {M_FUNCTION, 1, M_TEXT},     {M_FUNCTION, 4, M_TEXT},
    {M_FUNCTION, 5, M_TEXT},     {M_FUNCTION, 6, M_TEXT},     {M_FUNCTION, 7, M_NODE},
    {M_FUNCTION, 9, M_BYTES},    {M_FUNCTION, 10, M_TEXT},    {M_FUNCTION, 11, M_ATTRIBUTE},
    {M_FUNCTION, 13, M_TEXT},    {M_VALUE_INFO, 1, M_TEXT},   {M_VALUE_INFO, 2, M_TYPE},
    {M_TYPE, 1, M_BYTES},        {M_TYPE, 4, M_ELEMENT},      {M_TYPE, 8, M_BYTES},
    {M_TYPE, 9, M_ELEMENT},      {M_ELEMENT, 1, M_TYPE},
};

struct shrink {
    const uint8_t *start;
    const char *why;
    size_t offset;
    unsigned depth;
};

static bool fail(struct shrink *s, const uint8_t *at, const char *why)
{
    s->why = why;
    s->offset = (size_t)(at - s->start);
    return false;
}

static bool read_varint(struct shrink *s, const uint8_t **at, const uint8_t *end, uint64_t *out)
{
    const uint8_t *begin = *at;
    *out = 0;
    for (unsigned shift = 0; *at < end && shift < 70; shift += 7) {
        uint8_t byte = *(*at)++;
        *out |= shift < 64 ? (uint64_t)(byte & 0x7f) << shift : 0;
        if (!(byte & 0x80))
            return true;
    }
    return fail(s, begin, *at == end ? "it ends within a number" : "a number has too many bytes");
}

static void put_varint(struct text *out, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        text_putc(out, (char)(value | 0x80));
    text_putc(out, (char)value);
}

static void put_fixed64(struct text *out, unsigned field, uint64_t value)
{
    put_varint(out, (uint64_t)field << 3 | 1);
    text_append(out, (const char *)&value, sizeof(value));
}

/* What the field holds; false: nobody reads it. */
static bool find_content(enum message message, uint64_t field, enum message *out)
{
    for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
        if (fields[i].message == message && fields[i].field == field) {
            *out = fields[i].content;
            return true;
        }
    return false;
}

static bool shrink_message(struct shrink *s, enum message message, const uint8_t *at,
                           const uint8_t *end, struct text *out);

/* A field with a length: @at is its first byte, @size how many there are. */
static bool shrink_content(struct shrink *s, enum message message, uint64_t field,
                           const uint8_t *at, size_t size, struct text *out)
{
    enum message content;
    struct text inner = {0};
    bool is_good = true;

    if (!find_content(message, field, &content))
        return true;
    if (content == M_TEXT && memchr(at, 0, size))
        return fail(s, at, "a name has a byte that is 0");
    if (message == M_TENSOR && field == FIELD_RAW_DATA && size >= WIRE_MAPPED_LEAST) {
        put_fixed64(out, FIELD_MAPPED_AT, (uint64_t)(at - s->start));
        put_fixed64(out, FIELD_MAPPED_SIZE, size);
        return true;
    }
    if (content < M_BYTES) {
        is_good = shrink_message(s, content, at, at + size, &inner);
        at = (const uint8_t *)text_string(&inner);
        size = inner.length;
    }
    put_varint(out, field << 3 | 2);
    put_varint(out, size);
    text_append(out, (const char *)at, size);
    text_finish(&inner);
    return is_good;
}

/* One field from *@at on, which is moved behind it. */
static bool shrink_field(struct shrink *s, enum message message, const uint8_t **at,
                         const uint8_t *end, struct text *out)
{
    const uint8_t *begin = *at;
    uint64_t key, size = 0;
    if (!read_varint(s, at, end, &key))
        return false;
    if (key >> 3 == 0 || key >> 3 > INT32_MAX)
        return fail(s, begin, "no field has this number");
    switch (key & 7) {
    case 0:
        if (!read_varint(s, at, end, &size))
            return false;
        size = 0;
        break;
    case 1:
        size = 8;
        break;
    case 2:
        if (!read_varint(s, at, end, &size))
            return false;
        break;
    case 5:
        size = 4;
        break;
    default:
        return fail(s, begin, "no field is of this kind");
    }
    if (size > (uint64_t)(end - *at))
        return fail(s, begin, "a part of it is longer than what is there");
    const uint8_t *content = *at;
    *at += size;
    if ((key & 7) == 2)
        return shrink_content(s, message, key >> 3, content, (size_t)size, out);
    if (key >> 3 < FIELD_MAPPED_AT)
        text_append(out, (const char *)begin, (size_t)(*at - begin));
    return true;
}

static bool shrink_message(struct shrink *s, enum message message, const uint8_t *at,
                           const uint8_t *end, struct text *out)
{
    bool is_good = s->depth < WIRE_DEPTH_LIMIT;
    if (!is_good)
        return fail(s, at, "its messages nest too deep");
    s->depth++;
    while (is_good && at < end)
        is_good = shrink_field(s, message, &at, end, out);
    s->depth--;
    return is_good;
}

bool wire_shrink_model(const uint8_t *bytes, size_t size, struct text *out, const char **out_why,
                       size_t *out_offset)
{
    struct shrink s = {.start = bytes};
    bool is_good = shrink_message(&s, M_MODEL, bytes, bytes + size, out);
    *out_why = s.why;
    *out_offset = s.offset;
    return is_good;
}
