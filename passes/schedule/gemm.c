/*
 * Loops for products of matrices, packed: after Goto and van de Geijn, "Anatomy of High-Performance Matrix Multiplication" (2008), with
 * what compilers can do and libraries cannot: whatever Y and X are is computed while they are packed.
 *
 *   Y is copied into panels of 16 columns (two registers), each contiguous along k.
 *   A tile of C, 6 rows by 16 columns, stays in twelve registers while k runs over up to 512 values:
 *
 *     for jb in T.parallel(..):                      8 panels: what a thread takes at a time
 *         for kk in range(..):                       values of k whose panels fit into L2
 *             for ic in range(..):                   144 rows of X: they do, too
 *                 for jr in range(8):
 *                     for ib in range(24):
 *                         acc[6, 16] = C[..]         (0 in the first round)
 *                         for k in range(512):
 *                             acc[r, c] = T.fma(X[.., k], panel[k, c], acc[r, c])
 *                         C[..] = acc[6, 16]
 *
 * X is read as it lies if it is contiguous along k, else copied to tiles of 6 rows.  Rows that are no
 * multiple of 6 and columns that are no multiple of 16 get tiles of their own.  Every element of C is
 * summed in the order of k, as in the nest that this replaces; only the products are not rounded where
 * the target has fused multiply-add.  What follows element by element is computed where an element is stored,
 * unless k is cut: sums are kept in C then.
 */
#include "analysis/access/index.h"
#include "passes/schedule/epilogue.h"

enum {
    TILE_ROWS = 6,
    TILE_VECTORS = 2,
    PANELS = 8,     /* of one task */
    ROW_TILES = 24, /* of one block of X */
    DEPTH_LEAST = 128,
    DEPTH_MOST = 512,
    WASTE = 5, /* of so many columns one may be filled up */
};

struct gemm {
    struct schedule *s;
    struct matmul *p;
    struct ir_dtype dtype;            /* of loop variables */
    int64_t columns;                  /* of a panel */
    struct ir_buffer *panels, *tiles; /* of Y; of X, NULL: it is read as it lies */
    struct ir_buffer *staged;         /* a tile on its way to memory */
    const struct epilogue *epilogue;  /* or NULL */
    bool is_shared;                   /* among threads */
    const struct ir_expr *blocks;     /* of k */
    int64_t block_depth;              /* 0: one block, all of it */
    const struct matmul_dot *dot;     /* of words, or NULL */
    const struct ir_expr *steps;      /* along k: its values, or words */
    unsigned last_bytes;              /* of the last word; 0: all */
};

static const struct ir_expr *num(const struct gemm *g, int64_t value)
{
    return sch_int(g->s, g->dtype, value);
}

static const struct ir_expr *plus(const struct gemm *g, const struct ir_expr *a,
                                  const struct ir_expr *b)
{
    return sch_add(g->s, a, b);
}

static const struct ir_expr *times(const struct gemm *g, const struct ir_expr *a, int64_t factor)
{
    return sch_mul(g->s, a, factor);
}

static const struct ir_var *var(const struct gemm *g, const char *name)
{
    return sch_var(g->s, name, g->dtype);
}

static enum tir_for_kind shared(const struct gemm *g)
{
    return g->is_shared ? TIR_PARALLEL : TIR_SERIAL;
}

static struct tir_stmt *vector(const struct gemm *g, const struct ir_var *v,
                               const struct ir_expr *extent, struct tir_stmt *body)
{
    return sch_for(g->s, TIR_VECTORIZED, v, extent, body);
}

/* ---- operands ---- */

/*
 * Is X an element of a matrix that is contiguous along k?  Then a copy gains nothing, not even where its
 * rows fall on the same lines of the cache (1024, 2048 columns): measured, it costs 2 to 15 %.
 */
static bool lies_well(struct schedule *s, const struct matmul *p)
{
    const struct ir_expr *x = p->x;
    int64_t stride;

    return x->kind == IR_EXPR_load &&
           index_stride(s->context, x->buffer, x->operands, x->operand_count, p->k, &stride) &&
           stride == 1;
}

static struct ir_buffer *make_buffer(struct gemm *g, const char *name, struct ir_dtype dtype,
                                     const struct ir_expr *const *dims, unsigned ndim)
{
    struct ir_buffer *buffer = sch_buffer_of(g->s, name, dtype, "global", dims, ndim);

    g->p->allocs[g->p->alloc_count++] = sch_alloc(g->s, buffer);
    return buffer;
}

static const struct ir_expr *zero_of(const struct gemm *g, struct ir_dtype dtype)
{
    return g->dot ? sch_int(g->s, dtype, 0) : ir_expr_float(g->s->context, dtype, 0);
}

/* @make for all steps of k; of words, the last one may have fewer bytes. */
static struct tir_stmt *
pack_steps(struct gemm *g, const struct ir_expr *at, const struct ir_expr *count,
           struct tir_stmt *make(struct gemm *, const struct ir_expr *at, const struct ir_expr *k,
                                 const struct ir_expr *count, unsigned bytes))
{
    const struct ir_var *k = var(g, "k");
    const struct ir_expr *whole = g->steps;
    struct tir_stmt *items[2];
    unsigned n = 0;

    if (g->last_bytes)
        whole = sch_sub(g->s, whole, num(g, 1));
    items[n++] = sch_for(g->s, TIR_SERIAL, k, whole, make(g, at, sch_use(g->s, k), count, 4));
    if (g->last_bytes)
        items[n++] = make(g, at, whole, count, g->last_bytes);
    return sch_seq(g->s, items, n);
}

static struct tir_stmt *pack_row(struct gemm *g, const struct ir_expr *tile_index,
                                 const struct ir_expr *k, const struct ir_expr *count,
                                 unsigned bytes)
{
    const struct ir_var *r = var(g, "r");
    const struct ir_expr *at[] = {tile_index, k, sch_use(g->s, r)};
    const struct ir_expr *i = plus(g, times(g, tile_index, TILE_ROWS), at[2]);
    const struct ir_expr *x =
        g->dot ? matmul_x_word(g->s, g->p, i, k, bytes) : matmul_x(g->s, g->p, i, k);
    int64_t known;
    enum tir_for_kind kind = sch_constant(g->s, count, &known) ? TIR_UNROLLED : TIR_SERIAL;

    return sch_for(g->s, kind, r, count, sch_store(g->s, g->tiles, at, x));
}

/* tiles[tile, k, r] = X(tile * TILE_ROWS + r, k) for r below @count. */
static struct tir_stmt *pack_tile(struct gemm *g, const struct ir_expr *tile_index,
                                  const struct ir_expr *count)
{
    return pack_steps(g, tile_index, count, pack_row);
}

/* Copies X to tiles; the statements in @items, how many as the result. */
static unsigned pack_x(struct gemm *g, struct tir_stmt **items)
{
    struct schedule *s = g->s;
    const struct ir_expr *m = g->p->m, *full = sch_div(s, m, TILE_ROWS);
    const struct ir_expr *dims[] = {sch_ceil_div(s, m, TILE_ROWS), g->steps, num(g, TILE_ROWS)};
    const struct ir_expr *rest = sch_sub(s, m, times(g, full, TILE_ROWS));
    const struct ir_var *it = var(g, "it");
    unsigned n = 0;

    g->tiles = make_buffer(g, "tiles", g->dot ? g->dot->x : g->p->c->dtype, dims, 3);
    if (!ir_expr_is_int(full, 0))
        items[n++] =
            sch_for(s, shared(g), it, full, pack_tile(g, sch_use(s, it), num(g, TILE_ROWS)));
    if (!ir_expr_is_int(rest, 0)) { /* the loop runs once, or not at all where there is no rest */
        const struct ir_var *last = var(g, "it");
        const struct ir_expr *count = sch_sub(s, dims[0], full);
        items[n++] = sch_for(s, TIR_SERIAL, last, count,
                             pack_tile(g, plus(g, full, sch_use(s, last)), rest));
    }
    return n;
}

static const struct ir_expr *column_of(struct gemm *g, const struct ir_expr *panel,
                                       const struct ir_expr *c)
{
    return plus(g, times(g, panel, g->columns), c);
}

/* panels[panel, k, c] = 0 for all c */
static struct tir_stmt *clear_columns(struct gemm *g, const struct ir_expr *panel,
                                      const struct ir_expr *k)
{
    const struct ir_var *c = var(g, "c");
    const struct ir_expr *at[] = {panel, k, sch_use(g->s, c)};

    return vector(g, c, num(g, g->columns),
                  sch_store(g->s, g->panels, at, zero_of(g, g->panels->dtype)));
}

static struct tir_stmt *pack_columns(struct gemm *g, const struct ir_expr *panel,
                                     const struct ir_expr *k, const struct ir_expr *count,
                                     unsigned bytes)
{
    const struct ir_var *c = var(g, "c");
    const struct ir_expr *at[] = {panel, k, sch_use(g->s, c)}, *j = column_of(g, panel, at[2]);
    const struct ir_expr *y =
        g->dot ? matmul_y_word(g->s, g->p, k, j, bytes) : matmul_y(g->s, g->p, k, j);
    struct tir_stmt *items[2];
    unsigned n = 0;

    if (!ir_expr_is_int(count, g->columns)) /* what is computed with it is not stored */
        items[n++] = clear_columns(g, panel, k);
    items[n++] = vector(g, c, count, sch_store(g->s, g->panels, at, y));
    return sch_seq(g->s, items, n);
}

/* panels[panel, steps, c] = the sum of Y(k, panel * columns + c), times what X was moved by */
static struct tir_stmt *pack_sums(struct gemm *g, const struct ir_expr *panel,
                                  const struct ir_expr *count)
{
    struct schedule *s = g->s;
    const struct ir_var *k = var(g, "k"), *c = var(g, "c");
    const struct ir_expr *at[] = {panel, g->steps, sch_use(s, c)};
    const struct ir_expr *y = matmul_y(s, g->p, sch_use(s, k), column_of(g, panel, at[2]));

    y = ir_expr_binary(s->context, IR_EXPR_mul, y, sch_int(s, IR_I32, g->dot->factor));
    if (!ir_dtype_equal(g->panels->dtype, IR_I32))
        y = ir_expr_cast(s->context, g->panels->dtype, y);
    struct tir_stmt *add = sch_store(
        s, g->panels, at, ir_expr_binary(s->context, IR_EXPR_add, sch_load(s, g->panels, at), y));
    struct tir_stmt *items[] = {clear_columns(g, panel, g->steps),
                                sch_for(s, TIR_SERIAL, k, g->p->depth, vector(g, c, count, add))};
    return sch_seq(s, items, 2);
}

/* panels[panel, k, c] = Y(k, panel * columns + c) for c below @count. */
static struct tir_stmt *pack_panel(struct gemm *g, const struct ir_expr *panel,
                                   const struct ir_expr *count)
{
    if (!g->dot &&
        ir_expr_is_int(count, g->columns)) { /* Y may lie in a row along k: tile by tile */
        const struct ir_var *k = var(g, "k"), *c = var(g, "c");
        const struct ir_expr *at[] = {panel, sch_use(g->s, k), sch_use(g->s, c)};
        const struct ir_expr *y = matmul_y(g->s, g->p, at[1], column_of(g, panel, at[2]));
        struct tir_stmt *nest =
            sch_for(g->s, TIR_SERIAL, k, g->p->depth,
                    sch_for(g->s, TIR_SERIAL, c, count, sch_store(g->s, g->panels, at, y)));
        if (sch_transpose(g->s, &nest, 2))
            return nest;
    }
    struct tir_stmt *items[2] = {pack_steps(g, panel, count, pack_columns), NULL};
    if (!g->dot || !g->dot->is_moved)
        return items[0];
    items[1] = pack_sums(g, panel, count);
    return sch_seq(g->s, items, 2);
}

/* ---- one tile ---- */

/* Where a tile is. */
struct place {
    const struct ir_expr *row;     /* the first */
    const struct ir_expr *tile;    /* where its rows are in g->tiles */
    const struct ir_expr *lane;    /* .. and the first of them there */
    const struct ir_expr *panel;   /* whose first column is panel * columns */
    const struct ir_expr *columns; /* that are stored */
    const struct ir_expr *block;   /* of k */
    int64_t rows;
};

/* Statement @make for each row of a tile and @count columns. */
static struct tir_stmt *
each(struct gemm *g, const struct place *place, struct ir_buffer *acc, const struct ir_expr *count,
     struct tir_stmt *make(struct gemm *, const struct place *, struct ir_buffer *,
                           const struct ir_expr *const *))
{
    const struct ir_var *r = var(g, "r"), *c = var(g, "c");
    const struct ir_expr *at[] = {sch_use(g->s, r), sch_use(g->s, c)};
    struct tir_stmt *columns = vector(g, c, count, make(g, place, acc, at));

    return sch_for(g->s, TIR_UNROLLED, r, num(g, place->rows), columns);
}

static const struct ir_expr *const *c_at(struct gemm *g, const struct place *place,
                                         const struct ir_expr *const *at)
{
    return matmul_c(g->s, g->p, plus(g, place->row, at[0]),
                    plus(g, times(g, place->panel, g->columns), at[1]));
}

static struct tir_stmt *make_zero(struct gemm *g, const struct place *place, struct ir_buffer *acc,
                                  const struct ir_expr *const *at)
{
    const struct ir_expr *sums[] = {place->panel, g->steps, at[1]}, *sum;

    if (!g->dot || !g->dot->is_moved)
        return sch_store(g->s, acc, at, zero_of(g, acc->dtype));
    sum = sch_load(g->s, g->panels, sums);
    return sch_store(g->s, acc, at,
                     ir_dtype_equal(sum->dtype, acc->dtype)
                         ? sum
                         : ir_expr_cast(g->s->context, acc->dtype, sum));
}

static struct tir_stmt *make_load(struct gemm *g, const struct place *place, struct ir_buffer *acc,
                                  const struct ir_expr *const *at)
{
    return sch_store(g->s, acc, at, sch_load(g->s, g->p->c, c_at(g, place, at)));
}

static struct tir_stmt *make_store(struct gemm *g, const struct place *place, struct ir_buffer *acc,
                                   const struct ir_expr *const *at)
{
    const struct ir_expr *const *to = c_at(g, place, at), *value = sch_load(g->s, acc, at);
    struct tir_stmt *store;

    if (g->epilogue)
        return epilogue_store(g->s, g->epilogue, to, value);
    store = sch_store(g->s, g->p->c, to, value);
    store->loc = g->p->loc;
    return store;
}

static struct tir_stmt *make_copy(struct gemm *g, const struct place *place, struct ir_buffer *acc,
                                  const struct ir_expr *const *at)
{
    return sch_store(g->s, g->staged, at, sch_load(g->s, acc, at));
}

/* Stores the tile in @acc; what takes long to compute of it row by row, from a copy: registers have no rows. */
static struct tir_stmt *store_tile(struct gemm *g, const struct place *place, struct ir_buffer *acc)
{
    int64_t shape[] = {place->rows, g->columns};
    struct tir_stmt *items[3];

    if (!g->epilogue || !epilogue_is_long(g->epilogue))
        return each(g, place, acc, place->columns, make_store);
    g->staged = sch_buffer(g->s, "staged", acc->dtype, "global", shape, 2);
    items[0] = sch_alloc(g->s, g->staged);
    items[1] = each(g, place, acc, num(g, g->columns), make_copy);
    items[2] = each(g, place, g->staged, place->columns, make_store);
    items[2]->loop.kind = TIR_SERIAL;
    return sch_seq(g->s, items, 3);
}

/* acc[r, c] += X(row + r, k) * panels[panel, k, c], for all k of the block */
static struct tir_stmt *multiply(struct gemm *g, const struct place *place, struct ir_buffer *acc)
{
    struct schedule *s = g->s;
    const struct ir_var *k = var(g, "k"), *r = var(g, "r"), *c = var(g, "c");
    const struct ir_expr *at[] = {sch_use(s, r), sch_use(s, c)};
    const struct ir_expr *first = times(g, place->block, g->block_depth);
    const struct ir_expr *depth = plus(g, first, sch_use(s, k)), *extent = g->steps;
    const struct ir_expr *panel_at[] = {place->panel, depth, at[1]};
    const struct ir_expr *tile_at[] = {place->tile, depth, plus(g, place->lane, at[0])};
    const struct ir_expr *x = g->tiles ? sch_load(s, g->tiles, tile_at)
                                       : matmul_x(s, g->p, plus(g, place->row, at[0]), depth);
    const struct ir_expr *y = sch_load(s, g->panels, panel_at), *to = sch_load(s, acc, at);
    const struct ir_expr *step = g->dot ? matmul_dot_step(s, x, y, to) : matmul_step(s, x, y, to);
    struct tir_stmt *store = sch_store(s, acc, at, ir_expr_at(s->context, g->p->loc, step));

    if (g->block_depth)
        extent = sch_min(s, num(g, g->block_depth), sch_sub(s, extent, first));
    store->loc = g->p->loc;
    struct tir_stmt *columns = vector(g, c, num(g, g->columns), store);
    return sch_for(s, TIR_SERIAL, k, extent,
                   sch_for(s, TIR_UNROLLED, r, num(g, place->rows), columns));
}

static struct tir_stmt *tile(struct gemm *g, const struct place *place)
{
    struct schedule *s = g->s;
    int64_t shape[] = {place->rows, g->columns};
    struct ir_buffer *acc = sch_buffer(s, "acc", g->p->c->dtype, "local", shape, 2);
    const struct ir_expr *all = num(g, g->columns);
    struct tir_stmt *items[5];
    unsigned n = 0;

    items[n++] = sch_alloc(s, acc);
    struct tir_stmt *zero = each(g, place, acc, all, make_zero);
    bool is_partial = !ir_expr_is_int(place->columns, g->columns);
    bool is_once = g->block_depth == 0 && g->p->starts_at_zero;
    if (is_once || is_partial)
        items[n++] = zero;
    if (!is_once) {
        struct tir_stmt *load = each(g, place, acc, place->columns, make_load);
        const struct ir_expr *none = num(g, 0);
        if (!g->p->starts_at_zero)
            items[n++] = load;
        else if (is_partial)
            items[n++] =
                sch_if(s, ir_expr_binary(s->context, IR_EXPR_gt, place->block, none), load, NULL);
        else
            items[n++] =
                sch_if(s, ir_expr_binary(s->context, IR_EXPR_eq, place->block, none), zero, load);
    }
    items[n++] = multiply(g, place, acc);
    items[n++] = store_tile(g, place, acc);
    return sch_seq(s, items, n);
}

/* ---- all tiles ---- */

/* Panels that are computed together: `first`, `first + 1`, .., as many as `count`. */
struct stripe {
    const struct ir_expr *first, *count;
    const struct ir_expr *columns; /* that each stores */
    enum tir_for_kind kind;        /* of the loop over blocks of rows */
};

/* A loop over the panels of @stripe; place->panel becomes that of an iteration. */
static const struct ir_var *panel_loop(struct gemm *g, const struct stripe *stripe,
                                       struct place *place)
{
    const struct ir_var *jr = var(g, "jr");

    place->panel = plus(g, stripe->first, sch_use(g->s, jr));
    place->columns = stripe->columns;
    return jr;
}

/* Full tiles of rows, in blocks. */
static struct tir_stmt *full_rows(struct gemm *g, const struct stripe *stripe, struct place place)
{
    struct schedule *s = g->s;
    const struct ir_expr *tiles = sch_div(s, g->p->m, TILE_ROWS), *count = num(g, ROW_TILES);
    const struct ir_expr *blocks = sch_ceil_div(s, tiles, ROW_TILES);
    const struct ir_var *ic = var(g, "ic"), *ib = var(g, "ib");
    const struct ir_var *jr = panel_loop(g, stripe, &place);
    const struct ir_expr *first = times(g, sch_use(s, ic), ROW_TILES);

    if (!ir_prove_equal(s->context, times(g, blocks, ROW_TILES), tiles))
        count = sch_min(s, count, sch_sub(s, tiles, first));
    place.rows = TILE_ROWS;
    place.tile = plus(g, first, sch_use(s, ib));
    place.row = times(g, place.tile, TILE_ROWS);
    place.lane = num(g, 0);
    struct tir_stmt *loop = sch_for(s, TIR_SERIAL, ib, count, tile(g, &place));
    loop = sch_for(s, TIR_SERIAL, jr, stripe->count, loop);
    return sch_for(s, stripe->kind, ic, blocks, loop);
}

/* The rows behind the last full tile: one smaller tile, or, where their number is open, tiles of 4, 2 and 1. */
static struct tir_stmt *last_rows(struct gemm *g, const struct stripe *stripe, struct place place)
{
    struct schedule *s = g->s;
    const struct ir_expr *full = sch_div(s, g->p->m, TILE_ROWS);
    const struct ir_expr *done = times(g, full, TILE_ROWS), *left = sch_sub(s, g->p->m, done);
    const struct ir_var *jr = panel_loop(g, stripe, &place);
    struct tir_stmt *body;

    place.tile = full;
    if (sch_constant(s, left, &place.rows)) {
        place.row = done;
        place.lane = num(g, 0);
        body = place.rows ? tile(g, &place) : NULL;
    } else {
        struct tir_stmt *items[3];
        const struct ir_expr *first = num(g, 0);
        unsigned n = 0;

        for (place.rows = 4; place.rows > 0; place.rows /= 2) {
            /* as many times as there are: once or not at all */
            const struct ir_expr *count = sch_div(s, sch_sub(s, left, first), place.rows);
            const struct ir_var *it = var(g, "it");
            place.lane = plus(g, first, times(g, sch_use(s, it), place.rows));
            place.row = plus(g, done, place.lane);
            items[n++] = sch_for(s, TIR_SERIAL, it, count, tile(g, &place));
            first = plus(g, first, times(g, count, place.rows));
        }
        body = sch_seq(s, items, n);
    }
    return body ? sch_for(s, TIR_SERIAL, jr, stripe->count, body) : NULL;
}

static struct tir_stmt *multiply_stripe(struct gemm *g, const struct stripe *stripe)
{
    const struct ir_var *kk = var(g, "kk");
    struct place place = {.block = g->block_depth ? sch_use(g->s, kk) : num(g, 0)};
    struct tir_stmt *items[2];
    unsigned n = 0;

    if (!ir_expr_is_int(sch_div(g->s, g->p->m, TILE_ROWS), 0))
        items[n++] = full_rows(g, stripe, place);
    if ((items[n] = last_rows(g, stripe, place)))
        n++;
    struct tir_stmt *body = sch_seq(g->s, items, n);
    return g->block_depth ? sch_for(g->s, TIR_SERIAL, kk, g->blocks, body) : body;
}

/* How many panels a task takes: at least four tasks, if there is so much to do. */
static int64_t task_panels(const struct gemm *g, const struct ir_expr *full)
{
    int64_t count;

    if (!sch_constant(g->s, full, &count) || count >= 4 * PANELS)
        return PANELS;
    return count < 8 ? 1 : count / 4;
}

static struct tir_stmt *multiply_full(struct gemm *g, const struct ir_expr *full)
{
    struct schedule *s = g->s;
    int64_t panels = task_panels(g, full);
    const struct ir_var *jb = var(g, "jb");
    const struct ir_expr *tasks = sch_ceil_div(s, full, panels);
    struct stripe stripe = {.first = times(g, sch_use(s, jb), panels),
                            .count = num(g, panels),
                            .columns = num(g, g->columns),
                            .kind = TIR_SERIAL};

    if (!ir_prove_equal(s->context, times(g, tasks, panels), full))
        stripe.count = sch_min(s, stripe.count, sch_sub(s, full, stripe.first));
    return sch_for(s, shared(g), jb, tasks, multiply_stripe(g, &stripe));
}

/*
 * How much of k a panel has: a sixteenth of L2, so that those of a task and a block of rows are there
 * together.
 */
static void choose_depth(struct gemm *g)
{
    const struct ir_expr *depth = g->p->depth;
    int64_t row_bytes = g->columns * ir_dtype_bytes(g->p->c->dtype), count;
    int64_t block = g->s->l2_bytes / 16 / row_bytes / 64 * 64;
    bool is_known = sch_constant(g->s, depth, &count);

    block = block < DEPTH_LEAST ? DEPTH_LEAST : block > DEPTH_MOST ? DEPTH_MOST : block;
    if (is_known && count <= block + block / 2)
        return;
    g->block_depth = block;
    g->blocks = sch_ceil_div(g->s, depth, block);
    if (!is_known) /* nothing to add still makes zeros */
        g->blocks = ir_simplify(g->s->context,
                                ir_expr_binary(g->s->context, IR_EXPR_max, num(g, 1), g->blocks));
}

bool matmul_panels_fit(struct schedule *s, const struct matmul *p)
{
    int64_t columns = TILE_VECTORS * schedule_lanes(s, p->c->dtype), n, depth;

    return sch_constant(s, p->n, &n) && sch_constant(s, p->depth, &depth) && n > 0 && depth > 0 &&
           n <= INT64_MAX / 8 && (columns - (n + columns - 1) % columns - 1) * WASTE <= n;
}

struct tir_stmt *matmul_packed(struct schedule *s, struct matmul *p)
{
    struct gemm g = {.s = s,
                     .p = p,
                     .dtype = p->j->dtype,
                     .columns = TILE_VECTORS * schedule_lanes(s, p->c->dtype),
                     .is_shared = matmul_is_shared(s, p)};
    const struct ir_expr *full = sch_div(s, p->n, g.columns);
    const struct ir_expr *all = sch_ceil_div(s, p->n, g.columns), *tail = sch_sub(s, all, full);
    struct tir_stmt *items[6];
    unsigned n = 0;

    g.dot = p->dot;
    g.steps = p->dot ? num(&g, (p->dot->depth + 3) / 4) : p->depth;
    g.last_bytes = p->dot ? (unsigned)(p->dot->depth % 4) : 0;
    const struct ir_expr *rows =
        p->dot && p->dot->is_moved ? plus(&g, g.steps, num(&g, 1)) : g.steps;
    const struct ir_expr *dims[] = {all, rows, num(&g, g.columns)};

    if (!p->m)
        p->m = num(&g, 1);
    if (!p->dot) /* words are a quarter of the elements, and their sums are not kept in C */
        choose_depth(&g);
    /* Sums that are made in several rounds have to be kept. */
    g.epilogue = g.block_depth == 0 && p->starts_at_zero ? p->epilogue : NULL;
    p->has_epilogue = g.epilogue != NULL;
    bool is_made = false;
    g.panels = matmul_share_panels(s, p, dims, &is_made);
    bool is_common = g.panels != NULL;
    if (!is_common)
        g.panels = make_buffer(&g, "panels", p->dot ? p->dot->y : p->c->dtype, dims, 3);
    if (p->dot || !lies_well(s, p))
        n = pack_x(&g, items);
    struct tir_stmt **packs = is_common ? s->shared->stmts : items;
    unsigned *count = is_common ? &s->shared->stmt_count : &n;
    if (!is_made && !ir_expr_is_int(full, 0)) {
        const struct ir_var *panel = var(&g, "p");
        packs[(*count)++] = sch_for(s, shared(&g), panel, full,
                                    pack_panel(&g, sch_use(s, panel), num(&g, g.columns)));
    }
    if (!ir_expr_is_int(tail, 0)) {
        const struct ir_var *jt = var(&g, "p");
        const struct ir_expr *columns = sch_sub(s, p->n, times(&g, full, g.columns));
        struct stripe stripe = {
            .first = full, .count = tail, .columns = columns, .kind = shared(&g)};
        if (!is_made)
            packs[(*count)++] = sch_for(s, TIR_SERIAL, jt, tail,
                                        pack_panel(&g, plus(&g, full, sch_use(s, jt)), columns));
        if (!ir_expr_is_int(full, 0))
            items[n++] = multiply_full(&g, full);
        items[n++] = multiply_stripe(&g, &stripe);
    } else {
        items[n++] = multiply_full(&g, full);
    }
    return sch_seq(s, items, n);
}
