/*
 * UnrollLoop: a copy of the body for each iteration of a short loop.
 *
 *     for i in T.unroll(3):                          B[0] = A[0]
 *         B[i] = A[i]                      =>        B[1] = A[1]
 *                                                    B[2] = A[2]
 *
 * Then indices are simplified.  Loops marked T.unroll, or all that are serial; of a known number of iterations up to `limit`, without
 * break and continue.  What the body defines gets a new name in each copy.  Code may grow to a
 * limit: nested loops multiply.
 */
#include "passes/loop/loop.h"

enum { GROWTH_LIMIT = 4096 }; /* statements that one loop becomes */

struct unrolling {
    int64_t limit;
    bool all, is_changed;
};

/* How often @loop runs; -1 if not known. */
static int64_t iterations(struct ir_context *context, const struct tir_stmt *loop)
{
    int64_t extent, step = 1;

    if (!ir_expr_constant(context, loop->loop.extent, &extent) ||
        (loop->loop.step && !ir_expr_constant(context, loop->loop.step, &step)) || step < 1 ||
        extent > INT64_MAX - step)
        return -1;
    return extent <= 0 ? 0 : (extent + step - 1) / step;
}

static struct tir_stmt *copy_of(struct ir_module *module, const struct tir_stmt *loop, int64_t i)
{
    struct ir_context *context = module->context;
    struct loop_names names = {.fresh = true};
    struct ir_dtype dtype = loop->loop.var->dtype;
    int64_t step = 1;

    if (loop->loop.step)
        ir_expr_constant(context, loop->loop.step, &step);
    const struct ir_expr *min = ir_expr_cast(context, dtype, loop->loop.min);
    const struct ir_expr *offset = ir_expr_int(context, dtype, i * step);
    const struct ir_expr *value =
        ir_simplify(context, ir_expr_binary(context, IR_EXPR_add, min, offset));
    map_set(&names.vars, loop->loop.var, (void *)(uintptr_t)value);
    struct tir_stmt *copy = loop_copy(module, &names, loop->loop.body);
    loop_names_finish(&names);
    return copy;
}

static struct tir_stmt *unroll(struct loop_map *map, struct tir_stmt *stmt)
{
    struct unrolling *options = map->state;
    struct tir_stmt *result = loop_map_parts(map, stmt);

    if (stmt->kind != TIR_FOR || !loop_has_fixed_bounds(stmt) ||
        (stmt->loop.kind != TIR_UNROLLED && !(options->all && stmt->loop.kind == TIR_SERIAL)))
        return result;
    int64_t count = iterations(map->module->context, result);
    if (count < 0 || count > options->limit || loop_has_jump(result->loop.body) ||
        count * loop_stmt_count(result->loop.body) > GROWTH_LIMIT)
        return result;
    struct tir_stmt **copies =
        arena_array(&map->module->arena, struct tir_stmt *, (size_t)count + 1);
    for (int64_t i = 0; i < count; i++)
        copies[i] = copy_of(map->module, result, i);
    options->is_changed = true;
    return count ? tir_seq(map->module, copies, (unsigned)count) : NULL;
}

struct tir_stmt *loop_unroll(const struct tir_func *func, int64_t limit, bool all)
{
    struct unrolling options = {limit < GROWTH_LIMIT ? limit : GROWTH_LIMIT, all, false};
    struct loop_map map = {.module = func->module, .state = &options, .stmt = unroll};
    struct tir_func after = *func;

    if (!loop_is_plain(func->body))
        return func->body;
    after.body = unroll(&map, func->body);
    if (!after.body)
        after.body = tir_stmt_new(func->module, TIR_SEQ, func->body->loc);
    return options.is_changed ? loop_simplify(&after) : after.body;
}

static struct tir_stmt *unroll_kernel(void *state, const struct tir_func *func)
{
    const struct unrolling *options = state;

    return loop_unroll(func, options->limit, options->all);
}

enum pass_result pass_unroll_loop(struct pass_run *run)
{
    struct unrolling options = {pass_option_int(run, "limit"), pass_option_bool(run, "all"), false};

    return loop_rewrite_kernels(run, unroll_kernel, &options);
}
