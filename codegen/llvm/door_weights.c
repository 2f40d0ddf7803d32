/*
 * Weights in a file beside an artifact: the functions that open it, and where code finds its tensors.
 *
 *     int32_t PREFIX_open(weights, path, error)
 *     int32_t PREFIX_use(weights, file, bytes, error)
 *     void PREFIX_close(weights)
 *
 * What they do stands in runtime/artifact/weights.h.  A run has the weights in its frame.
 */
#include "codegen/llvm/door.h"

#include <string.h>

static LLVMValueRef pointer_global(struct cg *cg, const char *name, LLVMValueRef value,
                                   bool is_constant)
{
    LLVMValueRef global = LLVMGetNamedGlobal(cg->unit->llvm, name);

    if (global)
        return global;
    global = LLVMAddGlobal(cg->unit->llvm, LLVMTypeOf(value), name);
    LLVMSetInitializer(global, value);
    LLVMSetGlobalConstant(global, is_constant);
    LLVMSetLinkage(global, LLVMInternalLinkage);
    return global;
}

/* A struct inlay_weights_wanted. */
static LLVMValueRef wanted(struct cg *cg)
{
    const struct codegen_weights *weights = cg->codegen->artifact->weights;
    LLVMValueRef fields[] = {cg_string(cg, atom_intern_text(&cg->ir->atoms, weights->file)),
                             cg_i64(cg, (int64_t)weights->bytes),
                             cg_i64(cg, (int64_t)weights->head),
                             cg_i64(cg, (int64_t)weights->identity)};

    return pointer_global(cg, "inlay_weights_wanted",
                          LLVMConstStructInContext(cg->context, fields, ARRAY_SIZE(fields), false),
                          true);
}

LLVMValueRef cg_bind_weights(struct cg *cg, LLVMValueRef frame, LLVMValueRef weights)
{
    LLVMValueRef args[] = {frame, wanted(cg), weights};

    return cg_call_runtime(cg, CG_inlay_weights_bind, args, ARRAY_SIZE(args));
}

LLVMValueRef cg_find_weights(struct cg *cg, LLVMValueRef frame)
{
    LLVMValueRef opened = pointer_global(cg, "inlay_weights_opened", LLVMConstNull(cg->ptr), false);
    LLVMValueRef args[] = {frame, wanted(cg), opened};

    return cg_call_runtime(cg, CG_inlay_weights_find, args, ARRAY_SIZE(args));
}

LLVMValueRef cg_constant_data(struct cg *cg, const struct ir_constant *constant)
{
    const struct codegen_artifact *artifact = cg->codegen->artifact;
    uintptr_t place =
        artifact && artifact->weights ? (uintptr_t)map_get(artifact->weights->places, constant) : 0;

    if (!place)
        return cg_constant(cg, constant);
    return cg_element(cg, cg->i8, cg_call_runtime(cg, CG_inlay_weights_base, &cg->frame, 1),
                      cg_i64(cg, (int64_t)place - 1));
}

/* --- doors --- */

/* (weights, @types.., error): @which with the frame and what is wanted in front, and without the error. */
static void emit_door(struct cg *cg, const char *name, int which, LLVMTypeRef *types,
                      unsigned count)
{
    LLVMValueRef door = cg_door_function(cg, name, cg->i32, types, count, true), args[8];

    cg_door_begin(cg, door);
    args[0] = cg_open_frame(cg, LLVMGetParam(door, count - 1));
    args[1] = wanted(cg);
    for (unsigned i = 0; i + 1 < count; i++)
        args[2 + i] = LLVMGetParam(door, i);
    cg_call_runtime(cg, which, args, count + 1);
    LLVMBuildRet(cg->builder, cg_call_runtime(cg, CG_inlay_artifact_status, args, 1));
}

void cg_emit_weights(struct cg *cg, const struct codegen_weights *weights)
{
    LLVMTypeRef open[] = {cg->ptr, cg->ptr, cg->ptr}, use[] = {cg->ptr, cg->ptr, cg->size, cg->ptr};

    if (cg->size == cg->i64) /* there are files */
        emit_door(cg, arena_printf(&cg->arena, "%s_open", weights->prefix), CG_inlay_weights_open,
                  open, ARRAY_SIZE(open));
    emit_door(cg, arena_printf(&cg->arena, "%s_use", weights->prefix), CG_inlay_weights_use, use,
              ARRAY_SIZE(use));
    LLVMValueRef close = cg_door_function(cg, arena_printf(&cg->arena, "%s_close", weights->prefix),
                                          cg->nothing, open, 1, true);
    LLVMValueRef given = LLVMGetParam(close, 0);

    cg_door_begin(cg, close);
    cg_call_runtime(cg, CG_inlay_weights_close, &given, 1);
    LLVMBuildRetVoid(cg->builder);
}
