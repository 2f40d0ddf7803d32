/*
 * Dependence between the iterations of loops: kernels as text, a loop of them by the name of its
 * variable, and what must, or must not, be proved of it.
 */
#include "analysis/access/index.h"
#include "analysis/access/loop.h"
#include "frontend/frontend.h"
#include "ops/ops.h"
#include "tests/unit/test.h"

#include <stdio.h>
#include <string.h>

struct fixture {
    struct arena arena;
    struct ir_context *context;
    struct diag *diag;
    struct ir_module *module;
    struct tir_func *func;
};

static const char head[] =
    "from tvm.script import tirx as T\n"
    "@T.prim_func(s_tir=True)\n"
    "def f(A: T.Buffer((\"n\", \"m\"), \"float32\"), B: T.Buffer((n, m), \"float32\"),"
    " C: T.Buffer((n,), \"float32\"), D: T.Buffer((64, 64), \"float32\"),"
    " E: T.Buffer((64,), \"float32\"), F: T.Buffer((n * m,), \"float32\"),"
    " I: T.Buffer((64,), \"int64\"), P: T.Buffer((1,), \"int64\"), k: T.int64, l: T.int32):\n"
    "    n = T.int64()\n    m = T.int64()\n";

static void start(struct fixture *f, const char *body)
{
    char script[4000];

    *f = (struct fixture){.context = ir_context_create(), .diag = diag_create()};
    ops_register(f->context);
    snprintf(script, sizeof(script), "%s%s", head, body);
    f->module =
        frontend_parse(f->context, f->diag, source_new(&f->arena, "t.py", script, strlen(script)));
    if (!f->module) {
        struct text out = {0};
        diag_print(f->diag, DIAG_FORMAT_SHORT, false, &out);
        fail_msg("\n%s\n%s", body, text_string(&out));
    }
    f->func = f->module->globals[0]->kernel;
}

static void finish(struct fixture *f)
{
    ir_module_destroy(f->module);
    diag_destroy(f->diag);
    ir_context_destroy(f->context);
    arena_finish(&f->arena);
}

struct loop_search {
    const char *name;
    struct tir_stmt *found[4], *store;
    unsigned count;
};

static bool find_loop(void *state, struct tir_stmt *stmt)
{
    struct loop_search *search = state;

    if (stmt->kind == TIR_FOR && strcmp(stmt->loop.var->name, search->name) == 0 &&
        search->count < 4)
        search->found[search->count++] = stmt;
    if (stmt->kind == TIR_STORE)
        search->store = stmt;
    return true;
}

static struct loop_search search_for(struct fixture *f, const char *name)
{
    struct loop_search search = {.name = name};

    tir_stmt_walk(f->func->body, find_loop, &search);
    return search;
}

static bool is_independent(const char *var, const char *body, const struct access_overlap *overlaps)
{
    struct fixture f;

    start(&f, body);
    struct loop_search loops = search_for(&f, var);
    assert_int_equal(loops.count, 1);
    bool result = loop_is_independent(f.func, loops.found[0], overlaps);
    finish(&f);
    return result;
}

static void yes(const char *var, const char *body)
{
    if (!is_independent(var, body, NULL))
        fail_msg("\n%sthe iterations of %s are independent, but this is not proved", body, var);
}

static void no(const char *var, const char *body)
{
    if (is_independent(var, body, NULL))
        fail_msg("\n%sthe iterations of %s are not known to be independent", body, var);
}

static void test_elementwise(void **state)
{
    yes("i", "    for i in range(n):\n        C[i] = C[i] + A[i, 0] * A[0, i]\n");
    yes("i", "    for i, j in T.grid(n, m):\n        A[i, j] = A[i, j] + C[i]\n");
    yes("j", "    for i, j in T.grid(n, m):\n        A[i, j] = A[i, j] + C[i]\n");
    yes("i", "    for i in range(64):\n        E[63 - i] = E[63 - i]\n");
    yes("i", "    for i in range(16):\n        E[i * 2] = E[i * 2 + 1]\n");
    yes("i", "    for i in range(n):\n        if i < 3:\n            C[i] = T.exp(C[i])\n");
    yes("i", "    for i in range(32):\n        E[i] = E[i] + E[i + 32]\n");
    yes("i", "    for i in range(16):\n        E[i * 2] = E[i * 2 + 32]\n");
    no("i", "    for i in range(33):\n        E[i] = E[i] + E[i + 32]\n");
    no("i", "    for i in range(17):\n        E[i * 2] = E[i * 2 + 32]\n");
    yes("i", "    for j in range(2):\n        for i in range(16):\n"
             "            E[i] = E[i + j * 16 + 16]\n");
    no("j", "    for j in range(2):\n        for i in range(16):\n"
            "            E[i] = E[i + j * 16 + 16]\n");
    no("i", "    for i in range(63):\n        E[i] = E[i + 1]\n");
    no("i", "    for i in range(63):\n        E[i + 1] = E[i]\n");
    no("i", "    for i in range(32):\n        E[i * 2] = E[i * 2 + 2]\n");
    no("i", "    for i in range(n):\n        C[i] = C[n - 1 - i]\n");
    no("i", "    for i in range(n):\n        C[0] = A[i, 0]\n");
    no("j", "    for i, j in T.grid(n, m):\n        C[i] = C[i] + A[i, j]\n");
    yes("i", "    for i, j in T.grid(n, m):\n        C[i] = C[i] + A[i, j]\n");
    no("i", "    for i in range(n):\n        C[i // 2] = A[i, 0]\n");
    no("i", "    for i in range(64):\n        E[i % 8] = D[i, 0]\n");
    no("i", "    for i in range(64):\n        E[I[i]] = D[i, 0]\n");
    no("i", "    for i in range(n):\n        C[i * k] = A[i, 0]\n"); /* k may be 0 */
    yes("i", "    for i in range(1):\n        C[0] = C[0] + A[i, 0]\n");
}

static void test_tiles(void **state)
{
    yes("i", "    for i, j in T.grid(8, 8):\n        E[i * 8 + j] = D[i, j]\n");
    yes("j", "    for i, j in T.grid(8, 8):\n        E[i * 8 + j] = D[i, j]\n");
    no("i", "    for i, j in T.grid(8, 9):\n        E[i * 7 + j] = D[i, j]\n");
    no("i", "    for i, j in T.grid(8, 9):\n        E[i * 8 + j] = D[i, j]\n"); /* 8 meets 1 * 8 */
    yes("i", "    for i, j in T.grid(T.ceildiv(n, 8), 8):\n        if i * 8 + j < n:\n"
             "            C[i * 8 + j] = C[i * 8 + j] + A[i * 8 + j, 0]\n");
    yes("i", "    for i, j in T.grid(n, m):\n        F[i * m + j] = A[i, j]\n");
    yes("j", "    for i, j in T.grid(n, m):\n        F[i * m + j] = A[i, j]\n");
    no("i", "    for i, j in T.grid(n, m):\n        F[i * n + j] = A[i, j]\n");
    yes("i", "    for i in range(n):\n        for j in range(m):\n            A[i, j] = C[i]\n"
             "        for q in range(m):\n            B[i, q] = A[i, m - 1 - q]\n");
    no("i", "    for i in range(n):\n        for j in range(m):\n            A[i, j] = C[i]\n"
            "        for q in range(m):\n            B[i, q] = A[0, q]\n");
    yes("i", "    for i in range(8):\n        for j in range(i):\n            D[i, j] = E[j]\n");
    no("i", "    for i in range(8):\n        for j in range(i):\n            E[i * 2 + j] = 1.0\n");
    yes("i", "    for i in range(T.int64(0), T.int64(64), step=T.int64(4)):\n"
             "        for j in range(4):\n            E[i + T.int64(j)] = 1.0\n");
    no("i", "    for i in range(T.int64(0), T.int64(32), step=T.int64(4)):\n"
            "        for j in range(5):\n            E[i + T.int64(j)] = 1.0\n");
    yes("i", "    for i in range(16):\n        E[i * 4:i * 4 + 4] = D[i, 0:4]\n");
    no("i", "    for i in range(15):\n        E[i * 4:i * 4 + 8] = D[i, 0:8]\n");
}

static void test_fused_loops(void **state)
{
    yes("i", "    for i in range(4096):\n        D[i // 64, i % 64] = 1.0\n");
    no("i", "    for i in range(4096):\n        D[i // 64, i % 32] = 1.0\n");
    no("i", "    for i in range(4096):\n        D[i // 32 % 64, i % 64] = 1.0\n");
    yes("i", "    for i in range(2048):\n        D[i // 64, i % 64] = D[i // 64, i % 64] + E[0]\n");
    no("i", "    for i in range(2048):\n        D[i // 64, i % 64] = D[i // 64 + 1, i % 64]\n");
    no("i", "    for i in range(n):\n        A[i // m, i % m] = 1.0\n"); /* m may be 0 */
}

static void test_wrapping(void **state)
{
    no("i", "    for i in range(131072):\n        C[i * 65536] = 1.0\n");
    no("i", "    for i in range(65536):\n        C[T.Cast(\"uint8\", i)] = 1.0\n");
    yes("i", "    for i in range(256):\n        C[T.Cast(\"uint8\", i)] = 1.0\n");
    yes("i", "    for i in range(64):\n        C[l + i] = 1.0\n"); /* wraps to different places */
    yes("i", "    for i in range(n):\n        C[k + i] = A[i, 0]\n");
    no("i", "    for i in range(n):\n        C[(k + i) // 1] = C[(k + i + 1) // 1]\n");
    no("i", "    for i in range(64):\n        E[(l + i) // 2 * 2] = 1.0\n");
    no("i", "    for i in range(4):\n        E[i * 1073741824 * 4] = 1.0\n");
}

static void test_private(void **state)
{
    yes("i", "    for i in range(n):\n        x = T.alloc_buffer((1,), \"float32\")\n"
             "        x[0] = A[i, 0]\n        x[0] = x[0] * x[0]\n        C[i] = x[0]\n");
    no("i", "    x = T.alloc_buffer((1,), \"float32\")\n    for i in range(n):\n"
            "        x[0] = A[i, 0]\n        C[i] = x[0]\n");
    yes("i", "    for i in range(n):\n        s: T.float32 = 0.0\n        for j in range(m):\n"
             "            s = s + A[i, j]\n        C[i] = s\n");
    no("i", "    s: T.float32 = 0.0\n    for i in range(n):\n        s = s + C[i]\n");
    no("j", "    for i in range(n):\n        s: T.float32 = 0.0\n        for j in range(m):\n"
            "            s = s + A[i, j]\n        C[i] = s\n");
    no("i", "    for i in range(n):\n        x: T.int64 = i\n        x = x // 2\n"
            "        C[x] = 1.0\n");
}

/* @count stores to an own buffer (or, if not @is_own, to a row of D), and one to E. */
static void write_stores(struct text *out, unsigned count, bool is_own)
{
    text_puts(out, "    for i in range(64):\n");
    if (is_own)
        text_puts(out, "        b = T.alloc_buffer((128,))\n");
    for (unsigned n = 0; n < count; n++)
        text_printf(out, is_own ? "        b[%u] = C[i]\n" : "        D[i, %u] = C[i]\n", n);
    text_puts(out, is_own ? "        E[i] = b[0]\n" : "        E[i] = D[i, 0]\n");
}

/* There is a limit to what is compared; what an iteration has for itself does not count. */
static void test_many(void **state)
{
    struct text few = {0}, many = {0}, own = {0};

    write_stores(&few, 60, false);
    write_stores(&many, 110, false);
    write_stores(&own, 110, true);
    yes("i", text_string(&few));
    no("i", text_string(&many));
    yes("i", text_string(&own));
    text_finish(&few);
    text_finish(&many);
    text_finish(&own);
}

static void test_lets(void **state)
{
    yes("i", "    for i in range(64):\n        v: T.let[T.int32] = i\n        E[v] = D[v, 0]\n");
    no("i",
       "    for i in range(64):\n        v: T.let[T.int32] = i // 2\n        E[v] = D[v, 0]\n");
    yes("i", "    p: T.let[T.int64] = P[0]\n    for i in range(n):\n        C[p + i] = A[i, 0]\n");
    yes("i", "    for i in range(n):\n        C[P[0] + i] = A[i, 0]\n");
    no("i", "    for i in range(64):\n        I[P[0] + i] = 1\n        P[0] = 2\n");
    no("i", "    for i in range(8):\n        q: T.let[T.int64] = I[i]\n        E[q] = 1.0\n");
    no("i", "    for i in range(P[0]):\n        C[i] = 1.0\n");
    /* P[0] is another number in the second iteration: rows overlap */
    no("i",
       "    for i in range(8):\n        for j in range(P[0]):\n            E[i * P[0] + j] = 1.0\n"
       "        P[0] = 3\n");
    /* p is what P[0] was before the store */
    no("i", "    p: T.let[T.int64] = P[0]\n    P[0] = p + 1\n    for i in range(4):\n"
            "        E[p + i] = E[P[0] + i]\n");
}

static void test_effects(void **state)
{
    no("i", "    for i in range(n):\n        T.call_extern(\"int32\", \"f\", C.data)\n");
    no("i", "    for i in range(n):\n        T.call_packed(\"f\", i)\n");
    no("i", "    for i in range(n):\n        T.call_extern(\"int32\", \"f\", i)\n");
    no("i", "    for i in range(n):\n        if C[i] > 0.0:\n            break\n");
    no("i", "    for i in range(n):\n        T.evaluate(T.address_of(C[i]))\n");
    no("i", "    for i in range(n):\n        assert C[i] > 0.0, \"positive\"\n");
    no("i", "    for i in range(n):\n        while C[i] > 0.0:\n            C[i] = 0.0\n");
    yes("i", "    for i in range(64):\n        for j in range(64):\n            if D[i, j] > 0.0:\n"
             "                break\n            D[i, j] = 0.0\n");
    no("i", "    for i in T.thread_binding(64, thread=\"threadIdx.x\"):\n        E[i] = 0.0\n");
    yes("i", "    W = T.decl_buffer((64,), \"float32\", data=E.data)\n    for i in range(32):\n"
             "        W[i] = E[i + 32]\n");
    no("i", "    W = T.decl_buffer((64,), \"float32\", data=E.data)\n    for i in range(33):\n"
            "        W[i] = E[i + 31]\n");
    no("i", "    W = T.decl_buffer((64,), \"int32\", data=E.data)\n    for i in range(32):\n"
            "        W[i] = W[i]\n"); /* of other elements of the storage */
}

static void test_blocks(void **state)
{
    yes("i", "    for i, j in T.grid(n, m):\n        with T.sblock(\"b\"):\n"
             "            vi, vj = T.axis.remap(\"SR\", [i, j])\n            with T.init():\n"
             "                C[vi] = 0.0\n            C[vi] = C[vi] + A[vi, vj]\n");
    no("j", "    for i, j in T.grid(n, m):\n        with T.sblock(\"b\"):\n"
            "            vi, vj = T.axis.remap(\"SR\", [i, j])\n            with T.init():\n"
            "                C[vi] = 0.0\n            C[vi] = C[vi] + A[vi, vj]\n");
    yes("i", "    for i, j in T.grid(8, 8):\n        with T.sblock(\"b\"):\n"
             "            v = T.axis.spatial(64, i * 8 + j)\n            E[v] = D[v, 0]\n");
    no("i", "    for i in range(64):\n        with T.sblock(\"b\"):\n"
            "            v = T.axis.spatial(64, i // 2)\n            E[v] = D[v, 0]\n");
    yes("i", "    for i in range(64):\n        with T.sblock(\"b\"):\n"
             "            v = T.axis.spatial(64, i)\n            W = T.sblock_alloc_buffer((4,))\n"
             "            W[0] = E[v]\n            E[v] = W[0]\n");
    no("i", "    W = T.alloc_buffer((4,), \"float32\")\n    for i in range(64):\n"
            "        with T.sblock(\"b\"):\n            v = T.axis.spatial(64, i)\n"
            "            W[0] = E[v]\n            E[v] = W[0]\n");
    no("i", "    for i in range(64):\n        with T.sblock(\"b\"):\n"
            "            v = T.axis.spatial(64, i)\n"
            "            W = T.match_buffer(E[0:64], (64,), \"float32\")\n"
            "            W[v] = E[63 - v]\n");
}

/* Parameters that callers may pass as one storage. */
static void test_overlap(void **state)
{
    struct access_overlap may_overlap[10 * 10] = {0};
    const char *same = "    for i, j in T.grid(n, m):\n        A[i, j] = B[i, j] * 2.0\n";
    const char *turned = "    for i, j in T.grid(n, m):\n        A[i, j] = B[n - 1 - i, j]\n";
    const char *other = "    for i in range(64):\n        E[i] = D[i, 0]\n";
    const char *row = "    for i in range(64):\n        E[i] = D[0, 63 - i]\n";

    assert_true(is_independent("i", same, may_overlap));
    assert_true(is_independent("i", turned, may_overlap));
    may_overlap[0 * 10 + 1].kind = may_overlap[1 * 10 + 0].kind = ACCESS_SHIFTED;
    may_overlap[3 * 10 + 4].kind = may_overlap[4 * 10 + 3].kind = ACCESS_SHIFTED;
    assert_true(is_independent("i", same, may_overlap));
    assert_true(is_independent("j", same, may_overlap));
    assert_false(is_independent("i", turned, may_overlap));
    /* of two shapes: by bytes */
    assert_true(is_independent("i", other, may_overlap));
    assert_false(is_independent("i", row, may_overlap));
    may_overlap[3 * 10 + 4] = (struct access_overlap){ACCESS_SHIFTED, 64 * 4};
    may_overlap[4 * 10 + 3] = (struct access_overlap){ACCESS_SHIFTED, -64 * 4};
    assert_true(is_independent("i", row, may_overlap));
    may_overlap[3 * 10 + 4].kind = may_overlap[4 * 10 + 3].kind = ACCESS_ANYWHERE;
    assert_false(is_independent("i", row, may_overlap));
}

static bool can_fuse(const char *body)
{
    struct fixture f;

    start(&f, body);
    struct loop_search loops = search_for(&f, "i");
    assert_int_equal(loops.count, 2);
    bool result = loop_can_fuse(f.func, loops.found[0], loops.found[1]);
    finish(&f);
    return result;
}

static void test_fusion(void **state)
{
#define FIRST  "    for i in range(n):\n        for j in range(m):\n            A[i, j] = C[i]\n"
#define SECOND "    for i in range(n):\n        for j in range(m):\n"
    assert_true(can_fuse(FIRST SECOND "            B[i, j] = A[i, j]\n"));
    assert_true(can_fuse(FIRST SECOND "            B[i, j] = A[i, m - 1 - j]\n"));
    assert_true(can_fuse(FIRST SECOND "            if i > 0:\n"
                                      "                B[i, j] = A[i - 1, j]\n"));
    assert_false(can_fuse(FIRST SECOND "            if i + 1 < n:\n"
                                       "                B[i, j] = A[i + 1, j]\n"));
    assert_false(can_fuse(FIRST SECOND "            B[i, j] = A[n - 1 - i, j]\n"));
    assert_true(can_fuse(FIRST SECOND "            B[i, j] = A[0, j]\n"));
    assert_false(can_fuse(FIRST SECOND "            B[i, j] = A[n - 1, j]\n"));
    assert_false(can_fuse(FIRST SECOND "            B[i, j] = A[j, i]\n"));
    assert_true(can_fuse(FIRST SECOND "            B[i, j] = D[0, 0]\n"));
    /* the second writes what the first reads */
    assert_true(can_fuse(FIRST SECOND "            C[i] = B[i, j]\n"));
    assert_false(can_fuse(FIRST SECOND "            if i + 1 < n:\n"
                                       "                C[i + 1] = B[i, j]\n"));
    assert_true(can_fuse(FIRST SECOND "            C[0] = B[i, j]\n"));
    assert_false(can_fuse(FIRST SECOND "            C[n - 1] = B[i, j]\n"));
    /* both write */
    assert_true(can_fuse(FIRST SECOND "            A[i, j] = B[i, j]\n"));
    assert_false(can_fuse(FIRST SECOND "            A[n - 1 - i, j] = B[i, j]\n"));
    /* other ranges */
    assert_false(can_fuse("    for i in range(n):\n        C[i] = 1.0\n"
                          "    for i in range(m):\n        B[0, i] = 1.0\n"));
    assert_false(can_fuse("    for i in range(n):\n        C[i] = 1.0\n"
                          "    for i in range(n):\n        if B[i, 0] > 0.0:\n"
                          "            break\n"));
    /* downwards */
    assert_true(can_fuse("    for i in range(63):\n        E[63 - i] = 1.0\n"
                         "    for i in range(63):\n        D[0, i] = E[63 - i]\n"));
    assert_false(can_fuse("    for i in range(63):\n        E[63 - i] = 1.0\n"
                          "    for i in range(63):\n        D[0, i] = E[62 - i]\n"));
    assert_true(can_fuse("    for i in range(62):\n        E[62 - i] = 1.0\n"
                         "    for i in range(62):\n        D[0, i] = E[63 - i]\n"));
}

static void assert_stride(const char *var, const char *body, bool is_known, int64_t stride)
{
    struct fixture f;
    int64_t found = -99;

    start(&f, body);
    struct loop_search loops = search_for(&f, var);
    const struct tir_stmt *store = loops.store;
    assert_int_equal(index_stride(f.context, store->store.buffer, store->store.indices,
                                  store->store.index_count, loops.found[0]->loop.var, &found),
                     is_known);
    if (is_known)
        assert_int_equal(found, stride);
    finish(&f);
}

static void test_strides(void **state)
{
    const char *tile = "    for i, j in T.grid(8, 8):\n        D[i * 8 + j, j * 2] = 1.0\n";

    assert_stride("i", "    for i, j in T.grid(n, m):\n        A[i, j] = 1.0\n", false, 0);
    assert_stride("j", "    for i, j in T.grid(n, m):\n        A[i, j] = 1.0\n", true, 1);
    assert_stride("i", tile, true, 512);
    assert_stride("j", tile, true, 66);
    assert_stride("i", "    for i in range(64):\n        E[63 - i] = 1.0\n", true, -1);
    assert_stride("i", "    for i in range(64):\n        E[0] = 1.0\n", true, 0);
    assert_stride("i", "    for i in range(64):\n        E[i // 2] = 1.0\n", false, 0);
    assert_stride("i", "    for i in range(64):\n        E[I[i]] = 1.0\n", false, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elementwise), cmocka_unit_test(test_tiles),
        cmocka_unit_test(test_fused_loops), cmocka_unit_test(test_wrapping),
        cmocka_unit_test(test_private),     cmocka_unit_test(test_many),
        cmocka_unit_test(test_lets),        cmocka_unit_test(test_effects),
        cmocka_unit_test(test_blocks),      cmocka_unit_test(test_overlap),
        cmocka_unit_test(test_fusion),      cmocka_unit_test(test_strides),
    };

    return cmocka_run_group_tests_name("loop", tests, NULL, NULL);
}
