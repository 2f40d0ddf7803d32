/*
 * Files by digest; see store.h.
 *
 *     FOLDER/ab/ab12..ef     a header, and the data
 *     FOLDER/bytes           about how many bytes all files have: who adds adds here, too, and counts anew
 *                            where it is more than the limit
 *
 * The time of a file's last change is that of its last use.
 */
#include "base/store.h"

#include "base/array.h"
#include "base/xxh64.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct header {
    char magic[8];
    uint64_t size, hash; /* of what follows */
    char unused[40];     /* so that it lies at a multiple of 64 */
};
static const char magic[8] = "inlay 2";

enum { SHELF_NAME = 2, NAME_LIMIT = 2 * DIGEST_SIZE + 64, STALE_SECONDS = 3600 };

/* --- the folder --- */

static void make_folders(const char *path)
{
    struct text text = {0};
    for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        text_clear(&text);
        text_append(&text, path, (size_t)(slash - path));
        (void)mkdir(text_string(&text), 0700);
    }
    (void)mkdir(path, 0700);
    text_finish(&text);
}

/* Somebody else's files are not believed, nor a folder that others may write to or lead elsewhere. */
static bool is_own(int folder, const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0 && info.st_uid == geteuid() && fstat(folder, &info) == 0 &&
           info.st_uid == geteuid() && (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

void store_open(struct store *store, const char *path, uint64_t limit, bool makes)
{
    *store = (struct store){.folder = -1, .limit = limit};
    if (*path != '/')
        return;
    if (makes)
        make_folders(path);
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0 && !is_own(folder, path)) {
        close(folder);
        folder = -1;
    }
    store->folder = folder;
}

bool store_is_open(const struct store *store)
{
    return store->folder >= 0;
}

/* --- files --- */

static void name_of(const struct digest *key, char out[NAME_LIMIT])
{
    digest_text(key, out + SHELF_NAME + 1);
    memcpy(out, out + SHELF_NAME + 1, SHELF_NAME);
    out[SHELF_NAME] = '/';
}

static bool write_whole(int file, const void *data, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t got = write(file, (const char *)data + done, size - done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return true;
}

static bool is_whole(const void *bytes, size_t size)
{
    struct header header;
    memcpy(&header, bytes, sizeof(header));
    return memcmp(header.magic, magic, sizeof(magic)) == 0 &&
           header.size == size - sizeof(header) &&
           xxh64((const char *)bytes + sizeof(header), header.size) == header.hash;
}

static bool map_file(int file, struct store_view *out)
{
    struct stat info;
    if (fstat(file, &info) < 0 || !S_ISREG(info.st_mode) || info.st_uid != geteuid() ||
        (size_t)info.st_size < sizeof(struct header))
        return false;
    size_t size = (size_t)info.st_size;
    void *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0);
    if (bytes == MAP_FAILED)
        return false;
    *out = (struct store_view){.data = (char *)bytes + sizeof(struct header),
                               .size = size - sizeof(struct header),
                               .mapped = bytes,
                               .mapped_size = size};
    if (is_whole(bytes, size))
        return true;
    store_view_end(out);
    return false;
}

bool store_view_begin(struct store *store, const struct digest *key, struct store_view *out)
{
    char name[NAME_LIMIT];
    *out = (struct store_view){0};
    if (!store_is_open(store))
        return false;
    name_of(key, name);
    int file = openat(store->folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return false;
    bool is_good = map_file(file, out);
    if (is_good)
        (void)futimens(file, NULL);
    close(file);
    if (!is_good)
        (void)unlinkat(store->folder, name, 0);
    return is_good;
}

void store_view_end(struct store_view *view)
{
    if (view->mapped)
        munmap(view->mapped, view->mapped_size);
    *view = (struct store_view){0};
}

bool store_get(struct store *store, const struct digest *key, struct text *out)
{
    struct store_view view;
    bool is_there = store_view_begin(store, key, &view);
    if (is_there)
        text_append(out, view.data, view.size);
    store_view_end(&view);
    return is_there;
}

void store_drop(struct store *store, const struct digest *key)
{
    char name[NAME_LIMIT];
    name_of(key, name);
    if (store_is_open(store))
        (void)unlinkat(store->folder, name, 0);
}

static bool write_file(int file, const char *data, size_t size)
{
    struct header header = {.size = size, .hash = xxh64(data, size)};
    memcpy(header.magic, magic, sizeof(magic));
    bool is_good = write_whole(file, &header, sizeof(header)) && write_whole(file, data, size);
    return close(file) == 0 && is_good;
}

void store_put(struct store *store, const struct digest *key, const char *data, size_t size)
{
    static _Atomic unsigned count;
    char name[NAME_LIMIT], shelf[SHELF_NAME + 1], temporary[NAME_LIMIT + 32];
    if (!store_is_open(store) || size > store->limit)
        return;
    name_of(key, name);
    snprintf(shelf, sizeof(shelf), "%.*s", SHELF_NAME, name);
    snprintf(temporary, sizeof(temporary), "%s.%ld.%u", name, (long)getpid(), count++);
    int file = openat(store->folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0 && errno == ENOENT) {
        (void)mkdirat(store->folder, shelf, 0700);
        file = openat(store->folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    }
    if (file < 0)
        return;
    if (write_file(file, data, size) &&
        renameat(store->folder, temporary, store->folder, name) == 0)
        store->added += size + sizeof(struct header);
    else
        (void)unlinkat(store->folder, temporary, 0);
}

/* --- the limit --- */

struct entry {
    char name[NAME_LIMIT + 32]; /* from the folder on */
    struct timespec used;
    uint64_t bytes;
};
typedef array(struct entry) entry_array;

/* Files that somebody began to write and never finished go, too. */
static void add_entry(int folder, const char *shelf, const char *name, entry_array *out)
{
    struct entry entry = {0};
    struct stat info;
    if (strlen(name) >= NAME_LIMIT)
        return;
    snprintf(entry.name, sizeof(entry.name), "%s/%s", shelf, name);
    if (fstatat(folder, entry.name, &info, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISREG(info.st_mode))
        return;
    if (strchr(name, '.')) {
        if (time(NULL) - info.st_mtime > STALE_SECONDS)
            (void)unlinkat(folder, entry.name, 0);
        return;
    }
    entry.used = info.st_mtim;
    entry.bytes = (uint64_t)info.st_size;
    array_push(out, entry);
}

static DIR *open_folder(int folder, const char *name)
{
    int copy = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *result = copy >= 0 ? fdopendir(copy) : NULL;
    if (copy >= 0 && !result)
        close(copy);
    return result;
}

static void list_files(int folder, entry_array *out)
{
    static const char digits[] = "0123456789abcdef";
    for (unsigned i = 0; i < 256; i++) {
        char shelf[SHELF_NAME + 1] = {digits[i / 16], digits[i % 16], '\0'};
        DIR *files = open_folder(folder, shelf);
        if (!files)
            continue;
        for (struct dirent *file = readdir(files); file; file = readdir(files))
            if (strncmp(file->d_name, shelf, SHELF_NAME) == 0)
                add_entry(folder, shelf, file->d_name, out);
        closedir(files);
    }
}

static int compare_uses(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->used.tv_sec != y->used.tv_sec)
        return x->used.tv_sec < y->used.tv_sec ? -1 : 1;
    if (x->used.tv_nsec != y->used.tv_nsec)
        return x->used.tv_nsec < y->used.tv_nsec ? -1 : 1;
    return strcmp(x->name, y->name);
}

struct store_sums store_shrink(struct store *store, uint64_t limit)
{
    struct store_sums sums = {0};
    entry_array entries = {0};
    if (!store_is_open(store))
        return sums;
    list_files(store->folder, &entries);
    if (entries.count)
        qsort(entries.items, entries.count, sizeof(*entries.items), compare_uses);
    sums.files = entries.count;
    for (size_t i = 0; i < entries.count; i++)
        sums.bytes += entries.items[i].bytes;
    for (size_t i = 0; i < entries.count && sums.bytes > limit; i++) {
        if (unlinkat(store->folder, entries.items[i].name, 0) < 0 && errno != ENOENT)
            continue;
        sums.bytes -= entries.items[i].bytes;
        sums.files--;
    }
    array_finish(&entries);
    return sums;
}

/* What the file says, with what was added; counted where it says nothing or too much. */
static uint64_t count_bytes(struct store *store, int file)
{
    char text[32] = "";
    ssize_t length = pread(file, text, sizeof(text) - 1, 0);
    char *end = text;
    uint64_t before = length > 0 ? strtoull(text, &end, 10) : 0;
    if (end != text && *end == '\n' && before <= store->limit &&
        store->added <= store->limit - before)
        return before + store->added;
    /* some room, so that not every one who adds must look at all */
    struct store_sums sums = store_shrink(store, UINT64_MAX);
    return sums.bytes > store->limit ? store_shrink(store, store->limit / 10 * 9).bytes
                                     : sums.bytes;
}

static void note_bytes(struct store *store)
{
    char text[32];
    int file = openat(store->folder, "bytes", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
        return;
    /* a process that was stopped there would hold all others */
    for (unsigned i = 0; flock(file, LOCK_EX | LOCK_NB) < 0; i++) {
        if (i == 20) {
            close(file);
            return;
        }
        usleep(1000);
    }
    int length =
        snprintf(text, sizeof(text), "%llu\n", (unsigned long long)count_bytes(store, file));
    if (ftruncate(file, 0) == 0)
        (void)!pwrite(file, text, (size_t)length, 0);
    close(file);
}

void store_close(struct store *store)
{
    if (!store_is_open(store))
        return;
    if (store->added > 0)
        note_bytes(store);
    close(store->folder);
    store->folder = -1;
}
