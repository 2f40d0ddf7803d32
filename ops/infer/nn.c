/* Types of normalisations, losses, attention and other operators of neural networks. */
#include "ops/internal.h"

#include <string.h>

const struct ir_type *infer_softmax(struct ir_module *module, struct diag *diag,
                                    const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);

    if (op_tensor(&in, 0) == NULL || !op_check_domain(&in, 0, OP_FLOAT))
        return NULL;
    return infer_along_axis(module, diag, op);
}

/* Operand @i holds one number for each position along @axes of the data; false after a report. */
static bool check_scale(const struct infer *in, unsigned i, const struct ir_type *data,
                        const struct ir_attr *axes)
{
    const struct ir_type *type = op_tensor(in, i);
    const char *name = op_operand_name(in->op->info, i);
    struct ir_dtype dtype = data->dtype;

    if (type == NULL || !op_check_same_dtype(in, 0, i, &dtype))
        return false;
    if (data->ndim == IR_NDIM_UNKNOWN || type->ndim == IR_NDIM_UNKNOWN)
        return true;
    if (type->ndim != (int)axes->count) {
        diag_report(
            in->diag, op_argument_place(in, name), OP_RANK, in->op->info->name, name,
            arena_printf(&in->context->arena, "rank %u, one for each of `axes`", axes->count),
            op_shape_text(in, type));
        return false;
    }
    for (unsigned a = 0; data->dims != NULL && type->dims != NULL && a < axes->count; a++) {
        unsigned axis = op_axis(axes->items[a]->integer, (unsigned)data->ndim);
        if (!ir_prove_different(in->context, data->dims[axis], type->dims[a]))
            continue;
        diag_report(in->diag, in->op->loc, OP_DIMS, in->op->info->name,
                    arena_printf(&in->context->arena, "dimension %u of `data`", axis),
                    op_dim_text(in, data->dims[axis]),
                    arena_printf(&in->context->arena, "dimension %u of `%s`", a, name),
                    op_dim_text(in, type->dims[a]));
        return false;
    }
    return true;
}

static const struct ir_type *infer_norm(const struct infer *in, unsigned scale_count)
{
    const struct ir_type *data = op_tensor(in, 0);
    const struct ir_attr *axes = ir_op_attr(in->op, "axes");

    if (data == NULL || !op_check_domain(in, 0, OP_FLOAT))
        return NULL;
    if (data->ndim != IR_NDIM_UNKNOWN && op_check_axes(in, axes, data->ndim) == NULL)
        return NULL;
    for (unsigned i = 1; i <= scale_count; i++)
        if (!check_scale(in, i, data, axes))
            return NULL;
    return data;
}

const struct ir_type *infer_layer_norm(struct ir_module *module, struct diag *diag,
                                       const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);

    return infer_norm(&in, 2);
}

const struct ir_type *infer_rms_norm(struct ir_module *module, struct diag *diag,
                                     const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);

    return infer_norm(&in, 1);
}

const struct ir_type *infer_batch_norm(struct ir_module *module, struct diag *diag,
                                       const struct ir_op *op)
{
    const struct ir_type *fields[3] = {op->operands[0].value->type, op->operands[3].value->type,
                                       op->operands[4].value->type};

    return ir_type_tuple(module->context, fields, 3);
}

const struct ir_type *infer_dropout(struct ir_module *module, struct diag *diag,
                                    const struct ir_op *op)
{
    const struct ir_type *fields[2] = {op->operands[0].value->type, op->operands[0].value->type};

    return ir_type_tuple(module->context, fields, 2);
}

const struct ir_type *infer_pad(struct ir_module *module, struct diag *diag, const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *type = op_tensor(&in, 0);
    const struct ir_attr *width = ir_op_attr(op, "pad_width");

    if (type == NULL)
        return NULL;
    if (type->dims == NULL)
        return op_result_type(&in, type->dtype, NULL, type->ndim);
    if (width->count != 2 * (unsigned)type->ndim) {
        diag_report(diag, op->loc, OP_ATTRIBUTE, op->info->name, "pad_width",
                    arena_printf(&in.context->arena, "has %u entries for a tensor of rank %d",
                                 width->count, type->ndim));
        return NULL;
    }
    const struct ir_expr **dims = op_dims(&in, (unsigned)type->ndim);
    for (unsigned d = 0; d < (unsigned)type->ndim; d++) {
        const struct ir_expr *before = op_int(&in, width->items[2 * d]->integer);
        const struct ir_expr *after = op_int(&in, width->items[2 * d + 1]->integer);
        dims[d] = dim_add(in.context, type->dims[d], dim_add(in.context, before, after));
    }
    return op_result_type(&in, type->dtype, dims, type->ndim);
}

const struct ir_type *infer_pixel_shuffle(struct ir_module *module, struct diag *diag,
                                          const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *type = op_tensor(&in, 0);
    const struct ir_expr *factor = op_int(&in, op_attr_int(op, "upscale_factor", 1));

    if (type == NULL)
        return NULL;
    if (type->dims == NULL || type->ndim < 3 || op_attr_int(op, "upscale_factor", 1) < 1)
        return op_result_type(&in, type->dtype, NULL, type->ndim);
    const struct ir_expr **dims = op_dims(&in, (unsigned)type->ndim);
    memcpy(dims, type->dims, sizeof(dims[0]) * (unsigned)type->ndim);
    int c = type->ndim - 3;
    const struct ir_expr *square = dim_mul(in.context, factor, factor);
    dims[c] =
        ir_simplify(in.context, ir_expr_binary(in.context, IR_EXPR_floordiv, dims[c], square));
    dims[c + 1] = dim_mul(in.context, dims[c + 1], factor);
    dims[c + 2] = dim_mul(in.context, dims[c + 2], factor);
    return op_result_type(&in, type->dtype, dims, type->ndim);
}

const struct ir_type *infer_cross_entropy(struct ir_module *module, struct diag *diag,
                                          const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *type = op_tensor(&in, 0);

    return type == NULL ? NULL : op_result_type(&in, type->dtype, op_dims(&in, 0), 0);
}

const struct ir_type *infer_nll_loss(struct ir_module *module, struct diag *diag,
                                     const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *type = op_tensor(&in, 0), *targets = op_tensor(&in, 1);

    if (type == NULL || targets == NULL)
        return NULL;
    if (strcmp(ir_op_attr(op, "reduction")->string, "none") == 0)
        return op_result_type(&in, type->dtype, targets->dims, targets->ndim);
    return op_result_type(&in, type->dtype, op_dims(&in, 0), 0);
}

const struct ir_type *infer_attention(struct ir_module *module, struct diag *diag,
                                      const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *query = op_tensor(&in, 0), *key = op_tensor(&in, 1);
    const struct ir_type *value = op_tensor(&in, 2);

    if (query == NULL || key == NULL || value == NULL)
        return NULL;
    if (query->dims == NULL || value->dims == NULL || query->ndim != 4 || value->ndim != 4)
        return op_result_type(&in, query->dtype, NULL, 4);
    const struct ir_expr *dims[4] = {query->dims[0], query->dims[1], query->dims[2],
                                     value->dims[3]};
    return op_result_type(&in, query->dtype, dims, 4);
}

const struct ir_type *infer_attention_var_len(struct ir_module *module, struct diag *diag,
                                              const struct ir_op *op)
{
    return infer_attention(module, diag, op);
}
