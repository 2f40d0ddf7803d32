/* Statements of the Python subset, and the refusal of those that TVMScript has no meaning for. */
#include "frontend/python/parser.h"

#include <string.h>

static struct ast *parse_statement(struct parser *p);

/* --- blocks and recovery --- */

/* Past the end of this line, and past the block that it opens. */
void parse_skip_statement(struct parser *p)
{
    unsigned depth = 0;

    while (!parser_at(p, TOKEN_NEWLINE) && !parser_at(p, TOKEN_END))
        p->token++;
    parser_take(p, TOKEN_NEWLINE);
    if (!parser_at(p, TOKEN_INDENT))
        return;
    do {
        depth += parser_at(p, TOKEN_INDENT);
        depth -= parser_at(p, TOKEN_DEDENT);
        if (!parser_at(p, TOKEN_END))
            p->token++;
    } while (depth && !parser_at(p, TOKEN_END));
}

/*
 * After an error: to the next line.  The block of a statement whose first line was wrong is parsed,
 * for its own errors, and dropped.
 */
static void recover(struct parser *p, const struct token *start)
{
    size_t mark = p->stack.count;

    if (p->token == start || p->token[-1].kind != TOKEN_NEWLINE)
        while (!parser_at(p, TOKEN_END) && !parser_take(p, TOKEN_NEWLINE)) {
            if (parser_at(p, TOKEN_DEDENT) && p->token != start)
                return;
            p->token++;
        }
    if (!parser_at(p, TOKEN_INDENT))
        return;
    parser_take(p, TOKEN_INDENT);
    if (p->block_depth < AST_DEPTH_LIMIT) {
        p->block_depth++;
        parse_statements(p, TOKEN_DEDENT);
        p->block_depth--;
    }
    p->stack.count = mark;
}

/* The statements of one line; false after an error. */
bool parse_line(struct parser *p)
{
    do {
        struct ast *statement = parse_statement(p);
        if (!statement)
            return false;
        array_push(&p->stack, statement);
        if (p->token[-1].kind == TOKEN_NEWLINE || p->token[-1].kind == TOKEN_DEDENT)
            return true; /* it had a block */
    } while (parser_take(p, TOKEN_SEMICOLON) && !parser_at(p, TOKEN_NEWLINE));
    return parser_expect(p, TOKEN_NEWLINE);
}

/* The indentation of the statement whose line ends in front of @token: of its first word. */
static struct location indentation_before(const struct parser *p, const struct token *token)
{
    const char *text = p->source->text;
    uint32_t begin = token->begin;

    while (token > p->tokens + 1 && token[-2].kind != TOKEN_NEWLINE &&
           token[-2].kind != TOKEN_INDENT && token[-2].kind != TOKEN_DEDENT)
        token--;
    if (token > p->tokens)
        begin = token[-1].begin;
    uint32_t line = begin;
    while (line > 0 && (text[line - 1] == ' ' || text[line - 1] == '\t'))
        line--;
    return (struct location){p->source, line, begin};
}

/* Can the statement at @token stand in no block?  A definition, or a constant. */
static bool may_stand_outside(const struct token *token)
{
    enum token_kind kind = token->kind;

    if (kind == TOKEN_NAME && token[1].kind == TOKEN_ASSIGN) {
        enum token_kind value = token[2].kind;
        return value == TOKEN_INT || value == TOKEN_FLOAT || value == TOKEN_STRING;
    }
    return kind == TOKEN_DEF || kind == TOKEN_CLASS || kind == TOKEN_AT || kind == TOKEN_FROM ||
           kind == TOKEN_IMPORT;
}

/* The token that ends the block of the INDENT which is next. */
static const struct token *block_end(const struct parser *p)
{
    const struct token *token = p->token + 1;

    for (unsigned depth = 1; depth > 0 && token->kind != TOKEN_END; token++) {
        depth += token->kind == TOKEN_INDENT;
        depth -= token->kind == TOKEN_DEDENT;
        if (depth == 0)
            break;
    }
    return token;
}

/* The block that is next begins nowhere: its `with` may be missing, or its blanks are too many. */
static void report_indented(struct parser *p)
{
    struct location loc = parser_loc(p, *p->token);
    bool has_line = p->token > p->tokens && p->token[-1].kind == TOKEN_NEWLINE;
    struct location before = has_line ? indentation_before(p, p->token - 1) : loc;

    if (has_line && p->block_depth &&
        lexer_report_with(p->diag, p->source, p->tokens, p->token, block_end(p),
                          before.end - before.begin))
        return;
    struct diag_message *m =
        diag_report(p->diag, loc, SYNTAX_INDENT, "the indentation opens a block where none starts");

    if (has_line) {
        diag_help(m, "indent it like the line in front");
        diag_help_edit(m, loc, "%.*s", LOCATION_TEXT(before));
        if (!p->block_depth && !may_stand_outside(p->token + 1))
            diag_help_unsure(m);
    }
}

/* A line that is indented further than that in front: it is read as one of the same block. */
static void parse_indented(struct parser *p)
{
    report_indented(p);
    p->token++;
    p->lost++;
    if (p->block_depth >= AST_DEPTH_LIMIT)
        return;
    size_t mark = p->stack.count;
    p->block_depth++;
    parse_statements(p, TOKEN_DEDENT);
    p->block_depth--;
    struct ast *last = p->stack.count > mark ? array_last(&p->stack) : NULL;
    bool has_clause = parser_at(p, TOKEN_ELSE) || parser_at(p, TOKEN_ELIF);
    if (has_clause && last && last->kind == AST_IF)
        last->is_partial = true;
}

void parse_statements(struct parser *p, enum token_kind end)
{
    bool has_lost = false; /* a statement of this block, which may have been an `if` */

    while (!parser_at(p, TOKEN_END) && !diag_is_full(p->diag)) {
        const struct token *start = p->token;
        size_t mark = p->stack.count;
        if (parser_take(p, end))
            return;
        if (parser_take(p, TOKEN_NEWLINE))
            continue;
        if (parser_at(p, TOKEN_INDENT)) {
            parse_indented(p);
            has_lost = true; /* its `else` may stand where the line in front does */
            continue;
        }
        if (parser_at(p, TOKEN_DEDENT)) { /* of an indentation that was reported */
            p->token++;
            continue;
        }
        p->depth = 0;
        bool is_lost = has_lost && (parser_at(p, TOKEN_ELIF) || parser_at(p, TOKEN_ELSE));
        bool done = is_lost ? parse_lost_clause(p) : parse_line(p);
        if (!done || is_lost)
            p->stack.count = mark;
        if (!done)
            recover(p, start);
        has_lost |= !done;
        p->lost += !done;
    }
}

/* --- refusals --- */

/* The edit that takes the word out. */
static void help_without(const struct parser *p, struct diag_message *m, struct location word)
{
    word.end = p->token[1].begin;
    diag_help(m, "leave it out");
    diag_help_edit(m, word, "%s", "");
}

/* The edit that takes the line out, in which the statement at @loc stands alone. */
static void help_no_line(struct diag_message *m, struct location loc)
{
    struct location line = location_whole_line(loc);

    for (uint32_t at = line.begin; at < line.end; at++)
        if (strchr(";(\\", line.source->text[at]))
            return;
    if (line.source->text[line.begin + strspn(line.source->text + line.begin, " ")] !=
        line.source->text[loc.begin])
        return;
    diag_help(m, "remove it");
    diag_help_edit(m, line, "%s", "");
}

struct ast *parse_refused(struct parser *p)
{
    struct location loc = parser_loc(p, *p->token);
    enum token_kind kind = p->token->kind;
    const char *word = parser_atom(p, *p->token);
    struct diag_message *m;

    switch (kind) {
    case TOKEN_ASYNC:
    case TOKEN_AWAIT:
        m = diag_report(p->diag, loc, PYTHON_ASYNC, word);
        help_without(p, m, loc);
        break;
    case TOKEN_GLOBAL:
    case TOKEN_NONLOCAL:
        m = diag_report(p->diag, loc, PYTHON_SCOPE, word);
        diag_help(m, "give the value to the function as a parameter, or write it in front of the "
                     "module (`N = 16`), where it is seen without this");
        help_no_line(m, loc);
        break;
    case TOKEN_DEL:
        m = diag_report(p->diag, loc, PYTHON_DELETE);
        diag_note(m, "a value ends with its last use");
        help_no_line(m, loc);
        break;
    case TOKEN_NAME:
        m = diag_report(p->diag, loc, PYTHON_MATCH);
        diag_help(m, "use `if` and `elif`");
        break;
    default:
        diag_report(p->diag, loc, PYTHON_TRY, word);
        break;
    }
    parse_skip_statement(p);
    while (parser_at(p, TOKEN_EXCEPT) || parser_at(p, TOKEN_FINALLY) ||
           (kind == TOKEN_TRY && parser_at(p, TOKEN_ELSE)))
        parse_skip_statement(p);
    /* it counts as a statement without meaning: nothing is left to recover from */
    return node_new(p, AST_PASS, loc);
}

/* `match x:`, where match is no keyword elsewhere. */
static bool at_match(const struct parser *p)
{
    const struct token *t = p->token;

    return t->end - t->begin == 5 && memcmp(p->source->text + t->begin, "match", 5) == 0 &&
           t[1].kind == TOKEN_NAME;
}

struct ast *statement_new(struct parser *p, enum ast_kind kind)
{
    return node_new(p, kind, parser_loc(p, *p->token++));
}

static struct ast *parse_statement(struct parser *p)
{
    switch (p->token->kind) {
    case TOKEN_AT:
        return parse_decorated(p);
    case TOKEN_DEF:
        return parse_def(p);
    case TOKEN_CLASS:
        return parse_class(p);
    case TOKEN_FOR:
        return parse_for(p);
    case TOKEN_WHILE:
        return parse_while(p);
    case TOKEN_IF:
        return parse_if(p);
    case TOKEN_WITH:
        return parse_with(p);
    case TOKEN_RETURN:
        return parse_return(p);
    case TOKEN_ASSERT:
        return parse_assert(p);
    case TOKEN_FROM:
    case TOKEN_IMPORT:
        return parse_import(p);
    case TOKEN_PASS:
        return statement_new(p, AST_PASS);
    case TOKEN_BREAK:
        return statement_new(p, AST_BREAK);
    case TOKEN_CONTINUE:
        return statement_new(p, AST_CONTINUE);
    case TOKEN_ASYNC:
    case TOKEN_AWAIT:
    case TOKEN_TRY:
    case TOKEN_RAISE:
    case TOKEN_GLOBAL:
    case TOKEN_NONLOCAL:
    case TOKEN_DEL:
        return parse_refused(p);
    case TOKEN_NAME:
        return at_match(p) ? parse_refused(p) : parse_expression_statement(p);
    default:
        return parse_expression_statement(p);
    }
}
