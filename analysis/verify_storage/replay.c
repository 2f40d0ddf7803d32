/*
 * One function, op after op, in the order of the text.
 *
 * Branches are kept on a stack of their own.  Each starts from what held in front of the `if`;
 * what they yield and what they did to storage is joined behind it.
 */
#include "analysis/verify_storage/internal.h"

#include <string.h>

enum {
    STEP_LIMIT = 50 * 1000 * 1000,
    REPORT_LIMIT = 5, /* of one function: what follows is mostly the same thing again */
};

void vs_refuse(struct vs_replay *r, enum verify_storage_fault fault, const struct ir_value *value,
               const struct ir_op *because)
{
    struct verify_storage_refusals *out = r->m->refusals;

    if (r->has_fault || !r->is_reporting || r->reported == REPORT_LIMIT)
        return;
    r->has_fault = true;
    r->reported++;
    array_push(out,
               (struct verify_storage_refusal){.function = r->function,
                                               .op = r->op,
                                               .fault = fault,
                                               .value = vs_name_of(&out->arena, value, r->function),
                                               .because = because});
}

unsigned vs_new_decision(struct vs_replay *r)
{
    return ++r->last_decision;
}

/* ---- values ---- */

static struct vs_value *captured(struct vs_replay *r, const struct ir_value *value)
{
    const struct ir_op *op = r->op;

    r->op = NULL;
    struct vs_value *leaf = vs_leaf(&r->arena, vs_fresh(r, VS_BORROWED));
    r->op = op;
    map_set(&r->values, value, leaf);
    return leaf;
}

static struct vs_value *constant(struct vs_replay *r)
{
    if (!r->constant_place)
        r->constant_place = vs_fresh(r, VS_CONSTANT);
    return vs_leaf(&r->arena, r->constant_place);
}

struct vs_value *vs_value_of(struct vs_replay *r, struct ir_value *value)
{
    if (!ir_value_is_inline(value)) {
        struct vs_value *known = map_get(&r->values, value);

        return known ? known : captured(r, value);
    }
    struct ir_op *op = value->def;

    if (ir_op_is(op, IR_CORE_constant))
        return constant(r);
    if (!ir_op_is(op, IR_CORE_tuple))
        return vs_leaf(&r->arena, r->nowhere);
    struct vs_value *tuple = vs_tuple(&r->arena, NULL, 0);

    tuple->fields = arena_array(&r->arena, struct vs_value *, op->operand_count + 1);
    tuple->count = op->operand_count;
    for (unsigned i = 0; i < op->operand_count; i++)
        tuple->fields[i] = vs_value_of(r, op->operands[i].value);
    return tuple;
}

void vs_set(struct vs_replay *r, const struct ir_op *op, struct vs_value *value)
{
    map_set(&r->values, &op->result, value);
}

static unsigned fresh_leaf(void *state, const struct ir_type *type)
{
    struct vs_replay *r = state;

    if (type->kind != IR_TYPE_TUPLE && !vs_has_storage(type))
        return r->nowhere;
    unsigned node = vs_fresh(r, r->fresh_kind);

    if (type->kind == IR_TYPE_TENSOR)
        vs_root_at(r, node)->bytes_of = type;
    return node;
}

struct vs_value *vs_fresh_value(struct vs_replay *r, const struct ir_type *type,
                                enum vs_root_kind kind)
{
    r->fresh_kind = kind;
    return vs_value_of_type(&r->arena, type, fresh_leaf, r);
}

/* ---- what all ops share ---- */

struct visit {
    struct vs_replay *r;
    const struct ir_value *value;
};

static void read_leaf(void *state, unsigned node)
{
    struct visit *v = state;

    vs_read(v->r, node, v->value);
}

void vs_read_value(struct vs_replay *r, struct ir_value *value)
{
    struct visit v = {r, value};

    vs_each_leaf(r, vs_value_of(r, value), read_leaf, &v);
}

static void read_use(void *state, struct ir_use *use)
{
    vs_read_value(state, use->value);
}

void vs_read_operands(struct vs_replay *r, struct ir_op *op)
{
    ir_op_walk_operands(op, read_use, r);
}

static void keep_leaf(void *state, unsigned node)
{
    vs_keep(state, node);
}

static void keep_use(void *state, struct ir_use *use)
{
    struct vs_replay *r = state;

    vs_each_leaf(r, vs_value_of(r, use->value), keep_leaf, r);
}

/* Code that is not seen: it may keep what it is given, and return anything that it keeps. */
void vs_replay_opaque(struct vs_replay *r, struct ir_op *op)
{
    vs_read_operands(r, op);
    ir_op_walk_operands(op, keep_use, r);
    vs_set(r, op, vs_fresh_value(r, op->result.type, VS_OPAQUE));
}

/* ---- nested functions ---- */

static void capture_use(void *state, struct ir_use *use)
{
    struct vs_replay *r = state;

    if (!ir_value_is_inline(use->value) && map_has(&r->values, use->value)) {
        read_use(r, use);
        keep_use(r, use);
    }
}

static bool capture_op(void *state, struct ir_op *op)
{
    ir_op_walk_operands(op, capture_use, state);
    if (ir_op_is(op, IR_CORE_function))
        ir_region_walk(ir_op_attr(op, "function")->function->body, capture_op, state);
    return true;
}

/* It may read what it captures whenever it is called: from now on that must not change. */
static void replay_function_op(struct vs_replay *r, struct ir_op *op)
{
    struct ir_function *function = ir_op_attr(op, "function")->function;

    ir_region_walk(function->body, capture_op, r);
    if (r->is_reporting)
        array_push(&r->m->nested, function);
    vs_set(r, op, vs_leaf(&r->arena, r->nowhere));
}

/* ---- dispatch ---- */

static void replay_tuple(struct vs_replay *r, struct ir_op *op)
{
    struct vs_value **fields = arena_array(&r->arena, struct vs_value *, op->operand_count + 1);

    for (unsigned i = 0; i < op->operand_count; i++)
        fields[i] = vs_value_of(r, op->operands[i].value);
    vs_set(r, op, vs_tuple(&r->arena, fields, op->operand_count));
}

static void replay_call_op(struct vs_replay *r, struct ir_op *op)
{
    struct ir_global *callee = ir_op_callee(op);

    if (callee && callee->kind == IR_GLOBAL_KERNEL)
        vs_replay_kernel_call(r, op, callee->kernel);
    else if (callee && callee->kind == IR_GLOBAL_FUNCTION && ir_op_is(op, IR_CORE_call))
        vs_replay_call(r, op, callee->function);
    else if (callee && callee->kind == IR_GLOBAL_EXTERN)
        vs_replay_outside(r, op);
    else
        vs_replay_opaque(r, op);
}

static void replay_op(struct vs_replay *r, struct ir_op *op)
{
    switch (op->info->core) {
    case IR_CORE_none:
        vs_replay_library(r, op);
        break;
    case IR_CORE_tuple:
        replay_tuple(r, op);
        break;
    case IR_CORE_tuple_get: {
        int64_t index = ir_op_attr(op, "index")->integer;

        vs_set(r, op, vs_field(r, vs_value_of(r, op->operands[0].value), (unsigned)index));
        break;
    }
    case IR_CORE_bind:
    case IR_CORE_match_cast:
        vs_set(r, op, vs_value_of(r, op->operands[0].value));
        break;
    case IR_CORE_function:
        replay_function_op(r, op);
        break;
    case IR_CORE_output:
        break;
    case IR_CORE_call_tir:
    case IR_CORE_call_tir_inplace:
    case IR_CORE_call_tir_with_grad:
    case IR_CORE_call:
        replay_call_op(r, op);
        break;
    case IR_CORE_call_packed:
    case IR_CORE_call_pure_packed:
    case IR_CORE_call_inplace_packed:
    case IR_CORE_call_dps_packed:
        vs_replay_outside(r, op);
        break;
    default:
        vs_replay_opaque(r, op);
    }
}

/* ---- the walk ---- */

/* A region in work. */
struct scope {
    struct ir_block *block;
    struct ir_op *next;
    unsigned outer;           /* number of the branch around it */
    size_t mark;              /* of the trail, where it began */
    vs_changes then;          /* what the first branch did */
    struct vs_value *yielded; /* and yielded */
    bool is_other;            /* this is the second one */
};

struct walk {
    struct vs_replay *r;
    array(struct scope) scopes;
    struct vs_value *result; /* of the function */
};

static void enter(struct walk *w, const struct ir_region *region)
{
    struct scope scope = {.block = region->first,
                          .next = region->first->first,
                          .outer = w->r->branch,
                          .mark = w->r->trail.count};

    if (region->owner)
        w->r->branch = ++w->r->last_branch;
    array_push(&w->scopes, scope);
}

/* The op that comes next; blocks end without one. */
static struct ir_op *next_op(struct scope *scope)
{
    while (!scope->next && scope->block->next) {
        scope->block = scope->block->next;
        scope->next = scope->block->first;
    }
    struct ir_op *op = scope->next;

    scope->next = op->next;
    return op;
}

static void start_other(struct walk *w, struct vs_value *yielded, const struct ir_op *owner)
{
    struct scope *scope = &array_last(&w->scopes);

    vs_take_back(w->r, scope->mark, &scope->then);
    scope->yielded = yielded;
    scope->is_other = true;
    scope->block = owner->regions[1]->first;
    scope->next = scope->block->first;
    w->r->branch = ++w->r->last_branch;
}

static void leave_if(struct walk *w, struct vs_value *yielded, struct ir_op *owner)
{
    struct vs_replay *r = w->r;
    struct scope scope = array_pop(&w->scopes);
    vs_changes other = {0};

    vs_take_back(r, scope.mark, &other);
    r->branch = scope.outer;
    r->op = owner;
    unsigned decision = vs_new_decision(r);

    vs_join(r, decision, &scope.then, &other);
    vs_set(r, owner, vs_join_values(r, decision, scope.yielded, yielded));
    array_finish(&scope.then);
    array_finish(&other);
}

static void yield(struct walk *w, struct ir_op *op)
{
    struct vs_value *yielded = vs_value_of(w->r, op->operands[0].value);
    struct ir_op *owner = op->block->region->owner;

    if (array_last(&w->scopes).is_other)
        leave_if(w, yielded, owner);
    else
        start_other(w, yielded, owner);
}

/* False at the end of the function. */
static bool step(struct walk *w)
{
    struct ir_op *op = next_op(&array_last(&w->scopes));
    struct vs_replay *r = w->r;

    r->op = op;
    r->has_fault = false;
    if (ir_op_is(op, IR_CORE_if)) {
        vs_read_operands(r, op);
        enter(w, op->regions[0]);
    } else if (ir_op_is(op, IR_CORE_yield)) {
        yield(w, op);
    } else if (ir_op_is(op, IR_CORE_return)) {
        vs_read_operands(r, op);
        w->result = vs_value_of(r, op->operands[0].value);
        return false;
    } else {
        replay_op(r, op);
    }
    return !r->d.is_full;
}

static unsigned param_leaf(void *state, const struct ir_type *type)
{
    struct vs_replay *r = state;
    unsigned node = vs_fresh(r, r->fresh_kind);

    vs_root_at(r, node)->leaf = r->leaf_count++;
    if (type->kind == IR_TYPE_TENSOR)
        vs_root_at(r, node)->bytes_of = type;
    return node;
}

/* A parameter is the beginning of its storage, if that has room for more. */
static void bind_room(struct vs_replay *r, const struct ir_value *param)
{
    const struct ir_expr *room = vs_room(r, param);
    const struct ir_expr *bytes = room ? extent_bytes(r->m->context, param->type) : NULL;
    const struct ir_expr *zero = ir_expr_int(r->m->context, IR_I64, 0);

    if (!bytes)
        return;
    unsigned node = vs_collapse(r, map_get(&r->values, param));

    vs_root_at(r, node)->bytes = room;
    map_set(&r->values, param,
            vs_leaf(&r->arena, vs_part(r, node, extent_of(r->m->context, zero, bytes))));
}

static void bind_params(struct vs_replay *r)
{
    for (unsigned i = 0; i < r->function->param_count; i++) {
        const struct ir_value *param = r->function->params[i];

        r->fresh_kind = vs_is_donated(r->function, i) ? VS_DONATED : VS_BORROWED;
        map_set(&r->values, param, vs_value_of_type(&r->arena, param->type, param_leaf, r));
        bind_room(r, param);
    }
}

static void finish(struct vs_replay *r)
{
    map_finish(&r->values);
    map_finish(&r->place_of);
    diagram_finish(&r->d);
    array_finish(&r->roots);
    array_finish(&r->tags);
    array_finish(&r->spots);
    array_finish(&r->places);
    array_finish(&r->trail);
    array_finish(&r->scratch);
    array_finish(&r->lost);
    arena_finish(&r->arena);
}

bool vs_replay_function(struct vs_module *m, struct vs_summary *summary, bool is_reporting)
{
    struct vs_replay r = {
        .m = m, .function = summary->function, .summary = summary, .is_reporting = is_reporting};
    struct walk w = {.r = &r};

    diagram_init(&r.d, STEP_LIMIT);
    vs_roots_init(&r);
    r.check_op = diagram_new_op(&r.d);
    bind_params(&r);
    enter(&w, r.function->body);
    while (step(&w))
        ;
    for (size_t i = 0; i < w.scopes.count; i++)
        array_finish(&w.scopes.items[i].then);
    array_finish(&w.scopes);
    bool is_more = false;
    if (r.d.is_full) {
        r.has_fault = false;
        vs_refuse(&r, VERIFY_STORAGE_TOO_COMPLEX, NULL, NULL);
    } else {
        is_more = vs_summarize(&r, w.result);
    }
    finish(&r);
    return is_more;
}
