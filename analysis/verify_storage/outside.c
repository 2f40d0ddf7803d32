/*
 * Calls of functions outside of the module, by the contracts in relax.contracts, which this file
 * reads by itself: arguments that are read, written (mutates), held afterwards (retains), and
 * where results may lie (aliases).
 *
 * R.call_inplace_packed gives written arguments back as results.  Elsewhere a write is an effect,
 * which all names of the storage see.
 */
#include "analysis/verify_storage/internal.h"

struct outside {
    struct vs_replay *r;
    struct ir_op *op;
    const struct ir_attr *contract; /* NULL: none */
    const struct ir_attr *indices;  /* of R.call_inplace_packed; else NULL */
    unsigned first;                 /* operand that is argument 0 */
    bool is_dps;
    unsigned *nodes;   /* by operand: where it lies */
    unsigned next;     /* leaf of the result */
    unsigned returned; /* leaves that the function itself returns */
};

/* ---- what is said ---- */

static const char *symbol_of(const struct ir_op *op, unsigned *first)
{
    if (ir_op_is(op, IR_CORE_call))
        return ir_op_callee(op) ? ir_op_callee(op)->symbol : NULL;
    if (!ir_op_is(op, IR_CORE_call_packed) && !ir_op_is(op, IR_CORE_call_pure_packed) &&
        !ir_op_is(op, IR_CORE_call_inplace_packed) && !ir_op_is(op, IR_CORE_call_dps_packed))
        return NULL;
    const struct ir_attr *func = ir_op_attr(op, "func");

    if (func->kind == IR_ATTR_STRING)
        return func->string;
    *first = 1;
    const struct ir_op *value = op->operand_count ? op->operands[0].value->def : NULL;

    if (value && ir_op_is(value, IR_CORE_extern_func))
        return ir_op_attr(value, "symbol")->string;
    return value && ir_op_is(value, IR_CORE_global) ? ir_op_attr(value, "callee")->global->symbol
                                                    : NULL;
}

static const struct ir_attr *entry(const struct ir_attr *dict, const char *key)
{
    return dict && dict->kind == IR_ATTR_DICT ? ir_attr_dict_get(dict, key) : NULL;
}

static bool names(const struct ir_attr *list, unsigned argument)
{
    if (!list || list->kind != IR_ATTR_LIST)
        return false;
    for (unsigned i = 0; i < list->count; i++)
        if (list->items[i]->kind == IR_ATTR_INT && list->items[i]->integer == argument)
            return true;
    return false;
}

static bool says(const struct outside *o, const char *key, unsigned operand)
{
    return operand >= o->first && names(entry(o->contract, key), operand - o->first);
}

/* Does the contract give the operand no part in the call? */
static bool is_ignored(const struct outside *o, unsigned operand)
{
    const struct ir_attr *reads = entry(o->contract, "reads");
    const struct ir_attr *aliases = entry(o->contract, "aliases");
    bool is_named = !reads || says(o, "reads", operand) || says(o, "mutates", operand) ||
                    says(o, "retains", operand);

    for (unsigned i = 0; aliases && aliases->kind == IR_ATTR_LIST && i < aliases->count; i++)
        is_named = is_named || names(aliases->items[i], operand - o->first);
    return operand >= o->first && !is_named;
}

/* The operand that leaf @leaf of the result takes the place of; -1: none. */
static int64_t target_of(const struct outside *o, unsigned leaf)
{
    if (!o->indices || leaf >= o->indices->count || o->indices->items[leaf]->integer < 0)
        return -1;
    int64_t operand = o->indices->items[leaf]->integer + o->first;

    return operand < (int64_t)o->op->operand_count &&
                   o->op->operands[operand].value->type->kind == IR_TYPE_TENSOR
               ? operand
               : -1;
}

/* ---- arguments ---- */

struct read {
    struct vs_replay *r;
    const struct ir_value *value;
};

static void read_leaf(void *state, unsigned node)
{
    struct read *read = state;

    vs_read(read->r, node, read->value);
}

static void read_arguments(struct outside *o)
{
    for (unsigned i = 0; i < o->op->operand_count; i++) {
        struct ir_value *value = o->op->operands[i].value;
        struct vs_value *known = vs_value_of(o->r, value);
        struct read read = {o->r, value};

        if (!is_ignored(o, i))
            vs_each_leaf(o->r, known, read_leaf, &read);
        o->nodes[i] = vs_collapse(o->r, known);
    }
}

/* What is written is this function's, and none of the other arguments. */
static void check_targets(struct outside *o, unsigned count)
{
    for (unsigned leaf = 0; leaf < count; leaf++) {
        int64_t target = target_of(o, leaf);
        struct ir_value *value = target < 0 ? NULL : o->op->operands[target].value;

        if (target < 0 || !vs_check_writable(o->r, o->nodes[target], value, false))
            continue;
        for (unsigned i = 0; i < o->op->operand_count; i++)
            if ((int64_t)i != target && vs_may_overlap(o->r, o->nodes[i], o->nodes[target]))
                vs_refuse(o->r, VERIFY_STORAGE_WRITES_OTHER, value, NULL);
    }
}

static void write_for_effect(struct outside *o, unsigned operand)
{
    struct vs_replay *r = o->r;

    vs_check_writable(r, o->nodes[operand], o->op->operands[operand].value, true);
    size_t count = vs_roots_of(r, o->nodes[operand]);
    for (size_t i = 0; i < count; i++)
        r->roots.items[r->scratch.items[i]].is_written =
            r->roots.items[r->scratch.items[i]].is_filled = true;
}

static void do_effects(struct outside *o)
{
    bool is_effect = !o->indices && !o->is_dps;

    for (unsigned i = o->first; i < o->op->operand_count; i++) {
        if (is_effect && says(o, "mutates", i))
            write_for_effect(o, i);
        if (!o->contract || says(o, "retains", i))
            vs_keep(o->r, o->nodes[i]);
    }
}

/* ---- results ---- */

static unsigned fresh(struct outside *o, const struct ir_type *type, enum vs_root_kind kind)
{
    return vs_collapse(o->r, vs_fresh_value(o->r, type, kind));
}

/* One of the places that the contract lists. */
static unsigned listed(struct outside *o, const struct ir_attr *list, const struct ir_type *type)
{
    unsigned node = VS_NONE;

    for (unsigned i = 0; i < list->count; i++) {
        int64_t operand = list->items[i]->integer + o->first;
        bool is_new = list->items[i]->integer < 0 || operand >= (int64_t)o->op->operand_count;
        unsigned one = is_new ? fresh(o, type, VS_OWN) : o->nodes[operand];

        node = node == VS_NONE ? one : diagram_choose(&o->r->d, vs_new_decision(o->r), one, node);
    }
    return node == VS_NONE ? fresh(o, type, VS_OWN) : node;
}

/* All leaves in one, where there are too many. */
static unsigned make_any(struct outside *o, const struct ir_type *type)
{
    for (unsigned i = 0; o->indices && i < o->indices->count; i++)
        if (target_of(o, i) >= 0 && o->r->m->mode == VERIFY_STORAGE_RESOLVED)
            vs_keep(o->r, vs_write(o->r, o->nodes[target_of(o, i)]));
    return fresh(o, type, VS_OPAQUE);
}

static unsigned make_leaf(void *state, const struct ir_type *type)
{
    struct outside *o = state;

    if (type->kind == IR_TYPE_TUPLE)
        return make_any(o, type);
    unsigned leaf = o->next++;
    int64_t target = target_of(o, leaf);

    if (!vs_has_storage(type))
        return o->r->nowhere;
    if (target >= 0 && o->r->m->mode == VERIFY_STORAGE_RESOLVED) {
        unsigned node = vs_write(o->r, o->nodes[target]);

        if (!o->contract || says(o, "retains", (unsigned)target))
            vs_keep(o->r, node);
        return node;
    }
    bool is_kept = o->is_dps ? says(o, "retains", o->op->operand_count + leaf)
                             : target >= 0 && says(o, "retains", (unsigned)target);

    if (!o->contract || is_kept)
        return fresh(o, type, VS_OPAQUE);
    if (o->is_dps || target >= 0)
        return fresh(o, type, VS_OWN);
    const struct ir_attr *aliases = entry(o->contract, "aliases");
    unsigned at = o->returned++;

    if (!aliases || aliases->kind != IR_ATTR_LIST || at >= aliases->count)
        return fresh(o, type, VS_OWN);
    return aliases->items[at]->kind == IR_ATTR_LIST ? listed(o, aliases->items[at], type)
                                                    : fresh(o, type, VS_OPAQUE);
}

void vs_replay_outside(struct vs_replay *r, struct ir_op *op)
{
    struct outside o = {.r = r, .op = op, .is_dps = ir_op_is(op, IR_CORE_call_dps_packed)};
    const char *symbol = symbol_of(op, &o.first);
    bool is_inplace = ir_op_is(op, IR_CORE_call_inplace_packed);

    if (symbol)
        o.contract = entry(entry(r->m->module->attrs, "relax.contracts"), symbol);
    if (!o.contract && !is_inplace) {
        vs_replay_opaque(r, op);
        return;
    }
    if (is_inplace)
        o.indices = ir_op_attr(op, "inplace_indices");
    o.nodes = arena_array(&r->arena, unsigned, op->operand_count + 1);
    read_arguments(&o);
    if (r->m->mode == VERIFY_STORAGE_RESOLVED && o.indices)
        check_targets(&o, o.indices->count);
    do_effects(&o);
    vs_set(r, op, vs_value_of_type(&r->arena, op->result.type, make_leaf, &o));
}

bool vs_says_outside(const struct ir_op *op)
{
    unsigned first = 0;
    const char *symbol = symbol_of(op, &first);
    const struct ir_attr *contracts = entry(ir_op_function(op)->module->attrs, "relax.contracts");
    const struct ir_attr *mutates = symbol ? entry(entry(contracts, symbol), "mutates") : NULL;

    return mutates && mutates->kind == IR_ATTR_LIST && mutates->count > 0;
}
