/* The parser of the Python subset: trees of small texts, refusals, recovery, and nasty texts. */
#include "base/text.h"
#include "frontend/python/ast.h"
#include "tests/unit/test.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct run {
    struct arena arena, names;
    struct atoms atoms;
    struct diag *diag;
    struct ast *file;
};

static void start_bytes(struct run *run, const char *text, size_t length)
{
    *run = (struct run){.diag = diag_create()};
    run->atoms.arena = &run->names;
    run->file = ast_parse(&run->arena, &run->atoms, run->diag,
                          source_new(&run->names, "t.py", text, length));
    assert_non_null(run->file);
}

static void start(struct run *run, const char *text)
{
    start_bytes(run, text, strlen(text));
}

static void finish(struct run *run)
{
    diag_destroy(run->diag);
    atoms_finish(&run->atoms);
    arena_finish(&run->arena);
    arena_finish(&run->names);
}

/* --- trees as text --- */

static const char *op_text(enum ast_op op)
{
    static const char *const texts[] = {"none",   "+",  "-",      "*",   "/",   "//", "%",
                                        "**",     "@",  "<<",     ">>",  "&",   "|",  "^",
                                        "<",      "<=", ">",      ">=",  "==",  "!=", "in",
                                        "not in", "is", "is not", "neg", "pos", "~",  "not"};

    return texts[op];
}

static void put(struct text *out, const struct ast *a);

static void put_items(struct text *out, const char *head, const struct ast *a)
{
    text_printf(out, "(%s", head);
    for (unsigned i = 0; i < a->item_count; i++) {
        text_putc(out, ' ');
        if (a->kind == AST_COMPARE && i > 0)
            text_printf(out, "%s ", op_text(a->ops[i - 1]));
        put(out, a->items[i]);
    }
    text_putc(out, ')');
}

static void put_block(struct text *out, struct ast *const *body, unsigned count)
{
    text_puts(out, " {");
    for (unsigned i = 0; i < count; i++) {
        text_puts(out, i ? " " : "");
        put(out, body[i]);
    }
    text_putc(out, '}');
}

static const char *const heads[] = {
    [AST_TUPLE] = "tuple",     [AST_LIST] = "list",     [AST_DICT] = "dict",
    [AST_COMPARE] = "compare", [AST_AND] = "and",       [AST_OR] = "or",
    [AST_TERNARY] = "?",       [AST_CALL] = "call",     [AST_STARRED] = "star",
    [AST_SUBSCRIPT] = "at",    [AST_SLICE] = "slice",   [AST_LAMBDA] = "lambda",
    [AST_EXPR] = "expr",       [AST_ASSIGN] = "=",      [AST_ANN_ASSIGN] = ":=",
    [AST_FOR] = "for",         [AST_WHILE] = "while",   [AST_IF] = "if",
    [AST_WITH] = "with",       [AST_RETURN] = "return", [AST_ASSERT] = "assert",
    [AST_PASS] = "pass",       [AST_BREAK] = "break",   [AST_CONTINUE] = "continue",
};

static void put_statement(struct text *out, const struct ast *a)
{
    if (a->kind == AST_IMPORT) {
        text_printf(out, "(import %s %s %s)", a->string, a->name ? a->name : "-",
                    a->alias ? a->alias : "-");
        return;
    }
    for (unsigned i = 0; i < a->decorator_count; i++) {
        text_putc(out, '@');
        put(out, a->decorators[i]);
        text_putc(out, ' ');
    }
    put_items(out, a->kind == AST_DEF || a->kind == AST_CLASS ? a->name : heads[a->kind], a);
    for (unsigned i = 0; i < a->type_param_count; i++)
        text_printf(out, "[%s]", a->type_params[i]->name);
    if (a->returns) {
        text_puts(out, "->");
        put(out, a->returns);
    }
    if (a->body_count)
        put_block(out, a->body, a->body_count);
    if (a->orelse_count)
        put_block(out, a->orelse, a->orelse_count);
}

static void put(struct text *out, const struct ast *a)
{
    if (!a) {
        text_putc(out, '-');
        return;
    }
    switch (a->kind) {
    case AST_NAME:
        text_puts(out, a->name);
        return;
    case AST_INT:
        text_printf(out, a->is_wide ? "%" PRIu64 "u" : "%" PRId64, a->integer);
        return;
    case AST_FLOAT:
        text_printf(out, "%g", a->real);
        return;
    case AST_STRING:
        text_put_json(out, a->string, a->length);
        return;
    case AST_TRUE:
    case AST_FALSE:
    case AST_NONE:
        text_puts(out, a->kind == AST_TRUE ? "True" : a->kind == AST_FALSE ? "False" : "None");
        return;
    case AST_UNARY:
    case AST_BINARY:
    case AST_AUG_ASSIGN:
        put_items(out, op_text(a->op), a);
        return;
    case AST_ATTRIBUTE:
        put(out, a->items[0]);
        text_printf(out, ".%s", a->name);
        return;
    case AST_KEYWORD:
    case AST_PARAM:
        text_printf(out, "%s:", a->name);
        put(out, a->items[0]);
        return;
    default:
        if (a->kind >= AST_EXPR)
            put_statement(out, a);
        else
            put_items(out, heads[a->kind], a);
    }
}

static void assert_tree(const char *text, const char *expected)
{
    struct run run;
    struct text out = {0};

    start(&run, text);
    diag_print(run.diag, DIAG_FORMAT_SHORT, false, &out);
    assert_string_equal(text_string(&out), "");
    for (unsigned i = 0; i < run.file->body_count; i++) {
        text_puts(&out, i ? " " : "");
        put(&out, run.file->body[i]);
    }
    assert_string_equal(text_string(&out), expected);
    text_finish(&out);
    finish(&run);
}

static void assert_expr(const char *text, const char *expected)
{
    char wanted[300];

    snprintf(wanted, sizeof(wanted), "(expr %s)", expected);
    assert_tree(text, wanted);
}

/* One message each, in order: "1:5 E0101". */
static void assert_messages(const char *text, const char *const *expected)
{
    struct run run;
    struct text out = {0};
    unsigned count = 0;

    start(&run, text);
    diag_print(run.diag, DIAG_FORMAT_SHORT, false, &out);
    const char *at = text_string(&out);
    for (; expected[count]; count++) {
        char wanted[60], place[30];
        unsigned line, column, code;
        sscanf(expected[count], "%u:%u E%u", &line, &column, &code);
        snprintf(place, sizeof(place), "t.py:%u:%u:", line, column);
        snprintf(wanted, sizeof(wanted), "%s error[E%04u]", place, code);
        at = strstr(at, wanted);
        if (!at)
            fail_msg("no `%s` for:\n%s\nbut:\n%s", wanted, text, text_string(&out));
    }
    if (diag_error_count(run.diag) != count)
        fail_msg("%u messages, not %u, for:\n%s\n%s", diag_error_count(run.diag), count, text,
                 text_string(&out));
    text_finish(&out);
    finish(&run);
}

static void assert_message(const char *text, const char *expected)
{
    assert_messages(text, (const char *const[]){expected, NULL});
}

/* --- expressions --- */

static void test_precedence(void **state)
{
    assert_expr("a + b * c", "(+ a (* b c))");
    assert_expr("a - b - c", "(- (- a b) c)");
    assert_expr("(a + b) * c", "(* (+ a b) c)");
    assert_expr("-a ** b", "(neg (** a b))");
    assert_expr("a ** -b ** c", "(** a (neg (** b c)))");
    assert_expr("-a * b", "(* (neg a) b)");
    assert_expr("~a << 1 | b & c ^ d", "(| (<< (~ a) 1) (^ (& b c) d))");
    assert_expr("a // b % c / d @ e", "(@ (/ (% (// a b) c) d) e)");
    assert_expr("not a == b", "(not (compare a == b))");
    assert_expr("a or b and not c", "(or a (and b (not c)))");
    assert_expr("a and b and c", "(and a b c)");
    assert_expr("a if b else c if d else e", "(? b a (? d c e))");
    assert_expr("0 <= i < n", "(compare 0 <= i < n)");
    assert_expr("a is not b not in c", "(compare a is not b not in c)");
    assert_expr("a + b < c - d", "(compare (+ a b) < (- c d))");
}

static void test_trailers(void **state)
{
    assert_expr("a.b.c(d)[e]", "(at (call a.b.c d) e)");
    assert_expr("f(a, *b, c=d, e=lambda i, j: (j, i))",
                "(call f a (star b) c:d e:(lambda i j (tuple j i)))");
    assert_expr("a[1:2, ::3, :, b]", "(at a (slice 1 2 -) (slice - - 3) (slice - - -) b)");
    assert_expr("a[(b, c)]", "(at a b c)");
    assert_expr("a[()]", "(at a)");
    assert_expr("a[b,]", "(at a b)");
    assert_expr("f(a,)", "(call f a)");
    assert_expr("f()", "(call f)");
}

static void test_displays(void **state)
{
    assert_expr("()", "(tuple)");
    assert_expr("(a,)", "(tuple a)");
    assert_expr("(a)", "a");
    assert_expr("a, b", "(tuple a b)");
    assert_expr("[a, [b]]", "(list a (list b))");
    assert_expr("{'k': 1, 'l': [2],}", "(dict \"k\" 1 \"l\" (list 2))");
    assert_expr("{}", "(dict)");
}

static void test_literals(void **state)
{
    assert_expr("0x_ff", "255");
    assert_expr("0b101 + 0o17", "(+ 5 15)");
    assert_expr("9223372036854775808", "9223372036854775808u");
    assert_expr("1_0.5e1", "105");
    assert_expr("'a' \"b\" r'\\n'", "\"ab\\\\n\"");
    assert_expr("'\\n\\t\\x41\\u00e4\\101\\\\\\'\\q'", "\"\\n\\tA\xc3\xa4"
                                                       "A\\\\'\\\\q\"");
    assert_expr("'a\\\nb'", "\"ab\"");
    assert_expr("True, False, None", "(tuple True False None)");
    assert_message("x = 18446744073709551616\n", "1:5 E0108");
    assert_message("x = 1e999\n", "1:5 E0108");
    assert_message("x = 'a\\x4'\n", "1:7 E0111");
    assert_message("x = '\\N{dash}'\n", "1:6 E0111");
    assert_message("x = '\\ud800'\n", "1:6 E0111");
}

/* --- statements --- */

static void test_statements(void **state)
{
    assert_tree("a = b\nc: d = e\nf: g\nh += 1\n", "(= a b) (:= c d e) (:= f g -) (+ h 1)");
    assert_tree("a, b = c, d\n", "(= (tuple a b) (tuple c d))");
    assert_tree("a[0] = b; c.d = e\n", "(= (at a 0) b) (= c.d e)");
    assert_tree("return\nreturn a\nreturn a, b\n", "(return -) (return a) (return (tuple a b))");
    assert_tree("assert a\nassert a, 'm'\n", "(assert a -) (assert a \"m\")");
    assert_tree("pass; break; continue\n", "(pass) (break) (continue)");
    assert_tree("import a.b\nimport a as c\nfrom d.e import f as g, h\nfrom i import (j, k,)\n",
                "(import a.b - -) (import a - c) (import d.e f g) (import d.e h -) (import i j -) "
                "(import i k -)");
}

static void test_blocks(void **state)
{
    assert_tree("for i, j in f(3):\n  a\n", "(for (tuple i j) (call f 3)) {(expr a)}");
    assert_tree("while a: b\n", "(while a) {(expr b)}");
    assert_tree("if a:\n  b\nelif c:\n  d\nelse:\n  e\n",
                "(if a) {(expr b)} {(if c) {(expr d)} {(expr e)}}");
    assert_tree("with a() as b, c():\n  d\n", "(with (call a) b) {(with (call c) -) {(expr d)}}");
    assert_tree("@R.function(private=True)\ndef f[M, N: int](a: b, c) -> d:\n  return a\n",
                "@(call R.function private:True) (f a:b c:-)[M][N]->d {(return a)}");
    assert_tree("@I.ir_module\nclass Module:\n  pass\n", "@I.ir_module (Module) {(pass)}");
}

/* --- what is wrong --- */

static void test_refusals(void **state)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"x = [a for a in b]\n", "1:8 E0122"},
        {"x = f(a for a in b)\n", "1:9 E0122"},
        {"x = {a: b for a in c}\n", "1:11 E0122"},
        {"x = lambda a: a\n", "1:5 E0123"},
        {"f(lambda *a: a)\n", "1:10 E0134"},
        {"if (x := 1): pass\n", "1:7 E0124"},
        {"async def f(): pass\n", "1:1 E0125"},
        {"x = await y\n", "1:5 E0125"},
        {"try:\n  x = y =\nexcept A:\n  y\nelse:\n  z\nfinally:\n  w\n", "1:1 E0126"},
        {"raise X\n", "1:1 E0126"},
        {"global a\n", "1:1 E0127"},
        {"class A(B):\n  pass\n", "1:9 E0128"},
        {"def f(a=1): pass\n", "1:8 E0129"},
        {"def f(*a): pass\n", "1:7 E0130"},
        {"def f(**a): pass\n", "1:7 E0130"},
        {"match x:\n  case 1: pass\n", "1:1 E0132"},
        {"del x\n", "1:1 E0133"},
        {"x = [**a]\n", "1:6 E0134"},
        {"x[*a] = 1\n", "1:3 E0134"},
        {"f(**a)\n", "1:3 E0134"},
        {"x = yield\n", "1:5 E0135"},
        {"x = y = z\n", "1:7 E0136"},
        {"x = {a, b}\n", "1:5 E0138"},
        {"x = {a}\n", "1:5 E0138"},
    };

    for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
        assert_message(rows[i].text, rows[i].message);
    assert_tree("match = 1\nmatch(x)\n",
                "(= match 1) (expr (call match x))"); /* a name elsewhere */
}

static void test_grammar(void **state)
{
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"x = \n", "1:5 E0101"},
        {"x = a b\n", "1:7 E0101"},
        {"f(a b)\n", "1:5 E0101"},
        {"f(a=1, b)\n", "1:8 E0114"},
        {"f(a) = 1\n", "1:1 E0113"},
        {"1 = x\n", "1:1 E0113"},
        {"a < b = c\n", "1:1 E0113"},
        {"if x\n  y\n", "1:5 E0101"},
        {"if x:\ny\n", "2:1 E0109"},
        {"  x\n", "1:1 E0109"},
        {"def f(a, 1): pass\n", "1:10 E0101"},
        {"def (a): pass\n", "1:5 E0101"},
        {"@a\nx = 1\n", "2:1 E0101"},
        {"a.1\n", "1:2 E0101"},
        {"x = a[]\n", "1:7 E0101"},
        {"else:\n  x\n", "1:1 E0101"},
        {"return return\n", "1:8 E0101"},
        {"from a import\n", "1:14 E0101"},
    };

    for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
        assert_message(rows[i].text, rows[i].message);
}

/* Each mistake is said once, and the lines behind it are read. */
static void test_recovery(void **state)
{
    assert_messages("x = \ny = 1 +\nz = (1\nw = 2\n",
                    (const char *const[]){"1:5 E0101", "2:8 E0101", "3:5 E0105", NULL});
    assert_messages(
        "def f(a b):\n  x = \n  y = 1\n  z = )\nw = *\n",
        (const char *const[]){"1:9 E0101", "2:7 E0101", "4:7 E0106", "5:5 E0134", NULL});
    struct run run;
    start(&run, "x = \ny = 1\nif a b:\n  z = 1\nw = 2\n");
    assert_int_equal(run.file->body_count, 2); /* y and w */
    finish(&run);
}

static void test_limit_of_errors(void **state)
{
    struct run run;
    struct text text = {0};

    for (int i = 0; i < 1000; i++)
        text_puts(&text, "x = = 1\n");
    start(&run, text_string(&text));
    assert_true(diag_is_full(run.diag));
    text_finish(&text);
    finish(&run);
}

static char *repeat(const char *piece, unsigned count, const char *tail)
{
    size_t length = strlen(piece);
    char *text = malloc(length * count + strlen(tail) + 1);

    for (unsigned i = 0; i < count; i++)
        memcpy(text + i * length, piece, length);
    strcpy(text + length * count, tail);
    return text;
}

/* One message for whatever nests too deep, and no stack overflow. */
static void test_nesting(void **state)
{
    static const char *const pieces[][2] = {
        {"(", "1"},    {"[", "1"}, {"-", "1"},   {"not ", "1"},         {"1+", "1"},
        {"a.", "b"},   {"f(", ""}, {"a**", "a"}, {"a if b else ", "c"}, {"{1:", "1"},
        {"f()(", "1"},
    };

    for (size_t i = 0; i < ARRAY_SIZE(pieces); i++) {
        struct run run;
        char *text = repeat(pieces[i][0], 10000, pieces[i][1]);
        start(&run, text);
        assert_int_equal(diag_error_count(run.diag), 1);
        finish(&run);
        free(text);
    }
    char *chain = repeat("elif a:\n  b\n", 10000, "");
    memcpy(chain, "if a:\n  b\n   \n", 12);
    struct run run;
    start(&run, chain);
    assert_true(diag_error_count(run.diag) >= 1);
    finish(&run);
    free(chain);
}

static void test_random_bytes(void **state)
{
    /* pieces of scripts in any order reach deeper than bytes do */
    static const char *const words[] = {
        "(",       ")",       "[",      "]",    "{",      "}",   ":",    ",",    ".",    "=",
        "\n",      "\n  ",    "\n    ", "def ", "class ", "if ", "else", "for ", " in ", "with ",
        "return ", "lambda ", "x",      "1",    "1.5",    "'s'", "@",    "*",    "**",   "not ",
        " and ",   "f'",      "\\",     "#",    "try",    "->",  ";"};
    uint32_t x = 7;

    for (int round = 0; round < 300; round++) {
        struct run run;
        struct text text = {0};
        for (int i = 0; i < 400; i++) {
            x = x * 1664525u + 1013904223u;
            text_puts(&text, words[(x >> 16) % ARRAY_SIZE(words)]);
        }
        start(&run, text_string(&text));
        finish(&run);
        text_finish(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_precedence), cmocka_unit_test(test_trailers),
        cmocka_unit_test(test_displays),   cmocka_unit_test(test_literals),
        cmocka_unit_test(test_statements), cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_refusals),   cmocka_unit_test(test_grammar),
        cmocka_unit_test(test_recovery),   cmocka_unit_test(test_limit_of_errors),
        cmocka_unit_test(test_nesting),    cmocka_unit_test(test_random_bytes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
