/*
 * .safetensors: 8 bytes of length, a JSON object {"name": {"dtype", "shape", "data_offsets"}}, bytes.
 *
 * Only the tensor that is asked for is read, but its entry must fit the file exactly.
 */
#include "io/file.h"
#include "runtime/frame.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RANK_LIMIT = 32, HEADER_LIMIT = 100000000 }; /* the limit of the reference reader */

static const struct {
    const char *name;
    struct inlay_dtype dtype;
} dtypes[] = {
    {"BOOL", {INLAY_CODE_BOOL, 8, 1}},    {"I8", {INLAY_CODE_INT, 8, 1}},
    {"I16", {INLAY_CODE_INT, 16, 1}},     {"I32", {INLAY_CODE_INT, 32, 1}},
    {"I64", {INLAY_CODE_INT, 64, 1}},     {"U8", {INLAY_CODE_UINT, 8, 1}},
    {"U16", {INLAY_CODE_UINT, 16, 1}},    {"U32", {INLAY_CODE_UINT, 32, 1}},
    {"U64", {INLAY_CODE_UINT, 64, 1}},    {"F16", {INLAY_CODE_FLOAT, 16, 1}},
    {"F32", {INLAY_CODE_FLOAT, 32, 1}},   {"F64", {INLAY_CODE_FLOAT, 64, 1}},
    {"BF16", {INLAY_CODE_BFLOAT, 16, 1}},
};

/* A whole number that a double of the JSON reader holds exactly. */
static bool get_size(const cJSON *item, int64_t *out)
{
    if (!cJSON_IsNumber(item) || item->valuedouble < 0 || item->valuedouble > 0x1p53 ||
        floor(item->valuedouble) != item->valuedouble)
        return false;
    *out = (int64_t)item->valuedouble;
    return true;
}

static bool get_shape(const cJSON *shape, int64_t *dims, int32_t *out_ndim,
                      struct inlay_message *message)
{
    int32_t ndim = 0;
    const cJSON *item;
    if (!cJSON_IsArray(shape))
        return inlay_message_set(message, "the tensor's entry lacks a shape");
    cJSON_ArrayForEach(item, shape)
    {
        if (ndim == RANK_LIMIT)
            return inlay_message_set(message, "the tensor has more than %d dimensions", RANK_LIMIT);
        if (!get_size(item, &dims[ndim++]))
            return inlay_message_set(message, "the tensor's shape has an entry that is no size");
    }
    *out_ndim = ndim;
    return true;
}

static bool get_dtype(const cJSON *item, struct inlay_dtype *out, struct inlay_message *message)
{
    if (!cJSON_IsString(item))
        return inlay_message_set(message, "the tensor's entry lacks a dtype");
    for (size_t i = 0; i < sizeof(dtypes) / sizeof(dtypes[0]); i++)
        if (strcmp(dtypes[i].name, item->valuestring) == 0) {
            *out = dtypes[i].dtype;
            return true;
        }
    return inlay_message_set(message, "the tensor has dtype `%.40s`, which is not supported",
                             item->valuestring);
}

const char *inlay_safetensors_dtype(struct inlay_dtype dtype)
{
    for (size_t i = 0; i < sizeof(dtypes) / sizeof(dtypes[0]); i++)
        if (memcmp(&dtypes[i].dtype, &dtype, sizeof(dtype)) == 0)
            return dtypes[i].name;
    return NULL;
}

static struct inlay_tensor *read_tensor(const cJSON *entry, FILE *file, uint64_t begin,
                                        uint64_t available, struct inlay_message *message)
{
    struct inlay_dtype dtype = {0};
    int64_t shape[RANK_LIMIT], first, end;
    int32_t ndim = 0;
    const cJSON *offsets = cJSON_GetObjectItemCaseSensitive(entry, "data_offsets");
    if (!get_dtype(cJSON_GetObjectItemCaseSensitive(entry, "dtype"), &dtype, message) ||
        !get_shape(cJSON_GetObjectItemCaseSensitive(entry, "shape"), shape, &ndim, message))
        return NULL;
    int64_t bytes = inlay_tensor_bytes(shape, ndim, inlay_dtype_bytes(dtype));
    if (cJSON_GetArraySize(offsets) != 2 || !get_size(cJSON_GetArrayItem(offsets, 0), &first) ||
        !get_size(cJSON_GetArrayItem(offsets, 1), &end) || first > end ||
        (uint64_t)end > available) {
        inlay_message_set(message, "the tensor's offsets do not lie within the file");
        return NULL;
    }
    if (bytes != end - first) {
        inlay_message_set(message,
                          "the tensor's offsets span %" PRId64
                          " bytes, which its shape and dtype do not need",
                          end - first);
        return NULL;
    }
    struct inlay_tensor *tensor = inlay_tensor_create(dtype, shape, ndim);
    if (!tensor) {
        inlay_message_set(message, "out of memory: %" PRId64 " bytes could not be had", bytes);
        return NULL;
    }
    struct inlay_reader reader;
    inlay_file_reader_init(&reader, file, available);
    bool is_good = fseek(file, (long)(begin + (uint64_t)first), SEEK_SET) == 0 &&
                   reader.read(&reader, tensor->data, (size_t)bytes, message);
    const unsigned char *values = tensor->data;
    for (int64_t i = 0; is_good && dtype.code == INLAY_CODE_BOOL && i < bytes; i++)
        if (values[i] > 1)
            is_good = inlay_message_set(
                message, "element %" PRId64 " of a bool tensor is the byte %d", i, values[i]);
    if (is_good)
        return tensor;
    inlay_tensor_destroy(tensor);
    return NULL;
}

static const cJSON *find_entry(const cJSON *root, const char *key, struct inlay_message *message)
{
    const cJSON *found = NULL, *item;
    char names[320] = "";
    size_t length = 0;
    cJSON_ArrayForEach(item, root)
    {
        if (strcmp(item->string, "__metadata__") == 0)
            continue;
        if (strcmp(item->string, key) == 0) {
            if (found) {
                inlay_message_set(message, "has the tensor `%.100s` twice", key);
                return NULL;
            }
            found = item;
        }
        if (length < sizeof(names) - 64)
            length += (size_t)snprintf(names + length, sizeof(names) - length, "%s`%.40s`",
                                       length ? ", " : "", item->string);
    }
    if (!found)
        inlay_message_set(message, "has no tensor `%.100s`; it has %s", key,
                          length ? names : "none");
    return found;
}

/* A file whose header was read. */
struct archive {
    FILE *file;
    cJSON *root;
    uint64_t begin, available; /* of the bytes of the tensors */
};

static void archive_close(struct archive *archive)
{
    cJSON_Delete(archive->root);
    if (archive->file)
        fclose(archive->file);
}

static bool read_header(struct archive *archive, uint64_t size, struct inlay_message *message)
{
    uint64_t length = 0;
    unsigned char bytes[8];
    struct inlay_reader reader;
    inlay_file_reader_init(&reader, archive->file, size);
    if (size < 8 || !reader.read(&reader, bytes, 8, message))
        return inlay_message_set(message, "is no .safetensors file: it has only %" PRIu64 " bytes",
                                 size);
    for (int i = 7; i >= 0; i--)
        length = length << 8 | bytes[i];
    if (length > size - 8 || length > HEADER_LIMIT)
        return inlay_message_set(message,
                                 "the header claims %" PRIu64 " bytes, but the file has %" PRIu64,
                                 length, size);
    char *text = malloc((size_t)length + 1);
    if (!text)
        return inlay_message_set(message, "out of memory");
    bool is_read = reader.read(&reader, text, (size_t)length, message);
    if (is_read) {
        text[length] = 0;
        archive->root = cJSON_ParseWithLength(text, (size_t)length);
        archive->begin = 8 + length;
        archive->available = size - archive->begin;
    }
    free(text);
    return is_read && (cJSON_IsObject(archive->root) ||
                       inlay_message_set(message, "the header is no JSON object"));
}

static bool archive_open(struct archive *archive, const char *path, struct inlay_message *message)
{
    uint64_t size;
    *archive = (struct archive){.file = inlay_file_open(path, &size, message)};
    if (archive->file && read_header(archive, size, message))
        return true;
    archive_close(archive);
    return false;
}

struct inlay_tensor *inlay_safetensors_read(const char *path, const char *key,
                                            struct inlay_message *message)
{
    struct archive archive;
    if (!archive_open(&archive, path, message))
        return NULL;
    const cJSON *entry = find_entry(archive.root, key, message);
    struct inlay_tensor *tensor =
        entry ? read_tensor(entry, archive.file, archive.begin, archive.available, message) : NULL;
    archive_close(&archive);
    return tensor;
}

bool inlay_safetensors_read_all(const char *path, inlay_tensor_visit_fn *visit, void *state,
                                struct inlay_message *message)
{
    struct archive archive;
    const cJSON *item;
    bool is_good = true;
    if (!archive_open(&archive, path, message))
        return false;
    cJSON_ArrayForEach(item, archive.root)
    {
        if (!is_good)
            break;
        if (strcmp(item->string, "__metadata__") == 0)
            continue;
        struct inlay_tensor *tensor =
            read_tensor(item, archive.file, archive.begin, archive.available, message);
        if (!tensor) {
            struct inlay_message why = *message;
            inlay_message_set(message, "tensor `%.100s`: %.380s", item->string, why.text);
        }
        is_good = tensor && visit(state, item->string, tensor);
    }
    archive_close(&archive);
    return is_good;
}
