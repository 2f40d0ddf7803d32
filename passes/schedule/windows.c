/*
 * Loops for products whose columns, or sums, are several loops: convolutions of any window, stride, dilation,
 * number of axes, with channels in front.
 *
 *     C[.., i, row, c] = sum of X(i, k) * Y(k, row, c)        row: all column loops but the last, as one number
 *                                                             k: all loops of the sum, as one number
 *
 * A task is some rows of the result and some i.  What it needs of Y is copied, so that its columns lie in a row
 * (im2col, but only for a task and a block of k, which stay in L2), and then it is a product of matrices:
 *
 *     tiles[it, k, r] = X(it * 6 + r, k)                       once; of constants: when it is compiled
 *     for task in T.parallel(..):
 *         for kk in range(..):                                 blocks of k
 *             flat[k, row * width + c] = Y(kk * depth + k, first + row, c)
 *             for ic in range(..):                             24 tiles of rows
 *                 for p in range(..):                          panels of two vectors
 *                     for ib in range(24):
 *                         acc[6, 32] = part[..]                (0 in the first round)
 *                         for k in range(depth):
 *                             acc[r, c] = T.fma(tiles[.., k, r], flat[k, p * 32 + c], acc[r, c])
 *                         part[..] = acc[6, 32]
 *         C[.., i, first + row, c] = part[i, row * width + c]
 *
 * Every element is summed in the order of the loops that this replaces.
 */
#include "passes/schedule/epilogue.h"

enum {
    TILE_ROWS = 6,
    TILE_VECTORS = 2,
    ROW_TILES = 24,   /* of one block of X */
    DEPTH_MOST = 512, /* of one block of k */
    DEPTH_LEAST = 32,
    WIDTH_MOST = 4096,
    PANELS_MOST = 12,   /* of a task */
    CHUNK_ROWS = 384,   /* of a task at most */
    CHUNK_LEAST = 48,   /* rows that are worth a copy of Y of their own */
    TASKS_WANTED = 4,   /* where there is so much to do */
    LEAST_WORK = 16384, /* multiply-adds that are worth the code */
    LEAST_ROWS = 4,     /* Y is copied for so many, where columns lie in a row */
};

struct windows {
    struct schedule *s;
    struct matmul *p;
    struct ir_dtype dtype;                /* of loop variables */
    int64_t m, rows, width, depth;        /* extents of i, row, c and k */
    int64_t lanes, columns;               /* of a vector, of a panel */
    int64_t task_rows, row_tasks, panels; /* rows of a task; tasks; panels of a task */
    int64_t chunk, chunks;                /* tiles of a task along i; how many tasks they make */
    int64_t block, blocks;                /* of k */
    struct matmul_loops batch, x_batch;   /* loops around, and those of them that X has */
    int64_t batches, x_batches, x_tiles;  /* .. and tiles of X for one of the latter */
    struct ir_buffer *tiles;
};

static const struct ir_expr *num(const struct windows *w, int64_t value)
{
    return sch_int(w->s, w->dtype, value);
}

static const struct ir_expr *plus(const struct windows *w, const struct ir_expr *a,
                                  const struct ir_expr *b)
{
    return sch_add(w->s, a, b);
}

static const struct ir_expr *times(const struct windows *w, const struct ir_expr *a, int64_t factor)
{
    return sch_mul(w->s, a, factor);
}

static const struct ir_var *var(const struct windows *w, const char *name)
{
    return sch_var(w->s, name, w->dtype);
}

static struct tir_stmt *vector(const struct windows *w, const struct ir_var *v,
                               const struct ir_expr *extent, struct tir_stmt *body)
{
    return sch_for(w->s, TIR_VECTORIZED, v, extent, body);
}

static struct tir_stmt *serial(const struct windows *w, const struct ir_var *v,
                               const struct ir_expr *extent, struct tir_stmt *body)
{
    return sch_for(w->s, TIR_SERIAL, v, extent, body);
}

/* min(@size, @all - @first), or @size where nothing is left over. */
static const struct ir_expr *rest(const struct windows *w, int64_t size, int64_t all,
                                  const struct ir_expr *first)
{
    if (all % size == 0)
        return num(w, size);
    return sch_min(w->s, num(w, size), sch_sub(w->s, num(w, all), first));
}

static const struct ir_expr *rest_of(const struct windows *w, const struct ir_expr *a,
                                     int64_t divisor)
{
    return ir_simplify(w->s->context,
                       ir_expr_binary(w->s->context, IR_EXPR_floormod, a, num(w, divisor)));
}

/* ---- what is multiplied, by numbers instead of loops ---- */

/* The variables of @loops, which count up to @flat together. */
static void unflatten(struct windows *w, const struct matmul_loops *loops,
                      const struct ir_expr *flat, struct ir_bindings *out)
{
    int64_t stride = 1, extent;

    for (unsigned n = loops->count; n-- > 0;) {
        const struct ir_expr *value = sch_div(w->s, flat, stride);

        if (!sch_constant(w->s, loops->items[n]->loop.extent, &extent))
            return; /* was looked at before */
        if (n > 0)
            value = ir_simplify(w->s->context, ir_expr_binary(w->s->context, IR_EXPR_floormod,
                                                              value, num(w, extent)));
        array_push(out, (struct ir_binding){loops->items[n]->loop.var, value});
        stride *= extent;
    }
}

/* @a with numbers for the loops; NULL: it has none of that kind. */
static const struct ir_expr *put(struct windows *w, const struct ir_expr *a,
                                 const struct ir_expr *batch, const struct ir_expr *i,
                                 const struct ir_expr *k, const struct ir_expr *row,
                                 const struct ir_expr *column)
{
    struct ir_bindings all = {0};
    struct matmul_loops rows = w->p->columns;

    rows.count--;
    if (batch)
        unflatten(w, &w->batch, batch, &all);
    if (i)
        array_push(&all, (struct ir_binding){w->p->i, i});
    if (k)
        unflatten(w, &w->p->sums, k, &all);
    if (row)
        unflatten(w, &rows, row, &all);
    if (column)
        array_push(&all, (struct ir_binding){w->p->j, column});
    a = ir_expr_substitute(w->s->context, a, &all);
    array_finish(&all);
    return a;
}

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
    const struct ir_expr *x = put(w, w->p->x, NULL, row, at[1], NULL, NULL);
    struct ir_bindings batch = {0};

    unflatten(w, &w->x_batch, x_batch, &batch);
    x = ir_expr_substitute(s->context, x, &batch);
    array_finish(&batch);
    if (w->x_batches > 1 && w->m % TILE_ROWS != 0) {
        const struct ir_expr *has_row = ir_expr_binary(s->context, IR_EXPR_lt, row, num(w, w->m));
        const struct ir_expr *args[] = {has_row, x, ir_expr_float(s->context, w->p->c->dtype, 0)};
        x = ir_expr_call(s->context, x->dtype, atom_intern_text(&s->context->atoms, "if_then_else"),
                         args, 3);
    }
    return serial(w, k, num(w, w->depth),
                  sch_for(s, TIR_UNROLLED, r, num(w, count), sch_store(s, w->tiles, at, x)));
}

/* Copies X to tiles. */
static struct tir_stmt *pack_x(struct windows *w)
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

struct task {
    const struct ir_expr *batch, *x;    /* its number; the first tile of X in it */
    const struct ir_expr *row, *rows;   /* the first row, how many */
    const struct ir_expr *tile, *tiles; /* the first tile of X, how many */
    const struct ir_expr *panels;       /* how many */
    struct ir_buffer *flat, *part;
};

/* flat[k, row * width + c] = Y(.., k, row, c) for block @kk, and zeros up to the end of the last panel. */
static struct tir_stmt *copy_y(struct windows *w, const struct task *t, const struct ir_expr *kk)
{
    struct schedule *s = w->s;
    const struct ir_var *k = var(w, "k"), *q = var(w, "q"), *c = var(w, "c"), *z = var(w, "c");
    const struct ir_expr *first = times(w, kk, w->block);
    const struct ir_expr *used = times(w, t->rows, w->width);
    const struct ir_expr *at[] = {sch_use(s, k),
                                  plus(w, times(w, sch_use(s, q), w->width), sch_use(s, c))};
    const struct ir_expr *y = put(w, w->p->y, t->batch, NULL, plus(w, first, at[0]),
                                  plus(w, t->row, sch_use(s, q)), sch_use(s, c));
    struct tir_stmt *items[2];
    unsigned n = 0;

    items[n++] =
        serial(w, q, t->rows, vector(w, c, num(w, w->width), sch_store(s, t->flat, at, y)));
    const struct ir_expr *gap = sch_sub(s, times(w, t->panels, w->columns), used);
    if (!ir_expr_is_int(gap, 0)) {
        const struct ir_expr *zero_at[] = {at[0], plus(w, used, sch_use(s, z))};
        items[n++] =
            vector(w, z, gap,
                   sch_store(s, t->flat, zero_at, ir_expr_float(s->context, w->p->c->dtype, 0)));
    }
    return serial(w, k, rest(w, w->block, w->depth, first), sch_seq(s, items, n));
}

/* A statement for each element of a tile of @count rows: acc = 0, acc = part, or part = acc. */
static struct tir_stmt *each(struct windows *w, const struct task *t, struct ir_buffer *acc,
                             int64_t count, const struct ir_expr *tile, const struct ir_expr *panel,
                             bool is_zero, bool is_store)
{
    struct schedule *s = w->s;
    const struct ir_var *r = var(w, "r"), *c = var(w, "c");
    const struct ir_expr *at[] = {sch_use(s, r), sch_use(s, c)};
    const struct ir_expr *place[] = {plus(w, times(w, tile, TILE_ROWS), at[0]),
                                     plus(w, times(w, panel, w->columns), at[1])};
    struct tir_stmt *store = is_zero
                                 ? sch_store(s, acc, at, ir_expr_float(s->context, acc->dtype, 0))
                             : is_store ? sch_store(s, t->part, place, sch_load(s, acc, at))
                                        : sch_store(s, acc, at, sch_load(s, t->part, place));

    return sch_for(s, TIR_UNROLLED, r, num(w, count), vector(w, c, num(w, w->columns), store));
}

/* Rows of tile @tile (of the task) and columns of panel @panel: the sums over block @kk. */
static struct tir_stmt *multiply(struct windows *w, const struct task *t, int64_t count,
                                 const struct ir_expr *tile, const struct ir_expr *panel,
                                 const struct ir_expr *kk)
{
    struct schedule *s = w->s;
    int64_t shape[] = {count, w->columns};
    struct ir_buffer *acc = sch_buffer(s, "acc", w->p->c->dtype, "local", shape, 2);
    const struct ir_var *k = var(w, "k"), *r = var(w, "r"), *c = var(w, "c");
    const struct ir_expr *at[] = {sch_use(s, r), sch_use(s, c)}, *first = times(w, kk, w->block);
    const struct ir_expr *x_at[] = {plus(w, t->x, plus(w, t->tile, tile)),
                                    plus(w, first, sch_use(s, k)), at[0]};
    const struct ir_expr *y_at[] = {sch_use(s, k), plus(w, times(w, panel, w->columns), at[1])};
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
        serial(w, k, rest(w, w->block, w->depth, first),
               sch_for(s, TIR_UNROLLED, r, num(w, count), vector(w, c, num(w, w->columns), store)));
    items[3] = each(w, t, acc, count, tile, panel, false, true);
    return sch_seq(s, items, 4);
}

/* All tiles of a task, in blocks that stay in L2. */
static struct tir_stmt *multiply_all(struct windows *w, const struct task *t,
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
    struct tir_stmt *body =
        multiply(w, t, TILE_ROWS, plus(w, first, sch_use(s, ib)), sch_use(s, p), kk);
    body = serial(w, p, t->panels, serial(w, ib, count, body));
    return serial(w, ic, sch_ceil_div(s, tiles, ROW_TILES), body);
}

/* C[.., i, row, c] = part[i, row * width + c] */
static struct tir_stmt *store_c(struct windows *w, const struct task *t, const struct ir_expr *rows)
{
    struct schedule *s = w->s;
    struct matmul *p = w->p;
    const struct ir_var *i = var(w, "i"), *q = var(w, "q"), *c = var(w, "c");
    const struct ir_expr *own = sch_use(s, i), *row = sch_use(s, q), *column = sch_use(s, c);
    const struct ir_expr *from[] = {own, plus(w, times(w, row, w->width), column)};
    const struct ir_expr **at =
        arena_array(&s->run->scratch, const struct ir_expr *, p->c->ndim + 1);

    for (unsigned d = 0; d < p->c->ndim; d++)
        at[d] = put(w, p->indices[d], t->batch, plus(w, times(w, t->tile, TILE_ROWS), own), NULL,
                    plus(w, t->row, row), column);
    const struct ir_expr *value = sch_load(s, t->part, from);
    struct tir_stmt *store =
        p->epilogue ? epilogue_store(s, p->epilogue, at, value) : sch_store(s, p->c, at, value);
    p->has_epilogue = p->epilogue != NULL;
    if (!p->epilogue)
        store->loc = p->loc;
    return serial(w, i, rows, serial(w, q, t->rows, vector(w, c, num(w, w->width), store)));
}

/*
 * The tiles of a task: all of six rows, and a smaller last one.  Tasks that share rows of the result have
 * @w->chunk tiles each, but for the last of them.
 */
static struct tir_stmt *task_body(struct windows *w, struct task *t, const struct ir_expr *chunk)
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
    parts[count++] = copy_y(w, t, block);
    if (full)
        parts[count++] = multiply_all(w, t, block, tiles);
    if (left) {
        const struct ir_var *p = var(w, "p");
        const struct ir_expr *tile = sch_sub(s, num(w, full), t->tile);
        struct tir_stmt *last =
            serial(w, p, t->panels, multiply(w, t, left, tile, sch_use(s, p), block));
        if (w->chunks > 1) /* only the last task of its rows has it */
            last = sch_if(s, ir_expr_binary(s->context, IR_EXPR_eq, chunk, num(w, w->chunks - 1)),
                          last, NULL);
        parts[count++] = last;
    }
    items[n++] = sch_alloc(s, t->flat);
    items[n++] = sch_alloc(s, t->part);
    struct tir_stmt *sums = sch_seq(s, parts, count);
    items[n++] = w->blocks == 1 ? sums : serial(w, kk, num(w, w->blocks), sums);
    items[n++] = store_c(w, t, rows);
    return sch_seq(s, items, n);
}

static struct tir_stmt *all_tasks(struct windows *w)
{
    struct schedule *s = w->s;
    int64_t count = w->batches * w->row_tasks * w->chunks;
    const struct ir_var *v = var(w, "task");
    const struct ir_expr *number = count == 1 ? num(w, 0) : sch_use(s, v), *chunk = num(w, 0);
    struct ir_bindings batch = {0};
    struct task t = {0};
    int64_t stride = 1, extent;

    if (w->chunks > 1)
        chunk = rest_of(w, number, w->chunks);
    t.row = sch_div(s, number, w->chunks);
    t.batch = sch_div(s, t.row, w->row_tasks);
    t.row = times(w, w->batches > 1 ? rest_of(w, t.row, w->row_tasks) : t.row, w->task_rows);
    t.rows = rest(w, w->task_rows, w->rows, t.row);
    t.panels = sch_ceil_div(s, times(w, t.rows, w->width), w->columns);
    unflatten(w, &w->batch, t.batch, &batch);
    t.x = num(w, 0);
    for (unsigned n = w->x_batch.count; n-- > 0;) {
        t.x = plus(
            w, t.x,
            times(w, ir_bindings_find(&batch, w->x_batch.items[n]->loop.var), stride * w->x_tiles));
        if (sch_constant(s, w->x_batch.items[n]->loop.extent, &extent))
            stride *= extent;
    }
    array_finish(&batch);
    struct tir_stmt *body = task_body(w, &t, chunk);
    return count == 1 ? body : sch_for(s, TIR_PARALLEL, v, num(w, count), body);
}

/* ---- choosing ---- */

static bool product_of(struct windows *w, const struct matmul_loops *loops, unsigned count,
                       int64_t *out)
{
    int64_t extent;

    *out = 1;
    for (unsigned n = 0; n < count; n++)
        if (!sch_constant(w->s, loops->items[n]->loop.extent, &extent) || extent < 1 ||
            __builtin_mul_overflow(*out, extent, out) || *out > INT32_MAX)
            return false;
    return true;
}

static int64_t ceil_div(int64_t a, int64_t b)
{
    return (a + b - 1) / b;
}

/* Panels of all tasks of @rows rows each. */
static int64_t all_panels(const struct windows *w, int64_t rows)
{
    int64_t full = w->rows / rows, last = w->rows % rows;

    return full * ceil_div(rows * w->width, w->columns) + ceil_div(last * w->width, w->columns);
}

/*
 * Rows of a task, and blocks of k: what is copied stays in half of L2, as few columns are computed in vain as
 * may be, and then as few tasks read all of X as may be.
 */
static void choose_rows(struct windows *w)
{
    int64_t half = w->s->l2_bytes / 2 / ir_dtype_bytes(w->p->c->dtype), most;

    w->block = w->depth < DEPTH_MOST + DEPTH_MOST / 2 ? w->depth : DEPTH_MOST;
    most = half / w->block / w->columns;
    most = (most < 1 ? 1 : most > PANELS_MOST ? PANELS_MOST : most) * w->columns;
    w->task_rows = 1;
    for (int64_t rows = 2; rows <= w->rows && rows * w->width <= most; rows++)
        if (all_panels(w, rows) <= all_panels(w, w->task_rows))
            w->task_rows = rows;
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

/* Batch loops of known extents go round in the tasks; those that are columns here as well. */
static bool read_batch(struct windows *w)
{
    struct matmul *p = w->p;
    unsigned count = 0;
    int64_t extent;

    for (unsigned n = 0; n < p->batch_count; n++) {
        bool is_column = false;
        for (unsigned c = 0; c < p->columns.count; c++)
            is_column |= p->columns.items[c] == p->batch[n];
        if (is_column)
            continue;
        if (!sch_constant(w->s, p->batch[n]->loop.extent, &extent)) {
            p->batch[count++] = p->batch[n];
            continue;
        }
        w->batch.items[w->batch.count++] = p->batch[n];
        if (ir_expr_uses_var(p->x, p->batch[n]->loop.var))
            w->x_batch.items[w->x_batch.count++] = p->batch[n];
    }
    p->batch_count = count;
    return product_of(w, &w->batch, w->batch.count, &w->batches) &&
           product_of(w, &w->x_batch, w->x_batch.count, &w->x_batches);
}

/* Is X the same in all rounds of the loops that stay outside? */
static bool is_packed_once(const struct matmul *p)
{
    for (unsigned n = 0; n < p->batch_count; n++)
        if (ir_expr_uses_var(p->x, p->batch[n]->loop.var))
            return false;
    return true;
}

struct tir_stmt *matmul_windows(struct schedule *s, struct matmul *p)
{
    struct matmul old = *p;
    struct windows w = {
        .s = s, .p = p, .dtype = p->j->dtype, .lanes = schedule_lanes(s, p->c->dtype)};
    struct tir_stmt *items[2];
    unsigned n = 0;

    w.columns = w.lanes * TILE_VECTORS;
    if (!p->i || !p->starts_at_zero || w.lanes < 2 || !sch_constant(s, p->m, &w.m) ||
        !sch_constant(s, p->n, &w.width) || w.width < 1 ||
        !product_of(&w, &p->columns, p->columns.count - 1, &w.rows) ||
        !product_of(&w, &p->sums, p->sums.count, &w.depth))
        return NULL;
    if ((p->sums.count == 1 && (p->columns.count == 1 || w.width >= 4 * w.columns)) ||
        w.width > WIDTH_MOST || (w.m < LEAST_ROWS && !p->has_phases) ||
        w.rows * w.width < w.lanes ||
        (double)w.m * (double)w.depth * (double)w.rows * (double)w.width < (double)LEAST_WORK)
        return NULL;
    if (!read_batch(&w)) {
        *p = old;
        return NULL;
    }
    w.x_tiles = ceil_div(w.m, TILE_ROWS);
    choose_rows(&w);
    choose_chunks(&w);
    struct tir_stmt *packing = pack_x(&w);
    if (is_packed_once(p))
        p->front[p->front_count++] = packing;
    else
        items[n++] = packing;
    items[n++] = all_tasks(&w);
    return sch_seq(s, items, n);
}
