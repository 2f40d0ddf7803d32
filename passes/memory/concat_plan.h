/*
 * Which values are better made where a later kernel would copy them to: what ElideConcat does.
 *
 * A kernel that assembles its result of pieces (analysis/access/pieces.h) is a *join*, whether it
 * concatenates, stacks or pads.  A value that it copies whole may instead have its *home* in the result:
 * its maker then writes it there, and all who read it read it there.  A join whose result has a home in
 * another one is a part of that.
 */
#pragma once

#include "analysis/access/pieces.h"
#include "analysis/kernel_call.h"
#include "base/array.h"
#include "base/map.h"
#include "passes/pass.h"

struct join {
    struct ir_op *op;
    struct kernel_call call;
    struct access_pieces pieces;
    unsigned home_count; /* pieces that have their home in the result */
    struct map dropped;  /* stores of the kernel that copied such (set) */
    bool is_known;       /* what it does to its buffers is known: others may have a home in it */
};

/* Where a value lies in another one. */
struct home {
    struct ir_value *value;
    struct ir_value *whole;
    const int *dims;                      /* by dimension of the value: that of the whole, or -1 */
    const struct ir_expr *const *offsets; /* by dimension of the whole */
};

struct concat_plan {
    struct pass_run *run;
    struct access_cache cache;
    struct map pieces; /* kernel -> struct access_pieces of its last parameter, or none */
    struct map plain;  /* buffer -> itself if all accesses are plain and inside, else NULL */
    struct map joins;  /* op -> struct join */
    struct map homes;  /* value -> struct home */
    array(struct join *) all;
};

/* Adds the joins and homes of @function. */
void concat_plan_find(struct concat_plan *plan, struct ir_function *function);
void concat_plan_finish(struct concat_plan *plan);

/* Where @value lies in the outermost whole; false if it has no home. */
bool concat_plan_home(struct concat_plan *plan, struct ir_value *value, struct home *out);
/* All of a tensor. */
struct home concat_plan_all_of(struct concat_plan *plan, struct ir_value *value);
