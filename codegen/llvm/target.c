/*
 * The machine that code is made for (this one), optimization, and emission of objects.
 *
 * The pipelines are short lists for loops that are emitted in good form already; LLVM's default<O2>
 * takes several times as long for a kernel.  No pass may change results: nothing here allows fast math.
 */
#include "codegen/llvm/internal.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include <string.h>

static const char *const pipelines[] = {
    "",
    "function(sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,"
    "loop-mssa(licm),early-cse,simplifycfg)",
    "function(sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,"
    "loop-mssa(licm),loop(indvars),loop-vectorize,instcombine<no-verify-fixpoint>,"
    "early-cse<memssa>,loop-mssa(licm),simplifycfg)",
    "default<O3>",
};

static const LLVMCodeGenOptLevel levels[] = {
    LLVMCodeGenLevelNone,
    LLVMCodeGenLevelLess,
    LLVMCodeGenLevelDefault,
    LLVMCodeGenLevelAggressive,
};

static bool report(struct codegen *codegen, const char *message)
{
    diag_report(codegen->diag, (struct location){0}, CODEGEN_LLVM, message);
    return false;
}

bool cg_check_error(struct codegen *codegen, LLVMErrorRef error)
{
    if (!error)
        return true;
    char *message = LLVMGetErrorMessage(error);
    report(codegen, message);
    LLVMDisposeErrorMessage(message);
    return false;
}

/* Are float16 conversions instructions?  Everywhere but on x86 without F16C. */
static bool has_half(const char *triple, const char *features)
{
    if (strncmp(triple, "aarch64", 7) == 0)
        return true;
    return strstr(features, "+f16c") != NULL;
}

static unsigned vector_bytes(const char *triple, const char *features)
{
    if (strncmp(triple, "x86_64", 6) != 0)
        return 16;
    bool has_512 = strstr(features, "+avx512f") && strstr(features, "+avx512bw") &&
                   strstr(features, "+avx512dq") && strstr(features, "+avx512vl");
    return has_512 ? 64 : strstr(features, "+avx2") ? 32 : 16;
}

bool cg_target_init(struct codegen *codegen)
{
    if (LLVMInitializeNativeTarget() || LLVMInitializeNativeAsmPrinter())
        return report(codegen, "there is no code generator for this machine");
    codegen->context = LLVMContextCreate();
    codegen->triple = LLVMGetDefaultTargetTriple();
    LLVMTargetRef target = NULL;
    char *message = NULL;
    if (LLVMGetTargetFromTriple(codegen->triple, &target, &message)) {
        report(codegen, message);
        LLVMDisposeMessage(message);
        return false;
    }
    char *cpu = LLVMGetHostCPUName(), *features = LLVMGetHostCPUFeatures();
    codegen->has_half = has_half(codegen->triple, features);
    codegen->vector_bytes = codegen->options.vector_bytes;
    if (!codegen->vector_bytes)
        codegen->vector_bytes = vector_bytes(codegen->triple, features);
    codegen->machine = LLVMCreateTargetMachine(target, codegen->triple, cpu, features,
                                               levels[codegen->options.opt_level], LLVMRelocPIC,
                                               LLVMCodeModelDefault);
    LLVMDisposeMessage(cpu);
    LLVMDisposeMessage(features);
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(codegen->machine);
    codegen->layout = LLVMCopyStringRepOfTargetData(layout);
    LLVMDisposeTargetData(layout);
    return true;
}

void cg_target_finish(struct codegen *codegen)
{
    if (codegen->machine)
        LLVMDisposeTargetMachine(codegen->machine);
    if (codegen->triple)
        LLVMDisposeMessage(codegen->triple);
    if (codegen->layout)
        LLVMDisposeMessage(codegen->layout);
    if (codegen->context)
        LLVMContextDispose(codegen->context);
}

bool cg_optimize(struct codegen *codegen, LLVMModuleRef llvm)
{
    const char *pipeline = pipelines[codegen->options.opt_level];
    if (!*pipeline)
        return true;
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(llvm, pipeline, codegen->machine, options);
    LLVMDisposePassBuilderOptions(options);
    return cg_check_error(codegen, error);
}

bool cg_emit_object(struct codegen *codegen, LLVMModuleRef llvm, LLVMCodeGenFileType type,
                    LLVMMemoryBufferRef *out_buffer)
{
    char *message = NULL;
    if (!LLVMTargetMachineEmitToMemoryBuffer(codegen->machine, llvm, type, &message, out_buffer))
        return true;
    report(codegen, message);
    LLVMDisposeMessage(message);
    return false;
}
