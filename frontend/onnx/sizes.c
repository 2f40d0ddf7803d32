/*
 * Extents that a model leaves open and that operands must have in common.
 *
 * Exporters give the dims of inputs names of their own, past_0 and past_1, total for past + new: that they are
 * related is seen where an operator wants it.  What every run must have (the extents that a product sums over)
 * is learned: one symbol stands for the other from the start on, and the graph is read again.  Where an extent
 * may also be 1 (of operators that broadcast) the program asks when it runs.
 */
#include "frontend/onnx/import.h"

#include <ctype.h>
#include <string.h>

/* ---- names and expressions of sizes ---- */

struct onnx_size *onnx_named_size(struct onnx_import *m, const char *key, const char *name)
{
    const char *atom = atom_intern_text(&m->context->atoms, key);
    struct onnx_size *size = map_get(&m->sizes, atom);

    if (!size) {
        size = arena_new(m->arena, struct onnx_size);
        size->var = ir_symbol_new(m->context, onnx_name(m, name), IR_I64);
        map_set(&m->sizes, atom, size);
        array_push(&m->size_list, size);
    }
    return size;
}

const struct ir_expr *onnx_symbol(struct onnx_import *m, const char *name)
{
    if (!name || !*name)
        return ir_expr_var(m->context, ir_symbol_new(m->context, onnx_name(m, "d"), IR_I64));
    const struct onnx_size *size = onnx_named_size(m, name, name);
    return size->is ? size->is : ir_expr_var(m->context, size->var);
}

/* What an exporter writes of a dim: names, numbers, + - * // %, parentheses. */
struct size_parser {
    struct onnx_import *m;
    const char *at;
    unsigned depth;
};

static void skip_blanks(struct size_parser *p)
{
    while (*p->at == ' ')
        p->at++;
}

static const struct ir_expr *parse_sum(struct size_parser *p);

static const struct ir_expr *parse_name(struct size_parser *p)
{
    const char *from = p->at;

    while (isalnum((unsigned char)*p->at) || *p->at == '_' || *p->at == '.')
        p->at++;
    const char *name = arena_copy_text(p->m->arena, from, (size_t)(p->at - from));
    const struct onnx_size *size =
        map_get(&p->m->sizes, atom_intern_text(&p->m->context->atoms, name));
    if (!size)
        return NULL;
    return size->is ? size->is : ir_expr_var(p->m->context, size->var);
}

static const struct ir_expr *parse_item(struct size_parser *p)
{
    int64_t number = 0;

    skip_blanks(p);
    if (*p->at == '(') {
        p->at++;
        const struct ir_expr *inner = parse_sum(p);
        skip_blanks(p);
        return *p->at == ')' ? (p->at++, inner) : NULL;
    }
    if (isalpha((unsigned char)*p->at) || *p->at == '_')
        return parse_name(p);
    if (!isdigit((unsigned char)*p->at))
        return NULL;
    for (; isdigit((unsigned char)*p->at); p->at++) {
        number = number * 10 + (*p->at - '0');
        if (number > INT64_C(1) << 40)
            return NULL;
    }
    return onnx_expr(p->m, number);
}

static const struct ir_expr *parse_product(struct size_parser *p)
{
    const struct ir_expr *a = parse_item(p);

    for (skip_blanks(p); a && (*p->at == '*' || *p->at == '/' || *p->at == '%'); skip_blanks(p)) {
        char sign = *p->at++;
        if (sign == '/' && *p->at++ != '/')
            return NULL;
        enum ir_expr_kind kind = sign == '*'   ? IR_EXPR_mul
                                 : sign == '/' ? IR_EXPR_floordiv
                                               : IR_EXPR_floormod;
        const struct ir_expr *b = parse_item(p);
        if (!b || (kind != IR_EXPR_mul && !ir_prove_ge(p->m->context, NULL, b, onnx_expr(p->m, 1))))
            return NULL;
        a = onnx_op(p->m, kind, a, b);
    }
    return a;
}

static const struct ir_expr *parse_sum(struct size_parser *p)
{
    const struct ir_expr *a;

    if (p->depth++ > 16)
        return NULL;
    for (a = parse_product(p); a && (*p->at == '+' || *p->at == '-');) {
        enum ir_expr_kind kind = *p->at++ == '+' ? IR_EXPR_add : IR_EXPR_sub;
        const struct ir_expr *b = parse_product(p);
        a = b ? onnx_op(p->m, kind, a, b) : NULL;
    }
    p->depth--;
    return a;
}

const struct ir_expr *onnx_parse_size(struct onnx_import *m, const char *text)
{
    struct size_parser p = {m, text ? text : "", 0};
    const struct ir_expr *size = parse_sum(&p);

    return size && !*p.at ? size : NULL;
}

/* ---- learning ---- */

/* @e as @size, if that is one: not below 0, and not of the symbol itself. */
static bool learn_one(struct onnx_import *m, struct onnx_size *size, const struct ir_expr *a,
                      const struct ir_expr *b)
{
    const struct ir_expr *rest, *own = ir_expr_var(m->context, size->var);
    int64_t coefficient;

    const struct ir_expr *difference = onnx_op(m, IR_EXPR_sub, b, a);
    if (!ir_expr_linear(m->context, difference, size->var, &coefficient, &rest) ||
        (coefficient != 1 && coefficient != -1))
        return false;
    rest = coefficient == 1 ? onnx_op(m, IR_EXPR_sub, own, difference)
                            : onnx_op(m, IR_EXPR_add, own, difference);
    if (!ir_prove_ge(m->context, NULL, rest, onnx_expr(m, 0)))
        return false;
    struct ir_binding binding = {size->var, rest};
    struct ir_bindings bindings = {.items = &binding, .count = 1};
    for (size_t i = 0; i < m->size_list.count; i++) {
        struct onnx_size *other = m->size_list.items[i];
        if (other->is)
            other->is =
                ir_simplify(m->context, ir_expr_substitute(m->context, other->is, &bindings));
    }
    size->is = rest;
    return true;
}

/* Only of symbols that inputs give. */
static bool is_of_inputs(struct onnx_import *m, const struct ir_expr *e)
{
    const struct ir_expr *rest = e;
    int64_t coefficient;

    for (size_t i = 0; i < m->size_list.count; i++)
        if (m->size_list.items[i]->is_input && !m->size_list.items[i]->is &&
            ir_expr_linear(m->context, rest, m->size_list.items[i]->var, &coefficient, &e))
            rest = e;
    return ir_expr_constant(m->context, rest, &coefficient);
}

bool onnx_learn(struct onnx_import *m, const struct ir_expr *a, const struct ir_expr *b)
{
    if (ir_prove_equal(m->context, a, b))
        return true;
    if (m->branch_depth > 0 || !is_of_inputs(m, a) || !is_of_inputs(m, b))
        return false;
    for (size_t i = m->size_list.count; i-- > 0;) /* the first names stay */
        if (m->size_list.items[i]->is_input && !m->size_list.items[i]->is &&
            learn_one(m, m->size_list.items[i], a, b)) {
            m->has_learned = true;
            return true;
        }
    return false;
}

/* ---- operands ---- */

/* @value with @dims, which the program asks for where it is not known. */
struct ir_value *onnx_with_dims(struct onnx_import *m, struct ir_value *value,
                                const struct ir_expr *const *dims)
{
    bool is_same = true;

    for (int i = 0; i < onnx_rank(value); i++)
        if (ir_prove_different(m->context, dims[i], onnx_dims(value)[i]))
            return value; /* which its operator refuses */
    for (int i = 0; i < onnx_rank(value); i++)
        is_same = onnx_learn(m, dims[i], onnx_dims(value)[i]) && is_same;
    if (is_same || m->has_learned)
        return m->has_learned ? NULL : value;
    struct ir_value *operand = make_operand(&m->b, value);
    struct ir_op *op =
        ir_build_declared(&m->b, ir_core_op(m->context, IR_CORE_match_cast), &operand, 1, NULL,
                          ir_type_tensor(m->context, value->type->dtype, dims, onnx_rank(value)));
    return op ? &op->result : NULL;
}

/* What the exporter noted of axis @from_right of the first output of @n; or NULL. */
static const struct ir_expr *noted(struct onnx_node *n, int from_right)
{
    const Onnx__ValueInfo *info =
        n->output_count > 0
            ? map_get(&n->m->notes, atom_intern_text(&n->m->context->atoms, n->proto->output[0]))
            : NULL;
    const Onnx__Shape *shape =
        info && info->type && info->type->tensor_type ? info->type->tensor_type->shape : NULL;

    if (!shape || (size_t)from_right >= shape->n_dim)
        return NULL;
    const Onnx__Dimension *dim = shape->dim[shape->n_dim - 1 - (size_t)from_right];
    return dim->has_dim_value ? onnx_expr(n->m, dim->dim_value)
                              : onnx_parse_size(n->m, dim->dim_param);
}

const struct ir_expr *onnx_common_dim(struct onnx_import *m, const struct ir_expr *a,
                                      const struct ir_expr *b, const struct ir_expr *hint)
{
    if (!a || ir_expr_is_int(a, 1) || ir_prove_equal(m->context, a, b))
        return b;
    if (ir_expr_is_int(b, 1) || a->kind == IR_EXPR_int)
        return a;
    if (b->kind == IR_EXPR_int || (hint && ir_prove_equal(m->context, hint, b)))
        return b;
    return a;
}

bool onnx_fit(struct onnx_node *n, struct ir_value **items, unsigned count, int inner)
{
    struct onnx_import *m = n->m;

    for (unsigned i = 0; i < count; i++)
        if (!items[i])
            return false;
    const struct ir_expr *common[IR_RANK_LIMIT] = {0};
    for (unsigned i = 0; i < count; i++)
        for (int at = inner; at < onnx_rank(items[i]); at++)
            common[at] = onnx_common_dim(
                m, common[at], onnx_dims(items[i])[onnx_rank(items[i]) - 1 - at], noted(n, at));
    for (unsigned i = 0; i < count; i++) {
        int rank = onnx_rank(items[i]);
        const struct ir_expr *dims[IR_RANK_LIMIT];
        bool fits = true;
        for (int at = 0; at < rank; at++) {
            const struct ir_expr *own = onnx_dims(items[i])[rank - 1 - at];
            bool is_known = at < inner || ir_expr_is_int(own, 1) ||
                            ir_prove_equal(m->context, own, common[at]) ||
                            ir_prove_different(m->context, own, common[at]);
            dims[rank - 1 - at] = is_known ? own : common[at];
            fits = fits && is_known;
        }
        if (!fits && !(items[i] = onnx_broadcast(m, items[i], dims, (unsigned)rank)))
            return false;
    }
    return true;
}

bool onnx_fit_product(struct onnx_node *n, struct ir_value **a, struct ir_value **b)
{
    struct ir_value *items[] = {*a, *b};

    if (!*a || !*b)
        return false;
    if (onnx_rank(*a) > 0 && onnx_rank(*b) > 0) {
        const struct ir_expr *dims[IR_RANK_LIMIT], *wanted = onnx_dims(*a)[onnx_rank(*a) - 1];
        int rank = onnx_rank(*b), at = rank > 1 ? rank - 2 : 0;
        for (int i = 0; i < rank; i++)
            dims[i] = i == at ? wanted : onnx_dims(*b)[i];
        items[1] = onnx_with_dims(n->m, *b, dims);
        if (!items[1] || (onnx_rank(*a) > 1 && rank > 1 && !onnx_fit(n, items, 2, 2)))
            return false;
    }
    *a = items[0], *b = items[1];
    return true;
}
