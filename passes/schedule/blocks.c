/*
 * Products whose columns lie in blocks of one vector, as the channels of convolutions do in NCHW16c:
 *
 *     C[.., o, h, i, l] = sum of X(h, i, k) * Y(k, o, l)       l: the lanes; o: the block; k: one loop or several
 *
 * X is read where it lies, an element for all lanes; Y is packed, of constants when the program is compiled.  No
 * window is copied, and rows of any length fill the vectors:
 *
 *     panels[og, k, v * 16 + l] = Y(k, og * 2 + v, l)
 *     for og in T.parallel(..): for h, it in T.grid(..):
 *         acc[14, 32] = 0
 *         for k in range(depth):
 *             acc[r, v * 16 + l] = T.fma(panels[og, k, v * 16 + l], X(h, it * 14 + r, k), acc[r, v * 16 + l])
 *         C[.., og * 2 + v, h, it * 14 + r, l] = acc[r, v * 16 + l]
 *
 * Where rows are short, those of two or more h are one tile.  Every element is summed in the order of the loops that
 * this replaces.
 */
#include "passes/schedule/blocks.h"

#include <string.h>

enum {
    ROWS_LEAST = 4,    /* fewer sums wait for themselves */
    LEAST_WORK = 1024, /* multiply-adds of a row that are worth the code */
};

/* Where a tile lies. */
struct place {
    const struct ir_expr *group, *row; /* the first block over `vectors`, the first row */
    int64_t rows;
};

const struct ir_expr *blocks_put(const struct blocks *b, const struct ir_expr *a,
                                 const struct ir_expr *i, const struct ir_expr *o,
                                 const struct ir_expr *l)
{
    struct ir_binding items[3];
    struct ir_bindings all = {items, 0, 3};

    if (i)
        items[all.count++] = (struct ir_binding){b->p->i, i};
    if (o && b->blocks)
        items[all.count++] = (struct ir_binding){b->blocks->loop.var, o};
    if (l)
        items[all.count++] = (struct ir_binding){b->p->j, l};
    return ir_expr_substitute(b->s->context, a, &all);
}

/* @a for row @r of the tile at @place. */
static const struct ir_expr *at_row(const struct blocks *b, const struct place *place,
                                    const struct ir_expr *a, const struct ir_expr *r,
                                    const struct ir_expr *o, const struct ir_expr *l)
{
    struct schedule *s = b->s;

    if (!b->outer)
        return blocks_put(b, a, sch_add(s, place->row, r), o, l);
    const struct ir_expr *width = blocks_int(b, b->width);
    const struct ir_expr *i =
        ir_simplify(s->context, ir_expr_binary(s->context, IR_EXPR_floormod, r, width));
    const struct ir_expr *h = sch_add(s, sch_div(s, place->row, b->width), sch_div(s, r, b->width));
    return sch_put(s, blocks_put(b, a, i, o, l), b->outer->loop.var, h);
}

/* ---- loops over a tile ---- */

struct loops {
    const struct ir_var *r, *v, *l;
};

static struct loops loops_of(const struct blocks *b)
{
    return (struct loops){blocks_var(b, "r"), blocks_var(b, "v"), blocks_var(b, "l")};
}

/* Of all rows, in vectors of @lanes; @guard: those there are, or NULL. */
static struct tir_stmt *each(const struct blocks *b, const struct loops *at, int64_t rows,
                             int64_t lanes, enum tir_for_kind kind, const struct ir_expr *guard,
                             struct tir_stmt *body)
{
    struct schedule *s = b->s;
    int64_t count = b->vectors * b->lanes / lanes;

    body = sch_for(s, TIR_VECTORIZED, at->l, blocks_int(b, lanes), body);
    if (guard)
        body = sch_if(s, guard, body, NULL);
    if (count > 1)
        body = sch_for(s, kind, at->v, blocks_int(b, count), body);
    return sch_for(s, kind, at->r, blocks_int(b, rows), body);
}

/* v * lanes + l */
static const struct ir_expr *lane_of(const struct blocks *b, const struct loops *at, int64_t lanes)
{
    const struct ir_expr *lane = sch_use(b->s, at->l);

    return b->vectors * b->lanes > lanes
               ? sch_add(b->s, sch_mul(b->s, sch_use(b->s, at->v), lanes), lane)
               : lane;
}

/* group * vectors + v */
static const struct ir_expr *block_of(const struct blocks *b, const struct loops *at,
                                      const struct ir_expr *group)
{
    return b->vectors > 1 ? sch_add(b->s, sch_mul(b->s, group, b->vectors), sch_use(b->s, at->v))
                          : group;
}

/* Is there a block @block?  NULL: there are all of each group. */
static const struct ir_expr *is_there(const struct blocks *b, const struct ir_expr *block)
{
    return b->count % b->vectors == 0
               ? NULL
               : ir_expr_binary(b->s->context, IR_EXPR_lt, block, blocks_int(b, b->count));
}

/* @body for all of the first @count loops of the sum. */
static struct tir_stmt *around(const struct blocks *b, unsigned count, struct tir_stmt *body)
{
    for (unsigned n = count; n-- > 0;)
        body = sch_for(b->s, TIR_SERIAL, b->sums[n]->loop.var, b->sums[n]->loop.extent, body);
    return body;
}

struct tir_stmt *blocks_around_sums(const struct blocks *b, struct tir_stmt *body)
{
    return around(b, b->sum_count, body);
}

/* panels[group, k.., lane] */
static const struct ir_expr *const *panel_at(const struct blocks *b, const struct ir_expr *group,
                                             const struct ir_expr *lane)
{
    const struct ir_expr **at =
        arena_array(&b->s->run->scratch, const struct ir_expr *, b->sum_count + 2);

    at[0] = group;
    for (unsigned n = 0; n < b->sum_count; n++)
        at[n + 1] = sch_use(b->s, b->sums[n]->loop.var);
    at[b->sum_count + 1] = lane;
    return at;
}

/* ---- Y ---- */

static struct tir_stmt *pack(struct blocks *b)
{
    struct schedule *s = b->s;
    const struct loops at = loops_of(b);
    const struct ir_var *og = blocks_var(b, "og");
    const struct ir_expr *group = sch_use(s, og);
    const struct ir_expr **dims =
        arena_array(&s->run->scratch, const struct ir_expr *, b->sum_count + 2);

    dims[0] = blocks_int(b, blocks_groups(b));
    for (unsigned n = 0; n < b->sum_count; n++)
        dims[n + 1] = b->sums[n]->loop.extent;
    dims[b->sum_count + 1] = blocks_int(b, b->vectors * b->lanes);
    b->panels = sch_buffer_of(s, "panels", b->p->c->dtype, "global", dims, b->sum_count + 2);
    b->p->allocs[b->p->alloc_count++] = sch_alloc(s, b->panels);
    const struct ir_expr *block = block_of(b, &at, group), *guard = is_there(b, block);
    const struct ir_expr *y = blocks_put(b, b->p->y, NULL, block, sch_use(s, at.l));
    if (guard) {
        const struct ir_expr *args[] = {guard, y, ir_expr_float(s->context, y->dtype, 0)};
        y = ir_expr_call(s->context, y->dtype, atom_intern_text(&s->context->atoms, "if_then_else"),
                         args, 3);
    }
    struct tir_stmt *store =
        sch_store(s, b->panels, panel_at(b, group, lane_of(b, &at, b->lanes)), y);
    store = sch_for(s, TIR_VECTORIZED, at.l, blocks_int(b, b->lanes), store);
    if (b->vectors > 1)
        store = sch_for(s, TIR_SERIAL, at.v, blocks_int(b, b->vectors), store);
    return loop_copy_fresh(s->module,
                           sch_for(s, TIR_PARALLEL, og, dims[0], blocks_around_sums(b, store)));
}

/* ---- a tile ---- */

/* C[..] = @from[r, lane], or what is made of it. */
static struct tir_stmt *store(const struct blocks *b, const struct place *place,
                              const struct ir_buffer *from, enum tir_for_kind kind)
{
    struct schedule *s = b->s;
    struct matmul *p = b->p;
    const struct loops loops = loops_of(b);
    const struct ir_expr *at[] = {sch_use(s, loops.r), lane_of(b, &loops, b->lanes)};
    const struct ir_expr *value = sch_load(s, from, at);
    const struct ir_expr *block = block_of(b, &loops, place->group);
    const struct ir_expr **to =
        arena_array(&s->run->scratch, const struct ir_expr *, p->c->ndim + 1);

    for (unsigned d = 0; d < p->c->ndim; d++)
        to[d] = at_row(b, place, p->indices[d], at[0], block, sch_use(s, loops.l));
    struct tir_stmt *one =
        p->epilogue ? epilogue_store(s, p->epilogue, to, value) : sch_store(s, p->c, to, value);
    p->has_epilogue = p->epilogue != NULL;
    if (!p->epilogue)
        one->loc = p->loc;
    return each(b, &loops, place->rows, b->lanes, kind, is_there(b, block), one);
}

/* acc[r, lane] = acc[r, lane] + panels[.., lane] * X, for all of k */
static struct tir_stmt *multiply(const struct blocks *b, const struct place *place,
                                 struct ir_buffer *acc)
{
    struct schedule *s = b->s;
    const struct loops loops = loops_of(b);
    const struct ir_expr *at[] = {sch_use(s, loops.r), lane_of(b, &loops, b->wide)};
    const struct ir_expr *x = at_row(b, place, b->p->x, at[0], NULL, NULL);
    const struct ir_expr *y = sch_load(s, b->panels, panel_at(b, place->group, at[1]));
    const struct ir_expr *step = matmul_step(s, y, x, sch_load(s, acc, at));
    struct tir_stmt *sum = sch_store(s, acc, at, ir_expr_at(s->context, b->p->loc, step));

    sum->loc = b->p->loc;
    struct tir_stmt *body = each(b, &loops, place->rows, b->wide, TIR_UNROLLED, NULL, sum);
    const struct tir_stmt *last = b->sums[b->sum_count - 1];
    body = sch_for(s, TIR_SERIAL, last->loop.var, last->loop.extent, body);
    return around(b, b->sum_count - 1, fetch_steps(s, &b->fetch, body));
}

static struct tir_stmt *copy(const struct blocks *b, const struct place *place,
                             const struct ir_buffer *from, const struct ir_buffer *to)
{
    struct schedule *s = b->s;
    const struct loops loops = loops_of(b);
    const struct ir_expr *at[] = {sch_use(s, loops.r), lane_of(b, &loops, b->wide)};
    const struct ir_expr *value =
        from ? sch_load(s, from, at) : ir_expr_float(s->context, to->dtype, 0);

    return each(b, &loops, place->rows, b->wide, TIR_UNROLLED, NULL, sch_store(s, to, at, value));
}

static struct tir_stmt *tile(const struct blocks *b, const struct place *place)
{
    struct schedule *s = b->s;
    int64_t shape[] = {place->rows, b->vectors * b->lanes};
    struct ir_buffer *acc = sch_buffer(s, "acc", b->p->c->dtype, "local", shape, 2), *staged;
    struct tir_stmt *items[6];
    unsigned n = 0;

    items[n++] = sch_alloc(s, acc);
    items[n++] = copy(b, place, NULL, acc);
    items[n++] = multiply(b, place, acc);
    if (b->p->epilogue &&
        epilogue_is_long(b->p->epilogue)) { /* registers cannot be counted through */
        staged = sch_buffer(s, "staged", acc->dtype, "global", shape, 2);
        items[n++] = sch_alloc(s, staged);
        items[n++] = copy(b, place, acc, staged);
        items[n++] = store(b, place, staged, TIR_SERIAL);
    } else
        items[n++] = store(b, place, acc, TIR_UNROLLED);
    return loop_copy_fresh(s->module, sch_seq(s, items, n));
}

/* Iterations of part @part of @all, the last of which may be shorter. */
static const struct ir_expr *part_extent(const struct blocks *b, const struct ir_expr *part,
                                         int64_t all)
{
    struct schedule *s = b->s;
    int64_t most = blocks_part(b, all);

    if (most * b->parts == all)
        return blocks_int(b, most);
    return sch_min(s, blocks_int(b, most), sch_sub(s, blocks_int(b, all), sch_mul(s, part, most)));
}

/* Those of part @part; NULL: all of them. */
static struct tir_stmt *rows_of(const struct blocks *b, const struct ir_expr *group,
                                const struct ir_expr *part)
{
    struct schedule *s = b->s;
    int64_t full = b->rows / b->tile, left = b->rows % b->tile;
    const struct ir_var *it = blocks_var(b, "it");
    const struct ir_expr *count = blocks_int(b, full), *number = sch_use(s, it);
    struct place place = {group, NULL, b->tile};
    struct tir_stmt *items[2], *last;
    unsigned n = 0;

    if (part) {
        int64_t most = blocks_part(b, full + (left > 0));
        count = sch_min(s, blocks_int(b, most), sch_sub(s, count, sch_mul(s, part, most)));
        number = sch_add(s, sch_mul(s, part, most), number);
    }
    place.row = sch_mul(s, number, b->tile);
    items[n++] = sch_for(s, TIR_SERIAL, it, count, tile(b, &place));
    if (left) {
        place.row = blocks_int(b, full * b->tile);
        place.rows = left;
        last = tile(b, &place);
        items[n++] =
            part ? sch_if(s,
                          ir_expr_binary(s->context, IR_EXPR_eq, part, blocks_int(b, b->parts - 1)),
                          last, NULL)
                 : last;
    }
    return sch_seq(s, items, n);
}

struct tir_stmt *blocks_rows(const struct blocks *b, const struct ir_expr *group)
{
    return rows_of(b, group, NULL);
}

static struct tir_stmt *again(const struct blocks *b, const struct tir_stmt *loop,
                              enum tir_for_kind kind, struct tir_stmt *body)
{
    return sch_for(b->s, kind, loop->loop.var, loop->loop.extent, body);
}

/* Of the loop over rows of the image, part @part. */
static struct tir_stmt *part_again(const struct blocks *b, const struct tir_stmt *loop,
                                   const struct ir_expr *part, struct tir_stmt *body)
{
    struct schedule *s = b->s;
    const struct ir_var *row = blocks_var(b, "row");
    int64_t all;

    (void)sch_constant(s, loop->loop.extent, &all);
    const struct ir_expr *at = sch_add(s, sch_mul(s, part, blocks_part(b, all)), sch_use(s, row));
    body = sch_copy(s, body, loop->loop.var, at);
    return sch_for(s, TIR_SERIAL, row, part_extent(b, part, all), body);
}

/* Tasks for some rows of a group each. */
static struct tir_stmt *nest_in_parts(const struct blocks *b)
{
    struct schedule *s = b->s;
    const struct matmul *p = b->p;
    const struct ir_var *task = blocks_var(b, "task");
    int64_t groups = blocks_groups(b), period = b->is_by_parts ? groups : b->parts;
    const struct ir_expr *slow = sch_div(s, sch_use(s, task), period);
    const struct ir_expr *fast =
        ir_expr_binary(s->context, IR_EXPR_floormod, sch_use(s, task), blocks_int(b, period));
    const struct ir_expr *group = b->is_by_parts ? fast : slow;
    const struct ir_expr *part = b->is_by_parts ? slow : fast;
    struct tir_stmt *body = rows_of(b, group, b->split == b->outer ? part : NULL);

    for (unsigned n = p->batch_count; n-- > 0;)
        if (p->batch[n] == b->split && b->split != b->outer)
            body = part_again(b, p->batch[n], part, body);
        else if (p->batch[n] != b->blocks && p->batch[n] != b->outer)
            body = again(b, p->batch[n], TIR_SERIAL, body);
    body = sch_for(s, TIR_PARALLEL, task, blocks_int(b, groups * b->parts), body);
    return loop_copy_fresh(s->module, fetch_panels(s, &b->fetch, body));
}

/* All of it: groups outside, so that their panels stay in the cache; of few groups rows of C, which threads can share (marks.c). */
static struct tir_stmt *nest(const struct blocks *b)
{
    struct schedule *s = b->s;
    const struct matmul *p = b->p;
    const struct ir_var *og = blocks_var(b, "og");
    int64_t groups = blocks_groups(b);
    bool is_outside = groups >= BLOCKS_GROUPS_LEAST;
    struct tir_stmt *body;

    if (b->split)
        return nest_in_parts(b);
    body = blocks_rows(b, sch_use(s, og));
    if (!is_outside)
        body = sch_for(s, TIR_SERIAL, og, blocks_int(b, groups), body);
    for (unsigned n = p->batch_count; n-- > 0;)
        if (p->batch[n] != b->blocks && p->batch[n] != b->outer)
            body = again(b, p->batch[n], TIR_SERIAL, body);
    if (is_outside)
        body = fetch_panels(
            s, &b->fetch,
            sch_for(s, b->is_shared ? TIR_PARALLEL : TIR_SERIAL, og, blocks_int(b, groups), body));
    return loop_copy_fresh(s->module, body);
}

/* ---- choosing ---- */

struct division {
    const struct ir_var *var;
    int64_t divisor;
};

static bool find_division(void *state, const struct ir_expr *a)
{
    struct division *d = state;

    if (a->kind == IR_EXPR_floordiv && a->operands[0]->kind == IR_EXPR_var &&
        a->operands[0]->var == d->var && a->operands[1]->kind == IR_EXPR_int)
        d->divisor = a->operands[1]->int_value;
    return true;
}

/* The loops of the sum; one over channels that lie in blocks, too, is two: k = ko * 16 + ki. */
static bool read_sums(struct blocks *b)
{
    struct schedule *s = b->s;
    struct matmul *p = b->p;
    int64_t extent;

    b->depth = 1;
    for (unsigned n = 0; n < p->sums.count; n++) {
        struct tir_stmt *loop = p->sums.items[n];
        struct division d = {.var = loop->loop.var};

        if (!sch_constant(s, loop->loop.extent, &extent) || extent < 1 || extent > INT32_MAX ||
            __builtin_mul_overflow(b->depth, extent, &b->depth))
            return false;
        (void)ir_expr_walk(p->x, find_division, &d);
        if (d.divisor < 2 || extent % d.divisor != 0 || b->sum_count + 2 > MATMUL_LOOP_LIMIT) {
            b->sums[b->sum_count++] = loop;
            continue;
        }
        const struct ir_var *outer = blocks_var(b, "ko"), *inner = blocks_var(b, "ki");
        const struct ir_expr *k =
            sch_add(s, sch_mul(s, sch_use(s, outer), d.divisor), sch_use(s, inner));
        int64_t extents[] = {extent / d.divisor, d.divisor};
        const struct ir_var *vars[] = {outer, inner};
        for (unsigned i = 0; i < 2; i++) {
            struct tir_stmt *part = tir_stmt_new(s->module, TIR_FOR, loop->loc);
            *part = *loop;
            part->loop.var = vars[i];
            part->loop.extent = blocks_int(b, extents[i]);
            b->sums[b->sum_count++] = part;
            sch_enter(s, part);
        }
        p->x = ir_simplify_in(s->context, &s->ranges, sch_put(s, p->x, loop->loop.var, k));
        p->y = ir_simplify_in(s->context, &s->ranges, sch_put(s, p->y, loop->loop.var, k));
    }
    return true;
}

/* Does @a depend on a loop of the batch that is not that over the blocks? */
static bool uses_batch(const struct blocks *b, const struct ir_expr *a)
{
    for (unsigned n = 0; n < b->p->batch_count; n++)
        if (b->p->batch[n] != b->blocks && ir_expr_uses_var(a, b->p->batch[n]->loop.var))
            return true;
    return false;
}

static bool fits(struct blocks *b)
{
    struct schedule *s = b->s;
    const struct matmul *p = b->p;
    int64_t lanes = schedule_lanes(s, p->c->dtype);

    if (!p->i || !p->starts_at_zero || p->has_phases || p->columns.count > 2 ||
        p->c->dtype.code != IR_FLOAT || p->x->kind != IR_EXPR_load || p->c->strides)
        return false;
    b->blocks = p->columns.count == 2 ? p->columns.items[0] : NULL;
    b->count = 1;
    if (b->blocks ? !sch_constant(s, b->blocks->loop.extent, &b->count) : p->c->ndim <= 2)
        return false;
    return sch_constant(s, p->n, &b->lanes) && sch_constant(s, p->m, &b->rows) &&
           b->rows >= ROWS_LEAST && b->count > 0 && (b->lanes == lanes || 2 * b->lanes == lanes) &&
           b->lanes > 1 && ir_expr_is_int(p->c->shape[p->c->ndim - 1], b->lanes) &&
           !uses_batch(b, p->y);
}

struct tir_stmt *matmul_blocks(struct schedule *s, struct matmul *p)
{
    struct blocks b = {.s = s, .p = p, .dtype = p->j->dtype};
    struct matmul old = *p;
    size_t mark = s->ranges.count;

    if (!fits(&b))
        return NULL;
    bool is_read =
        read_sums(&b) &&
        (double)b.depth * (double)b.rows * (double)b.count * (double)b.lanes >= (double)LEAST_WORK;
    struct tir_stmt *out = NULL;
    if (is_read && !(out = matmul_winograd(&b))) {
        blocks_choose_tasks(&b);
        p->front[p->front_count++] = pack(&b);
        out = nest(&b);
    }
    if (!out)
        *p = old;
    sch_leave(s, mark);
    return out;
}
