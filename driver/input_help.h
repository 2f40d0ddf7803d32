/* What is meant where --in names no parameter, or says no value. */
#pragma once

#include "driver/inputs.h"
#include "driver/options.h"

/* Says that there is no such parameter, and which is near. */
void input_report_missing(const struct inputs *inputs, const struct driver_input *given);
/* A bool of rank 0 is `true` or `false`, whatever else people write for it. */
void input_help_bool(const struct input *input, struct diag_message *m);
