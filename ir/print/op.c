/*
 * The right-hand side of an op: R.<name>(operands, attribute=value, ..) for the library, and the ops
 * that have a text form of their own.
 */
#include "base/assert.h"
#include "ir/module.h"
#include "ir/print/printer.h"

#include <string.h>

static bool is_missing(const struct ir_value *value)
{
    return ir_value_is_inline(value) && ir_op_is(value->def, IR_CORE_null_value);
}

void printer_put_operands(struct printer *p, const struct ir_op *op, unsigned first)
{
    for (unsigned i = first; i < op->operand_count; i++) {
        if (i > first)
            text_puts(p->out, ", ");
        printer_put_operand(p, op->operands[i].value);
    }
}

/* The operands from @first on as a tuple. */
static void put_tuple(struct printer *p, const struct ir_op *op, unsigned first)
{
    if (op->operand_count == first) {
        printer_put_relax(p, "tuple()");
        return;
    }
    text_putc(p->out, '(');
    printer_put_operands(p, op, first);
    text_puts(p->out, op->operand_count == first + 1 ? ",)" : ")");
}

void printer_put_operand(struct printer *p, const struct ir_value *value)
{
    if (ir_value_is_inline(value))
        printer_put_op(p, value->def);
    else
        text_puts(p->out, printer_value(p, value));
}

static void put_out_type(struct printer *p, const struct ir_type *declared)
{
    text_puts(p->out, ", ");
    printer_put_spelling(p, "out_ty");
    text_putc(p->out, '=');
    if (declared->kind != IR_TYPE_TUPLE || declared->field_count == 1) {
        printer_put_type(p, declared);
        return;
    }
    text_putc(p->out, '[');
    for (unsigned i = 0; i < declared->field_count; i++) {
        if (i > 0)
            text_puts(p->out, ", ");
        printer_put_type(p, declared->fields[i]);
    }
    text_putc(p->out, ']');
}

/* Several types and one tuple type say the same: the latter is written. */
static void put_type_args(struct printer *p, const struct ir_type *declared, bool has_arguments)
{
    if (declared == NULL)
        return;
    text_puts(p->out, has_arguments ? ", " : "");
    printer_put_spelling(p, "ty_args");
    text_puts(p->out, "=(");
    printer_put_type(p, declared);
    text_puts(p->out, ",)");
}

static void put_named_attr(struct printer *p, const struct ir_op *op, const char *name)
{
    text_printf(p->out, ", %s=", name);
    printer_put_attr(p, ir_op_attr(op, name));
}

/* The callee of a kernel or packed call; returns the first operand that is an argument. */
static unsigned put_function(struct printer *p, const struct ir_op *op, const char *attr)
{
    const struct ir_attr *callee = ir_op_attr(op, attr);
    if (callee->kind != IR_ATTR_NONE) {
        printer_put_attr(p, callee);
        return 0;
    }
    printer_put_operand(p, op->operands[0].value);
    return 1;
}

static void put_call_tir(struct printer *p, const struct ir_op *op)
{
    printer_put_relax(p, op->info->name);
    text_putc(p->out, '(');
    put_function(p, op, "callee");
    text_puts(p->out, ", ");
    put_tuple(p, op, 0);
    put_out_type(p, op->declared);
    if (ir_op_is(op, IR_CORE_call_tir_inplace)) {
        put_named_attr(p, op, "inplace_indices");
        if (ir_op_attr(op, "strict")->boolean)
            put_named_attr(p, op, "strict");
    }
    if (ir_op_is(op, IR_CORE_call_tir_with_grad)) {
        put_named_attr(p, op, "te_grad_name");
        const struct ir_attr *kwargs = ir_op_attr(op, "te_grad_kwargs");
        if (kwargs->kind == IR_ATTR_DICT && kwargs->count > 0)
            put_named_attr(p, op, "te_grad_kwargs");
    }
    text_putc(p->out, ')');
}

static void put_call_dps(struct printer *p, const struct ir_op *op)
{
    printer_put_relax(p, op->info->name);
    text_putc(p->out, '(');
    unsigned first = put_function(p, op, "func");
    text_puts(p->out, ", ");
    put_tuple(p, op, first);
    if (op->declared != NULL)
        put_out_type(p, op->declared);
    text_putc(p->out, ')');
}

/* R.call_packed("f", a, b, ty_args=..) */
static void put_call_packed(struct printer *p, const struct ir_op *op)
{
    printer_put_relax(p, op->info->name);
    text_putc(p->out, '(');
    unsigned first = put_function(p, op, "func");
    if (op->operand_count > first) {
        text_puts(p->out, ", ");
        printer_put_operands(p, op, first);
    }
    if (ir_op_is(op, IR_CORE_call_inplace_packed))
        put_named_attr(p, op, "inplace_indices");
    put_type_args(p, op->declared, true);
    text_putc(p->out, ')');
}

/* R.call_builtin_with_ctx("f", (a, b), ty_args=..) */
static void put_call_builtin(struct printer *p, const struct ir_op *op)
{
    printer_put_relax(p, op->info->name);
    text_putc(p->out, '(');
    unsigned first = put_function(p, op, "func");
    text_puts(p->out, ", ");
    put_tuple(p, op, first);
    put_type_args(p, op->declared, true);
    text_putc(p->out, ')');
}

/* R.invoke_closure(f, (a, b), ty_args=..) */
static void put_closure(struct printer *p, const struct ir_op *op)
{
    printer_put_relax(p, op->info->name);
    text_putc(p->out, '(');
    printer_put_operand(p, op->operands[0].value);
    text_puts(p->out, ", ");
    put_tuple(p, op, 1);
    put_type_args(p, op->declared, true);
    text_putc(p->out, ')');
}

/* TVM takes a bare number for no argument of a function. */
static void put_argument(struct printer *p, const struct ir_value *value)
{
    const struct ir_op *def = ir_value_is_inline(value) ? value->def : NULL;
    const struct ir_expr *expr =
        def && ir_op_is(def, IR_CORE_prim) ? ir_op_attr(def, "value")->expr : NULL;

    if (printer_is_old(p) || !expr || (expr->kind != IR_EXPR_int && expr->kind != IR_EXPR_float)) {
        printer_put_operand(p, value);
        return;
    }
    printer_put_relax(p, "prim_value(");
    printer_put_operand(p, value);
    text_putc(p->out, ')');
}

static void put_call(struct printer *p, const struct ir_op *op)
{
    unsigned first = 0;
    if (ir_op_is(op, IR_CORE_call))
        printer_put_attr(p, ir_op_attr(op, "callee"));
    else
        printer_put_operand(p, op->operands[first++].value);
    text_putc(p->out, '(');
    for (unsigned i = first; i < op->operand_count; i++) {
        text_puts(p->out, i > first ? ", " : "");
        put_argument(p, op->operands[i].value);
    }
    text_putc(p->out, ')');
}

static void put_shape(struct printer *p, const struct ir_op *op)
{
    const struct ir_attr *dims = ir_op_attr(op, "dims");
    printer_put_relax(p, "shape([");
    for (unsigned i = 0; i < dims->count; i++) {
        if (i > 0)
            text_puts(p->out, ", ");
        printer_put_expr(p, dims->items[i]->expr);
    }
    text_puts(p->out, "])");
}

/* R.<name>(attribute): leaves */
static void put_leaf(struct printer *p, const struct ir_op *op)
{
    static const char *const functions[IR_CORE_COUNT] = {
        [IR_CORE_string] = "str",
        [IR_CORE_dtype] = "dtype",
        [IR_CORE_extern_func] = "ExternFunc",
        [IR_CORE_null_value] = "null_value",
    };
    printer_put_relax(p, functions[op->info->core]);
    text_putc(p->out, '(');
    if (op->info->attr_count > 0)
        printer_put_attr(p, op->attrs[0]);
    if (op->declared != NULL) { /* of an external function */
        text_puts(p->out, ", ");
        printer_put_type(p, op->declared);
    }
    text_putc(p->out, ')');
}

static void put_attr_leaf(struct printer *p, const struct ir_op *op)
{
    printer_put_attr(p, op->attrs[0]);
}

static void put_prim(struct printer *p, const struct ir_op *op)
{
    const struct ir_expr *expr = ir_op_attr(op, "value")->expr;
    bool is_wrapped = printer_is_old(p) && expr->kind != IR_EXPR_var;

    if (is_wrapped)
        printer_put_relax(p, "prim_value(");
    printer_put_expr(p, expr);
    if (is_wrapped)
        text_putc(p->out, ')');
}

static void put_whole_tuple(struct printer *p, const struct ir_op *op)
{
    put_tuple(p, op, 0);
}

static void put_tuple_get(struct printer *p, const struct ir_op *op)
{
    printer_put_operand(p, op->operands[0].value);
    text_printf(p->out, "[%lld]", (long long)ir_op_attr(op, "index")->integer);
}

static void put_same(struct printer *p, const struct ir_op *op)
{
    printer_put_operand(p, op->operands[0].value);
}

static void put_match_cast(struct printer *p, const struct ir_op *op)
{
    printer_put_relax(p, "match_cast(");
    printer_put_operand(p, op->operands[0].value);
    text_puts(p->out, ", ");
    printer_put_type(p, op->declared);
    text_putc(p->out, ')');
}

static void put_return(struct printer *p, const struct ir_op *op)
{
    text_puts(p->out, "return ");
    printer_put_operand(p, op->operands[0].value);
}

static void put_output(struct printer *p, const struct ir_op *op)
{
    printer_put_relax(p, "output(");
    printer_put_operands(p, op, 0);
    text_putc(p->out, ')');
}

/* `if` and `function` are statements and have no row: here they only occur in messages. */
typedef void put_fn(struct printer *p, const struct ir_op *op);
static put_fn *const core_forms[IR_CORE_COUNT] = {
    [IR_CORE_constant] = put_attr_leaf,
    [IR_CORE_global] = put_attr_leaf,
    [IR_CORE_call_value] = put_attr_leaf,
    [IR_CORE_prim] = put_prim,
    [IR_CORE_shape] = put_shape,
    [IR_CORE_string] = put_leaf,
    [IR_CORE_dtype] = put_leaf,
    [IR_CORE_extern_func] = put_leaf,
    [IR_CORE_null_value] = put_leaf,
    [IR_CORE_tuple] = put_whole_tuple,
    [IR_CORE_tuple_get] = put_tuple_get,
    [IR_CORE_bind] = put_same,
    [IR_CORE_yield] = put_same,
    [IR_CORE_match_cast] = put_match_cast,
    [IR_CORE_return] = put_return,
    [IR_CORE_output] = put_output,
    [IR_CORE_call_tir] = put_call_tir,
    [IR_CORE_call_tir_inplace] = put_call_tir,
    [IR_CORE_call_tir_with_grad] = put_call_tir,
    [IR_CORE_call_dps_packed] = put_call_dps,
    [IR_CORE_call_py_func] = put_call_dps,
    [IR_CORE_call_packed] = put_call_packed,
    [IR_CORE_call_pure_packed] = put_call_packed,
    [IR_CORE_call_inplace_packed] = put_call_packed,
    [IR_CORE_call_builtin_with_ctx] = put_call_builtin,
    [IR_CORE_call] = put_call,
    [IR_CORE_call_closure] = put_call,
    [IR_CORE_invoke_closure] = put_closure,
    [IR_CORE_invoke_pure_closure] = put_closure,
    [IR_CORE_make_closure] = put_closure,
};

static void put_core(struct printer *p, const struct ir_op *op)
{
    put_fn *put = core_forms[op->info->core];
    if (put != NULL)
        put(p, op);
    else
        text_puts(p->out, op->info->name);
}

/* Starts the next argument. */
static void separate(struct printer *p, bool *has_arguments)
{
    if (*has_arguments)
        text_puts(p->out, ", ");
    *has_arguments = true;
}

/* How many fixed operands are written: trailing ones that are missing are left out. */
static unsigned written_operands(const struct ir_op *op)
{
    unsigned count = op->operand_count;
    while (count > 0 && is_missing(op->operands[count - 1].value)) {
        bool is_optional = false;
        for (unsigned i = 0; i < op->info->param_count; i++) {
            const struct ir_op_param *param = &op->info->params[i];
            if (param->kind < IR_PARAM_INT && !param->is_variadic &&
                param->operand_index == count - 1)
                is_optional = param->is_optional;
        }
        if (!is_optional)
            break;
        count--;
    }
    return count;
}

static const struct ir_op_param *param_of_attr(const struct ir_op_info *info, unsigned attr_index)
{
    for (unsigned i = 0; i < info->param_count; i++)
        if (info->params[i].kind >= IR_PARAM_INT && info->params[i].attr_index == attr_index)
            return &info->params[i];
    UNREACHABLE("every attribute is a parameter");
}

static void put_library_attr(struct printer *p, const struct ir_op *op,
                             const struct ir_op_param *param)
{
    const struct ir_attr *value = op->attrs[param->attr_index];
    if (!param->is_nameless)
        text_printf(p->out, "%s=", param->name);
    if (param->kind != IR_PARAM_TEXT || value->kind != IR_ATTR_STRING) {
        printer_put_attr(p, value);
        return;
    }
    printer_put_relax(p, "str(");
    printer_put_attr(p, value);
    text_putc(p->out, ')');
}

static void put_library(struct printer *p, const struct ir_op *op)
{
    bool has_arguments = false;
    unsigned count = written_operands(op);
    printer_put_relax(p, op->info->name);
    text_putc(p->out, '(');
    for (unsigned i = 0; i < count; i++) {
        separate(p, &has_arguments);
        const struct ir_value *value = op->operands[i].value;
        if (is_missing(value) && i < op->info->operand_count)
            text_puts(p->out, "None");
        else
            printer_put_operand(p, value);
    }
    for (unsigned i = 0; i < op->info->attr_count; i++) {
        separate(p, &has_arguments);
        put_library_attr(p, op, param_of_attr(op->info, i));
    }
    put_type_args(p, op->declared, has_arguments);
    text_putc(p->out, ')');
}

void printer_put_op(struct printer *p, const struct ir_op *op)
{
    if (op->info->core == IR_CORE_none)
        put_library(p, op);
    else
        put_core(p, op);
}
