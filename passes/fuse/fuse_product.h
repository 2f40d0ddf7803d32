/*
 * Products that read an operand in another order than it lies.
 *
 *     t = R.permute_dims(x, axes=[0, 2, 1]); y = R.matmul(q, t)
 *
 * A product reads its operands many times, but blocks and packs them first (passes/schedule), so what
 * only moves elements costs nothing in it, and a copy of the operand less.
 */
#pragma once

#include "ir/tir.h"

/*
 * Does @func only store each element of its one operand at another place, so that what lay in a row is in a
 * row or in a column of matrices?
 */
bool fuse_moves_matrix(const struct tir_func *func);
/* Is buffer @param a factor of a sum of products of floats, and nothing else? */
bool fuse_multiplies(const struct tir_func *func, unsigned param);
