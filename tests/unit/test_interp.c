/*
 * The interpreter on small scripts: each kind of statement, checks of indices and shapes, private
 * copies, and every number defined.  Expected values are worked out by hand.
 */
#include "codegen/interp/internal.h"
#include "codegen/interp/interp.h"
#include "frontend/frontend.h"
#include "ir/verify.h"
#include "ops/ops.h"
#include "tests/unit/test.h"

#include <stdio.h>
#include <string.h>

#define HEAD                              \
    "from tvm.script import ir as I\n"    \
    "from tvm.script import relax as R\n" \
    "from tvm.script import tirx as T\n"  \
    "@I.ir_module\n"                      \
    "class Module:\n"

struct fixture {
    struct ir_context *context;
    struct diag *diag;
    struct ir_module *module;
    struct inlay_frame *frame;
};

static void start(struct fixture *f, const char *script)
{
    f->context = ir_context_create();
    ops_register(f->context);
    f->diag = diag_create();
    f->frame = inlay_frame_create(NULL);
    const struct source *source = source_new(&f->context->arena, "test.py", script, strlen(script));
    f->module = frontend_parse(f->context, f->diag, source);
    struct text text = {0};
    if (f->module)
        ir_verify(f->module, f->diag);
    diag_print(f->diag, DIAG_FORMAT_TEXT, false, &text);
    if (!f->module || diag_error_count(f->diag))
        fail_msg("%s", text_string(&text));
    text_finish(&text);
}

static void finish(struct fixture *f)
{
    inlay_frame_destroy(f->frame);
    ir_module_destroy(f->module);
    diag_destroy(f->diag);
    ir_context_destroy(f->context);
}

/* Runs `main` on @args; its first result in @out. */
static bool run(struct fixture *f, const struct inlay_value *args, int32_t count,
                struct inlay_value *results, int32_t result_count)
{
    struct ir_global *main = ir_module_find(f->module, "main");
    return interp_run(f->diag, main->function, f->frame, args, count, results, result_count);
}

static struct inlay_tensor tensor_of(float *data, int64_t *shape, int32_t ndim)
{
    return (struct inlay_tensor){.data = data,
                                 .device = {1, 0},
                                 .ndim = ndim,
                                 .dtype = {INLAY_CODE_FLOAT, 32, 1},
                                 .shape = shape};
}

/*
 * A kernel with body @body on x: (4,) and out: (4,), both float32, called on 1 2 3 4; lines of @body
 * are indented by 8.  The result must be @expected, and x must be as it was.
 */
static void expect_kernel(const char *body, const float expected[4])
{
    struct fixture f;
    struct text script = {0};
    text_puts(&script, HEAD
              "    @T.prim_func(private=True, s_tir=True)\n"
              "    def f(x: T.Buffer((4,), \"float32\"), out: T.Buffer((4,), \"float32\")):\n");
    text_puts(&script, body);
    text_puts(&script,
              "    @R.function\n"
              "    def main(x: R.Tensor((4,), \"float32\")) -> R.Tensor((4,), \"float32\"):\n"
              "        cls = Module\n"
              "        y = R.call_tir(cls.f, (x,), out_ty=R.Tensor((4,), \"float32\"))\n"
              "        return y\n");
    start(&f, text_string(&script));
    float data[] = {1, 2, 3, 4};
    int64_t shape[] = {4};
    struct inlay_tensor x = tensor_of(data, shape, 1);
    struct inlay_value arg = {.kind = INLAY_TENSOR, .tensor = &x}, result;
    if (!run(&f, &arg, 1, &result, 1))
        fail_msg("%s: %s", body, inlay_frame_error(f.frame)->message);
    const float *out = result.tensor->data;
    for (int i = 0; i < 4; i++)
        if (out[i] != expected[i])
            fail_msg("%s: element %d is %g, not %g", body, i, (double)out[i], (double)expected[i]);
    assert_true(data[0] == 1 && data[3] == 4);
    text_finish(&script);
    finish(&f);
}

#define EXPECT(body, ...) expect_kernel(body, (const float[4]){__VA_ARGS__})

static void test_statements(void **state)
{
    EXPECT("        for i in range(4):\n"
           "            with T.sblock(\"a\"):\n"
           "                v = T.axis.spatial(4, i)\n"
           "                out[v] = x[v] * T.float32(2)\n",
           2, 4, 6, 8);
    /* init where all reduce axes are at their beginning */
    EXPECT("        for i, k in T.grid(4, 4):\n"
           "            with T.sblock(\"sum\"):\n"
           "                v_i, v_k = T.axis.remap(\"SR\", [i, k])\n"
           "                with T.init():\n"
           "                    out[v_i] = T.float32(10)\n"
           "                out[v_i] = out[v_i] + x[v_k]\n",
           20, 20, 20, 20);
    /* predicate */
    EXPECT("        for i in range(6):\n"
           "            with T.sblock(\"a\"):\n"
           "                v = T.axis.spatial(6, i)\n"
           "                T.where(i < 4)\n"
           "                out[v] = x[v]\n",
           1, 2, 3, 4);
    EXPECT("        for i in range(4):\n"
           "            if i < 1:\n"
           "                out[i] = T.float32(7)\n"
           "            elif i == 2:\n"
           "                out[i] = T.float32(8)\n"
           "            else:\n"
           "                out[i] = T.float32(9)\n",
           7, 9, 8, 9);
    EXPECT("        for i in range(1, 4, 2):\n"
           "            out[i] = x[i]\n",
           0, 2, 0, 4);
    EXPECT("        for i in T.parallel(4):\n"
           "            for j in T.unroll(1):\n"
           "                for k in T.vectorized(1):\n"
           "                    out[i + j + k] = x[3 - i]\n",
           4, 3, 2, 1);
    EXPECT("        tmp = T.alloc_buffer((4,), \"float32\")\n"
           "        for i in range(4):\n"
           "            tmp[i] = x[i] + T.float32(1)\n"
           "        for i in range(4):\n"
           "            out[i] = tmp[3 - i]\n",
           5, 4, 3, 2);
    EXPECT("        for i in range(4):\n"
           "            if i == 1:\n"
           "                continue\n"
           "            if i == 3:\n"
           "                break\n"
           "            out[i] = x[i]\n",
           1, 0, 3, 0);
}

static void test_scalars(void **state)
{
    EXPECT("        n: T.int32 = 0\n"
           "        while n < 3:\n"
           "            out[n] = x[n]\n"
           "            n = n + 1\n",
           1, 2, 3, 0);
    EXPECT("        for i in range(4):\n"
           "            a: T.let[T.float32] = x[i] * x[i]\n"
           "            out[i] = a + a\n",
           2, 8, 18, 32);
    /* and does not look at its second operand where the first is false; nor does if_then_else */
    EXPECT("        for i in range(4):\n"
           "            if i + 1 < 4 and x[i + 1] > T.float32(2):\n"
           "                out[i] = T.if_then_else(i > 0, x[i - 1], T.float32(5))\n",
           0, 1, 2, 0);
    EXPECT("        out[T.Ramp(0, 1, 4)] = x[T.Ramp(3, -1, 4)] + T.Broadcast(T.float32(1), 4)\n", 5,
           4, 3, 2);
}

static void expect_failure(const char *script, const char *message, unsigned line)
{
    struct fixture f;
    start(&f, script);
    float data[] = {1, 2, 3, 4};
    int64_t shape[] = {4};
    struct inlay_tensor x = tensor_of(data, shape, 1);
    struct inlay_value arg = {.kind = INLAY_TENSOR, .tensor = &x}, result;
    assert_false(run(&f, &arg, 1, &result, 1));
    assert_string_equal(inlay_frame_error(f.frame)->message, message);
    assert_int_equal(inlay_frame_error(f.frame)->line, line);
    finish(&f);
}

#define ON_X(kernel_body)                                                                            \
    HEAD                                                                                             \
        "    @T.prim_func(private=True, s_tir=True)\n"                                               \
        "    def f(x: T.Buffer((4,), \"float32\"), out: T.Buffer((4,), \"float32\")):\n" kernel_body \
        "    @R.function\n"                                                                          \
        "    def main(x: R.Tensor((4,), \"float32\")) -> R.Tensor((4,), \"float32\"):\n"             \
        "        cls = Module\n"                                                                     \
        "        y = R.call_tir(cls.f, (x,), out_ty=R.Tensor((4,), \"float32\"))\n"                  \
        "        return y\n"

static void test_bounds(void **state)
{
    expect_failure(ON_X("        for i in range(4):\n"
                        "            out[i] = x[i + 1]\n"),
                   "index 4 is out of range for axis 0 of `x` (extent 4)", 9);
    expect_failure(ON_X("        for i in range(4):\n"
                        "            out[i - 1] = x[i]\n"),
                   "index -1 is out of range for axis 0 of `out` (extent 4)", 9);
    expect_failure(ON_X("        assert x[0] < T.float32(0), \"x is positive\"\n"),
                   "assertion failed: x is positive", 8);
}

static void test_shapes(void **state)
{
    expect_failure(
        HEAD "    @R.function\n"
             "    def main(x: R.Tensor((\"n\",), \"float32\")) -> R.Tensor((3,), \"float32\"):\n"
             "        y = R.match_cast(x, R.Tensor((3,), \"float32\"))\n"
             "        return y\n",
        "dimension 0 of `x` in R.match_cast is 4, but `3` is 3", 8);
}

/* call_tir_inplace means a private copy: the argument is unchanged, and read later as it was. */
static void test_private_copies(void **state)
{
    struct fixture f;
    start(&f, HEAD "    @T.prim_func(private=True, s_tir=True)\n"
                   "    def double(x: T.Buffer((4,), \"float32\")):\n"
                   "        for i in range(4):\n"
                   "            x[i] = x[i] * T.float32(2)\n"
                   "    @R.function\n"
                   "    def main(x: R.Tensor((4,), \"float32\")):\n"
                   "        cls = Module\n"
                   "        y = R.call_tir_inplace(cls.double, (x,), inplace_indices=[0], "
                   "out_ty=R.Tensor((4,), \"float32\"))\n"
                   "        z = R.add(x, y)\n"
                   "        return (y, z)\n");
    float data[] = {1, 2, 3, 4};
    int64_t shape[] = {4};
    struct inlay_tensor x = tensor_of(data, shape, 1);
    struct inlay_value arg = {.kind = INLAY_TENSOR, .tensor = &x}, results[2];
    assert_true(run(&f, &arg, 1, results, 2));
    const float *y = results[0].tensor->data, *z = results[1].tensor->data;
    for (int i = 0; i < 4; i++) {
        assert_true(data[i] == (float)(i + 1));
        assert_true(y[i] == (float)(2 * (i + 1)));
        assert_true(z[i] == (float)(3 * (i + 1)));
    }
    finish(&f);
}

/* Gives 10 times its argument, in memory that it uses again. */
static int32_t scale(void *handle, const struct inlay_value *args, int32_t count,
                     struct inlay_value *result)
{
    static float data[4];
    static int64_t shape[] = {4};
    static struct inlay_tensor tensor;
    tensor = tensor_of(data, shape, 1);
    for (int i = 0; i < 4; i++)
        data[i] = ((const float *)args[0].tensor->data)[i] * 10;
    *result = (struct inlay_value){.kind = INLAY_TENSOR, .tensor = &tensor};
    return count == 1 ? 0 : -1;
}

/* Writes its last argument: the first plus the second. */
static int32_t add_scalar(void *handle, const struct inlay_value *args, int32_t count,
                          struct inlay_value *result)
{
    for (int i = 0; i < 4; i++)
        ((float *)args[2].tensor->data)[i] =
            ((const float *)args[0].tensor->data)[i] + (float)args[1].integer;
    return count == 3 ? 0 : -1;
}

static inlay_packed_fn *find(void *state, const char *symbol, void **out_handle)
{
    return strcmp(symbol, "scale") == 0        ? scale
           : strcmp(symbol, "add_scalar") == 0 ? add_scalar
                                               : NULL;
}

static void test_packed(void **state)
{
    struct fixture f;
    start(&f, HEAD "    @R.function(pure=False)\n"
                   "    def main(x: R.Tensor((4,), \"float32\")):\n"
                   "        a = R.call_packed(\"scale\", x, ty_args=R.Tensor((4,), \"float32\"))\n"
                   "        b = R.call_dps_packed(\"add_scalar\", (a, 7), "
                   "out_ty=R.Tensor((4,), \"float32\"))\n"
                   "        c = R.call_packed(\"scale\", b, ty_args=R.Tensor((4,), \"float32\"))\n"
                   "        return (a, b, c)\n");
    inlay_frame_destroy(f.frame);
    f.frame = inlay_frame_create(&(struct inlay_host){.find_packed = find});
    float data[] = {1, 2, 3, 4};
    int64_t shape[] = {4};
    struct inlay_tensor x = tensor_of(data, shape, 1);
    struct inlay_value arg = {.kind = INLAY_TENSOR, .tensor = &x}, results[3];
    if (!run(&f, &arg, 1, results, 3))
        fail_msg("%s", inlay_frame_error(f.frame)->message);
    for (int i = 0; i < 4; i++) {
        float ten = (float)(10 * (i + 1));
        assert_true(((float *)results[0].tensor->data)[i] == ten);
        assert_true(((float *)results[1].tensor->data)[i] == ten + 7);
        assert_true(((float *)results[2].tensor->data)[i] == 10 * (ten + 7));
    }
    finish(&f);
}

/* A nested function sees the values around it, also after the function that made it returned. */
static void test_closures(void **state)
{
    struct fixture f;
    start(&f,
          HEAD "    @R.function\n"
               "    def main(x: R.Tensor((4,), \"float32\")) -> R.Tensor((4,), \"float32\"):\n"
               "        y = R.add(x, x)\n"
               "        @R.function\n"
               "        def inner(z: R.Tensor((4,), \"float32\")) -> R.Tensor((4,), \"float32\"):\n"
               "            w = R.multiply(z, y)\n"
               "            return w\n"
               "        u = inner(x)\n"
               "        v = inner(u)\n"
               "        return v\n");
    float data[] = {1, 2, 3, 4};
    int64_t shape[] = {4};
    struct inlay_tensor x = tensor_of(data, shape, 1);
    struct inlay_value arg = {.kind = INLAY_TENSOR, .tensor = &x}, result;
    if (!run(&f, &arg, 1, &result, 1))
        fail_msg("%s", inlay_frame_error(f.frame)->message);
    for (int i = 0; i < 4; i++) {
        float n = (float)(i + 1);
        assert_true(((float *)result.tensor->data)[i] == n * 2 * n * 2 * n);
    }
    finish(&f);
}

static void test_recursion(void **state)
{
    expect_failure(HEAD
                   "    @R.function\n"
                   "    def main(x: R.Tensor((4,), \"float32\")) -> R.Tensor((4,), \"float32\"):\n"
                   "        cls = Module\n"
                   "        y: R.Tensor((4,), \"float32\") = cls.main(x)\n"
                   "        return y\n",
                   "nested calls use up the stack of the thread; does the recursion end?", 9);
}

static void test_arguments(void **state)
{
    struct fixture f;
    start(&f, HEAD "    @R.function\n"
                   "    def main(x: R.Tensor((\"n\", \"n\"), \"float32\")):\n"
                   "        return x\n");
    float data[6] = {0};
    int64_t shape[] = {2, 3};
    struct inlay_tensor x = tensor_of(data, shape, 2);
    struct inlay_value arg = {.kind = INLAY_TENSOR, .tensor = &x}, result;
    assert_false(run(&f, &arg, 1, &result, 1));
    assert_non_null(strstr(inlay_frame_error(f.frame)->message, "argument 1 (`x`) of `main`"));
    finish(&f);
}

static void test_integers(void **state)
{
    static const struct {
        enum ir_expr_kind kind;
        uint8_t code, bits;
        int64_t a, b, expected;
    } rows[] = {
        {IR_EXPR_add, IR_INT, 8, 127, 1, -128},
        {IR_EXPR_add, IR_UINT, 8, 255, 1, 0},
        {IR_EXPR_mul, IR_INT, 32, 65536, 65536, 0},
        {IR_EXPR_div, IR_INT, 32, -7, 2, -3},
        {IR_EXPR_floordiv, IR_INT, 32, -7, 2, -4},
        {IR_EXPR_mod, IR_INT, 32, -7, 2, -1},
        {IR_EXPR_floormod, IR_INT, 32, -7, 2, 1},
        {IR_EXPR_floormod, IR_INT, 32, 7, -2, -1},
        {IR_EXPR_div, IR_INT, 64, INT64_MIN, -1, INT64_MIN},
        {IR_EXPR_floordiv, IR_INT, 8, -128, -1, -128},
        {IR_EXPR_mod, IR_INT, 64, INT64_MIN, -1, 0},
        {IR_EXPR_div, IR_INT, 16, 5, 0, 0},
        {IR_EXPR_floormod, IR_UINT, 64, 5, 0, 0},
        {IR_EXPR_div, IR_UINT, 64, -1, 2, INT64_MAX},
        {IR_EXPR_max, IR_UINT, 64, -1, 1, -1},
        {IR_EXPR_max, IR_INT, 64, -1, 1, 1},
        {IR_EXPR_lt, IR_UINT, 64, -1, 1, 0},
        {IR_EXPR_lt, IR_INT, 64, -1, 1, 1},
    };
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        struct ir_dtype dtype = IR_DTYPE(rows[i].code, rows[i].bits);
        struct interp_scalar a = {.dtype = dtype, .integer = rows[i].a};
        struct interp_scalar b = {.dtype = dtype, .integer = rows[i].b}, out;
        assert_true(interp_binary(rows[i].kind, a, b, &out));
        if (out.integer != rows[i].expected)
            fail_msg("row %zu: %lld", i, (long long)out.integer);
    }
    assert_int_equal(interp_shift(IR_I32, true, 1, 31), INT32_MIN);
    assert_int_equal(interp_shift(IR_I32, true, 1, 32), 0);
    assert_int_equal(interp_shift(IR_I32, false, -8, 1), -4);
    assert_int_equal(interp_shift(IR_I32, false, -8, 99), -1);
    assert_int_equal(interp_shift(IR_I32, false, -8, -1), -1);
    assert_int_equal(interp_shift(IR_DTYPE(IR_UINT, 8), false, 200, 3), 25);
}

static struct interp_scalar real(struct ir_dtype dtype, double value)
{
    return (struct interp_scalar){.dtype = dtype, .real = value};
}

static void test_reals(void **state)
{
    struct interp_scalar out;
    /* Rounded per operation: 2049 is no float16, 257 no bfloat16. */
    interp_binary(IR_EXPR_add, real(IR_F16, 2048), real(IR_F16, 1), &out);
    assert_true(out.real == 2048);
    interp_binary(IR_EXPR_add, real(IR_BF16, 256), real(IR_BF16, 1), &out);
    assert_true(out.real == 256);
    interp_binary(IR_EXPR_add, real(IR_F32, 16777216), real(IR_F32, 1), &out);
    assert_true(out.real == 16777216);
    interp_binary(IR_EXPR_max, real(IR_F32, NAN), real(IR_F32, 1), &out);
    assert_true(isnan(out.real));
    interp_binary(IR_EXPR_max, real(IR_F32, 1), real(IR_F32, NAN), &out);
    assert_true(isnan(out.real));
    interp_binary(IR_EXPR_div, real(IR_F64, 1), real(IR_F64, 0), &out);
    assert_true(isinf(out.real));
    interp_binary(IR_EXPR_ne, real(IR_F64, NAN), real(IR_F64, NAN), &out);
    assert_true(out.integer == 1);
    interp_binary(IR_EXPR_le, real(IR_F64, NAN), real(IR_F64, NAN), &out);
    assert_true(out.integer == 0);
}

static void test_casts(void **state)
{
    struct ir_dtype u8 = IR_DTYPE(IR_UINT, 8), u64 = IR_DTYPE(IR_UINT, 64);
    assert_int_equal(interp_cast(real(IR_F32, -1.9), IR_I32).integer, -1);
    assert_int_equal(interp_cast(real(IR_F32, 1e30), IR_I32).integer, INT32_MAX);
    assert_int_equal(interp_cast(real(IR_F32, -1e30), IR_I64).integer, INT64_MIN);
    assert_int_equal(interp_cast(real(IR_F64, 0x1p63), IR_I64).integer, INT64_MAX);
    assert_int_equal(interp_cast(real(IR_F64, NAN), IR_I64).integer, 0);
    assert_int_equal(interp_cast(real(IR_F64, -0.5), u8).integer, 0);
    assert_int_equal(interp_cast(real(IR_F64, -5), u8).integer, 0);
    assert_int_equal(interp_cast(real(IR_F64, 300), u8).integer, 255);
    assert_int_equal(interp_cast(real(IR_F64, 0x1p70), u64).integer, -1);
    assert_int_equal(interp_cast(real(IR_F64, NAN), IR_B1).integer, 1);
    struct interp_scalar wide = {.dtype = IR_I64, .integer = 0x1ff};
    assert_int_equal(interp_cast(wide, u8).integer, 255);
    assert_int_equal(interp_cast(wide, IR_DTYPE(IR_INT, 8)).integer, -1);
    /* Rounded once: by way of double this would be 2^60 + 2^37. */
    struct interp_scalar large = {.dtype = IR_I64,
                                  .integer = (INT64_C(1) << 60) + (INT64_C(1) << 36) + 1};
    assert_true(interp_cast(large, IR_F32).real == 0x1p60 + 0x1p37);
    large.integer--;
    assert_true(interp_cast(large, IR_F32).real == 0x1p60);
    struct interp_scalar top = {.dtype = u64, .integer = -1};
    assert_true(interp_cast(top, IR_F64).real == 0x1p64);
}

/* Storage goes where the text ends it: what is read afterwards is an error, what is not is gone. */
static void test_ends(void **state)
{
    struct fixture f;
    float data[4] = {1, 2, 3, 4};
    int64_t shape[1] = {4};
    struct inlay_tensor x = tensor_of(data, shape, 1);
    struct inlay_value arg = {.kind = INLAY_TENSOR, .tensor = &x}, result;
    start(&f, HEAD "    @R.function(pure=False)\n"
                   "    def main(x: R.Tensor((4,), \"float32\")):\n"
                   "        y = R.copy(x)\n"
                   "        v = R.flatten(y)\n"
                   "        R.memory.kill_tensor(y)\n"
                   "        z = R.copy(v)\n"
                   "        return z\n");
    assert_false(run(&f, &arg, 1, &result, 1));
    assert_true(diag_has(f.diag, DIAG_INTERP_ENDED));
    finish(&f);
    start(&f, HEAD "    @R.function(pure=False)\n"
                   "    def main(x: R.Tensor((4,), \"float32\")):\n"
                   "        a = R.copy(x)\n"
                   "        R.memory.kill_tensor(a)\n"
                   "        b = R.copy(x)\n"
                   "        t = (b, x)\n"
                   "        c = R.copy(x)\n"
                   "        R.vm.kill_object(t)\n"
                   "        s = R.memory.alloc_storage(R.shape([16]), 0, \"global\", \"uint8\")\n"
                   "        d = R.memory.alloc_tensor(s, 0, R.shape([4]), \"float32\")\n"
                   "        R.memory.kill_tensor(d)\n"
                   "        R.memory.kill_storage(s)\n"
                   "        return c\n");
    assert_true(run(&f, &arg, 1, &result, 1));
    const struct inlay_stats *stats = inlay_frame_stats(f.frame);
    assert_int_equal(stats->peak_bytes, 32 + sizeof(struct inlay_tensor) + sizeof(int64_t));
    finish(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_statements),     cmocka_unit_test(test_scalars),
        cmocka_unit_test(test_bounds),         cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_private_copies), cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_packed),         cmocka_unit_test(test_closures),
        cmocka_unit_test(test_recursion),      cmocka_unit_test(test_integers),
        cmocka_unit_test(test_reals),          cmocka_unit_test(test_casts),
        cmocka_unit_test(test_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
