/*
 * What is said of kernels on shared storage against the checker of storage, which has its own
 * means, and both against all that happens in random kernels.
 */
#include "analysis/access/share.h"
#include "analysis/verify_storage/verify_storage.h"
#include "tests/unit/kernel_events.h"

#include <stdlib.h>

enum { KERNELS = 1500 };

/* ---- a kernel that is called on one storage ---- */

struct fixture {
    struct kernels k; /* its module has a caller of the kernel, too */
    struct access_cache cache;
    struct run run;
};

static void start_text(struct fixture *f, const char *params, const char *body, const char *caller)
{
    struct text text = {0};

    *f = (struct fixture){.k = {.context = ir_context_create(), .diag = diag_create()}};
    ops_register(f->k.context);
    text_printf(&text,
                "from tvm.script import ir as I\nfrom tvm.script import relax as R\n"
                "from tvm.script import tirx as T\n@I.ir_module\nclass Module:\n"
                "    @T.prim_func(s_tir=True)\n    def f(%s):\n%s%s",
                params, body, caller);
    const char *script = arena_copy_text(&f->k.arena, text_string(&text), text.length);
    f->k.module = frontend_parse(f->k.context, f->k.diag,
                                 source_new(&f->k.arena, "t.py", script, strlen(script)));
    text_finish(&text);
    if (!f->k.module) {
        struct text out = {0};

        diag_print(f->k.diag, DIAG_FORMAT_SHORT, false, &out);
        fail_msg("\n%s\n%s", script, text_string(&out));
    }
    for (size_t i = 0; i < f->k.module->global_count; i++)
        if (f->k.module->globals[i]->kind == IR_GLOBAL_KERNEL)
            f->k.func = f->k.module->globals[i]->kernel;
}

static void start_kernel(struct fixture *f, const char *params, const char *body)
{
    start_text(f, params, body, "");
}

static void start(struct fixture *f, const char *params, const char *type, const char *body)
{
    char caller[1000];

    snprintf(caller, sizeof(caller),
             "    @R.function\n    def main(x: R.Tensor(%s, \"float32\")):\n"
             "        cls = Module\n        t = R.add(x, x)\n"
             "        y = R.call_tir_inplace(cls.f, (t, t), inplace_indices=[0],"
             " out_ty=R.Tensor(%s, \"float32\"))\n        return y\n",
             type, type);
    start_text(f, params, body, caller);
}

static void finish(struct fixture *f)
{
    access_cache_finish(&f->cache);
    kernels_finish(&f->k);
}

static bool analysis_allows(struct fixture *f)
{
    struct access_share share = access_may_share(&f->cache, f->k.func, 0, 1);

    return access_share_is_legal(&share);
}

static bool checker_accepts(struct fixture *f)
{
    struct verify_storage_refusals refusals = {0};
    bool is_fine = verify_storage(f->k.module, VERIFY_STORAGE_RESOLVED, &refusals);

    if (!is_fine)
        assert_string_equal(verify_storage_fault_name(refusals.items[0].fault),
                            verify_storage_fault_name(VERIFY_STORAGE_WRITES_OTHER));
    verify_storage_finish(&refusals);
    return is_fine;
}

/* ---- by hand ---- */

static void both_say(bool is_right, const char *params, const char *type, const char *body)
{
    struct fixture f;

    start(&f, params, type, body);
    if (analysis_allows(&f) != is_right)
        fail_msg("\n%sis %s", body, is_right ? "right, which is not known" : "wrong");
    if (checker_accepts(&f) != is_right)
        fail_msg("\n%sis %s by the checker", body, is_right ? "refused" : "accepted");
    finish(&f);
}

static void line(bool is_right, const char *body)
{
    both_say(is_right, "X: T.Buffer((64,), \"float32\"), Z: T.Buffer((64,), \"float32\")", "(64,)",
             body);
}

static void rows(bool is_right, const char *body)
{
    char text[4000];

    snprintf(text, sizeof(text), "        n = T.int64()\n%s", body);
    both_say(is_right, "A: T.Buffer((\"n\", 64), \"float32\"), B: T.Buffer((n, 64), \"float32\")",
             "(\"n\", 64)", text);
}

static void test_loops(void **state)
{
    line(true, "        for i in range(63):\n            X[i] = Z[i + 1]\n");
    line(false, "        for i in range(63):\n            X[i + 1] = Z[i]\n");
    line(true, "        for i in range(63):\n            X[62 - i + 1] = Z[62 - i]\n");
    line(true, "        for i in range(0, 60, step=4):\n            X[i + 2] = Z[i + 3]\n");
    line(true, "        for i in T.parallel(64):\n            X[i] = Z[i] + 1.0\n");
    line(true, "        for i in T.vectorized(64):\n            X[i] = Z[i] + 1.0\n");
    /* neighbours have no order, but lanes read before they write */
    line(false, "        for i in T.parallel(63):\n            X[i] = Z[i + 1]\n");
    line(true, "        for i in T.vectorized(63):\n            X[i] = Z[i + 1]\n");
    line(false, "        for i in T.vectorized(63):\n            X[i + 1] = Z[i]\n");
    line(false, "        for i in T.vectorized(31):\n            X[i] = 1.0\n"
                "            X[i + 32] = Z[i + 1]\n");
    line(false, "        for i in T.parallel(8):\n            for j in range(7):\n"
                "                X[i * 8 + j] = Z[i * 8 + j + 1] + Z[(i * 8 + 8) % 64]\n");
    line(true, "        for i in T.parallel(8):\n            for j in range(7):\n"
               "                X[i * 8 + j] = Z[i * 8 + j + 1]\n");
    line(true, "        for i in range(8):\n            for j in T.vectorized(7):\n"
               "                X[i * 8 + j] = Z[i * 8 + j + 1]\n");
    line(false, "        for i in T.vectorized(7):\n            for j in range(8):\n"
                "                X[i * 8 + j] = Z[i * 8 + 15 - j]\n");
    line(true, "        for i in range(7):\n            for j in T.vectorized(8):\n"
               "                X[i * 8 + j] = Z[i * 8 + j + 8]\n");
    line(true, "        for i in T.parallel(32):\n            X[i] = Z[i + 32]\n");
}

/* Conditions, T.min and T.max, loops over parts, quotients. */
static void test_conditions(void **state)
{
    line(true, "        for i in range(64):\n            X[i] = T.if_then_else(i < 63, "
               "Z[T.min(i + 1, 63)], 0.0)\n");
    line(false, "        for i in range(64):\n            X[i] = T.if_then_else(i > 0, "
                "Z[T.max(i - 1, 0)], 0.0)\n");
    line(true, "        for i in range(64):\n            X[63 - i] = T.if_then_else(63 - i > 0, "
               "Z[T.max(62 - i, 0)], 0.0)\n");
    line(true, "        for i in range(64):\n            if i % 2 == 0:\n"
               "                X[i] = Z[i + 1]\n");
    line(true, "        for i in T.parallel(64):\n            if i < 32:\n"
               "                X[i] = Z[i + 32]\n");
    line(false, "        for i in T.parallel(64):\n            if i <= 32:\n"
                "                X[i] = Z[T.min(i + 32, 63)]\n");
    line(true, "        for i in range(64):\n            if i < 3 or i > 60:\n"
               "                X[i] = Z[T.min(i + 3, 63)]\n");
    line(true, "        for i in range(8):\n            for j in range(i):\n"
               "                X[i * 8 + j] = Z[j * 8 + i]\n");
    line(false, "        for i in range(8):\n            for j in range(i + 1, 8):\n"
                "                X[i * 8 + j] = Z[j * 8 + i] + Z[i * 8 + j - 1]\n");
    line(true, "        for i in range(64):\n            X[i // 2] = Z[i]\n");
    line(false, "        for i in range(64):\n            X[i] = Z[i // 2]\n");
    line(true, "        for i in range(32):\n            X[(i * 2 + 1) % 64] = Z[i * 2 % 64]\n");
    /* the size is open */
    rows(true, "        for i, j in T.grid(n, 64):\n            if i + 1 < n:\n"
               "                A[i, j] = B[i + 1, j]\n");
    rows(false, "        for i, j in T.grid(n, 64):\n            if i > 0:\n"
                "                A[i, j] = B[i - 1, j]\n");
}

static void test_nothing_runs(void **state)
{
    line(true, "        for i in range(0):\n            X[i] = 0.0\n"
               "        for i in range(64):\n            X[i] = Z[i]\n");
    line(false, "        for i in range(1):\n            X[i] = 0.0\n"
                "        for i in range(64):\n            X[i] = Z[i]\n");
}

static void test_rows(void **state)
{
    rows(true,
         "        for i in T.parallel(n):\n            s = T.alloc_buffer((1,), \"float32\")\n"
         "            s[0] = 0.0\n            for j in range(64):\n"
         "                s[0] = s[0] + B[i, j]\n            for j in range(64):\n"
         "                A[i, j] = B[i, j] / s[0]\n");
    rows(false,
         "        for i in T.parallel(n - 1):\n            s = T.alloc_buffer((1,), \"float32\")\n"
         "            s[0] = 0.0\n            for j in range(64):\n"
         "                s[0] = s[0] + B[i + 1, j]\n            for j in range(64):\n"
         "                A[i, j] = B[i, j] / s[0]\n");
    rows(true, "        for i in range(n - 1):\n            s = T.alloc_buffer((1,), \"float32\")\n"
               "            s[0] = 0.0\n            for j in range(64):\n"
               "                s[0] = s[0] + B[i + 1, j]\n            for j in range(64):\n"
               "                A[i, j] = B[i, j] / s[0]\n");
    rows(false, "        for i in range(n):\n            for j in range(64):\n"
                "                A[i, j] = 0.0\n            for j in range(64):\n"
                "                A[i, j] = A[i, j] + B[i, j]\n");
}

/* ---- random kernels ---- */

static bool has_order(const struct access_frame *loop)
{
    return loop->stmt->loop.kind == TIR_SERIAL;
}

/* May the read come after the write, in some order that the loops from number @from on allow? */
static bool may_follow(const struct access *write, const struct event *w, const struct access *read,
                       const struct event *r, unsigned from)
{
    unsigned common = access_common_loops(write, read);

    for (unsigned i = from; i < common; i++) {
        const struct access_frame *loop = access_loop_at(write->frame, i);
        bool is_later = w->iteration[i] < r->iteration[i];

        if (w->iteration[i] == r->iteration[i])
            continue;
        if (has_order(loop) || is_later)
            return is_later;
        /* lanes do what is in the loop together */
        return loop->stmt->loop.kind != TIR_VECTORIZED || may_follow(write, w, read, r, i + 1);
    }
    return write < read;
}

/* What X and Z have in common. */
struct layout {
    int64_t size, shift; /* of elements of Z; of its begin behind that of X */
};

static bool touch(const struct layout *layout, const struct event *w, const struct event *r)
{
    int64_t written = w->element * 4, read = layout->shift + r->element * layout->size;

    return written < read + layout->size && read < written + 4;
}

static bool meet_badly(const struct run *run, const struct layout *layout, size_t write,
                       size_t read)
{
    const struct access *items = run->list->items;

    for (const struct event *w = run->first[write]; w; w = w->next)
        for (const struct event *r = run->first[read]; r; r = r->next)
            if (touch(layout, w, r) && may_follow(&items[write], w, &items[read], r, 0))
                return true;
    return false;
}

/* May a read of Z follow a write of its element of X? */
static bool has_hazard(const struct run *run, const struct layout *layout)
{
    for (size_t i = 0; i < run->list->count; i++)
        for (size_t k = 0; k < run->list->count; k++)
            if (run->list->items[i].kind == ACCESS_WRITE &&
                run->list->items[k].kind == ACCESS_READ && run->list->items[k].param == 1 &&
                meet_badly(run, layout, i, k))
                return true;
    return false;
}

struct tally {
    unsigned legal, accepted, hazards, refused;
};

static void compare(struct fixture *f, const char *body, struct tally *tally)
{
    bool is_legal = analysis_allows(f), is_accepted = checker_accepts(f);
    bool is_wrong = has_hazard(&f->run, &(struct layout){.size = 4});

    if (is_wrong && (is_legal || is_accepted))
        fail_msg("\n%sis wrong, but %s", body, is_legal ? "called legal" : "accepted");
    tally->legal += is_legal;
    tally->accepted += is_accepted;
    tally->hazards += is_wrong;
    tally->refused += is_legal && !is_accepted;
}

static struct tally check_kernels(bool is_affine)
{
    struct event *events = calloc(EVENT_LIMIT, sizeof(events[0]));
    struct tally tally = {0};

    for (unsigned seed = 1; seed <= KERNELS; seed++) {
        struct writer w = {.seed = seed * 7919,
                           .shares = true,
                           .stmts = 5,
                           .is_affine = is_affine,
                           .has_kinds = seed % 3 == 0};
        struct fixture f;

        write_body(&w, 2);
        start(&f, "X: T.Buffer((64,), \"float32\"), Z: T.Buffer((64,), \"float32\")", "(64,)",
              text_string(&w.text));
        f.run = (struct run){.events = events, .list = access_of(&f.cache, f.k.func)};
        if (f.run.list->count <= ACCESS_LIMIT && run_stmt(&f.run, f.k.func->body))
            compare(&f, text_string(&w.text), &tally);
        finish(&f);
        text_finish(&w.text);
    }
    free(events);
    print_message("# %u legal, %u accepted, %u wrong, %u legal and refused\n", tally.legal,
                  tally.accepted, tally.hazards, tally.refused);
    return tally;
}

static void test_random(void **state)
{
    struct tally affine = check_kernels(true), any = check_kernels(false);

    assert_true(affine.legal > KERNELS / 10 && affine.hazards > KERNELS / 10);
    assert_true(any.accepted > KERNELS / 100 && any.hazards > KERNELS / 10);
    assert_true(affine.refused * 50 < affine.legal && any.refused * 20 < any.legal);
}

/* ---- other dtypes, and other places of one storage ---- */

static void compare_bytes(struct fixture *f, const struct layout *layout, const char *body,
                          struct tally *tally)
{
    struct access_share share = access_may_share_shifted(&f->cache, f->k.func, 0, 1, layout->shift);
    bool is_legal = access_share_is_legal(&share), is_wrong = has_hazard(&f->run, layout);
    bool is_accepted = verify_storage_may_share(f->k.module, f->k.func, 0, 1, layout->shift);

    if (is_wrong && (is_legal || is_accepted))
        fail_msg("\n%sis wrong with elements of %d bytes from byte %d on, but %s", body,
                 (int)layout->size, (int)layout->shift, is_legal ? "called legal" : "accepted");
    if (share.kind == ACCESS_SHARE_NONE && !is_wrong)
        fail_msg("\n%sis right with elements of %d bytes from byte %d on, but called wrong", body,
                 (int)layout->size, (int)layout->shift);
    tally->legal += is_legal;
    tally->accepted += is_accepted;
    tally->hazards += is_wrong;
    tally->refused += is_legal && !is_accepted;
}

static void test_bytes(void **state)
{
    static const char *const dtypes[] = {"int8", "float16", "int32", "float64"};
    struct event *events = calloc(EVENT_LIMIT, sizeof(events[0]));
    struct tally tally = {0};

    for (unsigned seed = 1; seed <= KERNELS; seed++) {
        struct layout layout = {.size = 1 << seed % 4};
        int64_t room = 64 * (4 - layout.size) / layout.size;
        struct writer w = {.seed = seed * 7919, .shares = true, .stmts = 5};
        struct fixture f;
        char params[200];

        w.is_affine = pick(&w, 3) > 0;
        w.has_kinds = pick(&w, 3) == 0;
        w.has_casts = true;
        unsigned place = pick(&w, 4);
        layout.shift = layout.size * (place == 0   ? 0
                                      : place == 1 ? room
                                      : room == 0  ? 0
                                                   : (int64_t)pick(&w, 64) * room / 64);
        write_body(&w, 2);
        snprintf(params, sizeof(params),
                 "X: T.Buffer((64,), \"float32\"), Z: T.Buffer((64,), \"%s\")", dtypes[seed % 4]);
        start_kernel(&f, params, text_string(&w.text));
        f.run = (struct run){.events = events, .list = access_of(&f.cache, f.k.func)};
        if (f.run.list->count <= ACCESS_LIMIT && run_stmt(&f.run, f.k.func->body))
            compare_bytes(&f, &layout, text_string(&w.text), &tally);
        finish(&f);
        text_finish(&w.text);
    }
    free(events);
    print_message("# by bytes: %u legal, %u accepted, %u wrong, %u legal and refused\n",
                  tally.legal, tally.accepted, tally.hazards, tally.refused);
    assert_true(tally.legal > KERNELS / 10 && tally.hazards > KERNELS / 10);
    assert_true(tally.refused * 20 < tally.legal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loops),        cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_nothing_runs), cmocka_unit_test(test_rows),
        cmocka_unit_test(test_random),       cmocka_unit_test(test_bytes),
    };

    return cmocka_run_group_tests_name("share checker", tests, NULL, NULL);
}
