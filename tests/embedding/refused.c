/*
 * Code generators that refuse or are misled, in a program that sees only what is installed: what the library does
 * about it.  Prints TAP.
 *
 * usage: refused REFUSING MISLED
 */
#include "tests/embedding/calls.h"

static const char promised[] = APPEND_SO(", strict=True", TENSOR, "new");
static const char asserted[] = APPEND(TENSOR, "R.assert_inplace(new)");

/* With a code generator (at @path) whose checker takes no update in place: the same numbers, and a warning. */
static void apart(const char *path)
{
    struct inlay_options options;
    inlay_options_init(&options);
    options.code_generator = path;
    for (int is_changed = 0; is_changed < 2; is_changed++) {
        struct inlay_session *session = inlay_session_create(&options);
        struct inlay_module *module = parse(session, plain);
        const struct inlay_diagnostic *items;
        const struct inlay_decision *decisions;
        const struct inlay_value *results;
        struct arguments arguments = make_arguments(5);
        assert_true(!is_changed || inlay_module_run_passes(module, "LegalizeOps,FuseTIR"));
        assert_true(inlay_module_run_passes(module, NULL) && inlay_module_compile(module));
        assert_int_equal(inlay_diagnostics(session, &items), 1);
        assert_int_equal(items[0].code, 690);
        assert_int_equal(items[0].severity, INLAY_WARNING);
        assert_int_equal(items[0].note_count, 1);
        assert_int_equal(inlay_module_decisions(module, &decisions), 1);
        assert_false(decisions[0].is_inplace);
        struct inlay_run *run = inlay_module_call(module, NULL, arguments.items, 3);
        assert_non_null(run);
        assert_int_equal(inlay_run_results(run, &results), 1);
        assert_ptr_not_equal(results[0].tensor->data, arguments.items[0].tensor->data);
        assert_true(at(&results[0], 5 * 4) == 100);
        inlay_session_destroy(session);
        drop_arguments(&arguments);
    }
}

/* The same where a copy would break a promise: the refusal is what there is. */
static void stays_refused(const char *path, const char *text, enum inlay_inplace mode)
{
    struct inlay_options options;
    inlay_options_init(&options);
    options.code_generator = path;
    options.inplace = mode;
    struct inlay_session *session = inlay_session_create(&options);
    struct inlay_module *module = parse(session, text);
    const struct inlay_diagnostic *items;
    assert_true(inlay_module_run_passes(module, NULL));
    assert_false(inlay_module_compile(module));
    size_t count = inlay_diagnostics(session, &items);
    assert_int_equal(count, 2);
    assert_int_equal(items[0].code, 317);
    assert_int_equal(items[1].code, 689);
    assert_false(inlay_module_compile(parse(session, plain))); /* passes must come first */
    count = inlay_diagnostics(session, &items);
    for (size_t i = 0; i < count; i++)
        assert_int_not_equal(items[i].code, 690);
    inlay_session_destroy(session);
}

static const char *refusing, *misled; /* arguments of the program */

static void promises_are_kept(void **state)
{
    stays_refused(refusing, plain, INLAY_INPLACE_STRICT);
    stays_refused(refusing, promised, INLAY_INPLACE_AUTO);
    stays_refused(refusing, asserted, INLAY_INPLACE_AUTO);
}

/* A function returns two parts of what it made; the second is updated from the first, @step elements behind it. */
#define PARTS(step)                                                                         \
    HEAD "    @T.prim_func(private=True)\n"                                                 \
         "    def into(a: T.Buffer((8,), \"float32\"), b: T.Buffer((8,), \"float32\")):\n"  \
         "        for i in range(8):\n"                                                     \
         "            b[i] = b[i] + a[i]\n"                                                 \
         "    @R.function(private=True)\n"                                                  \
         "    def cut(x: R.Tensor((16,), \"float32\")):\n"                                  \
         "        w = R.exp(x)\n"                                                           \
         "        b = R.memory.view(w, R.shape([8]), R.dtype(\"float32\"), 0)\n"            \
         "        a = R.memory.view(w, R.shape([8]), R.dtype(\"float32\"), 4 * " step ")\n" \
         "        return (a, b)\n"                                                          \
         "    @R.function\n"                                                                \
         "    def main(x: R.Tensor((16,), \"float32\")):\n"                                 \
         "        t = Module.cut(x)\n"                                                      \
         "        a = t[0]\n"                                                               \
         "        b = t[1]\n"                                                               \
         "        return R.call_tir_inplace(Module.into, (a, b), inplace_indices=[1],\n"    \
         "                                  out_ty=R.Tensor((8,), \"float32\"), strict=True)\n"

/* The error of a call with the code generator @path; 0: none. */
static unsigned error_of_call(const char *path, const char *text)
{
    struct inlay_options options;
    inlay_options_init(&options);
    options.code_generator = path;
    struct inlay_session *session = inlay_session_create(&options);
    struct inlay_module *module = parse(session, text);
    struct inlay_value x = make(1, 1, 16, 0);
    assert_true(inlay_module_run_passes(module, NULL) && inlay_module_compile(module));
    struct inlay_run *run = inlay_module_call(module, NULL, &x, 1);
    unsigned code = error_code(session);
    assert_true(!run == (code != 0));
    inlay_run_destroy(run);
    inlay_session_destroy(session);
    inlay_tensor_destroy(x.tensor);
    return code;
}

static void places_are_compared(void **state)
{
    static const char apart[] = PARTS("8"), near[] = PARTS("4"), nearer[] = PARTS("2");
    assert_int_equal(error_of_call(misled, apart), 336);
    assert_int_equal(error_of_call(misled, near), 336);   /* taken for apart */
    assert_int_equal(error_of_call(misled, nearer), 336); /* taken for further behind */
    assert_int_equal(error_of_call(NULL, apart), 0);
    assert_int_equal(error_of_call(NULL, near), 0);
    assert_int_equal(error_of_call(NULL, nearer), 0);
}

static void refused_modules_run_apart(void **state)
{
    apart(refusing);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refused_modules_run_apart),
        cmocka_unit_test(promises_are_kept),
        cmocka_unit_test(places_are_compared),
    };

    if (argc < 3)
        return 2;
    refusing = argv[1];
    misled = argv[2];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
