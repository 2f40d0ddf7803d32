/*
 * Interval analysis: between which numbers the value of an expression lies.
 *
 * Bounds are 128 bits wide, so that leaving the range of a dtype is seen and not wrapped into a wrong
 * answer: a value that may leave it is anywhere in it.  Index arithmetic (see arith.h) is assumed not
 * to leave int64; its open bounds are ARITH_INFINITY.
 */
#include "ir/arith/internal.h"

#include <string.h>

enum {
    RANGE_DEPTH_LIMIT = 64, /* ranges that depend on ranges */
    KEPT_FROM = 24,         /* nodes from which on an interval is worth being kept */
};

static __int128 clamp(__int128 value)
{
    if (value > ARITH_INFINITY)
        return ARITH_INFINITY;
    if (value < -ARITH_INFINITY)
        return -ARITH_INFINITY;
    return value;
}

static bool is_infinite(__int128 value)
{
    return value == ARITH_INFINITY || value == -ARITH_INFINITY;
}

static __int128 multiply(__int128 a, __int128 b)
{
    if (a == 0 || b == 0)
        return 0;
    if (is_infinite(a) || is_infinite(b))
        return (a < 0) == (b < 0) ? ARITH_INFINITY : -ARITH_INFINITY;
    __int128 product;
    if (__builtin_mul_overflow(a, b, &product))
        return (a < 0) == (b < 0) ? ARITH_INFINITY : -ARITH_INFINITY;
    return clamp(product);
}

static __int128 divide_down(__int128 a, __int128 b)
{
    if (is_infinite(a))
        return a;
    if (is_infinite(b))
        return a < 0 ? -1 : 0;
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static __int128 smaller(__int128 a, __int128 b)
{
    return a < b ? a : b;
}

static __int128 larger(__int128 a, __int128 b)
{
    return a > b ? a : b;
}

struct interval arith_dtype_interval(struct ir_dtype dtype)
{
    struct interval result = {-ARITH_INFINITY, ARITH_INFINITY, false};

    if (ir_dtype_is_bool(dtype))
        return (struct interval){0, 1, false};
    if (dtype.code == IR_INT && dtype.bits > 0) {
        result.high = ((__int128)1 << (dtype.bits - 1)) - 1;
        result.low = -result.high - 1;
    } else if (dtype.code == IR_UINT) {
        result.high = ((__int128)1 << dtype.bits) - 1;
        result.low = 0;
    }
    return result;
}

static bool is_small(__int128 literal)
{
    return literal <= ARITH_INDEX_LIMIT && literal >= -ARITH_INDEX_LIMIT;
}

static bool lies_within(struct interval a, struct interval b)
{
    return a.low >= b.low && a.high <= b.high;
}

/* What a machine computes where the mathematical value lies in @a. */
static struct interval clip(struct ir_dtype dtype, struct interval a)
{
    struct interval limits = arith_dtype_interval(dtype);

    if (lies_within(a, limits))
        return a;
    if (a.is_index && ir_dtype_equal(dtype, IR_I64) &&
        (a.low >= limits.low || a.low == -ARITH_INFINITY) &&
        (a.high <= limits.high || a.high == ARITH_INFINITY))
        return a;
    return limits;
}

static struct interval add(struct interval a, struct interval b)
{
    struct interval sum = {clamp(a.low + b.low), clamp(a.high + b.high), a.is_index && b.is_index};

    if (is_infinite(a.low) || is_infinite(b.low))
        sum.low = -ARITH_INFINITY;
    if (is_infinite(a.high) || is_infinite(b.high))
        sum.high = ARITH_INFINITY;
    return sum;
}

static struct interval negate(struct interval a)
{
    return (struct interval){-a.high, -a.low, a.is_index};
}

static struct interval multiply_intervals(struct interval a, struct interval b)
{
    __int128 corners[] = {multiply(a.low, b.low), multiply(a.low, b.high), multiply(a.high, b.low),
                          multiply(a.high, b.high)};
    struct interval result = {corners[0], corners[0], a.is_index && b.is_index};

    for (unsigned i = 1; i < ARRAY_SIZE(corners); i++) {
        result.low = smaller(result.low, corners[i]);
        result.high = larger(result.high, corners[i]);
    }
    return result;
}

/* @a // @b; where @b may be 0 or negative only what index arithmetic is worth is kept. */
static struct interval floordiv_interval(struct interval a, struct interval b)
{
    struct interval result = {-ARITH_INFINITY, ARITH_INFINITY, a.is_index && b.is_index};

    if (b.low == 0 && b.is_index)
        b.low = 1; /* a division by 0 has no value */
    if (b.low < 1 || b.high < b.low)
        return result;
    result.low = a.low >= 0 ? divide_down(a.low, b.high) : divide_down(a.low, b.low);
    result.high = a.high >= 0 ? divide_down(a.high, b.low) : divide_down(a.high, b.high);
    return result;
}

static struct interval floormod_interval(struct interval a, struct interval b)
{
    struct interval result = {-ARITH_INFINITY, ARITH_INFINITY, a.is_index && b.is_index};

    if (b.low == 0 && b.is_index)
        b.low = 1;
    if (b.low < 1 || b.high < b.low)
        return result;
    result.low = 0;
    result.high = is_infinite(b.high) ? b.high : b.high - 1;
    if (a.low >= 0 && a.high < b.low)
        return (struct interval){a.low, a.high, result.is_index};
    if (a.low >= 0)
        result.high = smaller(result.high, a.high);
    return result;
}

static struct interval var_interval(struct arith *arith, const struct ir_expr *a)
{
    const struct ir_var *var = a->var;
    struct interval limits = arith_dtype_interval(a->dtype);

    for (size_t i = arith->ranges ? arith->ranges->count : 0; i-- > 0;) {
        const struct ir_range *range = &arith->ranges->items[i];
        if (range->var != var)
            continue;
        if (arith->range_depth >= RANGE_DEPTH_LIMIT)
            return limits;
        arith->range_depth++;
        struct interval min = arith_interval(arith, range->min);
        struct interval extent = arith_interval(arith, range->extent);
        arith->range_depth--;
        struct interval last = add(add(min, extent), (struct interval){-1, -1, true});
        return clip(a->dtype,
                    (struct interval){min.low, last.high, min.is_index && extent.is_index});
    }
    if (var->is_symbol && arith_is_integral(var->dtype)) {
        limits.low = 0;
        limits.is_index = true;
        if (ir_dtype_equal(var->dtype, IR_I64))
            limits.high = ARITH_INFINITY;
    }
    return limits;
}

static struct interval hull(struct interval a, struct interval b)
{
    return (struct interval){smaller(a.low, b.low), larger(a.high, b.high),
                             a.is_index && b.is_index};
}

static struct interval cast_interval(struct arith *arith, const struct ir_expr *a)
{
    const struct ir_expr *operand = a->operands[0];
    struct interval limits = arith_dtype_interval(a->dtype);

    if (!arith_is_integral(operand->dtype) && !ir_dtype_is_bool(operand->dtype))
        return limits;
    struct interval value = arith_interval(arith, operand);
    if (ir_dtype_is_bool(a->dtype) || !lies_within(value, limits))
        return limits;
    return value;
}

static struct interval binary_interval(struct arith *arith, const struct ir_expr *a)
{
    struct interval x = arith_interval(arith, a->operands[0]);
    struct interval y = arith_interval(arith, a->operands[1]);

    switch (a->kind) {
    case IR_EXPR_add:
        return add(x, y);
    case IR_EXPR_sub:
        return add(x, negate(y));
    case IR_EXPR_mul:
        return multiply_intervals(x, y);
    case IR_EXPR_div:
    case IR_EXPR_mod:
        if (x.low < 0 || y.low < 1)
            return arith_dtype_interval(a->dtype);
        return a->kind == IR_EXPR_div ? floordiv_interval(x, y) : floormod_interval(x, y);
    case IR_EXPR_floordiv:
        return floordiv_interval(x, y);
    case IR_EXPR_floormod:
        return floormod_interval(x, y);
    case IR_EXPR_min:
        return (struct interval){smaller(x.low, y.low), smaller(x.high, y.high),
                                 x.is_index && y.is_index};
    case IR_EXPR_max:
        return (struct interval){larger(x.low, y.low), larger(x.high, y.high),
                                 x.is_index && y.is_index};
    default:
        return arith_dtype_interval(a->dtype);
    }
}

static struct interval find_interval(struct arith *arith, const struct ir_expr *a)
{
    struct interval limits = arith_dtype_interval(a->dtype);

    switch (a->kind) {
    case IR_EXPR_int: {
        __int128 value = a->int_value;
        if (a->dtype.code == IR_UINT && value < 0)
            value += (__int128)1 << 64;
        return (struct interval){value, value, is_small(value)};
    }
    case IR_EXPR_var:
        return var_interval(arith, a);
    case IR_EXPR_select:
        return hull(arith_interval(arith, a->operands[1]), arith_interval(arith, a->operands[2]));
    case IR_EXPR_call:
        if (strcmp(a->name, "if_then_else") != 0 || a->operand_count != 3)
            return limits;
        return hull(arith_interval(arith, a->operands[1]), arith_interval(arith, a->operands[2]));
    case IR_EXPR_cast:
        return cast_interval(arith, a);
    default:
        if (!ir_expr_is_binary(a->kind) || !arith_is_integral(a->dtype))
            return limits;
        return clip(a->dtype, binary_interval(arith, a));
    }
}

struct interval arith_interval(struct arith *arith, const struct ir_expr *a)
{
    bool is_kept = a->size >= KEPT_FROM;
    const struct interval *known = is_kept ? map_get(&arith->intervals, a) : NULL;

    if (known)
        return *known;
    if (a->depth > ARITH_DEPTH_LIMIT || arith->depth >= ARITH_DEPTH_LIMIT || arith->fuel == 0 ||
        (!arith_is_integral(a->dtype) && !ir_dtype_is_bool(a->dtype)))
        return arith_dtype_interval(a->dtype);
    arith->fuel--;
    arith->depth++;
    struct interval result = find_interval(arith, a);
    arith->depth--;
    if (is_kept) {
        struct interval *kept = arith_scratch(arith, sizeof(*kept), 1);
        *kept = result;
        map_set(&arith->intervals, a, kept);
    }
    return result;
}

struct interval arith_poly_interval(struct arith *arith, const struct poly *p)
{
    struct interval sum = {0, 0, true};

    for (unsigned i = 0; i < p->count; i++) {
        const struct term *t = &p->terms[i];
        struct interval product = {t->coefficient, t->coefficient, is_small(t->coefficient)};
        for (unsigned j = 0; j < t->degree; j++)
            product = multiply_intervals(product, arith_interval(arith, t->atoms[j]));
        sum = add(sum, product);
    }
    return sum;
}

bool arith_is_safe(struct arith *arith, const struct poly *p)
{
    struct interval limits = arith_dtype_interval(p->dtype);

    if (!p->is_exact)
        return false;
    struct interval value = arith_poly_interval(arith, p);
    if (lies_within(value, limits))
        return true;
    value = clip(p->dtype, value);
    return value.is_index;
}
