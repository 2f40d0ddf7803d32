/* The edit of a loop that runs further than what it indexes: in the text, where both ends are literals. */
#include "analysis/lint/lint.h"

#include <ctype.h>
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

/* `for i, j in T.grid(8, 4)` for what is 4 x 8. */
static bool help_swapped(struct diag_message *m, struct location call, const struct ir_var *var,
                         const struct ir_var *other)
{
    struct location mine = location_argument(call, target_number(var->loc), NULL);
    struct location its = location_argument(call, target_number(other->loc), NULL);

    if (mine.begin == call.begin || its.begin == call.begin)
        return false;
    diag_help(m, "`%s` runs as far as `%s` should", var->name, other->name);
    diag_help_swap(m, mine.begin < its.begin ? mine : its, mine.begin < its.begin ? its : mine);
    return true;
}

struct location lint_loop_extent(const struct ir_var *var)
{
    struct location call = iterable_of(var->loc);
    struct location mine = call;

    if (call.source)
        mine = location_argument(call, target_number(var->loc), NULL);
    return mine.begin == call.begin ? (struct location){0} : mine;
}

struct location lint_loop_stop(const struct ir_var *var)
{
    struct location call = iterable_of(var->loc);
    struct location word = call.source ? location_text_behind(call, "grid") : call;
    bool is_grid = word.source && word.end > word.begin && word.begin > call.begin;
    struct location second = call;

    if (call.source && !is_grid)
        second = location_argument(call, 1, NULL);
    return second.begin == call.begin ? lint_loop_extent(var) : second;
}

struct location lint_range_stop(const struct ir_var *var)
{
    struct location call = iterable_of(var->loc);
    struct location range = call.source ? location_text_behind(call, "range(") : call;
    struct location serial = call.source ? location_text_behind(call, "T.serial(") : call;

    bool is_range = (range.begin == call.begin && range.end < call.end) ||
                    (serial.begin == call.begin && serial.end < call.end);
    if (!call.source || !is_range || location_argument(call, 1, NULL).begin != call.begin)
        return (struct location){0};
    return location_argument(call, 0, NULL);
}

const char *lint_extent_word(const struct ir_expr *extent, unsigned *out_length)
{
    struct location loc = extent->loc;
    unsigned length = loc.source ? loc.end - loc.begin : 0;
    const char *text = length ? loc.source->text + loc.begin : NULL;

    for (unsigned i = 0; i < length; i++)
        if (!isalnum((unsigned char)text[i]) && text[i] != '_')
            return NULL;
    *out_length = length;
    return text;
}

/* `range(CAP)` of what is CH long: constants of the file, which are numbers here. */
static bool help_named(struct diag_message *m, const struct ir_range *loop, struct location mine,
                       const struct ir_expr *wants)
{
    unsigned length;
    const char *word = lint_extent_word(wants, &length);

    if (!word || mine.begin == mine.end)
        return false;
    diag_label(m, mine, "`%s` runs to below %lld", loop->var->name,
               (long long)loop->extent->int_value);
    diag_help(m, "all that `%s` indexes is `%.*s` long", loop->var->name, (int)length, word);
    diag_help_edit(m, mine, "%.*s", (int)length, word);
    return true;
}

bool lint_help_loop(struct diag_message *m, const struct ir_range *loop,
                    const struct ir_expr *wants, const struct ir_var *other)
{
    const struct ir_var *var = loop->var;
    struct location call = iterable_of(var->loc);
    char had[24];

    if (!call.source)
        return false;
    if (other)
        return help_swapped(m, call, var, other);
    struct location mine = location_argument(call, target_number(var->loc), NULL);
    snprintf(had, sizeof(had), "%lld", (long long)loop->extent->int_value);
    if (mine.begin == call.begin)
        return false;
    if (!says(mine, had))
        return help_named(m, loop, mine, wants);
    diag_help(m, "`%s` runs to below %s", var->name, had);
    diag_help_edit(m, mine, "%lld", (long long)wants->int_value);
    return true;
}

bool lint_help_order(struct diag_message *m, const struct ir_var *const *vars, const unsigned *from,
                     unsigned count)
{
    struct location call = iterable_of(vars[0]->loc), all = {0};
    struct text text = {0};
    bool is_known = call.source != NULL;

    for (unsigned i = 0; is_known && i < count; i++) {
        struct location place = location_argument(call, target_number(vars[i]->loc), NULL);
        struct location its = location_argument(call, target_number(vars[from[i]]->loc), NULL);
        is_known = target_number(vars[i]->loc) == i && place.begin != call.begin;
        all = i ? location_join(all, place) : place;
        text_printf(&text, "%s%.*s", i ? ", " : "", LOCATION_TEXT(its));
    }
    if (is_known) {
        diag_help(m, "in the order of what the loops index");
        diag_help_edit(m, all, "%s", text_string(&text));
    }
    text_finish(&text);
    return is_known;
}
