/*
 * FuseLoops: neighbouring loops over one range become one loop.
 *
 *     for i in range(n):                             for i in range(n):
 *         S[i] = 0                                       S[i] = 0
 *         for k in range(64):                            for k in range(64):
 *             S[i] = S[i] + A[i, k]        =>                S[i] = S[i] + A[i, k]
 *     for i, j in T.grid(n, 64):                         for j in range(64):
 *         B[i, j] = A[i, j] / S[i]                           B[i, j] = A[i, j] / S[i]
 *
 * Then what an iteration of the first loop leaves is still in the cache, or in a register once the buffer
 * between them is as small as its use (CompactBufferAllocation).
 *
 * Two loops are joined if no iteration of the second touches what a later one of the first does
 * (analysis/access/loop.h), if they have a buffer in common, and if what runs in parallel or on vectors
 * before still can: exp(x) on vectors in one loop with a sum in order would become a serial loop.  What
 * stands between the loops goes in front of both or behind, where it may.  Nothing is done over
 * again, and each element is computed from the same ones in the same order.
 */
#include "analysis/access/loop.h"
#include "base/array.h"
#include "base/map.h"
#include "passes/loop/loop.h"

#include <string.h>

enum {
    REACH = 12,       /* statements that may lie between two loops */
    SIZE_LIMIT = 512, /* statements in one loop: each test of it looks at all of them */
    ROUND_LIMIT = 64, /* one for each depth of loops, and one more */
};

struct fusion {
    struct ir_module *module;
    struct tir_func func; /* with the body of this round */
    bool serial, is_changed;
};

/* One statement of a sequence. */
struct item {
    struct tir_stmt *stmt;
    /* of loops: the storage that is touched inside, and the same in the order of the text */
    struct map touched;
    array(const struct ir_buffer *) buffers;
    unsigned size; /* statements */
    enum { UNKNOWN, DEPENDENT, INDEPENDENT } iterations;
};

/* ---- buffers in common ---- */

static void touch(struct item *item, const struct ir_buffer *buffer)
{
    while (buffer->data_of)
        buffer = buffer->data_of;
    if (map_has(&item->touched, buffer))
        return;
    map_set(&item->touched, buffer, (void *)(uintptr_t)buffer);
    array_push(&item->buffers, buffer);
}

static bool look_at_expr(void *state, const struct ir_expr *a)
{
    if (a->kind == IR_EXPR_load)
        touch(state, a->buffer);
    return true;
}

static bool look_below(void *state, const struct ir_expr *a)
{
    return ir_expr_walk(a, look_at_expr, state);
}

static bool look_at_stmt(void *state, struct tir_stmt *stmt)
{
    struct item *item = state;

    item->size++;
    if (stmt->kind == TIR_STORE)
        touch(item, stmt->store.buffer);
    return tir_stmt_walk_exprs(stmt, look_below, item);
}

static void start_item(struct item *item, struct tir_stmt *stmt)
{
    *item = (struct item){.stmt = stmt};
    if (stmt->kind == TIR_FOR)
        tir_stmt_walk(stmt, look_at_stmt, item);
}

static void finish_item(struct item *item)
{
    map_finish(&item->touched);
    array_finish(&item->buffers);
}

static bool have_common_buffer(const struct item *a, const struct item *b)
{
    if (a->buffers.count > b->buffers.count)
        return have_common_buffer(b, a);
    for (size_t i = 0; i < a->buffers.count; i++)
        if (map_has(&b->touched, a->buffers.items[i]))
            return true;
    return false;
}

/* ---- two loops ---- */

static bool is_independent(struct fusion *f, struct item *item)
{
    if (item->iterations == UNKNOWN)
        item->iterations =
            loop_is_independent(&f->func, item->stmt, NULL) ? INDEPENDENT : DEPENDENT;
    return item->iterations == INDEPENDENT;
}

static struct tir_stmt *join(struct fusion *f, struct tir_stmt *first, struct tir_stmt *second)
{
    struct loop_names names = {0};
    const struct ir_expr *var = ir_expr_var(f->module->context, first->loop.var);

    map_set(&names.vars, second->loop.var, (void *)(uintptr_t)var);
    struct tir_stmt *body = loop_copy(f->module, &names, second->loop.body);
    loop_names_finish(&names);
    return loop_with_body(f->module, first, loop_both(f->module, first->loop.body, body));
}

/* The two as one loop; NULL if they may or should not be. */
static struct tir_stmt *try_join(struct fusion *f, struct item *a, struct item *b)
{
    struct tir_stmt *first = a->stmt, *second = b->stmt;

    if (first->kind != TIR_FOR || second->kind != TIR_FOR ||
        first->loop.kind != second->loop.kind || first->loop.annotations ||
        second->loop.annotations || a->size + b->size > SIZE_LIMIT || !have_common_buffer(a, b) ||
        !loop_have_same_range(f->module->context, first, second))
        return NULL;
    if (f->serial)
        return loop_can_fuse(&f->func, first, second) ? join(f, first, second) : NULL;
    if (is_independent(f, a) != is_independent(f, b))
        return NULL;
    if (!is_independent(f, a)) /* nor is a loop of both */
        return loop_can_fuse(&f->func, first, second) ? join(f, first, second) : NULL;
    struct tir_stmt *joined = join(f, first, second);
    return loop_has_few_accesses(&f->func, joined) &&
                   loop_can_fuse_independently(&f->func, first, second)
               ? joined
               : NULL;
}

/* Makes @a @joined, the one loop of both; @b is no longer used. */
static void join_items(struct item *a, struct item *b, struct tir_stmt *joined)
{
    a->stmt = joined;
    a->size += b->size;
    for (size_t i = 0; i < b->buffers.count; i++)
        touch(a, b->buffers.items[i]);
    finish_item(b);
}

/* ---- a sequence ---- */

static bool defines(const struct tir_stmt *stmt)
{
    return stmt->kind == TIR_LET || stmt->kind == TIR_ALLOC || stmt->kind == TIR_DECL;
}

struct between {
    struct item above[REACH], below[REACH];
    unsigned above_count, below_count;
};

/* Sorts what lies between items @p and @q to above or below the two. */
static bool part(struct fusion *f, const struct item *items, unsigned p, unsigned q,
                 struct between *out)
{
    out->above_count = out->below_count = 0;
    for (unsigned i = p + 1; i < q; i++) {
        const struct tir_stmt *item = items[i].stmt;
        bool goes_up = loop_can_swap(&f->func, items[p].stmt, item);

        for (unsigned k = 0; goes_up && k < out->below_count; k++)
            goes_up = loop_can_swap(&f->func, out->below[k].stmt, item);
        if (goes_up && (defines(item) || !loop_can_swap(&f->func, item, items[q].stmt)))
            out->above[out->above_count++] = items[i];
        else if (!defines(item) && loop_can_swap(&f->func, item, items[q].stmt))
            out->below[out->below_count++] = items[i];
        else
            return false;
    }
    return true;
}

/* Joins a loop of @items, from *@from on, with one in front of it; false if there are no two to join. */
static bool join_two(struct fusion *f, struct item *items, unsigned *count, unsigned *from)
{
    for (unsigned q = *from; q < *count; q++) {
        unsigned nearest = q > REACH ? q - REACH : 0;

        for (unsigned p = q; items[q].stmt->kind == TIR_FOR && p-- > nearest;) {
            struct between between;

            struct tir_stmt *loop = try_join(f, &items[p], &items[q]);

            if (!loop || !part(f, items, p, q, &between))
                continue;
            struct item joined = items[p];
            join_items(&joined, &items[q], loop);
            unsigned to = p;
            for (unsigned i = 0; i < between.above_count; i++)
                items[to++] = between.above[i];
            items[to++] = joined;
            for (unsigned i = 0; i < between.below_count; i++)
                items[to++] = between.below[i];
            memmove(items + q, items + q + 1, (*count - q - 1) * sizeof(items[0]));
            --*count;
            *from = p; /* what lies in front was looked at, and may now reach one more */
            return true;
        }
    }
    return false;
}

static struct tir_stmt *fuse_stmt(struct loop_map *map, struct tir_stmt *stmt)
{
    struct fusion *f = map->state;

    if (stmt->kind != TIR_SEQ)
        return loop_map_parts(map, stmt);
    struct arena scratch = {0};
    unsigned count = stmt->seq.count;
    struct item *items = arena_array(&scratch, struct item, count + 1);
    for (unsigned i = 0; i < count; i++)
        start_item(&items[i], stmt->seq.items[i]);
    for (unsigned from = 0; join_two(f, items, &count, &from);)
        ;
    bool is_changed = count < stmt->seq.count;
    struct tir_stmt **kept = arena_array(&scratch, struct tir_stmt *, count + 1);
    for (unsigned i = 0; i < count; i++) {
        kept[i] = items[i].stmt;
        finish_item(&items[i]);
    }
    /* what is inside of joined loops is looked at in the next round */
    stmt = is_changed ? tir_seq(f->module, kept, count) : loop_map_parts(map, stmt);
    f->is_changed |= is_changed;
    arena_finish(&scratch);
    return stmt;
}

struct tir_stmt *loop_fuse(const struct tir_func *func, bool serial)
{
    struct fusion f = {.module = func->module, .func = *func, .serial = serial};
    struct loop_map map = {.module = func->module, .state = &f, .stmt = fuse_stmt};

    if (!loop_is_plain(func->body))
        return func->body;
    for (unsigned round = 0; round < ROUND_LIMIT; round++) {
        f.is_changed = false;
        f.func.body = fuse_stmt(&map, f.func.body);
        if (!f.is_changed)
            break;
    }
    return f.func.body;
}

static struct tir_stmt *fuse_kernel(void *state, const struct tir_func *func)
{
    return loop_fuse(func, *(bool *)state);
}

enum pass_result pass_fuse_loops(struct pass_run *run)
{
    bool serial = pass_option_bool(run, "serial");

    return loop_rewrite_kernels(run, fuse_kernel, &serial);
}
