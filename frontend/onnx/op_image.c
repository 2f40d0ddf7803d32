/*
 * Resize, one axis at a time: each place of the result is a sum of a few places of the data, whose indices and weights
 * are worked out when the model is read.
 */
#include "frontend/onnx/families.h"

#include <math.h>
#include <string.h>

enum { TAP_LIMIT = 4096 };

/* What the attributes say, and one axis at a time. */
struct resize {
    struct onnx_node *n;
    const char *mode, *coordinates, *nearest;
    double cubic_a, extrapolation;
    bool antialias, excludes;
    double scale, roi_start, roi_end;
    int64_t in, out;
};

/* Where place @i of the result lies in the data. */
static double source_place(const struct resize *r, int64_t i)
{
    double x = (double)i, in = (double)r->in, width = r->scale * in, last = in - 1;
    const char *mode = r->coordinates;

    if (strcmp(mode, "align_corners") == 0)
        return width == 1 ? 0 : x * last / (width - 1);
    if (strcmp(mode, "asymmetric") == 0)
        return x / r->scale;
    if (strcmp(mode, "tf_crop_and_resize") == 0)
        return width > 1
                   ? r->roi_start * last + x * (r->roi_end - r->roi_start) * last / (width - 1)
                   : 0.5 * (r->roi_start + r->roi_end) * last;
    if (strcmp(mode, "pytorch_half_pixel") == 0 && !(width > 1))
        return 0;
    double offset = 0;
    if (strcmp(mode, "tf_half_pixel_for_nn") == 0)
        return (x + 0.5) / r->scale;
    if (strcmp(mode, "half_pixel_symmetric") == 0)
        offset = in / 2 * (1 - (double)r->out / width);
    return offset + (x + 0.5) / r->scale - 0.5;
}

static double cubic(double a, double x)
{
    x = fabs(x);
    if (x <= 1)
        return ((a + 2) * x - (a + 3)) * x * x + 1;
    return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

/* Half as many taps as a place reads; the first is @taps - 1 places in front of the one below. */
static int64_t half_taps(const struct resize *r)
{
    double scale = r->antialias && r->scale < 1 ? r->scale : 1;
    int64_t reach = strcmp(r->mode, "cubic") == 0 ? 2 : 1;

    return strcmp(r->mode, "nearest") == 0 ? 1 : -(int64_t)floor(-(double)reach / scale);
}

/* The weight of the place @distance behind the one below, at @ratio between that and the next. */
static double weight(const struct resize *r, int64_t distance, double ratio)
{
    double scale = r->antialias && r->scale < 1 ? r->scale : 1;
    double x = ((double)distance - ratio) * scale;

    if (strcmp(r->mode, "cubic") == 0)
        return cubic(r->cubic_a, x);
    if (strcmp(r->mode, "linear") == 0)
        return fabs(x) < 1 ? 1 - fabs(x) : 0;
    bool takes_upper = ratio == 1                                     ? true
                       : strcmp(r->nearest, "floor") == 0             ? false
                       : strcmp(r->nearest, "ceil") == 0              ? true
                       : strcmp(r->nearest, "round_prefer_ceil") == 0 ? ratio >= 0.5
                                                                      : ratio > 0.5;
    return distance == (takes_upper ? 1 : 0);
}

/* Indices and weights of all taps: [tap][place]. */
static void fill_taps(const struct resize *r, int64_t taps, int64_t *at, float *weights,
                      bool *outside)
{
    for (int64_t i = 0; i < r->out; i++) {
        double x = source_place(r, i), below = ceil(x) - 1, ratio = x - below, sum = 0;
        outside[i] = x < 0 || x > (double)(r->in - 1);
        for (int64_t k = 0; k < taps; k++) {
            int64_t distance = k - taps / 2 + 1, place = (int64_t)below + distance;
            bool is_in = place >= 0 && place < r->in;
            double w = r->excludes && !is_in ? 0 : weight(r, distance, ratio);
            at[k * r->out + i] = place < 0 ? 0 : place >= r->in ? r->in - 1 : place;
            weights[k * r->out + i] = (float)w;
            sum += w;
        }
        for (int64_t k = 0; k < taps && (r->excludes || r->antialias) && sum != 0; k++)
            weights[k * r->out + i] /= (float)sum;
    }
}

static struct ir_value *take(struct onnx_import *m, struct ir_value *x, int64_t axis,
                             const int64_t *at, int64_t count)
{
    return MAKE_WITH(&m->b, OP_take, ((struct make_attr){"axis", onnx_attr_int(m, axis)}), x,
                     onnx_constant(m, IR_I64, &count, 1, at));
}

static struct ir_value *sum_taps(const struct resize *r, struct ir_value *x, int64_t axis,
                                 int64_t taps, const int64_t *at, const float *weights)
{
    struct onnx_import *m = r->n->m;
    struct ir_value *sum = NULL;
    struct ir_dtype own = x->type->dtype;
    int rank = onnx_rank(x);

    x = ir_dtype_is_float(own) ? x : onnx_cast(m, x, IR_F32);
    for (int64_t k = 0; k < taps && x; k++) {
        struct ir_value *scale =
            onnx_along(m, onnx_constant(m, IR_F32, &r->out, 1, weights + k * r->out), axis, rank);
        struct ir_value *part = MAKE(&m->b, OP_multiply, take(m, x, axis, at + k * r->out, r->out),
                                     onnx_cast(m, scale, x->type->dtype));
        sum = sum ? MAKE(&m->b, OP_add, sum, part) : part;
        if (!sum)
            return NULL;
    }
    return onnx_cast(m, sum, own);
}

static struct ir_value *resize_axis(struct resize *r, struct ir_value *x, int64_t axis)
{
    struct onnx_import *m = r->n->m;
    int64_t taps = 2 * half_taps(r);
    bool is_crop = strcmp(r->coordinates, "tf_crop_and_resize") == 0;

    if (r->in == r->out && r->scale == 1 && !is_crop)
        return x;
    if (r->in < 1 || r->out < 0 || r->out > INT32_MAX || taps > TAP_LIMIT) {
        onnx_refuse(r->n, "an extent is empty or too large");
        return NULL;
    }
    int64_t *at = arena_array(m->arena, int64_t, (size_t)(taps * r->out) + 1);
    float *weights = arena_array(m->arena, float, (size_t)(taps * r->out) + 1);
    bool *outside = arena_array(m->arena, bool, (size_t)r->out + 1);
    fill_taps(r, taps, at, weights, outside);
    if (strcmp(r->mode, "nearest") == 0) {
        for (int64_t i = 0; i < r->out; i++)
            at[i] = weights[i] != 0 ? at[i] : at[r->out + i];
        x = take(m, x, axis, at, r->out);
    } else {
        x = sum_taps(r, x, axis, taps, at, weights);
    }
    if (!is_crop || !x)
        return x;
    struct ir_value *mask =
        onnx_along(m, onnx_constant(m, IR_B1, &r->out, 1, outside), axis, onnx_rank(x));
    return MAKE(&m->b, OP_where, mask, onnx_scalar(m, x->type->dtype, r->extrapolation), x);
}

/* Numbers of an input that may be missing or empty; false after a report. */
static bool numbers_of(struct onnx_node *n, unsigned input, double *out, size_t *out_count)
{
    struct onnx_value *value = onnx_has(n, input) ? n->inputs[input] : NULL;

    *out_count = 0;
    if (!value)
        return true;
    if (!onnx_value_is_known(n->m, value) || value->count > 2 * IR_RANK_LIMIT) {
        onnx_refuse(n, "what `%s` holds must be known when the model is imported",
                    n->proto->input[input]);
        return false;
    }
    for (size_t i = 0; i < value->count; i++) {
        const struct ir_expr *e = value->elements[i];
        if (e->kind != IR_EXPR_int && e->kind != IR_EXPR_float) {
            onnx_refuse(n, "its result has an extent that is not known");
            return false;
        }
        out[i] = e->kind == IR_EXPR_int ? (double)e->int_value : e->float_value;
    }
    *out_count = value->count;
    return true;
}

static void read_modes(struct resize *r, struct onnx_node *n)
{
    bool is_old = n->opset < 11;
    const char *mode = onnx_string(n, "mode", "nearest");

    *r = (struct resize){
        .n = n,
        .mode = strcmp(mode, "bilinear") == 0 || strcmp(mode, "trilinear") == 0 ? "linear" : mode,
        .coordinates =
            is_old ? "asymmetric" : onnx_string(n, "coordinate_transformation_mode", "half_pixel"),
        .nearest = is_old ? "floor" : onnx_string(n, "nearest_mode", "round_prefer_floor"),
        .cubic_a = onnx_float(n, "cubic_coeff_a", -0.75),
        .extrapolation = onnx_float(n, "extrapolation_value", 0),
        .antialias = onnx_int(n, "antialias", 0),
        .excludes = onnx_int(n, "exclude_outside", 0),
        .roi_end = 1,
    };
}

/* One factor for all axes, where the policy wants that. */
static void keep_aspect(struct onnx_node *n, double *scales, const double *sizes, size_t count,
                        const int64_t *extents, int64_t *outs)
{
    const char *policy = onnx_string(n, "keep_aspect_ratio_policy", "stretch");
    bool is_larger = strcmp(policy, "not_smaller") == 0;
    double common = is_larger ? 0 : INFINITY;

    for (size_t i = 0; i < count; i++) {
        double scale = sizes[i] / (double)extents[i];
        common = is_larger ? fmax(common, scale) : fmin(common, scale);
        scales[i] = scale;
        outs[i] = (int64_t)sizes[i];
    }
    if (!is_larger && strcmp(policy, "not_larger") != 0)
        return;
    for (size_t i = 0; i < count; i++) {
        scales[i] = common;
        outs[i] = (int64_t)floor(common * (double)extents[i] + 0.5);
    }
}

/* The scales, or sizes, that the node is given for its axes. */
static bool read_factors(struct onnx_node *n, double *scales, size_t *scale_count, double *sizes,
                         size_t *size_count)
{
    const Onnx__Attribute *given = onnx_attribute(n, "scales");

    *size_count = 0;
    if (given && given->n_floats <= IR_RANK_LIMIT) { /* Upsample of opset 7 */
        for (size_t i = 0; i < given->n_floats; i++)
            scales[i] = (double)given->floats[i];
        *scale_count = given->n_floats;
        return true;
    }
    return numbers_of(n, n->opset < 11 ? 1 : 2, scales, scale_count) &&
           (n->opset < 11 || numbers_of(n, 3, sizes, size_count));
}

/* Are there extents, before or behind it, that are no numbers? */
static bool is_open(struct onnx_node *n, struct ir_value *x)
{
    size_t axis_count, count;
    const int64_t *axes = onnx_ints(n, "axes", &axis_count);
    struct onnx_value *scales = onnx_has(n, 2) ? n->inputs[2] : NULL;
    struct onnx_value *sizes = onnx_has(n, 3) ? n->inputs[3] : NULL;
    bool is_known = scales && onnx_value_is_known(n->m, scales);

    if (sizes && !onnx_value_is_known(n->m, sizes))
        return true;
    for (size_t i = 0; sizes && i < sizes->count; i++)
        if (sizes->elements[i]->kind != IR_EXPR_int)
            return true;
    if (onnx_attribute(n, "scales"))
        return false;
    if (n->opset < 11 && onnx_has(n, 1)) {
        scales = n->inputs[1];
        is_known = onnx_value_is_known(n->m, scales);
    }
    count = axes ? axis_count : (size_t)onnx_rank(x);
    for (size_t i = 0; i < count; i++) {
        int64_t axis = axes ? axes[i] : (int64_t)i;
        axis = axis < 0 ? axis + onnx_rank(x) : axis;
        bool stays = is_known && i < scales->count && ir_expr_is_int(scales->elements[i], 1);
        if (axis >= 0 && axis < onnx_rank(x) && !stays && onnx_dims(x)[axis]->kind != IR_EXPR_int)
            return true;
    }
    return false;
}

bool onnx_resize(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0);
    struct resize r;
    double scales[2 * IR_RANK_LIMIT], sizes[2 * IR_RANK_LIMIT], roi[2 * IR_RANK_LIMIT];
    int64_t extents[IR_RANK_LIMIT] = {0}, outs[IR_RANK_LIMIT], places[IR_RANK_LIMIT];
    size_t scale_count, size_count, roi_count = 0, axis_count;
    const int64_t *axes = onnx_ints(n, "axes", &axis_count);

    if (x && is_open(n, x))
        return onnx_resize_open(n, x);
    if (!x || !read_factors(n, scales, &scale_count, sizes, &size_count) ||
        (n->opset >= 11 && !numbers_of(n, 1, roi, &roi_count)))
        return false;
    read_modes(&r, n);
    size_t count = axes ? axis_count : (size_t)onnx_rank(x);
    if ((scale_count != count && size_count != count) || count > IR_RANK_LIMIT) {
        onnx_refuse(n, "it has neither scales nor sizes for its axes");
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        if (!onnx_axis(n, axes ? axes[i] : (int64_t)i, onnx_rank(x), &places[i]))
            return false;
        bool stays = size_count != count && scales[i] == 1;
        if (!ir_expr_constant(m->context, onnx_dims(x)[places[i]], &extents[i]) && !stays) {
            onnx_refuse(n, "it resizes an axis whose extent is not known");
            return false;
        }
        outs[i] = (int64_t)floor(scales[i] * (double)extents[i]);
    }
    if (size_count == count)
        keep_aspect(n, scales, sizes, count, extents, outs);
    for (size_t i = 0; i < count && x; i++) {
        if (onnx_dims(x)[places[i]]->kind != IR_EXPR_int)
            continue;
        r.scale = scales[i];
        r.in = extents[i];
        r.out = outs[i];
        r.roi_start = roi_count == 2 * count ? roi[i] : 0;
        r.roi_end = roi_count == 2 * count ? roi[i + count] : 1;
        x = resize_axis(&r, x, places[i]);
    }
    return onnx_out(n, 0, x);
}

bool onnx_affine_grid(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *theta = onnx_in(n, 0);
    size_t count;
    const struct ir_expr *const *size = theta ? onnx_in_ints(n, 1, &count) : NULL;
    bool aligns = onnx_int(n, "align_corners", 0);

    if (!size)
        return false;
    if (count != 4 && count != 5) {
        onnx_refuse(n, "its size is neither of an image nor of a volume");
        return false;
    }
    /* Relax gives (batch, 2, height, width), ONNX wants the pair last. */
    const int64_t last[2][5] = {{0, 2, 3, 1}, {0, 2, 3, 4, 1}};
    struct make_attr attr = {"align_corners", ir_attr_bool(m->context, aligns)};
    struct ir_value *grid = MAKE_WITH(&m->b, OP_image_affine_grid, attr, theta,
                                      make_shape(&m->b, size + 2, (unsigned)count - 2));
    return onnx_out(n, 0, grid ? onnx_permute(m, grid, last[count - 4], (unsigned)count) : NULL);
}

bool onnx_grid_sample(struct onnx_node *n)
{
    const int64_t first[2][5] = {{0, 3, 1, 2}, {0, 4, 1, 2, 3}};
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0), *grid = x ? onnx_in(n, 1) : NULL;
    const char *mode = onnx_string(n, "mode", "linear");
    const char *method = strstr(mode, "linear")  ? "bilinear"
                         : strstr(mode, "cubic") ? "bicubic"
                                                 : mode;

    if (!grid)
        return false;
    int rank = onnx_rank(x);
    if (rank < 4 || rank > 5 || onnx_rank(grid) != rank) {
        onnx_refuse(n, "only images of 4 axes and volumes of 5 are supported");
        return false;
    }
    struct make_attr attrs[] = {
        {"method", onnx_attr_string(m, method)},
        {"padding_mode", onnx_attr_string(m, onnx_string(n, "padding_mode", "zeros"))},
        {"align_corners", ir_attr_bool(m->context, onnx_int(n, "align_corners", 0))},
        {"layout", onnx_attr_string(m, rank == 4 ? "NCHW" : "NCDHW")},
    };
    struct ir_value *operands[] = {x, onnx_permute(m, grid, first[rank - 4], (unsigned)rank)};
    return onnx_out(n, 0, make_op(&m->b, OP_image_grid_sample, operands, 2, attrs, 4));
}
