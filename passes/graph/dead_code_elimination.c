/*
 * DeadCodeElimination: removes pure ops whose result nobody reads, names that no later code uses from
 * the outputs of dataflow blocks, and private functions and kernels that no entry reaches.
 *
 * Backwards, so that one sweep removes chains.  What has an effect stays, whoever uses it: print,
 * assertions, match_cast (it checks and binds symbols) and calls of impure functions.
 *
 * Entries are the public functions and kernels, and the names in the option `entries` ("f,g").  What
 * an op that was just removed called may be unreachable now, so functions come last.  A module
 * without any entry keeps all its functions: somebody will call one of them.
 */
#include "ir/edit/rewrite.h"
#include "ir/verify.h"
#include "passes/graph/reach.h"
#include "passes/pass.h"

#include <string.h>

/* ---- ops ---- */

/* A value that only its dataflow block's `output` reads is not needed outside. */
static bool trim_outputs(struct ir_op *output)
{
    bool is_changed = false;

    for (unsigned i = output->operand_count; i-- > 0;) {
        const struct ir_value *value = output->operands[i].value;

        if (value->uses == &output->operands[i] && !value->uses->next) {
            ir_op_remove_operand(output, i);
            is_changed = true;
        }
    }
    return is_changed;
}

static bool can_remove(const struct ir_op *op)
{
    return !op->result.uses && !(op->info->traits & IR_TERMINATOR) &&
           !ir_op_is(op, IR_CORE_match_cast) && ir_op_is_pure(op);
}

static bool sweep_region(struct ir_region *region)
{
    bool is_changed = false;

    for (struct ir_block *block = region->last; block; block = block->prev) {
        ir_for_each_op_reverse_safe(op, block)
        {
            if (ir_op_is(op, IR_CORE_output))
                is_changed |= trim_outputs(op);
            if (can_remove(op)) {
                ir_op_erase(op);
                is_changed = true;
                continue;
            }
            for (unsigned i = 0; i < op->region_count; i++)
                is_changed |= sweep_region(op->regions[i]);
            if (ir_op_is(op, IR_CORE_function))
                is_changed |= sweep_region(ir_op_attr(op, "function")->function->body);
        }
    }
    if (is_changed)
        rewrite_join_blocks(region);
    return is_changed;
}

/* ---- functions ---- */

/* The functions that @names lists; false after a report. */
static bool reach_named(struct pass_run *run, struct reach *r, const char *names)
{
    for (const char *p = names; *p; p += strcspn(p, ","), p += *p == ',') {
        size_t length = strcspn(p, ",");
        const char *name = atom_intern(&run->module->context->atoms, p, length);
        struct ir_global *global = ir_module_find(run->module, name);

        if (!global) {
            diag_report(run->diag, (struct location){0}, PASS_NO_FUNCTION, run->pass->name, name);
            return false;
        }
        reach_add(r, global);
    }
    return true;
}

enum pass_result pass_dead_code_elimination(struct pass_run *run)
{
    struct reach r = {.module = run->module};
    bool is_changed = false;
    bool is_fine = reach_named(run, &r, pass_option_string(run, "entries"));

    for (size_t i = 0; is_fine && i < run->module->global_count; i++) {
        struct ir_global *global = run->module->globals[i];

        if (global->kind == IR_GLOBAL_FUNCTION)
            is_changed |= sweep_region(global->function->body);
        if (!reach_is_private(global) && global->kind != IR_GLOBAL_EXTERN)
            reach_add(&r, global);
    }
    if (is_fine && r.work.count > 0)
        is_changed |= reach_remove_others(&r, NULL);
    reach_finish(&r);
    if (!is_fine)
        return PASS_FAILED;
    return is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}
