/* A command of the user's that judges scripts: run by the shell, on a file in a folder of its own. */
#pragma once

#include "base/text.h"

#include <stdbool.h>

struct shell {
    char *folder, *path; /* of the file that candidates are written to */
    struct text command; /* with the path in place */
    char how[64];        /* how the last run ended: "exit status 1" */
};

enum { SHELL_SECONDS = 60 }; /* a command that takes longer is stopped, and counts as failed */

/*
 * @command gets the path of the candidate in place of each {}, or as its last argument.  The file
 * is called as @script is.  False if the folder cannot be made.
 */
bool shell_open(struct shell *shell, const char *command, const char *script);
/* Does the command end with exit status 0 for @text?  Its output is dropped. */
bool shell_succeeds(struct shell *shell, const char *text);
void shell_close(struct shell *shell);
