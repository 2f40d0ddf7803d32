#include "analysis/kernel.h"

#include "analysis/access/loop.h"
#include "base/array.h"
#include "base/map.h"

#include <string.h>

/* ---- which parameters are touched, and how ---- */

struct access_walk {
    const struct tir_func *func;
    struct kernel_access *access;
    struct map matches; /* buffer that a block matched -> the buffer it is a rectangle of */
    array(const struct ir_buffer *) matched;
    struct location loc; /* of the statement being looked at */
};

/* The parameter that @buffer is, or whose storage it shows; -1 if none. */
static int param_of(const struct access_walk *walk, const struct ir_buffer *buffer, bool *out_same)
{
    *out_same = true;
    while (buffer) {
        for (unsigned i = 0; i < walk->func->param_count; i++)
            if (walk->func->params[i].buffer == buffer)
                return (int)i;
        const struct ir_buffer *matched = map_get(&walk->matches, buffer);

        buffer = matched ? matched : buffer->data_of;
        *out_same = false;
    }
    return -1;
}

static void touch(struct access_walk *walk, const struct ir_buffer *buffer, bool reads, bool writes)
{
    bool is_same;
    int param = param_of(walk, buffer, &is_same);

    if (param < 0)
        return;
    walk->access->params[param].reads |= reads;
    walk->access->params[param].writes |= writes;
    walk->access->params[param].is_stored |= writes;
    if (!is_same) {
        walk->access->params[param].is_indirect = true;
        if (!walk->access->indirect_loc.source)
            walk->access->indirect_loc = walk->loc;
    }
}

/* A rectangle of @buffer gets a name; what is done to it is seen where it is done. */
static void show(struct access_walk *walk, const struct ir_buffer *buffer)
{
    bool is_same;
    int param = param_of(walk, buffer, &is_same);

    if (param < 0)
        return;
    walk->access->params[param].is_indirect = true;
    if (!walk->access->indirect_loc.source)
        walk->access->indirect_loc = walk->loc;
}

/* The address of @buffer leaves the reach of index maps. */
static void expose(struct access_walk *walk, const struct ir_buffer *buffer)
{
    bool is_same;
    int param = param_of(walk, buffer, &is_same);

    if (param < 0)
        return;
    struct kernel_param *exposed = &walk->access->params[param];
    exposed->reads = exposed->writes = exposed->is_indirect = true;
    if (!walk->access->indirect_loc.source)
        walk->access->indirect_loc = walk->loc;
}

static bool takes_address(const char *name)
{
    return strcmp(name, "address_of") == 0 || strcmp(name, "tvm_access_ptr") == 0;
}

static bool leaves_module(const char *name)
{
    return strcmp(name, "call_extern") == 0 || strcmp(name, "call_packed") == 0 ||
           strcmp(name, "call_pure_extern") == 0 || strcmp(name, "call_cpacked") == 0 ||
           strcmp(name, "call_llvm_intrin") == 0 || strcmp(name, "tvm_call_packed") == 0;
}

static bool look_at_expr(void *state, const struct ir_expr *a)
{
    struct access_walk *walk = state;

    if (a->kind == IR_EXPR_load)
        touch(walk, a->buffer, true, false);
    if (a->kind == IR_EXPR_call && takes_address(a->name))
        for (unsigned i = 0; i < a->operand_count; i++)
            if (a->operands[i]->kind == IR_EXPR_load)
                expose(walk, a->operands[i]->buffer);
    if (a->kind == IR_EXPR_call && leaves_module(a->name)) {
        walk->access->calls_out = true;
        if (!walk->access->indirect_loc.source)
            walk->access->indirect_loc = walk->loc;
    }
    if (a->kind == IR_EXPR_var && a->dtype.code == IR_HANDLE) {
        for (unsigned i = 0; i < walk->func->param_count; i++)
            if (walk->func->params[i].buffer && walk->func->params[i].buffer->data_var == a->var)
                expose(walk, walk->func->params[i].buffer);
        for (size_t i = 0; i < walk->matched.count; i++)
            if (walk->matched.items[i]->data_var == a->var)
                expose(walk, walk->matched.items[i]);
    }
    return true;
}

static bool look_below(void *state, const struct ir_expr *a)
{
    return ir_expr_walk(a, look_at_expr, state);
}

static bool look_at_stmt(void *state, struct tir_stmt *stmt)
{
    struct access_walk *walk = state;

    walk->loc = stmt->loc;
    if (stmt->kind == TIR_STORE)
        touch(walk, stmt->store.buffer, false, true);
    if (stmt->kind == TIR_DECL && stmt->alloc.buffer->data && !stmt->alloc.buffer->data_of)
        for (unsigned i = 0; i < walk->func->param_count; i++)
            if (walk->func->params[i].buffer)
                expose(walk, walk->func->params[i].buffer);
    if (stmt->kind == TIR_BLOCK)
        for (unsigned i = 0; i < stmt->block.match_count; i++) {
            const struct tir_match *match = &stmt->block.matches[i];

            show(walk, match->source.buffer);
            map_set(&walk->matches, match->buffer, (void *)(uintptr_t)match->source.buffer);
            array_push(&walk->matched, match->buffer);
        }
    tir_stmt_walk_exprs(stmt, look_below, walk);
    return true;
}

struct kernel_access kernel_access(struct arena *arena, const struct tir_func *func)
{
    struct kernel_access access = {
        .params = arena_array(arena, struct kernel_param, func->param_count),
    };
    struct access_walk walk = {.func = func, .access = &access};

    tir_stmt_walk(func->body, look_at_stmt, &walk);
    map_finish(&walk.matches);
    array_finish(&walk.matched);
    return access;
}

/* ---- stores that read at their own index ---- */

enum { STORE_LIMIT = 64 }; /* each is compared with each */

struct pair_walk {
    const struct ir_buffer *written, *read;
    array(const struct tir_stmt *) stores; /* to @written */
    unsigned load_count;                   /* loads of @read anywhere */
    struct location other_load;
};

static bool count_load(void *state, const struct ir_expr *a)
{
    struct pair_walk *walk = state;

    if (a->kind == IR_EXPR_load && a->buffer == walk->read) {
        walk->load_count++;
        if (a->loc.source)
            walk->other_load = a->loc;
    }
    return true;
}

static bool count_below(void *state, const struct ir_expr *a)
{
    return ir_expr_walk(a, count_load, state);
}

static bool count_accesses(void *state, struct tir_stmt *stmt)
{
    struct pair_walk *walk = state;

    if (stmt->kind == TIR_STORE && stmt->store.buffer == walk->written)
        array_push(&walk->stores, stmt);
    tir_stmt_walk_exprs(stmt, count_below, walk);
    return true;
}

struct same_index {
    const struct tir_stmt *store;
    const struct ir_buffer *read;
    unsigned same;
};

static bool count_same_index(void *state, const struct ir_expr *a)
{
    struct same_index *walk = state;
    bool is_same = a->kind == IR_EXPR_load && a->buffer == walk->read &&
                   a->operand_count == walk->store->store.index_count;

    for (unsigned i = 0; is_same && i < a->operand_count; i++)
        is_same = ir_expr_equal(a->operands[i], walk->store->store.indices[i]);
    walk->same += is_same;
    return true;
}

/* How often the value of @store loads its own place from @read. */
static unsigned loads_at_place(const struct tir_stmt *store, const struct ir_buffer *read)
{
    struct same_index same = {.store = store, .read = read};

    ir_expr_walk(store->store.value, count_same_index, &same);
    return same.same;
}

/* Does each load stand in the value of a store at the very place, which no other store writes? */
static bool reads_first(const struct tir_func *func, const struct pair_walk *pair)
{
    unsigned load_count = 0;

    if (pair->stores.count > STORE_LIMIT)
        return false;
    for (size_t i = 0; i < pair->stores.count; i++)
        load_count += loads_at_place(pair->stores.items[i], pair->read);
    if (load_count != pair->load_count)
        return false;
    for (size_t i = 0; i < pair->stores.count; i++) {
        const struct tir_stmt *store = pair->stores.items[i];

        if (loads_at_place(store, pair->read) == 0)
            continue;
        if (store->store.predicate)
            return false;
        for (size_t k = 0; k < pair->stores.count; k++)
            if (!loop_stores_are_apart(func, store, pair->stores.items[k]))
                return false;
    }
    return true;
}

const struct tir_param *kernel_param_of(const struct tir_func *func, const struct ir_op *call,
                                        unsigned operand)
{
    unsigned before = 0;

    if (!ir_type_is_tensor(call->operands[operand].value->type))
        return NULL;
    for (unsigned i = 0; i < operand; i++)
        before += ir_type_is_tensor(call->operands[i].value->type);
    for (unsigned i = 0; i < func->param_count; i++)
        if (func->params[i].buffer && before-- == 0)
            return &func->params[i];
    return NULL;
}

static bool same_shape(const struct ir_buffer *a, const struct ir_buffer *b)
{
    return a->ndim == b->ndim && ir_dtype_equal(a->dtype, b->dtype) && !a->strides && !b->strides &&
           !a->elem_offset && !b->elem_offset;
}

bool kernel_reads_where_it_writes(const struct tir_func *func, unsigned written, unsigned read,
                                  struct location *out_conflict)
{
    struct arena scratch = {0};
    struct kernel_access access = kernel_access(&scratch, func);
    bool is_indirect = access.params[written].is_indirect || access.params[read].is_indirect;
    bool is_read = access.params[read].reads;
    bool is_written = access.params[read].writes;
    struct location indirect_loc = access.indirect_loc;

    arena_finish(&scratch);
    *out_conflict = indirect_loc;
    if (is_indirect || is_written)
        return false;
    if (!is_read)
        return true;

    struct pair_walk pair = {.written = func->params[written].buffer,
                             .read = func->params[read].buffer};
    tir_stmt_walk(func->body, count_accesses, &pair);
    *out_conflict = pair.other_load.source ? pair.other_load : func->loc;
    bool result =
        pair.stores.count > 0 && same_shape(pair.written, pair.read) && reads_first(func, &pair);
    array_finish(&pair.stores);
    return result;
}
