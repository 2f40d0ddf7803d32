/*
 * Indices of kernels as polynomials over atoms, for vs_kernel_reads_first() alone.
 *
 * An atom is a loop, a quotient or remainder by a number of something that depends on loops, a
 * lane of a vector, or anything that is the same in all iterations.  Everything else is "not
 * known", NULL.
 */
#pragma once

#include "base/arena.h"
#include "base/array.h"
#include "ir/arith.h"

enum { POLY_DEGREE = 4 };

struct vs_poly_term {
    int64_t factor; /* never 0 */
    unsigned degree;
    unsigned atoms[POLY_DEGREE]; /* rising */
};

struct vs_poly {
    unsigned count;
    struct vs_poly_term terms[]; /* by their atoms */
};

enum vs_poly_kind {
    POLY_FIXED,     /* the same in all iterations */
    POLY_LOOP,      /* counts from low to high */
    POLY_LANE,      /* 0 to high, all at once */
    POLY_QUOTIENT,  /* inner // divisor */
    POLY_REMAINDER, /* inner % divisor */
};

struct vs_poly_atom {
    enum vs_poly_kind kind;
    bool is_natural;                  /* >= 0 */
    bool is_fixed;                    /* FIXED, or made of what is */
    const struct ir_expr *expr;       /* of FIXED */
    const void *loop;                 /* of LOOP: the statement */
    const struct vs_poly *low, *high; /* of LOOP and LANE, inclusive; NULL: not known */
    const struct vs_poly *inner;
    int64_t divisor;
};

struct vs_polys {
    struct ir_context *context;
    struct arena arena;
    array(struct vs_poly_atom) atoms;
};

const struct vs_poly *vs_poly_number(struct vs_polys *p, int64_t value);
const struct vs_poly *vs_poly_atom(struct vs_polys *p,
                                   const struct vs_poly_atom *atom); /* equal ones are one */
const struct vs_poly *vs_poly_of(struct vs_polys *p, unsigned atom);
/* NULL if an operand is, or where numbers get too large or terms too many. */
const struct vs_poly *vs_poly_add(struct vs_polys *p, const struct vs_poly *a,
                                  const struct vs_poly *b, int64_t factor); /* a + factor * b */
const struct vs_poly *vs_poly_multiply(struct vs_polys *p, const struct vs_poly *a,
                                       const struct vs_poly *b);
const struct vs_poly *vs_poly_divide(struct vs_polys *p, const struct vs_poly *a, int64_t divisor,
                                     bool is_remainder);
bool vs_poly_equal(const struct vs_poly *a, const struct vs_poly *b);
bool vs_poly_is_number(const struct vs_poly *a, int64_t *out);
/* Of the atoms in it, none moves with a loop. */
bool vs_poly_is_fixed(const struct vs_polys *p, const struct vs_poly *a);
/* Without loops: provably >= @least, for all that its atoms may be. */
bool vs_poly_is_least(const struct vs_polys *p, const struct vs_poly *a, int64_t least);
/* The largest or least value, as a polynomial without loops; NULL: not known. */
const struct vs_poly *vs_poly_bound(struct vs_polys *p, const struct vs_poly *a, bool is_high);
/*
 * @a = *@out_factor * @atom + *@out_rest with @atom nowhere in either; false if it is not of that
 * form.
 */
bool vs_poly_split(struct vs_polys *p, const struct vs_poly *a, unsigned atom,
                   const struct vs_poly **out_factor, const struct vs_poly **out_rest);
void vs_polys_finish(struct vs_polys *p);
