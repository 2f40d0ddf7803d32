/* Loop passes take a rewritten kernel back where less is known of its in-place updates than before. */
#include "frontend/frontend.h"
#include "ops/ops.h"
#include "passes/loop/loop.h"
#include "tests/unit/test.h"

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
 */
static const char script[] =
    "from tvm.script import ir as I\n"
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

static void assert_taken(const char *to, bool is_taken)
{
    struct fixture f = {.context = ir_context_create(), .diag = diag_create()};

    ops_register(f.context);
    f.module =
        frontend_parse(f.context, f.diag, source_new(&f.arena, "t.py", script, strlen(script)));
    assert_non_null(f.module);
    struct replace r = {.fixture = &f, .to = to};
    struct pass_run run = {.module = f.module, .diag = f.diag};
    struct tir_func *func = kernel(&f, "f");
    struct tir_stmt *old = func->body;
    struct tir_func after = *func;

    after.body = replace(&r, func);
    assert_ptr_not_equal(after.body, old);
    assert_int_equal(loop_keeps_inplace_proofs(func, &after), is_taken);
    /* where nothing was proved before, nothing is lost */
    assert_true(loop_keeps_inplace_proofs(kernel(&f, "late"), kernel(&f, "late")));
    assert_int_equal(loop_rewrite_kernels(&run, replace, &r),
                     is_taken ? PASS_CHANGED : PASS_UNCHANGED);
    assert_int_equal(func->body != old, is_taken);
    ir_module_destroy(f.module);
    diag_destroy(f.diag);
    ir_context_destroy(f.context);
    arena_finish(&f.arena);
}

static void test_lost_proof(void **state)
{
    assert_taken("late", false);
}

static void test_kept_proof(void **state)
{
    assert_taken("split", true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lost_proof),
        cmocka_unit_test(test_kept_proof),
    };

    return cmocka_run_group_tests_name("loop proofs", tests, NULL, NULL);
}
