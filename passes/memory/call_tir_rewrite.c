/*
 * CallTIRRewrite: every result of a kernel names the storage that it is written to.
 *
 *     y = R.call_tir(cls.f, (x,), out_ty=R.Tensor((n,), "float32"))
 *  =>
 *     y_dest = R.builtin.alloc_tensor(R.shape([n]), R.dtype("float32"), 0, R.str("global"))
 *     y = R.call_tir_inplace(cls.f, (x, y_dest), out_ty=.., inplace_indices=[1])
 *
 * Each value keeps its name, and the calls stay as pure as they were.  Calls of kernels that hand
 * storage to code outside of the module stay as they are: it may keep that storage, so that nothing
 * may be said to be updated in place.
 */
#include "analysis/kernel.h"
#include "passes/memory/destinations.h"

struct rewrite {
    struct pass_run *run;
    struct map calls_out; /* kernels that were looked at: kernel -> itself if it calls out */
    bool is_fine, is_changed;
};

static bool calls_out(struct rewrite *r, struct tir_func *kernel)
{
    if (!map_has(&r->calls_out, kernel))
        map_set(&r->calls_out, kernel,
                kernel_access(&r->run->scratch, kernel).calls_out ? kernel : NULL);
    return map_get(&r->calls_out, kernel) != NULL;
}

static bool can_rewrite(struct rewrite *r, const struct ir_op *call)
{
    const struct ir_global *callee = ir_op_callee(call);
    bool is_open = false;

    if (!callee || callee->kind != IR_GLOBAL_KERNEL)
        return false;
    for (unsigned i = 0; i < destination_count(call); i++)
        is_open |= destination_index(call, i) < 0;
    return is_open && !calls_out(r, callee->kernel);
}

static bool visit(void *state, struct ir_op *op)
{
    struct rewrite *r = state;

    if (ir_op_is(op, IR_CORE_function))
        ir_region_walk(ir_op_attr(op, "function")->function->body, visit, r);
    if (!ir_op_is(op, IR_CORE_call_tir) && !ir_op_is(op, IR_CORE_call_tir_inplace))
        return r->is_fine;
    if (!can_rewrite(r, op))
        return r->is_fine;
    r->is_fine &= destinations_set(r->run, op, NULL) != NULL;
    r->is_changed = true;
    return r->is_fine;
}

enum pass_result pass_call_tir_rewrite(struct pass_run *run)
{
    struct rewrite r = {.run = run, .is_fine = true};

    for (size_t i = 0; i < run->module->global_count && r.is_fine; i++)
        if (run->module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            ir_region_walk(run->module->globals[i]->function->body, visit, &r);
    map_finish(&r.calls_out);
    return !r.is_fine ? PASS_FAILED : r.is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}
