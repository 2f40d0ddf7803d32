#include "analysis/kernel_call.h"

#include "base/array.h"
#include "ir/arith.h"

const struct ir_type *kernel_call_output(const struct ir_op *op, unsigned i)
{
    const struct ir_type *type = op->result.type;

    return type->kind == IR_TYPE_TUPLE ? type->fields[i] : type;
}

/* What the kernel is given, in the order of its parameters of each kind. */
struct given {
    array(const struct ir_type *) tensors;
    array(const struct ir_expr *) scalars;
};

static bool is_known_tensor(const struct ir_type *type)
{
    return type->kind == IR_TYPE_TENSOR && (type->dims || type->ndim == 0) &&
           !ir_dtype_is_void(type->dtype) && !type->vdevice && !type->shape_var;
}

static bool add_operand(struct given *given, const struct ir_value *value)
{
    const struct ir_op *def = value->def;

    if (is_known_tensor(value->type)) {
        array_push(&given->tensors, value->type);
        return true;
    }
    if (!def || !ir_op_is_inline(def))
        return false;
    if (ir_op_is(def, IR_CORE_prim) && ir_op_attr(def, "value")->kind == IR_ATTR_EXPR) {
        array_push(&given->scalars, ir_op_attr(def, "value")->expr);
        return true;
    }
    if (!ir_op_is(def, IR_CORE_shape))
        return false;
    const struct ir_attr *dims = ir_op_attr(def, "dims");
    for (unsigned i = 0; i < dims->count; i++)
        array_push(&given->scalars, dims->items[i]->expr);
    return true;
}

static bool bind_dims(struct kernel_call *call, const struct ir_buffer *buffer,
                      const struct ir_type *type, struct ir_context *context)
{
    if (!ir_dtype_equal(buffer->dtype, type->dtype) || type->ndim != (int)buffer->ndim)
        return false;
    for (unsigned d = 0; d < buffer->ndim; d++) {
        const struct ir_expr *dim = buffer->shape[d];

        if (dim->kind == IR_EXPR_var && !ir_bindings_find(&call->symbols, dim->var))
            array_push(
                &call->symbols,
                (struct ir_binding){dim->var, ir_expr_cast(context, dim->dtype, type->dims[d])});
    }
    return true;
}

static bool check_dims(const struct kernel_call *call, const struct ir_buffer *buffer,
                       const struct ir_type *type, struct ir_context *context)
{
    for (unsigned d = 0; d < buffer->ndim; d++) {
        const struct ir_expr *dim = ir_expr_substitute(context, buffer->shape[d], &call->symbols);

        if (dim->kind == IR_EXPR_int && type->dims[d]->kind == IR_EXPR_int
                ? dim->int_value != type->dims[d]->int_value
                : !ir_prove_equal(context, ir_expr_cast(context, IR_I64, dim),
                                  ir_expr_cast(context, IR_I64, type->dims[d])))
            return false;
    }
    return true;
}

/* Gives scalars and symbols their values, scalars first: what they are equal to is then checked. */
static bool bind(struct kernel_call *call, const struct given *given, struct ir_context *context)
{
    const struct tir_func *func = call->func;
    size_t tensor = 0, scalar = 0;

    for (unsigned i = 0; i < func->param_count; i++) {
        const struct ir_var *var = func->params[i].var;

        if (func->params[i].buffer)
            continue;
        if (scalar == given->scalars.count ||
            !ir_dtype_equal(given->scalars.items[scalar]->dtype, var->dtype))
            return false;
        array_push(&call->symbols, (struct ir_binding){var, given->scalars.items[scalar++]});
    }
    for (unsigned i = 0; i < func->param_count; i++)
        if (func->params[i].buffer &&
            (tensor == given->tensors.count ||
             !bind_dims(call, func->params[i].buffer, given->tensors.items[tensor++], context)))
            return false;
    if (tensor != given->tensors.count || scalar != given->scalars.count)
        return false;
    tensor = 0;
    for (unsigned i = 0; i < func->param_count; i++)
        if (func->params[i].buffer &&
            !check_dims(call, func->params[i].buffer, given->tensors.items[tensor++], context))
            return false;
    return true;
}

/* The parameters that are buffers, in order. */
static unsigned *buffer_params(struct arena *arena, const struct tir_func *func)
{
    unsigned *params = arena_array(arena, unsigned, func->param_count + 1), count = 0;

    for (unsigned i = 0; i < func->param_count; i++)
        if (func->params[i].buffer)
            params[count++] = i;
    return params;
}

static const int *param_operands(struct arena *arena, const struct kernel_call *call)
{
    int *operands = arena_array(arena, int, call->func->param_count + 1);

    for (unsigned i = 0; i < call->func->param_count; i++)
        operands[i] = -1;
    for (unsigned i = call->op->operand_count; i-- > 0;)
        if (call->operand_params[i] != (unsigned)KERNEL_CALL_SCALAR)
            operands[call->operand_params[i]] = (int)i;
    return operands;
}

static bool read_outputs(struct arena *arena, struct kernel_call *out, struct given *given,
                         const unsigned *buffers)
{
    const struct ir_op *op = out->op;
    const struct ir_type *type = op->result.type;
    const struct ir_attr *indices =
        ir_op_is(op, IR_CORE_call_tir_inplace) ? ir_op_attr(op, "inplace_indices") : NULL;

    if (op->declared != type || (type->kind == IR_TYPE_TUPLE && type->field_count == 0))
        return false;
    out->output_count = type->kind == IR_TYPE_TUPLE ? type->field_count : 1;
    unsigned *params = arena_array(arena, unsigned, out->output_count);
    int *inplace = arena_array(arena, int, out->output_count);
    for (unsigned i = 0; i < out->output_count; i++) {
        int64_t operand = indices && i < indices->count ? indices->items[i]->integer : -1;

        if (!is_known_tensor(kernel_call_output(op, i)) || operand >= (int64_t)op->operand_count)
            return false;
        inplace[i] = operand < 0 ? -1 : (int)operand;
        if (operand >= 0) {
            if (out->operand_params[operand] == KERNEL_CALL_SCALAR)
                return false;
            params[i] = out->operand_params[operand];
        } else {
            if (given->tensors.count >= tir_func_buffer_count(out->func))
                return false;
            params[i] = buffers[given->tensors.count];
            array_push(&given->tensors, kernel_call_output(op, i));
        }
    }
    out->output_params = params;
    out->inplace = inplace;
    return true;
}

bool kernel_call_read(struct ir_module *module, struct arena *arena, const struct ir_op *op,
                      struct kernel_call *out)
{
    const struct ir_global *callee = ir_op_callee(op);
    struct given given = {0};
    bool is_fine = callee && callee->kind == IR_GLOBAL_KERNEL;

    *out = (struct kernel_call){.op = op};
    if (!is_fine)
        return false;
    out->func = callee->kernel;
    unsigned buffer_count = tir_func_buffer_count(out->func);
    const unsigned *buffers = buffer_params(arena, out->func);
    unsigned *operands = arena_array(arena, unsigned, op->operand_count + 1);
    for (unsigned i = 0; is_fine && i < op->operand_count; i++) {
        size_t before = given.tensors.count;

        is_fine = add_operand(&given, op->operands[i].value) && before <= buffer_count &&
                  given.tensors.count <= buffer_count;
        operands[i] = is_fine && given.tensors.count > before ? buffers[before]
                                                              : (unsigned)KERNEL_CALL_SCALAR;
    }
    out->operand_params = operands;
    is_fine =
        is_fine && read_outputs(arena, out, &given, buffers) && bind(out, &given, module->context);
    array_finish(&given.tensors);
    array_finish(&given.scalars);
    if (is_fine)
        out->param_operands = param_operands(arena, out);
    else
        kernel_call_finish(out);
    return is_fine;
}

void kernel_call_finish(struct kernel_call *call)
{
    array_finish(&call->symbols);
}
