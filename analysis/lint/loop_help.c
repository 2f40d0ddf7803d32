/* The edit of a loop that runs further than what it indexes: in the text, where both ends are literals. */
#include "analysis/lint/lint.h"

#include <stdio.h>
#include <string.h>

/* The call behind `in` in the line in which the loop's variable is named; nowhere if there is none. */
static struct location iterable_of(struct location var)
{
    struct location line = location_whole_line(var);

    if (!line.source)
        return line;
    const char *text = line.source->text;
    while (line.end > line.begin && text[line.end - 1] != ')')
        line.end--;
    line.begin = var.end;
    struct location word = location_text_behind(line, " in ");
    if (word.begin <= line.begin - 1 || word.end >= line.end)
        return (struct location){0};
    line.begin = word.end;
    return line;
}

/* Which of `for i, j, k in` is at @var? */
static unsigned target_number(struct location var)
{
    struct location line = location_whole_line(var);
    unsigned number = 0;

    for (uint32_t at = line.begin; at < var.begin; at++)
        number += line.source->text[at] == ',';
    return number;
}

static bool says(struct location loc, const char *number)
{
    return loc.end - loc.begin == strlen(number) &&
           memcmp(loc.source->text + loc.begin, number, loc.end - loc.begin) == 0;
}

void lint_help_loop(struct diag_message *m, const struct ir_var *var, int64_t has, int64_t wants)
{
    struct location call = iterable_of(var->loc), other = {0};
    char had[24], wanted[24];

    if (!call.source)
        return;
    unsigned number = target_number(var->loc);
    struct location mine = location_argument(call, number, NULL);
    snprintf(had, sizeof(had), "%lld", (long long)has);
    snprintf(wanted, sizeof(wanted), "%lld", (long long)wants);
    if (!says(mine, had))
        return;
    for (unsigned i = 0; i < number + 8; i++) { /* T.grid(4, 8) for what is 8 x 4 */
        struct location item = location_argument(call, i, NULL);
        if (item.begin == call.begin)
            break;
        if (i != number && says(item, wanted) && !other.source)
            other = item;
    }
    diag_help(m, "`%s` runs to below %s", var->name, had);
    if (!other.source) {
        diag_help_edit(m, mine, "%s", wanted);
        return;
    }
    bool is_first = mine.begin < other.begin;
    struct location between = {mine.source, is_first ? mine.end : other.end,
                               is_first ? other.begin : mine.begin};
    diag_help_edit(m, is_first ? location_join(mine, other) : location_join(other, mine),
                   "%s%.*s%s", is_first ? wanted : had, LOCATION_TEXT(between),
                   is_first ? had : wanted);
}
