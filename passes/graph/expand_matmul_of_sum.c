/*
 * ExpandMatmulOfSum: x @ (a + b) becomes x @ a + x @ b, also below a transposition.
 *
 * Worth it where a and b are large and one of them is a product of small factors (a low-rank adapter):
 * AdjustMatmulOrder then never makes the large product.  It changes rounding, so it is no default.
 */
#include "passes/graph/rules.h"

enum pass_result pass_expand_matmul_of_sum(struct pass_run *run)
{
    return rules_run(run, "expand_matmul_of_sum,expand_matmul_of_permuted_sum");
}
