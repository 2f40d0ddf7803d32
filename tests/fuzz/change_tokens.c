/*
 * Mistakes of people in a script: a name for another, an attribute or an element for a name, arguments in
 * another order or none, a word or a line too few or too many.  What stands there need not be a script.
 */
#include "base/array.h"
#include "base/text.h"
#include "base/util.h"
#include "tests/fuzz/replay.h"

#include <ctype.h>
#include <string.h>

enum kind { WORD, NUMBER, STRING, SIGN, LINE };

struct piece {
    enum kind kind;
    size_t begin, end; /* bytes; LINE: the newline, with the blanks that begin the next */
};

struct change {
    const char *text; /* with a NUL behind it */
    size_t length;
    array(struct piece) pieces;
    uint32_t *random;
    struct text out;
    size_t copied; /* of the text, to @out */
};

uint32_t next_random(uint32_t *state)
{
    *state ^= *state << 13; /* xorshift32 */
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state;
}

static unsigned below(struct change *c, size_t limit)
{
    return limit ? next_random(c->random) % (unsigned)limit : 0;
}

/* ---- pieces ---- */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (c & 0x80);
}

static size_t end_of_string(const char *text, size_t at)
{
    char quote = text[at++];

    while (text[at] && text[at] != quote && text[at] != '\n')
        at++;
    return text[at] == quote ? at + 1 : at;
}

static size_t end_of(const char *text, size_t at, enum kind *out_kind)
{
    char first = text[at];

    *out_kind = first == '\n'                   ? LINE
                : first == '"' || first == '\'' ? STRING
                : isdigit((unsigned char)first) ? NUMBER
                : is_word(first)                ? WORD
                                                : SIGN;
    switch (*out_kind) {
    case STRING:
        return end_of_string(text, at);
    case LINE:
        return at + 1 + strspn(text + at + 1, " ");
    case SIGN:
        return at + 1 +
               (text[at + 1] && strchr("=<>*/", text[at + 1]) && strchr("=<>*/-!+:", first));
    default:
        while (is_word(text[at]) || (*out_kind == NUMBER && text[at] == '.'))
            at++;
        return at;
    }
}

static void split(struct change *c)
{
    for (size_t at = 0; at < c->length;) {
        struct piece piece = {.begin = at};

        if (strchr(" \t\r\f", c->text[at])) { /* a NUL, too */
            at++;
        } else if (c->text[at] == '#') {
            at += strcspn(c->text + at, "\n");
        } else {
            piece.end = at = end_of(c->text, at, &piece.kind);
            array_push(&c->pieces, piece);
        }
    }
}

static size_t any(struct change *c)
{
    return below(c, c->pieces.count);
}

/* A piece of @kind, at or behind a random place; else any. */
static size_t any_of(struct change *c, enum kind kind)
{
    size_t start = any(c);

    for (size_t i = 0; i < c->pieces.count; i++) {
        size_t at = (start + i) % c->pieces.count;
        if (c->pieces.items[at].kind == kind)
            return at;
    }
    return start;
}

static bool is_one_of(const struct change *c, size_t at, const char *signs)
{
    return at < c->pieces.count && strchr(signs, c->text[c->pieces.items[at].begin]);
}

/* ---- the result: what is not replaced is copied ---- */

static void copy(struct change *c, size_t begin, size_t end)
{
    text_append(&c->out, c->text + begin, end - begin);
}

static void copy_piece(struct change *c, size_t at)
{
    copy(c, c->pieces.items[at].begin, c->pieces.items[at].end);
}

/* All in front of @begin, and goes on at @end. */
static void skip(struct change *c, size_t begin, size_t end)
{
    copy(c, c->copied, begin);
    c->copied = end;
}

static void skip_piece(struct change *c, size_t at)
{
    skip(c, c->pieces.items[at].begin, c->pieces.items[at].end);
}

/* The bytes [@begin, @middle) and [@other, @end) change places. */
static void swap(struct change *c, size_t begin, size_t middle, size_t other, size_t end)
{
    skip(c, begin, end);
    copy(c, other, end);
    copy(c, middle, other);
    copy(c, begin, middle);
}

/* ---- mistakes ---- */

static void drop(struct change *c)
{
    skip_piece(c, any(c));
}

static void repeat(struct change *c)
{
    size_t at = any(c);

    skip(c, c->pieces.items[at].end, c->pieces.items[at].end);
    text_putc(&c->out, ' ');
    copy_piece(c, at);
}

static void swap_neighbours(struct change *c)
{
    size_t at = any(c);

    if (at + 1 >= c->pieces.count)
        return;
    struct piece a = c->pieces.items[at], b = c->pieces.items[at + 1];
    swap(c, a.begin, a.end, b.begin, b.end);
}

static void other_piece(struct change *c)
{
    skip_piece(c, any(c));
    copy_piece(c, any(c));
}

/* A name for another one. */
static void other_word(struct change *c)
{
    skip_piece(c, any_of(c, WORD));
    copy_piece(c, any_of(c, WORD));
}

/* `i` becomes `i.x`, `i[0]`, `i[x]`, `i()`, .. */
static void other_form(struct change *c)
{
    static const char *const forms[][2] = {
        {".", ""},     {"[", "]"},    {"[0, ", "]"},       {"(", ")"},
        {" = ", ""},   {", ", ""},    {" + ", ""},         {" < ", ""},
        {": ", ""},    {"[", ":2]"},  {" if ", " else 0"}, {" in ", ""},
        {" and ", ""}, {"[...", "]"}, {"(*", ")"},         {" as ", ""},
    };
    size_t at = any_of(c, WORD);
    unsigned form = below(c, ARRAY_SIZE(forms));

    skip(c, c->pieces.items[at].end, c->pieces.items[at].end);
    text_puts(&c->out, forms[form][0]);
    copy_piece(c, any_of(c, below(c, 4) ? WORD : NUMBER));
    text_puts(&c->out, forms[form][1]);
}

/* `i` becomes `i[()]`, `i()`, `*i`, .. */
static void to_form(struct change *c)
{
    static const char *const forms[][2] = {
        {"", "[()]"},   {"", "()"},   {"", "[...]"},
        {"", "[None]"}, {"", "[:]"},  {"", "[0, 0, 0]"},
        {"", "[]"},     {"*", ""},    {"**", ""},
        {"-", ""},      {"not ", ""}, {"(", ",)"},
        {"[", "]"},     {"{", "}"},   {"lambda: ", ""},
        {"\"", "\""},   {"", ".x"},   {"", ": T.int32 = 0"},
        {"(", ")"},     {"", " = x"}, {"", "[0:2, ::3]"},
    };
    size_t at = any_of(c, WORD);
    unsigned form = below(c, ARRAY_SIZE(forms));

    skip_piece(c, at);
    text_puts(&c->out, forms[form][0]);
    copy_piece(c, at);
    text_puts(&c->out, forms[form][1]);
}

static const char *const words[] = {
    "and",  "as",   "assert", "break", "class",  "continue", "def", "del",    "elif",
    "else", "for",  "from",   "if",    "import", "in",       "is",  "lambda", "not",
    "or",   "pass", "return", "while", "with",   "yield",    "(",   ")",      "[",
    "]",    "{",    "}",      ",",     ":",      ".",        "=",   "->",     "@",
    "+",    "-",    "*",      "/",     "**",     "//",       "<",   "==",     "!=",
    ":=",   "+=",   "...",    "!",     "&&",     "?",        "$",   "\\",     "\"",
};

static const char *const values[] = {
    "0",
    "-1",
    "1.5",
    "1e400",
    "True",
    "None",
    "\"x\"",
    "\"\"",
    "()",
    "[]",
    "(1,)",
    "{}",
    "99",
    "\"n + 1\"",
    "2147483648",
    "9223372036854775808",
    "\"float32\"",
    "T.int64",
    "T.grid",
    "range",
    "T.axis.remap",
    "T.Buffer",
    "R.Tensor",
    "R.call_tir",
};

static void to_word(struct change *c)
{
    skip_piece(c, any(c));
    text_puts(&c->out, words[below(c, ARRAY_SIZE(words))]);
}

static void to_value(struct change *c)
{
    static const enum kind kinds[] = {NUMBER, STRING, WORD};

    skip_piece(c, any_of(c, kinds[below(c, ARRAY_SIZE(kinds))]));
    text_puts(&c->out, values[below(c, ARRAY_SIZE(values))]);
}

/* The piece that closes the bracket at @open, or the last. */
static size_t closing(const struct change *c, size_t open)
{
    int depth = 0;
    size_t at = open;

    for (; at + 1 < c->pieces.count; at++) {
        depth += is_one_of(c, at, "([{") - is_one_of(c, at, ")]}");
        if (depth <= 0)
            break;
    }
    return at;
}

static size_t any_bracket(struct change *c)
{
    size_t at = any(c);

    while (at < c->pieces.count && !is_one_of(c, at, "([{"))
        at++;
    return at < c->pieces.count ? at : 0;
}

/* `f()` for `f(a, b)` */
static void no_arguments(struct change *c)
{
    size_t open = any_bracket(c), close = closing(c, open);

    if (close > open)
        skip(c, c->pieces.items[open].end, c->pieces.items[close].begin);
}

/* The piece behind the argument that begins at @at: a comma, or what closes. */
static size_t argument_end(const struct change *c, size_t at)
{
    while (at + 1 < c->pieces.count && !is_one_of(c, at, ",)]}"))
        at = is_one_of(c, at, "([{") ? closing(c, at) + 1 : at + 1;
    return at < c->pieces.count ? at : c->pieces.count - 1;
}

static void swap_arguments(struct change *c)
{
    size_t first = any_bracket(c) + 1;

    for (unsigned skipped = below(c, 3); skipped > 0 && is_one_of(c, argument_end(c, first), ",");
         skipped--)
        first = argument_end(c, first) + 1;
    size_t comma = argument_end(c, first), end = argument_end(c, comma + 1);
    if (is_one_of(c, comma, ",") && comma > first && end > comma + 1)
        swap(c, c->pieces.items[first].begin, c->pieces.items[comma - 1].end,
             c->pieces.items[comma + 1].begin, c->pieces.items[end - 1].end);
}

static void drop_argument(struct change *c)
{
    size_t first = any_bracket(c) + 1;

    if (below(c, 2) && is_one_of(c, argument_end(c, first), ","))
        first = argument_end(c, first) + 1;
    size_t end = argument_end(c, first);
    if (end > first)
        skip(c, c->pieces.items[first].begin, c->pieces.items[end - !is_one_of(c, end, ",")].end);
}

/* The bytes of a line: the piece that begins it, up to the one that begins the next. */
static void drop_line(struct change *c)
{
    size_t at = any_of(c, LINE), end = at + 1;

    while (end + 1 < c->pieces.count && c->pieces.items[end].kind != LINE)
        end++;
    if (end < c->pieces.count)
        skip(c, c->pieces.items[at].begin, c->pieces.items[end].begin);
}

static void indent(struct change *c)
{
    static const char *const blanks[] = {"\n",  "\n    ", "\n        ", "\n            ",
                                         "\n ", "\n\t",   " ",          "; "};

    skip_piece(c, any_of(c, LINE));
    text_puts(&c->out, blanks[below(c, ARRAY_SIZE(blanks))]);
}

static void (*const mistakes[])(struct change *c) = {
    drop,    repeat,   swap_neighbours, other_piece,    other_word,    other_form, to_form,
    to_word, to_value, no_arguments,    swap_arguments, drop_argument, drop_line,  indent,
};

static void change_once(struct bytes *bytes, uint32_t *random)
{
    struct change c = {.random = random, .length = bytes->count};

    array_push(bytes, 0);
    c.text = (const char *)bytes->items;
    split(&c);
    if (c.pieces.count)
        mistakes[below(&c, ARRAY_SIZE(mistakes))](&c);
    copy(&c, c.copied, c.length);
    array_reserve(bytes, c.out.length);
    memcpy(bytes->items, text_string(&c.out), c.out.length);
    bytes->count = c.out.length;
    text_finish(&c.out);
    array_finish(&c.pieces);
}

void change_tokens(struct bytes *bytes, uint32_t *random)
{
    for (unsigned n = next_random(random) % 3 + 1; n > 0; n--)
        change_once(bytes, random);
}
