/* inlay check --fix: the edits that messages propose, made in the file. */
#pragma once

#include "cli/cli.h"
#include "driver/driver.h"

/* mend_text() of the file @path, which is replaced at once, if at all. */
void fix_file(const struct cli_options *options, const char *path);
