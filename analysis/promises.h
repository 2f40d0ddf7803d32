/* Kernels that promise an independence which they do not have. */
#pragma once

#include "base/diag.h"
#include "base/map.h"
#include "ir/module.h"

/*
 * Warns of each loop that is T.parallel or T.vectorized, and of each spatial axis of a block, of
 * which one iteration provably reads an element that another one writes: the order of iterations
 * then matters, and the text says that it does not.  What is not proved is not said,
 * and nothing of the kernels in @told, of which an index is wrong.
 */
void promises_check(struct ir_module *module, const struct map *told, struct diag *diag);
