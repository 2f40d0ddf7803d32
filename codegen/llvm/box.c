/*
 * Values in memory, as entries, packed functions and printing take them (include/inlay/abi.h).
 *
 * What a call needs on the stack comes from one room that every call uses anew, so that the stack does
 * not grow with the number of calls.
 */
#include "analysis/leaves.h"
#include "codegen/llvm/graph.h"

#define BUILD(what, ...) LLVMBuild##what(cg->builder, __VA_ARGS__, "")

enum {
    FIELD_DATA,
    FIELD_DEVICE,
    FIELD_DEVICE_ID,
    FIELD_NDIM,
    FIELD_DTYPE,
    FIELD_SHAPE,
    FIELD_STRIDES,
    FIELD_OFFSET
};

/* --- room --- */

void cg_room_reset(struct cg_graph *g)
{
    g->value_count = g->tensor_count = g->dim_count = g->shape_count = 0;
}

/* @count more elements of @type; a larger room takes the place of one that is full. */
static LLVMValueRef take(struct cg_graph *g, LLVMTypeRef type, unsigned count, LLVMValueRef *room,
                         unsigned *limit, unsigned *used)
{
    struct cg *cg = g->cg;
    if (!*room || *used + count > *limit) {
        *limit = (*used + count + 1) * 2;
        *room = cg_alloca(cg, LLVMArrayType2(type, *limit), 8);
        *used = 0; /* what was taken before stays where it is */
    }
    LLVMValueRef place = cg_element(cg, type, *room, cg_i64(cg, *used));
    *used += count;
    return place;
}

LLVMValueRef cg_room_values(struct cg_graph *g, unsigned count)
{
    return take(g, g->cg->value_type, count, &g->value_room, &g->value_limit, &g->value_count);
}

static LLVMValueRef lasting(struct cg *cg, int64_t bytes)
{
    LLVMValueRef args[] = {cg->frame, cg_i64(cg, bytes), cg_line(cg)};
    LLVMValueRef place = cg_call_runtime(cg, CG_inlay_alloc, args, 3);
    cg_check_pointer(cg, place);
    return place;
}

/* --- boxing --- */

static void store_dims(struct cg *cg, LLVMValueRef *dims, unsigned count, LLVMValueRef place)
{
    for (unsigned i = 0; i < count; i++)
        cg_store(cg, dims[i], cg_element(cg, cg->i64, place, cg_i64(cg, i)));
}

/* @value as a struct inlay_tensor at @tensor, with its dims at @dims. */
static void fill_tensor(struct cg *cg, const struct cg_value *value, LLVMValueRef tensor,
                        LLVMValueRef dims)
{
    store_dims(cg, value->dims, value->count, dims);
    int64_t dtype = value->dtype.code | value->dtype.bits << 8 | value->dtype.lanes << 16;
    LLVMValueRef null = LLVMConstNull(cg->ptr);
    LLVMValueRef fields[] = {
        [FIELD_DATA] = value->data,
        [FIELD_DEVICE] = cg_i32(cg, 1),
        [FIELD_DEVICE_ID] = cg_i32(cg, 0),
        [FIELD_NDIM] = cg_i32(cg, value->count),
        [FIELD_DTYPE] = cg_i32(cg, dtype),
        [FIELD_SHAPE] = dims,
        [FIELD_STRIDES] = null,
        [FIELD_OFFSET] = cg_i64(cg, 0),
    };
    for (unsigned i = 0; i < ARRAY_SIZE(fields); i++)
        cg_store(cg, fields[i], cg_field(cg, cg->tensor_type, tensor, i));
}

static LLVMValueRef box_tensor(struct cg_graph *g, const struct cg_value *value, bool is_lasting)
{
    struct cg *cg = g->cg;
    LLVMValueRef tensor, dims;
    if (is_lasting) {
        int64_t bytes = (int64_t)(sizeof(struct inlay_tensor) + value->count * sizeof(int64_t));
        tensor = lasting(cg, bytes);
        dims = cg_element(cg, cg->tensor_type, tensor, cg_i64(cg, 1));
    } else {
        tensor = take(g, cg->tensor_type, 1, &g->tensor_room, &g->tensor_limit, &g->tensor_count);
        dims = take(g, cg->i64, value->count, &g->dim_room, &g->dim_limit, &g->dim_count);
    }
    fill_tensor(cg, value, tensor, dims);
    return tensor;
}

static LLVMValueRef box_shape(struct cg_graph *g, const struct cg_value *value, bool is_lasting)
{
    struct cg *cg = g->cg;
    LLVMValueRef shape, dims;
    if (is_lasting) {
        shape = lasting(cg, (int64_t)(sizeof(struct inlay_shape) + value->count * sizeof(int64_t)));
        dims = cg_element(cg, cg->shape_type, shape, cg_i64(cg, 1));
    } else {
        shape = take(g, cg->shape_type, 1, &g->shape_room, &g->shape_limit, &g->shape_count);
        dims = take(g, cg->i64, value->count, &g->dim_room, &g->dim_limit, &g->dim_count);
    }
    store_dims(cg, value->dims, value->count, dims);
    cg_store(cg, dims, cg_field(cg, cg->shape_type, shape, 0));
    cg_store(cg, LLVMConstInt(cg->size, value->count, false),
             cg_field(cg, cg->shape_type, shape, 1));
    return shape;
}

/* A row of fields, which lasts. */
static LLVMValueRef box_tuple(struct cg_graph *g, const struct cg_value *value)
{
    struct cg *cg = g->cg;
    int64_t bytes =
        (int64_t)(sizeof(struct inlay_tuple) + value->count * sizeof(struct inlay_value));
    LLVMValueRef tuple = lasting(cg, bytes);
    LLVMValueRef fields = cg_element(cg, cg->shape_type, tuple, cg_i64(cg, 1));
    cg_store(cg, fields, cg_field(cg, cg->shape_type, tuple, 0));
    cg_store(cg, LLVMConstInt(cg->size, value->count, false),
             cg_field(cg, cg->shape_type, tuple, 1));
    for (unsigned i = 0; i < value->count; i++)
        cg_box(g, value->fields[i], cg_element(cg, cg->value_type, fields, cg_i64(cg, i)), true);
    return tuple;
}

static LLVMValueRef box_scalar(struct cg *cg, const struct cg_value *value, int32_t *out_kind)
{
    if (ir_dtype_is_float(value->dtype)) {
        *out_kind = INLAY_FLOAT;
        LLVMValueRef real = cg_cast(cg, value->data, value->dtype, IR_F64);
        return BUILD(BitCast, real, cg->i64);
    }
    *out_kind = ir_dtype_is_bool(value->dtype) ? INLAY_BOOL : INLAY_INT;
    return LLVMBuildIntCast2(cg->builder, value->data, cg->i64, value->dtype.code == IR_INT, "");
}

static void fill_slot(struct cg *cg, LLVMValueRef slot, int32_t kind, LLVMValueRef payload)
{
    cg_store(cg, cg_i32(cg, kind), cg_field(cg, cg->value_type, slot, 0));
    cg_store(cg, cg_i32(cg, 0), cg_field(cg, cg->value_type, slot, 1));
    cg_store(cg, payload, cg_field(cg, cg->value_type, slot, 2));
}

void cg_box(struct cg_graph *g, struct cg_value *value, LLVMValueRef slot, bool is_lasting)
{
    struct cg *cg = g->cg;
    int32_t kind = INLAY_NONE;
    LLVMValueRef payload = NULL;
    switch (value->kind) {
    case CG_TENSOR:
        kind = INLAY_TENSOR;
        payload = box_tensor(g, value, is_lasting);
        break;
    case CG_SCALAR:
        payload = box_scalar(cg, value, &kind);
        break;
    case CG_SHAPE:
        kind = INLAY_SHAPE;
        payload = box_shape(g, value, is_lasting);
        break;
    case CG_STRING:
        kind = INLAY_STRING;
        payload = value->data;
        break;
    case CG_BOXED:
        LLVMBuildMemCpy(cg->builder, slot, 8, value->data, 8,
                        cg_i64(cg, sizeof(struct inlay_value)));
        return;
    case CG_TUPLE: /* behind a type that does not say so; one without fields is no value */
        kind = value->count > 0 ? INLAY_TUPLE : INLAY_NONE;
        payload = value->count > 0 ? box_tuple(g, value) : cg_i64(cg, 0);
        break;
    case CG_STORAGE:
        UNREACHABLE("storage is no value of the program");
    }
    fill_slot(cg, slot, kind, payload);
}

/* --- room for results, which whoever calls in an artifact gives --- */

void cg_box_tensor_in(struct cg *cg, const struct cg_value *value, LLVMValueRef slot,
                      LLVMValueRef tensor, LLVMValueRef dims)
{
    fill_tensor(cg, value, tensor, dims);
    fill_slot(cg, slot, INLAY_TENSOR, tensor);
}

void cg_box_shape_in(struct cg *cg, unsigned count, LLVMValueRef slot, LLVMValueRef shape,
                     LLVMValueRef dims)
{
    cg_store(cg, dims, cg_field(cg, cg->shape_type, shape, 0));
    cg_store(cg, LLVMConstInt(cg->size, count, false), cg_field(cg, cg->shape_type, shape, 1));
    fill_slot(cg, slot, INLAY_SHAPE, shape);
}

static void give_tensor_room(struct cg_graph *g, unsigned ndim, LLVMValueRef slot)
{
    struct cg *cg = g->cg;
    struct cg_value *told = cg_tensor_new(g, IR_I64, ndim, LLVMConstNull(cg->ptr), NULL);
    for (unsigned i = 0; i < ndim; i++)
        told->dims[i] = cg_i64(cg, 0);
    cg_box_tensor_in(
        cg, told, slot,
        take(g, cg->tensor_type, 1, &g->tensor_room, &g->tensor_limit, &g->tensor_count),
        take(g, cg->i64, ndim, &g->dim_room, &g->dim_limit, &g->dim_count));
}

void cg_give_result_rooms(struct cg_graph *g, const struct ir_type *result, LLVMValueRef slots)
{
    struct cg *cg = g->cg;
    for (unsigned i = 0; i < leaf_count(result); i++) {
        const struct ir_type *type = leaf_type(result, i);
        LLVMValueRef slot = cg_element(cg, cg->value_type, slots, cg_i64(cg, i));
        unsigned count = type->ndim > 0 ? (unsigned)type->ndim : 0;
        if (cg_kind_of_type(type) == CG_TENSOR)
            give_tensor_room(g, count, slot);
        else if (cg_kind_of_type(type) == CG_SHAPE)
            cg_box_shape_in(
                cg, count, slot,
                take(g, cg->shape_type, 1, &g->shape_room, &g->shape_limit, &g->shape_count),
                take(g, cg->i64, count, &g->dim_room, &g->dim_limit, &g->dim_count));
    }
}

void cg_put_shape(struct cg *cg, const struct cg_value *value, LLVMValueRef slot)
{
    LLVMValueRef shape = cg_load(cg, cg->ptr, cg_field(cg, cg->value_type, slot, 2));
    LLVMValueRef dims = cg_load(cg, cg->ptr, cg_field(cg, cg->shape_type, shape, 0));
    store_dims(cg, value->dims, value->count, dims);
}

/* --- unboxing --- */

static void load_dims(struct cg *cg, struct cg_value *value, LLVMValueRef tensor)
{
    LLVMValueRef dims = cg_load(cg, cg->ptr, cg_field(cg, cg->tensor_type, tensor, FIELD_SHAPE));
    for (unsigned i = 0; i < value->count; i++)
        value->dims[i] = cg_load(cg, cg->i64, cg_element(cg, cg->i64, dims, cg_i64(cg, i)));
}

static struct cg_value *unbox_tensor(struct cg_graph *g, const struct ir_type *type,
                                     LLVMValueRef tensor, struct cg_root *root)
{
    struct cg *cg = g->cg;
    LLVMTypeRef fields = cg->tensor_type;
    LLVMValueRef start = cg_load(cg, cg->ptr, cg_field(cg, fields, tensor, FIELD_DATA));
    LLVMValueRef offset = cg_load(cg, cg->i64, cg_field(cg, fields, tensor, FIELD_OFFSET));
    LLVMValueRef data = LLVMBuildGEP2(cg->builder, cg->i8, start, &offset, 1, "");
    struct cg_value *value = cg_tensor_new(g, type->dtype, (unsigned)type->ndim, data, root);
    value->storage = data;
    load_dims(cg, value, tensor);
    return value;
}

/* A tensor whose dtype is not known shows its dims all the same. */
static struct cg_value *unbox_open(struct cg_graph *g, const struct ir_type *type,
                                   LLVMValueRef slot)
{
    struct cg *cg = g->cg;
    bool has_dims = type->kind == IR_TYPE_TENSOR && type->dims && type->ndim > 0;
    struct cg_value *value = cg_value_new(g, CG_BOXED, has_dims ? (unsigned)type->ndim : 0);
    value->data = slot;
    if (has_dims)
        load_dims(cg, value, cg_load(cg, cg->ptr, cg_field(cg, cg->value_type, slot, 2)));
    return value;
}

static struct cg_value *unbox_shape(struct cg_graph *g, const struct ir_type *type,
                                    LLVMValueRef shape)
{
    struct cg *cg = g->cg;
    struct cg_value *value = cg_value_new(g, CG_SHAPE, (unsigned)type->ndim);
    LLVMValueRef dims = cg_load(cg, cg->ptr, cg_field(cg, cg->shape_type, shape, 0));
    for (unsigned i = 0; i < value->count; i++)
        value->dims[i] = cg_load(cg, cg->i64, cg_element(cg, cg->i64, dims, cg_i64(cg, i)));
    return value;
}

static struct cg_value *unbox_scalar(struct cg_graph *g, const struct ir_type *type,
                                     LLVMValueRef slot)
{
    struct cg *cg = g->cg;
    struct cg_value *value = cg_value_new(g, CG_SCALAR, 0);
    LLVMValueRef bits = cg_load(cg, cg->i64, cg_field(cg, cg->value_type, slot, 2));
    value->dtype = type->dtype;
    if (!ir_dtype_is_float(type->dtype)) {
        value->data = cg_cast(cg, bits, IR_I64, type->dtype);
        return value;
    }
    /* An integer is taken for a float, too. */
    LLVMValueRef kind = cg_load(cg, cg->i32, cg_field(cg, cg->value_type, slot, 0));
    LLVMValueRef is_float = cg_compare(cg, LLVMIntEQ, kind, cg_i32(cg, INLAY_FLOAT));
    LLVMValueRef converted = BUILD(SIToFP, bits, cg->f64);
    LLVMValueRef real = BUILD(Select, is_float, BUILD(BitCast, bits, cg->f64), converted);
    value->data = cg_cast(cg, real, IR_F64, type->dtype);
    return value;
}

struct cg_value *cg_unbox(struct cg_graph *g, const struct ir_type *type, LLVMValueRef slot,
                          struct cg_root *root)
{
    struct cg *cg = g->cg;
    switch (cg_kind_of_type(type)) {
    case CG_TENSOR:
        return unbox_tensor(g, type, cg_load(cg, cg->ptr, cg_field(cg, cg->value_type, slot, 2)),
                            root);
    case CG_SHAPE:
        return unbox_shape(g, type, cg_load(cg, cg->ptr, cg_field(cg, cg->value_type, slot, 2)));
    case CG_SCALAR:
        return unbox_scalar(g, type, slot);
    default:
        return unbox_open(g, type, slot);
    }
}

/* --- what is expected --- */

LLVMTypeRef cg_expected_type(struct cg *cg)
{
    LLVMTypeRef fields[] = {cg->ptr, cg->ptr, cg->i32, cg->i32, cg->i32, cg->i32};
    return LLVMStructTypeInContext(cg->context, fields, ARRAY_SIZE(fields), false);
}

LLVMValueRef cg_private_constant(struct cg *cg, LLVMValueRef data)
{
    LLVMValueRef global = LLVMAddGlobal(cg->unit->llvm, LLVMTypeOf(data), "");
    LLVMSetInitializer(global, data);
    LLVMSetGlobalConstant(global, true);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
    return global;
}

static int32_t kind_of(const struct ir_type *type)
{
    switch (type->kind) {
    case IR_TYPE_TENSOR:
        return INLAY_TENSOR;
    case IR_TYPE_SHAPE:
        return INLAY_SHAPE;
    case IR_TYPE_TUPLE:
        return type->field_count > 0 ? INLAY_TUPLE : INLAY_NONE;
    case IR_TYPE_PRIM:
        if (!ir_dtype_can_compute(type->dtype))
            return INLAY_ANY;
        if (ir_dtype_is_float(type->dtype))
            return INLAY_FLOAT;
        return ir_dtype_is_bool(type->dtype) ? INLAY_BOOL : INLAY_INT;
    default:
        return INLAY_ANY;
    }
}

static LLVMValueRef expected_dims(struct cg *cg, const struct ir_type *type)
{
    LLVMValueRef *dims = arena_array(&cg->arena, LLVMValueRef, (size_t)type->ndim);
    for (int i = 0; i < type->ndim; i++) {
        const struct ir_expr *dim = type->dims[i];
        dims[i] = cg_i64(cg, dim->kind == IR_EXPR_int ? dim->int_value : -1);
    }
    return cg_private_constant(cg, LLVMConstArray2(cg->i64, dims, (uint64_t)type->ndim));
}

LLVMValueRef cg_expected(struct cg_graph *g, const struct ir_type *type, const char *name,
                         bool is_donated)
{
    struct cg *cg = g->cg;
    bool has_shape = type->kind == IR_TYPE_TENSOR || type->kind == IR_TYPE_SHAPE;
    bool has_dims = has_shape && type->dims && type->ndim > 0;
    bool has_dtype = type->kind == IR_TYPE_PRIM ||
                     (type->kind == IR_TYPE_TENSOR && !ir_dtype_is_void(type->dtype));
    int64_t dtype =
        has_dtype ? type->dtype.code | type->dtype.bits << 8 | type->dtype.lanes << 16 : 0;
    int64_t count = has_shape ? type->ndim : -1;
    if (type->kind == IR_TYPE_TUPLE)
        count = type->field_count;
    LLVMValueRef fields[] = {
        cg_string(cg, atom_intern_text(&cg->ir->atoms, name)),
        has_dims ? expected_dims(cg, type) : LLVMConstNull(cg->ptr),
        cg_i32(cg, kind_of(type)),
        cg_i32(cg, count),
        cg_i32(cg, dtype),
        cg_i32(cg, is_donated),
    };
    return LLVMConstStructInContext(cg->context, fields, ARRAY_SIZE(fields), false);
}

struct cg_value *cg_unbox_checked(struct cg_graph *g, const struct ir_type *type, LLVMValueRef slot,
                                  enum inlay_error_kind kind, const char *what)
{
    struct cg *cg = g->cg;
    LLVMValueRef expected = cg_private_constant(cg, cg_expected(g, type, what, false));
    LLVMValueRef args[] = {cg->frame, cg_i32(cg, kind), cg_line(cg), expected, slot};
    cg_check_status(cg, cg_call_runtime(cg, CG_inlay_check_value, args, 5));
    if (type->kind != IR_TYPE_TUPLE)
        return cg_unbox(g, type, slot, cg_root_new(g, CG_ROOT_UNKNOWN));
    struct cg_value *tuple = cg_value_new(g, CG_TUPLE, type->field_count);
    LLVMValueRef row = cg_load(cg, cg->ptr, cg_field(cg, cg->value_type, slot, 2));
    if (type->field_count > 0)
        row = cg_load(cg, cg->ptr, cg_field(cg, cg->shape_type, row, 0));
    for (unsigned i = 0; i < type->field_count; i++)
        tuple->fields[i] = cg_unbox_checked(
            g, type->fields[i], cg_element(cg, cg->value_type, row, cg_i64(cg, i)), kind, what);
    return tuple;
}
