/* Kernels that leave a part of what they make unwritten. */
#pragma once

#include "base/diag.h"
#include "ir/module.h"

/*
 * Warns of each output of a call_tir of which the kernel provably writes only a part: the rest is
 * unspecified (docs/language.md).  What is not proved is not said.
 */
void unwritten_check(struct ir_module *module, struct diag *diag);
