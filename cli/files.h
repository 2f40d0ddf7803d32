/* The files that arguments name: a folder stands for the scripts in it. */
#pragma once

#include "base/arena.h"
#include "base/array.h"
#include "cli/cli.h"

struct files {
    const char **items;
    size_t count, capacity; /* an array() */
    struct arena arena;
};

/*
 * The arguments of @options; in the place of a folder, in the order of their names, the files `*.py` in it and its
 * folders that look like scripts, hidden ones apart.  A folder without any is reported to @diag.
 */
void files_find(struct files *files, const struct cli_options *options, struct diag *diag);
void files_finish(struct files *files);
