/* Where code that is loaded lies. */
#include "codegen/llvm/internal.h"
#include "tests/unit/test.h"

#include <stdlib.h>
#include <string.h>

/* Code refers to data by distances of 32 bits, so all sections lie in one piece, whatever else the process has. */
static void test_jit_memory(void **state)
{
    static const char bytes[100000];
    struct codegen codegen = {
        .object = LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes, sizeof(bytes), "object")};
    void *memory = cg_jit_memory_create(&codegen);
    char *message = NULL;

    assert_non_null(memory);
    uint8_t *code = cg_jit_memory_code(memory, 70000, 64, 1, ".text");
    uint8_t *data = cg_jit_memory_data(memory, 10, 16, 2, ".data", false);
    uint8_t *fixed = cg_jit_memory_data(memory, 0, 16, 3, ".rodata", true);
    assert_non_null(code);
    assert_non_null(data);
    assert_non_null(fixed);
    assert_true(labs((long)(data - code)) < (1L << 23) && labs((long)(fixed - code)) < (1L << 23));
    assert_true(data >= code + 70000 || code >= data + 10);
    memset(code, 0xc3, 70000);
    memset(data, 1, 10);
    assert_null(cg_jit_memory_data(memory, (uintptr_t)1 << 40, 16, 4, ".bss", false));
    assert_false(cg_jit_memory_finalize(memory, &message));
    data[9] = 2;
    assert_int_equal(code[69999], 0xc3);
    cg_jit_memory_destroy(memory);
    LLVMDisposeMemoryBuffer(codegen.object);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_jit_memory)};

    return cmocka_run_group_tests_name("jit_memory", tests, NULL, NULL);
}
