/*
 * Products of windows (see windows.c) of which only the run knows how many rows or columns there are: images of
 * any size, sounds of any length.
 *
 *     for rt in T.parallel(ceildiv(rows, 4)):
 *         for ct in range(ceildiv(width, 64)):                 what stays in L2
 *             for kk in range(..):                             blocks of k
 *                 flat[k, q * 64 + c] = Y(kk * depth + k, rt * 4 + q, ct * 64 + c), and zeros up to whole panels
 *                 for ic in range(..), g, v, ib:               panels: two rows by one vector
 *                     part[i, (g * 2 + h) * 64 + v * 16 + c] = sums over the block
 *             C[.., i, rt * 4 + q, ct * 64 + c] = part[i, q * 64 + c]
 *
 * Without a loop over rows a panel is two vectors of the one row.
 */
#include "passes/schedule/windows.h"

enum {
    ROWS = 4,        /* of a task, where there are rows */
    LEAST_WORK = 64, /* multiply-adds for an element of Y that are worth the code */
};

/* What one task has of an axis. */
struct span {
    const struct ir_expr *first, *count; /* of the elements that there are */
    const struct ir_expr *panels;        /* that hold them */
};

static struct span span_of(const struct windows *w, const struct ir_expr *number, int64_t size,
                           const struct ir_expr *all, int64_t panel)
{
    struct span span = {.first = times(w, number, size)};

    span.count = sch_min(w->s, num(w, size), sch_sub(w->s, all, span.first));
    span.panels = sch_ceil_div(w->s, span.count, panel);
    return span;
}

/* flat[k, q * stride + c] = 0 for the columns @from .. @to of the rows @first .. @end of each k */
static struct tir_stmt *fill(const struct windows *w, const struct window_task *t, int64_t stride,
                             const struct ir_expr *k, const struct ir_expr *first,
                             const struct ir_expr *end, const struct ir_expr *from,
                             const struct ir_expr *to)
{
    struct schedule *s = w->s;
    const struct ir_var *q = var(w, "q"), *c = var(w, "c");
    const struct ir_expr *row = plus(w, first, sch_use(s, q));
    const struct ir_expr *at[] = {k, plus(w, times(w, row, stride), plus(w, from, sch_use(s, c)))};

    return serial(w, q, sch_sub(s, end, first),
                  vector(w, c, sch_sub(s, to, from), sch_store(s, t->flat, at, zero_of(w))));
}

/* Copies Y for block @kk. */
static struct tir_stmt *copy_y(const struct windows *w, const struct window_task *t, int64_t stride,
                               const struct span *rows, const struct span *columns,
                               const struct ir_expr *kk)
{
    struct schedule *s = w->s;
    const struct ir_var *k = var(w, "k"), *q = var(w, "q"), *c = var(w, "c");
    const struct ir_expr *first = times(w, kk, w->block), *own = sch_use(s, k);
    const struct ir_expr *row = sch_use(s, q), *column = sch_use(s, c);
    const struct ir_expr *at[] = {own, plus(w, times(w, row, stride), column)};
    const struct ir_expr *y =
        windows_put(w, w->p->y, t->batch, NULL, plus(w, first, own), plus(w, rows->first, row),
                    plus(w, columns->first, column));
    bool has_rows = w->row_loops.count > 0;
    const struct ir_expr *whole =
        times(w, columns->panels, has_rows ? w->columns / w->parts : w->columns);
    struct tir_stmt *items[3];
    unsigned n = 0;

    items[n++] =
        serial(w, q, rows->count, vector(w, c, columns->count, sch_store(s, t->flat, at, y)));
    items[n++] = fill(w, t, stride, own, num(w, 0), rows->count, columns->count, whole);
    if (has_rows)
        items[n++] = fill(w, t, stride, own, rows->count, times(w, rows->panels, w->parts),
                          num(w, 0), whole);
    return serial(w, k, rest(w, w->block, w->depth, first), sch_seq(s, items, n));
}

/* @count tiles from @first on, each of @height rows, for all panels. */
static struct tir_stmt *for_panels(struct windows *w, const struct window_task *t, int64_t stride,
                                   const struct span *rows, const struct span *columns,
                                   const struct ir_expr *kk, const struct ir_expr *first,
                                   const struct ir_expr *count, int64_t height)
{
    struct schedule *s = w->s;
    const struct ir_var *g = var(w, "g"), *v = var(w, "v"), *ib = var(w, "ib");
    bool has_rows = w->row_loops.count > 0;
    const struct ir_expr *panel =
        times(w, sch_use(s, v), has_rows ? w->columns / w->parts : w->columns);

    if (has_rows)
        panel = plus(w, times(w, sch_use(s, g), w->parts * stride), panel);
    struct tir_stmt *body = windows_multiply(w, t, (struct window_tile){height, 1, w->columns},
                                             plus(w, first, sch_use(s, ib)), panel, kk);
    body = serial(w, v, columns->panels, serial(w, ib, count, body));
    return has_rows ? serial(w, g, rows->panels, body) : body;
}

static struct tir_stmt *multiply_all(struct windows *w, const struct window_task *t, int64_t stride,
                                     const struct span *rows, const struct span *columns,
                                     const struct ir_expr *kk)
{
    struct schedule *s = w->s;
    int64_t full = w->m / w->tile_rows, left = w->m % w->tile_rows;
    const struct ir_var *ic = var(w, "ic");
    const struct ir_expr *first = times(w, sch_use(s, ic), ROW_TILES);
    struct tir_stmt *items[2];
    unsigned n = 0;

    if (full)
        items[n++] = serial(w, ic, num(w, ceil_div(full, ROW_TILES)),
                            for_panels(w, t, stride, rows, columns, kk, first,
                                       rest(w, ROW_TILES, full, first), w->tile_rows));
    if (left)
        items[n++] = for_panels(w, t, stride, rows, columns, kk, num(w, full), num(w, 1), left);
    return sch_seq(s, items, n);
}

static struct tir_stmt *store_c(struct windows *w, const struct window_task *t, int64_t stride,
                                const struct span *rows, const struct span *columns)
{
    struct schedule *s = w->s;
    const struct ir_var *i = var(w, "i"), *q = var(w, "q"), *c = var(w, "c");
    const struct ir_expr *own = sch_use(s, i), *row = sch_use(s, q), *column = sch_use(s, c);
    const struct ir_expr *from[] = {own, plus(w, times(w, row, stride), column)};
    struct tir_stmt *store =
        windows_store(w, t, own, plus(w, rows->first, row), plus(w, columns->first, column),
                      sch_load(s, t->part, from));

    return serial(w, i, num(w, w->m),
                  serial(w, q, rows->count, vector(w, c, columns->count, store)));
}

/* One task: @stride columns of some rows. */
static struct tir_stmt *task_body(struct windows *w, struct window_task *t, int64_t stride,
                                  const struct span *rows, const struct span *columns)
{
    struct schedule *s = w->s;
    int64_t height = w->row_loops.count > 0 ? ROWS : 1;
    int64_t flat[] = {w->block, height * stride};
    int64_t part[] = {w->x_tiles * w->tile_rows, height * stride};
    const struct ir_var *kk = var(w, "kk");
    const struct ir_expr *block = w->blocks == 1 ? num(w, 0) : sch_use(s, kk);
    struct tir_stmt *items[4], *parts[2];

    t->flat = sch_buffer(s, "flat", w->p->c->dtype, "global", flat, 2);
    t->part = sch_buffer(s, "part", w->p->c->dtype, "global", part, 2);
    t->tile = num(w, 0);
    parts[0] = copy_y(w, t, stride, rows, columns, block);
    parts[1] = multiply_all(w, t, stride, rows, columns, block);
    struct tir_stmt *sums = sch_seq(s, parts, 2);
    items[0] = sch_alloc(s, t->flat);
    items[1] = sch_alloc(s, t->part);
    items[2] = w->blocks == 1 ? sums : serial(w, kk, num(w, w->blocks), sums);
    items[3] = store_c(w, t, stride, rows, columns);
    return sch_seq(s, items, 4);
}

/* How many columns of a row a task has: what is copied of Y stays in half of L2. */
static int64_t choose_columns(struct windows *w, int64_t height)
{
    int64_t half = w->s->l2_bytes / 2 / ir_dtype_bytes(w->p->c->dtype);
    int64_t unit = height > 1 ? w->lanes : w->columns, panels;

    w->block = w->depth < DEPTH_MOST + DEPTH_MOST / 2 ? w->depth : DEPTH_MOST;
    w->blocks = ceil_div(w->depth, w->block);
    w->block = ceil_div(w->depth, w->blocks);
    panels = half / w->block / height / unit;
    if (panels > PANELS_MOST * w->columns / unit / height)
        panels = PANELS_MOST * w->columns / unit / height;
    return (panels < 1 ? 1 : panels) * unit;
}

struct tir_stmt *windows_of_open(struct windows *w, struct tir_stmt **out_packing)
{
    struct schedule *s = w->s;
    bool has_rows = w->row_loops.count > 0;
    int64_t height = has_rows ? ROWS : 1, stride = choose_columns(w, height);
    const struct ir_var *b = var(w, "b"), *rt = var(w, "rt"), *ct = var(w, "ct");
    const struct ir_expr *one = num(w, 1);
    const struct ir_expr *all = w->rows > 0 ? num(w, w->rows) : w->row_loops.items[0]->loop.extent;
    struct window_task t = {.batch = w->batches > 1 ? sch_use(s, b) : num(w, 0)};

    if ((double)w->m * (double)w->depth < (double)LEAST_WORK)
        return NULL;
    w->tile_rows = windows_tile_height(w, w->m);
    w->x_tiles = ceil_div(w->m, w->tile_rows);
    w->parts = TILE_VECTORS;
    w->part_stride = has_rows ? stride : w->lanes;
    *out_packing = windows_pack_x(w);
    t.x = windows_first_tile(w, t.batch);
    struct span columns =
        span_of(w, sch_use(s, ct), stride, w->p->n, has_rows ? w->lanes : w->columns);
    struct span rows = has_rows ? span_of(w, sch_use(s, rt), height, all, w->parts)
                                : (struct span){num(w, 0), one, one};
    struct tir_stmt *body = task_body(w, &t, stride, &rows, &columns);
    body = sch_for(s, has_rows ? TIR_SERIAL : TIR_PARALLEL, ct, sch_ceil_div(s, w->p->n, stride),
                   body);
    if (has_rows)
        body = sch_for(s, TIR_PARALLEL, rt, sch_ceil_div(s, all, height), body);
    return w->batches > 1 ? serial(w, b, num(w, w->batches), body) : body;
}
