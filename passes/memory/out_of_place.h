/*
 * In-place calls that run out of place instead of on a copy.
 *
 *     x_copy = R.copy(x)                                          y = R.call_tir(cls.f_fresh, (x,), ..)
 *     y = R.call_tir_inplace(cls.f, (x_copy,), .., [0])     =>
 *
 * The kernel is copied, with a parameter of its own for what it writes to x.  That computes the same if
 * no old element survives (each is written) and none is read after it was written: one sweep less.
 */
#pragma once

#include "analysis/access/access.h"
#include "passes/pass.h"

/* Zeroed but for @run it is ready; one for a pass, as kernels are copied once for all of their calls. */
struct out_of_place {
    struct pass_run *run;
    struct access_cache cache;
    struct map kernels; /* kernel -> struct out_of_place_kernel, the first of a list */
};
void out_of_place_finish(struct out_of_place *o);

/*
 * Makes the outputs of @call, a call_tir_inplace, for which @wanted (by output) is set write to new
 * storage, where their kernel can; others are taken from @wanted.  The call is replaced if any is left:
 * *@call is the new one.  False after a report.
 */
bool out_of_place_set(struct out_of_place *o, struct ir_op **call, bool *wanted);
