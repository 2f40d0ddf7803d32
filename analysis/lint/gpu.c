/* What a kernel that is called has of GPUs (E0680), as code generation refuses it: the first of it. */
#include "analysis/lint/lint.h"
#include "base/map.h"
#include "ir/intrinsics.h"
#include "ir/tir.h"

#include <string.h>

struct check {
    struct ir_context *context;
    struct location loc; /* of the statement */
    struct location place;
    const char *what; /* the first; NULL: there is none */
};

static bool is_here(const char *scope)
{
    return !scope || !*scope || strcmp(scope, "global") == 0 || strcmp(scope, "local") == 0;
}

static void note(struct check *check, struct location place, const char *what)
{
    check->place = place.source ? place : check->loc;
    check->what = what;
}

static void check_storage(struct check *check, const struct ir_buffer *buffer)
{
    if (!check->what && !is_here(buffer->scope))
        note(check, buffer->loc,
             arena_printf(&check->context->arena, "storage in scope \"%s\"", buffer->scope));
}

static bool check_expr(void *state, const struct ir_expr *e)
{
    struct check *check = state;

    if (e->kind == IR_EXPR_call && e->name && ir_intrinsic_is_for_gpu(e->name))
        note(check, e->loc, arena_printf(&check->context->arena, "`T.%s`", e->name));
    return !check->what;
}

static bool check_root(void *state, const struct ir_expr *e)
{
    return ir_expr_walk(e, check_expr, state);
}

static bool check_stmt(void *state, struct tir_stmt *stmt)
{
    struct check *check = state;
    const char *key = stmt->kind == TIR_ATTR ? stmt->attr.key : "";

    check->loc = stmt->loc;
    if (stmt->kind == TIR_FOR && stmt->loop.kind == TIR_THREAD_BINDING)
        note(check, stmt->loc, "`T.thread_binding`");
    else if (stmt->kind == TIR_LAUNCH_THREAD)
        note(check, stmt->loc, "`T.launch_thread`");
    else if (strcmp(key, "thread_extent") == 0 || strcmp(key, "virtual_thread") == 0)
        note(check, stmt->loc, arena_printf(&check->context->arena, "attribute \"%s\"", key));
    else if (stmt->kind == TIR_ALLOC)
        check_storage(check, stmt->alloc.buffer);
    for (unsigned i = 0; stmt->kind == TIR_BLOCK && i < stmt->block.alloc_count; i++)
        check_storage(check, stmt->block.allocs[i]);
    return !check->what && tir_stmt_walk_exprs(stmt, check_root, check);
}

static bool note_kernel(void *state, struct ir_op *op)
{
    const struct ir_global *callee = ir_op_callee(op);

    if (callee && callee->kind == IR_GLOBAL_KERNEL)
        map_set(state, callee->kernel, callee);
    return true;
}

void lint_check_gpu(struct ir_module *module, struct diag *diag)
{
    struct map called = {0};

    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            ir_region_walk(module->globals[i]->function->body, note_kernel, &called);
    for (size_t i = 0; i < module->global_count; i++) {
        const struct ir_global *global = module->globals[i];
        struct check check = {.context = module->context};
        if (global->kind != IR_GLOBAL_KERNEL || !map_has(&called, global->kernel))
            continue;
        check.loc = global->kernel->loc;
        for (unsigned k = 0; k < global->kernel->param_count; k++)
            if (global->kernel->params[k].buffer)
                check_storage(&check, global->kernel->params[k].buffer);
        tir_stmt_walk(global->kernel->body, check_stmt, &check);
        if (check.what)
            diag_report(diag, check.place, CODEGEN_GPU, check.what);
    }
    map_finish(&called);
}
