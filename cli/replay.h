/* The command in the first line of a script, as reproducers have it: `# inlay opt --check-each -p 'X'`. */
#pragma once

#include "cli/cli.h"
#include "driver/driver.h"

/*
 * Sets in @options what the first line of @source says, if it is such a command; only what concerns
 * passes may stand there.  A remark says that it did.  False after an error.
 */
bool replay_read(struct driver *driver, const struct source *source, struct cli_options *options);
