/*
 * Scratch of rows that takes the place of other scratch, element by element.
 *
 *     S, P = T.alloc_buffer((84, 1500)), ..              S = T.alloc_buffer((84, 1500))
 *     .. S of all rows                                   .. S of all rows
 *     for i in range(84):                                for i in range(84):
 *         for j: m[0] = T.max(m[0], S[i, j])     ==>         for j: m[0] = T.max(m[0], S[i, j])
 *         for j: P[i, j] = T.exp(S[i, j] - m[0])             for j: S[i, j] = T.exp(S[i, j] - m[0])
 *         for j: P[i, j] = P[i, j] / s[0]                    for j: S[i, j] = S[i, j] / s[0]
 *     .. reads P                                         .. reads S
 *
 * Scores of attention and the shares that softmax makes of them are half of what a block has to keep in L2.  A row of S is not
 * read once an element of the same row of P is there, but for the element that is replaced; and behind the loop nothing reads S.
 */
#include "passes/schedule/schedule.h"

#include <string.h>

struct joining {
    struct schedule *s;
    const struct ir_buffer *from, *to; /* P, S */
    struct ir_buffer *made;            /* in the place of both */
    const struct ir_var *row;
    unsigned place;                  /* of the row among the indices */
    const struct ir_expr *const *at; /* where the element that replaces is; NULL: any of the row */
    bool is_from, is_to;             /* which of them count */
    unsigned loads, stores;
};

static bool counts(const struct joining *j, const struct ir_buffer *buffer)
{
    return (j->is_from && buffer == j->from) || (j->is_to && buffer == j->to);
}

static bool count_load(void *state, const struct ir_expr *a)
{
    struct joining *j = state;

    j->loads += a->kind == IR_EXPR_load && counts(j, a->buffer);
    return true;
}

static bool count_loads(void *state, const struct ir_expr *root)
{
    return ir_expr_walk(root, count_load, state);
}

static bool count_stmt(void *state, struct tir_stmt *stmt)
{
    struct joining *j = state;

    j->stores += stmt->kind == TIR_STORE && counts(j, stmt->store.buffer);
    return tir_stmt_walk_exprs(stmt, count_loads, j);
}

/* Does @stmt touch P (@is_from), or S (@is_to)? */
static bool touches(struct joining *j, struct tir_stmt *stmt, bool is_from, bool is_to)
{
    j->is_from = is_from;
    j->is_to = is_to;
    j->loads = j->stores = 0;
    (void)tir_stmt_walk(stmt, count_stmt, j);
    return j->loads + j->stores > 0;
}

/* ---- of one row ---- */

static bool is_own_row(const struct joining *j, const struct ir_buffer *buffer,
                       const struct ir_expr *const *indices)
{
    if (buffer != j->from && buffer != j->to)
        return true;
    return indices[j->place]->kind == IR_EXPR_var && indices[j->place]->var == j->row;
}

static bool loads_own_row(void *state, const struct ir_expr *a)
{
    return a->kind == IR_EXPR_load ? is_own_row(state, a->buffer, a->operands)
                                   : a->kind != IR_EXPR_call || sch_is_pure(a);
}

static bool loads_own_rows(void *state, const struct ir_expr *root)
{
    return ir_expr_walk(root, loads_own_row, state);
}

static bool keeps_row(void *state, struct tir_stmt *stmt)
{
    return (stmt->kind != TIR_STORE ||
            (!stmt->store.predicate &&
             is_own_row(state, stmt->store.buffer, stmt->store.indices))) &&
           tir_stmt_walk_exprs(stmt, loads_own_rows, state);
}

static bool loads_replaced(void *state, const struct ir_expr *a)
{
    const struct joining *j = state;

    if (a->kind != IR_EXPR_load || a->buffer != j->to)
        return true;
    for (unsigned d = 0; d < a->operand_count; d++)
        if (!ir_expr_equal(a->operands[d], j->at[d]))
            return false;
    return true;
}

/* Is @loop over elements of P, each made of nothing of S but the element in its place? */
static bool replaces(struct joining *j, const struct tir_stmt *loop)
{
    const struct tir_stmt *store = loop->kind == TIR_FOR ? loop->loop.body : NULL;

    if (!store || !sch_is_plain_loop(loop) || store->kind != TIR_STORE ||
        store->store.buffer != j->from || !sch_is_pure(store->store.value) ||
        sch_reads(store->store.value, j->from))
        return false;
    unsigned last = store->store.index_count - 1;
    j->at = store->store.indices;
    for (unsigned d = 0; d < last; d++)
        if (!sch_is_fixed(j->at[d]) || ir_expr_uses_var(j->at[d], loop->loop.var))
            return false;
    return j->at[last]->kind == IR_EXPR_var && j->at[last]->var == loop->loop.var &&
           ir_expr_walk(store->store.value, loads_replaced, j);
}

/* Does P take the place of S in each iteration of @loop, in a row of its own? */
static bool replaces_rows(struct joining *j, struct tir_stmt *loop)
{
    if (loop->kind != TIR_FOR || !sch_is_plain_loop(loop) || loop->loop.body->kind != TIR_SEQ)
        return false;
    struct tir_stmt *body = loop->loop.body;
    unsigned n = 0;
    j->row = loop->loop.var;
    for (j->place = 0; j->place + 1 < j->to->ndim; j->place++)
        if (tir_stmt_walk(body, keeps_row, j))
            break;
    while (n < body->seq.count && !touches(j, body->seq.items[n], true, false))
        n++;
    if (j->place + 1 >= j->to->ndim || n == body->seq.count || !replaces(j, body->seq.items[n]))
        return false;
    for (n++; n < body->seq.count; n++)
        if (touches(j, body->seq.items[n], false, true))
            return false;
    return true;
}

/* ---- the change ---- */

static bool are_alike(struct schedule *s, const struct ir_buffer *a, const struct ir_buffer *b)
{
    if (a->ndim != b->ndim || a->ndim < 2 || !ir_dtype_equal(a->dtype, b->dtype) ||
        a->scope != b->scope || a->strides || b->strides)
        return false;
    for (unsigned d = 0; d < a->ndim; d++)
        if (!ir_dtype_equal(a->shape[d]->dtype, b->shape[d]->dtype) ||
            !ir_prove_equal(s->context, a->shape[d], b->shape[d]))
            return false;
    return true;
}

/* May P be where S is, both allocated in @seq? */
static bool may_join(struct joining *j, struct tir_stmt *seq)
{
    unsigned n = 0;

    while (n < seq->seq.count && !touches(j, seq->seq.items[n], true, false))
        n++;
    if (n == seq->seq.count || !touches(j, seq->seq.items[n], false, true) ||
        !replaces_rows(j, seq->seq.items[n]))
        return false;
    for (n++; n < seq->seq.count; n++)
        if (touches(j, seq->seq.items[n], false, true))
            return false;
    return true;
}

/*
 * S with rows of whole vectors: lanes behind the end of a row that are not stored would be the first ones of the next row,
 * and reading these waits for the store.
 */
static struct ir_buffer *with_whole_vectors(struct schedule *s, const struct ir_buffer *buffer)
{
    const struct ir_expr **dims =
        arena_array(&s->module->arena, const struct ir_expr *, buffer->ndim + 1);
    int64_t lanes = schedule_lanes(s, buffer->dtype), length;
    unsigned last = buffer->ndim - 1;

    memcpy(dims, buffer->shape, buffer->ndim * sizeof(dims[0]));
    if (sch_constant(s, dims[last], &length) && length > lanes && length % lanes > 0)
        dims[last] = sch_int(s, dims[last]->dtype, (length + lanes - 1) / lanes * lanes);
    return sch_buffer_of(s, buffer->name, buffer->dtype, buffer->scope, dims, buffer->ndim);
}

static const struct ir_buffer *joined(struct loop_map *map, const struct ir_buffer *buffer)
{
    const struct joining *j = map->state;

    return buffer == j->from || buffer == j->to ? j->made : buffer;
}

static const struct ir_expr *joined_load(void *state, const struct ir_expr *a)
{
    const struct joining *j = state;

    return a->kind == IR_EXPR_load && (a->buffer == j->from || a->buffer == j->to)
               ? sch_load(j->s, j->made, a->operands)
               : a;
}

static const struct ir_expr *joined_expr(struct loop_map *map, const struct ir_expr *a)
{
    return ir_expr_rewrite(map->module->context, a, joined_load, map->state);
}

static struct tir_stmt *join(struct loop_map *map, struct tir_stmt *stmt)
{
    const struct joining *j = map->state;

    if (stmt->kind == TIR_ALLOC && stmt->alloc.buffer == j->from)
        return NULL;
    return stmt->kind == TIR_ALLOC && stmt->alloc.buffer == j->to ? sch_alloc(j->s, j->made)
                                                                  : loop_map_parts(map, stmt);
}

/* Puts one of the allocations of the sequence in @slot where another one is; false: there are no such two. */
static bool join_two(struct schedule *s, struct tir_stmt **slot)
{
    struct tir_stmt *seq = *slot;
    struct joining j = {.s = s};
    struct loop_map map = {
        .module = s->module, .state = &j, .stmt = join, .expr = joined_expr, .buffer = joined};

    for (unsigned i = 0; i < seq->seq.count; i++)
        for (unsigned k = 0; k < seq->seq.count; k++) {
            if (i == k || seq->seq.items[i]->kind != TIR_ALLOC ||
                seq->seq.items[k]->kind != TIR_ALLOC)
                continue;
            j.from = seq->seq.items[i]->alloc.buffer;
            j.to = seq->seq.items[k]->alloc.buffer;
            if (are_alike(s, j.from, j.to) && may_join(&j, seq)) {
                j.made = with_whole_vectors(s, j.to);
                *slot = loop_map_parts(&map, seq);
                return true;
            }
        }
    return false;
}

bool schedule_one_scratch(struct schedule *s, struct tir_stmt **slot)
{
    struct tir_stmt *stmt = *slot;
    bool is_changed = false;

    if (stmt->kind == TIR_FOR)
        return schedule_one_scratch(s, &stmt->loop.body);
    if (stmt->kind == TIR_IF) {
        is_changed = schedule_one_scratch(s, &stmt->branch.then_body);
        if (stmt->branch.else_body)
            is_changed |= schedule_one_scratch(s, &stmt->branch.else_body);
        return is_changed;
    }
    if (stmt->kind != TIR_SEQ)
        return false;
    for (unsigned i = 0; i < stmt->seq.count; i++)
        is_changed |= schedule_one_scratch(s, &stmt->seq.items[i]);
    while ((*slot)->kind == TIR_SEQ && join_two(s, slot))
        is_changed = true;
    return is_changed;
}
