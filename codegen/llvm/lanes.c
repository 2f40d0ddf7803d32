/* Values as vectors: types, constants, splats and single lanes. */
#include "codegen/llvm/internal.h"

#define BUILD(what, ...) LLVMBuild##what(cg->builder, __VA_ARGS__, "")

enum { LANE_LIMIT = 256 };

static bool is_vector(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind;
}

unsigned cg_lane_count(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    return is_vector(type) ? LLVMGetVectorSize(type) : 1;
}

LLVMTypeRef cg_lane_type(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    return is_vector(type) ? LLVMGetElementType(type) : type;
}

LLVMTypeRef cg_vector_type(LLVMTypeRef lane, unsigned lanes)
{
    return lanes == 1 ? lane : LLVMVectorType(lane, lanes);
}

LLVMTypeRef cg_type_like(LLVMValueRef value, LLVMTypeRef lane)
{
    return cg_vector_type(lane, cg_lane_count(value));
}

LLVMValueRef cg_int_of(LLVMTypeRef type, int64_t constant)
{
    if (!is_vector(type))
        return LLVMConstInt(type, (uint64_t)constant, true);
    LLVMValueRef lanes[LANE_LIMIT];
    unsigned count = LLVMGetVectorSize(type);
    assert(count <= LANE_LIMIT);
    for (unsigned i = 0; i < count; i++)
        lanes[i] = LLVMConstInt(LLVMGetElementType(type), (uint64_t)constant, true);
    return LLVMConstVector(lanes, count);
}

LLVMValueRef cg_int_like(LLVMValueRef value, int64_t constant)
{
    return cg_int_of(LLVMTypeOf(value), constant);
}

LLVMValueRef cg_splat(struct cg *cg, LLVMValueRef value, unsigned lanes)
{
    if (lanes == 1 || cg_lane_count(value) == lanes)
        return value;
    LLVMValueRef one = cg_set_lane(cg, NULL, value, 0, lanes);
    LLVMValueRef zeros = LLVMConstNull(LLVMVectorType(cg->i32, lanes));
    return BUILD(ShuffleVector, one, LLVMGetPoison(LLVMTypeOf(one)), zeros);
}

void cg_match_lanes(struct cg *cg, LLVMValueRef *values, unsigned count)
{
    unsigned lanes = 1;
    for (unsigned i = 0; i < count; i++)
        if (cg_lane_count(values[i]) > 1)
            lanes = cg_lane_count(values[i]);
    for (unsigned i = 0; i < count; i++)
        values[i] = cg_splat(cg, values[i], lanes);
}

LLVMValueRef cg_lane(struct cg *cg, LLVMValueRef value, unsigned lane)
{
    return cg_lane_count(value) == 1 ? value : BUILD(ExtractElement, value, cg_i32(cg, lane));
}

LLVMValueRef cg_set_lane(struct cg *cg, LLVMValueRef vector, LLVMValueRef value, unsigned lane,
                         unsigned lanes)
{
    if (lanes == 1)
        return value;
    if (!vector)
        vector = LLVMGetPoison(LLVMVectorType(LLVMTypeOf(value), lanes));
    return BUILD(InsertElement, vector, value, cg_i32(cg, lane));
}

LLVMValueRef cg_iota(struct cg *cg, LLVMTypeRef lane, unsigned lanes, int64_t step)
{
    LLVMValueRef items[LANE_LIMIT];
    assert(lanes <= LANE_LIMIT);
    for (unsigned i = 0; i < lanes; i++)
        items[i] = LLVMConstInt(lane, (uint64_t)step * i, true);
    return lanes == 1 ? items[0] : LLVMConstVector(items, lanes);
}

LLVMValueRef cg_any(struct cg *cg, LLVMValueRef mask)
{
    if (cg_lane_count(mask) == 1)
        return mask;
    LLVMTypeRef type = LLVMTypeOf(mask);
    return cg_call_intrinsic(cg, "llvm.vector.reduce.or", &type, 1, &mask, 1);
}
