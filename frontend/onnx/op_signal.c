/* Fourier transforms: DFT and STFT as products with rows of a table of the circle; and MelWeightMatrix. */
#include "frontend/onnx/families.h"

#include <math.h>

#define ADD(x_, y_) MAKE(&m->b, OP_add, x_, y_)
#define SUB(x_, y_) MAKE(&m->b, OP_subtract, x_, y_)
#define MUL(x_, y_) MAKE(&m->b, OP_multiply, x_, y_)
#define DIV(x_, y_) MAKE(&m->b, OP_divide, x_, y_)

static struct ir_value *whole(struct onnx_import *m, const struct ir_expr *e)
{
    struct onnx_value value = {0};

    onnx_value_set_elements(m, &value, IR_I64, 0, NULL, &e, 1);
    return onnx_value_tensor(m, &value);
}

/* 0 .. @count - 1 along @axis of two. */
static struct ir_value *count_along(struct onnx_import *m, const struct ir_expr *count, int axis)
{
    struct ir_value *row = MAKE(&m->b, OP_arange, ir_inline_prim(m->module, count));
    return onnx_along(m, onnx_cast(m, row, IR_I64), axis, 2);
}

/* Cosines and sines of @length places on the circle. */
static void make_circle(struct onnx_import *m, struct ir_dtype dtype, const struct ir_expr *length,
                        struct ir_value **out)
{
    const double turn = 6.283185307179586476925;
    int64_t size;

    if (!ir_expr_constant(m->context, length, &size) || size < 1 || size > 1 << 20) {
        struct ir_value *place = MAKE(&m->b, OP_arange, ir_inline_prim(m->module, length));
        struct ir_value *angle =
            DIV(onnx_cast(m, place, IR_F64), onnx_cast(m, whole(m, length), IR_F64));
        angle = MUL(angle, onnx_scalar(m, IR_F64, turn));
        out[0] = onnx_cast(m, MAKE(&m->b, OP_cos, angle), dtype);
        out[1] = onnx_cast(m, MAKE(&m->b, OP_sin, angle), dtype);
        return;
    }
    bool is_wide = ir_dtype_equal(dtype, IR_F64);
    double *wide = arena_array(m->arena, double, (size_t)size);
    float *narrow = arena_array(m->arena, float, (size_t)size);
    for (int part = 0; part < 2; part++) {
        for (int64_t i = 0; i < size; i++) {
            double angle = turn * (double)i / (double)size;
            wide[i] = part == 0 ? cos(angle) : sin(angle);
            narrow[i] = (float)wide[i];
        }
        out[part] =
            onnx_constant(m, dtype, &size, 1, is_wide ? (const void *)wide : (const void *)narrow);
    }
}

/* A transform along the last axis of the real and imaginary parts. */
struct transform {
    struct ir_value *real, *imaginary; /* NULL: there is none */
    const struct ir_expr *length;
    bool is_inverse, is_onesided;
};

/* Of a half that stands for all, each row but the first and the middle one counts twice. */
static struct ir_value *doubled(struct onnx_import *m, const struct transform *t,
                                struct ir_value *matrix, const struct ir_expr *rows)
{
    struct ir_dtype dtype = matrix->type->dtype;
    struct ir_value *twice = MUL(count_along(m, rows, 0), onnx_scalar(m, IR_I64, 2));
    struct ir_value *is_one =
        MAKE(&m->b, OP_logical_or, MAKE(&m->b, OP_equal, twice, onnx_scalar(m, IR_I64, 0)),
             MAKE(&m->b, OP_equal, twice, whole(m, t->length)));

    return MUL(matrix,
               MAKE(&m->b, OP_where, is_one, onnx_scalar(m, dtype, 1), onnx_scalar(m, dtype, 2)));
}

/* At most @count along the last axis. */
static struct ir_value *cut(struct onnx_import *m, struct ir_value *x, const struct ir_expr *count)
{
    int last = x ? onnx_rank(x) - 1 : 0;

    if (!x || ir_prove_ge(m->context, NULL, count, onnx_dims(x)[last]))
        return x;
    return onnx_slice(m, x, last, onnx_expr(m, 0),
                      onnx_op(m, IR_EXPR_min, count, onnx_dims(x)[last]), 1);
}

static bool run_transform(struct onnx_import *m, struct transform *t)
{
    const struct ir_expr *half = onnx_op(
        m, IR_EXPR_add, onnx_op(m, IR_EXPR_floordiv, t->length, onnx_expr(m, 2)), onnx_expr(m, 1));
    bool is_half_in = t->is_onesided && t->is_inverse, is_half_out = t->is_onesided && !is_half_in;
    struct ir_value *circle[2], *rows[2], *a = cut(m, t->real, is_half_in ? half : t->length);
    struct ir_value *b = cut(m, t->imaginary, is_half_in ? half : t->length);

    if (!a || (t->imaginary && !b))
        return false;
    const struct ir_expr *count = onnx_dims(a)[onnx_rank(a) - 1];
    struct ir_dtype dtype = a->type->dtype;
    make_circle(m, dtype, t->length, circle);
    struct ir_value *at =
        MUL(count_along(m, count, 0), count_along(m, is_half_out ? half : t->length, 1));
    at = MAKE(&m->b, OP_floor_mod, at, whole(m, t->length));
    for (int i = 0; i < 2; i++) {
        struct make_attr axis = {"axis", onnx_attr_int(m, 0)};
        rows[i] = MAKE_WITH(&m->b, OP_take, axis, circle[i], at);
        if (!rows[i])
            return false;
        if (is_half_in)
            rows[i] = doubled(m, t, rows[i], count);
    }
    /* forwards the circle is gone round the other way: the sines have the other sign */
    if (!t->is_inverse)
        rows[1] = MAKE(&m->b, OP_negative, rows[1]);
    struct ir_value *real = MAKE(&m->b, OP_matmul, a, rows[0]);
    struct ir_value *imaginary = is_half_in ? NULL : MAKE(&m->b, OP_matmul, a, rows[1]);
    if (b) {
        real = SUB(real, MAKE(&m->b, OP_matmul, b, rows[1]));
        if (imaginary)
            imaginary = ADD(imaginary, MAKE(&m->b, OP_matmul, b, rows[0]));
    }
    struct ir_value *all = onnx_cast(m, whole(m, t->length), dtype);
    t->real = t->is_inverse ? DIV(real, all) : real;
    t->imaginary = t->is_inverse && imaginary ? DIV(imaginary, all) : imaginary;
    return t->real != NULL;
}

/* Part @i of the last axis of @x, without that axis; in a dtype that is computed in. */
static struct ir_value *part_of(struct onnx_import *m, struct ir_value *x, int64_t i)
{
    int last = onnx_rank(x) - 1;
    struct ir_dtype dtype = ir_dtype_equal(x->type->dtype, IR_F64) ? IR_F64 : IR_F32;
    struct ir_value *part = onnx_slice(m, x, last, onnx_expr(m, i), onnx_expr(m, i + 1), 1);

    return part ? onnx_cast(m, onnx_reshape(m, part, onnx_dims(x), (unsigned)last), dtype) : NULL;
}

/* @x with axes @a and @b exchanged. */
static struct ir_value *exchanged(struct onnx_import *m, struct ir_value *x, int64_t a, int64_t b)
{
    int64_t axes[IR_RANK_LIMIT];

    if (!x || a == b)
        return x;
    for (int i = 0; i < onnx_rank(x); i++)
        axes[i] = i == a ? b : i == b ? a : i;
    return onnx_permute(m, x, axes, (unsigned)onnx_rank(x));
}

/* The transform of @x (.., 1 or 2) along @axis as output 0; @length NULL: as long as the data are. */
static bool put_transform(struct onnx_node *n, struct ir_value *x, int64_t axis,
                          struct transform *t)
{
    struct onnx_import *m = n->m;
    int64_t parts, last = onnx_rank(x) - 1;

    if (!ir_expr_constant(m->context, onnx_dims(x)[last], &parts) || parts < 1 || parts > 2 ||
        axis == last) {
        onnx_refuse(n, "its last axis is not of 1 (real) or 2 (complex)");
        return false;
    }
    if (t->is_onesided && !t->is_inverse && parts == 2) {
        onnx_refuse(n, "one side is not all of the transform of complex data");
        return false;
    }
    t->real = exchanged(m, part_of(m, x, 0), axis, last - 1);
    t->imaginary = parts == 2 ? exchanged(m, part_of(m, x, 1), axis, last - 1) : NULL;
    if (!t->length && t->real) {
        const struct ir_expr *given = onnx_dims(x)[axis], *one = onnx_expr(m, 1);
        t->length =
            t->is_onesided && t->is_inverse
                ? onnx_op(m, IR_EXPR_mul, onnx_op(m, IR_EXPR_sub, given, one), onnx_expr(m, 2))
                : given;
    }
    if (!t->real || !run_transform(m, t))
        return false;
    struct ir_value *both[] = {exchanged(m, t->real, axis, last - 1),
                               exchanged(m, t->imaginary, axis, last - 1)};
    for (int i = 0; i < 2; i++)
        both[i] = both[i] ? onnx_expand_dims(m, both[i], &last, 1) : NULL;
    struct ir_value *y = both[1] ? onnx_concat(m, both, 2, last) : both[0];
    return onnx_out(n, 0, onnx_cast(m, y, x->type->dtype));
}

bool onnx_dft(struct onnx_node *n)
{
    struct ir_value *x = onnx_in(n, 0);
    struct transform t = {.is_inverse = onnx_int(n, "inverse", 0),
                          .is_onesided = onnx_int(n, "onesided", 0)};
    double given = n->opset < 20 ? (double)onnx_int(n, "axis", 1) : -2;
    const struct ir_expr *const *length = NULL;
    size_t count;
    int64_t axis;

    if (!x || (n->opset >= 20 && onnx_has(n, 2) && !onnx_in_number(n, 2, &given)) ||
        !onnx_axis(n, (int64_t)given, onnx_rank(x), &axis) ||
        (onnx_has(n, 1) && !(length = onnx_in_ints(n, 1, &count))))
        return false;
    t.length = length ? length[0] : NULL;
    return put_transform(n, x, axis, &t);
}

bool onnx_stft(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0), *window = NULL;
    size_t count;
    const struct ir_expr *const *step = x ? onnx_in_ints(n, 1, &count) : NULL, *const *given = NULL;
    struct transform t = {.is_onesided = onnx_int(n, "onesided", 1)};

    if (!step || (onnx_has(n, 2) && !(window = onnx_in(n, 2))) ||
        (onnx_has(n, 3) && !(given = onnx_in_ints(n, 3, &count))))
        return false;
    if (onnx_rank(x) != 3 || (window && onnx_rank(window) != 1)) {
        onnx_refuse(n, "its signal has not three axes, or its window not one");
        return false;
    }
    t.length = given ? given[0] : window ? onnx_dims(window)[0] : onnx_dims(x)[1];
    const struct ir_expr *frames = onnx_op(
        m, IR_EXPR_add, onnx_expr(m, 1),
        onnx_op(m, IR_EXPR_floordiv, onnx_op(m, IR_EXPR_sub, onnx_dims(x)[1], t.length), step[0]));
    struct ir_value *at =
        ADD(MUL(count_along(m, frames, 0), whole(m, step[0])), count_along(m, t.length, 1));
    struct make_attr axis = {"axis", onnx_attr_int(m, 1)};
    struct ir_value *framed = MAKE_WITH(&m->b, OP_take, axis, x, at);
    if (framed && window)
        framed = MUL(framed, onnx_along(m, window, 2, 4));
    return framed && put_transform(n, framed, 2, &t);
}

bool onnx_mel_weights(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    double in[5], low, step; /* bins, length, rate, lowest and highest frequency */
    int64_t type = onnx_int(n, "output_datatype", 1), dims[2];
    struct ir_dtype dtype;

    for (unsigned i = 0; i < 5; i++)
        if (!onnx_in_number(n, i, &in[i]))
            return false;
    if (in[0] < 1 || in[0] > 1 << 16 || in[1] < 1 || in[1] > 1 << 20 || in[2] <= 0 ||
        in[0] * in[1] > 1 << 24 || in[3] < 0 || in[4] < in[3] || in[4] > in[2] / 2 || type > 99 ||
        !onnx_dtype((int32_t)type, &dtype) || !ir_dtype_is_float(dtype)) {
        onnx_refuse(n, "its sizes, frequencies or data type mean nothing");
        return false;
    }
    dims[0] = (int64_t)in[1] / 2 + 1;
    dims[1] = (int64_t)in[0];
    double *weights = arena_array(m->arena, double, (size_t)(dims[0] * dims[1]));
    int64_t *edges = arena_array(m->arena, int64_t, (size_t)dims[1] + 2);
    low = 2595 * log10(1 + in[3] / 700);
    step = (2595 * log10(1 + in[4] / 700) - low) / (in[0] + 2);
    for (int64_t i = 0; i < dims[1] + 2; i++) {
        double hertz = 700 * (pow(10, ((double)i * step + low) / 2595) - 1);
        edges[i] = (int64_t)floor((in[1] + 1) * hertz / in[2]);
        edges[i] = edges[i] >= dims[0] ? dims[0] - 1 : edges[i];
    }
    for (int64_t i = 0; i < dims[1]; i++) {
        int64_t left = edges[i], middle = edges[i + 1], right = edges[i + 2];
        if (left == middle)
            weights[middle * dims[1] + i] = 1;
        for (int64_t j = left; j <= middle && left < middle; j++)
            weights[j * dims[1] + i] = (double)(j - left) / (double)(middle - left);
        for (int64_t j = middle; j < right; j++)
            weights[j * dims[1] + i] = (double)(right - j) / (double)(right - middle);
    }
    return onnx_out(n, 0, onnx_cast(m, onnx_constant(m, IR_F64, dims, 2, weights), dtype));
}
