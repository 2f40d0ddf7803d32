/* Conditions and attributes of rewrite rules on elements, casts and shapes; see rules.def. */
#include "base/assert.h"
#include "ops/ids.h"
#include "passes/graph/rules.h"

#include <string.h>

const struct rule rule_table[] = {
#define RULE(name, kind, pattern, condition, replacement, attributes, doc) \
    {#name, RULE_##kind, pattern, when_##condition, replacement, attrs_##attributes, doc},
#include "passes/graph/rules.def"
};
const size_t rule_table_count = ARRAY_SIZE(rule_table);

bool when_always(struct match *match)
{
    return true;
}

void attrs_none(const struct match *match, const struct ir_op_info *info,
                const struct ir_attr **attrs)
{
}

/* Those of the first op of that kind in the pattern. */
void attrs_pattern(const struct match *match, const struct ir_op_info *info,
                   const struct ir_attr **attrs)
{
    for (unsigned i = 0; i < match->op_count; i++) {
        if (match->ops[i]->info != info)
            continue;
        for (unsigned k = 0; k < info->attr_count; k++)
            attrs[k] = match->ops[i]->attrs[k];
        return;
    }
}

void rule_set_attr(const struct ir_op_info *info, const struct ir_attr **attrs, const char *name,
                   const struct ir_attr *value)
{
    const struct ir_op_param *param = ir_attr_param(info, name);

    if (param)
        attrs[param->attr_index] = value;
}

/* ---- constants ---- */

static const struct ir_constant *constant_of(const struct ir_value *value)
{
    if (!value->def || !ir_op_is(value->def, IR_CORE_constant))
        return NULL;
    return ir_op_attr(value->def, "data")->constant;
}

/* The bits of element @i. */
static uint64_t element_bits(const struct ir_constant *constant, size_t i)
{
    unsigned bytes = ir_dtype_bytes(constant->dtype);
    uint8_t b1;
    uint16_t b2;
    uint32_t b4;
    uint64_t b8;
    const char *at = (const char *)constant->data + i * bytes;

    switch (bytes) {
    case 1:
        memcpy(&b1, at, bytes);
        return b1;
    case 2:
        memcpy(&b2, at, bytes);
        return b2;
    case 4:
        memcpy(&b4, at, bytes);
        return b4;
    default:
        memcpy(&b8, at, sizeof(b8));
        return b8;
    }
}

/* Bits behind the exponent. */
static unsigned mantissa_bits(struct ir_dtype dtype)
{
    if (dtype.code == IR_BFLOAT)
        return 7;
    return dtype.bits == 16 ? 10 : dtype.bits == 32 ? 23 : 52;
}

/* What the exponent of 1.0 is written as. */
static uint64_t exponent_bias(struct ir_dtype dtype)
{
    unsigned exponent_bits = dtype.bits - 1 - mantissa_bits(dtype);

    return ((uint64_t)1 << (exponent_bits - 1)) - 1;
}

static bool all_elements_are(const struct ir_constant *constant, uint64_t bits)
{
    size_t count = constant->bytes / ir_dtype_bytes(constant->dtype);

    for (size_t i = 0; i < count; i++)
        if (element_bits(constant, i) != bits)
            return false;
    return true;
}

static bool is_number(const struct ir_constant *constant)
{
    return constant && ir_dtype_can_compute(constant->dtype) && !ir_dtype_is_bool(constant->dtype);
}

bool when_constant_one(struct match *match)
{
    const struct ir_constant *constant = constant_of(match_leaf(match, 'c'));

    if (!is_number(constant))
        return false;
    if (!ir_dtype_is_float(constant->dtype))
        return all_elements_are(constant, 1);
    return all_elements_are(constant, exponent_bias(constant->dtype)
                                          << mantissa_bits(constant->dtype));
}

bool when_constant_plus_zero(struct match *match)
{
    const struct ir_constant *constant = constant_of(match_leaf(match, 'c'));

    return is_number(constant) && all_elements_are(constant, 0);
}

bool when_constant_minus_zero(struct match *match)
{
    const struct ir_constant *constant = constant_of(match_leaf(match, 'c'));

    if (!is_number(constant))
        return false;
    if (!ir_dtype_is_float(constant->dtype))
        return all_elements_are(constant, 0);
    return all_elements_are(constant, (uint64_t)1 << (constant->dtype.bits - 1));
}

/*
 * Division and multiplication round the same real number, so they agree where the reciprocal is exact:
 * powers of two that are no subnormals and whose reciprocals are none.
 */
bool when_constant_power_of_two(struct match *match)
{
    const struct ir_constant *constant = constant_of(match_leaf(match, 'c'));

    if (!is_number(constant) || !ir_dtype_is_float(constant->dtype))
        return false;
    unsigned bytes = ir_dtype_bytes(constant->dtype), mantissa = mantissa_bits(constant->dtype);
    uint64_t bias = exponent_bias(constant->dtype), sign = (uint64_t)1 << (8 * bytes - 1);
    size_t count = constant->bytes / bytes;
    char *reciprocals = arena_alloc(&match->module->arena, bytes, count + 1, 8);

    for (size_t i = 0; i < count; i++) {
        uint64_t bits = element_bits(constant, i), exponent = (bits & ~sign) >> mantissa;

        if ((bits & (((uint64_t)1 << mantissa) - 1)) != 0 || exponent == 0 || exponent >= 2 * bias)
            return false;
        bits = (bits & sign) | ((2 * bias - exponent) << mantissa);
        memcpy(reciprocals + i * bytes, &bits, bytes); /* little-endian, as all of Inlay */
    }
    match_bind(
        match, 'k',
        ir_inline_constant(match->module,
                           ir_module_add_constant(match->module, constant->dtype, constant->shape,
                                                  constant->ndim, reciprocals)));
    return true;
}

bool when_bool_leaf(struct match *match)
{
    const struct ir_type *type = match_leaf(match, 'x')->type;

    return type->kind == IR_TYPE_TENSOR && ir_dtype_is_bool(type->dtype);
}

/* ---- casts ---- */

/* Bits of the largest whole numbers up to which every one can be written. */
static unsigned integer_bits(struct ir_dtype dtype)
{
    if (ir_dtype_is_bool(dtype))
        return 1;
    if (ir_dtype_is_float(dtype))
        return mantissa_bits(dtype) + 1;
    return dtype.code == IR_INT ? dtype.bits - 1U : dtype.bits;
}

/* Can @to represent each value of @from? */
static bool holds(struct ir_dtype to, struct ir_dtype from)
{
    if (!ir_dtype_can_compute(to) || !ir_dtype_can_compute(from) || ir_dtype_is_bool(to))
        return false;
    if (ir_dtype_is_bool(from))
        return true;
    if (ir_dtype_is_float(from))
        return ir_dtype_is_float(to) && mantissa_bits(to) >= mantissa_bits(from) &&
               exponent_bias(to) >= exponent_bias(from);
    if (from.code == IR_INT && to.code == IR_UINT)
        return false;
    return integer_bits(to) >= integer_bits(from);
}

/*
 * The second cast sees the value that the first one had.  It must treat it alike: a float that does not
 * fit an integer saturates, an integer wraps.
 */
bool when_cast_loses_nothing(struct match *match)
{
    const struct ir_type *from = match_leaf(match, 'x')->type;
    struct ir_dtype wide = match->ops[1]->result.type->dtype;
    struct ir_dtype to = match->ops[0]->result.type->dtype;

    if (from->kind != IR_TYPE_TENSOR || !holds(wide, from->dtype))
        return false;
    return !ir_dtype_is_int(to) || ir_dtype_is_bool(from->dtype) ||
           ir_dtype_is_float(wide) == ir_dtype_is_float(from->dtype);
}

/* ---- shapes ---- */

static const struct ir_type *result_type(const struct match *match)
{
    return match->ops[0]->result.type;
}

bool when_shape_known(struct match *match)
{
    return result_type(match)->kind == IR_TYPE_TENSOR && result_type(match)->dims;
}

static bool is_rank_known(const struct match *match)
{
    const struct ir_type *type = match_leaf(match, 'x')->type;

    return type->kind == IR_TYPE_TENSOR && type->ndim >= 0;
}

bool when_result_shape(struct match *match)
{
    const struct ir_type *type = result_type(match);

    if (!when_shape_known(match))
        return false;
    for (int i = 0; i < type->ndim; i++)
        if (ir_expr_is_int(type->dims[i], 0))
            return false; /* means "as the operand" to reshape */
    match_bind(match, 's', ir_inline_shape(match->module, type->dims, (unsigned)type->ndim));
    return true;
}

/* @axis of a tensor of @ndim axes, counted from the front; -1 if it is None or there is none. */
static int64_t normal_axis(const struct ir_attr *axis, int ndim)
{
    if (axis->kind != IR_ATTR_INT || ndim < 0)
        return -1;
    int64_t normal = axis->integer < 0 ? axis->integer + ndim : axis->integer;

    return normal < ndim ? normal : -1;
}

bool when_same_axis(struct match *match)
{
    int ndim = match_leaf(match, 'x')->type->ndim;
    int64_t axis = normal_axis(ir_op_attr(match->ops[0], "axis"), ndim);

    return is_rank_known(match) && axis >= 0 &&
           axis == normal_axis(ir_op_attr(match->ops[1], "axis"), ndim);
}

/*
 * Does a reshape join the one axis that a broadcast made longer, literally, with the axis in front of it, and nothing else?
 * *@out_axis: that one.
 */
static bool read_groups(const struct match *match, int *out_axis, int64_t *out_count)
{
    const struct ir_type *x = match_leaf(match, 'x')->type, *result = match->ops[0]->result.type;
    const struct ir_type *wide = match->ops[1]->result.type;
    int axis = 0, moved = 0;

    if (x->kind != IR_TYPE_TENSOR || !x->dims || !wide->dims || !result->dims ||
        wide->ndim != x->ndim || result->ndim != x->ndim - 1)
        return false;
    for (int i = 0; i < x->ndim; i++)
        if (!ir_prove_equal(match->context, x->dims[i], wide->dims[i])) {
            axis = i;
            moved++;
        }
    if (moved != 1 || axis == 0 || !ir_expr_is_int(x->dims[axis], 1) ||
        wide->dims[axis]->kind != IR_EXPR_int)
        return false;
    *out_axis = axis - 1;
    *out_count = wide->dims[axis]->int_value;
    for (int i = 0; i < result->ndim; i++) {
        const struct ir_expr *dim = x->dims[i < axis ? i : i + 1];
        if (i == axis - 1)
            dim = ir_expr_binary(match->context, IR_EXPR_mul, dim, wide->dims[axis]);
        if (ir_expr_is_int(dim, 0) || !ir_prove_equal(match->context, dim, result->dims[i]))
            return false;
    }
    return true;
}

bool when_repeats_groups(struct match *match)
{
    const struct ir_type *x = match_leaf(match, 'x')->type;
    const struct ir_expr *dims[RULE_AXES_LIMIT];
    unsigned count = 0;
    int64_t times;
    int axis;

    if (!read_groups(match, &axis, &times) || x->ndim > RULE_AXES_LIMIT)
        return false;
    for (int i = 0; i < x->ndim; i++)
        if (i != axis + 1)
            dims[count++] = x->dims[i];
    match_bind(match, 's', ir_inline_shape(match->module, dims, count));
    return true;
}

void attrs_groups(const struct match *match, const struct ir_op_info *info,
                  const struct ir_attr **attrs)
{
    int64_t times;
    int axis;

    if (!read_groups(match, &axis, &times))
        UNREACHABLE("the condition has found the axis");
    rule_set_attr(info, attrs, "repeats", ir_attr_int(match->context, times));
    rule_set_attr(info, attrs, "axis", ir_attr_int(match->context, axis));
}

bool when_repeats_once(struct match *match)
{
    return ir_op_attr(match->ops[0], "repeats")->integer == 1;
}

bool when_tiles_once(struct match *match)
{
    const struct ir_attr *repeats = ir_op_attr(match->ops[0], "repeats");

    for (unsigned i = 0; i < repeats->count; i++)
        if (repeats->items[i]->integer != 1)
            return false;
    return true;
}

/* ---- joining and splitting ---- */

/* The op that makes the tuple of leaf t, with the fields as operands; NULL if it is not visible. */
static struct ir_op *tuple_of(const struct match *match)
{
    struct ir_op *def = match_leaf(match, 't')->def;

    return def && ir_op_is(def, IR_CORE_tuple) && def->operand_count ? def : NULL;
}

bool when_one_field(struct match *match)
{
    struct ir_op *tuple = tuple_of(match);

    if (!tuple || tuple->operand_count != 1)
        return false;
    match_bind(match, 'x', tuple->operands[0].value);
    return true;
}

/* Is @axes, of a reduction, just @axis? */
static bool is_only_axis(const struct ir_attr *axes, int64_t axis, int ndim)
{
    const struct ir_attr *only =
        axes->kind == IR_ATTR_LIST && axes->count == 1 ? axes->items[0] : axes;

    return axis >= 0 && normal_axis(only, ndim) == axis;
}

/* Of what is added up in its own dtype, in order. */
bool when_sums_two_along_stack(struct match *match)
{
    const struct ir_op *tuple = tuple_of(match), *sum = match->ops[0], *stack = match->ops[1];
    const struct ir_type *type = result_type(match);
    int ndim = stack->result.type->ndim;

    if (!tuple || tuple->operand_count != 2 || type->kind != IR_TYPE_TENSOR ||
        ir_dtype_is_bool(type->dtype) || type->dtype.bits < 32 || type->ndim != ndim - 1 ||
        !is_only_axis(ir_op_attr(sum, "axis"), normal_axis(ir_op_attr(stack, "axis"), ndim), ndim))
        return false;
    match_bind(match, 'a', tuple->operands[0].value);
    match_bind(match, 'b', tuple->operands[1].value);
    match_bind(match, 'k',
               ir_inline_constant(match->module, ir_module_add_constant(match->module, type->dtype,
                                                                        NULL, 0, NULL)));
    return true;
}

/* The parts that a split makes are as long together as its operand only if none overlap. */
bool when_all_parts(struct match *match)
{
    const struct ir_op *tuple = tuple_of(match), *split = NULL;

    if (!tuple || !when_shape_known(match))
        return false;
    for (unsigned i = 0; i < tuple->operand_count; i++) {
        const struct ir_op *get = tuple->operands[i].value->def;

        if (!get || !ir_op_is(get, IR_CORE_tuple_get) || ir_op_attr(get, "index")->integer != i)
            return false;
        const struct ir_op *from = get->operands[0].value->def;
        if (!from || !op_is(from, OP_split) || (split && split != from))
            return false;
        split = from;
    }
    int ndim = result_type(match)->ndim;
    int64_t axis = normal_axis(ir_op_attr(match->ops[0], "axis"), ndim);
    if (axis < 0 || axis != normal_axis(ir_op_attr(split, "axis"), ndim) ||
        split->result.type->kind != IR_TYPE_TUPLE ||
        split->result.type->field_count != tuple->operand_count)
        return false;
    match_bind(match, 'x', split->operands[0].value);
    return true;
}

bool when_split_at_seams(struct match *match)
{
    const struct ir_op *tuple = tuple_of(match);
    const struct ir_type *parts = match->ops[1]->result.type;
    int ndim = match->ops[2]->result.type->ndim;
    int64_t axis = normal_axis(ir_op_attr(match->ops[2], "axis"), ndim);

    if (!tuple || axis < 0 || axis != normal_axis(ir_op_attr(match->ops[1], "axis"), ndim) ||
        parts->kind != IR_TYPE_TUPLE || parts->field_count != tuple->operand_count)
        return false;
    for (unsigned i = 0; i < parts->field_count; i++)
        if (!parts->fields[i]->dims || parts->fields[i] != tuple->operands[i].value->type)
            return false;
    match_bind(match, 'x', tuple->operands[ir_op_attr(match->ops[0], "index")->integer].value);
    return true;
}

bool when_all_permuted(struct match *match)
{
    struct ir_op *tuple = tuple_of(match);
    int ndim = result_type(match)->ndim;
    int64_t first[RULE_AXES_LIMIT], axes[RULE_AXES_LIMIT];

    if (!tuple || tuple->operand_count < 2 ||
        normal_axis(ir_op_attr(match->ops[0], "axis"), ndim) < 0)
        return false;
    struct ir_value **parts =
        arena_array(&match->module->arena, struct ir_value *, tuple->operand_count);
    for (unsigned i = 0; i < tuple->operand_count; i++) {
        const struct ir_op *permute = tuple->operands[i].value->def;

        if (!permute || !op_is(permute, OP_permute_dims) ||
            permute->operands[0].value->type->ndim != ndim ||
            !rule_read_axes(permute, ndim, i == 0 ? first : axes))
            return false;
        if (i > 0 && memcmp(first, axes, (size_t)ndim * sizeof(*axes)) != 0)
            return false;
        parts[i] = permute->operands[0].value;
    }
    for (unsigned i = 0; i < tuple->operand_count; i++)
        parts[i] = ir_inline_copy(match->module, parts[i]);
    match_bind(match, 'u', ir_inline_tuple(match->module, parts, tuple->operand_count));
    return true;
}

void attrs_concat_then_permute(const struct match *match, const struct ir_op_info *info,
                               const struct ir_attr **attrs)
{
    const struct ir_op *permute = tuple_of(match)->operands[0].value->def;
    int64_t axes[RULE_AXES_LIMIT];
    int ndim = result_type(match)->ndim;
    int64_t axis = normal_axis(ir_op_attr(match->ops[0], "axis"), ndim);

    if (!rule_read_axes(permute, ndim, axes))
        UNREACHABLE("the condition has read these axes");
    if (info == permute->info)
        rule_set_attr(info, attrs, "axes", ir_op_attr(permute, "axes"));
    else
        rule_set_attr(info, attrs, "axis", ir_attr_int(match->context, axes[axis]));
}

/* ---- take ---- */

bool when_takes_columns(struct match *match)
{
    const struct ir_type *weights = match_leaf(match, 'w')->type;
    const struct ir_type *indices = match_leaf(match, 'i')->type;

    return weights->kind == IR_TYPE_TENSOR && weights->ndim >= 2 &&
           indices->kind == IR_TYPE_TENSOR && indices->ndim == 1 && result_type(match)->ndim >= 1 &&
           normal_axis(ir_op_attr(match->ops[1], "axis"), weights->ndim) == weights->ndim - 1;
}

void attrs_take_last_axis(const struct match *match, const struct ir_op_info *info,
                          const struct ir_attr **attrs)
{
    attrs_pattern(match, info, attrs);
    if (info == match->ops[1]->info)
        rule_set_attr(info, attrs, "axis",
                      ir_attr_int(match->context, result_type(match)->ndim - 1));
}
