/*
 * Panels that products have in common: packed once, in front of the loops that the products are in.
 *
 *     for ib in range(32):                           panels = T.alloc_buffer(..)
 *         panels = T.alloc_buffer(..)                for p, k, c: panels[p, k, c] = Y(k, p * 16 + c)
 *         for p, k, c: panels[p, k, c] = ..   ==>    for ib in range(32):
 *         .. 48 rows of X * Y                            .. 48 rows of X * Y
 */
#include "passes/schedule/matmul.h"

struct inside {
    const struct shared_panels *shared;
    const struct matmul *p;
    const struct ir_expr *leaf; /* that is looked for */
    bool is_met;
};

/* Does @stmt define the variable, or store to the buffer, of the leaf? */
static bool find_leaf(void *state, struct tir_stmt *stmt)
{
    struct inside *in = state;
    const struct ir_expr *leaf = in->leaf;

    in->is_met |= leaf->kind == IR_EXPR_var
                      ? (stmt->kind == TIR_FOR && stmt->loop.var == leaf->var) ||
                            (stmt->kind == TIR_LET && stmt->let.var == leaf->var)
                      : (stmt->kind == TIR_STORE && stmt->store.buffer == leaf->buffer) ||
                            (stmt->kind == TIR_ALLOC && stmt->alloc.buffer == leaf->buffer);
    return !in->is_met;
}

static bool is_from_outside(void *state, const struct ir_expr *a)
{
    struct inside *in = state;

    if (a->kind == IR_EXPR_var && (a->var == in->p->k || a->var == in->p->j))
        return true;
    if (a->kind != IR_EXPR_var && a->kind != IR_EXPR_load)
        return a->kind != IR_EXPR_call || sch_is_pure(a);
    in->leaf = a;
    (void)tir_stmt_walk(in->shared->region, find_leaf, in);
    return !in->is_met;
}

bool matmul_shares_panels(struct schedule *s, const struct matmul *p)
{
    struct inside in = {.shared = s->shared, .p = p};

    return s->shared && !p->dot && p->batch_count == 0 && p->sums.count == 1 &&
           ir_expr_walk(p->y, is_from_outside, &in) && ir_expr_walk(p->n, is_from_outside, &in) &&
           ir_expr_walk(p->depth, is_from_outside, &in);
}

struct ir_buffer *matmul_share_panels(struct schedule *s, const struct matmul *p,
                                      const struct ir_expr *const *dims, bool *out_is_made)
{
    struct shared_panels *shared = s->shared;
    unsigned n = 0;

    *out_is_made = false;
    if (!matmul_shares_panels(s, p))
        return NULL;
    if (!shared->k) {
        shared->k = sch_var(s, "k", p->k->dtype);
        shared->j = sch_var(s, "j", p->j->dtype);
    }
    const struct ir_expr *y = matmul_y(s, p, sch_use(s, shared->k), sch_use(s, shared->j));
    while (n < shared->count && !(ir_expr_equal(shared->items[n].y, y) &&
                                  ir_expr_equal(shared->items[n].depth, p->depth) &&
                                  ir_expr_equal(shared->items[n].n, p->n)))
        n++;
    *out_is_made = n < shared->count;
    if (*out_is_made)
        return shared->items[n].panels;
    if (shared->count == SHARED_PANELS_MOST)
        return NULL;
    struct ir_buffer *panels = sch_buffer_of(s, "panels", p->c->dtype, "global", dims, 3);
    shared->items[n].y = y;
    shared->items[n].depth = p->depth;
    shared->items[n].n = p->n;
    shared->items[n].panels = panels;
    shared->count++;
    shared->stmts[shared->stmt_count++] = sch_alloc(s, panels);
    return panels;
}
