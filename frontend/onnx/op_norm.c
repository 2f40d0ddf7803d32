/* Normalisations. */
#include "frontend/onnx/families.h"

#include <math.h>
#include <string.h>

#define ADD(x_, y_) MAKE(&m->b, OP_add, x_, y_)
#define SUB(x_, y_) MAKE(&m->b, OP_subtract, x_, y_)
#define MUL(x_, y_) MAKE(&m->b, OP_multiply, x_, y_)
#define DIV(x_, y_) MAKE(&m->b, OP_divide, x_, y_)

static struct ir_value *number(struct onnx_import *m, const struct ir_value *like, double value)
{
    return like ? onnx_scalar(m, like->type->dtype, value) : NULL;
}

/* (x - mean) / sqrt(variance + epsilon), all of which broadcast. */
static struct ir_value *normalized(struct onnx_import *m, struct ir_value *x, struct ir_value *mean,
                                   struct ir_value *variance, double epsilon)
{
    struct ir_value *spread = ADD(variance, number(m, x, epsilon));
    return DIV(SUB(x, mean), MAKE(&m->b, OP_sqrt, spread));
}

static struct ir_value *variance_of(struct onnx_import *m, struct ir_value *x, const int64_t *axes,
                                    unsigned count)
{
    return x ? onnx_reduce(m, OP_variance, x, axes, count, true) : NULL;
}

static struct ir_value *mean_of(struct onnx_import *m, struct ir_value *x, const int64_t *axes,
                                unsigned count)
{
    return x ? onnx_reduce(m, OP_mean, x, axes, count, true) : NULL;
}

static unsigned axes_but(int rank, int64_t kept, int64_t from, int64_t *axes)
{
    unsigned count = 0;

    for (int64_t i = from; i < rank; i++)
        if (i != kept)
            axes[count++] = i;
    return count;
}

/* running = running * momentum + current * (1 - momentum) */
static struct ir_value *running(struct onnx_import *m, struct ir_value *before,
                                struct ir_value *current, double momentum)
{
    current =
        current ? onnx_cast(m, onnx_reshape(m, current, onnx_dims(before), 1), before->type->dtype)
                : NULL;
    return ADD(MUL(before, number(m, before, momentum)),
               MUL(current, number(m, before, 1 - momentum)));
}

bool onnx_batch_norm(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *in[5], *mean, *variance;
    double epsilon = onnx_float(n, "epsilon", 1e-5), momentum = onnx_float(n, "momentum", 0.9);
    bool trains = onnx_int(n, "training_mode", 0);
    int64_t axes[IR_RANK_LIMIT];

    for (unsigned i = 0; i < 5; i++)
        if (!(in[i] = onnx_in(n, i)))
            return false;
    int rank = onnx_rank(in[0]);
    struct ir_value *x = in[0];
    if (trains) {
        unsigned count = axes_but(rank, 1, 0, axes);
        mean = mean_of(m, x, axes, count);
        variance = variance_of(m, x, axes, count);
        if ((onnx_wants(n, 1) && !onnx_out(n, 1, running(m, in[3], mean, momentum))) ||
            (onnx_wants(n, 2) && !onnx_out(n, 2, running(m, in[4], variance, momentum))))
            return false;
    } else {
        mean = onnx_along(m, onnx_cast(m, in[3], x->type->dtype), 1, rank);
        variance = onnx_along(m, onnx_cast(m, in[4], x->type->dtype), 1, rank);
    }
    struct ir_value *scale = onnx_along(m, onnx_cast(m, in[1], x->type->dtype), 1, rank);
    struct ir_value *bias = onnx_along(m, onnx_cast(m, in[2], x->type->dtype), 1, rank);
    return onnx_out(n, 0, ADD(MUL(normalized(m, x, mean, variance, epsilon), scale), bias));
}

bool onnx_instance_norm(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0), *scale = onnx_in(n, 1), *bias = onnx_in(n, 2);
    int64_t axes[IR_RANK_LIMIT];

    if (!x || !scale || !bias)
        return false;
    unsigned count = axes_but(onnx_rank(x), 1, 2, axes);
    struct ir_value *y = normalized(m, x, mean_of(m, x, axes, count),
                                    variance_of(m, x, axes, count), onnx_float(n, "epsilon", 1e-5));
    return onnx_out(
        n, 0,
        ADD(MUL(y, onnx_along(m, scale, 1, onnx_rank(x))), onnx_along(m, bias, 1, onnx_rank(x))));
}

/* The dtype that LayerNormalization and its like compute in. */
static struct ir_dtype stash_dtype(struct onnx_node *n, struct ir_dtype own)
{
    bool is_narrow = ir_dtype_bytes(own) < 4;
    return is_narrow && onnx_int(n, "stash_type", 1) == 1 ? IR_F32 : own;
}

/* Has @a the dtype of @x, and the extents of its last @count dimensions? */
static bool is_of_last(struct onnx_import *m, const struct ir_value *a, const struct ir_value *x,
                       unsigned count)
{
    const struct ir_expr *const *own = onnx_dims(a), *const *last = onnx_dims(x);

    if (onnx_rank(a) != (int)count || !ir_dtype_equal(a->type->dtype, x->type->dtype))
        return false;
    last += onnx_rank(x) - (int)count;
    for (unsigned i = 0; i < count; i++)
        if (!ir_prove_equal(m->context, own[i], last[i]))
            return false;
    return true;
}

/* The operator that is one kernel, where nothing but Y is read, nothing is converted and nothing broadcast; else NULL. */
static struct ir_value *layer_norm_alone(struct onnx_node *n, struct ir_value *x,
                                         struct ir_value *scale, struct ir_value *bias,
                                         const int64_t *axes, unsigned count)
{
    struct onnx_import *m = n->m;
    struct ir_value *operands[] = {x, scale, bias ? bias : scale};
    struct make_attr attrs[] = {
        {"axes", onnx_attr_ints(m, axes, count)},
        {"epsilon", ir_attr_float(m->context, onnx_float(n, "epsilon", 1e-5))},
        {"center", ir_attr_bool(m->context, bias != NULL)}};

    if (onnx_wants(n, 1) || onnx_wants(n, 2) || ir_dtype_bytes(x->type->dtype) < 4 ||
        !is_of_last(m, scale, x, count) || (bias && !is_of_last(m, bias, x, count)))
        return NULL;
    return make_op(&m->b, OP_nn_layer_norm, operands, 3, attrs, 3);
}

bool onnx_layer_norm(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0), *scale = onnx_in(n, 1), *bias = NULL;
    int64_t first, axes[IR_RANK_LIMIT];

    if (!x || !scale || (onnx_has(n, 2) && !(bias = onnx_in(n, 2))) ||
        !onnx_axis(n, onnx_int(n, "axis", -1), onnx_rank(x), &first))
        return false;
    struct ir_dtype own = x->type->dtype, dtype = stash_dtype(n, own);
    unsigned count = axes_but(onnx_rank(x), -1, first, axes);
    struct ir_value *alone = layer_norm_alone(n, x, scale, bias, axes, count);
    if (alone)
        return onnx_out(n, 0, alone);
    x = onnx_cast(m, x, dtype);
    struct ir_value *mean = mean_of(m, x, axes, count);
    struct ir_value *spread =
        ADD(variance_of(m, x, axes, count), number(m, x, onnx_float(n, "epsilon", 1e-5)));
    struct ir_value *inverse = MAKE(&m->b, OP_rsqrt, spread);
    struct ir_value *y = MUL(onnx_cast(m, MUL(SUB(x, mean), inverse), own), scale);
    if (bias)
        y = ADD(y, bias);
    return onnx_out(n, 0, y) && (!onnx_wants(n, 1) || onnx_out(n, 1, mean)) &&
           (!onnx_wants(n, 2) || onnx_out(n, 2, inverse));
}

bool onnx_rms_norm(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0), *scale = onnx_in(n, 1);
    int64_t first, axes[IR_RANK_LIMIT];

    if (!x || !scale || !onnx_axis(n, onnx_int(n, "axis", -1), onnx_rank(x), &first))
        return false;
    struct ir_dtype own = x->type->dtype;
    x = onnx_cast(m, x, stash_dtype(n, own));
    unsigned count = axes_but(onnx_rank(x), -1, first, axes);
    struct ir_value *square = mean_of(m, MUL(x, x), axes, count);
    struct ir_value *root =
        MAKE(&m->b, OP_sqrt, ADD(square, number(m, x, onnx_float(n, "epsilon", 1e-5))));
    return onnx_out(n, 0, MUL(onnx_cast(m, DIV(x, root), own), scale));
}

/* As (batch, groups, the rest). */
bool onnx_group_norm(struct onnx_node *n)
{
    static const int64_t axes[] = {2};
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0), *scale = onnx_in(n, 1), *bias = onnx_in(n, 2);
    int64_t groups = onnx_int(n, "num_groups", 1);
    const struct ir_expr *dims[3];

    if (!x || !scale || !bias || onnx_rank(x) < 2 || groups < 1)
        return false;
    int rank = onnx_rank(x);
    struct ir_dtype own = x->type->dtype, dtype = stash_dtype(n, own);
    const struct ir_expr *const *own_dims = onnx_dims(x);
    dims[0] = own_dims[0];
    dims[1] = onnx_expr(m, groups);
    dims[2] = onnx_op(m, IR_EXPR_floordiv, own_dims[1], dims[1]);
    for (int i = 2; i < rank; i++)
        dims[2] = onnx_op(m, IR_EXPR_mul, dims[2], own_dims[i]);
    struct ir_value *flat = onnx_reshape(m, onnx_cast(m, x, dtype), dims, 3);
    struct ir_value *y = normalized(m, flat, mean_of(m, flat, axes, 1),
                                    variance_of(m, flat, axes, 1), onnx_float(n, "epsilon", 1e-5));
    if (n->opset < 21) { /* scale and bias of groups */
        y = ADD(MUL(y, onnx_along(m, onnx_cast(m, scale, dtype), 1, 3)),
                onnx_along(m, onnx_cast(m, bias, dtype), 1, 3));
        return onnx_out(n, 0, onnx_cast(m, onnx_reshape(m, y, own_dims, (unsigned)rank), own));
    }
    y = onnx_cast(m, onnx_reshape(m, y, own_dims, (unsigned)rank), own);
    return onnx_out(n, 0, ADD(MUL(y, onnx_along(m, scale, 1, rank)), onnx_along(m, bias, 1, rank)));
}

bool onnx_lp_norm(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0);
    int64_t axis, p = onnx_int(n, "p", 2);

    if (!x || !onnx_axis(n, onnx_int(n, "axis", -1), onnx_rank(x), &axis))
        return false;
    struct ir_value *norm = p == 1 ? MAKE(&m->b, OP_abs, x) : MUL(x, x);
    norm = norm ? onnx_reduce(m, OP_sum, norm, &axis, 1, true) : NULL;
    if (p != 1)
        norm = MAKE(&m->b, OP_sqrt, norm);
    /* Nothing is divided by 0: such a line stays 0. */
    struct ir_value *is_zero = MAKE(&m->b, OP_equal, norm, number(m, x, 0));
    norm = MAKE(&m->b, OP_where, is_zero, number(m, x, 1), norm);
    return onnx_out(n, 0, DIV(x, norm));
}

bool onnx_mean_variance_norm(struct onnx_node *n)
{
    static const int64_t missing[] = {0, 2, 3};
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0);
    size_t count;
    const int64_t *axes = onnx_ints(n, "axes", &count);

    if (!x)
        return false;
    if (!axes) {
        axes = missing;
        count = ARRAY_SIZE(missing);
    }
    struct ir_value *mean = mean_of(m, x, axes, (unsigned)count);
    struct ir_value *square = mean_of(m, MUL(x, x), axes, (unsigned)count);
    struct ir_value *deviation = MAKE(&m->b, OP_sqrt, SUB(square, MUL(mean, mean)));
    return onnx_out(n, 0, DIV(SUB(x, mean), ADD(deviation, number(m, x, 1e-9))));
}

/* How LRN pools along channels: as along the first of the dimensions of space, channels last. */
static const struct lrn_pool {
    int op, extents; /* extents of a window */
    const char *layout;
} lrn_pools[] = {
    {OP_nn_avg_pool1d, 1, "NWC"}, {OP_nn_avg_pool2d, 2, "NHWC"}, {OP_nn_avg_pool3d, 3, "NDHWC"}};

/* @square, where no pool has its rank, as (N, C, all the rest). */
static struct ir_value *lrn_flatten(struct onnx_import *m, struct ir_value *square)
{
    const struct ir_expr *const *d = onnx_dims(square), *rest = onnx_expr(m, 1);

    for (int i = 2; i < onnx_rank(square); i++)
        rest = onnx_op(m, IR_EXPR_mul, rest, d[i]);
    const struct ir_expr *dims[] = {d[0], d[1], rest};
    return onnx_reshape(m, square, dims, 3);
}

/*
 * Means of @square over @size neighbouring channels.  The values keep their shape, so that all of LRN becomes one kernel.
 */
static struct ir_value *lrn_means(struct onnx_import *m, struct ir_value *square, int64_t size)
{
    enum { MOST = ARRAY_SIZE(lrn_pools) };
    const struct ir_expr *const *dims = onnx_dims(square);
    unsigned rank = (unsigned)onnx_rank(square);
    bool is_flat = rank < 3 || rank > MOST + 2;
    const struct lrn_pool *pool = &lrn_pools[is_flat ? 0 : rank - 3];
    int64_t window[MOST] = {size, 1, 1}, pads[2 * MOST] = {(size - 1) / 2};

    pads[pool->extents] = size / 2;
    struct make_attr attrs[] = {
        {"pool_size", onnx_attr_ints(m, window, (size_t)pool->extents)},
        {"padding", onnx_attr_ints(m, pads, 2 * (size_t)pool->extents)},
        {"count_include_pad", ir_attr_bool(m->context, true)},
        {"layout", ir_attr_string(m->context, atom_intern_text(&m->context->atoms, pool->layout))}};
    struct ir_value *mean = is_flat ? lrn_flatten(m, square) : square;

    mean = mean ? make_op(&m->b, pool->op, &mean, 1, attrs, ARRAY_SIZE(attrs)) : NULL;
    return mean && is_flat ? onnx_reshape(m, mean, dims, rank) : mean;
}

bool onnx_lrn(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0);
    int64_t size = onnx_int(n, "size", 1);
    double alpha = onnx_float(n, "alpha", 1e-4), beta = onnx_float(n, "beta", 0.75);
    double bias = onnx_float(n, "bias", 1);

    if (!x || onnx_rank(x) < 2 || size < 1 || size > INT32_MAX)
        return false;
    struct ir_value *square = MUL(x, x), *mean = square ? lrn_means(m, square, size) : NULL;
    struct ir_value *base = ADD(MUL(mean, number(m, x, alpha)), number(m, x, bias));
    return onnx_out(n, 0, DIV(x, MAKE(&m->b, OP_power, base, number(m, x, beta))));
}
