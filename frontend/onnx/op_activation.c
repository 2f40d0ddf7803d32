/* Activations that are chains of Relax operators. */
#include "frontend/onnx/families.h"

#include <math.h>
#include <string.h>

/* A chain that is being written: x and numbers of its dtype. */
struct chain {
    struct onnx_node *n;
    struct onnx_import *m;
    struct ir_builder *b;
    struct ir_value *x;
};

static bool begin(struct chain *c, struct onnx_node *n)
{
    *c = (struct chain){n, n->m, &n->m->b, onnx_in(n, 0)};
    return c->x != NULL;
}

/* In float32 for the 16-bit floats: finish() rounds once. */
static bool begin_wide(struct chain *c, struct onnx_node *n)
{
    if (begin(c, n) && ir_dtype_is_float(c->x->type->dtype) && c->x->type->dtype.bits == 16)
        c->x = onnx_cast(n->m, c->x, IR_F32);
    return c->x != NULL;
}

static bool finish(struct onnx_node *n, struct ir_value *y)
{
    return onnx_out(n, 0, onnx_cast(n->m, y, onnx_in(n, 0)->type->dtype));
}

static struct ir_value *number(struct chain *c, double value)
{
    return onnx_scalar(c->m, c->x->type->dtype, value);
}

#define OP1(id, x)    MAKE(c.b, OP_##id, x)
#define OP2(id, x, y) MAKE(c.b, OP_##id, x, y)
#define NUMBER(value) number(&c, value)

/* alpha * (exp(x / scale) - 1) below 0. */
static bool exponential(struct onnx_node *n, double alpha, double scale)
{
    struct chain c;

    if (!begin_wide(&c, n))
        return false;
    struct ir_value *inner = scale == 1 ? c.x : OP2(divide, c.x, NUMBER(scale));
    struct ir_value *curve =
        OP2(multiply, NUMBER(alpha), OP2(subtract, OP1(exp, inner), NUMBER(1)));
    return finish(n, MAKE(c.b, OP_where, OP2(less, c.x, NUMBER(0)), curve, c.x));
}

bool onnx_elu(struct onnx_node *n)
{
    return exponential(n, onnx_float(n, "alpha", 1), 1);
}

bool onnx_celu(struct onnx_node *n)
{
    double alpha = onnx_float(n, "alpha", 1);
    return exponential(n, alpha, alpha);
}

bool onnx_selu(struct onnx_node *n)
{
    struct chain c;
    double alpha = onnx_float(n, "alpha", 1.67326319217681884765625);
    double gamma = onnx_float(n, "gamma", 1.05070102214813232421875);

    if (!begin_wide(&c, n))
        return false;
    struct ir_value *curve =
        OP2(multiply, NUMBER(gamma * alpha), OP2(subtract, OP1(exp, c.x), NUMBER(1)));
    return finish(n, MAKE(c.b, OP_where, OP2(greater, c.x, NUMBER(0)),
                          OP2(multiply, NUMBER(gamma), c.x), curve));
}

bool onnx_gelu(struct onnx_node *n)
{
    struct chain c;
    bool is_tanh = strcmp(onnx_string(n, "approximate", "none"), "tanh") == 0;

    return begin(&c, n) && onnx_out(n, 0, MAKE(c.b, is_tanh ? OP_nn_gelu_tanh : OP_nn_gelu, c.x));
}

bool onnx_hard_sigmoid(struct onnx_node *n)
{
    struct chain c;
    bool is_swish = strcmp(n->name, "HardSwish") == 0;
    double alpha = is_swish ? 1.0 / 6 : onnx_float(n, "alpha", 0.2);
    double beta = is_swish ? 0.5 : onnx_float(n, "beta", 0.5);

    if (!begin(&c, n))
        return false;
    struct ir_value *line = OP2(add, OP2(multiply, c.x, NUMBER(alpha)), NUMBER(beta));
    struct ir_value *gate = OP2(maximum, OP2(minimum, line, NUMBER(1)), NUMBER(0));
    return onnx_out(n, 0, is_swish ? OP2(multiply, c.x, gate) : gate);
}

bool onnx_leaky_relu(struct onnx_node *n)
{
    struct chain c;
    const struct ir_attr *alpha = ir_attr_float(n->m->context, onnx_float(n, "alpha", 0.01));

    return begin(&c, n) &&
           onnx_out(n, 0,
                    MAKE_WITH(c.b, OP_nn_leakyrelu, ((struct make_attr){"alpha", alpha}), c.x));
}

bool onnx_mish(struct onnx_node *n)
{
    struct chain c;

    return begin_wide(&c, n) && finish(n, OP2(multiply, c.x, OP1(tanh, OP1(nn_softplus, c.x))));
}

bool onnx_prelu(struct onnx_node *n)
{
    struct chain c;
    struct ir_value *slope = onnx_in(n, 1);

    if (!slope || !begin(&c, n))
        return false;
    if (n->opset < 7 && onnx_rank(slope) == 1 && !ir_expr_is_int(onnx_dims(slope)[0], 1))
        slope = onnx_along(c.m, slope, 1, onnx_rank(c.x)); /* of channels */
    return onnx_out(n, 0,
                    MAKE(c.b, OP_where, OP2(less, c.x, NUMBER(0)), OP2(multiply, c.x, slope), c.x));
}

bool onnx_shrink(struct onnx_node *n)
{
    struct chain c;
    double bias = onnx_float(n, "bias", 0), lambda = onnx_float(n, "lambd", 0.5);

    if (!begin(&c, n))
        return false;
    struct ir_value *upper = MAKE(c.b, OP_where, OP2(greater, c.x, NUMBER(lambda)),
                                  OP2(subtract, c.x, NUMBER(bias)), NUMBER(0));
    return onnx_out(
        n, 0,
        MAKE(c.b, OP_where, OP2(less, c.x, NUMBER(-lambda)), OP2(add, c.x, NUMBER(bias)), upper));
}

bool onnx_softplus(struct onnx_node *n)
{
    struct chain c;

    return begin(&c, n) && onnx_out(n, 0, OP1(nn_softplus, c.x));
}

bool onnx_softsign(struct onnx_node *n)
{
    struct chain c;

    return begin_wide(&c, n) && finish(n, OP2(divide, c.x, OP2(add, OP1(abs, c.x), NUMBER(1))));
}

bool onnx_swish(struct onnx_node *n)
{
    struct chain c;
    double alpha = onnx_float(n, "alpha", 1);

    if (!begin_wide(&c, n))
        return false;
    return finish(n, OP2(multiply, c.x, OP1(sigmoid, OP2(multiply, c.x, NUMBER(alpha)))));
}

bool onnx_swiglu(struct onnx_node *n)
{
    struct chain c;
    double alpha = onnx_float(n, "alpha", 1);
    struct ir_value *other = onnx_in(n, 1);

    if (!other || !begin_wide(&c, n))
        return false;
    other = onnx_cast(c.m, other, c.x->type->dtype);
    struct ir_value *gate = OP2(multiply, c.x, OP1(sigmoid, OP2(multiply, c.x, NUMBER(alpha))));
    return finish(n, OP2(multiply, gate, other));
}

bool onnx_thresholded_relu(struct onnx_node *n)
{
    struct chain c;
    double alpha = onnx_float(n, "alpha", 1);

    return begin(&c, n) &&
           onnx_out(n, 0, MAKE(c.b, OP_where, OP2(greater, c.x, NUMBER(alpha)), c.x, NUMBER(0)));
}

/* ---- softmax ---- */

static bool along_axis(struct onnx_node *n, struct ir_value *x, int64_t axis)
{
    struct make_attr attr = {"axis", onnx_attr_int(n->m, axis)};
    return x && onnx_out(n, 0, make_op(&n->m->b, n->row->op, &x, 1, &attr, 1));
}

bool onnx_softmax(struct onnx_node *n)
{
    return along_axis(n, onnx_in(n, 0), onnx_int(n, "axis", -1));
}

/* As a matrix: axes before @axis and the rest. */
static struct ir_value *flat(struct onnx_node *n, struct ir_value *x, int64_t axis)
{
    struct onnx_import *m = n->m;
    const struct ir_expr *dims[2] = {onnx_expr(m, 1), onnx_expr(m, 1)};

    for (int i = 0; i < onnx_rank(x); i++)
        dims[i >= axis] = onnx_op(m, IR_EXPR_mul, dims[i >= axis], onnx_dims(x)[i]);
    return onnx_reshape(m, x, dims, 2);
}

/* Before opset 13: over all axes from `axis` on. */
bool onnx_softmax_flat(struct onnx_node *n)
{
    struct ir_value *x = onnx_in(n, 0);
    int64_t axis;

    if (!x || !onnx_axis(n, onnx_int(n, "axis", 1), onnx_rank(x), &axis))
        return false;
    if (axis == onnx_rank(x) - 1)
        return along_axis(n, x, axis);
    return along_axis(n, flat(n, x, axis), 1) &&
           onnx_out(n, 0,
                    onnx_reshape(n->m, n->outputs[0].tensor, onnx_dims(x), (unsigned)onnx_rank(x)));
}

/* 1 at the first largest element. */
bool onnx_hardmax(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0), *all = x;
    int64_t axis;

    if (!x || !onnx_axis(n, onnx_int(n, "axis", n->opset < 13 ? 1 : -1), onnx_rank(x), &axis))
        return false;
    if (n->opset < 13) {
        all = flat(n, x, axis);
        axis = 1;
    }
    struct make_attr attrs[] = {{"axis", onnx_attr_int(m, axis)},
                                {"keepdims", ir_attr_bool(m->context, true)}};
    struct ir_value *best = all ? make_op(&m->b, OP_argmax, &all, 1, attrs, 2) : NULL;
    struct ir_value *places =
        best ? MAKE(&m->b, OP_arange, ir_inline_prim(m->module, onnx_dims(all)[axis])) : NULL;
    places = onnx_along(m, onnx_cast(m, places, IR_I64), axis, all ? onnx_rank(all) : 1);
    struct ir_value *hits = onnx_cast(m, MAKE(&m->b, OP_equal, places, best), x->type->dtype);
    return onnx_out(n, 0, onnx_reshape(m, hits, onnx_dims(x), (unsigned)onnx_rank(x)));
}
