/*
 * KillAfterLastUse: says where storage is given back.
 *
 *     y_dest = R.builtin.alloc_tensor(..)          y_dest = R.builtin.alloc_tensor(..)
 *     y = R.call_tir_inplace(cls.f, (x, y_dest))   y = R.call_tir_inplace(cls.f, (x, y_dest))
 *     z = R.copy(y)                          =>    z = R.copy(y)
 *                                                  R.memory.kill_tensor(y_dest)
 *
 * An end stands behind the last use of all that may live in the storage (lives.c), and names what took
 * it: an allocation, an operator, a call, or the `if` whose branch made it.  Names that may be the same
 * storage end in one op, R.vm.kill_object((a, b)).  Nothing else gives storage back before the run is
 * over.  Functions get the attribute relax.force_pure: an end has an effect by the
 * rules of the language, but none that a reader of values could see.
 */
#include "passes/memory/kill_after_last_use.h"

#include "analysis/leaves.h"
#include "ir/build.h"
#include "ops/ids.h"
#include "passes/memory/force_pure.h"
#include "passes/memory/lives.h"
#include "passes/pass.h"

/* ---- names of leaves ---- */

/* Field @index of @tuple as a value that is there in front of the place of @b. */
static struct ir_value *field_of(struct ir_builder *b, const struct storage *storage,
                                 struct ir_value *tuple, unsigned index, const struct ir_op *after)
{
    ir_for_each_use (use, tuple) {
        struct ir_op *get = use->user;

        /* (index 0: made after the analysis, for an end that comes later) */
        if (ir_op_is(get, IR_CORE_tuple_get) && get->block && get->result.index > 0 &&
            get->block->region == after->block->region &&
            ir_op_attr(get, "index")->integer == (int64_t)index &&
            storage_position(storage, get) <= storage_position(storage, after))
            return &get->result;
    }
    return ir_build_tuple_get(b, tuple, index);
}

/* Leaf @leaf of @value as a value of its own. */
static struct ir_value *leaf_value(struct ir_builder *b, const struct storage *storage,
                                   const struct life_end *end)
{
    struct ir_value *value = end->value;
    unsigned leaf = end->leaf;

    while (value && value->type->kind == IR_TYPE_TUPLE) {
        const struct ir_type *type = value->type;
        unsigned field = 0;

        while (field + 1 < type->field_count && leaf_offset(type, field + 1) <= leaf)
            field++;
        leaf -= leaf_offset(type, field);
        value = field_of(b, storage, value, field, end->after);
    }
    return value;
}

static enum op_id end_of(const struct ir_value *value)
{
    if (value->type->kind == IR_TYPE_TENSOR)
        return OP_memory_kill_tensor;
    bool is_piece = value->def && (op_is(value->def, OP_memory_alloc_storage) ||
                                   op_is(value->def, OP_vm_alloc_storage));
    return is_piece ? OP_memory_kill_storage : OP_vm_kill_object;
}

/* ---- ends ---- */

struct killer {
    struct ir_module *module;
    struct diag *diag;
    struct arena *scratch;
};

/* One op for @count ends that belong together. */
static void insert_end(const struct killer *k, const struct storage *storage,
                       const struct life_end *ends, size_t count)
{
    struct ir_value **values = arena_array(k->scratch, struct ir_value *, count);
    struct ir_builder b = {.module = k->module,
                           .diag = k->diag,
                           .block = ends->after->block,
                           .before = ends->after->next,
                           .loc = ends->after->loc};

    for (size_t i = 0; i < count; i++) {
        values[i] = leaf_value(&b, storage, &ends[i]);
        if (!values[i])
            return;
    }
    enum op_id end = count > 1 ? OP_vm_kill_object : end_of(values[0]);

    if (count > 1)
        values[0] = ir_inline_tuple(k->module, values, (unsigned)count);
    (void)ir_build_op(&b, end, values, 1);
}

static bool kill_in(const struct killer *k, struct storage_module *facts,
                    struct ir_function *function)
{
    struct storage storage;
    struct life_ends ends = {0};

    storage_init(&storage, facts, function, NULL);
    lives_find(&storage, k->scratch, &ends);
    /* behind one op in the order in which storage was taken: the last one is put there first */
    for (size_t end = ends.count, i = end; i-- > 0;)
        if (!ends.items[i].is_joined) {
            insert_end(k, &storage, &ends.items[i], end - i);
            end = i;
        }
    bool is_changed = ends.count > 0;
    if (is_changed)
        force_pure(k->module, function);
    array_finish(&ends);
    storage_finish(&storage);
    return is_changed;
}

bool kill_after_last_use(struct ir_module *module, struct diag *diag, struct arena *scratch,
                         bool has_copies)
{
    struct killer k = {.module = module, .diag = diag, .scratch = scratch};
    struct storage_module facts;
    bool is_changed = false;

    storage_module_init(&facts, module);
    facts.has_copies = has_copies;
    storage_module_solve(&facts);
    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            is_changed |= kill_in(&k, &facts, module->globals[i]->function);
    storage_module_finish(&facts);
    return is_changed;
}

static bool erase_end(void *state, struct ir_op *op)
{
    bool *is_changed = state;

    if (ir_op_is(op, IR_CORE_function))
        ir_region_walk(ir_op_attr(op, "function")->function->body, erase_end, state);
    if (!lives_is_end(op))
        return true;
    ir_op_erase(op);
    *is_changed = true;
    return true;
}

bool kill_nothing(struct ir_module *module)
{
    bool is_changed = false;

    for (size_t i = 0; i < module->global_count; i++)
        if (module->globals[i]->kind == IR_GLOBAL_FUNCTION)
            ir_region_walk(module->globals[i]->function->body, erase_end, &is_changed);
    return is_changed;
}

enum pass_result pass_kill_after_last_use(struct pass_run *run)
{
    return kill_after_last_use(run->module, run->diag, &run->scratch, false) ? PASS_CHANGED
                                                                             : PASS_UNCHANGED;
}
