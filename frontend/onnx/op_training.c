/* One step of an optimiser: Adagrad, Adam, Momentum of ai.onnx.preview.training. */
#include "frontend/onnx/families.h"

#include <string.h>

#define ADD(x_, y_) MAKE(&m->b, OP_add, x_, y_)
#define SUB(x_, y_) MAKE(&m->b, OP_subtract, x_, y_)
#define MUL(x_, y_) MAKE(&m->b, OP_multiply, x_, y_)
#define DIV(x_, y_) MAKE(&m->b, OP_divide, x_, y_)

/* One tensor that is trained, with what goes with it. */
struct step {
    struct onnx_node *n;
    struct ir_value *rate, *turn; /* of the dtype of the tensor */
    struct ir_value *x, *gradient, *first, *second;
};

typedef void step_fn(struct step *s);

static struct ir_value *number(const struct step *s, double value)
{
    return s->x ? onnx_scalar(s->n->m, s->x->type->dtype, value) : NULL;
}

static struct ir_value *attribute(const struct step *s, const char *name, double missing)
{
    return number(s, onnx_float(s->n, name, missing));
}

/* Is this a later turn than the first? */
static struct ir_value *is_later(const struct step *s)
{
    struct onnx_import *m = s->n->m;
    return MAKE(&m->b, OP_greater, s->turn, number(s, 0));
}

/* The gradient with that of norm_coefficient / 2 * x * x. */
static struct ir_value *regularized(const struct step *s)
{
    struct onnx_import *m = s->n->m;
    return ADD(MUL(attribute(s, "norm_coefficient", 0), s->x), s->gradient);
}

static void adagrad(struct step *s)
{
    struct onnx_import *m = s->n->m;
    struct ir_value *g = regularized(s);
    struct ir_value *rate =
        DIV(s->rate, ADD(number(s, 1), MUL(s->turn, attribute(s, "decay_factor", 0))));

    s->first = ADD(s->first, MUL(g, g));
    struct ir_value *root =
        ADD(MAKE(&m->b, OP_sqrt, s->first), attribute(s, "epsilon", (double)1e-6f));
    s->x = SUB(s->x, DIV(MUL(rate, g), root));
}

static void adam(struct step *s)
{
    struct onnx_import *m = s->n->m;
    struct ir_value *g = regularized(s), *one = number(s, 1);
    struct ir_value *alpha = attribute(s, "alpha", (double)0.9f);
    struct ir_value *beta = attribute(s, "beta", (double)0.999f);
    struct ir_value *root, *grown = MAKE(&m->b, OP_power, beta, s->turn);

    s->first = ADD(MUL(alpha, s->first), MUL(SUB(one, alpha), g));
    s->second = ADD(MUL(beta, s->second), MUL(SUB(one, beta), MUL(g, g)));
    root = ADD(MAKE(&m->b, OP_sqrt, s->second), attribute(s, "epsilon", (double)1e-6f));
    struct ir_value *later = DIV(MUL(s->rate, MAKE(&m->b, OP_sqrt, SUB(one, grown))),
                                 SUB(one, MAKE(&m->b, OP_power, alpha, s->turn)));
    struct ir_value *rate = MAKE(&m->b, OP_where, is_later(s), later, s->rate);
    s->x = SUB(s->x, MUL(rate, DIV(s->first, root)));
    s->x = MUL(SUB(one, attribute(s, "norm_coefficient_post", 0)), s->x);
}

static void momentum(struct step *s)
{
    struct onnx_import *m = s->n->m;
    struct ir_value *g = regularized(s), *alpha = attribute(s, "alpha", 0);
    struct ir_value *beta =
        MAKE(&m->b, OP_where, is_later(s), attribute(s, "beta", 0), number(s, 1));

    s->first = ADD(MUL(alpha, s->first), MUL(beta, g));
    bool is_nesterov = strcmp(onnx_string(s->n, "mode", "standard"), "nesterov") == 0;
    struct ir_value *way = is_nesterov ? ADD(g, MUL(alpha, s->first)) : s->first;
    s->x = SUB(s->x, MUL(s->rate, way));
}

/*
 * Rate and turn, then all tensors, all gradients, all states of the first kind (and the second): @kinds lists.
 * Outputs in the same order, without the gradients.
 */
static bool train(struct onnx_node *n, unsigned kinds, step_fn *one)
{
    struct onnx_import *m = n->m;
    struct ir_value *rate = onnx_in(n, 0), *turn = rate ? onnx_in(n, 1) : NULL, *in[4] = {NULL};
    unsigned count = n->input_count > 2 ? (n->input_count - 2) / kinds : 0;

    if (!turn || count == 0 || n->input_count != 2 + count * kinds)
        return false;
    rate = onnx_reshape(m, rate, NULL, 0);
    turn = onnx_reshape(m, turn, NULL, 0);
    for (unsigned i = 0; i < count; i++) {
        for (unsigned k = 0; k < kinds; k++)
            if (!(in[k] = onnx_in(n, 2 + k * count + i)))
                return false;
        struct ir_dtype dtype = in[0]->type->dtype;
        struct step s = {
            n, onnx_cast(m, rate, dtype), onnx_cast(m, turn, dtype), in[0], in[1], in[2], in[3]};
        one(&s);
        struct ir_value *out[] = {s.x, s.first, s.second};
        for (unsigned k = 0; k + 1 < kinds; k++)
            if (!onnx_out(n, k * count + i, out[k]))
                return false;
    }
    return true;
}

bool onnx_adagrad(struct onnx_node *n)
{
    return train(n, 3, adagrad);
}

bool onnx_adam(struct onnx_node *n)
{
    return train(n, 4, adam);
}

bool onnx_momentum(struct onnx_node *n)
{
    return train(n, 3, momentum);
}
