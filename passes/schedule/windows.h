/* Between the two ways to compute convolutions and the like as products (windows.c). */
#pragma once

#include "passes/schedule/epilogue.h"

enum {
    TILE_VECTORS = 2,
    WAITING_ROWS = 4, /* as long as a tile of fewer takes: its sums wait for themselves */
    DEPTH_MOST = 256, /* of one block of k */
    DEPTH_LEAST = 32,
    ROW_TILES = 24,   /* of one block of X */
    PANELS_MOST = 12, /* of a task */
};

/* C[.., i, row, c] = sum of X(i, k) * Y(k, row, c) */
struct windows {
    struct schedule *s;
    struct matmul *p;
    struct ir_dtype dtype;         /* of loop variables */
    int64_t m, rows, width, depth; /* extents of i, row, c and k, which may count words .. */
    const struct matmul_dot *dot;  /* .. of bytes; or NULL */
    int64_t lanes, columns;        /* of a vector, of a panel */
    int64_t tile_rows;             /* of all tiles but a smaller last one */
    int64_t parts, part_stride; /* what a panel is cut into, and how far they are apart in a task */
    int64_t task_rows, row_tasks, panels; /* rows of a task; tasks; panels of a task */
    bool is_in_place;                     /* Y is read where it lies, but for half panels */
    bool is_flat;                         /* C is stored from registers, by numbers of columns */
    int64_t chunk, chunks;                /* tiles of a task along i; how many tasks they make */
    int64_t block, blocks;                /* of k */
    struct matmul_loops row_loops;        /* that count rows */
    struct matmul_loops batch, x_batch;   /* loops around, and those of them that X has */
    int64_t batches, x_batches, x_tiles;  /* .. and tiles of X for one of the latter */
    struct ir_buffer *tiles;              /* what X is copied to */
};

/* One task: some rows of C, for some i. */
struct window_task {
    const struct ir_expr *batch, *x;     /* its number; the first tile of X in it */
    const struct ir_expr *row, *rows;    /* the first row, how many */
    const struct ir_expr *tile, *tiles;  /* the first tile of X, how many */
    const struct ir_expr *panels, *half; /* how many; 1: there is half a one besides */
    struct ir_buffer *flat, *part;
};

/* @a with numbers for the loops; NULL: it has none of that kind. */
const struct ir_expr *windows_put(const struct windows *w, const struct ir_expr *a,
                                  const struct ir_expr *batch, const struct ir_expr *i,
                                  const struct ir_expr *k, const struct ir_expr *row,
                                  const struct ir_expr *column);
/* @x, of X, for i and k in batch @x_batch of those that X has. */
const struct ir_expr *windows_x(const struct windows *w, const struct ir_expr *x,
                                const struct ir_expr *x_batch, const struct ir_expr *i,
                                const struct ir_expr *k);
/* The first tile of X in batch @batch. */
const struct ir_expr *windows_first_tile(const struct windows *w, const struct ir_expr *batch);
/* flat[k, row * width + c] = Y(.., k, row, c) for block @kk, and zeros up to @end. */
struct tir_stmt *windows_copy_y(const struct windows *w, const struct window_task *t,
                                const struct ir_expr *kk, const struct ir_expr *end);
/* C[at] = @value, or what is made of it. */
struct tir_stmt *windows_store(const struct windows *w, const struct window_task *t,
                               const struct ir_expr *i, const struct ir_expr *row,
                               const struct ir_expr *column, const struct ir_expr *value);
/* @a where @condition, else zero. */
const struct ir_expr *windows_or_zero(const struct windows *w, const struct ir_expr *condition,
                                      const struct ir_expr *a);

/* Are both factors bytes, so that they may be multiplied in words? */
bool windows_read_dot(const struct windows *w, struct matmul_dot *out);
/* X and Y for step @k of the sum: an element, or a word of bytes. */
const struct ir_expr *windows_x_step(const struct windows *w, const struct ir_expr *x_batch,
                                     const struct ir_expr *i, const struct ir_expr *k);
const struct ir_expr *windows_y_step(const struct windows *w, const struct ir_expr *batch,
                                     const struct ir_expr *k, const struct ir_expr *row,
                                     const struct ir_expr *column);
/* What a row of packed X holds: the steps, and for moved bytes what the sums of the row begin with. */
int64_t windows_steps(const struct windows *w);
/* Makes that for @count lanes of @tile, whose rows are @row in terms of @lane. */
struct tir_stmt *windows_pack_sums(const struct windows *w, const struct ir_expr *x_batch,
                                   const struct ir_expr *row, const struct ir_expr *tile,
                                   const struct ir_var *lane, const struct ir_expr *count);
/* What the sums of lane @lane of packed tile @tile begin with. */
const struct ir_expr *windows_first(const struct windows *w, const struct ir_expr *tile,
                                    const struct ir_expr *lane);
const struct ir_expr *windows_step(const struct windows *w, const struct ir_expr *x,
                                   const struct ir_expr *y, const struct ir_expr *to);

/* Vectors of columns: *@out_packing copies X, the result are the tasks. */
struct tir_stmt *windows_by_columns(struct windows *w, struct tir_stmt **out_packing);
/* The same, where only the run knows how many rows or columns there are; NULL: too little to do. */
struct tir_stmt *windows_of_open(struct windows *w, struct tir_stmt **out_packing);
/* Vectors of i, of few columns. */
struct tir_stmt *windows_by_channels(struct windows *w, struct tir_stmt **out_packing);
/* Copies X to tiles. */
struct tir_stmt *windows_pack_x(struct windows *w);
/* @tiles tiles of X of @rows rows each, by @columns columns. */
struct window_tile {
    int64_t rows, tiles, columns;
};
/* part[..], or, of the last block where C is flat, C = the sums over block @kk for the tiles from @tile on, and the columns of the
   task from @panel on. */
struct tir_stmt *windows_multiply(const struct windows *w, const struct window_task *t,
                                  struct window_tile shape, const struct ir_expr *tile,
                                  const struct ir_expr *panel, const struct ir_expr *kk);
/*
 * Are the columns of all rows beside each other in C, so that they may be stored by numbers, across the ends of rows?
 * Else they go through a buffer.
 */
bool windows_is_flat(const struct windows *w);
/* Has some task half a panel besides? */
bool windows_has_half(const struct windows *w);
/* Are the columns of all rows beside each other in Y, which is there without a condition? */
bool windows_reads_flat(const struct windows *w);
/* Y(.., @k, ..) of such, @column being a number of all rows' columns. */
const struct ir_expr *windows_y_at(const struct windows *w, const struct window_task *t,
                                   const struct ir_expr *k, const struct ir_expr *column);
/* Have panels no columns beyond their task, but for half ones? */
bool windows_panels_are_whole(const struct windows *w);
/* Rows of a tile, of which @count make as few rows in vain as may be. */
int64_t windows_tile_height(const struct windows *w, int64_t count);
/* Rows of full tiles that take as long as @count rows in tiles of @height. */
int64_t windows_tiles_cost(int64_t count, int64_t height);
/* How many multiply-adds each of them makes for one of k, those in vain too; 0: not possible. */
int64_t windows_column_cost(const struct windows *w);
int64_t windows_channel_cost(const struct windows *w);

/* ---- short names ---- */

static inline const struct ir_expr *num(const struct windows *w, int64_t value)
{
    return sch_int(w->s, w->dtype, value);
}

static inline const struct ir_expr *plus(const struct windows *w, const struct ir_expr *a,
                                         const struct ir_expr *b)
{
    return sch_add(w->s, a, b);
}

static inline const struct ir_expr *times(const struct windows *w, const struct ir_expr *a,
                                          int64_t factor)
{
    return sch_mul(w->s, a, factor);
}

static inline const struct ir_expr *zero_in(const struct windows *w, const struct ir_buffer *to)
{
    return to->dtype.code == IR_FLOAT ? ir_expr_float(w->s->context, to->dtype, 0)
                                      : sch_int(w->s, to->dtype, 0);
}

static inline const struct ir_expr *zero_of(const struct windows *w)
{
    return zero_in(w, w->p->c);
}

/* Of packed X, and of copies of Y. */
static inline struct ir_dtype x_dtype(const struct windows *w)
{
    return w->dot ? w->dot->x : w->p->c->dtype;
}

static inline struct ir_dtype y_dtype(const struct windows *w)
{
    return w->dot ? w->dot->y : w->p->c->dtype;
}

static inline const struct ir_var *var(const struct windows *w, const char *name)
{
    return sch_var(w->s, name, w->dtype);
}

static inline struct tir_stmt *vector(const struct windows *w, const struct ir_var *v,
                                      const struct ir_expr *extent, struct tir_stmt *body)
{
    return sch_for(w->s, TIR_VECTORIZED, v, extent, body);
}

static inline struct tir_stmt *serial(const struct windows *w, const struct ir_var *v,
                                      const struct ir_expr *extent, struct tir_stmt *body)
{
    return sch_for(w->s, TIR_SERIAL, v, extent, body);
}

/* min(@size, @all - @first), or @size where nothing is left over. */
static inline const struct ir_expr *rest(const struct windows *w, int64_t size, int64_t all,
                                         const struct ir_expr *first)
{
    if (all % size == 0)
        return num(w, size);
    return sch_min(w->s, num(w, size), sch_sub(w->s, num(w, all), first));
}

static inline const struct ir_expr *rest_of(const struct windows *w, const struct ir_expr *a,
                                            int64_t divisor)
{
    return ir_simplify(w->s->context,
                       ir_expr_binary(w->s->context, IR_EXPR_floormod, a, num(w, divisor)));
}

static inline int64_t ceil_div(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}
