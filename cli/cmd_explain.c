/* inlay explain: the page of a diagnostic, of a reason for an in-place decision, or of a remark. */
#include "analysis/inplace.h"
#include "analysis/remark.h"
#include "base/diag_pages.h"
#include "base/util.h"
#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

static const struct reason {
    unsigned number;
    const char *meaning, *help;
} reasons[] = {
#define PAGE(id, meaning, help) {IP_##id, meaning, help},
#include "analysis/inplace_pages.def"
};

_Static_assert(ARRAY_SIZE(reasons) == 0
#define REASON(number, id, text) +1
#include "analysis/inplace.def"
               ,
               "each reason has a page");

static const char *reason_title(unsigned number)
{
    switch (number) {
#define REASON(number, id, text) \
    case number:                 \
        return text;
#include "analysis/inplace.def"
    default:
        return NULL;
    }
}

/* IP004, ip4; NULL if there is no such reason. */
static const struct reason *find_reason(const char *text)
{
    char *end;

    if (strncasecmp(text, "IP", 2) != 0 || text[2] < '0' || text[2] > '9')
        return NULL;
    unsigned long number = strtoul(text + 2, &end, 10);
    for (size_t i = 0; !*end && i < ARRAY_SIZE(reasons); i++)
        if (reasons[i].number == number)
            return &reasons[i];
    return NULL;
}

/* LP014, fu10; REMARK_NONE if there is no such remark. */
static enum remark_id find_remark(const char *text)
{
    char *end;
    unsigned topic = 0;

    while (topic < REMARK_TOPICS && strncasecmp(text, remark_topics[topic], 2) != 0)
        topic++;
    if (topic == REMARK_TOPICS || text[2] < '0' || text[2] > '9')
        return REMARK_NONE;
    unsigned long number = strtoul(text + 2, &end, 10);
    for (enum remark_id id = REMARK_NONE + 1; !*end && id < REMARK_COUNT; id++)
        if ((unsigned)remark_table[id].topic == topic && remark_table[id].number == number)
            return id;
    return REMARK_NONE;
}

static void put_remark(enum remark_id id)
{
    const struct remark_info *info = &remark_table[id];

    printf("# %s%03u: %s\n\n", remark_topics[info->topic], info->number, info->text);
    if (*info->help)
        printf("What helps: %s.\n\n", info->help);
    printf("`inlay why FILE --%s` shows where; docs/remarks.md tells of all.\n",
           remark_options[info->topic]);
}

static void put_reason(const struct reason *reason)
{
    printf("# IP%03u: %s\n\n%s\n\n%s\n\n`inlay why FILE` shows where; docs/inplace.md has all "
           "conditions.\n",
           reason->number, reason_title(reason->number), reason->meaning, reason->help);
}

int command_explain(const struct cli_options *options)
{
    for (size_t i = 0; i < options->arguments.count; i++)
        if (!find_code(options->arguments.items[i]) && !find_reason(options->arguments.items[i]) &&
            !find_remark(options->arguments.items[i]))
            return cli_usage_error(
                options, "there is no diagnostic `%s`; `inlay list diagnostics` shows all",
                options->arguments.items[i]);
    for (size_t i = 0; i < options->arguments.count; i++) {
        const struct reason *reason = find_reason(options->arguments.items[i]);
        const struct diag_info *info = find_code(options->arguments.items[i]);
        const char *page = info ? diag_page(info->id) : NULL;
        if (i)
            putchar('\n');
        enum remark_id remark = find_remark(options->arguments.items[i]);
        if (reason)
            put_reason(reason);
        else if (remark != REMARK_NONE)
            put_remark(remark);
        else if (page)
            fputs(page, stdout);
        else
            printf("# E%04d: %s\n", (int)info->id, info->title);
    }
    return CLI_OK;
}
