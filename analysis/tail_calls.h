/*
 * Calls that are the last thing a private function does: loops of the graph.  (Of entries, which are not private,
 * the host wants the results in its own way.)
 *
 * Nothing of the caller is needed any more when such a call begins but what it is given, so that the caller may
 * leave before it: the calls then run one after the other, in the memory of one.  Behind it come only ends of
 * storage, names of its result, and the way out.  Not where code that is not seen may keep what it was given: nobody
 * knows then what of the caller's storage is needed no more.  Calls that no cycle of calls goes through stay calls.
 */
#pragma once

#include "base/map.h"
#include "ir/module.h"

struct tail_calls {
    struct map calls;     /* op -> itself */
    struct map functions; /* that make such calls: function -> the first one */
    struct map called;    /* functions that are called so */
    struct map
        loops; /* functions of either kind -> the number of their cycle of calls, from 1 on */
};

void tail_calls_find(struct tail_calls *tails, struct ir_module *module);
void tail_calls_finish(struct tail_calls *tails);

/* @tails NULL: none is. */
bool is_tail_call(const struct tail_calls *tails, const struct ir_op *op);
/* Is @function called so, or does it call so?  Another one may then leave the result in its stead. */
bool is_turn_of_loop(const struct tail_calls *tails, const struct ir_function *function);
/* The number of the loop that @function is a turn of; 0: of none. */
unsigned loop_of_turn(const struct tail_calls *tails, const struct ir_function *function);
bool makes_tail_calls(const struct tail_calls *tails, const struct ir_function *function);
