/*
 * Compilation ahead of time: a module that the passes are through with becomes files.  All are there when all
 * are made, or none is.
 */
#pragma once

#include "driver/artifact_weights.h"
#include "driver/c_view.h"
#include "driver/driver.h"
#include "driver/record.h"

#include <stdint.h>

/* What can be written: KIND(name, suffix behind the name of the output, doc). */
enum artifact_kind {
#define KIND(name, ...) ARTIFACT_##name,
#include "driver/artifact_kinds.def"
    ARTIFACT_KIND_COUNT
};

/* One of several levels of a processor. */
struct artifact_level {
    struct target target;
    unsigned number;          /* 1: the basis */
    struct ir_module *module; /* what the passes made for it */
};
enum { ARTIFACT_LEVEL_LIMIT = 4 };

struct artifact_options {
    const char *output;
    bool kinds[ARTIFACT_KIND_COUNT];
    const char *prefix; /* of C names; NULL: from the name of the output */
    const char *header; /* path of the header; NULL: beside the output */
    const char *script; /* name of the source */
    uint64_t script_hash;
    const struct inplace_decisions *decisions;              /* of the passes; NULL: not known */
    int64_t max_arena;                                      /* bytes; -1: no limit */
    int64_t max_stack;                                      /* of the stack of a caller's thread */
    struct artifact_level levels[ARTIFACT_LEVEL_LIMIT + 1]; /* see artifact_levels.h */
    size_t level_count;                                     /* 0: only the driver's target */
    unsigned threads;      /* that loops are divided among, by the artifact itself; below 2: none */
    const char *weights;   /* path of a file for large constants; NULL: none */
    bool is_stripped;      /* without debug information and local symbols */
    struct record *record; /* that keeps what is written; NULL: none does */
};

/* The kind that is called @name, of @length bytes; ARTIFACT_KIND_COUNT if none is. */
enum artifact_kind artifact_kind_named(const char *name, size_t length);
/* The kind that @path ends like. */
enum artifact_kind artifact_kind_of(const char *path);

/* @path with @suffix instead of its own. */
const char *artifact_beside(struct arena *arena, const char *path, const char *suffix);

/* @module is lowered; what it does not say about memory is written into it.  False after a report. */
bool artifact_write(struct driver *driver, struct ir_module *module,
                    const struct artifact_options *options);

/* Writes what a record holds.  False after a report; *out_is_bad: it holds nothing that can be written. */
bool artifact_restore(struct driver *driver, const struct record_view *view, bool *out_is_bad);

/* ---- parts ---- */

/* One file to be written. */
struct artifact_file {
    const char *path;
    struct text data;
    const struct artifact_weights *weights; /* instead of data; or NULL */
    const char *kept;                       /* instead of both: bytes of a record; or NULL */
    size_t kept_size;
};

/* Writes all or none; false after a report. */
bool artifact_commit(struct driver *driver, const struct artifact_file *files, size_t count);
void artifact_keep(struct record *record, const struct artifact_file *files, size_t count);

/* The C header; @guard is a C name. */
void artifact_put_header(struct c_view *view, const char *guard,
                         const struct artifact_options *options, struct text *out);
/* What a test program runs: a view for each level, and code that can run its functions, if this machine can. */
struct artifact_test {
    struct driver *driver;
    const struct artifact_options *options;
    struct c_view *views;
    struct codegen **codes;
};
/* A test program that includes @header.  False after a report. */
bool artifact_put_main(const struct artifact_test *test, const char *header, struct text *out);
/* What the artifact says of itself, as JSON; @weights: those in a file, or NULL. */
void artifact_put_manifest(const struct c_view *view, const struct artifact_options *options,
                           const struct driver_options *driver,
                           const struct artifact_weights *weights, struct text *out);
/* The same for people, and the table of artifact_note.h. */
void artifact_put_summary(const struct c_view *view, const struct artifact_options *options,
                          const struct driver_options *driver,
                          const struct artifact_weights *weights, struct text *out);
void artifact_put_table(struct c_view *view, const struct artifact_options *options,
                        const struct artifact_weights *weights, struct text *out);
/* For build systems: @library is the file that is linked, of @kind; with threads of its own? */
void artifact_put_pkg_config(const char *name, const char *library, const char *script,
                             bool has_threads, bool is_shared, struct text *out);
void artifact_put_cmake(const char *name, const char *library, enum artifact_kind kind,
                        bool has_threads, struct text *out);
/* An archive of one member, whose symbols are @names. */
void artifact_put_archive(const char *member, const struct text *object, const char *const *names,
                          size_t count, struct text *out);
/* A shared library of @object; false after a report about @path. */
bool artifact_link(struct driver *driver, const char *path, const struct text *object,
                   bool is_stripped, struct text *out);
