/* Making a function of a group of ops. */
#pragma once

#include "passes/pass.h"

/* Ops of one block, in program order; the last one's result is what the group computes. */
struct fuse_group {
    struct ir_op **items;
    size_t count, capacity; /* an array() */
};

/*
 * Moves @group into a new private function with the attribute Primitive and calls that in the place of
 * the last op:
 *
 *     a = R.call_tir(cls.exp, (x,), ..)                   b = cls.fused_exp_add(x, y)
 *     b = R.call_tir(cls.add, (a, y), ..)        =>
 *
 * The function; NULL, with nothing changed, if the call would not have the type of what it stands for.
 */
struct ir_global *fuse_group_outline(struct pass_run *run, const struct fuse_group *group);
