/* Types of index_tensor and index_put: tensors of indices for the first axes, broadcast together. */
#include "ops/internal.h"

/* The index tensors of operand 1; false after a report. */
static bool index_tensors(const struct infer *in, const struct ir_type *const **out_types,
                          unsigned *out_count)
{
    char name[32];

    if (!op_tensors(in, 1, out_types, out_count))
        return false;
    if (*out_count == 0 && in->op->operands[1].value->type->kind == IR_TYPE_TUPLE) {
        const char *indices = op_operand_name(in->op->info, 1);
        diag_report(in->diag, op_argument_place(in, indices), OP_OPERAND_KIND, in->op->info->name,
                    indices, "one tensor or more", "an empty tuple");
        return false;
    }
    for (unsigned i = 0; i < *out_count; i++) {
        struct ir_dtype dtype = (*out_types)[i]->dtype;
        if (ir_dtype_is_void(dtype) || ir_dtype_is_int(dtype))
            continue;
        diag_report(in->diag, op_argument_place(in, op_operand_name(in->op->info, 1)),
                    OP_OPERAND_KIND, in->op->info->name, op_operand_name(in->op->info, 1),
                    "tensors of integers",
                    arena_printf(&in->context->arena, "of %s", ir_dtype_name(dtype, name)));
        return false;
    }
    return true;
}

/* What index_tensor gives; NULL after a report. */
static const struct ir_type *indexed_type(const struct infer *in, const struct ir_type *data)
{
    const struct ir_type *const *types;
    const struct ir_expr *const *outer;
    unsigned count;
    int ndim;

    if (!index_tensors(in, &types, &count))
        return NULL;
    if (data->ndim != IR_NDIM_UNKNOWN && count > (unsigned)data->ndim) {
        diag_report(in->diag, in->op->loc, OP_INDEX_COUNT, in->op->info->name, count, data->ndim);
        return NULL;
    }
    if (!op_broadcast(in, types, count, &outer, &ndim))
        return NULL;
    if (count == 0 || data->ndim == IR_NDIM_UNKNOWN || ndim == IR_NDIM_UNKNOWN)
        return op_result_type(in, data->dtype, NULL, IR_NDIM_UNKNOWN);
    int rank = ndim + data->ndim - (int)count;
    if ((outer == NULL && ndim > 0) || data->dims == NULL)
        return op_result_type(in, data->dtype, NULL, rank);
    const struct ir_expr **dims = op_dims(in, (unsigned)rank);
    for (int d = 0; d < rank; d++)
        dims[d] = d < ndim ? outer[d] : data->dims[d - ndim + (int)count];
    return op_result_type(in, data->dtype, dims, rank);
}

const struct ir_type *infer_index_tensor(struct ir_module *module, struct diag *diag,
                                         const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *data = op_tensor(&in, 0);

    return data == NULL ? NULL : indexed_type(&in, data);
}

const struct ir_type *infer_index_put(struct ir_module *module, struct diag *diag,
                                      const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *data = op_tensor(&in, 0), *values = op_tensor(&in, 2), *places;
    const struct ir_expr *const *dims;
    struct ir_dtype dtype = data ? data->dtype : IR_VOID;
    int ndim;

    if (data == NULL || values == NULL || !op_check_same_dtype(&in, 0, 2, &dtype) ||
        (places = indexed_type(&in, data)) == NULL)
        return NULL;
    const struct ir_type *both[] = {places, values};
    if (!op_broadcast(&in, both, 2, &dims, &ndim))
        return NULL;
    if (places->ndim != IR_NDIM_UNKNOWN && values->ndim > places->ndim) {
        diag_report(diag, op->loc, OP_RANK, op->info->name, "values",
                    "at most the rank of what is indexed", op_shape_text(&in, values));
        return NULL;
    }
    return data;
}
