/*
 * The command line: options, subcommands, exit codes.
 *
 * Standard output carries what was asked for and nothing else; diagnostics go to standard error,
 * except those of `check` in a machine's format, which are what was asked for.
 */
#pragma once

#include "base/array.h"
#include "base/diag.h"
#include "driver/options.h"
#include "ir/print.h"

#include <stdbool.h>
#include <stdint.h>

enum cli_exit {
    CLI_OK = 0,
    CLI_WRONG = 1,    /* the user's program or input */
    CLI_USAGE = 2,    /* the command line */
    CLI_INTERNAL = 3, /* a bug of the tool */
    CLI_DIFFERENT = 4,
};

enum cli_command {
#define COMMAND(name, ...) CLI_COMMAND_##name,
#include "cli/commands.def"
    CLI_COMMAND_COUNT
};

enum cli_format { CLI_FORMAT_TEXT, CLI_FORMAT_JSON, CLI_FORMAT_YAML };
enum cli_color { CLI_COLOR_AUTO, CLI_COLOR_ALWAYS, CLI_COLOR_NEVER };
enum cli_stats { CLI_STATS_NONE, CLI_STATS_TEXT, CLI_STATS_JSON };

struct cli_options {
    enum cli_command command;
    array(const char *) arguments; /* what is no option */
    struct driver_options driver;
    enum diag_format diagnostics;
    const char *out, *output, *keep;
    array(const char *) pipelines; /* of race */
    bool is_interpreted, is_checked, is_uncached, is_fixed;
    bool is_stdio;                          /* of lsp: as it is anyway */
    bool is_all, is_summary;                /* of why */
    bool has_loops, has_fusion, has_memory; /* the same: what is asked about */
    enum cli_format format;
    enum ir_dialect dialect; /* of opt */
    enum cli_color color;
    unsigned plan_format; /* enum plan_format */
    int64_t capacity;     /* of plan */
    bool has_capacity;
    const char *svg;
    const char *emit, *prefix, *header; /* of compile */
    unsigned report_emit;               /* of report */
    const char *against;                /* of verify */
    unsigned threads;                   /* of what is compiled; 0: none of its own */
    const char *weights;                /* "*": beside the output */
    const char *donated, *bounds;       /* of import */
    int64_t max_arena;
    int64_t max_stack;
    bool has_max_arena, has_max_stack, is_stripped;
    unsigned repeat;       /* runs; 1 by default */
    unsigned rounds, seed; /* of race, bench, tune; 0: not given */
    double least_seconds;  /* below 0: not given */
    double budget_seconds; /* 0: not given */
    const char *export_path, *space, *save;
    /* what to watch while passes run: see struct pass_watch */
    const char *print_before, *print_after, *dump_folder, *skip;
    bool print_changed, time_passes, roundtrip_each, check_each, verify_each;
    unsigned stop_after;
    enum cli_stats stats;
    array(const char *) words; /* the command line, as far as what comes of it depends on it */
    bool is_watched;           /* somebody wants to see what is done, not only what comes of it */
    struct arena arena;
};

/*
 * Fills @options from the command line.  False when there is nothing more to do: --help, --version
 * or a mistake, which was printed; *out_exit is the exit code then.
 */
bool cli_options_parse(struct cli_options *options, int argc, char **argv, int *out_exit);
void cli_options_finish(struct cli_options *options);
/* Notes an option that was given: in `words`, or `is_watched`. */
void cli_note_option(struct cli_options *options, const char *name, const char *value);

/* Prints "inlay: error: ..." and where help is; returns CLI_USAGE. */
int cli_usage_error(const struct cli_options *options, const char *format, ...) PRINTF(2, 3);

typedef int cli_command_fn(const struct cli_options *options);
#define COMMAND(name, ...) cli_command_fn command_##name;
#include "cli/commands.def"
