/* Declarations, signs and suffixes of C, Rust and others: `float acc = 0.0`, `let x = y`, `i++`, `1e-8f`. */
#include "frontend/python/parser.h"

#include <string.h>

static bool says(const struct parser *p, const struct token *token, const char *word)
{
    size_t length = strlen(word);

    return token->end - token->begin == length &&
           memcmp(p->source->text + token->begin, word, length) == 0;
}

/* Is the function around one of kernels?  Its decorator says so. */
static bool is_in_kernel(const struct parser *p)
{
    const struct token *token = p->token;

    for (; token > p->tokens; token--)
        if (token->kind == TOKEN_DEF)
            break;
    for (; token > p->tokens + 1 && token->kind != TOKEN_CLASS; token--)
        if (token->kind == TOKEN_NAME && token[-1].kind == TOKEN_DOT)
            return says(p, token, "prim_func");
    return false;
}

enum { FOREIGN_INT }; /* may be narrower than the value */

/* Is there a name in the rest of the line, so that a value may be of any width? */
static bool has_name(const struct token *token)
{
    while (token->kind != TOKEN_NEWLINE && token->kind != TOKEN_END && token->kind != TOKEN_NAME)
        token++;
    return token->kind == TOKEN_NAME;
}

/* `float acc = 0.0` and `let x = y` */
static bool help_declaration(struct parser *p, const char *what, struct diag_message *m)
{
    static const char *const types[][2] = {[FOREIGN_INT] = {"int", "int32"},
                                           {"float", "float32"},
                                           {"double", "float64"},
                                           {"int32_t", "int32"},
                                           {"long", "int64"},
                                           {"int64_t", "int64"},
                                           {"bool", "bool"},
                                           {"float32", "float32"},
                                           {"int32", "int32"},
                                           {"int64", "int64"},
                                           {"float16", "float16"}};
    static const char *const words[] = {"let", "var", "const", "auto", "val", "mut"};
    const struct token *first = parser_line_start(p);

    if (strcmp(what, "end of line") != 0 || !parser_at(p, TOKEN_NAME) || first + 1 != p->token ||
        p->token[1].kind != TOKEN_ASSIGN || first->kind != TOKEN_NAME)
        return false;
    struct location both = {p->source, first->begin, p->token->end};
    struct location name = parser_loc(p, *p->token);
    for (size_t i = 0; i < ARRAY_SIZE(words); i++)
        if (says(p, first, words[i])) {
            diag_help(m, "a name is bound without a word in front of it");
            diag_help_edit(m, both, "%.*s", LOCATION_TEXT(name));
            return true;
        }
    for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
        if (!says(p, first, types[i][0]))
            continue;
        diag_help(m, "the type of a name stands behind it");
        if (is_in_kernel(p))
            diag_help_edit(m, both, "%.*s: T.%s", LOCATION_TEXT(name), types[i][1]);
        if (is_in_kernel(p) && i == FOREIGN_INT && has_name(p->token + 2)) {
            diag_help(m, "or it has that of its value");
            diag_help_edit(m, both, "%.*s", LOCATION_TEXT(name));
        }
        return true;
    }
    return false;
}

const struct token *parser_increment(const struct parser *p)
{
    const struct token *second = p->token - 1, *first = second - 1;

    if (first <= p->tokens || parser_at(p, TOKEN_NEWLINE) || first->kind != second->kind ||
        (second->kind != TOKEN_PLUS && second->kind != TOKEN_MINUS) ||
        first->end != second->begin ||
        (first[-1].kind != TOKEN_NAME && first[-1].kind != TOKEN_RBRACKET))
        return NULL;
    return first;
}

/* `i++` within an expression */
static bool help_increment(struct parser *p, const char *what, struct diag_message *m)
{
    const struct token *first = strcmp(what, "an expression") == 0 ? parser_increment(p) : NULL;

    if (!first)
        return false;
    const char *sign = first->kind == TOKEN_PLUS ? "+" : "-";
    struct location place = {p->source, first->begin, first[1].end};
    diag_help(m, "there is no `%s%s`", sign, sign);
    diag_help_edit(m, place, " %s 1", sign);
    diag_help_unsure(m); /* in C the value is the one before */
    return true;
}

/* `for (int i = 0; i < n; i++):`, of a loop that counts by one */
static bool help_c_loop(struct parser *p, const char *what, struct diag_message *m)
{
    const struct token *first = parser_line_start(p), *end = parser_line_end(p), *at = first + 2;

    (void)what;
    if (first->kind != TOKEN_FOR || first[1].kind != TOKEN_LPAREN || end - first < 10)
        return false;
    at += at->kind == TOKEN_NAME && at[1].kind == TOKEN_NAME; /* the type of the variable */
    const struct token *name = at, *from = at + 2, *stop;
    if (name->kind != TOKEN_NAME || name[1].kind != TOKEN_ASSIGN ||
        from[1].kind != TOKEN_SEMICOLON || from[2].kind != TOKEN_NAME || from[3].kind != TOKEN_LT)
        return false;
    for (stop = from + 4; stop < end && stop->kind != TOKEN_SEMICOLON;)
        stop++;
    const struct token *close = end - (end[-1].kind == TOKEN_COLON || end[-1].kind == TOKEN_LBRACE);
    if (stop + 4 > end || stop == from + 4 || close[-1].kind != TOKEN_RPAREN)
        return false;
    struct location step = {p->source, stop->end, close[-1].begin};
    if (!memchr(step.source->text + step.begin, '+', step.end - step.begin) ||
        memchr(step.source->text + step.begin, '=', step.end - step.begin))
        return false;
    struct location bound = {p->source, from[4].begin, stop[-1].end};
    struct location start = parser_loc(p, *from);
    bool is_zero = start.end - start.begin == 1 && p->source->text[start.begin] == '0';
    diag_help(m, "a loop that counts goes through a `range`");
    diag_help_edit(m, (struct location){p->source, first->begin, end[-1].end},
                   "for %.*s in range(%.*s%s%.*s):", LOCATION_TEXT(parser_loc(p, *name)),
                   is_zero ? 0 : (int)(start.end - start.begin), p->source->text + start.begin,
                   is_zero ? "" : ", ", LOCATION_TEXT(bound));
    return true;
}

/* `1e-8f` */
static bool help_suffix(struct parser *p, const char *what, struct diag_message *m)
{
    const struct token *number = p->token - 1;
    bool is_number = number->kind == TOKEN_FLOAT || number->kind == TOKEN_INT;

    (void)what;
    if (!parser_at(p, TOKEN_NAME) || number < p->tokens || !is_number ||
        number->end != p->token->begin || p->token->end - p->token->begin != 1 ||
        !strchr("fFlL", p->source->text[p->token->begin]))
        return false;
    diag_help(m, "a number has no suffix");
    diag_help_edit(m, parser_loc(p, *p->token), "%s", "");
    return true;
}

/* `{"author": "name" "version": 2}`: two strings side by side are one, of which the second is the next key. */
static bool help_entry(struct parser *p, const char *what, struct diag_message *m)
{
    const struct token *second = p->token - 1;

    if (strcmp(what, "`,` or `}`") != 0 || !parser_at(p, TOKEN_COLON) || second <= p->tokens ||
        second->kind != TOKEN_STRING || second[-1].kind != TOKEN_STRING)
        return false;
    diag_primary(m, "behind two strings");
    diag_help(m, "a `,` is missing between them");
    diag_help_edit(m, location_behind(parser_loc(p, second[-1])), ",");
    return true;
}

/* `c >>> 1`, which puts zeros in front of a number with a sign, too */
static bool help_unsigned_shift(struct parser *p, const char *what, struct diag_message *m)
{
    const struct token *shift = p->token - 1;

    (void)what;
    if (!parser_at(p, TOKEN_GT) || shift->kind != TOKEN_SHR || shift->end != p->token->begin)
        return false;
    diag_help(m, "a shift is `>>`: of unsigned integers it puts zeros in front");
    diag_help_edit(m, parser_loc(p, *p->token), "%s", "");
    diag_help_unsure(m);
    return true;
}

/* `x[..., 0]` of a graph: one index along the last axis */
static bool help_ellipsis(struct parser *p, const char *what, struct diag_message *m)
{
    const struct token *dots = p->token, *name = dots - 2, *index = dots + 2;

    (void)what;
    if (!parser_at(p, TOKEN_ELLIPSIS) || dots[-1].kind != TOKEN_LBRACKET)
        return false;
    diag_help(m, "`R.take` takes an index along an axis, `R.strided_slice` a range");
    bool is_index = dots[1].kind == TOKEN_COMMA &&
                    (index->kind == TOKEN_INT || index->kind == TOKEN_NAME) &&
                    index[1].kind == TOKEN_RBRACKET;
    if (is_in_kernel(p) || !is_index || name->kind != TOKEN_NAME || name[-1].kind == TOKEN_DOT)
        return true;
    diag_help_edit(m, (struct location){p->source, name->begin, index[1].end},
                   "R.take(%.*s, %.*s, axis=-1)", LOCATION_TEXT(parser_loc(p, *name)),
                   LOCATION_TEXT(parser_loc(p, *index)));
    return true;
}

bool parser_help_foreign(struct parser *p, const char *what, struct diag_message *m)
{
    return help_unsigned_shift(p, what, m) || help_ellipsis(p, what, m) ||
           help_c_loop(p, what, m) || help_declaration(p, what, m) || help_increment(p, what, m) ||
           help_suffix(p, what, m) || help_entry(p, what, m);
}
