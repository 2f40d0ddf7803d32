/* take: elements at indices that are known at run time only. */
#include "ops/lower/lower.h"

#include <math.h>
#include <string.h>

/* Where @index leads in @extent, by the mode; checked when the program runs if nothing else holds. */
static const struct ir_expr *guarded(struct kernel *k, const char *mode,
                                     const struct ir_expr *index, const struct ir_expr *extent)
{
    const struct ir_expr *last = k_sub(k, extent, k_int(k, 1));

    if (strcmp(mode, "wrap") == 0)
        return k_binary(k, IR_EXPR_floormod, index, extent);
    if (strcmp(mode, "fast") == 0)
        return kernel_from_end(k, index, extent);
    index = k_binary(k, IR_EXPR_min, index, last);
    return k_binary(k, IR_EXPR_max, index, k_int(k, 0));
}

/* The indices of the element at row-major position @at. */
static void unravel(struct kernel *k, const struct ir_type *type, const struct ir_expr *at,
                    const struct ir_expr **out)
{
    for (unsigned d = (unsigned)type->ndim; d-- > 1;) {
        const struct ir_expr *dim = kernel_expr(k, type->dims[d]);
        out[d] = k_binary(k, IR_EXPR_floormod, at, dim);
        at = k_binary(k, IR_EXPR_floordiv, at, dim);
    }
    if (type->ndim > 0)
        out[0] = at;
}

struct ir_value *lower_take(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;
    const char *mode = ir_op_attr(op, "mode")->string;
    bool is_flat = op_attr_is_none(op, "axis");

    bool is_nan = strcmp(mode, "nan") == 0;

    if (!kernel_begin(&k, module, diag, op, 3u))
        return NULL;
    if (is_nan && !kernel_check_domain(&k, OP_REAL, k.operands[0].type->dtype))
        return kernel_abandon(&k);
    const struct ir_type *type = k.operands[0].type, *indices = k.operands[1].type;
    struct ir_buffer *out = k.outputs[0];
    unsigned axis = is_flat ? 0 : op_axis(op_attr_int(op, "axis", 0), (unsigned)type->ndim);
    unsigned index_ndim = indices->kind == IR_TYPE_TENSOR ? (unsigned)indices->ndim : 0;
    struct nest nest = nest_begin(&k, "T_take");
    const struct ir_expr **axes = nest_axes_of(&nest, out);
    const struct ir_expr **from = kernel_indices(&k, (unsigned)type->ndim);
    const struct ir_expr *index = k_cast(&k, IR_I64, kernel_load(&k, 1, axes + axis));
    const struct ir_expr *extent =
        is_flat ? kernel_expr(&k, dim_product(k.context, type->dims, (unsigned)type->ndim))
                : kernel_input_dim(&k, 0, axis);
    const struct ir_expr *at = guarded(&k, mode, index, extent);
    if (is_flat) {
        unravel(&k, type, at, from);
    } else {
        for (unsigned d = 0; d < (unsigned)type->ndim; d++)
            from[d] = d < axis ? axes[d] : d == axis ? at : axes[d + index_ndim - 1];
    }
    const struct ir_expr *value = kernel_load(&k, 0, from);
    if (is_nan) {
        value = k_if(&k, k_inside(&k, NULL, index, extent), value, k_number(&k, out->dtype, NAN));
    }
    nest_store(&nest, out, axes, value);
    nest_end(&nest);
    return kernel_finish(&k);
}
