/*
 * Convolutions of integers that were bytes, as products of such are (narrow_products.c):
 *
 *     y = R.nn.conv2d(R.astype(x, "int32") - zx, R.astype(w, "int32"), padding=p)
 *
 * becomes a convolution of the bytes, and what is the same for all elements of a channel:
 *
 *     y = R.nn.conv2d(R.nn.pad(x, p, zx), w, out_dtype="int32") - zx * sum(w, axis=[1, 2, 3])
 *
 * Around x - zx are zeros, so around x is zx.  All of it wraps in 32 bits, so the bits are the same.
 */
#include "ir/arith.h"
#include "ir/edit/make.h"
#include "ops/ids.h"
#include "passes/fuse/narrow_products.h"

#include <string.h>

enum { RANK_MOST = 5 };

struct conv {
    struct ir_op *op;
    unsigned count; /* of spatial axes */
    struct centred x, w;
    int64_t zero; /* of x, where it is padded */
};

static const char *text_of(const struct ir_op *op, const char *name)
{
    const struct ir_attr *attr = ir_op_attr(op, name);

    return attr && attr->kind == IR_ATTR_STRING ? attr->string : "";
}

/* Padding in front of or behind spatial axis @i: there is one number, one an axis, or two an axis. */
static int64_t padding(const struct conv *c, unsigned i, bool is_behind)
{
    const struct ir_attr *list = ir_op_attr(c->op, "padding");
    unsigned at = list->count == 1 ? 0 : list->count == c->count ? i : i + is_behind * c->count;

    return list->items[at]->integer;
}

/* Channels in front. */
static bool is_plain(const struct conv *c)
{
    const struct ir_op *op = c->op;
    const struct ir_type *data = op->operands[0].value->type, *weight = op->operands[1].value->type;

    return op->result.type->kind == IR_TYPE_TENSOR && op->result.type->dims &&
           ir_dtype_equal(op->result.type->dtype, IR_I32) && data->ndim == (int)c->count + 2 &&
           strncmp(text_of(op, "data_layout"), "NC", 2) == 0 &&
           strncmp(text_of(op, "kernel_layout"), "OI", 2) == 0 &&
           (!*text_of(op, "out_layout") ||
            strcmp(text_of(op, "out_layout"), text_of(op, "data_layout")) == 0) &&
           strlen(text_of(op, "data_layout")) == c->count + 2 && weight->dims;
}

static bool is_padded(const struct conv *c)
{
    for (unsigned i = 0; i < c->count; i++)
        if (padding(c, i, false) != 0 || padding(c, i, true) != 0)
            return true;
    return false;
}

static bool holds(struct ir_dtype dtype, int64_t number)
{
    int64_t most = (INT64_C(1) << (dtype.bits - (dtype.code == IR_INT))) - 1;

    return number <= most && number >= (dtype.code == IR_INT ? -most - 1 : 0);
}

/* Is @value one number, which each astype on the way keeps? */
static bool is_number(const struct ir_value *value, int64_t *out)
{
    const struct ir_op *def = value->def;

    if (!ir_dtype_is_int(value->type->dtype) || value->type->dtype.bits > 32)
        return false;
    if (def && op_is(def, OP_astype))
        return is_number(def->operands[0].value, out) && holds(value->type->dtype, *out);
    const struct ir_constant *constant =
        def && ir_op_is(def, IR_CORE_constant) ? ir_op_attr(def, "data")->constant : NULL;
    if (!constant || !constant->data || constant->bytes != ir_dtype_bytes(constant->dtype))
        return false;
    uint32_t bits = 0;
    memcpy(&bits, constant->data, constant->bytes);
    unsigned above = 32 - constant->dtype.bits;
    *out = constant->dtype.code == IR_INT ? (int32_t)(bits << above) >> above : (int64_t)bits;
    return true;
}

static bool is_scalar(const struct ir_value *value)
{
    for (int i = 0; i < value->type->ndim; i++)
        if (!ir_expr_is_int(value->type->dims[i], 1))
            return false;
    return true;
}

/* A window of one channel is for vectors (passes/schedule/taps.c), which centre the data by themselves. */
static bool is_depthwise(const struct conv *c)
{
    return ir_expr_is_int(c->w.bytes->type->dims[1], 1);
}

static bool can_narrow(struct conv *c)
{
    return is_plain(c) && narrow_read(c->op->operands[0].value, &c->x) &&
           narrow_read(c->op->operands[1].value, &c->w) && !c->w.zero &&
           (!c->x.zero || is_depthwise(c) ||
            (is_scalar(c->x.zero) && (!is_padded(c) || (is_number(c->x.zero, &c->zero) &&
                                                        holds(c->x.bytes->type->dtype, c->zero)))));
}

/* x with zx around it. */
static struct ir_value *padded(struct ir_builder *b, const struct conv *c)
{
    struct ir_context *context = b->module->context;
    int64_t width[2 * RANK_MOST] = {0};

    for (unsigned i = 0; i < c->count; i++)
        for (unsigned behind = 0; behind < 2; behind++)
            width[2 * (i + 2) + behind] = padding(c, i, behind);
    struct make_attr attrs[] = {{"pad_width", ir_attr_ints(context, width, 2 * (c->count + 2))},
                                {"pad_value", ir_attr_float(context, (double)c->zero)}};
    struct ir_value *operand = make_operand(b, c->x.bytes);

    return make_op(b, OP_nn_pad, &operand, 1, attrs, ARRAY_SIZE(attrs));
}

/* zx * sum(w), one for each channel of the result, beside it */
static struct ir_value *terms_of(struct ir_builder *b, const struct conv *c)
{
    struct ir_context *context = b->module->context;
    const struct ir_type *weight = c->w.bytes->type;
    const struct ir_expr *one = ir_expr_int(context, IR_I64, 1);
    const struct ir_expr *dims[RANK_MOST] = {one, weight->dims[0], one, one, one};
    const struct ir_expr *matrix[] = {weight->dims[0], one};

    for (int i = 1; i < weight->ndim; i++)
        matrix[1] =
            ir_simplify(context, ir_expr_binary(context, IR_EXPR_mul, matrix[1], weight->dims[i]));
    struct ir_value *rows = MAKE(b, OP_reshape, c->w.bytes, make_shape(b, matrix, 2));
    struct ir_value *sum = rows ? narrow_sum(b, rows, 1) : NULL;
    struct ir_value *column = MAKE(b, OP_reshape, sum, make_shape(b, dims, c->count + 2));

    return MAKE(b, OP_multiply, column, MAKE(b, OP_reshape, c->x.zero, make_shape(b, NULL, 0)));
}

bool narrow_conv(struct pass_run *run, struct ir_op *op, bool *out_changed)
{
    struct ir_builder b = {run->module, run->diag, op->block, op, op->loc};
    struct ir_context *context = run->module->context;
    static const int64_t none[2 * RANK_MOST];
    struct conv c = {.op = op};
    struct ir_value *terms = NULL, *data;

    c.count = op_is(op, OP_nn_conv1d)   ? 1
              : op_is(op, OP_nn_conv2d) ? 2
              : op_is(op, OP_nn_conv3d) ? 3
                                        : 0;
    if (c.count == 0 || !can_narrow(&c))
        return true;
    ir_op_set_attr(op, "out_dtype", ir_attr_dtype(context, IR_I32));
    ir_op_set_operand(op, 1, make_operand(&b, c.w.bytes));
    *out_changed = true;
    if (is_depthwise(&c))
        return true;
    bool is_moved = c.x.zero && is_padded(&c); /* what is around x */
    if (c.x.zero && !(terms = terms_of(&b, &c)))
        return false;
    data = is_moved ? padded(&b, &c) : make_operand(&b, c.x.bytes);
    if (!data)
        return false;
    if (is_moved)
        ir_op_set_attr(op, "padding", ir_attr_ints(context, none, 2 * c.count));
    ir_op_set_operand(op, 0, data);
    return !terms || narrow_less(run, op, terms);
}
