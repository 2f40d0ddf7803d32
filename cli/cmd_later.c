/* Subcommands that are announced for later versions. */
#include "cli/cli.h"

static int refuse(const char *name)
{
    return cli_usage_error(NULL, "`inlay %s` is not available in this version", name);
}

int command_bench(const struct cli_options *options)
{
    (void)options;
    return refuse("bench");
}
