/*
 * Operators on two registers of one dtype.
 *
 * Every operator is defined for every value (see ops/elementwise.def): integers wrap, x / 0 and x % 0
 * are 0, INT_MIN / -1 is INT_MIN, shifts by the width or more shift everything out.  LLVM's own
 * division and shifts are undefined there, so they are guarded; guards fold away where an operand is a
 * literal.  min and max give NaN if either operand is NaN, and the second of two equal operands.
 *
 * Operands are scalars or vectors of one number of lanes (vector.c): LLVM's instructions are the same.
 */
#include "codegen/llvm/internal.h"

#define BUILD(what, ...) LLVMBuild##what(cg->builder, __VA_ARGS__, "")

/* @b, or 1 where dividing by it is not defined. */
static LLVMValueRef safe_divisor(struct cg *cg, bool is_signed, LLVMValueRef b)
{
    LLVMValueRef is_bad = cg_compare(cg, LLVMIntEQ, b, cg_int_like(b, 0));
    if (is_signed) {
        LLVMValueRef is_minus_one = cg_compare(cg, LLVMIntEQ, b, cg_int_like(b, -1));
        is_bad = BUILD(Or, is_bad, is_minus_one);
    }
    return BUILD(Select, is_bad, cg_int_like(b, 1), b);
}

static LLVMValueRef truncating_quotient(struct cg *cg, bool is_signed, LLVMValueRef a,
                                        LLVMValueRef b)
{
    LLVMValueRef divisor = safe_divisor(cg, is_signed, b);
    LLVMValueRef quotient = is_signed ? BUILD(SDiv, a, divisor) : BUILD(UDiv, a, divisor);
    if (is_signed) {
        LLVMValueRef is_minus_one = cg_compare(cg, LLVMIntEQ, b, cg_int_like(b, -1));
        quotient = BUILD(Select, is_minus_one, BUILD(Neg, a), quotient);
    }
    LLVMValueRef is_zero = cg_compare(cg, LLVMIntEQ, b, cg_int_like(b, 0));
    return BUILD(Select, is_zero, cg_int_like(b, 0), quotient);
}

/* 0 for divisors 0 and -1: the safe divisor leaves no remainder. */
static LLVMValueRef truncating_remainder(struct cg *cg, bool is_signed, LLVMValueRef a,
                                         LLVMValueRef b)
{
    LLVMValueRef divisor = safe_divisor(cg, is_signed, b);
    return is_signed ? BUILD(SRem, a, divisor) : BUILD(URem, a, divisor);
}

/* True where rounding down differs from truncating: a remainder of the other sign than @b. */
static LLVMValueRef must_round_down(struct cg *cg, LLVMValueRef remainder, LLVMValueRef b)
{
    LLVMValueRef signs = BUILD(Xor, remainder, b);
    LLVMValueRef differ = cg_compare(cg, LLVMIntSLT, signs, cg_int_like(b, 0));
    LLVMValueRef is_left = cg_compare(cg, LLVMIntNE, remainder, cg_int_like(b, 0));
    return BUILD(And, differ, is_left);
}

static LLVMValueRef integer_division(struct cg *cg, enum ir_expr_kind kind, bool is_signed,
                                     LLVMValueRef a, LLVMValueRef b)
{
    bool is_quotient = kind == IR_EXPR_div || kind == IR_EXPR_floordiv;
    bool is_floor = is_signed && (kind == IR_EXPR_floordiv || kind == IR_EXPR_floormod);
    LLVMValueRef remainder = NULL, quotient = NULL;
    if (!is_quotient || is_floor)
        remainder = truncating_remainder(cg, is_signed, a, b);
    if (is_quotient)
        quotient = truncating_quotient(cg, is_signed, a, b);
    if (!is_floor)
        return is_quotient ? quotient : remainder;
    LLVMValueRef down = must_round_down(cg, remainder, b);
    if (!is_quotient)
        return BUILD(Select, down, BUILD(Add, remainder, b), remainder);
    return BUILD(Select, down, BUILD(Sub, quotient, cg_int_like(b, 1)), quotient);
}

static LLVMValueRef integer_min_max(struct cg *cg, bool is_min, bool is_signed, LLVMValueRef a,
                                    LLVMValueRef b)
{
    LLVMIntPredicate less = is_signed ? LLVMIntSLT : LLVMIntULT;
    LLVMIntPredicate greater = is_signed ? LLVMIntSGT : LLVMIntUGT;
    return BUILD(Select, cg_compare(cg, is_min ? less : greater, a, b), a, b);
}

static LLVMValueRef integer_compare(struct cg *cg, enum ir_expr_kind kind, bool is_signed,
                                    LLVMValueRef a, LLVMValueRef b)
{
    switch (kind) {
    case IR_EXPR_eq:
        return cg_compare(cg, LLVMIntEQ, a, b);
    case IR_EXPR_ne:
        return cg_compare(cg, LLVMIntNE, a, b);
    case IR_EXPR_lt:
        return cg_compare(cg, is_signed ? LLVMIntSLT : LLVMIntULT, a, b);
    case IR_EXPR_le:
        return cg_compare(cg, is_signed ? LLVMIntSLE : LLVMIntULE, a, b);
    case IR_EXPR_gt:
        return cg_compare(cg, is_signed ? LLVMIntSGT : LLVMIntUGT, a, b);
    case IR_EXPR_ge:
        return cg_compare(cg, is_signed ? LLVMIntSGE : LLVMIntUGE, a, b);
    default:
        UNREACHABLE("comparison of integers");
    }
}

static LLVMValueRef emit_integer(struct cg *cg, enum ir_expr_kind kind, bool is_signed,
                                 LLVMValueRef a, LLVMValueRef b)
{
    switch (kind) {
    case IR_EXPR_add:
        return BUILD(Add, a, b);
    case IR_EXPR_sub:
        return BUILD(Sub, a, b);
    case IR_EXPR_mul:
        return BUILD(Mul, a, b);
    case IR_EXPR_div:
    case IR_EXPR_mod:
    case IR_EXPR_floordiv:
    case IR_EXPR_floormod:
        return integer_division(cg, kind, is_signed, a, b);
    case IR_EXPR_min:
    case IR_EXPR_max:
        return integer_min_max(cg, kind == IR_EXPR_min, is_signed, a, b);
    default:
        return integer_compare(cg, kind, is_signed, a, b);
    }
}

/* Or LLVM compares what the halves were widened from, for which machines have no vectors. */
static LLVMValueRef stay_wide(struct cg *cg, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    if (!LLVMIsAFPExtInst(value) ||
        LLVMGetTypeKind(cg_lane_type(LLVMGetOperand(value, 0))) != LLVMHalfTypeKind)
        return value;
    return cg_call_intrinsic(cg, "llvm.arithmetic.fence", &type, 1, &value, 1);
}

LLVMValueRef cg_compare_floats(struct cg *cg, LLVMRealPredicate predicate, LLVMValueRef a,
                               LLVMValueRef b)
{
    LLVMValueRef wide = stay_wide(cg, a);
    return BUILD(FCmp, predicate, wide, a == b ? wide : stay_wide(cg, b));
}

/*
 * Of vectors in two steps: the first is what machines have, and takes @b where one is NaN, so that what is
 * left to ask does not wait for @b, which is the sum so far in loops.  LLVM must not see both at once: it makes
 * one of them again, and of scalars (19) T.max(T.fabs(x), 0) a wrong one.
 */
static LLVMValueRef float_min_max(struct cg *cg, bool is_min, LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef is_first = cg_compare_floats(cg, is_min ? LLVMRealOLT : LLVMRealOGT, a, b);
    LLVMValueRef is_nan = cg_compare_floats(cg, LLVMRealUNO, a, a);
    if (cg_lane_count(a) == 1)
        return BUILD(Select, BUILD(Or, is_first, is_nan), a, b);
    LLVMValueRef ordered = BUILD(Select, is_first, a, b);
    LLVMTypeRef type = LLVMTypeOf(ordered);
    ordered = cg_call_intrinsic(cg, "llvm.arithmetic.fence", &type, 1, &ordered, 1);
    return BUILD(Select, is_nan, a, ordered);
}

static LLVMValueRef float_floor_quotient(struct cg *cg, struct ir_dtype dtype, LLVMValueRef a,
                                         LLVMValueRef b)
{
    LLVMTypeRef type = LLVMTypeOf(a);
    LLVMValueRef quotient = cg_round(cg, dtype, BUILD(FDiv, a, b));
    return cg_call_intrinsic(cg, "llvm.floor", &type, 1, &quotient, 1);
}

static LLVMValueRef float_compare(struct cg *cg, enum ir_expr_kind kind, LLVMValueRef a,
                                  LLVMValueRef b)
{
    switch (kind) {
    case IR_EXPR_eq:
        return cg_compare_floats(cg, LLVMRealOEQ, a, b);
    case IR_EXPR_ne:
        return cg_compare_floats(cg, LLVMRealUNE, a, b);
    case IR_EXPR_lt:
        return cg_compare_floats(cg, LLVMRealOLT, a, b);
    case IR_EXPR_le:
        return cg_compare_floats(cg, LLVMRealOLE, a, b);
    case IR_EXPR_gt:
        return cg_compare_floats(cg, LLVMRealOGT, a, b);
    case IR_EXPR_ge:
        return cg_compare_floats(cg, LLVMRealOGE, a, b);
    default:
        UNREACHABLE("comparison of floats");
    }
}

static LLVMValueRef emit_float(struct cg *cg, enum ir_expr_kind kind, struct ir_dtype dtype,
                               LLVMValueRef a, LLVMValueRef b)
{
    LLVMValueRef args[] = {a, b};
    switch (kind) {
    case IR_EXPR_add:
        return cg_round(cg, dtype, BUILD(FAdd, a, b));
    case IR_EXPR_sub:
        return cg_round(cg, dtype, BUILD(FSub, a, b));
    case IR_EXPR_mul:
        return cg_round(cg, dtype, BUILD(FMul, a, b));
    case IR_EXPR_div:
        return cg_round(cg, dtype, BUILD(FDiv, a, b));
    case IR_EXPR_mod:
        return cg_round(cg, dtype, cg_call_math(cg, "fmod", args, 2));
    case IR_EXPR_floordiv:
        return float_floor_quotient(cg, dtype, a, b);
    case IR_EXPR_floormod: {
        LLVMValueRef down = float_floor_quotient(cg, dtype, a, b);
        LLVMValueRef product = cg_round(cg, dtype, BUILD(FMul, down, b));
        return cg_round(cg, dtype, BUILD(FSub, a, product));
    }
    case IR_EXPR_min:
    case IR_EXPR_max:
        return float_min_max(cg, kind == IR_EXPR_min, a, b);
    default:
        return float_compare(cg, kind, a, b);
    }
}

/* bool: false < true; sums and products are or and and. */
static LLVMValueRef emit_bool(struct cg *cg, enum ir_expr_kind kind, LLVMValueRef a, LLVMValueRef b)
{
    switch (kind) {
    case IR_EXPR_and:
    case IR_EXPR_min:
    case IR_EXPR_mul:
        return BUILD(And, a, b);
    case IR_EXPR_or:
    case IR_EXPR_max:
    case IR_EXPR_add:
        return BUILD(Or, a, b);
    default:
        return ir_expr_is_compare(kind) ? integer_compare(cg, kind, false, a, b) : NULL;
    }
}

LLVMValueRef cg_binary(struct cg *cg, enum ir_expr_kind kind, struct ir_dtype dtype, LLVMValueRef a,
                       LLVMValueRef b)
{
    if (ir_dtype_is_bool(dtype))
        return emit_bool(cg, kind, a, b);
    if (ir_dtype_is_float(dtype))
        return emit_float(cg, kind, dtype, a, b);
    return emit_integer(cg, kind, dtype.code == IR_INT, a, b);
}

LLVMValueRef cg_shift(struct cg *cg, bool is_left, struct ir_dtype dtype, LLVMValueRef value,
                      LLVMValueRef count)
{
    /* An unsigned comparison also catches negative counts. */
    LLVMValueRef is_out = cg_compare(cg, LLVMIntUGE, count, cg_int_like(count, dtype.bits));
    LLVMValueRef limit = cg_int_like(count, dtype.bits - 1);
    LLVMValueRef safe = BUILD(Select, is_out, limit, count);
    if (!is_left && dtype.code == IR_INT)
        return BUILD(AShr, value, safe);
    LLVMValueRef shifted = is_left ? BUILD(Shl, value, safe) : BUILD(LShr, value, safe);
    return BUILD(Select, is_out, cg_int_like(value, 0), shifted);
}
