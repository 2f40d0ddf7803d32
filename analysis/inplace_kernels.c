/*
 * A kernel's writes against what its calls declare.
 *
 * Nothing else in the IR says that a kernel changes a buffer, so a call that gives such a buffer as
 * input would change a value behind the back of every analysis.
 */
#include "analysis/inplace.h"
#include "analysis/kernel.h"
#include "base/map.h"
#include "ir/verify.h"

struct check {
    struct arena arena;
    struct map known; /* kernel -> struct kernel_access */
    struct diag *diag;
    bool is_fine;
};

static const struct kernel_access *known_access(struct check *check, const struct tir_func *kernel)
{
    struct kernel_access *access = map_get(&check->known, kernel);

    if (!access) {
        access = arena_new(&check->arena, struct kernel_access);
        *access = kernel_access(&check->arena, kernel);
        map_set(&check->known, kernel, access);
    }
    return access;
}

static bool is_declared(const struct ir_op *call, unsigned argument)
{
    if (ir_op_is(call, IR_CORE_call_tir_inplace)) {
        const struct ir_attr *indices = ir_op_attr(call, "inplace_indices");

        for (unsigned i = 0; i < indices->count; i++)
            if (indices->items[i]->integer == (int64_t)argument)
                return true;
    }
    return false;
}

/* The entry of inplace_indices that names what the kernel does not write; -1: none. */
static int wrong_entry(struct check *check, const struct ir_op *op)
{
    const struct tir_func *kernel = ir_op_callee(op)->kernel;
    const struct kernel_access *access = known_access(check, kernel);

    if (!ir_op_is(op, IR_CORE_call_tir_inplace))
        return -1;
    const struct ir_attr *indices = ir_op_attr(op, "inplace_indices");
    for (unsigned i = 0; i < indices->count; i++) {
        int64_t index = indices->items[i]->integer;
        const struct tir_param *param =
            index >= 0 ? kernel_param_of(kernel, op, (unsigned)index) : NULL;

        if (param && !access->params[param - kernel->params].writes)
            return (int)i;
    }
    return -1;
}

/* The one parameter of @kernel that @op gives no argument for, and that is never written; NULL: there is none. */
static const struct ir_buffer *unwritten_output(const struct tir_func *kernel,
                                                const struct kernel_access *access,
                                                const struct ir_op *op)
{
    const struct ir_buffer *found = NULL;

    for (unsigned i = 0; i < kernel->param_count; i++) {
        bool is_output = kernel->params[i].buffer && !access->params[i].writes;
        for (unsigned k = 0; is_output && k < op->operand_count; k++)
            is_output = kernel_param_of(kernel, op, k) != &kernel->params[i];
        if (is_output && found)
            return NULL;
        found = is_output ? kernel->params[i].buffer : found;
    }
    return found;
}

/* What is stored to an input belongs into an output that nothing is stored to. */
static bool help_output(struct diag_message *message, const struct tir_func *kernel,
                        const struct kernel_access *access, const struct ir_op *op,
                        const struct ir_buffer *written)
{
    const struct ir_buffer *output = unwritten_output(kernel, access, op);

    if (!output || output->ndim != written->ndim || !ir_dtype_equal(output->dtype, written->dtype))
        return false;
    diag_label(message, output->loc, "nothing is stored to `%s`", output->name);
    diag_help(message, "store to `%s` in place of `%s`", output->name, written->name);
    return true;
}

static bool check_op(void *state, struct ir_op *op)
{
    struct check *check = state;
    const struct ir_global *callee;

    if (!ir_op_is(op, IR_CORE_call_tir) && !ir_op_is(op, IR_CORE_call_tir_inplace) &&
        !ir_op_is(op, IR_CORE_call_tir_with_grad))
        return true;
    callee = ir_op_callee(op);
    if (!callee || callee->kind != IR_GLOBAL_KERNEL)
        return true;
    const struct kernel_access *access = known_access(check, callee->kernel);

    for (unsigned i = 0; i < op->operand_count; i++) {
        const struct tir_param *param = kernel_param_of(callee->kernel, op, i);

        /* what is only exposed may be written: not known to be, so no error */
        if (!param || !access->params[param - callee->kernel->params].is_stored ||
            is_declared(op, i))
            continue;
        const struct ir_buffer *buffer = param->buffer;
        int entry = wrong_entry(check, op);
        struct diag_message *message =
            diag_report(check->diag, entry >= 0 ? ir_inplace_entry(op, (unsigned)entry) : op->loc,
                        INPLACE_UNDECLARED_WRITE, callee->name, buffer->name);
        diag_label(message, buffer->loc, "`%s` is written in the kernel", buffer->name);
        if (entry >= 0) {
            diag_primary(message, "the kernel does not write this one");
            ir_inplace_help(message, op, (unsigned)entry);
        } else if (!help_output(message, callee->kernel, access, op, buffer))
            diag_help(message,
                      "use R.call_tir_inplace with %u in inplace_indices, and take the result", i);
        check->is_fine = false;
    }
    return true;
}

bool inplace_check_kernels(struct ir_module *module, struct diag *diag)
{
    struct check check = {.diag = diag, .is_fine = true};

    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            ir_region_walk(module->globals[i]->function->body, check_op, &check);
    map_finish(&check.known);
    arena_finish(&check.arena);
    return check.is_fine;
}
