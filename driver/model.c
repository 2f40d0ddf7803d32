/*
 * Files of models.  They are mapped, so that weights of any size cost what is read of them; what a model names as
 * lying beside it must lie in its folder or below, without a link that leads out of it.
 */
#include "driver/model.h"

#include "frontend/frontend.h"
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUFFIX ".onnx"

bool model_is_one(const char *path)
{
    size_t length = strlen(path);
    return length > strlen(SUFFIX) && strcmp(path + length - strlen(SUFFIX), SUFFIX) == 0;
}

/* A file in memory with a byte that is 0 behind it; until the driver goes. */
static const struct driver_mapping *map_file(struct driver *driver, int fd, const char *name)
{
    struct stat info;
    long page = sysconf(_SC_PAGESIZE);

    if (fstat(fd, &info) < 0)
        return NULL;
    if (!S_ISREG(info.st_mode)) {
        errno = S_ISDIR(info.st_mode) ? EISDIR : EINVAL;
        return NULL;
    }
    struct driver_mapping mapping = {.name = arena_copy_text(&driver->arena, name, strlen(name)),
                                     .size = (size_t)info.st_size};
    mapping.mapped = mapping.size + (size_t)page;
    mapping.bytes = mmap(NULL, mapping.mapped, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping.bytes == MAP_FAILED)
        return NULL;
    if (mapping.size > 0 && mmap(mapping.bytes, mapping.size, PROT_READ, MAP_PRIVATE | MAP_FIXED,
                                 fd, 0) == MAP_FAILED) {
        int error = errno;
        munmap(mapping.bytes, mapping.mapped);
        errno = error;
        return NULL;
    }
    array_push(&driver->mappings, mapping);
    return &array_last(&driver->mappings);
}

void model_unmap(struct driver *driver)
{
    for (size_t i = 0; i < driver->mappings.count; i++)
        munmap(driver->mappings.items[i].bytes, driver->mappings.items[i].mapped);
    array_finish(&driver->mappings);
}

const struct source *model_read(struct driver *driver, const char *path)
{
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    const struct driver_mapping *mapping = fd >= 0 ? map_file(driver, fd, path) : NULL;

    if (!mapping)
        diag_report(driver->diag, (struct location){0}, INPUT_UNREADABLE, path, strerror(errno));
    if (fd >= 0)
        close(fd);
    if (!mapping)
        return NULL;
    struct source *source = arena_new(&driver->arena, struct source);
    *source =
        (struct source){.name = mapping->name, .text = mapping->bytes, .length = mapping->size};
    return source;
}

/* ---- files beside a model ---- */

/* A model that is being read. */
struct reading {
    struct driver *driver;
    const char *name;
    size_t from; /* of the driver's mappings, those that are of this model */
};

/* Opens @path, whose parts are plain names, below the folder @folder, following no link. */
static int open_below(int folder, const char *path)
{
    char part[256];
    int at = folder, next;

    for (;;) {
        size_t length = strcspn(path, "/");
        bool is_last = path[length] == 0;
        if (length == 0 || length >= sizeof(part) ||
            (length == 2 && path[0] == '.' && path[1] == '.'))
            errno = EACCES, next = -1;
        else {
            memcpy(part, path, length);
            part[length] = 0;
            next = openat(at, part,
                          O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW |
                              (is_last ? 0 : O_DIRECTORY));
        }
        int error = errno;
        if (at != folder)
            close(at);
        errno = error;
        if (next < 0 || is_last)
            return next;
        at = next;
        path += length + 1;
    }
}

static const struct driver_mapping *find_beside(struct reading *r, const char *path)
{
    struct driver *driver = r->driver;
    struct arena arena = {0};
    const char *slash = strrchr(r->name, '/');
    const char *folder_name =
        slash ? arena_printf(&arena, "%.*s", (int)(slash - r->name) + 1, r->name) : ".";
    const struct driver_mapping *found = NULL;

    for (size_t i = r->from; i < driver->mappings.count && !found; i++)
        if (strcmp(driver->mappings.items[i].name, path) == 0)
            found = &driver->mappings.items[i];
    if (!found) {
        int folder = open(folder_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        inlay_file_note(arena_printf(&arena, "%s/%s", folder_name, path));
        int fd = folder >= 0 ? open_below(folder, path) : -1;
        found = fd >= 0 ? map_file(driver, fd, path) : NULL;
        int error = errno;
        if (fd >= 0)
            close(fd);
        if (folder >= 0)
            close(folder);
        errno = error;
    }
    arena_finish(&arena);
    return found;
}

static const void *open_beside(void *state, const char *path, uint64_t offset, uint64_t size,
                               const char **out_why)
{
    while (path[0] == '.' && path[1] == '/')
        path += 2;
    const struct driver_mapping *mapping = find_beside(state, path);

    if (!mapping) {
        bool is_outside = errno == EACCES || errno == ELOOP || errno == ENOTDIR;
        *out_why =
            is_outside ? "it is not in the model's folder, or behind a link" : strerror(errno);
        return NULL;
    }
    if (offset > mapping->size || size > mapping->size - offset) {
        *out_why = "the file is shorter";
        return NULL;
    }
    return (const char *)mapping->bytes + offset;
}

/* Pages that lie within the bytes are read from the file again, should somebody want them. */
static void forget(void *state, const void *bytes, size_t size)
{
    const struct reading *r = state;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t begin = ((uintptr_t)bytes + page - 1) / page * page;
    uintptr_t end = ((uintptr_t)bytes + size) / page * page;

    if (r->from > 0 && end > begin)
        (void)madvise((void *)begin, end - begin,
                      MADV_DONTNEED); // NOLINT(performance-no-int-to-ptr)
}

struct ir_module *model_import(struct driver *driver, const struct source *source)
{
    bool is_mapped = driver->mappings.count > 0 &&
                     array_last(&driver->mappings).bytes == (const void *)source->text;
    struct reading reading = {driver, source->name, is_mapped ? driver->mappings.count : 0};
    struct frontend_model model = {.name = source->name,
                                   .bytes = source->text,
                                   .size = source->length,
                                   .stays = is_mapped,
                                   .state = &reading,
                                   .open_beside = is_mapped ? open_beside : NULL,
                                   .forget = forget};
    return frontend_import(driver->context, driver->diag, &model);
}

const char *model_name(const struct ir_function *function, const char *list, size_t index)
{
    const struct ir_attr *names = ir_attr_dict_get(function->attrs, list);

    return names && names->kind == IR_ATTR_LIST && index < names->count &&
                   names->items[index]->kind == IR_ATTR_STRING
               ? names->items[index]->string
               : NULL;
}

const char *model_parameter(const struct ir_function *function, const char *name)
{
    for (unsigned i = 0; i < function->param_count; i++) {
        const char *given = model_name(function, "onnx.inputs", i);
        if (given && strcmp(given, name) == 0)
            return function->params[i]->name;
    }
    return name;
}
