/* Where code that is loaded lies. */
#include "codegen/llvm/internal.h"
#include "tests/unit/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FUNCTIONS = 700 };

/* An object of this machine in which each of FUNCTIONS functions is a section. */
static LLVMMemoryBufferRef make_object(void)
{
    char *triple = LLVMGetDefaultTargetTriple(), *message = NULL;
    LLVMTargetRef target = NULL;
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = LLVMModuleCreateWithNameInContext("many", context);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), NULL, 0, false);
    LLVMMemoryBufferRef object = NULL;

    LLVMInitializeNativeTarget();
    LLVMInitializeNativeAsmPrinter();
    assert_false(LLVMGetTargetFromTriple(triple, &target, &message));
    LLVMTargetMachineRef machine = LLVMCreateTargetMachine(
        target, triple, "", "", LLVMCodeGenLevelNone, LLVMRelocPIC, LLVMCodeModelDefault);
    LLVMSetTarget(module, triple);
    for (int i = 0; i < FUNCTIONS; i++) {
        char name[32];
        snprintf(name, sizeof(name), "f%d", i);
        LLVMValueRef function = LLVMAddFunction(module, name, type);
        snprintf(name, sizeof(name), ".text.f%d", i);
        LLVMSetSection(function, name);
        LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, function, ""));
        LLVMBuildRetVoid(builder);
    }
    assert_false(
        LLVMTargetMachineEmitToMemoryBuffer(machine, module, LLVMObjectFile, &message, &object));
    LLVMDisposeTargetMachine(machine);
    LLVMDisposeMessage(triple);
    LLVMDisposeBuilder(builder);
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
    return object;
}

/* Code refers to data by distances of 32 bits, so all sections lie in one piece, whatever else the process has. */
static void test_jit_memory(void **state)
{
    struct codegen codegen = {.object = make_object()};
    codegen.code_memory = cg_jit_memory_reserve(codegen.object);
    assert_non_null(codegen.code_memory);
    void *memory = cg_jit_memory_create(&codegen);
    char *message = NULL;
    uint8_t *code[FUNCTIONS], *data, *fixed;

    assert_non_null(memory);
    assert_null(codegen.code_memory);
    /* LLVM ends the process where one of them is NULL. */
    for (unsigned i = 0; i < FUNCTIONS; i++) {
        code[i] = cg_jit_memory_code(memory, 5000, 64, i, ".text");
        assert_non_null(code[i]);
        memset(code[i], 0xc3, 5000);
    }
    data = cg_jit_memory_data(memory, 10, 16, FUNCTIONS, ".data", false);
    fixed = cg_jit_memory_data(memory, 0, 16, FUNCTIONS + 1, ".rodata", true);
    assert_non_null(data);
    assert_non_null(fixed);
    assert_true(labs((long)(data - code[0])) < (1L << 23) &&
                labs((long)(fixed - code[0])) < (1L << 23));
    assert_true(data >= code[0] + 5000 && code[1] >= code[0] + 5000);
    memset(data, 1, 10);
    assert_null(cg_jit_memory_data(memory, (uintptr_t)1 << 40, 16, 4, ".bss", false));
    assert_null(cg_jit_memory_data(memory, UINTPTR_MAX, 16, 4, ".bss", false));
    assert_false(cg_jit_memory_finalize(memory, &message));
    data[9] = 2;
    assert_int_equal(code[FUNCTIONS - 1][4999], 0xc3);
    cg_jit_memory_destroy(memory);
    LLVMDisposeMemoryBuffer(codegen.object);
}

/* What is no object has no sections to lie anywhere. */
static void test_no_object(void **state)
{
    LLVMMemoryBufferRef bytes = LLVMCreateMemoryBufferWithMemoryRangeCopy("none", 4, "object");

    assert_null(cg_jit_memory_reserve(bytes));
    LLVMDisposeMemoryBuffer(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_jit_memory),
                                       cmocka_unit_test(test_no_object)};

    return cmocka_run_group_tests_name("jit_memory", tests, NULL, NULL);
}
