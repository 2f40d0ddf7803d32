/*
 * batch_norm, group_norm, instance_norm: (x - mean) / sqrt(variance + epsilon) * gamma + beta, with a gamma
 * and a beta for each channel; what the mean is taken over is what tells them apart.
 *
 * float16 and bfloat16 are computed in float32.  The variance is taken in a second sweep, from the mean.
 */
#include "ops/lower/lower.h"

#include <string.h>

struct channels {
    struct kernel *k;
    unsigned ndim, axis;          /* of the data; its channels */
    const bool *summed;           /* by axis; of a group's channels: not the flag, but `groups` */
    const struct ir_expr *groups; /* how many, or NULL: each channel for itself */
    const struct ir_expr *per_group;
    struct ir_dtype dtype;
    const struct ir_expr *const *kept_dims; /* of the means */
    unsigned kept;
};

static const struct ir_expr *dim(const struct channels *c, unsigned d)
{
    return c->k->outputs[0]->shape[d];
}

static void channels_begin(struct channels *c, struct kernel *k, int64_t axis, bool *summed,
                           const struct ir_expr *groups)
{
    *c = (struct channels){.k = k, .ndim = k->outputs[0]->ndim, .summed = summed, .groups = groups};
    c->axis = op_axis(axis, c->ndim);
    c->dtype = kernel_compute_dtype(k->outputs[0]->dtype);
    summed[c->axis] = false;
    if (groups != NULL)
        c->per_group =
            ir_simplify(k->context, k_binary(k, IR_EXPR_floordiv, dim(c, c->axis), groups));
    const struct ir_expr **dims = kernel_indices(k, c->ndim);
    for (unsigned d = 0; d < c->ndim; d++)
        if (!summed[d])
            dims[c->kept++] = d == c->axis && groups != NULL ? groups : dim(c, d);
    c->kept_dims = dims;
}

/* Where the mean of the element at @all stands. */
static const struct ir_expr **kept_of(const struct channels *c, const struct ir_expr *const *all)
{
    const struct ir_expr **kept = kernel_indices(c->k, c->ndim);
    unsigned count = 0;

    for (unsigned d = 0; d < c->ndim; d++)
        if (!c->summed[d])
            kept[count++] = d == c->axis && c->groups != NULL
                                ? k_binary(c->k, IR_EXPR_floordiv, all[d], c->per_group)
                                : all[d];
    return kept;
}

static const struct ir_expr *element(const struct channels *c, const struct ir_expr *const *all)
{
    return k_cast(c->k, c->dtype, kernel_load(c->k, 0, all));
}

/* The mean of x (@mean NULL), or of (x - mean)^2, in a new buffer. */
static struct ir_buffer *average(struct channels *c, const char *name, const struct ir_buffer *mean)
{
    struct kernel *k = c->k;
    struct ir_buffer *sum = kernel_alloc(k, arena_printf(&k->context->arena, "%s_sum", name),
                                         c->dtype, c->kept_dims, c->kept);
    struct ir_buffer *to = kernel_alloc(k, name, c->dtype, c->kept_dims, c->kept);
    struct nest nest = nest_begin(k, sum->name);
    const struct ir_expr **all = kernel_indices(k, c->ndim), **kept = kernel_indices(k, c->ndim);
    const struct ir_expr *count = k_int(k, 1);
    bool is_last_kept = c->kept > 0 && !c->summed[c->ndim - 1] && c->groups == NULL;

    for (unsigned d = 0, i = 0; d < c->ndim; d++)
        if (!c->summed[d]) {
            if (!(is_last_kept && d == c->ndim - 1))
                kept[i] = all[d] = nest_axis(&nest, TIR_SPATIAL, c->kept_dims[i]);
            i++;
        }
    for (unsigned d = 0; d < c->ndim; d++) {
        if (c->summed[d]) {
            all[d] = nest_axis(&nest, TIR_REDUCE, dim(c, d));
            count = k_mul(k, count, dim(c, d));
        } else if (d == c->axis && c->groups != NULL) {
            const struct ir_expr *inner = nest_axis(&nest, TIR_REDUCE, c->per_group);
            all[d] = k_add(k, k_mul(k, all[d], c->per_group), inner);
            count = k_mul(k, count, c->per_group);
        }
    }
    if (is_last_kept)
        kept[c->kept - 1] = all[c->ndim - 1] =
            nest_axis(&nest, TIR_SPATIAL, c->kept_dims[c->kept - 1]);
    const struct ir_expr *term = element(c, all);
    if (mean != NULL) {
        term = k_binary(k, IR_EXPR_sub, term, nest_load(&nest, mean, kept));
        term = k_binary(k, IR_EXPR_mul, term, term);
    }
    nest_init(&nest, sum, kept, k_number(k, c->dtype, 0));
    nest_store(&nest, sum, kept, k_binary(k, IR_EXPR_add, nest_load(&nest, sum, kept), term));
    nest_end(&nest);
    nest = nest_begin(k, to->name);
    const struct ir_expr **axes = nest_axes_of(&nest, to);
    nest_store(&nest, to, axes, k_share(k, nest_load(&nest, sum, axes), count));
    nest_end(&nest);
    return to;
}

static const struct ir_expr *parameter(const struct channels *c, unsigned i,
                                       const struct ir_expr *const *all)
{
    return k_cast(c->k, c->dtype, kernel_load(c->k, i, &all[c->axis]));
}

/* The normalised elements; @mean and @variance NULL: operands 3 and 4. */
static void normalize(struct channels *c, const struct ir_buffer *mean,
                      const struct ir_buffer *variance)
{
    struct kernel *k = c->k;
    struct nest nest = nest_begin(k, k->name);
    const struct ir_expr **all = nest_axes_of(&nest, k->outputs[0]), **kept = kept_of(c, all);
    const struct ir_expr *epsilon = k_number(k, c->dtype, op_attr_float(k->op, "epsilon"));
    const struct ir_expr *centre = mean ? nest_load(&nest, mean, kept) : parameter(c, 3, all);
    const struct ir_expr *spread =
        variance ? nest_load(&nest, variance, kept) : parameter(c, 4, all);
    const struct ir_expr *x = k_binary(k, IR_EXPR_sub, element(c, all), centre);

    x = k_binary(k, IR_EXPR_div, x, k_call(k, "sqrt", k_binary(k, IR_EXPR_add, spread, epsilon)));
    if (ir_op_attr(k->op, "scale")->boolean)
        x = k_binary(k, IR_EXPR_mul, x, parameter(c, 1, all));
    if (ir_op_attr(k->op, "center")->boolean)
        x = k_binary(k, IR_EXPR_add, x, parameter(c, 2, all));
    nest_store(&nest, k->outputs[0], all, x);
    nest_end(&nest);
}

static bool *flags_of(struct kernel *k)
{
    const struct ir_attr *axes = ir_op_attr(k->op, "axes");
    unsigned ndim = k->outputs[0]->ndim;
    bool *flags = arena_array(&k->module->arena, bool, ndim + 1);

    for (unsigned i = 0; i < axes->count; i++)
        flags[op_axis(axes->items[i]->integer, ndim)] = true;
    return flags;
}

static struct ir_value *lower_norm(struct ir_module *module, struct diag *diag, struct ir_op *op,
                                   bool has_groups)
{
    struct kernel k;
    struct channels c;

    if (!kernel_begin(&k, module, diag, op, 7u))
        return NULL;
    channels_begin(&c, &k, op_attr_int(op, "channel_axis", 0), flags_of(&k),
                   has_groups ? k_int(&k, op_attr_int(op, "num_groups", 1)) : NULL);
    const struct ir_buffer *mean = average(&c, "mean", NULL);
    normalize(&c, mean, average(&c, "variance", mean));
    return kernel_finish(&k);
}

struct ir_value *lower_group_norm(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    return lower_norm(module, diag, op, true);
}

struct ir_value *lower_instance_norm(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    return lower_norm(module, diag, op, false);
}

/* The moving number of operand @operand: itself, or moved towards that of the batch. */
static void move_average(struct channels *c, unsigned operand, const struct ir_buffer *batch)
{
    struct kernel *k = c->k;
    struct ir_buffer *out = k->outputs[operand - 2];
    struct nest nest = nest_begin(k, operand == 3 ? "T_moving_mean" : "T_moving_var");
    const struct ir_expr **axes = nest_axes_of(&nest, out);
    const struct ir_expr *value = k_cast(k, c->dtype, kernel_load(k, operand, axes));
    double momentum = op_attr_float(k->op, "momentum");

    if (batch != NULL) {
        value = k_binary(k, IR_EXPR_mul, k_number(k, c->dtype, 1 - momentum), value);
        value = k_binary(k, IR_EXPR_add, value,
                         k_binary(k, IR_EXPR_mul, k_number(k, c->dtype, momentum),
                                  nest_load(&nest, batch, axes)));
    }
    nest_store(&nest, out, axes, value);
    nest_end(&nest);
}

struct ir_value *lower_batch_norm(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;
    struct channels c;
    const struct ir_buffer *mean = NULL, *variance = NULL;

    if (!kernel_begin(&k, module, diag, op, 31u))
        return NULL;
    bool *summed = arena_array(&module->arena, bool, k.outputs[0]->ndim + 1);
    memset(summed, true, k.outputs[0]->ndim);
    channels_begin(&c, &k, op_attr_int(op, "axis", 1), summed, NULL);
    if (ir_op_attr(op, "training")->boolean) {
        mean = average(&c, "mean", NULL);
        variance = average(&c, "variance", mean);
    }
    normalize(&c, mean, variance);
    move_average(&c, 3, mean);
    move_average(&c, 4, variance);
    return kernel_finish(&k);
}
