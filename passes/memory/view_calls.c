/*
 * ViewCalls: what a kernel only cuts out of an operand, in one run, is a view of it.
 *
 *     y = R.call_tir(cls.strided_slice, (x,), out_ty=R.Tensor((4,), "float32"))      # x[8:12]
 *  =>
 *     y = R.memory.view(x, R.shape([4]), "float32", 32)
 *
 * Which kernels do is read off their loops, so it does not matter which operator they came from: slices,
 * split, squeeze, copies, concatenations of what was split.  All elements of x are R.reshape.  Views that
 * cost more than they save stay as they are (view_plan.h), and so do those for which an update that runs
 * in place now would need a copy.
 */
#include "analysis/kernel_call.h"
#include "ir/arith.h"
#include "ir/build.h"
#include "ops/ids.h"
#include "passes/memory/view_plan.h"
#include "passes/pass.h"

/* A call and what stands for its result. */
struct views {
    struct view_candidate *items; /* of its outputs */
    size_t count;
    struct ir_value *value; /* NULL: the call stays */
    array(struct ir_op *) made;
};

struct viewing {
    struct pass_run *run;
    struct view_plan plan;
    array(struct views) calls;
};

/* ---- building ---- */

/* R.reshape takes a 0 for the extent that the operand has there. */
static bool has_zero(const struct ir_type *type)
{
    for (int i = 0; i < type->ndim; i++)
        if (ir_expr_is_int(type->dims[i], 0))
            return true;
    return false;
}

static struct ir_value *build_view(struct ir_builder *b, const struct view_candidate *c,
                                   const struct ir_type *type)
{
    struct ir_context *context = b->module->context;
    struct ir_value *of = c->call->operands[c->argument].value;
    const struct ir_expr *bytes = ir_type_bytes(context, type);
    const struct ir_expr *room = ir_type_bytes(context, of->type);
    bool is_all = ir_expr_is_int(c->offset, 0) && bytes && room && !has_zero(type) &&
                  ir_prove_equal(context, bytes, room);
    struct ir_value *operands[] = {
        ir_inline_copy(b->module, of),
        ir_inline_shape(b->module, type->dims, (unsigned)type->ndim),
        is_all ? NULL : ir_inline_dtype(b->module, type->dtype),
        is_all ? NULL : ir_inline_prim(b->module, c->offset),
    };

    return ir_build_op(b, is_all ? OP_reshape : OP_memory_view, operands, is_all ? 2 : 4);
}

static void note_made(struct viewing *v, struct views *views, struct ir_value *value)
{
    struct ir_op *call = views->items[0].call;

    ir_op_set_places(v->run->module, value->def, &call, 1);
    array_push(&views->made, value->def);
}

/* The views of all outputs in front of the call, as one value. */
static bool build(struct viewing *v, struct views *views)
{
    struct ir_op *call = views->items[0].call;
    struct ir_value **fields = arena_array(&v->run->scratch, struct ir_value *, views->count);
    struct ir_builder b = {.module = v->run->module,
                           .diag = v->run->diag,
                           .block = call->block,
                           .before = call,
                           .loc = call->loc};
    bool is_tuple = call->result.type->kind == IR_TYPE_TUPLE;

    for (size_t i = 0; i < views->count; i++) {
        const struct ir_type *type = is_tuple ? call->result.type->fields[i] : call->result.type;

        fields[i] = build_view(&b, &views->items[i], type);
        if (!fields[i])
            return false;
        note_made(v, views, fields[i]);
    }
    views->value = fields[0];
    if (is_tuple) {
        struct ir_op *tuple = ir_build(&b, ir_core_op(b.module->context, IR_CORE_tuple), fields,
                                       (unsigned)views->count, NULL);

        if (!tuple)
            return false;
        views->value = &tuple->result;
        note_made(v, views, views->value);
    }
    views->value->name = call->result.name;
    views->value->loc = call->result.loc;
    ir_value_replace(&call->result, views->value);
    return true;
}

static void erase(struct views *views)
{
    while (views->made.count > 0)
        ir_op_erase(array_pop(&views->made));
}

/* The call is there still: it gets its uses back. */
static void take_back(struct views *views, enum inplace_code code)
{
    ir_value_replace(views->value, &views->items[0].call->result);
    erase(views);
    views->value = NULL;
    for (size_t i = 0; i < views->count; i++)
        views->items[i].code = code;
}

/* ---- updates that run in place ---- */

/* Updates of @after that need a copy, and did not before. */
static void find_losses(const struct inplace_candidates *before,
                        const struct inplace_candidates *after, struct inplace_candidates *out)
{
    struct map first = {0}; /* call -> its first decision + 1 */

    for (size_t i = before->count; i-- > 0;)
        map_set(&first, before->items[i].call, (void *)(uintptr_t)(i + 1)); // NOLINT
    for (size_t i = 0; i < after->count; i++) {
        const struct inplace_candidate *now = &after->items[i];
        uintptr_t at = (uintptr_t)map_get(&first, now->call);

        for (; at && at <= before->count && before->items[at - 1].call == now->call; at++)
            if (before->items[at - 1].decision.argument == now->decision.argument &&
                before->items[at - 1].decision.output == now->decision.output &&
                before->items[at - 1].decision.verdict == INPLACE_DONE &&
                now->decision.verdict != INPLACE_DONE)
                array_push(out, *now);
    }
    map_finish(&first);
}

/* Takes back the views of @function that share storage with what a call in it would have to copy. */
static bool take_back_shared(struct viewing *v, struct storage_module *facts,
                             struct ir_function *function, const struct inplace_candidates *lost)
{
    struct storage storage;
    bool is_any = false;

    storage_init(&storage, facts, function, NULL);
    for (size_t i = 0; i < v->calls.count; i++) {
        struct views *views = &v->calls.items[i];
        bool is_shared = false;

        for (size_t k = 0; k < lost->count && views->value && !is_shared; k++) {
            const struct ir_op *call = lost->items[k].call;

            is_shared =
                ir_op_function(call) == function &&
                ir_op_function(views->items[0].call) == function &&
                storage_is_shared(&storage, call->operands[lost->items[k].decision.argument].value,
                                  views->value);
        }
        if (is_shared)
            take_back(views, IP_ALIAS_LIVE);
        is_any |= is_shared;
    }
    storage_finish(&storage);
    return is_any;
}

static bool take_back_functions(struct viewing *v, const struct inplace_candidates *lost)
{
    struct ir_module *module = v->run->module;
    struct storage_module facts;
    bool is_any = false;

    storage_module_init(&facts, module);
    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            is_any |= take_back_shared(v, &facts, module->globals[i]->function, lost);
    storage_module_finish(&facts);
    return is_any;
}

/* Until no update has lost its place; what shares storage through calls goes in the end. */
static void keep_updates(struct viewing *v, const struct inplace_candidates *before)
{
    bool has_lost = before->count > 0;

    while (has_lost) {
        struct inplace_candidates after = {0}, lost = {0};

        inplace_analyze(v->run->module, INPLACE_AUTO, &after);
        find_losses(before, &after, &lost);
        has_lost = lost.count > 0;
        if (has_lost && !take_back_functions(v, &lost))
            for (size_t i = 0; i < v->calls.count; i++)
                if (v->calls.items[i].value)
                    take_back(&v->calls.items[i], IP_ALIAS_LIVE);
        array_finish(&after);
        array_finish(&lost);
    }
}

/* ---- the pass ---- */

static void record(struct viewing *v)
{
    struct inplace_decisions *decisions = v->run->decisions;

    for (size_t i = 0; decisions && i < v->plan.items.count; i++) {
        const struct view_candidate *c = &v->plan.items.items[i];
        bool is_discovered = c->code != IP_PROVED &&
                             c->call->result.type == c->call->operands[c->argument].value->type;

        if (is_discovered)
            continue; /* an operand of its type: InplaceCalls says more */
        struct inplace_decision decision =
            inplace_decision_new(v->run->module->context, c->call, c->argument, (int)c->output,
                                 c->code, decisions->is_question);

        decision.verdict = c->code == IP_PROVED ? INPLACE_VIEW : INPLACE_FRESH;
        decision.is_found = decision.is_view = true;
        decision.bytes =
            ir_type_bytes(v->run->module->context, kernel_call_output(c->call, c->output));
        array_push(decisions, decision);
    }
}

/* A view that the script makes: no pass has placed it there. */
static bool is_script_view(const struct ir_op *op)
{
    bool is_view = (op->info->traits & IR_VIEW) && !(op->info->traits & IR_MARK);

    return op->info->core == IR_CORE_none && (is_view || op_is(op, OP_memory_view)) &&
           op->operand_count > 0 && op->places.count == 0 &&
           ir_type_is_tensor(op->operands[0].value->type);
}

/* For who asks which values share storage: what is a view as the script says. */
static bool record_script_view(void *state, struct ir_op *op)
{
    struct viewing *v = state;

    if (!is_script_view(op))
        return true;
    struct inplace_decision decision =
        inplace_decision_new(v->run->module->context, op, 0, 0, IP_PROVED, true);

    decision.verdict = INPLACE_VIEW;
    decision.is_view = true;
    decision.bytes = ir_type_bytes(v->run->module->context, op->result.type);
    array_push(v->run->decisions, decision);
    return true;
}

static void record_script_views(struct viewing *v)
{
    const struct ir_module *module = v->run->module;

    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            ir_region_walk(module->globals[i]->function->body, record_script_view, v);
}

static void find(struct viewing *v)
{
    struct ir_module *module = v->run->module;
    struct storage_module facts;

    storage_module_init(&facts, module);
    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            view_plan_function(&v->plan, &facts, module->globals[i]->function);
    storage_module_finish(&facts);
}

static bool build_all(struct viewing *v)
{
    bool is_fine = true;

    for (size_t i = 0, end; i < v->plan.items.count && is_fine; i = end) {
        struct views views = {.items = &v->plan.items.items[i]};

        for (end = i;
             end < v->plan.items.count && v->plan.items.items[end].call == views.items->call;)
            end++;
        views.count = end - i;
        if (views.items->code != IP_PROVED)
            continue;
        is_fine = build(v, &views);
        array_push(&v->calls, views);
    }
    return is_fine;
}

/* Erases the calls for which views stand; true if there are any. */
static bool erase_calls(struct viewing *v)
{
    bool is_any = false;

    for (size_t i = v->calls.count; i-- > 0;)
        if (v->calls.items[i].value) {
            ir_op_erase(v->calls.items[i].items[0].call);
            is_any = true;
        }
    return is_any;
}

/* Where the pass ran before: views that it made stay, and all else is decided anew. */
static void keep_views(struct inplace_decisions *decisions)
{
    size_t kept = 0;

    for (size_t i = 0; i < decisions->count; i++)
        if (!decisions->items[i].is_view ||
            (decisions->items[i].is_found && decisions->items[i].verdict == INPLACE_VIEW))
            decisions->items[kept++] = decisions->items[i];
    decisions->count = kept;
}

enum pass_result pass_view_calls(struct pass_run *run)
{
    struct viewing v = {.run = run};
    struct inplace_candidates before = {0};
    bool is_changed = false;

    if (run->inplace == INPLACE_OFF)
        return PASS_UNCHANGED;
    if (run->decisions)
        keep_views(run->decisions);
    if (run->decisions && run->decisions->is_question)
        record_script_views(&v);
    find(&v);
    if (v.plan.items.count > 0)
        inplace_analyze(run->module, INPLACE_AUTO, &before);
    bool is_fine = build_all(&v);

    if (is_fine && v.calls.count > 0)
        keep_updates(&v, &before);
    if (is_fine) {
        record(&v);
        is_changed = erase_calls(&v);
    }
    for (size_t i = 0; i < v.calls.count; i++)
        array_finish(&v.calls.items[i].made);
    array_finish(&v.calls);
    array_finish(&before);
    view_plan_finish(&v.plan);
    return !is_fine ? PASS_FAILED : is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}
