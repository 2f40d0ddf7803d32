/* Two parameters of a kernel as one storage: by hand, and in random kernels. */
#include "analysis/access/share.h"
#include "tests/unit/kernel_events.h"

#include <stdlib.h>

enum { KERNELS = 300 };

static const char params[] =
    "X: T.Buffer((64,), \"float32\"), Z: T.Buffer((64,), \"float32\"),"
    " M: T.Buffer((8, 8), \"float32\"), N: T.Buffer((8, 8), \"float32\"),"
    " A: T.Buffer((\"n\", \"m\"), \"float32\"), B: T.Buffer((n, m), \"float32\"),"
    " C: T.Buffer((\"n\",), \"float32\"), D: T.Buffer((n,), \"float32\"), I: T.Buffer((64,), \"int32\")";

static const char symbols[] = "    n = T.int64()\n    m = T.int64()\n";

static unsigned param(const struct tir_func *func, const char *name)
{
    for (unsigned i = 0; i < func->param_count; i++)
        if (strcmp(func->params[i].buffer->name, name) == 0)
            return i;
    fail_msg("no parameter %s", name);
    return 0;
}

static void describe(const struct access_share *share, char *out, size_t size)
{
    static const char *const words[] = {"none",         "unknown",   "update",
                                        "same element", "row local", "monotone"};
    const char *loop =
        share->loop && share->loop->kind == TIR_FOR ? share->loop->loop.var->name : NULL;
    bool is_none = share->kind == ACCESS_SHARE_NONE || share->kind == ACCESS_SHARE_UNKNOWN;

    snprintf(out, size, "%s%s%s%s", is_none ? "no" : words[share->kind],
             !is_none && loop ? " in " : "", !is_none && loop ? loop : "",
             share->is_backward ? ", backwards" : "");
}

/* @pair: the written parameter, then the read one. */
static void expect(const char *pair, const char *body, const char *wanted)
{
    struct kernels k;
    struct access_cache cache = {0};
    char text[4000], found[100], written[2] = {pair[0], 0}, read[2] = {pair[1], 0};

    snprintf(text, sizeof(text), "%s%s", symbols, body);
    kernels_parse(&k, params, text);
    struct access_share share =
        access_may_share(&cache, k.func, param(k.func, written), param(k.func, read));
    describe(&share, found, sizeof(found));
    if (strcmp(found, wanted) != 0)
        fail_msg("\n%s%s\nwanted %s", body, found, wanted);
    access_cache_finish(&cache);
    kernels_finish(&k);
}

static void test_elementwise(void **state)
{
    expect("XZ", "    for i in range(64):\n        X[i] = Z[i] + 1.0\n", "same element");
    expect("XZ", "    for i in T.parallel(64):\n        X[i] = Z[i] + 1.0\n", "same element");
    expect("AB", "    for i, j in T.grid(n, m):\n        A[i, j] = B[i, j] * 2.0\n",
           "same element");
    expect("XZ", "    for i, j in T.grid(8, 8):\n        X[i * 8 + j] = Z[i * 8 + j]\n",
           "same element");
    expect("XZ", "    for i in range(64):\n        X[63 - i] = Z[63 - i]\n", "same element");
    expect("XZ", "    for i in range(64):\n        X[i] = Z[i]\n        X[i] = X[i] + 1.0\n",
           "same element");
    expect("XZ", "    for i in range(16):\n        X[i * 4:i * 4 + 4] = Z[i * 4:i * 4 + 4]\n",
           "same element");
    /* the second statement reads what the first has written */
    expect("XZ", "    for i in range(64):\n        X[i] = 1.0\n        X[i] = Z[i]\n", "no");
    expect("XZ", "    for i in range(64):\n        X[i] = Z[i]\n        X[i] = X[i] + Z[i]\n",
           "no");
    /* apart: nothing that is read is written */
    expect("XZ", "    for i in range(32):\n        X[i] = Z[i + 32]\n", "same element");
    expect("XZ", "    for i in range(32):\n        X[i * 2] = Z[i * 2 + 1]\n", "same element");
}

static void test_update(void **state)
{
    expect("XX", "    for i in range(63):\n        X[i + 1] = X[i]\n", "update");
    expect("XZ", "    for i in range(64):\n        X[I[i]] = 1.0\n", "update");
    /* copy, then scatter: nothing is read any more */
    expect("XZ",
           "    for i in range(64):\n        X[i] = Z[i]\n    for j in range(64):\n"
           "        X[I[j]] = 2.0\n",
           "row local");
    expect("XZ", "    for i in range(64):\n        X[i] = Z[I[i]]\n", "no");
    expect("XZ", "    for i in range(64):\n        Z[i] = 1.0\n        X[i] = Z[i]\n", "no");
    expect("XZ", "    T.call_extern(\"int32\", \"f\", Z.data)\n    X[0] = Z[0]\n", "no");
}

static void test_rows(void **state)
{
    /* softmax: a row is read whole before it is written */
    expect("AB",
           "    for i in range(n):\n        s: T.float32 = 0.0\n        for j in range(m):\n"
           "            s = s + B[i, j]\n        for j in range(m):\n"
           "            A[i, j] = s\n",
           "row local in i");
    expect("MN",
           "    for i in T.parallel(8):\n        s: T.float32 = 0.0\n"
           "        for j in range(8):\n            s = s + N[i, j]\n"
           "        for j in range(8):\n            M[i, j] = s\n",
           "row local in i");
    expect("CD",
           "    s: T.float32 = 0.0\n    for i in range(n):\n        s = s + D[i]\n"
           "    for i in range(n):\n        C[i] = s\n",
           "row local");
    expect("CD",
           "    for i in range(n):\n        C[i] = 1.0\n    for i in range(n):\n"
           "        C[i] = C[i] + D[i]\n",
           "no");
    /* the next row is read, too; those on both sides are */
    expect("MN",
           "    for i in range(7):\n        s: T.float32 = 0.0\n        for j in range(8):\n"
           "            s = s + N[i, j] + N[i + 1, j]\n        for j in range(8):\n"
           "            M[i + 1, j] = s\n",
           "monotone in i, backwards");
    expect("MN",
           "    for i in range(6):\n        s: T.float32 = 0.0\n        for j in range(8):\n"
           "            s = s + N[i, j] + N[i + 2, j]\n        for j in range(8):\n"
           "            M[i + 1, j] = s\n",
           "no");
}

static void test_order(void **state)
{
    expect("XZ", "    for i in range(63):\n        X[i] = Z[i + 1]\n", "monotone in i");
    expect("XZ", "    for i in range(63):\n        X[i] = Z[i] + Z[i + 1]\n", "monotone in i");
    expect("XZ", "    for i in T.parallel(63):\n        X[i] = Z[i + 1]\n", "no");
    /* lanes read what they need before they write, and run from the first to the last */
    expect("XZ", "    for i in T.vectorized(63):\n        X[i] = Z[i + 1]\n", "monotone in i");
    expect("XZ", "    for i in T.vectorized(63):\n        X[i + 1] = Z[i]\n", "no");
    expect("XZ", "    for i in T.vectorized(63):\n        X[i] = 0.0\n        N[0, 0] = Z[i + 1]\n",
           "no");
    expect("MN",
           "    for i in T.vectorized(7):\n        for j in range(8):\n"
           "            M[i, j] = N[i + 1, 7 - j]\n",
           "no");
    expect("XZ", "    for i in range(63):\n        X[i + 1] = Z[i]\n", "monotone in i, backwards");
    expect("XZ", "    for i in range(1, 63):\n        X[i] = Z[i - 1] + Z[i + 1]\n", "no");
    expect("XZ", "    for i in range(64):\n        X[i] = Z[63 - i]\n", "no");
    expect("XZ", "    for i in range(32):\n        X[i] = Z[i * 2]\n", "monotone in i");
    expect("XZ", "    for i in range(64):\n        X[i] = Z[i // 2]\n", "monotone in i, backwards");
    expect("MN", "    for i, j in T.grid(8, 8):\n        M[i, j] = N[j, i]\n", "no");
    expect("MN", "    for i, j in T.grid(7, 8):\n        M[i, j] = N[i + 1, 7 - j]\n",
           "monotone in i");
    expect("CD", "    for i in range(n):\n        C[i] = D[n - 1 - i]\n", "no");
    expect("CD", "    for i in range(n // 2):\n        C[i] = D[i + (n + 1) // 2]\n",
           "same element");
    /* turned round, the loop would add in another order */
    expect("XZ", "    for i in range(62):\n        X[i + 1] = Z[i] + X[i]\n", "no");
    expect("XZ",
           "    for i in range(64):\n        X[i] = T.if_then_else(i < 63, Z[T.min(i + 1, 63)],"
           " 0.0)\n",
           "monotone in i");
}

static void test_blocks(void **state)
{
    const char *product = "    for i, j, k in T.grid(8, 8, 8):\n        with T.sblock(\"b\"):\n"
                          "            vi, vj, vk = T.axis.remap(\"SSR\", [i, j, k])\n"
                          "            with T.init():\n                M[vi, vj] = 0.0\n"
                          "            M[vi, vj] = M[vi, vj] + N[vi, vk]\n";

    expect("MN", product, "no");
    expect("MN",
           "    for i, j in T.grid(8, 8):\n        with T.sblock(\"b\"):\n"
           "            vi, vj = T.axis.remap(\"SS\", [i, j])\n            T.where(i < 4)\n"
           "            M[vi, vj] = N[vi, vj] * 2.0\n",
           "same element");
    expect("MN",
           "    W = T.decl_buffer((64,), \"float32\", data=M.data)\n"
           "    for i in range(64):\n        W[i] = N[i // 8, i % 8]\n",
           "same element");
    expect("MX", "    for i, j in T.grid(8, 8):\n        M[i, j] = X[i * 8 + j]\n",
           "same element"); /* by bytes */
}

/* ---- random kernels ---- */

/* Does a read of Z follow a write of its element of X? */
static bool has_hazard(const struct run *run)
{
    bool is_written[64] = {false};
    bool result = false;

    for (unsigned i = 0; i < run->count; i++) {
        const struct event *event = &run->events[i];

        if (event->is_write)
            is_written[event->element] = true;
        else if (event->param == 1)
            result |= is_written[event->element];
    }
    return result;
}

struct tally {
    unsigned legal, illegal, missed, turned;
};

static void check_kernel(void *state, struct trial *trial)
{
    struct tally *tally = state;
    struct run *run = &trial->run;
    struct access_share share = access_may_share(&trial->cache, trial->k.func, 0, 1);
    bool hazard = has_hazard(run), is_legal = access_share_is_legal(&share);
    char found[100];

    describe(&share, found, sizeof(found));
    if ((is_legal && hazard) || (share.kind == ACCESS_SHARE_NONE && !hazard))
        fail_msg("\n%s\nsaid %s", trial->text, found);
    tally->legal += is_legal;
    tally->illegal += hazard;
    tally->missed += !is_legal && !hazard;
    if (share.kind != ACCESS_SHARE_MONOTONE || !share.is_backward)
        return;
    tally->turned++;
    run->count = 0;
    run->turned = share.loop;
    if (run_stmt(run, trial->k.func->body) && has_hazard(run))
        fail_msg("\n%s\nsaid %s", trial->text, found);
}

static void test_random(void **state)
{
    struct event *events = calloc(EVENT_LIMIT, sizeof(events[0]));
    struct tally tally = {0};

    for (unsigned i = 1; i <= KERNELS; i++) {
        struct writer w = {.seed = i * 7919, .shares = true, .stmts = 5};

        trial_of(&w, "X: T.Buffer((24,), \"float32\"), Z: T.Buffer((24,), \"float32\")", events,
                 check_kernel, &tally);
    }
    free(events);
    print_message("# %u legal, %u illegal, %u legal and not known to be, %u by turning a loop\n",
                  tally.legal, tally.illegal, tally.missed, tally.turned);
    assert_true(tally.legal > KERNELS / 10);
    assert_true(tally.illegal > KERNELS / 10);
    assert_true(tally.missed < KERNELS / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elementwise), cmocka_unit_test(test_update),
        cmocka_unit_test(test_rows),        cmocka_unit_test(test_order),
        cmocka_unit_test(test_blocks),      cmocka_unit_test(test_random),
    };

    return cmocka_run_group_tests_name("share", tests, NULL, NULL);
}
