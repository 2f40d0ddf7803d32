/*
 * Within analysis/access/: formulas over integers, and isl to solve them.
 *
 * A formula is a tree of `and` and `or` over linear constraints.  Expressions become linear by new
 * variables: x // 8 is a variable q with 0 <= x - 8 * q <= 7, min(x, y) one that is either.  A term
 * that is no arithmetic is a variable of its own, so that the formula may have more solutions than
 * there are, never less; `is_exact` says whether it may.
 */
#pragma once

#include "analysis/access/relation_internal.h"

#include <isl/set.h>

/* constant + the sum of factor * variable; variables in ascending order. */
struct linear {
    int64_t constant;
    unsigned count;
    struct linear_term {
        unsigned var;
        int64_t factor;
    } *terms;
};

enum formula_kind { FORMULA_AT_LEAST_ZERO, FORMULA_ZERO, FORMULA_AND, FORMULA_OR };

struct formula {
    enum formula_kind kind;
    struct linear value; /* that is >= 0, or 0 */
    const struct formula *const *parts;
    unsigned count; /* of an empty `and`: true; of an empty `or`: false */
};

struct presburger_var {
    const struct ir_expr *expr;     /* what it stands for; NULL: for nothing that has a name */
    const struct access_side *side; /* whose it is; NULL: one value on all sides */
    bool is_defined;                /* by constraints, in terms of other variables */
};

struct presburger {
    struct access_relation *relation;
    struct arena arena;
    array(struct presburger_var) vars;
    array(const struct formula *) known; /* all of them hold */
    bool is_exact;                       /* nothing was left out so far */
    bool skips_assertions;               /* they are no conditions: who fails one ends the run */
};

void presburger_start(struct presburger *p, struct access_relation *relation);
void presburger_finish(struct presburger *p);

/* linear.c: arithmetic; false where a number does not fit. */
struct linear linear_constant(int64_t value);
bool linear_add(struct arena *arena, const struct linear *a, const struct linear *b, int64_t factor,
                struct linear *out); /* a + b * factor */
bool linear_scale(struct arena *arena, const struct linear *a, int64_t factor, struct linear *out);

/* presburger.c */

/* A new variable that stands for nothing that has a name. */
struct linear presburger_variable(struct presburger *p);

/* @a of @side; false if what the machine computes is not known to be a number that fits. */
bool presburger_value(struct presburger *p, const struct access_side *side, const struct ir_expr *a,
                      struct linear *out);
/* The iterations of @side hold: loops and guards. */
void presburger_add_frames(struct presburger *p, const struct access_side *side);
/* What is known of symbols and other terms; to be added last. */
void presburger_add_facts(struct presburger *p);
void presburger_add(struct presburger *p, const struct formula *formula);
/* a compared with b: NULL if a number does not fit */
const struct formula *presburger_compare(struct presburger *p, enum ir_expr_kind kind,
                                         const struct linear *a, const struct linear *b);
const struct formula *presburger_and(struct presburger *p, const struct formula *a,
                                     const struct formula *b);
const struct formula *presburger_or(struct presburger *p, const struct formula *a,
                                    const struct formula *b);

/* pairs.c */

/* Two accesses, in iterations as the relation's level and order say. */
struct access_pair {
    struct presburger formulas;
    struct access_side sides[2]; /* with the names of the text */
};
/* To the formulas, which are started: they run, in that order, and touch one element. */
void access_pair_add(struct access_pair *pair);

/* solve.c */

enum presburger_result { PRESBURGER_EMPTY, PRESBURGER_SOLUTION, PRESBURGER_UNKNOWN };
/* Has what is known, together with @more (or NULL), a solution? */
enum presburger_result presburger_solve(struct presburger *p, const struct formula *more);
/* All solutions, with a dimension for each variable; NULL: not known. */
isl_set *presburger_all(struct presburger *p);
isl_ctx *presburger_context(const struct presburger *p);
void presburger_free(struct isl_ctx *isl);
