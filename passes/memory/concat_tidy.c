/* Before homes are chosen: joins that are views, and names that would stand in the way. */
#include "ir/edit/rewrite.h"
#include "ops/ids.h"
#include "passes/memory/concat_plan.h"

struct tidying {
    struct ir_module *module;
    struct concat_plan *plan;
    struct map *replaced;
    struct map names; /* call -> struct first_name *[] */
    bool is_changed;
};

static bool is_erasable(const struct ir_op *op)
{
    return op->block && !op->result.uses &&
           (ir_op_is(op, IR_CORE_call_tir) || ir_op_is(op, IR_CORE_tuple_get) ||
            ir_op_is(op, IR_CORE_tuple) || op_is(op, OP_memory_view));
}

/* Erases @op and what it was made of: kernel calls, views and tuples that nobody needs. */
static void erase_unused(struct tidying *e, struct ir_op *op)
{
    array(struct ir_op *) work = {0};

    array_push(&work, op);
    while (work.count > 0) {
        op = array_pop(&work);
        if (!op || !is_erasable(op))
            continue;
        for (unsigned i = 0; i < op->operand_count; i++)
            array_push(&work, op->operands[i].value->def);
        if (ir_op_is(op, IR_CORE_call_tir))
            map_set(e->replaced, ir_op_callee(op), op);
        ir_op_erase(op);
    }
    array_finish(&work);
}

static void note_views(struct tidying *e, const struct ir_op *op)
{
    struct inplace_decisions *decisions = e->plan->run->decisions;

    for (unsigned i = 0; decisions && i < op->operand_count; i++) {
        array_push(decisions, inplace_decision_new(e->module->context, op, i, 0, IP_PROVED,
                                                   decisions->is_question));
        array_last(decisions).verdict = INPLACE_VIEW;
    }
}

/* Operands of @op lose names that say no more than what they name. */
static void drop_names(struct tidying *e, struct ir_op *op)
{
    for (unsigned i = 0; i < op->operand_count; i++) {
        struct ir_op *def = op->operands[i].value->def;

        while (def && def->block && ir_op_is(def, IR_CORE_bind) &&
               def->operands[0].value->type == def->result.type &&
               !ir_value_is_inline(def->operands[0].value)) {
            struct ir_value *value = def->operands[0].value;

            rewrite_replace(e->module, def, value);
            e->is_changed = true;
            def = value->def;
        }
    }
}

/* @op becomes @same; a constant stands at each of its uses. */
static void replace(struct tidying *e, struct ir_op *op, struct ir_value *same)
{
    if (!ir_value_is_inline(same)) {
        rewrite_replace(e->module, op, same);
        return;
    }
    rewrite_uses_by_leaf(e->module, &op->result, same);
    ir_op_erase(op);
}

/* A join of all that something was cut into, in its order, is that. */
static bool join_again(void *state, struct ir_op *op)
{
    struct tidying *e = state;
    struct join join;
    bool is_join = concat_read_join(e->plan, op, &join);

    if (is_join)
        kernel_call_finish(&join.call);
    if (is_join)
        drop_names(e, op);
    struct ir_value *same = is_join ? concat_plan_same(e->plan, op) : NULL;
    if (!same)
        return true;
    struct ir_op **makers = arena_array(&e->plan->run->scratch, struct ir_op *, op->operand_count);
    unsigned count = op->operand_count;
    for (unsigned i = 0; i < count; i++)
        makers[i] = op->operands[i].value->def;
    note_views(e, op);
    map_set(e->replaced, ir_op_callee(op), op);
    replace(e, op, same);
    for (unsigned i = 0; i < count; i++)
        erase_unused(e, makers[i]);
    e->is_changed = true;
    return true;
}

/* The first name of a field in a block. */
struct first_name {
    struct ir_op *op;
    struct first_name *next; /* in another block */
};

/* By output of @maker. */
static struct first_name **names_of(struct tidying *e, const struct ir_op *maker)
{
    struct first_name **names = map_get(&e->names, maker);

    if (!names) {
        names = arena_array(&e->plan->run->scratch, struct first_name *,
                            maker->result.type->field_count + 1);
        map_set(&e->names, maker, names);
    }
    return names;
}

/* A field of a tuple gets one name: of those that others read, the first is in front of the others. */
static bool name_fields(void *state, struct ir_op *op)
{
    struct tidying *e = state;
    const struct ir_op *maker;
    unsigned output;

    if (!ir_op_is(op, IR_CORE_tuple_get) || !(maker = concat_plan_maker(&op->result, &output)))
        return true;
    struct first_name **names = &names_of(e, maker)[output], *name = *names;

    while (name && name->op->block != op->block)
        name = name->next;
    if (name) {
        rewrite_replace(e->module, op, &name->op->result);
        e->is_changed = true;
        return true;
    }
    name = arena_new(&e->plan->run->scratch, struct first_name);
    *name = (struct first_name){op, *names};
    *names = name;
    return true;
}

bool concat_tidy(struct concat_plan *plan, struct ir_function *function, struct map *replaced)
{
    struct tidying tidying = {.module = plan->run->module, .plan = plan, .replaced = replaced};

    ir_region_walk(function->body, join_again, &tidying);
    ir_region_walk(function->body, name_fields, &tidying);
    map_finish(&tidying.names);
    return tidying.is_changed;
}
