/*
 * Brackets whose mistake shows only behind it: one that is missing or too many in front of what stands at the wrong depth
 * then.  What was meant is put into the tokens, so that nothing else is told of it.
 */
#include "frontend/python/lexer.h"

#include <string.h>

static struct token *at(struct token_list *list, size_t behind)
{
    return behind < list->tokens.count ? &list->tokens.items[list->tokens.count - 1 - behind]
                                       : NULL;
}

static bool is_kind(struct token_list *list, size_t behind, enum token_kind kind)
{
    return behind < list->tokens.count && at(list, behind)->kind == kind;
}

static void insert(struct token_list *list, size_t place, enum token_kind kind, uint32_t offset)
{
    array_push(&list->tokens, (struct token){0});
    struct token *token = list->tokens.items + place;
    memmove(token + 1, token, (list->tokens.count - 1 - place) * sizeof(*token));
    *token = (struct token){kind, offset, offset};
}

static void take_out(struct token_list *list, size_t place)
{
    struct token *token = list->tokens.items + place;

    memmove(token, token + 1, (list->tokens.count - 1 - place) * sizeof(*token));
    list->tokens.count--;
}

static int step(enum token_kind kind)
{
    bool opens = kind == TOKEN_LPAREN || kind == TOKEN_LBRACKET || kind == TOKEN_LBRACE;
    bool closes = kind == TOKEN_RPAREN || kind == TOKEN_RBRACKET || kind == TOKEN_RBRACE;

    return opens - closes;
}

size_t lexer_opening_of(const struct token_list *list, size_t close)
{
    int depth = 0;

    for (size_t i = close + 1; i-- > 0;) {
        depth += step(list->tokens.items[i].kind);
        if (depth == 0)
            return i;
    }
    return close;
}

static struct location place_of(const struct source *source, struct token token)
{
    return (struct location){source, token.begin, token.end};
}

/* The `)` at @place of the tokens is one too many. */
static void remove_close(struct token_list *list, struct diag *diag, const struct source *source,
                         size_t place)
{
    struct location surplus = place_of(source, list->tokens.items[place]);
    struct diag_message *m = diag_report(diag, surplus, SYNTAX_BRACKET_CLOSE, ')');

    diag_help(m, "remove it");
    diag_help_edit(m, surplus, "%s", "");
    take_out(list, place);
}

/* --- R.Tensor(4, n), "float32") and R.Tensor((4, n)), "float32") --- */

static bool names_type(const struct token_list *list, const struct source *source, size_t place)
{
    struct token name = list->tokens.items[place];
    size_t length = name.end - name.begin;
    const char *text = source->text + name.begin;

    return name.kind == TOKEN_NAME && length == 6 &&
           (memcmp(text, "Tensor", 6) == 0 || memcmp(text, "Buffer", 6) == 0);
}

/* The shape between @open and @close has no brackets of its own. */
static void open_shape(struct token_list *list, struct diag *diag, const struct source *source,
                       size_t open, size_t close)
{
    const struct token *tokens = list->tokens.items;
    struct location shape = {source, tokens[open + 1].begin, tokens[close - 1].end};
    bool has_comma = false;

    for (size_t i = open + 1; i < close; i++)
        has_comma |= tokens[i].kind == TOKEN_COMMA;
    struct diag_message *m = diag_report(diag, place_of(source, tokens[open + 1]), SYNTAX_EXPECTED,
                                         "`(`", "the first size of a shape");
    diag_help(m, "a shape stands in brackets of its own");
    if (has_comma)
        diag_help_edit(m, location_before(shape), "(");
    else
        diag_help_edit(m, location_join(shape, place_of(source, tokens[close])), "(%.*s,)",
                       LOCATION_TEXT(shape));
    if (!has_comma)
        insert(list, close, TOKEN_COMMA, shape.end);
    insert(list, open + 1, TOKEN_LPAREN, shape.begin);
}

bool lexer_repair_type(struct token_list *list, struct diag *diag, const struct source *source)
{
    size_t count = list->tokens.count, close = count - 3;

    if (count < 7 || !is_kind(list, 0, TOKEN_STRING) || !is_kind(list, 1, TOKEN_COMMA) ||
        !is_kind(list, 2, TOKEN_RPAREN) || !lexer_is_dtype(at(list, 0), source->text))
        return false;
    size_t open = lexer_opening_of(list, close);
    if (open == close || open == 0 || open + 1 == close || !names_type(list, source, open - 1))
        return false;
    bool has_shape = list->tokens.items[open + 1].kind == TOKEN_LPAREN &&
                     lexer_opening_of(list, close - 1) == open + 1;
    if (!has_shape) {
        open_shape(list, diag, source, open, close);
        return true;
    }
    remove_close(list, diag, source, close);
    return true;
}

/* --- y = R.ones((4,)), dtype="float32") --- */

/* The comma of the statement that ends here, in no bracket, behind a `)` and in front of an argument; 0: there is none. */
static size_t loose_comma(const struct token_list *list)
{
    const struct token *tokens = list->tokens.items;
    int depth = 0;

    for (size_t i = list->tokens.count; i-- > 1;) {
        depth += step(tokens[i].kind);
        if (tokens[i].kind == TOKEN_NEWLINE || tokens[i].kind == TOKEN_ERROR || depth > 0)
            return 0;
        bool is_argument = tokens[i].kind == TOKEN_COMMA && i + 2 < list->tokens.count &&
                           tokens[i + 1].kind == TOKEN_NAME && tokens[i + 2].kind == TOKEN_ASSIGN;
        if (depth == 0 && is_argument && tokens[i - 1].kind == TOKEN_RPAREN)
            return i;
    }
    return 0;
}

bool lexer_repair_call(struct token_list *list, struct diag *diag, const struct source *source)
{
    size_t comma = loose_comma(list);

    if (!comma)
        return false;
    remove_close(list, diag, source, comma - 1);
    return true;
}

/* --- R.mean(x, axis=2, 3]) --- */

bool lexer_repair_list(struct token_list *list, struct diag *diag, const struct source *source,
                       uint32_t open, struct location bracket)
{
    const struct token *tokens = list->tokens.items;
    size_t i = list->tokens.count;

    while (i-- > 1 && tokens[i].begin > open && tokens[i].kind != TOKEN_ASSIGN)
        if (tokens[i].kind != TOKEN_INT && tokens[i].kind != TOKEN_NAME &&
            tokens[i].kind != TOKEN_COMMA && tokens[i].kind != TOKEN_MINUS)
            return false;
    if (i == 0 || tokens[i].begin <= open || i + 1 == list->tokens.count)
        return false;
    struct diag_message *m = diag_report(diag, bracket, SYNTAX_BRACKET_CLOSE, ']');
    diag_help(m, "open the list behind `=`");
    diag_help_edit(m, (struct location){source, tokens[i].end, tokens[i].end}, "[");
    insert(list, i + 1, TOKEN_LBRACKET, tokens[i].end);
    return true;
}

/* --- R.Tensor(("n", "w)", "float32") --- */

bool lexer_repair_string(struct token_list *list, struct diag *diag, struct location string,
                         const struct lexer_bracket *brackets, size_t count)
{
    const char *text = string.source->text + string.begin;
    size_t length = string.end - string.begin;
    bool is_first = is_kind(list, 0, TOKEN_LPAREN) || is_kind(list, 0, TOKEN_COMMA) ||
                    is_kind(list, 0, TOKEN_ASSIGN);

    if (count == 0 || brackets[count - 1].open != '(' || !is_first || length < 4 ||
        text[length - 2] != ')' || text[0] != text[length - 1] || memchr(text, '(', length) ||
        memchr(text, '\\', length) || lexer_brackets_fit(brackets, count, text + length) ||
        !lexer_brackets_fit(brackets, count - 1, text + length))
        return false;
    struct location bracket = {string.source, string.end - 2, string.end - 1};
    struct diag_message *m = diag_report(diag, bracket, SYNTAX_BRACKET_CLOSE, ')');
    diag_primary(m, "within the string");
    diag_label(m,
               (struct location){string.source, brackets[count - 1].at, brackets[count - 1].at + 1},
               "`(` is open here");
    diag_help(m, "close the string in front of it");
    bracket.end++;
    diag_help_edit(m, bracket, "%c)", text[0]);
    return true;
}
