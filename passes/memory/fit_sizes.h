/* Results and operands of different sizes in one storage: see analysis/inplace_sizes.h. */
#pragma once

#include "passes/pass.h"

/* Sets *@out_changed where something was found.  False after a report. */
bool fit_sizes(struct pass_run *run, bool *out_changed);
