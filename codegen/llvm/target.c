/*
 * The machine that code is made for (this one), optimization, and emission of objects.
 *
 * The pipelines are short lists for loops that are emitted in good form already; LLVM's default<O2>
 * takes several times as long for a kernel.  No pass may change results: nothing here allows fast math.
 *
 * LLVM makes no vectors: those that there are were proved by the code generator (vector_plan.c).  Its
 * loop vectorizer takes x[i * 3 % 64] for neighbours (LLVM 19: interleaved accesses do not see where a
 * masked index wraps) and reads behind the buffer.
 */
#include "base/memory.h"
#include "base/text.h"
#include "codegen/llvm/internal.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include <pthread.h>
#include <string.h>

#define COMBINE "instcombine<no-verify-fixpoint>,"

static const char *const pipelines[] = {
    "",
    "function(sroa,early-cse<memssa>,simplifycfg," COMBINE "loop-mssa(licm),early-cse,simplifycfg)",
    "function(sroa,early-cse<memssa>,simplifycfg," COMBINE "loop-mssa(licm),loop(indvars)," COMBINE
    "early-cse<memssa>,loop-mssa(licm),simplifycfg)",
    /*
     * Much of default<O3>, which vectorizes whatever the options of its builder say.  gvn takes out no loads:
     * it asks about one of 64 floats where one of 16 is meant (LLVM 19), and of a buffer of 32 hears that
     * nothing is written there.
     */
    "inferattrs,function(sroa,early-cse,simplifycfg),ipsccp,globalopt,"
    "cgscc(inline,function-attrs,argpromotion),"
    "function(sroa,early-cse<memssa>,jump-threading,correlated-propagation,simplifycfg," COMBINE
    "aggressive-instcombine,reassociate,constraint-elimination,"
    "loop-mssa(loop-instsimplify,loop-simplifycfg,licm,loop-rotate,licm,"
    "simple-loop-unswitch<nontrivial>),simplifycfg," COMBINE
    "loop(loop-idiom,indvars,loop-deletion,loop-unroll-full),sroa,early-cse<memssa>,"
    "gvn<no-memdep>,sccp,bdce," COMBINE
    "jump-threading,correlated-propagation,adce,memcpyopt,dse,loop-mssa(licm),simplifycfg," COMBINE
    "loop-load-elim,loop-unroll<O3>,sroa," COMBINE
    "loop-mssa(licm),div-rem-pairs,simplifycfg),globaldce,constmerge",
};

/* For long functions that only call others: nothing that takes more than linear time. */
static const char plain_pipeline[] = "function(sroa,early-cse,simplifycfg)";

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

/* LLVM gives texts that are NULL when memory is short. */
static char *checked(char *text)
{
    if (!text)
        memory_short();
    return text;
}

/* What LLVM may use of the processor that it is told of: that one's, as the target says. */
char *cg_features(const struct target *target)
{
    struct text text = {0};
    char *features = target->cpu ? NULL : checked(LLVMGetHostCPUFeatures());

    text_puts(&text, features ? features
                     : target->machine < TARGET_MACHINE_COUNT
                         ? target_machines[target->machine].basis
                         : "");
    for (unsigned i = 0; i < TARGET_FEATURE_COUNT; i++)
        if (target_features[i].machine == target->machine &&
            (!target_has(target, (enum target_feature)i) || target->added >> i & 1))
            text_printf(&text, "%s%c%s", text.length ? "," : "",
                        target_has(target, (enum target_feature)i) ? '+' : '-',
                        target_features[i].name);
    if (features)
        LLVMDisposeMessage(features);
    features = checked(LLVMCreateMessage(text_string(&text)));
    text_finish(&text);
    return features;
}

/* LLVM's tables are of the process; sessions in other threads may get here at the same time. */
static bool has_native_target;

static void init_native_target(void)
{
    has_native_target = !LLVMInitializeNativeTarget() && !LLVMInitializeNativeAsmPrinter() &&
                        !LLVMInitializeNativeAsmParser();
}

/*
 * What has machines in base/target.def. LLVM knows twenty more, whose code a program that has LLVM inside
 * would carry along: half of it.
 */
#define INIT_FAMILY(NAME)               \
    LLVMInitialize##NAME##TargetInfo(); \
    LLVMInitialize##NAME##Target();     \
    LLVMInitialize##NAME##TargetMC();   \
    LLVMInitialize##NAME##AsmPrinter(); \
    LLVMInitialize##NAME##AsmParser() /* the runtime has some instructions by name */

static void init_all_targets(void)
{
    INIT_FAMILY(X86);
    INIT_FAMILY(AArch64);
    INIT_FAMILY(RISCV);
    INIT_FAMILY(WebAssembly);
}

/* Foreign machines are many: only who wants one waits for their tables. */
static void init_targets(const struct target *target)
{
    static pthread_once_t native = PTHREAD_ONCE_INIT, all = PTHREAD_ONCE_INIT;

    pthread_once(&native, init_native_target);
    if (target_is_foreign(target))
        pthread_once(&all, init_all_targets);
}

LLVMTargetMachineRef cg_create_machine(const struct codegen *codegen, bool is_plain)
{
    /* programs in WebAssembly are linked as a whole */
    bool is_whole = codegen->options.target.machine == TARGET_WASM32;

    return LLVMCreateTargetMachine(codegen->target, codegen->triple, codegen->cpu,
                                   codegen->features,
                                   levels[is_plain ? 0 : codegen->options.opt_level],
                                   is_whole ? LLVMRelocStatic : LLVMRelocPIC, LLVMCodeModelDefault);
}

const char *cg_pipeline(const struct codegen *codegen, bool is_plain)
{
    return is_plain && codegen->options.opt_level > 0 ? plain_pipeline
                                                      : pipelines[codegen->options.opt_level];
}

bool cg_target_init(struct codegen *codegen)
{
    const struct target *wanted = &codegen->options.target;
    const char *name = wanted->cpu;
    char *message = NULL;

    init_targets(wanted);
    if (!has_native_target)
        return report(codegen, "there is no code generator for this machine");
    codegen->context = LLVMContextCreate();
    codegen->triple = checked(target_is_foreign(wanted)
                                  ? LLVMCreateMessage(target_machines[wanted->machine].triple)
                                  : LLVMGetDefaultTargetTriple());
    if (LLVMGetTargetFromTriple(codegen->triple, &codegen->target, &message)) {
        report(codegen, message);
        LLVMDisposeMessage(message);
        return false;
    }
    codegen->cpu = checked(name ? LLVMCreateMessage(name) : LLVMGetHostCPUName());
    codegen->features = cg_features(wanted);
    codegen->machine = cg_create_machine(codegen, false);
    LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(codegen->machine);
    codegen->layout = checked(LLVMCopyStringRepOfTargetData(layout));
    LLVMDisposeTargetData(layout);
    return true;
}

void cg_target_finish(struct codegen *codegen)
{
    if (codegen->machine)
        LLVMDisposeTargetMachine(codegen->machine);
    if (codegen->cpu)
        LLVMDisposeMessage(codegen->cpu);
    if (codegen->features)
        LLVMDisposeMessage(codegen->features);
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
    LLVMErrorRef error = LLVMErrorSuccess;
    if (*pipeline) {
        LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
        error = LLVMRunPasses(llvm, pipeline, codegen->machine, options);
        LLVMDisposePassBuilderOptions(options);
    }
    return cg_check_error(codegen, error) &&
           (!cg_is_instrumented(codegen) ||
            cg_check_error(codegen, cg_instrument(llvm, codegen->machine)));
}

bool cg_emit_object(struct codegen *codegen, LLVMModuleRef llvm, LLVMCodeGenFileType type,
                    LLVMMemoryBufferRef *out_buffer)
{
    /*
     * A machine of its own: LLVM 19 remembers by address what llvm.used names, and never forgets, so that a second
     * module has other sections by chance.
     */
    LLVMTargetMachineRef machine = cg_create_machine(codegen, false);
    char *message = NULL;
    bool is_fine = !LLVMTargetMachineEmitToMemoryBuffer(machine, llvm, type, &message, out_buffer);

    LLVMDisposeTargetMachine(machine);
    if (is_fine)
        return true;
    report(codegen, message);
    LLVMDisposeMessage(message);
    return false;
}
