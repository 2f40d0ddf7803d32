/*
 * A table of items to plan, as `inlay plan FILE.csv` reads and prints it: comma-separated values with a header.
 *
 * Columns: `id`, `lower` and `upper` (or `start` or `begin`, and `end`, the last step of the life), `size`,
 * and if they are there `alignment` and `offset`, of which a field that is not empty is held.  Others are kept.
 */
#pragma once

#include "analysis/pack/pack.h"
#include "base/array.h"
#include "base/diag.h"

enum plan_column {
    PLAN_COLUMN_ID,
    PLAN_COLUMN_LOWER,
    PLAN_COLUMN_UPPER,
    PLAN_COLUMN_SIZE,
    PLAN_COLUMN_OFFSET,
    PLAN_COLUMN_ALIGNMENT,
    PLAN_COLUMNS, /* what has no meaning here is this */
};

struct plan_table {
    const struct source *source;
    size_t column_count, count; /* rows, without the header */
    enum plan_column *columns;  /* what each column is */
    struct location *fields;    /* the header's, then those of each row */
    struct pack_item *items;    /* of each row */
    const char **ids;
};

/* Is @source read as a table: does its name end with .csv? */
bool plan_is_table(const char *name);

/* Everything lives in @arena; false after reports, with the line and column of each. */
bool plan_table_read(struct plan_table *table, const struct source *source, struct diag *diag,
                     struct arena *arena);

/* The table with offsets: id, lower, upper, size, offset, then the other columns, in the order of the rows. */
void plan_table_put(const struct plan_table *table, struct text *out);
