/* Taps of interpolations; see taps.h. */
#include "ops/lower/taps.h"

#define ADD(a, b) k_binary(k, IR_EXPR_add, a, b)
#define SUB(a, b) k_binary(k, IR_EXPR_sub, a, b)
#define MUL(a, b) k_binary(k, IR_EXPR_mul, a, b)
#define NUM(v)    k_number(k, x->dtype, v)

const struct ir_expr *taps_limited(struct kernel *k, const struct ir_expr *index,
                                   const struct ir_expr *extent)
{
    const struct ir_expr *last = ir_simplify(k->context, k_sub(k, extent, k_int(k, 1)));

    return k_binary(k, IR_EXPR_max, k_binary(k, IR_EXPR_min, index, last), k_int(k, 0));
}

/* The element in front of @x, and how far behind it @x lies. */
static const struct ir_expr *begin(struct code *code, const struct ir_expr *x,
                                   const struct ir_expr **out_part)
{
    struct kernel *k = code->k;
    const struct ir_expr *floor = code_let(code, "low", k_call(k, "floor", x));

    *out_part = code_let(code, "part", SUB(x, floor));
    return code_let(code, "from", k_cast(k, IR_I64, floor));
}

struct taps taps_linear(struct code *code, const struct ir_expr *x)
{
    struct kernel *k = code->k;
    struct taps taps = {.count = 2};
    const struct ir_expr *part;

    x = code_let(code, "x", x);
    taps.index[0] = begin(code, x, &part);
    taps.index[1] = ADD(taps.index[0], k_int(k, 1));
    taps.weight[0] = code_let(code, "weight", SUB(NUM(1), part));
    taps.weight[1] = part;
    return taps;
}

struct taps taps_cubic(struct code *code, const struct ir_expr *x, double alpha)
{
    struct kernel *k = code->k;
    struct taps taps = {.count = 4};
    const struct ir_expr *t;

    x = code_let(code, "x", x);
    const struct ir_expr *from = begin(code, x, &t);
    const struct ir_expr *t2 = code_let(code, "square", MUL(t, t));
    const struct ir_expr *t3 = code_let(code, "cube", MUL(t2, t)), *a = NUM(alpha);
    const struct ir_expr *weights[] = {
        MUL(a, ADD(SUB(t3, MUL(NUM(2), t2)), t)),
        ADD(SUB(MUL(NUM(alpha + 2), t3), MUL(NUM(alpha + 3), t2)), NUM(1)),
        SUB(SUB(MUL(NUM(3 + 2 * alpha), t2), MUL(NUM(alpha + 2), t3)), MUL(a, t)),
        MUL(a, SUB(t2, t3)),
    };
    for (unsigned i = 0; i < 4; i++) {
        taps.index[i] = ADD(from, k_int(k, (int64_t)i - 1));
        taps.weight[i] = code_let(code, "weight", weights[i]);
    }
    return taps;
}

static const struct ir_expr *element(struct sampled *s, const struct ir_expr *const *index,
                                     const struct ir_expr *inside)
{
    struct kernel *k = s->k;
    const struct ir_expr **at = kernel_copy_indices(k, s->at, (unsigned)k->operands[0].type->ndim);

    for (unsigned i = 0; i < s->count; i++)
        at[s->axes[i]] = index[i];
    return k_if(k, inside, k_cast(k, s->dtype, kernel_load(k, 0, at)), k_number(k, s->dtype, 0));
}

/* Over the taps of axis @i and those behind it, the others at @index. */
static const struct ir_expr *sum_from(struct sampled *s, unsigned i, const struct ir_expr **index,
                                      const struct ir_expr *inside)
{
    struct kernel *k = s->k;
    const struct taps *taps = &s->taps[i];
    const struct ir_expr *sum = NULL;

    if (i == s->count)
        return element(s, index, inside);
    for (unsigned t = 0; t < taps->count; t++) {
        const struct ir_expr *both = inside;
        if (taps->inside[t])
            both = k_and(k, inside, taps->inside[t]);
        index[i] = taps->index[t];
        const struct ir_expr *value = sum_from(s, i + 1, index, both);
        if (taps->weight[t])
            value = MUL(value, taps->weight[t]);
        sum = sum ? ADD(sum, value) : value;
    }
    return sum;
}

const struct ir_expr *taps_sum(struct sampled *s)
{
    const struct ir_expr *index[SPATIAL] = {NULL};

    return sum_from(s, 0, index, NULL);
}
