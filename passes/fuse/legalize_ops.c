/*
 * LegalizeOps: replaces each operator that has loops by call_tir of a kernel.
 *
 *     y = R.add(x, x)    =>    y = R.call_tir(cls.add, (x, x), out_ty=..)
 *
 * The loops come from the operator's row (ops/).  Views, calls and the structural ops stay; what has
 * no lowering and is needed as code is refused by code generation, which knows what it can run.
 *
 * An operator that has nothing to do, as a cast to the dtype that is there, makes a copy where some op
 * of the module may write what it is given, else another name:
 *
 *     y = R.astype(x, "float32"); f(y)    =>    y = R.copy(x); f(y)
 */
#include "analysis/storage/storage.h"
#include "ir/build.h"
#include "ops/ids.h"
#include "passes/pass.h"

struct legalize {
    struct pass_run *run;
    enum { NOT_ASKED, NEVER, PERHAPS } is_written; /* what ops are given */
    bool is_changed;
};

static bool may_be_written(struct legalize *l)
{
    if (l->is_written == NOT_ASKED)
        l->is_written = storage_module_has_effects(l->run->module) ? PERHAPS : NEVER;
    return l->is_written == PERHAPS;
}

/* The operand of @bind copied, in place of another name of it. */
static struct ir_value *copy_of(struct legalize *l, struct ir_op *bind)
{
    struct ir_builder b = {l->run->module, l->run->diag, bind->block, bind, bind->loc};
    struct ir_value *operand = ir_inline_copy(b.module, bind->operands[0].value);
    struct ir_value *copy = ir_build_op(&b, OP_copy, &operand, 1);

    ir_op_erase(bind);
    return copy;
}

/* The value that replaces the result of @op; NULL after a report. */
static struct ir_value *lower(struct legalize *l, struct ir_op *op)
{
    struct ir_value *value = op->info->lower(l->run->module, l->run->diag, op);

    return value && value != &op->result && value->def && ir_op_is(value->def, IR_CORE_bind) &&
                   may_be_written(l)
               ? copy_of(l, value->def)
               : value;
}

static bool legalize_region(struct legalize *l, struct ir_region *region)
{
    bool is_fine = true;

    ir_for_each_block(block, region)
    {
        ir_for_each_op_safe (op, block) {
            for (unsigned i = 0; i < op->region_count; i++)
                is_fine &= legalize_region(l, op->regions[i]);
            if (ir_op_is(op, IR_CORE_function))
                is_fine &= legalize_region(l, ir_op_attr(op, "function")->function->body);
            if (!op->info->lower)
                continue;
            struct ir_value *value = lower(l, op);

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
            l->is_changed = true;
        }
    }
    return is_fine;
}

enum pass_result pass_legalize_ops(struct pass_run *run)
{
    struct legalize l = {.run = run};
    bool is_fine = true;
    size_t count = run->module->global_count; /* kernels are added behind */

    for (size_t i = 0; i < count; i++)
        if (run->module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            is_fine &= legalize_region(&l, run->module->globals[i]->function->body);
    if (!is_fine)
        return PASS_FAILED;
    return l.is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}
