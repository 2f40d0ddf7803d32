/* See record.h. */
#include "driver/record.h"

#include "base/build.h"
#include "base/xxh64.h"
#include "driver/llvm_library.h"
#include "driver/model.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    ALIGNMENT = 64,
    SHARE = 4, /* of the cache that one record may have: 1 / SHARE */
};

/* --- contents --- */

void record_put_number(struct text *out, uint64_t number)
{
    text_append(out, (const char *)&number, sizeof(number));
}

static void pad(struct text *out)
{
    static const char zeros[ALIGNMENT];

    if (out->length % ALIGNMENT)
        text_append(out, zeros, ALIGNMENT - out->length % ALIGNMENT);
}

void record_put_bytes(struct text *out, const void *bytes, size_t size)
{
    record_put_number(out, size);
    pad(out);
    if (size)
        text_append(out, bytes, size);
    pad(out);
}

/* The next @size bytes; NULL: there are not so many. */
static const char *next(struct record_reader *reader, uint64_t size)
{
    if (reader->is_bad || size > reader->size - reader->at) {
        reader->is_bad = true;
        return NULL;
    }
    reader->at += size;
    return reader->data + reader->at - size;
}

static void skip_padding(struct record_reader *reader)
{
    if (reader->at % ALIGNMENT)
        (void)next(reader, ALIGNMENT - reader->at % ALIGNMENT);
}

uint64_t record_number(struct record_reader *reader)
{
    uint64_t number = 0;
    const char *at = next(reader, sizeof(number));

    if (at)
        memcpy(&number, at, sizeof(number));
    return number;
}

const char *record_bytes(struct record_reader *reader, size_t *out_size)
{
    uint64_t size = record_number(reader);

    skip_padding(reader);
    const char *at = next(reader, size);
    skip_padding(reader);
    *out_size = reader->is_bad ? 0 : size;
    return reader->is_bad ? NULL : at;
}

/* --- files --- */

static void note_file(void *state, const char *path)
{
    struct record *record = state;

    for (size_t i = 0; i < record->files.count; i++)
        if (strcmp(record->files.items[i], path) == 0)
            return;
    array_push(&record->files, arena_copy_text(&record->arena, path, strlen(path)));
}

/* The size and the hash of what is in the file at @path; false: it cannot be read. */
static bool hash_file(const char *path, uint64_t out[2])
{
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat info;
    bool is_good = file >= 0 && fstat(file, &info) == 0 && S_ISREG(info.st_mode);

    if (is_good) {
        size_t size = (size_t)info.st_size;
        void *bytes =
            size ? mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, file, 0) : NULL;
        is_good = bytes != MAP_FAILED;
        out[0] = size;
        out[1] = is_good ? xxh64(bytes, size) : 0;
        if (is_good && bytes)
            munmap(bytes, size);
    }
    if (file >= 0)
        close(file);
    return is_good;
}

static bool put_files(const struct record *record, struct text *out)
{
    record_put_number(out, record->files.count);
    for (size_t i = 0; i < record->files.count; i++) {
        const char *path = record->files.items[i];
        uint64_t hash[2];
        if (!hash_file(path, hash))
            return false;
        record_put_bytes(out, path, strlen(path) + 1);
        record_put_number(out, hash[0]);
        record_put_number(out, hash[1]);
    }
    pad(out);
    return true;
}

static bool has_same_files(struct record_reader *reader)
{
    uint64_t count = record_number(reader);

    for (uint64_t i = 0; i < count && !reader->is_bad; i++) {
        size_t size;
        const char *path = record_bytes(reader, &size);
        uint64_t wanted[] = {record_number(reader), record_number(reader)}, found[2];
        if (reader->is_bad || size == 0 || path[size - 1] != 0 || !hash_file(path, found) ||
            memcmp(wanted, found, sizeof(found)) != 0)
            return false;
    }
    skip_padding(reader);
    return !reader->is_bad;
}

/* --- the key --- */

/* Weights may be gigabytes; texts are named so that no two have one name. */
static void add_source(struct digest_state *state, const struct source *source)
{
    uint64_t hash[2] = {source->length, 0};

    digest_add_text(state, source->name);
    if (model_is_one(source->name))
        hash[1] = xxh64(source->text, source->length);
    else
        digest_add(state, source->text, source->length);
    digest_add(state, hash, sizeof(hash));
}

static void add_place(struct digest_state *state)
{
    char place[PATH_MAX];

    digest_add_text(state, getcwd(place, sizeof(place)) ? place : "");
}

/* What code depends on that the options do not say; false: that is not known. */
static bool add_builds(struct driver *driver, struct digest_state *state)
{
    return build_add(state, (uintptr_t)record_open) && driver_load_code_generator(driver) &&
           driver->codegen_api->identify(state);
}

void record_open(struct record *record, struct driver *driver, const char *kind,
                 const struct source *source, const char *const *words, size_t count)
{
    struct digest_state state;

    *record = (struct record){.driver = driver,
                              .messages = diag_message_count(driver->diag),
                              .watch = {note_file, record}};
    record->store.folder = -1;
    if (!driver->options->cache || !source)
        return;
    digest_begin(&state);
    digest_add_text(&state, kind);
    record->is_on = add_builds(driver, &state);
    diag_truncate(driver->diag, record->messages); /* who needs the code generator will say so */
    for (size_t i = 0; i < count; i++)
        digest_add_text(&state, words[i]);
    add_place(&state);
    add_source(&state, source);
    record->key = digest_end(&state);
    if (record->is_on)
        store_open(&record->store, driver->options->cache, driver->options->cache_bytes, true);
    (void)inlay_file_watch_use(&record->watch);
}

void record_close(struct record *record)
{
    (void)inlay_file_watch_use(NULL);
    if (record->is_on)
        store_close(&record->store);
    record->is_on = false;
    array_finish(&record->files);
    arena_finish(&record->arena);
}

/* --- finding and keeping --- */

bool record_find(struct record *record, struct record_view *out)
{
    *out = (struct record_view){0};
    if (!record->is_on || !store_view_begin(&record->store, &record->key, &out->view))
        return false;
    struct record_reader reader = {.data = out->view.data, .size = out->view.size};
    bool is_good = has_same_files(&reader);
    out->data = reader.data + reader.at;
    out->size = reader.size - reader.at;
    if (!is_good)
        record_release(out);
    return is_good;
}

void record_release(struct record_view *view)
{
    store_view_end(&view->view);
}

void record_refuse(struct record *record, struct record_view *view)
{
    record_release(view);
    store_drop(&record->store, &record->key);
}

bool record_is_wanted(const struct record *record, uint64_t bytes)
{
    return record->is_on && store_is_open(&record->store) &&
           diag_message_count(record->driver->diag) == record->messages &&
           bytes <= record->store.limit / SHARE;
}

void record_keep(struct record *record, const struct text *data)
{
    struct text all = {0};

    (void)inlay_file_watch_use(NULL);
    if (record_is_wanted(record, data->length) && put_files(record, &all)) {
        text_append(&all, text_string(data), data->length);
        store_put(&record->store, &record->key, all.data, all.length);
    }
    text_finish(&all);
}
