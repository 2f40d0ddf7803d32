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
#include "base/array.h"
#include "ir/verify.h"
#include "passes/graph/rewrite.h"
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

struct reach {
    struct ir_module *module;
    struct map reached;             /* struct ir_global */
    array(struct ir_global *) work; /* reached, but not looked into */
};

static void reach(struct reach *r, struct ir_global *global)
{
    if (!global || map_has(&r->reached, global))
        return;
    map_set(&r->reached, global, global);
    array_push(&r->work, global);
}

static void reach_attr(struct reach *r, const struct ir_attr *attr);

static bool reach_op(void *state, struct ir_op *op)
{
    for (unsigned i = 0; i < op->info->attr_count; i++)
        reach_attr(state, op->attrs[i]);
    for (unsigned i = 0; i < op->operand_count; i++)
        if (ir_value_is_inline(op->operands[i].value))
            reach_op(state, op->operands[i].value->def);
    return true;
}

static void reach_attr(struct reach *r, const struct ir_attr *attr)
{
    if (!attr)
        return;
    if (attr->kind == IR_ATTR_GLOBAL)
        reach(r, attr->global);
    else if (attr->kind == IR_ATTR_FUNCTION) {
        reach_attr(r, attr->function->attrs);
        ir_region_walk(attr->function->body, reach_op, r);
    }
    for (unsigned i = 0; i < attr->count; i++)
        reach_attr(r, attr->items[i]);
}

/* cls.f(..) in a kernel. */
static bool reach_expr(void *state, const struct ir_expr *e)
{
    struct reach *r = state;

    if (e->kind == IR_EXPR_call && strncmp(e->name, "cls.", 4) == 0)
        reach(r, ir_module_find(r->module, e->name + 4));
    return true;
}

static bool reach_root(void *state, const struct ir_expr *e)
{
    return ir_expr_walk(e, reach_expr, state);
}

static bool reach_stmt(void *state, struct tir_stmt *stmt)
{
    return tir_stmt_walk_exprs(stmt, reach_root, state);
}

static void reach_all(struct reach *r)
{
    while (r->work.count > 0) {
        struct ir_global *global = array_pop(&r->work);

        if (global->function) {
            reach_attr(r, global->function->attrs);
            ir_region_walk(global->function->body, reach_op, r);
        }
        if (global->kernel) {
            reach_attr(r, global->kernel->attrs);
            if (global->kernel->body)
                tir_stmt_walk(global->kernel->body, reach_stmt, r);
        }
    }
}

static bool is_private(const struct ir_global *global)
{
    return (global->kind == IR_GLOBAL_FUNCTION && global->function->is_private) ||
           (global->kind == IR_GLOBAL_KERNEL && global->kernel->is_private);
}

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
        reach(r, global);
    }
    return true;
}

static bool remove_unreached(struct reach *r)
{
    struct ir_module *module = r->module;
    size_t kept = 0, count = module->global_count;

    for (size_t i = 0; i < count; i++) {
        struct ir_global *global = module->globals[i];

        if (map_has(&r->reached, global) || !is_private(global))
            module->globals[kept++] = global;
        else
            map_set(&module->by_name, global->name, NULL);
    }
    module->global_count = kept;
    return kept < count;
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
        if (!is_private(global) && global->kind != IR_GLOBAL_EXTERN)
            reach(&r, global);
    }
    reach_attr(&r, run->module->attrs);
    if (is_fine && r.work.count > 0) {
        reach_all(&r);
        is_changed |= remove_unreached(&r);
    }
    array_finish(&r.work);
    map_finish(&r.reached);
    if (!is_fine)
        return PASS_FAILED;
    return is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}
