/*
 * softmax and normalisations: float64 in double, other floats in float32, each step rounded there and
 * the result once to its dtype.
 */
#include "codegen/interp/internal.h"

#include <string.h>

/* Arithmetic in one float dtype. */
static struct interp_scalar apply(enum ir_expr_kind kind, struct interp_scalar a,
                                  struct interp_scalar b)
{
    struct interp_scalar result = a;
    if (!interp_binary(kind, a, b, &result))
        UNREACHABLE("floats have this operator");
    return result;
}

static struct interp_scalar call(const char *name, struct interp_scalar a)
{
    struct interp_scalar result = a;
    if (!interp_intrinsic(name, a.dtype, &a, 1, &result))
        UNREACHABLE("floats have this function");
    return result;
}

static struct interp_scalar number(struct ir_dtype dtype, double value)
{
    return (struct interp_scalar){.dtype = dtype, .real = interp_round(dtype, value)};
}

static struct interp_scalar load(const struct inlay_tensor *x, int64_t at)
{
    struct ir_dtype dtype = interp_tensor_dtype(x);
    return interp_cast(interp_load_element(dtype, interp_data(x), at), interp_compute_dtype(dtype));
}

static void store(const struct inlay_tensor *x, int64_t at, struct interp_scalar value)
{
    interp_store_element(interp_cast(value, interp_tensor_dtype(x)), x->data, at);
}

/* A tensor like @x; NULL after a report. */
static struct interp_value *result_like(struct interp_op *o, const struct inlay_tensor *x)
{
    return x ? interp_tensor_new(o->run, interp_tensor_dtype(x), x->shape, (unsigned)x->ndim)
             : NULL;
}

/* One row of softmax: @count elements from @first, @stride apart. */
static void softmax_row(const struct inlay_tensor *x, const struct inlay_tensor *out, int64_t first,
                        int64_t count, int64_t stride, bool is_log)
{
    struct ir_dtype wide = interp_compute_dtype(interp_tensor_dtype(x));
    struct interp_scalar max = number(wide, -(double)__builtin_inff()), sum = number(wide, 0);
    for (int64_t i = 0; i < count; i++)
        max = apply(IR_EXPR_max, max, load(x, first + i * stride));
    for (int64_t i = 0; i < count; i++) {
        struct interp_scalar distance = apply(IR_EXPR_sub, load(x, first + i * stride), max);
        sum = apply(IR_EXPR_add, sum, call("exp", distance));
    }
    struct interp_scalar log_sum = call("log", sum),
                         share = apply(IR_EXPR_div, number(wide, 1), sum);
    for (int64_t i = 0; i < count; i++) {
        struct interp_scalar distance = apply(IR_EXPR_sub, load(x, first + i * stride), max);
        store(out, first + i * stride,
              is_log ? apply(IR_EXPR_sub, distance, log_sum)
                     : apply(IR_EXPR_mul, call("exp", distance), share));
    }
}

static const struct interp_value *softmax(struct interp_op *o, bool is_log)
{
    const struct inlay_tensor *x = interp_operand(o, 0);
    struct interp_value *result = result_like(o, x);
    int64_t stride = 1;
    if (!result)
        return NULL;
    if (x->ndim == 0) {
        softmax_row(x, result->tensor, 0, 1, 1, is_log);
        return result;
    }
    unsigned axis = interp_axis(interp_attr_int(o, "axis", -1), (unsigned)x->ndim);
    for (unsigned i = axis + 1; i < (unsigned)x->ndim; i++)
        stride *= x->shape[i];
    int64_t extent = x->shape[axis];
    int64_t rows = extent ? inlay_tensor_elements(x) / extent : 0;
    for (int64_t i = 0; i < rows; i++)
        softmax_row(x, result->tensor, i / stride * stride * extent + i % stride, extent, stride,
                    is_log);
    return result;
}

const struct interp_value *interp_op_softmax(struct interp_op *o)
{
    return softmax(o, false);
}

const struct interp_value *interp_op_log_softmax(struct interp_op *o)
{
    return softmax(o, true);
}

/* A normalisation over some axes: positions of the normalised elements, group by group. */
struct groups {
    bool is_inner[INTERP_RANK];
    int64_t inner_count; /* elements of one group */
    const struct inlay_tensor *x;
};

static struct groups groups_of(const struct interp_op *o, const struct inlay_tensor *x)
{
    struct groups g = {.inner_count = 1, .x = x};
    unsigned count;
    const int64_t *axes = interp_attr_ints(o, "axes", &count);
    for (unsigned i = 0; i < count; i++)
        g.is_inner[interp_axis(axes[i], (unsigned)x->ndim)] = true;
    for (unsigned i = 0; i < (unsigned)x->ndim; i++)
        g.inner_count *= g.is_inner[i] ? x->shape[i] : 1;
    return g;
}

/* Group and place within the group of index @at. */
static void place_of(const struct groups *g, const int64_t *at, int64_t *out_group,
                     int64_t *out_inner)
{
    *out_group = *out_inner = 0;
    for (unsigned i = 0; i < (unsigned)g->x->ndim; i++) {
        int64_t *place = g->is_inner[i] ? out_inner : out_group;
        *place = *place * g->x->shape[i] + at[i];
    }
}

/* The sums of (x - mean)^2 (@means NULL: of x^2; @is_square false: of x) by group, divided by their
 * number.  NULL after the error is set. */
static struct interp_scalar *moments(struct interp_op *o, const struct groups *g, bool is_square,
                                     const struct interp_scalar *means)
{
    struct ir_dtype wide = interp_compute_dtype(interp_tensor_dtype(g->x));
    int64_t count = inlay_tensor_elements(g->x);
    count = g->inner_count ? count / g->inner_count : 0;
    struct interp_scalar *sums =
        arena_array(&o->run->arena, struct interp_scalar, (size_t)count + 1);
    for (int64_t i = 0; i < count; i++)
        sums[i] = number(wide, 0);
    struct interp_index i;
    for (interp_index_begin(&i, g->x->shape, (unsigned)g->x->ndim); !i.is_done;
         interp_index_next(&i)) {
        int64_t group, inner;
        place_of(g, i.at, &group, &inner);
        struct interp_scalar value = load(g->x, i.position);
        if (means)
            value = apply(IR_EXPR_sub, value, means[group]);
        if (is_square)
            value = apply(IR_EXPR_mul, value, value);
        sums[group] = apply(IR_EXPR_add, sums[group], value);
    }
    for (int64_t k = 0; k < count; k++)
        sums[k] = apply(IR_EXPR_div, sums[k], number(wide, (double)g->inner_count));
    return sums;
}

static const struct interp_value *normalize(struct interp_op *o, bool is_rms)
{
    const struct inlay_tensor *x = interp_operand(o, 0), *gamma = interp_operand(o, 1);
    const struct inlay_tensor *beta = is_rms ? NULL : interp_operand(o, 2);
    struct interp_value *result = result_like(o, x);
    if (!result || !gamma)
        return NULL;
    if (!is_rms && !interp_attr_bool(o, "scale"))
        gamma = NULL;
    if (!is_rms && !interp_attr_bool(o, "center"))
        beta = NULL;
    struct groups g = groups_of(o, x);
    struct ir_dtype wide = interp_compute_dtype(interp_tensor_dtype(x));
    struct interp_scalar epsilon = number(wide, interp_attr_float(o, "epsilon"));
    struct interp_scalar *means = is_rms ? NULL : moments(o, &g, false, NULL);
    struct interp_scalar *squares = moments(o, &g, true, means);
    struct interp_index i;
    for (interp_index_begin(&i, x->shape, (unsigned)x->ndim); !i.is_done; interp_index_next(&i)) {
        int64_t group, inner;
        place_of(&g, i.at, &group, &inner);
        struct interp_scalar value = load(x, i.position);
        struct interp_scalar root = call("sqrt", apply(IR_EXPR_add, squares[group], epsilon));
        if (means) {
            value = apply(IR_EXPR_sub, value, means[group]);
            root = apply(IR_EXPR_div, number(wide, 1), root);
        }
        value = apply(means ? IR_EXPR_mul : IR_EXPR_div, value, root);
        if (gamma)
            value = apply(IR_EXPR_mul, value, load(gamma, inner));
        if (beta)
            value = apply(IR_EXPR_add, value, load(beta, inner));
        store(result->tensor, i.position, value);
    }
    return result;
}

const struct interp_value *interp_op_layer_norm(struct interp_op *o)
{
    return normalize(o, false);
}

const struct interp_value *interp_op_rms_norm(struct interp_op *o)
{
    return normalize(o, true);
}
