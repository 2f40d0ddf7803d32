/* Values of the graph level: making them, and their forms in the ABI. */
#include "codegen/interp/storage.h"

#include <stdarg.h>
#include <string.h>

bool interp_unsupported(struct interp *run, struct location loc, const char *format, ...)
{
    struct text text = {0};
    va_list args;
    va_start(args, format);
    text_vprintf(&text, format, args);
    va_end(args);
    diag_report(run->diag, loc.source ? loc : run->loc, INTERP_UNSUPPORTED, text_string(&text));
    text_finish(&text);
    return false;
}

struct interp_value *interp_value_new(struct interp *run, enum interp_kind kind)
{
    struct interp_value *value = arena_new(&run->arena, struct interp_value);
    value->kind = kind;
    return value;
}

struct ir_dtype interp_tensor_dtype(const struct inlay_tensor *tensor)
{
    return (struct ir_dtype){tensor->dtype.code, tensor->dtype.bits, tensor->dtype.lanes};
}

void *interp_data(const struct inlay_tensor *tensor)
{
    return (char *)tensor->data + tensor->byte_offset;
}

void *interp_unconst(const void *memory)
{
    union {
        const void *from;
        void *to;
    } pointer = {memory};
    return pointer.to;
}

static struct interp_value *tensor_around(struct interp *run, struct inlay_dtype dtype,
                                          const int64_t *shape, unsigned ndim, void *data)
{
    struct interp_value *value = interp_value_new(run, INTERP_TENSOR);
    value->tensor = arena_new(&run->arena, struct inlay_tensor);
    *value->tensor = (struct inlay_tensor){.data = data,
                                           .device = {.type = 1},
                                           .ndim = (int32_t)ndim,
                                           .dtype = dtype,
                                           .shape = arena_array(&run->arena, int64_t, ndim + 1)};
    if (ndim)
        memcpy(value->tensor->shape, shape, ndim * sizeof(int64_t));
    return value;
}

struct interp_value *interp_tensor_later(struct interp *run, struct ir_dtype dtype,
                                         const int64_t *shape, unsigned ndim)
{
    if (ndim > INTERP_RANK) {
        interp_unsupported(run, run->loc, "tensors of rank %u", ndim);
        return NULL;
    }
    if (dtype.lanes != 1 || !ir_dtype_can_compute(dtype)) {
        char name[32];
        interp_unsupported(run, run->loc, "tensors of dtype %s", ir_dtype_name(dtype, name));
        return NULL;
    }
    struct interp_value *value = tensor_around(run, interp_dtype(dtype), shape, ndim, NULL);
    value->storage = interp_storage_new(run);
    return value;
}

struct interp_value *interp_tensor_new(struct interp *run, struct ir_dtype dtype,
                                       const int64_t *shape, unsigned ndim)
{
    struct interp_value *value = interp_tensor_later(run, dtype, shape, ndim);
    return value && interp_need(run, value) ? value : NULL;
}

struct interp_value *interp_tensor_copy(struct interp *run, const struct inlay_tensor *tensor)
{
    struct ir_dtype dtype = interp_tensor_dtype(tensor);
    struct interp_value *value =
        interp_tensor_new(run, dtype, tensor->shape, (unsigned)tensor->ndim);
    size_t bytes = (size_t)inlay_tensor_elements(tensor) * ir_dtype_bytes(dtype);
    if (value && bytes)
        memcpy(value->tensor->data, interp_data(tensor), bytes);
    return value;
}

struct interp_value *interp_tensor_view(struct interp *run, const struct interp_value *whole,
                                        int64_t offset, struct ir_dtype dtype, const int64_t *shape,
                                        unsigned ndim)
{
    char *data = (char *)interp_data(whole->tensor) + offset;
    struct interp_value *view = tensor_around(run, interp_dtype(dtype), shape, ndim, data);
    view->storage = whole->storage;
    view->is_part = whole->is_part || whole->kind == INTERP_STORAGE;
    return view;
}

struct interp_value *interp_scalar_value(struct interp *run, struct interp_scalar scalar)
{
    struct interp_value *value = interp_value_new(run, INTERP_SCALAR);
    value->scalar = scalar;
    return value;
}

struct interp_value *interp_int_value(struct interp *run, struct ir_dtype dtype, int64_t integer)
{
    return interp_scalar_value(run, (struct interp_scalar){.dtype = dtype, .integer = integer});
}

struct interp_value *interp_shape_value(struct interp *run, const int64_t *dims, unsigned count)
{
    struct interp_value *value = interp_value_new(run, INTERP_SHAPE);
    int64_t *copy = arena_array(&run->arena, int64_t, count + 1);
    if (count)
        memcpy(copy, dims, count * sizeof(int64_t));
    value->dims = copy;
    value->count = count;
    return value;
}

struct interp_value *interp_tuple_value(struct interp *run, const struct interp_value *const *items,
                                        unsigned count)
{
    struct interp_value *value = interp_value_new(run, INTERP_TUPLE);
    const struct interp_value **copy =
        arena_array(&run->arena, const struct interp_value *, count + 1);
    for (unsigned i = 0; i < count; i++)
        copy[i] = items[i];
    value->items = copy;
    value->count = count;
    return value;
}

const struct interp_value *interp_import(struct interp *run, const struct inlay_value *value,
                                         bool is_copied)
{
    struct interp_value *result;
    switch (value->kind) {
    case INLAY_NONE:
        return interp_tuple_value(run, NULL, 0);
    case INLAY_INT:
        return interp_int_value(run, IR_I64, value->integer);
    case INLAY_BOOL:
        return interp_int_value(run, IR_B1, value->integer != 0);
    case INLAY_FLOAT:
        return interp_scalar_value(run,
                                   (struct interp_scalar){.dtype = IR_F64, .real = value->real});
    case INLAY_TENSOR:
        if (is_copied)
            return interp_tensor_copy(run, value->tensor);
        return tensor_around(run, value->tensor->dtype, value->tensor->shape,
                             (unsigned)value->tensor->ndim, interp_data(value->tensor));
    case INLAY_STRING:
        result = interp_value_new(run, INTERP_STRING);
        result->string = arena_copy_text(&run->arena, value->string, strlen(value->string));
        return result;
    case INLAY_SHAPE:
        return interp_shape_value(run, value->shape->dims, (unsigned)value->shape->count);
    default:
        interp_fail(run, INLAY_ERROR_PACKED, "a value of kind %lld cannot be used here",
                    (long long)value->kind);
        return NULL;
    }
}

bool interp_export(struct interp *run, const struct interp_value *value, struct inlay_value *out)
{
    struct inlay_shape *shape;
    *out = (struct inlay_value){.kind = INLAY_NONE};
    switch (value->kind) {
    case INTERP_NULL:
        return true;
    case INTERP_TENSOR:
        out->kind = INLAY_TENSOR;
        out->tensor = value->tensor;
        return true;
    case INTERP_SHAPE:
        shape = arena_new(&run->arena, struct inlay_shape);
        *shape = (struct inlay_shape){.dims = value->dims, .count = value->count};
        out->kind = INLAY_SHAPE;
        out->shape = shape;
        return true;
    case INTERP_SCALAR:
        if (ir_dtype_is_float(value->scalar.dtype)) {
            out->kind = INLAY_FLOAT;
            out->real = value->scalar.real;
        } else {
            out->kind = ir_dtype_is_bool(value->scalar.dtype) ? INLAY_BOOL : INLAY_INT;
            out->integer = value->scalar.integer;
        }
        return true;
    case INTERP_STRING:
        out->kind = INLAY_STRING;
        out->string = value->string;
        return true;
    case INTERP_TUPLE:
        if (value->count == 0)
            return true; /* no value */
        return interp_unsupported(run, run->loc, "a tuple as argument of a packed function");
    case INTERP_DTYPE:
        return interp_unsupported(run, run->loc, "a dtype as argument of a packed function");
    case INTERP_STORAGE:
        return interp_unsupported(run, run->loc, "storage as argument of a packed function");
    case INTERP_FUNCTION:
        break;
    }
    return interp_unsupported(run, run->loc, "a function as argument of a packed function");
}
