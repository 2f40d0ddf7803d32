/* Types of operators that pick elements: slices, and elements at indices. */
#include "ops/internal.h"

#include <string.h>

/* Operand @i as a tensor of indices; NULL after a report. */
static const struct ir_type *index_tensor(const struct infer *in, unsigned i)
{
    const struct ir_type *type = op_tensor(in, i);
    char name[32];

    if (type == NULL || ir_dtype_is_void(type->dtype) || ir_dtype_is_int(type->dtype))
        return type;
    struct diag_message *m = diag_report(
        in->diag, op_argument_place(in, op_operand_name(in->op->info, i)), OP_OPERAND_KIND,
        in->op->info->name, op_operand_name(in->op->info, i), "a tensor of integers",
        arena_printf(&in->context->arena, "of %s", ir_dtype_name(type->dtype, name)));
    op_label_dtype(in, m, i);
    if (ir_dtype_is_float(type->dtype)) {
        diag_help(m, "convert it: `R.astype(.., \"int64\")`");
        op_help_astype(in, m, i, "int64");
        diag_help_unsure(m);
    }
    return NULL;
}

/* The dims of @outer with axis @axis replaced by all of @inner; NULL if not known. */
static const struct ir_expr **splice(const struct infer *in, const struct ir_type *outer,
                                     unsigned axis, const struct ir_type *inner)
{
    unsigned inner_ndim = (unsigned)inner->ndim, outer_ndim = (unsigned)outer->ndim, count = 0;

    if (outer->dims == NULL || (inner->dims == NULL && inner_ndim > 0))
        return NULL;
    const struct ir_expr **dims = op_dims(in, outer_ndim + inner_ndim);
    for (unsigned d = 0; d < axis; d++)
        dims[count++] = outer->dims[d];
    for (unsigned d = 0; d < inner_ndim; d++)
        dims[count++] = inner->dims[d];
    for (unsigned d = axis + 1; d < outer_ndim; d++)
        dims[count++] = outer->dims[d];
    return dims;
}

const struct ir_type *infer_take(struct ir_module *module, struct diag *diag,
                                 const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *type = op_tensor(&in, 0);
    const struct ir_type *indices = op->operands[1].value->type;
    const char *mode = ir_op_attr(op, "mode")->string;
    unsigned axis = 0;

    if (type == NULL)
        return NULL;
    if (strcmp(mode, "fast") != 0 && strcmp(mode, "clip") != 0 && strcmp(mode, "wrap") != 0 &&
        strcmp(mode, "nan") != 0) {
        diag_report(diag, op->loc, OP_ATTRIBUTE, op->info->name, "mode",
                    "must be \"fast\", \"clip\", \"wrap\" or \"nan\"");
        return NULL;
    }
    if (indices->kind == IR_TYPE_PRIM) /* one index: the axis goes away */
        indices = ir_type_tensor(in.context, indices->dtype, op_dims(&in, 0), 0);
    else
        indices = index_tensor(&in, 1);
    if (indices == NULL)
        return NULL;
    if (op_attr_is_none(op, "axis"))
        return op_result_type(&in, type->dtype, indices->dims, indices->ndim);
    if (type->ndim == IR_NDIM_UNKNOWN)
        return op_result_type(&in, type->dtype, NULL, IR_NDIM_UNKNOWN);
    if (!op_check_axis(&in, op_attr_int(op, "axis", 0), type->ndim, &axis))
        return NULL;
    if (indices->ndim == IR_NDIM_UNKNOWN)
        return op_result_type(&in, type->dtype, NULL, IR_NDIM_UNKNOWN);
    return op_result_type(&in, type->dtype, splice(&in, type, axis, indices),
                          type->ndim - 1 + indices->ndim);
}

/* What take picked has a gradient each. */
static bool check_take_gradient(const struct infer *in)
{
    const struct ir_type *type = op_tensor(in, 1), *indices = op_tensor(in, 2);
    unsigned axis;

    if (type == NULL || indices == NULL)
        return false;
    if (op_attr_is_none(in->op, "axis"))
        return op_check_as(in, 0, indices, "what `take` gives");
    if (type->ndim == IR_NDIM_UNKNOWN || indices->ndim == IR_NDIM_UNKNOWN)
        return true;
    if (!op_check_axis(in, op_attr_int(in->op, "axis", 0), type->ndim, &axis))
        return false;
    const struct ir_type *taken = op_result_type(in, type->dtype, splice(in, type, axis, indices),
                                                 type->ndim - 1 + indices->ndim);
    return op_check_as(in, 0, taken, "what `take` gives");
}

const struct ir_type *infer_take_backward(struct ir_module *module, struct diag *diag,
                                          const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);

    return check_take_gradient(&in) ? op_tensor(&in, 1) : NULL;
}

/*
 * @index, from the end of @extent where it is negative, which nobody knows: index + extent * min(max(-index, 0), 1).
 * The last place, extent - 1, is negative where nothing is there, and is the same from both ends then.
 */
static const struct ir_expr *from_either_end(const struct infer *in, const struct ir_expr *index,
                                             const struct ir_expr *extent)
{
    struct ir_context *context = in->context;
    const struct ir_expr *zero = op_int(in, 0), *one = op_int(in, 1);

    if (ir_prove_equal(context, index, dim_sub(context, extent, one)))
        return index;
    const struct ir_expr *below = dim_at_least(context, dim_sub(context, zero, index), 0);
    return dim_add(context, index, dim_mul(context, extent, dim_at_most(context, below, one)));
}

/* Is it arithmetic of int64, as a shape holds it? */
static bool is_of_shapes(void *state, const struct ir_expr *e)
{
    bool *is_good = state;

    *is_good = *is_good && ir_dtype_equal(e->dtype, IR_I64) &&
               (e->operand_count == 0 || (e->kind >= IR_EXPR_add && e->kind <= IR_EXPR_max));
    return *is_good;
}

/* @index as Python counts it, limited to low .. high; NULL if its sign is not known, and no shape could hold it. */
static const struct ir_expr *slice_bound(const struct infer *in, const struct ir_expr *index,
                                         const struct ir_expr *extent, int64_t low,
                                         const struct ir_expr *high)
{
    struct ir_context *context = in->context;
    int64_t value;

    index = ir_simplify(context, index);
    if (ir_expr_constant(context, index, &value)) {
        if (value >= INT64_MAX / 2) /* no dim is as large */
            return high;
        if (value <= INT64_MIN / 2)
            return op_int(in, low);
        if (value < 0)
            index = dim_add(context, extent, index);
    } else if (!ir_prove_ge(context, NULL, index, op_int(in, 0))) {
        bool is_good = true;
        ir_expr_walk(index, is_of_shapes, &is_good);
        if (!is_good)
            return NULL;
        index = from_either_end(in, index, extent);
    }
    return dim_at_most(context, dim_at_least(context, index, low), high);
}

static bool make_slice(const struct infer *in, const struct ir_expr *extent,
                       const struct ir_expr *begin, const struct ir_expr *end, struct slice *out)
{
    struct ir_context *context = in->context;
    bool is_back = out->stride < 0;
    const struct ir_expr *high = is_back ? dim_sub(context, extent, op_int(in, 1)) : extent;
    const struct ir_expr *distance;

    out->begin = begin;
    if (!ir_op_attr(in->op, "assume_inbound")->boolean) {
        out->begin = slice_bound(in, begin, extent, is_back ? -1 : 0, high);
        end = slice_bound(in, end, extent, is_back ? -1 : 0, high);
        if (!out->begin || !end)
            return false;
    }
    distance = is_back ? dim_sub(context, out->begin, end) : dim_sub(context, end, out->begin);
    out->count = dim_at_least(
        context, dim_ceildiv(context, distance, is_back ? -out->stride : out->stride), 0);
    return true;
}

bool op_slices(const struct infer *in, const struct ir_type *type, struct slice **out_slices,
               unsigned *out_count, bool *out_failed)
{
    const struct ir_expr *const *lists[4] = {0};
    unsigned counts[4] = {0};
    const struct ir_op *op = in->op;
    bool has_strides = op_has_operand(op, 4);

    *out_failed = true;
    for (unsigned i = 0; i < 3u + has_strides; i++) {
        if (!op_operand_prims(in->module, op, i + 1, &lists[i], &counts[i])) {
            *out_failed = false;
            return false;
        }
        if (counts[i] == counts[0])
            continue;
        diag_report(
            in->diag, op_argument_place(in, op_operand_name(op->info, i + 1)), OP_ATTRIBUTE,
            op->info->name, op_operand_name(op->info, i + 1),
            arena_printf(&in->context->arena, "has %u entries for %u axes", counts[i], counts[0]));
        return false;
    }
    struct slice *slices = arena_array(&in->module->arena, struct slice, counts[0] + 1);
    bool *seen = arena_array(&in->module->arena, bool, (unsigned)type->ndim + 1);
    for (unsigned i = 0; i < counts[0]; i++) {
        int64_t axis;
        slices[i].stride = 1;
        if (!ir_expr_constant(in->context, lists[0][i], &axis) ||
            (has_strides && !ir_expr_constant(in->context, lists[3][i], &slices[i].stride))) {
            *out_failed = false;
            return false;
        }
        if (!op_check_axis(in, axis, type->ndim, &slices[i].axis))
            return false;
        if (slices[i].stride == 0 || slices[i].stride == INT64_MIN || seen[slices[i].axis]) {
            diag_report(in->diag, op->loc, OP_ATTRIBUTE, op->info->name,
                        seen[slices[i].axis] ? "axes" : "strides",
                        seen[slices[i].axis] ? "names an axis twice" : "must not be 0");
            return false;
        }
        seen[slices[i].axis] = true;
        if (!make_slice(in, type->dims[slices[i].axis], lists[1][i], lists[2][i], &slices[i])) {
            *out_failed = false;
            return false;
        }
    }
    *out_slices = slices;
    *out_count = counts[0];
    *out_failed = false;
    return true;
}

const struct ir_type *infer_strided_slice(struct ir_module *module, struct diag *diag,
                                          const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *type = op_tensor(&in, 0);
    struct slice *slices;
    unsigned count;
    bool has_failed;

    if (type == NULL)
        return NULL;
    if (type->dims == NULL)
        return op_result_type(&in, type->dtype, NULL, type->ndim);
    if (!op_slices(&in, type, &slices, &count, &has_failed))
        return has_failed ? NULL : op_result_type(&in, type->dtype, NULL, type->ndim);
    const struct ir_expr **dims = op_dims(&in, (unsigned)type->ndim);
    memcpy(dims, type->dims, sizeof(dims[0]) * (unsigned)type->ndim);
    for (unsigned i = 0; i < count; i++)
        dims[slices[i].axis] = slices[i].count;
    return op_result_type(&in, type->dtype, dims, type->ndim);
}

const struct ir_type *infer_gather_elements(struct ir_module *module, struct diag *diag,
                                            const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *type = op_tensor(&in, 0), *indices = index_tensor(&in, 1);
    unsigned axis;

    if (type == NULL || indices == NULL)
        return NULL;
    if (type->ndim != IR_NDIM_UNKNOWN) {
        if (!op_check_axis(&in, op_attr_int(op, "axis", 0), type->ndim, &axis))
            return NULL;
        if (indices->ndim != IR_NDIM_UNKNOWN && indices->ndim != type->ndim) {
            diag_report(diag, op->loc, OP_RANK, op->info->name, "indices", "the rank of `data`",
                        op_shape_text(&in, indices));
            return NULL;
        }
        if (!op_check_indices(&in, axis))
            return NULL;
    }
    return op_result_type(&in, type->dtype, indices->dims, indices->ndim);
}

const struct ir_type *infer_gather_nd(struct ir_module *module, struct diag *diag,
                                      const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *type = op_tensor(&in, 0), *indices = index_tensor(&in, 1);
    int64_t batch = op_attr_int(op, "batch_dims", 0), depth;

    if (type == NULL || indices == NULL)
        return NULL;
    if (type->dims == NULL || indices->dims == NULL || indices->ndim < 1 || batch < 0 ||
        !ir_expr_constant(in.context, indices->dims[indices->ndim - 1], &depth))
        return op_result_type(&in, type->dtype, NULL, IR_NDIM_UNKNOWN);
    if (depth < 0 || batch > type->ndim || depth > type->ndim - batch) {
        diag_report(diag, op_argument_place(&in, "indices"), OP_DIMS, op->info->name,
                    "the last dimension of `indices`",
                    op_dim_text(&in, indices->dims[indices->ndim - 1]), "the rank of `data`",
                    arena_printf(&in.context->arena, "%d", type->ndim));
        return NULL;
    }
    if (batch >= indices->ndim) {
        diag_report(diag, op_argument_place(&in, "batch_dims"), OP_AXIS, op->info->name,
                    (long long)batch, indices->ndim);
        return NULL;
    }
    if (!op_check_batch(&in, 0, 1, (unsigned)batch))
        return NULL;
    const struct ir_expr **dims = op_dims(&in, (unsigned)(indices->ndim + type->ndim));
    int count = 0;
    for (int d = 0; d + 1 < indices->ndim; d++)
        dims[count++] = indices->dims[d];
    for (int d = (int)(batch + depth); d < type->ndim; d++)
        dims[count++] = type->dims[d];
    return op_result_type(&in, type->dtype, dims, count);
}

const struct ir_type *infer_one_hot(struct ir_module *module, struct diag *diag,
                                    const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *indices = index_tensor(&in, 0);
    const struct ir_type *value = op->operands[1].value->type;
    struct ir_dtype dtype =
        value->kind == IR_TYPE_PRIM || value->kind == IR_TYPE_TENSOR ? value->dtype : IR_VOID;
    unsigned axis;

    if (indices == NULL)
        return NULL;
    if (indices->ndim == IR_NDIM_UNKNOWN)
        return op_result_type(&in, dtype, NULL, IR_NDIM_UNKNOWN);
    if (!op_check_axis(&in, op_attr_int(op, "axis", -1), indices->ndim + 1, &axis))
        return NULL;
    if (indices->dims == NULL)
        return op_result_type(&in, dtype, NULL, indices->ndim + 1);
    const struct ir_expr **dims = op_dims(&in, (unsigned)indices->ndim + 1);
    for (unsigned d = 0, from = 0; d <= (unsigned)indices->ndim; d++)
        dims[d] = d == axis ? op_int(&in, op_attr_int(op, "depth", 0)) : indices->dims[from++];
    return op_result_type(&in, dtype, dims, indices->ndim + 1);
}

const struct ir_type *infer_along_axis(struct ir_module *module, struct diag *diag,
                                       const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *type = op_tensor(&in, 0);
    unsigned axis;

    if (type == NULL || (type->ndim != IR_NDIM_UNKNOWN &&
                         !op_check_axis(&in, op_attr_int(op, "axis", -1), type->ndim, &axis)))
        return NULL;
    return type;
}

/* Bounds are vectors of integers, one for each axis. */
const struct ir_type *infer_dynamic_strided_slice(struct ir_module *module, struct diag *diag,
                                                  const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *type = op_tensor(&in, 0);

    if (type == NULL)
        return NULL;
    for (unsigned i = 1; i < 4; i++) {
        const struct ir_type *bounds = index_tensor(&in, i);
        if (bounds == NULL)
            return NULL;
        if (bounds->ndim != IR_NDIM_UNKNOWN && bounds->ndim != 1) {
            diag_report(diag, op->loc, OP_RANK, op->info->name, op_operand_name(op->info, i),
                        "rank 1", op_shape_text(&in, bounds));
            return NULL;
        }
        const char *name = op_operand_name(op->info, i);
        if (type->ndim != IR_NDIM_UNKNOWN && bounds->dims != NULL &&
            !op_check_same(&in, op_int(&in, type->ndim), "the rank of `x`", bounds->dims[0],
                           arena_printf(&in.context->arena, "the length of `%s`", name), name))
            return NULL;
    }
    return op_result_type(&in, type->dtype, NULL, type->ndim);
}
