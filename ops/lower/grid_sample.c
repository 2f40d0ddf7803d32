/* grid_sample: the image at points of a grid from -1 to 1, as the library of PyTorch counts them. */
#include "ops/lower/taps.h"

#include <string.h>

struct grid {
    struct kernel *k;
    struct ir_dtype dtype;
    const char *method, *padding;
    bool is_aligned;
};

static const struct ir_expr *number(const struct grid *g, double value)
{
    return k_number(g->k, g->dtype, value);
}

/* Coordinate @x of the grid as a place along an axis of @extent. */
static const struct ir_expr *place_of(const struct grid *g, const struct ir_expr *x,
                                      const struct ir_expr *extent)
{
    struct kernel *k = g->k;
    const struct ir_expr *span = g->is_aligned ? k_sub(k, extent, k_int(k, 1)) : extent;

    x = k_binary(k, IR_EXPR_add, x, number(g, 1));
    span = k_cast(k, g->dtype, ir_simplify(k->context, span));
    x = k_binary(k, IR_EXPR_mul, k_binary(k, IR_EXPR_mul, x, span), number(g, 0.5));
    return g->is_aligned ? x : k_binary(k, IR_EXPR_sub, x, number(g, 0.5));
}

/* Thrown back at the ends: of the elements, or of their middles. */
static const struct ir_expr *reflected(const struct grid *g, struct code *code,
                                       const struct ir_expr *x, const struct ir_expr *extent)
{
    struct kernel *k = g->k;
    double low = g->is_aligned ? 0 : -0.5;
    const struct ir_expr *steps = g->is_aligned ? k_sub(k, extent, k_int(k, 1)) : extent;
    /* of one element, aligned, all places are that element: limited() sees to it */
    steps = ir_simplify(k->context, k_binary(k, IR_EXPR_max, steps, k_int(k, 1)));
    const struct ir_expr *span = k_cast(k, g->dtype, steps);
    const struct ir_expr *far =
        code_let(code, "far", k_call(k, "fabs", k_binary(k, IR_EXPR_sub, x, number(g, low))));
    const struct ir_expr *turns =
        code_let(code, "turns", k_call(k, "floor", k_binary(k, IR_EXPR_div, far, span)));
    const struct ir_expr *rest = code_let(
        code, "rest", k_binary(k, IR_EXPR_sub, far, k_binary(k, IR_EXPR_mul, turns, span)));
    const struct ir_expr *half =
        k_call(k, "floor", k_binary(k, IR_EXPR_mul, turns, number(g, 0.5)));
    const struct ir_expr *is_even =
        k_binary(k, IR_EXPR_eq, turns, k_binary(k, IR_EXPR_mul, half, number(g, 2)));
    const struct ir_expr *back = k_select(k, is_even, rest, k_binary(k, IR_EXPR_sub, span, rest));
    return k_binary(k, IR_EXPR_add, back, number(g, low));
}

static const struct ir_expr *limited(const struct grid *g, const struct ir_expr *x,
                                     const struct ir_expr *extent)
{
    struct kernel *k = g->k;
    const struct ir_expr *last = ir_simplify(k->context, k_sub(k, extent, k_int(k, 1)));

    x = k_binary(k, IR_EXPR_max, x, number(g, 0));
    return k_binary(k, IR_EXPR_min, x, k_cast(k, g->dtype, last));
}

/* @x where padding by elements of the image leads it. */
static const struct ir_expr *padded(const struct grid *g, struct code *code,
                                    const struct ir_expr *x, const struct ir_expr *extent)
{
    if (strcmp(g->padding, "zeros") == 0)
        return x;
    if (strcmp(g->padding, "reflection") == 0)
        x = reflected(g, code, x, extent);
    return limited(g, x, extent);
}

/* Taps that lie outside are 0, or elements of the image. */
static void pad_taps(const struct grid *g, struct code *code, struct taps *taps,
                     const struct ir_expr *extent, bool is_cubic)
{
    struct kernel *k = g->k;

    for (unsigned t = 0; t < taps->count; t++) {
        const struct ir_expr *index = taps->index[t];
        if (is_cubic && strcmp(g->padding, "reflection") == 0)
            index = k_cast(k, IR_I64, reflected(g, code, k_cast(k, g->dtype, index), extent));
        index = code_let(code, "tap", index);
        if (strcmp(g->padding, "zeros") == 0)
            taps->inside[t] = code_let(code, "is_inside", k_inside(k, NULL, index, extent));
        taps->index[t] = taps_limited(k, index, extent);
    }
}

static struct taps taps_of(const struct grid *g, struct code *code, const struct ir_expr *x,
                           const struct ir_expr *extent)
{
    struct kernel *k = g->k;
    bool is_cubic = strcmp(g->method, "bicubic") == 0;
    struct taps taps = {.count = 1};

    x = code_let(code, "place", place_of(g, x, extent));
    if (!is_cubic)
        x = padded(g, code, x, extent);
    if (is_cubic)
        taps = taps_cubic(code, x, -0.75);
    else if (strcmp(g->method, "nearest") == 0)
        taps.index[0] = k_cast(k, IR_I64, k_call(k, "round", x));
    else
        taps = taps_linear(code, x);
    pad_taps(g, code, &taps, extent, is_cubic);
    return taps;
}

struct ir_value *lower_grid_sample(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;

    if (!kernel_begin(&k, module, diag, op, 3u))
        return NULL;
    struct ir_buffer *out = k.outputs[0];
    struct grid g = {.k = &k, .method = ir_op_attr(op, "method")->string};
    g.padding = ir_op_attr(op, "padding_mode")->string;
    g.is_aligned = ir_op_attr(op, "align_corners")->boolean;
    g.dtype = kernel_compute_dtype(out->dtype);
    struct nest nest = nest_begin(&k, "T_grid_sample");
    const struct ir_expr **at = nest_axes_of(&nest, out);
    struct code code = code_begin(&k);
    struct sampled s = {.k = &k, .dtype = g.dtype, .at = at, .count = out->ndim - 2};
    const struct ir_expr **from = kernel_copy_indices(&k, at, out->ndim);
    for (unsigned i = 0; i < s.count; i++) {
        s.axes[i] = i + 2;
        /* the last axis has the first coordinate */
        const struct ir_expr **point = kernel_copy_indices(&k, from, out->ndim);
        point[1] = k_int(&k, s.count - 1 - i);
        s.taps[i] = taps_of(&g, &code, k_cast(&k, g.dtype, kernel_load(&k, 1, point)),
                            kernel_input_dim(&k, 0, i + 2));
    }
    code_store(&code, out, at, taps_sum(&s));
    nest_code(&nest, &code);
    nest_end(&nest);
    return kernel_finish(&k);
}
