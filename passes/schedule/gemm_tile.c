/* One tile of a product: its sums in registers, from zero or from what C has to what is stored. */
#include "base/array.h"
#include "base/util.h"
#include "passes/schedule/gemm.h"

enum { CODE = 64 }; /* rows of panels that the code of one step has at most */

/* [panel,] row, column */
static struct ir_buffer *tile_buffer(struct gemm *g, const struct place *place, const char *name,
                                     const char *scope)
{
    int64_t shape[] = {place->panels, place->rows, g->columns};
    unsigned skipped = place->panels == 1;

    return sch_buffer(g->s, name, g->p->c->dtype, scope, shape + skipped, 3 - skipped);
}

/* Statement @make for each row of a tile, and @count columns of each of its panels; it is told where in @acc. */
static struct tir_stmt *
each(struct gemm *g, const struct place *place, struct ir_buffer *acc, const struct ir_expr *count,
     struct tir_stmt *make(struct gemm *, const struct place *, struct ir_buffer *,
                           const struct ir_expr *const *))
{
    const struct ir_var *q = var(g, "q"), *r = var(g, "r"), *c = var(g, "c");
    const struct ir_expr *at[] = {sch_use(g->s, q), sch_use(g->s, r), sch_use(g->s, c)};
    struct place one = *place;

    if (place->panels == 1)
        return sch_for(g->s, TIR_UNROLLED, r, num(g, place->rows),
                       vector(g, c, count, make(g, place, acc, at + 1)));
    one.panel = plus(g, place->panel, at[0]);
    one.own = plus(g, place->own, at[0]);
    one.panels = 1;
    struct tir_stmt *columns = vector(g, c, count, make(g, &one, acc, at));
    return sch_for(g->s, TIR_UNROLLED, q, num(g, place->panels),
                   sch_for(g->s, TIR_UNROLLED, r, num(g, place->rows), columns));
}

/* The row, from the tile's first on, and the column of the panel of acc[@at]. */
static const struct ir_expr *row_at(const struct ir_buffer *acc, const struct ir_expr *const *at)
{
    return at[acc->ndim - 2];
}

static const struct ir_expr *column_at(const struct ir_buffer *acc, const struct ir_expr *const *at)
{
    return at[acc->ndim - 1];
}

static const struct ir_expr *const *c_at(struct gemm *g, const struct place *place,
                                         const struct ir_buffer *acc,
                                         const struct ir_expr *const *at)
{
    return matmul_c(g->s, g->p, plus(g, place->row, row_at(acc, at)),
                    gemm_column(g, place->panel, column_at(acc, at)));
}

static struct tir_stmt *make_zero(struct gemm *g, const struct place *place, struct ir_buffer *acc,
                                  const struct ir_expr *const *at)
{
    const struct ir_expr *sums[] = {place->panel, g->steps, column_at(acc, at)}, *sum;

    if (!g->dot || !g->dot->is_moved)
        return sch_store(g->s, acc, at, gemm_zero(g, acc->dtype));
    sum = sch_load(g->s, g->panels, sums);
    return sch_store(g->s, acc, at,
                     ir_dtype_equal(sum->dtype, acc->dtype)
                         ? sum
                         : ir_expr_cast(g->s->context, acc->dtype, sum));
}

static struct tir_stmt *make_load(struct gemm *g, const struct place *place, struct ir_buffer *acc,
                                  const struct ir_expr *const *at)
{
    return sch_store(g->s, acc, at, sch_load(g->s, g->p->c, c_at(g, place, acc, at)));
}

static struct tir_stmt *make_store(struct gemm *g, const struct place *place, struct ir_buffer *acc,
                                   const struct ir_expr *const *at)
{
    const struct ir_expr *const *to = c_at(g, place, acc, at), *value = sch_load(g->s, acc, at);
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
    struct tir_stmt *items[3];

    if (!g->epilogue || !epilogue_is_long(g->epilogue))
        return each(g, place, acc, place->columns, make_store);
    g->staged = tile_buffer(g, place, "staged", "global");
    items[0] = sch_alloc(g->s, g->staged);
    items[1] = each(g, place, acc, num(g, g->columns), make_copy);
    items[2] = each(g, place, g->staged, place->columns, make_store);
    items[2]->loop.kind = TIR_SERIAL;
    return sch_seq(g->s, items, 3);
}

/* What panels have for value @k and column @c; of narrow ones without the scale. */
static const struct ir_expr *step_y(struct gemm *g, const struct place *place,
                                    const struct ir_expr *k, const struct ir_expr *c)
{
    const struct ir_expr *at[] = {g->is_by_task ? place->own : place->panel,
                                  g->is_by_task ? place->step : k, c};

    return g->narrow && !g->is_by_task
               ? gemm_narrow_value(g, g->narrow->elements, place->panel, k, c)
               : sch_load(g->s, g->panels, at);
}

/* acc[r, c] += X(row + r, k) * panels[panel, k, c], for value place->block of k */
static struct tir_stmt *make_step(struct gemm *g, const struct place *place, struct ir_buffer *acc,
                                  const struct ir_expr *const *at)
{
    struct schedule *s = g->s;
    const struct ir_expr *depth = place->block, *row = row_at(acc, at);
    const struct ir_expr *tile_at[] = {place->tile, depth, plus(g, place->lane, row)};
    const struct ir_expr *x = g->tiles ? sch_load(s, g->tiles, tile_at)
                                       : matmul_x(s, g->p, plus(g, place->row, row), depth);
    const struct ir_expr *y = step_y(g, place, depth, column_at(acc, at));
    const struct ir_expr *to = sch_load(s, acc, at);
    const struct ir_expr *step = g->dot ? matmul_dot_step(s, x, y, to) : matmul_step(s, x, y, to);
    struct tir_stmt *store = sch_store(s, acc, at, ir_expr_at(s->context, g->p->loc, step));

    store->loc = g->p->loc;
    return store;
}

const struct ir_expr *gemm_block_first(struct gemm *g, const struct place *place)
{
    return times(g, place->block, g->block_depth);
}

const struct ir_expr *gemm_block_extent(struct gemm *g, const struct place *place)
{
    const struct ir_expr *left = sch_sub(g->s, g->steps, gemm_block_first(g, place));

    return g->block_depth ? sch_min(g->s, num(g, g->block_depth), left) : g->steps;
}

/* acc[r, c] += part[r, c] * the scale of the block of k that value place->block is of */
static struct tir_stmt *make_scaled(struct gemm *g, const struct place *place,
                                    struct ir_buffer *acc, const struct ir_expr *const *at)
{
    const struct ir_expr *scale =
        gemm_narrow_value(g, g->narrow->scale, place->panel, place->block, column_at(acc, at));

    return sch_store(
        g->s, acc, at,
        matmul_step(g->s, sch_load(g->s, g->part, at), scale, sch_load(g->s, acc, at)));
}

/* The same for @count values of k from @first on: acc[r, c] += .., one value behind the other. */
static struct tir_stmt *unrolled(struct gemm *g, const struct place *place, struct ir_buffer *acc,
                                 const struct ir_expr *first, int64_t count)
{
    struct tir_stmt *items[NARROW_DEPTH];
    struct place step = *place;

    for (int64_t n = 0; n < count; n++) {
        step.block = plus(g, first, num(g, n));
        items[n] = each(g, &step, acc, num(g, g->columns), make_step);
    }
    return sch_seq(g->s, items, (unsigned)count);
}

static int64_t unrolled_depth(const struct place *place)
{
    int64_t depth = NARROW_DEPTH;

    while (depth > 2 && depth * place->rows * place->panels > CODE)
        depth /= 2;
    return depth;
}

/* .. of any number of values, some at a time: what one byte has of several is taken apart without asking for which. */
static struct tir_stmt *narrow_steps(struct gemm *g, const struct place *place,
                                     struct ir_buffer *acc, const struct ir_expr *first,
                                     int64_t count)
{
    struct schedule *s = g->s;
    int64_t depth = unrolled_depth(place), rounds = count / depth;
    const struct ir_var *ko = var(g, "ko");
    struct ir_range range = {ko, num(g, 0), num(g, rounds)};
    struct tir_stmt *items[2];
    unsigned n = 0;

    if (rounds > 0) {
        const struct ir_expr *k = plus(g, first, times(g, sch_use(s, ko), depth));
        array_push(&s->ranges, range);
        items[n] = sch_for(s, TIR_SERIAL, ko, range.extent, unrolled(g, place, acc, k, depth));
        s->ranges.count--;
        n++;
    }
    if (count % depth > 0)
        items[n++] = unrolled(g, place, acc, plus(g, first, num(g, rounds * depth)), count % depth);
    return sch_seq(s, items, n);
}

/* One block that has a scale, or what there is of it. */
static struct tir_stmt *scaled_block(struct gemm *g, const struct place *place,
                                     struct ir_buffer *acc, const struct ir_expr *first,
                                     int64_t count)
{
    struct place block = *place;
    const struct ir_expr *all = num(g, g->columns);

    block.block = first;
    struct tir_stmt *items[] = {each(g, place, g->part, all, make_zero),
                                narrow_steps(g, place, g->part, first, count),
                                each(g, &block, acc, all, make_scaled)};
    return sch_seq(g->s, items, ARRAY_SIZE(items));
}

/* All values of k, of panels of narrow elements. */
static struct tir_stmt *multiply_narrow(struct gemm *g, const struct place *place,
                                        struct ir_buffer *acc)
{
    struct schedule *s = g->s;
    const struct ir_var *kb = var(g, "kb");
    int64_t depth = 0, size = g->narrow->block;
    struct tir_stmt *items[3];
    unsigned n = 0;

    (void)sch_constant(s, g->steps, &depth);
    if (!g->narrow->scale)
        return narrow_steps(g, place, acc, num(g, 0), depth);
    int64_t blocks = depth / size;
    g->part = tile_buffer(g, place, "part", "local");
    items[n++] = sch_alloc(s, g->part);
    if (blocks > 0)
        items[n++] = sch_for(s, TIR_SERIAL, kb, num(g, blocks),
                             scaled_block(g, place, acc, times(g, sch_use(s, kb), size), size));
    if (depth % size > 0)
        items[n++] = scaled_block(g, place, acc, num(g, blocks * size), depth % size);
    return sch_seq(s, items, n);
}

/* The same for all k of the block, and all of the tile. */
static struct tir_stmt *multiply(struct gemm *g, const struct place *place, struct ir_buffer *acc)
{
    struct schedule *s = g->s;
    const struct ir_var *k = var(g, "k");
    struct place step = *place;

    if (g->narrow && !g->is_by_task)
        return multiply_narrow(g, place, acc);
    step.step = sch_use(s, k);
    step.block = plus(g, gemm_block_first(g, place), step.step);
    return fetch_steps(s, &g->fetch,
                       sch_for(s, TIR_SERIAL, k, gemm_block_extent(g, place),
                               each(g, &step, acc, num(g, g->columns), make_step)));
}

struct tir_stmt *gemm_tile(struct gemm *g, const struct place *place)
{
    struct schedule *s = g->s;
    struct ir_buffer *acc = tile_buffer(g, place, "acc", "local");
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
