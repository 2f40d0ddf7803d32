/*
 * Loops that are turned round: by hand, and of random kernels, run against the loops as they were.
 */
#include "analysis/access/share.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "passes/loop/loop.h"
#include "tests/unit/kernel_events.h"

#include <stdlib.h>

enum { KERNELS = 1500 };

static const char params[] = "X: T.Buffer((64,), \"float32\"), Z: T.Buffer((64,), \"float32\"),"
                             " C: T.Buffer((\"n\",), \"float32\"), D: T.Buffer((n,), \"float32\")";

struct search {
    const char *name;
    struct tir_stmt *loop;
};

static bool find(void *state, struct tir_stmt *stmt)
{
    struct search *search = state;

    if (stmt->kind == TIR_FOR && strcmp(stmt->loop.var->name, search->name) == 0)
        search->loop = stmt;
    return true;
}

static struct access_share judge(const struct tir_func *func, unsigned written, unsigned read)
{
    struct access_cache cache = {0};
    struct access_share share = access_may_share(&cache, func, written, read);

    access_cache_finish(&cache);
    return share;
}

/* ---- by hand ---- */

/* Parameters @written and @written + 1 may be one storage once loop i of @body runs backwards. */
static void expect(unsigned written, const char *body, const char *wanted)
{
    struct kernels k;
    char text[4000];
    struct text found = {0};

    snprintf(text, sizeof(text), "    n = T.int64()\n%s", body);
    kernels_parse(&k, params, text);
    struct access_share share = judge(k.func, written, written + 1);
    assert_true(share.is_backward && !access_share_is_legal(&share));
    struct tir_func turned = *k.func;
    turned.body = loop_turn_round(k.func, share.loop);
    assert_non_null(turned.body);
    share = judge(&turned, written, written + 1);
    assert_true(access_share_is_legal(&share));
    tir_func_print(&turned, &found);
    if (!strstr(text_string(&found), wanted))
        fail_msg("\n%s\nwanted %s", text_string(&found), wanted);
    text_finish(&found);
    kernels_finish(&k);
}

static void test_by_hand(void **state)
{
    expect(0, "    for i in range(63):\n        X[i + 1] = Z[i]\n", "X[62 - i + 1] = Z[62 - i]");
    expect(0, "    for i in range(2, 50):\n        X[i + 3] = Z[i] * 2.0\n", "X[51 - i + 3]");
    expect(0, "    for i in range(0, 60, step=7):\n        X[i + 3] = Z[i] + Z[T.max(i - 4, 0)]\n",
           "X[56 - i + 3]");
    expect(0, "    for i, j in T.grid(7, 8):\n        X[(i + 1) * 8 + j] = Z[i * 8 + j]\n",
           "X[(6 - i + 1) * 8 + j]");
    expect(2, "    for i in range(n - 1):\n        C[i + 1] = D[i]\n", "= D[n - i - T.int64(2)]");
    expect(0,
           "    for i in range(60):\n        with T.sblock(\"b\"):\n"
           "            v = T.axis.spatial(60, i)\n            X[v + 4] = Z[v]\n",
           "v = T.axis.spatial(60, 59 - i)");
}

static void expect_none(const char *body)
{
    struct kernels k;
    struct search search = {.name = "i"};
    char text[4000];

    snprintf(text, sizeof(text), "    n = T.int64()\n%s", body);
    kernels_parse(&k, params, text);
    tir_stmt_walk(k.func->body, find, &search);
    assert_non_null(search.loop);
    assert_null(loop_turn_round(k.func, search.loop));
    assert_null(loop_add_turned(k.func, search.loop));
    assert_int_equal(k.module->global_count, 1);
    kernels_finish(&k);
}

static void test_none(void **state)
{
    expect_none("    for i in T.parallel(63):\n        X[i + 1] = Z[i]\n");
    expect_none("    for i in range(63):\n        if Z[i] > 0.0:\n            break\n"
                "        X[i + 1] = Z[i]\n");
    expect_none("    for i in range(T.Cast(\"int32\", Z[0])):\n        X[i + 1] = Z[i]\n");
}

/* The kernel beside the other one shares nothing with it that is written. */
static void test_added(void **state)
{
    struct kernels k;
    struct search search = {.name = "i"};
    struct text before = {0}, after = {0};

    kernels_parse(
        &k, params,
        "    n = T.int64()\n    for i in range(n - 1):\n        q: T.let[T.float32] = D[i]\n"
        "        C[i + 1] = q\n");
    tir_func_print(k.func, &before);
    tir_stmt_walk(k.func->body, find, &search);
    const struct ir_global *first = loop_add_turned(k.func, search.loop);
    const struct ir_global *second = loop_add_turned(k.func, search.loop);
    assert_non_null(first);
    assert_string_equal(first->name, "f_backwards");
    assert_string_not_equal(second->name, first->name);
    assert_ptr_not_equal(first->kernel->params[0].buffer, k.func->params[0].buffer);
    assert_true(ir_verify(k.module, k.diag));
    struct access_share share = judge(first->kernel, 2, 3);
    assert_true(access_share_is_legal(&share));
    tir_func_print(k.func, &after);
    assert_string_equal(text_string(&before), text_string(&after));
    text_finish(&before);
    text_finish(&after);
    kernels_finish(&k);
}

/* ---- random kernels ---- */

static bool same_events(const struct event *a, const struct event *b, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (a[i].element != b[i].element || a[i].is_write != b[i].is_write ||
            a[i].param != b[i].param)
            return false;
    return true;
}

/* All that happens in @func, with @turned running backwards. */
static bool run_all(struct run *run, struct access_cache *cache, const struct tir_func *func,
                    const struct tir_stmt *turned, struct event *events)
{
    *run = (struct run){.events = events, .list = access_of(cache, func), .turned = turned};
    return run->list->count <= ACCESS_LIMIT && run_stmt(run, func->body);
}

static bool check_kernel(unsigned seed, struct event *events, struct event *others)
{
    struct writer w = {.seed = seed, .shares = true, .stmts = 5};
    struct kernels k;
    struct access_cache cache = {0};
    struct run run, other;
    bool is_turned = false;

    write_body(&w, 1);
    kernels_parse(&k, "X: T.Buffer((24,), \"float32\"), Z: T.Buffer((24,), \"float32\")",
                  text_string(&w.text));
    struct access_share share = access_may_share(&cache, k.func, 0, 1);
    if (share.is_backward && run_all(&run, &cache, k.func, share.loop, events)) {
        struct tir_func turned = *k.func;

        turned.body = loop_turn_round(k.func, share.loop);
        assert_true(run_all(&other, &cache, &turned, NULL, others));
        if (run.count != other.count || !same_events(events, others, run.count))
            fail_msg("\n%s", text_string(&w.text));
        share = access_may_share(&cache, &turned, 0, 1);
        is_turned = access_share_is_legal(&share);
    }
    access_cache_finish(&cache);
    kernels_finish(&k);
    text_finish(&w.text);
    return is_turned;
}

static void test_random(void **state)
{
    struct event *events = calloc(EVENT_LIMIT, sizeof(events[0]));
    struct event *others = calloc(EVENT_LIMIT, sizeof(others[0]));
    unsigned turned = 0;

    for (unsigned seed = 1; seed <= KERNELS; seed++)
        turned += check_kernel(seed * 7919, events, others);
    free(events);
    free(others);
    print_message("# %u kernels are right with a loop turned round\n", turned);
    assert_true(turned > KERNELS / 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_none),
        cmocka_unit_test(test_added),
        cmocka_unit_test(test_random),
    };

    return cmocka_run_group_tests_name("turn loop", tests, NULL, NULL);
}
