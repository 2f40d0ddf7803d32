/* Which calls have visible effects. */
#include "ir/verify.h"

/* A kernel that computes a number from numbers; one with buffers is called to fill them. */
static bool is_pure_kernel(const struct tir_func *kernel)
{
    return !ir_dtype_is_void(kernel->result) && tir_func_buffer_count(kernel) == 0;
}

static bool is_pure_global(const struct ir_global *callee)
{
    if (callee->kind == IR_GLOBAL_KERNEL)
        return is_pure_kernel(callee->kernel);
    return callee->type && callee->type->kind == IR_TYPE_FUNC && callee->type->is_pure;
}

static bool visit_op(void *state, struct ir_op *op)
{
    return ir_op_is_pure(op);
}

bool ir_op_is_pure(const struct ir_op *op)
{
    if (op->info->traits & (IR_PURE | IR_TERMINATOR))
        return true;
    if (ir_op_is(op, IR_CORE_call))
        return ir_op_callee(op) && is_pure_global(ir_op_callee(op));
    if (ir_op_is(op, IR_CORE_call_closure)) {
        const struct ir_type *callee = op->operands[0].value->type;
        return callee->kind == IR_TYPE_FUNC && callee->is_pure;
    }
    if (!ir_op_is(op, IR_CORE_if))
        return false;
    for (unsigned i = 0; i < op->region_count; i++) {
        /* A walk enters nested branches itself; what it says of them is asked again, but not more. */
        if (!ir_region_walk(op->regions[i], visit_op, NULL))
            return false;
    }
    return true;
}
