/*
 * How much of the stack of its thread a call of an artifact takes.
 *
 * LLVM tells how large the frame of each function is when it emits it: as the warning that the attribute
 * warn-stack-size asks for.  The sum along the deepest path of calls is what a door takes.  A function that is
 * given a function (the body of a loop) calls it where it calls what it does not know; what the C library takes is
 * an allowance, as it cannot be seen.
 */
#include "base/memory.h"
#include "codegen/llvm/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BESIDE = 64,    /* of each frame: the return address, and what its alignment may skip */
    LIBRARY = 1024, /* for all that the C library does */
    NO_HOLE = -1,
};

struct stack_function {
    LLVMValueRef function;
    int64_t frame; /* bytes */
    int64_t deep;  /* bytes that a call takes */
    int64_t hole;  /* bytes in use where it calls what it was given; NO_HOLE: it does not */
    size_t next;   /* on the deepest path; its own index: it ends here */
};

struct stack_walk {
    struct codegen *codegen;
    LLVMModuleRef llvm;
    struct map index; /* function -> its index, plus 1 */
    array(struct stack_function) functions;
    bool has_sizes;
};

/* --- sizes of frames --- */

static struct stack_function *find(struct stack_walk *w, LLVMValueRef function)
{
    size_t index = (size_t)map_get(&w->index, function);

    return index ? &w->functions.items[index - 1] : NULL;
}

/* "stack frame size (72) exceeds limit (0) in function 'name'" */
static void note_size(struct stack_walk *w, char *text)
{
    static const char before_size[] = "stack frame size (", before_name[] = " in function '";
    char *size = strstr(text, before_size), *name = strstr(text, before_name);
    char *end = name ? strrchr(name, '\'') : NULL;

    if (!size || !name || end < name + sizeof(before_name) - 1)
        return;
    *end = 0;
    LLVMValueRef found = LLVMGetNamedFunction(w->llvm, name + sizeof(before_name) - 1);
    struct stack_function *function = found ? find(w, found) : NULL;
    if (function)
        function->frame = strtoll(size + sizeof(before_size) - 1, NULL, 10);
    w->has_sizes |= function != NULL;
}

static void on_diagnostic(LLVMDiagnosticInfoRef info, void *state)
{
    struct stack_walk *w = state;
    char *text = LLVMGetDiagInfoDescription(info);

    if (LLVMGetDiagInfoSeverity(info) == LLVMDSError)
        diag_report(w->codegen->diag, (struct location){0}, CODEGEN_LLVM, text);
    else
        note_size(w, text);
    LLVMDisposeMessage(text);
}

struct stack_walk *cg_stack_begin(struct codegen *codegen, LLVMModuleRef llvm)
{
    static const char name[] = "warn-stack-size";
    struct stack_walk *w = memory_new(sizeof(*w), 1);
    LLVMAttributeRef attribute =
        LLVMCreateStringAttribute(codegen->context, name, sizeof(name) - 1, "0", 1);

    w->codegen = codegen;
    w->llvm = llvm;
    for (LLVMValueRef f = LLVMGetFirstFunction(llvm); f; f = LLVMGetNextFunction(f)) {
        size_t index = w->functions.count;
        if (LLVMIsDeclaration(f))
            continue;
        LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, attribute);
        array_push(&w->functions,
                   (struct stack_function){.function = f, .hole = NO_HOLE, .next = index});
        map_set(&w->index, f, (const void *)(uintptr_t)(index + 1));
    }
    LLVMContextSetDiagnosticHandler(codegen->context, on_diagnostic, w);
    return w;
}

/* --- paths --- */

/* A call at which @deep bytes more are taken, by function @next, and @hole where it calls what it was given. */
static bool note_call(struct stack_function *f, int64_t deep, int64_t hole, size_t next)
{
    bool is_changed = false;
    int64_t own = f->frame + BESIDE;

    if (own + deep > f->deep) {
        f->deep = own + deep;
        f->next = next;
        is_changed = true;
    }
    if (hole != NO_HOLE && own + hole > f->hole) {
        f->hole = own + hole;
        is_changed = true;
    }
    return is_changed;
}

/* The functions among the arguments of @call are what @hole bytes deeper is called. */
static bool note_given(struct stack_walk *w, struct stack_function *f, LLVMValueRef call,
                       int64_t hole)
{
    bool is_changed = false, is_filled = false;

    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        const struct stack_function *given = find(w, LLVMGetOperand(call, i));
        if (!given)
            continue;
        is_filled = true;
        is_changed |=
            note_call(f, hole + given->deep, given->hole == NO_HOLE ? NO_HOLE : hole + given->hole,
                      (size_t)(given - w->functions.items));
    }
    return is_filled ? is_changed : note_call(f, hole, hole, (size_t)(f - w->functions.items));
}

static bool visit_call(struct stack_walk *w, struct stack_function *f, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    const struct stack_function *known = callee ? find(w, callee) : NULL;
    size_t self = (size_t)(f - w->functions.items);

    if (known) {
        bool is_changed = note_call(f, known->deep, NO_HOLE, (size_t)(known - w->functions.items));
        return (known->hole != NO_HOLE && note_given(w, f, call, known->hole)) || is_changed;
    }
    if (callee && LLVMIsAFunction(callee))
        return note_given(w, f, call, LIBRARY);
    return note_call(f, 0, 0, self); /* what it was given */
}

static bool visit_function(struct stack_walk *w, struct stack_function *f)
{
    bool is_changed = note_call(f, 0, NO_HOLE, (size_t)(f - w->functions.items));

    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i))
                is_changed |= visit_call(w, f, i);
    return is_changed;
}

/* False: some path has no end. */
static bool find_paths(struct stack_walk *w)
{
    bool is_changed = true;

    for (size_t round = 0; is_changed && round <= w->functions.count + 1; round++) {
        is_changed = false;
        for (size_t i = w->functions.count; i-- > 0;)
            is_changed |= visit_function(w, &w->functions.items[i]);
    }
    return !is_changed;
}

/* What is deepest under @f, and the largest frame on the way. */
static void tell(const struct stack_walk *w, const struct stack_function *f,
                 struct codegen_stack *out)
{
    const struct stack_function *largest = f;

    if (out->bytes >= f->deep)
        return;
    out->bytes = f->deep;
    for (size_t i = 0; i < w->functions.count && f->next != (size_t)(f - w->functions.items); i++) {
        f = &w->functions.items[f->next];
        largest = f->frame > largest->frame ? f : largest;
    }
    size_t length;
    const char *name = LLVMGetValueName2(largest->function, &length);
    (void)snprintf(out->largest, sizeof(out->largest), "%.*s", (int)length, name);
    out->largest_bytes = largest->frame;
}

void cg_stack_end(struct stack_walk *w, const struct codegen_artifact *artifact)
{
    bool is_known = w->has_sizes && find_paths(w);

    LLVMContextSetDiagnosticHandler(w->codegen->context, NULL, NULL);
    for (size_t i = 0; i < artifact->door_count; i++) {
        static const char *const ends[] = {"", "_dl"};
        struct codegen_stack *out = &artifact->stacks[i];
        *out = (struct codegen_stack){.bytes = -1};
        for (size_t k = 0; is_known && k < ARRAY_SIZE(ends); k++) {
            struct arena arena = {0};
            LLVMValueRef door = LLVMGetNamedFunction(
                w->llvm, arena_printf(&arena, "%s%s", artifact->doors[i].name, ends[k]));
            if (door && find(w, door))
                tell(w, find(w, door), out);
            arena_finish(&arena);
        }
    }
    map_finish(&w->index);
    array_finish(&w->functions);
    memory_free(w);
}
