/* Whether the place where a bracket is closed changes what is computed, and brackets of other languages. */
#include "frontend/python/lexer.h"

#include <string.h>

static bool is_sign(enum token_kind kind)
{
    return kind >= TOKEN_PLUS && kind <= TOKEN_CARET;
}

static bool is_comparison(enum token_kind kind)
{
    return kind >= TOKEN_LT && kind <= TOKEN_NE;
}

static int step(enum token_kind kind)
{
    bool opens = kind == TOKEN_LPAREN || kind == TOKEN_LBRACKET || kind == TOKEN_LBRACE;
    bool closes = kind == TOKEN_RPAREN || kind == TOKEN_RBRACKET || kind == TOKEN_RBRACE;

    return opens - closes;
}

/* What stands between two operands in a bracket, not in those within it. */
struct signs {
    unsigned signs, comparisons;
};

/* Of the bracket at @open up to @place; with @is_last only of its last item. */
static struct signs count_signs(const struct token_list *list, const char *text, uint32_t open,
                                uint32_t place, bool is_last)
{
    struct signs found = {0};
    int depth = 0;

    for (size_t i = 1; i < list->tokens.count; i++) {
        const struct token *token = &list->tokens.items[i];
        if (token->begin <= open || token->begin >= place)
            continue;
        depth += step(token->kind);
        /* a sign behind a value or a bracket, with something behind it, is between two operands */
        bool is_between = text[token->begin - 1] == ' ' && text[token->end] == ' ';
        found.signs += depth == 0 && is_sign(token->kind) && is_between;
        found.comparisons += depth == 0 && is_comparison(token->kind) && is_between;
        if (is_last && depth == 0 && token->kind == TOKEN_COMMA)
            found = (struct signs){0};
    }
    return found;
}

/* Is what stands there the same wherever it is closed?  `(a + b` is, `((a >> s + b` and `f(a + b` are not. */
static bool is_whole(struct signs found, const char *text, uint32_t open)
{
    bool is_group =
        text[open] == '(' &&
        (open == 0 || (!lexer_is_word(text[open - 1]) && !strchr(")]", text[open - 1])));

    return is_group ? found.signs + (found.signs && found.comparisons) < 2
                    : found.signs + found.comparisons == 0;
}

/*
 * `((a >> s + b`: closed behind `s` it is another number; of a call closed elsewhere one operator is enough.  The brackets that
 * are closed in front of @place may be meant to be closed before: `x / (T.sqrt(v / c + e)`.
 */
static bool is_clear(const struct token_list *list, const char *text, uint32_t open, uint32_t place)
{
    size_t last = list->tokens.count;

    if (!is_whole(count_signs(list, text, open, place, false), text, open))
        return false;
    while (last > 0 && list->tokens.items[last - 1].end > place)
        last--;
    for (; last-- > 0 && list->tokens.items[last].kind == TOKEN_RPAREN;) {
        uint32_t end = list->tokens.items[last].begin;
        size_t inner = lexer_opening_of(list, last);
        uint32_t begin = list->tokens.items[inner].begin;
        if (inner == last || begin <= open)
            break;
        if (!is_whole(count_signs(list, text, begin, end, true), text, begin))
            return false;
    }
    return true;
}

static bool is_sum(enum token_kind kind)
{
    return kind == TOKEN_PLUS || kind == TOKEN_MINUS;
}

/*
 * `(v + d - 1 % w]`: a group around all that stands between other brackets says nothing, so that it is meant to end in front of
 * the one sign that binds more than a sum, and that a sum stands in front of.  Where that is; @place: nothing tells.
 */
static uint32_t group_end(const struct token_list *list, const char *text, uint32_t open,
                          uint32_t place)
{
    uint32_t end = place;
    bool is_group = text[open] == '(' && open > 0 && strchr(" [(,=", text[open - 1]);
    bool has_sum = false, is_one = true;
    int depth = 0;

    for (size_t i = 1; is_group && i < list->tokens.count; i++) {
        const struct token *token = &list->tokens.items[i];
        if (token->begin <= open || token->begin >= place)
            continue;
        depth += step(token->kind);
        if (depth != 0 || !is_sign(token->kind))
            is_group &= depth != 0 || token->kind != TOKEN_COMMA;
        else if (is_sum(token->kind))
            has_sum = true;
        else if (has_sum && text[token->begin - 1] == ' ') {
            is_one &= end == place;
            end = list->tokens.items[i - 1].end;
        }
    }
    return is_group && is_one ? end : place;
}

void lexer_help_close(struct diag_message *m, const struct token_list *list, uint32_t open,
                      struct location place, const char *closing)
{
    const char *text = place.source->text;

    if (!closing[1])
        place.begin = group_end(list, text, open, place.begin);
    place.end = place.begin;
    diag_help(m, "close it with `%s`", closing);
    diag_help_edit(m, place, "%s", closing);
    if (text[open] == '(' && !is_clear(list, text, open, place.begin))
        diag_help_unsure(m);
}

/* `if (x) {`: the edit of a brace that begins a block; false: it does not. */
static bool help_brace(struct diag_message *m, struct location brace)
{
    static const char *const words[] = {"if", "elif", "else", "for", "while", "def", "with"};
    struct location line = location_whole_line(brace);
    const char *text = line.source->text, *head = text + line.begin;
    bool is_head = false;

    head += strspn(head, " \t");
    for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
        size_t length = strlen(words[i]);
        is_head |= strncmp(head, words[i], length) == 0 && !lexer_is_word(head[length]);
    }
    size_t blanks = strspn(text + brace.end, " \t\r");
    if (!is_head || !strchr("\n#", text[brace.end + blanks]))
        return false;
    while (brace.begin > line.begin && text[brace.begin - 1] == ' ')
        brace.begin--;
    diag_help(m, "a block begins with `:`");
    diag_help_edit(m, brace, "%s", text[brace.begin - 1] == ':' ? "" : ":");
    return true;
}

void lexer_help_open(struct diag_message *m, const struct token_list *list, struct location bracket,
                     const char *closing)
{
    const char *text = bracket.source->text;

    if (text[bracket.begin] == '{' && help_brace(m, bracket))
        return;
    const struct token *shape = closing[1] ? NULL : lexer_shape_end(list, text, bracket.begin);
    uint32_t place = shape ? shape->end : lexer_closing_place(list, text, bracket.begin);
    diag_help(m, "close it with `%s`", closing);
    diag_help_edit(m, (struct location){bracket.source, place, place}, "%s", closing);
    if (!shape && !is_clear(list, text, bracket.begin, place))
        diag_help_unsure(m);
}
