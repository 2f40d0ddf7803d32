/* resize2d, resize3d: the weighted sum of the neighbours of a position, or the nearest one. */
#include "codegen/interp/ops/numbers.h"

#include <math.h>
#include <string.h>

static bool has(struct interp_op *o, const char *attr, const char *value)
{
    const struct ir_attr *given = ir_op_attr(o->op, attr);
    return given->kind == IR_ATTR_STRING && strcmp(given->string, value) == 0;
}

static float position(struct interp_op *o, int64_t at, int64_t extent, int64_t result)
{
    float scale = (float)extent / (float)result, x = (float)at;
    const char *mode = "coordinate_transformation_mode";
    if (has(o, mode, "align_corners"))
        return (float)(extent - 1) / (float)(result > 1 ? result - 1 : 1) * x;
    if (has(o, mode, "asymmetric"))
        return scale * x;
    float middle = (x + 0.5f) * scale;
    if (has(o, mode, "tf_half_pixel_for_nn"))
        return middle;
    return has(o, mode, "pytorch_half_pixel") && result == 1 ? 0.0f : middle - 0.5f;
}

static float nearest(struct interp_op *o, float x)
{
    if (has(o, "rounding_method", "floor"))
        return floorf(x + 1e-5f);
    if (has(o, "rounding_method", "ceil"))
        return ceilf(x - 1e-5f);
    if (has(o, "rounding_method", "round_prefer_floor"))
        return ceilf(x - 0.5f);
    return has(o, "rounding_method", "round_prefer_ceil") ? floorf(x + 0.5f) : nearbyintf(x);
}

static bool is_supported(struct interp_op *o, bool is_linear)
{
    static const char *const modes[] = {"half_pixel",           "align_corners",
                                        "asymmetric",           "pytorch_half_pixel",
                                        "tf_half_pixel_for_nn", "half_pixel_symmetric"};
    bool is_mode = false;
    for (size_t i = 0; i < ARRAY_SIZE(modes); i++)
        is_mode |= has(o, "coordinate_transformation_mode", modes[i]);
    return is_mode &&
           (is_linear || has(o, "method", "nearest_neighbor") || has(o, "method", "cubic"));
}

/* Weight of an element at distance @d of a cubic. */
static double cubic_weight(double alpha, double d)
{
    d = fabs(d);
    if (d <= 1)
        return ((alpha + 2) * d - (alpha + 3)) * d * d + 1;
    return d < 2 ? ((alpha * d - 5 * alpha) * d + 8 * alpha) * d - 4 * alpha : 0;
}

/* Weight of element @index beside @place; @extent elements, of which those outside may not count. */
static double cubic_share(struct interp_op *o, float place, int64_t index, int64_t extent)
{
    double alpha = interp_attr_float(o, "cubic_alpha"), sum = 0;
    bool is_exclusive = interp_attr_int(o, "cubic_exclude", 0) != 0;
    int64_t first = (int64_t)floorf(place) - 1;
    if (is_exclusive && (index < 0 || index >= extent))
        return 0;
    for (int64_t n = first; n < first + 4; n++)
        if (!is_exclusive || (n >= 0 && n < extent))
            sum += cubic_weight(alpha, (double)place - (double)n);
    double weight = cubic_weight(alpha, (double)place - (double)index);
    return is_exclusive ? weight / sum : weight;
}

const struct interp_value *interp_op_resize(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    const struct interp_value *size = o->operands[1];
    const char *layout = ir_op_attr(o->op, "layout")->string;
    bool is_linear = has(o, "method", "linear"), is_cubic = has(o, "method", "cubic");
    int64_t shape[INTERP_RANK];
    struct interp_index i;
    if (!x || size->kind != INTERP_SHAPE)
        return NULL;
    unsigned ndim = (unsigned)x->ndim, count = 0, axes[INTERP_RANK];
    if (!is_supported(o, is_linear) || strspn(layout, "NCDHW") != ndim || size->count == 0)
        return num_refuse(o, "these attributes");
    memcpy(shape, x->shape, ndim * sizeof(int64_t));
    for (unsigned d = 0; d < ndim; d++)
        if (layout[d] != 'N' && layout[d] != 'C')
            axes[count++] = d;
    for (unsigned s = 0; s < count; s++)
        shape[axes[s]] = size->dims[s < size->count ? s : size->count - 1];
    struct ir_dtype dtype = interp_attr_dtype(o, "out_dtype", interp_tensor_dtype(x));
    struct interp_value *result = interp_tensor_new(o->run, dtype, shape, ndim);
    if (!result)
        return NULL;
    for (interp_index_begin(&i, shape, ndim); !i.is_done; interp_index_next(&i)) {
        double sum = 0;
        for (unsigned corner = 0; corner < (is_linear  ? 1u << count
                                            : is_cubic ? 1u << 2 * count
                                                       : 1);
             corner++) {
            int64_t at[INTERP_RANK];
            double weight = 1;
            memcpy(at, i.at, sizeof(at));
            for (unsigned s = 0; s < count; s++) {
                int64_t extent = x->shape[axes[s]];
                float place = position(o, i.at[axes[s]], extent, shape[axes[s]]);
                float start = is_linear || is_cubic ? floorf(place) : nearest(o, place);
                bool is_high = is_linear && (corner >> s & 1);
                if (is_linear)
                    weight *= is_high ? (double)(place - start) : 1 - (double)(place - start);
                int64_t index = (int64_t)start + is_high;
                if (is_cubic) {
                    index += (int64_t)(corner >> 2 * s & 3) - 1;
                    weight *= cubic_share(o, place, index, extent);
                }
                at[axes[s]] = index < 0 ? 0 : index >= extent ? extent - 1 : index;
            }
            struct interp_scalar element =
                interp_cast(num_element(x, interp_offset(x->shape, ndim, at)), IR_F64);
            sum += weight * element.real;
        }
        num_store(result->tensor, i.position, interp_cast(num(IR_F32, sum), dtype));
    }
    return result;
}
