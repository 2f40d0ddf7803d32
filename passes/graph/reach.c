#include "passes/graph/reach.h"

#include <string.h>

void reach_add(struct reach *r, struct ir_global *global)
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
        reach_add(r, attr->global);
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
        reach_add(r, ir_module_find(r->module, e->name + 4));
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

void reach_look(struct reach *r, const struct ir_global *global)
{
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

static void reach_all(struct reach *r)
{
    while (r->work.count > 0)
        reach_look(r, array_pop(&r->work));
}

void reach_finish(struct reach *r)
{
    array_finish(&r->work);
    map_finish(&r->reached);
}

bool reach_is_private(const struct ir_global *global)
{
    return (global->kind == IR_GLOBAL_FUNCTION && global->function->is_private) ||
           (global->kind == IR_GLOBAL_KERNEL && global->kernel->is_private);
}

bool reach_remove_others(struct reach *r, const struct map *candidates)
{
    struct ir_module *module = r->module;
    size_t kept = 0, count = module->global_count;

    reach_attr(r, module->attrs);
    reach_all(r);
    for (size_t i = 0; i < count; i++) {
        struct ir_global *global = module->globals[i];

        if (map_has(&r->reached, global) || !reach_is_private(global) ||
            (candidates && !map_has(candidates, global)))
            module->globals[kept++] = global;
        else
            map_set(&module->by_name, global->name, NULL);
    }
    module->global_count = kept;
    return kept < count;
}
