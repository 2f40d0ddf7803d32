/*
 * Scratch of a row that lies in the row of the result, until the result takes its place.
 *
 *     for i in T.parallel(64):
 *         e = T.alloc_buffer((32000,))
 *         for k: e[k] = T.exp(x[i, k])               for k: y[i, k] = T.exp(x[i, k])
 *         for k: s += e[k]                   ==>     for k: s += y[i, k]
 *         for k: y[i, k] = e[k] / s                  for k: y[i, k] = y[i, k] / s
 *
 * A row that does not fit L1 is written to the cache once less, and read from lines that are stored next.  The last
 * loop stores every element of the row, and nothing else in the kernel touches the result.
 *
 * Scratch stays where it is if the result could then no longer take over the storage of an operand: once the row is
 * written, only the element itself may be read of what is shaped as the result is.
 */
#include "passes/schedule/schedule.h"

struct moving {
    struct schedule *s;
    const struct ir_buffer *from, *to;
    const struct tir_stmt *last;     /* the loop that stores what takes the place */
    const struct ir_expr *const *at; /* its indices of @to */
    unsigned count;
    unsigned loads, stores;            /* of the buffer that is looked at */
    const struct ir_buffer *looked_at; /* .. */
    const struct ir_expr *column;      /* of the row, that the statement stores to; NULL: none */
};

static bool count_load(void *state, const struct ir_expr *a)
{
    struct moving *m = state;

    m->loads += a->kind == IR_EXPR_load && a->buffer == m->looked_at;
    return true;
}

static bool count_loads(void *state, const struct ir_expr *root)
{
    return ir_expr_walk(root, count_load, state);
}

static bool count_stmt(void *state, struct tir_stmt *stmt)
{
    struct moving *m = state;

    m->stores += stmt->kind == TIR_STORE && stmt->store.buffer == m->looked_at;
    return tir_stmt_walk_exprs(stmt, count_loads, m);
}

static void count(struct moving *m, struct tir_stmt *stmt, const struct ir_buffer *buffer)
{
    m->looked_at = buffer;
    m->loads = m->stores = 0;
    (void)tir_stmt_walk(stmt, count_stmt, m);
}

static bool uses(struct moving *m, struct tir_stmt *stmt, const struct ir_buffer *buffer)
{
    count(m, stmt, buffer);
    return m->loads + m->stores > 0;
}

/* In the last loop: each element of the scratch where it is stored. */
static bool loads_own(void *state, const struct ir_expr *a)
{
    const struct moving *m = state;

    return a->kind != IR_EXPR_load || a->buffer != m->from ||
           ir_expr_equal(a->operands[a->operand_count - 1], m->at[m->count - 1]);
}

/* Does @stmt define a variable that the row is found by, or the buffer that it is in? */
static bool defines_none(void *state, struct tir_stmt *stmt)
{
    const struct moving *m = state;
    const struct ir_var *var = stmt->kind == TIR_FOR   ? stmt->loop.var
                               : stmt->kind == TIR_LET ? stmt->let.var
                                                       : NULL;

    if (stmt->kind == TIR_ALLOC && stmt->alloc.buffer == m->to)
        return false;
    for (unsigned d = 0; var && d + 1 < m->count; d++)
        if (ir_expr_uses_var(m->at[d], var))
            return false;
    return true;
}

static bool is_row(const struct ir_buffer *buffer)
{
    for (unsigned d = 0; d + 1 < buffer->ndim; d++)
        if (!ir_expr_is_int(buffer->shape[d], 1))
            return false;
    return buffer->ndim > 0 && buffer->dtype.lanes == 1;
}

/* Does @m->last, an item of @seq, store what it makes of the scratch to a row of the same length? */
static bool fits(struct moving *m, struct tir_stmt *seq)
{
    const struct tir_stmt *loop = m->last, *store = loop->loop.body;
    const struct ir_expr *extent = m->from->shape[m->from->ndim - 1], *column;

    if (loop->kind != TIR_FOR || !sch_is_plain_loop(loop) || store->kind != TIR_STORE ||
        store->store.predicate || store->store.index_count == 0 || !sch_is_pure(store->store.value))
        return false;
    m->to = store->store.buffer;
    m->at = store->store.indices;
    m->count = store->store.index_count;
    column = m->at[m->count - 1];
    if (m->to == m->from || !ir_dtype_equal(m->to->dtype, m->from->dtype) ||
        column->kind != IR_EXPR_var || column->var != loop->loop.var ||
        !ir_dtype_equal(column->dtype, extent->dtype) ||
        !ir_prove_equal(m->s->context, loop->loop.extent, extent))
        return false;
    for (unsigned d = 0; d + 1 < m->count; d++)
        if (!sch_is_fixed(m->at[d]))
            return false;
    count(m, m->s->func->body, m->to);
    return m->loads == 0 && m->stores == 1 && tir_stmt_walk(seq, defines_none, m) &&
           ir_expr_walk(store->store.value, loads_own, m);
}

/* Could the result be in the storage of @buffer? */
static bool is_alike(const struct moving *m, const struct ir_buffer *buffer)
{
    const struct tir_func *func = m->s->func;

    if (buffer == m->to || buffer->ndim != m->to->ndim ||
        !ir_dtype_equal(buffer->dtype, m->to->dtype))
        return false;
    for (unsigned i = 0; i < func->param_count; i++)
        if (func->params[i].buffer == buffer)
            return true;
    return false;
}

static bool loads_same(void *state, const struct ir_expr *a)
{
    const struct moving *m = state;

    if (a->kind != IR_EXPR_load || !is_alike(m, a->buffer))
        return true;
    for (unsigned d = 0; d + 1 < m->count; d++)
        if (!ir_expr_equal(a->operands[d], m->at[d]))
            return false;
    return m->column && ir_expr_equal(a->operands[m->count - 1], m->column);
}

static bool loads_same_in(void *state, const struct ir_expr *root)
{
    return ir_expr_walk(root, loads_same, state);
}

static bool reads_same(void *state, struct tir_stmt *stmt)
{
    struct moving *m = state;
    bool is_store =
        stmt->kind == TIR_STORE && (stmt->store.buffer == m->from || stmt->store.buffer == m->to);

    m->column = is_store ? stmt->store.indices[stmt->store.index_count - 1] : NULL;
    return tir_stmt_walk_exprs(stmt, loads_same_in, m);
}

/* May the result still be in place of what it is made of? */
static bool keeps_in_place(struct moving *m, struct tir_stmt *seq)
{
    bool is_written = false;

    for (unsigned i = 0; i < seq->seq.count; i++) {
        count(m, seq->seq.items[i], m->from);
        is_written |= m->stores > 0;
        if (is_written && !tir_stmt_walk(seq->seq.items[i], reads_same, m))
            return false;
    }
    return true;
}

/* ---- the change ---- */

static const struct ir_expr *const *place_of(const struct moving *m,
                                             const struct ir_expr *const *indices)
{
    const struct ir_expr **to =
        arena_array(&m->s->run->scratch, const struct ir_expr *, m->count + 1);

    for (unsigned d = 0; d + 1 < m->count; d++)
        to[d] = m->at[d];
    to[m->count - 1] = indices[m->from->ndim - 1];
    return to;
}

static const struct ir_expr *move_load(void *state, const struct ir_expr *a)
{
    struct moving *m = state;

    return a->kind == IR_EXPR_load && a->buffer == m->from
               ? sch_load(m->s, m->to, place_of(m, a->operands))
               : a;
}

static const struct ir_expr *move_expr(struct loop_map *map, const struct ir_expr *a)
{
    return ir_expr_rewrite(map->module->context, a, move_load, map->state);
}

static struct tir_stmt *move_stmt(struct loop_map *map, struct tir_stmt *stmt)
{
    struct moving *m = map->state;

    if (stmt->kind == TIR_ALLOC && stmt->alloc.buffer == m->from)
        return NULL;
    struct tir_stmt *copy = loop_map_parts(map, stmt);
    if (copy->kind != TIR_STORE || copy->store.buffer != m->from)
        return copy;
    struct tir_stmt *store =
        sch_store(m->s, m->to, place_of(m, copy->store.indices), copy->store.value);
    store->loc = copy->loc;
    return store;
}

static bool move(struct schedule *s, struct tir_stmt **slot, const struct ir_buffer *from)
{
    struct tir_stmt *seq = *slot;
    struct moving m = {.s = s, .from = from};
    struct loop_map map = {.module = s->module, .state = &m, .stmt = move_stmt, .expr = move_expr};

    for (unsigned i = 0; i < seq->seq.count; i++)
        if (uses(&m, seq->seq.items[i], from))
            m.last = seq->seq.items[i];
    if (!m.last || !is_row(from) || !fits(&m, seq) || !keeps_in_place(&m, seq))
        return false;
    *slot = move_stmt(&map, seq);
    return true;
}

bool schedule_in_results(struct schedule *s, struct tir_stmt **slot)
{
    struct tir_stmt *stmt = *slot;
    bool is_changed = false;

    if (stmt->kind == TIR_FOR)
        return schedule_in_results(s, &stmt->loop.body);
    if (stmt->kind == TIR_IF) {
        is_changed = schedule_in_results(s, &stmt->branch.then_body);
        if (stmt->branch.else_body)
            is_changed |= schedule_in_results(s, &stmt->branch.else_body);
        return is_changed;
    }
    if (stmt->kind != TIR_SEQ)
        return false;
    for (unsigned i = 0; i < stmt->seq.count; i++)
        is_changed |= schedule_in_results(s, &stmt->seq.items[i]);
    for (unsigned i = 0; (*slot)->kind == TIR_SEQ && i < (*slot)->seq.count; i++)
        if ((*slot)->seq.items[i]->kind == TIR_ALLOC &&
            move(s, slot, (*slot)->seq.items[i]->alloc.buffer)) {
            is_changed = true;
            i--;
        }
    return is_changed;
}
