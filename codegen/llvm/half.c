/*
 * Conversions of float16 and bfloat16, emitted inline.
 *
 * LLVM would call helpers of compiler-rt (__truncsfhf2, ..) that a loaded object does not have.  Only
 * float <-> float16 is left to LLVM, and only where the processor has an instruction for it.  The
 * results are those of base/half.h, bit by bit: to nearest, ties to even, NaNs become quiet and keep
 * the upper part of their payload.
 */
#include "codegen/llvm/internal.h"

#define BUILD(what, ...) LLVMBuild##what(cg->builder, __VA_ARGS__, "")

/* As many lanes as @like has. */
static LLVMValueRef bits32(struct cg *cg, LLVMValueRef like, uint32_t value)
{
    return cg_int_of(cg_type_like(like, cg->i32), value);
}

static LLVMValueRef bits_of(struct cg *cg, LLVMValueRef value)
{
    return BUILD(BitCast, value, cg_type_like(value, cg->i32));
}

static LLVMValueRef float_of(struct cg *cg, LLVMValueRef bits)
{
    return BUILD(BitCast, bits, cg_type_like(bits, cg->f32));
}

LLVMValueRef cg_half_from_float(struct cg *cg, LLVMValueRef value)
{
    if (target_has(&cg->codegen->options.target, TARGET_F16C)) {
        LLVMTypeRef half = cg_type_like(value, LLVMHalfTypeInContext(cg->context));
        return BUILD(BitCast, BUILD(FPTrunc, value, half), cg_type_like(value, cg->i16));
    }
    LLVMValueRef bits = bits_of(cg, value);
    LLVMValueRef magnitude = BUILD(And, bits, bits32(cg, value, 0x7fffffff));
    LLVMValueRef sign =
        BUILD(LShr, BUILD(And, bits, bits32(cg, value, 0x80000000)), bits32(cg, value, 16));

    /* Normal: rebias the exponent and round; a carry runs into the exponent, up to infinity. */
    LLVMValueRef odd =
        BUILD(And, BUILD(LShr, magnitude, bits32(cg, value, 13)), bits32(cg, value, 1));
    LLVMValueRef rebiased = BUILD(Add, magnitude, bits32(cg, value, 0xc8000fff));
    LLVMValueRef normal = BUILD(LShr, BUILD(Add, rebiased, odd), bits32(cg, value, 13));

    /* Subnormal: adding 0.5 moves the bits to their place and rounds them. */
    LLVMValueRef sum =
        BUILD(FAdd, float_of(cg, magnitude), LLVMConstReal(cg_type_like(value, cg->f32), 0.5));
    LLVMValueRef small = BUILD(Sub, bits_of(cg, sum), bits32(cg, value, 0x3f000000));

    LLVMValueRef payload =
        BUILD(LShr, BUILD(And, magnitude, bits32(cg, value, 0x7fffff)), bits32(cg, value, 13));
    LLVMValueRef nan = BUILD(Or, payload, bits32(cg, value, 0x7e00));

    LLVMValueRef is_small = cg_compare(cg, LLVMIntULT, magnitude, bits32(cg, value, 0x38800000));
    LLVMValueRef is_large = cg_compare(cg, LLVMIntUGE, magnitude, bits32(cg, value, 0x47800000));
    LLVMValueRef is_nan = cg_compare(cg, LLVMIntUGT, magnitude, bits32(cg, value, 0x7f800000));
    LLVMValueRef result = BUILD(Select, is_small, small, normal);
    result = BUILD(Select, is_large, bits32(cg, value, 0x7c00), result);
    result = BUILD(Select, is_nan, nan, result);
    return BUILD(Trunc, BUILD(Or, result, sign), cg_type_like(value, cg->i16));
}

LLVMValueRef cg_half_to_float(struct cg *cg, LLVMValueRef bits)
{
    if (target_has(&cg->codegen->options.target, TARGET_F16C)) {
        LLVMTypeRef half = cg_type_like(bits, LLVMHalfTypeInContext(cg->context));
        return BUILD(FPExt, BUILD(BitCast, bits, half), cg_type_like(bits, cg->f32));
    }
    LLVMValueRef wide = BUILD(ZExt, bits, cg_type_like(bits, cg->i32));
    LLVMValueRef sign =
        BUILD(Shl, BUILD(And, wide, bits32(cg, bits, 0x8000)), bits32(cg, bits, 16));
    LLVMValueRef magnitude = BUILD(And, wide, bits32(cg, bits, 0x7fff));
    LLVMValueRef moved = BUILD(Shl, magnitude, bits32(cg, bits, 13));
    LLVMValueRef normal = BUILD(Add, moved, bits32(cg, bits, 112u << 23));

    /* Subnormal: a whole number of 2^-24. */
    LLVMValueRef scaled = BUILD(FMul, BUILD(UIToFP, magnitude, cg_type_like(bits, cg->f32)),
                                LLVMConstReal(cg_type_like(bits, cg->f32), 0x1p-24));
    LLVMValueRef special = BUILD(Or, moved, bits32(cg, bits, 0x7f800000));
    LLVMValueRef quiet = BUILD(Or, special, bits32(cg, bits, 0x400000));

    LLVMValueRef is_small = cg_compare(cg, LLVMIntULT, magnitude, bits32(cg, bits, 0x400));
    LLVMValueRef is_special = cg_compare(cg, LLVMIntUGE, magnitude, bits32(cg, bits, 0x7c00));
    LLVMValueRef is_nan = cg_compare(cg, LLVMIntUGT, magnitude, bits32(cg, bits, 0x7c00));
    LLVMValueRef result = BUILD(Select, is_small, bits_of(cg, scaled), normal);
    result = BUILD(Select, is_special, special, result);
    result = BUILD(Select, is_nan, quiet, result);
    return float_of(cg, BUILD(Or, result, sign));
}

LLVMValueRef cg_bfloat_from_float(struct cg *cg, LLVMValueRef value)
{
    LLVMValueRef bits = bits_of(cg, value);
    LLVMValueRef odd = BUILD(And, BUILD(LShr, bits, bits32(cg, value, 16)), bits32(cg, value, 1));
    LLVMValueRef rounded = BUILD(Add, BUILD(Add, bits, bits32(cg, value, 0x7fff)), odd);
    LLVMValueRef quiet = BUILD(Or, bits, bits32(cg, value, 0x400000));
    LLVMValueRef is_nan = BUILD(FCmp, LLVMRealUNO, value, value);
    LLVMValueRef result = BUILD(Select, is_nan, quiet, rounded);
    return BUILD(Trunc, BUILD(LShr, result, bits32(cg, value, 16)), cg_type_like(value, cg->i16));
}

LLVMValueRef cg_bfloat_to_float(struct cg *cg, LLVMValueRef bits)
{
    return float_of(
        cg, BUILD(Shl, BUILD(ZExt, bits, cg_type_like(bits, cg->i32)), bits32(cg, bits, 16)));
}

/*
 * The float next to @value towards zero, with the last bit set where digits were lost.  Such a float
 * lies on the same side of every 16-bit rounding boundary as @value.
 */
LLVMValueRef cg_double_to_odd_float(struct cg *cg, LLVMValueRef value)
{
    LLVMTypeRef wide = LLVMTypeOf(value);
    LLVMValueRef nearest = BUILD(FPTrunc, value, cg_type_like(value, cg->f32));
    LLVMValueRef back = BUILD(FPExt, nearest, cg_type_like(value, cg->f64));
    LLVMValueRef bits = bits_of(cg, nearest);
    LLVMValueRef magnitude = cg_call_intrinsic(cg, "llvm.fabs", &wide, 1, &value, 1);
    LLVMValueRef back_magnitude = cg_call_intrinsic(cg, "llvm.fabs", &wide, 1, &back, 1);
    LLVMValueRef is_above = BUILD(FCmp, LLVMRealOGT, back_magnitude, magnitude);
    LLVMValueRef is_inexact = BUILD(FCmp, LLVMRealONE, back, value); /* false for NaN */
    LLVMValueRef lower = BUILD(Sub, bits, bits32(cg, value, 1));
    LLVMValueRef truncated = BUILD(Select, is_above, lower, bits);
    LLVMValueRef odd = BUILD(Or, truncated, bits32(cg, value, 1));
    return float_of(cg, BUILD(Select, is_inexact, odd, bits));
}
