/*
 * Reads that stand in the way of a result, in front of its call.
 *
 *     a = R.call_tir(cls.add, (t, y), ..)              b = R.call_tir(cls.add, (w, t), ..)   # in w
 *     b = R.call_tir(cls.add, (w, t), ..)      =>      a = R.call_tir(cls.add, (t, y), ..)   # in t
 *
 * The left order lets one result take over storage, the right one two.
 */
#pragma once

#include "passes/pass.h"

/*
 * Moves calls of kernels in front of others of their block, where InplaceCalls then finds storage for more
 * bytes than before.  Tries what it moves, within a budget that falls with the size of the module, and
 * takes back what wins nothing; a moved result is no larger than the storage that is won, so that never
 * more is held.  True if something was moved.
 */
bool move_readers(struct pass_run *run);
