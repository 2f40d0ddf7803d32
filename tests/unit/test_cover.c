/* Which elements a kernel writes: by hand, and in random kernels. */
#include "analysis/access/box.h"
#include "analysis/access/cover.h"
#include "ir/print.h"
#include "tests/unit/kernel_events.h"

#include <stdlib.h>

enum { KERNELS = 300 };

static const char params[] =
    "A: T.Buffer((\"n\", \"m\"), \"float32\"), C: T.Buffer((n,), \"float32\"),"
    " X: T.Buffer((64,), \"float32\"), M: T.Buffer((8, 8), \"float32\"),"
    " I: T.Buffer((64,), \"int32\"), k: T.int64";

static const char symbols[] = "    n = T.int64()\n    m = T.int64()\n";

static unsigned param(const struct tir_func *func, const char *name)
{
    for (unsigned i = 0; i < func->param_count; i++)
        if (func->params[i].buffer && strcmp(func->params[i].buffer->name, name) == 0)
            return i;
    fail_msg("no parameter %s", name);
    return 0;
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* "all", "unknown", or "[element] for symbol = size" */
static void describe(const struct access_cover *cover, unsigned ndim, struct text *out)
{
    struct text sizes[8] = {{0}};
    const char *sorted[8];

    if (cover->coverage != ACCESS_COVERS_PART) {
        text_puts(out, cover->coverage == ACCESS_COVERS_ALL ? "all" : "unknown");
        return;
    }
    for (unsigned i = 0; i < ndim; i++)
        text_printf(out, "%s%lld", i > 0 ? ", " : "[", (long long)cover->element[i]);
    text_puts(out, "]");
    for (unsigned i = 0; i < cover->size_count; i++) {
        tir_expr_print(cover->sizes[i].expr, &sizes[i]);
        text_printf(&sizes[i], " = %lld", (long long)cover->sizes[i].value);
        sorted[i] = text_string(&sizes[i]);
    }
    qsort(sorted, cover->size_count, sizeof(sorted[0]), compare_texts);
    for (unsigned i = 0; i < cover->size_count; i++)
        text_printf(out, "%s%s", i > 0 ? ", " : " for ", sorted[i]);
    for (unsigned i = 0; i < cover->size_count; i++)
        text_finish(&sizes[i]);
}

static void expect(const char *buffer, const char *body, const char *wanted)
{
    struct kernels k;
    struct access_cache cache = {0};
    struct text found = {0};
    char text[4000];

    snprintf(text, sizeof(text), "%s%s", symbols, body);
    kernels_parse(&k, params, text);
    unsigned written = param(k.func, buffer);
    struct access_cover cover = access_cover(&cache, k.func, written, NULL);
    describe(&cover, k.func->params[written].buffer->ndim, &found);
    if (strcmp(text_string(&found), wanted) != 0)
        fail_msg("\n%s%s\nwanted %s", body, text_string(&found), wanted);
    text_finish(&found);
    access_cache_finish(&cache);
    kernels_finish(&k);
}

static void test_all(void **state)
{
    expect("X", "    for i in range(64):\n        X[i] = 1.0\n", "all");
    expect("X", "    for i in range(64):\n        X[63 - i] = 1.0\n", "all");
    expect("X", "    for i, j in T.grid(8, 8):\n        X[i * 8 + j] = 1.0\n", "all");
    expect("X", "    for i in range(32):\n        X[i * 2] = 1.0\n        X[i * 2 + 1] = 2.0\n",
           "all");
    expect("X",
           "    for i in range(40):\n        X[i] = 1.0\n    for j in range(40):\n"
           "        X[j + 24] = 2.0\n",
           "all");
    expect("X",
           "    for i in range(64):\n        if i % 2 == 0:\n            X[i] = 1.0\n"
           "        else:\n            X[i] = 2.0\n",
           "all");
    expect("X", "    for i in range(64):\n        X[i * 5 % 64] = 1.0\n", "all");
    expect("M",
           "    W = T.decl_buffer((64,), \"float32\", data=M.data)\n    for i in range(64):\n"
           "        W[i] = 1.0\n",
           "all");
    expect("A", "    for i, j in T.grid(n, m):\n        A[i, j] = 1.0\n", "all");
    expect("C",
           "    for i, j in T.grid((n + 7) // 8, T.int64(8)):\n        if i * 8 + j < n:\n"
           "            C[i * 8 + j] = 1.0\n",
           "all");
    expect("C",
           "    for i in range(n):\n        with T.sblock(\"b\"):\n"
           "            v = T.axis.spatial(n, i)\n            C[v] = 1.0\n",
           "all");
    expect("C",
           "    for i, j in T.grid(n, m):\n        with T.sblock(\"b\"):\n"
           "            vi, vj = T.axis.remap(\"SR\", [i, j])\n            with T.init():\n"
           "                C[vi] = 0.0\n            C[vi] = C[vi] + A[vi, vj]\n",
           "all");
    expect("X",
           "    for i in range(16):\n        X[i * 4:i * 4 + 4] = T.broadcast(T.float32(0), 4)\n",
           "all");
    expect("C",
           "    assert k >= n, \"enough\"\n    for i in range(k):\n        if i < n:\n"
           "            C[i] = 1.0\n",
           "all");
}

static void test_part(void **state)
{
    expect("X", "    for i in range(63):\n        X[i] = 1.0\n", "[63]");
    expect("X", "    for i in range(32):\n        X[i * 2] = 1.0\n", "[1]");
    expect("X", "    for i in range(64):\n        X[i * 6 % 64] = 1.0\n", "[1]");
    expect("M", "    for i, j in T.grid(8, 8):\n        if j <= i:\n            M[i, j] = 1.0\n",
           "[0, 1]");
    expect("X", "    for i in range(64):\n        if i != 7:\n            X[i] = 1.0\n", "[7]");
    expect("C", "    for i, j in T.grid(n // 8, T.int64(8)):\n        C[i * 8 + j] = 1.0\n",
           "[0] for n = 1");
    expect("C", "    for i in range(n - 1):\n        C[i + 1] = 1.0\n", "[0] for n = 1");
    expect("A", "    for i in range(n):\n        A[i, 0] = 1.0\n", "[0, 1] for m = 2, n = 1");
    expect("C", "    for i in range(m):\n        if i < n:\n            C[i] = 1.0\n",
           "[1] for m = 1, n = 2");
    expect("C", "    if k > 0:\n        for i in range(n):\n            C[i] = 1.0\n",
           "[0] for k = 0, n = 1");
    expect("X", "    X[0] = 1.0\n", "[1]");
    expect("X", "    M[0, 0] = 1.0\n", "[0]"); /* not written at all */
}

static void test_unknown(void **state)
{
    expect("X", "    for i in range(64):\n        X[I[i]] = 1.0\n", "unknown");
    expect("X", "    for i in range(64):\n        if I[i] > 0:\n            X[i] = 1.0\n",
           "unknown");
    expect("X",
           "    for i in range(64):\n        if I[i] > 0:\n            break\n"
           "        X[i] = 1.0\n",
           "unknown");
    expect("X", "    T.call_extern(\"int32\", \"f\", X.data)\n", "unknown");
    expect("X", "    for i in range(60):\n        if I[i] > 0:\n            X[i] = 1.0\n", "[60]");
    expect("C", "    for i in range(n):\n        while C[i] > 0.0:\n            C[i] = 0.0\n",
           "unknown");
}

static void test_sizes(void **state)
{
    const char *body = "    for i, j in T.grid(n // 8, T.int64(8)):\n        C[i * 8 + j] = 1.0\n";
    struct kernels k;
    struct access_cache cache = {0};
    char text[4000];

    snprintf(text, sizeof(text), "%s%s", symbols, body);
    kernels_parse(&k, params, text);
    unsigned written = param(k.func, "C");
    const struct ir_var *n = k.func->params[written].buffer->shape[0]->var;
    for (int64_t size = 15; size < 18; size++) {
        struct ir_binding binding = {n, ir_expr_int(k.context, IR_I64, size)};
        struct ir_bindings sizes = {&binding, 1, 1};
        struct access_cover cover = access_cover(&cache, k.func, written, &sizes);

        assert_int_equal(cover.coverage, size == 16 ? ACCESS_COVERS_ALL : ACCESS_COVERS_PART);
        if (size != 16)
            assert_int_equal(cover.element[0], size / 8 * 8);
    }
    access_cache_finish(&cache);
    kernels_finish(&k);
}

/* ---- boxes ---- */

static enum access_answer leaves(const char *body, int64_t min, int64_t extent)
{
    struct kernels k;
    struct access_cache cache = {0};
    char text[4000];

    snprintf(text, sizeof(text), "%s%s", symbols, body);
    kernels_parse(&k, params, text);
    const struct access_list *list = access_of(&cache, k.func);
    const struct ir_expr *from = ir_expr_int(k.context, IR_I64, min);
    const struct ir_expr *count = ir_expr_int(k.context, IR_I64, extent);
    struct access_box box = {1, &from, &count};
    enum access_answer answer = access_may_leave(&cache, list, &list->items[list->count - 1], &box);
    access_cache_finish(&cache);
    kernels_finish(&k);
    return answer;
}

static void test_boxes(void **state)
{
    const char *odd = "    for i in range(8):\n        X[i * 2 + 1] = 1.0\n";

    assert_int_equal(leaves(odd, 1, 15), ACCESS_NEVER);
    assert_int_equal(leaves(odd, 0, 16), ACCESS_NEVER);
    assert_int_equal(leaves(odd, 1, 14), ACCESS_SOMETIMES);
    assert_int_equal(leaves(odd, 2, 15), ACCESS_SOMETIMES);
    assert_int_equal(leaves("    for i in range(8):\n        X[I[i]] = 1.0\n", 0, 64),
                     ACCESS_UNKNOWN);

    struct kernels k;
    struct access_cache cache = {0};
    kernels_parse(&k, "C: T.Buffer((\"n\",), \"float32\")", "    n = T.int64()\n    C[0] = 1.0\n");
    const struct ir_expr *n = k.func->params[0].buffer->shape[0];
    const struct ir_expr *zero = ir_expr_int(k.context, IR_I64, 0);
    const struct ir_expr *two = ir_expr_int(k.context, IR_I64, 2);
    const struct ir_expr *half = ir_expr_binary(k.context, IR_EXPR_floordiv, n, two);
    struct access_box first = {1, &zero, &half}, second = {1, &half, &half}, all = {1, &zero, &n};
    assert_int_equal(access_boxes_may_meet(&cache, k.func, &first, &second), ACCESS_NEVER);
    assert_int_equal(access_boxes_may_meet(&cache, k.func, &first, &all), ACCESS_SOMETIMES);
    assert_int_equal(access_boxes_may_meet(&cache, k.func, &second, &all), ACCESS_SOMETIMES);
    access_cache_finish(&cache);
    kernels_finish(&k);
}

/* ---- random kernels ---- */

static void check_kernel(void *state, struct trial *trial)
{
    unsigned *counts = state;
    struct access_cover cover = access_cover(&trial->cache, trial->k.func, 0, NULL);
    bool is_written[5] = {false}, is_all = true;

    for (unsigned i = 0; i < trial->run.count; i++)
        if (trial->run.events[i].is_write && trial->run.events[i].param == 0)
            is_written[trial->run.events[i].element] = true;
    for (unsigned i = 0; i < 5; i++)
        is_all &= is_written[i];
    counts[cover.coverage]++;
    if ((cover.coverage == ACCESS_COVERS_ALL && !is_all) ||
        (cover.coverage == ACCESS_COVERS_PART && is_written[cover.element[0]]))
        fail_msg("\n%s\nsaid %s", trial->text,
                 cover.coverage == ACCESS_COVERS_ALL ? "all" : "part");
}

static void test_random(void **state)
{
    struct event *events = calloc(EVENT_LIMIT, sizeof(events[0]));
    unsigned counts[3] = {0};

    for (unsigned i = 1; i <= KERNELS; i++) {
        struct writer w = {.seed = i * 104729, .stmts = 4, .extent = 5};

        trial_of(&w, "X: T.Buffer((5,), \"float32\"), Y: T.Buffer((5, 5), \"float32\")", events,
                 check_kernel, counts);
    }
    free(events);
    print_message("# %u unknown, %u all, %u part\n", counts[0], counts[1], counts[2]);
    assert_true(counts[0] < KERNELS / 20);
    assert_true(counts[1] > KERNELS / 20);
    assert_true(counts[2] > KERNELS / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all),   cmocka_unit_test(test_part),  cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_sizes), cmocka_unit_test(test_boxes), cmocka_unit_test(test_random),
    };

    return cmocka_run_group_tests_name("cover", tests, NULL, NULL);
}
