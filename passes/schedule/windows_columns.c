/*
 * Products of windows in vectors of columns (see windows.c).
 */
#include "passes/schedule/windows.h"

enum {
    CHUNK_ROWS = 384, /* of a task at most */
    CHUNK_LEAST = 48, /* rows that are worth a copy of Y of their own */
    TASKS_WANTED = 4, /* where there is so much to do */
    IN_PLACE_BYTES = 128,
    IN_PLACE_DEPTH = 64,
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
    const struct ir_expr *row = plus(w, times(w, within, w->tile_rows), at[2]);
    const struct ir_expr *x = windows_x_step(w, x_batch, row, at[1]);
    const struct ir_var *lane = var(w, "r");
    struct tir_stmt *items[2];

    if (w->x_batches > 1 && w->m % w->tile_rows != 0)
        x = windows_or_zero(w, ir_expr_binary(s->context, IR_EXPR_lt, row, num(w, w->m)), x);
    items[0] = serial(w, k, num(w, w->depth),
                      sch_for(s, TIR_UNROLLED, r, num(w, count), sch_store(s, w->tiles, at, x)));
    if (!w->dot || !w->dot->is_moved)
        return items[0];
    row = plus(w, times(w, within, w->tile_rows), sch_use(s, lane));
    items[1] = windows_pack_sums(w, x_batch, row, tile, lane, num(w, count));
    return sch_seq(s, items, 2);
}

struct tir_stmt *windows_pack_x(struct windows *w)
{
    int64_t full = w->m / w->tile_rows, left = w->m % w->tile_rows;
    int64_t shape[] = {w->x_batches * w->x_tiles, windows_steps(w), w->tile_rows};
    const struct ir_var *it = var(w, "it");
    const struct ir_expr *tile = sch_use(w->s, it), *none = num(w, 0);
    struct tir_stmt *items[2];
    unsigned n = 0;

    w->tiles = sch_buffer(w->s, "tiles", x_dtype(w), "global", shape, 3);
    w->p->allocs[w->p->alloc_count++] = sch_alloc(w->s, w->tiles);
    /* Not a parallel loop over batches: that could be joined with the tasks, and be made in each run. */
    if (w->x_batches > 1)
        return sch_for(w->s, w->x_tiles > 1 ? TIR_PARALLEL : TIR_SERIAL, it, num(w, shape[0]),
                       pack_tile(w, sch_div(w->s, tile, w->x_tiles), rest_of(w, tile, w->x_tiles),
                                 tile, w->tile_rows));
    if (full)
        items[n++] = sch_for(w->s, TIR_PARALLEL, it, num(w, full),
                             pack_tile(w, none, tile, tile, w->tile_rows));
    if (left)
        items[n++] = pack_tile(w, none, num(w, full), num(w, full), left);
    return sch_seq(w->s, items, n);
}

/* ---- one task ---- */

/* Vectors of columns that a task with @rows rows has beyond its panels: a half one, or none. */
static int64_t half_panels(const struct windows *w, int64_t rows)
{
    return ceil_div(rows * w->width, w->lanes) % TILE_VECTORS;
}

bool windows_has_half(const struct windows *w)
{
    int64_t last = w->rows % w->task_rows;

    return half_panels(w, w->task_rows) != 0 || (last != 0 && half_panels(w, last) != 0);
}

/* The first column of half a panel: it is in the task, which the least of two numbers shows at a glance. */
static const struct ir_expr *half_column(const struct windows *w, const struct window_task *t)
{
    return sch_min(w->s, times(w, t->panels, w->columns),
                   num(w, w->panels * w->columns - w->lanes));
}

/* flat[k, c] = Y(.., k, c) for the columns of half a panel, and zeros, where the others are read in place. */
static struct tir_stmt *copy_half(const struct windows *w, const struct window_task *t,
                                  const struct ir_expr *kk)
{
    struct schedule *s = w->s;
    const struct ir_var *k = var(w, "k"), *c = var(w, "c"), *z = var(w, "c");
    const struct ir_expr *first = times(w, kk, w->block), *start = half_column(w, t);
    const struct ir_expr *before = times(w, t->row, w->width);
    const struct ir_expr *all =
        sch_min(s, num(w, w->task_rows * w->width), sch_sub(s, num(w, w->rows * w->width), before));
    const struct ir_expr *count = sch_min(s, num(w, w->lanes), sch_sub(s, all, start));
    const struct ir_expr *at[] = {sch_use(s, k), sch_use(s, c)};
    const struct ir_expr *zero_at[] = {at[0], plus(w, count, sch_use(s, z))};
    const struct ir_expr *y =
        windows_y_at(w, t, plus(w, first, at[0]), plus(w, plus(w, before, start), at[1]));
    struct tir_stmt *items[] = {vector(w, c, count, sch_store(s, t->flat, at, y)),
                                vector(w, z, sch_sub(s, num(w, w->lanes), count),
                                       sch_store(s, t->flat, zero_at, zero_of(w)))};

    return serial(w, k, rest(w, w->block, w->depth, first), sch_seq(s, items, 2));
}

/* @count tiles of X from @first on by half a panel: two tiles have as many sums then as one by a panel. */
static struct tir_stmt *multiply_half(const struct windows *w, const struct window_task *t,
                                      const struct ir_expr *kk, const struct ir_expr *first,
                                      const struct ir_expr *count)
{
    struct schedule *s = w->s;
    const struct ir_var *ib = var(w, "ib");
    const struct ir_expr *panel = half_column(w, t);
    struct window_tile pair = {w->tile_rows, 2, w->lanes}, one = {w->tile_rows, 1, w->lanes};
    const struct ir_expr *odd = rest_of(w, count, 2), *last = sch_sub(s, count, num(w, 1));
    struct tir_stmt *items[2];
    unsigned n = 0;
    int64_t known = -1;

    if (!sch_constant(s, count, &known) || known > 1)
        items[n++] = serial(
            w, ib, sch_div(s, count, 2),
            windows_multiply(w, t, pair, plus(w, first, times(w, sch_use(s, ib), 2)), panel, kk));
    if (known < 0 || known % 2 != 0) {
        struct tir_stmt *alone = windows_multiply(w, t, one, plus(w, first, last), panel, kk);
        items[n++] = known < 0 ? sch_if(s, ir_expr_binary(s->context, IR_EXPR_eq, odd, num(w, 1)),
                                        alone, NULL)
                               : alone;
    }
    return sch_seq(s, items, n);
}

/* @panels, and @half where a task has half a panel besides; NULL: none has. */
static struct tir_stmt *and_half(const struct windows *w, const struct window_task *t,
                                 struct tir_stmt *panels, struct tir_stmt *half)
{
    struct schedule *s = w->s;
    struct tir_stmt *items[2] = {panels, half};
    int64_t known;

    if (!half)
        return panels;
    if (sch_constant(s, t->panels, &known) && known == 0)
        return half;
    if (!sch_constant(s, t->half, &known))
        items[1] =
            sch_if(s, ir_expr_binary(s->context, IR_EXPR_eq, t->half, num(w, 1)), half, NULL);
    return sch_seq(s, items, 2);
}

/*
 * All tiles of a task, in blocks that stay in L2.  A tile goes along all panels: so rows of C, and of what is added to
 * it, are read and written from end to end, which caches foresee.
 */
static struct tir_stmt *multiply_all(const struct windows *w, const struct window_task *t,
                                     const struct ir_expr *kk, const struct ir_expr *tiles)
{
    struct schedule *s = w->s;
    const struct ir_var *ic = var(w, "ic"), *ib = var(w, "ib"), *p = var(w, "p");
    const struct ir_expr *first, *count;
    struct window_tile shape = {w->tile_rows, 1, w->columns};
    int64_t known, size = ROW_TILES;

    if (sch_constant(s, tiles, &known)) /* equal blocks, if it can be */
        size = ceil_div(known, ceil_div(known, ROW_TILES));
    else
        known = 0;
    first = known == size ? num(w, 0) : times(w, sch_use(s, ic), size);
    count =
        known ? rest(w, size, known, first) : sch_min(s, num(w, size), sch_sub(s, tiles, first));
    struct tir_stmt *body = windows_multiply(w, t, shape, plus(w, first, sch_use(s, ib)),
                                             times(w, sch_use(s, p), w->columns), kk);
    body = and_half(w, t, serial(w, ib, count, serial(w, p, t->panels, body)),
                    windows_has_half(w) ? multiply_half(w, t, kk, first, count) : NULL);
    return known == size ? body : serial(w, ic, sch_ceil_div(s, tiles, size), body);
}

/* The last tile, of @left rows. */
static struct tir_stmt *multiply_last(const struct windows *w, const struct window_task *t,
                                      const struct ir_expr *kk, const struct ir_expr *tile,
                                      int64_t left)
{
    const struct ir_var *p = var(w, "p");
    const struct ir_expr *panel = times(w, sch_use(w->s, p), w->columns);

    struct window_tile whole = {left, 1, w->columns}, half = {left, 1, w->lanes};

    return and_half(w, t, serial(w, p, t->panels, windows_multiply(w, t, whole, tile, panel, kk)),
                    windows_has_half(w) ? windows_multiply(w, t, half, tile, half_column(w, t), kk)
                                        : NULL);
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
        windows_store(w, t, plus(w, times(w, t->tile, w->tile_rows), own), plus(w, t->row, row),
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
    int64_t full = w->m / w->tile_rows, left = w->m % w->tile_rows;
    int64_t flat[] = {w->block, w->is_in_place ? w->lanes : w->panels * w->columns};
    int64_t part[] = {w->chunk * w->tile_rows, w->panels * w->columns};
    const struct ir_expr *tiles, *rows;
    struct tir_stmt *items[4], *parts[3];
    unsigned n = 0, count = 0;

    t->flat = sch_buffer(s, "flat", y_dtype(w), "global", flat, 2);
    t->part = sch_buffer(s, "part", w->p->c->dtype, "global", part, 2);
    t->tile = times(w, chunk, w->chunk);
    tiles = w->chunks == 1 ? num(w, full)
                           : sch_min(s, num(w, w->chunk), sch_sub(s, num(w, full), t->tile));
    rows = w->chunks == 1 ? num(w, w->m)
                          : sch_min(s, num(w, w->chunk * w->tile_rows),
                                    sch_sub(s, num(w, w->m), times(w, t->tile, w->tile_rows)));
    if (!w->is_in_place)
        parts[count++] = windows_copy_y(
            w, t, block, plus(w, times(w, t->panels, w->columns), times(w, t->half, w->lanes)));
    else if (windows_has_half(w))
        parts[count++] = copy_half(w, t, block);
    if (full)
        parts[count++] = multiply_all(w, t, block, tiles);
    if (left) {
        const struct ir_expr *tile = sch_sub(s, num(w, full), t->tile);
        struct tir_stmt *last = multiply_last(w, t, block, tile, left);

        if (w->chunks > 1) /* only the last task of its rows has it */
            last = sch_if(s, ir_expr_binary(s->context, IR_EXPR_eq, chunk, num(w, w->chunks - 1)),
                          last, NULL);
        parts[count++] = last;
    }
    if (!w->is_in_place || windows_has_half(w))
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
    t.half = num(w, 0);
    if (windows_has_half(w)) {
        const struct ir_expr *vectors = sch_ceil_div(s, times(w, t.rows, w->width), w->lanes);

        t.panels = sch_div(s, vectors, TILE_VECTORS);
        t.half = rest_of(w, vectors, TILE_VECTORS);
    }
    t.x = windows_first_tile(w, t.batch);
    struct tir_stmt *body = task_body(w, &t, chunk);
    return count == 1 ? body : sch_for(s, TIR_PARALLEL, v, num(w, count), body);
}

/* ---- choosing ---- */

/* Vectors of columns of all tasks of @rows rows each. */
static int64_t all_vectors(const struct windows *w, int64_t rows)
{
    int64_t full = w->rows / rows, last = w->rows % rows;

    return full * ceil_div(rows * w->width, w->lanes) + ceil_div(last * w->width, w->lanes);
}

/* How well tasks of so many rows do among those of as few vectors: of one size, and without half panels. */
static int64_t evenness(const struct windows *w, int64_t rows)
{
    return 2 * (w->rows % rows == 0) + (ceil_div(rows * w->width, w->lanes) % TILE_VECTORS == 0);
}

/* Are there tasks enough of so many rows each, and of some tiles of X where that copies nothing twice? */
static bool is_shared(const struct windows *w, int64_t rows)
{
    int64_t chunks = w->m < CHUNK_LEAST || !w->is_in_place ? 1 : w->m / CHUNK_LEAST;

    return ceil_div(w->rows, rows) * w->batches * chunks >= TASKS_WANTED;
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
        int64_t vectors = all_vectors(w, rows), best = all_vectors(w, w->task_rows);

        if (vectors < best || (vectors == best && is_shared(w, rows) &&
                               evenness(w, rows) >= evenness(w, w->task_rows)))
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
    int64_t tiles = ceil_div(w->m, w->tile_rows), others = w->row_tasks * w->batches;
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

/* Elements of a row that a panel has are worth the page that they are on, but for a few rows. */
static bool may_read_in_place(const struct windows *w)
{
    return windows_reads_flat(w) && w->rows * w->width >= w->columns &&
           (w->columns * ir_dtype_bytes(w->p->c->dtype) >= IN_PLACE_BYTES ||
            w->depth <= IN_PLACE_DEPTH);
}

int64_t windows_column_cost(const struct windows *w)
{
    struct windows own = *w;

    if (w->rows * w->width < w->lanes)
        return 0;
    own.is_in_place = may_read_in_place(w);
    choose_rows(&own);
    return all_vectors(w, own.task_rows) * w->lanes *
           windows_tiles_cost(w->m, windows_tile_height(w, w->m));
}

struct tir_stmt *windows_by_columns(struct windows *w, struct tir_stmt **out_packing)
{
    w->tile_rows = windows_tile_height(w, w->m);
    w->x_tiles = ceil_div(w->m, w->tile_rows);
    w->parts = 1;
    w->is_in_place = may_read_in_place(w);
    choose_rows(w);
    w->is_in_place = w->is_in_place && windows_panels_are_whole(w);
    choose_chunks(w);
    w->is_flat = windows_is_flat(w);
    *out_packing = windows_pack_x(w);
    return all_tasks(w);
}
