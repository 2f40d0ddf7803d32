/*
 * Calls that stand for leaves: R.const(..), R.shape(..), R.prim_value(..), R.str(..), R.dtype(..),
 * R.tuple(..), R.TupleGetItem(..), R.ExternFunc(..), R.device(..).
 */
#include "frontend/tvmscript/relax.h"

#include <string.h>

typedef struct ir_value *leaf_fn(struct relax *r, const struct ast *call);

/* The only argument is what is wrong, if there is one. */
static struct ir_value *wrong_form(struct relax *r, const struct ast *call, const char *needs)
{
    return relax_wrong_form(r, call, call->item_count == 2 ? call->items[1] : NULL, needs);
}

static struct ir_value *leaf_const(struct relax *r, const struct ast *call)
{
    static const char *const names[] = {"value", "dtype", NULL};
    if (!call_check_args(r->f, call, 2, names))
        return NULL;
    const struct ast *value = call_arg(call, 0, "value"), *dtype = call_arg(call, 1, "dtype");
    struct ir_dtype element = IR_VOID;
    if (value == NULL)
        return wrong_form(r, call, "needs a number or nested lists of numbers");
    if (dtype != NULL && dtype->kind != AST_NONE && !dtype_translate(r->f, dtype, &element))
        return NULL;
    const struct ir_constant *constant = relax_constant(r->f, value, element);
    return constant != NULL ? ir_inline_constant(r->module, constant) : NULL;
}

struct ir_value *relax_number_constant(struct relax *r, const struct ast *a, struct ir_dtype dtype)
{
    const struct ir_constant *constant = relax_constant(r->f, a, dtype);
    if (constant == NULL)
        return NULL;
    struct ir_value *value = ir_inline_constant(r->module, constant);
    value->loc = value->def->loc = a->loc;
    return value;
}

static struct ir_value *leaf_shape(struct relax *r, const struct ast *call)
{
    static const char *const names[] = {"values", NULL};
    const struct ast *list = call_arg(call, 0, "values");
    if (!call_check_args(r->f, call, 1, names))
        return NULL;
    if (list == NULL || (list->kind != AST_LIST && list->kind != AST_TUPLE))
        return wrong_form(r, call, "needs a list of dimensions");
    const struct ir_expr **dims =
        arena_array(&r->f->context->arena, const struct ir_expr *, list->item_count);
    bool ok = true;
    for (unsigned i = 0; i < list->item_count; i++) {
        dims[i] = dim_translate(r->f, list->items[i]);
        ok = ok && dims[i] != NULL;
    }
    return ok ? ir_inline_shape(r->module, dims, list->item_count) : NULL;
}

static struct ir_value *leaf_prim(struct relax *r, const struct ast *call)
{
    const struct ast *value = call_arg(call, 0, "value"), *dtype = call_arg(call, 1, "dtype");
    struct ir_dtype element;
    if (value == NULL)
        return wrong_form(r, call, "needs a value");
    const struct name *name = value->kind == AST_NAME ? scope_use(r->f, value) : NULL;
    if (name != NULL && name->kind == NAME_VALUE && dtype == NULL)
        return name->value;
    const struct ir_expr *expr =
        scalar_translate(r->f, value, value->kind == AST_FLOAT ? IR_F64 : IR_I64);
    if (expr == NULL)
        return NULL;
    if (dtype != NULL) {
        if (!dtype_translate(r->f, dtype, &element))
            return NULL;
        expr = ir_expr_cast(r->f->context, element, expr);
    }
    return ir_inline_prim(r->module, expr);
}

static struct ir_value *leaf_string(struct relax *r, const struct ast *call)
{
    const struct ast *value = call_arg(call, 0, "value");
    if (value == NULL || value->kind != AST_STRING)
        return wrong_form(r, call, "needs a string");
    return ir_inline_string(r->module, value->string);
}

static struct ir_value *leaf_dtype(struct relax *r, const struct ast *call)
{
    const struct ast *value = call_arg(call, 0, "value");
    struct ir_dtype dtype;
    if (value == NULL)
        return wrong_form(r, call, "needs the name of a dtype");
    return dtype_translate(r->f, value, &dtype) ? ir_inline_dtype(r->module, dtype) : NULL;
}

static struct ir_value *leaf_tuple(struct relax *r, const struct ast *call)
{
    return relax_tuple(r, call->items + 1, call->item_count - 1, call->loc);
}

static struct ir_value *leaf_get(struct relax *r, const struct ast *call)
{
    int64_t index;
    if (call_positional_count(call) != 2 || !ast_int_literal(call->items[2], &index))
        return wrong_form(r, call, "needs a tuple and a literal index");
    struct ir_value *value = relax_operand(r, call->items[1]);
    return value != NULL ? relax_tuple_get(r, call->loc, value, index) : NULL;
}

static struct ir_value *leaf_extern(struct relax *r, const struct ast *call)
{
    const struct ast *symbol = call_arg(call, 0, "global_symbol");
    const struct ast *wanted = call_arg(call, 1, "ty");
    if (wanted == NULL)
        wanted = call_arg(call, 1, "struct_info");
    if (symbol == NULL || symbol->kind != AST_STRING)
        return wrong_form(r, call, "needs the symbol, a string");
    const struct ir_type *type = wanted != NULL ? relax_type(r->f, wanted) : NULL;
    if (wanted != NULL && type == NULL)
        return NULL;
    const struct ir_attr *attrs[] = {ir_attr_string(r->f->context, symbol->string)};
    return relax_emit_core(relax_at(r, call->loc), IR_CORE_extern_func, NULL, 0, attrs, type);
}

static struct ir_value *leaf_other(struct relax *r, const struct ast *call)
{
    const struct ir_attr *attrs[] = {attr_translate(r->f, call)};
    return attrs[0] == NULL
               ? NULL
               : relax_emit_core(relax_at(r, call->loc), IR_CORE_call_value, NULL, 0, attrs, NULL);
}

static const struct {
    const char *name;
    leaf_fn *make;
} leaf_table[] = {
    {"const", leaf_const},
    {"shape", leaf_shape},
    {"prim_value", leaf_prim},
    {"str", leaf_string},
    {"dtype", leaf_dtype},
    {"tuple", leaf_tuple},
    {"TupleGetItem", leaf_get},
    {"ExternFunc", leaf_extern},
    /* classes of tvm.relax */
    {"Tuple", leaf_tuple},
    {"ShapeExpr", leaf_shape},
    {"PrimValue", leaf_prim},
    {"StringImm", leaf_string},
    {"DataTypeImm", leaf_dtype},
    /* devices */
    {"device", leaf_other},
    {"cpu", leaf_other},
    {"cuda", leaf_other},
    {"opencl", leaf_other},
    {"metal", leaf_other},
    {"rocm", leaf_other},
    {"vulkan", leaf_other},
    {"ext_dev", leaf_other},
    {"hexagon", leaf_other},
    {"vpi", leaf_other},
    {"webgpu", leaf_other},
};

struct ir_value *relax_leaf(struct relax *r, const struct ast *call, const char *name,
                            bool *out_is_leaf)
{
    for (size_t i = 0; i < ARRAY_SIZE(leaf_table); i++)
        if (strcmp(name, leaf_table[i].name) == 0) {
            *out_is_leaf = true;
            if (!call_check_form(r->f, call))
                return NULL;
            return leaf_table[i].make(r, call);
        }
    *out_is_leaf = false;
    return NULL;
}
