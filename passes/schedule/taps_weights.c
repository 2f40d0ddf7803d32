/*
 * Weights of sums over windows whose columns lie far apart (see taps.c), as those of channels in blocks do:
 *
 *     y[o, i, l] += x[o, i + k, l] * w[o * 16 + l, k]   ==>   packed[o, k, l] = w[o * 16 + l, k]
 *                                                            y[o, i, l] += x[o, i + k, l] * packed[o, k, l]
 *
 * Of constants that is done when the program is compiled (PackConstants).
 */
#include "analysis/access/index.h"
#include "passes/schedule/taps.h"

enum { NEAR = 4 /* elements between neighbours that vectors can load */, ELEMENTS_MOST = 1 << 20 };

static bool uses(const struct ir_expr *a, const struct tir_stmt *loop)
{
    return ir_expr_uses_var(a, loop->loop.var);
}

bool taps_is_near(const struct taps *t, const struct ir_expr *load)
{
    int64_t stride;

    return index_stride(t->s->context, load->buffer, load->operands, load->operand_count,
                        t->j->loop.var, &stride) &&
           stride >= 0 && stride <= NEAR;
}

bool taps_is_weight(const struct taps *t, const struct ir_expr *a)
{
    int64_t extent, elements = 1;
    bool is_shared = false;

    if (a->kind != IR_EXPR_load || !uses(a, t->j) || taps_is_near(t, a))
        return false;
    for (unsigned n = 0; n < t->nest.count; n++) {
        const struct tir_stmt *loop = t->nest.loops[n];

        if (!uses(a, loop)) {
            is_shared |= nest_place(&t->nest, loop) >= 0;
            continue;
        }
        if (!sch_constant(t->s, loop->loop.extent, &extent) || extent < 1 ||
            __builtin_mul_overflow(elements, extent, &elements) || elements > ELEMENTS_MOST)
            return false;
    }
    return is_shared;
}

struct packing {
    struct taps *t;
    const struct ir_expr *weight;
    unsigned count;
    struct ir_buffer *packed;
};

static bool find_weight(void *state, const struct ir_expr *a)
{
    struct packing *p = state;

    if (a->kind == IR_EXPR_call) /* T.if_then_else: it may not be there for all windows */
        return false;
    if (!taps_is_weight(p->t, a))
        return true;
    p->count += !p->weight || !ir_expr_equal(p->weight, a);
    p->weight = a;
    return true;
}

/* The loops of the nest that the weight depends on, the columns innermost. */
static unsigned loops_of(const struct packing *p, struct tir_stmt **loops)
{
    unsigned count = 0;

    for (unsigned n = 0; n < p->t->nest.count; n++)
        if (p->t->nest.loops[n] != p->t->j && uses(p->weight, p->t->nest.loops[n]))
            loops[count++] = p->t->nest.loops[n];
    loops[count++] = p->t->j;
    return count;
}

static const struct ir_expr *from_packed(void *state, const struct ir_expr *a)
{
    struct packing *p = state;
    struct tir_stmt *loops[MATMUL_LOOP_LIMIT];
    const struct ir_expr *at[MATMUL_LOOP_LIMIT];

    if (!ir_expr_equal(a, p->weight))
        return a;
    unsigned count = loops_of(p, loops);
    for (unsigned n = 0; n < count; n++)
        at[n] = sch_use(p->t->s, loops[n]->loop.var);
    return sch_load(p->t->s, p->packed, at);
}

unsigned taps_pack_weights(struct taps *t, struct tir_stmt **items)
{
    struct schedule *s = t->s;
    struct packing p = {.t = t};
    struct tir_stmt *loops[MATMUL_LOOP_LIMIT];
    const struct ir_expr *dims[MATMUL_LOOP_LIMIT], *at[MATMUL_LOOP_LIMIT];

    (void)ir_expr_walk(t->value, find_weight, &p);
    if (p.count != 1)
        return 0;
    unsigned count = loops_of(&p, loops);
    for (unsigned n = 0; n < count; n++) {
        dims[n] = loops[n]->loop.extent;
        at[n] = sch_use(s, loops[n]->loop.var);
    }
    p.packed = sch_buffer_of(s, "packed", p.weight->dtype, "global", dims, count);
    struct tir_stmt *body = sch_store(s, p.packed, at, p.weight);
    for (unsigned n = count; n-- > 0;)
        body = sch_for(s, n + 1 == count ? TIR_VECTORIZED : TIR_SERIAL, loops[n]->loop.var,
                       loops[n]->loop.extent, body);
    t->value = ir_expr_rewrite(s->context, t->value, from_packed, &p);
    items[0] = sch_alloc(s, p.packed);
    items[1] = loop_copy_fresh(s->module, body);
    return 2;
}
