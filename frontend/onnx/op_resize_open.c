/*
 * Resize of axes whose extent only a run knows: the places that a place of the result reads, and their weights, are
 * worked out by operators on a row of numbers as long as the result.  What depends on them is as in op_image.c.
 */
#include "frontend/onnx/families.h"

#include <math.h>
#include <string.h>

#define OP2(op_, a_, b_) MAKE(&o->m->b, OP_##op_, a_, b_)
#define OP1(op_, a_)     MAKE(&o->m->b, OP_##op_, a_)
#define NUMBER(v_)       onnx_scalar(o->m, IR_F64, v_)

/* Says that extents must be known for @form: those of the data, or those that an input gives. */
static void refuse_open(struct onnx_node *n, const char *form)
{
    const struct onnx_value *sizes = n->opset >= 11 && onnx_has(n, 3) ? n->inputs[3] : NULL;
    bool is_number = sizes && sizes->count > 0;

    for (size_t i = 0; is_number && i < sizes->count; i++)
        is_number = sizes->elements && sizes->elements[i]->kind == IR_EXPR_int;
    if (sizes && !is_number)
        onnx_refuse(n, "what `%s` holds must be known when the model is imported, for %s of Resize",
                    n->proto->input[3], form);
    else
        onnx_refuse(n, "it resizes an axis whose extent is not known, by %s", form);
}

/* One axis; `in`, `scale` and `width` (of the result, before rounding) are tensors of rank 0. */
struct open_axis {
    struct onnx_node *n;
    struct onnx_import *m;
    const char *mode, *coordinates;
    const struct ir_expr *extent, *out;
    struct ir_value *in, *scale, *width;
};

static struct ir_value *size_of(struct open_axis *o, const struct ir_expr *size)
{
    struct ir_value *vector = OP1(shape_to_tensor, make_shape(&o->m->b, &size, 1));
    return onnx_cast(o->m, onnx_reshape(o->m, vector, NULL, 0), IR_F64);
}

/* Where the places of the result lie in the data. */
static struct ir_value *source_places(struct open_axis *o)
{
    struct onnx_import *m = o->m;
    struct ir_value *limits[] = {ir_inline_prim(m->module, onnx_expr(m, 0)),
                                 ir_inline_prim(m->module, o->out),
                                 ir_inline_prim(m->module, onnx_expr(m, 1))};
    struct make_attr attr = {"dtype", ir_attr_dtype(m->context, IR_I64)};
    struct ir_value *i = onnx_cast(m, make_op(&m->b, OP_arange, limits, 3, &attr, 1), IR_F64);
    struct ir_value *half =
        OP2(subtract, OP2(divide, OP2(add, i, NUMBER(0.5)), o->scale), NUMBER(0.5));

    if (strcmp(o->coordinates, "asymmetric") == 0)
        return OP2(divide, i, o->scale);
    if (strcmp(o->coordinates, "tf_half_pixel_for_nn") == 0)
        return OP2(divide, OP2(add, i, NUMBER(0.5)), o->scale);
    if (strcmp(o->coordinates, "align_corners") == 0) {
        struct ir_value *is_one = OP2(equal, o->width, NUMBER(1));
        struct ir_value *steps =
            MAKE(&m->b, OP_where, is_one, NUMBER(1), OP2(subtract, o->width, NUMBER(1)));
        struct ir_value *place =
            OP2(divide, OP2(multiply, i, OP2(subtract, o->in, NUMBER(1))), steps);
        return MAKE(&m->b, OP_where, is_one, NUMBER(0), place);
    }
    if (strcmp(o->coordinates, "pytorch_half_pixel") == 0)
        return MAKE(&m->b, OP_where, OP2(greater, o->width, NUMBER(1)), half, NUMBER(0));
    if (strcmp(o->coordinates, "half_pixel") == 0)
        return half;
    refuse_open(o->n, o->coordinates);
    return NULL;
}

/* @x at @places along the axis, those outside at the border. */
static struct ir_value *take_at(struct open_axis *o, struct ir_value *x, int64_t axis,
                                struct ir_value *places)
{
    struct ir_value *last = OP2(subtract, o->in, NUMBER(1));
    places = OP2(maximum, OP2(minimum, places, last), NUMBER(0));
    return MAKE_WITH(&o->m->b, OP_take, ((struct make_attr){"axis", onnx_attr_int(o->m, axis)}), x,
                     onnx_cast(o->m, places, IR_I64));
}

static struct ir_value *nearest(struct open_axis *o, struct ir_value *places)
{
    const char *kind =
        o->n->opset < 11 ? "floor" : onnx_string(o->n, "nearest_mode", "round_prefer_floor");

    if (strcmp(kind, "floor") == 0)
        return OP1(floor, places);
    if (strcmp(kind, "ceil") == 0)
        return OP1(ceil, places);
    if (strcmp(kind, "round_prefer_ceil") == 0)
        return OP1(floor, OP2(add, places, NUMBER(0.5)));
    return OP1(ceil, OP2(subtract, places, NUMBER(0.5)));
}

/* The weight of tap @k of a cubic at @ratio: of the piece of the curve in which its distance always lies. */
static struct ir_value *cubic_weight(struct open_axis *o, int k, struct ir_value *ratio)
{
    double a = onnx_float(o->n, "cubic_coeff_a", -0.75);
    struct ir_value *x = k < 0    ? OP2(add, ratio, NUMBER(1))
                         : k == 0 ? ratio
                                  : OP2(subtract, NUMBER(k), ratio);

    if (k == 0 || k == 1) {
        struct ir_value *inner = OP2(subtract, OP2(multiply, x, NUMBER(a + 2)), NUMBER(a + 3));
        return OP2(add, OP2(multiply, inner, OP2(multiply, x, x)), NUMBER(1));
    }
    struct ir_value *inner = OP2(subtract, OP2(multiply, x, NUMBER(a)), NUMBER(5 * a));
    inner = OP2(add, OP2(multiply, inner, x), NUMBER(8 * a));
    return OP2(subtract, OP2(multiply, inner, x), NUMBER(4 * a));
}

static struct ir_value *resize_axis(struct open_axis *o, struct ir_value *x, int64_t axis)
{
    struct onnx_import *m = o->m;
    struct ir_value *places = source_places(o), *sum = NULL;
    struct ir_dtype own = x->type->dtype;

    if (!places)
        return NULL;
    if (strcmp(o->mode, "nearest") == 0)
        return take_at(o, x, axis, nearest(o, places));
    bool is_cubic = strcmp(o->mode, "cubic") == 0;
    x = ir_dtype_is_float(own) ? x : onnx_cast(m, x, IR_F32);
    struct ir_value *below = OP2(subtract, OP1(ceil, places), NUMBER(1));
    struct ir_value *ratio = OP2(subtract, places, below);
    for (int k = is_cubic ? -1 : 0; k <= (is_cubic ? 2 : 1) && x; k++) {
        struct ir_value *weight = is_cubic ? cubic_weight(o, k, ratio)
                                  : k == 0 ? OP2(subtract, NUMBER(1), ratio)
                                           : ratio;
        weight = onnx_along(m, onnx_cast(m, weight, x->type->dtype), axis, onnx_rank(x));
        struct ir_value *part =
            OP2(multiply, take_at(o, x, axis, OP2(add, below, NUMBER(k))), weight);
        sum = sum ? OP2(add, sum, part) : part;
    }
    return onnx_cast(m, sum, own);
}

/* floor(@extent * @scale) of a scale that is a quotient of small numbers; NULL: it is none. */
static const struct ir_expr *scaled(struct onnx_import *m, const struct ir_expr *extent,
                                    double scale)
{
    for (int64_t q = 1; q <= 64; q++) {
        double p = round(scale * (double)q);
        if (p >= 1 && p < 1e6 && fabs(p / (double)q - scale) <= 1e-7 * scale)
            return onnx_op(m, IR_EXPR_floordiv,
                           onnx_op(m, IR_EXPR_mul, extent, onnx_expr(m, (int64_t)p)),
                           onnx_expr(m, q));
    }
    return NULL;
}

/* What the node says of axis @i of its list; false after a report. */
static bool read_axis(struct open_axis *o, const struct ir_expr *const *sizes,
                      const struct ir_expr *scale, size_t i)
{
    double factor = 1;

    if (sizes) {
        o->out = sizes[i];
        o->in = size_of(o, o->extent);
        o->width = size_of(o, o->out);
        o->scale = OP2(divide, o->width, o->in);
        return o->scale != NULL;
    }
    factor = scale->kind == IR_EXPR_int ? (double)scale->int_value : scale->float_value;
    o->out = scaled(o->m, o->extent, factor);
    if (!o->out) {
        onnx_refuse(o->n, "it resizes an axis whose extent is not known by %g", factor);
        return false;
    }
    o->in = size_of(o, o->extent);
    o->scale = NUMBER(factor);
    o->width = OP2(multiply, o->in, o->scale);
    return o->width != NULL;
}

/* The elements of an input that is given; NULL: it is not, or empty. */
static const struct ir_expr *const *given(struct onnx_node *n, unsigned input, size_t *out_count)
{
    *out_count = 0;
    if (!onnx_has(n, input))
        return NULL;
    const struct ir_expr *const *items = onnx_in_ints(n, input, out_count);
    return *out_count > 0 ? items : NULL;
}

bool onnx_resize_open(struct onnx_node *n, struct ir_value *x)
{
    const char *mode = onnx_string(n, "mode", "nearest");
    struct open_axis o = {.n = n, .m = n->m};
    size_t scale_count, size_count = 0, axis_count;
    const int64_t *axes = onnx_ints(n, "axes", &axis_count);
    const struct ir_expr *const *scales = given(n, n->opset < 11 ? 1 : 2, &scale_count),
                                *const *sizes = n->opset < 11 ? NULL : given(n, 3, &size_count);
    size_t count = axes ? axis_count : (size_t)onnx_rank(x);

    o.mode = strstr(mode, "linear") ? "linear" : mode;
    o.coordinates = n->opset < 11 ? "asymmetric"
                                  : onnx_string(n, "coordinate_transformation_mode", "half_pixel");
    if ((sizes ? size_count : scale_count) != count || (!sizes && !scales) ||
        onnx_int(n, "antialias", 0) || onnx_int(n, "exclude_outside", 0) ||
        strcmp(onnx_string(n, "keep_aspect_ratio_policy", "stretch"), "stretch") != 0) {
        refuse_open(n, "this form");
        return false;
    }
    for (size_t i = 0; i < count && x; i++) {
        int64_t axis;
        if (!onnx_axis(n, axes ? axes[i] : (int64_t)i, onnx_rank(x), &axis))
            return false;
        o.extent = onnx_dims(x)[axis];
        if (sizes ? ir_prove_equal(n->m->context, sizes[i], o.extent)
                  : ir_expr_is_int(scales[i], 1))
            continue;
        x = read_axis(&o, sizes, sizes ? NULL : scales[i], i) ? resize_axis(&o, x, axis) : NULL;
    }
    return onnx_out(n, 0, x);
}
