/* libFuzzer's own changes of bytes, and mistakes of people, in turn. */
#include "base/array.h"
#include "tests/fuzz/replay.h"

#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most); /* NOLINT: libFuzzer's name */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, /* NOLINT */
                               unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, /* NOLINT */
                               unsigned seed)
{
    uint32_t random = seed | 1;
    struct bytes bytes = {0};

    if (next_random(&random) & 1)
        return LLVMFuzzerMutate(data, size, most);
    array_reserve(&bytes, size + 1);
    memcpy(bytes.items, data, size);
    bytes.count = size;
    change_tokens(&bytes, &random);
    size_t count = bytes.count < most ? bytes.count : most;
    memcpy(data, bytes.items, count);
    array_finish(&bytes);
    return count;
}
