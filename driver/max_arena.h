/*
 * --max-arena: what a run of a module may hold at once.
 *
 * Passes that can make less of it (Rematerialize) are told the limit; what they leave is measured on
 * the plan, and they are asked for less where its places take more than what lives.
 */
#pragma once

#include "driver/driver.h"

/* driver_run_passes() under a limit; false after a report, also of what does not fit. */
typedef bool max_arena_run_fn(struct driver *driver, struct ir_module **module,
                              struct pass_max_arena *limit, void *state);
bool max_arena_run(struct driver *driver, struct ir_module **module, max_arena_run_fn *run,
                   void *state, struct inplace_decisions *decisions);
