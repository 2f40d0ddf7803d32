/*
 * NumPy's .npy, versions 1 to 3, read and written.
 *
 *     "\x93NUMPY" major minor, header length (2 bytes in version 1, then 4), header, elements
 *
 * The header is a Python literal, {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }, in
 * any order and with any blanks; exactly these three keys, each once.  It is parsed as such, not
 * searched.  Then the size that it implies must be the size that is there.
 */
#include "io/file.h"
#include "runtime/frame.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { RANK_LIMIT = 32, HEADER_LIMIT = 1 << 20 };

struct literal {
    const char *p, *end;
    struct inlay_message *message;
};

struct header {
    struct inlay_dtype dtype;
    int64_t shape[RANK_LIMIT];
    int32_t ndim;
    bool has_descr, has_order, has_shape;
};

static void skip_blanks(struct literal *l)
{
    while (l->p < l->end && (*l->p == ' ' || *l->p == '\t' || *l->p == '\n' || *l->p == '\r'))
        l->p++;
}

/* Takes @c, with blanks before it, if it is next. */
static bool take(struct literal *l, char c)
{
    skip_blanks(l);
    if (l->p >= l->end || *l->p != c)
        return false;
    l->p++;
    return true;
}

static bool expect(struct literal *l, char c)
{
    if (take(l, c))
        return true;
    if (l->p >= l->end)
        return inlay_message_set(l->message, "the .npy header ends where `%c` is expected", c);
    if (!isprint((unsigned char)*l->p))
        return inlay_message_set(l->message,
                                 "the .npy header has byte 0x%02x where `%c` is expected",
                                 (unsigned char)*l->p, c);
    return inlay_message_set(l->message, "the .npy header has `%c` where `%c` is expected", *l->p,
                             c);
}

static bool parse_string(struct literal *l, char out[static 64])
{
    skip_blanks(l);
    int quote = l->p < l->end ? *l->p : 0;
    if (quote != '\'' && quote != '"')
        return inlay_message_set(l->message,
                                 "the .npy header lacks a string where one is expected");
    const char *begin = ++l->p;
    while (l->p < l->end && *l->p != quote)
        l->p++;
    size_t length = (size_t)(l->p - begin);
    if (l->p >= l->end)
        return inlay_message_set(l->message, "the .npy header has a string without an end");
    for (size_t i = 0; i < length; i++)
        if (!isprint((unsigned char)begin[i]) || begin[i] == '\\')
            return inlay_message_set(l->message, "the .npy header has a string with odd bytes");
    if (length > 63)
        return inlay_message_set(l->message, "the .npy header has a string of %zu bytes", length);
    l->p++;
    memcpy(out, begin, length);
    out[length] = 0;
    return true;
}

static bool parse_dim(struct literal *l, int64_t *out)
{
    skip_blanks(l);
    if (l->p < l->end && *l->p == '-')
        return inlay_message_set(l->message,
                                 "the shape in the .npy header has a negative dimension");
    const char *begin = l->p;
    int64_t value = 0;
    for (; l->p < l->end && isdigit((unsigned char)*l->p); l->p++)
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, *l->p - '0', &value))
            return inlay_message_set(l->message,
                                     "the shape in the .npy header has a dimension over 2^63");
    if (l->p == begin)
        return inlay_message_set(l->message,
                                 "the shape in the .npy header is no tuple of integers");
    *out = value;
    return true;
}

static bool parse_shape(struct literal *l, struct header *header)
{
    if (!expect(l, '('))
        return false;
    while (!take(l, ')')) {
        if (header->ndim == RANK_LIMIT)
            return inlay_message_set(
                l->message, "the shape in the .npy header has more than %d dimensions", RANK_LIMIT);
        if (!parse_dim(l, &header->shape[header->ndim++]))
            return false;
        if (take(l, ','))
            continue;
        if (!take(l, ')'))
            return expect(l, ',');
        if (header->ndim == 1)
            return inlay_message_set(
                l->message, "the shape in the .npy header is a number in parentheses, not a tuple");
        break;
    }
    return true;
}

static bool parse_order(struct literal *l)
{
    skip_blanks(l);
    size_t left = (size_t)(l->end - l->p);
    if (left >= 5 && memcmp(l->p, "False", 5) == 0) {
        l->p += 5;
        return true;
    }
    if (left >= 4 && memcmp(l->p, "True", 4) == 0)
        return inlay_message_set(l->message,
                                 "the array is in Fortran order; save numpy.ascontiguousarray(it)");
    return inlay_message_set(l->message,
                             "fortran_order in the .npy header is neither True nor False");
}

static const struct {
    const char *descr;
    struct inlay_dtype dtype;
} dtypes[] = {
    {"|b1", {INLAY_CODE_BOOL, 8, 1}},    {"|i1", {INLAY_CODE_INT, 8, 1}},
    {"<i2", {INLAY_CODE_INT, 16, 1}},    {"<i4", {INLAY_CODE_INT, 32, 1}},
    {"<i8", {INLAY_CODE_INT, 64, 1}},    {"|u1", {INLAY_CODE_UINT, 8, 1}},
    {"<u2", {INLAY_CODE_UINT, 16, 1}},   {"<u4", {INLAY_CODE_UINT, 32, 1}},
    {"<u8", {INLAY_CODE_UINT, 64, 1}},   {"<f2", {INLAY_CODE_FLOAT, 16, 1}},
    {"<f4", {INLAY_CODE_FLOAT, 32, 1}},  {"<f8", {INLAY_CODE_FLOAT, 64, 1}},
    {"<V2", {INLAY_CODE_BFLOAT, 16, 1}}, /* as NumPy saves ml_dtypes.bfloat16 */
};
enum { DTYPE_COUNT = sizeof(dtypes) / sizeof(dtypes[0]) };

static bool parse_descr(struct literal *l, struct inlay_dtype *out)
{
    skip_blanks(l);
    if (l->p < l->end && *l->p == '[')
        return inlay_message_set(l->message, "the array has a structured dtype; fields are not "
                                             "supported");
    char descr[64] = "";
    if (!parse_string(l, descr))
        return false;
    if (!descr[0])
        return inlay_message_set(l->message, "the .npy header has an empty dtype");
    bool is_single = descr[0] && descr[1] && descr[2] == '1' && !descr[3];
    for (size_t i = 0; i < DTYPE_COUNT; i++) {
        /* The order of the bytes is any where there is one byte, and void has none. */
        bool is_any = is_single || descr[1] == 'V';
        if (strcmp(descr + 1, dtypes[i].descr + 1) == 0 &&
            (descr[0] == dtypes[i].descr[0] || (is_any && strchr("<|=>", descr[0])))) {
            *out = dtypes[i].dtype;
            return true;
        }
        if (strcmp(descr + 1, dtypes[i].descr + 1) == 0 && descr[0] == '>')
            return inlay_message_set(l->message, "the array is big-endian (`%s`); save it as `%s`",
                                     descr, dtypes[i].descr);
    }
    if (strchr(descr, 'O'))
        return inlay_message_set(l->message, "the array holds Python objects, not numbers");
    return inlay_message_set(l->message, "the array has dtype `%s`, which is not supported", descr);
}

static bool parse_entry(struct literal *l, struct header *header)
{
    char key[64];
    if (!parse_string(l, key) || !expect(l, ':'))
        return false;
    bool *seen = strcmp(key, "descr") == 0           ? &header->has_descr
                 : strcmp(key, "fortran_order") == 0 ? &header->has_order
                 : strcmp(key, "shape") == 0         ? &header->has_shape
                                                     : NULL;
    if (!seen)
        return inlay_message_set(l->message, "the .npy header has the unknown key `%s`", key);
    if (*seen)
        return inlay_message_set(l->message, "the .npy header has the key `%s` twice", key);
    *seen = true;
    if (seen == &header->has_descr)
        return parse_descr(l, &header->dtype);
    return seen == &header->has_order ? parse_order(l) : parse_shape(l, header);
}

static bool parse_header(struct literal *l, struct header *header)
{
    if (!expect(l, '{'))
        return false;
    while (!take(l, '}')) {
        if (!parse_entry(l, header))
            return false;
        if (!take(l, ',')) {
            if (!expect(l, '}'))
                return false;
            break;
        }
    }
    skip_blanks(l);
    if (l->p < l->end)
        return inlay_message_set(l->message, "the .npy header goes on after its dictionary");
    const char *missing = !header->has_descr   ? "descr"
                          : !header->has_order ? "fortran_order"
                          : !header->has_shape ? "shape"
                                               : NULL;
    if (missing)
        return inlay_message_set(l->message, "the .npy header lacks the key `%s`", missing);
    return true;
}

/* Reads up to the elements; @out_offset is where they begin. */
static bool read_header(struct inlay_reader *reader, struct header *header, uint64_t *out_offset,
                        struct inlay_message *message)
{
    unsigned char magic[8], length_bytes[4] = {0};
    if (reader->size < sizeof(magic))
        return inlay_message_set(message, "is no .npy file: it has only %" PRIu64 " bytes",
                                 reader->size);
    if (!reader->read(reader, magic, sizeof(magic), message))
        return false;
    if (memcmp(magic, "\x93NUMPY", 6) != 0)
        return inlay_message_set(message, "is no .npy file: it does not begin with \\x93NUMPY");
    if (magic[6] < 1 || magic[6] > 3 || magic[7] != 0)
        return inlay_message_set(message, "has .npy version %d.%d; versions 1.0 to 3.0 are known",
                                 magic[6], magic[7]);
    size_t length_size = magic[6] == 1 ? 2 : 4;
    uint64_t left = reader->size - sizeof(magic);
    if (left < length_size)
        return inlay_message_set(message, "the file ends within the .npy header");
    if (!reader->read(reader, length_bytes, length_size, message))
        return false;
    uint32_t length = (uint32_t)length_bytes[0] | (uint32_t)length_bytes[1] << 8 |
                      (uint32_t)length_bytes[2] << 16 | (uint32_t)length_bytes[3] << 24;
    left -= length_size;
    if (length > left)
        return inlay_message_set(message,
                                 "the .npy header claims %" PRIu32 " bytes, but %" PRIu64
                                 " are left in the file",
                                 length, left);
    if (length > HEADER_LIMIT)
        return inlay_message_set(message, "the .npy header has %" PRIu32 " bytes; the limit is %d",
                                 length, HEADER_LIMIT);
    char *text = malloc(length + 1);
    if (!text)
        return inlay_message_set(message, "out of memory");
    struct literal literal = {.p = text, .end = text + length, .message = message};
    bool is_good = reader->read(reader, text, length, message) && parse_header(&literal, header);
    free(text);
    *out_offset = sizeof(magic) + length_size + length;
    return is_good;
}

struct inlay_tensor *inlay_npy_decode(struct inlay_reader *reader, struct inlay_message *message)
{
    struct header header = {0};
    uint64_t offset = 0;
    if (!read_header(reader, &header, &offset, message))
        return NULL;
    int64_t bytes = inlay_tensor_bytes(header.shape, header.ndim, inlay_dtype_bytes(header.dtype));
    if (bytes < 0) {
        inlay_message_set(message, "the shape in the .npy header is larger than any memory");
        return NULL;
    }
    uint64_t there = reader->size - offset;
    if ((uint64_t)bytes != there) {
        inlay_message_set(message,
                          "the .npy header promises %" PRId64 " bytes of elements, but %" PRIu64
                          " follow",
                          bytes, there);
        return NULL;
    }
    struct inlay_tensor *tensor = inlay_tensor_create(header.dtype, header.shape, header.ndim);
    if (!tensor) {
        inlay_message_set(message, "out of memory: %" PRId64 " bytes could not be had", bytes);
        return NULL;
    }
    if (!reader->read(reader, tensor->data, (size_t)bytes, message))
        goto fail;
    const unsigned char *values = tensor->data;
    for (int64_t i = 0; header.dtype.code == INLAY_CODE_BOOL && i < bytes; i++)
        if (values[i] > 1) {
            inlay_message_set(message, "element %" PRId64 " of a bool array is the byte %d", i,
                              values[i]);
            goto fail;
        }
    return tensor;
fail:
    inlay_tensor_destroy(tensor);
    return NULL;
}

struct inlay_tensor *inlay_npy_read(const char *path, struct inlay_message *message)
{
    uint64_t size;
    FILE *file = inlay_file_open(path, &size, message);
    if (!file)
        return NULL;
    struct inlay_reader reader;
    inlay_file_reader_init(&reader, file, size);
    struct inlay_tensor *tensor = inlay_npy_decode(&reader, message);
    fclose(file);
    return tensor;
}

static bool same_dtype(struct inlay_dtype a, struct inlay_dtype b)
{
    return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

size_t inlay_npy_header(const struct inlay_tensor *tensor, char *out, size_t size)
{
    char text[1024];
    const char *descr = NULL;
    for (size_t i = 0; i < DTYPE_COUNT; i++)
        if (same_dtype(dtypes[i].dtype, tensor->dtype))
            descr = dtypes[i].descr;
    if (!descr || tensor->ndim > RANK_LIMIT)
        return 0;
    int length =
        snprintf(text, sizeof(text), "{'descr': '%s', 'fortran_order': False, 'shape': (", descr);
    for (int32_t i = 0; i < tensor->ndim; i++)
        length += snprintf(text + length, sizeof(text) - (size_t)length,
                           i ? ", %" PRId64 : "%" PRId64, tensor->shape[i]);
    length += snprintf(text + length, sizeof(text) - (size_t)length, "%s), }",
                       tensor->ndim == 1 ? "," : "");
    /* Magic, version and length are 10 bytes; the elements begin at a multiple of 64. */
    size_t total = ((size_t)length + 1 + 10 + 63) / 64 * 64;
    if (total > size)
        return 0;
    memset(out, ' ', total);
    static const char magic[8] = {'\x93', 'N', 'U', 'M', 'P', 'Y', 1, 0};
    memcpy(out, magic, sizeof(magic));
    out[8] = (char)((total - 10) & 0xff);
    out[9] = (char)((total - 10) >> 8);
    memcpy(out + 10, text, (size_t)length);
    out[total - 1] = '\n';
    return total;
}

bool inlay_npy_write(const char *path, const struct inlay_tensor *tensor,
                     struct inlay_message *message)
{
    char header[1280];
    size_t header_size = inlay_npy_header(tensor, header, sizeof(header));
    if (!header_size)
        return inlay_message_set(message, "cannot be written: .npy has no such dtype or rank");
    struct inlay_output output;
    if (!inlay_output_open(&output, path, message))
        return false;
    size_t bytes = (size_t)inlay_tensor_elements(tensor) * (size_t)inlay_dtype_bytes(tensor->dtype);
    fwrite(header, 1, header_size, output.file);
    if (bytes)
        fwrite((const char *)tensor->data + tensor->byte_offset, 1, bytes, output.file);
    return inlay_output_commit(&output, message);
}
