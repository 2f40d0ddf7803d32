/* Reads before the first write: by hand, and in random kernels against a run of them. */
#include "analysis/access/unset.h"
#include "ir/print.h"
#include "tests/unit/kernel_events.h"

#include <stdlib.h>

enum { KERNELS = 600 };

static const char params[] =
    "A: T.Buffer((\"n\", \"m\"), \"float32\"), C: T.Buffer((n,), \"float32\"),"
    " X: T.Buffer((64,), \"float32\"), I: T.Buffer((64,), \"int32\"), k: T.int64";

static const char symbols[] = "    n = T.int64()\n    m = T.int64()\n";

/* "none", "always", or "var = value, .. for symbol = size, .." */
static void describe(const struct access_unset *unset, struct text *out)
{
    if (!unset->read) {
        text_puts(out, "none");
        return;
    }
    if (unset->is_always)
        text_puts(out, "always");
    for (unsigned i = 0; i < unset->var_count; i++)
        text_printf(out, "%s%s = %lld", i ? ", " : "", unset->vars[i]->name,
                    (long long)unset->values[i]);
    for (unsigned i = 0; i < unset->size_count; i++) {
        text_puts(out, i ? ", " : " for ");
        tir_expr_print(unset->sizes[i].expr, out);
        text_printf(out, " = %lld", (long long)unset->sizes[i].value);
    }
}

static void expect(const char *buffer, const char *body, const char *wanted)
{
    struct kernels k;
    struct access_cache cache = {0};
    struct text found = {0};
    char text[4000];
    unsigned i = 0;

    snprintf(text, sizeof(text), "%s%s", symbols, body);
    kernels_parse(&k, params, text);
    const struct access_list *list = access_of(&cache, k.func);
    while (!list->items[i].root || strcmp(list->items[i].root->name, buffer) != 0)
        i++;
    struct access_unset unset = access_find_unset(&cache, k.func, list->items[i].root);
    describe(&unset, &found);
    if (strcmp(text_string(&found), wanted) != 0)
        fail_msg("\n%s\nsaid %s, wanted %s", body, text_string(&found), wanted);
    text_finish(&found);
    access_cache_finish(&cache);
    kernels_finish(&k);
}

#define SUM  "    for i, j in T.grid(n, m):\n        with T.sblock(\"b\"):\n"
#define AXES "            vi, vj = T.axis.remap(\"SR\", [i, j])\n"
#define INIT "            with T.init():\n                C[vi] = 0.0\n"

static void test_sums(void **state)
{
    expect("C", SUM AXES "            C[vi] = C[vi] + A[vi, vj]\n",
           "i = 0, j = 0 for m = 1, n = 1");
    expect("C", SUM AXES INIT "            C[vi] = C[vi] + A[vi, vj]\n", "none");
    expect("C",
           "    for i in range(n):\n        C[i] = 0.0\n" SUM AXES
           "            C[vi] = C[vi] + A[vi, vj]\n",
           "none");
    expect("C",
           SUM AXES "            if vj == 0:\n                C[vi] = 0.0\n"
                    "            C[vi] = C[vi] + A[vi, vj]\n",
           "none");
    expect("C",
           SUM AXES
           "            C[vi] = T.if_then_else(vj == 0, T.float32(0), C[vi]) + A[vi, vj]\n",
           "none");
    expect("C", /* the first value comes too late */
           SUM AXES "            if vj == 1:\n                C[vi] = 0.0\n"
                    "            C[vi] = C[vi] + A[vi, vj]\n",
           "i = 0, j = 0 for m = 1, n = 1");
    expect("X", /* tiles */
           "    for a, b, c in T.grid(8, 4, 2):\n        with T.sblock(\"b\"):\n"
           "            vi = T.axis.spatial(8, a)\n            vk = T.axis.reduce(8, b * 2 + c)\n"
           "            with T.init():\n                X[vi] = 0.0\n"
           "            X[vi] = X[vi] + T.Cast(\"float32\", vk)\n",
           "none");
    expect(
        "X", /* tiles of which one reduces from its middle */
        "    for a, b, c in T.grid(8, 4, 2):\n        with T.sblock(\"b\"):\n"
        "            vi = T.axis.spatial(8, a)\n            vk = T.axis.reduce(9, b * 2 + c + 1)\n"
        "            with T.init():\n                X[vi] = 0.0\n"
        "            X[vi] = X[vi] + T.Cast(\"float32\", vk)\n",
        "a = 0, b = 0, c = 0");
    expect("X", /* a histogram */
           "    for i in range(64):\n        X[I[i]] = X[I[i]] + 1.0\n", "i = 0");
}

static void test_orders(void **state)
{
    expect("X", "    for i in range(64):\n        X[i] = X[63 - i]\n", "i = 0");
    expect("X", "    X[0] = 1.0\n    for i in range(63):\n        X[i + 1] = X[i]\n", "none");
    expect("X", "    X[1] = 1.0\n    for i in range(63):\n        X[i + 1] = X[i]\n", "i = 0");
    expect("X",
           "    for i in range(32):\n        X[i * 2] = 1.0\n    for i in range(64):\n"
           "        C[0] = X[i]\n",
           "i = 1");
    expect(
        "X", /* vectors */
        "    for i in range(16):\n        X[i * 4:i * 4 + 4] = T.broadcast(T.float32(0), 4)\n"
        "    for i in range(32):\n        X[i * 2:i * 2 + 2] = X[i * 2:i * 2 + 2] * T.broadcast(T.float32(2), 2)\n",
        "none");
    expect("w", /* another one in each iteration */
           "    for i in range(8):\n        w = T.alloc_buffer((1,), \"float32\")\n"
           "        if i == 0:\n            w[0] = 1.0\n        X[i] = w[0]\n",
           "i = 1");
    expect("w",
           "    w = T.alloc_buffer((1,), \"float32\")\n    for i in range(8):\n"
           "        if i == 0:\n            w[0] = 1.0\n        X[i] = w[0]\n",
           "none");
    expect("A", /* only where n > 1 */
           "    for i, j in T.grid(n, m):\n        if i == 0:\n            A[0, j] = 1.0\n"
           "    for i, j in T.grid(n, m):\n        C[i] = A[i, j]\n",
           "i = 1, j = 0 for m = 1, n = 2");
}

static void test_unknown(void **state)
{
    /* It runs under a condition on elements: only if nothing is written before. */
    expect("X", "    for i in range(64):\n        if I[i] > 0:\n            X[i] = X[i] + 1.0\n",
           "always");
    expect("X",
           "    for i in range(64):\n        if I[i] > 0:\n            X[i] = X[i] + 1.0\n"
           "        else:\n            X[i] = 1.0\n",
           "none");
    expect("X", "    for i in range(64):\n        if I[i] > 0:\n            C[0] = X[i]\n",
           "always");
    expect("X",
           "    for i in range(64):\n        X[I[i]] = 1.0\n    for i in range(64):\n"
           "        C[0] = X[i]\n",
           "none");
    expect("X",
           "    for i in range(64):\n        if I[i] > 0:\n            break\n"
           "        X[i] = X[i] + 1.0\n",
           "always");
    expect("X", "    T.call_extern(\"int32\", \"f\", X.data)\n    C[0] = X[0]\n", "none");
    expect("X", "    assert k > 0, \"size\"\n    C[0] = X[0]\n    X[0] = 1.0\n", " for k = 1");
}

/* ---- random kernels ---- */

/* Does @read, an access of the run, see an element in the iteration that is named which nothing has written? */
static bool is_unset(const struct run *run, const struct access_unset *unset)
{
    const struct event *e = run->first[unset->read - run->list->items];

    for (; e; e = e->next) {
        bool is_it = true, is_written = false;

        for (unsigned i = 0; i < unset->var_count; i++) {
            int64_t min = access_loop_at(unset->read->frame, i)->min->int_value;

            is_it &= min + e->iteration[i] == unset->values[i];
        }
        for (const struct event *w = run->events; w < e; w++)
            is_written |= w->is_write && w->param == e->param && w->element == e->element;
        if (is_it && !is_written)
            return true;
    }
    return false;
}

/* Some read sees such an element. */
static bool has_unset(const struct run *run, int param)
{
    for (unsigned i = 0; i < run->count; i++) {
        bool is_written = run->events[i].is_write || run->events[i].param != param;

        for (unsigned k = 0; k < i; k++)
            is_written |= run->events[k].is_write && run->events[k].param == param &&
                          run->events[k].element == run->events[i].element;
        if (!is_written)
            return true;
    }
    return false;
}

static void check_kernel(void *state, struct trial *trial)
{
    unsigned *counts = state;
    const struct tir_func *func = trial->k.func;

    for (unsigned i = 0; i < 2; i++) {
        struct access_unset unset = access_find_unset(&trial->cache, func, func->params[i].buffer);
        bool is_real = has_unset(&trial->run, (int)i);

        assert_true(is_real || !unset.read || unset.is_always);
        counts[unset.read ? 0 : is_real ? 1 : 2]++;
        if (unset.read && !unset.is_always && !is_unset(&trial->run, &unset))
            fail_msg("\n%s\nis written before it is read", trial->text);
    }
}

static void test_random(void **state)
{
    struct event *events = calloc(EVENT_LIMIT, sizeof(events[0]));
    unsigned counts[3] = {0};

    for (unsigned i = 1; i <= KERNELS; i++) {
        struct writer w = {.seed = i * 104729, .stmts = 4, .extent = 5};

        if (i % 2)
            text_puts(&w.text, "    for z in range(5):\n        X[z] = 0.0\n");
        trial_of(&w, "X: T.Buffer((5,), \"float32\"), Y: T.Buffer((5, 5), \"float32\")", events,
                 check_kernel, counts);
    }
    free(events);
    print_message("# %u found, %u missed, %u have none\n", counts[0], counts[1], counts[2]);
    assert_true(counts[0] > KERNELS / 4);
    assert_true(counts[1] < KERNELS / 20);
    assert_true(counts[2] > KERNELS / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_random),
    };

    return cmocka_run_group_tests_name("unset", tests, NULL, NULL);
}
