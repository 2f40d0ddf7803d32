/* inlay: the tool. */
#include "cli/cli.h"
#include "cli/crash.h"

#include <stdio.h>

static cli_command_fn *const commands[] = {
#define COMMAND(name, ...) [CLI_COMMAND_##name] = command_##name,
#include "cli/commands.def"
};

int main(int argc, char **argv)
{
    struct cli_options options;
    int status = CLI_OK;
    crash_watch(argc, argv);
    if (cli_options_parse(&options, argc, argv, &status))
        status = commands[options.command](&options);
    cli_options_finish(&options);
    /* A full disk or a closed pipe must not look like success. */
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == CLI_OK) {
        fputs("inlay: error: standard output cannot be written\n", stderr);
        status = CLI_WRONG;
    }
    return status;
}
