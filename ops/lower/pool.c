/*
 * Pools: the largest element, or the mean, of windows that move over the spatial axes.
 *
 * What lies outside of the data is left out by a condition on each element, not by padding: for the
 * largest element there is no number to pad with that integers and floats both have, and the mean has to
 * count anyway.  Channels may lie in blocks (NCHW16c), of data and result alike.
 */
#include "ops/lower/lower.h"
#include "ops/window.h"

struct pool {
    struct kernel *k;
    const char *layout, *out_layout;
    unsigned count; /* spatial axes */
    struct ir_dtype dtype;
    const struct ir_buffer *out; /* one element for each window: the result, or its gradient */
    unsigned operand;            /* the data */
    const struct ir_buffer *data;
};

static struct pool pool_of(struct kernel *k, unsigned operand)
{
    struct pool p = {.k = k, .operand = operand, .data = k->operands[operand].buffer};

    p.out = operand == 0 ? k->outputs[0] : k->operands[0].buffer;
    p.layout = ir_op_attr(k->op, "layout")->string;
    p.out_layout = window_layout(k->op, "out_layout", p.layout);
    p.count = window_spatial_count(p.layout);
    p.dtype = kernel_compute_dtype(p.out->dtype);
    return p;
}

static const struct ir_expr *data_extent(struct pool *p, unsigned i)
{
    return p->data->shape[window_axis(p->layout, window_letter(i, p->count))];
}

static const struct ir_expr *out_at(struct pool *p, const struct ir_expr *const *out, unsigned i)
{
    return out[window_axis(p->out_layout, window_letter(i, p->count))];
}

/* The axes of the result, the last one inside of the windows', which have these extents. */
static void pool_axes(struct pool *p, struct nest *nest, const struct ir_expr *const *extents,
                      const struct ir_expr **out, const struct ir_expr **window)
{
    for (unsigned d = 0; d + 1 < p->out->ndim; d++)
        out[d] = nest_axis(nest, TIR_SPATIAL, p->out->shape[d]);
    for (unsigned i = 0; i < p->count; i++)
        window[i] = nest_axis(nest, TIR_REDUCE, extents[i]);
    out[p->out->ndim - 1] = nest_axis(nest, TIR_SPATIAL, p->out->shape[p->out->ndim - 1]);
}

/* The element at @places of the spatial axes. */
static const struct ir_expr *element(struct pool *p, const struct ir_expr *const *out,
                                     const struct ir_expr *const *places)
{
    const struct ir_expr **at = kernel_indices(p->k, p->data->ndim);

    at[window_axis(p->layout, 'N')] = out[window_axis(p->out_layout, 'N')];
    at[window_axis(p->layout, 'C')] = out[window_axis(p->out_layout, 'C')];
    if (window_factor(p->layout, 'C') > 1) /* in both alike */
        at[window_axis(p->layout, 'c')] = out[window_axis(p->out_layout, 'c')];
    for (unsigned i = 0; i < p->count; i++)
        at[window_axis(p->layout, window_letter(i, p->count))] = places[i];
    return k_cast(p->k, p->dtype, kernel_load(p->k, p->operand, at));
}

/* How many windows positions of axis @i lie inside of the data: at least 1. */
static const struct ir_expr *count_inside(struct pool *p, const struct ir_expr *start, unsigned i)
{
    struct kernel *k = p->k;
    int64_t size = window_item(k->op, "pool_size", i, 1);
    int64_t dilation = window_item(k->op, "dilation", i, 1);
    const struct ir_expr *zero = k_int(k, 0), *step = k_int(k, dilation);
    const struct ir_expr *last = k_sub(k, data_extent(p, i), k_int(k, 1));

    /* the first position that is not in front, and the last that is not behind */
    const struct ir_expr *in_front = k_binary(k, IR_EXPR_max, k_sub(k, zero, start), zero);
    const struct ir_expr *first =
        k_binary(k, IR_EXPR_floordiv, k_add(k, in_front, k_int(k, dilation - 1)), step);
    const struct ir_expr *final = k_binary(k, IR_EXPR_floordiv, k_sub(k, last, start), step);
    final = k_binary(k, IR_EXPR_min, final, k_int(k, size - 1));
    const struct ir_expr *count = k_add(k, k_sub(k, final, first), k_int(k, 1));
    return k_binary(k, IR_EXPR_max, count, zero);
}

static bool is_padded(const struct ir_op *op, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (window_padding(op, i, count, false) != 0 || window_padding(op, i, count, true) != 0)
            return true;
    return ir_op_attr(op, "ceil_mode")->boolean;
}

/* How many positions of the window lie in the data and its padding: all but where ceil_mode goes on. */
static const struct ir_expr *count_padded(struct pool *p, const struct ir_expr *start, unsigned i)
{
    struct kernel *k = p->k;
    const struct ir_expr *size = k_int(k, window_item(k->op, "pool_size", i, 1));
    int64_t dilation = window_item(k->op, "dilation", i, 1);
    int64_t behind = window_padding(k->op, i, p->count, true);

    if (!ir_op_attr(k->op, "ceil_mode")->boolean)
        return size;
    const struct ir_expr *room = k_sub(k, k_add(k, data_extent(p, i), k_int(k, behind)), start);
    room =
        k_binary(k, IR_EXPR_floordiv, k_add(k, room, k_int(k, dilation - 1)), k_int(k, dilation));
    return k_binary(k, IR_EXPR_min, room, size);
}

/* By how much the sum over the window at @out is divided. */
static const struct ir_expr *divisor(struct pool *p, const struct ir_expr *const *out)
{
    struct kernel *k = p->k;
    const struct ir_op *op = k->op;
    const struct ir_expr *count = k_int(k, 1);
    bool counts_padding = ir_op_attr(op, "count_include_pad")->boolean || !is_padded(op, p->count);

    for (unsigned i = 0; i < p->count; i++) {
        const struct ir_expr *stride = k_int(k, window_item(op, "strides", i, 1));
        const struct ir_expr *start = k_sub(k, k_mul(k, out_at(p, out, i), stride),
                                            k_int(k, window_padding(op, i, p->count, false)));
        count =
            k_mul(k, count, counts_padding ? count_padded(p, start, i) : count_inside(p, start, i));
    }
    return counts_padding ? count : k_binary(k, IR_EXPR_max, count, k_int(k, 1));
}

/* sum / count, as a nest of its own behind the sums. */
static struct ir_value *divide(struct pool *p, struct ir_buffer *sum)
{
    struct kernel *k = p->k;
    struct nest nest = nest_begin(k, "T_mean");
    const struct ir_expr **out = nest_axes_of(&nest, p->out);

    nest_store(&nest, p->out, out, k_share(k, nest_load(&nest, sum, out), divisor(p, out)));
    nest_end(&nest);
    return kernel_finish(k);
}

/* Places in the data of position @window of the window at @out; the condition that they lie inside. */
static const struct ir_expr *places_of(struct pool *p, const struct ir_expr *const *out,
                                       const struct ir_expr *const *window,
                                       const struct ir_expr **places)
{
    struct kernel *k = p->k;
    const struct ir_expr *inside = NULL;
    bool has_border = is_padded(k->op, p->count);

    for (unsigned i = 0; i < p->count; i++) {
        const struct ir_expr *stride = k_int(k, window_item(k->op, "strides", i, 1));
        const struct ir_expr *dilation = k_int(k, window_item(k->op, "dilation", i, 1));
        const struct ir_expr *start = k_mul(k, out_at(p, out, i), stride);
        places[i] = k_sub(k, k_add(k, start, k_mul(k, window[i], dilation)),
                          k_int(k, window_padding(k->op, i, p->count, false)));
        if (has_border)
            inside = k_inside(k, inside, places[i], data_extent(p, i));
    }
    return inside;
}

static struct ir_value *lower_pool(struct ir_module *module, struct diag *diag, struct ir_op *op,
                                   bool is_max)
{
    struct kernel k;

    if (!kernel_begin(&k, module, diag, op, 1u))
        return NULL;
    struct pool p = pool_of(&k, 0);
    struct ir_buffer *to =
        is_max ? k.outputs[0] : kernel_alloc(&k, "sum", p.dtype, p.out->shape, p.out->ndim);
    struct nest nest = nest_begin(&k, k.name);
    const struct ir_expr **out = kernel_indices(&k, p.out->ndim);
    const struct ir_expr **window = kernel_indices(&k, p.count);
    const struct ir_expr **places = kernel_indices(&k, p.count);
    struct ir_dtype dtype = is_max ? p.out->dtype : p.dtype;

    for (unsigned i = 0; i < p.count; i++)
        places[i] = k_int(&k, window_item(op, "pool_size", i, 1));
    pool_axes(&p, &nest, places, out, window);
    const struct ir_expr *inside = places_of(&p, out, window, places);
    const struct ir_expr *start = is_max ? k_lowest(&k, dtype) : k_number(&k, dtype, 0);
    const struct ir_expr *x = k_cast(&k, dtype, element(&p, out, places));
    nest_init(&nest, to, out, start);
    nest_store(&nest, to, out,
               k_binary(&k, is_max ? IR_EXPR_max : IR_EXPR_add, nest_load(&nest, to, out),
                        k_if(&k, inside, x, start)));
    nest_end(&nest);
    return is_max ? kernel_finish(&k) : divide(&p, to);
}

struct ir_value *lower_max_pool(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    return lower_pool(module, diag, op, true);
}

struct ir_value *lower_avg_pool(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    return lower_pool(module, diag, op, false);
}

static const struct ir_expr *out_extent(struct pool *p, unsigned i)
{
    return p->out->shape[window_axis(p->out_layout, window_letter(i, p->count))];
}

/* Where the window of @out begins and ends along spatial axis @i: see lower_adaptive_pool(). */
static const struct ir_expr *adaptive_start(struct pool *p, const struct ir_expr *const *out,
                                            unsigned i, const struct ir_expr **out_past)
{
    struct kernel *k = p->k;
    const struct ir_expr *n = out_extent(p, i), *extent = data_extent(p, i), *one = k_int(k, 1);
    const struct ir_expr *start =
        k_binary(k, IR_EXPR_floordiv, k_mul(k, out_at(p, out, i), extent), n);
    const struct ir_expr *past = k_mul(k, k_add(k, out_at(p, out, i), one), extent);

    *out_past = k_binary(k, IR_EXPR_floordiv, k_add(k, past, k_sub(k, n, one)), n);
    return start;
}

/*
 * Window i of the result goes from floor(i * extent / n) to ceil((i + 1) * extent / n): the windows differ in
 * size, so the loops run over the largest and leave out what is behind the end.
 */
struct ir_value *lower_adaptive_pool(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;

    if (!kernel_begin(&k, module, diag, op, 1u))
        return NULL;
    struct pool p = pool_of(&k, 0);
    struct ir_buffer *sum = kernel_alloc(&k, "sum", p.dtype, p.out->shape, p.out->ndim);
    struct nest nest = nest_begin(&k, k.name);
    const struct ir_expr **out = kernel_indices(&k, p.out->ndim);
    const struct ir_expr **window = kernel_indices(&k, p.count);
    const struct ir_expr **places = kernel_indices(&k, p.count);
    const struct ir_expr *inside = NULL, *count = k_int(&k, 1), *one = k_int(&k, 1);

    for (unsigned i = 0; i < p.count; i++) {
        const struct ir_expr *n = out_extent(&p, i), *extent = data_extent(&p, i);
        places[i] = k_binary(&k, IR_EXPR_floordiv, k_add(&k, extent, k_sub(&k, n, one)), n);
        int64_t fixed_extent, fixed_n;
        bool is_even = ir_expr_constant(k.context, extent, &fixed_extent) &&
                       ir_expr_constant(k.context, n, &fixed_n) && fixed_n > 0 &&
                       fixed_extent % fixed_n == 0;
        places[i] = ir_simplify(k.context, is_even ? places[i] : k_add(&k, places[i], one));
    }
    pool_axes(&p, &nest, places, out, window);
    for (unsigned i = 0; i < p.count; i++) {
        const struct ir_expr *past, *start = adaptive_start(&p, out, i, &past);
        places[i] = k_add(&k, start, window[i]);
        inside = k_and(&k, inside, k_binary(&k, IR_EXPR_lt, places[i], past));
    }
    const struct ir_expr *zero = k_number(&k, p.dtype, 0);
    nest_init(&nest, sum, out, zero);
    nest_store(&nest, sum, out,
               k_binary(&k, IR_EXPR_add, nest_load(&nest, sum, out),
                        k_if(&k, inside, element(&p, out, places), zero)));
    nest_end(&nest);
    nest = nest_begin(&k, "T_mean");
    out = nest_axes_of(&nest, p.out);
    for (unsigned i = 0; i < p.count; i++) {
        const struct ir_expr *past, *start = adaptive_start(&p, out, i, &past);
        count = k_mul(&k, count, k_sub(&k, past, start));
    }
    nest_store(&nest, p.out, out, k_share(&k, nest_load(&nest, sum, out), count));
    nest_end(&nest);
    return kernel_finish(&k);
}

/* ---- gradients: what a window got goes back to where it came from ---- */

struct backward {
    struct pool p;
    struct kernel *k;
    struct ir_buffer *sum; /* of the gradients, of the shape of the data */
    const struct ir_expr **sizes;
};

static bool backward_begin(struct backward *b, struct kernel *k, struct ir_module *module,
                           struct diag *diag, struct ir_op *op)
{
    if (!kernel_begin(k, module, diag, op, 3u))
        return false;
    *b = (struct backward){.p = pool_of(k, 1), .k = k};
    b->p.dtype = kernel_compute_dtype(k->outputs[0]->dtype);
    b->sum = kernel_alloc(k, "acc", b->p.dtype, k->outputs[0]->shape, k->outputs[0]->ndim);
    b->sizes = kernel_indices(k, b->p.count);
    for (unsigned i = 0; i < b->p.count; i++)
        b->sizes[i] = k_int(k, window_item(op, "pool_size", i, 1));
    struct nest nest = nest_begin(k, "T_zeros");
    const struct ir_expr **at = nest_axes_of(&nest, b->sum);
    nest_store(&nest, b->sum, at, k_number(k, b->p.dtype, 0));
    nest_end(&nest);
    return true;
}

/* sum[places] += @value where @condition holds; elsewhere 0 is added to some element. */
static void give(struct backward *b, struct nest *nest, const struct ir_expr *const *out,
                 const struct ir_expr *const *places, const struct ir_expr *condition,
                 const struct ir_expr *value)
{
    struct kernel *k = b->k;
    const struct ir_expr **to = kernel_indices(k, b->sum->ndim);

    to[window_axis(b->p.layout, 'N')] = out[window_axis(b->p.out_layout, 'N')];
    to[window_axis(b->p.layout, 'C')] = out[window_axis(b->p.out_layout, 'C')];
    for (unsigned i = 0; i < b->p.count; i++) {
        const struct ir_expr *last = k_sub(k, data_extent(&b->p, i), k_int(k, 1));
        to[window_axis(b->p.layout, window_letter(i, b->p.count))] =
            k_binary(k, IR_EXPR_max, k_binary(k, IR_EXPR_min, places[i], last), k_int(k, 0));
    }
    value = k_if(k, condition, value, k_number(k, b->p.dtype, 0));
    nest_store(nest, b->sum, to, k_binary(k, IR_EXPR_add, nest_load(nest, b->sum, to), value));
    nest_end(nest);
}

static struct ir_value *backward_finish(struct backward *b)
{
    struct kernel *k = b->k;
    struct nest nest = nest_begin(k, "T_cast");
    const struct ir_expr **at = nest_axes_of(&nest, k->outputs[0]);

    nest_store(&nest, k->outputs[0], at, nest_load(&nest, b->sum, at));
    nest_end(&nest);
    return kernel_finish(k);
}

/* Windows overlap, so their elements are given to one after the other. */
static const struct ir_expr **gradient_axes(struct backward *b, struct nest *nest)
{
    const struct ir_expr **out = kernel_indices(b->k, b->p.out->ndim);

    for (unsigned d = 0; d < b->p.out->ndim; d++)
        out[d] = nest_axis(nest, TIR_OPAQUE, b->p.out->shape[d]);
    return out;
}

struct ir_value *lower_avg_pool_backward(struct ir_module *module, struct diag *diag,
                                         struct ir_op *op)
{
    struct kernel k;
    struct backward b;

    if (!backward_begin(&b, &k, module, diag, op))
        return NULL;
    struct nest nest = nest_begin(&k, "T_avg_pool_backward");
    const struct ir_expr **out = gradient_axes(&b, &nest);
    const struct ir_expr **window = kernel_indices(&k, b.p.count);
    const struct ir_expr **places = kernel_indices(&k, b.p.count);
    for (unsigned i = 0; i < b.p.count; i++)
        window[i] = nest_axis(&nest, TIR_OPAQUE, b.sizes[i]);
    const struct ir_expr *inside = places_of(&b.p, out, window, places);
    const struct ir_expr *gradient = k_cast(&k, b.p.dtype, kernel_load(&k, 0, out));
    give(&b, &nest, out, places, inside, k_share(&k, gradient, divisor(&b.p, out)));
    return backward_finish(&b);
}

/* The gradient goes to the first of the largest elements; of a window with a NaN, to none. */
struct ir_value *lower_max_pool_backward(struct ir_module *module, struct diag *diag,
                                         struct ir_op *op)
{
    struct kernel k;
    struct backward b;

    if (!backward_begin(&b, &k, module, diag, op))
        return NULL;
    unsigned count = b.p.count, ndim = b.p.out->ndim;
    struct ir_buffer *best = kernel_alloc(&k, "best", b.p.dtype, b.p.out->shape, ndim);
    struct ir_buffer *first = kernel_alloc(&k, "first", IR_I64, b.p.out->shape, ndim);
    const struct ir_expr **out = kernel_indices(&k, ndim), **window = kernel_indices(&k, count);
    const struct ir_expr **places = kernel_indices(&k, count), *none = k_int(&k, INT32_MAX);
    for (unsigned pass = 0; pass < 2; pass++) {
        struct nest nest = nest_begin(&k, pass == 0 ? "T_best" : "T_first");
        pool_axes(&b.p, &nest, b.sizes, out, window);
        const struct ir_expr *inside = places_of(&b.p, out, window, places);
        const struct ir_expr *x = element(&b.p, out, places), *flat = k_int(&k, 0);
        for (unsigned i = 0; i < count; i++)
            flat = k_add(&k, k_mul(&k, flat, b.sizes[i]), window[i]);
        const struct ir_expr *lowest = k_lowest(&k, b.p.dtype);
        const struct ir_expr *is_best = k_binary(&k, IR_EXPR_eq, x, nest_load(&nest, best, out));
        struct ir_buffer *to = pass == 0 ? best : first;
        const struct ir_expr *value = pass == 0 ? k_if(&k, inside, x, lowest)
                                                : k_if(&k, k_and(&k, inside, is_best), flat, none);
        nest_init(&nest, to, out, pass == 0 ? lowest : none);
        nest_store(
            &nest, to, out,
            k_binary(&k, pass == 0 ? IR_EXPR_max : IR_EXPR_min, nest_load(&nest, to, out), value));
        nest_end(&nest);
    }
    struct nest nest = nest_begin(&k, "T_max_pool_backward");
    const struct ir_expr **at = gradient_axes(&b, &nest);
    const struct ir_expr *flat = nest_load(&nest, first, at);
    const struct ir_expr *is_found = k_binary(&k, IR_EXPR_lt, flat, none);
    for (unsigned i = count; i-- > 0;) {
        window[i] = i > 0 ? k_binary(&k, IR_EXPR_floormod, flat, b.sizes[i]) : flat;
        flat = k_binary(&k, IR_EXPR_floordiv, flat, b.sizes[i]);
    }
    (void)places_of(&b.p, at, window, places);
    give(&b, &nest, at, places, is_found, k_cast(&k, b.p.dtype, kernel_load(&k, 0, at)));
    return backward_finish(&b);
}
