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
    GRAIN = 30000, /* additions that are worth a second thread: some microseconds */
    CHUNK = 16384, /* elements that a thread takes at a time */
    ENOUGH = 8, /* iterations that share well, an even number; an odd one from twice as many on */
    ROWS = 12,  /* of an image, that threads share rather than its channels */
    NEAR = 4,   /* elements between loads that are made as vectors */
    SINGLE_WORK = 7,   /* additions that an access lane by lane has to be worth */
    SAMPLE_BYTES = 32, /* of vectors whose elements one instruction puts into any order */
    SAMPLE_WORK = 3, /* SINGLE_WORK of loads that are made by it if the lanes are near each other */
    HALF_SAMPLE = 5, /* the same of vectors of 32 bytes */
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
    unsigned samples; /* loads at places that are loaded: of tables that are often in order */
    int64_t
        crossed; /* elements between stores of which each is made by itself; 0: there are none */
    const char *crossed_name;
    struct remark why; /* no vectors */
};

/* Always false. */
static bool refuse(struct lanes *l, const struct tir_stmt *stmt, struct remark why)
{
    l->why = why;
    l->why.first = (struct remark_place){stmt->loc, "here"};
    return false;
}

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

static bool is_no_load(void *state, const struct ir_expr *a)
{
    return a->kind != IR_EXPR_load;
}

/* Is @load one whose places are loaded, and that may have them in one vector (vector_window.c)? */
static bool is_sample(struct lanes *l, const struct ir_expr *load)
{
    bool is_table = false;

    for (unsigned i = 0; i < load->operand_count; i++)
        is_table |= !ir_expr_walk(load->operands[i], is_no_load, NULL);
    return is_table && l->s->vector_bytes >= SAMPLE_BYTES && !load->buffer->strides;
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
    if (varies && a->kind == IR_EXPR_load && is_sample(l, a))
        l->samples++;
    else if (varies && a->kind == IR_EXPR_load)
        l->singles++;
    else if (varies)
        l->work += work_of(a);
    varies |= is_vector;
    map_set(&l->seen, key, varies ? a : NULL);
    return varies;
}

static bool weigh_store(struct lanes *l, const struct tir_stmt *stmt)
{
    const struct ir_expr *value = stmt->store.value;
    const char *name = stmt->store.buffer->name;
    int64_t stride;

    if (stmt->store.predicate)
        return refuse(l, stmt, (struct remark){.id = REMARK_LP_PREDICATE, .name = name});
    if (value->dtype.lanes != 1)
        return refuse(l, stmt, (struct remark){.id = REMARK_LP_TEXT_VECTOR});
    if (!sch_is_pure(value))
        return refuse(l, stmt, (struct remark){.id = REMARK_LP_EFFECT});
    if (value->size > SIZE_LIMIT)
        return refuse(
            l, stmt,
            (struct remark){
                .id = REMARK_LP_LARGE_VALUE, .name = name, .a = value->size, .b = SIZE_LIMIT});
    if (!index_stride(l->s->context, stmt->store.buffer, stmt->store.indices,
                      stmt->store.index_count, l->var, &stride))
        return refuse(l, stmt, (struct remark){.id = REMARK_LP_OPEN_STRIDE, .name = name});
    bool has_masks = l->s->vector_bytes >= 64; /* of stores, for elements of any size */
    bool is_single = stride != 1 && !(has_masks && stride > 1 && stride <= NEAR);

    l->singles += is_single;
    if (is_single && stride != 0) {
        l->crossed = stride;
        l->crossed_name = name;
    }
    (void)weigh(l, value);
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
    if (stmt->kind == TIR_FOR)
        return refuse(l, stmt,
                      (struct remark){.id = REMARK_LP_NOT_INNERMOST, .name = stmt->loop.var->name});
    if (stmt->kind != TIR_STORE)
        return refuse(
            l, stmt,
            (struct remark){.id = REMARK_LP_OTHER_STATEMENT, .name = remark_statement(stmt)});
    return weigh_store(l, stmt);
}

static bool find_inner(void *state, struct tir_stmt *stmt)
{
    bool is_loop = stmt->kind == TIR_FOR && stmt->loop.kind != TIR_UNROLLED;

    if (is_loop)
        *(const struct tir_stmt **)state = stmt;
    return !is_loop;
}

/* What else is in @loop matters less than a loop. */
static void prefer_inner(struct lanes *l, const struct tir_stmt *loop)
{
    const struct tir_stmt *inner = NULL;

    if (l->why.id != REMARK_LP_OTHER_STATEMENT || !l->s->run->remarks)
        return;
    (void)tir_stmt_walk(loop->loop.body, find_inner, &inner);
    if (inner)
        (void)refuse(l, inner,
                     (struct remark){.id = REMARK_LP_NOT_INNERMOST, .name = inner->loop.var->name});
}

/* Why there are no vectors; REMARK_NONE: they pay. */
static struct remark weigh_loop(struct schedule *s, const struct tir_stmt *loop)
{
    struct lanes l = {.s = s, .var = loop->loop.var};
    unsigned of_samples = s->vector_bytes > SAMPLE_BYTES ? SAMPLE_WORK : HALF_SAMPLE;

    if (weigh_body(&l, loop->loop.body) &&
        l.work < SINGLE_WORK * l.singles + of_samples * l.samples) {
        if (l.crossed)
            (void)refuse(&l, loop,
                         (struct remark){
                             .id = REMARK_LP_CROSSES_ROWS, .name = l.crossed_name, .a = l.crossed});
        else
            (void)refuse(&l, loop,
                         (struct remark){.id = REMARK_LP_SINGLE_LANES,
                                         .a = l.singles + l.samples,
                                         .b = l.work});
        l.why.first = (struct remark_place){0};
    }
    prefer_inner(&l, loop);
    map_finish(&l.seen);
    return l.why;
}

static bool runs_more_than_once(struct schedule *s, const struct tir_stmt *loop)
{
    int64_t extent;

    return !sch_constant(s, loop->loop.extent, &extent) || extent > 1;
}

/* Why the iterations cannot change their order; REMARK_NONE: they can. */
static struct remark find_obstacle(struct schedule *s, const struct tir_stmt *loop)
{
    struct loop_obstacle obstacle = {0};
    bool is_free = loop_is_independent_or(s->func, loop, NULL, s->run->remarks ? &obstacle : NULL);

    if (is_free)
        return (struct remark){0};
    return s->run->remarks ? remark_of_obstacle(&obstacle)
                           : (struct remark){.id = REMARK_LP_NOT_APART}; /* nobody will read it */
}

static struct remark why_not_plain(const struct tir_stmt *loop)
{
    if (loop->loop.kind == TIR_PARALLEL || loop->loop.kind == TIR_UNROLLED)
        return (struct remark){.id = REMARK_LP_MADE_SO};
    return (struct remark){.id = loop_has_fixed_bounds(loop) ? REMARK_LP_NOT_PLAIN
                                                             : REMARK_LP_BOUNDS};
}

/* Why @loop is not T.vectorized; REMARK_NONE: it will be. */
static struct remark why_no_lanes(struct schedule *s, const struct tir_stmt *loop)
{
    struct remark why;

    if (!sch_is_plain_loop(loop))
        return why_not_plain(loop);
    why = weigh_loop(s, loop);
    if (why.id != REMARK_NONE)
        return why;
    if (!runs_more_than_once(s, loop))
        return (struct remark){.id = REMARK_LP_RUNS_ONCE};
    return find_obstacle(s, loop);
}

/* Loops that the steps before made for lanes and registers, and those in them. */
static void note_made(struct schedule *s, const struct tir_stmt *stmt)
{
    const struct tir_stmt *child;

    if (!s->run->remarks)
        return;
    if (stmt->kind == TIR_FOR && stmt->loop.kind == TIR_SERIAL)
        remarks_of_loop(s->run->remarks, stmt)->lanes =
            (struct remark){.id = REMARK_LP_IN_UNROLLED};
    for (unsigned i = 0; (child = tir_stmt_child(stmt, i)); i++)
        note_made(s, child);
}

static void note_lanes(struct schedule *s, const struct tir_stmt *loop, struct remark why)
{
    if (s->run->remarks)
        remarks_of_loop(s->run->remarks, loop)->lanes = why;
}

static bool vectorize(struct schedule *s, struct tir_stmt *stmt)
{
    bool is_changed = false;

    if (stmt->kind == TIR_FOR && stmt->loop.kind != TIR_SERIAL && stmt->loop.kind != TIR_PARALLEL) {
        note_made(s, stmt);
        return false;
    }
    for (unsigned i = 0; tir_stmt_child(stmt, i); i++)
        is_changed |= vectorize(s, tir_stmt_child(stmt, i));
    if (stmt->kind != TIR_FOR)
        return is_changed;
    struct remark why = why_no_lanes(s, stmt);
    note_lanes(s, stmt, why);
    if (why.id != REMARK_NONE)
        return is_changed;
    stmt->loop.kind = TIR_VECTORIZED;
    return true;
}

/* ---- threads ---- */

/* Of all loops in @stmt that nothing was said of yet; what is around one of the same name elsewhere is not around it. */
static void note_threads(struct schedule *s, const struct tir_stmt *stmt, struct remark why)
{
    const struct tir_stmt *child;

    if (!s->run->remarks)
        return;
    if (stmt->kind == TIR_FOR) {
        struct remark_loop *record = remarks_of_loop(s->run->remarks, stmt);

        if (record->threads.id == REMARK_NONE || record->threads.id == REMARK_LP_OUTER_TASKS)
            record->threads = why;
    }
    for (unsigned i = 0; (child = tir_stmt_child(stmt, i)); i++)
        note_threads(s, child, why);
}

/* Of @loop alone. */
static void note_thread(struct schedule *s, const struct tir_stmt *loop, struct remark why)
{
    if (s->run->remarks)
        remarks_of_loop(s->run->remarks, loop)->threads = why;
}

/* Always false. */
static bool keep(struct schedule *s, const struct tir_stmt *stmt, struct remark why)
{
    note_threads(s, stmt, why);
    return false;
}

static struct remark small(double work)
{
    return (struct remark){.id = REMARK_LP_SMALL, .a = (int64_t)work, .b = GRAIN};
}

/* Loops around the T.parallel ones in @stmt, and in them. */
static void note_around(struct schedule *s, const struct tir_stmt *stmt, const char *name)
{
    const struct tir_stmt *child;

    if (!s->run->remarks)
        return;
    if (stmt->kind == TIR_FOR && stmt->loop.kind == TIR_PARALLEL) {
        note_threads(s, stmt->loop.body,
                     (struct remark){.id = REMARK_LP_OUTER_TASKS, .name = stmt->loop.var->name});
        return;
    }
    if (stmt->kind == TIR_FOR)
        note_thread(s, stmt, (struct remark){.id = REMARK_LP_INNER_TASKS, .name = name});
    for (unsigned i = 0; (child = tir_stmt_child(stmt, i)); i++)
        note_around(s, child, name);
}

static bool cut(struct schedule *s, struct tir_stmt **slot)
{
    struct tir_stmt *loop = *slot;
    const struct ir_expr *extent = loop->loop.extent;
    struct ir_dtype dtype = loop->loop.var->dtype;
    int64_t count;

    if (sch_constant(s, extent, &count) && count < 2 * CHUNK)
        return keep(s, loop, (struct remark){.id = REMARK_LP_SHORT, .a = count, .b = 2 * CHUNK});
    if (sch_work(s, loop) < (double)GRAIN)
        return keep(s, loop, small(sch_work(s, loop)));
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
    struct remark why = find_obstacle(s, *slot);
    if (why.id == REMARK_NONE) {
        note_around(s, *slot, NULL);
        return true;
    }
    *slot = loop;
    return keep(s, loop, why);
}

/* A loop over @extent iterations, or an unknown number of them, shares well. */
static bool is_enough(struct schedule *s, const struct tir_stmt *loop)
{
    int64_t extent;

    return !sch_constant(s, loop->loop.extent, &extent) || extent >= ENOUGH;
}

/* The first T.parallel loop in @state, a struct tir_stmt **. */
static bool find_parallel(void *state, struct tir_stmt *stmt)
{
    if (stmt->kind == TIR_FOR && stmt->loop.kind == TIR_PARALLEL)
        *(struct tir_stmt **)state = stmt;
    return *(struct tir_stmt **)state == NULL;
}

/* Why threads do not share @loop, one of a nest; REMARK_NONE: they can. */
static struct remark why_no_threads(struct schedule *s, const struct tir_stmt *loop)
{
    return runs_more_than_once(s, loop) ? find_obstacle(s, loop)
                                        : (struct remark){.id = REMARK_LP_RUNS_ONCE};
}

static bool shares_evenly(struct schedule *s, const struct tir_stmt *loop)
{
    int64_t extent;

    return !sch_constant(s, loop->loop.extent, &extent) || extent >= (int64_t)2 * ENOUGH ||
           (extent >= ENOUGH && extent % 2 == 0);
}

struct row_search {
    struct schedule *s;
    const struct ir_var *row;
};

/* Of the rows, or of weights? */
static bool is_load_of_rows(void *state, const struct ir_expr *a)
{
    const struct row_search *search = state;

    return a->kind != IR_EXPR_load || ir_expr_uses_var(a, search->row) ||
           sch_reads_constants(search->s, a);
}

static bool loads_rows(void *state, const struct ir_expr *a)
{
    return ir_expr_walk(a, is_load_of_rows, state);
}

/*
 * Is @loop over blocks of channels of an image, around its rows and columns?  Threads share rows: what reads the image next
 * reads all channels of some rows, and finds those in the cache of the core that wrote them.  But where something else is read
 * for each channel, that was made of the image, channel by channel: so are its neighbours.
 */
static bool is_of_image(struct schedule *s, const struct tir_stmt *loop)
{
    struct tir_stmt *rows = loop->loop.body, *columns, *lanes;
    struct row_search search = {.s = s};
    int64_t extent;

    if (rows->kind != TIR_FOR || !sch_constant(s, rows->loop.extent, &extent) || extent < ROWS)
        return false;
    columns = rows->loop.body;
    lanes = columns->kind == TIR_FOR ? columns->loop.body : columns;
    search.row = rows->loop.var;
    return columns->kind == TIR_FOR && lanes->kind == TIR_FOR &&
           lanes->loop.kind == TIR_VECTORIZED && sch_constant(s, lanes->loop.extent, &extent) &&
           extent <= schedule_lanes(s, IR_F32) &&
           tir_stmt_walk_exprs(lanes->loop.body, loads_rows, &search);
}

/* Makes T.parallel of two loops, one in the other: first all iterations of the outer one, or (@is_turned) of the inner one. */
static bool join(struct schedule *s, struct tir_stmt **slot, bool is_turned)
{
    struct tir_stmt *outer = *slot, *inner = outer->loop.body, *body;
    struct ir_dtype dtype = outer->loop.var->dtype;
    int64_t outside, inside;

    if (inner->kind != TIR_FOR || !sch_is_plain_loop(inner) || outer->loop.annotations ||
        inner->loop.annotations || !ir_dtype_equal(inner->loop.var->dtype, dtype) ||
        !sch_constant(s, outer->loop.extent, &outside) ||
        !sch_constant(s, inner->loop.extent, &inside) || outside < 2 || inside < 2 ||
        outside > INT32_MAX / inside || why_no_threads(s, inner).id != REMARK_NONE)
        return false;
    const struct ir_var *both = sch_var(s, "both", dtype);
    int64_t period = is_turned ? outside : inside;
    const struct ir_expr *slow = sch_div(s, sch_use(s, both), period);
    const struct ir_expr *fast =
        ir_expr_binary(s->context, IR_EXPR_floormod, sch_use(s, both), sch_int(s, dtype, period));
    body = sch_copy(s, inner->loop.body, inner->loop.var, is_turned ? slow : fast);
    body = sch_copy(s, body, outer->loop.var, is_turned ? fast : slow);
    *slot = sch_for(s, TIR_PARALLEL, both, sch_int(s, dtype, outside * inside), body);
    if (find_obstacle(s, *slot).id == REMARK_NONE)
        return true;
    *slot = outer;
    return false;
}

static bool share_all(struct schedule *s, struct tir_stmt **slot);

static bool share(struct schedule *s, struct tir_stmt **slot)
{
    struct tir_stmt **best = NULL, **at = slot, *parallel = NULL;
    double work;

    (void)tir_stmt_walk(*slot, find_parallel, &parallel);
    if (parallel) {
        note_around(s, *slot, parallel->loop.var->name);
        return false;
    }
    work = sch_work(s, *slot);
    if (work < (double)GRAIN)
        return keep(s, *slot, small(work));
    for (; (*at)->kind == TIR_FOR; at = &(*at)->loop.body) {
        struct tir_stmt *loop = *at;
        bool is_vector = loop->loop.kind == TIR_VECTORIZED;
        if (is_vector && !best)
            return cut(s, at);
        if (is_vector || !sch_is_plain_loop(loop))
            break;
        struct remark why = why_no_threads(s, loop);
        if (why.id != REMARK_NONE) {
            note_thread(s, loop, why);
            continue;
        }
        bool is_image = is_of_image(s, loop);
        if ((is_image || !shares_evenly(s, loop)) && join(s, at, is_image)) {
            note_around(s, *slot, (*at)->loop.var->name);
            return true;
        }
        if (!best || (!is_enough(s, *best) && is_enough(s, loop)))
            best = at;
        if (is_enough(s, loop))
            break;
    }
    if (!best)
        return share_all(s, at); /* several nests in a loop that has an order */
    (*best)->loop.kind = TIR_PARALLEL;
    note_around(s, *slot, (*best)->loop.var->name);
    return true;
}

/* Threads for the outermost nests that can have them. */
static bool share_all(struct schedule *s, struct tir_stmt **slot)
{
    struct tir_stmt *stmt = *slot;
    bool is_changed = false;

    if (stmt->kind == TIR_FOR && stmt->loop.kind == TIR_PARALLEL) {
        note_around(s, stmt, NULL); /* a step before shares it */
        return false;
    }
    if (stmt->kind == TIR_FOR)
        return sch_is_plain_loop(stmt) || stmt->loop.kind == TIR_VECTORIZED
                   ? share(s, slot)
                   : keep(s, stmt, why_not_plain(stmt));
    if (stmt->kind == TIR_SEQ)
        for (unsigned i = 0; i < stmt->seq.count; i++)
            is_changed |= share_all(s, &stmt->seq.items[i]);
    else if (stmt->kind == TIR_IF) {
        is_changed = share_all(s, &stmt->branch.then_body);
        if (stmt->branch.else_body)
            is_changed |= share_all(s, &stmt->branch.else_body);
    } else {
        note_threads(
            s, stmt,
            (struct remark){.id = REMARK_LP_BELOW_STATEMENT, .name = remark_statement(stmt)});
    }
    return is_changed;
}

bool schedule_marks(struct schedule *s, struct tir_stmt **slot)
{
    bool is_changed = vectorize(s, *slot);

    return share_all(s, slot) || is_changed;
}
