/*
 * What code generation refuses of a module whose operators are lowered: tensors of unknown rank or dtype where an operator
 * without loops works with them (E0685), and operators that cannot be compiled at all (E0620).
 */
#include "analysis/lint/lint.h"
#include "ops/ids.h"

/* Does it work with the tensors that it is given, and not only pass them on? */
static bool works_with(const struct ir_op *op)
{
    return op->info->core == IR_CORE_none && !op->info->lower && !op_is(op, OP_print) &&
           !op_is(op, OP_assert_op);
}

static void check_operand(struct ir_context *context, const struct ir_op *op, unsigned i,
                          struct diag *diag)
{
    const struct ir_value *value = op->operands[i].value;
    const struct ir_type *type = value->type;
    struct location place = location_argument(op->loc, i, NULL);

    if (type->kind != IR_TYPE_TENSOR ||
        (type->ndim != IR_NDIM_UNKNOWN && !ir_dtype_is_void(type->dtype)))
        return;
    struct diag_message *m = diag_report(
        diag, place, CODEGEN_VALUE, value->name ? value->name : op->info->name,
        type->ndim == IR_NDIM_UNKNOWN ? "its rank is not known" : "its dtype is not known");
    diag_primary(m, "this is %s", ir_type_text(context, type));
    diag_help(m, "say it first: `R.match_cast(.., R.Tensor((n, m), \"float32\"))`");
}

struct check {
    struct ir_context *context;
    struct diag *diag;
};

static bool check_op(void *state, struct ir_op *op)
{
    const struct check *check = state;

    if (op->info->absent && !op->info->lower)
        diag_note(diag_report(check->diag, op->loc, OP_UNSUPPORTED, op->info->name), "%s",
                  op->info->absent);
    for (unsigned i = 0; works_with(op) && i < op->operand_count; i++)
        check_operand(check->context, op, i, check->diag);
    if (ir_op_is(op, IR_CORE_function))
        ir_region_walk(ir_op_attr(op, "function")->function->body, check_op, state);
    return true;
}

void lint_check_lowered(struct ir_module *module, struct diag *diag)
{
    struct check check = {module->context, diag};

    lint_check_gpu(module, diag);
    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            ir_region_walk(module->globals[i]->function->body, check_op, &check);
}
