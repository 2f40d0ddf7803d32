/*
 * What makes a module an artifact: the runtime inside, nothing visible but the doors, and a note of what
 * it is.
 */
#include "base/hash.h"
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

/* Are loops run by the threads of the artifact, or of its host?  Are there levels, doors? */
static bool is_wanted(const struct cg_bitcode *part, const struct codegen_artifact *artifact)
{
    bool is_of_threads = strcmp(part->name, "threads") == 0 || strcmp(part->name, "pool") == 0;

    if (strcmp(part->name, "levels") == 0)
        return artifact->level_count > 0;
    if (strcmp(part->name, "blocks") == 0) /* of the door of tvm-ffi, which is for 64 bits */
        return artifact->door_count > 0 && strcmp(part->arch, "wasm32") != 0;
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

/* What other modules of the artifact call, by the hashes of their names; NULL: there are none. */
static bool is_called(const struct map *called, LLVMValueRef value)
{
    size_t length;
    const char *name = LLVMGetValueName2(value, &length);

    return called && map_has(called, hash_key(hash_bytes(name, length)));
}

/* Doors are known by their visibility, which nothing else that is defined has been given. */
static void make_internal(LLVMModuleRef llvm, const struct map *called)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(llvm); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f))
            continue;
        if (LLVMGetVisibility(f) == LLVMProtectedVisibility)
            LLVMSetVisibility(f, LLVMDefaultVisibility);
        else if (is_called(called, f))
            LLVMSetVisibility(f, LLVMHiddenVisibility);
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
    make_internal(llvm, NULL);
    if (artifact->note)
        add_note(codegen, llvm, artifact->note, artifact->note_size);
    return shrink(codegen, llvm, artifact->level_count > 0);
}

/* --- the same in several modules: functions and doors, kernels, the runtime --- */

/* Notes the functions that @llvm calls and has not. */
static void note_calls(LLVMModuleRef llvm, struct map *called)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(llvm); f; f = LLVMGetNextFunction(f)) {
        size_t length;
        const char *name = LLVMGetValueName2(f, &length);
        if (LLVMIsDeclaration(f))
            map_set(called, hash_key(hash_bytes(name, length)), called);
    }
}

/* What @from calls of @runtime is inside of the artifact. */
static void hide_runtime(LLVMModuleRef from, LLVMModuleRef runtime)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(from); f; f = LLVMGetNextFunction(f)) {
        size_t length;
        LLVMValueRef found = LLVMIsDeclaration(f)
                                 ? LLVMGetNamedFunction(runtime, LLVMGetValueName2(f, &length))
                                 : NULL;
        if (found && !LLVMIsDeclaration(found) && LLVMGetLinkage(found) == LLVMExternalLinkage)
            LLVMSetVisibility(f, LLVMHiddenVisibility);
    }
}

/* Kernels that only functions called that nobody calls. */
static void drop_uncalled(struct cg_modules *modules, const struct map *called)
{
    size_t kept = 1;

    for (size_t i = 1; i < modules->items.count; i++) {
        LLVMModuleRef llvm = modules->items.items[i];
        bool is_kept = false;
        for (LLVMValueRef f = LLVMGetFirstFunction(llvm); f; f = LLVMGetNextFunction(f))
            is_kept |= !LLVMIsDeclaration(f) && LLVMGetLinkage(f) == LLVMExternalLinkage &&
                       is_called(called, f);
        if (is_kept)
            modules->items.items[kept++] = llvm;
        else
            LLVMDisposeModule(llvm);
    }
    modules->items.count = kept;
}

static LLVMModuleRef create_runtime(struct codegen *codegen)
{
    LLVMModuleRef runtime = LLVMModuleCreateWithNameInContext("runtime", codegen->context);

    LLVMSetTarget(runtime, codegen->triple);
    LLVMSetDataLayout(runtime, codegen->layout);
    return runtime;
}

bool cg_close_units(struct codegen *codegen, struct cg_modules *modules,
                    const struct codegen_artifact *artifact)
{
    LLVMModuleRef runtime = create_runtime(codegen), functions = modules->items.items[0];
    struct map called = {0};

    array_push(&modules->items, runtime);
    size_t last = modules->items.count - 1;
    if (!link_runtime(codegen, runtime, artifact))
        return false;
    if (artifact->note)
        add_note(codegen, functions, artifact->note, artifact->note_size);
    make_internal(functions, NULL);
    if (!shrink(codegen, functions, false))
        return false;
    modules->items.count = last;
    note_calls(functions, &called);
    drop_uncalled(modules, &called);
    for (size_t i = 0; i < modules->items.count; i++) {
        note_calls(modules->items.items[i], &called);
        hide_runtime(modules->items.items[i], runtime);
    }
    array_push(&modules->items, runtime);
    make_internal(runtime, &called);
    map_finish(&called);
    return shrink(codegen, runtime, false);
}
