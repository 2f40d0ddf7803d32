/* Symbols in types: replacing, erasing and binding them; result types of calls. */
#include "base/array.h"
#include "ir/arith.h"
#include "ir/module.h"
#include "ir/type.h"

/* What is done to a type's dimensions: NULL for "not known". */
typedef const struct ir_expr *map_dim_fn(void *state, const struct ir_expr *dim);

struct mapping {
    struct ir_context *context;
    map_dim_fn *map_dim;
    void *state;
    bool into_functions;
    bool drop_shape_var;
};

static const struct ir_type *map_type(const struct mapping *m, const struct ir_type *type);

static const struct ir_type *map_shaped(const struct mapping *m, const struct ir_type *type)
{
    const struct ir_expr **dims = NULL;
    const struct ir_value *shape_var = m->drop_shape_var ? NULL : type->shape_var;

    if (type->dims) {
        bool changed = false;
        dims = arena_array(&m->context->arena, const struct ir_expr *, (size_t)type->ndim + 1);
        for (int i = 0; i < type->ndim; i++) {
            dims[i] = m->map_dim(m->state, type->dims[i]);
            changed |= dims[i] != type->dims[i];
            if (!dims[i]) {
                dims = NULL;
                break;
            }
        }
        if (!changed && shape_var == type->shape_var)
            return type;
    }
    if (type->kind == IR_TYPE_SHAPE)
        return ir_type_shape(m->context, dims, type->ndim);
    return ir_type_tensor_full(m->context, type->dtype, dims, type->ndim, shape_var, type->vdevice);
}

static const struct ir_type *map_fields(const struct mapping *m, const struct ir_type *type)
{
    const struct ir_type *result = type->result ? map_type(m, type->result) : NULL;
    const struct ir_type **fields =
        arena_array(&m->context->arena, const struct ir_type *, type->field_count);
    bool changed = result != type->result;

    for (unsigned i = 0; i < type->field_count; i++) {
        fields[i] = map_type(m, type->fields[i]);
        changed |= fields[i] != type->fields[i];
    }
    if (!changed)
        return type;
    if (type->kind == IR_TYPE_TUPLE)
        return ir_type_tuple(m->context, fields, type->field_count);
    if (type->is_opaque)
        return ir_type_func_opaque(m->context, result, type->is_pure, type->derive);
    return ir_type_func(m->context, fields, type->field_count, result, type->is_pure);
}

static const struct ir_type *map_type(const struct mapping *m, const struct ir_type *type)
{
    switch (type->kind) {
    case IR_TYPE_ANY:
    case IR_TYPE_PRIM:
    case IR_TYPE_PACKED:
        return type;
    case IR_TYPE_SHAPE:
    case IR_TYPE_TENSOR:
        return map_shaped(m, type);
    case IR_TYPE_TUPLE:
        return map_fields(m, type);
    case IR_TYPE_FUNC:
        return m->into_functions ? map_fields(m, type) : type;
    }
    UNREACHABLE("type kind");
}

struct substitution {
    struct ir_context *context;
    const struct ir_bindings *bindings;
};

static const struct ir_expr *substitute_dim(void *state, const struct ir_expr *dim)
{
    const struct substitution *s = state;

    return ir_expr_substitute(s->context, dim, s->bindings);
}

const struct ir_type *ir_type_substitute(struct ir_context *context, const struct ir_type *type,
                                         const struct ir_bindings *bindings)
{
    struct substitution s = {context, bindings};
    struct mapping m = {context, substitute_dim, &s, .into_functions = true};

    return bindings->count ? map_type(&m, type) : type;
}

struct erasure {
    ir_var_test_fn *is_defined;
    void *state;
};

static bool visit_defined(void *state, const struct ir_expr *a)
{
    const struct erasure *e = state;

    return a->kind != IR_EXPR_var || e->is_defined(e->state, a->var);
}

static const struct ir_expr *erase_dim(void *state, const struct ir_expr *dim)
{
    return ir_expr_walk(dim, visit_defined, state) ? dim : NULL;
}

const struct ir_type *ir_type_erase(struct ir_context *context, const struct ir_type *type,
                                    ir_var_test_fn *is_defined, void *state)
{
    struct erasure e = {is_defined, state};
    /* The symbols of a function type are bound by its own parameters. */
    struct mapping m = {context, erase_dim, &e, .into_functions = false, .drop_shape_var = true};

    return map_type(&m, type);
}

void ir_type_match(struct ir_context *context, const struct ir_type *param,
                   const struct ir_type *arg, struct ir_bindings *bindings)
{
    if (param->kind != arg->kind)
        return;
    if (param->dims && arg->dims && param->ndim == arg->ndim) {
        for (int i = 0; i < param->ndim; i++) {
            const struct ir_expr *dim = param->dims[i];
            if (dim->kind == IR_EXPR_var && !ir_bindings_find(bindings, dim->var))
                array_push(bindings, (struct ir_binding){dim->var, arg->dims[i]});
        }
    }
    if (param->kind != IR_TYPE_TUPLE || param->field_count != arg->field_count)
        return; /* a function type binds the symbols of its parameters itself */
    for (unsigned i = 0; i < param->field_count; i++)
        ir_type_match(context, param->fields[i], arg->fields[i], bindings);
}

static bool is_bound(void *state, const struct ir_var *var)
{
    return ir_bindings_find(state, var) != NULL;
}

const struct ir_type *ir_type_call_result(struct ir_context *context, const struct ir_type *callee,
                                          const struct ir_type *const *args, unsigned count)
{
    struct ir_bindings bindings = {0};
    const struct ir_type *result = callee->result;

    if (callee->kind != IR_TYPE_FUNC)
        return ir_type_any(context);
    for (unsigned i = 0; i < count && i < callee->field_count; i++)
        ir_type_match(context, callee->fields[i], args[i], &bindings);
    result = ir_type_erase(context, result, is_bound, &bindings);
    result = ir_type_substitute(context, result, &bindings);
    array_finish(&bindings);
    return result;
}
