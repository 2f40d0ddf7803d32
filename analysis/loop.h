/*
 * Loops: what their iterations do to each other.
 *
 * An iteration depends on another one if both touch the same element and one of them writes it.  The
 * test compares every two accesses of a buffer: in some dimension, or in some dimensions taken together
 * in row-major order, the index must be c * var + rest with rests that differ by less than c, so that
 * no two values of var meet.  (Each access is checked against the extents of its buffer, so indices are
 * in bounds wherever they are used.)  What cannot be read off the loops counts as a dependence: "no"
 * means "not proved".  Works on kernels with blocks and on plain loops.  Statements that are not (yet)
 * in the kernel may be asked about, if they use no rectangle that a block around them matched.
 */
#pragma once

#include "ir/arith.h"
#include "ir/module.h"

/*
 * May the iterations of @loop, a loop of @func, run in any order or at the same time, with the result
 * of running them one after the other?  Buffers allocated in the loop belong to an iteration.
 *
 * @may_overlap: [i * param_count + j] says that the parameters i and j may be one storage; NULL: all
 * are distinct, as they are in calls but for in-place ones.
 */
bool loop_is_independent(const struct tir_func *func, const struct tir_stmt *loop,
                         const bool *may_overlap);

/* Does no iteration of @loop touch an element of @buffer, an allocated one, that another writes? */
bool loop_has_private(const struct tir_func *func, const struct tir_stmt *loop,
                      const struct ir_buffer *buffer);

/*
 * May the bodies of @first and @second, neighbouring loops of @func over equal ranges, run in one loop,
 * with the result of running one loop after the other?  True where no iteration of @second touches what
 * a later iteration of @first does, if one of them writes.
 */
bool loop_can_fuse(const struct tir_func *func, const struct tir_stmt *first,
                   const struct tir_stmt *second);

/*
 * loop_can_fuse, and does no iteration of @second touch what any other one of @first does, if one of them
 * writes?  Then the one loop is independent if both are.
 */
bool loop_can_fuse_independently(const struct tir_func *func, const struct tir_stmt *first,
                                 const struct tir_stmt *second);

/* Has @loop few enough different accesses for the tests above to look at them? */
bool loop_has_few_accesses(const struct tir_func *func, const struct tir_stmt *loop);

/* Do the loops @first and @second count over the same values for certain? */
bool loop_have_same_range(struct ir_context *context, const struct tir_stmt *first,
                          const struct tir_stmt *second);

/* May the neighbouring statements @first and @second of @func change places, or run at the same time? */
bool loop_can_swap(const struct tir_func *func, const struct tir_stmt *first,
                   const struct tir_stmt *second);

/*
 * Do the stores @first and @second of @func, to one buffer, never write the same element, in all that the
 * loops around them run?  Of one store: is no element written twice?  Only where nothing but loops,
 * sequences, branches and blocks is around them.
 */
bool loop_stores_are_apart(const struct tir_func *func, const struct tir_stmt *first,
                           const struct tir_stmt *second);

/*
 * By how many elements the place of @buffer[@indices] moves when @var grows by one; false if that is no
 * known number: 1 is contiguous, 0 the same element.  Variables that depend on @var (lets, axes of
 * blocks) must have been replaced.
 */
bool loop_stride(struct ir_context *context, const struct ir_buffer *buffer,
                 const struct ir_expr *const *indices, unsigned count, const struct ir_var *var,
                 int64_t *out_stride);

/* An expression whose value does not depend on when it is evaluated: no element, no call. */
bool loop_is_fixed(const struct ir_expr *a);

/* Calls of intrinsics that compute a value from values and do nothing else: T.exp, T.if_then_else. */
bool loop_call_is_pure(const struct ir_expr *call);

/*
 * Does the machine compute for @a, an integer expression under @ranges, the number that mathematics
 * says: no operation wraps, no divisor is 0 or negative?  Then rules of integers may be used on it.
 */
bool loop_index_is_exact(struct ir_context *context, const struct ir_ranges *ranges,
                         const struct ir_expr *a);

/* The same; also where all parts are sums and products of what is not negative, with @a < @extent. */
bool loop_index_is_exact_below(struct ir_context *context, const struct ir_ranges *ranges,
                               const struct ir_expr *a, const struct ir_expr *extent);

/* Is @buffer[@indices] inside of @buffer's extents for certain, so that the access cannot fail? */
bool loop_access_is_inside(struct ir_context *context, const struct ir_ranges *ranges,
                           const struct ir_buffer *buffer, const struct ir_expr *const *indices,
                           unsigned count);
/* Can @a be evaluated anywhere under @ranges: no effect, and no access that may be out of bounds? */
bool loop_expr_cannot_fail(struct ir_context *context, const struct ir_ranges *ranges,
                           const struct ir_expr *a);
