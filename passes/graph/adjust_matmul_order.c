/*
 * AdjustMatmulOrder: the order of three matrix products that takes fewer multiplications, or lets two
 * weights be multiplied in advance.
 *
 *     (x @ a) @ b    <=>    x @ (a @ b)
 *
 * It changes rounding, so it is no default.
 */
#include "passes/graph/rules.h"

enum pass_result pass_adjust_matmul_order(struct pass_run *run)
{
    return rules_run(run, "matmul_rhs_first,matmul_lhs_first,matmul_permuted_rhs_first,"
                          "matmul_permuted_lhs_first");
}
