/*
 * Products of integers that were bytes, in front of LegalizeOps: what quantised models say as
 *
 *     y = R.matmul(R.astype(a, "int32") - za, R.astype(b, "int32") - zb)
 *
 * becomes a product of the bytes, of which the machine takes four at a time (passes/schedule/dot.c), and terms of
 * one row and one column:
 *
 *     y = R.matmul(a, b, out_dtype="int32") - za * sum(b, axis=-2) - (sum(a, axis=-1) - K * za) * zb
 *
 * All of it wraps in 32 bits, where sums and products may be taken apart, so the bits are the same.  The sums over
 * weights are constants; other sums are worth it where they are much less than the product.
 */
#include "passes/fuse/narrow_products.h"

#include "ir/arith.h"
#include "ir/edit/make.h"
#include "ops/ids.h"

#include <string.h>

enum {
    MANY = 16
}; /* rows or columns of a product beside which a sum over the other operand is little */

static bool is_made_by(const struct ir_value *value, enum op_id id)
{
    return value->def && op_is(value->def, id);
}

static const struct ir_constant *constant_of(const struct ir_value *value)
{
    return value->def && ir_op_is(value->def, IR_CORE_constant)
               ? ir_op_attr(value->def, "data")->constant
               : NULL;
}

/* Is it a constant of zeros, maybe widened, or in another shape? */
static bool is_zero(const struct ir_value *value)
{
    while (is_made_by(value, OP_astype) || is_made_by(value, OP_reshape) ||
           is_made_by(value, OP_permute_dims))
        value = value->def->operands[0].value;
    const struct ir_constant *constant = constant_of(value);

    if (!constant || !ir_dtype_is_int(constant->dtype) || !constant->data)
        return false;
    for (size_t i = 0; i < constant->bytes; i++)
        if (((const unsigned char *)constant->data)[i] != 0)
            return false;
    return true;
}

/* Is it made of a constant by moving elements? */
static bool is_constant(const struct ir_value *value)
{
    while (is_made_by(value, OP_permute_dims) || is_made_by(value, OP_reshape))
        value = value->def->operands[0].value;
    return constant_of(value) != NULL;
}

static bool has_dims(const struct ir_type *type)
{
    return type->kind == IR_TYPE_TENSOR && type->dims;
}

static bool is_of_dims(const struct ir_value *value, const struct ir_type *type)
{
    bool is_same = type->dims && value->type->ndim == type->ndim;

    for (int i = 0; is_same && i < type->ndim; i++)
        is_same = ir_expr_equal(value->type->dims[i], type->dims[i]);
    return is_same;
}

/* The zero point of a row of bytes may make a matrix of them, even where it is 0: then they are not read alone. */
bool narrow_read(struct ir_value *value, struct centred *out)
{
    const struct ir_type *type = value->type;

    *out = (struct centred){0};
    if (is_made_by(value, OP_subtract)) {
        out->zero = value->def->operands[1].value;
        if (!has_dims(out->zero->type) || !ir_dtype_equal(out->zero->type->dtype, IR_I32))
            return false;
        if (is_zero(out->zero))
            out->zero = NULL;
        value = value->def->operands[0].value;
    }
    if (!has_dims(value->type) || !ir_dtype_equal(value->type->dtype, IR_I32) ||
        !is_made_by(value, OP_astype))
        return false;
    out->bytes = value->def->operands[0].value;
    out->is_constant = is_constant(out->bytes);
    return has_dims(out->bytes->type) && ir_dtype_is_int(out->bytes->type->dtype) &&
           out->bytes->type->dtype.bits == 8 && out->bytes->type->ndim >= 2 &&
           is_of_dims(out->bytes, type);
}

/* Is @zero, beside operands of @rank axes, the same along the axis that is @back from the end? */
static bool is_same_along(const struct ir_value *zero, int back, int rank)
{
    const struct ir_type *type = zero->type;

    return type->ndim <= rank &&
           (type->ndim < back || ir_expr_is_int(type->dims[type->ndim - back], 1));
}

/* Is the axis of @value that is @back from the end known to be long? */
static bool is_long(struct ir_context *context, const struct ir_value *value, int back)
{
    int64_t extent;

    return ir_expr_constant(context, value->type->dims[value->type->ndim - back], &extent) &&
           extent >= MANY;
}

/* The same as a product with ones: what is computed of constants should not be more than they are on the way. */
static struct ir_value *product_with_ones(struct ir_builder *b, struct ir_value *bytes, int back)
{
    struct ir_module *module = b->module;
    int64_t shape[] = {1, 1}, count = 0;

    (void)ir_expr_constant(module->context, bytes->type->dims[bytes->type->ndim - back], &count);
    shape[back - 1] = count; /* (1, K) @ bytes, or bytes @ (K, 1) */
    char *ones = arena_array(&module->arena, char, (size_t)count + 1);
    memset(ones, 1, (size_t)count);
    struct ir_value *vector = ir_inline_constant(
        module, ir_module_add_constant(module, IR_DTYPE(IR_INT, 8), shape, 2, ones));
    struct make_attr wide = {"out_dtype", ir_attr_dtype(module->context, IR_I32)};

    return back == 1 ? MAKE_WITH(b, OP_matmul, wide, bytes, vector)
                     : MAKE_WITH(b, OP_matmul, wide, vector, bytes);
}

struct ir_value *narrow_sum(struct ir_builder *b, struct ir_value *bytes, int back)
{
    struct ir_context *context = b->module->context;
    int64_t count;

    if (is_constant(bytes) &&
        ir_expr_constant(context, bytes->type->dims[bytes->type->ndim - back], &count))
        return product_with_ones(b, bytes, back);
    const struct ir_attr *axis = ir_attr_int(context, bytes->type->ndim - back);
    struct make_attr attrs[] = {{"axis", ir_attr_list(context, &axis, 1)},
                                {"keepdims", ir_attr_bool(context, true)}};
    struct make_attr wide = {"dtype", ir_attr_dtype(context, IR_I32)};
    struct ir_value *widened = MAKE_WITH(b, OP_astype, wide, bytes);

    return make_op(b, OP_sum, &widened, 1, attrs, 2);
}

static bool can_narrow(struct ir_context *context, const struct ir_op *op, const struct centred *x,
                       const struct centred *y)
{
    int rank = op->result.type->ndim;
    int64_t depth;

    return ir_expr_constant(context, x->bytes->type->dims[x->bytes->type->ndim - 1], &depth) &&
           (!x->zero || (is_same_along(x->zero, 1, rank) &&
                         (y->is_constant || is_long(context, x->bytes, 2)))) &&
           (!y->zero ||
            (is_same_along(y->zero, 2, rank) && (x->is_constant || is_long(context, y->bytes, 1))));
}

/* What is to be taken from the product of the bytes; *@out NULL: nothing.  False after a report. */
static bool make_terms(struct ir_builder *b, const struct centred *x, const struct centred *y,
                       struct ir_value **out)
{
    int64_t depth = 0;

    *out = NULL;
    if (x->zero) {
        *out = MAKE(b, OP_multiply, x->zero, narrow_sum(b, y->bytes, 2));
        if (!*out)
            return false;
    }
    if (!y->zero)
        return true;
    (void)ir_expr_constant(b->module->context, x->bytes->type->dims[x->bytes->type->ndim - 1],
                           &depth);
    struct ir_value *row = narrow_sum(b, x->bytes, 1);
    if (x->zero)
        row = MAKE(b, OP_subtract, row,
                   MAKE(b, OP_multiply, x->zero, make_number(b, IR_I32, (double)depth)));
    row = MAKE(b, OP_multiply, row, y->zero);
    *out = *out ? MAKE(b, OP_add, *out, row) : row;
    return *out != NULL;
}

bool narrow_less(struct pass_run *run, struct ir_op *op, struct ir_value *terms)
{
    struct ir_builder b = {run->module, run->diag, op->block, op->next, op->loc};
    struct ir_value *left = MAKE(&b, OP_subtract, &op->result, terms);

    if (!left)
        return false;
    left->name = op->result.name;
    op->result.name = NULL;
    ir_value_replace(&op->result, left);
    ir_op_set_operand(left->def, 0, &op->result);
    return true;
}

static bool narrow(struct pass_run *run, struct ir_op *op, bool *out_changed)
{
    struct ir_builder b = {run->module, run->diag, op->block, op, op->loc};
    struct ir_context *context = run->module->context;
    struct centred x, y;
    struct ir_value *terms;

    if (!op_is(op, OP_matmul) || !has_dims(op->result.type) ||
        !ir_dtype_equal(op->result.type->dtype, IR_I32) ||
        !narrow_read(op->operands[0].value, &x) || !narrow_read(op->operands[1].value, &y) ||
        !can_narrow(context, op, &x, &y))
        return true;
    if (!make_terms(&b, &x, &y, &terms))
        return false;
    ir_op_set_attr(op, "out_dtype", ir_attr_dtype(context, IR_I32));
    ir_op_set_operand(op, 0, make_operand(&b, x.bytes));
    ir_op_set_operand(op, 1, make_operand(&b, y.bytes));
    *out_changed = true;
    return !terms || narrow_less(run, op, terms);
}

/*
 * float16 and bfloat16 weights of a product of float32 are widened in its loops, to the same bits: that is no more
 * work where they are read once, and half of the memory.
 */
static bool narrow_half(struct pass_run *run, struct ir_op *op, bool *out_changed)
{
    struct ir_builder b = {run->module, run->diag, op->block, op, op->loc};

    if (!op_is(op, OP_matmul))
        return true;
    const struct ir_value *x = op->operands[0].value, *w = op->operands[1].value;
    if (!has_dims(op->result.type) || !has_dims(x->type) || !has_dims(w->type) ||
        !ir_dtype_equal(op->result.type->dtype, IR_F32) ||
        !ir_dtype_equal(x->type->dtype, IR_F32) || !ir_dtype_equal(w->type->dtype, IR_F32) ||
        !is_made_by(w, OP_astype) || w->type->ndim < 2)
        return true;
    struct ir_value *narrow = w->def->operands[0].value;
    if (!has_dims(narrow->type) || !ir_dtype_is_float(narrow->type->dtype) ||
        narrow->type->dtype.bits != 16)
        return true;
    ir_op_set_attr(op, "out_dtype", ir_attr_dtype(run->module->context, IR_F32));
    ir_op_set_operand(op, 1, make_operand(&b, narrow));
    *out_changed = true;
    return true;
}

bool narrow_products(struct pass_run *run, struct ir_region *region, bool *out_changed)
{
    bool is_fine = true;

    ir_for_each_block(block, region)
    {
        ir_for_each_op_safe (op, block)
            is_fine &= narrow(run, op, out_changed) && narrow_conv(run, op, out_changed) &&
                       narrow_half(run, op, out_changed);
    }
    return is_fine;
}
