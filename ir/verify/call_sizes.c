/*
 * Calls of kernels that fit for one size only: a tensor of shape (n, 4) for a buffer of shape (6, 4).
 *
 * No rule is broken, and what is not proved is checked by the run; but a script that leaves a size open does not mean
 * that there is one.
 */
#include "ir/arith.h"
#include "ir/verify/call.h"

/* --- calls of kernels --- */

static const struct ir_expr *wanted_dim(struct call *call, const struct ir_buffer *buffer,
                                        unsigned i)
{
    struct ir_context *context = call->v->context;

    return ir_expr_cast(context, IR_I64,
                        ir_expr_substitute(context, buffer->shape[i], &call->bindings));
}

static bool has_dims(const struct argument *a, const struct ir_buffer *buffer)
{
    return buffer && a->type->dims && a->type->ndim == (int)buffer->ndim &&
           ir_dtype_equal(a->type->dtype, buffer->dtype);
}

/* Is the shape of @a that of @buffer for all sizes? */
static bool fits_always(struct call *call, const struct argument *a, const struct ir_buffer *buffer)
{
    for (unsigned i = 0; i < buffer->ndim; i++)
        if (!ir_prove_equal(call->v->context, wanted_dim(call, buffer, i),
                            ir_expr_cast(call->v->context, IR_I64, a->type->dims[i])))
            return false;
    return true;
}

/* The tensor for parameter @i, or NULL; @call has them in the order of the parameters. */
static struct argument *tensor_of(struct call *call, unsigned i)
{
    size_t tensor = 0;

    if (!verify_call_takes_tensor(&call->kernel->params[i]))
        return NULL;
    for (unsigned k = 0; k < i; k++)
        tensor += verify_call_takes_tensor(&call->kernel->params[k]);
    return &call->tensors.items[tensor];
}

/* Do all tensors of @call fit for all sizes? */
static bool is_whole(struct call *call)
{
    call->bindings.count = 0;
    if (!verify_call_bind_arguments(call))
        return false;
    for (unsigned i = 0; i < call->kernel->param_count; i++) {
        const struct ir_buffer *buffer = call->kernel->params[i].buffer;
        struct argument *a = tensor_of(call, i);
        if (a && buffer && (!has_dims(a, buffer) || !fits_always(call, a, buffer)))
            return false;
    }
    return true;
}

/* Two arguments that change places, so that all fits for all sizes. */
static bool help_order(struct call *call, struct diag_message *m)
{
    for (size_t i = 0; i < call->tensors.count; i++)
        for (size_t k = i + 1; k < call->tensors.count; k++) {
            struct argument *a = &call->tensors.items[i], *b = &call->tensors.items[k];
            const struct argument first = *a, second = *b;
            if (a->is_output || b->is_output)
                continue;
            *a = second;
            *b = first;
            bool is_meant = is_whole(call);
            *a = first;
            *b = second;
            if (!is_meant)
                continue;
            diag_help(m, "the two arguments are each what the other one should be");
            diag_help_swap(m, verify_call_argument_place(call->op, first.number - 1),
                           verify_call_argument_place(call->op, second.number - 1));
            return true;
        }
    return false;
}

static void report(struct call *call, const struct argument *a, const struct ir_buffer *buffer,
                   const struct ir_var *var, int64_t size)
{
    struct location place = a->is_output ? verify_output_place(call->op, a->number - 1)
                                         : verify_call_argument_place(call->op, a->number - 1);
    const char *what = arena_printf(&call->v->context->arena, "%s of `%s`, %s, fits parameter `%s`",
                                    verify_call_argument_text(call, a), call->name,
                                    ir_type_text(call->v->context, a->type), buffer->name);
    struct diag_message *m =
        diag_report(call->v->diag, place, CALL_ONE_SIZE, what, var->name, (long long)size);

    diag_label(m, buffer->loc.source ? buffer->loc : call->kernel->loc, "`%s` is %s", buffer->name,
               verify_call_param_text(call, buffer));
    diag_note(m, "a run with another size ends with an error");
    if (!help_order(call, m) && a->is_output)
        verify_help_output(call->v, m, call->op, a->number - 1, buffer);
}

static bool check_tensors(struct call *call)
{
    for (unsigned i = 0; i < call->kernel->param_count; i++) {
        const struct ir_buffer *buffer = call->kernel->params[i].buffer;
        struct argument *a = tensor_of(call, i);
        for (unsigned k = 0; a && has_dims(a, buffer) && k < buffer->ndim; k++) {
            const struct ir_var *var;
            int64_t size;
            if (!ir_only_size(call->v->context, wanted_dim(call, buffer, k), a->type->dims[k], &var,
                              &size))
                continue;
            report(call, a, buffer, var, size);
            return false;
        }
    }
    return true;
}

static bool check_call(struct verify *v, struct ir_op *op)
{
    bool is_fine = true;
    const struct ir_global *callee = ir_op_callee(op);
    const struct ir_attr *inplace =
        ir_op_is(op, IR_CORE_call_tir_inplace) ? ir_op_attr(op, "inplace_indices") : NULL;
    struct call call = {.v = v, .op = op, .name = callee->name, .kernel = callee->kernel};
    size_t said = diag_message_count(v->diag);

    if (verify_call_collect_arguments(&call) &&
        (op->info->core == IR_CORE_call ||
         verify_call_collect_outputs(&call, op->declared, inplace)) &&
        verify_call_bind_arguments(&call))
        is_fine = check_tensors(&call);
    else
        diag_truncate(v->diag, said); /* a call that is wrong is told where calls are verified */
    array_finish(&call.bindings);
    array_finish(&call.tensors);
    array_finish(&call.scalars);
    return is_fine;
}

bool ir_check_call_sizes(struct ir_module *module, struct ir_op *op, struct diag *diag)
{
    const struct ir_global *callee = ir_op_callee(op);
    struct verify v;
    bool is_fine = true;

    verify_init(&v, module, diag);
    if (callee && callee->kind == IR_GLOBAL_KERNEL && callee->kernel)
        is_fine = check_call(&v, op);
    verify_finish(&v);
    return is_fine;
}
