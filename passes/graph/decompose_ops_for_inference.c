/*
 * DecomposeOpsForInference: composite operators as the simpler ones that they are made of.
 *
 *     t = R.nn.batch_norm(x, gamma, beta, mean, var, axis=1); y = t[0]
 *  =>
 *     y = (x - mean) / sqrt(var + epsilon) * gamma + beta, with axes put in where they are needed
 *
 * For inference batch_norm uses the moving mean and variance and dropout does nothing.  layer_norm and
 * rms_norm stay: they have kernels of their own, which are better than their parts.  What is not known well
 * enough (a rank, a number of channels) is left alone.
 */
#include "passes/graph/decompose.h"

enum pass_result pass_decompose_ops_for_inference(struct pass_run *run)
{
    return decompose_run(run, false);
}
