/*
 * DecomposeOpsForTraining: as DecomposeOpsForInference, but batch_norm normalises by the mean and variance of
 * the batch and updates the moving ones, and layer_norm is decomposed, too.  dropout, which is random then,
 * stays.
 */
#include "passes/graph/decompose.h"

enum pass_result pass_decompose_ops_for_training(struct pass_run *run)
{
    return decompose_run(run, true);
}
