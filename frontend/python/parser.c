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

/* Is the token in front of the next one a name, the first of its line? */
static bool is_behind_target(const struct parser *p)
{
    const struct token *name = p->token - 1;

    return p->token >= p->tokens + 2 && name->kind == TOKEN_NAME &&
           (name[-1].kind == TOKEN_NEWLINE || name[-1].kind == TOKEN_INDENT ||
            name[-1].kind == TOKEN_DEDENT);
}

/* `a && b`: the second sign, of which the first was taken for an operator. */
static bool is_doubled(const struct parser *p, enum token_kind kind)
{
    return p->token > p->tokens && parser_at(p, kind) && p->token[-1].kind == kind &&
           p->token[-1].end == p->token->begin;
}

/* Does a name or a string stand where a comma could have: behind a name, a string or a closed bracket? */
static bool starts_item(const struct parser *p)
{
    enum token_kind before = p->token[-1].kind;

    if (parser_at(p, TOKEN_NAME) && p->token[1].kind == TOKEN_ASSIGN) /* `a=True b=1` */
        return before != TOKEN_COMMA && before != TOKEN_ASSIGN && before != TOKEN_ERROR;
    return (parser_at(p, TOKEN_NAME) || parser_at(p, TOKEN_STRING)) &&
           p->token[-1].end < p->token->begin &&
           (before == TOKEN_NAME || before == TOKEN_STRING || before == TOKEN_RPAREN ||
            before == TOKEN_RBRACKET);
}

/* The word that begins the line. */
static const struct token *line_start(const struct parser *p)
{
    const struct token *token = p->token;

    while (token > p->tokens && token[-1].kind != TOKEN_NEWLINE && token[-1].kind != TOKEN_INDENT &&
           token[-1].kind != TOKEN_DEDENT)
        token--;
    return token;
}

/* `retrun x`: a word in front of a statement that is nearly one of Python's. */
static void help_keyword(struct parser *p, struct diag_message *m)
{
    static const char *const words[] = {"return", "with",   "for",  "while",  "if",   "elif", "def",
                                        "class",  "assert", "from", "import", "pass", NULL};
    const struct token *first = line_start(p);

    if (first + 1 != p->token || first->kind != TOKEN_NAME)
        return;
    struct text_nearest nearest = text_nearest_to(parser_atom(p, *first));
    for (const char *const *word = words; *word; word++)
        text_nearest_offer(&nearest, *word);
    diag_help_nearest(m, parser_loc(p, *first), "", &nearest);
}

/* `R.dataflow():` or `df main(..):` */
static void help_statement(struct parser *p, const char *what, struct diag_message *m)
{
    const struct token *first = line_start(p);
    bool is_with = strcmp(what, "an expression") == 0 && parser_at(p, TOKEN_NEWLINE) &&
                   p->token[-1].kind == TOKEN_COLON && p->token[-2].kind == TOKEN_RPAREN &&
                   first->kind == TOKEN_NAME;

    if (is_with) {
        struct location place = location_before(parser_loc(p, *first));
        diag_help(m, "a block is opened by `with`");
        diag_help_edit(m, place, "with ");
    } else if (strncmp(what, "`def` or ", 9) == 0 && parser_at(p, TOKEN_NAME) &&
               p->token[1].kind == TOKEN_LPAREN) {
        diag_help(m, "a function begins with `def`");
        diag_help_edit(m, location_before(parser_loc(p, *p->token)), "def ");
    } else if (strncmp(what, "`def` or ", 9) == 0 && parser_at(p, TOKEN_NAME) &&
               p->token[1].kind == TOKEN_NAME) {
        bool is_def = p->token[2].kind == TOKEN_LPAREN || p->token[2].kind == TOKEN_LBRACKET;
        diag_help(m, "write `%s`", is_def ? "def" : "class");
        diag_help_edit(m, parser_loc(p, *p->token), "%s", is_def ? "def" : "class");
    }
}

/* `def f(x: t -> r):`, with the bracket behind the result. */
static void help_arrow(struct parser *p, struct diag_message *m)
{
    const struct token *end = p->token;

    while (end->kind != TOKEN_NEWLINE && end->kind != TOKEN_END && end->kind != TOKEN_ERROR)
        end++;
    diag_help(m, "close the parameters in front of `->`");
    if (end->kind != TOKEN_NEWLINE || end[-1].kind != TOKEN_COLON || end[-2].kind != TOKEN_RPAREN)
        return;
    struct location result = {p->source, p->token[-1].end, end[-2].begin};
    diag_help_edit(m, (struct location){p->source, result.begin, end[-2].end}, ")%.*s",
                   LOCATION_TEXT(result));
}

/* Within `{`, of a dict? */
static bool is_in_braces(const struct parser *p)
{
    int depth = 0;

    for (const struct token *t = p->token; t > p->tokens && t->kind != TOKEN_NEWLINE; t--) {
        depth += t->kind == TOKEN_RBRACE;
        if (t->kind == TOKEN_LBRACE && depth-- == 0)
            return true;
    }
    return false;
}

/* `:` is wanted: `=` stands there, or nothing. */
static void help_colon(struct parser *p, struct diag_message *m)
{
    struct location loc = parser_loc(p, *p->token);
    bool is_sign = parser_at(p, TOKEN_ASSIGN), is_in_dict = is_in_braces(p);
    bool is_wide_arrow = is_sign && p->token[1].kind == TOKEN_GT && p->token[1].begin == loc.end;

    if (is_in_dict && (is_sign || p->token[-1].kind == TOKEN_STRING)) {
        diag_help(m, "a key and its value have `:` between them");
        uint32_t begin = p->token[-1].end; /* the blank in front of a sign goes with it */
        diag_help_edit(m, (struct location){p->source, begin, is_sign ? loc.end : begin}, ":");
    } else if (is_wide_arrow && line_start(p)->kind == TOKEN_DEF) {
        diag_help(m, "the result stands behind `->`");
        diag_help_edit(m, location_join(loc, parser_loc(p, p->token[1])), "->");
    } else if (is_sign) {
        diag_help(m, "equality is written `==`");
        diag_help_edit(m, loc, "==");
    }
}

/* What was forgotten, or is written otherwise in other languages. */
static void help_expected(struct parser *p, const char *what, struct diag_message *m)
{
    struct location loc = parser_loc(p, *p->token);
    bool is_and = is_doubled(p, TOKEN_AMPERSAND), is_or = is_doubled(p, TOKEN_PIPE);

    if (p->token == p->tokens)
        return;
    struct location previous = parser_loc(p, p->token[-1]);
    if (is_and || is_or) {
        diag_help(m, "Python's operator is `%s`", is_and ? "and" : "or");
        diag_help_edit(m, location_join(previous, loc), "%s", is_and ? "and" : "or");
    } else if (strcmp(what, "`:`, `,` or `)`") == 0 && p->token[-1].kind == TOKEN_NAME) {
        diag_help(m, "a type stands behind `:`");
        diag_help_edit(m, location_behind(previous), ":");
    } else if (strstr(what, "`,` or ") && starts_item(p)) {
        diag_help(m, "separate them with `,`");
        diag_help_edit(m, location_behind(previous), ",");
    } else if (p->token[-1].kind == TOKEN_ELSE && parser_at(p, TOKEN_IF)) {
        diag_help(m, "write `elif`");
        diag_help_edit(m, location_join(previous, loc), "elif");
    } else if (strcmp(what, "`,` or `)`") == 0 && parser_at(p, TOKEN_ARROW)) {
        help_arrow(p, m);
    } else if (strcmp(what, "an expression") == 0 && parser_at(p, TOKEN_COMMA) &&
               p->token[-1].kind == TOKEN_COMMA) {
        diag_help(m, "there is one `,` too many");
        diag_help_edit(m, loc, "%s", "");
    } else if (strcmp(what, "`:`") == 0 && parser_at(p, TOKEN_NEWLINE)) {
        diag_help(m, "end the line with `:`");
        diag_help_edit(m, location_behind(previous), ":");
    } else if (strcmp(what, "`:`") == 0) {
        help_colon(p, m);
    } else if (strcmp(what, "end of line") == 0) {
        help_keyword(p, m);
    } else {
        help_statement(p, what, m);
    }
}

struct ast *parser_expected(struct parser *p, const char *what)
{
    struct token token = *p->token;
    struct location loc = parser_loc(p, token);

    /* something in this line was reported already */
    for (const struct token *t = p->token; t->kind != TOKEN_END; t++) {
        if (t->kind == TOKEN_ERROR)
            return NULL;
        if (t->kind == TOKEN_NEWLINE)
            break;
    }
    if (token.kind == TOKEN_WALRUS) {
        struct diag_message *m = diag_report(p->diag, loc, PYTHON_WALRUS);
        if (is_behind_target(p)) {
            diag_help(m, "write `=`");
            diag_help_edit(m, loc, "=");
        } else
            diag_help(m, "bind the name in a statement of its own before");
        return NULL;
    }
    if (token.kind == TOKEN_FOR) {
        struct diag_message *m = diag_report(p->diag, loc, PYTHON_COMPREHENSION);
        diag_help(m, "write the elements out");
        return NULL;
    }
    help_expected(p, what, diag_report(p->diag, loc, SYNTAX_EXPECTED, what, describe(p, token)));
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

struct ast *ast_parse(struct arena *arena, struct atoms *atoms, struct diag *diag,
                      const struct source *source)
{
    struct token_list list = {0};

    lexer_run(&list, diag, source, source->text, source->length, 0, false);
    struct parser p = {.arena = arena,
                       .atoms = atoms,
                       .diag = diag,
                       .source = source,
                       .tokens = list.tokens.items,
                       .token = list.tokens.items};
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
    lexer_run(&list, diag, source, text, string->length, place, true);
    struct parser p = {.arena = arena,
                       .atoms = atoms,
                       .diag = diag,
                       .source = source,
                       .tokens = list.tokens.items,
                       .token = list.tokens.items};
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
