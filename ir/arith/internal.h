/* What the files of the arithmetic share: polynomials over atoms, and intervals. */
#pragma once

#include "ir/arith.h"
#include "ir/module.h"

/*
 * Limits: beyond them an expression counts as opaque.  They bound the cost of one call; shapes and
 * indices of real programs stay far below.
 */
enum {
    ARITH_SIZE_LIMIT = 4096, /* nodes of an expression */
    ARITH_DEPTH_LIMIT = 512, /* and its depth: the recursion of these files */
    ARITH_TERM_LIMIT = 256,  /* terms of a sum */
    ARITH_DEGREE_LIMIT = 24, /* atoms of a product */
    ARITH_FUEL = 100000,     /* steps of one call */
    ARITH_PROOF_STEPS = 48,  /* eliminations of one proof */
};

/* coefficient * atoms[0] * atoms[1] * ...; the constant term has no atoms. */
struct term {
    int64_t coefficient;
    unsigned degree;
    const struct ir_expr *const *atoms; /* in the order of arith_compare() */
};

/* Sorted terms, none zero: by degree downwards, then by atoms, so that the constant comes last. */
struct poly {
    struct ir_dtype dtype;
    bool is_exact; /* coefficients are the mathematical ones: none was wrapped to the dtype */
    unsigned count;
    const struct term *terms;
};

/* One call: its scratch memory and its limits. */
struct arith {
    struct ir_context *context;
    const struct ir_ranges *ranges;
    /*
     * In the form for proofs products of sums are multiplied out and floormod is written with floordiv,
     * which makes more equal things look equal; otherwise the form is the one that reads best.
     */
    bool expand;
    bool has_rest;    /* expanding might give another result */
    bool has_wrapped; /* some coefficient is not the mathematical one */
    unsigned fuel;
    unsigned range_depth; /* ranges being looked up: cyclic ones must not hang */
    unsigned depth;       /* of arith_interval(), through ranges too */
    struct map intervals; /* of larger expressions that arith_interval() met, in scratch memory */
    size_t used;
    struct arena arena; /* once the buffer is full */
    _Alignas(16) char buffer[8192];
};

void arith_init(struct arith *arith, struct ir_context *context, const struct ir_ranges *ranges,
                bool expand);
void arith_finish(struct arith *arith);

bool arith_spend(struct arith *arith, unsigned steps);               /* false: none are left */
void *arith_scratch(struct arith *arith, size_t size, size_t count); /* not zeroed */
bool arith_is_integral(struct ir_dtype dtype); /* a scalar integer; not bool */

/* A total order that depends on no address; 0 also for loads of different buffers of one name. */
int arith_compare(const struct ir_expr *a, const struct ir_expr *b);

/* Polynomials: NULL where a limit is exceeded. */
const struct poly *poly_constant(struct arith *arith, struct ir_dtype dtype, int64_t value);
const struct poly *poly_atom(struct arith *arith, const struct ir_expr *atom);
const struct poly *poly_term(struct arith *arith, struct ir_dtype dtype, const struct term *term);
/* p + scale * q */
const struct poly *poly_add(struct arith *arith, const struct poly *p, const struct poly *q,
                            int64_t scale);
const struct poly *poly_scale(struct arith *arith, const struct poly *p, int64_t scale);
const struct poly *poly_multiply(struct arith *arith, const struct poly *p, const struct poly *q);
bool poly_is_constant(const struct poly *p, int64_t *out_value);
int64_t poly_constant_term(const struct poly *p);
/* The atom, if @p is just that. */
const struct ir_expr *poly_single_atom(const struct poly *p);
bool poly_equal(const struct poly *p, const struct poly *q);
/* @p = content * primitive, as one term: the sum itself becomes an atom where it has several terms. */
bool poly_as_term(struct arith *arith, const struct poly *p, struct term *out_term);
const struct ir_expr *poly_to_expr(struct arith *arith, const struct poly *p);

/* Canonical forms of expressions. */
const struct poly *arith_canon(struct arith *arith, const struct ir_expr *a); /* integral */
const struct ir_expr *arith_simplify(struct arith *arith, const struct ir_expr *a);
const struct ir_expr *arith_simplify_bool(struct arith *arith, const struct ir_expr *a);

/* p // d and p % d; NULL if there is no rule, or none may be used. */
const struct poly *arith_floordiv(struct arith *arith, const struct poly *p, const struct poly *d);
const struct poly *arith_floormod(struct arith *arith, const struct poly *p, const struct poly *d);

/* The value of @kind for two literals of @dtype; false where it has none (division by zero). */
bool arith_fold(enum ir_expr_kind kind, struct ir_dtype dtype, int64_t a, int64_t b,
                int64_t *out_value);

/* Bounds as mathematical integers; ARITH_INFINITY stands for "as large as sizes get". */
struct interval {
    __int128 low, high;
    bool is_index; /* index arithmetic: assumed not to wrap */
};
#define ARITH_INFINITY ((__int128)1 << 100)
/* Literals of index arithmetic: beyond, nothing is assumed. */
#define ARITH_INDEX_LIMIT ((int64_t)1 << 48)

struct interval arith_dtype_interval(struct ir_dtype dtype);
struct interval arith_interval(struct arith *arith, const struct ir_expr *a);
/* Of the mathematical value of @p. */
struct interval arith_poly_interval(struct arith *arith, const struct poly *p);
/* True if the value that a machine computes for @p is the mathematical one. */
bool arith_is_safe(struct arith *arith, const struct poly *p);

/* True if @p >= 0 for every value of the variables, mathematically. */
bool arith_prove_nonnegative(struct arith *arith, const struct poly *p);
