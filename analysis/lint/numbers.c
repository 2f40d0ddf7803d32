/*
 * Numbers that stand in calls of operators: a fraction where elements are integers (E0616), an index outside of its axis
 * (E0618), a float that divides integers (E0619).
 */
#include "analysis/lint/lint.h"
#include "ops/ids.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct ir_expr *prim_of(const struct ir_value *value)
{
    const struct ir_attr *attr =
        value->def && ir_op_is(value->def, IR_CORE_prim) ? ir_op_attr(value->def, "value") : NULL;

    return attr && attr->kind == IR_ATTR_EXPR ? attr->expr : NULL;
}

/* --- indices --- */

/* How many places `R.take` chooses from, and along which axis; false: not known. */
static bool find_extent(struct ir_module *module, const struct ir_op *op, unsigned *out_axis,
                        int64_t *out_extent)
{
    const struct ir_type *type = op->operands[0].value->type;
    const struct ir_attr *axis = ir_op_attr(op, "axis");

    *out_axis = 0;
    if (type->kind != IR_TYPE_TENSOR || !type->dims || type->ndim < 1)
        return false;
    if (axis->kind == IR_ATTR_INT)
        *out_axis = (unsigned)(axis->integer + (axis->integer < 0 ? type->ndim : 0));
    else if (type->ndim != 1)
        return false;
    return ir_expr_constant(module->context, type->dims[*out_axis], out_extent);
}

static int64_t element_of(const struct ir_constant *constant, size_t at)
{
    unsigned bytes = constant->dtype.bits / 8, rest = 64 - constant->dtype.bits;
    uint64_t bits = 0;

    memcpy(&bits, (const char *)constant->data + at * bytes, bytes);
    return constant->dtype.code == IR_INT && rest ? (int64_t)(bits << rest) >> rest : (int64_t)bits;
}

/* The first index that @value says and that is outside; false: none. */
static bool find_outside(struct ir_module *module, const struct ir_value *value, int64_t extent,
                         int64_t *out_index)
{
    const struct ir_expr *prim = prim_of(value);
    const struct ir_constant *data = NULL;

    if (prim)
        return ir_expr_constant(module->context, prim, out_index) &&
               (*out_index < -extent || *out_index >= extent);
    if (value->def && ir_op_is(value->def, IR_CORE_constant))
        data = ir_op_attr(value->def, "data")->constant;
    if (!data || !ir_dtype_is_int(data->dtype) || data->dtype.lanes != 1 || data->dtype.bits < 8)
        return false;
    for (size_t at = 0; at < data->bytes / (data->dtype.bits / 8); at++) {
        *out_index = element_of(data, at);
        if (*out_index < -extent || *out_index >= extent)
            return true;
    }
    return false;
}

static void check_take(struct ir_module *module, const struct ir_op *op, struct diag *diag)
{
    struct location place = location_argument(op->loc, 1, "indices");
    unsigned axis;
    int64_t extent, index;

    if (strcmp(ir_op_attr(op, "mode")->string, "fast") != 0 ||
        !find_extent(module, op, &axis, &extent) ||
        !find_outside(module, op->operands[1].value, extent, &index))
        return;
    struct diag_message *m =
        diag_report(diag, place, OP_TAKE_OUTSIDE, (long long)index, axis, (long long)extent);
    diag_note(m, "a run ends there with an error (E0803)");
    if (extent == 0)
        return;
    diag_help(m, "the last one is %lld", (long long)extent - 1);
    if (prim_of(op->operands[1].value) && place.begin != op->loc.begin) {
        diag_help_edit(m, place, "%lld", (long long)(index < 0 ? -extent : extent - 1));
        diag_help_unsure(m);
    }
}

/* --- quotients --- */

/* Is @loc a bare number with a point or an exponent, `255.0`? */
static bool is_float_text(struct location loc)
{
    uint32_t length = loc.end - loc.begin;
    const char *text = loc.source ? loc.source->text + loc.begin : "";

    return loc.source && length && strspn(text, "+-.0123456789eE") >= length &&
           memchr(text, '.', length);
}

/* The dividend of @op, of which @number is the divisor: `R.divide(x, 2.0)` or `x / 2.0`. */
static struct location dividend_place(const struct ir_op *op, struct location number)
{
    struct location place = location_argument(op->loc, 0, "x1");

    if (!place.source || place.begin != op->loc.begin)
        return place;
    place.end = number.begin;
    while (place.end > place.begin && strchr(" /", place.source->text[place.end - 1]))
        place.end--;
    return place;
}

static void check_quotient(struct ir_module *module, const struct ir_op *op, struct diag *diag)
{
    const struct ir_value *value = op->operands[1].value;
    const struct ir_type *type = op->operands[0].value->type;
    struct location number = value->def ? value->def->loc : value->loc;
    char name[32];

    if (type->kind != IR_TYPE_TENSOR || !ir_dtype_is_int(type->dtype) || !is_float_text(number))
        return;
    struct diag_message *m = diag_report(diag, number, OP_FLOAT_DROPPED, LOCATION_TEXT(number),
                                         ir_dtype_name(type->dtype, name));
    struct location place = dividend_place(op, number);
    diag_label(m, place, "this is %s", ir_type_text(module->context, type));
    diag_note(m, "a bare number takes the dtype of the tensor beside it");
    diag_help(m, "convert the tensor first");
    diag_help_wrap(m, place, "R.astype(", ", \"float32\")");
}

/* --- fractions --- */

static struct location place_of(const struct ir_value *value)
{
    return value->def ? value->def->loc : value->loc;
}

/* Operand @i of @op, a bare number, becomes an element of @dtype.  The warning, or NULL. */
static struct diag_message *check_fraction(const struct ir_op *op, unsigned i,
                                           struct ir_dtype dtype, struct diag *diag)
{
    struct location place = place_of(op->operands[i].value);
    char text[32], name[32];

    if (!ir_dtype_is_int(dtype) || !is_float_text(place) || place.end - place.begin >= sizeof(text))
        return NULL;
    snprintf(text, sizeof(text), "%.*s", LOCATION_TEXT(place));
    double number = strtod(text, NULL);
    if (number == trunc(number) || fabs(number) > 1e18)
        return NULL;
    return diag_report(diag, place, OP_FRACTION_CUT, LOCATION_TEXT(place), (long long)number,
                       ir_dtype_name(dtype, name));
}

static void check_fill(const struct ir_op *op, struct diag *diag)
{
    const struct ir_type *type = op->result.type;
    struct diag_message *m =
        type->kind == IR_TYPE_TENSOR ? check_fraction(op, 1, type->dtype, diag) : NULL;
    struct location dtype = location_argument(op->loc, 2, "dtype");

    if (!m)
        return;
    diag_help(m, "a dtype of floats keeps it");
    if (dtype.begin != op->loc.begin)
        diag_help_edit(m, dtype, "\"float32\"");
    diag_help_unsure(m);
}

static void check_limits(const struct ir_op *op, struct diag *diag)
{
    const struct ir_type *type = op->operands[0].value->type;
    struct location data = location_argument(op->loc, 0, "x");

    for (unsigned i = 1; i < op->operand_count && type->kind == IR_TYPE_TENSOR; i++) {
        struct diag_message *m = check_fraction(op, i, type->dtype, diag);

        if (!m)
            continue;
        if (data.begin != op->loc.begin) {
            diag_help(m, "convert the tensor first");
            diag_help_wrap(m, data, "R.astype(", ", \"float32\")");
        }
        return; /* what mends one limit mends the other */
    }
}

void lint_check_numbers(struct ir_module *module, const struct ir_op *op, struct diag *diag)
{
    if (op_is(op, OP_take))
        check_take(module, op, diag);
    if (op_is(op, OP_divide))
        check_quotient(module, op, diag);
    if (op_is(op, OP_full))
        check_fill(op, diag);
    if (op_is(op, OP_clip))
        check_limits(op, diag);
}
