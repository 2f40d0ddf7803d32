/* Statements with a block: loops, conditions, with, definitions. */
#include "frontend/python/parser.h"

#include <string.h>

static void copy_body(struct parser *p, size_t mark, struct ast ***out_items, unsigned *out_count)
{
    size_t count = p->stack.count - mark;

    *out_items = arena_array(p->arena, struct ast *, count);
    *out_count = (unsigned)count;
    if (count)
        memcpy(*out_items, p->stack.items + mark, count * sizeof(struct ast *));
    p->stack.count = mark;
}

/* The first line from @line on with something in it. */
static const char *skip_blank_lines(const char *line)
{
    size_t blanks = strspn(line, " \r");

    while (line[blanks] == '\n') {
        line += blanks + 1;
        blanks = strspn(line, " \r");
    }
    return line;
}

/*
 * The line of @first is the whole block where it is the last of its own, or one that does nothing elsewhere, or has the
 * `else` of the statement behind it; else it is only shown.
 */
static void help_indent(struct diag_message *m, struct location first)
{
    struct location line = location_whole_line(first);
    const char *text = first.source->text, *next = skip_blank_lines(text + line.end);
    uint32_t column = first.begin - line.begin, end = line.end;

    while (end > first.begin && strchr(" \r\n", text[end - 1]))
        end--;
    bool is_pass = end - first.begin == 4 && memcmp(text + first.begin, "pass", 4) == 0;
    uint32_t blanks = (uint32_t)strspn(next, " ");
    bool is_clause = blanks == column && (strncmp(next + blanks, "else:", 5) == 0 ||
                                          strncmp(next + blanks, "elif ", 5) == 0);
    bool is_last = blanks < column || *next == '\0' || is_clause;
    if (column != strspn(text + line.begin, " ") || strchr(":,([{\\", text[end - 1]))
        return;
    diag_help(m, "indent it");
    diag_help_edit(m, location_before(first), "    ");
    if (!is_pass && !is_last)
        diag_help_unsure(m); /* the lines behind it may belong to the block, too */
}

/* `if x: y = 1` with more of the block in the lines behind; @first is what stands behind the `:`. */
static void parse_rest(struct parser *p, const struct token *first)
{
    struct location indentation = parser_loc(p, *p->token);
    struct location line = {p->source, first->begin, p->token[-1].begin};
    struct diag_message *m =
        diag_report(p->diag, line, SYNTAX_INDENT,
                    "the block begins in the line of its `:` and goes on behind it");

    diag_help(m, "begin it in a line of its own");
    diag_help_edit(m, (struct location){p->source, first[-1].end, first->begin}, "\n%.*s",
                   LOCATION_TEXT(indentation));
    parser_take(p, TOKEN_INDENT);
    if (p->block_depth >= AST_DEPTH_LIMIT)
        return;
    p->block_depth++;
    parse_statements(p, TOKEN_DEDENT);
    p->block_depth--;
}

/* ":" and the block: into @node's body or orelse; false after an error. */
static bool parse_suite(struct parser *p, const char *what, struct ast ***out_items,
                        unsigned *out_count)
{
    size_t mark = p->stack.count;

    if (!parser_expect(p, TOKEN_COLON))
        return false;
    if (!parser_at(p, TOKEN_NEWLINE)) { /* if x: y = 1 */
        const struct token *first = p->token;
        bool done = parse_line(p);
        if (done && parser_at(p, TOKEN_INDENT))
            parse_rest(p, first);
        copy_body(p, mark, out_items, out_count);
        return done;
    }
    parser_take(p, TOKEN_NEWLINE);
    if (!parser_at(p, TOKEN_INDENT)) {
        struct diag_message *m =
            diag_report(p->diag, parser_loc(p, *p->token), SYNTAX_INDENT,
                        arena_printf(p->arena, "expected an indented block after `%s`", what));
        help_indent(m, parser_loc(p, *p->token));
        return false;
    }
    if (p->block_depth >= AST_DEPTH_LIMIT) {
        diag_report(p->diag, parser_loc(p, *p->token), SYNTAX_NESTING, AST_DEPTH_LIMIT);
        parse_skip_statement(p);
        return false;
    }
    parser_take(p, TOKEN_INDENT);
    p->block_depth++;
    parse_statements(p, TOKEN_DEDENT);
    p->block_depth--;
    copy_body(p, mark, out_items, out_count);
    return true;
}

static struct ast *with_suite(struct parser *p, struct ast *node, const char *what)
{
    if (!node)
        return NULL;
    node_extend(p, node);
    return parse_suite(p, what, &node->body, &node->body_count) ? node : NULL;
}

/* The `else` of the loop @node is read; kernels have none (graphs do not even have the loop), and say so. */
static struct ast *with_else(struct parser *p, struct ast *node)
{
    if (!node || !parser_at(p, TOKEN_ELSE))
        return node;
    node->name_loc = parser_loc(p, *p->token);
    parser_take(p, TOKEN_ELSE);
    return parse_suite(p, "else", &node->orelse, &node->orelse_count) ? node : NULL;
}

struct ast *parse_for(struct parser *p)
{
    struct ast *node = statement_new(p, AST_FOR);
    struct ast *target = parse_target_list(p);

    if (!target || !parse_check_target(p, target) || !parser_expect(p, TOKEN_IN))
        return NULL;
    struct ast *iterable = parse_expression_list(p);
    if (!iterable)
        return NULL;
    return with_else(p, with_suite(p, node_with(p, node, target, iterable), "for"));
}

struct ast *parse_while(struct parser *p)
{
    struct ast *node = statement_new(p, AST_WHILE);
    struct ast *condition = parse_expression(p);

    if (!condition)
        return NULL;
    return with_else(p, with_suite(p, node_one(p, node, condition), "while"));
}

struct ast *parse_if(struct parser *p)
{
    bool is_elif = parser_at(p, TOKEN_ELIF);
    struct ast *node = statement_new(p, AST_IF);
    struct ast *condition = parse_expression(p);
    unsigned lost = p->lost;

    if (!condition)
        return NULL;
    node = with_suite(p, node_one(p, node, condition), is_elif ? "elif" : "if");
    if (!node)
        return NULL;
    node->is_partial = p->lost > lost;
    if (parser_at(p, TOKEN_ELIF)) {
        if (p->block_depth >= AST_DEPTH_LIMIT) {
            diag_report(p->diag, parser_loc(p, *p->token), SYNTAX_NESTING, AST_DEPTH_LIMIT);
            while (parser_at(p, TOKEN_ELIF) || parser_at(p, TOKEN_ELSE))
                parse_skip_statement(p);
            return node;
        }
        p->block_depth++;
        struct ast *inner = parse_if(p);
        p->block_depth--;
        if (!inner)
            return NULL;
        node->orelse = arena_array(p->arena, struct ast *, 1);
        node->orelse[0] = inner;
        node->orelse_count = 1;
    } else if (parser_take(p, TOKEN_ELSE)) {
        if (!parse_suite(p, "else", &node->orelse, &node->orelse_count))
            return NULL;
    }
    return node;
}

bool parse_lost_clause(struct parser *p)
{
    struct ast lost = {0};

    if (parser_at(p, TOKEN_ELIF))
        return parse_if(p) != NULL;
    parser_take(p, TOKEN_ELSE);
    return parse_suite(p, "else", &lost.body, &lost.body_count);
}

static struct ast *parse_with_items(struct parser *p, struct ast **out_inner)
{
    struct ast *outer = NULL, *inner = NULL;
    struct location loc = parser_loc(p, *p->token++);

    do {
        struct ast *node = node_new(p, AST_WITH, loc);
        struct ast *target = NULL, *context = parse_expression(p);
        if (!context)
            return NULL;
        if (parser_take(p, TOKEN_AS)) {
            target = parse_target(p);
            if (!target || !parse_check_target(p, target))
                return NULL;
        }
        node = node_with(p, node, context, target);
        if (!node)
            return NULL;
        node_extend(p, node);
        if (inner) {
            inner->body = arena_array(p->arena, struct ast *, 1);
            inner->body[0] = node;
            inner->body_count = 1;
        }
        outer = outer ? outer : node;
        inner = node;
    } while (parser_take(p, TOKEN_COMMA));
    *out_inner = inner;
    return outer;
}

struct ast *parse_with(struct parser *p)
{
    struct ast *inner;
    struct ast *outer = parse_with_items(p, &inner);

    return outer && with_suite(p, inner, "with") ? outer : NULL;
}

/* --- definitions --- */

static bool parse_param(struct parser *p)
{
    struct ast *param = node_new(p, AST_PARAM, parser_loc(p, *p->token));
    struct ast *annotation = NULL;

    if (parser_at(p, TOKEN_STAR) || parser_at(p, TOKEN_POWER)) {
        struct token star = *p->token++;
        const char *name = parser_at(p, TOKEN_NAME) ? parser_atom(p, *p->token) : "*";
        diag_report(p->diag, parser_loc(p, star), PYTHON_VARIADIC, name);
        return false;
    }
    param->name = parser_name(p, &param->name_loc);
    if (!param->name)
        return false;
    if (parser_take(p, TOKEN_COLON) && !(annotation = parse_expression(p)))
        return false;
    if (parser_at(p, TOKEN_ASSIGN)) {
        struct diag_message *m =
            diag_report(p->diag, parser_loc(p, *p->token), PYTHON_DEFAULT, param->name);
        struct location from = parser_loc(p, p->token[-1]), sign = parser_loc(p, *p->token);
        p->token++;
        struct ast *value = parse_expression(p);
        bool is_type = value && !annotation && value->kind == AST_CALL &&
                       value->items[0]->kind == AST_ATTRIBUTE;
        diag_help(m, is_type ? "a type stands behind `:`" : "every caller gives every argument");
        if (is_type)
            diag_help_edit(m, sign, ":");
        else if (value)
            diag_help_edit(m, (struct location){p->source, from.end, value->loc.end}, "%s", "");
        return false;
    }
    node_extend(p, param);
    param = node_one(p, param, annotation);
    if (!param)
        return false;
    array_push(&p->stack, param);
    return true;
}

/* [M, N: int] behind the name of a function. */
static bool parse_type_params(struct parser *p, struct ast *node)
{
    size_t mark = p->stack.count;

    while (!parser_at(p, TOKEN_RBRACKET)) {
        struct ast *name = node_new(p, AST_NAME, parser_loc(p, *p->token));
        struct location loc;
        if (!(name->name = parser_name(p, &loc)))
            return false;
        array_push(&p->stack, name);
        if (parser_take(p, TOKEN_COLON) && !parse_expression(p))
            return false;
        if (!parser_take(p, TOKEN_COMMA) && !parser_at(p, TOKEN_RBRACKET)) {
            parser_expected(p, "`,` or `]`");
            return false;
        }
    }
    parser_take(p, TOKEN_RBRACKET);
    copy_body(p, mark, &node->type_params, &node->type_param_count);
    return true;
}

static bool parse_params(struct parser *p)
{
    if (!parser_expect(p, TOKEN_LPAREN))
        return false;
    while (!parser_take(p, TOKEN_RPAREN)) {
        if (!parse_param(p))
            return false;
        if (!parser_take(p, TOKEN_COMMA) && !parser_at(p, TOKEN_RPAREN)) {
            const struct ast *param = array_last(&p->stack);
            bool has_type = param->item_count > 0 && param->items[0] != NULL;
            parser_expected(p, has_type || !parser_at(p, TOKEN_NAME) ? "`,` or `)`"
                                                                     : "`:`, `,` or `)`");
            return false;
        }
    }
    return true;
}

struct ast *parse_def(struct parser *p)
{
    struct ast *node = statement_new(p, AST_DEF);
    size_t mark = p->stack.count;

    node->name = parser_name(p, &node->name_loc);
    if (!node->name || (parser_take(p, TOKEN_LBRACKET) && !parse_type_params(p, node)) ||
        !parse_params(p)) {
        p->stack.count = mark;
        return NULL;
    }
    node = node_finish(p, node, mark);
    if (node && parser_take(p, TOKEN_ARROW) && !(node->returns = parse_expression_list(p)))
        return NULL;
    return with_suite(p, node, "def");
}

struct ast *parse_class(struct parser *p)
{
    struct ast *node = statement_new(p, AST_CLASS);

    node->name = parser_name(p, &node->name_loc);
    if (!node->name)
        return NULL;
    if (parser_take(p, TOKEN_LPAREN)) {
        if (!parser_at(p, TOKEN_RPAREN)) {
            const struct token *last = p->token; /* `nn.Module` */
            while (last[1].kind == TOKEN_DOT && last[2].kind == TOKEN_NAME)
                last += 2;
            struct location base = location_join(parser_loc(p, *p->token), parser_loc(p, *last));
            struct diag_message *m = diag_report(p->diag, base, PYTHON_INHERITANCE);
            diag_help(m, "write `class %s:`", node->name);
            struct location bases = location_join(parser_loc(p, p->token[-1]), node->name_loc);
            bases.begin = node->name_loc.end;
            while (!parser_at(p, TOKEN_RPAREN) && !parser_at(p, TOKEN_NEWLINE) &&
                   !parser_at(p, TOKEN_END))
                p->token++;
            if (parser_at(p, TOKEN_RPAREN) && p->token[1].kind == TOKEN_COLON) {
                bases.end = p->token->end;
                diag_help_edit(m, bases, "%s", "");
            }
            return NULL;
        }
        parser_take(p, TOKEN_RPAREN);
    }
    return with_suite(p, node, "class");
}

/* Whatever it is, it is no statement of its own. */
static struct ast *no_definition(struct parser *p)
{
    parser_expected(p, "`def` or `class` after the decorator");
    parse_skip_statement(p);
    return NULL;
}

/* A decorator with a mistake: what it decorates is there, and has one. */
static struct ast *broken_decorator(struct parser *p, struct location loc)
{
    while (!parser_at(p, TOKEN_NEWLINE) && !parser_at(p, TOKEN_END))
        p->token++;
    parser_take(p, TOKEN_NEWLINE);
    return node_new(p, AST_ERROR, loc);
}

struct ast *parse_decorated(struct parser *p)
{
    size_t mark = p->stack.count;

    while (parser_take(p, TOKEN_AT)) {
        struct ast *decorator = parse_expression(p);
        if (!decorator || !parser_expect(p, TOKEN_NEWLINE))
            decorator = broken_decorator(p, parser_loc(p, *p->token));
        array_push(&p->stack, decorator);
    }
    struct ast **decorators;
    unsigned count;
    copy_body(p, mark, &decorators, &count);
    struct ast *node = parser_at(p, TOKEN_DEF)     ? parse_def(p)
                       : parser_at(p, TOKEN_CLASS) ? parse_class(p)
                       : parser_at(p, TOKEN_ASYNC) ? parse_refused(p)
                                                   : no_definition(p);
    if (node) {
        node->decorators = decorators;
        node->decorator_count = count;
    }
    return node;
}
