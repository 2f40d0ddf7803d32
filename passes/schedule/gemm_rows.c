/* Which loop counts the rows of a product, and how much of it a task, a tile and a panel have. */
#include "analysis/access/index.h"
#include "passes/schedule/gemm.h"

enum {
    WAYS = 8,       /* of the first cache: lines at one place of its pages */
    OTHER_WAYS = 2, /* that Y needs */
    PAGE = 4096,
    PANELS = 8, /* of one task */
    DEPTH_LEAST = 128,
    DEPTH_MOST = 512,
    PARTS_TILES = 4,      /* of rows, that threads share */
    TALL = 4 * GEMM_ROWS, /* rows, which are more to read than the weights of several rounds */
    STREAMS = 4,          /* panels that are read at a time, each only once, if registers suffice */
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

/* ---- how much a task, a tile and a panel have ---- */

int64_t gemm_task_tiles(const struct gemm *g, const struct ir_expr *tiles, int64_t panels)
{
    int64_t count, most = PANELS / panels;

    if (!sch_constant(g->s, tiles, &count) || count >= 4 * most)
        return most;
    return count < 8 ? 1 : count / 4;
}

/* Does a block of rows of X stay in L2, all of each, beside two panels? */
static bool keeps_rows(const struct gemm *g, int64_t depth)
{
    double lines = (double)GEMM_ROWS + 2 * (double)g->columns;

    return lines * (double)depth * ir_dtype_bytes(g->p->c->dtype) <= (double)g->s->l2_bytes * 3 / 4;
}

int64_t gemm_row_parts(const struct gemm *g, int64_t panels)
{
    int64_t rows, depth, columns, most = GEMM_ROWS / g->rows;

    if (!g->is_shared || g->is_inside || g->is_by_task || g->block_depth || panels > 1 ||
        !sch_constant(g->s, g->p->m, &rows) || !sch_constant(g->s, g->p->depth, &depth) ||
        !sch_constant(g->s, g->p->n, &columns) || rows / g->rows < PARTS_TILES)
        return 1;
    bool is_kept = (double)depth * (double)columns * ir_dtype_bytes(g->p->y->dtype) * 2 <=
                   (double)g->s->l2_bytes;
    bool is_tall = rows >= TALL && sch_reads_constants(g->s, g->p->y) && keeps_rows(g, depth);
    if (!is_kept && !is_tall)
        return 1;
    int64_t tiles = rows / g->rows, parts = ((tiles + most - 1) / most + 1) / 2 * 2;
    int64_t each = (tiles + parts - 1) / parts;
    return (parts - 1) * each < tiles ? parts : 1;
}

int64_t gemm_tile_panels(const struct gemm *g)
{
    int64_t rows, panels = STREAMS;

    if (!sch_constant(g->s, g->p->m, &rows) || rows < 1 || rows > g->rows)
        return 1;
    while (panels > 1 && panels * rows > gemm_rows_most(g))
        panels /= 2;
    return panels;
}

void gemm_choose_depth(struct gemm *g)
{
    const struct ir_expr *depth = g->p->depth;
    int64_t row_bytes = g->columns * ir_dtype_bytes(g->p->c->dtype), count, rows;
    int64_t block = g->s->l2_bytes / 16 / row_bytes / 64 * 64;
    bool is_known = sch_constant(g->s, depth, &count);

    if (!sch_constant(g->s, g->p->m, &rows))
        rows = INT64_MAX;
    if (rows <= g->rows)
        return;
    bool is_tall = rows >= TALL && rows < INT64_MAX && !g->is_by_task;
    int64_t most = g->is_by_task ? DEPTH_MOST / 2 : DEPTH_MOST; /* while it is packed, too */
    block = block < DEPTH_LEAST ? DEPTH_LEAST : block > most ? most : block;
    if (is_known && (count <= block + block / 2 || (is_tall && keeps_rows(g, count))))
        return;
    g->block_depth = block;
    g->blocks = sch_ceil_div(g->s, depth, block);
    if (!is_known) /* nothing to add still makes zeros */
        g->blocks = ir_simplify(g->s->context,
                                ir_expr_binary(g->s->context, IR_EXPR_max, num(g, 1), g->blocks));
}
