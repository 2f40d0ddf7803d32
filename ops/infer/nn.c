/* Types of normalisations, losses, attention and other operators of neural networks. */
#include "ops/fits.h"
#include "ops/ids.h"

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
        const char *first = arena_printf(&in->context->arena, "dimension %u of `data`", axis);
        const char *second = arena_printf(&in->context->arena, "dimension %u of `%s`", a, name);
        if (!op_check_same(in, data->dims[axis], first, type->dims[a], second, name))
            return false;
    }
    return true;
}

bool op_check_norm(const struct infer *in)
{
    const struct ir_type *data = fit_tensor(in, 0);
    unsigned scale_count = op_is(in->op, OP_nn_layer_norm) ? 2 : 1;

    if (!data || data->ndim == IR_NDIM_UNKNOWN)
        return true;
    for (unsigned i = 1; i <= scale_count; i++)
        if (!check_scale(in, i, data, ir_op_attr(in->op, "axes")))
            return false;
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
    /* The dims of a scale are those of the data, in their order. */
    for (unsigned i = 1; data->ndim != IR_NDIM_UNKNOWN && i < axes->count; i++)
        if (op_axis(axes->items[i]->integer, (unsigned)data->ndim) <
            op_axis(axes->items[i - 1]->integer, (unsigned)data->ndim)) {
            diag_report(in->diag, op_argument_place(in, "axes"), OP_ATTRIBUTE, in->op->info->name,
                        "axes", "must ascend");
            return NULL;
        }
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

/* A channel is normalised by itself, not over all of them. */
static bool check_channel_axis(const struct infer *in, const struct ir_type *data,
                               unsigned *out_axis)
{
    const struct ir_attr *axes = ir_op_attr(in->op, "axes");
    unsigned ndim = (unsigned)data->ndim;

    *out_axis = op_axis(op_attr_int(in->op, "channel_axis", 0), ndim);
    for (unsigned i = 0; i < axes->count; i++)
        if (op_axis(axes->items[i]->integer, ndim) == *out_axis) {
            diag_report(in->diag, op_argument_place(in, "axes"), OP_ATTRIBUTE, in->op->info->name,
                        "axes", "must not have the axis of the channels");
            return false;
        }
    return true;
}

const struct ir_type *infer_instance_norm(struct ir_module *module, struct diag *diag,
                                          const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *data = op_tensor(&in, 0);
    unsigned axis;

    return !data || (data->ndim != IR_NDIM_UNKNOWN && !check_channel_axis(&in, data, &axis)) ? NULL
                                                                                             : data;
}

const struct ir_type *infer_group_norm(struct ir_module *module, struct diag *diag,
                                       const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *data = op_tensor(&in, 0);
    int64_t groups = op_attr_int(op, "num_groups", 1), channels;
    unsigned axis;

    if (!data || data->ndim == IR_NDIM_UNKNOWN)
        return data;
    if (!check_channel_axis(&in, data, &axis))
        return NULL;
    if (!data->dims)
        return data;
    struct op_pair pair = {
        .relation = OP_DIM_DIVIDES,
        .first = data->dims[axis],
        .first_name = "the number of channels",
        .second = op_int(&in, groups),
        .second_name = "`num_groups`",
        .operand = "data",
    };
    if (op_pair_fits(&in, &pair) || !ir_expr_constant(in.context, data->dims[axis], &channels))
        return data;
    diag_report(
        diag, op_argument_place(&in, "num_groups"), OP_ATTRIBUTE, op->info->name, "num_groups",
        arena_printf(&in.context->arena, "must divide the %lld channels", (long long)channels));
    return NULL;
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
    if (type->ndim == IR_NDIM_UNKNOWN)
        return op_result_type(&in, type->dtype, NULL, type->ndim);
    if (width->count != 2 * (unsigned)type->ndim) {
        diag_report(diag, op_argument_place(&in, "pad_width"), OP_ATTRIBUTE, op->info->name,
                    "pad_width",
                    arena_printf(&in.context->arena, "has %u entries for a tensor of rank %d",
                                 width->count, type->ndim));
        return NULL;
    }
    if (type->dims == NULL)
        return op_result_type(&in, type->dtype, NULL, type->ndim);
    const struct ir_expr **dims = op_dims(&in, (unsigned)type->ndim);
    for (unsigned d = 0; d < (unsigned)type->ndim; d++) {
        const struct ir_expr *before = op_int(&in, width->items[2 * d]->integer);
        const struct ir_expr *after = op_int(&in, width->items[2 * d + 1]->integer);
        dims[d] = dim_add(in.context, type->dims[d], dim_add(in.context, before, after));
    }
    const struct ir_type *result = op_result_type(&in, type->dtype, dims, type->ndim);
    bool is_constant = strcmp(ir_op_attr(op, "pad_mode")->string, "constant") == 0;
    for (unsigned d = 0; !is_constant && d < (unsigned)type->ndim; d++)
        if (!op_check_some(&in, result, type->dims[d], d, "data"))
            return NULL;
    return result;
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
    struct op_pair pair = {
        .relation = OP_DIM_DIVIDES,
        .first = dims[c],
        .first_name = "the number of channels",
        .second = square,
        .second_name = "the square of `upscale_factor`",
        .operand = "data",
    };
    int64_t channels, area;
    if (!op_pair_fits(&in, &pair) && ir_expr_constant(in.context, dims[c], &channels) &&
        ir_expr_constant(in.context, square, &area)) {
        diag_report(diag, op_argument_place(&in, "upscale_factor"), OP_ATTRIBUTE, op->info->name,
                    "upscale_factor",
                    arena_printf(&in.context->arena,
                                 "has a square, %lld, that must divide the %lld channels",
                                 (long long)area, (long long)channels));
        return NULL;
    }
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

/* The gradient of a loss is one number, or one for each target. */
static bool check_loss_gradient(const struct infer *in)
{
    const struct ir_type *type = op_tensor(in, 1), *targets = op_tensor(in, 2);
    bool is_one = strcmp(ir_op_attr(in->op, "reduction")->string, "none") != 0;

    if (type == NULL || targets == NULL)
        return false;
    if (is_one)
        targets = op_result_type(in, type->dtype, op_dims(in, 0), 0);
    return op_check_as(in, 0, targets, is_one ? "the loss" : "the targets");
}

const struct ir_type *infer_nll_loss_backward(struct ir_module *module, struct diag *diag,
                                              const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);

    return check_loss_gradient(&in) ? op_tensor(&in, 1) : NULL;
}

/* The axes of queries, keys and values. */
enum { ATTENTION_BATCH, ATTENTION_ROWS, ATTENTION_HEADS, ATTENTION_SIZE, ATTENTION_AXES };

/* Are they the same axis of operands @i and @j, as far as is known?  False after a report. */
static bool check_same_axis(const struct infer *in, unsigned i, unsigned j, unsigned axis)
{
    const struct ir_type *a = op_tensor(in, i), *b = op_tensor(in, j);
    const char *names[] = {op_operand_name(in->op->info, i), op_operand_name(in->op->info, j)};

    if (a->dims == NULL || b->dims == NULL)
        return true;
    struct arena *arena = &in->context->arena;
    return op_check_same(in, a->dims[axis],
                         arena_printf(arena, "dimension %u of `%s`", axis, names[0]), b->dims[axis],
                         arena_printf(arena, "dimension %u of `%s`", axis, names[1]), names[1]);
}

/* Do the heads of the queries share those of operand @i in groups of one size?  False after a report. */
static bool check_heads(const struct infer *in, unsigned i)
{
    const struct ir_type *query = op_tensor(in, 0), *type = op_tensor(in, i);
    const char *name = op_operand_name(in->op->info, i);
    struct arena *arena = &in->context->arena;

    if (query->dims == NULL || type->dims == NULL)
        return true;
    struct op_pair pair = {
        .relation = OP_DIM_DIVIDES,
        .first = query->dims[ATTENTION_HEADS],
        .first_name =
            arena_printf(arena, "the number of heads of `%s`", op_operand_name(in->op->info, 0)),
        .second = type->dims[ATTENTION_HEADS],
        .second_name = arena_printf(arena, "that of `%s`", name),
        .operand = name,
    };
    return op_check_pair(in, &pair);
}

/* Can the bias be added to (batch, heads, queries, keys)?  False after a report. */
static bool check_bias(const struct infer *in, const struct ir_type *query,
                       const struct ir_type *key, const struct ir_type *bias)
{
    if (query->dims == NULL || key->dims == NULL || bias->dims == NULL)
        return true;
    const struct ir_expr *scores[] = {query->dims[ATTENTION_BATCH], query->dims[ATTENTION_HEADS],
                                      query->dims[ATTENTION_ROWS], key->dims[ATTENTION_ROWS]};
    static const char *const words[] = {"batches", "heads", "queries", "keys"};
    for (unsigned back = 1; back <= ATTENTION_AXES && (int)back <= bias->ndim; back++) {
        unsigned axis = (unsigned)bias->ndim - back, of = ATTENTION_AXES - back;
        struct op_pair pair = {
            .relation = OP_DIM_SAME_OR_ONE,
            .first = scores[of],
            .first_name = arena_printf(&in->context->arena, "the number of %s", words[of]),
            .second = bias->dims[axis],
            .second_name = arena_printf(&in->context->arena, "dimension %u of `bias`", axis),
            .operand = "bias",
        };
        if (!op_check_pair(in, &pair))
            return false;
    }
    return true;
}

static bool check_attention(const struct infer *in)
{
    for (unsigned i = 0; i < 3; i++) {
        const struct ir_type *type = op_tensor(in, i);
        if (type == NULL)
            return false;
        if (type->ndim == ATTENTION_AXES || type->ndim == IR_NDIM_UNKNOWN)
            continue;
        const char *name = op_operand_name(in->op->info, i);
        diag_report(in->diag, op_argument_place(in, name), OP_RANK, in->op->info->name, name,
                    "rank 4: batches, rows, heads, sizes", op_shape_text(in, type));
        return false;
    }
    return check_same_axis(in, 0, 1, ATTENTION_BATCH) &&
           check_same_axis(in, 0, 2, ATTENTION_BATCH) &&
           check_same_axis(in, 1, 2, ATTENTION_ROWS) && check_same_axis(in, 0, 1, ATTENTION_SIZE) &&
           check_heads(in, 1) && check_heads(in, 2);
}

const struct ir_type *infer_attention(struct ir_module *module, struct diag *diag,
                                      const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);

    if (!check_attention(&in))
        return NULL;
    const struct ir_type *query = op_tensor(&in, 0), *value = op_tensor(&in, 2);
    bool has_bias = !op_is(op, OP_nn_attention_var_len) && op_has_operand(op, 3);
    const struct ir_type *bias = has_bias ? op_tensor(&in, 3) : NULL;
    if (bias != NULL && !check_bias(&in, query, op_tensor(&in, 1), bias))
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
