/*
 * Functions of float32 as expressions of T.fma, shifts and selects.
 *
 * The argument is reduced to a small interval, where a polynomial of least error (polynomials.def, made by
 * scripts/minimax.py) is good to less than the rounding of the steps; powers of two are put together from
 * exponent bits.  J.-M. Muller, "Elementary Functions", 3rd edition, chapters 3, 11 and 12 explains the
 * reductions; the split of log(2) is that of W. Cody and W. Waite, "Software Manual for the Elementary
 * Functions".
 *
 * There is no table, and a branch only where sin and cos leave large arguments to the C library: every
 * other step is an instruction on vectors.  Some steps are exact only in the order in which they are
 * written; the IR never reassociates.  Comparisons stand so that a NaN falls through to where it stays one.
 */
#include "base/assert.h"
#include "passes/loop/lower_intrin.h"

#include <math.h>
#include <string.h>

#define POLYNOMIAL(name, ...) static const double name##_terms[] = {__VA_ARGS__};
#include "passes/loop/polynomials.def"
#define POLYNOMIAL_OF(m, name, x) polynomial(m, name##_terms, ARRAY_SIZE(name##_terms), x)

typedef const struct ir_expr *E;

enum { LET_LIMIT = 24 };

struct maker {
    struct ir_context *ir;
    bool has_fma, has_ldexp;
    struct {
        const struct ir_var *var;
        E value;
    } lets[LET_LIMIT];
    unsigned count;
};

/* Adding it to a small number leaves the nearest whole number in the low bits: bits = WHOLE_BITS + n. */
static const double WHOLE = 0x1.8p23;
static const int64_t WHOLE_BITS = 0x4b400000;

static const double LOG2E = 1.4426950408889634;
/* log(2) in two parts: products of the first, which has 15 bits, with exponents are exact. */
static const double LN2_HIGH = 0x1.62e4p-1, LN2_LOW = 0x1.7f7d1cf79abcap-20;

/* ---- one short word for each instruction ---- */

static E real(struct maker *m, double value)
{
    return ir_expr_float(m->ir, IR_F32, (double)(float)value);
}

static E whole(struct maker *m, int64_t value)
{
    return ir_expr_int(m->ir, IR_I32, value);
}

/* Computes @value once; what it returns may be used many times. */
static E let(struct maker *m, const char *name, E value)
{
    const struct ir_var *var = ir_var_new(m->ir, name, value->dtype);

    assert(m->count < LET_LIMIT);
    m->lets[m->count].var = var;
    m->lets[m->count++].value = value;
    return ir_expr_var(m->ir, var);
}

/* Binds in @body what was let since there were @count. */
static E finish(struct maker *m, unsigned count, E body)
{
    while (m->count > count) {
        m->count--;
        body = ir_expr_let(m->ir, m->lets[m->count].var, m->lets[m->count].value, body);
    }
    return body;
}

#define BINARY(name, kind)                                  \
    static E name(struct maker *m, E a, E b)                \
    {                                                       \
        return ir_expr_binary(m->ir, IR_EXPR_##kind, a, b); \
    }
BINARY(add, add)
BINARY(sub, sub)
BINARY(mul, mul)
BINARY(quotient, div)
BINARY(equal, eq)
BINARY(less, lt)
BINARY(greater, gt)
#undef BINARY

static E call(struct maker *m, struct ir_dtype dtype, const char *name, E a, E b, E c)
{
    E args[] = {a, b, c};

    return ir_expr_call(m->ir, dtype, name, args, c ? 3 : b ? 2 : 1);
}

static E fma3(struct maker *m, E a, E b, E c)
{
    return m->has_fma ? call(m, IR_F32, "fma", a, b, c) : add(m, mul(m, a, b), c);
}

static E choose(struct maker *m, E condition, E a, E b)
{
    return ir_expr_select(m->ir, condition, a, b);
}

static E magnitude(struct maker *m, E a)
{
    return call(m, IR_F32, "fabs", a, NULL, NULL);
}

static E with_sign_of(struct maker *m, E a, E sign)
{
    return call(m, IR_F32, "copysign", a, sign, NULL);
}

static E bits_of(struct maker *m, E a)
{
    return call(m, IR_I32, "reinterpret", a, NULL, NULL);
}

static E of_bits(struct maker *m, E a)
{
    return call(m, IR_F32, "reinterpret", a, NULL, NULL);
}

static E shift_left(struct maker *m, E a, int64_t count)
{
    return call(m, IR_I32, "shift_left", a, whole(m, count), NULL);
}

static E shift_right(struct maker *m, E a, int64_t count)
{
    return call(m, IR_I32, "shift_right", a, whole(m, count), NULL);
}

/* Horner's rule. */
static E polynomial(struct maker *m, const double *terms, size_t count, E x)
{
    E sum = real(m, terms[count - 1]);

    for (size_t i = count - 1; i-- > 0;)
        sum = fma3(m, sum, x, real(m, terms[i]));
    return sum;
}

/* ---- powers ---- */

/* A power as (1 + fraction) * 2^n. */
struct power {
    E whole; /* WHOLE + n, a float */
    E fraction;
};

/* exp(@x) of an @x (used many times) that is between -150 and 150, or NaN. */
static struct power power_of_e(struct maker *m, E x)
{
    E t = let(m, "t", fma3(m, x, real(m, LOG2E), real(m, WHOLE)));
    E n = let(m, "n", sub(m, t, real(m, WHOLE)));
    E r = fma3(m, n, real(m, -LN2_HIGH), x);

    r = let(m, "r", fma3(m, n, real(m, -LN2_LOW), r));
    E square = mul(m, r, r);
    return (struct power){t, fma3(m, square, POLYNOMIAL_OF(m, exp, r), r)};
}

/* 2^n of @bits = WHOLE_BITS + n: the shift leaves n alone, n from -126 to 127. */
static E scale_of(struct maker *m, E power_whole)
{
    E shifted = shift_left(m, bits_of(m, power_whole), 23);

    return of_bits(m, add(m, shifted, whole(m, 0x3f800000)));
}

/* 2^@n of an integer from -126 to 127. */
static E power_of_2(struct maker *m, E n)
{
    return of_bits(m, shift_left(m, add(m, n, whole(m, 127)), 23));
}

/* The value, n from -252 to 254: the first product is exact, the second rounds subnormals once. */
static E value_of(struct maker *m, struct power power)
{
    E n = let(m, "n", sub(m, bits_of(m, power.whole), whole(m, WHOLE_BITS)));
    if (m->has_ldexp)
        return call(m, IR_F32, "ldexp", add(m, power.fraction, real(m, 1)), n, NULL);
    E half = let(m, "half", shift_right(m, n, 1));
    E first = mul(m, add(m, power.fraction, real(m, 1)), power_of_2(m, half));

    return mul(m, first, power_of_2(m, sub(m, n, half)));
}

/* @low and @high are where the result is 0 or infinite. */
static E limited(struct maker *m, E x, double low, double high)
{
    E below = let(m, "x", choose(m, greater(m, x, real(m, high)), real(m, high), x));

    return let(m, "x", choose(m, less(m, below, real(m, low)), real(m, low), below));
}

static E expand_exp(struct maker *m, E x)
{
    return value_of(m, power_of_e(m, limited(m, x, -104, 89)));
}

static E expand_exp2(struct maker *m, E x)
{
    E at = limited(m, x, -151, 129);
    E t = let(m, "t", add(m, at, real(m, WHOLE)));
    E r = let(m, "r", sub(m, at, sub(m, t, real(m, WHOLE))));

    return value_of(m, (struct power){t, mul(m, r, POLYNOMIAL_OF(m, exp2, r))});
}

/* exp(x) = 1 + (s - 1 + s * fraction), s a power of two: what is in parentheses does not cancel. */
static E expand_tanh(struct maker *m, E x)
{
    E a = magnitude(m, x);

    a = let(m, "a", a);
    a = let(m, "a", choose(m, greater(m, a, real(m, 10)), real(m, 10), a));
    struct power power = power_of_e(m, let(m, "x", add(m, a, a)));
    E scale = let(m, "s", scale_of(m, power.whole));
    E less_1 = fma3(m, power.fraction, scale, sub(m, scale, real(m, 1)));

    less_1 = let(m, "e", less_1);
    return with_sign_of(m, quotient(m, less_1, add(m, less_1, real(m, 2))), x);
}

static E expand_sigmoid(struct maker *m, E x)
{
    E a = let(m, "a", mul(m, magnitude(m, x), real(m, -1)));

    a = let(m, "a", choose(m, less(m, a, real(m, -104)), real(m, -104), a));
    E e = let(m, "e", value_of(m, power_of_e(m, a)));
    E above = choose(m, less(m, x, real(m, 0)), e, real(m, 1));
    return quotient(m, above, add(m, e, real(m, 1)));
}

static E expand_erf(struct maker *m, E x)
{
    E square = let(m, "z", mul(m, x, x));
    E head = fma3(m, x, POLYNOMIAL_OF(m, erf, square), x);
    E a = let(m, "a", magnitude(m, x));
    E at = let(m, "a", choose(m, greater(m, a, real(m, 4)), real(m, 4), a));
    E exponent = let(m, "y", mul(m, POLYNOMIAL_OF(m, erf_tail, at), real(m, -1)));
    struct power power = power_of_e(m, exponent);
    E scale = let(m, "s", mul(m, scale_of(m, power.whole), real(m, -1)));
    E tail = fma3(m, power.fraction, scale, add(m, scale, real(m, 1)));

    return choose(m, less(m, a, real(m, 0.9)), head, with_sign_of(m, tail, x));
}

/* ---- logarithms ---- */

/* A positive number as (1 + f) * 2^e, 1 + f from 2/3 to 4/3. */
struct split {
    E exponent; /* an integer */
    E f;
};

static struct split split(struct maker *m, E x)
{
    static const int64_t two_thirds = 0x3f2aaaab;
    E bits = let(m, "b", bits_of(m, x));
    E exponent = let(m, "k", shift_right(m, sub(m, bits, whole(m, two_thirds)), 23));
    E mantissa = of_bits(m, sub(m, bits, shift_left(m, exponent, 23)));

    return (struct split){exponent, sub(m, mantissa, real(m, 1))};
}

/* log(1 + f) - f */
static E log_of_fraction(struct maker *m, E f)
{
    E terms = fma3(m, f, POLYNOMIAL_OF(m, log, f), real(m, -0.5));

    return mul(m, mul(m, f, f), terms);
}

static E log_of(struct maker *m, E exponent, E f)
{
    E e = let(m, "e", exponent);
    E low = fma3(m, e, real(m, LN2_LOW), add(m, f, log_of_fraction(m, f)));

    return fma3(m, e, real(m, LN2_HIGH), low);
}

/* log2: log(2) has no part in it, so e is added last. */
static E log2_of(struct maker *m, E exponent, E f)
{
    double high = (double)(float)LOG2E, low = LOG2E - high;
    E rest = mul(m, log_of_fraction(m, f), real(m, high));

    rest = fma3(m, f, real(m, low), rest);
    return add(m, exponent, fma3(m, f, real(m, high), rest));
}

/* @inside between @low and infinity; -infinity, or NaN below. */
static E with_limits(struct maker *m, E x, double low, E inside)
{
    E above = choose(m, less(m, x, real(m, INFINITY)), inside, real(m, INFINITY));
    E below = choose(m, equal(m, x, real(m, low)), real(m, -INFINITY), real(m, NAN));

    return choose(m, greater(m, x, real(m, low)), above, below);
}

static E logarithm(struct maker *m, E x, E (*of)(struct maker *m, E exponent, E f))
{
    E is_small = let(m, "small", less(m, x, real(m, 0x1p-126)));
    E normal = choose(m, is_small, mul(m, x, real(m, 0x1p23)), x);
    struct split parts = split(m, normal);
    E exponent = ir_expr_cast(m->ir, IR_F32, parts.exponent);

    exponent = sub(m, exponent, choose(m, is_small, real(m, 23), real(m, 0)));
    return with_limits(m, x, 0, of(m, exponent, let(m, "f", parts.f)));
}

static E expand_log(struct maker *m, E x)
{
    return logarithm(m, x, log_of);
}

static E expand_log2(struct maker *m, E x)
{
    return logarithm(m, x, log2_of);
}

/* log(1 + x): u = 1 + x rounded, and what was rounded away goes to the fraction. */
static E expand_log1p(struct maker *m, E x)
{
    E one = real(m, 1);
    E u = let(m, "u", add(m, x, one));
    E lost = choose(m, less(m, x, one), sub(m, x, sub(m, u, one)), sub(m, one, sub(m, u, x)));
    struct split parts = split(m, u);
    /* no more than 126: there, what is lost is nothing beside u */
    E exponent = ir_expr_binary(m->ir, IR_EXPR_min, parts.exponent, whole(m, 126));
    E scale = power_of_2(m, sub(m, whole(m, 0), exponent));
    E f = let(m, "f", fma3(m, lost, scale, parts.f));
    E inside = log_of(m, ir_expr_cast(m->ir, IR_F32, parts.exponent), f);

    inside = choose(m, equal(m, x, real(m, 0)), x, inside); /* -0 */
    return with_limits(m, x, -1, inside);
}

/* ---- sine and cosine ---- */

/* A number as n * pi / 2 + r, r from -pi / 4 to pi / 4 and a little more. */
struct turn {
    E n; /* an integer of which the last two bits count */
    E r;
};

/* The largest arguments that are reduced here, with T.fma and without. */
static const double TURN_LIMIT_FMA = 0x1p17, TURN_LIMIT = 12288;

/* With T.fma the first product is exact, and each part of pi / 2 goes on where the last ended. */
static E reduce_fma(struct maker *m, E n, E x)
{
    static const double parts[] = {0x1.921fb6p+0, -0x1.777a5cp-25, -0x1.ee59dap-50};
    E r = x;

    for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
        r = fma3(m, n, real(m, -parts[i]), r);
    return r;
}

/*
 * Without: n has 13 bits and the first four parts 11 at most, so that all products but the last are exact.
 * The first two differences are exact too.  What the third rounds away of an r that is not small is as
 * much as the rounding of r itself; it is found by subtraction, and goes into the fourth.
 */
static E reduce(struct maker *m, E n, E x)
{
    static const double parts[] = {0x1.92p+0, 0x1.fb8p-12, -0x1.5ep-23, 0x1.0b8p-34,
                                   -0x1.cf72cep-45};
    E high = fma3(m, n, real(m, -parts[1]), fma3(m, n, real(m, -parts[0]), x));

    high = let(m, "high", high);
    E third = let(m, "p", mul(m, n, real(m, parts[2])));
    E r = let(m, "r", sub(m, high, third));
    E lost = sub(m, sub(m, high, r), third);
    E low = fma3(m, n, real(m, -parts[3]), lost);

    return fma3(m, n, real(m, -parts[4]), add(m, r, low));
}

static struct turn turn_of(struct maker *m, E x)
{
    static const double two_over_pi = 0.63661977236758134;
    E t = let(m, "t", fma3(m, x, real(m, two_over_pi), real(m, WHOLE)));
    E n = let(m, "n", sub(m, t, real(m, WHOLE)));
    E r = let(m, "r", m->has_fma ? reduce_fma(m, n, x) : reduce(m, n, x));

    return (struct turn){let(m, "q", bits_of(m, t)), r};
}

/* The sine or the cosine of @turn.r, without a sign: that of the cosine is wanted where @n is odd. */
static E sine_or_cosine(struct maker *m, E r, E n)
{
    E square = let(m, "z", mul(m, r, r));
    E sine = fma3(m, mul(m, r, square), POLYNOMIAL_OF(m, sin, square), r);
    E terms = fma3(m, square, POLYNOMIAL_OF(m, cos, square), real(m, -0.5));
    E cosine = fma3(m, square, terms, real(m, 1));
    E is_odd = call(m, IR_I32, "bitwise_and", n, whole(m, 1), NULL);

    return choose(m, equal(m, is_odd, whole(m, 0)), sine, cosine);
}

/* @value, negative instead of positive where the first bit of @sign says so. */
static E turned(struct maker *m, E value, E sign)
{
    E bit = call(m, IR_I32, "bitwise_and", sign, whole(m, INT32_MIN), NULL);

    return of_bits(m, call(m, IR_I32, "bitwise_xor", bits_of(m, value), bit, NULL));
}

/*
 * @near for an argument of magnitude @a that turn_of can reduce, else the C library's function; for NaN
 * and infinities, too.  intrin_far_call() recognises the choice.
 */
static E near_or_far(struct maker *m, const char *name, E x, E a, E near)
{
    double limit = m->has_fma ? TURN_LIMIT_FMA : TURN_LIMIT;
    E is_near = ir_expr_binary(m->ir, IR_EXPR_le, a, real(m, limit));

    return call(m, IR_F32, "if_then_else", is_near, near, call(m, IR_F32, name, x, NULL, NULL));
}

/* Of |x|, and the sign put back: so -0 stays itself. */
static E expand_sin(struct maker *m, E x)
{
    E a = let(m, "a", magnitude(m, x));
    unsigned count = m->count;
    struct turn turn = turn_of(m, a);
    E sign = call(m, IR_I32, "bitwise_xor", bits_of(m, x), shift_left(m, turn.n, 30), NULL);
    E near = turned(m, sine_or_cosine(m, turn.r, turn.n), sign);

    return near_or_far(m, "sin", x, a, finish(m, count, near));
}

/* cos(x) = sin(x + pi / 2): a quarter turn more. */
static E expand_cos(struct maker *m, E x)
{
    E a = let(m, "a", magnitude(m, x));
    unsigned count = m->count;
    struct turn turn = turn_of(m, a);
    E n = let(m, "q", add(m, turn.n, whole(m, 1)));
    E near = turned(m, sine_or_cosine(m, turn.r, n), shift_left(m, n, 30));

    return near_or_far(m, "cos", x, a, finish(m, count, near));
}

/* ---- roots ---- */

static E expand_rsqrt(struct maker *m, E x)
{
    return quotient(m, real(m, 1), call(m, IR_F32, "sqrt", x, NULL, NULL));
}

/* ---- powers with an exponent that is known ---- */

static E expand_square(struct maker *m, E x)
{
    return mul(m, x, x);
}

static E expand_cube(struct maker *m, E x)
{
    return mul(m, mul(m, x, x), x);
}

static E expand_fourth(struct maker *m, E x)
{
    E square = let(m, "z", mul(m, x, x));

    return mul(m, square, square);
}

static E expand_reciprocal(struct maker *m, E x)
{
    return quotient(m, real(m, 1), x);
}

/* -0 + 0 is 0. */
static E expand_square_root(struct maker *m, E x)
{
    E root = call(m, IR_F32, "sqrt", add(m, x, real(m, 0)), NULL, NULL);

    return choose(m, equal(m, x, real(m, -INFINITY)), real(m, INFINITY), root);
}

/* ---- the table ---- */

static const struct row {
    const char *name;
    double exponent; /* of pow */
    E (*expand)(struct maker *m, E x);
} rows[] = {
#define INTRIN(name, ulp, doc)          {#name, 0, expand_##name},
#define POWER(name, exponent, ulp, doc) {"pow", exponent, expand_##name},
#include "passes/loop/lower_intrin.def"
};

static bool is_of_row(const struct row *row, const struct ir_expr *e)
{
    if (strcmp(row->name, e->name) != 0)
        return false;
    if (row->exponent == 0)
        return e->operand_count == 1;
    return e->operand_count == 2 && e->operands[1]->kind == IR_EXPR_float &&
           e->operands[1]->float_value == row->exponent;
}

static const struct row *find(const struct ir_expr *call)
{
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
        if (is_of_row(&rows[i], call))
            return &rows[i];
    return NULL;
}

bool intrin_is_known(const struct ir_expr *call)
{
    return find(call) != NULL;
}

static bool is_turn_limit(E e)
{
    return e->kind == IR_EXPR_float &&
           (e->float_value == TURN_LIMIT_FMA || e->float_value == TURN_LIMIT);
}

const struct ir_expr *intrin_far_call(const struct ir_expr *e)
{
    if (e->kind != IR_EXPR_call || e->operand_count != 3 || strcmp(e->name, "if_then_else") != 0)
        return NULL;
    E condition = e->operands[0], far = e->operands[2];
    bool is_choice = condition->kind == IR_EXPR_le && is_turn_limit(condition->operands[1]) &&
                     far->kind == IR_EXPR_call;
    bool is_far = is_choice && (strcmp(far->name, "sin") == 0 || strcmp(far->name, "cos") == 0);
    return is_far ? far : NULL;
}

const struct ir_expr *intrin_expand(struct ir_context *ir, const struct ir_expr *call, bool has_fma,
                                    bool has_ldexp, const struct ir_expr *x)
{
    struct maker m = {.ir = ir, .has_fma = has_fma, .has_ldexp = has_ldexp};

    E body = find(call)->expand(&m, let(&m, "x", x));

    return finish(&m, 0, body);
}
