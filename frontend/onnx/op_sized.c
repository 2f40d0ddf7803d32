/* Results whose size only the run knows: NonZero, Compress, Unique, NonMaxSuppression. */
#include "frontend/onnx/families.h"

#include <math.h>

static struct ir_value *along(struct onnx_import *m, unsigned op, int64_t axis, struct ir_value *x,
                              struct ir_value *at)
{
    return MAKE_WITH(&m->b, op, ((struct make_attr){"axis", onnx_attr_int(m, axis)}), x, at);
}

/* Where @x is not zero: a row an axis of it, as many columns as the run finds. */
static struct ir_value *places(struct onnx_import *m, struct ir_value *x)
{
    const struct ir_expr *dims[] = {x ? onnx_expr(m, onnx_rank(x)) : NULL, NULL};

    return x ? onnx_measured(m, MAKE(&m->b, OP_nonzero, x), dims) : NULL;
}

bool onnx_nonzero(struct onnx_node *n)
{
    return onnx_out(n, 0, places(n->m, onnx_in(n, 0)));
}

static const struct ir_expr *size_of(struct onnx_import *m, const struct ir_value *x)
{
    const struct ir_expr *size = onnx_expr(m, 1);

    for (int i = 0; i < onnx_rank(x); i++)
        size = onnx_op(m, IR_EXPR_mul, size, onnx_dims(x)[i]);
    return size;
}

bool onnx_compress(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0), *kept = x ? onnx_in(n, 1) : NULL;
    int64_t axis = 0;

    if (!kept)
        return false;
    if (!onnx_attribute(n, "axis"))
        x = onnx_reshape(m, x, (const struct ir_expr *[]){size_of(m, x)}, 1);
    else if (!onnx_axis(n, onnx_int(n, "axis", 0), onnx_rank(x), &axis))
        return false;
    struct ir_value *at = places(m, kept);
    at = at ? onnx_reshape(m, at, onnx_dims(at) + 1, 1) : NULL;
    return onnx_out(n, 0, along(m, OP_take, axis, x, at));
}

/* The extents of the outputs of Unique: values, places of the first ones, groups of all, counts. */
static void unique_dims(struct onnx_import *m, struct ir_value *x, const int64_t *axis,
                        const struct ir_expr **out[4])
{
    const struct ir_expr *count = onnx_symbol(m, NULL);

    for (unsigned i = 0; i < 4; i++) {
        out[i] = arena_array(m->arena, const struct ir_expr *, (size_t)onnx_rank(x) + 1);
        out[i][0] = count;
    }
    for (int i = 0; axis && i < onnx_rank(x); i++)
        out[0][i] = i == *axis ? count : onnx_dims(x)[i];
    out[2][0] = axis ? onnx_dims(x)[*axis] : size_of(m, x);
}

bool onnx_unique(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0), *operands[6] = {x};
    const Onnx__Attribute *given = onnx_attribute(n, "axis");
    const struct ir_expr **dims[4];
    int64_t axis = 0, flags[] = {onnx_int(n, "sorted", 1), 1, 1, 1};

    if (!x || (given && !onnx_axis(n, onnx_int(n, "axis", 0), onnx_rank(x), &axis)))
        return false;
    for (unsigned i = 0; i < 4; i++)
        operands[i + 1] =
            ir_inline_prim(m->module, ir_expr_int(m->context, IR_B1, flags[i] ? 1 : 0));
    operands[5] = ir_inline_prim(m->module, onnx_expr(m, axis));
    struct ir_value *all = make_op(&m->b, OP_unique, operands, given ? 6 : 5, NULL, 0);
    unique_dims(m, x, given ? &axis : NULL, dims);
    for (unsigned i = 0; all && i < 4; i++)
        if (onnx_wants(n, i) && !onnx_out(n, i, onnx_measured(m, make_get(&m->b, all, i), dims[i])))
            return false;
    return all != NULL;
}

/* ---- NonMaxSuppression ---- */

/* Boxes of centre, width and height as two corners. */
static struct ir_value *corners(struct onnx_import *m, struct ir_value *boxes)
{
    const struct ir_expr *zero = onnx_expr(m, 0), *two = onnx_expr(m, 2), *four = onnx_expr(m, 4);
    struct ir_value *center = onnx_slice(m, boxes, 2, zero, two, 1);
    struct ir_value *half = MAKE(&m->b, OP_multiply, onnx_slice(m, boxes, 2, two, four, 1),
                                 boxes ? onnx_scalar(m, boxes->type->dtype, 0.5) : NULL);
    struct ir_value *ends[] = {MAKE(&m->b, OP_subtract, center, half),
                               MAKE(&m->b, OP_add, center, half)};

    return ends[0] && ends[1] ? onnx_concat(m, ends, 2, 2) : NULL;
}

/* An input of one element, or @missing where it is left out. */
static struct ir_value *single(struct onnx_node *n, unsigned input, struct ir_dtype dtype,
                               double missing)
{
    struct ir_value *x = onnx_has(n, input) ? onnx_in(n, input) : onnx_scalar(n->m, dtype, missing);

    return x && onnx_rank(x) ? onnx_reshape(n->m, x, NULL, 0) : x;
}

bool onnx_non_max_suppression(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *operands[] = {onnx_in(n, 0), onnx_in(n, 1), single(n, 2, IR_I64, 0),
                                   single(n, 3, IR_F32, 0), single(n, 4, IR_F32, -INFINITY)};
    struct make_attr attr = {"output_format", onnx_attr_string(m, "onnx")};
    const struct ir_expr *count;

    for (unsigned i = 0; i < 5; i++)
        if (!operands[i])
            return false;
    if (onnx_rank(operands[0]) != 3 || onnx_rank(operands[1]) != 3) {
        onnx_refuse(n, "its boxes and scores have not three axes");
        return false;
    }
    if (onnx_int(n, "center_point_box", 0))
        operands[0] = corners(m, operands[0]);
    struct ir_value *both =
        make_op(&m->b, OP_vision_all_class_non_max_suppression, operands, 5, &attr, 1);
    struct ir_value *rows = both ? make_get(&m->b, both, 0) : NULL;
    if (!rows || !onnx_read_sizes(m, make_get(&m->b, both, 1), 1, &count))
        return false;
    return onnx_out(n, 0, onnx_slice(m, rows, 0, onnx_expr(m, 0), count, 1));
}
