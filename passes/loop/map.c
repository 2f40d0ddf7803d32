/* Rewriting statements: copies that share what does not change. */
#include "passes/loop/loop.h"

#include <string.h>

static const struct ir_expr *map_expr(struct loop_map *map, const struct ir_expr *a)
{
    return a && map->expr ? map->expr(map, a) : a;
}

static bool map_exprs(struct loop_map *map, const struct ir_expr *const **items, unsigned count)
{
    const struct ir_expr **copy = NULL;

    for (unsigned i = 0; *items && i < count; i++) {
        const struct ir_expr *a = map_expr(map, (*items)[i]);

        if (a != (*items)[i] && !copy) {
            copy = arena_array(&map->module->arena, const struct ir_expr *, count);
            memcpy(copy, *items, count * sizeof(copy[0]));
        }
        if (copy)
            copy[i] = a;
    }
    if (copy)
        *items = copy;
    return copy != NULL;
}

static const struct ir_buffer *map_buffer(struct loop_map *map, const struct ir_buffer *buffer)
{
    return map->buffer ? map->buffer(map, buffer) : buffer;
}

static struct tir_stmt *map_stmt(struct loop_map *map, struct tir_stmt *stmt)
{
    struct tir_stmt *result = stmt ? map->stmt(map, stmt) : NULL;

    return stmt && !result ? tir_stmt_new(map->module, TIR_SEQ, stmt->loc) : result;
}

static const struct ir_var *define_var(struct loop_map *map, const struct ir_var *var)
{
    return map->define_var ? map->define_var(map, var) : var;
}

static struct ir_buffer *define_buffer(struct loop_map *map, struct ir_buffer *buffer)
{
    return map->define_buffer ? map->define_buffer(map, buffer) : buffer;
}

static struct tir_stmt *map_seq(struct loop_map *map, struct tir_stmt *stmt)
{
    struct arena *arena = &map->module->arena;
    unsigned total = 0, count = stmt->seq.count;
    struct tir_stmt **items = NULL;

    for (unsigned i = 0; i < count; i++) {
        struct tir_stmt *item = map->stmt(map, stmt->seq.items[i]);

        if (item != stmt->seq.items[i] && !items) {
            items = arena_array(arena, struct tir_stmt *, count);
            memcpy(items, stmt->seq.items, i * sizeof(items[0]));
        }
        if (items && item)
            items[total] = item;
        total += item != NULL;
    }
    if (!items)
        return stmt;
    struct tir_stmt *seq = tir_seq(map->module, items, total);
    if (seq->kind == TIR_SEQ)
        seq->loc = stmt->loc;
    return seq;
}

static bool map_regions(struct loop_map *map, struct tir_region **regions, unsigned count)
{
    struct tir_region *copy = arena_array(&map->module->arena, struct tir_region, count);
    bool is_changed = false;

    for (unsigned i = 0; i < count; i++) {
        copy[i] = (*regions)[i];
        copy[i].buffer = map_buffer(map, copy[i].buffer);
        is_changed |= copy[i].buffer != (*regions)[i].buffer;
        is_changed |= map_exprs(map, &copy[i].min, copy[i].buffer->ndim);
        is_changed |= map_exprs(map, &copy[i].extent, copy[i].buffer->ndim);
    }
    if (is_changed)
        *regions = copy;
    return is_changed;
}

static bool map_axes(struct loop_map *map, struct tir_stmt *copy)
{
    unsigned count = copy->block.axis_count;
    struct tir_axis *axes = arena_array(&map->module->arena, struct tir_axis, count);
    bool is_changed = false;

    for (unsigned i = 0; i < count; i++) {
        axes[i] = copy->block.axes[i];
        axes[i].min = map_expr(map, axes[i].min);
        axes[i].extent = map_expr(map, axes[i].extent);
        axes[i].value = map_expr(map, axes[i].value);
    }
    copy->block.predicate = map_expr(map, copy->block.predicate);
    for (unsigned i = 0; i < count; i++) {
        axes[i].var = define_var(map, axes[i].var);
        const struct tir_axis *old = &copy->block.axes[i];
        is_changed |= axes[i].var != old->var || axes[i].min != old->min ||
                      axes[i].extent != old->extent || axes[i].value != old->value;
    }
    if (is_changed)
        copy->block.axes = axes;
    return is_changed;
}

static bool map_block(struct loop_map *map, const struct tir_stmt *stmt, struct tir_stmt *copy)
{
    struct arena *arena = &map->module->arena;
    bool is_changed = map_axes(map, copy); /* and the predicate */

    copy->block.allocs = arena_array(arena, struct ir_buffer *, stmt->block.alloc_count);
    for (unsigned i = 0; i < stmt->block.alloc_count; i++) {
        copy->block.allocs[i] = define_buffer(map, stmt->block.allocs[i]);
        is_changed |= copy->block.allocs[i] != stmt->block.allocs[i];
    }
    copy->block.matches = arena_array(arena, struct tir_match, stmt->block.match_count);
    for (unsigned i = 0; i < stmt->block.match_count; i++) {
        struct tir_region *source = arena_new(arena, struct tir_region);

        *source = stmt->block.matches[i].source;
        is_changed |= map_regions(map, &source, 1);
        copy->block.matches[i].source = *source;
        copy->block.matches[i].buffer = define_buffer(map, stmt->block.matches[i].buffer);
        is_changed |= copy->block.matches[i].buffer != stmt->block.matches[i].buffer;
    }
    is_changed |= map_regions(map, &copy->block.reads, stmt->block.read_count);
    is_changed |= map_regions(map, &copy->block.writes, stmt->block.write_count);
    copy->block.init = map_stmt(map, stmt->block.init);
    copy->block.body = map_stmt(map, stmt->block.body);
    return is_changed || copy->block.init != stmt->block.init ||
           copy->block.body != stmt->block.body || copy->block.predicate != stmt->block.predicate;
}

static bool map_loop(struct loop_map *map, const struct tir_stmt *stmt, struct tir_stmt *copy)
{
    copy->loop.min = map_expr(map, stmt->loop.min);
    copy->loop.extent = map_expr(map, stmt->loop.extent);
    copy->loop.step = map_expr(map, stmt->loop.step);
    copy->loop.var = define_var(map, stmt->loop.var);
    copy->loop.body = map_stmt(map, stmt->loop.body);
    return copy->loop.min != stmt->loop.min || copy->loop.extent != stmt->loop.extent ||
           copy->loop.step != stmt->loop.step || copy->loop.var != stmt->loop.var ||
           copy->loop.body != stmt->loop.body;
}

static bool map_store(struct loop_map *map, const struct tir_stmt *stmt, struct tir_stmt *copy)
{
    bool is_changed = map_exprs(map, &copy->store.indices, stmt->store.index_count);

    copy->store.buffer = map_buffer(map, stmt->store.buffer);
    copy->store.value = map_expr(map, stmt->store.value);
    copy->store.predicate = map_expr(map, stmt->store.predicate);
    return is_changed || copy->store.buffer != stmt->store.buffer ||
           copy->store.value != stmt->store.value || copy->store.predicate != stmt->store.predicate;
}

static bool map_branch(struct loop_map *map, const struct tir_stmt *stmt, struct tir_stmt *copy)
{
    copy->branch.condition = map_expr(map, stmt->branch.condition);
    copy->branch.then_body = map_stmt(map, stmt->branch.then_body);
    copy->branch.else_body = map_stmt(map, stmt->branch.else_body);
    return copy->branch.condition != stmt->branch.condition ||
           copy->branch.then_body != stmt->branch.then_body ||
           copy->branch.else_body != stmt->branch.else_body;
}

static bool map_inside(struct loop_map *map, const struct tir_stmt *stmt, struct tir_stmt *copy)
{
    switch (stmt->kind) {
    case TIR_FOR:
        return map_loop(map, stmt, copy);
    case TIR_BLOCK:
        return map_block(map, stmt, copy);
    case TIR_STORE:
        return map_store(map, stmt, copy);
    case TIR_IF:
        return map_branch(map, stmt, copy);
    case TIR_LET:
        copy->let.value = map_expr(map, stmt->let.value);
        copy->let.var = define_var(map, stmt->let.var);
        return copy->let.value != stmt->let.value || copy->let.var != stmt->let.var;
    case TIR_ALLOC:
    case TIR_DECL:
        copy->alloc.buffer = define_buffer(map, stmt->alloc.buffer);
        return copy->alloc.buffer != stmt->alloc.buffer;
    case TIR_WHILE:
        copy->while_loop.condition = map_expr(map, stmt->while_loop.condition);
        copy->while_loop.body = map_stmt(map, stmt->while_loop.body);
        return copy->while_loop.condition != stmt->while_loop.condition ||
               copy->while_loop.body != stmt->while_loop.body;
    case TIR_EVALUATE:
    case TIR_RETURN:
        copy->value = map_expr(map, stmt->value);
        return copy->value != stmt->value;
    case TIR_ASSERT:
        copy->assertion.condition = map_expr(map, stmt->assertion.condition);
        return copy->assertion.condition != stmt->assertion.condition;
    case TIR_ATTR:
        copy->attr.value = map_expr(map, stmt->attr.value);
        copy->attr.body = map_stmt(map, stmt->attr.body);
        return copy->attr.value != stmt->attr.value || copy->attr.body != stmt->attr.body;
    case TIR_LAUNCH_THREAD:
        copy->launch.extent = map_expr(map, stmt->launch.extent);
        copy->launch.var = define_var(map, stmt->launch.var);
        copy->launch.body = map_stmt(map, stmt->launch.body);
        return copy->launch.extent != stmt->launch.extent || copy->launch.var != stmt->launch.var ||
               copy->launch.body != stmt->launch.body;
    case TIR_SEQ:
    case TIR_BREAK:
    case TIR_CONTINUE:
        return false;
    }
    UNREACHABLE("unknown statement");
}

struct tir_stmt *loop_map_parts(struct loop_map *map, struct tir_stmt *stmt)
{
    if (stmt->kind == TIR_SEQ)
        return map_seq(map, stmt);
    struct tir_stmt copy = *stmt;
    if (!map_inside(map, stmt, &copy))
        return stmt;
    struct tir_stmt *result = tir_stmt_new(map->module, stmt->kind, stmt->loc);
    *result = copy;
    return result;
}
