/* What is read off a kernel: each access, in order, with what stands around it. */
#include "analysis/access/access.h"
#include "tests/unit/kernels.h"

static const char params[] =
    "A: T.Buffer((\"n\", \"m\"), \"float32\"), C: T.Buffer((n,), \"float32\"),"
    " E: T.Buffer((64,), \"float32\"), D: T.Buffer((8, 8), \"float32\"),"
    " I: T.Buffer((64,), \"int64\"), k: T.int64";

#define BOUND  "; let W_elem_offset; let V_elem_offset"
#define N_BY_M "; loop i from T.int64(0) for n; loop j from T.int64(0) for m"

static const char symbols[] = "    n = T.int64()\n    m = T.int64()\n";

static void expect(const char *body, const char *wanted)
{
    struct kernels k;
    struct access_cache cache = {0};
    struct text out = {0};
    char text[4000];

    snprintf(text, sizeof(text), "%s%s", symbols, body);
    kernels_parse(&k, params, text);
    access_print(access_of(&cache, k.func), &out);
    assert_ptr_equal(access_of(&cache, k.func), access_of(&cache, k.func));
    assert_string_equal(text_string(&out), wanted);
    text_finish(&out);
    access_cache_finish(&cache);
    kernels_finish(&k);
}

static void test_loops(void **state)
{
    expect("    for i, j in T.grid(n, m):\n"
           "        A[i, j] = A[i, j] + C[i]\n",
           "read A[i, j]" N_BY_M "\n"
           "read C[i]" N_BY_M "\n"
           "write A[i, j]" N_BY_M "\n");
    expect(
        "    for i in range(T.int64(0), T.int64(64), step=T.int64(4)):\n"
        "        for j in T.parallel(i, i + 4):\n"
        "            E[j] = 1.0\n",
        "write E[j]; loop i from T.int64(0) for T.int64(64) by 4; loop j from i for T.int64(4)\n");
    expect("    while E[0] > 0.0:\n"
           "        E[0] = E[1]\n",
           "stop\n"
           "read E[0]; while\n"
           "read E[1]; while\n"
           "write E[0]; while\n");
}

static void test_blocks(void **state)
{
    expect("    for i, j in T.grid(n, m):\n"
           "        with T.sblock(\"b\"):\n"
           "            vi = T.axis.spatial(n, n - 1 - i)\n"
           "            vj = T.axis.reduce(m, j)\n"
           "            T.where(i < 3)\n"
           "            with T.init():\n"
           "                C[vi] = 0.0\n"
           "            C[vi] = C[vi] + A[vi, vj]\n",
           "write C[n - T.int64(1) - i] init" N_BY_M "; if i < T.int64(3); if j == T.int64(0)\n"
           "read C[n - T.int64(1) - i]" N_BY_M "; if i < T.int64(3)\n"
           "read A[n - T.int64(1) - i, j]" N_BY_M "; if i < T.int64(3)\n"
           "write C[n - T.int64(1) - i]" N_BY_M "; if i < T.int64(3)\n");
    expect("    for i in range(8):\n"
           "        with T.sblock(\"b\"):\n"
           "            v = T.axis.spatial(8, I[i])\n"
           "            W = T.sblock_alloc_buffer((4,))\n"
           "            W[0] = D[v, 0]\n"
           "            E[v] = W[0]\n",
           "read I[i]; loop i from 0 for 8\n"
           "read D[T.Cast(\"int32\", I[i]), 0] indirect; loop i from 0 for 8\n"
           "write W[0]; loop i from 0 for 8\n"
           "read W[0]; loop i from 0 for 8\n"
           "write E[T.Cast(\"int32\", I[i])] indirect; loop i from 0 for 8\n");
}

static void test_guards(void **state)
{
    expect("    for i in range(64):\n"
           "        if i < 3:\n"
           "            E[i] = 1.0\n"
           "        else:\n"
           "            E[i] = 2.0\n",
           "write E[i]; loop i from 0 for 64; if i < 3\n"
           "write E[i]; loop i from 0 for 64; unless i < 3\n");
    expect("    for i in range(64):\n"
           "        E[i] = T.if_then_else(i > 0, E[i - 1], T.float32(0))\n",
           "read E[i - 1]; loop i from 0 for 64; if i > 0\n"
           "write E[i]; loop i from 0 for 64\n");
    expect("    for i in range(64):\n"
           "        E[i] = T.Select(0 < i and E[i - 1] > 0.0, E[0], E[1])\n",
           "read E[i - 1]; loop i from 0 for 64; if 0 < i\n"
           "read E[0]; loop i from 0 for 64; if 0 < i and E[i - 1] > T.float32(0.0)\n"
           "read E[1]; loop i from 0 for 64; unless 0 < i and E[i - 1] > T.float32(0.0)\n"
           "write E[i]; loop i from 0 for 64\n");
    expect("    for i in range(64):\n"
           "        assert i < 3, \"small\"\n"
           "        E[i] = 1.0\n",
           "stop; loop i from 0 for 64\n"
           "write E[i]; loop i from 0 for 64; if i < 3\n");
}

static void test_lets(void **state)
{
    expect("    for i in range(8):\n"
           "        v: T.let[T.int32] = i * 2\n"
           "        w: T.let[T.int64] = I[v]\n"
           "        q: T.let[T.float32] = E[v]\n"
           "        E[w + v] = q\n",
           "read I[i * 2]; loop i from 0 for 8\n"
           "read E[i * 2]; loop i from 0 for 8\n"
           "write E[I[i * 2] + T.Cast(\"int64\", i * 2)] indirect; loop i from 0 for 8; let q\n");
    expect("    for i in range(8):\n"
           "        x = T.int32()\n"
           "        y = T.float32()\n"
           "        E[i] = T.Let(E[T.Let(x + 1, where={x: i * 2})] + y, where={y: E[0]})\n",
           "read E[0]; loop i from 0 for 8\n"
           "read E[?]; loop i from 0 for 8; let y\n"
           "write E[i]; loop i from 0 for 8\n");
}

static void test_views(void **state)
{
    expect("    W = T.decl_buffer((8, 8), \"float32\", data=E.data)\n"
           "    for i, j in T.grid(8, 8):\n"
           "        W[i, j] = D[i, j]\n",
           "read D[i, j]; loop i from 0 for 8; loop j from 0 for 8\n"
           "write E{T.Cast(\"int64\", i) * T.int64(8) + T.Cast(\"int64\", j)} as W;"
           " loop i from 0 for 8; loop j from 0 for 8\n");
    expect("    W = T.decl_buffer((64,), \"float32\", data=E.data)\n"
           "    for i in range(8):\n"
           "        W[i] = E[i + 8]\n",
           "read E[i + 8]; loop i from 0 for 8\n"
           "write E[i] as W; loop i from 0 for 8\n");
    expect("    W = T.decl_buffer((64,), \"int32\", data=E.data)\n"
           "    W[0] = 1\n",
           "write E[?] as W\n");
    expect(
        "    W = T.decl_buffer((4, 4), \"float32\", data=E.data, strides=(16, 1), elem_offset=k)\n"
        "    W[1, k] = E[0]\n",
        "read E[0]\n"
        "write E{T.int64(16) + (k + k)} as W\n");
    expect("    for i in range(8):\n"
           "        with T.sblock(\"b\"):\n"
           "            v = T.axis.spatial(8, i)\n"
           "            W = T.match_buffer(D[v, 0:8], (8,), \"float32\", offset_factor=1)\n"
           "            V = T.match_buffer(D[v:v + 1, 2:4], (1, 2), \"float32\", offset_factor=1)\n"
           "            W[v] = V[0, 1]\n",
           "read D[i, T.Add(T.int64(1), T.int64(2))] as V; loop i from 0 for 8" BOUND "\n"
           "write D[i, i] as W; loop i from 0 for 8" BOUND "\n");
}

static void test_vectors(void **state)
{
    expect("    for i in range(16):\n"
           "        E[i * 4:i * 4 + 4] = D[0, 0:4]\n",
           "read D[0, lane]; loop i from 0 for 16; lanes lane from 0 for 4\n"
           "write E[i * 4 + lane]; loop i from 0 for 16; lanes lane from 0 for 4\n");
    expect("    E[0:8:2] = T.Broadcast(C[k], 4)\n", "read C[k]\n"
                                                    "write E[lane * 2]; lanes lane from 0 for 4\n");
}

static void test_effects(void **state)
{
    expect("    T.call_extern(\"int32\", \"f\", C.data, T.address_of(E[I[0]]), D[0, 0])\n",
           "expose C\n"
           "strange\n"
           "expose E\n"
           "read I[0]\n"
           "read D[0, 0]\n"
           "call\n");
    expect("    for i in range(64):\n"
           "        if E[i] > 0.0:\n"
           "            break\n"
           "        E[i] = 1.0\n",
           "read E[i]; loop i from 0 for 64\n"
           "jump; loop i from 0 for 64; if E[i] > T.float32(0.0)\n"
           "write E[i]; loop i from 0 for 64\n");
    expect("    P = T.handle(\"float32\")\n"
           "    W = T.decl_buffer((4,), \"float32\", data=P)\n"
           "    W[0] = 1.0\n",
           "expose A\n"
           "expose C\n"
           "expose E\n"
           "expose D\n"
           "expose I\n"
           "strange\n"
           "write W[0]\n");
    expect("    for i in T.thread_binding(64, thread=\"threadIdx.x\"):\n"
           "        E[i] = 0.0\n",
           "strange\n"
           "write E[i]; loop i from 0 for 64\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loops),   cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_guards),  cmocka_unit_test(test_lets),
        cmocka_unit_test(test_views),   cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_effects),
    };

    return cmocka_run_group_tests_name("access", tests, NULL, NULL);
}
