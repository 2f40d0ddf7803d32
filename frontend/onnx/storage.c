/*
 * Data types that only the file has: floats of 8, 6 and 4 bits and a power of two, each in a byte of uint8 here.
 * They are exact: what is read comes out of a table of all codes, what is written is rounded to even in integers.
 */
#include "frontend/onnx/storage.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { POWER_OF_TWO = 24 };

/* By number of TensorProto.DataType. */
struct small {
    int32_t type;
    unsigned mantissa, sign_at; /* bits; place of the sign */
    int bias;
    unsigned largest; /* code of the largest number */
    unsigned over;    /* code of what is larger, if it does not saturate */
    unsigned nan;     /* 0: there is none */
    bool is_unsigned_zero;
};

static const struct small smalls[] = {
    {17, 3, 7, 7, 0x7e, 0x7f, 0x7f, false},  {18, 3, 7, 8, 0x7f, 0x80, 0x80, true},
    {19, 2, 7, 15, 0x7b, 0x7c, 0x7e, false}, {20, 2, 7, 16, 0x7f, 0x80, 0x80, true},
    {23, 1, 3, 1, 0x07, 0x07, 0, false},     {27, 3, 5, 1, 0x1f, 0x1f, 0, false},
    {28, 2, 5, 3, 0x1f, 0x1f, 0, false},
};

static const struct small *find(int32_t type)
{
    for (size_t i = 0; i < ARRAY_SIZE(smalls); i++)
        if (smalls[i].type == type)
            return &smalls[i];
    return NULL;
}

bool onnx_is_small_float(int32_t type)
{
    return type == POWER_OF_TWO || find(type);
}

int32_t onnx_stored(int32_t type)
{
    return onnx_is_small_float(type) || onnx_narrow_bits(type) ? type : 0;
}

/* ---- reading ---- */

static float value_of(int32_t type, unsigned code)
{
    const struct small *s = find(type);

    if (!s)
        return code == 255 ? NAN : ldexpf(1, (int)code - 127);
    code &= (2u << s->sign_at) - 1;
    unsigned magnitude = code & ((1u << s->sign_at) - 1);
    unsigned exponent = magnitude >> s->mantissa;
    unsigned fraction = magnitude & ((1u << s->mantissa) - 1);
    bool is_negative = code >> s->sign_at;
    if (s->nan && (s->is_unsigned_zero ? code == s->nan : magnitude > s->largest))
        return s->over != s->nan && magnitude == s->over ? (is_negative ? -INFINITY : INFINITY)
                                                         : NAN;
    if (exponent)
        fraction += 1u << s->mantissa;
    float value =
        ldexpf((float)fraction, (int)(exponent ? exponent : 1) - s->bias - (int)s->mantissa);
    return is_negative ? -value : value;
}

struct ir_value *onnx_from_small(struct onnx_import *m, struct ir_value *x, int32_t type)
{
    float table[256];
    int64_t dims[] = {256};

    for (unsigned i = 0; i < 256; i++)
        table[i] = value_of(type, i);
    return MAKE_WITH(&m->b, OP_take, ((struct make_attr){"axis", onnx_attr_int(m, 0)}),
                     x ? onnx_constant(m, IR_F32, dims, 1, table) : NULL, onnx_cast(m, x, IR_I32));
}

/* ---- writing ---- */

/* What is said of the bits of a float32, which are `bits`, so that `code` is the result. */
static void put_small(struct text *out, const struct small *s, bool saturates)
{
    text_printf(
        out,
        "            exponent: T.int32 = T.max(size >> 23, 1)\n"
        "            whole: T.int32 = (size & 8388607) | T.if_then_else(size >= 8388608, "
        "8388608, 0)\n"
        "            place: T.int32 = T.max(exponent, %d)\n"
        "            shift: T.int32 = T.min(%d + place - exponent, 25)\n"
        "            kept: T.int32 = whole >> shift\n"
        "            rest: T.int32 = whole - (kept << shift)\n"
        "            half: T.int32 = 1 << (shift - 1)\n"
        "            up: T.int32 = T.if_then_else(rest > half or (rest == half and kept %% 2 "
        "== 1), 1, 0)\n"
        "            near: T.int32 = kept + up + ((place - %d) << %u)\n"
        "            sign: T.int32 = ((bits >> 31) & 1) << %u\n",
        128 - s->bias, 23 - (int)s->mantissa, 128 - s->bias, s->mantissa, s->sign_at);
    text_printf(out, "            part: T.int32 = T.if_then_else(near > %u, %u, near)\n",
                s->largest, saturates ? s->largest : s->over);
    if (s->is_unsigned_zero)
        text_printf(out,
                    "            code: T.int32 = T.if_then_else(size > 2139095040, %u, "
                    "T.if_then_else(part == 0, 0, part | sign))\n",
                    s->nan);
    else if (s->nan)
        text_printf(out,
                    "            code: T.int32 = T.if_then_else(size > 2139095040, %u, part) | "
                    "sign\n",
                    s->nan);
    else
        text_printf(out,
                    "            code: T.int32 = T.if_then_else(size > 2139095040, %u, part | "
                    "sign)\n",
                    1u << s->sign_at);
}

static void put_power(struct text *out, bool saturates, const char *round_mode)
{
    const char *up = strcmp(round_mode, "down") == 0 ? "size < 0"
                     : strcmp(round_mode, "up") == 0
                         ? "(size & 8388607) > 0"
                         : "(size & 8388607) > 4194304 or ((size & 8388607) == 4194304 and "
                           "size >= 8388608)";

    text_printf(out,
                "            exponent: T.int32 = size >> 23\n"
                "            up: T.int32 = T.if_then_else(exponent < %d and (%s), 1, 0)\n"
                "            code: T.int32 = exponent + up\n",
                saturates ? 254 : 255, up);
}

struct ir_value *onnx_to_small(struct onnx_import *m, struct ir_value *x, int32_t type,
                               bool saturates, const char *round_mode)
{
    const struct small *s = find(type);
    const struct ir_expr *size = onnx_expr(m, 1);
    struct text body = {0};

    x = onnx_measured(m, x, NULL);
    if (!x)
        return NULL;
    for (int i = 0; i < onnx_rank(x); i++)
        size = onnx_op(m, IR_EXPR_mul, size, onnx_dims(x)[i]);
    struct ir_value *flat = onnx_reshape(m, onnx_cast(m, x, IR_F32), &size, 1);
    const struct ir_type *result = ir_type_tensor(m->context, IR_DTYPE(IR_UINT, 8), &size, 1);
    text_puts(&body, "    for i in range(a0.shape[0]):\n        with T.block(\"small\"):\n"
                     "            v = T.axis.spatial(a0.shape[0], i)\n"
                     "            bits: T.int32 = T.reinterpret(\"int32\", a0[v])\n"
                     "            size: T.int32 = bits & 2147483647\n");
    if (s)
        put_small(&body, s, saturates);
    else
        put_power(&body, saturates, round_mode);
    text_puts(&body, "            r0[v] = T.Cast(\"uint8\", code)\n");
    struct ir_value *y =
        flat ? onnx_kernel(m, "to_small", &flat, 1, &result, 1, text_string(&body)) : NULL;
    text_finish(&body);
    return y ? onnx_reshape(m, y, onnx_dims(x), (unsigned)onnx_rank(x)) : NULL;
}

/* ---- nodes that only move what they are given ---- */

/* Operators that give the elements of input `from`, or (OWN) know of these types themselves. */
enum { OWN = 99, ALL = 98 };

static const struct {
    const char *name;
    unsigned from;
} movers[] = {
    {"Identity", OWN},
    {"Cast", OWN},
    {"CastLike", OWN},
    {"QuantizeLinear", OWN},
    {"DequantizeLinear", OWN},
    {"BitCast", OWN},
    {"Shape", OWN},
    {"Size", OWN},
    {"If", OWN},
    {"Loop", OWN},
    {"Scan", OWN},
    {"Reshape", 0},
    {"Flatten", 0},
    {"Squeeze", 0},
    {"Unsqueeze", 0},
    {"Transpose", 0},
    {"Concat", ALL},
    {"Split", 0},
    {"Slice", 0},
    {"Gather", 0},
    {"GatherElements", 0},
    {"GatherND", 0},
    {"Expand", 0},
    {"Tile", 0},
    {"Pad", 0},
    {"DepthToSpace", 0},
    {"SpaceToDepth", 0},
    {"Where", 1},
    {"ScatterElements", 0},
    {"ScatterND", 0},
    {"Compress", 0},
    {"ReverseSequence", 0},
    {"ConstantOfShape", OWN},
};

static int32_t stored_of(const struct onnx_node *n, unsigned input)
{
    return onnx_has(n, input) ? n->inputs[input]->stored : 0;
}

static bool all_are(const struct onnx_node *n, int32_t type)
{
    for (unsigned i = 0; i < n->input_count; i++)
        if (stored_of(n, i) != type)
            return false;
    return true;
}

bool onnx_check_stored(struct onnx_node *n, int32_t *out)
{
    unsigned from = n->input_count;

    *out = 0;
    for (unsigned i = 0; i < n->input_count; i++)
        from = stored_of(n, i) && i < from ? i : from;
    if (from == n->input_count)
        return true;
    for (size_t i = 0; i < ARRAY_SIZE(movers); i++) {
        if (strcmp(movers[i].name, n->name) != 0)
            continue;
        if (movers[i].from == OWN)
            return true;
        *out = stored_of(n, movers[i].from == ALL ? 0 : movers[i].from);
        if (movers[i].from != ALL || all_are(n, *out))
            return true;
    }
    if (!onnx_is_small_float(stored_of(n, from)))
        return true; /* integers compute as what holds them */
    onnx_refuse(n, "its input `%s` is of a type that is stored, and not computed with",
                n->proto->input[from]);
    return false;
}
