/* Equations of sizes that hold for one value of one symbol: linear, which three values tell. */
#include "ir/arith.h"

struct equation {
    const struct ir_var *var;
    bool is_other; /* more than one variable, or more than sums and products */
};

static bool note(void *state, const struct ir_expr *e)
{
    struct equation *equation = state;

    if (e->kind == IR_EXPR_var) {
        equation->is_other |= equation->var && equation->var != e->var;
        equation->var = e->var;
        return true;
    }
    equation->is_other |= e->kind != IR_EXPR_int && e->kind != IR_EXPR_add &&
                          e->kind != IR_EXPR_sub && e->kind != IR_EXPR_mul;
    return true;
}

/* The number that @e is where @var is @value. */
static bool value_at(struct ir_context *context, const struct ir_expr *e, const struct ir_var *var,
                     int64_t value, int64_t *out)
{
    struct ir_binding binding = {var, ir_expr_int(context, var->dtype, value)};
    struct ir_bindings bindings = {.items = &binding, .count = 1, .capacity = 1};

    e = ir_simplify(context, ir_expr_substitute(context, e, &bindings));
    *out = e->kind == IR_EXPR_int ? e->int_value : 0;
    return e->kind == IR_EXPR_int;
}

bool ir_only_size(struct ir_context *context, const struct ir_expr *a, const struct ir_expr *b,
                  const struct ir_var **out_var, int64_t *out_size)
{
    const struct ir_expr *left = ir_expr_cast(context, IR_I64, a);
    const struct ir_expr *right = ir_expr_cast(context, IR_I64, b);
    const struct ir_expr *rest =
        ir_simplify(context, ir_expr_binary(context, IR_EXPR_sub, left, right));
    struct equation equation = {0};
    int64_t at[3];

    ir_expr_walk(rest, note, &equation);
    if (!equation.var || equation.is_other || !ir_dtype_equal(equation.var->dtype, IR_I64))
        return false;
    for (int i = 0; i < 3; i++)
        if (!value_at(context, rest, equation.var, i, &at[i]))
            return false;
    int64_t slope = at[1] - at[0];
    if (slope == 0 || at[2] - at[1] != slope || at[0] % slope != 0 || -(at[0] / slope) < 0)
        return false;
    *out_var = equation.var;
    *out_size = -(at[0] / slope);
    return true;
}
