/* Types of operators that join, cut and repeat tensors. */
#include "ops/internal.h"

#include <string.h>

/* The tensor @i of the list where the call has it; all of the list where that is not known. */
static struct location tensor_place(const struct infer *in, unsigned i)
{
    struct location all = op_argument_place(in, "tensors");
    bool is_list =
        all.source && all.begin != in->op->loc.begin && strchr("([", all.source->text[all.begin]);

    return is_list ? location_argument(all, i, NULL) : all;
}

/* Has @less the dims of @more, but for the axis that is joined? */
static bool lacks_axis(const struct infer *in, const struct ir_type *less,
                       const struct ir_type *more, int *out_axis)
{
    if (!op_is(in->op, OP_concat) || op_attr_is_none(in->op, "axis") || !less->dims ||
        !more->dims || less->ndim + 1 != more->ndim)
        return false;
    int64_t axis = op_attr_int(in->op, "axis", 0);
    axis += axis < 0 ? more->ndim : 0;
    for (int d = 0; d < less->ndim; d++)
        if (!ir_prove_equal(in->context, less->dims[d], more->dims[d < axis ? d : d + 1]))
            return false;
    *out_axis = (int)axis;
    return axis >= 0 && axis < more->ndim;
}

static void report_rank(const struct infer *in, const struct ir_type *const *types, unsigned i,
                        int ndim)
{
    struct location place = tensor_place(in, i);
    struct diag_message *m =
        diag_report(in->diag, place, OP_RANK, in->op->info->name,
                    arena_printf(&in->context->arena, "tensors[%u]", i),
                    arena_printf(&in->context->arena, "rank %d, as the others", ndim),
                    op_shape_text(in, types[i]));
    int axis;

    if (!lacks_axis(in, types[i], types[0], &axis))
        return;
    diag_help(m, "it fits with an axis of 1 at %d", axis);
    if (place.begin != in->op->loc.begin)
        diag_help_wrap(m, place, "R.expand_dims(",
                       arena_printf(&in->context->arena, ", axis=[%d])", axis));
}

/* The common rank and dtype of a list of tensors; false after a report. */
static bool check_alike(const struct infer *in, const struct ir_type *const *types, unsigned count,
                        int *out_ndim, struct ir_dtype *out_dtype)
{
    char first[32], second[32];

    *out_ndim = IR_NDIM_UNKNOWN;
    *out_dtype = count > 0 ? types[0]->dtype : IR_VOID;
    for (unsigned i = 0; i < count; i++) {
        if (ir_dtype_is_void(*out_dtype)) {
            *out_dtype = types[i]->dtype;
        } else if (!ir_dtype_is_void(types[i]->dtype) &&
                   !ir_dtype_equal(types[i]->dtype, *out_dtype)) {
            struct location place = tensor_place(in, i);
            struct diag_message *m =
                diag_report(in->diag, place, OP_DTYPES, in->op->info->name, "tensors[0]",
                            ir_dtype_name(*out_dtype, first),
                            arena_printf(&in->context->arena, "tensors[%u]", i),
                            ir_dtype_name(types[i]->dtype, second));
            diag_help(m, "convert it: `R.astype(.., \"%s\")`", first);
            if (place.begin != in->op->loc.begin)
                diag_help_wrap(m, place, "R.astype(",
                               arena_printf(&in->context->arena, ", \"%s\")", first));
            return false;
        }
        if (types[i]->ndim == IR_NDIM_UNKNOWN)
            continue;
        if (*out_ndim == IR_NDIM_UNKNOWN)
            *out_ndim = types[i]->ndim;
        if (types[i]->ndim != *out_ndim) {
            report_rank(in, types, i, *out_ndim);
            return false;
        }
    }
    return true;
}

/* Joins dim @d of the tensors, which must be equal, into @inout; false after a report. */
static bool check_dim(const struct infer *in, const struct ir_type *const *types, unsigned i,
                      unsigned d, const struct ir_expr **inout)
{
    if (*inout == NULL)
        return true;
    if (ir_prove_equal(in->context, *inout, types[i]->dims[d]))
        return true;
    if (!ir_prove_different(in->context, *inout, types[i]->dims[d])) {
        *inout = NULL;
        return true;
    }
    diag_report(in->diag, tensor_place(in, i), OP_DIMS, in->op->info->name,
                arena_printf(&in->context->arena, "dimension %u of `tensors[0]`", d),
                op_dim_text(in, *inout),
                arena_printf(&in->context->arena, "dimension %u of `tensors[%u]`", d, i),
                op_dim_text(in, types[i]->dims[d]));
    return false;
}

static const struct ir_type *concat_type(const struct infer *in, const struct ir_type *const *types,
                                         unsigned count, unsigned axis, int ndim,
                                         struct ir_dtype dtype)
{
    const struct ir_expr **dims = op_dims(in, (unsigned)ndim);
    const struct ir_expr *total = op_int(in, 0);
    bool is_known = true;

    for (unsigned i = 0; i < count; i++)
        if (types[i]->dims == NULL)
            return op_result_type(in, dtype, NULL, ndim);
    for (unsigned d = 0; d < (unsigned)ndim; d++)
        dims[d] = types[0]->dims[d];
    for (unsigned i = 0; i < count; i++) {
        for (unsigned d = 0; d < (unsigned)ndim; d++) {
            if (d != axis && !check_dim(in, types, i, d, &dims[d]))
                return NULL;
        }
        total = dim_add(in->context, total, types[i]->dims[axis]);
    }
    dims[axis] = total;
    for (int d = 0; d < ndim; d++)
        is_known = is_known && dims[d] != NULL;
    return op_result_type(in, dtype, is_known ? dims : NULL, ndim);
}

/* The tensors of operand 0, of which there must be one; false after a report. */
static bool some_tensors(const struct infer *in, const struct ir_type *const **out_types,
                         unsigned *out_count)
{
    if (!op_tensors(in, 0, out_types, out_count))
        return false;
    if (*out_count > 0 || in->op->operands[0].value->type->kind != IR_TYPE_TUPLE)
        return true;
    diag_report(in->diag, op_argument_place(in, "tensors"), OP_ATTRIBUTE, in->op->info->name,
                "tensors", "must not be empty");
    return false;
}

const struct ir_type *infer_concat(struct ir_module *module, struct diag *diag,
                                   const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *const *types;
    struct ir_dtype dtype;
    unsigned count, axis;
    int ndim;

    if (!some_tensors(&in, &types, &count))
        return NULL;
    if (op_attr_is_none(op, "axis")) { /* all flattened */
        const struct ir_expr *total = op_int(&in, 0);
        int ranks = IR_NDIM_UNKNOWN;
        dtype = count > 0 ? types[0]->dtype : IR_VOID;
        for (unsigned i = 0; i < count; i++) {
            if (!check_alike(&in, &types[i], 1, &ranks, &dtype))
                return NULL;
            if (types[i]->dims == NULL)
                return op_result_type(&in, dtype, NULL, 1);
            total = dim_add(in.context, total,
                            dim_product(in.context, types[i]->dims, (unsigned)types[i]->ndim));
        }
        return op_result_type(&in, dtype, count > 0 ? &total : NULL, 1);
    }
    if (!check_alike(&in, types, count, &ndim, &dtype))
        return NULL;
    if (ndim == IR_NDIM_UNKNOWN)
        return op_result_type(&in, dtype, NULL, IR_NDIM_UNKNOWN);
    if (!op_check_axis(&in, op_attr_int(op, "axis", 0), ndim, &axis))
        return NULL;
    return concat_type(&in, types, count, axis, ndim, dtype);
}

const struct ir_type *infer_stack(struct ir_module *module, struct diag *diag,
                                  const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *const *types;
    struct ir_dtype dtype;
    unsigned count, axis;
    int ndim;

    if (!some_tensors(&in, &types, &count))
        return NULL;
    if (!check_alike(&in, types, count, &ndim, &dtype))
        return NULL;
    if (ndim == IR_NDIM_UNKNOWN)
        return op_result_type(&in, dtype, NULL, IR_NDIM_UNKNOWN);
    if (!op_check_axis(&in, op_attr_int(op, "axis", 0), ndim + 1, &axis))
        return NULL;
    const struct ir_expr **dims = op_dims(&in, (unsigned)ndim + 1);
    bool is_known = true;
    for (unsigned i = 0; i < count; i++)
        is_known = is_known && types[i]->dims != NULL;
    for (unsigned d = 0, from = 0; is_known && d <= (unsigned)ndim; d++) {
        dims[d] = d == axis ? op_int(&in, count) : types[0]->dims[from];
        if (d == axis)
            continue;
        for (unsigned i = 1; i < count; i++)
            if (!check_dim(&in, types, i, from, &dims[d]))
                return NULL;
        from++;
    }
    for (int d = 0; is_known && d <= ndim; d++)
        is_known = dims[d] != NULL;
    return op_result_type(&in, dtype, is_known ? dims : NULL, ndim + 1);
}

static const struct ir_expr *index_expr(const struct infer *in, const struct ir_attr *attr)
{
    if (attr->kind == IR_ATTR_INT)
        return op_int(in, attr->integer);
    return ir_expr_cast(in->context, IR_I64, attr->expr);
}

/* Parts between explicit indices; each is limited to the extent, and never negative. */
static struct split_part *parts_at(const struct infer *in, const struct ir_expr *extent,
                                   const struct ir_attr *list)
{
    unsigned count = list->count + 1;
    struct split_part *parts = arena_array(&in->module->arena, struct split_part, count);
    const struct ir_expr *left = op_int(in, 0);

    for (unsigned i = 0; i < count; i++) {
        const struct ir_expr *right = extent;
        if (i + 1 < count) {
            right = dim_at_least(in->context, index_expr(in, list->items[i]), 0);
            right = dim_at_most(in->context, right, extent);
        }
        parts[i].begin = left;
        parts[i].count = dim_at_least(in->context, dim_sub(in->context, right, left), 0);
        left = right;
    }
    return parts;
}

/* @count sections; the last one may be shorter.  NULL if it could be negative. */
static struct split_part *sections(const struct infer *in, const struct ir_expr *extent,
                                   unsigned count)
{
    struct split_part *parts = arena_array(&in->module->arena, struct split_part, count);
    const struct ir_expr *length = dim_ceildiv(in->context, extent, count);

    for (unsigned i = 0; i < count; i++) {
        parts[i].begin = dim_mul(in->context, length, op_int(in, i));
        parts[i].count = length;
    }
    parts[count - 1].count = dim_sub(in->context, extent, parts[count - 1].begin);
    return ir_prove_ge(in->context, NULL, parts[count - 1].count, op_int(in, 0)) ? parts : NULL;
}

struct split_part *op_split_parts(const struct infer *in, const struct ir_expr *extent,
                                  unsigned *out_count)
{
    const struct ir_attr *where = ir_op_attr(in->op, "indices_or_sections");

    *out_count = 0;
    if (where->kind == IR_ATTR_LIST) {
        *out_count = where->count + 1;
        return extent != NULL ? parts_at(in, extent, where) : NULL;
    }
    if (where->kind == IR_ATTR_EXPR && where->expr->kind == IR_EXPR_int)
        *out_count = (unsigned)where->expr->int_value;
    if (where->kind == IR_ATTR_INT)
        *out_count = (unsigned)where->integer;
    return extent != NULL && *out_count > 0 ? sections(in, extent, *out_count) : NULL;
}

/* The one axis of @type that has as many elements as @count sections take, each the same; -1: none, or several. */
static int axis_that_fits(const struct ir_type *type, int64_t count)
{
    int found = -1;

    for (int i = 0; i < type->ndim; i++) {
        const struct ir_expr *dim = type->dims[i];
        if (dim->kind != IR_EXPR_int || dim->int_value < count || dim->int_value % count != 0)
            continue;
        if (found >= 0)
            return -1;
        found = i;
    }
    return found;
}

/* Are there so many sections of @axis that none would be of a negative length?  Where the extent is open, that is not said here. */
static bool check_sections(const struct infer *in, const struct ir_type *type, unsigned axis,
                           unsigned count)
{
    const struct ir_expr *extent = type->dims ? type->dims[axis] : NULL;

    if (!extent || extent->kind != IR_EXPR_int || count == 0)
        return true;
    int64_t length = (extent->int_value + count - 1) / count;
    if (length * (count - 1) <= extent->int_value)
        return true;
    struct arena *arena = &in->context->arena;
    struct location place = op_argument_place(in, "axis");
    int other = axis_that_fits(type, count);
    bool is_axis = other >= 0 && place.begin > in->op->loc.begin;
    if (!is_axis)
        place = op_argument_place(in, "indices_or_sections");
    struct diag_message *m =
        diag_report(in->diag, place, OP_ATTRIBUTE, in->op->info->name, "indices_or_sections",
                    arena_printf(arena, "is %u, and axis %u has %lld element%s", count, axis,
                                 (long long)extent->int_value, extent->int_value == 1 ? "" : "s"));
    diag_note(m, "all sections have %lld but the last one, for which %lld would be left",
              (long long)length, (long long)(extent->int_value - length * (count - 1)));
    if (other < 0)
        return false;
    diag_help(m, "axis %d has %lld: %u sections of %lld", other,
              (long long)type->dims[other]->int_value, count,
              (long long)(type->dims[other]->int_value / count));
    if (is_axis)
        diag_help_edit(m, place, "%d", other);
    else if (place.begin > in->op->loc.begin)
        diag_help_edit(m, location_behind(place), ", axis=%d", other);
    return false;
}

/* An int from 1 on, or a list of ints and scalars. */
static bool check_where(const struct infer *in)
{
    const struct ir_attr *where = ir_op_attr(in->op, "indices_or_sections");
    int64_t value = 1;
    bool fits = where->kind == IR_ATTR_LIST || where->kind == IR_ATTR_INT ||
                (where->kind == IR_ATTR_EXPR && where->expr->kind == IR_EXPR_int);

    for (unsigned i = 0; where->kind == IR_ATTR_LIST && i < where->count; i++)
        fits = fits && (where->items[i]->kind == IR_ATTR_INT ||
                        (where->items[i]->kind == IR_ATTR_EXPR &&
                         ir_dtype_is_int(where->items[i]->expr->dtype)));
    if (fits && where->kind != IR_ATTR_LIST)
        value = where->kind == IR_ATTR_INT ? where->integer : where->expr->int_value;
    if (fits && value >= 1 && value <= 65536)
        return true;
    diag_report(in->diag, op_argument_place(in, "indices_or_sections"), OP_ATTRIBUTE,
                in->op->info->name, "indices_or_sections",
                fits ? "must be between 1 and 65536" : "must be an integer or a list of integers");
    return false;
}

const struct ir_type *infer_split(struct ir_module *module, struct diag *diag,
                                  const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *type = op_tensor(&in, 0);
    unsigned axis = 0, count;

    if (type == NULL || !check_where(&in))
        return NULL;
    if (type->ndim != IR_NDIM_UNKNOWN &&
        !op_check_axis(&in, op_attr_int(op, "axis", 0), type->ndim, &axis))
        return NULL;
    struct split_part *parts =
        op_split_parts(&in, type->dims != NULL ? type->dims[axis] : NULL, &count);
    if (count == 1)
        return type; /* as in TVM: not a tuple */
    bool is_list = ir_op_attr(op, "indices_or_sections")->kind == IR_ATTR_LIST;
    if (!is_list && !check_sections(&in, type, axis, count))
        return NULL;
    const struct ir_type **fields = arena_array(&module->arena, const struct ir_type *, count);
    for (unsigned i = 0; i < count; i++) {
        const struct ir_expr **dims = NULL;
        if (parts != NULL) {
            dims = op_dims(&in, (unsigned)type->ndim);
            memcpy(dims, type->dims, sizeof(dims[0]) * (unsigned)type->ndim);
            dims[axis] = parts[i].count;
        }
        fields[i] = op_result_type(&in, type->dtype, dims, type->ndim);
    }
    return ir_type_tuple(module->context, fields, count);
}

const struct ir_type *infer_repeat(struct ir_module *module, struct diag *diag,
                                   const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *type = op_tensor(&in, 0);
    const struct ir_expr *times = op_int(&in, op_attr_int(op, "repeats", 1));
    unsigned axis;

    if (type == NULL)
        return NULL;
    if (op_attr_int(op, "repeats", 1) < 0) {
        diag_report(diag, op->loc, OP_ATTRIBUTE, op->info->name, "repeats", "must not be negative");
        return NULL;
    }
    if (op_attr_is_none(op, "axis")) {
        if (type->dims == NULL)
            return op_result_type(&in, type->dtype, NULL, 1);
        const struct ir_expr *dim =
            dim_mul(in.context, dim_product(in.context, type->dims, (unsigned)type->ndim), times);
        return op_result_type(&in, type->dtype, &dim, 1);
    }
    if (type->ndim == IR_NDIM_UNKNOWN)
        return op_result_type(&in, type->dtype, NULL, IR_NDIM_UNKNOWN);
    if (!op_check_axis(&in, op_attr_int(op, "axis", 0), type->ndim, &axis))
        return NULL;
    if (type->dims == NULL)
        return op_result_type(&in, type->dtype, NULL, type->ndim);
    const struct ir_expr **dims = op_dims(&in, (unsigned)type->ndim);
    memcpy(dims, type->dims, sizeof(dims[0]) * (unsigned)type->ndim);
    dims[axis] = dim_mul(in.context, dims[axis], times);
    return op_result_type(&in, type->dtype, dims, type->ndim);
}

const struct ir_type *infer_tile(struct ir_module *module, struct diag *diag,
                                 const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *type = op_tensor(&in, 0);
    const struct ir_attr *repeats = ir_op_attr(op, "repeats");

    if (type == NULL)
        return NULL;
    for (unsigned i = 0; i < repeats->count; i++) {
        if (repeats->items[i]->integer < 0) {
            diag_report(diag, op->loc, OP_ATTRIBUTE, op->info->name, "repeats",
                        "must not be negative");
            return NULL;
        }
    }
    if (type->ndim == IR_NDIM_UNKNOWN)
        return op_result_type(&in, type->dtype, NULL, IR_NDIM_UNKNOWN);
    int ndim = type->ndim > (int)repeats->count ? type->ndim : (int)repeats->count;
    if (type->dims == NULL)
        return op_result_type(&in, type->dtype, NULL, ndim);
    const struct ir_expr **dims = op_dims(&in, (unsigned)ndim);
    for (int d = 0; d < ndim; d++) {
        int from = d - (ndim - type->ndim), r = d - (ndim - (int)repeats->count);
        dims[d] = from >= 0 ? type->dims[from] : op_int(&in, 1);
        if (r >= 0)
            dims[d] = dim_mul(in.context, dims[d], op_int(&in, repeats->items[r]->integer));
    }
    return op_result_type(&in, type->dtype, dims, ndim);
}

/* One tensor for each vector; all have the extents of all vectors. */
const struct ir_type *infer_meshgrid(struct ir_module *module, struct diag *diag,
                                     const struct ir_op *op)
{
    struct infer in = op_infer_begin(module, diag, op);
    const struct ir_type *const *types;
    struct ir_dtype dtype;
    unsigned count;
    int ndim;

    if (!op_tensors(&in, 0, &types, &count) || !check_alike(&in, types, count, &ndim, &dtype))
        return NULL;
    if (count == 0)
        return ir_type_any(module->context);
    const struct ir_expr **dims = op_dims(&in, count);
    for (unsigned i = 0; dims != NULL && i < count; i++) {
        if (types[i]->dims == NULL || types[i]->ndim > 1)
            dims = NULL;
        else
            dims[i] = types[i]->ndim == 1 ? types[i]->dims[0] : op_int(&in, 1);
    }
    const struct ir_attr *indexing = ir_op_attr(op, "indexing");
    if (dims != NULL && count > 1 && indexing->kind == IR_ATTR_STRING &&
        strcmp(indexing->string, "xy") == 0) {
        const struct ir_expr *first = dims[0];
        dims[0] = dims[1];
        dims[1] = first;
    }
    const struct ir_type **fields = arena_array(&module->arena, const struct ir_type *, count);
    for (unsigned i = 0; i < count; i++)
        fields[i] = op_result_type(&in, dtype, dims, (int)count);
    return ir_type_tuple(module->context, fields, count);
}
