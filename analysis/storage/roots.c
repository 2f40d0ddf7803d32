/* Where origins live, in program order: what each op makes of storage. */
#include "analysis/leaves.h"
#include "analysis/storage/storage_internal.h"
#include "ir/capacity.h"

/* New storage that leaf @leaf of @op is. */
struct storage_place storage_new_place(struct storage *storage, const struct ir_op *op,
                                       unsigned leaf)
{
    struct ir_context *context = storage->module->module->context;
    unsigned root = storage_root_new(storage, STORAGE_ALLOCATED, op->result.loc);

    storage->roots.items[root].home = ir_op_function(op);
    storage->roots.items[root].bytes = ir_type_bytes(context, leaf_type(op->result.type, leaf));
    return (struct storage_place){
        .root = root, .region = storage_region_all(context, storage->roots.items[root].bytes)};
}

void storage_set_fresh(struct storage *storage, const struct ir_op *op, unsigned leaf)
{
    unsigned origin = storage_leaf(storage, &op->result, leaf)->items[0];

    if (storage_is_in(leaf_type(op->result.type, leaf))) {
        struct storage_place place = storage_new_place(storage, op, leaf);

        storage_set_places(storage, origin, &place, 1);
    } else {
        storage_set_root(storage, origin, STORAGE_ROOT_NONE);
    }
}

static void set_all_fresh(struct storage *storage, const struct ir_op *op)
{
    for (unsigned i = 0; i < leaf_count(op->result.type); i++)
        storage_set_fresh(storage, op, i);
}

/* ---- code that is not seen ---- */

void storage_retain_root(struct storage *storage, unsigned index, const struct ir_op *op)
{
    struct storage_root *root = &storage->roots.items[index];

    if (!root->retained_by && root->kind != STORAGE_NONE)
        root->retained_by = op;
}

void storage_retain(struct storage *storage, const struct ir_value *value, const struct ir_op *op)
{
    struct storage_sets sets = {0};
    struct storage_places places = {0};

    storage_sets_of(storage, value, &sets);
    for (size_t i = 0; i < sets.count; i++)
        storage_push_places(storage, sets.items[i], &places);
    for (size_t i = 0; i < places.count; i++)
        storage_retain_root(storage, places.items[i].root, op);
    array_finish(&sets);
    array_finish(&places);
}

/* Notes that everything @value may live in is updated, or written for effect. */
void storage_mark(struct storage *storage, const struct ir_value *value, bool is_written)
{
    struct storage_sets sets = {0};
    struct storage_places places = {0};

    storage_sets_of(storage, value, &sets);
    for (size_t i = 0; i < sets.count; i++)
        storage_push_places(storage, sets.items[i], &places);
    for (size_t i = 0; i < places.count; i++) {
        struct storage_root *root = &storage->roots.items[places.items[i].root];

        root->is_overwritten |= !is_written;
        root->is_written |= is_written;
    }
    array_finish(&sets);
    array_finish(&places);
}

/* ---- calls that update ---- */

void storage_begin_call(struct storage *storage, const struct ir_op *op)
{
    struct storage_call *call = &storage->call;

    call->op = op;
    call->operands =
        arena_array(&storage->arena, const struct storage_set *, op->operand_count + 1);
    call->is_taken = arena_array(&storage->arena, bool, op->operand_count + 1);
    call->is_copied = arena_array(&storage->arena, bool, op->operand_count + 1);
    for (unsigned i = 0; i < op->operand_count; i++) {
        struct storage_sets sets = {0};

        storage_sets_of(storage, op->operands[i].value, &sets);
        call->operands[i] = storage_union(storage, sets.items, sets.count);
        array_finish(&sets);
    }
}

/* Asks whether operand @argument may be updated where it is. */
bool storage_take(struct storage *storage, struct ir_op *op, unsigned argument, int output)
{
    bool is_private = storage->module->has_copies && output >= 0;
    bool is_taken = !is_private &&
                    (!storage->choice.decide ||
                     storage->choice.decide(storage->choice.state, storage, op, argument, output));

    storage->call.is_taken[argument] = is_taken;
    storage->call.is_copied[argument] = !is_taken;
    if (is_taken)
        storage_mark(storage, op->operands[argument].value, false);
    return is_taken;
}

/* Leaf @leaf of the result lives where operand @operand does. */
void storage_set_taken(struct storage *storage, const struct ir_op *op, unsigned leaf,
                       unsigned operand)
{
    struct storage_places places = {0};

    storage_push_places(storage, storage->call.operands[operand], &places);
    storage_set_places(storage, storage_leaf(storage, &op->result, leaf)->items[0], places.items,
                       places.count);
    array_finish(&places);
}

/* The operand that output @output, which asks for none, takes over; -1: none. */
static int64_t offer(struct storage *storage, struct ir_op *op, int output)
{
    int argument = storage->choice.offer
                       ? storage->choice.offer(storage->choice.state, storage, op, output)
                       : -1;

    if (argument >= 0) {
        storage->call.is_taken[argument] = true;
        storage_mark(storage, op->operands[argument].value, false);
    }
    return argument;
}

/* Output @output is made in the storage of operand @argument; -1: in new storage. */
static void set_output(struct storage *storage, const struct ir_op *op, unsigned output,
                       int64_t argument)
{
    if (argument < 0)
        storage_set_fresh(storage, op, output);
    else
        storage_set_taken(storage, op, output, (unsigned)argument);
}

/* Outputs that ask for an operand come first: others may have what is left. */
static void visit_outputs(struct storage *storage, struct ir_op *op)
{
    const struct ir_attr *indices =
        ir_op_is(op, IR_CORE_call_tir_inplace) ? ir_op_attr(op, "inplace_indices") : NULL;
    unsigned leaves = leaf_count(op->result.type);

    storage_begin_call(storage, op);
    for (unsigned is_open = 0; is_open < 2; is_open++)
        for (unsigned i = 0; i < leaves; i++) {
            int64_t argument = indices && i < indices->count ? indices->items[i]->integer : -1;

            if (argument >= (int64_t)op->operand_count)
                argument = -1;
            if ((argument < 0) != is_open)
                continue;
            if (is_open)
                argument = offer(storage, op, (int)i);
            else if (!storage_take(storage, op, (unsigned)argument, (int)i))
                argument = -1;
            set_output(storage, op, i, argument);
        }
}

/* A kernel that calls out of the module may keep what it was given. */
static void visit_kernel_call(struct storage *storage, struct ir_op *op)
{
    const struct ir_global *callee = ir_op_callee(op);
    bool is_inplace = ir_op_is(op, IR_CORE_call_tir_inplace);

    if (callee && callee->kind == IR_GLOBAL_KERNEL &&
        storage_kernel(storage->module, callee->kernel)->calls_out) {
        const struct ir_attr *indices = is_inplace ? ir_op_attr(op, "inplace_indices") : NULL;

        if (is_inplace)
            storage_begin_call(storage, op);
        for (unsigned i = 0; indices && i < indices->count; i++) /* so that it is decided */
            if (indices->items[i]->integer >= 0 &&
                indices->items[i]->integer < (int64_t)op->operand_count)
                (void)storage_take(storage, op, (unsigned)indices->items[i]->integer, (int)i);
        storage_visit_opaque(storage, op);
    } else if (is_inplace || storage->choice.offer) {
        visit_outputs(storage, op);
    } else {
        set_all_fresh(storage, op);
    }
}

/* ---- calls of functions ---- */

struct result_walk {
    struct storage *storage;
    const struct ir_op *call;
    const struct ir_function *callee;
    const struct storage_summary *summary;
    unsigned *fresh;            /* by number of new storage: its root, or 0 */
    unsigned *copies;           /* by parameter that is given a copy: that copy, or 0 */
    struct storage_sets *given; /* by parameter: what its leaves are, once one was asked for */
    struct ir_bindings symbols; /* of the callee */
};

/* What leaf @leaf of parameter @param of the callee is, in the terms of the call. */
static const struct storage_set *operand_leaf(struct result_walk *walk, unsigned param,
                                              unsigned leaf)
{
    struct storage *storage = walk->storage;
    struct storage_sets *sets = &walk->given[param];
    const struct ir_value *operand = walk->call->operands[param].value;

    if (sets->count == 0) {
        struct storage_sets given = {0};

        storage_sets_of(storage, operand, &given);
        storage_map_leaves(storage, operand->type, given.items, walk->callee->params[param]->type,
                           sets);
        array_finish(&given);
    }
    return leaf < sets->count ? sets->items[leaf] : storage_single(storage, STORAGE_ANYTHING);
}

/* The root of new storage that a call gives. */
static unsigned new_root(struct result_walk *walk, unsigned *known)
{
    if (!*known) {
        *known = storage_root_new(walk->storage, STORAGE_ALLOCATED, walk->call->result.loc);
        walk->storage->roots.items[*known].home = ir_op_function(walk->call);
    }
    return *known;
}

/* The region of @part: all of what is given, whatever that is, where it is all elements of a parameter. */
static struct storage_region region_of(struct ir_context *context, const struct ir_function *callee,
                                       const struct storage_part *part)
{
    struct ir_capacity capacity;
    const struct ir_expr *own;

    if (!part->is_parameter || part->region.is_around || !part->region.bytes ||
        !part->region.offset || !ir_expr_is_int(part->region.offset, 0) ||
        ir_capacity_of(callee, part->parameter, &capacity))
        return part->region;
    own = ir_type_bytes(context, leaf_type(callee->params[part->parameter]->type, part->leaf));
    return own && ir_prove_equal(context, own, part->region.bytes)
               ? storage_region_all(context, NULL)
               : part->region;
}

/* The places that what the callee gives as @part may have in the caller. */
static void push_part(struct result_walk *walk, const struct storage_part *part,
                      struct storage_places *out)
{
    struct storage *storage = walk->storage;
    struct ir_context *context = storage->module->module->context;
    size_t first = out->count;

    if (part->is_parameter && !storage->call.is_copied[part->parameter]) {
        storage_push_places(storage, operand_leaf(walk, part->parameter, part->leaf), out);
    } else if (part->is_parameter && walk->summary->retains[part->parameter]) {
        /* the copy that the callee gets is what code that is not seen may keep */
        array_push(out, (struct storage_place){.root = STORAGE_ROOT_OPAQUE});
    } else {
        unsigned *known =
            part->is_parameter ? &walk->copies[part->parameter] : &walk->fresh[part->number];
        struct storage_place place = {.root = new_root(walk, known),
                                      .region = storage_region_all(context, NULL)};

        array_push(out, place);
    }
    struct storage_region region = region_of(context, walk->callee, part);

    for (; first < out->count; first++)
        out->items[first].region =
            storage_region_bound(context, &out->items[first].region, &region, &walk->symbols);
}

/* A set of the leaf of the result: an origin of its own that lives in the places of @result. */
static const struct storage_set *result_leaf(struct result_walk *walk,
                                             const struct storage_result *result)
{
    struct storage *storage = walk->storage;
    struct storage_places places = {0};
    unsigned origin = storage_origin_new(storage, &walk->call->result, 0);

    for (unsigned i = 0; i < result->part_count; i++)
        push_part(walk, &result->parts[i], &places);
    if (result->is_constant) {
        unsigned root = storage_root_new(storage, STORAGE_CONSTANT, walk->call->result.loc);

        array_push(&places, (struct storage_place){.root = root});
    }
    if (result->is_opaque || places.count == 0)
        array_push(&places, (struct storage_place){.root = result->is_opaque ? STORAGE_ROOT_OPAQUE
                                                                             : STORAGE_ROOT_NONE});
    storage_set_places(storage, origin, places.items, places.count);
    array_finish(&places);
    return storage_single(storage, origin);
}

/* The places of each origin of the result from those of the leaves that the callee returns. */
static void set_results(struct storage *storage, const struct ir_op *call,
                        const struct ir_function *callee, const struct storage_summary *summary)
{
    struct storage_sets returned = {0}, sets = {0};
    struct result_walk walk = {
        .storage = storage, .call = call, .callee = callee, .summary = summary};
    unsigned numbers = 0;

    for (unsigned i = 0; i < call->operand_count; i++)
        ir_type_match(storage->module->module->context, callee->params[i]->type,
                      call->operands[i].value->type, &walk.symbols);
    for (unsigned i = 0; i < summary->result_count; i++)
        for (unsigned k = 0; k < summary->results[i].part_count; k++)
            if (!summary->results[i].parts[k].is_parameter &&
                summary->results[i].parts[k].number >= numbers)
                numbers = summary->results[i].parts[k].number + 1;
    walk.fresh = arena_array(&storage->arena, unsigned, numbers + 1);
    walk.copies = arena_array(&storage->arena, unsigned, call->operand_count + 1);
    walk.given = arena_array(&storage->arena, struct storage_sets, call->operand_count + 1);
    for (unsigned i = 0; i < summary->result_count; i++)
        array_push(&returned, result_leaf(&walk, &summary->results[i]));
    storage_map_leaves(storage, summary->type, returned.items, call->result.type, &sets);
    for (unsigned i = 0; i < leaf_count(call->result.type); i++) {
        struct storage_places places = {0};

        storage_push_places(storage, sets.items[i], &places);
        storage_set_places(storage, storage_leaf(storage, &call->result, i)->items[0], places.items,
                           places.count);
        array_finish(&places);
    }
    for (unsigned i = 0; i < call->operand_count; i++)
        array_finish(&walk.given[i]);
    array_finish(&walk.symbols);
    array_finish(&returned);
    array_finish(&sets);
}

/* A kernel called for its effect: it keeps nothing, unless it calls out of the module. */
static void visit_effect(struct storage *storage, struct ir_op *call, const struct tir_func *kernel)
{
    const struct kernel_access *access = storage_kernel(storage->module, kernel);

    if (access->calls_out) {
        storage_visit_opaque(storage, call);
        return;
    }
    for (unsigned i = 0; i < call->operand_count; i++) {
        const struct tir_param *param = kernel_param_of(kernel, call, i);

        if (!param || !access->params[param - kernel->params].writes)
            continue;
        storage_mark(storage, call->operands[i].value, true);
        storage_mark(storage, call->operands[i].value, false);
    }
    set_all_fresh(storage, call);
}

static void visit_call(struct storage *storage, struct ir_op *call)
{
    const struct ir_global *callee = ir_op_callee(call);

    if (callee && callee->kind == IR_GLOBAL_KERNEL) {
        visit_effect(storage, call, callee->kernel);
        return;
    }
    if (!callee || callee->kind != IR_GLOBAL_FUNCTION ||
        call->operand_count != callee->function->param_count) {
        storage_visit_opaque(storage, call);
        return;
    }
    const struct storage_summary *summary = storage_summary(storage->module, callee->function);

    if (!summary) {
        storage_visit_opaque(storage, call);
        return;
    }
    storage_begin_call(storage, call);
    for (unsigned i = 0; i < call->operand_count; i++)
        if (summary->overwrites[i])
            (void)storage_take(storage, call, i, -1);
    for (unsigned i = 0; i < call->operand_count; i++)
        if (summary->retains[i])
            storage_retain(storage, call->operands[i].value, call);
    for (unsigned i = 0; storage_has_effect(call) && i < call->operand_count; i++)
        storage_mark(storage, call->operands[i].value, true);
    set_results(storage, call, callee->function, summary);
}

/* ---- other ops ---- */

static void visit_if(struct storage *storage, struct ir_op *op)
{
    struct storage_sets sets = {0};
    unsigned leaves = leaf_count(op->result.type);

    for (unsigned i = 0; i < op->region_count; i++) {
        const struct ir_value *yielded = op->regions[i]->last->last->operands[0].value;
        struct storage_sets given = {0};

        storage_sets_of(storage, yielded, &given);
        storage_map_leaves(storage, yielded->type, given.items, op->result.type, &sets);
        array_finish(&given);
    }
    for (unsigned leaf = 0; leaf < leaves; leaf++) {
        struct storage_places places = {0};

        for (unsigned i = 0; i < op->region_count; i++)
            storage_push_places(storage, sets.items[i * leaves + leaf], &places);
        storage_set_places(storage, storage_leaf(storage, &op->result, leaf)->items[0],
                           places.items, places.count);
        array_finish(&places);
    }
    array_finish(&sets);
}

/* A tensor within a piece of storage: it holds nothing yet, so that it begins here. */
static void visit_part(struct storage *storage, const struct ir_op *op)
{
    struct storage_sets sets = {0};
    struct storage_places places = {0};

    storage_sets_of(storage, op->operands[0].value, &sets);
    for (size_t i = 0; i < sets.count; i++)
        storage_push_places(storage, sets.items[i], &places);
    for (size_t i = 0; i < places.count; i++)
        places.items[i].region =
            storage_part_region(storage, op, sets.count == 1, &places.items[i].region);
    for (unsigned i = 0; i < leaf_count(op->result.type); i++)
        storage_set_places(storage, storage_leaf(storage, &op->result, i)->items[0], places.items,
                           places.count);
    array_finish(&sets);
    array_finish(&places);
}

/* A nested function may be called at any time and be kept: what it captures is kept. */
static void retain_captured(struct storage *storage, const struct ir_op *op,
                            const struct ir_function *home)
{
    for (unsigned i = 0; i < op->operand_count; i++) {
        const struct ir_value *value = op->operands[i].value;

        if (ir_value_is_inline(value)) {
            retain_captured(storage, value->def, home);
            continue;
        }
        const struct ir_function *owner =
            value->def ? ir_op_function(value->def) : value->parameter_of;

        if (owner != home)
            storage_retain(storage, value, storage->maker);
    }
}

static void visit_region(struct storage *storage, struct ir_region *region);

static void set_params(struct storage *storage, const struct ir_function *function)
{
    for (unsigned i = 0; i < function->param_count; i++) {
        struct ir_value *param = function->params[i];

        for (unsigned leaf = 0; leaf < leaf_count(param->type); leaf++) {
            unsigned root = storage_root_new(storage, STORAGE_PARAMETER, param->loc);

            storage->roots.items[root].home = function;
            storage->roots.items[root].is_written = storage->module->has_effects;
            storage->roots.items[root].parameter = i;
            storage->roots.items[root].parameter_leaf = leaf;
            storage_set_whole(
                storage, storage_leaf(storage, param, leaf)->items[0], root,
                ir_type_bytes(storage->module->module->context, leaf_type(param->type, leaf)));
        }
    }
}

static void visit_op(struct storage *storage, struct ir_op *op)
{
    for (unsigned i = 0; i < op->region_count; i++)
        visit_region(storage, op->regions[i]);
    if (op->block->region->function != storage->function)
        retain_captured(storage, op, op->block->region->function);
    if (op->region_count > 0) {
        visit_if(storage, op);
    } else if (ir_op_is(op, IR_CORE_call_tir_inplace) || ir_op_is(op, IR_CORE_call_tir)) {
        visit_kernel_call(storage, op);
    } else if (ir_op_is(op, IR_CORE_call)) {
        visit_call(storage, op);
    } else if (ir_op_is(op, IR_CORE_call_dps_packed) || (op->info->traits & IR_OPAQUE)) {
        storage_visit_opaque(storage, op);
    } else if (ir_op_is(op, IR_CORE_function)) {
        struct ir_function *nested = ir_op_attr(op, "function")->function;

        const struct ir_op *outer = storage->maker;

        set_all_fresh(storage, op);
        set_params(storage, nested);
        storage->maker = op;
        visit_region(storage, nested->body);
        storage->maker = outer;
    } else if (storage_is_view(op)) {
        /* is where its operand is: storage_add_view() */
    } else if (storage_is_name(op) && op->info->core == IR_CORE_none &&
               (op->info->traits & IR_ALIAS)) {
        visit_part(storage, op);
    } else if (!storage_is_name(op) || op->operand_count == 0) {
        set_all_fresh(storage, op);
    }
    if (ir_op_is(op, IR_CORE_return) && storage->module->has_effects)
        storage_mark(storage, op->operands[0].value, true); /* by who gets it */
}

static void visit_region(struct storage *storage, struct ir_region *region)
{
    ir_for_each_block(block, region)
    {
        ir_for_each_op (op, block)
            visit_op(storage, op);
    }
}

void storage_find_roots(struct storage *storage)
{
    set_params(storage, storage->function);
    visit_region(storage, storage->function->body);
}
