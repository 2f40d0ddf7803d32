/*
 * Convolutions and their transposes, over any number of axes and in any plain layout; channels of data and result
 * of a convolution may lie in blocks (NCHW16c).
 *
 * The data is copied into a padded buffer first, so that the sums run without conditions.  Sums are in
 * float32 for float16 and bfloat16 results, else in the dtype of the result.  The last axis of the result
 * goes innermost, behind the sums, so that memory is written in its order.
 */
#include "ops/lower/lower.h"
#include "ops/window.h"

enum { SPATIAL = 3 };

struct conv {
    struct kernel *k;
    const char *data_layout, *kernel_layout, *out_layout;
    unsigned count; /* spatial axes */
    const struct ir_buffer *data;
    const struct ir_buffer *weight;
    struct ir_buffer *sum;        /* what is summed up: the output, or a wider buffer */
    int64_t phases[SPATIAL];      /* strides by which elements of the result are told apart, or 0 */
    const struct ir_expr *groups; /* a literal */
    const struct ir_expr *in_channels, *out_channels; /* of the weight */
};

/* One product: indices of the result, the data and the weight, and of the sum that it belongs to. */
struct product {
    const struct ir_expr **out, **data, **weight, **window;
    const struct ir_expr *phase[SPATIAL], *item[SPATIAL]; /* out = item * stride + phase */
    const struct ir_expr *channel;
};

/* False after a report. */
static bool conv_begin(struct conv *c, struct kernel *k, struct ir_module *module,
                       struct diag *diag, struct ir_op *op)
{
    if (!kernel_begin(k, module, diag, op, 3u))
        return false;
    struct ir_buffer *out = k->outputs[0];

    *c = (struct conv){.k = k};
    c->data_layout = ir_op_attr(op, "data_layout")->string;
    c->kernel_layout = ir_op_attr(op, "kernel_layout")->string;
    c->count = window_spatial_count(c->kernel_layout);
    c->out_layout = window_layout(op, "out_layout", c->data_layout);
    c->groups = k_int(k, op_attr_int(op, "groups", 1));
    c->data = k->operands[0].buffer;
    c->weight = k->operands[1].buffer;
    c->in_channels = c->weight->shape[window_axis(c->kernel_layout, 'I')];
    c->out_channels = c->weight->shape[window_axis(c->kernel_layout, 'O')];
    c->sum = out;
    return true;
}

/* Sums are made in a buffer of extents @dims, where the output is not as wide. */
static void make_sum(struct conv *c, const struct ir_expr *const *dims)
{
    struct ir_buffer *out = c->sum;
    struct ir_dtype dtype = kernel_compute_dtype(out->dtype);
    bool is_same = ir_dtype_equal(dtype, out->dtype);

    for (unsigned d = 0; d < out->ndim; d++)
        is_same = is_same && ir_expr_equal(dims[d], out->shape[d]);
    if (!is_same)
        c->sum = kernel_alloc(c->k, "acc", dtype, dims, out->ndim);
}

static const struct ir_expr *floordiv(struct kernel *k, const struct ir_expr *a,
                                      const struct ir_expr *b)
{
    return ir_simplify(k->context, k_binary(k, IR_EXPR_floordiv, a, b));
}

/* @data with its padding; itself where there is none. */
static const struct ir_buffer *padded(struct conv *c)
{
    struct kernel *k = c->k;
    const struct ir_buffer *data = c->data;
    const struct ir_expr **dims = kernel_indices(k, data->ndim);
    const struct ir_expr **at = kernel_indices(k, data->ndim);
    const struct ir_expr *inside = NULL;
    bool is_padded = false;

    for (unsigned d = 0; d < data->ndim; d++)
        dims[d] = data->shape[d];
    for (unsigned i = 0; i < c->count; i++) {
        unsigned d = window_axis(c->data_layout, window_letter(i, c->count));
        int64_t both =
            window_padding(k->op, i, c->count, false) + window_padding(k->op, i, c->count, true);
        is_padded |= both != 0;
        dims[d] = ir_simplify(k->context, k_add(k, dims[d], k_int(k, both)));
    }
    if (!is_padded)
        return data;
    struct ir_buffer *to = kernel_alloc(k, "pad_temp", data->dtype, dims, data->ndim);
    struct nest nest = nest_begin(k, "T_pad");
    const struct ir_expr **axes = nest_axes_of(&nest, to);
    for (unsigned d = 0; d < data->ndim; d++)
        at[d] = axes[d];
    for (unsigned i = 0; i < c->count; i++) {
        unsigned d = window_axis(c->data_layout, window_letter(i, c->count));
        int64_t before = window_padding(k->op, i, c->count, false);
        at[d] = k_sub(k, axes[d], k_int(k, before));
        inside = k_inside(k, inside, at[d], data->shape[d]);
    }
    nest_store(&nest, to, axes,
               k_if(k, inside, kernel_load(k, 0, at), k_number(k, data->dtype, 0)));
    nest_end(&nest);
    return to;
}

/* The spatial axis that lies at @d in the result; or their number. */
static unsigned spatial_at(const struct conv *c, unsigned d)
{
    unsigned i = 0;

    while (i < c->count && window_axis(c->out_layout, window_letter(i, c->count)) != d)
        i++;
    return i;
}

/* The index of the result along @d. */
static const struct ir_expr *out_axis(struct conv *c, struct nest *nest, struct product *at,
                                      unsigned d)
{
    struct kernel *k = c->k;
    unsigned i = spatial_at(c, d);

    if (i == c->count || !c->phases[i])
        return nest_axis(nest, TIR_SPATIAL, c->sum->shape[d]);
    const struct ir_expr *stride = k_int(k, c->phases[i]);
    at->item[i] = nest_axis(nest, TIR_SPATIAL, floordiv(k, c->sum->shape[d], stride));
    return k_add(k, k_mul(k, at->item[i], stride), at->phase[i]);
}

/*
 * The axes of the result and, in front of its last one, those of the sums: over @channels and the
 * window.  What is not the same for all convolutions is left out of the indices.
 */
static struct product conv_axes(struct conv *c, struct nest *nest, const struct ir_expr *channels)
{
    struct kernel *k = c->k;
    unsigned ndim = c->sum->ndim;
    struct product at = {
        kernel_indices(k, ndim),
        kernel_indices(k, c->data->ndim),
        kernel_indices(k, c->weight->ndim),
        kernel_indices(k, c->count),
        {NULL},
        {NULL},
        NULL,
    };

    for (unsigned i = 0; i < c->count; i++)
        if (c->phases[i])
            at.phase[i] = nest_axis(nest, TIR_SPATIAL, k_int(k, c->phases[i]));
    for (unsigned d = 0; d + 1 < ndim; d++)
        at.out[d] = out_axis(c, nest, &at, d);
    at.channel = nest_axis(nest, TIR_REDUCE, channels);
    for (unsigned i = 0; i < c->count; i++) {
        unsigned d = window_axis(c->kernel_layout, window_letter(i, c->count));
        const struct ir_expr *extent = c->weight->shape[d];
        if (c->phases[i])
            extent =
                floordiv(k, k_add(k, extent, k_int(k, c->phases[i] - 1)), k_int(k, c->phases[i]));
        at.window[i] = nest_axis(nest, TIR_REDUCE, extent);
        at.weight[d] = at.window[i];
    }
    at.out[ndim - 1] = out_axis(c, nest, &at, ndim - 1);
    at.data[window_axis(c->data_layout, 'N')] = at.out[window_axis(c->out_layout, 'N')];
    return at;
}

/* The channel that indices @at of @layout mean. */
static const struct ir_expr *channel_at(struct conv *c, const char *layout,
                                        const struct ir_expr *const *at)
{
    const struct ir_expr *channel = at[window_axis(layout, 'C')];
    int64_t factor = window_factor(layout, 'C');

    return factor == 1 ? channel
                       : k_add(c->k, k_mul(c->k, channel, k_int(c->k, factor)),
                               at[window_axis(layout, 'c')]);
}

/* Sets the indices @at of @layout to mean @channel. */
static void set_channel(struct conv *c, const char *layout, const struct ir_expr **at,
                        const struct ir_expr *channel)
{
    const struct ir_expr *factor = k_int(c->k, window_factor(layout, 'C'));

    at[window_axis(layout, 'C')] = channel;
    if (ir_expr_is_int(factor, 1))
        return;
    at[window_axis(layout, 'C')] = floordiv(c->k, channel, factor);
    at[window_axis(layout, 'c')] =
        ir_simplify(c->k->context, k_binary(c->k, IR_EXPR_floormod, channel, factor));
}

static struct ir_value *conv_finish(struct conv *c, struct nest *nest,
                                    const struct ir_expr *const *out, const struct ir_expr *product)
{
    struct kernel *k = c->k;

    nest_init(nest, c->sum, out, k_number(k, c->sum->dtype, 0));
    nest_store(nest, c->sum, out, k_binary(k, IR_EXPR_add, nest_load(nest, c->sum, out), product));
    nest_end(nest);
    if (c->sum != k->outputs[0]) {
        struct nest cast = nest_begin(k, "T_cast");
        const struct ir_expr **axes = nest_axes_of(&cast, k->outputs[0]);
        nest_store(&cast, k->outputs[0], axes, nest_load(&cast, c->sum, axes));
        nest_end(&cast);
    }
    return kernel_finish(k);
}

static const struct ir_expr *load_as_sum(struct conv *c, struct nest *nest,
                                         const struct ir_buffer *buffer,
                                         const struct ir_expr *const *at)
{
    return k_cast(c->k, c->sum->dtype, nest_load(nest, buffer, at));
}

struct ir_value *lower_conv(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;
    struct conv c;

    if (!conv_begin(&c, &k, module, diag, op))
        return NULL;
    make_sum(&c, c.sum->shape);
    const struct ir_buffer *from = padded(&c);
    struct nest nest = nest_begin(&k, k.name);
    struct product at = conv_axes(&c, &nest, c.in_channels);
    const struct ir_expr *out_channel = channel_at(&c, c.out_layout, at.out);
    const struct ir_expr *group = floordiv(&k, out_channel, floordiv(&k, c.out_channels, c.groups));
    at.weight[window_axis(c.kernel_layout, 'O')] = out_channel;
    at.weight[window_axis(c.kernel_layout, 'I')] = at.channel;
    set_channel(&c, c.data_layout, at.data,
                ir_expr_is_int(c.groups, 1)
                    ? at.channel
                    : k_add(&k, k_mul(&k, group, c.in_channels), at.channel));
    for (unsigned i = 0; i < c.count; i++) {
        char letter = window_letter(i, c.count);
        const struct ir_expr *stride = k_int(&k, window_item(op, "strides", i, 1));
        const struct ir_expr *dilation = k_int(&k, window_item(op, "dilation", i, 1));
        at.data[window_axis(c.data_layout, letter)] =
            k_add(&k, k_mul(&k, at.out[window_axis(c.out_layout, letter)], stride),
                  k_mul(&k, at.window[i], dilation));
    }
    return conv_finish(&c, &nest, at.out,
                       k_binary(&k, IR_EXPR_mul, load_as_sum(&c, &nest, from, at.data),
                                load_as_sum(&c, &nest, c.weight, at.weight)));
}

/*
 * Elements of the result that lie @stride apart meet the same part of the window.  Where they come in such
 * groups, the phases, each phase is a convolution without stride.
 */
static void choose_phases(struct conv *c)
{
    struct kernel *k = c->k;
    const struct ir_expr **dims = kernel_indices(k, c->sum->ndim);

    for (unsigned d = 0; d < c->sum->ndim; d++) {
        unsigned i = spatial_at(c, d);
        int64_t stride = i < c->count ? window_item(k->op, "strides", i, 1) : 1, extent;

        dims[d] = c->sum->shape[d];
        if (stride == 1 || window_item(k->op, "dilation", i, 1) != 1 ||
            dims[d]->kind != IR_EXPR_int)
            continue;
        c->phases[i] = stride;
        extent = dims[d]->int_value;
        if (extent % stride != 0) /* what is above is summed in vain, and left out of the result */
            dims[d] = k_int(k, extent + stride - extent % stride);
    }
    make_sum(c, dims);
}

/* What the product of spatial axis @i reads, and where it reads nothing. */
struct reach {
    const struct ir_expr *data, *weight;
    const struct ir_expr *has_data, *has_weight; /* NULL: always */
};

static struct reach reach_of(struct conv *c, const struct product *at, unsigned i)
{
    struct kernel *k = c->k;
    char letter = window_letter(i, c->count);
    const struct ir_expr *stride = k_int(k, window_item(k->op, "strides", i, 1));
    const struct ir_expr *dilation = k_int(k, window_item(k->op, "dilation", i, 1));
    const struct ir_expr *before = k_int(k, window_padding(k->op, i, c->count, false));
    const struct ir_expr *size = c->weight->shape[window_axis(c->kernel_layout, letter)];
    struct reach r = {.weight = at->window[i]};

    if (c->phases[i]) {
        const struct ir_expr *from = k_add(k, at->phase[i], before);
        r.weight = k_add(k, k_mul(k, at->window[i], stride),
                         ir_simplify(k->context, k_binary(k, IR_EXPR_floormod, from, stride)));
        r.data = k_add(k, k_sub(k, at->item[i], at->window[i]), floordiv(k, from, stride));
        if (size->kind != IR_EXPR_int || size->int_value % c->phases[i] != 0)
            r.has_weight = k_binary(k, IR_EXPR_lt, r.weight, size);
        return r;
    }
    r.data = k_sub(k, k_add(k, at->out[window_axis(c->out_layout, letter)], before),
                   k_mul(k, at->window[i], dilation));
    if (!ir_expr_is_int(stride, 1)) {
        const struct ir_expr *rest = k_binary(k, IR_EXPR_floormod, r.data, stride);
        r.has_data = k_binary(k, IR_EXPR_eq, rest, k_int(k, 0));
        r.data = k_binary(k, IR_EXPR_floordiv, r.data, stride);
    }
    return r;
}

/*
 * What a convolution's input would get: element i of the data reaches
 * i * stride - padding + w * dilation of the result.  Seen from the result, i is a quotient, and only
 * where it leaves no remainder.  Around the data are zeros.
 */
struct ir_value *lower_conv_transpose(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;
    struct conv c;

    if (!conv_begin(&c, &k, module, diag, op))
        return NULL;
    choose_phases(&c);
    struct nest nest = nest_begin(&k, k.name);
    const struct ir_expr *in_per_group = floordiv(&k, c.in_channels, c.groups);
    const struct ir_expr *has_data = NULL, *has_weight = NULL;
    struct product at = conv_axes(&c, &nest, in_per_group);
    const struct ir_expr *channel = at.channel;
    const struct ir_expr *out_channel = at.out[window_axis(c.out_layout, 'C')];
    if (!ir_expr_is_int(c.groups, 1)) {
        const struct ir_expr *group = k_binary(&k, IR_EXPR_floordiv, out_channel, c.out_channels);
        channel = k_add(&k, k_mul(&k, group, in_per_group), channel);
        out_channel = k_binary(&k, IR_EXPR_floormod, out_channel, c.out_channels);
    }
    at.weight[window_axis(c.kernel_layout, 'O')] = out_channel;
    at.weight[window_axis(c.kernel_layout, 'I')] = channel;
    at.data[window_axis(c.data_layout, 'C')] = channel;
    for (unsigned i = 0; i < c.count; i++) {
        char letter = window_letter(i, c.count);
        unsigned d = window_axis(c.data_layout, letter);
        struct reach reach = reach_of(&c, &at, i);
        at.data[d] = reach.data;
        at.weight[window_axis(c.kernel_layout, letter)] = reach.weight;
        /* Neither is read where there is no weight: what stands in the data is not multiplied. */
        if (reach.has_weight) {
            has_weight = k_and(&k, has_weight, reach.has_weight);
            has_data = k_and(&k, has_data, reach.has_weight);
        }
        if (reach.has_data)
            has_data = k_and(&k, has_data, reach.has_data);
        has_data = k_inside(&k, has_data, at.data[d], c.data->shape[d]);
    }
    const struct ir_expr *zero = k_number(&k, c.sum->dtype, 0);
    const struct ir_expr *data = load_as_sum(&c, &nest, c.data, at.data);
    const struct ir_expr *weight = load_as_sum(&c, &nest, c.weight, at.weight);
    if (has_weight)
        weight = k_if(&k, has_weight, weight, zero);
    return conv_finish(&c, &nest, at.out,
                       k_binary(&k, IR_EXPR_mul, k_if(&k, has_data, data, zero), weight));
}
