/* Allocated buffers that nothing loads, and allocations that nothing names. */
#include "passes/loop/loop.h"

struct uses {
    struct map
        named; /* buffers that are loaded or seen in another way; stored ones too, if wanted */
    struct map *dead; /* out */
    bool with_stores;
};

static bool note_use(void *state, const struct ir_expr *a)
{
    struct uses *uses = state;

    if (a->kind == IR_EXPR_load)
        map_set(&uses->named, a->buffer, a->buffer);
    if (a->kind == IR_EXPR_var && a->dtype.code == IR_HANDLE)
        map_set(&uses->named, a->var, a->var);
    return true;
}

static bool note_uses(void *state, const struct ir_expr *a)
{
    return ir_expr_walk(a, note_use, state);
}

static bool note_stmt(void *state, struct tir_stmt *stmt)
{
    struct uses *uses = state;

    tir_stmt_walk_exprs(stmt, note_uses, uses);
    if (stmt->kind == TIR_STORE && uses->with_stores)
        map_set(&uses->named, stmt->store.buffer, stmt);
    if (stmt->kind == TIR_DECL && stmt->alloc.buffer->data_of)
        map_set(&uses->named, stmt->alloc.buffer->data_of, stmt);
    return true;
}

static bool note_dead(void *state, struct tir_stmt *stmt)
{
    struct uses *uses = state;
    const struct ir_buffer *buffer = stmt->kind == TIR_ALLOC ? stmt->alloc.buffer : NULL;

    if (buffer && !map_has(&uses->named, buffer) &&
        !(buffer->data_var && map_has(&uses->named, buffer->data_var)))
        map_set(uses->dead, buffer, buffer);
    return true;
}

static void find_dead(struct tir_stmt *body, struct map *dead, bool with_stores)
{
    struct uses uses = {.dead = dead, .with_stores = with_stores};

    tir_stmt_walk(body, note_stmt, &uses);
    tir_stmt_walk(body, note_dead, &uses);
    map_finish(&uses.named);
}

void loop_dead_buffers(struct tir_stmt *body, struct map *out)
{
    find_dead(body, out, false);
}

static struct tir_stmt *drop(struct loop_map *map, struct tir_stmt *stmt)
{
    if (stmt->kind == TIR_ALLOC)
        return map_has(map->state, stmt->alloc.buffer) ? NULL : stmt;
    return loop_map_parts(map, stmt);
}

struct tir_stmt *loop_drop_allocations(struct ir_module *module, struct tir_stmt *body)
{
    struct map unused = {0};
    struct loop_map map = {.module = module, .state = &unused, .stmt = drop};

    find_dead(body, &unused, true);
    if (unused.count > 0)
        body = drop(&map, body);
    map_finish(&unused);
    return body ? body : tir_stmt_new(module, TIR_SEQ, (struct location){0});
}
