/* Ranges of bytes of one root, and how two of them lie to each other. */
#pragma once

#include "base/array.h"
#include "ir/arith.h"

struct ir_type;

/* [low, high); numbers, or expressions where these are not NULL. */
struct extent {
    int64_t low, high;
    const struct ir_expr *low_expr, *high_expr;
    bool is_around; /* what is meant is somewhere in it: how far from other bytes is not known */
};

enum extent_relation {
    EXTENT_APART,
    EXTENT_SAME,
    EXTENT_WITHIN, /* the first in the second */
    EXTENT_AROUND, /* the second in the first */
    EXTENT_ACROSS, /* each has some of the other, both of numbers */
    EXTENT_UNKNOWN,
};

extern const struct extent extent_whole;    /* all bytes of a root, however many */
extern const struct extent extent_anywhere; /* somewhere in them */

struct extent extent_numbers(int64_t low, int64_t high);
/* [low, low + bytes) from expressions of int64, which become numbers where they are. */
struct extent extent_of(struct ir_context *context, const struct ir_expr *low,
                        const struct ir_expr *bytes);
bool extent_is_number(const struct extent *a);
bool extent_equal(const struct extent *a, const struct extent *b);
/* Somewhere in @a. */
struct extent extent_around(const struct extent *a);
/* @a as bytes that somebody has. */
struct extent extent_exact(const struct extent *a);
enum extent_relation extent_relation(struct ir_context *context, const struct extent *a,
                                     const struct extent *b);
/* Provably @a in @b. */
bool extent_is_within(struct ir_context *context, const struct extent *a, const struct extent *b);

/*
 * The parts of @a in front of and behind @b, which is within: [a.low, b.low) and [b.high, a.high).
 */
struct extent extent_before(const struct extent *a, const struct extent *b);
struct extent extent_behind(const struct extent *a, const struct extent *b);

/* What ends are multiples of: rows of one size, mostly. */
struct extent_unit {
    bool is_set;
    const struct ir_expr *expr; /* NULL: bytes */
};
/*
 * The ends of @a as multiples of @unit, which the first end sets that is not 0 or open; false if they are
 * multiples of something else.
 */
bool extent_in(struct extent_unit *unit, const struct extent *a, int64_t *out_low,
               int64_t *out_high);

/* Expressions of the ends; @high of a whole root is none. */
const struct ir_expr *extent_low(struct ir_context *context, const struct extent *a);
/* What a tensor of @type takes, or NULL. */
const struct ir_expr *extent_bytes(struct ir_context *context, const struct ir_type *type);
