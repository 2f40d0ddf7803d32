/* Polynomials over atoms: the canonical form of integer expressions. */
#include "base/assert.h"
#include "base/number.h"
#include "ir/arith/internal.h"

#include <string.h>

void arith_init(struct arith *arith, struct ir_context *context, const struct ir_ranges *ranges,
                bool expand)
{
    /* Not by one assignment, which would clear the buffer. */
    arith->context = context;
    arith->ranges = ranges;
    arith->expand = expand;
    arith->has_rest = false;
    arith->has_wrapped = false;
    arith->fuel = ARITH_FUEL;
    arith->range_depth = 0;
    arith->depth = 0;
    arith->intervals = (struct map){0};
    arith->used = 0;
    arith->arena = (struct arena){0};
}

void arith_finish(struct arith *arith)
{
    map_finish(&arith->intervals);
    arena_finish(&arith->arena);
}

void *arith_scratch(struct arith *arith, size_t size, size_t count)
{
    size_t bytes = (size * count + 15) & ~(size_t)15;

    if (bytes > sizeof(arith->buffer) - arith->used)
        return arena_alloc(&arith->arena, bytes, 1, 16);
    void *result = arith->buffer + arith->used;
    arith->used += bytes;
    return result;
}

bool arith_spend(struct arith *arith, unsigned steps)
{
    if (arith->fuel < steps)
        return false;
    arith->fuel -= steps;
    return true;
}

bool arith_is_integral(struct ir_dtype dtype)
{
    return dtype.lanes == 1 && ir_dtype_is_int(dtype);
}

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* By name first, so that a text that is read again has its terms in the same order. */
static int compare_vars(const struct ir_var *a, const struct ir_var *b)
{
    int by_name = a->name == b->name ? 0 : strcmp(a->name, b->name);
    return by_name != 0 ? by_name : compare_numbers(a->id, b->id);
}

static int compare_payloads(const struct ir_expr *a, const struct ir_expr *b)
{
    switch (a->kind) {
    case IR_EXPR_var:
    case IR_EXPR_let:
        return compare_vars(a->var, b->var);
    case IR_EXPR_int:
    case IR_EXPR_shuffle:
        return (a->int_value > b->int_value) - (a->int_value < b->int_value);
    case IR_EXPR_float: {
        uint64_t bits[2];
        memcpy(&bits[0], &a->float_value, sizeof(bits[0]));
        memcpy(&bits[1], &b->float_value, sizeof(bits[1]));
        return compare_numbers(bits[0], bits[1]);
    }
    case IR_EXPR_string:
        return strcmp(a->string, b->string);
    case IR_EXPR_call:
        return strcmp(a->name, b->name);
    case IR_EXPR_load:
        return strcmp(a->buffer->name, b->buffer->name);
    default:
        return 0;
    }
}

int arith_compare(const struct ir_expr *a, const struct ir_expr *b)
{
    int order;

    if (a == b)
        return 0;
    /* Shared parts are looked at once for each path to them: what is too large is equal to itself alone. */
    if (a->size > IR_EXPR_SIZE_LIMIT && b->size > IR_EXPR_SIZE_LIMIT)
        return (order = compare_numbers(a->hash, b->hash)) != 0
                   ? order
                   : compare_numbers((uintptr_t)a, (uintptr_t)b);
    if ((order = compare_numbers(a->kind, b->kind)) != 0 || (order = compare_payloads(a, b)) != 0 ||
        (order = compare_numbers(a->dtype.code, b->dtype.code)) != 0 ||
        (order = compare_numbers(a->dtype.bits, b->dtype.bits)) != 0 ||
        (order = compare_numbers(a->operand_count, b->operand_count)) != 0)
        return order;
    for (unsigned i = 0; i < a->operand_count; i++) {
        order = arith_compare(a->operands[i], b->operands[i]);
        if (order != 0)
            return order;
    }
    return 0;
}

static int compare_terms(const struct term *a, const struct term *b)
{
    if (a->degree != b->degree)
        return a->degree > b->degree ? -1 : 1;
    for (unsigned i = 0; i < a->degree; i++) {
        int order = arith_compare(a->atoms[i], b->atoms[i]);
        if (order != 0)
            return order;
    }
    return 0;
}

static bool same_atoms(const struct term *a, const struct term *b)
{
    if (a->degree != b->degree)
        return false;
    for (unsigned i = 0; i < a->degree; i++) {
        if (!ir_expr_equal(a->atoms[i], b->atoms[i]))
            return false;
    }
    return true;
}

/* A coefficient in the dtype: the representative that is a signed number of its width. */
static int64_t wrap(struct ir_dtype dtype, __int128 value, bool *is_exact)
{
    unsigned shift = 64u - dtype.bits;
    int64_t result = (int64_t)((uint64_t)value << shift) >> shift;

    if (result != value)
        *is_exact = false;
    return result;
}

static struct poly *new_poly(struct arith *arith, struct ir_dtype dtype, const struct term *terms,
                             unsigned count, bool is_exact)
{
    struct poly *p = arith_scratch(arith, sizeof(*p), 1);

    arith->has_wrapped |= !is_exact;
    *p = (struct poly){.dtype = dtype, .is_exact = is_exact, .count = count, .terms = terms};
    return p;
}

const struct poly *poly_term(struct arith *arith, struct ir_dtype dtype, const struct term *term)
{
    struct term *copy = arith_scratch(arith, sizeof(*copy), 1);
    bool is_exact = true;

    *copy = *term;
    copy->coefficient = wrap(dtype, term->coefficient, &is_exact);
    return new_poly(arith, dtype, copy, copy->coefficient != 0, is_exact);
}

const struct poly *poly_constant(struct arith *arith, struct ir_dtype dtype, int64_t value)
{
    bool is_exact = dtype.code != IR_UINT || value >= 0; /* a uint64 literal over 2^63 */
    struct poly *p = NULL;

    struct term *term = arith_scratch(arith, sizeof(*term), 1);
    *term = (struct term){.coefficient = wrap(dtype, value, &is_exact)};
    p = new_poly(arith, dtype, term, term->coefficient != 0, is_exact);
    return p;
}

const struct poly *poly_atom(struct arith *arith, const struct ir_expr *atom)
{
    const struct ir_expr **atoms = arith_scratch(arith, sizeof(*atoms), 1);

    atoms[0] = atom;
    return poly_term(arith, atom->dtype,
                     &(struct term){.coefficient = 1, .degree = 1, .atoms = atoms});
}

const struct poly *poly_add(struct arith *arith, const struct poly *p, const struct poly *q,
                            int64_t scale)
{
    unsigned room = p->count + q->count;
    unsigned count = 0;
    bool is_exact = p->is_exact && q->is_exact;

    assert(ir_dtype_equal(p->dtype, q->dtype));
    if (!arith_spend(arith, room + 1))
        return NULL;
    struct term *terms = arith_scratch(arith, sizeof(*terms), room ? room : 1);
    for (unsigned i = 0, j = 0; i < p->count || j < q->count;) {
        int order = i == p->count   ? 1
                    : j == q->count ? -1
                                    : compare_terms(&p->terms[i], &q->terms[j]);
        __int128 coefficient = 0;
        bool is_same = order == 0 && same_atoms(&p->terms[i], &q->terms[j]);

        terms[count] = order <= 0 ? p->terms[i] : q->terms[j];
        if (order <= 0)
            coefficient += p->terms[i++].coefficient;
        if (order > 0 || is_same)
            coefficient += (__int128)scale * q->terms[j++].coefficient;
        terms[count].coefficient = wrap(p->dtype, coefficient, &is_exact);
        count += terms[count].coefficient != 0;
    }
    if (count > ARITH_TERM_LIMIT)
        return NULL;
    return new_poly(arith, p->dtype, terms, count, is_exact);
}

const struct poly *poly_scale(struct arith *arith, const struct poly *p, int64_t scale)
{
    const struct poly *zero = new_poly(arith, p->dtype, NULL, 0, true);

    return poly_add(arith, zero, p, scale);
}

/* The product of two terms without their coefficients; false past the limit. */
static bool multiply_atoms(struct arith *arith, const struct term *a, const struct term *b,
                           struct term *out_term)
{
    unsigned degree = a->degree + b->degree;
    const struct ir_expr **atoms = arith_scratch(arith, sizeof(*atoms), degree ? degree : 1);

    if (degree > ARITH_DEGREE_LIMIT)
        return false;
    for (unsigned i = 0, j = 0; i + j < degree;) {
        bool take_a =
            j == b->degree || (i < a->degree && arith_compare(a->atoms[i], b->atoms[j]) <= 0);
        atoms[i + j] = take_a ? a->atoms[i] : b->atoms[j];
        i += take_a;
        j += !take_a;
    }
    out_term->atoms = atoms;
    out_term->degree = degree;
    return true;
}

/* @p times one term. */
static const struct poly *multiply_term(struct arith *arith, const struct poly *p,
                                        const struct term *factor)
{
    const struct poly *result = new_poly(arith, p->dtype, NULL, 0, p->is_exact);

    for (unsigned i = 0; i < p->count && result; i++) {
        struct term term;
        if (!arith_spend(arith, 1) || !multiply_atoms(arith, &p->terms[i], factor, &term))
            return NULL;
        bool is_exact = true;
        term.coefficient =
            wrap(p->dtype, (__int128)p->terms[i].coefficient * factor->coefficient, &is_exact);
        struct poly *product = new_poly(arith, p->dtype, &term, term.coefficient != 0, is_exact);
        result = poly_add(arith, result, product, 1);
    }
    return result;
}

bool poly_as_term(struct arith *arith, const struct poly *p, struct term *out_term)
{
    uint64_t content = 0;

    if (p->count == 0 || !p->is_exact)
        return false;
    if (p->count == 1) {
        *out_term = p->terms[0];
        return true;
    }
    for (unsigned i = 0; i < p->count; i++)
        content = number_gcd(content, number_magnitude(p->terms[i].coefficient));
    if (content == 0 || content > INT64_MAX)
        return false;
    int64_t factor = p->terms[0].coefficient < 0 ? -(int64_t)content : (int64_t)content;
    struct term *terms = arith_scratch(arith, sizeof(*terms), p->count);
    for (unsigned i = 0; i < p->count; i++) {
        terms[i] = p->terms[i];
        if (terms[i].coefficient == INT64_MIN)
            return false;
        terms[i].coefficient /= factor;
    }
    const struct ir_expr **atoms = arith_scratch(arith, sizeof(*atoms), 1);
    atoms[0] = poly_to_expr(arith, new_poly(arith, p->dtype, terms, p->count, true));
    *out_term = (struct term){.coefficient = factor, .degree = 1, .atoms = atoms};
    return true;
}

const struct poly *poly_multiply(struct arith *arith, const struct poly *p, const struct poly *q)
{
    struct term p_term;
    struct term q_term;
    struct term product;
    int64_t value;

    if (poly_is_constant(p, &value) && p->is_exact)
        return poly_scale(arith, q, value);
    if (poly_is_constant(q, &value) && q->is_exact)
        return poly_scale(arith, p, value);
    if (!arith->expand && (p->count > 1 || q->count > 1)) {
        arith->has_rest = true;
        if (poly_as_term(arith, p, &p_term) && poly_as_term(arith, q, &q_term) &&
            multiply_atoms(arith, &p_term, &q_term, &product)) {
            bool is_exact = true;
            product.coefficient =
                wrap(p->dtype, (__int128)p_term.coefficient * q_term.coefficient, &is_exact);
            if (is_exact)
                return poly_term(arith, p->dtype, &product);
        }
    }
    const struct poly *sum = new_poly(arith, p->dtype, NULL, 0, p->is_exact && q->is_exact);
    for (unsigned i = 0; i < q->count && sum; i++) {
        const struct poly *part = multiply_term(arith, p, &q->terms[i]);
        sum = part ? poly_add(arith, sum, part, 1) : NULL;
    }
    return sum;
}

bool poly_is_constant(const struct poly *p, int64_t *out_value)
{
    if (p->count > 1 || (p->count == 1 && p->terms[0].degree > 0))
        return false;
    *out_value = p->count ? p->terms[0].coefficient : 0;
    return true;
}

int64_t poly_constant_term(const struct poly *p)
{
    if (p->count == 0 || p->terms[p->count - 1].degree > 0)
        return 0;
    return p->terms[p->count - 1].coefficient;
}

const struct ir_expr *poly_single_atom(const struct poly *p)
{
    if (p->count != 1 || p->terms[0].degree != 1 || p->terms[0].coefficient != 1)
        return NULL;
    return p->terms[0].atoms[0];
}

bool poly_equal(const struct poly *p, const struct poly *q)
{
    if (p->count != q->count)
        return false;
    for (unsigned i = 0; i < p->count; i++) {
        if (p->terms[i].coefficient != q->terms[i].coefficient ||
            !same_atoms(&p->terms[i], &q->terms[i]))
            return false;
    }
    return true;
}

static const struct ir_expr *join(struct arith *arith, enum ir_expr_kind kind,
                                  const struct ir_expr *a, const struct ir_expr *b)
{
    return a ? ir_expr_binary(arith->context, kind, a, b) : b;
}

/* The term with @coefficient in place of its own. */
static const struct ir_expr *term_to_expr(struct arith *arith, struct ir_dtype dtype,
                                          const struct term *term, int64_t coefficient)
{
    const struct ir_expr *product = NULL;

    for (unsigned i = 0; i < term->degree; i++)
        product = join(arith, IR_EXPR_mul, product, term->atoms[i]);
    if (product && coefficient == 1)
        return product;
    return join(arith, IR_EXPR_mul, product, ir_expr_int(arith->context, dtype, coefficient));
}

/* True for terms that read better as something subtracted. */
static bool is_negative(const struct term *term)
{
    return term->coefficient < 0 && term->coefficient != INT64_MIN;
}

/*
 * The sum as one writes it: what is added, then what is subtracted, the constant last; a positive
 * constant comes first where it saves a negative factor, as in `4 - n`.
 */
const struct ir_expr *poly_to_expr(struct arith *arith, const struct poly *p)
{
    const struct ir_expr *sum = NULL;
    unsigned count = p->count;
    const struct term *constant = NULL;

    if (count > 0 && p->terms[count - 1].degree == 0)
        constant = &p->terms[--count];
    for (unsigned i = 0; i < count; i++) {
        const struct term *t = &p->terms[i];
        if (!is_negative(t))
            sum = join(arith, IR_EXPR_add, sum, term_to_expr(arith, p->dtype, t, t->coefficient));
    }
    if (!sum && constant && !is_negative(constant)) {
        sum = ir_expr_int(arith->context, p->dtype, constant->coefficient);
        constant = NULL;
    }
    for (unsigned i = 0; i < count; i++) {
        const struct term *t = &p->terms[i];
        if (!is_negative(t))
            continue;
        int64_t shown = sum ? -t->coefficient : t->coefficient;
        sum = join(arith, IR_EXPR_sub, sum, term_to_expr(arith, p->dtype, t, shown));
    }
    if (constant) {
        bool subtract = sum && is_negative(constant);
        int64_t shown = subtract ? -constant->coefficient : constant->coefficient;
        sum = join(arith, subtract ? IR_EXPR_sub : IR_EXPR_add, sum,
                   ir_expr_int(arith->context, p->dtype, shown));
    }
    return sum ? sum : ir_expr_int(arith->context, p->dtype, 0);
}
