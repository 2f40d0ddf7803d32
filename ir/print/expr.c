/*
 * Scalar expressions as TVMScript.
 *
 * Operators are written with signs and with as few parentheses as Python's precedence needs, but only
 * where Python's operator would build the same node: TVM folds `x + 0` and `1 + 2` as it reads them,
 * so those print as T.Add(x, 0).
 */
#include "ir/intrinsics.h"
#include "ir/module.h"
#include "ir/print/printer.h"

#include <string.h>

enum precedence {
    PRECEDENCE_NONE,
    PRECEDENCE_OR = 3,
    PRECEDENCE_AND,
    PRECEDENCE_NOT,
    PRECEDENCE_COMPARE,
    PRECEDENCE_BITOR,
    PRECEDENCE_BITXOR,
    PRECEDENCE_BITAND,
    PRECEDENCE_SHIFT,
    PRECEDENCE_ADD,
    PRECEDENCE_MUL,
    PRECEDENCE_UNARY,
    PRECEDENCE_ATOM = 15,
};

/* Functions that Python has an operator for. */
static const struct operator_call {
    const char *name, *sign;
    unsigned operands;
    enum precedence precedence;
} operator_calls[] = {
    {"bitwise_and", "&", 2, PRECEDENCE_BITAND}, {"bitwise_or", "|", 2, PRECEDENCE_BITOR},
    {"bitwise_xor", "^", 2, PRECEDENCE_BITXOR}, {"bitwise_not", "~", 1, PRECEDENCE_UNARY},
    {"shift_left", "<<", 2, PRECEDENCE_SHIFT},  {"shift_right", ">>", 2, PRECEDENCE_SHIFT},
};

static const struct binary_row {
    const char *sign, *function;
} binary_rows[IR_EXPR_COUNT] = {
#define EXPR(kind, ...)
#define BINARY_EXPR(kind, sign, function, doc) [IR_EXPR_##kind] = {sign, function},
#include "ir/exprs.def"
};

static enum precedence binary_precedence(enum ir_expr_kind kind)
{
    switch (kind) {
    case IR_EXPR_or:
        return PRECEDENCE_OR;
    case IR_EXPR_and:
        return PRECEDENCE_AND;
    case IR_EXPR_add:
    case IR_EXPR_sub:
        return PRECEDENCE_ADD;
    case IR_EXPR_mul:
    case IR_EXPR_div:
    case IR_EXPR_floordiv:
    case IR_EXPR_floormod:
        return PRECEDENCE_MUL;
    default:
        return PRECEDENCE_COMPARE;
    }
}

static bool is_literal(const struct ir_expr *a)
{
    return a->kind == IR_EXPR_int || a->kind == IR_EXPR_float;
}

static bool is_number(const struct ir_expr *a, int value)
{
    return (a->kind == IR_EXPR_int && a->int_value == value) ||
           (a->kind == IR_EXPR_float && a->float_value == value);
}

/* Would Python's operator on these operands give something else than this node? */
static bool is_folded_by_python(const struct ir_expr *e)
{
    const struct ir_expr *a = e->operands[0], *b = e->operands[1];
    if (is_literal(a) && is_literal(b))
        return true;
    switch (e->kind) {
    case IR_EXPR_add:
        return is_number(a, 0) || is_number(b, 0);
    case IR_EXPR_sub:
        return is_number(b, 0);
    case IR_EXPR_mul:
        return is_number(a, 0) || is_number(b, 0) || is_number(a, 1) || is_number(b, 1);
    case IR_EXPR_div:
    case IR_EXPR_floordiv:
    case IR_EXPR_floormod:
        return is_number(a, 0) || is_number(b, 1) || is_number(b, 0);
    case IR_EXPR_and:
    case IR_EXPR_or:
        return is_literal(a) || is_literal(b);
    default:
        return false;
    }
}

static bool has_sign(const struct ir_expr *e)
{
    const struct binary_row *row = &binary_rows[e->kind];
    if (row->sign == NULL || is_folded_by_python(e))
        return false;
    return e->kind != IR_EXPR_div || !ir_dtype_is_int(e->operands[0]->dtype);
}

static const struct operator_call *find_operator(const struct ir_expr *e)
{
    if (e->kind != IR_EXPR_call || e->operand_count == 0 || is_literal(e->operands[0]))
        return NULL;
    for (size_t i = 0; i < ARRAY_SIZE(operator_calls); i++)
        if (operator_calls[i].operands == e->operand_count &&
            strcmp(operator_calls[i].name, e->name) == 0)
            return &operator_calls[i];
    return NULL;
}

static enum precedence precedence_of(const struct ir_expr *e)
{
    const struct operator_call *row = find_operator(e);
    if (row != NULL)
        return row->precedence;
    if (ir_expr_is_binary(e->kind) && has_sign(e))
        return binary_precedence(e->kind);
    if (e->kind == IR_EXPR_not && !is_literal(e->operands[0]))
        return PRECEDENCE_NOT;
    return PRECEDENCE_ATOM;
}

static void put_child(struct printer *p, const struct ir_expr *child, enum precedence least)
{
    bool needs_parentheses = precedence_of(child) < least;
    if (needs_parentheses)
        text_putc(p->out, '(');
    printer_put_expr(p, child);
    if (needs_parentheses)
        text_putc(p->out, ')');
}

static void put_list(struct printer *p, const struct ir_expr *const *items, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (i > 0)
            text_puts(p->out, ", ");
        printer_put_expr(p, items[i]);
    }
}

static void put_function(struct printer *p, const char *name, const struct ir_expr *e)
{
    printer_put_tir(p, name);
    text_putc(p->out, '(');
    put_list(p, e->operands, e->operand_count);
    text_putc(p->out, ')');
}

static void put_binary(struct printer *p, const struct ir_expr *e)
{
    const struct binary_row *row = &binary_rows[e->kind];
    if (!has_sign(e)) {
        put_function(p, row->function, e);
        return;
    }
    enum precedence precedence = binary_precedence(e->kind);
    /* Python would read a < b < c as a chain. */
    put_child(p, e->operands[0], precedence == PRECEDENCE_COMPARE ? precedence + 1 : precedence);
    text_printf(p->out, " %s ", row->sign);
    put_child(p, e->operands[1], precedence + 1);
}

static void put_int(struct printer *p, const struct ir_expr *e)
{
    struct ir_dtype bare = p->is_kernel ? IR_I32 : IR_I64;
    bool is_wrapped = !ir_dtype_equal(e->dtype, bare);
    bool is_bool = ir_dtype_is_bool(e->dtype);
    char name[32];
    if (is_bool && !p->is_kernel)
        is_wrapped = false;
    if (is_wrapped) {
        printer_put_tir(p, ir_dtype_name(e->dtype, name));
        text_putc(p->out, '(');
    }
    if (is_bool)
        text_puts(p->out, e->int_value ? "True" : "False");
    else if (e->dtype.code == IR_UINT)
        text_printf(p->out, "%llu", (unsigned long long)e->int_value);
    else
        text_printf(p->out, "%lld", (long long)e->int_value);
    if (is_wrapped)
        text_putc(p->out, ')');
}

static void put_float(struct printer *p, const struct ir_expr *e)
{
    char name[32];
    printer_put_tir(p, ir_dtype_name(e->dtype, name));
    text_putc(p->out, '(');
    printer_put_float(p->out, e->float_value);
    text_putc(p->out, ')');
}

static void put_load(struct printer *p, const struct ir_expr *e)
{
    text_puts(p->out, printer_buffer(p, e->buffer));
    if (e->buffer->is_scalar && !printer_is_old(p))
        return;
    if (e->operand_count == 0) {
        text_puts(p->out, "[()]");
        return;
    }
    /* Vectors as T.Ramp: TVM reads a slice in an expression as a region. */
    text_putc(p->out, '[');
    put_list(p, e->operands, e->operand_count);
    text_putc(p->out, ']');
}

/* A kernel calls functions of its module by the name "cls.f". */
static bool put_module_call(struct printer *p, const struct ir_expr *e)
{
    static const char prefix[] = "cls.";
    if (strncmp(e->name, prefix, strlen(prefix)) != 0)
        return false;
    const char *name = e->name + strlen(prefix);
    if (p->module == NULL)
        text_puts(p->out, prefix);
    else if (!p->is_bare)
        text_printf(p->out, "%s.", p->module->name);
    text_printf(p->out, "%s(", name);
    put_list(p, e->operands, e->operand_count);
    text_putc(p->out, ')');
    return true;
}

static bool put_operator_call(struct printer *p, const struct ir_expr *e)
{
    const struct operator_call *row = find_operator(e);
    if (row == NULL)
        return false;
    if (row->operands == 1) {
        text_puts(p->out, row->sign);
        put_child(p, e->operands[0], PRECEDENCE_UNARY);
        return true;
    }
    put_child(p, e->operands[0], row->precedence);
    text_printf(p->out, " %s ", row->sign);
    put_child(p, e->operands[1], row->precedence + 1);
    return true;
}

static void put_call(struct printer *p, const struct ir_expr *e)
{
    if (put_module_call(p, e) || put_operator_call(p, e))
        return;
    const struct ir_intrinsic *intrinsic = ir_intrinsic_find(e->name);
    enum ir_intrinsic_dtype dtype = intrinsic != NULL ? intrinsic->dtype : IR_DTYPE_NONE;
    printer_put_tir(p, e->name);
    text_putc(p->out, '(');
    if (dtype == IR_DTYPE_FIRST) {
        printer_put_dtype(p->out, e->dtype);
        if (e->operand_count > 0)
            text_puts(p->out, ", ");
    }
    put_list(p, e->operands, e->operand_count);
    if (dtype == IR_DTYPE_LAST) {
        text_puts(p->out, ", ");
        printer_put_dtype(p->out, e->dtype);
    }
    text_putc(p->out, ')');
}

static void put_shuffle(struct printer *p, const struct ir_expr *e)
{
    unsigned vectors = (unsigned)e->int_value;
    printer_put_tir(p, "Shuffle([");
    put_list(p, e->operands, vectors);
    text_puts(p->out, "], [");
    put_list(p, e->operands + vectors, e->operand_count - vectors);
    text_puts(p->out, "])");
}

/* T.<name>(operands, extra): vectors say their lanes behind the operands. */
static void put_vector(struct printer *p, const char *name, const struct ir_expr *e)
{
    printer_put_tir(p, name);
    text_putc(p->out, '(');
    put_list(p, e->operands, e->operand_count);
    text_printf(p->out, ", %u)", e->dtype.lanes);
}

static void put_let(struct printer *p, const struct ir_expr *e)
{
    printer_put_tir(p, "Let(");
    const char *name = printer_var(p, e->var);
    printer_put_expr(p, e->operands[1]);
    text_printf(p->out, ", where={%s: ", name);
    printer_put_expr(p, e->operands[0]);
    text_puts(p->out, "})");
}

static void put_cast(struct printer *p, const struct ir_expr *e)
{
    printer_put_tir(p, "Cast(");
    printer_put_dtype(p->out, e->dtype);
    text_puts(p->out, ", ");
    printer_put_expr(p, e->operands[0]);
    text_putc(p->out, ')');
}

static void put_not(struct printer *p, const struct ir_expr *e)
{
    if (is_literal(e->operands[0])) {
        put_function(p, "Not", e);
        return;
    }
    text_puts(p->out, "not ");
    put_child(p, e->operands[0], PRECEDENCE_NOT);
}

void printer_put_expr(struct printer *p, const struct ir_expr *e)
{
    switch (e->kind) {
    case IR_EXPR_var:
        text_puts(p->out, printer_var(p, e->var));
        return;
    case IR_EXPR_int:
        put_int(p, e);
        return;
    case IR_EXPR_float:
        put_float(p, e);
        return;
    case IR_EXPR_string:
        printer_put_string(p->out, e->string);
        return;
    case IR_EXPR_not:
        put_not(p, e);
        return;
    case IR_EXPR_select:
        put_function(p, "Select", e);
        return;
    case IR_EXPR_cast:
        put_cast(p, e);
        return;
    case IR_EXPR_load:
        put_load(p, e);
        return;
    case IR_EXPR_call:
        put_call(p, e);
        return;
    case IR_EXPR_let:
        put_let(p, e);
        return;
    case IR_EXPR_ramp:
        put_vector(p, "Ramp", e);
        return;
    case IR_EXPR_broadcast:
        put_vector(p, "Broadcast", e);
        return;
    case IR_EXPR_shuffle:
        put_shuffle(p, e);
        return;
    default:
        put_binary(p, e);
        return;
    }
}

void printer_put_sum(struct printer *p, const struct ir_expr *a, const struct ir_expr *b)
{
    if (is_number(b, 0)) {
        printer_put_expr(p, a);
        return;
    }
    if (is_number(a, 0)) {
        printer_put_expr(p, b);
        return;
    }
    int64_t sum;
    if (a->kind == IR_EXPR_int && b->kind == IR_EXPR_int &&
        !__builtin_add_overflow(a->int_value, b->int_value, &sum)) {
        struct ir_expr folded = {.kind = IR_EXPR_int, .dtype = a->dtype, .int_value = sum};
        put_int(p, &folded);
        return;
    }
    put_child(p, a, PRECEDENCE_ADD);
    text_puts(p->out, " + ");
    put_child(p, b, PRECEDENCE_ADD + 1);
}

struct symbol_search {
    const struct printer *p;
    bool found;
};

static bool find_signature_symbol(void *state, const struct ir_expr *a)
{
    struct symbol_search *search = state;
    if (a->kind == IR_EXPR_var && map_get(&search->p->frame->symbols, a->var) != NULL)
        search->found = true;
    return !search->found;
}

void printer_put_dim(struct printer *p, const struct ir_expr *dim)
{
    if (p->frame == NULL || !p->frame->is_signature || printer_is_typevar(p, dim)) {
        printer_put_expr(p, dim);
        return;
    }
    struct text *out = p->out;
    struct text text = {0};
    p->out = &text;
    printer_put_expr(p, dim);
    p->out = out;
    struct symbol_search search = {.p = p};
    ir_expr_walk(dim, find_signature_symbol, &search);
    if (search.found)
        printer_put_string(out, text_string(&text));
    else
        text_puts(out, text_string(&text));
    text_finish(&text);
}
