/* All rules, over a module. */
#include "analysis/lint/lint.h"

#include "analysis/promises.h"
#include "analysis/unwritten.h"
#include "base/map.h"

struct walk {
    ir_expr_visit_fn *visit;
    void *state;
    struct location *loc;
};

static bool walk_root(void *state, const struct ir_expr *e)
{
    const struct walk *walk = state;

    return ir_expr_walk(e, walk->visit, walk->state);
}

static bool walk_stmt(void *state, struct tir_stmt *stmt)
{
    const struct walk *walk = state;

    *walk->loc = stmt->loc;
    return tir_stmt_walk_exprs(stmt, walk_root, state);
}

void lint_walk_exprs(const struct tir_func *kernel, ir_expr_visit_fn *visit, void *state,
                     struct location *loc)
{
    tir_stmt_walk(kernel->body, walk_stmt, &(struct walk){visit, state, loc});
}

void lint_check(struct ir_module *module, struct diag *diag)
{
    struct map told = {0};

    for (size_t i = 0; i < module->global_count; i++) {
        struct ir_global *global = module->globals[i];
        bool is_kernel = global->kind == IR_GLOBAL_KERNEL;
        bool is_wrong = is_kernel && lint_check_indices(global->kernel, diag);
        if (is_kernel && !is_wrong)
            is_wrong = lint_check_stores(global->kernel, diag);
        if (is_wrong || (is_kernel && global->kernel->is_hidden))
            map_set(&told, global->kernel, global);
    }
    unwritten_check(module, &told, diag);
    promises_check(module, &told, diag);
    lint_check_module_attributes(module, diag);
    for (size_t i = 0; i < module->global_count; i++) {
        struct ir_global *global = module->globals[i];

        if (global->kind == IR_GLOBAL_KERNEL) {
            /* an index that is wrong makes other dependences and regions, too */
            bool is_told = map_has(&told, global->kernel);
            if (!is_told)
                lint_check_loops(global->kernel, diag);
            lint_check_scalars(global->kernel, diag);
            if (!is_told)
                lint_check_blocks(global->kernel, diag);
            lint_check_amounts(global->kernel, diag);
            lint_check_intrinsics(global->kernel, diag);
            lint_check_narrow(global->kernel, diag);
            lint_check_symbols(global->kernel, diag);
        }
        if (global->kind != IR_GLOBAL_FUNCTION)
            continue;
        lint_check_values(global->function, diag);
        lint_check_crossed(global->function, diag);
        lint_check_unread(global->function, diag);
        lint_check_branches(global->function, diag);
        lint_check_attributes(global->function, diag);
        lint_check_bounds(global->function, diag);
        lint_check_operands(global->function, diag);
        lint_check_turns(global->function, diag);
    }
    map_finish(&told);
}
