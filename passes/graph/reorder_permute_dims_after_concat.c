/*
 * ReorderPermuteDimsAfterConcat: one permutation of a concatenation instead of one for each part.
 *
 *     concat((permute_dims(a), permute_dims(b)))    =>    permute_dims(concat((a, b)))
 */
#include "passes/graph/rules.h"

enum pass_result pass_reorder_permute_dims_after_concat(struct pass_run *run)
{
    return rules_run(run, "reorder_permute_dims_after_concat");
}
