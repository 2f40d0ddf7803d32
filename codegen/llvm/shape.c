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

/*
 * The product, with *@out_overflow, of parts that fit into 64 bits: a machine without products of 128 bits would
 * call compiler-rt for them.  runtime/multiply.h has it in C.
 */
static LLVMValueRef multiply_by_parts(struct cg *cg, LLVMValueRef a, LLVMValueRef b,
                                      LLVMValueRef *out_overflow)
{
    LLVMValueRef low = cg_i64(cg, UINT32_MAX), half = cg_i64(cg, 32);
    LLVMValueRef a_low = BUILD(And, a, low), a_high = BUILD(AShr, a, half);
    LLVMValueRef b_low = BUILD(And, b, low), b_high = BUILD(AShr, b, half);
    LLVMValueRef first = BUILD(LShr, BUILD(Mul, a_low, b_low), half);
    LLVMValueRef second = BUILD(Add, BUILD(Mul, a_high, b_low), first);
    LLVMValueRef third = BUILD(Add, BUILD(Mul, a_low, b_high), BUILD(And, second, low));
    LLVMValueRef carried = BUILD(Add, BUILD(AShr, second, half), BUILD(AShr, third, half));
    LLVMValueRef high = BUILD(Add, BUILD(Mul, a_high, b_high), carried);
    LLVMValueRef product = BUILD(Mul, a, b);

    *out_overflow = cg_compare(cg, LLVMIntNE, high, BUILD(AShr, product, cg_i64(cg, 63)));
    return product;
}

static LLVMValueRef compute(struct cg *cg, enum ir_expr_kind kind, LLVMValueRef a, LLVMValueRef b,
                            LLVMValueRef *out_overflow)
{
    LLVMValueRef args[] = {a, b};

    if (kind == IR_EXPR_mul && cg->codegen->options.target.machine == TARGET_WASM32)
        return multiply_by_parts(cg, a, b, out_overflow);
    LLVMValueRef pair = cg_call_intrinsic(cg, intrinsic_name(kind), &cg->i64, 1, args, 2);
    *out_overflow = LLVMBuildExtractValue(cg->builder, pair, 1, "");
    return LLVMBuildExtractValue(cg->builder, pair, 0, "");
}

static LLVMValueRef checked(struct cg *cg, enum ir_expr_kind kind, LLVMValueRef a, LLVMValueRef b)
{
    int64_t result = 0;
    if (LLVMIsAConstantInt(a) && LLVMIsAConstantInt(b) &&
        fold(kind, LLVMConstIntGetSExtValue(a), LLVMConstIntGetSExtValue(b), &result))
        return cg_i64(cg, result);
    LLVMValueRef overflow, value = compute(cg, kind, a, b, &overflow);
    cg_check(cg, BUILD(Not, overflow), INLAY_ERROR_SHAPE, "a dimension does not fit into int64",
             NULL, 0);
    return value;
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
