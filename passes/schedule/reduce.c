/*
 * Reductions over an axis that is contiguous in memory.
 *
 *     for k in range(n):                        acc = alloc_buffer((32,), scope="local"), filled with
 *         s[i] = s[i] + x[i, k]        ==>          what changes nothing
 *                                               for ko in range(n // 32): for l in T.vectorized(32):
 *                                                   acc[l] = acc[l] + x[i, ko * 32 + l]
 *                                               for l in T.vectorized(n % 32): .. the rest
 *                                               acc[0..15] += acc[16..31]; acc[0..7] += ..; .. a tree
 *                                               s[i] = s[i] + (acc[0] + acc[1])
 *
 * One chain of additions would wait for each; a vector of partial sums works on as many elements as four
 * registers hold.  The order of additions changes, which is why the order is written down here and not
 * left to code generation: the same bits interpreted, compiled and for any number of threads.  A loop may
 * do more than reduce (softmax stores its exponentials in the loop that sums them): then all other
 * statements must be independent from iteration to iteration.
 *
 * Sums over several axes keep their accumulators through all of the loops, so the innermost may be short:
 *
 *     for k0, k1 in T.grid(14, 14):                 acc = .. (16,)
 *         s[i] = s[i] + x[i, k0, k1]       ==>      for k0 in range(14): for l in T.vectorized(14):
 *                                                       acc[l] = acc[l] + x[i, k0, l]
 *                                                   .. the tree
 *
 * float16 and bfloat16 sums are left alone: rounded at each step, their order matters too much.
 */
#include "analysis/access/index.h"
#include "analysis/access/loop.h"
#include "passes/schedule/schedule.h"

#include <math.h>
#include <string.h>

enum { STATEMENT_LIMIT = 16, REGISTERS = 4, SHORTEST = 4 };

struct loop_body {
    struct tir_stmt *const *items;
    unsigned count;
    struct reduction reductions[STATEMENT_LIMIT];
    unsigned reduction_count;
};

static bool is_own_load(const struct tir_stmt *store, const struct ir_expr *a)
{
    if (a->kind != IR_EXPR_load || a->buffer != store->store.buffer)
        return false;
    for (unsigned i = 0; i < a->operand_count; i++)
        if (!ir_expr_equal(a->operands[i], store->store.indices[i]))
            return false;
    return true;
}

static bool is_reducible(struct ir_dtype dtype)
{
    return dtype.lanes == 1 && (ir_dtype_equal(dtype, IR_F32) || ir_dtype_equal(dtype, IR_F64) ||
                                ir_dtype_is_int(dtype));
}

bool sch_read_reduction(struct tir_stmt *store, struct reduction *out)
{
    const struct ir_expr *value = store->store.value;
    const struct ir_buffer *buffer = store->store.buffer;

    *out = (struct reduction){.store = store, .kind = value->kind};
    if (!is_reducible(buffer->dtype) || !ir_dtype_equal(value->dtype, buffer->dtype))
        return false;
    if (value->kind == IR_EXPR_call && strcmp(value->name, "fma") == 0 &&
        is_own_load(store, value->operands[2])) {
        out->kind = IR_EXPR_add;
        out->fma = value;
        return !sch_reads(value->operands[0], buffer) && !sch_reads(value->operands[1], buffer);
    }
    bool is_exact = ir_dtype_is_int(buffer->dtype); /* floats multiply in the order of the text */
    if (value->kind != IR_EXPR_add && value->kind != IR_EXPR_min && value->kind != IR_EXPR_max &&
        (value->kind != IR_EXPR_mul || !is_exact))
        return false;
    bool is_left = is_own_load(store, value->operands[0]);
    if (!is_left && !is_own_load(store, value->operands[1]))
        return false;
    out->value = value->operands[is_left];
    return !sch_reads(out->value, buffer);
}

static bool uses_var(const struct tir_stmt *store, const struct ir_var *var)
{
    for (unsigned i = 0; i < store->store.index_count; i++)
        if (ir_expr_uses_var(store->store.indices[i], var))
            return true;
    return false;
}

/* Is it one place for all iterations? An element that an index comes from may be stored to in the loop. */
static bool stays(const struct tir_stmt *store)
{
    for (unsigned i = 0; i < store->store.index_count; i++)
        if (!sch_is_fixed(store->store.indices[i]))
            return false;
    return true;
}

/* Sorts the statements of the body; false if there are others than stores, or no reduction. */
static bool read_body(struct tir_stmt *loop, struct loop_body *out)
{
    struct tir_stmt *body = loop->loop.body;

    *out = (struct loop_body){.items = body->kind == TIR_SEQ ? body->seq.items : &loop->loop.body,
                              .count = body->kind == TIR_SEQ ? body->seq.count : 1};
    if (out->count > STATEMENT_LIMIT)
        return false;
    for (unsigned i = 0; i < out->count; i++) {
        struct tir_stmt *store = out->items[i];
        if (store->kind != TIR_STORE || store->store.predicate ||
            store->store.value->dtype.lanes != 1 || !sch_is_pure(store->store.value))
            return false;
        if (uses_var(store, loop->loop.var))
            continue;
        if (!stays(store) || !sch_read_reduction(store, &out->reductions[out->reduction_count]))
            return false;
        out->reduction_count++;
    }
    return out->reduction_count > 0;
}

/* Is the buffer of each reduction touched by nothing else in the body? */
static bool are_alone(const struct loop_body *body)
{
    for (unsigned r = 0; r < body->reduction_count; r++) {
        const struct tir_stmt *own = body->reductions[r].store;
        for (unsigned i = 0; i < body->count; i++) {
            const struct tir_stmt *other = body->items[i];
            if (other == own)
                continue;
            if (other->store.buffer == own->store.buffer ||
                sch_reads(other->store.value, own->store.buffer))
                return false;
            for (unsigned k = 0; k < other->store.index_count; k++)
                if (sch_reads(other->store.indices[k], own->store.buffer))
                    return false;
        }
    }
    return true;
}

/* What is combined with the accumulator, or a term of it that stands for the dependence test. */
static const struct ir_expr *term(struct schedule *s, const struct reduction *r)
{
    return r->fma
               ? ir_expr_binary(s->context, IR_EXPR_mul, r->fma->operands[0], r->fma->operands[1])
               : r->value;
}

static const struct ir_expr *combine(struct schedule *s, const struct reduction *r,
                                     const struct ir_expr *to, const struct ir_expr *value)
{
    return ir_expr_binary(s->context, r->kind, to, value);
}

/* The loop with each reduction's store replaced by one of its term to a place of its own. */
static struct tir_stmt *probe(struct schedule *s, struct tir_stmt *loop,
                              const struct loop_body *body)
{
    struct tir_stmt *items[STATEMENT_LIMIT];

    for (unsigned i = 0; i < body->count; i++) {
        items[i] = body->items[i];
        for (unsigned r = 0; r < body->reduction_count; r++)
            if (body->reductions[r].store == items[i]) {
                const struct ir_expr *index = sch_use(s, loop->loop.var);
                struct ir_buffer *own = tir_buffer_new(
                    s->module, "terms", items[i]->store.buffer->dtype, &loop->loop.extent, 1);
                items[i] = sch_store(s, own, &index, term(s, &body->reductions[r]));
                break;
            }
    }
    struct tir_stmt *test = tir_stmt_new(s->module, TIR_FOR, loop->loc);
    *test = *loop;
    test->loop.body = sch_seq(s, items, body->count);
    return test;
}

/* Does every access move by one element or stay? */
static bool is_contiguous(struct schedule *s, const struct tir_stmt *loop,
                          const struct loop_body *body)
{
    for (unsigned i = 0; i < body->count; i++) {
        const struct tir_stmt *store = body->items[i];
        int64_t stride;
        if (!sch_loads_rows(s, store->store.value, loop->loop.var))
            return false;
        if (uses_var(store, loop->loop.var) &&
            (!index_stride(s->context, store->store.buffer, store->store.indices,
                           store->store.index_count, loop->loop.var, &stride) ||
             stride != 1))
            return false;
    }
    return true;
}

/*
 * Lanes of the accumulators: a power of two; 0 if the loop is too short, which in a nest only the
 * shortest are.
 */
static int64_t choose_width(struct schedule *s, const struct tir_stmt *loop,
                            const struct loop_body *body, bool is_nest)
{
    int64_t width = 0, extent;

    for (unsigned r = 0; r < body->reduction_count; r++) {
        int64_t lanes = schedule_lanes(s, body->reductions[r].store->store.buffer->dtype);
        width = lanes * REGISTERS > width ? lanes * REGISTERS : width;
    }
    if (!sch_constant(s, loop->loop.extent, &extent))
        return width;
    int64_t least = width / REGISTERS;
    while (width > least && extent < 2 * width)
        width /= 2;
    if (!is_nest)
        return width > 1 && extent >= 2 * width ? width : 0;
    while (width > 2 && width / 2 >= extent)
        width /= 2;
    return width > 1 && extent >= SHORTEST ? width : 0;
}

const struct ir_expr *sch_neutral(struct schedule *s, const struct reduction *r)
{
    struct ir_dtype dtype = r->store->store.buffer->dtype;
    bool is_max = r->kind == IR_EXPR_max;

    if (r->kind == IR_EXPR_mul)
        return sch_int(s, dtype, 1);
    if (r->kind == IR_EXPR_add)
        return ir_dtype_is_float(dtype) ? ir_expr_float(s->context, dtype, 0)
                                        : sch_int(s, dtype, 0);
    if (ir_dtype_is_float(dtype))
        return ir_expr_float(s->context, dtype, is_max ? -INFINITY : INFINITY);
    if (dtype.code == IR_UINT)
        return sch_int(s, dtype,
                       is_max             ? 0
                       : dtype.bits == 64 ? -1
                                          : (INT64_C(1) << dtype.bits) - 1);
    int64_t highest = dtype.bits == 64 ? INT64_MAX : (INT64_C(1) << (dtype.bits - 1)) - 1;
    return sch_int(s, dtype, is_max ? -highest - 1 : highest);
}

/* The body for iteration @k, with lane @lane of the accumulators in place of what is reduced to. */
static struct tir_stmt *lane_body(struct schedule *s, const struct tir_stmt *loop,
                                  const struct loop_body *body, const struct ir_expr *k,
                                  const struct ir_expr *lane)
{
    struct tir_stmt *items[STATEMENT_LIMIT];
    const struct ir_var *var = loop->loop.var;

    for (unsigned i = 0; i < body->count; i++) {
        const struct reduction *r = NULL;
        for (unsigned n = 0; n < body->reduction_count && !r; n++)
            r = body->reductions[n].store == body->items[i] ? &body->reductions[n] : NULL;
        if (!r) {
            items[i] = sch_copy(s, body->items[i], var, k);
            continue;
        }
        items[i] = sch_reduce_to(s, r, r->acc, lane, var, k);
    }
    return sch_seq(s, items, body->count);
}

struct tir_stmt *sch_reduce_to(struct schedule *s, const struct reduction *r,
                               const struct ir_buffer *to, const struct ir_expr *index,
                               const struct ir_var *var, const struct ir_expr *k)
{
    const struct ir_expr *partial = sch_load(s, to, &index), *value;

    if (r->fma) {
        const struct ir_expr *args[] = {sch_put(s, r->fma->operands[0], var, k),
                                        sch_put(s, r->fma->operands[1], var, k), partial};
        value = ir_expr_call(s->context, r->fma->dtype, r->fma->name, args, 3);
    } else {
        /* Of two operands the first is asked whether it is NaN: not the one that the next round waits for. */
        const struct ir_expr *one = sch_put(s, r->value, var, k);
        bool is_choice = r->kind == IR_EXPR_max || r->kind == IR_EXPR_min;
        value = is_choice ? combine(s, r, one, partial) : combine(s, r, partial, one);
    }
    struct tir_stmt *store = sch_store(s, to, &index, ir_expr_at(s->context, r->store->loc, value));
    store->loc = r->store->loc;
    return store;
}

struct statements {
    struct tir_stmt **items;
    size_t count, capacity; /* an array() */
};

static void add_start(struct schedule *s, struct statements *out, struct reduction *r,
                      int64_t width)
{
    const struct ir_var *l = sch_var(s, "l", IR_I64);
    const struct ir_expr *lane = sch_use(s, l);

    r->acc = sch_buffer(s, "acc", r->store->store.buffer->dtype, "local", &width, 1);
    array_push(out, sch_alloc(s, r->acc));
    array_push(out, sch_for(s, TIR_VECTORIZED, l, sch_int(s, IR_I64, width),
                            sch_store(s, r->acc, &lane, sch_neutral(s, r))));
}

static void add_loops(struct schedule *s, struct statements *out, const struct tir_stmt *loop,
                      const struct loop_body *body, int64_t width)
{
    struct ir_dtype dtype = loop->loop.var->dtype;
    const struct ir_expr *extent = sch_count(s, loop);
    int64_t count;
    const struct ir_expr *rounds = sch_div(s, extent, width);
    const struct ir_expr *done = sch_mul(s, rounds, width);
    const struct ir_expr *rest = sch_sub(s, extent, done);
    const struct ir_var *ko = sch_var(s, "ko", dtype), *l = sch_var(s, "l", dtype);
    const struct ir_expr *lane = sch_use(s, l);
    const struct ir_expr *k = ir_expr_binary(
        s->context, IR_EXPR_add,
        ir_expr_binary(s->context, IR_EXPR_mul, sch_use(s, ko), sch_int(s, dtype, width)), lane);

    struct tir_stmt *inner =
        sch_for(s, TIR_VECTORIZED, l, sch_int(s, dtype, width), lane_body(s, loop, body, k, lane));
    if (!sch_constant(s, rounds, &count) || count > 0)
        array_push(out, sch_for(s, TIR_SERIAL, ko, rounds, inner));
    if (ir_expr_is_int(rest, 0))
        return;
    const struct ir_var *t = sch_var(s, "l", dtype);
    const struct ir_expr *last = sch_use(s, t);
    array_push(out, sch_for(s, TIR_VECTORIZED, t, rest,
                            lane_body(s, loop, body,
                                      ir_expr_binary(s->context, IR_EXPR_add, done, last), last)));
}

/* Halves the accumulator until two values are left, which go to where the sum goes. */
static void add_tree(struct schedule *s, struct statements *out, const struct reduction *r,
                     int64_t width)
{
    const struct tir_stmt *store = r->store;

    for (width /= 2; width > 1; width /= 2) {
        const struct ir_var *l = sch_var(s, "l", IR_I64);
        const struct ir_expr *low = sch_use(s, l);
        const struct ir_expr *high =
            ir_expr_binary(s->context, IR_EXPR_add, low, sch_int(s, IR_I64, width));
        const struct ir_expr *sum =
            combine(s, r, sch_load(s, r->acc, &low), sch_load(s, r->acc, &high));
        array_push(out, sch_for(s, TIR_VECTORIZED, l, sch_int(s, IR_I64, width),
                                sch_store(s, r->acc, &low, sum)));
    }
    const struct ir_expr *zero = sch_int(s, IR_I64, 0), *one = sch_int(s, IR_I64, 1);
    const struct ir_expr *pair =
        combine(s, r, sch_load(s, r->acc, &zero), sch_load(s, r->acc, &one));
    const struct ir_expr *old = sch_load(s, store->store.buffer, store->store.indices);
    struct tir_stmt *last =
        sch_store(s, store->store.buffer, store->store.indices, combine(s, r, old, pair));
    last->loc = store->loc;
    array_push(out, last);
}

/* Accumulators in front of @around, a nest of loops whose innermost one is @loop, and the tree behind it. */
static struct tir_stmt *build(struct schedule *s, struct tir_stmt *around, struct tir_stmt *parent,
                              const struct tir_stmt *loop, struct loop_body *body, int64_t width)
{
    struct statements out = {0}, inside = {0};

    for (unsigned r = 0; r < body->reduction_count; r++)
        add_start(s, &out, &body->reductions[r], width);
    add_loops(s, parent ? &inside : &out, loop, body, width);
    if (parent) {
        parent->loop.body = sch_seq(s, inside.items, (unsigned)inside.count);
        array_push(&out, around);
    }
    for (unsigned r = 0; r < body->reduction_count; r++)
        add_tree(s, &out, &body->reductions[r], width);
    struct tir_stmt *result = sch_seq(s, out.items, (unsigned)out.count);
    array_finish(&out);
    array_finish(&inside);
    return result;
}

/* The one loop @slot holds, which may do more than reduce. */
static bool reduce(struct schedule *s, struct tir_stmt **slot)
{
    struct tir_stmt *loop = *slot;
    struct loop_body body;

    if (!read_body(loop, &body) || !are_alone(&body) || !is_contiguous(s, loop, &body))
        return false;
    int64_t width = choose_width(s, loop, &body, false);
    if (width == 0)
        return false;
    *slot = probe(s, loop, &body);
    bool is_independent = loop_is_independent(s->func, *slot, NULL);
    *slot = loop;
    if (!is_independent)
        return false;
    *slot = build(s, NULL, NULL, loop, &body, width);
    return true;
}

/* Does no reduction go to another place in another iteration of @loop? */
static bool all_stay_in(const struct loop_body *body, const struct tir_stmt *loop)
{
    for (unsigned r = 0; r < body->reduction_count; r++)
        if (uses_var(body->reductions[r].store, loop->loop.var))
            return false;
    return true;
}

/* Loops in loops that only reduce: what they read they do not write, so any order is one of theirs. */
static bool reduce_nest(struct schedule *s, struct tir_stmt **slot)
{
    struct tir_stmt *parent = NULL, *loop = *slot;
    struct loop_body body;

    for (; loop->loop.body->kind == TIR_FOR; loop = loop->loop.body) {
        if (!sch_is_plain_loop(loop))
            return false;
        parent = loop;
    }
    if (!parent || !sch_is_plain_loop(loop) || !read_body(loop, &body) ||
        body.reduction_count < body.count || !are_alone(&body) || !is_contiguous(s, loop, &body))
        return false;
    for (struct tir_stmt *outer = *slot; outer != loop; outer = outer->loop.body)
        if (!all_stay_in(&body, outer))
            return false;
    int64_t width = choose_width(s, loop, &body, true);
    if (width == 0)
        return false;
    *slot = build(s, *slot, parent, loop, &body, width);
    return true;
}

static bool has_loop(const struct tir_stmt *stmt)
{
    if (stmt->kind == TIR_FOR || stmt->kind == TIR_WHILE)
        return true;
    for (unsigned i = 0; tir_stmt_child(stmt, i); i++)
        if (has_loop(tir_stmt_child(stmt, i)))
            return true;
    return false;
}

bool schedule_reductions(struct schedule *s, struct tir_stmt **slot)
{
    struct tir_stmt *stmt = *slot;
    bool is_changed = false;
    size_t mark;

    switch (stmt->kind) {
    case TIR_SEQ:
        for (unsigned i = 0; i < stmt->seq.count; i++)
            is_changed |= schedule_reductions(s, &stmt->seq.items[i]);
        return is_changed;
    case TIR_IF:
        is_changed = schedule_reductions(s, &stmt->branch.then_body);
        if (stmt->branch.else_body)
            is_changed |= schedule_reductions(s, &stmt->branch.else_body);
        return is_changed;
    case TIR_FOR:
        if (!has_loop(stmt->loop.body))
            return sch_is_plain_loop(stmt) && reduce(s, slot);
        if (reduce_nest(s, slot))
            return true;
        mark = sch_enter(s, stmt);
        is_changed = schedule_reductions(s, &stmt->loop.body);
        sch_leave(s, mark);
        return is_changed;
    default:
        return false;
    }
}
