/*
 * The parser of the Python subset: its cursor over the tokens, making of nodes, and the entry.
 *
 * Recursive descent.  A function that fails has reported it and returns NULL; the statement that
 * fails is left out, and parsing goes on with the next one.
 */
#include "frontend/python/parser.h"

#include <string.h>

struct location parser_loc(const struct parser *p, struct token token)
{
    return (struct location){p->source, token.begin, token.end};
}

bool parser_at(const struct parser *p, enum token_kind kind)
{
    return p->token->kind == kind;
}

bool parser_take(struct parser *p, enum token_kind kind)
{
    if (!parser_at(p, kind))
        return false;
    if (kind != TOKEN_END)
        p->token++;
    return true;
}

static const char *describe(struct parser *p, struct token token)
{
    switch (token.kind) {
    case TOKEN_NAME:
    case TOKEN_INT:
    case TOKEN_FLOAT:
        return arena_printf(p->arena, "`%.*s`", (int)(token.end - token.begin),
                            p->source->text + token.begin);
    default:
        return token_kind_name(token.kind);
    }
}

struct ast *parser_expected(struct parser *p, const char *what)
{
    struct location loc = parser_loc(p, *p->token);

    /* something in this line was reported already */
    for (const struct token *t = p->token; t->kind != TOKEN_END; t++) {
        if (t->kind == TOKEN_ERROR)
            return NULL;
        if (t->kind == TOKEN_NEWLINE)
            break;
    }
    if (parser_at(p, TOKEN_WALRUS)) {
        parser_help_walrus(p, what, diag_report(p->diag, loc, PYTHON_WALRUS));
        return NULL;
    }
    if (parser_at(p, TOKEN_FOR)) {
        struct diag_message *m = diag_report(p->diag, loc, PYTHON_COMPREHENSION);
        diag_help(m, "write the elements out");
        return NULL;
    }
    const char *step = parser_step_name(p);
    const struct token *increment = parser_increment(p);
    const char *found = step ? step : parser_turned_sign(p);
    if (increment && !found)
        found = increment->kind == TOKEN_PLUS ? "`++`" : "`--`";
    if (!found)
        found = describe(p, *p->token);
    if (!parser_report_misspelt(p, what))
        parser_help_expected(p, what,
                             diag_report(p->diag, parser_sign_place(p), SYNTAX_EXPECTED,
                                         step ? "an assignment" : what, found));
    return NULL;
}

bool parser_expect(struct parser *p, enum token_kind kind)
{
    if (parser_take(p, kind))
        return true;
    parser_expected(p, token_kind_name(kind));
    return false;
}

const char *parser_atom(struct parser *p, struct token token)
{
    return atom_intern(p->atoms, p->source->text + token.begin, token.end - token.begin);
}

const char *parser_name(struct parser *p, struct location *out_loc)
{
    struct token token = *p->token;

    if (!parser_expect(p, TOKEN_NAME))
        return NULL;
    *out_loc = parser_loc(p, token);
    return parser_atom(p, token);
}

static void report_nesting(struct parser *p, struct location loc)
{
    struct diag_message *m = diag_report(p->diag, loc, SYNTAX_NESTING, AST_DEPTH_LIMIT);

    diag_help(m, "bind a part of it to a name first");
}

bool parser_enter(struct parser *p)
{
    /* brackets are limited by the lexer, so this bounds the stack and seldom speaks */
    if (p->depth >= 2 * AST_DEPTH_LIMIT) {
        report_nesting(p, parser_loc(p, *p->token));
        return false;
    }
    p->depth++;
    return true;
}

struct ast *node_new(struct parser *p, enum ast_kind kind, struct location loc)
{
    struct ast *node = arena_new(p->arena, struct ast);

    node->kind = kind;
    node->loc = loc;
    return node;
}

struct ast *node_finish(struct parser *p, struct ast *node, size_t mark)
{
    size_t count = p->stack.count - mark;

    node->item_count = (unsigned)count;
    node->items = arena_array(p->arena, struct ast *, count);
    if (count)
        memcpy(node->items, p->stack.items + mark, count * sizeof(node->items[0]));
    p->stack.count = mark;
    for (size_t i = 0; i < count; i++)
        if (node->items[i] && node->items[i]->depth + 1 > node->depth)
            node->depth = node->items[i]->depth + 1;
    if (node->depth <= AST_DEPTH_LIMIT)
        return node;
    report_nesting(p, node->loc);
    return NULL;
}

struct ast *node_one(struct parser *p, struct ast *node, struct ast *a)
{
    size_t mark = p->stack.count;

    array_push(&p->stack, a);
    return node_finish(p, node, mark);
}

struct ast *node_with(struct parser *p, struct ast *node, struct ast *a, struct ast *b)
{
    size_t mark = p->stack.count;

    array_push(&p->stack, a);
    array_push(&p->stack, b);
    return node_finish(p, node, mark);
}

void node_extend(struct parser *p, struct ast *node)
{
    node->loc.end = p->token[-1].end;
}

/* Ends of lines in front of the first token: for messages that look back from it. */
enum { TOKENS_BACK = 4 };

static void put_edge(struct token_list *list)
{
    const struct token *first = list->tokens.items;
    struct token edge = {TOKEN_NEWLINE, first->begin, first->begin};

    array_reserve(&list->tokens, TOKENS_BACK + TOKENS_AHEAD);
    memmove(list->tokens.items + TOKENS_BACK, list->tokens.items,
            (list->tokens.count + TOKENS_AHEAD) * sizeof(edge));
    for (size_t i = 0; i < TOKENS_BACK; i++)
        list->tokens.items[i] = edge;
    list->tokens.count += TOKENS_BACK;
}

static void set_tokens(struct parser *p, struct token_list *list)
{
    put_edge(list);
    p->tokens = p->token = list->tokens.items + TOKENS_BACK;
}

struct ast *ast_parse(struct arena *arena, struct atoms *atoms, struct diag *diag,
                      const struct source *source)
{
    struct token_list list = {0};
    struct parser p = {.arena = arena, .atoms = atoms, .diag = diag, .source = source};

    lexer_run(&list, diag, source, source->text, source->length, 0, false);
    set_tokens(&p, &list);
    struct ast *file = node_new(&p, AST_CLASS, (struct location){source, 0, 0});
    parse_statements(&p, TOKEN_END);
    file->body_count = (unsigned)p.stack.count;
    file->body = arena_array(arena, struct ast *, p.stack.count);
    if (p.stack.count)
        memcpy(file->body, p.stack.items, p.stack.count * sizeof(file->body[0]));
    array_finish(&p.stack);
    token_list_finish(&list);
    return file;
}

/* Gives every place in @a that of the whole string: escapes make the text differ from the source. */
static void set_places(struct ast *a, struct location loc)
{
    if (!a)
        return;
    a->loc = loc;
    a->name_loc = loc;
    for (unsigned i = 0; i < a->item_count; i++)
        set_places(a->items[i], loc);
}

/* Where the text of @string begins in the source, if it stands there as it is; else 0. */
static uint32_t text_place(const struct ast *string)
{
    const char *text = string->loc.source ? string->loc.source->text : NULL;
    uint32_t begin = string->loc.begin;

    for (uint32_t quotes = 1; text && quotes <= 3; quotes += 2)
        if (begin + string->length + 2 * quotes == string->loc.end &&
            memcmp(text + begin + quotes, string->string, string->length) == 0)
            return begin + quotes;
    return 0;
}

struct ast *ast_parse_string(struct arena *arena, struct atoms *atoms, struct diag *diag,
                             const struct ast *string)
{
    uint32_t place = text_place(string);
    struct source *copy = NULL;
    struct token_list list = {0};

    if (!place)
        copy = source_new(arena, string->loc.source ? string->loc.source->name : "<string>",
                          string->string, string->length);
    const struct source *source = copy ? copy : string->loc.source;
    size_t errors = diag_message_count(diag);
    char *text = arena_copy_text(arena, string->string, string->length);
    struct parser p = {.arena = arena, .atoms = atoms, .diag = diag, .source = source};
    lexer_run(&list, diag, source, text, string->length, place, true);
    set_tokens(&p, &list);
    struct ast *a = parse_expression_list(&p);
    if (a && !(parser_at(&p, TOKEN_NEWLINE) || parser_at(&p, TOKEN_END)))
        a = parser_expected(&p, "the end of the expression");
    array_finish(&p.stack);
    token_list_finish(&list);
    if (copy && !a) {
        diag_truncate(diag, errors);
        diag_report(diag, string->loc, SYNTAX_EXPECTED, "an expression in the string",
                    "something else");
    }
    if (copy)
        set_places(a, string->loc);
    return a;
}
