/* Tensors of the host and access to single elements. */
#include "runtime/tensor.h"

#include "runtime/frame.h"
#include "runtime/memory.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 64 };

/* No process has more to give; allocators that are asked may complain. */
static const size_t ADDRESSABLE = SIZE_MAX > UINT32_MAX ? (size_t)(UINT64_C(1) << 47) : SIZE_MAX;

struct inlay_tensor *inlay_tensor_create(struct inlay_dtype dtype, const int64_t *shape,
                                         int32_t ndim)
{
    return inlay_tensor_create_with_room(dtype, shape, ndim, 0);
}

struct inlay_tensor *inlay_tensor_create_with_room(struct inlay_dtype dtype, const int64_t *shape,
                                                   int32_t ndim, size_t room)
{
    int64_t own = inlay_tensor_bytes(shape, ndim, inlay_dtype_bytes(dtype));
    if (own < 0 || ndim < 0)
        return NULL;
    size_t bytes = room > (size_t)own ? room : (size_t)own;
    /* One block from calloc(): big ones come zeroed from the system without a sweep of ours. */
    size_t head = sizeof(struct inlay_tensor) + (size_t)ndim * sizeof(int64_t);
    size_t size;
    if (__builtin_add_overflow(bytes, head + 2 * ALIGNMENT, &size) || size > ADDRESSABLE)
        return NULL;
    struct inlay_tensor *tensor = calloc(1, size);
    if (!tensor)
        return NULL;
    inlay_memory_advise(tensor, size);
    tensor->shape = (int64_t *)(void *)((char *)tensor + sizeof(*tensor));
    if (ndim > 0)
        memcpy(tensor->shape, shape, (size_t)ndim * sizeof(int64_t));
    uintptr_t data = (uintptr_t)tensor + head;
    tensor->data = (char *)tensor + head + (ALIGNMENT - data % ALIGNMENT) % ALIGNMENT;
    tensor->device.type = 1;
    tensor->ndim = ndim;
    tensor->dtype = dtype;
    return tensor;
}

struct inlay_tensor *inlay_tensor_create_view(struct inlay_dtype dtype, const int64_t *shape,
                                              int32_t ndim, void *data)
{
    if (ndim < 0 || inlay_tensor_bytes(shape, ndim, inlay_dtype_bytes(dtype)) < 0)
        return NULL;
    struct inlay_tensor *tensor =
        calloc(1, sizeof(struct inlay_tensor) + (size_t)ndim * sizeof(int64_t));
    if (!tensor)
        return NULL;
    tensor->shape = (int64_t *)(void *)(tensor + 1);
    if (ndim > 0)
        memcpy(tensor->shape, shape, (size_t)ndim * sizeof(int64_t));
    tensor->data = data;
    tensor->device.type = 1;
    tensor->ndim = ndim;
    tensor->dtype = dtype;
    return tensor;
}

void inlay_tensor_destroy(struct inlay_tensor *tensor)
{
    free(tensor);
}

int64_t inlay_tensor_elements(const struct inlay_tensor *tensor)
{
    return inlay_tensor_bytes(tensor->shape, tensor->ndim, 1);
}
