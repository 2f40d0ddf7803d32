/*
 * floordiv and floormod of polynomials.
 *
 * With p = d * q + r, p // d is q + r // d and p % d is r % d for mathematical integers, so all rules
 * move the multiples of the divisor out and reduce what is left by common factors.  They are used only
 * where the machine computes the mathematical value of p, and of the rest that replaces it.
 */
#include "base/number.h"
#include "ir/arith/internal.h"

#include <string.h>

static const struct poly *zero(struct arith *arith, struct ir_dtype dtype)
{
    return poly_constant(arith, dtype, 0);
}

static int64_t floor_divide(int64_t a, int64_t b)
{
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static const struct poly *make_atom(struct arith *arith, enum ir_expr_kind kind,
                                    const struct poly *p, const struct ir_expr *divisor)
{
    return poly_atom(arith, ir_expr_binary(arith->context, kind, poly_to_expr(arith, p), divisor));
}

/*
 * @p = @c * quotient + rest, the rest's constant in [0, c).  Terms that are no multiple of @c stay
 * whole in the rest, which reads better; for proofs they are split.
 */
static bool split(struct arith *arith, const struct poly *p, int64_t c,
                  const struct poly **out_quotient, const struct poly **out_rest)
{
    const struct poly *quotient = zero(arith, p->dtype);
    const struct poly *rest = zero(arith, p->dtype);

    for (unsigned i = 0; i < p->count && quotient && rest; i++) {
        struct term whole = p->terms[i];
        struct term part = p->terms[i];

        whole.coefficient = floor_divide(part.coefficient, c);
        part.coefficient -= whole.coefficient * c;
        if (part.coefficient != 0 && part.degree > 0 && !arith->expand) {
            whole.coefficient = 0;
            part.coefficient = p->terms[i].coefficient;
        }
        quotient = poly_add(arith, quotient, poly_term(arith, p->dtype, &whole), 1);
        rest = poly_add(arith, rest, poly_term(arith, p->dtype, &part), 1);
    }
    *out_quotient = quotient;
    *out_rest = rest;
    return quotient && rest;
}

/* The greatest common divisor of @c and the coefficients of @p but the constant. */
static int64_t common_factor(const struct poly *p, int64_t c)
{
    uint64_t factor = (uint64_t)c;

    for (unsigned i = 0; i < p->count; i++) {
        if (p->terms[i].degree > 0)
            factor = number_gcd(factor, number_magnitude(p->terms[i].coefficient));
    }
    return (int64_t)factor;
}

/* @p with all coefficients divided by @factor; the constant is rounded down. */
static const struct poly *divide_coefficients(struct arith *arith, const struct poly *p,
                                              int64_t factor)
{
    const struct poly *result = zero(arith, p->dtype);

    for (unsigned i = 0; i < p->count && result; i++) {
        struct term t = p->terms[i];
        t.coefficient = floor_divide(t.coefficient, factor);
        result = poly_add(arith, result, poly_term(arith, p->dtype, &t), 1);
    }
    return result;
}

/* True if the value of @p is known to be in [0, c). */
static bool is_below(struct arith *arith, const struct poly *p, int64_t c)
{
    struct interval value = arith_poly_interval(arith, p);

    return value.low >= 0 && value.high < c;
}

static const struct poly *floordiv_constant(struct arith *arith, const struct poly *p, int64_t c);

/* (x // a + k) // c is (x + k * a) // (a * c); NULL if @rest is not of that form. */
static const struct poly *merge_nested(struct arith *arith, const struct poly *rest, int64_t c)
{
    int64_t k = poly_constant_term(rest);
    unsigned count = rest->count - (k != 0);
    const struct ir_expr *atom;
    int64_t divisor;
    int64_t shift;

    if (count != 1 || rest->terms[0].degree != 1 || rest->terms[0].coefficient != 1)
        return NULL;
    atom = rest->terms[0].atoms[0];
    if (atom->kind != IR_EXPR_floordiv || atom->operands[1]->kind != IR_EXPR_int ||
        atom->operands[1]->int_value <= 0 ||
        __builtin_mul_overflow(atom->operands[1]->int_value, c, &divisor) ||
        __builtin_mul_overflow(atom->operands[1]->int_value, k, &shift) ||
        arith_dtype_interval(rest->dtype).high < divisor)
        return NULL;
    const struct poly *x = arith_canon(arith, atom->operands[0]);
    x = x ? poly_add(arith, x, poly_constant(arith, rest->dtype, shift), 1) : NULL;
    return x && arith_is_safe(arith, x) ? floordiv_constant(arith, x, divisor) : NULL;
}

/* @p // @c for a safe @p and @c >= 1. */
static const struct poly *floordiv_constant(struct arith *arith, const struct poly *p, int64_t c)
{
    const struct poly *quotient;
    const struct poly *rest;
    const struct poly *last = NULL;
    int64_t constant;

    if (!split(arith, p, c, &quotient, &rest) || !arith_is_safe(arith, rest))
        return NULL;
    int64_t factor = common_factor(rest, c);
    if (factor > 1) {
        c /= factor;
        rest = divide_coefficients(arith, rest, factor);
        if (!rest)
            return NULL;
    }
    if (c == 1)
        return poly_add(arith, quotient, rest, 1);
    if (poly_is_constant(rest, &constant) || is_below(arith, rest, c))
        return quotient;
    last = merge_nested(arith, rest, c);
    if (!last)
        last = make_atom(arith, IR_EXPR_floordiv, rest, ir_expr_int(arith->context, p->dtype, c));
    return poly_add(arith, quotient, last, 1);
}

/*
 * The rest @p with k * (x % a) replaced by k * x where k * a is a multiple of @c, which changes nothing
 * modulo @c.  NULL if there is no such term, or x is too large to be computed.
 */
static const struct poly *open_nested_mod(struct arith *arith, const struct poly *p, int64_t c)
{
    for (unsigned i = 0; i < p->count; i++) {
        const struct term *t = &p->terms[i];
        const struct ir_expr *atom = t->degree == 1 ? t->atoms[0] : NULL;
        int64_t period;

        if (!atom || atom->kind != IR_EXPR_floormod || atom->operands[1]->kind != IR_EXPR_int ||
            __builtin_mul_overflow(t->coefficient, atom->operands[1]->int_value, &period) ||
            period % c != 0)
            continue;
        const struct poly *x = arith_canon(arith, atom->operands[0]);
        const struct poly *result =
            x ? poly_add(arith, p, poly_term(arith, p->dtype, t), -1) : NULL;
        result = result ? poly_add(arith, result, x, t->coefficient) : NULL;
        return result && arith_is_safe(arith, result) ? result : NULL;
    }
    return NULL;
}

/* @p % @c for a safe @p and @c >= 1. */
static const struct poly *floormod_constant(struct arith *arith, const struct poly *p, int64_t c)
{
    const struct poly *quotient;
    const struct poly *rest;
    const struct poly *opened;
    int64_t constant;

    for (unsigned i = p->count; i > 0; i--) {
        opened = open_nested_mod(arith, p, c);
        if (!opened)
            break;
        p = opened;
    }
    if (!split(arith, p, c, &quotient, &rest) || !arith_is_safe(arith, rest))
        return NULL;
    if (poly_is_constant(rest, &constant) || is_below(arith, rest, c))
        return rest;
    arith->has_rest = true;
    if (arith->expand) {
        const struct poly *div = floordiv_constant(arith, rest, c);
        return div ? poly_add(arith, rest, div, -c) : NULL;
    }
    int64_t factor = common_factor(rest, c);
    int64_t low = poly_constant_term(rest) % factor;
    rest = factor > 1 ? divide_coefficients(arith, rest, factor) : rest;
    if (!rest)
        return NULL;
    c /= factor;
    const struct poly *mod = zero(arith, p->dtype);
    if (c > 1)
        mod = make_atom(arith, IR_EXPR_floormod, rest, ir_expr_int(arith->context, p->dtype, c));
    mod = poly_scale(arith, mod, factor);
    return mod ? poly_add(arith, mod, poly_constant(arith, p->dtype, low), 1) : NULL;
}

/* The atoms of @t without those of @factor; false if some are missing. */
static bool remove_atoms(struct arith *arith, const struct term *t, const struct term *factor,
                         struct term *out_term)
{
    const struct ir_expr *kept[ARITH_DEGREE_LIMIT];
    unsigned count = 0;
    unsigned j = 0;

    for (unsigned i = 0; i < t->degree; i++) {
        if (j < factor->degree && ir_expr_equal(t->atoms[i], factor->atoms[j]))
            j++;
        else
            kept[count++] = t->atoms[i];
    }
    const struct ir_expr **atoms =
        arena_array(&arith->arena, const struct ir_expr *, count ? count : 1);
    memcpy(atoms, kept, count * sizeof(kept[0]));
    *out_term = (struct term){t->coefficient, count, atoms};
    return j == factor->degree;
}

/* @t as a polynomial; a sum that was an atom of a product, and is alone now, is a sum again. */
static const struct poly *reopen(struct arith *arith, struct ir_dtype dtype, const struct term *t)
{
    if (t->degree == 1 && (t->atoms[0]->kind == IR_EXPR_add || t->atoms[0]->kind == IR_EXPR_sub)) {
        const struct poly *sum = arith_canon(arith, t->atoms[0]);
        return sum ? poly_scale(arith, sum, t->coefficient) : NULL;
    }
    return poly_term(arith, dtype, t);
}

/* @p = @d * quotient + rest, term by term. */
static bool split_by_term(struct arith *arith, const struct poly *p, const struct term *d,
                          const struct poly **out_quotient, const struct poly **out_rest)
{
    const struct poly *quotient = zero(arith, p->dtype);
    const struct poly *rest = zero(arith, p->dtype);
    struct term whole;

    if (p->count > 1 && poly_as_term(arith, p, &whole) && remove_atoms(arith, &whole, d, &whole) &&
        whole.coefficient % d->coefficient == 0) {
        /* The sum as a whole is a multiple of the divisor. */
        whole.coefficient /= d->coefficient;
        *out_quotient = reopen(arith, p->dtype, &whole);
        *out_rest = rest;
        return *out_quotient != NULL;
    }
    for (unsigned i = 0; i < p->count && quotient && rest; i++) {
        const struct term *t = &p->terms[i];
        bool divides = remove_atoms(arith, t, d, &whole) && t->coefficient % d->coefficient == 0;
        if (divides) {
            whole.coefficient /= d->coefficient;
            const struct poly *part = reopen(arith, p->dtype, &whole);
            quotient = part ? poly_add(arith, quotient, part, 1) : NULL;
        } else {
            rest = poly_add(arith, rest, poly_term(arith, p->dtype, t), 1);
        }
    }
    *out_quotient = quotient;
    *out_rest = rest;
    return quotient && rest;
}

/*
 * True if 0 <= @p < @d.  Without ranges nothing but intervals can tell; with them a proof may need
 * their ends (i < n for an i in range(n)).
 */
static bool lies_below(struct arith *arith, const struct poly *p, const struct poly *d)
{
    struct interval value = arith_poly_interval(arith, p);
    struct interval limit = arith_poly_interval(arith, d);

    if (value.low >= 0 && value.high < limit.low)
        return true;
    if (!arith->ranges)
        return false;
    const struct poly *above = poly_add(arith, d, p, -1);
    above = above ? poly_add(arith, above, poly_constant(arith, p->dtype, 1), -1) : NULL;
    return above && arith_prove_nonnegative(arith, p) && arith_prove_nonnegative(arith, above);
}

/* A divisor that no rule may be used with: it may be 0, or is not what it seems. */
static bool is_bad_divisor(struct arith *arith, const struct poly *d)
{
    if (!arith_is_safe(arith, d))
        return true;
    struct interval value = arith_poly_interval(arith, d);
    /* Of index arithmetic it is assumed that it does not divide by 0. */
    return value.low <= 0 && value.high >= 0 && !value.is_index;
}

/* The factor that all terms of @p and @d have in common, but numbers. */
static void common_atoms(struct arith *arith, const struct poly *p, const struct term *d,
                         struct term *out_factor)
{
    const struct ir_expr **atoms =
        arena_array(&arith->arena, const struct ir_expr *, d->degree ? d->degree : 1);
    unsigned count = 0;

    for (unsigned j = 0; j < d->degree; j++) {
        struct term candidate = {1, count + 1, atoms};
        struct term ignored;
        bool is_common = true;
        atoms[count] = d->atoms[j];
        for (unsigned i = 0; i < p->count && is_common; i++)
            is_common = remove_atoms(arith, &p->terms[i], &candidate, &ignored);
        count += is_common;
    }
    *out_factor = (struct term){1, count, atoms};
}

/* (g * a) // (g * b) is a // b: @rest and the divisor without what they have in common. */
static const struct poly *cancel(struct arith *arith, const struct poly *rest, const struct term *d)
{
    struct term factor;
    struct term divisor;
    const struct poly *reduced;
    const struct poly *remainder;

    common_atoms(arith, rest, d, &factor);
    if (d->coefficient <= 0)
        return NULL;
    int64_t number = common_factor(rest, d->coefficient);
    int64_t constant = poly_constant_term(rest);
    factor.coefficient = constant % number == 0 ? number : 1;
    if (factor.degree == 0 && factor.coefficient == 1)
        return NULL;
    if (!split_by_term(arith, rest, &factor, &reduced, &remainder) || remainder->count > 0 ||
        !remove_atoms(arith, d, &factor, &divisor))
        return NULL;
    divisor.coefficient = d->coefficient / factor.coefficient;
    const struct poly *new_divisor = reopen(arith, rest->dtype, &divisor);
    if (!new_divisor || !arith_is_safe(arith, reduced))
        return NULL;
    const struct poly *result = arith_floordiv(arith, reduced, new_divisor);
    return result ? result
                  : make_atom(arith, IR_EXPR_floordiv, reduced, poly_to_expr(arith, new_divisor));
}

static const struct poly *floordiv_general(struct arith *arith, const struct poly *p,
                                           const struct poly *d)
{
    const struct poly *quotient;
    const struct poly *rest;
    const struct poly *last;
    struct term divisor;

    if (is_bad_divisor(arith, d) || !poly_as_term(arith, d, &divisor) || divisor.coefficient == 0 ||
        divisor.coefficient == -1)
        return NULL;
    if (!split_by_term(arith, p, &divisor, &quotient, &rest))
        return NULL;
    if (rest->count == 0 || (arith_is_safe(arith, rest) && lies_below(arith, rest, d)))
        return quotient;
    last = arith_is_safe(arith, rest) ? cancel(arith, rest, &divisor) : NULL;
    if (!last && quotient->count == 0)
        return NULL;
    if (!last && !arith_is_safe(arith, rest))
        return NULL;
    if (!last)
        last = make_atom(arith, IR_EXPR_floordiv, rest, poly_to_expr(arith, d));
    return poly_add(arith, quotient, last, 1);
}

const struct poly *arith_floordiv(struct arith *arith, const struct poly *p, const struct poly *d)
{
    int64_t c;

    if (!arith_is_safe(arith, p) || !d->is_exact)
        return NULL;
    if (!poly_is_constant(d, &c))
        return floordiv_general(arith, p, d);
    if (c == 0 || c == INT64_MIN || -(__int128)c > arith_dtype_interval(p->dtype).high)
        return NULL;
    if (c > 0)
        return floordiv_constant(arith, p, c);
    /* p // -c is -p // c; the smallest number has no opposite in its dtype. */
    const struct poly *opposite = poly_scale(arith, p, -1);
    return opposite && p->dtype.code == IR_INT && arith_is_safe(arith, opposite)
               ? floordiv_constant(arith, opposite, -c)
               : NULL;
}

static const struct poly *floormod_general(struct arith *arith, const struct poly *p,
                                           const struct poly *d)
{
    const struct poly *quotient;
    const struct poly *rest;
    struct term divisor;

    if (is_bad_divisor(arith, d) || !poly_as_term(arith, d, &divisor) || divisor.coefficient == 0 ||
        divisor.coefficient == -1)
        return NULL;
    if (!split_by_term(arith, p, &divisor, &quotient, &rest) || !arith_is_safe(arith, rest))
        return NULL;
    if (rest->count == 0 || lies_below(arith, rest, d))
        return rest;
    arith->has_rest = true;
    if (arith->expand) {
        const struct poly *div = arith_floordiv(arith, rest, d);
        if (!div)
            div = make_atom(arith, IR_EXPR_floordiv, rest, poly_to_expr(arith, d));
        const struct poly *product = div ? poly_multiply(arith, div, d) : NULL;
        return product ? poly_add(arith, rest, product, -1) : NULL;
    }
    return make_atom(arith, IR_EXPR_floormod, rest, poly_to_expr(arith, d));
}

const struct poly *arith_floormod(struct arith *arith, const struct poly *p, const struct poly *d)
{
    int64_t c;

    if (!arith_is_safe(arith, p) || !d->is_exact)
        return NULL;
    if (!poly_is_constant(d, &c))
        return floormod_general(arith, p, d);
    return c > 0 ? floormod_constant(arith, p, c) : NULL;
}
