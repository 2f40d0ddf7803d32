/* Which loop counts the rows of a product, and how many of them a tile has. */
#include "analysis/access/index.h"
#include "passes/schedule/gemm.h"

enum {
    WAYS = 8,       /* of the first cache: lines at one place of its pages */
    OTHER_WAYS = 2, /* that Y needs */
    PAGE = 4096,
};

int64_t gemm_rows_most(const struct gemm *g)
{
    return (schedule_registers(g->s) - GEMM_VECTORS - 1) / GEMM_VECTORS;
}

/*
 * .. of X read as it lies, whose rows fall on the same lines of the first cache if they are whole pages apart: so
 * many that they and Y fit.
 */
static int64_t read_rows_most(const struct gemm *g)
{
    const struct ir_expr *x = g->p->x;
    int64_t stride, most = WAYS - OTHER_WAYS, apart = PAGE;

    if (!g->p->i ||
        !index_stride(g->s->context, x->buffer, x->operands, x->operand_count, g->p->i, &stride))
        return most;
    for (stride *= ir_dtype_bytes(x->dtype); apart > 1 && stride % apart != 0; apart /= 2)
        most *= 2;
    return most;
}

void gemm_choose_rows(struct gemm *g, bool is_copied)
{
    int64_t most = gemm_rows_most(g), read = is_copied ? most : read_rows_most(g), rows;

    g->rows = most < read ? most : read;
    if (sch_constant(g->s, g->p->m, &rows) && rows > g->rows) {
        int64_t tiles = (rows + g->rows - 1) / g->rows;
        g->rows = (rows + tiles - 1) / tiles;
    }
}

bool gemm_shares_y(const struct gemm *g)
{
    for (unsigned n = 0; n < g->p->batch_count; n++)
        if (ir_expr_uses_var(g->p->y, g->p->batch[n]->loop.var))
            return false;
    return true;
}

bool gemm_is_shared(const struct gemm *g)
{
    struct matmul all = *g->p;

    if (g->is_inside)
        while (all.batch_count > 0)
            all.m = ir_simplify(g->s->context,
                                ir_expr_binary(g->s->context, IR_EXPR_mul, all.m,
                                               all.batch[--all.batch_count]->loop.extent));
    return matmul_is_shared(g->s, &all);
}

/* The innermost loop of the batch that moves X, behind which is that over the rows. */
static unsigned other_loop(const struct gemm *g)
{
    unsigned n = g->p->batch_count;

    while (n > 0 && !ir_expr_uses_var(g->p->x, g->p->batch[n - 1]->loop.var))
        n--;
    return n;
}

const struct ir_expr *gemm_turn_rows(const struct gemm *g, struct matmul *out)
{
    struct ir_context *context = g->s->context;
    unsigned n = other_loop(g);
    int64_t rows;

    if (n == 0 || !g->p->i || (sch_constant(g->s, g->p->m, &rows) && rows >= gemm_rows_most(g)))
        return NULL;
    struct tir_stmt *loop = tir_stmt_new(g->s->module, TIR_FOR, g->p->batch[n - 1]->loc);
    *loop = *g->p->batch[n - 1];
    *out = *g->p;
    out->i = loop->loop.var;
    out->m = loop->loop.extent;
    loop->loop.var = g->p->i;
    loop->loop.extent = g->p->m;
    out->batch[n - 1] = loop;
    return ir_simplify(context, ir_expr_binary(context, IR_EXPR_lt, g->p->m, out->m));
}

bool gemm_is_by_task(const struct gemm *g, bool is_copied)
{
    int64_t rows, depth;

    return !g->dot && !is_copied && g->p->batch_count == 0 && !matmul_shares_panels(g->s, g->p) &&
           sch_constant(g->s, g->p->m, &rows) && rows > g->rows &&
           sch_constant(g->s, g->steps, &depth) && depth > 0 && matmul_is_widened(g->s, g->p);
}
