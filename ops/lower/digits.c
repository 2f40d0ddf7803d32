/*
 * Lines sorted by their bytes: a number in whose order the elements stand is made of each, and the elements are dealt out
 * by one byte of it after the other, the lowest first, so that equal ones keep their order.  Places are moved,
 * not elements.
 *
 *     for p in range(bytes):
 *         if start[p, byte p of the first element] < n:           else all have the same
 *             start[p, d] = how many have a smaller byte
 *             for i in range(n): e = turn[side, i]; turn[1 - side, start[p, d of e]++] = e
 *
 * n steps for each byte and line, with no branch that the elements decide.
 */
#include "ops/lower/sort.h"

enum {
    BYTE = 8,
    DIGITS = 1 << BYTE,
    SHORT = 8, /* elements of a line for each byte, below which it is merged */
};

struct digits {
    struct sorting *s;
    const struct ir_expr *const *line;
    struct ir_dtype bits, place; /* of the numbers, and of places in a line */
    unsigned passes;
    struct ir_buffer *numbers, *turn, *start;
};

/* The numbers of @dtype: of its bits, or of what it is computed in. */
static struct ir_dtype number_dtype(struct ir_dtype dtype)
{
    if (ir_dtype_is_float(dtype))
        return IR_DTYPE(IR_INT, kernel_compute_dtype(dtype).bits);
    return ir_dtype_is_bool(dtype) ? IR_DTYPE(IR_UINT, BYTE) : dtype;
}

bool sort_has_digits(struct sorting *s)
{
    struct ir_dtype dtype = s->k->operands[s->operand].type->dtype;
    int64_t count;

    if (!ir_dtype_can_compute(dtype))
        return false;
    return !ir_expr_constant(s->k->context, s->count, &count) ||
           count >= SHORT * (int64_t)ir_dtype_bytes(number_dtype(dtype));
}

/* ---- numbers in whose order elements stand ---- */

static const struct ir_expr *bits_call(struct digits *r, const char *name, const struct ir_expr *a,
                                       const struct ir_expr *b)
{
    const struct ir_expr *args[] = {a, b};

    return ir_expr_call(r->s->k->context, r->bits, name, args, b ? 2 : 1);
}

static const struct ir_expr *number(struct digits *r, int64_t value)
{
    return ir_expr_int(r->s->k->context, r->bits, value);
}

/*
 * The bits of a float, of which those of negative ones are turned round but for the sign: two's complement then.
 * Both zeros are one number, and all NaN are the largest.
 */
static const struct ir_expr *of_float(struct digits *r, struct code *code, const struct ir_expr *x)
{
    struct kernel *k = r->s->k;
    const struct ir_expr *zero = k_number(k, x->dtype, 0);
    const struct ir_expr *largest = number(r, INT64_MAX >> (64 - r->bits.bits));
    const struct ir_expr *is_zero = k_binary(k, IR_EXPR_eq, x, zero);
    const struct ir_expr *b =
        code_let(code, "b", bits_call(r, "reinterpret", k_select(k, is_zero, zero, x), NULL));
    const struct ir_expr *sign = bits_call(r, "shift_right", b, number(r, r->bits.bits - 1));

    b = bits_call(r, "bitwise_xor", b, bits_call(r, "bitwise_and", sign, largest));
    return k_select(k, ir_expr_call(k->context, IR_B1, "isnan", &x, 1), largest, b);
}

/* Numbers of unsigned bytes, the highest of which counts most. */
static const struct ir_expr *number_of(struct digits *r, struct code *code, const struct ir_expr *x)
{
    struct kernel *k = r->s->k;

    if (ir_dtype_is_float(x->dtype)) {
        x = code_let(code, "x", k_cast(k, kernel_compute_dtype(x->dtype), x));
        x = of_float(r, code, x);
    }
    x = k_cast(k, r->bits, x);
    if (r->bits.code == IR_INT)
        x = bits_call(r, "bitwise_xor", x, number(r, INT64_MIN >> (64 - r->bits.bits)));
    return r->s->is_descending ? bits_call(r, "bitwise_not", x, NULL) : x;
}

/* Byte @p (int64) of a number. */
static const struct ir_expr *digit(struct digits *r, const struct ir_expr *a,
                                   const struct ir_expr *p)
{
    struct kernel *k = r->s->k;
    const struct ir_expr *by = k_cast(k, r->bits, k_mul(k, p, k_int(k, BYTE)));

    if (r->passes > 1)
        a = bits_call(r, "shift_right", a, ir_simplify(k->context, by));
    if (r->bits.bits > BYTE)
        return k_cast(k, IR_I64, bits_call(r, "bitwise_and", a, number(r, DIGITS - 1)));
    /* of one byte: without a sign */
    a = k_cast(k, IR_I32, a);
    const struct ir_expr *args[] = {a, ir_expr_int(k->context, IR_I32, DIGITS - 1)};
    return k_cast(k, IR_I64, ir_expr_call(k->context, IR_I32, "bitwise_and", args, 2));
}

/* ---- passes ---- */

/* Element @i of row @row of a line of scratch. */
static const struct ir_expr **at(struct digits *r, const struct ir_expr *row,
                                 const struct ir_expr *i)
{
    const struct ir_expr **place = kernel_indices(r->s->k, r->s->outer + 2);

    for (unsigned d = 0; d < r->s->outer; d++)
        place[d] = r->line[d];
    place[r->s->outer] = row;
    place[r->s->outer + 1] = i;
    return place;
}

static const struct ir_expr *get(struct digits *r, const struct ir_buffer *buffer,
                                 const struct ir_expr *row, const struct ir_expr *i)
{
    return ir_expr_load(r->s->k->context, buffer, at(r, row, i), r->s->outer + 2);
}

static const struct ir_expr *place_number(struct digits *r, int64_t value)
{
    return ir_expr_int(r->s->k->context, r->place, value);
}

/* Numbers and places of all elements, and how many have each byte. */
static void count_digits(struct digits *r, struct code *code)
{
    struct kernel *k = r->s->k;
    struct code clear, each, count;
    const struct ir_expr *zero = k_int(k, 0);

    const struct ir_expr *p = code_for(code, &clear, "p", k_int(k, r->passes));
    const struct ir_expr *d = code_for(&clear, &each, "d", k_int(k, DIGITS));
    code_store(&each, r->start, at(r, p, d), place_number(r, 0));
    code_end(&each);
    code_end(&clear);
    const struct ir_expr *i = code_for(code, &count, "i", r->s->count);
    const struct ir_expr *x = number_of(r, &count, sort_data(r->s, r->line, i));
    x = code_let(&count, "number", x);
    code_store(&count, r->numbers, sort_place(r->s, r->line, i), x);
    code_store(&count, r->turn, at(r, zero, i), k_cast(k, r->place, i));
    for (unsigned pass = 0; pass < r->passes; pass++) {
        const struct ir_expr *row = k_int(k, pass);
        const struct ir_expr *of = code_let(&count, "digit", digit(r, x, row));
        code_store(&count, r->start, at(r, row, of),
                   k_binary(k, IR_EXPR_add, get(r, r->start, row, of), place_number(r, 1)));
    }
    code_end(&count);
}

/* How many have each byte becomes how many have a smaller one. */
static void sum_counts(struct digits *r, struct code *code, const struct ir_expr *p)
{
    struct kernel *k = r->s->k;
    struct code body;
    const struct ir_buffer *total = code_scalar(code, "total", r->place, place_number(r, 0));
    const struct ir_expr *d = code_for(code, &body, "d", k_int(k, DIGITS));
    const struct ir_expr *count = code_let(&body, "count", get(r, r->start, p, d));

    code_store(&body, r->start, at(r, p, d), code_get(k, total));
    code_count(&body, total, count);
    code_end(&body);
}

static const struct ir_expr *as_index(struct digits *r, const struct ir_expr *place)
{
    return k_cast(r->s->k, IR_I64, place);
}

/* Deals the places out by byte @p, from row @side to the other one. */
static void deal(struct digits *r, struct code *code, const struct ir_expr *p,
                 const struct ir_expr *side)
{
    struct kernel *k = r->s->k;
    struct code body;
    const struct ir_expr *other = code_let(code, "other", k_sub(k, k_int(k, 1), side));
    const struct ir_expr *i = code_for(code, &body, "i", r->s->count);
    const struct ir_expr *e = code_let(&body, "e", get(r, r->turn, side, i));
    const struct ir_expr *x = sort_load(r->s, r->numbers, r->line, as_index(r, e));
    const struct ir_expr *d = code_let(&body, "digit", digit(r, x, p));
    const struct ir_expr *to = code_let(&body, "to", get(r, r->start, p, d));

    code_store(&body, r->turn, at(r, other, as_index(r, to)), e);
    code_store(&body, r->start, at(r, p, d), k_binary(k, IR_EXPR_add, to, place_number(r, 1)));
    code_end(&body);
}

/* All passes; which row of `turn` has the places in their order. */
static const struct ir_expr *deal_all(struct digits *r, struct code *code)
{
    struct kernel *k = r->s->k;
    const struct ir_expr *zero = k_int(k, 0), *count = r->s->count;
    const struct ir_buffer *sides = code_scalar(code, "side", IR_I64, zero);
    const struct ir_expr *side =
        k_binary(k, IR_EXPR_max, k_binary(k, IR_EXPR_min, code_get(k, sides), k_int(k, 1)), zero);
    struct code body, pass;
    const struct ir_expr *p = code_for(code, &body, "p", k_int(k, r->passes));
    const struct ir_expr *first = sort_load(r->s, r->numbers, r->line, zero);

    if (!ir_prove_ge(k->context, NULL, count, k_int(k, 1)))
        first = k_if(k, k_binary(k, IR_EXPR_gt, count, zero), first, number(r, 0));
    const struct ir_expr *d = code_let(&body, "digit", digit(r, first, p));
    const struct ir_expr *same = as_index(r, get(r, r->start, p, d));
    code_if(&body, &pass, k_binary(k, IR_EXPR_lt, same, count));
    sum_counts(r, &pass, p);
    const struct ir_expr *from = code_let(&pass, "from", side);
    deal(r, &pass, p, from);
    code_set(&pass, sides, k_sub(k, k_int(k, 1), from));
    code_end(&pass);
    code_end(&body);
    return code_let(code, "last", side);
}

static void scratch_of(struct digits *r)
{
    struct sorting *s = r->s;
    struct kernel *k = s->k;

    r->numbers = sort_scratch(s, "numbers", r->bits, NULL, s->count);
    r->turn = sort_scratch(s, "turn", r->place, k_int(k, 2), s->count);
    r->start = sort_scratch(s, "start", r->place, k_int(k, r->passes), k_int(k, DIGITS));
}

struct sorting sort_by_digits(struct sorting s, bool has_order)
{
    struct kernel *k = s.k;
    struct ir_dtype dtype = k->operands[s.operand].type->dtype;
    struct digits r = {.s = &s, .bits = number_dtype(dtype), .place = IR_I64};
    int64_t known;

    if (ir_expr_constant(k->context, s.count, &known) && known < INT32_MAX)
        r.place = IR_I32;
    r.passes = ir_dtype_bytes(r.bits);
    scratch_of(&r);
    s.keys[0] = sort_scratch(&s, "keys", dtype, NULL, s.count);
    if (has_order)
        s.order[0] = sort_scratch(&s, "order", IR_I64, NULL, s.count);
    struct nest nest = nest_begin(k, "T_sort");
    struct code code = code_begin(k), body;
    r.line = sort_axes(&s, &nest);
    count_digits(&r, &code);
    const struct ir_expr *last = deal_all(&r, &code);
    const struct ir_expr *i = code_for(&code, &body, "i", s.count);
    const struct ir_expr *e = code_let(&body, "e", as_index(&r, get(&r, r.turn, last, i)));
    code_store(&body, s.keys[0], sort_place(&s, r.line, i), sort_data(&s, r.line, e));
    if (has_order)
        code_store(&body, s.order[0], sort_place(&s, r.line, i), e);
    code_end(&body);
    nest_code(&nest, &code);
    nest_end(&nest);
    return s;
}
