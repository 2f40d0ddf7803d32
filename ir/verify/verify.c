/*
 * The verifier of modules and graph functions.
 *
 * It goes on after a violation, so that one run shows all of them.  What a script can cause has a code
 * of its own; what only a pass can cause is reported as a bug (E0501).  The walk keeps which regions it
 * is in: a value or symbol is visible exactly where the region that defined it is open and the
 * definition was met, which is one look into a table for each use.
 */
#include "ir/verify.h"

#include "ir/build.h"
#include "ir/verify/internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void verify_init(struct verify *v, struct ir_module *module, struct diag *diag)
{
    *v = (struct verify){
        .module = module, .context = module->context, .diag = diag, .is_fine = true};
}

bool verify_finish(struct verify *v)
{
    arena_finish(&v->arena);
    map_finish(&v->use_counts);
    map_finish(&v->value_regions);
    map_finish(&v->symbol_regions);
    map_finish(&v->active_regions);
    map_finish(&v->symbol_functions);
    map_finish(&v->unsupported);
    map_finish(&v->reported);
    map_finish(&v->wrong);
    return v->is_fine;
}

void verify_broken(struct verify *v, struct location loc, const char *format, ...)
{
    char what[256];
    va_list args;

    va_start(args, format);
    vsnprintf(what, sizeof(what), format, args);
    va_end(args);
    diag_report(v->diag, loc, GRAPH_BROKEN, v->function ? v->function->name : v->module->name,
                what);
    v->is_fine = false;
}

static bool is_true(const struct ir_attr *attr)
{
    if (!attr)
        return false;
    return (attr->kind == IR_ATTR_BOOL && attr->boolean) ||
           (attr->kind == IR_ATTR_INT && attr->integer != 0) ||
           (attr->kind == IR_ATTR_EXPR && attr->expr->kind == IR_EXPR_int &&
            attr->expr->int_value != 0);
}

bool verify_is_forced_pure(const struct ir_function *function)
{
    return is_true(ir_attr_dict_get(function->attrs, "relax.force_pure"));
}

/* The symbol, if it is given, is the name. */
static void check_symbol_name(struct verify *v, struct ir_function *function)
{
    const struct ir_attr *symbol = ir_attr_dict_get(function->attrs, "global_symbol");

    /* A file of one bare function has no module whose name it could contradict. */
    if (function->is_private || v->module->is_bare_function || !symbol ||
        symbol->kind != IR_ATTR_STRING || strcmp(symbol->string, function->name) == 0)
        return;
    struct diag_message *m =
        diag_report(v->diag, function->loc, GRAPH_SYMBOL_NAME, function->name, symbol->string);
    diag_help(m, "leave `global_symbol` out: it is the name of the function");
    v->is_fine = false;
}

static void check_function(struct verify *v, struct ir_function *function)
{
    v->function = function;
    check_symbol_name(v, function);
    if (!function->is_pure && verify_is_forced_pure(function)) {
        struct diag_message *m =
            diag_report(v->diag, function->loc, GRAPH_FORCE_PURE, function->name);
        diag_help(m, "leave out either `pure=False` or `relax.force_pure`");
        v->is_fine = false;
    }
    verify_function_body(v, function);
    v->function = NULL;
}

bool ir_verify_function(struct ir_function *function, struct diag *diag)
{
    struct verify v;

    verify_init(&v, function->module, diag);
    check_function(&v, function);
    return verify_finish(&v);
}

static void check_global(struct verify *v, struct ir_global *global)
{
    if (ir_module_find(v->module, global->name) != global)
        verify_broken(v, global->loc, "global `%s` is not found by its name", global->name);
    switch (global->kind) {
    case IR_GLOBAL_DECLARED:
        diag_report(v->diag, global->loc, GRAPH_NO_FUNCTION, global->name);
        v->is_fine = false;
        return;
    case IR_GLOBAL_FUNCTION:
        if (!global->function || global->function->name != global->name ||
            global->function->module != v->module)
            verify_broken(v, global->loc, "global `%s` has another function", global->name);
        else if (!global->type || global->type->kind != IR_TYPE_FUNC)
            verify_broken(v, global->loc, "global `%s` has no function type", global->name);
        else
            check_function(v, global->function);
        return;
    case IR_GLOBAL_KERNEL:
        if (!global->kernel || global->kernel->name != global->name) {
            verify_broken(v, global->loc, "global `%s` has another kernel", global->name);
            return;
        }
        if (!tir_verify(global->kernel, v->diag))
            v->is_fine = false;
        return;
    case IR_GLOBAL_EXTERN:
        return;
    }
}

bool ir_verify(struct ir_module *module, struct diag *diag)
{
    struct verify v;

    verify_init(&v, module, diag);
    verify_contracts(&v);
    for (size_t i = 0; i < module->global_count; i++)
        check_global(&v, module->globals[i]);
    return verify_finish(&v);
}
