/* Between products whose columns lie in blocks of a vector (blocks.c) and convolutions that become such (winograd.c). */
#pragma once

#include "passes/schedule/epilogue.h"
#include "passes/schedule/fetch.h"

enum { BLOCKS_GROUPS_LEAST = 4 }; /* tasks that two threads can share */

struct blocks {
    struct schedule *s;
    struct matmul *p;
    struct ir_dtype dtype;             /* of loop variables */
    struct tir_stmt *blocks;           /* the loop o; NULL: there is one block */
    int64_t lanes, count, rows, depth; /* extents of l, o, i and k */
    int64_t vectors, tile;             /* blocks and rows of a tile */
    int64_t
        wide; /* lanes of the sums in registers: of one block, or two where a block is half a vector */
    struct tir_stmt *sums[MATMUL_LOOP_LIMIT + 1];
    unsigned sum_count;
    struct tir_stmt
        *outer; /* the loop whose iterations are rows, too, each of `width` of them; NULL: none */
    int64_t width;
    struct tir_stmt *
        split; /* the loop that tasks have a part of, or `outer`: tiles; NULL: tasks are whole groups */
    int64_t parts;    /* of it */
    bool is_by_parts; /* all groups of a part, else all parts of a group */
    bool is_shared;   /* among threads */
    struct fetch fetch;
    struct ir_buffer *panels; /* [group, k.., v * lanes + l] */
};

/* Groups of `vectors` blocks, the last of which may be of fewer. */
static inline int64_t blocks_groups(const struct blocks *b)
{
    return (b->count + b->vectors - 1) / b->vectors;
}

/* Iterations of a part of @all. */
static inline int64_t blocks_part(const struct blocks *b, int64_t all)
{
    return (all + b->parts - 1) / b->parts;
}

static inline const struct ir_expr *blocks_int(const struct blocks *b, int64_t value)
{
    return sch_int(b->s, b->dtype, value);
}

static inline const struct ir_var *blocks_var(const struct blocks *b, const char *name)
{
    return sch_var(b->s, name, b->dtype);
}

/* @a for row @i of block @o, and lane @l; NULL: of what it does not depend on. */
const struct ir_expr *blocks_put(const struct blocks *b, const struct ir_expr *a,
                                 const struct ir_expr *i, const struct ir_expr *o,
                                 const struct ir_expr *l);
/* @body for all k, the loops of the sums. */
struct tir_stmt *blocks_around_sums(const struct blocks *b, struct tir_stmt *body);
/* How many rows and blocks a tile has, what a task is, and what is asked for ahead. */
void blocks_choose_tasks(struct blocks *b);
/* How many rows and blocks a tile has; all groups are whole. */
void blocks_choose(struct blocks *b);
/* All rows of the blocks of a tile, in tiles; those of @group of the panels. */
struct tir_stmt *blocks_rows(const struct blocks *b, const struct ir_expr *group);
/* Sets `fetch`: a panel is read for all tiles of the first @batch_count loops of the batch. */
void blocks_plan_fetch(struct blocks *b, unsigned batch_count);

/* A convolution over windows of 3 by 3 with fewer products; NULL: it is none, or not worth it. */
struct tir_stmt *matmul_winograd(struct blocks *b);
