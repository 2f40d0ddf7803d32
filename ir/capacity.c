/* See capacity.h. */
#include "ir/capacity.h"

#include "ir/arith.h"

#include <string.h>

static struct ir_context *context_of(const struct ir_function *function)
{
    return function->module->context;
}

static const struct ir_attr *attr_of(const struct ir_function *function, const char *key)
{
    const struct ir_attr *attr = function->attrs ? ir_attr_dict_get(function->attrs, key) : NULL;

    return attr && attr->kind == IR_ATTR_DICT ? attr : NULL;
}

/* A number, as 4096 or T.int64(4096). */
static bool number_of(struct ir_context *context, const struct ir_attr *attr, int64_t *out)
{
    *out = 0;
    if (!attr || (attr->kind != IR_ATTR_INT && attr->kind != IR_ATTR_EXPR))
        return false;
    if (attr->kind == IR_ATTR_EXPR)
        return ir_expr_constant(context, attr->expr, out);
    *out = attr->integer;
    return true;
}

static const struct ir_attr *named(const struct ir_attr *dict, const char *name)
{
    for (unsigned i = 0; dict && name && i < dict->count; i++)
        if (strcmp(dict->keys[i], name) == 0)
            return dict->items[i];
    return NULL;
}

/* The only dimension of @type that is no number; -1: none, -2: several. */
static int symbolic_axis(struct ir_context *context, const struct ir_type *type)
{
    int found = -1;
    int64_t value;

    for (int i = 0; i < type->ndim; i++) {
        if (ir_expr_constant(context, type->dims[i], &value))
            continue;
        if (found >= 0)
            return -2;
        found = i;
    }
    return found;
}

/* What @attr of relax.capacity says of dimension @i of @type; NULL: nothing. */
static const struct ir_expr *said(struct ir_context *context, const struct ir_type *type,
                                  const struct ir_attr *attr, int i)
{
    int64_t value;

    if (attr && attr->kind == IR_ATTR_LIST)
        attr = attr->count == (unsigned)type->ndim ? attr->items[i] : NULL;
    else if (symbolic_axis(context, type) != i)
        attr = NULL;
    return number_of(context, attr, &value) ? ir_expr_int(context, IR_I64, value) : NULL;
}

/* The upper bound of a dimension that is a symbol. */
static const struct ir_expr *bound(struct ir_context *context, const struct ir_type *type,
                                   const struct ir_attr *bounds, int i)
{
    const struct ir_expr *dim = type->dims[i];
    int64_t value;

    if (dim->kind != IR_EXPR_var || !number_of(context, named(bounds, dim->var->name), &value))
        return NULL;
    return ir_expr_int(context, IR_I64, value);
}

bool ir_capacity_of(const struct ir_function *function, unsigned param, struct ir_capacity *out)
{
    struct ir_context *context = context_of(function);
    const struct ir_attr *room = attr_of(function, "relax.capacity");
    const struct ir_attr *bounds = attr_of(function, "tir_var_upper_bound");

    if ((!room && !bounds) || function->parent || !ir_function_donates(function, param))
        return false;
    const struct ir_type *type = function->params[param]->type;
    if (type->ndim <= 0 || !type->dims || ir_dtype_is_void(type->dtype))
        return false;
    room = named(room, function->params[param]->name);
    *out = (struct ir_capacity){.param = param,
                                .bytes = ir_expr_int(context, IR_I64, ir_dtype_bytes(type->dtype))};
    for (int i = 0; i < type->ndim; i++) {
        const struct ir_expr *dim = said(context, type, room, i);

        if (!dim)
            dim = bound(context, type, bounds, i);
        if (dim && !out->limit && !ir_prove_equal(context, dim, type->dims[i])) {
            out->axis = (unsigned)i;
            out->limit = dim;
        }
        dim = ir_expr_cast(context, IR_I64, dim ? dim : type->dims[i]);
        out->bytes = ir_expr_binary(context, IR_EXPR_mul, out->bytes, dim);
    }
    out->bytes = ir_simplify(context, out->bytes);
    return out->limit != NULL;
}

bool ir_capacity_of_value(const struct ir_value *value, struct ir_capacity *out)
{
    const struct ir_function *function = value->def ? NULL : value->parameter_of;

    for (unsigned i = 0; function && i < function->param_count; i++)
        if (function->params[i] == value)
            return ir_capacity_of(function, i, out);
    return false;
}

/* Operand 3 of R.memory.view in bytes; NULL: it is not known. */
static const struct ir_expr *offset_of(struct ir_context *context, const struct ir_op *op)
{
    const struct ir_value *value = op->operands[3].value;
    const struct ir_attr *attr;

    if (ir_type_is_void(value->type) || (value->def && ir_op_is(value->def, IR_CORE_null_value)))
        return ir_expr_int(context, IR_I64, 0);
    if (!value->def || !ir_op_is(value->def, IR_CORE_prim))
        return NULL;
    attr = ir_op_attr(value->def, "value");
    if (attr->kind == IR_ATTR_INT)
        return ir_expr_int(context, IR_I64, attr->integer);
    return attr->kind == IR_ATTR_EXPR ? ir_expr_cast(context, IR_I64, attr->expr) : NULL;
}

bool ir_view_grows(const struct ir_op *op, struct ir_capacity *out)
{
    const struct ir_value *from = op->operands[0].value;

    if (!ir_capacity_of_value(from, out))
        return false;
    struct ir_context *context = context_of(from->parameter_of);
    const struct ir_expr *offset = offset_of(context, op);
    const struct ir_expr *bytes = ir_type_bytes(context, op->result.type);
    const struct ir_expr *own = ir_type_bytes(context, from->type);

    return !offset || !bytes || !own ||
           !ir_prove_ge(context, NULL, own,
                        ir_simplify(context, ir_expr_binary(context, IR_EXPR_add, offset, bytes)));
}

/* ---- keeping it right ---- */

static int param_named(const struct ir_function *function, const char *name)
{
    for (unsigned i = 0; i < function->param_count; i++)
        if (function->params[i]->name && strcmp(function->params[i]->name, name) == 0)
            return (int)i;
    return -1;
}

static void set_capacity(struct ir_function *function, const char *const *keys,
                         const struct ir_attr *const *items, unsigned count)
{
    struct ir_context *context = context_of(function);

    function->attrs = ir_attr_dict_with(context, function->attrs,
                                        atom_intern_text(&context->atoms, "relax.capacity"),
                                        ir_attr_dict(context, keys, items, count));
}

void ir_capacity_prune(struct ir_function *function)
{
    const struct ir_attr *dict = attr_of(function, "relax.capacity");
    unsigned count = 0;

    if (!dict)
        return;
    const char **keys = arena_array(&function->module->arena, const char *, dict->count + 1);
    const struct ir_attr **items =
        arena_array(&function->module->arena, const struct ir_attr *, dict->count + 1);
    for (unsigned i = 0; i < dict->count; i++) {
        if (param_named(function, dict->keys[i]) < 0)
            continue;
        keys[count] = dict->keys[i];
        items[count++] = dict->items[i];
    }
    if (count < dict->count)
        set_capacity(function, keys, items, count);
}

/* The number @attr, of the only symbolic dimension of @type, as a list of all. */
static const struct ir_attr *as_list(struct ir_module *module, const struct ir_type *type,
                                     const struct ir_attr *attr)
{
    int axis = type->dims ? symbolic_axis(module->context, type) : -1;
    int64_t *numbers = arena_array(&module->arena, int64_t, (unsigned)type->ndim + 1);

    if (axis < 0 || !number_of(module->context, attr, &numbers[axis]))
        return attr;
    for (int i = 0; i < type->ndim; i++)
        if (i != axis)
            (void)ir_expr_constant(module->context, type->dims[i], &numbers[i]);
    return ir_attr_ints(module->context, numbers, (unsigned)type->ndim);
}

void ir_capacity_spell(struct ir_function *function)
{
    const struct ir_attr *dict = attr_of(function, "relax.capacity");

    if (!dict)
        return;
    const struct ir_attr **items =
        arena_array(&function->module->arena, const struct ir_attr *, dict->count + 1);
    for (unsigned i = 0; i < dict->count; i++) {
        int param = param_named(function, dict->keys[i]);
        const struct ir_type *type = param < 0 ? NULL : function->params[param]->type;

        items[i] = type && ir_type_is_tensor(type) ? as_list(function->module, type, dict->items[i])
                                                   : dict->items[i];
    }
    set_capacity(function, dict->keys, items, dict->count);
}

/* ---- mistakes ---- */

static const char *list_mistake(struct ir_context *context, const struct ir_type *type,
                                const struct ir_attr *list)
{
    int64_t value, dim;

    if (list->count != (unsigned)type->ndim)
        return "the list has another number of dimensions than the parameter";
    for (unsigned i = 0; i < list->count; i++) {
        if (!number_of(context, list->items[i], &value) || value < 0)
            return "the list is not of numbers from 0 on";
        if (ir_expr_constant(context, type->dims[i], &dim) && dim > value)
            return "it is less than the parameter has";
    }
    return NULL;
}

const char *ir_capacity_mistake(const struct ir_function *function, const struct ir_attr *dict,
                                unsigned i)
{
    struct ir_context *context = context_of(function);
    const struct ir_attr *room = dict->items[i];
    int param = param_named(function, dict->keys[i]);
    int64_t value;

    if (param < 0)
        return "there is no such parameter";
    if (!ir_function_donates(function, (unsigned)param))
        return "the parameter is not donated";
    const struct ir_type *type = function->params[param]->type;
    if (type->ndim < 0 || (type->ndim > 0 && !type->dims) || ir_dtype_is_void(type->dtype))
        return "the shape or dtype of the parameter is not known";
    if (room->kind == IR_ATTR_LIST)
        return list_mistake(context, type, room);
    if (!number_of(context, room, &value) || value < 0)
        return "it is neither a number from 0 on nor a list of such";
    int axis = symbolic_axis(context, type);
    return axis == -1 ? "the parameter has no symbolic dimension that the number could be of"
           : axis == -2
               ? "the parameter has several symbolic dimensions that the number could be of"
               : NULL;
}
