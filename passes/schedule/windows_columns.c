/*
 * Products of windows in vectors of columns (see windows.c).
 */
#include "passes/schedule/windows.h"

enum {
    CHUNK_ROWS = 384, /* of a task at most */
    CHUNK_LEAST = 48, /* rows that are worth a copy of Y of their own */
    TASKS_WANTED = 4, /* where there is so much to do */
};

/* ---- X ---- */

/* tiles[tile, k, r] = X(.., k) for r below @count: row r of tile @within of batch @x_batch of those that X has. */
static struct tir_stmt *pack_tile(struct windows *w, const struct ir_expr *x_batch,
                                  const struct ir_expr *within, const struct ir_expr *tile,
                                  int64_t count)
{
    struct schedule *s = w->s;
    const struct ir_var *k = var(w, "k"), *r = var(w, "r");
    const struct ir_expr *at[] = {tile, sch_use(s, k), sch_use(s, r)};
    const struct ir_expr *row = plus(w, times(w, within, TILE_ROWS), at[2]);
    const struct ir_expr *x = windows_x(w, x_batch, row, at[1]);

    if (w->x_batches > 1 && w->m % TILE_ROWS != 0)
        x = windows_or_zero(w, ir_expr_binary(s->context, IR_EXPR_lt, row, num(w, w->m)), x);
    return serial(w, k, num(w, w->depth),
                  sch_for(s, TIR_UNROLLED, r, num(w, count), sch_store(s, w->tiles, at, x)));
}

struct tir_stmt *windows_pack_x(struct windows *w)
{
    int64_t full = w->m / TILE_ROWS, left = w->m % TILE_ROWS;
    int64_t shape[] = {w->x_batches * w->x_tiles, w->depth, TILE_ROWS};
    const struct ir_var *it = var(w, "it");
    const struct ir_expr *tile = sch_use(w->s, it), *none = num(w, 0);
    struct tir_stmt *items[2];
    unsigned n = 0;

    w->tiles = sch_buffer(w->s, "tiles", w->p->c->dtype, "global", shape, 3);
    w->p->allocs[w->p->alloc_count++] = sch_alloc(w->s, w->tiles);
    /* Not a parallel loop over batches: that could be joined with the tasks, and be made in each run. */
    if (w->x_batches > 1)
        return sch_for(w->s, w->x_tiles > 1 ? TIR_PARALLEL : TIR_SERIAL, it, num(w, shape[0]),
                       pack_tile(w, sch_div(w->s, tile, w->x_tiles), rest_of(w, tile, w->x_tiles),
                                 tile, TILE_ROWS));
    if (full)
        items[n++] = sch_for(w->s, TIR_PARALLEL, it, num(w, full),
                             pack_tile(w, none, tile, tile, TILE_ROWS));
    if (left)
        items[n++] = pack_tile(w, none, num(w, full), num(w, full), left);
    return sch_seq(w->s, items, n);
}

/* ---- one task ---- */

/* @body for each row r and column c of a tile of @count rows. */
static struct tir_stmt *each_of_tile(struct windows *w, int64_t count, const struct ir_var *r,
                                     const struct ir_var *h, const struct ir_var *c,
                                     struct tir_stmt *body)
{
    body = vector(w, c, num(w, w->columns / w->parts), body);
    if (w->parts > 1)
        body = sch_for(w->s, TIR_UNROLLED, h, num(w, w->parts), body);
    return sch_for(w->s, TIR_UNROLLED, r, num(w, count), body);
}

/* Column @c of part @h of a panel that begins at @first, whose parts are @stride apart. */
static const struct ir_expr *column_of(struct windows *w, const struct ir_expr *first,
                                       const struct ir_var *h, int64_t stride,
                                       const struct ir_var *c)
{
    const struct ir_expr *column = sch_use(w->s, c);

    if (w->parts > 1)
        column = plus(w, times(w, sch_use(w->s, h), stride), column);
    return first ? plus(w, first, column) : column;
}

/* A statement for each element of a tile of @count rows: acc = 0, acc = part, or part = acc. */
static struct tir_stmt *each(struct windows *w, const struct window_task *t, struct ir_buffer *acc,
                             int64_t count, const struct ir_expr *tile, const struct ir_expr *panel,
                             bool is_zero, bool is_store)
{
    struct schedule *s = w->s;
    const struct ir_var *r = var(w, "r"), *h = var(w, "h"), *c = var(w, "c");
    const struct ir_expr *at[] = {sch_use(s, r), column_of(w, NULL, h, w->columns / w->parts, c)};
    const struct ir_expr *place[] = {plus(w, times(w, tile, TILE_ROWS), at[0]),
                                     column_of(w, panel, h, w->part_stride, c)};
    struct tir_stmt *store = is_zero    ? sch_store(s, acc, at, zero_of(w))
                             : is_store ? sch_store(s, t->part, place, sch_load(s, acc, at))
                                        : sch_store(s, acc, at, sch_load(s, t->part, place));

    return each_of_tile(w, count, r, h, c, store);
}

/* ---- stores ---- */

static bool is_loop(const struct ir_expr *index, const struct ir_var *v)
{
    return index->kind == IR_EXPR_var && index->var == v;
}

/*
 * Are the columns of all rows beside each other in C, so that they may be stored by numbers, across the ends of rows?
 * Else they go through a buffer.
 */
static bool is_flat(const struct windows *w)
{
    const struct matmul *p = w->p;
    unsigned d = p->c->ndim, n = w->row_loops.count;
    int64_t extent;

    if (p->c->strides || n == 0 || d < n + 1 || w->parts > 1 || !is_loop(p->indices[--d], p->j) ||
        !ir_expr_is_int(p->c->shape[d], w->width))
        return false;
    while (n-- > 0) {
        const struct tir_stmt *loop = w->row_loops.items[n];

        if (!is_loop(p->indices[--d], loop->loop.var) ||
            !sch_constant(w->s, loop->loop.extent, &extent) ||
            (n > 0 && !ir_expr_is_int(p->c->shape[d], extent)))
            return false;
    }
    return true;
}

/* C[.., i, row, c] = acc for a tile of @count rows; a panel may go beyond its task, and that beyond the last row. */
static struct tir_stmt *store_tile(struct windows *w, const struct window_task *t,
                                   struct ir_buffer *acc, int64_t count, const struct ir_expr *tile,
                                   const struct ir_expr *panel)
{
    struct schedule *s = w->s;
    const struct ir_var *r = var(w, "r"), *h = var(w, "h"), *c = var(w, "c");
    const struct ir_expr *at[] = {sch_use(s, r), sch_use(s, c)};
    const struct ir_expr *i = plus(w, times(w, plus(w, t->tile, tile), TILE_ROWS), at[0]);
    const struct ir_expr *own = plus(w, panel, at[1]);
    const struct ir_expr *column = plus(w, times(w, t->row, w->width), own);
    struct tir_stmt *store = windows_store(w, t, i, sch_div(s, column, w->width),
                                           rest_of(w, column, w->width), sch_load(s, acc, at));

    if (w->rows % w->task_rows != 0)
        store =
            sch_if(s, ir_expr_binary(s->context, IR_EXPR_lt, column, num(w, w->rows * w->width)),
                   store, NULL);
    if (w->task_rows * w->width % w->columns != 0)
        store =
            sch_if(s, ir_expr_binary(s->context, IR_EXPR_lt, own, num(w, w->task_rows * w->width)),
                   store, NULL);
    return each_of_tile(w, count, r, h, c, store);
}

struct tir_stmt *windows_multiply(struct windows *w, const struct window_task *t, int64_t count,
                                  const struct ir_expr *tile, const struct ir_expr *panel,
                                  const struct ir_expr *kk)
{
    struct schedule *s = w->s;
    int64_t shape[] = {count, w->columns};
    struct ir_buffer *acc = sch_buffer(s, "acc", w->p->c->dtype, "local", shape, 2);
    const struct ir_var *k = var(w, "k"), *r = var(w, "r"), *h = var(w, "h"), *c = var(w, "c");
    const struct ir_expr *at[] = {sch_use(s, r), column_of(w, NULL, h, w->columns / w->parts, c)};
    const struct ir_expr *first = times(w, kk, w->block);
    const struct ir_expr *x_at[] = {plus(w, t->x, plus(w, t->tile, tile)),
                                    plus(w, first, sch_use(s, k)), at[0]};
    const struct ir_expr *y_at[] = {sch_use(s, k), column_of(w, panel, h, w->part_stride, c)};
    const struct ir_expr *step = matmul_step(s, sch_load(s, w->tiles, x_at),
                                             sch_load(s, t->flat, y_at), sch_load(s, acc, at));
    struct tir_stmt *store = sch_store(s, acc, at, ir_expr_at(s->context, w->p->loc, step));
    struct tir_stmt *zero = each(w, t, acc, count, tile, panel, true, false);
    struct tir_stmt *items[4];

    store->loc = w->p->loc;
    items[0] = sch_alloc(s, acc);
    items[1] = w->blocks == 1 ? zero
                              : sch_if(s, ir_expr_binary(s->context, IR_EXPR_eq, kk, num(w, 0)),
                                       zero, each(w, t, acc, count, tile, panel, false, false));
    items[2] =
        serial(w, k, rest(w, w->block, w->depth, first), each_of_tile(w, count, r, h, c, store));
    items[3] = w->is_flat && w->blocks == 1 ? store_tile(w, t, acc, count, tile, panel)
                                            : each(w, t, acc, count, tile, panel, false, true);
    if (w->is_flat && w->blocks > 1)
        items[3] = sch_if(s, ir_expr_binary(s->context, IR_EXPR_eq, kk, num(w, w->blocks - 1)),
                          store_tile(w, t, acc, count, tile, panel), items[3]);
    return sch_seq(s, items, 4);
}

/* All tiles of a task, in blocks that stay in L2. */
static struct tir_stmt *multiply_all(struct windows *w, const struct window_task *t,
                                     const struct ir_expr *kk, const struct ir_expr *tiles)
{
    struct schedule *s = w->s;
    const struct ir_var *ic = var(w, "ic"), *ib = var(w, "ib"), *p = var(w, "p");
    const struct ir_expr *first = times(w, sch_use(s, ic), ROW_TILES), *count;
    int64_t known;

    if (sch_constant(s, tiles, &known))
        count = rest(w, ROW_TILES, known, first);
    else
        count = sch_min(s, num(w, ROW_TILES), sch_sub(s, tiles, first));
    struct tir_stmt *body = windows_multiply(w, t, TILE_ROWS, plus(w, first, sch_use(s, ib)),
                                             times(w, sch_use(s, p), w->columns), kk);
    body = serial(w, p, t->panels, serial(w, ib, count, body));
    return serial(w, ic, sch_ceil_div(s, tiles, ROW_TILES), body);
}

/* C[.., i, row, c] = part[i, row * width + c] */
static struct tir_stmt *store_c(struct windows *w, const struct window_task *t,
                                const struct ir_expr *rows)
{
    struct schedule *s = w->s;
    const struct ir_var *i = var(w, "i"), *q = var(w, "q"), *c = var(w, "c");
    const struct ir_expr *own = sch_use(s, i), *row = sch_use(s, q), *column = sch_use(s, c);
    const struct ir_expr *from[] = {own, plus(w, times(w, row, w->width), column)};
    struct tir_stmt *store =
        windows_store(w, t, plus(w, times(w, t->tile, TILE_ROWS), own), plus(w, t->row, row),
                      column, sch_load(s, t->part, from));

    return serial(w, i, rows, serial(w, q, t->rows, vector(w, c, num(w, w->width), store)));
}

/*
 * The tiles of a task: all of six rows, and a smaller last one.  Tasks that share rows of the result have
 * @w->chunk tiles each, but for the last of them.
 */
static struct tir_stmt *task_body(struct windows *w, struct window_task *t,
                                  const struct ir_expr *chunk)
{
    struct schedule *s = w->s;
    const struct ir_var *kk = var(w, "kk");
    const struct ir_expr *block = w->blocks == 1 ? num(w, 0) : sch_use(s, kk);
    int64_t full = w->m / TILE_ROWS, left = w->m % TILE_ROWS;
    int64_t flat[] = {w->block, w->panels * w->columns};
    int64_t part[] = {w->chunk * TILE_ROWS, w->panels * w->columns};
    const struct ir_expr *tiles, *rows;
    struct tir_stmt *items[4], *parts[3];
    unsigned n = 0, count = 0;

    t->flat = sch_buffer(s, "flat", w->p->c->dtype, "global", flat, 2);
    t->part = sch_buffer(s, "part", w->p->c->dtype, "global", part, 2);
    t->tile = times(w, chunk, w->chunk);
    tiles = w->chunks == 1 ? num(w, full)
                           : sch_min(s, num(w, w->chunk), sch_sub(s, num(w, full), t->tile));
    rows = w->chunks == 1 ? num(w, w->m)
                          : sch_min(s, num(w, w->chunk * TILE_ROWS),
                                    sch_sub(s, num(w, w->m), times(w, t->tile, TILE_ROWS)));
    parts[count++] = windows_copy_y(w, t, block, times(w, t->panels, w->columns));
    if (full)
        parts[count++] = multiply_all(w, t, block, tiles);
    if (left) {
        const struct ir_var *p = var(w, "p");
        const struct ir_expr *tile = sch_sub(s, num(w, full), t->tile);
        struct tir_stmt *last =
            serial(w, p, t->panels,
                   windows_multiply(w, t, left, tile, times(w, sch_use(s, p), w->columns), block));
        if (w->chunks > 1) /* only the last task of its rows has it */
            last = sch_if(s, ir_expr_binary(s->context, IR_EXPR_eq, chunk, num(w, w->chunks - 1)),
                          last, NULL);
        parts[count++] = last;
    }
    items[n++] = sch_alloc(s, t->flat);
    if (!w->is_flat || w->blocks > 1)
        items[n++] = sch_alloc(s, t->part);
    struct tir_stmt *sums = sch_seq(s, parts, count);
    items[n++] = w->blocks == 1 ? sums : serial(w, kk, num(w, w->blocks), sums);
    if (!w->is_flat)
        items[n++] = store_c(w, t, rows);
    return sch_seq(s, items, n);
}

static struct tir_stmt *all_tasks(struct windows *w)
{
    struct schedule *s = w->s;
    int64_t count = w->batches * w->row_tasks * w->chunks;
    const struct ir_var *v = var(w, "task");
    const struct ir_expr *number = count == 1 ? num(w, 0) : sch_use(s, v), *chunk = num(w, 0);
    struct window_task t = {0};

    if (w->chunks > 1)
        chunk = rest_of(w, number, w->chunks);
    t.row = sch_div(s, number, w->chunks);
    t.batch = sch_div(s, t.row, w->row_tasks);
    t.row = times(w, w->batches > 1 ? rest_of(w, t.row, w->row_tasks) : t.row, w->task_rows);
    t.rows = rest(w, w->task_rows, w->rows, t.row);
    t.panels = sch_ceil_div(s, times(w, t.rows, w->width), w->columns);
    t.x = windows_first_tile(w, t.batch);
    struct tir_stmt *body = task_body(w, &t, chunk);
    return count == 1 ? body : sch_for(s, TIR_PARALLEL, v, num(w, count), body);
}

/* ---- choosing ---- */

/* Panels of all tasks of @rows rows each. */
static int64_t all_panels(const struct windows *w, int64_t rows)
{
    int64_t full = w->rows / rows, last = w->rows % rows;

    return full * ceil_div(rows * w->width, w->columns) + ceil_div(last * w->width, w->columns);
}

/*
 * Rows of a task, and blocks of k: what is copied stays in half of L2, as few columns are computed in vain as
 * may be, and then as few tasks read all of X as may be, but for those that threads want.
 */
static void choose_rows(struct windows *w)
{
    int64_t half = w->s->l2_bytes / 2 / ir_dtype_bytes(w->p->c->dtype), most;

    w->block = w->depth < DEPTH_MOST + DEPTH_MOST / 2 ? w->depth : DEPTH_MOST;
    most = half / w->block / w->columns;
    most = (most < 1 ? 1 : most > PANELS_MOST ? PANELS_MOST : most) * w->columns;
    w->task_rows = 1;
    for (int64_t rows = 2; rows <= w->rows && rows * w->width <= most; rows++) {
        int64_t panels = all_panels(w, rows), best = all_panels(w, w->task_rows);
        bool is_shared = ceil_div(w->rows, rows) * w->batches >= TASKS_WANTED;

        if (panels < best || (panels == best && is_shared))
            w->task_rows = rows;
    }
    w->row_tasks = ceil_div(w->rows, w->task_rows);
    w->panels = ceil_div(w->task_rows * w->width, w->columns);
    if (half / (w->panels * w->columns) < w->block) { /* rows so long that one is too much */
        w->block = half / (w->panels * w->columns);
        w->block = w->block < DEPTH_LEAST ? DEPTH_LEAST : w->block;
    }
    w->blocks = ceil_div(w->depth, w->block);
    if (w->blocks > 1) /* equal ones */
        w->block = ceil_div(w->depth, w->blocks);
}

/* Into how many tasks the tiles of X are cut, so that their results stay in L2 and there are enough of them. */
static void choose_chunks(struct windows *w)
{
    int64_t tiles = ceil_div(w->m, TILE_ROWS), others = w->row_tasks * w->batches;
    int64_t rows = w->s->l2_bytes / 2 / ir_dtype_bytes(w->p->c->dtype) / (w->panels * w->columns);
    int64_t wanted = ceil_div(w->m, rows < CHUNK_LEAST  ? CHUNK_LEAST
                                    : rows > CHUNK_ROWS ? CHUNK_ROWS
                                                        : rows);

    if (wanted * others < TASKS_WANTED)
        wanted = ceil_div(TASKS_WANTED, others);
    if (wanted > w->m / CHUNK_LEAST)
        wanted = w->m / CHUNK_LEAST;
    w->chunk = wanted > 1 ? ceil_div(tiles, wanted) : tiles;
    w->chunks = ceil_div(tiles, w->chunk);
}

int64_t windows_column_cost(const struct windows *w)
{
    struct windows own = *w;

    if (w->rows * w->width < w->lanes)
        return 0;
    choose_rows(&own);
    return all_panels(w, own.task_rows) * w->columns * windows_tile_rows(w->m);
}

struct tir_stmt *windows_by_columns(struct windows *w, struct tir_stmt **out_packing)
{
    w->x_tiles = ceil_div(w->m, TILE_ROWS);
    w->parts = 1;
    choose_rows(w);
    choose_chunks(w);
    w->is_flat = is_flat(w);
    *out_packing = windows_pack_x(w);
    return all_tasks(w);
}
