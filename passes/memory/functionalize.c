/*
 * Functionalize: what a call writes for its effect becomes a value.
 *
 *     cls.f(x, a)                          x_1 = R.call_tir_inplace(cls.f, (x, a), .., inplace_indices=[0])
 *     b = R.add(x, c)                  =>  b = R.add(x_1, c)
 *     R.call_packed("sort", x)             x_2 = R.call_inplace_packed("sort", x_1, inplace_indices=[0], ..)
 *
 * Such calls are pure: they may stand in dataflow blocks, be fused and be removed.  Names of the storage
 * that are read later become the new value, in the shape that they had; an `if` that writes in a branch
 * gives the value of the storage as one more result.  ResolveInplace and CallTIRRewrite are the way back.
 *
 * What the caller sees, what code outside may hold, and what is shared in ways that are not plain names
 * stays as it is (effects.c); remarks say why.
 */
#include "passes/memory/functionalize.h"

/* ---- calls ---- */

/* The call in place that @op becomes, while it is made. */
struct update {
    struct effect effect;
    unsigned first;    /* operand that is argument 0 */
    bool has_returned; /* a result of its own, in front of the others */
    unsigned count;    /* of results */
    int64_t returned;  /* the operand that it returns as it is; -1: none */
    const struct ir_type *declared;
};

static void plan_update(struct walk *w, const struct ir_op *op, struct update *u)
{
    struct ir_context *context = w->run->module->context;
    const struct ir_type **types =
        arena_array(&w->run->scratch, const struct ir_type *, u->effect.count + 2);

    u->first = u->effect.kernel ? 0 : u->effect.contract.first;
    u->returned = u->effect.kernel ? -1 : effects_returned(op, &u->effect);
    u->has_returned = !u->effect.kernel && !ir_type_is_void(op->result.type) && u->returned < 0;
    if (u->has_returned)
        types[u->count++] = op->result.type;
    for (unsigned i = 0; i < u->effect.count; i++)
        types[u->count++] = op->operands[u->effect.operands[i]].value->type;
    u->declared = u->count == 1 ? types[0] : ir_type_tuple(context, types, u->count);
}

static const struct ir_attr *indices_of(struct walk *w, const struct update *u)
{
    int64_t *indices = arena_array(&w->run->scratch, int64_t, u->count + 1);
    unsigned count = 0;

    if (u->has_returned)
        indices[count++] = -1;
    for (unsigned i = 0; i < u->effect.count; i++)
        indices[count++] = (int64_t)u->effect.operands[i] - u->first;
    return ir_attr_ints(w->run->module->context, indices, count);
}

static struct ir_op *build_update(struct walk *w, struct ir_op *op, const struct update *u)
{
    struct ir_module *module = w->run->module;
    struct ir_builder b = contents_builder(w, op);
    unsigned count = op->operand_count - u->first;
    struct ir_value **args = arena_array(&w->run->scratch, struct ir_value *, count + 1);

    for (unsigned i = 0; i < count; i++)
        args[i] = ir_inline_copy(module, op->operands[u->first + i].value);
    if (u->effect.kernel) {
        const struct ir_attr *attrs[] = {ir_op_attr(op, "callee"), indices_of(w, u),
                                         ir_attr_bool(module->context, false)};

        return ir_build_declared(&b, ir_core_op(module->context, IR_CORE_call_tir_inplace), args,
                                 count, attrs, u->declared);
    }
    const struct ir_attr *attrs[] = {ir_attr_string(module->context, u->effect.contract.symbol),
                                     indices_of(w, u)};

    return ir_build_declared(&b, ir_core_op(module->context, IR_CORE_call_inplace_packed), args,
                             count, attrs, u->declared);
}

static void report_left(struct walk *w, const struct ir_op *op, const struct effect_root *left)
{
    const char *name = ir_op_callee(op) ? ir_op_callee(op)->name : ir_contract_of(op).symbol;
    struct diag_message *m = diag_report(w->run->diag, op->loc, EFFECT_STAYS, name, left->why);

    if (left->loc.source && left->loc.begin != op->loc.begin)
        diag_label(m, left->loc, "because of this");
}

/* Result @next of the call in place. */
static struct ir_value *result_of(struct ir_builder *b, struct ir_op *call, const struct update *u,
                                  unsigned next)
{
    return u->count == 1 ? &call->result : ir_build_tuple_get(b, &call->result, next);
}

/* Puts the call in place where @op is. */
static void functionalize(struct walk *w, struct ir_op *op, struct update *u)
{
    struct ir_builder b = contents_builder(w, op);
    unsigned result_root = effects_root(&w->effects, &op->result), next = 0;

    plan_update(w, op, u);
    struct ir_op *call = build_update(w, op, u);

    w->is_fine &= call != NULL;
    w->is_changed = true;
    if (!call)
        return;
    ir_op_set_places(w->run->module, call, &op, 1);
    if (u->has_returned) {
        struct ir_value *value = result_of(&b, call, u, next++);

        value->name = op->result.name;
        contents_note_new(w, value, result_root);
        ir_value_replace(&op->result, value);
    }
    for (unsigned i = 0; i < u->effect.count; i++) {
        unsigned operand = u->effect.operands[i];
        struct ir_value *value = result_of(&b, call, u, next++);

        contents_take(w, contents_root(w, op->operands[operand].value), value);
        if (u->returned == (int64_t)operand)
            ir_value_replace(&op->result, value);
    }
    ir_op_erase(op);
}

/* ---- the walk ---- */

static void walk_op(struct walk *w, struct ir_op *op)
{
    struct update update = {0};

    contents_update(w, op);
    w->now++;
    if (op->region_count > 0)
        functionalize_if(w, op);
    if (!effects_of(&w->effects, op, &update.effect)) {
        contents_note(w, &op->result);
        return;
    }
    const struct effect_root *left = NULL;

    for (unsigned i = 0; i < update.effect.count && !left; i++)
        left = effects_obstacle(&w->effects,
                                contents_root(w, op->operands[update.effect.operands[i]].value));
    contents_note(w, &op->result);
    if (left)
        report_left(w, op, left);
    else
        functionalize(w, op, &update);
}

void functionalize_region(struct walk *w, struct ir_region *region)
{
    ir_for_each_block(block, region)
    {
        ir_for_each_op_safe (op, block)
            if (w->is_fine)
                walk_op(w, op);
    }
}

static void walk_function(struct walk *w, struct storage_module *facts,
                          struct ir_function *function)
{
    struct storage storage;
    struct arena *scratch = &w->run->scratch;

    storage_init(&storage, facts, function, NULL);
    effects_find(&w->effects, &storage, scratch);
    w->contents = arena_array(scratch, struct content, storage.roots.count);
    w->numbers = arena_array(scratch, unsigned, storage.roots.count);
    w->marks = arena_array(scratch, unsigned, storage.roots.count);
    functionalize_region(w, function->body);
    map_finish(&w->made);
    map_finish(&w->roots);
    array_finish(&w->trail);
    w->now = w->last_mark = 0;
    storage_finish(&storage);
}

enum pass_result pass_functionalize(struct pass_run *run)
{
    struct walk w = {.run = run, .is_fine = true};
    struct storage_module facts;

    storage_module_init(&facts, run->module);
    facts.has_copies = true; /* calls in place work on copies, as the language says */
    storage_module_solve(&facts);
    for (size_t i = 0; i < run->module->global_count && w.is_fine; i++)
        if (run->module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            walk_function(&w, &facts, run->module->globals[i]->function);
    storage_module_finish(&facts);
    return !w.is_fine ? PASS_FAILED : w.is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}
