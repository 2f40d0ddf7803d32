/*
 * Where in a root a value lies, and whether two values share a byte of it.
 *
 * Ends are expressions of int64 over symbols, which are >= 0.  What is a multiple of one expression, such as
 * bytes 4 * n to 8 * n, is also kept as a pair of numbers, so that most pairs are compared by numbers; of
 * the rest ir/arith is asked for a proof, and what it cannot prove may share.
 */
#pragma once

#include "ir/arith.h"

#include <stdbool.h>
#include <stdint.h>

/* All zero: somewhere in the root, it is not known where. */
struct storage_region {
    const struct ir_expr *offset; /* of the first byte; NULL: not known */
    const struct ir_expr *bytes;  /* NULL: up to the end of the root */
    bool is_around;               /* the value lies somewhere within these bytes */
    bool has_span;                /* bytes low * unit to high * unit, high excluded */
    const struct ir_expr *unit;   /* NULL: 1 */
    int64_t low, high;
};

/* What begins at @offset and takes @bytes; either may be NULL. */
struct storage_region storage_region_at(struct ir_context *context, const struct ir_expr *offset,
                                        const struct ir_expr *bytes);
/* All of a root that has @bytes (may be NULL). */
struct storage_region storage_region_all(struct ir_context *context, const struct ir_expr *bytes);
/* The part of @within that begins @offset bytes behind its beginning. */
struct storage_region storage_region_part(struct ir_context *context,
                                          const struct storage_region *within,
                                          const struct ir_expr *offset,
                                          const struct ir_expr *bytes);
/* Somewhere in @within. */
struct storage_region storage_region_within(const struct storage_region *within);
/* Bytes that hold all of both. */
struct storage_region storage_region_join(struct ir_context *context,
                                          const struct storage_region *a,
                                          const struct storage_region *b);
/* The part @part of @within, where @part uses the symbols of @bindings and no others. */
struct storage_region storage_region_bound(struct ir_context *context,
                                           const struct storage_region *within,
                                           const struct storage_region *part,
                                           const struct ir_bindings *bindings);

/* The same ends, and known as well. */
bool storage_region_equal(const struct storage_region *a, const struct storage_region *b);
/* Provably the same bytes, from the first to the last. */
bool storage_region_is_same(struct ir_context *context, const struct storage_region *a,
                            const struct storage_region *b);
/* Provably not a byte in common. */
bool storage_region_is_apart(struct ir_context *context, const struct storage_region *a,
                             const struct storage_region *b);
/*
 * Where in @a the bytes begin and end that it has in common with @b; false if that is not known, or is all
 * of @a.
 */
bool storage_region_overlap(struct ir_context *context, const struct storage_region *a,
                            const struct storage_region *b, const struct ir_expr **out_low,
                            const struct ir_expr **out_high);
/* Does it take numbers only to compare the two? */
bool storage_region_is_easy(const struct storage_region *a, const struct storage_region *b);
