/*
 * Types of operators with windows: convolution, pooling, resizing.
 *
 * Layouts are strings of axis letters.  Packed layouts (NCHW4c) have groups of an axis as axes of their own: a
 * small letter with how many are in a group.
 */
#include "base/assert.h"
#include "ops/window.h"

#include <ctype.h>
#include <string.h>

/* Letters of the axes that windows move over, in their order. */
static const char spatial_letters[] = "DHW";

char window_letter(unsigned i, unsigned count)
{
    return spatial_letters[3 - count + i];
}

unsigned window_axis(const char *layout, char letter)
{
    unsigned axis = 0;

    for (; *layout != letter; layout++) {
        assert(*layout != '\0');
        axis += isalpha((unsigned char)*layout) != 0;
    }
    return axis;
}

int64_t window_factor(const char *layout, char letter)
{
    const char *at = strchr(layout, tolower((unsigned char)letter));
    int64_t factor = 0, place = 1;

    for (; at && at > layout && isdigit((unsigned char)at[-1]); at--, place *= 10)
        factor += (at[-1] - '0') * place;
    return factor ? factor : 1;
}

const struct ir_expr *window_extent(struct ir_context *context, const char *layout,
                                    const struct ir_expr *const *dims, char letter)
{
    const struct ir_expr *extent = dims[window_axis(layout, letter)];

    if (window_factor(layout, letter) == 1)
        return extent;
    return dim_mul(context, extent,
                   dims[window_axis(layout, (char)tolower((unsigned char)letter))]);
}

/* Spatial axes of the operator: as many as the default of its layout @attr has. */
static unsigned spatial_count(const struct infer *in, const char *attr)
{
    const struct ir_op_param *param = ir_attr_param(in->op->info, attr);

    return (unsigned)strlen(param->default_value->string) - 2;
}

/* Groups of @type are as long as @layout says; false after a report. */
static bool check_groups(const struct infer *in, const char *operand, const struct ir_type *type,
                         const char *layout)
{
    const char *what = arena_printf(&in->context->arena, "a group of `%s`", operand);

    for (const char *at = layout; type->dims && *at != '\0'; at++) {
        if (!islower((unsigned char)*at))
            continue;
        const struct ir_expr *factor = op_int(in, window_factor(layout, *at));
        const struct ir_expr *dim = type->dims[window_axis(layout, *at)];
        struct op_pair pair = {OP_DIM_SAME, dim, factor, what, "the number in the layout",
                               operand,     NULL};
        if (op_pair_fits(in, &pair))
            continue;
        diag_report(in->diag, in->op->loc, OP_DIMS, in->op->info->name, what, op_dim_text(in, dim),
                    pair.second_name, op_dim_text(in, factor));
        return false;
    }
    return true;
}

/* Sets the extent of @letter in @dims, of @layout. */
static void set_extent(const struct infer *in, const char *layout, const struct ir_expr **dims,
                       char letter, const struct ir_expr *extent)
{
    int64_t factor = window_factor(layout, letter);

    if (factor > 1) {
        dims[window_axis(layout, (char)tolower((unsigned char)letter))] = op_int(in, factor);
        extent = ir_simplify(
            in->context, ir_expr_binary(in->context, IR_EXPR_floordiv, extent, op_int(in, factor)));
    }
    dims[window_axis(layout, letter)] = extent;
}

static int layout_rank(const char *layout)
{
    int rank = 0;

    for (; *layout != '\0'; layout++)
        rank += isalpha((unsigned char)*layout) != 0;
    return rank;
}

bool window_is_plain(const char *layout)
{
    for (; *layout != '\0'; layout++)
        if (!isupper((unsigned char)*layout))
            return false;
    return true;
}

bool window_has_blocks_of_channels_only(const char *layout)
{
    for (; *layout != '\0'; layout++)
        if (islower((unsigned char)*layout) && *layout != 'c')
            return false;
    return true;
}

unsigned window_spatial_count(const char *layout)
{
    unsigned count = 0;

    for (; *layout != '\0'; layout++)
        count += isupper((unsigned char)*layout) != 0;
    return count - 2;
}

const char *window_layout(const struct ir_op *op, const char *name, const char *otherwise)
{
    const struct ir_attr *attr = ir_op_attr(op, name);

    return attr->kind == IR_ATTR_STRING && attr->string[0] != '\0' ? attr->string : otherwise;
}

int64_t window_item(const struct ir_op *op, const char *name, unsigned i, int64_t otherwise)
{
    const struct ir_attr *list = ir_op_attr(op, name);

    if (list->kind != IR_ATTR_LIST || list->count == 0)
        return otherwise;
    const struct ir_attr *item = list->items[list->count > i ? i : list->count - 1];
    return item->kind == IR_ATTR_INT ? item->integer : otherwise;
}

int64_t window_padding(const struct ir_op *op, unsigned i, unsigned count, bool is_behind)
{
    unsigned entries = ir_op_attr(op, "padding")->count;

    return window_item(op, "padding", is_behind && entries == 2 * count ? count + i : i, 0);
}

static int64_t padding_sum(const struct ir_op *op, unsigned i, unsigned count)
{
    return window_padding(op, i, count, false) + window_padding(op, i, count, true);
}

/* Windows of @size (already dilated) in @extent. */
static const struct ir_expr *window_count(const struct infer *in, const struct ir_expr *extent,
                                          const struct ir_expr *size, int64_t padding,
                                          int64_t stride)
{
    const struct ir_expr *room =
        dim_sub(in->context, dim_add(in->context, extent, op_int(in, padding)), size);

    room = ir_simplify(in->context,
                       ir_expr_binary(in->context, IR_EXPR_floordiv, room, op_int(in, stride)));
    return dim_add(in->context, room, op_int(in, 1));
}

/* dilation * (extent - 1) + 1 */
static const struct ir_expr *dilated(const struct infer *in, const struct ir_expr *extent,
                                     int64_t dilation)
{
    const struct ir_expr *steps = dim_sub(in->context, extent, op_int(in, 1));

    return dim_add(in->context, dim_mul(in->context, steps, op_int(in, dilation)), op_int(in, 1));
}

/*
 * Do windows over @count axes have a size, and move?  Lists are as long as there are axes, or one number for all;
 * paddings may differ before and behind.  False after a report.
 */
static bool check_steps(const struct infer *in, unsigned count)
{
    static const struct {
        const char *name;
        int64_t least;
        bool has_two_sides;
    } steps[] = {{"pool_size", 1, false}, {"strides", 1, false},        {"dilation", 1, false},
                 {"padding", 0, true},    {"output_padding", 0, false}, {"groups", 1, false}};

    for (size_t i = 0; i < ARRAY_SIZE(steps); i++) {
        unsigned lengths[] = {1, count, steps[i].has_two_sides ? 2 * count : 0};
        if (ir_attr_param(in->op->info, steps[i].name) &&
            (!op_check_length(in, steps[i].name, lengths, ARRAY_SIZE(lengths)) ||
             !op_check_least(in, steps[i].name, steps[i].least)))
            return false;
    }
    return true;
}

/* What is added behind is less than a step of the window, which would else reach there.  False after a report. */
static bool check_output_padding(const struct infer *in, unsigned count)
{
    for (unsigned i = 0; ir_attr_param(in->op->info, "output_padding") && i < count; i++)
        if (window_item(in->op, "output_padding", i, 0) >= window_item(in->op, "strides", i, 1)) {
            diag_report(in->diag, op_argument_place(in, "output_padding"), OP_ATTRIBUTE,
                        in->op->info->name, "output_padding", "must be less than `strides`");
            return false;
        }
    return true;
}

/* Are @channels of operand @i in as many equal groups as there are groups?  False after a report. */
static bool check_divides(const struct infer *in, const char *name, const struct ir_expr *channels)
{
    int64_t groups = op_attr_int(in->op, "groups", 1), count;
    const char *what = arena_printf(&in->context->arena, "the number of channels of `%s`", name);
    struct op_pair pair = {OP_DIM_DIVIDES, channels, op_int(in, groups), what, "`groups`",
                           name,           NULL};
    if (op_pair_fits(in, &pair) || !ir_expr_constant(in->context, channels, &count))
        return true;
    diag_report(in->diag, op_argument_place(in, "groups"), OP_ATTRIBUTE, in->op->info->name,
                "groups",
                arena_printf(&in->context->arena, "must divide the %lld channels of `%s`",
                             (long long)count, name));
    return false;
}

/* Where the channels of the data are last, or first, and there are as many as are wanted: that layout is meant. */
static void help_layout(const struct infer *in, struct diag_message *m,
                        const struct ir_expr *wanted)
{
    const char *layout = ir_op_attr(in->op, "data_layout")->string;
    const char *spatial = spatial_letters + 3 - spatial_count(in, "data_layout");
    struct location place = op_argument_place(in, "data_layout");
    const char *other = layout[strlen(layout) - 1] == 'C' ? "NC" : "N";

    other = arena_printf(&in->context->arena, "%s%s%s", other, spatial, other[1] ? "" : "C");
    if (strlen(other) != strlen(layout) || place.begin == in->op->loc.begin ||
        !ir_prove_equal(in->context, window_extent(in->context, other, op_tensor(in, 0)->dims, 'C'),
                        wanted))
        return;
    diag_help(m, "with `%s` it fits", other);
    diag_help_edit(m, place, "\"%s\"", other);
}

static bool check_channels(const struct infer *in, const struct ir_expr *channels,
                           const struct ir_expr *wanted)
{
    const char *first = "the number of channels of `data`";
    const char *second = "what `weight` and `groups` need";
    struct op_pair pair = {OP_DIM_SAME, channels, wanted, first, second, "data", NULL};

    if (op_pair_fits(in, &pair))
        return true;
    const struct ir_type *data = op_tensor(in, 0), *weight = op_tensor(in, 1);
    struct diag_message *m =
        diag_report(in->diag, op_argument_place(in, "data"), OP_DIMS, in->op->info->name, first,
                    op_dim_text(in, channels), second, op_dim_text(in, wanted));
    diag_primary(m, "%s, %s", op_shape_text(in, data), ir_op_attr(in->op, "data_layout")->string);
    diag_label(m, op_argument_place(in, "weight"), "%s, %s", op_shape_text(in, weight),
               ir_op_attr(in->op, "kernel_layout")->string);
    help_layout(in, m, wanted);
    return false;
}

static const struct ir_expr *conv_extent(const struct infer *in, const struct ir_expr *extent,
                                         const struct ir_expr *kernel, unsigned i, unsigned count,
                                         bool is_transpose)
{
    int64_t stride = window_item(in->op, "strides", i, 1);
    int64_t padding = padding_sum(in->op, i, count);
    const struct ir_expr *size = dilated(in, kernel, window_item(in->op, "dilation", i, 1));

    if (!is_transpose)
        return window_count(in, extent, size, padding, stride > 0 ? stride : 1);
    const struct ir_expr *spread =
        dim_mul(in->context, dim_sub(in->context, extent, op_int(in, 1)), op_int(in, stride));
    int64_t extra = window_item(in->op, "output_padding", i, 0) - padding;
    return dim_add(in->context, dim_add(in->context, spread, size), op_int(in, extra));
}

static const struct ir_type *infer_convolution(const struct infer *in, bool is_transpose)
{
    const struct ir_op *op = in->op;
    const struct ir_type *data = op_tensor(in, 0), *weight = op_tensor(in, 1);
    const char *layout = ir_op_attr(op, "data_layout")->string;
    const char *kernel_layout = ir_op_attr(op, "kernel_layout")->string;
    const char *out_layout = window_layout(op, "out_layout", layout);
    int64_t groups = op_attr_int(op, "groups", 1);
    int ndim = layout_rank(out_layout);

    if (data == NULL || weight == NULL)
        return NULL;
    struct ir_dtype dtype = op_attr_dtype(op, "out_dtype", data->dtype);
    if (data->ndim != IR_NDIM_UNKNOWN && data->ndim != layout_rank(layout)) {
        struct diag_message *m =
            diag_report(in->diag, op_argument_place(in, "data"), OP_RANK, op->info->name, "data",
                        arena_printf(&in->context->arena, "rank %d, as the layout %s",
                                     layout_rank(layout), layout),
                        op_shape_text(in, data));
        if (weight->ndim == data->ndim)
            op_help_dimensions(in, m, data->ndim);
        return NULL;
    }
    if (weight->ndim != IR_NDIM_UNKNOWN && weight->ndim != layout_rank(kernel_layout)) {
        diag_report(in->diag, op_argument_place(in, "weight"), OP_RANK, op->info->name, "weight",
                    arena_printf(&in->context->arena, "rank %d, as the layout %s",
                                 layout_rank(kernel_layout), kernel_layout),
                    op_shape_text(in, weight));
        return NULL;
    }
    if (!check_groups(in, "data", data, layout) ||
        !check_groups(in, "weight", weight, kernel_layout))
        return NULL;
    if (data->dims == NULL || weight->dims == NULL)
        return op_result_type(in, dtype, NULL, ndim);
    const struct ir_expr *in_channels =
        window_extent(in->context, kernel_layout, weight->dims, 'I');
    const struct ir_expr *out_channels =
        window_extent(in->context, kernel_layout, weight->dims, 'O');
    if (!check_divides(in, is_transpose ? "data" : "weight",
                       is_transpose ? window_extent(in->context, layout, data->dims, 'C')
                                    : out_channels))
        return NULL;
    if (is_transpose)
        out_channels = dim_mul(in->context, out_channels, op_int(in, groups));
    else
        in_channels = dim_mul(in->context, in_channels, op_int(in, groups));
    if (!check_channels(in, window_extent(in->context, layout, data->dims, 'C'), in_channels))
        return NULL;
    const struct ir_expr **dims = op_dims(in, (unsigned)ndim);
    unsigned count = spatial_count(in, "data_layout");
    set_extent(in, out_layout, dims, 'N', window_extent(in->context, layout, data->dims, 'N'));
    set_extent(in, out_layout, dims, 'C', out_channels);
    for (unsigned i = 0; i < count; i++) {
        char letter = window_letter(i, count);
        set_extent(in, out_layout, dims, letter,
                   conv_extent(in, window_extent(in->context, layout, data->dims, letter),
                               window_extent(in->context, kernel_layout, weight->dims, letter), i,
                               count, is_transpose));
    }
    return op_result_type(in, dtype, dims, ndim);
}

/*
 * Does every letter of @letters stand once in @layout, and else nothing but groups: numbers from 2 on with the small
 * letter of an axis behind them?
 */
static bool is_layout(const char *layout, const char *letters)
{
    for (const char *at = letters; *at != '\0'; at++)
        if (strchr(layout, *at) == NULL)
            return false;
    for (const char *at = layout; *at != '\0'; at++) {
        size_t digits = strspn(at, "0123456789");
        char capital = (char)toupper((unsigned char)at[digits]);
        at += digits;
        if (capital == '\0' || !strchr(letters, capital) || strchr(at + 1, *at) != NULL ||
            (digits > 0) != (capital != *at) || digits > 4 ||
            (digits > 0 && window_factor(layout, capital) < 2))
            return false;
    }
    return true;
}

/* False after a report. */
static bool check_layout(const struct infer *in, const char *attr, const char *layout,
                         const char *letters)
{
    bool fits = is_layout(layout, letters) && layout_rank(layout) <= IR_RANK_LIMIT;

    if (!fits)
        diag_report(in->diag, op_argument_place(in, attr), OP_ATTRIBUTE, in->op->info->name, attr,
                    arena_printf(&in->context->arena, "must hold the letters %s, not \"%s\"",
                                 letters, layout));
    return fits;
}

/* The letters of a layout with as many spatial axes as the default of layout @attr has. */
static const char *expected_letters(const struct infer *in, const char *attr, const char *first)
{
    return arena_printf(&in->context->arena, "%s%s", first,
                        spatial_letters + 3 - spatial_count(in, attr));
}

static bool check_layouts(const struct infer *in, const char *attr)
{
    const char *letters = expected_letters(in, attr, "NC");
    const char *layout = ir_op_attr(in->op, attr)->string;

    /* the other one is the same where it is not said */
    return check_layout(in, attr, layout, letters) &&
           (ir_attr_param(in->op->info, "out_layout") == NULL ||
            check_layout(in, "out_layout", window_layout(in->op, "out_layout", layout), letters));
}

static const struct ir_type *check_and_infer(const struct infer *in, bool is_transpose)
{
    const char *kernel_layout = ir_op_attr(in->op, "kernel_layout")->string;

    return check_layouts(in, "data_layout") &&
                   check_layout(in, "kernel_layout", kernel_layout,
                                expected_letters(in, "kernel_layout", "OI")) &&
                   check_steps(in, spatial_count(in, "data_layout")) &&
                   check_output_padding(in, spatial_count(in, "data_layout"))
               ? infer_convolution(in, is_transpose)
               : NULL;
}

const struct ir_type *infer_conv(struct ir_module *module, struct diag *diag,
                                 const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);

    return check_and_infer(&in, false);
}

const struct ir_type *infer_conv_transpose(struct ir_module *module, struct diag *diag,
                                           const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);

    return check_and_infer(&in, true);
}

/* The frame of pooling and resizing: N and C stay, each spatial axis is given by @extent_of. */
typedef const struct ir_expr *extent_fn(const struct infer *in, const struct ir_expr *extent,
                                        unsigned i, unsigned count);

static const struct ir_type *infer_window(const struct infer *in, unsigned operand,
                                          struct ir_dtype dtype, extent_fn *extent_of)
{
    const struct ir_type *data = op_tensor(in, operand);
    const char *layout = ir_op_attr(in->op, "layout")->string;
    const char *out_layout = layout;

    if (data == NULL || !check_layouts(in, "layout"))
        return NULL;
    if (ir_attr_param(in->op->info, "out_layout") != NULL)
        out_layout = window_layout(in->op, "out_layout", layout);
    if (data->ndim != IR_NDIM_UNKNOWN && data->ndim != layout_rank(layout)) {
        op_help_dimensions(
            in,
            diag_report(in->diag, op_argument_place(in, "data"), OP_RANK, in->op->info->name,
                        "data",
                        arena_printf(&in->context->arena, "rank %d, as the layout %s",
                                     layout_rank(layout), layout),
                        op_shape_text(in, data)),
            data->ndim);
        return NULL;
    }
    int ndim = layout_rank(out_layout);
    if (!check_groups(in, "data", data, layout))
        return NULL;
    if (ir_dtype_is_void(dtype))
        dtype = data->dtype;
    if (data->dims == NULL)
        return op_result_type(in, dtype, NULL, ndim);
    const struct ir_expr **dims = op_dims(in, (unsigned)ndim);
    unsigned count = spatial_count(in, "layout");
    set_extent(in, out_layout, dims, 'N', window_extent(in->context, layout, data->dims, 'N'));
    set_extent(in, out_layout, dims, 'C', window_extent(in->context, layout, data->dims, 'C'));
    for (unsigned i = 0; i < count; i++) {
        char letter = window_letter(i, count);
        const struct ir_expr *dim =
            extent_of(in, window_extent(in->context, layout, data->dims, letter), i, count);
        if (dim == NULL)
            return op_result_type(in, dtype, NULL, ndim);
        set_extent(in, out_layout, dims, letter, dim);
    }
    return op_result_type(in, dtype, dims, ndim);
}

/* Windows where the last one may reach behind the padding, but must not start behind the data. */
static const struct ir_expr *ceil_count(const struct infer *in, const struct ir_expr *extent,
                                        const struct ir_expr *size, const struct ir_expr *before,
                                        const struct ir_expr *behind, int64_t stride)
{
    struct ir_context *context = in->context;
    const struct ir_expr *until = dim_add(context, extent, before), *one = op_int(in, 1);
    const struct ir_expr *room = dim_sub(context, dim_add(context, until, behind), size);
    const struct ir_expr *count = dim_add(context, dim_ceildiv(context, room, stride), one);
    const struct ir_expr *starts = dim_ceildiv(context, until, stride);

    if (ir_prove_ge(context, NULL, size, dim_add(context, behind, op_int(in, stride))))
        return count;
    if (!ir_prove_ge(context, NULL, size, behind)) /* of windows behind the data, one goes */
        starts = ir_simplify(
            context, ir_expr_binary(context, IR_EXPR_max, starts, dim_sub(context, count, one)));
    return dim_at_most(context, count, starts);
}

static const struct ir_expr *pool_extent(const struct infer *in, const struct ir_expr *extent,
                                         unsigned i, unsigned count)
{
    int64_t stride = window_item(in->op, "strides", i, 1);
    const struct ir_expr *size = dilated(in, op_int(in, window_item(in->op, "pool_size", i, 1)),
                                         window_item(in->op, "dilation", i, 1));

    stride = stride > 0 ? stride : 1;
    if (ir_op_attr(in->op, "ceil_mode")->boolean)
        return ceil_count(in, extent, size, op_int(in, window_padding(in->op, i, count, false)),
                          op_int(in, window_padding(in->op, i, count, true)), stride);
    return window_count(in, extent, size, padding_sum(in->op, i, count), stride);
}

static const struct ir_type *infer_pool_of(const struct infer *in, unsigned operand)
{
    return check_steps(in, spatial_count(in, "layout"))
               ? infer_window(in, operand, IR_VOID, pool_extent)
               : NULL;
}

const struct ir_type *infer_pool(struct ir_module *module, struct diag *diag,
                                 const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);

    return infer_pool_of(&in, 0);
}

/* What came out of the pool has a gradient each. */
static bool check_pool_gradient(const struct infer *in)
{
    const struct ir_type *pooled = infer_pool_of(in, 1);

    return pooled && op_check_as(in, 0, pooled, "the result of the pool");
}

const struct ir_type *infer_pool_backward(struct ir_module *module, struct diag *diag,
                                          const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);

    return check_pool_gradient(&in) ? op_tensor(&in, 1) : NULL;
}

static const struct ir_expr *adaptive_extent(const struct infer *in, const struct ir_expr *extent,
                                             unsigned i, unsigned count)
{
    if (op_attr_is_none(in->op, "output_size"))
        return extent;
    return op_int(in, window_item(in->op, "output_size", i, 1));
}

const struct ir_type *infer_adaptive_pool(struct ir_module *module, struct diag *diag,
                                          const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);

    unsigned lengths[] = {1, spatial_count(&in, "layout")};

    return op_check_length(&in, "output_size", lengths, ARRAY_SIZE(lengths)) &&
                   op_check_least(&in, "output_size", 0)
               ? infer_window(&in, 0, IR_VOID, adaptive_extent)
               : NULL;
}

static const struct ir_expr *resize_extent(const struct infer *in, const struct ir_expr *extent,
                                           unsigned i, unsigned count)
{
    const struct ir_type *size = in->op->operands[1].value->type;

    if (size->kind != IR_TYPE_SHAPE || size->dims == NULL || size->ndim < 1)
        return NULL;
    return size->dims[(int)i < size->ndim ? (int)i : size->ndim - 1];
}

const struct ir_type *infer_resize(struct ir_module *module, struct diag *diag,
                                   const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);

    const struct ir_type *size = op_shape(&in, 1);
    int count = (int)spatial_count(&in, "layout");

    if (size == NULL)
        return NULL;
    if (size->ndim != IR_NDIM_UNKNOWN && size->ndim != 1 && size->ndim != count) {
        diag_report(
            diag, op_argument_place(&in, "size"), OP_ATTRIBUTE, op->info->name, "size",
            arena_printf(&in.context->arena, "has 1 or %d numbers, not %d", count, size->ndim));
        return NULL;
    }
    const struct ir_type *data = op_tensor(&in, 0);
    const struct ir_type *result =
        infer_window(&in, 0, op_attr_dtype(op, "out_dtype", IR_VOID), resize_extent);
    for (int d = 0; result && data->dims && d < data->ndim; d++)
        if (!op_check_some(&in, result, data->dims[d], (unsigned)d, "data"))
            return NULL;
    return result;
}
