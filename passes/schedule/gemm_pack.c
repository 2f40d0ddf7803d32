/* Copies of the operands of a product: tiles of X, panels of Y, whatever these are. */
#include "analysis/access/index.h"
#include "passes/schedule/gemm.h"

/*
 * Is X an element of a matrix that is contiguous along k?  Then a copy gains nothing, not even where its rows fall on
 * the same lines of the cache (1024, 2048 columns): measured, it costs 2 to 15 %.  Tiles have fewer rows there.
 */
bool gemm_lies_well(struct schedule *s, const struct matmul *p)
{
    const struct ir_expr *x = p->x;
    int64_t stride;

    return x->kind == IR_EXPR_load &&
           index_stride(s->context, x->buffer, x->operands, x->operand_count, p->k, &stride) &&
           stride == 1;
}

struct ir_buffer *gemm_buffer(struct gemm *g, const char *name, struct ir_dtype dtype,
                              const struct ir_expr *const *dims, unsigned ndim)
{
    struct ir_buffer *buffer = sch_buffer_of(g->s, name, dtype, "global", dims, ndim);

    g->p->allocs[g->p->alloc_count++] = sch_alloc(g->s, buffer);
    return buffer;
}

const struct ir_expr *gemm_zero(const struct gemm *g, struct ir_dtype dtype)
{
    return g->dot ? sch_int(g->s, dtype, 0) : ir_expr_float(g->s->context, dtype, 0);
}

/* @make for all steps of k; of words, the last one may have fewer bytes. */
static struct tir_stmt *
pack_steps(struct gemm *g, const struct ir_expr *at, const struct ir_expr *count,
           struct tir_stmt *make(struct gemm *, const struct ir_expr *at, const struct ir_expr *k,
                                 const struct ir_expr *count, unsigned bytes))
{
    const struct ir_var *k = var(g, "k");
    const struct ir_expr *whole = g->steps;
    struct tir_stmt *items[2];
    unsigned n = 0;

    if (g->last_bytes)
        whole = sch_sub(g->s, whole, num(g, 1));
    items[n++] = sch_for(g->s, TIR_SERIAL, k, whole, make(g, at, sch_use(g->s, k), count, 4));
    if (g->last_bytes)
        items[n++] = make(g, at, whole, count, g->last_bytes);
    return sch_seq(g->s, items, n);
}

static struct tir_stmt *pack_row(struct gemm *g, const struct ir_expr *tile_index,
                                 const struct ir_expr *k, const struct ir_expr *count,
                                 unsigned bytes)
{
    const struct ir_var *r = var(g, "r");
    const struct ir_expr *at[] = {tile_index, k, sch_use(g->s, r)};
    const struct ir_expr *i = plus(g, times(g, tile_index, g->rows), at[2]);
    const struct ir_expr *x =
        g->dot ? matmul_x_word(g->s, g->p, i, k, bytes) : matmul_x(g->s, g->p, i, k);
    int64_t known;
    enum tir_for_kind kind = sch_constant(g->s, count, &known) ? TIR_UNROLLED : TIR_SERIAL;

    return sch_for(g->s, kind, r, count, sch_store(g->s, g->tiles, at, x));
}

/* tiles[tile, k, r] = X(tile * g->rows + r, k) for r below @count. */
static struct tir_stmt *pack_tile(struct gemm *g, const struct ir_expr *tile_index,
                                  const struct ir_expr *count)
{
    return pack_steps(g, tile_index, count, pack_row);
}

unsigned gemm_pack_x(struct gemm *g, struct tir_stmt **items)
{
    struct schedule *s = g->s;
    const struct ir_expr *m = g->p->m, *full = sch_div(s, m, g->rows);
    const struct ir_expr *dims[] = {sch_ceil_div(s, m, g->rows), g->steps, num(g, g->rows)};
    const struct ir_expr *rest = sch_sub(s, m, times(g, full, g->rows));
    const struct ir_var *it = var(g, "it");
    unsigned n = 0;

    g->tiles = gemm_buffer(g, "tiles", g->dot ? g->dot->x : g->p->c->dtype, dims, 3);
    if (!ir_expr_is_int(full, 0))
        items[n++] = sch_for(s, shared(g), it, full, pack_tile(g, sch_use(s, it), num(g, g->rows)));
    if (!ir_expr_is_int(rest, 0)) { /* the loop runs once, or not at all where there is no rest */
        const struct ir_var *last = var(g, "it");
        const struct ir_expr *count = sch_sub(s, dims[0], full);
        items[n++] = sch_for(s, TIR_SERIAL, last, count,
                             pack_tile(g, plus(g, full, sch_use(s, last)), rest));
    }
    return n;
}

const struct ir_expr *gemm_column(struct gemm *g, const struct ir_expr *panel,
                                  const struct ir_expr *c)
{
    return plus(g, times(g, panel, g->columns), c);
}

const struct ir_expr *gemm_guarded(const struct gemm *g, const struct ir_expr *j,
                                   const struct ir_expr *a)
{
    struct ir_context *context = g->s->context;
    const struct ir_expr *zero = a->dtype.code == IR_FLOAT ? ir_expr_float(context, a->dtype, 0)
                                                           : sch_int(g->s, a->dtype, 0);
    const struct ir_expr *args[] = {ir_expr_binary(context, IR_EXPR_lt, j, g->p->n), a, zero};

    return g->is_guarded ? ir_expr_call(context, a->dtype,
                                        atom_intern_text(&context->atoms, "if_then_else"), args, 3)
                         : a;
}

/* panels[panel, k, c] = 0 for all c */
static struct tir_stmt *clear_columns(struct gemm *g, const struct ir_expr *panel,
                                      const struct ir_expr *k)
{
    const struct ir_var *c = var(g, "c");
    const struct ir_expr *at[] = {panel, k, sch_use(g->s, c)};

    return vector(g, c, num(g, g->columns),
                  sch_store(g->s, g->panels, at, gemm_zero(g, g->panels->dtype)));
}

static struct tir_stmt *pack_columns(struct gemm *g, const struct ir_expr *panel,
                                     const struct ir_expr *k, const struct ir_expr *count,
                                     unsigned bytes)
{
    const struct ir_var *c = var(g, "c");
    const struct ir_expr *at[] = {panel, k, sch_use(g->s, c)}, *j = gemm_column(g, panel, at[2]);
    const struct ir_expr *y =
        g->dot ? matmul_y_word(g->s, g->p, k, j, bytes) : matmul_y(g->s, g->p, k, j);
    struct tir_stmt *items[2];
    unsigned n = 0;

    if (!ir_expr_is_int(count, g->columns)) /* what is computed with it is not stored */
        items[n++] = clear_columns(g, panel, k);
    items[n++] = vector(g, c, count, sch_store(g->s, g->panels, at, gemm_guarded(g, j, y)));
    return sch_seq(g->s, items, n);
}

struct ir_buffer *gemm_own_panels(struct gemm *g, const struct stripe *stripe)
{
    const struct ir_expr *depth = g->block_depth ? num(g, g->block_depth) : g->steps;
    const struct ir_expr *dims[] = {num(g, stripe->most), depth, num(g, g->columns)};

    return sch_buffer_of(g->s, "panels", g->p->c->dtype, "global", dims, 3);
}

struct tir_stmt *gemm_pack_block(struct gemm *g, const struct stripe *stripe,
                                 const struct ir_expr *first, const struct ir_expr *extent)
{
    const struct ir_var *k = var(g, "k"), *q = var(g, "q"), *c = var(g, "c");
    const struct ir_expr *at[] = {sch_use(g->s, q), sch_use(g->s, k), sch_use(g->s, c)};
    const struct ir_expr *j = gemm_column(g, plus(g, stripe->first, at[0]), at[2]);
    const struct ir_expr *value = plus(g, first, at[1]);
    struct tir_stmt *items[2];
    unsigned n = 0;

    if (!ir_expr_is_int(stripe->columns, g->columns)) /* what is computed with it is not stored */
        items[n++] = clear_columns(g, at[0], at[1]);
    value = g->narrow ? gemm_narrow_value(g, g->p->y, plus(g, stripe->first, at[0]), value, at[2])
                      : matmul_y(g->s, g->p, value, j);
    items[n++] = vector(g, c, stripe->columns, sch_store(g->s, g->panels, at, value));
    struct tir_stmt *body = sch_seq(g->s, items, n);
    if (g->narrow) /* which lie as these panels do */
        return sch_for(g->s, TIR_SERIAL, q, stripe->count,
                       sch_for(g->s, TIR_SERIAL, k, extent, body));
    return sch_for(g->s, TIR_SERIAL, k, extent, sch_for(g->s, TIR_SERIAL, q, stripe->count, body));
}

/* panels[panel, steps, c] = the sum of Y(k, panel * columns + c), times what X was moved by */
static struct tir_stmt *pack_sums(struct gemm *g, const struct ir_expr *panel,
                                  const struct ir_expr *count)
{
    struct schedule *s = g->s;
    const struct ir_var *k = var(g, "k"), *c = var(g, "c");
    const struct ir_expr *at[] = {panel, g->steps, sch_use(s, c)};
    const struct ir_expr *j = gemm_column(g, panel, at[2]);
    const struct ir_expr *y = gemm_guarded(g, j, matmul_y(s, g->p, sch_use(s, k), j));

    y = ir_expr_binary(s->context, IR_EXPR_mul, y, sch_int(s, IR_I32, g->dot->factor));
    if (!ir_dtype_equal(g->panels->dtype, IR_I32))
        y = ir_expr_cast(s->context, g->panels->dtype, y);
    struct tir_stmt *add = sch_store(
        s, g->panels, at, ir_expr_binary(s->context, IR_EXPR_add, sch_load(s, g->panels, at), y));
    struct tir_stmt *items[] = {clear_columns(g, panel, g->steps),
                                sch_for(s, TIR_SERIAL, k, g->p->depth, vector(g, c, count, add))};
    return sch_seq(s, items, 2);
}

struct tir_stmt *gemm_pack_panel(struct gemm *g, const struct ir_expr *panel,
                                 const struct ir_expr *count)
{
    if (!g->dot &&
        ir_expr_is_int(count, g->columns)) { /* Y may lie in a row along k: tile by tile */
        const struct ir_var *k = var(g, "k"), *c = var(g, "c");
        const struct ir_expr *at[] = {panel, sch_use(g->s, k), sch_use(g->s, c)};
        const struct ir_expr *y = matmul_y(g->s, g->p, at[1], gemm_column(g, panel, at[2]));
        struct tir_stmt *nest =
            sch_for(g->s, TIR_SERIAL, k, g->p->depth,
                    sch_for(g->s, TIR_SERIAL, c, count, sch_store(g->s, g->panels, at, y)));
        if (sch_transpose(g->s, &nest, 2))
            return nest;
    }
    struct tir_stmt *items[2] = {pack_steps(g, panel, count, pack_columns), NULL};
    if (!g->dot || !g->dot->is_moved)
        return items[0];
    items[1] = pack_sums(g, panel, count);
    return sch_seq(g->s, items, 2);
}
