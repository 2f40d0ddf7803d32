/* Composite operators in terms of simpler ones; see decompose.h. */
#include "ir/arith.h"
#include "ir/edit/make.h"
#include "ops/ids.h"
#include "passes/graph/decompose.h"

#include <math.h>
#include <string.h>

/* ---- helpers ---- */

static struct ir_value *operand(const struct ir_op *op, unsigned i)
{
    return op->operands[i].value;
}

static bool is_missing(const struct ir_value *value)
{
    return value->def && ir_op_is(value->def, IR_CORE_null_value);
}

/* The type of operand 0: a tensor of floats and known rank, or NULL. */
static const struct ir_type *data_type(const struct ir_op *op)
{
    const struct ir_type *type = operand(op, 0)->type;

    return type->kind == IR_TYPE_TENSOR && type->ndim > 0 && ir_dtype_is_float(type->dtype) ? type
                                                                                            : NULL;
}

/* Attribute @name, an axis of @type, from the front; -1 if there is no such axis. */
static int64_t axis_of(const struct ir_op *op, const char *name, const struct ir_type *type)
{
    int64_t axis = ir_op_attr(op, name)->integer;

    axis = axis < 0 ? axis + type->ndim : axis;
    return axis >= 0 && axis < type->ndim ? axis : -1;
}

static const struct ir_attr *ints(struct ir_builder *b, const int64_t *values, unsigned count)
{
    return ir_attr_ints(b->module->context, values, count);
}

/* All axes of a tensor of rank @ndim but @axis. */
static const struct ir_attr *other_axes(struct ir_builder *b, int ndim, int64_t axis)
{
    int64_t *axes = arena_array(&b->module->arena, int64_t, (unsigned)ndim);
    unsigned count = 0;

    for (int i = 0; i < ndim; i++)
        if (i != axis)
            axes[count++] = i;
    return ints(b, axes, count);
}

/* The vector @value along @axis of a tensor of rank @ndim. */
static struct ir_value *along(struct ir_builder *b, struct ir_value *value, int ndim, int64_t axis)
{
    if (!value || ndim == 1)
        return value;
    return MAKE_WITH(b, OP_expand_dims, ((struct make_attr){"axis", other_axes(b, ndim, axis)}),
                     value);
}

/* (data - mean) / sqrt(variance + epsilon), where mean and variance fit data. */
static struct ir_value *standardize(struct ir_builder *b, const struct ir_op *op,
                                    struct ir_value *data, struct ir_value *mean,
                                    struct ir_value *variance)
{
    struct ir_dtype dtype = operand(op, 0)->type->dtype;
    double epsilon = ir_op_attr(op, "epsilon")->real;
    struct ir_value *distance = MAKE(b, OP_subtract, data, mean);
    struct ir_value *sum = MAKE(b, OP_add, variance, make_number(b, dtype, epsilon));
    struct ir_value *deviation = MAKE(b, OP_sqrt, sum);

    return MAKE(b, OP_divide, distance, deviation);
}

/* value * gamma + beta, as far as attributes say so; @axis < 0: gamma and beta fit as they are. */
static struct ir_value *scale_and_shift(struct ir_builder *b, const struct ir_op *op,
                                        struct ir_value *value, int64_t axis)
{
    int ndim = operand(op, 0)->type->ndim;
    struct ir_value *gamma = operand(op, 1), *beta = operand(op, 2);

    if (ir_op_attr(op, "scale")->boolean) {
        gamma = axis < 0 ? gamma : along(b, gamma, ndim, axis);
        value = MAKE(b, OP_multiply, value, gamma);
    }
    if (ir_op_attr(op, "center")->boolean) {
        beta = axis < 0 ? beta : along(b, beta, ndim, axis);
        value = MAKE(b, OP_add, value, beta);
    }
    return value;
}

/* OP_mean or OP_variance of @data over @axes. */
static struct ir_value *moment(struct ir_builder *b, enum op_id id, struct ir_value *data,
                               const struct ir_attr *axes, bool keepdims)
{
    struct make_attr attrs[] = {{"axis", axes},
                                {"keepdims", ir_attr_bool(b->module->context, keepdims)}};

    return make_op(b, id, &data, 1, attrs, ARRAY_SIZE(attrs));
}

/* ---- normalisations ---- */

static struct ir_value *batch_norm(struct ir_builder *b, const struct ir_op *op, int64_t axis,
                                   struct ir_value *mean, struct ir_value *variance)
{
    int ndim = operand(op, 0)->type->ndim;

    mean = along(b, mean, ndim, axis);
    variance = along(b, variance, ndim, axis);
    return scale_and_shift(b, op, standardize(b, op, operand(op, 0), mean, variance), axis);
}

struct ir_value *decompose_batch_norm(struct ir_builder *b, const struct ir_op *op,
                                      struct ir_value **out_fields)
{
    const struct ir_type *type = data_type(op);
    int64_t axis = type ? axis_of(op, "axis", type) : -1;

    if (axis < 0)
        return NULL;
    out_fields[0] = batch_norm(b, op, axis, operand(op, 3), operand(op, 4));
    out_fields[1] = operand(op, 3);
    out_fields[2] = operand(op, 4);
    return out_fields[0];
}

/* (1 - momentum) * moving + momentum * batch */
static struct ir_value *update(struct ir_builder *b, const struct ir_op *op,
                               struct ir_value *moving, struct ir_value *batch)
{
    struct ir_dtype dtype = operand(op, 0)->type->dtype;
    double momentum = ir_op_attr(op, "momentum")->real;
    struct ir_value *old = MAKE(b, OP_multiply, moving, make_number(b, dtype, 1 - momentum));
    struct ir_value *new = MAKE(b, OP_multiply, batch, make_number(b, dtype, momentum));

    return MAKE(b, OP_add, old, new);
}

struct ir_value *decompose_batch_norm_training(struct ir_builder *b, const struct ir_op *op,
                                               struct ir_value **out_fields)
{
    const struct ir_type *type = data_type(op);
    int64_t axis = type ? axis_of(op, "axis", type) : -1;

    if (axis < 0)
        return NULL;
    const struct ir_attr *axes = other_axes(b, type->ndim, axis);
    struct ir_value *mean = moment(b, OP_mean, operand(op, 0), axes, false);
    struct ir_value *variance = moment(b, OP_variance, operand(op, 0), axes, false);

    out_fields[0] = batch_norm(b, op, axis, mean, variance);
    out_fields[1] = update(b, op, operand(op, 3), mean);
    out_fields[2] = update(b, op, operand(op, 4), variance);
    return out_fields[0];
}

struct ir_value *decompose_layer_norm(struct ir_builder *b, const struct ir_op *op,
                                      struct ir_value **out_fields)
{
    const struct ir_attr *axes = ir_op_attr(op, "axes");

    if (!data_type(op))
        return NULL;
    struct ir_value *mean = moment(b, OP_mean, operand(op, 0), axes, true);
    struct ir_value *variance = moment(b, OP_variance, operand(op, 0), axes, true);

    return scale_and_shift(b, op, standardize(b, op, operand(op, 0), mean, variance), -1);
}

struct ir_value *decompose_instance_norm(struct ir_builder *b, const struct ir_op *op,
                                         struct ir_value **out_fields)
{
    const struct ir_type *type = data_type(op);
    const struct ir_attr *axes = ir_op_attr(op, "axes");
    int64_t channel = type ? axis_of(op, "channel_axis", type) : -1;

    if (channel < 0)
        return NULL;
    struct ir_value *mean = moment(b, OP_mean, operand(op, 0), axes, true);
    struct ir_value *variance = moment(b, OP_variance, operand(op, 0), axes, true);

    return scale_and_shift(b, op, standardize(b, op, operand(op, 0), mean, variance), channel);
}

/* The channels, [c], become [groups, c / groups]; mean and variance are those of a group. */
struct ir_value *decompose_group_norm(struct ir_builder *b, const struct ir_op *op,
                                      struct ir_value **out_fields)
{
    struct ir_context *context = b->module->context;
    const struct ir_type *type = data_type(op);
    const struct ir_attr *axes = ir_op_attr(op, "axes");
    int64_t groups = ir_op_attr(op, "num_groups")->integer, channels;
    int64_t channel = type ? axis_of(op, "channel_axis", type) : -1;

    if (channel < 0 || !type->dims || groups < 1 ||
        !ir_expr_constant(context, type->dims[channel], &channels) || channels % groups != 0)
        return NULL;
    unsigned ndim = (unsigned)type->ndim, count = 0;
    const struct ir_expr **dims = arena_array(&b->module->arena, const struct ir_expr *, ndim + 1);
    int64_t *reduced = arena_array(&b->module->arena, int64_t, axes->count + 1);
    for (unsigned i = 0; i < ndim; i++) {
        if (ir_expr_is_int(type->dims[i], 0))
            return NULL; /* 0 means something else to reshape */
        if (i == channel) {
            dims[count++] = ir_expr_int(context, IR_I64, groups);
            dims[count++] = ir_expr_int(context, IR_I64, channels / groups);
        } else {
            dims[count++] = type->dims[i];
        }
    }
    reduced[0] = channel + 1;
    for (unsigned i = 0; i < axes->count; i++) {
        int64_t axis = axes->items[i]->integer;

        axis = axis < 0 ? axis + ndim : axis;
        if (axis == channel)
            return NULL;
        reduced[i + 1] = axis < channel ? axis : axis + 1;
    }
    const struct ir_attr *over = ints(b, reduced, axes->count + 1);
    struct ir_value *data = MAKE(b, OP_reshape, operand(op, 0), make_shape(b, dims, count));
    struct ir_value *mean = data ? moment(b, OP_mean, data, over, true) : NULL;
    struct ir_value *variance = data ? moment(b, OP_variance, data, over, true) : NULL;
    struct ir_value *value = standardize(b, op, data, mean, variance);

    value = MAKE(b, OP_reshape, value, make_shape(b, type->dims, ndim));
    return scale_and_shift(b, op, value, channel);
}

/* ---- others ---- */

struct ir_value *decompose_dropout(struct ir_builder *b, const struct ir_op *op,
                                   struct ir_value **out_fields)
{
    out_fields[0] = operand(op, 0);
    out_fields[1] = MAKE(b, OP_ones_like, operand(op, 0));
    return out_fields[1];
}

struct ir_value *decompose_linear(struct ir_builder *b, const struct ir_op *op,
                                  struct ir_value **out_fields)
{
    struct ir_value *weight = operand(op, 1), *bias = operand(op, 2);
    const struct ir_attr *dtype = ir_op_attr(op, "out_dtype");

    if (weight->type->kind != IR_TYPE_TENSOR || weight->type->ndim != 2)
        return NULL;
    struct ir_value *transposed = MAKE(b, OP_permute_dims, weight);
    struct ir_value *product = MAKE_WITH(b, OP_matmul, ((struct make_attr){"out_dtype", dtype}),
                                         operand(op, 0), transposed);

    return is_missing(bias) ? product : MAKE(b, OP_add, product, bias);
}

static struct ir_value *permute(struct ir_builder *b, struct ir_value *value, const int64_t *axes)
{
    return MAKE_WITH(b, OP_permute_dims, ((struct make_attr){"axes", ints(b, axes, 4)}), value);
}

/* @scores where a query may see a key, else -inf: query i sees keys up to i, or to i + keys - queries. */
static struct ir_value *mask_scores(struct ir_builder *b, const struct ir_op *op,
                                    struct ir_value *scores)
{
    struct ir_context *context = b->module->context;
    const struct ir_attr *mask = ir_op_attr(op, "causal_mask");
    const struct ir_expr *queries = operand(op, 0)->type->dims[1];
    const struct ir_expr *keys = operand(op, 1)->type->dims[1], *dims[] = {queries, keys};
    const struct ir_expr *last = ir_expr_int(context, IR_I64, 0);

    if (mask->kind != IR_ATTR_STRING)
        return scores;
    if (strcmp(mask->string, "BottomRight") == 0)
        last = ir_simplify(context, ir_expr_binary(context, IR_EXPR_sub, keys, queries));
    else if (strcmp(mask->string, "TopLeft") != 0)
        return NULL;
    struct make_attr f32 = {"dtype", ir_attr_dtype(context, IR_F32)};
    struct make_attr b1 = {"dtype", ir_attr_dtype(context, IR_B1)};
    struct ir_value *ones = MAKE_WITH(b, OP_ones, f32, make_shape(b, dims, 2));
    struct ir_value *triangle = MAKE(b, OP_tril, ones, ir_inline_prim(b->module, last));
    struct ir_value *is_seen = MAKE_WITH(b, OP_astype, b1, triangle);
    struct ir_value *never = make_number(b, operand(op, 0)->type->dtype, -INFINITY);

    return MAKE(b, OP_where, is_seen, scores, never);
}

/* softmax(q @ k.T * scale + bias) @ v, for each head. */
struct ir_value *decompose_attention(struct ir_builder *b, const struct ir_op *op,
                                     struct ir_value **out_fields)
{
    static const int64_t heads_first[] = {0, 2, 1, 3}, keys_transposed[] = {0, 2, 3, 1};
    struct ir_context *context = b->module->context;
    const struct ir_attr *scale = ir_op_attr(op, "scale");
    struct ir_value *bias = operand(op, 3);
    int64_t width;

    for (unsigned i = 0; i < 3; i++) {
        const struct ir_type *type = operand(op, i)->type;

        if (type->kind != IR_TYPE_TENSOR || type->ndim != 4 || !type->dims ||
            !ir_prove_equal(context, type->dims[2], operand(op, 0)->type->dims[2]))
            return NULL;
    }
    if (!data_type(op) || ir_op_attr(op, "window_size")->kind != IR_ATTR_NONE ||
        (!is_missing(bias) && bias->type->ndim != 4) ||
        (scale->kind != IR_ATTR_FLOAT &&
         !ir_expr_constant(context, operand(op, 0)->type->dims[3], &width)))
        return NULL;
    struct ir_dtype dtype = operand(op, 0)->type->dtype;
    struct ir_value *query = permute(b, operand(op, 0), heads_first);
    struct ir_value *keys = permute(b, operand(op, 1), keys_transposed);
    struct ir_value *scores = MAKE(b, OP_matmul, query, keys);

    if (scale->kind == IR_ATTR_FLOAT)
        scores = MAKE(b, OP_multiply, scores, make_number(b, dtype, scale->real));
    else
        scores = MAKE(b, OP_divide, scores, make_number(b, dtype, sqrt((double)width)));
    if (!is_missing(bias))
        scores = MAKE(b, OP_add, scores, bias);
    scores = scores ? mask_scores(b, op, scores) : NULL;
    struct ir_value *weights = MAKE(b, OP_nn_softmax, scores);
    struct ir_value *values = permute(b, operand(op, 2), heads_first);
    struct ir_value *product = MAKE(b, OP_matmul, weights, values);
    return product ? permute(b, product, heads_first) : NULL;
}
