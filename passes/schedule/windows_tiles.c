/*
 * Register tiles of products of windows (see windows.c): some rows of X by some columns of Y.
 */
#include "passes/schedule/windows.h"

/* The loops over a tile: of tiles of X, their rows, parts of the panel, and columns of these. */
struct places {
    const struct ir_var *g, *r, *h, *c;
};

static struct places places_of(const struct windows *w)
{
    return (struct places){var(w, "g"), var(w, "r"), var(w, "h"), var(w, "c")};
}

static struct tir_stmt *each_of_tile(const struct windows *w, const struct window_tile *shape,
                                     const struct places *at, struct tir_stmt *body)
{
    body = vector(w, at->c, num(w, shape->columns / w->parts), body);
    if (w->parts > 1)
        body = sch_for(w->s, TIR_UNROLLED, at->h, num(w, w->parts), body);
    body = sch_for(w->s, TIR_UNROLLED, at->r, num(w, shape->rows), body);
    return shape->tiles > 1 ? sch_for(w->s, TIR_UNROLLED, at->g, num(w, shape->tiles), body) : body;
}

/* The column of a panel whose parts are @stride apart. */
static const struct ir_expr *column_at(const struct windows *w, const struct places *at,
                                       int64_t stride)
{
    const struct ir_expr *column = sch_use(w->s, at->c);

    return w->parts > 1 ? plus(w, times(w, sch_use(w->s, at->h), stride), column) : column;
}

/* The tile of X, of those that @shape has from @tile on. */
static const struct ir_expr *tile_at(const struct windows *w, const struct window_tile *shape,
                                     const struct places *at, const struct ir_expr *tile)
{
    return shape->tiles > 1 ? plus(w, tile, sch_use(w->s, at->g)) : tile;
}

static void acc_at(const struct windows *w, const struct window_tile *shape,
                   const struct places *at, const struct ir_expr **out)
{
    out[0] = sch_use(w->s, at->r);
    if (shape->tiles > 1)
        out[0] = plus(w, times(w, sch_use(w->s, at->g), shape->rows), out[0]);
    out[1] = column_at(w, at, shape->columns / w->parts);
}

enum move { SET_ZERO, LOAD_PART, STORE_PART };

/* A statement for each element of a tile: acc = 0, acc = part, or part = acc. */
static struct tir_stmt *move(const struct windows *w, const struct window_task *t,
                             const struct window_tile *shape, struct ir_buffer *acc,
                             const struct ir_expr *tile, const struct ir_expr *panel,
                             enum move kind)
{
    struct schedule *s = w->s;
    const struct places loops = places_of(w);
    const struct ir_expr *at[2];
    const struct ir_expr *place[] = {
        plus(w, times(w, tile_at(w, shape, &loops, tile), TILE_ROWS), sch_use(s, loops.r)),
        plus(w, panel, column_at(w, &loops, w->part_stride))};

    acc_at(w, shape, &loops, at);
    const struct ir_expr *x_tile = plus(w, t->x, plus(w, t->tile, tile_at(w, shape, &loops, tile)));
    struct tir_stmt *store =
        kind == SET_ZERO    ? sch_store(s, acc, at, windows_first(w, x_tile, sch_use(s, loops.r)))
        : kind == LOAD_PART ? sch_store(s, acc, at, sch_load(s, t->part, place))
                            : sch_store(s, t->part, place, sch_load(s, acc, at));
    return each_of_tile(w, shape, &loops, store);
}

/* ---- stores ---- */

static bool is_loop(const struct ir_expr *index, const struct ir_var *v)
{
    return index->kind == IR_EXPR_var && index->var == v;
}

bool windows_is_flat(const struct windows *w)
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

/* C[.., i, row, c] = acc; a panel may go beyond its task, and that beyond the last row. */
static struct tir_stmt *store_tile(const struct windows *w, const struct window_task *t,
                                   const struct window_tile *shape, struct ir_buffer *acc,
                                   const struct ir_expr *tile, const struct ir_expr *panel)
{
    struct schedule *s = w->s;
    const struct places loops = places_of(w);
    const struct ir_expr *own = plus(w, panel, sch_use(s, loops.c)), *at[2];
    const struct ir_expr *first = plus(w, t->tile, tile_at(w, shape, &loops, tile));
    const struct ir_expr *i = plus(w, times(w, first, TILE_ROWS), sch_use(s, loops.r));
    const struct ir_expr *column = plus(w, times(w, t->row, w->width), own);

    acc_at(w, shape, &loops, at);
    struct tir_stmt *store = windows_store(w, t, i, sch_div(s, column, w->width),
                                           rest_of(w, column, w->width), sch_load(s, acc, at));
    if (w->rows % w->task_rows != 0)
        store =
            sch_if(s, ir_expr_binary(s->context, IR_EXPR_lt, column, num(w, w->rows * w->width)),
                   store, NULL);
    if (w->task_rows * w->width % shape->columns != 0)
        store =
            sch_if(s, ir_expr_binary(s->context, IR_EXPR_lt, own, num(w, w->task_rows * w->width)),
                   store, NULL);
    return each_of_tile(w, shape, &loops, store);
}

struct tir_stmt *windows_multiply(const struct windows *w, const struct window_task *t,
                                  struct window_tile shape, const struct ir_expr *tile,
                                  const struct ir_expr *panel, const struct ir_expr *kk)
{
    struct schedule *s = w->s;
    int64_t size[] = {shape.tiles * shape.rows, shape.columns};
    struct ir_buffer *acc = sch_buffer(s, "acc", w->p->c->dtype, "local", size, 2);
    const struct ir_var *k = var(w, "k");
    const struct places loops = places_of(w);
    const struct ir_expr *first = times(w, kk, w->block), *at[2];
    const struct ir_expr *x_at[] = {
        plus(w, t->x, plus(w, t->tile, tile_at(w, &shape, &loops, tile))),
        plus(w, first, sch_use(s, k)), sch_use(s, loops.r)};
    const struct ir_expr *y_at[] = {sch_use(s, k),
                                    plus(w, panel, column_at(w, &loops, w->part_stride))};

    acc_at(w, &shape, &loops, at);
    const struct ir_expr *step = windows_step(w, sch_load(s, w->tiles, x_at),
                                              sch_load(s, t->flat, y_at), sch_load(s, acc, at));
    struct tir_stmt *store = sch_store(s, acc, at, ir_expr_at(s->context, w->p->loc, step));
    struct tir_stmt *zero = move(w, t, &shape, acc, tile, panel, SET_ZERO);
    struct tir_stmt *items[4];

    store->loc = w->p->loc;
    items[0] = sch_alloc(s, acc);
    items[1] = w->blocks == 1 ? zero
                              : sch_if(s, ir_expr_binary(s->context, IR_EXPR_eq, kk, num(w, 0)),
                                       zero, move(w, t, &shape, acc, tile, panel, LOAD_PART));
    items[2] =
        serial(w, k, rest(w, w->block, w->depth, first), each_of_tile(w, &shape, &loops, store));
    if (!w->is_flat || w->blocks > 1)
        items[3] = move(w, t, &shape, acc, tile, panel, STORE_PART);
    if (w->is_flat) {
        struct tir_stmt *whole = store_tile(w, t, &shape, acc, tile, panel);

        items[3] =
            w->blocks == 1
                ? whole
                : sch_if(s, ir_expr_binary(s->context, IR_EXPR_eq, kk, num(w, w->blocks - 1)),
                         whole, items[3]);
    }
    return sch_seq(s, items, 4);
}
