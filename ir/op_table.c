/*
 * The operator table of a context: rows in the order they were added, found by name.
 *
 * Names are hashed by their text and not looked up as atoms, so that asking for an operator that is
 * not there leaves no trace in the context.  No two rows have the same hash.
 */
#include "base/array.h"
#include "base/assert.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/text.h"
#include "ir/internal.h"
#include "ir/module.h"

#include <string.h>

struct ir_op_table {
    array(struct ir_op_info *) ops;
    struct map by_name; /* by the hash of the name */
    const struct ir_op_info *core[IR_CORE_COUNT];
    array(const struct ir_op_info *) library; /* by library_id */
};

struct ir_op_table *ir_op_table_create(void)
{
    return memory_new(sizeof(struct ir_op_table), 1);
}

void ir_op_table_destroy(struct ir_op_table *table)
{
    if (!table)
        return;
    array_finish(&table->ops);
    array_finish(&table->library);
    map_finish(&table->by_name);
    memory_free(table);
}

static const void *name_key(const char *name)
{
    return hash_key(hash_text(name));
}

static void set_library_op(struct ir_op_table *table, const struct ir_op_info *info)
{
    while (table->library.count <= info->library_id)
        array_push(&table->library, NULL);
    assert(!table->library.items[info->library_id]);
    table->library.items[info->library_id] = info;
}

void ir_context_add_op(struct ir_context *context, const struct ir_op_row *row)
{
    struct ir_op_table *table = context->ops;
    struct ir_op_info *info = arena_new(&context->arena, struct ir_op_info);

    info->name = atom_intern_text(&context->atoms, row->name);
    info->core = row->core;
    info->library_id = row->library_id;
    info->id = (unsigned)table->ops.count;
    info->traits = row->traits;
    info->infer = row->infer;
    info->lower = row->lower;
    info->absent = row->absent;
    info->doc = row->doc;
    info->signature = row->signature;
    ir_signature_parse(context, info);
    assert(!map_has(&table->by_name, name_key(info->name))); /* each operator has one row */
    map_set(&table->by_name, name_key(info->name), info);
    array_push(&table->ops, info);
    if (info->core != IR_CORE_none)
        table->core[info->core] = info;
    if (info->library_id != 0)
        set_library_op(table, info);
}

void ir_context_add_core_ops(struct ir_context *context)
{
    static const struct ir_op_row rows[] = {
#define CORE(name_, signature_, traits_, doc_) \
    {.name = #name_,                           \
     .core = IR_CORE_##name_,                  \
     .signature = (signature_),                \
     .traits = (traits_),                      \
     .doc = (doc_)},
#include "ir/core.def"
    };

    for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
        ir_context_add_op(context, &rows[i]);
}

const struct ir_op_info *ir_find_op(const struct ir_context *context, const char *name)
{
    const struct ir_op_info *info = map_get(&context->ops->by_name, name_key(name));

    return info && strcmp(info->name, name) == 0 ? info : NULL;
}

const struct ir_op_info *ir_core_op(const struct ir_context *context, enum ir_core core)
{
    assert(core != IR_CORE_none && context->ops->core[core]);
    return context->ops->core[core];
}

const struct ir_op_info *ir_library_op(const struct ir_context *context, unsigned library_id)
{
    assert(library_id != 0 && library_id < context->ops->library.count);
    return context->ops->library.items[library_id];
}

unsigned ir_op_count(const struct ir_context *context)
{
    return (unsigned)context->ops->ops.count;
}

const struct ir_op_info *ir_op_at(const struct ir_context *context, unsigned id)
{
    assert(id < context->ops->ops.count);
    return context->ops->ops.items[id];
}

static const char *last_part(const char *name)
{
    const char *dot = strrchr(name, '.');

    return dot ? dot + 1 : name;
}

/* Also near: the same last part in another folder, as `relu` for `nn.relu`. */
static unsigned distance(const char *name, const char *candidate)
{
    unsigned whole = text_distance(name, strlen(name), candidate, strlen(candidate));
    const char *name_part = last_part(name);
    const char *candidate_part = last_part(candidate);

    if (name_part == name && candidate_part == candidate)
        return whole;
    unsigned part =
        1 + text_distance(name_part, strlen(name_part), candidate_part, strlen(candidate_part));
    return part < whole ? part : whole;
}

unsigned ir_nearest_ops(const struct ir_context *context, const char *name, const char **out_names,
                        unsigned limit)
{
    size_t length = strlen(last_part(name));
    unsigned furthest = length < 4 ? 1 : length < 8 ? 2 : 3;
    unsigned count = 0;

    for (unsigned d = 0; d <= furthest && count < limit; d++) {
        for (size_t i = 0; i < context->ops->ops.count && count < limit; i++) {
            const struct ir_op_info *info = context->ops->ops.items[i];

            if (!(info->traits & IR_TERMINATOR) && info->core != IR_CORE_function &&
                info->core != IR_CORE_call && distance(name, info->name) == d)
                out_names[count++] = info->name;
        }
    }
    return count;
}
