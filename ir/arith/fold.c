/* Constant folding, with the wrapping and the signs of the dtype, and simplification of conditions. */
#include "ir/arith/internal.h"

#include <string.h>

static bool fold_unsigned(enum ir_expr_kind kind, uint64_t a, uint64_t b, uint64_t *out_value)
{
    switch (kind) {
    case IR_EXPR_div:
    case IR_EXPR_floordiv:
        if (b == 0)
            return false;
        *out_value = a / b;
        return true;
    case IR_EXPR_mod:
    case IR_EXPR_floormod:
        if (b == 0)
            return false;
        *out_value = a % b;
        return true;
    case IR_EXPR_min:
        *out_value = a < b ? a : b;
        return true;
    case IR_EXPR_max:
        *out_value = a > b ? a : b;
        return true;
    case IR_EXPR_lt:
        *out_value = a < b;
        return true;
    case IR_EXPR_le:
        *out_value = a <= b;
        return true;
    case IR_EXPR_gt:
        *out_value = a > b;
        return true;
    case IR_EXPR_ge:
        *out_value = a >= b;
        return true;
    default:
        return false;
    }
}

/* The dividend -2^63 over -1 wraps to itself. */
static bool fold_signed_division(enum ir_expr_kind kind, int64_t a, int64_t b, int64_t *out_value)
{
    bool rounds_down = kind == IR_EXPR_floordiv || kind == IR_EXPR_floormod;

    if (b == 0)
        return false;
    if (b == -1) {
        bool is_quotient = kind == IR_EXPR_div || kind == IR_EXPR_floordiv;
        *out_value = is_quotient ? (int64_t)-(uint64_t)a : 0;
        return true;
    }
    bool adjusts = rounds_down && a % b != 0 && (a < 0) != (b < 0);
    if (kind == IR_EXPR_div || kind == IR_EXPR_floordiv)
        *out_value = a / b - adjusts;
    else
        *out_value = a % b + (adjusts ? b : 0);
    return true;
}

static bool fold_signed(enum ir_expr_kind kind, int64_t a, int64_t b, int64_t *out_value)
{
    switch (kind) {
    case IR_EXPR_div:
    case IR_EXPR_floordiv:
    case IR_EXPR_mod:
    case IR_EXPR_floormod:
        return fold_signed_division(kind, a, b, out_value);
    case IR_EXPR_min:
        *out_value = a < b ? a : b;
        return true;
    case IR_EXPR_max:
        *out_value = a > b ? a : b;
        return true;
    case IR_EXPR_lt:
        *out_value = a < b;
        return true;
    case IR_EXPR_le:
        *out_value = a <= b;
        return true;
    case IR_EXPR_gt:
        *out_value = a > b;
        return true;
    case IR_EXPR_ge:
        *out_value = a >= b;
        return true;
    default:
        return false;
    }
}

bool arith_fold(enum ir_expr_kind kind, struct ir_dtype dtype, int64_t a, int64_t b,
                int64_t *out_value)
{
    uint64_t bits;

    switch (kind) { /* the same for both signs; the literal that is made of it wraps */
    case IR_EXPR_add:
        *out_value = (int64_t)((uint64_t)a + (uint64_t)b);
        return true;
    case IR_EXPR_sub:
        *out_value = (int64_t)((uint64_t)a - (uint64_t)b);
        return true;
    case IR_EXPR_mul:
        *out_value = (int64_t)((uint64_t)a * (uint64_t)b);
        return true;
    case IR_EXPR_eq:
        *out_value = a == b;
        return true;
    case IR_EXPR_ne:
        *out_value = a != b;
        return true;
    default:
        if (dtype.code != IR_UINT)
            return fold_signed(kind, a, b, out_value);
        if (!fold_unsigned(kind, (uint64_t)a, (uint64_t)b, &bits))
            return false;
        *out_value = (int64_t)bits;
        return true;
    }
}

/* What @kind says of a difference that lies in @d: 1, 0, or -1 for "both are possible". */
static int decide(enum ir_expr_kind kind, struct interval d)
{
    bool is_zero = d.low == 0 && d.high == 0;
    bool is_not_zero = d.low > 0 || d.high < 0;
    bool yes = false;
    bool no = false;

    switch (kind) {
    case IR_EXPR_eq:
    case IR_EXPR_ne:
        yes = kind == IR_EXPR_eq ? is_zero : is_not_zero;
        no = kind == IR_EXPR_eq ? is_not_zero : is_zero;
        break;
    case IR_EXPR_lt:
    case IR_EXPR_ge:
        yes = kind == IR_EXPR_lt ? d.high < 0 : d.low >= 0;
        no = kind == IR_EXPR_lt ? d.low >= 0 : d.high < 0;
        break;
    case IR_EXPR_le:
    case IR_EXPR_gt:
        yes = kind == IR_EXPR_le ? d.high <= 0 : d.low > 0;
        no = kind == IR_EXPR_le ? d.low > 0 : d.high <= 0;
        break;
    default:
        break;
    }
    return yes ? 1 : no ? 0 : -1;
}

static const struct ir_expr *compare(struct arith *arith, const struct ir_expr *a)
{
    const struct poly *x = arith_canon(arith, a->operands[0]);
    const struct poly *y = arith_canon(arith, a->operands[1]);
    const struct poly *d = x && y ? poly_add(arith, x, y, -1) : NULL;
    int64_t value;
    int64_t left;
    int64_t right;

    if (!d)
        return a;
    const struct ir_expr *x_expr = poly_to_expr(arith, x);
    const struct ir_expr *y_expr = poly_to_expr(arith, y);
    if (x_expr->kind == IR_EXPR_int && y_expr->kind == IR_EXPR_int) {
        left = x_expr->int_value;
        right = y_expr->int_value;
        if (arith_fold(a->kind, x->dtype, left, right, &value))
            return ir_expr_int(arith->context, a->dtype, value);
    }
    /* Equal or not does not depend on wrapping; the order does. */
    int decided = -1;
    bool is_equality = a->kind == IR_EXPR_eq || a->kind == IR_EXPR_ne;
    if (poly_is_constant(d, &value) && (is_equality || value == 0))
        decided = decide(a->kind, (struct interval){value, value, true});
    else if (d->is_exact && arith_is_safe(arith, x) && arith_is_safe(arith, y))
        decided = decide(a->kind, arith_poly_interval(arith, d));
    if (decided >= 0)
        return ir_expr_int(arith->context, a->dtype, decided);
    if (ir_expr_equal(x_expr, a->operands[0]) && ir_expr_equal(y_expr, a->operands[1]))
        return a;
    return ir_expr_binary(arith->context, a->kind, x_expr, y_expr);
}

static const struct ir_expr *simplify_operands(struct arith *arith, const struct ir_expr *a)
{
    const struct ir_expr *operands[3];
    bool changed = false;

    if (a->operand_count > ARRAY_SIZE(operands))
        return a;
    for (unsigned i = 0; i < a->operand_count; i++) {
        operands[i] = arith_simplify(arith, a->operands[i]);
        changed |= operands[i] != a->operands[i];
    }
    return changed ? ir_expr_with_operands(arith->context, a, operands, a->operand_count) : a;
}

/* and, or: @absorbing is the value of an operand that decides. */
static const struct ir_expr *logical(const struct ir_expr *a, int64_t absorbing)
{
    const struct ir_expr *x = a->operands[0];
    const struct ir_expr *y = a->operands[1];

    if (x->kind == IR_EXPR_int)
        return x->int_value == absorbing ? x : y;
    if (y->kind == IR_EXPR_int)
        return y->int_value == absorbing ? y : x;
    return ir_expr_equal(x, y) ? x : a;
}

const struct ir_expr *arith_simplify_bool(struct arith *arith, const struct ir_expr *a)
{
    if (ir_expr_is_compare(a->kind) && arith_is_integral(a->operands[0]->dtype))
        return compare(arith, a);
    a = simplify_operands(arith, a);
    switch (a->kind) {
    case IR_EXPR_and:
        return logical(a, 0);
    case IR_EXPR_or:
        return logical(a, 1);
    case IR_EXPR_not:
        if (a->operands[0]->kind == IR_EXPR_int)
            return ir_expr_int(arith->context, a->dtype, !a->operands[0]->int_value);
        return a->operands[0]->kind == IR_EXPR_not ? a->operands[0]->operands[0] : a;
    case IR_EXPR_eq:
    case IR_EXPR_ne:
        if (!ir_dtype_is_bool(a->operands[0]->dtype) || a->operands[0]->kind != IR_EXPR_int ||
            a->operands[1]->kind != IR_EXPR_int)
            return a;
        return ir_expr_int(arith->context, a->dtype,
                           (a->operands[0]->int_value == a->operands[1]->int_value) ==
                               (a->kind == IR_EXPR_eq));
    case IR_EXPR_cast:
        return ir_expr_cast(arith->context, a->dtype, a->operands[0]);
    default:
        return a;
    }
}
