/*
 * Operators of com.microsoft that ONNX Runtime's optimisers leave in models: products, convolutions and
 * normalisations with what stood beside them.
 */
#include "frontend/onnx/attention.h"
#include "frontend/onnx/families.h"

#include <string.h>

#define ADD(x_, y_) MAKE(&m->b, OP_add, x_, y_)
#define SUB(x_, y_) MAKE(&m->b, OP_subtract, x_, y_)
#define MUL(x_, y_) MAKE(&m->b, OP_multiply, x_, y_)

struct ir_value *onnx_plus(struct onnx_node *n, struct ir_value *x, unsigned input)
{
    struct onnx_import *m = n->m;

    return x && onnx_has(n, input) ? ADD(x, onnx_in(n, input)) : x;
}

/* ---- products, convolutions, activations ---- */

struct ir_value *onnx_swap_last(struct onnx_import *m, struct ir_value *x)
{
    int64_t axes[IR_RANK_LIMIT];
    unsigned rank = (unsigned)onnx_rank(x);

    for (unsigned i = 0; i < rank; i++)
        axes[i] = i + 2 < rank ? i : rank * 2 - 3 - i;
    return rank < 2 ? x : onnx_permute(m, x, axes, rank);
}

bool onnx_fused_matmul(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *a = onnx_in(n, 0), *b = a ? onnx_in(n, 1) : NULL;
    double alpha = onnx_float(n, "alpha", 1);

    if (!b)
        return false;
    if (onnx_int(n, "transBatchA", 0) || onnx_int(n, "transBatchB", 0)) {
        onnx_refuse(n, "transBatchA and transBatchB are not read");
        return false;
    }
    a = onnx_int(n, "transA", 0) ? onnx_swap_last(m, a) : a;
    b = onnx_int(n, "transB", 0) ? onnx_swap_last(m, b) : b;
    if (!a || !b || !onnx_fit_product(n, &a, &b))
        return false;
    struct ir_value *y = MAKE(&m->b, OP_matmul, a, b);
    return onnx_out(n, 0, y && alpha != 1 ? MUL(y, onnx_scalar(m, y->type->dtype, alpha)) : y);
}

/* max(min(alpha * x + beta, 1), 0) */
static struct ir_value *hard_sigmoid(struct onnx_import *m, struct ir_value *x, double alpha,
                                     double beta)
{
    struct ir_dtype dtype = x->type->dtype;
    struct ir_value *line = ADD(MUL(x, onnx_scalar(m, dtype, alpha)), onnx_scalar(m, dtype, beta));

    line = MAKE(&m->b, OP_minimum, line, onnx_scalar(m, dtype, 1));
    return MAKE(&m->b, OP_maximum, line, onnx_scalar(m, dtype, 0));
}

/* What attribute `activation` makes of @y, with two numbers. */
static struct ir_value *activated(struct onnx_node *n, struct ir_value *y, const double *numbers)
{
    struct onnx_import *m = n->m;
    const char *kind = onnx_string(n, "activation", "");
    const struct ir_attr *alpha = ir_attr_float(m->context, numbers[0]);

    if (!y || !*kind)
        return y;
    if (strcmp(kind, "Relu") == 0)
        return MAKE(&m->b, OP_nn_relu, y);
    if (strcmp(kind, "Sigmoid") == 0)
        return MAKE(&m->b, OP_sigmoid, y);
    if (strcmp(kind, "Tanh") == 0)
        return MAKE(&m->b, OP_tanh, y);
    if (strcmp(kind, "LeakyRelu") == 0)
        return MAKE_WITH(&m->b, OP_nn_leakyrelu, ((struct make_attr){"alpha", alpha}), y);
    if (strcmp(kind, "HardSigmoid") == 0)
        return hard_sigmoid(m, y, numbers[0], numbers[1]);
    if (strcmp(kind, "HardSwish") == 0)
        return MUL(y, hard_sigmoid(m, y, 1.0 / 6, 0.5));
    if (strcmp(kind, "Clip") == 0) {
        y = MAKE(&m->b, OP_maximum, y, onnx_scalar(m, y->type->dtype, numbers[0]));
        return y ? MAKE(&m->b, OP_minimum, y, onnx_scalar(m, y->type->dtype, numbers[1])) : NULL;
    }
    onnx_refuse(n, "activation `%s` is not known", kind);
    return NULL;
}

bool onnx_fused_conv(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    const Onnx__Attribute *params = onnx_attribute(n, "activation_params");
    struct ir_value *x = onnx_in(n, 0), *w = x ? onnx_in(n, 1) : NULL;
    struct ir_value *y = w ? onnx_conv_of(n, x, w) : NULL;
    double numbers[2] = {0.01, 0.5};

    for (size_t i = 0; params && i < params->n_floats && i < 2; i++)
        numbers[i] = (double)params->floats[i];
    if (y && onnx_has(n, 2)) {
        struct ir_value *bias = onnx_in(n, 2);
        y = bias ? ADD(y, onnx_along(m, bias, 1, onnx_rank(y))) : NULL;
    }
    return onnx_out(n, 0, activated(n, onnx_plus(n, y, 3), numbers));
}

bool onnx_fused_gemm(struct onnx_node *n)
{
    const double numbers[] = {onnx_float(n, "activation_alpha", 0.01),
                              onnx_float(n, "activation_beta", 0.5)};

    return onnx_gemm(n) && onnx_out(n, 0, activated(n, n->outputs[0].tensor, numbers));
}

/* BiasGelu, FastGelu (by tanh): of input 0 and what is added to it. */
bool onnx_bias_gelu(struct onnx_node *n)
{
    struct ir_value *x = onnx_plus(n, onnx_in(n, 0), 1);

    return onnx_out(n, 0, MAKE(&n->m->b, n->row->op, x));
}

bool onnx_quick_gelu(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0);
    struct ir_value *alpha =
        x ? onnx_scalar(m, x->type->dtype, onnx_float(n, "alpha", 1.702)) : NULL;

    return onnx_out(n, 0, MUL(x, MAKE(&m->b, OP_sigmoid, MUL(x, alpha))));
}

/* ---- normalisations ---- */

/* Along the last axis of @x: less the mean, unless @is_simple, by the root of the mean square, in float32. */
static struct ir_value *row_norm(struct onnx_node *n, struct ir_value *x, double epsilon,
                                 bool is_simple, struct ir_value *out_statistics[2])
{
    struct onnx_import *m = n->m;

    if (!x)
        return NULL;
    struct ir_dtype own = x->type->dtype;
    int64_t last = onnx_rank(x) - 1;
    struct ir_value *wide = onnx_cast(m, x, own.bits < 32 ? IR_F32 : own);
    struct ir_value *mean = NULL;
    if (!is_simple) {
        mean = wide ? onnx_reduce(m, OP_mean, wide, &last, 1, true) : NULL;
        wide = SUB(wide, mean);
    }
    struct ir_value *square = MUL(wide, wide);
    square = square ? onnx_reduce(m, OP_mean, square, &last, 1, true) : NULL;
    struct ir_value *inverse = MAKE(
        &m->b, OP_rsqrt, square ? ADD(square, onnx_scalar(m, wide->type->dtype, epsilon)) : NULL);
    out_statistics[0] = mean;
    out_statistics[1] = inverse;
    struct ir_value *y = MUL(wide, inverse);
    return y ? onnx_cast(m, y, own) : NULL;
}

/* SkipLayerNormalization and, with `Simplified` in the name, that without mean and beta. */
bool onnx_skip_norm(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    bool is_simple = strstr(n->name, "Simplified") != NULL;
    struct ir_value *gamma = onnx_in(n, 2), *statistics[2];
    struct ir_value *sum = onnx_plus(n, onnx_plus(n, onnx_in(n, 0), 1), is_simple ? 3 : 4);
    struct ir_value *y = row_norm(n, sum, onnx_float(n, "epsilon", 1e-12), is_simple, statistics);

    y = MUL(y, gamma);
    y = is_simple ? y : onnx_plus(n, y, 3);
    if (onnx_wants(n, 1) && !(statistics[0] && onnx_out(n, 1, statistics[0]))) {
        onnx_refuse(n, "it has no mean to give");
        return false;
    }
    return onnx_out(n, 0, y) && (!onnx_wants(n, 2) || onnx_out(n, 2, statistics[1])) &&
           (!onnx_wants(n, 3) || onnx_out(n, 3, sum));
}

struct ir_value *onnx_look_up(struct onnx_node *n, unsigned table, struct ir_value *at)
{
    struct make_attr axis = {"axis", onnx_attr_int(n->m, 0)};
    struct ir_value *rows = at ? onnx_in(n, table) : NULL;

    return rows ? MAKE_WITH(&n->m->b, OP_take, axis, rows, at) : NULL;
}

bool onnx_embed_norm(struct onnx_node *n)
{
    static const int64_t last = 1;
    struct onnx_import *m = n->m;
    struct ir_value *ids = onnx_in(n, 0), *gamma = onnx_in(n, 5), *statistics[2], *at, *count;

    if (!ids || !gamma || onnx_rank(ids) != 2) {
        if (ids && gamma)
            onnx_refuse(n, "its tokens are not rows of sequences");
        return false;
    }
    const struct ir_expr *const *dims = onnx_dims(ids);
    at = onnx_has(n, 8)
             ? onnx_in(n, 8)
             : onnx_cast(m, MAKE(&m->b, OP_arange, ir_inline_prim(m->module, dims[1])), IR_I64);
    struct ir_value *sum = ADD(onnx_look_up(n, 2, ids), onnx_look_up(n, 3, at));
    if (onnx_has(n, 1) && onnx_has(n, 4))
        sum = ADD(sum, onnx_look_up(n, 4, onnx_in(n, 1)));
    struct ir_value *y =
        MUL(row_norm(n, sum, onnx_float(n, "epsilon", 1e-12), false, statistics), gamma);
    struct ir_value *mask = onnx_has(n, 7) ? onnx_in(n, 7) : NULL;
    count = mask ? onnx_reduce(m, OP_sum, mask, &last, 1, false)
                 : onnx_broadcast(m, onnx_scalar(m, IR_I32, 0), dims, 1);
    return onnx_out(n, 0, onnx_plus(n, y, 6)) &&
           (!onnx_wants(n, 1) || onnx_out(n, 1, onnx_cast(m, count, IR_I32))) &&
           (!onnx_wants(n, 2) || onnx_out(n, 2, sum));
}
