/* multinomial_from_uniform: the index at which a running sum passes a number. */
#include "ops/lower/code.h"

struct ir_value *lower_multinomial(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel kernel, *k = &kernel;
    struct code code, body, here;

    if (!kernel_begin(k, module, diag, op, 7u))
        return NULL;
    for (unsigned i = 0; i < 3; i++)
        if (k->operands[i].scalar || k->operands[i].type->ndim != 2) {
            diag_report(
                diag, op->loc, LOWER_SHAPE, op->info->name,
                arena_printf(&k->context->arena, "`%s`, as rows,", op_operand_name(op->info, i)));
            return kernel_abandon(k);
        }
    if (!kernel_check_domain(k, OP_REAL, k->operands[0].type->dtype))
        return kernel_abandon(k);
    struct ir_dtype dtype = kernel_compute_dtype(k->operands[0].type->dtype);
    struct nest nest = nest_begin(k, "T_multinomial");
    const struct ir_expr **at = nest_axes_of(&nest, k->outputs[0]), *zero = k_int(k, 0);
    const struct ir_expr *first[] = {at[0], zero}, *count = kernel_input_dim(k, 0, 1);
    code = code_begin(k);
    const struct ir_expr **first_at = kernel_copy_indices(k, first, 2);
    const struct ir_expr *row = code_let(
        &code, "row", kernel_from_end(k, kernel_load(k, 2, first_at), kernel_input_dim(k, 0, 0)));
    const struct ir_expr *sample =
        code_let(&code, "sample", k_cast(k, dtype, kernel_load(k, 1, first_at)));
    const struct ir_buffer *sum = code_scalar(&code, "total", dtype, k_number(k, dtype, 0));
    const struct ir_buffer *found = code_scalar(&code, "found", IR_I64, k_int(k, -1));
    const struct ir_expr *i = code_for(&code, &body, "i", count);
    const struct ir_expr *from[] = {row, i};
    code_set(&body, sum,
             k_binary(k, IR_EXPR_add, code_get(k, sum),
                      k_cast(k, dtype, kernel_load(k, 0, kernel_copy_indices(k, from, 2)))));
    code_if(&body, &here,
            k_binary(k, IR_EXPR_and, k_binary(k, IR_EXPR_lt, code_get(k, found), zero),
                     k_binary(k, IR_EXPR_gt, code_get(k, sum), sample)));
    code_set(&here, found, i);
    code_end(&here);
    code_end(&body);
    const struct ir_expr *none = k_binary(k, IR_EXPR_lt, code_get(k, found), zero);
    code_store(&code, k->outputs[0], at,
               k_select(k, none, k_sub(k, count, k_int(k, 1)), code_get(k, found)));
    nest_code(&nest, &code);
    nest_end(&nest);
    return kernel_finish(k);
}
