#include "passes/graph/symbols.h"

static bool visit_expr(void *state, const struct ir_expr *a)
{
    struct symbol_uses *uses = state;

    if (a->kind == IR_EXPR_var)
        map_set(&uses->symbols, a->var, a->var);
    return true;
}

void symbol_uses_add_type(struct symbol_uses *uses, const struct ir_type *type)
{
    ir_type_walk_exprs(type, visit_expr, uses);
    if (type->shape_var)
        map_set(&uses->shape_vars, type->shape_var, type);
    for (unsigned i = 0; i < type->field_count; i++)
        symbol_uses_add_type(uses, type->fields[i]);
}

static void visit_attr(struct symbol_uses *uses, const struct ir_attr *attr)
{
    bool has_items = attr->kind == IR_ATTR_LIST || attr->kind == IR_ATTR_DICT ||
                     attr->kind == IR_ATTR_CALL || attr->kind == IR_ATTR_LAMBDA;

    if (attr->kind == IR_ATTR_EXPR)
        ir_expr_walk(attr->expr, visit_expr, uses);
    else if (attr->kind == IR_ATTR_TYPE)
        symbol_uses_add_type(uses, attr->type);
    for (unsigned i = 0; has_items && i < attr->count; i++)
        visit_attr(uses, attr->items[i]);
}

static bool visit_op(void *state, struct ir_op *op)
{
    struct symbol_uses *uses = state;

    for (unsigned i = 0; i < op->operand_count; i++)
        if (ir_value_is_inline(op->operands[i].value))
            visit_op(state, op->operands[i].value->def);
    for (unsigned i = 0; i < op->info->attr_count; i++)
        visit_attr(uses, op->attrs[i]);
    if (op->result.type)
        symbol_uses_add_type(uses, op->result.type);
    if (op->declared)
        symbol_uses_add_type(uses, op->declared);
    if (ir_op_is(op, IR_CORE_function)) {
        struct ir_function *nested = ir_op_attr(op, "function")->function;

        for (unsigned i = 0; i < nested->param_count; i++)
            symbol_uses_add_type(uses, nested->params[i]->type);
        symbol_uses_add_function(uses, nested);
    }
    return true;
}

void symbol_uses_add_function(struct symbol_uses *uses, struct ir_function *function)
{
    symbol_uses_add_type(uses, function->result);
    ir_region_walk(function->body, visit_op, uses);
}

void symbol_uses_finish(struct symbol_uses *uses)
{
    map_finish(&uses->symbols);
    map_finish(&uses->shape_vars);
}

bool symbol_is_defined_by(const struct ir_type *type, const struct ir_var *var)
{
    for (int i = 0; type->dims && i < type->ndim; i++)
        if (type->dims[i]->kind == IR_EXPR_var && type->dims[i]->var == var)
            return true;
    for (unsigned i = 0; type->kind == IR_TYPE_TUPLE && i < type->field_count; i++)
        if (symbol_is_defined_by(type->fields[i], var))
            return true;
    return false;
}

void symbol_walk_defined(const struct ir_type *type, symbol_fn *visit, void *state)
{
    for (int i = 0; type->dims && i < type->ndim; i++)
        if (type->dims[i]->kind == IR_EXPR_var)
            visit(state, type->dims[i]->var);
    for (unsigned i = 0; type->kind == IR_TYPE_TUPLE && i < type->field_count; i++)
        symbol_walk_defined(type->fields[i], visit, state);
}
