/*
 * Calls of graph functions: by what the callee's own replay found.
 *
 * The leaves of the callee's parameters are matched with what the call gives.  What the callee may
 * overwrite must be the caller's own and is lost to it; the result is put together from the
 * arguments, new storage, and what cannot be known.
 */
#include "analysis/verify_storage/internal.h"

struct call {
    struct vs_replay *r;
    struct ir_op *op;
    const struct vs_summary *callee;
    unsigned *args; /* by leaf of the parameters: where it lies */
    struct ir_value **values;
    unsigned *groups;           /* by group: the new storage; 0: not made yet */
    unsigned opaque;            /* what stands for opaque storage; 0: not made yet */
    struct map built;           /* vs_result -> vs_value */
    struct ir_bindings symbols; /* of the callee: what they are here */
};

/* ---- arguments ---- */

struct match {
    const struct vs_value *param;
    struct vs_value *arg;
};

static void match_argument(struct call *call, unsigned param)
{
    struct ir_value *value = call->op->operands[param].value;
    array(struct match) stack = {0};
    struct match top = {call->callee->params[param], vs_value_of(call->r, value)};

    array_push(&stack, top);
    while (stack.count) {
        top = array_pop(&stack);
        if (!top.param->fields) {
            call->args[top.param->node] = vs_collapse(call->r, top.arg);
            call->values[top.param->node] = value;
            continue;
        }
        for (unsigned i = 0; i < top.param->count; i++) {
            struct match field = {top.param->fields[i], vs_field(call->r, top.arg, i)};

            array_push(&stack, field);
        }
    }
    array_finish(&stack);
}

/* What the callee overwrites is the caller's own, and none of the other arguments. */
static void check_overwritten(struct call *call, unsigned leaf)
{
    struct vs_replay *r = call->r;

    if (!vs_check_writable(r, call->args[leaf], call->values[leaf], false))
        return;
    for (unsigned i = 0; i < call->callee->leaf_count; i++)
        if (i != leaf && vs_may_overlap(r, call->args[i], call->args[leaf]))
            vs_refuse(r, VERIFY_STORAGE_WRITES_OTHER, call->values[leaf], NULL);
}

/* ---- the result ---- */

struct choice {
    struct vs_replay *r;
    unsigned node;
    bool has_node;
};

static void add(struct choice *choice, unsigned node)
{
    choice->node = choice->has_node ? diagram_choose(&choice->r->d, vs_new_decision(choice->r),
                                                     node, choice->node)
                                    : node;
    choice->has_node = true;
}

static bool is_bound(void *state, const struct ir_expr *a)
{
    const struct call *call = state;

    return a->kind != IR_EXPR_var || ir_bindings_find(&call->symbols, a->var);
}

/* An end in the symbols of the caller; false if it has others. */
static bool bind_end(struct call *call, const struct ir_expr **end)
{
    if (*end && !ir_expr_walk(*end, is_bound, call))
        return false;
    if (*end)
        *end = ir_expr_substitute(call->r->m->context, *end, &call->symbols);
    return true;
}

/* The bytes that @part is here: somewhere in @node where that cannot be said. */
static unsigned part_of(struct call *call, unsigned node, const struct vs_part *part)
{
    struct ir_context *context = call->r->m->context;
    struct extent extent = part->extent;

    if (extent_is_number(&extent))
        return vs_part(call->r, node, extent);
    if (!extent.low_expr)
        extent.low_expr = ir_expr_int(context, IR_I64, extent.low);
    if (!extent.high_expr)
        extent.high_expr = ir_expr_int(context, IR_I64, extent.high);
    if (!bind_end(call, &extent.low_expr) || !bind_end(call, &extent.high_expr))
        return vs_part(call->r, node, extent_anywhere);
    const struct ir_expr *bytes =
        ir_expr_binary(context, IR_EXPR_sub, extent.high_expr, extent.low_expr);
    struct extent bound = extent_of(context, extent.low_expr, bytes);

    bound.is_around = extent.is_around;
    return vs_part(call->r, node, bound);
}

/* All elements of the parameter, of which the argument has as many. */
static bool is_all(struct call *call, const struct vs_part *part)
{
    const struct ir_function *function = call->callee->function;
    const struct extent *extent = &part->extent;

    if (!extent->high_expr || extent->low_expr || extent->low != 0 || extent->is_around)
        return false;
    for (unsigned i = 0; i < function->param_count; i++) {
        const struct vs_value *param = call->callee->params[i];

        if (!param->fields && param->node == part->leaf && !vs_may_have_room(function)) {
            const struct ir_expr *bytes =
                extent_bytes(call->r->m->context, function->params[i]->type);

            return bytes && ir_expr_equal(bytes, extent->high_expr);
        }
    }
    return false;
}

static unsigned group_place(struct call *call, const struct vs_outcome *outcome)
{
    unsigned *group = &call->groups[outcome->group];
    struct choice choice = {.r = call->r};

    if (!*group)
        *group = vs_fresh(call->r, VS_OWN);
    for (const struct vs_part *part = outcome->parts; part; part = part->next)
        add(&choice, part_of(call, *group, part));
    return choice.node;
}

static unsigned opaque_place(struct call *call)
{
    if (!call->opaque)
        call->opaque = vs_fresh(call->r, VS_OPAQUE);
    return call->opaque;
}

static unsigned constant_place(struct call *call)
{
    if (!call->r->constant_place)
        call->r->constant_place = vs_fresh(call->r, VS_CONSTANT);
    return call->r->constant_place;
}

static unsigned place_of(struct call *call, const struct vs_outcome *outcome)
{
    struct choice choice = {.r = call->r, .node = call->r->nowhere};

    for (const struct vs_part *from = outcome->params; from; from = from->next)
        add(&choice, is_all(call, from) ? call->args[from->leaf]
                                        : part_of(call, call->args[from->leaf], from));
    if (outcome->group != VS_NONE)
        add(&choice, group_place(call, outcome));
    if (outcome->is_constant)
        add(&choice, constant_place(call));
    if (outcome->is_opaque)
        add(&choice, opaque_place(call));
    return choice.node;
}

/* NULL: its fields, now on @stack, come first. */
static struct vs_value *build(struct call *call, const struct vs_result *result,
                              struct vs_results *stack)
{
    struct arena *arena = &call->r->arena;
    size_t before = stack->count;

    struct vs_value *tuple =
        result->fields ? vs_tuple(arena, NULL, 0) : vs_leaf(arena, place_of(call, result->outcome));

    tuple->is_some = result->is_some;
    if (!result->fields)
        return tuple;
    tuple->fields = arena_array(arena, struct vs_value *, result->count + 1);
    tuple->count = result->count;
    for (unsigned i = 0; i < result->count; i++) {
        tuple->fields[i] = map_get(&call->built, result->fields[i]);
        if (!tuple->fields[i])
            array_push(stack, result->fields[i]);
    }
    return stack->count == before ? tuple : NULL;
}

static struct vs_value *result_of(struct call *call)
{
    struct vs_results stack = {0};

    if (!call->callee->result)
        return vs_leaf(&call->r->arena, call->r->nowhere);
    array_push(&stack, call->callee->result);
    while (stack.count) {
        struct vs_result *top = array_last(&stack);
        struct vs_value *value = map_get(&call->built, top);

        if (!value) {
            value = build(call, top, &stack);
            if (!value)
                continue;
            map_set(&call->built, top, value);
        }
        stack.count--;
    }
    array_finish(&stack);
    return map_get(&call->built, call->callee->result);
}

void vs_replay_call(struct vs_replay *r, struct ir_op *op, struct ir_function *callee)
{
    struct call call = {.r = r, .op = op, .callee = map_get(&r->m->summaries, callee)};
    unsigned count = call.callee->leaf_count;

    vs_read_operands(r, op);
    if (op->operand_count != callee->param_count) { /* the verifier's to say */
        vs_replay_opaque(r, op);
        return;
    }
    call.args = arena_array(&r->arena, unsigned, count + 1);
    call.values = arena_array(&r->arena, struct ir_value *, count + 1);
    call.groups = arena_array(&r->arena, unsigned, call.callee->group_count + 1);
    for (unsigned i = 0; i < op->operand_count; i++) {
        match_argument(&call, i);
        ir_type_match(r->m->context, callee->params[i]->type, op->operands[i].value->type,
                      &call.symbols);
    }
    for (unsigned i = 0; i < count; i++)
        if (call.callee->leaves[i].is_written)
            check_overwritten(&call, i);
    for (unsigned i = 0; i < count; i++)
        if (call.callee->leaves[i].is_written)
            call.args[i] = vs_write(r, call.args[i]);
    for (unsigned i = 0; i < count; i++)
        if (call.callee->leaves[i].is_kept)
            vs_keep(r, call.args[i]);
    vs_set(r, op, result_of(&call));
    array_finish(&call.symbols);
    map_finish(&call.built);
}
