/* Any bytes as an .npy file: a tensor of at most as many bytes, or a message. */
#include "base/util.h"
#include "io/file.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size); /* NOLINT: libFuzzer's name */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) /* NOLINT: libFuzzer's name */
{
    struct inlay_memory_reader memory;
    struct inlay_message message = {{0}};

    inlay_memory_reader_init(&memory, data, size);
    struct inlay_tensor *tensor = inlay_npy_decode(&memory.reader, &message);
    if (!tensor && !message.text[0])
        FATAL("refused without a message");
    if (tensor && inlay_tensor_elements(tensor) > (int64_t)size && inlay_tensor_elements(tensor))
        FATAL("more elements than bytes");
    inlay_tensor_destroy(tensor);
    return 0;
}
