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
 * the data, not for each of the window.  The order of each sum stays.  Where the data is large, or only the run
 * knows how large, the plane holds what a chunk of the result needs, of 8 rows and 64 columns:
 *
 *     for it, jc: fill plane; for i in range(min(8, rows - it * 8)): ..
 */
#include "passes/schedule/taps.h"

#include <string.h>

enum {
    TAPS_MOST = 128,     /* elements of a window; up to.. */
    UNROLL = 64,         /* .. so many are written out */
    WHOLE_MOST = 1 << 22 /* see as_floats */
};

/* ---- recognition ---- */

static bool is_near_load(void *state, const struct ir_expr *a)
{
    const struct taps *t = state;

    return a->kind != IR_EXPR_load || taps_is_near(t, a) || taps_is_weight(t, a);
}

static bool assign(struct taps *t)
{
    const struct tir_stmt *store = t->nest.store;
    unsigned rank = store->store.index_count;
    int64_t extent, taps = 1;

    t->j = rank ? nest_loop_of(&t->nest, store->store.indices[rank - 1]) : NULL;
    if (!t->j)
        return false;
    if (!sch_constant(t->s, t->j->loop.extent, &t->width))
        t->width = 0;
    else if (t->width < 2)
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

bool taps_moves(struct taps *t, const struct ir_expr *a)
{
    return !ir_expr_walk(a, is_still, t);
}

static bool is_number(const struct ir_expr *a)
{
    return a->kind == IR_EXPR_float || a->kind == IR_EXPR_int;
}

/* A reduction that is set to a number in front of its sums, within its other loops. */
static bool read_taps(struct taps *t, struct tir_stmt *stmt)
{
    if (stmt->kind != TIR_FOR || !nest_read(t->s, stmt, &t->nest) || !t->nest.zero ||
        t->nest.zero_guard || !sch_read_reduction(t->nest.store, &t->reduction) ||
        !sch_is_pure(t->nest.store->store.value) || !assign(t))
        return false;
    t->lanes = schedule_lanes(t->s, t->nest.store->store.buffer->dtype);
    t->initial = nest_sets(t->s, t->nest.zero, &t->nest, &t->sums, t->nest.zero_depth);
    if (t->lanes < 2 || !t->initial || !is_number(t->initial))
        return false;
    t->value = t->reduction.value;
    if (t->reduction.fma)
        return false;
    const struct ir_expr *whole = t->nest.store->store.value;
    t->is_left = whole->operands[1] == t->value;
    return ir_expr_walk(t->value, is_near_load, t) && taps_moves(t, t->value);
}

bool taps_are_in(struct schedule *s, struct tir_stmt *stmt)
{
    struct taps t = {.s = s};

    return read_taps(&t, stmt);
}

/* ---- integers as floats ---- */

static const struct ir_expr *as_float(struct schedule *s, const struct ir_expr *a)
{
    if (a->kind != IR_EXPR_call || strcmp(a->name, "if_then_else") != 0)
        return ir_expr_cast(s->context, IR_F32, a);
    const struct ir_expr *args[] = {a->operands[0], as_float(s, a->operands[1]),
                                    as_float(s, a->operands[2])};

    return ir_expr_call(s->context, IR_F32, a->name, args, 3);
}

/*
 * Sums of products of int32 that stay within 2**22 are added in float32, which has all whole numbers up to 2**24:
 * vectors multiply and add floats in one instruction, integers in three.  They begin at 1.5 * 2**23, beside which
 * floats are 1 apart, so that the bits of the result less those of 1.5 * 2**23 are the sum.
 */
static void as_floats(struct taps *t)
{
    const struct ir_expr *value = t->value;
    int64_t a, b, extent, sums = 1;

    for (unsigned n = 0; n < t->sums.count; n++)
        if (sch_constant(t->s, t->sums.items[n]->loop.extent, &extent))
            sums *= extent;
    if (t->reduction.kind != IR_EXPR_add || !ir_dtype_equal(t->dtype, IR_I32) ||
        value->kind != IR_EXPR_mul || !ir_expr_is_int(t->initial, 0) ||
        !sch_farthest(value->operands[0], &a) || !sch_farthest(value->operands[1], &b) ||
        a > WHOLE_MOST || b > WHOLE_MOST || a * b > WHOLE_MOST / sums)
        return;
    t->dtype = IR_F32;
    t->initial = ir_expr_float(t->s->context, IR_F32, 12582912);
    t->value = ir_expr_binary(t->s->context, IR_EXPR_mul, as_float(t->s, value->operands[0]),
                              as_float(t->s, value->operands[1]));
}

/* The sum that @acc is 1.5 * 2**23 more than. */
static const struct ir_expr *from_float(struct schedule *s, const struct ir_expr *acc)
{
    const struct ir_expr *bits = ir_expr_call(
        s->context, IR_I32, atom_intern_text(&s->context->atoms, "reinterpret"), &acc, 1);

    return ir_expr_binary(s->context, IR_EXPR_sub, bits, sch_int(s, IR_I32, 0x4b400000));
}

/* ---- building ---- */

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

/* Columns @first .. @first + @stored of the result, of @count that are computed, at most @most. */
static struct tir_stmt *columns(struct taps *t, const struct ir_expr *first, int64_t most,
                                const struct ir_expr *count, const struct ir_expr *stored)
{
    struct schedule *s = t->s;
    struct ir_dtype dtype = t->j->loop.var->dtype;
    const struct tir_stmt *store = t->nest.store;
    struct ir_buffer *acc = sch_buffer(s, "acc", t->dtype, "local", &most, 1);
    const struct ir_var *l[3];
    const struct ir_expr *at[3], *value;
    struct tir_stmt *items[4];
    int64_t taps = 1, known;

    for (unsigned n = 0; n < 3; n++) {
        l[n] = sch_var(s, "l", dtype);
        at[n] = sch_use(s, l[n]);
    }
    items[0] = sch_alloc(s, acc);
    items[1] = sch_for(s, TIR_VECTORIZED, l[0], count, sch_store(s, acc, &at[0], t->initial));
    value = ir_expr_rewrite(s->context, t->value, taps_from_plane, t);
    value = sch_put(s, value, t->j->loop.var, sch_add(s, first, at[1]));
    struct tir_stmt *step =
        sch_store(s, acc, &at[1],
                  ir_expr_at(s->context, store->loc, combine(t, sch_load(s, acc, &at[1]), value)));
    step->loc = store->loc;
    struct tir_stmt *body = sch_for(s, TIR_VECTORIZED, l[1], count, step);
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
    if (!ir_dtype_equal(t->dtype, store->store.buffer->dtype))
        whole = from_float(s, whole);
    items[3] = t->epilogue ? epilogue_store(s, t->epilogue, to, whole)
                           : sch_store(s, store->store.buffer, to, whole);
    if (!t->epilogue)
        items[3]->loc = store->loc;
    items[3] = sch_for(s, TIR_VECTORIZED, l[2], stored, items[3]);
    return loop_copy_fresh(s->module, sch_seq(s, items, 4));
}

/* The same of which only the run knows how many there are: whole vectors, and what is left. */
static struct tir_stmt *open_row(struct taps *t)
{
    struct schedule *s = t->s;
    struct ir_dtype dtype = t->j->loop.var->dtype;
    const struct tap_axis *axis = t->selected ? &t->axes[t->sums.count - 1] : NULL;
    const struct ir_expr *begin = axis ? axis->first : sch_int(s, dtype, 0);
    const struct ir_expr *width = axis ? axis->count : t->j->loop.extent;
    const struct ir_var *jt = sch_var(s, "jt", dtype);
    const struct ir_expr *lanes = sch_int(s, dtype, t->lanes), *full = sch_div(s, width, t->lanes);
    const struct ir_expr *left =
        ir_simplify(s->context, ir_expr_binary(s->context, IR_EXPR_floormod, width, lanes));
    const struct ir_expr *first = sch_add(s, begin, sch_mul(s, sch_use(s, jt), t->lanes));
    const struct ir_expr *last = sch_add(s, begin, sch_mul(s, full, t->lanes));
    struct tir_stmt *rest = columns(t, last, t->lanes, t->may_round ? lanes : left, left);
    const struct ir_expr *is_left =
        ir_expr_binary(s->context, IR_EXPR_gt, left, sch_int(s, dtype, 0));
    struct tir_stmt *items[] = {
        sch_for(s, TIR_SERIAL, jt, full, columns(t, first, t->lanes, lanes, lanes)),
        sch_if(s, is_left, rest, NULL)};

    return sch_seq(s, items, 2);
}

/* A row of the result: whole tiles, and what is left. */
static struct tir_stmt *row(struct taps *t)
{
    struct schedule *s = t->s;
    struct ir_dtype dtype = t->j->loop.var->dtype;
    struct tir_stmt *items[2];
    unsigned n = 0;

    if (taps_are_open(t))
        return open_row(t);
    int64_t tile = taps_tile(t), left = t->width % tile;
    int64_t full = t->width / tile;
    if (full > 0) {
        const struct ir_var *jt = sch_var(s, "jt", dtype);
        const struct ir_expr *first = sch_mul(s, sch_use(s, jt), tile);
        const struct ir_expr *count = sch_int(s, dtype, tile);
        items[n++] = sch_for(s, TIR_SERIAL, jt, sch_int(s, dtype, full),
                             columns(t, first, tile, count, count));
    }
    if (left) {
        int64_t most = taps_rounded(t, left);
        items[n++] = columns(t, sch_int(s, dtype, t->width - left), most, sch_int(s, dtype, most),
                             sch_int(s, dtype, left));
    }
    return sch_seq(s, items, n);
}

/* The loops of the result that are in a chunk, or all those that are not, around @body. */
static struct tir_stmt *around(struct taps *t, struct tir_stmt *body, bool is_inside)
{
    struct schedule *s = t->s;

    for (unsigned n = t->nest.count; n-- > 0;) {
        struct tir_stmt *loop = t->nest.loops[n];
        const struct tap_axis *axis = taps_axis_of(t, loop);

        if (loop == t->j || nest_place(&t->nest, loop) < 0 || (axis != NULL) != is_inside)
            continue;
        if (axis && axis->number) {
            const struct ir_var *q = sch_var(s, "q", loop->loop.var->dtype);
            const struct ir_expr *i = sch_add(s, axis->first, sch_use(s, q));

            body = sch_for(s, TIR_SERIAL, q, axis->count, sch_copy(s, body, loop->loop.var, i));
            continue;
        }
        struct tir_stmt *copy = tir_stmt_new(s->module, TIR_FOR, loop->loc);
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
    struct tir_stmt *items[3], *whole[3];
    unsigned n = 0, packs;

    if (!read_taps(&t, *slot))
        return false;
    if (epilogue_read(s, &t.nest, *slot, NULL, after, &epilogue)) {
        t.epilogue = &epilogue;
        array_push(&s->dropped, epilogue.c);
    }
    *out_takes = t.epilogue != NULL;
    packs = taps_pack_weights(&t, whole);
    t.dtype = t.nest.store->store.buffer->dtype;
    as_floats(&t);
    taps_find_plane(&t);
    if (t.selected) {
        items[1] = taps_fill_plane(&t);
        items[0] = sch_alloc(s, t.plane);
        n = 2;
    }
    items[n] = around(&t, row(&t), true);
    whole[packs] = around(&t, taps_by_chunks(&t, sch_seq(s, items, n + 1)), false);
    *slot = sch_seq(s, whole, packs + 1);
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
