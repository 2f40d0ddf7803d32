/* What was meant by signs that are none, and by blanks: edits for messages of the lexer. */
#include "frontend/python/lexer.h"

#include <string.h>

bool lexer_is_word(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

unsigned lexer_utf8_length(const unsigned char *p)
{
    unsigned length = p[0] < 0x80                   ? 1
                      : p[0] >= 0xC2 && p[0] < 0xE0 ? 2
                      : (p[0] & 0xF0) == 0xE0       ? 3
                      : p[0] >= 0xF0 && p[0] < 0xF5 ? 4
                                                    : 0;

    for (unsigned i = 1; i < length; i++)
        if ((p[i] & 0xC0) != 0x80)
            return 0;
    if ((p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xED && p[1] > 0x9F) ||
        (p[0] == 0xF0 && p[1] < 0x90) || (p[0] == 0xF4 && p[1] > 0x8F))
        return 0;
    return length;
}

/*
 * `f(a="x, b="y")`: the last quote is the one that is left, and the first one was not closed.  What follows a string at
 * once is a word only then.
 */
static struct location open_quote(struct location quote)
{
    struct location line = location_whole_line(quote);
    const char *text = quote.source->text;

    for (uint32_t at = line.begin; at < quote.begin; at++) {
        const char *end = strchr("\"'", text[at]) ? strchr(text + at + 1, text[at]) : NULL;
        if (text[at] == '#')
            break;
        if (!end)
            continue;
        if (end < text + quote.begin && lexer_is_word(end[1]))
            return (struct location){quote.source, at, at + 1};
        at = (uint32_t)(end - text);
    }
    return quote;
}

/* `f(SR", x)`: the word in front of @quote, where a string can begin; @quote: there is none. */
static struct location word_before(struct location quote)
{
    const char *text = quote.source->text;
    uint32_t begin = quote.begin;

    while (begin > 0 && lexer_is_word(text[begin - 1]))
        begin--;
    return begin > 0 && strchr("([{, =:", text[begin - 1])
               ? (struct location){quote.source, begin, quote.end}
               : quote;
}

/*
 * `a[i] // don't`: the sign in front of @place, which is within words, that begins comments elsewhere; nowhere: there is
 * none.
 */
static struct location comment_before(struct location place)
{
    const char *text = place.source->text;
    uint32_t at = place.begin, words = 0;

    for (; at > 0 && (lexer_is_word(text[at - 1]) || strchr(" ,.", text[at - 1])); at--)
        words += lexer_is_word(text[at - 1]) && (at < 2 || !lexer_is_word(text[at - 2]));
    bool is_apostrophe = text[place.begin] == '\'' && at < place.begin &&
                         lexer_is_word(text[place.begin - 1]) &&
                         lexer_is_word(text[place.begin + 1]);
    bool is_prose =
        at > 1 && text[at - 1] == '/' && text[at - 2] == '/' && (words > 1 || is_apostrophe);
    return is_prose ? (struct location){place.source, at - 2, at} : (struct location){0};
}

static bool help_comment(struct diag_message *m, struct location place)
{
    struct location sign = comment_before(place);

    if (!sign.source)
        return false;
    diag_help(m, "a comment begins with `#`");
    diag_help_edit(m, sign, "#");
    return true;
}

static void help_string(struct diag_message *m, struct location quote)
{
    const char *text = quote.source->text, *end = text + quote.end;
    struct location word = word_before(quote);

    if (help_comment(m, quote))
        return;
    if (quote.begin > 0 && text[quote.begin - 1] == text[quote.begin] &&
        strchr("),]}:\r\n", *end)) { /* `"float32"")` */
        diag_help(m, "there is one quote too many");
        diag_help_edit(m, quote, "%s", "");
        return;
    }
    while (lexer_is_word(*end) || *end == '.')
        end++;
    diag_help(m, "a string over several lines needs three quotes");
    if (word.begin < quote.begin && strchr("),]}:\r\n", *end) && end == text + quote.end) {
        diag_help(m, "open it in front of the word");
        diag_help_edit(m, location_before(word), "%c", text[quote.begin]);
        return;
    }
    if (end > text + quote.end && (*end == '"' || *end == '\'') && strchr("),]}:\r\n", end[1])) {
        struct location other = {quote.source, (uint32_t)(end - text), (uint32_t)(end - text) + 1};
        diag_help(m, "close it with the quote that opens it");
        diag_help_edit(m, other, "%c", text[quote.begin]);
        return;
    }
    if (end == text + quote.end || !strchr("),]}:\r\n", *end))
        return;
    uint32_t place = (uint32_t)(end - text);
    diag_help(m, "close it behind the word");
    diag_help_edit(m, (struct location){quote.source, place, place}, "%c", text[quote.begin]);
}

void lexer_report_open(struct diag *diag, struct location quote, bool is_triple)
{
    struct location open = is_triple ? quote : open_quote(quote);
    struct diag_message *m = diag_report(diag, open, SYNTAX_STRING_OPEN);

    if (!is_triple)
        help_string(m, open);
}

/* Does the next line with a statement in it begin with @count blanks, too? */
static bool is_shared(const char *p, uint32_t count)
{
    for (;;) {
        p += strcspn(p, "\r\n");
        p += strspn(p, "\r\n");
        uint32_t blanks = (uint32_t)strspn(p, " ");
        if (!*p || !strchr("#\r\n", p[blanks]))
            return *p && blanks == count;
    }
}

void lexer_help_indent(struct diag_message *m, struct location blanks, uint32_t outer,
                       uint32_t inner)
{
    uint32_t count = blanks.end - blanks.begin;
    bool is_outer = count - outer == 1 && inner - count > 1;
    bool is_inner = inner - count == 1 && count - outer > 1;
    bool is_clear = (is_outer || is_inner) && !is_shared(blanks.source->text + blanks.begin, count);

    diag_help(m, "blocks around have %u and %u blanks", outer, inner);
    if (is_clear) {
        diag_help_edit(m, blanks, "%*s", (int)(is_outer ? outer : inner), "");
        return;
    }
    diag_help(m, "if it belongs to the inner one");
    diag_help_edit(m, blanks, "%*s", (int)inner, "");
    diag_help(m, "if it belongs to the outer one");
    diag_help_edit(m, blanks, "%*s", (int)outer, "");
}

/* `2n` where the file has a word `n`. */
static bool help_factor(struct diag_message *m, struct location number)
{
    const struct source *source = number.source;
    uint32_t begin = number.begin;

    while (begin < number.end && source->text[begin] >= '0' && source->text[begin] <= '9')
        begin++;
    size_t length = number.end - begin;
    const char *name = source->text + begin;
    for (size_t i = 0; i < length; i++)
        if (!lexer_is_word(name[i]))
            return false;
    for (const char *at = source->text; length && *at; at++) {
        if (at == name || strncmp(at, name, length) != 0 || lexer_is_word(at[length]) ||
            (at > source->text && lexer_is_word(at[-1])))
            continue;
        diag_help(m, "a product is written `*`");
        diag_help_edit(m, number, "%.*s * %.*s", (int)(begin - number.begin),
                       source->text + number.begin, (int)length, name);
        if (number.begin == 0 || !strchr("\"'", source->text[number.begin - 1]))
            diag_help_unsure(m); /* no dimension, which has nothing else */
        return true;
    }
    return false;
}

void lexer_help_number(struct diag_message *m, struct location number)
{
    const char *text = number.source->text;
    uint32_t digit = number.begin;

    while (digit < number.end - 1 && text[digit] == '0')
        digit++;
    char last = text[number.end - 1];
    if ((last == 'f' || last == 'F') && number.end - number.begin > 1 &&
        strspn(text + number.begin, "0123456789.") == number.end - number.begin - 1) {
        diag_help(m, "a number has no suffix");
        diag_help_edit(m, (struct location){number.source, number.end - 1, number.end}, "%s", "");
        return;
    }
    if (help_factor(m, number))
        return;
    for (uint32_t at = digit; at < number.end; at++)
        if (text[at] < '0' || text[at] > '9')
            return;
    if (digit == number.begin)
        return;
    diag_help(m, "a decimal number starts with no 0; an octal one starts with `0o`");
    diag_help_edit(m, (struct location){number.source, number.begin, digit}, "%s", "");
    if (digit - number.begin < 2 || number.end - digit > 1 || text[digit] > '7')
        diag_help_unsure(m); /* 05 may be 0.5, and 010 eight */
}

void lexer_help_character(struct diag_message *m, struct location place)
{
    /* What word processors and other languages make of Python's signs. */
    static const char *const meant[][2] = {
        {"\xe2\x80\x9c", "\""}, {"\xe2\x80\x9d", "\""}, {"\xe2\x80\x98", "'"},
        {"\xe2\x80\x99", "'"},  {"\xe2\x88\x92", "-"},  {"\xc3\x97", "*"},
        {"\xe2\x89\xa4", "<="}, {"\xe2\x89\xa5", ">="}, {"\xe2\x89\xa0", "!="},
        {"\xc3\xb7", "/"},      {"\xe2\x80\x93", "-"},  {"\xe2\x80\x94", "-"},
        {"\xc2\xb7", "*"},      {"\xe2\x8b\x85", "*"},
    };
    const char *text = place.source->text + place.begin;

    if (help_comment(m, place))
        return;
    if (*text == '!') {
        lexer_help_not(m, place);
        return;
    }
    if (*text == '?') {
        lexer_help_choice(m, place);
        return;
    }
    for (size_t i = 0; i < ARRAY_SIZE(meant); i++) {
        size_t length = strlen(meant[i][0]);
        if (place.end - place.begin < length || memcmp(text, meant[i][0], length) != 0)
            continue;
        place.end = place.begin + (uint32_t)length;
        diag_help(m, "write `%s`", meant[i][1]);
        diag_help_edit(m, place, "%s", meant[i][1]);
        return;
    }
}

/* The colon that ends the line of the bracket at @open, as in `if (i < n:`; NULL: the line has none. */
static const struct token *head_colon(const struct token_list *list, const char *text,
                                      uint32_t open)
{
    for (size_t i = 0; i < list->tokens.count; i++) {
        const struct token *token = &list->tokens.items[i];
        if (token->kind != TOKEN_COLON || token->begin < open)
            continue;
        if (memchr(text + open, '\n', token->begin - open))
            return NULL;
        size_t blanks = strspn(text + token->end, " \t\r");
        if (strchr("\n#", text[token->end + blanks]))
            return token;
    }
    return NULL;
}

/* `out[i, j = x`: an index ends in front of the sign, unless what begins there has brackets of its own around it. */
static const struct token *index_end(const struct token_list *list, const char *text, uint32_t open)
{
    const struct token *sign = NULL, *token = &array_last(&list->tokens);

    for (; token > list->tokens.items && token->begin > open; token--)
        if (token->kind == TOKEN_ASSIGN)
            sign = token;
    return sign && text[open] == '[' && text[sign->begin - 1] == ' ' && text[sign->end] == ' '
               ? sign - 1
               : NULL;
}

uint32_t lexer_closing_place(const struct token_list *list, const char *text, uint32_t open)
{
    const struct token *last = &array_last(&list->tokens);
    const struct token *colon = head_colon(list, text, open);

    /* what stands in front of `->` are parameters */
    for (const struct token *token = last; token > list->tokens.items && token->begin > open;
         token--)
        if (token->kind == TOKEN_ARROW)
            return token[-1].end;
    if (colon)
        return colon->begin;
    if (index_end(list, text, open))
        return index_end(list, text, open)->end;
    return last->kind == TOKEN_COLON ? last->begin : last->end;
}

/* --- where a statement begins --- */

/* Does the line at @p start with what only starts statements?  Then a bracket was forgotten. */
bool lexer_starts_statement(const char *p)
{
    static const char *const words[] = {"def",    "class", "with",     "return", "while",
                                        "assert", "break", "continue", "pass",   "import",
                                        "elif",   "raise", "try",      "del",    "global"};

    while (*p == ' ' || *p == '\t')
        p++;
    if (*p == '@')
        return p[1] >= 'A' && p[1] <= 'z';
    for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
        size_t length = strlen(words[i]);
        if (strncmp(p, words[i], length) == 0 && strchr(" :(\r\n", p[length]))
            return true;
    }
    return strncmp(p, "else", 4) == 0 && p[4 + strspn(p + 4, " ")] == ':';
}

/*
 * Does the line at @p start like `name = ` or `name: type = `, no deeper than @indent?  Keyword
 * arguments of a call over several lines are indented, and have no blanks around their sign.
 */
bool lexer_starts_assignment(const char *p, unsigned indent)
{
    const char *start = p;

    while (*p == ' ')
        p++;
    if ((size_t)(p - start) > indent || !((*p | 0x20) >= 'a' && (*p | 0x20) <= 'z'))
        return false;
    p += strcspn(p, " :=,()[]{}\r\n");
    if (*p == ':')
        p += strcspn(p, "=\r\n") - 1;
    return strncmp(p, " = ", 3) == 0;
}

/* Does the line at @p, no deeper than @indent, start with a name that is no operator of Python's? */
bool lexer_starts_name(const char *p, unsigned indent)
{
    static const char *const operators[] = {"and", "or", "not", "in", "is", "if", "else", "for"};
    size_t blanks = strspn(p, " ");
    const char *name = p + blanks;
    size_t length = strcspn(name, " .()[]{},:=+-*/%<>&|^~@!#\"'\\\r\n");

    if (blanks > indent || length == 0 || (*name >= '0' && *name <= '9') ||
        strchr("\"'", name[length]))
        return false;
    for (size_t i = 0; i < ARRAY_SIZE(operators); i++)
        if (strlen(operators[i]) == length && strncmp(name, operators[i], length) == 0)
            return false;
    return true;
}
