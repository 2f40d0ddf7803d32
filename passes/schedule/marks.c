/*
 * Which loops run as vectors and which on several threads.
 *
 * An innermost loop whose iterations are independent and whose accesses move by one element or stay
 * becomes T.vectorized, whatever its extent.  The outermost independent loop of a nest becomes
 * T.parallel where the nest is worth waking threads for.  A nest that is one loop only is cut:
 *
 *     for i in range(n): y[i] = f(x[i])
 *         ==>  for io in T.parallel((n + 16383) // 16384):
 *                  for ii in T.vectorized(min(16384, n - io * 16384)): y[io * 16384 + ii] = ..
 */
#include "analysis/access/index.h"
#include "analysis/access/loop.h"
#include "passes/schedule/schedule.h"

enum {
    GRAIN = 100000, /* additions that are worth a second thread: some ten microseconds */
    CHUNK = 16384,  /* elements that a thread takes at a time */
    ENOUGH = 8,     /* iterations that share well */
};

/* Only stores that move by one element, of what moves likewise. */
static bool is_contiguous(struct schedule *s, const struct ir_var *var, const struct tir_stmt *stmt)
{
    int64_t stride;

    if (stmt->kind == TIR_SEQ) {
        for (unsigned i = 0; i < stmt->seq.count; i++)
            if (!is_contiguous(s, var, stmt->seq.items[i]))
                return false;
        return true;
    }
    return stmt->kind == TIR_STORE && !stmt->store.predicate &&
           stmt->store.value->dtype.lanes == 1 && sch_is_pure(stmt->store.value) &&
           sch_loads_rows(s, stmt->store.value, var) &&
           index_stride(s->context, stmt->store.buffer, stmt->store.indices,
                        stmt->store.index_count, var, &stride) &&
           stride == 1;
}

static bool runs_more_than_once(struct schedule *s, const struct tir_stmt *loop)
{
    int64_t extent;

    return !sch_constant(s, loop->loop.extent, &extent) || extent > 1;
}

static bool vectorize(struct schedule *s, struct tir_stmt *stmt)
{
    bool is_changed = false, has_loops = false;

    if (stmt->kind == TIR_FOR && stmt->loop.kind != TIR_SERIAL && stmt->loop.kind != TIR_PARALLEL)
        return false;
    for (unsigned i = 0; tir_stmt_child(stmt, i); i++)
        is_changed |= vectorize(s, tir_stmt_child(stmt, i));
    if (stmt->kind != TIR_FOR || !sch_is_plain_loop(stmt))
        return is_changed;
    has_loops = !is_contiguous(s, stmt->loop.var, stmt->loop.body);
    if (has_loops || !runs_more_than_once(s, stmt) || !loop_is_independent(s->func, stmt, NULL))
        return is_changed;
    stmt->loop.kind = TIR_VECTORIZED;
    return true;
}

/* ---- threads ---- */

static bool cut(struct schedule *s, struct tir_stmt **slot)
{
    struct tir_stmt *loop = *slot;
    const struct ir_expr *extent = loop->loop.extent;
    struct ir_dtype dtype = loop->loop.var->dtype;
    int64_t count;

    if ((sch_constant(s, extent, &count) && count < 2 * CHUNK) || sch_work(s, loop) < (double)GRAIN)
        return false;
    const struct ir_var *outer = sch_var(s, "io", dtype), *inner = sch_var(s, "ii", dtype);
    const struct ir_expr *start =
        ir_expr_binary(s->context, IR_EXPR_mul, sch_use(s, outer), sch_int(s, dtype, CHUNK));
    const struct ir_expr *index = ir_expr_binary(s->context, IR_EXPR_add, start, sch_use(s, inner));
    struct tir_stmt *body = sch_copy(s, loop->loop.body, loop->loop.var, index);
    const struct ir_expr *length = sch_int(s, dtype, CHUNK);
    if (!ir_prove_equal(s->context, sch_mul(s, sch_div(s, extent, CHUNK), CHUNK), extent))
        length = sch_min(s, length, sch_sub(s, extent, start));
    body = sch_for(s, TIR_VECTORIZED, inner, length, body);
    *slot = sch_for(s, TIR_PARALLEL, outer, sch_ceil_div(s, extent, CHUNK), body);
    if (loop_is_independent(s->func, *slot, NULL))
        return true;
    *slot = loop;
    return false;
}

/* A loop over @extent iterations, or an unknown number of them, shares well. */
static bool is_enough(struct schedule *s, const struct tir_stmt *loop)
{
    int64_t extent;

    return !sch_constant(s, loop->loop.extent, &extent) || extent >= ENOUGH;
}

static bool is_not_parallel(void *state, struct tir_stmt *stmt)
{
    return stmt->kind != TIR_FOR || stmt->loop.kind != TIR_PARALLEL;
}

static bool share_all(struct schedule *s, struct tir_stmt **slot);

static bool share(struct schedule *s, struct tir_stmt **slot)
{
    struct tir_stmt **best = NULL, **at = slot;

    if (!tir_stmt_walk(*slot, is_not_parallel, NULL) || sch_work(s, *slot) < (double)GRAIN)
        return false;
    for (; (*at)->kind == TIR_FOR; at = &(*at)->loop.body) {
        struct tir_stmt *loop = *at;
        bool is_vector = loop->loop.kind == TIR_VECTORIZED;
        if (is_vector && !best)
            return cut(s, at);
        if (is_vector || !sch_is_plain_loop(loop))
            break;
        if (!runs_more_than_once(s, loop) || !loop_is_independent(s->func, loop, NULL))
            continue;
        if (!best || !is_enough(s, *best))
            best = at;
        if (is_enough(s, loop))
            break;
    }
    if (!best)
        return share_all(s, at); /* several nests in a loop that has an order */
    (*best)->loop.kind = TIR_PARALLEL;
    return true;
}

/* Threads for the outermost nests that can have them. */
static bool share_all(struct schedule *s, struct tir_stmt **slot)
{
    struct tir_stmt *stmt = *slot;
    bool is_changed = false;

    if (stmt->kind == TIR_FOR)
        return sch_is_plain_loop(stmt) || stmt->loop.kind == TIR_VECTORIZED ? share(s, slot)
                                                                            : false;
    if (stmt->kind == TIR_SEQ)
        for (unsigned i = 0; i < stmt->seq.count; i++)
            is_changed |= share_all(s, &stmt->seq.items[i]);
    if (stmt->kind == TIR_IF) {
        is_changed = share_all(s, &stmt->branch.then_body);
        if (stmt->branch.else_body)
            is_changed |= share_all(s, &stmt->branch.else_body);
    }
    return is_changed;
}

bool schedule_marks(struct schedule *s, struct tir_stmt **slot)
{
    bool is_changed = vectorize(s, *slot);

    return share_all(s, slot) || is_changed;
}
