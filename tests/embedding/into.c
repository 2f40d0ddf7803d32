/*
 * Calls whose results and working memory are the host's: what is put where, what is refused, and that nothing
 * is allocated.  tests/embedding.py compiles it against what is installed.  Exit code 0, or 1 with what is wrong.
 */
#include <inlay/inlay.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CANNOT_COUNT
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(CANNOT_COUNT)
enum { CAN_COUNT = 0 };
static long allocations;
#else
enum { CAN_COUNT = 1 };
static long allocations;
extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *data, size_t bytes);
extern void *__libc_memalign(size_t alignment, size_t bytes);

void *malloc(size_t bytes)
{
    allocations++;
    return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
    allocations++;
    return __libc_calloc(count, bytes);
}

void *realloc(void *data, size_t bytes)
{
    allocations++;
    return __libc_realloc(data, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes)
{
    allocations++;
    return __libc_memalign(alignment, bytes);
}
#endif

#define HEAD                              \
    "from tvm.script import ir as I\n"    \
    "from tvm.script import relax as R\n" \
    "from tvm.script import tir as T\n\n" \
    "@I.ir_module\nclass Module:\n"

/* Temporaries, a result of its own, the same once more, an argument, an update in place, a number. */
static const char script[] = HEAD
    "    @T.prim_func(private=True)\n"
    "    def put(cache: T.Buffer((8, 16), \"float32\"), row: T.Buffer((16,), \"float32\")):\n"
    "        for j in range(16):\n"
    "            cache[3, j] = row[j]\n\n"
    "    @R.function\n"
    "    def main(x: R.Tensor((\"n\", 16), \"float32\"), w: R.Tensor((16, 16), \"float32\"),\n"
    "             cache: R.Tensor((8, 16), \"float32\"), row: R.Tensor((16,), \"float32\")):\n"
    "        R.func_attr({\"relax.inplace_arg\": [2]})\n"
    "        cls = Module\n"
    "        a = R.matmul(x, w)\n"
    "        b = R.nn.softmax(a)\n"
    "        c = R.matmul(b, w)\n"
    "        new = R.call_tir_inplace(cls.put, (cache, row),\n"
    "                                 out_ty=R.Tensor((8, 16), \"float32\"), inplace_indices=[0])\n"
    "        return (c, c, w, new)\n\n"
    "    @R.function\n"
    "    def again(x: R.Tensor((\"n\", 4), \"float32\"), c: R.Tensor((), \"bool\")) -> "
    "R.Tensor((\"n\", 4), \"float32\"):\n"
    "        cls = Module\n"
    "        if c:\n"
    "            y = R.matmul(x, R.permute_dims(x))\n"
    "            z = R.nn.softmax(y)\n"
    "            s = cls.again(x, c)\n"
    "            r = R.matmul(R.matmul(z, x), R.matmul(R.permute_dims(s), x))\n"
    "        else:\n"
    "            r = x\n"
    "        return r\n\n"
    "    @R.function\n"
    "    def shape(x: R.Tensor((\"n\", 4), \"float32\")):\n"
    "        return R.shape_of(x)\n\n"
    "    @R.function\n"
    "    def branch(x: R.Tensor((16,), \"float32\"), c: R.Tensor((), \"bool\")):\n"
    "        if c:\n"
    "            y = R.exp(x)\n"
    "        else:\n"
    "            y = R.negative(x)\n"
    "        return y\n";

enum { ROWS = 24, WIDTH = 16, ARENA = 1 << 16 };
static const struct inlay_dtype f32 = {INLAY_CODE_FLOAT, 32, 1}, boolean = {INLAY_CODE_BOOL, 8, 1};

static struct inlay_session *session;
static struct inlay_module *module;
static _Alignas(64) char arena[ARENA];
static _Alignas(64) float x[ROWS * WIDTH], w[WIDTH * WIDTH], cache[8 * WIDTH], row[WIDTH],
    out[3][ROWS * WIDTH + 4];

static int fail(const char *what)
{
    printf("%s\n%s", what, inlay_diagnostics_text(session, INLAY_FORMAT_TEXT));
    return 1;
}

struct tensor {
    struct inlay_tensor tensor;
    int64_t shape[2];
};

static struct inlay_value tensor_of(struct tensor *to, void *data, int64_t rows, int64_t columns)
{
    to->shape[0] = rows;
    to->shape[1] = columns;
    to->tensor = (struct inlay_tensor){
        .data = data, .device = {1, 0}, .ndim = 2, .dtype = f32, .shape = to->shape};
    if (columns == 0) {
        to->tensor.ndim = 1;
    }
    return (struct inlay_value){.kind = INLAY_TENSOR, .tensor = &to->tensor};
}

/* Arguments and results of `main` for @rows rows. */
struct call {
    struct inlay_call call;
    struct tensor tensors[8];
    struct inlay_value arguments[4], results[4];
};

static void make_call(struct call *c, int64_t rows)
{
    inlay_call_init(&c->call);
    c->arguments[0] = tensor_of(&c->tensors[0], x, rows, WIDTH);
    c->arguments[1] = tensor_of(&c->tensors[1], w, WIDTH, WIDTH);
    c->arguments[2] = tensor_of(&c->tensors[2], cache, 8, WIDTH);
    c->arguments[3] = tensor_of(&c->tensors[3], row, WIDTH, 0);
    c->results[0] = tensor_of(&c->tensors[4], out[0], rows, WIDTH);
    c->results[1] =
        tensor_of(&c->tensors[5], out[1] + 1, rows, WIDTH); /* aligned to elements only */
    c->results[2] = tensor_of(&c->tensors[6], out[2], WIDTH, WIDTH);
    c->results[3] = tensor_of(&c->tensors[7], NULL, 0, 1);
    c->call.entry = "main";
    c->call.arguments = c->arguments;
    c->call.argument_count = 4;
    c->call.results = c->results;
    c->call.result_count = 4;
    c->call.arena = arena;
    c->call.arena_bytes = sizeof(arena);
}

/* Against the same call in memory of the library. */
static int compare(struct call *c)
{
    const struct inlay_value *wanted;
    struct inlay_run *run = inlay_module_call(module, "main", c->arguments, 4);
    size_t bytes = (size_t)c->tensors[0].shape[0] * WIDTH * sizeof(float);

    if (!run || inlay_run_results(run, &wanted) != 4)
        return fail("the call in memory of the library");
    if (memcmp(wanted[0].tensor->data, out[0], bytes) ||
        memcmp(wanted[1].tensor->data, c->tensors[5].tensor.data, bytes) ||
        memcmp(w, out[2], sizeof(w)))
        return fail("results differ");
    inlay_run_destroy(run);
    return 0;
}

static int test_results(void)
{
    struct call c;

    for (int64_t rows = 0; rows <= ROWS; rows += 8) {
        make_call(&c, rows);
        memset(cache, 0, sizeof(cache));
        memset(out, 0x55, sizeof(out));
        if (!inlay_module_call_into(module, &c.call))
            return fail("a call into memory of the host");
        if (c.tensors[7].tensor.data != cache || c.tensors[7].shape[0] != 8 ||
            c.tensors[7].shape[1] != WIDTH || memcmp(cache + 3 * WIDTH, row, sizeof(row)))
            return fail("where the update in place is");
        if (out[0][rows * WIDTH] != out[0][rows * WIDTH + 1] || out[1][0] != out[0][rows * WIDTH])
            return fail("it wrote beside the results");
        if (compare(&c))
            return 1;
    }
    return 0;
}

static int test_counts(void)
{
    struct call c;
    size_t bytes = 0;

    make_call(&c, ROWS);
    if (!inlay_module_arena_bytes(module, &c.call, &bytes) || bytes == 0 || bytes > ARENA)
        return fail("the size of the arena");
    c.results[1] = tensor_of(&c.tensors[5], out[1], ROWS, WIDTH);
    c.call.arena_bytes = bytes;
    memset(arena, 0x33, sizeof(arena));
    if (!inlay_module_call_into(module, &c.call))
        return fail("the first call");
    long before = allocations;
    for (unsigned i = 0; i < 1000; i++)
        if (!inlay_module_call_into(module, &c.call))
            return fail("a call");
    if (allocations != before) {
        printf("%ld allocations in 1000 calls\n", allocations - before);
        return 1;
    }
    for (size_t i = bytes; i < sizeof(arena); i++)
        if (arena[i] != 0x33)
            return fail("more than the arena was written");
    if (CAN_COUNT && before == 0)
        return fail("nothing is counted");
    c.call.arena_bytes = bytes - 64; /* the rest is the session's, and kept for the next call */
    if (!inlay_module_call_into(module, &c.call) || !inlay_module_call_into(module, &c.call))
        return fail("a call in a small arena");
    before = allocations;
    if (!inlay_module_call_into(module, &c.call) || (CAN_COUNT && allocations != before))
        return fail("a small arena makes each call allocate");
    c.call.arena = NULL;
    return inlay_module_call_into(module, &c.call) ? compare(&c) || 0 : fail("no arena");
}

/* Each of these fails with E0801, whose message has @wanted in it. */
static int refuses(struct call *c, const char *wanted)
{
    const struct inlay_diagnostic *items;

    inlay_diagnostics_clear(session);
    if (inlay_module_call_into(module, &c->call))
        return fail(wanted);
    if (inlay_diagnostics(session, &items) != 1 || items[0].code != 801 ||
        !strstr(items[0].message, wanted))
        return fail(wanted);
    inlay_diagnostics_clear(session);
    return 0;
}

static int test_refusals(void)
{
    struct call c;

    make_call(&c, 8);
    c.results[0].kind = INLAY_NONE;
    if (refuses(&c, "result 1 of `main` needs a tensor"))
        return 1;
    make_call(&c, 8);
    c.tensors[4].tensor.data = NULL; /* it lies in no argument */
    if (refuses(&c, "result 1 of `main` lies in no argument"))
        return 1;
    make_call(&c, 8);
    c.tensors[4].shape[0] = 9;
    if (refuses(&c, "result 1 has 512 bytes, but the tensor that is given for it has 576"))
        return 1;
    make_call(&c, 8);
    c.tensors[5].shape[0] = 7;
    if (refuses(&c, "dimension 0 of result 2 is 8"))
        return 1;
    make_call(&c, 8);
    c.tensors[4].tensor.dtype.bits = 64;
    if (refuses(&c, "given for result 1 of `main` should have the dtype float32"))
        return 1;
    make_call(&c, 8);
    c.tensors[6].shape[1] = 8;
    if (refuses(&c, "given for result 3 of `main` should have the shape (16, 16)"))
        return 1;
    make_call(&c, 8);
    c.tensors[4].tensor.data = (char *)x + 64;
    if (refuses(&c, "shares memory with argument 1"))
        return 1;
    make_call(&c, 8);
    c.tensors[4].tensor.data = x;
    if (refuses(&c, "result 1 of `main` shares memory with argument 1"))
        return 1;
    make_call(&c, 8);
    c.tensors[6].tensor.data = out[0] + 16;
    if (refuses(&c, "shares memory with the tensor that is given for result 1"))
        return 1;
    make_call(&c, 8);
    c.tensors[6].tensor.data = (char *)out[2] + 2;
    if (refuses(&c, "is not aligned to its 4-byte elements"))
        return 1;
    make_call(&c, 8);
    c.tensors[7].tensor.ndim = 1;
    if (refuses(&c,
                "result 4 has 2 dimensions, but the tensor that is given for it has room for 1"))
        return 1;
    make_call(&c, 8);
    c.call.result_count = 3;
    if (refuses(&c, "has 4 results, but there is room for 3"))
        return 1;
    make_call(&c, 8);
    c.call.argument_count = 1;
    c.call.entry = "shape";
    return refuses(&c, "result 1 of `shape` is no tensor");
}

/* Each branch makes the result in its own way, and both where the host wants it. */
static int test_branches(void)
{
    struct call c;
    struct tensor flag;
    unsigned char is_true;

    make_call(&c, 8);
    c.call.entry = "branch";
    c.arguments[0] = tensor_of(&c.tensors[0], row, WIDTH, 0);
    c.arguments[1] = tensor_of(&flag, &is_true, 0, 0);
    flag.tensor.ndim = 0;
    flag.tensor.dtype = boolean;
    c.call.argument_count = 2;
    c.results[0] = tensor_of(&c.tensors[4], out[0], WIDTH, 0);
    c.call.result_count = 1;
    row[0] = 2;
    for (is_true = 0; is_true < 2; is_true++) {
        out[0][0] = 0;
        if (!inlay_module_call_into(module, &c.call))
            return fail("a call of a function with branches");
        if (is_true ? out[0][0] < 7 : out[0][0] != -2)
            return fail("what a branch makes");
    }
    long before = allocations;
    for (unsigned i = 0; i < 100; i++) {
        is_true = i % 2;
        if (!inlay_module_call_into(module, &c.call) || allocations != before)
            return fail("a branch allocates");
    }
    return 0;
}

static int test_unbounded(void)
{
    struct call c;
    const struct inlay_diagnostic *items;
    size_t bytes;

    make_call(&c, 8);
    c.call.entry = "again";
    if (inlay_module_arena_bytes(module, &c.call, &bytes) ||
        inlay_diagnostics(session, &items) != 1 || items[0].code != 360 ||
        !strstr(items[0].message, "`again` calls itself"))
        return fail("recursion has no bound");
    inlay_diagnostics_clear(session);
    return 0;
}

int main(void)
{
    static int (*const tests[])(void) = {test_results, test_counts, test_refusals, test_branches,
                                         test_unbounded};
    struct inlay_options options;

    inlay_options_init(&options);
    options.threads = 2;
    session = inlay_session_create(&options);
    module = inlay_parse(session, "into.py", script, sizeof(script) - 1);
    if (!module || !inlay_module_run_passes(module, NULL))
        return fail("the passes");
    for (size_t i = 0; i < ROWS * WIDTH; i++)
        x[i] = (float)(i % 13) / 8;
    for (size_t i = 0; i < WIDTH * WIDTH; i++)
        w[i] = (float)(i % 7) / 8 - 0.25f;
    for (size_t i = 0; i < WIDTH; i++)
        row[i] = (float)i;
    for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
        if (tests[i]())
            return 1;
    inlay_session_destroy(session);
    return 0;
}
