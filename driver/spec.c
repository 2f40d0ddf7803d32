/* The SPEC of --in NAME=SPEC: what it says, and tensors that are made up. */
#include "driver/inputs.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads "2x3" at @text, up to what is no part of it; NULL if a number is too large. */
static const char *read_dims(const char *text, struct input_spec *out)
{
    const char *p = text;
    while (is_digit(*p)) {
        char *end;
        errno = 0;
        int64_t dim = strtoll(p, &end, 10);
        if (errno)
            return NULL;
        array_push(&out->shape, dim);
        p = end;
        if (*p == 'x' && is_digit(p[1]))
            p++;
        else
            break;
    }
    return p;
}

static const struct {
    const char *name;
    struct inlay_dtype dtype;
} dtypes[] = {
    {"f16", {INLAY_CODE_FLOAT, 16, 1}}, {"f32", {INLAY_CODE_FLOAT, 32, 1}},
    {"f64", {INLAY_CODE_FLOAT, 64, 1}}, {"bf16", {INLAY_CODE_BFLOAT, 16, 1}},
    {"i8", {INLAY_CODE_INT, 8, 1}},     {"i16", {INLAY_CODE_INT, 16, 1}},
    {"i32", {INLAY_CODE_INT, 32, 1}},   {"i64", {INLAY_CODE_INT, 64, 1}},
    {"u8", {INLAY_CODE_UINT, 8, 1}},    {"u16", {INLAY_CODE_UINT, 16, 1}},
    {"u32", {INLAY_CODE_UINT, 32, 1}},  {"u64", {INLAY_CODE_UINT, 64, 1}},
    {"bool", {INLAY_CODE_BOOL, 8, 1}},
};

static bool read_dtype(const char *text, size_t length, struct inlay_dtype *out)
{
    char name[32];
    struct ir_dtype dtype;
    for (size_t i = 0; i < ARRAY_SIZE(dtypes); i++)
        if (strlen(dtypes[i].name) == length && memcmp(dtypes[i].name, text, length) == 0) {
            *out = dtypes[i].dtype;
            return true;
        }
    if (length >= sizeof(name))
        return false;
    memcpy(name, text, length);
    name[length] = 0;
    if (!ir_dtype_parse(name, &dtype))
        return false;
    *out = (struct inlay_dtype){dtype.code, dtype.bits, dtype.lanes};
    return inlay_dtype_is_supported(*out);
}

bool spec_element(const char *text, size_t length, struct inlay_dtype dtype, void *data,
                  int64_t index)
{
    char buffer[64], *end;
    if (length == 0 || length >= sizeof(buffer))
        return false;
    memcpy(buffer, text, length);
    buffer[length] = 0;
    errno = 0;
    if (inlay_dtype_is_float(dtype)) {
        double value = strtod(buffer, &end);
        inlay_element_set_real(dtype, data, index, value);
        return !*end; /* too large is inf, too small 0 */
    }
    int64_t value;
    if (dtype.code == INLAY_CODE_BOOL &&
        (strcmp(buffer, "true") == 0 || strcmp(buffer, "True") == 0)) {
        value = 1;
    } else if (dtype.code == INLAY_CODE_BOOL &&
               (strcmp(buffer, "false") == 0 || strcmp(buffer, "False") == 0)) {
        value = 0;
    } else {
        if (dtype.code == INLAY_CODE_UINT && buffer[0] == '-')
            return false;
        value = dtype.code == INLAY_CODE_UINT ? (int64_t)strtoull(buffer, &end, 0)
                                              : strtoll(buffer, &end, 0);
        if (errno || *end)
            return false;
    }
    inlay_element_set_integer(dtype, data, index, value);
    return inlay_element_integer(dtype, data, index) == value; /* else it does not fit */
}

/* "4x7" */
static void put_dims(const struct inlay_tensor *tensor, struct text *out)
{
    for (int32_t i = 0; i < tensor->ndim; i++)
        text_printf(out, "%s%" PRId64, i ? "x" : "", tensor->shape[i]);
}

static bool refuse_count(const struct input_spec *spec, int64_t count, int64_t given,
                         struct inlay_message *why)
{
    struct text dims = {0};

    put_dims(spec->tensor, &dims);
    const char *text = text_string(&dims);
    if (!dims.length || given != 1)
        inlay_message_set(why, "%s%s%" PRId64 " element%s, and %" PRId64 " %s given", text,
                          dims.length ? " is a shape of " : "a scalar has ", count,
                          count == 1 ? "" : "s", given, given == 1 ? "is" : "are");
    else
        inlay_message_set(why,
                          "%s is a shape of %" PRId64 " elements, and one is given; alike in all "
                          "of them are %s:zeros and %s:ones",
                          text, count, text, text);
    text_finish(&dims);
    return false;
}

/* "1 2, 3": the elements of @spec->tensor. */
static bool read_elements(const char *text, struct input_spec *spec, struct inlay_message *why)
{
    struct inlay_tensor *tensor = spec->tensor;
    int64_t count = inlay_tensor_elements(tensor), next = 0;
    char name[32];
    for (const char *p = text;;) {
        p += strspn(p, " ,\t\n");
        size_t length = strcspn(p, " ,\t\n");
        if (!length)
            break;
        if (next < count && !spec_element(p, length, tensor->dtype, tensor->data, next)) {
            struct ir_dtype dtype = {tensor->dtype.code, tensor->dtype.bits, 1};
            return inlay_message_set(why, "`%.*s` is no %s", length < 60 ? (int)length : 60, p,
                                     ir_dtype_name(dtype, name));
        }
        next++;
        p += length;
    }
    if (next != count)
        return refuse_count(spec, count, next, why);
    return true;
}

/* 2x3xf32=1 2 3 4 5 6; @dims_end is where the dims end. */
static bool parse_elements(const char *dims_end, const char *sign, struct input_spec *out,
                           struct inlay_message *why)
{
    struct inlay_dtype dtype;
    const char *name = dims_end;
    if (out->shape.count && *name == 'x')
        name++;
    if (!read_dtype(name, (size_t)(sign - name), &dtype))
        return inlay_message_set(why, "`%.*s` is no dtype; f32, i64 and bool are",
                                 sign - name < 60 ? (int)(sign - name) : 60, name);
    out->source = INPUT_GIVEN;
    out->tensor = inlay_tensor_create(dtype, out->shape.items, (int32_t)out->shape.count);
    if (!out->tensor)
        return inlay_message_set(why, "a tensor of this shape does not fit into memory");
    return read_elements(sign + 1, out, why);
}

/* Where the extension @extension ends the path in @text: before the key or at the end. */
static const char *path_end(const char *text, const char *extension)
{
    const char *found = NULL;
    size_t length = strlen(extension);
    for (const char *p = strstr(text, extension); p; p = strstr(p + 1, extension))
        if (!p[length] || p[length] == ':')
            found = p + length;
    return found;
}

static bool parse_file(const char *text, struct input_spec *out, struct inlay_message *why)
{
    const char *end = path_end(text, ".npz");
    bool is_npz = end != NULL;
    if (!end)
        end = path_end(text, ".safetensors");
    struct text path = {0};
    text_append(&path, text, end ? (size_t)(end - text) : strlen(text));
    const char *key = end && *end == ':' ? end + 1 : NULL;
    out->source = INPUT_GIVEN;
    if (is_npz)
        out->tensor = inlay_npz_read(text_string(&path), key, why);
    else if (!end)
        out->tensor = inlay_npy_read(text_string(&path), why);
    else if (!key)
        inlay_message_set(why, "name the tensor: FILE.safetensors:NAME");
    else
        out->tensor = inlay_safetensors_read(text_string(&path), key, why);
    text_finish(&path);
    return out->tensor != NULL;
}

/* SEED, or SEED:LOW:HIGH */
static bool parse_random(const char *text, struct input_spec *out, struct inlay_message *why)
{
    char *end;
    errno = 0;
    out->source = INPUT_RANDOM;
    out->has_seed = true;
    out->seed = strtoull(text, &end, 10);
    if (errno || (*end && *end != ':'))
        return inlay_message_set(why, "the seed is no number of 64 bits");
    if (!*end)
        return true;
    out->low = end + 1;
    const char *colon = strchr(out->low, ':');
    if (!colon || strchr(colon + 1, ':'))
        return inlay_message_set(why, "a range is written random:SEED:LOW:HIGH");
    out->low_length = (size_t)(colon - out->low);
    out->high = colon + 1;
    out->high_length = strlen(out->high);
    return true;
}

static bool is_one_of(const char *text, const char *const *words)
{
    for (; *words; words++)
        if (strcmp(text, *words) == 0)
            return true;
    return false;
}

static bool parse_word(const char *text, struct input_spec *out, struct inlay_message *why)
{
    static const struct {
        const char *name;
        enum input_source source;
    } words[] = {{"random", INPUT_RANDOM},
                 {"zeros", INPUT_ZEROS},
                 {"ones", INPUT_ONES},
                 {"iota", INPUT_IOTA}};
    static const char *const scalars[] = {"true", "false", "True", "False", "nan", "inf", NULL};
    struct text_nearest nearest = text_nearest_to(text);

    for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
        if (strcmp(words[i].name, text) == 0) {
            out->source = words[i].source;
            return true;
        }
        text_nearest_offer(&nearest, words[i].name);
        if (strlen(text) > 2 && strncmp(words[i].name, text, strlen(text)) == 0)
            nearest.found = words[i].name;
    }
    if (strncmp(text, "random:", 7) == 0 && is_digit(text[7]))
        return parse_random(text + 7, out, why);
    if (is_digit(*text) || strchr("+-.", *text) || is_one_of(text, scalars)) {
        out->source = INPUT_SCALAR;
        out->text = text;
        return *text != 0 || inlay_message_set(why, "the value is missing");
    }
    return inlay_message_set(why,
                             "it is no @FILE, random, zeros, ones, iota, number, true, false or "
                             "2x3xf32=1 2 ..%s%s%s",
                             nearest.found ? " (`" : "", nearest.found ? nearest.found : "",
                             nearest.found ? "`, perhaps)" : "");
}

bool spec_parse(const char *text, struct input_spec *out, struct inlay_message *out_why)
{
    *out = (struct input_spec){0};
    if (*text == '@')
        return parse_file(text + 1, out, out_why);
    if (!text[strspn(text, "0123456789")]) /* a number, or a shape of one dim */
        return parse_word(text, out, out_why);
    const char *end = read_dims(text, out);
    if (!end)
        return inlay_message_set(out_why, "a dimension does not fit into 64 bits");
    const char *sign = strchr(end, '=');
    if (sign)
        return parse_elements(end, sign, out, out_why);
    if (*end == ':' && end > text) {
        out->has_shape = true;
        return end[1] == '@' ? parse_file(end + 2, out, out_why)
                             : parse_word(end + 1, out, out_why);
    }
    struct inlay_dtype dtype;
    const char *colon = strchr(end, ':'); /* 6x5xf64:random */
    if (*end == 'x' && colon && read_dtype(end + 1, (size_t)(colon - end - 1), &dtype))
        return inlay_message_set(out_why, "the parameter says the dtype: %.*s%s", (int)(end - text),
                                 text, colon);
    if (*end == 'x' && out->shape.count && read_dtype(end + 1, strlen(end + 1), &dtype))
        return inlay_message_set(out_why, "the elements are missing: %s=1 2 .., or %.*s:random",
                                 text, (int)(end - text), text);
    if (*end == ',' && out->shape.count && !text[strspn(text, "0123456789, ")])
        return inlay_message_set(out_why, "a shape is written with x, as in 4x8:random");
    if (!*end && out->shape.count > 1) { /* 4x8 */
        out->source = INPUT_DIMS;
        return true;
    }
    return parse_word(text, out, out_why);
}

void spec_finish(struct input_spec *spec)
{
    array_finish(&spec->shape);
    inlay_tensor_destroy(spec->tensor);
    spec->tensor = NULL;
}

/* SplitMix64: the same numbers everywhere, from any seed. */
static uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* In [-1, 1) on a grid that the dtype has, so that rounding cannot give 1. */
static double random_real(struct inlay_dtype dtype, uint64_t word)
{
    int bits = dtype.bits == 64                 ? 53
               : dtype.bits == 32               ? 24
               : dtype.code == INLAY_CODE_FLOAT ? 11
                                                : 8;
    double scale = 2.0 / (double)(UINT64_C(1) << bits);
    return (double)(word >> (64 - bits)) * scale - 1.0;
}

/* What random numbers are taken from: [low, high). */
struct range {
    double real_low, real_high;
    int64_t low;
    uint64_t count; /* of integers */
};

/* The limits of @spec as numbers of @dtype; one more than its largest may be the upper one. */
static bool read_range(const struct input_spec *spec, struct inlay_dtype dtype, struct range *out,
                       struct inlay_message *why)
{
    bool is_float = inlay_dtype_is_float(dtype);
    struct inlay_dtype wide = {is_float                        ? INLAY_CODE_FLOAT
                               : dtype.code == INLAY_CODE_UINT ? INLAY_CODE_UINT
                                                               : INLAY_CODE_INT,
                               64, 1};
    double real[2];
    int64_t integer[2], last;
    if (!spec_element(spec->low, spec->low_length, wide, is_float ? (void *)real : integer, 0) ||
        !spec_element(spec->high, spec->high_length, wide, is_float ? (void *)real : integer, 1))
        return inlay_message_set(why, "a limit of the range is no number of its dtype");
    if (is_float) {
        out->real_low = real[0];
        out->real_high = real[1];
        return (isfinite(real[1] - real[0]) && real[0] < real[1]) ||
               inlay_message_set(why, "the range is empty, or not finite");
    }
    bool is_unsigned = dtype.code == INLAY_CODE_UINT;
    if (is_unsigned ? (uint64_t)integer[0] >= (uint64_t)integer[1] : integer[0] >= integer[1])
        return inlay_message_set(why, "the range is empty: it ends below its upper limit");
    int64_t ends[] = {integer[0], (int64_t)((uint64_t)integer[1] - 1)};
    for (int i = 0; i < 2; i++) {
        inlay_element_set_integer(dtype, &last, 0, ends[i]);
        if (inlay_element_integer(dtype, &last, 0) != ends[i])
            return inlay_message_set(why, "the range holds numbers that its dtype has not");
    }
    out->low = integer[0];
    out->count = (uint64_t)integer[1] - (uint64_t)integer[0];
    return true;
}

/* Rounding may reach the upper limit, which is not in the range. */
static void set_real(struct inlay_tensor *tensor, int64_t i, const struct range *range, double unit)
{
    double value = range->real_low + (range->real_high - range->real_low) * unit;
    inlay_element_set_real(tensor->dtype, tensor->data, i, value);
    if (inlay_element_real(tensor->dtype, tensor->data, i) >= range->real_high)
        inlay_element_set_real(tensor->dtype, tensor->data, i, range->real_low);
}

static void fill_range(struct inlay_tensor *tensor, const struct range *range, uint64_t state)
{
    int64_t count = inlay_tensor_elements(tensor);
    for (int64_t i = 0; i < count; i++) {
        uint64_t word = next_random(&state);
        if (inlay_dtype_is_float(tensor->dtype))
            set_real(tensor, i, range, (double)(word >> 11) * 0x1p-53);
        else
            inlay_element_set_integer(tensor->dtype, tensor->data, i,
                                      (int64_t)((uint64_t)range->low + word % range->count));
    }
}

static void fill(struct inlay_tensor *tensor, enum input_source source, uint64_t state)
{
    struct inlay_dtype dtype = tensor->dtype;
    int64_t count = inlay_tensor_elements(tensor);
    for (int64_t i = 0; i < count && source != INPUT_ZEROS; i++) {
        uint64_t word = source == INPUT_RANDOM ? next_random(&state) : 0;
        if (inlay_dtype_is_float(dtype))
            inlay_element_set_real(dtype, tensor->data, i,
                                   source == INPUT_RANDOM ? random_real(dtype, word)
                                   : source == INPUT_ONES ? 1.0
                                                          : (double)i);
        else
            inlay_element_set_integer(
                dtype, tensor->data, i,
                source == INPUT_RANDOM
                    ? (dtype.code == INLAY_CODE_BOOL ? (int64_t)(word >> 63) : (int64_t)(word % 10))
                : source == INPUT_ONES ? 1
                                       : i);
    }
}

bool spec_fill(struct inlay_tensor *tensor, const struct input_spec *spec, uint64_t seed,
               struct inlay_message *out_why)
{
    struct range range = {0};
    if (spec->has_seed)
        seed = spec->seed;
    if (!spec->low) {
        fill(tensor, spec->source, seed);
        return true;
    }
    if (!read_range(spec, tensor->dtype, &range, out_why))
        return false;
    fill_range(tensor, &range, seed);
    return true;
}
