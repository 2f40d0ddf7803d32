/* Results of runs side by side: to the last bit, within a tolerance, and how far apart. */
#include "base/half.h"
#include "driver/compare.h"
#include "runtime/tensor.h"
#include "tests/unit/test.h"

#include <math.h>
#include <string.h>

static struct inlay_value tensor_of(struct inlay_dtype dtype, const double *numbers, int64_t count)
{
    struct inlay_tensor *tensor = inlay_tensor_create(dtype, &count, 1);

    assert_non_null(tensor);
    for (int64_t i = 0; i < count; i++)
        if (inlay_dtype_is_float(dtype))
            inlay_element_set_real(dtype, tensor->data, i, numbers[i]);
        else
            inlay_element_set_integer(dtype, tensor->data, i, (int64_t)numbers[i]);
    return (struct inlay_value){.kind = INLAY_TENSOR, .tensor = tensor};
}

struct verdict {
    bool is_equal, is_close;
    double difference;
};

static struct verdict judge(struct inlay_dtype dtype, const double *a, const double *b,
                            int64_t count, double tolerance)
{
    struct inlay_value x = tensor_of(dtype, a, count), y = tensor_of(dtype, b, count);
    struct text why = {0};
    struct verdict verdict;

    verdict.is_equal = values_equal(&x, &y, 1, &why);
    assert_int_equal(verdict.is_equal, why.length == 0);
    text_clear(&why);
    verdict.is_close = values_close(&x, &y, 1, tolerance, &why);
    assert_int_equal(verdict.is_close, why.length == 0);
    verdict.difference = values_difference(&x, &y, 1);
    text_finish(&why);
    inlay_tensor_destroy(x.tensor);
    inlay_tensor_destroy(y.tensor);
    return verdict;
}

static const struct inlay_dtype f64 = {INLAY_CODE_FLOAT, 64, 1}, f32 = {INLAY_CODE_FLOAT, 32, 1},
                                f16 = {INLAY_CODE_FLOAT, 16, 1}, bf16 = {INLAY_CODE_BFLOAT, 16, 1},
                                i32 = {INLAY_CODE_INT, 32, 1}, boolean = {INLAY_CODE_BOOL, 8, 1};

#define JUDGE(dtype, tolerance, a, b)                                                        \
    judge(dtype, (const double[])a, (const double[])b, sizeof((double[])a) / sizeof(double), \
          tolerance)
#define NUMBERS(...) {__VA_ARGS__}

static void test_tolerance_by_dtype(void **state)
{
    /* relative to the number, of which the tensor has no larger one: t * 2 */
    assert_true(JUDGE(f32, 0, NUMBERS(1), NUMBERS(1.00001)).is_close);
    assert_false(JUDGE(f32, 0, NUMBERS(1), NUMBERS(1.00003)).is_close);
    assert_true(JUDGE(f64, 0, NUMBERS(1), NUMBERS(1 + 1e-12)).is_close);
    assert_false(JUDGE(f64, 0, NUMBERS(1), NUMBERS(1 + 3e-12)).is_close);
    assert_true(JUDGE(f16, 0, NUMBERS(1), NUMBERS(1.007)).is_close);
    assert_false(JUDGE(f16, 0, NUMBERS(1), NUMBERS(1.01)).is_close);
    assert_true(JUDGE(bf16, 0, NUMBERS(1), NUMBERS(1.0625)).is_close);
    assert_false(JUDGE(bf16, 0, NUMBERS(1), NUMBERS(1.07)).is_close);
    assert_false(JUDGE(f32, 0, NUMBERS(1e-20), NUMBERS(2e-20)).is_close);
}

static void test_tolerance_by_largest(void **state)
{
    /* what is left of large numbers that cancel keeps their error */
    assert_true(JUDGE(f32, 0, NUMBERS(1000, 0.001), NUMBERS(1000, 0.002)).is_close);
    assert_false(JUDGE(f32, 0, NUMBERS(1, 0.001), NUMBERS(1, 0.002)).is_close);
    assert_true(JUDGE(f32, 0, NUMBERS(INFINITY, 1), NUMBERS(INFINITY, 1)).is_close);
    assert_false(JUDGE(f32, 0, NUMBERS(INFINITY, 1), NUMBERS(INFINITY, 1.1)).is_close);
}

static void test_tolerance_given(void **state)
{
    assert_true(JUDGE(f32, 0.01, NUMBERS(1), NUMBERS(1.019)).is_close);
    assert_false(JUDGE(f32, 0.01, NUMBERS(1), NUMBERS(1.021)).is_close);
    assert_false(JUDGE(f32, 1e-7, NUMBERS(1), NUMBERS(1.000001)).is_close);
}

static void test_special_numbers(void **state)
{
    struct verdict same = JUDGE(f32, 0, NUMBERS(NAN, INFINITY, -INFINITY, -0.0),
                                NUMBERS(-NAN, INFINITY, -INFINITY, -0.0));

    assert_true(same.is_equal && same.is_close && same.difference == 0);
    assert_false(JUDGE(f32, 1, NUMBERS(NAN), NUMBERS(1)).is_close);
    assert_false(JUDGE(f32, 1, NUMBERS(1), NUMBERS(NAN)).is_close);
    assert_false(JUDGE(f32, 1, NUMBERS(INFINITY), NUMBERS(-INFINITY)).is_close);
    assert_false(JUDGE(f32, 1, NUMBERS(3e38), NUMBERS(INFINITY)).is_close);
    assert_true(isinf(JUDGE(f32, 0, NUMBERS(NAN, 1), NUMBERS(1, 1)).difference));
    /* zeros of two signs are not the same bits, but the same number */
    struct verdict zeros = JUDGE(f32, 0, NUMBERS(0.0), NUMBERS(-0.0));
    assert_true(!zeros.is_equal && zeros.is_close && zeros.difference == 0);
}

static void test_integers_are_exact(void **state)
{
    assert_false(JUDGE(i32, 0.5, NUMBERS(1000000), NUMBERS(1000001)).is_close);
    assert_true(JUDGE(i32, 0, NUMBERS(-7, 3), NUMBERS(-7, 3)).is_equal);
    assert_false(JUDGE(boolean, 0.5, NUMBERS(0), NUMBERS(1)).is_close);
    assert_true(JUDGE(i32, 0, NUMBERS(5, 1), NUMBERS(2, 3)).difference == 3);
}

static void test_copies_are_their_own(void **state)
{
    int64_t dims[] = {2, 3};
    struct inlay_shape shape = {dims, 2};
    struct inlay_value values[] = {tensor_of(f32, (const double[]){1, 2}, 2),
                                   {.kind = INLAY_SHAPE, .shape = &shape},
                                   {.kind = INLAY_INT, .integer = 9}};
    struct inlay_value *copies = values_copy(values, 3, NULL);
    struct text why = {0};

    assert_true(values_equal(values, copies, 3, &why));
    dims[1] = 4;
    assert_int_equal(copies[1].shape->dims[1], 3);
    assert_false(values_equal(values, copies, 3, &why));
    assert_string_equal(text_string(&why), "value 1 differs");
    dims[1] = 3;
    inlay_element_set_real(f32, values[0].tensor->data, 1, 2.5);
    assert_true(values_difference(values, copies, 3) == 0.5);
    values_free(copies, 3);
    inlay_tensor_destroy(values[0].tensor);
    text_finish(&why);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tolerance_by_dtype), cmocka_unit_test(test_tolerance_by_largest),
        cmocka_unit_test(test_tolerance_given),    cmocka_unit_test(test_special_numbers),
        cmocka_unit_test(test_integers_are_exact), cmocka_unit_test(test_copies_are_their_own),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
