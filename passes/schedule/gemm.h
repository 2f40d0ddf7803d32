/*
 * Between what copies the operands of a product (gemm_pack.c, gemm_narrow.c), chooses its rows (gemm_rows.c), computes a tile
 * (gemm_tile.c) and all of them (gemm.c).
 */
#pragma once

#include "passes/schedule/epilogue.h"
#include "passes/schedule/fetch.h"

enum {
    GEMM_VECTORS = 2,       /* of a tile, and of a panel */
    GEMM_ROWS = 144,        /* of one block of X */
    GEMM_WIDENED_ROWS = 16, /* for more, Y is not widened in each round */
};

enum {
    NARROW_MOST = 4,  /* loads */
    NARROW_DEPTH = 8, /* values of k of one step */
};

/* Weights of fewer bits than the sums, whose panels are (gemm_narrow.c). */
struct narrow {
    struct narrow_load {
        const struct ir_expr *load; /* of Y */
        int64_t period;             /* values of k that it is the same for */
        struct ir_buffer *panels;
        int others; /* uses of it but for those as T.Cast(.., load) - 128; if there are none, .. */
        bool is_centred; /* .. panels have that, as int8 */
    } loads[NARROW_MOST];
    unsigned count;
    const struct ir_expr *elements, *scale; /* whose product Y is; or Y itself, and NULL */
    int64_t block;                          /* values of k that have the scale in common */
};

struct gemm {
    struct schedule *s;
    struct matmul *p;
    struct ir_dtype dtype;            /* of loop variables */
    int64_t columns;                  /* of a panel */
    int64_t rows;                     /* of a tile */
    struct ir_buffer *panels, *tiles; /* of Y; of X, NULL: it is read as it lies */
    struct ir_buffer *staged;         /* a tile on its way to memory */
    struct narrow *narrow;            /* what has panels in the place of Y, or NULL */
    struct ir_buffer *part;           /* the sums of a block that has a scale */
    const struct epilogue *epilogue;  /* or NULL */
    bool is_shared;                   /* among threads */
    bool is_inside;                   /* loops of the batch, of those over panels */
    bool is_guarded;                  /* panels that are packed: the last one has fewer columns */
    bool is_by_task;              /* panels are packed by each task for itself, block by block */
    struct fetch fetch, fetched;  /* of the loops that are built, and were */
    const struct ir_expr *blocks; /* of k */
    int64_t block_depth;          /* 0: one block, all of it */
    const struct matmul_dot *dot; /* of words, or NULL */
    const struct ir_expr *steps;  /* along k: its values, or words */
    unsigned last_bytes;          /* of the last word; 0: all */
};

/* Where a tile is. */
struct place {
    const struct ir_expr *row;     /* the first */
    const struct ir_expr *tile;    /* where its rows are in g->tiles */
    const struct ir_expr *lane;    /* .. and the first of them there */
    const struct ir_expr *panel;   /* whose first column is panel * columns */
    const struct ir_expr *columns; /* that are stored */
    const struct ir_expr *block;   /* of k */
    const struct ir_expr *own,
        *step;            /* panel of the task, value of k of the block: g->is_by_task */
    int64_t rows, panels; /* of the tile */
};

/* Panels that are computed together: from `first` on, `count` times so many as a tile has. */
struct stripe {
    const struct ir_expr *first, *count;
    int64_t panels, most;          /* of a tile; times it that `count` may be */
    const struct ir_expr *columns; /* that each stores */
    enum tir_for_kind kind;        /* of the loop over blocks of rows */
    const struct ir_expr *part;    /* of `parts` of the rows, which it is of; NULL: of all */
    int64_t parts;
};

static inline const struct ir_expr *num(const struct gemm *g, int64_t value)
{
    return sch_int(g->s, g->dtype, value);
}

static inline const struct ir_expr *plus(const struct gemm *g, const struct ir_expr *a,
                                         const struct ir_expr *b)
{
    return sch_add(g->s, a, b);
}

static inline const struct ir_expr *times(const struct gemm *g, const struct ir_expr *a,
                                          int64_t factor)
{
    return sch_mul(g->s, a, factor);
}

static inline const struct ir_var *var(const struct gemm *g, const char *name)
{
    return sch_var(g->s, name, g->dtype);
}

static inline enum tir_for_kind shared(const struct gemm *g)
{
    return g->is_shared ? TIR_PARALLEL : TIR_SERIAL;
}

static inline struct tir_stmt *vector(const struct gemm *g, const struct ir_var *v,
                                      const struct ir_expr *extent, struct tir_stmt *body)
{
    return sch_for(g->s, TIR_VECTORIZED, v, extent, body);
}

/* Is X an element of a matrix that is contiguous along k?  Then it is read as it lies. */
bool gemm_lies_well(struct schedule *s, const struct matmul *p);
struct ir_buffer *gemm_buffer(struct gemm *g, const char *name, struct ir_dtype dtype,
                              const struct ir_expr *const *dims, unsigned ndim);
const struct ir_expr *gemm_zero(const struct gemm *g, struct ir_dtype dtype);
/* Column @c of panel @panel, in the product. */
const struct ir_expr *gemm_column(struct gemm *g, const struct ir_expr *panel,
                                  const struct ir_expr *c);
/* The first value of k in the block of @place, and how many there are. */
const struct ir_expr *gemm_block_first(struct gemm *g, const struct place *place);
const struct ir_expr *gemm_block_extent(struct gemm *g, const struct place *place);
/* The sums of one tile. */
struct tir_stmt *gemm_tile(struct gemm *g, const struct place *place);
/* Copies X to tiles; the statements in @items, how many as the result. */
unsigned gemm_pack_x(struct gemm *g, struct tir_stmt **items);
/* panels[panel, k, c] = Y(k, panel * columns + c) for c below @count. */
struct tir_stmt *gemm_pack_panel(struct gemm *g, const struct ir_expr *panel,
                                 const struct ir_expr *count);
/* @a, made of column @j, if there is such a one; else 0. */
const struct ir_expr *gemm_guarded(const struct gemm *g, const struct ir_expr *j,
                                   const struct ir_expr *a);
/* Is Y made of constants of fewer bits than the sums, that can have panels of their own?  *@narrow tells of what. */
bool gemm_find_narrow(struct gemm *g, struct narrow *narrow);
/* Makes @panels of each of them; the statements in @items, how many as the result. */
unsigned gemm_pack_narrow(struct gemm *g, const struct ir_expr *panels, struct tir_stmt **items);
/* @a, a part of Y, for value @k and column @c of panel @panel. */
const struct ir_expr *gemm_narrow_value(struct gemm *g, const struct ir_expr *a,
                                        const struct ir_expr *panel, const struct ir_expr *k,
                                        const struct ir_expr *c);
/* Panels of one block of k, for the panels of @stripe. */
struct ir_buffer *gemm_own_panels(struct gemm *g, const struct stripe *stripe);
/* panels[q, k, c] = Y(first + k, (stripe->first + q) * columns + c) for k below @extent. */
struct tir_stmt *gemm_pack_block(struct gemm *g, const struct stripe *stripe,
                                 const struct ir_expr *first, const struct ir_expr *extent);
/* How many rows of sums the registers hold, beside a row of Y and an element of X. */
int64_t gemm_rows_most(const struct gemm *g);
/* Rows of a tile: tiles of about one size, where their number is known. */
void gemm_choose_rows(struct gemm *g, bool is_copied);
/*
 * Does each task pack the panels that it reads?  Of data that is widened: panels are larger than it is, and would be
 * written to memory and read from there again.
 */
bool gemm_is_by_task(const struct gemm *g, bool is_copied);
/* Is Y the same in all of the batch? */
bool gemm_shares_y(const struct gemm *g);
/* Is there enough to do for several threads, in one product or those that are inside? */
bool gemm_is_shared(const struct gemm *g);
/*
 * The product whose rows are those of another loop of the batch, and when that is better; NULL: never, there is none.  Of
 * a recurrent network over 24 steps of 2 sentences, all steps are the rows of one sentence.
 */
const struct ir_expr *gemm_turn_rows(const struct gemm *g, struct matmul *out);
/* How many tiles side by side a task takes: at least four tasks, if there is so much to do. */
int64_t gemm_task_tiles(const struct gemm *g, const struct ir_expr *tiles, int64_t panels);
/*
 * In how many parts the rows are shared, each with all columns: where the weights stay in the cache of both threads, a thread
 * finds there the rows of X that it wrote.  Of many rows also where they do not, for weights are asked for ahead
 * (fetch.c), and X, which would be read again for each few columns, is not.  1: threads share columns.
 */
int64_t gemm_row_parts(const struct gemm *g, int64_t panels);
/* How many panels a tile has: several where each is read once, for one tile of rows. */
int64_t gemm_tile_panels(const struct gemm *g);
/*
 * How much of k a panel has: a sixteenth of L2, so that those of a task and a block of rows are there
 * together.  All of it where no panel is read twice, or many rows are there, too: sums are not kept in C then.
 */
void gemm_choose_depth(struct gemm *g);
