/*
 * Operators that speak of other devices and workers.  A program here runs on the processor and is one worker of one:
 * what goes to that device, or is summed up, gathered or scattered over that worker, is the operand itself.
 */
#include "ops/lower/lower.h"

#include <string.h>

/* Is @attr, a name as `llvm:0:global` or R.device(..), the processor? */
static bool is_host(const struct ir_attr *attr)
{
    if (attr->kind == IR_ATTR_CALL)
        return attr->count > 0 && is_host(attr->items[0]);
    if (attr->kind == IR_ATTR_INT)
        return attr->integer == 1; /* kDLCPU */
    return attr->kind == IR_ATTR_STRING &&
           (strncmp(attr->string, "llvm", 4) == 0 || strncmp(attr->string, "cpu", 3) == 0);
}

/* What of @op is not here; NULL: nothing. */
static const char *elsewhere(const struct ir_op *op)
{
    if (ir_attr_param(op->info, "dst_vdevice") && !is_host(ir_op_attr(op, "dst_vdevice")))
        return "there is one device, the processor";
    if (ir_attr_param(op->info, "num_workers") && op_attr_int(op, "num_workers", 1) != 1)
        return "there is one worker";
    return NULL;
}

struct ir_value *lower_alone(struct ir_module *module, struct diag *diag, struct ir_op *op)
{
    const char *why = elsewhere(op);
    struct kernel k;

    if (why) {
        diag_note(diag_report(diag, op->loc, OP_UNSUPPORTED, op->info->name), "%s", why);
        return NULL;
    }
    if (!kernel_begin(&k, module, diag, op, 1u))
        return NULL;
    kernel_copy_data(&k, k.outputs[0]);
    return kernel_finish(&k);
}
