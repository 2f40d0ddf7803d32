/* How much kernels compute and move: kernels as text, and numbers that are worked out by hand. */
#include "analysis/kernel_work.h"
#include "tests/unit/kernels.h"

static const char params[] =
    "A: T.Buffer((\"n\", \"m\"), \"float32\"), B: T.Buffer((m, 32), \"float32\"),"
    " C: T.Buffer((n, 32), \"float32\"), X: T.Buffer((1000, 64), \"float32\"), at: T.int64,"
    " I: T.Buffer((16,), \"int64\"), H: T.Buffer((16,), \"float16\")";

static void expect(const char *body, double operations, double bytes, bool is_most)
{
    static const int64_t numbers[] = {5, 10, 20}; /* at, n, m */
    const struct ir_var *vars[KERNEL_NUMBERS];
    struct kernels k;
    char text[2000];

    snprintf(text, sizeof(text), "    n = T.int64()\n    m = T.int64()\n%s", body);
    kernels_parse(&k, params, text);
    assert_int_equal(kernel_numbers(k.func, vars), 3);
    assert_string_equal(vars[0]->name, "at");
    assert_string_equal(vars[1]->name, "n");
    struct kernel_work work = kernel_work(k.func, numbers);
    if (work.operations != operations || work.bytes != bytes || work.is_most != is_most)
        fail_msg("\n%s%g operations, %g bytes, %d", body, work.operations, work.bytes,
                 work.is_most);
    kernels_finish(&k);
}

/*
 * 2 * 10 * 32 * 20 operations; A and B are read, and C is written, which it also reads back itself.
 */
static void test_product(void **state)
{
    expect("    for i, j, k in T.grid(n, T.int64(32), m):\n        with T.sblock(\"c\"):\n"
           "            vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n            with T.init():\n"
           "                C[vi, vj] = T.float32(0)\n"
           "            C[vi, vj] = C[vi, vj] + A[vi, vk] * B[vk, vj]\n",
           12800, 4 * (200 + 640 + 320), false);
}

/* What is read before it is written comes from outside. */
static void test_update(void **state)
{
    expect("    for i, j in T.grid(n, T.int64(32)):\n        C[i, j] = C[i, j] * T.float32(2)\n",
           320, 4 * 2 * 320, false);
}

/* Of a large buffer only what the loops reach. */
static void test_row(void **state)
{
    expect("    for j in range(64):\n        X[at, j] = T.exp(X[at, j])\n", 64, 4 * 2 * 64, false);
    expect("    for j in range(16):\n        H[j] = T.Cast(\"float16\", X[I[j], 3])\n", 0,
           16 * (2 + 4 + 8), false);
}

/* Two statements that write write two parts. */
static void test_parts(void **state)
{
    expect("    for i in range(4):\n        H[i] = T.float16(0)\n"
           "    for i in range(12):\n        H[i + 4] = T.float16(1)\n",
           0, 32, false);
}

/* A triangle is half of a square: 10 rows of 0 to 9. */
static void test_triangle(void **state)
{
    expect("    for i in range(n):\n        for j in range(i):\n"
           "            C[i, j] = C[i, j] + T.float32(1)\n",
           45, 4 * 2 * 45, false);
}

/* Indices and conditions compute nothing; of a branch nobody knows how often it is taken. */
static void test_branch(void **state)
{
    expect("    for i in range(16):\n        if I[i] * 3 + 1 > 5:\n"
           "            H[i * 2 % 16] = H[i * 2 % 16] - T.float16(1)\n",
           16, 16 * (8 + 2 + 2), true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_product),  cmocka_unit_test(test_update),
        cmocka_unit_test(test_row),      cmocka_unit_test(test_parts),
        cmocka_unit_test(test_triangle), cmocka_unit_test(test_branch),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
