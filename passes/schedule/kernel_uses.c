#include "passes/schedule/kernel_uses.h"

#include "ir/module.h"
#include "ir/tir.h"

static struct kernel_use *kernel_of(struct kernel_uses *uses, struct ir_global *global)
{
    struct kernel_use *kernel = map_get(&uses->kernels, global);

    if (kernel)
        return kernel;
    kernel = arena_new(uses->arena, struct kernel_use);
    *kernel = (struct kernel_use){.global = global, .is_known = global->kernel->is_private};
    map_set(&uses->kernels, global, kernel);
    array_push(&uses->list, kernel);
    return kernel;
}

/* Does each argument have the kernel's parameter at its place: tensors buffers, sizes scalars? */
static bool fits(const struct ir_op *call, const struct tir_func *func)
{
    if (call->operand_count > func->param_count)
        return false;
    for (unsigned i = 0; i < call->operand_count; i++) {
        enum ir_type_kind kind = call->operands[i].value->type->kind;
        if (kind != (func->params[i].buffer ? IR_TYPE_TENSOR : IR_TYPE_PRIM))
            return false;
    }
    return true;
}

/* Kernels that stand in arguments may be called by anybody. */
static void visit_operand(void *state, struct ir_use *use)
{
    struct kernel_uses *uses = state;
    const struct ir_op *def = ir_value_is_inline(use->value) ? use->value->def : NULL;

    for (unsigned i = 0; def && i < def->info->attr_count; i++) {
        struct ir_global *global =
            def->attrs[i]->kind == IR_ATTR_GLOBAL ? def->attrs[i]->global : NULL;

        if (global && global->kind == IR_GLOBAL_KERNEL)
            kernel_of(uses, global)->is_known = false;
    }
}

static bool visit_op(void *state, struct ir_op *op)
{
    struct kernel_uses *uses = state;
    bool is_call = ir_op_is(op, IR_CORE_call_tir) || ir_op_is(op, IR_CORE_call_tir_inplace);

    ir_op_walk_operands(op, visit_operand, uses);
    if (ir_op_is(op, IR_CORE_function))
        (void)ir_region_walk(ir_op_attr(op, "function")->function->body, visit_op, uses);
    for (unsigned i = 0; i < op->info->attr_count; i++) {
        struct ir_global *global =
            op->attrs[i]->kind == IR_ATTR_GLOBAL ? op->attrs[i]->global : NULL;

        if (!global || global->kind != IR_GLOBAL_KERNEL)
            continue;
        struct kernel_use *kernel = kernel_of(uses, global);

        array_push(&kernel->calls, op);
        kernel->is_known = kernel->is_known && is_call && fits(op, global->kernel);
    }
    return true;
}

static bool is_constant(const struct ir_value *value)
{
    return ir_value_is_inline(value) && ir_op_is(value->def, IR_CORE_constant);
}

bool kernel_use_is_constant(const struct kernel_use *kernel, unsigned param)
{
    for (size_t i = 0; i < kernel->calls.count; i++) {
        const struct ir_op *call = kernel->calls.items[i];

        if (param >= call->operand_count || !is_constant(call->operands[param].value))
            return false;
    }
    return kernel->calls.count > 0;
}

void kernel_uses_find(struct kernel_uses *uses, struct ir_module *module, struct arena *arena)
{
    *uses = (struct kernel_uses){.module = module, .arena = arena};
    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            (void)ir_region_walk(module->globals[i]->function->body, visit_op, uses);
}

void kernel_uses_finish(struct kernel_uses *uses)
{
    for (size_t i = 0; i < uses->list.count; i++)
        array_finish(&uses->list.items[i]->calls);
    array_finish(&uses->list);
    map_finish(&uses->kernels);
}
