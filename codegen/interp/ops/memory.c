/* Storage as the text says it: taken, shared, looked at, given back. */
#include "codegen/interp/storage.h"
#include "ir/capacity.h"

#include <string.h>

const struct interp_value *interp_op_alloc_tensor(struct interp_op *o)
{
    const struct ir_type *type = o->op->result.type;
    const int64_t *dims;
    if (type->kind != IR_TYPE_TENSOR || !type->dims || ir_dtype_is_void(type->dtype)) {
        interp_unsupported(o->run, o->op->loc, "an allocation whose shape is not written out");
        return NULL;
    }
    if (!interp_dims(o->call, type->dims, type->ndim, &dims))
        return NULL;
    return interp_tensor_later(o->run, type->dtype, dims, (unsigned)type->ndim);
}

/* The dtype that operand @i is. */
static struct ir_dtype operand_dtype(const struct interp_op *o, unsigned i)
{
    const struct interp_value *value = o->operands[i];
    struct ir_dtype dtype = value->kind == INTERP_DTYPE ? value->dtype : IR_VOID;
    if (value->kind == INTERP_STRING)
        (void)ir_dtype_parse(value->string, &dtype);
    return dtype;
}

/* A piece of storage with room for a tensor of the shape that operand 0 is. */
static const struct interp_value *storage_new(struct interp_op *o, struct ir_dtype dtype)
{
    const struct interp_value *shape = o->operands[0];
    int32_t element = (int32_t)ir_dtype_bytes(dtype);
    if (shape->kind != INTERP_SHAPE || element == 0) {
        interp_unsupported(o->run, o->op->loc, "storage whose size is not known");
        return NULL;
    }
    int64_t bytes = inlay_tensor_bytes(shape->dims, (int32_t)shape->count, element);
    struct interp_value *storage = interp_tensor_new(o->run, IR_DTYPE(IR_UINT, 8), &bytes, 1);
    if (storage)
        storage->kind = INTERP_STORAGE;
    return storage;
}

const struct interp_value *interp_op_alloc_storage(struct interp_op *o)
{
    return storage_new(o, IR_DTYPE(IR_UINT, 8));
}

const struct interp_value *interp_op_vm_alloc_storage(struct interp_op *o)
{
    return storage_new(o, operand_dtype(o, 2));
}

/* The tensor of @ndim dims that begins at byte @offset of @whole, if it is within. */
static const struct interp_value *part_of(struct interp_op *o, const struct interp_value *whole,
                                          int64_t offset, struct ir_dtype dtype,
                                          const int64_t *shape, unsigned ndim)
{
    int64_t element = (int64_t)ir_dtype_bytes(dtype);
    int64_t bytes = inlay_tensor_bytes(shape, (int32_t)ndim, (int32_t)element);
    int64_t room = inlay_tensor_bytes(whole->tensor->shape, whole->tensor->ndim,
                                      inlay_dtype_bytes(whole->tensor->dtype));
    if (!ir_dtype_can_compute(dtype)) {
        interp_unsupported(o->run, o->op->loc, "a tensor whose dtype is not known");
        return NULL;
    }
    if (bytes < 0 || offset < 0 || offset > room - bytes) {
        interp_fail(o->run, INLAY_ERROR_BOUNDS,
                    "a tensor of %lld bytes from byte %lld on is not within storage of %lld bytes",
                    (long long)bytes, (long long)offset, (long long)room);
        return NULL;
    }
    if (((uintptr_t)interp_data(whole->tensor) + (uintptr_t)offset) % (uintptr_t)element != 0) {
        interp_fail(o->run, INLAY_ERROR_BOUNDS,
                    "byte %lld of the storage is no place for elements of %lld bytes",
                    (long long)offset, (long long)element);
        return NULL;
    }
    return interp_tensor_view(o->run, whole, offset, dtype, shape, ndim);
}

const struct interp_value *interp_op_storage_tensor(struct interp_op *o)
{
    const struct interp_value *whole = o->operands[0], *shape = o->operands[2];
    if (whole->kind != INTERP_STORAGE || shape->kind != INTERP_SHAPE) {
        interp_unsupported(o->run, o->op->loc, "a tensor in what is no piece of storage");
        return NULL;
    }
    return part_of(o, whole, interp_operand_int(o, 1, 0), operand_dtype(o, 3), shape->dims,
                   shape->count);
}

/* Is operand @i of R.memory.view given?  The empty tuple stands for what is left out, too. */
static bool is_given(const struct interp_op *o, unsigned i)
{
    return o->operands[i]->kind != INTERP_NULL && o->operands[i]->kind != INTERP_TUPLE;
}

/*
 * @whole, a parameter whose storage has more room than elements, with as many bytes as a view of it
 * shows.  Those behind the elements hold nothing: they are for calls that write them.
 */
static const struct interp_value *grown(struct interp_op *o, const struct ir_capacity *capacity,
                                        const struct interp_value *whole, int64_t offset,
                                        struct ir_dtype dtype, const int64_t *shape, unsigned ndim)
{
    const struct inlay_tensor *tensor = whole->tensor;
    const struct ir_expr *const exprs[] = {capacity->limit, capacity->bytes};
    const int64_t *limits;
    int64_t bytes = inlay_tensor_bytes(shape, (int32_t)ndim, (int32_t)ir_dtype_bytes(dtype)), end;
    int64_t own = inlay_tensor_bytes(tensor->shape, tensor->ndim, inlay_dtype_bytes(tensor->dtype));
    if (!interp_dims(o->call, exprs, 2, &limits))
        return NULL;
    if (bytes < 0 || offset < 0 || __builtin_add_overflow(offset, bytes, &end) || end > limits[1]) {
        interp_fail(o->run, INLAY_ERROR_ARGUMENT, IR_CAPACITY_EXCEEDED,
                    o->op->operands[0].value->name, (long long)tensor->shape[capacity->axis],
                    (long long)limits[0], (long long)bytes, (long long)limits[1]);
        return NULL;
    }
    if (end <= own)
        return whole;
    const struct interp_value *room = interp_tensor_new(o->run, IR_DTYPE(IR_UINT, 8), &end, 1);
    if (room && own > 0)
        memcpy(interp_data(room->tensor), interp_data(tensor), (size_t)own);
    return room;
}

const struct interp_value *interp_op_memory_view(struct interp_op *o)
{
    const struct interp_value *whole = interp_operand_value(o, 0), *shape = o->operands[1];
    if (!whole)
        return NULL;
    const int64_t *dims = is_given(o, 1) ? shape->dims : whole->tensor->shape;
    unsigned ndim = is_given(o, 1) ? shape->count : (unsigned)whole->tensor->ndim;
    struct ir_dtype dtype =
        is_given(o, 2) ? operand_dtype(o, 2) : interp_tensor_dtype(whole->tensor);
    int64_t offset = is_given(o, 3) ? interp_operand_int(o, 3, 0) : 0;
    struct ir_capacity capacity;
    if (ir_view_grows(o->op, &capacity))
        whole = grown(o, &capacity, whole, offset, dtype, dims, ndim);
    return whole ? part_of(o, whole, offset, dtype, dims, ndim) : NULL;
}

const struct interp_value *interp_op_kill(struct interp_op *o)
{
    interp_end(o->run, o->operands[0]);
    return interp_tuple_value(o->run, NULL, 0);
}
