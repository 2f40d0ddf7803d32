/* Calls that run in place once a loop of their kernel runs backwards. */
#pragma once

#include "passes/pass.h"

typedef void turn_decide_fn(struct pass_run *run, struct inplace_candidates *out);

/*
 * @decide's decisions on the module, in @out, which is empty.  Where all that stands against one is
 * the direction of a loop, the call gets a kernel with that loop turned round, and what follows from
 * that is decided anew.  True if a call got another kernel.
 */
bool turn_calls(struct pass_run *run, turn_decide_fn *decide, struct inplace_candidates *out);
