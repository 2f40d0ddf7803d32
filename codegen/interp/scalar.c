/*
 * Arithmetic on single numbers, for every dtype and every value.
 *
 * Floats are worked out in double and rounded to their dtype.  For float32 and the 16-bit floats that
 * gives what the narrower operation would give: a double has more than twice their digits, so sums,
 * products, quotients and square roots are not changed by the second rounding.
 */
#include "base/half.h"
#include "codegen/interp/internal.h"

#include <math.h>
#include <string.h>

int64_t interp_wrap(struct ir_dtype dtype, int64_t value)
{
    if (ir_dtype_is_bool(dtype))
        return value != 0;
    if (dtype.bits >= 64)
        return value;
    uint64_t mask = (UINT64_C(1) << dtype.bits) - 1;
    uint64_t low = (uint64_t)value & mask;
    if (dtype.code == IR_INT && low >> (dtype.bits - 1))
        low |= ~mask;
    return (int64_t)low;
}

double interp_round(struct ir_dtype dtype, double value)
{
    if (dtype.bits == 64)
        return value;
    if (dtype.bits == 32)
        return (double)(float)value;
    if (dtype.code == IR_BFLOAT)
        return (double)bfloat_to_float(bfloat_from_double(value));
    return (double)half_to_float(half_from_double(value));
}

/* Rounds towards zero; saturates; NaN gives 0. */
static int64_t integer_of_real(struct ir_dtype dtype, double value)
{
    if (isnan(value))
        return 0;
    if (dtype.code == IR_INT) {
        double limit = ldexp(1.0, dtype.bits - 1);
        int64_t most = (int64_t)((UINT64_C(1) << (dtype.bits - 1)) - 1);
        if (value >= limit)
            return most;
        return value < -limit ? -most - 1 : (int64_t)value;
    }
    if (value <= -1.0)
        return 0;
    if (value >= ldexp(1.0, dtype.bits))
        return dtype.bits == 64 ? -1 : (int64_t)((UINT64_C(1) << dtype.bits) - 1);
    return (int64_t)(uint64_t)value;
}

static double real_of_integer(struct ir_dtype from, struct ir_dtype to, int64_t value)
{
    /* Straight to float32: by way of double, large integers would be rounded twice. */
    if (to.bits == 32)
        return from.code == IR_UINT ? (double)(float)(uint64_t)value : (double)(float)value;
    double wide = from.code == IR_UINT ? (double)(uint64_t)value : (double)value;
    return interp_round(to, wide);
}

struct interp_scalar interp_cast(struct interp_scalar a, struct ir_dtype dtype)
{
    struct interp_scalar result = {.dtype = dtype};
    bool is_from_real = ir_dtype_is_float(a.dtype);
    if (ir_dtype_is_bool(dtype))
        result.integer = is_from_real ? a.real != 0 : a.integer != 0; /* NaN is not 0 */
    else if (ir_dtype_is_float(dtype))
        result.real =
            is_from_real ? interp_round(dtype, a.real) : real_of_integer(a.dtype, dtype, a.integer);
    else if (is_from_real)
        result.integer = integer_of_real(dtype, a.real);
    else
        result.integer = interp_wrap(dtype, a.integer);
    return result;
}

int64_t interp_power(struct ir_dtype dtype, int64_t base, int64_t exponent)
{
    if (dtype.code == IR_INT && exponent < 0) { /* 1 and -1 have an inverse */
        if (base == -1)
            return exponent % 2 == 0 ? 1 : -1;
        return base == 1;
    }
    uint64_t square = (uint64_t)base, result = 1;
    for (uint64_t rest = (uint64_t)exponent; rest > 0; rest /= 2) {
        if (rest % 2 == 1)
            result *= square;
        square *= square;
    }
    return interp_wrap(dtype, (int64_t)result);
}

int64_t interp_shift(struct ir_dtype dtype, bool is_left, int64_t value, int64_t count)
{
    bool is_out = count < 0 || count >= dtype.bits;
    if (dtype.code == IR_UINT && dtype.bits == 64)
        is_out = (uint64_t)count >= 64;
    if (is_left)
        return is_out ? 0 : interp_wrap(dtype, (int64_t)((uint64_t)value << count));
    if (dtype.code == IR_INT)
        return is_out ? (value < 0 ? -1 : 0) : value >> count;
    return is_out ? 0 : (int64_t)((uint64_t)value >> count);
}

static bool compare(enum ir_expr_kind kind, int order, bool is_unordered)
{
    switch (kind) {
    case IR_EXPR_eq:
        return !is_unordered && order == 0;
    case IR_EXPR_ne:
        return is_unordered || order != 0;
    case IR_EXPR_lt:
        return !is_unordered && order < 0;
    case IR_EXPR_le:
        return !is_unordered && order <= 0;
    case IR_EXPR_gt:
        return !is_unordered && order > 0;
    default:
        return !is_unordered && order >= 0;
    }
}

/* x / 0 and x % 0 are 0; the smallest integer / -1 wraps to itself. */
static int64_t divide_signed(enum ir_expr_kind kind, int64_t a, int64_t b)
{
    bool is_quotient = kind == IR_EXPR_div || kind == IR_EXPR_floordiv;
    bool is_floor = kind == IR_EXPR_floordiv || kind == IR_EXPR_floormod;
    if (b == 0)
        return 0;
    if (b == -1)
        return is_quotient ? (int64_t)(0 - (uint64_t)a) : 0;
    int64_t quotient = a / b, remainder = a % b;
    if (is_floor && remainder != 0 && (remainder < 0) != (b < 0)) {
        quotient--;
        remainder += b;
    }
    return is_quotient ? quotient : remainder;
}

static int64_t divide_unsigned(enum ir_expr_kind kind, uint64_t a, uint64_t b)
{
    if (b == 0)
        return 0;
    return (int64_t)(kind == IR_EXPR_div || kind == IR_EXPR_floordiv ? a / b : a % b);
}

static bool binary_integer(enum ir_expr_kind kind, bool is_signed, int64_t a, int64_t b,
                           int64_t *out)
{
    bool is_less = is_signed ? a < b : (uint64_t)a < (uint64_t)b;
    switch (kind) {
    case IR_EXPR_add:
        *out = (int64_t)((uint64_t)a + (uint64_t)b);
        return true;
    case IR_EXPR_sub:
        *out = (int64_t)((uint64_t)a - (uint64_t)b);
        return true;
    case IR_EXPR_mul:
        *out = (int64_t)((uint64_t)a * (uint64_t)b);
        return true;
    case IR_EXPR_div:
    case IR_EXPR_mod:
    case IR_EXPR_floordiv:
    case IR_EXPR_floormod:
        *out =
            is_signed ? divide_signed(kind, a, b) : divide_unsigned(kind, (uint64_t)a, (uint64_t)b);
        return true;
    case IR_EXPR_min:
        *out = is_less ? a : b;
        return true;
    case IR_EXPR_max:
        *out = is_less ? b : a;
        return true;
    default:
        if (!ir_expr_is_compare(kind))
            return false;
        *out = compare(kind, a == b ? 0 : is_less ? -1 : 1, false);
        return true;
    }
}

/* False < true; sums and products are or and and. */
static bool binary_bool(enum ir_expr_kind kind, int64_t a, int64_t b, int64_t *out)
{
    switch (kind) {
    case IR_EXPR_add:
    case IR_EXPR_max:
        *out = a | b;
        return true;
    case IR_EXPR_mul:
    case IR_EXPR_min:
        *out = a & b;
        return true;
    default:
        return ir_expr_is_compare(kind) && binary_integer(kind, false, a, b, out);
    }
}

static double floor_quotient(struct ir_dtype dtype, double a, double b)
{
    return floor(interp_round(dtype, a / b));
}

static bool binary_real(enum ir_expr_kind kind, struct ir_dtype dtype, double a, double b,
                        double *out)
{
    switch (kind) {
    case IR_EXPR_add:
        *out = a + b;
        break;
    case IR_EXPR_sub:
        *out = a - b;
        break;
    case IR_EXPR_mul:
        *out = a * b;
        break;
    case IR_EXPR_div:
        *out = a / b;
        break;
    case IR_EXPR_mod:
        *out = fmod(a, b); /* exact, so in double it is what fmodf gives */
        break;
    case IR_EXPR_floordiv:
        *out = floor_quotient(dtype, a, b);
        break;
    case IR_EXPR_floormod:
        *out = a - interp_round(dtype, floor_quotient(dtype, a, b) * b);
        break;
    case IR_EXPR_min:
        *out = a < b || isnan(a) ? a : b;
        break;
    case IR_EXPR_max:
        *out = a > b || isnan(a) ? a : b;
        break;
    default:
        return false;
    }
    *out = interp_round(dtype, *out);
    return true;
}

bool interp_binary(enum ir_expr_kind kind, struct interp_scalar a, struct interp_scalar b,
                   struct interp_scalar *out)
{
    struct interp_scalar result = {.dtype = a.dtype};
    if (ir_expr_is_compare(kind))
        result.dtype = IR_B1;
    if (ir_dtype_is_float(a.dtype)) {
        if (ir_expr_is_compare(kind)) {
            int order = a.real < b.real ? -1 : a.real > b.real;
            result.integer = compare(kind, order, isnan(a.real) || isnan(b.real));
        } else if (!binary_real(kind, a.dtype, a.real, b.real, &result.real)) {
            return false;
        }
    } else if (ir_dtype_is_bool(a.dtype)) {
        if (!binary_bool(kind, a.integer, b.integer, &result.integer))
            return false;
    } else {
        if (!ir_dtype_is_int(a.dtype) ||
            !binary_integer(kind, a.dtype.code == IR_INT, a.integer, b.integer, &result.integer))
            return false;
        result.integer = interp_wrap(result.dtype, result.integer);
    }
    *out = result;
    return true;
}

struct inlay_dtype interp_dtype(struct ir_dtype dtype)
{
    return (struct inlay_dtype){.code = dtype.code, .bits = dtype.bits, .lanes = dtype.lanes};
}

struct interp_scalar interp_load_element(struct ir_dtype dtype, const void *data, int64_t index)
{
    struct interp_scalar result = {.dtype = dtype};
    if (ir_dtype_is_float(dtype))
        result.real = inlay_element_real(interp_dtype(dtype), data, index);
    else
        result.integer = inlay_element_integer(interp_dtype(dtype), data, index);
    if (ir_dtype_is_bool(dtype))
        result.integer = result.integer != 0;
    return result;
}

void interp_store_element(struct interp_scalar value, void *data, int64_t index)
{
    if (ir_dtype_is_float(value.dtype))
        inlay_element_set_real(interp_dtype(value.dtype), data, index, value.real);
    else
        inlay_element_set_integer(interp_dtype(value.dtype), data, index, value.integer);
}
