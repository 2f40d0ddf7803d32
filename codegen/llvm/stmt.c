/* Statements of kernels.  Loops are in loop.c, blocks in block.c. */
#include "codegen/llvm/kernel.h"

#include <string.h>

#define BUILD(what, ...) LLVMBuild##what(cg->builder, __VA_ARGS__, "")

static bool refuse_gpu(struct cg_body *body, const struct tir_stmt *stmt, const char *what)
{
    diag_report(body->cg->diag, stmt->loc, CODEGEN_GPU, what);
    return false;
}

/* As it is in memory. */
static LLVMValueRef stored_form(struct cg *cg, const struct tir_stmt *stmt, LLVMValueRef value)
{
    struct ir_dtype from = stmt->store.value->dtype, to = stmt->store.buffer->dtype;
    from.lanes = 1;
    return cg_to_memory(cg, to, cg_cast(cg, value, from, to));
}

static bool store_lane(struct cg_body *body, const struct tir_stmt *stmt, LLVMValueRef *out_address,
                       LLVMValueRef *out_value)
{
    struct cg *cg = body->cg;
    const struct ir_buffer *buffer = stmt->store.buffer;
    LLVMValueRef value = cg_expr(body, stmt->store.value);
    if (!value)
        return false;
    *out_value = stored_form(cg, stmt, value);
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
    struct cg_guard guard = {0};
    if (stmt->store.predicate) {
        LLVMValueRef condition = cg_expr(body, stmt->store.predicate);
        if (!condition)
            return false;
        guard = cg_guard_begin(body, condition);
    }
    if (body->vector) {
        LLVMValueRef value = cg_expr(body, stmt->store.value);
        if (!value || !cg_vector_store(body, stmt, stored_form(cg, stmt, value)))
            return false;
    } else if (lanes > 1) {
        if (!emit_vector_store(body, stmt, lanes))
            return false;
    } else {
        LLVMValueRef address = NULL, value = NULL;
        if (!store_lane(body, stmt, &address, &value))
            return false;
        store_at(cg, stmt->store.buffer, value, address);
    }
    if (stmt->store.predicate)
        cg_guard_end(body, guard);
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
    return cg_bind_first(body, stmt->let.var, stmt->let.value);
}

static bool emit_item(struct cg_body *body, const struct tir_stmt *seq, unsigned place)
{
    const struct tir_stmt *item = seq->seq.items[place];

    if (item->kind != TIR_ALLOC)
        return cg_stmt(body, item);
    cg_set_location(body->cg, item->loc);
    return cg_emit_alloc(body, item->alloc.buffer, cg_is_written_first(seq, place));
}

static bool emit_seq(struct cg_body *body, const struct tir_stmt *stmt)
{
    size_t taken = body->taken.count;
    struct cg_facts facts = cg_facts_mark(body);
    for (unsigned i = 0; i < stmt->seq.count; i++) {
        if (cg_is_terminated(body->cg)) /* behind break, continue or return */
            cg_at(body->cg, cg_block(body->cg, "dead"));
        if (!emit_item(body, stmt, i))
            return false;
    }
    cg_facts_reset(body, facts);
    cg_give_scratch(body, taken, true);
    return true;
}

LLVMValueRef cg_and_then(struct cg *cg, LLVMValueRef a, LLVMValueRef b)
{
    return LLVMBuildSelect(cg->builder, a, b, LLVMConstNull(LLVMTypeOf(b)), "");
}

struct cg_guard cg_guard_begin(struct cg_body *body, LLVMValueRef condition)
{
    struct cg *cg = body->cg;
    struct cg_guard guard = {.mask = body->vector ? body->vector->mask : NULL};
    if (cg_lane_count(condition) > 1) {
        LLVMValueRef old = guard.mask;
        body->vector->mask = old ? cg_and_then(cg, old, condition) : condition;
        return guard;
    }
    LLVMBasicBlockRef start = cg_block(cg, "then");
    guard.end = cg_block(cg, "");
    cg_branch(cg, condition, start, guard.end);
    cg_at(cg, start);
    return guard;
}

void cg_guard_end(struct cg_body *body, struct cg_guard guard)
{
    if (body->vector)
        body->vector->mask = guard.mask;
    if (!guard.end)
        return;
    cg_goto(body->cg, guard.end);
    cg_at(body->cg, guard.end);
}

/* Both ways one after the other, each for its lanes. */
static bool emit_then(struct cg_body *body, const struct tir_stmt *stmt)
{
    struct cg_facts facts = cg_facts_mark(body);
    cg_facts_add_condition(body, stmt->branch.condition);
    bool is_fine = cg_stmt(body, stmt->branch.then_body);
    cg_facts_reset(body, facts);
    return is_fine;
}

static bool emit_if_of_lanes(struct cg_body *body, const struct tir_stmt *stmt,
                             LLVMValueRef condition)
{
    struct cg_guard guard = cg_guard_begin(body, condition);
    bool is_fine = emit_then(body, stmt);
    cg_guard_end(body, guard);
    if (!is_fine || !stmt->branch.else_body)
        return is_fine;
    guard = cg_guard_begin(body, LLVMBuildNot(body->cg->builder, condition, ""));
    is_fine = cg_stmt(body, stmt->branch.else_body);
    cg_guard_end(body, guard);
    return is_fine;
}

static bool emit_if(struct cg_body *body, const struct tir_stmt *stmt)
{
    struct cg *cg = body->cg;
    LLVMValueRef condition = cg_expr(body, stmt->branch.condition);
    if (!condition)
        return false;
    if (cg_lane_count(condition) > 1)
        return emit_if_of_lanes(body, stmt, condition);
    LLVMBasicBlockRef then_block = cg_block(cg, "then"), join = cg_block(cg, "");
    LLVMBasicBlockRef else_block = stmt->branch.else_body ? cg_block(cg, "else") : join;
    cg_branch(cg, condition, then_block, else_block);
    cg_at(cg, then_block);
    if (!emit_then(body, stmt))
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
    array_push(&body->loops, (struct cg_loop){test, end, body->taken.count});
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
    cg_give_scratch(body, loop->taken_count, false);
    cg_goto(body->cg, stmt->kind == TIR_BREAK ? loop->end : loop->next);
    return true;
}

static bool emit_return(struct cg_body *body, const struct tir_stmt *stmt)
{
    if (stmt->value && !cg_expr(body, stmt->value))
        return false;
    cg_give_scratch(body, 0, false);
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
        return cg_emit_for(body, stmt);
    case TIR_BLOCK:
        return cg_emit_block(body, stmt);
    case TIR_STORE:
        return emit_store(body, stmt);
    case TIR_LET:
        return emit_let(body, stmt);
    case TIR_ALLOC:
        return cg_emit_alloc(body, stmt->alloc.buffer, false);
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
