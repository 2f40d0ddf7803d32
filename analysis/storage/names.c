/* Origins, what names them, reads and positions: independent of in-place decisions. */
#include "analysis/leaves.h"
#include "analysis/storage/storage_internal.h"
#include "ir/contract.h"

bool storage_is_in(const struct ir_type *type)
{
    return type->kind != IR_TYPE_PRIM && type->kind != IR_TYPE_SHAPE;
}

/* Part of an operand's storage, maybe another part than all of it: its bytes count as an origin. */
static bool is_part(const struct ir_op *op)
{
    return op->info->core == IR_CORE_none && (op->info->traits & IR_ALIAS);
}

bool storage_is_name(const struct ir_op *op)
{
    return (op->info->traits & (IR_VIEW | IR_ALIAS)) != 0;
}

unsigned storage_position(const struct storage *storage, const struct ir_op *op)
{
    return storage->positions[op->result.index];
}

const struct storage_set *storage_leaf(const struct storage *storage, const struct ir_value *value,
                                       unsigned leaf)
{
    if (value->index >= storage->value_count || (value->index == 0 && value != storage->first))
        return storage->singletons.items[STORAGE_ANYTHING];
    return storage->leaves.items[storage->first_leaf[value->index] + leaf];
}

/* ---- what a value names ---- */

static unsigned constant_origin(struct storage *storage, const struct ir_op *op)
{
    const struct ir_constant *constant = ir_op_attr(op, "data")->constant;
    uintptr_t known = (uintptr_t)map_get(&storage->constants, constant);

    if (known)
        return (unsigned)known - 1;
    unsigned origin = storage_origin_new(storage, NULL, 0);

    storage_set_root(storage, origin, storage_root_new(storage, STORAGE_CONSTANT, op->loc));
    map_set(&storage->constants, constant, (void *)(uintptr_t)(origin + 1)); // NOLINT
    return origin;
}

void storage_sets_of(struct storage *storage, const struct ir_value *value,
                     struct storage_sets *out)
{
    const struct ir_op *def = value->def;

    if (!def || !ir_op_is_inline(def)) {
        for (unsigned i = 0; i < leaf_count(value->type); i++)
            array_push(out, storage_leaf(storage, value, i));
    } else if (ir_op_is(def, IR_CORE_tuple)) {
        for (unsigned i = 0; i < def->operand_count; i++)
            storage_sets_of(storage, def->operands[i].value, out);
    } else {
        unsigned origin = ir_op_is(def, IR_CORE_constant) ? constant_origin(storage, def)
                                                          : (unsigned)STORAGE_NOTHING;

        array_push(out, storage_single(storage, origin));
    }
}

static void begin_value(struct storage *storage, const struct ir_value *value)
{
    storage->first_leaf[value->index] = (unsigned)storage->leaves.count;
    if (value->index == 0)
        storage->first = value;
    array_push(&storage->values, (unsigned)storage->leaves.count);
}

static void push_leaves(struct storage *storage, const struct ir_value *value,
                        const struct storage_sets *sets)
{
    begin_value(storage, value);
    for (size_t i = 0; i < sets->count; i++)
        array_push(&storage->leaves, sets->items[i]);
}

static void push_origins(struct storage *storage, const struct ir_value *value)
{
    unsigned count = leaf_count(value->type);

    begin_value(storage, value);
    for (unsigned i = 0; i < count; i++)
        array_push(&storage->leaves,
                   storage_single(storage, storage_origin_new(storage, value, i)));
}

/* What field @index of @tuple names: the others may be many. */
static void push_field(struct storage *storage, const struct ir_value *tuple, unsigned index,
                       struct storage_sets *out)
{
    unsigned first = leaf_offset(tuple->type, index);

    if (ir_value_is_inline(tuple)) {
        storage_sets_of(storage, tuple->def->operands[index].value, out);
        return;
    }
    for (unsigned i = 0; i < leaf_count(tuple->type->fields[index]); i++)
        array_push(out, storage_leaf(storage, tuple, first + i));
}

/* The leaves of the result of @op, which is another name of operands. */
static void name_result(struct storage *storage, const struct ir_op *op)
{
    struct storage_sets given = {0}, sets = {0};
    const struct ir_type *to = op->result.type;

    if (ir_op_is(op, IR_CORE_tuple)) {
        /* the fields that were given, whatever the type says of them */
        for (unsigned i = 0; i < op->operand_count; i++)
            storage_sets_of(storage, op->operands[i].value, &given);
        if (to->kind == IR_TYPE_TUPLE && to->field_count == op->operand_count) {
            size_t from = 0;

            for (unsigned i = 0; i < op->operand_count; i++) {
                const struct ir_type *type = op->operands[i].value->type;

                storage_map_leaves(storage, type, given.items + from, to->fields[i], &sets);
                from += leaf_count(type);
            }
        } else {
            const struct storage_set *all = storage_union(storage, given.items, given.count);

            for (unsigned i = 0; i < leaf_count(to); i++)
                array_push(&sets, all);
        }
    } else {
        const struct ir_type *from = op->operands[0].value->type;

        if (ir_op_is(op, IR_CORE_tuple_get) && from->kind == IR_TYPE_TUPLE) {
            unsigned index = (unsigned)ir_op_attr(op, "index")->integer;

            push_field(storage, op->operands[0].value, index, &given);
            from = from->fields[index];
        } else {
            storage_sets_of(storage, op->operands[0].value, &given);
        }
        storage_map_leaves(storage, from, given.items, to, &sets);
    }
    push_leaves(storage, &op->result, &sets);
    array_finish(&given);
    array_finish(&sets);
}

static void visit_result(struct storage *storage, const struct ir_op *op)
{
    if (storage_is_name(op) && !is_part(op) && op->operand_count > 0)
        name_result(storage, op);
    else
        push_origins(storage, &op->result);
    for (unsigned i = 0; storage_is_view(op) && i < leaf_count(op->result.type); i++)
        storage_add_view(storage, storage_leaf(storage, &op->result, i)->items[0], op);
}

/* ---- reads ---- */

static void add_read(struct storage *storage, struct ir_op *op, const struct ir_value *name,
                     const struct storage_set *set)
{
    for (unsigned i = 0; i < set->count; i++)
        if (set->items[i] != STORAGE_NOTHING)
            array_push(&storage->origins.items[set->items[i]].reads,
                       (struct storage_read){
                           .position = storage_position(storage, op), .op = op, .name = name});
}

static void add_reads(struct storage *storage, struct ir_op *op, const struct ir_value *value)
{
    struct storage_sets sets = {0};
    const struct ir_op *def = value->def;

    if (def && ir_op_is_inline(def) && ir_op_is(def, IR_CORE_tuple)) {
        for (unsigned i = 0; i < def->operand_count; i++)
            add_reads(storage, op, def->operands[i].value);
        return;
    }
    storage_sets_of(storage, value, &sets);
    for (size_t i = 0; i < sets.count; i++)
        add_read(storage, op, value, sets.items[i]);
    array_finish(&sets);
}

enum { ROOM_LIMIT = 64 }; /* names of one room that are looked at */

/* Is all that is done with @value, and with parts of it, to make results there? */
static bool is_only_filled(const struct ir_value *value, unsigned *left)
{
    ir_for_each_use (use, value) {
        const struct ir_op *user = use->user;
        const struct ir_op *root = ir_use_root(use); /* some end together, in a tuple */
        bool is_end = (root->info->traits & IR_METADATA) && ir_type_is_void(root->result.type);

        if (*left == 0)
            return false;
        --*left;
        if (is_part(user) ? !is_only_filled(&user->result, left)
                          : !is_end && !ir_op_is(user, IR_CORE_call_tir_inplace))
            return false;
    }
    return true;
}

bool storage_is_room(const struct ir_value *value)
{
    unsigned left = ROOM_LIMIT;

    while (value->def && !(value->def->info->traits & IR_ALLOCATES) && is_part(value->def) &&
           value->def->operand_count > 0)
        value = value->def->operands[0].value;
    return value->def && (value->def->info->traits & IR_ALLOCATES) && is_only_filled(value, &left);
}

bool storage_is_room_for_result(const struct ir_op *op, unsigned i)
{
    const struct ir_attr *indices =
        ir_op_is(op, IR_CORE_call_tir_inplace) ? ir_op_attr(op, "inplace_indices") : NULL;

    for (unsigned k = 0; indices && k < indices->count; k++)
        if (indices->items[k]->integer == (int64_t)i)
            return storage_is_room(op->operands[i].value);
    return false;
}

/* A function whose contract gives an argument no part in the call looks at its type only. */
static void add_operand_reads(struct storage *storage, struct ir_op *op)
{
    struct ir_contract contract = ir_contract_of(op);

    for (unsigned i = 0; i < op->operand_count; i++)
        if ((!contract.attr || i < contract.first ||
             ir_contract_uses(&contract, i - contract.first)) &&
            !storage_is_room_for_result(op, i))
            add_reads(storage, op, op->operands[i].value);
}

/* ---- the walk ---- */

/* What a nested function captures counts as read, though an op of it only names it. */
static void add_captured(struct storage *storage, struct ir_op *root, const struct ir_op *op)
{
    const struct ir_function *home = root->block->region->function;

    for (unsigned i = 0; i < op->operand_count; i++) {
        const struct ir_value *value = op->operands[i].value;

        if (ir_value_is_inline(value))
            add_captured(storage, root, value->def);
        else if ((value->def ? ir_op_function(value->def) : value->parameter_of) != home)
            add_reads(storage, root, value);
    }
}

static void visit_region(struct storage *storage, struct ir_region *region);

static void visit_op(struct storage *storage, struct ir_op *op)
{
    /* operands are read here, in front of the branches */
    storage->positions[op->result.index] = storage->next_position++;
    if (!storage_is_name(op) && !ir_op_is(op, IR_CORE_output) && !(op->info->traits & IR_METADATA))
        add_operand_reads(storage, op);
    if (op->block->region->function != storage->function)
        add_captured(storage, op, op);
    for (unsigned i = 0; i < op->region_count; i++)
        visit_region(storage, op->regions[i]);
    if (op->region_count > 0)
        storage->positions[op->result.index] = storage->next_position++;
    visit_result(storage, op);
    if (ir_op_is(op, IR_CORE_function)) { /* whose body may call it */
        struct ir_function *nested = ir_op_attr(op, "function")->function;

        for (unsigned i = 0; i < nested->param_count; i++)
            push_origins(storage, nested->params[i]);
        visit_region(storage, nested->body);
    }
}

static void visit_region(struct storage *storage, struct ir_region *region)
{
    ir_for_each_block(block, region)
    {
        ir_for_each_op (op, block)
            visit_op(storage, op);
    }
}

void storage_find_names(struct storage *storage)
{
    struct ir_function *function = storage->function;

    ir_function_number(function);
    storage->first_leaf = arena_array(&storage->arena, unsigned, function->value_count + 1);
    storage->positions = arena_array(&storage->arena, unsigned, function->value_count + 1);
    storage->value_count = function->value_count;
    (void)storage_origin_new(storage, NULL, 0); /* STORAGE_NOTHING */
    (void)storage_origin_new(storage, NULL, 0); /* STORAGE_ANYTHING */
    (void)storage_root_new(storage, STORAGE_NONE, function->loc);
    (void)storage_root_new(storage, STORAGE_OPAQUE, function->loc);
    storage_set_root(storage, STORAGE_NOTHING, STORAGE_ROOT_NONE);
    storage_set_root(storage, STORAGE_ANYTHING, STORAGE_ROOT_OPAQUE);
    (void)storage_single(storage, STORAGE_ANYTHING);
    for (unsigned i = 0; i < function->param_count; i++)
        push_origins(storage, function->params[i]);
    visit_region(storage, function->body);
}
