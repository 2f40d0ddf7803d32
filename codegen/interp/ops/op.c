/* Which function evaluates an operator, and what these functions share. */
#include "codegen/interp/internal.h"

#include <string.h>

static const struct {
    interp_op_fn *meaning;
} table[OP_COUNT] = {
#define OP(id, name, signature, traits, doc, ...) [OP_##id] = {__VA_ARGS__},
#define INTERP(f)                                 .meaning = interp_op_##f,
#include "ops/ops.def"
};

interp_op_fn *interp_find_op(const struct ir_op *op)
{
    return table[op_id(op)].meaning;
}

const struct interp_value *interp_operand_value(const struct interp_op *o, unsigned i)
{
    const struct interp_value *value = o->operands[i];
    if (value->kind == INTERP_NULL)
        return NULL;
    if (value->kind == INTERP_TENSOR)
        return value;
    if (value->kind == INTERP_SCALAR) { /* a scalar stands for a tensor of rank 0 */
        struct interp_value *tensor = interp_tensor_new(o->run, value->scalar.dtype, NULL, 0);
        if (!tensor)
            return NULL;
        interp_store_element(value->scalar, tensor->tensor->data, 0);
        return tensor;
    }
    interp_fail(o->run, INLAY_ERROR_SHAPE, "operand %lld is no tensor", (long long)i);
    return NULL;
}

bool interp_check_domain(const struct interp_op *o, enum op_domain domain, struct ir_dtype dtype)
{
    char name[32];
    return op_domain_has(domain, dtype) ||
           interp_unsupported(o->run, o->op->loc, "`R.%s` on %s", o->op->info->name,
                              ir_dtype_name(dtype, name));
}

const struct inlay_tensor *interp_operand(const struct interp_op *o, unsigned i)
{
    const struct interp_value *value = interp_operand_value(o, i);
    return value ? value->tensor : NULL;
}

struct interp_scalar interp_operand_scalar(const struct interp_op *o, unsigned i)
{
    const struct interp_value *value = o->operands[i];
    if (value->kind == INTERP_TENSOR && inlay_tensor_elements(value->tensor) > 0)
        return interp_load_element(interp_tensor_dtype(value->tensor), interp_data(value->tensor),
                                   0);
    return value->scalar;
}

int64_t interp_operand_int(const struct interp_op *o, unsigned i, int64_t otherwise)
{
    if (o->operands[i]->kind == INTERP_NULL)
        return otherwise;
    return interp_cast(interp_operand_scalar(o, i), IR_I64).integer;
}

bool interp_attr_is_none(const struct interp_op *o, const char *name)
{
    return ir_op_attr(o->op, name)->kind == IR_ATTR_NONE;
}

int64_t interp_attr_int(const struct interp_op *o, const char *name, int64_t otherwise)
{
    const struct ir_attr *attr = ir_op_attr(o->op, name);
    struct interp_scalar value;
    if (attr->kind == IR_ATTR_INT)
        return attr->integer;
    if (attr->kind == IR_ATTR_EXPR && interp_prim(o->call, attr->expr, &value))
        return value.integer;
    return otherwise;
}

double interp_attr_float(const struct interp_op *o, const char *name)
{
    const struct ir_attr *attr = ir_op_attr(o->op, name);
    struct interp_scalar value;
    if (attr->kind == IR_ATTR_FLOAT)
        return attr->real;
    if (attr->kind == IR_ATTR_EXPR && interp_prim(o->call, attr->expr, &value))
        return interp_cast(value, IR_F64).real;
    return (double)attr->integer;
}

bool interp_attr_bool(const struct interp_op *o, const char *name)
{
    const struct ir_attr *attr = ir_op_attr(o->op, name);
    return attr->kind == IR_ATTR_BOOL ? attr->boolean : interp_attr_int(o, name, 0) != 0;
}

struct ir_dtype interp_attr_dtype(const struct interp_op *o, const char *name,
                                  struct ir_dtype otherwise)
{
    const struct ir_attr *attr = ir_op_attr(o->op, name);
    return attr->kind == IR_ATTR_DTYPE && !ir_dtype_is_void(attr->dtype) ? attr->dtype : otherwise;
}

const int64_t *interp_attr_ints(const struct interp_op *o, const char *name, unsigned *out_count)
{
    const struct ir_attr *attr = ir_op_attr(o->op, name);
    bool is_list = attr->kind == IR_ATTR_LIST;
    unsigned count = is_list ? attr->count : attr->kind == IR_ATTR_NONE ? 0 : 1;
    int64_t *ints = arena_array(&o->run->arena, int64_t, count + 1);
    for (unsigned i = 0; i < count; i++) {
        const struct ir_attr *item = is_list ? attr->items[i] : attr;
        struct interp_scalar value;
        if (item->kind == IR_ATTR_EXPR && interp_prim(o->call, item->expr, &value))
            ints[i] = value.integer;
        else
            ints[i] = item->integer;
    }
    *out_count = count;
    return attr->kind == IR_ATTR_NONE ? NULL : ints;
}

void interp_index_begin(struct interp_index *index, const int64_t *shape, unsigned ndim)
{
    *index = (struct interp_index){.shape = shape, .ndim = ndim};
    for (unsigned i = 0; i < ndim; i++)
        index->is_done |= shape[i] == 0;
}

void interp_index_next(struct interp_index *index)
{
    index->position++;
    for (unsigned i = index->ndim; i-- > 0;) {
        if (++index->at[i] < index->shape[i])
            return;
        index->at[i] = 0;
    }
    index->is_done = true;
}

int64_t interp_offset(const int64_t *shape, unsigned ndim, const int64_t *at)
{
    int64_t offset = 0;
    for (unsigned i = 0; i < ndim; i++)
        offset = offset * shape[i] + at[i];
    return offset;
}

unsigned interp_axis(int64_t axis, unsigned ndim)
{
    return (unsigned)(axis < 0 ? axis + ndim : axis);
}

bool interp_broadcast(struct interp *run, int64_t *shape, unsigned *ndim, const int64_t *b,
                      unsigned b_ndim)
{
    unsigned a_ndim = *ndim, result = a_ndim > b_ndim ? a_ndim : b_ndim;
    int64_t dims[INTERP_RANK] = {0};
    for (unsigned i = 0; i < result; i++) {
        int64_t x = i + a_ndim >= result ? shape[i + a_ndim - result] : 1;
        int64_t y = i + b_ndim >= result ? b[i + b_ndim - result] : 1;
        if (x != y && x != 1 && y != 1)
            return interp_fail(run, INLAY_ERROR_SHAPE,
                               "the extents %lld and %lld cannot be broadcast", (long long)x,
                               (long long)y);
        dims[i] = x == 1 ? y : x;
    }
    if (result)
        memcpy(shape, dims, result * sizeof(int64_t));
    *ndim = result;
    return true;
}

int64_t interp_broadcast_offset(const int64_t *shape, unsigned ndim, const int64_t *at,
                                unsigned at_ndim)
{
    int64_t offset = 0;
    for (unsigned i = 0; i < ndim; i++)
        offset = offset * shape[i] + (shape[i] == 1 ? 0 : at[at_ndim - ndim + i]);
    return offset;
}

void interp_copy_element(void *to, int64_t to_index, const void *from, int64_t from_index,
                         unsigned bytes)
{
    memcpy((char *)to + to_index * bytes, (const char *)from + from_index * bytes, bytes);
}

struct ir_dtype interp_compute_dtype(struct ir_dtype dtype)
{
    return ir_dtype_is_float(dtype) && dtype.bits == 16 ? IR_F32 : dtype;
}
