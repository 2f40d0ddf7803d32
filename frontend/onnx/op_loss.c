/* Losses, and small functions that ONNX gives bodies of other operators. */
#include "frontend/onnx/families.h"

#include <math.h>
#include <string.h>

#define ADD(x_, y_) MAKE(&m->b, OP_add, x_, y_)
#define SUB(x_, y_) MAKE(&m->b, OP_subtract, x_, y_)
#define MUL(x_, y_) MAKE(&m->b, OP_multiply, x_, y_)
#define DIV(x_, y_) MAKE(&m->b, OP_divide, x_, y_)

/* The element of axis 1 of @x that @labels names, for each place: rank of the labels. */
static struct ir_value *picked(struct onnx_import *m, struct ir_value *x, struct ir_value *labels)
{
    int64_t axis = 1;
    struct ir_value *at = onnx_expand_dims(m, labels, &axis, 1);
    struct make_attr attr = {"axis", onnx_attr_int(m, 1)};
    struct ir_value *found = MAKE_WITH(&m->b, OP_gather_elements, attr, x, at);

    return found ? onnx_reshape(m, found, onnx_dims(labels), (unsigned)onnx_rank(labels)) : NULL;
}

static struct ir_value *sum_all(struct onnx_import *m, struct ir_value *x)
{
    int64_t axes[IR_RANK_LIMIT];

    for (int i = 0; x && i < onnx_rank(x); i++)
        axes[i] = i;
    return x ? onnx_reduce(m, OP_sum, x, axes, (unsigned)onnx_rank(x), false) : NULL;
}

/* -log_probability of each label, weighted and reduced. */
static struct ir_value *nll(struct onnx_node *n, struct ir_value *log, struct ir_value *labels,
                            struct ir_value *weight)
{
    struct onnx_import *m = n->m;
    const char *reduction = onnx_string(n, "reduction", "mean");
    bool ignores = onnx_attribute(n, "ignore_index") != NULL;
    struct ir_dtype real = log->type->dtype;
    struct ir_value *kept = NULL, *weights = NULL, *one = onnx_scalar(m, real, 1),
                    *zero = onnx_scalar(m, real, 0);

    labels = onnx_cast(m, labels, IR_I64);
    if (ignores) {
        struct ir_value *ignored = onnx_scalar(m, IR_I64, (double)onnx_int(n, "ignore_index", 0));
        kept = MAKE(&m->b, OP_not_equal, labels, ignored);
        labels = MAKE(&m->b, OP_where, kept, labels, onnx_scalar(m, IR_I64, 0));
    }
    if (!labels)
        return NULL;
    struct ir_value *loss = MAKE(&m->b, OP_negative, picked(m, log, labels));
    if (weight)
        weights = MAKE_WITH(&m->b, OP_take, ((struct make_attr){"axis", onnx_attr_int(m, 0)}),
                            weight, labels);
    else if (ignores)
        weights = onnx_broadcast(m, one, onnx_dims(labels), (unsigned)onnx_rank(labels));
    if (ignores)
        weights = MAKE(&m->b, OP_where, kept, weights, zero);
    if (weights)
        loss = MUL(loss, weights);
    if (strcmp(reduction, "none") == 0)
        return loss;
    struct ir_value *sum = sum_all(m, loss);
    if (strcmp(reduction, "sum") == 0)
        return sum;
    if (!weights)
        weights = onnx_broadcast(m, one, onnx_dims(labels), (unsigned)onnx_rank(labels));
    return DIV(sum, sum_all(m, weights));
}

static bool loss_inputs(struct onnx_node *n, struct ir_value **x, struct ir_value **labels,
                        struct ir_value **weight)
{
    *x = onnx_in(n, 0);
    *labels = *x ? onnx_in(n, 1) : NULL;
    *weight = NULL;
    return *labels && onnx_rank(*x) >= 2 && (!onnx_has(n, 2) || (*weight = onnx_in(n, 2)));
}

bool onnx_nll_loss(struct onnx_node *n)
{
    struct ir_value *x, *labels, *weight;

    return loss_inputs(n, &x, &labels, &weight) && onnx_out(n, 0, nll(n, x, labels, weight));
}

bool onnx_cross_entropy(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x, *labels, *weight;

    if (!loss_inputs(n, &x, &labels, &weight))
        return false;
    struct make_attr attr = {"axis", onnx_attr_int(m, 1)};
    struct ir_value *log = make_op(&m->b, OP_nn_log_softmax, &x, 1, &attr, 1);
    return log && onnx_out(n, 0, nll(n, log, labels, weight)) &&
           (!onnx_wants(n, 1) || onnx_out(n, 1, log));
}

/* ---- CenterCropPad ---- */

bool onnx_center_crop_pad(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0);
    size_t count, axis_count;
    const int64_t *sizes = x ? onnx_in_numbers(n, 1, &count) : NULL;
    const int64_t *axes = onnx_ints(n, "axes", &axis_count);

    if (!sizes || (axes && axis_count != count))
        return false;
    for (size_t i = 0; i < count && x; i++) {
        int64_t axis, extent, size = sizes[i];
        if (!onnx_axis(n, axes ? axes[i] : (int64_t)i, onnx_rank(x), &axis) ||
            !ir_expr_constant(m->context, onnx_dims(x)[axis], &extent))
            return false;
        if (size < extent) {
            int64_t at = (extent - size) / 2;
            x = onnx_slice(m, x, axis, onnx_expr(m, at), onnx_expr(m, at + size), 1);
        } else if (size > extent) {
            int64_t before = (size - extent) / 2;
            struct ir_value *zero = onnx_scalar(m, x->type->dtype, 0), *items[3];
            const struct ir_expr *dims[IR_RANK_LIMIT];
            unsigned parts = 0;
            for (int k = 0; k < onnx_rank(x); k++)
                dims[k] = onnx_dims(x)[k];
            for (int part = 0; part < 3; part++) {
                dims[axis] = onnx_expr(m, part == 0 ? before : size - extent - before);
                if (part == 1)
                    items[parts++] = x;
                else if (!ir_expr_is_int(dims[axis], 0))
                    items[parts++] = onnx_broadcast(m, zero, dims, (unsigned)onnx_rank(x));
            }
            x = onnx_concat(m, items, parts, axis);
        }
    }
    return onnx_out(n, 0, x);
}

/* ---- windows of signals ---- */

/* a0 - a1 * cos(2 pi i / n) + a2 * cos(4 pi i / n) */
bool onnx_window_function(struct onnx_node *n)
{
    static const struct {
        const char *name;
        double a0, a1, a2;
    } windows[] = {{"HannWindow", 0.5, 0.5, 0},
                   {"HammingWindow", 25.0 / 46, 21.0 / 46, 0},
                   {"BlackmanWindow", 0.42, 0.5, 0.08}};
    struct onnx_import *m = n->m;
    int64_t type = onnx_int(n, "output_datatype", 1);
    bool is_periodic = onnx_int(n, "periodic", 1);
    struct ir_dtype dtype;
    double given;

    if (!onnx_in_number(n, 0, &given) || given < 1 || given > 1 << 20 || type > 99 ||
        !onnx_dtype((int32_t)type, &dtype))
        return false;
    int64_t count = (int64_t)given;
    float *values = arena_array(m->arena, float, (size_t)count);
    for (size_t k = 0; k < ARRAY_SIZE(windows); k++)
        for (int64_t i = 0; strcmp(windows[k].name, n->name) == 0 && i < count; i++) {
            double angle = 2 * acos(-1) * (double)i / (double)(is_periodic ? count : count - 1);
            values[i] = (float)(windows[k].a0 - windows[k].a1 * cos(angle) +
                                windows[k].a2 * cos(2 * angle));
        }
    return onnx_out(n, 0, onnx_cast(m, onnx_constant(m, IR_F32, &count, 1, values), dtype));
}
