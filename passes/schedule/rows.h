/* Between what finds chains of products over rows (rows_find.c), cuts them into blocks (rows.c) and shares these (rows_tasks.c). */
#pragma once

#include "passes/schedule/matmul.h"

enum { ROWS_NESTS_MOST = 24, ROWS_AXES_MOST = 6 };

/* Of a buffer that the kernel writes: where each axis is among its indices. */
struct places {
    const struct ir_buffer *buffer;
    unsigned at[ROWS_AXES_MOST];
};

struct rows {
    struct schedule *s;
    struct tir_stmt *nests[ROWS_NESTS_MOST];
    struct tir_stmt
        *axes[ROWS_NESTS_MOST][ROWS_AXES_MOST]; /* by nest: its loops that are put outside */
    unsigned nest_count, axis_count, products;
    struct places places[2 * ROWS_NESTS_MOST];
    struct tir_stmt *allocs[ROWS_NESTS_MOST]; /* the scratch of the kernel */
    unsigned alloc_count;
    unsigned place_count;
    unsigned nest; /* that is looked at */
};

/* The axes and places of the kernel whose nests and scratch @r has; false: it is no such chain. */
bool rows_find(struct rows *r);
/* NULL: the kernel does not write it. */
const struct places *rows_places_of(const struct rows *r, const struct ir_buffer *buffer);
/* How many products of floats are in @nest; *@out_first: the store of the first. */
unsigned rows_count_products(struct tir_stmt *nest, const struct tir_stmt **out_first);

struct row_tasks {
    struct tir_stmt *const
        *batch; /* loops around, outermost first, of known extents and one dtype */
    unsigned batch_count;
    int64_t heads;                /* the product of their extents */
    struct tir_stmt *blocks;      /* the loop over full blocks of rows, and .. */
    struct tir_stmt *rest;        /* .. the last one, of fewer; or NULL */
    struct shared_panels *shared; /* of all blocks of one head */
};

/* All blocks of all heads in one parallel loop, behind what fills their panels. */
struct tir_stmt *rows_as_tasks(struct schedule *s, const struct row_tasks *tasks);
