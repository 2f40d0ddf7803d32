/* Loops of operators that make tensors: constants, diagonals, sequences, triangles. */
#include "ops/lower/lower.h"

/* Stores @value, which is the same everywhere. */
static struct ir_value *fill(struct kernel *k, const struct ir_expr *value)
{
    struct nest nest = nest_begin(k, arena_printf(&k->context->arena, "T_%s", k->name));
    const struct ir_expr **axes = nest_axes_of(&nest, k->outputs[0]);

    nest_store(&nest, k->outputs[0], axes, value);
    nest_end(&nest);
    return kernel_finish(k);
}

struct ir_value *lower_full(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;

    if (!kernel_begin(&k, module, diag, op, 1u << 1))
        return NULL;
    return fill(&k, kernel_load(&k, 1, NULL));
}

struct ir_value *lower_zeros(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;

    if (!kernel_begin(&k, module, diag, op, 0))
        return NULL;
    return fill(&k, k_number(&k, k.outputs[0]->dtype, 0));
}

struct ir_value *lower_ones(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;

    if (!kernel_begin(&k, module, diag, op, 0))
        return NULL;
    return fill(&k, k_number(&k, k.outputs[0]->dtype, 1));
}

/* Scalar operand @i as int64, 0 if it is left out; NULL after a report. */
static const struct ir_expr *diagonal(struct kernel *k, unsigned i)
{
    if (!op_has_operand(k->op, i))
        return k_int(k, 0);
    const struct ir_expr *prim = op_operand_prim(k->op, i);
    if (prim != NULL && ir_dtype_is_int(prim->dtype))
        return k_cast(k, IR_I64, kernel_expr(k, prim));
    diag_report(k->diag, op_said_place(k->op, op_operand_name(k->op->info, i)), LOWER_OPERAND,
                k->op->info->name, op_operand_name(k->op->info, i),
                "is not an integer that is known");
    return NULL;
}

struct ir_value *lower_eye(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;

    if (!kernel_begin(&k, module, diag, op, 0))
        return NULL;
    struct ir_buffer *out = k.outputs[0];
    const struct ir_expr *shift = diagonal(&k, op_is(op, OP_eye_like) ? 1 : 2);
    if (shift == NULL)
        return kernel_abandon(&k);
    if (out->ndim != 2) {
        diag_report(diag, op_said_place(op, "x"), LOWER_OPERAND, op->info->name, "x",
                    "is not of rank 2");
        return kernel_abandon(&k);
    }
    struct nest nest = nest_begin(&k, "T_eye");
    const struct ir_expr **axes = nest_axes_of(&nest, out);
    const struct ir_expr *is_on = k_binary(&k, IR_EXPR_eq, k_sub(&k, axes[1], axes[0]), shift);
    nest_store(
        &nest, out, axes,
        ir_expr_select(k.context, is_on, k_number(&k, out->dtype, 1), k_number(&k, out->dtype, 0)));
    nest_end(&nest);
    return kernel_finish(&k);
}

/* start + i * step, all converted to the dtype of the result before (float32 for the 16-bit floats). */
struct ir_value *lower_arange(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;
    const struct ir_expr *bounds[3];

    if (!kernel_begin(&k, module, diag, op, 0))
        return NULL;
    if (!op_arange_bounds(k.context, op, bounds)) {
        diag_report(diag, op_said_place(op, "start"), LOWER_OPERAND, op->info->name, "start",
                    "is not a number that is known");
        return kernel_abandon(&k);
    }
    struct ir_dtype dtype = kernel_compute_dtype(k.outputs[0]->dtype);
    struct nest nest = nest_begin(&k, "T_arange");
    const struct ir_expr **axes = nest_axes_of(&nest, k.outputs[0]);
    const struct ir_expr *start = k_cast(&k, dtype, kernel_expr(&k, bounds[0]));
    const struct ir_expr *step = k_cast(&k, dtype, kernel_expr(&k, bounds[2]));
    const struct ir_expr *at = k_mul(&k, k_cast(&k, dtype, axes[0]), step);
    nest_store(&nest, k.outputs[0], axes, k_add(&k, start, at));
    nest_end(&nest);
    return kernel_finish(&k);
}

static struct ir_value *lower_triangle(struct ir_module *module, struct diag *diag,
                                       struct ir_op *op, enum ir_expr_kind keeps)
{
    struct kernel k;

    if (!kernel_begin(&k, module, diag, op, 1u))
        return NULL;
    struct ir_buffer *out = k.outputs[0];
    const struct ir_expr *shift = diagonal(&k, 1);
    if (shift == NULL)
        return kernel_abandon(&k);
    struct nest nest = nest_begin(&k, arena_printf(&k.context->arena, "T_%s", k.name));
    const struct ir_expr **axes = nest_axes_of(&nest, out);
    const struct ir_expr *distance = k_sub(&k, axes[out->ndim - 1], axes[out->ndim - 2]);
    nest_store(&nest, out, axes,
               ir_expr_select(k.context, k_binary(&k, keeps, distance, shift),
                              kernel_load(&k, 0, axes), k_number(&k, out->dtype, 0)));
    nest_end(&nest);
    return kernel_finish(&k);
}

struct ir_value *lower_tril(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    return lower_triangle(module, diag, op, IR_EXPR_le);
}

struct ir_value *lower_triu(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    return lower_triangle(module, diag, op, IR_EXPR_ge);
}
