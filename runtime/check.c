/*
 * Values from outside against what the program says of them.
 *
 * What is checked here needs no symbols; dimensions that must agree with each other are compared by
 * compiled code itself.  Artifacts have this file, too: it takes no memory and knows no frame from inside.
 */
#include "runtime/check.h"

#include "runtime/message.h"
#include "runtime/multiply.h"
#include "runtime/tensor.h"

#include <string.h>

/* So that index arithmetic of compiled code cannot leave int64. */
static const int64_t DIM_LIMIT = INT64_C(1) << 48;

static int32_t fail(struct inlay_frame *frame, int32_t kind, uint32_t line,
                    const struct inlay_expected *expected, const char *wanted, const char *found)
{
    return inlay_fail(frame, kind, line, "%s should be %s, but is %s", expected->name, wanted,
                      found);
}

int64_t inlay_tensor_bytes(const int64_t *shape, int32_t ndim, int32_t element_bytes)
{
    /* Zeros are multiplied in last, so that the order of dims does not decide what overflows. */
    int64_t bytes = element_bytes;
    bool is_empty = false;
    for (int32_t i = 0; i < ndim; i++) {
        if (shape[i] < 0)
            return -1;
        if (shape[i] == 0)
            is_empty = true;
        else if (inlay_multiply_overflows(bytes, shape[i], &bytes))
            return -1;
    }
    return is_empty ? 0 : bytes;
}

static const char *kind_text(int32_t kind)
{
    switch (kind) {
    case INLAY_NONE:
        return "nothing";
    case INLAY_INT:
        return "an integer";
    case INLAY_BOOL:
        return "a bool";
    case INLAY_FLOAT:
        return "a float";
    case INLAY_TENSOR:
        return "a tensor";
    case INLAY_STRING:
        return "a string";
    case INLAY_SHAPE:
        return "a shape";
    case INLAY_TUPLE:
        return "a tuple";
    default:
        return "a value of another kind";
    }
}

static bool kind_fits(int32_t wanted, int32_t kind)
{
    if (wanted == INLAY_ANY || wanted == kind)
        return true;
    if (wanted == INLAY_FLOAT)
        return kind == INLAY_INT || kind == INLAY_BOOL;
    return (wanted == INLAY_INT && kind == INLAY_BOOL);
}

/* A list of @count dims, unknown ones as ?, in @buffer. */
static const char *dims_text(char *buffer, size_t size, const int64_t *dims, int32_t count)
{
    struct inlay_line line = inlay_line_in(buffer, size);
    inlay_line_puts(&line, "(");
    for (int32_t i = 0; i < count; i++) {
        if (i)
            inlay_line_puts(&line, ", ");
        if (dims && dims[i] == -1)
            inlay_line_puts(&line, "?");
        else if (dims)
            inlay_line_number(&line, dims[i]);
    }
    inlay_line_puts(&line, count == 1 ? ",)" : ")");
    return buffer;
}

static int32_t check_dims(struct inlay_frame *frame, int32_t kind, uint32_t line,
                          const struct inlay_expected *expected, const int64_t *dims, int32_t count)
{
    if (expected->ndim >= 0 && count != expected->ndim)
        return inlay_fail(frame, kind, line, "%s should have %lld dimensions, but has %lld",
                          expected->name, (long long)expected->ndim, (long long)count);
    for (int32_t i = 0; i < count; i++) {
        bool is_wrong = expected->dims && expected->ndim == count && expected->dims[i] >= 0 &&
                        dims[i] != expected->dims[i];
        if (dims[i] < 0)
            return inlay_fail(frame, kind, line, "%s has a negative dimension: %lld",
                              expected->name, (long long)dims[i]);
        if (dims[i] > DIM_LIMIT)
            return inlay_fail(frame, kind, line,
                              "%s has a dimension of %lld, which no memory holds", expected->name,
                              (long long)dims[i]);
        if (is_wrong) {
            char wanted[160], found[160];
            return inlay_fail(frame, kind, line, "%s should have the shape %s, but has %s",
                              expected->name,
                              dims_text(wanted, sizeof(wanted), expected->dims, count),
                              dims_text(found, sizeof(found), dims, count));
        }
    }
    return 0;
}

static bool is_compact(const struct inlay_tensor *tensor)
{
    if (!tensor->strides)
        return true;
    for (int32_t i = 0; i < tensor->ndim; i++)
        if (tensor->shape[i] == 0)
            return true; /* no elements: strides do not matter */
    int64_t stride = 1;
    for (int32_t i = tensor->ndim - 1; i >= 0; i--) {
        if (tensor->shape[i] != 1 && tensor->strides[i] != stride)
            return false;
        if (inlay_multiply_overflows(stride, tensor->shape[i], &stride))
            return false;
    }
    return true;
}

static int32_t element_bytes(struct inlay_dtype dtype)
{
    return (dtype.bits * dtype.lanes + 7) / 8;
}

static const char *tensor_data(const struct inlay_tensor *tensor)
{
    return (const char *)tensor->data + tensor->byte_offset;
}

/* Elements of all dtypes that programs have are powers of two; no division is worth the others. */
static bool is_aligned(const char *data, uintptr_t bytes)
{
    return (bytes & (bytes - 1)) != 0 || ((uintptr_t)data & (bytes - 1)) == 0;
}

/* Layout of a tensor whose dims are fine. */
static int32_t check_storage(struct inlay_frame *frame, int32_t kind, uint32_t line,
                             const struct inlay_expected *expected,
                             const struct inlay_tensor *tensor)
{
    if (!is_compact(tensor))
        return fail(frame, kind, line, expected, "contiguous (compact, row-major)", "strided");
    int32_t bytes = element_bytes(tensor->dtype);
    int64_t size = inlay_tensor_bytes(tensor->shape, tensor->ndim, bytes);
    if (size < 0)
        return inlay_fail(frame, kind, line, "%s is larger than memory can be", expected->name);
    if (size > 0 && !tensor->data)
        return inlay_fail(frame, kind, line, "%s has elements, but no data", expected->name);
    int32_t scalar = (tensor->dtype.bits + 7) / 8;
    if (size > 0 && !is_aligned(tensor_data(tensor), (uintptr_t)scalar))
        return inlay_fail(frame, kind, line,
                          "the data of %s is not aligned to its %lld-byte elements", expected->name,
                          (long long)scalar);
    return 0;
}

static int32_t check_tensor(struct inlay_frame *frame, int32_t kind, uint32_t line,
                            const struct inlay_expected *expected,
                            const struct inlay_tensor *tensor)
{
    if (!tensor)
        return fail(frame, kind, line, expected, "a tensor", "a null pointer");
    if (tensor->device.type != 1)
        return inlay_fail(frame, kind, line, "%s is not in the memory of the CPU", expected->name);
    struct inlay_dtype wanted = expected->dtype, dtype = tensor->dtype;
    if (wanted.bits && !inlay_dtype_is(wanted, dtype)) {
        char wanted_text[32], found_text[32];
        return inlay_fail(frame, kind, line, "%s should have the dtype %s, but has %s",
                          expected->name, inlay_dtype_text(wanted, wanted_text),
                          inlay_dtype_text(dtype, found_text));
    }
    if (check_dims(frame, kind, line, expected, tensor->shape, tensor->ndim) != 0)
        return -1;
    return check_storage(frame, kind, line, expected, tensor);
}

/* Is @integer a value of @dtype? */
static bool integer_fits(struct inlay_dtype dtype, int64_t integer)
{
    if (dtype.bits == 0 || dtype.bits >= 64 || dtype.code > 1)
        return true;
    int64_t limit = INT64_C(1) << (dtype.bits - (dtype.code == 0));
    return integer < limit && integer >= (dtype.code == 0 ? -limit : 0);
}

bool inlay_is_right(const struct inlay_expected *expected, const struct inlay_value *value)
{
    const struct inlay_tensor *tensor = value->tensor;
    int32_t scalar = expected->dtype.bits / 8;
    int64_t bytes = (int64_t)scalar * expected->dtype.lanes;

    if (expected->kind != INLAY_TENSOR || value->kind != INLAY_TENSOR || !tensor ||
        tensor->device.type != 1 || tensor->strides || tensor->ndim != expected->ndim ||
        !inlay_dtype_is(expected->dtype, tensor->dtype) || (tensor->ndim > 0 && !expected->dims))
        return false;
    for (int32_t i = 0; i < tensor->ndim; i++) {
        int64_t dim = tensor->shape[i];
        if (dim <= 0 || dim > DIM_LIMIT || (expected->dims[i] != dim && expected->dims[i] >= 0) ||
            inlay_multiply_overflows(bytes, dim, &bytes))
            return false;
    }
    return bytes > 0 && tensor->data && is_aligned(tensor_data(tensor), (uintptr_t)scalar);
}

int32_t inlay_check_value(struct inlay_frame *frame, int32_t error_kind, uint32_t line,
                          const struct inlay_expected *expected, const struct inlay_value *value)
{
    if (inlay_is_right(expected, value))
        return 0;
    if (!kind_fits(expected->kind, value->kind))
        return fail(frame, error_kind, line, expected, kind_text(expected->kind),
                    kind_text(value->kind));
    if (value->kind == INLAY_TENSOR)
        return check_tensor(frame, error_kind, line, expected, value->tensor);
    if (value->kind == INLAY_SHAPE) {
        if (!value->shape || value->shape->count > INT32_MAX)
            return fail(frame, error_kind, line, expected, "a shape", "a null pointer");
        return check_dims(frame, error_kind, line, expected, value->shape->dims,
                          (int32_t)value->shape->count);
    }
    if (value->kind == INLAY_TUPLE && expected->kind == INLAY_TUPLE &&
        value->tuple->count != (size_t)expected->ndim)
        return inlay_fail(frame, error_kind, line, "%s should have %lld fields, but has %lld",
                          expected->name, (long long)expected->ndim,
                          (long long)value->tuple->count);
    if (expected->kind == INLAY_INT && !integer_fits(expected->dtype, value->integer)) {
        char text[32];
        return inlay_fail(frame, error_kind, line, "%s is %lld, which does not fit into %s",
                          expected->name, (long long)value->integer,
                          inlay_dtype_text(expected->dtype, text));
    }
    return 0;
}

static int64_t size_of(const struct inlay_value *value)
{
    return value->kind != INLAY_TENSOR
               ? 0
               : inlay_tensor_bytes(value->tensor->shape, value->tensor->ndim,
                                    element_bytes(value->tensor->dtype));
}

/* Are some of the @b_size bytes that @b begins with among the @a_size ones of @a? */
static bool overlaps(const struct inlay_value *a, int64_t a_size, const struct inlay_value *b,
                     int64_t b_size)
{
    if (a->kind != INLAY_TENSOR || b->kind != INLAY_TENSOR)
        return false;
    uintptr_t a_begin = (uintptr_t)tensor_data(a->tensor);
    uintptr_t b_begin = (uintptr_t)tensor_data(b->tensor);
    return a_size > 0 && b_size > 0 && a_begin < b_begin + (uintptr_t)b_size &&
           b_begin < a_begin + (uintptr_t)a_size;
}

int32_t inlay_check_arguments(struct inlay_frame *frame, uint32_t line, const char *function,
                              const struct inlay_expected *expected, int32_t expected_count,
                              const struct inlay_value *args, int32_t arg_count)
{
    if (inlay_is_checked(frame))
        return 0;
    if (arg_count != expected_count)
        return inlay_fail(frame, INLAY_ERROR_ARGUMENT, line,
                          "`%s` takes %lld arguments, but was given %lld", function,
                          (long long)expected_count, (long long)arg_count);
    for (int32_t i = 0; i < arg_count; i++)
        if (inlay_check_value(frame, INLAY_ERROR_ARGUMENT, line, &expected[i], &args[i]) != 0)
            return -1;
    if (inlay_is_nested(frame)) /* proved: the callee overwrites nothing that it is given twice */
        return 0;
    for (int32_t i = 0; i < arg_count; i++)
        for (int32_t j = 0; expected[i].is_donated && j < arg_count; j++)
            if (j != i && overlaps(&args[i], size_of(&args[i]), &args[j], size_of(&args[j])))
                return inlay_fail(frame, INLAY_ERROR_ARGUMENT, line,
                                  "%s may be overwritten, but shares memory with %s",
                                  expected[i].name, expected[j].name);
    return 0;
}

/* Result @index against the arguments and the results in front of it. */
static int32_t check_apart(struct inlay_frame *frame, uint32_t line,
                           const struct inlay_expected *expected, const struct inlay_value *results,
                           int32_t index, const struct inlay_value *args, int32_t arg_count)
{
    const struct inlay_value *result = &results[index];
    const size_t *rooms = inlay_argument_bytes(frame);
    for (int32_t i = 0; i < arg_count; i++) {
        int64_t size = size_of(&args[i]);
        uint64_t room = rooms ? rooms[i] : 0;
        if (room <= INT64_MAX && (int64_t)room > size)
            size = (int64_t)room;
        if (overlaps(result, size_of(result), &args[i], size))
            return inlay_fail(frame, INLAY_ERROR_ARGUMENT, line,
                              "%s shares memory with argument %lld", expected[index].name,
                              (long long)i + 1);
    }
    for (int32_t i = 0; i < index; i++)
        if (results[i].kind == INLAY_TENSOR && results[i].tensor->data &&
            overlaps(result, size_of(result), &results[i], size_of(&results[i])))
            return inlay_fail(frame, INLAY_ERROR_ARGUMENT, line, "%s shares memory with %s",
                              expected[index].name, expected[i].name);
    return 0;
}

int32_t inlay_check_results(struct inlay_frame *frame, uint32_t line,
                            const struct inlay_expected *expected, int32_t count,
                            const struct inlay_value *results, const struct inlay_value *args,
                            int32_t arg_count)
{
    for (int32_t i = 0; i < count && inlay_gives_results(frame); i++) {
        if (results[i].kind != INLAY_TENSOR)
            continue;
        if (!results[i].tensor)
            return fail(frame, INLAY_ERROR_ARGUMENT, line, &expected[i], "a tensor",
                        "a null pointer");
        if (results[i].tensor->data &&
            (inlay_check_value(frame, INLAY_ERROR_ARGUMENT, line, &expected[i], &results[i]) != 0 ||
             check_apart(frame, line, expected, results, i, args, arg_count) != 0))
            return -1;
    }
    return 0;
}

int32_t inlay_check_room(struct inlay_frame *frame, uint32_t line, const char *name, int32_t index,
                         int64_t bytes, const struct inlay_value *args, int32_t arg_count)
{
    const size_t *given = inlay_is_nested(frame) ? NULL : inlay_argument_bytes(frame);

    if (!given || (given[index] == 0 && bytes > 0))
        return inlay_fail(frame, INLAY_ERROR_ARGUMENT, line,
                          "%s grows in its storage, which must have room for %lld bytes "
                          "(relax.capacity), but %s%s",
                          name, (long long)bytes,
                          inlay_is_nested(frame)
                              ? "calls from within the module cannot say what there is"
                              : "the call does not say what there is: ",
                          inlay_is_nested(frame) ? "" : inlay_room_teller());
    if (bytes < 0 || given[index] < (size_t)bytes)
        return inlay_fail(frame, INLAY_ERROR_ARGUMENT, line,
                          "the storage of %s must have room for %lld bytes (relax.capacity), but "
                          "has %lld",
                          name, (long long)bytes, (long long)given[index]);
    for (int32_t i = 0; i < arg_count; i++) {
        /* what is empty may grow itself */
        int64_t size = size_of(&args[i]) ? size_of(&args[i]) : (int64_t)given[i];
        if (i != index && overlaps(&args[index], bytes, &args[i], size))
            return inlay_fail(frame, INLAY_ERROR_ARGUMENT, line,
                              "%s may grow to %lld bytes in its storage, where argument %lld lies",
                              name, (long long)bytes, (long long)i + 1);
    }
    return 0;
}
