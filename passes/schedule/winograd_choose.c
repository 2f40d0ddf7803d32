/* Which convolutions winograd.c takes, and how many tiles of them at a time. */
#include "analysis/access/index.h"
#include "passes/schedule/winograd.h"

enum {
    CHANNELS_LEAST = 32,
    TILES_LEAST = 12, /* fewer do not pay for reading U, which is larger than W */
    TILES_GOOD = 24,
    TILES_MOST = 64, /* V and M stay in the cache */
};

/* Does X read for @tap and @place what it reads for 0 and @place + @tap? */
static bool moves_with(const struct winograd *w, const struct ir_var *tap,
                       const struct ir_var *place)
{
    struct schedule *s = w->s;
    const struct ir_expr *x = w->p->x;

    for (int64_t n = 1; n < WINDOW; n++)
        for (unsigned d = 0; d < x->operand_count; d++) {
            const struct ir_expr *own = sch_put(s, x->operands[d], tap, num(w, n));
            const struct ir_expr *moved = sch_put(s, x->operands[d], tap, num(w, 0));
            moved = sch_put(s, moved, place, sch_add(s, use(w, place), num(w, n)));
            if (!ir_prove_equal(s->context, own, moved))
                return false;
        }
    return ir_expr_uses_var(x, tap);
}

/* The loop of the batch over which windows move with @tap. */
static struct tir_stmt *row_of(const struct winograd *w, const struct ir_var *tap)
{
    for (unsigned n = 0; n < w->p->batch_count; n++)
        if (w->p->batch[n] != w->b->blocks && moves_with(w, tap, w->p->batch[n]->loop.var))
            return w->p->batch[n];
    return NULL;
}

/* Takes the loops over windows out of those of the sum. */
static bool read_windows(struct winograd *w)
{
    struct blocks *b = w->b;
    unsigned kept = 0;

    for (unsigned n = 0; n < b->sum_count; n++) {
        struct tir_stmt *loop = b->sums[n], *row = NULL;
        if (ir_expr_is_int(loop->loop.extent, WINDOW)) {
            if (!w->taps[1] && moves_with(w, loop->loop.var, w->p->i)) {
                w->taps[1] = loop;
                continue;
            }
            row = w->taps[0] ? NULL : row_of(w, loop->loop.var);
        }
        if (row) {
            w->row = row;
            w->taps[0] = loop;
        } else
            b->sums[kept++] = loop;
    }
    b->sum_count = kept;
    return w->taps[0] && w->taps[1] && kept > 0;
}

/* Are the channels of the last loop side by side in X? */
static bool read_channels(struct winograd *w)
{
    const struct ir_expr *x = w->p->x;
    const struct blocks *b = w->b;
    struct tir_stmt *last = b->sums[b->sum_count - 1];
    int64_t stride, extent;

    w->channels = 1;
    for (unsigned n = 0; n < b->sum_count; n++) {
        if (!sch_constant(w->s, b->sums[n]->loop.extent, &extent))
            return false;
        w->channels *= extent; /* all of them, times 9, are b->depth */
    }
    return sch_constant(w->s, last->loop.extent, &w->inner) &&
           (w->inner == b->lanes || 2 * w->inner == b->lanes || w->inner == 2 * b->lanes) &&
           index_stride(w->s->context, x->buffer, x->operands, x->operand_count, last->loop.var,
                        &stride) &&
           stride == 1;
}

/* Rows of tiles of the busier one of two threads. */
static int64_t rows_of_busier(const struct winograd *w)
{
    return (group_count(w) + 1) / 2 * w->group;
}

/*
 * How many rows of tiles are computed together: so many that U is read for enough, and V stays in the cache.  Where U stays
 * there, too, so many that threads can share the groups.
 */
static void choose_group(struct winograd *w)
{
    int64_t bytes = ALL * w->channels * w->b->count * w->b->lanes * (int64_t)sizeof(float);
    int64_t best = 0;

    for (int64_t rows = 1; 4 * bytes <= w->s->l2_bytes && rows < w->high; rows++) {
        struct winograd other = *w;
        other.group = rows;
        if (rows * w->wide >= TILES_LEAST && rows * w->wide <= TILES_MOST &&
            group_count(&other) >= BLOCKS_GROUPS_LEAST &&
            (!best || rows_of_busier(&other) < rows_of_busier(w)))
            best = w->group = rows;
    }
    if (best)
        return;
    w->group = 1;
    for (int64_t rows = 1; rows <= w->high && rows * w->wide <= TILES_MOST; rows++) {
        if (w->high % rows != 0)
            continue;
        w->group = rows;
        if (rows * w->wide >= TILES_GOOD)
            return;
    }
}

bool winograd_fits(struct winograd *w)
{
    const struct blocks *b = w->b;

    w->columns = b->rows;
    if (!w->s->is_winograd || !b->blocks || !ir_dtype_equal(w->p->c->dtype, IR_F32) ||
        !sch_reads_constants(w->s, w->p->y) || !read_windows(w) || !read_channels(w) ||
        !sch_constant(w->s, w->row->loop.extent, &w->rows))
        return false;
    w->high = (w->rows + OUT - 1) / OUT;
    w->wide = (w->columns + OUT - 1) / OUT;
    choose_group(w);
    return w->channels >= CHANNELS_LEAST && b->count * b->lanes >= CHANNELS_LEAST &&
           w->group * w->wide >= TILES_LEAST;
}
