/*
 * The arithmetic against enumeration: random expressions over small and extreme values; what is
 * simplified must have the value of the original wherever that has one, what is proved must hold at
 * every point, and every value must lie in its interval.
 */
#include "base/array.h"
#include "base/text.h"
#include "ir/arith.h"
#include "ir/module.h"
#include "ir/print.h"
#include "tests/unit/test.h"

#include <stdio.h>
#include <stdlib.h>

enum { VAR_COUNT = 6, ROUNDS = 4000 };

static struct ir_context *context;
static const struct ir_var
    *vars[VAR_COUNT]; /* n, m: symbols; i in [0, n), j in [2, 6); x; y: int32 */
static int64_t env[VAR_COUNT];
static struct ir_ranges ranges;
static bool index_wrapped; /* set by evaluate() */
static bool any_wrapped;   /* likewise: a sum, difference, product or conversion of integers */
static uint64_t seed;

static uint64_t next_random(uint64_t limit)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (seed >> 11) % limit;
}

static const struct ir_expr *i64(int64_t value)
{
    return ir_expr_int(context, IR_I64, value);
}

static const struct ir_expr *v(int i)
{
    return ir_expr_var(context, vars[i]);
}

static const struct ir_expr *make(enum ir_expr_kind kind, const struct ir_expr *a,
                                  const struct ir_expr *b)
{
    return ir_expr_binary(context, kind, a, b);
}

#define ADD(a, b) make(IR_EXPR_add, a, b)
#define SUB(a, b) make(IR_EXPR_sub, a, b)
#define MUL(a, b) make(IR_EXPR_mul, a, b)
#define DIV(a, b) make(IR_EXPR_floordiv, a, b)
#define MOD(a, b) make(IR_EXPR_floormod, a, b)

static int setup(void **state)
{
    const char *names[] = {"n", "m", "i", "j", "x", "y"};

    context = ir_context_create();
    for (int i = 0; i < VAR_COUNT; i++)
        vars[i] = ir_var_new(context, names[i], i == 5 ? IR_I32 : IR_I64);
    ((struct ir_var *)(uintptr_t)vars[0])->is_symbol = true;
    ((struct ir_var *)(uintptr_t)vars[1])->is_symbol = true;
    array_push(&ranges, (struct ir_range){vars[2], i64(0), v(0)});
    array_push(&ranges, (struct ir_range){vars[3], i64(2), i64(4)});
    return 0;
}

static int teardown(void **state)
{
    array_finish(&ranges);
    ir_context_destroy(context);
    return 0;
}

static const char *show(const struct ir_expr *a)
{
    struct text text = {0};

    ir_expr_print(a, &text);
    const char *result = arena_copy_text(&context->arena, text_string(&text), text.length);
    text_finish(&text);
    return result;
}

/* Index arithmetic, of which it is assumed that it does not wrap. */
static bool is_index(const struct ir_expr *a)
{
    if (a->kind == IR_EXPR_var)
        return a->var->is_symbol;
    if (a->kind == IR_EXPR_int &&
        (a->int_value > (int64_t)1 << 48 || a->int_value < -((int64_t)1 << 48)))
        return false;
    for (unsigned i = 0; i < a->operand_count; i++) {
        if (!is_index(a->operands[i]))
            return false;
    }
    return ir_dtype_equal(a->dtype, IR_I64);
}

/* The machine's value in two's complement; false where there is none. */
static bool evaluate(const struct ir_expr *a, int64_t *out);

static bool evaluate_binary(const struct ir_expr *a, int64_t *out)
{
    int64_t x;
    int64_t y;

    if (!evaluate(a->operands[0], &x) || !evaluate(a->operands[1], &y))
        return false;
    __int128 q = 0;
    __int128 r = 0;
    if (a->kind >= IR_EXPR_div && a->kind <= IR_EXPR_floormod) {
        if (y == 0)
            return false;
        q = (__int128)x / y;
        r = (__int128)x % y;
        if (a->kind >= IR_EXPR_floordiv && r != 0 && (r < 0) != (y < 0)) {
            q--;
            r += y;
        }
    }
    __int128 result = 0;
    switch (a->kind) {
    case IR_EXPR_add:
        result = (__int128)x + y;
        break;
    case IR_EXPR_sub:
        result = (__int128)x - y;
        break;
    case IR_EXPR_mul:
        result = (__int128)x * y;
        break;
    case IR_EXPR_div:
    case IR_EXPR_floordiv:
        result = q;
        break;
    case IR_EXPR_mod:
    case IR_EXPR_floormod:
        result = r;
        break;
    case IR_EXPR_min:
        result = x < y ? x : y;
        break;
    case IR_EXPR_max:
        result = x > y ? x : y;
        break;
    case IR_EXPR_eq:
        result = x == y;
        break;
    case IR_EXPR_ne:
        result = x != y;
        break;
    case IR_EXPR_lt:
        result = x < y;
        break;
    case IR_EXPR_le:
        result = x <= y;
        break;
    case IR_EXPR_gt:
        result = x > y;
        break;
    case IR_EXPR_ge:
        result = x >= y;
        break;
    case IR_EXPR_and:
        result = x && y;
        break;
    case IR_EXPR_or:
        result = x || y;
        break;
    default:
        fail();
    }
    *out = a->dtype.bits == 32 ? (int32_t)(uint64_t)result : (int64_t)(uint64_t)result;
    index_wrapped |= *out != result && is_index(a);
    any_wrapped |= *out != result && a->kind <= IR_EXPR_mul;
    return true;
}

static bool evaluate(const struct ir_expr *a, int64_t *out)
{
    int64_t x;

    switch (a->kind) {
    case IR_EXPR_int:
        *out = a->int_value;
        return true;
    case IR_EXPR_var:
        for (int i = 0; i < VAR_COUNT; i++) {
            if (vars[i] == a->var)
                *out = env[i];
        }
        return true;
    case IR_EXPR_not:
        if (!evaluate(a->operands[0], &x))
            return false;
        *out = !x;
        return true;
    case IR_EXPR_select:
        return evaluate(a->operands[0], &x) && evaluate(a->operands[x ? 1 : 2], out);
    case IR_EXPR_cast:
        if (!evaluate(a->operands[0], &x))
            return false;
        *out = a->dtype.bits == 32 ? (int32_t)x : x;
        any_wrapped |= *out != x;
        return true;
    default:
        return evaluate_binary(a, out);
    }
}

static const struct ir_expr *random_expr(struct ir_dtype dtype, int var_limit, int depth);

static const struct ir_expr *random_condition(int var_limit, int depth)
{
    enum ir_expr_kind kind = IR_EXPR_eq + (enum ir_expr_kind)next_random(6);
    struct ir_dtype dtype = var_limit == VAR_COUNT && next_random(3) == 0 ? IR_I32 : IR_I64;

    if (depth > 1 && next_random(4) == 0)
        return make(next_random(2) ? IR_EXPR_and : IR_EXPR_or,
                    random_condition(var_limit, depth - 1), random_condition(var_limit, depth - 1));
    return make(kind, random_expr(dtype, var_limit, depth - 1),
                random_expr(dtype, var_limit, depth - 1));
}

static const struct ir_expr *random_leaf(struct ir_dtype dtype, int var_limit)
{
    static const int64_t large[] = {INT64_MAX,        INT64_MIN, INT32_MAX, INT32_MIN,
                                    (int64_t)1 << 62, -1,        1024};

    if (next_random(3) == 0) {
        if (var_limit == VAR_COUNT && next_random(12) == 0)
            return ir_expr_int(context, dtype, large[next_random(ARRAY_SIZE(large))]);
        return ir_expr_int(context, dtype, (int64_t)next_random(9) - 2);
    }
    if (dtype.bits == 32)
        return v(5);
    return v((int)next_random((uint64_t)(var_limit < 5 ? var_limit : 5)));
}

/* Of the kinds that shapes and indices are made of; small divisors are literals more often than not. */
static const struct ir_expr *random_expr(struct ir_dtype dtype, int var_limit, int depth)
{
    static const enum ir_expr_kind kinds[] = {
        IR_EXPR_add,      IR_EXPR_add, IR_EXPR_add,      IR_EXPR_sub,      IR_EXPR_sub,
        IR_EXPR_mul,      IR_EXPR_mul, IR_EXPR_floordiv, IR_EXPR_floordiv, IR_EXPR_floormod,
        IR_EXPR_floormod, IR_EXPR_min, IR_EXPR_max,      IR_EXPR_div,      IR_EXPR_mod,
    };

    if (depth <= 0 || next_random(6) == 0)
        return random_leaf(dtype, var_limit);
    if (var_limit == VAR_COUNT && next_random(8) == 0) {
        struct ir_dtype other = dtype.bits == 32 ? IR_I64 : IR_I32;
        return ir_expr_cast(context, dtype, random_expr(other, var_limit, depth - 1));
    }
    if (next_random(12) == 0)
        return ir_expr_select(context, random_condition(var_limit, depth - 1),
                              random_expr(dtype, var_limit, depth - 1),
                              random_expr(dtype, var_limit, depth - 1));
    enum ir_expr_kind kind = kinds[next_random(ARRAY_SIZE(kinds))];
    const struct ir_expr *a = random_expr(dtype, var_limit, depth - 1);
    bool divides = kind >= IR_EXPR_div && kind <= IR_EXPR_floormod;
    const struct ir_expr *b = divides && next_random(4)
                                  ? ir_expr_int(context, dtype, (int64_t)next_random(8) - 1)
                                  : random_expr(dtype, var_limit, depth - 1);
    return make(kind, a, b);
}

/* Sets the variables to point @number of the enumeration; false past the last. */
static bool set_point(unsigned number, bool with_extremes)
{
    static const int64_t x_values[] = {0, 1,         -1,        3,         -4,
                                       7, INT64_MAX, INT64_MIN, INT32_MAX, (int64_t)INT32_MAX + 1};
    static const int64_t y_values[] = {0, 1, -1, 5, -7, INT32_MAX, INT32_MIN, 2};

    if (with_extremes) {
        if (number >= 400)
            return false;
        env[0] = (int64_t)next_random(9);
        env[1] = (int64_t)next_random(9);
        env[2] = x_values[next_random(6)];
        env[3] = x_values[next_random(6)];
        env[4] = x_values[next_random(ARRAY_SIZE(x_values))];
        env[5] = y_values[next_random(ARRAY_SIZE(y_values))];
        return true;
    }
    if (number >= 8 * 5 * 8 * 4)
        return false;
    env[0] = number % 8;
    env[1] = number / 8 % 5;
    env[2] = number / 40 % 8;
    env[3] = 2 + number / 320;
    env[4] = 0;
    env[5] = 0;
    return true;
}

static void fail_at_point(const char *what, const struct ir_expr *a, const struct ir_expr *b)
{
    printf("%s: %s | %s\n  n=%lld m=%lld i=%lld j=%lld x=%lld y=%lld\n", what, show(a), show(b),
           (long long)env[0], (long long)env[1], (long long)env[2], (long long)env[3],
           (long long)env[4], (long long)env[5]);
    fail();
}

static void check_same(const struct ir_expr *a, const struct ir_expr *b, bool with_extremes)
{
    for (unsigned p = 0; set_point(p, with_extremes); p++) {
        int64_t before;
        int64_t after;
        if (!with_extremes && env[2] >= env[0])
            continue;
        index_wrapped = false;
        if (evaluate(a, &before) && !index_wrapped && (!evaluate(b, &after) || before != after))
            fail_at_point("changed", a, b);
    }
}

/* Any values at all: what is no index arithmetic may wrap. */
static void test_simplify_keeps_values(void **state)
{
    for (int round = 0; round < ROUNDS; round++) {
        seed = (uint64_t)round * 2654435761u + 88172645463325252u;
        const struct ir_expr *a =
            round % 5 == 4 ? random_condition(VAR_COUNT, 4) : random_expr(IR_I64, VAR_COUNT, 4);
        const struct ir_expr *b = ir_simplify(context, a);
        check_same(a, b, true);
        const struct ir_expr *again = ir_simplify(context, b);
        check_same(a, again, true);
        if (b->size > 4 * a->size + 64)
            fail_at_point("grew", a, b);
    }
}

/* Symbols and ranged variables inside their ranges, all points. */
static void test_simplify_in_ranges_keeps_values(void **state)
{
    for (int round = 0; round < ROUNDS / 4; round++) {
        seed = (uint64_t)round * 7046029254386353131u + 1234567;
        const struct ir_expr *a = random_expr(IR_I64, 4, 4);
        check_same(a, ir_simplify_in(context, &ranges, a), false);
    }
}

static void check_proofs(const struct ir_expr *a, const struct ir_expr *b, unsigned *proved)
{
    bool equal = ir_prove_equal(context, a, b);
    bool different = ir_prove_different(context, a, b);
    bool ge = ir_prove_ge(context, &ranges, a, b);

    *proved += (unsigned)equal + different + ge;
    struct ir_interval bounds = ir_interval_of(context, &ranges, a);
    for (unsigned p = 0; set_point(p, false); p++) {
        int64_t x;
        int64_t y;
        bool in_range = env[2] < env[0];
        if (!evaluate(a, &x))
            continue;
        if (in_range && (x < bounds.low || x > bounds.high))
            fail_at_point("interval", a, b);
        if (!evaluate(b, &y))
            continue;
        if (equal && x != y)
            fail_at_point("not equal", a, b);
        if (different && x == y)
            fail_at_point("not different", a, b);
        if (ge && in_range && x < y)
            fail_at_point("not >=", a, b);
    }
}

static void test_proofs_hold(void **state)
{
    unsigned proved = 0;

    for (int round = 0; round < ROUNDS / 4; round++) {
        seed = (uint64_t)round * 11400714819323198485u + 99991;
        const struct ir_expr *a = random_expr(IR_I64, 4, 3);
        const struct ir_expr *b = random_expr(IR_I64, 4, 3);
        check_proofs(a, b, &proved);
        check_proofs(a, ADD(b, SUB(a, b)), &proved);
        check_proofs(ADD(a, i64((int64_t)next_random(3))), a, &proved);
    }
    assert_true(proved > 400); /* the test tests something */
}

/* Nothing wraps where that was proved, whatever the values are. */
static void test_what_fits_does_not_wrap(void **state)
{
    unsigned proved = 0;

    for (int round = 0; round < ROUNDS; round++) {
        seed = (uint64_t)round * 6364136223846793005u + 1442695040888963407u;
        const struct ir_expr *a = random_expr(round % 2 ? IR_I64 : IR_I32, VAR_COUNT, 4);
        if (a->operand_count == 0 || !ir_fits_everywhere(context, NULL, a))
            continue;
        proved++;
        for (unsigned p = 0; set_point(p, true); p++) {
            int64_t value;
            any_wrapped = false;
            if (evaluate(a, &value) && any_wrapped)
                fail_at_point("wraps", a, a);
        }
    }
    assert_true(proved > 400); /* the test tests something */
}

static void assert_simplifies(const struct ir_expr *a, const char *expected)
{
    assert_string_equal(show(ir_simplify(context, a)), expected);
}

static void test_text_is_natural(void **state)
{
    const struct ir_expr *n = v(0);
    const struct ir_expr *m = v(1);

    assert_simplifies(ADD(n, n), "n * 2");
    assert_simplifies(MUL(i64(2), m), "m * 2");
    assert_simplifies(ADD(i64(1), n), "n + 1");
    assert_simplifies(SUB(m, n), "m - n");
    assert_simplifies(SUB(i64(4), n), "4 - n");
    assert_simplifies(SUB(ADD(n, i64(3)), i64(4)), "n - 1");
    assert_simplifies(MUL(ADD(n, i64(1)), i64(4)), "n * 4 + 4");
    assert_simplifies(MUL(ADD(n, i64(1)), m), "m * (n + 1)");
    assert_simplifies(SUB(MUL(ADD(n, i64(1)), m), MUL(n, m)), "m");
    assert_simplifies(DIV(MUL(n, i64(4)), i64(4)), "n");
    assert_simplifies(DIV(ADD(MUL(n, i64(4)), i64(3)), i64(4)), "n");
    assert_simplifies(DIV(ADD(n, i64(3)), i64(4)), "(n + 3) // 4");
    assert_simplifies(DIV(DIV(n, i64(2)), i64(3)), "n // 6");
    assert_simplifies(MOD(MUL(n, i64(6)), i64(3)), "0");
    assert_simplifies(ADD(MUL(DIV(n, i64(4)), i64(4)), MOD(n, i64(4))), "n");
    assert_simplifies(DIV(MUL(n, m), m), "n");
    assert_simplifies(DIV(MUL(MUL(n, m), i64(6)), MUL(m, i64(2))), "n * 3");
    assert_simplifies(MOD(MUL(n, m), n), "0");
    assert_simplifies(make(IR_EXPR_max, n, i64(0)), "n");
    assert_simplifies(make(IR_EXPR_min, i64(4), make(IR_EXPR_min, n, i64(8))), "T.min(n, 4)");
    assert_simplifies(make(IR_EXPR_ge, n, i64(0)), "True");
    assert_simplifies(make(IR_EXPR_lt, n, n), "False");
}

/* Expressions that are index arithmetic only with the ranges that the loops give. */
static void test_loops(void **state)
{
    const struct ir_expr *n = v(0);
    const struct ir_expr *i = v(2);
    const struct ir_expr *j = v(3);
    const struct ir_expr *tile = ADD(MUL(i, i64(8)), j);

    assert_string_equal(show(ir_simplify_in(context, &ranges, DIV(tile, i64(8)))), "i");
    assert_string_equal(show(ir_simplify_in(context, &ranges, MOD(tile, i64(8)))), "j");
    assert_true(ir_prove_ge(context, &ranges, SUB(n, i64(1)), i));
    assert_false(ir_prove_ge(context, &ranges, SUB(n, i64(2)), i));
    assert_true(ir_prove_ge(context, &ranges, SUB(MUL(n, i64(8)), i64(1)), tile));
    assert_true(
        ir_prove_ge(context, &ranges, DIV(ADD(n, i64(3)), i64(4)), ADD(DIV(i, i64(4)), i64(1))));
    assert_true(ir_prove_ge(context, NULL, MUL(DIV(ADD(n, i64(3)), i64(4)), i64(4)), n));
    assert_false(ir_prove_ge(context, NULL, n, MUL(DIV(ADD(n, i64(3)), i64(4)), i64(4))));
    assert_true(ir_prove_ge(context, &ranges, SUB(MUL(v(1), n), i64(1)),
                            ADD(MUL(v(1), i), SUB(v(1), i64(1)))));
    struct ir_interval bounds = ir_interval_of(context, &ranges, MOD(tile, i64(8)));
    assert_int_equal(bounds.low, 2);
    assert_int_equal(bounds.high, 5);
}

/* What may wrap is left alone. */
static void test_wrapping_is_respected(void **state)
{
    const struct ir_expr *x = v(4);
    const struct ir_expr *y = v(5);
    const struct ir_expr *four = ir_expr_int(context, IR_I32, 4);

    assert_simplifies(DIV(MUL(x, i64(4)), i64(4)), "x * 4 // 4");
    assert_string_equal(show(ir_simplify(context, DIV(MUL(y, four), four))),
                        show(DIV(MUL(y, four), four)));
    assert_false(ir_prove_ge(context, NULL, ADD(x, i64(1)), x));
    assert_true(ir_prove_different(context, ADD(x, i64(1)), x));
    assert_true(ir_prove_equal(context, MUL(ADD(x, i64(1)), x), ADD(MUL(x, x), x)));
    /* Widened first, it cannot wrap. */
    const struct ir_expr *wide = ir_expr_cast(context, IR_I64, y);
    assert_string_equal(show(ir_simplify(context, DIV(MUL(wide, i64(4)), i64(4)))), show(wide));
    assert_true(ir_prove_ge(context, NULL, ADD(wide, i64(1)), wide));
}

/* Shapes do not wrap: what has no room stays as it is written. */
static void test_overflowing_shapes_stay(void **state)
{
    const struct ir_expr *huge = i64((int64_t)1 << 62);
    const struct ir_expr *product = MUL(MUL(v(0), huge), i64(4));

    assert_ptr_equal(ir_simplify(context, product), product);
    assert_false(ir_prove_ge(context, NULL, product, v(0)));
}

static void test_linear(void **state)
{
    int64_t coefficient;
    const struct ir_expr *rest;
    const struct ir_expr *a = ADD(ADD(MUL(v(2), i64(3)), v(3)), MUL(v(0), v(1)));

    assert_true(ir_expr_linear(context, a, vars[2], &coefficient, &rest));
    assert_int_equal(coefficient, 3);
    assert_string_equal(show(rest), "m * n + j");
    assert_true(ir_expr_linear(context, a, vars[4], &coefficient, &rest));
    assert_int_equal(coefficient, 0);
    assert_false(ir_expr_linear(context, a, vars[0], &coefficient, &rest));
    assert_false(ir_expr_linear(context, DIV(v(2), i64(2)), vars[2], &coefficient, &rest));
}

/* No blow-up: a product of many sums, a deep chain, a shared node that doubles each time. */
static void test_large_expressions_are_cheap(void **state)
{
    const struct ir_expr *product = ADD(v(0), v(1));
    const struct ir_expr *chain = v(0);
    const struct ir_expr *shared = ADD(v(0), v(4));

    for (int i = 0; i < 60; i++)
        product = MUL(product, ADD(ADD(v(0), v(1)), ADD(v(4), i64(i))));
    for (int i = 0; i < 3000; i++)
        chain = DIV(ADD(chain, i64(1)), i64(3));
    for (int i = 0; i < 60; i++)
        shared = ADD(MUL(shared, shared), make(IR_EXPR_min, shared, v(1)));
    ir_simplify(context, product);
    assert_false(ir_prove_equal(context, product, ADD(product, v(0))) &&
                 ir_prove_different(context, product, ADD(product, v(0))));
    assert_ptr_equal(ir_simplify(context, shared), shared);
    ir_simplify(context, chain);
    const struct ir_expr *bounded = v(3);
    for (int i = 0; i < 60; i++)
        bounded = make(IR_EXPR_min, ADD(bounded, MOD(bounded, i64(3))), i64(63));
    assert_true(ir_fits_everywhere(context, &ranges, bounded));
    assert_false(ir_fits_everywhere(context, &ranges, shared));
    assert_false(ir_fits_everywhere(context, &ranges, chain));
    assert_true(ir_expr_uses_var(shared, vars[1]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_simplify_keeps_values),
        cmocka_unit_test(test_simplify_in_ranges_keeps_values),
        cmocka_unit_test(test_proofs_hold),
        cmocka_unit_test(test_what_fits_does_not_wrap),
        cmocka_unit_test(test_text_is_natural),
        cmocka_unit_test(test_loops),
        cmocka_unit_test(test_wrapping_is_respected),
        cmocka_unit_test(test_overflowing_shapes_stay),
        cmocka_unit_test(test_linear),
        cmocka_unit_test(test_large_expressions_are_cheap),
    };

    return cmocka_run_group_tests_name("arith", tests, setup, teardown);
}
