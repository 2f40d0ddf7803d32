/* Tensors of the host and access to single elements. */
#include "runtime/tensor.h"

#include "base/half.h"
#include "runtime/frame.h"

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

void inlay_tensor_destroy(struct inlay_tensor *tensor)
{
    free(tensor);
}

int64_t inlay_tensor_elements(const struct inlay_tensor *tensor)
{
    return inlay_tensor_bytes(tensor->shape, tensor->ndim, 1);
}

int32_t inlay_dtype_bytes(struct inlay_dtype dtype)
{
    return (dtype.bits * dtype.lanes + 7) / 8;
}

bool inlay_dtype_is_float(struct inlay_dtype dtype)
{
    return dtype.code == INLAY_CODE_FLOAT || dtype.code == INLAY_CODE_BFLOAT;
}

bool inlay_dtype_is_supported(struct inlay_dtype dtype)
{
    if (dtype.lanes != 1)
        return false;
    switch (dtype.code) {
    case INLAY_CODE_INT:
    case INLAY_CODE_UINT:
        return dtype.bits == 8 || dtype.bits == 16 || dtype.bits == 32 || dtype.bits == 64;
    case INLAY_CODE_FLOAT:
        return dtype.bits == 16 || dtype.bits == 32 || dtype.bits == 64;
    case INLAY_CODE_BFLOAT:
        return dtype.bits == 16;
    case INLAY_CODE_BOOL:
        return dtype.bits == 8;
    default:
        return false;
    }
}

double inlay_element_real(struct inlay_dtype dtype, const void *data, int64_t index)
{
    if (dtype.code == INLAY_CODE_BFLOAT)
        return (double)bfloat_to_float(((const uint16_t *)data)[index]);
    if (dtype.code == INLAY_CODE_FLOAT) {
        if (dtype.bits == 32)
            return (double)((const float *)data)[index];
        if (dtype.bits == 64)
            return ((const double *)data)[index];
        return (double)half_to_float(((const uint16_t *)data)[index]);
    }
    int64_t value = inlay_element_integer(dtype, data, index);
    return dtype.code == INLAY_CODE_UINT ? (double)(uint64_t)value : (double)value;
}

int64_t inlay_element_integer(struct inlay_dtype dtype, const void *data, int64_t index)
{
    bool is_signed = dtype.code == INLAY_CODE_INT;
    switch (dtype.bits) {
    case 8:
        return is_signed ? ((const int8_t *)data)[index] : ((const uint8_t *)data)[index];
    case 16:
        return is_signed ? ((const int16_t *)data)[index] : ((const uint16_t *)data)[index];
    case 32:
        return is_signed ? (int64_t)((const int32_t *)data)[index]
                         : (int64_t)((const uint32_t *)data)[index];
    default:
        return ((const int64_t *)data)[index];
    }
}

void inlay_element_set_real(struct inlay_dtype dtype, void *data, int64_t index, double value)
{
    if (dtype.code == INLAY_CODE_BFLOAT)
        ((uint16_t *)data)[index] = bfloat_from_double(value);
    else if (dtype.bits == 32)
        ((float *)data)[index] = (float)value;
    else if (dtype.bits == 64)
        ((double *)data)[index] = value;
    else
        ((uint16_t *)data)[index] = half_from_double(value);
}

void inlay_element_set_integer(struct inlay_dtype dtype, void *data, int64_t index, int64_t value)
{
    if (dtype.code == INLAY_CODE_BOOL)
        value = value != 0;
    switch (dtype.bits) {
    case 8:
        ((uint8_t *)data)[index] = (uint8_t)value;
        break;
    case 16:
        ((uint16_t *)data)[index] = (uint16_t)value;
        break;
    case 32:
        ((uint32_t *)data)[index] = (uint32_t)value;
        break;
    default:
        ((int64_t *)data)[index] = value;
        break;
    }
}
