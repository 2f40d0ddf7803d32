/* Kernels that leave a part of what they make unwritten, or read it before. */
#pragma once

#include "base/diag.h"
#include "base/map.h"
#include "ir/module.h"

/*
 * Warns of each output of a call_tir of which the kernel provably writes only a part (the rest is
 * unspecified: docs/language.md), of one of an in-place call that it has no use for, and of storage that is read
 * before it is written.  What is not proved is not said, and nothing of the kernels in @told: what they leave follows from what was told.
 */
void unwritten_check(struct ir_module *module, const struct map *told, struct diag *diag);
/* Only what makes another number in each run: for who is about to run it. */
void unwritten_check_numbers(struct ir_module *module, struct diag *diag);
