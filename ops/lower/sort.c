/* sort, argsort, topk, median: what is asked of the sorted lines. */
#include "ops/lower/sort.h"

#include <string.h>

enum { FEW = 32 }; /* kept elements, up to which each is put in its place */

/* @out is the beginning of the sorted lines along @axis, or of their indices. */
static void copy_lines(struct sorting *s, struct ir_buffer *out, unsigned axis,
                       const struct ir_buffer *from)
{
    struct kernel *k = s->k;
    struct nest nest = nest_begin(k, "T_sorted");
    const struct ir_expr **at = nest_axes_of(&nest, out), **line = kernel_indices(k, s->outer);
    unsigned count = 0;

    for (unsigned d = 0; d < out->ndim; d++)
        if (d != axis)
            line[count++] = at[d];
    nest_store(&nest, out, at, nest_load(&nest, from, sort_place(s, line, at[axis])));
    nest_end(&nest);
}

static struct ir_value *lower_sorted(struct ir_module *module, struct diag *diag, struct ir_op *op,
                                     bool is_index)
{
    struct kernel k;

    if (!kernel_begin(&k, module, diag, op, 1u))
        return NULL;
    unsigned axis = op_axis(op_attr_int(op, "axis", -1), k.outputs[0]->ndim);
    struct sorting s = sort_lines(&k, 0, sort_one_axis(&k, 0, axis),
                                  ir_op_attr(op, "descending")->boolean, is_index);
    copy_lines(&s, k.outputs[0], axis, is_index ? s.order[0] : s.keys[0]);
    return kernel_finish(&k);
}

struct ir_value *lower_sort(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    return lower_sorted(module, diag, op, false);
}

struct ir_value *lower_argsort(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    return lower_sorted(module, diag, op, true);
}

struct ir_value *lower_topk(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;
    const char *kind = ir_op_attr(op, "ret_type")->string;
    bool is_largest = ir_op_attr(op, "largest")->boolean;
    int64_t keep = op_attr_int(op, "k", 1);

    if (!kernel_begin(&k, module, diag, op, 1u))
        return NULL;
    unsigned axis = op_axis(op_attr_int(op, "axis", -1), k.outputs[0]->ndim);
    const bool *is_line = sort_one_axis(&k, 0, axis);
    bool needs_order = strcmp(kind, "values") != 0;
    struct sorting s = keep > 0 && keep <= FEW
                           ? sort_first(&k, 0, is_line, is_largest, k.outputs[0]->shape[axis])
                           : sort_lines(&k, 0, is_line, is_largest, needs_order);
    if (strcmp(kind, "indices") != 0)
        copy_lines(&s, k.outputs[0], axis, s.keys[0]);
    if (needs_order)
        copy_lines(&s, k.outputs[k.output_count - 1], axis, s.order[0]);
    return kernel_finish(&k);
}

/* The axes of median as flags. */
static const bool *median_axes(struct kernel *k)
{
    const struct ir_attr *axes = ir_op_attr(k->op, "axis");
    unsigned ndim = (unsigned)k->operands[0].type->ndim;
    bool *flags = arena_array(&k->module->arena, bool, ndim + 1);

    for (unsigned d = 0; d < ndim; d++)
        flags[d] = axes->kind == IR_ATTR_NONE;
    if (axes->kind == IR_ATTR_INT)
        flags[op_axis(axes->integer, ndim)] = true;
    for (unsigned i = 0; axes->kind == IR_ATTR_LIST && i < axes->count; i++)
        flags[op_axis(axes->items[i]->integer, ndim)] = true;
    return flags;
}

/* The element in the middle, or its index: of an even number, the lower one; of none, 0. */
static void take_middle(struct sorting *s, struct ir_buffer *out, const struct ir_buffer *from)
{
    struct kernel *k = s->k;
    struct nest nest = nest_begin(k, "T_median");
    const struct ir_expr **at = nest_axes_of(&nest, out), **line = kernel_indices(k, s->outer);
    bool keeps = out->ndim == s->ndim;
    unsigned count = 0;

    for (unsigned d = 0; d < s->ndim; d++)
        if (!s->is_line[d]) {
            line[count] = at[keeps ? d : count];
            count++;
        }
    const struct ir_expr *last = k_sub(k, s->count, k_int(k, 1));
    const struct ir_expr *middle =
        ir_simplify(k->context, k_binary(k, IR_EXPR_floordiv, last, k_int(k, 2)));
    const struct ir_expr *value = nest_load(&nest, from, sort_place(s, line, middle));
    if (!ir_prove_ge(k->context, NULL, s->count, k_int(k, 1)))
        value = k_if(k, k_binary(k, IR_EXPR_gt, s->count, k_int(k, 0)), value,
                     k_number(k, from->dtype, 0));
    nest_store(&nest, out, at, value);
    nest_end(&nest);
}

struct ir_value *lower_median(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    struct kernel k;

    if (!kernel_begin(&k, module, diag, op, 1u))
        return NULL;
    struct sorting s = sort_lines(&k, 0, median_axes(&k), false, k.output_count > 1);
    take_middle(&s, k.outputs[0], s.keys[0]);
    if (k.output_count > 1)
        take_middle(&s, k.outputs[1], s.order[0]);
    return kernel_finish(&k);
}
