/* matmul: rows times columns, summed in the dtype of the result (float32 for the 16-bit floats). */
#include "ops/blocks.h"
#include "ops/lower/lower.h"

/* The batch indices of @operand: its dims before the last @cut, broadcast. */
static void batch_indices(struct kernel *k, unsigned operand, unsigned cut,
                          const struct ir_expr *const *batch, unsigned batch_ndim,
                          const struct ir_expr **out)
{
    const struct ir_type *type = k->operands[operand].type;
    unsigned ndim = (unsigned)type->ndim > cut ? (unsigned)type->ndim - cut : 0;

    for (unsigned d = 0; d < ndim; d++) {
        const struct ir_expr *outer = batch[batch_ndim - ndim + d];
        bool is_one = ir_expr_is_int(type->dims[d], 1) &&
                      !ir_expr_is_int(k->outputs[0]->shape[batch_ndim - ndim + d], 1);
        out[d] = is_one ? k_int(k, 0) : outer;
    }
}

/* The weight (at[0], at[1]): halves of bytes by even and odd rows, or bytes; by the block that it is in. */
static const struct ir_expr *weight(struct kernel *k, const struct op_blocks *blocks,
                                    const struct ir_expr *const *at)
{
    const struct ir_expr *two = k_int(k, 2), *block = k_int(k, blocks->block);
    const struct ir_expr *by[] = {k_binary(k, IR_EXPR_floordiv, at[0], block), k_int(k, 0), at[1]};
    const struct ir_expr *halves[] = {k_binary(k, IR_EXPR_floordiv, at[0], two), by[1], at[1]};
    const struct ir_expr *bytes[] = {by[0], k_binary(k, IR_EXPR_floormod, at[0], block), at[1]};
    const struct ir_expr *q =
        kernel_operand_load(k, &k->more[0], blocks->has_halves ? halves : bytes);
    const struct ir_expr *sixteen = k_number(k, q->dtype, 16);

    if (blocks->has_halves)
        q = k_select(
            k, k_binary(k, IR_EXPR_eq, k_binary(k, IR_EXPR_floormod, at[0], two), k_int(k, 0)),
            k_binary(k, IR_EXPR_floormod, q, sixteen), k_binary(k, IR_EXPR_floordiv, q, sixteen));
    const struct ir_expr *zero = k_cast(k, IR_F32, kernel_operand_load(k, &k->more[1], by));
    q = k_binary(k, IR_EXPR_sub, k_cast(k, IR_F32, q), zero);
    return k_binary(k, IR_EXPR_mul, q, kernel_operand_load(k, &k->more[2], by));
}

/* @blocks: what operand 1 is in; NULL: an argument. */
static void multiply(struct kernel *k, struct ir_buffer *to, const char *name,
                     const struct op_blocks *blocks)
{
    unsigned a_ndim = (unsigned)k->operands[0].type->ndim;
    unsigned b_ndim = blocks ? 2 : (unsigned)k->operands[1].type->ndim;
    unsigned batch_ndim = to->ndim - (a_ndim > 1) - (b_ndim > 1);
    struct nest nest = nest_begin(k, name);
    const struct ir_expr **axes = kernel_indices(k, to->ndim);
    const struct ir_expr *sum = NULL;

    /* The sums inside, but for the columns: rows of the second operand are read as they lie. */
    for (unsigned d = 0; d <= to->ndim; d++) {
        bool is_sum = d == to->ndim - (b_ndim > 1);
        if (is_sum)
            sum = nest_axis(&nest, TIR_REDUCE, kernel_input_dim(k, 0, a_ndim - 1));
        if (d < to->ndim)
            axes[d] = nest_axis(&nest, TIR_SPATIAL, to->shape[d]);
    }
    const struct ir_expr **a = kernel_indices(k, a_ndim), **b = kernel_indices(k, b_ndim);

    batch_indices(k, 0, 2, axes, batch_ndim, a);
    if (!blocks)
        batch_indices(k, 1, 2, axes, batch_ndim, b);
    if (a_ndim > 1)
        a[a_ndim - 2] = axes[batch_ndim];
    a[a_ndim - 1] = sum;
    if (b_ndim > 1) {
        b[b_ndim - 2] = sum;
        b[b_ndim - 1] = axes[to->ndim - 1];
    } else {
        b[0] = sum;
    }
    const struct ir_expr *second = blocks ? weight(k, blocks, b) : kernel_load(k, 1, b);
    const struct ir_expr *product = k_binary(
        k, IR_EXPR_mul, k_cast(k, to->dtype, kernel_load(k, 0, a)), k_cast(k, to->dtype, second));
    nest_init(&nest, to, axes, k_number(k, to->dtype, 0));
    nest_store(&nest, to, axes, k_binary(k, IR_EXPR_add, nest_load(&nest, to, axes), product));
    nest_end(&nest);
}

/* Rows and columns must be proved to meet; what type inference left open is refused. */
static bool check_inner(struct kernel *k)
{
    const struct ir_type *a = k->operands[0].type, *b = k->operands[1].type;

    if (ir_prove_equal(k->context, a->dims[a->ndim - 1], b->dims[b->ndim > 1 ? b->ndim - 2 : 0]))
        return true;
    struct infer in = op_infer_begin(k->module, k->diag, k->op);
    const char *what =
        arena_printf(&k->context->arena,
                     "has %s for a dimension that is not known to be that of the first operand, %s",
                     op_dim_text(&in, b->dims[b->ndim > 1 ? b->ndim - 2 : 0]),
                     op_dim_text(&in, a->dims[a->ndim - 1]));
    struct diag_message *m =
        diag_report(k->diag, op_said_place(k->op, op_operand_name(k->op->info, 1)), LOWER_OPERAND,
                    k->op->info->name, op_operand_name(k->op->info, 1), what);
    if (b->ndim > 1 && ir_prove_equal(k->context, a->dims[a->ndim - 1], b->dims[b->ndim - 1]))
        diag_help(m, "transposed, it fits: `R.permute_dims`");
    else
        diag_help(m, "say that they are equal: `R.match_cast(..)` with one symbol for both");
    return false;
}

struct ir_value *lower_matmul(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;

    if (!kernel_begin(&k, module, diag, op, 3u))
        return NULL;
    struct ir_buffer *out = k.outputs[0];
    struct ir_dtype dtype = kernel_compute_dtype(out->dtype);
    if (!check_inner(&k))
        return kernel_abandon(&k);
    if (ir_dtype_equal(dtype, out->dtype)) {
        multiply(&k, out, "matmul", NULL);
        return kernel_finish(&k);
    }
    struct ir_buffer *acc = kernel_alloc(&k, "acc", dtype, out->shape, out->ndim);
    multiply(&k, acc, "matmul", NULL);
    struct nest nest = nest_begin(&k, "T_cast");
    const struct ir_expr **axes = nest_axes_of(&nest, out);
    nest_store(&nest, out, axes, nest_load(&nest, acc, axes));
    nest_end(&nest);
    return kernel_finish(&k);
}

struct ir_value *op_rows_of(struct ir_module *module, struct diag *diag, struct ir_value *value)
{
    struct slice *slices;
    unsigned count;
    bool has_failed;

    if (!value->def || !op_is(value->def, OP_strided_slice))
        return value;
    struct infer in = op_infer_begin(module, diag, value->def);
    struct ir_value *whole = value->def->operands[0].value;
    bool is_known = whole->type->kind == IR_TYPE_TENSOR && whole->type->dims &&
                    op_slices(&in, whole->type, &slices, &count, &has_failed);

    return is_known && count == 1 && slices[0].axis == 0 && slices[0].stride == 1 &&
                   ir_expr_is_int(slices[0].begin, 0)
               ? whole
               : value;
}

struct ir_value *op_lower_blocks(struct ir_module *module, struct diag *diag, struct ir_op *op,
                                 const struct op_blocks *blocks)
{
    struct ir_value *more[] = {blocks->bytes, blocks->zero, blocks->scale};
    struct kernel k;

    if (!kernel_begin_as(&k, module, diag, op, 1u, op->result.type, more, 3))
        return NULL;
    multiply(&k, k.outputs[0], "matmul", blocks);
    return kernel_finish(&k);
}
