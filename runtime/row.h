/* Copies of what says what values are; elements of tensors stay where they are.  Tuples are for who has them. */
#pragma once

#include "include/inlay/abi.h"

#include <stddef.h>
#include <string.h>

/* The size of what @value points at, and a copy of it at *@place, which is moved on. */

static inline size_t inlay_flat_bytes(const struct inlay_value *value)
{
    if (value->kind == INLAY_TENSOR)
        return sizeof(*value->tensor) + (size_t)value->tensor->ndim * sizeof(int64_t);
    if (value->kind == INLAY_SHAPE)
        return sizeof(*value->shape) + value->shape->count * sizeof(int64_t);
    return 0;
}

static inline void *inlay_row_take(char **place, size_t bytes)
{
    void *taken = *place;

    *place += bytes;
    return taken;
}

static inline int64_t *inlay_flat_dims(char **place, const int64_t *dims, size_t count)
{
    int64_t *copy = inlay_row_take(place, count * sizeof(*copy));

    if (count > 0)
        memcpy(copy, dims, count * sizeof(*copy));
    return copy;
}

static inline void inlay_flat_copy(struct inlay_value *value, char **place)
{
    if (value->kind == INLAY_TENSOR) {
        struct inlay_tensor *tensor = inlay_row_take(place, sizeof(*tensor));

        *tensor = *value->tensor;
        tensor->shape = inlay_flat_dims(place, tensor->shape, (size_t)tensor->ndim);
        value->tensor = tensor;
    } else if (value->kind == INLAY_SHAPE) {
        struct inlay_shape *shape = inlay_row_take(place, sizeof(*shape));

        *shape = *value->shape;
        shape->dims = inlay_flat_dims(place, shape->dims, shape->count);
        value->shape = shape;
    }
}
