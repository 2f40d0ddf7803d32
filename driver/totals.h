/*
 * Sums over in-place decisions: what is saved, what is missed, and why.
 *
 * Sizes are expressions in the symbols of shapes; `--dim` makes numbers of them.  Symbols of one name are
 * one symbol here, whatever functions they belong to: sums are for readers.
 */
#pragma once

#include "analysis/inplace.h"
#include "base/text.h"
#include "driver/options.h"

/* Sizes of decisions; zeroed but for what sizes_init() sets. */
struct sizes {
    struct ir_context *context;
    const struct driver_options *options; /* their dims */
    struct ir_bindings known;             /* symbols that were met, with their numbers or names */
    array(const struct ir_var *) symbols; /* the first of each name */
};

void sizes_init(struct sizes *sizes, struct ir_context *context,
                const struct driver_options *options);
void sizes_finish(struct sizes *sizes);
/* @expr with the numbers of --dim, and one symbol for each name. */
const struct ir_expr *sizes_apply(struct sizes *sizes, const struct ir_expr *expr);

/* A sum of bytes; a zeroed one is 0. */
struct byte_sum {
    int64_t known;              /* saturates */
    const struct ir_expr *open; /* what has symbols; NULL: nothing */
    unsigned unknown;           /* how many have no size at all */
};

void byte_sum_add(struct sizes *sizes, struct byte_sum *sum,
                  const struct inplace_decision *decision);
void byte_sum_add_sum(struct sizes *sizes, struct byte_sum *sum, const struct byte_sum *other);
/* @a - @b, of which neither has unknown parts that the other has not. */
struct byte_sum byte_sum_minus(struct sizes *sizes, const struct byte_sum *a,
                               const struct byte_sum *b);
/* For the order of sums only: symbols count as large. */
int64_t byte_sum_rank(struct sizes *sizes, const struct byte_sum *sum);
/* "16", "n * 4 + 16", "n * 4 + ?". */
void byte_sum_put(struct sizes *sizes, const struct byte_sum *sum, struct text *out);
/* The same as JSON: a number, or a text. */
void byte_sum_put_json(struct sizes *sizes, const struct byte_sum *sum, struct text *out);

/* Does @decision save a copy or storage: in place, a view, or written where it would be copied to? */
bool totals_is_saved(const struct inplace_decision *decision);
/* Does @decision cost what it need not: a copy, or storage beside that of an operand of its type? */
bool totals_is_missed(const struct inplace_decision *decision);

struct totals_reason {
    enum inplace_code code;
    unsigned count;
    struct byte_sum bytes;
};

struct totals {
    unsigned counts[INPLACE_VERDICT_COUNT];
    unsigned asked, found; /* of those in place */
    unsigned missed;
    struct byte_sum saved, copied,
        fresh;                           /* of those in place; by copies; by storage of their own */
    array(struct totals_reason) reasons; /* of what is missed, most bytes first */
};

/* Of the decisions about @value (NULL: of all). */
void totals_make(struct totals *totals, struct sizes *sizes,
                 const struct inplace_decisions *decisions, const char *value);
void totals_finish(struct totals *totals);
struct byte_sum totals_missed(const struct totals *totals, struct sizes *sizes);

/* "in-place: 1, copy: 2" and what that is in bytes, or a sentence where there are none. */
void totals_put(const struct totals *totals, struct sizes *sizes, struct text *out);
/* Keys and values for a JSON object. */
void totals_put_json(const struct totals *totals, struct sizes *sizes, struct text *out);
