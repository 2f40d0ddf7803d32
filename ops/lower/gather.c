/*
 * Elements at indices that are known at run time: gather, scatter, one_hot and others.
 *
 * A negative index counts from the end.  What is outside then is an error when the program runs: the access
 * is checked.  Scatters run in row-major order of the updates, so the last of several to one place wins; their
 * axes are opaque, because no two iterations are known to write different elements.
 */
#include "ops/lower/lower.h"

#include <string.h>

const struct ir_expr *kernel_from_end(struct kernel *k, const struct ir_expr *index,
                                      const struct ir_expr *extent)
{
    index = k_cast(k, IR_I64, index);
    const struct ir_expr *is_negative = k_binary(k, IR_EXPR_lt, index, k_int(k, 0));

    return k_select(k, is_negative, k_add(k, index, extent), index);
}

struct ir_value *lower_gather_elements(struct ir_module *module, struct diag *diag,
                                       struct ir_op *op)
{
    struct kernel k;

    if (!kernel_begin(&k, module, diag, op, 3u))
        return NULL;
    struct ir_buffer *out = k.outputs[0];
    unsigned axis = op_axis(op_attr_int(op, "axis", 0), out->ndim);
    struct nest nest = nest_begin(&k, "T_gather");
    const struct ir_expr **at = nest_axes_of(&nest, out);
    const struct ir_expr **from = kernel_indices(&k, out->ndim);
    for (unsigned d = 0; d < out->ndim; d++)
        from[d] = d == axis
                      ? kernel_from_end(&k, kernel_load(&k, 1, at), kernel_input_dim(&k, 0, d))
                      : at[d];
    nest_store(&nest, out, at, kernel_load(&k, 0, from));
    nest_end(&nest);
    return kernel_finish(&k);
}

/* The index tuple at @outer of operand @operand, as indices of dims @first.. of operand 0. */
static unsigned load_tuple(struct kernel *k, unsigned operand, const struct ir_expr *const *outer,
                           unsigned first, const struct ir_expr **out)
{
    const struct ir_type *type = k->operands[operand].type;
    const struct ir_expr **at = kernel_indices(k, (unsigned)type->ndim);
    int64_t depth = 0;

    (void)ir_expr_constant(k->context, type->dims[type->ndim - 1], &depth);
    memcpy(at, outer, sizeof(at[0]) * (unsigned)(type->ndim - 1));
    for (int64_t i = 0; i < depth; i++) {
        at[type->ndim - 1] = k_int(k, i);
        const struct ir_expr *extent = kernel_input_dim(k, 0, first + (unsigned)i);
        const struct ir_expr **copy = kernel_indices(k, (unsigned)type->ndim);
        memcpy(copy, at, sizeof(at[0]) * (unsigned)type->ndim);
        out[i] = kernel_from_end(k, kernel_load(k, operand, copy), extent);
    }
    return (unsigned)depth;
}

/* The tuples' length is a literal within the rank of the data; false after a report. */
static bool check_tuple(struct kernel *k, unsigned operand, unsigned batch)
{
    const struct ir_type *type = k->operands[operand].type;
    int64_t depth = -1;

    if (type->ndim > 0 && ir_expr_constant(k->context, type->dims[type->ndim - 1], &depth) &&
        depth >= 0 && batch + depth <= k->operands[0].type->ndim)
        return true;
    diag_report(k->diag, op_said_place(k->op, op_operand_name(k->op->info, operand)), LOWER_OPERAND,
                k->op->info->name, op_operand_name(k->op->info, operand),
                "has a last dimension that is not known to be within the rank of `data`");
    return false;
}

struct ir_value *lower_gather_nd(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;
    unsigned batch = (unsigned)op_attr_int(op, "batch_dims", 0);

    if (!kernel_begin(&k, module, diag, op, 3u))
        return NULL;
    if (!check_tuple(&k, 1, batch))
        return kernel_abandon(&k);
    unsigned ndim = (unsigned)k.operands[0].type->ndim;
    unsigned outer = (unsigned)k.operands[1].type->ndim - 1;
    struct nest nest = nest_begin(&k, "T_gather_nd");
    const struct ir_expr **at = nest_axes_of(&nest, k.outputs[0]);
    const struct ir_expr **from = kernel_indices(&k, ndim);
    for (unsigned d = 0; d < batch; d++)
        from[d] = at[d];
    unsigned known = batch + load_tuple(&k, 1, at, batch, from + batch);
    for (unsigned d = known; d < ndim; d++)
        from[d] = at[outer + d - known];
    nest_store(&nest, k.outputs[0], at, kernel_load(&k, 0, from));
    nest_end(&nest);
    return kernel_finish(&k);
}

void kernel_copy_data(struct kernel *k, struct ir_buffer *to)
{
    struct nest nest = nest_begin(k, "T_copy");
    const struct ir_expr **at = nest_axes_of(&nest, to);

    nest_store(&nest, to, at, kernel_load(k, 0, at));
    nest_end(&nest);
}

void kernel_cast_result(struct kernel *k, struct ir_buffer *out, struct ir_buffer *from)
{
    struct nest nest = nest_begin(k, "T_cast");
    const struct ir_expr **at = nest_axes_of(&nest, out);

    nest_store(&nest, out, at, nest_load(&nest, from, at));
    nest_end(&nest);
}

/* What @update makes of @old; NULL after a report. */
static const struct ir_expr *reduced(struct kernel *k, const struct ir_expr *old,
                                     const struct ir_expr *update)
{
    static const struct {
        const char *name;
        enum ir_expr_kind kind;
    } kinds[] = {
        {"add", IR_EXPR_add}, {"mul", IR_EXPR_mul}, {"min", IR_EXPR_min}, {"max", IR_EXPR_max}};
    const char *name = ir_op_attr(k->op, "reduction")->string;
    struct ir_dtype dtype = kernel_compute_dtype(old->dtype);

    if (strcmp(name, "update") == 0)
        return update;
    old = k_cast(k, dtype, old);
    update = k_cast(k, dtype, update);
    for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
        if (strcmp(kinds[i].name, name) == 0)
            return k_binary(k, kinds[i].kind, old, update);
    if (strcmp(name, "mean") == 0)
        return k_binary(k, IR_EXPR_div, k_binary(k, IR_EXPR_add, old, update),
                        k_number(k, dtype, 2));
    diag_report(k->diag, k->op->loc, OP_ATTRIBUTE, k->op->info->name, "reduction",
                "must be \"update\", \"add\", \"mul\", \"min\", \"max\" or \"mean\"");
    return NULL;
}

static struct ir_value *put(struct kernel *k, struct nest *nest, const struct ir_expr *const *to,
                            const struct ir_expr *update)
{
    const struct ir_expr *value = reduced(k, nest_load(nest, k->outputs[0], to), update);

    if (value == NULL)
        return kernel_abandon(k);
    nest_store(nest, k->outputs[0], to, value);
    nest_end(nest);
    return kernel_finish(k);
}

/* An opaque axis for each dim of operand @operand. */
static const struct ir_expr **update_axes(struct nest *nest, unsigned operand)
{
    struct kernel *k = nest->k;
    unsigned ndim = (unsigned)k->operands[operand].type->ndim;
    const struct ir_expr **at = kernel_indices(k, ndim);

    for (unsigned d = 0; d < ndim; d++)
        at[d] = nest_axis(nest, TIR_OPAQUE, kernel_input_dim(k, operand, d));
    return at;
}

static bool has_number_dtype(struct kernel *k)
{
    return strcmp(ir_op_attr(k->op, "reduction")->string, "update") == 0 ||
           kernel_check_domain(k, OP_NUMBER, k->outputs[0]->dtype);
}

struct ir_value *lower_scatter_elements(struct ir_module *module, struct diag *diag,
                                        struct ir_op *op)
{
    struct kernel k;

    if (!kernel_begin(&k, module, diag, op, 7u))
        return NULL;
    if (!has_number_dtype(&k))
        return kernel_abandon(&k);
    unsigned ndim = k.outputs[0]->ndim;
    unsigned axis = op_axis(op_attr_int(op, "axis", 0), ndim);
    kernel_copy_data(&k, k.outputs[0]);
    struct nest nest = nest_begin(&k, "T_scatter");
    const struct ir_expr **at = update_axes(&nest, 1);
    const struct ir_expr **to = kernel_indices(&k, ndim);
    for (unsigned d = 0; d < ndim; d++)
        to[d] = d == axis ? kernel_from_end(&k, kernel_load(&k, 1, at), kernel_input_dim(&k, 0, d))
                          : at[d];
    return put(&k, &nest, to, kernel_load(&k, 2, at));
}

struct ir_value *lower_scatter_nd(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;

    if (!kernel_begin(&k, module, diag, op, 7u))
        return NULL;
    if (!check_tuple(&k, 1, 0) || !has_number_dtype(&k))
        return kernel_abandon(&k);
    unsigned ndim = k.outputs[0]->ndim, outer = (unsigned)k.operands[1].type->ndim - 1;
    kernel_copy_data(&k, k.outputs[0]);
    struct nest nest = nest_begin(&k, "T_scatter_nd");
    const struct ir_expr **at = update_axes(&nest, 2);
    const struct ir_expr **to = kernel_indices(&k, ndim);
    unsigned known = load_tuple(&k, 1, at, 0, to);
    for (unsigned d = known; d < ndim; d++)
        to[d] = at[outer + d - known];
    return put(&k, &nest, to, kernel_load(&k, 2, at));
}

struct ir_value *lower_one_hot(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;

    if (!kernel_begin(&k, module, diag, op, 7u))
        return NULL;
    struct ir_buffer *out = k.outputs[0];
    unsigned axis = op_axis(op_attr_int(op, "axis", -1), out->ndim);
    struct nest nest = nest_begin(&k, "T_one_hot");
    const struct ir_expr **at = nest_axes_of(&nest, out);
    const struct ir_expr **from = kernel_indices(&k, out->ndim);
    for (unsigned d = 0, i = 0; d < out->ndim; d++)
        if (d != axis)
            from[i++] = at[d];
    const struct ir_expr *index = k_cast(&k, IR_I64, kernel_load(&k, 0, from));
    const struct ir_expr *is_on = k_binary(&k, IR_EXPR_eq, index, at[axis]);
    nest_store(&nest, out, at,
               k_select(&k, is_on, k_cast(&k, out->dtype, kernel_load(&k, 1, NULL)),
                        k_cast(&k, out->dtype, kernel_load(&k, 2, NULL))));
    nest_end(&nest);
    return kernel_finish(&k);
}

struct ir_value *lower_reverse_sequence(struct ir_module *module, struct diag *diag,
                                        struct ir_op *op)
{
    struct kernel k;

    if (!kernel_begin(&k, module, diag, op, 3u))
        return NULL;
    struct ir_buffer *out = k.outputs[0];
    unsigned axis = op_axis(op_attr_int(op, "seq_axis", 1), out->ndim);
    unsigned batch = op_axis(op_attr_int(op, "batch_axis", 0), out->ndim);
    struct nest nest = nest_begin(&k, "T_reverse_sequence");
    const struct ir_expr **at = nest_axes_of(&nest, out);
    const struct ir_expr **from = kernel_indices(&k, out->ndim);
    const struct ir_expr *length = k_cast(&k, IR_I64, kernel_load(&k, 1, &at[batch]));
    /* a length beyond the end is the end */
    length = k_binary(&k, IR_EXPR_min, length, out->shape[axis]);
    const struct ir_expr *mirrored = k_sub(&k, k_sub(&k, length, k_int(&k, 1)), at[axis]);
    for (unsigned d = 0; d < out->ndim; d++)
        from[d] = at[d];
    from[axis] = k_select(&k, k_binary(&k, IR_EXPR_lt, at[axis], length), mirrored, at[axis]);
    nest_store(&nest, out, at, kernel_load(&k, 0, from));
    nest_end(&nest);
    return kernel_finish(&k);
}

/* Operands that broadcast to the result. */
static const struct ir_expr *spread(struct kernel *k, unsigned operand,
                                    const struct ir_expr *const *at)
{
    struct ir_buffer *out = k->outputs[0];

    if (k->operands[operand].scalar != NULL)
        return k->operands[operand].scalar;
    return kernel_load(k, operand,
                       kernel_broadcast(k, k->operands[operand].type, at, out->shape, out->ndim));
}

struct ir_value *lower_masked_fill(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;

    if (!kernel_begin(&k, module, diag, op, 7u))
        return NULL;
    struct ir_buffer *out = k.outputs[0];
    struct nest nest = nest_begin(&k, "T_masked_fill");
    const struct ir_expr **at = nest_axes_of(&nest, out);
    nest_store(&nest, out, at,
               k_select(&k, k_cast(&k, IR_B1, spread(&k, 1, at)),
                        k_cast(&k, out->dtype, spread(&k, 2, at)), spread(&k, 0, at)));
    nest_end(&nest);
    return kernel_finish(&k);
}

/* Operand 1 is as long as the slice, whose bounds may be numbers of the run. */
static void require_slice(struct kernel *k, unsigned axis, const struct ir_expr *start,
                          const struct ir_expr *step)
{
    const struct ir_expr *one = k_int(k, 1), *length = kernel_input_dim(k, 1, axis);
    const struct ir_expr *end = k_cast(k, IR_I64, kernel_load(k, 3, NULL));

    end = k_binary(k, IR_EXPR_min, end, k->outputs[0]->shape[axis]);
    step = k_binary(k, IR_EXPR_max, step, one);
    const struct ir_expr *room = k_binary(k, IR_EXPR_max, k_sub(k, end, start), k_int(k, 0));
    const struct ir_expr *count = ir_simplify(
        k->context, k_binary(k, IR_EXPR_floordiv, k_add(k, room, k_sub(k, step, one)), step));
    if (!ir_prove_equal(k->context, count, length))
        kernel_require(k, k_binary(k, IR_EXPR_eq, length, count),
                       arena_printf(&k->context->arena,
                                    "dimension %u of `src` is not the length of the slice", axis));
}

/* Rows start, start + step, .. below end of the result are those of operand 1. */
struct ir_value *lower_slice_scatter(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;

    if (!kernel_begin(&k, module, diag, op, 31u))
        return NULL;
    struct ir_buffer *out = k.outputs[0];
    unsigned axis = op_axis(op_attr_int(op, "axis", 0), out->ndim);
    const struct ir_expr *start = k_cast(&k, IR_I64, kernel_load(&k, 2, NULL));
    const struct ir_expr *step = k_cast(&k, IR_I64, kernel_load(&k, 4, NULL));
    require_slice(&k, axis, start, step);
    kernel_copy_data(&k, k.outputs[0]);
    struct nest nest = nest_begin(&k, "T_slice_scatter");
    const struct ir_expr **at = update_axes(&nest, 1);
    const struct ir_expr **to = kernel_indices(&k, out->ndim);
    for (unsigned d = 0; d < out->ndim; d++)
        to[d] = d == axis ? k_add(&k, start, k_mul(&k, at[d], step)) : at[d];
    nest_store(&nest, out, to, kernel_load(&k, 1, at));
    nest_end(&nest);
    return kernel_finish(&k);
}

/* Zeros, to which the gradient of each slice that take() picked is added. */
struct ir_value *lower_take_backward(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;
    bool is_flat = op_attr_is_none(op, "axis");

    if (!kernel_begin(&k, module, diag, op, 7u))
        return NULL;
    struct ir_buffer *out = k.outputs[0];
    struct ir_dtype dtype = kernel_compute_dtype(out->dtype);
    unsigned axis = is_flat ? 0 : op_axis(op_attr_int(op, "axis", 0), out->ndim);
    unsigned index_ndim = (unsigned)k.operands[2].type->ndim;
    struct ir_buffer *sum = kernel_alloc(&k, "acc", dtype, out->shape, out->ndim);
    struct nest nest = nest_begin(&k, "T_zeros");
    const struct ir_expr **at = nest_axes_of(&nest, sum);
    nest_store(&nest, sum, at, k_number(&k, dtype, 0));
    nest_end(&nest);
    nest = nest_begin(&k, "T_take_backward");
    at = update_axes(&nest, 0);
    const struct ir_expr **to = kernel_indices(&k, out->ndim);
    const struct ir_expr *index = k_cast(&k, IR_I64, kernel_load(&k, 2, at + axis));
    for (unsigned d = out->ndim; is_flat && d-- > 0;) {
        to[d] = d > 0 ? k_binary(&k, IR_EXPR_floormod, index, out->shape[d]) : index;
        index = k_binary(&k, IR_EXPR_floordiv, index, out->shape[d]);
    }
    for (unsigned d = 0; !is_flat && d < out->ndim; d++)
        to[d] = d < axis ? at[d] : d == axis ? index : at[d + index_ndim - 1];
    nest_store(&nest, sum, to,
               k_binary(&k, IR_EXPR_add, nest_load(&nest, sum, to),
                        k_cast(&k, dtype, kernel_load(&k, 0, at))));
    nest_end(&nest);
    nest = nest_begin(&k, "T_cast");
    at = nest_axes_of(&nest, out);
    nest_store(&nest, out, at, nest_load(&nest, sum, at));
    nest_end(&nest);
    return kernel_finish(&k);
}

/* Output i holds the coordinate of axis i: of the first two exchanged for "xy". */
struct ir_value *lower_meshgrid(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;
    const struct ir_attr *indexing = ir_op_attr(op, "indexing");
    bool is_xy = indexing->kind == IR_ATTR_STRING && strcmp(indexing->string, "xy") == 0;

    if (!kernel_begin(&k, module, diag, op, 1u))
        return NULL;
    for (unsigned i = 0; i < k.output_count; i++) {
        struct nest nest = nest_begin(&k, "T_meshgrid");
        const struct ir_expr **at = nest_axes_of(&nest, k.outputs[i]);
        unsigned axis = is_xy && k.output_count > 1 && i < 2 ? 1 - i : i;
        nest_store(&nest, k.outputs[i], at, kernel_operand_load(&k, &k.fields[i], &at[axis]));
        nest_end(&nest);
    }
    return kernel_finish(&k);
}
