/*
 * A root is left alone unless all that may live in it is the whole of it by another name: the value that
 * took the storage, renames, casts and views of that, and values of `if` and calls that are one of these.
 * What is written by one call is written together, or left alone together.
 */
#include "passes/memory/effects.h"

#include "analysis/leaves.h"

/* ---- calls ---- */

static bool kernel_writes(const struct effects *effects, const struct tir_func *kernel,
                          const struct ir_op *op, unsigned operand)
{
    const struct tir_param *param = kernel_param_of(kernel, op, operand);

    return param &&
           storage_kernel(effects->storage->module, kernel)->params[param - kernel->params].writes;
}

static bool writes(const struct effects *effects, const struct effect *effect,
                   const struct ir_op *op, unsigned operand)
{
    if (effect->kernel)
        return kernel_writes(effects, effect->kernel, op, operand);
    return operand >= effect->contract.first &&
           ir_contract_mutates(&effect->contract, operand - effect->contract.first);
}

bool effects_of(const struct effects *effects, const struct ir_op *op, struct effect *out)
{
    const struct ir_global *callee = ir_op_is(op, IR_CORE_call) ? ir_op_callee(op) : NULL;

    *out = (struct effect){0};
    if (callee && callee->kind == IR_GLOBAL_KERNEL)
        out->kernel = callee->kernel;
    else if (ir_op_is(op, IR_CORE_call_packed) || (callee && callee->kind == IR_GLOBAL_EXTERN))
        out->contract = ir_contract_of(op);
    if (!out->kernel && !out->contract.attr)
        return false;
    out->operands = arena_array(effects->arena, unsigned, op->operand_count + 1);
    for (unsigned i = 0; i < op->operand_count; i++)
        if (writes(effects, out, op, i))
            out->operands[out->count++] = i;
    return out->count > 0;
}

int64_t effects_returned(const struct ir_op *op, const struct effect *effect)
{
    struct ir_contract_places places = ir_contract_result(&effect->contract, 0);
    int64_t argument = !effect->kernel && places.count == 1 ? places.items[0]->integer : -1;

    if (argument < 0 || argument + effect->contract.first >= op->operand_count ||
        !ir_contract_mutates(&effect->contract, (unsigned)argument) ||
        op->operands[argument + effect->contract.first].value->type != op->result.type)
        return -1;
    return argument + effect->contract.first;
}

/* What is against a call itself, whatever it is given. */
static const char *against(const struct effects *effects, const struct ir_op *op,
                           const struct effect *effect)
{
    if (effect->kernel && storage_kernel(effects->storage->module, effect->kernel)->calls_out)
        return "the kernel hands storage to code that the compiler does not see";
    if (effect->kernel && !ir_dtype_is_void(effect->kernel->result))
        return "the kernel returns a value, too";
    if (!effect->kernel && ir_contract_retains_any(&effect->contract))
        return "the function keeps what it is given";
    if (!effect->kernel && op->result.type->kind == IR_TYPE_TUPLE &&
        !ir_type_is_void(op->result.type))
        return "the function returns several values";
    return NULL;
}

/* ---- roots ---- */

static unsigned find(const struct effects *effects, unsigned root)
{
    while (effects->roots[root].link != root)
        root = effects->roots[root].link = effects->roots[effects->roots[root].link].link;
    return root;
}

static void leave(struct effects *effects, unsigned root, const char *why, struct location loc)
{
    struct effect_root *left = &effects->roots[find(effects, root)];

    if (left->why)
        return;
    left->why = why;
    left->loc = loc;
}

static void unite(struct effects *effects, unsigned a, unsigned b)
{
    unsigned from = find(effects, a), to = find(effects, b);

    effects->roots[from].link = to;
    if (effects->roots[from].why)
        leave(effects, to, effects->roots[from].why, effects->roots[from].loc);
}

static void leave_set(struct effects *effects, const struct storage_set *set, const char *why,
                      struct location loc)
{
    for (unsigned i = 0; i < set->count; i++) {
        const struct storage_origin *origin = &effects->storage->origins.items[set->items[i]];

        for (unsigned k = 0; k < origin->place_count; k++)
            leave(effects, origin->places[k].root, why, loc);
    }
}

static void leave_value(struct effects *effects, const struct ir_value *value, const char *why,
                        struct location loc)
{
    struct storage_sets sets = {0};

    storage_sets_of(effects->storage, value, &sets);
    for (size_t i = 0; i < sets.count; i++)
        leave_set(effects, sets.items[i], why, loc);
    array_finish(&sets);
}

static unsigned root_of_set(const struct effects *effects, const struct storage_set *set)
{
    const struct storage_origin *origin = &effects->storage->origins.items[set->items[0]];

    return set->count == 1 && set->items[0] != STORAGE_ANYTHING && origin->place_count == 1
               ? origin->places[0].root
               : (unsigned)STORAGE_ROOT_NONE;
}

unsigned effects_root(const struct effects *effects, const struct ir_value *value)
{
    if (ir_value_is_inline(value) || leaf_count(value->type) != 1)
        return STORAGE_ROOT_NONE;
    return root_of_set(effects, storage_leaf(effects->storage, value, 0));
}

unsigned effects_field_root(const struct effects *effects, const struct ir_value *value,
                            unsigned field)
{
    return root_of_set(effects, storage_leaf(effects->storage, value, field));
}

const struct effect_root *effects_obstacle(const struct effects *effects, unsigned root)
{
    const struct effect_root *found = &effects->roots[find(effects, root)];

    return found->why ? found : NULL;
}

/* ---- what lives in a root ---- */

static bool is_known(const struct ir_type *type)
{
    return type->kind == IR_TYPE_TENSOR && !ir_dtype_is_void(type->dtype) &&
           (type->dims || type->ndim == 0);
}

/* Is the origin the whole of its root, by what made it? */
static bool is_whole(struct effects *effects, unsigned index)
{
    const struct storage_origin *origin = &effects->storage->origins.items[index];
    const struct ir_op *def = origin->value ? origin->value->def : NULL;
    struct effect effect;

    if (effects->roots[origin->places[0].root].first == index)
        return true;
    if (!def || def->result.type->kind == IR_TYPE_TUPLE)
        return false;
    return ir_op_is(def, IR_CORE_if) ||
           (effects_of(effects, def, &effect) && effects_returned(def, &effect) >= 0);
}

static void look_at_origin(struct effects *effects, unsigned index)
{
    const struct storage_origin *origin = &effects->storage->origins.items[index];
    struct location loc = origin->value ? origin->value->loc : (struct location){0};
    const char *why = origin->place_count > 1 ? "a value lives in this storage or in another one"
                      : !is_whole(effects, index) ? "a value is a part of the storage, or may be"
                                                  : NULL;

    for (unsigned k = 0; why && k < origin->place_count; k++)
        leave(effects, origin->places[k].root, why, loc);
}

static void look_at_root(struct effects *effects, unsigned index)
{
    const struct storage_root *root = &effects->storage->roots.items[index];
    const struct storage_origin *first = effects_first(effects, index);
    const char *why = root->kind == STORAGE_PARAMETER  ? "the caller of the function sees the write"
                      : root->kind == STORAGE_CONSTANT ? "the storage is a constant of the module"
                      : root->kind != STORAGE_ALLOCATED ? "opaque code made the storage"
                      : root->retained_by               ? "other code may hold the storage"
                      : root->home != effects->storage->function || !first->value
                          ? "a nested function has the storage"
                          : NULL;

    if (why)
        leave(effects, index, why, root->retained_by ? root->retained_by->loc : root->loc);
}

static void note_first(struct effects *effects, unsigned index)
{
    const struct storage_origin *origin = &effects->storage->origins.items[index];

    for (unsigned i = 0; i < origin->place_count; i++)
        if (!effects->roots[origin->places[i].root].first)
            effects->roots[origin->places[i].root].first = index;
}

const struct storage_origin *effects_first(const struct effects *effects, unsigned root)
{
    return &effects->storage->origins.items[effects->roots[root].first];
}

/* ---- the walk ---- */

/* A name of storage must have a shape: to be made anew of what was written. */
static void look_at_result(struct effects *effects, const struct ir_op *op)
{
    const struct ir_type *type = op->result.type;

    for (unsigned i = 0; i < leaf_count(type); i++) {
        const struct storage_set *set = storage_leaf(effects->storage, &op->result, i);
        bool is_deep = type->kind == IR_TYPE_TUPLE && leaf_count(type) != type->field_count;

        if (set->count > 1)
            leave_set(effects, set, "a tuple is known as R.Object", op->loc);
        else if (is_deep)
            leave_set(effects, set, "it is in a tuple of tuples", op->loc);
        else if (storage_is_in(leaf_type(type, i)) && !is_known(leaf_type(type, i)))
            leave_set(effects, set, "the shape or dtype of a name of it is not known", op->loc);
    }
}

static const char in_several[] = "what is written is in several storages, or no tensor";

/* No other argument of the call may show what it writes. */
static void look_at_arguments(struct effects *effects, const struct ir_op *op,
                              const struct effect *effect)
{
    for (unsigned i = 0; i < effect->count; i++) {
        const struct ir_value *written = op->operands[effect->operands[i]].value;
        unsigned root = effects_root(effects, written);

        if (root == STORAGE_ROOT_NONE)
            leave_value(effects, written, in_several, op->loc);
        for (unsigned k = 0; k < op->operand_count; k++)
            if (k != effect->operands[i] &&
                storage_values_meet(effects->storage, op->operands[k].value, written))
                leave_value(effects, written, "another argument of the call is the same storage",
                            op->loc);
        unite(effects, root, effects_root(effects, op->operands[effect->operands[0]].value));
    }
}

static bool look_at(void *state, struct ir_op *op)
{
    struct effects *effects = state;
    struct effect effect;

    if (ir_op_is(op, IR_CORE_function))
        ir_region_walk(ir_op_attr(op, "function")->function->body, look_at, effects);
    look_at_result(effects, op);
    if (!storage_has_effect(op))
        return true;
    const char *why = "a call may write it, or end it";

    if (effects_of(effects, op, &effect)) {
        look_at_arguments(effects, op, &effect);
        why = against(effects, op, &effect);
    }
    for (unsigned i = 0; why && i < op->operand_count; i++)
        leave_value(effects, op->operands[i].value, why, op->loc);
    return true;
}

void effects_find(struct effects *effects, struct storage *storage, struct arena *arena)
{
    *effects = (struct effects){.storage = storage, .arena = arena};
    effects->roots = arena_array(arena, struct effect_root, storage->roots.count + 1);
    for (unsigned i = 0; i < storage->roots.count; i++)
        effects->roots[i].link = i;
    for (unsigned i = 0; i < storage->origins.count; i++)
        note_first(effects, i);
    effects->roots[STORAGE_ROOT_NONE].why = in_several;
    for (unsigned i = 0; i < storage->roots.count; i++)
        look_at_root(effects, i);
    for (unsigned i = STORAGE_ANYTHING + 1; i < storage->origins.count; i++)
        look_at_origin(effects, i);
    ir_region_walk(storage->function->body, look_at, effects);
    bool is_lost = false;

    for (size_t i = 0; i < storage->leaves.count; i++)
        is_lost |= storage->leaves.items[i]->items[0] == STORAGE_ANYTHING;
    for (unsigned i = 0; is_lost && i < storage->roots.count; i++)
        leave(effects, i, "too many values may share it", storage->function->loc);
}
