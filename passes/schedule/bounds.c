/* Between which numbers integers lie, by what they are made of: bytes, numbers, and arithmetic that does not wrap. */
#include "passes/schedule/schedule.h"

#include <string.h>

struct bounds {
    int64_t low, high;
};

enum {
    WIDE = 1 << 30
}; /* what is farther is not followed: nothing here overflows, nor does int32 wrap */

static bool is_narrow(struct bounds b)
{
    return b.low >= -WIDE && b.high <= WIDE;
}

static struct bounds joined(struct bounds a, struct bounds b)
{
    return (struct bounds){a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
}

static struct bounds product(struct bounds a, struct bounds b)
{
    struct bounds low = {a.low * b.low, a.low * b.low}, high = {a.high * b.high, a.high * b.high};
    struct bounds left = {a.low * b.high, a.low * b.high}, right = {a.high * b.low, a.high * b.low};

    return joined(joined(low, high), joined(left, right));
}

static bool of_dtype(struct ir_dtype dtype, struct bounds *out)
{
    if (!ir_dtype_is_int(dtype) || dtype.bits > 16)
        return false;
    *out = dtype.code == IR_INT ? (struct bounds){-(INT64_C(1) << (dtype.bits - 1)),
                                                  (INT64_C(1) << (dtype.bits - 1)) - 1}
                                : (struct bounds){0, (INT64_C(1) << dtype.bits) - 1};
    return true;
}

static bool find(const struct ir_expr *a, struct bounds *out)
{
    struct bounds b, c;
    bool is_choice = a->kind == IR_EXPR_call && strcmp(a->name, "if_then_else") == 0;

    if (a->kind == IR_EXPR_int) {
        *out = (struct bounds){a->int_value, a->int_value};
        return is_narrow(*out);
    }
    if (!ir_dtype_is_int(a->dtype) || a->dtype.lanes != 1)
        return false;
    if (of_dtype(a->dtype, out)) /* what is computed in so few bits may wrap */
        return true;
    if (a->dtype.code != IR_INT || a->dtype.bits < 32)
        return false;
    if (a->kind == IR_EXPR_cast)
        return find(a->operands[0], out);
    if (!is_choice && a->kind != IR_EXPR_add && a->kind != IR_EXPR_sub && a->kind != IR_EXPR_mul)
        return false;
    if (!find(a->operands[is_choice], &b) || !find(a->operands[is_choice + 1], &c))
        return false;
    *out = is_choice                ? joined(b, c)
           : a->kind == IR_EXPR_mul ? product(b, c)
           : a->kind == IR_EXPR_add ? (struct bounds){b.low + c.low, b.high + c.high}
                                    : (struct bounds){b.low - c.high, b.high - c.low};
    return is_narrow(*out);
}

bool sch_farthest(const struct ir_expr *a, int64_t *out)
{
    struct bounds b;

    if (!find(a, &b))
        return false;
    *out = -b.low > b.high ? -b.low : b.high;
    return true;
}
