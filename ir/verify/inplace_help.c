/*
 * Which argument an entry of inplace_indices should have named: the one that the kernel stores to and that no entry
 * names, where there is only one.
 */
#include "ir/verify.h"

#include <limits.h>

struct stores {
    const struct ir_buffer *buffer;
    bool has_one;
};

static bool look_at(void *state, struct tir_stmt *stmt)
{
    struct stores *stores = state;

    stores->has_one |= stmt->kind == TIR_STORE && stmt->store.buffer == stores->buffer;
    return !stores->has_one;
}

/* The buffer of the @index-th parameter of @kernel that is one. */
static const struct ir_buffer *buffer_of(const struct tir_func *kernel, unsigned index)
{
    for (unsigned i = 0; i < kernel->param_count; i++)
        if (kernel->params[i].buffer && index-- == 0)
            return kernel->params[i].buffer;
    return NULL;
}

static bool is_named(const struct ir_attr *map, int64_t argument)
{
    for (unsigned i = 0; i < map->count; i++)
        if (map->items[i]->kind == IR_ATTR_INT && map->items[i]->integer == argument)
            return true;
    return false;
}

static int64_t meant(const struct ir_op *op)
{
    const struct ir_global *callee = ir_op_callee(op);
    const struct ir_attr *map = ir_op_attr(op, "inplace_indices");
    unsigned tensors = 0;
    int64_t found = -1;

    if (!callee || callee->kind != IR_GLOBAL_KERNEL)
        return -1;
    for (unsigned i = 0; i < op->operand_count; i++) {
        if (!ir_type_is_tensor(op->operands[i].value->type))
            continue;
        struct stores stores = {.buffer = buffer_of(callee->kernel, tensors++)};
        if (stores.buffer && callee->kernel->body)
            tir_stmt_walk(callee->kernel->body, look_at, &stores);
        if (!stores.has_one || is_named(map, i))
            continue;
        if (found >= 0)
            return -1;
        found = i;
    }
    return found;
}

struct location ir_inplace_entry(const struct ir_op *op, unsigned entry)
{
    struct location list = location_argument(op->loc, UINT_MAX, "inplace_indices");

    if (!op->loc.source || list.begin == op->loc.begin || list.source->text[list.begin] != '[')
        return list;
    return location_argument(list, entry, NULL);
}

void ir_inplace_help(struct diag_message *m, const struct ir_op *op, unsigned entry)
{
    int64_t argument = meant(op);
    struct location place = ir_inplace_entry(op, entry);

    if (argument < 0)
        return;
    diag_help(m, "the kernel writes argument %lld, which no entry names", (long long)argument);
    if (place.end > place.begin && place.begin > op->loc.begin)
        diag_help_edit(m, place, "%lld", (long long)argument);
}
