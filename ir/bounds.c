/* See bounds.h. */
#include "ir/bounds.h"

#include "base/array.h"

#include <string.h>

static const struct ir_attr *bounds_of(const struct ir_function *function)
{
    const struct ir_attr *attr =
        function->attrs ? ir_attr_dict_get(function->attrs, "tir_var_upper_bound") : NULL;

    return attr && attr->kind == IR_ATTR_DICT && !function->parent ? attr : NULL;
}

/* A number from 0 on, as 4096 or T.int64(4096). */
static bool limit_of(struct ir_context *context, const struct ir_attr *dict, const char *name,
                     int64_t *out)
{
    for (unsigned i = 0; i < dict->count; i++) {
        const struct ir_attr *item = dict->items[i];

        if (strcmp(dict->keys[i], name) != 0)
            continue;
        *out = item->kind == IR_ATTR_INT ? item->integer : -1;
        return (item->kind != IR_ATTR_EXPR || ir_expr_constant(context, item->expr, out)) &&
               *out >= 0;
    }
    return false;
}

struct search {
    struct ir_context *context;
    const struct ir_attr *dict;
    struct arena *arena;
    struct ir_bounds *out;
    const char *function;
    unsigned number; /* of the argument */
};

static bool has(const struct ir_bounds *bounds, const struct ir_var *var)
{
    for (size_t i = 0; i < bounds->count; i++)
        if (bounds->items[i].var == var)
            return true;
    return false;
}

/* The dims of @type, which is @name. */
static void find_in(struct search *s, const struct ir_type *type, const char *name)
{
    struct ir_bound bound;

    for (unsigned i = 0; type->kind == IR_TYPE_TUPLE && i < type->field_count; i++)
        find_in(s, type->fields[i], arena_printf(s->arena, "%s[%u]", name, i));
    if (type->kind != IR_TYPE_TENSOR && type->kind != IR_TYPE_SHAPE)
        return;
    for (int i = 0; type->dims && i < type->ndim; i++) {
        bound.var = type->dims[i]->kind == IR_EXPR_var ? type->dims[i]->var : NULL;
        if (!bound.var || !bound.var->is_symbol || has(s->out, bound.var) ||
            !limit_of(s->context, s->dict, bound.var->name, &bound.limit))
            continue;
        bound.what = arena_printf(s->arena, "dimension %d of argument %u (`%s`) of `%s`", i,
                                  s->number, name, s->function);
        array_push(s->out, bound);
    }
}

void ir_bounds_find(const struct ir_function *function, struct arena *arena, struct ir_bounds *out)
{
    struct search s = {.context = function->module->context,
                       .dict = bounds_of(function),
                       .arena = arena,
                       .out = out,
                       .function = function->name};

    for (unsigned i = 0; s.dict && i < function->param_count; i++) {
        const struct ir_value *param = function->params[i];

        s.number = i + 1;
        find_in(&s, param->type, param->name ? param->name : "?");
    }
}

void ir_bounds_ranges(struct ir_context *context, const struct ir_bounds *bounds,
                      struct ir_ranges *out)
{
    for (size_t i = 0; i < bounds->count; i++) {
        const struct ir_bound *bound = &bounds->items[i];
        const struct ir_dtype dtype = bound->var->dtype;

        if (bound->limit < INT32_MAX)
            array_push(out, (struct ir_range){bound->var, ir_expr_int(context, dtype, 0),
                                              ir_expr_int(context, dtype, bound->limit + 1)});
    }
}

bool ir_bounds_most(struct ir_context *context, const struct ir_bounds *bounds,
                    const struct ir_expr *a, int64_t *out)
{
    struct ir_ranges ranges = {0};

    ir_bounds_ranges(context, bounds, &ranges);
    struct ir_interval interval = ir_interval_of(context, &ranges, a);
    array_finish(&ranges);
    *out = interval.high;
    return interval.low >= 0 && interval.high < INT64_MAX;
}
