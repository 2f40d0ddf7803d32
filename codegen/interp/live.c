/*
 * When tensors are freed.
 *
 * A tensor lives while a value of the program that may still be read holds it.  Which op reads a value
 * last is worked out once a function, in the order of its body; what branches define lives until the
 * function returns.  Each tensor counts its holders, since tuples and other names share it.  A run
 * that makes functions of values frees nothing before its end: they may read anything.
 */
#include "codegen/interp/live.h"

#include <stdint.h>

/* Values that die with one op. */
struct death {
    const struct ir_value *value;
    struct death *next;
};

struct interp_plan {
    struct map deaths;    /* struct ir_op of the body -> struct death */
    struct death *at_end; /* what lives until the function returns */
};

struct planner {
    struct interp *run;
    struct interp_plan *plan;
    const struct ir_function *function;
    struct map order; /* struct ir_op of the body -> place, from 1 */
};

/* The op of the body that @op is, or is within; NULL in another function. */
static struct ir_op *body_op(const struct planner *p, struct ir_op *op)
{
    while (op && op->block->region->function == p->function && op->block->region->owner)
        op = op->block->region->owner;
    return op && op->block->region->function == p->function ? op : NULL;
}

static struct death *death_new(struct planner *p, const struct ir_value *value, struct death *next)
{
    struct death *death = arena_new(&p->run->arena, struct death);
    *death = (struct death){.value = value, .next = next};
    return death;
}

/* Finds the last reader of @value, which @maker (NULL: a parameter) defines. */
static void plan_value(struct planner *p, const struct ir_value *value, struct ir_op *maker)
{
    struct ir_op *last = maker;
    uintptr_t place = maker ? (uintptr_t)map_get(&p->order, maker) : 0;
    ir_for_each_use (use, value) {
        struct ir_op *reader = body_op(p, ir_use_root(use));
        if (!reader || ir_op_is(reader, IR_CORE_return)) {
            last = NULL;
            break;
        }
        if ((uintptr_t)map_get(&p->order, reader) >= place) {
            place = (uintptr_t)map_get(&p->order, reader);
            last = reader;
        }
    }
    if (last)
        map_set(&p->plan->deaths, last, death_new(p, value, map_get(&p->plan->deaths, last)));
    else
        p->plan->at_end = death_new(p, value, p->plan->at_end);
}

static bool plan_op(void *state, struct ir_op *op)
{
    struct planner *p = state;
    if (op->block->region->owner)
        p->plan->at_end = death_new(p, &op->result, p->plan->at_end);
    else if (!ir_op_is(op, IR_CORE_return))
        plan_value(p, &op->result, op);
    return true;
}

static bool number_op(void *state, struct ir_op *op)
{
    struct planner *p = state;
    map_set(&p->order, op, (void *)(p->order.count + 1)); /* NOLINT(performance-no-int-to-ptr) */
    return true;
}

struct interp_plan *interp_plan_of(struct interp *run, const struct ir_function *function)
{
    struct interp_plan *plan = map_get(&run->plans, function);
    if (plan)
        return plan;
    plan = arena_new(&run->arena, struct interp_plan);
    struct planner planner = {.run = run, .plan = plan, .function = function};
    ir_region_walk(function->body, number_op, &planner);
    for (unsigned i = 0; i < function->param_count; i++)
        plan_value(&planner, function->params[i], NULL);
    ir_region_walk(function->body, plan_op, &planner);
    map_finish(&planner.order);
    map_set(&run->plans, function, plan);
    array_push(&run->plan_list, plan);
    return plan;
}

static void give_back(struct interp *run, struct interp_storage *storage)
{
    run->storages.items[storage->place] = NULL;
    inlay_free(run->frame, storage->data);
    storage->data = NULL;
}

/* Adds @change to the holders of every tensor in @value; frees those that have none. */
static void hold(struct interp *run, const struct interp_value *value, int change, bool is_freed)
{
    for (unsigned i = 0; value->kind == INTERP_TUPLE && i < value->count; i++)
        hold(run, value->items[i], change, is_freed);
    struct interp_storage *storage = value->storage;
    if (!storage)
        return; /* an argument, a constant */
    storage->holders += change;
    if (storage->holders <= 0 && is_freed && !run->keeps_all && storage->data)
        give_back(run, storage);
}

void interp_hold(struct interp *run, const struct interp_value *value)
{
    hold(run, value, 1, false);
}

void interp_drop_after(struct interp_call *call, const struct interp_plan *plan,
                       const struct ir_op *op)
{
    for (const struct death *death = map_get(&plan->deaths, op); death; death = death->next) {
        const struct interp_value *value = map_get(&call->values, death->value);
        if (value)
            hold(call->run, value, -1, true);
    }
}

/* Everything that @value holds. */
static void collect(const struct interp_value *value, struct map *out)
{
    if (value->storage)
        map_set(out, value->storage, value);
    for (unsigned i = 0; value->kind == INTERP_TUPLE && i < value->count; i++)
        collect(value->items[i], out);
}

void interp_drop_at_end(struct interp_call *call, const struct interp_plan *plan, size_t mark,
                        const struct interp_value *result)
{
    struct interp *run = call->run;
    for (const struct death *death = plan->at_end; death; death = death->next) {
        const struct interp_value *value = map_get(&call->values, death->value);
        if (value)
            hold(run, value, -1, false);
    }
    if (run->keeps_all)
        return;
    struct map kept = {0};
    collect(result, &kept);
    size_t count = mark;
    for (size_t i = mark; i < run->storages.count; i++) {
        struct interp_storage *storage = run->storages.items[i];
        if (!storage)
            continue;
        if (map_has(&kept, storage)) {
            storage->place = count;
            run->storages.items[count++] = storage;
        } else {
            give_back(run, storage);
        }
    }
    run->storages.count = count;
    map_finish(&kept);
}

struct interp_storage *interp_storage_new(struct interp *run, void *data)
{
    struct interp_storage *storage = arena_new(&run->arena, struct interp_storage);
    *storage = (struct interp_storage){.data = data, .place = run->storages.count};
    array_push(&run->storages, storage);
    return storage;
}

void interp_storages_finish(struct interp *run)
{
    for (size_t i = 0; i < run->storages.count; i++)
        if (run->storages.items[i])
            inlay_free(run->frame, run->storages.items[i]->data);
    for (size_t i = 0; i < run->plan_list.count; i++)
        map_finish(&run->plan_list.items[i]->deaths);
    array_finish(&run->storages);
    array_finish(&run->plan_list);
    map_finish(&run->plans);
}
