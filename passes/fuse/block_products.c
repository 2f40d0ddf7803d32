/*
 * Products with weights of a few bits, in front of LegalizeOps:
 *
 *     halves = R.concat((R.bitwise_and(b, 15), R.right_shift(b, 4)), axis=1)        b: (K / 2, 1, N), uint8
 *     q = R.astype(R.reshape(halves, (K / block, block, N)), "float32")
 *     w = R.reshape(R.multiply(R.subtract(q, zero), scale), (K, N))
 *     y = R.matmul(x, w)
 *
 * is one kernel (ops/blocks.h), or the same with bytes instead of halves, or of the first rows of w, where blocks do not divide K.  Each operator by itself would write the
 * weights as floats, eight times what they are; the loops of the product widen them in registers.  Elements of w
 * are computed by the same operations, so they have the same bits.
 */
#include "passes/fuse/block_products.h"

#include "ir/arith.h"
#include "ir/edit/make.h"
#include "ops/blocks.h"
#include "ops/ids.h"

/* Operand @i of what makes @value, if that is @id; NULL: it is something else. */
static struct ir_value *inside(const struct ir_value *value, enum op_id id, unsigned i)
{
    return value && value->def && op_is(value->def, id) ? value->def->operands[i].value : NULL;
}

static bool is_number(const struct ir_value *value, unsigned char number)
{
    const struct ir_constant *constant =
        value && value->def && ir_op_is(value->def, IR_CORE_constant)
            ? ir_op_attr(value->def, "data")->constant
            : NULL;

    return constant && constant->ndim == 0 && constant->bytes == 1 && constant->data &&
           *(const unsigned char *)constant->data == number;
}

/* Has @value @rank dims, all literal, of @dtype? */
static bool is_tensor(struct ir_context *context, const struct ir_value *value,
                      struct ir_dtype dtype, int rank, int64_t *dims)
{
    const struct ir_type *type = value ? value->type : NULL;

    if (!type || type->kind != IR_TYPE_TENSOR || !type->dims || type->ndim != rank ||
        !ir_dtype_equal(type->dtype, dtype))
        return false;
    for (int i = 0; i < rank; i++)
        if (!ir_expr_constant(context, type->dims[i], &dims[i]))
            return false;
    return true;
}

/* The bytes whose low halves, then high halves, are the middle axis of @halves; NULL: it is something else. */
static struct ir_value *joined_of(const struct ir_value *halves)
{
    struct ir_value *tuple = inside(halves, OP_concat, 0);

    if (!tuple || !tuple->def || !ir_op_is(tuple->def, IR_CORE_tuple) ||
        tuple->def->operand_count != 2 || ir_op_attr(halves->def, "axis")->kind != IR_ATTR_INT ||
        ir_op_attr(halves->def, "axis")->integer != 1)
        return NULL;
    struct ir_value *low = tuple->def->operands[0].value, *high = tuple->def->operands[1].value;
    struct ir_value *bytes = inside(low, OP_bitwise_and, 0);

    return bytes && bytes == inside(high, OP_right_shift, 0) &&
                   is_number(inside(low, OP_bitwise_and, 1), 15) &&
                   is_number(inside(high, OP_right_shift, 1), 4)
               ? bytes
               : NULL;
}

/* What @zero was before it was made float32: it is, again, where it is read.  Itself, if it was no byte. */
static struct ir_value *bytes_of(struct ir_value *zero)
{
    struct ir_value *bytes = inside(zero, OP_astype, 0);

    return bytes && bytes->type->kind == IR_TYPE_TENSOR &&
                   ir_dtype_equal(bytes->type->dtype, IR_DTYPE(IR_UINT, 8))
               ? bytes
               : zero;
}

static bool read_blocks(struct pass_run *run, const struct ir_op *op, struct op_blocks *out)
{
    struct ir_context *context = run->module->context;
    struct ir_value *rows = op_rows_of(run->module, run->diag, op->operands[1].value);
    const struct ir_value *x = op->operands[0].value;
    struct ir_dtype byte = IR_DTYPE(IR_UINT, 8);
    int64_t w[2], q[3], dims[3];
    struct ir_value *scaled = inside(rows, OP_reshape, 0);
    struct ir_value *centred = inside(scaled, OP_multiply, 0);
    struct ir_value *whole = inside(inside(centred, OP_subtract, 0), OP_astype, 0);

    out->scale = inside(scaled, OP_multiply, 1);
    out->zero = bytes_of(inside(centred, OP_subtract, 1));
    if (!is_tensor(context, whole, byte, 3, q) ||
        !is_tensor(context, op->operands[1].value, IR_F32, 2, w) ||
        !is_tensor(context, scaled, IR_F32, 3, dims) || q[0] != dims[0] || q[1] != dims[1] ||
        q[2] != dims[2] || q[2] != w[1] || w[1] < 1 || w[0] < 1 || q[1] % 2 != 0 ||
        w[0] > q[0] * q[1])
        return false;
    if (!is_tensor(context, out->scale, IR_F32, 3, dims) || dims[0] != q[0] || dims[1] != 1 ||
        dims[2] != q[2])
        return false;
    if (!is_tensor(context, out->zero, IR_F32, 0, dims) &&
        (!(is_tensor(context, out->zero, IR_F32, 3, dims) ||
           is_tensor(context, out->zero, byte, 3, dims)) ||
         dims[0] != q[0] || dims[1] != 1 || dims[2] != q[2]))
        return false;
    out->block = q[1];
    out->bytes = joined_of(inside(whole, OP_reshape, 0));
    out->has_halves = out->bytes != NULL;
    if (!out->bytes)
        out->bytes = whole;
    else if (!is_tensor(context, out->bytes, byte, 3, dims) || dims[0] * 2 != q[0] * q[1] ||
             dims[1] != 1 || dims[2] != w[1])
        return false;
    return x->type->kind == IR_TYPE_TENSOR && x->type->dims && x->type->ndim >= 1 &&
           ir_dtype_equal(x->type->dtype, IR_F32) &&
           ir_prove_equal(context, x->type->dims[x->type->ndim - 1],
                          op->operands[1].value->type->dims[0]);
}

bool block_products(struct pass_run *run, struct ir_region *region, bool *out_changed)
{
    struct op_blocks blocks;

    ir_for_each_block(block, region)
    {
        ir_for_each_op_safe (op, block) {
            if (!op_is(op, OP_matmul) || op->result.type->kind != IR_TYPE_TENSOR ||
                !op->result.type->dims || !ir_dtype_equal(op->result.type->dtype, IR_F32) ||
                !read_blocks(run, op, &blocks))
                continue;
            struct ir_value *value = op_lower_blocks(run->module, run->diag, op, &blocks);
            if (!value)
                return false;
            if (!value->name)
                value->name = op->result.name;
            ir_value_replace(&op->result, value);
            ir_op_erase(op);
            *out_changed = true;
        }
    }
    return true;
}
