/*
 * Panels of weights that have fewer bits than the sums: each load of Y gets panels of its own dtype, in which an element that
 * many values of k read stands once, and what Y makes of them is computed in registers.
 *
 *     Y(k, j) = (T.Cast("float32", q[k // 2, j] ..) - 8) * s[k // 32, j]
 *
 * So weights are read from memory in one stream, in their order, and are never written.  A factor that blocks of k have in
 * common, as the scales here, is multiplied with the sum of each block:
 *
 *     for kb in range(K // 32):
 *         part[r, c] = 0
 *         for ko in range(4):                        eight values of k in each
 *             part[r, c] = T.fma(X[.., k], T.Cast("float32", panels[p, k // 2, c] ..) - 8, part[r, c])
 *         acc[r, c] = T.fma(part[r, c], scales[p, kb, c], acc[r, c])
 */
#include "base/util.h"
#include "passes/schedule/gemm.h"

enum {
    PERIOD_MOST = 1 << 16,
    BLOCK_LEAST = 16, /* values of k that have a factor in common */
    GROWTH = 4,   /* panels may have one part of so many more elements than what they are made of */
    CENTRE = 128, /* of bytes without signs */
};

/* ---- what Y loads ---- */

/* Are the indices of @load the same for @period values of k, from each multiple of it on? */
static bool is_alike(struct gemm *g, const struct ir_expr *load, int64_t period)
{
    struct schedule *s = g->s;
    const struct ir_var *block = var(g, "b"), *rest = var(g, "r");
    const struct ir_expr *first = times(g, sch_use(s, block), period);
    struct ir_range items[] = {{block, num(g, 0), num(g, PERIOD_MOST)},
                               {rest, num(g, 0), num(g, period)}};
    struct ir_ranges ranges = {items, ARRAY_SIZE(items), ARRAY_SIZE(items)};

    for (unsigned i = 0; i < load->operand_count; i++) {
        const struct ir_expr *index = load->operands[i], *k = plus(g, first, sch_use(s, rest));
        const struct ir_expr *begin = sch_put(s, index, g->p->k, first);
        const struct ir_expr *behind = sch_put(s, index, g->p->k, k);

        if (!ir_expr_equal(ir_simplify_in(s->context, &ranges, begin),
                           ir_simplify_in(s->context, &ranges, behind)))
            return false;
    }
    return true;
}

/* The longest such period, a power of two: shorter ones are less easily seen. */
static int64_t period_of(struct gemm *g, const struct ir_expr *load, int64_t depth)
{
    int64_t period = PERIOD_MOST;

    if (!ir_expr_uses_var(load, g->p->k))
        return depth;
    while (period > 1 && (period > depth || !is_alike(g, load, period)))
        period /= 2;
    return period;
}

/* Elements along k of the panels of @load. */
static const struct ir_expr *steps_of(const struct gemm *g, const struct narrow_load *load)
{
    return sch_ceil_div(g->s, g->p->depth, load->period);
}

/* Is that not much more than what it loads from? */
static bool is_small(const struct gemm *g, const struct narrow_load *load)
{
    const struct ir_buffer *buffer = load->load->buffer;
    double elements = 1, panels;
    int64_t dim, columns, steps;

    for (unsigned i = 0; i < buffer->ndim; i++) {
        if (!sch_constant(g->s, buffer->shape[i], &dim))
            return false;
        elements *= (double)dim;
    }
    if (!sch_constant(g->s, g->p->n, &columns) || !sch_constant(g->s, steps_of(g, load), &steps))
        return false;
    panels = (double)columns * (double)steps;
    return panels <= elements + elements / (double)GROWTH;
}

struct search {
    struct gemm *g;
    struct narrow *narrow;
    int64_t depth;
};

static struct narrow_load *load_of(struct narrow *narrow, const struct ir_expr *a)
{
    for (unsigned i = 0; i < narrow->count; i++)
        if (ir_expr_equal(narrow->loads[i].load, a))
            return &narrow->loads[i];
    return NULL;
}

static bool has_no_load(void *state, const struct ir_expr *a)
{
    (void)state;
    return a->kind != IR_EXPR_load;
}

/* Notes a load that moves along j; false: panels cannot take its place. */
static bool note_load(struct search *search, const struct ir_expr *a)
{
    struct narrow *narrow = search->narrow;
    struct narrow_load load = {.load = a, .period = period_of(search->g, a, search->depth)};

    if (load_of(narrow, a))
        return true;
    for (unsigned i = 0; i < a->operand_count; i++)
        if (!ir_expr_walk(a->operands[i], has_no_load, NULL))
            return false;
    if (narrow->count == NARROW_MOST || !is_small(search->g, &load))
        return false;
    narrow->loads[narrow->count++] = load;
    return true;
}

static bool visit_load(void *state, const struct ir_expr *a)
{
    struct search *search = state;
    const struct matmul *p = search->g->p;

    if (a->kind == IR_EXPR_var)
        return a->var == p->k || a->var == p->j;
    if (a->kind != IR_EXPR_load)
        return a->kind != IR_EXPR_call;
    return sch_reads_constants(search->g->s, a) &&
           (!ir_expr_uses_var(a, p->j) || note_load(search, a));
}

/* ---- bytes with a zero point of 128 ---- */

/* The load in T.Cast(.., load) - 128; NULL: @a is something else. */
static const struct ir_expr *centred_load(const struct ir_expr *a)
{
    if (a->kind != IR_EXPR_sub || a->operands[1]->kind != IR_EXPR_float ||
        a->operands[1]->float_value != (double)CENTRE || a->operands[0]->kind != IR_EXPR_cast)
        return NULL;
    const struct ir_expr *load = a->operands[0]->operands[0];

    return load->kind == IR_EXPR_load ? load : NULL;
}

static bool count_uses(void *state, const struct ir_expr *a)
{
    struct narrow *narrow = state;
    const struct ir_expr *centred = centred_load(a);
    struct narrow_load *load = load_of(narrow, centred ? centred : a);

    if (load)
        load->others += centred ? -1 : 1; /* the load in it comes next */
    return true;
}

/* Bytes of which 128 is always subtracted lose that, and get a sign, when they are packed: one instruction less for each. */
static void find_centred(struct gemm *g, struct narrow *narrow)
{
    (void)ir_expr_walk(g->p->y, count_uses, narrow);
    for (unsigned i = 0; i < narrow->count; i++)
        narrow->loads[i].is_centred =
            narrow->loads[i].others == 0 &&
            ir_dtype_equal(narrow->loads[i].load->dtype, IR_DTYPE(IR_UINT, 8));
}

/* What panels have for what @load gives, @value. */
static const struct ir_expr *packed_value(struct gemm *g, const struct narrow_load *load,
                                          const struct ir_expr *value)
{
    struct ir_context *context = g->s->context;
    struct ir_dtype wide = IR_DTYPE(IR_INT, 16);

    if (!load->is_centred)
        return value;
    value = ir_expr_cast(context, wide, value);
    value = ir_expr_binary(context, IR_EXPR_sub, value, sch_int(g->s, wide, CENTRE));
    return ir_expr_cast(context, IR_DTYPE(IR_INT, 8), value);
}

/* ---- a factor of blocks ---- */

static const struct ir_expr *without_loads(void *state, const struct ir_expr *a)
{
    struct schedule *s = state;

    if (a->kind != IR_EXPR_load)
        return a;
    return ir_dtype_is_float(a->dtype) ? ir_expr_float(s->context, a->dtype, 0)
                                       : sch_int(s, a->dtype, 0);
}

struct periods {
    struct gemm *g;
    int64_t depth, least;
};

static bool visit_period(void *state, const struct ir_expr *a)
{
    struct periods *periods = state;

    if (a->kind == IR_EXPR_load) {
        int64_t period = period_of(periods->g, a, periods->depth);
        periods->least = period < periods->least ? period : periods->least;
    }
    return true;
}

/* For how many values of k, from each multiple of it on, @a is the same. */
static int64_t period_of_all(struct gemm *g, const struct ir_expr *a, int64_t depth)
{
    struct periods periods = {g, depth, depth};
    const struct ir_expr *rest = ir_expr_rewrite(g->s->context, a, without_loads, g->s);

    if (ir_expr_uses_var(rest, g->p->k))
        return 1;
    (void)ir_expr_walk(a, visit_period, &periods);
    return periods.least;
}

/* Y is @narrow->elements, times a scale where blocks have one. */
static void find_scale(struct gemm *g, struct narrow *narrow, int64_t depth)
{
    const struct ir_expr *y = g->p->y;

    narrow->elements = y;
    for (unsigned i = 0; y->kind == IR_EXPR_mul && i < 2 && !narrow->scale; i++) {
        int64_t period = period_of_all(g, y->operands[i], depth);

        if (period < BLOCK_LEAST || period_of_all(g, y->operands[1 - i], depth) >= period)
            continue;
        narrow->scale = y->operands[i];
        narrow->elements = y->operands[1 - i];
        narrow->block = period;
    }
}

bool gemm_find_narrow(struct gemm *g, struct narrow *narrow)
{
    struct search search = {.g = g, .narrow = narrow};

    *narrow = (struct narrow){0};
    if (!sch_constant(g->s, g->p->depth, &search.depth) || !matmul_is_widened(g->s, g->p) ||
        !matmul_panels_fit(g->s, g->p) || !ir_expr_walk(g->p->y, visit_load, &search) ||
        narrow->count == 0)
        return false;
    find_centred(g, narrow);
    find_scale(g, narrow, search.depth);
    return true;
}

/* ---- what takes the place of the loads ---- */

struct place_in_panels {
    struct gemm *g;
    const struct ir_expr *panel, *k, *c;
};

/* Is @load of panels that are centred? */
static bool is_of_centred(const struct narrow *narrow, const struct ir_expr *load)
{
    for (unsigned i = 0; i < narrow->count; i++)
        if (narrow->loads[i].is_centred && narrow->loads[i].panels == load->buffer)
            return true;
    return false;
}

static const struct ir_expr *load_panel(void *state, const struct ir_expr *a)
{
    const struct place_in_panels *at = state;
    struct gemm *g = at->g;
    const struct ir_expr *centred = centred_load(a);
    struct narrow_load *load = a->kind == IR_EXPR_load ? load_of(g->narrow, a) : NULL;

    if (centred && is_of_centred(g->narrow, centred))
        return a->operands[0];

    if (!load)
        return a;
    const struct ir_expr *step =
        ir_simplify_in(g->s->context, &g->s->ranges, sch_div(g->s, at->k, load->period));
    const struct ir_expr *indices[] = {at->panel, step, at->c};
    return sch_load(g->s, load->panels, indices);
}

const struct ir_expr *gemm_narrow_value(struct gemm *g, const struct ir_expr *a,
                                        const struct ir_expr *panel, const struct ir_expr *k,
                                        const struct ir_expr *c)
{
    struct place_in_panels at = {g, panel, k, c};
    const struct ir_expr *value = ir_expr_rewrite(g->s->context, a, load_panel, &at);

    value = sch_put(g->s, value, g->p->k, k);
    return sch_put(g->s, value, g->p->j, gemm_column(g, panel, c));
}

/* panels[p, step, c] = what @load gives for the first k of the step, or 0 where there is no such column */
static struct tir_stmt *pack_load(struct gemm *g, struct narrow_load *load,
                                  const struct ir_expr *panels)
{
    struct schedule *s = g->s;
    const struct ir_expr *dims[] = {panels, steps_of(g, load), num(g, g->columns)};
    const struct ir_var *panel = var(g, "p"), *k = var(g, "k"), *c = var(g, "c");
    const struct ir_expr *at[] = {sch_use(s, panel), sch_use(s, k), sch_use(s, c)};
    const struct ir_expr *column = gemm_column(g, at[0], at[2]);
    const struct ir_expr *value = sch_put(s, load->load, g->p->k, times(g, at[1], load->period));

    value = packed_value(g, load, sch_put(s, value, g->p->j, column));
    load->panels = gemm_buffer(g, "panels", value->dtype, dims, 3);
    value = gemm_guarded(g, column, value);
    struct tir_stmt *nest = vector(g, c, dims[2], sch_store(s, load->panels, at, value));
    nest = sch_for(s, TIR_SERIAL, k, dims[1], nest);
    return sch_for(s, shared(g), panel, panels, nest);
}

unsigned gemm_pack_narrow(struct gemm *g, const struct ir_expr *panels, struct tir_stmt **items)
{
    for (unsigned i = 0; i < g->narrow->count; i++)
        items[i] = pack_load(g, &g->narrow->loads[i], panels);
    return g->narrow->count;
}

bool matmul_is_narrow(struct schedule *s, struct matmul *p)
{
    struct gemm g = {.s = s,
                     .p = p,
                     .dtype = p->j->dtype,
                     .columns = GEMM_VECTORS * schedule_lanes(s, p->c->dtype)};
    struct narrow narrow;

    return gemm_find_narrow(&g, &narrow);
}
