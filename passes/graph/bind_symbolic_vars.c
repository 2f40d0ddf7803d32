/*
 * BindSymbolicVars: symbols of parameters become numbers, those of the option or else of --dim.
 *
 *     BindSymbolicVars(dims="n=4")
 *     def main(x: R.Tensor(("n", 2))): y = R.zeros(R.shape([n * 2]))
 *  => def main(x: R.Tensor((4, 2))): y = R.zeros(R.shape([8]))
 *
 * By name: in the function `function`, or in each that has a symbol of the name.  The numbers stand in
 * types, shapes and scalar arguments of kernels, nested functions included.  A caller that gives a
 * shape of symbols to such a function has it checked when it runs.  Scalar parameters are values of
 * their own: nothing would check that they are the number, so they cannot be bound.
 */
#include "base/array.h"
#include "passes/graph/specialize.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* One name=number. */
struct dim {
    const char *name; /* atom */
    int64_t value;
    bool is_used;
};

struct binder {
    struct pass_run *run;
    const char *text;
    array(struct dim) dims;
    struct map changed; /* struct ir_function */
};

/* ---- the option ---- */

static bool fail_at(struct binder *b, const char *item, const char *why)
{
    struct diag_message *m = diag_report(b->run->diag, (struct location){0}, PASS_DIMS, item, why);

    diag_help(m, "write `dims=\"n=4,m=8\"`, or `--dim n=4 --dim m=8` on the command line");
    return false;
}

static bool add_dim(struct binder *b, const char *item)
{
    struct atoms *atoms = &b->run->module->context->atoms;
    const char *sign = strchr(item, '=');
    char *end;

    if (!sign || sign == item)
        return fail_at(b, item, "a name, `=` and a number are wanted");
    errno = 0;
    struct dim dim = {.name = atom_intern(atoms, item, (size_t)(sign - item)),
                      .value = strtoll(sign + 1, &end, 10)};

    if (end == sign + 1 || *end)
        return fail_at(b, item, "what stands behind `=` is no number");
    if (errno || dim.value < 0)
        return fail_at(b, item, "a dimension is 0 or more and fits into 64 bits");
    for (size_t i = 0; i < b->dims.count; i++)
        if (b->dims.items[i].name == dim.name && b->dims.items[i].value != dim.value)
            return fail_at(b, item, "the name was given another value before");
    array_push(&b->dims, dim);
    return true;
}

static bool read_dims(struct binder *b)
{
    const char *p = b->text;

    while (*p) {
        p += strspn(p, " ");
        size_t length = strcspn(p, ",");
        size_t trimmed = length;

        while (trimmed > 0 && p[trimmed - 1] == ' ')
            trimmed--;
        if (!add_dim(b, arena_copy_text(&b->run->scratch, p, trimmed)))
            return false;
        p += length + (p[length] == ',');
    }
    return b->dims.count > 0 || fail_at(b, "", "no symbol is named");
}

/* ---- functions ---- */

static struct dim *find_dim(struct binder *b, const char *name)
{
    for (size_t i = 0; i < b->dims.count; i++)
        if (b->dims.items[i].name == name)
            return &b->dims.items[i];
    return NULL;
}

static bool is_scalar_parameter(const struct ir_function *function, const struct ir_var *var)
{
    for (unsigned i = 0; i < function->param_count; i++)
        if (function->params[i]->var == var)
            return true;
    return false;
}

static bool bind_function(struct binder *b, struct ir_function *function)
{
    struct ir_context *context = b->run->module->context;
    struct specialize_symbols symbols = {0};
    struct ir_bindings bindings = {0};
    bool is_fine = true;

    specialize_find_symbols(function, &symbols);
    for (size_t i = 0; i < symbols.count; i++) {
        const struct ir_var *var = symbols.items[i];
        struct dim *dim = find_dim(b, var->name);

        if (!dim)
            continue;
        dim->is_used = true;
        if (is_scalar_parameter(function, var)) {
            struct diag_message *m = diag_report(b->run->diag, function->loc, PASS_DIM_SCALAR,
                                                 var->name, function->name);

            diag_help(m, "give the value when the function is called");
            is_fine = false;
        }
        array_push(&bindings,
                   (struct ir_binding){var, ir_expr_int(context, var->dtype, dim->value)});
    }
    if (is_fine && bindings.count > 0) {
        specialize_function(function, &bindings);
        map_set(&b->changed, function, function);
    }
    array_finish(&symbols);
    array_finish(&bindings);
    return is_fine;
}

static bool bind_functions(struct binder *b, const char *name)
{
    struct ir_module *module = b->run->module;
    bool is_fine = true;

    if (*name) {
        const struct ir_global *global = ir_module_find(module, name);

        if (global && global->kind == IR_GLOBAL_FUNCTION)
            return bind_function(b, global->function);
        diag_report(b->run->diag, (struct location){0}, PASS_NO_FUNCTION, b->run->pass->name, name);
        return false;
    }
    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            is_fine &= bind_function(b, module->globals[i]->function);
    return is_fine;
}

static bool check_used(struct binder *b, const char *name)
{
    bool is_fine = true;

    for (size_t i = 0; i < b->dims.count; i++) {
        if (b->dims.items[i].is_used)
            continue;
        diag_report(b->run->diag, (struct location){0}, PASS_NO_DIM,
                    *name ? arena_printf(&b->run->scratch, "`%s`", name) : "the module",
                    b->dims.items[i].name);
        is_fine = false;
    }
    return is_fine;
}

enum pass_result pass_bind_symbolic_vars(struct pass_run *run)
{
    const char *name = pass_option_string(run, "function");
    const char *given = pass_option_string(run, "dims");
    struct binder b = {.run = run, .text = *given || !run->host ? given : run->host->dims};
    bool is_fine = read_dims(&b) && bind_functions(&b, name) && check_used(&b, name);
    bool is_changed = b.changed.count > 0;

    if (is_fine && is_changed)
        is_fine = specialize_finish(run, &b.changed, b.text);
    array_finish(&b.dims);
    map_finish(&b.changed);
    if (!is_fine)
        return PASS_FAILED;
    return is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}
