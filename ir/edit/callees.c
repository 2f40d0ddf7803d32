#include "ir/edit/callees.h"

#include "ir/build.h"
#include "ir/capacity.h"
#include "ir/edit/rewrite.h"

struct search {
    struct callees *callees;
    struct map places; /* global -> its place in callees, from 1 */
};

static struct callee *find(struct search *search, const struct ir_global *global)
{
    uintptr_t place = (uintptr_t)map_get(&search->places, global);

    return place ? &search->callees->items[place - 1] : NULL;
}

static void visit_attr(struct search *search, const struct ir_attr *attr)
{
    struct callee *callee = attr->kind == IR_ATTR_GLOBAL ? find(search, attr->global) : NULL;

    if (callee)
        callee->is_value = true;
    bool has_items =
        attr->kind == IR_ATTR_LIST || attr->kind == IR_ATTR_DICT || attr->kind == IR_ATTR_CALL;
    for (unsigned i = 0; has_items && i < attr->count; i++)
        visit_attr(search, attr->items[i]);
}

static void visit_inline(struct search *search, struct ir_op *op)
{
    for (unsigned i = 0; i < op->operand_count; i++)
        if (ir_value_is_inline(op->operands[i].value))
            visit_inline(search, op->operands[i].value->def);
    if (ir_op_is_inline(op))
        for (unsigned i = 0; i < op->info->attr_count; i++)
            visit_attr(search, op->attrs[i]);
}

static bool visit_op(void *state, struct ir_op *op)
{
    struct search *search = state;
    struct callee *callee =
        ir_op_is(op, IR_CORE_call) && ir_op_callee(op) ? find(search, ir_op_callee(op)) : NULL;

    visit_inline(search, op);
    for (unsigned i = 0; !callee && i < op->info->attr_count; i++)
        visit_attr(search, op->attrs[i]);
    if (callee && op->operand_count == callee->global->function->param_count)
        array_push(&callee->calls, op);
    else if (callee)
        callee->is_value = true;
    return true;
}

static void visit_function(void *state, struct ir_function *function)
{
    if (function->attrs)
        visit_attr(state, function->attrs);
    ir_region_walk(function->body, visit_op, state);
}

void callees_find(struct ir_module *module, bool with_public, struct callees *out)
{
    struct search search = {.callees = out};

    for (size_t i = 0; i < module->global_count; i++) {
        struct ir_global *global = module->globals[i];

        if (global->kind != IR_GLOBAL_FUNCTION || (!with_public && !global->function->is_private))
            continue;
        array_push(out, (struct callee){.global = global});
        map_set(&search.places, global, (void *)(uintptr_t)out->count); // NOLINT
    }
    rewrite_walk_functions(module, visit_function, &search);
    if (module->attrs)
        visit_attr(&search, module->attrs);
    map_finish(&search.places);
}

void callees_finish(struct callees *callees)
{
    for (size_t i = 0; i < callees->count; i++)
        array_finish(&callees->items[i].calls);
    array_finish(callees);
}

/* ---- keeping things right ---- */

void callee_update_type(struct ir_global *global)
{
    global->type = ir_function_type(global->function);
}

static void set_attr(struct ir_function *function, const char *key, const struct ir_attr *value)
{
    function->attrs = ir_attr_dict_with(function->module->context, function->attrs, key, value);
}

/* Positions of donated parameters: an int or a list of ints. */
static void update_donations(struct ir_function *function, const int *places, unsigned count)
{
    struct ir_context *context = function->module->context;
    const char *key = atom_intern_text(&context->atoms, "relax.inplace_arg");
    const struct ir_attr *old = ir_attr_dict_get(function->attrs, key);
    unsigned given = !old ? 0 : old->kind == IR_ATTR_LIST ? old->count : 1, kept = 0;
    int64_t *positions = arena_array(&function->module->arena, int64_t, given + 1);

    for (unsigned i = 0; i < given; i++) {
        const struct ir_attr *item = old->kind == IR_ATTR_LIST ? old->items[i] : old;

        if (item->kind == IR_ATTR_INT && item->integer >= 0 && item->integer < count &&
            places[item->integer] >= 0)
            positions[kept++] = places[item->integer];
    }
    if (given)
        set_attr(function, key, ir_attr_ints(context, positions, kept));
}

void callee_update_attrs(struct ir_function *function, const int *places, unsigned count)
{
    struct ir_context *context = function->module->context;
    const char *key = atom_intern_text(&context->atoms, "num_input");
    const struct ir_attr *inputs = ir_attr_dict_get(function->attrs, key);

    update_donations(function, places, count);
    ir_capacity_prune(function);
    if (!inputs || inputs->kind != IR_ATTR_INT || inputs->integer < 0 || inputs->integer > count)
        return;
    int64_t now = inputs->integer;
    while (now < count && places[now] < 0)
        now++; /* the first one behind them that is still there */
    set_attr(function, key, ir_attr_int(context, places[now]));
}

bool callee_update_call(struct ir_module *module, struct diag *diag, struct ir_op *call)
{
    const struct ir_type *type = call->result.type;

    if (!ir_op_infer(module, diag, call))
        return false;
    if (call->result.is_annotated ||
        ir_type_check(module->context, call->result.type, type) == IR_CHECK_PASS)
        call->result.type = type;
    return true;
}
