/*
 * Element-wise ops that make each element wider in bytes, as casts from bytes and dequantisation do.
 *
 * They belong to what reads them, not to what makes their operand: between two kernels then lies what is narrow.
 */
#pragma once

#include "passes/fuse/fuse_facts.h"

/* The one tensor among the operands of @op that has an element for each of its result; NULL: there are several, or none. */
struct ir_value *fuse_made_of(const struct ir_op *op);
unsigned fuse_element_bytes(const struct ir_value *value);

/*
 * Gives each of several readers an op of its own that makes elements wider, where all of them can have it in their kernels
 * and a reduction or window is among them, which shares its kernel with no other reader:
 *
 *     a = R.astype(x, "int32")                            a = R.astype(x, "int32")
 *     y = R.nn.conv2d(a, w, groups=..)         =>         y = R.nn.conv2d(a, w, groups=..)
 *     z = R.sum(a)                                        a_1 = R.astype(x, "int32"); z = R.sum(a_1)
 *
 * True if it changed something.
 */
bool fuse_repeat_widenings(struct fuse_facts *facts, struct ir_function *function);
