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
    if (is_from_float) { /* saturates; NaN gives 0 */
        LLVMTypeRef types[] = {type, LLVMTypeOf(value)};
        const char *name = to.code == IR_INT ? "llvm.fptosi.sat" : "llvm.fptoui.sat";
        return cg_call_intrinsic(cg, name, types, 2, &value, 1);
    }
    return LLVMBuildIntCast2(cg->builder, value, type, is_signed, "");
}
