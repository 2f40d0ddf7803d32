/*
 * NumPy's .npz: a zip archive with one .npy an array, through libzip.
 *
 * What the directory of an archive says of a member's size is a claim as well: a deflated member
 * cannot be more than about 1032 times its packed size, so a larger claim is refused before memory
 * is asked for.
 */
#include "io/file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

enum { DEFLATE_RATIO = 1040 };

static bool read_member(struct inlay_reader *reader, void *out, size_t length,
                        struct inlay_message *message)
{
    zip_file_t *file = reader->state;
    char *next = out;
    while (length > 0) {
        zip_int64_t got = zip_fread(file, next, length);
        if (got < 0)
            return inlay_message_set(message, "the archive is damaged: %s",
                                     zip_file_strerror(file));
        if (got == 0)
            return inlay_message_set(message, "the file ends too early");
        next += got;
        length -= (size_t)got;
    }
    return true;
}

/* After the last element: libzip checks the checksum when the end is read. */
static bool read_end(zip_file_t *file, struct inlay_message *message)
{
    char byte;
    zip_int64_t got = zip_fread(file, &byte, 1);
    if (got < 0)
        return inlay_message_set(message, "the archive is damaged: %s", zip_file_strerror(file));
    return got == 0 || inlay_message_set(message, "the archive has bytes after the array");
}

static struct inlay_tensor *decode_member(zip_t *archive, zip_uint64_t index,
                                          struct inlay_message *message)
{
    zip_stat_t info;
    zip_uint64_t wanted = ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_ENCRYPTION_METHOD;
    if (zip_stat_index(archive, index, 0, &info) < 0 || (info.valid & wanted) != wanted) {
        inlay_message_set(message, "the archive is damaged: %s", zip_strerror(archive));
        return NULL;
    }
    if (info.encryption_method != ZIP_EM_NONE) {
        inlay_message_set(message, "the array is encrypted");
        return NULL;
    }
    if (info.size / DEFLATE_RATIO > info.comp_size) {
        inlay_message_set(message,
                          "the archive claims that %" PRIu64 " bytes unpack to %" PRIu64
                          ", which they cannot",
                          (uint64_t)info.comp_size, (uint64_t)info.size);
        return NULL;
    }
    zip_file_t *file = zip_fopen_index(archive, index, 0);
    if (!file) {
        inlay_message_set(message, "the array cannot be unpacked: %s", zip_strerror(archive));
        return NULL;
    }
    struct inlay_reader reader = {.state = file, .size = info.size, .read = read_member};
    struct inlay_tensor *tensor = inlay_npy_decode(&reader, message);
    if (tensor && !read_end(file, message)) {
        inlay_tensor_destroy(tensor);
        tensor = NULL;
    }
    zip_fclose(file);
    return tensor;
}

/* Sets @message to what there is instead of @key. */
static void list_members(zip_t *archive, const char *key, struct inlay_message *message)
{
    zip_int64_t count = zip_get_num_entries(archive, 0);
    char names[320] = "";
    size_t length = 0;
    for (zip_int64_t i = 0; i < count && length < sizeof(names) - 64; i++) {
        const char *name = zip_get_name(archive, (zip_uint64_t)i, 0);
        int size = name ? (int)strlen(name) : 0;
        if (size > 4 && strcmp(name + size - 4, ".npy") == 0)
            size -= 4;
        if (name)
            length += (size_t)snprintf(names + length, sizeof(names) - length, "%s`%.*s`",
                                       i ? ", " : "", size < 40 ? size : 40, name);
    }
    if (count == 0)
        inlay_message_set(message, "has no arrays");
    else if (key)
        inlay_message_set(message, "has no array `%.100s`; it has %s", key, names);
    else
        inlay_message_set(message, "has %" PRId64 " arrays: name one as FILE.npz:NAME; it has %s",
                          (int64_t)count, names);
}

static struct inlay_tensor *read_archive(zip_t *archive, const char *key,
                                         struct inlay_message *message)
{
    zip_int64_t index = -1;
    if (key) {
        size_t length = strlen(key);
        char *name = malloc(length + 5);
        if (!name) {
            inlay_message_set(message, "out of memory");
            return NULL;
        }
        snprintf(name, length + 5, "%s.npy", key);
        index = zip_name_locate(archive, name, 0);
        if (index < 0)
            index = zip_name_locate(archive, key, 0);
        free(name);
    } else if (zip_get_num_entries(archive, 0) == 1) {
        index = 0;
    }
    if (index >= 0)
        return decode_member(archive, (zip_uint64_t)index, message);
    list_members(archive, key, message);
    return NULL;
}

/* The archive of @path, to be discarded; NULL after setting @message. */
static zip_t *open_archive(const char *path, struct inlay_message *message)
{
    uint64_t size;
    FILE *file = inlay_file_open(path, &size, message);
    if (!file)
        return NULL;
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t *source = zip_source_filep_create(file, 0, -1, &error);
    zip_t *archive =
        source ? zip_open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, &error) : NULL;
    if (!archive) {
        inlay_message_set(message, "is no .npz archive: %s", zip_error_strerror(&error));
        if (source)
            zip_source_free(source);
        else
            fclose(file);
    }
    zip_error_fini(&error);
    return archive;
}

struct inlay_tensor *inlay_npz_read(const char *path, const char *key,
                                    struct inlay_message *message)
{
    zip_t *archive = open_archive(path, message);
    struct inlay_tensor *tensor = archive ? read_archive(archive, key, message) : NULL;
    if (archive)
        zip_discard(archive);
    return tensor;
}

static bool visit_member(zip_t *archive, zip_uint64_t index, inlay_tensor_visit_fn *visit,
                         void *state, struct inlay_message *message)
{
    const char *name = zip_get_name(archive, index, 0);
    size_t length = name ? strlen(name) : 0;
    char *key = malloc(length + 1);
    if (!key || !name) {
        free(key);
        return inlay_message_set(message, name ? "out of memory" : "the archive is damaged");
    }
    if (length > 4 && strcmp(name + length - 4, ".npy") == 0)
        length -= 4;
    memcpy(key, name, length);
    key[length] = 0;
    struct inlay_tensor *tensor = decode_member(archive, index, message);
    if (!tensor) {
        struct inlay_message why = *message;
        inlay_message_set(message, "array `%.100s`: %.380s", key, why.text);
    }
    bool is_good = tensor && visit(state, key, tensor);
    free(key);
    return is_good;
}

bool inlay_npz_read_all(const char *path, inlay_tensor_visit_fn *visit, void *state,
                        struct inlay_message *message)
{
    zip_t *archive = open_archive(path, message);
    if (!archive)
        return false;
    zip_int64_t count = zip_get_num_entries(archive, 0);
    bool is_good = true;
    for (zip_int64_t i = 0; is_good && i < count; i++)
        is_good = visit_member(archive, (zip_uint64_t)i, visit, state, message);
    zip_discard(archive);
    return is_good;
}

/*
 * One .npy in *@copy, which the caller frees when the archive is gone.  (A source that owned it would free
 * it in some of the ways to fail, but not in others: libzip 1.7.3.)
 */
static zip_source_t *encode(zip_t *archive, const struct inlay_tensor *tensor, char **copy,
                            struct inlay_message *message)
{
    char header[1280];
    size_t header_size = inlay_npy_header(tensor, header, sizeof(header));
    if (!header_size) {
        inlay_message_set(message, "cannot be written: .npy has no such dtype or rank");
        return NULL;
    }
    size_t bytes = (size_t)inlay_tensor_elements(tensor) * (size_t)inlay_dtype_bytes(tensor->dtype);
    *copy = malloc(header_size + bytes);
    if (!*copy) {
        inlay_message_set(message, "out of memory");
        return NULL;
    }
    memcpy(*copy, header, header_size);
    if (bytes)
        memcpy(*copy + header_size, (const char *)tensor->data + tensor->byte_offset, bytes);
    zip_source_t *source = zip_source_buffer(archive, *copy, header_size + bytes, 0);
    if (!source)
        inlay_message_set(message, "cannot be written: %s", zip_strerror(archive));
    return source;
}

static bool add_member(zip_t *archive, const char *key, const struct inlay_tensor *tensor,
                       char **copy, struct inlay_message *message)
{
    zip_source_t *source = encode(archive, tensor, copy, message);
    if (!source)
        return false;
    size_t size = strlen(key) + 5;
    char *name = malloc(size);
    zip_int64_t index = -1;
    if (name) {
        snprintf(name, size, "%s.npy", key);
        index = zip_file_add(archive, name, source, ZIP_FL_ENC_UTF_8);
    }
    free(name);
    if (index < 0) {
        zip_source_free(source);
        return inlay_message_set(message, "cannot be written: %s", zip_strerror(archive));
    }
    /* Stored, and always of one date: the same results make the same file. */
    zip_set_file_compression(archive, (zip_uint64_t)index, ZIP_CM_STORE, 0);
    zip_file_set_dostime(archive, (zip_uint64_t)index, 0, 1 << 5 | 1, 0);
    return true;
}

bool inlay_npz_write(const char *path, const char *const *keys,
                     const struct inlay_tensor *const *tensors, size_t count,
                     struct inlay_message *message)
{
    struct inlay_output output;
    char **copies = calloc(count ? count : 1, sizeof(*copies));
    if (!copies)
        return inlay_message_set(message, "out of memory");
    if (!inlay_output_open(&output, path, message)) {
        free(copies);
        return false;
    }
    /* The archive is made in memory and then written like any other output. */
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t *memory = zip_source_buffer_create(NULL, 0, 0, &error);
    zip_t *archive = memory ? zip_open_from_source(memory, ZIP_TRUNCATE, &error) : NULL;
    bool is_good = archive != NULL;
    if (memory)
        zip_source_keep(memory);
    for (size_t i = 0; is_good && i < count; i++)
        is_good = add_member(archive, keys[i], tensors[i], &copies[i], message);
    if (!archive)
        inlay_message_set(message, "cannot be written: %s", zip_error_strerror(&error));
    else if (!is_good)
        zip_discard(archive);
    else if (zip_close(archive) < 0) {
        is_good = inlay_message_set(message, "cannot be written: %s", zip_strerror(archive));
        zip_discard(archive);
    }
    if (is_good && zip_source_open(memory) == 0) {
        char buffer[1 << 14];
        zip_int64_t got;
        while ((got = zip_source_read(memory, buffer, sizeof(buffer))) > 0)
            fwrite(buffer, 1, (size_t)got, output.file);
        zip_source_close(memory);
        is_good = got == 0;
    }
    if (memory)
        zip_source_free(memory);
    zip_error_fini(&error);
    for (size_t i = 0; i < count; i++)
        free(copies[i]);
    free(copies);
    if (is_good)
        return inlay_output_commit(&output, message);
    inlay_output_abandon(&output);
    return false;
}
