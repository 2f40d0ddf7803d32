/* What a run cost: the keys of `run --stats`. */
#pragma once

#include "analysis/inplace.h"
#include "base/text.h"
#include "runtime/frame.h"

struct run_cost {
    unsigned inplace, copies, fresh, views, elided; /* calls and ops of the module */
    int64_t copied_bytes;                           /* by the copies, once each */
    bool is_open;              /* the size of a copy is not known before the run */
    int64_t arena_bytes;       /* most that the run held at once */
    int64_t lower_bound_bytes; /* most that values needed at once; options.counts_memory */
    int64_t unplanned_bytes;   /* every value in its own buffer */
    int64_t stack_bytes;       /* of arena_bytes, most that lay on the stack of the run */
    int64_t allocations;
    unsigned threads; /* the first one and those that parallel loops started */
    double compile_ms, run_ms;
};

/* Milliseconds of a clock that only goes on. */
double cost_now(void);
/* From the decisions of the passes (none: interpreted), sizes worked out with @dims. */
void cost_count(struct run_cost *cost, struct ir_module *module,
                const struct inplace_decisions *decisions, const struct ir_bindings *dims);
/* From a run. */
void cost_measure(struct run_cost *cost, const struct inlay_frame *frame);
void cost_put_json(const struct run_cost *cost, struct text *out);
void cost_put_text(const struct run_cost *cost, struct text *out);
