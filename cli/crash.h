/* What happens when the tool itself is at fault: exit code 3 and a file to reproduce it from. */
#pragma once

#include "base/source.h"

/* From now on a crash writes the command line, and the script once it is known, to a file. */
void crash_watch(int argc, char **argv);
void crash_set_script(const struct source *source);

/*
 * Passes @done ran, @pass runs now (NULL: none does), as one would write them; @observer is not used:
 * this is the `enter` of struct pass_watch.  The reproducer is then the module in front of @pass.
 */
void crash_set_pass(void *observer, const char *done, const char *pass);
/* Options of `opt` that matter to passes, "--inplace=off --roundtrip-each". */
void crash_set_options(const char *options);

/* Writes the same file for a bug that was found without a crash; says where on standard error. */
void crash_save(void);
