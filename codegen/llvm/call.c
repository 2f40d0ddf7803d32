/*
 * Calls in kernels: T.<name>(..), one row of intrinsics.def each.
 *
 * Functions of analysis are those of the C library, called as such: LLVM must neither fold nor replace
 * them (nobuiltin), so that compiled and interpreted results are the same bits.  Vectors are given to
 * them lane by lane.
 */
#include "codegen/llvm/internal.h"
#include "ir/intrinsics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BUILD(what, ...) LLVMBuild##what(cg->builder, __VA_ARGS__, "")

static LLVMValueRef call_scalar_math(struct cg *cg, const char *name, LLVMValueRef *args,
                                     unsigned count)
{
    static const char *const facts[] = {"nounwind", "willreturn", "memory"};
    LLVMAttributeIndex all = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
    LLVMTypeRef type = LLVMTypeOf(args[0]);
    char symbol[32];
    snprintf(symbol, sizeof(symbol), "%s%s", name, type == cg->f32 ? "f" : "");
    LLVMTypeRef params[3] = {type, type, type};
    LLVMTypeRef function_type = LLVMFunctionType(type, params, count, false);
    LLVMValueRef function = LLVMGetNamedFunction(cg->unit->llvm, symbol);
    if (!function) {
        function = LLVMAddFunction(cg->unit->llvm, symbol, function_type);
        for (size_t i = 0; i < ARRAY_SIZE(facts); i++)
            cg_add_attribute(cg, function, all, facts[i], 0);
    }
    LLVMValueRef call = LLVMBuildCall2(cg->builder, function_type, function, args, count, "");
    LLVMAddCallSiteAttribute(call, all, cg_attribute(cg, "nobuiltin", 0));
    return call;
}

LLVMValueRef cg_call_math(struct cg *cg, const char *name, LLVMValueRef *args, unsigned count)
{
    unsigned lanes = cg_lane_count(args[0]);
    LLVMValueRef result = NULL, lane[3];
    if (lanes == 1)
        return call_scalar_math(cg, name, args, count);
    for (unsigned i = 0; i < lanes; i++) {
        for (unsigned j = 0; j < count; j++)
            lane[j] = cg_lane(cg, args[j], i);
        result = cg_set_lane(cg, result, call_scalar_math(cg, name, lane, count), i, lanes);
    }
    return result;
}

static LLVMValueRef call_llvm(struct cg *cg, const char *name, LLVMValueRef *args, unsigned count)
{
    LLVMTypeRef type = LLVMTypeOf(args[0]);
    return cg_call_intrinsic(cg, name, &type, 1, args, count);
}

static LLVMValueRef one_like(LLVMValueRef value)
{
    return LLVMConstReal(LLVMTypeOf(value), 1.0);
}

static bool is_float(const struct ir_expr *e)
{
    return ir_dtype_is_float(e->operands[0]->dtype);
}

static LLVMValueRef emit_abs(struct cg *cg, const struct ir_expr *e, LLVMValueRef *args)
{
    if (is_float(e))
        return call_llvm(cg, "llvm.fabs", args, 1);
    if (e->operands[0]->dtype.code != IR_INT)
        return args[0];
    LLVMValueRef with_flag[] = {args[0], LLVMConstInt(cg->i1, 0, false)};
    return call_llvm(cg, "llvm.abs", with_flag, 2);
}

static LLVMValueRef emit_bitwise_and(struct cg *cg, const struct ir_expr *e, LLVMValueRef *args)
{
    return is_float(e) ? NULL : BUILD(And, args[0], args[1]);
}

static LLVMValueRef emit_bitwise_or(struct cg *cg, const struct ir_expr *e, LLVMValueRef *args)
{
    return is_float(e) ? NULL : BUILD(Or, args[0], args[1]);
}

static LLVMValueRef emit_bitwise_xor(struct cg *cg, const struct ir_expr *e, LLVMValueRef *args)
{
    return is_float(e) ? NULL : BUILD(Xor, args[0], args[1]);
}

static LLVMValueRef emit_bitwise_not(struct cg *cg, const struct ir_expr *e, LLVMValueRef *args)
{
    return is_float(e) ? NULL : BUILD(Not, args[0]);
}

/* Leading zeros; of 0 all bits. */
static LLVMValueRef emit_clz(struct cg *cg, const struct ir_expr *e, LLVMValueRef *args)
{
    if (is_float(e))
        return NULL;
    LLVMValueRef with_flag[] = {args[0], LLVMConstInt(cg->i1, 0, false)};
    LLVMValueRef count = call_llvm(cg, "llvm.ctlz", with_flag, 2);
    return LLVMBuildIntCast2(cg->builder, count,
                             cg_type_like(count, cg_register_type(cg, e->dtype)), false, "");
}

static LLVMValueRef emit_dot4(struct cg *cg, const struct ir_expr *e, LLVMValueRef *args)
{
    return cg_dot4(cg, e, args);
}

static LLVMValueRef emit_popcount(struct cg *cg, const struct ir_expr *e, LLVMValueRef *args)
{
    if (is_float(e))
        return NULL;
    LLVMValueRef count = call_llvm(cg, "llvm.ctpop", args, 1);
    return LLVMBuildIntCast2(cg->builder, count,
                             cg_type_like(count, cg_register_type(cg, e->dtype)), false, "");
}

static LLVMValueRef emit_isnan(struct cg *cg, const struct ir_expr *e, LLVMValueRef *args)
{
    return is_float(e) ? cg_compare_floats(cg, LLVMRealUNO, args[0], args[0])
                       : LLVMConstInt(cg->i1, 0, false);
}

static LLVMValueRef compare_infinity(struct cg *cg, LLVMRealPredicate predicate, LLVMValueRef *args)
{
    LLVMValueRef magnitude = call_llvm(cg, "llvm.fabs", args, 1);
    LLVMValueRef infinity = LLVMConstReal(LLVMTypeOf(magnitude), INFINITY);
    return BUILD(FCmp, predicate, magnitude, infinity);
}

static LLVMValueRef emit_isinf(struct cg *cg, const struct ir_expr *e, LLVMValueRef *args)
{
    return is_float(e) ? compare_infinity(cg, LLVMRealOEQ, args) : LLVMConstInt(cg->i1, 0, false);
}

static LLVMValueRef emit_isfinite(struct cg *cg, const struct ir_expr *e, LLVMValueRef *args)
{
    return is_float(e) ? compare_infinity(cg, LLVMRealOLT, args) : LLVMConstInt(cg->i1, 1, false);
}

static LLVMValueRef emit_same(struct cg *cg, const struct ir_expr *e, LLVMValueRef *args)
{
    return args[0];
}

static LLVMValueRef emit_reinterpret(struct cg *cg, const struct ir_expr *e, LLVMValueRef *args)
{
    struct ir_dtype from = e->operands[0]->dtype;
    if (from.bits != e->dtype.bits || ir_dtype_is_bool(from) || ir_dtype_is_bool(e->dtype))
        return NULL;
    LLVMValueRef bits = cg_to_memory(cg, from, args[0]);
    LLVMTypeRef type = cg_type_like(bits, cg_memory_type(cg, e->dtype));
    return cg_from_memory(cg, e->dtype, BUILD(BitCast, bits, type));
}

static LLVMValueRef emit_rsqrt(struct cg *cg, const struct ir_expr *e, LLVMValueRef *args)
{
    if (!is_float(e))
        return NULL;
    LLVMValueRef root = call_llvm(cg, "llvm.sqrt", args, 1);
    return BUILD(FDiv, one_like(root), root);
}

/* Lanes @from to @from + @count of @value, or what comes of more than there are. */
static LLVMValueRef part_of(struct cg *cg, LLVMValueRef value, unsigned from, unsigned count)
{
    LLVMValueRef order[16], one;
    unsigned lanes = cg_lane_count(value);
    if (lanes == 1) {
        one = BUILD(InsertElement, LLVMGetPoison(LLVMVectorType(LLVMTypeOf(value), count)), value,
                    LLVMConstInt(cg->i32, 0, false));
        return one;
    }
    for (unsigned i = 0; i < count; i++)
        order[i] = LLVMConstInt(cg->i32, (from + i) % lanes, false);
    return BUILD(ShuffleVector, value, LLVMGetPoison(LLVMTypeOf(value)),
                 LLVMConstVector(order, count));
}

/* AVX-512's scalef: @value * 2^@n, of 4, 8 or 16 lanes. */
static LLVMValueRef scale(struct cg *cg, LLVMValueRef value, LLVMValueRef n)
{
    unsigned lanes = cg_lane_count(value);
    const char *name = lanes == 16  ? "llvm.x86.avx512.mask.scalef.ps.512"
                       : lanes == 8 ? "llvm.x86.avx512.mask.scalef.ps.256"
                                    : "llvm.x86.avx512.mask.scalef.ps.128";
    LLVMTypeRef mask = LLVMIntTypeInContext(cg->context, lanes == 16 ? 16 : 8);
    LLVMValueRef args[] = {value, n, value, LLVMConstAllOnes(mask),
                           LLVMConstInt(cg->i32, 4, false)};
    return cg_call_intrinsic(cg, name, NULL, 0, args, lanes == 16 ? 5 : 4);
}

static bool has_scale(const struct cg *cg, const struct ir_expr *e)
{
    const struct target *target = &cg->codegen->options.target;
    return ir_dtype_equal(e->dtype, IR_F32) && ir_dtype_equal(e->operands[1]->dtype, IR_I32) &&
           target_has(target, TARGET_AVX512F) && target_has(target, TARGET_AVX512VL);
}

static LLVMValueRef emit_scale(struct cg *cg, LLVMValueRef value, LLVMValueRef n)
{
    unsigned lanes = cg_lane_count(value), size = lanes < 4 ? 4 : lanes < 16 ? lanes : 16;
    LLVMValueRef result = NULL;
    n = BUILD(SIToFP, n, LLVMTypeOf(value));
    if (size == lanes)
        return scale(cg, value, n);
    for (unsigned from = 0; from < lanes; from += size) {
        LLVMValueRef part = scale(cg, part_of(cg, value, from, size), part_of(cg, n, from, size));
        for (unsigned i = 0; i < size && from + i < lanes; i++)
            result = cg_set_lane(cg, result, cg_lane(cg, part, i), from + i, lanes);
    }
    return result;
}

/* x * 2^n, rounded once. */
static LLVMValueRef emit_ldexp(struct cg *cg, const struct ir_expr *e, LLVMValueRef *args)
{
    struct ir_dtype count = e->operands[1]->dtype;
    if (!is_float(e) || !ir_dtype_is_int(count))
        return NULL;
    if (has_scale(cg, e))
        return emit_scale(cg, args[0], args[1]);
    LLVMValueRef n = cg_cast(cg, args[1], count, IR_I64);
    LLVMValueRef limit = cg_int_like(n, 10000), low = cg_int_like(n, -10000);
    n = BUILD(Select, cg_compare(cg, LLVMIntSGT, n, limit), limit, n);
    n = BUILD(Select, cg_compare(cg, LLVMIntSLT, n, low), low, n);
    LLVMValueRef wide = cg_cast(cg, args[0], e->dtype, IR_F64), result = NULL;
    n = BUILD(Trunc, n, cg_type_like(n, cg->i32));
    unsigned lanes = cg_lane_count(wide);
    LLVMTypeRef types[] = {cg->f64, cg->i32};
    for (unsigned i = 0; i < lanes; i++) {
        LLVMValueRef scaled[] = {cg_lane(cg, wide, i), cg_lane(cg, n, i)};
        LLVMValueRef lane = cg_call_intrinsic(cg, "llvm.ldexp", types, 2, scaled, 2);
        result = cg_set_lane(cg, result, lane, i, lanes);
    }
    return cg_cast(cg, result, IR_F64, e->dtype);
}

static LLVMValueRef emit_shift_left(struct cg *cg, const struct ir_expr *e, LLVMValueRef *args)
{
    return is_float(e) ? NULL : cg_shift(cg, true, e->dtype, args[0], args[1]);
}

static LLVMValueRef emit_shift_right(struct cg *cg, const struct ir_expr *e, LLVMValueRef *args)
{
    return is_float(e) ? NULL : cg_shift(cg, false, e->dtype, args[0], args[1]);
}

/* 1 / (1 + exp(-x)) */
static LLVMValueRef emit_sigmoid(struct cg *cg, const struct ir_expr *e, LLVMValueRef *args)
{
    if (!is_float(e))
        return NULL;
    LLVMValueRef negated = BUILD(FNeg, args[0]);
    LLVMValueRef power = cg_call_math(cg, "exp", &negated, 1);
    LLVMValueRef one = one_like(power);
    return BUILD(FDiv, one, BUILD(FAdd, one, power));
}

static const struct intrinsic {
    const char *name;
    unsigned count;
    bool is_math;
    const char *llvm;
    LLVMValueRef (*emit)(struct cg *cg, const struct ir_expr *e, LLVMValueRef *args);
} table[] = {
#define MATH(name, count)            {#name, count, true, NULL, NULL},
#define LLVM(name, count, intrinsic) {#name, count, false, intrinsic, NULL},
#define CUSTOM(name, count, emitter) {#name, count, false, NULL, emit_##emitter},
#include "codegen/llvm/intrinsics.def"
};

static const struct intrinsic *find(const char *name, unsigned arg_count)
{
    for (size_t i = 0; i < ARRAY_SIZE(table); i++)
        if (strcmp(table[i].name, name) == 0 && table[i].count == arg_count)
            return &table[i];
    return NULL;
}

/* 1 / base^n for n < 0: 1 and -1 have an inverse, that of all others is rounded to 0. */
static LLVMValueRef inverse_power(struct cg *cg, LLVMValueRef base, LLVMValueRef exponent)
{
    LLVMValueRef zero = cg_int_like(base, 0), one = cg_int_like(base, 1);
    LLVMValueRef minus_one = cg_int_like(base, -1);
    LLVMValueRef is_odd = cg_compare(cg, LLVMIntNE, BUILD(And, exponent, one), zero);
    LLVMValueRef of_minus_one = BUILD(Select, is_odd, minus_one, one);
    LLVMValueRef of_others = BUILD(Select, cg_compare(cg, LLVMIntEQ, base, one), one, zero);
    return BUILD(Select, cg_compare(cg, LLVMIntEQ, base, minus_one), of_minus_one, of_others);
}

/* The product of base^(2^i) for all bits i of the exponent; wraps. */
static LLVMValueRef integer_power(struct cg *cg, struct ir_dtype dtype, LLVMValueRef *args)
{
    bool is_signed = dtype.code == IR_INT;
    LLVMValueRef square = args[0], exponent = args[1], zero = cg_int_like(exponent, 0);
    LLVMValueRef result = cg_int_like(square, 1);

    for (unsigned i = 0; i < dtype.bits - (is_signed ? 1u : 0u); i++) {
        LLVMValueRef bit = BUILD(LShr, exponent, cg_int_like(exponent, i));
        bit = BUILD(And, bit, cg_int_like(exponent, 1));
        LLVMValueRef is_set = cg_compare(cg, LLVMIntNE, bit, zero);
        result = BUILD(Select, is_set, BUILD(Mul, result, square), result);
        square = BUILD(Mul, square, square);
    }
    if (!is_signed)
        return result;
    LLVMValueRef is_negative = cg_compare(cg, LLVMIntSLT, exponent, zero);
    return BUILD(Select, is_negative, inverse_power(cg, args[0], exponent), result);
}

/* Rounding an integer leaves it, a power is a product; other functions are not defined for integers. */
static LLVMValueRef emit_on_integers(struct cg *cg, const struct intrinsic *intrinsic,
                                     struct ir_dtype dtype, LLVMValueRef *args)
{
    static const char *const same[] = {"ceil", "floor", "trunc", "round", "nearbyint"};
    for (size_t i = 0; i < ARRAY_SIZE(same); i++)
        if (strcmp(intrinsic->name, same[i]) == 0)
            return args[0];
    if (strcmp(intrinsic->name, "pow") == 0 && ir_dtype_is_int(dtype))
        return integer_power(cg, dtype, args);
    return NULL;
}

bool cg_intrinsic_is_known(const char *name, unsigned arg_count)
{
    return find(name, arg_count) != NULL;
}

bool cg_intrinsic_has_lanes(const char *name, unsigned arg_count)
{
    const struct intrinsic *intrinsic = find(name, arg_count);
    if (strcmp(name, "if_then_else") == 0)
        return true;
    return intrinsic && !intrinsic->is_math && intrinsic->emit != emit_sigmoid;
}

LLVMValueRef cg_intrinsic(struct cg *cg, const struct ir_expr *e, LLVMValueRef *args)
{
    const struct intrinsic *intrinsic = find(e->name, e->operand_count);
    LLVMValueRef result = NULL;
    cg_match_lanes(cg, args, e->operand_count);
    bool is_defined = e->operand_count == 0 || ir_intrinsic_takes(e->name, e->operands[0]->dtype);
    if (!is_defined)
        result = NULL;
    else if (intrinsic && intrinsic->emit)
        result = intrinsic->emit(cg, e, args);
    else if (intrinsic && !is_float(e))
        result = emit_on_integers(cg, intrinsic, e->dtype, args);
    else if (intrinsic && intrinsic->is_math)
        result = cg_call_math(cg, intrinsic->name, args, intrinsic->count);
    else if (intrinsic)
        result = call_llvm(cg, intrinsic->llvm, args, intrinsic->count);
    if (!result || cg_lane_type(result) != cg_register_type(cg, e->dtype)) {
        char buffer[32];
        const char *dtype =
            e->operand_count ? ir_dtype_name(e->operands[0]->dtype, buffer) : "none";
        diag_report(cg->diag, cg->loc, CODEGEN_INTRINSIC, e->name, dtype);
        return NULL;
    }
    return cg_round(cg, e->dtype, result);
}
