/* The lexer: token kinds and places of small texts, and what each wrong text is told. */
#include "base/diag.h"
#include "frontend/python/lexer.h"
#include "tests/unit/test.h"

#include <string.h>

struct run {
    struct arena arena;
    struct diag *diag;
    const struct source *source;
    struct token_list list;
};

static void start_bytes(struct run *run, const char *text, size_t length)
{
    *run = (struct run){.diag = diag_create()};
    run->source = source_new(&run->arena, "t.py", text, length);
    lexer_run(&run->list, run->diag, run->source, run->source->text, run->source->length, 0, false);
}

static void start(struct run *run, const char *text)
{
    start_bytes(run, text, strlen(text));
}

static void finish(struct run *run)
{
    token_list_finish(&run->list);
    diag_destroy(run->diag);
    arena_finish(&run->arena);
}

/* One letter or sign a token: n name, i int, f float, s string, ; line end, > < indentation, ! error,
 * ? keyword, others as they are written. */
static char letter(const struct run *run, struct token token)
{
    switch (token.kind) {
    case TOKEN_NAME:
        return 'n';
    case TOKEN_INT:
        return 'i';
    case TOKEN_FLOAT:
        return 'f';
    case TOKEN_STRING:
        return 's';
    case TOKEN_NEWLINE:
        return ';';
    case TOKEN_INDENT:
        return '>';
    case TOKEN_DEDENT:
        return '<';
    case TOKEN_ERROR:
        return '!';
    default:
        return token.kind >= TOKEN_FALSE ? '?' : run->source->text[token.begin];
    }
}

static void assert_tokens(const char *text, const char *expected)
{
    struct run run;
    char letters[200];
    size_t count = 0;

    start(&run, text);
    assert_int_equal(diag_error_count(run.diag), 0);
    for (; run.list.tokens.items[count].kind != TOKEN_END; count++)
        letters[count] = letter(&run, run.list.tokens.items[count]);
    letters[count] = '\0';
    assert_string_equal(letters, expected);
    finish(&run);
}

/* The first message, in the short format: "t.py:1:3: error[E0103]: ..". */
static void assert_message_bytes(const char *text, size_t length, const char *expected,
                                 unsigned count)
{
    struct run run;
    struct text out = {0};

    start_bytes(&run, text, length);
    diag_print(run.diag, DIAG_FORMAT_SHORT, false, &out);
    assert_non_null(strstr(text_string(&out), expected));
    assert_int_equal(diag_error_count(run.diag), count);
    assert_int_equal(array_last(&run.list.tokens).kind, TOKEN_END);
    text_finish(&out);
    finish(&run);
}

static void assert_message(const char *text, const char *expected)
{
    assert_message_bytes(text, strlen(text), expected, 1);
}

static void test_tokens(void **state)
{
    assert_tokens("", "");
    assert_tokens("x", "n;");
    assert_tokens("a.b(c, d=1)[2]\n", "n.n(n,n=i)[i];");
    assert_tokens("a += 1; b //= 2\n", "n+i;n/i;");
    assert_tokens("not x in y\n", "?n?n;");
    assert_tokens("notx iny\n", "nn;");
    assert_tokens("... -> := << ** // != ==\n", ".-:<*/!=;");
}

static void test_numbers(void **state)
{
    assert_tokens("0 12 1_000 0xFF 0o17 0b1_0 00", "iiiiiii;");
    assert_tokens("1. .5 1.5e3 1e-3 1_0.0_1E+2", "fffff;");
    assert_message("x = 012\n", "1:5: error[E0107]: `012` is no number");
    assert_message("x = 1__0\n", "error[E0107]: `1__0`");
    assert_message("x = 0xg\n", "error[E0107]: `0xg`");
    assert_message("x = 2j\n", "error[E0139]");
}

static void test_strings(void **state)
{
    assert_tokens("'a' \"b\" '''c\n'd''' \"\"\"e\"\"\" r'\\\\' 'f\\''", "ssssss;");
    assert_tokens("'a\\\nb'", "s;");
    assert_message("x = 'abc\ny = 1\n", "1:5: error[E0104]");
    assert_message("x = '''abc\n", "1:5: error[E0104]");
    assert_message("x = f'{a}'\n", "1:5: error[E0120]");
    assert_message("x = b'a'\n", "1:5: error[E0121]");
    assert_message("x = rb'a'\n", "1:5: error[E0121]");
}

static void test_lines(void **state)
{
    assert_tokens("a\n\n# c\nb # d\n", "n;n;");
    assert_tokens("a\r\nb\rc\n", "n;n;n;");
    assert_tokens("(a,\n  b)\n", "(n,n);");
    assert_tokens("a + \\\n  b\n", "n+n;");
    assert_tokens("\xEF\xBB\xBFx\n", "n;"); /* a byte order mark */
    assert_tokens("if x:\n  y\n\n  # c\n  z\nw\n", "?n:;>n;n;<n;");
    assert_tokens("if x:\n  if y:\n    z\n", "?n:;>?n:;>n;<<");
    assert_tokens("if x:\n# c\n  y\n", "?n:;>n;<");
}

static void test_indentation(void **state)
{
    assert_message("if x:\n    y\n  z\n", "3:1: error[E0109]");
    assert_message("if x:\n\ty\n\tz\n", "2:1: error[E0110]"); /* said once */
}

static void test_brackets(void **state)
{
    assert_message("x = (1, [2)\n", "1:11: error[E0106]");
    assert_message("x = 1)\n", "1:6: error[E0106]");
    assert_message("x = (1,\n     2\n", "1:5: error[E0105]");
    /* the next statement is not swallowed */
    assert_message("x = f(1,\nreturn 2\n", "1:6: error[E0105]");
    assert_message("x = f(1,\n@R.function\n", "1:6: error[E0105]");
}

static void test_nesting(void **state)
{
    char text[20001];

    memset(text, '(', 10000);
    memset(text + 10000, ')', 10000);
    text[20000] = '\0';
    assert_message(text, "1:257: error[E0112]: nested more than 256 deep");
    text[10000] = '\0';
    assert_message(text, "1:257: error[E0112]");
}

static void test_no_text(void **state)
{
    assert_message_bytes("a\0b", 3, "1:2: error[E0102]: the file is no text: it holds a NUL byte",
                         1);
    assert_message("a = '\xff'", "1:6: error[E0102]: the file is no text: a byte is no UTF-8");
    assert_message("\xc0\x80", "error[E0102]");     /* overlong */
    assert_message("\xed\xa0\x80", "error[E0102]"); /* a surrogate */
    assert_message("x = \xc3\xa4\n", "1:5: error[E0103]: `\xc3\xa4` has no meaning here");
    assert_message("x = 1 ? 2\n", "1:7: error[E0103]: `?`");
}

static void test_places(void **state)
{
    struct run run;

    start(&run, "ab = (c,\n  de)\n");
    struct token de = run.list.tokens.items[5];
    assert_int_equal(de.kind, TOKEN_NAME);
    assert_int_equal(de.begin, 11);
    assert_int_equal(de.end, 13);
    unsigned column;
    assert_int_equal(source_line(run.source, de.begin, &column), 2);
    assert_int_equal(column, 3);
    finish(&run);
}

static void test_random_bytes(void **state)
{
    char bytes[65536];
    uint32_t x = 1;

    for (int round = 0; round < 8; round++) {
        struct run run;
        for (size_t i = 0; i < sizeof(bytes); i++) {
            x = x * 1664525u + 1013904223u;
            /* all bytes, then printable ones only, so that more than the first check is reached */
            bytes[i] = (char)(round < 2 ? x >> 24 : 9 + (x >> 24) % 118);
        }
        start_bytes(&run, bytes, sizeof(bytes));
        assert_true(diag_error_count(run.diag) > 0);
        assert_int_equal(array_last(&run.list.tokens).kind, TOKEN_END);
        finish(&run);
    }
}

static void test_names_of_tokens(void **state)
{
    for (int kind = 0; kind < TOKEN_COUNT; kind++)
        assert_true(strlen(token_kind_name((enum token_kind)kind)) > 0);
    assert_string_equal(token_kind_name(TOKEN_DOUBLE_SLASH_ASSIGN), "`//=`");
    assert_string_equal(token_kind_name(TOKEN_RETURN), "`return`");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tokens),          cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_strings),         cmocka_unit_test(test_lines),
        cmocka_unit_test(test_indentation),     cmocka_unit_test(test_brackets),
        cmocka_unit_test(test_nesting),         cmocka_unit_test(test_no_text),
        cmocka_unit_test(test_places),          cmocka_unit_test(test_random_bytes),
        cmocka_unit_test(test_names_of_tokens),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
