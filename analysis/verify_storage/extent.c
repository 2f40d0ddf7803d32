/* Ranges of bytes; see extent.h.  Ends that are expressions are compared by proof (ir/arith). */
#include "analysis/verify_storage/extent.h"

#include "ir/type.h"

const struct extent extent_whole = {.low = 0, .high = INT64_MAX};
const struct extent extent_anywhere = {.low = 0, .high = INT64_MAX, .is_around = true};

struct extent extent_numbers(int64_t low, int64_t high)
{
    return (struct extent){.low = low, .high = high};
}

bool extent_is_number(const struct extent *a)
{
    return !a->low_expr && !a->high_expr;
}

const struct ir_expr *extent_low(struct ir_context *context, const struct extent *a)
{
    return a->low_expr ? a->low_expr : ir_expr_int(context, IR_I64, a->low);
}

static const struct ir_expr *high(struct ir_context *context, const struct extent *a)
{
    return a->high_expr ? a->high_expr : ir_expr_int(context, IR_I64, a->high);
}

struct extent extent_of(struct ir_context *context, const struct ir_expr *low,
                        const struct ir_expr *bytes)
{
    struct extent extent = {0};
    const struct ir_expr *end =
        ir_simplify(context, ir_expr_binary(context, IR_EXPR_add, low, bytes));

    low = ir_simplify(context, low);
    if (!ir_expr_constant(context, low, &extent.low))
        extent.low_expr = low;
    if (!ir_expr_constant(context, end, &extent.high))
        extent.high_expr = end;
    return extent;
}

static bool is_equal_end(int64_t a, const struct ir_expr *a_expr, int64_t b,
                         const struct ir_expr *b_expr)
{
    if (!a_expr || !b_expr)
        return !a_expr && !b_expr && a == b;
    return ir_expr_equal(a_expr, b_expr);
}

static bool has_same_ends(const struct extent *a, const struct extent *b)
{
    return is_equal_end(a->low, a->low_expr, b->low, b->low_expr) &&
           is_equal_end(a->high, a->high_expr, b->high, b->high_expr);
}

bool extent_equal(const struct extent *a, const struct extent *b)
{
    return a->is_around == b->is_around && has_same_ends(a, b);
}

struct extent extent_around(const struct extent *a)
{
    struct extent around = *a;

    around.is_around = true;
    return around;
}

struct extent extent_exact(const struct extent *a)
{
    struct extent exact = *a;

    exact.is_around = false;
    return exact;
}

/* A product of symbols, none of which is negative. */
static bool is_natural(const struct ir_expr *a)
{
    if (a->kind == IR_EXPR_mul)
        return is_natural(a->operands[0]) && is_natural(a->operands[1]);
    return a->kind == IR_EXPR_var && a->var->is_symbol;
}

/* @a as *@out_factor times the result, which is NULL if @a is 0. */
static const struct ir_expr *unit_of(const struct ir_expr *a, int64_t *out_factor)
{
    *out_factor = 1;
    if (ir_expr_is_int(a, 0)) {
        *out_factor = 0;
        return NULL;
    }
    if (a->kind != IR_EXPR_mul || a->operands[1]->kind != IR_EXPR_int)
        return a;
    *out_factor = a->operands[1]->int_value;
    return a->operands[0];
}

/*
 * An end of @a, provably at most one of @b.  Most are multiples of one size, as the rows of a tensor are: of
 * those no proof is needed, and none would tell more.
 */
static bool is_at_most(struct ir_context *context, const struct ir_expr *a, const struct ir_expr *b)
{
    int64_t low, high;
    const struct ir_expr *unit = unit_of(a, &low), *other = unit_of(b, &high);

    unit = unit ? unit : other;
    other = other ? other : unit;
    if (unit && is_natural(unit) && ir_expr_equal(unit, other))
        return low <= high;
    return ir_prove_ge(context, NULL, b, a);
}

static bool end_in(struct extent_unit *unit, int64_t end, const struct ir_expr *expr, int64_t *out)
{
    *out = end;
    if (!expr && (end == 0 || end == INT64_MAX))
        return true;
    const struct ir_expr *own = expr ? unit_of(expr, out) : NULL;

    if (expr && (!own || !is_natural(own)))
        return false;
    if (!unit->is_set)
        *unit = (struct extent_unit){true, own};
    return unit->expr == own || (own && unit->expr && ir_expr_equal(unit->expr, own));
}

bool extent_in(struct extent_unit *unit, const struct extent *a, int64_t *out_low,
               int64_t *out_high)
{
    return end_in(unit, a->low, a->low_expr, out_low) &&
           end_in(unit, a->high, a->high_expr, out_high);
}

static bool is_whole(const struct extent *a)
{
    return extent_is_number(a) && a->low == 0 && a->high == INT64_MAX;
}

bool extent_is_within(struct ir_context *context, const struct extent *a, const struct extent *b)
{
    if (is_whole(b) || has_same_ends(a, b))
        return true;
    if (is_whole(a))
        return false;
    if (extent_is_number(a) && extent_is_number(b))
        return a->low >= b->low && a->high <= b->high;
    bool is_open = !b->high_expr && b->high == INT64_MAX;

    return is_at_most(context, extent_low(context, b), extent_low(context, a)) &&
           (is_open || is_at_most(context, high(context, a), high(context, b)));
}

static enum extent_relation compare_numbers(const struct extent *a, const struct extent *b)
{
    if (a->low == b->low && a->high == b->high)
        return EXTENT_SAME;
    if (a->high <= b->low || b->high <= a->low || a->low >= a->high || b->low >= b->high)
        return EXTENT_APART;
    if (a->low >= b->low && a->high <= b->high)
        return EXTENT_WITHIN;
    if (b->low >= a->low && b->high <= a->high)
        return EXTENT_AROUND;
    return EXTENT_ACROSS;
}

/* No bytes, for all sizes: such a range lies apart from all others, wherever it is. */
static bool is_empty(const struct extent *a)
{
    if (a->low_expr || a->high_expr)
        return a->low_expr && a->high_expr && ir_expr_equal(a->low_expr, a->high_expr);
    return a->low >= a->high;
}

enum extent_relation extent_relation(struct ir_context *context, const struct extent *a,
                                     const struct extent *b)
{
    if (extent_is_number(a) && extent_is_number(b))
        return compare_numbers(a, b);
    if (has_same_ends(a, b))
        return EXTENT_SAME;
    if (is_empty(a) || is_empty(b))
        return EXTENT_APART;
    if (extent_is_within(context, a, b))
        return EXTENT_WITHIN;
    if (extent_is_within(context, b, a))
        return EXTENT_AROUND;
    if ((!is_whole(a) && is_at_most(context, high(context, a), extent_low(context, b))) ||
        (!is_whole(b) && is_at_most(context, high(context, b), extent_low(context, a))))
        return EXTENT_APART;
    return EXTENT_UNKNOWN;
}

struct extent extent_before(const struct extent *a, const struct extent *b)
{
    return (struct extent){
        .low = a->low, .low_expr = a->low_expr, .high = b->low, .high_expr = b->low_expr};
}

struct extent extent_behind(const struct extent *a, const struct extent *b)
{
    return (struct extent){
        .low = b->high, .low_expr = b->high_expr, .high = a->high, .high_expr = a->high_expr};
}

const struct ir_expr *extent_bytes(struct ir_context *context, const struct ir_type *type)
{
    if (type->kind != IR_TYPE_TENSOR || type->ndim < 0 || ir_dtype_is_void(type->dtype) ||
        (type->ndim > 0 && !type->dims))
        return NULL;
    const struct ir_expr *bytes =
        ir_expr_int(context, IR_I64, (int64_t)ir_dtype_bytes(type->dtype));

    for (int i = 0; i < type->ndim; i++)
        bytes = ir_expr_binary(context, IR_EXPR_mul, bytes,
                               ir_expr_cast(context, IR_I64, type->dims[i]));
    return ir_simplify(context, bytes);
}
