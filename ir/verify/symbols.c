/*
 * Symbols: defined before they are used, in types and in shapes; each in one function only.
 *
 * A symbol is defined by standing alone as a dimension of a parameter's type, by a scalar parameter, or
 * by standing alone in the type of a match_cast that is not in another branch.
 */
#include "ir/verify/internal.h"

struct symbol_check {
    struct verify *v;
    struct location loc;
};

static void define(struct verify *v, const struct ir_var *var)
{
    const struct ir_region *region = map_get(&v->symbol_regions, var);

    if (region && map_get(&v->active_regions, region))
        return; /* known here: what stands again is a check */
    map_set(&v->symbol_regions, var, v->region);
    struct ir_function *outermost = v->function;
    while (outermost->parent)
        outermost = outermost->parent;
    struct ir_function *owner = map_get(&v->symbol_functions, var);
    if (owner && owner != outermost)
        verify_broken(v, v->function->loc, "symbol `%s` is also one of `%s`", var->name,
                      owner->name);
    map_set(&v->symbol_functions, var, outermost);
}

void verify_define_symbols(struct verify *v, const struct ir_type *type)
{
    for (int i = 0; type->dims && i < type->ndim; i++) {
        if (type->dims[i]->kind == IR_EXPR_var)
            define(v, type->dims[i]->var);
    }
    if (type->kind != IR_TYPE_TUPLE)
        return; /* the symbols of a function type are its own */
    for (unsigned i = 0; i < type->field_count; i++)
        verify_define_symbols(v, type->fields[i]);
}

void verify_define_param_symbols(struct verify *v, struct ir_function *function)
{
    for (unsigned i = 0; i < function->param_count; i++) {
        if (function->params[i]->var)
            define(v, function->params[i]->var);
        if (function->params[i]->type)
            verify_define_symbols(v, function->params[i]->type);
    }
}

static bool check_node(void *state, const struct ir_expr *a)
{
    struct symbol_check *check = state;
    struct verify *v = check->v;

    if (a->kind != IR_EXPR_var)
        return true;
    const struct ir_region *region = map_get(&v->symbol_regions, a->var);
    if ((region && map_get(&v->active_regions, region)) || map_has(&v->reported, a->var))
        return true;
    map_set(&v->reported, a->var, a->var);
    struct diag_message *m = diag_report(v->diag, check->loc, GRAPH_SYMBOL_UNDEFINED, a->var->name);
    if (a->var->loc.source)
        diag_label(m, a->var->loc, "declared here, which gives it no value");
    diag_help(m,
              "let a parameter have `%s` as a dimension, or bind it before: "
              "`R.match_cast(x, R.Tensor((%s,)))`",
              a->var->name, a->var->name);
    v->is_fine = false;
    return true;
}

static void check_expr(struct verify *v, const struct ir_expr *a, struct location loc)
{
    struct symbol_check check = {v, loc};

    (void)ir_expr_walk(a, check_node, &check);
}

static void check_dim(struct verify *v, const struct ir_expr *dim, struct location loc)
{
    char name[32];

    if (!ir_dtype_is_int(dim->dtype) || dim->dtype.lanes != 1) {
        diag_report(v->diag, loc, GRAPH_SHAPE_DTYPE, ir_dtype_name(dim->dtype, name));
        v->is_fine = false;
    }
    check_expr(v, dim, loc);
}

void verify_type_symbols(struct verify *v, const struct ir_type *type, struct location loc)
{
    for (int i = 0; type->dims && i < type->ndim; i++)
        check_dim(v, type->dims[i], loc);
    if (type->kind != IR_TYPE_TUPLE)
        return;
    for (unsigned i = 0; i < type->field_count; i++)
        verify_type_symbols(v, type->fields[i], loc);
}

static void check_attr(struct verify *v, const struct ir_attr *attr, struct location loc)
{
    if (attr->kind == IR_ATTR_EXPR)
        check_expr(v, attr->expr, loc);
    else if (attr->kind == IR_ATTR_TYPE)
        verify_type_symbols(v, attr->type, loc);
    for (unsigned i = 0; attr->kind == IR_ATTR_LIST && i < attr->count; i++)
        check_attr(v, attr->items[i], loc);
}

void verify_op_symbols(struct verify *v, struct ir_op *op)
{
    if (ir_op_is(op, IR_CORE_match_cast) && op->declared)
        verify_define_symbols(v, op->declared);
    if (op->declared)
        verify_type_symbols(v, op->declared, op->loc);
    if (ir_op_is(op, IR_CORE_shape)) {
        const struct ir_attr *dims = ir_op_attr(op, "dims");
        for (unsigned i = 0; i < dims->count; i++) {
            if (dims->items[i]->kind == IR_ATTR_EXPR)
                check_dim(v, dims->items[i]->expr, op->loc);
            else
                verify_broken(v, op->loc, "a dimension of a shape is no expression");
        }
    } else {
        for (unsigned i = 0; i < op->info->attr_count; i++)
            check_attr(v, op->attrs[i], op->loc);
    }
    if (op->result.type && op->result.type != op->declared && !ir_op_is_inline(op))
        verify_type_symbols(v, op->result.type, op->loc);
}
