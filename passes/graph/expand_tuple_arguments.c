/*
 * ExpandTupleArguments: parameters of private functions that are tuples become one parameter for each
 * field, nested ones too.
 *
 *     def f(t): a = t[0]; ..          f((x, y))
 *  =>
 *     def f(t_0, t_1): a = t_0; ..    f(x, y)
 *
 * So other passes see each tensor by itself: unused ones can be removed, donated ones named.  Where the
 * function uses the tuple as a whole it is put together again.  Functions that are used as values are left
 * alone, and so are tuples with scalars among their fields, which only parameters can name in shapes.
 */
#include "ir/build.h"
#include "ir/edit/callees.h"
#include "ir/edit/rewrite.h"
#include "passes/pass.h"

static bool can_expand(const struct ir_type *type)
{
    if (type->kind == IR_TYPE_PRIM)
        return false;
    for (unsigned i = 0; type->kind == IR_TYPE_TUPLE && i < type->field_count; i++)
        if (!can_expand(type->fields[i]))
            return false;
    return true;
}

static bool is_tuple(const struct ir_value *param)
{
    return param->type->kind == IR_TYPE_TUPLE && can_expand(param->type);
}

/* ---- the function ---- */

struct expand {
    struct pass_run *run;
    struct ir_function *function;
    struct ir_builder builder;    /* at the start of the function */
    array(struct ir_op *) tuples; /* that were put there, inner ones first */
};

/* Parameters for the leaves of @type; what stands for the whole. */
static struct ir_value *expand_param(struct expand *expand, const struct ir_value *param,
                                     const struct ir_type *type, const char *name)
{
    struct ir_module *module = expand->run->module;
    unsigned count = type->field_count;

    if (type->kind != IR_TYPE_TUPLE) {
        struct ir_value *leaf = ir_function_add_param(expand->function, name, type);

        leaf->loc = param->loc;
        leaf->is_annotated = true;
        return leaf;
    }
    struct ir_value **fields = arena_array(&expand->run->scratch, struct ir_value *, count + 1);
    for (unsigned i = 0; i < count; i++)
        fields[i] = expand_param(expand, param, type->fields[i],
                                 arena_printf(&expand->run->scratch, "%s_%u", name, i));
    struct ir_op *tuple =
        ir_build(&expand->builder, ir_core_op(module->context, IR_CORE_tuple), fields, count, NULL);
    array_push(&expand->tuples, tuple);
    return &tuple->result;
}

/* Fields that are taken of @tuple become what it was made of. */
static void fold_gets(struct ir_module *module, struct ir_op *tuple)
{
    array(struct ir_op *) gets = {0};

    ir_for_each_use (use, &tuple->result)
        if (ir_op_is(use->user, IR_CORE_tuple_get))
            array_push(&gets, use->user);
    for (size_t i = 0; i < gets.count; i++) {
        struct ir_op *get = gets.items[i];
        struct ir_value *field = tuple->operands[ir_op_attr(get, "index")->integer].value;

        if (get->result.type == field->type)
            rewrite_replace(module, get, field);
    }
    array_finish(&gets);
}

/* A value at the start of the function is used in other blocks: lists it there if need be. */
static void show(struct ir_module *module, struct ir_op *tuple)
{
    ir_for_each_use (use, &tuple->result) {
        const struct ir_op *root = ir_use_root(use);

        if (root && root->block != tuple->block) {
            rewrite_make_visible(module, &tuple->result);
            return;
        }
    }
}

static void expand_function(struct pass_run *run, struct ir_global *global)
{
    struct ir_function *function = global->function;
    struct ir_block *first = function->body->first;
    struct expand expand = {.run = run, .function = function};
    struct ir_value **params = function->params;
    unsigned count = function->param_count;
    int *places = arena_array(&run->scratch, int, count + 1);

    expand.builder = (struct ir_builder){.module = run->module,
                                         .diag = run->diag,
                                         .block = first,
                                         .before = first->first,
                                         .loc = function->loc};
    function->params = NULL;
    function->param_count = 0;
    for (unsigned i = 0; i < count; i++) {
        places[i] = (int)function->param_count;
        if (!is_tuple(params[i])) {
            ir_function_append_param(function, params[i]);
            continue;
        }
        ir_value_replace(params[i],
                         expand_param(&expand, params[i], params[i]->type, params[i]->name));
    }
    places[count] = (int)function->param_count;
    callee_update_attrs(function, places, count);
    callee_update_type(global);
    while (expand.tuples.count > 0) { /* outer ones first: their fields are tuples that fold next */
        struct ir_op *tuple = array_pop(&expand.tuples);

        fold_gets(run->module, tuple);
        if (!tuple->result.uses)
            ir_op_erase(tuple);
        else
            show(run->module, tuple);
    }
    array_finish(&expand.tuples);
}

/* ---- the calls ---- */

struct arguments {
    struct ir_builder builder;
    array(struct ir_value *) items;
};

static bool expand_argument(struct arguments *arguments, struct ir_value *value,
                            const struct ir_type *type)
{
    struct ir_builder *b = &arguments->builder;

    if (type->kind != IR_TYPE_TUPLE) {
        if (value->def && value->def->block && value->def->block != b->block)
            rewrite_make_visible(b->module, value);
        array_push(&arguments->items, ir_value_is_inline(value) && value->uses
                                          ? ir_inline_copy(b->module, value)
                                          : value);
        return true;
    }
    for (unsigned i = 0; i < type->field_count; i++) {
        bool is_visible = value->def && ir_op_is(value->def, IR_CORE_tuple);
        struct ir_value *field =
            is_visible ? value->def->operands[i].value : ir_build_tuple_get(b, value, i);

        if (!field || !expand_argument(arguments, field, type->fields[i]))
            return false;
    }
    return true;
}

static bool expand_call(struct pass_run *run, struct ir_op *call, struct ir_value **params)
{
    struct arguments arguments = {.builder = {.module = run->module,
                                              .diag = run->diag,
                                              .block = call->block,
                                              .before = call,
                                              .loc = call->loc}};
    bool is_fine = true;

    for (unsigned i = 0; is_fine && i < call->operand_count; i++) {
        const struct ir_type *type = params[i]->type;

        if (is_tuple(params[i]))
            is_fine = expand_argument(&arguments, call->operands[i].value, type);
        else
            array_push(&arguments.items, ir_inline_copy(run->module, call->operands[i].value));
    }
    while (call->operand_count > 0)
        ir_op_remove_operand(call, call->operand_count - 1);
    for (size_t i = 0; i < arguments.items.count; i++)
        ir_op_add_operand(run->module, call, arguments.items.items[i]);
    array_finish(&arguments.items);
    return is_fine;
}

enum pass_result pass_expand_tuple_arguments(struct pass_run *run)
{
    struct callees callees = {0};
    bool is_changed = false, is_fine = true;

    callees_find(run->module, false, &callees);
    for (size_t i = 0; i < callees.count; i++) {
        struct callee *callee = &callees.items[i];
        struct ir_function *function = callee->global->function;
        struct ir_value **params = function->params;
        bool has_tuple = false;

        for (unsigned k = 0; k < function->param_count; k++)
            has_tuple |= is_tuple(params[k]);
        if (!has_tuple || callee->is_value)
            continue;
        is_changed = true;
        for (size_t k = 0; is_fine && k < callee->calls.count; k++)
            is_fine = expand_call(run, callee->calls.items[k], params);
        if (!is_fine)
            break;
        expand_function(run, callee->global);
        for (size_t k = 0; is_fine && k < callee->calls.count; k++)
            is_fine = callee_update_call(run->module, run->diag, callee->calls.items[k]);
    }
    callees_finish(&callees);
    if (!is_fine)
        return PASS_FAILED;
    return is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}
