/* Which loops run on vectors and which on threads: what VectorizeLoop and ParallelizeLoop share. */
#include "analysis/access/index.h"
#include "analysis/access/loop.h"
#include "passes/loop/loop.h"

struct kinds {
    const struct tir_func *func;
    bool strided;
    int64_t grain;
};

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
    bool strided, is_fine, has_contiguous;
};

static void look_at_access(struct lanes *l, const struct ir_buffer *buffer,
                           const struct ir_expr *const *indices, unsigned count, bool is_store)
{
    int64_t stride;
    bool is_known = index_stride(l->context, buffer, indices, count, l->var, &stride);

    l->has_contiguous |= is_known && stride == 1;
    l->is_fine &= is_known && (stride == 1 || (stride == 0 && !is_store) || l->strided);
}

static bool look_at_expr(void *state, const struct ir_expr *a)
{
    struct lanes *l = state;

    if (a->kind == IR_EXPR_load)
        look_at_access(l, a->buffer, a->operands, a->operand_count, false);
    return l->is_fine;
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
        look_at_access(l, stmt->store.buffer, stmt->store.indices, stmt->store.index_count, true);
    else if (stmt->kind != TIR_SEQ && stmt->kind != TIR_LET)
        l->is_fine = false;
    return l->is_fine && tir_stmt_walk_exprs(stmt, look_below, l);
}

static struct tir_stmt *vectorize(struct loop_map *map, struct tir_stmt *stmt)
{
    const struct kinds *kinds = map->state;
    struct tir_stmt *result = loop_map_parts(map, stmt);

    if (stmt->kind != TIR_FOR ||
        (stmt->loop.kind != TIR_SERIAL && stmt->loop.kind != TIR_VECTORIZED))
        return result;
    bool is_independent = loop_is_independent(kinds->func, stmt, NULL);
    if (stmt->loop.kind == TIR_VECTORIZED)
        return is_independent ? result : as_kind(map, result, TIR_SERIAL);
    struct lanes lanes = {.context = map->module->context,
                          .var = stmt->loop.var,
                          .strided = kinds->strided,
                          .is_fine = !stmt->loop.step};
    tir_stmt_walk(stmt->loop.body, look_at_stmt, &lanes);
    bool is_wanted = is_independent && lanes.is_fine && lanes.has_contiguous;
    return is_wanted ? as_kind(map, result, TIR_VECTORIZED) : result;
}

struct tir_stmt *loop_vectorize(const struct tir_func *func, bool strided)
{
    struct kinds kinds = {.func = func, .strided = strided};
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

static struct tir_stmt *parallelize(struct loop_map *map, struct tir_stmt *stmt)
{
    const struct kinds *kinds = map->state;

    if (stmt->kind != TIR_FOR || (stmt->loop.kind != TIR_SERIAL && stmt->loop.kind != TIR_PARALLEL))
        return loop_map_parts(map, stmt);
    bool is_independent = loop_is_independent(kinds->func, stmt, NULL);
    if (stmt->loop.kind == TIR_PARALLEL)
        return is_independent ? stmt : as_kind(map, loop_map_parts(map, stmt), TIR_SERIAL);
    int64_t extent;
    bool is_single =
        ir_expr_constant(map->module->context, stmt->loop.extent, &extent) && extent < 2;
    if (is_independent && !is_single && work_of(map->module->context, stmt) >= kinds->grain)
        return as_kind(map, stmt, TIR_PARALLEL); /* and nothing inside of it */
    return loop_map_parts(map, stmt);
}

struct tir_stmt *loop_parallelize(const struct tir_func *func, int64_t grain)
{
    struct kinds kinds = {.func = func, .grain = grain};
    struct loop_map map = {.module = func->module, .state = &kinds, .stmt = parallelize};

    return loop_is_plain(func->body) ? parallelize(&map, func->body) : func->body;
}
