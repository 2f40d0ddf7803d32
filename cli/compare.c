#include "cli/compare.h"

#include "runtime/half.h"
#include "runtime/tensor.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t tensor_bytes(const struct inlay_tensor *tensor)
{
    return (size_t)inlay_tensor_elements(tensor) * ((tensor->dtype.bits + 7U) / 8);
}

static const char *tensor_data(const struct inlay_tensor *tensor)
{
    return (const char *)tensor->data + tensor->byte_offset;
}

struct inlay_value *values_copy(const struct inlay_value *values, size_t count)
{
    struct inlay_value *copies = calloc(count + 1, sizeof(*copies));

    if (!copies)
        FATAL("out of memory");
    for (size_t i = 0; i < count; i++) {
        copies[i] = values[i];
        if (values[i].kind != INLAY_TENSOR)
            continue;
        const struct inlay_tensor *from = values[i].tensor;
        struct inlay_tensor *to = inlay_tensor_create(from->dtype, from->shape, from->ndim);

        if (!to)
            FATAL("out of memory");
        memcpy(to->data, tensor_data(from), tensor_bytes(from));
        copies[i].tensor = to;
    }
    return copies;
}

void values_free(struct inlay_value *values, size_t count)
{
    for (size_t i = 0; values && i < count; i++)
        if (values[i].kind == INLAY_TENSOR)
            inlay_tensor_destroy(values[i].tensor);
    free(values);
}

/* Is the element of @dtype at @data a NaN? */
static bool is_nan(struct inlay_dtype dtype, const void *data)
{
    uint16_t half;
    float single;
    double real;

    if (dtype.code == 2 && dtype.bits == 32)
        return memcpy(&single, data, sizeof(single)), isnan(single);
    if (dtype.code == 2 && dtype.bits == 64)
        return memcpy(&real, data, sizeof(real)), isnan(real);
    memcpy(&half, data, sizeof(half));
    if (dtype.code == 2 && dtype.bits == 16)
        return (half & 0x7fff) > 0x7c00;
    return dtype.code == 4 && (half & 0x7fff) > 0x7f80;
}

static bool tensors_equal(const struct inlay_tensor *a, const struct inlay_tensor *b,
                          struct text *why)
{
    size_t element = (a->dtype.bits + 7U) / 8;
    int64_t count = inlay_tensor_elements(a);
    bool is_same_type = memcmp(&a->dtype, &b->dtype, sizeof(a->dtype)) == 0 && a->ndim == b->ndim;

    if (!is_same_type || memcmp(a->shape, b->shape, (size_t)a->ndim * sizeof(*a->shape)) != 0) {
        text_puts(why, "has another shape or dtype");
        return false;
    }
    if (memcmp(tensor_data(a), tensor_data(b), (size_t)count * element) == 0)
        return true;
    for (int64_t i = 0; i < count; i++) {
        const char *x = tensor_data(a) + (size_t)i * element,
                   *y = tensor_data(b) + (size_t)i * element;

        if (memcmp(x, y, element) == 0 ||
            (element > 1 && is_nan(a->dtype, x) && is_nan(a->dtype, y)))
            continue;
        text_printf(why, "differs in element %" PRId64, i);
        return false;
    }
    return true;
}

bool values_equal(const struct inlay_value *a, const struct inlay_value *b, size_t count,
                  struct text *why)
{
    for (size_t i = 0; i < count; i++) {
        struct text how = {0};
        bool is_equal = a[i].kind == b[i].kind;

        if (!is_equal)
            text_puts(&how, "is of another kind");
        else if (a[i].kind == INLAY_TENSOR)
            is_equal = tensors_equal(a[i].tensor, b[i].tensor, &how);
        else if (a[i].kind == INLAY_SHAPE)
            is_equal = a[i].shape->count == b[i].shape->count &&
                       memcmp(a[i].shape->dims, b[i].shape->dims,
                              a[i].shape->count * sizeof(int64_t)) == 0;
        else if (a[i].kind == INLAY_FLOAT)
            is_equal = a[i].real == b[i].real || (isnan(a[i].real) && isnan(b[i].real));
        else if (a[i].kind != INLAY_NONE && a[i].kind != INLAY_STRING)
            is_equal = a[i].integer == b[i].integer;
        if (!is_equal)
            text_printf(why, "value %zu %s", i, how.length ? text_string(&how) : "differs");
        text_finish(&how);
        if (!is_equal)
            return false;
    }
    return true;
}
