/*
 * The public functions, one by one, in a program that sees only what is installed: tests/embedding.py
 * compiles it.  Without arguments it prints TAP; with the name of a scenario it goes that way once
 * and exits with 0, whatever fails (for short memory).
 */
#include "tests/embedding/calls.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <pthread.h>

static const char reading[] =
    APPEND("R.Tuple(" TENSOR ", " TENSOR ")", "(new, R.add(cache, cache))");
static const char wrong[] = HEAD "    @R.function\n"
                                 "    def main(x: R.Tensor((2,), \"float32\")):\n"
                                 "        y = R.reshpae(x, (1, 2))\n"
                                 "        return R.add(y, z)\n";
static const char doubling[] = HEAD "    @R.function\n"
                                    "    def main(x: R.Tensor((2,), \"float32\")):\n"
                                    "        return R.add(x, x)\n";
static const char asking[] =
    HEAD "    @R.function(pure=False)\n"
         "    def main(x: R.Tensor((2,), \"float32\")) -> R.Tensor((2,), \"float32\"):\n"
         "        _ = R.print(x, format=\"it is {}\")\n"
         "        y = R.call_packed(\"twice\", x, ty_args=[R.Tensor((2,), \"float32\")])\n"
         "        return y\n";

/* ---- diagnostics ---- */

static void mistakes_are_values(void **state)
{
    struct inlay_session *session = inlay_session_create(NULL);
    const struct inlay_diagnostic *items;

    assert_null(parse(session, wrong));
    assert_int_equal(inlay_session_state(session), INLAY_READY);
    assert_int_equal(inlay_diagnostics(session, &items), 2);
    assert_int_equal(items[0].severity, INLAY_ERROR);
    assert_string_equal(items[0].place.file, "test.py");
    assert_int_equal(items[0].place.line, 9);
    assert_int_equal(items[0].place.column, 13);
    assert_int_equal(items[0].place.end_column, 22);
    assert_non_null(strstr(items[0].message, "reshpae"));
    assert_true(items[0].code > 0);
    assert_true(items[0].note_count > 0);
    assert_int_equal(items[0].notes[0].kind, INLAY_HELP);
    assert_non_null(strstr(items[0].notes[0].text, "reshape"));
    assert_int_equal(items[1].place.line, 10);
    assert_non_null(strstr(inlay_diagnostics_text(session, INLAY_FORMAT_TEXT), "--> test.py:9:13"));
    assert_non_null(strstr(inlay_diagnostics_text(session, INLAY_FORMAT_JSON), "reshpae"));
    inlay_diagnostics_clear(session);
    assert_int_equal(inlay_diagnostics(session, &items), 0);

    /* and the session is as good as before */
    assert_null(inlay_parse_file(session, "/no/such/file.py"));
    assert_int_equal(inlay_diagnostics(session, &items), 1);
    assert_int_equal(items[0].place.line, 0);
    assert_non_null(parse(session, plain));
    inlay_session_destroy(session);
}

/* ---- passes and decisions ---- */

static void decisions_say_why(void **state)
{
    struct inlay_session *session = inlay_session_create(NULL);
    struct inlay_module *good = parse(session, plain), *bad = parse(session, reading);
    const struct inlay_decision *items;

    assert_int_equal(inlay_module_decisions(good, &items), 0);
    assert_true(inlay_module_run_passes(good, NULL));
    assert_true(inlay_module_run_passes(bad, "LegalizeOps,ResolveInplace"));
    assert_int_equal(inlay_module_decisions(good, &items), 1);
    assert_true(items[0].is_inplace);
    assert_string_equal(items[0].code, "IP000");
    assert_string_equal(items[0].function, "main");
    assert_string_equal(items[0].value, "cache");
    assert_string_equal(items[0].bytes, "128");
    assert_int_equal(items[0].blocking.line, 0);
    assert_int_equal(inlay_module_decisions(bad, &items), 1);
    assert_false(items[0].is_inplace);
    assert_string_equal(items[0].verdict, "copy");
    assert_string_equal(items[0].code, "IP001");
    assert_int_equal(items[0].call.line, 18);
    assert_int_equal(items[0].blocking.line, 20);
    assert_non_null(strstr(inlay_module_text(bad), "R.copy"));
    inlay_session_destroy(session);
}

static void strict_refuses(void **state)
{
    struct inlay_options options;

    inlay_options_init(&options);
    options.inplace = INLAY_INPLACE_STRICT;
    struct inlay_session *session = inlay_session_create(&options);
    struct inlay_module *module = parse(session, reading);

    assert_false(inlay_module_run_passes(module, NULL));
    assert_int_equal(error_code(session), 301);
    /* the module is lost, the session is not */
    assert_null(inlay_module_text(module));
    assert_false(inlay_module_compile(module));
    assert_null(inlay_module_signature(module, NULL));
    inlay_module_destroy(module);
    assert_true(inlay_module_run_passes(parse(session, plain), NULL));
    inlay_session_destroy(session);
}

static void targets_are_named(void **state)
{
    struct inlay_options options;

    inlay_options_init(&options);
    options.cpu = "x86-64";
    struct inlay_session *session = inlay_session_create(&options);
    struct inlay_module *module = parse(session, doubling);
    assert_true(inlay_module_run_passes(module, NULL) && inlay_module_compile(module));
    inlay_session_destroy(session);

    options.cpu = "pentium";
    session = inlay_session_create(&options);
    assert_false(inlay_module_run_passes(parse(session, doubling), NULL));
    assert_int_equal(error_code(session), 719);
    inlay_session_destroy(session);
}

static void passes_must_come_first(void **state)
{
    struct inlay_session *session = inlay_session_create(NULL);
    struct inlay_module *module = parse(session, doubling);
    const struct inlay_diagnostic *items;

    assert_false(inlay_module_compile(module));
    assert_int_equal(inlay_diagnostics(session, &items), 1);
    assert_non_null(strstr(inlay_diagnostics_text(session, INLAY_FORMAT_SHORT), "lowered"));
    assert_true(inlay_module_run_passes(module, NULL));
    assert_true(inlay_module_compile(module));
    assert_true(inlay_module_run_passes(module, "DeadCodeElimination")); /* drops the code */
    struct inlay_value x = make(1, 1, 2, 3);
    struct inlay_run *run = inlay_module_call(module, NULL, &x, 1); /* makes it again */
    assert_non_null(run);
    inlay_tensor_destroy(x.tensor);
    inlay_session_destroy(session);
}

/* ---- calls ---- */

static void calls_work_in_place(void **state)
{
    struct inlay_session *session = inlay_session_create(NULL);
    struct inlay_module *module = parse(session, plain), *other = parse(session, doubling);
    const struct inlay_value *results;

    assert_true(inlay_module_run_passes(module, NULL) && inlay_module_compile(module));
    assert_true(inlay_module_run_passes(other, NULL) && inlay_module_compile(other));
    for (int64_t i = 0; i < 8; i++) {
        struct arguments arguments = make_arguments(i), same = make_arguments(i);
        struct inlay_run *run = inlay_module_call(module, "main", arguments.items, 3);
        assert_non_null(run);
        assert_int_equal(inlay_run_results(run, &results), 1);
        assert_ptr_equal(results[0].tensor->data, arguments.items[0].tensor->data);
        assert_true(at(&results[0], (size_t)i * 4) == 100);
        assert_true(inlay_run_peak_bytes(run) < 128); /* no tensor */
        struct inlay_run *meaning = inlay_module_interpret(module, "main", same.items, 3);
        assert_non_null(meaning);
        const struct inlay_value *expected;
        assert_int_equal(inlay_run_results(meaning, &expected), 1);
        assert_memory_equal(expected[0].tensor->data, results[0].tensor->data, 128);
        inlay_run_destroy(run);
        drop_arguments(&arguments);
        drop_arguments(&same);
        /* two modules of one session, their code side by side; the runs go with the modules */
        struct inlay_value x = make(1, 1, 2, (float)i);
        run = inlay_module_call(other, NULL, &x, 1);
        assert_non_null(run);
        inlay_run_results(run, &results);
        assert_true(at(&results[0], 1) == (float)(2 * i + 2));
        inlay_tensor_destroy(x.tensor);
    }
    inlay_session_destroy(session);
}

static void arguments_are_checked(void **state)
{
    struct inlay_session *session = inlay_session_create(NULL);
    struct inlay_module *module = parse(session, plain);
    const struct inlay_diagnostic *items;
    struct arguments arguments = make_arguments(3);

    assert_true(inlay_module_run_passes(module, NULL));
    assert_null(inlay_module_call(module, "main", arguments.items, 2));
    assert_null(inlay_module_interpret(module, "main", arguments.items, 2));
    assert_null(inlay_module_call(module, "nothing", arguments.items, 3));
    arguments.items[2].integer = 8; /* behind the last row */
    assert_null(inlay_module_call(module, "main", arguments.items, 3));
    assert_int_equal(inlay_diagnostics(session, &items), 3); /* both say the same of the count */
    struct inlay_value row = arguments.items[1];
    arguments.items[1] = arguments.items[0];
    assert_null(inlay_module_call(module, "main", arguments.items, 3));
    arguments.items[1] = row;
    arguments.items[2].integer = 7;
    assert_non_null(inlay_module_call(module, "main", arguments.items, 3));
    drop_arguments(&arguments);
    inlay_session_destroy(session);
}

static void signatures_name_leaves(void **state)
{
    struct inlay_session *session = inlay_session_create(NULL);
    struct inlay_module *module = parse(session, reading);
    const struct inlay_signature *signature = inlay_module_signature(module, NULL);

    assert_int_equal(signature->argument_count, 3);
    assert_string_equal(signature->arguments[0].name, "cache");
    assert_true(signature->arguments[0].is_donated);
    assert_false(signature->arguments[1].is_donated);
    assert_string_equal(signature->arguments[2].name, "pos");
    assert_non_null(strstr(signature->arguments[1].type, "(4,)"));
    assert_int_equal(signature->result_count, 2);
    assert_string_equal(signature->results[1].name, "result.1");
    inlay_session_destroy(session);
}

/* ---- what a run asks of its host ---- */

struct host {
    struct inlay_session *session;
    char line[100];
    unsigned calls;
};

static void print(void *state, const char *line)
{
    struct host *host = state;
    const struct inlay_diagnostic *items;

    snprintf(host->line, sizeof(host->line), "%s", line);
    assert_int_equal(inlay_diagnostics(host->session, &items), 0); /* calls may be nested */
}

static int32_t twice(void *handle, const struct inlay_value *args, int32_t count,
                     struct inlay_value *result)
{
    struct host *host = handle;

    host->calls++;
    for (int i = 0; i < 2; i++)
        ((float *)args[0].tensor->data)[i] *= 2;
    *result = args[0];
    return count == 1 ? 0 : -1;
}

static inlay_packed_fn *find(void *state, const char *symbol, void **out_handle)
{
    *out_handle = state;
    return strcmp(symbol, "twice") == 0 ? twice : NULL;
}

static void hosts_are_asked(void **state)
{
    struct host host = {0};
    struct inlay_options options;
    const struct inlay_value *results;

    inlay_options_init(&options);
    options.state = &host;
    options.print = print;
    options.find_packed = find;
    host.session = inlay_session_create(&options);
    struct inlay_module *module = parse(host.session, asking);
    struct inlay_value x = make(1, 1, 2, 1);
    assert_true(inlay_module_run_passes(module, NULL));
    struct inlay_run *run = inlay_module_call(module, NULL, &x, 1);
    assert_non_null(run);
    assert_int_equal(inlay_run_results(run, &results), 1);
    assert_int_equal(host.calls, 1);
    assert_string_equal(host.line, "it is [1. 2.]");
    inlay_tensor_destroy(x.tensor);
    inlay_session_destroy(host.session);
}

/* A function of the host that writes its argument, which is the caller's. */
static void memory_is_checked(void **state)
{
    struct host host = {0};
    struct inlay_options options;

    inlay_options_init(&options);
    options.state = &host;
    options.find_packed = find;
    options.checks_memory = true;
    host.session = inlay_session_create(&options);
    struct inlay_module *module = parse(host.session, asking),
                        *other = parse(host.session, doubling);
    struct inlay_value x = make(1, 1, 2, 1);
    assert_true(inlay_module_run_passes(module, NULL) && inlay_module_compile(module));
    assert_true(inlay_module_run_passes(other, NULL) && inlay_module_compile(other));
    assert_null(inlay_module_call(module, NULL, &x, 1));
    assert_int_equal(host.calls, 1);
    assert_int_equal(error_code(host.session), 812);
    assert_non_null(inlay_module_call(other, NULL, &x, 1));
    inlay_tensor_destroy(x.tensor);
    inlay_session_destroy(host.session);
}

static void memory_is_limited(void **state)
{
    struct inlay_options options;
    struct arguments arguments = make_arguments(0);

    inlay_options_init(&options);
    options.memory_limit = 100;
    struct inlay_session *session = inlay_session_create(&options);
    struct inlay_module *module = parse(session, reading);
    assert_true(inlay_module_run_passes(module, NULL));
    assert_null(inlay_module_call(module, NULL, arguments.items, 3));
    assert_int_equal(error_code(session), 806);
    assert_int_equal(inlay_session_state(session), INLAY_READY); /* that was the program's memory */
    drop_arguments(&arguments);
    inlay_session_destroy(session);
}

/* ---- sessions ---- */

static void *run_session(void *state)
{
    struct inlay_session *session = inlay_session_create(NULL);
    struct inlay_module *module = session ? parse(session, plain) : NULL;
    struct arguments arguments = make_arguments(5);
    bool is_good = module && inlay_module_run_passes(module, NULL);

    for (int i = 0; i < 20 && is_good; i++)
        is_good = inlay_module_call(module, NULL, arguments.items, 3) != NULL;
    *(bool *)state = is_good && at(&arguments.items[0], 20) == 100;
    drop_arguments(&arguments);
    inlay_session_destroy(session);
    return NULL;
}

static void sessions_are_apart(void **state)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    bool is_good[THREADS] = {0};

    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run_session, &is_good[i]), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        assert_true(is_good[i]);
}

/* A caller that was compiled when the options ended sooner. */
static void old_options_are_taken(void **state)
{
    struct inlay_options options;

    memset(&options, 0xff, sizeof(options));
    inlay_options_init_sized(&options, offsetof(struct inlay_options, threads));
    assert_int_equal(options.opt_level, 2);
    assert_int_equal(options.threads, ~0u); /* not that caller's memory */
    struct inlay_session *session = inlay_session_create(&options);
    assert_non_null(session);
    inlay_session_destroy(session);
}

#ifdef __GLIBC__
static size_t held_after(struct inlay_session *session, unsigned modules)
{
    for (unsigned i = 0; i < modules; i++) {
        struct inlay_module *module = parse(session, plain);

        assert_non_null(module);
        assert_true(inlay_module_run_passes(module, NULL));
        inlay_module_destroy(module);
    }
    return mallinfo2().uordblks;
}

/* What a session keeps of a module that is gone is its text, a kilobyte, and no types and proofs. */
static void modules_leave_their_text(void **state)
{
    struct inlay_session *session = inlay_session_create(NULL);
    size_t before = held_after(session, 20);

    assert_in_range(held_after(session, 200), 0, before + 200 * 4096);
    inlay_session_destroy(session);
}
#endif

/* What a message is about is there as long as the message, though the module and all that was made for it are gone. */
static void messages_outlive_modules(void **state)
{
    struct inlay_session *session = inlay_session_create(NULL);

    for (unsigned i = 0; i < 3; i++) {
        struct inlay_module *module = parse(session, plain);

        assert_non_null(module);
        assert_false(inlay_module_run_passes(module, "LegalizeOps,Nope"));
        inlay_module_destroy(module);
    }
    const char *text = inlay_diagnostics_text(session, INLAY_FORMAT_TEXT);
    assert_non_null(strstr(text, "LegalizeOps,Nope"));
    inlay_session_destroy(session);
}

static void nothing_can_be_destroyed(void **state)
{
    inlay_session_destroy(NULL);
    inlay_module_destroy(NULL);
    inlay_run_destroy(NULL);
    inlay_tensor_destroy(NULL);
}

/* ---- short memory: each step may fail, and none may do worse ---- */

/* A session that can go no further says so, and goes away whole. */
static void go_through(void)
{
    struct inlay_session *session = inlay_session_create(NULL);
    struct inlay_module *module = session ? parse(session, reading) : NULL;
    struct arguments arguments = make_arguments(5);
    struct inlay_run *run = NULL;
    const struct inlay_diagnostic *items;
    const struct inlay_decision *decisions;

    if (module && arguments.items[0].tensor && arguments.items[1].tensor &&
        inlay_module_run_passes(module, NULL) && inlay_module_decisions(module, &decisions) &&
        inlay_module_text(module) && inlay_module_signature(module, NULL) &&
        inlay_module_compile(module))
        run = inlay_module_call(module, NULL, arguments.items, 3);
    inlay_run_destroy(run);
    if (session && !run) {
        size_t count = inlay_diagnostics(session, &items);
        puts(count > 0 ? items[0].message : "no message");
        inlay_module_destroy(module);
    }
    puts(!session                                              ? "no session"
         : inlay_session_state(session) == INLAY_READY         ? "ready"
         : inlay_session_state(session) == INLAY_OUT_OF_MEMORY ? "out of memory"
                                                               : "broken");
    drop_arguments(&arguments);
    inlay_session_destroy(session);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_are_values),      cmocka_unit_test(decisions_say_why),
        cmocka_unit_test(strict_refuses),           cmocka_unit_test(passes_must_come_first),
        cmocka_unit_test(calls_work_in_place),      cmocka_unit_test(arguments_are_checked),
        cmocka_unit_test(signatures_name_leaves),   cmocka_unit_test(hosts_are_asked),
        cmocka_unit_test(memory_is_limited),        cmocka_unit_test(memory_is_checked),
        cmocka_unit_test(sessions_are_apart),       cmocka_unit_test(old_options_are_taken),
        cmocka_unit_test(targets_are_named),        cmocka_unit_test(nothing_can_be_destroyed),
        cmocka_unit_test(messages_outlive_modules),
#ifdef __GLIBC__
        cmocka_unit_test(modules_leave_their_text),
#endif
    };

    if (argc > 1) {
        go_through();
        return 0;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
