/* inlay: the tool. */
#include "base/guard.h"
#include "cli/cli.h"
#include "cli/crash.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

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

/*
 * A stream that was closed before the start would be the next file that is opened, and what is printed
 * would be lost in there without a word.  Its number is given to something that cannot be written, or read.
 */
static void take_closed_streams(void)
{
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        if (fcntl(stream, F_GETFD) < 0 &&
            open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) != stream)
            return; /* no /dev/null: as it was */
}

int main(int argc, char **argv)
{
    struct call call = {.argc = argc, .argv = argv, .status = CLI_OK};
    struct guard guard;
    take_closed_streams();
    guard_init(&guard, false); /* a bug is a crash: it leaves a reproducer */
    crash_watch(argc, argv);
    if (guard_run(&guard, run, &call) != GUARD_DONE) {
        fputs("inlay: error: out of memory\n", stderr);
        call.status = CLI_WRONG;
    }
    /* A full disk or a closed stream must not look like success. */
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fputs("inlay: error: standard output cannot be written\n", stderr);
        if (call.status == CLI_OK)
            call.status = CLI_WRONG;
    }
    return call.status;
}
