/*
 * Storage is freed as soon as no value reaches it.
 *
 * A root counts the values of the graph that live in it; each value is counted until its last use.
 * A use inside the branches of an `if` counts as a use by the `if`, unless the value was made inside,
 * too.  Storage that code which is not seen may keep, or that leaves the function or a branch, is
 * not freed here but by the frame.
 */
#include "codegen/llvm/graph.h"

#include <string.h>

struct death {
    const struct ir_value *value;
    struct death *next;
};

struct cg_lifetimes {
    struct map last_use; /* struct ir_value -> struct ir_op in the region of the value */
    struct map deaths;   /* struct ir_op -> struct death: whose last use it is */
    array(const struct ir_value *) values; /* in the order of their definitions */
};

static const struct ir_region *region_of(const struct ir_value *value)
{
    return value->def ? value->def->block->region : value->parameter_of->body;
}

static void note_use(void *state, struct ir_use *use)
{
    struct cg_lifetimes *lifetimes = state;
    const struct ir_value *value = use->value;
    if (value->def && ir_op_is_inline(value->def))
        return;
    const struct ir_op *op = ir_use_root(use);
    const struct ir_region *home = region_of(value);
    while (op && op->block->region != home)
        op = op->block->region->owner;
    if (op)
        map_set(&lifetimes->last_use, value, op);
}

static bool note_op(void *state, struct ir_op *op)
{
    struct cg_lifetimes *lifetimes = state;
    ir_op_walk_operands(op, note_use, lifetimes);
    map_set(&lifetimes->last_use, &op->result, op); /* until a use is seen */
    array_push(&lifetimes->values, &op->result);
    return true;
}

void cg_lifetimes_init(struct cg_graph *g)
{
    struct arena *arena = &g->cg->arena;
    struct cg_lifetimes *lifetimes = arena_new(arena, struct cg_lifetimes);
    g->lifetimes = lifetimes;
    /* An `if` is seen before what is inside, and uses inside climb to it: the last write wins. */
    ir_region_walk(g->function->body, note_op, lifetimes);
    for (size_t i = 0; i < lifetimes->values.count; i++) {
        const struct ir_value *value = lifetimes->values.items[i];
        const struct ir_op *op = map_get(&lifetimes->last_use, value);
        struct death *death = arena_new(arena, struct death);
        death->value = value;
        death->next = map_get(&lifetimes->deaths, op);
        map_set(&lifetimes->deaths, op, death);
    }
}

void cg_lifetimes_finish(struct cg_graph *g)
{
    map_finish(&g->lifetimes->last_use);
    map_finish(&g->lifetimes->deaths);
    array_finish(&g->lifetimes->values);
}

/* The distinct fresh roots of a value's leaves; each once. */
struct roots {
    struct cg_root **items;
    size_t count, capacity;
};

static void find_roots(struct cg_value *value, struct roots *out)
{
    for (unsigned i = 0; value->kind == CG_TUPLE && i < value->count; i++)
        find_roots(value->fields[i], out);
    if (!value->root || value->root->kind != CG_ROOT_FRESH)
        return;
    for (size_t i = 0; i < out->count; i++)
        if (out->items[i] == value->root)
            return;
    array_push(out, value->root);
}

/* Adds @change to the counts of the roots of @value; frees those that come to 0. */
static void count_value(struct cg_graph *g, const struct ir_value *value, int change)
{
    struct cg *cg = g->cg;
    struct cg_value *held = map_get(&g->values, value);
    if (!held)
        return;
    struct roots roots = {0};
    find_roots(held, &roots);
    for (size_t i = 0; i < roots.count; i++) {
        struct cg_root *root = roots.items[i];
        root->live += change;
        if (root->live > 0 || root->has_escaped || cg_is_terminated(cg))
            continue;
        LLVMValueRef args[] = {cg->frame, root->data};
        cg_call_runtime(cg, CG_inlay_free, args, 2);
        root->has_escaped = true;
    }
    array_finish(&roots);
}

/* Ops that keep nothing of their operands but by names of the same root. */
static bool keeps_nothing(const struct ir_op *op)
{
    switch (op->info->core) {
    case IR_CORE_call_tir:
    case IR_CORE_call_tir_inplace:
    case IR_CORE_tuple:
    case IR_CORE_tuple_get:
    case IR_CORE_bind:
    case IR_CORE_if:
    case IR_CORE_output:
        return true;
    case IR_CORE_none:
        return true; /* views, copies, printing, shapes */
    case IR_CORE_call:
        return ir_op_callee(op)->kind == IR_GLOBAL_KERNEL;
    default:
        return false;
    }
}

static void note_escape(void *state, struct ir_use *use)
{
    struct cg_graph *g = state;
    struct cg_value *held = map_get(&g->values, use->value);
    struct roots roots = {0};
    if (held)
        find_roots(held, &roots);
    for (size_t i = 0; i < roots.count; i++)
        roots.items[i]->has_escaped = true;
    array_finish(&roots);
}

void cg_free_after(struct cg_graph *g, struct ir_op *op)
{
    if (!keeps_nothing(op))
        ir_op_walk_operands(op, note_escape, g);
    count_value(g, &op->result, 1);
    for (struct death *death = map_get(&g->lifetimes->deaths, op); death; death = death->next)
        count_value(g, death->value, -1);
}
