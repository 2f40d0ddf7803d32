/*
 * What makes a module an artifact: the runtime inside, nothing visible but the doors, and a note of what
 * it is.
 */
#include "codegen/llvm/bitcode.h"
#include "codegen/llvm/internal.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include <string.h>

#define NOTE_SECTION ".inlay"

static bool report(struct codegen *codegen, const char *message)
{
    diag_report(codegen->diag, (struct location){0}, CODEGEN_LLVM, message);
    return false;
}

/* The runtime is made for the processor that the module is for. */
static void drop_target(LLVMModuleRef llvm)
{
    static const char *const names[] = {"target-cpu",  "target-features",
                                        "tune-cpu",    "min-legal-vector-width",
                                        "no-builtins", "frame-pointer"};
    for (LLVMValueRef f = LLVMGetFirstFunction(llvm); f; f = LLVMGetNextFunction(f))
        for (size_t i = 0; i < ARRAY_SIZE(names); i++)
            LLVMRemoveStringAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                             names[i], (unsigned)strlen(names[i]));
}

static bool link_part(struct codegen *codegen, LLVMModuleRef llvm, const struct cg_bitcode *part)
{
    LLVMModuleRef runtime = NULL;
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRange(
        (const char *)part->data, part->size, "runtime", false);
    bool is_bad = LLVMParseBitcodeInContext2(codegen->context, buffer, &runtime);
    LLVMDisposeMemoryBuffer(buffer);
    if (is_bad)
        return report(codegen, "the runtime of artifacts cannot be read");
    LLVMSetTarget(runtime, codegen->triple);
    LLVMSetDataLayout(runtime, codegen->layout);
    drop_target(runtime);
    return !LLVMLinkModules2(llvm, runtime) || /* takes the runtime over */
           report(codegen, "the runtime of artifacts cannot be linked");
}

/* Are loops run by the threads of the artifact, or of its host?  Are there levels to choose from? */
static bool is_wanted(const struct cg_bitcode *part, const struct codegen_artifact *artifact)
{
    bool is_of_threads = strcmp(part->name, "threads") == 0 || strcmp(part->name, "pool") == 0;

    if (strcmp(part->name, "levels") == 0)
        return artifact->level_count > 0;

    return artifact->threads > 1 ? strcmp(part->name, "hosted") != 0 : !is_of_threads;
}

/* What threads.c reads. */
static void say_threads(struct codegen *codegen, LLVMModuleRef llvm, unsigned threads)
{
    LLVMTypeRef type = LLVMInt32TypeInContext(codegen->context);
    LLVMValueRef count = LLVMAddGlobal(llvm, type, "inlay_artifact_threads");

    LLVMSetInitializer(count, LLVMConstInt(type, threads, false));
    LLVMSetGlobalConstant(count, true);
}

static bool link_runtime(struct codegen *codegen, LLVMModuleRef llvm,
                         const struct codegen_artifact *artifact)
{
    bool is_found = false;
    say_threads(codegen, llvm, artifact->threads);
    for (const struct cg_bitcode *part = cg_bitcode; part->arch; part++) {
        size_t length = strlen(part->arch);
        if (strncmp(codegen->triple, part->arch, length) != 0 || codegen->triple[length] != '-')
            continue;
        is_found = true;
        if (!is_wanted(part, artifact))
            continue;
        if (!link_part(codegen, llvm, part))
            return false;
    }
    return is_found || report(codegen, "there is no runtime of artifacts for this machine");
}

/* Doors are known by their visibility, which nothing else that is defined has been given. */
static void make_internal(LLVMModuleRef llvm)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(llvm); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f))
            continue;
        if (LLVMGetVisibility(f) == LLVMProtectedVisibility)
            LLVMSetVisibility(f, LLVMDefaultVisibility);
        else
            LLVMSetLinkage(f, LLVMInternalLinkage);
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(llvm); g; g = LLVMGetNextGlobal(g))
        if (!LLVMIsDeclaration(g) && LLVMGetLinkage(g) == LLVMExternalLinkage)
            LLVMSetLinkage(g, LLVMInternalLinkage);
}

/* The text in a section of its own, which no optimization takes away. */
static void add_note(struct codegen *codegen, LLVMModuleRef llvm, const char *text, size_t size)
{
    LLVMValueRef data = LLVMConstStringInContext2(codegen->context, text, size, true);
    LLVMValueRef note = LLVMAddGlobal(llvm, LLVMTypeOf(data), "inlay_note");
    LLVMSetInitializer(note, data);
    LLVMSetGlobalConstant(note, true);
    LLVMSetLinkage(note, LLVMInternalLinkage);
    LLVMSetAlignment(note, 1);
    LLVMSetSection(note, NOTE_SECTION);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(codegen->context, 0);
    LLVMValueRef list = LLVMConstArray2(pointer, &note, 1);
    LLVMValueRef used = LLVMAddGlobal(llvm, LLVMTypeOf(list), "llvm.used");
    LLVMSetInitializer(used, list);
    LLVMSetLinkage(used, LLVMAppendingLinkage);
    LLVMSetSection(used, "llvm.metadata");
}

/* What nobody calls goes, and what levels have alike. */
static bool shrink(struct codegen *codegen, LLVMModuleRef llvm, bool has_levels)
{
    const char *passes = has_levels ? "globaldce,constmerge" : "globaldce";
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(llvm, passes, codegen->machine, options);
    LLVMDisposePassBuilderOptions(options);
    return cg_check_error(codegen, error);
}

bool cg_close_artifact(struct codegen *codegen, LLVMModuleRef llvm,
                       const struct codegen_artifact *artifact)
{
    if (!link_runtime(codegen, llvm, artifact))
        return false;
    cg_show_levels(llvm, artifact);
    make_internal(llvm);
    if (artifact->note)
        add_note(codegen, llvm, artifact->note, artifact->note_size);
    return shrink(codegen, llvm, artifact->level_count > 0);
}
