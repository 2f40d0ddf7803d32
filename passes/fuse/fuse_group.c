#include "passes/fuse/fuse_group.h"

#include "analysis/inplace.h"
#include "base/assert.h"
#include "base/map.h"
#include "ir/build.h"
#include "ir/print.h"

#include <string.h>

enum { NAME_LIMIT = 80 };

struct outline {
    struct pass_run *run;
    struct ir_module *module;
    struct ir_context *context;
    struct ir_function *function;
    struct map values; /* value outside or of a member -> its counterpart in the function */
    struct ir_bindings symbols;    /* of the caller -> of the function */
    array(struct ir_value *) args; /* of the call */
    struct map members;            /* op -> op */
};

static bool is_call(const struct ir_op *op)
{
    return ir_op_is(op, IR_CORE_call_tir) || ir_op_is(op, IR_CORE_call_tir_inplace);
}

/* ---- names ---- */

/* fused_exp_add; a long one ends where it gets too long. */
static const char *function_name(struct outline *o, const struct fuse_group *group)
{
    struct text name = {0};

    text_puts(&name, "fused");
    for (size_t i = 0; i < group->count; i++) {
        if (!is_call(group->items[i]))
            continue;
        const char *part = ir_op_callee(group->items[i])->name;

        if (name.length + strlen(part) > NAME_LIMIT) {
            text_puts(&name, "_etc");
            break;
        }
        text_printf(&name, "_%s", part);
    }
    const char *fresh =
        ir_module_fresh_name(o->module, atom_intern_text(&o->context->atoms, text_string(&name)));
    text_finish(&name);
    return fresh;
}

/* ---- symbols ---- */

static bool add_symbol(void *state, const struct ir_expr *a)
{
    struct outline *o = state;

    if (a->kind != IR_EXPR_var || ir_bindings_find(&o->symbols, a->var))
        return true;
    const struct ir_var *own = ir_symbol_new(o->context, a->var->name, a->var->dtype);
    array_push(&o->symbols, (struct ir_binding){a->var, ir_expr_var(o->context, own)});
    return true;
}

static bool add_symbols(void *state, const struct ir_expr *a)
{
    return ir_expr_walk(a, add_symbol, state);
}

static const struct ir_type *own_type(struct outline *o, const struct ir_type *type)
{
    ir_type_walk_exprs(type, add_symbols, o);
    return ir_type_substitute(o->context, type, &o->symbols);
}

static bool binds_symbol(const struct ir_type *type, const struct ir_var *var)
{
    for (int d = 0; type->dims && d < type->ndim; d++)
        if (type->dims[d]->kind == IR_EXPR_var && type->dims[d]->var == var)
            return true;
    for (unsigned i = 0; type->kind == IR_TYPE_TUPLE && i < type->field_count; i++)
        if (binds_symbol(type->fields[i], var))
            return true;
    return false;
}

/* Symbols that no parameter has as a dimension come in as one more parameter, a shape. */
static void add_shape_param(struct outline *o)
{
    const struct ir_expr **own =
        arena_array(&o->run->scratch, const struct ir_expr *, o->symbols.count + 1);
    const struct ir_expr **given =
        arena_array(&o->run->scratch, const struct ir_expr *, o->symbols.count + 1);
    unsigned count = 0;

    for (size_t i = 0; i < o->symbols.count; i++) {
        const struct ir_expr *symbol = o->symbols.items[i].value;
        bool is_bound = false;

        for (unsigned p = 0; p < o->function->param_count && !is_bound; p++)
            is_bound = binds_symbol(o->function->params[p]->type, symbol->var);
        if (is_bound)
            continue;
        own[count] = symbol;
        given[count++] = ir_expr_var(o->context, o->symbols.items[i].var);
    }
    if (count == 0)
        return;
    ir_function_add_param(o->function, atom_intern_text(&o->context->atoms, "s"),
                          ir_type_shape(o->context, own, (int)count));
    array_push(&o->args, ir_inline_shape(o->module, given, count));
}

/* ---- operands ---- */

static struct ir_value *add_param(struct outline *o, struct ir_value *value, const char *name)
{
    struct ir_value *param = ir_function_add_param(o->function, name, own_type(o, value->type));

    param->loc = value->loc;
    array_push(&o->args, ir_inline_copy(o->module, value));
    return param;
}

/* Parameters for what @op reads from outside. */
static void add_params(struct outline *o, const struct ir_op *op)
{
    for (unsigned i = 0; i < op->operand_count; i++) {
        struct ir_value *value = op->operands[i].value;

        if (map_has(&o->values, value) || (value->def && map_has(&o->members, value->def)))
            continue;
        if (!ir_value_is_inline(value))
            map_set(&o->values, value, add_param(o, value, value->name));
        else if (ir_op_is(value->def, IR_CORE_constant))
            map_set(&o->values, value,
                    add_param(o, value, atom_intern_text(&o->context->atoms, "param")));
        else if (ir_op_is(value->def, IR_CORE_prim))
            add_symbols(o, ir_op_attr(value->def, "value")->expr);
        else
            ir_type_walk_exprs(value->type, add_symbols, o);
    }
    ir_type_walk_exprs(op->result.type, add_symbols, o);
}

static struct ir_value *own_operand(struct outline *o, struct ir_value *value)
{
    struct ir_value *known = map_get(&o->values, value);

    if (known)
        return known;
    assert(value->def && ir_op_is_inline(value->def));
    if (ir_op_is(value->def, IR_CORE_prim))
        return ir_inline_prim(
            o->module,
            ir_expr_substitute(o->context, ir_op_attr(value->def, "value")->expr, &o->symbols));
    const struct ir_type *type = own_type(o, value->type);
    return ir_inline_shape(o->module, type->dims, (unsigned)type->ndim);
}

/* ---- body ---- */

static struct ir_op *copy_op(struct outline *o, struct ir_builder *b, const struct ir_op *op)
{
    struct ir_value **operands =
        arena_array(&o->run->scratch, struct ir_value *, op->operand_count + 1);

    for (unsigned i = 0; i < op->operand_count; i++)
        operands[i] = own_operand(o, op->operands[i].value);
    b->loc = op->loc;
    struct ir_op *copy = ir_build_declared(b, op->info, operands, op->operand_count, op->attrs,
                                           op->declared ? own_type(o, op->declared) : NULL);
    assert(copy); /* what was right outside is right inside */
    copy->result.name = op->result.name;
    copy->result.loc = op->result.loc;
    map_set(&o->values, &op->result, &copy->result);
    return copy;
}

static void make_body(struct outline *o, const struct fuse_group *group)
{
    struct ir_function *function = o->function;
    struct ir_builder b = {.module = o->module, .diag = o->run->diag};
    struct ir_op *last = NULL;

    if (!function->body)
        function->body = ir_region_new(o->module, function, NULL);
    b.block = ir_block_append(o->module, function->body, true);
    for (size_t i = 0; i < group->count; i++)
        last = copy_op(o, &b, group->items[i]);
    struct ir_value *result = &last->result;
    ir_build(&b, ir_core_op(o->context, IR_CORE_output), &result, 1, NULL);
    b.block = ir_block_append(o->module, function->body, false);
    ir_build(&b, ir_core_op(o->context, IR_CORE_return), &result, 1, NULL);
    function->result = result->type;
    function->is_result_annotated = true;
}

/*
 * Parameters whose storage the result may take over, through updates in place: donated, so that a module
 * that is not fused further still runs them in place.
 */
static void donate(struct outline *o, const struct ir_value *result)
{
    const struct ir_value *value = result;

    while (value->def && ir_op_is(value->def, IR_CORE_call_tir_inplace)) {
        const struct ir_attr *indices = ir_op_attr(value->def, "inplace_indices");

        if (indices->count != 1 || indices->items[0]->integer < 0)
            return;
        value = value->def->operands[indices->items[0]->integer].value;
    }
    for (unsigned i = 0; i < o->function->param_count; i++) {
        int64_t position = i;

        if (value != result && o->function->params[i] == value)
            o->function->attrs =
                ir_attr_dict_with(o->context, o->function->attrs,
                                  atom_intern_text(&o->context->atoms, "relax.inplace_arg"),
                                  ir_attr_ints(o->context, &position, 1));
    }
}

static struct ir_global *make_function(struct outline *o, const struct fuse_group *group)
{
    const struct ir_op *last = group->items[group->count - 1];
    const char *name = function_name(o, group);
    struct ir_global *global = ir_module_add(o->module, name, IR_GLOBAL_FUNCTION);

    o->function = ir_function_new(o->module, name);
    global->function = o->function;
    global->loc = o->function->loc = last->loc;
    o->function->is_private = o->function->is_pure = true;
    o->function->attrs =
        ir_attr_dict_with(o->context, NULL, atom_intern_text(&o->context->atoms, "Primitive"),
                          ir_attr_bool(o->context, true));
    for (size_t i = 0; i < group->count; i++)
        map_set(&o->members, group->items[i], group->items[i]);
    for (size_t i = 0; i < group->count; i++)
        add_params(o, group->items[i]);
    add_shape_param(o);
    make_body(o, group);
    donate(o, map_get(&o->values, &last->result));

    global->type = ir_function_type(o->function);
    return global;
}

struct ir_global *fuse_group_outline(struct pass_run *run, const struct fuse_group *group)
{
    struct outline o = {.run = run, .module = run->module, .context = run->module->context};
    struct ir_op *last = group->items[group->count - 1];
    struct ir_global *global = make_function(&o, group);
    struct ir_builder b = {.module = run->module,
                           .diag = run->diag,
                           .block = last->block,
                           .before = last,
                           .loc = last->loc};
    const struct ir_attr *attrs[] = {ir_attr_global(run->module->context, global)};
    struct ir_op *call = ir_build(&b, ir_core_op(run->module->context, IR_CORE_call), o.args.items,
                                  (unsigned)o.args.count, attrs);
    bool is_good = call && call->result.type == last->result.type;

    if (is_good) {
        call->result.name = last->result.name;
        call->result.loc = last->result.loc;
        ir_op_set_places(run->module, call, group->items, group->count);
        call->result.index = last->result.index; /* the numbers of this pass stay good */
        ir_value_replace(&last->result, &call->result);
        for (size_t i = group->count; i-- > 0;)
            ir_op_erase(group->items[i]);
    } else {
        if (call)
            ir_op_erase(call);
        ir_module_remove(run->module, global);
    }
    map_finish(&o.values);
    map_finish(&o.members);
    array_finish(&o.symbols);
    array_finish(&o.args);
    return is_good ? global : NULL;
}
