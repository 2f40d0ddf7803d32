/* Operators of ai.onnx.ml on tensors of numbers. */
#include "frontend/onnx/families.h"

bool onnx_binarizer(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0);

    if (!x)
        return false;
    struct ir_value *limit = onnx_scalar(m, x->type->dtype, onnx_float(n, "threshold", 0));
    return onnx_out(n, 0, onnx_cast(m, MAKE(&m->b, OP_greater, x, limit), x->type->dtype));
}

/* Columns of the last axis; a vector is one row. */
bool onnx_array_features(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0), *at = x ? onnx_in(n, 1) : NULL;
    const struct ir_expr *size = onnx_expr(m, 1), *row[] = {size, size};

    if (!at || onnx_rank(x) < 1)
        return false;
    for (int i = 0; i < onnx_rank(at); i++)
        size = onnx_op(m, IR_EXPR_mul, size, onnx_dims(at)[i]);
    row[1] = onnx_dims(x)[0];
    if (onnx_rank(x) == 1)
        x = onnx_reshape(m, x, row, 2);
    struct make_attr axis = {"axis", onnx_attr_int(m, x ? onnx_rank(x) - 1 : 0)};
    return onnx_out(n, 0, MAKE_WITH(&m->b, OP_take, axis, x, onnx_reshape(m, at, &size, 1)));
}

/* One number for all features, or one each. */
static struct ir_value *numbers_of(struct onnx_node *n, const char *name, struct ir_value *missing)
{
    const Onnx__Attribute *given = onnx_attribute(n, name);
    int64_t count = given ? (int64_t)given->n_floats : 0;

    if (count == 0)
        return missing;
    return onnx_constant(n->m, IR_F32, &count, 1, given->floats);
}

bool onnx_scaler(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0);

    if (!x)
        return false;
    x = MAKE(&m->b, OP_subtract, onnx_cast(m, x, IR_F32),
             numbers_of(n, "offset", onnx_scalar(m, IR_F32, 0)));
    return onnx_out(n, 0,
                    MAKE(&m->b, OP_multiply, x, numbers_of(n, "scale", onnx_scalar(m, IR_F32, 1))));
}
