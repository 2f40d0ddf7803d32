/* Signs, brackets and words that other languages and notations have: R:add(x), b{i}, n x 4, foreach, `: type` of a result. */
#include "frontend/python/parser.h"

#include <string.h>

/* One thing that may have been meant; false: it is something else. */
typedef bool help_rule(struct parser *p, const char *what, struct diag_message *m);

static bool is_adjacent(const struct token *first)
{
    return first->end == first[1].begin;
}

static bool is_number(enum token_kind kind)
{
    return kind == TOKEN_INT || kind == TOKEN_FLOAT;
}

static bool is_word(const struct parser *p, const struct token *token, const char *words)
{
    size_t length = token->end - token->begin;
    const char *text = p->source->text + token->begin;

    for (; *words; words += strlen(words) + 1)
        if (token->kind == TOKEN_NAME && strlen(words) == length && !memcmp(text, words, length))
            return true;
    return false;
}

/* `R:add(x)`, `R..add(x)` and `R add(x)` */
static bool help_dot(struct parser *p, const char *what, struct diag_message *m)
{
    const struct token *sign = p->token, *space = sign - 1;
    bool is_twice = parser_at(p, TOKEN_DOT) && space->kind == TOKEN_DOT;
    bool is_bare = parser_at(p, TOKEN_NAME);
    const struct token *name = is_bare ? sign : sign + 1;

    (void)what;
    if (is_twice)
        space--;
    if (!(is_twice || is_bare || parser_at(p, TOKEN_COLON)) || space < p->tokens ||
        !is_word(p, space, "R\0T\0I\0") || name->kind != TOKEN_NAME ||
        (name[1].kind != TOKEN_LPAREN && name[1].kind != TOKEN_DOT))
        return false;
    diag_help(m, "a name of a module stands behind one `.`");
    diag_help_edit(m, (struct location){p->source, space->end, name->begin}, ".");
    return true;
}

/* `R.add{x, y}` and `b{vi, vj}`: brackets of another kind. */
static bool help_braces(struct parser *p, const char *what, struct diag_message *m)
{
    const struct token *end = p->token + 1, *before = p->token - 1;
    unsigned depth = 1;

    (void)what;
    if (!parser_at(p, TOKEN_LBRACE) || before->kind != TOKEN_NAME || !is_adjacent(before))
        return false;
    for (; end->kind != TOKEN_NEWLINE && end->kind != TOKEN_END; end++) {
        depth += end->kind == TOKEN_LBRACE;
        depth -= end->kind == TOKEN_RBRACE;
        if (depth == 0)
            break;
    }
    if (end->kind != TOKEN_RBRACE)
        return false;
    bool is_call = before > p->tokens && before[-1].kind == TOKEN_DOT;
    struct location inside = {p->source, p->token->end, end->begin};
    diag_help(m, is_call ? "arguments stand in `(..)`" : "indices stand in `[..]`");
    diag_help_edit(m, (struct location){p->source, p->token->begin, end->end},
                   is_call ? "(%.*s)" : "[%.*s]", LOCATION_TEXT(inside));
    return true;
}

/* `n x 4` */
static bool help_times(struct parser *p, const char *what, struct diag_message *m)
{
    const struct token *sign = p->token, *before = sign - 1;
    bool is_operand = before->kind == TOKEN_NAME || before->kind == TOKEN_RPAREN ||
                      before->kind == TOKEN_RBRACKET || is_number(before->kind);
    bool is_next = sign[1].kind == TOKEN_NAME || is_number(sign[1].kind);

    (void)what;
    if (!is_word(p, sign, "x\0") || !is_operand || !is_next)
        return false;
    diag_help(m, "a product is written `*`");
    diag_help_edit(m, parser_loc(p, *sign), "*");
    return true;
}

/* `T.float32 0.5` */
static bool help_call(struct parser *p, const char *what, struct diag_message *m)
{
    const struct token *number = p->token;

    (void)what;
    if (!is_number(number->kind) || number < p->tokens + 3 || number[-1].kind != TOKEN_NAME ||
        number[-2].kind != TOKEN_DOT || !is_word(p, number - 3, "T\0"))
        return false;
    diag_help(m, "a number of a type is written as a call");
    diag_help_edit(m, (struct location){p->source, number[-1].end, number->end}, "(%.*s)",
                   LOCATION_TEXT(parser_loc(p, *number)));
    return true;
}

/* `R.func_attr("key": value)` */
static bool help_dict(struct parser *p, const char *what, struct diag_message *m)
{
    const struct token *open = parser_open_bracket(p), *end = p->token;
    unsigned depth = 1;

    if (strcmp(what, "`,` or `)`") != 0 || !parser_at(p, TOKEN_COLON) || !open ||
        open->kind != TOKEN_LPAREN || p->token[-1].kind != TOKEN_STRING || p->token - 2 != open)
        return false;
    for (; end->kind != TOKEN_NEWLINE && end->kind != TOKEN_END; end++) {
        depth += end->kind == TOKEN_LPAREN;
        depth -= end->kind == TOKEN_RPAREN;
        if (depth == 0)
            break;
    }
    if (end->kind != TOKEN_RPAREN)
        return false;
    diag_help(m, "keys and values stand in `{..}`");
    diag_help_wrap(m, (struct location){p->source, open->end, end->begin}, "{", "}");
    return true;
}

/* `foreach i in range(8):` */
static bool help_loop_word(struct parser *p, const char *what, struct diag_message *m)
{
    const struct token *first = parser_line_start(p), *end = parser_line_end(p);

    (void)what;
    if (first + 1 != p->token || !is_word(p, first, "foreach\0For\0loop\0") ||
        end[-1].kind != TOKEN_COLON)
        return false;
    diag_help(m, "a loop begins with `for`");
    diag_help_edit(m, parser_loc(p, *first), "for");
    return true;
}

/* `def f(x: t) : r:` */
static bool help_result_colon(struct parser *p, const char *what, struct diag_message *m)
{
    const struct token *first = parser_line_start(p), *end = parser_line_end(p);
    const struct token *colon = NULL;
    unsigned depth = 0;

    if (first->kind != TOKEN_DEF || end[-1].kind != TOKEN_COLON || strcmp(what, "an expression"))
        return false;
    for (const struct token *t = first; t < end - 1; t++) {
        depth += t->kind == TOKEN_LPAREN || t->kind == TOKEN_LBRACKET;
        depth -= t->kind == TOKEN_RPAREN || t->kind == TOKEN_RBRACKET;
        if (depth == 0 && t->kind == TOKEN_COLON && t[-1].kind == TOKEN_RPAREN)
            colon = t;
    }
    if (!colon || p->token < colon)
        return false;
    bool has_blank = p->source->text[colon->begin - 1] == ' ';
    diag_help(m, "the result stands behind `->`");
    diag_help_edit(m, parser_loc(p, *colon), has_blank ? "->" : " ->");
    return true;
}

/* `both.0`: a part of a result, as other languages write it. */
static bool help_part(struct parser *p, const char *what, struct diag_message *m)
{
    const char *text = p->source->text + p->token->begin;
    size_t length = p->token->end - p->token->begin;
    enum token_kind before = p->token[-1].kind;

    (void)what;
    if (!parser_at(p, TOKEN_FLOAT) || *text != '.' || !is_adjacent(p->token - 1) ||
        strspn(text + 1, "0123456789") + 1 != length ||
        (before != TOKEN_NAME && before != TOKEN_RPAREN && before != TOKEN_RBRACKET))
        return false;
    diag_help(m, "a part is taken by its index");
    diag_help_edit(m, parser_loc(p, *p->token), "[%.*s]", (int)length - 1, text + 1);
    return true;
}

/* `x:: T.int32` and `def f(x)::`, `-->` */
static bool help_sign_twice(struct parser *p, const char *what, struct diag_message *m)
{
    const struct token *sign = p->token;
    bool is_colon =
        sign->kind == TOKEN_COLON && sign[-1].kind == TOKEN_COLON && is_adjacent(sign - 1);
    bool is_arrow = sign->kind == TOKEN_MINUS && sign[1].kind == TOKEN_ARROW && is_adjacent(sign);

    (void)what;
    if (!is_colon && !is_arrow)
        return false;
    diag_help(m, "there is one `%s` too many", is_colon ? ":" : "-");
    diag_help_edit(m, parser_loc(p, *sign), "%s", "");
    return true;
}

/* `.RTensor(..)`: the dot and the letter changed places. */
static bool help_dot_first(struct parser *p, const char *what, struct diag_message *m)
{
    const struct token *dot = p->token, *name = dot + 1;
    const char *text = p->source->text + name->begin;

    if (strcmp(what, "an expression") != 0 || dot->kind != TOKEN_DOT || name->kind != TOKEN_NAME ||
        !is_adjacent(dot) || name->end - name->begin < 3 || !strchr("RTI", *text))
        return false;
    struct location rest = {p->source, name->begin + 1, name->end};
    diag_help(m, "the dot stands behind `%c`", *text);
    diag_help_edit(m, (struct location){p->source, dot->begin, name->end}, "%c.%.*s", *text,
                   LOCATION_TEXT(rest));
    return true;
}

bool parser_help_habit(struct parser *p, const char *what, struct diag_message *m)
{
    static help_rule *const rules[] = {
        help_times,      help_call,      help_dict,      help_dot,          help_braces,
        help_sign_twice, help_dot_first, help_loop_word, help_result_colon, help_part};

    for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
        if (rules[i](p, what, m))
            return true;
    return parser_help_foreign(p, what, m);
}

bool parser_report_equal(struct parser *p, const struct ast *node, const struct token *name)
{
    bool is_equal = node->kind == AST_COMPARE && node->item_count == 2 && node->ops[0] == AST_EQ &&
                    node->items[0]->kind == AST_NAME;

    if (!is_equal || name[1].kind != TOKEN_EQ || parser_is_value_elsewhere(p, name))
        return false;
    struct diag_message *m =
        diag_report(p->diag, parser_loc(p, name[1]), SYNTAX_EXPECTED, "`=`", "`==`");
    diag_help(m, "an argument is given by name with `=`");
    diag_help_edit(m, (struct location){p->source, name->end, node->items[1]->loc.begin}, "=");
    return true;
}

void parser_help_argument(struct parser *p, struct diag_message *m, const struct ast *node,
                          const struct token *name)
{
    if (name->kind != TOKEN_NAME || parser_is_value_elsewhere(p, name))
        return;
    if (node->kind == AST_NAME && parser_at(p, TOKEN_COLON)) {
        diag_help(m, "an argument is given by name with `=`");
        diag_help_edit(m, (struct location){p->source, name->end, p->token[1].begin}, "=");
    } else if (node->kind == AST_NAME) {
        diag_help(m, "a flag is given by name: `%.*s=True`", LOCATION_TEXT(node->loc));
        diag_help_edit(m, location_behind(node->loc), "=True");
        diag_help_unsure(m);
    }
}

/* Behind the number that begins at @token, `-1` or `2`; @token: there is none. */
static const struct token *behind_number(const struct token *token)
{
    const struct token *digits = token + (token->kind == TOKEN_MINUS);

    return is_number(digits->kind) ? digits + 1 : token;
}

bool parser_help_numbers(const struct parser *p, struct diag_message *m, const struct token *second)
{
    const struct token *first = second - 2, *end = behind_number(second);

    first -= first > p->tokens && first[-1].kind == TOKEN_MINUS;
    if (end == second || first <= p->tokens + 2 || first[-1].kind != TOKEN_ASSIGN ||
        behind_number(first) != second - 1 || second[-1].kind != TOKEN_COMMA)
        return false;
    while (end->kind == TOKEN_COMMA && behind_number(end + 1) != end + 1)
        end = behind_number(end + 1);
    if (end->kind != TOKEN_COMMA && end->kind != TOKEN_RPAREN)
        return false;
    struct location name = parser_loc(p, first[-2]);
    diag_label(m, name, "given by name");
    diag_help(m, "several numbers are a list");
    diag_help_wrap(m, (struct location){p->source, first->begin, end[-1].end}, "[", "]");
    return true;
}

void parser_help_loop(struct parser *p, struct diag_message *m)
{
    const struct token *first = parser_line_start(p), *end = parser_line_end(p) - 1;

    if (first->kind != TOKEN_FOR || first[1].kind != TOKEN_LPAREN || end->kind != TOKEN_COLON ||
        end[-1].kind != TOKEN_RPAREN)
        return;
    struct location inside = {p->source, first[1].end, end[-1].begin};
    diag_help(m, "a loop has no brackets");
    diag_help_edit(m, (struct location){p->source, first[1].begin, end[-1].end}, "%.*s",
                   LOCATION_TEXT(inside));
}
