/* See weights.h. */
#include "runtime/artifact/weights.h"

#include "runtime/hash.h"
#include "runtime/message.h"

#include <string.h>

/* --- files, of hosts that have them --- */

#if UINTPTR_MAX > 0xffffffff /* Linux; numbers that are the same on all of its machines */
#define WEAK __attribute__((weak))
enum { CLOSE_ON_EXEC = 02000000, FROM_END = 2, MAY_READ = 1, MAP_APART = 2, PATH_LIMIT = 4096 };

struct place {
    const char *file;
    void *base;
    const char *symbol;
    void *address;
};

WEAK int open(const char *path, int flags, ...);
WEAK int close(int file);
WEAK int64_t lseek(int file, int64_t offset, int from);
WEAK void *mmap(void *wish, size_t bytes, int protection, int flags, int file, int64_t offset);
WEAK int munmap(void *at, size_t bytes);
WEAK int dladdr(const void *address, struct place *out);

static int32_t map_file(struct inlay_frame *frame, const struct inlay_weights_wanted *wanted,
                        const char *path, int file, void **out)
{
    int64_t bytes = lseek(file, 0, FROM_END);
    void *at = (void *)-1; // NOLINT(performance-no-int-to-ptr): what mmap returns

    if (bytes < 0 || (uint64_t)bytes != wanted->bytes)
        return inlay_fail(frame, INLAY_ERROR_WEIGHTS, 0,
                          "the weights `%s` have %lld bytes, not %lld: the file was cut off, or is "
                          "that of another artifact",
                          path, (long long)bytes, (long long)wanted->bytes);
    *out = mmap(NULL, (size_t)bytes, MAY_READ, MAP_APART, file, 0);
    return *out != at ? 0
                      : inlay_fail(frame, INLAY_ERROR_WEIGHTS, 0,
                                   "the weights `%s` cannot be mapped", path);
}

static int32_t check(struct inlay_frame *frame, const struct inlay_weights_wanted *wanted,
                     const char *path, const void *file, uint64_t bytes);

static void unmap(const void *file, uint64_t bytes)
{
    (void)munmap((void *)(uintptr_t)file, (size_t)bytes); // NOLINT(performance-no-int-to-ptr)
}

int32_t inlay_weights_open(struct inlay_frame *frame, const struct inlay_weights_wanted *wanted,
                           struct inlay_weights *weights, const char *path)
{
    void *at = NULL;

    *weights = (struct inlay_weights){0};
    if (!open || !close || !lseek || !mmap || !munmap)
        return inlay_fail(frame, INLAY_ERROR_WEIGHTS, 0,
                          "there are no files here that can be mapped");
    if (!path)
        path = wanted->name;
    int file = open(path, CLOSE_ON_EXEC);
    if (file < 0)
        return inlay_fail(frame, INLAY_ERROR_WEIGHTS, 0, "the weights `%s` cannot be opened", path);
    int32_t status = map_file(frame, wanted, path, file, &at);
    (void)close(file);
    if (status != 0)
        return status;
    if (check(frame, wanted, path, at, wanted->bytes) != 0) {
        unmap(at, wanted->bytes);
        return -1;
    }
    *weights = (struct inlay_weights){at, wanted->bytes, wanted->identity, 1};
    return 0;
}

/* The name in the folder of what has @address; false: it does not fit, or nobody knows. */
static bool find_beside(const void *address, const char *name, char *out)
{
    struct place place = {0};
    struct inlay_line line = inlay_line_in(out, PATH_LIMIT);
    size_t folder = 0;

    if (!dladdr || !dladdr(address, &place) || !place.file)
        return false;
    for (size_t i = 0; place.file[i]; i++)
        if (place.file[i] == '/')
            folder = i + 1;
    inlay_line_append(&line, place.file, folder);
    inlay_line_puts(&line, name);
    return line.length < PATH_LIMIT - 1;
}

int32_t inlay_weights_find(struct inlay_frame *frame, const struct inlay_weights_wanted *wanted,
                           const void **opened)
{
    const void *base = __atomic_load_n(opened, __ATOMIC_ACQUIRE), *none = NULL;
    struct inlay_weights weights;
    char path[PATH_LIMIT];

    if (!base) {
        if (!find_beside(opened, wanted->name, path))
            return inlay_fail(frame, INLAY_ERROR_WEIGHTS, 0,
                              "the weights `%s` are not found: nobody knows where this code lies",
                              wanted->name);
        if (inlay_weights_open(frame, wanted, &weights, path) != 0)
            return -1;
        base = (const char *)weights.file + wanted->head;
        if (!__atomic_compare_exchange_n(opened, &none, base, false, __ATOMIC_ACQ_REL,
                                         __ATOMIC_ACQUIRE)) {
            inlay_weights_close(&weights); /* somebody was quicker */
            base = none;
        }
    }
    inlay_weights_set_base(frame, base);
    return 0;
}
#else
static void unmap(const void *file, uint64_t bytes)
{
}
#endif

/* --- bytes --- */

static int32_t check(struct inlay_frame *frame, const struct inlay_weights_wanted *wanted,
                     const char *path, const void *file, uint64_t bytes)
{
    if (!file)
        return inlay_fail(frame, INLAY_ERROR_WEIGHTS, 0, "no weights are given: `%s`", path);
    if (bytes != wanted->bytes)
        return inlay_fail(frame, INLAY_ERROR_WEIGHTS, 0,
                          "the weights `%s` have %lld bytes, not %lld", path, (long long)bytes,
                          (long long)wanted->bytes);
    if ((uintptr_t)file % INLAY_ARTIFACT_ALIGN)
        return inlay_fail(frame, INLAY_ERROR_WEIGHTS, 0,
                          "the weights `%s` do not begin at a multiple of %lld", path,
                          (long long)INLAY_ARTIFACT_ALIGN);
    if (inlay_hash(file, (size_t)wanted->head) != wanted->identity)
        return inlay_fail(frame, INLAY_ERROR_WEIGHTS, 0,
                          "the weights `%s` are those of another artifact, or were changed", path);
    return 0;
}

int32_t inlay_weights_use(struct inlay_frame *frame, const struct inlay_weights_wanted *wanted,
                          struct inlay_weights *weights, const void *file, size_t bytes)
{
    *weights = (struct inlay_weights){0};
    if (check(frame, wanted, wanted->name, file, bytes) != 0)
        return -1;
    *weights = (struct inlay_weights){file, bytes, wanted->identity, 0};
    return 0;
}

void inlay_weights_close(struct inlay_weights *weights)
{
    if (weights->file && weights->is_mapped)
        unmap(weights->file, weights->bytes);
    *weights = (struct inlay_weights){0};
}

int32_t inlay_weights_bind(struct inlay_frame *frame, const struct inlay_weights_wanted *wanted,
                           const struct inlay_weights *weights)
{
    if (!weights || !weights->file)
        return inlay_fail(frame, INLAY_ERROR_WEIGHTS, 0, "no weights are given: open `%s` first",
                          wanted->name);
    if (weights->identity != wanted->identity || weights->bytes != wanted->bytes)
        return inlay_fail(frame, INLAY_ERROR_WEIGHTS, 0,
                          "the weights are those of another artifact, not `%s`", wanted->name);
    inlay_weights_set_base(frame, (const char *)weights->file + wanted->head);
    return 0;
}
