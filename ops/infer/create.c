/* Types of operators that make tensors from shapes, numbers and other tensors' shapes. */
#include "ops/internal.h"

#include <math.h>

const struct ir_type *infer_init(struct ir_module *module, struct diag *diag,
                                 const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *shape = op_shape(&in, 0);

    if (shape == NULL)
        return NULL;
    return op_result_type(&in, op_attr_dtype(op, "dtype", IR_VOID), shape->dims, shape->ndim);
}

/* The dtype of a fill value; false after a report. */
static bool fill_dtype(const struct infer *in, struct ir_dtype *out)
{
    const struct ir_type *type = in->op->operands[1].value->type;

    *out = IR_VOID;
    if (type->kind == IR_TYPE_PRIM || type->kind == IR_TYPE_ANY) {
        *out = type->kind == IR_TYPE_PRIM ? type->dtype : IR_VOID;
        return true;
    }
    type = op_tensor(in, 1);
    if (type == NULL)
        return false;
    if (type->ndim > 0) {
        diag_report(in->diag, op_argument_place(in, "fill_value"), OP_RANK, in->op->info->name,
                    "fill_value", "rank 0", op_shape_text(in, type));
        return false;
    }
    *out = type->dtype;
    return true;
}

const struct ir_type *infer_full(struct ir_module *module, struct diag *diag,
                                 const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *shape = op_shape(&in, 0);
    struct ir_dtype dtype;

    if (shape == NULL || !fill_dtype(&in, &dtype))
        return NULL;
    return op_result_type(&in, op_attr_dtype(op, "dtype", dtype), shape->dims, shape->ndim);
}

const struct ir_type *infer_init_like(struct ir_module *module, struct diag *diag,
                                      const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *type = op_tensor(&in, 0);

    if (type == NULL)
        return NULL;
    return op_result_type(&in, op_attr_dtype(op, "dtype", type->dtype), type->dims, type->ndim);
}

const struct ir_type *infer_full_like(struct ir_module *module, struct diag *diag,
                                      const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    struct ir_dtype dtype;

    if (!fill_dtype(&in, &dtype))
        return NULL;
    return infer_init_like(module, diag, op);
}

/* A scalar operand as a dim: not below 0. */
static const struct ir_expr *prim_dim(const struct infer *in, unsigned i)
{
    const struct ir_expr *value = op_operand_prim(in->op, i);

    if (value == NULL || !ir_dtype_is_int(value->dtype))
        return NULL;
    return dim_at_least(in->context, ir_expr_cast(in->context, IR_I64, value), 0);
}

const struct ir_type *infer_eye(struct ir_module *module, struct diag *diag, const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_expr *dims[2];

    dims[0] = prim_dim(&in, 0);
    dims[1] = op_has_operand(op, 1) ? prim_dim(&in, 1) : dims[0];
    return op_result_type(&in, op_attr_dtype(op, "dtype", IR_F32),
                          dims[0] != NULL && dims[1] != NULL ? dims : NULL, 2);
}

static bool literal_value(const struct ir_expr *expr, double *out)
{
    if (expr->kind == IR_EXPR_int)
        *out = (double)expr->int_value;
    else if (expr->kind == IR_EXPR_float)
        *out = expr->float_value;
    else
        return false;
    return true;
}

/* Start, end and step of arange, with what is left out filled in; false if one cannot be seen. */
bool op_arange_bounds(struct ir_context *context, const struct ir_op *op,
                      const struct ir_expr *out_bounds[3])
{
    bool has_end = op_has_operand(op, 1);

    out_bounds[0] = has_end ? op_operand_prim(op, 0) : ir_expr_int(context, IR_I64, 0);
    out_bounds[1] = op_operand_prim(op, has_end ? 1 : 0);
    out_bounds[2] =
        op_has_operand(op, 2) ? op_operand_prim(op, 2) : ir_expr_int(context, IR_I64, 1);
    return out_bounds[0] != NULL && out_bounds[1] != NULL && out_bounds[2] != NULL;
}

/* How many numbers there are, or NULL if that is not known. */
static const struct ir_expr *arange_count(const struct infer *in, const struct ir_expr **bounds,
                                          bool is_float)
{
    double start, end, step;
    int64_t stride;

    if (literal_value(bounds[0], &start) && literal_value(bounds[1], &end) &&
        literal_value(bounds[2], &step) && is_float) {
        double count = ceil((end - start) / step);
        if (!(count > 0))
            count = 0;
        return count < 0x1p62 ? op_int(in, (int64_t)count) : NULL;
    }
    if (is_float || !ir_expr_constant(in->context, bounds[2], &stride) || stride == 0 ||
        stride == INT64_MIN)
        return NULL;
    const struct ir_expr *first = ir_expr_cast(in->context, IR_I64, bounds[stride > 0 ? 0 : 1]);
    const struct ir_expr *last = ir_expr_cast(in->context, IR_I64, bounds[stride > 0 ? 1 : 0]);
    const struct ir_expr *distance = dim_sub(in->context, last, first);
    return dim_at_least(in->context,
                        dim_ceildiv(in->context, distance, stride > 0 ? stride : -stride), 0);
}

const struct ir_type *infer_arange(struct ir_module *module, struct diag *diag,
                                   const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_expr *bounds[3];
    bool is_float = false;
    int64_t stride;

    if (!op_arange_bounds(in.context, op, bounds))
        return op_result_type(&in, op_attr_dtype(op, "dtype", IR_VOID), NULL, 1);
    for (unsigned i = 0; i < 3; i++)
        is_float = is_float || !ir_dtype_is_int(bounds[i]->dtype);
    if ((bounds[2]->kind == IR_EXPR_float && bounds[2]->float_value == 0) ||
        (ir_expr_constant(in.context, bounds[2], &stride) && stride == 0)) {
        diag_report(diag, op->loc, OP_ATTRIBUTE, op->info->name, "step", "must not be 0");
        return NULL;
    }
    const struct ir_expr *count = arange_count(&in, bounds, is_float);
    return op_result_type(&in, op_attr_dtype(op, "dtype", is_float ? IR_F32 : IR_I64),
                          count != NULL ? &count : NULL, 1);
}

const struct ir_type *infer_hamming_window(struct ir_module *module, struct diag *diag,
                                           const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_expr *dim = prim_dim(&in, 0);

    struct ir_dtype dtype = op_attr_dtype(op, "dtype", IR_F32);
    char name[32];
    if (!ir_dtype_is_float(dtype)) {
        diag_report(diag, op_argument_place(&in, "dtype"), OP_DTYPE, op->info->name,
                    ir_dtype_name(dtype, name));
        return NULL;
    }
    return op_result_type(&in, dtype, dim != NULL ? &dim : NULL, 1);
}

const struct ir_type *infer_triangle(struct ir_module *module, struct diag *diag,
                                     const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *type = op_tensor(&in, 0);

    if (type == NULL)
        return NULL;
    if (type->ndim != IR_NDIM_UNKNOWN && type->ndim < 2) {
        diag_report(diag, op->loc, OP_RANK, op->info->name, "x", "rank 2 or more",
                    op_shape_text(&in, type));
        return NULL;
    }
    return type;
}
