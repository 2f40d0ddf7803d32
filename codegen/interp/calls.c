/*
 * Calls: of kernels and of functions.
 *
 * call_tir_inplace means what its definition says: the kernel runs on copies of the arguments that it
 * updates, and the copies are the results.
 */
#include "codegen/interp/calls.h"

#include "codegen/interp/graph.h"
#include "codegen/interp/storage.h"

#include <string.h>

/* A shape among the arguments stands for its dims: the old form of scalars in tir_vars. */
static void push_argument(struct arguments *args, const struct interp_value *value)
{
    if (value->kind != INTERP_SHAPE) {
        array_push(&args->items, value);
        return;
    }
    for (unsigned i = 0; i < value->count; i++)
        array_push(&args->items, interp_int_value(args->run, IR_I64, value->dims[i]));
}

/* Is operand @i of @op what a result takes the place of?  A private copy of it, if it has elements. */
static bool is_updated(const struct ir_op *op, unsigned i)
{
    const struct ir_attr *indices =
        ir_op_is(op, IR_CORE_call_tir_inplace) ? ir_op_attr(op, "inplace_indices") : NULL;
    for (unsigned k = 0; indices && k < indices->count; k++)
        if (indices->items[k]->integer == (int64_t)i)
            return true;
    return false;
}

bool interp_push_operands(struct arguments *args, struct interp_call *call, const struct ir_op *op,
                          unsigned first, bool is_flat)
{
    for (unsigned i = first; i < op->operand_count; i++) {
        const struct ir_value *operand = op->operands[i].value;
        const struct interp_value *value =
            is_updated(op, i) ? interp_value_of(call, operand) : interp_read(call, operand);
        if (!value || !interp_check_alive(call->run, operand, value))
            return false;
        if (is_flat)
            push_argument(args, value);
        else
            array_push(&args->items, value);
    }
    return true;
}

static const struct interp_value *new_output(struct interp_call *call, const struct ir_type *type)
{
    const int64_t *dims;
    if (type->kind != IR_TYPE_TENSOR || !type->dims || ir_dtype_is_void(type->dtype)) {
        interp_unsupported(call->run, call->run->loc, "an output whose shape is not declared");
        return NULL;
    }
    if (!interp_dims(call, type->dims, type->ndim, &dims))
        return NULL;
    return interp_tensor_new(call->run, type->dtype, dims, (unsigned)type->ndim);
}

static const struct ir_type *const *output_types(const struct ir_op *op, unsigned *out_count)
{
    if (op->declared->kind != IR_TYPE_TUPLE) {
        *out_count = 1;
        return &op->declared;
    }
    *out_count = op->declared->field_count;
    return op->declared->fields;
}

const struct interp_value *interp_pack_outputs(struct interp *run, const struct ir_op *op,
                                               const struct interp_value *const *outputs,
                                               unsigned count)
{
    return op->declared->kind == IR_TYPE_TUPLE ? interp_tuple_value(run, outputs, count)
                                               : outputs[0];
}

/* A copy of argument @index that takes its place; NULL after the error is set. */
const struct interp_value *interp_copy_argument(struct arguments *args, unsigned index)
{
    if (index >= args->items.count || args->items.items[index]->kind != INTERP_TENSOR) {
        interp_unsupported(args->run, args->run->loc, "an in-place argument that is no tensor");
        return NULL;
    }
    const struct interp_value *given = args->items.items[index], *copy;
    if (given->storage && !given->storage->data)
        copy = interp_tensor_new(args->run, interp_tensor_dtype(given->tensor),
                                 given->tensor->shape, (unsigned)given->tensor->ndim);
    else
        copy = interp_tensor_copy(args->run, given->tensor);
    args->items.items[index] = copy;
    return copy;
}

/* Puts the outputs in place: @indices NULL or -1 where fresh, else the argument that is updated. */
const struct interp_value **interp_make_outputs(struct interp_call *call, const struct ir_op *op,
                                                const struct ir_attr *indices,
                                                struct arguments *args, unsigned *out_count)
{
    const struct ir_type *const *types = output_types(op, out_count);
    const struct interp_value **outputs =
        arena_array(&call->run->arena, const struct interp_value *, *out_count + 1);
    for (unsigned i = 0; i < *out_count; i++) {
        int64_t index = indices && i < indices->count ? indices->items[i]->integer : -1;
        if (index >= 0) {
            outputs[i] = interp_copy_argument(args, (unsigned)index);
            if (outputs[i] &&
                !interp_match(call, types[i], outputs[i], INLAY_ERROR_SHAPE, "the output"))
                return NULL;
        } else {
            outputs[i] = new_output(call, types[i]);
        }
        if (!outputs[i])
            return NULL;
    }
    for (unsigned i = 0; i < *out_count; i++)
        if (!indices || i >= indices->count || indices->items[i]->integer < 0)
            array_push(&args->items, outputs[i]);
    return outputs;
}

static const struct interp_value *call_tir(struct interp_call *call, const struct ir_op *op)
{
    struct arguments args = {.run = call->run};
    const struct ir_attr *indices =
        ir_op_is(op, IR_CORE_call_tir_inplace) ? ir_op_attr(op, "inplace_indices") : NULL;
    const struct ir_global *callee = ir_op_attr(op, "callee")->global;
    const struct interp_value *result = NULL;
    unsigned count;
    if (callee->kind != IR_GLOBAL_KERNEL) {
        interp_unsupported(call->run, op->loc, "`%s`, which is no kernel, in call_tir",
                           callee->name);
        return NULL;
    }
    if (interp_push_operands(&args, call, op, 0, true)) {
        call->run->loc = op->loc;
        const struct interp_value **outputs = interp_make_outputs(call, op, indices, &args, &count);
        if (outputs && interp_kernel(call->run, callee->kernel, args.items.items,
                                     (unsigned)args.items.count, NULL))
            result = interp_pack_outputs(call->run, op, outputs, count);
    }
    array_finish(&args.items);
    return result;
}

/* Calls whatever @callee is: a function of the module, a nested one, a kernel, a symbol. */
static const struct interp_value *call_callee(struct interp_call *call, const struct ir_op *op,
                                              const struct interp_value *callee,
                                              const struct arguments *args)
{
    struct interp *run = call->run;
    const struct interp_value *result = NULL;
    struct ir_function *function = callee->function;
    struct interp_call *outer = function ? callee->outer : NULL;
    const char *symbol = callee->symbol;
    unsigned count = (unsigned)args->items.count;
    if (callee->global && callee->global->kind == IR_GLOBAL_FUNCTION)
        function = callee->global->function;
    if (callee->global && callee->global->kind == IR_GLOBAL_EXTERN)
        symbol = callee->global->symbol;
    if (function)
        return interp_call_function(run, function, outer, args->items.items, count, &result)
                   ? result
                   : NULL;
    if (symbol)
        return interp_call_symbol(call, op, symbol, op->declared, args, &result) ? result : NULL;
    if (callee->global && callee->global->kind == IR_GLOBAL_KERNEL) {
        struct interp_scalar scalar = {.dtype = IR_VOID};
        if (!interp_kernel(run, callee->global->kernel, args->items.items, count, &scalar))
            return NULL;
        return ir_dtype_is_void(scalar.dtype) ? interp_tuple_value(run, NULL, 0)
                                              : interp_scalar_value(run, scalar);
    }
    interp_unsupported(run, op->loc, "this callee");
    return NULL;
}

static const struct interp_value *call_function(struct interp_call *call, const struct ir_op *op)
{
    struct arguments args = {.run = call->run};
    const struct interp_value *result = NULL, *callee;
    struct interp_value global = {.kind = INTERP_FUNCTION};
    unsigned first = 0;
    if (ir_op_is(op, IR_CORE_call)) {
        global.global = ir_op_attr(op, "callee")->global;
        callee = &global;
    } else {
        callee = interp_value_of(call, op->operands[0].value);
        first = 1;
    }
    if (callee && callee->kind != INTERP_FUNCTION) {
        interp_fail(call->run, INLAY_ERROR_SHAPE, "what is called is no function");
        return NULL;
    }
    if (callee && interp_push_operands(&args, call, op, first, false)) {
        /* what a closure carries are the last parameters */
        for (unsigned i = 0; callee->bound && i < callee->bound->count; i++)
            array_push(&args.items, callee->bound->items[i]);
        call->run->loc = op->loc;
        if (callee == &global && callee->global->kind == IR_GLOBAL_FUNCTION &&
            interp_is_last_call(call->function, op)) {
            call->next = callee->global->function;
            call->next_args =
                interp_tuple_value(call->run, args.items.items, (unsigned)args.items.count);
            result = call->next_args;
        } else {
            result = call_callee(call, op, callee, &args);
        }
    }
    array_finish(&args.items);
    return result;
}

static const struct interp_value *make_closure(struct interp_call *call, const struct ir_op *op)
{
    struct arguments args = {.run = call->run};
    const struct interp_value *callee = interp_value_of(call, op->operands[0].value);
    struct interp_value *closure = NULL;
    if (callee && interp_push_operands(&args, call, op, 1, false)) {
        closure = arena_new(&call->run->arena, struct interp_value);
        call->run->keeps_all = true;
        *closure = *callee;
        closure->bound =
            interp_tuple_value(call->run, args.items.items, (unsigned)args.items.count);
    }
    array_finish(&args.items);
    return closure;
}

const struct interp_value *interp_call_op(struct interp_call *call, const struct ir_op *op)
{
    switch (op->info->core) {
    case IR_CORE_call_tir:
    case IR_CORE_call_tir_inplace:
    case IR_CORE_call_tir_with_grad:
        return call_tir(call, op);
    case IR_CORE_call_dps_packed:
        return interp_call_dps_packed(call, op);
    case IR_CORE_call_packed:
    case IR_CORE_call_pure_packed:
    case IR_CORE_call_inplace_packed:
        return interp_call_packed(call, op);
    case IR_CORE_call:
    case IR_CORE_call_closure:
    case IR_CORE_invoke_closure:
    case IR_CORE_invoke_pure_closure:
        return call_function(call, op);
    case IR_CORE_make_closure:
        return make_closure(call, op);
    default:
        interp_unsupported(call->run, op->loc, "`R.%s`", op->info->name);
        return NULL;
    }
}
