/* Quantised operators: integers that stand for floats by scale and zero point. */
#include "frontend/onnx/families.h"
#include "frontend/onnx/scaled.h"
#include "frontend/onnx/storage.h"
#include "frontend/onnx/window.h"

#include <math.h>
#include <string.h>

#define ADD(x_, y_) MAKE(&m->b, OP_add, x_, y_)
#define SUB(x_, y_) MAKE(&m->b, OP_subtract, x_, y_)
#define MUL(x_, y_) MAKE(&m->b, OP_multiply, x_, y_)
#define DIV(x_, y_) MAKE(&m->b, OP_divide, x_, y_)

/* The smallest and largest number of an integer dtype of at most 32 bits. */
static void limits(struct ir_dtype dtype, double *low, double *high)
{
    bool is_signed = dtype.code == IR_INT;

    *low = is_signed ? -ldexp(1, dtype.bits - 1) : 0;
    *high = ldexp(1, is_signed ? dtype.bits - 1 : dtype.bits) - 1;
}

/* @x, floats, rounded to even, with @zero (of floats, or NULL) added, within what @dtype holds. */
static struct ir_value *narrowed(struct onnx_import *m, struct ir_value *x, struct ir_value *zero,
                                 struct ir_dtype dtype, unsigned bits)
{
    double low, high;

    if (!x)
        return NULL;
    dtype.bits = (uint8_t)bits;
    limits(dtype, &low, &high);
    dtype.bits = bits < 8 ? 8 : (uint8_t)bits;
    struct ir_dtype real = x->type->dtype;
    x = MAKE(&m->b, OP_round, x);
    if (zero)
        x = ADD(x, zero);
    x = MAKE(&m->b, OP_maximum, x, onnx_scalar(m, real, low));
    x = MAKE(&m->b, OP_minimum, x, onnx_scalar(m, real, high));
    return onnx_cast(m, x, dtype);
}

/*
 * Scale or zero point beside data of shape @dims: of the whole (one element), of an axis (a vector), or of blocks
 * along an axis.
 */
static struct ir_value *spread(struct onnx_node *n, struct ir_value *scale,
                               const struct ir_value *x, int64_t axis, int64_t block)
{
    struct onnx_import *m = n->m;
    const struct ir_expr *dims[IR_RANK_LIMIT + 1];
    int rank = onnx_rank(x);

    if (!scale || onnx_rank(scale) == 0)
        return scale;
    if (onnx_rank(scale) == 1 && (rank != 1 || block == 0))
        return ir_expr_is_int(onnx_dims(scale)[0], 1) ? onnx_only(m, scale)
                                                      : onnx_along(m, scale, axis, rank);
    if (onnx_rank(scale) != rank || block < 1 || rank >= IR_RANK_LIMIT)
        return scale;
    /* each block as an axis of its own: (.., blocks, 1, ..) to (.., blocks, block, ..), cut to the data */
    for (int i = 0; i <= rank; i++)
        dims[i] = i <= axis       ? onnx_dims(scale)[i]
                  : i == axis + 1 ? onnx_expr(m, 1)
                                  : onnx_dims(scale)[i - 1];
    scale = onnx_reshape(m, scale, dims, (unsigned)rank + 1);
    dims[axis + 1] = onnx_expr(m, block);
    scale = onnx_broadcast(m, scale, dims, (unsigned)rank + 1);
    for (int i = (int)axis + 1; i < rank; i++)
        dims[i] = dims[i + 1];
    dims[axis] = onnx_op(m, IR_EXPR_mul, dims[axis], onnx_expr(m, block));
    scale = scale ? onnx_reshape(m, scale, dims, (unsigned)rank) : NULL;
    return scale ? onnx_slice(m, scale, axis, onnx_expr(m, 0), onnx_dims(x)[axis], 1) : NULL;
}

/* What is quantised to: @out, of so many bits; *@out_stored: what the model calls it, if Relax has no such. */
static bool quantized_dtype(struct onnx_node *n, struct ir_value *zero, struct ir_dtype *out,
                            unsigned *out_bits, int32_t *out_stored)
{
    int64_t type = onnx_int(n, "output_dtype", 0);

    *out = zero ? zero->type->dtype : IR_DTYPE(IR_UINT, 8);
    *out_bits = out->bits;
    if (type && !(type < 100 && onnx_dtype((int32_t)type, out))) {
        onnx_refuse(n, "data type %lld is not supported", (long long)type);
        return false;
    }
    *out_stored = type ? onnx_stored((int32_t)type) : zero ? n->inputs[2]->stored : 0;
    *out_bits = onnx_narrow_bits(*out_stored) ? onnx_narrow_bits(*out_stored) : out->bits;
    if (ir_dtype_is_int(*out) && out->bits <= 32)
        return true;
    onnx_refuse(n, "only integers of at most 32 bits are quantised to");
    return false;
}

bool onnx_quantize_linear(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0), *scale = x ? onnx_in(n, 1) : NULL, *zero = NULL;
    struct ir_dtype dtype;
    unsigned bits;
    int32_t stored;
    int64_t axis = onnx_int(n, "axis", 1), block = onnx_int(n, "block_size", 0);

    if (!scale || (onnx_has(n, 2) && !(zero = onnx_in(n, 2))) ||
        !quantized_dtype(n, zero, &dtype, &bits, &stored))
        return false;
    if (onnx_rank(scale) > 0 && !ir_expr_is_int(onnx_dims(scale)[0], 1) &&
        !onnx_axis(n, axis, onnx_rank(x), &axis))
        return false;
    axis = axis < 0 ? axis + onnx_rank(x) : axis;
    const struct onnx_scaled *sum = onnx_scaled_of(n, 0);
    struct ir_value *by = onnx_cast(m, spread(n, scale, x, axis, block), IR_F32);
    struct ir_value *quotient = sum && sum->is_sum && by && onnx_rank(by) == 0
                                    ? MUL(onnx_cast(m, sum->whole, IR_F32), DIV(sum->scale, by))
                                    : DIV(onnx_cast(m, x, IR_F32), by);
    n->outputs[0].stored = stored;
    if (onnx_is_small_float(stored)) {
        if (zero)
            quotient = ADD(quotient, spread(n, onnx_from_small(m, zero, stored), x, axis, block));
        return onnx_out(n, 0, onnx_to_small(m, quotient, stored, onnx_int(n, "saturate", 1), "up"));
    }
    zero = zero ? onnx_cast(m, spread(n, zero, x, axis, block), IR_F32) : NULL;
    return onnx_out(n, 0, narrowed(m, quotient, zero, dtype, bits));
}

/* No element of @x less @zero (or NULL) is farther from 0; -1: not known. */
static int64_t farthest(const struct onnx_node *n, const struct ir_value *x,
                        const struct ir_value *zero)
{
    const struct ir_constant *own = onnx_constant_of(x), *less = onnx_constant_of(zero);
    int64_t most = 0;

    if (x->type->dtype.bits == 8)
        return UINT8_MAX;
    if (!own || (zero && !less))
        return -1;
    for (size_t i = 0; zero && i < less->bytes / ir_dtype_bytes(less->dtype); i++)
        if (onnx_constant_int(less, i) != 0)
            return -1;
    for (size_t i = 0; i < own->bytes / ir_dtype_bytes(own->dtype); i++) {
        int64_t element = onnx_constant_int(own, i);
        element = element < 0 ? -element : element;
        most = element > most ? element : most;
    }
    return most;
}

bool onnx_dequantize_linear(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0), *scale = x ? onnx_in(n, 1) : NULL, *zero = NULL;
    int64_t axis = onnx_int(n, "axis", 1), block = onnx_int(n, "block_size", 0);
    int64_t type = onnx_int(n, "output_dtype", 0);
    struct ir_dtype dtype;

    if (!scale || (onnx_has(n, 2) && !(zero = onnx_in(n, 2))))
        return false;
    dtype = scale->type->dtype;
    if ((type && !(type < 100 && onnx_dtype((int32_t)type, &dtype))) ||
        (onnx_rank(scale) > 0 && !ir_expr_is_int(onnx_dims(scale)[0], 1) &&
         !onnx_axis(n, axis, onnx_rank(x), &axis)))
        return false;
    axis = axis < 0 ? axis + onnx_rank(x) : axis;
    int32_t stored = n->inputs[0]->stored;
    bool is_small = onnx_is_small_float(stored);
    struct ir_value *whole = is_small ? onnx_from_small(m, x, stored) : onnx_cast(m, x, IR_I32);
    struct ir_value *less = NULL;
    if (zero && is_small)
        less = spread(n, onnx_from_small(m, zero, stored), x, axis, block);
    else if (zero)
        less = onnx_cast(m, spread(n, zero, x, axis, block), IR_I32);
    if (zero)
        whole = SUB(whole, less);
    struct ir_value *real =
        MUL(onnx_cast(m, whole, IR_F32), onnx_cast(m, spread(n, scale, x, axis, block), IR_F32));
    if (!onnx_out(n, 0, onnx_cast(m, real, dtype)))
        return false;
    if (!is_small && block == 0 && ir_dtype_equal(dtype, IR_F32) &&
        ir_dtype_equal(scale->type->dtype, IR_F32))
        onnx_note_scaled(n, (struct onnx_scaled){.whole = whole,
                                                 .scale = scale,
                                                 .bytes = x,
                                                 .zero = less,
                                                 .axis = axis,
                                                 .most = farthest(n, x, zero)});
    return true;
}

/* @x as bytes of a scale and a zero point that hold all of it. */
static struct ir_value *quantized(struct onnx_import *m, struct ir_value *x,
                                  struct ir_value **out_scale, struct ir_value **out_zero)
{
    int64_t axes[IR_RANK_LIMIT];

    for (int i = 0; i < onnx_rank(x); i++)
        axes[i] = i;
    unsigned rank = (unsigned)onnx_rank(x);
    struct ir_value *nothing = onnx_scalar(m, IR_F32, 0), *steps = onnx_scalar(m, IR_F32, 255);
    struct ir_value *low =
        MAKE(&m->b, OP_minimum, onnx_reduce(m, OP_min, x, axes, rank, false), nothing);
    struct ir_value *high =
        MAKE(&m->b, OP_maximum, onnx_reduce(m, OP_max, x, axes, rank, false), nothing);
    *out_scale = DIV(SUB(high, low), steps);
    /* data of zeros only have any scale */
    struct ir_value *divisor = MAKE(&m->b, OP_where, MAKE(&m->b, OP_equal, *out_scale, nothing),
                                    onnx_scalar(m, IR_F32, 1), *out_scale);
    *out_zero = narrowed(m, DIV(SUB(nothing, low), divisor), NULL, IR_DTYPE(IR_UINT, 8), 8);
    return narrowed(m, DIV(x, divisor), onnx_cast(m, *out_zero, IR_F32), IR_DTYPE(IR_UINT, 8), 8);
}

bool onnx_dynamic_quantize_linear(struct onnx_node *n)
{
    struct ir_value *x = onnx_in(n, 0), *scale, *zero;
    struct ir_value *y = x ? quantized(n->m, x, &scale, &zero) : NULL;

    return onnx_out(n, 0, y) && onnx_out(n, 1, scale) && onnx_out(n, 2, zero);
}

/* ---- products of integers ---- */

/* @x less its zero point, in int32; a vector of them stands along @axis. */
static struct ir_value *centered(struct onnx_node *n, unsigned input, unsigned zero, int64_t axis)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, input), *offset;

    if (!x || !onnx_has(n, zero))
        return x ? onnx_cast(m, x, IR_I32) : NULL;
    offset = onnx_in(n, zero);
    axis = axis < 0 ? axis + onnx_rank(x) : axis;
    if (offset && onnx_rank(offset) > 1) /* one for each row, already of the shape */
        return SUB(onnx_cast(m, x, IR_I32), onnx_cast(m, offset, IR_I32));
    offset = offset ? spread(n, offset, x, axis < 0 ? 0 : axis, 0) : NULL;
    return SUB(onnx_cast(m, x, IR_I32), onnx_cast(m, offset, IR_I32));
}

bool onnx_matmul_integer(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *a = centered(n, 0, 2, -2), *b = a ? centered(n, 1, 3, -1) : NULL;

    return b && onnx_out(n, 0, MAKE(&m->b, OP_matmul, a, b));
}

/* Integers @y of scale @from as those of the scale and zero point in inputs @to and @to + 1. */
static bool rescaled(struct onnx_node *n, struct ir_value *y, struct ir_value *from, unsigned to)
{
    struct onnx_import *m = n->m;
    struct ir_value *scale = y ? onnx_in(n, to) : NULL, *zero = scale ? onnx_in(n, to + 1) : NULL;

    if (!zero)
        return false;
    struct ir_value *factor =
        DIV(from, onnx_cast(m, spread(n, scale, y, onnx_rank(y) - 1, 0), IR_F32));
    struct ir_value *real = MUL(onnx_cast(m, y, IR_F32), factor);
    struct ir_value *offset = onnx_cast(m, spread(n, zero, y, onnx_rank(y) - 1, 0), IR_F32);
    return onnx_out(n, 0, narrowed(m, real, offset, zero->type->dtype, zero->type->dtype.bits));
}

/* Product of the scales in inputs @first and @second; a vector of the second stands along @axis of @rank axes. */
static struct ir_value *scales(struct onnx_node *n, unsigned first, unsigned second,
                               const struct ir_value *y, int64_t axis)
{
    struct onnx_import *m = n->m;
    struct ir_value *a = onnx_in(n, first), *b = a ? onnx_in(n, second) : NULL;

    if (!b || !y)
        return NULL;
    a = spread(n, a, y, onnx_rank(y) > 1 ? onnx_rank(y) - 2 : 0, 0);
    return MUL(onnx_cast(m, a, IR_F32), onnx_cast(m, spread(n, b, y, axis, 0), IR_F32));
}

bool onnx_qlinear_matmul(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *a = centered(n, 0, 2, -2), *b = a ? centered(n, 3, 5, -1) : NULL;
    struct ir_value *y = MAKE(&m->b, OP_matmul, a, b);

    return y && rescaled(n, y, scales(n, 1, 4, y, onnx_rank(y) - 1), 6);
}

bool onnx_conv_integer(struct onnx_node *n)
{
    struct ir_value *x = centered(n, 0, 2, 1), *w = x ? centered(n, 1, 3, 0) : NULL;

    return w && onnx_out(n, 0, onnx_conv_of(n, x, w));
}

bool onnx_qlinear_conv(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = centered(n, 0, 2, 1), *w = x ? centered(n, 3, 5, 0) : NULL;
    struct ir_value *y = w ? onnx_conv_of(n, x, w) : NULL;

    if (y && onnx_has(n, 8)) {
        struct ir_value *bias = onnx_in(n, 8);
        y = bias ? ADD(y, onnx_along(m, bias, 1, onnx_rank(y))) : NULL;
    }
    return y && rescaled(n, y, scales(n, 1, 4, y, 1), 6);
}

/* ---- MatMulNBits of com.microsoft: weights of 4 (or 8) bits in blocks along K ---- */

bool onnx_matmul_nbits(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *a = onnx_in(n, 0), *w = a ? onnx_in(n, 1) : NULL,
                    *scale = w ? onnx_in(n, 2) : NULL;
    struct ir_value *zero = NULL;
    int64_t k = onnx_int(n, "K", 0), columns = onnx_int(n, "N", 0);
    int64_t bits = onnx_int(n, "bits", 4), block = onnx_int(n, "block_size", 32);
    static const int64_t swapped[] = {1, 0};

    if (!scale)
        return false;
    if ((bits != 4 && bits != 8) || k < 1 || columns < 1 || block < 16 || k > INT32_MAX ||
        columns > INT32_MAX) {
        onnx_refuse(n, "it wants 4 or 8 bits, K, N and a block_size");
        return false;
    }
    if (onnx_has(n, 3) && !(zero = onnx_in(n, 3)))
        return false;
    int64_t blocks = (k + block - 1) / block, each = 8 / bits;
    const struct ir_expr *one = onnx_expr(m, 1), *width = onnx_expr(m, columns);
    const struct ir_expr *rows[] = {width, onnx_expr(m, blocks * block / each)};
    const struct ir_expr *bytes[] = {rows[1], one, width};
    const struct ir_expr *flat[] = {onnx_expr(m, blocks), onnx_expr(m, block), width};
    const struct ir_expr *whole[] = {onnx_expr(m, blocks * block), width};
    struct ir_dtype real = a->type->dtype, small = IR_DTYPE(IR_UINT, 8);
    /* along K first, as the product reads them: what stands here is computed when the program is compiled */
    w = onnx_reshape(m, w, rows, 2);
    w = onnx_reshape(m, w ? onnx_permute(m, w, swapped, 2) : NULL, bytes, 3);
    if (w && bits == 4) {
        struct ir_value *halves[] = {MAKE(&m->b, OP_bitwise_and, w, onnx_scalar(m, small, 15)),
                                     MAKE(&m->b, OP_right_shift, w, onnx_scalar(m, small, 4))};
        w = onnx_concat(m, halves, 2, 1);
    }
    w = onnx_cast(m, w ? onnx_reshape(m, w, flat, 3) : NULL, real);
    struct ir_value *center = onnx_scalar(m, real, bits == 4 ? 8 : 128);
    const struct ir_expr *each_block[] = {width, flat[0]}, *ones[] = {flat[0], one, width};
    if (zero && !ir_dtype_is_float(zero->type->dtype) &&
        bits == 4) { /* packed, two to a byte in each row */
        const struct ir_expr *pairs[] = {width, onnx_expr(m, (blocks + 1) / 2), one};
        const struct ir_expr *all[] = {width, onnx_expr(m, (blocks + 1) / 2 * 2)};
        zero = onnx_reshape(m, zero, pairs, 3);
        struct ir_value *halves[] = {MAKE(&m->b, OP_bitwise_and, zero, onnx_scalar(m, small, 15)),
                                     MAKE(&m->b, OP_right_shift, zero, onnx_scalar(m, small, 4))};
        zero = onnx_concat(m, halves, 2, 2);
        zero = zero ? onnx_reshape(m, zero, all, 2) : NULL;
        zero = zero ? onnx_slice(m, zero, 1, onnx_expr(m, 0), flat[0], 1) : NULL;
    }
    if (zero) {
        zero = onnx_reshape(m, zero, each_block, 2);
        zero = zero ? onnx_permute(m, zero, swapped, 2) : NULL;
        center = onnx_cast(m, onnx_reshape(m, zero, ones, 3), real);
    }
    scale = onnx_reshape(m, scale, each_block, 2);
    scale = scale ? onnx_permute(m, scale, swapped, 2) : NULL;
    w = MUL(SUB(w, center), onnx_cast(m, onnx_reshape(m, scale, ones, 3), real));
    w = w ? onnx_reshape(m, w, whole, 2) : NULL;
    if (w && blocks * block != k)
        w = onnx_slice(m, w, 0, onnx_expr(m, 0), onnx_expr(m, k), 1);
    struct ir_value *y = MAKE(&m->b, OP_matmul, a, w);
    if (y && onnx_has(n, 5)) {
        struct ir_value *bias = onnx_in(n, 5);
        y = bias ? ADD(y, bias) : NULL;
    }
    return onnx_out(n, 0, y);
}

/* ---- of com.microsoft, as onnxruntime's quantisation writes them ---- */

/* Input @input with its scale and zero point behind it, as float32; NULL after a report. */
static struct ir_value *real_of(struct onnx_node *n, unsigned input)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = centered(n, input, input + 2, 0);
    struct ir_value *scale = x ? onnx_in(n, input + 1) : NULL;

    return scale ? MUL(onnx_cast(m, x, IR_F32), onnx_reshape(m, scale, NULL, 0)) : NULL;
}

/* @y, of floats, as output 0 by the scale that is input @scale and the zero point behind it. */
static bool put_quantized(struct onnx_node *n, struct ir_value *y, unsigned scale)
{
    struct onnx_import *m = n->m;
    struct ir_value *by = y ? onnx_in(n, scale) : NULL, *zero = NULL;
    struct ir_dtype dtype = IR_DTYPE(IR_UINT, 8);

    if (!by)
        return false;
    if (onnx_has(n, scale + 1)) {
        if (!(zero = onnx_in(n, scale + 1)))
            return false;
        dtype = zero->type->dtype;
        zero = onnx_reshape(m, onnx_cast(m, zero, IR_F32), NULL, 0);
    }
    y = MAKE(&m->b, OP_divide, y, onnx_reshape(m, by, NULL, 0));
    return onnx_out(n, 0, narrowed(m, y, zero, dtype, dtype.bits));
}

bool onnx_qlinear_binary(struct onnx_node *n)
{
    struct ir_value *items[2] = {real_of(n, 0), NULL};

    items[1] = items[0] ? real_of(n, 3) : NULL;
    return items[1] && onnx_fit(n, items, 2, 0) &&
           put_quantized(n, MAKE(&n->m->b, n->row->op, items[0], items[1]), 6);
}

bool onnx_qlinear_unary(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = real_of(n, 0);

    if (x && n->row->op == OP_nn_leakyrelu)
        x = MAKE_WITH(
            &m->b, OP_nn_leakyrelu,
            ((struct make_attr){"alpha", ir_attr_float(m->context, onnx_float(n, "alpha", 0.01))}),
            x);
    else if (x)
        x = MAKE(&m->b, n->row->op, x);
    return put_quantized(n, x, 3);
}

bool onnx_qlinear_global_pool(struct onnx_node *n)
{
    struct ir_value *x = real_of(n, 0);
    int64_t axes[IR_RANK_LIMIT];
    bool is_last = onnx_int(n, "channels_last", 0);
    unsigned count = 0;

    if (!x)
        return false;
    for (int i = is_last ? 1 : 2; i < onnx_rank(x) - is_last; i++)
        axes[count++] = i;
    return put_quantized(n, onnx_reduce(n->m, OP_mean, x, axes, count, true), 3);
}

bool onnx_qlinear_concat(struct onnx_node *n)
{
    unsigned count = n->input_count >= 5 ? (n->input_count - 2) / 3 : 0;
    struct ir_value **items = arena_array(n->m->arena, struct ir_value *, count + 1);
    int64_t axis;

    for (unsigned i = 0; i < count; i++)
        if (!(items[i] = real_of(n, 2 + 3 * i)))
            return false;
    if (count == 0) {
        onnx_refuse(n, "it joins nothing");
        return false;
    }
    return onnx_axis(n, onnx_int(n, "axis", 0), onnx_rank(items[0]), &axis) &&
           put_quantized(n, onnx_concat(n->m, items, count, axis), 0);
}

/* The sum is of integers; what is added is, too, by the scales of both. */
bool onnx_qgemm(struct onnx_node *n)
{
    static const int64_t swapped[] = {1, 0};
    struct onnx_import *m = n->m;
    struct ir_value *a = centered(n, 0, 2, 0), *b = a ? centered(n, 3, 5, 1) : NULL;

    if (!b || onnx_rank(a) != 2 || onnx_rank(b) != 2) {
        if (b)
            onnx_refuse(n, "its operands are no matrices");
        return false;
    }
    a = onnx_int(n, "transA", 0) ? onnx_permute(m, a, swapped, 2) : a;
    if (onnx_int(n, "transB", 0)) {
        b = centered(n, 3, 5, 0); /* a zero point for each column of what is multiplied */
        b = onnx_permute(m, b, swapped, 2);
    }
    if (!onnx_fit_product(n, &a, &b))
        return false;
    struct ir_value *y = MAKE(&m->b, OP_matmul, a, b);
    if (y && onnx_has(n, 6)) {
        struct ir_value *bias = onnx_in(n, 6);
        y = bias ? ADD(y, bias) : NULL;
    }
    struct ir_value *by = y ? scales(n, 1, 4, y, 1) : NULL;
    double alpha = onnx_float(n, "alpha", 1);
    if (!by)
        return false;
    y = MUL(MUL(onnx_cast(m, y, IR_F32), by), onnx_scalar(m, IR_F32, alpha));
    return onnx_has(n, 7) ? put_quantized(n, y, 7) : onnx_out(n, 0, y);
}

/* @y, integers, times @scale, with the bias in input @bias. */
static bool put_real(struct onnx_node *n, struct ir_value *y, struct ir_value *scale, unsigned bias)
{
    struct onnx_import *m = n->m;
    struct ir_value *real = y ? MUL(onnx_cast(m, y, IR_F32), scale) : NULL;

    if (real && onnx_has(n, bias)) {
        struct ir_value *more = onnx_in(n, bias);
        real = more ? ADD(real, more) : NULL;
    }
    return onnx_out(n, 0, real);
}

bool onnx_matmul_integer_to_float(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *a = centered(n, 0, 4, -2), *b = a ? centered(n, 1, 5, -1) : NULL;

    if (!b || !onnx_fit_product(n, &a, &b))
        return false;
    struct ir_value *y = MAKE(&m->b, OP_matmul, a, b);
    return y && put_real(n, y, scales(n, 2, 3, y, onnx_rank(y) - 1), 6);
}

bool onnx_dynamic_quantize_matmul(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0), *b = x ? centered(n, 1, 3, -1) : NULL, *scale, *zero;

    if (!b)
        return false;
    x = quantized(m, x, &scale, &zero);
    x = x ? SUB(onnx_cast(m, x, IR_I32), onnx_cast(m, zero, IR_I32)) : NULL;
    if (!x || !onnx_fit_product(n, &x, &b))
        return false;
    struct ir_value *y = MAKE(&m->b, OP_matmul, x, b), *of_b = y ? onnx_in(n, 2) : NULL;
    if (!of_b)
        return false;
    of_b = onnx_cast(m, spread(n, of_b, y, onnx_rank(y) - 1, 0), IR_F32);
    return put_real(n, y, MUL(scale, of_b), 4);
}
