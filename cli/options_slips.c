/* Words of a command line that the shell has made of one that was meant. */
#include "cli/options_help.h"

#include <string.h>

static bool is_number(const char *word)
{
    return *word && strspn(word, "-+.0123456789eE") == strlen(word);
}

bool options_report_unquoted(struct cli_options *options, int argc, char **argv, int *out_exit)
{
    for (int i = 2; i + 1 < argc; i++) {
        bool is_one = strncmp(argv[i], "--in=", 5) == 0;
        int first = is_one ? i : i + 1, at = first + 1;
        if ((!is_one && strcmp(argv[i], "--in") != 0) || at >= argc || !is_number(argv[at]))
            continue;
        const char *value = is_one ? argv[i] + 5 : argv[first];
        for (; at < argc && is_number(argv[at]); at++)
            value = arena_printf(&options->arena, "%s %s", value, argv[at]);
        *out_exit = cli_usage_error(
            options, "`%s` belongs to --in, whose value stands in quotes: --in \"%s\"",
            argv[first + 1], value);
        return true;
    }
    return false;
}
