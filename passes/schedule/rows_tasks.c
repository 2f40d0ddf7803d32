/*
 * Blocks of rows as tasks of one loop, where there are few products (heads) with several blocks each:
 *
 *     for h in range(6):                             panels = T.alloc_buffer((6, ..))
 *         panels = ..                                for h in T.parallel(6): panels[h, ..] = ..
 *         for ib in range(17): .. 84 rows    ==>     for t in T.parallel(6 * 18):
 *         .. the rest                                    if t % 18 < 17: .. 84 rows of t // 18
 *                                                        else: .. the rest
 *
 * Threads meet twice, however many heads there are, and the last block waits for none.  The panels of all heads are there
 * at once, which is why heads are few.
 */
#include "passes/schedule/rows.h"

struct widening {
    struct schedule *s;
    const struct row_tasks *tasks;
    struct ir_buffer *wide[SHARED_PANELS_MOST]; /* panels of all heads */
};

/* Of the panels of one head: those of all, and in @out_to the place of @indices there; NULL: it is another buffer. */
static struct ir_buffer *wide_of(const struct widening *w, const struct ir_buffer *buffer,
                                 const struct ir_expr *const *indices,
                                 const struct ir_expr ***out_to)
{
    const struct row_tasks *tasks = w->tasks;
    unsigned n = 0, batch = tasks->batch_count;

    while (n < tasks->shared->count && tasks->shared->items[n].panels != buffer)
        n++;
    if (n == tasks->shared->count)
        return NULL;
    const struct ir_expr **to =
        arena_array(&w->s->run->scratch, const struct ir_expr *, batch + buffer->ndim + 1);
    for (unsigned i = 0; i < batch; i++)
        to[i] = sch_use(w->s, tasks->batch[i]->loop.var);
    for (unsigned d = 0; d < buffer->ndim; d++)
        to[batch + d] = indices[d];
    *out_to = to;
    return w->wide[n];
}

static const struct ir_expr *wide_load(void *state, const struct ir_expr *a)
{
    const struct widening *w = state;
    const struct ir_expr **to;
    struct ir_buffer *wide =
        a->kind == IR_EXPR_load ? wide_of(w, a->buffer, a->operands, &to) : NULL;

    return wide ? sch_load(w->s, wide, to) : a;
}

static const struct ir_expr *wide_expr(struct loop_map *map, const struct ir_expr *a)
{
    return ir_expr_rewrite(map->module->context, a, wide_load, map->state);
}

static struct tir_stmt *wide_stmt(struct loop_map *map, struct tir_stmt *stmt)
{
    const struct widening *w = map->state;
    struct tir_stmt *copy = loop_map_parts(map, stmt), *store;
    const struct ir_expr **to;
    struct ir_buffer *wide =
        copy->kind == TIR_STORE ? wide_of(w, copy->store.buffer, copy->store.indices, &to) : NULL;

    if (!wide)
        return copy;
    store = sch_store(w->s, wide, to, copy->store.value);
    store->loc = copy->loc;
    return store;
}

static void make_wide(struct widening *w)
{
    struct schedule *s = w->s;
    const struct row_tasks *tasks = w->tasks;

    for (unsigned n = 0; n < tasks->shared->count; n++) {
        const struct ir_buffer *old = tasks->shared->items[n].panels;
        unsigned batch = tasks->batch_count, ndim = batch + old->ndim;
        const struct ir_expr **dims =
            arena_array(&s->module->arena, const struct ir_expr *, ndim + 1);
        for (unsigned i = 0; i < ndim; i++)
            dims[i] = i < batch ? tasks->batch[i]->loop.extent : old->shape[i - batch];
        w->wide[n] = sch_buffer_of(s, "panels", old->dtype, old->scope, dims, ndim);
    }
}

/* What fills the panels, for all heads. */
static struct tir_stmt *fill(struct widening *w, struct loop_map *map)
{
    struct schedule *s = w->s;
    const struct row_tasks *tasks = w->tasks;
    struct tir_stmt *items[ARRAY_SIZE(tasks->shared->stmts)], *body;
    unsigned n = 0;

    for (unsigned i = 0; i < tasks->shared->stmt_count; i++)
        if (tasks->shared->stmts[i]->kind != TIR_ALLOC)
            items[n++] = wide_stmt(map, tasks->shared->stmts[i]);
    body = sch_seq(s, items, n);
    for (unsigned i = tasks->batch_count; i-- > 0;)
        body = sch_for(s, i == 0 ? TIR_PARALLEL : TIR_SERIAL, tasks->batch[i]->loop.var,
                       tasks->batch[i]->loop.extent, body);
    return body;
}

static const struct ir_expr *remainder_of(struct schedule *s, const struct ir_expr *a,
                                          int64_t divisor)
{
    const struct ir_expr *by = sch_int(s, a->dtype, divisor);

    return ir_simplify(s->context, ir_expr_binary(s->context, IR_EXPR_floormod, a, by));
}

/* @stmt of one block, with the heads of task @t. */
static struct tir_stmt *put_batch(const struct widening *w, struct tir_stmt *stmt,
                                  const struct ir_expr *head)
{
    const struct row_tasks *tasks = w->tasks;
    int64_t extent = 1;

    for (unsigned i = tasks->batch_count; i-- > 0;) {
        const struct ir_expr *at = head;
        (void)sch_constant(w->s, tasks->batch[i]->loop.extent, &extent);
        if (i > 0)
            at = remainder_of(w->s, head, extent);
        head = sch_div(w->s, head, extent);
        stmt = sch_copy(w->s, stmt, tasks->batch[i]->loop.var, at);
    }
    return stmt;
}

struct tir_stmt *rows_as_tasks(struct schedule *s, const struct row_tasks *tasks)
{
    struct widening w = {.s = s, .tasks = tasks};
    struct loop_map map = {.module = s->module, .state = &w, .stmt = wide_stmt, .expr = wide_expr};
    const struct ir_var *t = sch_var(s, "t", tasks->blocks->loop.var->dtype);
    int64_t full = 0, blocks;
    struct tir_stmt *body, *items[SHARED_PANELS_MOST + 2];
    unsigned n = 0;

    (void)sch_constant(s, tasks->blocks->loop.extent, &full);
    blocks = full + (tasks->rest != NULL);
    const struct ir_expr *block = remainder_of(s, sch_use(s, t), blocks), *at = block;
    make_wide(&w);
    if (tasks
            ->rest) /* what the branch says is said again, for no row is asked whether it is there */
        at = sch_min(s, block, sch_int(s, block->dtype, full - 1));
    body = sch_copy(s, wide_stmt(&map, tasks->blocks->loop.body), tasks->blocks->loop.var, at);
    if (tasks->rest) {
        const struct ir_expr *is_full =
            ir_expr_binary(s->context, IR_EXPR_lt, block, sch_int(s, block->dtype, full));
        body = sch_if(s, is_full, body, wide_stmt(&map, tasks->rest));
    }
    body = put_batch(&w, body, sch_div(s, sch_use(s, t), blocks));
    for (unsigned i = 0; i < tasks->shared->count; i++)
        items[n++] = sch_alloc(s, w.wide[i]);
    if (tasks->shared->count > 0)
        items[n++] = fill(&w, &map);
    items[n++] = sch_for(s, TIR_PARALLEL, t, sch_int(s, t->dtype, tasks->heads * blocks), body);
    return sch_seq(s, items, n);
}
