/* How much an operator computes, for those who ask whether to compute it now. */
#pragma once

#include "ir/module.h"

/*
 * About how many products or comparisons @op takes; false if its shapes say too little.  0 for operators
 * that read each element a few times (no column WORK in ops/ops.def): the sizes of their tensors say it.
 */
bool work_of(struct ir_context *context, const struct ir_op *op, int64_t *out_work);
