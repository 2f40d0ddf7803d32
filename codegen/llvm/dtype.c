/* Element types: how they are held, and conversions between them. */
#include "base/half.h"
#include "codegen/llvm/internal.h"

#include <math.h>

#define BUILD(what, ...) LLVMBuild##what(cg->builder, __VA_ARGS__, "")

bool cg_is_small_float(struct ir_dtype dtype)
{
    return ir_dtype_is_float(dtype) && dtype.bits == 16;
}

LLVMTypeRef cg_register_type(struct cg *cg, struct ir_dtype dtype)
{
    if (ir_dtype_is_bool(dtype))
        return cg->i1;
    if (ir_dtype_is_float(dtype))
        return dtype.bits == 64 ? cg->f64 : cg->f32;
    return LLVMIntTypeInContext(cg->context, dtype.bits);
}

LLVMTypeRef cg_memory_type(struct cg *cg, struct ir_dtype dtype)
{
    if (ir_dtype_is_bool(dtype))
        return cg->i8;
    if (cg_is_small_float(dtype))
        return cg->i16;
    return cg_register_type(cg, dtype);
}

LLVMValueRef cg_from_memory(struct cg *cg, struct ir_dtype dtype, LLVMValueRef value)
{
    if (ir_dtype_is_bool(dtype))
        return cg_compare(cg, LLVMIntNE, value, LLVMConstNull(LLVMTypeOf(value)));
    if (!cg_is_small_float(dtype))
        return value;
    return dtype.code == IR_BFLOAT ? cg_bfloat_to_float(cg, value) : cg_half_to_float(cg, value);
}

LLVMValueRef cg_to_memory(struct cg *cg, struct ir_dtype dtype, LLVMValueRef value)
{
    if (ir_dtype_is_bool(dtype))
        return BUILD(ZExt, value, cg_type_like(value, cg->i8));
    if (!cg_is_small_float(dtype))
        return value;
    return dtype.code == IR_BFLOAT ? cg_bfloat_from_float(cg, value)
                                   : cg_half_from_float(cg, value);
}

LLVMValueRef cg_round(struct cg *cg, struct ir_dtype dtype, LLVMValueRef value)
{
    if (!cg_is_small_float(dtype))
        return value;
    return cg_from_memory(cg, dtype, cg_to_memory(cg, dtype, value));
}

LLVMValueRef cg_literal(struct cg *cg, struct ir_dtype dtype, int64_t integer, double real)
{
    LLVMTypeRef type = cg_register_type(cg, dtype);
    if (!ir_dtype_is_float(dtype))
        return LLVMConstInt(type, ir_dtype_is_bool(dtype) ? integer != 0 : (uint64_t)integer,
                            dtype.code == IR_INT);
    if (dtype.code == IR_BFLOAT)
        real = bfloat_to_float(bfloat_from_double(real));
    else if (dtype.bits == 16)
        real = half_to_float(half_from_double(real));
    else if (dtype.bits == 32)
        real = (float)real;
    return LLVMConstReal(type, real);
}

static LLVMValueRef integer_to_float(struct cg *cg, LLVMValueRef value, bool is_signed,
                                     struct ir_dtype to)
{
    /* 16-bit floats by way of double, as the interpreter does. */
    LLVMTypeRef type =
        cg_type_like(value, cg_is_small_float(to) ? cg->f64 : cg_register_type(cg, to));
    LLVMValueRef wide = is_signed ? BUILD(SIToFP, value, type) : BUILD(UIToFP, value, type);
    if (!cg_is_small_float(to))
        return wide;
    return cg_round(cg, to, cg_double_to_odd_float(cg, wide));
}

static LLVMValueRef float_to_float(struct cg *cg, LLVMValueRef value, struct ir_dtype from,
                                   struct ir_dtype to)
{
    bool is_double = from.bits == 64;
    if (to.bits == 64)
        return is_double ? value : BUILD(FPExt, value, cg_type_like(value, cg->f64));
    if (to.bits == 32)
        return is_double ? BUILD(FPTrunc, value, cg_type_like(value, cg->f32)) : value;
    return cg_round(cg, to, is_double ? cg_double_to_odd_float(cg, value) : value);
}

/*
 * Saturates; NaN gives 0.  In steps that vectors have: LLVM 19 takes them apart for llvm.fptosi.sat.  What is converted lies in
 * the range of @to: below, NaN too, its least value; above, the largest number that is less than 2**bits.
 */
static LLVMValueRef float_to_integer(struct cg *cg, LLVMValueRef value, struct ir_dtype to)
{
    bool is_signed = to.code == IR_INT;
    int width = (int)LLVMGetIntTypeWidth(cg_register_type(cg, to)), bits = width - is_signed;
    int digits = LLVMTypeOf(value) == cg_type_like(value, cg->f64) ? 53 : 24;
    bool is_narrow = width < 32, is_exact = bits <= digits;
    LLVMTypeRef from = LLVMTypeOf(value), type = cg_type_like(value, cg_register_type(cg, to));
    LLVMTypeRef whole = is_narrow ? cg_type_like(value, cg->i32) : type;
    LLVMValueRef low = LLVMConstReal(from, is_signed ? -ldexp(1, bits) : 0);
    LLVMValueRef end = LLVMConstReal(from, ldexp(1, bits));
    LLVMValueRef high =
        LLVMConstReal(from, ldexp(1, bits) - (is_exact ? 1 : ldexp(1, bits - digits)));
    LLVMValueRef inside = BUILD(Select, cg_compare_floats(cg, LLVMRealOGT, value, low), value, low);

    inside = BUILD(Select, cg_compare_floats(cg, LLVMRealOLT, inside, is_exact ? high : end),
                   inside, high);
    LLVMValueRef result =
        is_signed || is_narrow ? BUILD(FPToSI, inside, whole) : BUILD(FPToUI, inside, whole);
    if (is_narrow)
        result = BUILD(Trunc, result, type);
    if (!is_exact) {
        LLVMValueRef most = is_signed ? BUILD(LShr, LLVMConstAllOnes(type), cg_int_like(result, 1))
                                      : LLVMConstAllOnes(type);
        result = BUILD(Select, cg_compare_floats(cg, LLVMRealOGE, value, end), most, result);
    }
    if (is_signed)
        result = BUILD(Select, cg_compare_floats(cg, LLVMRealUNO, value, value),
                       LLVMConstNull(type), result);
    return result;
}

LLVMValueRef cg_cast(struct cg *cg, LLVMValueRef value, struct ir_dtype from, struct ir_dtype to)
{
    if (ir_dtype_equal(from, to))
        return value;
    LLVMTypeRef type = cg_type_like(value, cg_register_type(cg, to));
    bool is_from_float = ir_dtype_is_float(from), is_to_float = ir_dtype_is_float(to);
    if (ir_dtype_is_bool(to)) /* not zero; NaN is true */
        return is_from_float
                   ? cg_compare_floats(cg, LLVMRealUNE, value, LLVMConstNull(LLVMTypeOf(value)))
                   : cg_compare(cg, LLVMIntNE, value, LLVMConstNull(LLVMTypeOf(value)));
    if (is_from_float && is_to_float)
        return float_to_float(cg, value, from, to);
    bool is_signed = from.code == IR_INT;
    if (is_to_float)
        return integer_to_float(cg, value, is_signed, to);
    if (is_from_float)
        return float_to_integer(cg, value, to);
    return LLVMBuildIntCast2(cg->builder, value, type, is_signed, "");
}
