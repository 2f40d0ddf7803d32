/*
 * A loop as vectors: whole vectors first, then what is left of it.
 *
 *   literal, short extent   vectors one behind the other, then halves: 23 = 16 + 4 + 2 + 1.  Straight-line
 *                           code, so that small local buffers become registers.  Where there are none, and
 *                           masks cost nothing: one vector with a mask instead of several halves
 *   else                    a loop of several vectors if an iteration is short, a loop of one, and the
 *                           rest as one vector with a mask, or one iteration after the other
 *
 * A vector of LLVM may be wider than the machine's registers: it takes several of them then, which are
 * computed beside each other.
 */
#include "codegen/llvm/kernel.h"

#include <string.h>

#define BUILD(what, ...) LLVMBuild##what(cg->builder, __VA_ARGS__, "")

enum {
    STRAIGHT_LIMIT = 16,  /* vectors one behind the other */
    SINGLES_LIMIT = 2,    /* ... of which lanes are taken one by one */
    STRAIGHT_WORK = 4096, /* work of all of them */
    SHORT_WORK = 12,      /* an iteration of so little work: several vectors at once */
    MIDDLE_WORK = 100, /* exp is 44, a row of 4-bit weights 57, erf 82: chains, run two at a time */
    PRIVATE_BYTES = 64, /* of what each lane has for itself: no more lanes than a register has */
    SINGLE_LIMIT = 16,  /* lanes, where some things are done lane by lane */
};

static bool emit_lanes(struct cg_body *body, const struct tir_stmt *stmt,
                       const struct cg_loop_values *values, struct cg_vector *plan, unsigned lanes,
                       LLVMValueRef counter)
{
    plan->lanes = lanes;
    plan->mask = plan->rest;
    body->vector = lanes > 1 ? plan : NULL;
    bool is_fine = cg_loop_iteration(body, stmt, values, counter);
    body->vector = NULL;
    return is_fine;
}

static unsigned register_lanes(struct cg_body *body, const struct cg_vector *plan)
{
    unsigned bytes = body->cg->codegen->options.target.vector_bytes;
    unsigned lanes = plan->widest >= bytes ? 1 : bytes / plan->widest;
    bool has_calls = plan->has_single_lanes || plan->has_skipped_calls;
    return has_calls && lanes > SINGLE_LIMIT ? SINGLE_LIMIT : lanes;
}

static bool is_short(struct cg_body *body, const struct cg_loop_values *values,
                     const struct cg_vector *plan, int64_t *out_count)
{
    if (!LLVMIsAConstantInt(values->count))
        return false;
    *out_count = LLVMConstIntGetSExtValue(values->count);
    int64_t vectors = *out_count / register_lanes(body, plan) + 1;
    int64_t limit = plan->has_single_lanes ? SINGLES_LIMIT : STRAIGHT_LIMIT;
    return *out_count >= 0 && vectors <= limit && vectors * plan->work <= STRAIGHT_WORK;
}

/* A loop of vectors from @from on; returns where it ends. NULL after a report. */
static LLVMValueRef emit_loop(struct cg_body *body, const struct tir_stmt *stmt,
                              const struct cg_loop_values *values, struct cg_vector *plan,
                              unsigned lanes, LLVMValueRef from)
{
    struct cg *cg = body->cg;
    LLVMTypeRef type = LLVMTypeOf(values->count);
    /* The count is not below 0 here, nor is it below @from. */
    LLVMValueRef left = BUILD(Sub, values->count, from);
    LLVMValueRef whole = BUILD(And, left, LLVMConstInt(type, ~(uint64_t)(lanes - 1), true));
    LLVMValueRef to = BUILD(Add, from, whole);
    LLVMBasicBlockRef start = cg_block(cg, "vectors"), end = cg_block(cg, "");
    LLVMBasicBlockRef before = LLVMGetInsertBlock(cg->builder);
    cg_branch(cg, cg_compare(cg, LLVMIntNE, whole, LLVMConstNull(type)), start, end);
    cg_at(cg, start);
    LLVMValueRef counter = BUILD(Phi, type);
    LLVMAddIncoming(counter, &from, &before, 1);
    if (!emit_lanes(body, stmt, values, plan, lanes, counter))
        return NULL;
    cg_set_location(cg, stmt->loc);
    LLVMBasicBlockRef last = LLVMGetInsertBlock(cg->builder);
    LLVMValueRef following = BUILD(Add, counter, LLVMConstInt(type, lanes, false));
    LLVMSetNUW(following, true);
    LLVMSetNSW(following, stmt->loop.var->dtype.code == IR_INT);
    LLVMAddIncoming(counter, &following, &last, 1);
    LLVMValueRef is_more = cg_compare(cg, LLVMIntNE, following, to);
    cg_branch(cg, is_more, start, end);
    cg_at(cg, end);
    return to;
}

/* Does the machine leave lanes out without branches, and at no more cost than a scalar loop? */
static bool has_cheap_masks(struct cg_body *body, const struct cg_vector *plan)
{
    unsigned bytes = body->cg->codegen->options.target.vector_bytes;
    return !plan->has_single_lanes && (bytes >= 64 || (bytes == 32 && plan->narrowest >= 4));
}

struct whole {
    const struct ir_var *var;
    int64_t end; /* of all lanes, those that are left out as well */
};

/*
 * Local buffers are to become registers, so no mask may stand between them and their elements: they are
 * loaded whole (vector_memory.c), which they must be long enough for.
 */
static bool is_loaded_whole(void *state, const struct ir_expr *a)
{
    const struct whole *whole = state;
    if (a->kind != IR_EXPR_load || strcmp(a->buffer->scope, "local") != 0 || a->operand_count == 0)
        return true;
    const struct ir_expr *index = a->operands[a->operand_count - 1];
    const struct ir_expr *extent = a->buffer->shape[a->operand_count - 1];
    return index->kind == IR_EXPR_var && index->var == whole->var && extent->kind == IR_EXPR_int &&
           extent->int_value >= whole->end;
}

static bool loads_whole(void *state, const struct ir_expr *a)
{
    return ir_expr_walk(a, is_loaded_whole, state);
}

static bool spares_registers(void *state, struct tir_stmt *stmt)
{
    return (stmt->kind != TIR_STORE || strcmp(stmt->store.buffer->scope, "local") != 0) &&
           stmt->kind != TIR_ALLOC && tir_stmt_walk_exprs(stmt, loads_whole, state);
}

/* The last @left iterations, from @from on, of @lanes lanes of which the others are left out. */
static bool emit_last(struct cg_body *body, const struct tir_stmt *stmt,
                      const struct cg_loop_values *values, struct cg_vector *plan, unsigned lanes,
                      int64_t from, int64_t left)
{
    struct cg *cg = body->cg;
    LLVMTypeRef type = LLVMTypeOf(values->count);
    plan->rest = cg_compare(cg, LLVMIntULT, cg_iota(cg, type, lanes, 1),
                            cg_splat(cg, cg_int_like(values->count, left), lanes));
    bool is_fine = emit_lanes(body, stmt, values, plan, lanes, cg_int_like(values->count, from));
    plan->rest = NULL;
    return is_fine;
}

/*
 * The iterations from @from to @to, each piece the largest power of two that fits; or the last of them in one
 * piece with a mask.
 */
static bool emit_straight(struct cg_body *body, const struct tir_stmt *stmt,
                          const struct cg_loop_values *values, struct cg_vector *plan, int64_t from,
                          int64_t to)
{
    while (from < to) {
        int64_t left = to - from;
        unsigned lanes = register_lanes(body, plan), all = lanes;
        while (all / 2 >= left)
            all /= 2;
        struct whole whole = {stmt->loop.var, from + all};
        if (left < lanes && (left & (left - 1)) != 0 && has_cheap_masks(body, plan) &&
            tir_stmt_walk(stmt->loop.body, spares_registers, &whole))
            return emit_last(body, stmt, values, plan, all, from, left);
        while (lanes > left)
            lanes /= 2;
        if (!emit_lanes(body, stmt, values, plan, lanes, cg_int_like(values->count, from)))
            return false;
        from += lanes;
    }
    return true;
}

/* The iterations from @from on, fewer than @lanes, as one vector of which lanes are left out. */
static bool emit_rest(struct cg_body *body, const struct tir_stmt *stmt,
                      const struct cg_loop_values *values, struct cg_vector *plan, unsigned lanes,
                      LLVMValueRef from)
{
    struct cg *cg = body->cg;
    LLVMTypeRef type = LLVMTypeOf(values->count);
    LLVMBasicBlockRef start = cg_block(cg, "rest"), end = cg_block(cg, "");
    LLVMValueRef left = BUILD(Sub, values->count, from);
    cg_branch(cg, cg_compare(cg, LLVMIntNE, left, LLVMConstNull(type)), start, end);
    cg_at(cg, start);
    plan->rest = cg_compare(cg, LLVMIntULT, cg_iota(cg, type, lanes, 1), cg_splat(cg, left, lanes));
    bool is_fine = emit_lanes(body, stmt, values, plan, lanes, from);
    plan->rest = NULL;
    cg_goto(cg, end);
    cg_at(cg, end);
    return is_fine;
}

static LLVMValueRef not_below_zero(struct cg_body *body, const struct tir_stmt *stmt,
                                   LLVMValueRef count)
{
    struct cg *cg = body->cg;
    if (stmt->loop.var->dtype.code != IR_INT)
        return count;
    LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(count));
    return BUILD(Select, cg_compare(cg, LLVMIntSLT, count, zero), zero, count);
}

static unsigned vectors_at_once(const struct cg_vector *plan)
{
    if (plan->has_single_lanes || plan->has_skipped_calls || plan->private_bytes > PRIVATE_BYTES)
        return 1;
    return plan->work <= SHORT_WORK ? 4 : plan->work <= MIDDLE_WORK ? 2 : 1;
}

/* Of @count iterations, or (-1) of a loop of whole vectors. */
static void note_lanes(struct remark_loop *record, unsigned lanes, unsigned at_once, int64_t count)
{
    if (!record)
        return;
    while (count >= 0 && lanes > 1 && lanes / 2 >= count) /* all of them in one vector */
        lanes /= 2;
    if (lanes < 2) {
        record->made = (struct remark){.id = REMARK_LP_SERIAL};
        record->made_lanes = (struct remark){.id = REMARK_LP_RUNS_ONCE};
        return;
    }
    enum remark_id id = at_once > 1 ? REMARK_LP_LANES_MANY : REMARK_LP_LANES;
    record->made = (struct remark){.id = id, .a = lanes, .b = at_once};
}

bool cg_vector_loop(struct cg_body *body, const struct tir_stmt *stmt,
                    const struct cg_loop_values *values, struct cg_vector *plan,
                    struct remark_loop *record)
{
    int64_t count = 0;
    unsigned lanes = register_lanes(body, plan);
    if (is_short(body, values, plan, &count)) {
        note_lanes(record, lanes, 1, count);
        return emit_straight(body, stmt, values, plan, 0, count);
    }
    struct cg_loop_values known = *values;
    known.count = not_below_zero(body, stmt, values->count);
    unsigned at_once = vectors_at_once(plan);
    note_lanes(record, lanes, at_once, -1);
    LLVMValueRef from = LLVMConstNull(LLVMTypeOf(known.count));
    for (; from && at_once > 0 && lanes > 1; at_once = at_once > 1 ? 1 : 0)
        from = emit_loop(body, stmt, &known, plan, lanes * at_once, from);
    if (!from)
        return false;
    if (LLVMIsAConstantInt(known.count) && LLVMIsAConstantInt(from))
        return emit_straight(body, stmt, &known, plan, LLVMConstIntGetSExtValue(from),
                             LLVMConstIntGetSExtValue(known.count));
    return has_cheap_masks(body, plan) ? emit_rest(body, stmt, &known, plan, lanes, from)
                                       : cg_serial_loop(body, stmt, &known, from);
}
