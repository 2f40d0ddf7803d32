/*
 * The plane of sums over windows (see taps.c): the data that a chunk of the result reads, zeros outside of it included,
 * with each element asked once whether it is inside; or the data made wider, each element once.
 */
#include "passes/schedule/taps.h"

#include <string.h>

enum {
    CHUNK = 8,             /* of an axis but the last, where the whole is too much */
    PLANE_MOST = 24 << 10, /* bytes: what L1 holds beside the rows of the result */
    LANES_MOST =
        128 << 10 /* .. of vectors, each of which is read for a window at a time: what L2 holds */
};

/* ---- finding ---- */

struct finding {
    const struct taps *t;
    const struct ir_expr *select;
    unsigned count;
};

static bool is_select(const struct ir_expr *a)
{
    return a->kind == IR_EXPR_call && strcmp(a->name, "if_then_else") == 0;
}

static bool find_select(void *state, const struct ir_expr *a)
{
    struct finding *found = state;

    if (!is_select(a))
        return true;
    found->count += found->select && !ir_expr_equal(found->select, a);
    found->select = a;
    return false;
}

struct loading {
    const struct taps *t;
    const struct ir_expr *load;
    unsigned count;
};

/* Is it the same for all that the nest makes, as a zero point is? */
static bool is_fixed_load(const struct taps *t, const struct ir_expr *load)
{
    for (unsigned n = 0; n < t->nest.count; n++)
        if (ir_expr_uses_var(load, t->nest.loops[n]->loop.var))
            return false;
    return true;
}

static bool find_load(void *state, const struct ir_expr *a)
{
    struct loading *found = state;

    if (a->kind == IR_EXPR_load && !is_fixed_load(found->t, a)) {
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

/* The one index of @load that goes with @var, in steps of *@out_step; NULL: none, or several. */
static const struct ir_expr *index_with(struct taps *t, const struct ir_expr *load,
                                        const struct ir_var *var, int64_t *out_step)
{
    const struct ir_expr *found = NULL, *rest;

    for (unsigned d = 0; d < load->operand_count; d++) {
        if (!ir_expr_uses_var(load->operands[d], var))
            continue;
        if (found)
            return NULL;
        found = load->operands[d];
    }
    return found && ir_expr_linear(t->s->context, found, var, out_step, &rest) ? found : NULL;
}

static bool find_axis(struct taps *t, const struct ir_expr *load, struct tir_stmt *sum,
                      struct tap_axis *axis)
{
    int64_t by_sum, by_loop, loops, sums;

    const struct ir_expr *index = index_with(t, load, sum->loop.var, &by_sum);

    if (!index || by_sum < 1 || !sch_constant(t->s, sum->loop.extent, &sums))
        return false;
    for (unsigned n = t->nest.count; n-- > 0;) {
        struct tir_stmt *loop = t->nest.loops[n];
        bool is_known = sch_constant(t->s, loop->loop.extent, &loops);

        if (nest_place(&t->nest, loop) < 0 || !ir_expr_uses_var(t->selected, loop->loop.var) ||
            (is_known && loops < 1) || index_with(t, load, loop->loop.var, &by_loop) != index ||
            by_loop < 1 || (by_loop % by_sum != 0 && by_sum % by_loop != 0))
            continue;
        *axis = (struct tap_axis){.loop = loop,
                                  .sum = sum,
                                  .stride = 1,
                                  .dilation = 1,
                                  .sums = sums,
                                  .loops = is_known ? loops : 0};
        if (by_loop % by_sum == 0)
            axis->stride = by_loop / by_sum;
        else
            axis->dilation = by_sum / by_loop;
        if (fits(t, t->selected, axis))
            return true;
    }
    return false;
}

/* Of @loops iterations, @most at a time: so many that an even number of chunks, which threads may share, is of one size. */
static int64_t even_chunk(int64_t loops, int64_t most)
{
    int64_t count = (loops + most - 1) / most;

    count += count % 2;
    return loops > 0 ? (loops + count - 1) / count : most;
}

/* Does the plane fit that has all of the result, or (@by_chunks) a chunk of it? */
static bool choose_chunks(struct taps *t, bool by_chunks)
{
    int64_t bytes = ir_dtype_bytes(t->value->dtype) * (t->has_lanes ? t->width : 1);
    int64_t columns = t->has_lanes ? INT32_MAX : t->lanes * TAPS_TILE_VECTORS;

    for (unsigned n = 0; n < t->sums.count; n++) {
        struct tap_axis *axis = &t->axes[n];
        int64_t most = n + 1 < t->sums.count ? CHUNK : columns, window;
        bool is_whole = axis->loops > 0 && (!by_chunks || axis->loops <= most);

        if (axis->loops == 0 && !by_chunks)
            return false;
        axis->chunk = is_whole                ? axis->loops
                      : n + 1 < t->sums.count ? even_chunk(axis->loops, most)
                                              : most;
        if (__builtin_mul_overflow(axis->chunk - 1, axis->stride, &axis->extent) ||
            __builtin_mul_overflow(axis->sums - 1, axis->dilation, &window) ||
            __builtin_add_overflow(axis->extent, window + 1, &axis->extent) ||
            __builtin_mul_overflow(bytes, axis->extent, &bytes) ||
            bytes > (t->has_lanes ? LANES_MOST : PLANE_MOST))
            return false;
    }
    return true;
}

/* The chunks: their numbers, where each begins, and how much is in it. */
static void name_chunks(struct taps *t)
{
    struct schedule *s = t->s;

    for (unsigned n = 0; n < t->sums.count; n++) {
        struct tap_axis *axis = &t->axes[n];
        const struct ir_expr *all = axis->loop->loop.extent;

        axis->first = sch_int(s, all->dtype, 0);
        axis->count = all;
        if (axis->chunk == axis->loops)
            continue;
        axis->number = sch_var(s, n + 1 < t->sums.count ? "it" : "jc", all->dtype);
        axis->first = sch_mul(s, sch_use(s, axis->number), axis->chunk);
        axis->count = sch_min(s, sch_int(s, all->dtype, axis->chunk), sch_sub(s, all, axis->first));
    }
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

/* An axis for each of the sums, each with a loop of its own. */
static bool find_axes(struct taps *t, const struct ir_expr *load)
{
    for (unsigned n = 0; n < t->sums.count; n++) {
        if (!find_axis(t, load, t->sums.items[n], &t->axes[n]))
            return false;
        for (unsigned k = 0; k < n; k++)
            if (t->axes[k].loop == t->axes[n].loop)
                return false;
    }
    return true;
}

/* Are the columns neighbours in what @load reads, and no more than a vector? */
static bool are_lanes(struct taps *t, const struct ir_expr *load)
{
    int64_t step;

    return t->width > 0 && t->width <= t->lanes && index_with(t, load, t->j->loop.var, &step) &&
           step == 1;
}

/* The one load in @a that is not the same for all that the nest makes; NULL: there are several, or none. */
static const struct ir_expr *only_load(const struct taps *t, const struct ir_expr *a)
{
    struct loading loading = {.t = t};

    (void)ir_expr_walk(a, find_load, &loading);
    return loading.count == 1 ? loading.load : NULL;
}

/*
 * The value, or the factor of it, that makes wider what lies where the window is: done once for each element, not for each
 * window that it is in.  NULL: it is none.
 */
static const struct ir_expr *find_widening(struct taps *t)
{
    const struct ir_expr *value = t->value, *load = only_load(t, value);

    if (!load && value->kind == IR_EXPR_mul) {
        bool is_left = taps_moves(t, value->operands[0]);

        if (is_left == taps_moves(t, value->operands[1]))
            return NULL;
        value = value->operands[!is_left];
        load = only_load(t, value);
    }
    return load && ir_dtype_bytes(load->dtype) < ir_dtype_bytes(value->dtype) ? value : NULL;
}

/* Is an element in several windows? */
static bool overlap(const struct taps *t)
{
    for (unsigned n = 0; n < t->sums.count; n++)
        if (t->axes[n].sums > t->axes[n].stride)
            return true;
    return false;
}

void taps_find_plane(struct taps *t)
{
    struct finding found = {.t = t};
    struct loading loading = {.t = t};

    (void)ir_expr_walk(t->value, find_select, &found);
    if (found.count > 0)
        return;
    t->selected = found.select ? found.select : find_widening(t);
    if (!t->selected)
        return;
    (void)ir_expr_walk(t->selected, find_load, &loading);
    bool has_axes = loading.count == 1 && find_axes(t, loading.load);
    bool has_columns = has_axes && t->axes[t->sums.count - 1].loop == t->j;
    t->has_lanes = has_axes && !taps_axis_of(t, t->j) && are_lanes(t, loading.load);
    if (!(has_columns || t->has_lanes) || (!found.select && !overlap(t)) ||
        (!choose_chunks(t, false) && !choose_chunks(t, true)))
        t->selected = NULL;
    else
        name_chunks(t);
    t->may_round = t->selected && !t->has_lanes && differs_by_plane_alone(t);
}

/* ---- columns ---- */

const struct tap_axis *taps_axis_of(const struct taps *t, const struct tir_stmt *loop)
{
    for (unsigned n = 0; t->selected && n < t->sums.count; n++)
        if (t->axes[n].loop == loop)
            return &t->axes[n];
    return NULL;
}

int64_t taps_tile(const struct taps *t)
{
    int64_t tile = t->lanes * TAPS_TILE_VECTORS;

    return t->width < tile || t->width % tile >= t->lanes ? t->lanes : tile;
}

int64_t taps_rounded(const struct taps *t, int64_t left)
{
    int64_t count = 1;

    while (count < left)
        count *= 2;
    return t->may_round ? count : left;
}

bool taps_are_open(const struct taps *t)
{
    return t->width == 0 || (t->selected && !t->has_lanes && t->axes[t->sums.count - 1].number);
}

/* The columns of a row that are computed, some in vain. */
static const struct ir_expr *computed(struct taps *t, const struct ir_expr *columns)
{
    int64_t left = t->width % taps_tile(t);

    if (!t->may_round)
        return columns;
    if (taps_are_open(t))
        return sch_mul(t->s, sch_ceil_div(t->s, columns, t->lanes), t->lanes);
    return sch_add(t->s, columns,
                   sch_int(t->s, columns->dtype, left ? taps_rounded(t, left) - left : 0));
}

/* How many u of @axis @loops iterations need. */
static const struct ir_expr *needed(struct taps *t, const struct tap_axis *axis,
                                    const struct ir_expr *loops)
{
    int64_t more = (axis->sums - 1) * axis->dilation + 1 - axis->stride;

    return sch_add(t->s, sch_mul(t->s, loops, axis->stride), sch_int(t->s, loops->dtype, more));
}

/* ---- building ---- */

/* Those of the conditions of which @a is made by `and` that use @var, or all others; NULL: there are none. */
static const struct ir_expr *conditions(struct taps *t, const struct ir_expr *a,
                                        const struct ir_var *var, bool is_used)
{
    if (a->kind != IR_EXPR_and)
        return ir_expr_uses_var(a, var) == is_used ? a : NULL;
    const struct ir_expr *left = conditions(t, a->operands[0], var, is_used);
    const struct ir_expr *right = conditions(t, a->operands[1], var, is_used);

    return left && right ? ir_expr_binary(t->s->context, IR_EXPR_and, left, right)
           : left        ? left
                         : right;
}

/* plane[at] = the selected @value, for the @own columns of a row: whether the row is inside is asked once, if at all. */
static struct tir_stmt *fill_row(struct taps *t, const struct ir_expr *const *at,
                                 const struct ir_var *var, const struct ir_expr *own,
                                 const struct ir_expr *value)
{
    struct schedule *s = t->s;

    if (!is_select(value))
        return sch_for(s, TIR_VECTORIZED, var, own, sch_store(s, t->plane, at, value));
    const struct ir_expr *of_row = conditions(t, value->operands[0], var, false);
    const struct ir_expr *args[] = {conditions(t, value->operands[0], var, true),
                                    value->operands[1], value->operands[2]};
    const struct ir_expr *inside =
        args[0] ? ir_expr_call(s->context, value->dtype, value->name, args, 3) : args[1];
    struct tir_stmt *row = sch_for(s, TIR_VECTORIZED, var, own, sch_store(s, t->plane, at, inside));

    if (!of_row)
        return row;
    struct tir_stmt *outside =
        sch_for(s, TIR_VECTORIZED, var, own, sch_store(s, t->plane, at, value->operands[2]));
    return sch_if(s, of_row, row, loop_copy_fresh(s->module, outside));
}

/* The plane of vectors, all of it. */
static struct tir_stmt *fill_lanes(struct taps *t, const struct ir_expr **at,
                                   const struct ir_var *const *vars, int64_t *shape,
                                   const struct ir_expr *value)
{
    struct schedule *s = t->s;
    const struct ir_var *l = sch_var(s, "l", t->j->loop.var->dtype);
    unsigned count = t->sums.count;

    at[count] = sch_use(s, l);
    shape[count] = t->width;
    t->plane = sch_buffer(s, "plane", value->dtype, "global", shape, count + 1);
    value = sch_put(s, value, t->j->loop.var, at[count]);
    struct tir_stmt *body = sch_for(s, TIR_VECTORIZED, l, sch_int(s, l->dtype, t->width),
                                    sch_store(s, t->plane, at, value));
    for (unsigned n = count; n-- > 0;)
        body = sch_for(s, TIR_SERIAL, vars[n], needed(t, &t->axes[n], t->axes[n].count), body);
    return body;
}

struct tir_stmt *taps_fill_plane(struct taps *t)
{
    struct schedule *s = t->s;
    const struct ir_expr *at[MATMUL_LOOP_LIMIT], *value = t->selected;
    const struct ir_var *vars[MATMUL_LOOP_LIMIT];
    int64_t shape[MATMUL_LOOP_LIMIT];
    unsigned count = t->sums.count;

    for (unsigned n = 0; n < count; n++) {
        const struct tap_axis *axis = &t->axes[n];
        int64_t start = axis->dilation == 1 ? axis->stride : 1;

        vars[n] = sch_var(s, n + 1 < count ? "u" : "v", t->j->loop.var->dtype);
        at[n] = sch_use(s, vars[n]);
        value = along(t, value, axis, sch_add(s, sch_mul(s, axis->first, start), at[n]));
        shape[n] = axis->extent;
    }
    if (t->has_lanes)
        return fill_lanes(t, at, vars, shape, value);
    struct tap_axis *last = &t->axes[count - 1];
    const struct ir_expr *own = needed(t, last, last->count);
    const struct ir_expr *more = sch_sub(s, needed(t, last, computed(t, last->count)), own);
    struct tir_stmt *items[2];
    unsigned parts = 0;
    int64_t known;

    if (!last->number && sch_constant(s, more, &known))
        shape[count - 1] += known;
    t->plane = sch_buffer(s, "plane", t->selected->dtype, "global", shape, count);
    items[parts++] = fill_row(t, at, vars[count - 1], own, value);
    if (!ir_expr_is_int(more, 0)) {
        const struct ir_var *v = sch_var(s, "v", own->dtype);

        at[count - 1] = sch_add(s, own, sch_use(s, v));
        items[parts++] = sch_for(s, TIR_VECTORIZED, v, more,
                                 sch_store(s, t->plane, at, zero_of(s, t->selected->dtype)));
    }
    struct tir_stmt *body = sch_seq(s, items, parts);
    for (unsigned n = count - 1; n-- > 0;)
        body = sch_for(s, TIR_SERIAL, vars[n], needed(t, &t->axes[n], t->axes[n].count), body);
    return body;
}

const struct ir_expr *taps_from_plane(void *state, const struct ir_expr *a)
{
    struct taps *t = state;
    const struct ir_expr *at[MATMUL_LOOP_LIMIT];

    if (!t->selected || !ir_expr_equal(a, t->selected))
        return a;
    for (unsigned n = 0; n < t->sums.count; n++) {
        const struct tap_axis *axis = &t->axes[n];

        at[n] = place_of(t, axis, sch_sub(t->s, sch_use(t->s, axis->loop->loop.var), axis->first),
                         sch_use(t->s, axis->sum->loop.var));
    }
    if (t->has_lanes)
        at[t->sums.count] = sch_use(t->s, t->j->loop.var);
    return sch_load(t->s, t->plane, at);
}

struct tir_stmt *taps_by_chunks(struct taps *t, struct tir_stmt *body)
{
    struct schedule *s = t->s;

    for (unsigned n = t->sums.count; t->selected && n-- > 0;)
        if (t->axes[n].number)
            body = sch_for(s, TIR_SERIAL, t->axes[n].number,
                           sch_ceil_div(s, t->axes[n].loop->loop.extent, t->axes[n].chunk), body);
    return body;
}
