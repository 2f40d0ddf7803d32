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

/* @op itself, whatever its regions hold. */
static bool is_pure_alone(void *state, struct ir_op *op)
{
    if (op->info->traits & (IR_PURE | IR_TERMINATOR))
        return true;
    if (ir_op_is(op, IR_CORE_call))
        return ir_op_callee(op) && is_pure_global(ir_op_callee(op));
    if (ir_op_is(op, IR_CORE_call_closure)) {
        const struct ir_type *callee = op->operands[0].value->type;
        return callee->kind == IR_TYPE_FUNC && callee->is_pure;
    }
    return ir_op_is(op, IR_CORE_if);
}

bool ir_op_is_pure(const struct ir_op *op)
{
    union {
        const struct ir_op *in;
        struct ir_op *out;
    } same = {op};
    bool is_pure = is_pure_alone(NULL, same.out);

    /* The walk enters branches of branches itself: each op is asked once. */
    for (unsigned i = 0; is_pure && i < op->region_count; i++)
        is_pure = ir_region_walk(op->regions[i], is_pure_alone, NULL);
    return is_pure;
}
