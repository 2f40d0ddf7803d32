/*
 * T.dot4(a, b, c): c and the products of the four bytes of the words a and b, which have signs where the words do
 * (int32) and none where they do not (uint32).
 *
 *   u8 x s8   one instruction of AVX-512 VNNI, AVX-VNNI, or NEON with i8mm
 *   s8 x s8, u8 x u8   one of NEON with dot products; u8 x s8 too, moved by 128 and set right
 *   else on x86   bytes widened to 16 bits, the even and the odd ones, and two sums of pairs of products.  Sums of
 *                 pairs of bytes (vpmaddubsw) saturate, so they are none
 *   else      widened to 32 bits
 *
 * All of them wrap in 32 bits, so the bits are the same.
 */
#include "codegen/llvm/internal.h"

#define BUILD(what, ...) LLVMBuild##what(cg->builder, __VA_ARGS__, "")

struct dot {
    LLVMValueRef a, b, c;
    bool a_signed, b_signed;
    unsigned lanes;
};

static bool has(const struct cg *cg, enum target_feature feature)
{
    return target_has(&cg->codegen->options.target, feature);
}

static LLVMValueRef as_vector(struct cg *cg, LLVMValueRef value, unsigned bits, unsigned lanes)
{
    return BUILD(BitCast, value, LLVMVectorType(LLVMIntTypeInContext(cg->context, bits), lanes));
}

/* Byte @i of each word, widened. */
static LLVMValueRef byte_of(struct cg *cg, LLVMValueRef word, unsigned i, bool is_signed)
{
    LLVMValueRef high = cg_int_like(word, 24);
    LLVMValueRef byte = i < 3 ? BUILD(Shl, word, cg_int_like(word, 24 - 8 * (int64_t)i)) : word;

    return is_signed ? BUILD(AShr, byte, high) : BUILD(LShr, byte, high);
}

static LLVMValueRef widened(struct cg *cg, const struct dot *d)
{
    LLVMValueRef sum = d->c;

    for (unsigned i = 0; i < 4; i++)
        sum =
            BUILD(Add, sum,
                  BUILD(Mul, byte_of(cg, d->a, i, d->a_signed), byte_of(cg, d->b, i, d->b_signed)));
    return sum;
}

/* The even (0) or odd (1) bytes, as halves of 16 bits. */
static LLVMValueRef halves(struct cg *cg, LLVMValueRef word, unsigned odd, bool is_signed,
                           unsigned lanes)
{
    LLVMValueRef pairs = as_vector(cg, word, 16, 2 * lanes), eight = cg_int_like(pairs, 8);

    if (!odd && !is_signed)
        return BUILD(And, pairs, cg_int_like(pairs, 0xff));
    if (!odd)
        pairs = BUILD(Shl, pairs, eight);
    return is_signed ? BUILD(AShr, pairs, eight) : BUILD(LShr, pairs, eight);
}

static LLVMValueRef in_pairs(struct cg *cg, const struct dot *d, const char *name)
{
    LLVMValueRef sum = d->c;

    for (unsigned odd = 0; odd < 2; odd++) {
        LLVMValueRef args[] = {halves(cg, d->a, odd, d->a_signed, d->lanes),
                               halves(cg, d->b, odd, d->b_signed, d->lanes)};
        sum = BUILD(Add, sum, cg_call_intrinsic(cg, name, NULL, 0, args, 2));
    }
    return sum;
}

static LLVMValueRef on_x86(struct cg *cg, struct dot d)
{
    bool is_mixed = d.a_signed != d.b_signed;
    bool has_vnni = (has(cg, TARGET_AVX512VNNI) && has(cg, TARGET_AVX512VL)) ||
                    (d.lanes < 16 && has(cg, TARGET_AVXVNNI));
    const char *name = d.lanes == 16  ? "llvm.x86.avx512.vpdpbusd.512"
                       : d.lanes == 8 ? "llvm.x86.avx512.vpdpbusd.256"
                                      : "llvm.x86.avx512.vpdpbusd.128";

    if (is_mixed && has_vnni) {
        LLVMValueRef args[] = {d.c, d.a_signed ? d.b : d.a, d.a_signed ? d.a : d.b};
        return cg_call_intrinsic(cg, name, NULL, 0, args, 3);
    }
    if (d.lanes == 16 && has(cg, TARGET_AVX512BW))
        return in_pairs(cg, &d, "llvm.x86.avx512.pmaddw.d.512");
    if (d.lanes == 8 && has(cg, TARGET_AVX2))
        return in_pairs(cg, &d, "llvm.x86.avx2.pmadd.wd");
    return d.lanes == 4 ? in_pairs(cg, &d, "llvm.x86.sse2.pmadd.wd") : widened(cg, &d);
}

static LLVMValueRef neon(struct cg *cg, const char *name, LLVMValueRef c, LLVMValueRef a,
                         LLVMValueRef b)
{
    LLVMTypeRef types[] = {LLVMVectorType(cg->i32, 4),
                           LLVMVectorType(LLVMIntTypeInContext(cg->context, 8), 16)};
    LLVMValueRef args[] = {c, as_vector(cg, a, 8, 16), as_vector(cg, b, 8, 16)};

    return cg_call_intrinsic(cg, name, types, 2, args, 3);
}

/* (a - 128) * b + 128 * b: the second sum is that of a column, which its rows share. */
static LLVMValueRef on_neon(struct cg *cg, struct dot d)
{
    static const char *const sdot = "llvm.aarch64.neon.sdot";
    LLVMValueRef a = d.a_signed ? d.b : d.a, b = d.a_signed ? d.a : d.b;
    LLVMValueRef sign = cg_int_like(a, 0x80808080);

    if (d.a_signed == d.b_signed)
        return neon(cg, d.a_signed ? sdot : "llvm.aarch64.neon.udot", d.c, d.a, d.b);
    if (has(cg, TARGET_I8MM))
        return neon(cg, "llvm.aarch64.neon.usdot", d.c, a, b);
    return BUILD(Sub, neon(cg, sdot, d.c, BUILD(Xor, a, sign), b),
                 neon(cg, sdot, cg_int_like(b, 0), sign, b));
}

LLVMValueRef cg_dot4(struct cg *cg, const struct ir_expr *e, LLVMValueRef *args)
{
    struct dot d = {args[0], args[1], args[2], .lanes = cg_lane_count(args[0])};

    for (unsigned i = 0; i < 3; i++)
        if (!ir_dtype_is_int(e->operands[i]->dtype) || e->operands[i]->dtype.bits != 32)
            return NULL;
    d.a_signed = e->operands[0]->dtype.code == IR_INT;
    d.b_signed = e->operands[1]->dtype.code == IR_INT;
    enum target_machine machine = cg->codegen->options.target.machine;
    if (machine == TARGET_X86_64 && (d.lanes == 4 || d.lanes == 8 || d.lanes == 16))
        return on_x86(cg, d);
    if (machine == TARGET_AARCH64 && d.lanes == 4 && has(cg, TARGET_DOTPROD))
        return on_neon(cg, d);
    return widened(cg, &d);
}
