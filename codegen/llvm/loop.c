/*
 * Loops.
 *
 * A serial loop counts from 0 in the dtype of its variable, guarded once before and tested at the
 * end: the form that LLVM's loop passes want.  T.unroll of few iterations is emitted one behind
 * the other, with the variable a literal, so that small local buffers are indexed by literals and
 * become registers. T.vectorized and T.parallel loops run so if their iterations are proved
 * independent (analysis/access/loop.h), else one after the other; their meaning is that of the
 * serial loop.  At -O0 all are serial, for debuggers.
 */
#include "analysis/access/loop.h"

#include "codegen/llvm/kernel.h"

#define BUILD(what, ...) LLVMBuild##what(cg->builder, __VA_ARGS__, "")

/* How often the loop runs, in the dtype of the variable. */
static LLVMValueRef trip_count(struct cg_body *body, const struct tir_stmt *stmt,
                               LLVMValueRef extent, LLVMValueRef step)
{
    struct cg *cg = body->cg;
    if (!step)
        return extent;
    LLVMTypeRef type = LLVMTypeOf(extent);
    LLVMValueRef zero = LLVMConstInt(type, 0, false), one = LLVMConstInt(type, 1, false);
    LLVMValueRef is_up = cg_compare(cg, LLVMIntSGT, step, zero);
    LLVMValueRef args[] = {cg_string(cg, stmt->loop.var->name),
                           LLVMBuildIntCast2(cg->builder, step, cg->i64, true, "")};
    cg_check(cg, is_up, INLAY_ERROR_SHAPE, "the step of loop `%s` is %lld, not positive", args, 2);
    LLVMValueRef last = BUILD(UDiv, BUILD(Sub, extent, one), step);
    LLVMValueRef is_empty = cg_compare(cg, LLVMIntSLE, extent, zero);
    return BUILD(Select, is_empty, zero, BUILD(Add, last, one));
}

/* Counts in the dtype of the variable, or in int64 where the text mixes dtypes. */
static LLVMValueRef emit_bound(struct cg_body *body, const struct tir_stmt *stmt,
                               const struct ir_expr *e)
{
    const struct ir_expr *bounds[] = {stmt->loop.min, stmt->loop.extent, stmt->loop.step};
    bool is_mixed = false;
    for (size_t i = 0; i < ARRAY_SIZE(bounds); i++)
        is_mixed |= bounds[i] && !ir_dtype_equal(bounds[i]->dtype, stmt->loop.var->dtype);
    return is_mixed ? cg_index(body, e) : cg_expr(body, e);
}

static bool emit_loop_values(struct cg_body *body, const struct tir_stmt *stmt,
                             struct cg_loop_values *out)
{
    if (!cg_check_dtype(body, stmt->loop.var->dtype))
        return false;
    if (!ir_dtype_is_int(stmt->loop.var->dtype))
        return cg_kernel_refuse(body, "a loop variable is no integer") != NULL;
    out->min = emit_bound(body, stmt, stmt->loop.min);
    LLVMValueRef extent = out->min ? emit_bound(body, stmt, stmt->loop.extent) : NULL;
    if (!extent)
        return false;
    out->step = NULL;
    if (stmt->loop.step && !ir_expr_is_int(stmt->loop.step, 1)) {
        out->step = emit_bound(body, stmt, stmt->loop.step);
        if (!out->step)
            return false;
    }
    out->count = trip_count(body, stmt, extent, out->step);
    return true;
}

static LLVMTypeRef counter_type(const struct cg_loop_values *values)
{
    return LLVMTypeOf(values->count);
}

/* Binds the variable, for all lanes if there are any. */
static void bind_variable(struct cg_body *body, const struct tir_stmt *stmt,
                          const struct cg_loop_values *values, LLVMValueRef counter)
{
    struct cg *cg = body->cg;
    LLVMValueRef offset = values->step ? BUILD(Mul, counter, values->step) : counter;
    LLVMValueRef var = offset;
    if (!LLVMIsNull(values->min))
        var = BUILD(Add, values->min, offset);
    LLVMTypeRef type = cg_register_type(cg, stmt->loop.var->dtype);
    if (LLVMTypeOf(var) != type)
        var = LLVMBuildIntCast2(cg->builder, var, type, true, "");
    struct cg_varying *varying =
        body->vector ? map_get(&body->vector->varying, stmt->loop.var) : NULL;
    if (varying) {
        unsigned lanes = body->vector->lanes;
        varying->first = var;
        var = BUILD(Add, cg_splat(cg, var, lanes), cg_iota(cg, type, lanes, varying->stride));
    }
    map_set(&cg->vars, stmt->loop.var, var);
}

bool cg_loop_iteration(struct cg_body *body, const struct tir_stmt *stmt,
                       const struct cg_loop_values *values, LLVMValueRef counter)
{
    bind_variable(body, stmt, values, counter);
    struct cg_facts facts = cg_facts_mark(body);
    cg_facts_add_range(body, stmt->loop.var, stmt->loop.min, stmt->loop.extent);
    cg_prefetch(body, stmt);
    bool is_fine = cg_stmt(body, stmt->loop.body);
    cg_facts_reset(body, facts);
    return is_fine;
}

bool cg_serial_loop(struct cg_body *body, const struct tir_stmt *stmt,
                    const struct cg_loop_values *values, LLVMValueRef from)
{
    struct cg *cg = body->cg;
    LLVMTypeRef type = counter_type(values);
    bool is_signed = stmt->loop.var->dtype.code == IR_INT;
    LLVMBasicBlockRef start = cg_block(cg, "loop"), next = cg_block(cg, "next");
    LLVMBasicBlockRef end = cg_block(cg, "");
    LLVMBasicBlockRef before = LLVMGetInsertBlock(cg->builder);
    LLVMIntPredicate less = is_signed ? LLVMIntSLT : LLVMIntULT;
    cg_branch(cg, cg_compare(cg, less, from, values->count), start, end);
    cg_at(cg, start);
    LLVMValueRef counter = BUILD(Phi, type);
    LLVMAddIncoming(counter, &from, &before, 1);
    array_push(&body->loops, (struct cg_loop){next, end, body->taken.count});
    bool is_fine = cg_loop_iteration(body, stmt, values, counter);
    (void)array_pop(&body->loops);
    if (!is_fine)
        return false;
    cg_goto(cg, next);
    cg_at(cg, next);
    cg_set_location(cg, stmt->loc);
    LLVMValueRef following = BUILD(Add, counter, LLVMConstInt(type, 1, false));
    LLVMSetNUW(following, true);
    LLVMSetNSW(following, is_signed);
    LLVMAddIncoming(counter, &following, &next, 1);
    LLVMValueRef is_more = cg_compare(cg, less, following, values->count);
    cg_branch(cg, is_more, start, end);
    cg_at(cg, end);
    return true;
}

/* --- T.unroll --- */

enum { UNROLL_LIMIT = 8192 }; /* nodes of expressions that an unrolled loop becomes */

static bool jumps(void *state, struct tir_stmt *stmt)
{
    return stmt->kind != TIR_BREAK && stmt->kind != TIR_CONTINUE && stmt->kind != TIR_RETURN;
}

static bool add_size(void *state, const struct ir_expr *e)
{
    *(uint64_t *)state += e->size;
    return true;
}

/* Nodes of expressions in @stmt, those of unrolled loops counted as often as they are emitted. */
static uint64_t emitted_size(struct cg_body *body, const struct tir_stmt *stmt)
{
    uint64_t size = 1;
    int64_t count = 1;
    tir_stmt_walk_exprs(stmt, add_size, &size);
    for (unsigned i = 0; tir_stmt_child(stmt, i); i++)
        size += emitted_size(body, tir_stmt_child(stmt, i));
    bool is_short = stmt->kind == TIR_FOR && stmt->loop.kind == TIR_UNROLLED &&
                    ir_expr_constant(body->cg->ir, stmt->loop.extent, &count);
    if (!is_short || count < 1)
        return size;
    return count > UNROLL_LIMIT || size > UNROLL_LIMIT ? UNROLL_LIMIT + 1 : size * (uint64_t)count;
}

static bool can_unroll(struct cg_body *body, const struct tir_stmt *stmt,
                       const struct cg_loop_values *values)
{
    return stmt->loop.kind == TIR_UNROLLED && body->cg->codegen->options.opt_level > 0 &&
           LLVMIsAConstantInt(values->count) && LLVMConstIntGetSExtValue(values->count) >= 0 &&
           tir_stmt_walk(stmt->loop.body, jumps, NULL) && emitted_size(body, stmt) <= UNROLL_LIMIT;
}

static bool unroll(struct cg_body *body, const struct tir_stmt *stmt,
                   const struct cg_loop_values *values)
{
    int64_t count = LLVMConstIntGetSExtValue(values->count);
    for (int64_t i = 0; i < count; i++)
        if (!cg_loop_iteration(body, stmt, values, cg_int_like(values->count, i)))
            return false;
    return true;
}

/* --- all kinds --- */

/* All calls are known by now, and with them which parameters may be one storage. */
static bool is_independent(struct cg_body *body, const struct tir_stmt *stmt,
                           struct loop_obstacle *out)
{
    const struct cg_kernel *kernel = body->kernel;
    return kernel && loop_is_independent_or(kernel->func, stmt, kernel->overlaps, out);
}

/* On shared storage an iteration may read what a later one writes: lanes read first, too. */
static bool has_lanes(struct cg_body *body, const struct tir_stmt *stmt, struct loop_obstacle *out)
{
    const struct cg_kernel *kernel = body->kernel;
    return is_independent(body, stmt, NULL) ||
           (kernel && loop_has_lanes_or(kernel->func, stmt, kernel->overlaps, out));
}

/* Does the script have the mark, @word, on the loop?  Passes set it only where it holds. */
static bool is_marked(const struct tir_stmt *loop, const char *word)
{
    return loop->loc.source && location_text_behind(loop->loc, word).begin < loop->loc.end &&
           location_text_behind(loop->loc, word).begin > loop->loc.begin;
}

/* Always false. */
static bool refuse(struct remark *why, enum remark_id id)
{
    why->id = id;
    return false;
}

static bool can_run_in_lanes(struct cg_body *body, const struct tir_stmt *stmt,
                             struct cg_vector *plan, struct remark *why)
{
    struct loop_obstacle obstacle = {0};
    if (body->vector)
        return refuse(why, REMARK_LP_IN_LANES);
    if (body->cg->codegen->options.opt_level == 0)
        return refuse(why, REMARK_LP_DEBUG);
    bool is_asked = body->cg->codegen->options.remarks || is_marked(stmt, "T.vectorized");
    if (has_lanes(body, stmt, is_asked ? &obstacle : NULL))
        return cg_vector_plan(body, stmt, plan, why);
    *why = remark_of_obstacle(&obstacle);
    return false;
}

/* What the script asks for, and does not get, is told once. */
static void warn(struct cg_body *body, const struct tir_stmt *stmt, const char *word,
                 struct remark why)
{
    bool is_missed = why.id != REMARK_NONE && why.id != REMARK_LP_DEBUG &&
                     remark_table[why.id].verdict == REMARK_MISSED;
    if (!is_missed || !is_marked(stmt, word) || map_has(&body->cg->warned, stmt->loop.var))
        return;
    map_set(&body->cg->warned, stmt->loop.var, stmt);
    remark_warn(body->cg->diag, stmt, why);
}

static bool emit_in_lanes(struct cg_body *body, const struct tir_stmt *stmt,
                          const struct cg_loop_values *values, struct remark_loop *record,
                          bool *out_is_done)
{
    struct cg_vector plan = {0};
    struct remark why = {0};
    bool is_fine = true;
    *out_is_done = stmt->loop.kind == TIR_VECTORIZED && can_run_in_lanes(body, stmt, &plan, &why);
    if (*out_is_done)
        is_fine = cg_vector_loop(body, stmt, values, &plan, record);
    else if (record)
        record->made_lanes = why;
    if (!*out_is_done)
        warn(body, stmt, "T.vectorized", why);
    cg_vector_finish(&plan);
    return is_fine;
}

/* A loop in one that is divided already is not divided itself. */
static bool can_run_in_parallel(struct cg_body *body, const struct tir_stmt *stmt,
                                struct remark *why)
{
    struct loop_obstacle obstacle = {0};
    if (body->vector || body->outer)
        return refuse(why, body->vector ? REMARK_LP_IN_LANES : REMARK_LP_IN_TASK);
    if (body->cg->codegen->options.opt_level == 0)
        return refuse(why, REMARK_LP_DEBUG);
    if (!tir_stmt_walk(stmt->loop.body, jumps, NULL))
        return refuse(why, REMARK_LP_JUMP);
    bool is_asked = body->cg->codegen->options.remarks || is_marked(stmt, "T.parallel");
    if (is_independent(body, stmt, is_asked ? &obstacle : NULL))
        return true;
    *why = remark_of_obstacle(&obstacle);
    return false;
}

static bool emit_parallel(struct cg_body *body, const struct tir_stmt *stmt,
                          const struct cg_loop_values *values, struct remark_loop *record,
                          bool *out_is_done)
{
    struct remark why = {0};
    *out_is_done = stmt->loop.kind == TIR_PARALLEL && can_run_in_parallel(body, stmt, &why);
    if (*out_is_done)
        return cg_parallel_loop(body, stmt, values, record);
    if (record)
        record->made_threads = why;
    warn(body, stmt, "T.parallel", why);
    return true;
}

/* A loop that is emitted again, unrolled or behind vectors, is told of as it was the first time. */
static struct remark_loop *record_of(struct cg_body *body, const struct tir_stmt *stmt)
{
    struct remark_loop *record = remarks_of_loop(body->cg->codegen->options.remarks, stmt);
    return record && record->made.id == REMARK_NONE ? record : NULL;
}

static bool emit(struct cg_body *body, const struct tir_stmt *stmt,
                 const struct cg_loop_values *values)
{
    struct remark_loop *record = record_of(body, stmt);
    bool is_done = false;
    if (!emit_parallel(body, stmt, values, record, &is_done))
        return false;
    if (is_done)
        return true;
    if (!emit_in_lanes(body, stmt, values, record, &is_done))
        return false;
    if (is_done)
        return true;
    bool is_unrolled = can_unroll(body, stmt, values);
    if (record)
        record->made = is_unrolled ? (struct remark){.id = REMARK_LP_UNROLLED,
                                                     .a = LLVMConstIntGetSExtValue(values->count)}
                                   : (struct remark){.id = body->vector ? REMARK_LP_IN_LANES
                                                                        : REMARK_LP_SERIAL};
    if (is_unrolled)
        return unroll(body, stmt, values);
    return cg_serial_loop(body, stmt, values, LLVMConstNull(counter_type(values)));
}

bool cg_emit_for(struct cg_body *body, const struct tir_stmt *stmt)
{
    if (stmt->loop.kind == TIR_THREAD_BINDING) {
        diag_report(body->cg->diag, stmt->loc, CODEGEN_GPU, "`T.thread_binding`");
        return false;
    }
    struct cg_loop_values values = {0};
    const struct tir_stmt *without_init = NULL;
    bool is_fine = cg_hoist_init(body, stmt, &without_init) &&
                   emit_loop_values(body, stmt, &values) && emit(body, stmt, &values);
    if (without_init) /* it may be emitted again: unrolled, in lanes and behind them */
        map_set(&body->hoisted, without_init, NULL);
    return is_fine;
}
