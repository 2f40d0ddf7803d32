/*
 * A folder of files that are found by a digest of what they were made of: results of work that is not done
 * twice.
 *
 * It is never an error: a folder that cannot be made, read or written, or that is not the user's own, is
 * as if it were empty.  Any number of processes may use one folder: a file comes into it whole, is checked
 * against a hash of itself when it is read, and what is wrong is taken away.  Where the files are more than
 * the limit allows, those that were not used for longest go.
 */
#pragma once

#include "base/digest.h"
#include "base/text.h"

#include <stdbool.h>
#include <stdint.h>

struct store {
    int folder; /* open; -1: there is none */
    uint64_t limit, added;
};

/* Makes the folder, and those above it, if @makes.  store_is_open() says whether it can be used. */
void store_open(struct store *store, const char *path, uint64_t limit, bool makes);
bool store_is_open(const struct store *store);
/* Drops what is too much, if something was added. */
void store_close(struct store *store);

/* Appends the file of @key to @out; false: there is none. */
bool store_get(struct store *store, const struct digest *key, struct text *out);
void store_put(struct store *store, const struct digest *key, const char *data, size_t size);

/* Takes it away. */
void store_drop(struct store *store, const struct digest *key);

/* A file in memory: its bytes begin at a multiple of 64. */
struct store_view {
    const char *data;
    size_t size;
    void *mapped; /* NULL: there is none */
    size_t mapped_size;
};
/* store_get() without a copy.  What store_view_end() is given must not be used any more. */
bool store_view_begin(struct store *store, const struct digest *key, struct store_view *out);
void store_view_end(struct store_view *view);

struct store_sums {
    uint64_t files, bytes;
};
/* What is in it; with @limit, after the oldest have gone that are more (0: all go). */
struct store_sums store_shrink(struct store *store, uint64_t limit);
