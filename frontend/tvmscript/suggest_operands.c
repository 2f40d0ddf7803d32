/* Operands of operators of a graph that are put together otherwise: R.add(a + b), R.add((a, b)), R.max(a, b). */
#include "frontend/tvmscript/internal.h"
#include "ops/ids.h"

#include <string.h>

/* Operators of Python, and what they are called. */
static const struct {
    enum ast_op op;
    const char *name, *sign;
} joined[] = {
    {AST_ADD, "add", "+"},           {AST_SUB, "subtract", "-"},
    {AST_MUL, "multiply", "*"},      {AST_DIV, "divide", "/"},
    {AST_POW, "power", "**"},        {AST_MATMUL, "matmul", "@"},
    {AST_MOD, "floor_mod", "%"},     {AST_LT, "less", "<"},
    {AST_LE, "less_equal", "<="},    {AST_GT, "greater", ">"},
    {AST_GE, "greater_equal", ">="}, {AST_EQ, "equal", "=="},
    {AST_NE, "not_equal", "!="},     {AST_FLOORDIV, "floor_divide", "//"},
};

/* The sign between the operands of @a, with the blanks around it; nowhere: it is not that of @name. */
static struct location sign_of(const struct ast *a, const char *name)
{
    bool is_comparison = a->kind == AST_COMPARE && a->item_count == 2;
    enum ast_op op = is_comparison ? a->ops[0] : a->op;

    if (!is_comparison && a->kind != AST_BINARY)
        return (struct location){0};
    struct location sign = {a->loc.source, a->items[0]->loc.end, a->items[1]->loc.begin};
    const char *text = sign.source->text + sign.begin;
    size_t blanks = strspn(text, " ");
    for (size_t i = 0; i < ARRAY_SIZE(joined); i++) {
        size_t length = strlen(joined[i].sign);
        if (joined[i].op != op || strcmp(joined[i].name, name) != 0)
            continue;
        bool is_alone =
            strncmp(text + blanks, joined[i].sign, length) == 0 &&
            blanks + length + strspn(text + blanks + length, " ") == sign.end - sign.begin;
        return is_alone ? sign : (struct location){0};
    }
    return (struct location){0};
}

void help_joined(struct diag_message *m, const struct ast *call, const struct ir_op_info *info)
{
    const struct ast *only = call->item_count == 2 ? call->items[1] : NULL;
    bool takes_two = info->param_count >= 2 && info->params[0].kind == IR_PARAM_EXPR &&
                     info->params[1].kind == IR_PARAM_EXPR;

    if (!only || !takes_two)
        return;
    struct location sign = sign_of(only, info->name);
    if (sign.source) {
        diag_help(m, "its operands are arguments");
        diag_help_edit(m, sign, ", ");
    } else if ((only->kind == AST_TUPLE || only->kind == AST_LIST) && only->item_count > 1 &&
               only->item_count <= info->param_count) {
        const struct ast *last = only->items[only->item_count - 1];
        diag_help(m, "its operands stand in no list");
        diag_help_edit(m, only->loc, "%.*s",
                       LOCATION_TEXT(location_join(only->items[0]->loc, last->loc)));
    }
}

static bool is_value(const struct frontend *f, const struct ast *a)
{
    const struct name *name = a->kind == AST_NAME ? scope_find(f, a->name) : NULL;

    return a->kind == AST_CALL || a->kind == AST_SUBSCRIPT || (name && name->kind == NAME_VALUE);
}

bool report_two_operands(struct frontend *f, const struct ast *call, const struct ir_op_info *info)
{
    bool is_max = info->library_id == OP_max, is_min = info->library_id == OP_min;

    if (!(is_max || is_min) || call_positional_count(call) != 2 || !is_value(f, call->items[2]))
        return false;
    struct diag_message *m =
        diag_report(f->diag, call->items[2]->loc, OP_ARGUMENT_KIND, info->params[1].name,
                    info->name, "a list of integers", "a value");
    const char *meant = is_max ? "R.maximum" : "R.minimum";
    diag_help(m, "of two tensors it is `%s`", meant);
    diag_help_edit(m, call->items[0]->loc, "%s", meant);
    return true;
}
