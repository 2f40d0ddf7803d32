/*
 * The lexer.  Re2c finds the end of a token; indentation, brackets and strings, which are no regular
 * language, are followed by hand around it.
 */
#include "frontend/python/lexer.h"
#include "frontend/python/numbers.h"

#include "frontend/python/ast.h"

#include <string.h>

struct lexer {
    struct token_list *list;
    struct diag *diag;
    const struct source *source;
    const char *text; /* NUL-terminated */
    uint32_t base;    /* place of text in the source */
    array(unsigned) indents;
    array(struct lexer_bracket) brackets;
    bool reported_tab;
    unsigned misfit; /* the last indentation that fits no block */
};

const char *token_kind_name(enum token_kind kind)
{
    static const char *const names[TOKEN_COUNT] = {
#define TOKEN(id, text) [TOKEN_##id] = text,
#include "frontend/python/tokens.def"
    };

    return names[kind];
}

static uint32_t offset_of(const struct lexer *lexer, const char *p)
{
    return lexer->base + (uint32_t)(p - lexer->text);
}

static struct location span(const struct lexer *lexer, const char *begin, const char *end)
{
    return (struct location){lexer->source, offset_of(lexer, begin), offset_of(lexer, end)};
}

static void push(struct lexer *lexer, enum token_kind kind, const char *begin, const char *end)
{
    array_push(&lexer->list->tokens,
               (struct token){kind, offset_of(lexer, begin), offset_of(lexer, end)});
}

/* "abc" as a printable text of bounded length, for messages. */
static const char *excerpt(char buffer[static 40], const char *begin, const char *end)
{
    size_t length = (size_t)(end - begin);

    if (length > 36)
        length = 36;
    while (length > 1 && length < (size_t)(end - begin) && (begin[length] & 0xC0) == 0x80)
        length--;
    memcpy(buffer, begin, length);
    buffer[length] = '\0';
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)buffer[i] < ' ' || buffer[i] == 127)
            buffer[i] = '?';
    return buffer;
}

/* --- what is text --- */

static bool check_is_text(const struct lexer *lexer, size_t length)
{
    for (size_t i = 0; i < length;) {
        const char *p = lexer->text + i;
        unsigned step = lexer_utf8_length((const unsigned char *)p);
        if (!*p || !step) {
            struct diag_message *m = diag_report(lexer->diag, span(lexer, p, p + 1), SYNTAX_NOT_TEXT,
                                                 *p ? "a byte is no UTF-8" : "it holds a NUL byte");
            diag_primary(m, "byte 0x%02x", *(const unsigned char *)p);
            return false;
        }
        i += step;
    }
    return true;
}

/* --- brackets --- */

static struct location bracket_place(const struct lexer *lexer, struct lexer_bracket bracket)
{
    return (struct location){lexer->source, bracket.at, bracket.at + 1};
}

static bool open_bracket(struct lexer *lexer, const char *p)
{
    if (lexer->brackets.count >= AST_DEPTH_LIMIT) {
        diag_report(lexer->diag, span(lexer, p, p + 1), SYNTAX_NESTING, AST_DEPTH_LIMIT);
        return false;
    }
    size_t count = lexer->list->tokens.count;
    bool is_def = count >= 2 && lexer->list->tokens.items[count - 2].kind == TOKEN_DEF;
    array_push(&lexer->brackets, (struct lexer_bracket){*p, is_def, offset_of(lexer, p)});
    return true;
}

static bool close_bracket(struct lexer *lexer, const char *p)
{
    struct lexer_bracket open;

    /* of what was mended before it: what is open stays open */
    if (*p == ')' && (lexer->brackets.count ? lexer_repair_type : lexer_repair_call)(
                         lexer->list, lexer->diag, lexer->source))
        return true;
    if (!lexer->brackets.count) {
        struct diag_message *m =
            diag_report(lexer->diag, span(lexer, p, p + 1), SYNTAX_BRACKET_CLOSE, *p);
        lexer_help_closing(m, span(lexer, p, p + 1));
        return false;
    }
    open = array_last(&lexer->brackets);
    if (lexer_closing(open.open) == *p) {
        lexer->brackets.count--;
        return true;
    }
    if (*p == ']' && open.open == '(' &&
        lexer_repair_list(lexer->list, lexer->diag, lexer->source, open.at, span(lexer, p, p + 1)))
        return true;
    struct diag_message *m =
        diag_report(lexer->diag, span(lexer, p, p + 1), SYNTAX_BRACKET_CLOSE, *p);
    diag_label(m, bracket_place(lexer, open), "`%c` is open here and wants `%c`", open.open,
               lexer_closing(open.open));
    lexer->brackets.count = lexer_help_misfit(m, lexer->list, lexer->brackets.items,
                                              lexer->brackets.count, span(lexer, p, p + 1), p);
    return false;
}

/* The brackets that are open are given up, so that the next statement is seen as one. */
static void give_up_brackets(struct lexer *lexer, const char *p)
{
    struct lexer_bracket open = array_last(&lexer->brackets);
    struct diag_message *m =
        diag_report(lexer->diag, bracket_place(lexer, open), SYNTAX_BRACKET_OPEN, open.open);
    struct text closing = {0};

    while (lexer->brackets.count)
        text_putc(&closing, lexer_closing(array_pop(&lexer->brackets).open));
    lexer_help_open(m, lexer->list, bracket_place(lexer, open), text_string(&closing));
    text_finish(&closing);
    push(lexer, TOKEN_ERROR, p, p);
    push(lexer, TOKEN_NEWLINE, p, p);
}

/* Is what stands last a value, or the end of one? */
static bool ends_value(enum token_kind kind)
{
    return kind == TOKEN_NAME || kind == TOKEN_INT || kind == TOKEN_FLOAT || kind == TOKEN_STRING ||
           kind == TOKEN_RPAREN || kind == TOKEN_RBRACKET || kind == TOKEN_RBRACE;
}

/* Behind a value no name can follow: the next statement begins, and a bracket was forgotten. */
static bool starts_other(const struct lexer *lexer, const char *p)
{
    return lexer->list->tokens.count && ends_value(array_last(&lexer->list->tokens).kind) &&
           lexer_starts_name(p, array_last(&lexer->indents));
}

/* --- parameters --- */

/*
 * `def f(x: R.Tensor((2,), y: ..`: a name with a colon is a parameter, so that the bracket of what stands in front of
 * it was forgotten.  It is put in, and what stands behind it moves on.
 */
static void close_annotation(struct lexer *lexer)
{
    struct lexer_bracket open = array_pop(&lexer->brackets);
    const struct token *shape = lexer_shape_end(lexer->list, lexer->source->text, open.at);
    const struct token *last = shape ? shape : &array_last(&lexer->list->tokens) - 2;
    size_t behind = (size_t)(last - lexer->list->tokens.items) + 1;
    struct location place = {lexer->source, last->end, last->end};
    struct diag_message *m =
        diag_report(lexer->diag, bracket_place(lexer, open), SYNTAX_BRACKET_OPEN, open.open);

    diag_help(m, "close it with `)`");
    diag_help_edit(m, place, ")");
    array_push(&lexer->list->tokens, (struct token){0});
    struct token *bracket = lexer->list->tokens.items + behind;
    memmove(bracket + 1, bracket, (lexer->list->tokens.count - 1 - behind) * sizeof(*bracket));
    *bracket = (struct token){TOKEN_RPAREN, place.begin, place.begin};
}

/* Is the `:` that comes next one of a parameter, within a bracket that is no parameter list? */
static bool is_forgotten(const struct lexer *lexer)
{
    size_t count = lexer->list->tokens.count, depth = lexer->brackets.count, i = count;
    const struct token *tokens = lexer->list->tokens.items;

    if (depth < 2 || !lexer->brackets.items[depth - 2].has_parameters || count < 4 ||
        tokens[count - 1].kind != TOKEN_NAME || tokens[count - 2].kind != TOKEN_COMMA ||
        array_last(&lexer->brackets).open != '(' ||
        lexer_is_keyword(lexer->source->text + tokens[count - 1].end))
        return false;
    for (; i-- > 0 && tokens[i].begin > array_last(&lexer->brackets).at;)
        if (tokens[i].kind == TOKEN_LAMBDA)
            return false;
    return i > 0 && tokens[i - 1].kind == TOKEN_NAME; /* a call */
}

/* --- indentation --- */

static const char *skip_comment(const char *p)
{
    return p + strcspn(p, "\n\r");
}

/* A line that begins with tabs, which Python reads as @column blanks: how many are meant. */
static unsigned read_tab(struct lexer *lexer, struct location blanks, unsigned column)
{
    size_t count = lexer->list->tokens.count;
    const struct token *tokens = lexer->list->tokens.items;
    bool opens = count > 1 && tokens[count - 1].kind == TOKEN_NEWLINE &&
                 tokens[count - 2].kind == TOKEN_COLON;
    struct lexer_tab tab =
        lexer_tab_meant(lexer->indents.items, lexer->indents.count, blanks, column, opens);

    if (lexer->reported_tab)
        return tab.blanks;
    struct diag_message *m = diag_report(lexer->diag, blanks, SYNTAX_TAB);
    diag_help(m, tab.blanks == column ? "as Python reads it, that is %u blanks" : "its block has %u blanks",
              tab.blanks);
    diag_help_edit(m, blanks, "%*s", (int)tab.blanks, "");
    if (tab.is_unsure)
        diag_help_unsure(m);
    lexer->reported_tab = true;
    return tab.blanks;
}

/* Reads the blanks at the start of a line; makes INDENT and DEDENT unless the line is empty. */
static const char *read_indentation(struct lexer *lexer, const char *p)
{
    const char *start = p;
    unsigned column = 0, inner = 0;
    bool has_tab = false;

    for (; *p == ' ' || *p == '\t' || *p == '\f'; p++) {
        has_tab |= *p == '\t';
        column = *p == '\t' ? (column / 8 + 1) * 8 : *p == '\f' ? 0 : column + 1;
    }
    if (*p == '#' || *p == '\r' || *p == '\n' || !*p)
        return p;
    if (has_tab)
        column = read_tab(lexer, span(lexer, start, p), column);
    if (column > array_last(&lexer->indents) && column == lexer->misfit)
        return p; /* a line like one that was told of */
    if (column > array_last(&lexer->indents)) {
        array_push(&lexer->indents, column);
        push(lexer, TOKEN_INDENT, start, p);
        return p;
    }
    if (column < array_last(&lexer->indents) &&
        (lexer_report_slip(lexer->list, lexer->diag, span(lexer, start, p), column,
                           lexer->indents.items, lexer->indents.count) ||
         lexer_report_lost_with(lexer->list, lexer->diag, lexer->source, column,
                                lexer->indents.items, lexer->indents.count)))
        return p;
    while (column < array_last(&lexer->indents)) {
        inner = array_pop(&lexer->indents);
        push(lexer, TOKEN_DEDENT, p, p);
    }
    if (column != array_last(&lexer->indents)) {
        if (column != lexer->misfit) /* else it was told of the line in front */
            lexer_help_indent(diag_report(lexer->diag, span(lexer, start, p), SYNTAX_INDENT,
                                          "the indentation fits no block around"),
                              span(lexer, start, p), array_last(&lexer->indents), inner);
        lexer->misfit = column;
        if (column - array_last(&lexer->indents) >= inner - column) { /* the block goes on */
            array_push(&lexer->indents, inner);
            lexer->list->tokens.count--;
        }
    }
    return p;
}

/* --- strings --- */

/* What was opened in the line of @p counts as closed: its closing bracket was taken for text. */
static void close_line(struct lexer *lexer, const char *p)
{
    while (p > lexer->text && p[-1] != '\n' && p[-1] != '\r')
        p--;
    while (lexer->brackets.count && array_last(&lexer->brackets).at >= offset_of(lexer, p))
        lexer->brackets.count--;
}

/* @p is behind the opening quotes; returns the place behind the closing ones, or NULL. */
static const char *scan_string(const char *p, char quote, bool is_triple)
{
    for (; *p; p++) {
        if (*p == '\\') {
            p++;
            if (*p == '\r' && p[1] == '\n')
                p++;
            if (!*p)
                return NULL;
        } else if (*p == quote && !is_triple) {
            return p + 1;
        } else if (*p == quote && p[1] == quote && p[2] == quote) {
            return p + 3;
        } else if ((*p == '\n' || *p == '\r') && !is_triple) {
            return NULL;
        }
    }
    return NULL;
}

/* The string whose prefix and first quote are [start, p). */
static const char *read_string(struct lexer *lexer, const char *start, const char *p)
{
    char quote = p[-1];
    bool is_triple = *p == quote && p[1] == quote;
    const char *end = scan_string(is_triple ? p + 2 : p, quote, is_triple);
    enum token_kind kind = TOKEN_STRING;

    if (!end) {
        lexer_report_open(lexer->diag, span(lexer, start, is_triple ? p + 2 : p), is_triple);
        end = is_triple ? p + strlen(p) : skip_comment(p);
        kind = TOKEN_ERROR;
        close_line(lexer, start);
    }
    for (const char *c = start; c < p - 1; c++) {
        struct diag_message *m = NULL;
        if (*c == 'f' || *c == 'F')
            m = diag_report(lexer->diag, span(lexer, start, end), PYTHON_FSTRING);
        else if (*c == 'b' || *c == 'B')
            m = diag_report(lexer->diag, span(lexer, start, end), PYTHON_BYTES);
        if (m) {
            diag_help(m, "write the text that it stands for");
            if (*c == 'b' || *c == 'B' || !memchr(p, '{', (size_t)(end - p)))
                diag_help_edit(m, span(lexer, c, c + 1), "%s", "");
            kind = TOKEN_ERROR;
            break;
        }
    }
    if (kind == TOKEN_STRING && !is_triple &&
        lexer_repair_string(lexer->list, lexer->diag, span(lexer, start, end),
                            lexer->brackets.items, lexer->brackets.count)) {
        lexer->brackets.count--;
        push(lexer, kind, start, end - 1); /* what is between its first and last character */
        push(lexer, TOKEN_RPAREN, end - 2, end - 1);
        return end;
    }
    push(lexer, kind, start, end);
    return end;
}

/* --- tokens --- */

static void report_text(struct lexer *lexer, bool is_number, const char *begin, const char *end)
{
    char buffer[40];

    push(lexer, TOKEN_ERROR, begin, end);
    if (is_number && (end[-1] == 'j' || end[-1] == 'J'))
        diag_report(lexer->diag, span(lexer, begin, end), PYTHON_COMPLEX);
    else if (is_number)
        lexer_help_number(diag_report(lexer->diag, span(lexer, begin, end), SYNTAX_NUMBER,
                                      excerpt(buffer, begin, end)),
                          span(lexer, begin, end));
    else
        lexer_help_character(diag_report(lexer->diag, span(lexer, begin, end), SYNTAX_CHARACTER,
                                         excerpt(buffer, begin, end)),
                             span(lexer, begin, end));
}

/* The next token that is no string, comment, blank or line end, from @start; its kind. */
static enum token_kind scan_token(const char *start, const char **out_end)
{
    const char *p = start;
    const char *marker;
    enum token_kind kind;

    /*!re2c
    re2c:define:YYCTYPE  = "unsigned char";
    re2c:define:YYCURSOR = p;
    re2c:define:YYMARKER = marker;
    re2c:yyfill:enable   = 0;

    digits   = [0-9] ("_"? [0-9])*;
    integer  = [1-9] ("_"? [0-9])* | "0" ("_"? "0")*
             | "0" [xX] ("_"? [0-9a-fA-F])+ | "0" [oO] ("_"? [0-7])+ | "0" [bB] ("_"? [01])+;
    exponent = [eE] [-+]? digits;
    float    = (digits "." digits? | "." digits) exponent? | digits exponent;
    name     = [a-zA-Z_] [a-zA-Z0-9_]*;

    "False"    { kind = TOKEN_FALSE;    goto done; }
    "None"     { kind = TOKEN_NONE;     goto done; }
    "True"     { kind = TOKEN_TRUE;     goto done; }
    "and"      { kind = TOKEN_AND;      goto done; }
    "as"       { kind = TOKEN_AS;       goto done; }
    "assert"   { kind = TOKEN_ASSERT;   goto done; }
    "async"    { kind = TOKEN_ASYNC;    goto done; }
    "await"    { kind = TOKEN_AWAIT;    goto done; }
    "break"    { kind = TOKEN_BREAK;    goto done; }
    "class"    { kind = TOKEN_CLASS;    goto done; }
    "continue" { kind = TOKEN_CONTINUE; goto done; }
    "def"      { kind = TOKEN_DEF;      goto done; }
    "del"      { kind = TOKEN_DEL;      goto done; }
    "elif"     { kind = TOKEN_ELIF;     goto done; }
    "else"     { kind = TOKEN_ELSE;     goto done; }
    "except"   { kind = TOKEN_EXCEPT;   goto done; }
    "finally"  { kind = TOKEN_FINALLY;  goto done; }
    "for"      { kind = TOKEN_FOR;      goto done; }
    "from"     { kind = TOKEN_FROM;     goto done; }
    "global"   { kind = TOKEN_GLOBAL;   goto done; }
    "if"       { kind = TOKEN_IF;       goto done; }
    "import"   { kind = TOKEN_IMPORT;   goto done; }
    "in"       { kind = TOKEN_IN;       goto done; }
    "is"       { kind = TOKEN_IS;       goto done; }
    "lambda"   { kind = TOKEN_LAMBDA;   goto done; }
    "nonlocal" { kind = TOKEN_NONLOCAL; goto done; }
    "not"      { kind = TOKEN_NOT;      goto done; }
    "or"       { kind = TOKEN_OR;       goto done; }
    "pass"     { kind = TOKEN_PASS;     goto done; }
    "raise"    { kind = TOKEN_RAISE;    goto done; }
    "return"   { kind = TOKEN_RETURN;   goto done; }
    "try"      { kind = TOKEN_TRY;      goto done; }
    "while"    { kind = TOKEN_WHILE;    goto done; }
    "with"     { kind = TOKEN_WITH;     goto done; }
    "yield"    { kind = TOKEN_YIELD;    goto done; }

    name       { kind = TOKEN_NAME;     goto done; }
    integer    { kind = TOKEN_INT;      goto done; }
    float      { kind = TOKEN_FLOAT;    goto done; }

    "("   { kind = TOKEN_LPAREN;    goto done; }    ")"   { kind = TOKEN_RPAREN;    goto done; }
    "["   { kind = TOKEN_LBRACKET;  goto done; }    "]"   { kind = TOKEN_RBRACKET;  goto done; }
    "{"   { kind = TOKEN_LBRACE;    goto done; }    "}"   { kind = TOKEN_RBRACE;    goto done; }
    ","   { kind = TOKEN_COMMA;     goto done; }    ":"   { kind = TOKEN_COLON;     goto done; }
    ";"   { kind = TOKEN_SEMICOLON; goto done; }    "."   { kind = TOKEN_DOT;       goto done; }
    "..." { kind = TOKEN_ELLIPSIS;  goto done; }    "->"  { kind = TOKEN_ARROW;     goto done; }
    "@"   { kind = TOKEN_AT;        goto done; }    "="   { kind = TOKEN_ASSIGN;    goto done; }
    ":="  { kind = TOKEN_WALRUS;    goto done; }    "~"   { kind = TOKEN_TILDE;     goto done; }

    "+"   { kind = TOKEN_PLUS;         goto done; } "+="  { kind = TOKEN_PLUS_ASSIGN;         goto done; }
    "-"   { kind = TOKEN_MINUS;        goto done; } "-="  { kind = TOKEN_MINUS_ASSIGN;        goto done; }
    "*"   { kind = TOKEN_STAR;         goto done; } "*="  { kind = TOKEN_STAR_ASSIGN;         goto done; }
    "**"  { kind = TOKEN_POWER;        goto done; } "**=" { kind = TOKEN_POWER_ASSIGN;        goto done; }
    "/"   { kind = TOKEN_SLASH;        goto done; } "/="  { kind = TOKEN_SLASH_ASSIGN;        goto done; }
    "//"  { kind = TOKEN_DOUBLE_SLASH; goto done; } "//=" { kind = TOKEN_DOUBLE_SLASH_ASSIGN; goto done; }
    "%"   { kind = TOKEN_PERCENT;      goto done; } "%="  { kind = TOKEN_PERCENT_ASSIGN;      goto done; }
    "@="  { kind = TOKEN_AT_ASSIGN;    goto done; }
    "<<"  { kind = TOKEN_SHL;          goto done; } "<<=" { kind = TOKEN_SHL_ASSIGN;          goto done; }
    ">>"  { kind = TOKEN_SHR;          goto done; } ">>=" { kind = TOKEN_SHR_ASSIGN;          goto done; }
    "&"   { kind = TOKEN_AMPERSAND;    goto done; } "&="  { kind = TOKEN_AMPERSAND_ASSIGN;    goto done; }
    "|"   { kind = TOKEN_PIPE;         goto done; } "|="  { kind = TOKEN_PIPE_ASSIGN;         goto done; }
    "^"   { kind = TOKEN_CARET;        goto done; } "^="  { kind = TOKEN_CARET_ASSIGN;        goto done; }
    "<"   { kind = TOKEN_LT;           goto done; } "<="  { kind = TOKEN_LE;                  goto done; }
    ">"   { kind = TOKEN_GT;           goto done; } ">="  { kind = TOKEN_GE;                  goto done; }
    "=="  { kind = TOKEN_EQ;           goto done; } "!="  { kind = TOKEN_NE;                  goto done; }

    [0-9] [0-9a-zA-Z_.]*          { kind = TOKEN_ERROR; goto done; }
    [\x80-\xff]+                  { kind = TOKEN_ERROR; goto done; }
    [rRuUbBfF] [rRbBfF]? ["']     { kind = TOKEN_STRING; goto done; }
    ["']                          { kind = TOKEN_STRING; goto done; }
    *                             { kind = TOKEN_ERROR; goto done; }
    */
done:
    *out_end = p;
    return kind;
}

enum { NUMBERS_LEAST = 256 }; /* bytes of a list that is read as a whole */

/* The end of a long list of plain numbers in `.const(` at @start; or NULL. */
static const char *numbers_end(const struct lexer *lexer, const char *start)
{
    static const char before[] = ".const(";
    size_t length = sizeof(before) - 1;
    struct numbers numbers;

    if ((size_t)(start - lexer->text) < length || memcmp(start - length, before, length) != 0 ||
        !numbers_measure(start, &numbers) || numbers.end - start < NUMBERS_LEAST)
        return NULL;
    return numbers.end;
}

/* Reads the token at @start and returns its end, or NULL when reading on makes no sense. */
static const char *read_token(struct lexer *lexer, const char *start)
{
    const char *end, *numbers;
    enum token_kind kind = scan_token(start, &end);

    if (kind == TOKEN_LBRACKET && (numbers = numbers_end(lexer, start))) {
        push(lexer, TOKEN_NUMBERS, start, numbers);
        return numbers;
    }
    switch (kind) {
    case TOKEN_STRING:
        return read_string(lexer, start, end);
    case TOKEN_ERROR:
        report_text(lexer, *start >= '0' && *start <= '9', start, end);
        return end;
    case TOKEN_LPAREN:
    case TOKEN_LBRACKET:
    case TOKEN_LBRACE:
        if (open_bracket(lexer, start))
            break;
        push(lexer, TOKEN_ERROR, start, end);
        lexer->brackets.count = 0;
        return NULL;
    case TOKEN_RPAREN:
    case TOKEN_RBRACKET:
    case TOKEN_RBRACE:
        if (!close_bracket(lexer, start))
            kind = TOKEN_ERROR;
        break;
    case TOKEN_COLON:
        if (is_forgotten(lexer))
            close_annotation(lexer);
        break;
    default:
        break;
    }
    push(lexer, kind, start, end);
    return end;
}

/* A line end at @p: significant outside of brackets. */
static const char *read_line_end(struct lexer *lexer, const char *p)
{
    const char *next = *p == '\r' && p[1] == '\n' ? p + 2 : p + 1;

    if (lexer->brackets.count &&
        (lexer_starts_statement(next) || starts_other(lexer, next) ||
         lexer_starts_assignment(next, array_last(&lexer->indents))))
        give_up_brackets(lexer, p);
    else if (!lexer->brackets.count && lexer->list->tokens.count) {
        enum token_kind last = array_last(&lexer->list->tokens).kind;
        if (last != TOKEN_NEWLINE && last != TOKEN_INDENT && last != TOKEN_DEDENT)
            push(lexer, TOKEN_NEWLINE, p, p);
    }
    return next;
}

static const char *read_lines(struct lexer *lexer, bool is_expression)
{
    const char *p = lexer->text;
    bool at_line_start = !is_expression;

    if (!is_expression && memcmp(p, "\xEF\xBB\xBF", strnlen(p, 3)) == 0 && *p)
        p += 3;
    for (;;) {
        if (at_line_start && !lexer->brackets.count)
            p = read_indentation(lexer, p);
        at_line_start = false;
        while (*p == ' ' || *p == '\t' || *p == '\f')
            p++;
        if (*p == '#')
            p = skip_comment(p);
        if (!*p || diag_is_full(lexer->diag))
            return p;
        if (*p == '\n' || *p == '\r') {
            p = is_expression ? p + 1 : read_line_end(lexer, p);
            at_line_start = !is_expression;
        } else if (*p == '\\' && (p[1] == '\n' || p[1] == '\r')) {
            p += p[1] == '\r' && p[2] == '\n' ? 3 : 2;
        } else {
            const char *next = read_token(lexer, p);
            if (!next)
                return p;
            p = next;
        }
    }
}

void lexer_run(struct token_list *list, struct diag *diag, const struct source *source,
               const char *text, size_t length, uint32_t base, bool is_expression)
{
    struct lexer lexer = {
        .list = list, .diag = diag, .source = source, .text = text, .base = base};
    const char *p = text;

    array_push(&lexer.indents, 0);
    if (check_is_text(&lexer, length))
        p = read_lines(&lexer, is_expression);
    if (lexer.brackets.count)
        give_up_brackets(&lexer, p);
    else if (list->tokens.count && array_last(&list->tokens).kind != TOKEN_NEWLINE)
        push(&lexer, TOKEN_NEWLINE, p, p);
    for (size_t i = 1; i < lexer.indents.count; i++)
        push(&lexer, TOKEN_DEDENT, p, p);
    push(&lexer, TOKEN_END, p, p);
    array_reserve(&list->tokens, TOKENS_AHEAD);
    for (size_t i = 0; i < TOKENS_AHEAD; i++)
        list->tokens.items[list->tokens.count + i] = array_last(&list->tokens);
    array_finish(&lexer.indents);
    array_finish(&lexer.brackets);
}

void token_list_finish(struct token_list *list)
{
    array_finish(&list->tokens);
}
