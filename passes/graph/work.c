/* The column WORK of the operator library: see work.h. */
#include "passes/graph/work.h"

#include "ops/ids.h"
#include "passes/graph/static.h"

#include <ctype.h>
#include <string.h>

typedef bool work_fn(struct ir_context *context, const struct ir_op *op, int64_t *out_work);

#define OP(id, name, signature, traits, doc, ...) __VA_ARGS__
#define WORK(f)                                   static work_fn work_##f;
#include "ops/ops.def"

static const struct {
    work_fn *work;
} table[OP_COUNT] = {
#define OP(id, name, signature, traits, doc, ...) [OP_##id] = {__VA_ARGS__},
#define WORK(f)                                   .work = work_##f,
#include "ops/ops.def"
};

bool work_of(struct ir_context *context, const struct ir_op *op, int64_t *out_work)
{
    work_fn *work = table[op_id(op)].work;

    *out_work = 0;
    return !work || work(context, op, out_work);
}

/* ---- columns ---- */

static const struct ir_type *type_of(const struct ir_op *op, unsigned operand)
{
    return op->operands[operand].value->type;
}

static bool elements_of(struct ir_context *context, const struct ir_type *type, int64_t *out_count)
{
    int64_t dims[STATIC_RANK];

    return static_dims(context, type, dims) &&
           ir_shape_elements(dims, (unsigned)type->ndim, out_count);
}

static bool times(int64_t a, int64_t b, int64_t *out)
{
    return !__builtin_mul_overflow(a, b, out);
}

/* Each element of the result reads a row of operand 0: matmul, linear. */
static bool work_rows(struct ir_context *context, const struct ir_op *op, int64_t *out_work)
{
    const struct ir_type *type = type_of(op, 0);
    int64_t dims[STATIC_RANK], results;

    return elements_of(context, op->result.type, &results) && static_dims(context, type, dims) &&
           type->ndim > 0 && times(results, dims[type->ndim - 1], out_work);
}

/* ... all of operand 1, at the most: the weights of a convolution. */
static bool work_weights(struct ir_context *context, const struct ir_op *op, int64_t *out_work)
{
    int64_t results, weights;

    return elements_of(context, op->result.type, &results) &&
           elements_of(context, type_of(op, 1), &weights) && times(results, weights, out_work);
}

/* Each element of operand 0 is compared with each of operand 1. */
static bool work_pairs(struct ir_context *context, const struct ir_op *op, int64_t *out_work)
{
    int64_t elements, others;

    return elements_of(context, type_of(op, 0), &elements) &&
           elements_of(context, type_of(op, 1), &others) && times(elements, others, out_work);
}

/* Each element of the result reads, or is read for, a window of attribute `pool_size`. */
static bool work_windows(struct ir_context *context, const struct ir_op *op, int64_t *out_work)
{
    const struct ir_attr *sizes = ir_op_attr(op, "pool_size");

    if (!elements_of(context, op->result.type, out_work) || sizes->kind != IR_ATTR_LIST)
        return false;
    for (unsigned i = 0; i < sizes->count; i++)
        if (sizes->items[i]->kind != IR_ATTR_INT ||
            !times(*out_work, sizes->items[i]->integer, out_work))
            return false;
    return true;
}

/* Each element of the result reads all keys, and a row for each. */
static bool work_keys(struct ir_context *context, const struct ir_op *op, int64_t *out_work)
{
    const struct ir_type *keys = type_of(op, 1);
    int64_t dims[STATIC_RANK], results;

    return elements_of(context, op->result.type, &results) && static_dims(context, keys, dims) &&
           keys->ndim == 4 && times(results, dims[1], out_work) && times(*out_work, 2, out_work);
}

/* Lines along attribute `axis` (all elements, where it is no number) are put in order by insertion. */
static bool work_lines(struct ir_context *context, const struct ir_op *op, int64_t *out_work)
{
    const struct ir_type *type = type_of(op, 0);
    const struct ir_attr *axis = ir_op_attr(op, "axis");
    int64_t dims[STATIC_RANK], elements;

    if (!elements_of(context, type, &elements) || !static_dims(context, type, dims))
        return false;
    int64_t at = axis->kind != IR_ATTR_INT ? -1
                 : axis->integer < 0       ? axis->integer + type->ndim
                                           : axis->integer;
    return times(elements, at >= 0 && at < type->ndim ? dims[at] : elements, out_work);
}

/* The extent of @letter in the operands of an einsum; 0 if it stands in none. */
static bool extent_of(struct ir_context *context, const struct ir_type *tuple, const char *text,
                      char letter, int64_t *out_extent)
{
    int64_t dims[STATIC_RANK];

    *out_extent = 0;
    for (unsigned i = 0; i < tuple->field_count; i++) {
        const struct ir_type *type = tuple->fields[i];

        if (!static_dims(context, type, dims))
            return false;
        for (int d = 0; *text && *text != ',' && *text != '-'; text++) {
            if (*text == letter && d < type->ndim && dims[d] > *out_extent)
                *out_extent = dims[d];
            d += isalpha((unsigned char)*text) != 0;
        }
        text += *text == ',';
    }
    return true;
}

/* One product for each value of all letters of an einsum together. */
static bool work_letters(struct ir_context *context, const struct ir_op *op, int64_t *out_work)
{
    const struct ir_type *tuple = type_of(op, 0);
    const char *text = ir_op_attr(op, "subscripts")->string;
    bool is_known = tuple->kind == IR_TYPE_TUPLE && !strchr(text, '.');
    int64_t extent;

    *out_work = 1;
    for (char letter = 'A'; is_known && letter <= 'z'; letter++) {
        if (!isalpha((unsigned char)letter) || !strchr(text, letter))
            continue;
        is_known = extent_of(context, tuple, text, letter, &extent) &&
                   times(*out_work, extent > 1 ? extent : 1, out_work);
    }
    return is_known;
}
