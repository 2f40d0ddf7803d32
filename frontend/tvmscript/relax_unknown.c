/* R.<operator>(..) of an operator that is not there: what was meant, by its name and by the arguments. */
#include "base/text.h"
#include "frontend/tvmscript/relax.h"

#include <string.h>

/* Are the arguments of @call as many as R.@name takes, and called as its own? */
static bool takes(struct relax *r, const char *name, const struct ast *call)
{
    const struct ir_op_info *info = ir_find_op(r->f->context, name);
    unsigned positional = call_positional_count(call), fixed = 0;
    bool is_variadic = false, is_fit = info != NULL;

    for (unsigned i = 0; info && i < info->param_count; i++) {
        is_variadic |= info->params[i].is_variadic;
        fixed += !info->params[i].is_variadic;
    }
    for (unsigned i = positional + 1; is_fit && i < call->item_count; i++) {
        is_fit = false;
        for (unsigned k = 0; !is_fit && k < info->param_count; k++)
            is_fit =
                call->items[i]->name && strcmp(info->params[k].name, call->items[i]->name) == 0;
    }
    return is_fit && (positional <= fixed || is_variadic);
}

/* `reluu`: @typed has a letter of @name twice. */
static bool is_doubled(const char *typed, const char *name)
{
    const char *dot = strrchr(name, '.'), *word = dot ? dot + 1 : name;

    if (!has_one_more(typed, word))
        return false;
    while (*word && *typed == *word)
        typed++, word++;
    return *typed == typed[-1];
}

/* Leaves of @count operators those that take the arguments of @call, unless none does. */
static unsigned keep_taking(struct relax *r, const char **names, unsigned count,
                            const struct ast *call)
{
    unsigned kept = 0;

    for (unsigned i = 0; i < count; i++)
        if (is_doubled(callee_name(r->f, call) + 2, names[i])) {
            names[0] = names[i];
            return 1;
        }
    for (unsigned i = 0; i < count; i++)
        if (takes(r, names[i], call))
            names[kept++] = names[i];
    return kept ? kept : count;
}

struct ir_value *relax_unknown_operator(struct relax *r, const struct ast *call, const char *name)
{
    static const char *const forms[] = {"func_attr",  "output", "dataflow", "match_cast",
                                        "prim_value", "const",  "shape",    NULL};
    const char *nearest[3];
    struct diag_message *m = diag_report(r->f->diag, call->items[0]->loc, OP_UNKNOWN, name);
    const char *word = strrchr(name, '.') != NULL ? strrchr(name, '.') + 1 : name;
    const char *meant = operator_of_word(r->f, word);
    if (relax_help_transpose(r, m, call, word))
        return NULL;
    if (call->item_count == 2 && call->items[1]->kind == AST_DICT) {
        diag_help(m, "attributes of the function are set by `R.func_attr`");
        diag_help_edit(m, call->items[0]->loc, "R.func_attr");
        return NULL;
    }
    if (help_near(m, word))
        return NULL;
    if (meant != NULL) {
        struct location place = callee_place(call);
        diag_help(m, "it is called `R.%s` here", meant);
        if (place.source)
            diag_help_edit(m, place, "R.%s", meant);
        return NULL;
    }
    const char *form = relax_nearest_form(r, name, forms);
    if (form != NULL) {
        diag_help(m, "did you mean `R.%s`?", form);
        diag_help_edit(m, call->items[0]->name_loc, "%s", form);
        return NULL;
    }
    unsigned count = ir_nearest_ops(r->f->context, name, nearest, ARRAY_SIZE(nearest));
    if (count > 1 && count < ARRAY_SIZE(nearest) && !relax_is_clearly(name, nearest[0], nearest[1]))
        count = keep_taking(r, nearest, count, call);
    if (count == 1 || (count > 1 && relax_is_clearly(name, nearest[0], nearest[1]))) {
        diag_help(m, "did you mean `R.%s`?", nearest[0]);
        diag_help_edit(m, call->items[0]->loc, "R.%s", nearest[0]);
    } else if (count == 0)
        help_nearest(m, call->items[0]->name_loc, name, forms, "R.");
    else if (count == 2) {
        for (unsigned i = 0; i < count; i++) {
            diag_help(m, i ? "or `R.%s`?" : "did you mean `R.%s`?", nearest[i]);
            diag_help_edit(m, call->items[0]->loc, "R.%s", nearest[i]);
        }
    } else if (count > 2)
        diag_help(m, "did you mean `R.%s`, `R.%s` or `R.%s`?", nearest[0], nearest[1], nearest[2]);
    return NULL;
}
