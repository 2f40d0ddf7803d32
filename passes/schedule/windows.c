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
 *     tiles[it, k, r] = X(it * 8 + r, k)                       once; of constants: when it is compiled
 *     for task in T.parallel(..):
 *         for kk in range(..):                                 blocks of k
 *             flat[k, row * width + c] = Y(kk * depth + k, first + row, c)
 *             for ic in range(..):                             24 tiles of rows
 *                 for ib in range(24):
 *                     for p in range(..):                      panels of two vectors
 *                         acc[8, 32] = part[..]                (0 in the first round)
 *                         for k in range(depth):
 *                             acc[r, c] = T.fma(tiles[.., k, r], flat[k, p * 32 + c], acc[r, c])
 *                         part[..] = acc[8, 32]
 *         C[.., i, first + row, c] = part[i, row * width + c]
 *
 * (windows_columns.c), or, of few columns, with the two changing places (windows_channels.c).  Tiles have 6 rows where
 * there are 16 registers.  Where the columns of all rows are beside each other in C, tiles are stored there at once;
 * and where they are so in Y, it is read where it lies.
 * Every element is summed in the order of the loops that this replaces.
 */
#include "passes/schedule/windows.h"

enum {
    WIDTH_MOST = 4096,
    LEAST_WORK = 16384, /* multiply-adds that are worth the code */
    LEAST_ROWS = 4,     /* Y is copied for so many, where columns lie in a row */
    /* Of a tile: two vectors of sums for each row, two of Y and one of X are in registers, of which there are 16; .. */
    TILE_LEAST = 5,
    TILE_MOST = 6,
    WIDE_BYTES = 64, /* .. or 32, where vectors are as long as that */
    WIDE_TILE_MOST = 8,
};

/* ---- what is multiplied, by numbers instead of loops ---- */

/* The variables of @loops, which count up to @flat together; of all but the first the extents are known. */
static void unflatten(const struct windows *w, const struct matmul_loops *loops,
                      const struct ir_expr *flat, struct ir_bindings *out)
{
    int64_t stride = 1, extent;

    for (unsigned n = loops->count; n-- > 0;) {
        const struct ir_expr *value = sch_div(w->s, flat, stride);

        if (n > 0 && sch_constant(w->s, loops->items[n]->loop.extent, &extent)) {
            value = rest_of(w, value, extent);
            stride *= extent;
        }
        array_push(out, (struct ir_binding){loops->items[n]->loop.var, value});
    }
}

const struct ir_expr *windows_put(const struct windows *w, const struct ir_expr *a,
                                  const struct ir_expr *batch, const struct ir_expr *i,
                                  const struct ir_expr *k, const struct ir_expr *row,
                                  const struct ir_expr *column)
{
    struct ir_bindings all = {0};

    if (batch)
        unflatten(w, &w->batch, batch, &all);
    if (i)
        array_push(&all, (struct ir_binding){w->p->i, i});
    if (k)
        unflatten(w, &w->p->sums, k, &all);
    if (row)
        unflatten(w, &w->row_loops, row, &all);
    if (column)
        array_push(&all, (struct ir_binding){w->p->j, column});
    a = ir_expr_substitute(w->s->context, a, &all);
    array_finish(&all);
    return a;
}

const struct ir_expr *windows_x(const struct windows *w, const struct ir_expr *x,
                                const struct ir_expr *x_batch, const struct ir_expr *i,
                                const struct ir_expr *k)
{
    struct ir_bindings batch = {0};

    unflatten(w, &w->x_batch, x_batch, &batch);
    x = windows_put(w, x, NULL, i, k, NULL, NULL);
    x = ir_expr_substitute(w->s->context, x, &batch);
    array_finish(&batch);
    return x;
}

const struct ir_expr *windows_or_zero(const struct windows *w, const struct ir_expr *condition,
                                      const struct ir_expr *a)
{
    struct ir_context *context = w->s->context;
    const struct ir_expr *zero =
        a->dtype.code == IR_FLOAT ? zero_of(w) : sch_int(w->s, a->dtype, 0);
    const struct ir_expr *args[] = {condition, a, zero};

    return ir_expr_call(context, a->dtype, atom_intern_text(&context->atoms, "if_then_else"), args,
                        3);
}

const struct ir_expr *windows_first_tile(const struct windows *w, const struct ir_expr *batch)
{
    const struct ir_expr *tile = num(w, 0);
    struct ir_bindings all = {0};
    int64_t stride = 1, extent;

    unflatten(w, &w->batch, batch, &all);
    for (unsigned n = w->x_batch.count; n-- > 0;) {
        const struct tir_stmt *loop = w->x_batch.items[n];

        tile = plus(w, tile, times(w, ir_bindings_find(&all, loop->loop.var), stride * w->x_tiles));
        if (sch_constant(w->s, loop->loop.extent, &extent))
            stride *= extent;
    }
    array_finish(&all);
    return tile;
}

struct tir_stmt *windows_copy_y(const struct windows *w, const struct window_task *t,
                                const struct ir_expr *kk, const struct ir_expr *end)
{
    struct schedule *s = w->s;
    const struct ir_var *k = var(w, "k"), *q = var(w, "q"), *c = var(w, "c"), *z = var(w, "c");
    const struct ir_expr *first = times(w, kk, w->block);
    const struct ir_expr *used = times(w, t->rows, w->width);
    const struct ir_expr *at[] = {sch_use(s, k),
                                  plus(w, times(w, sch_use(s, q), w->width), sch_use(s, c))};
    const struct ir_expr *y = windows_y_step(w, t->batch, plus(w, first, at[0]),
                                             plus(w, t->row, sch_use(s, q)), sch_use(s, c));
    struct tir_stmt *items[2];
    unsigned n = 0;

    items[n++] =
        serial(w, q, t->rows, vector(w, c, num(w, w->width), sch_store(s, t->flat, at, y)));
    const struct ir_expr *gap = sch_sub(s, end, used);
    if (!ir_expr_is_int(gap, 0)) {
        const struct ir_expr *zero_at[] = {at[0], plus(w, used, sch_use(s, z))};
        items[n++] = vector(w, z, gap, sch_store(s, t->flat, zero_at, zero_in(w, t->flat)));
    }
    return serial(w, k, rest(w, w->block, w->depth, first), sch_seq(s, items, n));
}

struct tir_stmt *windows_store(const struct windows *w, const struct window_task *t,
                               const struct ir_expr *i, const struct ir_expr *row,
                               const struct ir_expr *column, const struct ir_expr *value)
{
    struct schedule *s = w->s;
    struct matmul *p = w->p;
    const struct ir_expr **at =
        arena_array(&s->run->scratch, const struct ir_expr *, p->c->ndim + 1);

    for (unsigned d = 0; d < p->c->ndim; d++)
        at[d] = windows_put(w, p->indices[d], t->batch, i, NULL, row, column);
    struct tir_stmt *store =
        p->epilogue ? epilogue_store(s, p->epilogue, at, value) : sch_store(s, p->c, at, value);
    p->has_epilogue = p->epilogue != NULL;
    if (!p->epilogue)
        store->loc = p->loc;
    return store;
}

/* ---- choosing ---- */

/* .. and a smaller one, which waits for its sums. */
int64_t windows_tiles_cost(int64_t count, int64_t height)
{
    int64_t left = count % height;

    return count - left + (left == 0 ? 0 : left < WAITING_ROWS ? WAITING_ROWS : left);
}

/* What @count rows cost in tiles of @height, of which each loads @height + 2 vectors for 2 * @height sums. */
static double tile_cost(int64_t count, int64_t height)
{
    return (double)windows_tiles_cost(count, height) * (1 + 1 / (double)height);
}

int64_t windows_tile_height(const struct windows *w, int64_t count)
{
    bool is_wide = w->s->vector_bytes >= WIDE_BYTES;
    int64_t best = is_wide ? WIDE_TILE_MOST : TILE_MOST;

    for (int64_t height = best; height >= (is_wide ? TILE_MOST : TILE_LEAST); height--)
        if (tile_cost(count, height) < tile_cost(count, best))
            best = height;
    return best;
}

static bool product_of(struct windows *w, const struct matmul_loops *loops, int64_t *out)
{
    int64_t extent;

    *out = 1;
    for (unsigned n = 0; n < loops->count; n++)
        if (!sch_constant(w->s, loops->items[n]->loop.extent, &extent) || extent < 1 ||
            __builtin_mul_overflow(*out, extent, out) || *out > INT32_MAX)
            return false;
    return true;
}

/* Batch loops of known extents go round in the tasks; those that count rows do as well. */
static bool read_batch(struct windows *w)
{
    struct matmul *p = w->p;
    unsigned count = 0;
    int64_t extent;

    for (unsigned n = 0; n < p->batch_count; n++) {
        bool is_row = false;
        for (unsigned c = 0; c < w->row_loops.count; c++)
            is_row |= w->row_loops.items[c] == p->batch[n];
        if (is_row)
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
    return product_of(w, &w->batch, &w->batches) && product_of(w, &w->x_batch, &w->x_batches);
}

/* Is X the same in all rounds of the loops that stay outside? */
static bool is_packed_once(const struct matmul *p)
{
    for (unsigned n = 0; n < p->batch_count; n++)
        if (ir_expr_uses_var(p->x, p->batch[n]->loop.var))
            return false;
    return true;
}

/*
 * Rows are counted by the column loops in front of the last, from the last of them on, whose extents are known; the
 * others stay around all.  Where that is none, by the last of them.
 */
static void read_rows(struct windows *w)
{
    const struct matmul_loops *columns = &w->p->columns;
    unsigned first = columns->count - 1;
    int64_t extent;

    while (first > 0 && sch_constant(w->s, columns->items[first - 1]->loop.extent, &extent))
        first--;
    if (first > 0 && first == columns->count - 1)
        first--;
    for (unsigned n = first; n + 1 < columns->count; n++)
        w->row_loops.items[w->row_loops.count++] = columns->items[n];
}

static bool is_open(struct windows *w)
{
    bool knows_rows = product_of(w, &w->row_loops, &w->rows);

    if (!knows_rows)
        w->rows = 0;
    return !sch_constant(w->s, w->p->n, &w->width) || !knows_rows;
}

/* Vectors of channels copy Y twice, and their results are turned before they are stored: as much as so many steps of the sum. */
static const double CHANNELS_STEPS = 24;

static struct tir_stmt *of_known(struct windows *w, struct tir_stmt **out_packing)
{
    int64_t columns, channels;

    if (w->width < 1 || w->width > WIDTH_MOST ||
        (!w->dot && w->p->sums.count == 1 && w->width >= 4 * w->columns) ||
        (double)w->m * (double)w->depth * (w->dot ? 4 : 1) * (double)w->rows * (double)w->width <
            (double)LEAST_WORK ||
        !read_batch(w))
        return NULL;
    columns = windows_column_cost(w);
    channels = windows_channel_cost(w);
    if (columns == 0 && channels == 0)
        return NULL;
    double turned = (double)channels * (1 + CHANNELS_STEPS / (double)w->depth);
    return channels > 0 && (columns == 0 || turned < (double)columns)
               ? windows_by_channels(w, out_packing)
               : windows_by_columns(w, out_packing);
}

struct tir_stmt *matmul_windows(struct schedule *s, struct matmul *p)
{
    struct matmul old = *p;
    struct windows w = {
        .s = s, .p = p, .dtype = p->j->dtype, .lanes = schedule_lanes(s, p->c->dtype)};
    struct tir_stmt *items[2], *packing, *tasks;
    struct matmul_dot dot;
    unsigned n = 0;

    w.columns = w.lanes * TILE_VECTORS;
    if (!p->i || !p->starts_at_zero || w.lanes < 2 || !sch_constant(s, p->m, &w.m) ||
        (w.m < LEAST_ROWS && !p->has_phases) || !product_of(&w, &p->sums, &w.depth) ||
        (p->sums.count == 1 && p->columns.count == 1))
        return NULL;
    read_rows(&w);
    if (!is_open(&w)) {
        if (windows_read_dot(&w, &dot)) {
            w.dot = &dot;
            w.depth = ceil_div(w.depth, 4);
        }
        tasks = of_known(&w, &packing);
    } else {
        tasks = read_batch(&w) ? windows_of_open(&w, &packing) : NULL;
    }
    if (!tasks) {
        *p = old;
        return NULL;
    }
    if (is_packed_once(p))
        p->front[p->front_count++] = packing;
    else
        items[n++] = packing;
    items[n++] = tasks;
    return sch_seq(s, items, n);
}
