/* What DecomposeOpsForInference and DecomposeOpsForTraining share. */
#pragma once

#include "ir/build.h"
#include "passes/pass.h"

/* Decomposes in the function that option `function` names, or in all. */
enum pass_result decompose_run(struct pass_run *run, bool is_training);

/*
 * Each makes, at @b, what @op computes, of simpler operators: the value, or *@out_fields for those that
 * give a tuple (then returns the first).  NULL: this one is left alone.  Types and reports are the
 * caller's matter.
 */
typedef struct ir_value *decompose_fn(struct ir_builder *b, const struct ir_op *op,
                                      struct ir_value **out_fields);
decompose_fn decompose_batch_norm, decompose_batch_norm_training, decompose_dropout,
    decompose_layer_norm, decompose_group_norm, decompose_instance_norm, decompose_linear,
    decompose_attention;
