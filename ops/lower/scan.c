/*
 * Running sums and products, collapsing sums, buckets, quantisation: loops over single operands.
 *
 * A running sum reads what it wrote for the element before; its loop along the axis is a scan, in order.
 */
#include "ops/lower/sort.h"

#include <string.h>

/* The element of operand 0 at row-major position @at. */
static const struct ir_expr *flat_load(struct kernel *k, const struct ir_expr *at)
{
    const struct ir_type *type = k->operands[0].type;
    const struct ir_expr **from = kernel_indices(k, (unsigned)type->ndim);

    for (unsigned d = (unsigned)type->ndim; d-- > 1;) {
        const struct ir_expr *dim = kernel_expr(k, type->dims[d]);
        from[d] = k_binary(k, IR_EXPR_floormod, at, dim);
        at = k_binary(k, IR_EXPR_floordiv, at, dim);
    }
    if (type->ndim > 0)
        from[0] = at;
    return kernel_load(k, 0, from);
}

static struct ir_value *lower_running(struct ir_module *module, struct diag *diag, struct ir_op *op,
                                      enum ir_expr_kind kind)
{
    struct kernel k;
    bool is_flat = op_attr_is_none(op, "axis");

    if (!kernel_begin(&k, module, diag, op, 1u))
        return NULL;
    struct ir_buffer *out = k.outputs[0];
    struct ir_dtype dtype = kernel_compute_dtype(out->dtype);
    unsigned axis = is_flat ? 0 : op_axis(op_attr_int(op, "axis", 0), out->ndim);
    bool is_exclusive = ir_op_attr(op, "exclusive")->boolean;
    struct ir_buffer *acc = ir_dtype_equal(dtype, out->dtype)
                                ? out
                                : kernel_alloc(&k, "acc", dtype, out->shape, out->ndim);
    struct nest nest = nest_begin(&k, k.name);
    const struct ir_expr **at = kernel_indices(&k, out->ndim);
    const struct ir_expr **before = kernel_indices(&k, out->ndim);
    /* the scan inside of all but a last axis that it does not run along */
    bool is_last_inside = axis + 1 < out->ndim;
    for (unsigned d = 0; d < out->ndim; d++)
        if (d != axis && !(is_last_inside && d == out->ndim - 1))
            at[d] = nest_axis(&nest, TIR_SPATIAL, out->shape[d]);
    at[axis] = nest_axis(&nest, TIR_OPAQUE, out->shape[axis]);
    if (is_last_inside)
        at[out->ndim - 1] = nest_axis(&nest, TIR_SPATIAL, out->shape[out->ndim - 1]);
    for (unsigned d = 0; d < out->ndim; d++)
        before[d] = at[d];
    const struct ir_expr *zero = k_int(&k, 0);
    before[axis] = k_sub(&k, at[axis], k_int(&k, 1));
    const struct ir_expr *is_first = k_binary(&k, IR_EXPR_eq, at[axis], zero);
    const struct ir_expr *here = is_exclusive ? before[axis] : at[axis];
    const struct ir_expr **from = kernel_indices(&k, out->ndim);
    for (unsigned d = 0; d < out->ndim; d++)
        from[d] = d == axis ? here : at[d];
    const struct ir_expr *x =
        k_cast(&k, dtype, is_flat ? flat_load(&k, here) : kernel_load(&k, 0, from));
    const struct ir_expr *start = k_number(&k, dtype, kind == IR_EXPR_mul);
    if (ir_dtype_is_bool(dtype))
        kind = kind == IR_EXPR_mul ? IR_EXPR_and : IR_EXPR_or;
    const struct ir_expr *step = k_binary(&k, kind, nest_load(&nest, acc, before), x);
    nest_store(&nest, acc, at,
               k_if(&k, is_first, is_exclusive ? start : k_binary(&k, kind, start, x), step));
    nest_end(&nest);
    if (acc != out) {
        nest = nest_begin(&k, "T_cast");
        at = nest_axes_of(&nest, out);
        nest_store(&nest, out, at, nest_load(&nest, acc, at));
        nest_end(&nest);
    }
    return kernel_finish(&k);
}

struct ir_value *lower_cumsum(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    return lower_running(module, diag, op, IR_EXPR_add);
}

struct ir_value *lower_cumprod(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    return lower_running(module, diag, op, IR_EXPR_mul);
}

/*
 * The index of an axis of @extent that is summed where the result has @dim 1 of it, and else is that of the result, @to: of which
 * only the run may know.  The sum has extent / dim terms.
 */
static const struct ir_expr *collapsing(struct kernel *k, struct nest *nest,
                                        const struct ir_expr *extent, const struct ir_expr *dim,
                                        const struct ir_expr *to)
{
    if (ir_prove_equal(k->context, extent, dim))
        return to;
    dim = k_binary(k, IR_EXPR_max, dim, k_int(k, 1));
    const struct ir_expr *terms =
        ir_simplify(k->context, k_binary(k, IR_EXPR_floordiv,
                                         k_add(k, extent, k_sub(k, dim, k_int(k, 1))), dim));
    return k_add(k, to, nest_axis(nest, TIR_REDUCE, terms));
}

/* Sums over the axes that the result does not have, or has with extent 1. */
struct ir_value *lower_collapse_sum(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;

    if (!kernel_begin(&k, module, diag, op, 1u))
        return NULL;
    struct ir_buffer *out = k.outputs[0];
    struct ir_dtype dtype = kernel_compute_dtype(out->dtype);
    unsigned ndim = (unsigned)k.operands[0].type->ndim, more = ndim - out->ndim;
    if (ndim < out->ndim) {
        diag_report(diag, op->loc, LOWER_SHAPE, op->info->name, "its result, which has more axes,");
        return kernel_abandon(&k);
    }
    struct ir_buffer *sum = ir_dtype_equal(dtype, out->dtype)
                                ? out
                                : kernel_alloc(&k, "acc", dtype, out->shape, out->ndim);
    struct nest nest = nest_begin(&k, "T_collapse_sum");
    const struct ir_expr **at = kernel_indices(&k, ndim), **to = kernel_indices(&k, out->ndim);
    for (unsigned d = 0; d < out->ndim; d++)
        to[d] = nest_axis(&nest, TIR_SPATIAL, out->shape[d]);
    for (unsigned d = 0; d < ndim; d++) {
        const struct ir_expr *extent = kernel_input_dim(&k, 0, d);
        bool is_kept = d >= more && !(ir_expr_is_int(out->shape[d - more], 1));
        at[d] = is_kept ? collapsing(&k, &nest, extent, out->shape[d - more], to[d - more])
                        : nest_axis(&nest, TIR_REDUCE, extent);
    }
    nest_init(&nest, sum, to, k_number(&k, dtype, 0));
    nest_store(&nest, sum, to,
               k_binary(&k, IR_EXPR_add, nest_load(&nest, sum, to),
                        k_cast(&k, dtype, kernel_load(&k, 0, at))));
    nest_end(&nest);
    if (sum != out) {
        nest = nest_begin(&k, "T_cast");
        to = nest_axes_of(&nest, out);
        nest_store(&nest, out, to, nest_load(&nest, sum, to));
        nest_end(&nest);
    }
    return kernel_finish(&k);
}

/* How many boundaries, each of which is looked at, R.sort has in front of an element (right: or beside it). */
struct ir_value *lower_bucketize(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;

    if (!kernel_begin(&k, module, diag, op, 3u))
        return NULL;
    struct ir_buffer *out = k.outputs[0];
    struct nest nest = nest_begin(&k, "T_bucketize");
    const struct ir_expr **at = nest_axes_of(&nest, out);
    const struct ir_expr *boundary = nest_axis(&nest, TIR_REDUCE, kernel_input_dim(&k, 1, 0));
    struct ir_dtype dtype = kernel_compute_dtype(k.operands[0].type->dtype);
    const struct ir_expr *x = k_cast(&k, dtype, kernel_load(&k, 0, at));
    const struct ir_expr *edge = k_cast(&k, dtype, kernel_load(&k, 1, &boundary));
    const struct ir_expr *is_below = ir_op_attr(op, "right")->boolean
                                         ? ir_expr_not(module->context, sort_is_less(&k, x, edge))
                                         : sort_is_less(&k, edge, x);
    nest_init(&nest, out, at, k_number(&k, out->dtype, 0));
    nest_store(
        &nest, out, at,
        k_binary(&k, IR_EXPR_add, nest_load(&nest, out, at), k_cast(&k, out->dtype, is_below)));
    nest_end(&nest);
    return kernel_finish(&k);
}

/* ---- quantisation ---- */

/* The scale or zero point (operand @i) of the element at @at: one for all, or one along the axis. */
static const struct ir_expr *parameter(struct kernel *k, unsigned i,
                                       const struct ir_expr *const *at)
{
    const struct kernel_operand *operand = &k->operands[i];
    unsigned ndim = k->outputs[0]->ndim;

    if (operand->scalar != NULL || operand->type->ndim == 0)
        return kernel_load(k, i, NULL);
    const struct ir_expr **index = kernel_indices(k, (unsigned)operand->type->ndim);
    for (int d = 0; d < operand->type->ndim; d++)
        index[d] = k_int(k, 0);
    if (operand->type->ndim == 1 && ndim > 0) {
        unsigned axis = op_axis(op_attr_int(k->op, "axis", -1), ndim);
        index[0] =
            kernel_spread(k, operand->buffer->shape[0], k->outputs[0]->shape[axis], at[axis]);
    }
    return kernel_load(k, i, index);
}

/* Limited to the numbers of @dtype, then converted. */
static const struct ir_expr *saturated(struct kernel *k, struct ir_dtype dtype,
                                       const struct ir_expr *x)
{
    double limit = dtype.code == IR_BFLOAT ? 3.3895313892515355e38 : 65504;

    if (!ir_dtype_is_float(dtype) || dtype.bits > 16)
        return k_cast(k, dtype, x); /* a conversion to integers saturates */
    x = k_binary(k, IR_EXPR_max, x, k_number(k, x->dtype, -limit));
    return k_cast(k, dtype, k_binary(k, IR_EXPR_min, x, k_number(k, x->dtype, limit)));
}

struct ir_value *lower_quantize(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;

    if (!kernel_begin(&k, module, diag, op, 7u))
        return NULL;
    struct ir_buffer *out = k.outputs[0];
    struct nest nest = nest_begin(&k, "T_quantize");
    const struct ir_expr **at = nest_axes_of(&nest, out);
    const struct ir_expr *x = k_cast(&k, IR_F32, kernel_load(&k, 0, at));
    x = k_binary(&k, IR_EXPR_div, x, k_cast(&k, IR_F32, parameter(&k, 1, at)));
    if (!ir_dtype_is_float(out->dtype))
        x = k_call(&k, "round", x);
    x = k_binary(&k, IR_EXPR_add, x, k_cast(&k, IR_F32, parameter(&k, 2, at)));
    nest_store(&nest, out, at, saturated(&k, out->dtype, x));
    nest_end(&nest);
    return kernel_finish(&k);
}

struct ir_value *lower_dequantize(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;

    if (!kernel_begin(&k, module, diag, op, 7u))
        return NULL;
    struct ir_buffer *out = k.outputs[0];
    struct ir_dtype dtype = ir_dtype_is_float(k.operands[0].type->dtype) ? IR_F32 : IR_I32;
    struct nest nest = nest_begin(&k, "T_dequantize");
    const struct ir_expr **at = nest_axes_of(&nest, out);
    const struct ir_expr *x = k_binary(&k, IR_EXPR_sub, k_cast(&k, dtype, kernel_load(&k, 0, at)),
                                       k_cast(&k, dtype, parameter(&k, 2, at)));
    x = k_binary(&k, IR_EXPR_mul, k_cast(&k, IR_F32, x), k_cast(&k, IR_F32, parameter(&k, 1, at)));
    nest_store(&nest, out, at, saturated(&k, out->dtype, x));
    nest_end(&nest);
    return kernel_finish(&k);
}
