/* Statistics of measured times, against numbers of tables and of other programs. */
#include "driver/sample.h"
#include "tests/unit/test.h"

static void expect(double value, double wanted)
{
    assert_true(fabs(value - wanted) < 1e-9);
}

/* numpy.quantile() of the same. */
static void test_quartiles(void **state)
{
    const double values[] = {7, 1, 3, 2, 10, 4, 9, 8, 6, 5, 20};
    struct sample sample = sample_of(values, 10);

    expect(sample.least, 1);
    expect(sample.lower, 3.25);
    expect(sample.median, 5.5);
    expect(sample.upper, 7.75);
    expect(sample.most, 10);
    sample = sample_of(values, 11);
    expect(sample.lower, 3.5);
    expect(sample.median, 6);
    sample = sample_of(values, 1);
    expect(sample.median, 7);
    expect(sample.high, 7);
    assert_int_equal(sample_of(values, 0).count, 0);
}

/*
 * The ranks of tables of the binomial distribution: n = 6: 1 and 6; 10: 2 and 9; 25: 8 and 18; 100:
 * 40 and 61.
 */
static void test_interval(void **state)
{
    static const struct {
        size_t count;
        double low, high;
    } cases[] = {{6, 1, 6}, {10, 2, 9}, {25, 8, 18}, {100, 40, 61}};
    double values[2000];

    for (size_t i = 0; i < 2000; i++)
        values[i] = (double)i + 1;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct sample sample = sample_of(values, cases[i].count);

        expect(sample.low, cases[i].low);
        expect(sample.high, cases[i].high);
    }
    struct sample sample = sample_of(values, 2000); /* the exact ranks are 956 and 1045 */
    assert_true(fabs(sample.low - 956) <= 2 && fabs(sample.high - 1045) <= 2);
}

/*
 * Darwin's differences in height of Zea mays, the usual example: the ranks of the two that are
 * negative come to 24, and 676 of the 2^15 ways to choose signs come to no more, p = 2 * 676 /
 * 2^15.
 */
static void test_signed_ranks(void **state)
{
    const double d[] = {6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75};
    const double zeros[15] = {0};

    expect(sample_compare(d, zeros, 15), 2 * 676.0 / 32768);
    expect(sample_compare(zeros, d, 15), 2 * 676.0 / 32768);
}

/* Five pairs never tell: 2 of 32 ways; six do. */
static void test_few(void **state)
{
    const double a[] = {1, 2, 3, 4, 5, 6}, b[] = {2, 4, 6, 8, 10, 12};

    expect(sample_compare(a, b, 5), 2.0 / 32);
    expect(sample_compare(a, b, 6), 2.0 / 64);
    expect(sample_compare(a, a, 6), 1);
    expect(sample_compare(a, b, 0), 1);
}

/* Of times 40 times as short, three of twelve were disturbed, and are longer than all others. */
static void test_disturbed(void **state)
{
    double a[12], b[12];

    for (size_t i = 0; i < 12; i++) {
        a[i] = 40 + (double)i;
        b[i] = i < 3 ? 400 + (double)i : 1 + 0.01 * (double)i;
    }
    assert_true(sample_compare(a, b, 12) > SAMPLE_LEVEL);
    assert_true(sample_compare_times(a, b, 12) < SAMPLE_LEVEL);
    expect(sample_compare_times(a, b, 12), sample_compare_times(b, a, 12));
}

/* With ties all 2^4 ways are counted: ranks 1.5, 1.5, 3.5, 3.5; the sum 1.5 or less has 3 of 16. */
static void test_ties(void **state)
{
    const double a[] = {1, -1, 2, 2}, b[] = {0, 0, 0, 0};

    expect(sample_compare(a, b, 4), 2 * 3.0 / 16);
}

/* Behind 60 pairs: half of them each way, of the same sizes, say nothing; all one way say much. */
static void test_many(void **state)
{
    double a[200], b[200], c[200];

    for (size_t i = 0; i < 200; i++) {
        a[i] = (double)(i / 2) + 1;
        b[i] = i % 2 ? 2 * a[i] : 0;
        c[i] = 2 * a[i];
    }
    assert_true(sample_compare(a, b, 200) > 0.9);
    assert_true(sample_compare(a, c, 200) < 1e-20);
}

/* Holm's own order: the least times 3, the next times 2, none below one before it. */
static void test_correction(void **state)
{
    double probabilities[] = {0.04, 0.01, 0.03};

    sample_correct(probabilities, 3);
    expect(probabilities[1], 0.03);
    expect(probabilities[2], 0.06);
    expect(probabilities[0], 0.06);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_quartiles),    cmocka_unit_test(test_interval),
        cmocka_unit_test(test_signed_ranks), cmocka_unit_test(test_few),
        cmocka_unit_test(test_ties),         cmocka_unit_test(test_many),
        cmocka_unit_test(test_disturbed),    cmocka_unit_test(test_correction),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
