/* Numbers that no shift and no division of integers is by: what comes out is defined (ir/exprs.def), and hardly meant. */
#include "analysis/lint/lint.h"
#include "ir/expr.h"
#include "ops/ids.h"
#include "ops/ops.h"

#include <string.h>

struct check {
    struct diag *diag;
    struct location loc; /* of the statement */
};

static struct location place_of(const struct check *check, struct location loc)
{
    return loc.source ? loc : check->loc;
}

static void report_shift(const struct check *check, struct location loc, struct ir_dtype dtype,
                         int64_t by, const char *cast)
{
    char name[32];
    struct diag_message *m = diag_report(check->diag, place_of(check, loc), KERNEL_SHIFT_ALL,
                                         ir_dtype_name(dtype, name), dtype.bits, (long long)by);

    if (by >= dtype.bits && by < 64)
        diag_help(m, "convert it to a wider type first: `%s`", cast);
    else
        diag_help(m, "shift by 0 to %u", dtype.bits - 1);
}

static void report_zero(const struct check *check, struct location loc)
{
    struct diag_message *m = diag_report(check->diag, place_of(check, loc), KERNEL_DIVIDE_ZERO);

    diag_note(m, "the result is 0, and so is the remainder");
}

/* --- kernels --- */

static bool is_division(const struct ir_expr *e)
{
    return e->kind == IR_EXPR_floordiv || e->kind == IR_EXPR_floormod || e->kind == IR_EXPR_div ||
           e->kind == IR_EXPR_mod;
}

static bool check_expr(void *state, const struct ir_expr *e)
{
    const struct check *check = state;
    const struct ir_expr *right = e->operand_count == 2 ? e->operands[1] : NULL;
    bool is_shift = e->kind == IR_EXPR_call &&
                    (strcmp(e->name, "shift_right") == 0 || strcmp(e->name, "shift_left") == 0);

    if (!right || right->kind != IR_EXPR_int || !ir_dtype_is_int(e->dtype))
        return true;
    if (is_shift && (right->int_value < 0 || right->int_value >= e->dtype.bits))
        report_shift(check, right->loc.source ? right->loc : e->loc, e->dtype, right->int_value,
                     "T.Cast(\"uint64\", ..)");
    if (is_division(e) && right->int_value == 0)
        report_zero(check, right->loc.source ? right->loc : e->loc);
    return true;
}

void lint_check_amounts(const struct tir_func *kernel, struct diag *diag)
{
    struct check check = {.diag = diag};

    lint_walk_exprs(kernel, check_expr, &check, &check.loc);
}

/* --- graphs --- */

/* The integer that @value is, a constant of rank 0. */
static bool is_number(const struct ir_value *value, int64_t *out_number)
{
    const struct ir_op *made = value->def;
    const struct ir_constant *data = NULL;

    if (made && ir_op_is(made, IR_CORE_constant))
        data = ir_op_attr(made, "data")->constant;
    if (!data || data->ndim != 0 || !ir_dtype_is_int(data->dtype) || data->dtype.bits > 64)
        return false;
    *out_number = 0;
    memcpy(out_number, data->data, data->dtype.bits / 8);
    if (data->dtype.code == IR_INT && data->dtype.bits < 64) {
        unsigned rest = 64 - data->dtype.bits;
        *out_number = (int64_t)((uint64_t)*out_number << rest) >> rest;
    }
    return true;
}

static bool check_op(void *state, struct ir_op *op)
{
    struct check *check = state;
    bool is_shift = op_is(op, OP_left_shift) || op_is(op, OP_right_shift);
    bool divides = op_is(op, OP_floor_divide) || op_is(op, OP_divide) || op_is(op, OP_mod) ||
                   op_is(op, OP_floor_mod);
    int64_t number;

    check->loc = op->loc;
    if ((!is_shift && !divides) || !is_number(op->operands[1].value, &number))
        return true;
    struct ir_dtype dtype = op->operands[1].value->type->dtype;
    struct location loc = op->operands[1].value->def->loc;
    if (is_shift && (number < 0 || number >= dtype.bits))
        report_shift(check, loc, dtype, number, "R.astype(.., \"uint64\")");
    if (divides && number == 0)
        report_zero(check, loc);
    return true;
}

void lint_check_operands(struct ir_function *function, struct diag *diag)
{
    ir_region_walk(function->body, check_op, &(struct check){.diag = diag});
}
