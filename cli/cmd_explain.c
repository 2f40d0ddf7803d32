/* inlay explain: the page of a diagnostic. */
#include "base/diag_pages.h"
#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* E0301, e301 or 301; NULL if there is no such code. */
static const struct diag_info *find_code(const char *text)
{
    char *end;
    if (*text == 'E' || *text == 'e')
        text++;
    if (*text < '0' || *text > '9')
        return NULL;
    unsigned long number = strtoul(text, &end, 10);
    for (size_t i = 0; !*end && i < diag_table_count; i++)
        if ((unsigned long)diag_table[i].id == number)
            return &diag_table[i];
    return NULL;
}

int command_explain(const struct cli_options *options)
{
    for (size_t i = 0; i < options->arguments.count; i++)
        if (!find_code(options->arguments.items[i]))
            return cli_usage_error(
                options, "there is no diagnostic `%s`; `inlay list diagnostics` shows all",
                options->arguments.items[i]);
    for (size_t i = 0; i < options->arguments.count; i++) {
        const struct diag_info *info = find_code(options->arguments.items[i]);
        const char *page = diag_page(info->id);
        if (i)
            putchar('\n');
        if (page)
            fputs(page, stdout);
        else
            printf("# E%04d: %s\n", (int)info->id, info->title);
    }
    return CLI_OK;
}
