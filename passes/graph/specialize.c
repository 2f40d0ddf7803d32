#include "passes/graph/specialize.h"

#include "base/array.h"
#include "ir/arith.h"
#include "ir/build.h"
#include "ir/capacity.h"
#include "ir/edit/rewrite.h"
#include "ir/verify.h"

/* ---- substitution ---- */

struct specialize {
    struct ir_context *context;
    const struct ir_bindings *bindings;
};

static const struct ir_type *new_type(const struct specialize *s, const struct ir_type *type)
{
    return type ? ir_type_substitute(s->context, type, s->bindings) : NULL;
}

static const struct ir_attr *new_attr(const struct specialize *s, const struct ir_attr *attr);

static const struct ir_attr *new_items(const struct specialize *s, const struct ir_attr *attr)
{
    const struct ir_attr **items =
        arena_array(&s->context->arena, const struct ir_attr *, attr->count);
    bool is_changed = false;

    for (unsigned i = 0; i < attr->count; i++) {
        items[i] = new_attr(s, attr->items[i]);
        is_changed |= items[i] != attr->items[i];
    }
    if (!is_changed)
        return attr;
    struct ir_attr *copy = arena_new(&s->context->arena, struct ir_attr);

    *copy = *attr;
    copy->items = items;
    return copy;
}

static const struct ir_attr *new_attr(const struct specialize *s, const struct ir_attr *attr)
{
    if (attr->kind == IR_ATTR_EXPR) {
        const struct ir_expr *e = ir_expr_substitute(s->context, attr->expr, s->bindings);

        if (e == attr->expr)
            return attr;
        return ir_attr_expr(s->context, ir_dtype_is_int(e->dtype) ? ir_simplify(s->context, e) : e);
    }
    if (attr->kind == IR_ATTR_TYPE) {
        const struct ir_type *type = new_type(s, attr->type);

        return type == attr->type ? attr : ir_attr_type(s->context, type);
    }
    return attr->count > 0 ? new_items(s, attr) : attr;
}

static bool specialize_op(void *state, struct ir_op *op)
{
    const struct specialize *s = state;

    op->declared = new_type(s, op->declared);
    op->result.type = new_type(s, op->result.type);
    for (unsigned i = 0; i < op->info->attr_count; i++)
        op->attrs[i] = new_attr(s, op->attrs[i]);
    for (unsigned i = 0; i < op->operand_count; i++)
        if (ir_value_is_inline(op->operands[i].value))
            specialize_op(state, op->operands[i].value->def);
    if (ir_op_is(op, IR_CORE_function))
        specialize_function(ir_op_attr(op, "function")->function, s->bindings);
    return true;
}

void specialize_function(struct ir_function *function, const struct ir_bindings *bindings)
{
    struct specialize s = {function->module->context, bindings};

    ir_capacity_spell(function);
    for (unsigned i = 0; i < function->param_count; i++)
        function->params[i]->type = new_type(&s, function->params[i]->type);
    function->result = new_type(&s, function->result);
    ir_region_walk(function->body, specialize_op, &s);
}

/* ---- symbols ---- */

static bool add_symbol(void *state, const struct ir_expr *e)
{
    struct specialize_symbols *symbols = state;

    if (e->kind != IR_EXPR_var)
        return true;
    for (size_t i = 0; i < symbols->count; i++)
        if (symbols->items[i] == e->var)
            return true;
    array_push(symbols, e->var);
    return true;
}

static void add_symbols(const struct ir_type *type, struct specialize_symbols *out)
{
    for (int i = 0; type->dims && i < type->ndim; i++)
        ir_expr_walk(type->dims[i], add_symbol, out);
    for (unsigned i = 0; type->kind == IR_TYPE_TUPLE && i < type->field_count; i++)
        add_symbols(type->fields[i], out);
}

void specialize_find_symbols(const struct ir_function *function, struct specialize_symbols *out)
{
    for (unsigned i = 0; i < function->param_count; i++)
        add_symbols(function->params[i]->type, out);
}

/* ---- callers ---- */

struct calls {
    struct pass_run *run;
    const struct map *changed;
    bool is_fine;
};

/* Its callee has another type now. */
static void update_call(struct calls *calls, struct ir_op *call)
{
    struct ir_module *module = calls->run->module;
    const struct ir_type *old = call->result.type;

    if (!ir_op_infer(module, calls->run->diag, call)) {
        calls->is_fine = false;
        return;
    }
    const struct ir_type *type = call->result.type;

    if (type == old || ir_type_check(module->context, old, type) == IR_CHECK_PASS) {
        call->result.type = old;
        return;
    }
    /* users go on with what they were made for */
    struct ir_op *cast =
        ir_op_new(module, ir_core_op(module->context, IR_CORE_match_cast), NULL, 0);

    cast->declared = cast->result.type = old;
    cast->loc = call->loc;
    cast->result.name = call->result.name;
    cast->result.loc = call->result.loc;
    cast->result.is_annotated = call->result.is_annotated;
    call->result.is_annotated = false;
    call->result.name = NULL;
    if (call->next)
        ir_op_insert_before(call->next, cast);
    else
        ir_op_append(call->block, cast);
    ir_value_replace(&call->result, &cast->result);
    ir_op_add_operand(module, cast, &call->result);
}

static bool visit_call(void *state, struct ir_op *op)
{
    struct calls *calls = state;
    const struct ir_global *callee = ir_op_callee(op);

    if (ir_op_is(op, IR_CORE_call) && callee && callee->kind == IR_GLOBAL_FUNCTION &&
        map_has(calls->changed, callee->function))
        update_call(calls, op);
    return true;
}

static void update_function(void *state, struct ir_function *function)
{
    ir_region_walk(function->body, visit_call, state);
}

bool specialize_finish(struct pass_run *run, const struct map *changed, const char *what)
{
    struct ir_module *module = run->module;
    struct calls calls = {.run = run, .changed = changed, .is_fine = true};

    for (size_t i = 0; i < module->global_count; i++) {
        struct ir_global *global = module->globals[i];

        if (global->kind == IR_GLOBAL_FUNCTION && map_has(changed, global->function))
            global->type = ir_function_type(global->function);
    }
    rewrite_walk_functions(module, update_function, &calls);
    if (!calls.is_fine || !ir_verify(module, run->diag)) {
        struct diag_message *m =
            diag_report(run->diag, (struct location){0}, PASS_DIM_CONFLICT, what);

        diag_note(m, "the other messages are about the module with these values");
        return false;
    }
    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION &&
            map_has(changed, module->globals[i]->function))
            rewrite_refine_types(module->globals[i]->function);
    return true;
}
