/* Borders, blocks of channels, index maps, windows of signals: elements by arithmetic on their indices. */
#include "ops/lower/lower.h"

#include <string.h>

/* Where padding reads along an axis of @extent: @at is outside of 0 .. extent - 1 in the border. */
static const struct ir_expr *border(struct kernel *k, const char *mode, const struct ir_expr *at,
                                    const struct ir_expr *extent)
{
    const struct ir_expr *zero = k_int(k, 0), *last = k_sub(k, extent, k_int(k, 1));

    if (strcmp(mode, "circular") == 0)
        return k_binary(k, IR_EXPR_floormod, at, extent);
    if (strcmp(mode, "reflect") == 0) { /* there and back without the ends twice */
        const struct ir_expr *period =
            k_binary(k, IR_EXPR_max, k_mul(k, last, k_int(k, 2)), k_int(k, 1));
        at = k_binary(k, IR_EXPR_floormod, at, ir_simplify(k->context, period));
        return k_binary(k, IR_EXPR_min, at,
                        k_sub(k, ir_simplify(k->context, k_mul(k, last, k_int(k, 2))), at));
    }
    return k_binary(k, IR_EXPR_max, k_binary(k, IR_EXPR_min, at, last), zero);
}

struct ir_value *lower_pad(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    static const char *const modes[] = {"constant", "reflect", "replicate", "edge", "circular"};
    const struct ir_attr *width = ir_op_attr(op, "pad_width");
    const char *mode = ir_op_attr(op, "pad_mode")->string;
    struct kernel k;
    bool is_known = false;

    for (size_t i = 0; i < ARRAY_SIZE(modes); i++)
        is_known |= strcmp(mode, modes[i]) == 0;
    if (!is_known) {
        diag_report(diag, op->loc, OP_ATTRIBUTE, op->info->name, "pad_mode",
                    "must be \"constant\", \"reflect\", \"replicate\", \"edge\" or \"circular\"");
        return NULL;
    }
    if (!kernel_begin(&k, module, diag, op, 1u))
        return NULL;
    struct ir_buffer *out = k.outputs[0];
    struct nest nest = nest_begin(&k, "T_pad");
    const struct ir_expr **axes = nest_axes_of(&nest, out), **at = kernel_indices(&k, out->ndim);
    const struct ir_expr *inside = NULL;
    bool is_constant = strcmp(mode, "constant") == 0;
    for (unsigned d = 0; d < out->ndim; d++) {
        const struct ir_expr *extent = kernel_input_dim(&k, 0, d);
        int64_t before = width->items[2 * d]->integer, behind = width->items[2 * d + 1]->integer;
        at[d] = k_sub(&k, axes[d], k_int(&k, before));
        if (before <= 0 && behind <= 0)
            continue;
        if (is_constant)
            inside = k_inside(&k, inside, at[d], extent);
        else
            at[d] = border(&k, mode, at[d], extent);
    }
    nest_store(&nest, out, axes,
               k_if(&k, inside, kernel_load(&k, 0, at),
                    k_number(&k, out->dtype, op_attr_float(op, "pad_value"))));
    nest_end(&nest);
    return kernel_finish(&k);
}

struct ir_value *lower_prelu(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;

    if (!kernel_begin(&k, module, diag, op, 3u))
        return NULL;
    struct ir_buffer *out = k.outputs[0];
    struct ir_dtype dtype = kernel_compute_dtype(out->dtype);
    struct nest nest = nest_begin(&k, "T_prelu");
    const struct ir_expr **at = nest_axes_of(&nest, out);
    unsigned axis = out->ndim > 0 ? op_axis(op_attr_int(op, "axis", 1), out->ndim) : 0;
    const struct ir_expr *channel = out->ndim > 0 ? at[axis] : k_int(&k, 0);
    if (k.operands[1].buffer != NULL && k.operands[1].buffer->ndim == 1)
        channel = kernel_spread(&k, kernel_input_dim(&k, 1, 0),
                                out->ndim > 0 ? out->shape[axis] : k_int(&k, 1), channel);
    const struct ir_expr *x = k_cast(&k, dtype, kernel_load(&k, 0, at));
    const struct ir_expr *slope = k_cast(&k, dtype, kernel_load(&k, 1, &channel));
    nest_store(&nest, out, at,
               k_select(&k, k_binary(&k, IR_EXPR_gt, x, k_number(&k, dtype, 0)), x,
                        k_binary(&k, IR_EXPR_mul, x, slope)));
    nest_end(&nest);
    return kernel_finish(&k);
}

/* out[c, h * f + i, w * f + j] = x[c * f * f + i * f + j, h, w] */
struct ir_value *lower_pixel_shuffle(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;

    if (!kernel_begin(&k, module, diag, op, 1u))
        return NULL;
    struct ir_buffer *out = k.outputs[0];
    const struct ir_expr *factor = k_int(&k, op_attr_int(op, "upscale_factor", 1));
    unsigned c = out->ndim - 3;
    struct nest nest = nest_begin(&k, "T_pixel_shuffle");
    const struct ir_expr **at = nest_axes_of(&nest, out);
    const struct ir_expr **from = kernel_copy_indices(&k, at, out->ndim);
    from[c] =
        k_add(&k, k_mul(&k, at[c], factor), k_binary(&k, IR_EXPR_floormod, at[c + 1], factor));
    from[c] =
        k_add(&k, k_mul(&k, from[c], factor), k_binary(&k, IR_EXPR_floormod, at[c + 2], factor));
    from[c + 1] = k_binary(&k, IR_EXPR_floordiv, at[c + 1], factor);
    from[c + 2] = k_binary(&k, IR_EXPR_floordiv, at[c + 2], factor);
    nest_store(&nest, out, at, kernel_load(&k, 0, from));
    nest_end(&nest);
    return kernel_finish(&k);
}

/* At inference nothing is dropped: the operand, and a mask of ones. */
struct ir_value *lower_dropout(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;

    if (!kernel_begin(&k, module, diag, op, 1u))
        return NULL;
    for (unsigned i = 0; i < 2; i++) {
        struct nest nest = nest_begin(&k, i == 0 ? "T_dropout" : "T_mask");
        const struct ir_expr **at = nest_axes_of(&nest, k.outputs[i]);
        nest_store(&nest, k.outputs[i], at,
                   i == 0 ? kernel_load(&k, 0, at) : k_number(&k, k.outputs[1]->dtype, 1));
        nest_end(&nest);
    }
    return kernel_finish(&k);
}

/* Fills with the padding, where the map leaves some, then puts every element to its place. */
struct ir_value *lower_layout_transform(struct ir_module *module, struct diag *diag,
                                        struct ir_op *op)
{
    const struct ir_attr *map = ir_op_attr(op, "index_map"), *pad = ir_op_attr(op, "pad_value");
    struct kernel k;

    if (map->kind == IR_ATTR_CALL && map->count > 0)
        map = map->items[0];
    if (!kernel_begin(&k, module, diag, op, 1u))
        return NULL;
    struct ir_buffer *out = k.outputs[0];
    double value = pad->kind == IR_ATTR_NONE ? 0
                   : pad->kind == IR_ATTR_EXPR && pad->expr->kind == IR_EXPR_float
                       ? pad->expr->float_value
                   : pad->kind == IR_ATTR_EXPR && pad->expr->kind == IR_EXPR_int
                       ? (double)pad->expr->int_value
                       : op_attr_float(op, "pad_value");
    struct nest nest = nest_begin(&k, "T_fill");
    const struct ir_expr **at = nest_axes_of(&nest, out);
    nest_store(&nest, out, at, k_number(&k, out->dtype, value));
    nest_end(&nest);
    nest = nest_begin(&k, "T_layout_transform");
    unsigned ndim = (unsigned)k.operands[0].type->ndim;
    struct ir_bindings params = {0};
    at = kernel_indices(&k, ndim);
    for (unsigned d = 0; d < ndim; d++) {
        at[d] = nest_axis(&nest, TIR_OPAQUE, kernel_input_dim(&k, 0, d));
        struct ir_binding binding = {map->params[d], k_cast(&k, map->params[d]->dtype, at[d])};
        array_push(&params, binding);
    }
    const struct ir_expr **to = kernel_indices(&k, out->ndim);
    for (unsigned d = 0; d < out->ndim; d++)
        to[d] = k_cast(&k, IR_I64, ir_expr_substitute(k.context, map->items[d]->expr, &params));
    array_finish(&params);
    nest_store(&nest, out, to, kernel_load(&k, 0, at));
    nest_end(&nest);
    return kernel_finish(&k);
}

/* alpha - beta * cos(2 * pi * i / d), d the number of steps: one more for a periodic window.  A window of one
 * element is 1. */
struct ir_value *lower_hamming_window(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;

    if (!kernel_begin(&k, module, diag, op, 15u))
        return NULL;
    struct ir_buffer *out = k.outputs[0];
    struct ir_dtype dtype = kernel_compute_dtype(out->dtype);
    struct nest nest = nest_begin(&k, "T_hamming_window");
    const struct ir_expr **at = nest_axes_of(&nest, out), *one = k_int(&k, 1);
    const struct ir_expr *size = k_cast(&k, IR_I64, kernel_load(&k, 0, NULL));
    const struct ir_expr *is_periodic = k_cast(&k, IR_I64, kernel_load(&k, 1, NULL));
    const struct ir_expr *steps = ir_simplify(
        k.context, k_binary(&k, IR_EXPR_max, k_add(&k, k_sub(&k, size, one), is_periodic), one));
    const struct ir_expr *angle =
        k_binary(&k, IR_EXPR_mul, k_number(&k, dtype, 6.283185307179586), k_cast(&k, dtype, at[0]));
    angle = k_binary(&k, IR_EXPR_div, angle, k_cast(&k, dtype, steps));
    const struct ir_expr *beta = k_cast(&k, dtype, kernel_load(&k, 3, NULL));
    const struct ir_expr *value =
        k_binary(&k, IR_EXPR_sub, k_cast(&k, dtype, kernel_load(&k, 2, NULL)),
                 k_binary(&k, IR_EXPR_mul, beta, k_call(&k, "cos", angle)));
    nest_store(
        &nest, out, at,
        ir_expr_is_int(ir_simplify(k.context, out->shape[0]), 1)
            ? k_number(&k, dtype, 1)
            : k_select(&k, k_binary(&k, IR_EXPR_eq, size, one), k_number(&k, dtype, 1), value));
    nest_end(&nest);
    return kernel_finish(&k);
}

/* Place @at of @extent as a coordinate from -1 to 1: of the ends, or of the middles of the elements. */
static const struct ir_expr *coordinate(struct kernel *k, struct ir_dtype dtype,
                                        const struct ir_expr *at, const struct ir_expr *extent)
{
    bool is_aligned = ir_op_attr(k->op, "align_corners")->boolean;
    const struct ir_expr *one = k_int(k, 1), *unit = k_number(k, dtype, 1);
    const struct ir_expr *steps =
        is_aligned ? k_binary(k, IR_EXPR_max, k_sub(k, extent, one), one) : extent;
    const struct ir_expr *step = k_binary(k, IR_EXPR_div, k_number(k, dtype, 2),
                                          k_cast(k, dtype, ir_simplify(k->context, steps)));
    const struct ir_expr *x = k_cast(k, dtype, at);

    if (!is_aligned)
        x = k_binary(k, IR_EXPR_add, x, k_number(k, dtype, 0.5));
    return k_binary(k, IR_EXPR_sub, k_binary(k, IR_EXPR_mul, x, step), unit);
}

/* out[n, :, i, j] = data[n] * (x, y, 1) */
struct ir_value *lower_affine_grid(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;

    if (!kernel_begin(&k, module, diag, op, 1u))
        return NULL;
    struct ir_buffer *out = k.outputs[0];
    struct ir_dtype dtype = kernel_compute_dtype(out->dtype);
    unsigned count = out->ndim - 2; /* spatial axes */
    if (k.operands[0].type->ndim != 3 || out->ndim < 3) {
        diag_report(diag, op->loc, LOWER_SHAPE, op->info->name, "`data`, as matrices,");
        return kernel_abandon(&k);
    }
    struct nest nest = nest_begin(&k, "T_affine_grid");
    const struct ir_expr **at = nest_axes_of(&nest, out), *sum = NULL;
    for (unsigned i = 0; i <= count; i++) { /* the last axis has the first column */
        const struct ir_expr *from[] = {at[0], at[1], k_int(&k, i)};
        const struct ir_expr *x =
            k_cast(&k, dtype, kernel_load(&k, 0, kernel_copy_indices(&k, from, 3)));
        unsigned axis = count + 1 - i;
        if (i < count)
            x = k_binary(&k, IR_EXPR_mul, x, coordinate(&k, dtype, at[axis], out->shape[axis]));
        sum = sum == NULL ? x : k_binary(&k, IR_EXPR_add, sum, x);
    }
    nest_store(&nest, out, at, sum);
    nest_end(&nest);
    return kernel_finish(&k);
}
