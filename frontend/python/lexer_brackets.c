/* Which of three mistakes a closing bracket of the wrong kind is: the rest of its line tells. */
#include "frontend/python/ast.h"
#include "frontend/python/lexer.h"
#include "ir/dtype.h"

#include <string.h>

static const char opening[] = "([{", closing[] = ")]}";

char lexer_closing(char open)
{
    return closing[strchr(opening, open) - opening];
}

void lexer_help_closing(struct diag_message *m, struct location bracket)
{
    const char *p = bracket.source->text + bracket.begin;

    if (bracket.begin > 0 && lexer_is_word(p[-1]) && lexer_is_word(p[1]))
        return; /* `T)exp(x)`: another sign was meant */
    diag_help(m, "remove it");
    diag_help_edit(m, bracket, "%s", "");
    if (bracket.begin == 0 || !strchr(closing, p[-1]))
        diag_help_unsure(m); /* `ai] = b`: one that opens it was forgotten */
}

/* Behind the string that begins at @p, within its line. */
static const char *skip_string(const char *p)
{
    char quote = *p++;

    while (*p && *p != quote && *p != '\n' && *p != '\r')
        p += p[0] == '\\' && p[1] ? 2 : 1;
    return *p == quote ? p + 1 : p;
}

/*
 * Do the brackets @open, for which there is room up to @limit, and those from @p on fit together up to the end of the
 * line, strings and comments apart?
 */
static bool brackets_fit(char *open, size_t limit, const char *p)
{
    size_t depth = strlen(open);
    const char *end = p + strnlen(p, 1000); /* of calls over many lines */

    while (p < end && (depth > 0 || (*p != '\n' && *p != '\r'))) {
        if (*p == '\'' || *p == '"') {
            p = skip_string(p);
            continue;
        }
        if (*p == '#')
            p += strcspn(p, "\r\n");
        else if (strchr(opening, *p)) {
            if (depth + 1 >= limit)
                return false;
            open[depth++] = *p++;
        } else if (strchr(closing, *p)) {
            if (depth == 0 || lexer_closing(open[depth - 1]) != *p)
                return false;
            depth--;
            p++;
        } else
            p++;
    }
    return depth == 0;
}

bool lexer_brackets_fit(const struct lexer_bracket *brackets, size_t count, const char *p)
{
    char open[AST_DEPTH_LIMIT + 1] = "";

    for (size_t i = 0; i < count; i++)
        open[i] = brackets[i].open;
    return brackets_fit(open, sizeof(open), p);
}

size_t lexer_help_misfit(struct diag_message *m, const struct token_list *list,
                         const struct lexer_bracket *brackets, size_t count, struct location place,
                         const char *p)
{
    char wanted = lexer_closing(brackets[count - 1].open);
    bool is_wrong = lexer_brackets_fit(brackets, count - 1, p + 1);
    struct text missing = {0};
    size_t outer = count, left = count - 1;

    while (outer > 0 && lexer_closing(brackets[outer - 1].open) != *p)
        text_putc(&missing, lexer_closing(brackets[--outer].open));
    if (!is_wrong && outer > 0 && lexer_brackets_fit(brackets, outer - 1, p + 1)) {
        lexer_help_close(m, list, brackets[count - 1].at, place, text_string(&missing));
        left = outer - 1;
    } else if (!is_wrong && strchr(")]},:\r\n", p[1]) &&
               lexer_brackets_fit(brackets, count, p + 1)) {
        diag_help(m, "remove it");
        diag_help_edit(m, place, "%s", "");
        size_t length = place.begin - brackets[count - 1].at;
        if (!strchr(closing, p[-1]) && memchr(p - length, ',', length))
            diag_help_unsure(m); /* `(x, 2, 3])`: one that opens it was forgotten */
        left = count;
    } else if (place.begin - brackets[count - 1].at < 1000) {
        diag_help(m, "write `%c`", wanted);
        diag_help_edit(m, place, "%c", wanted);
    }
    text_finish(&missing);
    return left;
}

bool lexer_is_keyword(const char *behind)
{
    behind += strspn(behind, " ");
    behind += *behind == ':';
    behind += strspn(behind, " ");
    return *behind && strchr("\"'0123456789-", *behind);
}

bool lexer_is_dtype(const struct token *token, const char *text)
{
    char name[24];
    size_t length = token->end - token->begin;
    struct ir_dtype dtype;

    if (token->kind != TOKEN_STRING || length < 3 || length >= sizeof(name))
        return false;
    memcpy(name, text + token->begin + 1, length - 2);
    name[length - 2] = '\0';
    return ir_dtype_parse(name, &dtype);
}

/* The bracket around @token, which begins behind @open; NULL: there is none. */
static const struct token *bracket_around(const struct token *token, uint32_t open)
{
    unsigned depth = 0;

    for (token--; token->begin > open; token--) {
        bool closes = token->kind == TOKEN_RPAREN || token->kind == TOKEN_RBRACKET;
        bool opens = token->kind == TOKEN_LPAREN || token->kind == TOKEN_LBRACKET;
        if (opens && depth == 0)
            return token;
        depth += closes;
        depth -= opens;
    }
    return NULL;
}

const struct token *lexer_shape_end(const struct token_list *list, const char *text, uint32_t open)
{
    for (size_t i = list->tokens.count - 1; i-- > 2;) {
        const struct token *token = &list->tokens.items[i];
        if (token->begin <= open)
            break;
        if (token[1].kind != TOKEN_RPAREN || token[-1].kind != TOKEN_COMMA ||
            !lexer_is_dtype(token, text))
            continue;
        const struct token *shape = bracket_around(token, open);
        if (shape && shape->kind == TOKEN_LPAREN && shape[-1].kind == TOKEN_LPAREN)
            return token - 2;
    }
    return NULL;
}
