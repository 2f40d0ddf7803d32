/* Elementwise operators, and arithmetic on what is followed element by element. */
#include "frontend/onnx/families.h"
#include "frontend/onnx/scaled.h"
#include "frontend/onnx/storage.h"

#include <math.h>
#include <string.h>

/* ---- elements ---- */

/* What one operator does to followed integers. */
static const struct {
    enum op_id op;
    enum ir_expr_kind kind;
} integer_ops[] = {
    {OP_add, IR_EXPR_add},         {OP_subtract, IR_EXPR_sub},     {OP_multiply, IR_EXPR_mul},
    {OP_divide, IR_EXPR_div},      {OP_maximum, IR_EXPR_max},      {OP_minimum, IR_EXPR_min},
    {OP_equal, IR_EXPR_eq},        {OP_less, IR_EXPR_lt},          {OP_less_equal, IR_EXPR_le},
    {OP_greater, IR_EXPR_gt},      {OP_greater_equal, IR_EXPR_ge}, {OP_floor_mod, IR_EXPR_floormod},
    {OP_logical_and, IR_EXPR_mul}, {OP_logical_or, IR_EXPR_max},
};

/* True or false if it is proved, as 1 or 0; NULL: not known. */
static const struct ir_expr *compare(struct onnx_import *m, enum ir_expr_kind kind,
                                     const struct ir_expr *a, const struct ir_expr *b)
{
    const struct ir_expr *one = onnx_expr(m, 1);
    const struct ir_expr *more = onnx_op(m, IR_EXPR_add, b, one);

    if (kind == IR_EXPR_eq)
        return ir_prove_equal(m->context, a, b)       ? one
               : ir_prove_different(m->context, a, b) ? onnx_expr(m, 0)
                                                      : NULL;
    if (kind == IR_EXPR_gt || kind == IR_EXPR_le) {
        if (ir_prove_ge(m->context, NULL, a, more))
            return onnx_expr(m, kind == IR_EXPR_gt);
        return ir_prove_ge(m->context, NULL, b, a) ? onnx_expr(m, kind == IR_EXPR_le) : NULL;
    }
    if (ir_prove_ge(m->context, NULL, a, b))
        return onnx_expr(m, kind == IR_EXPR_ge);
    more = onnx_op(m, IR_EXPR_add, a, one);
    if (ir_prove_ge(m->context, NULL, b, more))
        return onnx_expr(m, kind == IR_EXPR_lt);
    return NULL;
}

/* Division of ONNX truncates; expressions of sizes are written with //. */
static const struct ir_expr *divide(struct onnx_import *m, const struct ir_expr *a,
                                    const struct ir_expr *b)
{
    const struct ir_expr *zero = onnx_expr(m, 0);
    int64_t x, y;

    if (ir_expr_constant(m->context, b, &y)) {
        if (y == 0)
            return NULL;
        if (ir_expr_constant(m->context, a, &x))
            return x == INT64_MIN ? NULL : onnx_expr(m, x / y);
    }
    if (!ir_prove_ge(m->context, NULL, b, onnx_expr(m, 1)) &&
        !ir_prove_ge(m->context, NULL, b, zero))
        return NULL;
    return ir_prove_ge(m->context, NULL, a, zero) ? onnx_op(m, IR_EXPR_floordiv, a, b) : NULL;
}

/* As the run would round it. */
static const struct ir_expr *combine_floats(struct onnx_import *m, enum op_id op,
                                            struct ir_dtype dtype, double a, double b)
{
    double r = op == OP_add        ? a + b
               : op == OP_subtract ? a - b
               : op == OP_multiply ? a * b
               : op == OP_divide   ? a / b
               : op == OP_maximum  ? fmax(a, b)
               : op == OP_minimum  ? fmin(a, b)
                                   : NAN;
    r = ir_dtype_equal(dtype, IR_F32) ? (double)(float)r : r;
    if (isnan(r) || isinf(r) || (r == 0 && signbit(r)))
        return NULL;
    return r == floor(r) && fabs(r) < 1e15 ? onnx_expr(m, (int64_t)r)
                                           : ir_expr_float(m->context, IR_F64, r);
}

bool onnx_is_number(const struct ir_expr *e, double *out)
{
    if (e->kind != IR_EXPR_int && e->kind != IR_EXPR_float)
        return false;
    *out = e->kind == IR_EXPR_int ? (double)e->int_value : e->float_value;
    return true;
}

/* NULL: not known. */
static const struct ir_expr *combine(struct onnx_import *m, enum op_id op, struct ir_dtype dtype,
                                     const struct ir_expr *a, const struct ir_expr *b)
{
    enum ir_expr_kind kind = IR_EXPR_COUNT;
    bool is_float = ir_dtype_is_float(dtype);
    double x, y;

    for (size_t i = 0; i < ARRAY_SIZE(integer_ops); i++)
        if (integer_ops[i].op == op)
            kind = integer_ops[i].kind;
    if (kind == IR_EXPR_COUNT)
        return NULL;
    if (is_float && onnx_is_number(a, &x) && onnx_is_number(b, &y))
        return combine_floats(m, op, dtype, x, y);
    if (a->kind == IR_EXPR_float || b->kind == IR_EXPR_float)
        return NULL;
    if (kind == IR_EXPR_div)
        return is_float ? NULL : divide(m, a, b);
    if (kind == IR_EXPR_floormod && !ir_prove_ge(m->context, NULL, b, onnx_expr(m, 1)))
        return NULL;
    if (ir_expr_is_compare(kind))
        return compare(m, kind, a, b);
    return onnx_op(m, kind, a, b);
}

/* Place of element @i of the broadcast shape in @value. */
static size_t broadcast_place(const struct onnx_value *value, const int64_t *dims, unsigned rank,
                              size_t i)
{
    size_t place = 0, stride = 1;

    for (unsigned k = 0; k < rank; k++) {
        size_t extent = (size_t)dims[rank - 1 - k], at = extent ? i % extent : 0;
        i = extent ? i / extent : 0;
        if (k < value->rank && value->dims[value->rank - 1 - k] != 1) {
            place += at * stride;
            stride *= (size_t)value->dims[value->rank - 1 - k];
        }
    }
    return place;
}

/* The shape of both broadcast; false if they do not fit. */
static bool broadcast_dims(const struct onnx_value *a, const struct onnx_value *b, int64_t *dims,
                           unsigned *out_rank, size_t *out_count)
{
    unsigned rank = a->rank > b->rank ? a->rank : b->rank;

    *out_count = 1;
    for (unsigned k = 0; k < rank; k++) {
        int64_t x = k < a->rank ? a->dims[a->rank - 1 - k] : 1;
        int64_t y = k < b->rank ? b->dims[b->rank - 1 - k] : 1;
        if (x != y && x != 1 && y != 1)
            return false;
        dims[rank - 1 - k] = x == 1 ? y : x;
        *out_count *= (size_t)dims[rank - 1 - k];
    }
    *out_rank = rank;
    return *out_count <= ONNX_ELEMENT_LIMIT;
}

static bool is_followed(struct onnx_node *n, unsigned input)
{
    return onnx_has(n, input) && onnx_value_is_known(n->m, n->inputs[input]);
}

static bool is_truth(enum op_id op)
{
    return op == OP_equal || op == OP_less || op == OP_less_equal || op == OP_greater ||
           op == OP_greater_equal;
}

/* *@out = @a @op @b, of which all elements are known; false: it must be done when it runs. */
static bool combine_all(struct onnx_import *m, enum op_id op, const struct onnx_value *a,
                        const struct onnx_value *b, struct onnx_value *out)
{
    int64_t dims[IR_RANK_LIMIT];
    unsigned rank;
    size_t count;

    if (!broadcast_dims(a, b, dims, &rank, &count))
        return false;
    const struct ir_expr **elements = arena_array(m->arena, const struct ir_expr *, count + 1);
    for (size_t i = 0; i < count; i++) {
        elements[i] = combine(m, op, a->dtype, a->elements[broadcast_place(a, dims, rank, i)],
                              b->elements[broadcast_place(b, dims, rank, i)]);
        if (!elements[i])
            return false;
    }
    onnx_value_set_elements(m, out, is_truth(op) ? IR_B1 : a->dtype, rank, dims, elements, count);
    return true;
}

/* Does the operator on elements that are known; false: it must be done when it runs. */
static bool follow(struct onnx_node *n, enum op_id op)
{
    return is_followed(n, 0) && is_followed(n, 1) &&
           combine_all(n->m, op, n->inputs[0], n->inputs[1], &n->outputs[0]);
}

/* ---- rows ---- */

/* A function of one element; NULL: not known. */
static const struct ir_expr *change(struct onnx_import *m, enum op_id op, const struct ir_expr *e)
{
    const struct ir_expr *zero = onnx_expr(m, 0);
    double real;

    if (op == OP_negative && e->kind != IR_EXPR_float)
        return onnx_op(m, IR_EXPR_sub, zero, e);
    if (op == OP_logical_not && e->kind == IR_EXPR_int)
        return onnx_expr(m, e->int_value == 0);
    if (op == OP_abs && ir_prove_ge(m->context, NULL, e, zero))
        return e;
    if ((op == OP_ceil || op == OP_floor || op == OP_round) && e->kind != IR_EXPR_float)
        return e;
    if (e->kind != IR_EXPR_float || (op != OP_ceil && op != OP_floor))
        return NULL;
    real = op == OP_ceil ? ceil(e->float_value) : floor(e->float_value);
    return fabs(real) < 1e15 ? onnx_expr(m, (int64_t)real) : NULL;
}

static bool follow_unary(struct onnx_node *n, enum op_id op)
{
    struct onnx_value *x = onnx_has(n, 0) ? n->inputs[0] : NULL;
    const struct ir_expr **elements;

    if (!x || !onnx_value_is_known(n->m, x) ||
        (ir_dtype_bytes(x->dtype) < 4 && !ir_dtype_is_bool(x->dtype)))
        return false;
    elements = arena_array(n->m->arena, const struct ir_expr *, x->count + 1);
    for (size_t i = 0; i < x->count; i++)
        if (!(elements[i] = change(n->m, op, x->elements[i])))
            return false;
    onnx_value_set_elements(n->m, &n->outputs[0], x->dtype, x->rank, x->dims, elements, x->count);
    return true;
}

bool onnx_unary(struct onnx_node *n)
{
    if (follow_unary(n, (enum op_id)n->row->op))
        return true;
    if (n->row->op == OP_nn_relu && onnx_relu_scaled(n))
        return true;
    struct ir_value *x = onnx_in(n, 0);

    return onnx_out(n, 0, MAKE(&n->m->b, n->row->op, x));
}

bool onnx_identity(struct onnx_node *n)
{
    if (!onnx_has(n, 0))
        return false;
    n->outputs[0] = *n->inputs[0];
    return true;
}

/* 1 / x of numbers that are known. */
static bool follow_reciprocal(struct onnx_node *n)
{
    struct onnx_value *x = n->inputs[0];
    double real;

    if (!is_followed(n, 0) || !ir_dtype_is_float(x->dtype))
        return false;
    const struct ir_expr **elements =
        arena_array(n->m->arena, const struct ir_expr *, x->count + 1);
    for (size_t i = 0; i < x->count; i++)
        if (!onnx_is_number(x->elements[i], &real) ||
            !(elements[i] = combine_floats(n->m, OP_divide, x->dtype, 1, real)))
            return false;
    onnx_value_set_elements(n->m, &n->outputs[0], x->dtype, x->rank, x->dims, elements, x->count);
    return true;
}

bool onnx_reciprocal(struct onnx_node *n)
{
    if (follow_reciprocal(n))
        return true;
    struct ir_value *x = onnx_in(n, 0);
    struct ir_value *one = x ? onnx_scalar(n->m, x->type->dtype, 1) : NULL;

    return onnx_out(n, 0, MAKE(&n->m->b, OP_divide, one, x));
}

/* Before opset 7 the second operand may stand for axes from `axis` on: the rest is 1. */
static struct ir_value *old_broadcast(struct onnx_node *n, struct ir_value *a, struct ir_value *b)
{
    int64_t axis = onnx_int(n, "axis", INT64_MAX);
    const struct ir_expr *dims[IR_RANK_LIMIT];
    unsigned count = 0;

    if (!b || axis == INT64_MAX)
        return b;
    axis = axis < 0 ? axis + onnx_rank(a) : axis;
    for (int i = 0; i < onnx_rank(b); i++)
        dims[count++] = onnx_dims(b)[i];
    for (int64_t i = axis + onnx_rank(b); i >= 0 && i < onnx_rank(a) && count < IR_RANK_LIMIT; i++)
        dims[count++] = onnx_expr(n->m, 1);
    return onnx_reshape(n->m, b, dims, count);
}

static bool binary(struct onnx_node *n, enum op_id op)
{
    if (follow(n, op))
        return true;
    struct ir_value *a = onnx_in(n, 0), *b = a ? onnx_in(n, 1) : NULL;
    if (n->opset < 7)
        b = old_broadcast(n, a, b);
    struct ir_value *items[] = {a, b};
    return onnx_fit(n, items, 2, 0) && onnx_out(n, 0, MAKE(&n->m->b, op, items[0], items[1]));
}

bool onnx_binary(struct onnx_node *n)
{
    return binary(n, (enum op_id)n->row->op);
}

/* The remainder of floats with the sign of the divisor, as Python's: exact, and of infinities a number. */
static bool float_modulo(struct onnx_node *n, struct ir_value *a, struct ir_value *b)
{
    struct onnx_import *m = n->m;
    struct ir_value *items[] = {a, b};

    if (!onnx_fit(n, items, 2, 0))
        return false;
    struct ir_value *zero = onnx_scalar(m, a->type->dtype, 0);
    struct ir_value *rest = MAKE(&m->b, OP_mod, items[0], items[1]);
    struct ir_value *is_other = MAKE(&m->b, OP_not_equal, MAKE(&m->b, OP_less, rest, zero),
                                     MAKE(&m->b, OP_less, items[1], zero));
    is_other = MAKE(&m->b, OP_logical_and, is_other, MAKE(&m->b, OP_not_equal, rest, zero));
    return onnx_out(n, 0,
                    MAKE(&m->b, OP_where, is_other, MAKE(&m->b, OP_add, rest, items[1]), rest));
}

bool onnx_modulo(struct onnx_node *n)
{
    if (onnx_int(n, "fmod", 0))
        return binary(n, OP_mod);
    if (!onnx_has(n, 0) || !onnx_has(n, 1) || !ir_dtype_is_float(n->inputs[0]->dtype))
        return binary(n, OP_floor_mod);
    struct ir_value *a = onnx_in(n, 0), *b = a ? onnx_in(n, 1) : NULL;
    return b && float_modulo(n, a, b);
}

bool onnx_power(struct onnx_node *n)
{
    struct ir_value *a = onnx_in(n, 0), *b = a ? onnx_in(n, 1) : NULL;
    struct ir_dtype dtype;

    if (!b)
        return false;
    if (n->opset < 7)
        b = old_broadcast(n, a, b);
    struct ir_value *items[] = {a, b};
    if (!onnx_fit(n, items, 2, 0))
        return false;
    a = items[0], b = items[1];
    dtype = a->type->dtype;
    if (ir_dtype_is_float(dtype))
        return onnx_out(n, 0, MAKE(&n->m->b, OP_power, a, onnx_cast(n->m, b, dtype)));
    if (ir_dtype_is_int(b->type->dtype))
        return onnx_out(n, 0, MAKE(&n->m->b, OP_power, a, onnx_cast(n->m, b, dtype)));
    struct ir_value *wide =
        MAKE(&n->m->b, OP_power, onnx_cast(n->m, a, IR_F64), onnx_cast(n->m, b, IR_F64));
    return onnx_out(n, 0, onnx_cast(n->m, wide, dtype));
}

bool onnx_bit_shift(struct onnx_node *n)
{
    const char *direction = onnx_string(n, "direction", "");
    bool is_left = strcmp(direction, "LEFT") == 0;

    if (!is_left && strcmp(direction, "RIGHT") != 0) {
        onnx_refuse(n, "direction `%s` is neither LEFT nor RIGHT", direction);
        return false;
    }
    return binary(n, is_left ? OP_left_shift : OP_right_shift);
}

/* All inputs in one by @op; NULL after a report. */
static struct ir_value *chain(struct onnx_node *n, enum op_id op)
{
    struct ir_value **items = arena_array(n->m->arena, struct ir_value *, n->input_count + 1);

    for (unsigned i = 0; i < n->input_count; i++)
        if (!(items[i] = onnx_in(n, i)))
            return NULL;
    if (n->input_count == 0 || !onnx_fit(n, items, n->input_count, 0))
        return NULL;
    for (unsigned i = 1; i < n->input_count; i++)
        items[0] = MAKE(&n->m->b, op, items[0], items[i]);
    return items[0];
}

bool onnx_variadic(struct onnx_node *n)
{
    if (n->input_count == 2 && follow(n, (enum op_id)n->row->op))
        return true;
    return onnx_out(n, 0, chain(n, (enum op_id)n->row->op));
}

bool onnx_mean(struct onnx_node *n)
{
    struct ir_value *sum = chain(n, OP_add);

    if (!sum)
        return false;
    return onnx_out(
        n, 0, MAKE(&n->m->b, OP_divide, sum, onnx_scalar(n->m, sum->type->dtype, n->input_count)));
}

/* Where on elements that are known. */
static bool follow_where(struct onnx_node *n)
{
    struct onnx_value *c, *a, *b;

    if (!is_followed(n, 0) || !is_followed(n, 1) || !is_followed(n, 2))
        return false;
    c = n->inputs[0], a = n->inputs[1], b = n->inputs[2];
    struct onnx_value both = {0};
    int64_t dims[IR_RANK_LIMIT], inner[IR_RANK_LIMIT];
    unsigned rank;
    size_t count;
    if (!broadcast_dims(a, b, inner, &both.rank, &count))
        return false;
    both.dims = inner;
    if (!broadcast_dims(c, &both, dims, &rank, &count))
        return false;
    const struct ir_expr **elements = arena_array(n->m->arena, const struct ir_expr *, count + 1);
    for (size_t i = 0; i < count; i++) {
        const struct ir_expr *truth = c->elements[broadcast_place(c, dims, rank, i)];
        const struct onnx_value *chosen = ir_expr_is_int(truth, 0) ? b : a;
        if (truth->kind != IR_EXPR_int)
            return false;
        elements[i] = chosen->elements[broadcast_place(chosen, dims, rank, i)];
    }
    onnx_value_set_elements(n->m, &n->outputs[0], a->dtype, rank, dims, elements, count);
    return true;
}

bool onnx_where(struct onnx_node *n)
{
    if (follow_where(n))
        return true;
    struct ir_value *c = onnx_in(n, 0), *a = c ? onnx_in(n, 1) : NULL,
                    *b = a ? onnx_in(n, 2) : NULL;
    struct ir_value *items[] = {c, a, b};
    return b && onnx_fit(n, items, 3, 0) &&
           onnx_out(n, 0, MAKE(&n->m->b, OP_where, items[0], items[1], items[2]));
}

/* A bound of Clip: attribute before opset 11, then an input of rank 0. */
static struct ir_value *bound(struct onnx_node *n, unsigned input, const char *name,
                              struct ir_dtype dtype)
{
    const Onnx__Attribute *attribute = onnx_attribute(n, name);

    if (n->opset < 11)
        return attribute ? onnx_scalar(n->m, dtype, (double)attribute->f) : NULL;
    struct ir_value *value = onnx_has(n, input) ? onnx_in(n, input) : NULL;
    return value && onnx_rank(value) ? onnx_reshape(n->m, value, NULL, 0) : value;
}

static bool follow_clip(struct onnx_node *n)
{
    struct onnx_value low = {0}, both = {0}, *x = is_followed(n, 0) ? n->inputs[0] : NULL;
    bool has_low = onnx_has(n, 1), has_high = onnx_has(n, 2);

    if (!x || n->opset < 11 || (has_low && !is_followed(n, 1)) || (has_high && !is_followed(n, 2)))
        return false;
    if ((has_low && !combine_all(n->m, OP_maximum, x, n->inputs[1], &low)) ||
        (has_high && !combine_all(n->m, OP_minimum, has_low ? &low : x, n->inputs[2], &both)))
        return false;
    n->outputs[0] = has_high ? both : has_low ? low : *x;
    return true;
}

bool onnx_clip(struct onnx_node *n)
{
    struct ir_value *x, *low, *high;

    if (follow_clip(n))
        return true;
    x = onnx_in(n, 0);
    if (!x)
        return false;
    low = bound(n, 1, "min", x->type->dtype);
    high = bound(n, 2, "max", x->type->dtype);
    if (low)
        x = MAKE(&n->m->b, OP_maximum, x, low);
    if (high)
        x = MAKE(&n->m->b, OP_minimum, x, high);
    return onnx_out(n, 0, x);
}

bool onnx_dropout(struct onnx_node *n)
{
    struct ir_value *x = onnx_in(n, 0);
    double ratio = onnx_float(n, "ratio", 0.5), training = 0;

    if (!x || (onnx_has(n, 1) && n->opset >= 12 && !onnx_in_number(n, 1, &ratio)) ||
        (onnx_has(n, 2) && !onnx_in_number(n, 2, &training)))
        return false;
    if (training != 0 && ratio != 0)
        return onnx_random_dropout(n, x, ratio);
    n->outputs[0] = *n->inputs[0];
    if (!onnx_wants(n, 1))
        return true;
    return onnx_out(
        n, 1,
        onnx_broadcast(n->m, onnx_scalar(n->m, IR_B1, 1), onnx_dims(x), (unsigned)onnx_rank(x)));
}

bool onnx_is_inf(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0);
    bool up = onnx_int(n, "detect_positive", 1), down = onnx_int(n, "detect_negative", 1);

    if (!x)
        return false;
    if (up && down)
        return onnx_out(n, 0, MAKE(&m->b, OP_isinf, x));
    struct ir_value *limit = onnx_scalar(m, x->type->dtype, up ? INFINITY : -INFINITY);
    if (up || down)
        return onnx_out(n, 0, MAKE(&m->b, OP_equal, x, limit));
    return onnx_out(
        n, 0, onnx_broadcast(m, onnx_scalar(m, IR_B1, 0), onnx_dims(x), (unsigned)onnx_rank(x)));
}
