/* Types of what puts values into a tensor: ranks and dims have to fit, or the loops would go beyond an operand. */
#include "ops/internal.h"

/* Has operand @i as many axes as @rank, as far as is known?  False after a report. */
static bool check_rank(const struct infer *in, unsigned i, int rank, const char *why)
{
    const struct ir_type *type = op_tensor(in, i);

    if (type == NULL)
        return false;
    if (type->ndim == IR_NDIM_UNKNOWN || rank == IR_NDIM_UNKNOWN || type->ndim == rank)
        return true;
    const char *name = op_operand_name(in->op->info, i);
    diag_report(in->diag, op_argument_place(in, name), OP_RANK, in->op->info->name, name,
                arena_printf(&in->context->arena, "rank %d, %s", rank, why),
                op_shape_text(in, type));
    return false;
}

/* Has dimension @axis of operand @i that @relation to @dim?  @what says what that is.  False after a report. */
static bool check_dim(const struct infer *in, enum op_relation relation, unsigned i, unsigned axis,
                      const char *what, const struct ir_expr *dim)
{
    const char *name = op_operand_name(in->op->info, i);
    struct op_pair pair = {
        .relation = relation,
        .first = dim,
        .first_name = what,
        .second = op_tensor(in, i)->dims[axis],
        .second_name = arena_printf(&in->context->arena, "dimension %u of `%s`", axis, name),
        .operand = name,
    };

    return op_check_pair(in, &pair);
}

/* Have operands @i and @j that @relation in all dims but @except (-1: none)?  False after a report. */
static bool check_dims(const struct infer *in, enum op_relation relation, unsigned i, unsigned j,
                       int except)
{
    const struct ir_type *first = op_tensor(in, i), *second = op_tensor(in, j);

    for (int d = 0; first->dims && second->dims && d < first->ndim && d < second->ndim; d++)
        if (d != except && !check_dim(in, relation, j, (unsigned)d,
                                      arena_printf(&in->context->arena, "dimension %d of `%s`", d,
                                                   op_operand_name(in->op->info, i)),
                                      first->dims[d]))
            return false;
    return true;
}

bool op_check_indices(const struct infer *in, unsigned axis)
{
    return check_dims(in, OP_DIM_AT_MOST, 0, 1, (int)axis);
}

static bool number_of(const struct infer *in, unsigned i, int64_t *out)
{
    const struct ir_expr *expr = op_operand_prim(in->op, i);

    return expr && ir_expr_constant(in->context, expr, out);
}

/* How many places a slice has that is given by numbers; false: that is not known. */
static bool slice_length(const struct infer *in, const struct ir_expr *extent, int64_t *out)
{
    int64_t start, end, step, all;

    if (!number_of(in, 2, &start) || !number_of(in, 3, &end) || !number_of(in, 4, &step) ||
        !ir_expr_constant(in->context, extent, &all) || start < 0 || step < 1)
        return false;
    end = end < all ? end : all;
    *out = end <= start ? 0 : (end - start - 1) / step + 1;
    return end >= 0;
}

const struct ir_type *infer_slice_scatter(struct ir_module *module, struct diag *diag,
                                          const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *type = op_tensor(&in, 0);
    int64_t count, step;
    unsigned axis = 0;

    if (type == NULL || !check_rank(&in, 1, type->ndim, "as the tensor that it is put into"))
        return NULL;
    struct ir_dtype dtype = type->dtype;
    if (!op_check_same_dtype(&in, 0, 1, &dtype))
        return NULL;
    if (type->ndim != IR_NDIM_UNKNOWN &&
        !op_check_axis(&in, op_attr_int(op, "axis", 0), type->ndim, &axis))
        return NULL;
    if (number_of(&in, 4, &step) && step < 1) {
        diag_report(diag, op_argument_place(&in, "step"), OP_ATTRIBUTE, op->info->name, "step",
                    "must be positive");
        return NULL;
    }
    if (!check_dims(&in, OP_DIM_SAME, 0, 1, (int)axis))
        return NULL;
    if (type->dims && op_tensor(&in, 1)->dims && type->ndim > 0 &&
        !in.pairs && /* a lowering knows more of the bounds */
        slice_length(&in, type->dims[axis], &count) &&
        !check_dim(&in, OP_DIM_SAME, 1, axis, "the length of the slice", op_int(&in, count)))
        return NULL;
    return type;
}

const struct ir_type *infer_scatter_elements(struct ir_module *module, struct diag *diag,
                                             const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *type = op_tensor(&in, 0);
    unsigned axis = 0;

    if (type == NULL || !check_rank(&in, 1, type->ndim, "as the data") ||
        !check_rank(&in, 2, type->ndim, "as the data"))
        return NULL;
    if (type->ndim != IR_NDIM_UNKNOWN &&
        !op_check_axis(&in, op_attr_int(op, "axis", 0), type->ndim, &axis))
        return NULL;
    return op_check_indices(&in, axis) && check_dims(&in, OP_DIM_SAME, 1, 2, -1) ? type : NULL;
}

/* Of @indices, the last axis holds index tuples: those before it, and what a tuple leaves of the data, are updated. */
const struct ir_type *infer_scatter_nd(struct ir_module *module, struct diag *diag,
                                       const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *type = op_tensor(&in, 0), *indices = op_tensor(&in, 1);
    int64_t depth;

    if (type == NULL || indices == NULL)
        return NULL;
    if (type->ndim == IR_NDIM_UNKNOWN || indices->dims == NULL ||
        !ir_expr_constant(in.context, indices->dims[indices->ndim - 1], &depth))
        return type;
    if (depth < 1 || depth > type->ndim) {
        diag_report(diag, op_argument_place(&in, "indices"), OP_DIMS, op->info->name,
                    "the last dimension of `indices`", op_dim_text(&in, op_int(&in, depth)),
                    "the rank of `data`, the most that it can be,",
                    op_dim_text(&in, op_int(&in, type->ndim)));
        return NULL;
    }
    int outer = indices->ndim - 1, ndim = outer + type->ndim - (int)depth;
    const struct ir_expr **dims = op_dims(&in, (unsigned)ndim);
    for (int d = 0; d < outer; d++)
        dims[d] = indices->dims[d];
    for (int d = outer; type->dims && d < ndim; d++)
        dims[d] = type->dims[d - outer + depth];
    const struct ir_type *updates =
        op_result_type(&in, type->dtype, type->dims ? dims : NULL, ndim);
    return op_check_as(&in, 2, updates, "what `indices` name") ? type : NULL;
}

bool op_check_batch(const struct infer *in, unsigned i, unsigned j, unsigned count)
{
    const struct ir_type *first = op_tensor(in, i);

    for (unsigned d = 0; d < count; d++)
        if (!check_dim(in, OP_DIM_SAME, j, d,
                       arena_printf(&in->context->arena, "dimension %u of `%s`", d,
                                    op_operand_name(in->op->info, i)),
                       first->dims[d]))
            return false;
    return true;
}

const struct ir_type *infer_masked_fill(struct ir_module *module, struct diag *diag,
                                        const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *type = op_tensor(&in, 0), *mask = op_tensor(&in, 1);

    if (type == NULL || mask == NULL)
        return NULL;
    if (type->ndim != IR_NDIM_UNKNOWN && mask->ndim > type->ndim &&
        !check_rank(&in, 1, type->ndim, "as the tensor that it masks"))
        return NULL;
    const struct ir_type *both[] = {type, mask};
    const struct ir_expr *const *dims;
    int ndim;
    /* The mask is broadcast to the tensor, not the other way round. */
    if (!op_broadcast(&in, both, 2, &dims, &ndim))
        return NULL;
    int shift = type->ndim - mask->ndim;
    for (int d = 0; type->dims && mask->dims && d < mask->ndim; d++)
        if (!check_dim(&in, OP_DIM_SAME_OR_ONE, 1, (unsigned)d,
                       arena_printf(&in.context->arena, "dimension %d of `%s`", d + shift,
                                    op_operand_name(op->info, 0)),
                       type->dims[d + shift]))
            return NULL;
    return type;
}
