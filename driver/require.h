/*
 * What a user requires of the decisions of a pipeline: --require-inplace, -Winplace-missed.
 *
 * The decisions are judged, not made: whoever runs passes asks before them whether the names are those of
 * values, and behind them whether the decisions are what was required.
 */
#pragma once

#include "driver/driver.h"

/* Do the options require anything? */
bool require_is_any(const struct driver_options *options);
/* Has @module, before any pass, every value that must be in place?  False after a report. */
bool require_names(struct driver *driver, struct ir_module *module);
/* False after an error; @module is what the pipeline made. */
bool require_judge(struct driver *driver, struct ir_module *module,
                   const struct inplace_decisions *decisions);
