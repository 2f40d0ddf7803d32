/*
 * RemoveUnusedParameters: private functions lose the parameters that they do not read, and their calls
 * the arguments.
 *
 *     def f(a, b: R.Tensor((n,))): return R.zeros((n,))    f(x, y)
 *  =>
 *     def f(param_n: R.Shape([n])): return R.zeros((n,))   f(R.shape([n]))
 *
 * A parameter that is only handed on to itself in a recursive call is not read either.  A symbol that only
 * removed tensors define is given as a shape, where every call knows its value; where one does not, the
 * tensor stays, and so do shapes and scalars that define a symbol which is needed.  Functions that are used
 * as values are left alone, since not all of their calls are known.
 */
#include "analysis/storage/storage.h"
#include "ir/build.h"
#include "ir/edit/callees.h"
#include "passes/graph/symbols.h"
#include "passes/pass.h"

#include <string.h>

/* One function in work. */
struct work {
    struct pass_run *run;
    struct callee *callee;
    struct ir_function *function;
    bool *is_kept;           /* by parameter */
    struct symbol_uses uses; /* in the function, but for types of parameters that go */
    array(const struct ir_var *) promoted;
};

/* ---- what is read ---- */

/* Is parameter @i read other than to hand it on to itself? */
static bool is_read(const struct work *work, unsigned i)
{
    const struct ir_value *param = work->function->params[i];

    ir_for_each_use (use, param) {
        const struct ir_op *user = use->user;

        if (!ir_op_is(user, IR_CORE_call) || ir_op_callee(user) != work->callee->global ||
            use != &user->operands[i])
            return true;
    }
    return map_has(&work->uses.shape_vars, param);
}

/* ---- symbols ---- */

static bool defines(const struct ir_value *param, const struct ir_var *var)
{
    return param->var == var || symbol_is_defined_by(param->type, var);
}

/* What @call gives for the symbol that its parameters define; NULL: it is not known. */
static const struct ir_expr *given(const struct work *work, const struct ir_op *call,
                                   const struct ir_var *var)
{
    struct ir_context *context = work->run->module->context;
    const struct ir_expr *found = NULL;

    for (unsigned i = 0; i < work->function->param_count && !found; i++) {
        const struct ir_value *param = work->function->params[i], *arg = call->operands[i].value;
        struct ir_bindings bindings = {0};

        if (param->var == var && arg->var) {
            found = ir_expr_var(context, arg->var);
        } else if (param->var == var && arg->def && ir_op_is(arg->def, IR_CORE_prim)) {
            found = ir_op_attr(arg->def, "value")->expr;
        } else {
            ir_type_match(context, param->type, arg->type, &bindings);
            found = ir_bindings_find(&bindings, var);
        }
        array_finish(&bindings);
    }
    return found;
}

static bool is_given_everywhere(const struct work *work, const struct ir_var *var)
{
    for (size_t i = 0; i < work->callee->calls.count; i++)
        if (!given(work, work->callee->calls.items[i], var))
            return false;
    return ir_dtype_equal(var->dtype, IR_I64);
}

static bool is_defined(const struct work *work, const struct ir_var *var)
{
    for (unsigned i = 0; i < work->function->param_count; i++)
        if (work->is_kept[i] && defines(work->function->params[i], var))
            return true;
    for (size_t i = 0; i < work->promoted.count; i++)
        if (work->promoted.items[i] == var)
            return true;
    return false;
}

/* Sees to it that @var, which a parameter that goes defines, is still defined if it is needed. */
static void keep_symbol(struct work *work, unsigned param, const struct ir_var *var)
{
    if (!map_has(&work->uses.symbols, var) || is_defined(work, var))
        return;
    bool is_tensor = storage_is_in(work->function->params[param]->type);

    if (is_tensor && is_given_everywhere(work, var))
        array_push(&work->promoted, var);
    else
        work->is_kept[param] = true;
}

struct definitions {
    struct work *work;
    unsigned param;
};

static void keep_defined(void *state, const struct ir_var *var)
{
    const struct definitions *definitions = state;

    keep_symbol(definitions->work, definitions->param, var);
}

/* Keeps what symbols need; true if a parameter stays that was to go. */
static bool keep_definitions(struct work *work)
{
    struct ir_function *function = work->function;
    bool is_changed = false;

    for (unsigned i = 0; i < function->param_count; i++) {
        if (work->is_kept[i])
            continue;
        struct definitions definitions = {work, i};
        symbol_walk_defined(function->params[i]->type, keep_defined, &definitions);
        if (function->params[i]->var)
            keep_symbol(work, i, function->params[i]->var);
        if (!work->is_kept[i])
            continue;
        symbol_uses_add_type(&work->uses,
                             function->params[i]->type); /* its other dims need symbols, too */
        is_changed = true;
    }
    return is_changed;
}

/* Decides what goes; false if nothing does. */
static bool decide(struct work *work)
{
    struct ir_function *function = work->function;
    bool is_any = false;

    symbol_uses_add_function(&work->uses, function);
    for (unsigned i = 0; i < function->param_count; i++)
        if (function->params[i]->type->shape_var)
            map_set(&work->uses.shape_vars, function->params[i]->type->shape_var, function);
    for (unsigned i = 0; i < function->param_count; i++) {
        work->is_kept[i] = is_read(work, i);
        if (work->is_kept[i])
            symbol_uses_add_type(&work->uses, function->params[i]->type);
    }
    while (keep_definitions(work))
        continue;
    for (unsigned i = 0; i < function->param_count; i++)
        is_any |= !work->is_kept[i];
    return is_any;
}

/* ---- the change ---- */

static bool change_call(struct work *work, struct ir_op *call)
{
    struct ir_module *module = work->run->module;
    size_t count = work->promoted.count;
    const struct ir_expr **values =
        arena_array(&work->run->scratch, const struct ir_expr *, count + 1);

    for (size_t i = 0; i < count; i++)
        values[i] = given(work, call, work->promoted.items[i]);
    for (unsigned i = work->function->param_count; i-- > 0;)
        if (!work->is_kept[i])
            ir_op_remove_operand(call, i);
    for (size_t i = 0; i < count; i++)
        ir_op_add_operand(module, call, ir_inline_shape(module, &values[i], 1));
    return true;
}

static void change_function(struct work *work)
{
    struct ir_function *function = work->function;
    struct ir_context *context = work->run->module->context;
    unsigned count = function->param_count, kept = 0;
    int *places = arena_array(&work->run->scratch, int, count + 1);

    for (unsigned i = 0; i < count; i++) {
        places[i] = work->is_kept[i] ? (int)kept : -1;
        if (work->is_kept[i])
            function->params[kept++] = function->params[i];
    }
    function->param_count = kept;
    places[count] = (int)kept;
    callee_update_attrs(function, places, count);
    for (size_t i = 0; i < work->promoted.count; i++) {
        const struct ir_var *var = work->promoted.items[i];
        const struct ir_expr *dim = ir_expr_var(context, var);

        ir_function_add_param(function, arena_printf(&work->run->scratch, "param_%s", var->name),
                              ir_type_shape(context, &dim, 1));
    }
    callee_update_type(work->callee->global);
}

static bool change(struct work *work)
{
    bool is_fine = true;

    for (size_t i = 0; i < work->callee->calls.count; i++)
        change_call(work, work->callee->calls.items[i]);
    change_function(work);
    for (size_t i = 0; i < work->callee->calls.count; i++)
        is_fine &=
            callee_update_call(work->run->module, work->run->diag, work->callee->calls.items[i]);
    return is_fine;
}

enum pass_result pass_remove_unused_parameters(struct pass_run *run)
{
    struct callees callees = {0};
    bool is_changed = false, is_fine = true;

    callees_find(run->module, false, &callees);
    for (size_t i = 0; i < callees.count; i++) {
        struct callee *callee = &callees.items[i];
        struct work work = {.run = run, .callee = callee, .function = callee->global->function};

        if (callee->is_value)
            continue;
        work.is_kept = arena_array(&run->scratch, bool, work.function->param_count);
        if (decide(&work)) {
            is_fine &= change(&work);
            is_changed = true;
        }
        symbol_uses_finish(&work.uses);
        array_finish(&work.promoted);
    }
    callees_finish(&callees);
    if (!is_fine)
        return PASS_FAILED;
    return is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}
