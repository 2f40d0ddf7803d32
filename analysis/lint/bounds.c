/* Bounds of symbols that the function does not have: they bound nothing, and what was meant has none. */
#include "analysis/lint/lint.h"
#include "base/array.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

/* Names of the symbols of a function: of its parameters, and of what its body makes. */
struct symbols {
    array(const char *) names;
};

static bool has(const struct symbols *symbols, const char *name)
{
    for (size_t i = 0; i < symbols->names.count; i++)
        if (strcmp(symbols->names.items[i], name) == 0)
            return true;
    return false;
}

static bool add_var(void *state, const struct ir_expr *e)
{
    struct symbols *symbols = state;

    if (e->kind == IR_EXPR_var && !has(symbols, e->var->name))
        array_push(&symbols->names, e->var->name);
    return true;
}

static void add_type(struct symbols *symbols, const struct ir_type *type)
{
    for (unsigned i = 0; type && type->kind == IR_TYPE_TUPLE && i < type->field_count; i++)
        add_type(symbols, type->fields[i]);
    if (!type || (type->kind != IR_TYPE_TENSOR && type->kind != IR_TYPE_SHAPE))
        return;
    for (int i = 0; type->dims && i < type->ndim; i++)
        ir_expr_walk(type->dims[i], add_var, symbols);
}

static bool add_result(void *state, struct ir_op *op)
{
    add_type(state, op->result.type);
    return true;
}

static void collect(struct symbols *symbols, const struct ir_function *function)
{
    for (unsigned i = 0; i < function->param_count; i++) {
        const struct ir_value *param = function->params[i];

        add_type(symbols, param->type);
        if (param->var && !has(symbols, param->var->name))
            array_push(&symbols->names, param->var->name);
    }
    ir_region_walk(function->body, add_result, symbols);
}

/* The one that is nearest, or the only one there is; NULL: none. */
static const char *meant(const struct symbols *symbols, const char *name)
{
    struct text_nearest nearest = text_nearest_to(name);

    for (size_t i = 0; i < symbols->names.count; i++)
        text_nearest_offer(&nearest, symbols->names.items[i]);
    return nearest.found               ? nearest.found
           : symbols->names.count == 1 ? symbols->names.items[0]
                                       : NULL;
}

/* `"name"` behind the attribute @key */
static struct location place_of(const struct ir_function *function, const char *key,
                                const char *name)
{
    char quoted[80];

    snprintf(quoted, sizeof(quoted), "\"%.70s\"", key);
    struct location attribute = location_text_behind(function->loc, quoted);
    attribute.begin = attribute.end;
    snprintf(quoted, sizeof(quoted), "\"%.70s\"", name);
    struct location place = location_text_behind(attribute, quoted);
    return place.begin > attribute.begin ? place : function->loc;
}

static void check_name(const struct ir_function *function, const struct symbols *symbols,
                       const char *key, const char *name, struct diag *diag)
{
    if (has(symbols, name))
        return;
    struct location place = place_of(function, key, name);
    struct diag_message *m = diag_report(diag, place, GRAPH_BOUND_UNKNOWN, function->name, name);
    const char *near = meant(symbols, name);
    if (!near)
        return;
    diag_help(m, "there is `%s`", near);
    if (place.begin != function->loc.begin)
        diag_help_edit(m, place, "\"%s\"", near);
}

void lint_check_bounds(const struct ir_function *function, struct diag *diag)
{
    static const char *const keys[] = {"tir_var_upper_bound", "tir_var_lower_bound",
                                       "tir_non_negative_var"};
    struct symbols symbols = {0};

    collect(&symbols, function);
    for (size_t k = 0; function->attrs && k < ARRAY_SIZE(keys); k++) {
        const struct ir_attr *attr = ir_attr_dict_get(function->attrs, keys[k]);

        for (unsigned i = 0; attr && attr->kind == IR_ATTR_DICT && i < attr->count; i++)
            check_name(function, &symbols, keys[k], attr->keys[i], diag);
        for (unsigned i = 0; attr && attr->kind == IR_ATTR_LIST && i < attr->count; i++)
            if (attr->items[i]->kind == IR_ATTR_STRING)
                check_name(function, &symbols, keys[k], attr->items[i]->string, diag);
    }
    array_finish(&symbols.names);
}
