/*
 * How each product of matrices is computed.
 *
 *   blocks of columns                  blocks.c, of windows of 3 by 3 winograd.c
 *   windows over several axes          windows.c
 *   few rows or columns, Y^T in rows   a sum along k for each element (reduce.c)
 *   few rows                           one sweep over Y (stream.c), but packed panels where Y is constant:
 *                                      they are made when the program is compiled
 *   an open number of rows             both, by the number
 *   else                               blocked and packed (gemm.c)
 */
#include "passes/schedule/gemm.h"

enum {
    FEW_ROWS = 16, /* Y is not packed for so few: it would be read and written once more */
    SMALL = 4096,  /* multiply-adds that are not worth the code */
};

struct tir_stmt *matmul_in_batch(struct schedule *s, const struct matmul *p, struct tir_stmt *body)
{
    for (unsigned i = p->batch_count; i-- > 0;) {
        struct tir_stmt *loop = tir_stmt_new(s->module, TIR_FOR, p->batch[i]->loc);
        *loop = *p->batch[i];
        loop->loop.body = body;
        body = loop;
    }
    return body;
}

/* By the number of rows; @after, which packed loops compute as well, behind the others. */
static struct tir_stmt *either(struct schedule *s, struct matmul *p, struct tir_stmt *after)
{
    const struct ir_expr *rows = sch_int(s, p->m->dtype, FEW_ROWS);
    const struct ir_expr *is_tall = ir_expr_binary(s->context, IR_EXPR_ge, p->m, rows);
    struct tir_stmt *tall = matmul_packed(s, p);
    struct tir_stmt *items[] = {matmul_in_batch(s, p, matmul_streamed(s, p)), after};
    struct tir_stmt *low = sch_seq(s, items, p->has_epilogue ? 2 : 1);

    return sch_if(s, is_tall, tall, loop_copy_fresh(s->module, low));
}

/*
 * Where both factors lie in a row along k, and there are few rows or few columns: each element is a sum along
 * them, which gets its accumulators as others do (reduce.c).  So Y is read once, in its order:
 *
 *     for j in T.parallel(n): for i in range(m): C[i, j] = 0; for k in range(depth): C[i, j] += ..
 *
 * @is_few: rows; else the loop over them is outside.
 */
static struct tir_stmt *dots(struct schedule *s, struct matmul *p, bool is_few)
{
    enum tir_for_kind kind = matmul_is_shared(s, p) ? TIR_PARALLEL : TIR_SERIAL;
    const struct ir_var *i = p->i ? sch_var(s, "i", p->j->dtype) : NULL;
    const struct ir_var *j = sch_var(s, "j", p->j->dtype), *k = sch_var(s, "k", p->j->dtype);
    const struct ir_expr *row = i ? sch_use(s, i) : NULL, *column = sch_use(s, j);
    const struct ir_expr *const *at = matmul_c(s, p, row, column);
    const struct ir_expr *step =
        matmul_step(s, matmul_x(s, p, row, sch_use(s, k)), matmul_y(s, p, sch_use(s, k), column),
                    sch_load(s, p->c, at));
    struct tir_stmt *store = sch_store(s, p->c, at, ir_expr_at(s->context, p->loc, step));
    struct tir_stmt *items[2];
    unsigned n = 0;

    store->loc = p->loc;
    if (p->starts_at_zero)
        items[n++] = sch_store(s, p->c, at, ir_expr_float(s->context, p->c->dtype, 0));
    items[n++] = sch_for(s, TIR_SERIAL, k, p->depth, store);
    struct tir_stmt *body = sch_seq(s, items, n);
    if (i && is_few)
        body = sch_for(s, TIR_SERIAL, i, p->m, body);
    body = sch_for(s, i && !is_few ? TIR_SERIAL : kind, j, p->n, body);
    return i && !is_few ? sch_for(s, kind, i, p->m, body) : body;
}

/* Does each load of @a move by one element or none along @var, and one of them move? */
static bool lies_along(struct schedule *s, const struct ir_expr *a, const struct ir_var *var)
{
    return ir_expr_uses_var(a, var) && sch_loads_rows(s, a, var);
}

/* How large a product is, as far as that is known. */
struct extents {
    int64_t m, n, depth;
    bool knows_m, knows_n, knows_depth;
    bool is_few;   /* rows, in all products that have Y in common */
    bool is_small; /* all of it */
};

/* Rows of all products of the batch that have Y in common, as far as is known. */
static double rows_of(struct schedule *s, const struct matmul *p, int64_t m)
{
    double rows = (double)m;
    int64_t extent;

    for (unsigned n = 0; n < p->batch_count; n++)
        if (!ir_expr_uses_var(p->y, p->batch[n]->loop.var) &&
            sch_constant(s, p->batch[n]->loop.extent, &extent))
            rows *= (double)extent;
    return rows;
}

static struct extents extents_of(struct schedule *s, const struct matmul *p)
{
    struct extents e = {.m = 1};

    e.knows_m = !p->m || sch_constant(s, p->m, &e.m);
    e.knows_n = sch_constant(s, p->n, &e.n);
    e.knows_depth = sch_constant(s, p->depth, &e.depth);
    e.is_few = e.knows_m && rows_of(s, p, e.m) < (double)FEW_ROWS;
    e.is_small = e.knows_m && e.knows_n && e.knows_depth &&
                 (double)e.m * (double)e.n * (double)e.depth < (double)SMALL;
    return e;
}

/* Does Y lie in a row along k, and not along j? */
static bool is_transposed(struct schedule *s, const struct matmul *p)
{
    return lies_along(s, p->y, p->k) && !lies_along(s, p->y, p->j);
}

static bool makes_dots(struct schedule *s, const struct matmul *p, const struct extents *e)
{
    int64_t lanes = schedule_lanes(s, p->c->dtype);
    bool is_narrow = e->knows_n && e->n < 2 * lanes;

    return (e->is_few || is_narrow || e->is_small) && !(e->knows_m && e->m < 1) &&
           (!e->knows_depth || e->depth >= 2 * lanes) && is_transposed(s, p) &&
           lies_along(s, p->x, p->k);
}

static bool is_of_panel(void *state, const struct ir_expr *a)
{
    const struct matmul *p = state;

    return a->kind != IR_EXPR_var || a->var == p->k || a->var == p->j;
}

/* Is Y made of constants alone, and will its panels be made when the program is compiled (PackConstants)? */
static bool is_packed_before(struct schedule *s, struct matmul *p)
{
    return sch_reads_constants(s, p->y) && ir_expr_walk(p->y, is_of_panel, p) &&
           matmul_panels_fit(s, p);
}

static bool is_narrow_load(void *state, const struct ir_expr *a)
{
    const struct matmul *p = state;

    return a->kind != IR_EXPR_load || !ir_expr_uses_var(a, p->k) ||
           ir_dtype_bytes(a->dtype) >= ir_dtype_bytes(p->c->dtype);
}

bool matmul_is_widened(struct schedule *s, struct matmul *p)
{
    return !ir_expr_walk(p->y, is_narrow_load, p) && sch_loads_rows(s, p->y, p->j);
}

struct tir_stmt *matmul_as_windows(struct schedule *s, struct matmul *p)
{
    struct tir_stmt *windows = matmul_windows(s, p);

    return windows ? matmul_in_batch(s, p, windows) : NULL;
}

struct tir_stmt *matmul_as_bytes(struct schedule *s, struct matmul *p)
{
    struct extents e = extents_of(s, p);
    struct matmul_dot dot;

    if (!matmul_read_dot(s, p, &dot) || e.is_small || (e.knows_m && e.m < 1) ||
        !matmul_panels_fit(s, p) || (e.is_few && !is_packed_before(s, p)))
        return NULL;
    p->dot = &dot;
    struct tir_stmt *out = matmul_packed(s, p);
    p->dot = NULL;
    return out;
}

struct tir_stmt *matmul_choose(struct schedule *s, struct matmul *p, struct tir_stmt *after)
{
    int64_t lanes = schedule_lanes(s, p->c->dtype);
    struct extents e = extents_of(s, p);
    struct tir_stmt *blocks = matmul_blocks(s, p);
    if (blocks)
        return blocks;
    struct tir_stmt *windows = matmul_windows(s, p);

    if (windows || p->sums.count > 1)
        return windows ? matmul_in_batch(s, p, windows) : NULL;
    if (makes_dots(s, p, &e))
        return matmul_in_batch(s, p, dots(s, p, e.is_few));
    if ((e.knows_n && e.n < 2 * lanes) || (e.knows_depth && e.depth < 4) || lanes < 2 ||
        (e.knows_m && e.m < 1) || e.is_small)
        return NULL;
    if (matmul_shares_panels(s, p))
        return matmul_packed(s, p);
    p->is_widened = (!e.knows_m || e.m <= GEMM_WIDENED_ROWS) && matmul_is_widened(s, p);
    p->after = after;
    if (p->is_widened && matmul_is_narrow(s, p))
        return matmul_packed(s, p);
    if (p->is_widened)
        return e.knows_m ? matmul_in_batch(s, p, matmul_streamed(s, p)) : either(s, p, after);
    if (is_packed_before(s, p) || is_transposed(s, p) || (e.knows_m && !e.is_few))
        return matmul_packed(s, p);
    return e.knows_m ? matmul_in_batch(s, p, matmul_streamed(s, p)) : either(s, p, after);
}
