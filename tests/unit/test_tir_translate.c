/*
 * Kernels from text: what expressions and statements mean, seen through the printer, and which message
 * each mistake gets (the mistakes are those of TVM's tests of its error reports).
 */
#include "frontend/frontend.h"
#include "ir/print.h"
#include "ops/ops.h"
#include "tests/unit/test.h"

#include <stdio.h>
#include <string.h>

struct run {
    struct arena arena;
    struct ir_context *context;
    struct diag *diag;
    struct ir_module *module;
    struct text script, out;
};

static void start(struct run *run, const char *head, const char *text)
{
    *run = (struct run){.context = ir_context_create(), .diag = diag_create()};
    ops_register(run->context);
    text_puts(&run->script, head);
    text_puts(&run->script, text);
    const struct source *source =
        source_new(&run->arena, "t.py", text_string(&run->script), run->script.length);
    run->module = frontend_parse(run->context, run->diag, source);
    if (run->module)
        ir_module_print(run->module, &ir_print_defaults, &run->out);
    else
        diag_print(run->diag, DIAG_FORMAT_SHORT, false, &run->out);
}

static void finish(struct run *run)
{
    ir_module_destroy(run->module);
    diag_destroy(run->diag);
    ir_context_destroy(run->context);
    arena_finish(&run->arena);
    text_finish(&run->script);
    text_finish(&run->out);
}

static const char head[] =
    "from tvm.script import tirx as T\n"
    "@T.prim_func(s_tir=True)\n"
    "def f(A: T.Buffer((16, 16), \"float32\"), H: T.Buffer((16,), \"float16\"),"
    " P: T.Buffer((16,), \"int8\"), Q: T.Buffer((16,), \"uint8\"), O: T.Buffer((), \"int32\"),"
    " B: T.Buffer((16,), \"bool\"), i: T.int32, n: T.int64, x: T.float32, p: T.handle):\n";

static const char old_head[] = "from tvm.script import tir as T\n"
                               "@T.prim_func\n"
                               "def f(a: T.handle, b: T.handle):\n";

/* The body prints as @expected (all lines behind the signature). */
static void assert_body(const char *start_text, const char *body, const char *expected)
{
    struct run run;

    start(&run, start_text, body);
    const char *printed = strstr(text_string(&run.out), "):\n");
    if (!run.module || !printed || strcmp(printed + 3, expected) != 0)
        fail_msg("\n%s\nprints as\n%s\nnot as\n%s", body, text_string(&run.out), expected);
    finish(&run);
}

/* T.evaluate(@expr) prints as T.evaluate(@expected), or as @expected where that is a call. */
static void assert_expr(const char *expr, const char *expected)
{
    char body[400], wrapped[400], bare[400];

    snprintf(body, sizeof(body), "    T.evaluate(%s)\n", expr);
    snprintf(wrapped, sizeof(wrapped), "    T.evaluate(%s)\n", expected);
    snprintf(bare, sizeof(bare), "    %s\n", expected);
    struct run run;
    start(&run, head, body);
    const char *printed = strstr(text_string(&run.out), "):\n");
    if (!run.module || !printed ||
        (strcmp(printed + 3, wrapped) != 0 && strcmp(printed + 3, bare) != 0))
        fail_msg("\n%s\nprints as\n%s\nnot as\n%s", expr, text_string(&run.out), expected);
    finish(&run);
}

static void test_literals(void **state)
{
    assert_expr("1", "1");
    assert_expr("-1", "-1");
    assert_expr("4294967296", "T.int64(4294967296)");
    assert_expr("18446744073709551615", "T.uint64(18446744073709551615)");
    assert_expr("1.5", "T.float32(1.5)");
    assert_expr("True", "T.bool(True)");
    assert_expr("T.float16(1)", "T.float16(1.0)");
    assert_expr("T.float64(0.1)", "T.float64(0.10000000000000001)");
    assert_expr("T.float32(\"inf\")", "T.float32(\"inf\")");
    assert_expr("T.float32(\"-inf\")", "T.float32(\"-inf\")");
    assert_expr("T.int8(-128)", "T.int8(-128)");
    assert_expr("-T.int64(5)", "T.int64(-5)");
    assert_expr("4 * 8 + 2 ** 3 - 7 // -2", "44"); /* Python's own */
    assert_expr("T.min_value(\"int8\")", "T.int8(-128)");
    assert_expr("T.max_value(\"uint64\")", "T.uint64(18446744073709551615)");
    assert_expr("T.max_value(\"float16\")", "T.float16(65504.0)");
    assert_expr("T.infinity(\"float32\")", "T.float32(\"inf\")");
}

static void test_types_meet(void **state)
{
    assert_expr("i + 1", "i + 1");
    assert_expr("n + 1", "n + T.int64(1)");
    assert_expr("1 + n", "T.int64(1) + n");
    assert_expr("i + n", "T.Cast(\"int64\", i) + n");
    assert_expr("x * 2", "x * T.float32(2.0)");
    assert_expr("i * 2.5", "T.Cast(\"float32\", i) * T.float32(2.5)");
    assert_expr("H[0] + x", "T.Cast(\"float32\", H[0]) + x");
    assert_expr("H[0] + 1", "H[0] + T.float16(1.0)");
    assert_expr("P[0] + 1", "T.Cast(\"int32\", P[0]) + 1");
    assert_expr("P[0] + Q[0]", "T.Cast(\"uint8\", P[0]) + Q[0]");
    assert_expr("B[0] + i", "T.Cast(\"int32\", B[0]) + i");
    assert_expr("n < 5", "n < T.int64(5)");
    assert_expr("T.float64(1) * 0.1", "T.Mul(T.float64(1.0), T.float64(0.10000000000000001))");
    assert_expr("A[0, 0:4] * x", "A[0, T.Ramp(0, 1, 4)] * T.Broadcast(x, 4)");
}

static void test_operators(void **state)
{
    assert_expr("i // 2 % 3", "i // 2 % 3");
    assert_expr("x / 2", "x / T.float32(2.0)");
    assert_expr("-x", "x * T.float32(-1.0)");
    assert_expr("~i", "~i");
    assert_expr("i << 1 | i & 3 ^ 1", "i << 1 | i & 3 ^ 1");
    assert_expr("0 <= i < 16", "0 <= i and i < 16");
    assert_expr("i == 1 or i == 2 and not i == 3", "i == 1 or i == 2 and not i == 3");
    assert_expr("x if i < 3 else 0", "T.if_then_else(i < 3, x, T.float32(0.0))");
    assert_expr("T.truncdiv(i, 2)", "T.Div(i, 2)");
    assert_expr("T.ceildiv(n, 4)", "(n + T.int64(4) - T.int64(1)) // T.int64(4)");
    assert_expr("T.Add(i, 0)", "T.Add(i, 0)"); /* the operator would fold it in TVM */
}

static void test_calls(void **state)
{
    assert_expr("T.Cast(\"float32\", 1)", "T.Cast(\"float32\", 1)"); /* folds nothing */
    assert_expr("T.cast(1, \"float32\")", "T.float32(1.0)");
    assert_expr("T.int64(i)", "T.Cast(\"int64\", i)");
    assert_expr("i.astype(\"int64\")", "T.Cast(\"int64\", i)");
    assert_expr("T.cast(i, A.dtype)", "T.Cast(\"float32\", i)");
    assert_expr("T.exp(x)", "T.exp(x)");
    assert_expr("T.pow(H[0], x)", "T.pow(T.Cast(\"float32\", H[0]), x)");
    assert_expr("T.min(i, n)", "T.min(T.Cast(\"int64\", i), n)");
    assert_expr("T.Select(i < 2, x, 1)", "T.Select(i < 2, x, T.float32(1.0))");
    assert_expr("T.reinterpret(\"int32\", x)", "T.reinterpret(\"int32\", x)");
    assert_expr("T.reinterpret(x, dtype=\"int32\")", "T.reinterpret(\"int32\", x)");
    assert_expr("T.call_extern(\"float32\", \"f\", A.data, 1)",
                "T.call_extern(\"float32\", \"f\", A.data, 1)");
    assert_expr("T.address_of(A[i, 0])", "T.address_of(A[i, 0])");
    assert_expr("T.call_packed(\"f\", i)", "T.call_packed(\"f\", i)");
    assert_expr("T.Ramp(i, 1, 4)", "T.Ramp(i, 1, 4)");
    assert_expr("T.Broadcast(x, 4)", "T.Broadcast(x, 4)");
    assert_expr("A.shape[1] + A.elem_offset", "T.Add(16, 0)");
    assert_expr("A.vload([i, 0], \"float32x4\")", "A[i, T.Ramp(0, 1, 4)]");
    assert_expr("A.access_ptr(\"rw\")",
                "T.tvm_access_ptr(T.type_annotation(\"float32\"), A.data, 0, 256, 3)");
}

static void test_statements(void **state)
{
    assert_body(head,
                "    \"doc\"\n    A[i, 0] = 1\n    A[i, 0] += 2\n    O[()] = i\n    P[0] = i\n",
                "    A[i, 0] = T.float32(1.0)\n"
                "    A[i, 0] = A[i, 0] + T.float32(2.0)\n"
                "    O[()] = i\n"
                "    P[0] = T.Cast(\"int8\", i)\n");
    assert_body(head,
                "    v = i + 1\n    v = v * 2\n    w: T.int64 = v\n    z: T.let[T.int32] = 3\n"
                "    y: T.let = v\n",
                "    v: T.int32 = i + 1\n"
                "    v = v * 2\n"
                "    w: T.int64 = T.Cast(\"int64\", v)\n"
                "    z: T.let[T.int32] = 3\n"
                "    y: T.let[T.int32] = v\n");
    assert_body(head,
                "    if i < 1:\n        O[()] = 1\n    elif i < 2:\n        O[()] = 2\n"
                "    else:\n        pass\n    while i < 3:\n        break\n"
                "    if i:\n        continue_ = 1\n",
                "    if i < 1:\n        O[()] = 1\n    else:\n        if i < 2:\n"
                "            O[()] = 2\n        else:\n            pass\n    while i < 3:\n"
                "        break\n    if i != 0:\n        continue_: T.int32 = 1\n");
    assert_body(head,
                "    assert i > 0, \"text\"\n    assert i > 1, (\"ValueError\", [\"a\", \"b\"])\n",
                "    assert i > 0, \"text\"\n    assert i > 1, (\"ValueError\", [\"ab\"])\n");
    assert_body(head, "    A[0, 0:4] = A[1, 4:8]\n    A[0, 0:8:2] = x\n",
                "    A[0, 0:4] = A[1, T.Ramp(4, 1, 4)]\n"
                "    A[0, 0:8:2] = T.Broadcast(x, 4)\n");
    assert_body(head,
                "    a, b = A.shape\n    O[()] = a * b\n    k = I.meta_var(i + 1)\n"
                "    O[()] = k\n",
                "    O[()] = T.Mul(16, 16)\n    O[()] = i + 1\n");
}

static void test_loops(void **state)
{
    assert_body(head, "    for j in range(4):\n        O[()] = j\n",
                "    for j in range(4):\n"
                "        O[()] = j\n");
    assert_body(head, "    for j in range(2, 10, 3):\n        O[()] = j\n",
                "    for j in range(2, 10, 3):\n        O[()] = j\n");
    assert_body(head, "    for j, k in T.grid(*A.shape):\n        O[()] = j + k\n",
                "    for j, k in T.grid(16, 16):\n        O[()] = j + k\n");
    assert_body(head, "    for j in T.serial(0, n, annotations={\"k\": 1}):\n        pass\n",
                "    for j in T.serial(n, annotations={\"k\": 1}):\n        pass\n");
    assert_body(head, "    for j in T.thread_binding(32, \"threadIdx.x\"):\n        O[()] = j\n",
                "    for j in T.thread_binding(32, thread=\"threadIdx.x\"):\n        O[()] = j\n");
    assert_body(head,
                "    for j in T.vectorized(4):\n        for k in T.unroll(2):\n"
                "            for l in T.parallel(2):\n                O[()] = j\n",
                "    for j in T.vectorized(4):\n        for k in T.unroll(2):\n"
                "            for l in T.parallel(2):\n                O[()] = j\n");
}

static void test_blocks(void **state)
{
    assert_body(head,
                "    for j, k in T.grid(16, 16):\n        with T.sblock(\"b\"):\n"
                "            vj, vk = T.axis.remap(\"SR\", [j, k])\n            T.where(k < i)\n"
                "            with T.init():\n                H[vj] = 0\n"
                "            H[vj] = H[vj] + T.Cast(\"float16\", A[vj, vk])\n",
                "    # with T.sblock(\"root\"):\n    for j, k in T.grid(16, 16):\n"
                "        with T.sblock(\"b\"):\n"
                "            vj, vk = T.axis.remap(\"SR\", [j, k])\n            T.where(k < i)\n"
                "            T.reads(A[vj, vk])\n            T.writes(H[vj])\n"
                "            with T.init():\n                H[vj] = T.float16(0.0)\n"
                "            H[vj] = H[vj] + T.Cast(\"float16\", A[vj, vk])\n");
    assert_body(
        head,
        "    C = T.sblock_alloc_buffer((16,), \"int32\")\n    for j in range(2):\n"
        "        with T.sblock():\n            v = T.axis.S((i, i + 16), j + i)\n"
        "            T.reads([])\n            T.writes(C[0:16])\n"
        "            T.sblock_attr({\"a\": 1})\n            T.sblock_attr({\"b\": {\"c\": 2}})\n"
        "            D = T.match_buffer(C[0:16], (16,), \"int32\")\n            D[v] = 1\n",
        "    # with T.sblock(\"root\"):\n    C = T.sblock_alloc_buffer((16,), \"int32\")\n"
        "    for j in range(2):\n        with T.sblock(\"\"):\n"
        "            v = T.axis.spatial((i, i + 16), j + i)\n"
        "            T.reads()\n            T.writes(C[0:16])\n"
        "            T.sblock_attr({\"a\": 1, \"b\": {\"c\": 2}})\n"
        "            D = T.match_buffer(C[0:16], (16,), \"int32\")\n            D[v] = 1\n");
}

/* The dialect of before TVM 0.24: T.block, T.alloc_buffer of the block, lets, match_buffer. */
static void test_old_dialect(void **state)
{
    struct run run;

    start(&run, old_head,
          "    n = T.int64()\n"
          "    A = T.match_buffer(a, (n,), \"float32\")\n"
          "    B = T.match_buffer(b, [n])\n"
          "    T.func_attr({\"tir.noalias\": T.bool(True)})\n"
          "    C = T.alloc_buffer([n])\n"
          "    for i in T.serial(0, n):\n"
          "        with T.block(\"c\"):\n"
          "            v = T.axis.spatial(n, i)\n"
          "            x = A[v] * T.float32(2)\n"
          "            C[v] = x\n"
          "    for i in range(n):\n"
          "        with T.block(\"b\"):\n"
          "            v = T.axis.S(n, i)\n"
          "            B[v] = C[v]\n");
    assert_non_null(run.module);
    const char *printed = text_string(&run.out);
    assert_non_null(strstr(printed, "A: T.Buffer((n,), \"float32\"), B: T.Buffer((n,)"));
    assert_non_null(strstr(printed, "T.func_attr({\"tir.noalias\": True})"));
    assert_non_null(strstr(printed, "    C = T.sblock_alloc_buffer((n,))\n"));
    assert_non_null(strstr(printed, "x: T.let[T.float32] = A[v] * T.float32(2.0)\n"));
    assert_non_null(strstr(printed, "T.reads(A[v])\n"));
    finish(&run);
    assert_body(
        "from tvm.script import tir as T\n@T.prim_func\ndef f(A: T.Buffer((4,), \"int32\")):\n",
        "    p = T.allocate([4], \"int32\", \"global\")\n"
        "    P = T.decl_buffer((4,), \"int32\", data=p)\n"
        "    with T.LetStmt(A[0] + 1) as y:\n        P[0] = y\n",
        "    p = T.alloc_buffer((4,), \"int32\")\n"
        "    P = T.decl_buffer((4,), \"int32\", data=p.data)\n"
        "    y: T.let[T.int32] = A[0] + 1\n    P[0] = y\n");
}

/* Constructs of graphics processors parse and print. */
static void test_threads(void **state)
{
    assert_body(head,
                "    bx = T.launch_thread(\"blockIdx.x\", 4)\n"
                "    with T.launch_thread(\"threadIdx.x\", 8) as tx:\n"
                "        T.attr(A.data, \"key\", 1)\n"
                "        H[bx * 8 + tx] = 0\n        T.tvm_storage_sync(\"shared\")\n",
                "    bx = T.launch_thread(\"blockIdx.x\", 4)\n"
                "    tx = T.launch_thread(\"threadIdx.x\", 8)\n"
                "    T.attr(A.data, \"key\", 1)\n"
                "    H[bx * 8 + tx] = T.float16(0.0)\n    T.tvm_storage_sync(\"shared\")\n");
}

/* --- mistakes --- */

static void assert_codes(const char *body, const char *code)
{
    struct run run;
    char wanted[20];

    start(&run, head, body);
    snprintf(wanted, sizeof(wanted), "error[%s]", code);
    if (run.module || !strstr(text_string(&run.out), wanted) || diag_error_count(run.diag) != 1)
        fail_msg("\n%s\ngives\n%s\nnot one %s", body, text_string(&run.out), code);
    finish(&run);
}

#define BLOCK "    for j, k in T.grid(16, 16):\n        with T.sblock(\"b\"):\n"
#define IN    "            "

static void test_mistakes(void **state)
{
    static const struct {
        const char *body, *code;
    } rows[] = {
        {"    Z[0] = 1\n", "E0201"},        /* an undefined buffer */
        {"    O[()] = zz + zz\n", "E0201"}, /* said once */
        {"    T.nothing(1)\n", "E0404"},    /* no such function */
        {"    O[()] = len(A)\n", "E0201"},  /* Python's functions */
        {"    O[()] = T.exp()\n", "E0405"},
        {"    O[()] = i / 2\n", "E0402"},
        {"    O[()] = x // 2\n", "E0403"},
        {"    O[()] = i @ i\n", "E0403"},
        {"    O[()] = i in i\n", "E0403"},
        {"    O[()] = p + 1\n", "E0401"},
        {"    O[()] = A\n", "E0406"},
        {"    O[()] = [1]\n", "E0406"},
        {"    O[()] = A[0]\n", "E0407"},  /* too few indices */
        {"    O[0] = 1\n", "E0407"},      /* too many */
        {"    A[x, 0] = 1\n", "E0408"},   /* no integer */
        {"    A[0, 0:i] = 1\n", "E0409"}, /* a slice of open length */
        {"    A[0, 4:4] = 1\n", "E0409"},
        {"    A[0:4, 0] = 1\n", "E0409"},
        {"    assert x\n", "E0410"},
        {"    O[()] = T.Select(1.0, i, i)\n", "E0410"},
        {"    i[0] = 1\n", "E0411"},
        {"    for j in A:\n        pass\n", "E0413"},
        {"    for j in T.grid(1, 2), 3:\n        pass\n", "E0413"},
        {"    for j, k in T.grid(1, 2, 3):\n        pass\n", "E0414"},
        {"    for j, k in range(3):\n        pass\n", "E0414"},
        {"    for j in range(x):\n        pass\n", "E0408"},
        {"    for j in T.thread_binding(3):\n        pass\n", "E0412"},
        {"    O[()] = 1 // 0\n", "E0415"},
        {"    O[()] = 2 ** 64\n", "E0415"},
        {"    v = T.axis.S(16, i)\n", "E0416"}, /* outside of a block */
        {"    T.reads(A[0, 0])\n", "E0416"},
        {"    with T.init():\n        O[()] = 1\n", "E0416"},
        {BLOCK IN "O[()] = 1\n" IN "T.reads()\n", "E0417"},
        {BLOCK IN "T.reads()\n" IN "T.reads()\n", "E0418"},
        {BLOCK IN "with T.init():\n" IN "    pass\n" IN "with T.init():\n" IN "    pass\n",
         "E0418"},
        {BLOCK IN "v, w = T.axis.remap(\"SQ\", [j, k])\n", "E0419"},
        {BLOCK IN "v, w = T.axis.remap(\"SSR\", [j, k])\n", "E0420"},
        {BLOCK IN "v, w = T.axis.remap(\"SS\", [j])\n", "E0420"},
        {BLOCK IN "v, w = T.axis.remap(\"SS\", [j, k + 1])\n", "E0421"},
        {BLOCK IN "v = T.axis.S(16, j)\n" IN "v = T.axis.S(16, k)\n", "E0439"},
        {BLOCK IN "v = T.axis.S(16, x)\n", "E0408"}, /* an axis over floats */
        {BLOCK IN "T.reads(i)\n", "E0422"},
        {BLOCK IN "T.reads(A[0, 0:4:2])\n", "E0409"},
        {BLOCK IN "C = T.match_buffer(A[0:4, 0:4], (4, 8))\n", "E0423"},
        {BLOCK IN "C = T.match_buffer(H[0:4], (4, 4))\n", "E0423"},
        {"    C = T.match_buffer(i, (4,))\n", "E0423"},
        {"    class C:\n        pass\n", "E0427"},
        {"    break\n", "E0428"},
        {"    O[()] = T.uint8(256)\n", "E0429"},
        {"    O[()] = T.Cast(\"flot32\", i)\n", "E0430"},
        {"    with open(1):\n        pass\n", "E0431"},
        {BLOCK IN "T.call_extern(\"int32\", \"f\", A.data)\n", "E0432"},
        {"    O[()] = A.size\n", "E0433"},
        {"    O[()] = 1\n    T.func_attr({})\n", "E0434"},
        {"    T.func_attr({\"a\": 1, \"a\": 2})\n", "E0569"},
        {"    T.func_attr({\"a\": lambda: 1})\n", "E0123"},
        {"    v: T.let[T.int32] = x\n", "E0436"},
        {"    i += 1\n", "E0437"},
        {"    a, b, c = A.shape\n", "E0438"},
        {"    C = T.alloc_buffer((4,), \"float32\", scoop=1)\n", "E0202"},
        {"    C = T.alloc_buffer((4,), strides=[1, 2])\n", "E0412"},
        {"    O[()] = T.exp(*A.shape)\n", "E0134"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_codes(rows[i].body, rows[i].code);
}

/* What depends on a mistake is not reported again. */
static void test_no_cascades(void **state)
{
    assert_codes("    C = T.alloc_buffer((zz,))\n    C[0] = 1\n    O[()] = C[1]\n", "E0201");
    assert_codes("    v = zz\n    O[()] = v + v\n", "E0201");
    assert_codes(BLOCK IN "v, w = T.axis.remap(\"S\", [j, k])\n" IN "A[v, w] = 1\n", "E0420");
    assert_codes("    for j in range(zz):\n        O[()] = j\n", "E0201");
}

static void test_nesting(void **state)
{
    struct text body = {0};
    struct run run;

    text_puts(&body, "    O[()] = i");
    for (int i = 0; i < 400; i++)
        text_puts(&body, " and i");
    start(&run, head, text_string(&body));
    assert_null(run.module);
    finish(&run);
    text_clear(&body);
    for (int i = 0; i < 400; i++)
        text_puts(&body, "    T.attr(A.data, \"key\", 1)\n");
    start(&run, head, text_string(&body));
    assert_null(run.module);
    assert_non_null(strstr(text_string(&run.out), "E0112"));
    finish(&run);
    text_finish(&body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_literals),    cmocka_unit_test(test_types_meet),
        cmocka_unit_test(test_operators),   cmocka_unit_test(test_calls),
        cmocka_unit_test(test_statements),  cmocka_unit_test(test_loops),
        cmocka_unit_test(test_blocks),      cmocka_unit_test(test_old_dialect),
        cmocka_unit_test(test_threads),     cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_no_cascades), cmocka_unit_test(test_nesting),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
