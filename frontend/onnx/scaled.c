/* Products of bytes that have scales, in integers; see scaled.h. */
#include "frontend/onnx/scaled.h"

#include <math.h>

enum { DEPTH_MOST = 1 << 14 };            /* 2**14 products of what is within 255, and .. */
static const int64_t BIAS_MOST = 1 << 30; /* .. such a bias are less than 2**31 */

void onnx_note_scaled(struct onnx_node *n, struct onnx_scaled scaled)
{
    struct onnx_scaled *own = arena_new(n->m->arena, struct onnx_scaled);

    *own = scaled;
    own->tensor = n->outputs[0].tensor;
    n->outputs[0].scaled = own;
}

const struct onnx_scaled *onnx_scaled_of(const struct onnx_node *n, unsigned input)
{
    const struct onnx_value *value = onnx_has(n, input) ? n->inputs[input] : NULL;

    return value && value->scaled && value->scaled->tensor == value->tensor ? value->scaled : NULL;
}

static bool is_scalar(const struct ir_value *scale)
{
    return onnx_rank(scale) == 0 ||
           (onnx_rank(scale) == 1 && ir_expr_is_int(onnx_dims(scale)[0], 1));
}

/* Is @zero, which may have been widened and put in shape, nothing but zeros? */
static bool is_zero(const struct ir_value *zero)
{
    while (zero && zero->def && (op_is(zero->def, OP_astype) || op_is(zero->def, OP_reshape)))
        zero = zero->def->operands[0].value;
    const struct ir_constant *constant = onnx_constant_of(zero);
    size_t count = constant ? constant->bytes / ir_dtype_bytes(constant->dtype) : 0;

    for (size_t i = 0; i < count; i++)
        if (onnx_constant_int(constant, i) != 0)
            return false;
    return !zero || constant;
}

bool onnx_multiplies_bytes(const struct onnx_node *n, int64_t axis, const struct ir_expr *depth)
{
    const struct onnx_scaled *x = onnx_scaled_of(n, 0), *w = onnx_scaled_of(n, 1);
    int64_t count;

    return x && w && !x->is_sum && !w->is_sum && x->most >= 0 && x->most <= UINT8_MAX &&
           w->most >= 0 && w->most <= UINT8_MAX && onnx_constant_of(w->bytes) &&
           is_scalar(x->scale) &&
           (is_scalar(w->scale) || (onnx_rank(w->scale) == 1 && w->axis == axis)) &&
           ir_expr_constant(n->m->context, depth, &count) && count <= DEPTH_MOST;
}

bool onnx_convolves_bytes(const struct onnx_node *n, const struct ir_expr *depth)
{
    const struct onnx_scaled *w = onnx_scaled_of(n, 1);

    return onnx_multiplies_bytes(n, 0, depth) &&
           (is_zero(w->zero) || ir_expr_is_int(onnx_dims(w->bytes)[1], 1));
}

static double element(const struct ir_constant *constant, size_t i)
{
    return onnx_constant_real(constant, constant->bytes > sizeof(float) ? i : 0);
}

/* Has the bias the scales of the products, up to their rounding?  Then it can be added to sums of integers. */
static bool is_of_scale(const struct onnx_scaled *bias, const struct onnx_scaled *x,
                        const struct onnx_scaled *w)
{
    const struct ir_constant *own = onnx_constant_of(bias->scale),
                             *of_x = onnx_constant_of(x->scale), *of_w = onnx_constant_of(w->scale);

    if (!own || !of_x || !of_w)
        return false;
    size_t count = (own->bytes > of_w->bytes ? own->bytes : of_w->bytes) / sizeof(float);
    if (own->bytes != of_w->bytes && own->bytes != sizeof(float) && of_w->bytes != sizeof(float))
        return false;
    for (size_t i = 0; i < count; i++) {
        double both = element(of_x, 0) * element(of_w, i);
        if (!(fabs(element(own, i) - both) <= ldexp(fabs(both), -22)))
            return false;
    }
    return true;
}

/* A vector along @axis of what is @rank axes; a scalar, or one element, as a scalar. */
static struct ir_value *along(struct onnx_import *m, struct ir_value *vector, int64_t axis,
                              int rank)
{
    return is_scalar(vector) ? onnx_only(m, vector) : onnx_along(m, vector, axis, rank);
}

bool onnx_out_scaled(struct onnx_node *n, struct ir_value *sum, int64_t axis)
{
    struct onnx_import *m = n->m;
    const struct onnx_scaled *x = onnx_scaled_of(n, 0), *w = onnx_scaled_of(n, 1),
                             *bias = onnx_scaled_of(n, 2);
    bool is_whole = !onnx_has(n, 2);

    if (!sum)
        return false;
    int rank = onnx_rank(sum);
    if (bias && !bias->is_sum && onnx_rank(bias->whole) == 1 && bias->most >= 0 &&
        bias->most <= BIAS_MOST && is_of_scale(bias, x, w)) {
        sum = MAKE(&m->b, OP_add, sum, onnx_along(m, bias->whole, axis, rank));
        is_whole = true;
    }
    struct ir_value *scale =
        MAKE(&m->b, OP_multiply, onnx_only(m, x->scale), along(m, w->scale, axis, rank));
    struct ir_value *real = sum ? MAKE(&m->b, OP_multiply, onnx_cast(m, sum, IR_F32), scale) : NULL;
    if (!is_whole) {
        struct ir_value *more = onnx_in(n, 2);
        real = more ? MAKE(&m->b, OP_add, real,
                           onnx_rank(more) == 1 ? onnx_along(m, more, axis, rank) : more)
                    : NULL;
    }
    if (!onnx_out(n, 0, real))
        return false;
    if (is_whole)
        onnx_note_scaled(
            n, (struct onnx_scaled){
                   .whole = sum, .scale = scale, .axis = axis, .most = -1, .is_sum = true});
    return true;
}

struct ir_value *onnx_turned(struct onnx_import *m, const struct onnx_scaled *x)
{
    static const int64_t swapped[] = {1, 0};
    struct ir_value *whole = onnx_cast(m, onnx_permute(m, x->bytes, swapped, 2), IR_I32);
    struct ir_value *zero =
        x->zero && onnx_rank(x->zero) == 2 ? onnx_permute(m, x->zero, swapped, 2) : x->zero;

    return whole && x->zero ? MAKE(&m->b, OP_subtract, whole, zero) : whole;
}

/* Are all scales of the bytes that made the sum above 0?  What a graph of constants computes is looked through. */
static bool is_positive(const struct ir_value *scale)
{
    const struct ir_constant *constant = onnx_constant_of(scale);
    const struct ir_op *op = scale->def;

    if (constant) {
        size_t count = constant->bytes / ir_dtype_bytes(constant->dtype);
        for (size_t i = 0; i < count; i++)
            if (!(onnx_constant_real(constant, i) > 0))
                return false;
        return true;
    }
    if (op && op_is(op, OP_reshape))
        return is_positive(op->operands[0].value);
    return op && op_is(op, OP_multiply) && is_positive(op->operands[0].value) &&
           is_positive(op->operands[1].value);
}

bool onnx_relu_scaled(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    const struct onnx_scaled *x = onnx_scaled_of(n, 0);

    if (!x || !x->is_sum || !is_positive(x->scale))
        return false;
    struct onnx_scaled y = *x;
    y.whole = MAKE(&m->b, OP_maximum, x->whole, onnx_scalar(m, IR_I32, 0));
    if (!onnx_out(n, 0, MAKE(&m->b, OP_multiply, onnx_cast(m, y.whole, IR_F32), x->scale)))
        return false;
    onnx_note_scaled(n, y);
    return true;
}
