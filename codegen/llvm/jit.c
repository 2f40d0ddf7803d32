/*
 * Loads the object into this process with ORC.
 *
 * The RTDyld layer is used because gdb and perf learn from it what was loaded; perf from a file, which is
 * written only where JITDUMPDIR names a folder for it.  Addresses of the runtime
 * and the C library are given one by one, so that nothing but a sanitizer (instrument.c)
 * is looked up by name in the process.
 */
#include "base/memory.h"
#include "codegen/llvm/internal.h"

#include <llvm-c/ExecutionEngine.h>
#include <llvm-c/OrcEE.h>

#include <stdlib.h>

static LLVMOrcObjectLayerRef create_layer(void *state, LLVMOrcExecutionSessionRef session,
                                          const char *triple)
{
    LLVMOrcObjectLayerRef layer =
        LLVMOrcCreateRTDyldObjectLinkingLayerWithMCJITMemoryManagerLikeCallbacks(
            session, state, cg_jit_memory_create, cg_jit_memory_ended, cg_jit_memory_code,
            cg_jit_memory_data, cg_jit_memory_finalize, cg_jit_memory_destroy);
    LLVMJITEventListenerRef listeners[] = {LLVMCreateGDBRegistrationListener(),
                                           getenv("JITDUMPDIR") ? LLVMCreatePerfJITEventListener()
                                                                : NULL};
    for (size_t i = 0; i < ARRAY_SIZE(listeners); i++)
        if (listeners[i])
            LLVMOrcRTDyldObjectLinkingLayerRegisterJITEventListener(layer, listeners[i]);
    return layer;
}

static void add_symbol(LLVMOrcLLJITRef jit, const char *name, uint64_t address,
                       LLVMOrcCSymbolMapPair *out)
{
    LLVMJITSymbolFlags flags = {LLVMJITSymbolGenericFlagsExported, 0};
    out->Name = LLVMOrcLLJITMangleAndIntern(jit, name);
    out->Sym.Address = address;
    out->Sym.Flags = flags;
}

static bool define_symbols(struct codegen *codegen)
{
    struct cg_symbol symbols[CG_SYMBOL_LIMIT];
    size_t fixed = cg_symbols(symbols), count = fixed + codegen->outside.count;
    struct arena arena = {0};
    LLVMOrcCSymbolMapPair *pairs = arena_array(&arena, LLVMOrcCSymbolMapPair, count);
    for (size_t i = 0; i < fixed; i++)
        add_symbol(codegen->jit, symbols[i].name, symbols[i].address, &pairs[i]);
    for (size_t i = 0; i < codegen->outside.count; i++) {
        const struct codegen_constant *constant = &codegen->outside.items[i];
        const char *name = arena_printf(&arena, CG_CONSTANT_PREFIX "%u", constant->index);
        add_symbol(codegen->jit, name, (uint64_t)(uintptr_t)constant->data, &pairs[fixed + i]);
    }
    /* Takes over the names. */
    LLVMOrcMaterializationUnitRef unit = LLVMOrcAbsoluteSymbols(pairs, count);
    LLVMErrorRef error = LLVMOrcJITDylibDefine(LLVMOrcLLJITGetMainJITDylib(codegen->jit), unit);
    arena_finish(&arena);
    if (error)
        LLVMOrcDisposeMaterializationUnit(unit);
    return cg_check_error(codegen, error);
}

bool cg_jit_load(struct codegen *codegen)
{
    if (codegen->jit)
        return true;
    LLVMOrcLLJITBuilderRef builder = LLVMOrcCreateLLJITBuilder();
    LLVMOrcLLJITBuilderSetObjectLinkingLayerCreator(builder, create_layer, codegen);
    /* Takes over the builder. */
    if (!cg_check_error(codegen, LLVMOrcCreateLLJIT(&codegen->jit, builder))) {
        codegen->jit = NULL;
        return false;
    }
    if (!define_symbols(codegen) || (cg_is_instrumented(codegen) && !cg_find_sanitizer(codegen)))
        return false;
    codegen->code_memory = cg_jit_memory_reserve(codegen->object);
    if (!codegen->code_memory)
        memory_short();
    LLVMMemoryBufferRef copy = LLVMCreateMemoryBufferWithMemoryRangeCopy(
        LLVMGetBufferStart(codegen->object), LLVMGetBufferSize(codegen->object), "inlay");
    /* Takes over the copy. */
    LLVMErrorRef error =
        LLVMOrcLLJITAddObjectFile(codegen->jit, LLVMOrcLLJITGetMainJITDylib(codegen->jit), copy);
    return cg_check_error(codegen, error);
}

void cg_jit_finish(struct codegen *codegen)
{
    if (codegen->jit)
        LLVMConsumeError(LLVMOrcDisposeLLJIT(codegen->jit));
    codegen->jit = NULL;
    cg_jit_memory_destroy(codegen->code_memory);
    codegen->code_memory = NULL;
}
