/*
 * Convolutions and their transposes, over any number of axes and in any plain layout.
 *
 * The data is copied into a padded buffer first, so that the sums run without conditions.  Sums are in
 * float32 for float16 and bfloat16 results, else in the dtype of the result.  The last axis of the result
 * goes innermost, behind the sums, so that memory is written in its order.
 */
#include "ops/lower/lower.h"
#include "ops/window.h"

struct conv {
    struct kernel *k;
    const char *data_layout, *kernel_layout, *out_layout;
    unsigned count; /* spatial axes */
    const struct ir_buffer *data;
    const struct ir_buffer *weight;
    struct ir_buffer *sum;        /* what is summed up: the output, or a wider buffer */
    const struct ir_expr *groups; /* a literal */
};

static bool conv_begin(struct conv *c, struct kernel *k)
{
    struct ir_op *op = k->op;
    struct ir_buffer *out = k->outputs[0];
    struct ir_dtype dtype = kernel_compute_dtype(out->dtype);
    char name[32];

    *c = (struct conv){.k = k, .count = out->ndim - 2};
    c->data_layout = ir_op_attr(op, "data_layout")->string;
    c->kernel_layout = ir_op_attr(op, "kernel_layout")->string;
    c->out_layout = window_layout(op, "out_layout", c->data_layout);
    c->groups = k_int(k, op_attr_int(op, "groups", 1));
    if (ir_dtype_is_bool(dtype)) {
        diag_report(k->diag, op->loc, LOWER_DTYPE, op->info->name, ir_dtype_name(dtype, name));
        return false;
    }
    c->data = k->operands[0].buffer;
    c->weight = k->operands[1].buffer;
    c->sum = ir_dtype_equal(dtype, out->dtype)
                 ? out
                 : kernel_alloc(k, "acc", dtype, out->shape, out->ndim);
    return true;
}

static const struct ir_expr *floordiv(struct kernel *k, const struct ir_expr *a,
                                      const struct ir_expr *b)
{
    return ir_simplify(k->context, k_binary(k, IR_EXPR_floordiv, a, b));
}

static void check_channels(struct conv *c, const struct ir_expr *of_weight)
{
    kernel_require_equal(c->k, c->data->shape[window_axis(c->data_layout, 'C')], of_weight,
                         "the channels of `data` are not those of `weight`");
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

/* The axes of the result, the last one not yet made; of the sums, by letter of the weight. */
static void conv_axes(struct conv *c, struct nest *nest, const struct ir_expr **out,
                      const struct ir_expr *channels, const struct ir_expr **window,
                      const struct ir_expr **channel)
{
    unsigned ndim = c->sum->ndim;

    for (unsigned d = 0; d + 1 < ndim; d++)
        out[d] = nest_axis(nest, TIR_SPATIAL, c->sum->shape[d]);
    *channel = nest_axis(nest, TIR_REDUCE, channels);
    for (unsigned i = 0; i < c->count; i++)
        window[i] =
            nest_axis(nest, TIR_REDUCE,
                      c->weight->shape[window_axis(c->kernel_layout, window_letter(i, c->count))]);
    out[ndim - 1] = nest_axis(nest, TIR_SPATIAL, c->sum->shape[ndim - 1]);
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

static const struct ir_expr *conv_product(struct conv *c, struct nest *nest,
                                          const struct ir_expr *element,
                                          const struct ir_expr *const *weight)
{
    struct kernel *k = c->k;

    return k_binary(k, IR_EXPR_mul, k_cast(k, c->sum->dtype, element),
                    k_cast(k, c->sum->dtype, nest_load(nest, c->weight, weight)));
}

struct ir_value *lower_conv(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;
    struct conv c;

    if (!kernel_begin(&k, module, diag, op, 3u))
        return NULL;
    if (!conv_begin(&c, &k))
        return kernel_abandon(&k);
    const struct ir_expr *in_channels = c.weight->shape[window_axis(c.kernel_layout, 'I')];
    const struct ir_expr *out_channels = c.weight->shape[window_axis(c.kernel_layout, 'O')];
    check_channels(&c, k_mul(&k, in_channels, c.groups));
    const struct ir_buffer *from = padded(&c);
    struct nest nest = nest_begin(&k, k.name);
    const struct ir_expr **out = kernel_indices(&k, c.sum->ndim);
    const struct ir_expr **window = kernel_indices(&k, c.count);
    const struct ir_expr **data = kernel_indices(&k, from->ndim);
    const struct ir_expr **weight = kernel_indices(&k, c.weight->ndim);
    const struct ir_expr *channel;

    conv_axes(&c, &nest, out, in_channels, window, &channel);
    const struct ir_expr *out_channel = out[window_axis(c.out_layout, 'C')];
    const struct ir_expr *group = floordiv(&k, out_channel, floordiv(&k, out_channels, c.groups));
    weight[window_axis(c.kernel_layout, 'O')] = out_channel;
    weight[window_axis(c.kernel_layout, 'I')] = channel;
    data[window_axis(c.data_layout, 'N')] = out[window_axis(c.out_layout, 'N')];
    data[window_axis(c.data_layout, 'C')] =
        ir_expr_is_int(c.groups, 1) ? channel : k_add(&k, k_mul(&k, group, in_channels), channel);
    for (unsigned i = 0; i < c.count; i++) {
        char letter = window_letter(i, c.count);
        const struct ir_expr *stride = k_int(&k, window_item(op, "strides", i, 1));
        const struct ir_expr *dilation = k_int(&k, window_item(op, "dilation", i, 1));
        weight[window_axis(c.kernel_layout, letter)] = window[i];
        data[window_axis(c.data_layout, letter)] =
            k_add(&k, k_mul(&k, out[window_axis(c.out_layout, letter)], stride),
                  k_mul(&k, window[i], dilation));
    }
    return conv_finish(&c, &nest, out,
                       conv_product(&c, &nest, nest_load(&nest, from, data), weight));
}

/*
 * What a convolution's input would get: element i of the data reaches i * stride - padding + w * dilation
 * of the result.  Seen from the result, i is a quotient, and only where it leaves no remainder.
 */
struct ir_value *lower_conv_transpose(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;
    struct conv c;

    if (!kernel_begin(&k, module, diag, op, 3u))
        return NULL;
    if (!conv_begin(&c, &k))
        return kernel_abandon(&k);
    const struct ir_expr *in_channels = c.weight->shape[window_axis(c.kernel_layout, 'I')];
    const struct ir_expr *out_channels = c.weight->shape[window_axis(c.kernel_layout, 'O')];
    check_channels(&c, in_channels);
    struct nest nest = nest_begin(&k, k.name);
    const struct ir_expr **out = kernel_indices(&k, c.sum->ndim);
    const struct ir_expr **window = kernel_indices(&k, c.count);
    const struct ir_expr **data = kernel_indices(&k, c.data->ndim);
    const struct ir_expr **weight = kernel_indices(&k, c.weight->ndim);
    const struct ir_expr *in_per_group = floordiv(&k, in_channels, c.groups);
    const struct ir_expr *channel, *met = NULL;

    conv_axes(&c, &nest, out, in_per_group, window, &channel);
    const struct ir_expr *out_channel = out[window_axis(c.out_layout, 'C')];
    if (!ir_expr_is_int(c.groups, 1)) {
        const struct ir_expr *group = k_binary(&k, IR_EXPR_floordiv, out_channel, out_channels);
        channel = k_add(&k, k_mul(&k, group, in_per_group), channel);
        out_channel = k_binary(&k, IR_EXPR_floormod, out_channel, out_channels);
    }
    weight[window_axis(c.kernel_layout, 'O')] = out_channel;
    weight[window_axis(c.kernel_layout, 'I')] = channel;
    data[window_axis(c.data_layout, 'N')] = out[window_axis(c.out_layout, 'N')];
    data[window_axis(c.data_layout, 'C')] = channel;
    for (unsigned i = 0; i < c.count; i++) {
        char letter = window_letter(i, c.count);
        unsigned d = window_axis(c.data_layout, letter);
        const struct ir_expr *stride = k_int(&k, window_item(op, "strides", i, 1));
        const struct ir_expr *dilation = k_int(&k, window_item(op, "dilation", i, 1));
        const struct ir_expr *before = k_int(&k, window_padding(op, i, c.count, false));
        const struct ir_expr *reached =
            k_sub(&k, k_add(&k, out[window_axis(c.out_layout, letter)], before),
                  k_mul(&k, window[i], dilation));
        weight[window_axis(c.kernel_layout, letter)] = window[i];
        data[d] = reached;
        if (!ir_expr_is_int(stride, 1)) {
            const struct ir_expr *rest = k_binary(&k, IR_EXPR_floormod, reached, stride);
            met = k_and(&k, met, k_binary(&k, IR_EXPR_eq, rest, k_int(&k, 0)));
            data[d] = k_binary(&k, IR_EXPR_floordiv, reached, stride);
        }
        met = k_inside(&k, met, data[d], c.data->shape[d]);
    }
    const struct ir_expr *product = conv_product(&c, &nest, nest_load(&nest, c.data, data), weight);
    return conv_finish(&c, &nest, out, k_if(&k, met, product, k_number(&k, c.sum->dtype, 0)));
}
