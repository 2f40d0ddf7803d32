/* Dims, symbols, and values against the types that they are declared to have. */
#include "codegen/interp/internal.h"
#include "ir/print.h"

#include <string.h>

bool interp_symbol(const struct interp_call *call, const struct ir_var *var, int64_t *out)
{
    for (; call; call = call->outer) {
        const int64_t *slot = map_get(&call->symbols, var);
        if (slot) {
            *out = *slot;
            return true;
        }
    }
    return false;
}

void interp_symbol_set(struct interp_call *call, const struct ir_var *var, int64_t value)
{
    int64_t *slot = arena_new(&call->run->arena, int64_t);
    *slot = value;
    map_set(&call->symbols, var, slot);
}

bool interp_prim(struct interp_call *call, const struct ir_expr *e, struct interp_scalar *out)
{
    struct interp_env env = {.run = call->run, .call = call};
    return interp_eval(&env, e, out);
}

bool interp_dim(struct interp_call *call, const struct ir_expr *e, int64_t *out)
{
    struct interp_env env = {.run = call->run, .call = call, .is_checked = true};
    return interp_eval_integer(&env, e, out);
}

bool interp_dims(struct interp_call *call, const struct ir_expr *const *dims, int ndim,
                 const int64_t **out_dims)
{
    int64_t *result = arena_array(&call->run->arena, int64_t, (size_t)ndim + 1);
    for (int i = 0; i < ndim; i++) {
        if (!interp_dim(call, dims[i], &result[i]))
            return false;
        if (result[i] < 0)
            return interp_fail(call->run, INLAY_ERROR_SHAPE, "dimension %lld would be %lld",
                               (long long)i, (long long)result[i]);
    }
    *out_dims = result;
    return true;
}

static void bind_dims(struct interp_call *call, const struct ir_type *type, const int64_t *dims,
                      int ndim)
{
    if (!type->dims || type->ndim != ndim)
        return;
    for (int i = 0; i < ndim; i++) {
        const struct ir_expr *e = type->dims[i];
        int64_t known;
        if (e->kind == IR_EXPR_var && !interp_symbol(call, e->var, &known))
            interp_symbol_set(call, e->var, dims[i]);
    }
}

void interp_bind_symbols(struct interp_call *call, const struct ir_type *type,
                         const struct interp_value *value)
{
    if (type->kind == IR_TYPE_TENSOR && value->kind == INTERP_TENSOR)
        bind_dims(call, type, value->tensor->shape, value->tensor->ndim);
    else if (type->kind == IR_TYPE_SHAPE && value->kind == INTERP_SHAPE)
        bind_dims(call, type, value->dims, (int)value->count);
    else if (type->kind == IR_TYPE_TUPLE && value->kind == INTERP_TUPLE)
        for (unsigned i = 0; i < value->count && i < type->field_count; i++)
            interp_bind_symbols(call, type->fields[i], value->items[i]);
}

/* The dims that @type fixes and @value has: equal, or symbols that get their value here. */
static bool match_dims(struct interp_call *call, const struct ir_type *type, const int64_t *dims,
                       int32_t kind, const char *name)
{
    if (!type->dims)
        return true;
    bind_dims(call, type, dims, type->ndim);
    for (int i = 0; i < type->ndim; i++) {
        int64_t wanted;
        if (!interp_dim(call, type->dims[i], &wanted))
            return false;
        if (wanted == dims[i])
            continue;
        struct text text = {0};
        ir_expr_print(type->dims[i], &text);
        interp_fail(call->run, kind, "dimension %lld of %s is %lld, but `%s` is %lld", (long long)i,
                    name, (long long)dims[i], text_string(&text), (long long)wanted);
        text_finish(&text);
        return false;
    }
    return true;
}

static bool match_tensor(struct interp_call *call, const struct ir_type *type,
                         const struct inlay_tensor *tensor, int32_t kind, const char *name)
{
    struct ir_dtype dtype = interp_tensor_dtype(tensor);
    if (!ir_dtype_is_void(type->dtype) && !ir_dtype_equal(type->dtype, dtype)) {
        char wanted[32], found[32];
        return interp_fail(call->run, kind, "%s should have the dtype %s, but has %s", name,
                           ir_dtype_name(type->dtype, wanted), ir_dtype_name(dtype, found));
    }
    if (type->ndim != IR_NDIM_UNKNOWN && type->ndim != tensor->ndim)
        return interp_fail(call->run, kind, "%s should have %lld dimensions, but has %lld", name,
                           (long long)type->ndim, (long long)tensor->ndim);
    return match_dims(call, type, tensor->shape, kind, name);
}

static const char *kind_name(enum interp_kind kind)
{
    static const char *const names[] = {
        [INTERP_NULL] = "nothing",        [INTERP_TENSOR] = "a tensor",
        [INTERP_STORAGE] = "storage",     [INTERP_TUPLE] = "a tuple",
        [INTERP_SHAPE] = "a shape",       [INTERP_SCALAR] = "a scalar",
        [INTERP_STRING] = "a string",     [INTERP_DTYPE] = "a dtype",
        [INTERP_FUNCTION] = "a function",
    };
    return names[kind];
}

static bool match_kind(struct interp_call *call, enum interp_kind wanted,
                       const struct interp_value *value, int32_t kind, const char *name)
{
    if (value->kind == wanted)
        return true;
    return interp_fail(call->run, kind, "%s should be %s, but is %s", name, kind_name(wanted),
                       kind_name(value->kind));
}

bool interp_match(struct interp_call *call, const struct ir_type *type,
                  const struct interp_value *value, int32_t kind, const char *name)
{
    switch (type->kind) {
    case IR_TYPE_TENSOR:
        return match_kind(call, INTERP_TENSOR, value, kind, name) &&
               match_tensor(call, type, value->tensor, kind, name);
    case IR_TYPE_SHAPE:
        if (!match_kind(call, INTERP_SHAPE, value, kind, name))
            return false;
        if (type->ndim != IR_NDIM_UNKNOWN && type->ndim != (int)value->count)
            return interp_fail(call->run, kind, "%s should have %lld dimensions, but has %lld",
                               name, (long long)type->ndim, (long long)value->count);
        return match_dims(call, type, value->dims, kind, name);
    case IR_TYPE_PRIM:
        return match_kind(call, INTERP_SCALAR, value, kind, name);
    case IR_TYPE_TUPLE:
        if (!match_kind(call, INTERP_TUPLE, value, kind, name))
            return false;
        if (type->field_count != value->count)
            return interp_fail(call->run, kind, "%s should have %lld fields, but has %lld", name,
                               (long long)type->field_count, (long long)value->count);
        for (unsigned i = 0; i < value->count; i++) {
            if (!interp_match(call, type->fields[i], value->items[i], kind, name))
                return false;
        }
        return true;
    case IR_TYPE_ANY:
    case IR_TYPE_FUNC:
    case IR_TYPE_PACKED:
        break;
    }
    return true;
}
