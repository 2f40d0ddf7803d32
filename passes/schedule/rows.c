/*
 * Chains of products over the same rows, as attention is: some rows at a time, from the first product to the last.
 *
 *     for h, i, j, k: S[h, i, j] += q[h, i, k] * K[h, j, k]        for h in T.parallel(12):
 *     for h, i, j: max[h, i] = T.max(max[h, i], S[h, i, j])            for ib in range(4):
 *     for h, i, j: P[h, i, j] = T.exp(S[h, i, j] - max[h, i])   ==>        S, max, P of 128 rows
 *     for h, i, j, c: y[h, i, c] += P[h, i, j] * v[h, j, c]                the four nests for these rows
 *
 * What lies between the products, of as many elements as there are pairs of rows, stays in L2, and threads
 * meet once instead of four times.  It is the nests that are cut, not their sums: each element is computed from the same
 * numbers in the same order as before.  For that, every buffer that the kernel writes is indexed by the loops that are put
 * outside, each alone at one place of its own, wherever it is written or read.
 */
#include "passes/schedule/rows.h"

#include "analysis/pattern.h"

enum {
    ROWS_MOST = 144,
    ROWS_LEAST = PATTERN_ROWS_LEAST,
    ROWS_STEP = 6,          /* of register tiles */
    ROWS_OPEN = 48,         /* of an open number of columns */
    REST_LEAST = 16,        /* fewer rows would leave most of a block's products to small tiles */
    TASKS_LEAST = 6,        /* for which few rows are cut */
    TASKS = 12,             /* enough for some threads to share well */
    SHARED_LEAST = 1 << 16, /* elements that are worth sharing */
    L2_PART = 4, /* of it for what a product makes, as much for what the next one takes */
};

/* ---- rows of a block ---- */

/* Rows of each of @blocks, but for the last; 0: there would be too few in one. */
static int64_t rows_of_blocks(int64_t rows, int64_t blocks)
{
    int64_t count = (rows + blocks - 1) / blocks;

    if (blocks == 1)
        return rows < ROWS_LEAST ? 0 : rows;
    count = (count + ROWS_STEP - 1) / ROWS_STEP * ROWS_STEP;
    while (count >= ROWS_LEAST && rows % count > 0 && rows % count < REST_LEAST)
        count -= ROWS_STEP;
    return count >= ROWS_LEAST ? count : 0;
}

/*
 * How many rows a block has; 0: it is not worth it.  @rows: how many there are; -1: only the run knows.  Then those that
 * are left are a block of their own, however few.  @heads: that share blocks among threads, or 0.
 */
static int64_t choose_rows(struct rows *r, const struct ir_buffer *c, int64_t rows, int64_t heads)
{
    int64_t width, most = ROWS_MOST, count = 0;

    if (!sch_constant(r->s, c->shape[c->ndim - 1], &width)) {
        most = ROWS_OPEN;
        heads = 0;
    } else if (width < 1) {
        return 0;
    } else {
        /* What comes out of a product and what goes into the next take a quarter of L2 each: the other operands stay
         * there, too. */
        int64_t fit = r->s->l2_bytes / L2_PART / ir_dtype_bytes(c->dtype) / width;
        most = fit < ROWS_LEAST ? ROWS_LEAST : fit < most ? fit / ROWS_STEP * ROWS_STEP : most;
    }
    if (rows < 0)
        return most;
    int64_t blocks = (rows + most - 1) / most;
    if (heads > 0 && (double)heads * (double)rows * (double)width >= (double)SHARED_LEAST)
        for (int64_t wanted = (TASKS_LEAST + heads - 1) / heads; wanted > blocks && !count;
             wanted--)
            count = rows_of_blocks(rows, wanted);
    return count ? count : rows_of_blocks(rows, blocks);
}

/* ---- building ---- */

/* Some rows of all nests. */
struct block {
    struct rows *r;
    const struct ir_var *const *batch; /* by axis, but for the last */
    const struct ir_expr *first;       /* row */
    const struct ir_expr *count;
    int64_t most;                               /* rows that its scratch has */
    struct ir_buffer *scratch[ROWS_NESTS_MOST]; /* by allocation: what these rows need of it */
    const struct ir_var *inner;                 /* the row that is looked at, from the first on */
};

/* @buffer as the block has it, and in @out_indices the places of @indices there; NULL: it is not scratch. */
static struct ir_buffer *scratch_of(const struct block *b, const struct ir_buffer *buffer,
                                    const struct ir_expr *const *indices,
                                    const struct ir_expr ***out_indices)
{
    struct rows *r = b->r;
    unsigned n = 0, last = r->axis_count - 1;

    while (n < r->alloc_count && r->allocs[n]->alloc.buffer != buffer)
        n++;
    if (n == r->alloc_count)
        return NULL;
    const struct places *places = rows_places_of(r, buffer);
    const struct ir_expr **to =
        arena_array(&r->s->run->scratch, const struct ir_expr *, buffer->ndim + 1);
    for (unsigned d = 0; d < buffer->ndim; d++)
        to[d] = indices[d];
    for (unsigned i = 0; i < r->axis_count; i++)
        to[places->at[i]] =
            i == last ? sch_use(r->s, b->inner) : sch_int(r->s, indices[places->at[i]]->dtype, 0);
    *out_indices = to;
    return b->scratch[n];
}

static const struct ir_expr *own_load(void *state, const struct ir_expr *a)
{
    struct block *b = state;
    const struct ir_expr **to;
    struct ir_buffer *buffer =
        a->kind == IR_EXPR_load ? scratch_of(b, a->buffer, a->operands, &to) : NULL;

    return buffer ? sch_load(b->r->s, buffer, to) : a;
}

static const struct ir_expr *own_expr(struct loop_map *map, const struct ir_expr *a)
{
    return ir_expr_rewrite(map->module->context, a, own_load, map->state);
}

static struct tir_stmt *own_stmt(struct loop_map *map, struct tir_stmt *stmt)
{
    struct block *b = map->state;
    struct tir_stmt *copy = loop_map_parts(map, stmt), *store;
    const struct ir_expr **to;
    struct ir_buffer *buffer = copy->kind == TIR_STORE
                                   ? scratch_of(b, copy->store.buffer, copy->store.indices, &to)
                                   : NULL;

    if (!buffer)
        return copy;
    store = sch_store(b->r->s, buffer, to, copy->store.value);
    store->loc = copy->loc;
    return store;
}

/* The scratch of a block: one row of each axis, and as many as the block has. */
static void make_scratch(struct block *b)
{
    struct rows *r = b->r;

    for (unsigned n = 0; n < r->alloc_count; n++) {
        const struct ir_buffer *old = r->allocs[n]->alloc.buffer;
        const struct places *places = rows_places_of(r, old);
        const struct ir_expr **dims =
            arena_array(&r->s->module->arena, const struct ir_expr *, old->ndim + 1);
        for (unsigned d = 0; d < old->ndim; d++)
            dims[d] = old->shape[d];
        for (unsigned i = 0; i < r->axis_count; i++)
            dims[places->at[i]] = i + 1 == r->axis_count
                                      ? sch_int(r->s, b->count->dtype, b->most)
                                      : sch_int(r->s, old->shape[places->at[i]]->dtype, 1);
        b->scratch[n] = sch_buffer_of(r->s, old->name, old->dtype, old->scope, dims, old->ndim);
    }
}

static bool is_axis(const struct rows *r, unsigned n, const struct tir_stmt *loop)
{
    for (unsigned i = 0; i < r->axis_count; i++)
        if (r->axes[n][i] == loop)
            return true;
    return false;
}

/* Nest @n for the rows of the block. */
static struct tir_stmt *part(struct block *b, unsigned n)
{
    struct rows *r = b->r;
    struct schedule *s = r->s;
    struct tir_stmt *chain[MATMUL_LOOP_LIMIT], *stmt = r->nests[n];
    struct loop_map map = {.module = s->module, .state = b, .stmt = own_stmt, .expr = own_expr};
    unsigned depth = 0, last = r->axis_count - 1;
    const struct ir_var *row = r->axes[n][last]->loop.var;

    b->inner = sch_var(s, row->name, row->dtype);
    for (; stmt->kind == TIR_FOR && sch_is_plain_loop(stmt) && depth < ARRAY_SIZE(chain);
         stmt = stmt->loop.body)
        if (!is_axis(r, n, stmt))
            chain[depth++] = stmt;
    stmt = own_stmt(&map, stmt);
    while (depth-- > 0)
        stmt = loop_with_body(s->module, chain[depth], stmt);
    for (unsigned i = 0; i < last; i++)
        stmt = sch_copy(s, stmt, r->axes[n][i]->loop.var, sch_use(s, b->batch[i]));
    stmt = sch_copy(s, stmt, row, sch_add(s, b->first, sch_use(s, b->inner)));
    return sch_for(s, TIR_SERIAL, b->inner, b->count, stmt);
}

/* All nests for @count rows from @first on. */
static struct tir_stmt *block(struct rows *r, const struct ir_var *const *batch,
                              const struct ir_expr *first, const struct ir_expr *count,
                              int64_t most)
{
    struct block b = {.r = r, .batch = batch, .first = first, .count = count, .most = most};
    struct tir_stmt *items[2 * ROWS_NESTS_MOST];
    unsigned n = 0;

    make_scratch(&b);
    for (unsigned i = 0; i < r->alloc_count; i++)
        items[n++] = sch_alloc(r->s, b.scratch[i]);
    for (unsigned i = 0; i < r->nest_count; i++)
        items[n++] = part(&b, i);
    return sch_seq(r->s, items, n);
}

/* Which axis threads share: the longest, the first of several; extents that only the run knows count as 1. */
static unsigned shared_axis(struct rows *r, int64_t blocks)
{
    unsigned best = 0, last = r->axis_count - 1;
    int64_t most = 0, extent;

    for (unsigned i = 0; i <= last; i++) {
        if (i == last)
            extent = blocks;
        else if (!sch_constant(r->s, r->axes[0][i]->loop.extent, &extent))
            extent = 1;
        if (extent > most) {
            most = extent;
            best = i;
        }
    }
    return best;
}

static const struct ir_expr *is_at_least(struct schedule *s, const struct ir_expr *a, int64_t least)
{
    return ir_expr_binary(s->context, IR_EXPR_ge, a, sch_int(s, a->dtype, least));
}

/* All rows, @count at a time; *@out_few: the loop over single rows, where only the run knows that there are few. */
static struct tir_stmt *all_rows(struct rows *r, const struct ir_var *const *batch, int64_t count,
                                 unsigned *out_shared, struct tir_stmt **out_few)
{
    struct schedule *s = r->s;
    const struct tir_stmt *loop = r->axes[0][r->axis_count - 1];
    const struct ir_var *ib = sch_var(s, "ib", loop->loop.var->dtype);
    const struct ir_expr *rows = loop->loop.extent, *one = sch_int(s, ib->dtype, 1);
    const struct ir_expr *full = sch_div(s, rows, count), *done = sch_mul(s, full, count);
    const struct ir_expr *rest = sch_sub(s, rows, done);
    struct tir_stmt *items[2];
    unsigned n = 0;
    int64_t known, left = count;
    bool is_known = sch_constant(s, full, &known);

    *out_shared = shared_axis(r, is_known ? known : 1);
    bool is_shared = *out_shared + 1 == r->axis_count;
    items[n++] = sch_for(
        s, is_shared ? TIR_PARALLEL : TIR_SERIAL, ib, full,
        block(r, batch, sch_mul(s, sch_use(s, ib), count), sch_int(s, ib->dtype, count), count));
    *out_few = NULL;
    struct tir_stmt *last =
        sch_constant(s, rest, &left) && left == 0 ? NULL : block(r, batch, done, rest, left);
    if (is_known) {
        if (last)
            items[n++] = last;
        return sch_seq(s, items, n);
    }
    items[n++] = sch_if(s, is_at_least(s, rest, 1), last, NULL);
    const struct ir_var *i = sch_var(s, "i", ib->dtype);
    *out_few = sch_for(s, TIR_SERIAL, i, rows, block(r, batch, sch_use(s, i), one, 1));
    return sch_if(s, is_at_least(s, rows, ROWS_LEAST), sch_seq(s, items, n), *out_few);
}

/*
 * How many products there are, if blocks of the rows of all of them are shared in one loop; else 0.  Where they alone are
 * enough tasks, a thread keeps the panels of its own in its cache.
 */
static int64_t few_heads(struct rows *r)
{
    unsigned last = r->axis_count - 1;
    struct ir_dtype dtype = r->axes[0][last]->loop.var->dtype;
    int64_t extent, heads = 1;

    for (unsigned i = 0; i < last; i++) {
        const struct tir_stmt *axis = r->axes[0][i];
        if (!ir_dtype_equal(axis->loop.var->dtype, dtype) ||
            !sch_constant(r->s, axis->loop.extent, &extent) || extent < 1 || extent >= TASKS)
            return 0;
        heads *= extent;
    }
    return heads < TASKS ? heads : 0;
}

static bool build_tasks(struct rows *r, struct tir_stmt **slot, int64_t heads, int64_t count)
{
    struct schedule *s = r->s;
    const struct tir_stmt *loop = r->axes[0][r->axis_count - 1];
    const struct ir_expr *full = sch_div(s, loop->loop.extent, count);
    const struct ir_expr *done = sch_mul(s, full, count);
    const struct ir_expr *rest = sch_sub(s, loop->loop.extent, done);
    const struct ir_var *ib = sch_var(s, "ib", loop->loop.var->dtype), *batch[ROWS_AXES_MOST];
    struct tir_stmt *loops[ROWS_AXES_MOST], *blocks[2];
    struct shared_panels shared = {0};
    struct row_tasks tasks = {
        .batch = loops, .batch_count = r->axis_count - 1, .heads = heads, .shared = &shared};
    size_t mark = s->ranges.count;
    int64_t left = 0;

    (void)sch_constant(s, rest, &left);
    for (unsigned i = 0; i < tasks.batch_count; i++)
        batch[i] = sch_var(s, r->axes[0][i]->loop.var->name, r->axes[0][i]->loop.var->dtype);
    blocks[0] =
        block(r, batch, sch_mul(s, sch_use(s, ib), count), sch_int(s, ib->dtype, count), count);
    blocks[1] = left ? block(r, batch, done, rest, left) : NULL;
    shared.region = sch_seq(s, blocks, 1 + (left > 0));
    for (unsigned i = 0; i < tasks.batch_count; i++) {
        loops[i] = sch_for(s, TIR_SERIAL, batch[i], r->axes[0][i]->loop.extent, shared.region);
        (void)sch_enter(s, loops[i]);
    }
    tasks.blocks = sch_for(s, TIR_SERIAL, ib, full, blocks[0]);
    *slot = shared.region; /* what follows a product is looked for in the kernel */
    s->shared = &shared;
    if (left)
        (void)schedule_matmuls(s, &blocks[1]);
    (void)sch_enter(s, tasks.blocks);
    (void)schedule_matmuls(s, &tasks.blocks->loop.body);
    s->shared = NULL;
    sch_leave(s, mark);
    tasks.rest = left ? blocks[1] : NULL;
    *slot = rows_as_tasks(s, &tasks);
    return true;
}

/* The products in @stmt, all of the rows in @slot, with panels that they have in common in front. */
static void multiply(struct rows *r, struct tir_stmt **slot, bool is_several)
{
    struct schedule *s = r->s;
    struct shared_panels shared = {.region = *slot};
    struct tir_stmt *items[ARRAY_SIZE(shared.stmts) + 1];
    unsigned n = 0;

    s->shared = is_several ? &shared : NULL;
    (void)schedule_matmuls(s, slot);
    s->shared = NULL;
    for (; n < shared.stmt_count; n++)
        items[n] = shared.stmts[n];
    items[n++] = *slot;
    *slot = sch_seq(s, items, n);
}

static bool build(struct rows *r, struct tir_stmt **slot, const struct tir_stmt *first)
{
    struct schedule *s = r->s;
    const struct ir_var *batch[ROWS_AXES_MOST];
    unsigned last = r->axis_count - 1, shared;
    struct tir_stmt *few, **inner = slot;
    int64_t rows, count, heads;
    size_t mark = s->ranges.count;

    if (!sch_constant(s, r->axes[0][last]->loop.extent, &rows))
        rows = -1;
    heads = few_heads(r);
    if ((count = choose_rows(r, first->store.buffer, rows, heads)) == 0)
        return false;
    if (rows > count && heads)
        return build_tasks(r, slot, heads, count);
    for (unsigned i = 0; i < last; i++)
        batch[i] = sch_var(s, r->axes[0][i]->loop.var->name, r->axes[0][i]->loop.var->dtype);
    struct tir_stmt *stmt = all_rows(r, batch, count, &shared, &few);
    for (unsigned i = last; i-- > 0;)
        stmt = sch_for(s, i == shared ? TIR_PARALLEL : TIR_SERIAL, batch[i],
                       r->axes[0][i]->loop.extent, stmt);
    *slot = stmt;
    for (unsigned i = 0; i < last; i++) {
        (void)sch_enter(s, *inner);
        inner = &(*inner)->loop.body;
    }
    if (few) {
        multiply(r, &(*inner)->branch.then_body, true);
        multiply(r, &(*inner)->branch.else_body, false);
    } else {
        multiply(r, inner, rows > count);
    }
    sch_leave(s, mark);
    return true;
}

bool schedule_rows(struct schedule *s, struct tir_stmt **slot)
{
    struct tir_stmt *stmt = *slot;
    struct rows r = {.s = s};
    const struct tir_stmt *first = NULL;

    if (stmt->kind != TIR_SEQ)
        return false;
    for (unsigned i = 0; i < stmt->seq.count; i++) {
        struct tir_stmt *item = stmt->seq.items[i];
        if (item->kind == TIR_ALLOC && r.alloc_count < ROWS_NESTS_MOST)
            r.allocs[r.alloc_count++] = item;
        else if (item->kind == TIR_FOR && r.nest_count < ROWS_NESTS_MOST)
            r.nests[r.nest_count++] = item;
        else
            return false;
    }
    if (!rows_find(&r))
        return false;
    (void)rows_count_products(r.nests[0], &first);
    return build(&r, slot, first);
}
