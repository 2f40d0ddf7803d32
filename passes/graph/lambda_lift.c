/*
 * LambdaLift: nested functions become private functions of the module.
 *
 *     def main(x):                                       def main_inner(y, x): return R.add(y, x)
 *         def inner(y): return R.add(y, x)         =>    def main(x):
 *         z = inner(x)                                       z = cls.main_inner(x, x)
 *
 * What a function captures are further parameters behind its own, as in TVM.  TVM makes a closure of
 * each function that captures something and invokes that; where all that is done with the function is
 * to call it, also by itself, the calls can give the captured values themselves, and that has code.  A
 * function that captures nothing may also be passed on: its global name is a value.
 *
 * Left alone is what would need a closure that lives on: a function that captures something and is
 * returned, stored or passed on; and one that captures functions.  A symbol of the function around that
 * no parameter or captured tensor shows is captured, too, as a scalar.
 *
 * Innermost functions come first: what they capture is captured by the functions around them then.
 */
#include "base/array.h"
#include "ir/build.h"
#include "ir/edit/rewrite.h"
#include "passes/pass.h"

/* The lifting of one nested function. */
struct lifting {
    struct ir_module *module;
    const struct map *homes; /* symbol -> function that defines it */
    struct ir_op *maker;
    struct ir_function *nested;
    struct ir_global *global;
    array(struct ir_value *) captured;
    array(const struct ir_var *) sizes; /* captured symbols */
    struct map seen;                    /* of captured */
    struct ir_copy copy;
};

static struct ir_function *made_by(const struct ir_op *maker)
{
    return ir_op_attr(maker, "function")->function;
}

static bool is_within(const struct ir_function *function, const struct ir_function *outer)
{
    while (function && function != outer)
        function = function->parent;
    return function != NULL;
}

/* ---- what is captured ---- */

static struct ir_function *home_of(const struct ir_value *value)
{
    return value->def ? ir_op_function(value->def) : value->parameter_of;
}

static void capture_operands(struct lifting *l, const struct ir_op *op)
{
    for (unsigned i = 0; i < op->operand_count; i++) {
        struct ir_value *value = op->operands[i].value;

        if (ir_value_is_inline(value)) {
            capture_operands(l, value->def);
            continue;
        }
        if (value == &l->maker->result || is_within(home_of(value), l->nested) ||
            map_has(&l->seen, value))
            continue;
        map_set(&l->seen, value, value);
        array_push(&l->captured, value);
    }
}

static bool capture_op(void *state, struct ir_op *op)
{
    capture_operands(state, op);
    if (ir_op_is(op, IR_CORE_function))
        ir_region_walk(made_by(op)->body, capture_op, state);
    return true;
}

/* Tensors, shapes, scalars, tuples of these, and what is not known to be a function. */
static bool is_plain(const struct ir_type *type)
{
    if (type->kind != IR_TYPE_TUPLE)
        return type->kind == IR_TYPE_TENSOR || type->kind == IR_TYPE_SHAPE ||
               type->kind == IR_TYPE_PRIM || type->kind == IR_TYPE_ANY;
    for (unsigned i = 0; i < type->field_count; i++)
        if (!is_plain(type->fields[i]))
            return false;
    return true;
}

static bool is_call_of(const struct ir_use *use)
{
    return ir_op_is(use->user, IR_CORE_call_closure) && use == &use->user->operands[0];
}

static bool is_only_called(const struct ir_op *maker)
{
    ir_for_each_use (use, &maker->result)
        if (!is_call_of(use))
            return false;
    return true;
}

/* ---- symbols ---- */

static void bind_fresh(struct lifting *l, const struct ir_var *var)
{
    struct ir_context *context = l->module->context;

    if (ir_bindings_find(&l->copy.symbols, var))
        return;
    const struct ir_var *fresh;

    if (var->is_symbol) {
        struct ir_var *symbol = ir_symbol_new(context, var->name, var->dtype);

        symbol->loc = var->loc;
        fresh = symbol;
    } else {
        fresh = ir_var_new(context, var->name, var->dtype);
    }
    array_push(&l->copy.symbols, (struct ir_binding){var, ir_expr_var(context, fresh)});
}

/* The symbols that stand alone in @type; @inner_only: those that the nested function defines. */
static void bind_type(struct lifting *l, const struct ir_type *type, bool inner_only)
{
    for (int i = 0; type->dims && i < type->ndim; i++) {
        const struct ir_expr *dim = type->dims[i];

        if (dim->kind == IR_EXPR_var &&
            (!inner_only || is_within(map_get(l->homes, dim->var), l->nested)))
            bind_fresh(l, dim->var);
    }
    for (unsigned i = 0; type->kind == IR_TYPE_TUPLE && i < type->field_count; i++)
        bind_type(l, type->fields[i], inner_only);
}

static void bind_value(struct lifting *l, const struct ir_value *value, bool inner_only)
{
    if (value->var)
        bind_fresh(l, value->var);
    bind_type(l, value->type, inner_only);
}

static bool bind_op(void *state, struct ir_op *op)
{
    struct lifting *l = state;

    if (ir_op_is(op, IR_CORE_match_cast))
        bind_type(l, op->declared, true);
    if (ir_op_is(op, IR_CORE_function)) {
        const struct ir_function *inner = made_by(op);

        for (unsigned i = 0; i < inner->param_count; i++)
            bind_value(l, inner->params[i], true);
        ir_region_walk(inner->body, bind_op, state);
    }
    return true;
}

/* A symbol of the function around is captured where it is met first. */
static bool is_known(void *state, const struct ir_expr *e)
{
    struct lifting *l = state;
    struct ir_function *home;

    if (e->kind != IR_EXPR_var || ir_bindings_find(&l->copy.symbols, e->var))
        return true;
    home = map_get(l->homes, e->var);
    if (!e->var->is_symbol || !home || is_within(home, l->nested))
        return false;
    bind_fresh(l, e->var);
    array_push(&l->sizes, e->var);
    return true;
}

static bool is_known_type(struct lifting *l, const struct ir_type *type)
{
    if (!type || type->kind == IR_TYPE_FUNC)
        return true; /* its symbols are its own */
    if (type->kind == IR_TYPE_TUPLE) {
        for (unsigned i = 0; i < type->field_count; i++)
            if (!is_known_type(l, type->fields[i]))
                return false;
        return true;
    }
    if (type->kind == IR_TYPE_TENSOR && type->shape_var &&
        !is_within(home_of(type->shape_var), l->nested))
        return false;
    return ir_type_walk_exprs(type, is_known, l);
}

static bool is_known_attr(struct lifting *l, const struct ir_attr *attr)
{
    if (attr->kind == IR_ATTR_EXPR)
        return ir_expr_walk(attr->expr, is_known, l);
    if (attr->kind == IR_ATTR_TYPE)
        return is_known_type(l, attr->type);
    if (attr->kind == IR_ATTR_LAMBDA)
        return true; /* in variables of its own */
    for (unsigned i = 0; i < attr->count; i++)
        if (!is_known_attr(l, attr->items[i]))
            return false;
    return true;
}

static bool is_known_op(void *state, struct ir_op *op)
{
    struct lifting *l = state;

    if (!is_known_type(l, op->declared) || !is_known_type(l, op->result.type))
        return false;
    for (unsigned i = 0; i < op->info->attr_count; i++)
        if (!is_known_attr(l, op->attrs[i]))
            return false;
    for (unsigned i = 0; i < op->operand_count; i++)
        if (ir_value_is_inline(op->operands[i].value) &&
            !is_known_op(state, op->operands[i].value->def))
            return false;
    if (!ir_op_is(op, IR_CORE_function))
        return true;
    const struct ir_function *inner = made_by(op);

    for (unsigned i = 0; i < inner->param_count; i++)
        if (!is_known_type(l, inner->params[i]->type))
            return false;
    return is_known_type(l, inner->result) && ir_region_walk(inner->body, is_known_op, state);
}

/* Are all symbols defined by parameters, captured values or the body itself? */
static bool find_symbols(struct lifting *l)
{
    for (unsigned i = 0; i < l->nested->param_count; i++)
        bind_value(l, l->nested->params[i], false);
    for (size_t i = 0; i < l->captured.count; i++)
        bind_value(l, l->captured.items[i], false);
    ir_region_walk(l->nested->body, bind_op, l);
    for (unsigned i = 0; i < l->nested->param_count; i++)
        if (!is_known_type(l, l->nested->params[i]->type))
            return false;
    for (size_t i = 0; i < l->captured.count; i++)
        if (!is_plain(l->captured.items[i]->type) || !is_known_type(l, l->captured.items[i]->type))
            return false;
    return is_known_type(l, l->nested->result) && ir_region_walk(l->nested->body, is_known_op, l);
}

/* ---- the new function ---- */

static void add_param(struct lifting *l, struct ir_function *function, struct ir_value *from)
{
    const struct ir_type *type =
        ir_type_substitute(l->module->context, from->type, &l->copy.symbols);
    struct ir_value *param = ir_function_add_param(function, from->name, type);
    const struct ir_expr *symbol = from->var ? ir_bindings_find(&l->copy.symbols, from->var) : NULL;

    param->loc = from->loc;
    param->var = symbol ? symbol->var : NULL;
    map_set(&l->copy.values, from, param);
}

static void add_size(struct lifting *l, struct ir_function *function, const struct ir_var *var)
{
    const struct ir_type *type = ir_type_prim(l->module->context, var->dtype);
    struct ir_value *param = ir_function_add_param(function, var->name, type);

    param->loc = l->nested->loc;
    param->var = ir_bindings_find(&l->copy.symbols, var)->var;
}

/* The signature: calls need it before there is a body. */
static struct ir_function *declare(struct lifting *l)
{
    const struct ir_function *outermost = l->nested;
    struct atoms *atoms = &l->module->context->atoms;

    while (outermost->parent)
        outermost = outermost->parent;
    const char *name = ir_module_fresh_name(
        l->module, atom_printf(atoms, "%s_%s", outermost->name, l->nested->name));
    struct ir_function *function = ir_function_new(l->module, name);

    l->global = ir_module_add(l->module, name, IR_GLOBAL_FUNCTION);
    l->global->function = function;
    l->global->loc = function->loc = l->nested->loc;
    function->is_pure = l->nested->is_pure;
    function->is_private = true;
    function->skip_well_formed = l->nested->skip_well_formed;
    function->attrs = l->nested->attrs;
    function->is_result_annotated = l->nested->is_result_annotated;
    for (unsigned i = 0; i < l->nested->param_count; i++)
        add_param(l, function, l->nested->params[i]);
    for (size_t i = 0; i < l->captured.count; i++)
        add_param(l, function, l->captured.items[i]);
    for (size_t i = 0; i < l->sizes.count; i++)
        add_size(l, function, l->sizes.items[i]);
    function->result = ir_type_substitute(l->module->context, l->nested->result, &l->copy.symbols);
    l->global->type = ir_function_type(function);
    return function;
}

static void copy_body(struct lifting *l, struct ir_function *function)
{
    l->copy.module = l->module;
    l->copy.function = function;
    ir_for_each_block(block, l->nested->body)
    {
        struct ir_block *copy = ir_block_append(l->module, function->body, block->is_dataflow);

        copy->loc = block->loc;
        ir_for_each_op (op, block)
            ir_op_append(copy, ir_copy_op(&l->copy, op));
    }
}

/* ---- uses ---- */

static void replace_call(struct lifting *l, struct ir_op *call)
{
    struct ir_context *context = l->module->context;
    struct ir_op *direct = ir_op_new(l->module, ir_core_op(context, IR_CORE_call), NULL, 0);

    for (unsigned i = 1; i < call->operand_count; i++)
        ir_op_add_operand(l->module, direct, ir_inline_copy(l->module, call->operands[i].value));
    for (size_t i = 0; i < l->captured.count; i++) {
        struct ir_value *value = l->captured.items[i];

        if (value->def && value->def->block != call->block &&
            !is_within(ir_op_function(call), l->nested)) /* that body goes */
            rewrite_make_visible(l->module, value);
        ir_op_add_operand(l->module, direct, value);
    }
    for (size_t i = 0; i < l->sizes.count; i++)
        ir_op_add_operand(l->module, direct,
                          ir_inline_prim(l->module, ir_expr_var(context, l->sizes.items[i])));
    ir_op_set_attr(direct, "callee", ir_attr_global(context, l->global));
    direct->loc = call->loc;
    direct->result.type = call->result.type;
    direct->result.name = call->result.name;
    direct->result.loc = call->result.loc;
    direct->result.is_annotated = call->result.is_annotated;
    ir_op_insert_before(call, direct);
    ir_value_replace(&call->result, &direct->result);
    ir_op_erase(call);
}

static void replace_uses(struct lifting *l)
{
    struct ir_value *value = &l->maker->result;

    for (struct ir_use *use = value->uses; use;) {
        if (!is_call_of(use)) {
            use = use->next;
            continue;
        }
        replace_call(l, use->user);
        use = value->uses; /* the list has changed */
    }
    if (!value->uses)
        return;
    struct ir_value *leaf = ir_inline_global(l->module, l->global);

    rewrite_uses_by_leaf(l->module, value, leaf);
}

/* Lifts the function that @maker makes, if that can be done. */
static bool lift(struct ir_module *module, const struct map *homes, struct ir_op *maker)
{
    struct lifting l = {.module = module, .homes = homes, .maker = maker, .nested = made_by(maker)};

    ir_region_walk(l.nested->body, capture_op, &l);
    bool can_lift =
        find_symbols(&l) && (l.captured.count + l.sizes.count == 0 || is_only_called(maker));

    if (can_lift) {
        struct ir_function *function = declare(&l);

        replace_uses(&l);
        copy_body(&l, function);
        ir_op_erase(maker);
    }
    array_finish(&l.captured);
    array_finish(&l.sizes);
    array_finish(&l.copy.symbols);
    map_finish(&l.copy.values);
    map_finish(&l.seen);
    return can_lift;
}

/* ---- the pass ---- */

struct collect {
    struct map homes;
    array(struct ir_op *) makers; /* innermost first */
    struct ir_function *function;
};

static void add_home(struct collect *c, const struct ir_var *var)
{
    if (!map_has(&c->homes, var))
        map_set(&c->homes, var, c->function);
}

static void add_homes(struct collect *c, const struct ir_type *type)
{
    for (int i = 0; type->dims && i < type->ndim; i++)
        if (type->dims[i]->kind == IR_EXPR_var)
            add_home(c, type->dims[i]->var);
    for (unsigned i = 0; type->kind == IR_TYPE_TUPLE && i < type->field_count; i++)
        add_homes(c, type->fields[i]);
}

static void collect_function(struct collect *c, struct ir_function *function);

static bool collect_op(void *state, struct ir_op *op)
{
    struct collect *c = state;

    if (ir_op_is(op, IR_CORE_match_cast))
        add_homes(c, op->declared);
    if (ir_op_is(op, IR_CORE_function)) {
        struct ir_function *outer = c->function;

        collect_function(c, made_by(op));
        c->function = outer;
        array_push(&c->makers, op);
    }
    return true;
}

static void collect_function(struct collect *c, struct ir_function *function)
{
    c->function = function;
    for (unsigned i = 0; i < function->param_count; i++) {
        if (function->params[i]->var)
            add_home(c, function->params[i]->var);
        add_homes(c, function->params[i]->type);
    }
    ir_region_walk(function->body, collect_op, c);
}

enum pass_result pass_lambda_lift(struct pass_run *run)
{
    size_t count = run->module->global_count; /* what is lifted comes behind */
    bool is_changed = false;

    for (size_t i = 0; i < count; i++) {
        struct collect c = {0};

        if (run->module->globals[i]->kind != IR_GLOBAL_FUNCTION)
            continue;
        collect_function(&c, run->module->globals[i]->function);
        for (size_t k = 0; k < c.makers.count; k++)
            is_changed |= lift(run->module, &c.homes, c.makers.items[k]);
        array_finish(&c.makers);
        map_finish(&c.homes);
    }
    return is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}
