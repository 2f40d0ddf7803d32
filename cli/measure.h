/* What the subcommands that measure have in common: options, and how they print. */
#pragma once

#include "cli/report.h"
#include "driver/measured.h"
#include "driver/runner.h"

/* False after a word about what is wrong. */
bool measure_options(const struct cli_options *options);
struct runner_rounds measure_rounds(const struct cli_options *options);

struct measured measure_begin(const struct cli_options *options, const char *command,
                              const char *rows_key, struct session *session,
                              const struct runner_case *of);
/* The table as --format says, and the file of --export. */
void measure_print(const struct cli_options *options, const struct measured *measured);
void measure_end(struct measured *measured, struct table *table);
