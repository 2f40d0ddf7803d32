/*
 * LegalizeOps: replaces each operator that has loops by call_tir of a kernel.
 *
 *     y = R.add(x, x)    =>    y = R.call_tir(cls.add, (x, x), out_ty=..)
 *
 * The loops come from the operator's row (ops/).  Views, calls and the structural ops stay; what has
 * no lowering and is needed as code is refused by code generation, which knows what it can run.
 */
#include "passes/pass.h"

static bool legalize_region(struct pass_run *run, struct ir_region *region, bool *out_changed)
{
    bool is_fine = true;

    ir_for_each_block(block, region)
    {
        ir_for_each_op_safe (op, block) {
            for (unsigned i = 0; i < op->region_count; i++)
                is_fine &= legalize_region(run, op->regions[i], out_changed);
            if (ir_op_is(op, IR_CORE_function))
                is_fine &=
                    legalize_region(run, ir_op_attr(op, "function")->function->body, out_changed);
            if (!op->info->lower)
                continue;
            struct ir_value *value = op->info->lower(run->module, run->diag, op);

            if (!value) {
                is_fine = false;
                continue;
            }
            if (value == &op->result)
                continue; /* needs no loops with these types */
            if (!value->name)
                value->name = op->result.name;
            value->loc = op->result.loc;
            ir_value_replace(&op->result, value);
            ir_op_erase(op);
            *out_changed = true;
        }
    }
    return is_fine;
}

enum pass_result pass_legalize_ops(struct pass_run *run)
{
    bool is_changed = false, is_fine = true;
    size_t count = run->module->global_count; /* kernels are added behind */

    for (size_t i = 0; i < count; i++)
        if (run->module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            is_fine &= legalize_region(run, run->module->globals[i]->function->body, &is_changed);
    if (!is_fine)
        return PASS_FAILED;
    return is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}
