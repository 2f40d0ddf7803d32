/*
 * What became of every in-place call that a script makes.
 *
 * Decisions are made by the pipeline, on the program that runs.  A call of the script that this program
 * does not have any more, since it was fused into a kernel or removed, is told of as elided: it costs
 * nothing, and its code says what would have stood against it on its own.
 */
#pragma once

#include "driver/driver.h"

/*
 * Runs @pipeline on *@module as driver_run_passes() does, but for strict calls, which get their copies; the
 * decisions in @out are in the order of the text.  False after a report.
 */
bool driver_decide(struct driver *driver, struct ir_module **module, const char *pipeline,
                   enum inplace_mode mode, const struct pass_watch *watch,
                   struct inplace_decisions *out);
