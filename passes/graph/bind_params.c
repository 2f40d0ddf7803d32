/*
 * BindParams: parameters of a function become constants, by name, from a file.
 *
 *     BindParams(file="weights.npz")            # an array w of shape (16, 4)
 *     def main(x: R.Tensor((n, 16)), w: R.Tensor((16, "m"))): y = R.matmul(x, w)
 *  => def main(x: R.Tensor((n, 16))): y = R.matmul(x, metadata["relax.expr.Constant"][0])
 *
 * Every tensor of the file must be a parameter, by its name or by what that is as one word (`fc.0.weight` is
 * fc_0_weight), with its dtype, rank and fixed dimensions.  Symbols that
 * stand alone in its type get the constant's extents, everywhere in the function.  The function loses the
 * parameters, so nothing in the module may call it.
 */
#include "base/array.h"
#include "ir/build.h"
#include "ir/capacity.h"
#include "ir/edit/rewrite.h"
#include "passes/graph/reach.h"
#include "passes/graph/specialize.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct binding {
    const char *name;
    struct ir_constant *constant;
    unsigned param;
};

struct bind_params {
    struct pass_run *run;
    struct ir_function *function;
    const char *file;
    array(struct binding) bindings;
    struct ir_bindings symbols;
};

/* ---- what is bound ---- */

static bool report_no_parameter(struct bind_params *b, const char *name)
{
    struct diag_message *m = diag_report(b->run->diag, b->function->loc, PASS_NO_PARAMETER,
                                         b->function->name, name, b->file);
    struct text names = {0};

    for (unsigned i = 0; i < b->function->param_count; i++)
        text_printf(&names, "%s`%s`", i ? ", " : "",
                    b->function->params[i]->name ? b->function->params[i]->name : "?");
    diag_note(m, "it takes %s", names.length ? text_string(&names) : "nothing");
    if (!*name)
        diag_help(m, "an .npy file has one array without a name: write an .npz");
    text_finish(&names);
    return false;
}

const char *pass_parameter_word(struct arena *arena, const char *name)
{
    bool is_number = isdigit((unsigned char)*name);
    char *word = arena_printf(arena, "%s%s", is_number ? "_" : "", name);

    for (char *p = word; *p; p++)
        if (!isalnum((unsigned char)*p))
            *p = '_';
    return word;
}

/* The parameter that is called @name, an atom; param_count: none is. */
static unsigned find_parameter(const struct bind_params *b, const char *name)
{
    unsigned i = 0;

    while (i < b->function->param_count && b->function->params[i]->name != name)
        i++;
    return i;
}

static bool find_parameters(struct bind_params *b, const struct pass_tensors *tensors)
{
    struct atoms *atoms = &b->run->module->context->atoms;
    bool is_fine = true;

    for (size_t k = 0; k < tensors->count; k++) {
        const char *name = atom_intern_text(atoms, tensors->names[k]);
        unsigned i = find_parameter(b, name);

        if (i == b->function->param_count)
            i = find_parameter(
                b, atom_intern_text(atoms, pass_parameter_word(&b->run->scratch, name)));
        if (i == b->function->param_count)
            is_fine = report_no_parameter(b, name);
        else
            array_push(&b->bindings, (struct binding){name, tensors->constants[k], i});
    }
    return is_fine;
}

static const struct ir_type *type_of(struct bind_params *b, const struct ir_constant *constant)
{
    struct ir_context *context = b->run->module->context;
    const struct ir_expr **dims =
        arena_array(&context->arena, const struct ir_expr *, constant->ndim);

    for (unsigned i = 0; i < constant->ndim; i++)
        dims[i] = ir_expr_int(context, IR_I64, constant->shape[i]);
    return ir_type_tensor(context, constant->dtype, dims, (int)constant->ndim);
}

static bool report_type(struct bind_params *b, const struct binding *binding,
                        const struct ir_type *given, const struct ir_type *wanted)
{
    struct ir_context *context = b->run->module->context;
    const struct ir_value *param = b->function->params[binding->param];
    struct diag_message *m = diag_report(b->run->diag, param->loc, PASS_PARAMETER_TYPE,
                                         binding->name, b->file, ir_type_text(context, given),
                                         binding->name, ir_type_text(context, param->type));

    if (wanted != param->type)
        diag_note(m, "with the other tensors of the file the parameter is %s",
                  ir_type_text(context, wanted));
    return false;
}

static int compare_param(const void *a, const void *b)
{
    unsigned x = ((const struct binding *)a)->param, y = ((const struct binding *)b)->param;

    return (x > y) - (x < y);
}

/* Does each parameter have one tensor at most?  Sorts them by parameters. */
static bool check_twice(struct bind_params *b)
{
    bool is_fine = true;

    if (b->bindings.count > 1)
        qsort(b->bindings.items, b->bindings.count, sizeof(struct binding), compare_param);
    for (size_t k = 1; k < b->bindings.count; k++) {
        const struct binding *one = &b->bindings.items[k - 1], *other = &b->bindings.items[k];
        const struct ir_value *param = b->function->params[other->param];

        if (one->param != other->param)
            continue;
        bool is_first = strcmp(one->name, other->name) < 0; /* (the sort may do what it likes) */
        diag_report(b->run->diag, param->loc, PASS_PARAMETER_TWICE,
                    is_first ? one->name : other->name, is_first ? other->name : one->name, b->file,
                    param->name);
        is_fine = false;
    }
    return is_fine;
}

/* Binds symbols by all tensors, then holds each against its parameter. */
static bool check_types(struct bind_params *b)
{
    struct ir_context *context = b->run->module->context;
    bool is_fine = true;

    for (size_t k = 0; k < b->bindings.count; k++)
        ir_type_match(context, b->function->params[b->bindings.items[k].param]->type,
                      type_of(b, b->bindings.items[k].constant), &b->symbols);
    for (size_t k = 0; k < b->bindings.count; k++) {
        const struct binding *binding = &b->bindings.items[k];
        const struct ir_type *given = type_of(b, binding->constant);
        const struct ir_type *wanted =
            ir_type_substitute(context, b->function->params[binding->param]->type, &b->symbols);

        if (ir_type_check(context, wanted, given) != IR_CHECK_PASS)
            is_fine = report_type(b, binding, given, wanted);
    }
    return is_fine;
}

/* A scalar parameter that a shape fixes is no free value any more, and nothing would check it. */
static bool check_scalars(struct bind_params *b)
{
    for (unsigned i = 0; i < b->function->param_count; i++) {
        const struct ir_var *var = b->function->params[i]->var;

        if (var && ir_bindings_find(&b->symbols, var)) {
            diag_report(b->run->diag, b->function->params[i]->loc, PASS_DIM_SCALAR, var->name,
                        b->function->name);
            return false;
        }
    }
    return true;
}

static bool check_callers(struct bind_params *b)
{
    struct ir_module *module = b->run->module;
    struct reach r = {.module = module};
    bool is_called;

    for (size_t i = 0; i < module->global_count; i++)
        reach_look(&r, module->globals[i]);
    is_called = map_has(&r.reached, ir_module_find(module, b->function->name));
    reach_finish(&r);
    if (is_called)
        diag_report(b->run->diag, b->function->loc, PASS_FUNCTION_CALLED, b->function->name);
    return !is_called;
}

/* ---- binding ---- */

/* A name in front of the body for a constant of which the parameter's type says less. */
static struct ir_value *name_constant(struct bind_params *b, struct ir_value *param,
                                      struct ir_value *constant)
{
    struct ir_module *module = b->run->module;
    struct ir_block *first = b->function->body->first;
    struct ir_op *bind = ir_op_new(module, ir_core_op(module->context, IR_CORE_bind), &constant, 1);

    bind->result.type = param->type;
    bind->result.name = param->name;
    bind->loc = bind->result.loc = param->loc;
    if (first->is_dataflow)
        first = ir_block_insert_before(module, first, false);
    if (first->first)
        ir_op_insert_before(first->first, bind);
    else
        ir_op_append(first, bind);
    return &bind->result;
}

static void bind_parameter(struct bind_params *b, const struct binding *binding)
{
    struct ir_value *param = b->function->params[binding->param];
    struct ir_value *constant = ir_inline_constant(b->run->module, binding->constant);

    binding->constant->name = param->name;
    if (!param->uses)
        return;
    if (constant->type != param->type) {
        ir_value_replace(param, name_constant(b, param, constant));
        return;
    }
    rewrite_uses_by_leaf(b->run->module, param, constant);
}

static bool is_bound(const struct bind_params *b, unsigned param, unsigned *out_before)
{
    *out_before = 0;
    for (size_t k = 0; k < b->bindings.count && b->bindings.items[k].param <= param; k++) {
        if (b->bindings.items[k].param == param)
            return true;
        ++*out_before;
    }
    return false;
}

/* Positions of parameters in `relax.inplace_arg`, and the count in `num_input`, without those bound. */
static void update_attrs(struct bind_params *b)
{
    struct ir_context *context = b->run->module->context;
    const struct ir_attr *attrs = b->function->attrs;
    const struct ir_attr *donated = ir_attr_dict_get(attrs, "relax.inplace_arg");
    const struct ir_attr *inputs = ir_attr_dict_get(attrs, "num_input");
    array(int64_t) positions = {0};
    unsigned before;

    for (unsigned i = 0; donated && i < b->function->param_count; i++)
        if (ir_function_donates(b->function, i) && !is_bound(b, i, &before))
            array_push(&positions, (int64_t)i - before);
    if (donated)
        b->function->attrs = ir_attr_dict_with(
            context, b->function->attrs, "relax.inplace_arg",
            donated->kind == IR_ATTR_INT && positions.count == 1
                ? ir_attr_int(context, positions.items[0])
                : ir_attr_ints(context, positions.items, (unsigned)positions.count));
    if (inputs && inputs->kind == IR_ATTR_INT && inputs->integer > 0) {
        bool is_last_bound = is_bound(b, (unsigned)inputs->integer - 1, &before);

        b->function->attrs =
            ir_attr_dict_with(context, b->function->attrs, "num_input",
                              ir_attr_int(context, inputs->integer - before - is_last_bound));
    }
    array_finish(&positions);
}

static void remove_parameters(struct bind_params *b)
{
    struct ir_function *function = b->function;
    unsigned kept = 0, before;

    for (unsigned i = 0; i < function->param_count; i++)
        if (!is_bound(b, i, &before))
            function->params[kept++] = function->params[i];
    function->param_count = kept;
}

static bool bind_all(struct bind_params *b)
{
    struct map changed = {0};

    specialize_function(b->function, &b->symbols);
    for (size_t k = 0; k < b->bindings.count; k++)
        bind_parameter(b, &b->bindings.items[k]);
    update_attrs(b);
    remove_parameters(b);
    ir_capacity_prune(b->function);
    map_set(&changed, b->function, b->function);
    bool is_fine = specialize_finish(b->run, &changed, b->file);

    map_finish(&changed);
    return is_fine;
}

static bool run_pass(struct bind_params *b, bool *out_is_changed)
{
    const struct pass_host *host = b->run->host;
    const char *name = pass_option_string(b->run, "function");
    const struct ir_global *global = ir_module_find(b->run->module, name);
    struct pass_tensors tensors;

    if (!global || global->kind != IR_GLOBAL_FUNCTION) {
        diag_report(b->run->diag, (struct location){0}, PASS_NO_FUNCTION, b->run->pass->name, name);
        return false;
    }
    b->function = global->function;
    b->file = pass_option_string(b->run, "file");
    if (!host || !host->load_tensors) {
        diag_report(b->run->diag, (struct location){0}, PASS_FILE, b->file,
                    "there is nothing here that reads files");
        return false;
    }
    if (!host->load_tensors(host->state, b->run->module, &b->run->scratch, b->file, &tensors) ||
        !find_parameters(b, &tensors) || !check_twice(b) || !check_types(b) || !check_scalars(b))
        return false;
    *out_is_changed = b->bindings.count > 0;
    return !*out_is_changed || (check_callers(b) && bind_all(b));
}

enum pass_result pass_bind_params(struct pass_run *run)
{
    struct bind_params b = {.run = run};
    bool is_changed = false;
    bool is_fine = run_pass(&b, &is_changed);

    array_finish(&b.bindings);
    array_finish(&b.symbols);
    if (!is_fine)
        return PASS_FAILED;
    return is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}
