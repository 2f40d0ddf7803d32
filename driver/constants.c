/* Files of the data of constants; see constants.h. */
#include "driver/constants.h"

#include "io/file.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#define FOLDER "constants"

enum { NAME_LENGTH = 40 };

/* ---- out ---- */

static bool write_bytes(const char *path, const struct ir_data *data, struct inlay_message *message)
{
    struct inlay_output output;
    if (!inlay_output_open(&output, path, message))
        return false;
    fwrite(data->bytes, 1, data->size, output.file); /* commit reports what went wrong */
    return inlay_output_commit(&output, message);
}

bool constants_save(struct driver *driver, const char *folder, const struct ir_data *data)
{
    struct arena arena = {0};
    struct inlay_message message;
    struct stat info;
    const char *files = arena_printf(&arena, "%s/" FOLDER, folder);
    const char *path = arena_printf(&arena, "%s/%s", files, ir_data_name(driver->context, data));
    bool is_good = mkdir(files, 0777) == 0 || errno == EEXIST;
    if (!is_good)
        inlay_message_set(&message, "%s", strerror(errno));
    else if (stat(path, &info) != 0 || (uint64_t)info.st_size != data->size)
        is_good = write_bytes(path, data, &message);
    if (!is_good)
        diag_report(driver->diag, (struct location){0}, OUTPUT_FAILED, path, message.text);
    arena_finish(&arena);
    return is_good;
}

/* ---- in ---- */

static void release(void *state)
{
    inlay_tensor_destroy(state);
}

/* The rest of @file as a tensor of bytes, aligned as kernels want it; NULL if it cannot be had. */
static struct inlay_tensor *read_bytes(FILE *file, uint64_t size)
{
    struct inlay_dtype dtype = {.code = INLAY_CODE_UINT, .bits = 8, .lanes = 1};
    struct inlay_tensor *tensor = inlay_tensor_create(dtype, &(int64_t){(int64_t)size}, 1);
    if (tensor && fread(tensor->data, 1, size, file) == size)
        return tensor;
    inlay_tensor_destroy(tensor);
    return NULL;
}

/* The bytes of the file of @name beside @script, in the context under that name. */
static void load(struct driver *driver, const char *script, const char *name)
{
    struct arena arena = {0};
    struct inlay_message message;
    const char *slash = strrchr(script, '/');
    int folder = slash ? (int)(slash - script) + 1 : 0;
    const char *path = arena_printf(&arena, "%.*s" FOLDER "/%s", folder, script, name);
    uint64_t size;
    FILE *file = inlay_file_open(path, &size, &message);
    if (file) {
        struct inlay_tensor *tensor = read_bytes(file, size);
        if (tensor)
            (void)ir_data_set_name(
                driver->context, ir_data_take(driver->context, tensor->data, size, release, tensor),
                name);
        fclose(file);
    }
    arena_finish(&arena);
}

static bool is_in_name(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || c == '-';
}

void constants_load(struct driver *driver, const struct source *source)
{
    const char *at = source->text;
    while ((at = strstr(at, "\"" IR_DATA_PREFIX)) != NULL) {
        char name[NAME_LENGTH];
        size_t length = 0;
        at += strlen("\"" IR_DATA_PREFIX);
        while (length + 1 < sizeof(name) && is_in_name(at[length])) {
            name[length] = at[length];
            length++;
        }
        name[length] = 0;
        if (length > 0 && at[length] == ':' && !ir_data_find(driver->context, name))
            load(driver, source->name, name);
    }
}
