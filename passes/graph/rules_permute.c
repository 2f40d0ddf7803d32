/* Conditions and attributes of the rules on permutations of axes. */
#include "base/assert.h"
#include "ir/arith.h"
#include "passes/graph/rules.h"

static bool is_rank_known(const struct match *match)
{
    const struct ir_type *type = match_leaf(match, 'x')->type;

    return type->kind == IR_TYPE_TENSOR && type->ndim >= 0;
}

bool rule_read_axes(const struct ir_op *op, int ndim, int64_t *axes)
{
    const struct ir_attr *attr = ir_op_attr(op, "axes");

    if (ndim < 0 || ndim > RULE_AXES_LIMIT ||
        (attr->kind == IR_ATTR_LIST && (int)attr->count != ndim))
        return false;
    for (int i = 0; i < ndim; i++) {
        int64_t axis = attr->kind == IR_ATTR_LIST ? attr->items[i]->integer : ndim - 1 - i;

        axes[i] = axis < 0 ? axis + ndim : axis;
    }
    return true;
}

bool when_permutes_nothing(struct match *match)
{
    int64_t axes[RULE_AXES_LIMIT];
    const struct ir_type *type = match_leaf(match, 'x')->type;

    if (!is_rank_known(match) || !rule_read_axes(match->ops[0], type->ndim, axes))
        return false;
    for (int i = 0; i < type->ndim; i++)
        if (axes[i] != i)
            return false;
    return true;
}

bool when_permutes_unit_axes(struct match *match)
{
    int64_t axes[RULE_AXES_LIMIT], last = -1;
    const struct ir_type *type = match_leaf(match, 'x')->type;

    if (!is_rank_known(match) || !type->dims || !rule_read_axes(match->ops[0], type->ndim, axes))
        return false;
    for (int i = 0; i < type->ndim; i++) {
        if (ir_expr_is_int(type->dims[axes[i]], 1))
            continue;
        if (axes[i] < last)
            return false;
        last = axes[i];
    }
    return when_result_shape(match);
}

void attrs_composed_axes(const struct match *match, const struct ir_op_info *info,
                         const struct ir_attr **attrs)
{
    int64_t outer[RULE_AXES_LIMIT], inner[RULE_AXES_LIMIT];
    int ndim = match_leaf(match, 'x')->type->ndim;

    if (!rule_read_axes(match->ops[0], ndim, outer) || !rule_read_axes(match->ops[1], ndim, inner))
        UNREACHABLE("the condition has read these axes");
    for (int i = 0; i < ndim; i++)
        outer[i] = inner[outer[i]];
    rule_set_attr(info, attrs, "axes", ir_attr_ints(match->context, outer, (unsigned)ndim));
}

bool when_two_permutations(struct match *match)
{
    int64_t axes[RULE_AXES_LIMIT];
    int ndim = match_leaf(match, 'x')->type->ndim;

    return is_rank_known(match) && rule_read_axes(match->ops[0], ndim, axes) &&
           rule_read_axes(match->ops[1], ndim, axes);
}

/* ---- between reshapes that join neighbouring axes and part them again, or put in and take out those of extent 1 ---- */

/* The axes of @type that are not of extent 1, in @axes; how many as the result, -1: they are not known. */
static int long_axes(const struct ir_type *type, int64_t *axes)
{
    int count = 0;

    if (type->kind != IR_TYPE_TENSOR || !type->dims || type->ndim > RULE_AXES_LIMIT)
        return -1;
    for (int i = 0; i < type->ndim; i++)
        if (!ir_expr_is_int(type->dims[i], 1))
            axes[count++] = i;
    return count;
}

/* By axis of @inner, from which of the @count long axes of @x on it is made of them; false: it is not made so. */
static bool read_groups(const struct match *match, const struct ir_type *x, const int64_t *of_x,
                        int count, const struct ir_type *inner, int *from)
{
    int at = 0;

    for (int i = 0; i < inner->ndim; i++) {
        const struct ir_expr *dim = ir_expr_int(match->context, IR_I64, 1);

        from[i] = at;
        while (!ir_prove_equal(match->context, dim, inner->dims[i])) {
            if (at == count)
                return false;
            dim = ir_expr_binary(match->context, IR_EXPR_mul, dim, x->dims[of_x[at++]]);
        }
    }
    from[inner->ndim] = at;
    return at == count;
}

/* The axes of x in the order in which the result has them; axes of extent 1 where that has such ones. */
static bool axes_between(const struct match *match, int64_t *axes)
{
    const struct ir_type *x = match_leaf(match, 'x')->type, *result = match->ops[0]->result.type;
    const struct ir_type *inner = match->ops[2]->result.type;
    int64_t of_x[RULE_AXES_LIMIT], order[RULE_AXES_LIMIT], inner_axes[RULE_AXES_LIMIT];
    int from[RULE_AXES_LIMIT + 1], count = long_axes(x, of_x), n = 0, next_unit = 0;

    if (count < 0 || long_axes(result, order) != count || result->ndim != x->ndim ||
        long_axes(inner, inner_axes) < 0 ||
        !rule_read_axes(match->ops[1], inner->ndim, inner_axes) ||
        !read_groups(match, x, of_x, count, inner, from))
        return false;
    for (int i = 0; i < inner->ndim; i++)
        for (int k = from[inner_axes[i]]; k < from[inner_axes[i] + 1]; k++)
            order[n++] = of_x[k];
    n = 0;
    for (int i = 0; i < result->ndim; i++) {
        bool is_unit = ir_expr_is_int(result->dims[i], 1);
        while (is_unit && !ir_expr_is_int(x->dims[next_unit], 1))
            next_unit++;
        axes[i] = is_unit ? next_unit++ : order[n++];
        if (!ir_prove_equal(match->context, x->dims[axes[i]], result->dims[i]))
            return false;
    }
    return true;
}

bool when_reshapes_unit_axes(struct match *match)
{
    int64_t axes[RULE_AXES_LIMIT];
    unsigned uses = 0;

    ir_for_each_use (use, &match->ops[1]->result)
        uses++;
    return uses == 1 && axes_between(match, axes);
}

void attrs_axes_between(const struct match *match, const struct ir_op_info *info,
                        const struct ir_attr **attrs)
{
    int64_t axes[RULE_AXES_LIMIT];

    if (!axes_between(match, axes))
        UNREACHABLE("the condition has found these axes");
    rule_set_attr(info, attrs, "axes",
                  ir_attr_ints(match->context, axes, (unsigned)match_leaf(match, 'x')->type->ndim));
}
