/* inlay cache: what was compiled before. */
#include "cli/cli.h"
#include "driver/object_cache.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int command_cache(const struct cli_options *options)
{
    const char *action = options->arguments.count ? options->arguments.items[0] : "show";
    const char *folder = options->driver.cache;
    bool clears = strcmp(action, "clear") == 0;
    struct store_sums sums = {0};

    if (!clears && strcmp(action, "show") != 0)
        return cli_usage_error(options, "`%s` is nothing to do with a cache; show and clear are",
                               action);
    bool is_there = folder && object_cache_look(folder, clears, &sums);
    printf("folder: %s\nobjects: %" PRIu64 "\nbytes: %" PRIu64 "\nlimit: %" PRIu64 "\n",
           !folder    ? "none (neither XDG_CACHE_HOME nor HOME names one)"
           : is_there ? folder
                      : "none (it is not there, or not yours alone)",
           sums.files, sums.bytes, options->driver.cache_bytes);
    return CLI_OK;
}
