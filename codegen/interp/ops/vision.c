/* Images sampled at points and in regions. */
#include "codegen/interp/ops/numbers.h"

#include <math.h>
#include <string.h>

/* ---- grid_sample ---- */

struct axis {
    int64_t extent;
    bool is_aligned;
    const char *padding, *method;
};

static double reflect(const struct axis *a, double x)
{
    double low = a->is_aligned ? 0 : -0.5;
    double span = (double)(a->is_aligned ? a->extent - 1 : a->extent);
    if (span == 0)
        return 0;
    double far = fabs(x - low), turns = floor(far / span), rest = far - turns * span;
    return (fmod(turns, 2) == 0 ? rest : span - rest) + low;
}

static double limit(const struct axis *a, double x)
{
    double last = (double)(a->extent - 1);
    return x > 0 ? (x < last ? x : last) : 0;
}

static double pad(const struct axis *a, double x)
{
    if (strcmp(a->padding, "reflection") == 0)
        x = reflect(a, x);
    return strcmp(a->padding, "zeros") == 0 ? x : limit(a, x);
}

/* Weight of the element at distance @d. */
static double cubic_weight(double d)
{
    const double alpha = -0.75;
    d = fabs(d);
    if (d <= 1)
        return ((alpha + 2) * d - (alpha + 3)) * d * d + 1;
    return d < 2 ? ((alpha * d - 5 * alpha) * d + 8 * alpha) * d - 4 * alpha : 0;
}

/* The elements along an axis that count, -1 for those outside, and their weights. */
static unsigned find_taps(const struct axis *a, double coordinate, int64_t *index, double *weight)
{
    bool is_cubic = strcmp(a->method, "bicubic") == 0, is_near = strcmp(a->method, "nearest") == 0;
    double x = (coordinate + 1) * (double)(a->is_aligned ? a->extent - 1 : a->extent) / 2 -
               (a->is_aligned ? 0 : 0.5);
    if (!is_cubic)
        x = pad(a, x);
    unsigned count = is_cubic ? 4 : is_near ? 1 : 2;
    for (unsigned t = 0; t < count; t++) {
        double place = is_near ? nearbyint(x) : floor(x) + t - (is_cubic ? 1 : 0);
        weight[t] = is_cubic ? cubic_weight(x - place) : is_near ? 1 : 1 - fabs(x - place);
        if (is_cubic)
            place = pad(a, place);
        index[t] = place >= 0 && place < (double)a->extent ? (int64_t)place : -1;
    }
    return count;
}

const struct interp_value *interp_op_grid_sample(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0), *grid = interp_operand(o, 1);
    struct axis a = {.is_aligned = interp_attr_bool(o, "align_corners")};
    int64_t shape[INTERP_RANK];
    struct interp_index i;
    a.method = ir_op_attr(o->op, "method")->string;
    a.padding = ir_op_attr(o->op, "padding_mode")->string;
    if (!x || !grid)
        return NULL;
    unsigned ndim = (unsigned)x->ndim, spatial = ndim - 2;
    memcpy(shape, grid->shape, ndim * sizeof(int64_t));
    shape[1] = x->shape[1];
    struct interp_value *result = interp_tensor_new(o->run, interp_tensor_dtype(x), shape, ndim);
    if (!result)
        return NULL;
    for (interp_index_begin(&i, shape, ndim); !i.is_done; interp_index_next(&i)) {
        int64_t index[3][4], at[INTERP_RANK];
        double weight[3][4], sum = 0;
        unsigned counts[3] = {1, 1, 1}, total = 1;
        memcpy(at, i.at, sizeof(at));
        for (unsigned s = 0; s < spatial; s++) {
            at[1] = spatial - 1 - s;
            a.extent = x->shape[s + 2];
            struct interp_scalar point = num_load(grid, interp_offset(grid->shape, ndim, at));
            counts[s] = find_taps(&a, point.real, index[s], weight[s]);
            total *= counts[s];
        }
        at[1] = i.at[1];
        for (unsigned n = 0; n < total; n++) {
            double product = 1;
            bool is_inside = true;
            for (unsigned s = 0, rest = n; s < spatial; rest /= counts[s], s++) {
                unsigned t = rest % counts[s];
                at[s + 2] = index[s][t];
                is_inside &= index[s][t] >= 0;
                product *= weight[s][t];
            }
            if (is_inside)
                sum += product * num_load(x, interp_offset(x->shape, ndim, at)).real;
        }
        num_store(result->tensor, i.position,
                  num(interp_compute_dtype(interp_tensor_dtype(x)), sum));
    }
    return result;
}

/* ---- regions ---- */

struct region {
    const struct inlay_tensor *x, *rois;
    bool is_nhwc;
    double scale;
    int64_t size[2], extent[2], channels;
};

static bool read_region(struct interp_op *o, struct region *r, int64_t *out_shape)
{
    unsigned count;
    const int64_t *size = interp_attr_ints(o, "pooled_size", &count);

    *r = (struct region){.x = interp_operand(o, 0), .rois = interp_operand(o, 1)};
    if (!r->x || !r->rois)
        return false;
    if (count == 0 || r->x->ndim != 4 || r->rois->ndim != 2)
        return num_refuse(o, "these shapes") != NULL;
    r->is_nhwc = strcmp(ir_op_attr(o->op, "layout")->string, "NHWC") == 0;
    r->scale = interp_attr_float(o, "spatial_scale");
    r->channels = r->x->shape[r->is_nhwc ? 3 : 1];
    for (unsigned i = 0; i < 2; i++) {
        r->size[i] = size[count > 1 ? i : 0];
        r->extent[i] = r->x->shape[(r->is_nhwc ? 1 : 2) + i];
    }
    out_shape[0] = r->rois->shape[0];
    out_shape[r->is_nhwc ? 3 : 1] = r->channels;
    out_shape[r->is_nhwc ? 1 : 2] = r->size[0];
    out_shape[r->is_nhwc ? 2 : 3] = r->size[1];
    return true;
}

static double region_column(const struct region *r, int64_t roi, unsigned i)
{
    return num_load(r->rois, roi * r->rois->shape[1] + i).real;
}

/* Element (y, x) of the image and channel that the result's place @at belongs to; false if there is no such image. */
static bool region_element(struct interp_op *o, const struct region *r, const int64_t *at,
                           int64_t y, int64_t x, double *out)
{
    int64_t batch = (int64_t)region_column(r, at[0], 0), channel = at[r->is_nhwc ? 3 : 1];
    int64_t nchw[] = {batch, channel, y, x}, nhwc[] = {batch, y, x, channel};

    if (batch < 0 || batch >= r->x->shape[0])
        return interp_fail(o->run, INLAY_ERROR_BOUNDS, "image %lld of %lld", (long long)batch,
                           (long long)r->x->shape[0]);
    *out = num_load(r->x, interp_offset(r->x->shape, 4, r->is_nhwc ? nhwc : nchw)).real;
    return true;
}

/* The image at (place[0], place[1]), interpolated. */
static bool region_sample(struct interp_op *o, const struct region *r, const int64_t *at,
                          const double *place, double *out)
{
    int64_t low[2], high[2];
    double part[2], sum = 0;

    *out = 0;
    for (unsigned i = 0; i < 2; i++) {
        double last = (double)(r->extent[i] - 1), x = place[i];
        if (x < -1 || x > (double)r->extent[i])
            return true;
        x = x < 0 ? 0 : x > last ? last : x;
        low[i] = (int64_t)floor(x);
        high[i] = low[i] + 1 < r->extent[i] ? low[i] + 1 : low[i];
        part[i] = x - (double)low[i];
    }
    for (unsigned corner = 0; corner < 4; corner++) {
        bool is_down = corner & 1, is_right = corner & 2;
        double element;
        if (!region_element(o, r, at, is_down ? high[0] : low[0], is_right ? high[1] : low[1],
                            &element))
            return false;
        sum += element * (is_down ? part[0] : 1 - part[0]) * (is_right ? part[1] : 1 - part[1]);
    }
    *out = sum;
    return true;
}

const struct interp_value *interp_op_roi_align(struct interp_op *o)
{
    bool is_aligned = interp_attr_bool(o, "aligned");
    bool is_max = strcmp(ir_op_attr(o->op, "mode")->string, "max") == 0;
    int64_t shape[4], ratio = interp_attr_int(o, "sample_ratio", -1);
    struct interp_index i;
    struct region r;

    if (!read_region(o, &r, shape))
        return NULL;
    struct interp_value *result = interp_tensor_new(o->run, interp_tensor_dtype(r.x), shape, 4);
    for (interp_index_begin(&i, shape, 4); result && !i.is_done; interp_index_next(&i)) {
        double start[2], step[2], total = is_max ? -INFINITY : 0;
        int64_t count[2];
        for (unsigned d = 0; d < 2; d++) {
            double first = region_column(&r, i.at[0], 2 - d) * r.scale;
            double length = region_column(&r, i.at[0], 4 - d) * r.scale - first;
            if (!is_aligned && length < 1)
                length = 1;
            double cell = length / (double)r.size[d];
            count[d] = ratio > 0 ? ratio : (int64_t)ceil(cell);
            start[d] = first + (double)i.at[(r.is_nhwc ? 1 : 2) + d] * cell;
            step[d] = cell / (double)count[d];
        }
        for (int64_t n = 0; n < count[0] * count[1]; n++) {
            double place[] = {start[0] + ((double)(n / count[1]) + 0.5) * step[0],
                              start[1] + ((double)(n % count[1]) + 0.5) * step[1]};
            double value;
            if (!region_sample(o, &r, i.at, place, &value))
                return NULL;
            total = is_max ? (value > total ? value : total) : total + value;
        }
        if (!is_max && count[0] * count[1] > 0)
            total /= (double)(count[0] * count[1]);
        num_store(result->tensor, i.position, num(IR_F64, total));
    }
    return result;
}

const struct interp_value *interp_op_roi_pool(struct interp_op *o)
{
    int64_t shape[4];
    struct interp_index i;
    struct region r;

    if (!read_region(o, &r, shape))
        return NULL;
    struct interp_value *result = interp_tensor_new(o->run, interp_tensor_dtype(r.x), shape, 4);
    for (interp_index_begin(&i, shape, 4); result && !i.is_done; interp_index_next(&i)) {
        int64_t from[2], to[2];
        double best = -INFINITY;
        for (unsigned d = 0; d < 2; d++) {
            int64_t at = i.at[(r.is_nhwc ? 1 : 2) + d];
            int64_t first = (int64_t)floor(region_column(&r, i.at[0], 2 - d) * r.scale + 0.5);
            int64_t last = (int64_t)floor(region_column(&r, i.at[0], 4 - d) * r.scale + 0.5);
            /* in float32, as cells are divided at whole numbers */
            float cell = (float)(last - first + 1 > 1 ? last - first + 1 : 1) / (float)r.size[d];
            from[d] = (int64_t)floorf((float)at * cell) + first;
            to[d] = (int64_t)ceilf((float)(at + 1) * cell) + first;
            from[d] = from[d] < 0 ? 0 : from[d];
            to[d] = to[d] > r.extent[d] ? r.extent[d] : to[d];
        }
        for (int64_t y = from[0]; y < to[0]; y++)
            for (int64_t x = from[1]; x < to[1]; x++) {
                double value;
                if (!region_element(o, &r, i.at, y, x, &value))
                    return NULL;
                best = value > best || isnan(value) ? value : best;
            }
        num_store(result->tensor, i.position,
                  num(IR_F64, from[0] < to[0] && from[1] < to[1] ? best : 0));
    }
    return result;
}
