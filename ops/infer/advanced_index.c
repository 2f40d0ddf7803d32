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

/* Each two index tensors are broadcast together, be it in a run; false after a report. */
static bool check_indices(const struct infer *in, const struct ir_type *const *types,
                          unsigned count)
{
    struct arena *arena = &in->context->arena;

    for (unsigned i = 0; i < count; i++) {
        for (unsigned j = 0; j < i; j++) {
            int a = types[j]->ndim - 1, b = types[i]->ndim - 1;
            for (; types[i]->dims && types[j]->dims && a >= 0 && b >= 0; a--, b--) {
                struct op_pair pair = {
                    .relation = OP_DIM_EITHER_ONE,
                    .first = types[j]->dims[a],
                    .first_name = arena_printf(arena, "dimension %d of `indices[%u]`", a, j),
                    .second = types[i]->dims[b],
                    .second_name = arena_printf(arena, "dimension %d of `indices[%u]`", b, i),
                    .operand = "indices",
                };
                if (!op_check_pair(in, &pair))
                    return false;
            }
        }
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
    if (!op_broadcast(in, types, count, &outer, &ndim) || !check_indices(in, types, count))
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

/* The values are broadcast to the places, not the other way round; false after a report. */
static bool check_values(const struct infer *in, const struct ir_type *places,
                         const struct ir_type *values)
{
    struct arena *arena = &in->context->arena;
    int shift = places->ndim - values->ndim;

    for (int d = 0; places->dims && values->dims && d < values->ndim; d++) {
        struct op_pair pair = {
            .relation = OP_DIM_SAME_OR_ONE,
            .first = places->dims[shift + d],
            .first_name = arena_printf(arena, "dimension %d of what is indexed", shift + d),
            .second = values->dims[d],
            .second_name = arena_printf(arena, "dimension %d of `values`", d),
            .operand = "values",
        };
        if (!op_check_pair(in, &pair))
            return false;
    }
    return true;
}

const struct ir_type *infer_index_put(struct ir_module *module, struct diag *diag,
                                      const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *data = op_tensor(&in, 0), *values = op_tensor(&in, 2), *places;
    struct ir_dtype dtype = data ? data->dtype : IR_VOID;

    if (data == NULL || values == NULL || !op_check_same_dtype(&in, 0, 2, &dtype) ||
        (places = indexed_type(&in, data)) == NULL)
        return NULL;
    if (places->ndim != IR_NDIM_UNKNOWN && values->ndim > places->ndim) {
        diag_report(diag, op->loc, OP_RANK, op->info->name, "values",
                    "at most the rank of what is indexed", op_shape_text(&in, values));
        return NULL;
    }
    return check_values(&in, places, values) ? data : NULL;
}
