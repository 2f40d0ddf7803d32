/*
 * Products that read an operand in another order than it lies.
 *
 *     t = R.permute_dims(x, axes=[0, 2, 1]); y = R.matmul(q, t)
 *
 * A product reads its operands many times, but blocks and packs them first (passes/schedule), so what
 * only moves elements costs nothing in it, and a copy of the operand less.
 */
#pragma once

#include "analysis/perfect_nest.h"
#include "ir/graph.h"

/*
 * Does @func only store each element of its one operand at another place, so that what lay in a row is in a
 * row or in a column of matrices?
 */
bool fuse_moves_matrix(const struct tir_func *func);
/* .. and does what lay in a row still do so? */
bool fuse_moves_rows(const struct tir_func *func);
/* Does @func make so little of each element that it may be made of it wherever it is read? */
bool fuse_is_cheap(const struct tir_func *func);
/*
 * C[..] = C[..] + a * b of floats, behind C[..] = .., as its T.init or, where sums may be of nothing, in the nest @before
 * (NULL: there is none): the loads a and b, of which casts are left out.
 */
bool fuse_read_product(const struct perfect_nest *nest, const struct perfect_nest *before,
                       const struct ir_expr **out_a, const struct ir_expr **out_b);
/* The parameter of its kernel that takes operand @i of @op, or -1. */
int fuse_param_of(const struct ir_op *op, unsigned i);
/* Is buffer @param a factor of a sum of products of floats, and nothing else? */
bool fuse_multiplies(const struct tir_func *func, unsigned param);
