/*
 * The part of FoldConstant for results of any size: ops that read constants only are noted, and all of a
 * function are then computed together, by compiled code (run->host), as far as others read their results.
 *
 * What takes much more memory than it is made of (a broadcast, zeros, a product of rows and columns) stays:
 * the run needs it for a moment, a constant is there for good.
 */
#pragma once

#include "base/array.h"
#include "base/map.h"
#include "passes/pass.h"

struct fold_large {
    struct pass_run *run;
    struct ir_module *module;
    int64_t growth; /* percent; negative: nothing is folded here */
    int64_t work_left, growth_left;
    struct map noted; /* struct ir_value -> its op */
    array(struct ir_op *) ops;
};

void fold_large_init(struct fold_large *large, struct pass_run *run, int64_t growth);
void fold_large_finish(struct fold_large *large);
/* Notes @op, which has a meaning of its own and no effect, if all that it reads is known. */
void fold_large_note(struct fold_large *large, struct ir_op *op);
/* Computes what was noted, all of one function; true if that is changed. */
bool fold_large_compute(struct fold_large *large);

/*
 * What a constant in place of @value is called: as the value is, or as the only constant with a name that it
 * is made of (weights that are transposed stay those weights); NULL: nothing.
 */
const char *fold_large_name(const struct ir_value *value);
