/* What is meant where --in names no parameter, or says no value. */
#pragma once

#include "driver/inputs.h"
#include "driver/options.h"

/* Says that there is no such parameter, and which is near. */
void input_report_missing(const struct inputs *inputs, const struct driver_input *given);
/* What was meant by a value that cannot be read: a bool of rank 0 is `true` or `false`, and a file has `@` in front. */
void input_help_spec(const struct input *input, struct diag_message *m);
