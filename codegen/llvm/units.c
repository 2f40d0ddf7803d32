/*
 * From LLVM modules to one object: each is compiled for itself, on all threads that may be used, or comes from
 * the store of those that were compiled before, and then they are joined.
 *
 * A module is handed over as bitcode, which is read into a context of its own.  So what becomes of it
 * depends on nothing else, and its digest, with that of the compiler, names the object: all that
 * is in the code is in the bitcode, lines of the script and texts of messages as well.
 *
 * Threads end before cg_make_object() returns.  They touch nothing but LLVM, and their jobs.
 */
#include "base/build.h"
#include "base/memory.h"
#include "base/store.h"
#include "codegen/llvm/join.h"
#include "codegen/llvm/stack.h"
#include "runtime/pool.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    /*
     * Functions of more blocks are calls one after the other, which take all their time in what they call.
     * Register allocation and the like take much more than linear time for them.
     */
    PLAIN_BLOCKS = 600,
    THREAD_LIMIT = 64,
    THREAD_STACK = 8 << 20,
    LINE = 64, /* keeps jobs of two threads apart */
};

struct job {
    _Alignas(LINE) LLVMMemoryBufferRef bitcode;
    LLVMMemoryBufferRef object;
    LLVMMemoryBufferRef assembly; /* what the object was made of, if it is kept */
    struct text stacks;           /* of an artifact: see stack.h */
    char *error;                  /* LLVM's; NULL: none */
    struct guard guard;           /* what is allocated for it, in whichever thread */
    struct digest key;
    bool is_plain;
};

struct crew {
    struct codegen *codegen;
    struct job **jobs; /* to be done */
    size_t count;
    atomic_size_t next;
};

/* --- one job --- */

static bool note_error(struct job *job, LLVMErrorRef error)
{
    if (!error)
        return true;
    char *message = LLVMGetErrorMessage(error);
    job->error = LLVMCreateMessage(message);
    LLVMDisposeErrorMessage(message);
    return false;
}

/* The object of a text: of a module that has nothing but instructions for the assembler. */
static void assemble(struct codegen *codegen, struct job *job, LLVMContextRef context)
{
    LLVMTargetMachineRef machine = cg_create_machine(codegen, job->is_plain);
    LLVMModuleRef llvm = LLVMModuleCreateWithNameInContext("assembly", context);
    LLVMSetTarget(llvm, codegen->triple);
    LLVMSetDataLayout(llvm, codegen->layout);
    LLVMSetModuleInlineAsm2(llvm, LLVMGetBufferStart(job->assembly),
                            LLVMGetBufferSize(job->assembly));
    LLVMTargetMachineEmitToMemoryBuffer(machine, llvm, LLVMObjectFile, &job->error, &job->object);
    LLVMDisposeModule(llvm);
    LLVMDisposeTargetMachine(machine);
}

static void emit_module(struct codegen *codegen, struct job *job, LLVMModuleRef llvm,
                        LLVMTargetMachineRef machine)
{
    bool keeps = codegen->options.keeps_assembly;
    struct stack_watch *watch = cg_stack_begin(llvm);
    LLVMTargetMachineEmitToMemoryBuffer(machine, llvm, keeps ? LLVMAssemblyFile : LLVMObjectFile,
                                        &job->error, keeps ? &job->assembly : &job->object);
    if (job->assembly && !job->error)
        assemble(codegen, job, LLVMGetModuleContext(llvm));
    char *reported = cg_stack_end(watch, codegen->artifact ? &job->stacks : NULL);
    if (reported && job->error)
        LLVMDisposeMessage(reported);
    else if (reported)
        job->error = reported;
}

static void compile_module(struct codegen *codegen, struct job *job, LLVMModuleRef llvm)
{
    LLVMTargetMachineRef machine = cg_create_machine(codegen, job->is_plain);
    LLVMErrorRef error = LLVMErrorSuccess;
    const char *pipeline = cg_pipeline(codegen, job->is_plain);
    if (*pipeline) {
        LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
        error = LLVMRunPasses(llvm, pipeline, machine, options);
        LLVMDisposePassBuilderOptions(options);
    }
    if (note_error(job, error) && cg_is_instrumented(codegen))
        note_error(job, cg_instrument(llvm, machine));
    if (!job->error)
        emit_module(codegen, job, llvm, machine);
    LLVMDisposeTargetMachine(machine);
}

static void compile(struct codegen *codegen, struct job *job)
{
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef llvm = NULL;
    if (LLVMParseBitcodeInContext2(context, job->bitcode, &llvm))
        job->error = LLVMCreateMessage("a module cannot be read back");
    else
        compile_module(codegen, job, llvm);
    if (llvm)
        LLVMDisposeModule(llvm);
    LLVMContextDispose(context);
}

/* --- all of them --- */

struct one {
    struct codegen *codegen;
    struct job *job;
};

static void compile_one(void *state)
{
    struct one *one = state;
    compile(one->codegen, one->job);
}

/* Where memory is short, a job alone is left: others work on, and it is told when they are done. */
static void *work(void *state)
{
    struct crew *crew = state;
    size_t i;
    while ((i = atomic_fetch_add(&crew->next, 1)) < crew->count) {
        struct one one = {crew->codegen, crew->jobs[i]};
        guard_init(&one.job->guard, false);
        if (guard_run(&one.job->guard, compile_one, &one) == GUARD_DONE)
            continue;
        one.job->stacks = (struct text){0};
        guard_release(&one.job->guard);
    }
    return NULL;
}

/* Signals are for threads of the host, but for those of a fault. */
static unsigned start_threads(struct crew *crew, unsigned wanted, pthread_t *out)
{
    pthread_attr_t attributes;
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
    sigset_t all, before;
    unsigned started = 0;
    if (wanted == 0 || pthread_attr_init(&attributes) != 0)
        return 0;
    (void)pthread_attr_setstacksize(&attributes, THREAD_STACK);
    sigfillset(&all);
    for (size_t i = 0; i < ARRAY_SIZE(faults); i++)
        sigdelset(&all, faults[i]);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (started < wanted && pthread_create(&out[started], &attributes, work, crew) == 0)
        started++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return started;
}

static size_t bitcode_size(const struct job *job)
{
    return LLVMGetBufferSize(job->bitcode);
}

/* Large ones first, so that no thread waits for long at the end. */
static int compare_sizes(const void *a, const void *b)
{
    const struct job *x = *(struct job *const *)a, *y = *(struct job *const *)b;
    size_t p = bitcode_size(x), q = bitcode_size(y);
    return p != q ? (p < q) - (p > q) : (x > y) - (x < y);
}

static void compile_all(struct crew *crew)
{
    pthread_t threads[THREAD_LIMIT];
    unsigned limit = crew->codegen->options.compile_threads;
    if (limit == 0)
        limit = inlay_usable_cores();
    if (limit > THREAD_LIMIT)
        limit = THREAD_LIMIT;
    if (limit > crew->count)
        limit = (unsigned)crew->count;
    if (crew->count > 1)
        qsort(crew->jobs, crew->count, sizeof(struct job *), compare_sizes);
    unsigned started = start_threads(crew, limit > 0 ? limit - 1 : 0, threads);
    work(crew);
    for (unsigned i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    for (size_t i = 0; i < crew->count; i++)
        if (crew->jobs[i]->guard.outcome == GUARD_MEMORY)
            memory_short();
}

/* --- the store --- */

static void add_message(struct digest_state *state, char *message)
{
    digest_add_text(state, message ? message : "");
    LLVMDisposeMessage(message);
}

bool cg_identify(struct digest_state *state)
{
    add_message(state, LLVMGetDefaultTargetTriple());
    add_message(state, LLVMGetHostCPUName());
    add_message(state, LLVMGetHostCPUFeatures());
    return build_add(state, (uintptr_t)cg_make_object) &&
           build_add(state, (uintptr_t)LLVMContextCreate);
}

/* All that decides about objects but the bitcode: who compiles, and for what.  False: it has no name. */
static bool name_compiler(struct codegen *codegen, struct digest_state *state)
{
    digest_begin(state);
    digest_add_text(state, "object of inlay-llvm, and what it takes of the stack");
    if (!build_add(state, (uintptr_t)cg_make_object) ||
        !build_add(state, (uintptr_t)LLVMContextCreate))
        return false;
    digest_add_text(state, codegen->triple);
    digest_add_text(state, codegen->cpu);
    digest_add_text(state, codegen->features);
    digest_add(state,
               (unsigned char[]){cg_is_instrumented(codegen), codegen->options.keeps_assembly}, 2);
    return true;
}

static void name_object(struct codegen *codegen, struct digest_state compiler, struct job *job)
{
    unsigned char level = (unsigned char)(job->is_plain ? 0 : codegen->options.opt_level);
    digest_add(&compiler, &level, 1);
    digest_add_text(&compiler, cg_pipeline(codegen, job->is_plain));
    digest_add(&compiler, LLVMGetBufferStart(job->bitcode), bitcode_size(job));
    job->key = digest_end(&compiler);
}

/* What is kept: the sizes of the object and of its assembly, both of them, and the stacks. */
struct kept_sizes {
    uint64_t object, assembly;
};

static bool take_kept(struct job *job, const struct text *kept)
{
    struct kept_sizes sizes;
    if (kept->length < sizeof(sizes))
        return false;
    memcpy(&sizes, kept->data, sizeof(sizes));
    size_t rest = kept->length - sizeof(sizes);
    if (sizes.object > rest || sizes.assembly > rest - sizes.object)
        return false;
    const char *object = kept->data + sizeof(sizes), *assembly = object + sizes.object,
               *stacks = assembly + sizes.assembly;
    rest -= sizes.object + sizes.assembly;
    if (!cg_stack_is_good(stacks, rest))
        return false;
    job->object = LLVMCreateMemoryBufferWithMemoryRangeCopy(object, sizes.object, "stored");
    if (sizes.assembly > 0)
        job->assembly =
            LLVMCreateMemoryBufferWithMemoryRangeCopy(assembly, sizes.assembly, "stored");
    text_append(&job->stacks, stacks, rest);
    return true;
}

static void find_objects(struct codegen *codegen, struct store *store, struct job *jobs,
                         size_t count)
{
    const char *path = codegen->options.cache;
    struct digest_state compiler;
    struct text text = {0};
    store->folder = -1;
    if (!path || !name_compiler(codegen, &compiler))
        return;
    store_open(store, path, codegen->options.cache_bytes, true);
    for (size_t i = 0; store_is_open(store) && i < count; i++) {
        name_object(codegen, compiler, &jobs[i]);
        text_clear(&text);
        if (store_get(store, &jobs[i].key, &text))
            take_kept(&jobs[i], &text);
    }
    text_finish(&text);
}

static void append_buffer(LLVMMemoryBufferRef buffer, struct text *out)
{
    if (buffer)
        text_append(out, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
}

static void keep_objects(struct store *store, const struct crew *crew)
{
    struct text text = {0};
    for (size_t i = 0; store_is_open(store) && i < crew->count; i++) {
        const struct job *job = crew->jobs[i];
        if (!job->object || job->error)
            continue;
        struct kept_sizes sizes = {LLVMGetBufferSize(job->object),
                                   job->assembly ? LLVMGetBufferSize(job->assembly) : 0};
        text_clear(&text);
        text_append(&text, (const char *)&sizes, sizeof(sizes));
        append_buffer(job->object, &text);
        append_buffer(job->assembly, &text);
        text_append(&text, text_string(&job->stacks), job->stacks.length);
        store_put(store, &job->key, text.data, text.length);
    }
    text_finish(&text);
    store_close(store);
}

/* --- one object --- */

/* In artifacts doors are beside the functions. */
static bool is_plain(const struct codegen *codegen, const struct cg_modules *modules)
{
    unsigned blocks = 0;
    LLVMValueRef f = LLVMGetFirstFunction(modules->items.items[0]);
    for (; modules->items.count > 1 && f; f = LLVMGetNextFunction(f))
        blocks += LLVMCountBasicBlocks(f);
    return blocks > PLAIN_BLOCKS && !codegen->artifact;
}

static bool report(struct codegen *codegen, const char *why)
{
    diag_report(codegen->diag, (struct location){0}, CODEGEN_LLVM, why);
    return false;
}

/* What the module of an artifact holds is in it; a loader tells the code where it lies. */
static size_t describe_constants(struct codegen *codegen, struct arena *arena,
                                 struct join_data **out)
{
    size_t count = codegen->artifact ? codegen->outside.count : 0;
    *out = arena_array(arena, struct join_data, count + 1);
    for (size_t i = 0; i < count; i++) {
        const struct codegen_constant *constant = &codegen->outside.items[i];
        (*out)[i] =
            (struct join_data){arena_printf(arena, CG_CONSTANT_PREFIX "%u", constant->index),
                               constant->data, constant->bytes};
    }
    return count;
}

static bool join(struct codegen *codegen, struct job *jobs, size_t count, LLVMMemoryBufferRef *out)
{
    struct text text = {0};
    struct arena arena = {0};
    struct join_part *parts = arena_array(&arena, struct join_part, count);
    struct join_data *data;
    size_t data_count = describe_constants(codegen, &arena, &data);
    for (size_t i = 0; i < count; i++)
        parts[i] = (struct join_part){LLVMGetBufferStart(jobs[i].object),
                                      LLVMGetBufferSize(jobs[i].object)};
    const char *error = join_objects(parts, count, data, data_count, &text);
    if (!error)
        *out = LLVMCreateMemoryBufferWithMemoryRangeCopy(text_string(&text), text.length, "joined");
    arena_finish(&arena);
    text_finish(&text);
    return !error || report(codegen, error);
}

static void tell_stacks(struct codegen *codegen, const struct job *jobs, size_t count)
{
    struct arena arena = {0};
    struct text *descriptions = arena_array(&arena, struct text, count);
    for (size_t i = 0; i < count; i++)
        descriptions[i] = jobs[i].stacks;
    cg_stack_tell(descriptions, count, codegen->artifact);
    arena_finish(&arena);
}

static bool collect(struct codegen *codegen, struct job *jobs, size_t count,
                    LLVMMemoryBufferRef *out)
{
    for (size_t i = 0; i < count; i++)
        if (!jobs[i].object || jobs[i].error)
            return report(codegen, jobs[i].error ? jobs[i].error : "no object was made");
    if (codegen->artifact)
        tell_stacks(codegen, jobs, count);
    for (size_t i = 0; i < count; i++)
        append_buffer(jobs[i].assembly, &codegen->assembly);
    if (count > 1)
        return join(codegen, jobs, count, out);
    *out = jobs[0].object;
    jobs[0].object = NULL;
    return true;
}

bool cg_make_object(struct codegen *codegen, const struct cg_modules *modules,
                    LLVMMemoryBufferRef *out)
{
    size_t count = modules->items.count;
    struct arena arena = {0};
    struct job *jobs = arena_array(&arena, struct job, count);
    struct crew crew = {.codegen = codegen, .jobs = arena_array(&arena, struct job *, count)};
    struct store store;
    for (size_t i = 0; i < count; i++) {
        if (codegen->artifact)
            cg_stack_ask(modules->items.items[i]);
        jobs[i].bitcode = LLVMWriteBitcodeToMemoryBuffer(modules->items.items[i]);
    }
    jobs[0].is_plain = is_plain(codegen, modules);
    find_objects(codegen, &store, jobs, count);
    for (size_t i = 0; i < count; i++)
        if (!jobs[i].object)
            crew.jobs[crew.count++] = &jobs[i];
    compile_all(&crew);
    keep_objects(&store, &crew);
    bool is_fine = collect(codegen, jobs, count, out);
    for (size_t i = 0; i < count; i++) {
        LLVMDisposeMemoryBuffer(jobs[i].bitcode);
        if (jobs[i].object)
            LLVMDisposeMemoryBuffer(jobs[i].object);
        if (jobs[i].assembly)
            LLVMDisposeMemoryBuffer(jobs[i].assembly);
        if (jobs[i].error)
            LLVMDisposeMessage(jobs[i].error);
        text_finish(&jobs[i].stacks);
    }
    arena_finish(&arena);
    return is_fine;
}
