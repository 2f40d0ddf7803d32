/*
 * Scalar expressions, evaluated one lane at a time: a vector expression is evaluated once for each of
 * its lanes, in which a ramp is base + lane * stride and a broadcast is its operand.  So there are no
 * vector values.
 */
#include "codegen/interp/internal.h"

#include <string.h>

enum { ARGUMENT_LIMIT = 8 };

static bool eval_var(const struct interp_env *env, const struct ir_var *var,
                     struct interp_scalar *out)
{
    if (env->kernel) {
        const struct interp_scalar *slot = interp_kernel_var(env->kernel, var);
        if (!slot)
            return interp_unsupported(env->run, var->loc, "variable `%s`, which has no value here",
                                      var->name);
        *out = *slot;
        return true;
    }
    int64_t value;
    if (!interp_symbol(env->call, var, &value))
        return interp_fail(env->run, INLAY_ERROR_SHAPE, "the symbol `%s` has no value here",
                           var->name);
    *out = (struct interp_scalar){.dtype = var->dtype, .integer = value};
    return true;
}

/* In shapes, what does not fit is an error. */
static bool overflows(enum ir_expr_kind kind, int64_t a, int64_t b)
{
    int64_t ignored;
    switch (kind) {
    case IR_EXPR_add:
        return __builtin_add_overflow(a, b, &ignored);
    case IR_EXPR_sub:
        return __builtin_sub_overflow(a, b, &ignored);
    case IR_EXPR_mul:
        return __builtin_mul_overflow(a, b, &ignored);
    default:
        return false;
    }
}

static bool eval_binary(const struct interp_env *env, const struct ir_expr *e,
                        struct interp_scalar *out)
{
    struct interp_scalar a = {0}, b = {0};
    if (!interp_eval(env, e->operands[0], &a) || !interp_eval(env, e->operands[1], &b))
        return false;
    if (env->is_checked && !ir_dtype_is_float(a.dtype) && overflows(e->kind, a.integer, b.integer))
        return interp_fail(env->run, INLAY_ERROR_SHAPE, "a dimension does not fit into int64");
    if (!interp_binary(e->kind, a, b, out))
        return interp_unsupported(env->run, e->loc, "this operator on these dtypes");
    return true;
}

static bool eval_logical(const struct interp_env *env, const struct ir_expr *e,
                         struct interp_scalar *out)
{
    struct interp_scalar a = {0};
    if (!interp_eval(env, e->operands[0], &a))
        return false;
    bool is_decided = (a.integer != 0) == (e->kind == IR_EXPR_or);
    if (!is_decided && !interp_eval(env, e->operands[1], &a))
        return false;
    *out = (struct interp_scalar){.dtype = IR_B1, .integer = a.integer != 0};
    return true;
}

/* select evaluates both values, so that a bad index in either is found; if_then_else only one. */
static bool eval_choice(const struct interp_env *env, const struct ir_expr *e, bool is_lazy,
                        struct interp_scalar *out)
{
    struct interp_scalar condition = {0}, values[2] = {{.dtype = e->dtype}, {.dtype = e->dtype}};
    if (!interp_eval(env, e->operands[0], &condition))
        return false;
    bool is_first = condition.integer != 0;
    if ((!is_lazy || is_first) && !interp_eval(env, e->operands[1], &values[0]))
        return false;
    if ((!is_lazy || !is_first) && !interp_eval(env, e->operands[2], &values[1]))
        return false;
    *out = is_first ? values[0] : values[1];
    return true;
}

static bool eval_call(const struct interp_env *env, const struct ir_expr *e,
                      struct interp_scalar *out)
{
    struct interp_scalar args[ARGUMENT_LIMIT] = {0};
    if (strcmp(e->name, "if_then_else") == 0 && e->operand_count == 3)
        return eval_choice(env, e, true, out);
    if (strcmp(e->name, "assume") == 0) { /* a promise to the compiler: nothing is done */
        *out = (struct interp_scalar){.dtype = IR_B1, .integer = 1};
        return true;
    }
    if (e->operand_count > ARGUMENT_LIMIT)
        return interp_unsupported(env->run, e->loc, "T.%s with %u arguments", e->name,
                                  e->operand_count);
    for (unsigned i = 0; i < e->operand_count; i++)
        if (!interp_eval(env, e->operands[i], &args[i]))
            return false;
    if (!interp_intrinsic(e->name, e->dtype, args, e->operand_count, out))
        return interp_unsupported(env->run, e->loc, "T.%s on these arguments", e->name);
    return true;
}

static bool eval_let(const struct interp_env *env, const struct ir_expr *e,
                     struct interp_scalar *out)
{
    struct interp_scalar value = {0};
    if (!env->kernel)
        return interp_unsupported(env->run, e->loc, "T.Let in a shape");
    if (!interp_eval(env, e->operands[0], &value))
        return false;
    *interp_kernel_bind(env->kernel, e->var) = value;
    return interp_eval(env, e->operands[1], out);
}

static bool eval_ramp(const struct interp_env *env, const struct ir_expr *e,
                      struct interp_scalar *out)
{
    struct interp_env scalar = *env;
    struct interp_scalar base = {0}, stride = {0}, lane = {0};
    scalar.lane = 0;
    if (!interp_eval(&scalar, e->operands[0], &base) ||
        !interp_eval(&scalar, e->operands[1], &stride))
        return false;
    lane = interp_cast((struct interp_scalar){.dtype = IR_I64, .integer = env->lane}, stride.dtype);
    return interp_binary(IR_EXPR_mul, stride, lane, &lane) &&
           interp_binary(IR_EXPR_add, base, lane, out);
}

/* The lanes of the vectors, one behind the other, are picked by literal indices. */
static bool eval_shuffle(const struct interp_env *env, const struct ir_expr *e,
                         struct interp_scalar *out)
{
    unsigned vectors = (unsigned)e->int_value;
    struct interp_env lane = *env;
    int64_t index = 0;
    lane.lane = 0;
    if (vectors + env->lane >= e->operand_count)
        return interp_unsupported(env->run, e->loc, "T.Shuffle with too few indices");
    if (!interp_eval_integer(&lane, e->operands[vectors + env->lane], &index))
        return false;
    for (unsigned i = 0; i < vectors && index >= 0; i++) {
        unsigned lanes = e->operands[i]->dtype.lanes;
        if (index < lanes) {
            lane.lane = (unsigned)index;
            return interp_eval(&lane, e->operands[i], out);
        }
        index -= lanes;
    }
    return interp_fail(env->run, INLAY_ERROR_BOUNDS, "an index of T.Shuffle is out of range");
}

static bool eval_operand(const struct interp_env *env, const struct ir_expr *e,
                         struct interp_scalar *out)
{
    struct interp_scalar value = {0};
    if (!interp_eval(env, e->operands[0], &value))
        return false;
    if (e->kind == IR_EXPR_not)
        *out = (struct interp_scalar){.dtype = IR_B1, .integer = value.integer == 0};
    else
        *out = interp_cast(value, (struct ir_dtype){e->dtype.code, e->dtype.bits, 1});
    return true;
}

bool interp_eval(const struct interp_env *env, const struct ir_expr *e, struct interp_scalar *out)
{
    struct interp_env scalar;
    switch (e->kind) {
    case IR_EXPR_var:
        return eval_var(env, e->var, out);
    case IR_EXPR_int:
        *out = (struct interp_scalar){.dtype = e->dtype,
                                      .integer = interp_wrap(e->dtype, e->int_value)};
        return true;
    case IR_EXPR_float:
        *out = (struct interp_scalar){.dtype = e->dtype,
                                      .real = interp_round(e->dtype, e->float_value)};
        return true;
    case IR_EXPR_string:
        *out = (struct interp_scalar){.dtype = IR_PTR, .string = e->string};
        return true;
    case IR_EXPR_and:
    case IR_EXPR_or:
        return eval_logical(env, e, out);
    case IR_EXPR_not:
    case IR_EXPR_cast:
        return eval_operand(env, e, out);
    case IR_EXPR_select:
        return eval_choice(env, e, false, out);
    case IR_EXPR_load:
        if (!env->kernel)
            return interp_unsupported(env->run, e->loc, "a load outside a kernel");
        return interp_kernel_load(env, e, out);
    case IR_EXPR_call:
        return eval_call(env, e, out);
    case IR_EXPR_let:
        return eval_let(env, e, out);
    case IR_EXPR_ramp:
        return eval_ramp(env, e, out);
    case IR_EXPR_broadcast:
        scalar = *env;
        scalar.lane = 0;
        return interp_eval(&scalar, e->operands[0], out);
    case IR_EXPR_shuffle:
        return eval_shuffle(env, e, out);
    default:
        return eval_binary(env, e, out);
    }
}

bool interp_eval_integer(const struct interp_env *env, const struct ir_expr *e, int64_t *out)
{
    struct interp_scalar value = {0};
    if (!interp_eval(env, e, &value))
        return false;
    if (ir_dtype_is_float(value.dtype))
        return interp_unsupported(env->run, e->loc, "a float where an integer is needed");
    *out = value.integer;
    return true;
}
