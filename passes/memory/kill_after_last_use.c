/*
 * KillAfterLastUse: says where the life of each piece of storage ends.
 *
 *     cls.f(x, t)                     cls.f(x, t)
 *     cls.g(t, y)            =>       cls.g(t, y)
 *                                     R.memory.kill_tensor(t)
 *
 * What builtin.alloc_tensor made gets memory.kill_tensor, alloc_storage memory.kill_storage, and the
 * results of other ops vm.kill_object, after the last use of any value that may share the storage (names,
 * fields, results in place, what calls may return).  What leaves the function or the branch, and what
 * comes from outside, is not ended.  Inlay's own code frees storage by itself: the marks change nothing.
 */
#include "analysis/storage/storage.h"
#include "base/array.h"
#include "ir/build.h"
#include "ops/ids.h"
#include "passes/memory/force_pure.h"
#include "passes/pass.h"

/* One piece of storage. */
struct life {
    struct ir_region *region; /* of what makes it; NULL: nothing here does */
    struct ir_op *last;       /* in that region */
    bool is_kept;             /* is used elsewhere, leaves, or is ended already */
    unsigned owners;          /* index + 1 of the first */
};

struct owner {
    struct ir_op *op;
    unsigned next;
};

struct killer {
    struct pass_run *run;
    struct storage storage;
    struct life *lives; /* by number of the storage */
    array(struct owner) owners;
    array(unsigned) order; /* numbers, in the order in which storage is made */
};

static enum op_id end_of(const struct ir_op *op)
{
    switch (op_id(op)) {
    case OP_builtin_alloc_tensor:
        return OP_memory_kill_tensor;
    case OP_memory_alloc_storage:
        return OP_memory_kill_storage;
    default:
        return OP_vm_kill_object;
    }
}

static bool is_end(const struct ir_op *op)
{
    return op_is(op, OP_memory_kill_tensor) || op_is(op, OP_memory_kill_storage) ||
           op_is(op, OP_vm_kill_object);
}

static bool makes_storage(const struct ir_op *op)
{
    return !storage_is_name(op) && !(op->info->traits & IR_TERMINATOR) && op->region_count == 0 &&
           !ir_op_is(op, IR_CORE_call_tir_inplace) && !ir_op_is(op, IR_CORE_function) &&
           storage_is_in(op->result.type) && !ir_type_is_void(op->result.type);
}

/* The op of @region that @op is or stands in; NULL if it is outside. */
static struct ir_op *climb(struct ir_op *op, const struct ir_region *region)
{
    while (op && op->block->region != region)
        op = op->block->region->owner;
    return op;
}

static struct life *life_of(struct killer *k, const struct ir_value *value)
{
    return &k->lives[storage_class(&k->storage, value)];
}

static bool find_owner(void *state, struct ir_op *op)
{
    struct killer *k = state;
    unsigned number = storage_class(&k->storage, &op->result);
    struct life *life = &k->lives[number];

    if (!makes_storage(op))
        return true;
    if (!life->region) {
        life->region = op->block->region;
        array_push(&k->order, number);
    }
    array_push(&k->owners, (struct owner){op, life->owners});
    life->owners = (unsigned)k->owners.count;
    return true;
}

/* @op uses or makes a value of @life. */
static void extend(struct killer *k, struct life *life, struct ir_op *op, bool is_last)
{
    struct ir_op *at = life->region ? climb(op, life->region) : NULL;

    (void)k;
    if (!at || (at->info->traits & IR_TERMINATOR) || is_end(op))
        life->is_kept = true;
    else if (is_last)
        life->last = at; /* ops are visited in program order */
}

static void note_use(void *state, struct ir_use *use)
{
    if (!ir_value_is_inline(use->value))
        extend(state, life_of(state, use->value), ir_use_root(use), true);
}

static bool note_op(void *state, struct ir_op *op)
{
    struct killer *k = state;

    ir_op_walk_operands(op, note_use, k);
    extend(k, life_of(k, &op->result), op, !(op->info->traits & IR_TERMINATOR));
    if (ir_op_is(op, IR_CORE_function)) /* what it captures lives as long as it may be called */
        ir_region_walk(ir_op_attr(op, "function")->function->body, note_op, k);
    return true;
}

static bool insert_ends(struct killer *k)
{
    bool is_changed = false;

    for (size_t i = 0; i < k->order.count; i++) {
        const struct life *life = &k->lives[k->order.items[i]];

        if (life->is_kept || !life->last)
            continue;
        for (unsigned at = life->owners; at; at = k->owners.items[at - 1].next) {
            struct ir_op *owner = k->owners.items[at - 1].op;
            struct ir_builder b = {.module = k->run->module,
                                   .diag = k->run->diag,
                                   .block = life->last->block,
                                   .before = life->last->next,
                                   .loc = life->last->loc};
            struct ir_value *value = &owner->result;

            if (owner->block->region == life->region && ir_build_op(&b, end_of(owner), &value, 1))
                is_changed = true;
        }
    }
    return is_changed;
}

static bool kill_in(struct pass_run *run, struct storage_module *facts,
                    struct ir_function *function)
{
    struct killer k = {.run = run};

    storage_init(&k.storage, facts, function, NULL, NULL);
    k.lives = arena_array(&run->scratch, struct life, k.storage.roots.count);
    ir_region_walk(function->body, find_owner, &k);
    for (unsigned i = 0; i < function->param_count; i++)
        life_of(&k, function->params[i])->is_kept = true;
    ir_region_walk(function->body, note_op, &k);
    bool is_changed = insert_ends(&k);
    if (is_changed)
        force_pure(run->module, function);
    storage_finish(&k.storage);
    array_finish(&k.owners);
    array_finish(&k.order);
    return is_changed;
}

enum pass_result pass_kill_after_last_use(struct pass_run *run)
{
    struct storage_module facts;
    bool is_changed = false;

    storage_module_init(&facts, run->module);
    storage_module_solve(&facts);
    for (size_t i = 0; i < run->module->global_count; i++)
        if (run->module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            is_changed |= kill_in(run, &facts, run->module->globals[i]->function);
    storage_module_finish(&facts);
    return is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}
