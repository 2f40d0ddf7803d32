/* Blocks whose first line, `with R.dataflow():` or `with T.sblock("k"):`, is missing: what they hold tells. */
#include "frontend/python/lexer.h"

#include <string.h>

static bool is_word(const struct token *token, const char *text, const char *word)
{
    size_t length = strlen(word);

    return token->kind == TOKEN_NAME && token->end - token->begin == length &&
           memcmp(text + token->begin, word, length) == 0;
}

static bool is_break(enum token_kind kind)
{
    return kind == TOKEN_NEWLINE || kind == TOKEN_INDENT || kind == TOKEN_DEDENT;
}

/* Is the last statement of [@first, @end) an R.output? */
static bool ends_flow(const struct token *first, const struct token *end, const char *text)
{
    const struct token *last = end - 1;

    while (last > first && is_break(last->kind))
        last--;
    while (last > first && !is_break(last[-1].kind))
        last--;
    return end - last > 3 && is_word(last, text, "R") && last[1].kind == TOKEN_DOT &&
           is_word(last + 2, text, "output");
}

/* Is the first statement of [@first, @end) an axis? */
static bool begins_block(const struct token *first, const struct token *end, const char *text)
{
    for (; first + 3 < end && !is_break(first->kind); first++)
        if (first->kind == TOKEN_ASSIGN && is_word(first + 1, text, "T") &&
            first[2].kind == TOKEN_DOT)
            return is_word(first + 3, text, "axis");
    return false;
}

/* The name of the function that @token stands in; nowhere: it stands in none. */
static struct location function_around(const struct token *tokens, const struct token *token,
                                       const struct source *source)
{
    while (token > tokens && token->kind != TOKEN_DEF)
        token--;
    return token->kind == TOKEN_DEF && token[1].kind == TOKEN_NAME
               ? (struct location){source, token[1].begin, token[1].end}
               : (struct location){0};
}

bool lexer_report_with(struct diag *diag, const struct source *source, const struct token *tokens,
                       const struct token *indent, const struct token *end, unsigned column)
{
    bool is_flow = ends_flow(indent + 1, end, source->text);
    struct location name = function_around(tokens, indent, source);

    if (!is_flow && (!begins_block(indent + 1, end, source->text) || !name.source))
        return false;
    struct location blanks = {source, indent->begin, indent->end};
    struct diag_message *m = diag_report(diag, blanks, SYNTAX_INDENT,
                                         is_flow ? "the block that `R.output` ends begins nowhere"
                                                 : "the block of this axis begins nowhere");
    struct location line = location_before(location_whole_line(blanks));
    if (is_flow) {
        diag_help(m, "a dataflow block begins with `with R.dataflow():`");
        diag_help_edit(m, line, "%*swith R.dataflow():\n", (int)column, "");
    } else {
        diag_help(m, "a block begins with `with T.sblock(\"%.*s\"):`", LOCATION_TEXT(name));
        diag_help_edit(m, line, "%*swith T.sblock(\"%.*s\"):\n", (int)column, "",
                       LOCATION_TEXT(name));
    }
    return true;
}

/* The INDENT of the block that is read, whose tokens are the last; NULL: there is none. */
static const struct token *open_indent(const struct token_list *list)
{
    const struct token *token = list->tokens.items + list->tokens.count;

    for (unsigned depth = 1; depth > 0; depth -= token->kind == TOKEN_INDENT) {
        if (token == list->tokens.items)
            return NULL;
        token--;
        depth += token->kind == TOKEN_DEDENT;
    }
    return token;
}

bool lexer_report_lost_with(const struct token_list *list, struct diag *diag,
                            const struct source *source, unsigned column, unsigned *indents,
                            size_t count)
{
    const struct token *indent = count > 1 ? open_indent(list) : NULL;

    if (!indent || column <= indents[count - 2] ||
        !lexer_report_with(diag, source, list->tokens.items, indent,
                           list->tokens.items + list->tokens.count, column))
        return false;
    indents[count - 1] = column; /* the block goes on */
    return true;
}
