/* The vocabulary for emitting LLVM code: one short function a word. */
#include "codegen/llvm/internal.h"

#include <string.h>

static LLVMTypeRef type_of_letter(struct cg *cg, char letter)
{
    switch (letter) {
    case 'P':
        return cg->ptr;
    case 'L':
        return cg->i64;
    case 'Z':
        return cg->size;
    case 'I':
        return cg->i32;
    case 'V':
        return cg->nothing;
    default:
        UNREACHABLE("letter in runtime.def");
    }
}

static LLVMTypeRef runtime_type(struct cg *cg, const char *result, const char *params)
{
    LLVMTypeRef types[8];
    unsigned count = 0;
    bool is_variadic = false;
    for (const char *p = params; *p; p++) {
        if (*p == '.')
            is_variadic = true;
        else
            types[count++] = type_of_letter(cg, *p);
    }
    return LLVMFunctionType(type_of_letter(cg, result[0]), types, count, is_variadic);
}

/* Declared in a unit when it is first called there. */
static LLVMValueRef runtime_function(struct cg *cg, enum cg_runtime which)
{
    static const char *const names[] = {
#define RUNTIME(name, result, params)  #name,
#define ARTIFACT(name, result, params) #name,
#include "codegen/llvm/runtime.def"
    };
    LLVMValueRef *function = &cg->unit->runtime[which];

    if (*function)
        return *function;
    *function = LLVMAddFunction(cg->unit->llvm, names[which], cg->runtime_types[which]);
    cg_add_attribute(cg, *function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, "nounwind", 0);
    if (which == CG_inlay_alloc || which == CG_inlay_alloc_storage ||
        which == CG_inlay_stack_take || which == CG_inlay_result_take)
        cg_add_attribute(cg, *function, 0, "noalias", 0); /* fresh storage */
    return *function;
}

void cg_init_types(struct cg *cg)
{
    LLVMContextRef context = cg->context;
    cg->i1 = LLVMInt1TypeInContext(context);
    cg->i8 = LLVMInt8TypeInContext(context);
    cg->i16 = LLVMInt16TypeInContext(context);
    cg->i32 = LLVMInt32TypeInContext(context);
    cg->i64 = LLVMInt64TypeInContext(context);
    cg->size = cg->codegen->options.target.machine == TARGET_WASM32 ? cg->i32 : cg->i64;
    cg->f32 = LLVMFloatTypeInContext(context);
    cg->f64 = LLVMDoubleTypeInContext(context);
    cg->ptr = LLVMPointerTypeInContext(context, 0);
    cg->nothing = LLVMVoidTypeInContext(context);
    /* data, device type, device id, ndim, dtype (as one int32), shape, strides, byte_offset */
    LLVMTypeRef tensor[] = {cg->ptr, cg->i32, cg->i32, cg->i32, cg->i32, cg->ptr, cg->ptr, cg->i64};
    cg->tensor_type = LLVMStructTypeInContext(context, tensor, ARRAY_SIZE(tensor), false);
    LLVMTypeRef value[] = {cg->i32, cg->i32, cg->i64};
    cg->value_type = LLVMStructTypeInContext(context, value, ARRAY_SIZE(value), false);
    LLVMTypeRef shape[] = {cg->ptr, cg->size};
    cg->shape_type = LLVMStructTypeInContext(context, shape, ARRAY_SIZE(shape), false);
#define RUNTIME(name, result, params) \
    cg->runtime_types[CG_##name] = runtime_type(cg, result, params);
#define ARTIFACT(name, result, params) \
    cg->runtime_types[CG_##name] = runtime_type(cg, result, params);
#include "codegen/llvm/runtime.def"
}

LLVMValueRef cg_i32(struct cg *cg, int64_t value)
{
    return LLVMConstInt(cg->i32, (uint64_t)value, true);
}

LLVMValueRef cg_i64(struct cg *cg, int64_t value)
{
    return LLVMConstInt(cg->i64, (uint64_t)value, true);
}

LLVMValueRef cg_string(struct cg *cg, const char *text)
{
    LLVMValueRef known = map_get(&cg->unit->strings, text);
    if (known)
        return known;
    LLVMValueRef data = LLVMConstStringInContext2(cg->context, text, strlen(text), false);
    LLVMValueRef global = LLVMAddGlobal(cg->unit->llvm, LLVMTypeOf(data), "");
    LLVMSetInitializer(global, data);
    LLVMSetGlobalConstant(global, true);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
    LLVMSetAlignment(global, 1);
    map_set(&cg->unit->strings, text, global);
    return global;
}

LLVMBasicBlockRef cg_block(struct cg *cg, const char *name)
{
    return LLVMAppendBasicBlockInContext(cg->context, cg->function, name);
}

bool cg_is_terminated(struct cg *cg)
{
    return LLVMGetBasicBlockTerminator(LLVMGetInsertBlock(cg->builder)) != NULL;
}

void cg_goto(struct cg *cg, LLVMBasicBlockRef block)
{
    if (!cg_is_terminated(cg))
        LLVMBuildBr(cg->builder, block);
}

void cg_branch(struct cg *cg, LLVMValueRef condition, LLVMBasicBlockRef then_block,
               LLVMBasicBlockRef else_block)
{
    LLVMBuildCondBr(cg->builder, condition, then_block, else_block);
}

void cg_at(struct cg *cg, LLVMBasicBlockRef block)
{
    LLVMPositionBuilderAtEnd(cg->builder, block);
}

LLVMValueRef cg_compare(struct cg *cg, LLVMIntPredicate predicate, LLVMValueRef a, LLVMValueRef b)
{
    return LLVMBuildICmp(cg->builder, predicate, a, b, "");
}

LLVMValueRef cg_alloca(struct cg *cg, LLVMTypeRef type, unsigned align)
{
    LLVMBasicBlockRef here = LLVMGetInsertBlock(cg->builder);
    LLVMMetadataRef place = LLVMGetCurrentDebugLocation2(cg->builder);
    cg_at(cg, cg->allocas);
    LLVMSetCurrentDebugLocation2(cg->builder, NULL);
    LLVMValueRef slot = LLVMBuildAlloca(cg->builder, type, "");
    if (align)
        LLVMSetAlignment(slot, align);
    cg_at(cg, here);
    LLVMSetCurrentDebugLocation2(cg->builder, place);
    return slot;
}

LLVMValueRef cg_element(struct cg *cg, LLVMTypeRef type, LLVMValueRef pointer, LLVMValueRef index)
{
    return LLVMBuildInBoundsGEP2(cg->builder, type, pointer, &index, 1, "");
}

LLVMValueRef cg_field(struct cg *cg, LLVMTypeRef type, LLVMValueRef pointer, unsigned field)
{
    return LLVMBuildStructGEP2(cg->builder, type, pointer, field, "");
}

LLVMValueRef cg_load(struct cg *cg, LLVMTypeRef type, LLVMValueRef pointer)
{
    return LLVMBuildLoad2(cg->builder, type, pointer, "");
}

void cg_store(struct cg *cg, LLVMValueRef value, LLVMValueRef pointer)
{
    LLVMBuildStore(cg->builder, value, pointer);
}

LLVMValueRef cg_call_runtime(struct cg *cg, enum cg_runtime which, LLVMValueRef *args,
                             unsigned count)
{
    return LLVMBuildCall2(cg->builder, cg->runtime_types[which], runtime_function(cg, which), args,
                          count, "");
}

LLVMValueRef cg_call_intrinsic(struct cg *cg, const char *name, LLVMTypeRef *types,
                               unsigned type_count, LLVMValueRef *args, unsigned arg_count)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    assert(id != 0);
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(cg->unit->llvm, id, types, type_count);
    LLVMTypeRef type = LLVMIntrinsicGetType(cg->context, id, types, type_count);
    return LLVMBuildCall2(cg->builder, type, function, args, arg_count, "");
}

LLVMValueRef cg_is_likely(struct cg *cg, LLVMValueRef condition)
{
    LLVMValueRef args[] = {condition, LLVMConstInt(cg->i1, 1, false)};
    return cg_call_intrinsic(cg, "llvm.expect", &cg->i1, 1, args, 2);
}

void cg_check_status(struct cg *cg, LLVMValueRef status)
{
    LLVMBasicBlockRef next = cg_block(cg, "");
    cg_branch(cg, cg_compare(cg, LLVMIntEQ, status, cg_i32(cg, 0)), next, cg_fail_block(cg));
    cg_at(cg, next);
}

void cg_check_pointer(struct cg *cg, LLVMValueRef pointer)
{
    LLVMBasicBlockRef next = cg_block(cg, "");
    LLVMValueRef is_null = LLVMBuildIsNull(cg->builder, pointer, "");
    cg_branch(cg, is_null, cg_fail_block(cg), next);
    cg_at(cg, next);
}

/* @branch nearly always goes to its first block, or to its second. */
static void weigh(struct cg *cg, LLVMValueRef branch, bool is_first)
{
    unsigned kind_id = LLVMGetMDKindIDInContext(cg->context, "prof", 4);
    LLVMMetadataRef weights[] = {
        LLVMMDStringInContext2(cg->context, "branch_weights", 14),
        LLVMValueAsMetadata(cg_i32(cg, is_first ? 1 << 20 : 1)),
        LLVMValueAsMetadata(cg_i32(cg, is_first ? 1 : 1 << 20)),
    };
    LLVMSetMetadata(
        branch, kind_id,
        LLVMMetadataAsValue(cg->context, LLVMMDNodeInContext2(cg->context, weights, 3)));
}

void cg_branch_rarely(struct cg *cg, LLVMValueRef condition, LLVMBasicBlockRef then_block,
                      LLVMBasicBlockRef else_block)
{
    weigh(cg, LLVMBuildCondBr(cg->builder, condition, then_block, else_block), false);
}

LLVMBasicBlockRef cg_check_begin(struct cg *cg, LLVMValueRef condition)
{
    LLVMBasicBlockRef bad = cg_block(cg, "bad");
    LLVMBasicBlockRef good = cg_block(cg, "");
    weigh(cg, LLVMBuildCondBr(cg->builder, condition, good, bad), true);
    cg_at(cg, bad);
    return good;
}

void cg_check_end(struct cg *cg, LLVMBasicBlockRef good, enum inlay_error_kind kind,
                  const char *format, LLVMValueRef *args, unsigned count)
{
    enum { LIMIT = 8 };
    assert(count <= LIMIT);
    const char *atom = atom_intern_text(&cg->ir->atoms, format);
    LLVMValueRef all[4 + LIMIT] = {cg->frame, cg_i32(cg, kind), cg_line(cg), cg_string(cg, atom)};
    for (unsigned i = 0; i < count; i++)
        all[4 + i] = args[i];
    cg_call_runtime(cg, CG_inlay_fail, all, 4 + count);
    cg_goto(cg, cg_fail_block(cg));
    cg_at(cg, good);
}

void cg_check(struct cg *cg, LLVMValueRef condition, enum inlay_error_kind kind, const char *format,
              LLVMValueRef *args, unsigned count)
{
    if (!LLVMIsAConstantInt(condition) || !LLVMConstIntGetZExtValue(condition))
        cg_check_end(cg, cg_check_begin(cg, condition), kind, format, args, count);
}

void cg_set_location(struct cg *cg, struct location loc)
{
    if (loc.source)
        cg->loc = loc;
    cg_debug_set_location(cg);
}

LLVMValueRef cg_line(struct cg *cg)
{
    return cg_i32(cg, location_line(cg->loc));
}

LLVMAttributeRef cg_attribute(struct cg *cg, const char *name, uint64_t value)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    assert(kind != 0);
    return LLVMCreateEnumAttribute(cg->context, kind, value);
}

void cg_add_attribute(struct cg *cg, LLVMValueRef function, LLVMAttributeIndex index,
                      const char *name, uint64_t value)
{
    LLVMAddAttributeAtIndex(function, index, cg_attribute(cg, name, value));
}
