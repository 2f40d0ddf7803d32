/*
 * LiftTransformParams: what a function computes of its weights alone moves into a function of its own, to
 * be run once.
 *
 *     def main(x, w): func_attr num_input=1; t = permute_dims(w); return matmul(x, t)
 *  =>
 *     def main_transform_params(params: Tuple(w)): return (permute_dims(params[0]),)
 *     def main(x, t): return matmul(x, t)
 *
 * The parameters behind the first `num_input` ones are weights.  Behind its inputs the function takes what
 * the other one returns, in that order: a shape with the symbols that nothing else defines, if there are
 * such; the weights that it still reads; the values that were lifted.
 *
 * Ops of branches stay: they may fail where nobody asked for them.  So do ops on what is updated in place or
 * written, and all that R.builtin.stop_lift_params says.  Left alone are functions that the module calls
 * (their calls give weights), and those with scalars among the weights or types that name a weight.
 */
#include "analysis/storage/storage.h"
#include "ir/edit/callees.h"
#include "ir/edit/make.h"
#include "ir/edit/rewrite.h"
#include "ops/ids.h"
#include "passes/graph/compile_time.h"
#include "passes/graph/symbols.h"
#include "passes/pass.h"

struct lift {
    struct pass_run *run;
    struct ir_global *global;
    struct ir_function *function, *transform;
    unsigned inputs;
    struct compile_time compile_time;
    struct storage storage;
    struct map is_lifted; /* ops */
    array(struct ir_op *) ops;
    array(struct ir_value *) outputs;     /* weights that are still read, then lifted values */
    array(const struct ir_var *) symbols; /* that are given as a shape */
    struct ir_bindings fresh;             /* symbols of the transform function */
    struct map copies;                    /* value -> its copy there */
    struct ir_builder builder;
};

static bool is_weight(struct lift *lift, const struct ir_value *value)
{
    for (unsigned i = lift->inputs; i < lift->function->param_count; i++)
        if (lift->function->params[i] == value)
            return true;
    return false;
}

/* ---- what is lifted ---- */

/* Can the transform function have @value? */
static bool is_available(struct lift *lift, const struct ir_value *value)
{
    if (ir_value_is_inline(value)) {
        for (unsigned i = 0; i < value->def->operand_count; i++)
            if (!is_available(lift, value->def->operands[i].value))
                return false;
        return true;
    }
    if (storage_is_in(value->type) && storage_is_changed(&lift->storage, value))
        return false;
    if (!value->def)
        return is_weight(lift, value);
    return map_has(&lift->is_lifted, value->def) ||
           compile_time_kind(&lift->compile_time, value) == COMPILE_TIME_CONSTANT;
}

static bool can_lift(struct lift *lift, const struct ir_op *op)
{
    if (compile_time_kind(&lift->compile_time, &op->result) != COMPILE_TIME_WEIGHT ||
        storage_is_changed(&lift->storage, &op->result))
        return false;
    for (unsigned i = 0; i < op->operand_count; i++)
        if (!is_available(lift, op->operands[i].value))
            return false;
    return true;
}

/* Is @value read by what stays? */
static bool is_read_outside(struct lift *lift, const struct ir_value *value)
{
    ir_for_each_use (use, value) {
        const struct ir_op *root = ir_use_root(use);

        if (root && !ir_op_is(root, IR_CORE_output) && !map_has(&lift->is_lifted, root))
            return true;
    }
    return false;
}

/* Finds what is lifted; false if that is nothing, or the function must stay as it is. */
static bool decide(struct lift *lift)
{
    struct ir_function *function = lift->function;
    struct symbol_uses uses = {0};
    bool is_any = false, is_fine = true;

    ir_for_each_block(block, function->body)
    {
        ir_for_each_op (op, block) {
            if (!can_lift(lift, op))
                continue;
            map_set(&lift->is_lifted, op, op);
            array_push(&lift->ops, op);
            is_any |= !storage_is_name(op); /* new names alone are no work */
        }
    }
    symbol_uses_add_function(&uses, function);
    for (unsigned i = lift->inputs; i < function->param_count; i++) {
        is_fine &= !function->params[i]->var && !map_has(&uses.shape_vars, function->params[i]);
        if (is_read_outside(lift, function->params[i]))
            array_push(&lift->outputs, function->params[i]);
    }
    for (size_t i = 0; i < lift->ops.count; i++) {
        is_fine &= !map_has(&uses.shape_vars, &lift->ops.items[i]->result);
        if (is_read_outside(lift, &lift->ops.items[i]->result))
            array_push(&lift->outputs, &lift->ops.items[i]->result);
    }
    symbol_uses_finish(&uses);
    return is_any && is_fine;
}

/* ---- the transform function ---- */

static const struct ir_type *fresh_type(struct lift *lift, const struct ir_type *type)
{
    return type ? ir_type_substitute(lift->run->module->context, type, &lift->fresh) : NULL;
}

static const struct ir_attr *fresh_attr(struct lift *lift, const struct ir_attr *attr)
{
    struct ir_context *context = lift->run->module->context;

    if (attr->kind == IR_ATTR_EXPR)
        return ir_attr_expr(context, ir_expr_substitute(context, attr->expr, &lift->fresh));
    if (attr->kind == IR_ATTR_TYPE)
        return ir_attr_type(context, fresh_type(lift, attr->type));
    if (attr->kind != IR_ATTR_LIST)
        return attr;
    const struct ir_attr **items =
        arena_array(&context->arena, const struct ir_attr *, attr->count);
    for (unsigned i = 0; i < attr->count; i++)
        items[i] = fresh_attr(lift, attr->items[i]);
    return ir_attr_list(context, items, attr->count);
}

static struct ir_value *copy_op(struct lift *lift, struct ir_op *op);

static struct ir_value *copy_value(struct lift *lift, struct ir_value *value)
{
    struct ir_value *copy = map_get(&lift->copies, value);

    return copy ? copy : copy_op(lift, value->def); /* inline ones, and constants on demand */
}

static struct ir_value *copy_op(struct lift *lift, struct ir_op *op)
{
    struct ir_context *context = lift->run->module->context;
    struct ir_value **operands =
        arena_array(&lift->run->scratch, struct ir_value *, op->operand_count + 1);
    const struct ir_attr **attrs =
        arena_array(&context->arena, const struct ir_attr *, op->info->attr_count + 1);

    for (unsigned i = 0; i < op->operand_count; i++) {
        operands[i] = copy_value(lift, op->operands[i].value);
        if (!operands[i])
            return NULL;
    }
    for (unsigned i = 0; i < op->info->attr_count; i++)
        attrs[i] = fresh_attr(lift, op->attrs[i]);
    lift->builder.loc = op->loc;
    if (ir_op_is_inline(op) && ir_op_is(op, IR_CORE_tuple))
        return ir_inline_tuple(lift->run->module, operands, op->operand_count);
    struct ir_op *copy = ir_build_declared(&lift->builder, op->info, operands, op->operand_count,
                                           attrs, fresh_type(lift, op->declared));
    if (!copy)
        return NULL;
    copy->result.type = fresh_type(lift, op->result.type);
    copy->result.is_annotated = op->result.is_annotated;
    copy->result.name = op->result.name;
    copy->result.loc = op->result.loc;
    if (!ir_op_is_inline(op))
        map_set(&lift->copies, &op->result, &copy->result);
    return &copy->result;
}

static void add_fresh(void *state, const struct ir_var *var)
{
    struct lift *lift = state;
    struct ir_context *context = lift->run->module->context;

    if (!ir_bindings_find(&lift->fresh, var))
        array_push(&lift->fresh,
                   (struct ir_binding){
                       var, ir_expr_var(context, ir_symbol_new(context, var->name, var->dtype))});
}

/* Begins the function: its parameter, a field of it for each weight, the ops. */
static bool begin_transform(struct lift *lift)
{
    struct ir_module *module = lift->run->module;
    struct ir_function *from = lift->function;
    unsigned count = from->param_count - lift->inputs;
    const struct ir_type **types =
        arena_array(&lift->run->scratch, const struct ir_type *, count + 1);
    struct ir_global *global = ir_module_add(
        module,
        ir_module_fresh_name(
            module, arena_printf(&lift->run->scratch, "%s_transform_params", lift->global->name)),
        IR_GLOBAL_FUNCTION);

    lift->transform = global->function = ir_function_new(module, global->name);
    global->loc = lift->transform->loc = from->loc;
    for (unsigned i = 0; i < count; i++)
        symbol_walk_defined(from->params[lift->inputs + i]->type, add_fresh, lift);
    for (unsigned i = 0; i < count; i++)
        types[i] = fresh_type(lift, from->params[lift->inputs + i]->type);
    struct ir_value *params = ir_function_add_param(lift->transform, "params",
                                                    ir_type_tuple(module->context, types, count));
    params->is_annotated = true;
    lift->builder =
        (struct ir_builder){.module = module,
                            .diag = lift->run->diag,
                            .block = ir_block_append(module, lift->transform->body, true),
                            .loc = from->loc};
    for (unsigned i = 0; i < count; i++) {
        struct ir_value *weight = from->params[lift->inputs + i];
        struct ir_value *get = weight->uses ? make_get(&lift->builder, params, i) : NULL;

        if (!get)
            continue;
        get->name = weight->name;
        map_set(&lift->copies, weight, get);
    }
    for (size_t i = 0; i < lift->ops.count; i++)
        if (!copy_op(lift, lift->ops.items[i]))
            return false;
    return true;
}

/* Ends the function: its results. */
static bool end_transform(struct lift *lift)
{
    struct ir_module *module = lift->run->module;
    struct ir_context *context = module->context;
    size_t count = lift->outputs.count, at = 0;
    struct ir_value **values = arena_array(&lift->run->scratch, struct ir_value *, count + 1);
    const struct ir_expr **dims =
        arena_array(&lift->run->scratch, const struct ir_expr *, lift->symbols.count + 1);
    struct ir_builder *b = &lift->builder;

    for (size_t i = 0; i < lift->symbols.count; i++)
        dims[i] = ir_bindings_find(&lift->fresh, lift->symbols.items[i]);
    for (size_t i = 0; i < count; i++)
        values[i] = map_get(&lift->copies, lift->outputs.items[i]);
    struct ir_op *output =
        ir_op_new(module, ir_core_op(context, IR_CORE_output), values, (unsigned)count);
    output->loc = b->loc;
    output->result.type = ir_type_tuple(context, NULL, 0);
    ir_op_append(b->block, output);
    struct ir_value **results = arena_array(&lift->run->scratch, struct ir_value *, count + 1);
    if (lift->symbols.count > 0)
        results[at++] = ir_inline_shape(module, dims, (unsigned)lift->symbols.count);
    for (size_t i = 0; i < count; i++)
        results[at++] = values[i];
    b->block = ir_block_append(module, lift->transform->body, false);
    struct ir_value *tuple = ir_inline_tuple(module, results, (unsigned)at);
    if (!ir_build(b, ir_core_op(context, IR_CORE_return), &tuple, 1, NULL))
        return false;
    lift->transform->result = tuple->type;
    lift->transform->is_result_annotated = true;
    lift->transform->attrs = ir_attr_dict_with(
        context, NULL, atom_intern_text(&context->atoms, "num_input"), ir_attr_int(context, 0));
    callee_update_type(ir_module_find(module, lift->transform->name));
    return true;
}

/* ---- the function that stays ---- */

static void find_symbol(void *state, const struct ir_var *var)
{
    array_push((struct ir_bindings *)state, (struct ir_binding){var, NULL});
}

/* Symbols of weights that the function mentions and nothing that it is given defines. */
static void find_symbols(struct lift *lift, const struct ir_value *const *weights, unsigned count)
{
    struct ir_function *function = lift->function;
    struct symbol_uses uses = {0};
    struct ir_bindings defined = {0};

    symbol_uses_add_function(&uses, function);
    for (unsigned i = 0; i < function->param_count; i++)
        symbol_uses_add_type(&uses, function->params[i]->type);
    for (unsigned i = 0; i < count; i++)
        symbol_walk_defined(weights[i]->type, find_symbol, &defined);
    for (size_t i = 0; i < defined.count; i++) {
        const struct ir_var *var = defined.items[i].var;
        bool is_known = !map_has(&uses.symbols, var);

        for (unsigned k = 0; k < function->param_count; k++)
            is_known |= function->params[k]->var == var ||
                        symbol_is_defined_by(function->params[k]->type, var);
        for (size_t k = 0; k < lift->symbols.count; k++)
            is_known |= lift->symbols.items[k] == var;
        if (!is_known)
            array_push(&lift->symbols, var);
    }
    array_finish(&defined);
    symbol_uses_finish(&uses);
}

/* Erases the lifted ops; those that are read become parameters. */
static void remove_lifted(struct lift *lift)
{
    struct ir_module *module = lift->run->module;

    for (size_t i = 0; i < lift->outputs.count; i++) {
        struct ir_value *value = lift->outputs.items[i];
        struct ir_function *function = lift->function;

        if (!value->def) {
            ir_function_add_param(function, NULL, NULL);
            function->params[function->param_count - 1] = value;
            continue;
        }
        struct ir_value *param =
            ir_function_add_param(function, value->name ? value->name : "lifted", value->type);
        param->loc = value->loc;
        param->is_annotated = true;
        rewrite_replace(module, value->def, param);
    }
    for (size_t i = lift->ops.count; i-- > 0;) {
        struct ir_op *op = lift->ops.items[i];

        while (op->result.uses) { /* outputs of dataflow blocks */
            struct ir_op *user = op->result.uses->user;

            ir_op_remove_operand(user, (unsigned)(op->result.uses - user->operands));
        }
        if (op->block)
            ir_op_erase(op);
    }
}

static bool remove_stops(void *state, struct ir_op *op)
{
    if (op_is(op, OP_builtin_stop_lift_params) && !ir_value_is_inline(op->operands[0].value))
        rewrite_replace(state, op, op->operands[0].value);
    return true;
}

static void change_function(struct lift *lift)
{
    struct ir_function *function = lift->function;
    struct ir_module *module = lift->run->module;
    struct ir_context *context = module->context;
    unsigned count = function->param_count;
    struct ir_value **old = function->params;
    int *places = arena_array(&lift->run->scratch, int, count + 1);

    function->params = NULL;
    function->param_count = 0;
    for (unsigned i = 0; i < lift->inputs; i++)
        ir_function_append_param(function, old[i]);
    remove_lifted(lift);
    find_symbols(lift, (const struct ir_value *const *)old + lift->inputs, count - lift->inputs);
    if (lift->symbols.count > 0) {
        const struct ir_expr **dims =
            arena_array(&lift->run->scratch, const struct ir_expr *, lift->symbols.count);

        for (size_t i = 0; i < lift->symbols.count; i++)
            dims[i] = ir_expr_var(context, lift->symbols.items[i]);
        struct ir_value *shape = ir_function_add_param(
            function, "weight_dims", ir_type_shape(context, dims, (int)lift->symbols.count));
        shape->is_annotated = true;
        for (unsigned i = function->param_count - 1; i > lift->inputs; i--)
            function->params[i] = function->params[i - 1];
        function->params[lift->inputs] = shape;
    }
    for (unsigned i = 0; i < count; i++) {
        places[i] = -1;
        for (unsigned k = 0; k < function->param_count; k++)
            if (function->params[k] == old[i])
                places[i] = (int)k;
    }
    places[count] = (int)function->param_count;
    callee_update_attrs(function, places, count);
    function->attrs =
        ir_attr_dict_with(context, function->attrs, atom_intern_text(&context->atoms, "num_input"),
                          ir_attr_int(context, lift->inputs));
    ir_region_walk(function->body, remove_stops, module);
    rewrite_join_blocks(function->body);
    callee_update_type(lift->global);
}

/* ---- the pass ---- */

static bool lift_function(struct pass_run *run, struct ir_global *global,
                          struct storage_module *facts, bool *out_changed)
{
    struct lift lift = {.run = run, .global = global, .function = global->function};
    bool is_fine = true;

    if (!compile_time_inputs(lift.function, &lift.inputs) ||
        lift.inputs == lift.function->param_count)
        return true;
    storage_init(&lift.storage, facts, lift.function, NULL);
    lift.compile_time = compile_time_of(lift.function, &run->scratch);
    if (decide(&lift)) {
        is_fine = begin_transform(&lift);
        if (is_fine) {
            change_function(&lift);
            is_fine = end_transform(&lift);
        }
        *out_changed = true;
    }
    storage_finish(&lift.storage);
    map_finish(&lift.is_lifted);
    map_finish(&lift.copies);
    array_finish(&lift.ops);
    array_finish(&lift.outputs);
    array_finish(&lift.symbols);
    array_finish(&lift.fresh);
    return is_fine;
}

enum pass_result pass_lift_transform_params(struct pass_run *run)
{
    struct callees callees = {0};
    bool is_changed = false, is_fine = true;
    struct storage_module facts;

    storage_module_init(&facts, run->module);
    storage_module_solve(&facts);
    callees_find(run->module, true, &callees);
    for (size_t i = 0; i < callees.count && is_fine; i++) {
        struct callee *callee = &callees.items[i];

        if (!callee->is_value && callee->calls.count == 0)
            is_fine = lift_function(run, callee->global, &facts, &is_changed);
    }
    callees_finish(&callees);
    storage_module_finish(&facts);
    if (!is_fine)
        return PASS_FAILED;
    return is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}
