/*
 * An artifact for several levels of a processor: what the passes made for each of them, in one module.
 *
 * Kernels and graph functions are there once for each level, under names that end with it, and are compiled for it;
 * everything else is for the basis of the machine and there once.  Doors, which belong to the first level, call
 *
 *     inlay_fn_f(frame, ..)     asks inlay_artifact_level() and calls inlay_fn_f.LEVEL(frame, ..)
 *
 * so the level is asked for once a call, in one place, by plain code: resolvers of the loader (ifunc) would run before
 * relocations are done, and objects that are linked without that loader would have none.
 */
#include "base/memory.h"
#include "base/text.h"
#include "codegen/llvm/internal.h"

#include <llvm-c/Linker.h>

#include <string.h>

#define KERNEL_PREFIX "inlay_kernel_"

static bool begins(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static const char *name_of(LLVMValueRef value)
{
    size_t length;

    return LLVMGetValueName2(value, &length);
}

static bool is_entry(LLVMValueRef function)
{
    return begins(name_of(function), CG_ENTRY_PREFIX);
}

static bool is_of_level(LLVMValueRef function)
{
    return is_entry(function) || begins(name_of(function), KERNEL_PREFIX);
}

/* --- one level --- */

static void set_text_attribute(LLVMContextRef context, LLVMValueRef function, const char *name,
                               const char *value)
{
    LLVMAttributeRef attribute = LLVMCreateStringAttribute(context, name, (unsigned)strlen(name),
                                                           value, (unsigned)strlen(value));

    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attribute);
}

static void compile_for(struct codegen *codegen, LLVMModuleRef llvm, const struct target *target)
{
    char *features = cg_features(target);

    for (LLVMValueRef f = LLVMGetFirstFunction(llvm); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || !is_of_level(f))
            continue;
        set_text_attribute(codegen->context, f, "target-cpu", target->cpu);
        /* Also where there is nothing to say: without it, those of the machine, the basis, would hold. */
        set_text_attribute(codegen->context, f, "target-features", features);
    }
    LLVMDisposeMessage(features);
}

static void rename_entries(LLVMModuleRef llvm, const struct target *target)
{
    struct text name = {0};

    for (LLVMValueRef f = LLVMGetFirstFunction(llvm); f; f = LLVMGetNextFunction(f)) {
        if (!is_entry(f))
            continue;
        name.length = 0;
        text_printf(&name, "%s.%s", name_of(f), target->cpu);
        LLVMSetValueName2(f, text_string(&name), name.length);
    }
    text_finish(&name);
}

/* What levels have alike is there once: constmerge may put them together. */
static void share_constants(LLVMModuleRef llvm)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(llvm); g; g = LLVMGetNextGlobal(g))
        if (LLVMIsGlobalConstant(g) && LLVMGetLinkage(g) == LLVMInternalLinkage)
            LLVMSetUnnamedAddress(g, LLVMGlobalUnnamedAddr);
}

/* --- choosing --- */

typedef array(LLVMValueRef) value_array;

/* Calls of @entry from where no level is chosen yet. */
static void find_calls(LLVMValueRef entry, value_array *out)
{
    for (LLVMUseRef use = LLVMGetFirstUse(entry); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsACallInst(user) && LLVMGetCalledValue(user) == entry &&
            !is_of_level(LLVMGetBasicBlockParent(LLVMGetInstructionParent(user))))
            array_push(out, user);
    }
}

static LLVMValueRef declare(LLVMModuleRef llvm, const char *name, LLVMTypeRef type)
{
    LLVMValueRef function = LLVMGetNamedFunction(llvm, name);

    return function ? function : LLVMAddFunction(llvm, name, type);
}

static LLVMBasicBlockRef add_block(struct codegen *codegen, LLVMValueRef function)
{
    return LLVMAppendBasicBlockInContext(codegen->context, function, "");
}

static void emit_call(LLVMBuilderRef builder, LLVMBasicBlockRef block, LLVMValueRef from,
                      LLVMValueRef to)
{
    LLVMValueRef args[8];
    unsigned count = LLVMCountParams(to);

    LLVMPositionBuilderAtEnd(builder, block);
    for (unsigned i = 0; i < count && i < ARRAY_SIZE(args); i++)
        args[i] = LLVMGetParam(from, i);
    LLVMBuildRet(builder, LLVMBuildCall2(builder, LLVMGlobalGetValueType(to), to, args, count, ""));
}

/* The function that asks; @name is that of the entry. */
static LLVMValueRef emit_choice(struct codegen *codegen, LLVMModuleRef llvm, const char *name,
                                LLVMTypeRef type)
{
    const struct codegen_artifact *artifact = codegen->artifact;
    LLVMTypeRef i32 = LLVMInt32TypeInContext(codegen->context);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(codegen->context, 0);
    LLVMTypeRef ask_type = LLVMFunctionType(i32, &pointer, 1, false);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(codegen->context);
    LLVMValueRef choice = LLVMAddFunction(llvm, name, type);
    LLVMValueRef ask = declare(llvm, "inlay_artifact_level", ask_type);
    LLVMBasicBlockRef begin = add_block(codegen, choice), none = add_block(codegen, choice);
    struct text text = {0};

    LLVMPositionBuilderAtEnd(builder, begin);
    LLVMValueRef frame = LLVMGetParam(choice, 0);
    LLVMValueRef level = LLVMBuildCall2(builder, ask_type, ask, &frame, 1, "");
    LLVMValueRef cases = LLVMBuildSwitch(builder, level, none, (unsigned)artifact->level_count);
    for (size_t i = 0; i < artifact->level_count; i++) {
        LLVMBasicBlockRef block = add_block(codegen, choice);
        text.length = 0;
        text_printf(&text, "%s.%s", name, artifact->levels[i].target.cpu);
        LLVMAddCase(cases, LLVMConstInt(i32, i, false), block);
        emit_call(builder, block, choice, declare(llvm, text_string(&text), type));
    }
    LLVMPositionBuilderAtEnd(builder, none);
    LLVMBuildRet(builder, LLVMConstAllOnes(i32)); /* the frame knows why */
    LLVMDisposeBuilder(builder);
    text_finish(&text);
    return choice;
}

/* @llvm is that of the first level; its doors do not know yet that there are others. */
static void emit_choices(struct codegen *codegen, LLVMModuleRef llvm)
{
    const char *first = codegen->artifact->levels[0].target.cpu;
    value_array entries = {0}, calls = {0};

    for (LLVMValueRef f = LLVMGetFirstFunction(llvm); f; f = LLVMGetNextFunction(f))
        if (is_entry(f))
            array_push(&entries, f);
    for (size_t i = 0; i < entries.count; i++) {
        LLVMValueRef entry = entries.items[i];
        calls.count = 0;
        find_calls(entry, &calls);
        if (calls.count == 0)
            continue;
        struct text name = {0};
        text_append(&name, name_of(entry), strlen(name_of(entry)) - strlen(first) - 1);
        LLVMValueRef choice =
            emit_choice(codegen, llvm, text_string(&name), LLVMGlobalGetValueType(entry));
        for (size_t k = 0; k < calls.count; k++)
            LLVMSetOperand(calls.items[k], (unsigned)LLVMGetNumOperands(calls.items[k]) - 1,
                           choice);
        text_finish(&name);
    }
    array_finish(&entries);
    array_finish(&calls);
}

/* --- what runtime/artifact/levels.c reads --- */

static LLVMValueRef add_text(struct codegen *codegen, LLVMModuleRef llvm, const char *text)
{
    LLVMValueRef data = LLVMConstStringInContext2(codegen->context, text, strlen(text), false);
    LLVMValueRef global = LLVMAddGlobal(llvm, LLVMTypeOf(data), "level");

    LLVMSetInitializer(global, data);
    LLVMSetGlobalConstant(global, true);
    LLVMSetLinkage(global, LLVMInternalLinkage);
    return global;
}

static void add_constant(LLVMModuleRef llvm, const char *name, LLVMValueRef value)
{
    LLVMValueRef global = LLVMAddGlobal(llvm, LLVMTypeOf(value), name);

    LLVMSetInitializer(global, value);
    LLVMSetGlobalConstant(global, true);
}

static void say_levels(struct codegen *codegen, LLVMModuleRef llvm)
{
    const struct codegen_artifact *artifact = codegen->artifact;
    size_t count = artifact->level_count;
    LLVMTypeRef i32 = LLVMInt32TypeInContext(codegen->context);
    LLVMValueRef *names = memory_new(sizeof(*names), count);
    LLVMValueRef *numbers = memory_new(sizeof(*numbers), count);

    for (size_t i = 0; i < count; i++) {
        names[i] = add_text(codegen, llvm, artifact->levels[i].target.cpu);
        numbers[i] = LLVMConstInt(i32, artifact->levels[i].number, false);
    }
    add_constant(llvm, "inlay_level_count", LLVMConstInt(i32, count, false));
    add_constant(llvm, "inlay_level_numbers", LLVMConstArray2(i32, numbers, count));
    add_constant(llvm, "inlay_level_names",
                 LLVMConstArray2(LLVMPointerTypeInContext(codegen->context, 0), names, count));
    memory_free(names);
    memory_free(numbers);
}

/* --- all --- */

static LLVMModuleRef emit_level(struct codegen *codegen, const struct codegen_level *level,
                                bool has_doors)
{
    const struct codegen_artifact *artifact = codegen->artifact;
    struct codegen_artifact inside = *artifact; /* which has no doors */
    struct target basis = codegen->options.target;

    inside.door_count = 0;
    inside.message_name = NULL;
    codegen->options.target = level->target; /* what emission asks; the machine stays the basis */
    codegen->artifact = has_doors ? artifact : &inside;
    LLVMModuleRef llvm = cg_emit_module(codegen, level->module);
    codegen->options.target = basis;
    codegen->artifact = artifact;
    if (llvm) {
        compile_for(codegen, llvm, &level->target);
        rename_entries(llvm, &level->target);
        share_constants(llvm);
    }
    return llvm;
}

LLVMModuleRef cg_emit_levels(struct codegen *codegen)
{
    const struct codegen_artifact *artifact = codegen->artifact;
    LLVMModuleRef llvm = emit_level(codegen, &artifact->levels[0], true);

    if (!llvm)
        return NULL;
    emit_choices(codegen, llvm);
    for (size_t i = 1; i < artifact->level_count; i++) {
        LLVMModuleRef level = emit_level(codegen, &artifact->levels[i], false);
        if (!level || LLVMLinkModules2(llvm, level)) { /* takes the level over */
            LLVMDisposeModule(llvm);
            return NULL;
        }
    }
    say_levels(codegen, llvm);
    return llvm;
}

/* The functions of the runtime that callers see, under the names that they know. */
void cg_show_levels(LLVMModuleRef llvm, const struct codegen_artifact *artifact)
{
    const char *const names[][2] = {{"inlay_artifact_use_cpu", artifact->use_cpu_name},
                                    {"inlay_artifact_cpu", artifact->cpu_name}};

    for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
        LLVMValueRef function = LLVMGetNamedFunction(llvm, names[i][0]);
        if (!function)
            continue;
        LLVMSetValueName2(function, names[i][1], strlen(names[i][1]));
        LLVMSetVisibility(function, LLVMProtectedVisibility);
    }
}
