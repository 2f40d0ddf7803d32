/* What of a command line decides about what comes of it: see driver/record.h. */
#include "cli/cli.h"

#include <string.h>

/* These say what a run is given, and what is shown of it. */
static const char *const beside[] = {
    "in", "out", "repeat", "format", "threads", "compile-threads", "diagnostics", "color"};

/* What is done is shown or checked: none of it may be left out. */
static const char *const watching[] = {
    "interpret",    "load",        "dump-llvm",      "check",       "check-memory",
    "print-before", "print-after", "print-changed",  "dump-ir",     "time-passes",
    "skip",         "stop-after",  "roundtrip-each", "verify-each", "check-each"};

static bool is_among(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

void cli_note_option(struct cli_options *options, const char *name, const char *value)
{
    /* of an artifact: how many it has of its own */
    bool is_pool = options->command == CLI_COMMAND_compile && strcmp(name, "threads") == 0;

    options->is_watched |= is_among(name, watching, ARRAY_SIZE(watching));
    if (is_among(name, beside, ARRAY_SIZE(beside)) && !is_pool)
        return;
    array_push(&options->words, name);
    array_push(&options->words, value ? value : "");
}
