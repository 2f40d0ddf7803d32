/*
 * Statements of kernels.
 *
 * Loops count from 0 in the dtype of their variable, guarded once before and tested at the end: the
 * form that LLVM's loop passes want.  Parallel, vectorized and unrolled loops run as serial ones in
 * this version; their meaning is the same.
 */
#include "codegen/llvm/kernel.h"

#include <string.h>

#define BUILD(what, ...) LLVMBuild##what(cg->builder, __VA_ARGS__, "")

static bool refuse_gpu(struct cg_body *body, const struct tir_stmt *stmt, const char *what)
{
    diag_report(body->cg->diag, stmt->loc, CODEGEN_GPU, what);
    return false;
}

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

struct loop_values {
    LLVMValueRef min, step, count; /* of one type */
};

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
                             struct loop_values *out)
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

static bool emit_loop_body(struct cg_body *body, const struct tir_stmt *stmt,
                           const struct loop_values *values, LLVMValueRef counter)
{
    struct cg *cg = body->cg;
    LLVMValueRef offset = values->step ? BUILD(Mul, counter, values->step) : counter;
    LLVMValueRef var = offset;
    if (!LLVMIsNull(values->min))
        var = BUILD(Add, values->min, offset);
    LLVMTypeRef type = cg_register_type(cg, stmt->loop.var->dtype);
    if (LLVMTypeOf(var) != type)
        var = LLVMBuildIntCast2(cg->builder, var, type, true, "");
    map_set(&cg->vars, stmt->loop.var, var);
    struct cg_facts facts = cg_facts_mark(body);
    cg_facts_add_range(body, stmt->loop.var, stmt->loop.min, stmt->loop.extent);
    bool is_fine = cg_stmt(body, stmt->loop.body);
    cg_facts_reset(body, facts);
    return is_fine;
}

static bool emit_for(struct cg_body *body, const struct tir_stmt *stmt)
{
    struct cg *cg = body->cg;
    if (stmt->loop.kind == TIR_THREAD_BINDING)
        return refuse_gpu(body, stmt, "`T.thread_binding`");
    struct loop_values values = {0};
    if (!cg_hoist_init(body, stmt) || !emit_loop_values(body, stmt, &values))
        return false;
    LLVMTypeRef type = LLVMTypeOf(values.count);
    LLVMValueRef zero = LLVMConstInt(type, 0, false), one = LLVMConstInt(type, 1, false);
    bool is_signed = stmt->loop.var->dtype.code == IR_INT;
    LLVMBasicBlockRef start = cg_block(cg, "loop"), next = cg_block(cg, "next");
    LLVMBasicBlockRef end = cg_block(cg, "");
    LLVMBasicBlockRef before = LLVMGetInsertBlock(cg->builder);
    LLVMIntPredicate greater = is_signed ? LLVMIntSGT : LLVMIntUGT;
    cg_branch(cg, cg_compare(cg, greater, values.count, zero), start, end);
    cg_at(cg, start);
    LLVMValueRef counter = BUILD(Phi, type);
    LLVMAddIncoming(counter, &zero, &before, 1);
    array_push(&body->loops, (struct cg_loop){next, end, body->heap.count});
    bool is_fine = emit_loop_body(body, stmt, &values, counter);
    (void)array_pop(&body->loops);
    if (!is_fine)
        return false;
    cg_goto(cg, next);
    cg_at(cg, next);
    cg_set_location(cg, stmt->loc);
    LLVMValueRef following = BUILD(Add, counter, one);
    LLVMSetNUW(following, true);
    LLVMSetNSW(following, is_signed);
    LLVMIntPredicate less = is_signed ? LLVMIntSLT : LLVMIntULT;
    LLVMAddIncoming(counter, &following, &next, 1);
    cg_branch(cg, cg_compare(cg, less, following, values.count), start, end);
    cg_at(cg, end);
    return true;
}

static bool store_lane(struct cg_body *body, const struct tir_stmt *stmt, LLVMValueRef *out_address,
                       LLVMValueRef *out_value)
{
    struct cg *cg = body->cg;
    const struct ir_buffer *buffer = stmt->store.buffer;
    LLVMValueRef value = cg_expr(body, stmt->store.value);
    if (!value)
        return false;
    struct ir_dtype from = stmt->store.value->dtype;
    from.lanes = 1;
    value = cg_cast(cg, value, from, buffer->dtype);
    *out_value = cg_to_memory(cg, buffer->dtype, value);
    *out_address = cg_address(body, buffer, stmt->store.indices, stmt->store.index_count);
    return *out_address != NULL;
}

static unsigned store_lanes(const struct tir_stmt *stmt)
{
    unsigned lanes = stmt->store.value->dtype.lanes;
    for (unsigned i = 0; i < stmt->store.index_count; i++)
        if (stmt->store.indices[i]->dtype.lanes > lanes)
            lanes = stmt->store.indices[i]->dtype.lanes;
    return lanes;
}

static void store_at(struct cg *cg, const struct ir_buffer *buffer, LLVMValueRef value,
                     LLVMValueRef address)
{
    LLVMValueRef store = LLVMBuildStore(cg->builder, value, address);
    LLVMSetAlignment(store, ir_dtype_bytes(buffer->dtype));
}

/* All lanes are read before the first is written. */
static bool emit_vector_store(struct cg_body *body, const struct tir_stmt *stmt, unsigned lanes)
{
    struct cg *cg = body->cg;
    LLVMValueRef *addresses = arena_array(&cg->arena, LLVMValueRef, lanes);
    LLVMValueRef *values = arena_array(&cg->arena, LLVMValueRef, lanes);
    for (unsigned i = 0; i < lanes; i++) {
        body->lane = i;
        bool is_fine = store_lane(body, stmt, &addresses[i], &values[i]);
        body->lane = 0;
        if (!is_fine)
            return false;
    }
    for (unsigned i = 0; i < lanes; i++)
        store_at(cg, stmt->store.buffer, values[i], addresses[i]);
    return true;
}

static bool emit_store(struct cg_body *body, const struct tir_stmt *stmt)
{
    struct cg *cg = body->cg;
    struct cg_buffer *view = cg_buffer_find(body, stmt->store.buffer);
    if (!view)
        return false;
    if (view->param >= 0)
        body->kernel->is_written[view->param] = true;
    unsigned lanes = store_lanes(stmt);
    if (stmt->store.predicate && lanes > 1)
        return cg_kernel_refuse(body, "a vector store with a predicate");
    LLVMBasicBlockRef end = NULL;
    if (stmt->store.predicate) {
        LLVMValueRef condition = cg_expr(body, stmt->store.predicate);
        if (!condition)
            return false;
        LLVMBasicBlockRef start = cg_block(cg, "");
        end = cg_block(cg, "");
        cg_branch(cg, condition, start, end);
        cg_at(cg, start);
    }
    if (lanes > 1) {
        if (!emit_vector_store(body, stmt, lanes))
            return false;
    } else {
        LLVMValueRef address = NULL, value = NULL;
        if (!store_lane(body, stmt, &address, &value))
            return false;
        store_at(cg, stmt->store.buffer, value, address);
    }
    if (end) {
        cg_goto(cg, end);
        cg_at(cg, end);
    }
    return true;
}

static bool emit_let(struct cg_body *body, const struct tir_stmt *stmt)
{
    if (stmt->let.value->dtype.lanes > 1)
        return cg_kernel_refuse(body, "a vector in T.let");
    LLVMValueRef value = cg_expr(body, stmt->let.value);
    if (!value)
        return false;
    value = cg_cast(body->cg, value, stmt->let.value->dtype, stmt->let.var->dtype);
    map_set(&body->cg->vars, stmt->let.var, value);
    cg_facts_add_value(body, stmt->let.var, stmt->let.value);
    return true;
}

static bool emit_seq(struct cg_body *body, const struct tir_stmt *stmt)
{
    size_t heap = body->heap.count;
    struct cg_facts facts = cg_facts_mark(body);
    for (unsigned i = 0; i < stmt->seq.count; i++) {
        if (cg_is_terminated(body->cg)) /* behind break, continue or return */
            cg_at(body->cg, cg_block(body->cg, "dead"));
        if (!cg_stmt(body, stmt->seq.items[i]))
            return false;
    }
    cg_facts_reset(body, facts);
    cg_free_heap(body, heap, true);
    return true;
}

static bool emit_if(struct cg_body *body, const struct tir_stmt *stmt)
{
    struct cg *cg = body->cg;
    LLVMValueRef condition = cg_expr(body, stmt->branch.condition);
    if (!condition)
        return false;
    LLVMBasicBlockRef then_block = cg_block(cg, "then"), join = cg_block(cg, "");
    LLVMBasicBlockRef else_block = stmt->branch.else_body ? cg_block(cg, "else") : join;
    cg_branch(cg, condition, then_block, else_block);
    cg_at(cg, then_block);
    if (!cg_stmt(body, stmt->branch.then_body))
        return false;
    cg_goto(cg, join);
    if (stmt->branch.else_body) {
        cg_at(cg, else_block);
        if (!cg_stmt(body, stmt->branch.else_body))
            return false;
        cg_goto(cg, join);
    }
    cg_at(cg, join);
    return true;
}

static bool emit_while(struct cg_body *body, const struct tir_stmt *stmt)
{
    struct cg *cg = body->cg;
    LLVMBasicBlockRef test = cg_block(cg, "while"), start = cg_block(cg, "");
    LLVMBasicBlockRef end = cg_block(cg, "");
    cg_goto(cg, test);
    cg_at(cg, test);
    LLVMValueRef condition = cg_expr(body, stmt->while_loop.condition);
    if (!condition)
        return false;
    cg_branch(cg, condition, start, end);
    cg_at(cg, start);
    array_push(&body->loops, (struct cg_loop){test, end, body->heap.count});
    bool is_fine = cg_stmt(body, stmt->while_loop.body);
    (void)array_pop(&body->loops);
    if (!is_fine)
        return false;
    cg_goto(cg, test);
    cg_at(cg, end);
    return true;
}

/* break, continue */
static bool emit_jump(struct cg_body *body, const struct tir_stmt *stmt)
{
    if (!body->loops.count)
        return cg_kernel_refuse(body, "break or continue outside of a loop");
    struct cg_loop *loop = &array_last(&body->loops);
    cg_free_heap(body, loop->heap_count, false);
    cg_goto(body->cg, stmt->kind == TIR_BREAK ? loop->end : loop->next);
    return true;
}

static bool emit_return(struct cg_body *body, const struct tir_stmt *stmt)
{
    if (stmt->value && !cg_expr(body, stmt->value))
        return false;
    cg_free_heap(body, 0, false);
    LLVMBuildRet(body->cg->builder, cg_i32(body->cg, 0));
    return true;
}

static bool emit_assert(struct cg_body *body, const struct tir_stmt *stmt)
{
    struct cg *cg = body->cg;
    LLVMValueRef condition = cg_expr(body, stmt->assertion.condition);
    if (!condition)
        return false;
    const char *message = stmt->assertion.message;
    bool has_message = message && *message;
    LLVMValueRef args[] = {has_message ? cg_string(cg, message) : NULL};
    cg_check(cg, condition, INLAY_ERROR_ASSERT,
             has_message ? "assertion failed: %s" : "assertion failed", args, has_message);
    return true;
}

/* A literal or a call for its effect, of which there is none that is compiled. */
static bool emit_evaluate(struct cg_body *body, const struct tir_stmt *stmt)
{
    const struct ir_expr *e = stmt->value;
    bool is_nothing = e->kind == IR_EXPR_int || e->kind == IR_EXPR_float ||
                      (e->kind == IR_EXPR_call && strcmp(e->name, "assume") == 0);
    return is_nothing || cg_expr(body, e) != NULL;
}

static bool emit_attr(struct cg_body *body, const struct tir_stmt *stmt)
{
    struct cg *cg = body->cg;
    const char *key = stmt->attr.key;
    if (strcmp(key, "thread_extent") == 0 || strcmp(key, "virtual_thread") == 0)
        return refuse_gpu(body, stmt, arena_printf(&cg->arena, "attribute \"%s\"", key));
    if (strncmp(key, "pragma_", 7) != 0 && strncmp(key, "debug_", 6) != 0)
        return cg_kernel_refuse(body,
                                arena_printf(&cg->arena, "attribute \"%s\" of a statement", key));
    return cg_stmt(body, stmt->attr.body);
}

bool cg_stmt(struct cg_body *body, const struct tir_stmt *stmt)
{
    struct cg *cg = body->cg;
    cg_set_location(cg, stmt->loc);
    switch (stmt->kind) {
    case TIR_SEQ:
        return emit_seq(body, stmt);
    case TIR_FOR:
        return emit_for(body, stmt);
    case TIR_BLOCK:
        return cg_emit_block(body, stmt);
    case TIR_STORE:
        return emit_store(body, stmt);
    case TIR_LET:
        return emit_let(body, stmt);
    case TIR_ALLOC:
        return cg_emit_alloc(body, stmt->alloc.buffer);
    case TIR_DECL:
        return cg_emit_decl(body, stmt->alloc.buffer);
    case TIR_IF:
        return emit_if(body, stmt);
    case TIR_WHILE:
        return emit_while(body, stmt);
    case TIR_EVALUATE:
        return emit_evaluate(body, stmt);
    case TIR_ASSERT:
        return emit_assert(body, stmt);
    case TIR_ATTR:
        return emit_attr(body, stmt);
    case TIR_RETURN:
        return emit_return(body, stmt);
    case TIR_BREAK:
    case TIR_CONTINUE:
        return emit_jump(body, stmt);
    case TIR_LAUNCH_THREAD:
        return refuse_gpu(body, stmt, "`T.launch_thread`");
    }
    UNREACHABLE("kind of statement");
}
