/*
 * Proofs that a polynomial is never negative.
 *
 * Where intervals do not tell, one atom after the other is replaced by a bound in the direction that
 * its coefficient asks for: x // c lies between (x - c + 1) / c and x / c, min and max on their
 * operands' side, a variable between the ends of its range.  Each step keeps the claim sufficient, so
 * what is left, if an interval proves it, proves the whole.
 */
#include "ir/arith/internal.h"

static bool prove(struct arith *arith, const struct poly *p, unsigned *steps);

/* True also where looking takes too long. */
static bool contains(struct arith *arith, const struct ir_expr *a, const struct ir_expr *atom)
{
    if (a->size < atom->size)
        return false;
    if (!arith_spend(arith, 1) || ir_expr_equal(a, atom))
        return true;
    for (unsigned i = 0; i < a->operand_count; i++) {
        if (contains(arith, a->operands[i], atom))
            return true;
    }
    return false;
}

/*
 * How often @atom is a factor of @t; *@out_rest is the product of the others.  False if it is also
 * inside of one of them.
 */
static bool take_out(struct arith *arith, struct ir_dtype dtype, const struct term *t,
                     const struct ir_expr *atom, unsigned *out_count, const struct poly **out_rest)
{
    const struct poly *rest = poly_constant(arith, dtype, t->coefficient);
    unsigned count = 0;

    for (unsigned i = 0; i < t->degree && rest; i++) {
        if (ir_expr_equal(t->atoms[i], atom))
            count++;
        else if (contains(arith, t->atoms[i], atom))
            return false;
        else
            rest = poly_multiply(arith, rest, poly_atom(arith, t->atoms[i]));
    }
    *out_count = count;
    *out_rest = rest;
    return rest != NULL;
}

/* @p = out_factor * @atom + out_rest with @atom nowhere in either; false if that is not its form. */
static bool split_linear(struct arith *arith, const struct poly *p, const struct ir_expr *atom,
                         const struct poly **out_factor, const struct poly **out_rest)
{
    const struct poly *factor = poly_constant(arith, p->dtype, 0);
    const struct poly *rest = factor;

    for (unsigned i = 0; i < p->count && factor && rest; i++) {
        const struct poly *part;
        unsigned count;

        if (!take_out(arith, p->dtype, &p->terms[i], atom, &count, &part) || count > 1)
            return false;
        if (count == 1)
            factor = poly_add(arith, factor, part, 1);
        else
            rest = poly_add(arith, rest, part, 1);
    }
    *out_factor = factor;
    *out_rest = rest;
    return factor && rest;
}

/* 1 if @p is never negative, -1 if never positive, 0 if not known. */
static int sign_of(struct arith *arith, const struct poly *p)
{
    struct interval value = arith_poly_interval(arith, p);

    return value.low >= 0 ? 1 : value.high <= 0 ? -1 : 0;
}

/* Is @rest + @factor * @bound >= 0? */
static bool prove_with(struct arith *arith, const struct poly *rest, const struct poly *factor,
                       const struct poly *bound, unsigned *steps)
{
    const struct poly *product = bound ? poly_multiply(arith, factor, bound) : NULL;
    const struct poly *sum = product ? poly_add(arith, rest, product, 1) : NULL;

    return sum && prove(arith, sum, steps);
}

static const struct ir_range *find_range(const struct arith *arith, const struct ir_var *var)
{
    for (size_t i = arith->ranges ? arith->ranges->count : 0; i-- > 0;) {
        if (arith->ranges->items[i].var == var)
            return &arith->ranges->items[i];
    }
    return NULL;
}

static bool prove_by_range(struct arith *arith, const struct poly *rest, const struct poly *factor,
                           const struct ir_range *range, unsigned *steps)
{
    const struct poly *bound = arith_canon(arith, range->min);

    if (!ir_dtype_equal(range->min->dtype, rest->dtype) ||
        !ir_dtype_equal(range->extent->dtype, rest->dtype))
        return false;
    if (sign_of(arith, factor) < 0) {
        const struct poly *extent = arith_canon(arith, range->extent);
        bound = bound && extent ? poly_add(arith, bound, extent, 1) : NULL;
        bound = bound ? poly_add(arith, bound, poly_constant(arith, rest->dtype, 1), -1) : NULL;
    }
    return prove_with(arith, rest, factor, bound, steps);
}

/* rest + factor * (x // d) >= 0, multiplied by d and relaxed by what rounding down can take. */
static bool prove_by_floordiv(struct arith *arith, const struct poly *rest,
                              const struct poly *factor, const struct ir_expr *atom,
                              unsigned *steps)
{
    const struct poly *x = arith_canon(arith, atom->operands[0]);
    const struct poly *d = arith_canon(arith, atom->operands[1]);
    const struct poly *one = poly_constant(arith, rest->dtype, 1);

    if (!x || !d || !arith_is_safe(arith, x) || !arith_is_safe(arith, d))
        return false;
    struct interval divisor = arith_poly_interval(arith, d);
    if (divisor.low < 1 && !(divisor.is_index && divisor.low == 0))
        return false;
    const struct poly *slack = poly_add(arith, d, one, -1);
    const struct poly *scaled = poly_multiply(arith, rest, d);
    scaled = scaled && slack ? poly_add(arith, scaled, slack, 1) : NULL;
    if (sign_of(arith, factor) > 0 && slack)
        x = poly_add(arith, x, slack, -1);
    return scaled && x && prove_with(arith, scaled, factor, x, steps);
}

/* Where min stands for something smaller than it is, either operand will do; else both must. */
static bool prove_by_minmax(struct arith *arith, const struct poly *rest, const struct poly *factor,
                            const struct ir_expr *atom, unsigned *steps)
{
    const struct poly *x = arith_canon(arith, atom->operands[0]);
    const struct poly *y = arith_canon(arith, atom->operands[1]);
    bool either = (atom->kind == IR_EXPR_min) == (sign_of(arith, factor) < 0);

    if (prove_with(arith, rest, factor, x, steps))
        return either || prove_with(arith, rest, factor, y, steps);
    return either && prove_with(arith, rest, factor, y, steps);
}

static bool prove_without(struct arith *arith, const struct poly *p, const struct ir_expr *atom,
                          unsigned *steps)
{
    const struct poly *factor;
    const struct poly *rest;
    const struct ir_range *range = atom->kind == IR_EXPR_var ? find_range(arith, atom->var) : NULL;

    if (atom->kind != IR_EXPR_floordiv && atom->kind != IR_EXPR_min && atom->kind != IR_EXPR_max &&
        !range)
        return false;
    if (!split_linear(arith, p, atom, &factor, &rest) || sign_of(arith, factor) == 0)
        return false;
    if (range)
        return prove_by_range(arith, rest, factor, range, steps);
    if (atom->kind == IR_EXPR_floordiv)
        return prove_by_floordiv(arith, rest, factor, atom, steps);
    return prove_by_minmax(arith, rest, factor, atom, steps);
}

static bool prove(struct arith *arith, const struct poly *p, unsigned *steps)
{
    if (!p->is_exact || *steps == 0)
        return false;
    --*steps;
    if (arith_poly_interval(arith, p).low >= 0)
        return true;
    for (unsigned i = 0; i < p->count; i++) {
        for (unsigned j = 0; j < p->terms[i].degree && *steps > 0; j++) {
            if (prove_without(arith, p, p->terms[i].atoms[j], steps))
                return true;
        }
    }
    return false;
}

bool arith_prove_nonnegative(struct arith *arith, const struct poly *p)
{
    unsigned steps = ARITH_PROOF_STEPS;

    return prove(arith, p, &steps);
}
