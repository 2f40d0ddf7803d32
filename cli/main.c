/* inlay: the tool. */
#include "base/guard.h"
#include "cli/cli.h"
#include "cli/crash.h"

#include <stdio.h>

static cli_command_fn *const commands[] = {
#define COMMAND(name, ...) [CLI_COMMAND_##name] = command_##name,
#include "cli/commands.def"
};

struct call {
    int argc;
    char **argv;
    int status;
};

static void run(void *state)
{
    struct call *call = state;
    struct cli_options options;
    if (cli_options_parse(&options, call->argc, call->argv, &call->status))
        call->status = commands[options.command](&options);
    cli_options_finish(&options);
}

int main(int argc, char **argv)
{
    struct call call = {.argc = argc, .argv = argv, .status = CLI_OK};
    struct guard guard;
    guard_init(&guard, false); /* a bug is a crash: it leaves a reproducer */
    crash_watch(argc, argv);
    if (guard_run(&guard, run, &call) != GUARD_DONE) {
        fputs("inlay: error: out of memory\n", stderr);
        call.status = CLI_WRONG;
    }
    /* A full disk or a closed pipe must not look like success. */
    if ((fflush(stdout) != 0 || ferror(stdout)) && call.status == CLI_OK) {
        fputs("inlay: error: standard output cannot be written\n", stderr);
        call.status = CLI_WRONG;
    }
    return call.status;
}
