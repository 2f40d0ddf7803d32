/*
 * The pattern of a kernel: how its results depend on what it reads, as far as fusion cares.
 *
 * The numbers are TVM's (attribute `op_pattern`).  They say what may be worth fusing; that the fused
 * kernel computes the same is proved anew where it is made, never concluded from a pattern.
 */
#pragma once

#include "analysis/perfect_nest.h"

struct ir_module;

enum op_pattern {
    PATTERN_ELEMWISE = 0,          /* out[i, j] = f(a[i, j]) */
    PATTERN_BROADCAST = 1,         /* out[i, j] = f(a[j]) */
    PATTERN_INJECTIVE = 2,         /* out[i, j] = f(a[j, i + 1]) */
    PATTERN_COMM_REDUCE = 3,       /* out[i] = sum(a[i, :]) */
    PATTERN_OUT_EWISE_FUSABLE = 4, /* matmul, softmax: what follows elementwise may join */
    PATTERN_TUPLE = 7,
    PATTERN_OPAQUE = 8,
};

/* Products of so many rows, one behind the other, are computed block by block of rows. */
enum { PATTERN_ROWS_LEAST = 24 };

/* The pattern that the loops of @func allow. */
enum op_pattern pattern_of_loops(const struct tir_func *func);

/*
 * The attribute `op_pattern` of @func, but nothing more optimistic than its loops allow; OPAQUE
 * without one.
 */
enum op_pattern pattern_of(const struct tir_func *func);

/*
 * Is buffer @param updated as in x[i] = f(x[i], ..) for each of its elements?  Then the update may as
 * well go to storage of its own: nothing of the old content survives, and nothing reads it afterwards.
 */
bool pattern_updates_pointwise(struct ir_context *context, const struct tir_func *func,
                               unsigned param);

/* Is each element of buffer @param read at most once by each nest of @func? */
bool pattern_reads_once(const struct tir_func *func, unsigned param);

/*
 * Is that so of the one nest of @func that reads @param, and of the one that reads what it makes of each element, as padding
 * does, up to a reduction?  What is made of @param may then as well be made in @func.
 */
bool pattern_streams(const struct tir_func *func, unsigned param);
