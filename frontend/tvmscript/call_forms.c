/* Functions of a fixed form are given their arguments, and no others: the table call_forms.def. */
#include "frontend/tvmscript/internal.h"

#include <string.h>

enum { MOST_PARAMETERS = 4 };

static const struct call_form {
    const char *function;
    const char *parameters[MOST_PARAMETERS + 1]; /* NULL ends them */
} call_forms[] = {
#define CALL_FORM(function, ...) {function, {__VA_ARGS__}},
#include "frontend/tvmscript/call_forms.def"
};

static const struct call_form *find_form(struct frontend *f, const struct ast *call)
{
    const char *name = callee_name(f, call);

    for (size_t i = 0; name && i < ARRAY_SIZE(call_forms); i++)
        if (strcmp(call_forms[i].function, name) == 0)
            return &call_forms[i];
    return NULL;
}

/* Is `0,5` at @left and @right, where everything else has a blank behind its comma? */
static bool is_decimal_comma(const struct ast *left, const struct ast *right)
{
    const char *text = left->loc.source->text;
    uint32_t begin = left->loc.end;

    while (begin > left->loc.begin && text[begin - 1] >= '0' && text[begin - 1] <= '9')
        begin--; /* the number that `x * 0,5` ends with */
    bool is_number =
        begin < left->loc.end && (begin == left->loc.begin || strchr(" *+-/(", text[begin - 1]));
    return is_number && right->kind == AST_INT && right->loc.begin == left->loc.end + 1 &&
           text[left->loc.end] == ',' &&
           strspn(text + right->loc.begin, "0123456789") == right->loc.end - right->loc.begin;
}

/* The one `0,5` among the arguments of @call, of which it has one more than @most: the number in front; NULL: there is none. */
static const struct ast *find_decimal_comma(const struct ast *call, unsigned most)
{
    const struct ast *found = NULL;
    unsigned count = 0;

    for (unsigned i = 1; i + 1 < call->item_count; i++)
        if (is_decimal_comma(call->items[i], call->items[i + 1])) {
            found = call->items[i];
            count++;
        }
    return count == 1 && call_positional_count(call) == most + 1 ? found : NULL;
}

struct location decimal_comma_place(const struct ast *call, unsigned most, struct location other)
{
    const struct ast *found = find_decimal_comma(call, most);

    return found ? (struct location){found->loc.source, found->loc.end, found->loc.end + 1} : other;
}

void help_decimal_comma(struct diag_message *m, const struct ast *call, unsigned most)
{
    if (!find_decimal_comma(call, most))
        return;
    diag_help(m, "the decimals of a number stand behind a `.`");
    diag_help_edit(m, decimal_comma_place(call, most, call->loc), ".");
}

static const char *takes_text(struct frontend *f, unsigned count)
{
    return count ? arena_printf(&f->arena, "%u argument%s", count, count == 1 ? "" : "s")
                 : "no argument";
}

bool call_check_form(struct frontend *f, const struct ast *call)
{
    const struct call_form *form = call->kind == AST_CALL ? find_form(f, call) : NULL;
    unsigned count = 0, given = call_positional_count(call);

    if (!form)
        return true;
    while (form->parameters[count])
        count++;
    if (given <= count)
        return call_check_args(f, call, count, form->parameters);
    struct location surplus = decimal_comma_place(
        call, count, location_join(call->items[count + 1]->loc, call->items[given]->loc));
    help_decimal_comma(diag_report(f->diag, surplus, KERNEL_CALL_COUNT, form->function,
                                   takes_text(f, count), given),
                       call, count);
    return false;
}
