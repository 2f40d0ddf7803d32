/*
 * Scalar expressions: the Python tree as an expression of shapes and kernels.
 *
 * Nothing is folded but what Python itself computes before TVM sees it (constant.c), so that what is
 * written prints back the same.  Literals take the type of what they meet, as in TVM: 1 is int32,
 * and int64 beside an int64.
 */
#include "frontend/tvmscript/tir.h"

#include <string.h>

const char *describe_ast(const struct ast *a)
{
    static const char *const names[] = {
        [AST_NAME] = "a name",
        [AST_INT] = "an integer",
        [AST_FLOAT] = "a float",
        [AST_STRING] = "a string",
        [AST_TRUE] = "True",
        [AST_FALSE] = "False",
        [AST_NONE] = "None",
        [AST_TUPLE] = "a tuple",
        [AST_LIST] = "a list",
        [AST_DICT] = "a dict",
        [AST_LAMBDA] = "a lambda",
        [AST_STARRED] = "`*`",
        [AST_SLICE] = "a slice",
        [AST_ATTRIBUTE] = "a dotted name",
        [AST_SUBSCRIPT] = "an element",
        [AST_CALL] = "this call",
        [AST_KEYWORD] = "an argument",
        [AST_UNARY] = "an expression",
        [AST_BINARY] = "an expression",
    };

    return a->kind < ARRAY_SIZE(names) && names[a->kind] ? names[a->kind] : "this expression";
}

static const char *op_text(enum ast_op op)
{
    static const char *const texts[] = {
        [AST_ADD] = "+",         [AST_SUB] = "-",    [AST_MUL] = "*",         [AST_DIV] = "/",
        [AST_FLOORDIV] = "//",   [AST_MOD] = "%",    [AST_POW] = "**",        [AST_MATMUL] = "@",
        [AST_SHL] = "<<",        [AST_SHR] = ">>",   [AST_BITAND] = "&",      [AST_BITOR] = "|",
        [AST_BITXOR] = "^",      [AST_LT] = "<",     [AST_LE] = "<=",         [AST_GT] = ">",
        [AST_GE] = ">=",         [AST_EQ] = "==",    [AST_NE] = "!=",         [AST_IN] = "in",
        [AST_NOT_IN] = "not in", [AST_IS] = "is",    [AST_IS_NOT] = "is not", [AST_NEG] = "-",
        [AST_POS] = "+",         [AST_INVERT] = "~", [AST_NOT] = "not",
    };

    return texts[op];
}

const struct ir_expr *scalar_at(struct frontend *f, struct location loc, const struct ir_expr *expr)
{
    if (!expr)
        return NULL;
    if (expr->depth > IR_EXPR_DEPTH_LIMIT) {
        struct diag_message *m =
            diag_report(f->diag, loc, SYNTAX_NESTING, (int)IR_EXPR_DEPTH_LIMIT);
        diag_help(m, "bind a part of it to a name first");
        return NULL;
    }
    return lanes_check(f, loc, expr) ? ir_expr_at(f->context, loc, expr) : NULL;
}

static const struct ir_expr *report_scalar(struct frontend *f, const struct ast *a)
{
    if (a->kind == AST_ERROR)
        return NULL;
    if (a->kind == AST_LAMBDA)
        diag_report(f->diag, a->loc, PYTHON_LAMBDA);
    else if (a->kind == AST_STARRED)
        diag_report(f->diag, a->loc, PYTHON_STARRED, "*");
    else
        diag_report(f->diag, a->loc, KERNEL_SCALAR, describe_ast(a));
    return NULL;
}

/* The edit of the sign between the operands of @a. */
static void help_sign(struct diag_message *m, const struct ast *a, const char *sign,
                      const char *better)
{
    struct location place = {a->loc.source, a->items[0]->loc.end, a->items[1]->loc.begin};

    place = location_text_behind(place, sign);
    if (place.end <= a->items[1]->loc.begin && place.end - place.begin == strlen(sign))
        diag_help_edit(m, place, "%s", better);
}

/* @a with the brackets around its first or last operand, which are no part of the trees. */
static struct location with_brackets(const struct ast *a)
{
    struct location loc = a->loc;
    const char *text = loc.source->text;
    int open = 0, least = 0;

    for (uint32_t i = loc.begin; i < loc.end; i++) {
        open += (text[i] == '(') - (text[i] == ')');
        least = open < least ? open : least;
    }
    for (int left = -least; left > 0 && loc.begin > 0 && strchr("( ", text[loc.begin - 1]);)
        left -= text[--loc.begin] == '(';
    for (int right = open - least; right > 0 && text[loc.end] && strchr(") ", text[loc.end]);)
        right -= text[loc.end++] == ')';
    return loc;
}

static const struct ir_expr *report_operator(struct frontend *f, const struct ast *a,
                                             struct location operand, enum ast_op op,
                                             const char *type)
{
    struct diag_message *m = diag_report(f->diag, operand, KERNEL_OPERATOR, op_text(op), type);
    int64_t power;

    if (op == AST_FLOORDIV && a->kind == AST_BINARY && strncmp(type, "float", 5) == 0) {
        diag_help(m, "the quotient of floats is `/`; `T.floor(a / b)` rounds it down");
        help_sign(m, a, "//", "/");
    }
    if (op == AST_BITXOR && a->kind == AST_BINARY &&
        (a->items[1]->kind == AST_FLOAT || ast_int_literal(a->items[1], &power))) {
        struct location sign = {a->loc.source, a->items[0]->loc.end, a->items[1]->loc.begin};
        const char *found = memchr(sign.source->text + sign.begin, '^', sign.end - sign.begin);
        diag_help(m, "a power is written `a ** b`");
        sign.begin = (uint32_t)(found - sign.source->text);
        sign.end = sign.begin + 1;
        diag_help_edit(m, sign, "**");
    } else if (operand.source && operand.begin > a->loc.begin)
        help_whole(f, m, operand);
    return NULL;
}

/* The operand is what does not fit. */
static const struct ir_expr *report_misfit(struct frontend *f, const struct ast *a, enum ast_op op,
                                           const struct ir_expr *operand)
{
    return report_operator(f, a, operand->loc.source ? operand->loc : a->loc, op,
                           dtype_text(f, operand->dtype));
}

/* --- names --- */

static const struct ir_expr *zero_index_load(struct frontend *f, const struct ir_buffer *buffer)
{
    const struct ir_expr *zero = ir_expr_int(f->context, IR_I32, 0);

    return ir_expr_load(f->context, buffer, &zero, 1);
}

/* `for i in T.grid(4, 8)`, of which `i` is used as if it were one loop. */
static const struct ir_expr *report_loops(struct frontend *f, const struct ast *a,
                                          const struct name *name)
{
    const char *text = name->loc.source ? name->loc.source->text + name->loc.end : "";

    if (strncmp(text, " in T.grid(", 11) != 0)
        return report_scalar(f, a);
    struct diag_message *m =
        diag_report(f->diag, name->loc, KERNEL_LOOP_TARGETS, 1, "", name->item_count, "s");
    diag_label(m, a->loc, "used as one loop");
    diag_help(m, "each loop has a variable");
    if (name->item_count == 2 && strcmp(a->name, "i") == 0 && !scope_find(f, "j")) {
        diag_help_edit(m, name->loc, "i, j");
        scope_bind(f, NAME_ERROR, atom_intern_text(&f->context->atoms, "j"), name->loc);
    }
    scope_bind(f, NAME_ERROR, a->name, a->loc);
    return NULL;
}

static const struct ir_expr *translate_name(struct frontend *f, const struct ast *a)
{
    const struct name *name = scope_use(f, a);
    struct diag_message *m;
    const char *indices;

    if (!name) {
        report_undefined_scalar(f, a);
        return NULL;
    }
    switch (name->kind) {
    case NAME_ERROR:
        return NULL;
    case NAME_TUPLE:
        return report_loops(f, a, name);
    case NAME_VAR:
        return ir_expr_var(f->context, name->var);
    case NAME_EXPR:
        return name->expr;
    case NAME_VALUE:
        if (name->var)
            return ir_expr_var(f->context, name->var);
        if (name->expr)
            return name->expr;
        diag_report(f->diag, a->loc, KERNEL_SCALAR, "a value");
        return NULL;
    case NAME_BUFFER:
        if (name->buffer->is_scalar)
            return zero_index_load(f, name->buffer);
        m = diag_report(f->diag, a->loc, KERNEL_SCALAR, "a buffer");
        indices = indices_meant(f, name->buffer);
        diag_help(m, "read an element: `%s[%s]`", a->name, indices ? indices : "..");
        if (indices)
            diag_help_edit(m, location_behind(a->loc), "[%s]", indices);
        return NULL;
    default:
        return report_scalar(f, a);
    }
}

/* --- operators --- */

static const struct ir_expr *binary_of(struct frontend *f, struct location loc,
                                       enum ir_expr_kind kind, const struct ir_expr *left,
                                       const struct ir_expr *right)
{
    if (!tir_match(f, loc, &left, &right))
        return NULL;
    return ir_expr_binary(f->context, kind, left, right);
}

static const struct ir_expr *call_of(struct frontend *f, struct location loc, const char *name,
                                     const struct ir_expr *left, const struct ir_expr *right)
{
    if (!tir_match(f, loc, &left, &right))
        return NULL;
    const struct ir_expr *args[] = {left, right};
    return ir_expr_call(f->context, left->dtype, name, args, 2);
}

static bool is_integral(struct ir_dtype dtype)
{
    return ir_dtype_is_int(dtype) || ir_dtype_is_bool(dtype);
}

/* Operators of Python: the kind of expression or the function that each is. */
static const struct {
    enum ir_expr_kind kind;
    const char *function;
    bool integers_only;
} binary_meanings[] = {
    [AST_ADD] = {IR_EXPR_add, NULL, false},
    [AST_SUB] = {IR_EXPR_sub, NULL, false},
    [AST_MUL] = {IR_EXPR_mul, NULL, false},
    [AST_DIV] = {IR_EXPR_div, NULL, false},
    [AST_FLOORDIV] = {IR_EXPR_floordiv, NULL, true},
    [AST_MOD] = {IR_EXPR_floormod, NULL, true},
    [AST_POW] = {IR_EXPR_call, "pow", false},
    [AST_SHL] = {IR_EXPR_call, "shift_left", true},
    [AST_SHR] = {IR_EXPR_call, "shift_right", true},
    [AST_BITAND] = {IR_EXPR_call, "bitwise_and", true},
    [AST_BITOR] = {IR_EXPR_call, "bitwise_or", true},
    [AST_BITXOR] = {IR_EXPR_call, "bitwise_xor", true},
    [AST_LT] = {IR_EXPR_lt, NULL, false},
    [AST_LE] = {IR_EXPR_le, NULL, false},
    [AST_GT] = {IR_EXPR_gt, NULL, false},
    [AST_GE] = {IR_EXPR_ge, NULL, false},
    [AST_EQ] = {IR_EXPR_eq, NULL, false},
    [AST_NE] = {IR_EXPR_ne, NULL, false},
};

const struct ir_expr *scalar_binary(struct frontend *f, const struct ast *a, enum ast_op op,
                                    const struct ir_expr *left, const struct ir_expr *right)
{
    bool is_known = op < ARRAY_SIZE(binary_meanings) && binary_meanings[op].kind != IR_EXPR_var;
    bool integers = is_integral(left->dtype) && is_integral(right->dtype);

    if (!is_known)
        return report_operator(f, a, a->loc, op, "scalars");
    if (op == AST_DIV && integers) {
        struct diag_message *m = diag_report(f->diag, with_brackets(a), KERNEL_INT_DIVISION);
        if (f->tir && ir_dtype_is_float(f->tir->stored)) { /* a quotient is meant */
            diag_help(m, "the quotient as a float is that of floats");
            diag_help_wrap(
                m, a->items[0]->loc,
                arena_printf(&f->arena, "T.Cast(\"%s\", ", dtype_text(f, f->tir->stored)), ")");
            diag_help_unsure(m);
        }
        diag_help(m, "`//` rounds down, `T.truncdiv(a, b)` towards zero");
        help_sign(m, a, "/", "//");
        if (f->tir && ir_dtype_is_float(f->tir->stored))
            diag_help_unsure(m);
        return NULL;
    }
    if (binary_meanings[op].integers_only && !integers)
        return report_misfit(f, a, op, is_integral(left->dtype) ? right : left);
    if (binary_meanings[op].function)
        return call_of(f, a->loc, binary_meanings[op].function, left, right);
    return binary_of(f, a->loc, binary_meanings[op].kind, left, right);
}

bool operands_translate(struct frontend *f, const struct ast *left, const struct ast *right,
                        const struct ir_expr **out_left, const struct ir_expr **out_right)
{
    struct constant constant;
    bool failed = false;
    bool left_is_constant = constant_evaluate(f, left, &constant, &failed);

    if (failed)
        return false;
    if (!left_is_constant && !constant_evaluate(f, right, &constant, &failed)) {
        *out_left = failed ? NULL : scalar_translate(f, left, IR_VOID);
        *out_right = failed ? NULL : scalar_translate(f, right, IR_VOID);
        return *out_left && *out_right;
    }
    const struct ast *literal = left_is_constant ? left : right;
    const struct ir_expr *other = scalar_translate(f, left_is_constant ? right : left, IR_VOID);
    struct ir_dtype dtype = constant_dtype(f, &constant), promoted;
    if (!other)
        return false;
    struct ir_dtype lane = {other->dtype.code, other->dtype.bits, 1};
    if (tir_promote(dtype, lane, &promoted))
        dtype = promoted;
    const struct ir_expr *value = constant_literal(f, literal->loc, &constant, dtype);
    *out_left = left_is_constant ? value : other;
    *out_right = left_is_constant ? other : value;
    return value != NULL;
}

static const struct ir_expr *translate_binary(struct frontend *f, const struct ast *a)
{
    const struct ir_expr *left, *right;

    if (!operands_translate(f, a->items[0], a->items[1], &left, &right))
        return NULL;
    return scalar_binary(f, a, a->op, left, right);
}

static const struct ir_expr *translate_unary(struct frontend *f, const struct ast *a,
                                             struct ir_dtype wanted)
{
    const struct ir_expr *operand = a->op == AST_NOT ? condition_translate(f, a->items[0])
                                                     : scalar_translate(f, a->items[0], wanted);
    const struct ir_expr *minus_one;

    if (!operand)
        return NULL;
    switch (a->op) {
    case AST_NOT:
        return ir_expr_not(f->context, operand);
    case AST_POS:
        return operand;
    case AST_INVERT:
        if (!is_integral(operand->dtype))
            return report_misfit(f, a, a->op, operand);
        return ir_expr_call(f->context, operand->dtype, "bitwise_not", &operand, 1);
    default: /* -x is x * -1, as TVM has it, and a literal the negated literal */
        if (operand->kind == IR_EXPR_float)
            return ir_expr_float(f->context, operand->dtype, -operand->float_value);
        if (operand->kind == IR_EXPR_int && operand->dtype.code == IR_INT)
            return ir_expr_int(f->context, operand->dtype,
                               (int64_t)(0 - (uint64_t)operand->int_value));
        minus_one = constant_literal(f, a->loc, &(struct constant){.integer = -1, .real = -1},
                                     operand->dtype);
        return minus_one ? ir_expr_binary(f->context, IR_EXPR_mul, operand, minus_one) : NULL;
    }
}

/* Is @e a bool that was made an integer to meet one? */
static bool is_widened_bool(const struct ir_expr *e)
{
    return e->kind == IR_EXPR_cast && ir_dtype_is_int(e->dtype) &&
           ir_dtype_is_bool(e->operands[0]->dtype);
}

static bool is_in_parentheses(const struct ast *a)
{
    const char *text = a->loc.source->text;
    uint32_t at = a->loc.begin;

    while (at > 0 && text[at - 1] == ' ')
        at--;
    return at > 0 && text[at - 1] == '(' &&
           text[a->loc.end + strspn(text + a->loc.end, " ")] == ')';
}

/* `i <= j & mask[i]` is `i <= (j & mask[i])`: warns if the operand @a of a comparison mixes a bool with an integer. */
static void check_bits(struct frontend *f, const struct ast *a, const struct ir_expr *e)
{
    bool is_and = a->op == AST_BITAND;

    if (a->kind != AST_BINARY || (!is_and && a->op != AST_BITOR) || e->kind != IR_EXPR_call ||
        e->operand_count != 2 || is_in_parentheses(a) ||
        (!is_widened_bool(e->operands[0]) && !is_widened_bool(e->operands[1])))
        return;
    struct diag_message *m = diag_report(f->diag, a->loc, KERNEL_BOOL_BITS, op_text(a->op));
    diag_help(m, "conditions are joined by `%s`", is_and ? "and" : "or");
    help_sign(m, a, op_text(a->op), is_and ? "and" : "or");
}

/* a < b <= c: a < b and b <= c */
static const struct ir_expr *translate_comparison(struct frontend *f, const struct ast *a)
{
    const struct ir_expr *all = NULL;

    for (unsigned i = 0; i + 1 < a->item_count; i++) {
        const struct ir_expr *left, *right;
        if (!operands_translate(f, a->items[i], a->items[i + 1], &left, &right))
            return NULL;
        if (i == 0)
            check_bits(f, a->items[0], left);
        check_bits(f, a->items[i + 1], right);
        const struct ir_expr *one = scalar_binary(f, a, a->ops[i], left, right);
        one = scalar_at(f, location_join(a->items[i]->loc, a->items[i + 1]->loc), one);
        if (!one)
            return NULL;
        all = all ? scalar_at(f, a->loc, ir_expr_binary(f->context, IR_EXPR_and, all, one)) : one;
        if (!all)
            return NULL;
    }
    return all;
}

static bool is_plain_int(const struct ir_expr *e)
{
    return ir_dtype_is_int(e->dtype) && e->dtype.lanes == 1;
}

/* `byte and 15` of integers: the bits are meant, or whether they are 0; a mask says which. */
static bool refuse_int_logic(struct frontend *f, const struct ast *a, const struct ir_expr *left,
                             const struct ir_expr *right)
{
    const char *sign = a->kind == AST_AND ? "&" : "|";
    struct location between = {a->loc.source, a->items[0]->loc.end, a->items[1]->loc.begin};
    struct location word = location_text_behind(between, a->kind == AST_AND ? "and" : "or");

    if (!is_plain_int(left) || !is_plain_int(right))
        return false;
    struct diag_message *m =
        diag_report(f->diag, a->items[0]->loc, KERNEL_CONDITION, dtype_text(f, left->dtype));
    diag_help(m, "the bits of both are `%s`; a condition compares: `.. != 0`", sign);
    bool is_mask = a->items[0]->kind == AST_INT || a->items[1]->kind == AST_INT;
    if (is_mask && word.begin != word.end && word.end <= between.end)
        diag_help_edit(m, word, "%s", sign);
    return true;
}

static const struct ir_expr *translate_logic(struct frontend *f, const struct ast *a)
{
    bool is_and = a->kind == AST_AND;
    const struct ir_expr *all = NULL, *parts[2] = {NULL};

    for (unsigned i = 0; a->item_count == 2 && i < 2; i++)
        if (!(parts[i] = scalar_translate(f, a->items[i], IR_VOID)))
            return NULL;
    if (parts[0] && refuse_int_logic(f, a, parts[0], parts[1]))
        return NULL;
    for (unsigned i = 0; i < a->item_count; i++) {
        const struct ir_expr *one = parts[0] ? condition_check(f, a->items[i], parts[i])
                                             : condition_translate(f, a->items[i]);
        if (!one)
            return NULL;
        if (!all)
            all = one;
        else if (all->dtype.lanes > 1 || one->dtype.lanes > 1)
            all = call_of(f, a->loc, is_and ? "bitwise_and" : "bitwise_or", all, one);
        else
            all = ir_expr_binary(f->context, is_and ? IR_EXPR_and : IR_EXPR_or, all, one);
        all = scalar_at(f, a->loc, all);
        if (!all)
            return NULL;
    }
    return all;
}

/* b if c else d: T.if_then_else(c, b, d) */
static const struct ir_expr *translate_ternary(struct frontend *f, const struct ast *a)
{
    const struct ir_expr *condition = condition_translate(f, a->items[0]);
    const struct ir_expr *args[3];

    if (!operands_translate(f, a->items[1], a->items[2], &args[1], &args[2]) || !condition ||
        !tir_match(f, a->loc, &args[1], &args[2]))
        return NULL;
    args[0] = condition;
    return ir_expr_call(f->context, args[1]->dtype, "if_then_else", args, 3);
}

/* --- all of it --- */

static const struct ir_expr *translate_constant(struct frontend *f, const struct ast *a,
                                                const struct constant *constant,
                                                struct ir_dtype wanted)
{
    struct ir_dtype dtype = constant_dtype(f, constant);

    if (!f->tir && ir_dtype_equal(dtype, IR_I32)) /* Relax prints int64 literals bare */
        dtype = IR_I64;
    if (!ir_dtype_is_void(wanted) && wanted.code != IR_HANDLE &&
        !(constant->is_float && is_integral(wanted)))
        dtype = (struct ir_dtype){wanted.code, wanted.bits, 1};
    return constant_literal(f, a->loc, constant, dtype);
}

static const struct ir_expr *translate_string(struct frontend *f, const struct ast *a,
                                              struct ir_dtype wanted)
{
    struct ast *inner = ast_parse_string(&f->arena, &f->context->atoms, f->diag, a);

    return inner ? scalar_translate(f, inner, wanted) : NULL;
}

static const struct ir_expr *translate(struct frontend *f, const struct ast *a,
                                       struct ir_dtype wanted)
{
    switch (a->kind) {
    case AST_NAME:
        return translate_name(f, a);
    case AST_TRUE:
    case AST_FALSE:
        return ir_expr_int(f->context, IR_B1, a->kind == AST_TRUE);
    case AST_STRING: /* an expression in shapes only; those of kernels are read in tir_buffer.c */
        return f->tir ? report_scalar(f, a) : translate_string(f, a, wanted);
    case AST_UNARY:
        return translate_unary(f, a, wanted);
    case AST_BINARY:
        return translate_binary(f, a);
    case AST_COMPARE:
        return translate_comparison(f, a);
    case AST_AND:
    case AST_OR:
        return translate_logic(f, a);
    case AST_TERNARY:
        return translate_ternary(f, a);
    case AST_CALL:
        return call_translate(f, a, wanted);
    case AST_SUBSCRIPT:
        return subscript_translate(f, a);
    case AST_ATTRIBUTE:
        return attribute_translate(f, a);
    default:
        return report_scalar(f, a);
    }
}

const struct ir_expr *scalar_translate(struct frontend *f, const struct ast *a,
                                       struct ir_dtype wanted)
{
    struct constant constant;
    bool failed = false;

    if (constant_evaluate(f, a, &constant, &failed))
        return translate_constant(f, a, &constant, wanted);
    return failed ? NULL : scalar_at(f, a->loc, translate(f, a, wanted));
}

const struct ir_expr *dim_translate(struct frontend *f, const struct ast *a)
{
    const struct ir_expr *dim = scalar_translate(f, a, IR_I64);

    if (dim && !ir_dtype_is_int(dim->dtype)) {
        report_not_integer(f, a, "a dimension", dim->dtype);
        return NULL;
    }
    return dim ? tir_convert(f, dim, IR_I64) : NULL;
}

const struct ir_expr *condition_check(struct frontend *f, const struct ast *a,
                                      const struct ir_expr *condition)
{
    if (condition->kind == IR_EXPR_int && ir_dtype_is_int(condition->dtype) &&
        (condition->int_value == 0 || condition->int_value == 1))
        return tir_convert(f, condition, IR_B1);
    if (!ir_dtype_is_bool(condition->dtype)) {
        struct diag_message *m =
            diag_report(f->diag, a->loc, KERNEL_CONDITION, dtype_text(f, condition->dtype));
        diag_help(m, "compare it: `.. != 0`");
        bool is_simple = a->kind == AST_NAME || a->kind == AST_SUBSCRIPT || a->kind == AST_CALL;
        diag_help_wrap(m, a->loc, is_simple ? "" : "(", is_simple ? " != 0" : ") != 0");
        return NULL;
    }
    return condition;
}

const struct ir_expr *condition_translate(struct frontend *f, const struct ast *a)
{
    const struct ir_expr *condition = scalar_translate(f, a, IR_VOID);

    return condition ? condition_check(f, a, condition) : NULL;
}

const struct ir_expr *index_lanes_translate(struct frontend *f, const struct ast *a)
{
    const struct ir_expr *index = scalar_translate(f, a, IR_VOID);

    if (index && !ir_dtype_is_int(index->dtype)) {
        report_not_integer(f, a, "this", index->dtype);
        return NULL;
    }
    return index;
}

const struct ir_expr *index_translate(struct frontend *f, const struct ast *a)
{
    return scalar_only(f, a, index_lanes_translate(f, a));
}
