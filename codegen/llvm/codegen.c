/* The face of the code generator: create, compile, write, find. */
#include "codegen/llvm/codegen.h"

#include "analysis/inplace.h"
#include "analysis/verify_storage/verify_storage.h"
#include "base/memory.h"
#include "codegen/llvm/stack.h"

#include <llvm-c/BitWriter.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void destroy(struct codegen *codegen)
{
    if (!codegen)
        return;
    cg_jit_finish(codegen);
    if (codegen->object)
        LLVMDisposeMemoryBuffer(codegen->object);
    array_finish(&codegen->outside);
    text_finish(&codegen->assembly);
    cg_target_finish(codegen);
    memory_free(codegen);
}

static struct codegen *create(struct diag *diag, const struct codegen_options *options)
{
    struct codegen *codegen = memory_new(sizeof(*codegen), 1);
    codegen->diag = diag;
    codegen->options = *options;
    if (codegen->options.target.vector_bytes == 0)
        codegen->options.target = target_host();
    if (codegen->options.opt_level > 3)
        codegen->options.opt_level = 3;
    if (!cg_target_init(codegen)) {
        destroy(codegen);
        return NULL;
    }
    return codegen;
}

/* --- files --- */

static bool refuse_file(struct codegen *codegen, const char *path, const char *why)
{
    diag_report(codegen->diag, (struct location){0}, CODEGEN_WRITE, path, why);
    return false;
}

/* Writes beside @path first, so that a file is there whole or not at all. */
static bool write_file(struct codegen *codegen, const char *path, const char *data, size_t length)
{
    struct arena arena = {0};
    const char *temporary = arena_printf(&arena, "%s.%ld.tmp", path, (long)getpid());
    FILE *file = fopen(temporary, "wb");
    bool is_fine = file != NULL;
    if (is_fine) {
        is_fine = fwrite(data, 1, length, file) == length;
        is_fine = fclose(file) == 0 && is_fine;
        is_fine = is_fine && rename(temporary, path) == 0;
        if (!is_fine) {
            int error = errno;
            remove(temporary);
            errno = error;
        }
    }
    arena_finish(&arena);
    return is_fine || refuse_file(codegen, path, strerror(errno));
}

static bool write_text(struct codegen *codegen, LLVMModuleRef llvm, const char *path)
{
    char *text = LLVMPrintModuleToString(llvm);
    if (!text)
        memory_short();
    bool is_fine = true;
    if (strcmp(path, "-") == 0)
        fputs(text, stderr);
    else
        is_fine = write_file(codegen, path, text, strlen(text));
    LLVMDisposeMessage(text);
    return is_fine;
}

/* --- compilation --- */

/* All in one LLVM module, optimized. */
static LLVMModuleRef make(struct codegen *codegen, bool embeds)
{
    codegen->embed_constants = embeds;
    const struct codegen_artifact *artifact = codegen->artifact;
    LLVMModuleRef llvm = artifact && artifact->level_count > 0
                             ? cg_emit_levels(codegen)
                             : cg_emit_module(codegen, codegen->module);
    if (llvm && ((artifact && !cg_close_artifact(codegen, llvm, artifact)) ||
                 !cg_optimize(codegen, llvm))) {
        LLVMDisposeModule(llvm);
        return NULL;
    }
    return llvm;
}

/*
 * What passes decided about storage is not believed: it is replayed, by a checker that shares
 * nothing with them.  What that refuses is a bug of theirs, but for a function that it cannot
 * follow.
 */
static bool check_storage(struct codegen *codegen, struct ir_module *module)
{
    struct verify_storage_refusals refusals = {0};
    bool is_fine = verify_storage(module, VERIFY_STORAGE_RESOLVED, &refusals);
    bool is_bug = false;

    for (size_t i = 0; i < refusals.count; i++)
        is_bug |= refusals.items[i].fault != VERIFY_STORAGE_TOO_COMPLEX;
    verify_storage_report(&refusals, codegen->diag);
    verify_storage_finish(&refusals);
    if (is_bug)
        diag_report(codegen->diag, (struct location){0}, CODEGEN_STORAGE);
    return is_fine;
}

/* The object of the text that is shown. */
static bool make_shown(struct codegen *codegen)
{
    LLVMModuleRef llvm = make(codegen, false);
    if (!llvm)
        return false;
    bool is_fine = write_text(codegen, llvm, codegen->options.dump_llvm) &&
                   cg_emit_object(codegen, llvm, LLVMObjectFile, &codegen->object);
    LLVMDisposeModule(llvm);
    return is_fine;
}

static bool make_object(struct codegen *codegen)
{
    struct cg_modules modules = {0};
    codegen->embed_constants = false;
    if (!cg_emit_modules(codegen, codegen->module, true, &modules))
        return false;
    bool is_fine = cg_make_object(codegen, &modules, &codegen->object);
    cg_modules_finish(&modules);
    return is_fine;
}

/* Emission decides what becomes of loops; nothing of it is kept. */
static bool make_remarks(struct codegen *codegen)
{
    struct cg_modules modules = {0};
    codegen->embed_constants = false;
    bool is_fine = cg_emit_modules(codegen, codegen->module, true, &modules);
    cg_modules_finish(&modules);
    return is_fine;
}

static void drop_object(struct codegen *codegen)
{
    cg_jit_finish(codegen);
    if (codegen->object)
        LLVMDisposeMemoryBuffer(codegen->object);
    codegen->object = NULL;
    codegen->outside.count = 0;
    text_clear(&codegen->assembly);
}

static bool compile(struct codegen *codegen, struct ir_module *module)
{
    /* whoever the host is, and whatever the passes were */
    if (!inplace_check_kernels(module, codegen->diag) ||
        !inplace_check_resolved(module, codegen->diag) || !check_storage(codegen, module))
        return false;
    drop_object(codegen);
    codegen->module = module;
    if (codegen->options.is_artifact)
        return true;
    if (codegen->options.remarks)
        return make_remarks(codegen);
    return codegen->options.dump_llvm ? make_shown(codegen) : make_object(codegen);
}

/* Made anew: emission changes the module, and files have all constants inside. */
static bool write_output(struct codegen *codegen, const char *path, const char *kind)
{
    assert(codegen->module);
    bool is_text = strcmp(kind, "ll") == 0, is_assembly = strcmp(kind, "s") == 0;
    if (!is_text && !is_assembly && strcmp(kind, "o") != 0)
        return refuse_file(codegen, path, "its kind is none of o, s, ll");
    LLVMModuleRef llvm = make(codegen, true);
    if (!llvm)
        return false;
    bool is_fine;
    if (is_text) {
        is_fine = write_text(codegen, llvm, path);
    } else {
        LLVMMemoryBufferRef buffer = NULL;
        is_fine =
            cg_emit_object(codegen, llvm, is_assembly ? LLVMAssemblyFile : LLVMObjectFile, &buffer);
        if (is_fine) {
            is_fine =
                write_file(codegen, path, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
            LLVMDisposeMemoryBuffer(buffer);
        }
    }
    LLVMDisposeModule(llvm);
    return is_fine;
}

/*
 * Data that are larger than the object has inside are not in it: they say nothing to readers.  What was kept is that of
 * the object, part by part; else it is made anew, in one piece that can be assembled.
 */
static bool give_text(struct codegen *codegen, const char *kind, codegen_take_fn *take, void *state)
{
    if (codegen->assembly.length > 0 && strcmp(kind, "s") == 0)
        return take(state, codegen->assembly.data, codegen->assembly.length);
    LLVMModuleRef llvm = make(codegen, false);
    LLVMMemoryBufferRef buffer = NULL;
    bool is_fine = llvm != NULL;
    if (is_fine && strcmp(kind, "ll") == 0) {
        char *text = LLVMPrintModuleToString(llvm);
        is_fine = take(state, text, strlen(text));
        LLVMDisposeMessage(text);
    } else if (is_fine) {
        is_fine = cg_emit_object(codegen, llvm, LLVMAssemblyFile, &buffer) &&
                  take(state, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
    }
    if (buffer)
        LLVMDisposeMemoryBuffer(buffer);
    if (llvm)
        LLVMDisposeModule(llvm);
    return is_fine;
}

static bool emit_measured(struct codegen *codegen, LLVMModuleRef llvm, LLVMMemoryBufferRef *out)
{
    struct text description = {0};
    cg_stack_ask(llvm);
    struct stack_watch *watch = cg_stack_begin(llvm);
    bool is_fine = cg_emit_object(codegen, llvm, LLVMObjectFile, out);
    char *error = cg_stack_end(watch, &description);

    if (error)
        diag_report(codegen->diag, (struct location){0}, CODEGEN_LLVM, error);
    LLVMDisposeMessage(error);
    cg_stack_tell(&description, 1, codegen->artifact);
    text_finish(&description);
    return is_fine && !error;
}

static bool give_buffer(LLVMMemoryBufferRef buffer, codegen_take_fn *take, void *state)
{
    bool is_fine = take(state, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer));
    LLVMDisposeMemoryBuffer(buffer);
    return is_fine;
}

static bool give_module(struct codegen *codegen, LLVMModuleRef llvm, const char *kind,
                        codegen_take_fn *take, void *state)
{
    bool is_text = strcmp(kind, "ll") == 0, is_assembly = strcmp(kind, "s") == 0;
    LLVMMemoryBufferRef buffer = NULL;

    if (is_text) {
        char *text = LLVMPrintModuleToString(llvm);
        if (!text)
            memory_short();
        bool is_fine = take(state, text, strlen(text));
        LLVMDisposeMessage(text);
        return is_fine;
    }
    if (strcmp(kind, "bc") == 0)
        buffer = LLVMWriteBitcodeToMemoryBuffer(llvm);
    else if (!(is_assembly ? cg_emit_object(codegen, llvm, LLVMAssemblyFile, &buffer)
                           : emit_measured(codegen, llvm, &buffer)))
        return false;
    return give_buffer(buffer, take, state);
}

/* An object of units; what join.c does not know is made in one piece. */
static bool is_joined(const struct codegen *codegen, const char *kind)
{
    return strcmp(kind, "o") == 0 && codegen->options.target.machine != TARGET_WASM32 &&
           codegen->artifact->level_count == 0;
}

static bool emit_joined(struct codegen *codegen, codegen_take_fn *take, void *state)
{
    struct cg_modules modules = {0};
    LLVMMemoryBufferRef buffer = NULL;

    codegen->embed_constants = false;
    if (!cg_emit_modules(codegen, codegen->module, true, &modules))
        return false;
    bool is_fine = cg_close_units(codegen, &modules, codegen->artifact) &&
                   cg_make_object(codegen, &modules, &buffer);
    cg_modules_finish(&modules);
    return is_fine && give_buffer(buffer, take, state);
}

static bool emit_whole(struct codegen *codegen, const char *kind, codegen_take_fn *take,
                       void *state)
{
    LLVMModuleRef llvm = make(codegen, true);
    bool is_fine = llvm && give_module(codegen, llvm, kind, take, state);
    if (llvm)
        LLVMDisposeModule(llvm);
    return is_fine;
}

static bool emit(struct codegen *codegen, const struct codegen_artifact *artifact, const char *kind,
                 codegen_take_fn *take, void *state)
{
    assert(codegen->module);
    codegen->artifact = artifact;
    bool is_fine = is_joined(codegen, kind) ? emit_joined(codegen, take, state)
                                            : emit_whole(codegen, kind, take, state);
    codegen->artifact = NULL;
    return is_fine;
}

static void show(const struct codegen *codegen, struct codegen_object *out)
{
    *out = (struct codegen_object){LLVMGetBufferStart(codegen->object),
                                   LLVMGetBufferSize(codegen->object), codegen->outside.items,
                                   codegen->outside.count};
}

static void load(struct codegen *codegen, const struct codegen_object *object)
{
    drop_object(codegen);
    codegen->object =
        LLVMCreateMemoryBufferWithMemoryRangeCopy(object->data, object->size, "loaded");
    for (size_t i = 0; i < object->constant_count; i++)
        array_push(&codegen->outside, object->constants[i]);
}

static inlay_entry_fn *find(struct codegen *codegen, const char *name)
{
    assert(codegen->object);
    if (!cg_jit_load(codegen))
        return NULL;
    struct arena arena = {0};
    const char *symbol = arena_printf(&arena, CG_ENTRY_PREFIX "%s", name);
    LLVMOrcExecutorAddress address = 0;
    bool is_fine = cg_check_error(codegen, LLVMOrcLLJITLookup(codegen->jit, &address, symbol));
    arena_finish(&arena);
    if (!is_fine)
        return NULL;
    union {
        uintptr_t address;
        inlay_entry_fn *function;
    } entry = {.address = (uintptr_t)address};
    return entry.function;
}

/* --- the face: this library has a base/ of its own, which is told whose guard it works under --- */

static struct codegen *enter_create(struct diag *diag, const struct codegen_options *options)
{
    struct guard *before = guard_use(options->guard);
    struct codegen *codegen = create(diag, options);
    guard_use(before);
    return codegen;
}

static void enter_destroy(struct codegen *codegen)
{
    struct guard *before = guard_use(codegen ? codegen->options.guard : NULL);
    destroy(codegen);
    guard_use(before);
}

static bool enter_compile(struct codegen *codegen, struct ir_module *module)
{
    struct guard *before = guard_use(codegen->options.guard);
    bool is_fine = compile(codegen, module);
    guard_use(before);
    return is_fine;
}

static void enter_load(struct codegen *codegen, const struct codegen_object *object)
{
    struct guard *before = guard_use(codegen->options.guard);
    load(codegen, object);
    guard_use(before);
}

static bool enter_write(struct codegen *codegen, const char *path, const char *kind)
{
    struct guard *before = guard_use(codegen->options.guard);
    bool is_fine = write_output(codegen, path, kind);
    guard_use(before);
    return is_fine;
}

static bool enter_text(struct codegen *codegen, const char *kind, codegen_take_fn *take,
                       void *state)
{
    struct guard *before = guard_use(codegen->options.guard);
    bool is_fine = give_text(codegen, kind, take, state);
    guard_use(before);
    return is_fine;
}

static bool enter_emit(struct codegen *codegen, const struct codegen_artifact *artifact,
                       const char *kind, codegen_take_fn *take, void *state)
{
    struct guard *before = guard_use(codegen->options.guard);
    bool is_fine = emit(codegen, artifact, kind, take, state);
    guard_use(before);
    return is_fine;
}

static inlay_entry_fn *enter_find(struct codegen *codegen, const char *name)
{
    struct guard *before = guard_use(codegen->options.guard);
    inlay_entry_fn *entry = find(codegen, name);
    guard_use(before);
    return entry;
}

__attribute__((visibility("default"))) const struct codegen_api *codegen_api(void)
{
    static const struct codegen_api api = {
        .version = CODEGEN_API_VERSION,
        .create = enter_create,
        .destroy = enter_destroy,
        .identify = cg_identify,
        .compile = enter_compile,
        .write = enter_write,
        .text = enter_text,
        .emit = enter_emit,
        .show = show,
        .load = enter_load,
        .find = enter_find,
    };
    return &api;
}
