/* Arguments of calls of functions that the script defines, by position or by the names of their parameters. */
#include "frontend/tvmscript/relax.h"

#include <string.h>

void relax_refuse_argument(struct relax *r, const struct ast *a)
{
    if (a->kind == AST_STARRED) {
        diag_report(r->f->diag, a->loc, PYTHON_STARRED, "*");
        return;
    }
    struct diag_message *m = diag_report(r->f->diag, a->name_loc, ARG_UNKNOWN, a->name);
    diag_help(m, "the function says no names of its parameters: their places say which they are");
    diag_help_edit(m, a->loc, "%.*s", LOCATION_TEXT(a->items[0]->loc));
    diag_help_unsure(m);
}

/* The names of the parameters of @def, with NULL behind them. */
static const char *const *parameter_names(struct relax *r, const struct ast *def)
{
    const char **names = arena_array(&r->f->arena, const char *, def->item_count + 1);

    for (unsigned i = 0; i < def->item_count; i++)
        names[i] = def->items[i]->name;
    names[def->item_count] = NULL;
    return names;
}

/* Which parameter of @names the keyword @name is; it is one. */
static unsigned place_of(const char *const *names, const char *name)
{
    unsigned place = 0;

    while (names[place] != name)
        place++;
    return place;
}

static const struct ast *keyword_of(const struct ast *call, const char *name)
{
    for (unsigned i = call_positional_count(call) + 1; i < call->item_count; i++)
        if (call->items[i]->kind == AST_KEYWORD && call->items[i]->name == name)
            return call->items[i];
    return NULL;
}

/* `f(x, m=3)` where n is all that is left: it is meant.  False: it is something else. */
static bool report_only_left(struct relax *r, const struct ast *call, const char *const *names)
{
    const struct ast *unknown = NULL;
    const char *left = NULL;
    unsigned left_count = 0, known = 0;

    for (unsigned i = call_positional_count(call); names[i]; i++) {
        bool is_given = keyword_of(call, names[i]) != NULL;
        known += is_given;
        left_count += !is_given;
        left = is_given ? left : names[i];
    }
    for (unsigned i = call_positional_count(call) + 1; i < call->item_count && !unknown; i++) {
        bool is_known = false;
        for (unsigned k = 0; names[k]; k++)
            is_known |= names[k] == call->items[i]->name;
        unknown = is_known ? NULL : call->items[i];
    }
    if (left_count != 1 || !unknown || call_positional_count(call) + known + 2 != call->item_count)
        return false;
    struct diag_message *m = diag_report(r->f->diag, unknown->name_loc, ARG_UNKNOWN, unknown->name);
    diag_help(m, "`%s` is the one that is left", left);
    diag_help_edit(m, unknown->name_loc, "%s", left);
    return true;
}

/* Is each of @count parameters given?  Reports the first that is not. */
static bool has_all(struct relax *r, const struct ast *call, const char *const *names,
                    struct ir_value *const *values, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (values[i] == NULL) {
            diag_report(r->f->diag, call->loc, ARG_MISSING, names[i]);
            return false;
        }
    return true;
}

bool relax_call_operands(struct relax *r, const struct ast *call, const struct ast *def,
                         struct ir_value ***out_values, unsigned *out_count)
{
    unsigned given = call->item_count - 1, positional = call_positional_count(call);

    *out_count = def != NULL && positional < given ? def->item_count : given;
    *out_values = arena_array(&r->f->arena, struct ir_value *, *out_count + 1);
    if (def == NULL || positional == given)
        return relax_operands(r, call->items + 1, given, *out_values);
    const char *const *names = parameter_names(r, def);
    if (!call_refuse_unnamed(r->f, call))
        return false;
    if ((positional <= def->item_count && report_only_left(r, call, names)) ||
        !call_check_args(r->f, call, def->item_count, names))
        return false;
    bool ok = relax_operands(r, call->items + 1, positional, *out_values);
    for (unsigned i = positional + 1; i < call->item_count; i++) { /* in the order of the text */
        const struct ast *keyword = call->items[i];
        struct ir_value *value = relax_operand(r, keyword->items[0]);
        (*out_values)[place_of(names, keyword->name)] = value;
        ok = ok && value != NULL;
    }
    return ok && has_all(r, call, names, *out_values, *out_count);
}
