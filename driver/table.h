/*
 * A table that is shown in several ways: for people as text and Markdown, for programs as JSON and
 * CSV.  A cell is there twice: as data, and as it is shown.
 */
#pragma once

#include "base/arena.h"
#include "base/array.h"
#include "base/text.h"

#include <stdbool.h>

struct table_column {
    const char *key;   /* in data; NULL: it is not there */
    const char *title; /* NULL: it is not shown */
    bool is_text;      /* quoted in JSON, and at the left */
};
struct table_cell {
    const char *data, *shown; /* NULL: nothing */
};
struct table {
    struct arena arena;
    array(struct table_column) columns;
    array(struct table_cell) cells; /* row by row */
};

/* All columns, then cells in their order. */
void table_add_column(struct table *table, const char *key, const char *title, bool is_text);
/* Copies of both; NULL for @shown: as the data; for both: nothing. */
void table_add(struct table *table, const char *data, const char *shown);
/* The data are @format of what follows, of numbers. */
void table_add_number(struct table *table, const char *shown, const char *format, ...) PRINTF(3, 4);
void table_finish(struct table *table);

void table_put_text(const struct table *table, struct text *out);
void table_put_markdown(const struct table *table, struct text *out);
void table_put_csv(const struct table *table, struct text *out);
/* A list of objects. */
void table_put_json(const struct table *table, struct text *out);
