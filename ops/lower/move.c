/*
 * Loops of operators that move elements.
 *
 * What is joined or repeated is written piece by piece, so that every loop copies a plain rectangle
 * and no element is decided on by a condition.
 */
#include "ops/lower/lower.h"

/* A dimension of which it is not known whether it is 1 is asked when the program runs. */
struct ir_value *lower_broadcast_to(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;

    if (!kernel_begin(&k, module, diag, op, 1u))
        return NULL;
    struct ir_buffer *out = k.outputs[0];
    struct nest nest = nest_begin(&k, "T_broadcast_to");
    const struct ir_expr **axes = nest_axes_of(&nest, out);
    const struct ir_expr **from =
        kernel_broadcast(&k, k.operands[0].type, axes, out->shape, out->ndim);
    nest_store(&nest, out, axes, kernel_load(&k, 0, from));
    nest_end(&nest);
    return kernel_finish(&k);
}

struct ir_value *lower_permute_dims(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;
    const struct ir_attr *axes_attr = ir_op_attr(op, "axes");

    if (!kernel_begin(&k, module, diag, op, 1u))
        return NULL;
    struct ir_buffer *out = k.outputs[0];
    struct nest nest = nest_begin(&k, "T_transpose");
    const struct ir_expr **axes = nest_axes_of(&nest, out);
    const struct ir_expr **from = kernel_indices(&k, out->ndim);
    for (unsigned d = 0; d < out->ndim; d++) {
        unsigned source = axes_attr->kind == IR_ATTR_LIST
                              ? op_axis(axes_attr->items[d]->integer, out->ndim)
                              : out->ndim - 1 - d;
        from[source] = axes[d];
    }
    nest_store(&nest, out, axes, kernel_load(&k, 0, from));
    nest_end(&nest);
    return kernel_finish(&k);
}

struct ir_value *lower_flip(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;

    if (!kernel_begin(&k, module, diag, op, 1u))
        return NULL;
    struct ir_buffer *out = k.outputs[0];
    unsigned axis = op_axis(op_attr_int(op, "axis", 0), out->ndim);
    struct nest nest = nest_begin(&k, "T_flip");
    const struct ir_expr **axes = nest_axes_of(&nest, out);
    const struct ir_expr **from = kernel_indices(&k, out->ndim);
    for (unsigned d = 0; d < out->ndim; d++)
        from[d] = axes[d];
    from[axis] = k_sub(&k, k_sub(&k, out->shape[axis], k_int(&k, 1)), axes[axis]);
    nest_store(&nest, out, axes, kernel_load(&k, 0, from));
    nest_end(&nest);
    return kernel_finish(&k);
}

/* Axes for all dims of @operand. */
static const struct ir_expr **source_axes(struct nest *nest, const struct kernel_operand *operand)
{
    unsigned ndim = (unsigned)operand->type->ndim;
    const struct ir_expr **axes = kernel_indices(nest->k, ndim);

    for (unsigned d = 0; d < ndim; d++)
        axes[d] = nest_axis(nest, TIR_SPATIAL, kernel_expr(nest->k, operand->type->dims[d]));
    return axes;
}

/* Row-major position of @indices in @operand. */
static const struct ir_expr *linear_index(struct kernel *k, const struct kernel_operand *operand,
                                          const struct ir_expr *const *indices)
{
    const struct ir_expr *at = k_int(k, 0);

    for (int d = 0; d < operand->type->ndim; d++)
        at = k_add(k, k_mul(k, at, kernel_expr(k, operand->type->dims[d])), indices[d]);
    return at;
}

static const struct ir_expr *element_count(struct kernel *k, const struct kernel_operand *operand)
{
    return kernel_expr(k,
                       dim_product(k->context, operand->type->dims, (unsigned)operand->type->ndim));
}

/* Each tensor is copied to where it begins; with axis None all are flattened. */
struct ir_value *lower_concat(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;
    bool is_flat = op_attr_is_none(op, "axis");

    if (!kernel_begin(&k, module, diag, op, 1u))
        return NULL;
    struct ir_buffer *out = k.outputs[0];
    unsigned axis = is_flat ? 0 : op_axis(op_attr_int(op, "axis", 0), out->ndim);
    const struct ir_expr *begin = k_int(&k, 0);
    for (unsigned f = 0; f < k.field_count; f++) {
        const struct kernel_operand *operand = &k.fields[f];
        struct nest nest = nest_begin(&k, "T_concat");
        const struct ir_expr **from = source_axes(&nest, operand);
        const struct ir_expr **to = kernel_indices(&k, out->ndim);
        const struct ir_expr *extent;
        if (is_flat) {
            to[0] = linear_index(&k, operand, from);
            extent = element_count(&k, operand);
        } else {
            for (unsigned d = 0; d < out->ndim; d++)
                to[d] = from[d];
            extent = kernel_expr(&k, operand->type->dims[axis]);
        }
        to[axis] = k_add(&k, to[axis], begin);
        nest_store(&nest, out, to, kernel_operand_load(&k, operand, from));
        nest_end(&nest);
        begin = ir_simplify(k.context, k_add(&k, begin, extent));
    }
    return kernel_finish(&k);
}

struct ir_value *lower_stack(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;

    if (!kernel_begin(&k, module, diag, op, 1u))
        return NULL;
    struct ir_buffer *out = k.outputs[0];
    unsigned axis = op_axis(op_attr_int(op, "axis", 0), out->ndim);
    for (unsigned f = 0; f < k.field_count; f++) {
        struct nest nest = nest_begin(&k, "T_stack");
        const struct ir_expr **from = source_axes(&nest, &k.fields[f]);
        const struct ir_expr **to = kernel_indices(&k, out->ndim);
        for (unsigned d = 0, s = 0; d < out->ndim; d++)
            to[d] = d == axis ? k_int(&k, f) : from[s++];
        nest_store(&nest, out, to, kernel_operand_load(&k, &k.fields[f], from));
        nest_end(&nest);
    }
    return kernel_finish(&k);
}

struct ir_value *lower_split(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *type = op->operands[0].value->type;
    unsigned count;

    if (op->result.type == type) /* one part */
        return op_lower_to_operand(module, diag, op);
    if (!kernel_begin(&k, module, diag, op, 1u))
        return NULL;
    unsigned axis = op_axis(op_attr_int(op, "axis", 0), (unsigned)type->ndim);
    struct split_part *parts = op_split_parts(&in, type->dims[axis], &count);
    for (unsigned i = 0; i < k.output_count; i++) {
        struct ir_buffer *out = k.outputs[i];
        struct nest nest = nest_begin(&k, "T_split");
        const struct ir_expr **to = nest_axes_of(&nest, out);
        const struct ir_expr **from = kernel_indices(&k, out->ndim);
        for (unsigned d = 0; d < out->ndim; d++)
            from[d] = to[d];
        from[axis] = k_add(&k, to[axis], kernel_expr(&k, parts[i].begin));
        nest_store(&nest, out, to, kernel_load(&k, 0, from));
        nest_end(&nest);
    }
    return kernel_finish(&k);
}

/* Slice y[.., i, ..] is x[.., i // times, ..]: what reads y may read x instead. */
static void repeat_slices(struct kernel *k, unsigned axis, const struct ir_expr *times)
{
    struct nest nest = nest_begin(k, "T_repeat");
    const struct ir_buffer *out = k->outputs[0];
    const struct ir_expr **to = nest_axes_of(&nest, out), **from = kernel_indices(k, out->ndim);

    for (unsigned d = 0; d < out->ndim; d++)
        from[d] = to[d];
    from[axis] = k_binary(k, IR_EXPR_floordiv, to[axis], times);
    nest_store(&nest, k->outputs[0], to, kernel_load(k, 0, from));
    nest_end(&nest);
}

struct ir_value *lower_repeat(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;
    bool is_flat = op_attr_is_none(op, "axis");

    if (!kernel_begin(&k, module, diag, op, 1u))
        return NULL;
    const struct kernel_operand *operand = &k.operands[0];
    int64_t count = op_attr_int(op, "repeats", 1);
    const struct ir_expr *times = k_int(&k, count);
    unsigned ndim = (unsigned)operand->type->ndim;
    unsigned axis = is_flat ? 0 : op_axis(op_attr_int(op, "axis", 0), ndim);
    if (!is_flat && axis + 1 < ndim && count > 0) {
        repeat_slices(&k, axis, times);
        return kernel_finish(&k);
    }
    struct nest nest = nest_begin(&k, "T_repeat");
    const struct ir_expr **from = kernel_indices(&k, ndim);
    const struct ir_expr *copy = NULL;
    for (unsigned d = 0; d < ndim; d++) {
        from[d] = nest_axis(&nest, TIR_SPATIAL, kernel_input_dim(&k, 0, d));
        if (!is_flat && d == axis)
            copy = nest_axis(&nest, TIR_SPATIAL, times);
    }
    if (is_flat)
        copy = nest_axis(&nest, TIR_SPATIAL, times);
    const struct ir_expr **to = kernel_indices(&k, ndim);
    for (unsigned d = 0; d < ndim; d++)
        to[d] = from[d];
    const struct ir_expr *at = is_flat ? linear_index(&k, operand, from) : from[axis];
    to[axis] = k_add(&k, k_mul(&k, at, times), copy);
    nest_store(&nest, k.outputs[0], to, kernel_load(&k, 0, from));
    nest_end(&nest);
    return kernel_finish(&k);
}

struct ir_value *lower_tile(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;
    const struct ir_attr *repeats = ir_op_attr(op, "repeats");

    if (!kernel_begin(&k, module, diag, op, 1u))
        return NULL;
    struct ir_buffer *out = k.outputs[0];
    unsigned ndim = (unsigned)k.operands[0].type->ndim;
    struct nest nest = nest_begin(&k, "T_tile");
    const struct ir_expr **to = kernel_indices(&k, out->ndim), **from = kernel_indices(&k, ndim);
    for (unsigned d = 0; d < out->ndim; d++) {
        int source = (int)d - (int)(out->ndim - ndim);
        int r = (int)d - (int)(out->ndim - repeats->count);
        int64_t times = r >= 0 ? repeats->items[r]->integer : 1;
        const struct ir_expr *extent =
            source >= 0 ? kernel_input_dim(&k, 0, (unsigned)source) : k_int(&k, 1);
        to[d] = k_int(&k, 0);
        if (times != 1)
            to[d] = k_mul(&k, nest_axis(&nest, TIR_SPATIAL, k_int(&k, times)), extent);
        if (source >= 0) {
            from[source] = nest_axis(&nest, TIR_SPATIAL, extent);
            to[d] = k_add(&k, to[d], from[source]);
        }
    }
    nest_store(&nest, out, to, kernel_load(&k, 0, from));
    nest_end(&nest);
    return kernel_finish(&k);
}

struct ir_value *lower_strided_slice(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;
    struct infer in = op_infer_begin(module, diag, op);
    struct slice *slices;
    unsigned count;
    bool has_failed;

    if (!kernel_begin(&k, module, diag, op, 1u))
        return NULL;
    if (!op_slices(&in, k.operands[0].type, &slices, &count, &has_failed)) {
        if (!has_failed)
            diag_report(diag, op_said_place(op, "begin"), LOWER_OPERAND, op->info->name, "begin",
                        "is not known at compile time");
        return kernel_abandon(&k);
    }
    struct ir_buffer *out = k.outputs[0];
    struct nest nest = nest_begin(&k, "T_strided_slice");
    const struct ir_expr **axes = nest_axes_of(&nest, out);
    const struct ir_expr **from = kernel_indices(&k, out->ndim);
    for (unsigned d = 0; d < out->ndim; d++)
        from[d] = axes[d];
    for (unsigned i = 0; i < count; i++) {
        unsigned axis = slices[i].axis;
        from[axis] = k_add(&k, kernel_expr(&k, slices[i].begin),
                           k_mul(&k, axes[axis], k_int(&k, slices[i].stride)));
    }
    nest_store(&nest, out, axes, kernel_load(&k, 0, from));
    nest_end(&nest);
    return kernel_finish(&k);
}
