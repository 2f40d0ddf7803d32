/*
 * Index arithmetic: where the machine computes what mathematics says, and how far an access moves.
 */
#pragma once

#include "ir/arith.h"
#include "ir/module.h"

/*
 * By how many elements the place of @buffer[@indices] moves when @var grows by one; false if that
 * is no known number: 1 is contiguous, 0 the same element.  Variables that depend on @var (lets,
 * axes of blocks) must have been replaced.
 */
bool index_stride(struct ir_context *context, const struct ir_buffer *buffer,
                  const struct ir_expr *const *indices, unsigned count, const struct ir_var *var,
                  int64_t *out_stride);

/* An expression whose value does not depend on when it is evaluated: no element, no call. */
bool index_is_fixed(const struct ir_expr *a);

/* Calls of intrinsics that compute a value from values and do nothing else: T.exp, T.if_then_else.
 */
bool index_call_is_pure(const struct ir_expr *call);

/*
 * Does the machine compute for @a, an integer expression under @ranges, the number that mathematics
 * says: no operation wraps, no divisor is 0 or negative?  Then rules of integers may be used on it.
 */
bool index_is_exact(struct ir_context *context, const struct ir_ranges *ranges,
                    const struct ir_expr *a);

/* The same; also where all parts are sums and products of what is not negative, with @a < @extent.
 */
bool index_is_exact_below(struct ir_context *context, const struct ir_ranges *ranges,
                          const struct ir_expr *a, const struct ir_expr *extent);

/* Is @buffer[@indices] inside of @buffer's extents for certain, so that the access cannot fail? */
bool index_is_inside(struct ir_context *context, const struct ir_ranges *ranges,
                     const struct ir_buffer *buffer, const struct ir_expr *const *indices,
                     unsigned count);
/* The same of one index and the extent of its axis. */
bool index_is_inside_extent(struct ir_context *context, const struct ir_ranges *ranges,
                            const struct ir_expr *index, const struct ir_expr *extent);
/* Can @a be evaluated anywhere under @ranges: no effect, and no access that may be out of bounds?
 */
bool index_cannot_fail(struct ir_context *context, const struct ir_ranges *ranges,
                       const struct ir_expr *a);
