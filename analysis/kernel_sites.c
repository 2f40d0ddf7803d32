/* See kernel_sites.h. */
#include "analysis/kernel_sites.h"

static bool add_site(void *state, struct ir_op *op)
{
    kernel_site_array *sites = state;
    const struct ir_global *callee = ir_op_callee(op);

    if (callee && callee->kind == IR_GLOBAL_KERNEL)
        array_push(sites, op);
    return true;
}

void kernel_sites(const struct ir_module *module, kernel_site_array *out)
{
    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            ir_region_walk(module->globals[i]->function->body, add_site, out);
}
