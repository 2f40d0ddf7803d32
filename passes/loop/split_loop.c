/*
 * SplitLoop: innermost loops in pieces of `factor` iterations.
 *
 *     for i in range(n):                             for i_o, i_i in T.grid((n + 7) // 8, 8):
 *         B[i] = A[i]                      =>            if i_o * 8 + i_i < n:
 *                                                            B[i_o * 8 + i_i] = A[i_o * 8 + i_i]
 *
 * Without the guard where the number of iterations is known to be a multiple.  LoopPartition takes the
 * guard out of all pieces but the last, UnrollLoop and VectorizeLoop work on the pieces.
 */
#include "analysis/access/index.h"
#include "passes/loop/loop.h"

enum { FACTOR_LIMIT = 1000000 };

struct splitting {
    int64_t factor;
    struct ir_ranges ranges;
};

static bool is_innermost(void *state, struct tir_stmt *stmt)
{
    return stmt->kind != TIR_FOR && stmt->kind != TIR_WHILE && stmt->kind != TIR_BREAK;
}

static const struct ir_expr *binary(struct loop_map *map, enum ir_expr_kind kind,
                                    const struct ir_expr *a, const struct ir_expr *b)
{
    return ir_expr_binary(map->module->context, kind, a, b);
}

static const struct ir_var *named(struct loop_map *map, const struct ir_var *like,
                                  const char *suffix)
{
    struct ir_var *var = loop_var_like(map->module, like);
    char *name = arena_printf(&map->module->arena, "%s_%s", like->name, suffix);

    var->name = atom_intern_text(&map->module->context->atoms, name);
    return var;
}

static struct tir_stmt *split(struct loop_map *map, struct tir_stmt *loop)
{
    const struct splitting *options = map->state;
    struct ir_context *context = map->module->context;
    struct ir_dtype dtype = loop->loop.var->dtype;
    const struct ir_expr *extent = ir_expr_cast(context, dtype, loop->loop.extent);
    const struct ir_expr *factor = ir_expr_int(context, dtype, options->factor);
    const struct ir_expr *rest = ir_expr_int(context, dtype, options->factor - 1);
    const struct ir_expr *padded = binary(map, IR_EXPR_add, extent, rest);
    const struct ir_expr *outer = binary(map, IR_EXPR_floordiv, padded, factor);
    bool is_exact = index_is_exact(context, &options->ranges, padded) &&
                    index_is_exact(context, &options->ranges, loop->loop.min);

    if (!is_exact || ir_interval_of(context, &options->ranges, extent).low < 0)
        return loop;
    const struct ir_var *io = named(map, loop->loop.var, "o"),
                        *ii = named(map, loop->loop.var, "i");
    const struct ir_expr *offset =
        binary(map, IR_EXPR_add, binary(map, IR_EXPR_mul, ir_expr_var(context, io), factor),
               ir_expr_var(context, ii));
    const struct ir_expr *value = offset;
    if (!ir_expr_is_int(loop->loop.min, 0))
        value = binary(map, IR_EXPR_add, ir_expr_cast(context, dtype, loop->loop.min), offset);
    struct loop_names names = {0};
    map_set(&names.vars, loop->loop.var, (void *)(uintptr_t)value);
    struct tir_stmt *body = loop_copy(map->module, &names, loop->loop.body);
    loop_names_finish(&names);
    int64_t left;
    if (!ir_expr_constant(context, binary(map, IR_EXPR_floormod, extent, factor), &left) ||
        left != 0)
        body = loop_if(map->module, binary(map, IR_EXPR_lt, offset, extent), body);
    struct tir_stmt *inner = loop_with_body(map->module, loop, body);
    inner->loop.var = ii;
    inner->loop.min = ir_expr_int(context, dtype, 0);
    inner->loop.extent = factor;
    struct tir_stmt *result = loop_with_body(map->module, inner, inner);
    result->loop.var = io;
    result->loop.extent = ir_simplify(context, outer);
    return result;
}

static struct tir_stmt *split_stmt(struct loop_map *map, struct tir_stmt *stmt)
{
    struct splitting *options = map->state;
    int64_t count;

    if (stmt->kind != TIR_FOR)
        return loop_map_parts(map, stmt);
    if (stmt->loop.kind == TIR_SERIAL && !stmt->loop.step && !stmt->loop.annotations &&
        loop_has_fixed_bounds(stmt) && tir_stmt_walk(stmt->loop.body, is_innermost, NULL)) {
        /* a piece, or less: splitting again would never end */
        bool is_short = ir_expr_constant(map->module->context, stmt->loop.extent, &count) &&
                        count <= options->factor;
        return is_short ? stmt : split(map, stmt);
    }
    bool is_known = loop_has_fixed_bounds(stmt);
    if (is_known)
        array_push(&options->ranges, loop_range(map->module, stmt));
    stmt = loop_map_parts(map, stmt);
    options->ranges.count -= is_known;
    return stmt;
}

struct tir_stmt *loop_split(const struct tir_func *func, int64_t factor)
{
    struct splitting options = {.factor = factor};
    struct loop_map map = {.module = func->module, .state = &options, .stmt = split_stmt};

    if (!loop_is_plain(func->body) || factor < 2 || factor > FACTOR_LIMIT)
        return func->body;
    struct tir_stmt *body = split_stmt(&map, func->body);
    array_finish(&options.ranges);
    return body;
}

static struct tir_stmt *split_kernel(void *state, const struct tir_func *func)
{
    return loop_split(func, *(int64_t *)state);
}

enum pass_result pass_split_loop(struct pass_run *run)
{
    int64_t factor = pass_option_int(run, "factor");

    if (factor < 2 || factor > FACTOR_LIMIT) {
        diag_report(run->diag, (struct location){0}, PASS_OPTION_VALUE, "factor", run->pass->name,
                    "is no number from 2 to 1000000");
        return PASS_FAILED;
    }
    return loop_rewrite_kernels(run, split_kernel, &factor);
}
