/* Loop passes take a rewritten kernel back that could not run on the storage that calls share. */
#include "frontend/frontend.h"
#include "ops/ops.h"
#include "passes/loop/loop.h"
#include "tests/unit/test.h"

#include <stdio.h>
#include <string.h>

struct fixture {
    struct arena arena;
    struct ir_context *context;
    struct diag *diag;
    struct ir_module *module;
};

/*
 * `f` is what a pass finds; the other bodies are what it might make of it.  `late` reads an element of x
 * that an iteration before has written, if x and y are one storage; `split` reads and writes as `f` does.
 * What follows them calls `f`.
 */
static const char kernels[] =
    "from tvm.script import ir as I\n"
    "from tvm.script import relax as R\n"
    "from tvm.script import tirx as T\n"
    "@I.ir_module\n"
    "class M:\n"
    "    @T.prim_func\n"
    "    def f(x: T.Buffer((64,), \"float32\"), y: T.Buffer((64,), \"float32\")):\n"
    "        for i in range(64):\n"
    "            y[i] = x[i] + T.float32(1)\n"
    "    @T.prim_func\n"
    "    def late(x: T.Buffer((64,), \"float32\"), y: T.Buffer((64,), \"float32\")):\n"
    "        for i in range(64):\n"
    "            y[i] = x[63 - i] + T.float32(1)\n"
    "    @T.prim_func\n"
    "    def split(x: T.Buffer((64,), \"float32\"), y: T.Buffer((64,), \"float32\")):\n"
    "        for i, j in T.grid(8, 8):\n"
    "            y[i * 8 + j] = x[i * 8 + j] + T.float32(1)\n";

static const char caller[] =
    "    @R.function\n"
    "    def main(a: R.Tensor((64,), \"float32\"), b: R.Tensor((64,), \"float32\")):\n"
    "        R.func_attr({\"relax.inplace_arg\": [0, 1]})\n"
    "        v = R.reshape(a, R.shape([64]))\n"
    "        y = %s\n"
    "        return y\n";

static const char shared[] =
    "R.call_tir_inplace(M.f, (a, a), inplace_indices=[1], out_ty=R.Tensor((64,), \"float32\"))";
static const char seen_twice[] =
    "R.call_tir_inplace(M.f, (v, a), inplace_indices=[1], out_ty=R.Tensor((64,), \"float32\"))";
static const char apart[] =
    "R.call_tir_inplace(M.f, (a, b), inplace_indices=[1], out_ty=R.Tensor((64,), \"float32\"))";
static const char out_of_place[] = "R.call_tir(M.f, (a,), out_ty=R.Tensor((64,), \"float32\"))";

static struct tir_func *kernel(struct fixture *f, const char *name)
{
    for (size_t i = 0; i < f->module->global_count; i++)
        if (strcmp(f->module->globals[i]->name, name) == 0)
            return f->module->globals[i]->kernel;
    fail_msg("no kernel %s", name);
    return NULL;
}

struct replace {
    struct fixture *fixture;
    const char *to;
};

/* The body of kernel @to over the buffers of `f`. */
static struct tir_stmt *replace(void *state, const struct tir_func *func)
{
    const struct replace *r = state;
    const struct tir_func *from = kernel(r->fixture, r->to);
    struct loop_names names = {.fresh = true};

    if (func != kernel(r->fixture, "f"))
        return func->body;
    for (unsigned i = 0; i < func->param_count; i++)
        map_set(&names.buffers, from->params[i].buffer, func->params[i].buffer);
    struct tir_stmt *body = loop_copy(func->module, &names, from->body);
    loop_names_finish(&names);
    return body;
}

static void assert_taken(const char *call, const char *to, bool is_taken)
{
    struct fixture f = {.context = ir_context_create(), .diag = diag_create()};
    char script[6000];
    size_t length = strlen(kernels);

    ops_register(f.context);
    memcpy(script, kernels, length + 1);
    if (call)
        snprintf(script + length, sizeof(script) - length, caller, call);
    f.module =
        frontend_parse(f.context, f.diag, source_new(&f.arena, "t.py", script, strlen(script)));
    assert_non_null(f.module);
    struct replace r = {.fixture = &f, .to = to};
    struct pass_run run = {.module = f.module, .diag = f.diag};
    struct loop_sharing sharing = {.module = f.module};
    struct tir_func *func = kernel(&f, "f");
    struct tir_stmt *old = func->body, *body = replace(&r, func);

    assert_ptr_not_equal(body, old);
    assert_int_equal(loop_keeps_sharing(&sharing, func, body), is_taken);
    assert_int_equal(loop_rewrite_kernels(&run, replace, &r),
                     is_taken ? PASS_CHANGED : PASS_UNCHANGED);
    assert_int_equal(func->body != old, is_taken);
    /* what was not known to be right before may be anything */
    func->body = replace(&(struct replace){.fixture = &f, .to = "late"}, func);
    assert_true(loop_keeps_sharing(&sharing, func, replace(&r, func)));
    loop_sharing_finish(&sharing);
    ir_module_destroy(f.module);
    diag_destroy(f.diag);
    ir_context_destroy(f.context);
    arena_finish(&f.arena);
}

static void test_lost(void **state)
{
    assert_taken(shared, "late", false);
    assert_taken(seen_twice, "late", false);
}

static void test_kept(void **state)
{
    assert_taken(shared, "split", true);
    assert_taken(seen_twice, "split", true);
}

/* What no call gives shared storage may be scheduled as if there were none. */
static void test_nothing_shared(void **state)
{
    assert_taken(apart, "late", true);
    assert_taken(out_of_place, "late", true);
    assert_taken(NULL, "late", true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lost),
        cmocka_unit_test(test_kept),
        cmocka_unit_test(test_nothing_shared),
    };

    return cmocka_run_group_tests_name("loop proofs", tests, NULL, NULL);
}
