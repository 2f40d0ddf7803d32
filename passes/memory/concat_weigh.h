/* Joins that are better left as they are, because less is held that way. */
#pragma once

#include "passes/memory/concat_plan.h"

/* What came of a trial. */
struct concat_trial {
    struct map
        wholes; /* the operation that takes the storage of a whole -> number of the join, + 1, as a pointer */
    array(const struct ir_function *) functions; /* by number of a join: where it stands */
};

/* Elides in the module of @run all joins but those of @left_out. */
typedef bool concat_elide_fn(struct pass_run *run, const struct concat_numbers *left_out,
                             struct concat_trial *out);

/* Adds to @left_out what is better left; @elide is called for copies of the module only. */
void concat_weigh(struct pass_run *run, concat_elide_fn *elide, struct concat_numbers *left_out);
