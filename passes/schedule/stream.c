/*
 * Loops for products of few rows with a matrix: Y is read once, in its order.
 *
 *     for jb in T.parallel(..):                     1024 columns: their sums stay in L1
 *         for jj in T.vectorized(1024): C[i, jb * 1024 + jj] = 0            for each row
 *         for ko in range(K // 8):
 *             for jj in T.vectorized(1024):
 *                 C[i, j] = T.fma(X[i, ko * 8 + 7], Y[ko * 8 + 7, j], .. C[i, j] ..)
 *
 * Memory sets the pace, and packing would only read and write Y once more.  Eight rows of Y at a time
 * make the sums cost an eighth of the loads.  Each element is summed in the order of k.
 * Where Y is widened (from 4 bits, from float16), it is for four rows of X at a time, in registers.
 */
#include "passes/schedule/matmul.h"

enum { DEPTH = 8, COLUMNS_LEAST = 128, COLUMNS_MOST = 1024, TASKS = 8, ROWS = 4 };

static const struct ir_expr *num(struct schedule *s, const struct matmul *p, int64_t value)
{
    return sch_int(s, p->j->dtype, value);
}

/* What step() adds: the products of @count values of k from @first on; 0 of them: C is set to 0. */
struct part {
    const struct ir_expr *first;
    int64_t count;
    const struct ir_expr *start, *length; /* columns */
};

/* C[row, j] += X(row, k) * Y(k, j) */
static struct tir_stmt *add(struct schedule *s, const struct matmul *p, const struct part *part,
                            const struct ir_expr *row, const struct ir_expr *j)
{
    const struct ir_expr *const *at = matmul_c(s, p, row, j);
    const struct ir_expr *value =
        part->count ? sch_load(s, p->c, at) : ir_expr_float(s->context, p->c->dtype, 0);

    for (int64_t n = 0; n < part->count; n++) {
        const struct ir_expr *k = sch_add(s, part->first, num(s, p, n));
        value = matmul_step(s, matmul_x(s, p, row, k), matmul_y(s, p, k, j), value);
    }
    struct tir_stmt *stmt = sch_store(s, p->c, at, ir_expr_at(s->context, p->loc, value));
    stmt->loc = p->loc;
    return stmt;
}

/* For @rows rows from @from on, in one loop over columns: Y is widened once for them. */
static struct tir_stmt *add_rows(struct schedule *s, const struct matmul *p,
                                 const struct part *part, const struct ir_expr *from, int64_t rows)
{
    const struct ir_var *r = sch_var(s, "r", p->j->dtype), *jj = sch_var(s, "jj", p->j->dtype);
    const struct ir_expr *j = sch_add(s, part->start, sch_use(s, jj));
    struct tir_stmt *body = add(s, p, part, sch_add(s, from, sch_use(s, r)), j);

    body = sch_for(s, TIR_UNROLLED, r, num(s, p, rows), body);
    return sch_for(s, TIR_VECTORIZED, jj, part->length, body);
}

static struct tir_stmt *step(struct schedule *s, const struct matmul *p,
                             const struct ir_expr *first, int64_t count,
                             const struct ir_expr *start, const struct ir_expr *length)
{
    struct part part = {first, count, start, length};
    const struct ir_var *i = p->i ? sch_var(s, "i", p->j->dtype) : NULL;
    int64_t m, whole;

    if (i && p->is_widened && count && sch_constant(s, p->m, &m)) {
        struct tir_stmt *items[2];
        unsigned n = 0;

        whole = m / ROWS;
        if (whole > 0)
            items[n++] = sch_for(s, TIR_SERIAL, i, num(s, p, whole),
                                 add_rows(s, p, &part, sch_mul(s, sch_use(s, i), ROWS), ROWS));
        if (m % ROWS > 0)
            items[n++] = add_rows(s, p, &part, num(s, p, whole * ROWS), m % ROWS);
        return sch_seq(s, items, n);
    }
    const struct ir_var *jj = sch_var(s, "jj", p->j->dtype);
    const struct ir_expr *j = sch_add(s, start, sch_use(s, jj));
    struct tir_stmt *stmt =
        sch_for(s, TIR_VECTORIZED, jj, length, add(s, p, &part, i ? sch_use(s, i) : NULL, j));
    return i ? sch_for(s, TIR_SERIAL, i, p->m, stmt) : stmt;
}

/* Columns that a task takes. */
static int64_t task_columns(struct schedule *s, const struct matmul *p)
{
    int64_t n, columns = COLUMNS_LEAST;

    if (!matmul_is_shared(s, p) || !sch_constant(s, p->n, &n))
        return COLUMNS_MOST;
    while (columns < COLUMNS_MOST && columns * TASKS < n)
        columns *= 2;
    return columns;
}

struct tir_stmt *matmul_streamed(struct schedule *s, const struct matmul *p)
{
    int64_t columns = task_columns(s, p), left;
    enum tir_for_kind kind = matmul_is_shared(s, p) ? TIR_PARALLEL : TIR_SERIAL;
    const struct ir_var *jb = sch_var(s, "jb", p->j->dtype), *ko = sch_var(s, "ko", p->j->dtype);
    const struct ir_expr *start = sch_mul(s, sch_use(s, jb), columns);
    const struct ir_expr *tasks = sch_ceil_div(s, p->n, columns), *length = num(s, p, columns);
    const struct ir_expr *rounds = sch_div(s, p->depth, DEPTH);
    const struct ir_expr *done = sch_mul(s, rounds, DEPTH), *rest = sch_sub(s, p->depth, done);
    const struct ir_expr *first = sch_mul(s, sch_use(s, ko), DEPTH);
    struct tir_stmt *items[3];
    unsigned n = 0;

    if (!ir_prove_equal(s->context, sch_mul(s, tasks, columns), p->n))
        length = sch_min(s, length, sch_sub(s, p->n, start));
    if (p->starts_at_zero)
        items[n++] = step(s, p, num(s, p, 0), 0, start, length);
    if (!ir_expr_is_int(rounds, 0))
        items[n++] = sch_for(s, TIR_SERIAL, ko, rounds, step(s, p, first, DEPTH, start, length));
    if (!sch_constant(s, rest, &left)) {
        const struct ir_var *kt = sch_var(s, "kt", p->j->dtype);
        const struct ir_expr *k = sch_add(s, done, sch_use(s, kt));
        items[n++] = sch_for(s, TIR_SERIAL, kt, rest, step(s, p, k, 1, start, length));
    } else if (left > 0) {
        items[n++] = step(s, p, done, left, start, length);
    }
    return sch_for(s, kind, jb, tasks, sch_seq(s, items, n));
}
