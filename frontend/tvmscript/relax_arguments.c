/* Arguments of calls of functions that the script defines, by position or by the names of their parameters. */
#include "frontend/tvmscript/relax.h"

#include <string.h>

/* `*params` of a tuple with a name: it may be meant as a whole, or its parts are written out. */
static void help_starred(struct relax *r, struct diag_message *m, const struct ast *a)
{
    const struct ast *inner = a->items[0];
    const struct name *name = inner->kind == AST_NAME ? scope_find(r->f, inner->name) : NULL;
    const struct ir_type *type = name && name->kind == NAME_VALUE ? name->value->type : NULL;
    const char *parts = "";

    if (!type || type->kind != IR_TYPE_TUPLE || type->field_count > 8)
        return;
    for (unsigned i = 0; i < type->field_count; i++)
        parts = arena_printf(&r->f->arena, "%s%s%s[%u]", parts, i ? ", " : "", inner->name, i);
    diag_help(m, "write its parts out");
    diag_help_edit(m, a->loc, "%s", parts);
}

bool relax_report_spread_list(struct relax *r, struct ast *const *items, unsigned count,
                              struct location list)
{
    const struct ast *inner =
        count == 1 && items[0]->kind == AST_STARRED ? items[0]->items[0] : NULL;

    if (!inner)
        return false;
    struct diag_message *m = diag_report(r->f->diag, items[0]->loc, PYTHON_STARRED, "*");
    diag_help(m, "a tuple stands as it is");
    if (inner->kind == AST_NAME && list.begin < items[0]->loc.begin)
        diag_help_edit(m, list, "%s", inner->name);
    return true;
}

void relax_refuse_argument(struct relax *r, const struct ast *a)
{
    if (a->kind == AST_STARRED) {
        help_starred(r, diag_report(r->f->diag, a->loc, PYTHON_STARRED, "*"), a);
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

/* `f(x, *params)` where a tuple is the parameter: it is given as a whole.  False: it is not so. */
static bool report_whole_tuple(struct relax *r, const struct ast *call, const struct ast *def)
{
    unsigned given = call->item_count - 1;

    if (!def || def->item_count != given || call_positional_count(call) != given)
        return false;
    for (unsigned i = 0; i < given; i++) {
        const struct ast *item = call->items[i + 1];
        const struct ast *type = def->items[i]->item_count ? def->items[i]->items[0] : NULL;
        if (item->kind != AST_STARRED || !type || type->kind != AST_CALL ||
            !is_dotted(r->f, type->items[0], "R.Tuple"))
            continue;
        struct location sign = {item->loc.source, item->loc.begin, item->items[0]->loc.begin};
        struct diag_message *m = diag_report(r->f->diag, item->loc, PYTHON_STARRED, "*");
        diag_label(m, def->items[i]->name_loc.source ? def->items[i]->name_loc : def->items[i]->loc,
                   "a tuple");
        diag_help(m, "`%s` takes it as a whole", def->name);
        diag_help_edit(m, sign, "%s", "");
        return true;
    }
    return false;
}

bool relax_call_operands(struct relax *r, const struct ast *call, const struct ast *def,
                         struct ir_value ***out_values, unsigned *out_count)
{
    unsigned given = call->item_count - 1, positional = call_positional_count(call);

    *out_count = def != NULL && positional < given ? def->item_count : given;
    *out_values = arena_array(&r->f->arena, struct ir_value *, *out_count + 1);
    if (report_whole_tuple(r, call, def))
        return false;
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
