/* Products of matrices, Einsum, convolutions. */
#include "frontend/onnx/families.h"
#include "frontend/onnx/scaled.h"
#include "frontend/onnx/window.h"

#include <string.h>

bool onnx_matmul(struct onnx_node *n)
{
    struct ir_value *a = onnx_in(n, 0), *b = a ? onnx_in(n, 1) : NULL;

    if (b && onnx_rank(a) >= 2 && onnx_rank(b) >= 2 &&
        onnx_multiplies_bytes(n, onnx_rank(b) - 1, onnx_dims(a)[onnx_rank(a) - 1])) {
        a = onnx_scaled_of(n, 0)->whole;
        b = onnx_scaled_of(n, 1)->whole;
        struct ir_value *sum = onnx_fit_product(n, &a, &b) ? MAKE(&n->m->b, OP_matmul, a, b) : NULL;
        return sum && onnx_out_scaled(n, sum, onnx_rank(sum) - 1);
    }
    return b && onnx_fit_product(n, &a, &b) && onnx_out(n, 0, MAKE(&n->m->b, OP_matmul, a, b));
}

static struct ir_value *scaled(struct onnx_node *n, struct ir_value *x, double factor)
{
    if (!x || factor == 1)
        return x;
    return MAKE(&n->m->b, OP_multiply, x, onnx_scalar(n->m, x->type->dtype, factor));
}

bool onnx_gemm(struct onnx_node *n)
{
    static const int64_t swapped[] = {1, 0};
    struct onnx_import *m = n->m;
    struct ir_value *a = onnx_in(n, 0), *b = a ? onnx_in(n, 1) : NULL;

    if (!b)
        return false;
    if (onnx_rank(a) != 2 || onnx_rank(b) != 2) {
        onnx_refuse(n, "its operands are no matrices");
        return false;
    }
    bool is_a_turned = onnx_int(n, "transA", 0), is_b_turned = onnx_int(n, "transB", 0);
    double alpha = onnx_float(n, "alpha", 1), beta = onnx_float(n, "beta", 1);
    bool is_of_bytes = alpha == 1 && beta == 1 &&
                       onnx_multiplies_bytes(n, !is_b_turned, onnx_dims(b)[is_b_turned]);
    if (is_of_bytes) {
        const struct onnx_scaled *x = onnx_scaled_of(n, 0), *w = onnx_scaled_of(n, 1);
        a = is_a_turned ? onnx_turned(m, x) : x->whole;
        b = is_b_turned ? onnx_turned(m, w) : w->whole;
    } else {
        a = is_a_turned ? onnx_permute(m, a, swapped, 2) : a;
        b = is_b_turned ? onnx_permute(m, b, swapped, 2) : b;
    }
    if (!onnx_fit_product(n, &a, &b))
        return false;
    struct ir_value *product = MAKE(&m->b, OP_matmul, a, b);
    if (is_of_bytes)
        return onnx_out_scaled(n, product, 1);
    product = scaled(n, product, alpha);
    if (product && onnx_has(n, 2) && beta != 0) {
        struct ir_value *bias = onnx_in(n, 2);
        product = bias ? MAKE(&m->b, OP_add, product, scaled(n, bias, beta)) : NULL;
    }
    return onnx_out(n, 0, product);
}

bool onnx_einsum(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value **operands = arena_array(m->arena, struct ir_value *, n->input_count + 1);
    struct text text = {0};

    for (const char *at = onnx_string(n, "equation", ""); *at; at++)
        if (*at != ' ')
            text_putc(&text, *at);
    const struct ir_attr *subscripts = onnx_attr_string(m, text_string(&text));
    text_finish(&text);
    for (unsigned i = 0; i < n->input_count; i++)
        if (!(operands[i] = onnx_in(n, i)))
            return false;
    return onnx_out(n, 0,
                    MAKE_WITH(&m->b, OP_einsum, ((struct make_attr){"subscripts", subscripts}),
                              make_tuple(&m->b, operands, n->input_count)));
}

/* ---- convolutions ---- */

static const enum op_id convs[] = {OP_nn_conv1d, OP_nn_conv2d, OP_nn_conv3d};
static const enum op_id transposed[] = {OP_nn_conv1d_transpose, OP_nn_conv2d_transpose,
                                        OP_nn_conv3d_transpose};

static struct ir_value *add_bias(struct onnx_node *n, struct ir_value *y)
{
    if (!y || !onnx_has(n, 2))
        return y;
    struct ir_value *bias = onnx_in(n, 2);
    return bias ? MAKE(&n->m->b, OP_add, y, onnx_along(n->m, bias, 1, onnx_rank(y))) : NULL;
}

struct ir_value *onnx_conv_of(struct onnx_node *n, struct ir_value *x, struct ir_value *w)
{
    struct onnx_import *m = n->m;
    struct onnx_window window;

    x = onnx_measured(m, x, NULL); /* less a zero point, of which it is not known whether it fits */
    w = onnx_measured(m, w, NULL);
    if (!x || !w || !onnx_window_read(n, &window, x, w))
        return NULL;
    struct make_attr attrs[] = {
        {"strides", onnx_attr_ints(m, window.strides, window.rank)},
        {"padding", onnx_attr_ints(m, window.pads, 2 * window.rank)},
        {"dilation", onnx_attr_ints(m, window.dilations, window.rank)},
        {"groups", onnx_attr_int(m, onnx_int(n, "group", 1))},
    };
    struct ir_value *operands[] = {x, w};
    return make_op(&m->b, convs[window.rank - 1], operands, 2, attrs, ARRAY_SIZE(attrs));
}

bool onnx_conv(struct onnx_node *n)
{
    struct ir_value *x = onnx_in(n, 0), *w = x ? onnx_in(n, 1) : NULL;
    const struct ir_expr *depth = onnx_expr(n->m, 1);

    if (!w)
        return false;
    for (int i = 1; i < onnx_rank(w); i++)
        depth = onnx_op(n->m, IR_EXPR_mul, depth, onnx_dims(w)[i]);
    if (onnx_convolves_bytes(n, depth))
        return onnx_out_scaled(
            n, onnx_conv_of(n, onnx_scaled_of(n, 0)->whole, onnx_scaled_of(n, 1)->whole), 1);
    return onnx_out(n, 0, add_bias(n, onnx_conv_of(n, x, w)));
}

/* The pads that give `output_shape`, or auto_pad's; see the operator's text. */
static bool transpose_pads(struct onnx_node *n, struct onnx_window *window, struct ir_value *x,
                           int64_t *extra)
{
    size_t count;
    const int64_t *shape = onnx_ints(n, "output_shape", &count);
    const char *automatic = onnx_string(n, "auto_pad", "NOTSET");
    bool is_same = strncmp(automatic, "SAME", 4) == 0;

    if (!shape && !is_same)
        return true;
    if (shape && count != window->rank) {
        onnx_refuse(n, "output_shape has another length than the window");
        return false;
    }
    for (unsigned i = 0; i < window->rank; i++) {
        int64_t in, reach = (window->kernel[i] - 1) * window->dilations[i] + 1;
        if (!ir_expr_constant(n->m->context, onnx_dims(x)[i + 2], &in)) {
            onnx_refuse(n, "its padding depends on an extent that is not known");
            return false;
        }
        int64_t out = shape ? shape[i] : in * window->strides[i];
        int64_t total = window->strides[i] * (in - 1) + extra[i] + reach - out;
        if (total < 0) { /* nothing to cut: more is made at the end */
            extra[i] -= total;
            total = 0;
        }
        int64_t small = total / 2, large = total - total / 2;
        bool is_lower = strcmp(automatic, "SAME_LOWER") == 0;
        bool is_upper = strcmp(automatic, "SAME_UPPER") == 0;
        window->pads[i] = is_upper ? small : is_lower || shape ? large : small;
        window->pads[i + window->rank] = total - window->pads[i];
    }
    return true;
}

bool onnx_conv_transpose(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0), *w = x ? onnx_in(n, 1) : NULL;
    struct onnx_window window;
    size_t count;
    int64_t extra[3] = {0};

    if (!w || !onnx_window_read(n, &window, x, w))
        return false;
    const int64_t *given = onnx_ints(n, "output_padding", &count);
    for (size_t i = 0; given && i < count && i < window.rank; i++)
        extra[i] = given[i];
    if (!transpose_pads(n, &window, x, extra))
        return false;
    /* Relax wants output_padding below the stride: what is beyond it becomes less padding at the end. */
    for (unsigned i = 0; i < window.rank; i++)
        if (extra[i] >= window.strides[i]) {
            window.pads[i + window.rank] -= extra[i];
            extra[i] = 0;
        }
    struct make_attr attrs[] = {
        {"strides", onnx_attr_ints(m, window.strides, window.rank)},
        {"padding", onnx_attr_ints(m, window.pads, 2 * window.rank)},
        {"output_padding", onnx_attr_ints(m, extra, window.rank)},
        {"dilation", onnx_attr_ints(m, window.dilations, window.rank)},
        {"groups", onnx_attr_int(m, onnx_int(n, "group", 1))},
    };
    struct ir_value *operands[] = {x, w};
    return onnx_out(n, 0,
                    add_bias(n, make_op(&m->b, transposed[window.rank - 1], operands, 2, attrs,
                                        ARRAY_SIZE(attrs))));
}
