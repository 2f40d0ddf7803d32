/* Two accesses of a kernel: by hand. */
#include "analysis/access/relation.h"
#include "tests/unit/kernels.h"

#include <stdlib.h>

static const char params[] =
    "A: T.Buffer((\"n\", \"m\"), \"float32\"), C: T.Buffer((n,), \"float32\"),"
    " E: T.Buffer((64,), \"float32\"), D: T.Buffer((8, 8), \"float32\"),"
    " F: T.Buffer((n * m,), \"float32\"), I: T.Buffer((64,), \"int64\"), k: T.int64";

static const char symbols[] = "    n = T.int64()\n    m = T.int64()\n";

/*
 * The accesses of one buffer are numbered as they come.  May number @first and @second meet, with
 * the loop number @level in iterations as @order says?
 */
static enum access_answer ask(const char *buffer, const char *body, unsigned first, unsigned second,
                              unsigned level, enum access_order order)
{
    struct kernels k;
    struct access_cache cache = {0};
    const struct access *found[8] = {NULL};
    unsigned count = 0;
    char text[4000];

    snprintf(text, sizeof(text), "%s%s", symbols, body);
    kernels_parse(&k, params, text);
    const struct access_list *list = access_of(&cache, k.func);
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].root && strcmp(list->items[i].root->name, buffer) == 0)
            found[count++] = &list->items[i];
    assert_in_range(first, 0, count - 1);
    assert_in_range(second, 0, count - 1);
    struct access_relation *relation = access_relation_new(&cache, list, list, NULL);
    enum access_answer answer =
        access_may_meet(relation, found[first], found[second], level, order);
    access_relation_free(relation);
    access_cache_finish(&cache);
    kernels_finish(&k);
    return answer;
}

static const char *const words[] = {"never", "may", "may"};

/* The answers in the same iteration of all loops, in a later, and in an earlier one of loop 0. */
static void expect(const char *buffer, const char *body, const char *wanted)
{
    char found[100];
    enum access_answer same = ask(buffer, body, 0, 1, 1, ACCESS_ANY_TIME);
    enum access_answer later = ask(buffer, body, 0, 1, 0, ACCESS_LATER);
    enum access_answer earlier = ask(buffer, body, 0, 1, 0, ACCESS_EARLIER);

    snprintf(found, sizeof(found), "%s, %s, %s", words[same], words[later], words[earlier]);
    if (strcmp(found, wanted) != 0)
        fail_msg("\n%s%s\nwanted %s", body, found, wanted);
}

static void test_one_loop(void **state)
{
    /* number 0 is read, number 1 written: same, later, earlier */
    expect("E", "    for i in range(64):\n        E[i] = E[i]\n", "may, never, never");
    expect("E", "    for i in range(63):\n        E[i] = E[i + 1]\n", "never, may, never");
    expect("E", "    for i in range(63):\n        E[i + 1] = E[i]\n", "never, never, may");
    expect("E", "    for i in range(64):\n        E[i] = E[63 - i]\n", "never, may, may");
    expect("E", "    for i in range(63):\n        E[i] = E[62 - i]\n", "may, may, may");
    expect("E", "    for i in range(32):\n        E[i] = E[63 - i]\n", "never, never, never");
    expect("E", "    for i in range(32):\n        E[i * 2] = E[i * 2 + 1]\n",
           "never, never, never");
    expect("E", "    for i in range(31):\n        E[i * 2] = E[i * 2 + 2]\n", "never, may, never");
    expect("E", "    for i in range(16):\n        E[i * 3] = E[i * 2 + 1]\n", "may, never, may");
    expect("E", "    for i in range(64):\n        E[i] = E[i // 2]\n", "may, never, may");
    expect("E", "    for i in range(64):\n        E[i % 8] = E[i]\n", "may, may, never");
    expect("E", "    for i in range(64):\n        E[i] = E[(i + 32) % 64]\n", "never, may, may");
    expect("E", "    for i in range(64):\n        E[i * 3 % 64] = E[i]\n", "may, may, may");
    expect("E",
           "    for i in range(T.int64(0), T.int64(64), step=T.int64(4)):\n"
           "        E[i] = E[i + 2]\n",
           "never, never, never");
}

/* As above, in two loops: the same iteration of both, and later and earlier ones of either. */
static void expect_two(const char *buffer, const char *body, const char *wanted)
{
    char found[200];

    snprintf(found, sizeof(found), "%s; %s, %s; %s, %s",
             words[ask(buffer, body, 0, 1, 2, ACCESS_ANY_TIME)],
             words[ask(buffer, body, 0, 1, 0, ACCESS_LATER)],
             words[ask(buffer, body, 0, 1, 0, ACCESS_EARLIER)],
             words[ask(buffer, body, 0, 1, 1, ACCESS_LATER)],
             words[ask(buffer, body, 0, 1, 1, ACCESS_EARLIER)]);
    if (strcmp(found, wanted) != 0)
        fail_msg("\n%s%s\nwanted %s", body, found, wanted);
}

static void test_two_loops(void **state)
{
    expect_two("D", "    for i, j in T.grid(8, 8):\n        D[i, j] = D[i, j]\n",
               "may; never, never; never, never");
    expect_two("D", "    for i, j in T.grid(8, 8):\n        D[i, j] = D[j, i]\n",
               "may; may, may; never, never");
    expect_two("D",
               "    for i, j in T.grid(8, 8):\n        if j < i:\n            D[i, j] = D[j, i]\n",
               "never; never, never; never, never");
    expect_two("D", "    for i, j in T.grid(7, 7):\n        D[i, j] = D[i + 1, j + 1]\n",
               "never; may, never; never, never");
    expect_two("D", "    for i, j in T.grid(8, 7):\n        D[i, j + 1] = D[i, j]\n",
               "never; never, never; never, may");
    expect_two("D", "    for i, j in T.grid(8, 8):\n        D[i, 0] = D[i, j]\n",
               "may; never, never; may, never");
    expect_two("E", "    for i, j in T.grid(8, 8):\n        E[i * 8 + j] = E[i * 8 + 7 - j]\n",
               "never; never, never; may, may");
    expect_two("E", "    for i, j in T.grid(8, 8):\n        E[i * 8 + j] = E[j * 8 + i]\n",
               "may; may, may; never, never");
    /* a reduction: the sum is read where it is written, in all iterations of j */
    expect_two("C", "    for i, j in T.grid(n, m):\n        C[i] = C[i] + A[i, j]\n",
               "may; never, never; may, may");
    /* rows of m, which only products of symbols tell apart */
    expect_two("F", "    for i, j in T.grid(n, m):\n        F[i * m + j] = F[i * m + j]\n",
               "may; never, never; never, never");
}

static void test_symbols(void **state)
{
    expect("C", "    for i in range(n // 2):\n        C[i] = C[i + (n + 1) // 2]\n",
           "never, never, never");
    expect("C", "    for i in range(n // 2):\n        C[i] = C[n - 1 - i]\n",
           "never, never, never");
    expect("C", "    for i in range((n + 1) // 2):\n        C[i] = C[n - 1 - i]\n",
           "may, never, never");
    expect("C", "    for i in range(n):\n        C[i] = C[n - 1 - i]\n", "may, may, may");
    expect("C",
           "    for i in range(n):\n        if i * 2 < n - 1:\n"
           "            C[i] = C[n - 1 - i]\n",
           "never, never, never");
    expect("C", "    for i in range(n):\n        C[i] = C[i + k]\n", "may, may, may");
    expect("C", "    for i in range(n):\n        if k > 0:\n            C[i] = C[i + k]\n",
           "may, may, may"); /* i + k may wrap */
    expect("C", "    for i in range(n):\n        C[i] = C[I[0]]\n", "may, may, may");
    expect("C", "    for i in range(n):\n        C[I[0] + i] = C[I[0] + i]\n", "may, never, never");
    /* an element that is written is another one each time */
    expect("I", "    for i in range(64):\n        I[i] = I[I[i]]\n", "may, may, may");
}

static void test_guards(void **state)
{
    expect("E", "    for i in range(64):\n        E[i] = T.if_then_else(i > 0, E[i - 1], 0.0)\n",
           "never, never, may");
    expect("E", "    for i in range(64):\n        if i < 32:\n            E[i] = E[i + 32]\n",
           "never, never, never");
    expect("E",
           "    for i in range(64):\n        if i == 0 or i == 32:\n            E[i] = E[i % 32]\n",
           "may, never, may");
    expect("E",
           "    for i in range(64):\n        if not (i >= 32 and k < 0):\n"
           "            E[i] = E[T.min(i + 32, 63)]\n",
           "may, may, never");
    expect("E",
           "    for i in range(32):\n        with T.sblock(\"b\"):\n"
           "            v = T.axis.spatial(64, i * 2)\n            T.where(i < 8)\n"
           "            E[v] = E[v + 16]\n",
           "never, never, never");
    expect("E",
           "    for i in range(64):\n        E[i] = T.Select(i > 3, E[T.max(i - 4, 0)], 0.0)\n",
           "never, never, may");
}

static void test_blocks(void **state)
{
    /* T.init before the sum, in the first iteration of the reduction */
    const char *sum = "    for i, j in T.grid(8, 8):\n        with T.sblock(\"b\"):\n"
                      "            vi, vj = T.axis.remap(\"SR\", [i, j])\n"
                      "            with T.init():\n                E[vi] = 0.0\n"
                      "            E[vi] = E[vi] + D[vi, vj]\n";

    expect_two("E", sum, "may; never, never; may, never");
    expect("E",
           "    for i in range(8):\n        with T.sblock(\"b\"):\n"
           "            v = T.axis.spatial(8, 7 - i)\n            E[v] = E[v * 8 + 7]\n",
           "never, never, may");
}

static void test_views(void **state)
{
    expect("E",
           "    for i in range(8):\n        with T.sblock(\"b\"):\n"
           "            v = T.axis.spatial(8, i)\n"
           "            W = T.match_buffer(E[v * 8:v * 8 + 8], (8,), \"float32\","
           " offset_factor=1)\n            W[7] = E[v * 8]\n",
           "never, never, never");
    /* rows of 8 of what is 64 elements */
    expect("E",
           "    W = T.decl_buffer((8, 8), \"float32\", data=E.data)\n"
           "    for i in range(8):\n        W[i, 7] = E[i * 8]\n",
           "never, never, never");
    expect("E",
           "    W = T.decl_buffer((8, 8), \"float32\", data=E.data)\n"
           "    for i in range(8):\n        W[i, 0] = E[i * 8]\n",
           "may, never, never");
    expect("E",
           "    W = T.decl_buffer((64,), \"int32\", data=E.data)\n"
           "    for i in range(8):\n        W[i] = T.Cast(\"int32\", E[i + 8])\n",
           "may, may, may");
}

static void test_private(void **state)
{
    const char *inside = "    for i in range(8):\n        X = T.alloc_buffer((4,), \"float32\")\n"
                         "        X[0] = E[i]\n        E[i] = X[0]\n";
    const char *outside = "    X = T.alloc_buffer((4,), \"float32\")\n    for i in range(8):\n"
                          "        X[0] = E[i]\n        E[i] = X[0]\n";

    expect("X", inside, "may, never, never");
    expect("X", outside, "may, may, may");
}

static void test_unknown(void **state)
{
    /* What wraps, what is no arithmetic, addresses: never "never". */
    expect("E", "    for i in range(64):\n        E[i * 1073741824 * 4] = E[0]\n", "may, may, may");
    expect("E", "    for i in range(64):\n        E[I[i]] = E[I[i] + 1]\n", "never, may, may");
    expect("E", "    for i in range(64):\n        E[i * i] = E[i * i + 1]\n", "never, may, may");
    expect("E", "    for i in range(8):\n        E[i] = E[T.Cast(\"int32\", E[i + 8])]\n",
           "may, may, may");
}

/* One question is let through to the integer sets, those that are cheap always. */
static void test_limit(void **state)
{
    struct kernels k;
    struct access_cache cache = {0};

    kernels_parse(&k, params,
                  "    n = T.int64()\n    m = T.int64()\n    for i in range(64):\n"
                  "        if i % 2 == 0:\n            E[i] = 1.0\n        else:\n"
                  "            E[i] = 2.0\n        D[0, 0] = 1.0\n        D[1, 0] = 1.0\n");
    const struct access_list *list = access_of(&cache, k.func);
    struct access_relation *relation = access_relation_new(&cache, list, list, NULL);
    const struct access *even = &list->items[0], *odd = &list->items[1];

    assert_int_equal(list->count, 4);
    access_relation_limit(relation, 1);
    assert_int_equal(access_may_meet(relation, even, odd, 0, ACCESS_ANY_TIME), ACCESS_NEVER);
    assert_int_equal(access_may_meet(relation, even, odd, 0, ACCESS_ANY_TIME), ACCESS_UNKNOWN);
    assert_int_equal(
        access_may_meet(relation, &list->items[2], &list->items[3], 0, ACCESS_ANY_TIME),
        ACCESS_NEVER);
    access_relation_free(relation);
    access_cache_finish(&cache);
    kernels_finish(&k);
}

/* Parts of one dimension, wherever they begin: no question to the integer sets. */
static void test_parts(void **state)
{
    struct kernels k;
    struct access_cache cache = {0};

    kernels_parse(&k, params,
                  "    n = T.int64()\n    m = T.int64()\n    for i in range(16):\n"
                  "        D[i % 2, i // 2] = 1.0\n        D[i % 2 + 2, i // 2] = 1.0\n"
                  "        D[i % 3 + 1, i // 2] = 1.0\n");
    const struct access_list *list = access_of(&cache, k.func);
    struct access_relation *relation = access_relation_new(&cache, list, list, NULL);
    const struct access *items = list->items;

    access_relation_be_cheap(relation);
    assert_int_equal(access_may_meet(relation, &items[0], &items[1], 0, ACCESS_OTHER_TIME),
                     ACCESS_NEVER);
    assert_int_equal(access_may_meet(relation, &items[0], &items[2], 0, ACCESS_OTHER_TIME),
                     ACCESS_UNKNOWN);
    access_relation_free(relation);
    access_cache_finish(&cache);
    kernels_finish(&k);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_loop), cmocka_unit_test(test_two_loops),
        cmocka_unit_test(test_symbols),  cmocka_unit_test(test_guards),
        cmocka_unit_test(test_blocks),   cmocka_unit_test(test_views),
        cmocka_unit_test(test_private),  cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_limit),    cmocka_unit_test(test_parts),
    };

    return cmocka_run_group_tests_name("relation", tests, NULL, NULL);
}
