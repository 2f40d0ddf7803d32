/* inlay check --fix: the edits that messages propose, made in the file. */
#pragma once

#include "cli/cli.h"
#include "driver/driver.h"

/* All that `check` says of @source, to @driver's diagnostics. */
void check_source(const struct cli_options *options, struct driver *driver,
                  const struct source *source);

/*
 * Makes the edits in the file @path, again and again as long as each makes the message go that
 * proposed it and breaks no syntax; the file is replaced at once, if at all.
 */
void fix_file(const struct cli_options *options, const char *path);
