/*
 * Products of windows in vectors of i, the channels of a convolution's result: where it has few columns, a
 * multiple of the channels leaves less of the vectors empty than one of the columns (see windows.c).
 *
 *     strips[is, k, l] = X(is * 16 + l, k)                     once; of constants: when it is compiled
 *     for task in T.parallel(..):                              some strips, all columns
 *         for kk in range(..):                                 blocks of k
 *             flat[k, row * width + c] = Y(kk * depth + k, row, c)
 *             tiles[t, k, r] = flat[k, t * 7 + r]
 *             for s, t: two strips, and a tile of columns
 *                 acc[7, 32] = part[..]                        (0 in the first round)
 *                 for k in range(depth):
 *                     acc[r, v * 16 + l] = T.fma(strips[.. + v, k, l], tiles[t, k, r], acc[r, v * 16 + l])
 *                 part[..] = acc[7, 32]
 *         C[.., i, row, c] = part[row * width + c, i]
 */
#include "passes/schedule/windows.h"

enum {
    COLUMNS_LEAST = 4,
    COLUMNS_MOST = 448,
};

/* What a task has besides. */
struct channels {
    struct windows *w;
    struct window_task t;           /* tile: its first strip; tiles: how many strips */
    struct ir_buffer *columns;      /* of Y, in tiles */
    const struct ir_expr *kk, *end; /* the block of k, and its depth */
    int64_t count;                  /* columns of the result */
};

/* ---- X ---- */

static struct tir_stmt *pack_strips(struct windows *w)
{
    struct schedule *s = w->s;
    int64_t shape[] = {w->x_batches * w->x_tiles, windows_steps(w), w->lanes};
    const struct ir_var *is = var(w, "it"), *k = var(w, "k"), *l = var(w, "l");
    const struct ir_expr *at[] = {sch_use(s, is), sch_use(s, k), sch_use(s, l)};
    bool is_once = w->x_batches == 1;
    const struct ir_expr *batch = is_once ? num(w, 0) : sch_div(s, at[0], w->x_tiles);
    const struct ir_expr *strip = is_once ? at[0] : rest_of(w, at[0], w->x_tiles);
    const struct ir_expr *row = plus(w, times(w, strip, w->lanes), at[2]);
    const struct ir_expr *x = windows_x_step(w, batch, row, at[1]);
    const struct ir_var *lane = var(w, "l");
    struct tir_stmt *items[2];

    if (w->m % w->lanes != 0)
        x = windows_or_zero(w, ir_expr_binary(s->context, IR_EXPR_lt, row, num(w, w->m)), x);
    w->tiles = sch_buffer(s, "strips", x_dtype(w), "global", shape, 3);
    w->p->allocs[w->p->alloc_count++] = sch_alloc(s, w->tiles);
    items[0] = serial(w, k, num(w, w->depth),
                      vector(w, l, num(w, w->lanes), sch_store(s, w->tiles, at, x)));
    if (w->dot && w->dot->is_moved) {
        row = plus(w, times(w, strip, w->lanes), sch_use(s, lane));
        items[1] = windows_pack_sums(w, batch, row, at[0], lane, num(w, w->lanes));
        items[0] = sch_seq(s, items, 2);
    }
    return sch_for(s, w->x_tiles > 1 ? TIR_PARALLEL : TIR_SERIAL, is, num(w, shape[0]), items[0]);
}

/* ---- a tile: @rows columns of the result, @vectors strips ---- */

struct tile {
    int64_t rows, vectors;
    const struct ir_expr *column, *strip; /* the number of the tile; the first strip, in the task */
    struct ir_buffer *acc;
};

/* @store for each r, v, l. */
static struct tir_stmt *for_each(const struct windows *w, const struct tile *tile,
                                 const struct ir_var *r, const struct ir_var *v,
                                 const struct ir_var *l, struct tir_stmt *store)
{
    struct tir_stmt *lanes = vector(w, l, num(w, w->lanes), store);

    return sch_for(w->s, TIR_UNROLLED, r, num(w, tile->rows),
                   sch_for(w->s, TIR_UNROLLED, v, num(w, tile->vectors), lanes));
}

enum move { SET_ZERO, LOAD_PART, STORE_PART };

static struct tir_stmt *move(const struct channels *c, const struct tile *tile, enum move kind)
{
    const struct windows *w = c->w;
    struct schedule *s = w->s;
    const struct ir_var *r = var(w, "r"), *v = var(w, "v"), *l = var(w, "l");
    const struct ir_expr *row = sch_use(s, r), *lane = sch_use(s, l);
    const struct ir_expr *at[] = {row, plus(w, times(w, sch_use(s, v), w->lanes), lane)};
    const struct ir_expr *part[] = {plus(w, times(w, tile->column, w->tile_rows), row),
                                    plus(w, times(w, tile->strip, w->lanes), at[1])};
    const struct ir_expr *strip =
        plus(w, c->t.x, plus(w, c->t.tile, plus(w, tile->strip, sch_use(s, v))));
    struct tir_stmt *store =
        kind == SET_ZERO    ? sch_store(s, tile->acc, at, windows_first(w, strip, lane))
        : kind == LOAD_PART ? sch_store(s, tile->acc, at, sch_load(s, c->t.part, part))
                            : sch_store(s, c->t.part, part, sch_load(s, tile->acc, at));

    return for_each(w, tile, r, v, l, store);
}

static struct tir_stmt *multiply(const struct channels *c, struct tile tile)
{
    const struct windows *w = c->w;
    struct schedule *s = w->s;
    int64_t shape[] = {tile.rows, tile.vectors * w->lanes};
    const struct ir_var *k = var(w, "k"), *r = var(w, "r"), *v = var(w, "v"), *l = var(w, "l");
    const struct ir_expr *at[] = {sch_use(s, r),
                                  plus(w, times(w, sch_use(s, v), w->lanes), sch_use(s, l))};
    const struct ir_expr *x_at[] = {
        plus(w, c->t.x, plus(w, c->t.tile, plus(w, tile.strip, sch_use(s, v)))),
        plus(w, times(w, c->kk, w->block), sch_use(s, k)), sch_use(s, l)};
    const struct ir_expr *y_at[] = {tile.column, sch_use(s, k), at[0]};
    const struct ir_expr *y =
        w->is_in_place
            ? windows_y_at(w, &c->t, x_at[1], plus(w, times(w, tile.column, w->tile_rows), at[0]))
            : sch_load(s, c->columns, y_at);
    struct tir_stmt *items[4];

    tile.acc = sch_buffer(s, "acc", w->p->c->dtype, "local", shape, 2);
    const struct ir_expr *step =
        windows_step(w, sch_load(s, w->tiles, x_at), y, sch_load(s, tile.acc, at));
    struct tir_stmt *store = sch_store(s, tile.acc, at, ir_expr_at(s->context, w->p->loc, step));
    struct tir_stmt *zero = move(c, &tile, SET_ZERO);
    const struct ir_expr *is_first = ir_expr_binary(s->context, IR_EXPR_eq, c->kk, num(w, 0));
    store->loc = w->p->loc;
    items[0] = sch_alloc(s, tile.acc);
    items[1] = w->blocks == 1 ? zero : sch_if(s, is_first, zero, move(c, &tile, LOAD_PART));
    items[2] = serial(w, k, c->end, for_each(w, &tile, r, v, l, store));
    items[3] = move(c, &tile, STORE_PART);
    return sch_seq(s, items, 4);
}

/* All tiles of columns, with @vectors strips from @strip on. */
static struct tir_stmt *multiply_columns(const struct channels *c, const struct ir_expr *strip,
                                         int64_t vectors)
{
    const struct windows *w = c->w;
    int64_t full = c->count / w->tile_rows, left = c->count % w->tile_rows;
    const struct ir_var *t = var(w, "t");
    struct tir_stmt *items[2];
    unsigned n = 0;

    if (full)
        items[n++] = serial(
            w, t, num(w, full),
            multiply(c, (struct tile){w->tile_rows, vectors, sch_use(w->s, t), strip, NULL}));
    if (left)
        items[n++] = multiply(c, (struct tile){left, vectors, num(w, full), strip, NULL});
    return sch_seq(w->s, items, n);
}

/* Strips by two, and the last one alone where they are odd, which only the last task has. */
static struct tir_stmt *multiply_strips(const struct channels *c, const struct ir_expr *chunk)
{
    const struct windows *w = c->w;
    struct schedule *s = w->s;
    const struct ir_var *is = var(w, "s");
    struct tir_stmt *items[2], *last;
    unsigned n = 0;

    if (w->x_tiles > 1)
        items[n++] =
            serial(w, is, sch_div(s, c->t.tiles, TILE_VECTORS),
                   multiply_columns(c, times(w, sch_use(s, is), TILE_VECTORS), TILE_VECTORS));
    if (w->x_tiles % TILE_VECTORS != 0) {
        last = multiply_columns(c, sch_sub(s, num(w, w->x_tiles - 1), c->t.tile), 1);
        if (w->chunks > 1)
            last = sch_if(s, ir_expr_binary(s->context, IR_EXPR_eq, chunk, num(w, w->chunks - 1)),
                          last, NULL);
        items[n++] = last;
    }
    return sch_seq(s, items, n);
}

/* ---- Y, and the result ---- */

/* columns[t, k, r] = flat[k, t * 7 + r] */
static struct tir_stmt *copy_tiles(const struct channels *c)
{
    const struct windows *w = c->w;
    struct schedule *s = w->s;
    int64_t full = c->count / w->tile_rows, left = c->count % w->tile_rows;
    struct tir_stmt *items[2];
    unsigned n = 0;

    for (unsigned is_left = 0; is_left < 2; is_left++) {
        const struct ir_var *t = var(w, "t"), *k = var(w, "k"), *r = var(w, "r");
        int64_t rows = is_left ? left : w->tile_rows;
        const struct ir_expr *tile = is_left ? num(w, full) : sch_use(s, t);
        const struct ir_expr *at[] = {tile, sch_use(s, k), sch_use(s, r)};
        const struct ir_expr *from[] = {at[1], plus(w, times(w, tile, w->tile_rows), at[2])};
        struct tir_stmt *copy = serial(
            w, k, c->end,
            vector(w, r, num(w, rows), sch_store(s, c->columns, at, sch_load(s, c->t.flat, from))));
        if (is_left ? left : full)
            items[n++] = is_left ? copy : serial(w, t, num(w, full), copy);
    }
    return sch_seq(s, items, n);
}

/*
 * C[.., i, row, c] = part[row * width + c, i], in vectors of all columns where they are beside each other in C, else of
 * those of a row, or of i where rows are short.
 */
static struct tir_stmt *store_c(const struct channels *c)
{
    const struct windows *w = c->w;
    struct schedule *s = w->s;
    const struct ir_var *i = var(w, "i"), *q = var(w, "q"), *v = var(w, "c");
    const struct ir_expr *own = sch_use(s, i), *row = sch_use(s, q), *column = sch_use(s, v);
    const struct ir_expr *first = times(w, c->t.tile, w->lanes);
    const struct ir_expr *count =
        w->chunks == 1 ? num(w, w->m)
                       : sch_min(s, num(w, w->chunk * w->lanes), sch_sub(s, num(w, w->m), first));
    bool is_flat = windows_is_flat(w);
    const struct ir_expr *flat = is_flat ? column : plus(w, times(w, row, w->width), column);
    const struct ir_expr *from[] = {flat, own};

    if (is_flat) {
        row = sch_div(s, flat, w->width);
        column = rest_of(w, flat, w->width);
    }
    struct tir_stmt *store =
        windows_store(w, &c->t, plus(w, first, own), row, column, sch_load(s, c->t.part, from));
    if (is_flat)
        return serial(w, i, count, vector(w, v, num(w, c->count), store));
    if (2 * w->width > w->lanes)
        return serial(w, i, count,
                      serial(w, q, num(w, w->rows), vector(w, v, num(w, w->width), store)));
    return serial(w, q, num(w, w->rows),
                  serial(w, v, num(w, w->width), vector(w, i, count, store)));
}

/* ---- tasks ---- */

static struct tir_stmt *task_body(struct channels *c, const struct ir_expr *chunk)
{
    struct windows *w = c->w;
    struct schedule *s = w->s;
    struct ir_dtype dtype = w->p->c->dtype;
    int64_t tiles = ceil_div(c->count, w->tile_rows);
    int64_t flat[] = {w->block, c->count}, columns[] = {tiles, w->block, w->tile_rows};
    int64_t part[] = {tiles * w->tile_rows, w->chunk * w->lanes};
    const struct ir_var *kk = var(w, "kk");
    struct tir_stmt *items[5], *parts[3];
    unsigned n = 0, count = 0;

    c->kk = w->blocks == 1 ? num(w, 0) : sch_use(s, kk);
    c->end = rest(w, w->block, w->depth, times(w, c->kk, w->block));
    c->t.flat = sch_buffer(s, "flat", y_dtype(w), "global", flat, 2);
    c->columns = sch_buffer(s, "tiles", y_dtype(w), "global", columns, 3);
    c->t.part = sch_buffer(s, "part", dtype, "global", part, 2);
    if (!w->is_in_place) {
        parts[count++] = windows_copy_y(w, &c->t, c->kk, num(w, c->count));
        parts[count++] = copy_tiles(c);
        items[n++] = sch_alloc(s, c->t.flat);
        items[n++] = sch_alloc(s, c->columns);
    }
    parts[count++] = multiply_strips(c, chunk);
    items[n++] = sch_alloc(s, c->t.part);
    struct tir_stmt *sums = sch_seq(s, parts, count);
    items[n++] = w->blocks == 1 ? sums : serial(w, kk, num(w, w->blocks), sums);
    items[n++] = store_c(c);
    return sch_seq(s, items, n);
}

static struct tir_stmt *all_tasks(struct windows *w)
{
    struct schedule *s = w->s;
    int64_t count = w->batches * w->chunks;
    const struct ir_var *v = var(w, "task");
    const struct ir_expr *number = count == 1 ? num(w, 0) : sch_use(s, v), *chunk = num(w, 0);
    struct channels c = {.w = w, .count = w->rows * w->width};

    if (w->chunks > 1)
        chunk = rest_of(w, number, w->chunks);
    c.t.batch = sch_div(s, number, w->chunks);
    c.t.row = num(w, 0);
    c.t.rows = num(w, w->rows);
    c.t.tile = times(w, chunk, w->chunk);
    c.t.tiles = w->chunks == 1
                    ? num(w, w->x_tiles)
                    : sch_min(s, num(w, w->chunk), sch_sub(s, num(w, w->x_tiles), c.t.tile));
    c.t.x = windows_first_tile(w, c.t.batch);
    struct tir_stmt *body = task_body(&c, chunk);
    return count == 1 ? body : sch_for(s, TIR_PARALLEL, v, num(w, count), body);
}

/* ---- choosing ---- */

/* What is copied of Y stays in half of L2, twice, and so do the results of a task. */
static void choose(struct windows *w)
{
    int64_t half = w->s->l2_bytes / 2 / ir_dtype_bytes(w->p->c->dtype), count = w->rows * w->width;

    w->block = w->depth < DEPTH_MOST + DEPTH_MOST / 2 ? w->depth : DEPTH_MOST;
    if (half / (2 * count) < w->block)
        w->block = half / (2 * count) < DEPTH_LEAST ? DEPTH_LEAST : half / (2 * count);
    w->blocks = ceil_div(w->depth, w->block);
    if (w->blocks > 1) /* equal ones */
        w->block = ceil_div(w->depth, w->blocks);
    w->tile_rows = windows_tile_height(w, count);
    w->x_tiles = ceil_div(w->m, w->lanes);
    /* Several tasks would copy all of Y each: it is better to share the loops of one. */
    int64_t wanted = ceil_div(count * w->m, half);
    w->chunk = wanted > 1 ? ceil_div(w->x_tiles, wanted) : w->x_tiles;
    if (w->chunk < w->x_tiles) /* only the last task may have one alone */
        w->chunk = ceil_div(w->chunk, TILE_VECTORS) * TILE_VECTORS;
    w->chunks = ceil_div(w->x_tiles, w->chunk);
}

int64_t windows_channel_cost(const struct windows *w)
{
    int64_t strips = ceil_div(w->m, w->lanes), count = w->rows * w->width;

    if (count < COLUMNS_LEAST || count > COLUMNS_MOST || w->m < w->lanes)
        return 0;
    /* A strip alone makes six sums, of the eight that would not wait for themselves. */
    return windows_tiles_cost(count, windows_tile_height(w, count)) *
           (3 * strips + strips % TILE_VECTORS) * w->lanes / 3;
}

struct tir_stmt *windows_by_channels(struct windows *w, struct tir_stmt **out_packing)
{
    choose(w);
    w->is_in_place = windows_reads_flat(w);
    *out_packing = pack_strips(w);
    return all_tasks(w);
}
