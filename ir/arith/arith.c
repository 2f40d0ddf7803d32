/* The public face of the arithmetic: each call has its own scratch memory and limits. */
#include "ir/arith.h"

#include "ir/arith/internal.h"

static bool is_too_large(const struct ir_expr *a)
{
    return a->size > ARITH_SIZE_LIMIT || a->depth > ARITH_DEPTH_LIMIT;
}

static bool is_shape_leaf(void *state, const struct ir_expr *a)
{
    return a->operand_count > 0 || a->kind == IR_EXPR_int ||
           (a->kind == IR_EXPR_var && a->var->is_symbol);
}

/*
 * Index arithmetic that cannot be right: 3 ** 60 * n has no room in int64, whatever n is.  It stays as
 * it is written, for whoever evaluates it to find out, instead of becoming another number.
 */
static bool overflows_as_index(const struct arith *arith, const struct ir_expr *a)
{
    return arith->has_wrapped && ir_dtype_equal(a->dtype, IR_I64) &&
           ir_expr_walk(a, is_shape_leaf, NULL);
}

static const struct ir_expr *simplify_once(struct arith *arith, struct ir_context *context,
                                           const struct ir_ranges *ranges, bool expand,
                                           const struct ir_expr *a)
{
    arith_init(arith, context, ranges, expand);
    const struct ir_expr *result = arith_simplify(arith, a);
    arith_finish(arith);
    return overflows_as_index(arith, a) ? a : result;
}

const struct ir_expr *ir_simplify_in(struct ir_context *context, const struct ir_ranges *ranges,
                                     const struct ir_expr *a)
{
    struct arith arith;

    if (a->kind == IR_EXPR_int || a->kind == IR_EXPR_var || is_too_large(a))
        return a;
    const struct ir_expr *result = simplify_once(&arith, context, ranges, false, a);
    if (arith.has_rest) {
        /* Where multiplying out makes things cancel, the result is the shorter one. */
        const struct ir_expr *expanded = simplify_once(&arith, context, ranges, true, a);
        if (expanded->size < result->size)
            result = simplify_once(&arith, context, ranges, false, expanded);
    }
    return result == a || result->loc.source ? result : ir_expr_at(context, a->loc, result);
}

const struct ir_expr *ir_simplify(struct ir_context *context, const struct ir_expr *a)
{
    return ir_simplify_in(context, NULL, a);
}

static bool have_integral_type(const struct ir_expr *a, const struct ir_expr *b)
{
    return arith_is_integral(a->dtype) && ir_dtype_equal(a->dtype, b->dtype) && !is_too_large(a) &&
           !is_too_large(b);
}

/* @a - @b in the form for proofs; NULL past a limit. */
static const struct poly *difference(struct arith *arith, const struct ir_expr *a,
                                     const struct ir_expr *b)
{
    const struct poly *p = arith_canon(arith, a);
    const struct poly *q = arith_canon(arith, b);

    return p && q ? poly_add(arith, p, q, -1) : NULL;
}

bool ir_prove_equal(struct ir_context *context, const struct ir_expr *a, const struct ir_expr *b)
{
    struct arith arith;
    int64_t value;

    if (ir_expr_equal(a, b))
        return true;
    if (!have_integral_type(a, b))
        return false;
    arith_init(&arith, context, NULL, true);
    const struct poly *d = difference(&arith, a, b);
    bool result = d && poly_is_constant(d, &value) && value == 0;
    arith_finish(&arith);
    return result || (ir_prove_ge(context, NULL, a, b) && ir_prove_ge(context, NULL, b, a));
}

/* True if the value of @a is computed without wrapping. */
static bool is_safe(struct ir_context *context, const struct ir_ranges *ranges,
                    const struct ir_expr *a)
{
    struct arith arith;

    arith_init(&arith, context, ranges, false);
    const struct poly *p = arith_canon(&arith, a);
    bool result = p && arith_is_safe(&arith, p);
    arith_finish(&arith);
    return result;
}

/* @a >= @b + @distance */
static bool prove_distance(struct ir_context *context, const struct ir_ranges *ranges,
                           const struct ir_expr *a, const struct ir_expr *b, int64_t distance)
{
    struct arith arith;

    if (!have_integral_type(a, b) || !is_safe(context, ranges, a) || !is_safe(context, ranges, b))
        return false;
    arith_init(&arith, context, ranges, true);
    const struct poly *d = difference(&arith, a, b);
    d = d ? poly_add(&arith, d, poly_constant(&arith, a->dtype, distance), -1) : NULL;
    bool result = d && arith_prove_nonnegative(&arith, d);
    arith_finish(&arith);
    return result;
}

bool ir_prove_ge(struct ir_context *context, const struct ir_ranges *ranges,
                 const struct ir_expr *a, const struct ir_expr *b)
{
    return prove_distance(context, ranges, a, b, 0);
}

bool ir_prove_different(struct ir_context *context, const struct ir_expr *a,
                        const struct ir_expr *b)
{
    struct arith arith;
    int64_t value = 0;

    if (ir_expr_equal(a, b) || !have_integral_type(a, b))
        return false;
    arith_init(&arith, context, NULL, true);
    const struct poly *d = difference(&arith, a, b);
    /* A constant difference is one also where both sides wrap. */
    bool result = d && poly_is_constant(d, &value) && value != 0;
    arith_finish(&arith);
    return result || prove_distance(context, NULL, a, b, 1) ||
           prove_distance(context, NULL, b, a, 1);
}

static int64_t to_bound(__int128 value)
{
    if (value > INT64_MAX)
        return INT64_MAX;
    return value < INT64_MIN ? INT64_MIN : (int64_t)value;
}

struct ir_interval ir_interval_of(struct ir_context *context, const struct ir_ranges *ranges,
                                  const struct ir_expr *a)
{
    struct arith arith;
    struct interval value;

    if (is_too_large(a) || (!arith_is_integral(a->dtype) && !ir_dtype_is_bool(a->dtype)))
        return (struct ir_interval){INT64_MIN, INT64_MAX};
    a = ir_simplify_in(context, ranges, a);
    arith_init(&arith, context, ranges, false);
    value = arith_interval(&arith, a);
    arith_finish(&arith);
    return (struct ir_interval){to_bound(value.low), to_bound(value.high)};
}

bool ir_expr_constant(struct ir_context *context, const struct ir_expr *a, int64_t *out_value)
{
    const struct ir_expr *simple = ir_simplify(context, a);

    if (simple->kind != IR_EXPR_int)
        return false;
    *out_value = simple->int_value;
    return true;
}

/* Splits the terms of @p; false if @var is in one in another way than times a number. */
static bool split_terms(struct arith *arith, const struct poly *p, const struct ir_var *var,
                        int64_t *out_coefficient, const struct poly **out_rest)
{
    int64_t coefficient = 0;
    const struct poly *rest = poly_constant(arith, p->dtype, 0);

    for (unsigned i = 0; i < p->count && rest; i++) {
        const struct term *t = &p->terms[i];
        bool uses = false;

        for (unsigned j = 0; j < t->degree; j++)
            uses |= ir_expr_uses_var(t->atoms[j], var);
        if (!uses)
            rest = poly_add(arith, rest, poly_term(arith, p->dtype, t), 1);
        else if (t->degree == 1 && t->atoms[0]->kind == IR_EXPR_var)
            coefficient = t->coefficient;
        else
            return false;
    }
    *out_coefficient = coefficient;
    *out_rest = rest;
    return rest != NULL;
}

bool ir_expr_linear(struct ir_context *context, const struct ir_expr *a, const struct ir_var *var,
                    int64_t *out_coefficient, const struct ir_expr **out_rest)
{
    struct arith arith;
    const struct poly *rest;
    int64_t coefficient;

    if (!arith_is_integral(a->dtype) || is_too_large(a))
        return false;
    a = ir_simplify(context, a);
    arith_init(&arith, context, NULL, false);
    const struct poly *p = arith_canon(&arith, a);
    bool result = p && split_terms(&arith, p, var, &coefficient, &rest);
    if (result) {
        *out_coefficient = coefficient;
        *out_rest = poly_to_expr(&arith, rest);
    }
    arith_finish(&arith);
    return result;
}
