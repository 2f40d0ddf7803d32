/* Types of reductions, searches, running sums and sorting. */
#include "ops/internal.h"

#include <string.h>

/* @type without the axes in @flags (all if NULL), or with them as 1. */
static const struct ir_type *reduced(const struct infer *in, const struct ir_type *type,
                                     const bool *flags, bool keepdims, struct ir_dtype dtype)
{
    unsigned ndim = (unsigned)type->ndim, count = 0;
    const struct ir_expr **dims = op_dims(in, ndim);

    for (unsigned d = 0; d < ndim; d++) {
        if (flags != NULL && !flags[d]) {
            dims[count++] = type->dims != NULL ? type->dims[d] : NULL;
        } else if (keepdims) {
            dims[count++] = op_int(in, 1);
        }
    }
    bool is_known = true;
    for (unsigned d = 0; d < count; d++)
        is_known = is_known && dims[d] != NULL;
    return op_result_type(in, dtype, is_known ? dims : NULL, (int)count);
}

static const struct ir_type *infer_reduced(const struct infer *in, const struct ir_attr *axes,
                                           struct ir_dtype dtype)
{
    const struct ir_type *type = op_tensor(in, 0);
    bool keepdims = ir_op_attr(in->op, "keepdims")->boolean;
    const bool *flags = NULL;

    if (type == NULL)
        return NULL;
    if (ir_dtype_is_void(dtype))
        dtype = type->dtype;
    if (type->ndim == IR_NDIM_UNKNOWN)
        return axes->kind == IR_ATTR_NONE && !keepdims
                   ? op_result_type(in, dtype, op_dims(in, 0), 0)
                   : op_result_type(in, dtype, NULL, IR_NDIM_UNKNOWN);
    if (axes->kind == IR_ATTR_INT)
        axes = ir_attr_list(in->context, &axes, 1);
    if (axes->kind == IR_ATTR_LIST) {
        flags = op_check_axes(in, axes, type->ndim);
        if (flags == NULL)
            return NULL;
    }
    return reduced(in, type, flags, keepdims, dtype);
}

const struct ir_type *infer_reduction(struct ir_module *module, struct diag *diag,
                                      const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);

    return infer_reduced(&in, ir_op_attr(op, "axis"), IR_VOID);
}

const struct ir_type *infer_argmax(struct ir_module *module, struct diag *diag,
                                   const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);

    return infer_reduced(&in, ir_op_attr(op, "axis"), IR_I64);
}

const struct ir_type *infer_median(struct ir_module *module, struct diag *diag,
                                   const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_attr *axes = ir_op_attr(op, "axis");
    const struct ir_type *fields[2];

    fields[0] = infer_reduced(&in, axes, IR_VOID);
    if (fields[0] == NULL)
        return NULL;
    if (axes->kind != IR_ATTR_LIST || axes->count != 1)
        return fields[0];
    fields[1] = infer_reduced(&in, axes, IR_I64);
    return ir_type_tuple(module->context, fields, 2);
}

const struct ir_type *infer_scan(struct ir_module *module, struct diag *diag,
                                 const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *type = op_tensor(&in, 0);
    unsigned axis;

    if (type == NULL)
        return NULL;
    struct ir_dtype dtype = op_attr_dtype(op, "dtype", type->dtype);
    if (!op_attr_is_none(op, "axis")) {
        if (type->ndim != IR_NDIM_UNKNOWN &&
            !op_check_axis(&in, op_attr_int(op, "axis", 0), type->ndim, &axis))
            return NULL;
        return op_result_type(&in, dtype, type->dims, type->ndim);
    }
    if (type->dims == NULL)
        return op_result_type(&in, dtype, NULL, 1);
    const struct ir_expr *dim = dim_product(in.context, type->dims, (unsigned)type->ndim);
    return op_result_type(&in, dtype, &dim, 1);
}

const struct ir_type *infer_bucketize(struct ir_module *module, struct diag *diag,
                                      const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *type = op_tensor(&in, 0), *boundaries = op_tensor(&in, 1);

    if (type == NULL || boundaries == NULL)
        return NULL;
    if (boundaries->ndim != IR_NDIM_UNKNOWN && boundaries->ndim != 1) {
        const char *name = op_operand_name(op->info, 1);
        diag_report(diag, op_argument_place(&in, name), OP_RANK, op->info->name, name, "rank 1",
                    op_shape_text(&in, boundaries));
        return NULL;
    }
    return op_result_type(&in, ir_op_attr(op, "out_int32")->boolean ? IR_I32 : IR_I64, type->dims,
                          type->ndim);
}

const struct ir_type *infer_argsort(struct ir_module *module, struct diag *diag,
                                    const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *type = op_tensor(&in, 0);

    if (type == NULL)
        return NULL;
    return op_result_type(&in, op_attr_dtype(op, "dtype", type->dtype), type->dims, type->ndim);
}

const struct ir_type *infer_topk(struct ir_module *module, struct diag *diag,
                                 const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *type = op_tensor(&in, 0);
    const struct ir_type *fields[2];
    const char *kind = ir_op_attr(op, "ret_type")->string;
    const struct ir_expr **dims = NULL;
    unsigned axis = 0;
    int64_t k = op_attr_int(op, "k", 1);

    if (type == NULL)
        return NULL;
    if (type->ndim != IR_NDIM_UNKNOWN &&
        !op_check_axis(&in, op_attr_int(op, "axis", -1), type->ndim, &axis))
        return NULL;
    if (type->dims != NULL && type->ndim > 0) {
        dims = op_dims(&in, (unsigned)type->ndim);
        for (int d = 0; d < type->ndim; d++)
            dims[d] = type->dims[d];
        if (k > 0)
            dims[axis] = dim_at_most(in.context, op_int(&in, k), dims[axis]);
    }
    fields[0] = op_result_type(&in, type->dtype, dims, type->ndim);
    fields[1] = op_result_type(&in, op_attr_dtype(op, "dtype", type->dtype), dims, type->ndim);
    if (strcmp(kind, "values") == 0)
        return fields[0];
    if (strcmp(kind, "indices") == 0)
        return fields[1];
    return ir_type_tuple(module->context, fields, 2);
}

const struct ir_type *infer_nonzero(struct ir_module *module, struct diag *diag,
                                    const struct ir_op *op)
{
    return ir_type_tensor(module->context, IR_I64, NULL, 2);
}

static bool is_true(const struct ir_op *op, unsigned i)
{
    const struct ir_expr *flag = op_operand_prim(op, i);

    return flag != NULL && !ir_expr_is_int(flag, 0);
}

/* The distinct elements, then what else is asked for: indices, inverse, counts. */
const struct ir_type *infer_unique(struct ir_module *module, struct diag *diag,
                                   const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *type = op_tensor(&in, 0), *fields[4];
    unsigned count = 1;

    if (type == NULL)
        return NULL;
    const struct ir_expr *axis = op_operand_prim(op, 5);
    bool has_axis = op_has_operand(op, 5) && !ir_type_is_void(op->operands[5].value->type);
    int64_t literal;
    unsigned place;

    if (axis != NULL && ir_expr_constant(in.context, axis, &literal) &&
        type->ndim != IR_NDIM_UNKNOWN && !op_check_axis(&in, literal, type->ndim, &place))
        return NULL;
    fields[0] = op_result_type(&in, type->dtype, NULL, has_axis ? type->ndim : 1);
    for (unsigned i = 2; i <= 4; i++) {
        if (op_has_operand(op, i) && op_operand_prim(op, i) == NULL)
            return ir_type_any(module->context);
        if (is_true(op, i))
            fields[count++] = op_result_type(&in, IR_I64, NULL, 1);
    }
    return count == 1 ? fields[0] : ir_type_tuple(module->context, fields, count);
}

/* One row for each row of the indices. */
const struct ir_type *infer_multinomial(struct ir_module *module, struct diag *diag,
                                        const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *indices = op_tensor(&in, 2);
    const struct ir_expr *dims[2];

    if (indices == NULL)
        return NULL;
    if (indices->dims != NULL && indices->ndim > 0)
        dims[0] = indices->dims[0];
    dims[1] = op_int(&in, 1);
    return op_result_type(&in, op_attr_dtype(op, "dtype", IR_I64),
                          indices->dims != NULL && indices->ndim > 0 ? dims : NULL, 2);
}
