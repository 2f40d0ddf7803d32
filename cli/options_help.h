/* The rows of options.def as --help shows them. */
#pragma once

#include "cli/cli.h"

enum option_kind { NONE, NEEDED, MAYBE, MANY };

/* Of the column `commands`. */
#define ON(command) (1u << CLI_COMMAND_##command)
#define ALL         (~0u)

void options_print_version(bool is_verbose);
void options_print_tool_help(void);
void options_print_command_help(enum cli_command command);
/* False if there is no command @name. */
bool options_find_command(const char *name, enum cli_command *out);
/* The manual page, and completions for shells, by name: man, bash, zsh, fish.  False if it is none of them. */
bool options_print_generated(const char *name);

/* options_slips.c: `--in x=3xi32=1 2 3` without quotes, which are several words; false: there is none such. */
bool options_report_unquoted(struct cli_options *options, int argc, char **argv, int *out_exit);
