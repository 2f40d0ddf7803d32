/*
 * Donated parameters whose storage holds more than their elements: relax.capacity, tir_var_upper_bound.
 *
 * A view may show all of it.  The parameter owns these bytes, too: a call that updates a part of them
 * takes them from it.
 */
#include "analysis/verify_storage/internal.h"

#include <string.h>

static const struct ir_attr *find(const struct ir_attr *dict, const char *key)
{
    if (!dict || dict->kind != IR_ATTR_DICT || !key)
        return NULL;
    for (unsigned i = 0; i < dict->count; i++)
        if (strcmp(dict->keys[i], key) == 0)
            return dict->items[i];
    return NULL;
}

static const struct ir_expr *number(struct vs_replay *r, const struct ir_attr *attr)
{
    int64_t value;

    if (attr && attr->kind == IR_ATTR_INT)
        return ir_expr_int(r->m->context, IR_I64, attr->integer);
    if (attr && attr->kind == IR_ATTR_EXPR && ir_expr_constant(r->m->context, attr->expr, &value))
        return ir_expr_int(r->m->context, IR_I64, value);
    return NULL;
}

bool vs_may_have_room(const struct ir_function *function)
{
    return find(function->attrs, "relax.capacity") || find(function->attrs, "tir_var_upper_bound");
}

const struct ir_expr *vs_upper_bound(struct vs_replay *r, const char *name)
{
    return number(r, find(find(r->function->attrs, "tir_var_upper_bound"), name));
}

static unsigned count_symbolic(struct vs_replay *r, const struct ir_type *type)
{
    unsigned count = 0;
    int64_t value;

    for (int i = 0; i < type->ndim; i++)
        count += !ir_expr_constant(r->m->context, type->dims[i], &value);
    return count;
}

/* How far dimension @i may grow; NULL: not at all. */
static const struct ir_expr *limit_of(struct vs_replay *r, const struct ir_type *type,
                                      const struct ir_attr *room, int i)
{
    const struct ir_expr *dim = type->dims[i], *limit = NULL;
    int64_t value;

    if (room && room->kind == IR_ATTR_LIST && room->count == (unsigned)type->ndim)
        limit = number(r, room->items[i]);
    else if (room && !ir_expr_constant(r->m->context, dim, &value) && count_symbolic(r, type) == 1)
        limit = number(r, room);
    if (!limit && dim->kind == IR_EXPR_var)
        limit = vs_upper_bound(r, dim->var->name);
    return limit;
}

const struct ir_expr *vs_room(struct vs_replay *r, const struct ir_value *value)
{
    const struct ir_function *function = r->function;
    const struct ir_type *type = value->type;
    unsigned param = 0;

    while (param < function->param_count && function->params[param] != value)
        param++;
    if (param == function->param_count || function->parent || !vs_is_donated(function, param) ||
        type->kind != IR_TYPE_TENSOR || type->ndim < 1 || !type->dims ||
        ir_dtype_is_void(type->dtype))
        return NULL;
    const struct ir_attr *room = find(find(function->attrs, "relax.capacity"), value->name);
    const struct ir_expr *bytes =
        ir_expr_int(r->m->context, IR_I64, (int64_t)ir_dtype_bytes(type->dtype));
    for (int i = 0; i < type->ndim; i++) {
        const struct ir_expr *limit = limit_of(r, type, room, i);

        bytes = ir_expr_binary(r->m->context, IR_EXPR_mul, bytes,
                               ir_expr_cast(r->m->context, IR_I64, limit ? limit : type->dims[i]));
    }
    return ir_simplify(r->m->context, bytes);
}
