/*
 * The most that a size is, by the upper bounds of symbols (tir_var_upper_bound), which are enforced where the
 * function begins: by intervals, of symbols that stand alone as a dimension of a parameter.
 */
#include "analysis/verify_storage/internal.h"

struct interval {
    int64_t low, high;
};

static bool binds(const struct ir_type *type, const struct ir_var *var)
{
    bool is_found = false;

    for (unsigned i = 0; type->kind == IR_TYPE_TUPLE && i < type->field_count; i++)
        is_found |= binds(type->fields[i], var);
    if (type->kind != IR_TYPE_TENSOR && type->kind != IR_TYPE_SHAPE)
        return is_found;
    for (int i = 0; type->dims && i < type->ndim; i++)
        is_found |= type->dims[i]->kind == IR_EXPR_var && type->dims[i]->var == var;
    return is_found;
}

static bool most_of_symbol(struct vs_replay *r, const struct ir_var *var, struct interval *out)
{
    const struct ir_expr *limit = vs_upper_bound(r, var->name);
    bool is_param = false;

    for (unsigned i = 0; i < r->function->param_count; i++)
        is_param |= binds(r->function->params[i]->type, var);
    out->low = 0;
    return is_param && var->is_symbol && !r->function->parent && limit &&
           ir_expr_constant(r->m->context, limit, &out->high) && out->high >= 0;
}

static bool find(struct vs_replay *r, const struct ir_expr *a, struct interval *out);

/* Of two numbers that are not negative. */
static bool find_product(const struct interval *a, const struct interval *b, struct interval *out)
{
    return a->low >= 0 && b->low >= 0 && !__builtin_mul_overflow(a->low, b->low, &out->low) &&
           !__builtin_mul_overflow(a->high, b->high, &out->high);
}

static bool find_binary(struct vs_replay *r, const struct ir_expr *a, struct interval *out)
{
    struct interval x, y;

    if (!find(r, a->operands[0], &x) || !find(r, a->operands[1], &y))
        return false;
    switch (a->kind) {
    case IR_EXPR_add:
        return !__builtin_add_overflow(x.low, y.low, &out->low) &&
               !__builtin_add_overflow(x.high, y.high, &out->high);
    case IR_EXPR_sub:
        return !__builtin_sub_overflow(x.low, y.high, &out->low) &&
               !__builtin_sub_overflow(x.high, y.low, &out->high);
    case IR_EXPR_mul:
        return find_product(&x, &y, out);
    case IR_EXPR_max:
        out->low = x.low > y.low ? x.low : y.low;
        out->high = x.high > y.high ? x.high : y.high;
        return true;
    case IR_EXPR_min:
        out->low = x.low < y.low ? x.low : y.low;
        out->high = x.high < y.high ? x.high : y.high;
        return true;
    case IR_EXPR_floordiv: /* of what is not negative by a number */
        *out = (struct interval){0, y.low > 0 ? x.high / y.low : 0};
        return x.low >= 0 && y.low > 0;
    default:
        return false;
    }
}

static bool find(struct vs_replay *r, const struct ir_expr *a, struct interval *out)
{
    int64_t value;

    if (ir_expr_constant(r->m->context, a, &value)) {
        *out = (struct interval){value, value};
        return true;
    }
    if (a->kind == IR_EXPR_var)
        return most_of_symbol(r, a->var, out);
    if (a->kind == IR_EXPR_cast)
        return ir_dtype_equal(a->dtype, IR_I64) && find(r, a->operands[0], out);
    return a->operand_count == 2 && find_binary(r, a, out);
}

const struct ir_expr *vs_most(struct vs_replay *r, const struct ir_expr *a)
{
    struct interval found;

    return a && find(r, a, &found) && found.low >= 0
               ? ir_expr_int(r->m->context, IR_I64, found.high)
               : NULL;
}
