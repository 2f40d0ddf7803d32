/*
 * The pass Plant: makes one mistake in a right module.  Without a bug it writes into the
 * attributes of the module how many places there are for each.
 */
#include "tests/broken/plant.h"

#include "ops/ids.h"

#include <string.h>

bool plant_here(struct planter *p)
{
    if (p->is_done || p->count++ != p->site)
        return false;
    p->is_done = true;
    return true;
}

uintptr_t plant_order(const struct planter *p, const struct ir_op *op)
{
    return (uintptr_t)map_get(&p->order, op);
}

/* ---- walks ---- */

struct walk {
    struct planter *p;
    array(struct ir_op *) ops; /* first, since a mistake changes the module */
};

static bool gather(void *state, struct ir_op *op)
{
    struct walk *w = state;

    array_push(&w->ops, op);
    map_set(&w->p->order, op, (void *)(uintptr_t)w->ops.count); /* NOLINT */
    if (ir_op_is(op, IR_CORE_function))
        ir_region_walk(ir_op_attr(op, "function")->function->body, gather, w);
    return true;
}

void plant_walk(struct planter *p, plant_visit_fn *visit)
{
    const struct ir_module *module = p->run->module;
    struct walk w = {.p = p};

    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            ir_region_walk(module->globals[i]->function->body, gather, &w);
    for (size_t i = 0; i < w.ops.count && !p->is_done; i++)
        visit(p, w.ops.items[i]);
    array_finish(&w.ops);
}

/* ---- names ---- */

bool plant_reads(const struct ir_op *op)
{
    switch (op->info->core) {
    case IR_CORE_tuple:
    case IR_CORE_tuple_get:
    case IR_CORE_bind:
    case IR_CORE_match_cast:
    case IR_CORE_output:
    case IR_CORE_yield:
        return false;
    default:
        return !(op->info->traits & (IR_VIEW | IR_ALIAS | IR_METADATA));
    }
}

static void add_name(plant_names *names, struct ir_value *value, unsigned bonds)
{
    bool is_tensor = value->type->kind == IR_TYPE_TENSOR || value->type->kind == IR_TYPE_TUPLE ||
                     value->type->kind == IR_TYPE_ANY;

    if (!is_tensor || (ir_value_is_inline(value) && !ir_op_is(value->def, IR_CORE_constant)))
        return;
    if (value->type->kind == IR_TYPE_ANY)
        bonds |= BOND_OBJECT;
    for (size_t i = 0; i < names->count; i++)
        if (names->items[i].value == value)
            return;
    array_push(names, (struct plant_name){value, bonds});
}

static unsigned bond_of(const struct ir_op *op)
{
    const struct ir_global *callee = ir_op_is(op, IR_CORE_call) ? ir_op_callee(op) : NULL;

    if (callee && callee->kind == IR_GLOBAL_FUNCTION)
        return BOND_CALL;
    switch (op->info->core) {
    case IR_CORE_tuple:
    case IR_CORE_tuple_get:
        return BOND_FIELD;
    case IR_CORE_bind:
        return BOND_RENAME;
    case IR_CORE_match_cast:
        return BOND_CAST;
    case IR_CORE_if:
        return BOND_IF;
    default:
        if (op->info->core == IR_CORE_none && (op->info->traits & IR_ALIAS) &&
            !(op->info->traits & IR_ALLOCATES))
            return BOND_REGION;
        return op->info->traits & IR_VIEW ? BOND_VIEW : 0;
    }
}

/* Is operand @i of @op a target of a call in place? */
static bool is_target(const struct ir_op *op, unsigned i)
{
    const struct ir_attr *indices =
        ir_op_is(op, IR_CORE_call_tir_inplace) ? ir_op_attr(op, "inplace_indices") : NULL;

    for (unsigned k = 0; indices && k < indices->count; k++)
        if (indices->items[k]->integer == (int64_t)i)
            return true;
    return false;
}

/* The values that the result of @op may be. */
static void add_sources(plant_names *names, const struct ir_op *op, unsigned bonds,
                        bool has_updates)
{
    unsigned bond = bond_of(op);

    for (unsigned i = 0; i < op->region_count; i++)
        add_name(names, op->regions[i]->last->last->operands[0].value, bonds | bond);
    for (unsigned i = 0; i < op->operand_count && op->region_count == 0; i++)
        if (bond)
            add_name(names, op->operands[i].value, bonds | bond);
        else if (has_updates && is_target(op, i))
            add_name(names, op->operands[i].value, bonds | BOND_UPDATE);
}

/* The values that are made of @name by @use. */
static void add_users(plant_names *names, struct plant_name name, const struct ir_use *use,
                      bool has_updates)
{
    struct ir_op *user = ir_use_root(use);

    if (ir_op_is(user, IR_CORE_yield))
        add_name(names, &user->block->region->owner->result, name.bonds | BOND_IF);
    else if (bond_of(user) && !ir_op_is(user, IR_CORE_if))
        add_name(names, &user->result, name.bonds | bond_of(user));
    for (unsigned i = 0; has_updates && use->user == user && i < user->operand_count; i++)
        if (&user->operands[i] == use && is_target(user, i))
            add_name(names, &user->result, name.bonds | BOND_UPDATE);
}

void plant_names_of(struct ir_value *value, bool has_updates, plant_names *out)
{
    add_name(out, value, 0);
    for (size_t i = 0; i < out->count; i++) {
        struct plant_name name = out->items[i];
        struct ir_op *def = name.value->def;

        if (def && !ir_op_is_inline(def))
            add_sources(out, def, name.bonds, has_updates);
        ir_for_each_use (use, name.value) {
            add_users(out, name, use, has_updates);
        }
    }
}

/* ---- the pass ---- */

static const struct {
    const char *name;
    void (*plant)(struct planter *p);
} plants[] = {
#define PLANT(name, function, doc) {#name, plant_##function},
#include "tests/broken/plants.def"
};

static unsigned try_plant(struct pass_run *run, size_t i, unsigned site, bool *out_is_done)
{
    struct planter p = {.run = run, .bug = plants[i].name, .site = site};

    plants[i].plant(&p);
    map_finish(&p.order);
    *out_is_done = p.is_done;
    return p.count;
}

static enum pass_result count_sites(struct pass_run *run)
{
    struct ir_context *context = run->module->context;
    bool is_done;

    for (size_t i = 0; i < ARRAY_SIZE(plants); i++) {
        unsigned count = try_plant(run, i, UINT32_MAX, &is_done);
        const char *key = atom_printf(&context->atoms, "plant.%s", plants[i].name);

        if (count)
            run->module->attrs =
                ir_attr_dict_with(context, run->module->attrs, key, ir_attr_int(context, count));
    }
    return PASS_CHANGED;
}

enum pass_result pass_plant(struct pass_run *run)
{
    const char *bug = pass_option_string(run, "bug");
    unsigned site = (unsigned)pass_option_int(run, "site");
    bool is_done = false;

    if (!*bug)
        return count_sites(run);
    for (size_t i = 0; i < ARRAY_SIZE(plants); i++)
        if (strcmp(bug, plants[i].name) == 0)
            try_plant(run, i, site, &is_done);
    return is_done ? PASS_CHANGED : PASS_UNCHANGED;
}
