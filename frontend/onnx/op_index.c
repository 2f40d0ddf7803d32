/* Elements at indices: Gather*, Scatter*, OneHot, TopK. */
#include "frontend/onnx/families.h"

#include <string.h>

static struct make_attr int_attr(struct onnx_node *n, const char *name, int64_t value)
{
    return (struct make_attr){name, onnx_attr_int(n->m, value)};
}

bool onnx_gather_elements(struct onnx_node *n)
{
    struct ir_value *x = onnx_in(n, 0), *at = x ? onnx_in(n, 1) : NULL;
    int64_t axis;

    if (!at || !onnx_axis(n, onnx_int(n, "axis", 0), onnx_rank(x), &axis))
        return false;
    at = onnx_wrap_indices(n, n->inputs[1], at, onnx_dims(x)[axis]);
    return onnx_out(n, 0,
                    MAKE_WITH(&n->m->b, OP_gather_elements, int_attr(n, "axis", axis), x, at));
}

/* Index tuples below 0 count from the end of their axes. */
static struct ir_value *wrap_tuples(struct onnx_node *n, struct ir_value *x, struct ir_value *at,
                                    int64_t first)
{
    struct onnx_import *m = n->m;
    int64_t count;
    struct onnx_value extents = {0};

    if (onnx_rank(at) == 0 ||
        !ir_expr_constant(m->context, onnx_dims(at)[onnx_rank(at) - 1], &count) ||
        count > onnx_rank(x) - first) {
        onnx_refuse(n, "its index tuples have no known length");
        return NULL;
    }
    struct ir_dtype dtype = at->type->dtype;
    onnx_value_set_elements(m, &extents, dtype, 1, &count, onnx_dims(x) + first, (size_t)count);
    struct ir_value *wrapped = MAKE(&m->b, OP_add, at, onnx_value_tensor(m, &extents));
    return MAKE(&m->b, OP_where, MAKE(&m->b, OP_less, at, onnx_scalar(m, dtype, 0)), wrapped, at);
}

bool onnx_gather_nd(struct onnx_node *n)
{
    struct ir_value *x = onnx_in(n, 0), *at = x ? onnx_in(n, 1) : NULL;
    int64_t batch = onnx_int(n, "batch_dims", 0);

    if (!at || batch < 0 || batch >= onnx_rank(x))
        return false;
    at = wrap_tuples(n, x, at, batch);
    return onnx_out(n, 0,
                    MAKE_WITH(&n->m->b, OP_gather_nd, int_attr(n, "batch_dims", batch), x, at));
}

/* What Relax calls the reduction; NULL after a report. */
static const struct ir_attr *reduction_of(struct onnx_node *n)
{
    static const char *const names[][2] = {
        {"none", "update"}, {"add", "add"}, {"mul", "mul"}, {"max", "max"}, {"min", "min"}};
    const char *given = onnx_string(n, "reduction", "none");

    for (size_t i = 0; i < ARRAY_SIZE(names); i++)
        if (strcmp(names[i][0], given) == 0)
            return onnx_attr_string(n->m, names[i][1]);
    onnx_refuse(n, "reduction `%s` is not known", given);
    return NULL;
}

bool onnx_scatter_elements(struct onnx_node *n)
{
    struct ir_value *in[3];
    const struct ir_attr *reduction = reduction_of(n);
    int64_t axis;

    for (unsigned i = 0; i < 3; i++)
        if (!(in[i] = onnx_in(n, i)))
            return false;
    if (!reduction || !onnx_axis(n, onnx_int(n, "axis", 0), onnx_rank(in[0]), &axis))
        return false;
    in[1] = onnx_wrap_indices(n, n->inputs[1], in[1], onnx_dims(in[0])[axis]);
    struct make_attr attrs[] = {int_attr(n, "axis", axis), {"reduction", reduction}};
    return in[1] && onnx_out(n, 0, make_op(&n->m->b, OP_scatter_elements, in, 3, attrs, 2));
}

bool onnx_scatter_nd(struct onnx_node *n)
{
    struct ir_value *in[3];
    const struct ir_attr *reduction = reduction_of(n);

    for (unsigned i = 0; i < 3; i++)
        if (!(in[i] = onnx_in(n, i)))
            return false;
    in[1] = reduction ? wrap_tuples(n, in[0], in[1], 0) : NULL;
    struct make_attr attr = {"reduction", reduction};
    return in[1] && onnx_out(n, 0, make_op(&n->m->b, OP_scatter_nd, in, 3, &attr, 1));
}

/* Where along a new axis the index is; values [off, on]. */
bool onnx_one_hot(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *at = onnx_in(n, 0), *values = onnx_in(n, 2);
    size_t count;
    const struct ir_expr *const *depth = at && values ? onnx_in_ints(n, 1, &count) : NULL;
    int64_t axis;

    if (!depth || count != 1 || !onnx_axis(n, onnx_int(n, "axis", -1), onnx_rank(at) + 1, &axis))
        return false;
    struct ir_value *places = onnx_along(
        m, MAKE(&m->b, OP_arange, ir_inline_prim(m->module, depth[0])), axis, onnx_rank(at) + 1);
    at = onnx_wrap_indices(n, n->inputs[0], onnx_cast(m, at, IR_I64), depth[0]);
    at = at ? onnx_expand_dims(m, at, &axis, 1) : NULL;
    struct ir_value *hit = MAKE(&m->b, OP_equal, at, onnx_cast(m, places, IR_I64));
    struct ir_value *off = onnx_slice(m, values, 0, onnx_expr(m, 0), onnx_expr(m, 1), 1);
    struct ir_value *on = onnx_slice(m, values, 0, onnx_expr(m, 1), onnx_expr(m, 2), 1);
    if (!off || !on)
        return false;
    return onnx_out(
        n, 0,
        MAKE(&m->b, OP_where, hit, onnx_reshape(m, on, NULL, 0), onnx_reshape(m, off, NULL, 0)));
}

/* TopK of as many as only the run knows: sorted whole, and the first @k taken. */
static bool first_of_sorted(struct onnx_node *n, struct ir_value *x, int64_t axis,
                            const struct ir_expr *k)
{
    struct onnx_import *m = n->m;
    struct make_attr attrs[] = {
        int_attr(n, "axis", axis),
        {"descending", ir_attr_bool(m->context, onnx_int(n, "largest", 1))},
        {"dtype", ir_attr_dtype(m->context, IR_I64)},
    };
    struct ir_value *at = make_op(&m->b, OP_argsort, &x, 1, attrs, ARRAY_SIZE(attrs));

    at = at ? onnx_slice(m, at, axis, onnx_expr(m, 0), k, 1) : NULL;
    return onnx_out(n, 0, MAKE_WITH(&m->b, OP_gather_elements, attrs[0], x, at)) &&
           onnx_out(n, 1, at);
}

bool onnx_topk(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0);
    const struct ir_expr *given = onnx_expr(m, onnx_int(n, "k", 1));
    size_t count = 1;
    int64_t axis, k;

    if (!x || !onnx_axis(n, onnx_int(n, "axis", -1), onnx_rank(x), &axis))
        return false;
    if (n->opset >= 10) {
        const struct ir_expr *const *number = onnx_in_ints(n, 1, &count);
        if (!number)
            return false;
        given = count == 1 ? number[0] : NULL;
    }
    if (!given || (ir_expr_constant(m->context, given, &k) && k < 0)) {
        onnx_refuse(n, "how many it wants is not a number from 0 on");
        return false;
    }
    if (!ir_expr_constant(m->context, given, &k) || k == 0)
        return first_of_sorted(n, x, axis, given);
    struct make_attr attrs[] = {
        int_attr(n, "k", k),
        int_attr(n, "axis", axis),
        {"largest", ir_attr_bool(m->context, onnx_int(n, "largest", 1))},
        {"dtype", ir_attr_dtype(m->context, IR_I64)},
    };
    struct ir_value *both = make_op(&m->b, OP_topk, &x, 1, attrs, ARRAY_SIZE(attrs));
    return both && (!onnx_wants(n, 0) || onnx_out(n, 0, make_get(&m->b, both, 0))) &&
           (!onnx_wants(n, 1) || onnx_out(n, 1, make_get(&m->b, both, 1)));
}

bool onnx_reverse_sequence(struct onnx_node *n)
{
    struct ir_value *x = onnx_in(n, 0), *lengths = x ? onnx_in(n, 1) : NULL;
    struct make_attr attrs[] = {int_attr(n, "seq_axis", onnx_int(n, "time_axis", 0)),
                                int_attr(n, "batch_axis", onnx_int(n, "batch_axis", 1))};
    struct ir_value *operands[] = {x, lengths};

    return lengths && onnx_out(n, 0, make_op(&n->m->b, OP_reverse_sequence, operands, 2, attrs, 2));
}
