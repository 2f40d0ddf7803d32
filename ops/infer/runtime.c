/* Types of operators on shapes and devices, and of effects. */
#include "ops/internal.h"

const struct ir_type *infer_shape_of(struct ir_module *module, struct diag *diag,
                                     const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *type = op_tensor(&in, 0);

    return type == NULL ? NULL : ir_type_shape(module->context, type->dims, type->ndim);
}

const struct ir_type *infer_size(struct ir_module *module, struct diag *diag,
                                 const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);

    return op_result_type(&in, IR_I64, op_dims(&in, 0), 0);
}

const struct ir_type *infer_tensor_to_shape(struct ir_module *module, struct diag *diag,
                                            const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *type = op_tensor(&in, 0);
    int64_t count;

    if (type == NULL)
        return NULL;
    if (type->ndim != IR_NDIM_UNKNOWN && type->ndim != 1) {
        diag_report(diag, op->loc, OP_RANK, op->info->name, "expr", "rank 1",
                    op_shape_text(&in, type));
        return NULL;
    }
    bool is_known = type->dims != NULL && ir_expr_constant(in.context, type->dims[0], &count) &&
                    count >= 0 && count <= 1024;
    return ir_type_shape(module->context, NULL, is_known ? (int)count : IR_NDIM_UNKNOWN);
}

const struct ir_type *infer_shape_to_tensor(struct ir_module *module, struct diag *diag,
                                            const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *shape = op_shape(&in, 0);

    if (shape == NULL)
        return NULL;
    if (shape->ndim == IR_NDIM_UNKNOWN)
        return ir_type_tensor(module->context, IR_I64, NULL, 1);
    const struct ir_expr *dim = op_int(&in, shape->ndim);
    return ir_type_tensor(module->context, IR_I64, &dim, 1);
}

const struct ir_type *infer_inspect_small(struct ir_module *module, struct diag *diag,
                                          const struct ir_op *op)
{
    return ir_type_prim(module->context, IR_DTYPE(IR_UINT, 8));
}

const struct ir_type *infer_inspect_lanes(struct ir_module *module, struct diag *diag,
                                          const struct ir_op *op)
{
    return ir_type_prim(module->context, IR_DTYPE(IR_UINT, 16));
}

const struct ir_type *infer_inspect_ndim(struct ir_module *module, struct diag *diag,
                                         const struct ir_op *op)
{
    return ir_type_prim(module->context, IR_I32);
}

const struct ir_type *infer_inspect_long(struct ir_module *module, struct diag *diag,
                                         const struct ir_op *op)
{
    return ir_type_prim(module->context, IR_I64);
}

const struct ir_type *infer_assert_op(struct ir_module *module, struct diag *diag,
                                      const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *type = op->operands[0].value->type;
    char name[32];

    if (type->kind != IR_TYPE_PRIM && op_tensor(&in, 0) == NULL)
        return NULL;
    bool is_scalar = type->kind != IR_TYPE_TENSOR || type->ndim <= 0;
    if (!is_scalar) {
        diag_report(diag, op->loc, OP_RANK, op->info->name, "condition", "rank 0",
                    op_shape_text(&in, type));
        return NULL;
    }
    if (type->kind != IR_TYPE_ANY && !ir_dtype_is_void(type->dtype) &&
        !ir_dtype_is_bool(type->dtype)) {
        diag_report(diag, op->loc, OP_OPERAND_KIND, op->info->name, "condition", "a bool",
                    ir_dtype_name(type->dtype, name));
        return NULL;
    }
    return ir_type_tuple(module->context, NULL, 0);
}

/* Dim @axis divided among the workers, or multiplied by them. */
static const struct ir_type *by_workers(const struct infer *in, int64_t axis, bool divides)
{
    const struct ir_type *type = op_tensor(in, 0);
    int64_t workers = op_attr_int(in->op, "num_workers", 1);
    unsigned d;

    if (type == NULL)
        return NULL;
    if (type->dims == NULL || workers < 1)
        return op_result_type(in, type->dtype, NULL, type->ndim);
    if (!op_check_axis(in, axis, type->ndim, &d))
        return NULL;
    const struct ir_expr **dims = op_dims(in, (unsigned)type->ndim);
    for (int i = 0; i < type->ndim; i++)
        dims[i] = type->dims[i];
    dims[d] = divides ? ir_simplify(in->context, ir_expr_binary(in->context, IR_EXPR_floordiv,
                                                                dims[d], op_int(in, workers)))
                      : dim_mul(in->context, dims[d], op_int(in, workers));
    return op_result_type(in, type->dtype, dims, type->ndim);
}

const struct ir_type *infer_scatter_collective(struct ir_module *module, struct diag *diag,
                                               const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);

    return by_workers(&in, op_attr_int(op, "axis", 0), true);
}

const struct ir_type *infer_allgather(struct ir_module *module, struct diag *diag,
                                      const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);

    return by_workers(&in, 0, false);
}
