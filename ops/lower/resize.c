/*
 * resize2d, resize3d: every place of the result has a position in the data, from which the nearest element is
 * taken or between whose neighbours is interpolated.  Positions are worked out in float32, neighbours outside of the data
 * are those at its edge.
 */
#include "ops/lower/taps.h"
#include "ops/window.h"

#include <string.h>

struct resize {
    struct kernel *k;
    const char *layout;
    unsigned count; /* spatial axes */
    const struct ir_expr *const *at;
    const struct ir_expr *extents[3], *positions[3]; /* of the data, by spatial axis */
};

static const struct ir_expr *number(struct kernel *k, double value)
{
    return k_number(k, IR_F32, value);
}

/* The position in the data of place @at of an axis. */
static const struct ir_expr *position(struct kernel *k, const struct ir_expr *at,
                                      const struct ir_expr *extent, const struct ir_expr *result)
{
    const char *mode = ir_op_attr(k->op, "coordinate_transformation_mode")->string;
    const struct ir_expr *x = k_cast(k, IR_F32, at), *one = k_int(k, 1);
    const struct ir_expr *scale =
        k_binary(k, IR_EXPR_div, k_cast(k, IR_F32, extent), k_cast(k, IR_F32, result));

    if (strcmp(mode, "align_corners") == 0) {
        const struct ir_expr *steps =
            ir_simplify(k->context, k_binary(k, IR_EXPR_max, k_sub(k, result, one), one));
        const struct ir_expr *last = ir_simplify(k->context, k_sub(k, extent, one));
        scale = k_binary(k, IR_EXPR_div, k_cast(k, IR_F32, last), k_cast(k, IR_F32, steps));
        return k_binary(k, IR_EXPR_mul, scale, x);
    }
    if (strcmp(mode, "asymmetric") == 0)
        return k_binary(k, IR_EXPR_mul, scale, x);
    x = k_binary(k, IR_EXPR_mul, k_binary(k, IR_EXPR_add, x, number(k, 0.5)), scale);
    if (strcmp(mode, "tf_half_pixel_for_nn") == 0)
        return x;
    x = k_binary(k, IR_EXPR_sub, x, number(k, 0.5));
    if (strcmp(mode, "pytorch_half_pixel") != 0)
        return x; /* with sizes and no scales, symmetric is no difference */
    return k_select(k, k_binary(k, IR_EXPR_gt, result, one), x, number(k, 0));
}

/* The element at @index of the spatial axes, each limited to the data. */
static const struct ir_expr *element(struct resize *r, const struct ir_expr *const *index)
{
    struct kernel *k = r->k;
    const struct ir_expr **at = kernel_copy_indices(k, r->at, k->outputs[0]->ndim);

    for (unsigned i = 0; i < r->count; i++) {
        const struct ir_expr *last = k_sub(k, r->extents[i], k_int(k, 1));
        at[window_axis(r->layout, window_letter(i, r->count))] = k_binary(
            k, IR_EXPR_max, k_binary(k, IR_EXPR_min, index[i], ir_simplify(k->context, last)),
            k_int(k, 0));
    }
    return k_cast(k, IR_F32, kernel_load(k, 0, at));
}

static const struct ir_expr *nearest(struct resize *r)
{
    const char *method = ir_op_attr(r->k->op, "rounding_method")->string;
    struct kernel *k = r->k;
    const struct ir_expr *index[3];

    for (unsigned i = 0; i < r->count; i++) {
        const struct ir_expr *x = r->positions[i];
        if (strcmp(method, "floor") == 0)
            x = k_call(k, "floor", k_binary(k, IR_EXPR_add, x, number(k, 1e-5)));
        else if (strcmp(method, "ceil") == 0)
            x = k_call(k, "ceil", k_binary(k, IR_EXPR_sub, x, number(k, 1e-5)));
        else if (strcmp(method, "round_prefer_floor") == 0)
            x = k_call(k, "ceil", k_binary(k, IR_EXPR_sub, x, number(k, 0.5)));
        else if (strcmp(method, "round_prefer_ceil") == 0)
            x = k_call(k, "floor", k_binary(k, IR_EXPR_add, x, number(k, 0.5)));
        else
            x = k_call(k, "round", x);
        index[i] = k_cast(k, IR_I64, x);
    }
    return element(r, index);
}

/* Interpolated along axis @i and those behind it, the others at @index. */
static const struct ir_expr *between(struct resize *r, unsigned i, const struct ir_expr **index)
{
    struct kernel *k = r->k;

    if (i >= r->count || i >= ARRAY_SIZE(r->positions))
        return element(r, index);
    const struct ir_expr *start = k_call(k, "floor", r->positions[i]);
    const struct ir_expr *part = k_binary(k, IR_EXPR_sub, r->positions[i], start);
    index[i] = k_cast(k, IR_I64, start);
    const struct ir_expr *low = between(r, i + 1, index);
    index[i] = k_add(k, index[i], k_int(k, 1));
    const struct ir_expr *high = between(r, i + 1, index);
    low = k_binary(k, IR_EXPR_mul, low, k_binary(k, IR_EXPR_sub, number(k, 1), part));
    return k_binary(k, IR_EXPR_add, low, k_binary(k, IR_EXPR_mul, high, part));
}

/* What is not worked out here is refused; false after a report. */
static bool check(struct kernel *k)
{
    static const char *const modes[] = {"half_pixel",           "align_corners",
                                        "asymmetric",           "pytorch_half_pixel",
                                        "tf_half_pixel_for_nn", "half_pixel_symmetric"};
    const char *mode = ir_op_attr(k->op, "coordinate_transformation_mode")->string;
    const char *method = ir_op_attr(k->op, "method")->string;
    bool is_known = strcmp(method, "nearest_neighbor") == 0 || strcmp(method, "linear") == 0 ||
                    strcmp(method, "cubic") == 0;
    bool has_mode = false;

    for (size_t i = 0; i < ARRAY_SIZE(modes); i++)
        has_mode |= strcmp(mode, modes[i]) == 0;
    if (is_known && has_mode)
        return true;
    diag_report(k->diag, k->op->loc, OP_UNSUPPORTED,
                arena_printf(&k->context->arena,
                             "%s(method=\"%s\", coordinate_transformation_mode=\"%s\")",
                             k->op->info->name, method, mode));
    return false;
}

/* Taps outside count nothing; the weights of the others are made to add up to 1. */
static void exclude_outside(struct code *code, struct taps *taps, const struct ir_expr *extent)
{
    struct kernel *k = code->k;
    const struct ir_expr *sum = NULL;

    for (unsigned t = 0; t < taps->count; t++) {
        taps->weight[t] = code_let(
            code, "weight",
            k_select(k, k_inside(k, NULL, taps->index[t], extent), taps->weight[t], number(k, 0)));
        sum = sum ? k_binary(k, IR_EXPR_add, sum, taps->weight[t]) : taps->weight[t];
    }
    sum = code_let(code, "sum", sum);
    for (unsigned t = 0; t < taps->count; t++)
        taps->weight[t] = code_let(code, "weight", k_binary(k, IR_EXPR_div, taps->weight[t], sum));
}

static void store_cubic(struct resize *r, struct nest *nest)
{
    struct kernel *k = r->k;
    struct code code = code_begin(k);
    struct sampled s = {.k = k, .dtype = IR_F32, .at = r->at, .count = r->count};

    for (unsigned i = 0; i < r->count; i++) {
        s.axes[i] = window_axis(r->layout, window_letter(i, r->count));
        s.taps[i] = taps_cubic(&code, r->positions[i], op_attr_float(k->op, "cubic_alpha"));
        if (op_attr_int(k->op, "cubic_exclude", 0) != 0)
            exclude_outside(&code, &s.taps[i], r->extents[i]);
        for (unsigned t = 0; t < s.taps[i].count; t++)
            s.taps[i].index[t] =
                code_let(&code, "tap", taps_limited(k, s.taps[i].index[t], r->extents[i]));
    }
    code_store(&code, k->outputs[0], r->at, taps_sum(&s));
    nest_code(nest, &code);
}

struct ir_value *lower_resize(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;

    if (!kernel_begin(&k, module, diag, op, 1u))
        return NULL;
    if (!check(&k))
        return kernel_abandon(&k);
    struct ir_buffer *out = k.outputs[0];
    struct resize r = {.k = &k, .layout = ir_op_attr(op, "layout")->string, .count = out->ndim - 2};
    const struct ir_expr *index[3] = {NULL};
    struct nest nest = nest_begin(&k, "T_resize");
    r.at = nest_axes_of(&nest, out);
    for (unsigned i = 0; i < r.count; i++) {
        unsigned d = window_axis(r.layout, window_letter(i, r.count));
        r.extents[i] = kernel_input_dim(&k, 0, d);
        r.positions[i] = position(&k, r.at[d], r.extents[i], out->shape[d]);
    }
    bool is_linear = strcmp(ir_op_attr(op, "method")->string, "linear") == 0;
    if (strcmp(ir_op_attr(op, "method")->string, "cubic") == 0)
        store_cubic(&r, &nest);
    else
        nest_store(&nest, out, r.at, is_linear ? between(&r, 0, index) : nearest(&r));
    nest_end(&nest);
    return kernel_finish(&k);
}
