/* Literals of the Python subset: numbers, and strings with their escapes. */
#include "base/assert.h"
#include "frontend/python/parser.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static unsigned digit_value(char c)
{
    return c <= '9' ? (unsigned)(c - '0') : (unsigned)((c | 0x20) - 'a') + 10;
}

/* Reads @digits in @base; false if it does not fit into 64 bits. */
static bool read_integer(const char *digits, unsigned base, uint64_t *out_value)
{
    uint64_t value = 0;

    for (; *digits; digits++)
        if (__builtin_mul_overflow(value, base, &value) ||
            __builtin_add_overflow(value, digit_value(*digits), &value))
            return false;
    *out_value = value;
    return true;
}

static struct ast *report_range(struct parser *p, struct token token, const char *text)
{
    struct diag_message *m = diag_report(p->diag, parser_loc(p, token), SYNTAX_NUMBER_RANGE,
                                         strlen(text) > 40 ? "..." : text);

    if (token.kind == TOKEN_FLOAT)
        diag_note(m, "the largest float64 is about 1.8e308");
    return NULL;
}

struct ast *parse_number(struct parser *p)
{
    struct token token = *p->token++;
    bool is_float = token.kind == TOKEN_FLOAT;
    struct ast *node = node_new(p, is_float ? AST_FLOAT : AST_INT, parser_loc(p, token));
    char *text = arena_copy_text(p->arena, p->source->text + token.begin, token.end - token.begin);
    char *out = text;
    unsigned base = 10;
    uint64_t value;

    for (const char *c = text; *c; c++)
        if (*c != '_')
            *out++ = *c;
    *out = '\0';
    if (is_float) {
        node->real = strtod(text, NULL);
        return isinf(node->real) ? report_range(p, token, text) : node;
    }
    if (text[0] == '0' && text[1]) {
        char mark = (char)(text[1] | 0x20);
        base = mark == 'x' ? 16 : mark == 'o' ? 8 : mark == 'b' ? 2 : 10;
    }
    if (!read_integer(base == 10 ? text : text + 2, base, &value))
        return report_range(p, token, text);
    node->integer = (int64_t)value;
    node->is_wide = value > INT64_MAX;
    return node;
}

/* --- strings --- */

struct string_reader {
    struct parser *parser;
    const char *at, *end;
    uint32_t base; /* place of `start` in the source */
    const char *start;
    char *out;
    bool failed;
};

static void put_utf8(struct string_reader *r, uint32_t c)
{
    if (c < 0x80) {
        *r->out++ = (char)c;
        return;
    }
    if (c >= 0x10000) {
        *r->out++ = (char)(0xF0 | c >> 18);
        *r->out++ = (char)(0x80 | (c >> 12 & 0x3F));
    } else if (c >= 0x800) {
        *r->out++ = (char)(0xE0 | c >> 12);
    } else {
        *r->out++ = (char)(0xC0 | c >> 6);
    }
    if (c >= 0x800)
        *r->out++ = (char)(0x80 | (c >> 6 & 0x3F));
    *r->out++ = (char)(0x80 | (c & 0x3F));
}

static void report_escape(struct string_reader *r, const char *begin)
{
    uint32_t offset = r->base + (uint32_t)(begin - r->start);
    struct location loc = {r->parser->source, offset, offset + (uint32_t)(r->at - begin)};

    struct diag_message *m =
        diag_report(r->parser->diag, loc, SYNTAX_ESCAPE,
                    arena_printf(r->parser->arena, "%.*s", (int)(r->at - begin), begin));
    diag_help(m, "a backslash is written twice");
    diag_help_edit(m, location_before(loc), "\\");
    r->failed = true;
}

static bool is_hex(char c)
{
    return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
}

/* \x41, \u0041, \U00000041: exactly @digits hexadecimal ones behind the letter. */
static void read_hex_escape(struct string_reader *r, const char *begin, unsigned digits)
{
    uint32_t value = 0;
    unsigned i = 0;

    for (; i < digits && r->at < r->end && is_hex(*r->at); i++)
        value = value << 4 | digit_value(*r->at++);
    if (i < digits || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000))
        report_escape(r, begin);
    else
        put_utf8(r, value);
}

static void read_octal_escape(struct string_reader *r)
{
    uint32_t value = 0;

    for (unsigned i = 0; i < 3 && r->at < r->end && *r->at >= '0' && *r->at <= '7'; i++)
        value = value << 3 | digit_value(*r->at++);
    put_utf8(r, value);
}

/* An escape; r->at stands on its backslash. */
static void read_escape(struct string_reader *r)
{
    static const char letters[] = "abfnrtv\\'\"", values[] = "\a\b\f\n\r\t\v\\'\"";
    const char *begin = r->at++;
    char c = *r->at++;
    const char *simple = strchr(letters, c);

    if (c == '\r' && r->at < r->end && *r->at == '\n')
        r->at++;
    else if (c == '\n' || c == '\r')
        return;
    else if (simple && c)
        *r->out++ = values[simple - letters];
    else if (c == 'x')
        read_hex_escape(r, begin, 2);
    else if (c == 'u')
        read_hex_escape(r, begin, 4);
    else if (c == 'U')
        read_hex_escape(r, begin, 8);
    else if (c >= '0' && c <= '7') {
        r->at--;
        read_octal_escape(r);
    } else if (c == 'N') {
        report_escape(r, begin);
    } else {
        *r->out++ = '\\';
        *r->out++ = c;
    }
}

/* Decodes one string token to @out and returns the end of what it wrote; NULL after a report. */
static char *decode_string(struct parser *p, struct token token, char *out)
{
    const char *text = p->source->text + token.begin;
    const char *begin = text;
    bool is_raw = false;

    assert(out);
    for (; *begin != '"' && *begin != '\''; begin++)
        is_raw |= *begin == 'r' || *begin == 'R';
    size_t length = token.end - token.begin - (size_t)(begin - text);
    size_t quotes = length >= 6 && begin[1] == *begin && begin[2] == *begin ? 3 : 1;
    struct string_reader r = {.parser = p,
                              .at = begin + quotes,
                              .end = begin + length - quotes,
                              .base = token.begin,
                              .start = text,
                              .out = out};
    while (r.at < r.end) {
        if (*r.at == '\r') { /* line ends are one newline, as in Python */
            r.at += r.at[1] == '\n' ? 2 : 1;
            *r.out++ = '\n';
        } else if (*r.at == '\\' && !is_raw) {
            read_escape(&r);
        } else {
            *r.out++ = *r.at++;
        }
    }
    return r.failed ? NULL : r.out;
}

struct ast *parse_strings(struct parser *p)
{
    struct ast *node = node_new(p, AST_STRING, parser_loc(p, *p->token));
    size_t room = 0;
    bool failed = false;

    for (const struct token *t = p->token; t->kind == TOKEN_STRING; t++)
        room += t->end - t->begin;
    char *text = arena_array(p->arena, char, room + 1), *out = text;
    for (; parser_at(p, TOKEN_STRING); p->token++) {
        char *end = decode_string(p, *p->token, out);
        failed |= !end;
        out = end ? end : out;
    }
    node_extend(p, node);
    node->length = (size_t)(out - text);
    node->string = atom_intern(p->atoms, text, node->length);
    return failed ? NULL : node;
}
