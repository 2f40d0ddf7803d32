/*
 * CompactBufferAllocation: intermediate buffers are as large as their use.
 *
 *     S = T.alloc_buffer((n,))                       for i in range(n):
 *     E = T.alloc_buffer((n, 64))                        S = T.alloc_buffer((1,))
 *     for i in range(n):                       =>        E = T.alloc_buffer((1, 64))
 *         S[i] = ..                                      S[0] = ..
 *         .. E[i, j] .. S[i]                             .. E[0, j] .. S[0]
 *
 * An allocation moves into the one loop that uses it if no iteration touches elements that another one
 * writes, or if each iteration overwrites the whole buffer before it uses it.  Then each dimension
 * shrinks to the interval of its indices, from the least to the largest that the loops around the
 * accesses reach.  Only where every index of it is provably inside of the old extent: else an access out of
 * bounds, which is an error, could become one inside.
 */
#include "analysis/access/loop.h"
#include "passes/loop/compact.h"

#include <string.h>

enum { ROUND_LIMIT = 64 }; /* each moves allocations into one more loop */

/* ---- who names a buffer ---- */

struct naming {
    const struct ir_buffer *buffer;
    bool is_named;
};

static bool names_below(void *state, const struct ir_expr *a)
{
    struct naming *naming = state;
    const struct ir_var *address = naming->buffer->data_var;

    naming->is_named |= a->kind == IR_EXPR_load && a->buffer == naming->buffer;
    naming->is_named |= a->kind == IR_EXPR_var && address && a->var == address;
    return !naming->is_named;
}

static bool names_in(void *state, const struct ir_expr *a)
{
    return ir_expr_walk(a, names_below, state);
}

static bool names_stmt(void *state, struct tir_stmt *stmt)
{
    struct naming *naming = state;

    naming->is_named |= stmt->kind == TIR_STORE && stmt->store.buffer == naming->buffer;
    naming->is_named |= stmt->kind == TIR_DECL && stmt->alloc.buffer->data_of == naming->buffer;
    return !naming->is_named && tir_stmt_walk_exprs(stmt, names_in, naming);
}

static bool names(struct tir_stmt *stmt, const struct ir_buffer *buffer)
{
    struct naming naming = {.buffer = buffer};

    tir_stmt_walk(stmt, names_stmt, &naming);
    return naming.is_named;
}

static bool loads(const struct ir_expr *a, const struct ir_buffer *buffer)
{
    struct naming naming = {.buffer = buffer};

    ir_expr_walk(a, names_below, &naming);
    return naming.is_named;
}

/* ---- moving into loops ---- */

/* Is @index the variable of one of @loops that runs over all of @extent, and no other index? */
static bool covers(struct ir_context *context, const struct ir_expr *index,
                   const struct ir_expr *extent, struct tir_stmt **loops, unsigned count)
{
    if (ir_expr_is_int(index, 0) && ir_expr_is_int(extent, 1))
        return true;
    for (unsigned i = 0; i < count; i++) {
        struct tir_stmt *loop = loops[i];

        if (!loop || index->kind != IR_EXPR_var || index->var != loop->loop.var)
            continue;
        loops[i] = NULL;
        return !loop->loop.step && ir_expr_is_int(loop->loop.min, 0) &&
               ir_prove_equal(context, ir_expr_cast(context, IR_I64, loop->loop.extent),
                              ir_expr_cast(context, IR_I64, extent));
    }
    return false;
}

/* Does @stmt store to all elements of @buffer, and load none? */
static bool overwrites_all(struct ir_context *context, struct tir_stmt *stmt,
                           const struct ir_buffer *buffer)
{
    struct tir_stmt *loops[16];
    unsigned count = 0;

    while (stmt->kind == TIR_FOR && count < ARRAY_SIZE(loops)) {
        if (loads(stmt->loop.extent, buffer) || loads(stmt->loop.min, buffer))
            return false;
        loops[count++] = stmt;
        stmt = stmt->loop.body;
    }
    if (stmt->kind != TIR_STORE || stmt->store.buffer != buffer || stmt->store.predicate ||
        loads(stmt->store.value, buffer))
        return false;
    for (unsigned i = 0; i < buffer->ndim; i++)
        if (!covers(context, stmt->store.indices[i], buffer->shape[i], loops, count))
            return false;
    return true;
}

/* Is all of @buffer made new in @body before any of it is loaded, each time that @body runs? */
static bool begins_anew(struct ir_context *context, struct tir_stmt *body,
                        const struct ir_buffer *buffer)
{
    struct tir_stmt *first = body;
    unsigned count = 1;

    if (body->kind == TIR_SEQ) {
        first = NULL;
        count = 0;
        for (unsigned i = 0; i < body->seq.count; i++)
            if (names(body->seq.items[i], buffer) && count++ == 0)
                first = body->seq.items[i];
    }
    if (!first || overwrites_all(context, first, buffer))
        return first != NULL;
    /* a loop may run never, and then leaves nothing: it must be all that there is */
    return count == 1 && first->kind == TIR_FOR && !loads(first->loop.min, buffer) &&
           !loads(first->loop.extent, buffer) && begins_anew(context, first->loop.body, buffer);
}

struct sinking {
    struct ir_module *module;
    struct tir_func func; /* with the body of this round */
    bool is_changed;
};

/* The only item behind @i that names @buffer, if it is a loop that can have it to itself. */
static unsigned user_of(struct sinking *s, const struct tir_stmt *seq, unsigned i,
                        const struct ir_buffer *buffer)
{
    unsigned user = 0;

    for (unsigned k = i + 1; k < seq->seq.count; k++)
        if (names(seq->seq.items[k], buffer)) {
            if (user)
                return 0;
            user = k;
        }
    struct tir_stmt *loop = user ? seq->seq.items[user] : NULL;
    if (!loop || loop->kind != TIR_FOR || buffer->strides || buffer->elem_offset ||
        buffer->data_var || loads(loop->loop.extent, buffer) || loads(loop->loop.min, buffer) ||
        (loop->loop.step && loads(loop->loop.step, buffer)))
        return 0;
    return loop_has_private(&s->func, loop, buffer) ||
                   begins_anew(s->module->context, loop->loop.body, buffer)
               ? user
               : 0;
}

static struct tir_stmt *sink_stmt(struct loop_map *map, struct tir_stmt *stmt)
{
    struct sinking *s = map->state;

    if (stmt->kind != TIR_SEQ)
        return loop_map_parts(map, stmt);
    for (unsigned i = stmt->seq.count; i-- > 0;) { /* from the end, to keep their order */
        struct tir_stmt *alloc = stmt->seq.items[i];
        unsigned user = alloc->kind == TIR_ALLOC ? user_of(s, stmt, i, alloc->alloc.buffer) : 0;

        if (!user)
            continue;
        struct tir_stmt *loop = stmt->seq.items[user];
        struct tir_stmt **items =
            arena_array(&s->module->arena, struct tir_stmt *, stmt->seq.count);
        memcpy(items, stmt->seq.items, stmt->seq.count * sizeof(items[0]));
        items[user] = loop_with_body(s->module, loop, loop_both(s->module, alloc, loop->loop.body));
        memmove(items + i, items + i + 1, (stmt->seq.count - i - 1) * sizeof(items[0]));
        s->is_changed = true;
        struct tir_stmt *rest = tir_seq(s->module, items, stmt->seq.count - 1);
        return rest->kind == TIR_SEQ ? sink_stmt(map, rest) : rest;
    }
    return loop_map_parts(map, stmt);
}

struct tir_stmt *loop_compact_buffers(const struct tir_func *func)
{
    struct sinking s = {.module = func->module, .func = *func};
    struct loop_map map = {.module = func->module, .state = &s, .stmt = sink_stmt};

    if (!loop_is_plain(func->body))
        return func->body;
    for (unsigned round = 0; round < ROUND_LIMIT; round++) {
        s.is_changed = false;
        s.func.body = sink_stmt(&map, s.func.body);
        if (!s.is_changed)
            break;
    }
    return compact_shrink(func->module, s.func.body);
}

static struct tir_stmt *compact_kernel(void *state, const struct tir_func *func)
{
    return loop_compact_buffers(func);
}

enum pass_result pass_compact_buffer_allocation(struct pass_run *run)
{
    return loop_rewrite_kernels(run, compact_kernel, NULL);
}
