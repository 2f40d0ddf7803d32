/*
 * Whether anything wraps inside of an expression.
 *
 * Asked for each node on its own, and with the expression simplified each time, this takes the square of
 * its nodes, and more than any time where substitution made a tree of shared parts.  So each node is met
 * once, with the interval that those of its operands give; only where that does not tell is it simplified,
 * and not often.
 */
#include "ir/arith.h"
#include "ir/arith/internal.h"

enum {
    SHARE_FROM = 48, /* nodes from which on a table of what was met is worth its cost */
    ASK_LIMIT = 64,  /* nodes that are simplified */
};

struct fits {
    struct arith arith;
    struct map met; /* larger nodes that fit, with all below */
    unsigned asked;
};

/* What may wrap has all values of its dtype as its interval, so that one bound is not believed. */
static bool lies_inside(struct ir_dtype dtype, __int128 low, __int128 high)
{
    struct interval limits = arith_dtype_interval(dtype);

    if (dtype.code == IR_UINT)
        return low >= 0 && high < limits.high;
    return low > limits.low && high <= limits.high && high < INT64_MAX;
}

/* A number that is known and fits @dtype stays the same in it. */
static bool is_kept(struct ir_dtype dtype, struct interval value)
{
    struct interval limits = arith_dtype_interval(dtype);

    return value.low >= limits.low && value.high <= limits.high && value.high < INT64_MAX;
}

/*
 * With terms that cancel taken out.  Only while that is exact: what simplifying wraps has the value that
 * the machine computes, which says nothing of the way there.
 */
static bool fits_simplified(struct fits *f, const struct ir_expr *a)
{
    const struct ir_expr *exact = a->kind == IR_EXPR_cast ? a->operands[0] : a;
    struct arith arith;
    bool result = false;

    if (!arith_is_integral(exact->dtype))
        return false;
    arith_init(&arith, f->arith.context, f->arith.ranges, false);
    const struct poly *p = arith_canon(&arith, exact);
    if (p && !arith.has_wrapped) {
        struct interval interval = arith_poly_interval(&arith, p);
        result = a->kind == IR_EXPR_cast ? is_kept(a->dtype, interval)
                                         : lies_inside(a->dtype, interval.low, interval.high);
    }
    arith_finish(&arith);
    return result;
}

static bool fits_alone(struct fits *f, const struct ir_expr *a)
{
    bool can_wrap = a->kind == IR_EXPR_add || a->kind == IR_EXPR_sub || a->kind == IR_EXPR_mul ||
                    a->kind == IR_EXPR_cast;

    if (!can_wrap || !ir_dtype_is_int(a->dtype))
        return true;
    if (a->dtype.lanes != 1)
        return false;
    struct interval interval = arith_interval(&f->arith, a);
    if (lies_inside(a->dtype, interval.low, interval.high))
        return true;
    if (f->asked++ >= ASK_LIMIT)
        return false;
    return fits_simplified(f, a);
}

static bool fits(struct fits *f, const struct ir_expr *a)
{
    if (a->kind == IR_EXPR_load || a->kind == IR_EXPR_call || a->operand_count == 0)
        return true;
    if (a->size >= SHARE_FROM && map_has(&f->met, a))
        return true;
    for (unsigned i = 0; i < a->operand_count; i++)
        if (!fits(f, a->operands[i]))
            return false;
    if (a->size >= SHARE_FROM)
        map_set(&f->met, a, a);
    return fits_alone(f, a);
}

bool ir_fits_everywhere(struct ir_context *context, const struct ir_ranges *ranges,
                        const struct ir_expr *a)
{
    struct fits f;

    if (a->operand_count == 0)
        return true;
    if (a->depth > ARITH_DEPTH_LIMIT)
        return false;
    arith_init(&f.arith, context, ranges, false);
    f.met = (struct map){0};
    f.asked = 0;
    bool result = fits(&f, a);
    arith_finish(&f.arith);
    map_finish(&f.met);
    return result;
}
