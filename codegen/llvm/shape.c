/*
 * Shape expressions, in int64 with every sum and product checked.
 *
 * Types are compared by mathematics; code must not disagree because a product wrapped around.  So an
 * overflow is a run-time error here, and what type checking proves about dims holds for the machine.
 */
#include "codegen/llvm/internal.h"

#define BUILD(what, ...) LLVMBuild##what(cg->builder, __VA_ARGS__, "")

static bool fold(enum ir_expr_kind kind, int64_t a, int64_t b, int64_t *out)
{
    switch (kind) {
    case IR_EXPR_add:
        return !__builtin_add_overflow(a, b, out);
    case IR_EXPR_sub:
        return !__builtin_sub_overflow(a, b, out);
    case IR_EXPR_mul:
        return !__builtin_mul_overflow(a, b, out);
    default:
        return false;
    }
}

static const char *intrinsic_name(enum ir_expr_kind kind)
{
    switch (kind) {
    case IR_EXPR_add:
        return "llvm.sadd.with.overflow";
    case IR_EXPR_sub:
        return "llvm.ssub.with.overflow";
    default:
        return "llvm.smul.with.overflow";
    }
}

static LLVMValueRef checked(struct cg *cg, enum ir_expr_kind kind, LLVMValueRef a, LLVMValueRef b)
{
    int64_t result = 0;
    if (LLVMIsAConstantInt(a) && LLVMIsAConstantInt(b) &&
        fold(kind, LLVMConstIntGetSExtValue(a), LLVMConstIntGetSExtValue(b), &result))
        return cg_i64(cg, result);
    LLVMValueRef args[] = {a, b};
    LLVMValueRef pair = cg_call_intrinsic(cg, intrinsic_name(kind), &cg->i64, 1, args, 2);
    LLVMValueRef overflow = LLVMBuildExtractValue(cg->builder, pair, 1, "");
    cg_check(cg, BUILD(Not, overflow), INLAY_ERROR_SHAPE, "a dimension does not fit into int64",
             NULL, 0);
    return LLVMBuildExtractValue(cg->builder, pair, 0, "");
}

static LLVMValueRef refuse(struct cg *cg, const char *name, const char *why)
{
    diag_report(cg->diag, cg->loc, CODEGEN_VALUE, name, why);
    return NULL;
}

LLVMValueRef cg_dim(struct cg *cg, const struct ir_expr *e)
{
    switch (e->kind) {
    case IR_EXPR_int:
        return cg_i64(cg, e->int_value);
    case IR_EXPR_var: {
        LLVMValueRef value = map_get(&cg->vars, e->var);
        if (!value)
            return refuse(cg, e->var->name, "the symbol has no value here");
        return LLVMBuildIntCast2(cg->builder, value, cg->i64, e->var->dtype.code == IR_INT, "");
    }
    case IR_EXPR_cast:
        return ir_dtype_is_int(e->dtype) ? cg_dim(cg, e->operands[0])
                                         : refuse(cg, "cast", "a dimension is an integer");
    case IR_EXPR_add:
    case IR_EXPR_sub:
    case IR_EXPR_mul:
    case IR_EXPR_div:
    case IR_EXPR_mod:
    case IR_EXPR_floordiv:
    case IR_EXPR_floormod:
    case IR_EXPR_min:
    case IR_EXPR_max: {
        LLVMValueRef a = cg_dim(cg, e->operands[0]);
        LLVMValueRef b = a ? cg_dim(cg, e->operands[1]) : NULL;
        if (!b)
            return NULL;
        bool can_overflow =
            e->kind == IR_EXPR_add || e->kind == IR_EXPR_sub || e->kind == IR_EXPR_mul;
        return can_overflow ? checked(cg, e->kind, a, b) : cg_binary(cg, e->kind, IR_I64, a, b);
    }
    default:
        return refuse(cg, "a dimension", "it uses what shapes cannot hold");
    }
}
