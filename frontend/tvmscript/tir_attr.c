/* Values of attributes: literals, lists, dicts, T.int64(..), dtypes, index maps, and calls as such. */
#include "frontend/tvmscript/tir.h"

#include <string.h>

static const struct ir_attr *translate_list(struct frontend *f, const struct ast *a)
{
    const struct ir_attr **items =
        arena_array(&f->arena, const struct ir_attr *, a->item_count + 1);

    for (unsigned i = 0; i < a->item_count; i++)
        if (!(items[i] = attr_translate(f, a->items[i])))
            return NULL;
    return ir_attr_list(f->context, items, a->item_count);
}

static const char *key_text(struct frontend *f, const struct ast *key)
{
    int64_t number;

    if (key->kind == AST_STRING)
        return key->string;
    if (ast_int_literal(key, &number))
        return atom_printf(&f->context->atoms, "%lld", (long long)number);
    struct diag_message *m = diag_report(f->diag, key->loc, KERNEL_ATTR_VALUE, describe_ast(key));
    if (key->kind == AST_NAME || key->kind == AST_ATTRIBUTE) {
        diag_help(m, "keys are strings");
        diag_help_wrap(m, key->loc, "\"", "\"");
    }
    return NULL;
}

static const struct ir_attr *translate_dict(struct frontend *f, const struct ast *a)
{
    unsigned count = a->item_count / 2;
    const struct ir_attr **items = arena_array(&f->arena, const struct ir_attr *, count + 1);
    const char **keys = arena_array(&f->arena, const char *, count + 1);

    for (unsigned i = 0; i < count; i++) {
        keys[i] = key_text(f, a->items[2 * i]);
        if (!keys[i] || !(items[i] = attr_translate(f, a->items[2 * i + 1])))
            return NULL;
        for (unsigned k = 0; k < i; k++) {
            if (keys[k] != keys[i])
                continue;
            struct diag_message *m =
                diag_report(f->diag, a->items[2 * i]->loc, GRAPH_ATTR_TWICE, keys[i]);
            diag_label(m, a->items[2 * k]->loc, "first here");
            return NULL;
        }
    }
    return ir_attr_dict(f->context, keys, items, count);
}

/* lambda i, j: (j, i) */
static const struct ir_attr *translate_lambda(struct frontend *f, const struct ast *a)
{
    unsigned param_count = a->item_count - 1;
    const struct ast *body = a->items[param_count];
    bool is_tuple = body->kind == AST_TUPLE || body->kind == AST_LIST;
    unsigned count = is_tuple ? body->item_count : 1;
    const struct ir_var **params =
        arena_array(&f->context->arena, const struct ir_var *, param_count + 1);
    const struct ir_attr **items =
        arena_array(&f->context->arena, const struct ir_attr *, count + 1);
    size_t mark = scope_push(f);
    bool done = true;

    for (unsigned i = 0; i < param_count; i++) {
        struct ir_var *var = ir_symbol_new(f->context, a->items[i]->name, IR_I64);
        var->is_symbol = false;
        var->loc = a->items[i]->loc;
        params[i] = var;
        scope_bind(f, NAME_VAR, a->items[i]->name, a->items[i]->loc)->var = var;
    }
    for (unsigned i = 0; i < count && done; i++) {
        const struct ast *item = is_tuple ? body->items[i] : body;
        done = (items[i] = attr_translate(f, item)) != NULL;
        if (items[i] && items[i]->kind == IR_ATTR_INT)
            items[i] = ir_attr_expr(f->context, ir_expr_int(f->context, IR_I64, items[i]->integer));
    }
    scope_pop(f, mark);
    if (!done)
        return NULL;
    struct ir_attr *attr = arena_new(&f->context->arena, struct ir_attr);
    attr->kind = IR_ATTR_LAMBDA;
    attr->count = count;
    attr->items = items;
    attr->param_count = param_count;
    attr->params = params;
    return attr;
}

/* Before 0.26 the arguments of R.device were called dev_type and dev_id. */
static const char *new_key(struct frontend *f, const char *function, const char *key)
{
    if (strcmp(function, "R.device") == 0 && strcmp(key, "dev_type") == 0)
        return atom_intern_text(&f->context->atoms, "device_type");
    if (strcmp(function, "R.device") == 0 && strcmp(key, "dev_id") == 0)
        return atom_intern_text(&f->context->atoms, "index");
    return key;
}

/* R.device(..), T.target(..), ...: kept as it is written. */
static const struct ir_attr *translate_other_call(struct frontend *f, const struct ast *a,
                                                  const char *name)
{
    unsigned count = a->item_count - 1;
    const struct ir_attr **items =
        arena_array(&f->context->arena, const struct ir_attr *, count + 1);
    const char **keys = arena_array(&f->context->arena, const char *, count + 1);

    for (unsigned i = 0; i < count; i++) {
        const struct ast *item = a->items[i + 1];
        keys[i] = item->kind == AST_KEYWORD ? new_key(f, name, item->name) : NULL;
        items[i] = attr_translate(f, item->kind == AST_KEYWORD ? item->items[0] : item);
        if (!items[i])
            return NULL;
    }
    struct ir_attr *attr = arena_new(&f->context->arena, struct ir_attr);
    attr->kind = IR_ATTR_CALL;
    attr->name = name;
    attr->count = count;
    attr->items = items;
    attr->keys = keys;
    return attr;
}

static const struct ir_attr *translate_call(struct frontend *f, const struct ast *a)
{
    const char *name = callee_name(f, a);
    struct ir_dtype dtype;

    if (!name) {
        const struct ir_expr *expr = scalar_translate(f, a, IR_VOID);
        return expr ? ir_attr_expr(f->context, expr) : NULL;
    }
    if (strcmp(name, "R.dtype") == 0 && dtype_translate(f, a, &dtype))
        return ir_attr_dtype(f->context, dtype);
    if (strcmp(name, "R.str") == 0 && call_arg(a, 0, "value"))
        return attr_translate(f, call_arg(a, 0, "value"));
    if (strcmp(name, "R.prim_value") == 0 && call_arg(a, 0, "value"))
        return attr_translate(f, call_arg(a, 0, "value"));
    if (strcmp(name, "T.index_map") == 0 && a->item_count == 2 && a->items[1]->kind == AST_LAMBDA)
        return translate_lambda(f, a->items[1]);
    if (dtype_of_name(name, &dtype) && dtype.code == IR_BOOL && a->item_count == 2 &&
        (a->items[1]->kind == AST_TRUE || a->items[1]->kind == AST_FALSE))
        return ir_attr_bool(f->context, a->items[1]->kind == AST_TRUE);
    bool is_scalar = strncmp(name, "T.", 2) == 0 && strcmp(name, "T.index_map") != 0 &&
                     strcmp(name, "T.target") != 0 && strcmp(name, "T.iter_var") != 0 &&
                     strcmp(name, "T.Range") != 0 && strcmp(name, "T.comm_reducer") != 0;
    if (!is_scalar)
        return translate_other_call(f, a, name);
    const struct ir_expr *expr = scalar_translate(f, a, IR_VOID);
    return expr ? ir_attr_expr(f->context, expr) : NULL;
}

static const struct ir_attr *translate_name(struct frontend *f, const struct ast *a)
{
    struct ir_buffer *buffer = buffer_of(f, a);
    struct ir_dtype dtype;

    if (dtype_of_name(dotted_name(f, a), &dtype))
        return ir_attr_dtype(f->context, dtype);
    const struct ir_expr *expr = buffer && !buffer->is_scalar && a->kind == AST_NAME
                                     ? ir_expr_var(f->context, buffer_data_var(f, buffer))
                                     : scalar_translate(f, a, IR_VOID);
    return expr ? ir_attr_expr(f->context, expr) : NULL;
}

static const struct ir_attr *translate_number(struct frontend *f, const struct ast *a,
                                              const struct constant *constant)
{
    if (constant->is_float)
        return ir_attr_float(f->context, constant->real);
    if (!constant->is_wide)
        return ir_attr_int(f->context, constant->integer);
    diag_report(f->diag, a->loc, KERNEL_LITERAL, "this number", "int64");
    return NULL;
}

const struct ir_attr *attr_translate(struct frontend *f, const struct ast *a)
{
    struct constant constant;
    bool failed = false;

    switch (a->kind) {
    case AST_NONE:
        return ir_attr_none(f->context);
    case AST_TRUE:
    case AST_FALSE:
        return ir_attr_bool(f->context, a->kind == AST_TRUE);
    case AST_STRING:
        return ir_attr_string(f->context, a->string);
    case AST_LIST:
    case AST_TUPLE:
        return translate_list(f, a);
    case AST_DICT:
        return translate_dict(f, a);
    case AST_LAMBDA:
        return translate_lambda(f, a);
    case AST_CALL:
        return translate_call(f, a);
    case AST_NAME:
    case AST_ATTRIBUTE:
        return translate_name(f, a);
    case AST_ERROR:
        return NULL;
    default:
        break;
    }
    if (constant_evaluate(f, a, &constant, &failed))
        return translate_number(f, a, &constant);
    if (failed)
        return NULL;
    if (a->kind == AST_STARRED || a->kind == AST_SLICE) {
        diag_report(f->diag, a->loc, KERNEL_ATTR_VALUE, describe_ast(a));
        return NULL;
    }
    const struct ir_expr *expr = scalar_translate(f, a, IR_VOID);
    return expr ? ir_attr_expr(f->context, expr) : NULL;
}
