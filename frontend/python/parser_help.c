/* Edits for what the grammar wants and does not find: separators and signs that were forgotten, or are other languages'. */
#include "frontend/python/parser.h"

#include <string.h>

/* One thing that may have been meant; false: it is something else. */
typedef bool help_rule(struct parser *p, const char *what, struct diag_message *m);

/* --- what stands around --- */

const struct token *parser_line_start(const struct parser *p)
{
    const struct token *token = p->token;

    while (token > p->tokens && token[-1].kind != TOKEN_NEWLINE && token[-1].kind != TOKEN_INDENT &&
           token[-1].kind != TOKEN_DEDENT)
        token--;
    return token;
}

const struct token *parser_line_end(const struct parser *p)
{
    const struct token *token = p->token;

    while (token->kind != TOKEN_NEWLINE && token->kind != TOKEN_END && token->kind != TOKEN_ERROR)
        token++;
    return token;
}

static bool is_adjacent(const struct token *first)
{
    return first->end == first[1].begin;
}

/* The bracket that is open in front of the next token; NULL: none is. */
const struct token *parser_open_bracket(const struct parser *p)
{
    int depth = 0;

    for (const struct token *t = p->token; t-- > p->tokens && t->kind != TOKEN_NEWLINE;) {
        depth += t->kind == TOKEN_RPAREN || t->kind == TOKEN_RBRACKET || t->kind == TOKEN_RBRACE;
        if ((t->kind == TOKEN_LPAREN || t->kind == TOKEN_LBRACKET || t->kind == TOKEN_LBRACE) &&
            depth-- == 0)
            return t;
    }
    return NULL;
}

static bool is_in_braces(const struct parser *p)
{
    const struct token *open = parser_open_bracket(p);

    return open && open->kind == TOKEN_LBRACE;
}

/* Does the token in front of the next one begin an argument of a call, as the name of a keyword does? */
static bool is_behind_argument_name(const struct parser *p)
{
    const struct token *open = parser_open_bracket(p), *name = p->token - 1;

    return name->kind == TOKEN_NAME && open && open->kind == TOKEN_LPAREN && open > p->tokens &&
           (open[-1].kind == TOKEN_NAME || open[-1].kind == TOKEN_RPAREN) &&
           (name[-1].kind == TOKEN_LPAREN || name[-1].kind == TOKEN_COMMA);
}

static bool is_same_text(const struct parser *p, struct token a, struct token b)
{
    return a.kind == b.kind && a.end - a.begin == b.end - b.begin &&
           memcmp(p->source->text + a.begin, p->source->text + b.begin, a.end - a.begin) == 0;
}

/* Is the name @name a value elsewhere, and not only a keyword of calls or an attribute? */
bool parser_is_value_elsewhere(const struct parser *p, const struct token *name)
{
    for (const struct token *t = p->tokens; t->kind != TOKEN_END; t++) {
        bool is_keyword =
            t[1].kind == TOKEN_ASSIGN && (t[-1].kind == TOKEN_COMMA || t[-1].kind == TOKEN_LPAREN);
        bool is_other = t[-1].kind == TOKEN_DOT || t[-1].kind == TOKEN_DEF || is_keyword;
        if (t != name && !is_other && is_same_text(p, *t, *name))
            return true;
    }
    return false;
}

/* --- separators --- */

static bool is_number(enum token_kind kind)
{
    return kind == TOKEN_INT || kind == TOKEN_FLOAT;
}

/*
 * Does a name or a string stand where a comma could have: behind a name, a string or a closed bracket?  Or a number or a
 * string behind a number?
 */
static bool starts_item(const struct parser *p)
{
    enum token_kind before = p->token[-1].kind;

    if (parser_at(p, TOKEN_NAME) && p->token[1].kind == TOKEN_ASSIGN) /* `a=True b=1` */
        return before != TOKEN_COMMA && before != TOKEN_ASSIGN && before != TOKEN_ERROR;
    bool is_word = parser_at(p, TOKEN_NAME) || parser_at(p, TOKEN_STRING);
    return p->token[-1].end < p->token->begin &&
           ((is_word && (before == TOKEN_NAME || before == TOKEN_STRING || before == TOKEN_RPAREN ||
                         before == TOKEN_RBRACKET)) ||
            ((parser_at(p, TOKEN_STRING) || is_number(p->token->kind)) && is_number(before)));
}

/* `scale:0.3` and `axis 0` for `axis=0`, of a name that is no value. */
static bool help_keyword_argument(struct parser *p, const char *what, struct diag_message *m)
{
    enum token_kind kind = p->token->kind;
    bool is_literal = kind == TOKEN_INT || kind == TOKEN_FLOAT || kind == TOKEN_STRING ||
                      kind == TOKEN_TRUE || kind == TOKEN_FALSE || kind == TOKEN_NONE;

    if (strcmp(what, "`,` or `)`") != 0 || !is_behind_argument_name(p) ||
        !(kind == TOKEN_COLON || is_literal) || parser_is_value_elsewhere(p, p->token - 1))
        return false;
    diag_help(m, "an argument is given by name with `=`");
    diag_help_edit(m,
                   (struct location){p->source, p->token[-1].end,
                                     kind == TOKEN_COLON ? p->token[1].begin : p->token->begin},
                   "=");
    return true;
}

/* Two commas side by side, or in front of the end: with a blank between them something is missing there. */
static bool is_comma_twice(const struct parser *p, const char *what)
{
    if (strcmp(what, "an expression") != 0 || !parser_at(p, TOKEN_COMMA) ||
        p->token[-1].kind != TOKEN_COMMA)
        return false;
    enum token_kind next = p->token[1].kind; /* behind a comma there is one: the end, at last */
    return is_adjacent(p->token - 1) || next == TOKEN_RPAREN || next == TOKEN_RBRACKET;
}

static bool help_comma(struct parser *p, const char *what, struct diag_message *m)
{
    struct location loc = parser_loc(p, *p->token), previous = parser_loc(p, p->token[-1]);

    if (strcmp(what, "`:`, `,` or `)`") == 0 && p->token[-1].kind == TOKEN_NAME) {
        diag_help(m, "a type stands behind `:`");
        diag_help_edit(m, location_behind(previous), ":");
    } else if (strstr(what, "`,` or ") && parser_at(p, TOKEN_SEMICOLON)) {
        diag_help(m, "separate them with `,`");
        diag_help_edit(m, loc, ",");
    } else if (strstr(what, "`,` or ") && starts_item(p)) {
        diag_help(m, "separate them with `,`");
        diag_help_edit(m, location_behind(previous), ",");
    } else if (is_comma_twice(p, what)) {
        diag_help(m, "there is one `,` too many");
        diag_help_edit(m, loc, "%s", "");
    } else
        return false;
    return true;
}

/* --- signs --- */

/* `def f(x: t -> r):`, with the bracket behind the result. */
static bool help_arrow(struct parser *p, const char *what, struct diag_message *m)
{
    const struct token *end = parser_line_end(p);

    if (strcmp(what, "`,` or `)`") != 0 || !parser_at(p, TOKEN_ARROW))
        return false;
    diag_help(m, "close the parameters in front of `->`");
    if (end->kind != TOKEN_NEWLINE || end[-1].kind != TOKEN_COLON || end[-2].kind != TOKEN_RPAREN)
        return true;
    struct location result = {p->source, p->token[-1].end, end[-2].begin};
    diag_help_edit(m, (struct location){p->source, result.begin, end[-2].end}, ")%.*s",
                   LOCATION_TEXT(result));
    if (p->token[1].kind == TOKEN_STRING)
        diag_help_unsure(m); /* `((4,)->"float32")`: no type of a result */
    return true;
}

/* `def f(x: t) r:` and `def f(x: t) => r:` */
static bool help_result(struct parser *p, const char *what, struct diag_message *m)
{
    struct location loc = parser_loc(p, *p->token);
    bool is_wide =
        parser_at(p, TOKEN_ASSIGN) && p->token[1].kind == TOKEN_GT && is_adjacent(p->token);
    bool is_missing = parser_at(p, TOKEN_NAME) && p->token[-1].kind == TOKEN_RPAREN &&
                      parser_line_end(p)[-1].kind == TOKEN_COLON;

    if (strcmp(what, "`:`") != 0 || parser_line_start(p)->kind != TOKEN_DEF ||
        !(is_wide || is_missing))
        return false;
    diag_help(m, "the result stands behind `->`");
    if (is_wide)
        diag_help_edit(m, location_join(loc, parser_loc(p, p->token[1])), "->");
    else
        diag_help_edit(m, location_before(loc), "-> ");
    return true;
}

/* `:` is wanted: `=` stands there, or nothing. */
static bool help_colon(struct parser *p, const char *what, struct diag_message *m)
{
    struct location loc = parser_loc(p, *p->token);
    bool is_sign = parser_at(p, TOKEN_ASSIGN), is_last = parser_at(p, TOKEN_NEWLINE);
    uint32_t begin = p->token[-1].end; /* the blank in front of a sign goes with it */

    if (strcmp(what, "`:`") != 0)
        return false;
    if (is_last) {
        diag_help(m, "end the line with `:`");
        diag_help_edit(m, location_behind(parser_loc(p, p->token[-1])), ":");
    } else if (is_in_braces(p) && (is_sign || p->token[-1].kind == TOKEN_STRING)) {
        diag_help(m, "a key and its value have `:` between them");
        diag_help_edit(m, (struct location){p->source, begin, is_sign ? loc.end : begin}, ":");
    } else if (is_sign && (p->token[1].kind == TOKEN_LT || p->token[1].kind == TOKEN_GT)) {
        const char *sign = p->token[1].kind == TOKEN_LT ? "<=" : ">=";
        diag_help(m, "write `%s`", sign);
        if (is_adjacent(p->token))
            diag_help_edit(m, location_join(loc, parser_loc(p, p->token[1])), "%s", sign);
    } else if (is_sign) {
        diag_help(m, "equality is written `==`");
        diag_help_edit(m, loc, "==");
    } else
        return false;
    return true;
}

/* Signs that are not Python's, or have a blank in them. */
static const struct sign {
    enum token_kind first, second;
    bool is_apart;
    const char *meant;
} signs[] = {
    {TOKEN_AMPERSAND, TOKEN_AMPERSAND, false, "and"},
    {TOKEN_PIPE, TOKEN_PIPE, false, "or"},
    {TOKEN_LT, TOKEN_GT, false, "!="},
    {TOKEN_EQ, TOKEN_ASSIGN, false, "=="},
    {TOKEN_NE, TOKEN_ASSIGN, false, "!="},
    {TOKEN_ASSIGN, TOKEN_GT, false, "="},
    {TOKEN_ASSIGN, TOKEN_ASSIGN, true, "="},
    {TOKEN_PLUS, TOKEN_ASSIGN, true, "+="},
    {TOKEN_MINUS, TOKEN_ASSIGN, true, "-="},
    {TOKEN_STAR, TOKEN_ASSIGN, true, "*="},
    {TOKEN_SLASH, TOKEN_ASSIGN, true, "/="},
};

/* The sign whose second token is the one next; NULL: it is none. */
static const struct sign *sign_at(const struct parser *p)
{
    for (size_t i = 0; p->token > p->tokens && i < ARRAY_SIZE(signs); i++)
        if (p->token[-1].kind == signs[i].first && parser_at(p, signs[i].second) &&
            is_adjacent(p->token - 1) != signs[i].is_apart)
            return &signs[i];
    return NULL;
}

static bool help_sign(struct parser *p, const char *what, struct diag_message *m)
{
    const struct sign *sign = sign_at(p);

    (void)what;
    if (!sign)
        return false;
    diag_help(
        m, sign->first == TOKEN_ASSIGN ? "a value is bound with `%s`" : "Python's operator is `%s`",
        sign->meant);
    diag_help_edit(m, (struct location){p->source, p->token[-1].begin, p->token->end}, "%s",
                   sign->meant);
    return true;
}

/* The first `+` of `i++` or `a[i]++`, a statement whose end is next; NULL: it is none. */
static const struct token *step_at(const struct parser *p)
{
    const struct token *first = parser_line_start(p), *sign = p->token - 2;

    if (!parser_at(p, TOKEN_NEWLINE) || first->kind != TOKEN_NAME || sign <= first ||
        (sign->kind != TOKEN_PLUS && sign->kind != TOKEN_MINUS) || sign[1].kind != sign->kind ||
        !is_adjacent(sign) || (sign[-1].kind != TOKEN_NAME && sign[-1].kind != TOKEN_RBRACKET))
        return NULL;
    for (const struct token *t = first; t < sign; t++)
        if (t->kind == TOKEN_ASSIGN)
            return NULL;
    return sign;
}

const char *parser_step_name(const struct parser *p)
{
    const struct token *step = step_at(p);

    return !step ? NULL : step->kind == TOKEN_PLUS ? "`++`" : "`--`";
}

const char *parser_turned_sign(const struct parser *p)
{
    enum token_kind next = p->token[1].kind;

    if (!parser_at(p, TOKEN_ASSIGN) || !is_adjacent(p->token))
        return NULL;
    return next == TOKEN_GT ? "`=>`" : next == TOKEN_LT ? "`=<`" : NULL;
}

struct location parser_sign_place(const struct parser *p)
{
    const struct token *step = step_at(p) ? step_at(p) : parser_increment(p);

    if (step)
        return (struct location){p->source, step->begin, step[1].end};
    if (parser_turned_sign(p))
        return location_join(parser_loc(p, *p->token), parser_loc(p, p->token[1]));
    return sign_at(p) ? (struct location){p->source, p->token[-1].begin, p->token->end}
                      : parser_loc(p, *p->token);
}

/* `i++` as a statement */
static bool help_step(struct parser *p, const char *what, struct diag_message *m)
{
    const struct token *sign = strcmp(what, "an expression") == 0 ? step_at(p) : NULL;

    if (!sign)
        return false;
    struct location target = {p->source, parser_line_start(p)->begin, sign[-1].end};
    const char *meant = sign->kind == TOKEN_PLUS ? " += 1" : " -= 1";
    diag_help(m, "write `%.*s%s`", LOCATION_TEXT(target), meant);
    diag_help_edit(m, (struct location){p->source, target.end, sign[1].end}, "%s", meant);
    return true;
}

const struct token *parser_comment_sign(const struct parser *p)
{
    const struct token *sign = p->token;

    while (sign > p->tokens && sign[-1].kind == TOKEN_NAME)
        sign--;
    bool is_first = parser_at(p, TOKEN_DOUBLE_SLASH), is_prose = false;
    if (!is_first && sign > p->tokens) {
        is_prose = p->token[-1].kind == TOKEN_NAME &&
                   (parser_at(p, TOKEN_NAME) || parser_at(p, TOKEN_INT));
        sign--;
    }
    bool is_comment = is_first ? sign == p->token : is_prose && sign->kind == TOKEN_DOUBLE_SLASH;
    return is_comment && p->token->begin <= location_whole_line(parser_loc(p, *sign)).end ? sign
                                                                                          : NULL;
}

static bool help_comment(struct parser *p, const char *what, struct diag_message *m)
{
    const struct token *sign = parser_comment_sign(p);

    (void)what;
    if (!sign)
        return false;
    diag_help(m, "a comment begins with `#`");
    diag_help_edit(m, parser_loc(p, *sign), "#");
    return true;
}

/* --- statements --- */

/* `for i j in ..` and `for i range(8):` */
static bool help_in(struct parser *p, const char *what, struct diag_message *m)
{
    const struct token *next = p->token + 1;

    if (strcmp(what, "`in`") != 0 || !parser_at(p, TOKEN_NAME))
        return false;
    if (p->token->end - p->token->begin == 2 && next->kind == TOKEN_NAME &&
        memcmp(p->source->text + p->token->begin, "of", 2) == 0) {
        diag_help(m, "write `in`");
        diag_help_edit(m, parser_loc(p, *p->token), "in");
        return true;
    }
    if (next->kind == TOKEN_IN || next->kind == TOKEN_NAME || next->kind == TOKEN_COMMA) {
        diag_help(m, "separate them with `,`");
        diag_help_edit(m, location_behind(parser_loc(p, p->token[-1])), ",");
    } else {
        diag_help(m, "what is looped over stands behind `in`");
        diag_help_edit(m, location_before(parser_loc(p, *p->token)), "in ");
    }
    return true;
}

/* `y R.exp(x)`: a name that is read, or a part of a tensor, with a value behind it. */
static bool help_assignment(struct parser *p, const char *what, struct diag_message *m)
{
    const struct token *first = parser_line_start(p);
    bool is_name = first + 1 == p->token && parser_is_value_elsewhere(p, first);
    bool is_part = p->token[-1].kind == TOKEN_RBRACKET && first[1].kind == TOKEN_LBRACKET;
    bool is_assigned = false, is_call = false;

    if (strcmp(what, "end of line") != 0 || !parser_at(p, TOKEN_NAME) ||
        first->kind != TOKEN_NAME || !(is_name || is_part))
        return false;
    for (const struct token *t = first; t < parser_line_end(p); t++) {
        is_assigned |= t->kind == TOKEN_ASSIGN && t < p->token;
        is_call |= t > p->token && (t->kind == TOKEN_LPAREN || t->kind == TOKEN_LBRACKET);
        if (t > p->token && t->kind == TOKEN_COLON) /* of a block */
            return false;
    }
    if (is_assigned || !is_call)
        return false;
    diag_help(m, "a value is bound with `=`");
    diag_help_edit(m, location_before(parser_loc(p, *p->token)), "= ");
    return true;
}

/* `r = f(x) else:`: the `else` of the nearest `if` that is indented less than this line; false: there is none. */
static bool help_joined(struct parser *p, const char *what, struct diag_message *m)
{
    const struct token *first = parser_line_start(p), *token = first;
    struct location line = location_whole_line(parser_loc(p, *first));
    uint32_t column = first->begin - line.begin;

    if (strcmp(what, "end of line") != 0 || !parser_at(p, TOKEN_ELSE) ||
        p->token[1].kind != TOKEN_COLON || p->token[2].kind != TOKEN_NEWLINE)
        return false;
    while (token > p->tokens) {
        token--;
        struct location loc = parser_loc(p, *token);
        uint32_t blanks = loc.begin - location_whole_line(loc).begin;
        bool is_line = token == p->tokens || token[-1].kind == TOKEN_NEWLINE ||
                       token[-1].kind == TOKEN_INDENT || token[-1].kind == TOKEN_DEDENT;
        if (!is_line || blanks >= column || token->kind <= TOKEN_DEDENT)
            continue;
        if (token->kind != TOKEN_IF && token->kind != TOKEN_ELIF)
            return false;
        diag_help(m, "it begins a line");
        diag_help_edit(m, (struct location){p->source, p->token[-1].end, p->token->begin}, "\n%*s",
                       (int)blanks, "");
        return true;
    }
    return false;
}

/* Does another clause of the same `if` stand behind the block that the line of the next token, a `:`, opens? */
static bool has_clause_behind(const struct parser *p)
{
    const struct token *t = p->token + 1;
    unsigned depth = 0;

    if (t->kind != TOKEN_NEWLINE || t[1].kind != TOKEN_INDENT)
        return true;
    do {
        t++;
        depth += t->kind == TOKEN_INDENT;
        depth -= t->kind == TOKEN_DEDENT;
    } while (depth && t->kind != TOKEN_END);
    return t->kind == TOKEN_END || t[1].kind == TOKEN_ELSE || t[1].kind == TOKEN_ELIF;
}

/* `elif:` of the last clause */
static bool help_elif(struct parser *p, struct diag_message *m)
{
    const struct token *word = p->token - 1;

    if (word->kind != TOKEN_ELIF || !parser_at(p, TOKEN_COLON) || has_clause_behind(p))
        return false;
    diag_help(m, "the clause without a condition is `else`");
    diag_help_edit(m, parser_loc(p, *word), "else");
    return true;
}

static bool help_clause(struct parser *p, const char *what, struct diag_message *m)
{
    if (help_joined(p, what, m) || help_elif(p, m))
        return true;
    if (p->token[-1].kind == TOKEN_ELSE && parser_at(p, TOKEN_IF)) {
        diag_help(m, "write `elif`");
        diag_help_edit(
            m, parser_loc(p, (struct token){.begin = p->token[-1].begin, .end = p->token->end}),
            "elif");
        return true;
    }
    bool is_orphan = (parser_at(p, TOKEN_ELSE) || parser_at(p, TOKEN_ELIF)) &&
                     strcmp(what, "an expression") == 0 && parser_line_start(p) == p->token;
    if (is_orphan)
        diag_help(m, "no `if` with this indentation stands in front of it");
    return is_orphan;
}

/* `R.dataflow():` or `main(..):` */
static bool help_head(struct parser *p, const char *what, struct diag_message *m)
{
    const struct token *first = parser_line_start(p);
    bool is_with = strcmp(what, "an expression") == 0 && parser_at(p, TOKEN_NEWLINE) &&
                   p->token[-1].kind == TOKEN_COLON && p->token[-2].kind == TOKEN_RPAREN &&
                   first->kind == TOKEN_NAME;
    bool is_def = strncmp(what, "`def` or ", 9) == 0 && parser_at(p, TOKEN_NAME);

    if (is_with) {
        diag_help(m, "a block is opened by `with`");
        diag_help_edit(m, location_before(parser_loc(p, *first)), "with ");
    } else if (is_def && p->token[1].kind == TOKEN_LPAREN) {
        diag_help(m, "a function begins with `def`");
        diag_help_edit(m, location_before(parser_loc(p, *p->token)), "def ");
    } else if (is_def && p->token[1].kind == TOKEN_NAME) {
        bool has_parameters =
            p->token[2].kind == TOKEN_LPAREN || p->token[2].kind == TOKEN_LBRACKET;
        diag_help(m, "write `%s`", has_parameters ? "def" : "class");
        diag_help_edit(m, parser_loc(p, *p->token), "%s", has_parameters ? "def" : "class");
    } else
        return false;
    return true;
}

void parser_help_expected(struct parser *p, const char *what, struct diag_message *m)
{
    static help_rule *const rules[] = {
        parser_help_habit, help_comment, help_sign,       help_keyword_argument,
        help_comma,        help_clause,  help_arrow,      help_result,
        help_step,         help_colon,   help_assignment, help_in,
        help_head,
    };

    for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
        if (rules[i](p, what, m))
            return;
}

void parser_help_walrus(struct parser *p, const char *what, struct diag_message *m)
{
    bool is_statement = strcmp(what, "end of line") == 0;

    for (const struct token *t = parser_line_start(p); t < p->token; t++)
        is_statement &= t->kind != TOKEN_ASSIGN;
    if (!is_statement) {
        diag_help(m, "bind the name in a statement of its own before");
        return;
    }
    diag_help(m, "write `=`");
    diag_help_edit(m, parser_loc(p, *p->token), "=");
}
