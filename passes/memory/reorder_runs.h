/*
 * The parts of a function whose ops may change places, as problems of order.
 *
 * A run is ops of one block with nothing between them that has an effect, branches, ends storage or
 * makes a function: such ops keep their place, and others stay on their side of them.
 */
#pragma once

#include "base/map.h"
#include "passes/graph/order.h"
#include "passes/memory/peak.h"
#include "passes/pass.h"

/* Sizes are compared with each of these numbers for every symbol; runs are ordered by the first. */
enum { RUN_SAMPLES = 4 };

struct reorder_run {
    array(struct ir_op *) ops;   /* nodes */
    struct peak_problem problem; /* at the first sample */
    int64_t *bytes[RUN_SAMPLES]; /* by value of the problem */
    int64_t base[RUN_SAMPLES];
    int64_t given;               /* peak */
    bool *is_changed;            /* by value: something updates or writes it */
    const struct ir_op **makers; /* by value: whose result it is first */
    bool *is_fixed; /* by node: besides values of the problem it reads what is never changed */
};

struct reorder_runs {
    struct reorder_run *items;
    size_t count, capacity;     /* an array() */
    int64_t peak;               /* of the function, at the first sample */
    int64_t fixed[RUN_SAMPLES]; /* the most that is held at ops which keep their place */
    bool is_symbolic;           /* samples differ */
};

/*
 * Finds the runs of @function.  @peaks says what functions hold that were looked at before (bytes +
 * 1 as a pointer).  None if some value may be anything.
 */
void reorder_runs_find(struct pass_run *run, struct storage_module *facts,
                       struct ir_function *function, const struct map *peaks,
                       struct reorder_runs *out);
/* The peak of @order, symbols being what @sample says; @steps as peak_of() has it. */
int64_t reorder_run_peak(struct reorder_run *run, const unsigned *order, unsigned sample,
                         int64_t *steps);
void reorder_runs_finish(struct reorder_runs *runs);
