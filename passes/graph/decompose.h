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
#define OP(id, name, signature, traits, doc, ...) __VA_ARGS__
#define DECOMPOSE_INFERENCE(f)                    decompose_fn decompose_##f;
#define DECOMPOSE_TRAINING(f)                     decompose_fn decompose_##f;
#include "ops/ops.def"
