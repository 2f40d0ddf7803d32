/*
 * Records: what a command made of a script, kept in the folder of compiled objects for the next time that the
 * same is asked for.
 *
 * A record is found by everything that decides about it: what was asked for, in words; the script; the builds of
 * Inlay and LLVM; the processor.  Files that were read on the way stand in it with hashes of their contents, and it
 * only counts while they are what they were.  Whoever keeps a record has reported nothing: so there is nothing to say
 * again.
 */
#pragma once

#include "base/store.h"
#include "driver/driver.h"
#include "io/file.h"

struct record {
    struct driver *driver;
    struct digest key;
    bool is_on; /* else nothing is found, and nothing kept */
    struct store store;
    struct inlay_file_watch watch;
    array(const char *) files; /* that were read since record_open() */
    size_t messages;           /* of the driver's diag, then */
    struct arena arena;
};

/* @kind of record, by @words and for @source.  Without a cache it is there, and off. */
void record_open(struct record *record, struct driver *driver, const char *kind,
                 const struct source *source, const char *const *words, size_t count);
void record_close(struct record *record); /* a second time it does nothing */

/* One that is found.  Its data begin at a multiple of 64. */
struct record_view {
    const char *data;
    size_t size;
    struct store_view view;
};
bool record_find(struct record *record, struct record_view *out);
void record_release(struct record_view *view);
/* It is not what it should be: it goes. */
void record_refuse(struct record *record, struct record_view *view);

/* Is a record of @bytes worth its room, and is there nothing that would have to be said again? */
bool record_is_wanted(const struct record *record, uint64_t bytes);
void record_keep(struct record *record, const struct text *data);

/* --- contents: numbers and runs of bytes, read in the order in which they were put --- */

void record_put_number(struct text *out, uint64_t number);
/* Their size, and @size bytes at a multiple of 64. */
void record_put_bytes(struct text *out, const void *bytes, size_t size);

struct record_reader {
    const char *data;
    size_t size, at;
    bool is_bad; /* it ended too early; what was read since is 0 */
};
uint64_t record_number(struct record_reader *reader);
const char *record_bytes(struct record_reader *reader, size_t *out_size);
