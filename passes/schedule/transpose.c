/*
 * Transposes: one side contiguous along one loop, the other side along another.
 *
 *     for i, j in T.grid(m, n):                for io, jo in T.grid(m // 16, n // 16):
 *         y[i, j] = x[j, i]             ==>        tile = T.alloc_buffer((16, 16), scope="local")
 *                                                  for jj in range(16):
 *                                                      for ii in T.vectorized(16):
 *                                                          tile[jj, ii] = x[jo * 16 + jj, io * 16 + ii]
 *                                                  for ii in range(16):
 *                                                      for jj in T.vectorized(16):
 *                                                          y[io * 16 + ii, jo * 16 + jj] = tile[jj, ii]
 *
 * As it was, each element comes from a line of the cache that is gone before its neighbour is wanted.
 * Here lines are read and written whole.  Only where all loops of the nest are independent and the element
 * is read under no condition.
 */
#include "analysis/access/index.h"
#include "analysis/access/loop.h"
#include "passes/schedule/schedule.h"

#include <string.h>

enum { LOOP_LIMIT = 8, LINE_BYTES = 64, LEAST = 32 };

struct transpose {
    struct schedule *s;
    struct tir_stmt *loops[LOOP_LIMIT];
    unsigned count;
    struct tir_stmt *store;
    struct tir_stmt *i, *j;     /* the element read is contiguous along i, the store along j */
    const struct ir_expr *load; /* that is not contiguous along j */
    bool is_plain;
    int64_t least; /* iterations */
};

static bool stride_of(struct schedule *s, const struct ir_expr *load, const struct tir_stmt *loop,
                      int64_t *out)
{
    return index_stride(s->context, load->buffer, load->operands, load->operand_count,
                        loop->loop.var, out);
}

static bool look(void *state, const struct ir_expr *a)
{
    struct transpose *t = state;
    int64_t stride;

    if (a->kind == IR_EXPR_and || a->kind == IR_EXPR_or ||
        (a->kind == IR_EXPR_call && strcmp(a->name, "if_then_else") == 0))
        t->is_plain = false;
    if (a->kind != IR_EXPR_load)
        return t->is_plain;
    if (!stride_of(t->s, a, t->j, &stride))
        t->is_plain = false;
    else if (stride != 0 && stride != 1 && !t->load)
        t->load = a;
    else if (stride != 0 && stride != 1)
        t->is_plain &= ir_expr_equal(a, t->load);
    return t->is_plain;
}

static bool is_long(const struct transpose *t, const struct tir_stmt *loop)
{
    int64_t extent;

    return !sch_constant(t->s, loop->loop.extent, &extent) || extent >= t->least;
}

static bool find(struct schedule *s, struct tir_stmt *stmt, struct transpose *t)
{
    int64_t stride;

    *t = (struct transpose){.s = s, .is_plain = true, .least = t->least};
    for (; stmt->kind == TIR_FOR; stmt = stmt->loop.body) {
        if (!sch_is_plain_loop(stmt) || t->count == LOOP_LIMIT)
            return false;
        t->loops[t->count++] = stmt;
    }
    t->store = stmt;
    if (stmt->kind != TIR_STORE || stmt->store.predicate || t->count < 2 ||
        stmt->store.value->dtype.lanes != 1 || !sch_is_pure(stmt->store.value))
        return false;
    for (unsigned n = 0; n < t->count; n++)
        if (index_stride(s->context, stmt->store.buffer, stmt->store.indices,
                         stmt->store.index_count, t->loops[n]->loop.var, &stride) &&
            stride == 1 && is_long(t, t->loops[n]))
            t->j = t->loops[n];
    if (!t->j || !ir_expr_walk(stmt->store.value, look, t) || !t->is_plain || !t->load)
        return false;
    for (unsigned n = 0; n < t->count; n++) {
        if (t->loops[n] != t->j && is_long(t, t->loops[n]) &&
            stride_of(s, t->load, t->loops[n], &stride) && stride == 1)
            t->i = t->loops[n];
        for (unsigned k = 0; k < t->count; k++)
            if (ir_expr_uses_var(t->loops[n]->loop.extent, t->loops[k]->loop.var))
                return false;
    }
    for (unsigned n = 0; t->i && n < t->count; n++)
        if (!loop_is_independent(s->func, t->loops[n], NULL))
            return false;
    return t->i && ir_dtype_equal(t->i->loop.var->dtype, t->j->loop.var->dtype);
}

struct replacement {
    const struct ir_expr *from, *to;
};

static const struct ir_expr *replace_load(void *state, const struct ir_expr *a)
{
    const struct replacement *r = state;

    return a->kind == IR_EXPR_load && ir_expr_equal(a, r->from) ? r->to : a;
}

/* How many iterations piece @outer of @loop has, in pieces of @size. */
static const struct ir_expr *piece(struct schedule *s, const struct tir_stmt *loop,
                                   const struct ir_expr *outer, int64_t size)
{
    const struct ir_expr *length = sch_int(s, outer->dtype, size), *all = loop->loop.extent;

    if (ir_prove_equal(s->context, sch_mul(s, sch_div(s, all, size), size), all))
        return length;
    return sch_min(s, length, sch_sub(s, all, sch_mul(s, outer, size)));
}

/* One tile, for the outer variables @io and @jo. */
static struct tir_stmt *make_tile(const struct transpose *t, const struct ir_var *io,
                                  const struct ir_var *jo, int64_t size)
{
    struct schedule *s = t->s;
    struct ir_dtype dtype = io->dtype;
    int64_t shape[] = {size, size};
    struct ir_buffer *tile = sch_buffer(s, "tile", t->load->dtype, "local", shape, 2);
    const struct ir_var *ii[] = {sch_var(s, "ii", dtype), sch_var(s, "ii", dtype)};
    const struct ir_var *jj[] = {sch_var(s, "jj", dtype), sch_var(s, "jj", dtype)};
    const struct ir_expr *rows = piece(s, t->i, sch_use(s, io), size);
    const struct ir_expr *columns = piece(s, t->j, sch_use(s, jo), size);
    struct tir_stmt *items[3];
    const struct ir_expr *at[2][2];

    for (unsigned n = 0; n < 2; n++) {
        at[n][0] = sch_use(s, jj[n]);
        at[n][1] = sch_use(s, ii[n]);
    }
    items[0] = sch_alloc(s, tile);
    const struct ir_expr *i = sch_add(s, sch_mul(s, sch_use(s, io), size), at[0][1]);
    const struct ir_expr *j = sch_add(s, sch_mul(s, sch_use(s, jo), size), at[0][0]);
    const struct ir_expr *element =
        sch_put(s, sch_put(s, t->load, t->i->loop.var, i), t->j->loop.var, j);
    items[1] = sch_for(s, TIR_SERIAL, jj[0], columns,
                       sch_for(s, TIR_VECTORIZED, ii[0], rows, sch_store(s, tile, at[0], element)));

    struct tir_stmt *store = tir_stmt_new(s->module, TIR_STORE, t->store->loc);
    struct replacement r = {t->load, sch_load(s, tile, at[1])};
    *store = *t->store;
    store->store.value = ir_expr_rewrite(s->context, t->store->store.value, replace_load, &r);
    i = sch_add(s, sch_mul(s, sch_use(s, io), size), at[1][1]);
    j = sch_add(s, sch_mul(s, sch_use(s, jo), size), at[1][0]);
    store = sch_copy(s, sch_copy(s, store, t->i->loop.var, i), t->j->loop.var, j);
    items[2] =
        sch_for(s, TIR_SERIAL, ii[1], rows, sch_for(s, TIR_VECTORIZED, jj[1], columns, store));
    return sch_seq(s, items, 3);
}

bool sch_transpose(struct schedule *s, struct tir_stmt **slot, int64_t least)
{
    struct transpose t = {.least = least};

    if (!find(s, *slot, &t))
        return false;
    unsigned bytes = ir_dtype_bytes(t.load->dtype);
    int64_t size = bytes > 4 ? LINE_BYTES / 8 : LINE_BYTES / 4;
    const struct ir_var *io = sch_var(s, "io", t.i->loop.var->dtype);
    const struct ir_var *jo = sch_var(s, "jo", t.j->loop.var->dtype);
    struct tir_stmt *body = make_tile(&t, io, jo, size);

    for (unsigned n = t.count; n-- > 0;) {
        struct tir_stmt *loop = t.loops[n];
        if (loop == t.i || loop == t.j)
            body = sch_for(s, TIR_SERIAL, loop == t.i ? io : jo,
                           sch_ceil_div(s, loop->loop.extent, size), body);
        else
            body = loop_with_body(s->module, loop, body);
    }
    *slot = body;
    return true;
}

bool schedule_transposes(struct schedule *s, struct tir_stmt **slot)
{
    struct tir_stmt *stmt = *slot;
    bool is_changed = false;

    switch (stmt->kind) {
    case TIR_SEQ:
        for (unsigned i = 0; i < stmt->seq.count; i++)
            is_changed |= schedule_transposes(s, &stmt->seq.items[i]);
        return is_changed;
    case TIR_IF:
        is_changed = schedule_transposes(s, &stmt->branch.then_body);
        if (stmt->branch.else_body)
            is_changed |= schedule_transposes(s, &stmt->branch.else_body);
        return is_changed;
    case TIR_FOR:
        return sch_transpose(s, slot, LEAST) || schedule_transposes(s, &stmt->loop.body);
    default:
        return false;
    }
}
