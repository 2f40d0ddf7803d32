#include "driver/compare.h"

#include "base/half.h"
#include "base/memory.h"
#include "runtime/tensor.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static size_t tensor_bytes(const struct inlay_tensor *tensor)
{
    return (size_t)inlay_tensor_elements(tensor) * ((tensor->dtype.bits + 7U) / 8);
}

static const char *tensor_data(const struct inlay_tensor *tensor)
{
    return (const char *)tensor->data + tensor->byte_offset;
}

static struct inlay_tensor *copy_tensor(const struct inlay_tensor *from, size_t room)
{
    struct inlay_tensor *to =
        inlay_tensor_create_with_room(from->dtype, from->shape, from->ndim, room);

    if (!to)
        memory_short();
    memcpy(to->data, tensor_data(from), tensor_bytes(from));
    return to;
}

/* The dims behind the shape, in one piece of memory. */
static struct inlay_shape *copy_shape(const struct inlay_shape *from)
{
    struct inlay_shape *to = memory_new(from->count + 2, sizeof(int64_t));

    to->dims = memcpy(to + 1, from->dims, from->count * sizeof(int64_t));
    to->count = from->count;
    return to;
}

struct inlay_value *values_copy(const struct inlay_value *values, size_t count, const size_t *rooms)
{
    struct inlay_value *copies = memory_new(count + 1, sizeof(*copies));

    for (size_t i = 0; i < count; i++) {
        copies[i] = values[i];
        if (values[i].kind == INLAY_TENSOR)
            copies[i].tensor = copy_tensor(values[i].tensor, rooms ? rooms[i] : 0);
        else if (values[i].kind == INLAY_SHAPE)
            copies[i].shape = copy_shape(values[i].shape);
    }
    return copies;
}

void values_restore(struct inlay_value *to, const struct inlay_value *from)
{
    if (to->kind == INLAY_TENSOR && tensor_bytes(from->tensor) > 0)
        memcpy(to->tensor->data, tensor_data(from->tensor), tensor_bytes(from->tensor));
}

static void free_shape(const struct inlay_shape *shape)
{
    void *data;

    memcpy(&data, &shape, sizeof(data)); /* made by copy_shape(), const for its readers */
    memory_free(data);
}

void values_free(struct inlay_value *values, size_t count)
{
    for (size_t i = 0; values && i < count; i++)
        if (values[i].kind == INLAY_TENSOR)
            inlay_tensor_destroy(values[i].tensor);
        else if (values[i].kind == INLAY_SHAPE)
            free_shape(values[i].shape);
    memory_free(values);
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
        return isnan(half_to_float(half));
    return dtype.code == 4 && isnan(bfloat_to_float(half));
}

static bool same_form(const struct inlay_tensor *a, const struct inlay_tensor *b)
{
    return memcmp(&a->dtype, &b->dtype, sizeof(a->dtype)) == 0 && a->ndim == b->ndim &&
           memcmp(a->shape, b->shape, (size_t)a->ndim * sizeof(*a->shape)) == 0;
}

static bool tensors_equal(const struct inlay_tensor *a, const struct inlay_tensor *b,
                          struct text *why)
{
    size_t element = (a->dtype.bits + 7U) / 8;
    int64_t count = inlay_tensor_elements(a);

    if (!same_form(a, b)) {
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

/* ---- the same but for rounding ---- */

static double tolerance_of(struct inlay_dtype dtype)
{
    if (dtype.code == INLAY_CODE_BFLOAT)
        return 3.2e-2;
    return dtype.bits >= 64 ? 1e-12 : dtype.bits >= 32 ? 1e-5 : 4e-3;
}

static double largest(const struct inlay_tensor *tensor)
{
    double most = 0;

    for (int64_t i = 0; i < inlay_tensor_elements(tensor); i++) {
        double value = fabs(inlay_element_real(tensor->dtype, tensor_data(tensor), i));

        if (isfinite(value) && value > most)
            most = value;
    }
    return most;
}

static bool reals_close(double expected, double actual, double largest, double tolerance)
{
    if (!isfinite(expected) || !isfinite(actual))
        return expected == actual || (isnan(expected) && isnan(actual));
    return fabs(expected - actual) <= tolerance * (fabs(expected) + largest);
}

static bool tensors_close(const struct inlay_tensor *expected, const struct inlay_tensor *actual,
                          double tolerance, struct text *why)
{
    if (!inlay_dtype_is_float(expected->dtype) || !same_form(expected, actual))
        return tensors_equal(expected, actual, why);
    double most = largest(expected);

    if (tolerance == 0)
        tolerance = tolerance_of(expected->dtype);
    for (int64_t i = 0; i < inlay_tensor_elements(expected); i++) {
        double a = inlay_element_real(expected->dtype, tensor_data(expected), i),
               b = inlay_element_real(actual->dtype, tensor_data(actual), i);

        if (reals_close(a, b, most, tolerance))
            continue;
        text_printf(why, "is %.9g in element %" PRId64 ", not %.9g", b, i, a);
        return false;
    }
    return true;
}

/* ---- values ---- */

static bool scalars_equal(const struct inlay_value *a, const struct inlay_value *b,
                          double tolerance)
{
    switch (a->kind) {
    case INLAY_SHAPE:
        return a->shape->count == b->shape->count &&
               memcmp(a->shape->dims, b->shape->dims, a->shape->count * sizeof(int64_t)) == 0;
    case INLAY_FLOAT:
        return reals_close(a->real, b->real, 0, tolerance);
    case INLAY_NONE:
    case INLAY_STRING:
        return true;
    default:
        return a->integer == b->integer;
    }
}

typedef bool compare_fn(const struct inlay_tensor *a, const struct inlay_tensor *b,
                        double tolerance, struct text *why);

static bool compare(const struct inlay_value *a, const struct inlay_value *b, size_t count,
                    compare_fn *tensors, double tolerance, struct text *why)
{
    for (size_t i = 0; i < count; i++) {
        struct text how = {0};
        bool is_equal = a[i].kind == b[i].kind;

        if (!is_equal)
            text_puts(&how, "is of another kind");
        else if (a[i].kind == INLAY_TENSOR)
            is_equal = tensors(a[i].tensor, b[i].tensor, tolerance, &how);
        else
            is_equal = scalars_equal(&a[i], &b[i], tolerance);
        if (!is_equal)
            text_printf(why, "value %zu %s", i, how.length ? text_string(&how) : "differs");
        text_finish(&how);
        if (!is_equal)
            return false;
    }
    return true;
}

static bool tensors_same(const struct inlay_tensor *a, const struct inlay_tensor *b,
                         double tolerance, struct text *why)
{
    return tensors_equal(a, b, why);
}

bool values_equal(const struct inlay_value *a, const struct inlay_value *b, size_t count,
                  struct text *why)
{
    return compare(a, b, count, tensors_same, 0, why);
}

bool values_close(const struct inlay_value *expected, const struct inlay_value *actual,
                  size_t count, double tolerance, struct text *why)
{
    return compare(expected, actual, count, tensors_close, tolerance, why);
}

static double tensor_difference(const struct inlay_tensor *a, const struct inlay_tensor *b)
{
    double most = 0;

    if (!same_form(a, b))
        return INFINITY;
    for (int64_t i = 0; i < inlay_tensor_elements(a); i++) {
        double x = inlay_element_real(a->dtype, tensor_data(a), i),
               y = inlay_element_real(b->dtype, tensor_data(b), i);

        if (x == y || (isnan(x) && isnan(y)))
            continue;
        double difference = fabs(x - y);
        if (!(difference <= most)) /* a NaN on one side only counts most */
            most = isnan(difference) ? INFINITY : difference;
    }
    return most;
}

double values_difference(const struct inlay_value *a, const struct inlay_value *b, size_t count)
{
    double most = 0;

    for (size_t i = 0; i < count; i++) {
        double difference = 0;

        if (a[i].kind != b[i].kind)
            difference = INFINITY;
        else if (a[i].kind == INLAY_TENSOR)
            difference = tensor_difference(a[i].tensor, b[i].tensor);
        else if (!scalars_equal(&a[i], &b[i], 0))
            difference = a[i].kind == INLAY_FLOAT ? fabs(a[i].real - b[i].real) : INFINITY;
        if (!(difference <= most))
            most = isnan(difference) ? INFINITY : difference;
    }
    return most;
}
