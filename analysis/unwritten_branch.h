/* Outputs that a kernel writes in one branch alone, where elements of other buffers decide. */
#pragma once

#include "analysis/access/access.h"
#include "base/diag.h"

/*
 * E0324: all that @kernel writes of its parameter @param, which @call makes new, stands in one branch of one `if`; each element
 * is met once, and what decides is read of buffers that the kernel does not change.  Then it is left where the branch is not taken.
 */
void unwritten_branch_check(struct access_cache *cache, const struct tir_func *kernel,
                            unsigned param, const struct ir_op *call, struct diag *diag);
