/* How the subcommands end: diagnostics printed, driver freed. */
#pragma once

#include "cli/cli.h"
#include "driver/session.h"

#include <stdio.h>

/* Prints all diagnostics to @file in the format that was asked for, coloured on a terminal. */
void report_diagnostics(const struct cli_options *options, const struct diag *diag, FILE *file);

/* Are colours wanted on @file: as --color says, else as FORCE_COLOR and NO_COLOR, else on terminals? */
bool report_is_colored(const struct cli_options *options, FILE *file);

/* The text of the script that the options name; NULL after a report. */
const struct source *report_read(const struct cli_options *options, struct driver *driver);
/* Reads and parses it; NULL after a report. */
struct ir_module *report_load(const struct cli_options *options, struct driver *driver);
/* session_open() of it, with a driver of its own. */
bool report_open(const struct cli_options *options, struct session *session);

/* What the options ask to watch while passes run; a crash in one will leave a reproducer. */
struct pass_watch report_watch(const struct cli_options *options);

/* Writes @text to standard output or the file of -o, which is replaced at once. */
void report_output(const struct cli_options *options, struct driver *driver,
                   const struct text *text);

/* The same to @path. */
void report_file(struct driver *driver, const char *path, const struct text *text);

/* The exit code that the messages ask for; a bug of the tool leaves a reproducer. */
int report_status(const struct diag *diag);

/* Prints the diagnostics, frees @module (or NULL) and @driver; the exit code. */
int report_finish(const struct cli_options *options, struct driver *driver,
                  struct ir_module *module);
