/*
 * Canonical forms: from expressions to polynomials and back.
 *
 * What is no sum or product of its operands becomes an atom: the same node over canonical operands.
 */
#include "ir/arith/internal.h"

#include <string.h>

static bool is_branch(const struct ir_expr *a)
{
    return a->kind == IR_EXPR_select || (a->kind == IR_EXPR_call && a->operand_count == 3 &&
                                         strcmp(a->name, "if_then_else") == 0);
}

/* The branch that is taken, if that is known; else @a. */
static const struct ir_expr *fold_branch(const struct ir_expr *a)
{
    const struct ir_expr *condition = a->operands[0];

    if (condition->kind == IR_EXPR_int)
        return a->operands[condition->int_value ? 1 : 2];
    return ir_expr_equal(a->operands[1], a->operands[2]) ? a->operands[1] : a;
}

/* @a over simplified operands. */
static const struct ir_expr *rebuild(struct arith *arith, const struct ir_expr *a)
{
    const struct ir_expr *small[8];
    const struct ir_expr **operands = small;
    bool changed = false;

    if (a->operand_count > ARRAY_SIZE(small))
        operands = arena_array(&arith->arena, const struct ir_expr *, a->operand_count);
    for (unsigned i = 0; i < a->operand_count; i++) {
        operands[i] = arith_simplify(arith, a->operands[i]);
        changed |= operands[i] != a->operands[i];
    }
    if (changed)
        a = ir_expr_with_operands(arith->context, a, operands, a->operand_count);
    return is_branch(a) ? fold_branch(a) : a;
}

static const struct poly *atom_of(struct arith *arith, const struct ir_expr *a)
{
    if (a->kind == IR_EXPR_int)
        return poly_constant(arith, a->dtype, a->int_value);
    return poly_atom(arith, a);
}

/* The atom @kind over canonical operands. */
static const struct poly *binary_atom(struct arith *arith, enum ir_expr_kind kind,
                                      const struct poly *x, const struct poly *y)
{
    return poly_atom(arith, ir_expr_binary(arith->context, kind, poly_to_expr(arith, x),
                                           poly_to_expr(arith, y)));
}

/* The value where both are literals; NULL if not, or where there is none. */
static const struct poly *fold_literals(struct arith *arith, enum ir_expr_kind kind,
                                        const struct poly *x, const struct poly *y)
{
    const struct ir_expr *a = poly_to_expr(arith, x);
    const struct ir_expr *b = poly_to_expr(arith, y);
    int64_t value;

    if (a->kind != IR_EXPR_int || b->kind != IR_EXPR_int ||
        !arith_fold(kind, x->dtype, a->int_value, b->int_value, &value))
        return NULL;
    return atom_of(arith, ir_expr_int(arith->context, x->dtype, value));
}

static bool is_literal(const struct poly *p)
{
    int64_t value;

    return poly_is_constant(p, &value);
}

static const struct poly *canon_division(struct arith *arith, enum ir_expr_kind kind,
                                         const struct poly *x, const struct poly *y)
{
    const struct poly *result = NULL;

    if (is_literal(x) && is_literal(y))
        result = fold_literals(arith, kind, x, y);
    if (result)
        return result;
    if (kind == IR_EXPR_div || kind == IR_EXPR_mod) {
        /* Truncating and rounding down agree where nothing is negative. */
        if (!arith_is_safe(arith, x) || arith_poly_interval(arith, x).low < 0 ||
            !arith_is_safe(arith, y) || arith_poly_interval(arith, y).low < 1)
            return binary_atom(arith, kind, x, y);
        kind = kind == IR_EXPR_div ? IR_EXPR_floordiv : IR_EXPR_floormod;
    }
    result = kind == IR_EXPR_floordiv ? arith_floordiv(arith, x, y) : arith_floormod(arith, x, y);
    return result ? result : binary_atom(arith, kind, x, y);
}

/* min(min(x, 3), 8) and the like: the two literals as one. */
static const struct poly *fold_nested_minmax(struct arith *arith, enum ir_expr_kind kind,
                                             const struct poly *x, const struct poly *y)
{
    const struct ir_expr *inner = poly_single_atom(x);

    if (!inner || inner->kind != kind || !is_literal(y) || inner->operands[1]->kind != IR_EXPR_int)
        return NULL;
    const struct poly *literal = fold_literals(arith, kind, atom_of(arith, inner->operands[1]), y);
    return literal ? binary_atom(arith, kind, arith_canon(arith, inner->operands[0]), literal)
                   : NULL;
}

static const struct poly *canon_minmax(struct arith *arith, enum ir_expr_kind kind,
                                       const struct poly *x, const struct poly *y)
{
    const struct poly *result = NULL;

    if (is_literal(x) && is_literal(y))
        result = fold_literals(arith, kind, x, y);
    if (result || poly_equal(x, y))
        return result ? result : x;
    const struct poly *d = poly_add(arith, x, y, -1);
    if (d && d->is_exact && arith_is_safe(arith, x) && arith_is_safe(arith, y)) {
        struct interval difference = arith_poly_interval(arith, d);
        if (difference.low >= 0)
            return kind == IR_EXPR_max ? x : y;
        if (difference.high <= 0)
            return kind == IR_EXPR_max ? y : x;
    }
    bool swap = is_literal(x) || (!is_literal(y) && arith_compare(poly_to_expr(arith, x),
                                                                  poly_to_expr(arith, y)) > 0);
    const struct poly *first = swap ? y : x;
    const struct poly *second = swap ? x : y;
    result = fold_nested_minmax(arith, kind, first, second);
    return result ? result : binary_atom(arith, kind, first, second);
}

/* A conversion of one value: through another conversion where that loses nothing. */
static const struct ir_expr *cast_atom(struct arith *arith, struct ir_dtype dtype,
                                       const struct ir_expr *atom)
{
    while (atom->kind == IR_EXPR_cast && arith_is_integral(atom->dtype) &&
           arith_is_integral(atom->operands[0]->dtype)) {
        const struct ir_expr *inner = atom->operands[0];
        struct interval value = arith_interval(arith, inner);
        struct interval limits = arith_dtype_interval(atom->dtype);
        bool keeps_value = value.low >= limits.low && value.high <= limits.high;

        if (dtype.bits > atom->dtype.bits && !keeps_value)
            break;
        atom = inner;
    }
    return ir_expr_cast(arith->context, dtype, atom);
}

/*
 * A conversion of a sum is the sum of the conversions where it narrows (the ring of the narrow type is
 * an image of the wide one's), and where it widens a sum that did not wrap.
 */
static const struct poly *canon_cast(struct arith *arith, const struct ir_expr *a)
{
    const struct ir_expr *operand = a->operands[0];

    if (!arith_is_integral(operand->dtype)) {
        operand = arith_simplify(arith, operand);
        return atom_of(arith, ir_expr_cast(arith->context, a->dtype, operand));
    }
    const struct poly *p = arith_canon(arith, operand);
    if (!p)
        return NULL;
    bool narrows = a->dtype.bits <= operand->dtype.bits;
    bool is_one =
        p->count <= 1 && (p->count == 0 || p->terms[0].degree == 0 || poly_single_atom(p));
    arith->has_rest |= !is_one;
    if ((!narrows && !arith_is_safe(arith, p)) || (!arith->expand && !is_one))
        return atom_of(arith, cast_atom(arith, a->dtype, poly_to_expr(arith, p)));
    const struct poly *sum = poly_constant(arith, a->dtype, 0);
    for (unsigned i = 0; i < p->count && sum; i++) {
        const struct poly *product = poly_constant(arith, a->dtype, p->terms[i].coefficient);
        for (unsigned j = 0; j < p->terms[i].degree && product; j++)
            product = poly_multiply(
                arith, product, atom_of(arith, cast_atom(arith, a->dtype, p->terms[i].atoms[j])));
        sum = product ? poly_add(arith, sum, product, 1) : NULL;
    }
    return sum;
}

/*
 * (x // c) * c + x % c is x: for each floormod term the floordiv term that belongs to it is looked for
 * by dividing what the floormod is of.
 */
static const struct poly *recombine(struct arith *arith, const struct poly *p)
{
    for (unsigned i = 0; i < p->count; i++) {
        const struct term *t = &p->terms[i];
        const struct ir_expr *mod = t->degree == 1 ? t->atoms[0] : NULL;

        if (!mod || mod->kind != IR_EXPR_floormod)
            continue;
        const struct poly *x = arith_canon(arith, mod->operands[0]);
        const struct poly *c = arith_canon(arith, mod->operands[1]);
        const struct poly *div = x && c ? arith_floordiv(arith, x, c) : NULL;
        const struct poly *scaled = div ? poly_multiply(arith, div, c) : NULL;
        if (!scaled || scaled->count != 1 || scaled->terms[0].degree == 0)
            continue;
        /* Is k * (x // c) * c in the sum, for the k of k * (x % c)? */
        const struct poly *wanted = poly_scale(arith, scaled, t->coefficient);
        const struct poly *rest = wanted ? poly_add(arith, p, wanted, -1) : NULL;
        if (!rest || rest->count != p->count - 1)
            continue;
        rest = poly_add(arith, rest, poly_term(arith, p->dtype, t), -1);
        rest = rest ? poly_add(arith, rest, x, t->coefficient) : NULL;
        return rest ? recombine(arith, rest) : p;
    }
    return p;
}

static const struct poly *canon_binary(struct arith *arith, const struct ir_expr *a)
{
    const struct poly *x = arith_canon(arith, a->operands[0]);
    const struct poly *y = arith_canon(arith, a->operands[1]);
    const struct poly *result = NULL;

    if (!x || !y)
        return NULL;
    switch (a->kind) {
    case IR_EXPR_add:
    case IR_EXPR_sub:
        result = poly_add(arith, x, y, a->kind == IR_EXPR_add ? 1 : -1);
        return result && !arith->expand ? recombine(arith, result) : result;
    case IR_EXPR_mul:
        return poly_multiply(arith, x, y);
    case IR_EXPR_div:
    case IR_EXPR_mod:
    case IR_EXPR_floordiv:
    case IR_EXPR_floormod:
        return canon_division(arith, a->kind, x, y);
    case IR_EXPR_min:
    case IR_EXPR_max:
        return canon_minmax(arith, a->kind, x, y);
    default:
        return NULL;
    }
}

const struct poly *arith_canon(struct arith *arith, const struct ir_expr *a)
{
    const struct poly *result = NULL;

    if (a->kind == IR_EXPR_int)
        return poly_constant(arith, a->dtype, a->int_value);
    if (arith->fuel == 0 || a->kind == IR_EXPR_var)
        return poly_atom(arith, a);
    arith->fuel--;
    if (ir_expr_is_binary(a->kind))
        result = canon_binary(arith, a);
    else if (a->kind == IR_EXPR_cast)
        result = canon_cast(arith, a);
    if (result)
        return result;
    const struct ir_expr *atom = rebuild(arith, a);
    if (atom != a &&
        (atom->kind == IR_EXPR_add || atom->kind == IR_EXPR_sub || atom->kind == IR_EXPR_mul) &&
        is_branch(a))
        return arith_canon(arith, atom); /* a branch that was taken */
    return atom_of(arith, atom);
}

const struct ir_expr *arith_simplify(struct arith *arith, const struct ir_expr *a)
{
    const struct ir_expr *result = a;

    if (a->kind == IR_EXPR_var || a->kind == IR_EXPR_int)
        return a;
    if (arith_is_integral(a->dtype)) {
        const struct poly *p = arith_canon(arith, a);
        result = p ? poly_to_expr(arith, p) : a;
    } else if (ir_dtype_is_bool(a->dtype) && a->dtype.lanes == 1 && !is_branch(a) &&
               a->kind != IR_EXPR_load && a->kind != IR_EXPR_call && a->kind != IR_EXPR_let) {
        result = arith_simplify_bool(arith, a);
    } else {
        result = rebuild(arith, a);
    }
    return ir_expr_equal(result, a) ? a : result;
}
