/*
 * ReorderTakeAfterMatmul: takes columns of the product instead of the weights, so that the weights are
 * not gathered anew in each run.
 *
 *     matmul(x, take(w, i, axis=1))    =>    take(matmul(x, w), i, axis=-1)
 */
#include "passes/graph/rules.h"

enum pass_result pass_reorder_take_after_matmul(struct pass_run *run)
{
    return rules_run(run, "reorder_take_after_matmul");
}
