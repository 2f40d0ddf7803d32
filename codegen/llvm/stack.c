/*
 * How large the frames of functions are, and whom they call: measured when a module is emitted, and written down
 * as text, which is kept with the object.  What a call takes is worked out of it in stack_walk.c.
 *
 * LLVM tells how large the frame of each function is when it emits it: as the warning that the attribute
 * warn-stack-size asks for.
 */
#include "codegen/llvm/stack.h"

#include "base/hash.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct frame {
    LLVMValueRef function;
    int64_t bytes;
};

struct stack_watch {
    LLVMContextRef context;
    LLVMModuleRef llvm;
    struct map index; /* function -> its index, plus 1 */
    array(struct frame) frames;
    char *error;
};

static struct frame *find(struct stack_watch *w, LLVMValueRef function)
{
    size_t index = (size_t)map_get(&w->index, function);

    return index ? &w->frames.items[index - 1] : NULL;
}

static const char *name_of(LLVMValueRef value)
{
    size_t length;

    return LLVMGetValueName2(value, &length);
}

void cg_stack_ask(LLVMModuleRef llvm)
{
    static const char name[] = "warn-stack-size";
    LLVMAttributeRef attribute =
        LLVMCreateStringAttribute(LLVMGetModuleContext(llvm), name, sizeof(name) - 1, "0", 1);

    for (LLVMValueRef f = LLVMGetFirstFunction(llvm); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attribute);
}

/* --- while it is emitted --- */

/* "stack frame size (72) exceeds limit (0) in function 'name'" */
static void note_size(struct stack_watch *w, char *text)
{
    static const char before_size[] = "stack frame size (", before_name[] = " in function '";
    char *size = strstr(text, before_size), *name = strstr(text, before_name);
    char *end = name ? strrchr(name, '\'') : NULL;

    if (!size || !name || end < name + sizeof(before_name) - 1)
        return;
    *end = 0;
    LLVMValueRef found = LLVMGetNamedFunction(w->llvm, name + sizeof(before_name) - 1);
    struct frame *frame = found ? find(w, found) : NULL;
    if (frame)
        frame->bytes = strtoll(size + sizeof(before_size) - 1, NULL, 10);
}

static void on_diagnostic(LLVMDiagnosticInfoRef info, void *state)
{
    struct stack_watch *w = state;
    char *text = LLVMGetDiagInfoDescription(info);

    if (LLVMGetDiagInfoSeverity(info) != LLVMDSError)
        note_size(w, text);
    else if (!w->error)
        w->error = LLVMCreateMessage(text);
    LLVMDisposeMessage(text);
}

struct stack_watch *cg_stack_begin(LLVMModuleRef llvm)
{
    struct stack_watch *w = memory_new(sizeof(*w), 1);

    w->context = LLVMGetModuleContext(llvm);
    w->llvm = llvm;
    for (LLVMValueRef f = LLVMGetFirstFunction(llvm); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f))
            continue;
        array_push(&w->frames, (struct frame){.function = f});
        map_set(&w->index, f, (const void *)(uintptr_t)w->frames.count);
    }
    LLVMContextSetDiagnosticHandler(w->context, on_diagnostic, w);
    return w;
}

/* --- behind it --- */

/* One that is defined here by its number, another by its name. */
static void put_function(struct stack_watch *w, LLVMValueRef function, struct text *out)
{
    const struct frame *known = find(w, function);

    if (known)
        text_printf(out, "\t#%zu", (size_t)(known - w->frames.items));
    else
        text_printf(out, "\t@%s", name_of(function));
}

static void put_call(struct stack_watch *w, LLVMValueRef call, struct text *out)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);

    text_puts(out, "call");
    if (callee && LLVMIsAFunction(callee))
        put_function(w, callee, out);
    else
        text_puts(out, "\t?");
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        if (LLVMIsAFunction(LLVMGetOperand(call, i)))
            put_function(w, LLVMGetOperand(call, i), out);
    text_putc(out, '\n');
}

/* Most calls of a function are alike: @lines knows where each stands, by its hash. */
static void put_new_call(struct stack_watch *w, LLVMValueRef call, struct map *lines,
                         struct text *out)
{
    size_t begin = out->length;

    put_call(w, call, out);
    size_t length = out->length - begin;
    const void *hash = hash_key(hash_bytes(out->data + begin, length));
    size_t known = (size_t)map_get(lines, hash);
    if (known == 0)
        map_set(lines, hash, (const void *)(uintptr_t)(begin + 1));
    else if (memcmp(out->data + known - 1, out->data + begin, length) == 0)
        out->length = begin;
}

/* The loop of the graph that @function is a turn of, as text; NULL: of none. */
static const char *loop_of(LLVMValueRef function)
{
    static const char name[] = CG_LOOP_ATTRIBUTE;
    LLVMAttributeRef attribute = LLVMGetStringAttributeAtIndex(
        function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, name, sizeof(name) - 1);
    unsigned length;

    return attribute ? LLVMGetStringAttributeValue(attribute, &length) : NULL;
}

static void put_frame(struct stack_watch *w, const struct frame *frame, struct text *out)
{
    LLVMLinkage linkage = LLVMGetLinkage(frame->function);
    bool is_local = linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;

    text_printf(out, "%s\t%lld\t%s\n", is_local ? "local" : "function", (long long)frame->bytes,
                name_of(frame->function));
    if (loop_of(frame->function))
        text_printf(out, "turn\t%s\n", loop_of(frame->function));
    struct map lines = {0};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(frame->function); b;
         b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i))
                put_new_call(w, i, &lines, out);
    map_finish(&lines);
}

char *cg_stack_end(struct stack_watch *w, struct text *out)
{
    char *error = w->error;

    LLVMContextSetDiagnosticHandler(w->context, NULL, NULL);
    for (size_t i = 0; out && i < w->frames.count; i++)
        put_frame(w, &w->frames.items[i], out);
    map_finish(&w->index);
    array_finish(&w->frames);
    memory_free(w);
    return error;
}
