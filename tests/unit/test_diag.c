/* Diagnostics: the table, the store and the four formats. */
#include "base/diag.h"
#include "tests/unit/test.h"

#include <string.h>

static const char script[] = "def main(x):\n"
                             "    y = update(x, x)\n"
                             "\n"
                             "\n"
                             "\treturn x + \"h\xc3\xa9\" # y\n";

struct fixture {
    struct arena arena;
    struct source *source;
    struct diag *diag;
    struct text text;
};

static int set_up(void **state)
{
    static struct fixture fixture;

    fixture = (struct fixture){.diag = diag_create()};
    fixture.source = source_new(&fixture.arena, "main.py", script, strlen(script));
    *state = &fixture;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;

    diag_destroy(f->diag);
    text_finish(&f->text);
    arena_finish(&f->arena);
    return 0;
}

/* Where @part stands for the @nth time. */
static struct location place(const struct fixture *f, const char *part, int nth)
{
    const char *found = strstr(f->source->text, part);

    while (nth-- > 1)
        found = strstr(found + 1, part);
    uint32_t begin = (uint32_t)(found - f->source->text);
    return (struct location){f->source, begin, begin + (uint32_t)strlen(part)};
}

static const char *print(struct fixture *f, enum diag_format format)
{
    text_clear(&f->text);
    diag_print(f->diag, format, false, &f->text);
    return text_string(&f->text);
}

static void table_is_sound(void **state)
{
    for (size_t i = 0; i < diag_table_count; i++) {
        const struct diag_info *info = &diag_table[i];
        size_t length = strlen(info->title);
        assert_in_range(info->id, 100, 9999);
        assert_true(length && info->title[length - 1] == '.');
        length = strlen(info->format);
        assert_true(length && info->format[length - 1] != '.');
        for (size_t j = 0; j < i; j++)
            assert_int_not_equal(diag_table[j].id, info->id);
    }
}

static void text_shows_labels_and_remarks(void **state)
{
    struct fixture *f = *state;
    struct diag_message *m =
        diag_report(f->diag, place(f, "x", 4), SYNTAX_EXPECTED, "`y`", "nothing");

    diag_primary(m, "read here");
    diag_label(m, place(f, "x", 2), "moved here");
    diag_label(m, place(f, "x", 3), "read there");
    diag_label(m, place(f, "update(x, x)", 1), "by this call");
    diag_note(m, "this read sees\nnew values");
    diag_help(m, "copy first");
    diag_help_edit(m, place(f, "x", 2), "R.copy(%s)", "x");
    diag_help(m, "or do not");
    assert_string_equal(print(f, DIAG_FORMAT_TEXT), "error[E0101]: expected `y`, found nothing\n"
                                                    " --> main.py:5:9\n"
                                                    "  |\n"
                                                    "2 |     y = update(x, x)\n"
                                                    "  |         ------------\n"
                                                    "  |         |      |  |\n"
                                                    "  |         |      |  read there\n"
                                                    "  |         |      moved here\n"
                                                    "  |         by this call\n"
                                                    "...\n"
                                                    "5 |     return x + \"h\xc3\xa9\" # y\n"
                                                    "  |            ^ read here\n"
                                                    "  |\n"
                                                    "  = note: this read sees\n"
                                                    "          new values\n"
                                                    "help: copy first\n"
                                                    "  |\n"
                                                    "2 |     y = update(R.copy(x), x)\n"
                                                    "  |                ~~~~~~~~~\n"
                                                    "  = help: or do not\n"
                                                    "\n");
}

static void edits_are_made(void **state)
{
    struct fixture *f = *state;
    struct text *text = &f->text;
    struct diag_message *m =
        diag_report(f->diag, place(f, "x", 2), SYNTAX_EXPECTED, "`y`", "nothing");

    diag_help(m, "copy");
    diag_help_wrap(m, place(f, "x", 2), "R.copy(", ")");
    for (int i = 0; i < 2; i++) { /* the same twice, and one that touches it */
        m = diag_report(f->diag, place(f, "def", 1), SYNTAX_EXPECTED, "a", i ? "b" : "c");
        diag_help(m, "remove it");
        diag_help_edit(m, place(f, "def ", 1), "%s", "");
    }
    m = diag_report(f->diag, place(f, "(x, x", 1), SYNTAX_EXPECTED, "a", "d");
    diag_help(m, "remove it");
    diag_help_edit(m, place(f, "x, x", 1), "%s", "");
    /* of two the user has to choose */
    m = diag_report(f->diag, place(f, "return", 1), SYNTAX_EXPECTED, "a", "e");
    diag_help(m, "this");
    diag_help_edit(m, place(f, "return", 1), "this");
    diag_help(m, "or that");
    diag_help_edit(m, place(f, "return", 1), "that");
    assert_int_equal(diag_apply_edits(f->diag, f->source, DIAG_ALL_EDITS, text), 2);
    assert_string_equal(text_string(text), "main(x):\n    y = update(R.copy(x), x)\n\n\n"
                                           "\treturn x + \"h\xc3\xa9\" # y\n");
    text_clear(text);
    assert_int_equal(diag_apply_edits(f->diag, f->source, 1, text), 1);
    assert_non_null(strstr(text_string(text), "y = update("));
    assert_non_null(strstr(text_string(text), "def main"));
    assert_int_equal(diag_apply_edits(f->diag, f->source, 9, text), 0);
    assert_non_null(strstr(print(f, DIAG_FORMAT_TEXT), "1 | def main(x):\n  | ----\n"));
    assert_non_null(
        strstr(print(f, DIAG_FORMAT_SARIF), "\"fixes\":[{\"description\":{\"text\":\"copy\"}"));
}

static void arguments_are_found(void **state)
{
    struct fixture *f = *state;
    static const char call[] = "g(h)(a, [b, ','], k = \"x)\" , (c, d), # e, f\n  z)";
    struct source *source = source_new(&f->arena, "call.py", call, strlen(call));
    struct location whole = {source, 0, (uint32_t)strlen(call)};
    static const char *const expected[] = {"a", "[b, ',']", "(c, d)", "z"};

    for (unsigned i = 0; i < ARRAY_SIZE(expected); i++) {
        struct location found = location_argument(whole, i, NULL);
        assert_int_equal(found.end - found.begin, strlen(expected[i]));
        assert_memory_equal(call + found.begin, expected[i], strlen(expected[i]));
    }
    struct location named = location_argument(whole, 9, "k"),
                    none = location_argument(whole, 9, "q");
    assert_memory_equal(call + named.begin, "\"x)\"", named.end - named.begin);
    assert_int_equal(none.end, whole.end);
    struct location list = location_argument(whole, 2, NULL);
    assert_int_equal(call[location_argument(list, 1, NULL).begin], 'd');
}

static void labels_beside_and_below(void **state)
{
    struct fixture *f = *state;
    struct diag_message *m = diag_report(f->diag, place(f, "y", 1), SYNTAX_EXPECTED, "a", "b");

    diag_primary(m, "defined here");
    diag_label(m, place(f, "x", 3), "from here");
    diag_label(m, place(f, "y", 2), "comment");
    diag_label(m, place(f, "\n", 3), "empty");
    assert_string_equal(print(f, DIAG_FORMAT_TEXT), "error[E0101]: expected a, found b\n"
                                                    " --> main.py:2:5\n"
                                                    "  |\n"
                                                    "2 |     y = update(x, x)\n"
                                                    "  |     ^             - from here\n"
                                                    "  |     |\n"
                                                    "  |     defined here\n"
                                                    "3 |\n"
                                                    "  | - empty\n"
                                                    "4 |\n"
                                                    "5 |     return x + \"h\xc3\xa9\" # y\n"
                                                    "  |                       - comment\n"
                                                    "\n");
}

static void sorted_without_repeats(void **state)
{
    struct fixture *f = *state;

    diag_report(f->diag, ((struct location){0}), SYNTAX_EXPECTED, "a", "nowhere");
    diag_report(f->diag, place(f, "return", 1), SYNTAX_EXPECTED, "a", "late");
    diag_report(f->diag, place(f, "def", 1), SYNTAX_EXPECTED, "a", "early");
    diag_note(diag_report(f->diag, place(f, "def", 1), SYNTAX_EXPECTED, "a", "early"), "dropped");
    assert_int_equal(diag_error_count(f->diag), 3);
    assert_string_equal(print(f, DIAG_FORMAT_SHORT),
                        "main.py:1:1: error[E0101]: expected a, found early\n"
                        "main.py:5:2: error[E0101]: expected a, found late\n"
                        "error[E0101]: expected a, found nowhere\n");
}

static void limit_and_truncation(void **state)
{
    struct fixture *f = *state;
    size_t before;

    diag_report(f->diag, place(f, "def", 1), SYNTAX_EXPECTED, "a", "kept");
    before = diag_message_count(f->diag);
    for (uint32_t i = 0; i < 30; i++) {
        struct diag_message *m = diag_report(f->diag, ((struct location){f->source, i, i}),
                                             SYNTAX_EXPECTED, "a", "many");
        diag_label(m, place(f, "def", 1), "a label");
    }
    assert_true(diag_is_full(f->diag));
    assert_int_equal(diag_error_count(f->diag), 31);
    assert_int_equal(diag_message_count(f->diag), DIAG_ERROR_LIMIT);
    assert_non_null(strstr(print(f, DIAG_FORMAT_SHORT), "error: 11 more errors are not shown\n"));
    diag_truncate(f->diag, before);
    assert_false(diag_is_full(f->diag));
    assert_int_equal(diag_error_count(f->diag), 1);
    diag_report(f->diag, ((struct location){f->source, 3, 3}), SYNTAX_EXPECTED, "a", "many");
    assert_int_equal(diag_error_count(f->diag), 2);
}

static void control_characters_are_not_passed_on(void **state)
{
    struct fixture *f = *state;
    static const char bad[] = "a\x1b[31m\xe2\x80\xae\xff = 1";
    struct source *source = source_new(&f->arena, "bad\x1b.py", bad, strlen(bad));

    diag_report(f->diag, ((struct location){source, 11, 12}), SYNTAX_EXPECTED, "\x07", "\xfe");
    const char *text = print(f, DIAG_FORMAT_TEXT);
    assert_null(strchr(text, '\x1b'));
    assert_null(strchr(text, '\x07'));
    assert_null(strchr(text, '\xfe'));
    assert_null(strstr(text, "\xe2\x80\xae"));
    assert_non_null(strstr(text, "  |          ^\n"));
}

static void long_lines_are_cut(void **state)
{
    struct fixture *f = *state;
    enum { LENGTH = 100000, AT = 70000 };
    char *line = arena_array(&f->arena, char, LENGTH + 1);

    memset(line, 'z', LENGTH);
    line[AT] = '!';
    struct source *source = source_new(&f->arena, "long.py", line, LENGTH);
    diag_report(f->diag, ((struct location){source, AT, AT + 1}), SYNTAX_EXPECTED, "a", "b");
    const char *text = print(f, DIAG_FORMAT_TEXT);
    assert_in_range(strlen(text), 100, 600);
    const char *mark = strchr(text, '^'), *sign = strchr(text, '!');
    const char *mark_line = mark, *sign_line = sign;
    while (mark_line[-1] != '\n')
        mark_line--;
    while (sign_line[-1] != '\n')
        sign_line--;
    assert_int_equal(mark - mark_line, sign - sign_line);
}

/* Two columns for an emoji, none for a mark on a letter. */
static void widths_are_those_of_terminals(void **state)
{
    struct fixture *f = *state;
    static const char line[] = "\xe2\x9c\x85 a\xcc\x81 \xe6\xbc\xa2 !";
    struct source *source = source_new(&f->arena, "wide.py", line, strlen(line));
    uint32_t at = (uint32_t)strlen(line) - 1;

    diag_report(f->diag, ((struct location){source, at, at + 1}), SYNTAX_EXPECTED, "a", "b");
    assert_non_null(strstr(print(f, DIAG_FORMAT_TEXT), "  |         ^\n"));
}

static void long_texts_are_cut(void **state)
{
    struct fixture *f = *state;
    struct text name = {0};

    for (int i = 0; i < 5000; i++)
        text_puts(&name, "\xe2\x82\xac");
    diag_report(f->diag, place(f, "x", 1), SYNTAX_EXPECTED, "a", text_string(&name));
    assert_in_range(strlen(print(f, DIAG_FORMAT_SHORT)), 1000, 1100);
    assert_null(strstr(print(f, DIAG_FORMAT_SHORT), "\xef\xbf\xbd"));
    text_finish(&name);
}

static void json_has_one_object_a_line(void **state)
{
    struct fixture *f = *state;
    struct diag_message *m = diag_report(f->diag, place(f, "#", 1), SYNTAX_EXPECTED, "a", "\"");

    diag_label(m, place(f, "x", 1), "here");
    const char *text = print(f, DIAG_FORMAT_JSON);
    assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
    assert_non_null(strstr(text, "\"code\":{\"code\":\"E0101\""));
    /* Columns count characters, bytes count bytes. */
    assert_non_null(strstr(text, "\"line_start\":5,\"line_end\":5,\"column_start\":18"));
    assert_non_null(strstr(text, "\"byte_start\":54"));
    assert_non_null(strstr(text, "\"label\":\"here\""));
}

static void sarif_names_rules(void **state)
{
    struct fixture *f = *state;

    diag_note(diag_report(f->diag, place(f, "#", 1), SYNTAX_EXPECTED, "a", "b"), "why");
    const char *text = print(f, DIAG_FORMAT_SARIF);
    assert_non_null(strstr(text, "\"version\":\"2.1.0\""));
    assert_non_null(strstr(text, "\"rules\":[{\"id\":\"E0101\""));
    assert_non_null(strstr(text, "\"startLine\":5,\"startColumn\":18"));
    assert_non_null(strstr(text, "expected a, found b\\nnote: why"));
}

int main(void)
{
#define DIAG_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    /* clang-format off */
    const struct CMUnitTest tests[] = {
        DIAG_TEST(table_is_sound),
        DIAG_TEST(text_shows_labels_and_remarks),
        DIAG_TEST(edits_are_made),
        DIAG_TEST(arguments_are_found),
        DIAG_TEST(labels_beside_and_below),
        DIAG_TEST(sorted_without_repeats),
        DIAG_TEST(limit_and_truncation),
        DIAG_TEST(control_characters_are_not_passed_on),
        DIAG_TEST(long_lines_are_cut),
        DIAG_TEST(widths_are_those_of_terminals),
        DIAG_TEST(long_texts_are_cut),
        DIAG_TEST(json_has_one_object_a_line),
        DIAG_TEST(sarif_names_rules),
    };
    /* clang-format on */

    return cmocka_run_group_tests(tests, NULL, NULL);
}
