/* Lists of accesses: of kernels and of statements, and questions to them. */
#include "analysis/access/access.h"

#include "analysis/access/internal.h"
#include "analysis/access/presburger_internal.h"

#include <string.h>

/* ---- the way to a statement ---- */

struct path {
    array(const struct tir_stmt *) items; /* the innermost first, without the wanted one */
};

static bool find(struct path *path, const struct tir_stmt *stmt, const struct tir_stmt *wanted)
{
    struct tir_stmt *child;

    if (stmt == wanted)
        return true;
    for (unsigned i = 0; (child = tir_stmt_child(stmt, i)) != NULL; i++)
        if (find(path, child, wanted)) {
            array_push(&path->items, stmt);
            return true;
        }
    return false;
}

/* What stands in a sequence before @next. */
static void pass_by(struct collector *c, const struct tir_stmt *seq, const struct tir_stmt *next)
{
    for (unsigned i = 0; i < seq->seq.count && seq->seq.items[i] != next; i++) {
        const struct tir_stmt *stmt = seq->seq.items[i];

        /* what a let that loads elements says was true when it ran */
        if (stmt->kind == TIR_LET && access_resolve(c, stmt->let.value))
            access_define(c, stmt->let.var, stmt->let.value);
        else if (stmt->kind == TIR_ASSERT)
            access_push_guard(c, stmt->assertion.condition, false);
        else if (stmt->kind == TIR_ALLOC)
            access_allocate(c, stmt->alloc.buffer);
        else if (stmt->kind == TIR_DECL && stmt->alloc.buffer->data_of)
            access_declare(c, stmt->alloc.buffer);
    }
}

/* Adds what @stmt says of what is inside of it, at its child @next. */
static void go_down(struct collector *c, const struct tir_stmt *stmt, const struct tir_stmt *next)
{
    c->stmt = stmt;
    if (stmt->kind == TIR_SEQ)
        pass_by(c, stmt, next);
    else if (stmt->kind == TIR_FOR)
        access_push_loop(c, stmt);
    else if (stmt->kind == TIR_WHILE)
        access_push_while(c, stmt);
    else if (stmt->kind == TIR_BLOCK)
        access_enter_block(c, stmt);
    else if (stmt->kind == TIR_IF)
        access_push_guard(c, stmt->branch.condition, next == stmt->branch.else_body);
}

static void enter(struct collector *c, const struct tir_stmt *place)
{
    struct path path = {0};

    (void)find(&path, c->func->body, place);
    for (size_t i = path.items.count; i-- > 0;)
        go_down(c, path.items.items[i], i > 0 ? path.items.items[i - 1] : place);
    array_finish(&path.items);
}

/* ---- lists ---- */

static const struct access_list *collect(struct access_cache *cache, const struct tir_func *func,
                                         const struct tir_stmt *place, const struct tir_stmt *stmt)
{
    struct access_list *list = arena_new(&cache->arena, struct access_list);
    struct collector c = {
        .context = func->module->context, .arena = &cache->arena, .func = func, .list = list};

    enter(&c, place);
    list->func = func;
    list->outer = c.frame;
    c.keeps_loads = true;
    access_collect(&c, stmt);
    struct access *items = arena_array(&cache->arena, struct access, c.items.count + 1);
    if (c.items.count > 0)
        memcpy(items, c.items.items, c.items.count * sizeof(items[0]));
    list->items = items;
    list->count = c.items.count;
    for (size_t i = 0; i < list->count; i++) {
        if (items[i].kind == ACCESS_WRITE || items[i].kind == ACCESS_EXPOSE)
            map_set(&list->written, items[i].root, items[i].root);
        list->has_jumps |= items[i].effect == ACCESS_JUMP;
    }
    array_push(&cache->all, list);
    array_finish(&c.items);
    array_finish(&c.values);
    array_finish(&c.buffers);
    map_finish(&c.views);
    map_finish(&c.homes);
    return list;
}

const struct access_list *access_of_stmt(struct access_cache *cache, const struct tir_func *func,
                                         const struct tir_stmt *place, const struct tir_stmt *stmt)
{
    return collect(cache, func, place, stmt);
}

const struct access_list *access_of(struct access_cache *cache, const struct tir_func *func)
{
    const struct access_list *list = map_get(&cache->lists, func->body);

    if (!list) {
        list = collect(cache, func, func->body, func->body);
        map_set(&cache->lists, func->body, list);
    }
    return list;
}

void access_cache_finish(struct access_cache *cache)
{
    for (size_t i = 0; i < cache->all.count; i++) {
        map_finish(&cache->all.items[i]->owners);
        map_finish(&cache->all.items[i]->written);
    }
    array_finish(&cache->all);
    map_finish(&cache->lists);
    presburger_free(cache->isl);
    cache->isl = NULL;
    arena_finish(&cache->arena);
}

/* ---- questions ---- */

const struct access_frame *access_loop_at(const struct access_frame *frame, unsigned depth)
{
    while (frame && (frame->kind != ACCESS_LOOP || frame->depth > depth + 1))
        frame = frame->parent;
    return frame && frame->depth == depth + 1 ? frame : NULL;
}

bool access_is_inside(const struct access_frame *frame, const struct access_frame *outer)
{
    while (frame && frame != outer)
        frame = frame->parent;
    return frame == outer;
}

static unsigned depth_of(const struct access *a)
{
    return a->frame ? a->frame->depth : 0;
}

unsigned access_common_loops(const struct access *a, const struct access *b)
{
    unsigned least = depth_of(a) < depth_of(b) ? depth_of(a) : depth_of(b);

    while (least > 0 &&
           access_loop_at(a->frame, least - 1)->stmt != access_loop_at(b->frame, least - 1)->stmt)
        least--;
    return least;
}

const struct ir_buffer *access_root(const struct access_list *list, const struct ir_buffer *buffer)
{
    const struct ir_buffer *root = map_get(&list->owners, buffer);

    return root ? root : buffer;
}

int access_param_of(const struct tir_func *func, const struct ir_buffer *root)
{
    for (unsigned i = 0; i < func->param_count; i++)
        if (func->params[i].buffer == root)
            return (int)i;
    return -1;
}
