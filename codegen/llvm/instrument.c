/*
 * AddressSanitizer in compiled code: of runs that check their memory, where the tool itself is built with
 * it (-Db_sanitize=address).
 *
 * The runtime poisons what is dead and what lies around blocks (runtime/watch.c); every load and store of
 * compiled code then asks first.  Nothing else looks at the addresses that kernels really make: tails
 * of vectors, strides, loads that read too far.
 */
#include "codegen/llvm/internal.h"

#include <llvm-c/Transforms/PassBuilder.h>

#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define IS_SANITIZED true
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define IS_SANITIZED true
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED false
#endif

bool cg_is_instrumented(const struct codegen *codegen)
{
    return IS_SANITIZED && codegen->options.checks_memory;
}

/* What registers constants with the sanitizer; the loader runs no constructors. */
static void drop_constructors(LLVMModuleRef llvm)
{
    static const char *const lists[] = {"llvm.global_ctors", "llvm.global_dtors"};
    static const char *const functions[] = {"asan.module_ctor", "asan.module_dtor"};
    for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
        LLVMValueRef list = LLVMGetNamedGlobal(llvm, lists[i]);
        LLVMValueRef function = LLVMGetNamedFunction(llvm, functions[i]);
        if (list)
            LLVMDeleteGlobal(list);
        if (function)
            LLVMDeleteFunction(function);
    }
}

LLVMErrorRef cg_instrument(LLVMModuleRef llvm, LLVMTargetMachineRef machine)
{
    static const char name[] = "sanitize_address";
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAttributeRef attribute = LLVMCreateEnumAttribute(LLVMGetModuleContext(llvm), kind, 0);
    for (LLVMValueRef f = LLVMGetFirstFunction(llvm); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attribute);
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(llvm, "asan", machine, options);
    LLVMDisposePassBuilderOptions(options);
    drop_constructors(llvm);
    return error;
}

/* Only functions of the sanitizer are looked up by name in the process. */
static int is_sanitizer(void *state, LLVMOrcSymbolStringPoolEntryRef symbol)
{
    static const char prefix[] = "__asan_";
    return strncmp(LLVMOrcSymbolStringPoolEntryStr(symbol), prefix, strlen(prefix)) == 0;
}

bool cg_find_sanitizer(struct codegen *codegen)
{
    LLVMOrcDefinitionGeneratorRef generator = NULL;
    char prefix = LLVMOrcLLJITGetGlobalPrefix(codegen->jit);
    LLVMErrorRef error = LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(&generator, prefix,
                                                                              is_sanitizer, NULL);
    if (!cg_check_error(codegen, error))
        return false;
    LLVMOrcJITDylibAddGenerator(LLVMOrcLLJITGetMainJITDylib(codegen->jit), generator);
    return true;
}
