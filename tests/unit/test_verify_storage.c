/*
 * The checker of storage on the modules of verify_storage.cases: what it finds in each, as it
 * stands and with calls in place taken for copies.
 *
 *     == name | resolved or values | ok, or FAULT name-of-the-value
 *     ...functions of a module...
 *
 * Kernels stand once, in front, under `== kernels`.  In bodies `f!(a, b)@1` is a call_tir_inplace
 * of kernel f whose result takes the storage of b; T4 is a tensor of four float32, T8 one of
 * eight, B0 a bool.
 */
#include "analysis/verify_storage/verify_storage.h"
#include "base/array.h"
#include "frontend/frontend.h"
#include "ir/verify.h"
#include "ops/ops.h"
#include "tests/unit/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct test_case {
    char *name, *mode, *wanted, *body;
};

static array(struct test_case) cases;
static struct text file_text;
static char *kernels;

/* ---- reading ---- */

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char buffer[4096];

    assert_non_null(file);
    for (size_t got; (got = fread(buffer, 1, sizeof(buffer), file)) > 0;)
        text_append(&file_text, buffer, got);
    fclose(file);
    return file_text.data;
}

/* Ends the string at the next @stop and returns what stands behind it; blanks around it go. */
static char *cut(char *string, const char *stop)
{
    char *end = strstr(string, stop);

    assert_non_null(end);
    char *rest = end + strlen(stop);

    while (end > string && end[-1] == ' ')
        end--;
    *end = 0;
    return rest + strspn(rest, " ");
}

static void read_cases(const char *path)
{
    char *next = read_file(path);

    while (next && (next = strstr(next, "== "))) {
        struct test_case row = {.name = next + 3};
        char *line = cut(row.name, "\n");

        next = strstr(line, "\n== ");
        if (next)
            *next++ = 0;
        row.body = line;
        if (strcmp(row.name, "kernels") == 0) {
            kernels = line;
            continue;
        }
        row.mode = cut(row.name, "|");
        row.wanted = cut(row.mode, "|");
        array_push(&cases, row);
    }
}

/* ---- short forms ---- */

static const struct {
    const char *name, *text;
} types[] = {
    {"T4", "R.Tensor((4,), \"float32\")"},
    {"T8", "R.Tensor((8,), \"float32\")"},
    {"T22", "R.Tensor((2, 2), \"float32\")"},
    {"B0", "R.Tensor((), \"bool\")"},
};

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* A short form at @p: puts what it stands for, returns what follows; NULL if there is none. */
static const char *put_type(const char *p, struct text *out)
{
    for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
        size_t length = strlen(types[i].name);

        if (strncmp(p, types[i].name, length) == 0 && !is_letter(p[length])) {
            text_puts(out, types[i].text);
            return p + length;
        }
    }
    return NULL;
}

/* name!(args)@indices */
static const char *put_call(const char *p, struct text *out)
{
    size_t name = 0;

    while (is_letter(p[name]))
        name++;
    if (name == 0 || strncmp(p + name, "!(", 2) != 0)
        return NULL;
    const char *args = p + name + 2, *end = strstr(args, ")@");

    assert_non_null(end);
    size_t indices = strspn(end + 2, "[]-0123456789, ");
    const char *last = end + 2 + indices;

    while (last[-1] == ' ' || last[-1] == ',')
        last--;
    text_printf(out,
                "R.call_tir_inplace(cls.%.*s, (%.*s,), out_ty=R.Tensor((4,), \"float32\"), "
                "inplace_indices=[%.*s])",
                (int)name, p, (int)(end - args), args, (int)(last - end - 2), end + 2);
    return last;
}

static void put_body(const char *p, struct text *out)
{
    char before = '\n';

    while (*p) {
        const char *rest = is_letter(before) || before == '.' ? NULL : put_type(p, out);

        if (!rest && !is_letter(before) && before != '.')
            rest = put_call(p, out);
        if (rest) {
            before = rest[-1];
            p = rest;
            continue;
        }
        before = *p;
        text_putc(out, *p++);
        if (before == '\n')
            text_puts(out, "    ");
    }
}

static void put_module(const struct test_case *row, struct text *out)
{
    text_puts(out, "from tvm.script import ir as I\nfrom tvm.script import relax as R\n"
                   "from tvm.script import tirx as T\n\n@I.ir_module\nclass Module:\n    ");
    put_body(kernels, out);
    text_puts(out, "\n    ");
    put_body(row->body, out);
    text_puts(out, "\n");
}

/* ---- the test ---- */

static void say(const struct diag *diag, const struct text *script)
{
    struct text messages = {0};

    diag_print(diag, DIAG_FORMAT_TEXT, false, &messages);
    fprintf(stderr, "%s\n%s\n", text_string(script), text_string(&messages));
    text_finish(&messages);
}

static void check(void **state)
{
    const struct test_case *row = *state;
    struct ir_context *context = ir_context_create();
    struct diag *diag = diag_create();
    struct arena arena = {0};
    struct text script = {0}, found = {0};
    struct verify_storage_refusals refusals = {0};

    ops_register(context);
    put_module(row, &script);
    const char *text = arena_copy_text(&arena, text_string(&script), script.length);
    struct ir_module *module =
        frontend_parse(context, diag, source_new(&arena, "case.py", text, script.length));

    if (!module || !ir_verify(module, diag)) {
        say(diag, &script);
        fail_msg("the script is not well-formed");
    }
    verify_storage(
        module, strcmp(row->mode, "values") == 0 ? VERIFY_STORAGE_VALUES : VERIFY_STORAGE_RESOLVED,
        &refusals);
    if (refusals.count)
        text_printf(&found, "%s %s", verify_storage_fault_name(refusals.items[0].fault),
                    refusals.items[0].value);
    else
        text_puts(&found, "ok");
    verify_storage_report(&refusals, diag);
    if (strcmp(text_string(&found), row->wanted) != 0)
        say(diag, &script);
    assert_string_equal(text_string(&found), row->wanted);
    assert_int_equal(diag_error_count(diag), refusals.count);
    verify_storage_finish(&refusals);
    text_finish(&found);
    text_finish(&script);
    ir_module_destroy(module);
    diag_destroy(diag);
    ir_context_destroy(context);
    arena_finish(&arena);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    read_cases(argv[1]);
    struct CMUnitTest *tests = calloc(cases.count, sizeof(*tests));

    for (size_t i = 0; i < cases.count; i++)
        tests[i] = (struct CMUnitTest){
            .name = cases.items[i].name, .test_func = check, .initial_state = &cases.items[i]};
    int status = _cmocka_run_group_tests("verify_storage", tests, cases.count, NULL, NULL);
    free(tests);
    text_finish(&file_text);
    array_finish(&cases);
    return status;
}
