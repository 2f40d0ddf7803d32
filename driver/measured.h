/*
 * What was measured, as rows of a table and as a file: `race` and `bench` tell it in the same way.
 */
#pragma once

#include "driver/roof.h"
#include "driver/sample.h"
#include "driver/session.h"
#include "driver/table.h"

/* What was done in the time; nothing is known where all is 0. */
struct measured_work {
    double operations, bytes, roof_ms;
    bool is_most;
};

/* run_ms (the median), its quartiles, ends and interval, and what it comes to in a second. */
void measured_add_columns(struct table *table);
void measured_add_times(struct table *table, const struct sample *sample,
                        const struct measured_work *work);
/* The same without times; @shown stands where the median would be. */
void measured_add_nothing(struct table *table, const char *shown);

/* What one table is about. */
struct measured {
    const char *command, *rows_key; /* "race", "pipelines" */
    struct session *session;
    const struct table *table;
    const char *how; /* expected results were made */
    unsigned rounds;
    uint64_t seed;
    double load_before;
    struct roof *roof;
    struct text times; /* members of an object: what belongs to each row, all times */
};
/* Adds "name": [times] to them. */
void measured_note_times(struct measured *measured, const char *name, const double *times,
                         size_t count);

/* Is @path one that measured_put() can fill: .json, .csv, .md? */
bool measured_is_format(const char *path);
/* By the end of @path. */
void measured_put(const struct measured *measured, const char *path, struct text *out);
/* "30 rounds on ..., held against ..": one line. */
void measured_put_note(const struct measured *measured, struct text *out);
