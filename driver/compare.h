/* Values of runs: copied before, compared afterwards. */
#pragma once

#include "base/text.h"
#include "include/inlay/abi.h"

#include <stdbool.h>

/*
 * Deep copies of @count values, tensors and shapes in memory of their own; freed by values_free().  Storage
 * of tensor i has at least @rooms[i] bytes (may be NULL).
 */
struct inlay_value *values_copy(const struct inlay_value *values, size_t count,
                                const size_t *rooms);
/* Elements of @from into the tensor of @to, its copy; other values stay. */
void values_restore(struct inlay_value *to, const struct inlay_value *from);
void values_free(struct inlay_value *values, size_t count); /* accepts NULL */

/*
 * Are two lists of values the same to the last bit?  A NaN equals a NaN whatever its sign and payload,
 * which processors choose freely.  If not, @why says which value differs where.
 */
bool values_equal(const struct inlay_value *a, const struct inlay_value *b, size_t count,
                  struct text *why);

/*
 * Are @actual what @expected are, but for rounding?  Integers, booleans and shapes must be equal, NaN and
 * infinities stand in the same places.  Floats a and b may differ by t * (|a| + m), where m is the largest
 * finite magnitude in the tensor of a (sums of large numbers that cancel keep the error of the large
 * ones), and t is
 *
 *     float64 1e-12, float32 1e-5, float16 4e-3, bfloat16 3.2e-2 (four units in the last place)
 *
 * or @tolerance if that is not 0.  If not, @why says which value differs where and by how much.
 */
bool values_close(const struct inlay_value *expected, const struct inlay_value *actual,
                  size_t count, double tolerance, struct text *why);

/* The largest |a - b| over all floats and integers of both lists; infinity where they do not compare. */
double values_difference(const struct inlay_value *a, const struct inlay_value *b, size_t count);
