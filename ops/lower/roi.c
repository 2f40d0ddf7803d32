/* roi_align and roi_pool: each region of an image, pooled to one size. */
#include "ops/lower/taps.h"

#include <string.h>

struct region {
    struct kernel *k;
    struct code *code;
    struct ir_dtype dtype; /* that is computed in */
    const struct ir_expr *roi, *batch, *channel;
    const struct ir_expr *cell[2], *extent[2]; /* by axis, y first: of the result, of the data */
    int64_t size[2];
    unsigned axes[2], channel_axis;
};

#define LET(name, value) code_let(r->code, name, value)
#define ADD(a, b)        k_binary(k, IR_EXPR_add, a, b)
#define SUB(a, b)        k_binary(k, IR_EXPR_sub, a, b)
#define MUL(a, b)        k_binary(k, IR_EXPR_mul, a, b)
#define DIV(a, b)        k_binary(k, IR_EXPR_div, a, b)
#define MAX(a, b)        k_binary(k, IR_EXPR_max, a, b)
#define MIN(a, b)        k_binary(k, IR_EXPR_min, a, b)

static const struct ir_expr *number(const struct region *r, double value)
{
    return k_number(r->k, r->dtype, value);
}

/* Column @i of the region: batch, x1, y1, x2, y2. */
static const struct ir_expr *column(const struct region *r, unsigned i)
{
    const struct ir_expr *at[] = {r->roi, k_int(r->k, i)};

    return k_cast(r->k, r->dtype, kernel_load(r->k, 1, kernel_copy_indices(r->k, at, 2)));
}

/* End @end (0 or 1) of the region along axis @i, on the scale of the data. */
static const struct ir_expr *bound(const struct region *r, unsigned i, unsigned end)
{
    struct kernel *k = r->k;

    return MUL(column(r, 2 - i + 2 * end), number(r, op_attr_float(k->op, "spatial_scale")));
}

static bool begin(struct region *r, struct kernel *k, struct nest *nest, struct code *code)
{
    const struct ir_attr *size = ir_op_attr(k->op, "pooled_size");
    bool is_nhwc = strcmp(ir_op_attr(k->op, "layout")->string, "NHWC") == 0;

    if (k->operands[1].type->ndim != 2) {
        diag_report(k->diag, k->op->loc, LOWER_SHAPE, k->op->info->name, "`rois`, as rows,");
        return false;
    }
    *nest = nest_begin(k, k->name);
    *code = code_begin(k);
    *r = (struct region){.k = k, .code = code, .dtype = kernel_compute_dtype(k->outputs[0]->dtype)};
    const struct ir_expr **at = nest_axes_of(nest, k->outputs[0]);
    r->channel_axis = is_nhwc ? 3 : 1;
    r->roi = at[0];
    r->channel = at[r->channel_axis];
    for (unsigned i = 0; i < 2; i++) {
        r->axes[i] = (is_nhwc ? 1 : 2) + i;
        r->cell[i] = at[r->axes[i]];
        r->extent[i] = kernel_input_dim(k, 0, r->axes[i]);
        r->size[i] = size->items[size->count > 1 ? i : 0]->integer;
    }
    r->batch = LET("batch", k_cast(k, IR_I64, column(r, 0)));
    return true;
}

static const struct ir_expr *const *result_place(const struct region *r)
{
    const struct ir_expr **at = kernel_indices(r->k, 4);

    at[0] = r->roi;
    at[r->channel_axis] = r->channel;
    at[r->axes[0]] = r->cell[0];
    at[r->axes[1]] = r->cell[1];
    return at;
}

/* The indices of the data, but for the spatial ones. */
static const struct ir_expr **data_place(const struct region *r)
{
    const struct ir_expr **at = kernel_indices(r->k, 4);

    at[0] = r->batch;
    at[r->channel_axis] = r->channel;
    return at;
}

/* ---- roi_align ---- */

/* Samples along an axis: where the cell begins, how far they are apart, how many. */
struct samples {
    const struct ir_expr *start, *step, *count;
};

static struct samples samples_of(struct region *r, unsigned i)
{
    struct kernel *k = r->k;
    bool is_aligned = ir_op_attr(k->op, "aligned")->boolean;
    int64_t ratio = op_attr_int(k->op, "sample_ratio", -1);
    const struct ir_expr *first = LET("first", bound(r, i, 0));
    const struct ir_expr *length = SUB(bound(r, i, 1), first);
    struct samples s;

    if (!is_aligned)
        length = MAX(length, number(r, 1));
    const struct ir_expr *cell = LET("cell", DIV(length, number(r, (double)r->size[i])));
    s.count =
        ratio > 0 ? k_int(k, ratio) : LET("count", k_cast(k, IR_I64, k_call(k, "ceil", cell)));
    s.start = LET("start", ADD(first, MUL(k_cast(k, r->dtype, r->cell[i]), cell)));
    s.step = LET("step", DIV(cell, k_cast(k, r->dtype, s.count)));
    return s;
}

/* The image at the sample @at; 0 more than one element outside. */
static const struct ir_expr *sample(struct region *r, const struct samples *samples,
                                    const struct ir_expr *const *at)
{
    struct kernel *k = r->k;
    struct sampled s = {.k = k, .dtype = r->dtype, .at = data_place(r), .count = 2};
    const struct ir_expr *is_near = NULL;

    for (unsigned i = 0; i < 2; i++) {
        const struct ir_expr *half = ADD(k_cast(k, r->dtype, at[i]), number(r, 0.5));
        const struct ir_expr *x = LET("x", ADD(samples[i].start, MUL(half, samples[i].step)));
        const struct ir_expr *extent = k_cast(k, r->dtype, r->extent[i]);
        is_near = k_and(k, is_near, k_binary(k, IR_EXPR_ge, x, number(r, -1)));
        is_near = k_and(k, is_near, k_binary(k, IR_EXPR_le, x, extent));
        const struct ir_expr *last = k_cast(k, r->dtype, k_sub(k, r->extent[i], k_int(k, 1)));
        s.axes[i] = r->axes[i];
        s.taps[i] = taps_linear(r->code, MIN(MAX(x, number(r, 0)), last));
        for (unsigned t = 0; t < 2; t++)
            s.taps[i].index[t] = LET("tap", taps_limited(k, s.taps[i].index[t], r->extent[i]));
    }
    return k_if(k, LET("is_near", is_near), taps_sum(&s), number(r, 0));
}

struct ir_value *lower_roi_align(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    bool is_max = strcmp(ir_op_attr(op, "mode")->string, "max") == 0;
    struct code code, outer, inner;
    struct kernel kernel, *k = &kernel;
    struct region region, *r = &region;
    struct nest nest;

    if (!kernel_begin(k, module, diag, op, 3u))
        return NULL;
    if (!begin(r, k, &nest, &code))
        return kernel_abandon(k);
    struct samples samples[] = {samples_of(r, 0), samples_of(r, 1)};
    const struct ir_expr *start = is_max ? k_lowest(k, r->dtype) : number(r, 0);
    const struct ir_buffer *sum = code_scalar(&code, "total", r->dtype, start);
    const struct ir_expr *at[2];
    at[0] = code_for(&code, &outer, "iy", samples[0].count);
    at[1] = code_for(&outer, &inner, "ix", samples[1].count);
    r->code = &inner;
    const struct ir_expr *value = sample(r, samples, at);
    code_set(&inner, sum, k_binary(k, is_max ? IR_EXPR_max : IR_EXPR_add, code_get(k, sum), value));
    code_end(&inner);
    code_end(&outer);
    value = code_get(k, sum);
    const struct ir_expr *count = k_mul(k, samples[0].count, samples[1].count);
    if (!is_max) /* a region of no extent has no samples, and is 0 */
        value = DIV(value, k_cast(k, r->dtype, MAX(count, k_int(k, 1))));
    code_store(&code, k->outputs[0], result_place(r), value);
    nest_code(&nest, &code);
    nest_end(&nest);
    return kernel_finish(k);
}

/* ---- roi_pool ---- */

/* Half away from zero. */
static const struct ir_expr *rounded(struct region *r, const struct ir_expr *x)
{
    struct kernel *k = r->k;

    return k_cast(k, IR_I64, k_call(k, "floor", ADD(x, number(r, 0.5))));
}

/* The elements of the data that a cell has along axis @i: from .. to. */
static void cell_range(struct region *r, unsigned i, const struct ir_expr **out_from,
                       const struct ir_expr **out_to)
{
    struct kernel *k = r->k;
    const struct ir_expr *one = k_int(k, 1), *zero = k_int(k, 0);
    const struct ir_expr *first = LET("first", rounded(r, bound(r, i, 0)));
    const struct ir_expr *last = rounded(r, bound(r, i, 1));
    const struct ir_expr *length = MAX(ADD(SUB(last, first), one), one);
    const struct ir_expr *cell =
        LET("cell", DIV(k_cast(k, r->dtype, length), number(r, (double)r->size[i])));
    const struct ir_expr *from = k_call(k, "floor", MUL(k_cast(k, r->dtype, r->cell[i]), cell));
    const struct ir_expr *to =
        k_call(k, "ceil", MUL(k_cast(k, r->dtype, ADD(r->cell[i], one)), cell));

    *out_from = LET("start", MIN(MAX(ADD(k_cast(k, IR_I64, from), first), zero), r->extent[i]));
    *out_to = LET("stop", MIN(MAX(ADD(k_cast(k, IR_I64, to), first), zero), r->extent[i]));
}

struct ir_value *lower_roi_pool(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    const struct ir_expr *from[2], *to[2], *is_empty = NULL;
    struct code code, outer, inner;
    struct kernel kernel, *k = &kernel;
    struct region region, *r = &region;
    struct nest nest;

    if (!kernel_begin(k, module, diag, op, 3u))
        return NULL;
    if (!begin(r, k, &nest, &code))
        return kernel_abandon(k);
    const struct ir_expr *zero = k_int(k, 0), **at = data_place(r);
    for (unsigned i = 0; i < 2; i++) {
        cell_range(r, i, &from[i], &to[i]);
        const struct ir_expr *has_none = k_binary(k, IR_EXPR_le, to[i], from[i]);
        is_empty = is_empty ? k_binary(k, IR_EXPR_or, is_empty, has_none) : has_none;
    }
    const struct ir_buffer *best = code_scalar(&code, "best", r->dtype, k_lowest(k, r->dtype));
    const struct ir_expr *y = code_for(&code, &outer, "iy", MAX(SUB(to[0], from[0]), zero));
    const struct ir_expr *x = code_for(&outer, &inner, "ix", MAX(SUB(to[1], from[1]), zero));
    at[r->axes[0]] = ADD(from[0], y);
    at[r->axes[1]] = ADD(from[1], x);
    code_set(&inner, best, MAX(code_get(k, best), k_cast(k, r->dtype, kernel_load(k, 0, at))));
    code_end(&inner);
    code_end(&outer);
    code_store(&code, k->outputs[0], result_place(r),
               k_select(k, is_empty, number(r, 0), code_get(k, best)));
    nest_code(&nest, &code);
    nest_end(&nest);
    return kernel_finish(k);
}
