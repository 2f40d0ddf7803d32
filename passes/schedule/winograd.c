/*
 * Convolutions over windows of 3 by 3 with 16 products for four elements of the result, where there were 36: S. Winograd's minimal
 * filtering F(2 x 2, 3 x 3), as A. Lavin and S. Gray use it ("Fast Algorithms for Convolutional Neural Networks", 2016):
 *
 *     U[p, c, o] = G W G'                        4 by 4 numbers for each window, of constants when the program is compiled
 *     for tg in T.parallel(..):                  some rows of tiles of 2 by 2 elements
 *         V[p, t, c] = B' X B                    of the 4 by 4 elements that tile t needs, for all channels
 *         for og in range(..):                   blocks of channels of the result
 *             M[p, t, o] = sum of V[p, t, c] * U[p, c, o]        16 products of matrices (blocks.c)
 *             C[.., 2 by 2 of tile t] = A' M A
 *
 * Channels are in blocks of a vector, so that B' X B and A' M A are sums of vectors.  Where tiles reach beyond the image they
 * read its last elements instead, which only what is not stored depends on.
 *
 * The numbers in G are products of 1 and 1/2, those in A and B are 1, so that whole numbers stay exact; what other sums
 * lose was measured (docs/schedules.md).  An infinite element of X gives NaN where the direct sum gives an infinite one.
 */
#include "passes/schedule/winograd.h"

enum { PAGE = 2048 }; /* rows of V that are so many bytes apart need the same lines of the cache */

/* What a row of B' or A' adds up. */
struct sum {
    int count;
    struct {
        int at, sign;
    } terms[3];
};

static const struct sum input_sums[IN] = {
    {2, {{0, 1}, {2, -1}}}, {2, {{1, 1}, {2, 1}}}, {2, {{2, 1}, {1, -1}}}, {2, {{1, 1}, {3, -1}}}};
static const struct sum output_sums[OUT] = {{3, {{0, 1}, {1, 1}, {2, 1}}},
                                            {3, {{1, 1}, {2, -1}, {3, -1}}}};
static const double weight_rows[IN][WINDOW] = {
    {1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}};

/* ---- small arrays in registers ---- */

/* @make for each [a, b] of @high by @wide, and each lane. */
static struct tir_stmt *
each(const struct winograd *w, int64_t high, int64_t wide, int64_t lanes, enum tir_for_kind kind,
     struct tir_stmt *make(const struct winograd *, void *, const struct ir_expr *const *),
     void *state)
{
    const struct ir_var *a = blocks_var(w->b, "a"), *c = blocks_var(w->b, "c"),
                        *l = blocks_var(w->b, "l");
    const struct ir_expr *at[] = {use(w, a), use(w, c), use(w, l)};
    struct tir_stmt *body = make(w, state, at);

    body = sch_for(w->s, TIR_VECTORIZED, l, num(w, lanes), body);
    body = sch_for(w->s, kind, c, num(w, wide), body);
    return sch_for(w->s, kind, a, num(w, high), body);
}

/* The sum of the elements of @from that @sum names, along axis @axis of [a, b, l]; the other is @other. */
static const struct ir_expr *sum_of(const struct winograd *w, const struct ir_buffer *from,
                                    const struct sum *sum, unsigned axis,
                                    const struct ir_expr *other, const struct ir_expr *lane)
{
    const struct ir_expr *total = NULL;

    for (int i = 0; i < sum->count; i++) {
        const struct ir_expr *own = num(w, sum->terms[i].at);
        const struct ir_expr *at[] = {axis == 0 ? own : other, axis == 0 ? other : own, lane};
        const struct ir_expr *term = sch_load(w->s, from, at);
        enum ir_expr_kind kind = sum->terms[i].sign > 0 ? IR_EXPR_add : IR_EXPR_sub;
        total = total ? ir_expr_binary(w->s->context, kind, total, term) : term;
    }
    return total;
}

/* to[n, other, l] = the n-th of @sums of from[.., other, l], along @axis */
static struct tir_stmt *add_up(const struct winograd *w, const struct ir_buffer *from,
                               const struct ir_buffer *to, const struct sum *sums, unsigned count,
                               unsigned axis, int64_t others)
{
    const struct ir_var *o = blocks_var(w->b, "c"), *l = blocks_var(w->b, "l");
    struct tir_stmt *items[IN];
    int64_t lanes;

    for (unsigned n = 0; n < count; n++) {
        const struct ir_expr *own = num(w, n), *other = use(w, o), *lane = use(w, l);
        const struct ir_expr *at[] = {axis == 0 ? own : other, axis == 0 ? other : own, lane};
        items[n] = sch_store(w->s, to, at, sum_of(w, from, &sums[n], axis, other, lane));
        items[n]->loc = w->p->loc;
    }
    (void)sch_constant(w->s, to->shape[2], &lanes);
    struct tir_stmt *body =
        sch_for(w->s, TIR_VECTORIZED, l, num(w, lanes), sch_seq(w->s, items, count));
    return sch_for(w->s, TIR_UNROLLED, o, num(w, others), body);
}

static struct ir_buffer *registers(const struct winograd *w, const char *name, int64_t high,
                                   int64_t wide, int64_t lanes)
{
    int64_t shape[] = {high, wide, lanes};

    return sch_buffer(w->s, name, w->p->c->dtype, "local", shape, 3);
}

/* ---- U ---- */

/* Y of the channels in scope, and window element @a, @c. */
static const struct ir_expr *weight(const struct winograd *w, const struct ir_expr *y, int64_t a,
                                    int64_t c)
{
    y = sch_put(w->s, y, w->taps[0]->loop.var, num(w, a));
    y = sch_put(w->s, y, w->taps[1]->loop.var, num(w, c));
    return ir_expr_cast(w->s->context, IR_F64, y);
}

/* Number @n of G W G', in float64 and rounded once. */
static const struct ir_expr *transformed_weight(const struct winograd *w, const struct ir_expr *y,
                                                unsigned n)
{
    struct ir_context *context = w->s->context;
    const struct ir_expr *total = NULL;

    for (int64_t a = 0; a < WINDOW; a++)
        for (int64_t c = 0; c < WINDOW; c++) {
            double factor = weight_rows[n / IN][a] * weight_rows[n % IN][c];
            const struct ir_expr *term;
            if (factor == 0)
                continue;
            term = ir_expr_binary(context, IR_EXPR_mul, weight(w, y, a, c),
                                  ir_expr_float(context, IR_F64, factor));
            total = total ? ir_expr_binary(context, IR_EXPR_add, total, term) : term;
        }
    return ir_expr_cast(context, w->p->c->dtype, total);
}

/* Group @og of the blocks for number @n, as a group of the panels: they lie in the order in which they are read. */
static const struct ir_expr *panel_group(const struct winograd *w, const struct ir_expr *n)
{
    return sch_add(w->s, sch_mul(w->s, use(w, w->og), ALL), n);
}

static struct tir_stmt *pack(struct winograd *w)
{
    struct blocks *b = w->b;
    struct schedule *s = w->s;
    const struct ir_var *v = blocks_var(b, "v"), *l = blocks_var(b, "l");
    const struct ir_expr **dims =
        arena_array(&s->run->scratch, const struct ir_expr *, b->sum_count + 2);
    const struct ir_expr *block = sch_add(s, sch_mul(s, use(w, w->og), b->vectors), use(w, v));
    const struct ir_expr *y = blocks_put(b, w->p->y, NULL, block, use(w, l));
    struct tir_stmt *items[ALL];

    dims[0] = num(w, ALL * (b->count / b->vectors));
    for (unsigned n = 0; n < b->sum_count; n++)
        dims[n + 1] = b->sums[n]->loop.extent;
    dims[b->sum_count + 1] = num(w, b->vectors * b->lanes);
    b->panels = sch_buffer_of(s, "panels", w->p->c->dtype, "global", dims, b->sum_count + 2);
    w->p->allocs[w->p->alloc_count++] = sch_alloc(s, b->panels);
    for (unsigned n = 0; n < ALL; n++) {
        const struct ir_expr **at =
            arena_array(&s->run->scratch, const struct ir_expr *, b->sum_count + 2);
        at[0] = panel_group(w, num(w, n));
        for (unsigned k = 0; k < b->sum_count; k++)
            at[k + 1] = use(w, b->sums[k]->loop.var);
        at[b->sum_count + 1] = sch_add(s, sch_mul(s, use(w, v), b->lanes), use(w, l));
        items[n] = sch_store(s, b->panels, at, transformed_weight(w, y, n));
    }
    struct tir_stmt *body = sch_for(s, TIR_VECTORIZED, l, num(w, b->lanes), sch_seq(s, items, ALL));
    body = blocks_around_sums(b, sch_for(s, TIR_SERIAL, v, num(w, b->vectors), body));
    return loop_copy_fresh(s->module,
                           sch_for(s, TIR_PARALLEL, w->og, num(w, b->count / b->vectors), body));
}

/* ---- V ---- */

/* tg * group + r */
static const struct ir_expr *tile_row(const struct winograd *w)
{
    return sch_add(w->s, sch_mul(w->s, use(w, w->tg), w->group), use(w, w->r));
}

/* .. or the last one, which is read again where the last group has fewer. */
static const struct ir_expr *read_row(const struct winograd *w)
{
    const struct ir_expr *row = tile_row(w);

    return w->high % w->group == 0 ? row : sch_min(w->s, row, num(w, w->high - 1));
}

/* Rows of the group @tg. */
static const struct ir_expr *row_count(const struct winograd *w)
{
    const struct ir_expr *left;

    if (w->high % w->group == 0)
        return num(w, w->group);
    left = sch_sub(w->s, num(w, w->high), sch_mul(w->s, use(w, w->tg), w->group));
    return sch_min(w->s, num(w, w->group), left);
}

/* @body for all tiles of a group, of @rows rows; as one loop where threads share it, for which rows alone would be few. */
static struct tir_stmt *each_tile(const struct winograd *w, const struct ir_expr *rows,
                                  enum tir_for_kind kind, struct tir_stmt *body)
{
    struct schedule *s = w->s;
    const struct ir_var *both = blocks_var(w->b, "both");
    const struct ir_expr *column, *row;
    int64_t count;

    if (kind == TIR_SERIAL || !sch_constant(s, rows, &count)) {
        body = sch_for(s, TIR_SERIAL, w->tw, num(w, w->wide), body);
        return sch_for(s, kind, w->r, rows, body);
    }
    row = sch_div(s, use(w, both), w->wide);
    column = ir_expr_binary(s->context, IR_EXPR_floormod, use(w, both), num(w, w->wide));
    body = sch_copy(s, sch_copy(s, body, w->r, row), w->tw, column);
    return sch_for(s, kind, both, num(w, count * w->wide), body);
}

/* The number of the tile in its group. */
static const struct ir_expr *tile_number(const struct winograd *w)
{
    return sch_add(w->s, sch_mul(w->s, use(w, w->r), w->wide), use(w, w->tw));
}

/* Element @at of tile @tile along an axis of X, of @extent windows. */
static const struct ir_expr *element(const struct winograd *w, const struct ir_expr *tile,
                                     const struct ir_expr *at, int64_t extent)
{
    const struct ir_expr *place = sch_add(w->s, sch_mul(w->s, tile, OUT), at);

    return extent % OUT == 0 ? place : sch_min(w->s, place, num(w, extent + WINDOW - 2));
}

static struct tir_stmt *make_read(const struct winograd *w, void *state,
                                  const struct ir_expr *const *at)
{
    const struct ir_buffer *to = state;
    struct schedule *s = w->s;
    const struct ir_expr *x = w->p->x;

    for (unsigned i = 0; i < 2; i++)
        x = sch_put(s, x, w->taps[i]->loop.var, num(w, 0));
    x = sch_put(s, x, w->row->loop.var, element(w, read_row(w), at[0], w->rows));
    x = sch_put(s, x, w->p->i, element(w, use(w, w->tw), at[1], w->columns));
    x = sch_put(s, x, w->b->sums[w->b->sum_count - 1]->loop.var, at[2]);
    return sch_store(s, to, at, x);
}

/* The number of the channel that is first in the block of the loops of the sum but the last. */
static const struct ir_expr *first_channel(const struct winograd *w)
{
    const struct ir_expr *at = num(w, 0);
    int64_t extent;

    for (unsigned n = 0; n + 1 < w->b->sum_count; n++) {
        (void)sch_constant(w->s, w->b->sums[n]->loop.extent, &extent);
        at = sch_add(w->s, sch_mul(w->s, at, extent), use(w, w->b->sums[n]->loop.var));
    }
    return sch_mul(w->s, at, w->inner);
}

static struct tir_stmt *make_write(const struct winograd *w, void *state,
                                   const struct ir_expr *const *at)
{
    const struct ir_buffer *from = state;
    struct schedule *s = w->s;
    const struct ir_expr *to[] = {sch_add(s, sch_mul(s, at[0], IN), at[1]), tile_number(w),
                                  sch_add(s, first_channel(w), at[2])};

    return sch_store(s, w->v, to, sch_load(s, from, at));
}

/* V of a group of tiles. */
static struct tir_stmt *read_tiles(const struct winograd *w, enum tir_for_kind kind)
{
    struct schedule *s = w->s;
    struct ir_buffer *d = registers(w, "d", IN, IN, w->inner),
                     *e = registers(w, "e", IN, IN, w->inner),
                     *f = registers(w, "f", IN, IN, w->inner);
    struct tir_stmt *items[] = {
        sch_alloc(s, d),
        sch_alloc(s, e),
        sch_alloc(s, f),
        each(w, IN, IN, w->inner, TIR_UNROLLED, make_read, d),
        add_up(w, d, e, input_sums, IN, 0, IN),
        add_up(w, e, f, input_sums, IN, 1, IN),
        each(w, IN, IN, w->inner, TIR_UNROLLED, make_write, f),
    };
    struct tir_stmt *body = sch_seq(s, items, ARRAY_SIZE(items));
    const struct blocks *b = w->b;

    for (unsigned n = b->sum_count - 1; n-- > 0;)
        body = sch_for(s, TIR_SERIAL, b->sums[n]->loop.var, b->sums[n]->loop.extent, body);
    return each_tile(w, num(w, w->group), kind, body);
}

/* ---- C ---- */

struct output {
    const struct ir_buffer *from;
    const struct ir_expr *vector; /* of the group of blocks */
};

static struct tir_stmt *make_load(const struct winograd *w, void *state,
                                  const struct ir_expr *const *at)
{
    struct output *out = state;
    struct schedule *s = w->s;
    const struct ir_expr *from[] = {sch_add(s, sch_mul(s, at[0], IN), at[1]), tile_number(w),
                                    sch_add(s, sch_mul(s, out->vector, w->b->lanes), at[2])};

    return sch_store(s, out->from, at, sch_load(s, w->m, from));
}

/* The place of element @at of tile @tile along an axis of C, of @extent elements; *@guard: it is there. */
static const struct ir_expr *place_in(const struct winograd *w, const struct ir_expr *tile,
                                      const struct ir_expr *at, int64_t extent,
                                      const struct ir_expr **guard)
{
    struct ir_context *context = w->s->context;
    const struct ir_expr *place = sch_add(w->s, sch_mul(w->s, tile, OUT), at);
    const struct ir_expr *is_there;

    if (extent % OUT == 0)
        return place;
    is_there = ir_expr_binary(context, IR_EXPR_lt, place, num(w, extent));
    *guard = *guard ? ir_expr_binary(context, IR_EXPR_and, *guard, is_there) : is_there;
    return place;
}

/* C of tile element @a, @c, of all lanes. */
static struct tir_stmt *store_element(const struct winograd *w, const struct output *out,
                                      const struct ir_var *a, const struct ir_var *c)
{
    struct schedule *s = w->s;
    const struct matmul *p = w->p;
    const struct ir_var *l = blocks_var(w->b, "l");
    const struct ir_expr *at[] = {use(w, a), use(w, c), use(w, l)}, *guard = NULL;
    const struct ir_expr *row = place_in(w, tile_row(w), at[0], w->rows, &guard);
    const struct ir_expr *column = place_in(w, use(w, w->tw), at[1], w->columns, &guard);
    const struct ir_expr *block = sch_add(s, sch_mul(s, use(w, w->og), w->b->vectors), out->vector);
    const struct ir_expr **to =
        arena_array(&s->run->scratch, const struct ir_expr *, p->c->ndim + 1);
    const struct ir_expr *value = sch_load(s, out->from, at);

    for (unsigned d = 0; d < p->c->ndim; d++)
        to[d] = blocks_put(w->b, sch_put(s, p->indices[d], w->row->loop.var, row), column, block,
                           at[2]);
    struct tir_stmt *store =
        p->epilogue ? epilogue_store(s, p->epilogue, to, value) : sch_store(s, p->c, to, value);
    if (!p->epilogue)
        store->loc = p->loc;
    store = sch_for(s, TIR_VECTORIZED, l, num(w, w->b->lanes), store);
    return guard ? sch_if(s, guard, store, NULL) : store;
}

/* Long epilogues once, of a copy of the tile: registers have no rows. */
static struct tir_stmt *store_tile(const struct winograd *w, const struct output *out)
{
    struct schedule *s = w->s;
    const struct ir_var *a = blocks_var(w->b, "a"), *c = blocks_var(w->b, "c");
    bool is_long = w->p->epilogue && epilogue_is_long(w->p->epilogue);
    enum tir_for_kind kind = is_long ? TIR_SERIAL : TIR_UNROLLED;

    return sch_for(s, kind, a, num(w, OUT),
                   sch_for(s, kind, c, num(w, OUT), store_element(w, out, a, c)));
}

static struct tir_stmt *write_tiles(const struct winograd *w, enum tir_for_kind kind)
{
    struct schedule *s = w->s;
    bool is_long = w->p->epilogue && epilogue_is_long(w->p->epilogue);
    int64_t lanes = w->b->lanes, shape[] = {OUT, OUT, lanes};
    struct ir_buffer *d = registers(w, "d", IN, IN, lanes), *e = registers(w, "e", OUT, IN, lanes);
    struct ir_buffer *f =
        sch_buffer(s, "f", w->p->c->dtype, is_long ? "global" : "local", shape, 3);
    const struct ir_var *v = blocks_var(w->b, "v");
    struct output load = {d, use(w, v)}, out = {f, use(w, v)};
    struct tir_stmt *items[] = {
        sch_alloc(s, d),
        sch_alloc(s, e),
        sch_alloc(s, f),
        each(w, IN, IN, lanes, TIR_UNROLLED, make_load, &load),
        add_up(w, d, e, output_sums, OUT, 0, IN),
        add_up(w, e, f, output_sums, OUT, 1, OUT),
        store_tile(w, &out),
    };
    struct tir_stmt *body = sch_seq(s, items, ARRAY_SIZE(items));

    body = sch_for(s, TIR_SERIAL, v, num(w, w->b->vectors), body);
    return each_tile(w, row_count(w), kind, body);
}

/* ---- the products ---- */

/* M of a group of blocks: 16 products of V and U. */
static struct tir_stmt *multiply(const struct winograd *w, enum tir_for_kind kind)
{
    struct schedule *s = w->s;
    const struct ir_var *n = blocks_var(w->b, "n");
    const struct ir_expr *group = panel_group(w, use(w, n)), *i = use(w, w->p->i);
    const struct ir_expr *channel =
        sch_add(s, first_channel(w), use(w, w->b->sums[w->b->sum_count - 1]->loop.var));
    const struct ir_expr *x[] = {use(w, n), i, channel};
    /* the column in the group of the block o and lane j, as blocks_rows counts them */
    const struct ir_expr *vector =
        sch_sub(s, use(w, w->b->blocks->loop.var), sch_mul(s, group, w->b->vectors));
    const struct ir_expr *column = sch_add(s, sch_mul(s, vector, w->b->lanes), use(w, w->p->j));
    const struct ir_expr *c[] = {use(w, n), i, column};
    struct matmul product = {.loc = w->p->loc,
                             .i = w->p->i,
                             .j = w->p->j,
                             .c = w->m,
                             .indices = c,
                             .x = sch_load(s, w->v, x),
                             .starts_at_zero = true};
    struct blocks blocks = *w->b;

    blocks.p = &product;
    struct tir_stmt *rows = blocks_rows(&blocks, group);
    return fetch_panels(s, &blocks.fetch, sch_for(s, kind, n, num(w, ALL), rows));
}

/* The loops over tiles, around which are those of the batch. */
static struct tir_stmt *nest(struct winograd *w)
{
    struct schedule *s = w->s;
    const struct blocks *b = w->b;
    int64_t groups = group_count(w), blocks = b->count / b->vectors;
    int64_t tiles = w->group * w->wide, row = w->channels;
    bool is_outside = groups >= BLOCKS_GROUPS_LEAST; /* else threads share what is in a group */
    bool is_shared = blocks >= BLOCKS_GROUPS_LEAST;  /* by blocks, or else by numbers and tiles */
    enum tir_for_kind inside = is_outside ? TIR_SERIAL : TIR_PARALLEL;
    enum tir_for_kind of_blocks = is_shared ? inside : TIR_SERIAL;
    enum tir_for_kind of_numbers = is_shared ? TIR_SERIAL : inside;

    if (row * 4 % PAGE == 0)
        row += b->lanes;
    int64_t shape_v[] = {ALL, tiles, row}, shape_m[] = {ALL, tiles, b->vectors * b->lanes};
    w->v = sch_buffer(s, "tiles", w->p->c->dtype, "global", shape_v, 3);
    w->m = sch_buffer(s, "products", w->p->c->dtype, "global", shape_m, 3);
    struct tir_stmt *inner[] = {sch_alloc(s, w->m), multiply(w, of_numbers),
                                write_tiles(w, of_numbers)};
    struct tir_stmt *outer[] = {sch_alloc(s, w->v), read_tiles(w, inside),
                                sch_for(s, of_blocks, w->og, num(w, blocks), sch_seq(s, inner, 3))};
    struct tir_stmt *body = sch_for(s, is_outside ? TIR_PARALLEL : TIR_SERIAL, w->tg,
                                    num(w, groups), sch_seq(s, outer, 3));

    for (unsigned n = w->p->batch_count; n-- > 0;) {
        struct tir_stmt *loop = w->p->batch[n];
        if (loop != b->blocks && loop != w->row)
            body = sch_for(s, TIR_SERIAL, loop->loop.var, loop->loop.extent, body);
    }
    w->p->has_epilogue = w->p->epilogue != NULL;
    return loop_copy_fresh(s->module, body);
}

struct tir_stmt *matmul_winograd(struct blocks *b)
{
    struct winograd w = {.b = b, .s = b->s, .p = b->p};
    struct blocks old = *b;

    if (!winograd_fits(&w)) {
        *b = old;
        return NULL;
    }
    b->rows = w.group * w.wide;
    blocks_choose(b);
    blocks_plan_fetch(b, 0);
    w.tg = blocks_var(b, "tg");
    w.og = blocks_var(b, "og");
    w.r = blocks_var(b, "r");
    w.tw = blocks_var(b, "tw");
    b->p->front[b->p->front_count++] = pack(&w);
    return nest(&w);
}
