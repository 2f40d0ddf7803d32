/* What happens when the tool itself is at fault: exit code 3 and a file to reproduce it from. */
#pragma once

#include "base/source.h"

/* From now on a crash writes the command line, and the script once it is known, to a file. */
void crash_watch(int argc, char **argv);
void crash_set_script(const struct source *source);

/* Writes the same file for a bug that was found without a crash; says where on standard error. */
void crash_save(void);
