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
                                     const struct places *at, const struct ir_expr *columns,
                                     struct tir_stmt *body)
{
    body = vector(w, at->c, columns, body);
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
        plus(w, times(w, tile_at(w, shape, &loops, tile), w->tile_rows), sch_use(s, loops.r)),
        plus(w, panel, column_at(w, &loops, w->part_stride))};

    acc_at(w, shape, &loops, at);
    const struct ir_expr *x_tile = plus(w, t->x, plus(w, t->tile, tile_at(w, shape, &loops, tile)));
    struct tir_stmt *store =
        kind == SET_ZERO    ? sch_store(s, acc, at, windows_first(w, x_tile, sch_use(s, loops.r)))
        : kind == LOAD_PART ? sch_store(s, acc, at, sch_load(s, t->part, place))
                            : sch_store(s, t->part, place, sch_load(s, acc, at));
    return each_of_tile(w, shape, &loops, num(w, shape->columns / w->parts), store);
}

/* ---- stores ---- */

static bool is_loop(const struct ir_expr *index, const struct ir_var *v)
{
    return index->kind == IR_EXPR_var && index->var == v;
}

/* Are the columns of all rows beside each other in @buffer[@indices]? */
static bool lies_flat(const struct windows *w, const struct ir_buffer *buffer,
                      const struct ir_expr *const *indices)
{
    unsigned d = buffer->ndim, n = w->row_loops.count;
    int64_t extent;

    if (buffer->strides || n == 0 || d < n + 1 || w->parts > 1 || !is_loop(indices[--d], w->p->j) ||
        !ir_expr_is_int(buffer->shape[d], w->width))
        return false;
    while (n-- > 0) {
        const struct tir_stmt *loop = w->row_loops.items[n];

        if (!is_loop(indices[--d], loop->loop.var) ||
            !sch_constant(w->s, loop->loop.extent, &extent) ||
            (n > 0 && !ir_expr_is_int(buffer->shape[d], extent)))
            return false;
    }
    return true;
}

bool windows_is_flat(const struct windows *w)
{
    return lies_flat(w, w->p->c, w->p->indices);
}

/* The other indices of such a load go with neither rows nor columns. */
static bool moves_alone(const struct windows *w, const struct ir_expr *load)
{
    for (unsigned d = 0; d + w->row_loops.count + 1 < load->operand_count; d++) {
        if (ir_expr_uses_var(load->operands[d], w->p->j))
            return false;
        for (unsigned n = 0; n < w->row_loops.count; n++)
            if (ir_expr_uses_var(load->operands[d], w->row_loops.items[n]->loop.var))
                return false;
    }
    return true;
}

bool windows_reads_flat(const struct windows *w)
{
    const struct ir_expr *y = w->p->y;

    return !w->dot && y->kind == IR_EXPR_load && lies_flat(w, y->buffer, y->operands) &&
           moves_alone(w, y);
}

const struct ir_expr *windows_y_at(const struct windows *w, const struct window_task *t,
                                   const struct ir_expr *k, const struct ir_expr *column)
{
    return windows_put(w, w->p->y, t->batch, NULL, k, sch_div(w->s, column, w->width),
                       rest_of(w, column, w->width));
}

/* Does a panel of @columns go beyond what a task of @rows rows has? */
static bool goes_beyond(const struct windows *w, int64_t rows, int64_t columns)
{
    int64_t used = rows * w->width, vectors = ceil_div(used, w->lanes);

    if (columns == w->columns)
        return (windows_has_half(w) ? vectors / TILE_VECTORS * columns
                                    : ceil_div(used, columns) * columns) > used;
    return vectors % TILE_VECTORS != 0 && vectors * w->lanes > used;
}

/*
 * The columns of a panel that there are.  Most tiles are whole, and stay in registers until they are stored: so that
 * is decided by extents where it can be.
 */
static const struct ir_expr *stored_columns(const struct windows *w, const struct window_task *t,
                                            const struct window_tile *shape,
                                            const struct ir_expr *panel)
{
    struct schedule *s = w->s;
    const struct ir_expr *all = num(w, shape->columns), *own = num(w, w->task_rows * w->width);
    const struct ir_expr *left = sch_sub(s, num(w, w->rows * w->width), times(w, t->row, w->width));

    if (w->rows % w->task_rows != 0)
        return sch_min(s, all, sch_sub(s, sch_min(s, own, left), panel));
    return goes_beyond(w, w->task_rows, shape->columns) ? sch_min(s, all, sch_sub(s, own, panel))
                                                        : all;
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
    const struct ir_expr *i = plus(w, times(w, first, w->tile_rows), sch_use(s, loops.r));
    const struct ir_expr *column = plus(w, times(w, t->row, w->width), own);

    acc_at(w, shape, &loops, at);
    struct tir_stmt *store = windows_store(w, t, i, sch_div(s, column, w->width),
                                           rest_of(w, column, w->width), sch_load(s, acc, at));
    return each_of_tile(w, shape, &loops, stored_columns(w, t, shape, panel), store);
}

bool windows_panels_are_whole(const struct windows *w)
{
    int64_t last = w->rows % w->task_rows;

    return !goes_beyond(w, w->task_rows, w->columns) &&
           (last == 0 || !goes_beyond(w, last, w->columns));
}

/*
 * Y(.., k, column of the panel): of the copy, or where it lies.  There the least of two numbers shows at a glance that
 * no panel goes beyond the last column.
 */
static const struct ir_expr *load_y(const struct windows *w, const struct window_task *t,
                                    const struct window_tile *shape, const struct ir_expr *panel,
                                    const struct ir_expr *first, const struct ir_expr *k,
                                    const struct ir_expr *column)
{
    struct schedule *s = w->s;
    const struct ir_expr *at[] = {k, column};

    if (!w->is_in_place)
        at[1] = plus(w, panel, column);
    else if (shape->columns == w->columns)
        return windows_y_at(w, t, plus(w, first, k),
                            plus(w,
                                 sch_min(s, plus(w, times(w, t->row, w->width), panel),
                                         num(w, w->rows * w->width - w->columns)),
                                 column));
    return sch_load(s, t->flat, at);
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
    const struct ir_expr *y =
        load_y(w, t, &shape, panel, first, sch_use(s, k), column_at(w, &loops, w->part_stride));

    acc_at(w, &shape, &loops, at);
    const struct ir_expr *step =
        windows_step(w, sch_load(s, w->tiles, x_at), y, sch_load(s, acc, at));
    struct tir_stmt *store = sch_store(s, acc, at, ir_expr_at(s->context, w->p->loc, step));
    struct tir_stmt *zero = move(w, t, &shape, acc, tile, panel, SET_ZERO);
    struct tir_stmt *items[4];

    store->loc = w->p->loc;
    items[0] = sch_alloc(s, acc);
    items[1] = w->blocks == 1 ? zero
                              : sch_if(s, ir_expr_binary(s->context, IR_EXPR_eq, kk, num(w, 0)),
                                       zero, move(w, t, &shape, acc, tile, panel, LOAD_PART));
    items[2] = serial(w, k, rest(w, w->block, w->depth, first),
                      each_of_tile(w, &shape, &loops, num(w, shape.columns / w->parts), store));
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
