/* Tensors of the file as constants: raw bytes, typed fields, bytes of another file, sparse ones. */
#include "base/half.h"
#include "base/memory.h"
#include "frontend/onnx/import.h"

#include <string.h>

enum { EXTERNAL = 1, STRING_TYPE = 8, COPY_PIECE = 4 << 20 };

/* By number of TensorProto.DataType; what Relax has not is widened to bytes, see storage.c. */
static const struct {
    struct ir_dtype dtype;
    unsigned packed_bits; /* of an element in raw data, if less than a byte */
} dtypes[] = {
    [1] = {IR_F32, 0},
    [2] = {IR_DTYPE(IR_UINT, 8), 0},
    [3] = {IR_DTYPE(IR_INT, 8), 0},
    [4] = {IR_DTYPE(IR_UINT, 16), 0},
    [5] = {IR_DTYPE(IR_INT, 16), 0},
    [6] = {IR_I32, 0},
    [7] = {IR_I64, 0},
    [9] = {IR_B1, 0},
    [10] = {IR_F16, 0},
    [11] = {IR_F64, 0},
    [12] = {IR_DTYPE(IR_UINT, 32), 0},
    [13] = {IR_DTYPE(IR_UINT, 64), 0},
    [16] = {IR_BF16, 0},
    [17] = {IR_DTYPE(IR_UINT, 8), 0},
    [18] = {IR_DTYPE(IR_UINT, 8), 0},
    [19] = {IR_DTYPE(IR_UINT, 8), 0},
    [20] = {IR_DTYPE(IR_UINT, 8), 0},
    [21] = {IR_DTYPE(IR_UINT, 8), 4},
    [22] = {IR_DTYPE(IR_INT, 8), 4},
    [23] = {IR_DTYPE(IR_UINT, 8), 4},
    [24] = {IR_DTYPE(IR_UINT, 8), 0},
    [25] = {IR_DTYPE(IR_UINT, 8), 2},
    [26] = {IR_DTYPE(IR_INT, 8), 2},
    [27] = {IR_DTYPE(IR_UINT, 8), 6},
    [28] = {IR_DTYPE(IR_UINT, 8), 6},
};

bool onnx_dtype(int32_t type, struct ir_dtype *out)
{
    if (type < 1 || type >= (int32_t)ARRAY_SIZE(dtypes) || dtypes[type].dtype.bits == 0)
        return false;
    *out = dtypes[type].dtype;
    return true;
}

unsigned onnx_narrow_bits(int32_t type)
{
    bool is_integer = type == 21 || type == 22 || type == 25 || type == 26;
    return is_integer ? dtypes[type].packed_bits : 0;
}

/* A tensor that is being read. */
struct reading {
    struct onnx_import *m;
    const Onnx__Tensor *proto;
    struct ir_dtype dtype;
    unsigned packed_bits;
    int64_t elements;
    size_t bytes; /* as a constant */
};

static struct ir_value *refuse(struct onnx_import *m, const char *name, const char *why)
{
    diag_report(m->diag, m->b.loc, ONNX_TENSOR, name ? name : "", why);
    return NULL;
}

static struct ir_value *add(struct reading *r, const struct ir_data *data)
{
    map_set(&r->m->data, r->proto, data);
    struct ir_constant *constant = ir_module_add_data(r->m->module, r->dtype, r->proto->dims,
                                                      (unsigned)r->proto->n_dims, data);

    if (r->proto->name && *r->proto->name)
        constant->name = onnx_name(r->m, r->proto->name);
    return ir_inline_constant(r->m->module, constant);
}

static void release(void *state)
{
    memory_free(state);
}

/* Of mapped bytes, which are the caller's. */
static void keep(void *state)
{
    (void)state;
}

/* Room for the constant, aligned as its elements must be. */
static char *new_bytes(size_t size, void **out_block)
{
    char *block = memory_new(size + 64, 1);

    *out_block = block;
    return block + (64 - (uintptr_t)block % 64) % 64;
}

/* The elements at @bytes, one behind the other from the low bits on, each in a byte of its own. */
static struct ir_value *unpack(struct reading *r, const uint8_t *bytes)
{
    uint8_t *out = arena_array(r->m->arena, uint8_t, r->bytes + 1);
    unsigned bits = r->packed_bits;

    for (size_t i = 0; i < r->bytes; i++) {
        size_t at = i * bits;
        unsigned pair = bytes[at / 8];
        if (at % 8 + bits > 8)
            pair |= (unsigned)bytes[at / 8 + 1] << 8;
        unsigned value = pair >> at % 8 & ((1u << bits) - 1);
        bool is_negative = r->dtype.code == IR_INT && value >> (bits - 1);
        out[i] = (uint8_t)(is_negative ? value | ~((1u << bits) - 1) : value);
    }
    return add(r, ir_data_copy(r->m->context, out, r->bytes));
}

/* @size raw bytes at @bytes; @stays: as long as the context. */
static struct ir_value *read_raw(struct reading *r, const void *bytes, size_t size, bool stays)
{
    struct onnx_import *m = r->m;
    size_t wanted = r->packed_bits ? (r->bytes * r->packed_bits + 7) / 8 : r->bytes;
    void *block;

    if (size != wanted)
        return refuse(m, r->proto->name, "its data have another size than its shape");
    if (r->packed_bits)
        return unpack(r, bytes);
    if (stays && (uintptr_t)bytes % ir_dtype_bytes(r->dtype) == 0)
        return add(r, ir_data_take(m->context, bytes, size, keep, NULL));
    if (size < 1 << 16)
        return add(r, ir_data_copy(m->context, bytes, size));
    char *copy = new_bytes(size, &block);
    for (size_t at = 0; at < size; at += COPY_PIECE) {
        size_t piece = size - at < COPY_PIECE ? size - at : COPY_PIECE;
        memcpy(copy + at, (const char *)bytes + at, piece);
        if (m->file->forget)
            m->file->forget(m->file->state, (const char *)bytes + at, piece);
    }
    return add(r, ir_data_take(m->context, copy, size, release, block));
}

static bool read_number(const char *text, uint64_t *out)
{
    *out = 0;
    if (!*text)
        return false;
    for (; *text >= '0' && *text <= '9'; text++) {
        if (*out > (UINT64_MAX - 9) / 10)
            return false;
        *out = *out * 10 + (uint64_t)(*text - '0');
    }
    return !*text;
}

static struct ir_value *read_external(struct reading *r)
{
    const Onnx__Tensor *proto = r->proto;
    const char *path = NULL, *why = NULL, *text;
    uint64_t offset = 0, length = UINT64_MAX;
    const void *bytes = NULL;

    for (size_t i = 0; i < proto->n_external_data; i++) {
        const char *key = proto->external_data[i]->key, *value = proto->external_data[i]->value;
        if (!key || !value)
            continue;
        text = strcmp(key, "offset") == 0 || strcmp(key, "length") == 0 ? value : NULL;
        if (text && !read_number(text, *key == 'o' ? &offset : &length))
            return refuse(r->m, proto->name, "offset or length of its data is no number");
        if (strcmp(key, "location") == 0)
            path = value;
    }
    if (!path)
        return refuse(r->m, proto->name, "its data are in another file, which is not named");
    size_t wanted = r->packed_bits ? (r->bytes * r->packed_bits + 7) / 8 : r->bytes;
    if (length == UINT64_MAX)
        length = wanted;
    if (length != wanted)
        return refuse(r->m, proto->name, "its data have another size than its shape");
    if (!r->m->file->open_beside)
        why = "there are no files beside a model that is given as bytes";
    else
        bytes = r->m->file->open_beside(r->m->file->state, path, offset, length, &why);
    if (bytes)
        return read_raw(r, bytes, (size_t)length, true);
    diag_report(r->m->diag, r->m->b.loc, ONNX_EXTERNAL, proto->name ? proto->name : "", path, why);
    return NULL;
}

/* The elements of a typed field, each taken to the dtype of the tensor. */
static struct ir_value *read_typed(struct reading *r)
{
    const Onnx__Tensor *p = r->proto;
    size_t width = ir_dtype_bytes(r->dtype);
    /* 6 bits stand alone there */
    size_t per_entry = r->packed_bits && r->packed_bits != 6 ? 8 / r->packed_bits : 1;
    const struct {
        const void *items;
        size_t count, item;
    } fields[] = {{p->float_data, p->n_float_data, sizeof(float)},
                  {p->double_data, p->n_double_data, sizeof(double)},
                  {p->int64_data, p->n_int64_data, sizeof(int64_t)},
                  {p->uint64_data, p->n_uint64_data, sizeof(uint64_t)},
                  {p->int32_data, p->n_int32_data, sizeof(int32_t)}};
    const void *items = NULL;
    size_t count = 0, item = sizeof(int32_t), used = 0;

    for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
        if (fields[i].count > 0) {
            items = fields[i].items;
            count = fields[i].count;
            item = fields[i].item;
            used++;
        }
    if (used > 1)
        return refuse(r->m, p->name, "its elements are in several fields");
    if (count != ((size_t)r->elements + per_entry - 1) / per_entry)
        return refuse(r->m, p->name, "it has another number of elements than its shape");
    bool is_float = p->n_float_data > 0, is_double = p->n_double_data > 0;
    if (count > 0 && (width > item || is_float != ir_dtype_equal(r->dtype, IR_F32) ||
                      is_double != ir_dtype_equal(r->dtype, IR_F64)))
        return refuse(r->m, p->name, "its elements are in a field of another type");
    if (width == item)
        return add(r, ir_data_copy(r->m->context, items, r->bytes));
    char *out = arena_array(r->m->arena, char, r->bytes + 8);
    size_t piece = r->packed_bits ? 1 : width;
    for (size_t i = 0; i < count && i * piece < r->bytes; i++) /* the low bytes of each entry */
        memcpy(out + i * piece, (const char *)items + i * item, piece);
    return per_entry > 1 ? unpack(r, (const uint8_t *)out)
                         : add(r, ir_data_copy(r->m->context, out, r->bytes));
}

struct ir_value *onnx_tensor(struct onnx_import *m, const Onnx__Tensor *tensor)
{
    struct reading r = {.m = m, .proto = tensor};

    if (tensor->data_type == STRING_TYPE)
        return refuse(m, tensor->name, "tensors of strings are not supported");
    if (!onnx_dtype(tensor->data_type, &r.dtype))
        return refuse(
            m, tensor->name,
            arena_printf(m->arena, "data type %d is not supported", (int)tensor->data_type));
    r.packed_bits = dtypes[tensor->data_type].packed_bits;
    if (tensor->n_dims > IR_RANK_LIMIT)
        return refuse(m, tensor->name, "it has too many dimensions");
    for (size_t i = 0; i < tensor->n_dims; i++)
        if (tensor->dims[i] < 0)
            return refuse(m, tensor->name, "a dimension is negative");
    if (!ir_shape_elements(tensor->dims, (unsigned)tensor->n_dims, &r.elements) ||
        !ir_shape_bytes(tensor->dims, (unsigned)tensor->n_dims, r.dtype, &r.bytes))
        return refuse(m, tensor->name, "it is too large");
    const struct ir_data *data = map_get(&m->data, tensor);
    if (data) /* the graph is read again */
        return add(&r, data);
    if (tensor->data_location == EXTERNAL)
        return read_external(&r);
    if (tensor->has_mapped_at) /* of wire.c, which saw that the bytes are there */
        return read_raw(&r, (const char *)m->file->bytes + tensor->mapped_at,
                        (size_t)tensor->mapped_size, m->file->stays);
    if (tensor->has_raw_data)
        return read_raw(&r, tensor->raw_data.data, tensor->raw_data.len, false);
    return read_typed(&r);
}

/* Where element @i of a sparse tensor stands among all; false: outside. */
static bool place_of(const Onnx__SparseTensor *sparse, const struct ir_constant *indices, size_t i,
                     int64_t *out)
{
    size_t rank = indices->ndim == 2 ? sparse->n_dims : 1;
    int64_t total = 1, place = 0;

    (void)ir_shape_elements(sparse->dims, (unsigned)sparse->n_dims, &total);
    for (size_t k = 0; k < rank; k++) {
        int64_t index = onnx_constant_int(indices, i * rank + k);
        int64_t extent = indices->ndim == 2 ? sparse->dims[k] : total;
        if (index < 0 || index >= extent)
            return false;
        place = place * extent + index;
    }
    *out = place;
    return true;
}

struct ir_value *onnx_sparse_tensor(struct onnx_import *m, const Onnx__SparseTensor *sparse)
{
    const char *name = sparse->values ? sparse->values->name : NULL;
    struct ir_value *values = sparse->values ? onnx_tensor(m, sparse->values) : NULL;
    struct ir_value *indices = values && sparse->indices ? onnx_tensor(m, sparse->indices) : NULL;
    size_t bytes;
    int64_t place;

    if (!indices)
        return sparse->values && sparse->indices ? NULL : refuse(m, name, "a part is missing");
    const struct ir_constant *from = onnx_constant_of(values), *at = onnx_constant_of(indices);
    size_t width = ir_dtype_bytes(from->dtype);
    int64_t rank = at->ndim == 2 ? at->shape[1] : 1;
    for (size_t i = 0; i < sparse->n_dims; i++)
        if (sparse->dims[i] < 0 || sparse->n_dims > IR_RANK_LIMIT)
            return refuse(m, name, "a dimension is negative, or there are too many");
    if (!ir_dtype_equal(at->dtype, IR_I64) || from->ndim != 1 || at->ndim < 1 || at->ndim > 2 ||
        at->shape[0] != from->shape[0] || (at->ndim == 2 && rank != (int64_t)sparse->n_dims) ||
        !ir_shape_bytes(sparse->dims, (unsigned)sparse->n_dims, from->dtype, &bytes) ||
        bytes > (size_t)1 << 32)
        return refuse(m, name, "its parts do not fit together");
    char *dense = arena_array(m->arena, char, bytes + 1);
    for (size_t i = 0; i < (size_t)from->shape[0]; i++) {
        if (!place_of(sparse, at, i, &place))
            return refuse(m, name, "an index is outside");
        memcpy(dense + (size_t)place * width, (const char *)from->data + i * width, width);
    }
    return onnx_constant(m, from->dtype, sparse->dims, (unsigned)sparse->n_dims, dense);
}

struct ir_value *onnx_constant(struct onnx_import *m, struct ir_dtype dtype, const int64_t *dims,
                               unsigned rank, const void *data)
{
    return ir_inline_constant(m->module,
                              ir_module_add_constant(m->module, dtype, dims, rank, data));
}

const struct ir_constant *onnx_constant_of(const struct ir_value *value)
{
    return value && value->def && ir_op_is(value->def, IR_CORE_constant)
               ? value->def->attrs[0]->constant
               : NULL;
}

int64_t onnx_constant_int(const struct ir_constant *constant, size_t i)
{
    unsigned width = ir_dtype_bytes(constant->dtype);
    int64_t value = 0;

    memcpy(&value, (const char *)constant->data + i * width, width);
    if (constant->dtype.code == IR_INT && width < 8) {
        int64_t sign = INT64_C(1) << (8 * width - 1);
        value = (value ^ sign) - sign;
    }
    return value;
}

double onnx_constant_real(const struct ir_constant *constant, size_t i)
{
    float narrow;
    double wide;
    int64_t whole = onnx_constant_int(constant, i);

    if (!ir_dtype_is_float(constant->dtype))
        return (double)whole;
    if (ir_dtype_equal(constant->dtype, IR_F16))
        return half_to_float((uint16_t)whole);
    if (ir_dtype_equal(constant->dtype, IR_BF16))
        return bfloat_to_float((uint16_t)whole);
    memcpy(&narrow, &whole, sizeof(narrow));
    memcpy(&wide, &whole, sizeof(wide));
    return ir_dtype_equal(constant->dtype, IR_F32) ? narrow : wide;
}
