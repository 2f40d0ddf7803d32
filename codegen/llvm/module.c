/*
 * LLVM modules for one module of Inlay: all graph functions and the constants, and the kernels that they
 * call, beside them or each in a unit of its own.
 */
#include "base/hash.h"
#include "codegen/llvm/internal.h"

#include <llvm-c/Analysis.h>

#include <string.h>

/*
 * Constants of more bytes are not copied into the object that is loaded: code refers to the data that
 * the module holds.  Objects that are written to files have all of them inside: LLVM's constants, or, where
 * units are joined, data that LLVM does not see.
 */
enum { EMBED_LIMIT = 4096 };

static bool is_inside(const struct cg *cg, const struct ir_constant *constant)
{
    return cg->codegen->embed_constants || constant->bytes <= EMBED_LIMIT;
}

/* Data that are mapped from a file lie where they lie in it. */
unsigned cg_alignment_of(const struct cg *cg, const struct ir_constant *constant)
{
    uintptr_t place = (uintptr_t)constant->data | 64;

    return is_inside(cg, constant) || cg->codegen->artifact ? 64 : (unsigned)(place & -place);
}

/* Of the size and of both ends: who finds one compares. */
static uint64_t hash_of(const struct ir_constant *constant)
{
    enum { END = 256 };
    size_t size = constant->bytes < END ? constant->bytes : END;
    uint64_t hash = hash_bytes(constant->data, size);

    hash = hash_mix(hash, hash_bytes((const char *)constant->data + constant->bytes - size, size));
    return hash_mix(hash, constant->bytes);
}

/* The first constant with the bytes of @constant: in a file they are there once, as weights that models tie. */
static const struct ir_constant *first_alike(struct cg *cg, const struct ir_constant *constant)
{
    uint64_t hash = hash_of(constant);
    const struct ir_constant *first;

    while ((first = map_get(&cg->alike, hash_key(hash))) &&
           (first->bytes != constant->bytes ||
            (first->data != constant->data &&
             memcmp(first->data, constant->data, constant->bytes) != 0)))
        hash = hash_again(hash);
    if (!first)
        map_set(&cg->alike, hash_key(hash), constant);
    return first ? first : constant;
}

LLVMValueRef cg_constant(struct cg *cg, const struct ir_constant *constant)
{
    if (cg->codegen->artifact && constant->bytes > 0)
        constant = first_alike(cg, constant);
    LLVMValueRef known = map_get(&cg->constants, constant);
    if (known)
        return known;
    const char *name = arena_printf(&cg->arena, CG_CONSTANT_PREFIX "%u", constant->index);
    LLVMTypeRef type = LLVMArrayType2(cg->i8, constant->bytes);
    LLVMValueRef global = LLVMAddGlobal(cg->unit->llvm, type, name);
    LLVMSetGlobalConstant(global, true);
    LLVMSetAlignment(global, cg_alignment_of(cg, constant));
    if (is_inside(cg, constant)) {
        LLVMValueRef data =
            LLVMConstStringInContext2(cg->context, constant->data, constant->bytes, true);
        LLVMSetInitializer(global, data);
        LLVMSetLinkage(global, LLVMInternalLinkage);
    } else {
        if (cg->codegen->artifact) /* join.c */
            LLVMSetVisibility(global, LLVMHiddenVisibility);
        array_push(&cg->codegen->outside,
                   (struct codegen_constant){constant->index, constant->data, constant->bytes});
    }
    map_set(&cg->constants, constant, global);
    return global;
}

static bool emit_functions(struct cg *cg)
{
    bool is_fine = true;
    for (size_t i = 0; i < cg->module->global_count; i++) {
        struct ir_global *global = cg->module->globals[i];
        if (global->kind == IR_GLOBAL_FUNCTION && !cg_emit_function(cg, global->function))
            is_fine = false;
    }
    return cg_emit_kernels(cg) && is_fine;
}

static void finish(struct cg *cg)
{
    for (size_t i = 0; i < cg->kernel_list.count; i++) {
        array_finish(&cg->kernel_list.items[i]->symbols);
        array_finish(&cg->kernel_list.items[i]->parts);
    }
    array_finish(&cg->kernel_list);
    map_finish(&cg->kernels);
    map_finish(&cg->constants);
    map_finish(&cg->alike);
    map_finish(&cg->warned);
    map_finish(&cg->functions);
    map_finish(&cg->sites);
    map_finish(&cg->expected);
    stack_needs_finish(&cg->needs);
    tail_calls_finish(&cg->tails);
    result_params_finish(&cg->result_params);
    map_finish(&cg->vars);
    LLVMDisposeBuilder(cg->builder);
    arena_finish(&cg->arena);
}

/* What LLVM finds wrong with the module is a mistake of this folder. */
static void verify(LLVMModuleRef llvm)
{
#ifndef NDEBUG
    char *message = NULL;
    if (LLVMVerifyModule(llvm, LLVMReturnStatusAction, &message))
        FATAL(message);
    LLVMDisposeMessage(message);
#endif
}

/* --- units --- */

struct cg_unit *cg_unit_begin(struct cg *cg)
{
    struct cg_unit *before = cg->unit;
    cg->unit = arena_new(&cg->arena, struct cg_unit);
    cg->unit->llvm = LLVMModuleCreateWithNameInContext(cg->module->name, cg->context);
    LLVMSetTarget(cg->unit->llvm, cg->codegen->triple);
    LLVMSetDataLayout(cg->unit->llvm, cg->codegen->layout);
    cg_debug_init(cg);
    array_push(&cg->modules->items, cg->unit->llvm);
    return before;
}

void cg_unit_end(struct cg *cg, struct cg_unit *before)
{
    if (cg->unit->debug.builder)
        LLVMDIBuilderFinalize(cg->unit->debug.builder);
    cg_debug_finish(cg);
    map_finish(&cg->unit->strings);
    cg->unit = before;
}

void cg_modules_finish(struct cg_modules *modules)
{
    for (size_t i = 0; i < modules->items.count; i++)
        LLVMDisposeModule(modules->items.items[i]);
    array_finish(&modules->items);
}

bool cg_emit_modules(struct codegen *codegen, struct ir_module *module, bool may_split,
                     struct cg_modules *out)
{
    struct cg cg = {.codegen = codegen,
                    .diag = codegen->diag,
                    .ir = module->context,
                    .module = module,
                    .context = codegen->context,
                    .may_split = may_split,
                    .modules = out};
    codegen->outside.count = 0;
    cg.builder = LLVMCreateBuilderInContext(cg.context);
    cg_init_types(&cg);
    struct cg_unit *before = cg_unit_begin(&cg);
    stack_needs_find(&cg.needs, module, NULL);
    tail_calls_find(&cg.tails, module);
    cg_profile_init(&cg);
    bool is_fine =
        emit_functions(&cg) && (!codegen->artifact || cg_emit_doors(&cg, codegen->artifact));
    cg_unit_end(&cg, before);
    for (size_t i = 0; is_fine && i < out->items.count; i++)
        verify(out->items.items[i]);
    finish(&cg);
    if (!is_fine)
        cg_modules_finish(out);
    return is_fine;
}

LLVMModuleRef cg_emit_module(struct codegen *codegen, struct ir_module *module)
{
    struct cg_modules modules = {0};
    if (!cg_emit_modules(codegen, module, false, &modules))
        return NULL;
    LLVMModuleRef llvm = modules.items.items[0];
    modules.items.count = 0;
    cg_modules_finish(&modules);
    return llvm;
}
