/*
 * EliminateCommonSubexpr: a pure op that an earlier one has computed already becomes another use of it.
 *
 *     a = R.add(x, y); b = R.add(x, y)    =>    uses of b become uses of a
 *
 * Legal for in-place calls too: what they mean is a function of their arguments.  An op counts where it
 * dominates: everything in front of it in its region and in the regions around.  Allocations are never
 * merged (each is a piece of storage that others write), nor match_cast, which binds symbols.  What an op
 * with effects may write is another value each time, and must not become another name of anything.
 *
 * Two results that in-place calls update are two pieces of storage: as one, an update would be seen where
 * the other is read, and need the copy that ResolveInplace may have made just here.  They stay two.
 */
#include "analysis/storage/storage.h"
#include "base/array.h"
#include "base/assert.h"
#include "ir/edit/rewrite.h"
#include "ir/verify.h"
#include "passes/pass.h"

/* Ops that dominate the place reached, by hash; later ones of one hash first. */
struct known {
    uint64_t hash;
    struct ir_op *op;
    size_t previous; /* index + 1 of the entry that it hides in its slot */
};

enum { SLOTS = 1 << 14 };

struct table {
    array(struct known) entries;
    size_t *slots; /* index + 1 of the newest entry */
    struct storage storage;
};

static struct ir_op *find(const struct table *table, const struct ir_op *op, uint64_t hash)
{
    for (size_t at = table->slots[hash % SLOTS]; at; at = table->entries.items[at - 1].previous) {
        const struct known *known = &table->entries.items[at - 1];

        if (known->hash == hash && rewrite_same_op(known->op, op))
            return known->op;
    }
    return NULL;
}

static void add(struct table *table, struct ir_op *op, uint64_t hash)
{
    size_t *slot = &table->slots[hash % SLOTS];

    array_push(&table->entries, (struct known){.hash = hash, .op = op, .previous = *slot});
    *slot = table->entries.count;
}

/* Forgets the entries behind the first @count: their region ends. */
static void forget(struct table *table, size_t count)
{
    while (table->entries.count > count) {
        assert(table->entries.items);
        struct known known = array_pop(&table->entries);

        table->slots[known.hash % SLOTS] = known.previous;
    }
}

static bool reads_written(struct storage *storage, const struct ir_op *op)
{
    for (unsigned i = 0; i < op->operand_count; i++) {
        const struct ir_value *value = op->operands[i].value;

        if (ir_value_is_inline(value) ? reads_written(storage, value->def)
                                      : storage_is_written(storage, value))
            return true;
    }
    return false;
}

/* Is the result new storage that an in-place call updates? */
static bool makes_updated(struct storage *storage, const struct ir_op *op)
{
    return !storage_is_name(op) && !ir_op_is(op, IR_CORE_call_tir_inplace) &&
           storage_is_in(op->result.type) && storage_is_changed(storage, &op->result);
}

static bool can_merge(struct table *table, const struct ir_op *op)
{
    uint32_t never = IR_TERMINATOR | IR_ALLOCATES;

    return !(op->info->traits & never) && op->region_count == 0 &&
           !ir_op_is(op, IR_CORE_match_cast) && !ir_op_is(op, IR_CORE_function) &&
           ir_op_is_pure(op) && !storage_is_written(&table->storage, &op->result) &&
           !makes_updated(&table->storage, op) && !reads_written(&table->storage, op);
}

static bool sweep_region(struct pass_run *run, struct table *table, struct ir_region *region)
{
    size_t outer = table->entries.count;
    bool is_changed = false;

    ir_for_each_block(block, region)
    {
        ir_for_each_op_safe (op, block) {
            for (unsigned i = 0; i < op->region_count; i++)
                is_changed |= sweep_region(run, table, op->regions[i]);
            if (!can_merge(table, op))
                continue;
            uint64_t hash = rewrite_hash_op(op);
            struct ir_op *earlier = find(table, op, hash);

            if (!earlier || earlier->result.type != op->result.type) {
                add(table, op, hash);
                continue;
            }
            rewrite_replace(run->module, op, &earlier->result);
            is_changed = true;
        }
    }
    forget(table, outer);
    return is_changed;
}

enum pass_result pass_eliminate_common_subexpr(struct pass_run *run)
{
    struct table table = {.slots = arena_array(&run->scratch, size_t, SLOTS)};
    struct storage_module facts;
    bool is_changed = false;

    storage_module_init(&facts, run->module);
    storage_module_solve(&facts);
    for (size_t i = 0; i < run->module->global_count; i++) {
        struct ir_function *function = run->module->globals[i]->function;

        if (run->module->globals[i]->kind != IR_GLOBAL_FUNCTION)
            continue;
        storage_init(&table.storage, &facts, function, NULL);
        is_changed |= sweep_region(run, &table, function->body);
        storage_finish(&table.storage);
    }
    storage_module_finish(&facts);
    array_finish(&table.entries);
    return is_changed ? PASS_CHANGED : PASS_UNCHANGED;
}
