/*
 * Convolutions and pools: windows that move over the spatial axes, in the layouts of the attributes.
 *
 * Layouts may be packed: NCHW16c has the channels in groups of 16, whose places are an axis of their own.
 *
 * A transposed convolution gives every element of the data, times the weight, to where it reaches.
 */
#include "codegen/interp/ops/numbers.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { SPATIAL_LIMIT = 3, AXIS_LIMIT = 2 * (SPATIAL_LIMIT + 2) };

/* What the attributes say, by spatial axis. */
struct window {
    unsigned count;
    const char *layout, *out_layout, *kernel_layout; /* the last NULL for pools */
    char letters[SPATIAL_LIMIT + 1];
    int64_t size[SPATIAL_LIMIT], stride[SPATIAL_LIMIT], dilation[SPATIAL_LIMIT];
    int64_t before[SPATIAL_LIMIT], behind[SPATIAL_LIMIT];
};

static int64_t entry(const int64_t *list, unsigned count, unsigned i, int64_t otherwise)
{
    return count == 0 ? otherwise : list[i < count ? i : count - 1];
}

static void read_list(const struct interp_op *o, const char *name, unsigned count, int64_t *out)
{
    unsigned given;
    const int64_t *list = interp_attr_ints(o, name, &given);
    for (unsigned i = 0; i < count; i++)
        out[i] = entry(list, given, i, 1);
}

static bool is_letter(char c)
{
    return isalpha((unsigned char)c) != 0;
}

static int axis_count(const char *layout)
{
    int count = 0;

    for (; *layout; layout++)
        count += is_letter(*layout);
    return count;
}

static int axis(const char *layout, char letter)
{
    int count = 0;

    for (; *layout != letter; layout++)
        count += is_letter(*layout);
    return count;
}

static char group_of(char letter)
{
    return (char)tolower((unsigned char)letter);
}

/* How many are in a group of @letter; 1: it has no groups. */
static int64_t group_size(const char *layout, char letter)
{
    const char *group = strchr(layout, group_of(letter)), *digits = group;

    while (group && digits > layout && !is_letter(digits[-1]))
        digits--;
    return group ? strtoll(digits, NULL, 10) : 1;
}

/* Puts @value of @letter to where @layout has it. */
static void put(const char *layout, char letter, int64_t value, int64_t *index)
{
    int64_t size = group_size(layout, letter);

    index[axis(layout, letter)] = value / size;
    if (size > 1)
        index[axis(layout, group_of(letter))] = value % size;
}

static const char *layout_of(const struct interp_op *o, const char *name, const char *otherwise)
{
    const struct ir_attr *attr = ir_op_attr(o->op, name);
    return attr->kind == IR_ATTR_STRING && *attr->string ? attr->string : otherwise;
}

static unsigned spatial_count(const char *layout)
{
    unsigned count = 0;

    for (; *layout; layout++)
        count += isupper((unsigned char)*layout) != 0;
    return count - 2;
}

static void read_letters(struct window *w)
{
    static const char letters[] = "DHW";

    for (unsigned i = 0; i < w->count && i < SPATIAL_LIMIT; i++)
        w->letters[i] = letters[SPATIAL_LIMIT - w->count + i];
}

static bool read_window(struct interp_op *o, const char *layout, struct window *w)
{
    unsigned given;
    *w = (struct window){.layout = layout_of(o, layout, "")};
    w->out_layout = layout_of(o, "out_layout", w->layout);
    w->count = spatial_count(w->layout);
    read_letters(w);
    const int64_t *padding = interp_attr_ints(o, "padding", &given);
    for (unsigned i = 0; i < w->count; i++) {
        bool has_both = given == 2 * w->count;
        w->before[i] = entry(padding, given, i, 0);
        w->behind[i] = has_both ? padding[w->count + i] : w->before[i];
    }
    read_list(o, "strides", w->count, w->stride);
    read_list(o, "dilation", w->count, w->dilation);
    return true;
}

/* A place: what stands for the two letters in front of the spatial ones, N C or O I. */
struct place {
    int64_t first, second, at[SPATIAL_LIMIT];
};

static int64_t offset_of(const struct window *w, const char *layout, const char *letters,
                         const struct inlay_tensor *x, const struct place *place)
{
    int64_t index[AXIS_LIMIT];
    put(layout, letters[0], place->first, index);
    put(layout, letters[1], place->second, index);
    for (unsigned i = 0; i < w->count; i++)
        put(layout, w->letters[i], place->at[i], index);
    return interp_offset(x->shape, (unsigned)x->ndim, index);
}

static int64_t extent(const char *layout, char letter, const struct inlay_tensor *x)
{
    return x->shape[axis(layout, letter)] * group_size(layout, letter);
}

/* What index @at, in the order of @layout, is of @letter. */
static int64_t part_of(const char *layout, char letter, const int64_t *at)
{
    int64_t size = group_size(layout, letter), part = at[axis(layout, letter)];

    return size > 1 ? part * size + at[axis(layout, group_of(letter))] : part;
}

/* The place that index @at of the result (in the order of its layout) stands for. */
static struct place place_of(const struct window *w, const int64_t *at)
{
    struct place place = {part_of(w->out_layout, 'N', at), part_of(w->out_layout, 'C', at), {0}};
    for (unsigned i = 0; i < w->count; i++)
        place.at[i] = part_of(w->out_layout, w->letters[i], at);
    return place;
}

static bool is_inside(const struct window *w, const struct inlay_tensor *x, const char *layout,
                      const struct place *place)
{
    for (unsigned i = 0; i < w->count; i++)
        if (place->at[i] < 0 || place->at[i] >= extent(layout, w->letters[i], x))
            return false;
    return true;
}

/* Where position @k of the window at @at lies along spatial axis @d. */
static int64_t reached(const struct window *w, unsigned d, int64_t at, int64_t k)
{
    return at * w->stride[d] + k * w->dilation[d] - w->before[d];
}

/* The element of @x that position @k of the window at @to sees; false if it lies outside. */
static bool sees(const struct window *w, const struct inlay_tensor *x, const struct place *to,
                 const int64_t *k, struct place *out_from)
{
    *out_from = *to;
    for (unsigned d = 0; d < w->count; d++)
        out_from->at[d] = reached(w, d, to->at[d], k[d]);
    return is_inside(w, x, w->layout, out_from);
}

static void put_extent(const char *layout, char letter, int64_t extent, int64_t *shape)
{
    int64_t size = group_size(layout, letter);

    shape[axis(layout, letter)] = extent / size;
    if (size > 1)
        shape[axis(layout, group_of(letter))] = size;
}

/* A result with these channels and spatial extents. */
static struct interp_value *result_of(struct interp_op *o, const struct window *w,
                                      struct ir_dtype dtype, int64_t batch, int64_t channels,
                                      const int64_t *extents)
{
    int64_t shape[AXIS_LIMIT];
    put_extent(w->out_layout, 'N', batch, shape);
    put_extent(w->out_layout, 'C', channels, shape);
    for (unsigned i = 0; i < w->count; i++)
        put_extent(w->out_layout, w->letters[i], extents[i], shape);
    return interp_tensor_new(o->run, dtype, shape, (unsigned)axis_count(w->out_layout));
}

static int64_t floor_quotient(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

static bool check_channels(struct interp_op *o, int64_t of_data, int64_t of_weight)
{
    return of_data == of_weight ||
           interp_fail(o->run, INLAY_ERROR_SHAPE, "%lld channels meet a weight for %lld",
                       (long long)of_data, (long long)of_weight);
}

const struct interp_value *interp_op_conv(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0), *weight = interp_operand(o, 1);
    int64_t extents[SPATIAL_LIMIT], groups = interp_attr_int(o, "groups", 1);
    struct window w;
    if (!x || !weight || !read_window(o, "data_layout", &w))
        return NULL;
    w.kernel_layout = layout_of(o, "kernel_layout", "");
    for (unsigned i = 0; i < w.count; i++) {
        w.size[i] = extent(w.kernel_layout, w.letters[i], weight);
        int64_t room = extent(w.layout, w.letters[i], x) + w.before[i] + w.behind[i] -
                       w.dilation[i] * (w.size[i] - 1) - 1;
        extents[i] = floor_quotient(room, w.stride[i]) + 1;
    }
    int64_t per_group = extent(w.kernel_layout, 'I', weight);
    int64_t channels = extent(w.kernel_layout, 'O', weight);
    if (!check_channels(o, extent(w.layout, 'C', x), per_group * groups))
        return NULL;
    struct ir_dtype dtype = interp_attr_dtype(o, "out_dtype", interp_tensor_dtype(x));
    struct ir_dtype wide = interp_compute_dtype(dtype);
    struct interp_value *result =
        result_of(o, &w, dtype, extent(w.layout, 'N', x), channels, extents);
    struct interp_index i, k;
    if (!result)
        return NULL;
    for (interp_index_begin(&i, result->tensor->shape, (unsigned)result->tensor->ndim); !i.is_done;
         interp_index_next(&i)) {
        struct place to = place_of(&w, i.at);
        struct interp_scalar sum = num(wide, 0);
        for (int64_t c = 0; c < per_group; c++)
            for (interp_index_begin(&k, w.size, w.count); !k.is_done; interp_index_next(&k)) {
                struct place from = {
                    to.first, to.second / (channels / groups) * per_group + c, {0}};
                struct place at = {to.second, c, {0}};
                for (unsigned d = 0; d < w.count; d++) {
                    at.at[d] = k.at[d];
                    from.at[d] = reached(&w, d, to.at[d], k.at[d]);
                }
                struct interp_scalar element = num(wide, 0);
                if (is_inside(&w, x, w.layout, &from))
                    element =
                        interp_cast(num_load(x, offset_of(&w, w.layout, "NC", x, &from)), wide);
                struct interp_scalar by = interp_cast(
                    num_load(weight, offset_of(&w, w.kernel_layout, "OI", weight, &at)), wide);
                sum = NUM_ADD(sum, NUM_MUL(element, by));
            }
        num_store(result->tensor, i.position, sum);
    }
    return result;
}

const struct interp_value *interp_op_conv_transpose(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0), *weight = interp_operand(o, 1);
    int64_t extents[SPATIAL_LIMIT], extra[SPATIAL_LIMIT], source[SPATIAL_LIMIT];
    int64_t groups = interp_attr_int(o, "groups", 1);
    unsigned given;
    struct window w;
    if (!x || !weight || !read_window(o, "data_layout", &w))
        return NULL;
    w.kernel_layout = layout_of(o, "kernel_layout", "");
    const int64_t *list = interp_attr_ints(o, "output_padding", &given);
    for (unsigned i = 0; i < w.count; i++) {
        extra[i] = entry(list, given, i, 0);
        w.size[i] = extent(w.kernel_layout, w.letters[i], weight);
        source[i] = extent(w.layout, w.letters[i], x);
        extents[i] = (source[i] - 1) * w.stride[i] + w.dilation[i] * (w.size[i] - 1) + 1 +
                     extra[i] - w.before[i] - w.behind[i];
    }
    int64_t per_group = extent(w.kernel_layout, 'O', weight);
    int64_t channels = extent(w.kernel_layout, 'I', weight);
    if (!check_channels(o, extent(w.layout, 'C', x), channels))
        return NULL;
    struct ir_dtype dtype = interp_attr_dtype(o, "out_dtype", interp_tensor_dtype(x));
    struct ir_dtype wide = interp_compute_dtype(dtype);
    int64_t batch = extent(w.layout, 'N', x);
    struct interp_value *sums = result_of(o, &w, wide, batch, per_group * groups, extents);
    struct interp_value *result = result_of(o, &w, dtype, batch, per_group * groups, extents);
    struct interp_index i, k;
    if (!sums || !result)
        return NULL;
    struct place from = {0}, to = {0}, at = {0};
    for (from.first = 0; from.first < batch; from.first++)
        for (from.second = 0; from.second < channels; from.second++)
            for (at.second = 0; at.second < per_group; at.second++)
                for (interp_index_begin(&i, source, w.count); !i.is_done; interp_index_next(&i))
                    for (interp_index_begin(&k, w.size, w.count); !k.is_done;
                         interp_index_next(&k)) {
                        to.first = from.first;
                        to.second = from.second / (channels / groups) * per_group + at.second;
                        at.first = from.second;
                        for (unsigned d = 0; d < w.count; d++) {
                            from.at[d] = i.at[d];
                            at.at[d] = k.at[d];
                            to.at[d] = reached(&w, d, i.at[d], k.at[d]);
                        }
                        if (!is_inside(&w, sums->tensor, w.out_layout, &to))
                            continue;
                        int64_t place = offset_of(&w, w.out_layout, "NC", sums->tensor, &to);
                        struct interp_scalar element =
                            interp_cast(num_load(x, offset_of(&w, w.layout, "NC", x, &from)), wide);
                        struct interp_scalar by = interp_cast(
                            num_load(weight, offset_of(&w, w.kernel_layout, "IO", weight, &at)),
                            wide);
                        num_store(sums->tensor, place,
                                  NUM_ADD(num_load(sums->tensor, place), NUM_MUL(element, by)));
                    }
    for (int64_t n = 0; n < inlay_tensor_elements(sums->tensor); n++)
        num_store(result->tensor, n, num_load(sums->tensor, n));
    return result;
}

/* ---- pools ---- */

static int64_t ceil_quotient(int64_t a, int64_t b)
{
    return floor_quotient(a + b - 1, b);
}

/*
 * By what the sum over the window at @to is divided: its positions in the data, or also those in the
 * padding; behind that, where windows of ceil_mode may reach, there are none.
 */
static int64_t pool_count(const struct window *w, const struct inlay_tensor *x,
                          const struct place *to, bool counts_padding)
{
    int64_t count = 1;
    for (unsigned d = 0; d < w->count; d++) {
        int64_t limit = extent(w->layout, w->letters[d], x), seen = 0;
        for (int64_t k = 0; k < w->size[d]; k++) {
            int64_t at = reached(w, d, to->at[d], k);
            seen += counts_padding ? at < limit + w->behind[d] : at >= 0 && at < limit;
        }
        count *= seen;
    }
    return count > 0 ? count : 1;
}

/* The reduction over the window at @to: largest element, or mean of what is inside of the data. */
static struct interp_scalar pool_at(const struct window *w, const struct inlay_tensor *x,
                                    const struct place *to, bool is_max, bool counts_padding)
{
    struct ir_dtype wide = interp_compute_dtype(interp_tensor_dtype(x));
    struct interp_scalar result = is_max ? num(wide, -(double)__builtin_inff()) : num(wide, 0);
    struct interp_index k;
    for (interp_index_begin(&k, w->size, w->count); !k.is_done; interp_index_next(&k)) {
        struct place from;
        if (!sees(w, x, to, k.at, &from))
            continue;
        struct interp_scalar element = num_load(x, offset_of(w, w->layout, "NC", x, &from));
        result = is_max ? NUM_MAX(result, element) : NUM_ADD(result, element);
    }
    return is_max ? result : num_share(result, pool_count(w, x, to, counts_padding));
}

/* Windows over spatial axis @d; with ceil_mode the last one must not start behind the data. */
static int64_t pool_extent(const struct window *w, const struct inlay_tensor *x, unsigned d,
                           bool is_ceil)
{
    int64_t whole = extent(w->layout, w->letters[d], x);
    int64_t room = whole + w->before[d] + w->behind[d] - w->dilation[d] * (w->size[d] - 1) - 1;
    if (!is_ceil)
        return floor_quotient(room, w->stride[d]) + 1;
    int64_t count = ceil_quotient(room, w->stride[d]) + 1;
    return (count - 1) * w->stride[d] >= whole + w->before[d] ? count - 1 : count;
}

static const struct interp_value *pool(struct interp_op *o, bool is_max)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    int64_t extents[SPATIAL_LIMIT];
    struct window w;
    struct interp_index i;
    if (!x || !read_window(o, "layout", &w))
        return NULL;
    read_list(o, "pool_size", w.count, w.size);
    for (unsigned d = 0; d < w.count; d++)
        extents[d] = pool_extent(&w, x, d, interp_attr_bool(o, "ceil_mode"));
    struct interp_value *result = result_of(o, &w, interp_tensor_dtype(x), extent(w.layout, 'N', x),
                                            extent(w.layout, 'C', x), extents);
    if (!result)
        return NULL;
    for (interp_index_begin(&i, result->tensor->shape, (unsigned)result->tensor->ndim); !i.is_done;
         interp_index_next(&i)) {
        struct place to = place_of(&w, i.at);
        num_store(result->tensor, i.position,
                  pool_at(&w, x, &to, is_max, interp_attr_bool(o, "count_include_pad")));
    }
    return result;
}

const struct interp_value *interp_op_max_pool(struct interp_op *o)
{
    return pool(o, true);
}

const struct interp_value *interp_op_avg_pool(struct interp_op *o)
{
    return pool(o, false);
}

/* Window i of @out: from floor(i * extent / out) to ceil((i + 1) * extent / out). */
const struct interp_value *interp_op_adaptive_avg_pool(struct interp_op *o)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    struct window w = {.layout = layout_of(o, "layout", "")};
    unsigned given;
    const int64_t *size = interp_attr_ints(o, "output_size", &given);
    int64_t extents[SPATIAL_LIMIT];
    struct interp_index i, k;
    w.out_layout = layout_of(o, "out_layout", w.layout);
    if (!x)
        return NULL;
    w.count = spatial_count(w.layout);
    read_letters(&w);
    for (unsigned d = 0; d < w.count; d++)
        extents[d] = entry(size, given, d, extent(w.layout, w.letters[d], x));
    struct interp_value *result = result_of(o, &w, interp_tensor_dtype(x), extent(w.layout, 'N', x),
                                            extent(w.layout, 'C', x), extents);
    if (!result)
        return NULL;
    struct ir_dtype wide = interp_compute_dtype(interp_tensor_dtype(x));
    for (interp_index_begin(&i, result->tensor->shape, (unsigned)result->tensor->ndim); !i.is_done;
         interp_index_next(&i)) {
        struct place to = place_of(&w, i.at);
        struct interp_scalar sum = num(wide, 0);
        int64_t start[SPATIAL_LIMIT], count = 1;
        for (unsigned d = 0; d < w.count; d++) {
            int64_t whole = extent(w.layout, w.letters[d], x);
            start[d] = to.at[d] * whole / extents[d];
            w.size[d] = ceil_quotient((to.at[d] + 1) * whole, extents[d]) - start[d];
            count *= w.size[d];
        }
        for (interp_index_begin(&k, w.size, w.count); !k.is_done; interp_index_next(&k)) {
            struct place from = to;
            for (unsigned d = 0; d < w.count; d++)
                from.at[d] = start[d] + k.at[d];
            sum = NUM_ADD(sum, num_load(x, offset_of(&w, w.layout, "NC", x, &from)));
        }
        num_store(result->tensor, i.position, num_share(sum, count));
    }
    return result;
}

/* ---- gradients of pools ---- */

/* The gradient of a window goes to its best position, or a part of it to each. */
static void give_back(const struct window *w, const struct inlay_tensor *x,
                      const struct inlay_tensor *sums, const struct place *to,
                      struct interp_scalar gradient, bool is_max, bool counts_padding)
{
    struct interp_scalar best = pool_at(w, x, to, true, false);
    struct interp_scalar part = num_share(gradient, pool_count(w, x, to, counts_padding));
    struct interp_index k;
    for (interp_index_begin(&k, w->size, w->count); !k.is_done; interp_index_next(&k)) {
        struct place from;
        if (!sees(w, x, to, k.at, &from))
            continue;
        int64_t at = offset_of(w, w->layout, "NC", x, &from);
        if (!is_max) {
            num_store(sums, at, NUM_ADD(num_load(sums, at), part));
        } else if (num_is(IR_EXPR_eq, num_load(x, at), best)) {
            num_store(sums, at, NUM_ADD(num_load(sums, at), gradient));
            return;
        }
    }
}

static const struct interp_value *pool_backward(struct interp_op *o, bool is_max)
{
    const struct inlay_tensor *gradient = interp_operand(o, 0), *x = interp_operand(o, 1);
    struct window w;
    struct interp_index i;
    if (!gradient || !x || !read_window(o, "layout", &w))
        return NULL;
    read_list(o, "pool_size", w.count, w.size);
    struct ir_dtype dtype = interp_tensor_dtype(x), wide = interp_compute_dtype(dtype);
    struct interp_value *sums = interp_tensor_new(o->run, wide, x->shape, (unsigned)x->ndim);
    struct interp_value *result = interp_tensor_new(o->run, dtype, x->shape, (unsigned)x->ndim);
    if (!sums || !result)
        return NULL;
    for (interp_index_begin(&i, gradient->shape, w.count + 2); !i.is_done; interp_index_next(&i)) {
        struct place to = place_of(&w, i.at);
        give_back(&w, x, sums->tensor, &to, interp_cast(num_load(gradient, i.position), wide),
                  is_max, interp_attr_bool(o, "count_include_pad"));
    }
    for (int64_t n = 0; n < inlay_tensor_elements(x); n++)
        num_store(result->tensor, n, num_load(sums->tensor, n));
    return result;
}

const struct interp_value *interp_op_max_pool_backward(struct interp_op *o)
{
    return pool_backward(o, true);
}

const struct interp_value *interp_op_avg_pool_backward(struct interp_op *o)
{
    return pool_backward(o, false);
}
