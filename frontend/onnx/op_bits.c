/* BitCast: elements seen as those of another dtype of the same size. */
#include "frontend/onnx/families.h"
#include "frontend/onnx/storage.h"

#include <stdio.h>

bool onnx_bit_cast(struct onnx_node *n)
{
    struct onnx_import *m = n->m;
    struct ir_value *x = onnx_in(n, 0);
    const struct ir_expr *size = onnx_expr(m, 1);
    int64_t type = onnx_int(n, "to", 0);
    struct ir_dtype dtype;
    char name[32], body[256];

    if (!x || type < 1 || type > 99 || !onnx_dtype((int32_t)type, &dtype))
        return false;
    if (ir_dtype_bytes(dtype) != ir_dtype_bytes(x->type->dtype) ||
        ((onnx_narrow_bits((int32_t)type) || onnx_narrow_bits(n->inputs[0]->stored)) &&
         type != n->inputs[0]->stored)) {
        onnx_refuse(n, "only between types of one size is it supported");
        return false;
    }
    n->outputs[0].stored = onnx_stored((int32_t)type);
    if (ir_dtype_equal(dtype, x->type->dtype) || ir_dtype_is_bool(dtype) ||
        ir_dtype_is_bool(x->type->dtype))
        return onnx_out(n, 0, onnx_cast(m, x, dtype));
    for (int i = 0; i < onnx_rank(x); i++)
        size = onnx_op(m, IR_EXPR_mul, size, onnx_dims(x)[i]);
    struct ir_value *flat = onnx_reshape(m, x, &size, 1);
    const struct ir_type *result = ir_type_tensor(m->context, dtype, &size, 1);
    snprintf(body, sizeof(body),
             "    for i in range(a0.shape[0]):\n        with T.block(\"bits\"):\n"
             "            v = T.axis.spatial(a0.shape[0], i)\n"
             "            r0[v] = T.reinterpret(\"%s\", a0[v])\n",
             ir_dtype_name(dtype, name));
    struct ir_value *y = onnx_kernel(m, "bit_cast", &flat, 1, &result, 1, body);
    return onnx_out(n, 0, y ? onnx_reshape(m, y, onnx_dims(x), (unsigned)onnx_rank(x)) : NULL);
}
