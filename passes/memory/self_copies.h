/* Kernels in place that copy storage onto itself. */
#pragma once

#include "passes/pass.h"

/*
 * Gives calls that pass one value as an operand and as the storage of a result a kernel without the
 * stores that only copy the one into the other.  True if there are such.
 */
bool drop_self_copies(struct pass_run *run);
