/* Which loops run on vectors and which on threads: what VectorizeLoop and ParallelizeLoop share. */
#include "analysis/access/index.h"
#include "analysis/access/loop.h"
#include "passes/loop/loop.h"

struct kinds {
    const struct tir_func *func;
    struct remarks *remarks; /* NULL: nobody asks */
    bool strided;
    int64_t grain;
};

/* Why the iterations of @loop keep their order; REMARK_NONE: they need not. */
static struct remark find_obstacle(const struct kinds *kinds, const struct tir_stmt *loop)
{
    struct loop_obstacle obstacle = {0};

    if (loop_is_independent_or(kinds->func, loop, NULL, kinds->remarks ? &obstacle : NULL))
        return (struct remark){0};
    return kinds->remarks ? remark_of_obstacle(&obstacle)
                          : (struct remark){.id = REMARK_LP_NOT_APART}; /* nobody will read it */
}

static struct tir_stmt *as_kind(struct loop_map *map, struct tir_stmt *loop, enum tir_for_kind kind)
{
    if (loop->loop.kind == kind)
        return loop;
    struct tir_stmt *result = loop_with_body(map->module, loop, loop->loop.body);
    result->loop.kind = kind;
    return result;
}

/* ---- vectors ---- */

/* The accesses of a loop's body, as its variable moves. */
struct lanes {
    struct ir_context *context;
    const struct ir_var *var;
    bool strided, has_contiguous;
    struct remark why; /* no vectors */
};

static void refuse(struct lanes *l, struct location loc, struct remark why)
{
    if (l->why.id != REMARK_NONE)
        return;
    l->why = why;
    l->why.first = (struct remark_place){loc, "here"};
}

static void look_at_access(struct lanes *l, const struct ir_buffer *buffer,
                           const struct ir_expr *const *indices, unsigned count, bool is_store,
                           struct location loc)
{
    int64_t stride;
    bool is_known = index_stride(l->context, buffer, indices, count, l->var, &stride);

    l->has_contiguous |= is_known && stride == 1;
    if (!is_known)
        refuse(l, loc, (struct remark){.id = REMARK_LP_OPEN_STRIDE, .name = buffer->name});
    else if (stride != 1 && (stride != 0 || is_store) && !l->strided)
        refuse(l, loc, (struct remark){.id = REMARK_LP_STRIDED, .name = buffer->name, .a = stride});
}

static bool look_at_expr(void *state, const struct ir_expr *a)
{
    struct lanes *l = state;

    if (a->kind == IR_EXPR_load)
        look_at_access(l, a->buffer, a->operands, a->operand_count, false, a->loc);
    return l->why.id == REMARK_NONE;
}

static bool look_below(void *state, const struct ir_expr *a)
{
    return ir_expr_walk(a, look_at_expr, state);
}

/* Straight-line code only. */
static bool look_at_stmt(void *state, struct tir_stmt *stmt)
{
    struct lanes *l = state;

    if (stmt->kind == TIR_STORE)
        look_at_access(l, stmt->store.buffer, stmt->store.indices, stmt->store.index_count, true,
                       stmt->loc);
    else if (stmt->kind == TIR_FOR)
        refuse(l, stmt->loc,
               (struct remark){.id = REMARK_LP_NOT_INNERMOST, .name = stmt->loop.var->name});
    else if (stmt->kind != TIR_SEQ && stmt->kind != TIR_LET)
        refuse(l, stmt->loc,
               (struct remark){.id = REMARK_LP_OTHER_STATEMENT, .name = remark_statement(stmt)});
    return l->why.id == REMARK_NONE && tir_stmt_walk_exprs(stmt, look_below, l);
}

/* Why @loop is not T.vectorized; REMARK_NONE: it will be, or stays so. */
static struct remark why_no_lanes(const struct kinds *kinds, struct loop_map *map,
                                  const struct tir_stmt *loop)
{
    struct remark why = find_obstacle(kinds, loop);

    if (loop->loop.kind == TIR_VECTORIZED || why.id != REMARK_NONE)
        return why;
    if (loop->loop.step)
        return (struct remark){.id = REMARK_LP_NOT_PLAIN};
    struct lanes lanes = {
        .context = map->module->context, .var = loop->loop.var, .strided = kinds->strided};
    tir_stmt_walk(loop->loop.body, look_at_stmt, &lanes);
    if (lanes.why.id == REMARK_NONE && !lanes.has_contiguous)
        return (struct remark){.id = REMARK_LP_NONE_CONTIGUOUS};
    return lanes.why;
}

static struct tir_stmt *vectorize(struct loop_map *map, struct tir_stmt *stmt)
{
    const struct kinds *kinds = map->state;
    struct tir_stmt *result = loop_map_parts(map, stmt);

    if (stmt->kind != TIR_FOR ||
        (stmt->loop.kind != TIR_SERIAL && stmt->loop.kind != TIR_VECTORIZED))
        return result;
    struct remark why = why_no_lanes(kinds, map, stmt);
    if (kinds->remarks)
        remarks_of_loop(kinds->remarks, stmt)->lanes = why;
    if (why.id == REMARK_NONE)
        return as_kind(map, result, TIR_VECTORIZED);
    return stmt->loop.kind == TIR_VECTORIZED ? as_kind(map, result, TIR_SERIAL) : result;
}

struct tir_stmt *loop_vectorize(const struct tir_func *func, bool strided, struct remarks *remarks)
{
    struct kinds kinds = {.func = func, .strided = strided, .remarks = remarks};
    struct loop_map map = {.module = func->module, .state = &kinds, .stmt = vectorize};

    return loop_is_plain(func->body) ? vectorize(&map, func->body) : func->body;
}

/* ---- threads ---- */

enum { UNKNOWN_EXTENT = 1024 }; /* what a loop without a known number of iterations counts for */

/* About how many statements @stmt executes. */
static int64_t work_of(struct ir_context *context, struct tir_stmt *stmt)
{
    int64_t work = stmt->kind == TIR_STORE || stmt->kind == TIR_EVALUATE, extent;
    struct tir_stmt *child;

    for (unsigned i = 0; (child = tir_stmt_child(stmt, i)) != NULL; i++)
        if (__builtin_add_overflow(work, work_of(context, child), &work))
            return INT64_MAX;
    if (stmt->kind != TIR_FOR)
        return work;
    if (!ir_expr_constant(context, stmt->loop.extent, &extent))
        extent = UNKNOWN_EXTENT;
    if (extent < 0 || __builtin_mul_overflow(work, extent, &work))
        return extent < 0 ? 0 : INT64_MAX;
    return work;
}

/* Why @loop is not T.parallel; REMARK_NONE: it will be, or stays so. */
static struct remark why_no_threads(const struct kinds *kinds, struct ir_context *context,
                                    struct tir_stmt *loop)
{
    struct remark why = find_obstacle(kinds, loop);
    int64_t extent, work;

    if (loop->loop.kind == TIR_PARALLEL || why.id != REMARK_NONE)
        return why;
    if (ir_expr_constant(context, loop->loop.extent, &extent) && extent < 2)
        return (struct remark){.id = REMARK_LP_RUNS_ONCE};
    work = work_of(context, loop);
    return work >= kinds->grain
               ? (struct remark){0}
               : (struct remark){.id = REMARK_LP_FEW_STATEMENTS, .a = work, .b = kinds->grain};
}

struct inside {
    struct remarks *remarks;
    const struct tir_stmt *loop;
};

static bool note_inside(void *state, struct tir_stmt *stmt)
{
    const struct inside *inside = state;

    if (stmt->kind == TIR_FOR)
        remarks_of_loop(inside->remarks, stmt)->threads =
            (struct remark){.id = REMARK_LP_OUTER_TASKS, .name = inside->loop->loop.var->name};
    return true;
}

static struct tir_stmt *parallelize(struct loop_map *map, struct tir_stmt *stmt)
{
    const struct kinds *kinds = map->state;

    if (stmt->kind != TIR_FOR || (stmt->loop.kind != TIR_SERIAL && stmt->loop.kind != TIR_PARALLEL))
        return loop_map_parts(map, stmt);
    struct remark why = why_no_threads(kinds, map->module->context, stmt);
    struct inside inside = {kinds->remarks, stmt};
    if (kinds->remarks)
        remarks_of_loop(kinds->remarks, stmt)->threads = why;
    if (why.id != REMARK_NONE && stmt->loop.kind == TIR_PARALLEL)
        return as_kind(map, loop_map_parts(map, stmt), TIR_SERIAL);
    if (why.id != REMARK_NONE)
        return loop_map_parts(map, stmt);
    if (kinds->remarks)
        (void)tir_stmt_walk(stmt->loop.body, note_inside, &inside);
    return as_kind(map, stmt, TIR_PARALLEL); /* and nothing inside of it */
}

struct tir_stmt *loop_parallelize(const struct tir_func *func, int64_t grain,
                                  struct remarks *remarks)
{
    struct kinds kinds = {.func = func, .grain = grain, .remarks = remarks};
    struct loop_map map = {.module = func->module, .state = &kinds, .stmt = parallelize};

    return loop_is_plain(func->body) ? parallelize(&map, func->body) : func->body;
}
