/*
 * Pools: the largest element, or the mean, of windows that move over the spatial axes.
 *
 * What lies outside of the data is left out by a condition on each element, not by padding: for the
 * largest element there is no number to pad with that integers and floats both have, and the mean has to
 * count anyway.
 */
#include "ops/lower.h"
#include "ops/window.h"

#include <string.h>

struct pool {
    struct kernel *k;
    const char *layout, *out_layout;
    unsigned count; /* spatial axes */
    struct ir_dtype dtype;
    struct ir_buffer *out;
    const struct ir_buffer *data;
};

static struct pool pool_of(struct kernel *k)
{
    struct pool p = {.k = k, .out = k->outputs[0], .data = k->operands[0].buffer};

    p.layout = ir_op_attr(k->op, "layout")->string;
    p.out_layout = window_layout(k->op, "out_layout", p.layout);
    p.count = p.out->ndim - 2;
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
    for (unsigned i = 0; i < p->count; i++)
        at[window_axis(p->layout, window_letter(i, p->count))] = places[i];
    return k_cast(p->k, p->dtype, kernel_load(p->k, 0, at));
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

/* sum / count, as a nest of its own behind the sums. */
static struct ir_value *divide(struct pool *p, struct ir_buffer *sum)
{
    struct kernel *k = p->k;
    const struct ir_op *op = k->op;
    struct nest nest = nest_begin(k, "T_mean");
    const struct ir_expr **out = nest_axes_of(&nest, p->out);
    const struct ir_expr *count = k_int(k, 1);
    bool is_full = ir_op_attr(op, "count_include_pad")->boolean || !is_padded(op, p->count);

    for (unsigned i = 0; i < p->count; i++) {
        const struct ir_expr *stride = k_int(k, window_item(op, "strides", i, 1));
        const struct ir_expr *start = k_sub(k, k_mul(k, out_at(p, out, i), stride),
                                            k_int(k, window_padding(op, i, p->count, false)));
        count = k_mul(k, count,
                      is_full ? k_int(k, window_item(op, "pool_size", i, 1))
                              : count_inside(p, start, i));
    }
    if (!is_full)
        count = k_binary(k, IR_EXPR_max, count, k_int(k, 1));
    count = k_cast(k, p->dtype, ir_simplify(k->context, count));
    nest_store(&nest, p->out, out, k_binary(k, IR_EXPR_div, nest_load(&nest, sum, out), count));
    nest_end(&nest);
    return kernel_finish(k);
}

struct ir_value *lower_pool(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;
    bool is_max = strstr(op->info->name, "max") != NULL;

    if (!kernel_begin(&k, module, diag, op, 1u))
        return NULL;
    struct pool p = pool_of(&k);
    struct ir_buffer *to =
        is_max ? p.out : kernel_alloc(&k, "sum", p.dtype, p.out->shape, p.out->ndim);
    struct nest nest = nest_begin(&k, k.name);
    const struct ir_expr **out = kernel_indices(&k, p.out->ndim);
    const struct ir_expr **window = kernel_indices(&k, p.count);
    const struct ir_expr **places = kernel_indices(&k, p.count);
    const struct ir_expr *inside = NULL;
    bool has_border = is_padded(op, p.count);
    struct ir_dtype dtype = is_max ? p.out->dtype : p.dtype;

    for (unsigned i = 0; i < p.count; i++)
        places[i] = k_int(&k, window_item(op, "pool_size", i, 1));
    pool_axes(&p, &nest, places, out, window);
    for (unsigned i = 0; i < p.count; i++) {
        const struct ir_expr *stride = k_int(&k, window_item(op, "strides", i, 1));
        const struct ir_expr *dilation = k_int(&k, window_item(op, "dilation", i, 1));
        places[i] = k_sub(
            &k, k_add(&k, k_mul(&k, out_at(&p, out, i), stride), k_mul(&k, window[i], dilation)),
            k_int(&k, window_padding(op, i, p.count, false)));
        if (has_border)
            inside = k_inside(&k, inside, places[i], data_extent(&p, i));
    }
    const struct ir_expr *start = is_max ? k_lowest(&k, dtype) : k_number(&k, dtype, 0);
    const struct ir_expr *x = k_cast(&k, dtype, element(&p, out, places));
    nest_init(&nest, to, out, start);
    nest_store(&nest, to, out,
               k_binary(&k, is_max ? IR_EXPR_max : IR_EXPR_add, nest_load(&nest, to, out),
                        k_if(&k, inside, x, start)));
    nest_end(&nest);
    return is_max ? kernel_finish(&k) : divide(&p, to);
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
    struct pool p = pool_of(&k);
    struct ir_buffer *sum = kernel_alloc(&k, "sum", p.dtype, p.out->shape, p.out->ndim);
    struct nest nest = nest_begin(&k, k.name);
    const struct ir_expr **out = kernel_indices(&k, p.out->ndim);
    const struct ir_expr **window = kernel_indices(&k, p.count);
    const struct ir_expr **places = kernel_indices(&k, p.count);
    const struct ir_expr *inside = NULL, *count = k_int(&k, 1), *one = k_int(&k, 1);

    for (unsigned i = 0; i < p.count; i++) {
        const struct ir_expr *n =
            p.out->shape[window_axis(p.out_layout, window_letter(i, p.count))];
        const struct ir_expr *extent = data_extent(&p, i);
        places[i] = k_binary(&k, IR_EXPR_floordiv, k_add(&k, extent, k_sub(&k, n, one)), n);
        int64_t fixed_extent, fixed_n;
        bool is_even = ir_expr_constant(k.context, extent, &fixed_extent) &&
                       ir_expr_constant(k.context, n, &fixed_n) && fixed_n > 0 &&
                       fixed_extent % fixed_n == 0;
        places[i] = ir_simplify(k.context, is_even ? places[i] : k_add(&k, places[i], one));
    }
    pool_axes(&p, &nest, places, out, window);
    for (unsigned i = 0; i < p.count; i++) {
        const struct ir_expr *n =
            p.out->shape[window_axis(p.out_layout, window_letter(i, p.count))];
        const struct ir_expr *start =
            k_binary(&k, IR_EXPR_floordiv, k_mul(&k, out_at(&p, out, i), data_extent(&p, i)), n);
        const struct ir_expr *past =
            k_mul(&k, k_add(&k, out_at(&p, out, i), one), data_extent(&p, i));
        past = k_binary(&k, IR_EXPR_floordiv, k_add(&k, past, k_sub(&k, n, one)), n);
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
        const struct ir_expr *n =
            p.out->shape[window_axis(p.out_layout, window_letter(i, p.count))];
        const struct ir_expr *start =
            k_binary(&k, IR_EXPR_floordiv, k_mul(&k, out_at(&p, out, i), data_extent(&p, i)), n);
        const struct ir_expr *past =
            k_mul(&k, k_add(&k, out_at(&p, out, i), one), data_extent(&p, i));
        past = k_binary(&k, IR_EXPR_floordiv, k_add(&k, past, k_sub(&k, n, one)), n);
        count = k_mul(&k, count, k_sub(&k, past, start));
    }
    nest_store(&nest, p.out, out,
               k_binary(&k, IR_EXPR_div, nest_load(&nest, sum, out),
                        k_cast(&k, p.dtype, ir_simplify(k.context, count))));
    nest_end(&nest);
    return kernel_finish(&k);
}
