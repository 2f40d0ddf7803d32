/* Polynomials; see poly.h. */
#include "analysis/verify_storage/poly.h"

enum { TERM_LIMIT = 64, BOUND_LIMIT = 32 };

static struct vs_poly *vs_poly_new(struct vs_polys *p, unsigned room)
{
    return arena_alloc(&p->arena, sizeof(struct vs_poly) + room * sizeof(struct vs_poly_term), 1,
                       _Alignof(struct vs_poly));
}

const struct vs_poly *vs_poly_number(struct vs_polys *p, int64_t value)
{
    struct vs_poly *result = vs_poly_new(p, 1);

    if (value)
        result->terms[result->count++] = (struct vs_poly_term){.factor = value};
    return result;
}

bool vs_poly_is_number(const struct vs_poly *a, int64_t *out)
{
    *out = a->count ? a->terms[0].factor : 0;
    return a->count == 0 || (a->count == 1 && a->terms[0].degree == 0);
}

static int compare_atoms(const struct vs_poly_term *a, const struct vs_poly_term *b)
{
    if (a->degree != b->degree)
        return a->degree < b->degree ? -1 : 1;
    for (unsigned i = 0; i < a->degree; i++)
        if (a->atoms[i] != b->atoms[i])
            return a->atoms[i] < b->atoms[i] ? -1 : 1;
    return 0;
}

bool vs_poly_equal(const struct vs_poly *a, const struct vs_poly *b)
{
    if (a->count != b->count)
        return false;
    for (unsigned i = 0; i < a->count; i++)
        if (a->terms[i].factor != b->terms[i].factor ||
            compare_atoms(&a->terms[i], &b->terms[i]) != 0)
            return false;
    return true;
}

const struct vs_poly *vs_poly_add(struct vs_polys *p, const struct vs_poly *a,
                                  const struct vs_poly *b, int64_t factor)
{
    unsigned i = 0, k = 0;

    if (!a || !b || a->count + b->count > TERM_LIMIT)
        return NULL;
    struct vs_poly *result = vs_poly_new(p, a->count + b->count);

    while (i < a->count || k < b->count) {
        struct vs_poly_term term;
        int64_t product;
        int order = i == a->count   ? 1
                    : k == b->count ? -1
                                    : compare_atoms(&a->terms[i], &b->terms[k]);

        if (order < 0) {
            term = a->terms[i++];
        } else {
            term = b->terms[k];
            if (__builtin_mul_overflow(b->terms[k++].factor, factor, &product))
                return NULL;
            term.factor = product;
            if (order == 0 && __builtin_add_overflow(a->terms[i++].factor, product, &term.factor))
                return NULL;
        }
        if (term.factor)
            result->terms[result->count++] = term;
    }
    return result;
}

static bool multiply_terms(const struct vs_poly_term *a, const struct vs_poly_term *b,
                           struct vs_poly_term *out)
{
    unsigned i = 0, k = 0;

    *out = (struct vs_poly_term){.degree = a->degree + b->degree};
    if (out->degree > POLY_DEGREE || __builtin_mul_overflow(a->factor, b->factor, &out->factor))
        return false;
    for (unsigned at = 0; at < out->degree; at++)
        out->atoms[at] = k == b->degree || (i < a->degree && a->atoms[i] < b->atoms[k])
                             ? a->atoms[i++]
                             : b->atoms[k++];
    return true;
}

const struct vs_poly *vs_poly_multiply(struct vs_polys *p, const struct vs_poly *a,
                                       const struct vs_poly *b)
{
    const struct vs_poly *sum = vs_poly_number(p, 0);

    if (!a || !b || a->count * b->count > TERM_LIMIT)
        return NULL;
    for (unsigned i = 0; i < a->count && sum; i++)
        for (unsigned k = 0; k < b->count && sum; k++) {
            struct vs_poly *product = vs_poly_new(p, 1);

            product->count = 1;
            if (!multiply_terms(&a->terms[i], &b->terms[k], &product->terms[0]))
                return NULL;
            sum = vs_poly_add(p, sum, product, 1);
        }
    return sum;
}

/* ---- atoms ---- */

static bool is_same_atom(const struct vs_poly_atom *a, const struct vs_poly_atom *b)
{
    if (a->kind != b->kind)
        return false;
    switch (a->kind) {
    case POLY_FIXED:
        return ir_expr_equal(a->expr, b->expr);
    case POLY_LOOP:
        return a->loop == b->loop;
    case POLY_LANE:
        return false;
    case POLY_QUOTIENT:
    case POLY_REMAINDER:
        return a->divisor == b->divisor && vs_poly_equal(a->inner, b->inner);
    }
    return false;
}

const struct vs_poly *vs_poly_atom(struct vs_polys *p, const struct vs_poly_atom *atom)
{
    size_t at = 0;

    while (at < p->atoms.count && !is_same_atom(&p->atoms.items[at], atom))
        at++;
    if (at == p->atoms.count)
        array_push(&p->atoms, *atom);
    return vs_poly_of(p, (unsigned)at);
}

const struct vs_poly *vs_poly_of(struct vs_polys *p, unsigned atom)
{
    struct vs_poly *result = vs_poly_new(p, 1);

    result->count = 1;
    result->terms[0] = (struct vs_poly_term){.factor = 1, .degree = 1, .atoms = {atom}};
    return result;
}

static bool is_fixed_atom(const struct vs_polys *p, unsigned atom)
{
    return p->atoms.items[atom].is_fixed;
}

bool vs_poly_is_fixed(const struct vs_polys *p, const struct vs_poly *a)
{
    for (unsigned i = 0; i < a->count; i++)
        for (unsigned k = 0; k < a->terms[i].degree; k++)
            if (!is_fixed_atom(p, a->terms[i].atoms[k]))
                return false;
    return true;
}

bool vs_poly_is_least(const struct vs_polys *p, const struct vs_poly *a, int64_t least)
{
    int64_t number = 0;

    for (unsigned i = 0; i < a->count; i++) {
        const struct vs_poly_term *term = &a->terms[i];

        if (term->degree == 0)
            number = term->factor;
        else if (term->factor < 0)
            return false;
        for (unsigned k = 0; k < term->degree; k++)
            if (!is_fixed_atom(p, term->atoms[k]) || !p->atoms.items[term->atoms[k]].is_natural)
                return false;
    }
    return number >= least;
}

bool vs_poly_split(struct vs_polys *p, const struct vs_poly *a, unsigned atom,
                   const struct vs_poly **out_factor, const struct vs_poly **out_rest)
{
    struct vs_poly *factor = vs_poly_new(p, a->count), *rest = vs_poly_new(p, a->count);

    for (unsigned i = 0; i < a->count; i++) {
        struct vs_poly_term term = a->terms[i];
        unsigned kept = 0;

        for (unsigned k = 0; k < term.degree; k++)
            if (term.atoms[k] != atom)
                term.atoms[kept++] = term.atoms[k];
        if (kept + 1 < term.degree)
            return false; /* a square */
        if (kept == term.degree) {
            rest->terms[rest->count++] = term;
        } else {
            term.degree = kept;
            factor->terms[factor->count++] = term;
        }
    }
    *out_factor = factor; /* in the same order: what was between the others was the same atom */
    *out_rest = rest;
    return true;
}

/* ---- bounds ---- */

/* The last atom of @a that is not fixed; the count of atoms if there is none. */
static unsigned last_moving(const struct vs_polys *p, const struct vs_poly *a)
{
    unsigned found = (unsigned)p->atoms.count;

    for (unsigned i = 0; i < a->count; i++)
        for (unsigned k = 0; k < a->terms[i].degree; k++) {
            unsigned atom = a->terms[i].atoms[k];

            if (!is_fixed_atom(p, atom) && (found == p->atoms.count || atom > found))
                found = atom;
        }
    return found;
}

/* Its ends; what it is made of may move, too. */
static const struct vs_poly *atom_bound(struct vs_polys *p, unsigned index, bool is_high)
{
    struct vs_poly_atom atom = p->atoms.items[index];

    switch (atom.kind) {
    case POLY_FIXED:
        return NULL;
    case POLY_LOOP:
    case POLY_LANE:
        return is_high ? atom.high : atom.low;
    case POLY_REMAINDER:
        return vs_poly_number(p, is_high ? atom.divisor - 1 : 0);
    case POLY_QUOTIENT: {
        const struct vs_poly *bound = vs_poly_bound(p, atom.inner, is_high);

        return bound ? vs_poly_divide(p, bound, atom.divisor, false) : NULL;
    }
    }
    return NULL;
}

const struct vs_poly *vs_poly_bound(struct vs_polys *p, const struct vs_poly *a, bool is_high)
{
    for (unsigned steps = 0; a && steps < BOUND_LIMIT; steps++) {
        unsigned atom = last_moving(p, a);
        const struct vs_poly *factor, *rest;

        if (atom == p->atoms.count)
            return a;
        if (!vs_poly_split(p, a, atom, &factor, &rest) || !vs_poly_is_fixed(p, factor))
            return NULL;
        bool is_rising = vs_poly_is_least(p, factor, 0);
        bool is_falling = vs_poly_is_least(p, vs_poly_add(p, vs_poly_number(p, 0), factor, -1), 0);

        if (!is_rising && !is_falling)
            return NULL;
        const struct vs_poly *end = atom_bound(p, atom, is_rising == is_high);

        a = end ? vs_poly_add(p, rest, vs_poly_multiply(p, factor, end), 1) : NULL;
    }
    return NULL;
}

/* ---- division ---- */

/* The terms of @a whose factor @divisor divides, divided; the others go to *@out_rest. */
static const struct vs_poly *divided(struct vs_polys *p, const struct vs_poly *a, int64_t divisor,
                                     const struct vs_poly **out_rest)
{
    struct vs_poly *quotient = vs_poly_new(p, a->count), *rest = vs_poly_new(p, a->count);

    for (unsigned i = 0; i < a->count; i++) {
        struct vs_poly_term term = a->terms[i];

        if (term.factor % divisor != 0) {
            rest->terms[rest->count++] = term;
            continue;
        }
        term.factor /= divisor;
        quotient->terms[quotient->count++] = term;
    }
    *out_rest = rest;
    return quotient;
}

static bool is_below(struct vs_polys *p, const struct vs_poly *a, int64_t limit)
{
    const struct vs_poly *low = vs_poly_bound(p, a, false), *high = vs_poly_bound(p, a, true);
    const struct vs_poly *left =
        high ? vs_poly_add(p, vs_poly_number(p, limit - 1), high, -1) : NULL;

    return low && left && vs_poly_is_least(p, low, 0) && vs_poly_is_least(p, left, 0);
}

static const struct vs_poly *opaque_division(struct vs_polys *p, const struct vs_poly *a,
                                             int64_t divisor, bool is_remainder)
{
    const struct vs_poly *low = vs_poly_bound(p, a, false);
    struct vs_poly_atom atom = {.kind = is_remainder ? POLY_REMAINDER : POLY_QUOTIENT,
                                .is_natural = is_remainder || (low && vs_poly_is_least(p, low, 0)),
                                .is_fixed = vs_poly_is_fixed(p, a),
                                .inner = a,
                                .divisor = divisor};

    return vs_poly_atom(p, &atom);
}

const struct vs_poly *vs_poly_divide(struct vs_polys *p, const struct vs_poly *a, int64_t divisor,
                                     bool is_remainder)
{
    const struct vs_poly *rest;
    int64_t number;

    if (!a || divisor < 1)
        return NULL;
    const struct vs_poly *quotient = divided(p, a, divisor, &rest);
    /* what is left over is a number: so many whole ones, and the rest of it */
    if (vs_poly_is_number(rest, &number)) {
        int64_t whole = number / divisor - (number % divisor < 0);

        return is_remainder ? vs_poly_number(p, number - whole * divisor)
                            : vs_poly_add(p, quotient, vs_poly_number(p, whole), 1);
    }
    if (is_below(p, rest, divisor))
        return is_remainder ? rest : quotient;
    return opaque_division(p, a, divisor, is_remainder);
}

void vs_polys_finish(struct vs_polys *p)
{
    array_finish(&p->atoms);
    arena_finish(&p->arena);
}
