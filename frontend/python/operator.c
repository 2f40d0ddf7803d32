/* Expressions of the Python subset: operators by precedence, conditions, bare tuples. */
#include "frontend/python/parser.h"

static struct ast *parse_unary(struct parser *p);

/*
 * Where @a and what follows it begin, whose first token is @first: in front of the brackets around @a, which are no part of its own
 * place.
 */
static struct location place_from(struct parser *p, const struct token *first, const struct ast *a)
{
    return location_join(parser_loc(p, *first), a->loc);
}

/* The operation of @a, which began with @first, and @b, which was read last. */
static struct ast *make_binary(struct parser *p, const struct token *first, enum ast_op op,
                               struct ast *a, struct ast *b)
{
    if (!a || !b)
        return NULL;
    struct ast *node = node_new(p, AST_BINARY, place_from(p, first, a));
    node->op = op;
    node_extend(p, node);
    return node_with(p, node, a, b);
}

static struct ast *parse_power(struct parser *p)
{
    const struct token *first = p->token;
    struct ast *base = parse_primary(p);

    if (base && parser_take(p, TOKEN_POWER))
        return make_binary(p, first, AST_POW, base, parse_unary(p));
    return base;
}

static struct ast *parse_prefix(struct parser *p, enum ast_op op,
                                struct ast *(*parse)(struct parser *))
{
    if (!parser_enter(p))
        return NULL;
    struct ast *node = node_new(p, AST_UNARY, parser_loc(p, *p->token++));
    node->op = op;
    node = node_wrap(p, node, parse(p));
    p->depth--;
    return node;
}

static struct ast *parse_unary(struct parser *p)
{
    switch (p->token->kind) {
    case TOKEN_MINUS:
        return parse_prefix(p, AST_NEG, parse_unary);
    case TOKEN_PLUS:
        return parse_prefix(p, AST_POS, parse_unary);
    case TOKEN_TILDE:
        return parse_prefix(p, AST_INVERT, parse_unary);
    default:
        return parse_power(p);
    }
}

struct binary_operator {
    enum ast_op op;
    unsigned precedence; /* 0: none */
};

static const struct binary_operator binary_operators[TOKEN_COUNT] = {
    [TOKEN_PIPE] = {AST_BITOR, 1},       [TOKEN_CARET] = {AST_BITXOR, 2},
    [TOKEN_AMPERSAND] = {AST_BITAND, 3}, [TOKEN_SHL] = {AST_SHL, 4},
    [TOKEN_SHR] = {AST_SHR, 4},          [TOKEN_PLUS] = {AST_ADD, 5},
    [TOKEN_MINUS] = {AST_SUB, 5},        [TOKEN_STAR] = {AST_MUL, 6},
    [TOKEN_SLASH] = {AST_DIV, 6},        [TOKEN_DOUBLE_SLASH] = {AST_FLOORDIV, 6},
    [TOKEN_PERCENT] = {AST_MOD, 6},      [TOKEN_AT] = {AST_MATMUL, 6},
};

/* Operators that bind at least as @precedence; left-associative. */
static struct ast *parse_binary(struct parser *p, unsigned precedence)
{
    const struct token *start = p->token;
    struct ast *left = parse_unary(p);

    while (left) {
        struct binary_operator found = binary_operators[p->token->kind];
        if (!found.precedence || found.precedence < precedence)
            return left;
        p->token++;
        left = make_binary(p, start, found.op, left, parse_binary(p, found.precedence + 1));
    }
    return NULL;
}

/* Takes a comparison operator, which may be two words. */
static enum ast_op take_comparison(struct parser *p)
{
    static const enum ast_op single[TOKEN_COUNT] = {
        [TOKEN_LT] = AST_LT, [TOKEN_LE] = AST_LE, [TOKEN_GT] = AST_GT, [TOKEN_GE] = AST_GE,
        [TOKEN_EQ] = AST_EQ, [TOKEN_NE] = AST_NE, [TOKEN_IN] = AST_IN, [TOKEN_IS] = AST_IS,
    };
    enum ast_op op = single[p->token->kind];

    if (parser_at(p, TOKEN_NOT) && p->token[1].kind == TOKEN_IN) {
        p->token += 2;
        return AST_NOT_IN;
    }
    if (op != AST_OP_NONE)
        p->token++;
    if (op == AST_IS && parser_take(p, TOKEN_NOT))
        return AST_IS_NOT;
    return op;
}

static struct ast *parse_comparison(struct parser *p)
{
    const struct token *start = p->token;
    struct ast *first = parse_binary(p, 1);
    size_t mark = p->stack.count;
    array(enum ast_op) ops = {0};
    enum ast_op op;

    if (!first || (op = take_comparison(p)) == AST_OP_NONE)
        return first;
    array_push(&p->stack, first);
    for (; op != AST_OP_NONE; op = take_comparison(p)) {
        struct ast *next = parse_binary(p, 1);
        if (!next) {
            p->stack.count = mark;
            array_finish(&ops);
            return NULL;
        }
        array_push(&ops, op);
        array_push(&p->stack, next);
    }
    struct ast *node = node_new(p, AST_COMPARE, place_from(p, start, first));
    enum ast_op *copy = arena_array(p->arena, enum ast_op, ops.count);
    for (size_t i = 0; i < ops.count; i++)
        copy[i] = ops.items[i];
    node->ops = copy;
    array_finish(&ops);
    node_extend(p, node);
    return node_finish(p, node, mark);
}

static struct ast *parse_not(struct parser *p)
{
    return parser_at(p, TOKEN_NOT) ? parse_prefix(p, AST_NOT, parse_not) : parse_comparison(p);
}

/* `and` and `or`: all operands of one run in one node. */
static struct ast *parse_logic(struct parser *p, enum token_kind word, enum ast_kind kind,
                               struct ast *(*parse)(struct parser *))
{
    const struct token *start = p->token;
    struct ast *first = parse(p);
    size_t mark = p->stack.count;

    if (!first || !parser_at(p, word))
        return first;
    array_push(&p->stack, first);
    while (parser_take(p, word)) {
        struct ast *next = parse(p);
        if (!next) {
            p->stack.count = mark;
            return NULL;
        }
        array_push(&p->stack, next);
    }
    struct ast *node = node_new(p, kind, place_from(p, start, first));
    node_extend(p, node);
    return node_finish(p, node, mark);
}

static struct ast *parse_and(struct parser *p)
{
    return parse_logic(p, TOKEN_AND, AST_AND, parse_not);
}

/* condition, then, else: in the order of evaluation. */
static struct ast *parse_ternary(struct parser *p)
{
    const struct token *start = p->token;
    struct ast *value = parse_logic(p, TOKEN_OR, AST_OR, parse_and);
    size_t mark = p->stack.count;

    if (!value || !parser_take(p, TOKEN_IF))
        return value;
    struct ast *condition = parse_logic(p, TOKEN_OR, AST_OR, parse_and);
    if (!condition || !parser_expect(p, TOKEN_ELSE))
        return NULL;
    struct ast *otherwise = parse_expression(p);
    if (!otherwise)
        return NULL;
    struct ast *node = node_new(p, AST_TERNARY, place_from(p, start, value));
    array_push(&p->stack, condition);
    array_push(&p->stack, value);
    array_push(&p->stack, otherwise);
    node_extend(p, node);
    return node_finish(p, node, mark);
}

struct ast *parse_expression(struct parser *p)
{
    if (!parser_enter(p))
        return NULL;
    struct ast *node = parse_ternary(p);
    p->depth--;
    return node;
}

static bool starts_expression(const struct parser *p)
{
    switch (p->token->kind) {
    case TOKEN_NEWLINE:
    case TOKEN_ASSIGN:
    case TOKEN_COLON:
    case TOKEN_SEMICOLON:
    case TOKEN_IN:
    case TOKEN_END:
    case TOKEN_RPAREN:
        return false;
    default:
        return true;
    }
}

/* One element, or a tuple without parentheses. */
static struct ast *parse_bare_tuple(struct parser *p, struct ast *(*parse)(struct parser *))
{
    const struct token *start = p->token;
    size_t mark = p->stack.count;
    struct ast *first = parse(p);

    if (!first || !parser_at(p, TOKEN_COMMA))
        return first;
    array_push(&p->stack, first);
    while (parser_take(p, TOKEN_COMMA) && starts_expression(p)) {
        struct ast *next = parse(p);
        if (!next) {
            p->stack.count = mark;
            return NULL;
        }
        array_push(&p->stack, next);
    }
    struct ast *tuple = node_new(p, AST_TUPLE, place_from(p, start, first));
    node_extend(p, tuple);
    return node_finish(p, tuple, mark);
}

struct ast *parse_expression_list(struct parser *p)
{
    return parse_bare_tuple(p, parse_expression);
}

struct ast *parse_target(struct parser *p)
{
    return parse_primary(p);
}

struct ast *parse_target_list(struct parser *p)
{
    return parse_bare_tuple(p, parse_primary);
}
