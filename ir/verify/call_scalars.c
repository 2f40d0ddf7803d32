/* Calls of kernels with a scalar too few, or a tensor where the kernel takes a scalar: which one. */
#include "ir/internal.h"
#include "ir/verify/call.h"

#include <string.h>

static bool is_scalar_param(const struct tir_param *param)
{
    return !verify_call_takes_tensor(param);
}

/* Does operand @i have the kind of @param, and a scalar its dtype? */
static bool fits(const struct call *call, unsigned i, const struct tir_param *param)
{
    const struct ir_type *type = call->op->operands[i].value->type;

    if (is_scalar_param(param))
        return type->kind == IR_TYPE_PRIM && ir_dtype_equal(type->dtype, param->var->dtype);
    return type->kind == IR_TYPE_TENSOR &&
           (!param->buffer || type->ndim == (int)param->buffer->ndim);
}

/* Do the operands fit the parameters if none is given for @missing, or a tensor for the scalar @instead? */
static bool fits_but(const struct call *call, int missing, int instead)
{
    unsigned next = 0;

    for (unsigned i = 0; i < call->op->operand_count; i++, next++) {
        next += (int)next == missing;
        if (next >= call->kernel->param_count)
            return false;
        const struct tir_param *param = &call->kernel->params[next];
        bool is_tensor = call->op->operands[i].value->type->kind == IR_TYPE_TENSOR;
        if ((int)next == instead ? !is_tensor : !fits(call, i, param))
            return false;
    }
    return true;
}

/* The one scalar parameter that is @missing, or for which a tensor is given; -1: none, or several. */
static int find_one(const struct call *call, bool is_missing)
{
    int found = -1;

    for (unsigned i = 0; i < call->kernel->param_count; i++) {
        bool is_it = is_scalar_param(&call->kernel->params[i]) &&
                     (is_missing ? fits_but(call, (int)i, -1) : fits_but(call, -1, (int)i));
        if (is_it && found >= 0)
            return -1;
        if (is_it)
            found = (int)i;
    }
    return found;
}

/* Has the caller a scalar of that name? */
static bool is_at_hand(const struct call *call, const struct ir_var *var)
{
    const struct ir_function *caller = call->v->function;

    for (unsigned i = 0; caller && i < caller->param_count; i++)
        if (strcmp(caller->params[i]->name, var->name) == 0)
            return caller->params[i]->type->kind == IR_TYPE_PRIM &&
                   ir_dtype_equal(caller->params[i]->type->dtype, var->dtype);
    return false;
}

static void report_missing(struct call *call, unsigned i, unsigned given)
{
    const struct ir_var *var = call->kernel->params[i].var;
    struct location place = location_argument(call->op->loc, 1, "args");
    struct arena *arena = &call->v->context->arena;
    struct diag_message *m =
        diag_report(call->v->diag, place, CALL_ARITY, call->name,
                    arena_printf(arena, "%u argument%s", given + 1, given ? "s" : ""),
                    arena_printf(arena, "%u", given));
    char dtype[32];

    diag_label(m, call->kernel->loc, "defined here");
    diag_help(m, "scalar `%s` is missing, argument %u, of %s", var->name, i + 1,
              ir_dtype_name(var->dtype, dtype));
    if (i == 0 || !is_at_hand(call, var))
        return;
    struct location before = verify_call_argument_place(call->op, i - 1);
    if (before.begin <= place.begin || before.end >= place.end)
        return;
    before.begin = before.end;
    diag_help_edit(m, before, ", %s", var->name);
}

/* `pos: R.Tensor((), "int64")` where the kernel takes the scalar `pos`. */
static void report_tensor(struct call *call, unsigned i)
{
    const struct ir_var *var = call->kernel->params[i].var;
    const struct ir_value *value = call->op->operands[i].value;
    struct arena *arena = &call->v->context->arena;
    char dtype[32];
    struct diag_message *m =
        diag_report(call->v->diag, verify_call_argument_place(call->op, i), CALL_ARGUMENT,
                    arena_printf(arena, "argument %u", i + 1), call->name,
                    ir_type_text(call->v->context, value->type), var->name,
                    arena_printf(arena, "a scalar, T.%s", ir_dtype_name(var->dtype, dtype)));

    diag_label(m, var->loc.source ? var->loc : call->kernel->loc, "the parameter");
    ir_help_parameter(m, call->v->context, value, var->name,
                      ir_type_prim(call->v->context, var->dtype));
}

bool verify_report_scalars(struct call *call)
{
    const struct ir_op *op = call->op;
    unsigned scalars = 0, outputs = 0, params = call->kernel->param_count;

    for (unsigned i = 0; i < params; i++)
        scalars += is_scalar_param(&call->kernel->params[i]);
    for (size_t i = 0; i < call->tensors.count; i++)
        outputs += call->tensors.items[i].is_output;
    if (op->info->core == IR_CORE_call || scalars != call->scalars.count + 1)
        return false;
    bool is_missing = op->operand_count + outputs + 1 == params;
    bool is_tensor = op->operand_count + outputs == params;
    int found = is_missing || is_tensor ? find_one(call, is_missing) : -1;
    if (found < 0)
        return false;
    if (is_missing)
        report_missing(call, (unsigned)found, op->operand_count);
    else
        report_tensor(call, (unsigned)found);
    call->v->is_fine = false;
    return true;
}
