/*
 * Symbolic integer arithmetic: canonical form, simplification, bounds and proofs.
 *
 * The canonical form is a sum of products with integer coefficients over atoms (variables, loads,
 * floordiv, floormod, min, max and what else is opaque).  Symbols (is_symbol) are >= 0.
 *
 * What holds.  Sums and products are rewritten as in the ring of the dtype, where wrapping changes
 * nothing.  Rules that hold for mathematical integers only (floordiv, floormod, order) are used where
 * intervals prove that nothing wraps, and for index arithmetic: int64 expressions over symbols,
 * variables with a range and literals up to 2^48, of which it is assumed.  Who evaluates the dimensions
 * of a shape at run time checks that assumption.  "false" always means "could not prove".
 */
#pragma once

#include "ir/expr.h"

struct ir_ranges;

/* The same value, in canonical form: folded constants, collected terms, floordiv/floormod rules. */
const struct ir_expr *ir_simplify(struct ir_context *context, const struct ir_expr *a);
/* The same where variables are known to be in @ranges (may be NULL). */
const struct ir_expr *ir_simplify_in(struct ir_context *context, const struct ir_ranges *ranges,
                                     const struct ir_expr *a);

bool ir_prove_equal(struct ir_context *context, const struct ir_expr *a, const struct ir_expr *b);

/* Provably different for every value of the variables, such as 3 and 4, or n and n + 1. */
bool ir_prove_different(struct ir_context *context, const struct ir_expr *a,
                        const struct ir_expr *b);

/* The one value, of the one symbol that is in both, for which they are equal; false: there are others, or it is not seen. */
bool ir_only_size(struct ir_context *context, const struct ir_expr *a, const struct ir_expr *b,
                  const struct ir_var **out_var, int64_t *out_size);

/* a >= b, under @ranges (may be NULL). */
bool ir_prove_ge(struct ir_context *context, const struct ir_ranges *ranges,
                 const struct ir_expr *a, const struct ir_expr *b);

/* Inclusive interval; INT64_MIN / INT64_MAX mean unbounded. */
struct ir_interval {
    int64_t low, high;
};

/*
 * What is known of a variable: min <= var < min + extent, both expressions of the variable's dtype,
 * which use only variables of ranges before it.
 */
struct ir_range {
    const struct ir_var *var;
    const struct ir_expr *min, *extent;
};
struct ir_ranges {
    struct ir_range *items;
    size_t count, capacity; /* an array() */
};

struct ir_interval ir_interval_of(struct ir_context *context, const struct ir_ranges *ranges,
                                  const struct ir_expr *a);

/*
 * True if for certain nothing wraps in @a: every sum, difference, product and conversion between
 * integers fits its dtype.  What loads and calls are given does not count, only what they give.
 */
bool ir_fits_everywhere(struct ir_context *context, const struct ir_ranges *ranges,
                        const struct ir_expr *a);

/* The value if @a simplifies to an integer literal. */
bool ir_expr_constant(struct ir_context *context, const struct ir_expr *a, int64_t *out_value);

/* Coefficient of @var in @a if @a is (coefficient * var + rest) with @var nowhere in rest. */
bool ir_expr_linear(struct ir_context *context, const struct ir_expr *a, const struct ir_var *var,
                    int64_t *out_coefficient, const struct ir_expr **out_rest);
