/* Lines that slipped out of a block, which goes on behind them. */
#include "frontend/python/lexer.h"

#include <string.h>

enum { FARTHEST = 4000 }; /* bytes that are looked at */

/* A line with something in it. */
struct line {
    const char *text; /* behind its blanks; NULL: there is none, or it begins with tabs */
    unsigned blanks;
};

/* The next one from @p on, which begins a line. */
static struct line line_at(const char *p, const char *limit)
{
    while (*p && p < limit) {
        size_t blanks = strspn(p, " ");
        if (p[blanks] == '\t' || !p[blanks])
            break;
        if (!strchr("#\r\n", p[blanks]))
            return (struct line){p + blanks, (unsigned)blanks};
        p += strcspn(p, "\n");
        p += *p == '\n';
    }
    return (struct line){0};
}

/* Behind the string at @p, if it is closed in its line. */
static const char *string_end(const char *p)
{
    const char *end = p + 1;

    while (*end && *end != *p && *end != '\n')
        end += 1 + (*end == '\\' && end[1]);
    return end + (*end == *p);
}

/* The line behind the statement at @p; @out_last: its last character. */
static struct line line_behind(const char *p, const char *limit, char *out_last)
{
    int depth = 0;

    while (*p && p < limit && (*p != '\n' || depth > 0)) {
        if (*p == '#') {
            p += strcspn(p, "\n");
            continue;
        }
        depth += (strchr("([{", *p) != NULL) - (strchr(")]}", *p) != NULL);
        if (!strchr(" \t\r\n", *p))
            *out_last = *p;
        p = *p == '"' || *p == '\'' ? string_end(p) : p + 1;
    }
    return *p && p < limit ? line_at(p + 1, limit) : (struct line){0};
}

/* Does the statement at @p open a block, or is it meant to, or to be one with the next line? */
static bool opens(const char *p, char last)
{
    static const char *const words[] = {"@",  "class", "def",  "elif",  "else", "for",
                                        "if", "while", "with", "async", "try"};

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        size_t length = strlen(words[i]);
        if (strncmp(p, words[i], length) == 0 && (length == 1 || !lexer_is_word(p[length])))
            return true;
    }
    return last == ':' || last == '\\';
}

/* Does a class hold the block that is @levels blocks out?  Nothing but functions stands there, nor outside of all blocks. */
static bool is_in_class(const struct token_list *list, size_t levels)
{
    const struct token *first = list->tokens.items, *token = first + list->tokens.count;

    for (size_t depth = levels + 1; depth > 0; depth -= token->kind == TOKEN_INDENT) {
        if (token == first)
            return true;
        token--;
        depth += token->kind == TOKEN_DEDENT;
    }
    if (token == first) /* the file begins with it */
        return true;
    for (token--; token > first && token[-1].kind != TOKEN_NEWLINE &&
                  token[-1].kind != TOKEN_INDENT && token[-1].kind != TOKEN_DEDENT;)
        token--;
    return token->kind == TOKEN_CLASS;
}

/* How many blanks the line has that ends @slip, statements that open no block; 0: there is none. */
static unsigned blanks_behind(struct line slip, const char *limit, bool *out_goes_on)
{
    struct line line = slip;
    char last = 0;

    while (line.text && line.blanks == slip.blanks) {
        const char *p = line.text;
        line = line_behind(p, limit, &last);
        if (opens(p, last))
            return 0;
    }
    struct line next = line.text ? line_behind(line.text, limit, &last) : line;
    *out_goes_on = next.text && next.blanks >= line.blanks;
    return line.text ? line.blanks : 0;
}

static bool is_block(const unsigned *indents, size_t count, unsigned blanks)
{
    while (count > 0 && indents[count - 1] != blanks)
        count--;
    return count > 0;
}

bool lexer_report_slip(const struct token_list *list, struct diag *diag, struct location blanks,
                       unsigned column, const unsigned *indents, size_t count)
{
    const char *p = blanks.source->text + blanks.end;
    unsigned inner = indents[count - 1];
    size_t levels = 0;
    bool goes_on = false;

    while (levels < count && indents[count - 1 - levels] > column)
        levels++;
    unsigned behind = blanks_behind((struct line){p, column}, p + strnlen(p, FARTHEST), &goes_on);
    if (behind <= column || !is_block(indents, count, behind))
        return false;
    /* one line alone may as well have slipped into it, unless this one stands where it has no meaning */
    if (!(behind == inner && goes_on) && !is_in_class(list, levels))
        return false;
    struct diag_message *m =
        diag_report(diag, blanks, SYNTAX_INDENT, "the block goes on behind a line that ends it");

    diag_help(m, behind == inner ? "indent it like the lines around"
                                 : "indent it like the line in front");
    diag_help_edit(m, blanks, "%*s", (int)inner, "");
    if (behind != inner)
        diag_help_unsure(m); /* it may be one of the blocks between */
    return true;
}
