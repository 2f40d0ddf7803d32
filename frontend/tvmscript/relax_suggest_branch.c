/* Branches that give no value in the way of graphs, and would with one edit. */
#include "frontend/tvmscript/relax.h"

#include <string.h>

/* The blanks in front of @place, which stands alone in its line; "": it does not. */
static const char *indent_of(struct relax *r, struct location place)
{
    struct location line = location_whole_line(place);

    for (uint32_t at = line.begin; at < place.begin; at++)
        if (line.source->text[at] != ' ')
            return "";
    return arena_printf(&r->f->arena, "%*s", (int)(place.begin - line.begin), "");
}

void relax_help_else(struct relax *r, struct diag_message *m, const struct ast *a)
{
    const struct ast *last = a->body_count > 0 ? a->body[a->body_count - 1] : NULL;
    const struct ast *target = last && last->kind == AST_ASSIGN ? last->items[0] : NULL;
    const struct name *before =
        target && target->kind == AST_NAME ? scope_find(r->f, target->name) : NULL;

    diag_help(m, "add an `else` that binds the same name");
    if (!before || before->kind != NAME_VALUE)
        return;
    const char *outer = indent_of(r, a->loc), *inner = indent_of(r, last->loc);
    if (*outer && *inner)
        diag_help_edit(m, location_behind(last->loc), "\n%selse:\n%s%s = %s", outer, inner,
                       target->name, target->name);
}

/* The return with a value at the end of @body, on a line of its own; NULL: there is none. */
static const struct ast *return_in(struct ast *const *body, unsigned count)
{
    const struct ast *last = count > 0 ? body[count - 1] : NULL;

    return last && last->kind == AST_RETURN && last->item_count > 0 && last->items[0] ? last : NULL;
}

/* The name that the other branch ends with; NULL: it ends otherwise. */
static const char *name_bound_last(struct ast *const *body, unsigned count)
{
    const struct ast *last = count > 0 ? body[count - 1] : NULL;
    bool is_bound = last && (last->kind == AST_ASSIGN || last->kind == AST_ANN_ASSIGN);

    return is_bound && last->items[0]->kind == AST_NAME ? last->items[0]->name : NULL;
}

/* `return h` where the other branch ends with `last = ..`, and the function goes on with that. */
static bool report_one_return(struct relax *r, const struct ast *a, const struct ast *statement)
{
    bool is_first = a->body_count && a->body[a->body_count - 1] == statement;
    const char *name = is_first ? name_bound_last(a->orelse, a->orelse_count)
                                : name_bound_last(a->body, a->body_count);

    if (!name)
        return false;
    struct diag_message *m = diag_report(r->f->diag, statement->loc, GRAPH_RETURN_IN_BRANCH);
    diag_help(m, "the other branch binds `%s`, and the function goes on with it", name);
    diag_help_edit(m, statement->loc, "%s = %.*s", name, LOCATION_TEXT(statement->items[0]->loc));
    diag_help_unsure(m);
    r->has_failed = true;
    return true;
}

bool relax_report_returns(struct relax *r, const struct ast *a)
{
    const struct ast *first = return_in(a->body, a->body_count);
    const struct ast *second = return_in(a->orelse, a->orelse_count);

    if (!first != !second)
        return report_one_return(r, a, first ? first : second);
    if (!first)
        return false;
    struct diag_message *m = diag_report(r->f->diag, first->loc, GRAPH_RETURN_IN_BRANCH);
    diag_label(m, second->loc, "and in the other one");
    diag_help(m, "bind the value to one name in both branches and return that after them");
    struct location between = {first->loc.source, first->loc.end, second->loc.begin};
    const char *outer = indent_of(r, a->loc);
    if (r->branch_depth == 0 && *outer && !scope_find(r->f, "result"))
        diag_help_edit(m, location_join(first->loc, second->loc),
                       "result = %.*s%.*sresult = %.*s\n%sreturn result",
                       LOCATION_TEXT(first->items[0]->loc), LOCATION_TEXT(between),
                       LOCATION_TEXT(second->items[0]->loc), outer);
    r->has_failed = true;
    return true;
}

static bool is_read_behind(const struct ast *a, uint32_t end, const char *name)
{
    bool is_read = a->kind == AST_NAME && a->loc.begin >= end && a->name == name;

    for (unsigned i = 0; !is_read && i < a->item_count; i++)
        is_read = a->items[i] && is_read_behind(a->items[i], end, name);
    for (unsigned i = 0; !is_read && i < a->body_count; i++)
        is_read = is_read_behind(a->body[i], end, name);
    for (unsigned i = 0; !is_read && i < a->orelse_count; i++)
        is_read = is_read_behind(a->orelse[i], end, name);
    return is_read;
}

void relax_help_one_name(struct relax *r, struct diag_message *m, const struct ast *a,
                         const struct relax_branch ends[2])
{
    uint32_t end = a->orelse[a->orelse_count - 1]->loc.end;
    bool has_first = is_read_behind(r->f->function, end, ends[0].name);
    bool has_second = is_read_behind(r->f->function, end, ends[1].name);
    unsigned meant = has_second && !has_first;

    if (has_first != has_second)
        diag_help(m, "`%s` is read behind them", ends[meant].name);
    else
        diag_help(m, "give both one name");
    diag_help_edit(m, ends[1 - meant].loc, "%s", ends[meant].name);
}

/* `for i in range(n):` over a parameter that the function hands on counted: `if i < n:`; false: it is no such loop. */
static bool help_counted(struct relax *r, struct diag_message *m, const struct ast *a)
{
    const struct ast *target = a->items[0], *range = a->items[1], *def = r->f->function;
    bool is_parameter = false;

    for (unsigned i = 0; target->kind == AST_NAME && i < def->item_count; i++)
        is_parameter |= def->items[i]->name == target->name;
    if (!is_parameter || range->kind != AST_CALL || range->item_count != 2 ||
        range->items[0]->kind != AST_NAME || strcmp(range->items[0]->name, "range") != 0)
        return false;
    diag_help(m, "`%s` calls itself for the next turn: it asks once", def->name);
    diag_help_edit(m, (struct location){a->loc.source, a->loc.begin, range->loc.end},
                   "if %s < %.*s", target->name, LOCATION_TEXT(range->items[1]->loc));
    return true;
}

void relax_help_loop(struct relax *r, struct diag_message *m, const struct ast *a)
{
    const struct ast *last = a->body_count ? a->body[a->body_count - 1] : NULL;
    const struct ast *value = last && last->kind == AST_ASSIGN ? last->items[1] : NULL;
    const struct ast *callee = value && value->kind == AST_CALL ? value->items[0] : NULL;
    const struct ast *def = r->f->function;
    struct location word = {a->loc.source, a->loc.begin, a->loc.begin + 5};

    bool is_turn = callee && def && (callee->kind == AST_ATTRIBUTE || callee->kind == AST_NAME) &&
                   callee->name == def->name;
    if (a->kind == AST_FOR && is_turn && a->name_loc.source && help_counted(r, m, a))
        return;
    if (a->kind != AST_WHILE || !is_turn || !a->name_loc.source) {
        diag_help(m, "loops belong to kernels (@T.prim_func); here a private function takes turns "
                     "that calls itself last");
        return;
    }
    diag_help(m, "`%s` calls itself for the next turn: it asks once", def->name);
    diag_help_edit(m, word, "if");
}
