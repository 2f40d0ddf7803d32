/*
 * Loads of lanes that lie anywhere, where they lie near each other when the program runs: as resized images, repeated and
 * sampled elements do.  What is near is seen of the addresses themselves, so it does not matter where they come from.
 *
 *     start = min(offset of the first lane, elements - lanes)
 *     if all lanes have 0 <= offset - start < lanes:
 *         the vector at start, of which each lane takes element offset - start
 *     else each lane by itself
 *
 * Some elements that no lane asks for are loaded; all of them are in the buffer.
 */
#include "codegen/llvm/kernel.h"

#define BUILD(what, ...) LLVMBuild##what(cg->builder, __VA_ARGS__, "")

/* Instructions that put elements of one register into any order. */
struct permutation {
    enum target_feature feature;
    unsigned lanes, bytes; /* of an element; narrower ones are widened */
    const char *name;
};

static const struct permutation permutations[] = {
    {TARGET_AVX512F, 16, 4, "llvm.x86.avx512.permvar.si.512"},
    {TARGET_AVX512F, 8, 8, "llvm.x86.avx512.permvar.di.512"},
    {TARGET_AVX2, 8, 4, "llvm.x86.avx2.permd"},
};

static const struct permutation *find_permutation(const struct cg *cg, unsigned lanes,
                                                  unsigned bytes)
{
    const struct target *target = &cg->codegen->options.target;

    for (size_t i = 0; i < ARRAY_SIZE(permutations); i++) {
        const struct permutation *p = &permutations[i];
        bool fits = bytes <= p->bytes && (bytes > 4) == (p->bytes > 4);

        if (target->machine == TARGET_X86_64 && target_has(target, p->feature) &&
            p->lanes == lanes && fits)
            return p;
    }
    return NULL;
}

/* Elements of a buffer without strides. */
static LLVMValueRef element_count(struct cg *cg, const struct cg_buffer *view)
{
    LLVMValueRef count = cg_i64(cg, 1);

    for (unsigned i = 0; i < view->buffer->ndim; i++)
        count = BUILD(Mul, count, view->dims[i]);
    return count;
}

/* Offsets of elements that 31 bits can count are held against each other in 32: as many in one register. */
static LLVMTypeRef distance_type(struct cg *cg, LLVMValueRef count)
{
    bool is_small = LLVMIsAConstantInt(count) && LLVMConstIntGetSExtValue(count) <= INT32_MAX;

    return is_small ? cg->i32 : cg->i64;
}

static LLVMValueRef cast_to(struct cg *cg, LLVMValueRef value, LLVMTypeRef type)
{
    return LLVMBuildIntCast2(cg->builder, value, type, false, "");
}

static LLVMValueRef load_permuted(struct cg *cg, const struct permutation *p, LLVMTypeRef element,
                                  LLVMValueRef pointer, unsigned bytes, LLVMValueRef distances)
{
    LLVMTypeRef lane = LLVMIntTypeInContext(cg->context, 8 * p->bytes);
    LLVMTypeRef bits = LLVMVectorType(LLVMIntTypeInContext(cg->context, 8 * bytes), p->lanes);
    LLVMTypeRef wide = LLVMVectorType(lane, p->lanes);
    LLVMValueRef load = cg_load(cg, bits, pointer);

    LLVMSetAlignment(load, bytes);
    LLVMValueRef args[] = {BUILD(ZExt, load, wide), cast_to(cg, distances, wide)};
    LLVMValueRef result = cg_call_intrinsic(cg, p->name, NULL, 0, args, 2);
    return BUILD(BitCast, BUILD(Trunc, result, bits), LLVMVectorType(element, p->lanes));
}

bool cg_window_begin(struct cg_body *body, const struct cg_buffer *view, LLVMTypeRef element,
                     LLVMValueRef offsets, struct cg_window *out)
{
    struct cg *cg = body->cg;
    unsigned lanes = body->vector->lanes, bytes = ir_dtype_bytes(view->buffer->dtype);
    const struct permutation *p = find_permutation(cg, lanes, bytes);

    /* Under a mask of its own the first lane may not run, and be anywhere. */
    if (!p || view->strides || body->vector->mask != body->vector->rest)
        return false;
    LLVMValueRef size = cg_i64(cg, lanes), count = element_count(cg, view);
    LLVMValueRef last = BUILD(Sub, count, size), first = cg_lane(cg, offsets, 0);
    LLVMValueRef start = BUILD(Select, cg_compare(cg, LLVMIntSLT, first, last), first, last);
    LLVMTypeRef type = distance_type(cg, count);
    LLVMValueRef from = cg_splat(cg, cast_to(cg, start, type), lanes);
    LLVMValueRef distances = BUILD(Sub, cast_to(cg, offsets, LLVMVectorType(type, lanes)), from);
    LLVMValueRef is_far = cg_compare(cg, LLVMIntUGE, distances, cg_int_like(distances, lanes));
    if (body->vector->mask)
        is_far = BUILD(And, is_far, body->vector->mask);
    LLVMValueRef is_near =
        BUILD(And, BUILD(Not, cg_any(cg, is_far)), cg_compare(cg, LLVMIntSGE, count, size));
    LLVMBasicBlockRef near = cg_block(cg, "near"), far = cg_block(cg, "far");
    out->end = cg_block(cg, "");
    cg_branch(cg, is_near, near, far);
    cg_at(cg, near);
    LLVMValueRef pointer = LLVMBuildGEP2(cg->builder, element, view->data, &start, 1, "");
    out->near_value = load_permuted(cg, p, element, pointer, bytes, distances);
    out->near = near;
    cg_goto(cg, out->end);
    cg_at(cg, far);
    return true;
}

LLVMValueRef cg_window_end(struct cg *cg, const struct cg_window *window, LLVMValueRef far_value)
{
    LLVMBasicBlockRef blocks[] = {window->near, LLVMGetInsertBlock(cg->builder)};
    LLVMValueRef values[] = {window->near_value, far_value};

    cg_goto(cg, window->end);
    cg_at(cg, window->end);
    LLVMValueRef phi = BUILD(Phi, LLVMTypeOf(far_value));
    LLVMAddIncoming(phi, values, blocks, 2);
    return phi;
}
