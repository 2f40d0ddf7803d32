/*
 * Which loops run as vectors and which on several threads.
 *
 * An innermost loop whose iterations are independent becomes T.vectorized, whatever its extent, if its stores
 * move by one element and its loads by few or none; others too if what is computed is worth the accesses
 * that are made lane by lane.  The outermost independent loop of a nest becomes
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
    GRAIN = 100000,    /* additions that are worth a second thread: some ten microseconds */
    CHUNK = 16384,     /* elements that a thread takes at a time */
    ENOUGH = 8,        /* iterations that share well */
    NEAR = 4,          /* elements between loads that are made as vectors */
    SINGLE_WORK = 7,   /* additions that an access lane by lane has to be worth */
    SIZE_LIMIT = 4096, /* nodes of a value that is looked at */
};

/* ---- vectors ---- */

/*
 * What an iteration costs as lanes of vectors: work that is done for all lanes at once, and accesses that
 * are made lane by lane, for which lanes are taken out of vectors and put into them.
 */
struct lanes {
    struct schedule *s;
    const struct ir_var *var;
    struct map
        seen; /* hash of an expression, which is computed once -> the expression if it varies */
    unsigned work, singles;
};

static bool is_half(struct ir_dtype dtype)
{
    return ir_dtype_is_float(dtype) && dtype.bits == 16;
}

/* Additions that an operation is worth, which differs from iteration to iteration. */
static unsigned work_of(const struct ir_expr *a)
{
    bool is_division = a->kind == IR_EXPR_div || a->kind == IR_EXPR_mod ||
                       a->kind == IR_EXPR_floordiv || a->kind == IR_EXPR_floormod;

    if (is_division)
        return ir_dtype_is_float(a->dtype) || a->operands[1]->kind == IR_EXPR_int ? 8 : 0;
    if (a->kind == IR_EXPR_cast)
        return is_half(a->dtype) || is_half(a->operands[0]->dtype) ? 8 : 1;
    return a->kind == IR_EXPR_call ? 4 : a->operand_count > 0 ? 1 : 0;
}

/* Elements in a row, the same one, or few elements apart: loaded as vectors. */
static bool is_near(struct lanes *l, const struct ir_expr *load)
{
    int64_t stride;

    return index_stride(l->s->context, load->buffer, load->operands, load->operand_count, l->var,
                        &stride) &&
           stride >= -NEAR && stride <= NEAR;
}

/* Adds what @a costs; does it differ between iterations? */
static bool weigh(struct lanes *l, const struct ir_expr *a)
{
    bool varies = a->kind == IR_EXPR_var && a->var == l->var;

    const void *key = (const void *)(uintptr_t)(ir_expr_hash(a) | 1); // NOLINT

    if (map_has(&l->seen, key))
        return map_get(&l->seen, key) != NULL;
    bool is_vector = a->kind == IR_EXPR_load && is_near(l, a);
    for (unsigned i = 0; i < a->operand_count && !is_vector; i++)
        varies |= weigh(l, a->operands[i]);
    if (varies && a->kind == IR_EXPR_load)
        l->singles++;
    else if (varies)
        l->work += work_of(a);
    varies |= is_vector;
    map_set(&l->seen, key, varies ? a : NULL);
    return varies;
}

static bool weigh_store(struct lanes *l, const struct tir_stmt *stmt)
{
    int64_t stride;

    if (stmt->store.predicate || stmt->store.value->dtype.lanes != 1 ||
        !sch_is_pure(stmt->store.value) || stmt->store.value->size > SIZE_LIMIT ||
        !index_stride(l->s->context, stmt->store.buffer, stmt->store.indices,
                      stmt->store.index_count, l->var, &stride))
        return false;
    bool has_masks = l->s->vector_bytes >= 64; /* of stores, for elements of any size */
    l->singles += stride != 1 && !(has_masks && stride > 1 && stride <= NEAR);
    (void)weigh(l, stmt->store.value);
    return true;
}

/* Stores, and loops of few of them; false if there is anything else. */
static bool weigh_body(struct lanes *l, const struct tir_stmt *stmt)
{
    if (stmt->kind == TIR_SEQ) {
        for (unsigned i = 0; i < stmt->seq.count; i++)
            if (!weigh_body(l, stmt->seq.items[i]))
                return false;
        return true;
    }
    if (stmt->kind == TIR_FOR && stmt->loop.kind == TIR_UNROLLED)
        return weigh_body(l, stmt->loop.body);
    return stmt->kind == TIR_STORE && weigh_store(l, stmt);
}

static bool is_worth_vectors(struct schedule *s, const struct tir_stmt *loop)
{
    struct lanes l = {.s = s, .var = loop->loop.var};

    bool is_fine = weigh_body(&l, loop->loop.body) && l.work >= SINGLE_WORK * l.singles;
    map_finish(&l.seen);
    return is_fine;
}

static bool runs_more_than_once(struct schedule *s, const struct tir_stmt *loop)
{
    int64_t extent;

    return !sch_constant(s, loop->loop.extent, &extent) || extent > 1;
}

static bool vectorize(struct schedule *s, struct tir_stmt *stmt)
{
    bool is_changed = false;

    if (stmt->kind == TIR_FOR && stmt->loop.kind != TIR_SERIAL && stmt->loop.kind != TIR_PARALLEL)
        return false;
    for (unsigned i = 0; tir_stmt_child(stmt, i); i++)
        is_changed |= vectorize(s, tir_stmt_child(stmt, i));
    if (stmt->kind != TIR_FOR || !sch_is_plain_loop(stmt))
        return is_changed;
    if (!is_worth_vectors(s, stmt) || !runs_more_than_once(s, stmt) ||
        !loop_is_independent(s->func, stmt, NULL))
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
