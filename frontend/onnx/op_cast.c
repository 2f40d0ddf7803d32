/* Cast, CastLike: conversions, of what is followed and of types that only the file has. */
#include "frontend/onnx/families.h"
#include "frontend/onnx/storage.h"

/* Integers and bools stay followed through casts between them, and floats that are whole. */
static bool follow_cast(struct onnx_node *n, struct ir_dtype dtype)
{
    double real = 0;

    struct onnx_value *x = n->inputs[0];
    const struct ir_expr **elements;

    if (!onnx_has(n, 0) || !onnx_value_is_known(n->m, x))
        return false;
    elements = arena_array(n->m->arena, const struct ir_expr *, x->count + 1);
    for (size_t i = 0; i < x->count; i++) {
        elements[i] = x->elements[i];
        bool is_real = elements[i]->kind == IR_EXPR_float;
        if (ir_dtype_is_bool(dtype) && !onnx_is_number(elements[i], &real))
            return false;
        if (ir_dtype_is_bool(dtype))
            elements[i] = onnx_expr(n->m, real != 0);
        else if (is_real && !ir_dtype_is_float(dtype))
            elements[i] = onnx_expr(n->m, (int64_t)elements[i]->float_value);
        else if (ir_dtype_bytes(dtype) < 4)
            return false; /* where it might wrap or round */
    }
    onnx_value_set_elements(n->m, &n->outputs[0], dtype, x->rank, x->dims, elements, x->count);
    return true;
}

/* The low bits of integers of a byte, with their sign. */
static struct ir_value *wrap_narrow(struct onnx_import *m, struct ir_value *x, unsigned bits)
{
    struct ir_dtype dtype = x ? x->type->dtype : IR_I32;
    struct ir_value *sign = onnx_scalar(m, dtype, (double)(1 << (bits - 1)));

    x = MAKE(&m->b, OP_bitwise_and, x, onnx_scalar(m, dtype, (double)((1 << bits) - 1)));
    if (dtype.code != IR_INT)
        return x;
    return MAKE(&m->b, OP_subtract, MAKE(&m->b, OP_bitwise_xor, x, sign), sign);
}

/* @stored: what the model calls the type, where Relax has no such; else 0. */
static bool cast_to(struct onnx_node *n, struct ir_dtype dtype, int32_t stored)
{
    int32_t given = onnx_has(n, 0) ? n->inputs[0]->stored : 0;
    unsigned bits = onnx_narrow_bits(stored);

    n->outputs[0].stored = stored;
    if (onnx_is_small_float(given) || onnx_is_small_float(stored)) {
        struct ir_value *x = onnx_in(n, 0);
        if (onnx_is_small_float(given) && given != stored)
            x = onnx_from_small(n->m, x, given);
        if (onnx_is_small_float(stored) && given != stored)
            return onnx_out(n, 0,
                            onnx_to_small(n->m, x, stored, onnx_int(n, "saturate", 1),
                                          onnx_string(n, "round_mode", "up")));
        x = onnx_cast(n->m, x, bits ? IR_I32 : dtype);
        return onnx_out(n, 0, bits ? wrap_narrow(n->m, onnx_cast(n->m, x, dtype), bits) : x);
    }
    if (bits) {
        struct ir_value *from = onnx_in(n, 0);
        struct ir_value *whole =
            from ? onnx_cast(n->m, onnx_cast(n->m, from, IR_I32), dtype) : NULL;
        return onnx_out(n, 0, wrap_narrow(n->m, whole, bits));
    }
    if (follow_cast(n, dtype))
        return true;
    struct ir_value *x = onnx_in(n, 0);
    return x && onnx_out(n, 0, onnx_cast(n->m, x, dtype));
}

bool onnx_change_dtype(struct onnx_node *n)
{
    bool is_like = n->input_count == 2;
    struct ir_value *like = is_like ? onnx_in(n, 1) : NULL;
    int64_t type = is_like ? 0 : onnx_int(n, "to", 0);
    struct ir_dtype dtype;

    if (is_like && !like)
        return false;
    if (is_like)
        return cast_to(n, like->type->dtype, n->inputs[1]->stored);
    if (type >= 0 && type < 100 && onnx_dtype((int32_t)type, &dtype))
        return cast_to(n, dtype, onnx_stored((int32_t)type));
    onnx_refuse(n, "data type %lld is not supported", (long long)type);
    return false;
}
