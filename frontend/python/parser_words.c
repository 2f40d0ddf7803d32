/* Words of Python that are misspelt: the message stands at the word, and names the one that is meant. */
#include "frontend/python/parser.h"

#include <string.h>

static const char *const heads[] = {"return", "with",   "for",  "while",  "if",   "elif", "def",
                                    "class",  "assert", "from", "import", "pass", NULL};
static const char *const between[] = {"and", "or", "in", "is", "if", "else", "as", NULL};
static const char *const alone[] = {"else", NULL};

/* Words of two letters are near to most others: only swapped letters count. */
static bool may_be(const char *typed, const char *word)
{
    return strlen(typed) > 2 || (typed[0] == word[1] && typed[1] == word[0]);
}

/* Reports @token where one of @words is meant; false: none is near. */
static bool report(struct parser *p, const struct token *token, const char *const *words)
{
    const char *typed = parser_atom(p, *token);
    struct text_nearest nearest = text_nearest_to(typed);

    for (; *words; words++)
        if (may_be(typed, *words))
            text_nearest_offer(&nearest, *words);
    if (!nearest.found)
        return false;
    struct location loc = parser_loc(p, *token);
    const char *meant = arena_printf(p->arena, "`%s`", nearest.found);
    struct diag_message *m =
        diag_report(p->diag, loc, SYNTAX_EXPECTED, nearest.other ? "a statement" : meant,
                    arena_printf(p->arena, "`%s`", typed));
    diag_help_nearest(m, loc, "", &nearest);
    return true;
}

/* `import` of "`import`"; NULL: @what is no single word. */
static const char *wanted_word(struct parser *p, const char *what)
{
    size_t length = strspn(what + 1, "abcdefghijklmnopqrstuvwxyz");

    return what[0] == '`' && length && strcmp(what + 1 + length, "`") == 0
               ? arena_printf(p->arena, "%.*s", (int)length, what + 1)
               : NULL;
}

static bool starts_operand(enum token_kind kind)
{
    return kind == TOKEN_NAME || kind == TOKEN_INT || kind == TOKEN_FLOAT || kind == TOKEN_STRING ||
           kind == TOKEN_NOT;
}

bool parser_report_misspelt(struct parser *p, const char *what)
{
    const struct token *first = parser_line_start(p), *next = p->token;
    const char *wanted = wanted_word(p, what);
    bool is_name = next->kind == TOKEN_NAME;

    if (parser_comment_sign(p))
        return false;
    /* `esle:` */
    if (next->kind == TOKEN_NEWLINE && first + 2 == next && first->kind == TOKEN_NAME &&
        next[-1].kind == TOKEN_COLON)
        return report(p, first, alone);
    if (is_name && wanted && report(p, next, (const char *const[]){wanted, NULL}))
        return true;
    /* `a adn b` */
    if (is_name && next > first && starts_operand(next[1].kind) && !strstr(what, " or `") &&
        report(p, next, between))
        return true;
    /* `retrun x` */
    return strcmp(what, "end of line") == 0 && first + 1 == next && first->kind == TOKEN_NAME &&
           report(p, first, heads);
}
