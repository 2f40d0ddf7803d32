/* Edits for two operands of one dtype that have two: a constant says the other one, or one of them is converted. */
#include "base/half.h"
#include "ops/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Element @at of @constant; infinite if it is not of a dtype that is looked at. */
static double number_at(const struct ir_constant *constant, size_t at)
{
    struct ir_dtype dtype = constant->dtype;

    if (dtype.lanes == 1 && ir_dtype_equal(dtype, IR_F32))
        return ((const float *)constant->data)[at];
    if (dtype.lanes == 1 && ir_dtype_equal(dtype, IR_F64))
        return ((const double *)constant->data)[at];
    if (dtype.lanes == 1 && dtype.bits == 16 && ir_dtype_is_float(dtype)) {
        uint16_t bits = ((const uint16_t *)constant->data)[at];
        return ir_dtype_equal(dtype, IR_BF16) ? bfloat_to_float(bits) : half_to_float(bits);
    }
    if (ir_dtype_equal(dtype, IR_I64))
        return (double)((const int64_t *)constant->data)[at];
    if (ir_dtype_equal(dtype, IR_I32))
        return ((const int32_t *)constant->data)[at];
    if (ir_dtype_equal(dtype, IR_DTYPE(IR_UINT, 8)))
        return ((const uint8_t *)constant->data)[at];
    if (ir_dtype_equal(dtype, IR_DTYPE(IR_INT, 8)))
        return ((const int8_t *)constant->data)[at];
    return INFINITY;
}

/* Is @number of @dtype the same number?  A fraction may be rounded, where it stays finite. */
static bool is_number_of(struct ir_dtype dtype, double number)
{
    bool is_whole = number == trunc(number);

    if (ir_dtype_is_int(dtype)) {
        unsigned bits = dtype.bits < 53 ? dtype.bits : 53; /* what a double has without a gap */
        double end = ldexp(1, (int)bits - (dtype.code == IR_INT));
        return is_whole && number < end && number >= (dtype.code == IR_INT ? -end : 0);
    }
    if (!ir_dtype_is_float(dtype))
        return false;
    if (is_whole)
        return fabs(number) <= ldexp(1, dtype.bits == 16 ? 8 : dtype.bits == 32 ? 24 : 53);
    return isfinite(number) && (dtype.bits != 16 || fabs(number) < 256);
}

/* The constant that operand @i is, or NULL. */
static const struct ir_constant *constant_of(const struct infer *in, unsigned i)
{
    const struct ir_op *made = in->op->operands[i].value->def;

    return made && ir_op_is(made, IR_CORE_constant) ? ir_op_attr(made, "data")->constant : NULL;
}

static bool constant_is_not(const struct infer *in, unsigned i, struct ir_dtype dtype)
{
    const struct ir_constant *constant = constant_of(in, i);
    size_t count = constant ? constant->bytes / ir_dtype_bytes(constant->dtype) : 0;

    for (size_t at = 0; at < count; at++)
        if (!is_number_of(dtype, number_at(constant, at)))
            return true;
    return false;
}

/* Operand @i is `R.const(1.0, \"float64\")` beside a tensor of @dtype: the constant says the wrong one. */
static bool help_const(const struct infer *in, struct diag_message *m, unsigned i,
                       struct ir_dtype dtype, const char *name)
{
    struct location place = op_operand_place(in, i), said = location_argument(place, 1, "dtype");

    if (!place.source || strncmp(place.source->text + place.begin, "R.const(", 8) != 0 ||
        !constant_of(in, i) || constant_is_not(in, i, dtype))
        return false;
    struct location first = location_argument(place, 0, "value");
    if (said.begin == place.begin && first.end + 1 == place.end && first.begin > place.begin) {
        diag_help(m, "let the constant be %s", name);
        diag_help_edit(m, location_behind(first), ", \"%s\"", name);
        return true;
    }
    if (said.begin == place.begin || place.source->text[said.begin] != '"')
        return false;
    diag_help(m, "let the constant be %s", name);
    diag_help_edit(m, said, "\"%s\"", name);
    return true;
}

/* Operand @i is `R.zeros((4, 8), "float32")` beside a tensor of another dtype: 0 and 1 are of all. */
static bool help_filled(const struct infer *in, struct diag_message *m, unsigned i,
                        const char *name)
{
    const struct ir_op *made = in->op->operands[i].value->def;
    struct location place = op_operand_place(in, i), said = location_argument(place, 1, "dtype");

    if (!made || (!op_is(made, OP_zeros) && !op_is(made, OP_ones)) || !place.source ||
        made->loc.begin != place.begin || said.begin == place.begin ||
        place.source->text[said.begin] != '"')
        return false;
    diag_help(m, "let `R.%s` be of %s", made->info->name, name);
    diag_help_edit(m, said, "\"%s\"", name);
    return true;
}

static bool is_bare_number(struct location call, struct location number)
{
    return number.begin != call.begin &&
           strspn(number.source->text + number.begin, "+-.0123456789") >= number.end - number.begin;
}

/* Operand @i is `R.one_hot(y, 1.0, 0.0, ..)`, whose numbers alone say its dtype. */
static bool help_one_hot(const struct infer *in, struct diag_message *m, unsigned i,
                         const char *name)
{
    const struct ir_op *made = in->op->operands[i].value->def;

    if (!made || !op_is(made, OP_one_hot) || !made->loc.source)
        return false;
    struct location on = location_argument(made->loc, 1, "on_value");
    struct location off = location_argument(made->loc, 2, "off_value");
    if (strncmp(name, "float", 5) != 0 || !is_bare_number(made->loc, on) ||
        !is_bare_number(made->loc, off) || off.begin < on.end)
        return false;
    struct location between = {on.source, on.end, off.begin};
    diag_help(m, "`R.one_hot` is of the dtype of its numbers");
    diag_help_edit(m, location_join(on, off), "T.%s(%.*s)%.*sT.%s(%.*s)", name, LOCATION_TEXT(on),
                   LOCATION_TEXT(between), name, LOCATION_TEXT(off));
    return true;
}

static bool help_constant(const struct infer *in, struct diag_message *m, unsigned i,
                          struct ir_dtype dtype)
{
    char buffer[32];
    const char *name = ir_dtype_name(dtype, buffer);

    return help_const(in, m, i, dtype, name) || help_filled(in, m, i, name) ||
           help_one_hot(in, m, i, name);
}

/* Does @a hold what @b holds, more than the other way round? */
static bool is_wider(struct ir_dtype a, struct ir_dtype b)
{
    bool is_float = ir_dtype_is_float(a);

    if (ir_dtype_is_bool(a) || ir_dtype_is_bool(b))
        return ir_dtype_is_bool(b);
    return is_float != ir_dtype_is_float(b) && is_float;
}

void op_help_astype(const struct infer *in, struct diag_message *m, unsigned i, const char *dtype)
{
    char behind[48];

    snprintf(behind, sizeof(behind), ", \"%s\")", dtype);
    op_help_wrap(in, m, i, "R.astype(", behind);
}

/* `R.divide(image, R.const(255.0, "float32"))` of integers: the tensor is to be of floats, or else the constant of integers. */
static bool help_float_constant(const struct infer *in, struct diag_message *m, unsigned tensor,
                                unsigned constant, struct ir_dtype given, struct ir_dtype wanted)
{
    char buffer[32];
    const char *name = ir_dtype_name(wanted, buffer);

    if (!constant_of(in, constant) || constant_of(in, tensor) || !ir_dtype_is_float(wanted) ||
        !ir_dtype_is_int(given) || ir_dtype_is_bool(given))
        return false;
    struct location place = op_operand_place(in, tensor);
    if (place.begin != in->op->loc.begin)
        diag_label(m, place, "this is %s",
                   ir_type_text(in->context, in->op->operands[tensor].value->type));
    diag_help(m, "convert the tensor: `R.astype(.., \"%s\")`", name);
    op_help_astype(in, m, tensor, name);
    if (!op_is(in->op, OP_divide))
        help_constant(in, m, constant, given);
    return true;
}

void op_help_dtypes(const struct infer *in, struct diag_message *m, unsigned i, unsigned j,
                    struct ir_dtype first, struct ir_dtype second)
{
    char buffer[32];

    if (help_float_constant(in, m, i, j, first, second) ||
        help_float_constant(in, m, j, i, second, first))
        return;
    if (help_constant(in, m, j, first) || help_constant(in, m, i, second))
        return;
    /* 2 of int32 is 2.0, and 2.5 is no int32 */
    bool is_second = is_wider(second, first) || constant_is_not(in, j, first);
    const char *name = ir_dtype_name(is_second ? second : first, buffer);
    diag_help(m, "convert one of them: `R.astype(.., \"%s\")`", name);
    op_help_astype(in, m, is_second ? i : j, name);
}

/* The argument that says the dtype of @made, by the name `dtype`; nowhere if there is none. */
static struct location said_dtype(const struct ir_op *made, struct ir_dtype dtype)
{
    const struct ir_op_info *info = made->info;

    for (unsigned i = 0; i < info->param_count; i++) {
        const struct ir_op_param *param = &info->params[i];
        if (param->kind != IR_PARAM_DTYPE || strcmp(param->name, "dtype") != 0)
            continue;
        const struct ir_attr *said = made->attrs[param->attr_index];
        struct location place = location_argument(made->loc, i, param->name);
        if (said->kind == IR_ATTR_DTYPE && ir_dtype_equal(said->dtype, dtype) &&
            (place.begin != made->loc.begin || place.end != made->loc.end))
            return place;
    }
    return (struct location){0};
}

void op_label_dtype(const struct infer *in, struct diag_message *m, unsigned i)
{
    const struct ir_value *value = in->op->operands[i].value;
    const struct ir_op *made = value->def;

    if (value->type->kind != IR_TYPE_TENSOR)
        return;
    while (made && (ir_op_is(made, IR_CORE_bind) || ir_op_is(made, IR_CORE_tuple_get))) {
        bool is_first =
            ir_op_is(made, IR_CORE_tuple_get) && ir_op_attr(made, "index")->integer == 0;
        if (is_first) /* R.topk: the values are of the dtype of the data */
            return;
        made = made->operands[0].value->def;
    }
    struct location place = made ? said_dtype(made, value->type->dtype) : (struct location){0};
    if (place.source)
        diag_label(m, place, "this says the dtype");
}
