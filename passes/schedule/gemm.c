/*
 * Loops for products of matrices, packed: after Goto and van de Geijn, "Anatomy of High-Performance Matrix Multiplication" (2008), with
 * what compilers can do and libraries cannot: whatever Y and X are is computed while they are packed.
 *
 *   Y is copied into panels of 16 columns (two registers), each contiguous along k.
 *   A tile of C, 6 rows (12 where there are 32 registers) by 16 columns, stays in registers while k runs over up to
 *   512 values, or all of them where the rows of a block stay in L2 nevertheless:
 *
 *     for jb in T.parallel(..):                      8 panels: what a thread takes at a time
 *         for kk in range(..):                       values of k whose panels fit into L2
 *             for ic in range(..):                   144 rows of X: they do, too
 *                 for jr in range(8):
 *                     for ib in range(24):
 *                         acc[6, 16] = C[..]         (0 in the first round)
 *                         for k in range(512):
 *                             acc[r, c] = T.fma(X[.., k], panel[k, c], acc[r, c])
 *                         C[..] = acc[6, 16]
 *
 * X is read as it lies if it is contiguous along k, else copied to tiles of 6 rows.  Rows that are no
 * multiple of 6 and columns that are no multiple of 16 get tiles of their own.  Rows that are few in all
 * read each panel once, so k is not cut, and up to four panels are read side by side: one stream waits at each
 * end of a page for the next one to be found, several wait together (18 GB/s against 25).  Every element of C is
 * summed in the order of k, as in the nest that this replaces; only the products are not rounded where
 * the target has fused multiply-add.  What follows element by element is computed where an element is stored,
 * unless k is cut: sums are kept in C then.
 */
#include "passes/schedule/gemm.h"

enum { WASTE = 5 }; /* of so many columns one may be filled up */

/* ---- all tiles ---- */

/* A loop over the panels of @stripe; place->panel becomes the first one of an iteration. */
static const struct ir_var *panel_loop(struct gemm *g, const struct stripe *stripe,
                                       struct place *place)
{
    const struct ir_var *jr = var(g, "jr");

    place->own = times(g, sch_use(g->s, jr), stripe->panels);
    place->panel = plus(g, stripe->first, place->own);
    place->panels = stripe->panels;
    place->columns = stripe->columns;
    return jr;
}

/*
 * Panels come from memory where they are made when the program is compiled, each for @tiles of rows, @most of them in a
 * block (or so many, where their number is open).
 */
static void plan_fetch(struct gemm *g, int64_t panels, const struct ir_expr *tiles, int64_t most)
{
    int64_t depth, passes = most, columns = g->columns * panels;

    if (g->narrow || g->is_by_task || !sch_reads_constants(g->s, g->p->y) ||
        !sch_constant(g->s, g->steps, &depth) || depth > INT32_MAX / columns)
        return;
    if (sch_constant(g->s, tiles, &passes) && passes > most)
        passes = most;
    int64_t steps = g->block_depth && g->block_depth < depth ? g->block_depth : depth;
    g->fetch = fetch_plan(steps * columns, ir_dtype_bytes(g->panels->dtype), steps, passes);
    if (g->fetch.panel)
        g->fetch.panel = depth * columns;
}

/* Full tiles of rows, in blocks. */
static struct tir_stmt *full_rows(struct gemm *g, const struct stripe *stripe, struct place place)
{
    struct schedule *s = g->s;
    int64_t most = GEMM_ROWS / g->rows;
    const struct ir_expr *tiles = sch_div(s, g->p->m, g->rows), *count = num(g, most);
    const struct ir_var *ic = var(g, "ic"), *ib = var(g, "ib");
    const struct ir_var *jr = panel_loop(g, stripe, &place);
    int64_t all;

    if (stripe->part && sch_constant(s, tiles, &all)) {
        most = (all + stripe->parts - 1) / stripe->parts;
        count = num(g, most);
    }
    const struct ir_expr *blocks = sch_ceil_div(s, tiles, most);
    const struct ir_expr *first = times(g, stripe->part ? stripe->part : sch_use(s, ic), most);

    if (!ir_prove_equal(s->context, times(g, blocks, most), tiles))
        count = sch_min(s, count, sch_sub(s, tiles, first));
    place.rows = g->rows;
    place.tile = plus(g, first, sch_use(s, ib));
    place.row = times(g, place.tile, g->rows);
    place.lane = num(g, 0);
    plan_fetch(g, stripe->panels, tiles, most);
    struct tir_stmt *loop = sch_for(s, TIR_SERIAL, ib, count, gemm_tile(g, &place));
    loop = fetch_panels(s, &g->fetch, sch_for(s, TIR_SERIAL, jr, stripe->count, loop));
    g->fetched = g->fetch;
    g->fetch = (struct fetch){0}; /* other rows find the panels in the cache */
    return stripe->part ? loop : sch_for(s, stripe->kind, ic, blocks, loop);
}

/* The rows behind the last full tile: one smaller tile, or, where their number is open, tiles of (8,) 4, 2 and 1. */
static struct tir_stmt *last_rows(struct gemm *g, const struct stripe *stripe, struct place place)
{
    struct schedule *s = g->s;
    const struct ir_expr *full = sch_div(s, g->p->m, g->rows);
    const struct ir_expr *done = times(g, full, g->rows), *left = sch_sub(s, g->p->m, done);
    const struct ir_var *jr = panel_loop(g, stripe, &place);
    struct tir_stmt *body;

    place.tile = full;
    if (sch_constant(s, left, &place.rows)) {
        place.row = done;
        place.lane = num(g, 0);
        body = place.rows ? gemm_tile(g, &place) : NULL;
    } else {
        struct tir_stmt *items[4];
        const struct ir_expr *first = num(g, 0);
        unsigned n = 0;

        for (place.rows = g->rows > 8 ? 8 : 4; place.rows > 0; place.rows /= 2) {
            /* as many times as there are: once or not at all */
            const struct ir_expr *count = sch_div(s, sch_sub(s, left, first), place.rows);
            const struct ir_var *it = var(g, "it");
            place.lane = plus(g, first, times(g, sch_use(s, it), place.rows));
            place.row = plus(g, done, place.lane);
            items[n++] = sch_for(s, TIR_SERIAL, it, count, gemm_tile(g, &place));
            first = plus(g, first, times(g, count, place.rows));
        }
        body = sch_seq(s, items, n);
    }
    body = body ? sch_for(s, TIR_SERIAL, jr, stripe->count, body) : NULL;
    if (!body || !stripe->part)
        return body;
    const struct ir_expr *is_last =
        ir_expr_binary(s->context, IR_EXPR_eq, stripe->part, num(g, stripe->parts - 1));
    return sch_if(s, is_last, body, NULL);
}

/* All rows of one product. */
static struct tir_stmt *all_rows(struct gemm *g, const struct stripe *stripe,
                                 const struct place *place)
{
    struct tir_stmt *items[2];
    unsigned n = 0;

    if (!ir_expr_is_int(sch_div(g->s, g->p->m, g->rows), 0))
        items[n++] = full_rows(g, stripe, *place);
    if ((items[n] = last_rows(g, stripe, *place)))
        n++;
    return sch_seq(g->s, items, n);
}

/* .. of all products that have Y in common. */
static struct tir_stmt *batch_rows(struct gemm *g, const struct stripe *stripe,
                                   const struct place *place)
{
    struct stripe inner = *stripe;

    inner.kind = TIR_SERIAL;
    struct tir_stmt *body = all_rows(g, &inner, place);
    for (unsigned n = g->p->batch_count; n-- > 0;)
        body = sch_for(g->s, n == 0 ? stripe->kind : TIR_SERIAL, g->p->batch[n]->loop.var,
                       g->p->batch[n]->loop.extent, body);
    return loop_copy_fresh(g->s->module, body); /* the loops may stand twice */
}

/* .. whose rows may be those of another loop. */
static struct tir_stmt *either_rows(struct gemm *g, const struct stripe *stripe,
                                    const struct place *place)
{
    struct matmul turned;
    struct gemm other = *g;
    const struct ir_expr *is_better = g->is_inside ? gemm_turn_rows(g, &turned) : NULL;

    if (!g->is_inside)
        return all_rows(g, stripe, place);
    if (!is_better || ir_expr_is_int(is_better, 0))
        return batch_rows(g, stripe, place);
    other.p = &turned;
    gemm_choose_rows(&other, false);
    if (ir_expr_is_int(is_better, 1))
        return batch_rows(&other, stripe, place);
    return sch_if(g->s, is_better, batch_rows(&other, stripe, place), batch_rows(g, stripe, place));
}

static struct tir_stmt *multiply_stripe(struct gemm *g, const struct stripe *stripe)
{
    const struct ir_var *kk = var(g, "kk");
    struct place place = {.block = g->block_depth ? sch_use(g->s, kk) : num(g, 0)};
    struct tir_stmt *items[2];

    if (g->is_by_task)
        g->panels = gemm_own_panels(g, stripe);
    struct tir_stmt *body = either_rows(g, stripe, &place);
    if (g->is_by_task) {
        items[0] =
            gemm_pack_block(g, stripe, gemm_block_first(g, &place), gemm_block_extent(g, &place));
        items[1] = body;
        body = sch_seq(g->s, items, 2);
    }
    if (g->block_depth)
        body = sch_for(g->s, TIR_SERIAL, kk, g->blocks, body);
    if (!g->is_by_task)
        return body;
    items[0] = sch_alloc(g->s, g->panels);
    items[1] = body;
    return sch_seq(g->s, items, 2);
}

/* @tiles of @panels side by side, from the first panel on. */
static struct tir_stmt *multiply_tiles(struct gemm *g, const struct ir_expr *tiles, int64_t panels)
{
    struct schedule *s = g->s;
    int64_t most = gemm_task_tiles(g, tiles, panels);
    const struct ir_var *jb = var(g, "jb");
    const struct ir_expr *tasks = sch_ceil_div(s, tiles, most), *task = sch_use(s, jb),
                         *part = NULL;
    bool is_even = ir_prove_equal(s->context, times(g, tasks, most), tiles);
    int64_t parts = gemm_row_parts(g, panels), period;

    if (parts > 1 && sch_constant(s, tasks, &period)) {
        part = sch_div(s, task, period);
        task = ir_simplify(s->context, ir_expr_binary(s->context, IR_EXPR_floormod, task, tasks));
        tasks = num(g, period * parts);
    }
    const struct ir_expr *first = times(g, task, most);
    struct stripe stripe = {.part = part,
                            .parts = parts,
                            .first = times(g, first, panels),
                            .count = num(g, most),
                            .panels = panels,
                            .most = most,
                            .columns = num(g, g->columns),
                            .kind = TIR_SERIAL};

    if (!is_even)
        stripe.count = sch_min(s, stripe.count, sch_sub(s, tiles, first));
    struct tir_stmt *loop = sch_for(s, shared(g), jb, tasks, multiply_stripe(g, &stripe));
    return most == 1 ? fetch_panels(s, &g->fetched, loop) : loop;
}

/* All of the @full panels; the statements in @items, how many as the result. */
static unsigned multiply_full(struct gemm *g, const struct ir_expr *full, struct tir_stmt **items)
{
    int64_t panels = gemm_tile_panels(g), count;

    if (panels == 1 || !sch_constant(g->s, full, &count) || count < panels) {
        items[0] = multiply_tiles(g, full, 1);
        return 1;
    }
    int64_t tiles = count / panels, left = count % panels;
    items[0] = multiply_tiles(g, num(g, tiles), panels);
    if (left == 0)
        return 1;
    struct stripe stripe = {.first = num(g, tiles * panels),
                            .count = num(g, left),
                            .panels = 1,
                            .most = left,
                            .columns = num(g, g->columns),
                            .kind = TIR_SERIAL};
    items[1] = multiply_stripe(g, &stripe);
    return 2;
}

bool matmul_panels_fit(struct schedule *s, const struct matmul *p)
{
    int64_t columns = GEMM_VECTORS * schedule_lanes(s, p->c->dtype), n, depth;

    return sch_constant(s, p->n, &n) && sch_constant(s, p->depth, &depth) && n > 0 && depth > 0 &&
           n <= INT64_MAX / 8 && (columns - (n + columns - 1) % columns - 1) * WASTE <= n;
}

/*
 * The @full panels, and the one of the @tail behind them.  Of few rows, of which panels are made when the program is
 * compiled, all in one loop: what is in no loop of its own may be moved between what multiplies them (FuseLoops),
 * and all panels have to stand in front of that (PackConstants).
 */
static unsigned pack_panels(struct gemm *g, const struct ir_expr *full, const struct ir_expr *tail,
                            struct tir_stmt **items)
{
    struct schedule *s = g->s;
    const struct ir_var *panel = var(g, "p");
    const struct ir_expr *left = sch_sub(s, g->p->n, times(g, full, g->columns));
    const struct ir_expr *columns = num(g, g->columns);
    int64_t rows;
    unsigned n = 0;

    if (g->dot && !ir_expr_is_int(tail, 0) && sch_constant(s, g->p->m, &rows) &&
        rows < gemm_rows_most(g)) {
        g->is_guarded = true;
        full = plus(g, full, tail);
        tail = num(g, 0);
    }
    if (!ir_expr_is_int(full, 0))
        items[n++] =
            sch_for(s, shared(g), panel, full, gemm_pack_panel(g, sch_use(s, panel), columns));
    if (!ir_expr_is_int(tail, 0)) {
        const struct ir_var *last = var(g, "p");
        items[n++] = sch_for(s, TIR_SERIAL, last, tail,
                             gemm_pack_panel(g, plus(g, full, sch_use(s, last)), left));
    }
    return n;
}

/* All of one product, whose panels are packed. */
static struct tir_stmt *multiply_all(struct gemm *g, const struct ir_expr *full,
                                     const struct ir_expr *tail)
{
    struct stripe stripe = {.first = full,
                            .count = tail,
                            .panels = 1,
                            .most = 1,
                            .columns = sch_sub(g->s, g->p->n, times(g, full, g->columns)),
                            .kind = shared(g)};
    struct tir_stmt *items[3];
    unsigned n = 0;

    if (!ir_expr_is_int(full, 0))
        n += multiply_full(g, full, items);
    if (!ir_expr_is_int(tail, 0))
        items[n++] = multiply_stripe(g, &stripe);
    return sch_seq(g->s, items, n);
}

/*
 * .. whose narrow panels few rows widen in registers, and many block by block; what computes @g's epilogue behind sums that
 * are kept in C then stands there.
 */
static struct tir_stmt *multiply_either(struct gemm *g, const struct ir_expr *full,
                                        const struct ir_expr *tail)
{
    struct gemm tall = *g;
    const struct ir_expr *rows = num(g, GEMM_WIDENED_ROWS);
    const struct ir_expr *is_tall = ir_expr_binary(g->s->context, IR_EXPR_gt, g->p->m, rows);
    struct tir_stmt *items[2];

    tall.is_by_task = true;
    gemm_choose_depth(&tall);
    bool is_kept = tall.block_depth > 0 && g->epilogue;
    if (is_kept)
        tall.epilogue = NULL;
    items[0] = multiply_all(&tall, full, tail);
    items[1] = g->p->after;
    struct tir_stmt *low = loop_copy_fresh(g->s->module, multiply_all(g, full, tail));
    return sch_if(g->s, is_tall, sch_seq(g->s, items, is_kept ? 2 : 1), low);
}

struct tir_stmt *matmul_packed(struct schedule *s, struct matmul *p)
{
    struct gemm g = {.s = s,
                     .p = p,
                     .dtype = p->j->dtype,
                     .columns = GEMM_VECTORS * schedule_lanes(s, p->c->dtype)};
    const struct ir_expr *full = sch_div(s, p->n, g.columns);
    const struct ir_expr *all = sch_ceil_div(s, p->n, g.columns), *tail = sch_sub(s, all, full);
    struct tir_stmt *items[4 + NARROW_MOST + 2], *front[NARROW_MOST + 1];
    struct narrow narrow;
    int64_t known;
    unsigned n = 0, front_count = 0;

    g.dot = p->dot;
    g.steps = p->dot ? num(&g, (p->dot->depth + 3) / 4) : p->depth;
    g.last_bytes = p->dot ? (unsigned)(p->dot->depth % 4) : 0;
    const struct ir_expr *rows =
        p->dot && p->dot->is_moved ? plus(&g, g.steps, num(&g, 1)) : g.steps;
    const struct ir_expr *dims[] = {all, rows, num(&g, g.columns)};

    if (!p->m)
        p->m = num(&g, 1);
    bool is_open = !sch_constant(s, p->m, &known);
    bool is_copied = p->dot || !gemm_lies_well(s, p);
    bool is_alike = p->batch_count > 0 && gemm_shares_y(&g); /* Y, in all of the batch */
    g.is_inside = is_alike && !is_copied;
    g.is_shared = gemm_is_shared(&g);
    gemm_choose_rows(&g, is_copied);
    g.is_by_task = gemm_is_by_task(&g, is_copied);
    if (!p->dot && !matmul_shares_panels(s, p) && (p->is_widened || g.is_by_task) &&
        gemm_find_narrow(&g, &narrow))
        g.narrow = &narrow;
    if (!p->dot && (!g.narrow || g.is_by_task)) /* fewer bytes, and sums are not kept in C */
        gemm_choose_depth(&g);
    /* Sums that are made in several rounds have to be kept. */
    g.epilogue = g.block_depth == 0 && p->starts_at_zero ? p->epilogue : NULL;
    p->has_epilogue = g.epilogue != NULL;
    bool is_made = g.is_by_task || g.narrow;
    g.panels = is_made ? NULL : matmul_share_panels(s, p, dims, &is_made);
    bool is_common = g.panels != NULL;
    if (!is_common && !is_made)
        g.panels = gemm_buffer(&g, "panels", p->dot ? p->dot->y : p->c->dtype, dims, 3);
    if (is_copied)
        n = gemm_pack_x(&g, items);
    struct tir_stmt **packs = is_common ? s->shared->stmts : is_alike ? front : items;
    unsigned *count = is_common ? &s->shared->stmt_count : is_alike ? &front_count : &n;
    g.is_guarded = g.narrow && !ir_expr_is_int(tail, 0);
    if (g.narrow)
        *count += gemm_pack_narrow(&g, all, packs + *count);
    if (!is_made)
        *count += pack_panels(&g, full, tail, packs + *count);
    items[n++] = g.narrow && !g.is_by_task && is_open && p->batch_count == 0
                     ? multiply_either(&g, full, tail)
                     : multiply_all(&g, full, tail);
    struct tir_stmt *out = sch_seq(s, items, n);
    front[front_count++] = g.is_inside ? out : matmul_in_batch(s, p, out);
    return sch_seq(s, front, front_count);
}
