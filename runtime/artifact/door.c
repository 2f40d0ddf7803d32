/* Tensors that come through the doors of an artifact, on their way in and out. */
#include "runtime/artifact/artifact.h"
#include "runtime/artifact/giver.h"
#include "runtime/message.h"
#include "runtime/tensor.h"

#include <string.h>

enum { NAME_SIZE = 128 };

static char *data_of(const struct inlay_tensor *tensor)
{
    return (char *)tensor->data + tensor->byte_offset;
}

static int64_t bytes_of(const struct inlay_tensor *tensor)
{
    return inlay_tensor_bytes(tensor->shape, tensor->ndim, inlay_dtype_bytes(tensor->dtype));
}

/* "result 2 of `main`" */
static const char *name_result(char buffer[NAME_SIZE], const char *function, int32_t index)
{
    struct inlay_line line = inlay_line_in(buffer, NAME_SIZE);

    inlay_line_puts(&line, "result ");
    inlay_line_number(&line, (int64_t)index + 1);
    inlay_line_puts(&line, " of `");
    inlay_line_puts(&line, function);
    inlay_line_puts(&line, "`");
    return buffer;
}

/* --- in --- */

/* A number or shape comes in a tensor that must be as this says. */
static int32_t check_carrier(struct inlay_frame *frame, const struct inlay_expected *expected,
                             const struct inlay_tensor *tensor)
{
    int64_t dim = expected->ndim;
    struct inlay_value value = {.kind = INLAY_TENSOR, .tensor = (struct inlay_tensor *)tensor};
    struct inlay_expected carrier = {
        .name = expected->name, .kind = INLAY_TENSOR, .dtype = expected->dtype};

    if (expected->kind == INLAY_SHAPE) {
        carrier.ndim = 1;
        carrier.dims = &dim;
        carrier.dtype = (struct inlay_dtype){INLAY_CODE_INT, 64, 1};
    }
    return inlay_check_value(frame, INLAY_ERROR_ARGUMENT, 0, &carrier, &value);
}

static int32_t number_of(const struct inlay_tensor *tensor, struct inlay_value *out)
{
    *out = (struct inlay_value){.kind = INLAY_INT};
    if (inlay_dtype_is_float(tensor->dtype)) {
        out->kind = INLAY_FLOAT;
        out->real = inlay_element_real(tensor->dtype, data_of(tensor), 0);
        return 0;
    }
    out->kind = tensor->dtype.code == INLAY_CODE_BOOL ? INLAY_BOOL : INLAY_INT;
    out->integer = inlay_element_integer(tensor->dtype, data_of(tensor), 0);
    if (out->kind == INLAY_BOOL)
        out->integer = out->integer != 0;
    return 0;
}

static int32_t value_of(struct inlay_frame *frame, const struct inlay_expected *expected,
                        struct inlay_tensor *tensor, struct inlay_value *out,
                        struct inlay_shape *shape)
{
    if (expected->kind == INLAY_TENSOR || expected->kind == INLAY_ANY) {
        *out = (struct inlay_value){.kind = INLAY_TENSOR, .tensor = tensor};
        return 0;
    }
    if (check_carrier(frame, expected, tensor) != 0)
        return -1;
    if (expected->kind != INLAY_SHAPE)
        return number_of(tensor, out);
    *shape = (struct inlay_shape){.dims = (const int64_t *)(const void *)data_of(tensor),
                                  .count = (size_t)tensor->shape[0]};
    *out = (struct inlay_value){.kind = INLAY_SHAPE, .shape = shape};
    return 0;
}

static int32_t check_count(struct inlay_frame *frame, const char *function, int32_t wanted,
                           const void *args, int32_t given)
{
    if (given == wanted && (given == 0 || args))
        return 0;
    return inlay_fail(frame, INLAY_ERROR_ARGUMENT, 0,
                      "`%s` takes %lld arguments, but was given %lld", function, (long long)wanted,
                      (long long)(args ? given : 0));
}

int32_t inlay_artifact_values(struct inlay_frame *frame, const char *function,
                              const struct inlay_expected *expected, int32_t expected_count,
                              struct inlay_tensor *const *args, int32_t arg_count,
                              struct inlay_value *values, struct inlay_shape *shapes)
{
    if (check_count(frame, function, expected_count, args, arg_count) != 0)
        return -1;
    for (int32_t i = 0; i < arg_count; i++)
        if (value_of(frame, &expected[i], args[i], &values[i], &shapes[i]) != 0)
            return -1;
    return 0;
}

int32_t inlay_artifact_tensors(struct inlay_frame *frame, const char *function,
                               const struct inlay_expected *expected, int32_t expected_count,
                               struct inlay_tensor *const *args, int32_t arg_count,
                               struct inlay_value *values)
{
    if (check_count(frame, function, expected_count, args, arg_count) != 0)
        return -1;
    for (int32_t i = 0; i < arg_count; i++)
        values[i] = (struct inlay_value){.kind = INLAY_TENSOR, .tensor = args[i]};
    return 0;
}

/* --- out --- */

int32_t inlay_artifact_place(struct inlay_frame *frame, const char *function, int32_t index,
                             struct inlay_tensor *wanted, const struct inlay_value *given)
{
    char name[NAME_SIZE];
    struct inlay_expected expected = {
        .dims = wanted->shape, .kind = INLAY_TENSOR, .ndim = wanted->ndim, .dtype = wanted->dtype};

    if (!inlay_is_right(&expected, given)) {
        expected.name = name_result(name, function, index);
        if (inlay_check_value(frame, INLAY_ERROR_ARGUMENT, 0, &expected, given) != 0)
            return -1;
    }
    wanted->data = data_of(given->tensor);
    return 0;
}

int32_t inlay_artifact_results(struct inlay_frame *frame, const char *function,
                               struct inlay_value *wanted, int32_t wanted_count,
                               struct inlay_tensor *const *given, int32_t given_count)
{
    struct inlay_artifact_giver *giver = inlay_artifact_giver_of(frame);
    int32_t status = 0;

    if (!giver && (given_count != wanted_count || (given_count > 0 && !given)))
        return inlay_fail(frame, INLAY_ERROR_ARGUMENT, 0,
                          "`%s` writes %lld results, but was given room for %lld", function,
                          (long long)wanted_count, (long long)(given ? given_count : 0));
    for (int32_t i = 0; i < wanted_count && status == 0; i++) {
        struct inlay_value value = {.kind = INLAY_TENSOR};
        if (giver) {
            status = giver->result(giver, frame, i, wanted[i].tensor);
            continue;
        }
        value.tensor = given[i];
        status = inlay_artifact_place(frame, function, i, wanted[i].tensor, &value);
    }
    return status;
}

/* Is a byte of @a one of the @b_bytes of @b? */
static bool overlaps(const struct inlay_value *a, const struct inlay_tensor *b, int64_t b_bytes)
{
    uintptr_t a_begin, b_begin = (uintptr_t)data_of(b);

    if (a->kind != INLAY_TENSOR || b_bytes == 0)
        return false;
    a_begin = (uintptr_t)data_of(a->tensor);
    if (a_begin >= b_begin + (uintptr_t)b_bytes) /* no need for its size */
        return false;
    uintptr_t a_size = (uintptr_t)bytes_of(a->tensor);
    return a_size > 0 && b_begin < a_begin + a_size;
}

/* Fails with result @index; @what is the rest of the sentence, with the number @number. */
static int32_t refuse_result(struct inlay_frame *frame, const char *function, int32_t index,
                             const char *what, int64_t number)
{
    char name[NAME_SIZE];

    return inlay_fail(frame, INLAY_ERROR_ARGUMENT, 0, what, name_result(name, function, index),
                      (long long)number);
}

int32_t inlay_artifact_apart(struct inlay_frame *frame, const char *function,
                             const struct inlay_value *args, int32_t arg_count,
                             const struct inlay_value *results, int32_t result_count)
{
    for (int32_t i = 0; i < result_count; i++) {
        const struct inlay_tensor *to = results[i].tensor;
        uintptr_t element = (uintptr_t)inlay_dtype_bytes(to->dtype);
        int64_t bytes = bytes_of(to);

        if (bytes < 0)
            return refuse_result(frame, function, i, "%s is larger than memory can be", 0);
        if (bytes > 0 && (!to->data || ((uintptr_t)data_of(to) & (element - 1))))
            return refuse_result(
                frame, function, i,
                "%s has no room of its own that is aligned to its %lld-byte elements",
                (int64_t)element);
        for (int32_t k = 0; k < arg_count; k++)
            if (overlaps(&args[k], to, bytes))
                return refuse_result(frame, function, i, "%s shares memory with argument %lld",
                                     (int64_t)k + 1);
        for (int32_t k = 0; k < i; k++)
            if (overlaps(&results[k], to, bytes))
                return refuse_result(frame, function, i, "%s shares memory with result %lld",
                                     (int64_t)k + 1);
    }
    return 0;
}
