/*
 * Sums, minima and maxima over small windows: depthwise convolutions, pooling, stencils.
 *
 *     for n, c, i:                                  for n, c:
 *         for j: y[n, c, i, j] = 0                      plane[u, v] = T.if_then_else(inside, x[n, c, u - 1, v - 1], 0)
 *         for k, l, j in T.grid(3, 3, 56):              for i, jt in T.grid(56, 3):
 *             y[n, c, i, j] +=                 ==>          acc[16] = 0
 *                 T.if_then_else(inside,                    for k, l in T.unroll(3), T.unroll(3):
 *                     x[n, c, i + k - 1,                        acc[:] += plane[i + k, jt * 16 + l ..] * w[c, k, l]
 *                       j + l - 1], 0)                      y[n, c, i, jt * 16 ..] = acc[:]
 *                     * w[c, k, l]                      .. the other 8 columns
 *
 * An element stays in a register until it is whole; and whether it is inside is asked once for each element of
 * the data, not for each of the window.  The order of each sum stays.
 */
#include "analysis/access/index.h"
#include "passes/schedule/epilogue.h"

#include <string.h>

enum {
    TAPS_MOST = 128,       /* elements of a window; up to.. */
    UNROLL = 64,           /* .. so many are written out */
    NEAR = 4,              /* elements between neighbours that vectors can load */
    TILE_VECTORS = 4,      /* accumulators side by side */
    PLANE_MOST = 256 << 10 /* bytes */
};

/* One axis of the data: u = loop * stride + sum * dilation. */
struct tap_axis {
    struct tir_stmt *loop, *sum;
    int64_t stride, dilation, extent;
};

struct taps {
    struct schedule *s;
    struct nest nest;
    struct reduction reduction;
    struct matmul_loops sums;
    struct tir_stmt *j;
    int64_t width, lanes;
    const struct ir_expr *initial, *value; /* without what it had before */
    bool is_left;                          /* the accumulator is the left operand */
    const struct ir_expr *selected; /* a part of value that is the same for many windows; or NULL */
    struct tap_axis axes[MATMUL_LOOP_LIMIT];
    bool may_round; /* more columns may be computed than there are */
    struct ir_buffer *plane;
    const struct epilogue *epilogue; /* of what is stored; or NULL */
};

/* ---- recognition ---- */

struct near {
    struct taps *t;
    const struct ir_var *var;
};

static bool is_near_load(void *state, const struct ir_expr *a)
{
    const struct near *near = state;
    int64_t stride;

    return a->kind != IR_EXPR_load || (index_stride(near->t->s->context, a->buffer, a->operands,
                                                    a->operand_count, near->var, &stride) &&
                                       stride >= 0 && stride <= NEAR);
}

static bool assign(struct taps *t)
{
    const struct tir_stmt *store = t->nest.store;
    unsigned rank = store->store.index_count;
    int64_t extent, taps = 1;

    t->j = rank ? nest_loop_of(&t->nest, store->store.indices[rank - 1]) : NULL;
    if (!t->j || !sch_constant(t->s, t->j->loop.extent, &t->width) || t->width < 2)
        return false;
    for (unsigned n = 0; n < t->nest.count; n++) {
        struct tir_stmt *loop = t->nest.loops[n];
        int place = nest_place(&t->nest, loop);

        if (place == -2 || nest_uses(&t->nest, loop->loop.extent) ||
            !ir_dtype_equal(loop->loop.var->dtype, t->j->loop.var->dtype))
            return false;
        if (place >= 0)
            continue;
        if (!sch_constant(t->s, loop->loop.extent, &extent) || extent < 1 || extent > TAPS_MOST)
            return false;
        taps *= extent;
        t->sums.items[t->sums.count++] = loop;
        if (taps > TAPS_MOST)
            return false;
    }
    return t->sums.count > 0 && taps > 1;
}

static bool uses_any(const struct taps *t, const struct ir_expr *a, bool is_sum)
{
    for (unsigned n = 0; n < t->nest.count; n++)
        if ((nest_place(&t->nest, t->nest.loops[n]) == -1) == is_sum &&
            ir_expr_uses_var(a, t->nest.loops[n]->loop.var))
            return true;
    return false;
}

/* A window moves: an index of a load goes with a sum and with another loop.  False if @a is such a load. */
static bool is_still(void *state, const struct ir_expr *a)
{
    const struct taps *t = state;

    for (unsigned i = 0; a->kind == IR_EXPR_load && i < a->operand_count; i++)
        if (uses_any(t, a->operands[i], true) && uses_any(t, a->operands[i], false))
            return false;
    return true;
}

static bool is_number(const struct ir_expr *a)
{
    return a->kind == IR_EXPR_float || a->kind == IR_EXPR_int;
}

/* A reduction that is set to a number in front of its sums, within its other loops. */
static bool read_taps(struct taps *t, struct tir_stmt *stmt)
{
    struct near near = {.t = t};

    if (stmt->kind != TIR_FOR || !nest_read(t->s, stmt, &t->nest) || !t->nest.zero ||
        t->nest.zero_guard || !sch_read_reduction(t->nest.store, &t->reduction) ||
        !sch_is_pure(t->nest.store->store.value) || !assign(t))
        return false;
    t->lanes = schedule_lanes(t->s, t->nest.store->store.buffer->dtype);
    t->initial = nest_sets(t->s, t->nest.zero, &t->nest, &t->sums, t->nest.zero_depth);
    if (t->lanes < 2 || !t->initial || !is_number(t->initial))
        return false;
    near.var = t->j->loop.var;
    t->value = t->reduction.value;
    if (t->reduction.fma)
        return false;
    const struct ir_expr *whole = t->nest.store->store.value;
    t->is_left = whole->operands[1] == t->value;
    return ir_expr_walk(t->value, is_near_load, &near) && !ir_expr_walk(t->value, is_still, t);
}

/* ---- what is inside, once for all windows ---- */

struct finding {
    const struct taps *t;
    const struct ir_expr *select;
    unsigned count;
};

static bool find_select(void *state, const struct ir_expr *a)
{
    struct finding *found = state;

    if (a->kind != IR_EXPR_call || strcmp(a->name, "if_then_else") != 0)
        return true;
    found->count += found->select && !ir_expr_equal(found->select, a);
    found->select = a;
    return false;
}

struct loading {
    const struct ir_expr *load;
    unsigned count;
};

static bool find_load(void *state, const struct ir_expr *a)
{
    struct loading *found = state;

    if (a->kind == IR_EXPR_load) {
        found->load = a;
        found->count++;
    }
    return true;
}

/* @a of the window with @u for the sum, and 0 for the loop; or the other way round. */
static const struct ir_expr *along(struct taps *t, const struct ir_expr *a,
                                   const struct tap_axis *axis, const struct ir_expr *u)
{
    const struct ir_expr *zero = sch_int(t->s, u->dtype, 0);
    bool by_sum = axis->dilation == 1;
    struct ir_binding pair[] = {{axis->sum->loop.var, by_sum ? u : zero},
                                {axis->loop->loop.var, by_sum ? zero : u}};
    struct ir_bindings both = {pair, 2, 2};

    return ir_simplify(t->s->context, ir_expr_substitute(t->s->context, a, &both));
}

/* loop * stride + sum * dilation */
static const struct ir_expr *place_of(struct taps *t, const struct tap_axis *axis,
                                      const struct ir_expr *loop, const struct ir_expr *sum)
{
    return sch_add(t->s, sch_mul(t->s, loop, axis->stride), sch_mul(t->s, sum, axis->dilation));
}

/* Is @a the same for all loops and sums that are at one place of @axis? */
static bool fits(struct taps *t, const struct ir_expr *a, const struct tap_axis *axis)
{
    const struct ir_expr *u =
        place_of(t, axis, sch_use(t->s, axis->loop->loop.var), sch_use(t->s, axis->sum->loop.var));
    const struct ir_var *v = sch_var(t->s, "u", u->dtype);
    const struct ir_expr *moved = sch_put(t->s, along(t, a, axis, sch_use(t->s, v)), v, u);

    return ir_expr_equal(ir_simplify(t->s->context, moved), ir_simplify(t->s->context, a));
}

static bool find_axis(struct taps *t, const struct ir_expr *load, struct tir_stmt *sum,
                      struct tap_axis *axis)
{
    int64_t by_sum, by_loop, loops, sums;

    if (!index_stride(t->s->context, load->buffer, load->operands, load->operand_count,
                      sum->loop.var, &by_sum) ||
        by_sum < 1)
        return false;
    for (unsigned n = t->nest.count; n-- > 0;) {
        struct tir_stmt *loop = t->nest.loops[n];

        if (nest_place(&t->nest, loop) < 0 || !ir_expr_uses_var(t->selected, loop->loop.var) ||
            !sch_constant(t->s, loop->loop.extent, &loops) || loops < 1 ||
            !sch_constant(t->s, sum->loop.extent, &sums) ||
            !index_stride(t->s->context, load->buffer, load->operands, load->operand_count,
                          loop->loop.var, &by_loop) ||
            by_loop < 1 || (by_loop % by_sum != 0 && by_sum % by_loop != 0))
            continue;
        *axis = (struct tap_axis){.loop = loop, .sum = sum, .stride = 1, .dilation = 1};
        if (by_loop % by_sum == 0)
            axis->stride = by_loop / by_sum;
        else
            axis->dilation = by_sum / by_loop;
        if (__builtin_mul_overflow(loops - 1, axis->stride, &axis->extent) ||
            __builtin_add_overflow(axis->extent, (sums - 1) * axis->dilation + 1, &axis->extent))
            return false;
        if (fits(t, t->selected, axis))
            return true;
    }
    return false;
}

static const struct ir_expr *zero_of(struct schedule *s, struct ir_dtype dtype)
{
    return ir_dtype_is_float(dtype) ? ir_expr_float(s->context, dtype, 0) : sch_int(s, dtype, 0);
}

static const struct ir_expr *without_selected(void *state, const struct ir_expr *a)
{
    const struct taps *t = state;

    return ir_expr_equal(a, t->selected) ? zero_of(t->s, a->dtype) : a;
}

/* Only the plane has columns behind the last; all else that differs by column may not be looked at there. */
static bool differs_by_plane_alone(struct taps *t)
{
    const struct ir_expr *other = ir_expr_rewrite(t->s->context, t->value, without_selected, t);

    return !ir_expr_uses_var(other, t->j->loop.var);
}

/* Finds a condition in the value that depends on where in the data it looks, for each sum and the columns. */
static void find_plane(struct taps *t)
{
    struct finding found = {.t = t};
    struct loading loading = {0};
    int64_t bytes = ir_dtype_bytes(t->value->dtype);
    bool has_columns = false;

    (void)ir_expr_walk(t->value, find_select, &found);
    if (!found.select || found.count > 0)
        return;
    t->selected = found.select;
    (void)ir_expr_walk(t->selected, find_load, &loading);
    for (unsigned n = 0; loading.count == 1 && n < t->sums.count; n++) {
        struct tap_axis *axis = &t->axes[n];

        if (!find_axis(t, loading.load, t->sums.items[n], axis) ||
            __builtin_mul_overflow(bytes, axis->extent, &bytes) || bytes > PLANE_MOST)
            break;
        for (unsigned k = 0; k < n; k++)
            if (t->axes[k].loop == axis->loop)
                return (void)(t->selected = NULL);
        has_columns = n + 1 == t->sums.count && axis->loop == t->j;
    }
    if (!has_columns)
        t->selected = NULL;
    t->may_round = t->selected && differs_by_plane_alone(t);
}

/* ---- building ---- */

static const struct tap_axis *axis_of(const struct taps *t, const struct tir_stmt *loop)
{
    for (unsigned n = 0; t->selected && n < t->sums.count; n++)
        if (t->axes[n].loop == loop)
            return &t->axes[n];
    return NULL;
}

/* Columns of a tile. */
static int64_t tile_of(const struct taps *t)
{
    int64_t tile = t->lanes * TILE_VECTORS;

    return t->width < tile || t->width % tile >= t->lanes ? t->lanes : tile;
}

/* How many columns are computed for the last @left: a power of two, if the plane has them. */
static int64_t rounded(const struct taps *t, int64_t left)
{
    int64_t count = 1;

    while (count < left)
        count *= 2;
    return t->may_round ? count : left;
}

/* Columns of the plane: beyond the data there are some for what is computed and not stored. */
static int64_t plane_columns(const struct taps *t)
{
    const struct tap_axis *axis = &t->axes[t->sums.count - 1];
    int64_t left = t->width % tile_of(t);

    return axis->extent + (left ? rounded(t, left) - left : 0) * axis->stride;
}

/* plane[u, ..] = the part of the value that is selected */
static struct tir_stmt *fill_plane(struct taps *t)
{
    struct schedule *s = t->s;
    const struct ir_expr *at[MATMUL_LOOP_LIMIT], *value = t->selected;
    const struct ir_var *vars[MATMUL_LOOP_LIMIT];
    int64_t shape[MATMUL_LOOP_LIMIT];
    unsigned count = t->sums.count;

    for (unsigned n = 0; n < count; n++) {
        vars[n] = sch_var(s, n + 1 < count ? "u" : "v", t->j->loop.var->dtype);
        at[n] = sch_use(s, vars[n]);
        value = along(t, value, &t->axes[n], at[n]);
        shape[n] = t->axes[n].extent;
    }
    int64_t own = shape[count - 1], more = plane_columns(t) - own;
    struct ir_dtype dtype = vars[count - 1]->dtype;
    struct tir_stmt *items[2];
    unsigned parts = 0;

    shape[count - 1] += more;
    t->plane = sch_buffer(s, "plane", t->selected->dtype, "global", shape, count);
    items[parts++] = sch_for(s, TIR_VECTORIZED, vars[count - 1], sch_int(s, dtype, own),
                             sch_store(s, t->plane, at, value));
    if (more > 0) {
        const struct ir_var *v = sch_var(s, "v", dtype);

        at[count - 1] = sch_add(s, sch_int(s, dtype, own), sch_use(s, v));
        items[parts++] = sch_for(s, TIR_VECTORIZED, v, sch_int(s, dtype, more),
                                 sch_store(s, t->plane, at, zero_of(s, t->selected->dtype)));
    }
    struct tir_stmt *body = sch_seq(s, items, parts);
    for (unsigned n = count - 1; n-- > 0;)
        body = sch_for(s, TIR_SERIAL, vars[n], sch_int(s, vars[n]->dtype, t->axes[n].extent), body);
    return body;
}

static const struct ir_expr *replace_selected(void *state, const struct ir_expr *a)
{
    struct taps *t = state;
    const struct ir_expr *at[MATMUL_LOOP_LIMIT];

    if (!t->selected || !ir_expr_equal(a, t->selected))
        return a;
    for (unsigned n = 0; n < t->sums.count; n++)
        at[n] = place_of(t, &t->axes[n], sch_use(t->s, t->axes[n].loop->loop.var),
                         sch_use(t->s, t->axes[n].sum->loop.var));
    return sch_load(t->s, t->plane, at);
}

/* acc[l] = acc[l] + value, as it stands in the text; products are not rounded where the target has fma. */
static const struct ir_expr *combine(struct taps *t, const struct ir_expr *acc,
                                     const struct ir_expr *value)
{
    struct ir_context *context = t->s->context;
    bool is_float = ir_dtype_equal(value->dtype, IR_F32) || ir_dtype_equal(value->dtype, IR_F64);

    if (t->reduction.kind == IR_EXPR_add && value->kind == IR_EXPR_mul && is_float)
        return matmul_step(t->s, value->operands[0], value->operands[1], acc);
    return t->is_left ? ir_expr_binary(context, t->reduction.kind, acc, value)
                      : ir_expr_binary(context, t->reduction.kind, value, acc);
}

/* Columns @first .. @first + @stored of the result, of @count that are computed. */
static struct tir_stmt *columns(struct taps *t, const struct ir_expr *first, int64_t count,
                                int64_t stored)
{
    struct schedule *s = t->s;
    struct ir_dtype dtype = t->j->loop.var->dtype;
    const struct tir_stmt *store = t->nest.store;
    struct ir_buffer *acc = sch_buffer(s, "acc", store->store.buffer->dtype, "local", &count, 1);
    const struct ir_expr *extent = sch_int(s, dtype, count);
    const struct ir_var *l[3];
    const struct ir_expr *at[3], *value;
    struct tir_stmt *items[4];
    int64_t taps = 1, known;

    for (unsigned n = 0; n < 3; n++) {
        l[n] = sch_var(s, "l", dtype);
        at[n] = sch_use(s, l[n]);
    }
    items[0] = sch_alloc(s, acc);
    items[1] = sch_for(s, TIR_VECTORIZED, l[0], extent, sch_store(s, acc, &at[0], t->initial));
    value = ir_expr_rewrite(s->context, t->value, replace_selected, t);
    value = sch_put(s, value, t->j->loop.var, sch_add(s, first, at[1]));
    struct tir_stmt *step =
        sch_store(s, acc, &at[1],
                  ir_expr_at(s->context, store->loc, combine(t, sch_load(s, acc, &at[1]), value)));
    step->loc = store->loc;
    struct tir_stmt *body = sch_for(s, TIR_VECTORIZED, l[1], extent, step);
    for (unsigned n = 0; n < t->sums.count; n++)
        if (sch_constant(s, t->sums.items[n]->loop.extent, &known))
            taps *= known;
    for (unsigned n = t->sums.count; n-- > 0;)
        body = sch_for(s, taps <= UNROLL ? TIR_UNROLLED : TIR_SERIAL, t->sums.items[n]->loop.var,
                       t->sums.items[n]->loop.extent, body);
    items[2] = body;
    const struct ir_expr **to =
        arena_array(&s->run->scratch, const struct ir_expr *, store->store.index_count);
    for (unsigned d = 0; d < store->store.index_count; d++)
        to[d] = sch_put(s, store->store.indices[d], t->j->loop.var, sch_add(s, first, at[2]));
    const struct ir_expr *whole = sch_load(s, acc, &at[2]);
    items[3] = t->epilogue ? epilogue_store(s, t->epilogue, to, whole)
                           : sch_store(s, store->store.buffer, to, whole);
    if (!t->epilogue)
        items[3]->loc = store->loc;
    items[3] = sch_for(s, TIR_VECTORIZED, l[2], sch_int(s, dtype, stored), items[3]);
    return loop_copy_fresh(s->module, sch_seq(s, items, 4));
}

/* A row of the result: whole tiles, and what is left. */
static struct tir_stmt *row(struct taps *t)
{
    struct schedule *s = t->s;
    struct ir_dtype dtype = t->j->loop.var->dtype;
    struct tir_stmt *items[2];
    unsigned n = 0;

    int64_t tile = tile_of(t), left = t->width % tile;
    int64_t full = t->width / tile;
    if (full > 0) {
        const struct ir_var *jt = sch_var(s, "jt", dtype);
        const struct ir_expr *first = sch_mul(s, sch_use(s, jt), tile);
        items[n++] =
            sch_for(s, TIR_SERIAL, jt, sch_int(s, dtype, full), columns(t, first, tile, tile));
    }
    if (left)
        items[n++] = columns(t, sch_int(s, dtype, t->width - left), rounded(t, left), left);
    return sch_seq(s, items, n);
}

static struct tir_stmt *around(struct taps *t, struct tir_stmt *body, bool is_inside)
{
    for (unsigned n = t->nest.count; n-- > 0;) {
        struct tir_stmt *loop = t->nest.loops[n];

        if (loop == t->j || nest_place(&t->nest, loop) < 0 ||
            (axis_of(t, loop) != NULL) != is_inside)
            continue;
        struct tir_stmt *copy = tir_stmt_new(t->s->module, TIR_FOR, loop->loc);
        *copy = *loop;
        copy->loop.body = body;
        body = copy;
    }
    return body;
}

/* *@out_takes: @after, the statement behind it (or NULL), is computed with it. */
static bool replace(struct schedule *s, struct tir_stmt **slot, struct tir_stmt *after,
                    bool *out_takes)
{
    struct taps t = {.s = s};
    struct epilogue epilogue;
    struct tir_stmt *items[3];
    unsigned n = 0;

    if (!read_taps(&t, *slot))
        return false;
    if (epilogue_read(s, &t.nest, *slot, NULL, after, &epilogue)) {
        t.epilogue = &epilogue;
        array_push(&s->dropped, epilogue.c);
    }
    *out_takes = t.epilogue != NULL;
    find_plane(&t);
    if (t.selected) {
        items[1] = fill_plane(&t);
        items[0] = sch_alloc(s, t.plane);
        n = 2;
    }
    items[n] = around(&t, row(&t), true);
    *slot = around(&t, sch_seq(s, items, n + 1), false);
    return true;
}

static bool replace_in_seq(struct schedule *s, struct tir_stmt *seq)
{
    bool is_changed = false;

    for (unsigned i = 0; i < seq->seq.count; i++) {
        struct tir_stmt *after = i + 1 < seq->seq.count ? seq->seq.items[i + 1] : NULL;
        bool takes = false;

        if (!replace(s, &seq->seq.items[i], after, &takes)) {
            is_changed |= schedule_taps(s, &seq->seq.items[i]);
            continue;
        }
        is_changed = true;
        if (!takes)
            continue;
        for (unsigned k = i + 2; k < seq->seq.count; k++)
            seq->seq.items[k - 1] = seq->seq.items[k];
        seq->seq.count--;
    }
    return is_changed;
}

bool schedule_taps(struct schedule *s, struct tir_stmt **slot)
{
    struct tir_stmt *stmt = *slot;
    bool is_changed = false, takes;
    size_t mark;

    switch (stmt->kind) {
    case TIR_SEQ:
        return replace_in_seq(s, stmt);
    case TIR_FOR:
        if (replace(s, slot, NULL, &takes))
            return true;
        mark = sch_enter(s, stmt);
        is_changed = schedule_taps(s, &stmt->loop.body);
        sch_leave(s, mark);
        return is_changed;
    case TIR_IF:
        is_changed = schedule_taps(s, &stmt->branch.then_body);
        if (stmt->branch.else_body)
            is_changed |= schedule_taps(s, &stmt->branch.else_body);
        return is_changed;
    default:
        return false;
    }
}
