/* Expressions of the Python subset: atoms, displays, calls, subscripts, attributes. */
#include "frontend/python/parser.h"

static struct ast *refuse_star(struct parser *p)
{
    bool is_double = parser_at(p, TOKEN_POWER);
    struct diag_message *m =
        diag_report(p->diag, parser_loc(p, *p->token), PYTHON_STARRED, is_double ? "**" : "*");

    diag_help(m, "write the elements out");
    return NULL;
}

/* --- atoms --- */

/* One of them; `*p` is for who knows whether `p` has parts, and refuses it. */
static struct ast *parse_element(struct parser *p)
{
    struct location star = parser_loc(p, *p->token);

    if (!parser_take(p, TOKEN_STAR))
        return parse_expression(p);
    return node_wrap(p, node_new(p, AST_STARRED, star), parse_expression(p));
}

/*
 * Elements up to @close, which is taken; the stack holds what was before @mark and then them.
 * @out_comma: was there a comma, so that parentheses make a tuple?
 */
static bool parse_elements(struct parser *p, enum token_kind close, bool *out_comma)
{
    *out_comma = false;
    while (!parser_at(p, close)) {
        if (parser_at(p, TOKEN_POWER)) {
            refuse_star(p);
            return false;
        }
        struct ast *element = parse_element(p);
        if (!element)
            return false;
        array_push(&p->stack, element);
        if (!parser_at(p, TOKEN_COMMA) && !parser_at(p, close)) {
            parser_expected(p, close == TOKEN_RPAREN ? "`,` or `)`" : "`,` or `]`");
            return false;
        }
        *out_comma |= parser_take(p, TOKEN_COMMA);
    }
    return parser_expect(p, close);
}

static struct ast *parse_parenthesized(struct parser *p)
{
    struct ast *tuple = node_new(p, AST_TUPLE, parser_loc(p, *p->token++));
    size_t mark = p->stack.count;
    bool has_comma;

    if (!parse_elements(p, TOKEN_RPAREN, &has_comma)) {
        p->stack.count = mark;
        return NULL;
    }
    if (!has_comma && p->stack.count == mark + 1) {
        struct ast *inner = array_pop(&p->stack);
        inner->is_parenthesized = true;
        return inner;
    }
    tuple->is_parenthesized = true;
    node_extend(p, tuple);
    return node_finish(p, tuple, mark);
}

static struct ast *parse_list(struct parser *p)
{
    struct ast *list = node_new(p, AST_LIST, parser_loc(p, *p->token++));
    size_t mark = p->stack.count;
    bool has_comma;

    if (!parse_elements(p, TOKEN_RBRACKET, &has_comma)) {
        p->stack.count = mark;
        return NULL;
    }
    node_extend(p, list);
    return node_finish(p, list, mark);
}

/* Elements up to the end of a set, of which one is read; how many there are, 0 after an error. */
static unsigned count_elements(struct parser *p)
{
    unsigned count = 1;

    while (parser_take(p, TOKEN_COMMA) && !parser_at(p, TOKEN_RBRACE)) {
        if (!parse_expression(p))
            return 0;
        count++;
    }
    return parser_at(p, TOKEN_RBRACE) ? count : 0;
}

/* The set that begins at @open: the dict or the tuple that is meant. */
static bool refuse_set(struct parser *p, struct token open, const struct ast *first)
{
    struct location comma = parser_loc(p, *p->token);
    bool has_comma = parser_at(p, TOKEN_COMMA);
    unsigned count = count_elements(p);
    struct location place = {p->source, open.begin, count ? p->token->end : open.end};
    struct location elements = {p->source, place.begin + 1, place.end - 1};
    struct diag_message *m = diag_report(p->diag, place, PYTHON_SET);

    if (count == 2 && first->kind == AST_STRING) {
        diag_help(m, "a key and its value have `:` between them");
        diag_help_edit(m, comma, ":");
    } else if (count > 0 && first->kind != AST_STRING) {
        diag_help(m, "a tuple has round brackets");
        diag_help_edit(m, place, has_comma ? "(%.*s)" : "(%.*s,)", LOCATION_TEXT(elements));
    }
    return false;
}

static bool parse_dict_entry(struct parser *p, struct token open)
{
    if (parser_at(p, TOKEN_STAR) || parser_at(p, TOKEN_POWER)) {
        refuse_star(p);
        return false;
    }
    struct ast *key = parse_expression(p);
    if (!key)
        return false;
    if (parser_at(p, TOKEN_COMMA) || parser_at(p, TOKEN_RBRACE))
        return refuse_set(p, open, key);
    array_push(&p->stack, key);
    struct ast *value = parser_expect(p, TOKEN_COLON) ? parse_expression(p) : NULL;
    if (!value)
        return false;
    array_push(&p->stack, value);
    if (parser_take(p, TOKEN_COMMA) || parser_at(p, TOKEN_RBRACE))
        return true;
    parser_expected(p, "`,` or `}`");
    return false;
}

static struct ast *parse_dict(struct parser *p)
{
    struct token open = *p->token++;
    struct ast *dict = node_new(p, AST_DICT, parser_loc(p, open));
    size_t mark = p->stack.count;

    while (!parser_at(p, TOKEN_RBRACE))
        if (!parse_dict_entry(p, open)) {
            p->stack.count = mark;
            return NULL;
        }
    parser_take(p, TOKEN_RBRACE);
    node_extend(p, dict);
    return node_finish(p, dict, mark);
}

static struct ast *parse_word(struct parser *p, enum ast_kind kind)
{
    struct token token = *p->token++;
    struct ast *node = node_new(p, kind, parser_loc(p, token));

    if (kind == AST_NAME)
        node->name = parser_atom(p, token);
    return node;
}

static struct ast *refuse_atom(struct parser *p)
{
    struct location loc = parser_loc(p, *p->token);
    struct diag_message *m;

    switch (p->token->kind) {
    case TOKEN_LAMBDA:
        m = diag_report(p->diag, loc, PYTHON_LAMBDA);
        diag_note(m, "index maps are written T.index_map(lambda i, j: (j, i))");
        return NULL;
    case TOKEN_YIELD:
        m = diag_report(p->diag, loc, PYTHON_YIELD);
        if (parser_line_start(p) == p->token) {
            diag_help(m, "write `return`");
            diag_help_edit(m, loc, "return");
        }
        return NULL;
    case TOKEN_AWAIT:
    case TOKEN_ASYNC:
        m = diag_report(p->diag, loc, PYTHON_ASYNC, parser_at(p, TOKEN_AWAIT) ? "await" : "async");
        diag_help(m, "leave it out");
        diag_help_edit(m, (struct location){p->source, loc.begin, p->token[1].begin}, "%s", "");
        return NULL;
    case TOKEN_STAR:
    case TOKEN_POWER:
        return refuse_star(p);
    default:
        return parser_expected(p, "an expression");
    }
}

static struct ast *parse_atom(struct parser *p)
{
    switch (p->token->kind) {
    case TOKEN_NAME:
        return parse_word(p, AST_NAME);
    case TOKEN_INT:
    case TOKEN_FLOAT:
        return parse_number(p);
    case TOKEN_STRING:
        return parse_strings(p);
    case TOKEN_TRUE:
        return parse_word(p, AST_TRUE);
    case TOKEN_FALSE:
        return parse_word(p, AST_FALSE);
    case TOKEN_NONE:
        return parse_word(p, AST_NONE);
    case TOKEN_LPAREN:
        return parse_parenthesized(p);
    case TOKEN_NUMBERS:
        return node_new(p, AST_NUMBERS, parser_loc(p, *p->token++));
    case TOKEN_LBRACKET:
        return parse_list(p);
    case TOKEN_LBRACE:
        return parse_dict(p);
    default:
        return refuse_atom(p);
    }
}

/* --- calls, subscripts, attributes --- */

static struct ast *parse_lambda(struct parser *p)
{
    struct ast *lambda = node_new(p, AST_LAMBDA, parser_loc(p, *p->token++));
    size_t mark = p->stack.count;

    while (!parser_at(p, TOKEN_COLON)) {
        if (parser_at(p, TOKEN_STAR) || parser_at(p, TOKEN_POWER)) {
            p->stack.count = mark;
            return refuse_star(p);
        }
        if (!parser_at(p, TOKEN_NAME)) {
            p->stack.count = mark;
            return parser_expected(p, "a parameter or `:`");
        }
        array_push(&p->stack, parse_word(p, AST_NAME));
        if (!parser_take(p, TOKEN_COMMA) && !parser_at(p, TOKEN_COLON)) {
            p->stack.count = mark;
            return parser_expected(p, "`,` or `:`");
        }
    }
    parser_take(p, TOKEN_COLON);
    struct ast *body = parse_expression(p);
    if (!body) {
        p->stack.count = mark;
        return NULL;
    }
    array_push(&p->stack, body);
    node_extend(p, lambda);
    return node_finish(p, lambda, mark);
}

static struct ast *parse_argument_value(struct parser *p)
{
    return parser_at(p, TOKEN_LAMBDA) ? parse_lambda(p) : parse_expression(p);
}

struct ast *node_wrap(struct parser *p, struct ast *node, struct ast *item)
{
    size_t mark = p->stack.count;

    if (!item)
        return NULL;
    array_push(&p->stack, item);
    node->loc = location_join(node->loc, item->loc);
    if (item->is_parenthesized)
        node_extend(p, node);
    return node_finish(p, node, mark);
}

/* `axes==[1, 0]`, which was told of, is read as it is meant. */
static struct ast *equal_argument(struct parser *p, struct ast *comparison)
{
    const struct ast *name = comparison->items[0];
    struct ast *node = node_new(p, AST_KEYWORD, name->loc);

    node->name = name->name;
    node->name_loc = name->loc;
    return node_wrap(p, node, comparison->items[1]);
}

static struct ast *parse_argument(struct parser *p, struct location *seen_keyword)
{
    struct token first = *p->token;
    struct ast *node;

    if (first.kind == TOKEN_POWER)
        return refuse_star(p);
    if (parser_take(p, TOKEN_STAR))
        return node_wrap(p, node_new(p, AST_STARRED, parser_loc(p, first)), parse_expression(p));
    if (first.kind == TOKEN_NAME && p->token[1].kind == TOKEN_ASSIGN) {
        node = node_new(p, AST_KEYWORD, parser_loc(p, first));
        node->name = parser_atom(p, first);
        node->name_loc = node->loc;
        p->token += 2;
        *seen_keyword = node->name_loc;
        return node_wrap(p, node, parse_argument_value(p));
    }
    const struct token *name = p->token;
    node = parse_argument_value(p);
    if (node && parser_report_equal(p, node, name))
        return equal_argument(p, node);
    if (node && seen_keyword->source) {
        struct diag_message *m = diag_report(p->diag, node->loc, SYNTAX_ARGUMENT);
        if (parser_help_numbers(p, m, name))
            return NULL;
        diag_label(m, *seen_keyword, "given by name: a comparison is written `==`");
        parser_help_argument(p, m, node, name);
        return NULL;
    }
    return node;
}

static struct ast *parse_call(struct parser *p, struct ast *callee)
{
    struct ast *call = node_new(p, AST_CALL, callee->loc);
    size_t mark = p->stack.count;
    struct location seen_keyword = {0};

    array_push(&p->stack, callee);
    parser_take(p, TOKEN_LPAREN);
    while (!parser_at(p, TOKEN_RPAREN)) {
        struct ast *argument = parse_argument(p, &seen_keyword);
        if (argument)
            array_push(&p->stack, argument);
        if (argument && (parser_take(p, TOKEN_COMMA) || parser_at(p, TOKEN_RPAREN)))
            continue;
        p->stack.count = mark;
        return argument ? parser_expected(p, "`,` or `)`") : NULL;
    }
    parser_take(p, TOKEN_RPAREN);
    node_extend(p, call);
    return node_finish(p, call, mark);
}

static bool at_slice_end(const struct parser *p)
{
    return parser_at(p, TOKEN_COMMA) || parser_at(p, TOKEN_RBRACKET) || parser_at(p, TOKEN_COLON);
}

/* An index, or lower:upper:step with any part missing. */
static struct ast *parse_index(struct parser *p)
{
    struct ast *parts[3] = {NULL, NULL, NULL};
    struct location loc = parser_loc(p, *p->token);
    unsigned count = 0;

    if (parser_at(p, TOKEN_STAR))
        return refuse_star(p);
    for (; count < 3; count++) {
        if (!at_slice_end(p) && !(parts[count] = parse_expression(p)))
            return NULL;
        if (count == 2 || !parser_take(p, TOKEN_COLON))
            break;
    }
    if (count == 0)
        return parts[0] ? parts[0] : parser_expected(p, "an index");
    struct ast *slice = node_new(p, AST_SLICE, loc);
    size_t mark = p->stack.count;
    for (unsigned i = 0; i < 3; i++)
        array_push(&p->stack, parts[i]);
    node_extend(p, slice);
    return node_finish(p, slice, mark);
}

static struct ast *parse_subscript(struct parser *p, struct ast *base)
{
    struct ast *node = node_new(p, AST_SUBSCRIPT, base->loc);
    size_t mark = p->stack.count;

    array_push(&p->stack, base);
    parser_take(p, TOKEN_LBRACKET);
    do {
        struct ast *index = parse_index(p);
        if (index)
            array_push(&p->stack, index);
        if (index && (parser_take(p, TOKEN_COMMA) || parser_at(p, TOKEN_RBRACKET)))
            continue;
        p->stack.count = mark;
        return index ? parser_expected(p, "`,` or `]`") : NULL;
    } while (!parser_at(p, TOKEN_RBRACKET));
    parser_take(p, TOKEN_RBRACKET);
    node_extend(p, node);
    if (p->stack.count == mark + 2 && array_last(&p->stack)->kind == AST_TUPLE) {
        struct ast *tuple = array_pop(&p->stack); /* x[(a, b)] is x[a, b] */
        node->is_tuple = true;
        for (unsigned i = 0; i < tuple->item_count; i++)
            array_push(&p->stack, tuple->items[i]);
    }
    return node_finish(p, node, mark);
}

static struct ast *parse_attribute(struct parser *p, struct ast *base)
{
    struct ast *node = node_new(p, AST_ATTRIBUTE, base->loc);

    parser_take(p, TOKEN_DOT);
    node->name = parser_name(p, &node->name_loc);
    return node->name ? node_wrap(p, node, base) : NULL;
}

struct ast *parse_primary(struct parser *p)
{
    uint32_t begin = p->token->begin; /* of the brackets around the atom, too */
    struct ast *node = parse_atom(p);

    while (node) {
        if (parser_at(p, TOKEN_LPAREN))
            node = parse_call(p, node);
        else if (parser_at(p, TOKEN_LBRACKET))
            node = parse_subscript(p, node);
        else if (parser_at(p, TOKEN_DOT))
            node = parse_attribute(p, node);
        else
            return node;
        if (node) {
            node->loc.begin = begin;
            node_extend(p, node);
        }
    }
    return NULL;
}
