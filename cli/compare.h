/* Values of runs: copied before, compared afterwards. */
#pragma once

#include "base/text.h"
#include "runtime/abi.h"

#include <stdbool.h>

/* Deep copies of @count values, tensors in memory of their own; freed by values_free(). */
struct inlay_value *values_copy(const struct inlay_value *values, size_t count);
void values_free(struct inlay_value *values, size_t count); /* accepts NULL */

/*
 * Are two lists of values the same to the last bit?  A NaN equals a NaN whatever its sign and payload,
 * which processors choose freely.  If not, @why says which value differs where.
 */
bool values_equal(const struct inlay_value *a, const struct inlay_value *b, size_t count,
                  struct text *why);
