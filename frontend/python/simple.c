/* Statements of one line: assignments, expressions, return, assert, imports. */
#include "frontend/python/parser.h"

#include <string.h>

static const enum ast_op augmented_ops[TOKEN_COUNT] = {
    [TOKEN_PLUS_ASSIGN] = AST_ADD,         [TOKEN_MINUS_ASSIGN] = AST_SUB,
    [TOKEN_STAR_ASSIGN] = AST_MUL,         [TOKEN_POWER_ASSIGN] = AST_POW,
    [TOKEN_SLASH_ASSIGN] = AST_DIV,        [TOKEN_DOUBLE_SLASH_ASSIGN] = AST_FLOORDIV,
    [TOKEN_PERCENT_ASSIGN] = AST_MOD,      [TOKEN_AT_ASSIGN] = AST_MATMUL,
    [TOKEN_SHL_ASSIGN] = AST_SHL,          [TOKEN_SHR_ASSIGN] = AST_SHR,
    [TOKEN_AMPERSAND_ASSIGN] = AST_BITAND, [TOKEN_PIPE_ASSIGN] = AST_BITOR,
    [TOKEN_CARET_ASSIGN] = AST_BITXOR,
};

static const char *kind_for_target(const struct ast *a)
{
    switch (a->kind) {
    case AST_CALL:
        return "the result of a call";
    case AST_INT:
    case AST_FLOAT:
    case AST_STRING:
    case AST_TRUE:
    case AST_FALSE:
    case AST_NONE:
    case AST_DICT:
        return "a literal";
    case AST_COMPARE:
        return "a comparison";
    default:
        return "an expression";
    }
}

/* `b(i, j) = ..` for b[i, j]. */
static void help_brackets(struct diag_message *m, const struct ast *call)
{
    struct location rest = {call->loc.source, call->items[0]->loc.end, call->loc.end};

    if (call->items[0]->kind != AST_NAME || call->item_count < 2)
        return;
    for (unsigned i = 1; i < call->item_count; i++)
        if (call->items[i]->kind == AST_KEYWORD || call->items[i]->kind == AST_STARRED)
            return;
    struct location inner = {rest.source, rest.begin + 1, rest.end - 1};
    diag_help(m, "an element is written in square brackets");
    diag_help_edit(m, rest, "[%.*s]", LOCATION_TEXT(inner));
}

bool parse_check_target(struct parser *p, const struct ast *a)
{
    switch (a->kind) {
    case AST_NAME:
    case AST_SUBSCRIPT:
    case AST_ATTRIBUTE:
        return true;
    case AST_TUPLE:
    case AST_LIST:
        for (unsigned i = 0; i < a->item_count; i++)
            if (!parse_check_target(p, a->items[i]))
                return false;
        return true;
    default: {
        struct diag_message *m = diag_report(p->diag, a->loc, SYNTAX_TARGET, kind_for_target(a));
        if (a->kind == AST_COMPARE && parser_line_start(p)->kind == TOKEN_FOR)
            parser_help_loop(p, m);
        else if (a->kind == AST_COMPARE)
            diag_help(m, "`=` assigns and `==` compares");
        else if (a->kind == AST_CALL)
            help_brackets(m, a);
        return false;
    }
    }
}

static struct ast *finish_assignment(struct parser *p, enum ast_kind kind, struct ast *target,
                                     struct ast *annotation, struct ast *value)
{
    struct ast *node = node_new(p, kind, target->loc);
    size_t mark = p->stack.count;

    array_push(&p->stack, target);
    if (kind == AST_ANN_ASSIGN)
        array_push(&p->stack, annotation);
    array_push(&p->stack, value);
    node_extend(p, node);
    return node_finish(p, node, mark);
}

static struct ast *parse_annotated(struct parser *p, struct ast *target)
{
    struct ast *value = NULL;

    parser_take(p, TOKEN_COLON);
    struct ast *annotation = parse_expression(p);
    if (!annotation || !parse_check_target(p, target))
        return NULL;
    if (parser_take(p, TOKEN_ASSIGN) && !(value = parse_expression_list(p)))
        return NULL;
    return finish_assignment(p, AST_ANN_ASSIGN, target, annotation, value);
}

/* `a = b = c`, read up to the second sign, as two lines. */
static void help_split(struct parser *p, struct diag_message *m, const struct ast *first,
                       const struct ast *second)
{
    struct location line = location_whole_line(first->loc), rest = second->loc;

    p->token++;
    struct ast *value = parse_expression_list(p);
    if (!value || !parser_at(p, TOKEN_NEWLINE) || second->kind != AST_NAME)
        return;
    rest.begin = first->loc.begin;
    rest.end = p->token[-1].end;
    diag_help_edit(m, rest, "%s = %.*s\n%.*s%.*s = %s", second->name, LOCATION_TEXT(value->loc),
                   (int)(first->loc.begin - line.begin), line.source->text + line.begin,
                   LOCATION_TEXT(first->loc), second->name);
}

/* `x[i] =- y`, as people type it that mean `-=`; nobody writes a minus so. */
static void check_sign_behind(struct parser *p, const struct ast *target)
{
    const struct token *sign = p->token + 1;
    bool is_sign = sign->kind == TOKEN_MINUS || sign->kind == TOKEN_PLUS;

    if (!is_sign || sign->begin != p->token->end || sign->end == sign[1].begin)
        return;
    char c = p->source->text[sign->begin];
    struct location both = {p->source, p->token->begin, sign->end};
    struct diag_message *m = diag_report(p->diag, both, SYNTAX_SIGN_BEHIND, c, c);
    diag_help(m, c == '-' ? "to subtract from what is there" : "to add to what is there");
    diag_help_edit(m, both, "%c=", c);
    if (target->kind != AST_SUBSCRIPT)
        diag_help_unsure(m);
}

static struct ast *parse_assignment(struct parser *p, struct ast *target)
{
    struct location sign = parser_loc(p, *p->token);

    check_sign_behind(p, target);
    parser_take(p, TOKEN_ASSIGN);
    struct ast *value = parse_expression_list(p);
    if (!value || !parse_check_target(p, target))
        return NULL;
    if (parser_at(p, TOKEN_ASSIGN)) {
        struct diag_message *m = diag_report(p->diag, parser_loc(p, *p->token), PYTHON_CHAIN);
        diag_label(m, sign, "the first one");
        diag_help(m, "write one statement for each target");
        help_split(p, m, target, value);
        return NULL;
    }
    return finish_assignment(p, AST_ASSIGN, target, NULL, value);
}

struct ast *parse_expression_statement(struct parser *p)
{
    struct ast *first = parse_expression_list(p);

    if (!first)
        return NULL;
    enum ast_op op = augmented_ops[p->token->kind];
    if (op != AST_OP_NONE) {
        p->token++;
        struct ast *value = parse_expression_list(p);
        if (!value || !parse_check_target(p, first))
            return NULL;
        struct ast *node = finish_assignment(p, AST_AUG_ASSIGN, first, NULL, value);
        if (node)
            node->op = op;
        return node;
    }
    if (parser_at(p, TOKEN_COLON))
        return parse_annotated(p, first);
    if (parser_at(p, TOKEN_ASSIGN))
        return parse_assignment(p, first);
    return node_one(p, node_new(p, AST_EXPR, first->loc), first);
}

struct ast *parse_return(struct parser *p)
{
    struct ast *node = statement_new(p, AST_RETURN);
    struct ast *value = NULL;

    if (!parser_at(p, TOKEN_NEWLINE) && !parser_at(p, TOKEN_SEMICOLON)) {
        value = parse_expression_list(p);
        if (!value)
            return NULL;
    }
    node_extend(p, node);
    return node_one(p, node, value);
}

struct ast *parse_assert(struct parser *p)
{
    struct ast *node = statement_new(p, AST_ASSERT);
    struct ast *condition = parse_expression(p), *message = NULL;

    if (!condition || (parser_take(p, TOKEN_COMMA) && !(message = parse_expression(p))))
        return NULL;
    node_extend(p, node);
    return node_with(p, node, condition, message);
}

/* --- imports --- */

/* a.b.c: its text as an atom. */
static const char *parse_dotted(struct parser *p)
{
    uint32_t begin = p->token->begin;
    struct location loc;

    while (parser_take(p, TOKEN_DOT) || parser_take(p, TOKEN_ELLIPSIS))
        ; /* relative: the name stays unknown */
    do
        if (!parser_name(p, &loc))
            return NULL;
    while (parser_take(p, TOKEN_DOT));
    return atom_intern(p->atoms, p->source->text + begin, p->token[-1].end - begin);
}

static bool parse_alias(struct parser *p, struct ast *import)
{
    struct location loc;

    if (parser_take(p, TOKEN_AS) && !(import->alias = parser_name(p, &loc)))
        return false;
    node_extend(p, import);
    array_push(&p->stack, import);
    return true;
}

/* Each name that is imported is one statement; all but the last go to the stack here. */
struct ast *parse_import(struct parser *p)
{
    bool is_from = parser_at(p, TOKEN_FROM);
    struct location loc = parser_loc(p, *p->token++);
    const char *from = NULL;
    bool is_parenthesized = false;

    if (is_from) {
        if (!(from = parse_dotted(p)) || !parser_expect(p, TOKEN_IMPORT))
            return NULL;
        is_parenthesized = parser_take(p, TOKEN_LPAREN);
    }
    do {
        struct ast *import = node_new(p, AST_IMPORT, loc);
        import->name_loc = parser_loc(p, *p->token);
        if (is_parenthesized && parser_at(p, TOKEN_RPAREN))
            break;
        if (!is_from) {
            import->string = parse_dotted(p);
            import->name_loc.end = p->token[-1].end;
        } else if (parser_take(p, TOKEN_STAR))
            import->name = atom_intern_text(p->atoms, "*");
        else
            import->name = parser_name(p, &import->name_loc);
        if (is_from)
            import->string = from;
        if (!import->string || (is_from && !import->name) || !parse_alias(p, import))
            return NULL;
        import->length = strlen(import->string);
    } while (parser_take(p, TOKEN_COMMA));
    if (is_parenthesized && !parser_expect(p, TOKEN_RPAREN))
        return NULL;
    return array_pop(&p->stack);
}
