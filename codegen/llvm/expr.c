/*
 * Scalar expressions of kernels.
 *
 * A vector expression is emitted lane by lane: body->lane says which one is wanted, a ramp is then
 * base + lane * stride.  What can fail (a checked load) is emitted only where it is evaluated: behind
 * a branch in `and`, `or`, select and if_then_else.
 *
 * In a vector loop (body->vector) what differs between the lanes is a vector, all else is a scalar, and
 * "behind a branch" is under a mask.  Calls of the C library, which are made lane by lane, are also behind a
 * branch then, which skips them unless a lane wants them.
 */
#include "codegen/llvm/kernel.h"
#include "ir/intrinsics.h"

#include <math.h>
#include <string.h>

#define BUILD(what, ...) LLVMBuild##what(cg->builder, __VA_ARGS__, "")

static LLVMValueRef emit_var(struct cg_body *body, const struct ir_expr *e)
{
    LLVMValueRef value = cg_var(body, e->var);
    if (body->vector && body->vector->wants_first) {
        const struct cg_varying *varying = map_get(&body->vector->varying, e->var);
        value = varying ? varying->first : value;
    }
    if (!value)
        return cg_kernel_refuse(
            body, arena_printf(&body->cg->arena, "`%s` has no value here", e->var->name));
    return value;
}

static LLVMValueRef select_lanes(struct cg *cg, LLVMValueRef condition, LLVMValueRef a,
                                 LLVMValueRef b)
{
    LLVMValueRef values[] = {a, b};
    cg_match_lanes(cg, values, 2);
    unsigned lanes = cg_lane_count(condition);
    if (lanes > 1) {
        values[0] = cg_splat(cg, values[0], lanes);
        values[1] = cg_splat(cg, values[1], lanes);
    }
    return BUILD(Select, condition, values[0], values[1]);
}

/* @e, behind a branch that is taken if any lane under the mask wants it. */
static LLVMValueRef emit_if_any(struct cg_body *body, const struct ir_expr *e)
{
    struct cg *cg = body->cg;
    LLVMBasicBlockRef blocks[2] = {LLVMGetInsertBlock(cg->builder), NULL};
    LLVMBasicBlockRef start = cg_block(cg, "some"), end = cg_block(cg, "");
    cg_branch_rarely(cg, cg_any(cg, body->vector->mask), start, end);
    cg_at(cg, start);
    LLVMValueRef value = cg_expr(body, e);
    if (!value)
        return NULL;
    blocks[1] = LLVMGetInsertBlock(cg->builder);
    cg_goto(cg, end);
    cg_at(cg, end);
    LLVMValueRef values[] = {LLVMConstNull(LLVMTypeOf(value)), value};
    LLVMValueRef phi = BUILD(Phi, LLVMTypeOf(value));
    LLVMAddIncoming(phi, values, blocks, 2);
    return phi;
}

/* @condition: what @test asks for; NULL: that it does not hold. */
static LLVMValueRef emit_side(struct cg_body *body, LLVMValueRef test,
                              const struct ir_expr *condition, const struct ir_expr *e)
{
    struct cg_facts facts = cg_facts_mark(body);
    struct cg_guard guard = cg_guard_begin(body, test);
    if (condition)
        cg_facts_add_condition(body, condition);
    LLVMValueRef value = cg_calls_library(e) ? emit_if_any(body, e) : cg_expr(body, e);
    cg_guard_end(body, guard);
    cg_facts_reset(body, facts);
    return value;
}

/* Each value is evaluated for the lanes that want it. */
static LLVMValueRef emit_under_masks(struct cg_body *body, LLVMValueRef test,
                                     const struct ir_expr *condition,
                                     const struct ir_expr *then_value,
                                     const struct ir_expr *else_value)
{
    LLVMValueRef a = emit_side(body, test, condition, then_value);
    if (!a)
        return NULL;
    LLVMValueRef b = emit_side(body, LLVMBuildNot(body->cg->builder, test, ""), NULL, else_value);
    return b ? select_lanes(body->cg, test, a, b) : NULL;
}

/* Where one of two values that meet in a phi is a vector, so is the other. */
static void match_at_ends(struct cg *cg, LLVMValueRef *values, LLVMBasicBlockRef *blocks)
{
    LLVMBasicBlockRef here = LLVMGetInsertBlock(cg->builder);
    for (unsigned i = 0; i < 2; i++) {
        LLVMPositionBuilderBefore(cg->builder, LLVMGetBasicBlockTerminator(blocks[i]));
        values[i] = cg_splat(cg, values[i], cg_lane_count(values[!i]));
    }
    cg_at(cg, here);
}

/* Both values are evaluated behind a branch: only the one that is wanted. */
static LLVMValueRef emit_lazily(struct cg_body *body, const struct ir_expr *condition,
                                const struct ir_expr *then_value, const struct ir_expr *else_value)
{
    struct cg *cg = body->cg;
    LLVMValueRef test = cg_expr(body, condition);
    if (!test)
        return NULL;
    if (cg_lane_count(test) > 1)
        return emit_under_masks(body, test, condition, then_value, else_value);
    LLVMBasicBlockRef then_block = cg_block(cg, "then"), else_block = cg_block(cg, "else");
    LLVMBasicBlockRef join = cg_block(cg, "");
    cg_branch(cg, test, then_block, else_block);
    cg_at(cg, then_block);
    struct cg_facts facts = cg_facts_mark(body);
    cg_facts_add_condition(body, condition);
    LLVMValueRef values[2] = {cg_expr(body, then_value), NULL};
    cg_facts_reset(body, facts);
    if (!values[0])
        return NULL;
    LLVMBasicBlockRef blocks[2] = {LLVMGetInsertBlock(cg->builder), NULL};
    cg_goto(cg, join);
    cg_at(cg, else_block);
    values[1] = cg_expr(body, else_value);
    if (!values[1])
        return NULL;
    blocks[1] = LLVMGetInsertBlock(cg->builder);
    cg_goto(cg, join);
    cg_at(cg, join);
    match_at_ends(cg, values, blocks);
    LLVMValueRef phi = BUILD(Phi, LLVMTypeOf(values[0]));
    LLVMAddIncoming(phi, values, blocks, 2);
    return phi;
}

static bool is_behind_branch(struct cg_body *body, const struct ir_expr *e)
{
    return cg_can_fail(body, e) || cg_calls_library(e);
}

/* T.Select evaluates both values, so a bad index in either is found; if_then_else only one. */
static LLVMValueRef emit_select(struct cg_body *body, const struct ir_expr *e, bool is_lazy)
{
    struct cg *cg = body->cg;
    if (is_lazy &&
        (is_behind_branch(body, e->operands[1]) || is_behind_branch(body, e->operands[2])))
        return emit_lazily(body, e->operands[0], e->operands[1], e->operands[2]);
    LLVMValueRef values[3];
    for (unsigned i = 0; i < 3; i++) {
        values[i] = cg_expr(body, e->operands[i]);
        if (!values[i])
            return NULL;
    }
    return select_lanes(cg, values[0], values[1], values[2]);
}

static LLVMValueRef emit_and_or(struct cg_body *body, const struct ir_expr *e)
{
    struct cg *cg = body->cg;
    bool is_and = e->kind == IR_EXPR_and;
    if (cg_can_fail(body, e->operands[1])) {
        const struct ir_expr *known = ir_expr_int(cg->ir, IR_B1, !is_and);
        return emit_lazily(body, e->operands[0], is_and ? e->operands[1] : known,
                           is_and ? known : e->operands[1]);
    }
    LLVMValueRef a = cg_expr(body, e->operands[0]);
    LLVMValueRef b = a ? cg_expr(body, e->operands[1]) : NULL;
    LLVMValueRef values[] = {a, b};
    if (b)
        cg_match_lanes(cg, values, 2);
    return b ? cg_binary(cg, e->kind, e->dtype, values[0], values[1]) : NULL;
}

/* LLVM's optimizer learns what the facts say: index arithmetic that cannot wrap. */
static void mark_no_wrap(struct cg_body *body, const struct ir_expr *e, LLVMValueRef value)
{
    bool can_wrap = e->kind == IR_EXPR_add || e->kind == IR_EXPR_sub || e->kind == IR_EXPR_mul;
    if (can_wrap && e->dtype.code == IR_INT && LLVMIsAInstruction(value) &&
        cg_does_not_wrap(body, e))
        LLVMSetNSW(value, true);
}

static LLVMValueRef emit_binary(struct cg_body *body, const struct ir_expr *e)
{
    struct cg *cg = body->cg;
    struct ir_dtype dtype = e->operands[0]->dtype;
    LLVMValueRef a = cg_expr(body, e->operands[0]);
    LLVMValueRef b = a ? cg_expr(body, e->operands[1]) : NULL;
    if (!b)
        return NULL;
    LLVMValueRef values[] = {a, b};
    cg_match_lanes(cg, values, 2);
    if (LLVMTypeOf(values[0]) != LLVMTypeOf(values[1]))
        return cg_kernel_refuse(body, "the operands of an operator differ in dtype");
    LLVMValueRef value = cg_binary(cg, e->kind, dtype, values[0], values[1]);
    if (!value)
        return cg_kernel_refuse(body, "there is no such arithmetic on bool");
    mark_no_wrap(body, e, value);
    return value;
}

static LLVMValueRef refuse_call(struct cg_body *body, const struct ir_expr *e)
{
    struct cg *cg = body->cg;
    struct location loc = e->loc.source ? e->loc : cg->loc;
    if (ir_intrinsic_is_for_gpu(e->name))
        diag_report(cg->diag, loc, CODEGEN_GPU, arena_printf(&cg->arena, "`T.%s`", e->name));
    else
        diag_report(cg->diag, loc, CODEGEN_CALL, e->name, e->operand_count);
    return NULL;
}

static LLVMValueRef emit_call(struct cg_body *body, const struct ir_expr *e)
{
    enum { LIMIT = 4 };
    LLVMValueRef args[LIMIT] = {0};
    bool is_choice = strcmp(e->name, "if_then_else") == 0 && e->operand_count == 3;
    if (!is_choice &&
        (e->operand_count > LIMIT || !cg_intrinsic_is_known(e->name, e->operand_count)))
        return refuse_call(body, e);
    if (!cg_check_dtype(body, e->dtype))
        return NULL;
    if (is_choice)
        return emit_select(body, e, true);
    for (unsigned i = 0; i < e->operand_count; i++) {
        args[i] = cg_expr(body, e->operands[i]);
        if (!args[i])
            return NULL;
    }
    return cg_intrinsic(body->cg, e, args);
}

static LLVMValueRef emit_load(struct cg_body *body, const struct ir_expr *e)
{
    struct cg *cg = body->cg;
    if (e->buffer->dtype.lanes != 1)
        return cg_kernel_refuse(body, "buffers of vectors are not supported");
    if (body->vector)
        return cg_vector_load(body, e);
    LLVMValueRef address = cg_address(body, e->buffer, e->operands, e->operand_count);
    if (!address)
        return NULL;
    LLVMValueRef bits = cg_load(cg, cg_memory_type(cg, e->buffer->dtype), address);
    LLVMSetAlignment(bits, ir_dtype_bytes(e->buffer->dtype));
    return cg_from_memory(cg, e->buffer->dtype, bits);
}

static LLVMValueRef emit_let(struct cg_body *body, const struct ir_expr *e)
{
    struct cg *cg = body->cg;
    LLVMValueRef value = cg_expr(body, e->operands[0]);
    if (!value)
        return NULL;
    map_set(&cg->vars, e->var, value);
    struct cg_facts facts = cg_facts_mark(body);
    cg_facts_add_value(body, e->var, e->operands[0]);
    LLVMValueRef result = cg_expr(body, e->operands[1]);
    cg_facts_reset(body, facts);
    return result;
}

static LLVMValueRef emit_ramp(struct cg_body *body, const struct ir_expr *e)
{
    struct cg *cg = body->cg;
    LLVMValueRef base = cg_expr(body, e->operands[0]);
    LLVMValueRef stride = base ? cg_expr(body, e->operands[1]) : NULL;
    if (!stride)
        return NULL;
    LLVMValueRef lane = LLVMConstInt(LLVMTypeOf(stride), body->lane, false);
    return BUILD(Add, base, BUILD(Mul, lane, stride));
}

/* One lane of the vectors behind each other. */
static LLVMValueRef emit_shuffle(struct cg_body *body, const struct ir_expr *e)
{
    unsigned vectors = (unsigned)e->int_value, lane = body->lane;
    int64_t wanted = 0;
    if (vectors + lane >= e->operand_count ||
        !ir_expr_constant(body->cg->ir, e->operands[vectors + lane], &wanted) || wanted < 0)
        return cg_kernel_refuse(body, "the indices of T.Shuffle must be literals");
    for (unsigned i = 0; i < vectors; i++) {
        const struct ir_expr *vector = e->operands[i];
        if (wanted < vector->dtype.lanes) {
            body->lane = (unsigned)wanted;
            LLVMValueRef value = cg_expr(body, vector);
            body->lane = lane;
            return value;
        }
        wanted -= vector->dtype.lanes;
    }
    return cg_kernel_refuse(body, "an index of T.Shuffle is behind the last lane");
}

/*
 * A conversion to an integer saturates, and gives 0 for NaN, which T.min and T.max hand on: bounds within @a that are
 * no closer than those of @to change nothing.
 */
static const struct ir_expr *without_clamp(const struct ir_expr *a, struct ir_dtype to)
{
    while (ir_dtype_is_int(to) && to.bits <= 32 &&
           (a->kind == IR_EXPR_min || a->kind == IR_EXPR_max)) {
        bool is_signed = to.code == IR_INT, is_right = a->operands[1]->kind == IR_EXPR_float;
        double low = is_signed ? -ldexp(1, to.bits - 1) : 0;
        double high = ldexp(1, to.bits - is_signed) - 1;
        const struct ir_expr *bound = a->operands[is_right];

        if (bound->kind != IR_EXPR_float ||
            !(a->kind == IR_EXPR_min ? bound->float_value >= high : bound->float_value <= low))
            break;
        a = a->operands[!is_right];
    }
    return a;
}

static LLVMValueRef emit_cast(struct cg_body *body, const struct ir_expr *e)
{
    struct ir_dtype from = e->operands[0]->dtype, to = e->dtype;
    LLVMValueRef value =
        cg_expr(body, ir_dtype_is_float(from) ? without_clamp(e->operands[0], to) : e->operands[0]);
    from.lanes = to.lanes = 1;
    return value ? cg_cast(body->cg, value, from, to) : NULL;
}

LLVMValueRef cg_expr(struct cg_body *body, const struct ir_expr *e)
{
    struct cg *cg = body->cg;
    if (e->kind == IR_EXPR_call)
        return emit_call(body, e);
    if (e->kind == IR_EXPR_string || !cg_check_dtype(body, e->dtype))
        return e->kind == IR_EXPR_string ? cg_kernel_refuse(body, "a string is no number") : NULL;
    switch (e->kind) {
    case IR_EXPR_var:
        return emit_var(body, e);
    case IR_EXPR_int:
        return cg_literal(cg, e->dtype, e->int_value, (double)e->int_value);
    case IR_EXPR_float:
        return cg_literal(cg, e->dtype, 0, e->float_value);
    case IR_EXPR_and:
    case IR_EXPR_or:
        return emit_and_or(body, e);
    case IR_EXPR_not: {
        LLVMValueRef value = cg_expr(body, e->operands[0]);
        return value ? BUILD(Not, value) : NULL;
    }
    case IR_EXPR_select:
        return emit_select(body, e, false);
    case IR_EXPR_cast:
        return emit_cast(body, e);
    case IR_EXPR_load:
        return emit_load(body, e);
    case IR_EXPR_let:
        return emit_let(body, e);
    case IR_EXPR_ramp:
        return emit_ramp(body, e);
    case IR_EXPR_broadcast:
        return cg_expr(body, e->operands[0]);
    case IR_EXPR_shuffle:
        return emit_shuffle(body, e);
    default:
        return emit_binary(body, e);
    }
}

LLVMValueRef cg_index(struct cg_body *body, const struct ir_expr *e)
{
    LLVMValueRef value = cg_expr(body, e);
    if (!value)
        return NULL;
    if (!ir_dtype_is_int(e->dtype))
        return cg_kernel_refuse(body, "an index or a dimension is no integer");
    LLVMTypeRef wide = cg_type_like(value, body->cg->i64);
    return LLVMBuildIntCast2(body->cg->builder, value, wide, e->dtype.code == IR_INT, "");
}
