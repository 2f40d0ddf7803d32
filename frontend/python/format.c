/* See format.h. */
#include "frontend/python/format.h"

#include "base/memory.h"
#include "frontend/python/lexer.h"

#include <string.h>

enum { INDENT = 4, BLANKS_OUTSIDE = 2, BLANKS_INSIDE = 1 };

/* A bracket that is open. */
struct bracket {
    enum token_kind kind;
    bool has_colon; /* since the last comma: `x: int = 3` */
};

/* A block that is open: where it begins in the source, and where it will. */
struct block {
    size_t column, level;
};

struct formatter {
    const struct source *source;
    const struct token_list *list;
    struct text *out;
    const char *line_end;
    array(struct bracket) brackets;
    array(struct block) blocks;  /* the first is the file */
    size_t shift_from, shift_to; /* columns of the logical line, as it was and as it is now */
    enum token_kind before;      /* the token before the last one: tells signs from operators */
};

/* --- blanks within a line --- */

static bool is_open(enum token_kind kind)
{
    return kind == TOKEN_LPAREN || kind == TOKEN_LBRACKET || kind == TOKEN_LBRACE;
}

static bool is_close(enum token_kind kind)
{
    return kind == TOKEN_RPAREN || kind == TOKEN_RBRACKET || kind == TOKEN_RBRACE;
}

/* Does a value end with @kind, so that an operator behind it has two operands? */
static bool is_value(enum token_kind kind)
{
    switch (kind) {
    case TOKEN_NAME:
    case TOKEN_INT:
    case TOKEN_FLOAT:
    case TOKEN_STRING:
    case TOKEN_NUMBERS:
    case TOKEN_ELLIPSIS:
    case TOKEN_FALSE:
    case TOKEN_NONE:
    case TOKEN_TRUE:
        return true;
    default:
        return is_close(kind);
    }
}

/* One that may have one operand only. */
static bool is_sign(enum token_kind kind)
{
    return kind == TOKEN_PLUS || kind == TOKEN_MINUS || kind == TOKEN_STAR || kind == TOKEN_POWER ||
           kind == TOKEN_TILDE || kind == TOKEN_AT;
}

static bool is_operator(enum token_kind kind)
{
    return kind >= TOKEN_ARROW && kind <= TOKEN_CARET_ASSIGN;
}

/* `name=value` in brackets, but for `name: type = value`. */
static bool is_keyword_sign(const struct formatter *f, enum token_kind kind)
{
    return kind == TOKEN_ASSIGN && f->brackets.count && !array_last(&f->brackets).has_colon;
}

static bool is_slice(const struct formatter *f)
{
    return f->brackets.count && array_last(&f->brackets).kind == TOKEN_LBRACKET;
}

/* Is there to be a blank between @left and @right, where @had says whether there is one? */
static bool wants_blank(const struct formatter *f, enum token_kind left, enum token_kind right,
                        bool had)
{
    if (is_open(left) || is_close(right) || right == TOKEN_COMMA || right == TOKEN_SEMICOLON)
        return false;
    if (left == TOKEN_DOT || right == TOKEN_DOT)
        return had && (left == TOKEN_INT || left == TOKEN_FROM || right == TOKEN_IMPORT ||
                       left == TOKEN_IMPORT);
    if (left == TOKEN_COMMA || left == TOKEN_SEMICOLON)
        return true;
    if (left == TOKEN_COLON || right == TOKEN_COLON)
        return is_slice(f) ? had : left == TOKEN_COLON;
    if (is_keyword_sign(f, left) || is_keyword_sign(f, right))
        return false;
    if (left == TOKEN_POWER || right == TOKEN_POWER)
        return had;
    if (is_sign(left) && !is_value(f->before))
        return false;
    if (is_operator(left) || is_operator(right))
        return true;
    if ((right == TOKEN_LPAREN || right == TOKEN_LBRACKET) && is_value(left))
        return left != TOKEN_NAME && left != TOKEN_STRING && !is_close(left) && had;
    return true;
}

/* --- between lines --- */

static void put_blanks(struct formatter *f, size_t count)
{
    while (count--)
        text_putc(f->out, ' ');
}

/* Where what stood at @column of a line of its own stands now; @indent: that of the statement behind it. */
static size_t column_of(const struct formatter *f, size_t column, size_t indent)
{
    if (f->brackets.count) { /* it moves with its logical line */
        size_t moved = column + f->shift_to;
        return moved > f->shift_from ? moved - f->shift_from : 0;
    }
    for (size_t i = 0; i < f->blocks.count; i++)
        if (f->blocks.items[i].column == column)
            return f->blocks.items[i].level * INDENT;
    return indent;
}

/* A comment from @at on, up to the end of its line, without blanks at its end. */
static const char *put_comment(struct formatter *f, const char *at, const char *end)
{
    const char *stop = at;

    while (stop < end && *stop != '\n' && *stop != '\r')
        stop++;
    const char *last = stop;
    while (last > at && last[-1] == ' ')
        last--;
    text_append(f->out, at, (size_t)(last - at));
    return stop;
}

/* Behind the end of the line at @at. */
static const char *skip_end(const char *at, const char *end)
{
    if (at < end && *at == '\r')
        at++;
    return at < end && *at == '\n' ? at + 1 : at;
}

/* The text between two tokens on different lines; @indent: that of the second, if a statement begins there. */
static void put_lines(struct formatter *f, const char *at, const char *end, size_t indent,
                      bool is_first)
{
    size_t most = f->brackets.count || indent ? BLANKS_INSIDE : BLANKS_OUTSIDE, blanks = 0;
    bool is_line_begin = is_first;

    while (at < end) {
        const char *word = at;
        while (word < end && *word == ' ')
            word++;
        if (word < end && *word == '#') {
            put_blanks(f, is_line_begin ? column_of(f, (size_t)(word - at), indent) : 2);
            at = put_comment(f, word, end);
            blanks = 0;
            is_line_begin = false;
        } else if (word < end) { /* the end of a line, or of a blank one */
            blanks += is_line_begin;
            if (!is_line_begin || (blanks <= most && !is_first))
                text_puts(f->out, f->line_end);
            at = skip_end(word, end);
            is_line_begin = true;
            is_first = is_first && !f->out->length;
        } else {
            size_t column = (size_t)(word - at);
            put_blanks(f, f->brackets.count ? column_of(f, column, indent) : indent);
            return;
        }
    }
    put_blanks(f, f->brackets.count ? column_of(f, 0, indent) : indent);
}

/* --- the whole --- */

static void follow(struct formatter *f, enum token_kind kind)
{
    if (is_open(kind))
        array_push(&f->brackets, (struct bracket){.kind = kind});
    else if (is_close(kind) && f->brackets.count)
        f->brackets.count--;
    else if (f->brackets.count && (kind == TOKEN_COLON || kind == TOKEN_COMMA))
        array_last(&f->brackets).has_colon = kind == TOKEN_COLON;
}

static bool is_layout(enum token_kind kind)
{
    return kind == TOKEN_NEWLINE || kind == TOKEN_INDENT || kind == TOKEN_DEDENT;
}

/* The column of byte @offset, which only blanks stand in front of. */
static size_t column_at(const struct formatter *f, uint32_t offset)
{
    unsigned column;

    source_line(f->source, offset, &column);
    return column - 1;
}

/* Puts what stands between @left (NULL: the begin of the file) and @right; @depth: of blocks at @right. */
static void put_gap(struct formatter *f, const struct token *left, const struct token *right,
                    size_t depth)
{
    const char *text = f->source->text;
    const char *begin = text + (left ? left->end : 0), *end = text + right->begin;
    size_t length = (size_t)(end - begin);
    bool has_line = !left || memchr(begin, '\n', length);

    if (memchr(begin, '\\', length) &&
        !memchr(begin, '#', length)) { /* a line goes on: as it was */
        text_append(f->out, begin, length);
        return;
    }
    if (has_line && right->kind == TOKEN_END) {
        while (end > begin && (end[-1] == '\n' || end[-1] == '\r' || end[-1] == ' '))
            end--;
        put_lines(f, begin, end, 0, !left);
        return;
    }
    if (has_line)
        put_lines(f, begin, end, depth * INDENT, !left);
    else if (wants_blank(f, left->kind, right->kind, length > 0))
        text_putc(f->out, ' ');
}

static void put_tokens(struct formatter *f)
{
    const struct token *left = NULL;
    size_t depth = 0;
    bool is_statement = true;

    for (size_t i = 0; i < f->list->tokens.count; i++) {
        const struct token *token = &f->list->tokens.items[i];
        depth += token->kind == TOKEN_INDENT;
        depth -= token->kind == TOKEN_DEDENT;
        is_statement |= token->kind == TOKEN_NEWLINE;
        if (is_layout(token->kind))
            continue;
        put_gap(f, left, token, depth);
        if (token->kind == TOKEN_END)
            break;
        if (is_statement) {
            f->blocks.count = depth < f->blocks.count ? depth : f->blocks.count;
            f->shift_from = column_at(f, token->begin);
            f->shift_to = depth * INDENT;
            array_push(&f->blocks, (struct block){.column = f->shift_from, .level = depth});
            is_statement = false;
            f->before = TOKEN_NEWLINE;
        } else
            f->before = left ? left->kind : TOKEN_NEWLINE;
        text_append(f->out, f->source->text + token->begin, token->end - token->begin);
        follow(f, token->kind);
        left = token;
    }
    if (f->out->length)
        text_puts(f->out, f->line_end);
}

static bool is_same(const struct source *a, const struct token_list *left, const struct source *b,
                    const struct token_list *right)
{
    if (left->tokens.count != right->tokens.count)
        return false;
    for (size_t i = 0; i < left->tokens.count; i++) {
        struct token x = left->tokens.items[i], y = right->tokens.items[i];
        if (x.kind != y.kind)
            return false;
        if (!is_layout(x.kind) &&
            (x.end - x.begin != y.end - y.begin ||
             memcmp(a->text + x.begin, b->text + y.begin, x.end - x.begin) != 0))
            return false;
    }
    return true;
}

/* The tokens of @source; false if there are mistakes. */
static bool read_tokens(const struct source *source, struct token_list *out)
{
    struct diag *diag = diag_create();

    lexer_run(out, diag, source, source->text, source->length, 0, false);
    bool is_good = diag_error_count(diag) == 0;
    diag_destroy(diag);
    return is_good;
}

/* Has @source only ends of lines that are CRLF, or only LF, and no tabs? */
static bool is_plain(const struct source *source, const char **out_line_end)
{
    const char *first = memchr(source->text, '\n', source->length);
    bool is_crlf = first && first > source->text && first[-1] == '\r';

    *out_line_end = is_crlf ? "\r\n" : "\n";
    for (size_t i = 0; i < source->length; i++) {
        bool has_cr = i > 0 && source->text[i - 1] == '\r';
        if (source->text[i] == '\t' || source->text[i] == '\f' || source->text[i] == '\v' ||
            (source->text[i] == '\n' ? has_cr != is_crlf : has_cr))
            return false;
    }
    return source->length == 0 || source->text[source->length - 1] != '\r';
}

bool format_source(const struct source *source, struct text *out)
{
    struct token_list list = {0}, again = {0};
    struct formatter f = {.source = source, .list = &list, .out = out};
    struct arena arena = {0};
    bool is_good = is_plain(source, &f.line_end) && read_tokens(source, &list);

    if (is_good) {
        put_tokens(&f);
        const struct source *formatted =
            source_new(&arena, source->name, text_string(out), out->length);
        is_good = read_tokens(formatted, &again) && is_same(source, &list, formatted, &again);
    }
    if (!is_good)
        text_clear(out);
    array_finish(&f.brackets);
    array_finish(&f.blocks);
    token_list_finish(&list);
    token_list_finish(&again);
    arena_finish(&arena);
    return is_good;
}
