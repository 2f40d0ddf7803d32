/*
 * .safetensors: 8 bytes of length, a JSON object {"name": {"dtype", "shape", "data_offsets"}}, bytes.
 *
 * Only the tensor that is asked for is read, but its entry must fit the file exactly.  All together may be
 * mapped: then pages are read when somebody looks at them.
 */
#include "io/file.h"
#include "runtime/frame.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

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

/* A file whose header was read. */
struct archive {
    FILE *file;
    cJSON *root;
    uint64_t begin, available;     /* of the bytes of the tensors */
    struct inlay_mapping *mapping; /* that tensors are to lie in; NULL: they are read */
};

static struct inlay_tensor *copy_tensor(struct archive *archive, struct inlay_dtype dtype,
                                        const int64_t *shape, int32_t ndim, int64_t first,
                                        struct inlay_message *message)
{
    int64_t bytes = inlay_tensor_bytes(shape, ndim, inlay_dtype_bytes(dtype));
    struct inlay_tensor *tensor = inlay_tensor_create(dtype, shape, ndim);
    if (!tensor) {
        inlay_message_set(message, "out of memory: %" PRId64 " bytes could not be had", bytes);
        return NULL;
    }
    struct inlay_reader reader;
    inlay_file_reader_init(&reader, archive->file, archive->available);
    if (fseek(archive->file, (long)(archive->begin + (uint64_t)first), SEEK_SET) == 0 &&
        reader.read(&reader, tensor->data, (size_t)bytes, message))
        return tensor;
    inlay_tensor_destroy(tensor);
    return NULL;
}

/* Where it lies, unless that is no place for its elements. */
static struct inlay_tensor *view_tensor(struct archive *archive, struct inlay_dtype dtype,
                                        const int64_t *shape, int32_t ndim, int64_t first)
{
    int32_t size = inlay_dtype_bytes(dtype);
    char *data = (char *)archive->mapping->bytes + archive->begin + first;
    if (size <= 0 || (uintptr_t)data % (uintptr_t)size == 0)
        return inlay_tensor_create_view(dtype, shape, ndim, data);
    struct inlay_tensor *tensor = inlay_tensor_create(dtype, shape, ndim);
    int64_t bytes = inlay_tensor_bytes(shape, ndim, size);
    if (tensor && bytes > 0)
        memcpy(tensor->data, data, (size_t)bytes);
    return tensor;
}

static bool check_elements(const struct inlay_tensor *tensor, int64_t bytes,
                           struct inlay_message *message)
{
    const unsigned char *values = tensor->data;
    bool is_good = true;
    for (int64_t i = 0; is_good && tensor->dtype.code == INLAY_CODE_BOOL && i < bytes; i++)
        if (values[i] > 1)
            is_good = inlay_message_set(
                message, "element %" PRId64 " of a bool tensor is the byte %d", i, values[i]);
    return is_good;
}

static struct inlay_tensor *read_tensor(struct archive *archive, const cJSON *entry,
                                        struct inlay_message *message)
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
        (uint64_t)end > archive->available) {
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
    struct inlay_tensor *tensor = archive->mapping
                                      ? view_tensor(archive, dtype, shape, ndim, first)
                                      : copy_tensor(archive, dtype, shape, ndim, first, message);
    if (tensor && check_elements(tensor, bytes, message))
        return tensor;
    if (!tensor && archive->mapping)
        inlay_message_set(message, "out of memory");
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
    struct inlay_tensor *tensor = entry ? read_tensor(&archive, entry, message) : NULL;
    archive_close(&archive);
    return tensor;
}

/* ---- all of a file ---- */

/* Pages that are written to are copied; the file is never changed. */
static struct inlay_mapping *map_archive(const struct archive *archive,
                                         struct inlay_message *message)
{
    struct inlay_mapping *mapping = calloc(1, sizeof(*mapping));
    size_t size = (size_t)(archive->begin + archive->available);
    void *bytes = mapping ? mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE,
                                 fileno(archive->file), 0)
                          : MAP_FAILED;
    if (bytes == MAP_FAILED) {
        inlay_message_set(message, "cannot be mapped: %s", strerror(errno));
        free(mapping);
        return NULL;
    }
    *mapping = (struct inlay_mapping){.bytes = bytes, .size = size};
    return mapping;
}

void inlay_mapping_release(struct inlay_mapping *mapping)
{
    if (!mapping)
        return;
    munmap(mapping->bytes, mapping->size);
    free(mapping);
}

static bool visit_all(struct archive *archive, inlay_tensor_visit_fn *visit, void *state,
                      struct inlay_message *message)
{
    const cJSON *item;
    bool is_good = true;
    cJSON_ArrayForEach(item, archive->root)
    {
        if (!is_good)
            break;
        bool is_padding = strncmp(item->string, "inlay.padding.", strlen("inlay.padding.")) == 0;
        if (is_padding || strcmp(item->string, "__metadata__") == 0)
            continue;
        struct inlay_tensor *tensor = read_tensor(archive, item, message);
        if (!tensor) {
            struct inlay_message why = *message;
            inlay_message_set(message, "tensor `%.100s`: %.380s", item->string, why.text);
        }
        is_good = tensor && visit(state, item->string, tensor);
    }
    return is_good;
}

bool inlay_safetensors_read_all(const char *path, inlay_tensor_visit_fn *visit, void *state,
                                struct inlay_message *message)
{
    struct archive archive;
    if (!archive_open(&archive, path, message))
        return false;
    bool is_good = visit_all(&archive, visit, state, message);
    archive_close(&archive);
    return is_good;
}

bool inlay_safetensors_map_all(const char *path, inlay_tensor_visit_fn *visit, void *state,
                               struct inlay_mapping **out_mapping, struct inlay_message *message)
{
    struct archive archive;
    *out_mapping = NULL;
    if (!archive_open(&archive, path, message))
        return false;
    archive.mapping = *out_mapping = map_archive(&archive, message);
    bool is_good = archive.mapping && visit_all(&archive, visit, state, message);
    archive_close(&archive);
    return is_good;
}
